"""`recompute_grad`: compute again in the backward pass instead of keeping."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tfc.ir.autodiff.reverse import pullback
from tfc.ir.core import Function
from tfc.ir.ops import CustomGradient
from tfc.ir.passes import without_effects
from tfc.ir.types import TensorType

from ..core import blame, nest
from ..core.context import active, context
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..dispatch.tracing import Trace, current, in_trace
from ..ops.array.conversion import identity
from .polymorphic import function


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of which the backward pass keeps the arguments only, and computes the rest again.

    Its values are those of `f`; its gradients too, up to rounding, to any order, and for the
    Variables that it reads. Under an eager tape it runs as a `tf.function`. Where forward and
    backward pass are in one compiled function, what both compute is computed once, outside of
    loops.

    Source: Chen, Xu, Zhang, Guestrin, "Training Deep Nets with Sublinear Memory Cost", 2016.

    Args:
        f: A function that takes tensors and structures of them, and gives such.

    Returns:
        A function of the same arguments.

    Raises:
        TypeError: If `f` cannot be called.
        UnimplementedError: When it is called, if it assigns a Variable.

    >>> import tfc as tf
    >>> @tf.recompute_grad
    ... def layer(x):
    ...     return tf.tanh(tf.sin(x) * x)
    >>> x = tf.constant(0.5)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = layer(x)
    >>> print(round(float(tape.gradient(y, x)), 4))
    0.8674
    """
    if not callable(f):
        raise blame.type_error(f"a function is needed, got {f!r:.60}", "recompute_grad")
    compiled: list[Any] = []

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if context.trace is not None:
            return _traced(f, args, kwargs)
        if not context.tapes:
            return nest.map_structure(
                lambda x: identity(x) if type(x) is Tensor else x, f(*args, **kwargs)
            )
        if not compiled:
            compiled.append(function(lambda *a, **k: _traced(f, a, k)))
        return compiled[0](*args, **kwargs)

    return wrapper


def _traced(f: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """One op whose backward function starts from the arguments."""
    outer = current()
    assert outer is not None
    leaves, structure = nest.decompose_composites((args, kwargs))
    places = [i for i, x in enumerate(leaves) if isinstance(x, Tensor) and x is not None]
    inputs = [leaves[i] for i in places]
    trace = Trace("recompute_grad", outer)
    values = [outer.value_of(x) for x in inputs]
    params = [trace.parameter(TensorType(v.dtype, v.shape), f"x{i}") for i, v in enumerate(values)]
    for i, param in zip(places, params, strict=True):
        leaves[i] = param
    given, named = structure.pack(leaves)
    with active(trace=trace, tapes=()):
        result = in_trace(f)(*given, **named)
        found, shape = nest.decompose_composites(result)
        results = [None if x is None else trace.value_of(_tensor(x)) for x in found]
    if trace.calls_python:
        raise blame.unimplemented(
            "the function calls py_function, which would have to run again in the backward pass: "
            "call it outside of it",
            "recompute_grad",
        )
    if trace.assigned:
        name = trace.assigned[0].name
        raise blame.unimplemented(
            f"the function assigns the Variable {name}, and would do so again in the backward "
            "pass: assign outside of it",
            "recompute_grad",
        )
    captured = list(trace.captures.values())
    every = (*trace.builder.params, *(v for _, v in captured))
    returns = tuple(v for v in results if v is not None)
    forward = Function("recompute_grad", every, tuple(trace.builder.body), returns)
    backward = pullback(without_effects(forward))
    operands = (*values, *(outer.value_of(x) for x, _ in captured))
    op = CustomGradient(operands, forward, backward, backward.notes["connected"])
    made = iter(outer.builder.emit_all(op))
    return shape.pack([None if v is None else SymbolicTensor(outer, next(made)) for v in results])


def _tensor(x: Any) -> Any:
    return x if isinstance(x, Variable) else convert_to_tensor(x)


__all__ = ["recompute_grad"]
