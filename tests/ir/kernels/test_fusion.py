"""Fusion: which values one kernel stores."""

from __future__ import annotations

from tfc.ir.core import Builder
from tfc.ir.dtypes import float32, int32
from tfc.ir.extent import Extent, symbol
from tfc.ir.kernels.cpu import machine
from tfc.ir.kernels.lower import lower
from tfc.ir.kernels.ops import Launch
from tfc.ir.kernels.plan.explain import explain
from tfc.ir.kernels.target import Target
from tfc.ir.ops.elementwise import Add, Mul
from tfc.ir.ops.indexing import Scatter
from tfc.ir.ops.reduction import ReduceSum
from tfc.ir.ops.shape import Broadcast, Reverse
from tfc.ir.ops.transcendental import Exp
from tfc.ir.passes.check_first import check_first
from tfc.ir.types import TensorType

LIMIT = machine.STREAMS_MAX


def buffers(count: int, *shape: Extent, shared: bool = False, grid: bool = False) -> list[int]:
    """How many buffers the kernels of so many sums have; all have a `shared` operand, or nothing
    in common."""
    b = Builder("f")
    one = TensorType(float32, shape)
    first = [b.parameter(one)] * count if shared else [b.parameter(one) for _ in range(count)]
    sums = [b.emit(Add(x, b.parameter(one))) for x in first]
    launches = lower(b.build(*sums), Target(grid=grid)).body
    return [len(op.kernel.params) for op in launches if isinstance(op, Launch)]


def test_unrelated_values_share_a_kernel_while_its_arrays_are_few() -> None:
    each = LIMIT // 3
    assert buffers(each, 9, 8) == [3 * each]
    assert buffers(2 * each + 1, 9, 8) == [3 * each, 3 * each, 3]
    assert buffers(2 * each, symbol("n"), 1) == [3 * each] * 2


def test_values_of_one_operand_share_a_kernel() -> None:
    assert buffers(LIMIT, 9, shared=True) == [2 * LIMIT + 1]


def test_scalars_are_no_streams() -> None:
    assert buffers(LIMIT) == buffers(LIMIT, 1, 1) == [3 * LIMIT]


def test_a_grid_of_threads_goes_through_any_number_of_arrays() -> None:
    assert buffers(LIMIT, 9, 8, grid=True) == [3 * LIMIT]


def test_what_is_spread_is_stored_before_it_is_spread() -> None:
    """An exponential for each row, which the kernels of two sums read: the rows' values are
    stored, but never as large as what is summed."""
    b = Builder("f")
    row, x = b.parameter(TensorType(float32, (99,))), b.parameter(TensorType(float32, (99, 80)))
    spread = b.emit(Broadcast(b.emit(Exp(row)), (99, 80), (0,)))
    sums = (
        b.emit(ReduceSum(b.emit(op(x, spread)), axes)) for op, axes in ((Add, (0,)), (Mul, (1,)))
    )
    launches = lower(b.build(*sums)).body
    stored = [v.shape for op in launches if isinstance(op, Launch) for v in op.results]
    assert sorted(stored) == [(80,), (99,), (99,)]


def test_pulls_go_through_no_more_than_fifty_index_maps() -> None:
    """What is deeper is stored; elementwise ops, and what is less deep beside it, count nothing."""

    def kernels(maps: int, stored: bool) -> int:
        b = Builder("f")
        x = y = b.parameter(TensorType(float32, (9,)))
        first = []
        if stored:
            y = b.emit(Exp(x))
            first.append(y)
        for _ in range(maps):
            y = b.emit(Add(x, b.emit(Add(b.emit(Reverse(y, (0,))), x))))
        return sum(isinstance(op, Launch) for op in lower(b.build(*first, y)).body)

    assert [kernels(maps, False) for maps in (51, 52, 102, 103)] == [1, 2, 2, 3]
    assert [kernels(maps, True) for maps in (51, 52)] == [2, 3]


def test_indices_that_are_checked_first_are_stored() -> None:
    b = Builder("f")
    x, u = (b.parameter(TensorType(float32, (n,))) for n in (9, 4))
    i = b.parameter(TensorType(int32, (4,)))
    f = check_first(b.build(b.emit(Scatter(x, i, u, "add"))), [(0, 0)])
    told = explain(f, machine.CPU, Target()).kernels[0].steps
    why = "the indices are checked before anything is written"
    assert [(s.op.mnemonic, s.role, s.reason) for s in told] == [("checked_index", "stores", why)]


def test_a_kernel_stores_sixty_four_values_at_most() -> None:
    b = Builder("f")
    one = TensorType(float32, (9,))
    x = b.parameter(one)
    f = b.build(*[b.emit(Add(x, b.parameter(one))) for _ in range(65)])
    assert [len(op.results) for op in lower(f).body if isinstance(op, Launch)] == [64, 1]
