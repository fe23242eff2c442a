"""`while_loop`, and the loops that AutoGraph makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Value
from tfc.ir.dtypes import bool_, int32
from tfc.ir.extent import Extent
from tfc.ir.types import TensorType

from ..core import blame, nest
from ..core.containers import Composite
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.tensor import Tensor
from ..core.variable import Variable
from ..dispatch.stored_variables import is_own
from ..dispatch.tracing import current, in_trace
from ..ops.arguments import whole_number
from ..ops.array.conversion import cast
from ..ops.math.comparisons import logical_and
from .regions import (
    Region,
    captures_of,
    changed,
    emit_loop,
    open_axes,
    promised_axes,
    promised_shapes,
    same_type,
    truth,
    unknown_axes,
)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: Any = None,
) -> Any:
    """Repeats `loop_vars = body(*loop_vars)` for as long as `cond(*loop_vars)` holds.

    The body gives as many values as there are loop variables, of the same structure (lists and
    tuples are alike), dtypes and shapes. `shape_invariants`, shapes in the structure of the loop
    variables, say which extents may be others after a round: those that are None there.
    `maximum_iterations` bounds the number of rounds. It is differentiable, to any order, also where
    data decide how often it runs.

    Args:
        cond: A function of the loop variables that gives a scalar bool.
        body: A function of the loop variables that gives their next values.
        loop_vars: The first values: a list or tuple of tensors and structures of them.
        shape_invariants: Shapes in the same structure, with None for extents that may change.
        parallel_iterations: Not used.
        back_prop: Not used.
        swap_memory: Not used.
        maximum_iterations: The most rounds; None: any number.

    Returns:
        The last values, in the structure of `loop_vars`.

    Raises:
        TypeError: If `cond` or `body` cannot be called, or the rest is not as said above.
        ValueError: If there are no loop variables, or the body gives others.

    >>> import tfc as tf
    >>> @tf.function
    ... def halvings(x):
    ...     return tf.while_loop(lambda v, n: v > 1.0, lambda v, n: (v / 2.0, n + 1), (x, 0))[1]
    >>> int(halvings(tf.constant(1000.0)))
    10
    >>> @tf.function
    ... def doubled(x, n):
    ...     return tf.while_loop(
    ...         lambda v: tf.shape(v)[0] < n, lambda v: (tf.concat([v, v], 0),), (x,),
    ...         shape_invariants=(tf.TensorShape([None]),))[0]
    >>> doubled(tf.constant([1, 2]), tf.constant(5)).numpy()
    array([1, 2, 1, 2, 1, 2, 1, 2], dtype=int32)
    """
    for what, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise blame.type_error(f"'{what}' must be callable.", "while_loop")
    if parallel_iterations is not None and (
        whole_number(parallel_iterations, "parallel_iterations", "while_loop") < 1
    ):
        raise blame.type_error("'parallel_iterations' must be a positive integer.", "while_loop")
    if loop_vars is None or (isinstance(loop_vars, list | tuple) and not loop_vars):
        raise blame.value_error("'loop_vars' must be provided.", "while_loop")
    if not isinstance(loop_vars, list | tuple):
        raise blame.type_error("loop_vars must be a list or tuple", "while_loop")
    limits = getattr(maximum_iterations, "shape", None)
    if isinstance(maximum_iterations, list | tuple):
        limits = TensorShape([len(maximum_iterations)])
    if limits is not None and len(limits):
        raise blame.value_error(
            f"'maximum_iterations' must be a scalar. Received shape: {limits}", "while_loop"
        )
    cond, body = in_trace(cond), in_trace(body)
    if context.trace is None:
        return _python_while(cond, body, loop_vars, maximum_iterations)
    return _traced_while(cond, body, loop_vars, shape_invariants, maximum_iterations)


def _body_result(result: Any, count: int) -> Any:
    """What a body returned, as a list or tuple of loop variables."""
    if not isinstance(result, list | tuple) or (count == 1 and len(result) != 1):
        result = (result,)
    if len(result) != count:
        raise blame.value_error(
            "The two structures don't have the same number of elements: the body must return "
            f"{count} loop variables, but returned {len(result)}",
            "while_loop",
        )
    return result


def _check_structure(before: Any, after: Any) -> None:
    """Lists and tuples may stand for each other: bodies like to return tuples."""
    try:
        nest.assert_same_structure(before, after, check_types=False)
    except (TypeError, ValueError) as error:
        text = f"the body changes the loop variables. {error}"
        raise blame.value_error(text, "while_loop") from None


def _python_while(cond: Any, body: Any, loop_vars: Any, limit: Any) -> Any:
    values = nest.map_structure(_loop_value, loop_vars)
    rounds = 0
    most = None if limit is None else whole_number(limit, "maximum_iterations", "while_loop")
    while (most is None or rounds < most) and bool(cond(*values)):
        result = _body_result(body(*values), len(values))
        _check_structure(values, result)
        values = nest.pack_sequence_as(values, list(map(_loop_value, nest.flatten(result))))
        rounds += 1
    return values


def _loop_value(x: Any) -> Any:
    return x if isinstance(x, Composite) else convert_to_tensor(x)


def _traced_while(cond: Any, body: Any, loop_vars: Any, invariants: Any, limit: Any) -> Any:
    from .growing import grown

    shapes: list[Any] = []
    if invariants is not None:
        invariants = _of_parts(invariants, loop_vars)
        shapes = check_invariants(invariants, nest.decompose_composites(loop_vars)[0], "while_loop")

    def attempt(state: Any) -> Any:
        while True:
            try:
                return _while_from(cond, body, state, limit, shapes)
            except _Started as found:
                state = found.make()

    final = grown(tuple(loop_vars), attempt)
    like = nest.decompose(loop_vars)[1]
    return final if like.type is tuple else nest.pack_one_level(loop_vars, final)


class _Started(Exception):
    """Loop variables must start as what `make()` gives: with an array that has elements."""

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__()
        self.make = make


def _while_from(
    cond: Any, body: Any, loop_vars: tuple[Any, ...], limit: Any, shapes: Sequence[Any]
) -> tuple[Any, ...]:
    """The loop variables behind a loop that starts with these."""
    leaves, structure = nest.decompose_composites(loop_vars)
    absent: set[int] = set()  # parts of composites that are None, as the dense shape of slices
    if all(x is not None for x in nest.flatten(loop_vars)):
        absent = {i for i, x in enumerate(leaves) if x is None}
    given = [convert_to_tensor(x) for i, x in enumerate(leaves) if i not in absent]

    def pack(packed: Sequence[Any]) -> Any:
        rest = iter(packed)
        return structure.pack([None if i in absent else next(rest) for i in range(len(leaves))])

    def test(*packed: Any) -> Any:
        return cond(*pack(packed))

    def step(*packed: Any) -> Any:
        held = pack(packed)
        trace = current()
        assert trace is not None
        trace.promises += nest.open_in_loops(held)
        result = tuple(_body_result(body(*held), len(loop_vars)))
        _check_structure(loop_vars, result)
        flat, after = nest.decompose_composites(result)
        if after != structure:
            _start(loop_vars, result)
        return [x for i, x in enumerate(flat) if i not in absent]

    labels = [str(i) for i in range(len(given))]
    final: tuple[Any, ...] = pack(while_on(test, step, given, labels, limit, shapes))
    return final


def _start(before: tuple[Any, ...], after: tuple[Any, ...]) -> None:
    """Raise where an array that has no elements before the loop gets some in a round."""

    def started(x: Any, y: Any) -> Callable[[], Any]:
        make = x._started(y) if hasattr(x, "_started") and type(x) is type(y) else None
        return (lambda: x) if make is None or x._parts() else make

    makers = nest.map_structure(started, before, after, check_types=False)
    if any(m.__name__ != "<lambda>" for m in nest.flatten(makers)):
        raise _Started(lambda: nest.map_structure(lambda make: make(), makers))


def while_on(
    test: Callable[..., Any],
    step: Callable[..., Any],
    given: Sequence[Any],
    labels: Sequence[str],
    limit: Any = None,
    shapes: Sequence[Any] = (),
    first: Any = None,
) -> list[Any]:
    """Append a loop on flat lists of tensors; `labels` say in errors what they are, `shapes`
    which extents may change. `first` is what the condition is before the loop, where that has been
    evaluated and assigns Variables."""
    trace = current()
    assert trace is not None
    given = [convert_to_tensor(x) for x in given]
    if first is not None:
        return _tested_behind(test, step, given, labels, limit, shapes, first)
    init = [trace.value_of(t) for t in given]
    extra = limit is not None
    if not init and limit is None:
        _must_change(step)
    if extra:  # a counter is carried in front
        bound = cast(convert_to_tensor(limit), int32)
        init.insert(0, trace.value_of(convert_to_tensor(0, int32)))

    def holds(*params: Any) -> Any:
        value = cast(truth(convert_to_tensor(test(*params[extra:]))), bool_)
        if value.ndim:
            raise blame.value_error(
                f"condition of while loop expected to be `tf.bool` scalar, got {value!r}; to check "
                "for None, use `is not None`, for elements tf.reduce_all or tf.reduce_any",
                "while_loop",
            )
        if extra:
            return logical_and(params[0] < bound, value)
        return value

    def round_(*params: Any) -> Any:
        adapted = [
            x if isinstance(x, Tensor | Variable) else convert_to_tensor(x, t.dtype)
            for x, t in zip(step(*params[extra:]), given, strict=True)
        ]
        return [params[0] + 1, *adapted] if extra else adapted

    types = [v.tensor_type for v in init]
    carried: list[Variable] = []
    unstored: set[int] = set()
    varying: dict[tuple[int, int], Extent] = {}  # (loop variable, axis), and a symbol inside
    while True:
        inside = [_with(t, i, varying) for i, t in enumerate(types)]
        condition = Region("the condition", holds, inside, carried)
        if condition.assigned:
            return _tested_behind(test, step, given, labels, limit, shapes, test(*given))
        loop = Region("the body", round_, inside, carried, unstored=unstored)
        if loop.trace.limit is not None and limit is None:
            return while_on(test, step, given, labels, loop.trace.limit, shapes)
        assigned = {id(v): v for v in loop.assigned}
        allowed = promised_axes(loop)
        for i, shape in enumerate(shapes, extra):
            allowed |= {(i, axis) for axis in open_axes(shape, types[i].rank)}
        if not shapes:  # what is not known before the loop may change in it
            allowed |= unknown_axes(types)
        more = changed(loop.values(), inside, allowed) - varying.keys()
        new = [v for key, v in assigned.items() if key not in {id(c) for c in carried}]
        seen = not all(map(is_own, new)) and loop.trace.calls_python
        if not more and not seen:
            for variable in new:  # known only now
                condition.trace.carry_captured(variable)
                loop.trace.carry_captured(variable)
            carried += new
            break
        carried = [v for v in assigned.values() if not is_own(v)]  # once more, carrying them
        unstored = loop.unstored
        if loop.trace.calls_python:
            trace.store()
        varying |= {place: trace.unknown() for place in sorted(more)}
    init += [trace.value_of(v) for v in carried]
    names = [*["the counter"] * extra, *labels]
    promised = promised_shapes(loop)
    results = [
        same_type(loop, v, _with(t, i, varying, v), what, "while_loop", promised.get(i, ""))
        for i, (v, t, what) in enumerate(zip(loop.values(), types, names, strict=True))
    ]
    results += map(loop.value_of, carried)
    captured = captures_of(condition, loop)
    op = ir.While(
        tuple(init),
        tuple(trace.value_of(x) for x, _ in captured.values()),
        condition.close(captured, condition.values()),
        loop.close(captured, results),
    )
    if varying:
        bound = tuple(trace.unknown() for _ in range(len(varying) + 1))
        fields = (op.init, op.captured, op.condition, op.body, tuple(varying.values()), bound)
        op = ir.GrowingWhile(*fields)
    final = emit_loop(op, "while_loop")
    if not trace.sizes_only:
        trace.adopt([loop.trace], zip(carried, final[len(types) :], strict=False), carried=True)
    return list(final[extra : len(types)])


def _tested_behind(
    test: Callable[..., Any],
    step: Callable[..., Any],
    given: Sequence[Any],
    labels: Sequence[str],
    limit: Any,
    shapes: Sequence[Any],
    first: Any,
) -> list[Any]:
    """A loop whose condition assigns Variables or calls Python functions: it is evaluated before
    the loop, which gave `first`, and at the end of each round."""

    def round_(_: Any, *values: Any) -> list[Any]:
        made = [
            x if isinstance(x, Tensor | Variable) else convert_to_tensor(x, t.dtype)
            for x, t in zip(step(*values), given, strict=True)
        ]
        return [cast(truth(convert_to_tensor(test(*made))), bool_), *made]

    start = [cast(truth(convert_to_tensor(first)), bool_), *given]
    shapes = [[], *shapes] if shapes else []
    names = ["the condition", *labels]
    return while_on(lambda going, *_: going, round_, start, names, limit, shapes)[1:]


def _with(
    t: TensorType, i: int, varying: dict[tuple[int, int], Extent], like: Value | None = None
) -> TensorType:
    """The type of loop variable i with the symbols for what changes; or with what that is in
    `like`."""
    shape = list(t.shape)
    for (place, axis), symbol in varying.items():
        if place == i:
            same = like is None or like.rank != t.rank
            shape[axis] = symbol if same else like.shape[axis]  # type: ignore[union-attr]
    return t.with_shape(tuple(shape))


def _must_change(step: Callable[..., Any]) -> None:
    """Raise where a loop without variables would never end: its body must assign Variables."""
    if not Region("the body", step, ()).assigned:
        raise blame.value_error(
            "a loop on a tensor changes nothing that its condition could depend on: it would never "
            "end",
            "while_loop",
        )


def _of_parts(invariants: Any, loop_vars: Any) -> Any:
    """Shapes that are promised for ragged and sparse tensors, as shapes of their parts: how many
    elements there are may change."""
    shapes, values = nest.flatten(invariants), nest.flatten(loop_vars)
    if len(shapes) != len(values) or not any(isinstance(x, Composite) for x in values):
        return invariants
    found: list[Any] = []
    for spec, x in zip(shapes, values, strict=True):
        if not isinstance(x, Composite):
            found.append(spec)
            continue
        parts = nest.decompose_composites(x)[0]
        open_ = {id(part): shape for part, shape in x._open_in_loops()}
        shape = TensorShape(getattr(spec, "shape", spec))
        free = shape.rank is None or (shape.rank > 0 and shape[0] is None)
        for part in parts:
            own = [None] if free and len(part.shape) == 1 and open_ else part.shape
            found.append(TensorShape(open_.get(id(part), own)))
    return found


def check_invariants(invariants: Any, given: Sequence[Any], name: str) -> list[Any]:
    """The shapes that are promised, one for each loop variable; raises where they have others."""
    shapes = nest.flatten(invariants)
    if len(shapes) != len(given):
        raise blame.value_error(
            "The two structures don't have the same nested structure: there are "
            f"{len(given)} loop variables and {len(shapes)} shape invariants",
            name,
        )
    found = []
    for i, (spec, t) in enumerate(zip(shapes, given, strict=True)):
        have = convert_to_tensor(t).shape
        shape = have if spec is None else TensorShape(getattr(spec, "shape", spec))
        found.append(shape)
        if not shape.is_compatible_with(have):
            raise blame.value_error(
                f"The shape invariant specified for loop variable {i} is not compatible with the "
                f"initial shape of the loop variable. It enters the loop with shape {have}, but "
                f"the specified shape invariant is {shape}.",
                name,
            )
    return found
