"""`cond`, `case` and `switch_case`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Function, Value
from tfc.ir.dtypes import EMPTY, bool_, int32, string
from tfc.ir.extent import Extent, symbols
from tfc.ir.liveness import effectful
from tfc.ir.types import TensorType

from ..core import blame
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..dispatch.tracing import current, in_trace
from ..ops.arguments import flag
from ..ops.array.checks import assert_less_equal
from ..ops.array.conversion import cast
from ..ops.math.arithmetic import add_n
from .regions import (
    Region,
    as_type,
    captures_of,
    described,
    emit,
    pack_results,
    truth,
)


def _known(pred: Any) -> bool | None:
    """The value of a predicate, where it has one by now."""
    if isinstance(pred, SymbolicTensor):
        if context.trace is None:
            raise pred.out_of_scope()
        return None
    if isinstance(pred, Variable) and context.trace is not None:
        return None
    if isinstance(pred, Tensor | Variable | np.ndarray):
        found = np.asarray(pred)
        if found.size != 1:
            raise _no_scalar(found.shape)
        return bool(found)
    return bool(pred)


def _no_scalar(shape: Sequence[Any]) -> ValueError:
    return blame.value_error(
        f"pred must be a scalar, got shape {list(shape)}: use tf.where, or tf.reduce_all or "
        "tf.reduce_any",
        "cond",
    )


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: Any = None) -> Any:
    """`true_fn()` where `pred`, a scalar bool, holds, and else `false_fn()`.

    Both must give the same structure, dtypes and ranks; only one of them runs.

    Args:
        pred: A scalar bool.
        true_fn: A function of no arguments.
        false_fn: A function of no arguments, whose results have the structure, dtypes and ranks of
            the other's. Extents may differ: these are known once it has run.

    Returns:
        What the function gave that ran.

    Raises:
        TypeError: If `true_fn` or `false_fn` cannot be called.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     return tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2.0, lambda: -x)
    >>> print(f(tf.constant([1.0, -3.0])))
    tf.Tensor([-1.  3.], shape=(2,), dtype=float32)
    """
    for what, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            if function is None:
                raise blame.type_error(f"cond(): '{what}' argument required", "cond")
            raise blame.type_error(f"'{what}' must be callable.", "cond")
    known = _known(pred)
    if known is not None:
        return true_fn() if known else false_fn()
    trace = context.trace
    assert trace is not None
    pred = truth(pred)
    predicate = trace.value_of(pred)
    if predicate.rank:
        raise _no_scalar(predicate.shape)
    if predicate.dtype is not bool_:
        predicate = trace.value_of(cast(pred, bool_))
    then, orelse = (
        Region(name, in_trace(f), ()) for name, f in (("true_fn", true_fn), ("false_fn", false_fn))
    )
    if then.structure != orelse.structure:
        raise blame.type_error(
            "true_fn and false_fn arguments to tf.cond must have the same number, type, and "
            f"overall structure of return values: {described(then)} and {described(orelse)}",
            "cond",
        )
    for i, (x, y) in enumerate(zip(then.leaves, orelse.leaves, strict=True)):
        if x is not None and y is not None:
            orelse.leaves[i] = _fitted((then, orelse), x, y, i)
    emit_cond(predicate, (then, orelse))
    return pack_results(then, then.results)


def _fitted(branches: Sequence[Region], x: Value, y: Value, i: int) -> Value:
    """A result of the second branch in the type of the first's, or with extents of its own."""
    if x.dtype is not y.dtype:
        raise blame.type_error(
            "true_fn and false_fn arguments to tf.cond must have the same number, type, and "
            f"overall structure of return values: result {i} is {x.dtype.name} in one and "
            f"{y.dtype.name} in the other; use tf.cast",
            "cond",
        )
    if x.rank == y.rank and not comparable(branches, x, y):
        return y
    return as_type(branches[1], y, x.tensor_type, f"result {i} of false_fn", "cond")


def comparable(branches: Sequence[Region], x: Value, y: Value) -> bool:
    """Whether extents of two branches' results are the same, or may turn out to be: numbers beside
    numbers, symbols beside symbols that both branches know."""
    local = _bound_in(branches)
    return x.rank == y.rank and all(
        local.isdisjoint((*symbols(e), *symbols(f)))
        and (e == f or not (isinstance(e, int) or isinstance(f, int)))
        for e, f in zip(x.shape, y.shape, strict=True)
    )


def _bound_in(branches: Sequence[Region]) -> set[str]:
    """The symbols that only these branches know: what depends on data in them."""
    return {str(s) for r in branches for op in r.trace.builder.body for _, s in op.binds()}


def emit_cond(predicate: Value, branches: Sequence[Region]) -> None:
    """Append the op for two branches whose leaves have the same dtypes and ranks, and assign what
    Variables have become."""
    trace = current()
    assert trace is not None
    every = [v for r in branches for v in r.assigned]
    traces = [r.trace for r in branches]
    if any(t.calls_python for t in traces):  # perhaps these too; the other branch keeps them
        every += trace.known()
    assigned = list({id(v): v for v in every}.values())
    values = [[*r.values(), *map(r.value_of, assigned)] for r in branches]
    captured = captures_of(*branches)
    varying = _varying(branches, values)
    if varying:
        results = _one_of_two_loops(predicate, branches, captured, values, varying)
        count = len(results) - len(assigned)
        trace.adopt(traces, zip(assigned, results[count:], strict=True))
        branches[0].results = results[:count]
        return
    args = tuple(trace.value_of(x) for x, _ in captured.values())
    then, orelse = (r.close(captured, v) for r, v in zip(branches, values, strict=True))
    if not values[0]:
        if not any(effectful(op) for f in (then, orelse) for op in f.body):
            return
        values = [[r.trace.builder.constant(False, bool_)] for r in branches]  # an op has a result
        then, orelse = (r.close(captured, v) for r, v in zip(branches, values, strict=True))
    results = emit(ir.Cond(predicate, args, then, orelse), "cond")
    count = len(results) - len(assigned)
    trace.adopt(traces, zip(assigned, results[count:], strict=True))
    branches[0].results = results[:count]


def _varying(
    branches: Sequence[Region], values: Sequence[Sequence[Value]]
) -> dict[tuple[int, int], None]:
    """The (result, axis) of which only running tells the extent: the branches give different ones,
    or one that is bound inside of them."""
    local = _bound_in(branches)
    found: dict[tuple[int, int], None] = {}
    for i, (x, y) in enumerate(zip(*values, strict=True)):
        for axis, (e, f) in enumerate(zip(x.shape, y.shape, strict=True)):
            if e != f or not local.isdisjoint(symbols(e)):
                found[i, axis] = None
    return found


def _one_of_two_loops(
    predicate: Value,
    branches: Sequence[Region],
    captured: dict[int, tuple[Any, Value]],
    values: Sequence[Sequence[Value]],
    varying: dict[tuple[int, int], None],
) -> list[SymbolicTensor]:
    """The results of the branch that runs, where their extents differ: what a loop carries may
    change its extents, so each branch is the one round, or none, of a loop."""
    trace = current()
    assert trace is not None
    builder = trace.builder
    builder.location = user_location()

    def type_of(i: int, extents: dict[tuple[int, int], Extent]) -> TensorType:
        t = values[0][i].tensor_type
        return t.with_shape(tuple(extents.get((i, a), e) for a, e in enumerate(t.shape)))

    carried = []
    for i in range(len(values[0])):
        start = type_of(i, dict.fromkeys(varying, 0))
        zero = builder.constant(EMPTY if start.dtype is string else 0, start.dtype)
        carried.append(builder.emit(ir.Broadcast(zero, start.shape, ())) if start.shape else zero)
    tests = (predicate, builder.emit(ir.LogicalNot(predicate)))
    for region, test, returned in zip(branches, tests, values, strict=True):
        inside = {place: trace.unknown() for place in varying}
        types = [test.type, *(type_of(i, inside) for i in range(len(carried)))]
        done = region.trace.builder.constant(False, bool_)
        closed = region.close(captured, [done, *returned])
        held = [Value(p.type) for p in closed.params]
        given = [Value(t) for t in types]
        condition = Function("the condition", (*given, *held), (), (given[0],))
        body = Function(
            closed.name, (*map(Value, types), *closed.params), closed.body, closed.returns
        )
        args = tuple(trace.value_of(x) for x, _ in captured.values())
        bound = tuple(trace.unknown() for _ in range(len(varying) + 1))
        op = ir.GrowingWhile((test, *carried), args, condition, body, tuple(inside.values()), bound)
        results = emit(op, "cond")[1 : len(types)]
        carried = [trace.value_of(x) for x in results]
    return results


def case(
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """The function of the first pair (predicate, function) whose predicate holds; else `default`.

    Without a default one of the predicates has to hold. With `exclusive`, more than one predicate
    that holds is an InvalidArgumentError.

    Args:
        pred_fn_pairs: Pairs (scalar bool, function of no arguments).
        default: A function of no arguments.
        exclusive: Whether it is an error that more than one predicate holds.
        strict: Not used.

    Returns:
        What the function gave that ran.

    Raises:
        InvalidArgumentError: If `exclusive` is set and more than one predicate holds; or if none
            does, and there is no default.

    >>> import tfc as tf
    >>> x = tf.constant(5.0)
    >>> print(tf.case([(x < 1.0, lambda: -x), (x < 9.0, lambda: x * x)], default=lambda: x))
    tf.Tensor(25.0, shape=(), dtype=float32)
    """
    pairs = _pairs(pred_fn_pairs, "pred_fn_pairs", "case")
    for p, function in pairs:
        if isinstance(p, Tensor) and p.dtype is not bool_:
            raise blame.type_error(f"pred must be Tensor of type bool: {p.dtype.name}", "case")
        if not callable(function):
            raise blame.type_error(f"fn for pred {p!r:.60} must be callable.", "case")
    if not pairs:
        raise blame.value_error("case needs at least one pair of predicate and function", "case")
    alone = flag(exclusive, "exclusive", "case")
    if alone or default is None:
        held = add_n([cast(p, int32) for p, _ in pairs])
    if alone:
        assert_less_equal(
            held,
            1,
            message="Input error: exclusive=True: more than 1 conditions evaluated as True:",
        )
    if default is None:
        assert_less_equal(1, held, message="Input error: None of conditions evaluated as True:")
        *pairs, (_, default) = pairs
    result = default
    for predicate, function in reversed(pairs):

        def result(p: Any = predicate, f: Any = function, rest: Any = result) -> Any:
            return cond(p, f, rest)

    return result()


def _pairs(given: Any, what: str, op: str) -> list[tuple[Any, Any]]:
    """Pairs of a list, tuple or dictionary."""
    if not isinstance(given, list | tuple | dict):
        raise blame.type_error(
            f"'{what}' must be a list, tuple, or dict. Received: {type(given)}", op
        )
    pairs = list(given.items() if isinstance(given, dict) else given)
    for pair in pairs:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise blame.type_error(
                f"Each entry in '{what}' must be a 2-tuple. Received {pair!r:.60}.", op
            )
    return [(a, b) for a, b in pairs]


def switch_case(
    branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case"
) -> Any:
    """The branch with this index; where there is none, `default` (or the last one).

    Args:
        branch_index: A scalar integer.
        branch_fns: Functions of no arguments: a list, a dictionary, or pairs (integer, function);
            the integers are those from 0.
        default: The function for an index that has none; None: the last one.

    Returns:
        What the function gave that ran.

    Raises:
        ValueError: If there is no branch, or the integers are not those from 0.
        TypeError: If an index is no integer, or a branch cannot be called.

    >>> import tfc as tf
    >>> branches = [lambda: tf.constant(10), lambda: tf.constant(20)]
    >>> print(tf.switch_case(tf.constant(1), branches), tf.switch_case(7, branches).numpy())
    tf.Tensor(20, shape=(), dtype=int32) 20
    """
    if branch_fns is None or (isinstance(branch_fns, list | tuple | dict) and not branch_fns):
        raise blame.value_error("Must provide at least one item in 'branch_fns'", "switch_case")
    if isinstance(branch_fns, list | tuple) and all(map(callable, branch_fns)):
        branch_fns = list(enumerate(branch_fns))
    branches = _pairs(branch_fns, "branch_fns", "switch_case")
    for key, function in branches:
        if not isinstance(key, int | np.integer):
            raise blame.type_error(f"key must be a Python `int`, got {type(key)}", "switch_case")
        if not callable(function):
            raise blame.type_error(f"fn for key {key} must be callable.", "switch_case")
    branches.sort(key=lambda pair: int(pair[0]))
    if [key for key, _ in branches] != list(range(len(branches))):
        keys = ",".join(str(key) for key, _ in branches)
        raise blame.value_error(
            f"branch indices (keys) must form contiguous range of [0 to {len(branches)}) but "
            f"found {{{keys}}}",
            "switch_case",
        )
    index = branch_index if isinstance(branch_index, int) else convert_to_tensor(branch_index)
    if isinstance(index, Tensor) and not index.dtype.is_integer:
        raise blame.type_error(
            f"'branch_index' must be an integer Tensor, got {index.dtype!r}", "switch_case"
        )
    last = branches[-1][1] if default is None else default
    return case([(index == i, f) for i, f in branches], last)
