"""Cases of the public functions: complex numbers. Special values: tests/ops/test_complex.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tfc as tf

from .case import between, case, find, normal


def plane(*shape: int) -> np.ndarray:
    return normal(*shape) + 1j * normal(*shape)


def parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """The real and imaginary parts of a complex function of (x, y) -> x + iy: so that gradients
    by reals can be compared with differences."""

    def of(x: Any, y: Any) -> Any:
        z = function(tf.complex(x, y))
        return [tf.math.real(z), tf.math.imag(z)]

    return of


def reference(function: Callable[..., Any]) -> Callable[..., Any]:
    def of(x: Any, y: Any) -> Any:
        z = function(x + 1j * y)
        return [np.real(z), np.imag(z)]

    return of


def cases() -> None:
    x, y, z, w = between(0.3, 2, 4, 3), between(0.3, 2, 3), plane(3, 5), plane(3, 5)
    case("complex", tf.complex, lambda x, y: x + 1j * y, x, y, smooth=())
    case("complex", tf.complex, lambda x, y: x + 1j * y, *(v.astype(np.float32) for v in (x, y)))
    case("complex", parts(tf.identity), reference(lambda z: z), x, y)
    for name, f in {"real": np.real, "imag": np.imag, "conj": np.conj, "angle": np.angle}.items():
        rtol = 1e-14 if name == "angle" else 0
        case(name, find(name), f, z, rtol=rtol)
        case(name, find(name), f, z.astype(np.complex64), rtol=1e-6 if rtol else 0)
        case(name, find(name), f, normal(6), smooth=())
        case(name, parts(find(name)), reference(f), x, y, rtol=rtol)
    case("abs", tf.abs, np.abs, z, rtol=1e-15)
    case("sign", tf.sign, np.sign, z, rtol=1e-15)
    for name, f in {"multiply": np.multiply, "divide": np.divide}.items():
        case(name, find(name), f, z, w[0], rtol=2e-14)
    for name, f in {
        "exp": np.exp,
        "sqrt": np.sqrt,
        "reciprocal": lambda z: 1 / z,
    }.items():
        case(name, find(name), f, z, rtol=1e-14)
        case(name, parts(find(name)), reference(f), x, y, rtol=1e-14)
    case("pow", parts(lambda z: z**z), reference(lambda z: z**z), x, y, rtol=1e-14)
    case(
        "squared_difference", tf.math.squared_difference, lambda x, y: np.abs(x - y) ** 2 + 0j,
        z, w, rtol=1e-14,
    )  # fmt: skip
    turned = lambda v: tf.transpose(v, conjugate=True)  # noqa: E731
    case("transpose", turned, lambda v: np.conj(v.T), z)
    case("equal", tf.equal, np.equal, z, np.where(z.real > 0, z, w))
    case("where", tf.where, np.where, z.real > 0, z, w)
    case("matmul", tf.matmul, np.matmul, z, plane(5, 4), rtol=1e-14)
    case("cast", lambda v: tf.cast(v, tf.float64), np.real, z)
    case("cast", lambda v: tf.cast(v, tf.complex64), lambda v: v.astype(np.complex64), z)
    case(
        "cast", lambda v: tf.cast(v, tf.complex128), lambda v: v.astype(np.complex128), y, smooth=()
    )
    for name, f in {
        "reduce_sum": np.sum,
        "reduce_prod": np.prod,
        "reduce_mean": np.mean,
        "reduce_variance": np.var,
        "reduce_std": np.std,
    }.items():
        function = find(name)
        case(name, lambda v, f=function: f(v, axis=1), lambda v, f=f: f(v, axis=1), z, rtol=1e-14)
        wide, tall = between(0.5, 1.5, 2, 3), between(0.5, 1.5, 2, 3)
        if name in ("reduce_prod", "reduce_std"):
            case(name, parts(function), reference(f), wide, tall, rtol=1e-14)
