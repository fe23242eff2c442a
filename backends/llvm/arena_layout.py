"""Where the values of a function of launches live: inputs, results, scratch memory.

Scratch memory is one arena, shared by values that do not live at the same time. What has an
extent that only data tell (see tfc.ir.ops.extents) has memory of its own, allocated and freed
while the program runs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tfc.ir.core import Function, Op, Value
from tfc.ir.extent import Extent, ceildiv, symbols
from tfc.ir.kernels.ops import LAUNCHES, HostLaunch, Launch
from tfc.ir.kernels.plan.costs import bytes_of
from tfc.ir.ops.control import Cond, Control, Scan, While
from tfc.ir.ops.growing import GrowingWhile
from tfc.ir.value_classes import NamedTuple

from .arena import ALIGN, Arena
from .buffer_sharing import Sharing, handed_on, in_place
from .kernel_facts import KnownKernels

RELEASE_WORK = 256 << 10  # touching more bytes than this, a program runs without the lock

# ("buffer", index), ("arena", offset), ("heap", bytes) or ("made", 0): allocated by its op
Place = tuple[str, Any]


def late_symbols(f: Function) -> Iterator[str]:
    """The symbols that are bound while `f` or one of its regions runs."""
    for op in f.body:
        yield from (str(symbol) for _, symbol in op.binds())
        yield from op.local_symbols()
        if isinstance(op, Control):
            for region in op.regions:
                yield from late_symbols(region)


def _makes(v: Value) -> bool:
    """Whether the op of `v` allocates it: a loop that finds out how large it is."""
    if not isinstance(v.op, GrowingWhile):
        return False
    n = len(v.op.init)
    return v.index >= n + len(v.op.bound) or any(i == v.index for i, _ in v.op.varying())


class Handed(NamedTuple):
    """What a region gives beside results whose places it is told."""

    results: frozenset[int] = frozenset()  # it allocates these itself, and hands them over
    extents: tuple[Extent, ...] = ()  # and reports these


def handed_over(op: GrowingWhile) -> Handed:
    """What the body of a growing loop hands over: carried values and rows whose extents it alone
    knows, and these extents and lengths."""
    n = len(op.init)
    varying = op.varying()
    places = sorted(varying, key=varying.__getitem__)
    ragged = [n + k for k in op.ragged]
    extents = [op.body.returns[i].shape[axis] for i, axis in places]
    extents += [op.body.returns[k].tensor_type.size for k in ragged]
    return Handed(frozenset([*(i for i, _ in places), *ragged]), tuple(extents))


class Layout:
    """The places of a function's values.

    The results of a compiled function may share memory with its inputs (`aliases`); those of a
    region (then `region` says what it hands over) do where it is `given` params' memory for them.
    `known` are symbols that have values before the function runs, `local` those of a region that
    are others in each round of a loop. Results `apart` may be written over inputs (see
    backends/llvm/donation.py). Regions share the facts of `kernels` with what is around them.
    """

    def __init__(
        self,
        f: Function,
        known: Collection[str] = (),
        region: Handed | None = None,
        given: Mapping[int, int] | None = None,
        local: Collection[str] = (),
        apart: Collection[int] = (),
        kernels: KnownKernels | None = None,
    ) -> None:
        self.f = f
        self.kernels = kernels or KnownKernels()
        sharing = Sharing(f, dict(given or {}), self.kernels, apart)
        self.root = sharing.root  # a value, and the one whose memory it shows
        self.shared = sharing.shared  # of ops, the results that are where operands were
        self.where: dict[Value, Place] = {}
        self.aliases: dict[int, int] = {}
        self.copies: list[tuple[int, Value]] = []
        self.regions: dict[Op, list[Layout]] = {}
        self.scratch: dict[Op, list[Place]] = {}  # of control flow: its regions' arenas, then
        self.fixed: dict[Op, frozenset[int]] = {}  # of loops: what is carried in one place
        self.handed_on: dict[Op, dict[int, int]] = {}  # of loops: see buffer_sharing.py
        self.arena: Extent = 0  # the second buffer of each other carried value
        self.work: Extent = 0
        self.known = known
        self.local = frozenset(local)
        self.late = {str(s) for op in f.body for _, s in op.binds()} - set(known) | self.local
        self.handed: dict[int, Value] = {}  # results, and the values that are handed over as them
        self.copied: dict[int, Value] = {}  # results that are handed over as copies of these
        self.extents = region.extents if region else ()
        self._blocks = Arena()
        for i, p in enumerate(f.params):
            self.where[p] = ("buffer", i)
        there = set(sharing.kept.values())
        for i, v in enumerate(f.returns):
            base = self.base(v)
            if i in there:
                continue
            if i in region.results if region else self._is_late(v):
                self._hand_over(i, base)
            elif _makes(base):
                self.where[base] = ("made", 0)
                self.copies.append((i, base))
            elif base not in self.where:
                self.where[base] = ("buffer", len(f.params) + i)
            elif base.op is None and region is None:
                self.aliases[i] = f.params.index(base)
            else:
                self.copies.append((i, base))
        self._plan()

    def _is_late(self, v: Value) -> bool:
        return any(not self.late.isdisjoint(symbols(e)) for e in v.shape)

    def _hand_over(self, i: int, base: Value) -> None:
        """Let result `i` be in memory that the function allocates."""
        if base in self.where:
            self.copied[i] = base
            return
        self.handed[i] = base
        size = ceildiv(bytes_of(base), ALIGN) * ALIGN
        self.where[base] = ("made", 0) if _makes(base) else ("heap", size)

    def base(self, v: Value) -> Value:
        """The value whose memory `v` shows."""
        return self.root.get(v, v)

    def _plan(self) -> None:
        last: dict[Value, int] = {}
        for i, op in enumerate(self.f.body):
            for v in (*op.operands, *op.results):
                last[self.base(v)] = i
        requests: dict[Value, int] = {}  # of values in the arena
        for i, op in enumerate(self.f.body):
            if isinstance(op, LAUNCHES):
                self._work(op)
                for v in op.results:
                    if v in self.where or self.base(v) is not v:
                        continue
                    if _makes(v):
                        self.where[v] = ("made", 0)
                    elif place := self._on_heap(bytes_of(v)):
                        self.where[v] = place
                    else:
                        self.where[v] = ("arena", 0)
                        requests[v] = self._blocks.request(bytes_of(v), i, last[v])
                if isinstance(op, Control):
                    self._nested(op, i)
        self._blocks.assign()
        self.arena = self._blocks.size
        for v, number in requests.items():
            self.where[v] = ("arena", self._blocks.offsets[number])
        for places in self.scratch.values():
            for k, (kind, number) in enumerate(places):
                if kind == "arena":
                    places[k] = ("arena", self._blocks.offsets[number])

    def _nested(self, op: Control, now: int) -> None:
        if isinstance(op, While | Scan):
            self.fixed[op] = in_place(op, self.kernels)
            self.handed_on[op] = handed_on(op, self.kernels)
        given = self._given(op)
        handed = [Handed()] * len(given)
        local = tuple(op.local_symbols())
        if isinstance(op, GrowingWhile):
            handed = [Handed(), handed_over(op)]
        self.regions[op] = [
            Layout(region, self.known, h, g, local, kernels=self.kernels)
            for region, h, g in zip(op.regions, handed, given, strict=True)
        ]
        sizes = [layout.arena for layout in self.regions[op]]
        if isinstance(op, While | Scan):
            sizes += [bytes_of(op.results[i]) for i in self.doubled(op)]
        shared = isinstance(op, Cond) and all(isinstance(size, int) for size in sizes)
        if shared:  # of two branches, one runs
            sizes = [max(sizes)]  # type: ignore[type-var]
        places: list[Place] = [
            self._on_heap(size) or ("arena", self._blocks.request(size, now, now)) for size in sizes
        ]
        self.scratch[op] = places * 2 if shared else places

    def doubled(self, op: While | Scan) -> list[int]:
        """What a loop carries that has a second buffer."""
        single = self.fixed[op] | self.handed_on[op].keys()
        return [
            i for i, v in enumerate(op.results[: len(op.init)]) if not (i in single or _makes(v))
        ]

    def _given(self, op: Control) -> list[dict[int, int]]:
        """For each region which params' memory is for which results."""
        if isinstance(op, While | Scan):
            kept = {i: i for i in self.fixed[op]}
            kept |= {source: i for i, source in self.handed_on[op].items()}
            if isinstance(op, Scan):
                return [{1 + param: i for param, i in kept.items()}]
            return [{}, kept]
        shared = self.shared.get(op, {})
        return [{operand - 1: result for result, operand in shared.items()}] * len(op.regions)

    def _on_heap(self, size: Extent) -> Place | None:
        """The place of what has memory of its own, because only data tell its size."""
        if self.late.isdisjoint(symbols(size)):
            return None
        return "heap", ceildiv(size, ALIGN) * ALIGN

    def _work(self, op: Op) -> None:
        """Add up roughly how many bytes are touched; what may take long, or wants the interpreter
        lock for itself, counts as much."""
        if isinstance(op, HostLaunch | Control) or (
            isinstance(op, Launch) and self.kernels.of(op.kernel).may_last
        ):
            self.work = self.work + (RELEASE_WORK + 1)
        for v in (*op.operands, *op.results):
            size = bytes_of(v)
            if self.late.isdisjoint(symbols(size)):
                self.work = self.work + size
