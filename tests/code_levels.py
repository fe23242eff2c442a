"""Which tests run code as LLVM generates it for users, and which take its quick way.

Tests of code (each schedule, op and writer, random programs) have what users get. The others, of
what the front end's functions mean, what a GPU gives that the CPU gives, and how functions are cut
into strips, compile for longer than they run: quick code has the same bits. `make test-all` takes
the users' for all, and who sets TFC_OPT_LEVEL has what it says.

A process may take full code for quick, but should not run quick code where full code is asked for:
so the former tests come first. Long ones come before short ones, so that what workers take from
each other in the end is short.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import TypeVar

from tests.sampling import ALL

ROOT = Path(__file__).resolve().parent

FULL = (
    *("test_examples.py", "ops/test_convolutions*.py", "ops/test_contractions.py"),
    *("autodiff/test_gradient_random.py", "fuzz/*", "test_networks.py", "ops/test_accuracy.py"),
    *("backends/cpu/*", "backends/golden/*", "backends/test_*.py", "ir/*"),
)
QUICK = ("ir/autodiff/*", "ir/test_control.py", "ir/test_strip_mine*")  # although they are in FULL

GIVEN = "TFC_OPT_LEVEL" in os.environ  # then nothing is chosen here

T = TypeVar("T")


@cache
def place(path: Path) -> int:
    """Where in the order of FULL a file of tests stands; behind all of them, where its tests take
    quick code."""
    name = path.relative_to(ROOT).as_posix()
    if not any(fnmatch(name, pattern) for pattern in QUICK):
        for i, pattern in enumerate(FULL):
            if fnmatch(name, pattern):
                return i
    return len(FULL)


def quick_in(path: Path) -> bool:
    """Whether the tests in this file will run quick code, for what is chosen as it is imported."""
    return os.environ["TFC_OPT_LEVEL"] == "0" if GIVEN else place(path) == len(FULL) and not ALL


def choose(quick: bool) -> None:
    """Let what is compiled from now on, here and in processes that are started, be of this kind."""
    if GIVEN:
        return
    if not quick:
        os.environ.pop("TFC_OPT_LEVEL", None)
    else:
        os.environ["TFC_OPT_LEVEL"] = "2" if ALL else "0"


def dealt(full: Sequence[T], quick: Sequence[T], processes: int) -> Iterator[T]:
    """In the order in which each of so many processes, which begin with equal parts of the whole,
    has full code first. What they take from each other later is the end of a part."""
    for i in range(processes):
        start, end = (n * (len(full) + len(quick)) // processes for n in (i, i + 1))
        first, last = (n * len(full) // processes for n in (i, i + 1))
        yield from full[first:last]
        yield from quick[start - first : end - last]
