"""What ir/expand asks for, as IR ops."""

from __future__ import annotations

from typing import Any

from ..core import Builder, Op
from ..dtypes import as_dtype
from ..ops.elementwise import Bitcast, Cast, Truncate


class IrEmitter:
    """Appends the operations of `Scalar`s to a builder (see expand/scalar.py)."""

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
