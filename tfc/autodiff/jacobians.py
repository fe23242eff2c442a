"""Jacobians: one pullback for each element of the target.

Where a trace does not know how many elements that are, or they are many, the pullbacks stand in a
loop of the program, whose rounds are given what the forward ops have computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.autodiff.reverse import cotangents, differentiable
from tfc.ir.core import Value
from tfc.ir.extent import Extent, product
from tfc.ir.ops import Broadcast, Constant

from ..core import blame, nest
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.indexed_slices import dense
from ..core.tensor import Held, SymbolicTensor, Tensor
from ..core.variable import Variable
from ..ops.array.creation import one_hot, zeros
from ..ops.array.joining import stack
from ..ops.array.shaping import broadcast_to_shape, reshape, transpose
from ..ops.array.sizes import steps
from ..ops.extents import _require_equal, extents_of

# Pullbacks that a function has one after another. Of tanh(W x) by x of 512 elements they took
# 1.6 s for the first call and 6.7 ms for others, in a loop 0.05 s and 12 ms; of 256 elements 0.7 s
# and 0.6 ms, in a loop 0.05 s and 1.3 ms. What compiles grows with the rows, for ever.
TRACED_ROWS_MAX = 256


class Jacobians:
    """The part of `GradientTape` that gives jacobians."""

    _persistent: bool
    _trace: Any

    def jacobian(
        self,
        target: Tensor,
        sources: Any,
        unconnected_gradients: str = "none",
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The derivative of each element of `target` by each element of each source.

        Args:
            target: A tensor.
            sources: Tensors and Variables that are watched: one, or a structure of them.
            unconnected_gradients: What a source has that does not influence the target: None for
                "none", a tensor of zeros for "zero".
            parallel_iterations: Not used.
            experimental_use_pfor: Not used.

        Returns:
            A tensor of shape (*target.shape, *source.shape) for each source, in the structure of
            `sources`.

        Raises:
            RuntimeError: If a tape that is not persistent is asked again.

        >>> import tfc as tf
        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> print(tape.jacobian(y, x))
        tf.Tensor(
        [[2. 0.]
         [0. 4.]], shape=(2, 2), dtype=float32)
        """
        y = convert_to_tensor(target)
        shape = extents_of(y)
        count = product(shape)

        def seed(i: Tensor) -> Tensor:
            return reshape(one_hot(i, count, dtype=y.dtype), list(shape))

        flat = nest.flatten(sources)
        found = self._rows(y, count, seed, flat, unconnected_gradients)
        columns = [
            None if rows is None else reshape(rows, [*shape, *_extents(source)])
            for rows, source in zip(found, flat, strict=True)
        ]
        return nest.pack_sequence_as(sources, columns) if nest.is_nested(sources) else columns[0]

    def batch_jacobian(
        self,
        target: Tensor,
        source: Tensor | Variable,
        unconnected_gradients: str = "none",
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The jacobian of each row of `target` by the row of `source` in the same place, where a
        row of the target is computed from that row alone: of shapes [b, ...] and [b, ****] it is
        [b, ..., ****]. Zeros where the source does not influence the target.

        Args:
            target: A tensor [b, ...].
            source: A tensor or Variable [b, ****] that is watched.
            unconnected_gradients: Not used: what is not connected is zero.
            parallel_iterations: Not used.
            experimental_use_pfor: Not used.

        Returns:
            A tensor [b, ..., ****].

        Raises:
            RuntimeError: If a tape that is not persistent is asked again.
            ValueError: If the first extents differ.

        >>> import tfc as tf
        >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> print(tape.batch_jacobian(y, x))
        tf.Tensor(
        [[[2. 0.]
          [0. 4.]]
        <BLANKLINE>
         [[6. 0.]
          [0. 8.]]], shape=(2, 2, 2), dtype=float32)
        """
        op = "batch_jacobian"
        tape: Any = self
        tape._require_unused()
        if not isinstance(source, Held):
            raise blame.type_error(f"source must be a tensor or Variable, got {source!r:.200}", op)
        y = convert_to_tensor(target)
        shape, inner = extents_of(y), _extents(source)
        if not shape or not inner:
            raise blame.value_error(
                f"needs a target and a source of at least one axis, got shapes {y.shape} and "
                f"{source.shape}",
                op,
            )
        batch = shape[0]
        if isinstance(batch, int) and isinstance(inner[0], int) and batch != inner[0]:
            raise blame.value_error(
                f"Need first dimension of target shape ({y.shape}) and source shape "
                f"({source.shape}) to match.",
                op,
            )
        _require_equal(batch, inner[0])
        row, wanted = product(shape[1:]), (*shape, *inner[1:])

        def seed(i: Tensor) -> Tensor:
            return reshape(
                broadcast_to_shape(one_hot(i, row, dtype=y.dtype), [batch, row]), list(shape)
            )

        (found,) = self._rows(y, row, seed, [source], unconnected_gradients)
        if found is None:
            return zeros(wanted, y.dtype)
        rank = len(inner) + 1
        return reshape(transpose(found, [1, 0, *range(2, rank)]), list(wanted))

    def _rows(
        self,
        y: Tensor,
        count: Extent,
        seed: Callable[[Any], Tensor],
        sources: Sequence[Tensor | Variable],
        unconnected: str,
    ) -> list[Tensor | None]:
        """For each source the gradients of y with the weights seed(0), ..., seed(count - 1),
        stacked; None where there is none."""
        tape: Any = self
        if not isinstance(count, int) or (tape._trace is not None and count > TRACED_ROWS_MAX):
            tape._use()
            return _rows_in_loop(tape, y, count, seed, sources, unconnected)
        tape._use()
        kept, tape._persistent = tape._persistent, True
        try:
            rows = [tape.gradient(y, list(sources), seed(i), unconnected) for i in range(count)]
            if not rows:  # who is connected is told by a gradient that is not part of the result
                some = tape.gradient(y, list(sources), None, unconnected)
                return [
                    None if g is None else zeros([0, *_extents(s)], s.dtype)
                    for g, s in zip(some, sources, strict=True)
                ]
        finally:
            tape._persistent = kept
        columns = [[dense(row[j]) for row in rows] for j in range(len(sources))]
        return [None if any(g is None for g in column) else stack(column) for column in columns]


def _extents(source: Any) -> tuple[Extent, ...]:
    return extents_of(convert_to_tensor(source))  # a Variable: Keras's too


_CHEAP = (Constant, Broadcast)  # made again rather than given to the loop


def _rows_in_loop(
    tape: Any,
    y: Tensor,
    count: Extent,
    seed: Callable[[Any], Tensor],
    sources: Sequence[Tensor | Variable],
    unconnected: str,
) -> list[Tensor | None]:
    """`Jacobians._rows` for a number of rows that only the call knows, or many."""
    outer = tape._trace
    ops, tracked = tape._recorded()
    target = outer.value_of(y)
    wanted = [tape._stands_for(s) for s in sources]
    wanted = [v if v in tracked else None for v in wanted]
    connected: list[bool] = []

    def row(i: Tensor) -> list[Tensor]:
        inner: Any = context.trace
        b, known = inner.builder, {}

        def here(v: Value) -> Value:
            """The value in the loop that is v outside; no recursion, chains may be long."""
            work = [v]
            while work:
                x = work[-1]
                if x in known:
                    work.pop()
                elif not isinstance(x.op, _CHEAP):
                    known[x] = inner.value_of(SymbolicTensor(outer, x))
                elif missing := [o for o in x.op.operands if o not in known]:
                    work.extend(missing)
                else:
                    known[x] = b.emit(x.op.with_operands(known.__getitem__))
            return known[v]

        weight = inner.value_of(seed(i))
        seeds = {target: weight} if differentiable(target) else {}
        found = cotangents(b, ops, seeds, [v for v in wanted if v is not None], here)
        connected[:] = [v is not None and v in found for v in wanted]
        return [SymbolicTensor(inner, found[v]) for v in wanted if v is not None and v in found]

    from ..control_flow.scans import mapped  # not before: it is not needed for gradients
    from ..dispatch.tracing import in_trace

    stacked = iter(mapped(in_trace(row), steps(count), None, "jacobian"))
    results = [next(stacked) if there else None for there in connected]
    if getattr(unconnected, "value", unconnected) == "zero":
        return [
            zeros([count, *_extents(s)], s.dtype) if g is None else g
            for g, s in zip(results, sources, strict=True)
        ]
    return results
