"""`python -m benchmarks.keras [names...]`: Keras on tfc, TensorFlow, JAX and PyTorch.

Each backend has a process of its own, which runs the same script; all take turns.

--threads 2                                  for every backend (the default)
--interpreter tensorflow=/path/to/python     where a backend (and Keras) is installed, if not here
--clock processor                            for a machine that is busy with other work
--write                                      put the table into docs/reference/performance_keras.md
--quick                                      each once, few steps: does everything run?
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable

from .. import command, peers, report, workers
from ..__main__ import processor
from ..harness import Contender, Row, show_bytes
from ..libraries import Mode
from ..processes import fresh
from ..workers import Worker, WorkerError
from .models import CASES

BACKENDS = tuple(Mode(name, name, ()) for name in ("tfc", "tensorflow", "jax", "torch"))
FRESH = (
    "import time; start = time.perf_counter()\n"
    "from benchmarks.keras.worker import first\n"
    "first({!r}, {}, {!r}, start, {})"
)

_workers: dict[tuple[str, int], Worker] = {}


def worker(mode: Mode, threads: int) -> Worker:
    """The process of this backend with so many threads."""
    found = _workers.get((mode.name, threads))
    if found is None or not found.alive:
        limits = dict.fromkeys((*peers.THREADS, peers.XLA_THREADS), str(threads))
        found = Worker(mode, "keras.worker", threads, **limits)
        _workers[mode.name, threads] = found
    return found


def asked(mode: Mode, threads: int, prepare: tuple[object, ...], request: str) -> Contender:
    """A contender that is asked for samples; it is prepared for its row."""
    process = worker(mode, threads)
    try:
        parameters = process.ask(*prepare)
    except WorkerError as error:
        return Contender(mode.name, lambda _: float("nan"), failure=str(error) or "no reason given")

    def sample(count: int) -> float:
        return float(process.ask(request, count))

    single = request in ("fit", "bare")
    return Contender(mode.name, sample, lambda: parameters, single=single)


def available() -> list[Mode]:
    return [mode for mode in BACKENDS if workers.available(mode.package)]


def fitting(name: str, threads: int, quick: bool) -> list[Contender]:
    found = [asked(mode, threads, ("prepare", name, quick), "fit") for mode in available()]
    own = worker(BACKENDS[0], threads)
    bare = Contender("bare step", lambda n: float(own.ask("bare", n)), limit=True, single=True)
    return [*found, bare]


def predicting(name: str, rows: int, request: str, threads: int) -> list[Contender]:
    return [asked(mode, threads, ("prepare_predict", name, rows), request) for mode in available()]


def beginning(name: str, threads: int, kept: bool) -> list[Contender]:
    """The first step in a fresh process; with `kept`, what other processes compiled is there."""

    def contender(mode: Mode) -> Contender:
        own = tempfile.TemporaryDirectory()  # goes with the contender

        def sample(_: int) -> float:
            with tempfile.TemporaryDirectory() as empty:
                return _fresh(mode, threads, name, 0, own.name if kept else empty)[0]

        sample(1)  # writes the byte code, and what is kept
        return Contender(mode.name, sample, single=True)

    return [contender(mode) for mode in available()]


def remembering(name: str, threads: int) -> list[Contender]:
    """The most memory of a process that trains for two epochs."""

    def contender(mode: Mode) -> Contender:
        own = tempfile.TemporaryDirectory()

        def sample(_: int) -> float:
            return _fresh(mode, threads, name, 2, own.name)[1]

        return Contender(mode.name, sample, single=True)

    return [contender(mode) for mode in available()]


def _fresh(mode: Mode, threads: int, name: str, epochs: int, cache: str) -> list[float]:
    code = FRESH.format(mode.name, threads, name, epochs)
    return fresh(code, python=workers.interpreter(mode.package), TFC_CACHE_DIR=cache)


def rows(threads: int, quick: bool) -> list[Row]:
    """All rows; memory and the first steps come first, when nothing else is there."""
    found: list[Row] = []

    def add(title: str, make: Callable[[], list[Contender]], **options: object) -> None:
        options = {"rounds": 6, "budget": 15.0, "table": "keras", **options}
        found.append(Row(title, make, **options, quick=make))  # type: ignore[arg-type]

    first = CASES["mlp"].title
    add(f"first step: {first}", lambda: beginning("mlp", threads, False), rounds=3)
    add(
        f"first step in a later process: {first}", lambda: beginning("mlp", threads, True), rounds=3
    )
    title = CASES["lstm"].title
    add(f"first step: {title}", lambda: beginning("lstm", threads, False), rounds=2)
    for name in ("mlp", "lstm"):
        title = f"memory: {CASES[name].title}"
        add(title, lambda n=name: remembering(n, threads), rounds=1, show=show_bytes)
    for name, case in CASES.items():
        title = f"step of fit: {case.title}, batch {case.batch}"
        add(title, lambda n=name: fitting(n, threads, quick))
    if threads > 1:
        add("step of fit: LSTM, one thread", lambda: fitting("lstm", 1, quick))
    for count in (1, 1024):
        title = f"predict, {count:,} row{'s' * (count > 1)}: {CASES['mlp'].title}"
        add(title, lambda n=count: predicting("mlp", n, "predict", threads))
    add(
        f"predict_on_batch, 1 row: {CASES['mlp'].title}",
        lambda: predicting("mlp", 1, "predict_on_batch", threads),
    )
    add(
        f"predict, 1,024 rows: {CASES['cnn'].title}",
        lambda: predicting("cnn", 1024, "predict", threads),
    )
    return found


def facts(threads: int, clock: str) -> list[str]:
    """What the table must say of where and how it came to be."""
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    versions = []
    for mode in BACKENDS:
        try:
            known = workers.available(mode.package)
            version = worker(mode, threads).ask("version") if known else "not there"
        except WorkerError:
            version = "fails"
        versions.append(f"{mode.name} {version}")
    return [
        f"{processor()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}",
        "Keras 3.15 on " + ", ".join(versions),
        f"All backends have {threads} thread{'s' * (threads != 1)}; times are "
        + ("the processor's." if clock == "processor" else "those on the wall."),
    ]


def main() -> int:
    parser = command.options_of("python -m benchmarks.keras", __doc__, "backend")
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall")
    options = command.parsed(parser, {mode.name for mode in BACKENDS})
    os.environ[peers.CLOCK] = options.clock
    return command.measured(
        options,
        rows(options.threads, options.quick),
        lambda: facts(options.threads, options.clock),
        _workers.values,
        report.DOCS / "performance_keras.md",
    )


if __name__ == "__main__":
    sys.exit(main())
