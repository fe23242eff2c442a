"""Numbers that may be sizes: extents as tensors, and tensors of which some numbers are extents."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import int64
from tfc.ir.extent import Expr, Extent

from ...core import blame
from ...core.conversion import convert_to_tensor
from ...core.tensor import SymbolicTensor, Tensor
from ...dispatch.primitive import Sizes, primitive
from ..extents import as_extents
from . import conversion
from .joining import unstack
from .shaping import reshape


@primitive
def _steps(b: Builder, shape: tuple[Extent, ...]) -> Value:
    return b.emit(ir.Iota(shape, 0, int64))


def steps(count: Extent) -> Tensor:
    """0, 1, ... below an extent, as int64."""
    return _steps(static=(Sizes((count,)),))


@primitive
def _scalar_of(b: Builder, shape: tuple[Extent, ...]) -> Value:
    return b.emit(ir.ExtentOf(shape[0]))


def scalar_of(extent: Any) -> Tensor:
    """An extent as an int64 scalar."""
    return _scalar_of(static=(Sizes((extent,)),)) if isinstance(extent, Expr) else wrap64(extent)


def wrap64(number: int) -> Tensor:
    """An int64 scalar."""
    return convert_to_tensor(number, int64)


def numbers_of(vector: Any) -> list[Any]:
    """The numbers in a vector: ints and extents, and int64 scalars where run time tells them."""
    if isinstance(vector, SymbolicTensor) and vector._extents is None:
        if vector.shape.rank != 1 or vector.shape[0] is None:
            raise blame.unknown_extent("a vector of known length is needed", "slice")
        wide = conversion.cast(vector, int64)
        return unstack(wide)
    if isinstance(vector, list | tuple):
        return [n for v in vector for n in _number(v)]
    return list(as_extents(vector, "slice"))


def _number(value: Any) -> list[Any]:
    if isinstance(value, SymbolicTensor) and value._extents is None:
        return [conversion.cast(reshape(value, []), int64)]
    return list(as_extents([value], "slice"))
