"""Fused attention: a product, what follows from it row by row, and a product of that: one kernel.

    s = q @ k            of these, a strip of rows at a time is in memory that the kernel keeps;
    p = softmax(s)       the whole s and p, which are large where there are many rows and columns,
    y = p @ v            are never in memory

This is attention. Every sum is what it is in kernels of their own, so the bits are too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Self

from ...algebra import Term
from ...core import Function, Value
from ...extent import Extent, as_int, ceildiv, floordiv, product
from ...kernel_op import LoopKind
from ...ops.contraction import BLOCK, FUSED_COLUMNS_MAX, Matmul
from ...value_classes import dataclass
from ..common import row_reductions
from ..contraction import matrix_product
from ..ops import Load, Local
from ..plan.computed_operands import untransposed
from ..plan.groups import Group, Kind, Plan, Schedule, needs, own_index
from ..plan.reasons import OTHER_KIND, Mismatch
from ..tree_reducer import TreeReducer
from .gemm.micro_kernel import Tiles
from .gemm.unpacked import Direct, Strips

if TYPE_CHECKING:
    from ..builder import Index
    from ..group_builder import GroupBuilder
    from ..target import Target

# Bytes of a strip of scores, an eighth of L2. Attention of 16 x 512 x 64: 1.00 of the time with
# half and twice as many, 1.01 with four times.
ATTENTION_STRIP_BYTES = 128 << 10
# Rows of a strip, multiples of a tile's. The same: 0.96 of the time with at most 48, 1.00 with
# 192.
ATTENTION_ROWS_MIN, ATTENTION_ROWS_MAX = 12, 96


# Which groups are one attention.


def join(f: Function, plan: Plan, order: dict[Value, int], target: Target) -> None:
    """Make one group of each attention: its `parts` are the three that it was."""
    for last in [g for g in plan.groups if g.kind is Kind.CONTRACTION]:
        parts = _parts(last, plan, f.returns)
        if parts is None:
            continue
        first, middle = parts
        operands = _operands(f, plan, first, last)
        gone = (first, middle)
        places = _places(operands, plan, gone, last)
        if places is None:
            continue
        plan.store(operands)
        for place, v in reversed(sorted(zip(places, operands, strict=True), key=itemgetter(0))):
            plan.groups.insert(place, Group(Kind.ELEMENTS, v.shape, [v]))
        attention = Group(Kind.CONTRACTION, last.shape, last.roots, (first, middle, last))
        plan.groups[plan.groups.index(last)] = attention
        kept = [group not in gone for group in plan.groups]
        plan.binds = [(sum(kept[:place]), op) for place, op in plan.binds]
        plan.groups = [group for group in plan.groups if group not in gone]


def _parts(last: Group, plan: Plan, returned: Sequence[Value]) -> tuple[Group, Group] | None:
    """The groups that come before `last` in an attention."""
    op = last.roots[0].op
    if not isinstance(op, Matmul) or op.x.dtype.is_complex or plan.binds:
        return None
    middle = _maker(op.x, plan)
    if middle is None or middle.kind is not Kind.ROWS or middle.shape != op.x.shape[:-1]:
        return None
    sources = {v for root in middle.roots for v, _ in needs(root, plan, middle.roots)}
    for source in sources:
        first = _maker(source, plan)
        if (
            first is None
            or first.kind is not Kind.CONTRACTION
            or first.parts
            or source.shape != op.x.shape
        ):
            continue
        made = first.roots[0].op
        if not isinstance(made, Matmul) or not _fits(made, op):
            continue
        if (
            _by_rows(source, middle, plan)
            and _only(source, first, middle, plan, returned)
            and _only(op.x, middle, last, plan, returned)
        ):
            return first, middle
    return None


def _operands(f: Function, plan: Plan, *products: Group) -> list[Value]:
    """Operands that are not in memory yet, in the order of their ops: attention reads elements of
    left and rows of right again and again, so each gets a kernel of its own."""
    wanted: set[Value] = set()
    for group in products:
        op = _product(group)
        left = untransposed(op.x, plan.stored)
        for v in (left, op.y):
            if v.op is not None and v not in plan.stored and v not in plan.views:
                wanted.add(v)
    return [v for made in f.body if wanted for v in made.results if v in wanted]


def _places(
    operands: list[Value], plan: Plan, gone: Collection[Group], last: Group
) -> list[int] | None:
    """Where kernels for `operands` are put among the groups: before `last`, which `gone` become a
    part of, and before all else that computes an operand for itself so far, and loads it once it is
    stored. None if one of these makes what the operand is computed from."""
    found: list[int] = []
    end = plan.groups.index(last)
    for v in operands:
        read = {plan.views.get(x, x) for x, _ in needs(v, plan)}
        place = end
        for i, group in enumerate(plan.groups[:end]):
            reads = any(x is v for root in group.roots for x, _ in needs(root, plan, [v]))
            if reads and group not in gone:
                place = min(place, i)
            if place <= i and not read.isdisjoint(group.roots):
                return None
        found.append(place)
    return found


def _product(group: Group) -> Matmul:
    """The matrix product that a group begins with."""
    op = group.op
    assert isinstance(op, Matmul)
    return op


def _maker(value: Value, plan: Plan) -> Group | None:
    if value not in plan.stored:
        return None
    return next((g for g in plan.groups if value in g.roots), None)


def _only(value: Value, maker: Group, reader: Group, plan: Plan, returned: Sequence[Value]) -> bool:
    """Whether `value` is all that `maker` stores, and `reader` alone reads it, once as an operand
    of its product."""
    if plan.stored.intersection(maker.roots) != {value} or value in plan.views.values():
        return False
    if value in returned:
        return False
    readers = [
        (group, root)
        for group in plan.groups
        for root in group.roots
        if any(v is value for v, _ in needs(root, plan, group.roots))
    ]
    if any(group is not reader for group, _ in readers):
        return False
    if reader.kind is not Kind.CONTRACTION:
        return True
    op = _product(reader)
    return len(readers) == 1 and readers[0][1] is reader.roots[0] and op.y is not value


def _fits(first: Matmul, last: Matmul) -> bool:
    """Whether a strip can be kept."""
    n, k = first.result.shape[-1], first.x.shape[-1]
    if not isinstance(n, int) or not isinstance(k, int) or not 0 < k <= BLOCK or n == 0:
        return False
    if first.result.shape[-2] == 1 or last.result.shape[-1] == 1:
        return False
    return n <= FUSED_COLUMNS_MAX and last.x.dtype.is_floating


def _by_rows(source: Value, middle: Group, plan: Plan) -> bool:
    """Whether the rows of `source` are read by the same rows of the group's values alone."""
    rank = len(middle.shape)
    return all(
        index is not None and index[:rank] == own_index(root)[:rank]
        for root in middle.roots
        for v, index in needs(root, plan, middle.roots)
        if v is source
    )


# Their kernel.


@dataclass(frozen=True)
class FusedAttention(Schedule):
    """Two products and what is between them, strip of rows by strip of rows."""

    takes = "a product, what is computed of its rows, and a product with these"
    whole = "attention"
    begins = (Matmul,)
    kind = Kind.CONTRACTION

    @classmethod
    def matches(cls, group: Group, plan: Plan, target: Target) -> Self | Mismatch:
        return cls() if group.parts else OTHER_KIND

    def cost(self, group: Group, plan: Plan, target: Target) -> Extent:
        op = _product(group.parts[0])
        return floordiv(product(op.result.shape) * op.x.shape[-1], 16)

    def emit(self, lower: GroupBuilder) -> None:
        AttentionWriter(lower).write()


class AttentionWriter:
    """Writes one attention."""

    def __init__(self, lower: GroupBuilder) -> None:
        self.lower = lower
        self.first, self.middle, self.last = lower.group.parts
        self.product, op = _product(self.first), _product(self.last)
        self.result, self.p = op.result, op.x
        (self.s,) = lower.plan.stored.intersection(self.first.roots)
        *self.batch, self.m, n = self.p.shape
        self.n = as_int(n)
        height = ATTENTION_STRIP_BYTES // (self.n * self.p.dtype.compute.itemsize)
        height = min(
            max(height // ATTENTION_ROWS_MIN * ATTENTION_ROWS_MIN, ATTENTION_ROWS_MIN),
            ATTENTION_ROWS_MAX,
        )
        if isinstance(self.m, int):
            height = -(-self.m // -(-self.m // height))
        self.height = height

    def write(self) -> None:
        m, height = self.m, self.height
        if not isinstance(m, int):
            self.strips(0, ceildiv(m, height), height)
            return
        whole, rest = divmod(m, height)
        self.strips(0, whole, height)
        if rest:
            self.strips(whole * height, 1, rest)

    def strips(self, low: int, count: Extent, height: int) -> None:
        """Strips of so many rows, on any threads."""
        lower = self.lower
        shape = (*self.batch, count)

        def strip(number: Value) -> None:
            *outer, place = lower.unlinear(number, shape)
            tiles = Tiles(lower, matrix_product(lower, self.product))
            self.strip(tuple(outer), (tiles.index(place) * height + low).value, height)

        lower.parallel(product(shape), lower.cost, strip)

    def strip(self, outer: Index, i0: Value, height: int) -> None:
        """All that follows from some rows."""
        lower = self.lower
        kept = {v: lower.emit(Local(v.dtype, (height, self.n))) for v in (self.s, self.p)}
        serial, vector = (TreeReducer(lower, k) for k in (LoopKind.SERIAL, LoopKind.VECTOR))
        with lower.scope():
            for v, buffer in kept.items():
                lower.keep_at(v, partial(self.place, buffer, i0))
            with lower.scope(self.first, serial):
                self.multiply(outer, i0, height)
            lower.read_through(self.s, partial(self.load, self.s))
            with lower.scope(self.middle, vector):
                self.rows(outer, i0, height)
            lower.read_through(self.p, partial(self.load, self.p))
            with lower.scope(self.last, serial):
                self.multiply(outer, i0, height)

    def rows(self, outer: Index, i0: Value, height: int) -> None:
        """What is between the products, row by row."""
        lower = self.lower
        runs = row_reductions.runs_of(lower)
        tiles = Tiles(lower, matrix_product(lower, self.product))
        end = tiles.extent(height)
        if not isinstance(self.m, int):
            end = tiles.index(end).minimum(tiles.index(tiles.extent(self.m)) - i0).value

        def row(r: Value) -> None:
            index = (*outer, (tiles.index(i0) + r).value)
            row_reductions.row(lower, runs, index, prefetch=False)

        lower.loop(tiles.extent(0), end, row)

    def multiply(self, outer: Index, i0: Value, height: int) -> None:
        """The rows of a product, and what is stored of them."""
        lower = self.lower
        direct = Direct(Tiles(lower, matrix_product(lower, _product(lower.group))))
        t = direct.t

        def columns(j: Value) -> None:
            for part in self.strips_of(direct, height):

                def tile(r: Value, part: Strips = part) -> None:
                    direct.tile(outer, (t.index(i0) + r).value, j, part.height, part.whole)

                end = part.low + part.count * part.height
                lower.loop(t.extent(part.low), t.extent(end), tile, step=part.height)

        lower.loop(t.extent(0), t.extent(t.p.n), columns, LoopKind.VECTOR, step=direct.step)

    def strips_of(self, direct: Direct, height: int) -> list[Strips]:
        """How the rows of a strip are cut into tiles."""
        if isinstance(self.m, int):
            return direct.strips_of(height)
        few = direct.rows // 3  # of which ATTENTION_ROWS_MIN is a multiple
        return [Strips(0, height // few, few, whole=False)]

    # The memory of a strip.

    def place(self, buffer: Value, i0: Value, index: Index) -> tuple[Value, Value]:
        """The buffer, and where in it the element is."""
        b = self.lower.b
        row = Term(b, index[-2]) - Term(b, i0)
        offset = row * Term(b, self.lower.extent(self.n)) + Term(b, index[-1])
        return buffer, offset.value

    def load(self, value: Value, index: Index) -> Value:
        return self.lower.emit(Load(*self.lower.place(value, index), self.lower.mask))
