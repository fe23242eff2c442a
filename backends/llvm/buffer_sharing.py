"""Which values may live in the memory of others: what is changed in place instead of copied.

An update (see tfc.ir.kernels.ops) starts as a copy of its first input. Where that input is not read
again, both are one piece of memory and nothing is copied. What a kernel makes element by element of
an input that nobody reads again takes its place, too. The same holds through branches and loops:
what a loop carries, and its body only changes so, stays where it is for all rounds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tfc.ir.core import Function, Op, Value
from tfc.ir.kernels.ops import LAUNCHES, Launch, Update
from tfc.ir.ops.control import Cond, Control, Scan, While
from tfc.ir.ops.growing import GrowingWhile

from .kernel_facts import KnownKernels

Pairs = list[tuple[int, int]]  # an operand's number, and that of the result that may be there
FOREVER = 1 << 60


class Sharing:
    """Decides for one function. `given` names params whose memory belongs to it, and for each the
    result that shall be there in the end (None: any result). Results `apart` take no place of
    temporaries, since they may have a better one. `kernels` are those of the whole program.

    `root` takes a value to the one whose memory it shows; `shared` tells of an op which results
    are where operands were; `kept` takes given params to the results that are there.
    """

    def __init__(
        self,
        f: Function,
        given: Mapping[int, int | None],
        kernels: KnownKernels,
        apart: Collection[int] = (),
    ) -> None:
        self.f = f
        self.apart = {f.returns[i] for i in apart}
        self.views: dict[Value, Value] = {}
        for op in f.body:
            if not isinstance(op, LAUNCHES) and op.results:
                self.views[op.result] = self._shown(op.operands[0])
        self.last: dict[Value, int] = {}
        for i, op in enumerate(f.body):
            for v in op.operands:
                self.last[self._shown(v)] = i
        for v in f.returns:
            self.last[self._shown(v)] = FOREVER
        pairs = [(i, op, pairs_of(op, kernels)) for i, op in enumerate(f.body)]
        self.pairs = [row for row in pairs if row[2]]
        allowed = dict(given)
        while True:
            used = self._share(allowed)
            self.kept = self._ends(allowed)
            stranded = used - self.kept.keys()
            if not stranded:
                break
            for j in stranded:
                del allowed[j]

    def _shown(self, v: Value) -> Value:
        return self.views.get(v, v)

    def _share(self, allowed: Mapping[int, int | None]) -> set[int]:
        """Share what can be, in program order; the given params that are changed in place."""
        self.root = dict(self.views)
        self.shared: dict[Op, dict[int, int]] = {}
        numbers = {p: j for j, p in enumerate(self.f.params)}
        used = set()
        for i, op, pairs in self.pairs:
            shown = [self._shown(v) for v in op.operands]
            for operand, result in pairs:
                source = shown[operand]
                owner = self.root.get(source, source)
                if self.last[source] > i or shown.count(source) > 1:
                    continue
                there = self.shared.get(op, {})
                if result in there or operand in there.values():
                    continue
                if type(op) is Launch and op.results[result] in self.apart:
                    continue
                if owner.op is None:
                    if numbers[owner] not in allowed:
                        continue
                    used.add(numbers[owner])
                self.root[op.results[result]] = owner
                self.shared.setdefault(op, {})[result] = operand
        for op in self.f.body:  # views of what is shared
            if not isinstance(op, LAUNCHES) and op.results:
                source = self._shown(op.operands[0])
                self.root[op.result] = self.root.get(source, source)
        return used

    def _ends(self, allowed: Mapping[int, int | None]) -> dict[int, int]:
        """For given params the results that are in their memory."""
        result_of: dict[int, int] = {}
        bases = [self.root.get(v, v) for v in self.f.returns]
        for j, wanted in allowed.items():
            p = self.f.params[j]
            places = range(len(bases)) if wanted is None else (wanted,)
            for i in places:
                if (
                    bases[i] is p
                    and self.f.returns[i].type == p.type
                    and i not in result_of.values()
                ):
                    result_of[j] = i
                    break
        return result_of


def pairs_of(op: Op, kernels: KnownKernels) -> Pairs:
    """Which results of `op` can be made by changing operands in place."""
    if type(op) is Launch:
        return kernels.of(op.kernel).pairs(op)
    match op:
        case Update(kernel=kernel, count=count):
            used = {v for inner in kernel.walk() for v in inner.operands}
            return [(i, i) for i in range(count) if kernel.params[i] not in used]
        case While(init=init, body=body):
            changed = {i for i, _ in op.varying()} if isinstance(op, GrowingWhile) else set()
            steady = [i for i in range(len(init)) if i not in changed]
            return [(i, i) for i in _kept(body, {i: i for i in steady}, kernels)]
        case Scan(init=init, body=body):
            kept = _kept(body, {1 + i: i for i in range(len(init))}, kernels)
            return [(j - 1, i) for j, i in kept.items()]
        case Cond():
            every: dict[int, int | None] = dict.fromkeys(range(len(op.args)))
            then, orelse = (_kept(region, every, kernels) for region in (op.then, op.orelse))
            return [(1 + j, i) for j, i in then.items() if orelse.get(j) == i]
    return []


def _kept(
    region: Function, given: Mapping[int, int | None], kernels: KnownKernels
) -> dict[int, int]:
    return Sharing(region, given, kernels).kept


def in_place(op: Control, kernels: KnownKernels) -> frozenset[int]:
    """What a loop carries in one place for all rounds."""
    if not isinstance(op, While | Scan):
        return frozenset()
    return frozenset(result for _, result in pairs_of(op, kernels))


def handed_on(op: Control, kernels: KnownKernels) -> dict[int, int]:
    """Of what a loop carries in two buffers: values that are what others were a round before (the
    last state beside this one, in recurrences of second order), and which. No round copies them:
    their buffer is the one in which the other one was.

    The other one is made anew in each round, so that its old buffer is free for this.
    """
    if type(op) not in (While, Scan):
        return {}
    assert isinstance(op, While | Scan)
    fixed, body, first = in_place(op, kernels), op.body, int(isinstance(op, Scan))
    carried = {p: i for i, p in enumerate(body.params[first : first + len(op.init)])}
    found: dict[int, int] = {}
    for i, v in enumerate(body.returns[: len(op.init)]):
        source = carried.get(v, i)
        if source == i or fixed.intersection((i, source)) or source in found.values():
            continue
        if body.returns[source] not in carried and op.results[i].type == op.results[source].type:
            found[i] = source
    return found
