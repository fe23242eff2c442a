"""Measuring contenders in turn, and printing what came out.

A row of the table is one piece of work and its contenders: tfc, peers, and sometimes a limit of
the machine (the speed of a copy, say). First their results are compared. Then, in each of many
rounds, every contender runs in turn, so that a noisy moment of the machine strikes them all.

A contender that is far behind rests after a few rounds, which leaves time for more rounds of the
others.

What is compared is the least that each contender takes: a machine's neighbours slow down one
sample or another, for less than a round lasts, and nobody is faster for them. Look at `median`
beside `min` for how calm the machine was, and for what comes and goes with threads.
"""

from __future__ import annotations

import gc
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from . import peers

SAMPLE = 4e-3  # seconds that one sample shall take at least, by calling more often
MIN_ROUNDS, MAX_ROUNDS = 15, 61
ALL_ROUNDS = 5  # of all contenders; afterwards those rest that are far behind
FAR_BEHIND = 2.5  # times as long as the fastest

Sampler = Callable[[int], float]


@dataclass(frozen=True)
class Contender:
    """One way to do a row's work. Names that begin with "tfc" are ours."""

    name: str
    sample: Sampler  # the seconds that so many calls take
    value: Callable[[], Any] | None = None  # what the work gives, to be compared
    limit: bool = False  # what the machine can do, not a competitor
    single: bool = False  # a sample is always one call
    failure: str = ""  # why it cannot take part
    profile: Callable[[], str] = str  # a table of what it spends its time on
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
    scope = {**names, "clock": peers.clock(), "repeat": itertools.repeat}
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
    budget: float = 2.5  # seconds of measuring
    rounds: int = MAX_ROUNDS
    quick: Callable[[], list[Contender]] | None = None  # the same work at small sizes
    show: Callable[[float], str] = lambda value: show_seconds(value)
    table: str = ""  # of the page, if it belongs to one

    def show_rate(self, seconds: float) -> str:
        """How much of the work is done in a second."""
        return f"{self.work / seconds:.3g}"


ROWS: list[Row] = []


def row(name: str, **rest: Any) -> Callable[[Callable[[], list[Contender]]], Any]:
    """Add the decorated function's contenders to the table."""

    def add(make: Callable[[], list[Contender]]) -> Callable[[], list[Contender]]:
        ROWS.append(Row(name, make, **rest))
        return make

    return add


def select(rows: Sequence[Row], words: Sequence[str]) -> list[Row]:
    """Those with one of these names; what is no name stands for all rows that contain it."""
    names = {row.name for row in rows}
    exact = names.intersection(words)
    parts = [word for word in words if word not in names]
    return [
        row
        for row in rows
        if not words or row.name in exact or any(part in row.name for part in parts)
    ]


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
        """How many times as long as `other`, each at its best."""
        return self.best / other.best


class DisagreementError(Exception):
    """Two contenders do not compute the same."""


def compare(row: Row, contenders: Sequence[Contender]) -> None:
    """Raise DisagreementError where a result, or a part of a tuple, is not the first
    contender's."""
    known = [(c.name, c.value()) for c in contenders if c.value is not None]
    for name, value in known[1:]:
        own, other = _parts(known[0][1]), _parts(value)
        if len(own) != len(other):
            raise DisagreementError(f"{known[0][0]} gives {len(own)} results, {name} {len(other)}")
        for a, b in zip(own, other, strict=True):
            _compare(row.rtol, known[0][0], np.asarray(a), name, np.asarray(b))


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _compare(rtol: float, first: str, a: np.ndarray, second: str, b: np.ndarray) -> None:
    if a.shape != b.shape:
        raise DisagreementError(f"{first} gives shape {a.shape}, {second} {b.shape}")
    scale = float(np.abs(a).max(initial=0.0))
    if not np.allclose(a, b, rtol=rtol, atol=rtol * scale):
        worst = float(np.abs(a.astype(np.float64) - b).max())
        raise DisagreementError(f"{second} differs from {first} by up to {worst}")


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


def measure(row: Row, quick: bool = False) -> Result:
    """Compare the contenders, then time them in turn; with `quick` at small sizes, and once."""
    if quick and row.quick:
        row = replace(row, make=row.quick, work=0.0)  # rates are those of the full size
    made = row.make()
    contenders = [c for c in made if not c.failure]
    compare(row, contenders)
    counts = [1 if quick else calls_per_sample(c) for c in contenders]
    times: list[list[float]] = [[] for _ in contenders]
    order = list(range(len(contenders)))
    began = time.perf_counter()
    collecting = gc.isenabled()
    for done in range(1 if quick else row.rounds):
        if done >= min(MIN_ROUNDS, row.rounds) and time.perf_counter() - began > row.budget:
            break
        if done == ALL_ROUNDS:
            order = near(contenders, times)
        gc.collect()
        gc.disable()
        try:
            for i in order:
                times[i].append(contenders[i].sample(counts[i]) / counts[i])
        finally:
            if collecting:
                gc.enable()
        order.append(order.pop(0))  # nobody is always the first
    found = tuple(Timing(c, tuple(t)) for c, t in zip(contenders, times, strict=True))
    return Result(row, found, tuple(c for c in made if c.failure))


def near(contenders: Sequence[Contender], times: Sequence[Sequence[float]]) -> list[int]:
    """The numbers of those that are not far behind the fastest, of tfc's and of limits."""
    least = [min(t) for t in times]
    competing = [s for c, s in zip(contenders, least, strict=True) if not c.limit]
    most = FAR_BEHIND * min(competing, default=0.0)
    return [i for i, c in enumerate(contenders) if c.ours or c.limit or least[i] <= most]


# Printing.

HEADER = (
    f"{'':50}{'':15}{'median':>10}{'min':>10}{'/ best peer':>13}{'rate':>15}{'of limit':>10}  goals"
)


def show_seconds(seconds: float) -> str:
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}" if seconds < 1e3 else f"{seconds:.0f} s"
    return f"{seconds * 1e9:.0f} ns"


def show_bytes(size: float) -> str:
    return f"{size / 1e6:.3g} MB"


@dataclass(frozen=True)
class Result:
    """A row and what was measured, or why it could not be."""

    row: Row
    timings: tuple[Timing, ...]  # of those that took part
    failures: tuple[Contender, ...] = ()  # those that could not
    error: str = ""

    @property
    def broken(self) -> bool:
        """Whether it could not be measured, or tfc not take part."""
        return bool(self.error) or any(c.ours for c in self.failures)

    @property
    def own(self) -> Timing | None:
        return next((t for t in self.timings if t.contender.name == "tfc"), None)

    @property
    def best_peer(self) -> Timing | None:
        others = [t for t in self.timings if not t.contender.ours and not t.contender.limit]
        return min(others, key=lambda t: t.best, default=None)

    @property
    def limit(self) -> Timing | None:
        return next((t for t in self.timings if t.contender.limit), None)

    @property
    def behind(self) -> float | None:
        """tfc's time as a multiple of the best peer's."""
        own, peer = self.own, self.best_peer
        return own.over(peer) if own and peer else None

    @property
    def share(self) -> float | None:
        """What of the machine's limit tfc reaches."""
        own, limit = self.own, self.limit
        return limit.over(own) if own and limit else None


def goals(result: Result) -> list[str]:
    """Whether tfc meets the row's goals, in words."""
    row, own = result.row, result.own
    by_name = {t.contender.name: t for t in result.timings}
    if own is None:
        return []
    words = []
    for name, ratio in row.goals.items():
        if name in by_name:
            reached = own.over(by_name[name])
            verdict = "met" if reached <= ratio else "MISSED"
            words.append(f"{verdict}: {reached:.2f} of {name} (goal {ratio:.2f})")
    if row.at_most is not None:
        verdict = "met" if own.best <= row.at_most else "MISSED"
        words.append(f"{verdict}: goal {row.show(row.at_most)}")
    return words


def lines(result: Result) -> list[str]:
    """The row's part of the table."""
    row, peer, limit = result.row, result.best_peer, result.limit
    if result.error:
        return [f"{row.name:50}FAILED: {result.error}"]
    verdicts = goals(result)
    found = []
    for i, t in enumerate(result.timings):
        c = t.contender
        ratio = f"{t.over(peer):.2f}" if peer and not c.limit else ""
        rate = f"{row.work / t.best:.3g} {row.unit}" if row.work else ""
        share = f"{limit.over(t):.2f}" if limit and not c.limit else ""
        title = row.name if i == 0 else ""
        remark = verdicts[i] if i < len(verdicts) else ""
        if note := c.note():
            remark = f"{remark}  [{note}]"
        found.append(
            f"{title:50}{c.name:15}{row.show(t.median):>10}{row.show(t.best):>10}"
            f"{ratio:>13}{rate:>15}{share:>10}  {remark}".rstrip()
        )
    found += [f"{'':50}{c.name:15}FAILED: {_short(c.failure)}" for c in result.failures]
    found += [f"{'':125}{v}" for v in verdicts[len(result.timings) :]]
    return found


def _short(text: str) -> str:
    return " ".join(text.split())[:160]


def attempt(row: Row, quick: bool) -> Result:
    """The row's result, also where it cannot be measured: one that fails must not hide others."""
    try:
        return measure(row, quick)
    except Exception as error:
        text = str(error).strip().replace("\n", "\n    ")
        return Result(row, (), (), f"{type(error).__name__}: {text}")


def run(rows: Sequence[Row], quick: bool = False, profile: bool = False) -> list[Result]:
    """Measure and print `rows`, with their profiles where there are such."""
    print(HEADER)
    found = []
    for row in rows:
        result = attempt(row, quick)
        found.append(result)
        print("\n".join(lines(result)))
        if profile and result.own and (text := result.own.contender.profile()):
            print("\n".join(f"    {line}" for line in text.splitlines()))
        sys.stdout.flush()
    return found
