"""How public functions are declared: the signature and the docstring are written out, and what the
function computes stands in the decorator.

    @op(ir.Floor)
    def floor(x: Any, name: str | None = None) -> Any:
        '''The largest integer that is not above x.'''

`op` takes the class of an op, or a function that emits the IR of several (`emit(b, *values)`). What
is declared with nothing more has operands only. Where a family of functions has other arguments (an
axis, a number of segments), its `Form` says what becomes of them:

    @op(ir.ReduceSum, OVER_AXES)
    def reduce_sum(input_tensor: Any, axis: Any = None, ...) -> Any:
        '''The sum of the elements along `axis`.'''

A function that does more with its arguments calls a `Primitive` (tfc/dispatch/primitive.py), which
is made of such a class or function likewise.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.ops import StopGradient
from tfc.ir.value_classes import NamedTuple

from ..dispatch.primitive import Body, Primitive, broadcast_together

Function = Callable[..., Any]
OpClass = Callable[..., Op]  # takes operands and attributes
Declared = TypeVar("Declared", bound=Function)

FLOATS = ("float16", "bfloat16", "float32", "float64")
WIDE = ("float32", "float64")


def elementwise(op: OpClass) -> Body:
    """The IR of an op on operands that broadcast together."""

    def body(b: Builder, *operands: Value) -> Value:
        return b.emit(op(*(broadcast_together(b, *operands) if operands[1:] else operands)))

    return body


class Form(NamedTuple):
    """What becomes of the arguments of a family's functions."""

    function: Callable[[Primitive], Function]  # has the signature of the family
    body: Callable[[OpClass], Body] = elementwise  # the IR of a call, made of an op's class


def require(x: Value, name: str, dtypes: tuple[str, ...] = FLOATS) -> None:
    """An error where x has none of these dtypes."""
    if x.dtype.name not in dtypes:
        raise OpError(
            f"{name}: not defined for dtype {x.dtype.name}; it takes {', '.join(dtypes)}", "dtype"
        )


def op(
    emit: type[Op] | Body,
    form: Form | None = None,
    *,
    check: Callable[[Value, str], None] | None = None,
    name: str | None = None,
) -> Callable[[Declared], Declared]:
    """Declares a function that is one op, or that `emit` emits.

    Args:
        emit: the class of an op, whose operands broadcast together where the form says nothing
            else; or a function of a builder, the operands, and the static arguments of the form.
        form: what becomes of the arguments; None: all are operands.
        check: is given the first operand and the function's name before anything is emitted.
        name: what errors call the op, by default the function's name.
    """

    def declare(declared: Declared) -> Declared:
        title = name or declared.__name__
        body: Body = emit
        if isinstance(emit, type):
            body = (elementwise if form is None else form.body)(emit)
        primitive = Primitive(body if check is None else _checked(body, check, title), title)
        primitive.stops = emit is StopGradient
        if form is not None:
            return _described(form.function(primitive), declared)
        native = primitive.lazy()
        function = _described(_of_operands(native, _parameters(declared)), declared)
        # What Python's operators call, without another Python frame.
        function.native = native  # type: ignore[attr-defined]
        return function

    return declare


def _checked(body: Body, check: Callable[[Value, str], None], name: str) -> Body:
    def checked(b: Builder, x: Value, *rest: Any) -> Value:
        check(x, name)
        return body(b, x, *rest)

    return checked


def _parameters(function: Function) -> tuple[str, ...]:
    code = function.__code__
    return code.co_varnames[: code.co_argcount]


def _described(function: Function, declared: Declared) -> Declared:
    """`function` with the name, place, types and docstring of the one that was declared."""
    if _parameters(function) != _parameters(declared):
        raise TypeError(f"{declared.__name__} must be declared with {_parameters(function)}")
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__", "__annotations__"):
        setattr(function, attribute, getattr(declared, attribute))
    result: Any = function
    return result


def _of_operands(native: list[Function], parameters: tuple[str, ...]) -> Function:
    """A function of these operands, and at last a `name`, that calls native code. It has them as
    parameters of its own, which is quicker than to look through `*operands`."""

    def of_one(x: Any, name: str | None = None) -> Any:
        return native[0](x)

    def of_two(x: Any, y: Any, name: str | None = None) -> Any:
        return native[0](x, y)

    def of_three(x: Any, y: Any, z: Any, name: str | None = None) -> Any:
        return native[0](x, y, z)

    function = (of_one, of_two, of_three)[len(parameters) - 2]
    assert parameters[-1] == "name" and isinstance(function, FunctionType), parameters
    function.__code__ = function.__code__.replace(co_varnames=parameters)
    return function
