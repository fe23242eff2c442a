"""What `make test` samples, and `make test-all` tries whole.

Where every program could be run in every way, the ways take turns: each way meets many programs,
each program some of the ways. Which ones is fixed, so that a failure comes again.

Cases of parametrised tests that do nothing which others do not do are named in repeats.txt. They
are found by measuring (tools/repeats.py), and left out where no test is named (conftest.py).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

ALL = bool(os.environ.get("TFC_TEST_ALL"))

T = TypeVar("T")


def cases_in(text: str) -> dict[str, list[str]]:
    """The names of cases that repeats.txt has for each test."""
    found: dict[str, list[str]] = {}
    test = ""
    for line in text.splitlines():
        if line.startswith("    "):
            found[test].append(line[4:])
        elif not line.startswith("#"):
            found[test := line] = []
    return found


_listed = cases_in(Path(__file__).with_name("repeats.txt").read_text())
REPEATS = frozenset(f"{test}[{case}]" for test, cases in _listed.items() for case in cases)


def by_turns(ways: Sequence[T], number: int, keep: int) -> list[T]:
    """`keep` of the ways, in their order; for the next number those that follow: two of a, b, c are
    a b, then a c, then b c. All of them where nothing is sampled."""
    if ALL or keep >= len(ways):
        return list(ways)
    chosen = {(number * keep + i) % len(ways) for i in range(keep)}
    return [way for i, way in enumerate(ways) if i in chosen]
