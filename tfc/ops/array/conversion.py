"""The same bits or the same tensor under another description: dtype, shape, Python value."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, float32, string

from ...core import above, blame
from ...core.context import context, settings
from ...core.conversion import operand
from ...core.indexed_slices import IndexedSlices
from ...core.placement import placed
from ...core.shapes import TensorShape
from ...core.tensor import Held, SymbolicTensor, Tensor, wrap
from ...core.types import DTypeLike, ShapeLike, TensorLike
from ...core.variable import Variable
from ...dispatch.known import is_unknown, known_elements, known_texts
from ...dispatch.primitive import broadcast_to, primitive, retype
from ..declare import op
from ..extents import as_extents, extents_of
from ..math.arithmetic import maximum, minimum


@primitive
def _cast(b: Builder, x: Value, dtype: DType) -> Value:
    return x if x.dtype is dtype else b.emit(ir.Cast(x, dtype))


def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Any:
    """x converted to `dtype`. Floats to integers: towards zero, clamped to the range, nan to 0;
    integers to integers: the low bits; to bool: whether it is not 0; complex to real: the real
    part. No gradient flows to or from integers.

    Args:
        x: A tensor, or what becomes one, of numbers or bools; of strings, which stay strings.
        dtype: The dtype, or its name.

    Returns:
        A tensor of the shape of `x`; `x` itself, if it has that dtype.

    Raises:
        TypeError: If `dtype` names none.
        UnimplementedError: From strings to numbers, and back: see `tf.strings.to_number` and
            `tf.strings.as_string`.

    >>> import tfc as tf
    >>> print(tf.cast([1.8, -2.2], tf.int32), tf.cast(300, tf.uint8).numpy())
    tf.Tensor([ 1 -2], shape=(2,), dtype=int32) 44
    """
    if dtype is string or (type(dtype) is str and dtype == "string"):
        text = x if isinstance(x, Held) else operand("cast", x)
        if text.dtype is string:
            return text
        given = f"Cast {text.dtype.name} to string is not supported"
        raise blame.unimplemented(f"{given}: tf.strings.as_string writes numbers", "cast")
    target = as_dtype(dtype)
    if not isinstance(x, Held):
        if isinstance(x, IndexedSlices):
            return x.with_values(cast(x.values, target))
        x = operand("cast", x)
    if x.dtype is target:
        return x.value() if isinstance(x, Variable) else x
    if x.dtype is string:
        wanted = f"Cast string to {target.name} is not supported"
        raise blame.unimplemented(f"{wanted}: tf.strings.to_number reads numbers", "cast")
    return _cast.fast(target)(x)


def saturate_cast(value: TensorLike, dtype: DTypeLike, name: str | None = None) -> Any:
    """x clamped to the range of `dtype`, then converted: what is too large becomes its largest
    number, what is too small its smallest.

    nan stays nan among floats. The parts of complex numbers are clamped each.

    Args:
        value: A tensor of numbers or bools.
        dtype: The dtype of the result.

    Returns:
        A tensor of the shape of `value`. A nan becomes 0 in integers.

    Raises:
        InvalidArgumentError: If it is a tensor of strings.

    >>> import tfc as tf
    >>> print(tf.saturate_cast([300, -5, 7], tf.uint8))
    tf.Tensor([255   0   7], shape=(3,), dtype=uint8)
    >>> float(tf.saturate_cast(70000.0, tf.float16))
    65504.0
    """
    target, x = as_dtype(dtype), operand("saturate_cast", value)
    if (target.is_inexact or target.is_floating) and not x.dtype.is_bool:
        return _saturated.fast(target)(x)
    if x.dtype.is_integer and target.is_integer:
        low, high = (int(v) for v in (target.min, target.max))
        own = int(x.dtype.min), int(x.dtype.max)
        if low > own[0]:
            x = maximum(x, low)
        if high < own[1]:
            x = minimum(x, high)
    return cast(x, target)


@primitive
def _saturated(b: Builder, x: Value, target: DType) -> Value:
    """Numbers as floats or complex numbers whose parts are finite, where they are no nan."""
    kind, real = target.real_dtype, x.dtype.real_dtype
    if real.is_floating and kind.max >= real.max:
        return b.emit(ir.Cast(x, target))

    def clamped(part: Value) -> Value:
        # After the conversion: the bound need not be a number of the dtype that it came from.
        # Before that to 8 bits, whose bounds are numbers of every other float.
        own = kind if kind.has_arithmetic else part.dtype.compute
        number = Term(b, b.emit(ir.Cast(part, own if own.is_floating else float32)))
        number = where(number > float(kind.max), number.const(float(kind.max)), number)
        return where(number < float(kind.min), number.const(float(kind.min)), number).value

    if not x.dtype.is_complex:
        return b.emit(ir.Cast(clamped(x), target))
    if not target.is_complex:
        return b.emit(ir.Cast(clamped(b.emit(ir.Real(x))), target))
    return b.emit(ir.Complex(*(clamped(b.emit(part(x))) for part in (ir.Real, ir.Imag))))


def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """The same values as another tensor, of which a gradient can be asked apart from x's; of a
    Variable its value now.

    Args:
        input: A tensor or Variable.

    Returns:
        A tensor of the same values.

    >>> import tfc as tf
    >>> v = tf.Variable(1.0)
    >>> before = tf.identity(v)
    >>> print(v.assign(2.0).numpy(), before.numpy())
    2.0 1.0
    """
    x = operand("identity", input)
    if isinstance(x, SymbolicTensor):
        copy = _identity(x)
        return SymbolicTensor(copy._trace, copy._value, x._extents)
    if context.tapes:
        return _identity(x)
    return placed(wrap(x._array)) if settings.accelerated else wrap(x._array)


@primitive
def _identity(b: Builder, x: Value) -> Value:
    return x


@op(ir.StopGradient)
def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """The same values, through which no gradient flows.

    Args:
        input: A tensor of any dtype.

    Returns:
        A tensor of the same values.

    >>> import tfc as tf
    >>> float(tf.grad(lambda x: x * tf.stop_gradient(x))(3.0))  # one of the factors is constant
    3.0
    """


def _bits(dtype: DType) -> DType:
    """The unsigned integers of the same width."""
    return as_dtype(f"uint{dtype.bits}")


def _as_bits(b: Builder, x: Value) -> Value:
    wanted = _bits(x.dtype)
    return x if x.dtype is wanted else b.emit(ir.Bitcast(x, wanted))


def _shifted(b: Builder, op: Any, x: Value, width: int) -> Value:
    """x shifted by the place along its last axis times `width`."""
    place = b.emit(ir.Iota(x.shape, x.rank - 1, x.dtype))
    unit = b.emit(ir.Constant(np.array(width, x.dtype.numpy)))
    amount = b.emit(ir.Mul(place, broadcast_to(b, unit, x.shape)))
    return b.emit(op(x, amount))


@primitive
def _bitcast(b: Builder, x: Value, dtype: DType) -> Value:
    if x.dtype is dtype:
        return x
    if any(d.is_bool or d.is_complex for d in (x.dtype, dtype)):
        raise OpError(f"bitcast: from {x.dtype.name} to {dtype.name} is not defined", "dtype")
    if x.dtype.bits == dtype.bits:
        return b.emit(ir.Bitcast(x, dtype))
    # The low bytes come first, as in memory. Shifts never exceed the width, so they are exact.
    bits = _as_bits(b, x)
    if x.dtype.bits > dtype.bits:
        count = x.dtype.bits // dtype.bits
        spread = b.emit(ir.Broadcast(bits, (*x.shape, count), tuple(range(x.rank))))
        parts = b.emit(ir.Cast(_shifted(b, ir.ShiftRightLogical, spread, dtype.bits), _bits(dtype)))
    else:
        count = dtype.bits // x.dtype.bits
        bits = retype(b, bits, (*x.shape[:-1], count))  # where only run time knows the extent
        wide = _shifted(b, ir.ShiftLeft, b.emit(ir.Cast(bits, _bits(dtype))), x.dtype.bits)
        parts = b.emit(ir.ReduceSum(wide, (x.rank - 1,)))  # no bit is set in two of them
    return parts if dtype is parts.dtype else b.emit(ir.Bitcast(parts, dtype))


def bitcast(input: TensorLike, type: Any, name: str | None = None) -> Tensor:
    """The bits of numbers read as another dtype.

    The lowest byte comes first.

    Args:
        input: A tensor of integers or floats.
        type: The dtype to read them as: integers or floats.

    Returns:
        A tensor of this dtype. One of half the width has a last axis of 2 more, and so on; a wider
        one takes the last axis, which must have as many elements as one has parts.

    Raises:
        InvalidArgumentError: If the last extent is another one (ValueError while tracing), or a
            dtype is bool or complex (TypeError).

    >>> import tfc as tf
    >>> print(tf.bitcast(1.0, tf.uint32).numpy())
    1065353216
    >>> print(tf.bitcast(tf.constant(0xFFFFFFFF, tf.uint32), tf.uint8))
    tf.Tensor([255 255 255 255], shape=(4,), dtype=uint8)
    """
    x, target = operand("bitcast", input), as_dtype(type)
    if x.dtype.bits < target.bits:
        count = target.bits // x.dtype.bits
        last = extents_of(x)[-1:]
        if not last or (isinstance(last[0], int) and last[0] != count):
            raise blame.invalid(
                f"from {x.dtype.name} to {target.name} the last extent must be {count}, got shape "
                f"{x.shape}",
                "bitcast",
            )
    return _bitcast.fast(target)(x)


def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """x, whose shape must be compatible with `shape` (None: any extent), else an error.

    While tracing, extents that were unknown are known from here on, and the call checks them.

    Args:
        x: A tensor of any dtype.
        shape: The extents, with None for those that may be any.

    Returns:
        The values of `x` as another tensor.

    Raises:
        InvalidArgumentError: If the shape is another one (ValueError while tracing).

    >>> import tfc as tf
    >>> tf.ensure_shape(tf.zeros([2, 3]), [None, 3]).shape
    TensorShape([2, 3])
    """
    tensor = operand("ensure_shape", x)
    if is_unknown(shape):
        wanted = TensorShape.of(as_extents(shape, "ensure_shape"))
    else:
        wanted = TensorShape(shape)
    if not tensor.shape.is_compatible_with(wanted):
        raise blame.invalid(
            f"Shape of tensor {_listed(tensor.shape)} is not compatible with expected shape "
            f"{_listed(wanted)}.",
            "ensure_shape",
        )
    if isinstance(tensor, SymbolicTensor) and wanted.extents is not None:
        if tensor.shape.rank is None:  # of what a Python function returns
            tensor.set_shape(wanted)
        value = tensor._trace.refine(tensor._value, wanted.extents)
        tensor = SymbolicTensor(tensor._trace, value, tensor._extents)
    return identity(tensor)


def _listed(shape: TensorShape) -> str:
    """A shape, written as TensorFlow's kernels do."""
    return f"[{','.join('?' if e is None else str(e) for e in shape)}]"


def is_symbolic_tensor(tensor: TensorLike) -> bool:
    """Whether it is a tensor of a function that is being traced, and has no elements yet.

    Args:
        tensor: Anything.

    Returns:
        A bool of Python.

    >>> import tfc as tf
    >>> traced = []
    >>> f = tf.function(lambda x: traced.append(tf.is_symbolic_tensor(x)))
    >>> f(tf.ones([2]))
    >>> traced, tf.is_symbolic_tensor(tf.ones([2]))
    ([True], False)
    """
    return isinstance(tensor, SymbolicTensor)


def get_static_value(tensor: TensorLike, partial: bool = False) -> Any:
    """The elements of a tensor where they are known now.

    Args:
        tensor: A tensor, Variable or array.
        partial: Whether a vector such as the result of `tfc.shape` is given with None for what is
            not known in it.

    Returns:
        An ndarray or NumPy scalar; None where the elements are not known, or may change, as those
        of Variables.

    Raises:
        TypeError: If it is no tensor.

    >>> import tfc as tf
    >>> tf.get_static_value(tf.constant([1, 2]))
    array([1, 2], dtype=int32)
    """
    if isinstance(tensor, SymbolicTensor):
        known = tensor._extents
        extents = known if isinstance(known, tuple) else (known,)
        whole = known is not None and all(isinstance(e, int) for e in extents)
        if known is None:
            return known_texts(tensor) if tensor.dtype is string else known_elements(tensor)
        if not whole and not partial:
            return None
        shown = [e if isinstance(e, int) else None for e in extents]
        values = np.array(shown, tensor.dtype.numpy if whole else object)
        return values if isinstance(known, tuple) else values[0]
    if isinstance(tensor, Tensor):
        return tensor.numpy()
    if isinstance(tensor, Held):
        return None  # a Variable's value may change
    return tensor  # Python's and NumPy's values are what they are


above.cast = cast
