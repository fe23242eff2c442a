"""The types of IR values: tensors, and the buffers that kernels read and write."""

from __future__ import annotations

import math
from typing import Any, TypeAlias

from .dtypes import ALL, DType, int64, string
from .extent import Expr, Extent, Shape, parse_extent, product


def format_shape(shape: Shape) -> str:
    """`shape` as users see it in messages: `(2, n, 3)`."""
    inner = ", ".join(map(str, shape))
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


class _Elements:
    """What types are made of, which never changes."""

    __slots__ = ("dtype", "shape")
    __match_args__ = ("dtype", "shape")

    dtype: DType
    shape: Shape

    def __init__(self, dtype: DType, shape: Shape = ()) -> None:
        _set_dtype(self, dtype)
        _set_shape(self, shape)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot assign to {name!r} of a {type(self).__name__}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"cannot delete {name!r} of a {type(self).__name__}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (self.dtype, self.shape) == (other.dtype, other.shape)

    def __hash__(self) -> int:
        return hash((self.dtype.name, self.shape))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(dtype={self.dtype!r}, shape={self.shape!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.dtype, self.shape)


_set_dtype = vars(_Elements)["dtype"].__set__
_set_shape = vars(_Elements)["shape"].__set__


class TensorType(_Elements):
    """A tensor: dtype and shape, printed `f32[n,784]`; a scalar is `f32`."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> Extent:
        """The number of elements."""
        return product(self.shape)

    @property
    def is_static(self) -> bool:
        """Whether every extent is an int."""
        return not any(isinstance(extent, Expr) for extent in self.shape)

    def with_dtype(self, dtype: DType) -> TensorType:
        if dtype is self.dtype:
            return self
        return TensorType(dtype, self.shape) if self.shape else scalar_type(dtype)

    def with_shape(self, shape: Shape) -> TensorType:
        return TensorType(self.dtype, shape)

    def __str__(self) -> str:
        if not self.shape:
            return self.dtype.short
        dims = ",".join([str(extent).replace(" ", "") for extent in self.shape])
        return f"{self.dtype.short}[{dims}]"


class BufferType(_Elements):
    """Memory that a kernel may load from or store to: dense, row-major; `*f32[n,784]`."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"*{TensorType(self.dtype, self.shape)}"


def in_parts(buffer: BufferType) -> BufferType:
    """Memory of complex numbers seen as that of their parts, with one more axis of 2."""
    if not buffer.dtype.is_complex:
        return buffer
    return BufferType(buffer.dtype.real_dtype, (*buffer.shape, 2))


Type: TypeAlias = "TensorType | BufferType"


_SCALARS: dict[str, TensorType] = {}


def scalar_type(dtype: DType) -> TensorType:
    """The type of a scalar: one object for each dtype, so that most comparisons are by identity."""
    found = _SCALARS.get(dtype.short)
    if found is None:
        found = _SCALARS.setdefault(dtype.short, TensorType(dtype))
    return found


INDEX = scalar_type(int64)  # the type of loop variables and element offsets


_BY_SHORT = {dtype.short: dtype for dtype in (*ALL, string)}


def parse_type(text: str) -> Type:
    """The type that `text` (as printed by `str`) stands for. Raises ValueError."""
    text = text.strip()
    if text.startswith("*"):
        inner = parse_type(text[1:])
        if isinstance(inner, BufferType):
            raise ValueError(f"not a type: {text!r}")
        return BufferType(inner.dtype, inner.shape)
    name, bracket, rest = text.partition("[")
    dtype = _BY_SHORT.get(name.strip())
    if dtype is None:
        raise ValueError(f"not a type: {text!r}")
    if not bracket:
        return TensorType(dtype)
    if not rest.endswith("]"):
        raise ValueError(f"not a type: {text!r}")
    shape = tuple(parse_extent(dim) for dim in rest[:-1].split(","))
    known = [e for e in shape if isinstance(e, int)]
    least = math.prod(max(e, 1) for e in known) * dtype.itemsize
    if min(known, default=0) < 0 or least >= 1 << 63:
        raise ValueError(f"no tensor has this type: {text!r}")
    return TensorType(dtype, shape)
