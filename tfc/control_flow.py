"""Control flow on tensors: `cond`, `case`, `switch_case`, `while_loop`, `scan`, `map_fn`, folds.

Eagerly they are Python's own: the branch that is taken runs, loops loop. In a `tfc.function` each
branch and body is traced into a region of its own, and all of it runs inside one native program.
What regions read from around them, Variables too, they are given; Variables that they assign are
carried like loop variables, and assigned behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Function, OpError, Value
from tfc.ir.dtypes import bool_, int32
from tfc.ir.passes import effectful
from tfc.ir.types import INDEX, TensorType

from . import blame, nest
from .context import active, context
from .dispatch import retype
from .ops.array import stack, unstack
from .ops.conversion import cast
from .ops.extents import extents_of
from .tensor import SymbolicTensor, Tensor, Variable, convert_to_tensor
from .tracing import Trace, in_trace


class Region:
    """A Python function traced as a closed function. Its leaves are tensors (or None)."""

    def __init__(
        self,
        what: str,
        function: Callable[..., Any],
        types: Sequence[TensorType],
        carried: Sequence[Variable] = (),
        pack: Callable[[list[Any]], Sequence[Any]] = tuple,
    ) -> None:
        """`types` are those of the params; then come the current values of `carried`."""
        outer = context.trace
        assert outer is not None
        self.what = what
        self.results: list[SymbolicTensor] = []  # once the op is emitted, what leaves became
        self.trace = trace = Trace(what, outer)
        trace.branch = what
        params = [trace.parameter(t, f"x{i}") for i, t in enumerate(types)]
        for variable in carried:
            type_ = TensorType(variable.dtype, tuple(variable.shape))
            trace.carry(variable, trace.parameter(type_, variable.name.removesuffix(":0"))._value)
        with active(trace=trace, tapes=[]):
            result = function(*pack(params))
            leaves, self.structure = nest.decompose_composites(result)
            self.leaves: list[Value | None] = [
                None if leaf is None else trace.value_of(self._tensor(leaf)) for leaf in leaves
            ]

    def _tensor(self, leaf: Any) -> Any:
        if isinstance(leaf, Variable):
            return leaf
        try:
            return convert_to_tensor(leaf)
        except (TypeError, ValueError):
            raise blame.type_error(
                f"{self.what} must return tensors, structures of them, or None; got {leaf!r:.100}",
                self.what,
            ) from None

    def convert(self, leaf: Any, dtype: Any = None) -> Value:
        """A value of a tensor or number, where the region ends."""
        with active(trace=self.trace, tapes=[]):
            tensor = leaf if isinstance(leaf, Tensor | Variable) else convert_to_tensor(leaf, dtype)
            return self.trace.value_of(tensor)

    def zeros(self, like: Any) -> SymbolicTensor:
        """Zeros of the type of a tensor, of another region perhaps."""
        shape = like._value.shape if isinstance(like, SymbolicTensor) else like._array.shape
        b = self.trace.builder
        zero = b.constant(0, like.dtype)
        return SymbolicTensor(self.trace, b.emit(ir.Broadcast(zero, shape, ())) if shape else zero)

    def fit(self, v: Value, type_: TensorType) -> Value | None:
        """`v` with the extents of `type_`, which only run time may be able to compare; None where
        they differ."""
        same = v.rank == type_.rank and all(
            a == b or self.trace.builder.unify(a, b)
            for a, b in zip(type_.shape, v.shape, strict=True)
        )
        return retype(self.trace.builder, v, type_.shape) if same else None

    @property
    def assigned(self) -> list[Variable]:
        """The Variables that it assigns."""
        return self.trace.assigned

    def values(self) -> list[Value]:
        """The leaves that are tensors."""
        return [v for v in self.leaves if v is not None]

    def value_of(self, variable: Variable) -> Value:
        """What a Variable has become at the end."""
        return self.trace.value_of(variable)

    def close(self, captured: dict[int, tuple[Any, Value]], results: Sequence[Value]) -> Function:
        """The function of (params, captured) that gives `results`."""
        own = self.trace.captures
        held = tuple(
            own[key][1] if key in own else Value(v.type) for key, (_, v) in captured.items()
        )
        params = (*self.trace.builder.params, *held)
        return Function(
            self.trace.builder.name, params, tuple(self.trace.builder.body), tuple(results)
        )


def _captured(*regions: Region) -> dict[int, tuple[Any, Value]]:
    """What regions take from around them, each once."""
    return {key: x for region in regions for key, x in region.trace.captures.items()}


def _emit(op: Any, name: str) -> list[SymbolicTensor]:
    trace = context.trace
    assert trace is not None
    from .context import user_location

    trace.builder.location = user_location()
    try:
        return [SymbolicTensor(trace, v) for v in trace.builder.emit_all(op)]
    except OpError as error:
        raise blame.invalid(str(error), name) from None


def _pack(region: Region, tensors: Sequence[Any]) -> Any:
    found = iter(tensors)
    return region.structure.pack([None if v is None else next(found) for v in region.leaves])


# Branches.


def _known(pred: Any) -> bool | None:
    """The value of a predicate, where it has one by now."""
    if isinstance(pred, SymbolicTensor):
        return None
    if isinstance(pred, Variable) and context.trace is not None:
        return None
    if isinstance(pred, Tensor | Variable):
        return bool(np.asarray(pred))
    return bool(pred)


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: Any = None) -> Any:
    """`true_fn()` where `pred`, a scalar bool, holds, and else `false_fn()`.

    Both must give the same structure, dtypes and shapes; only one of them runs.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x):
    ...     return tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2.0, lambda: -x)
    >>> print(f(tf.constant([1.0, -3.0])))
    tf.Tensor([-1.  3.], shape=(2,), dtype=float32)
    """
    if not callable(true_fn) or not callable(false_fn):
        raise blame.type_error("true_fn and false_fn must be callable", "cond")
    known = _known(pred)
    if known is not None:
        return true_fn() if known else false_fn()
    trace = context.trace
    assert trace is not None
    predicate = trace.value_of(pred)
    if predicate.rank:
        raise blame.value_error(
            f"pred must be a scalar, got shape {list(predicate.shape)}: use tf.where, or "
            "tf.reduce_all or tf.reduce_any",
            "cond",
        )
    if predicate.dtype is not bool_:
        predicate = trace.value_of(cast(pred, bool_))
    then, orelse = (
        Region(name, in_trace(f), ()) for name, f in (("true_fn", true_fn), ("false_fn", false_fn))
    )
    if then.structure != orelse.structure:
        raise blame.type_error(
            "true_fn and false_fn must return the same structure: "
            f"{_described(then)} and {_described(orelse)}",
            "cond",
        )
    for i, (x, y) in enumerate(zip(then.leaves, orelse.leaves, strict=True)):
        if x is not None and y is not None:
            orelse.leaves[i] = _fitted(orelse, x, y, i)
    emit_cond(predicate, (then, orelse))
    return _pack(then, then.results)


def _fitted(orelse: Region, x: Value, y: Value, i: int) -> Value:
    """A result of the second branch in the type of the first's."""
    if x.dtype is not y.dtype:
        raise blame.type_error(
            f"true_fn and false_fn must return the same dtypes: result {i} is "
            f"{x.dtype.name} in one and {y.dtype.name} in the other",
            "cond",
        )
    return _as_type(orelse, y, x.type, f"result {i} of false_fn", "cond")


def emit_cond(predicate: Value, branches: Sequence[Region]) -> None:
    """Append the op for two branches whose leaves have the same types, and assign what Variables
    have become."""
    trace = context.trace
    assert trace is not None
    assigned = list({id(v): v for r in branches for v in r.assigned}.values())
    values = [[*r.values(), *map(r.value_of, assigned)] for r in branches]
    captured = _captured(*branches)
    args = tuple(trace.value_of(x) for x, _ in captured.values())
    then, orelse = (r.close(captured, v) for r, v in zip(branches, values, strict=True))
    if not values[0]:
        if not any(effectful(op) for f in (then, orelse) for op in f.body):
            return
        values = [[r.trace.builder.constant(False, bool_)] for r in branches]  # an op has a result
        then, orelse = (r.close(captured, v) for r, v in zip(branches, values, strict=True))
    results = _emit(ir.Cond(predicate, args, then, orelse), "cond")
    count = len(results) - len(assigned)
    for variable, value in zip(assigned, results[count:], strict=True):
        trace.assign(variable, value)
    branches[0].results = results[:count]


def _described(region: Region) -> str:
    return repr(region.structure.pack([v and str(v.type) for v in region.leaves]))


def _as_type(region: Region, v: Value, type_: TensorType, what: str, name: str) -> Value:
    fitted = region.fit(v, type_)
    if fitted is None:
        raise blame.value_error(
            f"{what} has shape {_shown(v.shape)}, and must have {_shown(type_.shape)}", name
        )
    return fitted


def _shown(shape: Sequence[Any]) -> str:
    return "[" + ", ".join(map(str, shape)) + "]"


def case(
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """The function of the first pair (predicate, function) whose predicate holds; else `default`.

    Without a default the last function stands for it, as in TensorFlow. With `exclusive`, more
    than one predicate that holds is an InvalidArgumentError.

    >>> import tfc as tf
    >>> x = tf.constant(5.0)
    >>> print(tf.case([(x < 1.0, lambda: -x), (x < 9.0, lambda: x * x)], default=lambda: x))
    tf.Tensor(25.0, shape=(), dtype=float32)
    """
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not all(isinstance(p, list | tuple) and len(p) == 2 for p in pairs):
        raise blame.type_error("case needs pairs of predicate and function", "case")
    if not pairs:
        raise blame.value_error("case needs at least one pair of predicate and function", "case")
    if exclusive:
        from .debugging import assert_less_equal
        from .ops.arithmetic import add_n

        held = add_n([cast(p, int32) for p, _ in pairs])
        assert_less_equal(held, 1, message="More than one predicate of an exclusive case holds")
    if default is None:
        *pairs, (_, default) = pairs
    result = default
    for predicate, function in reversed(pairs):

        def result(p: Any = predicate, f: Any = function, rest: Any = result) -> Any:
            return cond(p, f, rest)

    return result()


def switch_case(
    branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case"
) -> Any:
    """The branch with this index; where there is none, `default` (or the last one).

    >>> import tfc as tf
    >>> branches = [lambda: tf.constant(10), lambda: tf.constant(20)]
    >>> print(tf.switch_case(tf.constant(1), branches), tf.switch_case(7, branches).numpy())
    tf.Tensor(20, shape=(), dtype=int32) 20
    """
    pairs = branch_fns.items() if isinstance(branch_fns, dict) else enumerate(branch_fns)
    branches = [
        (b if isinstance(b, tuple) else (i, b)) if not isinstance(branch_fns, dict) else (i, b)
        for i, b in pairs
    ]
    if not branches:
        raise blame.value_error("switch_case needs at least one branch", "switch_case")
    index = branch_index if isinstance(branch_index, int) else convert_to_tensor(branch_index)
    branches.sort(key=lambda pair: pair[0])
    last = branches[-1][1] if default is None else default
    return case([(index == i, f) for i, f in branches], last)


# Loops.


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

    The body gives as many values as there are loop variables, of the same structure, dtypes and
    shapes. `maximum_iterations` bounds the number of rounds. It is differentiable, to any order,
    also where data decide how often it runs.

    >>> import tfc as tf
    >>> @tf.function
    ... def halvings(x):
    ...     return tf.while_loop(lambda v, n: v > 1.0, lambda v, n: (v / 2.0, n + 1), (x, 0))[1]
    >>> int(halvings(tf.constant(1000.0)))
    10
    """
    if not callable(cond) or not callable(body):
        raise blame.type_error("cond and body must be callable", "while_loop")
    if not isinstance(loop_vars, list | tuple):
        raise blame.type_error("loop_vars must be a list or tuple", "while_loop")
    if not loop_vars:
        raise blame.value_error("No loop variables provided", "while_loop")
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
            f"the body must return {count} loop variables, but returned {len(result)}", "while_loop"
        )
    return result


def _check_structure(before: Any, after: Any) -> None:
    try:
        nest.assert_same_structure(before, after)
    except (TypeError, ValueError) as error:
        text = f"the body changes the loop variables. {error}"
        raise blame.value_error(text, "while_loop") from None


def _python_while(cond: Any, body: Any, loop_vars: Any, limit: Any) -> Any:
    values = nest.map_structure(_loop_value, loop_vars)
    rounds = 0
    while (limit is None or rounds < int(limit)) and bool(cond(*values)):
        result = _body_result(body(*values), len(values))
        _check_structure(values, result)
        values = nest.map_structure(_loop_value, result)
        values = type(loop_vars)(values) if type(loop_vars) in (list, tuple) else values
        rounds += 1
    return values


def _loop_value(x: Any) -> Any:
    return x if isinstance(x, nest.Composite) else convert_to_tensor(x)


def _traced_while(cond: Any, body: Any, loop_vars: Any, invariants: Any, limit: Any) -> Any:
    from .growing import grown

    if invariants is not None:
        check_invariants(invariants, nest.decompose_composites(loop_vars)[0], "while_loop")

    def attempt(state: Any) -> Any:
        while True:
            try:
                return _while_from(cond, body, state, limit)
            except _Started as found:
                state = found.make()

    try:
        final = grown(tuple(loop_vars), attempt)
    except ValueError as error:
        change = getattr(error, "change", None)  # see `_same`
        if invariants is None or change is None:
            raise
        raise blame.unimplemented(
            f"{change}: loop variables whose shape changes from round to round are not "
            "compiled, also where shape_invariants allow it: carry a tensor of the final size, or "
            "write to a tf.TensorArray",
            "while_loop",
        ) from None
    like = nest.decompose(loop_vars)[1]
    return final if like.type is tuple else type(loop_vars)(final)


class Limited(Exception):
    """The body of a loop has said how many rounds there may be at most."""

    def __init__(self, limit: Any) -> None:
        super().__init__()
        self.limit = limit


class _Started(Exception):
    """Loop variables must start as what `make()` gives: with an array that has elements."""

    def __init__(self, make: Callable[[], Any]) -> None:
        super().__init__()
        self.make = make


def _while_from(cond: Any, body: Any, loop_vars: tuple[Any, ...], limit: Any) -> tuple[Any, ...]:
    """The loop variables behind a loop that starts with these."""
    leaves, structure = nest.decompose_composites(loop_vars)
    given = [convert_to_tensor(x) for x in leaves]

    def test(*packed: Any) -> Any:
        return cond(*structure.pack(list(packed)))

    def step(*packed: Any) -> Any:
        result = tuple(_body_result(body(*structure.pack(list(packed))), len(loop_vars)))
        _check_structure(loop_vars, result)
        flat, after = nest.decompose_composites(result)
        if after != structure:
            _start(loop_vars, result)
        return flat

    labels = [f"loop variable {i}" for i in range(len(given))]
    final: tuple[Any, ...] = structure.pack(while_on(test, step, given, labels, limit))
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
) -> list[Any]:
    """Append a loop on flat lists of tensors; `labels` say in errors what they are."""
    trace = context.trace
    assert trace is not None
    given = [convert_to_tensor(x) for x in given]
    init = [trace.value_of(t) for t in given]
    extra = limit is not None
    if not init and limit is None:
        _must_change(step)
    if extra:  # a counter is carried in front
        bound = cast(convert_to_tensor(limit), int32)
        init.insert(0, trace.value_of(convert_to_tensor(0, int32)))

    def holds(*params: Any) -> Any:
        value = cast(convert_to_tensor(test(*params[extra:])), bool_)
        if value.ndim:
            raise blame.value_error(
                f"the condition of a loop must be a scalar, got shape {list(value.shape)}: use "
                "tf.reduce_all or tf.reduce_any",
                "while_loop",
            )
        if extra:
            from .ops.comparisons import logical_and

            return logical_and(params[0] < bound, value)
        return value

    def round_(*params: Any) -> Any:
        adapted = [
            x if isinstance(x, Tensor | Variable) else convert_to_tensor(x, t.dtype)
            for x, t in zip(step(*params[extra:]), given, strict=True)
        ]
        return [params[0] + 1, *adapted] if extra else adapted

    types = [v.type for v in init]
    carried: list[Variable] = []
    while True:
        condition = Region("the condition", holds, types, carried)
        loop = Region("the body", round_, types, carried)
        if loop.trace.limit is not None and limit is None:
            return while_on(test, step, given, labels, loop.trace.limit)
        assigned = {id(v): v for r in (condition, loop) for v in r.assigned}
        if assigned.keys() <= {id(v) for v in carried}:
            break
        carried = list(assigned.values())  # known only now: once more, carrying them
    init += [trace.value_of(v) for v in carried]
    names = [*["the counter"] * extra, *labels]
    results = [
        _same(loop, v, t, what, "while_loop")
        for v, t, what in zip(loop.values(), types, names, strict=True)
    ]
    results += map(loop.value_of, carried)
    captured = _captured(condition, loop)
    op = ir.While(
        tuple(init),
        tuple(trace.value_of(x) for x, _ in captured.values()),
        condition.close(captured, condition.values()),
        loop.close(captured, results),
    )
    final = _emit_loop(op, "while_loop")
    if not trace.sizes_only:
        for variable, value in zip(carried, final[len(types) :], strict=True):
            trace.assign(variable, value)
    return list(final[extra : len(types)])


def _emit_loop(op: Any, name: str) -> list[SymbolicTensor]:
    """Append a loop; one without effects, where it runs for sizes alone."""
    trace = context.trace
    assert trace is not None
    if trace.sizes_only:
        from .growing import sizes_only

        op = sizes_only(op)
    return _emit(op, name)


def _must_change(step: Callable[..., Any]) -> None:
    """Raise where a loop without variables would never end: its body must assign Variables."""
    if not Region("the body", step, ()).assigned:
        raise blame.value_error(
            "a loop on a tensor changes nothing that its condition could depend on: it would never "
            "end",
            "while_loop",
        )


def _same(region: Region, v: Value, type_: TensorType, what: str, name: str) -> Value:
    if v.dtype is not type_.dtype:
        raise blame.type_error(
            f"{what} is {type_.dtype.name} before the loop and {v.dtype.name} after a round: use "
            "tf.cast, or start with that dtype",
            name,
        )
    fitted = region.fit(v, type_)
    if fitted is None:
        change = (
            f"{what} has shape {_shown(type_.shape)} before the loop and {_shown(v.shape)} after a "
            "round"
        )
        advice = "start with the final shape, or write to a tf.TensorArray"
        error = blame.value_error(f"{change}: {advice}", name)
        error.change = change  # type: ignore[attr-defined]
        raise error
    return fitted


def check_invariants(invariants: Any, given: Sequence[Any], name: str) -> None:
    """Raise where shapes are promised that loop variables do not have. What a promise leaves open
    stays what it is before the loop: that is found out when the body is traced."""
    from .shapes import TensorShape

    shapes = nest.flatten(invariants)
    if len(shapes) != len(given):
        raise blame.value_error(
            f"there are {len(given)} loop variables and {len(shapes)} shape invariants", name
        )
    for i, (spec, t) in enumerate(zip(shapes, given, strict=True)):
        if spec is None:
            continue
        shape, have = TensorShape(getattr(spec, "shape", spec)), convert_to_tensor(t).shape
        if not shape.is_compatible_with(have):
            raise blame.value_error(
                f"The shape invariant specified for loop variable {i} is not compatible with the "
                f"initial shape of the loop variable. It enters the loop with shape {have}, but "
                f"the specified shape invariant is {shape}.",
                name,
            )


def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: Any = None,
) -> Any:
    """The values of `state = fn(state, x)` for the slices x of `elems` along their first axis.

    Without an `initializer` the first slice is the first state. Results are stacked along a new
    first axis; `reverse` goes from the last slice to the first.

    >>> import tfc as tf
    >>> print(tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3, 4])))
    tf.Tensor([ 1  3  6 10], shape=(4,), dtype=int32)
    """
    fn, xs = in_trace(fn), nest.map_structure(convert_to_tensor, elems)
    first = initializer is None
    if first:
        edge = -1 if reverse else 0
        start = nest.map_structure(lambda x: x[edge], xs)
        rest = nest.map_structure(lambda x: x[:-1] if reverse else x[1:], xs)
    else:
        start, rest = nest.map_structure(convert_to_tensor, initializer), xs
    _, rows = _scan(lambda s, x: _twice(fn(s, x)), start, rest, reverse, "scan")
    if not first:
        return rows
    from .ops.array import concat, expand_dims

    def join(one: Any, more: Any) -> Any:
        one = expand_dims(one, 0)
        return concat([more, one] if reverse else [one, more], 0)

    return nest.map_structure(join, start, rows)


def _twice(state: Any) -> tuple[Any, Any]:
    return state, state


def _scan(step: Any, start: Any, xs: Any, reverse: bool, name: str) -> tuple[Any, Any]:
    """(the last state, the results stacked) of `state, y = step(state, x)` along the slices."""
    leaves, structure = nest.decompose(xs)
    if not leaves:
        raise blame.value_error("there must be a tensor to go along", name)
    if any(not x.ndim for x in leaves):
        raise blame.value_error("a scalar has no slices to go along", name)
    if context.trace is not None:
        return _traced_scan(step, start, leaves, structure, reverse, name)
    counts = {x.shape[0] for x in leaves}
    if len(counts) > 1:
        raise blame.invalid(f"the first axes differ: {sorted(counts)}", name)
    (count,) = counts
    columns = [unstack(x, num=count) for x in leaves]
    state, rows = start, []
    for i in reversed(range(count)) if reverse else range(count):
        state, y = step(state, structure.pack([c[i] for c in columns]))
        rows.append(nest.map_structure(convert_to_tensor, y))
    if not rows:
        return state, _no_rows(step, start, leaves, structure, name)
    rows = rows[::-1] if reverse else rows
    return state, nest.map_structure(lambda *parts: stack(parts), *rows)


def _no_rows(step: Any, start: Any, leaves: list[Any], structure: Any, name: str) -> Any:
    """The results of no rounds: tracing tells their types."""
    from .function import PolymorphicFunction

    def run(start: Any, leaves: list[Any]) -> Any:
        return _traced_scan(step, start, leaves, structure, False, name)[1]

    return PolymorphicFunction(run)(start, leaves)


def scan_state(
    step: Any, start: list[Any], leaves: list[Any], labels: Sequence[str], count: Any
) -> tuple[Any, Any]:
    """Append a scan that carries a flat list of tensors, which `labels` name in errors, along
    `leaves`: (state, y) = step(state, slices, index). Without leaves, `count` says how often."""
    start = [convert_to_tensor(x) for x in start]

    def adapted(state: Any, x: Any, index: Any) -> Any:
        new, y = step(state, x, index)
        tensors = [
            v if isinstance(v, Tensor | Variable) else convert_to_tensor(v, t.dtype)
            for v, t in zip(new, start, strict=True)
        ]
        return tensors, y

    structure = nest.decompose(leaves)[1]
    return _traced_scan(adapted, start, leaves, structure, False, "for", labels, count, True)


def _traced_scan(
    step: Any,
    start: Any,
    leaves: list[Any],
    structure: Any,
    reverse: bool,
    name: str,
    labels: Sequence[str] = (),
    count: Any = None,
    indexed: bool = False,
) -> tuple[Any, Any]:
    """`indexed`: the function takes the index behind the state and the slices."""
    trace = context.trace
    assert trace is not None
    states, shape = nest.decompose_composites(start)
    init = [trace.value_of(convert_to_tensor(s)) for s in states]
    xs = [trace.value_of(x) for x in leaves]
    count = xs[0].shape[0] if count is None else count
    for i, x in enumerate(xs):
        if x.shape[0] != count and not trace.builder.unify(count, x.shape[0]):
            raise blame.invalid(f"the first axes differ: {count} and {x.shape[0]}", name)
        xs[i] = retype(trace.builder, x, (count, *x.shape[1:]))
    types = [INDEX, *(v.type for v in init)]
    slices = [TensorType(x.dtype, x.shape[1:]) for x in xs]

    def pack(params: list[Any]) -> Any:
        states, rest = params[1 : 1 + len(init)], params[1 + len(init) :]
        packed = shape.pack(list(states)), structure.pack(list(rest))
        return (*packed, params[0]) if indexed else packed

    def body(*arguments: Any) -> Any:
        new, y = step(*arguments)
        if nest.decompose_composites(new)[1] != shape:
            raise blame.value_error("the function must return the structure of its state", name)
        return new, y

    every = [*types, *slices]
    region = Region("the function", body, every, (), pack)
    if region.trace.limit is not None:
        raise Limited(region.trace.limit)
    carried = region.assigned
    if carried:  # known only now: once more, carrying them
        region = Region("the function", body, every, carried, pack)
    init += [trace.value_of(v) for v in carried]
    values = region.values()
    what = labels or [f"state {i}" for i in range(len(types) - 1)]
    results = [
        _same(region, v, t, label, name)
        for v, t, label in zip(values, types[1:], what, strict=False)
    ]
    results += map(region.value_of, carried)
    results += values[len(types) - 1 :]
    if not results:  # it is there for its effects; an op has a result
        results.append(region.trace.builder.constant(False, bool_))
    captured = _captured(region)
    closed = region.close(captured, results)
    # The params in the order of the op's: index, all that is carried, slices, what is captured.
    own = closed.params[: len(every) + len(carried)]
    params = (
        *own[: len(types)],
        *own[len(every) :],
        *own[len(types) : len(every)],
        *closed.params[len(own) :],
    )
    closed = Function(closed.name, params, closed.body, closed.returns)
    args = tuple(trace.value_of(x) for x, _ in captured.values())
    found = _emit_loop(ir.Scan(tuple(init), tuple(xs), args, count, reverse, 0, closed), name)
    if not trace.sizes_only:
        for variable, value in zip(carried, found[len(types) - 1 : len(init)], strict=True):
            trace.assign(variable, value)
    packed = _pack(region, [*found[: len(types) - 1], *found[len(init) :]])
    return packed[0], packed[1]


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: Any = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: Any = None,
    fn_output_signature: Any = None,
) -> Any:
    """`fn` of each slice of `elems` along the first axis, stacked.

    >>> import tfc as tf
    >>> print(tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3])))
    tf.Tensor([1 4 9], shape=(3,), dtype=int32)
    """
    fn, xs = in_trace(fn), nest.map_structure(convert_to_tensor, elems)
    wanted = fn_output_signature if fn_output_signature is not None else dtype

    def step(state: Any, x: Any) -> Any:
        y = fn(x)
        if wanted is not None:
            y = nest.map_structure(lambda v, d: _of_dtype(v, d), y, wanted)
        return state, y

    return _scan(step, (), xs, False, "map_fn")[1]


def _of_dtype(value: Any, spec: Any) -> Any:
    """A result of the dtype that was announced."""
    from tfc.ir.dtypes import as_dtype

    dtype = as_dtype(getattr(spec, "dtype", spec))
    tensor = (
        convert_to_tensor(value) if isinstance(value, Tensor) else convert_to_tensor(value, dtype)
    )
    if tensor.dtype is not dtype:
        raise blame.type_error(
            f"the function gives {tensor.dtype.name}, and {dtype.name} was announced", "map_fn"
        )
    return tensor


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """`map_fn`: slices are independent, so that its rounds may run in any order.

    >>> import tfc as tf
    >>> rows = tf.constant([[1, 2], [3, 4]])
    >>> print(tf.vectorized_map(lambda row: tf.reduce_sum(row * row), rows))
    tf.Tensor([ 5 25], shape=(2,), dtype=int32)
    """
    return map_fn(fn, elems)


def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: Any = None,
) -> Any:
    """The last state of `state = fn(state, x)` from the first slice of `elems` to the last.

    >>> import tfc as tf
    >>> print(tf.foldl(lambda a, x: a * 2 + x, tf.constant([1, 0, 1])))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    return _fold(fn, elems, initializer, False, "foldl")


def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: Any = None,
) -> Any:
    """As `foldl`, from the last slice to the first.

    >>> import tfc as tf
    >>> print(tf.foldr(lambda total, x: 10 * total + x, tf.constant([1, 2, 3])))
    tf.Tensor(321, shape=(), dtype=int32)
    """
    return _fold(fn, elems, initializer, True, "foldr")


def _fold(fn: Any, elems: Any, initializer: Any, reverse: bool, name: str) -> Any:
    fn, xs = in_trace(fn), nest.map_structure(convert_to_tensor, elems)
    if initializer is None:
        edge = -1 if reverse else 0
        initializer = nest.map_structure(lambda x: x[edge], xs)
        xs = nest.map_structure(lambda x: x[:-1] if reverse else x[1:], xs)
    state = nest.map_structure(convert_to_tensor, initializer)
    if context.trace is None and 0 in {extents_of(x)[0] for x in nest.flatten(xs)}:
        return state
    return _scan(lambda s, x: (fn(s, x), ()), state, xs, reverse, name)[0]


__all__ = [
    "case",
    "cond",
    "foldl",
    "foldr",
    "map_fn",
    "scan",
    "switch_case",
    "vectorized_map",
    "while_loop",
]
