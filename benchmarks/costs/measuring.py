"""The time of a function on large inputs, its floor, and how both grow."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

import tfc as tf
from tests.cases import Case
from tfc.backends.cpu import measured_peak
from tfc.ir.core import Function, Op

from .scaling import Scaled, extents

LARGE = 8_000_000  # bytes of all inputs and outputs together
GROWTH = 8  # how many times as large they are as those that they are compared with
SLOW = 0.3  # seconds of a call: nothing larger is tried
SPENT = 0.12  # seconds for the calls of one size


@dataclass(frozen=True)
class Cost:
    """A call with large inputs."""

    scaled: Scaled
    seconds: float  # the least of a few calls
    operations: int  # that its ops are
    floor: float  # seconds in which the machine moves the bytes and does the operations
    exponent: float  # of the time, as a power of the bytes

    @property
    def ratio(self) -> float:
        """The time over the floor."""
        return self.seconds / self.floor


def least(call: Callable[[], Any]) -> float:
    """The processor's seconds for a call; the least of a few."""
    found, began = math.inf, time.process_time()
    for done in range(40):
        start = time.process_time()
        call()
        end = time.process_time()
        found = min(found, end - start)
        if end - began > SPENT and done > 1:
            break
    return found


@cache
def copied(size: int) -> float:
    """The seconds of a copy that moves so many bytes, reading half of them."""
    buffers = np.ones((2, max(64, size // 2)), np.uint8)
    to, source = (b.ctypes.data for b in buffers)
    native = measured_peak.copying()
    return least(lambda: native(to, source, buffers.shape[1], 1))


@cache
def rate() -> float:
    """Vector operations on float32 a second, times the lanes: a fused one counts as one."""
    return measured_peak.measure(1).operations / 2


def floor(size: int, operations: int) -> float:
    """The least seconds in which so many bytes are moved, and operations done."""
    coarse = 1 << round(math.log2(max(size, 1 << 12)))  # few copies are measured
    return max(copied(coarse) * size / coarse, operations / rate())


def _all_ops(function: Function) -> Iterator[Op]:
    """The ops of a function, and of the regions of control flow, each once."""
    for op in function.body:
        yield op
        for region in op.regions:
            yield from _all_ops(region)


def operations(scaled: Scaled) -> int:
    """The scalar operations that the ops of a call are, as their classes say; those of numbers of 8
    bytes and more count by how much fewer a vector holds. 0 for what cannot be traced."""
    try:
        traced = tf.function(lambda *v: scaled.case.call(*v)).get_concrete_function(*scaled.tensors)
    except Exception:  # what is eager only has the bytes as its floor
        return 0
    total = 0
    for op in _all_ops(traced.function):
        count: Any = op.operations()
        if isinstance(count, int):
            wide = max((r.dtype.itemsize for r in op.results), default=4) / 4
            total += int(count * max(op.element_cost(), 1) * max(wide, 1))
    return total


def _grown(case: Case, extent: int) -> Scaled | None:
    """As large as it shall be, or as its time allows; None where it does not grow."""
    scaled = Scaled(case, extent, 4)
    try:
        if scaled.size < 2 * replace(scaled, factor=1).size:
            return None
        while scaled.size < LARGE and scaled.factor < 1 << 24:
            start = time.process_time()
            scaled()
            if time.process_time() - start > SLOW / 4:
                break
            factor = scaled.factor * max(2, min(4, LARGE // scaled.size))
            scaled = replace(scaled, factor=factor)
            assert scaled.size
    except Exception:  # a case may name sizes: these are not what it takes
        return None
    return scaled if scaled.factor >= 2 * GROWTH else None


def measured(case: Case) -> Cost | None:
    """What a case costs where the first of its extents that can grow did; None where none can."""
    for extent in extents(case):
        large = _grown(case, extent)
        if large is None:
            continue
        less = replace(large, factor=large.factor // GROWTH)
        assert less.size  # which calls it, and compiles what there is to compile
        times = [least(less), least(large)]
        exponent = math.log(times[1] / times[0]) / math.log(large.size / less.size)
        count = operations(large)
        return Cost(large, times[1], count, floor(large.size, count), exponent)
    return None
