"""`strip_mine` computes what is too large to be kept a strip of rows at a time.

    s = q @ k^T;  p = softmax(s);  y = p @ v         s, p and what derivatives make of them have
    ...                                              rows times columns elements
    dp = dy @ v^T;  ds = ...;  dq = ds @ k;  dk = ds^T @ q;  dv = p^T @ dy

becomes

    y = scan over strips of 256 rows of q:  s, p, y of these rows
    ...
    dq, dk, dv = scan over strips of q and dy:  s, p, dp, ds, dq of these rows;
                                                dk += ds^T @ q;  dv += p^T @ dy

so that attention to long sequences needs no memory for squares, neither forward nor in its
gradient: s and p are computed again there (Dao, FlashAttention-2, 2023, has strips of both axes,
and of softmax the sums of what came so far; strips of whole rows need none, and keep all bits).

Rows are computed from rows alone, and a strip has as many as a block of a product's sums, which
are added up in order: so the bits are those of the whole. Sums that would be rounded between strips
(of bfloat16) cannot be cut: there a strip is one matrix, or some, of a batch, all of whose rows and
columns it has.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from ..copying import copy_op, name_like
from ..core import Builder, Function, Op, Value
from ..dtypes import DType
from ..extent import Extent, product
from ..journal import Did
from ..liveness import effectful
from ..ops.contraction import BLOCK, FUSED_COLUMNS_MAX, Matmul
from ..ops.control import Scan
from ..ops.elementwise import Add, Elementwise
from ..ops.reduction import Reduction
from ..ops.shape import Broadcast, Concat, Constant, Iota, Reshape, Slice, Transpose
from ..types import INDEX, TensorType
from ..value_classes import dataclass, field

# Bytes of all products that grow so, from which on they are not kept. Gradient of attention, 8
# heads of 64, on one thread: two products of 4096 x 4096, 1 GiB in all, 0.92 of the time and 225
# MiB for 1600; two of 2048 x 2048, 256 MiB in all, 1.28 of the time and 116 MiB for 431.
LARGE_BYTES = 1 << 30
# Bytes of each of them. Not measured: a guess of what a process does not notice.
EACH_BYTES_MIN = 32 << 20
# How many times as many elements as both operands together a product has that is not kept.
GROWTH_MIN = 4
# Strips, at least: of fewer, each is a large part of the whole.
STRIPS_MIN = 4

Axes = tuple[int | None, ...]  # of operands, those along which they have rows


def strip_mine(f: Function) -> Function:
    """Compute the large insides of products of products in strips of rows."""
    if Matmul not in f.op_classes:
        return f
    growing = _growing(f)
    if not growing:
        return f
    least = min(map(_elements, growing))
    while (found := next(filter(None, map(_mined, _clusters(f, least))), None)) is not None:
        f = found
    return f


def may_be_mined(f: Function) -> bool:
    """Whether a function has products so large that parts of it may be computed in strips."""
    return bool(_growing(f))


def _growing(f: Function) -> list[Value]:
    """The products that are much larger than what they are made of, if they are large together."""
    growing = [op.result for op in f.body if isinstance(op, Matmul) and _grows(op)]
    large = sum(_elements(v) * v.dtype.itemsize for v in growing) >= LARGE_BYTES
    return growing if large else []


def _elements(v: Value) -> int:
    """How many elements a value surely has: symbols count as 1."""
    return math.prod(e for e in v.type.shape if isinstance(e, int))


def _grows(op: Matmul) -> bool:
    """Whether a product is large, and its operands are not."""
    size = _elements(op.result)
    large = size * op.result.dtype.itemsize >= EACH_BYTES_MIN
    return large and size >= GROWTH_MIN * (_elements(op.x) + _elements(op.y))


# Which values are computed in strips.


@dataclass
class _Cluster:
    """Values of a function that are computed in strips, for they are connected and large, or
    between such that are; and what is made of them."""

    f: Function
    inside: set[Value]
    least: int  # elements of what is large
    height: int = BLOCK  # rows of a strip
    axis: dict[Value, int] = field(default_factory=dict)  # along which a value has its rows
    stages: dict[int, list[Op]] = field(default_factory=dict)  # what is made of them, by depth

    @property
    def rows(self) -> int:
        """How many there are."""
        v = next(iter(self.axis))
        rows = v.type.shape[self.axis[v]]
        return rows if isinstance(rows, int) else 0

    def computes(self, op: Op) -> bool:
        """Whether an op gives one of the values."""
        return bool(op.results) and op.results[0] in self.inside


def _clusters(f: Function, least: int) -> Iterator[_Cluster]:
    """The parts of `f` that may be computed in strips, where what has so many elements is large."""
    above: set[Value] = set()  # what is made of large values, but not through products
    for op in f.body:
        made = any(v in above for v in op.operands) and not isinstance(op, Matmul)
        one = len(op.results) == 1 and op.result not in f.returns
        if one and (made or _elements(op.result) >= least):
            above.add(op.result)
    below: set[Value] = set()  # what large values are made of
    for op in reversed(f.body):
        if any(_elements(v) >= least or v in below for v in op.results):
            below.update(op.operands)
    inside = {v for v in above if _elements(v) >= least or v in below}
    groups: dict[Value, set[Value]] = {v: {v} for v in inside}
    for op in f.body:
        linked = [v for v in (*op.operands, *op.results) if v in inside]
        whole = set().union(*(groups[v] for v in linked))
        groups.update(dict.fromkeys(whole, whole))
    seen: set[int] = set()
    for op in f.body:
        if isinstance(op, Matmul) and op.result in inside and _grows(op):
            group = groups[op.result]
            if id(group) not in seen:
                seen.add(id(group))
                yield _Cluster(f, group, least)


def _mined(cluster: _Cluster) -> Function | None:
    """The function with a cluster in strips; None where it cannot be."""
    first = next(filter(cluster.computes, cluster.f.body))
    rank = first.result.rank
    extents = [e if isinstance(e, int) else 0 for e in first.result.type.shape]
    batch = sorted(range(rank - 2), key=lambda axis: -extents[axis])
    for axis in (rank - 2, rank - 1, *batch):
        cluster.axis, cluster.height = {first.result: axis}, BLOCK if axis >= rank - 2 else 1
        many = extents[axis] >= STRIPS_MIN * cluster.height
        if many and _has_rows(cluster) and _has_stages(cluster) and not _is_fused(cluster):
            return _Rewriter(cluster).function()
    return None


def _is_fused(cluster: _Cluster) -> bool:
    """Whether one kernel keeps no more than strips by itself: two products in a row."""
    products = [v.op for v in cluster.inside if isinstance(v.op, Matmul)]
    sinks = [op for ops in cluster.stages.values() for op in ops]
    columns = products[0].result.shape[-1]
    few = isinstance(columns, int) and columns <= FUSED_COLUMNS_MAX
    return len(products) == len(sinks) == 1 and isinstance(sinks[0], Matmul) and few


def operand_axes(op: Op, axis: int) -> Axes | None:
    """Along which axes the operands have the rows that the result has along `axis`; None for an
    operand that all rows read whole. None where rows are not made of rows."""
    if op.can_fail or op.effect or len(op.results) != 1:
        return None
    shape = op.result.type.shape
    match op:
        case Elementwise():
            return (axis,) * len(op.operands)
        case Broadcast(x=x, dims=dims):
            place = dims.index(axis) if axis in dims else None
            return (None,) if place is None or x.shape[place] == 1 else (place,)
        case Transpose(perm=perm):
            return (perm[axis],)
        case Reshape(x=x):
            before = product(shape[:axis])
            for place, extent in enumerate(x.shape):
                if extent == shape[axis] and product(x.shape[:place]) == before:
                    return (place,)
            return None
        case Reduction(axes=axes):
            return ([a for a in range(op.x.rank) if a not in axes][axis],)
        case Matmul():
            last = len(shape) - 1
            return (None, last) if axis == last else (axis, None if axis == last - 1 else axis)
        case Iota(axis=counted):
            return None if counted == axis else ()
        case _:
            return None


def _summed_axes(op: Op) -> Axes | None:
    """Along which axes the operands of a product have the rows that it sums up."""
    if not isinstance(op, Matmul) or not op.x.dtype.is_floating:
        return None
    if op.x.dtype.compute is not op.x.dtype:
        return None  # sums are rounded between strips
    return op.x.rank - 1, op.x.rank - 2


def _has_rows(cluster: _Cluster) -> bool:
    """Find the rows of each value of the cluster, beginning with the one that is known; whether
    all of them have rows, made of the rows of others."""
    ops = [op for op in cluster.f.body if cluster.computes(op)]
    axis, known = cluster.axis, 0
    while known != len(axis):
        known = len(axis)
        for op in ops:
            if op.result not in axis:
                found = _result_axis(op, cluster)
                if found is not None:
                    axis[op.result] = found
            if op.result in axis:
                axes = operand_axes(op, axis[op.result])
                for v, a in zip(op.operands, axes or (), strict=False):
                    if v in cluster.inside and a is not None:
                        axis.setdefault(v, a)
    return len(axis) == len(cluster.inside) and all(
        _agrees(op, operand_axes(op, axis[op.result]), cluster) for op in ops
    )


def _result_axis(op: Op, cluster: _Cluster) -> int | None:
    """Along which axis an op's result has the rows of operands from inside."""
    if len(op.results) != 1:
        return None
    for axis in range(op.result.rank):
        axes = operand_axes(op, axis)
        given = zip(op.operands, axes or (), strict=False)
        known = [(cluster.axis[v], a) for v, a in given if v in cluster.axis]
        if known and all(have == wanted for have, wanted in known):
            return axis
    return None


def _agrees(op: Op, axes: Axes | None, cluster: _Cluster) -> bool:
    """Whether operands from inside have rows where they are wanted, and others can be cut."""
    if axes is None:
        return False
    for v, a in zip(op.operands, axes, strict=True):
        if v in cluster.inside:
            if a is None or cluster.axis.get(v) != a or v.type.shape[a] != cluster.rows:
                return False
        elif _elements(v) >= cluster.least or (a is not None and v.type.shape[a] != cluster.rows):
            return False
    return True


def _has_stages(cluster: _Cluster) -> bool:
    """Find what is made of the cluster, and what of it is there before the rest can be; whether
    strips give all of it."""
    depth: dict[Value, int] = {}
    cluster.stages = {}
    for op in cluster.f.body:
        here = max((depth.get(v, 0) for v in op.operands), default=0)
        if not cluster.computes(op) and any(v in cluster.inside for v in op.operands):
            axis = _result_axis(op, cluster)
            axes = _summed_axes(op) if axis is None else operand_axes(op, axis)
            if not _agrees(op, axes, cluster) or _elements(op.result) >= cluster.least:
                return False
            cluster.stages.setdefault(here, []).append(op)
            here += 1
        depth.update(dict.fromkeys(op.results, here))
    return True


# The function with its strips.


class _Blocked(Exception):
    """An effect stands between what a strip needs and its place."""


@dataclass(frozen=True)
class _Piece:
    """A value that strips read, by its rows along an axis, or whole."""

    value: Value
    axis: int | None


class _Rewriter:
    """Writes the function anew."""

    def __init__(self, cluster: _Cluster) -> None:
        self.cluster = cluster
        self.b = Builder(cluster.f.name)
        self.env: dict[Value, Value] = {}
        self.stage_of = {op: s for s, ops in cluster.stages.items() for op in ops}

    def function(self) -> Function | None:
        f, b = self.cluster.f, self.b
        self.env.update({p: b.parameter(p.type, p.name) for p in f.params})
        try:
            for op in f.body:
                known = op.results and op.results[0] in self.env
                if not self.cluster.computes(op) and not known:
                    self.emit(op)
        except _Blocked:
            return None
        returns = tuple(self.env[v] for v in f.returns)
        return Function(f.name, tuple(b.params), tuple(b.body), returns, f.notes)

    def emit(self, op: Op) -> None:
        """An op outside of strips, or the strips that give it."""
        if op in self.stage_of:
            self.strips(self.cluster.stages[self.stage_of[op]])
        else:
            copy_op(op, self.b, self.env)

    def need(self, values: Iterable[Value]) -> None:
        """See to it that values are there, which come later in the function that was."""
        for v in values:
            if v not in self.env and v.op is not None:
                if v.op not in self.stage_of:
                    if effectful(v.op) or v.op.binds():
                        raise _Blocked
                    self.need(v.op.operands)
                self.emit(v.op)

    def strips(self, sinks: Sequence[Op]) -> None:
        """The loop that gives the results of `sinks`, and the strip of the rows that are left."""
        b, rows = self.b, self.cluster.rows
        ops = self.ops_for(sinks)
        pieces = list(dict.fromkeys(piece for op in ops for piece in self.pieces(op)))
        self.need(piece.value for piece in pieces)
        b.location = sinks[0].location
        height = self.cluster.height
        count, rest = divmod(rows, height)
        cut = [piece for piece in pieces if piece.axis is not None]
        whole = [piece for piece in pieces if piece.axis is None]
        captured = [self.env[piece.value] for piece in whole]
        summed = [op for op in sinks if self.axis_of(op) is None]
        stacked = [op for op in sinks if self.axis_of(op) is not None]
        xs = [self.cut(piece, 0, count) for piece in cut]
        init = [_zeros(b, op.result.type.shape, op.result.dtype) for op in summed]

        body = Builder("strip")
        body.parameter(INDEX, "i")
        carried = [body.parameter(v.type) for v in init]
        slices = [body.parameter(TensorType(x.dtype, x.type.shape[1:])) for x in xs]
        given = [body.parameter(v.type, v.name) for v in captured]
        turned = [_moved(body, x, 0, _known(p.axis)) for p, x in zip(cut, slices, strict=True)]
        known = dict(zip((*cut, *whole), (*turned, *given), strict=True))
        made = self.strip(body, ops, known, height)
        totals = [body.emit(Add(c, made[op.result])) for c, op in zip(carried, summed, strict=True)]
        scanned = body.build(*totals, *(made[op.result] for op in stacked))
        results = b.emit_all(
            Scan(tuple(init), tuple(xs), tuple(captured), count, False, 0, scanned)
        )
        ends = dict(zip((*summed, *stacked), results, strict=True))
        for op in stacked:
            axis = _known(self.axis_of(op))
            shape = list(op.result.type.shape)
            shape[axis] = count * height
            ends[op] = b.emit(Reshape(_moved(b, ends[op], 0, axis), tuple(shape)))
        if rest:
            last = {p: _moved(b, self.cut(p, count * height, rest), 0, _known(p.axis)) for p in cut}
            last.update({p: self.env[p.value] for p in whole})
            made = self.strip(b, ops, last, rest)
            for op in summed:
                ends[op] = b.emit(Add(ends[op], made[op.result]))
            for op in stacked:
                joined = (ends[op], made[op.result])
                ends[op] = b.emit(Concat(joined, _known(self.axis_of(op))))
        for op in sinks:
            self.env[op.result] = ends[op]
            name_like([ends[op]], op.results)
            b.note(
                op,
                Did.REPLACED,
                f"in {count} strips of {height} row{'s' * (height > 1)}",
                [ends[op]],
            )

    def axis_of(self, op: Op) -> int | None:
        """Along which axis a result has rows; None for sums of rows."""
        known = self.cluster.axis.get(op.result)
        return _result_axis(op, self.cluster) if known is None else known

    def axes_of(self, op: Op) -> Axes:
        axis = self.axis_of(op)
        axes = _summed_axes(op) if axis is None else operand_axes(op, axis)
        assert axes is not None
        return axes

    def ops_for(self, sinks: Sequence[Op]) -> list[Op]:
        """What a strip computes for `sinks`, in order."""
        needed = set(sinks)
        for op in reversed(self.cluster.f.body):
            if op in needed:
                inner = (v for v in op.operands if v in self.cluster.inside)
                needed.update(v.op for v in inner if v.op is not None)
        return [op for op in self.cluster.f.body if op in needed]

    def pieces(self, op: Op) -> Iterator[_Piece]:
        """What an op in a strip reads from outside."""
        for v, axis in zip(op.operands, self.axes_of(op), strict=True):
            if v not in self.cluster.inside and not _is_number(v):
                yield _Piece(v, axis)

    def cut(self, piece: _Piece, begin: int, size: int) -> Value:
        """Rows of a piece: `size` strips of them from the first on, or the last `size` of them;
        the strips' axis, or that of the rows, comes first."""
        b, axis = self.b, _known(piece.axis)
        v = _moved(b, self.env[piece.value], axis, 0)
        rows, *others = v.type.shape
        height = self.cluster.height if begin == 0 else 1
        starts = (begin, *(0 for _ in others))
        if rows != size * height:
            v = b.emit(Slice(v, starts, (size * height, *others), (1,) * v.rank))
        return b.emit(Reshape(v, (size, height, *others))) if begin == 0 else v

    def strip(
        self, b: Builder, ops: Sequence[Op], known: dict[_Piece, Value], height: int
    ) -> dict[Value, Value]:
        """What `ops` give for so many rows."""
        made: dict[Value, Value] = {}
        for op in ops:
            b.location = op.location
            operands: dict[Value, Value] = {}
            axes = self.axes_of(op)
            for v, axis in zip(op.operands, axes, strict=True):
                if v in self.cluster.inside:
                    operands[v] = made[v]
                elif isinstance(v.op, Constant) and _is_number(v):
                    operands[v] = b.emit(Constant(v.op.value))
                else:
                    operands[v] = known[_Piece(v, axis)]
            here = op.with_operands(operands.__getitem__)
            axis = self.axis_of(op)
            if axis is not None and isinstance(here, Broadcast | Reshape | Iota):
                shape = list(here.shape)
                shape[axis] = height
                here = here.replace(shape=tuple(shape))
            made[op.result] = b.emit(here)
            name_like([made[op.result]], op.results)
        return made


def _known(axis: int | None) -> int:
    assert axis is not None
    return axis


def _is_number(v: Value) -> bool:
    """Whether a value is a constant that strips have themselves."""
    return isinstance(v.op, Constant) and v.rank == 0


def _moved(b: Builder, v: Value, origin: int, place: int) -> Value:
    """A value with one of its axes elsewhere."""
    perm = [a for a in range(v.rank) if a != origin]
    perm.insert(place, origin)
    return v if perm == list(range(v.rank)) else b.emit(Transpose(v, tuple(perm)))


def _zeros(b: Builder, shape: tuple[Extent, ...], dtype: DType) -> Value:
    return b.emit(Broadcast(b.constant(0, dtype), shape, ()))
