"""What `make test` samples, and `make test-all` tries whole.

Where every program could be run in every way, the ways take turns: each way meets many programs,
each program some of the ways. Which ones is fixed, so that a failure comes again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

ALL = bool(os.environ.get("TFC_TEST_ALL"))

T = TypeVar("T")


def by_turns(ways: Sequence[T], number: int, keep: int) -> list[T]:
    """`keep` of the ways, in their order; for the next number those that follow: two of a, b, c are
    a b, then a c, then b c. All of them where nothing is sampled."""
    if ALL or keep >= len(ways):
        return list(ways)
    chosen = {(number * keep + i) % len(ways) for i in range(keep)}
    return [way for i, way in enumerate(ways) if i in chosen]
