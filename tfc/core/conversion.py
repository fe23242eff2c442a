"""How Python's values become tensors: numbers, arrays, nested lists, text; operands of ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.backends.cpu.runtime.state import INLINE_BYTES
from tfc.ir.dtypes import DType, as_dtype, bool_, float32, int32, int64, names_string, string

from . import above
from .containers import Composite
from .context import user_location
from .formatting import shown
from .shapes import TensorShape
from .tensor import Held, StringTensor, Tensor, strings, wrap


def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Tensor:
    """`value` as a Tensor: a tensor or Variable, number, NumPy array, or nested list of these.

    Python numbers take `dtype`, else `dtype_hint` where it can hold them, else int32 (int64 where
    they need it), float32, complex128 or bool. NumPy arrays are cast to `dtype`; arrays of whole
    floats take an integer `dtype_hint`, too. A tensor of another dtype than `dtype` is a
    ValueError: tensors are never cast silently.

    Args:
        value: A tensor, Variable, number, NumPy array, or nested list of these.
        dtype: The dtype that the tensor must have.
        dtype_hint: The dtype to prefer where `value` leaves a choice.

    Returns:
        A tensor; the same one, if `value` is a tensor.

    Raises:
        TypeError: If a number does not fit `dtype`.
        ValueError: If a tensor has another dtype than `dtype`, or lists of one level have different
            lengths.

    >>> import tfc as tf
    >>> tf.convert_to_tensor([1, 2], dtype=tf.float32)
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>
    """
    if dtype is not None and type(dtype) is not DType and names_string(dtype):
        return _text(value)
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(value, Held):
        tensor = value if isinstance(value, Tensor) else value.value()  # type: ignore
        if wanted is not None and tensor.dtype is not wanted:
            raise ValueError(
                f"Tensor conversion requested dtype {wanted.name} for Tensor with dtype "
                f"{tensor.dtype.name}: {tensor!r}"
            )
        return tensor
    if isinstance(value, TensorShape):
        if not value.is_fully_defined():
            raise ValueError(f"Cannot convert a partially known TensorShape {value} to a Tensor.")
        whole = value.as_list()
        wide = any(e is not None and e > int(int32.max) for e in whole)
        if wanted not in (None, int32, int64):
            raise TypeError(
                f"Cannot convert TensorShape {value} to dtype {wanted}. Allowed dtypes are "
                "tf.int32 and tf.int64."
            )
        if wide and wanted is int32:
            raise ValueError(
                f"Cannot convert TensorShape {value} to dtype int32; a dimension is too large. "
                "Consider using tf.int64."
            )
        return convert_to_tensor(np.array(whole, np.int64 if wide else np.int32), dtype)
    if isinstance(value, Composite) and converter_of(type(value)) is None:
        return convert_to_tensor(value._as_tensor(), dtype)
    if (convert := converter_of(type(value))) is not None:
        return _converted(convert, value, wanted)
    if isinstance(value, list | tuple) and (own := _dtype_of_tensors(value)) is not None:
        return _stacked(value, own, wanted, dtype_hint)
    if wanted is not None:
        if isinstance(value, np.ndarray | np.generic):
            return _cast_array(value, wanted)
        return wrap(_array_of(value, wanted))
    hint = None if dtype_hint is None or dtype_hint is string else as_dtype(dtype_hint)
    if hint is not None:
        given = value
        if hint.is_integer and isinstance(value, np.ndarray | np.generic) and _is_whole(value):
            given = value.astype(np.int64)
        try:
            return wrap(_array_of(given, hint))
        except TypeError:
            pass
    return wrap(_array_of(value, None))


def register_tensor_conversion_function(
    base_type: type | tuple[type, ...],
    conversion_func: Callable[..., Any],
    priority: int = 100,
) -> None:
    """Let ops take objects of a class: `conversion_func` makes tensors of them.

    A class of your own says so by a method instead: `__tf_tensor__(self, dtype=None, name=None)`.

    Args:
        base_type: A class, or several; subclasses count.
        conversion_func: Called as `conversion_func(value, dtype=..., name=..., as_ref=False)`,
            where dtype is None or what the tensor must have; `NotImplemented` leaves it to the next
            one.
        priority: Lower ones are asked first, then those that were registered first.

    Raises:
        TypeError: If `base_type` is no class, the function cannot be called, or `priority` is no
            number.

    >>> import tfc as tf
    >>> class Celsius:
    ...     def __init__(self, degrees):
    ...         self.degrees = degrees
    >>> tf.register_tensor_conversion_function(
    ...     Celsius, lambda value, dtype=None, name=None, as_ref=False:
    ...     tf.constant(value.degrees + 273.15, dtype or tf.float32))
    >>> print(tf.square(Celsius(-272.15)).numpy())
    1.0
    """
    types = base_type if isinstance(base_type, tuple) else (base_type,)
    if not all(isinstance(t, type) for t in types):
        raise TypeError(
            f"Argument `base_type` must be a type or a tuple of types. Obtained: {base_type!r}"
        )
    if any(issubclass(t, int | float | complex | np.generic | np.ndarray) for t in types):
        raise TypeError(
            "Cannot register conversions for Python numeric types and NumPy scalars and arrays."
        )
    if not callable(conversion_func):
        raise TypeError(f"Argument `conversion_func` must be callable. Got {conversion_func!r}")
    if not isinstance(priority, int | float):
        raise TypeError(f"priority must be a number, got {type(priority).__name__}")
    _registered.append((priority, types, conversion_func))
    _registered.sort(key=lambda entry: entry[0])


def copied(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """`runtime.copied`; nothing native is imported for small arrays."""
    if array.nbytes <= INLINE_BYTES:
        return np.array(array, order="C")
    from tfc.backends.cpu.runtime import runtime

    return runtime.copied(array)


_registered: list[tuple[int, tuple[type, ...], Callable[..., Any]]] = []


def converter_of(cls: type) -> Callable[..., Any] | None:
    """What makes tensors of the objects of a class that is not one of ours: its `__tf_tensor__`, or
    what was registered."""
    own: Callable[..., Any] | None = getattr(cls, "__tf_tensor__", None)
    if own is not None or not _registered:
        return own
    functions = [f for _, types, f in _registered if issubclass(cls, types)]
    if not functions:
        return None

    def convert(value: Any, dtype: Any, name: Any) -> Any:
        for f in functions:
            made = f(value, dtype=dtype, name=name, as_ref=False)
            if made is not NotImplemented:
                return made
        raise ValueError(
            f"Attempt to convert a value ({shown(value)}) with an unsupported type ({cls}) to a "
            "Tensor: no conversion function that is registered for it takes it"
        )

    return convert


def _converted(convert: Callable[..., Any], value: Any, dtype: DType | None) -> Tensor:
    """What an object of a foreign class says it is."""
    made = convert(value, dtype, None)
    if not isinstance(made, Held):
        raise RuntimeError(
            f"Conversion function {convert!r} for type {type(value)} returned non-Tensor: {made!r}"
        )
    if dtype is not None and made.dtype is not dtype:
        raise RuntimeError(
            f"Conversion function {convert!r} for type {type(value)} returned incompatible dtype: "
            f"requested = {dtype.name}, actual = {made.dtype.name}"
        )
    return convert_to_tensor(made, dtype)


def _is_tensor_like(value: Any) -> bool:
    """Whether this is a tensor or Variable, or says that it can be one."""
    return isinstance(value, Held) or converter_of(type(value)) is not None


def _is_whole(value: Any) -> bool:
    """Whether integers can stand for these floats."""
    if value.dtype.kind != "f":
        return False
    with np.errstate(invalid="ignore"):
        return bool((np.abs(value) < 2**53).all() and (value == np.trunc(value)).all())


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
        if _is_tensor_like(v):
            return convert_to_tensor(v).dtype
        if isinstance(v, list | tuple) and (found := _dtype_within(v)) is not None:
            return found
    return None


def _stacked(value: Sequence[Any], own: DType, wanted: DType | None, hint: Any) -> Tensor:
    """Nested lists with tensors in them, which are cast as numbers would be where another dtype is
    wanted, or hinted at, that can hold theirs."""
    target = wanted
    if target is None and hint is not None and hint is not string:
        target = as_dtype(hint) if own is not string and _fits(own, as_dtype(hint)) else None
    inner: Any = target or own

    def part(v: Any) -> Tensor:
        if not _is_tensor_like(v):
            return convert_to_tensor(v, inner)
        tensor = convert_to_tensor(v)
        if target is None or tensor.dtype is target:
            return tensor
        if tensor.dtype is string or target is string or not _fits(tensor.dtype, target):
            raise ValueError(
                f"Tensor conversion requested dtype {target.name} for a list with a tensor of "
                f"dtype {tensor.dtype.name}: {tensor!r}"
            )
        return above.cast(tensor, target)

    return above.stack([part(v) for v in value])


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
    except UnicodeDecodeError:  # text, and bytes that are none
        array = np.array(value, object, order="C")
    except ValueError:
        raise ValueError(
            f"Can't convert non-rectangular Python sequence to Tensor: {shown(value)} (rows of "
            "different lengths are tf.ragged.constant's)"
        ) from None
    if array.dtype.kind == "O" and is_python(value):
        raise ValueError(
            f"Can't convert Python sequence with out-of-range integer to Tensor: {shown(value)}"
        )
    text = value if isinstance(value, _TEXTS) else array  # such as a column of pandas'
    if dtype is None and array.dtype.kind in "OUS" and holds_text(text):
        return as_strings(text)._array
    if dtype is not None and isinstance(value, str | bytes):
        raise TypeError(f"Cannot convert {shown(value)} to EagerTensor of dtype {dtype.name}")
    if array.dtype.kind in "OUSMm" or array.dtype.names:
        if isinstance(value, list | tuple) and any(isinstance(v, str | bytes) for v in value):
            raise ValueError(
                f"Can't convert Python sequence with mixed types to Tensor: {shown(value)}"
            )
        if isinstance(value, list | tuple) and len(value) == 1 and value[0] is None:
            value = None
        raise ValueError(
            f"Attempt to convert a value ({shown(value)}) with an unsupported type "
            f"({type(value)}) to a Tensor."
        )
    if dtype is None:
        return array.astype(_default_dtype(value, array).numpy, copy=False)
    source = as_dtype(array.dtype)
    if array.size and not _fits(source, dtype):
        advice = ""
        if dtype.is_integer and source.is_inexact:
            advice = ": such numbers go with floats, so use tf.cast(x, tf.float32) on the tensor"
        raise TypeError(
            f"Cannot convert {shown(value)} to EagerTensor of dtype {dtype.name}{advice}"
        )
    if dtype.is_integer and array.size and source.is_integer:
        low, high = int(array.min()), int(array.max())
        if low < int(dtype.min) or high > int(dtype.max):
            raise TypeError(
                f"Cannot convert {shown(value)} to EagerTensor of dtype {dtype.name}: out of range"
            )
    return array.astype(dtype.numpy, copy=False)


def _fits(source: DType, target: DType) -> bool:
    order = "biuefc"
    if target.is_bool:
        return source is target
    if source.is_bool:
        return True
    return (
        order.index(source.kind) <= order.index(target.kind)
        or (source.is_integer and target.is_integer)
        or (source.is_floating and target.is_floating)
    )


def _default_dtype(value: Any, array: np.ndarray) -> DType:
    own = as_dtype(array.dtype)
    if isinstance(value, np.ndarray | np.generic) or not is_python(value):
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


def is_python(value: Any) -> bool:
    """Whether `value` is made of Python numbers (or nothing) only."""
    try:
        kinds = _kinds(value)
    except RecursionError:
        return False  # who converts it says what is wrong
    return all(issubclass(k, _NUMBERS) and not issubclass(k, np.generic) for k in kinds)


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
        where = f" ({user_location()})"
        raise type(error)(f"{op}: {str(error).removesuffix(where)}{where}") from None


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
            beside = [f"{t.dtype.name}{list(t.shape)}" for t in operands if isinstance(t, Tensor)]
            more = f" (beside {', '.join(beside)})" if beside else ""
            raise type(error)(f"{op}: {error}{more} ({user_location()})") from None
    return converted


# Strings.


def as_strings(value: Any) -> StringTensor:
    """Text, bytes, nested sequences or arrays of them, or a tensor of strings, as a tensor of
    strings. ValueError or TypeError where something else is in it."""
    if isinstance(value, StringTensor):
        return value
    if hasattr(value, "__array__") and not isinstance(value, Held | np.ndarray | str | bytes):
        value = np.asarray(value)  # such as a column of pandas'
    if isinstance(value, Tensor) or not isinstance(value, _TEXTS):
        raise TypeError(f"Cannot convert {shown(value)} to a tensor of dtype string")
    array = np.array(value, object, order="C")
    flat = array.reshape(-1)
    found = np.empty(len(flat), object)
    for i, item in enumerate(flat):
        if isinstance(item, str):
            found[i] = item.encode("utf-8", "surrogateescape")
        elif isinstance(item, bytes):
            found[i] = bytes(item)
        elif isinstance(item, StringTensor) and not item.ndim:
            found[i] = item._array[()]
        elif isinstance(item, list | tuple):
            raise ValueError(
                f"Can't convert non-rectangular Python sequence to Tensor: {shown(value)} (rows of "
                "different lengths are tf.ragged.constant's)"
            )
        else:
            raise ValueError(
                f"Can't convert Python sequence with mixed types to Tensor: {shown(value)}"
            )
    return strings(found.reshape(array.shape))


def _text(value: Any) -> Tensor:
    """As `as_strings`; a Variable, tensors that are traced, and lists with such in them, too."""
    if isinstance(value, Held) and value.dtype is string:
        return value if isinstance(value, Tensor) else value.value()  # type: ignore[attr-defined]
    if isinstance(value, list | tuple) and _dtype_of_tensors(value) is string:
        return above.stack([_text(v) for v in value])
    return as_strings(value)


_TEXTS = (str, bytes, list, tuple, np.ndarray, np.str_, np.bytes_)


def holds_text(value: Any) -> bool:
    """Whether the first leaf of `value` is text or bytes. Arrays of no objects are of strings."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind != "O" or not value.size:
            return value.dtype.kind in "OUS"
        value = value.reshape(-1)[0]
    for _ in range(64):
        if not isinstance(value, list | tuple) or not value:
            break
        value = value[0]
    return isinstance(value, str | bytes)
