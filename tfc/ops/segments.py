"""Segments: rows combined by the number of the segment that each belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.dtypes import as_dtype, int64
from tfc.ir.extent import Extent, product

from .. import blame
from ..dispatch import Primitive, Sizes, broadcast_to, measured, primitive, retype
from ..tensor import operand
from .math import _named
from .sorting import extent_operand

Finish = Callable[[Builder, Value, Value], Value]  # of what was combined, and the counts


def _fitted(b: Builder, data: Value, ids: Value) -> tuple[Value, Value]:
    """Rows of data, and the vector of their ids: the axes of the ids become one."""
    name = f"data.shape = {list(data.shape)}", f"segment_ids.shape = {list(ids.shape)}"
    unify = getattr(b, "unify", lambda x, y: False)
    front = data.shape[: ids.rank]
    if data.rank < ids.rank or not all(
        e == f or unify(e, f) for e, f in zip(front, ids.shape, strict=True)
    ):
        raise OpError(f"segment: {name[0]} does not start with {name[1]}")
    ids = retype(b, ids, front)
    if ids.rank == 1:
        return data, ids
    n = product(front)
    rows = b.emit(ir.Reshape(data, (n, *data.shape[ids.rank :])))
    return rows, b.emit(ir.Reshape(ids, (n,)))


def _counts(b: Builder, ids: Value, rows: Extent, check: str, like: Value) -> Value:
    """How many rows of data each segment has, as i64 in the shape of the result."""
    ones = broadcast_to(b, b.constant(1, int64), ids.shape)
    counts = b.emit(ir.SegmentSum(ids, ones, rows, check))
    return b.emit(ir.Broadcast(counts, like.shape, (0,)))


def _mean(b: Builder, total: Value, counts: Value) -> Value:
    n, dtype = Term(b, counts), total.dtype
    n = n._emit("maximum", n.const(1))
    divisor = Term(b, b.emit(ir.Cast(n.value, dtype)))
    if not dtype.is_integer:
        return (Term(b, total) / divisor).value
    # Integers are rounded towards zero, as by TensorFlow's kernel.
    if dtype.is_unsigned:
        return Term(b, total)._emit("floor_div", divisor).value
    size = Term(b, b.emit(ir.Abs(total)))._emit("floor_div", divisor)
    return where(Term(b, total) < 0, -size, size).value


def _true_mean(b: Builder, total: Value, counts: Value) -> Value:
    """As `/` divides: integers give floats."""
    if total.dtype.is_integer:
        total = b.emit(ir.Cast(total, as_dtype("f32" if total.dtype.bits < 32 else "f64")))
    return _mean(b, total, counts)


def _over_root(b: Builder, total: Value, counts: Value) -> Value:
    if not total.dtype.is_floating:
        raise OpError(f"segment: not defined for dtype {total.dtype.name}", "dtype")
    n = Term(b, counts)
    divisor = b.emit(ir.Cast(n._emit("maximum", n.const(1)).value, total.dtype))
    return (Term(b, total) / Term(b, b.emit(ir.Sqrt(divisor)))).value


def _zero_where_none(b: Builder, extremum: Value, counts: Value) -> Value:
    x = Term(b, extremum)
    return where(Term(b, counts) > 0, x, 0).value


@primitive
def _segment_count(b: Builder, ids: Value) -> Any:
    """One more than the largest id; 0 of none."""
    if ids.rank != 1 or not ids.dtype.is_integer:
        raise OpError("segment: segment_ids should be a vector of integers")
    top = Term(b, b.emit(ir.ReduceMax(b.emit(ir.Cast(ids, int64)), (0,))))
    return (top._emit("maximum", top.const(-1)) + 1).value


def _segment(op: Callable[..., Op], name: str, finish: Finish | None, doc: str) -> Any:
    """The public function of a reduction over sorted segments."""

    def body(b: Builder, data: Value, ids: Value, rows: tuple[Extent]) -> Any:
        data, ids = _fitted(b, data, ids)
        result = b.emit(op(ids, data, rows[0], "sorted"))
        if finish is None:
            return result
        return finish(b, result, _counts(b, ids, rows[0], "sorted", result))

    prim = Primitive(body, name)

    def function(data: Any, segment_ids: Any, name: Any = None) -> Any:
        x, ids = operand(prim.name, data), operand(prim.name, segment_ids)
        if not ids.dtype.is_integer:
            raise blame.invalid_dtype("segment_ids must be integers", prim.name)
        if len(ids.shape) != 1:
            raise blame.invalid("segment_ids should be a vector.", prim.name)
        rows = measured(_segment_count.fast()(ids))
        return prim(x, ids, static=(Sizes((rows,)),))

    return _named(function, name, doc)


def _unsorted(op: Callable[..., Op], name: str, finish: Finish | None, doc: str) -> Any:
    """The public function of a reduction over segments in any order."""

    def body(b: Builder, data: Value, ids: Value, rows: tuple[Extent]) -> Any:
        data, ids = _fitted(b, data, ids)
        result = b.emit(op(ids, data, rows[0], "drop"))
        if finish is None:
            return result
        return finish(b, result, _counts(b, ids, rows[0], "drop", result))

    prim = Primitive(body, name)

    def function(data: Any, segment_ids: Any, num_segments: Any, name: Any = None) -> Any:
        x, ids = operand(prim.name, data), operand(prim.name, segment_ids)
        if not ids.dtype.is_integer:
            raise blame.invalid_dtype("segment_ids must be integers", prim.name)
        rows = extent_operand(num_segments, prim.name)
        return prim(x, ids, static=(Sizes((rows,)),))

    return _named(function, name, doc)


_SORTED = """of the rows data[i] whose segment_ids[i] is s, in row s of the result. The ids
    are a vector, one for each row; they must not fall, and there is a row for each up to the last.
    {empty}

    Raises InvalidArgumentError where ids fall or are negative."""
_ANY = """of data[i] over all i with segment_ids[i] = s, in row s of the result. The shape
    of the ids is a prefix of the data's; they may be in any order, and negative ones are left out.
    {empty}

    Raises InvalidArgumentError for an id that is not below `num_segments`."""


segment_sum = _segment(
    ir.SegmentSum,
    "segment_sum",
    None,
    f"""The sum {_SORTED.format(empty="The sum of none is 0.")}

    >>> import tfc as tf
    >>> print(tf.math.segment_sum([[1, 2], [3, 4], [5, 6]], [0, 0, 1]))
    tf.Tensor(
    [[4 6]
     [5 6]], shape=(2, 2), dtype=int32)
    """,
)
segment_prod = _segment(
    ir.SegmentProd,
    "segment_prod",
    None,
    f"The product {_SORTED.format(empty='The product of none is 1.')}",
)
segment_mean = _segment(
    ir.SegmentSum,
    "segment_mean",
    _mean,
    f"The mean {_SORTED.format(empty='The mean of none is 0. Integers are rounded towards 0.')}",
)
segment_max = _segment(
    ir.SegmentMax,
    "segment_max",
    _zero_where_none,
    f"The largest {_SORTED.format(empty='Where there is none, it is 0.')}",
)
segment_min = _segment(
    ir.SegmentMin,
    "segment_min",
    _zero_where_none,
    f"The smallest {_SORTED.format(empty='Where there is none, it is 0.')}",
)
unsorted_segment_sum = _unsorted(
    ir.SegmentSum,
    "unsorted_segment_sum",
    None,
    f"""The sum {_ANY.format(empty="The sum of none is 0.")}

    >>> import tfc as tf
    >>> print(tf.math.unsorted_segment_sum([1, 2, 3, 4], [2, 0, -1, 2], 3))
    tf.Tensor([2 0 5], shape=(3,), dtype=int32)
    """,
)
unsorted_segment_prod = _unsorted(
    ir.SegmentProd,
    "unsorted_segment_prod",
    None,
    f"The product {_ANY.format(empty='The product of none is 1.')}",
)
unsorted_segment_mean = _unsorted(
    ir.SegmentSum,
    "unsorted_segment_mean",
    _true_mean,
    f"The mean {_ANY.format(empty='The mean of none is 0. The mean of integers is a float.')}",
)
unsorted_segment_sqrt_n = _unsorted(
    ir.SegmentSum,
    "unsorted_segment_sqrt_n",
    _over_root,
    f"The sum, over the root of how many there are, {_ANY.format(empty='Of none it is 0.')}",
)
unsorted_segment_max = _unsorted(
    ir.SegmentMax,
    "unsorted_segment_max",
    None,
    f"The largest {_ANY.format(empty='Of none it is the smallest finite number of the dtype.')}",
)
unsorted_segment_min = _unsorted(
    ir.SegmentMin,
    "unsorted_segment_min",
    None,
    f"The smallest {_ANY.format(empty='Of none it is the largest finite number of the dtype.')}",
)
