"""How tensors and variables are printed: as TensorFlow 2.16 does.

    >>> import numpy as np
    >>> tensor_repr(np.array([[1, 2], [3, 4]], np.int32), "int32")
    '<tf.Tensor: shape=(2, 2), dtype=int32, numpy=\\narray([[1, 2],\\n       [3, 4]], dtype=int32)>'
    >>> print(tensor_str(np.float32(0.1), "float32"))
    tf.Tensor(0.1, shape=(), dtype=float32)
    >>> variable_repr("Variable:0", np.int32(10), "int32")
    "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=10>"

A tensor of a trace has no value, and says where it comes from instead:

    >>> print(symbolic_str("x:0", "(None, 2)", "float32"))
    Tensor("x:0", shape=(None, 2), dtype=float32)

A user's `numpy.set_printoptions` (precision, threshold, ...) is heeded.
"""

from __future__ import annotations

from typing import Any

import numpy as np

# TensorFlow 2.16 prints through NumPy 1, where a scalar's repr is its bare value (not
# `np.float32(3.0)`) and a summarised array's does not state its shape. NumPy 2 can still do that.
_NUMPY_STYLE: Any = "1.25"


def value_text(value: Any, is_repr: bool) -> str:
    """An ndarray or NumPy scalar as it stands within a tensor's `repr` or `str`.

    Text of several lines begins on a line of its own.
    """
    array = np.asarray(value)
    with np.printoptions(legacy=_NUMPY_STYLE):
        # A 0-d array's repr is `array(3., dtype=float32)`, its scalar's is `3.0`.
        shown = array[()] if array.ndim == 0 else array
        text = repr(shown) if is_repr else str(shown)
    return "\n" + text if "\n" in text else text


def tensor_repr(value: Any, dtype_name: str) -> str:
    """The `repr` of a tensor that holds `value`."""
    text = value_text(value, is_repr=True)
    return f"<tf.Tensor: shape={np.shape(value)}, dtype={dtype_name}, numpy={text}>"


def tensor_str(value: Any, dtype_name: str) -> str:
    """The `str` of a tensor that holds `value`."""
    text = value_text(value, is_repr=False)
    return f"tf.Tensor({text}, shape={np.shape(value)}, dtype={dtype_name})"


def variable_repr(name: str, value: Any, dtype_name: str, shape: Any = None) -> str:
    """The `repr`, and the `str`, of a variable that holds `value`.

    `shape` is what the variable is declared with, where that is wider than the value's.
    """
    shown = np.shape(value) if shape is None else shape
    text = value_text(value, is_repr=True)
    return f"<tf.Variable '{name}' shape={shown} dtype={dtype_name}, numpy={text}>"


def symbolic_repr(name: str, shape: Any, dtype_name: str) -> str:
    """The `repr` of a tensor that belongs to a trace. `shape` prints as `(None, 2)`."""
    return f"<tf.Tensor '{name}' shape={shape} dtype={dtype_name}>"


def symbolic_str(name: str, shape: Any, dtype_name: str) -> str:
    """The `str` of a tensor that belongs to a trace."""
    return f'Tensor("{name}", shape={shape}, dtype={dtype_name})'


def symbolic_variable_repr(name: str, shape: Any, dtype_name: str) -> str:
    """The `repr` of a variable while a function is traced."""
    return f"<tf.Variable '{name}' shape={shape} dtype={dtype_name}>"


def shown(value: Any) -> str:
    """`value` for a message: not more than a line or so of it."""
    try:
        text = repr(value)
    except Exception:  # a repr of the user's
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 200 else f"{text[:200]}..."
