"""Native entries: shapes and dtypes, binding, results, arguments that do not fit, errors."""

from __future__ import annotations

import random
import sys
from typing import Any

import numpy as np
import pytest

from tests.backends.entries import (
    FAIL,
    NOTHING,
    HandlerError,
    Tensor,
    Variable,
    add_program,
    build,
    build_all,
    f32,
    live,
    types,
)
from tfc.backends.calling_convention import BAD_EXTENT
from tfc.backends.cpu.entry import entry_text
from tfc.backends.cpu.runtime.runtime import MISS
from tfc.backends.llvm.entry_spec import EntrySpec
from tfc.ir import dtypes
from tfc.ir.extent import Extent, evaluate, floordiv, remainder, symbol
from tfc.ir.types import TensorType

pytestmark = pytest.mark.usefixtures("own_tensors")


def test_static() -> None:
    entry = build(add_program(3), params=types("f32[3]", "f32[3]"), results=types("f32[3]"))
    result = entry(Tensor(f32(1, 2, 3)), Variable(f32(10, 20, 30)))
    assert type(result) is Tensor
    assert result._array.tolist() == [11, 22, 33]
    assert result._array.dtype == np.float32 and result._array.flags.owndata
    assert entry(Tensor(f32(1, 2)), Tensor(f32(1, 2))) is MISS


@pytest.mark.parametrize("size", [0, 1, 8, 1000, 100_000])
def test_symbolic(size: int) -> None:
    params = types("f32[n]", "f32[n]")
    entry = build(add_program(), params=params, results=types("f32[n]"), work=12 * symbol("n"))
    a, b = np.random.rand(2, size).astype(np.float32)
    result = entry(Tensor(a), Tensor(b))
    np.testing.assert_array_equal(result._array, a + b)
    assert result._array.flags.c_contiguous and result._array.flags.writeable
    assert entry(Tensor(a), Tensor(np.zeros(size + 1, np.float32))) is MISS


def test_order_of_symbols() -> None:
    spec = EntrySpec(
        name="e",
        params=types("f32[n+k,m]", "f32[n]"),
        captures=types("f32[k]"),
        scalars=("s",),
        results=(),
        program="p",
    )
    assert spec.symbols == ("k", "n", "m", "s")  # a sum is kept in the order of its names


def test_composite_extents_are_checked() -> None:
    params = types("f32[2*n+1]", "f32[n]", "f32[(n+3)//4]")
    entry = build(NOTHING, params=params, results=types("f32[n]"))

    def call(a: int, b: int, c: int) -> Any:
        return entry(*(Tensor(np.zeros(size, np.float32)) for size in (a, b, c)))

    assert call(11, 5, 2)._array.shape == (5,)
    assert call(10, 5, 2) is MISS
    assert call(11, 5, 1) is MISS


def test_scalars() -> None:
    program = """
define i32 @show(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
  %s.at = getelementptr i64, ptr %symbols, i64 1
  %s = load i64, ptr %s.at
  store i64 %s, ptr %error
  ret i32 1
}
"""
    entry = build(program, params=types("f32[n]"), scalars=("s", "n"), results=())
    x = Tensor(f32(1, 2))
    for value in (0, 5, 2**63 - 1):
        with pytest.raises(HandlerError) as caught:
            entry(x, value, 2)
        assert caught.value.args == (1, value, 0, 0, 0)
    for bad in (-1, 2**63, -(2**63), 2**100, -(2**100), True, 1.0, "1", None, x, np.int64(3)):
        assert entry(x, bad, 2) is MISS
    assert entry(x, 5, 3) is MISS  # n is 2


def _extents(seed: int) -> tuple[Extent, dict[str, int]]:
    """A random expression in n and m, and values for them."""
    rng = random.Random(seed)
    n, m = symbol("n"), symbol("m")
    extent: Extent = rng.choice([n, m])
    for _ in range(rng.randrange(1, 6)):
        other = rng.choice([n, m, rng.randrange(1, 9), n * m, n - m, m + 1])
        match rng.randrange(5):
            case 0:
                extent = extent + other
            case 1:
                extent = extent - other
            case 2:
                extent = extent * other
            case 3:
                extent = floordiv(extent, other)
            case 4:
                extent = remainder(extent, other)
    return extent, {"n": rng.randrange(0, 12), "m": rng.randrange(0, 12)}


def _holds_positive_divisors(extent: Any, env: dict[str, int]) -> bool:
    """Whether every divisor inside `extent` is positive."""
    if isinstance(extent, int):
        return True
    for monomial, _ in extent.terms:
        for atom in monomial:
            if not isinstance(atom, str):
                inside = (atom.numerator, atom.denominator)
                if not all(_holds_positive_divisors(e, env) for e in inside):
                    return False
                if evaluate(atom.denominator, env) < 1:
                    return False
    return True


def test_extent_arithmetic_agrees_with_python() -> None:
    n, m = symbol("n"), symbol("m")
    cases = [case for case in map(_extents, range(120)) if not isinstance(case[0], int)]
    specs = [
        EntrySpec(
            name=f"e{k}",
            params=(),
            scalars=("n", "m"),
            results=(TensorType(dtypes.uint8, (extent, 0)),),  # 0 elements, however large
            program="nothing",
        )
        for k, (extent, _) in enumerate(cases)
    ]
    entries = build_all(specs, NOTHING)
    kinds = set()
    for entry, (extent, env) in zip(entries, cases, strict=True):
        if not _holds_positive_divisors(extent, env):
            with pytest.raises(HandlerError) as caught:
                entry(env["n"], env["m"])
            assert caught.value.args == (BAD_EXTENT, 0, 0, -(2**63), 0)
            kinds.add("undefined")
            continue
        value = evaluate(extent, env)
        if value < 0:
            with pytest.raises(HandlerError) as caught:
                entry(env["n"], env["m"])
            assert caught.value.args == (BAD_EXTENT, 0, 0, value, 0)
            kinds.add("negative")
        else:
            assert entry(env["n"], env["m"])._array.shape == (value, 0), (extent, env)
            kinds.add("valid")
    assert kinds == {"undefined", "negative", "valid"}
    assert evaluate(n * m, {"n": 2, "m": 3}) == 6


def test_sizes_beyond_memory() -> None:
    n = symbol("n")
    shapes = [(n, n), (n * n,), (n * n * n * n,), (n * 2**62,), (n + 2**70,)]
    before = live()
    for shape in shapes:
        entry = build(
            NOTHING, params=(), scalars=("n",), results=(TensorType(dtypes.float32, shape),)
        )
        for value in (2**40, 2**62, 2**63 - 1):
            with pytest.raises(MemoryError):
                entry(value)
    arena = build(NOTHING, params=(), scalars=("n",), results=types("f32[100000]"), arena=n * n)
    for value in (2**20, 2**40, 2**62):
        with pytest.raises(MemoryError):
            arena(value)
    arena(100)
    assert live() == before


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.name)
def test_every_dtype(dtype: dtypes.DType) -> None:
    kind = TensorType(dtype, (symbol("n"),))
    entry = build(NOTHING, params=(kind,), results=(kind, kind), aliases={1: 0})
    array = np.zeros(4, dtype.numpy)
    fresh, same = entry(Tensor(array))
    assert same._array is array
    assert fresh._array.dtype is dtype.numpy and fresh._array.shape == (4,)
    wrong = np.float32 if dtype is not dtypes.float32 else np.int32
    assert entry(Tensor(np.zeros(4, wrong))) is MISS


def test_results() -> None:
    assert build(NOTHING, params=(), results=())() is None
    assert build(NOTHING, params=(), results=(), tuple_result=True)() == ()
    single = types("f32[2]")
    assert type(build(NOTHING, params=(), results=single)()) is Tensor
    (one,) = build(NOTHING, params=(), results=single, tuple_result=True)()
    assert type(one) is Tensor
    many = build(NOTHING, params=(), results=types("f32[2]", "i8", "f64[3,0,2]"))()
    assert type(many) is tuple and [t._array.shape for t in many] == [(2,), (), (3, 0, 2)]
    assert [str(t._array.dtype) for t in many] == ["float32", "int8", "float64"]


def test_arena() -> None:
    # Fails unless the arena is 64-byte aligned; fills it all.
    program = """
define i32 @scratch(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
  %address = ptrtoint ptr %arena to i64
  %low = and i64 %address, 63
  store i64 %low, ptr %error
  %n = load i64, ptr %symbols
  call void @llvm.memset.p0.i64(ptr %arena, i8 -1, i64 %n, i1 false)
  %bad = icmp ne i64 %low, 0
  %status = zext i1 %bad to i32
  ret i32 %status
}
"""
    before = live()
    for arena in (1, 63, 64, 4096, 4097, 1 << 20):
        entry = build(program, params=(), scalars=("n",), results=(), arena=arena)
        for _ in range(3):
            assert entry(arena) is None
    symbolic = build(program, params=(), scalars=("n",), results=(), arena=symbol("n"))
    for size in (0, 1, 4095, 4096, 4097, 100_000, 5 << 20):
        assert symbolic(size) is None
    assert live() == before


class SubTensor(Tensor):
    __slots__ = ()


class SubArray(np.ndarray):  # the wrong class, though it holds the right data
    pass


def test_misses() -> None:
    entry = build(add_program(), params=types("f32[n]", "f32[n]"), results=types("f32[n]"))
    good = Tensor(f32(1, 2))
    assert isinstance(entry(good, good), Tensor)
    unset = Tensor(None)
    del unset._array
    wrong = [
        SubTensor(f32(1, 2)),
        unset,
        Tensor(None),
        Tensor([1.0, 2.0]),
        Tensor(f32(1, 2).view(SubArray)),
        Tensor(np.zeros(2, np.float64)),
        Tensor(np.zeros(2, ">f4")),
        Tensor(np.zeros((2, 1), np.float32)),
        Tensor(np.float32(1)),
        Tensor(np.array(1, np.float32)),
        Tensor(np.zeros(4, np.float32)[::2]),
        Tensor(np.zeros(9, np.uint8)[1:].view(np.float32)),
        Tensor(f32(1, 2, 3)),
        f32(1, 2),
        None,
        3,
        object(),
    ]
    for bad in wrong:
        assert entry(good, bad) is MISS, bad
    for count in (0, 1, 3, 9):
        assert entry(*[good] * count) is MISS
    assert isinstance(entry(good, Variable(f32(1, 2))), Tensor)
    readonly = f32(1, 2)
    readonly.flags.writeable = False
    assert isinstance(entry(Tensor(readonly), good), Tensor)
    with pytest.raises(TypeError):
        entry(good, b=good)


def test_error_handler() -> None:
    state = Variable(f32(1, 2))
    entry = build(
        FAIL,
        state,
        params=types("f32[n]"),
        captures=types("f32[n]"),
        results=types("f32[n]", "f32[100000]", "f32[n]"),
        aliases={2: 0},
        updates=((0, 0),),
        arena=1 << 20,
    )
    x, old, before = Tensor(f32(1, 2)), state._array, live()
    counts = sys.getrefcount(x._array), sys.getrefcount(old)
    for _ in range(3):
        with pytest.raises(HandlerError) as caught:
            entry(x)
        assert caught.value.args == (7, 11, -22, 0, 2**63 - 1)
    del caught
    assert state._array is old and live() == before
    assert (sys.getrefcount(x._array), sys.getrefcount(old)) == counts
    silent = build(FAIL, params=(), results=types("f32[2]"), on_error=lambda *values: values)
    with pytest.raises(SystemError, match="raised no error"):
        silent()


def test_spec_is_checked() -> None:
    def spec(**fields: Any) -> None:
        entry_text(
            EntrySpec(**{"name": "e", "program": "p", "params": (), "results": (), **fields})
        )

    spec()
    for fields in (
        dict(results=types("f32[n]")),
        dict(params=types("f32[n+m]", "f32[m]")),
        dict(arena=symbol("n")),
        dict(results=(TensorType(dtypes.float32, (-1,)),)),
        dict(scalars=("n", "n")),
        dict(results=types("f32"), aliases={0: 0}),
        dict(results=types("f32"), aliases={1: 0}, params=types("f32")),
        dict(results=types("f32"), params=types("f32"), donations={0: 0}),
        dict(results=types("f32"), updates=((0, 0),)),
        dict(name='e"'),
        dict(program="p()"),
    ):
        with pytest.raises(ValueError):
            spec(**fields)
