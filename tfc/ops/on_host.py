"""Functions of the public interface that Python computes: inside of a `tfc.function` a program
calls them when it gets there.

    @on_host("strings.lower", same_shape)
    def lower(input, encoding="", name=None): ...

The function itself takes tensors that have elements; what it is given while a function is traced
becomes a call of it (tfc/dispatch/host_functions.py). To know what it gives, it is called once on
a small example: tensors of the same dtypes and ranks, whose extents are all 1. So what is wrong
with other arguments is an error of the line that traces it. What the extents of the results will
be, a rule says as far as it is known.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial, wraps
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from tfc.ir import literals
from tfc.ir.core import Value
from tfc.ir.dtypes import DType, as_element_type, string
from tfc.ir.extent import Extent
from tfc.ir.ops.host_functions import Elementwise, NamedRoutine, Routine, Use, register

from ..core import blame, nest
from ..core.context import active, context, current, user_location
from ..core.conversion import convert_to_tensor
from ..core.errors import InvalidArgumentError, ResourceExhaustedError
from ..core.tensor import Held, StringTensor, SymbolicTensor, Tensor, strings, wrap
from ..dispatch.host_functions import Result, emit
from ..dispatch.known import known_elements
from ..dispatch.primitive import common_shape

Shape: TypeAlias = "Sequence[Extent | None]"
Function = TypeVar("Function", bound=Callable[..., Any])


class Call(NamedTuple):
    """A call that is being traced."""

    operands: Sequence[Value]  # the tensors among the arguments, in order
    arguments: dict[str, Any]  # as they are given, and the defaults
    sample: Any  # what the function gives for the example


# From a call to the shapes of its results, in the order of their leaves; None, and none at the end,
# where nothing is known but the rank.
Rule: TypeAlias = "Callable[[Call], Sequence[Shape | None]]"

_PLAIN = (bool, int, float, str, type(None))


def unknown(call: Call) -> Sequence[Shape | None]:
    """Only the call tells."""
    return ()


def same_shape(call: Call) -> Sequence[Shape | None]:
    """The first result has the shape of the first operand."""
    first = next(iter(call.arguments.values()))
    return (call.operands[0].shape,) if isinstance(first, Held) else ()


def scalar(call: Call) -> Sequence[Shape | None]:
    """The result is a scalar."""
    return ((),)


def broadcast(call: Call) -> Sequence[Shape | None]:
    """The first result has the shape that the operands broadcast to."""
    trace: Any = context.trace
    return (common_shape(trace.builder, [v.shape for v in call.operands]),)


def on_host(
    op: str,
    rule: Rule = unknown,
    *,
    example: bytes = b"",
    sample: Callable[..., Any] | None = None,
    finish: Callable[[Call, Any], Any] | None = None,
    effect: bool = False,
    elementwise: Elementwise | None = None,
    stacked: Callable[..., Any] | None = None,
    use: Use | None = None,
) -> Callable[[Function], Function]:
    """Let a function be called from programs.

    Args:
        op: Its name in programs.
        rule: What is known of the shapes of its results.
        example: The string that tensors of strings have for elements in the example.
        sample: What gives something like the results for the example, where the function itself
            cannot.
        finish: What makes the result of what the example's structure makes of the results, where
            that says what holds of the example alone.
        effect: Whether it changes something outside, or looks at what changes: it is a call in
            every program then, and keeps its place.
        elementwise: What it does element by element, so that a loop calls it once for all rounds.
        stacked: What does the same for many of its first operand, as rows.
        use: Whether it may be called by threads, and in another order.
    """

    def declare(function: Function) -> Function:
        signature = inspect.signature(function)

        def run(options: str, *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
            return _arrays(partial(_called, function, options), *arrays)

        register(op, run, elementwise, use)

        @wraps(function)
        def public(*args: Any, **kwargs: Any) -> Any:
            if context.trace is None:
                try:
                    return function(*args, **kwargs)
                except MemoryError as error:
                    raise _exhausted(error, op) from None
            bound = signature.bind(*args, **kwargs)  # a TypeError is that of the call
            bound.apply_defaults()
            operands: list[Any] = []
            routine: NamedRoutine | Routine
            trial: Callable[[Sequence[Tensor]], Any]
            whole: Callable[[Sequence[Tensor]], Any]
            try:
                options = written(args, kwargs, operands)
                routine = NamedRoutine(op, options)
                whole = partial(_called, function, options)
                trial = partial(_called, sample or function, options)
            except _NotPlain:
                operands, own = _taken_apart(function, args, kwargs)
                many = None
                if stacked is not None:
                    call_many = _taken_apart(stacked, args, kwargs)[1]
                    many = Routine(op, partial(_arrays, call_many))
                routine = Routine(op, partial(_arrays, own), many)
                whole = own
                trial = own if sample is None else _taken_apart(sample, args, kwargs)[1]
            except RecursionError:
                raise blame.value_error(
                    "an argument is a sequence that is nested so deep, or holds itself", op
                ) from None
            if not effect and all(_is_known(x) for x in operands):
                with active(trace=None, tapes=()):
                    try:
                        return whole(operands)
                    except MemoryError as error:
                        raise _exhausted(error, op) from None
            values = [context.trace.value_of(x) for x in operands]
            with active(trace=None, tapes=()):
                try:
                    given = trial([_example(v.dtype, v.rank, example) for v in values])
                except InvalidArgumentError:  # such as a count, which must be positive
                    given = trial([_example(v.dtype, v.rank, example, 1) for v in values])
            call = Call(values, bound.arguments, given)
            found = _emitted(routine, call, rule, effect)
            return found if finish is None else finish(call, found)

        return public  # type: ignore[return-value]

    return declare


def _exhausted(error: MemoryError, op: str) -> Exception:
    return blame.located(ResourceExhaustedError, f"{op}: OOM: {str(error) or 'no memory'}")


def _is_known(operand: Any) -> bool:
    return isinstance(operand, Tensor) and not isinstance(operand, SymbolicTensor)


def _emitted(routine: NamedRoutine | Routine, call: Call, rule: Rule, effect: bool) -> Any:
    """The results of a call, in the structure that the function gives."""
    trace: Any = context.trace
    trace.builder.location = user_location()
    if call.sample is None:
        emit(trace.builder, routine, call.operands, (), effect)
        return None
    leaves, structure = nest.decompose_composites(call.sample)
    shapes = [*rule(call)]
    shapes += [None] * (len(leaves) - len(shapes))
    results = [
        Result(leaf.dtype, [None] * leaf.ndim if shape is None else shape)
        for leaf, shape in zip(leaves, shapes, strict=True)
    ]
    found = emit(trace.builder, routine, call.operands, results, effect)
    return structure.pack([SymbolicTensor(trace, v) for v in found])


def _example(dtype: DType, rank: int, text: bytes, number: int = 0) -> Tensor:
    """A tensor whose extents are 1."""
    array = dtype.zeros((1,) * rank)
    array[...] = text if dtype is string else number
    return wrap(array)


def _called(function: Callable[..., Any], options: str, tensors: Sequence[Tensor]) -> Any:
    """A call with these arguments."""
    positional, named, places = _parsed(options)
    if places is not None:  # tensors by position alone, as mostly
        given = list(positional)
        for place, tensor in zip(places, tensors, strict=True):
            given[place] = tensor
        return function(*given, **named)
    positional, named = _read(literals.read("tuple", options), iter(tensors))
    return function(*positional, **named)


def _arrays(call: Callable[[Sequence[Tensor]], Any], *arrays: np.ndarray) -> tuple[np.ndarray, ...]:
    """What a function gives for arrays, which are not its own."""
    state = current()
    if state.trace is None and not state.tapes:
        found = call([_owned(array) for array in arrays])
    else:
        with active(trace=None, tapes=()):
            found = call([_owned(array) for array in arrays])
    if type(found) is Tensor or type(found) is StringTensor:
        return (found._array,)
    if found is None:
        return ()
    leaves, _ = nest.decompose_composites(found)
    return tuple(leaf._array for leaf in leaves)


def _owned(array: np.ndarray) -> Tensor:
    """A tensor of what is in the memory of a program."""
    return strings(array.copy()) if array.dtype.hasobject else wrap(array.copy())


# Arguments as text: what is no tensor, and where tensors stand.


def written(args: tuple[Any, ...], kwargs: dict[str, Any], operands: list[Any]) -> str:
    """The options of a call; its tensors are put into `operands`."""
    return literals.shown(_written((args, kwargs), operands))


class _NotPlain(Exception):
    """There is something that text cannot hold."""


def _written(value: Any, operands: list[Any]) -> tuple[Any, ...]:
    """A value as numbers, strings and tuples; `operands` gets the tensors in it."""
    if isinstance(value, np.ndarray | np.generic):
        value = convert_to_tensor(value)
    if isinstance(value, SymbolicTensor) and (known := known_elements(value)) is not None:
        value = wrap(known)  # numbers alone, as they were given
    if isinstance(value, Held):
        operands.append(value)
        return ("tensor",)
    if isinstance(value, DType):
        return "dtype", value.name
    if type(value) in _PLAIN:
        return "value", value
    if type(value) is bytes:
        return "bytes", value.decode("utf-8", "surrogateescape")
    if type(value) is list or type(value) is tuple:
        return type(value).__name__, tuple(_written(v, operands) for v in value)
    if type(value) is dict and all(type(key) is str for key in value):
        return "dict", tuple((k, _written(v, operands)) for k, v in value.items())
    if isinstance(value, type | np.dtype):
        try:
            return "dtype", as_element_type(value).name
        except TypeError:
            raise _NotPlain from None
    raise _NotPlain


@lru_cache(maxsize=1024)
def _parsed(text: str) -> tuple[list[Any], dict[str, Any], list[int] | None]:
    """The arguments by position and by name, and where among the former the tensors are; None
    where there are tensors elsewhere, or what a call might change."""
    _, (arguments, options) = literals.read("tuple", text)
    rows = [*arguments[1], *(value for _, value in options[1])]
    if any(kind[0] not in ("value", "bytes", "dtype", "tensor") for kind in rows):
        return [], {}, None
    if any(value[0] == "tensor" for _, value in options[1]):
        return [], {}, None
    nothing: Iterator[Any] = itertools.repeat(None)
    positional, named = _read(("tuple", (arguments, options)), nothing)
    places = [i for i, kind in enumerate(arguments[1]) if kind[0] == "tensor"]
    return list(positional), named, places


def _read(written: Any, tensors: Iterator[Tensor]) -> Any:
    """The value that `_written` has written."""
    kind, *rest = written
    match kind:
        case "tensor":
            return next(tensors)
        case "dtype":
            return as_element_type(rest[0])
        case "bytes":
            return rest[0].encode("utf-8", "surrogateescape")
        case "list":
            return [_read(v, tensors) for v in rest[0]]
        case "tuple":
            return tuple(_read(v, tensors) for v in rest[0])
        case "dict":
            return {key: _read(v, tensors) for key, v in rest[0]}
    return rest[0]


def _taken_apart(
    function: Callable[..., Any], args: Any, kwargs: Any
) -> tuple[list[Any], Callable[[Sequence[Tensor]], Any]]:
    """The tensors among the arguments, and the function of other tensors in their places."""
    leaves, structure = nest.decompose_composites((list(args), dict(kwargs)))
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, Held)]
    operands = [leaves[i] for i in places]
    for i in places:
        leaves[i] = None
    at_top = [i for i, x in enumerate(args) if isinstance(x, Held)]
    if len(at_top) == len(places):  # tensors by position alone, as mostly
        positional, named = structure.pack(leaves)

        def call_at_top(tensors: Sequence[Tensor]) -> Any:
            given = list(positional)
            for place, tensor in zip(at_top, tensors, strict=True):
                given[place] = tensor
            return function(*given, **named)

        return operands, call_at_top

    def call(tensors: Sequence[Tensor]) -> Any:
        given = list(leaves)
        for place, tensor in zip(places, tensors, strict=True):
            given[place] = tensor
        positional, named = structure.pack(given)
        return function(*positional, **named)

    return operands, call
