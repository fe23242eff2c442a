"""Fourier transforms by native code (runtime/fourier.h), which is compiled at its first use.

Of lengths without prime factors above 31, for reals even ones: a pass for each radix, in vectors.
Other lengths are NumPy's: odd numbers of reals take 0.95 to 1.6 of its time as complex ones (4096 x
225, 1000 x 1001). What decides is the length alone, and the bits follow from it: however many
transforms there are, along whichever axis, each element is computed in the same way.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np

from tfc.ir.ops import fft
from tfc.ir.value_classes import NamedTuple

from . import jit
from .runtime import native, runtime

PRIMES = (5, 3, 7, 11, 13, 17, 19, 23, 29, 31)  # as far as runtime/fourier.h has them
_EIGHT = 8  # the radix of a first pass that has vectors also in one row
# Where one row at a time is not worth it: float32, 2^18 elements as rows of 64 take 0.22 ms, eight
# and more at once 0.25; of 512 0.24 and 0.74. Shorter rows leave vectors empty.
_ALONE_BYTES_MIN = 256  # of real parts
# Vectors that are computed at once, of rows and of columns. complex64, ns an element of 1024 x 513
# along the first axis: 2.2 with two, 1.8 with four; of 1024 x 16, two vectors, 2.0 and 3.2.
_ROW_VECTORS, _COLUMN_VECTORS = 2, 4
# The longest transforms of which several are computed at once by more than one vector: 4 MB of
# scratch memory. Not measured.
_LONG = 1 << 13
VECTOR_BYTES = 32


def radices(n: int) -> tuple[int, ...] | None:
    """The radices of a transform of n elements; None where it is not computed here. Eights come
    first, so that what is behind them has whole vectors."""
    twos = (n & -n).bit_length() - 1
    rest, found = n >> twos, list[int]()
    while twos:
        bits = 2 if twos == 2 or (twos == 4 and found) else min(twos, 3)
        found.append(1 << bits)
        twos -= bits
    for prime in PRIMES:
        while rest % prime == 0:
            found.append(prime)
            rest //= prime
    return tuple(found) if rest == 1 else None


def unity(k: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """The real and imaginary parts of exp(-2 pi i k / n) in float64, by angles below pi / 4."""
    octant, rest = np.divmod(8 * (k % n), n)
    angle = np.where(octant % 2 == 1, n - rest, rest) * (math.pi / 4 / n)
    c, s = np.cos(angle), np.sin(angle)
    cosine = np.choose(octant, [c, s, -s, -c, -c, -s, s, c])
    sine = np.choose(octant, [s, c, c, s, -s, -c, -c, -s])
    return cosine, -sine


class _Plan:
    """What a transform of n elements needs, as `Plan` in fourier.h has it."""

    def __init__(self, n: int, steps: tuple[int, ...], dtype: np.dtype[Any], real: bool) -> None:
        factors, by_place, roots = [np.zeros(1)], np.zeros(0), [np.zeros(1)]
        m = n
        for r in steps:
            first, m = m == n, m // r
            if m > 1 or first:
                c, s = unity(np.arange(m)[:, None] * np.arange(1, r), m * r)
                factors.append(np.stack([c, s], -1).ravel())
                if first and r == _EIGHT:
                    by_place = np.stack([c.T, s.T], 1).ravel()
            if r == 7 or r > _EIGHT:
                c, s = unity(np.arange(r), r)
                roots.append(np.stack([c, -s], -1).ravel())
        c, s = unity(np.arange(n + 1), 2 * n) if real else (np.zeros(0),) * 2
        parts = [np.concatenate(factors)[1:], by_place, np.concatenate(roots)[1:]]
        parts.append(np.concatenate([s / 2, -c / 2]))
        self.has_eight = by_place.size > 0
        self.n, self.dtype = n, dtype
        self._kept = [part.astype(dtype) for part in parts], np.array(steps, np.int64)
        places = [part.ctypes.data if part.size else 0 for part in self._kept[0]]
        self._table: np.ndarray = np.array(
            [n, len(steps), *places, self._kept[1].ctypes.data], np.int64
        )
        self.place = self._table.ctypes.data

    def together(self, rows: int, columns: int) -> int:
        """How many transforms are computed at once: of `columns` side by side, or of rows."""
        lanes = VECTOR_BYTES // self.dtype.itemsize
        alone = self.has_eight and self.n * self.dtype.itemsize >= _ALONE_BYTES_MIN
        if columns == 1 and (alone or rows < lanes):
            return 1
        if self.n > _LONG:
            return lanes
        return lanes * (_COLUMN_VECTORS if columns > _ROW_VECTORS * lanes else _ROW_VECTORS)


@lru_cache(maxsize=64)
def _plan(n: int, dtype: np.dtype[Any], real: bool) -> _Plan | None:
    steps = radices(n) if n > 0 else None
    return None if steps is None else _Plan(n, steps, dtype, real)


def transform(x: np.ndarray, out: np.ndarray, axis: int, inverse: bool, scale: float) -> bool:
    """The transform of complex x along an axis, times `scale`, into `out`, which may be x: both are
    dense. False where NumPy has to do it."""
    plan = _plan(x.shape[axis], _real(x), False)
    if plan is None:
        return False
    outer, inner = math.prod(x.shape[:axis]), math.prod(x.shape[axis + 1 :])
    wide = plan.together(outer, inner)
    where = plan.place, x.ctypes.data, out.ctypes.data, outer, inner, wide
    return _done(_library(plan.dtype).transform(*where, scale, inverse))


def forward(x: np.ndarray, out: np.ndarray, scale: float) -> bool:
    """The first half of the transforms of real rows, times `scale`, into `out`. False where NumPy
    has to do it."""
    return _real_rows(x, out, x, scale, "forward")


def backward(x: np.ndarray, out: np.ndarray, scale: float) -> bool:
    """The real rows of which x has the first half of the transforms, times `scale` and half their
    length, into `out`. False where NumPy has to do it."""
    return _real_rows(x, out, out, scale, "backward")


def _real_rows(x: np.ndarray, out: np.ndarray, reals: np.ndarray, scale: float, name: str) -> bool:
    half, odd = divmod(reals.shape[-1], 2)
    plan = None if odd else _plan(half, reals.dtype, True)
    if plan is None:
        return False
    rows = math.prod(reals.shape[:-1])
    wide = plan.together(rows, 1)
    function = getattr(_library(plan.dtype), name)
    return _done(function(plan.place, x.ctypes.data, out.ctypes.data, rows, wide, scale))


def _done(whole: int) -> bool:
    if not whole:
        raise MemoryError("no memory for a Fourier transform")
    return True


def _real(x: np.ndarray) -> np.dtype[Any]:
    return np.dtype(np.float32 if x.dtype == np.complex64 else np.float64)


class _Library(NamedTuple):
    transform: Callable[..., int]
    forward: Callable[..., int]
    backward: Callable[..., int]
    kept: jit.Library  # stays as long as this


@cache
def _library(dtype: np.dtype[Any]) -> _Library:
    suffix = "float" if dtype == np.float32 else "double"
    code = jit.load(native.fourier_text(suffix), runtime.symbols())
    pointer, count, number = ctypes.c_void_p, ctypes.c_int64, ctypes.c_double

    def function(name: str, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(count, *arguments)(code.address(f"tfc_fourier_{name}{suffix}"))

    arrays = pointer, pointer, pointer
    return _Library(
        function("", *arrays, count, count, count, number, count),
        function("forward_", *arrays, count, count, number),
        function("backward_", *arrays, count, count, number),
        code,
    )


library = fft.Library(transform, forward, backward)
