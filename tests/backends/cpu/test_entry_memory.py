"""Native entries: references, leaks, the pool, and what goes with the last reference."""

from __future__ import annotations

import gc
import itertools
import subprocess
import sys
import weakref
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
    f32,
    live,
    types,
)
from tfc.backends.cpu import jit
from tfc.backends.cpu.runtime import runtime
from tfc.backends.cpu.runtime.runtime import MISS, Dispatcher
from tfc.backends.cpu.runtime.state import INLINE_BYTES, STATE
from tfc.ir import dtypes

pytestmark = pytest.mark.usefixtures("own_tensors")


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
    after = [sys.getrefcount(o) for o in watched]
    for o, count, before in zip(watched, after, counts, strict=True):
        # A leak is one a call. What the collector takes of other tests counts None, by hundreds.
        assert abs(count - before) < (5_000 if o is None else 50)
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
        if size > INLINE_BYTES:
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
        if copy.nbytes > INLINE_BYTES:
            assert copy.ctypes.data % 64 == 0 and copy.base is not None
    live = runtime.pool_stats()["live"]
    del copy
    copy = runtime.copied(whole)
    assert runtime.pool_stats()["live"] >= live + whole.nbytes
    del copy
    assert runtime.pool_stats()["live"] == live
    words = np.array(["a", "b"] * 8000, object)
    assert runtime.copied(words).tolist() == words.tolist()


@pytest.mark.skipif(sys.platform != "linux", reason="has no such pages")
def test_medium_blocks_share_chunks_that_go_when_they_are_empty() -> None:
    run = subprocess.run([sys.executable, "-c", SHARED_CHUNKS], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


SHARED_CHUNKS = """
import resource
import numpy as np
from tfc.backends.cpu.runtime import runtime

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()

def chunks():
    return runtime.pool_stats()["chunks"]

array = np.ones(1 << 20, np.uint8)
held = [runtime.copied(array) for _ in range(60)]
assert len({block.ctypes.data >> 21 for block in held}) == 30, "two of them share a huge page"
assert chunks() == 4
before = resident()
# One block in each chunk is left: the other pages go, and what is left is as it was.
left = held[::16]
del held
runtime.pool_trim()
assert chunks() == 4
assert before - resident() > 50 << 20
assert all(block.all() for block in left)
again = [runtime.copied(array) for _ in range(56)]
assert chunks() == 4, "what was given back is used again"
del again, left
runtime.pool_trim()
assert chunks() == 0
# Where no chunk can be had, there are blocks all the same.
limit = resource.getrlimit(resource.RLIMIT_AS)
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (12 << 20), limit[1]))
held = [runtime.copied(array) for _ in range(6)]
assert chunks() == 0 and all(block.all() for block in held)
resource.setrlimit(resource.RLIMIT_AS, limit)
mixed = [runtime.copied(array) for _ in range(6)]
assert chunks() == 1
del held, mixed
runtime.pool_trim()
assert chunks() == 0 and runtime.pool_stats()["live"] == 0
"""


def test_pool_is_bounded() -> None:
    entry = build(NOTHING, params=(), scalars=("n",), results=types("u8[n]"))
    runtime.pool_trim()
    state = runtime._runtime().state
    maximum = STATE.index("maximum")
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
