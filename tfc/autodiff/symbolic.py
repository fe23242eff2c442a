"""`tf.gradients`: derivatives of what a function has computed so far, without a tape."""

from __future__ import annotations

from typing import Any

from tfc.ir.core import Op, Value

from ..core import blame, nest
from ..core.conversion import convert_to_tensor
from ..core.tensor import Held, Tensor
from ..core.variable import held
from ..dispatch.tracing import current
from ..ops.array.creation import zeros_like
from .tape import UNCONNECTED, GradientTape, UnconnectedGradients


class AggregationMethod:
    """How TensorFlow adds up what the ways to a tensor give. Here it is always in one order.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     return tf.gradients(x * x, x, aggregation_method=tf.AggregationMethod.ADD_N)[0]
    >>> print(f(tf.constant(3.0)))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    ADD_N = 0
    DEFAULT = 0
    EXPERIMENTAL_TREE = 1
    EXPERIMENTAL_ACCUMULATE_N = 2


class _WholeTrace(GradientTape):
    """A tape that has seen all ops of a trace, and goes through none that makes a value of
    `ends`."""

    def __init__(self, trace: Any, sources: list[Held], ends: set[Value]) -> None:
        super().__init__(persistent=True, watch_accessed_variables=False)
        self._trace = trace
        self._spans = [[0, len(trace.builder.body)]]
        self._tracked = {id(x): x for x in sources}
        self._ends = ends

    def _recorded(self) -> tuple[list[Op], set[Value]]:
        ops, tracked = super()._recorded()
        kept = [op for op in ops if self._ends.isdisjoint(op.results)]
        return kept, tracked


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """The derivatives of the sum of `ys` by each of `xs`, inside of a `tfc.function`.

    It looks at what the function has computed until then, so nothing has to be watched. Eagerly
    nothing is kept: use `tfc.GradientTape` there.

    Args:
        ys: A tensor, or a structure of them.
        xs: Tensors and Variables: one, or a structure of them.
        grad_ys: The derivatives to begin with, one for each of `ys`; None: ones.
        gate_gradients: Not used.
        aggregation_method: Not used.
        stop_gradients: Tensors that are taken to be constants.
        unconnected_gradients: What stands for the derivative by what has no influence: None, or
            zeros ("zero").

    Returns:
        A list with a tensor, IndexedSlices or None for each of `xs`.

    Raises:
        RuntimeError: If it is called eagerly.
        ValueError: If there are not as many `grad_ys` as `ys`.

    >>> import tfc as tf
    >>> @tf.function
    ... def slopes(x):
    ...     y = x * x
    ...     return tf.gradients([y, y * x], x)[0]
    >>> print(slopes(tf.constant(2.0)))
    tf.Tensor(16.0, shape=(), dtype=float32)
    """
    trace = current()
    if trace is None:
        raise RuntimeError(
            "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape "
            "instead."
        )
    unconnected = getattr(unconnected_gradients, "value", unconnected_gradients)
    if unconnected not in UNCONNECTED:
        raise blame.value_error(
            f"Unknown value for unconnected_gradients: {unconnected_gradients!r}", "gradients"
        )
    targets = [convert_to_tensor(y) for y in _listed(ys)]
    sources = []
    for x in _listed(xs):
        source = held(x)
        if source is None:
            raise blame.type_error(f"xs must be tensors and Variables, got {x!r:.100}", "gradients")
        sources.append(source)
    weights: list[Tensor | None] = [None] * len(targets)
    if grad_ys is not None:
        given = grad_ys if isinstance(grad_ys, list | tuple) else [grad_ys]
        if len(given) != len(targets):
            raise blame.value_error(
                f"there are {len(targets)} ys and {len(given)} grad_ys", "gradients"
            )
        weights = [
            None if w is None else convert_to_tensor(w, t.dtype)
            for w, t in zip(given, targets, strict=True)
        ]
    ends = {trace.value_of(x) for x in _listed(stop_gradients)}
    found: list[Any] = _WholeTrace(trace, sources, ends)._symbolic(targets, sources, weights)
    if unconnected == "zero":
        found = [zeros_like(s) if g is None else g for g, s in zip(found, sources, strict=True)]
    return found


def hessians(
    ys: Any,
    xs: Any,
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    name: str = "hessians",
) -> list[Any]:
    """The second derivatives of the sum of `ys` by each of `xs`, inside of a `tfc.function`.

    Eagerly, and for mixed derivatives, use `tape.jacobian` of a gradient.

    Args:
        ys: A tensor, or a structure of them.
        xs: Tensors and Variables: one, or a structure of them.
        gate_gradients: Not used.
        aggregation_method: Not used.

    Returns:
        A list with a tensor for each x: of its shape twice.

    Raises:
        RuntimeError: If it is called eagerly.
        ValueError: If an x has no influence.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     return tf.hessians(tf.reduce_prod(x), x)[0]
    >>> print(f(tf.constant([2.0, 3.0])).numpy().tolist())
    [[0.0, 1.0], [1.0, 0.0]]
    """
    slopes = gradients(ys, xs)
    trace = current()
    found = []
    for slope, x in zip(slopes, _listed(xs), strict=True):
        if slope is None:
            raise blame.value_error(f"ys do not depend on {x!r:.100}", "hessians")
        source: Any = held(x)
        tape = _WholeTrace(trace, [source], set())
        found.append(tape.jacobian(slope, source, unconnected_gradients="zero"))
    return found


def _listed(x: Any) -> list[Any]:
    if x is None:
        return []
    return [x] if isinstance(x, Held) else nest.flatten(x)


__all__ = ["AggregationMethod", "gradients", "hessians"]
