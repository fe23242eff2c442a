"""Native entries end to end: checks, binding, results, errors, references, memory, threads."""

from __future__ import annotations

import gc
import itertools
import os
import random
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tfc.backends.cpu import jit, native, runtime
from tfc.backends.cpu.entry import BAD_EXTENT, EntrySpec, entry_text
from tfc.backends.cpu.runtime import MISS, Dispatcher, native_function
from tfc.ir import dtypes
from tfc.ir.extent import Extent, evaluate, floordiv, remainder, symbol
from tfc.ir.types import TensorType, parse_type

Array = np.ndarray[Any, Any]


class Tensor:
    __slots__ = ("__weakref__", "_array")

    def __init__(self, array: Any) -> None:
        self._array = array


class Variable:
    __slots__ = ("__weakref__", "_array", "name")

    def __init__(self, array: Any) -> None:
        self._array = array


class HandlerError(Exception):
    """What the error handler of these tests raises."""


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    """The classes of this file are tensors here, and those from before again afterwards."""
    before = runtime._registered[-2:]
    runtime.register(Tensor, Variable)
    yield
    if before:
        runtime.register(*before)


def handler(*values: int) -> None:
    raise HandlerError(*values)


def types(*texts: str) -> tuple[TensorType, ...]:
    found = [parse_type(text) for text in texts]
    return tuple(t for t in found if isinstance(t, TensorType))


# Programs, written by hand: `add` stores buffer 0 + buffer 1 to buffer 2, over as many f32 as the
# first symbol says (or COUNT).
ADD = """
define i32 @add(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
entry:
  %a = load ptr, ptr %buffers
  %b.at = getelementptr ptr, ptr %buffers, i64 1
  %b = load ptr, ptr %b.at
  %c.at = getelementptr ptr, ptr %buffers, i64 2
  %c = load ptr, ptr %c.at
  COUNT
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %done
body:
  %a.i = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %a.i
  %b.i = getelementptr float, ptr %b, i64 %i
  %y = load float, ptr %b.i
  %z = fadd float %x, %y
  %c.i = getelementptr float, ptr %c, i64 %i
  store float %z, ptr %c.i
  %i.1 = add i64 %i, 1
  br label %next
done:
  ret i32 0
}
"""
FAIL = """
define i32 @fail(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
  store i64 11, ptr %error
  %e1 = getelementptr i64, ptr %error, i64 1
  store i64 -22, ptr %e1
  %e3 = getelementptr i64, ptr %error, i64 3
  store i64 9223372036854775807, ptr %e3
  ret i32 7
}
"""
NOTHING = """
define i32 @nothing(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
  ret i32 0
}
"""


def add_program(count: int | None = None) -> str:
    return ADD.replace(
        "COUNT", "%n = load i64, ptr %symbols" if count is None else f"%n = add i64 {count}, 0"
    )


def build(
    program: str, *captured: Any, on_error: Callable[..., Any] = handler, **fields: Any
) -> Any:
    """The entry of a spec with these `fields` around the text `program`."""
    spec = EntrySpec(name="entry", program=program.split("@")[1].split("(")[0], **fields)
    library = runtime.load(entry_text(spec) + program)
    return native_function(library, "entry", (on_error, *captured))


def f32(*values: float) -> Array:
    return np.array(values, np.float32)


def live() -> int:
    return runtime.pool_stats()["live"]


# ---- values and shapes ----


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
    library = runtime.load(entry_text(*specs) + NOTHING)
    kinds = set()
    for k, (extent, env) in enumerate(cases):
        entry = native_function(library, f"e{k}", (handler,))
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


# ---- arguments that do not fit ----


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


# ---- sharing, captures, updates ----


def test_aliases() -> None:
    entry = build(
        NOTHING,
        params=types("f32[n,m]"),
        results=types("f32[n,m]", "f32[n*m]", "f32[m,n]"),
        aliases={0: 0, 1: 0, 2: 0},
    )
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    array = array.copy()
    same, flat, other = (t._array for t in entry(Tensor(array)))
    assert same is array
    assert flat.base is array and flat.tolist() == list(range(6))
    assert other.base is array and other.shape == (3, 2) and other.flags.c_contiguous
    array.flags.writeable = False
    same, flat, other = (t._array for t in entry(Tensor(array)))
    assert not flat.flags.writeable
    address = array.__array_interface__["data"][0]
    del array, same, other
    gc.collect()
    assert flat.tolist() == list(range(6)) and flat.__array_interface__["data"][0] == address


def test_alias_of_other_size_is_an_error() -> None:
    entry = build(NOTHING, params=types("f32[n]"), results=types("f32[n//2*2]"), aliases={0: 0})
    array = f32(1, 2, 3)
    assert entry(Tensor(array[:2].copy()))._array.shape == (2,)
    count = sys.getrefcount(array)
    with pytest.raises(SystemError, match="elements"):
        entry(Tensor(array))
    assert sys.getrefcount(array) == count


def test_captures_and_updates() -> None:
    state = Variable(f32(1, 1))
    entry = build(
        add_program(),
        state,
        params=types("f32[n]"),
        captures=types("f32[n]"),
        results=types("f32[n]"),
        updates=((0, 0),),
    )
    first = state._array
    assert entry(Tensor(f32(1, 2))) is None
    assert state._array.tolist() == [2, 3] and first.tolist() == [1, 1]
    assert sys.getrefcount(first) == 2
    assert entry(Tensor(f32(1, 2, 3))) is MISS
    assert entry(Tensor(f32(5, 5))) is None
    assert state._array.tolist() == [7, 8]
    state._array = np.zeros(3)
    assert entry(Tensor(f32(1, 2, 3))) is MISS


def test_update_and_return_the_same_array() -> None:
    state = Variable(f32(0, 0))
    entry = build(
        NOTHING,
        state,
        params=types("f32[2]"),
        captures=types("f32[2]"),
        results=types("f32[2]", "f32[2]", "f32[2]"),
        aliases={0: 0, 1: 0, 2: 1},
        updates=((0, 0),),
    )
    x, old = Tensor(f32(1, 2)), state._array
    given, was = entry(x)
    assert given._array is x._array is state._array and was._array is old


def test_two_updates_of_one_capture() -> None:
    state, other = Variable(f32(1)), Variable(f32(2))
    entry = build(
        NOTHING,
        state,
        other,
        params=types("f32[1]", "f32[1]"),
        captures=types("f32[1]", "f32[1]"),
        results=types("f32[1]", "f32[1]", "f32[1]"),
        aliases={0: 0, 1: 1, 2: 2},
        updates=((0, 0), (1, 0), (2, 1)),
    )
    a, b, old = Tensor(f32(3)), Tensor(f32(4)), state._array
    entry(a, b)
    assert state._array is b._array and other._array is old  # the last one stays
    assert sys.getrefcount(old) == 3
    array = a._array
    assert sys.getrefcount(array) == 3


def test_donation() -> None:
    state = Variable(f32(1, 1))
    fields: dict[str, Any] = dict(
        params=types("f32[n]"),
        captures=types("f32[n]"),
        results=types("f32[n]"),
        updates=((0, 0),),
        donations={0: 1},
    )
    entry = build(add_program(), state, **fields)
    address = state._array.__array_interface__["data"][0]
    one = Tensor(f32(1, 1))
    for k in range(3):
        assert entry(one) is None
        assert state._array.tolist() == [k + 2] * 2
        assert state._array.__array_interface__["data"][0] == address
    # Whoever else sees the array keeps what was seen.
    seen = state._array
    entry(one)
    assert seen.tolist() == [4, 4] and state._array.tolist() == [5, 5]
    view = state._array[:1]
    entry(one)
    assert view.tolist() == [5] and state._array.tolist() == [6, 6]
    export = memoryview(state._array)
    entry(one)
    assert export[0] == 6 and state._array.tolist() == [7, 7]
    # The same object, or the same array, given twice is read while it is written.
    seen = state._array
    del seen
    before = id(state._array)
    entry(state)
    assert state._array.tolist() == [14, 14] and id(state._array) != before
    other = Tensor(state._array)
    entry(other)
    assert other._array.tolist() == [14, 14] and state._array.tolist() == [28, 28]
    state._array.flags.writeable = False
    kept = id(state._array)
    entry(one)
    assert state._array.tolist() == [29, 29] and id(state._array) != kept
    state._array = np.frombuffer(bytearray(f32(3, 3).tobytes()), np.float32)
    foreign = state._array.base
    entry(one)
    assert state._array.base is None and foreign is not None
    # Big arrays lie in the pool under a capsule, and may be donated, too.
    state._array = np.zeros(1 << 16, np.float32)
    big = Tensor(np.ones(1 << 16, np.float32))
    keep = state._array
    entry(big)
    pooled = state._array.__array_interface__["data"][0]
    assert type(state._array.base).__name__ == "PyCapsule"
    entry(big)
    assert state._array[0] == 2 and state._array.__array_interface__["data"][0] == pooled
    assert keep[0] == 0


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


# ---- errors ----


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
        dict(results=types("f32[-1]")),
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


# ---- references and memory ----


def _resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_nothing_leaks() -> None:
    state, x = Variable(f32(*range(8))), Tensor(f32(*range(8)))
    shared: dict[str, Any] = dict(
        params=types("f32[n]"),
        captures=types("f32[n]"),
        results=types("f32[n]", "f32[n]", "f32[n]", "f32[2,n//2]", "f32[9000]"),
        aliases={1: 0, 3: 0},
        updates=((2, 0),),
        arena=8192,
        work=1 << 20,
    )
    good = build(NOTHING, state, **shared)
    bad = build(FAIL, state, on_error=lambda *v: None, **shared)
    donating = build(NOTHING, state, **{**shared, "donations": {2: 1}})
    huge = build(NOTHING, params=(), scalars=("n",), results=types("f32[8]", "f32[n,n]"))
    wrapped = Dispatcher(lambda *arguments: None)
    wrapped.add(good)

    def work(count: int) -> None:
        for _ in range(count):
            good(x)
            donating(x)
            wrapped.call(x)
            wrapped.call(1)
            assert good(3) is MISS
            for function, argument, error in ((bad, x, SystemError), (huge, 1 << 61, MemoryError)):
                try:
                    function(argument)
                except error:
                    continue
                raise AssertionError

    watched: list[Any] = [x, x._array, state, MISS, Tensor, np.dtype(np.float32), SystemError]
    watched += [good, np.ndarray, None, 7]
    work(1000)
    gc.collect()
    counts, resident, pool = [sys.getrefcount(o) for o in watched], _resident(), live()
    work(50_000)
    gc.collect()
    for count, before in zip([sys.getrefcount(o) for o in watched], counts, strict=True):
        assert abs(count - before) < 50  # others count None and small ints, too
    assert live() == pool
    assert _resident() - resident < 2 << 20
    references = sys.getrefcount(state._array)  # inside an assert, pytest would hold it, too
    assert references == 2


def test_pool_memory_is_reused() -> None:
    entry = build(NOTHING, params=(), scalars=("n",), results=types("u8[n]"))
    for size in (40_000, 1 << 20, 40 << 20):
        first = entry(size)
        address = first._array.__array_interface__["data"][0]
        assert address % 64 == 0
        other = entry(size)
        assert other._array.__array_interface__["data"][0] != address
        hits = runtime.pool_stats()["hits"]
        del first
        again = entry(size - size // 20)  # the same class of sizes
        assert again._array.__array_interface__["data"][0] == address
        assert runtime.pool_stats()["hits"] == hits + 1
        del other, again
    view = entry(1 << 20)._array[5:6]  # the block lives as long as a view of it
    assert entry(1 << 20)._array.__array_interface__["data"][0] != (
        view.__array_interface__["data"][0] - 5
    )


def test_pool_size_classes() -> None:
    """Blocks are at least as large as asked for, and at most a quarter larger."""
    entry = build(NOTHING, params=(), scalars=("n",), results=types("u8[n]"))
    runtime.pool_trim()
    for base, delta in itertools.product((1 << 15, 5 << 14, 1 << 20, 7 << 20), (-1, 0, 1, 77)):
        size = base + delta
        before = live()
        held = entry(size)
        used = live() - before
        if size > native.INLINE_BYTES:
            assert size <= used <= size * 5 // 4 + 1
        else:
            assert used == 0
        held._array[:] = 1  # touches every byte
        del held
        assert live() == before


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "complex128", "bool", ">i4"])
def test_copies_of_large_arrays_are_in_the_pool(dtype: str) -> None:
    kind = np.dtype(dtype if dtype == ">i4" else dtypes.as_dtype(dtype).numpy)
    whole = np.arange(1 << 18).reshape(512, -1).astype(kind)
    for array in (whole, whole.T, whole[1:, 1:], whole[:3, ::2], whole[0, :5], whole[:, :0]):
        copy = runtime.copied(array)
        assert copy.flags.c_contiguous and copy.flags.writeable and copy.dtype == kind
        np.testing.assert_array_equal(copy, array)
        assert not np.shares_memory(copy, array)
        if copy.nbytes > native.INLINE_BYTES:
            assert copy.ctypes.data % 64 == 0 and copy.base is not None
    live = runtime.pool_stats()["live"]
    del copy
    copy = runtime.copied(whole)
    assert runtime.pool_stats()["live"] >= live + whole.nbytes
    del copy
    assert runtime.pool_stats()["live"] == live
    words = np.array(["a", "b"] * 8000, object)
    assert runtime.copied(words).tolist() == words.tolist()


def test_pool_is_bounded() -> None:
    entry = build(NOTHING, params=(), scalars=("n",), results=types("u8[n]"))
    runtime.pool_trim()
    state = runtime._runtime().state
    maximum = native.STATE.index("maximum")
    saved = state[maximum]
    state[maximum] = 8 << 20
    try:
        held = [entry(1 << 20) for _ in range(20)]
        del held
        stats = runtime.pool_stats()
        assert stats["cached"] == 8 << 20 and stats["blocks"] == 8
        # Other sizes push out what is no longer asked for.
        held = [entry(3 << 20) for _ in range(2)]
        del held
        stats = runtime.pool_stats()
        assert stats["cached"] == 8 << 20 and stats["blocks"] == 4
        del stats
        big = entry(9 << 20)
        del big
        assert runtime.pool_stats()["cached"] == 8 << 20
        assert runtime.pool_trim() == 8 << 20
        assert runtime.pool_stats()["cached"] == runtime.pool_stats()["blocks"] == 0
    finally:
        state[maximum] = saved


def test_functions_are_collected() -> None:
    gc.collect()
    loaded = len(jit._trackers)

    class Model:
        def __init__(self) -> None:
            self.weight = Variable(f32(1, 2))
            self.call = Dispatcher(self.slow)
            self.call.add(
                build(
                    add_program(),
                    self.weight,
                    on_error=self.fail,
                    params=types("f32[n]"),
                    captures=types("f32[n]"),
                    results=types("f32[n]"),
                )
            )

        def slow(self, *arguments: Any) -> str:
            return "slow"

        def fail(self, *values: int) -> None:
            raise HandlerError(values)

        def __del__(self) -> None:
            # The native code is still there while the dead cycle is taken apart.
            results.append(self.call.call(Tensor(f32(5, 5)))._array.tolist())

    results: list[Any] = []
    model = Model()
    assert len(jit._trackers) == loaded + 1
    assert model.call.call(Tensor(f32(1, 1)))._array.tolist() == [2, 3]
    gone = weakref.ref(model), weakref.ref(model.weight)
    del model
    gc.collect()
    assert results == [[6, 7]]
    assert [reference() for reference in gone] == [None, None]
    assert len(jit._trackers) == loaded


# ---- dispatch ----


def adder(size: int) -> Any:
    kind = f"f32[{size}]"
    return build(add_program(size), params=types(kind, kind), results=types(kind))


def test_dispatcher() -> None:
    seen = []

    def slow(*arguments: Any) -> Any:
        seen.append(arguments)
        entry = adder(arguments[0]._array.size)
        dispatcher.add(entry)
        return entry(*arguments)

    dispatcher = Dispatcher(slow, "plus")
    assert dispatcher.call.__name__ == "plus"
    for size in (2, 3, 2, 3, 4):
        x = Tensor(np.ones(size, np.float32))
        assert dispatcher.call(x, x)._array.tolist() == [2.0] * size
    assert len(seen) == len(list(dispatcher.entries)) == 3
    for size in range(5, 15):
        x = Tensor(np.ones(size, np.float32))
        dispatcher.call(x, x)
    assert len(dispatcher.entries) == 8
    x = Tensor(np.ones(14, np.float32))
    runtime.set_active(1)
    try:
        count = len(seen)
        dispatcher.call(x, x)
        assert len(seen) == count + 1
    finally:
        runtime.set_active(-1)
    dispatcher.call(x, x)
    assert len(seen) == count + 1
    dispatcher.clear()
    dispatcher.call(x, x)
    assert len(seen) == count + 2
    others: list[Any] = [len, slow, dispatcher.call]
    for wrong in others:
        with pytest.raises(TypeError):
            dispatcher.add(wrong)


def test_slow_gets_the_same_arguments_and_errors_pass() -> None:
    def slow(*arguments: Any) -> Any:
        if not arguments:
            raise KeyError("nothing")
        return arguments

    dispatcher = Dispatcher(slow)
    dispatcher.add(adder(2))
    values = (1, "a", None, [2])
    assert all(a is b for a, b in zip(dispatcher.call(*values), values, strict=True))
    with pytest.raises(KeyError):
        dispatcher.call()
    failing = Dispatcher(slow)
    failing.add(build(FAIL, params=(), results=()))
    with pytest.raises(HandlerError):
        failing.call()


def test_entries_may_be_dropped_by_their_own_call() -> None:
    def forget(*values: int) -> None:
        dispatcher.clear()
        for _ in range(20):
            dispatcher.add(adder(3))
        gc.collect()
        raise HandlerError(values)

    dispatcher = Dispatcher(lambda *a: "slow")
    dispatcher.add(build(FAIL, params=(), results=(), on_error=forget))
    with pytest.raises(HandlerError):
        dispatcher.call()
    assert dispatcher.call() == "slow"


# ---- threads ----

# Waits until buffer 0 holds a nonzero i32 (status 0), or gives up after many steps (status 1).
WAIT = """
define i32 @wait(ptr %buffers, ptr %symbols, ptr %arena, ptr %error) {
entry:
  %flag = load ptr, ptr %buffers
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %step ]
  %value = load volatile i32, ptr %flag
  %set = icmp ne i32 %value, 0
  br i1 %set, label %done, label %step
step:
  %i.1 = add i64 %i, 1
  %more = icmp ult i64 %i.1, STEPS
  br i1 %more, label %next, label %tired
done:
  ret i32 0
tired:
  ret i32 1
}
"""


@pytest.mark.parametrize("work", [0, 1 << 20, symbol("n") * 1000])
def test_lock_is_released_for_long_work(work: Extent) -> None:
    steps = 20_000_000_000 if work != 0 else 1000
    entry = build(WAIT.replace("STEPS", str(steps)), params=types("i32[n]"), results=(), work=work)
    flag = np.zeros(1000, np.int32)
    if work == 0:  # with the lock held, nobody else can set the flag
        with pytest.raises(HandlerError):
            entry(Tensor(flag))
        return
    argument = Tensor(flag)

    def replace() -> None:
        time.sleep(0.05)
        argument._array = None  # the entry holds the array itself meanwhile
        gc.collect()
        flag[0] = 1

    thread = threading.Thread(target=replace)
    thread.start()
    entry(argument)
    thread.join()
    assert sys.getrefcount(flag) == 2


def test_many_threads() -> None:
    state = Variable(np.zeros(1 << 15, np.float32))
    entry = build(
        add_program(),
        state,
        params=types("f32[n]"),
        captures=types("f32[n]"),
        results=types("f32[n]", "f32[n]"),
        updates=((0, 0),),
        work=1 << 20,
        arena=10_000,
    )
    dispatcher = Dispatcher(lambda *a: None)
    dispatcher.add(entry)
    x, before = Tensor(np.ones(1 << 15, np.float32)), live()

    def work() -> None:
        for _ in range(300):
            assert dispatcher.call(x)._array.shape == (1 << 15,)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    value = state._array[0]
    assert 300 <= value <= 1200 and (state._array == value).all()
    state._array = None
    gc.collect()
    assert live() == before


# ---- what may crash, in a process of its own ----

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PRELUDE = f"""
import faulthandler, gc, sys; faulthandler.enable()
sys.path.insert(0, {str(HERE)!r})
from test_entry import *
runtime.register(Tensor, Variable)
"""


def run(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + code],
        capture_output=True,
        cwd=ROOT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_failing_allocations() -> None:
    """Each allocation of a call fails in turn: MemoryError, and nothing is lost."""
    pytest.importorskip("_testcapi")
    code = """
import _testcapi
state, x = Variable(f32(*range(8))), Tensor(f32(*range(8)))
entry = build(
    NOTHING, state, params=types("f32[n]"), captures=types("f32[n]"),
    results=types("f32[n]", "f32[n]", "f32[n]", "f32[2,n//2]", "f32[9000]", "f32[9000]"),
    aliases={1: 0, 3: 0}, updates=((2, 0), (1, 0)), arena=8192)
single = build(NOTHING, params=types("f32[n]"), results=types("f32[n]"))
big = build(NOTHING, params=types("f32[n]"), results=types("f32[9000]"))
fail = build(FAIL, params=types("f32[n]"), results=types("f32[n]"))
entry(x), single(x), big(x)
gc.disable()
old = state._array
del old
watched = (x._array, Tensor, np.dtype(np.float32))
failures = 0
for function in (entry, single, big, fail):
    for k in range(40):
        kept = id(state._array)
        counts = [sys.getrefcount(o) for o in watched], live()
        error = answer = None
        _testcapi.set_nomemory(k, k + 1)
        try:
            answer = function(x)
        except BaseException as raised:
            error = raised
        _testcapi.remove_mem_hooks()
        if function is fail:
            continue
        if error is not None:
            assert type(error) is MemoryError, error
            failures += 1
            del error
            assert id(state._array) == kept
            answer = None
        else:
            del answer
        if function is not entry:
            assert ([sys.getrefcount(o) for o in watched], live()) == counts, k
state._array = None
gc.collect()
assert live() == 0, live()
print(failures)
"""
    assert int(run(code)) > 10


def test_arrays_outlive_the_interpreter() -> None:
    code = """
import builtins
entry = build(NOTHING, params=(), scalars=("n",), results=types("u8[n]"))
class Late:
    def __init__(self): self.kept = entry(1 << 20); self.entry = entry
    def __del__(self): self.entry(1 << 20); self.kept = None
builtins.kept = [entry(1 << 20), Late(), entry]
late = Late()
late.cycle = late
sys.late = Late()
print("fine")
"""
    assert run(code) == "fine\n"


def test_daemon_threads_at_exit() -> None:
    """A thread that comes back from native code after the interpreter has gone."""
    code = """
steps = 400_000_000
entry = build(WAIT.replace("STEPS", str(steps)), params=types("i32[n]"), results=(), work=1 << 20)
def work():
    while True:
        try:
            entry(Tensor(np.zeros(1, np.int32)))
        except HandlerError:
            pass
for _ in range(3):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
"""
    run(code)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fork() -> None:
    code = """
import os, warnings
warnings.simplefilter("ignore")
entry = adder(100_000)
x = Tensor(np.ones(100_000, np.float32))
kept = entry(x, x)
child = os.fork()
assert entry(x, kept)._array[0] == 3 and adder(3)(Tensor(f32(1, 2, 3)), Tensor(f32(1, 2, 3)))
if child:
    _, status = os.waitpid(child, 0)
    assert status == 0, status
"""
    run(code)


def test_unregistered_types() -> None:
    code = """
from tfc.backends.cpu import runtime
runtime._registered.clear()
try:
    runtime.load("")
except RuntimeError as error:
    print("register" in str(error))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, text=True)
    assert done.stdout == "True\n", done.stderr


def test_register() -> None:
    class NoSlot:
        pass

    class Base:
        __slots__ = ("first",)

    class Second(Base):
        __slots__ = ("_array",)

    for pair in ((NoSlot, NoSlot), (Tensor, Second)):
        with pytest.raises(TypeError):
            runtime.register(*pair)


def test_import_is_light() -> None:
    code = "import sys, tfc.backends.cpu.runtime; print('llvmlite' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, text=True)
    assert done.stdout == "False\n", done.stderr
