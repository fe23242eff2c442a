"""Roots, exponentials and logarithms, angles, the error function: elementwise, of floats.

They are computed by the polynomials of `ir/kernels/expand`, which give the same bits everywhere;
float16 and bfloat16 are computed in float32 and rounded.
"""

from __future__ import annotations

from tfc.ir import ops as ir

from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..declare import op


@op(ir.Sqrt)
def sqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """The square root, correctly rounded; nan below 0. Its gradient at 0 is inf.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.sqrt([4.0, 2.25, -1.0]))
    tf.Tensor([2.  1.5 nan], shape=(3,), dtype=float32)
    """


@op(ir.Rsqrt)
def rsqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """1 / sqrt(x): inf at 0, nan below.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.rsqrt([4.0, 0.25, 0.0]))
    tf.Tensor([0.5 2.  inf], shape=(3,), dtype=float32)
    """


@op(ir.Exp)
def exp(x: TensorLike, name: str | None = None) -> Tensor:
    """e to the power x. Floats and complex numbers; within 1 ulp in float32.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.exp([0.0, 100.0, -float("inf")]))
    tf.Tensor([ 1. inf  0.], shape=(3,), dtype=float32)
    """


@op(ir.Expm1)
def expm1(x: TensorLike, name: str | None = None) -> Tensor:
    """exp(x) - 1, exact near 0, where exp(x) itself is rounded to 1.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.expm1(1e-10), tf.exp(1e-10) - 1.0)
    tf.Tensor(1e-10, shape=(), dtype=float32) tf.Tensor(0.0, shape=(), dtype=float32)
    """


@op(ir.Log)
def log(x: TensorLike, name: str | None = None) -> Tensor:
    """The natural logarithm; nan below 0, -inf at 0. Floats and complex numbers.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.log([1.0, 0.0, -1.0]))
    tf.Tensor([  0. -inf  nan], shape=(3,), dtype=float32)
    """


@op(ir.Log1p)
def log1p(x: TensorLike, name: str | None = None) -> Tensor:
    """log(1 + x), exact near 0; nan below -1, -inf at -1.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.log1p(1e-10), tf.math.log(1.0 + tf.constant(1e-10)))
    tf.Tensor(1e-10, shape=(), dtype=float32) tf.Tensor(0.0, shape=(), dtype=float32)
    """


@op(ir.Sigmoid)
def sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """1 / (1 + exp(-x)), without overflow.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.sigmoid([0.0, 1000.0, -1000.0]))
    tf.Tensor([0.5 1.  0. ], shape=(3,), dtype=float32)
    """


@op(ir.Sin)
def sin(x: TensorLike, name: str | None = None) -> Tensor:
    """The sine of x in radians; nan of infinities.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> from math import pi
    >>> print(tf.sin([0.0, pi / 2]))
    tf.Tensor([0. 1.], shape=(2,), dtype=float32)
    """


@op(ir.Cos)
def cos(x: TensorLike, name: str | None = None) -> Tensor:
    """The cosine of x in radians.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> from math import pi
    >>> print(tf.cos([0.0, pi]))
    tf.Tensor([ 1. -1.], shape=(2,), dtype=float32)
    """


@op(ir.Tan)
def tan(x: TensorLike, name: str | None = None) -> Tensor:
    """The tangent of x in radians.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> from math import pi
    >>> print(tf.tan([0.0, pi / 4]))
    tf.Tensor([0. 1.], shape=(2,), dtype=float32)
    """


@op(ir.Asin)
def asin(x: TensorLike, name: str | None = None) -> Tensor:
    """The angle in [-pi/2, pi/2] whose sine is x; nan beyond -1 and 1.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> from math import pi
    >>> print(tf.asin([0.0, 1.0, 2.0]) / pi)
    tf.Tensor([0.  0.5 nan], shape=(3,), dtype=float32)
    """


@op(ir.Acos)
def acos(x: TensorLike, name: str | None = None) -> Tensor:
    """The angle in [0, pi] whose cosine is x; nan beyond -1 and 1.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> from math import pi
    >>> print(tf.acos([1.0, 0.0, -1.0]) / pi)
    tf.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """


@op(ir.Atan)
def atan(x: TensorLike, name: str | None = None) -> Tensor:
    """The angle in [-pi/2, pi/2] whose tangent is x.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> from math import pi
    >>> print(tf.atan([1.0, -float("inf")]) / pi)
    tf.Tensor([ 0.25 -0.5 ], shape=(2,), dtype=float32)
    """


@op(ir.Atan2)
def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The angle of the point (x, y) in [-pi, pi], with broadcasting: atan(y / x) in the quadrant
    that the signs tell, those of zeros too.

    Args:
        y: A tensor of floats.
        x: A tensor of the dtype of `y`, whose shape broadcasts with that of `y`.

    Returns:
        A tensor of that dtype and the shape that both broadcast to.

    Raises:
        InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing), or the
            dtypes differ or are others (TypeError).

    >>> import tfc as tf
    >>> from math import pi
    >>> print(tf.atan2([1.0, -1.0, 0.0], -1.0) / pi)
    tf.Tensor([ 0.75 -0.75  1.  ], shape=(3,), dtype=float32)
    """


@op(ir.Sinh)
def sinh(x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic sine, (exp(x) - exp(-x)) / 2, exact near 0.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.sinh([0.0, 1e-10, 1000.0]))
    tf.Tensor([0.e+00 1.e-10    inf], shape=(3,), dtype=float32)
    """


@op(ir.Cosh)
def cosh(x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic cosine, (exp(x) + exp(-x)) / 2.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.cosh([0.0, -1000.0]))
    tf.Tensor([ 1. inf], shape=(2,), dtype=float32)
    """


@op(ir.Tanh)
def tanh(x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic tangent, sinh(x) / cosh(x), without overflow. Within 1 ulp in float32.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.tanh([0.0, 1e-10, 1000.0]))
    tf.Tensor([0.e+00 1.e-10 1.e+00], shape=(3,), dtype=float32)
    """


@op(ir.Asinh)
def asinh(x: TensorLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic sine.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.asinh([0.0, 1e-10, -float("inf")]))
    tf.Tensor([0.e+00 1.e-10   -inf], shape=(3,), dtype=float32)
    """


@op(ir.Acosh)
def acosh(x: TensorLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic cosine, which is at least 0; nan below 1.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.acosh([1.0, 0.5]))
    tf.Tensor([ 0. nan], shape=(2,), dtype=float32)
    """


@op(ir.Atanh)
def atanh(x: TensorLike, name: str | None = None) -> Tensor:
    """The inverse hyperbolic tangent: infinite at -1 and 1, nan beyond.

    Args:
        x: A tensor of floats or complex numbers.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.atanh([0.0, 1.0, 2.0]))
    tf.Tensor([ 0. inf nan], shape=(3,), dtype=float32)
    """


@op(ir.Erf)
def erf(x: TensorLike, name: str | None = None) -> Tensor:
    """The error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.erf([0.0, 1.0, float("inf")]).numpy().round(4))
    [0.     0.8427 1.    ]
    """


@op(ir.Erfc)
def erfc(x: TensorLike, name: str | None = None) -> Tensor:
    """1 - erf(x), without cancellation.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> f"{float(tf.math.erfc(5.0)):.4g}, {float(1.0 - tf.math.erf(5.0)):.4g}"
    '1.537e-12, 0'
    """
