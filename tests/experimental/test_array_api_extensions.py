"""The linalg and fft extensions of the array API namespace, and complex numbers in it, against
NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.experimental.test_array_api import check, names
from tfc.experimental import array_api as xp

rng = np.random.default_rng(5)


def normal(*shape: int, complex_: bool = False) -> np.ndarray:
    x = rng.normal(size=shape)
    return x + 1j * rng.normal(size=shape) if complex_ else x


def both(name: str, *arrays: Any, rtol: float = 1e-11, **options: Any) -> None:
    module, theirs = (xp.linalg, np.linalg) if hasattr(xp.linalg, name) else (xp.fft, np.fft)
    got = getattr(module, name)(*(xp.asarray(a) for a in arrays), **options)
    check(got, getattr(theirs, name)(*arrays, **options), rtol)


def test_names_of_the_extensions() -> None:
    linalg = """cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power
    matrix_rank matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot
    vector_norm"""
    fft = """fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift
    ifftshift"""
    for module, text in ((xp.linalg, linalg), (xp.fft, fft)):
        assert sorted(module.__all__) == sorted(text.split())
        assert all(getattr(module, n).__doc__ for n in module.__all__)


@pytest.mark.parametrize("complex_", [False, True])
def test_linalg(complex_: bool) -> None:
    x = normal(2, 3, 3, complex_=complex_)
    definite = x @ np.conj(x.mT) + np.eye(3)
    tall = normal(2, 4, 3, complex_=complex_)
    for name in ("det", "slogdet", "inv"):
        both(name, x)
    for name in ("eigvalsh", "cholesky"):
        both(name, definite)
    both("cholesky", definite, upper=True)
    both("svdvals", tall)
    both("matrix_rank", np.concatenate([tall, tall[..., :1] * 2], -1))
    both("pinv", tall)
    both("pinv", np.concatenate([tall, tall[..., :1]], -1), rtol=1e-9)
    both("outer", x[0, 0], x[1, 1])
    both("cross", x, normal(3, complex_=complex_))
    both("matrix_transpose", tall)
    for n in (-2, 0, 1, 5):
        got = xp.linalg.matrix_power(xp.asarray(x), n)
        check(got, np.linalg.matrix_power(x, n), 1e-9)
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        both("matrix_norm", tall, ord=order)
    both("matrix_norm", tall, keepdims=True)
    for order, axis in itertools.product((2, 1, 0, 3, np.inf, -np.inf), (None, 1)):
        both("vector_norm", tall, ord=order, axis=axis)
    both("vector_norm", tall, axis=(0, 2), keepdims=True)
    empty = xp.asarray(tall[:, :0])
    for order in ("fro", "nuc", 1, -2, np.inf):
        check(xp.linalg.matrix_norm(empty, ord=order), np.zeros(2))
    check(xp.linalg.vector_norm(empty, axis=1, ord=np.inf), np.zeros((2, 3)))
    for offset in (-4, -1, 0, 2):
        both("diagonal", tall, offset=offset)
        both("trace", tall, offset=offset)
    both("solve", x, tall[:, :3])
    got = xp.linalg.solve(xp.asarray(x[0]), xp.asarray(x[1, 0]))
    check(got, np.linalg.solve(x[0], x[1, 0]), 1e-11)
    values, vectors = xp.linalg.eigh(xp.asarray(definite))
    vectors = vectors.numpy()
    check(values, np.linalg.eigvalsh(definite), 1e-11)
    np.testing.assert_allclose(definite @ vectors, vectors * values.numpy()[:, None], rtol=1e-10)
    for mode, full in (("reduced", False), ("complete", True)):
        q, r = xp.linalg.qr(xp.asarray(tall), mode=mode)
        assert q.shape == (2, 4, 4 if full else 3)
        np.testing.assert_allclose(q.numpy() @ r.numpy(), tall, rtol=1e-11, atol=1e-12)
        u, s, vh = (v.numpy() for v in xp.linalg.svd(xp.asarray(tall), full_matrices=full))
        assert u.shape == q.shape and s.dtype == np.float64
        np.testing.assert_allclose(u[..., :3] * s[:, None] @ vh, tall, rtol=1e-11, atol=1e-12)


def test_linalg_errors() -> None:
    for name in ("det", "inv", "svd", "qr", "cholesky", "eigh"):
        with pytest.raises(TypeError, match=f"{name} is not defined for dtype int64"):
            getattr(xp.linalg, name)(xp.asarray([[1]]))
        with pytest.raises(ValueError, match="got rank 1"):
            getattr(xp.linalg, name)(xp.ones(2))
    with pytest.raises(ValueError, match="no norm of order 'x'"):
        xp.linalg.matrix_norm(xp.ones((2, 2)), ord="x")
    with pytest.raises(ValueError, match="vectors of 3"):
        xp.linalg.cross(xp.ones(2), xp.ones(2))
    with pytest.raises(ValueError, match="'reduced' or 'complete'"):
        xp.linalg.qr(xp.ones((2, 2)), mode="raw")


def test_fft() -> None:
    z, x = normal(3, 8, complex_=True), normal(3, 8)
    for norm, n, axis in (("backward", None, -1), ("ortho", 5, 0), ("forward", 10, 1)):
        for name in ("fft", "ifft", "irfft", "hfft"):
            both(name, z, n=n, axis=axis, norm=norm)
        for name in ("rfft", "ihfft", "fft"):
            both(name, x, n=n, axis=axis, norm=norm)
    for s, axes in ((None, None), ((2, 6), (0, 1)), (None, (1,))):
        for name in ("fftn", "ifftn", "irfftn"):
            both(name, z, s=s, axes=axes)
        both("rfftn", x, s=s, axes=axes)
    for name in ("fftshift", "ifftshift"):
        both(name, x)
        both(name, x[:, :7], axes=1)
    for n in (1, 4, 7):
        check(xp.fft.fftfreq(n, d=0.5, dtype=xp.float64), np.fft.fftfreq(n, 0.5), 1e-15)
        check(xp.fft.rfftfreq(n, dtype=xp.float64), np.fft.rfftfreq(n), 1e-15)
    assert xp.fft.fftfreq(4).dtype is xp.float32
    assert xp.fft.fft(xp.ones(4)).dtype is xp.complex64
    with pytest.raises(ValueError, match="norm is 'backward'"):
        xp.fft.fft(xp.ones(4), norm="x")
    with pytest.raises(TypeError, match="rfft is not defined for dtype complex128"):
        xp.fft.rfft(xp.asarray(z))


COMPLEX = names("""abs acos acosh asin asinh atan atanh conj cos cosh exp expm1 imag isfinite isinf
isnan log log1p log2 log10 negative positive real reciprocal round sign sin sinh square sqrt tan
tanh""")


@pytest.mark.parametrize("name", COMPLEX)
def test_complex(name: str) -> None:
    z = normal(4, complex_=True)
    check(getattr(xp, name)(xp.asarray(z)), getattr(np, name)(z), 1e-13)


def test_complex_operands() -> None:
    z, w, x = normal(3, complex_=True), normal(3, complex_=True), normal(3).astype(np.float32)
    for name in ("add", "subtract", "multiply", "divide", "pow", "equal", "not_equal"):
        check(getattr(xp, name)(xp.asarray(z), xp.asarray(x)), getattr(np, name)(z, x), 1e-12)
    for name in ("sum", "prod", "mean", "cumulative_sum", "cumulative_prod", "diff"):
        check(getattr(xp, name)(xp.asarray(z)), getattr(np, name)(z), 1e-13)
    check(xp.vecdot(xp.asarray(z), xp.asarray(w)), np.vecdot(z, w), 1e-13)
    check(xp.asarray([1j, 2]), np.array([1j, 2], np.complex64))
    check(xp.multiply(xp.asarray(x), 1j), x * np.complex64(1j), 1e-6)
    assert xp.sum(xp.ones(2, dtype=xp.complex64)).dtype is xp.complex64
    twice = np.array([2j, 1, 2j, 1 + 1j, 0, 1])
    check(xp.unique_all(xp.asarray(twice)), np.unique_all(twice))
    check(xp.nonzero(xp.asarray(twice)), np.nonzero(twice))
    check(xp.all(xp.asarray([1j]), axis=0), np.array(True))
    with pytest.raises(TypeError, match="less is not defined for dtype complex128"):
        xp.less(xp.asarray(z), xp.asarray(w))
    with pytest.raises(TypeError, match="take real or abs"):
        xp.astype(xp.asarray(z), xp.float64)
    assert isinstance(complex(xp.asarray(1j)), complex) and tf.is_tensor(xp.asarray(1j))
