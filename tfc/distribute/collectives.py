"""Collectives on tensors: eagerly, inside of functions, and under tapes.

Each is one op (tfc/ir/ops/collective.py). Structures go as one collective, whose arrays follow one
another without being packed by a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.ops.collective import REDUCTIONS

from ..core import blame, nest
from ..core.context import calling_location, context, settings
from ..core.conversion import convert_to_tensor
from ..core.placement import is_on_host
from ..core.tensor import Tensor, wrap
from ..dispatch.primitive import primitive
from ..ops.array.shaping import reshape
from . import world


@primitive
def _all_reduce(b: Builder, *arguments: Any) -> tuple[Value, ...]:
    *values, how, line, bucket = arguments
    return b.emit_all(ir.AllReduce(tuple(values), how, line, bucket))


@primitive
def _all_gather(b: Builder, x: Value, ranks: int, rank: int, line: str) -> Value:
    return b.emit(ir.AllGather(x, ranks, rank, line))


@primitive
def _broadcast(b: Builder, *arguments: Any) -> tuple[Value, ...]:
    *values, root, rank, line = arguments
    return b.emit_all(ir.BroadcastFrom(tuple(values), root, rank, line))


def _line() -> str:
    """The user's line, for programs, which run later. An eager call is found when it runs."""
    return "" if context.trace is None else str(calling_location() or "")


def _plain(tensors: list[Any]) -> bool:
    """Whether arrays can be handed over as they are: nobody looks on, and all are floats, of which
    there is every reduction."""
    watched = context.trace is not None or context.tapes or settings.check_numerics
    return not watched and all(
        type(t) is Tensor and is_on_host(t._array) and t.dtype.is_floating for t in tensors
    )


def reduction_of(op: Any, name: str) -> str:
    """A reduction, as a string or a `ReduceOp`."""
    how = str(getattr(op, "value", op)).lower()
    if how not in REDUCTIONS:
        raise blame.value_error(f"op is one of {', '.join(REDUCTIONS)}, got {op!r:.50}", name)
    return how


def _on_tensors(value: Any, function: Callable[[list[Any]], Sequence[Any]]) -> Any:
    """What a function of tensors makes of those in a structure."""
    leaves = [convert_to_tensor(leaf) for leaf in nest.flatten(value)]
    return nest.pack_sequence_as(value, list(function(leaves))) if leaves else value


def all_reduce(value: Any, op: Any = "sum", name: str | None = None) -> Any:
    """Reduce a tensor, or each tensor of a structure, over all ranks. All ranks get the same bits:
    the order of additions is a binary tree over the ranks.

    All ranks have to call it at the same point of their programs, on the same dtypes and shapes;
    where they do not, all raise an error that names two ranks' lines. Gradients flow through it:
    that of a sum is the sum of the ranks' cotangents.

    Args:
        value: A tensor of numbers of any shape, or a nested structure of tensors.
        op: "sum", "mean", "min" or "max", or a `tf.distribute.ReduceOp`.

    Returns:
        What `value` is, of the same dtypes and shapes.

    Raises:
        ValueError: If there is no such reduction.
        FailedPreconditionError: If ranks call different collectives.

    >>> import tfc as tf
    >>> tf.distribute.all_reduce(tf.constant([1.0, 2.0]), "mean").numpy()  # of one rank
    array([1., 2.], dtype=float32)
    """
    how = reduction_of(op, "all_reduce")

    def reduced(tensors: list[Any]) -> Sequence[Any]:
        if world.size() == 1:
            return tensors
        if _plain(tensors):
            transport = world.transport()
            assert transport is not None
            return list(map(wrap, transport.all_reduce([t._array for t in tensors], how, "")))
        found = _all_reduce(*tensors, static=(how, _line(), world.bucket()))
        return found if isinstance(found, tuple) else (found,)

    return _on_tensors(value, reduced)


def all_gather(value: Any, name: str | None = None) -> Any:
    """The rows of a tensor on all ranks, one below the other in the order of the ranks. All ranks
    have as many rows.

    Args:
        value: A tensor of numbers, or a nested structure of tensors; a scalar counts as one row.

    Returns:
        What `value` is, with `size()` times as many rows.

    Raises:
        FailedPreconditionError: If ranks call different collectives.

    >>> import tfc as tf
    >>> tf.distribute.all_gather(tf.constant([[1, 2]])).shape  # of one rank
    TensorShape([1, 2])
    """

    def gathered(tensors: list[Any]) -> Sequence[Any]:
        rows = [reshape(t, [1]) if t.shape.rank == 0 else t for t in tensors]
        if world.size() == 1:
            return rows
        static = (world.size(), world.rank(), _line())
        return [_all_gather(t, static=static) for t in rows]

    return _on_tensors(value, gathered)


def broadcast(value: Any, root: int = 0, name: str | None = None) -> Any:
    """What one rank has, on all ranks.

    Args:
        value: A tensor of numbers, or a nested structure of tensors; of the same dtypes and shapes
            on all ranks.
        root: The rank whose values all get.

    Returns:
        What `value` is.

    Raises:
        ValueError: If there is no such rank.
        FailedPreconditionError: If ranks call different collectives.

    >>> import tfc as tf
    >>> float(tf.distribute.broadcast(tf.constant(3.0)))
    3.0
    """
    if not 0 <= root < world.size():
        raise blame.value_error(f"there is no rank {root} of {world.size()}", "broadcast")

    def sent(tensors: list[Any]) -> Sequence[Any]:
        if world.size() == 1:
            return tensors
        found = _broadcast(*tensors, static=(root, world.rank(), _line()))
        return found if isinstance(found, tuple) else (found,)

    return _on_tensors(value, sent)


def broadcast_variables(variables: Any, root: int = 0) -> None:
    """Give Variables on all ranks the values that they have on one: at the beginning of training,
    or where one rank has read a checkpoint.

    Args:
        variables: A nested structure of Variables, the same on all ranks.
        root: The rank whose values all get.

    Raises:
        ValueError: If there is no such rank.

    >>> import tfc as tf
    >>> tf.distribute.broadcast_variables([tf.Variable(1.0)])
    """
    held = list(nest.flatten(variables))
    for variable, value in zip(held, broadcast(held, root) if held else (), strict=True):
        if world.size() > 1:
            variable.assign(value)


def barrier() -> None:
    """Wait for all ranks. Inside of a function it belongs to what runs when the program gets there.

    Raises:
        FailedPreconditionError: If another rank calls another collective.

    >>> import tfc as tf
    >>> tf.distribute.barrier()
    """
    transport = world.transport()
    if transport is None:
        return
    if context.trace is None:
        transport.barrier("")
    else:
        _all_reduce(convert_to_tensor(0), static=("sum", _line(), 0))


__all__ = ["all_gather", "all_reduce", "barrier", "broadcast", "broadcast_variables"]
