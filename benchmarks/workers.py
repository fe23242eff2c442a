"""Contenders in processes of their own, which are asked through pipes.

A library may be installed for another interpreter than the one that runs the benchmarks:
`--interpreter tensorflow=/path/to/python` says so, and its contenders run there.
"""

from __future__ import annotations

import atexit
import contextlib
import pickle
import selectors
import subprocess
import sys
import tempfile
import time
from functools import cache
from typing import Any, cast

from . import libraries, peers
from .harness import Contender
from .libraries import Mode
from .processes import environment
from .workloads import Workload

TIMEOUT = 300.0  # seconds for one answer: some need minutes to compile
PAUSE = 5e-3  # seconds before a sample, in which the others' threads stop waiting for work

INTERPRETERS: dict[str, str] = {}  # by package, where not this one
SKIPPED: set[str] = set()  # the names of modes that take no part


class WorkerError(Exception):
    """A contender could not do what it was asked."""


class Worker:
    """A process that runs one mode of a library: a module of this package."""

    def __init__(
        self, mode: Mode, module: str = "worker", threads: int | None = None, **extra: str
    ) -> None:
        self.mode = mode
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  # closed by `close`
        command = [interpreter(mode.package), "-m", f"{__package__}.{module}"]
        self.process = subprocess.Popen(
            [*command, mode.name, str(threads or peers.threads())],
            env=environment() | extra,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )

    def ask(self, request: str, *arguments: Any) -> Any:
        """What the process answers, or WorkerError."""
        assert self.process.stdin and self.process.stdout
        try:
            pickle.dump((request, arguments), self.process.stdin)
            self.process.stdin.flush()
            with selectors.DefaultSelector() as selector:
                selector.register(self.process.stdout, selectors.EVENT_READ)
                if not selector.select(TIMEOUT):
                    self.close()
                    raise WorkerError(f"no answer to {request} within {TIMEOUT:.0f} s")
            fine, answer = pickle.load(self.process.stdout)
        except (EOFError, OSError):
            raise WorkerError(f"its process ended: {self.last_words()}") from None
        if not fine:
            raise WorkerError(answer)
        return answer

    def last_words(self) -> str:
        self.process.wait(10.0)
        self.errors.seek(0)
        lines = self.errors.read().strip().splitlines()
        return lines[-1] if lines else f"status {self.process.returncode}"

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def close(self) -> None:
        if self.alive:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            if stream and not stream.closed:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()


def interpreter(package: str) -> str:
    return INTERPRETERS.get(package, sys.executable)


@cache
def available(package: str) -> bool:
    """Whether the library is there for its interpreter."""
    if package not in INTERPRETERS:
        return peers.installed(package)
    code = f"import importlib.util, sys; sys.exit(not importlib.util.find_spec({package!r}))"
    return not subprocess.run([interpreter(package), "-c", code], env=environment()).returncode


@cache
def version(package: str) -> str:
    """The library's version for its interpreter."""
    mode = next(mode for mode in libraries.MODES if mode.package == package)
    if not available(package):
        return ""
    try:
        return str(worker(mode).ask("version"))
    except WorkerError:
        return ""


_workers: dict[str, Worker] = {}


def worker(mode: Mode) -> Worker:
    """The process of this mode; it stays for the rows to come."""
    found = _workers.get(mode.name)
    if found is None or not found.alive:
        found = _workers[mode.name] = Worker(mode)
    return found


@atexit.register
def close() -> None:
    """End all processes."""
    for found in _workers.values():
        found.close()
    _workers.clear()


def modes(workload: type[Workload]) -> list[Mode]:
    """Those that the workload is written for and whose library is there."""
    return [
        mode
        for mode in libraries.MODES
        if libraries.method(mode, workload) and available(mode.package) and mode.name not in SKIPPED
    ]


def contender(mode: Mode, workload: type[Workload], quick: bool) -> Contender:
    """The mode's way to do the work, or why there is none."""
    asked = worker(mode)
    try:
        asked.ask("prepare", workload.name, quick)
        value = asked.ask("value")
    except WorkerError as error:
        reason = str(error).strip() or "no reason given"
        return Contender(mode.name, lambda _: float("nan"), failure=reason)

    def sample(count: int) -> float:
        time.sleep(PAUSE)
        return cast(float, asked.ask("sample", count))

    def profile() -> str:
        return cast(str, asked.ask("profile")) if mode.name == "tfc" else ""

    return Contender(mode.name, sample, lambda: value, profile=profile)
