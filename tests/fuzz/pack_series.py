"""What the number of a pack stands for: its programs, how they are run, what is counted.

A number is a pack (packs.py). Swarms are of SWARM numbers, whose programs are made of one palette,
and which one process has; three of five have quick code, one has code as users get it, and one has
kernels that are verified or that check what they access, by turns.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from tests.fuzz import makers, pack_ways, packs
from tests.fuzz.programs import Maker, Program, execute
from tfc.ir import passes

SWARM = 64  # numbers
PROGRAMS = 128  # of a pack
PALETTE = 400  # steps
MEMORY = 3 << 29  # bytes: 1.5 GiB
FAILURES = 4  # of a pack that are looked at
# How code is generated, and what is verified, by turns of swarms.
KINDS = (("0", "0"), ("", "0"), ("0", "0"), ("0", "0"), ("2", "1"))
KINDS += (*KINDS[:4], ("2", "bounds"))
Keep = Callable[[Program, Exception], None]


@dataclass(frozen=True)
class Way:
    """What is done with one pack."""

    name: str
    check: str
    kind: type[Maker] = makers.Every
    count: int = PROGRAMS
    more: int = 1  # calls with other values
    values: int = 0  # of which kind they are
    palette: int = PALETTE

    def program(self, number: int) -> Program:
        """The pack of this number, with those of its programs that run."""
        made = packs.pack(self.kind, number, swarm(number), self.count, self.palette)
        case = ready(made.source(), self.more, self.values)
        relaxed = self.check == "symbolic"
        programs = [made, *made.relatives]
        return packed([p for i, p in enumerate(programs) if case.runs(i, relaxed)])

    def run(self, source: str) -> tuple[list[bool], int]:
        """Which programs were judged, and how many calls with other values were compared."""
        case = ready(source, self.more, self.values)
        return pack_ways.check(case, self.check), case.compared

    def examined(self, program: Program, keep: Keep) -> tuple[Counter[str], list[int]]:
        """What is counted, and fingerprints of what was judged. `keep` is given what fails."""
        counts: Counter[str] = Counter()
        prints: list[int] = []
        self.settle((program, *program.relatives), counts, prints, keep)
        return counts, prints

    def settle(
        self, programs: Sequence[Program], counts: Counter[str], prints: list[int], keep: Keep
    ) -> None:
        """Judge these programs; where they fail, halves of them, down to those that do so alone."""
        if counts["failures"] >= FAILURES:
            counts[f"{self.name}: beside failures, not run"] += len(programs)
            return
        try:
            judged, calls = self.run(packed(programs).source())
        except Exception as error:
            before, half = counts["failures"], len(programs) // 2
            if half:
                self.settle(programs[:half], counts, prints, keep)
                self.settle(programs[half:], counts, prints, keep)
            else:
                counts[self.name] += 1
            if counts["failures"] == before:  # alone, or nothing that fails without the others
                keep(packed(programs), error)
                counts["failures"] += 1
            return
        counts[self.name] += len(programs)
        counts[f"{self.name}: judged"] += sum(judged)
        counts[f"{self.name}: calls with other values"] += calls * len(programs)
        prints += [packs.fingerprint(p) for p, j in zip(programs, judged, strict=True) if j]


def hold_garbage() -> None:
    """Python looks for none before the process has grown to MEMORY; of what stays then, never
    again. Where code is as users have it, so is the collector."""
    if not os.environ.get("TFC_OPT_LEVEL"):
        return
    gc.disable()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    if pages * os.sysconf("SC_PAGE_SIZE") > MEMORY:
        gc.unfreeze()
        gc.collect()
    gc.freeze()


@lru_cache(maxsize=1)
def ready(source: str, more: int, values: int) -> pack_ways.Pack:
    """What a source defines: what was tried eagerly is what is checked, where all of it runs."""
    return pack_ways.Pack(execute(source), more, values)


def packed(programs: Sequence[Program]) -> Program:
    return replace(programs[0], relatives=tuple(replace(p, relatives=()) for p in programs[1:]))


def swarm(number: int) -> int:
    return number // SWARM


def way(number: int) -> Way:
    """Ways take turns; the dear ones come less often."""
    turn, turns = number % 32, number // 32
    values = number % 3
    if turn < 15:
        return Way("packs: eager, static", "static", values=values)
    if turn < 21:
        return Way("packs: eager, symbolic", "symbolic", values=values)
    if turn < 26:
        some = [*(f"without {p.__name__}" for p in passes.OPTIMISE[1:]), "without passes"]
        check = some[(5 * turns + turn) % len(some)]
        return Way("packs: one pass left out", check, values=values)
    if turn < 27:
        return Way("packs: everything stored", "stored", values=values)
    if turn < 29:
        kinds = ("static", "symbolic", "outside")
        check = f"gradients, {kinds[(2 * turns + turn) % 3]}"
        return Way("packs: gradients", check, values=values)
    if turn < 30:
        return Way("packs: derivatives by differences", "slopes", makers.Smooth, 64)
    if turn < 31:
        return Way("packs: emulated GPU", "emulated", makers.Every, 32)
    return Way("packs: one thread and two, large", "threads", makers.Large, 16, 0, palette=100)
