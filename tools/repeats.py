"""Which cases of parametrised tests repeat what other tests do?

    python -m tools.repeats --of test_same_bits test_products -- tests/backends/cuda

runs the tests and notes for each which branches of tfc it takes, and which ops it emits, tensor ops
and kernel ops, with the dtypes of their operands and results. A case of the named functions repeats
if all of that is done by other cases of them that are kept; those that are in the file already go
first, then the dearest. Each value of each parameter that a case's name tells (`f32` and `17` of
`f32-17`) stays in one that is kept. Name functions together that compare with the same thing: what
a test computes and does not look at is no check. `--write` puts the cases into tests/repeats.txt,
which leaves them to `make test-all`; without it they are printed. Cases that are skipped here, or
deselected, stay as the file has them.

    python -m tools.repeats --beside --of test_rows_are_the_tree test_dtypes -- tests/ir

is for sweeps over sizes, dtypes and random programs. What other tests of the run do counts, too: a
case also goes if each thing that it does is done by two tests that stay, of whichever function. At
least a third of the cases of each function stay.

Branches are told by `sys.monitoring`, so this takes Python 3.12 or newer. What a case finds in a
cache it does not do itself, so it counts for the tests before it.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.sampling import REPEATS, cases_in

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tests" / "repeats.txt"
ROOMS = tuple(str(ROOT / room) for room in ("tfc", "ir", "backends"))
TOOL = 3  # a number that no debugger, profiler or coverage tool has taken
HEAD = """\
# Cases that `make test` leaves to `make test-all`: they take no branch of tfc that other cases do
# not take, and emit no op with dtypes that others do not. `python -m tools.repeats` finds them.
"""


class Done(NamedTuple):
    """What a test costs, and what it does."""

    seconds: float
    features: frozenset[Any]


def function(name: str) -> str:
    """The test that a case is one of."""
    return name.partition("[")[0]


def case(name: str) -> str:
    """What the name says behind that of the test."""
    return name.partition("[")[2][:-1]


def among(name: str, functions: Iterable[str]) -> bool:
    """Whether it is a case of one of these functions."""
    return function(name).rpartition("::")[2] in functions


def parts(name: str) -> set[tuple[str, str]]:
    """The test with each of the values that the case's name tells, between dashes."""
    return {(function(name), part) for part in re.split(r"-|\.\.", case(name))}


def repeated(
    cases: Mapping[str, Done],
    listed: Iterable[str] = (),
    beside: Iterable[Done] | None = None,
) -> list[str]:
    """The cases that go without a feature being lost.

    Args:
        cases: The cases that may go.
        listed: Those that go already. They are the first to go, so that another run changes
            little; then the dearest.
        beside: What other tests do, which stay: each feature must then be in two tests that stay,
            and a third of each function's cases stays. A name of one value is no feature.
    """
    before = set(listed)
    known = {name: set(done.features) for name, done in cases.items()}
    left = Counter(map(function, cases))
    least = {test: 0 if beside is None else -(-number // 3) for test, number in left.items()}
    for name in cases:
        if beside is None or len(parts(name)) > 1:
            known[name] |= parts(name)
    count = Counter(feature for features in known.values() for feature in features)
    for done in beside or ():
        count.update(done.features)
    found = []
    for name in sorted(cases, key=lambda name: (name not in before, -cases[name].seconds)):
        enough = left[function(name)] > least[function(name)]
        if enough and all(
            count[feature] > (1 if beside is None or feature in parts(name) else 2)
            for feature in known[name]
        ):
            count.subtract(known[name])
            left[function(name)] -= 1
            found.append(name)
    return found


def updated(
    listed: Mapping[str, Iterable[str]],
    ran: Iterable[str],
    found: Iterable[str],
    unknown: Iterable[str],
) -> dict[str, list[str]]:
    """The cases that the file has after a run, by test.

    Args:
        listed: Those that it had.
        ran: Cases that were run.
        found: Those of them that repeat.
        unknown: Cases that the run told nothing of: they stay where they were.
    """
    tests = set(map(function, ran))
    names = {t: list(cases) for t, cases in listed.items() if t not in tests}
    again = {name for name in unknown if function(name) in tests}
    stay = {name for name in again if case(name) in listed.get(function(name), ())}
    for name in {*found, *stay}:
        names.setdefault(function(name), []).append(case(name))
    return dict(sorted(names.items()))


def written(names: Mapping[str, Iterable[str]]) -> str:
    """The text of the file."""
    blocks = ("\n".join([test, *(f"    {c}" for c in sorted(names[test]))]) for test in names)
    return HEAD + "".join(f"{block}\n" for block in blocks)


def kind(value: Any) -> str:
    """Its dtype, and whether it is a tensor or a scalar."""
    return f"{getattr(value.type, 'dtype', '')}{'[]' if getattr(value.type, 'shape', ()) else ''}"


class Recorder:
    """The plugin of pytest that notes what tests do."""

    def __init__(self) -> None:
        self.tests: dict[str, Done] = {}
        self.unknown: set[str] = set()  # tests that were not run to their end
        self.monitoring: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        self.codes: dict[int, Any] = {}  # kept, so that no other code gets their ids
        self.features: set[Any] = set()
        self.ways: dict[tuple[int, int], int] = {}

    def pytest_sessionstart(self) -> None:
        events = self.monitoring.events
        self.monitoring.use_tool_id(TOOL, "repeats")
        self.monitoring.register_callback(TOOL, events.PY_START, self._starts)
        self.monitoring.register_callback(TOOL, events.BRANCH, self._branches)
        self.monitoring.set_events(TOOL, events.PY_START)
        from tfc.ir.core import Builder

        append = Builder._append

        def noted(builder: Builder, op: Any) -> Any:
            results = append(builder, op)
            self.features.add((type(op).__name__, *map(kind, (*op.operands, *results))))
            return results

        Builder._append = noted  # type: ignore[method-assign]

    def _starts(self, code: Any, _: int) -> Any:
        if code.co_filename.startswith(ROOMS):
            if id(code) not in self.codes:
                self.codes[id(code)] = code
                self.monitoring.set_local_events(TOOL, code, self.monitoring.events.BRANCH)
            self.features.add(id(code))
        return self.monitoring.DISABLE

    def _branches(self, code: Any, offset: int, target: int) -> Any:
        """Until both ways were taken."""
        place = (id(code), offset)
        way = self.ways.setdefault(place, target)
        self.features.add((*place, target))
        return self.monitoring.DISABLE if way != target else None

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.features, self.ways = set(), {}
        self.monitoring.restart_events()
        start = time.process_time()
        result = yield
        self.tests[item.nodeid] = Done(time.process_time() - start, frozenset(self.features))
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.skipped:
            self.unknown.add(report.nodeid)

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        self.unknown.update(item.nodeid for item in items)

    def pytest_sessionfinish(self) -> None:
        self.monitoring.set_events(TOOL, 0)
        self.monitoring.free_tool_id(TOOL)


def main() -> int:
    """Run the tests, and tell what repeats."""
    parser = argparse.ArgumentParser(prog="python -m tools.repeats", description=__doc__)
    parser.add_argument("--of", nargs="+", required=True, help="functions whose cases may go")
    parser.add_argument("--beside", action="store_true", help="what other tests do counts, too")
    parser.add_argument("--write", action="store_true", help="put them into tests/repeats.txt")
    parser.add_argument("tests", nargs="+", help="what pytest is given: all tests of a family")
    options = parser.parse_args()
    if not hasattr(sys, "monitoring"):
        parser.error("branches are told by sys.monitoring, which Python 3.12 brought")
    os.environ["TFC_CACHE_DIR"] = ""  # else programs of before are recalled
    recorder = Recorder()
    status = pytest.main(["-q", "-p", "no:cacheprovider", "--repeats", *options.tests], [recorder])
    if status:
        return int(status)
    cases = {
        name: done
        for name, done in recorder.tests.items()
        if among(name, options.of) and name not in recorder.unknown
    }
    rest = [done for name, done in recorder.tests.items() if name not in cases]
    names = repeated(cases, REPEATS, rest if options.beside else None)
    spared = sum(cases[name].seconds for name in names)
    spent = sum(done.seconds for done in cases.values())
    print(f"{len(names)} of {len(cases)} cases, {spared:.1f} of {spent:.1f} s")
    if options.write:
        listed = cases_in(FILE.read_text())
        FILE.write_text(written(updated(listed, cases, names, recorder.unknown)))
    else:
        print(written(updated({}, cases, names, ())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
