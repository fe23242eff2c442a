"""`python -m benchmarks.data [names...]`: pipelines of tfc, NumPy, tf.data, PyTorch and grain.

Each library has a process of its own, which goes through the same data; all take turns.

--threads 2                                  for every library (the default)
--interpreter torch=/path/to/python          where a library is installed, if not here
--write                                      put the table into docs/reference/performance_data.md
--quick                                      each once, little data: does everything run?
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile

from .. import command, peers, report, workers
from ..__main__ import processor
from ..harness import Contender, Row
from ..libraries import Mode
from ..workers import Worker, WorkerError
from .cases import TITLES, Data

MODES = (
    Mode("tfc", "tfc", ()),
    Mode("numpy", "numpy", ()),
    Mode("tensorflow", "tensorflow", ()),
    Mode("torch", "torch", ()),
    Mode("torch, 2 workers", "torch", ()),
    Mode("grain", "grain", ()),
)
CLOCKS = {"wall": "", "processor": ", CPU"}
WAYS = {"dataset": "tfc", "arrays": "arrays", "nobody": "one batch, again and again"}

_workers: dict[str, Worker] = {}


def worker(mode: Mode, threads: int) -> Worker:
    """The process of a library."""
    found = _workers.get(mode.name)
    if found is None or not found.alive:
        limits = dict.fromkeys((*peers.THREADS, peers.XLA_THREADS), str(threads))
        found = _workers[mode.name] = Worker(mode, "data.worker", threads, **limits)
    return found


def available(name: str, threads: int) -> list[Mode]:
    """The libraries that are there and have a way for a case."""
    there = [mode for mode in MODES if workers.available(mode.package)]
    return [mode for mode in there if name in worker(mode, threads).ask("ways")]


def contender(mode: Mode, request: str, prepare: tuple[object, ...], threads: int) -> Contender:
    """A library that is asked for the seconds of an element."""
    process, limit = worker(mode, threads), mode.name == "numpy"
    try:
        process.ask(*prepare)
    except WorkerError as error:
        return Contender(mode.name, lambda _: float("nan"), failure=str(error) or "no reason")

    def sample(_: int) -> float:
        return float(process.ask(request, 1))

    return Contender(mode.name, sample, single=True, limit=limit)


def rows(folder: str, threads: int, quick: bool) -> list[Row]:
    """All rows: each case by both clocks, and the training."""
    found: list[Row] = []

    def going(name: str, clock: str) -> list[Contender]:
        prepare = "prepare", name, folder, quick
        return [contender(m, clock, prepare, threads) for m in available(name, threads)]

    def training() -> list[Contender]:
        process = Worker(MODES[0], "data.worker", threads)
        _workers["training"] = process

        def fed(way: str, title: str) -> Contender:
            process.ask("prepare_training", way, quick)

            def sample(_: int) -> float:
                return float(process.ask("train", way))

            return Contender(title, sample, single=True, limit=way == "nobody")

        return [fed(way, title) for way, title in WAYS.items()]

    for name, title in TITLES.items():
        for clock, suffix in CLOCKS.items():
            make = lambda n=name, c=clock: going(n, c)  # noqa: E731
            found.append(Row(title + suffix, make, rounds=3, budget=20.0, table="data", quick=make))
    found.append(
        Row(
            "a step of training, fed by",
            training,
            rounds=3,
            budget=60.0,
            table="data",
            quick=training,
        )
    )
    return found


def facts(threads: int) -> list[str]:
    """What the table must say of where and how it came to be."""
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    versions = []
    for mode in MODES:
        if "," not in mode.name and workers.available(mode.package):
            versions.append(f"{mode.name} {worker(mode, threads).ask('version')}")
    return [
        f"{processor()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}",
        ", ".join(versions),
        "Times are those of one element: an image, a number, a line, an example, a file.",
    ]


def main() -> int:
    parser = command.options_of("python -m benchmarks.data", __doc__, "library")
    options = command.parsed(parser, {mode.package for mode in MODES})
    with tempfile.TemporaryDirectory() as folder:

        def prepare() -> list[str]:
            Data(folder, options.quick).write()
            return facts(options.threads)

        return command.measured(
            options,
            rows(folder, options.threads, options.quick),
            prepare,
            _workers.values,
            report.DOCS / "performance_data.md",
        )


if __name__ == "__main__":
    sys.exit(main())
