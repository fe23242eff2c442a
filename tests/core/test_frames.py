"""Room for frames: functions that are called there cross the end of no chunk of frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tfc.core.frames import with_room

resource = pytest.importorskip("resource")


def below(depth: int, function: Callable[[], Any]) -> Any:
    return below(depth - 1, function) if depth else function()


def wide(a: int = 1, b: int = 2, c: int = 3, d: int = 4, e: int = 5, f: int = 6, g: int = 7) -> int:
    x = y = z = a
    return x + y + z


def new_pages() -> int:
    """How many this process gets for 100 calls, which chunks of their own would have one each."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(100):
        wide()
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)


def test_no_depth_crosses_the_end_of_a_chunk() -> None:
    if max(below(depth, new_pages) for depth in range(400)) < 100:
        pytest.skip("this Python gives no chunks back")
    assert max(with_room(below, depth, new_pages) for depth in range(400)) < 100


def test_results_and_errors_pass() -> None:
    assert with_room(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        with_room(divmod, 7, 0)
