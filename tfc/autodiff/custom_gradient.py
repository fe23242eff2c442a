"""`custom_gradient`: functions that bring their own derivative."""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Mapping
from typing import Any

from tfc.ir.core import Function, Value
from tfc.ir.ops import CustomGradient
from tfc.ir.passes import without_effects
from tfc.ir.types import TensorType

from ..core import nest
from ..core.containers import Composite
from ..core.context import active, context, user_location
from ..core.conversion import convert_to_tensor
from ..core.tensor import Held, SymbolicTensor, Tensor
from ..core.variable import Variable
from ..dispatch.primitive import retype
from ..dispatch.stored_variables import Order
from ..dispatch.tracing import Trace, current, in_trace
from ..ops.array.checks import Assert
from ..ops.array.conversion import identity
from ..ops.math.comparisons import equal, logical_and, not_equal
from ..ops.math.reductions import reduce_any
from .custom_record import CustomRecord, checked, copy_of, note
from .python_calls import advance
from .tape import GradientTape


def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Decorator: `f` returns (result, grad_fn); `grad_fn(*upstream)` gives the gradients.

    One gradient for each positional argument, None where there is none; of arguments that are
    structures of tensors, one for each of these. The rule is used eagerly, in functions, and by
    gradients of gradients, which differentiate `grad_fn`.

    Where `f` reads trainable Variables that are no arguments, `grad_fn` is called with the list
    `variables` of them, and returns (gradients of arguments, gradients of variables).

    Args:
        f: A function of tensors that returns (result, grad_fn); None: a decorator is given.

    Returns:
        A function that gives the result, and has the gradient that `grad_fn` says.

    >>> import tfc as tf
    >>> @tf.custom_gradient
    ... def log1pexp(x):
    ...     e = tf.exp(x)
    ...     return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))
    >>> float(tf.grad(log1pexp)(100.0))
    1.0
    """

    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if any(map(_is_structure, args)):
            leaves, structures = _leaves(args)
            return custom_gradient(_of_leaves(f, structures))(*leaves, **kwargs)
        inputs = [a.value() if isinstance(a, Variable) else convert_to_tensor(a) for a in args]
        own = {id(a) for a in args}
        if context.trace is not None:
            return _traced(f, inputs, kwargs, own)
        if not context.tapes:
            return nest.map_structure(copy_of, _with_rule(f, inputs, kwargs)[0])
        with GradientTape() as seen:
            result, grad_fn = _with_rule(f, inputs, kwargs)
        variables = [v for v in seen.watched_variables() if id(v) not in own]
        grad_fn = _of_variables(grad_fn, variables)
        inputs += [v.read() for v in variables]
        # Copies of the results: what f itself recorded stays apart, for gradients of grad_fn.
        outputs = [copy_of(t) for t in nest.flatten(result)]
        note(CustomRecord(grad_fn, inputs, outputs))
        return nest.pack_sequence_as(result, outputs) if nest.is_nested(result) else outputs[0]

    return wrapper


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that computes what `f` does, and through which gradients go as if it were not
    there: a straight-through estimator.

    Args:
        f: A function of tensors that gives as many results, of the same shapes.

    Returns:
        A function with the values of `f` and the gradient of an identity.

    >>> import tfc as tf
    >>> float(tf.grad(lambda x: 3.0 * tf.grad_pass_through(tf.round)(x))(2.4))
    3.0
    """

    @custom_gradient
    def passed(*args: Any, **kwargs: Any) -> Any:
        def grad(*upstream: Any, variables: Any = None) -> Any:
            mine: Any = upstream if len(upstream) > 1 else upstream[0]
            return mine if variables is None else (mine, [None] * len(variables))

        return f(*args, **kwargs), grad

    return passed


def _is_structure(argument: Any) -> bool:
    """Whether an argument holds tensors; lists of numbers are tensors themselves."""
    if isinstance(argument, Composite | Mapping):
        return True
    if not nest.is_nested(argument):
        return False
    return any(isinstance(leaf, Held | Composite) for leaf in nest.flatten(argument))


def _leaves(args: tuple[Any, ...]) -> tuple[list[Any], list[nest.Structure]]:
    """The tensors of arguments, and how each is made of them."""
    leaves: list[Any] = []
    structures = []
    for argument in args:
        parts, structure = [argument], nest.LEAF
        if _is_structure(argument):
            parts, structure = nest.decompose_composites(argument)
        leaves += parts
        structures.append(structure)
    return leaves, structures


def _of_leaves(f: Callable[..., Any], structures: list[nest.Structure]) -> Callable[..., Any]:
    """`f` as a function of the tensors of its arguments."""

    def flat(*leaves: Any, **kwargs: Any) -> Any:
        rest = iter(leaves)
        args = [s.pack([next(rest) for _ in range(s.count)]) for s in structures]
        own = f if context.trace is None else in_trace(f)
        result, grad_fn = _with_rule(own, args, kwargs)

        @functools.wraps(grad_fn)
        def gradients(*upstream: Any, **options: Any) -> Any:
            given = grad_fn(*upstream, **options)
            if options:  # of Variables, too
                return nest.flatten(given[0], expand_composites=True), given[1]
            return nest.flatten(given, expand_composites=True)

        return result, gradients

    flat.__name__ = getattr(f, "__name__", "function")
    return flat


def _with_rule(f: Callable[..., Any], inputs: list[Any], kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """What `f` returns: (result, grad_fn)."""
    returned = f(*inputs, **kwargs)
    if isinstance(returned, tuple) and len(returned) == 2 and callable(returned[1]):
        return returned
    name = getattr(f, "__name__", "the function")
    raise TypeError(
        f"custom_gradient: {name} must return a pair (result, grad_fn), but returned "
        f"{returned!r:.200} ({user_location()})"
    )


def _of_variables(grad_fn: Callable[..., Any], variables: list[Variable]) -> Callable[..., Any]:
    """`grad_fn`, which gives the gradients of the arguments and then of `variables`."""
    if not variables:
        return grad_fn
    parameters = inspect.signature(grad_fn).parameters
    if "variables" not in parameters and not any(
        p.kind is p.VAR_KEYWORD for p in parameters.values()
    ):
        shown = ", ".join(repr(v.name) for v in variables)
        raise TypeError(
            "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function "
            f"uses variables: {shown} ({user_location()})"
        )

    def gradients(*upstream: Any) -> list[Any]:
        returned = grad_fn(*upstream, variables=variables)
        if not isinstance(returned, tuple) or len(returned) != 2:
            raise TypeError(
                "custom_gradient: with `variables`, the gradient function must return a pair "
                f"(gradients of arguments, gradients of variables) ({user_location()})"
            )
        given, more = (list(g) if isinstance(g, list | tuple) else [g] for g in returned)
        if len(more) != len(variables):
            raise ValueError(
                f"custom_gradient: the gradient function returned {len(more)} gradients for "
                f"{len(variables)} variables ({user_location()})"
            )
        return given + more

    return gradients


def _of_type(trace: Trace, gradient: Value, type: TensorType) -> Value:
    """A gradient in the type of its argument, of which it may not be known to have the extents."""
    fits = gradient.dtype is type.dtype and all(
        a == b or trace.builder.unify(b, a) for a, b in zip(gradient.shape, type.shape, strict=True)
    )
    if not fits:
        raise ValueError(
            f"custom_gradient: a gradient is {gradient.type}, its argument {type} "
            f"({user_location()})"
        )
    return retype(trace.builder, gradient, type.shape)


class _Backward(threading.local):
    """Of which functions the backward region is being traced, from the outside in."""

    def __init__(self) -> None:
        self.keys: list[Any] = []


_backward = _Backward()
_DEEPEST = 2  # how often backward regions of one function are traced inside of each other


def _without_rule(f: Callable[..., Any], inputs: list[Any], kwargs: dict[str, Any]) -> Any:
    """What `f` gives in the backward region of its own backward region: where a gradient is said by
    the function itself, as that of exp, regions would never end. What would differentiate so often
    is told so when it runs."""
    name = getattr(f, "__name__", "the function")

    @custom_gradient
    def last(x: Tensor) -> Any:
        def gradient(upstream: Tensor) -> Tensor:
            text = f"custom_gradient: {name} is its own gradient, and has {_DEEPEST} in functions"
            never = reduce_any(logical_and(equal(x, x), not_equal(x, x)))  # once it runs
            Assert(never, [text])
            return upstream

        return identity(x), gradient

    result = _with_rule(in_trace(f), inputs, kwargs)[0]
    return nest.map_structure(lambda x: last(convert_to_tensor(x)), result)


def _traced(f: Callable[..., Any], inputs: list[Any], kwargs: dict[str, Any], own: set[int]) -> Any:
    """One op with two regions: `f`, and `grad_fn` on the same arguments, whose ids are `own`."""
    outer = current()
    assert outer is not None
    key = getattr(inspect.unwrap(f), "__code__", f)
    if _backward.keys.count(key) >= _DEEPEST:
        return _without_rule(f, inputs, kwargs)
    types = [TensorType(v.dtype, v.shape) for v in map(outer.value_of, inputs)]
    variables: list[Variable] = []  # that the forward region reads

    def region(name: str, upstream: list[TensorType]) -> tuple[Trace, Any, list[Any], int]:
        trace = Trace(name, outer)
        params = [trace.parameter(t, f"x{i}") for i, t in enumerate(types)]
        seeds = [trace.parameter(t, f"dy{i}") for i, t in enumerate(upstream)]
        with active(trace=trace):
            result, grad_fn = _with_rule(in_trace(f), params, kwargs)
            count = len(trace.builder.body)
            values: list[Value | None]
            if not upstream:
                values = [trace.value_of(convert_to_tensor(r)) for r in nest.flatten(result)]
                return trace, result, values, count
            wanted = [*types, *(outer.value_of(v).tensor_type for v in variables)]
            rule = _of_variables(in_trace(grad_fn), variables)
            _backward.keys.append(key)
            try:
                gradients = checked(rule(*seeds[: len(outputs)]), [*params, *variables])
            finally:
                _backward.keys.pop()
            values = [
                None if g is None else _of_type(trace, trace.value_of(convert_to_tensor(g)), t)
                for g, t in zip(gradients, wanted, strict=True)
            ]
        return trace, result, values, count

    forward, result, outputs, _ = region("forward", [])
    captured_variables = (x for x, _ in forward.captures.values() if isinstance(x, Variable))
    read = list(filter(forward.reads, captured_variables))
    variables += [v for v in read if v.trainable and id(v) not in own]
    assigned = [v for v in forward.assigned if not isinstance(v, Order)]
    last = [forward.value_of(v) for v in assigned]
    given = [v.type for v in (*outputs, *last) if v]
    backward, _, gradients, repeated = region("backward", given)
    captured = {id(v): forward.captures[id(v)] for v in variables}  # in order of the gradients
    captured |= {**forward.captures, **backward.captures}
    extra = [x for x, _ in captured.values()]

    def close(trace: Trace, values: list[Any]) -> Function:
        count = len(types)
        own = tuple(trace.builder.params)
        held = tuple(
            trace.captures[key][1] if key in trace.captures else Value(v.type)
            for key, (_, v) in captured.items()
        )
        kept = tuple(v for v in values if v is not None)
        params = (*own[:count], *held, *own[count:])
        return Function(trace.builder.name, params, tuple(trace.builder.body), kept)

    rest = len(extra) - len(variables)
    connected = (*(g is not None for g in gradients), *[False] * rest)
    args = tuple(outer.value_of(x) for x in (*inputs, *extra))
    # What f prints and calls is not to happen once more in the backward region.
    back = without_effects(close(backward, gradients), repeated)
    op = CustomGradient(args, close(forward, [*outputs, *last]), back, connected)
    outer.builder.location = user_location()
    results = [SymbolicTensor(outer, v) for v in outer.builder.emit_all(op)]
    outer.adopt([forward], zip(assigned, results[len(outputs) :], strict=True))
    del results[len(outputs) :]
    if forward.calls_python:
        advance(outer)
    return nest.pack_sequence_as(result, results) if nest.is_nested(result) else results[0]
