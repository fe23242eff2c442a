"""Elementwise maths, comparisons, reductions and matrix products."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term
from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.dtypes import DType, as_dtype, bool_, float32, int64
from tfc.ir.extent import product

from .. import blame
from ..dispatch import Primitive, broadcast_to, broadcast_together, primitive
from ..indexed_slices import IndexedSlices
from ..tensor import Held, SymbolicTensor, Variable, operand, shown


def _unary(op: Callable[..., Op], name: str, doc: str) -> Any:
    """The public function of a unary op."""

    def body(b: Builder, x: Value) -> Any:
        return b.emit(op(x))

    native = Primitive(body, name).lazy()

    def function(x: Any, name: str | None = None) -> Any:
        return native[0](x)

    return _named(function, name, doc, native)


def _binary(op: Callable[..., Op], name: str, doc: str) -> Any:
    """The public function of a binary op with broadcasting."""

    def body(b: Builder, x: Value, y: Value) -> Any:
        return b.emit(op(*broadcast_together(b, x, y)))

    native = Primitive(body, name).lazy()

    def function(x: Any, y: Any, name: str | None = None) -> Any:
        return native[0](x, y)

    return _named(function, name, doc, native)


def _named(
    function: Any, name: str, doc: str, native: list[Callable[..., Any]] | None = None
) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    function.native = native  # what operators call without another Python frame
    found: Callable[..., Any] = function
    return found


add = _binary(
    ir.Add,
    "add",
    """x + y elementwise, with broadcasting.

    >>> import tfc as tf
    >>> print(tf.add([1, 2], 3))
    tf.Tensor([4 5], shape=(2,), dtype=int32)
    """,
)
subtract = _binary(ir.Sub, "subtract", "x - y elementwise, with broadcasting.")
multiply = _binary(ir.Mul, "multiply", "x * y elementwise, with broadcasting.")
maximum = _binary(ir.Maximum, "maximum", "The larger of x and y; nan if either is.")
minimum = _binary(ir.Minimum, "minimum", "The smaller of x and y; nan if either is.")
floordiv = _binary(ir.FloorDiv, "floordiv", "floor(x / y). Integers by zero raise.")
floormod = _binary(ir.FloorMod, "floormod", "x - floor(x / y) * y. Integers by zero raise.")
mod = floormod
atan2 = _binary(ir.Atan2, "atan2", "The angle of the point (x=y, y=x): atan2(y, x).")
equal = _binary(ir.Equal, "equal", "x == y elementwise, as bool.")
not_equal = _binary(ir.NotEqual, "not_equal", "x != y elementwise, as bool.")
less = _binary(ir.Less, "less", "x < y elementwise, as bool.")
less_equal = _binary(ir.LessEqual, "less_equal", "x <= y elementwise, as bool.")
greater = _binary(ir.Greater, "greater", "x > y elementwise, as bool.")
greater_equal = _binary(ir.GreaterEqual, "greater_equal", "x >= y elementwise, as bool.")
bitwise_and = _binary(ir.BitwiseAnd, "bitwise_and", "x & y, bit by bit.")
bitwise_or = _binary(ir.BitwiseOr, "bitwise_or", "x | y, bit by bit.")
bitwise_xor = _binary(ir.BitwiseXor, "bitwise_xor", "x ^ y, bit by bit.")
left_shift = _binary(ir.ShiftLeft, "left_shift", "x << y on integers.")
_logical_shift = _binary(ir.ShiftRightLogical, "right_shift", "x >> y, filled with zeros.")
_arithmetic_shift = _binary(ir.ShiftRightArithmetic, "right_shift", "x >> y, with the sign.")


def right_shift(x: Any, y: Any, name: str | None = None) -> Any:
    """x >> y on integers; signed ones are filled with their sign."""
    x = operand("right_shift", x)
    return (_logical_shift if x.dtype.is_unsigned else _arithmetic_shift)(x, y)


negative = _unary(ir.Neg, "negative", "-x.")
abs = _unary(ir.Abs, "abs", "|x|.")
sign = _unary(ir.Sign, "sign", "-1, 0 or 1, like x; nan stays nan.")
exp = _unary(ir.Exp, "exp", "e to the power x. Floats; within 1 ulp in float32.")
expm1 = _unary(ir.Expm1, "expm1", "exp(x) - 1, exact near 0.")
log = _unary(ir.Log, "log", "The natural logarithm; nan below 0, -inf at 0.")
log1p = _unary(ir.Log1p, "log1p", "log(1 + x), exact near 0.")
tanh = _unary(ir.Tanh, "tanh", "The hyperbolic tangent. Floats; within 1 ulp in float32.")
sigmoid = _unary(ir.Sigmoid, "sigmoid", "1 / (1 + exp(-x)), without overflow.")
sqrt = _unary(ir.Sqrt, "sqrt", "The square root, correctly rounded; nan below 0.")
rsqrt = _unary(ir.Rsqrt, "rsqrt", "1 / sqrt(x).")
sin = _unary(ir.Sin, "sin", "The sine of x in radians.")
cos = _unary(ir.Cos, "cos", "The cosine of x in radians.")
tan = _unary(ir.Tan, "tan", "The tangent of x in radians.")
asin = _unary(ir.Asin, "asin", "The angle in [-pi/2, pi/2] whose sine is x.")
acos = _unary(ir.Acos, "acos", "The angle in [0, pi] whose cosine is x.")
atan = _unary(ir.Atan, "atan", "The angle in (-pi/2, pi/2) whose tangent is x.")
sinh = _unary(ir.Sinh, "sinh", "The hyperbolic sine.")
cosh = _unary(ir.Cosh, "cosh", "The hyperbolic cosine.")
asinh = _unary(ir.Asinh, "asinh", "The inverse hyperbolic sine.")
acosh = _unary(ir.Acosh, "acosh", "The inverse hyperbolic cosine; nan below 1.")
atanh = _unary(ir.Atanh, "atanh", "The inverse hyperbolic tangent.")
erf = _unary(ir.Erf, "erf", "The error function.")
erfc = _unary(ir.Erfc, "erfc", "1 - erf(x), without cancellation.")
floor = _unary(ir.Floor, "floor", "The largest integer that is not above x.")
ceil = _unary(ir.Ceil, "ceil", "The smallest integer that is not below x.")
round = _unary(ir.Round, "round", "The nearest integer, ties to even.")
is_nan = _unary(ir.IsNan, "is_nan", "Whether x is nan, as bool.")
logical_not = _unary(ir.LogicalNot, "logical_not", "not x, on bools.")


@primitive
def _invert(b: Builder, x: Value) -> Any:
    if not x.dtype.is_integer:
        raise OpError(f"invert: not defined for dtype {x.dtype.name}", "dtype")
    ones = np.array(-1).astype(x.dtype.numpy)
    return b.emit(ir.BitwiseXor(x, broadcast_to(b, b.emit(ir.Constant(ones)), x.shape)))


def invert(x: Any, name: str | None = None) -> Any:
    """~x: every bit of the integer turned over."""
    return _invert.fast()(x)


@primitive
def _truediv(b: Builder, x: Value, y: Value) -> Any:
    if x.dtype is y.dtype and x.dtype.is_integer:
        wide = as_dtype("float64") if x.dtype.bits > 16 else float32
        x, y = b.emit(ir.Cast(x, wide)), b.emit(ir.Cast(y, wide))
    return b.emit(ir.Div(*broadcast_together(b, x, y)))


def truediv(x: Any, y: Any, name: str | None = None) -> Any:
    """x / y. Integers are divided as float64 (float32 below 32 bits), as in TensorFlow."""
    return _truediv.fast()(x, y)


divide = truediv


@primitive
def _pow(b: Builder, x: Value, y: Value) -> Any:
    return b.emit(ir.Pow(*broadcast_together(b, x, y)))


def pow(x: Any, y: Any, name: str | None = None) -> Any:
    """x to the power y. Integers wrap; negative integer exponents give 0 (1 for x = 1)."""
    return _pow.fast()(x, y)


@primitive
def _square(b: Builder, x: Value) -> Any:
    return b.emit(ir.Mul(x, x))


def square(x: Any, name: str | None = None) -> Any:
    """x * x."""
    return _square.fast()(x)


@primitive
def _squared_difference(b: Builder, x: Value, y: Value) -> Any:
    d = b.emit(ir.Sub(*broadcast_together(b, x, y)))
    return b.emit(ir.Mul(Term(b, d).conj().value, d))


def squared_difference(x: Any, y: Any, name: str | None = None) -> Any:
    """(x - y) squared, with broadcasting; of complex numbers conj(x - y) (x - y)."""
    return _squared_difference.fast()(x, y)


@primitive
def _reciprocal(b: Builder, x: Value) -> Any:
    return (1 / Term(b, x)).value


def reciprocal(x: Any, name: str | None = None) -> Any:
    """1 / x."""
    return _reciprocal.fast()(x)


@primitive
def _is_inf(b: Builder, x: Value) -> Any:
    magnitude = Term(b, b.emit(ir.Abs(x)))
    return magnitude._emit("equal", np.inf).value


def is_inf(x: Any, name: str | None = None) -> Any:
    """Whether x is inf or -inf, as bool."""
    return _is_inf.fast()(x)


@primitive
def _is_finite(b: Builder, x: Value) -> Any:
    return (Term(b, b.emit(ir.Abs(x))) < np.inf).value


def is_finite(x: Any, name: str | None = None) -> Any:
    """Whether x is neither infinite nor nan, as bool."""
    return _is_finite.fast()(x)


def logical_and(x: Any, y: Any, name: str | None = None) -> Any:
    """x and y, on bools."""
    return bitwise_and(operand("logical_and", x, bool_), operand("logical_and", y, bool_))


def logical_or(x: Any, y: Any, name: str | None = None) -> Any:
    """x or y, on bools."""
    return bitwise_or(operand("logical_or", x, bool_), operand("logical_or", y, bool_))


def logical_xor(x: Any, y: Any, name: str | None = None) -> Any:
    """Either x or y, on bools."""
    return bitwise_xor(operand("logical_xor", x, bool_), operand("logical_xor", y, bool_))


@primitive
def _cast(b: Builder, x: Value, dtype: DType) -> Any:
    return x if x.dtype is dtype else b.emit(ir.Cast(x, dtype))


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """x converted to `dtype`. Floats to integers: towards zero, clamped to the range, nan to 0.

    >>> import tfc as tf
    >>> print(tf.cast([1.8, -2.2], tf.int32))
    tf.Tensor([ 1 -2], shape=(2,), dtype=int32)
    """
    target = as_dtype(dtype)
    if not isinstance(x, Held):
        if isinstance(x, IndexedSlices):
            return x.with_values(cast(x.values, target))
        x = operand("cast", x)
    if x.dtype is target:
        return x.value() if isinstance(x, Variable) else x
    return _cast.fast(target)(x)


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Any:
    """x clamped to the range of `dtype`, then converted."""
    target, x = as_dtype(dtype), operand("saturate_cast", value)
    if x.dtype.is_integer and target.is_integer:
        low, high = (int(v) for v in (target.min, target.max))
        own = int(x.dtype.min), int(x.dtype.max)
        if low > own[0]:
            x = maximum(x, low)
        if high < own[1]:
            x = minimum(x, high)
    return cast(x, target)


@primitive
def _clip(b: Builder, x: Value, low: Value, high: Value) -> Any:
    x, low, high = broadcast_together(b, x, low, high)
    return b.emit(ir.Maximum(b.emit(ir.Minimum(x, high)), low))


def clip_by_value(t: Any, clip_value_min: Any, clip_value_max: Any, name: Any = None) -> Any:
    """t, but at least the minimum and at most the maximum."""
    return _clip.fast()(t, clip_value_min, clip_value_max)


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: Any = None) -> Any:
    """t scaled down so that its L2 norm (over `axes`; None: all) is at most `clip_norm`. Of
    IndexedSlices the values are."""
    if isinstance(t, IndexedSlices):
        return t.with_values(clip_by_norm(t.values, clip_norm, axes))
    t = operand("clip_by_norm", t)
    total = reduce_sum(square(t), axes, keepdims=True)
    some = greater(total, 0)
    norm = where(some, sqrt(where(some, total, 1)), total)  # no infinite slope at 0
    return truediv(multiply(t, clip_norm), maximum(norm, clip_norm))


@primitive
def _where(b: Builder, condition: Value, x: Value, y: Value) -> Any:
    if x.dtype is not y.dtype:
        raise OpError("where: x and y must have the same dtype", "dtype")
    return b.emit(ir.Select(*broadcast_together(b, condition, x, y)))


def where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Any:
    """x where the condition holds, else y, with broadcasting. What is not chosen has gradient 0,
    even where its own gradient is infinite or nan. Without x and y: the indices of the elements
    that hold (or are not 0), one int64 row for each, in row-major order.

    >>> import tfc as tf
    >>> print(tf.where([True, False], 1.0, [5.0, 6.0]))
    tf.Tensor([1. 6.], shape=(2,), dtype=float32)
    """
    if x is None and y is None:
        from .indexing import where_indices

        return where_indices(condition)
    if x is None or y is None:
        raise blame.value_error("x and y must both be non-None or both be None", "where")
    condition = operand("where", condition, bool_)
    hint = next((v.dtype for v in (x, y) if isinstance(v, Held)), None)  # type: ignore
    x = operand("where", x, dtype_hint=hint)
    return _where.fast()(condition, x, operand("where", y, dtype_hint=x.dtype))


def stop_gradient(input: Any, name: Any = None) -> Any:
    """The same values, through which no gradient flows."""
    return _stop_gradient.fast()(input)


@primitive
def _stop_gradient(b: Builder, x: Value) -> Any:
    return b.emit(ir.StopGradient(x))


# Reductions.


def _axes(x: Any, axis: Any, name: str) -> tuple[int, ...]:
    """`axis` (None, an int, a sequence, a tensor) as non-negative axes in order."""
    rank = len(x.shape)
    if axis is None:
        return tuple(range(rank))
    if isinstance(axis, Held):
        axis = np.asarray(axis).tolist()
    given = axis if isinstance(axis, list | tuple) else [axis]
    axes = []
    for a in given:
        try:
            a = operator.index(a)
        except TypeError:
            raise blame.type_error(f"an axis must be an integer, got {shown(a)}", name) from None
        if not -rank <= a < rank:
            raise blame.invalid(
                f"Invalid reduction dimension {a} for input with {rank} dimension(s)", name
            )
        axes.append(a % rank)
    if len(set(axes)) != len(axes):
        raise blame.invalid(f"axes {tuple(given)} name an axis twice", name)
    return tuple(sorted(axes))


def _reduction(op: Callable[..., Op], name: str, doc: str) -> Any:
    def body(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool) -> Any:
        if not axes:
            return x
        return _kept(b, x, b.emit(op(x, axes)), axes, keepdims)

    prim = Primitive(body, name)

    def function(
        input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
    ) -> Any:
        x = input_tensor if isinstance(input_tensor, Held) else operand(prim.name, input_tensor)
        return prim.fast(_axes(x, axis, prim.name), bool(keepdims))(x)

    return _named(function, name, doc)


def _kept(b: Builder, x: Value, y: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    if not keepdims:
        return y
    shape = tuple(1 if a in axes else e for a, e in enumerate(x.shape))
    result: Value = b.emit(ir.Reshape(y, shape))
    return result


_OVER = "of the elements along `axis` (None: all); `keepdims` keeps these axes with extent 1."
reduce_sum = _reduction(
    ir.ReduceSum,
    "reduce_sum",
    f"""The sum {_OVER}

    >>> import tfc as tf
    >>> print(tf.reduce_sum([[1, 2], [3, 4]], axis=0))
    tf.Tensor([4 6], shape=(2,), dtype=int32)
    """,
)
reduce_prod = _reduction(ir.ReduceProd, "reduce_prod", f"The product {_OVER}")
reduce_max = _reduction(ir.ReduceMax, "reduce_max", f"The largest {_OVER}")
reduce_min = _reduction(ir.ReduceMin, "reduce_min", f"The smallest {_OVER}")
reduce_all = _reduction(ir.ReduceAll, "reduce_all", f"The conjunction {_OVER}")
reduce_any = _reduction(ir.ReduceAny, "reduce_any", f"The disjunction {_OVER}")


def mean_of(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """IR for the mean along `axes`."""
    if not axes:
        return x
    total = b.emit(ir.ReduceSum(x, axes))
    size = b.emit(ir.ExtentOf(product(x.shape[a] for a in axes)))
    count = broadcast_to(b, b.emit(ir.Cast(size, x.dtype.real_dtype)), total.shape)
    if x.dtype.is_complex:
        parts = (b.emit(ir.Div(b.emit(part(total)), count)) for part in (ir.Real, ir.Imag))
        mean = b.emit(ir.Complex(*parts))
    else:
        mean = b.emit((ir.Div if x.dtype.is_floating else ir.FloorDiv)(total, count))
    return _kept(b, x, mean, axes, keepdims)


_mean = Primitive(mean_of, "reduce_mean")


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The mean of the elements along `axis` (None: all); integers are rounded down."""
    x = input_tensor if isinstance(input_tensor, Held) else operand("reduce_mean", input_tensor)
    return _mean.fast(_axes(x, axis, "reduce_mean"), bool(keepdims))(x)


@primitive
def _variance(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool, root: bool) -> Any:
    mean = broadcast_to(b, mean_of(b, x, axes, True), x.shape)
    d = b.emit(ir.Sub(x, mean))
    square = b.emit(ir.Mul(Term(b, d).conj().value, d))
    if x.dtype.is_complex:
        square = b.emit(ir.Real(square))
    result = mean_of(b, square, axes, keepdims)
    return b.emit(ir.Sqrt(result)) if root else result


def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The mean squared distance from the mean along `axis`, a real number."""
    x = operand("reduce_variance", input_tensor)
    return _variance.fast(_axes(x, axis, "reduce_variance"), bool(keepdims), False)(x)


def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """The square root of the variance along `axis`."""
    x = operand("reduce_std", input_tensor)
    return _variance.fast(_axes(x, axis, "reduce_std"), bool(keepdims), True)(x)


def logsumexp_of(b: Builder, x: Value, axes: tuple[int, ...], keepdims: bool) -> Value:
    """IR for log(sum(exp(x))) along `axes`, shifted by the maximum."""
    top = b.emit(ir.StopGradient(b.emit(ir.ReduceMax(x, axes))))
    finite = (Term(b, b.emit(ir.Abs(top))) < np.inf).value
    shift = b.emit(ir.Select(finite, top, Term(b, top).const(0).value))
    kept = tuple(1 if a in axes else e for a, e in enumerate(x.shape))
    spread = broadcast_to(b, b.emit(ir.Reshape(shift, kept)), x.shape)
    total = b.emit(ir.ReduceSum(b.emit(ir.Exp(b.emit(ir.Sub(x, spread)))), axes))
    return _kept(b, x, b.emit(ir.Add(b.emit(ir.Log(total)), shift)), axes, keepdims)


_logsumexp = Primitive(logsumexp_of, "reduce_logsumexp")


def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Any:
    """log(sum(exp(x))) along `axis`, without overflow."""
    x = operand("reduce_logsumexp", input_tensor)
    axes = _axes(x, axis, "reduce_logsumexp")
    return _logsumexp.fast(axes, bool(keepdims))(x) if axes else x


def require_elements(x: Any, axis: int) -> None:
    """Take the axis to have elements, where only run time can tell (see `Trace.require`)."""
    if isinstance(x, SymbolicTensor):
        x._trace.require(x._value.shape[axis] - 1)


def _arg(op: Callable[..., Op], name: str, doc: str) -> Any:
    def body(b: Builder, x: Value, axis: int, dtype: DType) -> Any:
        place = b.emit(op(x, (axis,)))
        return place if dtype is int64 else b.emit(ir.Cast(place, dtype))

    prim = Primitive(body, name)

    def function(
        input: Any, axis: Any = None, output_type: Any = int64, name: str | None = None
    ) -> Any:
        x = operand(prim.name, input)
        (a,) = _axes(x, 0 if axis is None else [axis], prim.name)
        require_elements(x, a)
        if tuple(x.shape)[a] == 0:
            raise blame.invalid(f"axis {a} of shape {tuple(x.shape)} has no elements", prim.name)
        return prim.fast(a, as_dtype(output_type))(x)

    return _named(function, name, doc)


argmax = _arg(ir.ArgMax, "argmax", "The place of the first largest element along `axis` (0).")
argmin = _arg(ir.ArgMin, "argmin", "The place of the first smallest element along `axis` (0).")


def add_n(inputs: Any, name: str | None = None) -> Any:
    """The sum of a list of tensors of one shape."""
    if not isinstance(inputs, list | tuple) or not inputs:
        raise blame.value_error("takes a list of at least one tensor", "add_n")
    total = operand("add_n", inputs[0])
    for x in inputs[1:]:
        total = add(total, x)
    return total
