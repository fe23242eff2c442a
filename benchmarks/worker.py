"""The process of one contender: `python -m benchmarks.worker <mode> <threads>`.

It reads requests from its input and answers each on its output, as pickles that the other side of
the pipe (`workers`) has written and reads: the two are one program. What libraries print goes to
the error output.
"""

from __future__ import annotations

import functools
import gc
import itertools
import os
import pickle
import sys
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from . import libraries, peers, workloads
from .workloads import Workload

SEED = 0
SLOW = 0.5  # seconds of a call that need not be prepared by another
PAGE = os.sysconf("SC_PAGE_SIZE")  # no memory takes less


class Session:
    """What a worker knows: its library, and the program that it was asked to make."""

    def __init__(self, mode: str, threads: int) -> None:
        self.mode, self.threads = libraries.BY_NAME[mode], threads

    @functools.cached_property
    def library(self) -> libraries.Library:
        return libraries.Library(self.mode, self.threads)

    def version(self) -> str:
        return self.library.version

    def prepare(self, name: str, quick: bool) -> None:
        """Make the program and its operands."""
        self.library.forget()
        self.program: Workload = workloads.known()[name](quick)
        self.function: Any = self.library.build(self.program)
        rng = np.random.default_rng(SEED)
        sets = [self.library.arrays(self.program.data(rng)) for _ in range(self.program.turns)]
        self.operands = sets[0]
        self.turn = itertools.cycle(sets).__next__
        self.call_seconds = 0.0  # of the last sample
        self.kept: deque[Any] = deque(maxlen=self.program.turns - 1)

    def value(self) -> tuple[np.ndarray, ...]:
        """What the first calls give; others start anew from the same state."""
        found = [self.call_once() for _ in range(self.program.steps)]
        parts = [libraries.numpy_parts(result) for result in found]
        return tuple(
            np.stack(rest) if len(rest) > 1 else rest[0] for rest in zip(*parts, strict=True)
        )

    def call_once(self) -> Any:
        result = self.function(*self.operands)
        self.library.wait(result)
        return result

    def sample(self, count: int) -> float:
        """The seconds that so many calls take."""
        function, turn, keep = self.function, self.turn, self.kept.append
        clock = peers.clock()
        if self.call_seconds < SLOW:  # what was given back while others ran is fetched again
            keep(self.call_once())
        gc.collect()
        gc.disable()
        try:
            start = clock()
            for _ in range(count):
                result = function(*turn())
                keep(result)
            self.library.wait(result)
            seconds = clock() - start
            self.call_seconds = seconds / count
            return seconds
        finally:
            gc.enable()

    def first_call(self, name: str, quick: bool) -> float:
        """The seconds from the program's text to its first result."""
        library = self.library
        data = library.arrays([np.ones((3, 5), np.float32)])
        library.wait(library.jit(lambda x: x * 2.0 - 3.0)(*data))  # loads what compiles
        program = workloads.known()[name](quick)
        operands = library.arrays(program.data(np.random.default_rng(SEED)))
        start = time.perf_counter()
        library.wait(library.build(program)(*operands))
        return time.perf_counter() - start

    def peak(self, name: str, quick: bool, calls: int = 3) -> dict[str, float]:
        """The most bytes that calls ever hold beyond what is there when the operands and the
        parameters are made, after small sizes ran: so what is loaded once is in neither."""
        self.prepare(name, True)
        self.call_once()
        self.prepare(name, quick)
        gc.collect()
        before = reset_peak()
        for _ in range(calls):
            self.call_once()
        found = {"measured": max(memory("VmHWM") - before, float(PAGE))}
        if planned := self.planned():
            found["planned"] = planned
        return found

    def planned(self) -> float:
        """The bytes beyond its operands that the compiler says it needs, where it can be asked."""
        if self.mode.package == "tfc" and hasattr(self.function, "get_concrete_function"):
            concrete = self.function.get_concrete_function(*self.operands)
            plan = concrete.memory_analysis(*self.operands)
            return float(plan.outputs + plan.updates + plan.temporaries)
        if self.mode.package == "jax" and hasattr(self.function, "lower"):
            plan = self.function.lower(*self.operands).compile().memory_analysis()
            return float(plan.output_size_in_bytes + plan.temp_size_in_bytes)
        return 0.0

    def profile(self) -> str:
        """tfc's table of the program's kernels."""
        concrete = self.function.get_concrete_function(*self.operands)
        return str(concrete.profile(*self.operands))


def memory(key: str) -> float:
    """A line of the kernel's account of this process, in bytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return 1024.0 * float(line.split()[1])
    raise RuntimeError(f"this system does not tell {key}")


def reset_peak() -> float:
    """Let the peak (VmHWM) begin at what is there now, which is returned."""
    Path("/proc/self/clear_refs").write_text("5")
    return memory("VmRSS")


def serve(begin: Callable[[], Any]) -> None:
    """Answer requests by the methods of what `begin` makes, until there are no more."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not be taken for an answer
    session = begin()
    while True:
        try:
            request, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = True, getattr(session, request)(*arguments)
        except Exception as error:  # told to the other side, which goes on without this contender
            answer = False, f"{type(error).__name__}: {error}"
        pickle.dump(answer, answers, protocol=5)
        answers.flush()


def main(mode: str, threads: str) -> None:
    libraries.cpu_only()
    serve(lambda: Session(mode, int(threads)))


if __name__ == "__main__":
    main(*sys.argv[1:])
