"""Bessel functions. Bounds of errors stand in docs/reference/accuracy.md."""

from __future__ import annotations

from tfc.ir import ops as ir

from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..declare import op, require


@op(ir.BesselI0, check=require)
def bessel_i0(x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the first kind, order 0.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.bessel_i0([0.0, 1.0, -1.0]).numpy().round(4))
    [1.     1.2661 1.2661]
    """


@op(ir.BesselI0e, check=require)
def bessel_i0e(x: TensorLike, name: str | None = None) -> Tensor:
    """exp(-|x|) bessel_i0(x), which does not overflow.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.bessel_i0e([0.0, 1000.0]).numpy().round(4), tf.math.bessel_i0(1000.0))
    [1.     0.0126] tf.Tensor(inf, shape=(), dtype=float32)
    """


@op(ir.BesselI1, check=require)
def bessel_i1(x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the first kind, order 1.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.bessel_i1([0.0, 1.0, -1.0]).numpy().round(4))
    [ 0.      0.5652 -0.5652]
    """


@op(ir.BesselI1e, check=require)
def bessel_i1e(x: TensorLike, name: str | None = None) -> Tensor:
    """exp(-|x|) bessel_i1(x), which does not overflow.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.bessel_i1e([0.0, 1000.0]).numpy().round(4), tf.math.bessel_i1(1000.0))
    [0.     0.0126] tf.Tensor(inf, shape=(), dtype=float32)
    """


@op(ir.BesselJ0, check=require)
def bessel_j0(x: TensorLike, name: str | None = None) -> Tensor:
    """The Bessel function of the first kind, order 0.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.bessel_j0([0.0, 1.0, -1.0]).numpy().round(4))
    [1.     0.7652 0.7652]
    """


@op(ir.BesselJ1, check=require)
def bessel_j1(x: TensorLike, name: str | None = None) -> Tensor:
    """The Bessel function of the first kind, order 1.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.bessel_j1([0.0, 1.0, -1.0]).numpy().round(4))
    [ 0.      0.4401 -0.4401]
    """


@op(ir.BesselK0, check=require)
def bessel_k0(x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind, order 0: inf at 0, nan below.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.bessel_k0([0.0, 1.0, -1.0]).numpy().round(4))
    [  inf 0.421   nan]
    """


@op(ir.BesselK0e, check=require)
def bessel_k0e(x: TensorLike, name: str | None = None) -> Tensor:
    """exp(x) bessel_k0(x), which does not underflow.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.bessel_k0e([0.0, 1.0, 1000.0]).numpy().round(4))
    [   inf 1.1445 0.0396]
    """


@op(ir.BesselK1, check=require)
def bessel_k1(x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind, order 1: inf at 0, nan below.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.bessel_k1([0.0, 1.0, -1.0]).numpy().round(4))
    [   inf 0.6019    nan]
    """


@op(ir.BesselK1e, check=require)
def bessel_k1e(x: TensorLike, name: str | None = None) -> Tensor:
    """exp(x) bessel_k1(x), which does not underflow.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.bessel_k1e([0.0, 1.0, 1000.0]).numpy().round(4))
    [   inf 1.6362 0.0396]
    """


@op(ir.BesselY0, check=require)
def bessel_y0(x: TensorLike, name: str | None = None) -> Tensor:
    """The Bessel function of the second kind, order 0: -inf at 0, nan below.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.bessel_y0([0.0, 1.0, -1.0]).numpy().round(4))
    [  -inf 0.0883    nan]
    """


@op(ir.BesselY1, check=require)
def bessel_y1(x: TensorLike, name: str | None = None) -> Tensor:
    """The Bessel function of the second kind, order 1: -inf at 0, nan below.

    Args:
        x: A tensor of floats.

    Returns:
        A tensor of the shape and dtype of `x`.

    Raises:
        InvalidArgumentError: If the dtype is another one (TypeError while tracing).

    >>> import tfc as tf
    >>> print(tf.math.special.bessel_y1([0.0, 1.0, -1.0]).numpy().round(4))
    [   -inf -0.7812     nan]
    """
