"""What the machine allows, as contenders: the rate of multiply-adds, of copies, and of reading."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np

from tfc.backends.cpu import measured_peak

from . import peers
from .harness import Contender


def fma(operations: int) -> Contender:
    """So many floating-point operations at one core's best rate; a sample is one native call."""
    native, per_turn = measured_peak.multiply_add()
    out = np.zeros(64, np.float32)  # room for any vector
    clock = peers.clock()

    def sample(count: int) -> float:
        start = clock()
        native(max(1, count * operations // per_turn), 0.5, out.ctypes.data)
        return clock() - start

    return Contender("fma", sample, limit=True)


def floor(size: float, operations: float, threads: int, *, reads: bool = False) -> Contender:
    """The least time in which these threads can move so many bytes and do so many operations: a
    copy of the bytes or multiply-adds, whichever takes longer; the time to read the bytes, where
    the program hardly does anything else."""
    if reads:
        return _on_all("read", threads, _reads(size / threads, threads))
    best = measured_peak.measure(threads)
    if operations / best.operations > size / best.bandwidth(int(size)):
        return _on_all("fma", threads, _operations(operations / threads, threads))
    return _on_all("copy", threads, _copies(size / threads, threads))


Work = Callable[[int, int], None]  # of a thread, for so many calls


def _on_all(name: str, threads: int, work: Work) -> Contender:
    """A sample is the time until all threads have done their part."""
    clock = peers.clock()

    def sample(count: int) -> float:
        start = clock()
        others = [_pool(threads).submit(work, i, count) for i in range(1, threads)]
        work(0, count)
        for other in others:
            other.result()
        return clock() - start

    return Contender(name, sample, limit=True)


@cache
def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads)


def _operations(operations: float, threads: int) -> Work:
    native, per_turn = measured_peak.multiply_add()
    out = np.zeros((threads, 64), np.float32)

    def work(thread: int, count: int) -> None:
        native(max(1, round(count * operations / per_turn)), 0.5, out[thread].ctypes.data)

    return work


def _copies(size: float, threads: int) -> Work:
    """Copies of a buffer of half the size, or again and again of a part that no cache holds."""
    native = measured_peak.copying()
    length = max(64, min(int(size / 2), measured_peak.SIZES[-1]))
    buffers = np.ones((threads, 2, length), np.uint8)

    def work(thread: int, count: int) -> None:
        to, source = (buffer.ctypes.data for buffer in buffers[thread])
        whole, rest = divmod(round(count * size / 2), length)
        native(to, source, length, whole)
        native(to, source, rest, 1)

    return work


def _reads(size: float, threads: int) -> Work:
    """Sums of a buffer that no cache holds."""
    native = measured_peak.reading()
    length = measured_peak.SIZES[-1]
    buffers, out = np.ones((threads, length), np.uint8), np.zeros((threads, 64), np.float32)

    def work(thread: int, count: int) -> None:
        to, source = out[thread].ctypes.data, buffers[thread].ctypes.data
        whole, rest = divmod(round(count * size), length)
        native(to, source, length, whole)
        native(to, source, rest, 1)

    return work
