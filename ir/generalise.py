"""What a function of one size would be for all sizes: a guess that is right for its own size.

    func @f(%x: f32[32,8], %w: f32[8]) -> f32[32,8] {
      %0 = broadcast %w {shape = (32, 8), dims = (1,)} : f32[32,8]
    ->
    func @f(%x: f32[n0,8], %w: f32[8]) -> f32[n0,8] {
      %0 = broadcast %w {shape = (n0, 8), dims = (1,)} : f32[n0,8]

A trace does not say which of its numbers come from the size of an argument: a 32 may be the batch,
or the width of a layer. What ops say of their axes tells most of it (`operand_indices`): axes that
are read together have one size. So the axes of all values fall into classes. A class with an axis
of a batch varies, one with an axis of anything else does not, and what `reshape` merges or splits
follows from the number of elements.

Each op of the result is that of the given function, with attributes and types that are the same
where the symbols stand for the given sizes. So the result is *the same function* for these sizes,
whatever was guessed. For other sizes it is one only if a trace for these gives the same: that is
for the caller to find out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .copying import name_like
from .core import Builder, Function, Op, OpError, Value
from .extent import Expr, Extent, as_int, floordiv, product, substitute, symbols, terms_of
from .ops import Concat, ExtentOf, Reshape
from .ops.contraction import Matmul
from .ops.elementwise import Elementwise
from .ops.gather import CheckedIndex, Gather, ScatterAdd
from .ops.indexing import Scatter
from .ops.reduction import Reduction
from .ops.window import Conv, Window
from .types import TensorType

Axis = tuple[Value, int]

_EXTENTS = ("Extent", "Shape", "tuple[Extent, ...]")  # how attributes are annotated that have some


# Ops of other indices than those of their results that go along rows, or sum up over them.
_ALONG_ROWS = (
    *(Elementwise, Matmul, Window, Reshape, Concat),
    *(CheckedIndex, Gather, Scatter, ScatterAdd),
)


class _NoGuess(Exception):
    """The function is like no function of all sizes."""


def generalise(f: Function, batched: Mapping[int, Expr]) -> Function | None:
    """`f` with a symbol for the leading extent of these params; None where no guess is consistent.

    >>> from . import dtypes, ops
    >>> from .extent import symbol
    >>> b = Builder("f")
    >>> x = b.parameter(TensorType(dtypes.float32, (4, 3)), "x")
    >>> w = b.parameter(TensorType(dtypes.float32, (3,)), "w")
    >>> f = b.build(b.emit(ops.Add(x, b.emit(ops.Broadcast(w, (4, 3), (1,))))))
    >>> print(generalise(f, {0: symbol("n0")}))
    func @f(%x: f32[n0,3], %w: f32[3]) -> f32[n0,3] {
      %0 = broadcast %w {shape = (n0, 3), dims = (1,)} : f32[n0,3]
      %1 = add %x, %0 : f32[n0,3]
      return %1
    }
    """
    sizes = {str(s): f.params[i].shape[0] for i, s in batched.items()}
    values = [*f.params, *(v for op in f.body for v in op.results)]
    if not all(isinstance(v.type, TensorType) and v.type.is_static for v in values):
        return None
    try:
        return _Guess(f, batched, sizes).function()
    except (_NoGuess, OpError, ZeroDivisionError):  # what has no elements is divided by its size
        return None


def counts_rows(f: Function) -> bool:
    """Whether the symbols of a function count rows that weights are multiplied by, as those of a
    batch: nothing has as many elements as their square, and ops go along them or sum up over them.
    What else asks for sizes, such as sorting, transforms and attention among all rows, has faster
    schedules where it knows them."""
    values = [*f.params, *(v for op in f.body for v in op.results)]
    if any(len(m) > 1 for v in values for m, _ in terms_of(product(v.shape))):
        return False
    weights = any(isinstance(op, Matmul | Conv) for op in f.body)
    return weights and all(map(_goes_along, f.body))


def _goes_along(op: Op) -> bool:
    if isinstance(op, _ALONG_ROWS) or not any(symbols(e) for v in op.operands for e in v.shape):
        return True
    return all(maps is not None for maps in op.operand_indices())


class _Guess:
    """The classes of axes, and the function that they give."""

    def __init__(
        self, f: Function, batched: Mapping[int, Expr], sizes: Mapping[str, Extent]
    ) -> None:
        self._f = f
        self._sizes = sizes
        self._begin: dict[Value, int] = {}  # the numbers of all axes: where those of a value begin
        count = 0
        for v in (*f.params, *(v for op in f.body for v in op.results)):
            self._begin[v] = count
            count += v.rank
        self._parent = list(range(count))
        self._extents: dict[int, Extent] = {}  # of the first axis of a class
        for op in f.body:
            for a, b in _together(op):
                self._parent[self._first(b)] = self._first(a)  # the oldest: paths stay short
        for i, p in enumerate(f.params):
            for axis, size in enumerate(p.shape):
                self._decide(p, axis, batched[i] if axis == 0 and i in batched else size)
        for op in f.body:
            if isinstance(op, Reshape):
                self._split(op)

    def function(self) -> Function:
        """What the classes make of it."""
        b = Builder(self._f.name)
        env: dict[Value, Value] = {}
        for p in self._f.params:
            shape = self._shape(p)
            env[p] = p if shape == p.shape else Value(p.tensor_type.with_shape(shape), name=p.name)
            b.params.append(env[p])
        for i, op in enumerate(self._f.body):
            attributes = self._attributes(i, op)
            if not attributes and all(env[v] is v for v in op.operands):
                b.body.append(op)  # as it is
                env.update((v, v) for v in op.results)
                continue
            if op.regions or (op.effect and attributes):
                raise _NoGuess
            new = op.with_operands(env.__getitem__)
            if attributes:
                new = new.replace(**attributes)
            b.location = op.location
            for v, made in zip(op.results, b.emit_all(new), strict=True):
                for axis, extent in enumerate(made.shape):
                    self._decide(v, axis, extent)
                env[v] = made
            name_like(new.results, op.results)
        returns = tuple(env[v] for v in self._f.returns)
        return Function(b.name, tuple(b.params), tuple(b.body), returns, self._f.notes)

    # ---- classes ----

    def _first(self, axis: Axis) -> int:
        """The number of the first axis in the class of an axis."""
        parents = self._parent
        number = self._begin[axis[0]] + axis[1]
        while (parent := parents[number]) != number:
            parents[number] = parents[parent]
            number = parent
        return number

    def _decide(self, v: Value, axis: int, extent: Extent) -> None:
        """Let the class of an axis have this size, which is that of the axis itself, too."""
        known = self._extents.setdefault(self._first((v, axis)), extent)
        size = extent if isinstance(extent, int) else substitute(extent, self._sizes)
        if known != extent or size != v.shape[axis]:
            raise _NoGuess

    def _extent(self, v: Value, axis: int) -> Extent:
        """What is known of an axis; a number where nothing is."""
        return self._extents.get(self._first((v, axis)), v.shape[axis])

    def _shape(self, v: Value) -> tuple[Extent, ...]:
        return tuple([self._extent(v, axis) for axis in range(v.rank)])

    def _split(self, op: Reshape) -> None:
        """Let what is not known of a result follow from the number of elements: the first extents
        are those that vary."""
        rest = product(self._shape(op.x))
        open_ = []
        for axis in range(op.result.rank):
            if self._first((op.result, axis)) in self._extents:
                rest = floordiv(rest, self._extent(op.result, axis))
            else:
                open_.append(axis)
        for axis in open_:
            others = as_int(product(op.shape[a] for a in open_ if a > axis))
            extent = floordiv(rest, others) if others else rest
            if substitute(extent, self._sizes) != op.shape[axis]:
                extent = op.shape[axis]
            self._decide(op.result, axis, extent)
            rest = others

    # ---- attributes ----

    def _attributes(self, place: int, op: Op) -> dict[str, Any]:
        """Those that are not what they were."""
        if isinstance(op, ExtentOf):
            if not isinstance(op.value, int):
                raise _NoGuess  # a size that data tell
            value = self._count(place, op.value)
            return {} if value == op.value else {"value": value}
        changed: dict[str, Any] = {}
        for name in op.spec.attributes:
            if op.spec.annotations[name] not in _EXTENTS:
                continue
            value = getattr(op, name)
            for v in (*op.results, *op.operands):
                if isinstance(value, tuple) and value == v.shape:
                    shape = self._shape(v)
                    if shape != value:
                        changed[name] = shape
                    break
        return changed

    def _count(self, place: int, number: int) -> Extent:
        """The number of elements that are counted: those that a reduction nearby reduces."""
        body = self._f.body
        for op in (*reversed(body[:place]), *body[place:]):
            if isinstance(op, Reduction):
                x = op.x
                if product(x.shape[a] for a in op.axes) == number:
                    return product(self._extent(x, a) for a in op.axes)
        return number


def _together(op: Op) -> Iterator[tuple[Axis, Axis]]:
    """Pairs of axes that have one size."""
    if len(op.results) != 1:
        return
    result = op.result
    if isinstance(op, Reshape) and not op.only_ones:
        yield from _matching(op)
        return
    if isinstance(op, Matmul | Window):
        yield from _contracted(op)
        return
    for x, maps in zip(op.operands, op.operand_indices(), strict=True):
        if maps is None:  # what sorts, counts or joins does so along later axes, if it can be told
            alone = len(op.operands) == 1 or isinstance(op, Concat)
            if alone and x.rank and result.rank and x.shape[0] == result.shape[0]:
                yield (x, 0), (result, 0)
            continue
        for axis, m in enumerate(maps):
            if m.axis is None or m.stride != 1 or m.offset != 0 or m.step != 1:
                continue
            if m.axis < result.rank and x.shape[axis] == result.shape[m.axis]:
                yield (x, axis), (result, m.axis)


def _contracted(op: Matmul | Window) -> Iterator[tuple[Axis, Axis]]:
    """The axes of products, and of what slides a window: batch, channels, what is summed."""
    result = op.result
    if isinstance(op, Matmul):
        batch, last = range(result.rank - 2), result.rank - 1
        yield from (((v, a), (result, a)) for v in op.operands for a in batch)
        yield (op.x, last - 1), (result, last - 1)
        yield (op.x, last), (op.y, last - 1)
        yield (op.y, last), (result, last)
    elif isinstance(op, Conv):
        if op.batch_groups == 1:
            yield (op.x, 0), (result, 0)
        if op.groups == 1:
            yield (op.x, op.x.rank - 1), (op.w, op.w.rank - 2)
        yield (op.w, op.w.rank - 1), (result, result.rank - 1)
    else:
        for v in op.operands:
            yield from (((v, a), (result, a)) for a in (0, result.rank - 1))


def _matching(op: Reshape) -> Iterator[tuple[Axis, Axis]]:
    """The first and the last axes that a reshape leaves alone."""
    old, new = op.x.shape, op.shape
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        yield (op.x, first), (op.result, first)
        first += 1
    for k in range(1, min(len(old), len(new)) - first + 1):
        if old[-k] != new[-k]:
            return
        yield (op.x, len(old) - k), (op.result, len(new) - k)


__all__ = ["generalise"]
