"""`scan`, `map_fn`, `vectorized_map` and folds: loops over the rows of tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Function, Value
from tfc.ir.dtypes import bool_
from tfc.ir.extent import symbols
from tfc.ir.types import INDEX, TensorType

from ..core import above, blame, nest
from ..core.containers import Composite
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.tensor import Tensor
from ..core.type_specs import TypeSpec
from ..core.variable import Variable
from ..dispatch.primitive import retype
from ..dispatch.stored_variables import is_own
from ..dispatch.tracing import current, in_trace
from ..ops.arguments import flag
from ..ops.array.joining import concat, stack, unstack
from ..ops.array.shaping import expand_dims
from ..ops.extents import extents_of
from .regions import (
    Changes,
    Limited,
    Region,
    captures_of,
    changed,
    emit_loop,
    pack_results,
    promised_axes,
    promised_shapes,
    same_type,
    unknown_axes,
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

    Args:
        fn: A function of (state, slice) that gives the next state.
        elems: A tensor, or a structure of tensors with equal first extents.
        initializer: The first state; None: the first slice.
        parallel_iterations: Not used.
        back_prop: Not used.
        swap_memory: Not used.
        infer_shape: Not used.
        reverse: Whether to begin with the last slice.

    Returns:
        The states, stacked along a new first axis, in the structure of the state.

    Raises:
        ValueError: If a tensor has no axes, the first extents differ, or the structure of the state
            changes (TypeError if only the classes do).
        TypeError: If, while tracing, a dtype of it changes.
        InvalidArgumentError: If there is no slice and no `initializer` (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3, 4])))
    tf.Tensor([ 1  3  6 10], shape=(4,), dtype=int32)
    """
    fn, xs = in_trace(fn), nest.map_structure(convert_to_tensor, elems)
    _sliced(xs, "scan")
    reverse = flag(reverse, "reverse", "scan")
    first = initializer is None
    if first:
        _begun(xs, "scan")
        edge = -1 if reverse else 0
        start = nest.map_structure(lambda x: x[edge], xs)
        rest = nest.map_structure(lambda x: x[:-1] if reverse else x[1:], xs)
    else:
        start, rest = nest.map_structure(convert_to_tensor, initializer), xs
    _, rows = _scan(
        lambda s, x: _twice(_like_state(s, fn(s, x), "scan")), start, rest, reverse, "scan"
    )
    if not first:
        return rows

    def join(one: Any, more: Any) -> Any:
        one = expand_dims(one, 0)
        return concat([more, one] if reverse else [one, more], 0)

    return nest.map_structure(join, start, rows)


def _twice(state: Any) -> tuple[Any, Any]:
    return state, state


def _sliced(xs: Any, name: str) -> tuple[list[Any], nest.Structure]:
    """The tensors that a loop goes along, and their structure."""
    leaves, structure = nest.decompose(xs)
    if not leaves:
        raise blame.value_error(
            "elems must be a Tensor or (possibly nested) sequence of Tensors. "
            f"Got {xs!r:.60}, which does not contain any Tensors.",
            name,
        )
    if any(not x.ndim for x in leaves):
        raise blame.value_error(
            "Elements in elems must be 1+ dimensional Tensors, not scalars", name
        )
    return leaves, structure


def _begun(xs: Any, name: str) -> None:
    """Raise where there is no slice to begin with."""
    if 0 in {extents_of(x)[0] for x in nest.flatten(xs)}:
        raise blame.invalid("there is no slice to begin with, and no initializer", name)


def _scan(step: Any, start: Any, xs: Any, reverse: bool, name: str) -> tuple[Any, Any]:
    """(the last state, the results stacked) of `state, y = step(state, x)` along the slices."""
    leaves, structure = _sliced(xs, name)
    if context.trace is not None:
        return _traced_scan(step, start, leaves, structure, reverse, name)
    count = leaves[0].shape[0]
    for x in leaves:
        if x.shape[0] != count:
            raise _unlike(count, x.shape[0], name)
    columns = [unstack(x, num=count) for x in leaves]
    state, rows = start, []
    for i in reversed(range(count)) if reverse else range(count):
        state, y = step(state, structure.pack([c[i] for c in columns]))
        rows.append(nest.map_structure(convert_to_tensor, y))
    if not rows:
        return state, _no_rows(step, start, leaves, structure, name)
    rows = rows[::-1] if reverse else rows
    return state, nest.map_structure(lambda *parts: stack(parts), *rows)


def _unlike(x: Any, y: Any, name: str) -> ValueError:
    return blame.value_error(
        f"Dimensions {x} and {y} are not compatible: they are the first extents of elems", name
    )


def _like_state(state: Any, new: Any, name: str) -> Any:
    """`new`, which must have the structure of the state before it."""
    try:
        nest.assert_same_structure(state, new)
    except (TypeError, ValueError) as error:
        failed = blame.type_error if isinstance(error, TypeError) else blame.value_error
        raise failed(
            f"the function must return the structure of its state. {error}", name
        ) from None
    return new


def _no_rows(step: Any, start: Any, leaves: list[Any], structure: Any, name: str) -> Any:
    """The results of no rounds: tracing tells their types."""

    def run(start: Any, leaves: list[Any]) -> Any:
        return _traced_scan(step, start, leaves, structure, False, name)[1]

    return above.function(run)(start, leaves)


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
    trace = current()
    assert trace is not None
    states, shape = nest.decompose_composites(start)
    init = [trace.value_of(convert_to_tensor(s)) for s in states]
    xs = [trace.value_of(x) for x in leaves]
    count = xs[0].shape[0] if count is None else count
    for i, x in enumerate(xs):
        if x.shape[0] != count and not trace.builder.unify(count, x.shape[0]):
            raise _unlike(count, x.shape[0], name)
        xs[i] = retype(trace.builder, x, (count, *x.shape[1:]))
    types = [INDEX, *(v.tensor_type for v in init)]
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
    carried = [v for v in region.assigned if not is_own(v)]
    if carried and region.trace.calls_python:  # known only now: once more, carrying them
        trace.store()
        region = Region("the function", body, every, carried, pack, region.unstored)
    else:
        carried = []
    known = set(map(id, carried))
    for variable in region.assigned:
        if id(variable) not in known:
            region.trace.carry_captured(variable)
            carried.append(variable)
    init += [trace.value_of(v) for v in carried]
    values = region.values()
    promised = {(i - 1, axis) for i, axis in promised_axes(region) if 1 <= i < len(types)}
    if indexed:  # a loop of Python's, which may change what is not known before it
        promised |= unknown_axes(types[1:])
    if changed(values, types[1:], promised):
        raise Changes
    what = labels or [f"state {i}" for i in range(len(types) - 1)]
    shapes = promised_shapes(region)
    results = [
        same_type(region, v, t, label, name, shapes.get(i, ""))
        for i, (v, t, label) in enumerate(zip(values, types[1:], what, strict=False), 1)
    ]
    results += map(region.value_of, carried)
    results += values[len(types) - 1 :]
    if not results:  # it is there for its effects; an op has a result
        results.append(region.trace.builder.constant(False, bool_))
    captured = captures_of(region)
    closed = region.close(captured, results)
    _of_one_shape(closed, values[len(types) - 1 :], name)
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
    found = emit_loop(ir.Scan(tuple(init), tuple(xs), args, count, reverse, 0, closed), name)
    if not trace.sizes_only:
        assigned = zip(carried, found[len(types) - 1 : len(init)], strict=True)
        trace.adopt([region.trace], assigned, carried=True)
    packed = pack_results(region, [*found[: len(types) - 1], *found[len(init) :]])
    return packed[0], packed[1]


def _of_one_shape(body: Function, results: Sequence[Value], name: str) -> None:
    """Raise where what is to be stacked has extents that each round finds for itself."""
    own = {str(extent) for op in body.body for _, extent in op.binds()}
    for i, value in enumerate(results):
        if any(own.intersection(symbols(extent)) for extent in value.shape):
            raise blame.invalid(
                f"the rounds' results are stacked, and must have one shape; that of result {i}, "
                f"{value.type}, is known only when a round has run. Pad it to a known size, or let "
                "the function return the part of it that is needed",
                name,
            )


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

    Args:
        fn: A function of a slice.
        elems: A tensor, or a structure of tensors with equal first extents; ragged ones, too.
        dtype: The dtypes of the results, by TensorFlow 1's name.
        parallel_iterations: Not used.
        back_prop: Not used.
        swap_memory: Not used.
        infer_shape: Not used.
        fn_output_signature: The dtypes or TensorSpecs of the results, where these have not the
            structure and the dtypes of `elems`.

    Returns:
        The results, stacked along a new first axis, in their structure.

    Raises:
        ValueError: If a tensor has no axes, first extents differ, or a result has another structure
            or shape than was announced.
        InvalidArgumentError: If a result has another dtype than was announced.

    >>> import tfc as tf
    >>> print(tf.map_fn(lambda x: x * x, tf.constant([1, 2, 3])))
    tf.Tensor([1 4 9], shape=(3,), dtype=int32)
    """
    wanted = fn_output_signature if fn_output_signature is not None else dtype
    said = () if wanted is None else nest.flatten(wanted)
    if any(isinstance(x, Composite) for x in (*nest.flatten(elems), *said)):
        from .ragged_maps import map_rows, takes_rows

        if any(map(takes_rows, (*nest.flatten(elems), *said))):
            return map_rows(in_trace(fn), elems, wanted, map_fn)
        if any(getattr(x, "is_batch", False) for x in nest.flatten(elems)):
            return _map_batches(fn, elems, wanted)
    fn, xs = in_trace(fn), nest.map_structure(convert_to_tensor, elems)
    if wanted is None:
        wanted = nest.map_structure(lambda x: x.dtype, xs)
    return mapped(fn, xs, wanted, "map_fn")


def mapped(fn: Callable[..., Any], xs: Any, wanted: Any, name: str) -> Any:
    """The results for all slices, of the dtypes that were announced, if any were."""

    def step(state: Any, x: Any) -> Any:
        y = fn(x)
        if wanted is not None:
            nest.assert_same_structure(wanted, y)
            y = nest.map_structure(_of_dtype, y, wanted)
        return state, y

    return _scan(step, (), xs, False, name)[1]


def _map_batches(fn: Callable[..., Any], elems: Any, wanted: Any) -> Any:
    """`map_fn` along the rows of what batches of objects are made of, as their encoders say."""
    from ..ops.composites.batch_encoders import batched_spec, encoder_of, unbatched_spec

    leaves, structure = nest.decompose(elems)
    specs = [getattr(x, "_type_spec", None) for x in leaves]
    encoders = list(map(encoder_of, specs))
    taken = [
        convert_to_tensor(x) if e is None else e.encode(s, x)
        for x, s, e in zip(leaves, specs, encoders, strict=True)
    ]
    made: list[Any] = []

    def of_row(row: Any) -> Any:
        triples = zip(row, specs, encoders, strict=True)
        own = [x if e is None else e.decode(unbatched_spec(s), x) for x, s, e in triples]
        found, results = nest.decompose(fn(structure.pack(own)))
        kinds = [getattr(y, "_type_spec", None) for y in found]
        ways = list(map(encoder_of, kinds))
        if wanted is not None and not any(isinstance(y, Composite) for y in found):
            found = nest.flatten(nest.map_structure(_of_dtype, results.pack(found), wanted))
        made.append((kinds, ways, results))
        return [
            y if e is None else e.encode(s, y) for y, s, e in zip(found, kinds, ways, strict=True)
        ]

    rows = mapped(in_trace(of_row), taken, None, "map_fn")
    kinds, ways, results = made[-1]
    count = nest.flatten(taken)[0].shape[0]
    triples = zip(rows, kinds, ways, strict=True)
    return results.pack(
        [y if e is None else e.decode(batched_spec(s, count), y) for y, s, e in triples]
    )


def _of_dtype(value: Any, spec: Any) -> Any:
    """A result of the dtype that was announced."""
    from tfc.ir.dtypes import as_element_type

    announced: Any = spec if isinstance(spec, TypeSpec) else None
    dtype = as_element_type(spec if announced is None else announced.dtype)
    tensor = (
        convert_to_tensor(value) if isinstance(value, Tensor) else convert_to_tensor(value, dtype)
    )
    if tensor.dtype is not dtype:
        raise blame.invalid_data(
            f"TensorArray dtype is {dtype.name} but Op is trying to write dtype "
            f"{tensor.dtype.name}: name the dtypes of the results by fn_output_signature",
            "map_fn",
        )
    if announced is not None and not tensor.shape.is_compatible_with(announced.shape):
        raise blame.value_error(
            f"the function gives the shape {tensor.shape}, and {announced.shape} was announced",
            "map_fn",
        )
    return tensor


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """`map_fn`: slices are independent, so that its rounds may run in any order.

    Args:
        fn: A function of a slice.
        elems: A tensor, or a structure of tensors with equal first extents.
        fallback_to_while_loop: Not used.
        warn: Not used.

    Returns:
        The results, stacked along a new first axis, in their structure.

    Raises:
        ValueError: If a tensor has no axes, or the first extents differ.

    >>> import tfc as tf
    >>> rows = tf.constant([[1, 2], [3, 4]])
    >>> print(tf.vectorized_map(lambda row: tf.reduce_sum(row * row), rows))
    tf.Tensor([ 5 25], shape=(2,), dtype=int32)
    """
    if any(isinstance(x, Composite) for x in nest.flatten(elems)):
        return map_fn(fn, elems)
    xs = nest.map_structure(convert_to_tensor, elems)
    return mapped(in_trace(fn), xs, None, "vectorized_map")


def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: Any = None,
) -> Any:
    """The last state of `state = fn(state, x)`, from the first slice to the last.

    Args:
        fn: A function of the state and a slice, which gives the next state: the same structure,
            shapes and dtypes.
        elems: A tensor, or a structure of tensors with equal first extents.
        initializer: The first state, a structure of tensors; None: the first slice.
        parallel_iterations: Not used.
        back_prop: Not used.
        swap_memory: Not used.

    Returns:
        The last state.

    Raises:
        ValueError: If a tensor has no axes, the first extents differ, or the structure of the state
            changes (TypeError if only the classes do).
        TypeError: If, while tracing, a dtype of it changes.
        InvalidArgumentError: If there is no slice and no `initializer` (ValueError while tracing).

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
    """The last state of `state = fn(state, x)`, from the last slice to the first.

    Args:
        fn: A function of the state and a slice, which gives the next state: the same structure,
            shapes and dtypes.
        elems: A tensor, or a structure of tensors with equal first extents.
        initializer: The first state, a structure of tensors; None: the last slice.
        parallel_iterations: Not used.
        back_prop: Not used.
        swap_memory: Not used.

    Returns:
        The last state.

    Raises:
        ValueError: If a tensor has no axes, the first extents differ, or the structure of the state
            changes (TypeError if only the classes do).
        TypeError: If, while tracing, a dtype of it changes.
        InvalidArgumentError: If there is no slice and no `initializer` (ValueError while tracing).

    >>> import tfc as tf
    >>> print(tf.foldr(lambda total, x: 10 * total + x, tf.constant([1, 2, 3])))
    tf.Tensor(321, shape=(), dtype=int32)
    """
    return _fold(fn, elems, initializer, True, "foldr")


def _fold(fn: Any, elems: Any, initializer: Any, reverse: bool, name: str) -> Any:
    if not callable(fn):
        raise blame.type_error(
            f"{fn!r:.60} is not callable. Please provide a callable function.", name
        )
    fn, xs = in_trace(fn), nest.map_structure(convert_to_tensor, elems)
    _sliced(xs, name)
    if initializer is None:
        _begun(xs, name)
        edge = -1 if reverse else 0
        initializer = nest.map_structure(lambda x: x[edge], xs)
        xs = nest.map_structure(lambda x: x[:-1] if reverse else x[1:], xs)
    state = nest.map_structure(convert_to_tensor, initializer)
    if context.trace is None and 0 in {extents_of(x)[0] for x in nest.flatten(xs)}:
        return state
    return _scan(lambda s, x: (_like_state(s, fn(s, x), name), ()), state, xs, reverse, name)[0]
