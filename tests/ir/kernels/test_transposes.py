"""Transposes that move the last axis, in both orders of squares."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests import native
from tfc.backends.cpu import jit, machine, program
from tfc.backends.cpu.module import ModuleWriter
from tfc.ir.core import Builder, Function
from tfc.ir.dtypes import as_dtype
from tfc.ir.extent import Extent, symbol
from tfc.ir.kernels.ops import Launch, TransposeTile
from tfc.ir.ops.shape import Transpose
from tfc.ir.types import TensorType

# Squares only; one side, the other side left over; more axes.
SHAPES = [((48, 64), (1, 0)), ((49, 64), (1, 0)), ((2, 3, 32, 70), (1, 3, 0, 2))]


def transpose(shape: tuple[Extent, ...], perm: tuple[int, ...], dtype: str) -> Function:
    b = Builder("f")
    x = b.parameter(TensorType(as_dtype(dtype), shape))
    return b.build(b.emit(Transpose(x, perm)))


def cache(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    target = program.target()._replace(l3=size)
    monkeypatch.setattr(program, "target", lambda *_: target)


@pytest.mark.parametrize(("dtype", "size"), [("f32", 0), ("f64", 0), ("f32", 1 << 30), ("i16", 0)])
def test_moves_each_element(monkeypatch: pytest.MonkeyPatch, dtype: str, size: int) -> None:
    cache(monkeypatch, size)
    for shape, perm in SHAPES:
        x = np.arange(np.prod(shape)).astype(as_dtype(dtype).numpy).reshape(shape)
        symbols = tuple(symbol(name) for name in "abcd"[: len(shape)])
        for taken in (shape, symbols):
            (found,) = native.run(transpose(taken, perm, dtype), x)
            assert np.array_equal(found, x.transpose(perm)), (shape, perm, taken)


def turns(f: Function) -> set[bool]:
    """Whether the squares of a function's kernels go past the caches."""
    launches = [op for op in native.lowered(f).body if isinstance(op, Launch)]
    return {
        inner.past
        for op in launches
        for inner in op.kernel.walk()
        if isinstance(inner, TransposeTile)
    }


def test_only_large_results_with_whole_lines_go_past_the_caches() -> None:
    n = symbol("n")
    whole = 64 * 8 // machine.host().vector_bits == 1  # whether a square's row is a line
    assert turns(transpose((4096, 1024), (1, 0), "f32")) == ({True, False} if whole else {False})
    assert turns(transpose((n, n), (1, 0), "f32")) == ({True, False} if whole else {False})
    assert turns(transpose((4096, 100), (1, 0), "f32")) == {False}
    assert turns(transpose((4099, 1024), (1, 0), "f32")) == {False}
    assert turns(transpose((4096, 4096), (1, 0), "i16")) == {False}


@pytest.mark.parametrize("shift", [0, 1])
def test_results_that_begin_anywhere(monkeypatch: pytest.MonkeyPatch, shift: int) -> None:
    cache(monkeypatch, 0)
    (launch,) = native.lowered(transpose((32, 48), (1, 0), "f32")).body
    assert isinstance(launch, Launch)
    module = ModuleWriter((), machine.host())
    name = module.kernel(launch.kernel)
    call = f"%r = call i32 @{name}(ptr %x, ptr %y, ptr null, ptr null)"
    text = f"define i32 @call(ptr %x, ptr %y) {{\n{call}\nret i32 %r\n}}\n"
    library = jit.load("\n".join([module.text(), text]))
    x = np.arange(32 * 48, dtype=np.float32).reshape(32, 48)
    memory = np.zeros(48 * 32 + 32, np.float32)
    first = -memory.ctypes.data % 64 // 4 + shift
    y = memory[first : first + 48 * 32].reshape(48, 32)
    pointer = ctypes.c_void_p
    ctypes.CFUNCTYPE(ctypes.c_int, pointer, pointer)(library.address("call"))(
        x.ctypes.data, y.ctypes.data
    )
    assert np.array_equal(y, x.T)
