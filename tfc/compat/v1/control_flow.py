"""`tfc.compat.v1`: branches and loops with TensorFlow 1's arguments. Their results lose lists of
one element, and branches of a graph that give operations are one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tfc

from ..graphs.default_graph import in_graph
from ..graphs.trace import current_graph


def operation_of(call: Callable[[], Any], name: str) -> Any:
    """What `call` gives; in a graph, where it gives nothing, what it does as an operation, which
    something has to depend on."""
    graph = current_graph()
    start = 0 if graph is None else len(graph.trace.builder.body)
    found = call()
    if found is not None:
        return found
    return in_graph(lambda graph: graph.check(graph.trace.builder.body[start:], name), lambda: None)


def _single(found: Any) -> Any:
    return found[0] if isinstance(found, list | tuple) and len(found) == 1 else found


def cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Any] | None = None,
    fn2: Callable[[], Any] | None = None,
) -> Any:
    """As tfc.cond.

    Args:
        pred: A scalar bool.
        true_fn: A function of no arguments.
        false_fn: Another one, with results of the same structure.
        strict: Whether a list of one result stays one.
        name: Not used.
        fn1: What `true_fn` was called once.
        fn2: What `false_fn` was called once.

    Returns:
        What the function gave that ran.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.cond(tf.constant(True), lambda: [tf.constant(1)], lambda: [tf.constant(2)]))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    then, other = true_fn or fn1, false_fn or fn2
    found = operation_of(lambda: tfc.cond(pred, then, other), "cond")
    return found if strict else _single(found)


def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """As tfc.case.

    Args:
        pred_fn_pairs: Pairs of a scalar bool and a function of no arguments, or a dictionary.
        default: What is called if none holds.
        exclusive: Whether only one may hold.
        strict: Whether a list of one result stays one.
        name: Not used.

    Returns:
        What the function gave that ran.

    >>> import tfc.compat.v1 as tf
    >>> first = (tf.constant(False), lambda: tf.constant(1))
    >>> print(tf.case([first], default=lambda: tf.constant(2)))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else pred_fn_pairs
    found = operation_of(lambda: tfc.case(pairs, default, exclusive, strict), "case")
    return found if strict else _single(found)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Sequence[Any],
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: Any = None,
    return_same_structure: bool = False,
) -> Any:
    """As tfc.while_loop.

    Args:
        cond: Whether to go on, of the loop's variables.
        body: The next ones.
        loop_vars: The first ones.
        shape_invariants: Their shapes in all rounds.
        parallel_iterations: Not used.
        back_prop: Whether gradients go through the loop.
        swap_memory: Not used.
        name: Not used.
        maximum_iterations: How many rounds at most.
        return_same_structure: Whether a list of one variable stays one.

    Returns:
        The last ones.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.while_loop(lambda i: i < 5, lambda i: i + 2, [tf.constant(0)]))
    tf.Tensor(6, shape=(), dtype=int32)
    """
    found = tfc.while_loop(
        cond,
        body,
        loop_vars,
        shape_invariants,
        parallel_iterations,
        back_prop,
        swap_memory,
        maximum_iterations,
    )
    return found if return_same_structure else _single(found)


__all__ = ["case", "cond", "operation_of", "while_loop"]
