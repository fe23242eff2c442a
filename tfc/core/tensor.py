"""Tensors as users hold them, and how Python's values become tensors.

A `Tensor` owns a dense, row-major ndarray that nobody changes. A `SymbolicTensor` stands for a
value of a function that is being traced. Operators are attached by operators.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.backends.cpu.runtime.runtime import copied
from tfc.ir.core import Value
from tfc.ir.dtypes import DType, as_dtype, bool_, float32, int32, names_string, string
from tfc.ir.types import format_shape

from . import above, errors, formatting, nest
from .array_methods import ArrayMethods, as_numpy, missing_attribute
from .context import context, user_location
from .indexed_slices import IndexedSlices
from .placement import HOST, device_name
from .shapes import TensorShape
from .variable_updates import slice_assignment


class Held(ArrayMethods):
    """What native code looks into: one ndarray in the slot `_array`."""

    __slots__ = ("_array",)

    _array: np.ndarray

    @property
    def shape(self) -> TensorShape:
        """The extents."""
        return TensorShape.of(self._array.shape)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return as_dtype(self._array.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._array.ndim

    @property
    def device(self) -> str:
        """Where the memory is."""
        return device_name(self._array)

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self.shape


def note_leaving(tensor: Tensor) -> None:
    """Tell the tapes that NumPy is given the elements of a tensor."""
    for tape in context.tapes:
        tape.left(tensor)


class Tensor(Held):
    """An immutable array. Make one with `tfc.constant` or as the result of an op.

    Unlike TensorFlow, it takes no attributes of the user's (`x.note = 1`).

    >>> import tfc as tf
    >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> x.shape, x.dtype
    (TensorShape([2, 2]), tf.float32)
    >>> print(x @ x)
    tf.Tensor(
    [[ 7. 10.]
     [15. 22.]], shape=(2, 2), dtype=float32)
    """

    __slots__ = ("__weakref__", "_source")
    __array_priority__ = 100

    def numpy(self) -> Any:
        """A copy as an ndarray, or a NumPy scalar for rank 0."""
        if context.tapes:
            note_leaving(self)
        array = self._array
        return array.copy() if array.ndim else array[()]

    def read(self) -> Tensor:
        """Itself; a Variable gives its value."""
        return self

    def ref(self) -> Reference:
        """A hashable stand-in, for use as a dictionary key."""
        return Reference(self)

    # What is read of a Variable by an index knows its place there, the slot `_source`.

    @property
    def assign(self) -> Any:
        """Of a slice of a Variable: `v[index].assign(value)` makes `value` the elements there."""
        return self._assignment("assign")

    @property
    def assign_add(self) -> Any:
        """Of a slice of a Variable: `v[index].assign_add(delta)` adds to the elements there."""
        return self._assignment("assign_add")

    @property
    def assign_sub(self) -> Any:
        """Of a slice of a Variable: `v[index].assign_sub(delta)` subtracts there."""
        return self._assignment("assign_sub")

    def _assignment(self, kind: str) -> Any:
        source: Any = getattr(self, "_source", None)
        if source is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {kind!r}")
        variable, index = source
        return slice_assignment(variable, index, kind)

    def set_shape(self, shape: Any) -> None:
        """State what the shape is. Raises ValueError where that contradicts what is known; while
        tracing, extents that were unknown are known from here on, and the call checks them."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {shape} "
                f"({user_location()})"
            )

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """TensorFlow 1's way to a value: NotImplementedError."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're "
            "looking for?"
        )

    def consumers(self) -> Any:
        """The ops that use the tensor in a graph: there is none, NotImplementedError."""
        raise NotImplementedError("Tensor.consumers is undefined when eager execution is enabled.")

    def __getattr__(self, name: str) -> Any:
        raise missing_attribute(type(self).__name__, name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if context.tapes:
            note_leaving(self)
        return as_numpy(self._array, dtype, copy)

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self._array)

    def __bool__(self) -> bool:
        return bool(self._array)

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(self._array)

    def __index__(self) -> int:
        if self._array.ndim or self._array.dtype.kind not in "iu":
            raise TypeError(f"only integer scalar tensors can be an index, got {self!r}")
        return int(self._array)

    def __iter__(self) -> Any:
        if not self._array.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        return iter([self[i] for i in range(len(self._array))])  # type: ignore[index]

    def __hash__(self) -> int:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __format__(self, spec: str) -> str:
        return format(self._array[()] if not self._array.ndim else self._array, spec)

    def __repr__(self) -> str:
        return formatting.tensor_repr(self._array, self.dtype.name)

    def __str__(self) -> str:
        return formatting.tensor_str(self._array, self.dtype.name)

    def __reduce__(self) -> tuple[Any, ...]:
        return wrap, (self._array,)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self


class SymbolicTensor(Tensor):
    """A tensor of a function that is being traced: it has a type, but no elements yet."""

    __slots__ = ("_extents", "_trace", "_value")

    def __init__(self, trace: Any, value: Value, extents: Any = None) -> None:
        self._trace = trace
        self._value = value
        self._extents = extents  # for the shape of a tensor: the extents that it holds

    @property
    def shape(self) -> TensorShape:
        return TensorShape.of(self._value.shape)

    @property
    def dtype(self) -> DType:
        return self._value.dtype

    @property
    def ndim(self) -> int:
        return self._value.rank

    @property
    def device(self) -> str:
        """Where the function runs, as far as `tfc.device` inside of it has said."""
        return (self._trace.outermost.device or HOST).name

    def _no_value(
        self, what: str, error: type[Exception] = TypeError, advice: str = ""
    ) -> Exception:
        from .leaks import is_traced, story

        if not is_traced(self):
            return error(story(self))
        advice = advice or (
            "Compute with ops (tfc.where, tfc.cond), or move this line out of the function."
        )
        return error(
            f"{what} needs the elements of a symbolic tensor ({self.dtype.name}, shape "
            f"{format_shape(self._value.shape)}), which is traced inside a tfc.function and has "
            f"none yet ({user_location()}). {advice}"
        )

    def _python_decides(self, what: str) -> Exception:
        """Where Python's control flow met a symbolic tensor: why it was not converted."""
        error = errors.OperatorNotAllowedInGraphError
        return self._no_value(f"{what} is not allowed: it", error, above.why_python_decides())

    def __getattr__(self, name: str) -> Any:
        if name == "_array":  # native code and eager ops look for the elements there
            raise self.out_of_scope()
        raise missing_attribute("SymbolicTensor", name)

    @property
    def name(self) -> str:
        """The name of the value in the trace."""
        return f"{self._value.name or 'value'}:0"

    def set_shape(self, shape: Any) -> None:
        super().set_shape(shape)
        known = TensorShape(shape).extents
        if known is not None:
            self._value = self._trace.refine(self._value, known)

    def out_of_scope(self) -> errors.InaccessibleTensorError:
        """What is raised where the tensor is used and its function is not being traced."""
        from .leaks import story

        return errors.InaccessibleTensorError(story(self))

    def numpy(self) -> Any:
        advice = "Return it, and call .numpy() on what the function gives; or compute with ops."
        raise self._no_value(".numpy()", AttributeError, advice)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise self._no_value("Conversion to a NumPy array", NotImplementedError)

    def __dlpack__(self, **options: Any) -> Any:
        raise self._no_value("DLPack", BufferError)

    def __len__(self) -> int:
        if not self._value.rank:
            raise TypeError("Scalar tensor has no `len()`")
        if isinstance(self._value.shape[0], int):
            return self._value.shape[0]
        raise self._no_value("len() of an unknown extent")

    def __bool__(self) -> bool:
        raise self._python_decides("Using a symbolic `tf.Tensor` as a Python `bool`")

    def __int__(self) -> int:
        raise self._no_value("int()", advice="To convert it, use tfc.cast(x, tfc.int32).")

    def __complex__(self) -> complex:
        raise self._no_value("complex()", advice="To convert it, use tfc.cast(x, tfc.complex64).")

    def __float__(self) -> float:
        raise self._no_value("float()", advice="To convert it, use tfc.cast(x, tfc.float32).")

    def __index__(self) -> int:
        raise self._no_value(
            "Use as a Python integer",
            advice="To pick an item of a list by a tensor, use tfc.gather(tfc.stack(items), i).",
        )

    def __iter__(self) -> Any:
        if not self._value.rank:
            raise TypeError("Cannot iterate over a scalar tensor.")
        n = self._value.shape[0]
        if not isinstance(n, int):
            raise self._python_decides("Iterating over a symbolic `tf.Tensor` of unknown extent")
        return iter([self[i] for i in range(n)])  # type: ignore[index]

    def __hash__(self) -> int:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return formatting.symbolic_repr(self._value.name or "value", self.shape, self.dtype.name)

    def __str__(self) -> str:
        return formatting.symbolic_str(self._value.name or "value", self.shape, self.dtype.name)

    def __reduce__(self) -> tuple[Any, ...]:
        raise self._no_value("Pickling")


class Reference:
    """Compares and hashes by the identity of a tensor or Variable; `deref` gives it back."""

    __slots__ = ("_object",)

    def __init__(self, object_: Any) -> None:
        self._object = object_

    def deref(self) -> Any:
        return self._object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._object is other._object

    def __hash__(self) -> int:
        return id(self._object)


_OBJECTS = np.dtype(object).num  # what holds strings


def wrap(array: np.ndarray) -> Tensor:
    """A Tensor that owns `array`, which nobody changes any more."""
    if array.dtype.num == _OBJECTS:
        from .string_tensor import owned

        return owned(array)
    dtype = as_dtype(array.dtype)
    if not array.flags.c_contiguous or not array.flags.aligned or array.dtype is not dtype.numpy:
        # NumPy has two names for some integers (long and long long): a view takes the one meant.
        array = np.array(array, dtype=dtype.numpy, order="C").view(dtype.numpy)
    tensor: Tensor = Tensor.__new__(Tensor)
    tensor._array = array
    return tensor


def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Tensor:
    """`value` as a Tensor: a tensor or Variable, number, NumPy array, or nested list of these.

    Python numbers take `dtype`, else `dtype_hint` where it can hold them, else int32 (int64 where
    they need it), float32, complex128 or bool. NumPy arrays are cast to `dtype`. A tensor of
    another dtype than `dtype` is a ValueError: tensors are never cast silently.

    >>> import tfc as tf
    >>> tf.convert_to_tensor([1, 2], dtype=tf.float32)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    if dtype is not None and type(dtype) is not DType and names_string(dtype):
        from .string_tensor import as_strings

        return as_strings(value)
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Held):
        tensor = value if isinstance(value, Tensor) else value.value()  # type: ignore
        if wanted is not None and tensor.dtype is not wanted:
            raise ValueError(
                f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype "
                f"{tensor.dtype.name}: {tensor!r}"
            )
        return tensor
    if isinstance(value, IndexedSlices):
        return convert_to_tensor(value.dense(), dtype)
    if isinstance(value, nest.Composite):
        raise ValueError(
            f"Attempt to convert a value ({shown(value)}) with an unsupported type "
            f"({type(value)}) to a Tensor."
        )
    if isinstance(value, list | tuple) and (own := _dtype_of_tensors(value)) is not None:
        inner: Any = wanted or own
        return above.stack(
            [convert_to_tensor(v, None if isinstance(v, Held) else inner) for v in value]
        )
    if wanted is not None:
        if isinstance(value, np.ndarray | np.generic):
            return _cast_array(value, wanted)
        return wrap(_array_of(value, wanted))
    hint = None if dtype_hint is None or dtype_hint is string else as_dtype(dtype_hint)
    if hint is not None:
        try:
            return wrap(_array_of(value, hint))
        except TypeError:
            pass
    return wrap(_array_of(value, None))


def _dtype_of_tensors(value: Sequence[Any]) -> DType | None:
    try:
        return _dtype_within(value)
    except RecursionError:
        raise ValueError(
            "Can't convert a sequence that is nested so deep, or holds itself, to Tensor"
        ) from None


def _dtype_within(value: Sequence[Any]) -> DType | None:
    """The dtype of the first tensor in nested lists, or None where there are only numbers."""
    for v in value:
        if isinstance(v, Held):
            return v.dtype
        if isinstance(v, list | tuple) and (found := _dtype_within(v)) is not None:
            return found
    return None


def _cast_array(value: Any, dtype: DType) -> Tensor:
    """An array in the dtype that was asked for, converted as `tfc.cast` does it."""
    array = _array_of(value, None)
    if array.dtype == dtype.numpy:
        return wrap(array)
    return above.cast(wrap(array), dtype)


def _array_of(value: Any, dtype: DType | None) -> np.ndarray:
    """A fresh array of `value`; TypeError where its elements do not fit `dtype`."""
    try:
        array = copied(value) if type(value) is np.ndarray else np.array(value, order="C")
    except ValueError:
        raise ValueError(
            f"Can't convert non-rectangular Python sequence to Tensor: {shown(value)}"
        ) from None
    if array.dtype.kind == "O" and _is_python(value):
        raise ValueError(
            f"Can't convert Python sequence with out-of-range integer to Tensor: {shown(value)}"
        )
    if dtype is None and array.dtype.kind in "OUS":
        from .string_tensor import as_strings, holds_text

        if holds_text(value):
            return as_strings(value)._array
    if array.dtype.kind in "OUSMm" or array.dtype.names:
        raise ValueError(
            f"Attempt to convert a value ({shown(value)}) with an unsupported type "
            f"({type(value)}) to a Tensor."
        )
    if dtype is None:
        return array.astype(_default_dtype(value, array).numpy, copy=False)
    source = as_dtype(array.dtype)
    if array.size and not _fits(source, dtype):
        raise TypeError(f"Cannot convert {shown(value)} to EagerTensor of dtype {dtype.name}")
    if dtype.is_integer and array.size and source.is_integer:
        low, high = int(array.min()), int(array.max())
        if low < int(dtype.min) or high > int(dtype.max):
            raise TypeError(
                f"Cannot convert {shown(value)} to EagerTensor of dtype {dtype.name}: out of range"
            )
    return array.astype(dtype.numpy, copy=False)


def _fits(source: DType, target: DType) -> bool:
    order = "biufc"
    if source.is_bool or target.is_bool:
        return source is target
    return order.index(source.kind) <= order.index(target.kind) or (
        source.is_integer and target.is_integer
    )


def _default_dtype(value: Any, array: np.ndarray) -> DType:
    own = as_dtype(array.dtype)
    if isinstance(value, np.ndarray | np.generic) or not _is_python(value):
        return own
    if own.is_complex:
        return own
    if own.is_floating:
        return float32
    if bool in (kinds := _kinds(value)) and len(kinds) > 1:
        raise ValueError(
            f"Can't convert Python sequence with mixed types to Tensor: {shown(value)}"
        )
    if own.is_integer:
        wide = array.size and (array.min() < -(2**31) or array.max() >= 2**31)
        return own if wide else int32
    return bool_


def shown(value: Any) -> str:
    """`value` for a message: not more than a line or so of it."""
    try:
        text = repr(value)
    except Exception:  # a repr of the user's
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 200 else f"{text[:200]}..."


def _is_python(value: Any) -> bool:
    """Whether `value` is made of Python numbers (or nothing) only."""
    return all(issubclass(k, _NUMBERS) and not issubclass(k, np.generic) for k in _kinds(value))


def _kinds(value: Any) -> set[type]:
    """The classes of the numbers in nested sequences."""
    if not isinstance(value, _SEQUENCES):
        return {type(value)}
    kinds = set(map(type, value))
    if not any(issubclass(k, _SEQUENCES) for k in kinds):
        return kinds
    return set().union(*map(_kinds, value))


_SEQUENCES = (list, tuple, range)
_NUMBERS = (bool, int, float, complex)
_scalars: dict[Any, Tensor] = {}


def operand(op: str, value: Any, dtype: Any = None, dtype_hint: Any = None) -> Tensor:
    """`value` as a tensor for the op of this name, which errors speak of."""
    if isinstance(value, Tensor) and dtype is None:
        return value
    try:
        return convert_to_tensor(value, dtype, dtype_hint)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{op}: {error} ({user_location()})") from None


def constant_scalar(value: Any, dtype: DType) -> Tensor:
    """A tensor of a Python number; the same one for the same number."""
    key = (type(value), repr(value), dtype)
    found = _scalars.get(key)
    if found is None:
        if len(_scalars) > 1024:
            _scalars.clear()
        found = _scalars[key] = convert_to_tensor(value, dtype)
    return found


def convert_operands(operands: tuple[Any, ...], op: str) -> Sequence[Any]:
    """All operands as tensors (Variables stay). What is no tensor takes the dtype of the first
    one that is; dtypes of tensors must agree where the op wants it, and it says so itself."""
    hint: DType | None = None
    ready = True
    for x in operands:
        if isinstance(x, Held):
            hint = hint or x.dtype
        else:
            ready = False
    if ready:
        return operands
    converted = []
    for x in operands:
        if isinstance(x, Held):
            converted.append(x)
            continue
        try:
            if hint is not None and type(x) in _NUMBERS:
                converted.append(constant_scalar(x, hint))
            elif hint is None:
                tensor = convert_to_tensor(x)
                hint = tensor.dtype
                converted.append(tensor)
            else:
                converted.append(convert_to_tensor(x, dtype_hint=hint))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{op}: {error} ({user_location()})") from None
    return converted


__all__ = ["Reference", "SymbolicTensor", "Tensor", "convert_to_tensor", "errors"]
