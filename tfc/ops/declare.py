"""Decorators that declare public functions: the signature and the docstring are written out, and
what the function does is said by the ops that stand in the decorator.

    @unary(ir.Floor)
    def floor(x: Any, name: str | None = None) -> Any:
        '''The largest integer that is not above x.'''
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir.core import Builder, Op, Value

from ..dispatch.primitive import Primitive, broadcast_together

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


def described(function: Any, declared: Function) -> Function:
    """`function` with the name, place and docstring of the one that was declared."""
    for attribute in ("__name__", "__qualname__", "__module__", "__doc__"):
        setattr(function, attribute, getattr(declared, attribute))
    result: Function = function
    return result


def unary(op: Callable[..., Op], check: Callable[[Value, str], None] | None = None) -> Decorator:
    """A function of x that is this op. `check` is given x and the function's name first."""

    def declare(declared: Function) -> Function:
        def body(b: Builder, x: Value) -> Any:
            if check is not None:
                check(x, declared.__name__)
            return b.emit(op(x))

        native = Primitive(body, declared.__name__).lazy()

        def function(x: Any, name: str | None = None) -> Any:
            return native[0](x)

        return described(function, declared)

    return declare


def binary(op: Callable[..., Op], name: str | None = None) -> Decorator:
    """A function of x and y that is this op, of operands that broadcast. Errors call it `name`,
    by default its own."""

    def declare(declared: Function) -> Function:
        def body(b: Builder, x: Value, y: Value) -> Any:
            return b.emit(op(*broadcast_together(b, x, y)))

        native = Primitive(body, name or declared.__name__).lazy()

        def function(x: Any, y: Any, name: str | None = None) -> Any:
            return native[0](x, y)

        # What Python's operators call, without another Python frame.
        function.native = native  # type: ignore[attr-defined]
        return described(function, declared)

    return declare
