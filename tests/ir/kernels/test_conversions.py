"""Conversions in terms of those that machines have are those that `Cast` means: run by the
reference interpreter, on numbers beside all places where a result jumps."""

from __future__ import annotations

import numpy as np
import pytest

from tfc.ir.core import Builder
from tfc.ir.dtypes import DType, as_dtype
from tfc.ir.interpreter import interpret
from tfc.ir.kernels.conversions import cast, is_native
from tfc.ir.ops.elementwise import Cast
from tfc.ir.types import TensorType

NAMES = [
    *("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"),
    *("f8e4m3fn", "f8e5m2", "f16", "bf16", "f32", "f64"),
]
DTYPES = [as_dtype(name) for name in NAMES]


def every(dtype: DType) -> np.ndarray:
    """All numbers of a dtype of 8 or 16 bits, else powers of two and what is beside them."""
    if dtype.name == "bool":
        return np.array([False, True])
    if dtype.bits <= 16:
        return np.arange(1 << dtype.bits).astype(f"u{dtype.itemsize}").view(dtype.numpy)
    if dtype.is_integer:
        powers = [sign * 2**k + d for k in range(64) for sign in (1, -1) for d in (-1, 0, 1)]
        low, high = int(dtype.min), int(dtype.max)
        return np.array([p for p in powers if low <= p <= high], dtype.numpy)
    powers = np.exp2(np.arange(-160, 128, 3).astype(np.float64)).astype(dtype.numpy)
    return np.concatenate(
        [powers, -powers, np.array([0, -0.0, np.inf, -np.inf, np.nan], powers.dtype)]
    )


def numbers(source: DType, dtype: DType) -> np.ndarray:
    """Of the source: what the other has, the middles of these, and what is beside them."""
    own = every(source)
    if source.bits <= 16 or source.name == "bool":
        return own[::9] if source.is_floating and dtype.is_integer else own
    with np.errstate(all="ignore"):
        others = np.unique(every(dtype)[:: 7 if dtype.bits == 16 else 1].astype(np.float64))
        others = others[np.isfinite(others)]
        middles = np.concatenate([others, (others[1:] + others[:-1]) / 2])
        if source.is_floating:
            near = middles.astype(source.numpy)
            more = [near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)]
        else:
            inside = middles[(middles > float(source.min)) & (middles < float(source.max) / 2)]
            whole = inside.astype(source.numpy)
            one = np.ones((), source.numpy)
            more = [whole, whole + one, whole - one]
    bits = np.random.default_rng(3).integers(0, 2**63, 300, np.uint64).view(np.uint32)
    random = bits.view(f"u{source.itemsize}").view(source.numpy)
    return np.concatenate([own, *more, random])


@pytest.mark.parametrize("dtype", DTYPES, ids=NAMES)
def test_conversions_are_what_cast_means(dtype: DType) -> None:
    for source in DTYPES:
        x = numbers(source, dtype)
        b = Builder()
        made = cast(b, b.parameter(TensorType(source, x.shape)), dtype)
        with np.errstate(all="ignore"):
            (got,) = interpret(b.build(made), [x])
            wanted = Cast(b.params[0], dtype).numpy(x)
            assert got.dtype == wanted.dtype
            same = got.view(f"u{dtype.itemsize}") == wanted.view(f"u{dtype.itemsize}")
            if dtype.is_floating:
                same |= np.isnan(got.astype(np.float64)) & np.isnan(wanted.astype(np.float64))
        wrong = x[~same]
        assert not wrong.size, (source.name, dtype.name, wrong[:5])


@pytest.mark.parametrize("source", DTYPES, ids=NAMES)
def test_what_machines_have_is_left(source: DType) -> None:
    """A conversion is one cast where machines surely have it, and else made of such, and of those
    between f16 and f32."""
    halves = {("f16", "f32"), ("f32", "f16")}
    for dtype in DTYPES:
        b = Builder()
        x = b.parameter(TensorType(source, (3,)))
        made = cast(b, x, dtype)
        ways = [(op.x.dtype, op.dtype) for op in b.body if isinstance(op, Cast)]
        assert all(is_native(*way) or (way[0].short, way[1].short) in halves for way in ways)
        if is_native(source, dtype):
            assert ways == [(source, dtype)] and len(b.body) == 1
        assert (made is x) == (source is dtype)
