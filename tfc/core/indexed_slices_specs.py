"""`IndexedSlicesSpec`: what is known of IndexedSlices before they are there."""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import DType, as_element_type

from . import above
from .containers import Composite, Expanded
from .indexed_slices import IndexedSlices, Rows
from .shapes import TensorShape
from .specs import TensorSpec
from .type_specs import TypeSpec
from .types import DTypeLike


class IndexedSlicesSpec(TypeSpec, Composite):
    """What is known of IndexedSlices: the shape of the tensor that they are rows of, and dtypes.
    What a `tfc.function` takes can be fixed by it.

    Args:
        shape: The extents of the whole tensor, None where one may be any.
        dtype: The dtype of the rows.
        indices_dtype: The dtype of their places: int32 or int64.
        dense_shape_dtype: The dtype of `dense_shape`; None where the slices have none.
        indices_shape: The shape of the places; None where it is not known.

    Raises:
        TypeError: If a dtype or a shape is none.

    >>> import tfc as tf
    >>> spec = tf.IndexedSlicesSpec([None, 2], indices_dtype=tf.int32)
    >>> rows = tf.IndexedSlices(tf.ones([1, 2]), tf.constant([4]))
    >>> spec.is_compatible_with(rows)
    True
    >>> tf.type_spec_from_value(rows)
    IndexedSlicesSpec(TensorShape([None, 2]), tf.float32, tf.int32, None, TensorShape([1]))
    """

    __slots__ = ("_dense_shape_dtype", "_dtype", "_indices_dtype", "_indices_shape", "_shape")

    value_type = IndexedSlices

    def __init__(
        self,
        shape: Any = None,
        dtype: DTypeLike = "float32",
        indices_dtype: DTypeLike = "int64",
        dense_shape_dtype: DTypeLike | None = None,
        indices_shape: Any = None,
    ) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_element_type(dtype)
        self._indices_dtype = as_element_type(indices_dtype)
        none = dense_shape_dtype is None
        self._dense_shape_dtype = None if none else as_element_type(dense_shape_dtype)
        self._indices_shape = TensorShape([None] if indices_shape is None else indices_shape)

    @property
    def shape(self) -> TensorShape:
        """The extents of the whole tensor, None where one may be any."""
        return self._shape

    @property
    def dtype(self) -> DType:
        """The dtype of the rows."""
        return self._dtype

    @property
    def name(self) -> None:
        """None: there are none."""
        return None

    def _serialize(self) -> Any:
        return (
            self._shape,
            self._dtype,
            self._indices_dtype,
            self._dense_shape_dtype,
            self._indices_shape,
        )

    @property
    def _component_specs(self) -> Any:
        rank = self._shape.rank
        rest = None if rank is None else TensorShape(self._shape.as_list()[1:])
        rows = TensorShape(None) if rest is None else self._indices_shape.concatenate(rest)
        specs = (
            TensorSpec(rows, self._dtype),
            TensorSpec(self._indices_shape, self._indices_dtype),
        )
        if self._dense_shape_dtype is None:
            return specs
        return (*specs, TensorSpec([rank], self._dense_shape_dtype))

    def _to_components(self, value: Any) -> Any:
        parts = (value.values, value.indices)
        return parts if value.dense_shape is None else (*parts, value.dense_shape)

    def _from_components(self, components: Any) -> Any:
        return IndexedSlices(*components)

    def _parts(self) -> Expanded:
        specs = self._component_specs
        return Rows(specs if len(specs) == 3 else (*specs, None))


above.slices_spec = IndexedSlicesSpec
