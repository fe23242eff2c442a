"""Measuring contenders in turn, and printing what came out.

A row of the table is one piece of work and its contenders: tfc, peers, and sometimes a limit of
the machine (the speed of a copy, say). First their results are compared. Then, in each of many
rounds, every contender runs in turn, so that a noisy moment of the machine strikes them all.

A table is as good as the machine is calm: compare ratios, and look at `min` beside `median`.
"""

from __future__ import annotations

import gc
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SAMPLE = 4e-3  # seconds that one sample shall take at least, by calling more often
MIN_ROUNDS, MAX_ROUNDS = 9, 41

Sampler = Callable[[int], float]


@dataclass(frozen=True)
class Contender:
    """One way to do a row's work. Names that begin with "tfc" are ours."""

    name: str
    sample: Sampler  # the seconds that so many calls take
    value: Callable[[], Any] | None = None  # what the work gives, to be compared
    limit: bool = False  # what the machine can do, not a competitor
    single: bool = False  # a sample is always one call
    note: Callable[[], str] = str  # a remark, asked for after the samples

    @property
    def ours(self) -> bool:
        return self.name.startswith("tfc")


def statement(
    name: str,
    code: str,
    *,
    wait: str = "",
    value: Callable[[], Any] | None = None,
    compare: bool = True,
    limit: bool = False,
    **names: Any,
) -> Contender:
    """The expression `code` over `names`, timed in a loop as `timeit` does.

    `wait` is a statement that ends a sample: it makes sure that the last `result` is there.
    """
    source = (
        "def sample(count):\n"
        "    start = clock()\n"
        "    for _ in repeat(None, count):\n"
        f"        result = {code}\n"
        f"    {wait or 'pass'}\n"
        "    return clock() - start\n"
    )
    scope = {**names, "clock": time.perf_counter, "repeat": itertools.repeat}
    exec(source, scope)
    program = compile(code, f"<{name}>", "eval")
    if value is None and compare:
        value = lambda: eval(program, scope)  # noqa: E731
    return Contender(name, scope["sample"], value, limit)


@dataclass(frozen=True)
class Row:
    """One piece of work. `goals` bound tfc's time as a multiple of another contender's."""

    name: str
    make: Callable[[], list[Contender]]
    work: float = 0.0  # in `unit`s times seconds, for the rate
    unit: str = ""
    goals: Mapping[str, float] = field(default_factory=dict)
    at_most: float | None = None  # seconds
    rtol: float = 2e-5
    budget: float = 1.5  # seconds of measuring
    rounds: int = MAX_ROUNDS


ROWS: list[Row] = []


def row(name: str, **rest: Any) -> Callable[[Callable[[], list[Contender]]], Any]:
    """Add the decorated function's contenders to the table."""

    def add(make: Callable[[], list[Contender]]) -> Callable[[], list[Contender]]:
        ROWS.append(Row(name, make, **rest))
        return make

    return add


@dataclass(frozen=True)
class Timing:
    """The seconds of one call."""

    contender: Contender
    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def best(self) -> float:
        return min(self.seconds)

    def over(self, other: Timing) -> float:
        """How many times as long as `other`: the median over the rounds, in each of which both
        ran within a moment of each other."""
        pairs = zip(self.seconds, other.seconds, strict=True)
        return statistics.median(own / its for own, its in pairs)


class DisagreementError(Exception):
    """Two contenders do not compute the same."""


def compare(row: Row, contenders: Sequence[Contender]) -> None:
    """Raise DisagreementError where a result is not the first contender's."""
    known = [(c.name, c.value()) for c in contenders if c.value is not None]
    for name, value in known[1:]:
        first, other = np.asarray(known[0][1]), np.asarray(value)
        if first.shape != other.shape:
            raise DisagreementError(
                f"{known[0][0]} gives shape {first.shape}, {name} {other.shape}"
            )
        scale = float(np.abs(first).max(initial=0.0))
        if not np.allclose(first, other, rtol=row.rtol, atol=row.rtol * scale):
            worst = float(np.abs(first.astype(np.float64) - other).max())
            raise DisagreementError(f"{name} differs from {known[0][0]} by up to {worst}")


def calls_per_sample(contender: Contender) -> int:
    """How many calls fill a sample, after a warm-up that compiles what there is to compile."""
    if contender.single:
        return 1
    contender.sample(2)
    count = 1
    while True:
        seconds = contender.sample(count)
        if seconds >= SAMPLE or count >= 1 << 20:
            return count
        count = max(2 * count, int(count * min(100.0, 1.2 * SAMPLE / max(seconds, 1e-9))))


def measure(row: Row) -> list[Timing]:
    """Compare the contenders, then time them in turn."""
    contenders = row.make()
    compare(row, contenders)
    counts = [calls_per_sample(c) for c in contenders]
    times: list[list[float]] = [[] for _ in contenders]
    order = list(range(len(contenders)))
    began = time.perf_counter()
    collecting = gc.isenabled()
    for done in range(row.rounds):
        if done >= min(MIN_ROUNDS, row.rounds) and time.perf_counter() - began > row.budget:
            break
        gc.collect()
        gc.disable()
        try:
            for i in order:
                times[i].append(contenders[i].sample(counts[i]) / counts[i])
        finally:
            if collecting:
                gc.enable()
        order.append(order.pop(0))  # nobody is always the first
    return [Timing(c, tuple(t)) for c, t in zip(contenders, times, strict=True)]


# Printing.

HEADER = (
    f"{'':37}{'':14}{'median':>10}{'min':>10}{'/ best peer':>13}{'rate':>15}{'of limit':>10}  goals"
)


def show_seconds(seconds: float) -> str:
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}" if seconds < 1e3 else f"{seconds:.0f} s"
    return f"{seconds * 1e9:.0f} ns"


def goals(row: Row, timings: Sequence[Timing]) -> list[str]:
    """Whether tfc meets the row's goals, in words."""
    by_name = {t.contender.name: t for t in timings}
    own = by_name.get("tfc")
    if own is None:
        return []
    words = []
    for name, ratio in row.goals.items():
        if name in by_name:
            reached = own.over(by_name[name])
            verdict = "met" if reached <= ratio else "MISSED"
            words.append(f"{verdict}: {reached:.2f} of {name} (goal {ratio:.2f})")
    if row.at_most is not None:
        verdict = "met" if own.median <= row.at_most else "MISSED"
        words.append(f"{verdict}: goal {show_seconds(row.at_most)}")
    return words


def lines(row: Row, timings: Sequence[Timing]) -> list[str]:
    """The row's part of the table."""
    peers = [t for t in timings if not t.contender.ours and not t.contender.limit]
    peer = min(peers, key=lambda t: t.median, default=None)
    limit = next((t for t in timings if t.contender.limit), None)
    verdicts = goals(row, timings)
    found = []
    for i, t in enumerate(timings):
        c = t.contender
        ratio = f"{t.over(peer):.2f}" if peer and not c.limit else ""
        rate = f"{row.work / t.median:.3g} {row.unit}" if row.work else ""
        share = f"{limit.over(t):.2f}" if limit and not c.limit else ""
        title = row.name if i == 0 else ""
        remark = verdicts[i] if i < len(verdicts) else ""
        if note := c.note():
            remark = f"{remark}  [{note}]"
        found.append(
            f"{title:37}{c.name:14}{show_seconds(t.median):>10}{show_seconds(t.best):>10}"
            f"{ratio:>13}{rate:>15}{share:>10}  {remark}".rstrip()
        )
    found += [f"{'':111}{v}" for v in verdicts[len(timings) :]]
    return found


def run(rows: Sequence[Row]) -> bool:
    """Measure and print `rows`; whether all of them could be measured."""
    print(HEADER)
    fine = True
    for row in rows:
        try:
            timings = measure(row)
        except Exception as error:  # one row that fails must not hide the others
            fine = False
            text = str(error).strip().replace("\n", "\n    ")
            print(f"{row.name:37}FAILED: {type(error).__name__}: {text}")
        else:
            print("\n".join(lines(row, timings)))
        sys.stdout.flush()
    return fine
