"""Activation functions."""

from __future__ import annotations

import math

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import float32

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import broadcast_together, primitive
from ..arguments import flag
from ..array.conversion import cast
from ..declare import op
from ..extents import _axis


def _floats(x: Value, name: str) -> None:
    if not x.dtype.is_floating:
        raise OpError(f"{name}: not defined for dtype {x.dtype.name}", "dtype")


def _linked(b: Builder, y: Value, x: Value) -> Value:
    """y, the second derivative of which by x is 0: told by no elements of x, which cost nothing to
    keep for a gradient."""
    none = (0,) * x.rank
    return b.emit(ir.Link(y, b.emit(ir.Slice(x, none, none, (1,) * x.rank)) if none else x))


def _relu6(b: Builder, x: Value) -> Value:
    if x.dtype.is_integer:
        return Term(b, x).maximum(0).minimum(6).value
    y = Term(b, b.emit(ir.Relu(x)))
    return _linked(b, where(y >= 6, y.const(6), y).value, x)


@op(_relu6)
def relu6(features: TensorLike, name: str | None = None) -> Tensor:
    """min(max(x, 0), 6); the gradient at both kinks is 0.

    Args:
        features: A tensor of real numbers.

    Returns:
        A tensor of the shape and dtype of `features`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.relu6([-1.0, 3.0, 7.0]))
    tf.Tensor([0. 3. 6.], shape=(3,), dtype=float32)
    """


@primitive
def _leaky_relu(b: Builder, x: Value, alpha: float) -> Value:
    _floats(x, "leaky_relu")
    t = Term(b, x)
    return _linked(b, where(t > 0, t, t * alpha).value, x)


def leaky_relu(features: TensorLike, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """x where it is positive, else alpha * x. Integers are taken as float32. The gradient at 0 is
    alpha.

    Args:
        features: A tensor of real numbers.
        alpha: The slope where `features` is negative.

    Returns:
        A tensor of the shape of `features`: floats.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.leaky_relu([-1.0, 0.0, 3.0], alpha=0.25))
    tf.Tensor([-0.25  0.    3.  ], shape=(3,), dtype=float32)
    """
    x = operand("leaky_relu", features)
    if x.dtype.is_integer:
        x = cast(x, float32)
    return _leaky_relu.fast(float(alpha))(x)


@primitive
def _elu(b: Builder, x: Value, scale: float, alpha: float) -> Value:
    _floats(x, "elu")
    t = Term(b, x)
    small = Term(b, b.emit(ir.Expm1(x)))
    if scale != 1.0:
        return where(t < 0, small * (scale * alpha), t * scale).value
    return where(t < 0, small, t).value


def elu(features: TensorLike, name: str | None = None) -> Tensor:
    """x where it is at least 0, else exp(x) - 1. Floats.

    Args:
        features: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `features`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.elu([-1000.0, 0.0, 3.0]))
    tf.Tensor([-1.  0.  3.], shape=(3,), dtype=float32)
    """
    return _elu.fast(1.0, 1.0)(features)


def selu(features: TensorLike, name: str | None = None) -> Tensor:
    """scale * (x where it is at least 0, else alpha * (exp(x) - 1)), with the constants of
    Klambauer et al., "Self-normalizing neural networks", 2017.

    Args:
        features: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `features`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.selu([-1000.0, 0.0, 1.0]).numpy().round(4))
    [-1.7581  0.      1.0507]
    """
    return _elu.fast(1.0507009873554804934193349852946, 1.6732632423543772848170429916717)(features)


@primitive
def _crelu(b: Builder, x: Value, axis: int) -> Value:
    return b.emit(ir.Concat((b.emit(ir.Relu(x)), b.emit(ir.Relu(b.emit(ir.Neg(x))))), axis))


def crelu(features: TensorLike, axis: int = -1, name: str | None = None) -> Tensor:
    """relu(x) and relu(-x) side by side along `axis`, which becomes twice as long.

    Args:
        features: A tensor of real numbers, of rank 1 at least.
        axis: The axis.

    Returns:
        A tensor of the same dtype.

    Raises:
        InvalidArgumentError: If the axis is not there (ValueError while tracing), or the dtype is
            another one (TypeError).

    >>> import tfc as tf
    >>> print(tf.nn.crelu([-1.0, 2.0]))
    tf.Tensor([0. 2. 1. 0.], shape=(4,), dtype=float32)
    """
    x = operand("crelu", features)
    return _crelu.fast(_axis(axis, len(x.shape), "crelu"))(x)


@primitive
def _gelu(b: Builder, x: Value, approximate: bool) -> Value:
    _floats(x, "gelu")
    t = Term(b, x)
    if approximate:
        # (1 + tanh(c)) / 2 = sigmoid(2 c), and (1 + erf(x)) / 2 = erfc(-x) / 2: nothing cancels.
        cubic = (t + t * t * t * 0.044715) * (2 * math.sqrt(2 / math.pi))
        return (t * Term(b, b.emit(ir.Sigmoid(cubic.value)))).value
    return (t * 0.5 * Term(b, b.emit(ir.Erfc((t * -math.sqrt(0.5)).value)))).value


def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """x times the probability that a standard normal number is below x; `approximate` takes a
    tanh for the error function (Hendrycks and Gimpel, "Gaussian error linear units", 2016).

    Args:
        features: A tensor of floats.
        approximate: Whether to take tanh for the error function.

    Returns:
        A tensor of the shape and dtype of `features`.

    Raises:
        ValueError: If the dtype is another one.

    >>> import tfc as tf
    >>> print(tf.nn.gelu([-1.0, 0.0, 1.0]).numpy().round(4))
    [-0.1587  0.      0.8413]
    """
    features = operand("gelu", features)
    if not features.dtype.is_floating:
        raise blame.value_error(
            "`features.dtype` must be a floating point tensor. Received: "
            f"features.dtype={features.dtype!r}",
            "gelu",
        )
    return _gelu.fast(flag(approximate, "approximate", "gelu"))(features)


@primitive
def _silu(b: Builder, x: Value, beta: Value) -> Value:
    _floats(x, "silu")
    x, beta = broadcast_together(b, x, beta)
    scaled = b.emit(ir.Sigmoid(b.emit(ir.Mul(beta, x))))
    return b.emit(ir.Mul(x, scaled))


def silu(features: TensorLike, beta: TensorLike = 1.0) -> Tensor:
    """x * sigmoid(beta * x), also called swish.

    Args:
        features: A tensor of floats.
        beta: The factor, of the same dtype, which broadcasts with `features`.

    Returns:
        A tensor of that dtype.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing), or the shapes
            do not broadcast (ValueError).
        TypeError: If `beta` does not fit the dtype.

    >>> import tfc as tf
    >>> print(tf.nn.silu([-1.0, 0.0, 1.0]).numpy().round(4))
    [-0.2689  0.      0.7311]
    """
    x = operand("silu", features)
    if not x.dtype.is_floating:
        raise blame.invalid_dtype(f"silu: not defined for dtype {x.dtype.name}", "silu")
    return _silu.fast()(x, operand("silu", beta, x.dtype))


swish = silu


@op(ir.Softsign)
def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """x / (1 + |x|).

    Args:
        features: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `features`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.nn.softsign([-1.0, 0.0, 3.0]))
    tf.Tensor([-0.5   0.    0.75], shape=(3,), dtype=float32)
    """
