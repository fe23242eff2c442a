"""What ir/kernels/expand asks for, as IR ops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from ..core import Builder, Function, Op, Value
from ..dtypes import as_dtype, int64
from ..kernel_op import LoopKind
from ..ops.elementwise import Bitcast, Cast, Truncate
from ..types import INDEX, scalar_type
from .expand import Scalar
from .ops import For, Rarely


class IrEmitter:
    """Appends the operations of `Scalar`s to a builder (see ir/kernels/expand/scalar.py)."""

    def __init__(self, b: Builder) -> None:
        self.b = b

    def emit(self, name: str, *operands: object, dtype: str) -> object:
        values: list[Any] = list(operands)
        if name == "cast":
            source, target = values[0].dtype, as_dtype(dtype)
            op: Op = (Truncate if source.is_floating and target.is_integer else Cast)(
                values[0], target
            )
        elif name == "bitcast":
            op = Bitcast(values[0], as_dtype(dtype))
        else:
            op = Op.by_name[name](*values)
        return self.b.emit(op)

    def constant(self, value: bool | int | float, dtype: str) -> object:
        return self.b.constant(value, as_dtype(dtype))

    def repeat(
        self,
        count: int,
        start: Sequence[Any],
        body: Callable[[object, Sequence[Any]], Sequence[Any]],
    ) -> Sequence[object]:
        outer = self.b
        low, high = (outer.constant(n, int64) for n in (0, count))
        params = tuple(Value(t) for t in (INDEX, *(v.type for v in start)))
        self.b = outer.inner()  # where all `Scalar`s emit to meanwhile
        returns = tuple(body(params[0], params[1:]))
        region = Function("body", params, tuple(self.b.body), returns)
        self.b = outer
        return outer.emit_all(For(low, high, tuple(start), 1, LoopKind.SERIAL, region))

    def rarely(
        self,
        condition: Any,
        otherwise: Sequence[Any],
        function: Callable[..., Sequence[Scalar]],
        arguments: Sequence[Scalar],
    ) -> Sequence[object]:
        callee = _closed(function, tuple(x.dtype for x in arguments), self.b.rules)
        values: tuple[Any, ...] = tuple(x.value for x in arguments)
        return self.b.emit_all(Rarely(condition, values, tuple(otherwise), callee))


@cache
def _closed(
    function: Callable[..., Sequence[Scalar]], dtypes: Sequence[str], rules: frozenset[str]
) -> Function:
    """A function of `Scalar`s as one of the IR: the same object for all who call it."""
    b = Builder(function.__name__.strip("_"), rules)
    emitter = IrEmitter(b)
    given = [Scalar(emitter, b.parameter(scalar_type(as_dtype(d))), d) for d in dtypes]
    results: list[Any] = [x.value for x in function(*given)]
    return b.build(*results)
