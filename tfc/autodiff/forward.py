"""`ForwardAccumulator`: directional derivatives of what is computed inside of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from ..core import blame, nest
from ..core.context import Scope, context
from ..core.conversion import convert_to_tensor
from ..core.variable import Variable
from ..ops.array.conversion import stop_gradient
from ..ops.array.creation import zeros_like
from ..ops.array.joining import stack
from .tape import GradientTape, UnconnectedGradients


class _Moves(GradientTape):
    """The tape of an accumulator, which is what the context is inside of."""

    @property
    def _is_recording(self) -> bool:
        return any(tape is self for tape in context.tapes)


class ForwardAccumulator(Scope):
    """Jacobian-vector products: how much what is computed inside of it changes where `primals` move
    by `tangents`. One costs about as much as a gradient, whichever the number of outputs.

    What is computed is recorded, as by a tape. The product is the derivative of the vector-Jacobian
    product by its vector, in which it is linear (J. Townsend, "A new trick for calculating Jacobian
    vector products", 2017). It goes through all that has a gradient which itself has one; others
    raise as second gradients do. Accumulators and tapes may stand in each other: products of
    products are higher derivatives, and the product of a tape's gradient is that of the Hessian.

    Args:
        primals: A tensor or Variable, or a structure of them: what moves.
        tangents: Which way: tensors of their shapes and dtypes.

    Raises:
        ValueError: If tangents are not as primals are, or it is entered again.

    >>> import tfc as tf
    >>> v = tf.Variable([1.0, 2.0])
    >>> with tf.autodiff.ForwardAccumulator(v, tf.constant([1.0, 0.0])) as acc:
    ...     with tf.GradientTape() as tape:
    ...         y = tf.reduce_sum(v**3.0)
    ...     backward = tape.gradient(y, v)
    >>> print(acc.jvp(y), acc.jvp(backward))
    tf.Tensor(3.0, shape=(), dtype=float32) tf.Tensor([6. 0.], shape=(2,), dtype=float32)
    """

    _batch: int | None = None  # how many tangents there are of each primal, along a first axis

    def __init__(self, primals: Any, tangents: Any) -> None:
        nest.assert_same_structure(primals, tangents)
        self._primals = [_primal(p) for p in nest.flatten(primals)]
        if len(set(map(id, self._primals))) < len(self._primals):
            raise blame.value_error(
                "A tensor was specified as a primal multiple times. This may indicate an error. If "
                "it was intended, please sum the corresponding tangents.",
                "ForwardAccumulator",
            )
        self._tangents = [
            _fitting(t, p) for t, p in zip(nest.flatten(tangents), self._primals, strict=True)
        ]
        self._around: tuple[_Moves, ...] = ()  # the tapes of accumulators that this stands in
        self._tape: GradientTape | None = None

    @classmethod
    def _batch_accumulator(cls, primals: Any, tangents: Any) -> ForwardAccumulator:
        """An accumulator of several tangents of each primal at once, along a first axis; `jvp`
        gives as many products, along a first axis. (By the name that TensorFlow has it by.)

        >>> import tfc as tf
        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.autodiff.ForwardAccumulator._batch_accumulator(x, tf.eye(2)) as acc:
        ...     y = x * x
        >>> print(acc.jvp(y))
        tf.Tensor(
        [[2. 0.]
         [0. 4.]], shape=(2, 2), dtype=float32)
        """
        nest.assert_same_structure(primals, tangents)
        rows = [
            convert_to_tensor(t, p.dtype)
            for t, p in zip(
                nest.flatten(tangents), map(_primal, nest.flatten(primals)), strict=True
            )
        ]
        counts = {t.shape[0] if t.shape.rank else None for t in rows}
        if len(counts) != 1 or None in counts:
            raise blame.value_error(
                f"tangents need one known number of rows along their first axis, got the shapes "
                f"{[t.shape for t in rows]}",
                "ForwardAccumulator",
            )
        found = cls(primals, nest.pack_sequence_as(primals, [t[0] for t in rows] if rows else []))
        found._batch = counts.pop()
        found._tangents = rows
        return found

    if TYPE_CHECKING:

        def __enter__(self) -> ForwardAccumulator: ...

    def changes(self) -> Mapping[str, Any]:
        if self._tape is not None:
            raise ValueError(
                "Accumulator is already recording, or was: a ForwardAccumulator cannot be entered "
                "again."
            )
        self._around = tuple(t for t in context.tapes if isinstance(t, _Moves))
        self._tape = tape = _Moves(persistent=True, watch_accessed_variables=False)
        changes = tape.changes()
        for primal in self._primals:
            tape.watch(primal)
        return changes

    def given(self, changes: Mapping[str, Any]) -> ForwardAccumulator:
        return self

    def leaving(self) -> Callable[..., Any]:
        assert self._tape is not None
        return self._tape.leaving()

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """How much tensors change that were computed inside.

        Args:
            primals: A tensor, or a structure of them.
            unconnected_gradients: What stands for tensors that do not depend on the primals: None,
                or `tf.UnconnectedGradients.ZERO` for zeros.

        Returns:
            Tensors of the shapes and dtypes of `primals`, in their structure.

        Raises:
            ValueError: If it was not entered yet.

        >>> import tfc as tf
        >>> x = tf.constant(1.1)
        >>> with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:
        ...     with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as inner:
        ...         y = x**3.0
        >>> first = inner.jvp(y)
        >>> print(first.numpy().round(3), outer.jvp(first).numpy().round(3))
        3.63 6.6
        """
        if self._tape is None:
            raise ValueError("Called jvp() of a ForwardAccumulator that was not entered.")
        zero = getattr(unconnected_gradients, "value", unconnected_gradients) == "zero"

        def product(target: Any) -> Any:
            moved = self._product(target)
            if moved is not None or not zero:
                return moved
            none = zeros_like(target)
            return none if self._batch is None else stack([none] * self._batch)

        return nest.map_structure(product, primals)

    def _product(self, target: Any) -> Any:
        tape, moved, several = self._tape, None, self._batch is not None
        assert tape is not None
        if isinstance(target, Variable):
            target = target.read()
        with ExitStack() as around:
            if tape._is_recording:
                around.enter_context(tape.stop_recording())
            for outer in self._around:  # which see the product also where they are left by now
                if not outer._is_recording:
                    around.enter_context(outer)
            with GradientTape(several, watch_accessed_variables=False) as linear:
                vector = stop_gradient(target)  # any number: the product does not depend on it
                linear.watch(vector)
                pulled = tape.gradient(target, self._primals, output_gradients=vector)
            pairs = [(g, t) for g, t in zip(pulled, self._tangents, strict=True) if g is not None]
            if pairs:
                cotangents, tangents = map(list, zip(*pairs, strict=True))

                def along(by: list[Any]) -> Any:
                    return linear.gradient(cotangents, vector, output_gradients=by)

                if self._batch is None:
                    moved = along(tangents)
                else:
                    rows = [along([t[i] for t in tangents]) for i in range(self._batch)]
                    moved = stack(rows) if all(r is not None for r in rows) else None
        return moved


def _primal(x: Any) -> Any:
    return x if isinstance(x, Variable) else convert_to_tensor(x)


def _fitting(tangent: Any, primal: Any) -> Any:
    """A tangent as a tensor of the dtype and shape of its primal."""
    found = convert_to_tensor(tangent, primal.dtype)
    if not found.shape.is_compatible_with(primal.shape):
        raise blame.value_error(
            f"a tangent of shape {found.shape} for a primal of shape {primal.shape}",
            "ForwardAccumulator",
        )
    return found


__all__ = ["ForwardAccumulator"]
