"""Fourier transforms by native code: every radix, and the same bits in every way through memory."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tests.backends.cpu.test_runtime_text import COMPILE
from tfc.backends.cpu import fourier
from tfc.backends.cpu.runtime import native, runtime
from tfc.ir.core import Builder
from tfc.ir.dtypes import as_dtype
from tfc.ir.interpreter import interpret
from tfc.ir.ops import Fft, Irfft, Rfft
from tfc.ir.types import TensorType

KINDS = pytest.mark.parametrize(
    ("dtype", "bound"), [("complex64", 4e-7), ("complex128", 8e-16)], ids=["float", "double"]
)
# Each radix alone and behind others, first passes of eight with whole vectors and what they leave.
LENGTHS = (1, 2, 3, 4, 5, 7, 8, 12, 16, 29, 31, 32, 36, 64, 72, 88, 100, 120, 176, 240, 256, 500)
LENGTHS += (512, 13 * 17, 19 * 23, 1000, 1024, 1155, 2048)


def test_lengths_are_products_of_their_radices() -> None:
    for n in range(1, 400):
        steps = fourier.radices(n)
        rest = n
        for prime in (2, *fourier.PRIMES):
            while rest % prime == 0:
                rest //= prime
        assert (steps is None) == (rest > 1)
        assert steps is None or int(np.prod(steps)) == n


def exact(x: np.ndarray, axis: int, inverse: bool) -> np.ndarray:
    """The transform by its definition, with numbers of 80 bits where there are such."""
    n = x.shape[axis]
    k = np.outer(np.arange(n), np.arange(n)) % n
    angle = 2 * np.arccos(np.longdouble(-1)) * k / n
    matrix = np.cos(angle) + 1j * np.sin(angle) * (1 if inverse else -1)
    moved = np.moveaxis(x, axis, 0).astype(matrix.dtype)
    return np.moveaxis(np.tensordot(matrix, moved, 1), 0, axis)


def normal(dtype: str, *shape: int) -> np.ndarray:
    rng = np.random.default_rng(sum(shape))
    return (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)


@KINDS
@pytest.mark.parametrize("n", [n for n in LENGTHS if n <= 256])
def test_accuracy(dtype: str, bound: float, n: int) -> None:
    x = normal(dtype, n, 3)
    for inverse in (False, True):
        out = np.empty_like(x)
        assert fourier.transform(x, out, 0, inverse, 0.5)
        want = exact(x, 0, inverse) / 2
        assert np.abs(out - want).max() <= bound * np.abs(want).max()


@KINDS
def test_all_ways_through_memory_give_the_same_bits(dtype: str, bound: float) -> None:
    """One row, rows that lie in lanes, columns, with lanes that are left over; in place, too."""
    for n in LENGTHS:
        x = normal(dtype, 37, n)
        for inverse in (False, True):
            rows, single = np.empty_like(x), np.empty_like(x)
            assert fourier.transform(x, rows, 1, inverse, 1 / n)
            for i in range(len(x)):
                assert fourier.transform(x[i : i + 1], single[i : i + 1], 1, inverse, 1 / n)
            assert (rows == single).all(), n
            columns = x.T.copy()
            assert fourier.transform(columns, columns, 0, inverse, 1 / n)
            assert (columns.T == rows).all(), n
            narrow = x[:5].T.copy()
            assert fourier.transform(narrow, narrow, 0, inverse, 1 / n)
            assert (narrow.T == rows[:5]).all(), n
            transform = np.fft.ifft if inverse else np.fft.fft
            want = transform(x.astype(np.complex128)) / (1 if inverse else n)
            assert np.abs(rows - want).max() <= 3 * bound * np.abs(want).max(), n


@KINDS
def test_reals(dtype: str, bound: float) -> None:
    for half in LENGTHS:
        x = normal(dtype, 19, 2 * half).real.copy()
        out, single = np.empty((2, 19, half + 1), dtype)
        assert fourier.forward(x, out, 1.0)
        for i in range(len(x)):
            assert fourier.forward(x[i : i + 1], single[i : i + 1], 1.0)
        assert (out == single).all(), half
        assert not out[:, [0, half]].imag.any()
        want = np.fft.rfft(x.astype(np.float64))
        assert np.abs(out - want).max() <= 3 * bound * np.abs(want).max(), half
        # The first and the last element are taken as real.
        out[:, [0, half]] += 3j
        back, alone = np.empty((2, *x.shape), x.dtype)
        assert fourier.backward(out, back, 1 / half)
        for i in range(len(x)):
            assert fourier.backward(out[i : i + 1], alone[i : i + 1], 1 / half)
        assert (back == alone).all(), half
        assert np.abs(back - x).max() <= 6 * bound * np.abs(x).max(), half


def test_longest_transforms() -> None:
    """Fewer at once, so that scratch memory stays small."""
    n = 3 << 13
    x = normal("complex64", n, 3)
    out = np.empty_like(x)
    assert fourier.transform(x, out, 0, False, 1.0)
    want = np.fft.fft(x.astype(np.complex128), axis=0)
    assert np.abs(out - want).max() <= 1e-6 * np.abs(want).max()
    row = x[:, :1].T.copy()
    assert fourier.transform(row, row, 1, False, 1.0)
    assert (row[0] == out[:, 0]).all()


def test_threads_change_no_bits() -> None:
    """Rows, panels of rows and panels of columns, shared by three threads."""
    chosen = runtime.chosen_threads()
    for shape, axis in (((700, 512), 1), ((3000, 120), 1), ((512, 700), 0), ((7, 300, 200), 1)):
        x = normal("complex64", *shape)
        reals = np.ascontiguousarray(x.real)
        found = []
        for count in (1, 3):
            runtime.set_threads(count)
            try:
                out, back = np.empty_like(x), np.empty_like(reals)
                half = np.empty((*shape[:-1], shape[-1] // 2 + 1), x.dtype)
                assert fourier.transform(x, out, axis, False, 1.0)
                assert fourier.forward(reals, half, 1.0)
                assert fourier.backward(half, back, 2 / shape[-1])
            finally:
                runtime.set_threads(chosen)
            found.append((out, half, back))
        for one, other in zip(*found, strict=True):
            assert (one == other).all(), shape


def test_no_memory_is_an_error() -> None:
    x = normal("complex64", 4, 8)
    plan = fourier._plan(8, np.dtype(np.float32), False)
    assert plan is not None
    where = plan.place, x.ctypes.data, x.ctypes.data, 4, 1, 1 << 44
    whole = fourier._library(plan.dtype).transform(*where, 1.0, 0)
    with pytest.raises(MemoryError, match="Fourier"):
        fourier._done(whole)


@pytest.mark.parametrize("shape", [(37, 8), (8, 37), (37, 41)])
def test_other_lengths_are_numpys(shape: tuple[int, int]) -> None:
    """Axis by axis."""
    x = normal("complex128", *shape)
    b = Builder("f")
    p = b.parameter(TensorType(as_dtype("complex128"), shape))
    f = b.build(b.emit(Fft(p, (0, 1), True, True)))
    (got,) = interpret(f, [x])
    np.testing.assert_allclose(got, np.fft.ifft2(x), rtol=1e-13, atol=1e-15)
    axis = shape.index(37)
    assert not fourier.transform(x, np.empty_like(x), axis, False, 1.0)


def test_odd_numbers_of_reals_are_numpys() -> None:
    x = normal("complex128", 2, 15).real.copy()
    assert not fourier.forward(x, np.empty((2, 8), complex), 1.0)
    b = Builder("f")
    p = b.parameter(TensorType(as_dtype("float64"), (2, 15)))
    y = b.emit(Rfft(p))
    f = b.build(y, b.emit(Irfft(y, 15)))
    spectrum, back = interpret(f, [x])
    np.testing.assert_allclose(spectrum, np.fft.rfft(x), rtol=1e-14, atol=1e-14)
    np.testing.assert_allclose(back, x, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(
    ("dtype", "triple"),
    [("float", "aarch64-unknown-linux-gnu"), ("double", "x86_64-unknown-linux-gnu")],
)
def test_text_compiles_for(dtype: str, triple: str) -> None:
    """Registers of 16 bytes, in a process of its own: LLVM ends it over what a target lacks."""
    run = subprocess.run(
        [sys.executable, "-c", COMPILE, triple],
        input=native.fourier_text(dtype),
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
