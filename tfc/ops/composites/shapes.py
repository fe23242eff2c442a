"""What public functions do with shapes that may be ragged."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from tfc.ir.dtypes import int32, int64

from ...dispatch.overloads import overloads_of
from ..array import arrange, creation, indexing, shaping
from ..math import comparisons
from ..ragged.broadcasting import elementwise
from ..ragged.dynamic_shape import DynamicRaggedShape
from ..ragged.tensor import RaggedTensor

Function = Callable[..., Any]


@functools.cache
def install() -> None:
    """Let functions that take a shape take a DynamicRaggedShape: once, when the class is met."""
    for function, name in (
        (creation.ones, "shape"),
        (creation.zeros, "shape"),
        (creation.fill, "dims"),
    ):
        _says(function, name, _of_inner_shape(function, name))
    _says(shaping.reshape, "shape", _reshape)
    _says(shaping.broadcast_to_shape, "shape", _broadcast)
    _says(arrange.broadcast_dynamic_shape, "shape_x", _common)


def _says(function: Function, name: str, call: Function) -> None:
    table = overloads_of(function)
    signature = inspect.signature(table.original)

    def bound(args: Any, kwargs: Any) -> dict[str, Any]:
        return dict(signature.bind(*args, **kwargs).arguments)

    def takes(args: Any, kwargs: Any) -> bool:
        return any(isinstance(v, DynamicRaggedShape) for v in (*args[:2], kwargs.get(name)))

    table.first.insert(0, (takes, lambda *args, **kwargs: call(**bound(args, kwargs))))


def _of_inner_shape(function: Function, name: str) -> Function:
    def call(**given: Any) -> Any:
        shape: DynamicRaggedShape = given[name]
        return shape.tensor_of(function(**{**given, name: shape.inner_shape}))

    return call


def _reshape(tensor: Any, shape: DynamicRaggedShape, name: str | None = None) -> Any:
    flat = tensor.flat_values if isinstance(tensor, RaggedTensor) else tensor
    return shape.tensor_of(shaping.reshape(flat, shape.inner_shape))


def _common(shape_x: Any, shape_y: Any) -> DynamicRaggedShape:
    """The shape of what tensors of two shapes are broadcast to."""
    given = [
        s if isinstance(s, DynamicRaggedShape) else DynamicRaggedShape((), s)
        for s in (shape_x, shape_y)
    ]
    kind = int64 if any(s.dtype is int64 for s in given) else int32
    x, y = (s.with_dtype(kind) for s in given)
    if not (x.num_row_partitions or y.num_row_partitions):
        inner = arrange.broadcast_dynamic_shape(x.inner_shape, y.inner_shape)
        return DynamicRaggedShape((), inner, kind)
    both = [s.tensor_of(creation.zeros(s.inner_shape, "bool")) for s in (x, y)]
    return DynamicRaggedShape.from_tensor(
        elementwise(comparisons.logical_or, both, "broadcast_dynamic_shape"), kind
    )


def _broadcast(input: Any, shape: DynamicRaggedShape, name: str | None = None) -> Any:
    everywhere = shape.tensor_of(creation.ones(shape.inner_shape, "bool"))
    return indexing.where(everywhere, input, input)
