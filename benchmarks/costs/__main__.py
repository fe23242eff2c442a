"""What each public function costs on large inputs, against the least that it could cost.

    python -m benchmarks.costs                  # all functions, some minutes
    python -m benchmarks.costs sort gather      # these alone, all of their cases
    python -m benchmarks.costs --write          # into docs/reference/costs.md

The inputs are those of tests/cases with one extent multiplied (see scaling.py), until inputs and
outputs are some 8 MB together. The floor is the time of a copy that moves as many bytes, or that of
the operations that its ops stand for at one a lane and cycle, whichever is longer. Everything runs
eagerly, on one processor. The exit status tells whether a function is more than 10 times above its
floor, or grows faster than it, without a reason in reasons.py.
"""

from __future__ import annotations

import argparse
import datetime
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    os.environ.setdefault("TFC_NUM_THREADS", "1")

from benchmarks import peers
from benchmarks.__main__ import processor
from benchmarks.harness import show_seconds
from tests.cases import CASES

from .measuring import Cost, measured
from .reasons import REASONS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "costs.md"
RATIO = 10.0  # times the floor that need a reason
EXPONENT = 1.1  # growth that does
SECONDS = 30  # of processor time, for one case


class TooLongError(Exception):
    """A case takes too long to be measured."""


@contextmanager
def _limit() -> Iterator[None]:
    """Raise TooLongError after so many seconds of processor time. (Asked for after as many of the
    clock: while a timer of processor time runs, Linux counts it in ticks for all who ask.)"""
    end = time.process_time() + SECONDS

    def look(*_: Any) -> None:
        if time.process_time() >= end:
            raise TooLongError
        signal.alarm(1)

    usual = signal.signal(signal.SIGALRM, look)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, usual)


def costs(names: list[str]) -> tuple[dict[str, Cost], list[str]]:
    """By function what its first case that can grow costs, or its worst where names are given; and
    the functions whose cases cannot."""
    found: dict[str, Cost] = {}
    for case in CASES:
        if (names and case.name not in names) or (not names and case.name in found):
            continue
        try:
            with _limit():
                cost = measured(case)
        except TooLongError:
            continue
        if cost is not None:
            print(_line(case.name, cost), flush=True)
            if case.name not in found or cost.ratio > found[case.name].ratio:
                found[case.name] = cost
    return found, sorted({c.name for c in CASES if not names or c.name in names} - set(found))


def _fault(name: str, cost: Cost) -> str:
    """What needs a reason and has none."""
    if name in REASONS:
        return ""
    if cost.ratio > RATIO:
        return "above its floor"
    return "grows faster" if cost.exponent > EXPONENT and cost.ratio > RATIO / 2 else ""


def _shapes(cost: Cost) -> str:
    """The sizes of the operands, as `4096x3`."""
    shapes = ["x".join(map(str, t.shape)) or "scalar" for t in cost.scaled.tensors]
    return ", ".join(shapes)


def _line(name: str, cost: Cost) -> str:
    return (
        f"{name:36}{cost.ratio:8.1f}{cost.exponent:8.2f}{show_seconds(cost.seconds):>12}"
        f"{show_seconds(cost.floor):>12}  {_shapes(cost)}  {_fault(name, cost)}"
    ).rstrip()


def _rows(found: dict[str, Cost]) -> list[tuple[str, Cost]]:
    return sorted(found.items(), key=lambda row: -row[1].ratio)


def page(found: dict[str, Cost], without: list[str]) -> str:
    """The text of the page."""
    date = datetime.date.today().isoformat()
    high = [row for row in _rows(found) if row[1].ratio > RATIO]
    lines = [
        "# Costs: each function against its floor",
        "",
        "What each public function takes on large inputs, and the least that it could take: the",
        "time of a copy of as many bytes as its inputs and outputs have, or of the operations that",
        "it has to do (one a lane of a vector register and cycle), whichever is longer.",
        "",
        "    python -m benchmarks.costs --write    # measures them, and writes this page",
        "",
        "The inputs are those of the tests with one extent multiplied, the first that may be,",
        "until inputs and outputs are some 8 MB together; the others stay as small as they are in",
        "the tests, which is hard on functions of rows and of matrices. Times are the processor's,",
        "the least of a few eager calls, on a machine with neighbours: single rows may be twice as",
        f"long. {date}, one processor: {processor()}.",
        "",
        "- *times the floor*: what is above 10 has a reason beside it.",
        "- *growth*: the exponent of the time, as a power of the size, from an eighth of it on.",
        "  What fits a nearer cache at an eighth grows faster; where windows grow with what they",
        "  slide over, work grows as their product, which the floor has.",
        "",
        f"Of {len(found)} functions {len(high)} are above 10 times their floor.",
        "",
        "| function | sizes | time | floor | times the floor | growth | why |",
        "| --- | --- | ---: | ---: | ---: | ---: | --- |",
    ]
    for name, cost in _rows(found):
        why = REASONS.get(name, "") if cost.ratio > RATIO or cost.exponent > EXPONENT else ""
        lines.append(
            f"| `{name}` | {_shapes(cost)} | {show_seconds(cost.seconds)} | "
            f"{show_seconds(cost.floor)} | {cost.ratio:.1f} | {cost.exponent:.2f} | {why} |"
        )
    lines += [
        "",
        "Not measured, as their cases name their sizes, take none, or take minutes at these:",
        ", ".join(f"`{name}`" for name in without) + ".",
        "",
    ]
    return "\n".join(lines)


def main() -> int:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.costs",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", help="functions; all of their cases are measured")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    options = parser.parse_args()
    peers.share_processor()
    found, without = costs(options.names)
    print("\nThe worst first:")
    for name, cost in _rows(found):
        print(_line(name, cost))
    print(f"{len(found)} functions; not measured: {', '.join(without)}")
    faults = [name for name, cost in found.items() if _fault(name, cost)]
    print(f"Without a reason: {', '.join(faults) or 'none'}")
    if options.write:
        PAGE.write_text(page(found, without))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
