"""A campaign of bad inputs by number, in forked workers, that goes on where it was stopped.

The folder of a campaign holds

    counts.json     the next number, and how many attempts of each kind ended how
    failures/       for each cause, the smallest attempt found, what it was, and what was seen
    cache/          code that the workers compiled, for those after them

A worker tells in shared memory which attempt it is at. One that dies, or takes more than LIMIT
seconds of processor time for an attempt, is a failure, and another worker goes on behind it.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import mmap
import os
import random
import resource
import shutil
import signal
import struct
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.fuzz.inputs import attempts
from tests.fuzz.inputs.attempts import BAD, ERROR, RESULT, Attempt, Kind, Outcome
from tests.fuzz.inputs.caches import Caches
from tests.fuzz.inputs.calls import Calls
from tests.fuzz.inputs.files import Files
from tests.fuzz.inputs.models import Models
from tests.fuzz.inputs.texts import KernelTexts, TensorTexts

KINDS: tuple[Kind, ...] = (Calls(), TensorTexts(), KernelTexts(), Models(), Caches(), Files())
BATCH = 1 << 14  # attempts of a worker
LIMIT = 10.0  # seconds of processor time that an attempt may take
WALL = 60.0  # seconds of any time
MEMORY = 4 << 30  # bytes of addresses that a worker may have beyond those of its parent
HOW = (RESULT, ERROR, BAD)


def numbered(number: int, kinds: Sequence[Kind] = KINDS) -> Attempt:
    """The attempt that has this number: the same in every process."""
    rng = random.Random(number)
    kind = rng.choices(kinds, [k.weight for k in kinds])[0]
    edits = tuple(rng.getrandbits(32) for _ in range(rng.choice((1, 1, 1, 2, 3))))
    return Attempt(kind, kind.pick(rng), edits)


class Board:
    """What a worker tells its parent: the number that it is at, and counts by kind and outcome."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.keys = [f"{k.name}: {how}" for k in kinds for how in HOW]
        self.memory = mmap.mmap(-1, 8 * (1 + len(self.keys)))

    def read(self, i: int) -> int:
        return int(struct.unpack_from("<q", self.memory, 8 * i)[0])

    def write(self, i: int, value: int) -> None:
        struct.pack_into("<q", self.memory, 8 * i, value)

    @property
    def at(self) -> int:
        return self.read(0)

    def count(self, key: str) -> None:
        i = 1 + self.keys.index(key)
        self.write(i, self.read(i) + 1)

    def counts(self) -> Counter[str]:
        found = {key: self.read(1 + i) for i, key in enumerate(self.keys)}
        return Counter({key: n for key, n in found.items() if n})


class Worker:
    """A process that tries `first` to `last`."""

    def __init__(self, campaign: Campaign, first: int, last: int) -> None:
        self.first, self.last = first, last
        self.board = Board(campaign.kinds)
        self.board.write(0, first)
        self.seen, self.since, self.spent = -1, 0.0, 0.0
        self.process = os.fork()
        if self.process == 0:
            try:
                prepare(campaign.folder)
                for number in range(first, last):
                    self.board.write(0, number)
                    attempt = numbered(number, campaign.kinds)
                    outcome = attempt.outcome()
                    if outcome.how == BAD:
                        campaign.keep(number, attempt, outcome)
                    self.board.count(f"{attempt.kind.name}: {outcome.how}")
                self.board.write(0, last)
                os._exit(0)
            except BaseException:
                import traceback

                (campaign.folder / "broken.txt").write_text(traceback.format_exc())
                os._exit(70)
            finally:
                os._exit(71)

    def hangs(self) -> bool:
        """Whether it is at one attempt for too long."""
        spent = processor_time(self.process)
        if self.board.at != self.seen:
            self.seen, self.since, self.spent = self.board.at, time.monotonic(), spent
        return spent - self.spent > LIMIT or time.monotonic() - self.since > WALL

    def ended(self) -> int | None:
        """Its exit status, once there is one."""
        done, status = os.waitpid(self.process, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if done else None

    def kill(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        shutil.rmtree(attempts.scratch_of(self.process), ignore_errors=True)


def prepare(folder: Path) -> None:
    """What a worker is from the start."""
    gc.freeze()
    faulthandler.disable()  # the parent tells of deaths
    os.environ["TFC_CACHE_DIR"] = str((folder / "cache").absolute())
    address_space = int(Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE
    resource.setrlimit(resource.RLIMIT_AS, (address_space + MEMORY,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.chdir(attempts.scratch())
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def processor_time(process: int) -> float:
    """Seconds that a process has spent."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Campaign:
    """Runs batches in `jobs` workers and keeps account in its folder."""

    def __init__(
        self, folder: Path, say: Callable[[str], None] = print, kinds: Sequence[Kind] = KINDS
    ) -> None:
        self.folder, self.say, self.kinds = folder.absolute(), say, kinds
        (folder / "failures").mkdir(parents=True, exist_ok=True)
        self.accounts = folder / "counts.json"
        kept = json.loads(self.accounts.read_text()) if self.accounts.exists() else {}
        self.next: int = kept.get("next", 0)
        self.counts: Counter[str] = Counter(kept.get("counts", {}))
        self.left: list[tuple[int, int]] = [(a, b) for a, b in kept.get("left", [])]

    @property
    def tried(self) -> int:
        return sum(self.counts.values())

    def save(self, working: Sequence[Worker] = ()) -> None:
        left = self.left + [(w.board.at, w.last) for w in working]
        counts = self.counts + sum((w.board.counts() for w in working), Counter())
        kept = {"next": self.next, "left": left, "counts": dict(sorted(counts.items()))}
        partial = self.accounts.with_suffix(".new")
        partial.write_text(json.dumps(kept, indent=1))
        os.replace(partial, self.accounts)

    def run(self, count: int, jobs: int = 1) -> int:
        """Try `count` more; how many ended badly."""
        before = sum(n for key, n in self.counts.items() if key.endswith(BAD))
        planned, working, start = sum(b - a for a, b in self.left), list[Worker](), self.tried
        began = time.monotonic()
        try:
            while True:
                while len(working) < jobs and (self.left or planned < count):
                    if not self.left:
                        size = min(BATCH, count - planned)
                        self.left.append((self.next, self.next + size))
                        self.next, planned = self.next + size, planned + size
                    working.append(Worker(self, *self.left.pop(0)))
                if not working:
                    break
                self.save(working)
                time.sleep(0.05)
                for worker in list(working):
                    status = worker.ended()
                    if status is not None or worker.hangs():
                        working.remove(worker)
                        self.finish(worker, status)
                        done, spent = self.tried - start, time.monotonic() - began
                        self.say(f"{done} of {count} attempts, {spent:.0f} s")
        finally:
            for worker in working:
                worker.kill()
            self.save(working)
        return sum(n for key, n in self.counts.items() if key.endswith(BAD)) - before

    def finish(self, worker: Worker, status: int | None) -> None:
        """Count what a worker did; where it died, note the attempt and go on behind that."""
        if status is None:
            worker.kill()
        shutil.rmtree(attempts.scratch_of(worker.process), ignore_errors=True)
        self.counts.update(worker.board.counts())
        if status == 70:
            self.left.append((worker.board.at, worker.last))
            raise RuntimeError((self.folder / "broken.txt").read_text())
        if status != 0:
            number = worker.board.at
            attempt = numbered(number, self.kinds)
            how = "it does not end" if status is None else f"the process ended with {status}"
            self.counts[f"{attempt.kind.name}: {BAD}"] += 1
            self.keep(number, attempt, Outcome(BAD, how, f"{how} {attempt.kind.name} {number}"))
            if number + 1 < worker.last:
                self.left.append((number + 1, worker.last))

    def keep(self, number: int, attempt: Attempt, outcome: Outcome) -> None:
        """Keep the smallest attempt of each cause."""
        path = self.folder / "failures" / f"{attempt.kind.name.replace(' ', '_')}-{outcome.digest}"
        if path.exists():
            return
        if outcome.seen.startswith(("it does not", "the process")):
            shown = "see --run"
        else:
            attempt = smallest(attempt, outcome)
            shown = attempt.kind.shown(attempt.subject())
        path.write_text(
            f"{attempt}\n# number {number}\n{outcome.cause}\n\n{shown}\n\n{outcome.seen}"
        )


def smallest(attempt: Attempt, outcome: Outcome) -> Attempt:
    """With as few edits as end in the same way."""
    for candidate in attempt.smaller():
        if candidate.outcome().cause == outcome.cause:
            return smallest(candidate, outcome)
    return attempt


def parsed(line: str, kinds: Sequence[Kind] = KINDS) -> Attempt:
    """The attempt that `str` of an attempt tells."""
    kind = next(k for k in kinds if line.startswith(k.name))
    seed, *edits = map(int, line.removeprefix(kind.name).split())
    return Attempt(kind, seed, tuple(edits))
