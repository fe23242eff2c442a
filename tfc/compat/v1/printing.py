"""`tfc.compat.v1.Print`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import tfc

if TYPE_CHECKING:
    from tfc.core.tensor import Tensor
    from tfc.core.types import TensorLike


_SEEN = tfc.TensorSpec([], tfc.bool)  # what the call gives, for others to come behind it


def Print(
    input_: TensorLike,
    data: Sequence[TensorLike],
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """`input_`, and where that is computed, `data` is printed to sys.stderr.

    Args:
        input_: A tensor.
        data: Tensors that are printed, each in brackets.
        message: What is printed before them.
        first_n: How often it is printed; None: always.
        summarize: How many elements of a tensor are shown; None: 3.
        name: Not used.

    Returns:
        A tensor: `input_`.

    >>> import contextlib, io
    >>> import tfc.compat.v1 as tf
    >>> with contextlib.redirect_stderr(io.StringIO()) as text:
    ...     x = tf.Print(tf.constant(2.0), [[1, 2, 3, 4], "text"], "seen: ")
    >>> print(text.getvalue().splitlines()[-1], x.numpy())
    seen: [1 2 3...][text] 2.0
    """
    x = tfc.convert_to_tensor(input_)
    printed = [0]

    def show(*arrays: Any) -> np.bool_:
        printed[0] += 1
        if first_n is None or first_n < 0 or printed[0] <= first_n:
            most = 3 if summarize is None else summarize
            shown = "".join(f"[{_summary(np.asarray(a), most)}]" for a in arrays)
            print(f"{message or ''}{shown}", file=sys.stderr, flush=True)
        return np.True_

    done = tfc.numpy_function(show, [tfc.convert_to_tensor(d) for d in data], _SEEN)
    with tfc.compat.v1.control_dependencies([done]):
        return tfc.compat.v1.identity(x)


def _summary(array: np.ndarray, most: int) -> str:
    """The first elements, with the brackets of the axes that they stand in."""
    most = array.size if most < 0 else most
    flat = [_text(v) for v in array.ravel()[:most]]
    more = "..." if array.size > most else ""
    if array.ndim <= 1:
        return " ".join(flat) + more
    left = iter(flat)
    seen = [0]

    def rows(axis: int) -> str:
        if axis == array.ndim - 1:
            row: list[str] = []
            for _ in range(array.shape[axis]):
                if seen[0] >= most:
                    return " ".join(row) + "..."
                seen[0] += 1
                row.append(next(left))
            return " ".join(row)
        parts = ""
        for _ in range(array.shape[axis]):
            if seen[0] < most:
                parts += f"[{rows(axis + 1)}]"
        return parts

    return rows(0) + more


def _text(value: Any) -> str:
    if isinstance(value, bytes | str):
        return value.decode(errors="replace") if isinstance(value, bytes) else value
    if isinstance(value, np.bool_):
        return str(int(value))
    if not isinstance(value, np.floating):
        return str(value)
    few = np.finfo(value.dtype).precision
    short = f"{value:.{few}g}"
    return short if value.dtype.type(short) == value else f"{value:.{few + 3}g}"


__all__ = ["Print"]
