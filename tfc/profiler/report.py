"""What the kernels of a function take, beside what the machine could do."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tfc.backends.cpu.measured_peak import measure
from tfc.backends.measured import Limits, Measured

from ..core import blame
from ..core.formatting import shown

SECONDS = 0.2  # that `profile` measures for, at least
LEAST, MOST = 10, 10_000  # calls
WIDTH = 60  # of the names of kernels in a table


def limits(threads: int | None = None) -> Limits:
    """What this machine can do at best, measured once, in about a tenth of a second.

    Args:
        threads: On how many threads; None: as many as kernels may use.

    Returns:
        An object with `operations`, of float32 a second, and `copies`, pairs (bytes of a buffer,
        bytes a second that are read and written) for buffers in each level of the cache and in
        memory; `bandwidth(size)` and `seconds(size, operations)` are computed from that.

    Raises:
        ValueError: If `threads` is no positive integer.

    >>> import tfc as tf
    >>> best = tf.profiler.limits(threads=1)
    >>> best.operations > 1e9, best.bandwidth(100_000_000) > 1e8
    (True, True)
    """
    from tfc.backends.cpu.runtime import runtime

    count = runtime.threads() if threads is None else threads
    if not isinstance(count, int) or count < 1:
        raise blame.value_error(
            f"threads must be a positive integer, got {shown(threads)}", "limits"
        )
    return measure(count)


@dataclass(frozen=True)
class KernelProfile:
    """What one kernel took.

    `name` says which ops it fuses, `line` where the user wrote them, `calls` how often it runs in
    a call of the function, `seconds` what its fastest run took, `bytes` and `operations` what a
    run moves and does at least. `floor` is the time in which the machine could do that.

    >>> import tfc as tf
    >>> x = tf.ones([100])
    >>> f = tf.function(lambda x: tf.exp(x)).get_concrete_function(x)
    >>> (kernel,) = f.profile(x).kernels
    >>> kernel.name, kernel.calls, kernel.bytes, kernel.operations
    ('exp', 1.0, 800.0, 100.0)
    """

    name: str
    line: str
    calls: float
    seconds: float
    bytes: float
    operations: float
    floor: float

    @property
    def share(self) -> float:
        """What of the machine's limit the kernel reaches."""
        return self.floor / self.seconds if self.seconds else 1.0


@dataclass(frozen=True)
class Profile:
    """What `ConcreteFunction.profile` measured; printed, it is a table with a row a kernel, those
    that take longest first.

    The limit of a kernel is what the machine could do on as many threads as the kernel may use:
    the larger of the times for its bytes (in the level of the cache where they fit) and for its
    operations. Above 1 is what stays in registers or a nearer cache from one kernel to the next.

    >>> import tfc as tf
    >>> x = tf.ones([100])
    >>> f = tf.function(lambda x: tf.exp(x)).get_concrete_function(x)
    >>> found = f.profile(x)
    >>> print(str(found).splitlines()[1])  # doctest: +NORMALIZE_WHITESPACE
    us  % time  runs   KB  GB/s  GFLOP/s  of limit  kernel  line
    >>> found.seconds >= found.kernels[0].seconds
    True
    """

    name: str
    seconds: float  # the fastest call
    threads: int
    kernels: tuple[KernelProfile, ...]
    device: str = ""  # of a GPU

    def __str__(self) -> str:
        count = f"{len(self.kernels)} kernel{'s' * (len(self.kernels) != 1)}"
        head = f"{self.name}: {1e6 * self.seconds:.1f} us a call, {count}, "
        if self.device:
            head += f"on {self.device}"
        else:
            head += f"up to {self.threads} thread{'s' * (self.threads != 1)}"
        titles = ("us", "% time", "runs", "KB", "GB/s", "GFLOP/s", "of limit", "kernel", "line")
        rows = [titles, *map(self._row, sorted(self.kernels, key=_time, reverse=True))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join([head, *(_aligned(row, widths) for row in rows)])

    def _row(self, kernel: KernelProfile) -> tuple[str, ...]:
        seconds = kernel.seconds or 1e-9
        return (
            f"{1e6 * seconds:.2f}",
            f"{100 * _time(kernel) / max(self.seconds, 1e-9):.1f}",
            f"{kernel.calls:g}",
            f"{kernel.bytes / 1e3:.1f}",
            f"{kernel.bytes / seconds / 1e9:.1f}",
            f"{kernel.operations / seconds / 1e9:.1f}",
            f"{kernel.share:.2f}",
            kernel.name if len(kernel.name) <= WIDTH else kernel.name[: WIDTH - 4] + " ...",
            kernel.line,
        )


def _time(kernel: KernelProfile) -> float:
    return kernel.calls * kernel.seconds


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    numbers = [f"{cell:>{width}}" for cell, width in zip(row[:7], widths, strict=False)]
    return "  ".join([*numbers, f"{row[7]:<{widths[7]}}", row[8]]).rstrip()


def profile(
    name: str, call: Callable[[], Any], counters: Sequence[Any], device: str = ""
) -> Profile:
    """Call a profiled program again and again, and look at what its kernels took. `counters` are
    those of a backend; `device` is the name of a GPU."""
    from tfc.backends.cpu.runtime import runtime

    call()  # memory is there from now on, and in the cache
    for c in counters:
        c.clear()
    best, count, end = float("inf"), 0, time.perf_counter() + SECONDS
    while count < LEAST or (count < MOST and time.perf_counter() < end):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
        count += 1
    threads = runtime.threads()
    kernels = tuple(
        _kernel(m, count, c.limits(m.cost.parallel)) for c in counters for m in c.read()
    )
    return Profile(name, best, threads, kernels, device)


def _kernel(measured: Measured, calls: int, best: Limits) -> KernelProfile:
    cost = measured.cost
    size, operations = measured.bytes / measured.calls, measured.operations / measured.calls
    return KernelProfile(
        cost.name,
        str(cost.location or ""),
        measured.calls / calls,
        measured.least * 1e-9,
        size,
        operations,
        best.seconds(int(size), int(operations)),
    )
