"""Assigning to parts of a Variable: by slices, and by indices.

Each is the whole value with updates scattered over it, so that it works while tracing as well.
Updates are applied in their order. An index outside of its axis is an InvalidArgumentError, and
leaves the Variable as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir.extent import product

from . import above, blame
from .indexed_slices import IndexedSlices


def slice_assignment(variable: Any, index: Any, kind: str) -> Callable[..., Any]:
    """The method `kind` of what reading `variable[index]` gave: "assign", "assign_add" or
    "assign_sub"."""

    def method(
        value: Any, use_locking: bool = False, name: Any = None, read_value: bool = True
    ) -> Any:
        new = variable._converted(value, kind)
        extents = above.extents_of(variable.value())
        places = above.getitem(above.reshape(above.steps(product(extents)), extents), index)
        if not new.shape.is_compatible_with(places.shape):
            raise blame.invalid(
                f"Cannot {kind} a value of shape {new.shape} to a slice of shape {places.shape} of "
                f"variable '{variable.name}'",
                kind,
            )
        flat = above.reshape(variable.value(), [-1])
        combine = {"assign": "update", "assign_add": "add", "assign_sub": "sub"}[kind]
        flat = above.scatter_rows(
            flat, above.reshape(places, [-1]), above.reshape(new, [-1]), combine
        )
        return variable.assign(above.reshape(flat, extents))

    method.__name__ = kind
    return method


def _scatter(variable: Any, delta: Any, combine: str) -> Any:
    """Rows of the Variable combined with those of IndexedSlices, whose indices may have any
    shape."""
    name = f"scatter_{combine}"
    if not isinstance(delta, IndexedSlices):
        raise blame.type_error(f"sparse_delta is not IndexedSlices: {type(delta).__name__}", name)
    values, rank = variable._converted(delta.values, name), len(delta.indices.shape)
    x = variable.value()
    rest = above.extents_of(values)[rank:]
    if not rank or not len(values.shape):  # one update for all rows that are named
        rest = ()
    rows = (
        above.reshape(values, [-1, *rest])
        if rank
        else above.reshape(values, [1, *above.extents_of(values)])
    )
    return variable.assign(above.scatter_rows(x, above.reshape(delta.indices, [-1]), rows, combine))


class VariableUpdates:
    """The mixin."""

    __slots__ = ()

    def scatter_update(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Let row indices[i] be values[i] of the IndexedSlices; the last one for a row stays.

        >>> import tfc as tf
        >>> v = tf.Variable([1, 2, 3])
        >>> v.scatter_update(tf.IndexedSlices([10, 30], [0, 2])).numpy().tolist()
        [10, 2, 30]
        """
        return _scatter(self, sparse_delta, "update")

    def scatter_add(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Add values[i] of the IndexedSlices to row indices[i]."""
        return _scatter(self, sparse_delta, "add")

    def scatter_sub(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Subtract values[i] of the IndexedSlices from row indices[i]."""
        return _scatter(self, sparse_delta, "sub")

    def scatter_max(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Let row indices[i] be the larger of itself and values[i] of the IndexedSlices."""
        return _scatter(self, sparse_delta, "max")

    def scatter_min(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Let row indices[i] be the smaller of itself and values[i] of the IndexedSlices."""
        return _scatter(self, sparse_delta, "min")

    def scatter_mul(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Multiply row indices[i] by values[i] of the IndexedSlices."""
        return _scatter(self, sparse_delta, "mul")

    def scatter_div(self, sparse_delta: Any, use_locking: bool = False, name: Any = None) -> Any:
        """Divide row indices[i] by values[i] of the IndexedSlices. Floats only."""
        return _scatter(self, sparse_delta, "div")

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: Any = None
    ) -> Any:
        """Let self[b..., indices[b..., i]] be values[b..., i] of the IndexedSlices, for all b."""
        variable: Any = self
        if not isinstance(sparse_delta, IndexedSlices):
            raise blame.type_error(
                f"sparse_delta is not IndexedSlices: {type(sparse_delta).__name__}",
                "batch_scatter_update",
            )
        indices = above.batched_indices(sparse_delta.indices)
        return variable.assign(
            above.tensor_scatter(
                "batch_scatter_update", "update", variable, indices, sparse_delta.values
            )
        )

    def scatter_nd_update(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """Let the elements (or slices) at the places that the last axis of `indices` names be
        `updates`.

        >>> import tfc as tf
        >>> v = tf.Variable([1, 2, 3, 4])
        >>> v.scatter_nd_update([[0], [3]], [9, 8]).numpy().tolist()
        [9, 2, 3, 8]
        """
        return _scatter_nd(self, indices, updates, "update")

    def scatter_nd_add(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """Add `updates` at the places that the last axis of `indices` names."""
        return _scatter_nd(self, indices, updates, "add")

    def scatter_nd_sub(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """Subtract `updates` at the places that the last axis of `indices` names."""
        return _scatter_nd(self, indices, updates, "sub")

    def scatter_nd_max(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """The larger of what is there and `updates`, at the places that `indices` names."""
        return _scatter_nd(self, indices, updates, "max")

    def scatter_nd_min(self, indices: Any, updates: Any, name: Any = None) -> Any:
        """The smaller of what is there and `updates`, at the places that `indices` names."""
        return _scatter_nd(self, indices, updates, "min")

    def sparse_read(self, indices: Any, name: Any = None) -> Any:
        """The rows that `indices` name: `tf.gather`."""
        return above.gather(self, indices)

    def gather_nd(self, indices: Any, name: Any = None) -> Any:
        """The elements (or slices) at the places that the last axis of `indices` names."""
        return above.gather_nd(self, indices)


def _scatter_nd(variable: Any, indices: Any, updates: Any, combine: str) -> Any:
    name = f"scatter_nd_{combine}"
    values = variable._converted(updates, name)
    return variable.assign(above.tensor_scatter(name, combine, variable, indices, values))
