"""Native entries: results that are arguments, captured Variables, updates, donations."""

from __future__ import annotations

import gc
import sys
from typing import Any

import numpy as np
import pytest

from tests.backends.entries import NOTHING, Tensor, Variable, add_program, build, f32, types
from tfc.backends.cpu.runtime.runtime import MISS

pytestmark = pytest.mark.usefixtures("own_tensors")


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
    alone = object()
    assert sys.getrefcount(first) == sys.getrefcount(alone)
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
    alone = object()
    assert sys.getrefcount(old) == sys.getrefcount(alone) + 1
    array = a._array
    assert sys.getrefcount(array) == sys.getrefcount(alone) + 1


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
