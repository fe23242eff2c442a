"""`Op.operand_indices`: what ops say of where they read is what they do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tfc.ir import core, ops, types
from tfc.ir.axis_map import AxisMaps
from tfc.ir.dtypes import float32
from tfc.ir.extent import product


def value(*shape: int) -> core.Value:
    return core.Value(types.TensorType(float32, shape))


def place(maps: AxisMaps, index: tuple[int, ...]) -> tuple[int, ...] | None:
    """The maps on numbers; None where the operand has no such element."""
    found = []
    for m in maps:
        at = m.stride * (0 if m.axis is None else index[m.axis]) + m.offset
        assert isinstance(at, int)
        whole, rest = divmod(at, m.step)
        if m.inside is not None:
            assert isinstance(m.inside, int)
            if rest or not 0 <= whole < m.inside:
                return None
        assert rest == 0
        found.append(whole)
    return tuple(found)


X = value(3, 4)
MOVES = [
    ops.Broadcast(value(3), (2, 3, 5), (1,)),
    ops.Broadcast(value(1, 4), (3, 4), (0, 1)),
    ops.Broadcast(value(), (2, 2), ()),
    ops.Reshape(value(3, 1, 4), (1, 3, 4, 1)),
    ops.Reshape(value(1, 1), ()),
    ops.Transpose(value(2, 3, 4), (2, 0, 1)),
    ops.Reverse(X, (1,)),
    ops.Slice(X, (1, 0), (2, 2), (1, 3)),
    ops.Pad(X, value(), (0, 0), (3, 4), (1, 1)),
    ops.Pad(X, value(), (2, 1), (6, 9), (1, 2)),
    ops.Pad(X, value(), (0, 0), (3, 6), (1, 1)),
    ops.Concat((X, value(3, 1), X), 1),
    ops.Relu(X),
]


@pytest.mark.parametrize("op", MOVES, ids=str)
def test_elements_are_where_the_maps_say(op: Any) -> None:
    core.Builder().emit(op)
    arrays: list[Any] = [
        np.arange(1, 1 + product(v.shape), dtype=np.float32).reshape(v.shape) for v in op.operands
    ]
    made: Any = np.full(op.result.shape, np.nan, np.float32)
    told = op.operand_indices()
    for index in np.ndindex(*op.result.shape):
        for x, maps in zip(arrays, told, strict=True):
            source = place(maps, index)
            if source is not None:
                made[index] = x[source]
                break  # the operands after it are for the other elements
    np.testing.assert_array_equal(made, op.numpy(*arrays))


@pytest.mark.parametrize("axes", [(0,), (2, 0), (0, 1, 2), ()])
def test_axes_beyond_the_result_are_loops_of_the_op(axes: tuple[int, ...]) -> None:
    op: Any = ops.ReduceSum(value(2, 3, 4), axes)
    core.Builder().emit(op)
    (maps,) = op.operand_indices()
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    loops = tuple(x.shape[a] for a in sorted(axes))
    made = np.zeros(op.result.shape, np.float32)
    for index in np.ndindex(*op.result.shape, *loops):
        made[index[: made.ndim]] += x[place(maps, index)]
    np.testing.assert_array_equal(made, op.numpy(x))


def test_what_the_index_does_not_tell() -> None:
    general = ops.Reshape(X, (4, 3))
    rows = ops.Gather(X, core.Value(types.parse_type("i32[5]")), 0)
    assert general.operand_indices() == (None,)
    assert rows.operand_indices() == (None, None)
