"""Transposes that move the last axis, in both orders of squares."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from tests import native
from tfc.backends.cpu import jit, machine, program
from tfc.backends.cpu.module import ModuleWriter
from tfc.ir.core import Builder, Function, Op
from tfc.ir.dtypes import as_dtype
from tfc.ir.extent import Extent, symbol
from tfc.ir.kernels.ops import For, Launch, Load, TransposeTile
from tfc.ir.ops.shape import Transpose
from tfc.ir.text import parse
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


def test_what_is_surely_not_there_has_no_code() -> None:
    """No element is left over by tiles, no column by panels: neither loops nor tails for them."""

    def kernels(text: str) -> tuple[list[Op], str]:
        made = native.lowered(parse(text))
        module = ModuleWriter((), machine.host())
        launches = [op for op in made.body if isinstance(op, Launch)]
        for launch in launches:
            module.kernel(launch.kernel)
        return [op for launch in launches for op in launch.kernel.walk()], module.text()

    lines = {}
    for columns, whole in ((64, True), (65, False)):
        ops, _ = kernels(
            f"func @f(%x: f32[128,{columns}]) -> f32[{columns},128] {{\n"
            f"  %y = transpose %x {{perm = (1, 0)}} : f32[{columns},128]\n  return %y\n}}"
        )
        assert any(isinstance(op, Load) for op in ops) is not whole
        # Loops over rows and columns, no third one.
        assert (sum(isinstance(op, For) for op in ops) == 2) is whole
        _, text = kernels(
            f"func @f(%x: f32[512,300], %y: f32[512,{columns}]) -> f32[300,{columns}] {{\n"
            "  %a = transpose %x {perm = (1, 0)} : f32[300,512]\n"
            f"  %z = matmul %a, %y : f32[300,{columns}]\n  return %z\n}}"
        )
        assert not (whole and "\ntail" in text)
        lines[columns] = text.count("\n")
    assert lines[64] < 0.7 * lines[65]


def test_kernels_share_what_transposes_tiles() -> None:
    module = ModuleWriter((), machine.host())
    for rows in (32, 48):
        (launch,) = native.lowered(transpose((rows, 64), (1, 0), "f32")).body
        assert isinstance(launch, Launch)
        module.kernel(launch.kernel)
    text = module.text()
    assert text.count("define internal void @transpose.") == 1
    assert text.count("call void @transpose.") == 2


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
