"""A campaign: random programs by number, in processes, that goes on where it was stopped.

The folder of a campaign holds

    counts.json     the next number, and how many programs were checked in which ways
    failures/       the source of each program that failed, at its smallest, and what was seen
    running/        the source of the program that each process is at

    seen/           of packs: fingerprints of what was judged, 8 bytes each, by process
    cache/          code that its processes compiled, for those after them

A process that dies or does not end is replaced; its program is a failure. One that dies before its
first program ends the campaign: the checkout does not run.

Most of what a program costs is compiling. A process has the programs of one swarm (programs.py),
which share what they run op by op, and later processes find it on the disk. Every fourth swarm has
code as users get it, and all passes verified. The others take LLVM's quick way, which gives the
same bits; in a third of them kernels check all that they access (check_bounds), the rest verifies
nothing, for what is verified is compiled anew each time. Kernels that check are not the code that
users get, whatever LLVM makes of them: they have its vectors and masks, and LLVM takes the quick
way through them, in two thirds of the time.
"""

from __future__ import annotations

import contextlib
import dataclasses
import faulthandler
import gc
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests.fuzz import makers, pack_series, slopes
from tests.fuzz.programs import Maker, Program, execute
from tests.fuzz.shrinking import smallest
from tests.fuzz.ways import Case, check
from tfc.backends.cpu import jit
from tfc.ir import passes

# Programs that a process is given at once: a swarm. To find relatives that run, which is to compile
# eager ops for most of it, took 79 ms for each of the first 32 programs of a swarm, and 13 ms for
# numbers 224 to 255 (quick code).
BATCH = 1024
# Objects that Python makes before it looks for garbage, but where code is as users have it. Such
# searches took an eighth of all time.
GARBAGE_OBJECTS = 200_000
PROGRAM_SECONDS = 120.0  # of processor time
SHRINK_SECONDS = 60.0
WAITING_SECONDS = (
    1800.0  # that a process may be at a program, however little of a processor it gets
)
# How code is generated, and what is verified, by turns of swarms. The last is as users have it:
# what is eager begins with baseline code, which all else is compared with.
KINDS = (("2", "1"), ("0", "0"), ("2", "bounds"), ("", "0"))


@dataclass(frozen=True)
class Way:
    """What is done with one program: its kind, its checks, and the name that is counted."""

    name: str
    kind: type[Maker]
    checks: tuple[str, ...]
    steps: int = 10
    relatives: int = 0  # programs of the same ops that run with it, as one function
    more: int = 0  # calls with other values

    def program(self, number: int) -> Program:
        """The one of this number, with those of its relatives that run."""
        made = makers.program(self.kind, number, self.steps, swarm(number), self.relatives)
        return dataclasses.replace(made, relatives=tuple(filter(runs, made.relatives)))

    def run(self, source: str) -> tuple[int, int]:
        """How much could be judged: 1 where all checks were made, or what slopes.py says; and how
        many calls with other values were compared."""
        case = Case(execute(source), self.more)
        if self.checks == ("slopes",):
            return slopes.check(case), 0
        return int(check(case, self.checks)), case.compared

    def examined(self, program: Program, keep: pack_series.Keep) -> tuple[Counter[str], list[int]]:
        """What is counted of a program; `keep` is given it where it fails."""
        counts = Counter({self.name: 1})
        try:
            judged, calls = self.run(program.source())
        except Exception as error:
            keep(program, error)
            counts["failures"] += 1
            return counts, []
        counts[f"{self.name}: judged"] += judged
        counts[f"{self.name}: relatives"] += len(program.relatives) if judged else 0
        counts[f"{self.name}: calls with other values"] += calls
        return counts, []


def runs(program: Program) -> bool:
    """Whether a relative runs eagerly. Not all do: values may have to be more than of one type."""
    case = Case(execute(program.source()))
    try:
        case.run(case.program, case.inputs)
        if case.relaxes:
            case.run(case.program, case.others)
    except Exception:
        return False
    return True


def way(number: int) -> Way:
    """Ways take turns; the dear ones come less often."""
    turn = number % 16
    if turn < 6:
        return Way("eager, static, symbolic", makers.Every, ("function",), 10, 7, 6)
    if turn < 9:
        left_out = passes.OPTIMISE[1 + number // 16 % (len(passes.OPTIMISE) - 1)]
        return Way("one pass left out", makers.Every, (f"without {left_out.__name__}",), 10, 3, 3)
    if turn < 11:
        return Way("gradients, four ways", makers.Every, ("gradients",), 6, 0, 4)
    if turn < 12:
        return Way("everything stored", makers.Every, ("stored",), 10, 3, 3)
    if turn < 13:
        return Way("one thread and two, large", makers.Large, ("function", "threads"), 5, 0, 2)
    if turn < 14:
        return Way("emulated GPU", makers.Every, ("emulated",), 5)
    return Way("derivatives by differences", makers.Smooth, ("slopes",), 6)


def swarm(number: int) -> int:
    return number // BATCH


@dataclass(frozen=True)
class Series:
    """What numbers stand for: single programs, or packs of small ones."""

    packs: bool
    batch: int  # numbers that a process is given at once: a swarm
    kinds: tuple[tuple[str, str], ...]  # of code and what is verified, by turns of swarms
    way: Callable[[int], Way | pack_series.Way]
    turns: int  # after so many numbers ways come again

    def names(self) -> set[str]:
        return {self.way(i).name for i in range(self.turns)}

    def environment(self, number: int, folder: Path) -> dict[str, str]:
        """For the process that runs what is numbered from `number` on. (Packs leave nothing on the
        disk: no two have a function in common.)"""
        level, verify = self.kinds[number // self.batch % len(self.kinds)]
        kind = {"TFC_OPT_LEVEL": level, "TFC_VERIFY": verify}
        return {**os.environ, **kind, "TFC_CACHE_DIR": "" if self.packs else str(folder / "cache")}


SINGLE = Series(False, BATCH, KINDS, way, 16)
PACKS = Series(True, pack_series.SWARM, pack_series.KINDS, pack_series.way, 32)


# In a process of its own.


def prepare() -> None:
    """What this process does otherwise than a user's, as its environment says (see KINDS)."""
    faulthandler.register(signal.SIGUSR1)
    if os.environ.get("TFC_OPT_LEVEL"):
        gc.freeze()
        gc.set_threshold(GARBAGE_OBJECTS, 10, 10)
    if os.environ.get("TFC_VERIFY") == "bounds":
        jit.OPT_LEVEL = 0


def run_batch(
    first: int, count: int, folder: Path, current: Path, series: Series = SINGLE
) -> Counter[str]:
    """Check programs `first` to `first + count`; failures are written into the folder, and beside
    `current` what was counted before the program that it has."""
    counts: Counter[str] = Counter()
    if series.packs:
        pack_series.hold_garbage()
    for number in range(first, first + count):
        chosen = series.way(number)
        write(counted(current), json.dumps({"number": number, "counts": counts}))
        current.write_text(f"# number {number}\n")
        program = chosen.program(number)
        current.write_text(f"# number {number}\n{program.source()}")
        found, prints = chosen.examined(program, Keeper(folder, number, chosen))
        counts.update(found)
        if prints:
            with (folder / "seen" / f"{first}.u64").open("ab") as file:
                file.write(np.array(prints, np.uint64).tobytes())
        if series.packs:
            pack_series.hold_garbage()
    return +counts


@dataclass
class Keeper:
    """Writes what fails of a number into a folder, at its smallest."""

    folder: Path
    number: int
    way: Way | pack_series.Way
    count: int = 0

    def __call__(self, program: Program, error: Exception) -> None:
        name = f"{self.number}-{self.count}" if self.count else str(self.number)
        self.count += 1
        source = shrunk(program, self.way, error).source()
        report(self.folder, self.number, source, f"{self.way.name}\n{error!r}", name)


def counted(current: Path) -> Path:
    """Where the process whose program is in `current` says which number it is at, and what was
    counted before."""
    return current.with_suffix(".json")


def forget(current: Path) -> None:
    """Leave nothing of what a process said where it was."""
    for path in (current, counted(current), current.with_suffix(".new")):
        path.unlink(missing_ok=True)


def write(path: Path, text: str) -> None:
    """Write a file at once: it has all of the text, or what it had."""
    partial = path.with_suffix(".new")
    partial.write_text(text)
    os.replace(partial, path)


def shrunk(program: Program, chosen: Way | pack_series.Way, error: Exception) -> Program:
    """The smallest program found that fails with an error of the same class."""

    def fails(candidate: Program) -> bool:
        try:
            chosen.run(candidate.source())
        except Exception as seen:
            return type(seen) is type(error)
        return False

    return smallest(program, fails, SHRINK_SECONDS)


def processor_seconds(process: int) -> float:
    """What a process has had of processors so far; 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def report(folder: Path, number: int, source: str, seen: str, name: str = "") -> None:
    """Keep a program that failed."""
    lines = [f"# {line}".rstrip() for line in seen[:4000].splitlines()[:40]]
    path = folder / "failures" / f"{name or number}.py"
    path.write_text("\n".join([f"# number {number}", *lines, "", source]))


# The parent.


@dataclass
class Worker:
    """A process at work on numbers `first` to `last`."""

    process: subprocess.Popen[str]
    current: Path
    first: int
    last: int
    changed: float = field(default_factory=time.monotonic)
    spent: float = 0.0  # processor time when it changed
    seen: str = ""

    def stuck(self) -> bool:
        """Whether it is at one program for too long."""
        text = self.current.read_text() if self.current.exists() else ""
        now, spent = time.monotonic(), processor_seconds(self.process.pid)
        if text != self.seen:
            self.seen, self.changed, self.spent = text, now, spent
        return (
            spent - self.spent > PROGRAM_SECONDS + SHRINK_SECONDS
            or now - self.changed > WAITING_SECONDS
        )

    def stop(self) -> None:
        """Let it say where it is, then end it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGUSR1)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
        self.process.kill()

    def reached(self) -> tuple[int, dict[str, int]]:
        """The number that it is at, and what it counted before."""
        path = counted(self.current)
        if not path.exists():
            return self.first, {}
        said = json.loads(path.read_text())
        return said["number"], said["counts"]


class Campaign:
    """Runs batches in `jobs` processes and keeps account in its folder."""

    def __init__(
        self, folder: Path, say: Callable[[str], None] = print, series: Series = SINGLE
    ) -> None:
        self.folder, self.say, self.series = folder, say, series
        for name in ("failures", "running", *(["seen"] if series.packs else [])):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.accounts = folder / "counts.json"
        kept = json.loads(self.accounts.read_text()) if self.accounts.exists() else {}
        self.next: int = kept.get("next", 0)
        self.counts: Counter[str] = Counter(kept.get("counts", {}))
        self.left: list[tuple[int, int]] = [(a, b) for a, b in kept.get("left", [])]

    def save(self, working: list[Worker]) -> None:
        """Batches that are not done are listed, so that nothing is left out after a stop."""
        left = self.left + [(w.first, w.last) for w in working]
        kept = {"next": self.next, "left": left, "counts": dict(sorted(self.counts.items()))}
        write(self.accounts, json.dumps(kept, indent=1))

    @property
    def checked(self) -> int:
        """Programs that were tried."""
        names = self.series.names()
        return sum(n for name, n in self.counts.items() if name in names)

    def distinct(self) -> int:
        """How many different ones of packs were judged."""
        files = (self.folder / "seen").glob("*.u64")
        found = [np.frombuffer(path.read_bytes(), np.uint64) for path in files]
        return len(np.unique(np.concatenate(found))) if found else 0

    def run(self, count: int, jobs: int) -> int:
        """Check `count` more programs; how many failed."""
        failures, working, slot = self.counts["failures"], [], 0
        start, of = time.monotonic(), f" of {self.checked + count}"
        of = "" if self.series.packs else of
        planned = sum(b - a for a, b in self.left)
        try:
            while True:
                while len(working) < jobs and (self.left or planned < count):
                    if not self.left:
                        batch = self.series.batch
                        size = min(batch - self.next % batch, count - planned)
                        self.left.append((self.next, self.next + size))
                        self.next, planned = self.next + size, planned + size
                    working.append(self.start(*self.left.pop(0), slot))
                    slot += 1
                if not working:
                    break
                self.save(working)
                time.sleep(0.2)
                for worker in [w for w in working if w.process.poll() is not None or w.stuck()]:
                    working.remove(worker)
                    self.finish(worker)
                    spent = time.monotonic() - start
                    failed = self.counts["failures"] - failures
                    self.say(f"{self.checked}{of} programs, {failed} failed, {spent:.0f} s")
        finally:
            for worker in working:
                worker.process.kill()
                worker.process.wait()
                at, before = worker.reached()
                self.counts.update(before)
                self.left.append((at, worker.last))
                forget(worker.current)
            self.save([])
        return self.counts["failures"] - failures

    def again(self) -> int:
        """Check the numbers that failed once more; how many still do. The others are forgotten."""
        current = self.folder / "running" / f"{os.getpid()}-again.py"
        failing = 0
        files: dict[int, list[Path]] = {}
        for path in (self.folder / "failures").glob("*.py"):
            files.setdefault(int(path.stem.partition("-")[0]), []).append(path)
        for number in sorted(files):
            process = self.process(number, number + 1, current)
            output = process.communicate()[0]
            good = process.returncode == 0 and "failures" not in json.loads(output.splitlines()[-1])
            self.say(f"{number} {'is right' if good else 'fails'}")
            failing += not good
            for path in files[number] if good else []:
                path.unlink()
                self.counts["failures"] -= 1
        forget(current)
        self.save([])
        return failing

    def start(self, first: int, last: int, slot: int) -> Worker:
        current = self.folder / "running" / f"{os.getpid()}-{slot}.py"
        return Worker(self.process(first, last, current), current, first, last)

    def process(self, first: int, last: int, current: Path) -> subprocess.Popen[str]:
        numbers = [str(first), str(last - first)]
        command = [sys.executable, "-m", "tests.fuzz", "--batch", *numbers, "--current", current]
        command += ["--folder", self.folder, *(["--packs"] if self.series.packs else [])]
        return subprocess.Popen(
            list(map(str, command)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.series.environment(first, self.folder),
        )

    def finish(self, worker: Worker) -> None:
        """Count what a process did; if it died, note its program and go on behind that."""
        hangs = worker.process.poll() is None
        worker.stop()
        output = worker.process.communicate()[0]
        if worker.process.returncode == 0 and not hangs:
            self.counts.update(json.loads(output.splitlines()[-1]))
        elif not hangs and not worker.current.exists():
            self.left.append((worker.first, worker.last))
            raise RuntimeError(f"no program runs in this checkout:\n{output[-2000:]}")
        else:
            at, before = worker.reached()
            ended = "does not end" if hangs else f"ended with {worker.process.returncode}"
            source = worker.current.read_text() if worker.current.exists() else ""
            report(self.folder, at, source, f"{ended}\n{output[-2000:]}")
            self.counts["failures"] += 1
            self.counts[self.series.way(at).name] += 1
            self.counts.update(before)
            if at + 1 < worker.last:
                self.left.append((at + 1, worker.last))
        forget(worker.current)
