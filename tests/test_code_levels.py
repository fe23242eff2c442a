"""Which tests have full code, and that they come first in each process."""

from __future__ import annotations

from fnmatch import fnmatch
from itertools import pairwise

import pytest

from tests import code_levels
from tests.code_levels import FULL, QUICK, ROOT, dealt, place


def test_patterns_have_files() -> None:
    names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.*")]
    for pattern in (*FULL, *QUICK):
        assert any(fnmatch(name, pattern) for name in names), pattern


def test_places() -> None:
    assert place(ROOT / "test_examples.py") == 0
    assert place(ROOT / "ir" / "golden" / "rules.ir") == len(FULL) - 1
    quick = ("ir/autodiff/test_paths.py", "ops/test_random.py", "backends/cuda/test_ptx.py")
    assert {place(ROOT / name) for name in quick} == {len(FULL)}


@pytest.mark.parametrize("processes", [1, 2, 3, 8])
@pytest.mark.parametrize(("full", "quick"), [(10, 31), (0, 7), (3, 0), (2, 2), (25, 1)])
def test_each_process_has_full_code_first(full: int, quick: int, processes: int) -> None:
    tests = [(True, i) for i in range(full)] + [(False, i) for i in range(quick)]
    order = list(dealt(tests[:full], tests[full:], processes))
    assert sorted(order) == sorted(tests)
    bounds = [n * len(tests) // processes for n in range(processes + 1)]
    for start, end in pairwise(bounds):
        part = order[start:end]
        assert part == sorted(part, key=lambda test: (not test[0], test[1]))
        assert abs(sum(is_full for is_full, _ in part) - full / processes) <= 1


def test_what_a_process_and_its_children_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfc.backends.cpu.machine import quick

    monkeypatch.setattr(code_levels, "GIVEN", False)
    monkeypatch.setenv("TFC_OPT_LEVEL", "")
    for wanted in (True, False, True):
        code_levels.choose(wanted)
        assert quick() == (wanted and not code_levels.ALL)
    monkeypatch.setattr(code_levels, "GIVEN", True)
    code_levels.choose(False)
    assert quick() == (not code_levels.ALL)
