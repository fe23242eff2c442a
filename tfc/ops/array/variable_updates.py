"""Assigning to parts of a Variable: by slices, and by indices. `install` attaches the methods.

Each is the whole value with updates scattered over it, so that it works while tracing as well.
Updates are applied in their order. An index outside of its axis is an InvalidArgumentError, and
leaves the Variable as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir.dtypes import int64
from tfc.ir.extent import product

from ...core import blame
from ...core.indexed_slices import IndexedSlices
from ...core.tensor import Tensor
from ...core.variable import Variable
from ..extents import extents_of
from ..math import comparisons, elementwise, reductions
from . import checks, conversion
from .shaping import broadcast_to_shape, reshape
from .sizes import steps
from .slicing import getitem


def _slice_assignment(tensor: Any, kind: str) -> Callable[..., Any]:
    """The method `kind` of what reading `variable[index]` gave: "assign", "assign_add" or
    "assign_sub"."""
    source = getattr(tensor, "_source", None)
    if source is None:
        raise AttributeError(f"{type(tensor).__name__!r} object has no attribute {kind!r}")
    variable, index = source

    def method(
        value: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        new = variable._converted(value, kind)
        extents = extents_of(variable.value())
        places = getitem(reshape(steps(product(extents)), extents), index)
        if kind == "assign":  # the others are not TensorFlow's, and want the slice's own shape
            new = _broadcast(new, places)
        if not new.shape.is_compatible_with(places.shape):
            raise blame.invalid(
                f"Cannot {kind} a value of shape {new.shape} to a slice of shape {places.shape} of "
                f"variable '{variable.name}'",
                kind,
            )
        flat = reshape(variable.value(), [-1])
        combine = {"assign": "update", "assign_add": "add", "assign_sub": "sub"}[kind]
        from .scatter import scatter_rows

        flat = scatter_rows(flat, reshape(places, [-1]), reshape(new, [-1]), combine)
        return variable.assign(reshape(flat, extents))

    method.__name__ = kind
    return method


def _broadcast(new: Any, places: Any) -> Any:
    """What is assigned to a slice, in its shape where it broadcasts to that."""
    if new.shape.rank is None or new.shape == places.shape:
        return new
    beyond = len(new.shape) - len(places.shape)
    if beyond > 0 and all(e == 1 for e in new.shape[:beyond]):
        new = reshape(new, extents_of(new)[beyond:])
    mine, theirs = tuple(new.shape)[::-1], tuple(places.shape)[::-1]
    fits = len(mine) <= len(theirs) and all(
        m in (1, t) or None in (m, t) for m, t in zip(mine, theirs, strict=False)
    )
    return broadcast_to_shape(new, extents_of(places)) if fits else new


def _scatter(variable: Any, delta: Any, combine: str) -> Any:
    """Rows of the Variable combined with those of IndexedSlices, whose indices may have any
    shape."""
    name = f"scatter_{combine}"
    if not isinstance(delta, IndexedSlices):
        raise blame.type_error(
            f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {delta!r:.100}",
            name,
        )
    values = variable._converted(delta.values_as(variable.dtype), name)
    x, indices = variable.value(), reshape(delta.indices, [-1])
    rank = len(delta.indices.shape)
    row = extents_of(x)[1:]
    if not len(values.shape):  # for all elements of the rows that are named
        rows = broadcast_to_shape(values, [*extents_of(indices), *row])
    else:
        rest = extents_of(values)[rank:]
        rows = reshape(values, [-1, *rest]) if rank else reshape(values, [1, *rest])
    from .scatter import scatter_rows

    if combine == "div" and x.dtype.is_integer:
        return variable.assign(_divided(x, indices, rows, name))
    return variable.assign(scatter_rows(x, indices, rows, combine))


def _divided(x: Any, indices: Any, rows: Any, name: str) -> Any:
    """Rows of integers, each divided by all that is given for it: as one after another, where each
    quotient is rounded towards 0, it is the quotient by their product (of 64 bits)."""
    from .scatter import scatter_rows

    checks.Assert(
        reductions.reduce_all(comparisons.not_equal(rows, 0)),
        [f"{name}: updates must not contain 0"],
    )
    wide, ones = conversion.cast(rows, int64), conversion.cast(comparisons.equal(x, x), int64)
    product_of = scatter_rows(ones, indices, wide, "mul")
    return conversion.cast(elementwise.truncatediv(conversion.cast(x, int64), product_of), x.dtype)


class SliceUpdates:
    """What a tensor can do that was read of a Variable by an index: slot `_source` has both."""

    @property
    def assign(self) -> Any:
        """Of a slice of a Variable: `v[index].assign(value)` makes `value` the elements there."""
        return _slice_assignment(self, "assign")

    @property
    def assign_add(self) -> Any:
        """Of a slice of a Variable: `v[index].assign_add(delta)` adds to the elements there."""
        return _slice_assignment(self, "assign_add")

    @property
    def assign_sub(self) -> Any:
        """Of a slice of a Variable: `v[index].assign_sub(delta)` subtracts there."""
        return _slice_assignment(self, "assign_sub")


class VariableUpdates:
    """The methods of Variables."""

    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Let row indices[i] be values[i] of the IndexedSlices; the last one for a row stays.

        Args:
            sparse_delta: IndexedSlices: rows of the Variable's dtype, and their numbers.
            use_locking: Not used: it is one step in any case.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not the number of a row.

        >>> import tfc as tf
        >>> v = tf.Variable([1, 2, 3])
        >>> v.scatter_update(tf.IndexedSlices([10, 30], [0, 2])).numpy().tolist()
        [10, 2, 30]
        """
        return _scatter(self, sparse_delta, "update")

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Add values[i] of the IndexedSlices to row indices[i].

        Args:
            sparse_delta: IndexedSlices: rows of the Variable's dtype, and their numbers.
            use_locking: Not used: it is one step in any case.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not the number of a row.
        """
        return _scatter(self, sparse_delta, "add")

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Subtract values[i] of the IndexedSlices from row indices[i].

        Args:
            sparse_delta: IndexedSlices: rows of the Variable's dtype, and their numbers.
            use_locking: Not used: it is one step in any case.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not the number of a row.
        """
        return _scatter(self, sparse_delta, "sub")

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Let row indices[i] be the larger of itself and values[i] of the IndexedSlices.

        Args:
            sparse_delta: IndexedSlices: rows of the Variable's dtype, and their numbers.
            use_locking: Not used: it is one step in any case.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not the number of a row.
        """
        return _scatter(self, sparse_delta, "max")

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Let row indices[i] be the smaller of itself and values[i] of the IndexedSlices.

        Args:
            sparse_delta: IndexedSlices: rows of the Variable's dtype, and their numbers.
            use_locking: Not used: it is one step in any case.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not the number of a row.
        """
        return _scatter(self, sparse_delta, "min")

    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Multiply row indices[i] by values[i] of the IndexedSlices.

        Args:
            sparse_delta: IndexedSlices: rows of the Variable's dtype, and their numbers.
            use_locking: Not used: it is one step in any case.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not the number of a row.
        """
        return _scatter(self, sparse_delta, "mul")

    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Divide row indices[i] by values[i] of the IndexedSlices. Floats only.

        Args:
            sparse_delta: IndexedSlices: rows of the Variable's dtype, and their numbers.
            use_locking: Not used: it is one step in any case.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not the number of a row.
        """
        return _scatter(self, sparse_delta, "div")

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Let self[b..., indices[b..., i]] be values[b..., i], for all b.

        Args:
            sparse_delta: IndexedSlices with the indices and values.
            use_locking: Of no effect.

        Returns:
            The Variable.

        Raises:
            TypeError: If `sparse_delta` is something else.
            InvalidArgumentError: If an index is outside, or shapes do not fit (ValueError while
                tracing).
        """
        variable: Any = self
        if not isinstance(sparse_delta, IndexedSlices):
            raise blame.type_error(
                "Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: "
                f"{sparse_delta!r:.100}",
                "batch_scatter_update",
            )
        from .indexing import batched_indices
        from .scatter import tensor_scatter

        indices = batched_indices(sparse_delta.indices)
        return variable.assign(
            tensor_scatter("batch_scatter_update", "update", variable, indices, sparse_delta.values)
        )

    def scatter_nd_update(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Let the elements (or slices) at the places that the last axis of `indices` names be
        `updates`.

        Args:
            indices: A tensor of integers, whose last axis has as many as name a place.
            updates: A tensor of the Variable's dtype and shape indices.shape[:-1] +
                shape[indices.shape[-1]:].

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not within the shape.

        >>> import tfc as tf
        >>> v = tf.Variable([1, 2, 3, 4])
        >>> v.scatter_nd_update([[0], [3]], [9, 8]).numpy().tolist()
        [9, 2, 3, 8]
        """
        return _scatter_nd(self, indices, updates, "update")

    def scatter_nd_add(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Add `updates` at the places that the last axis of `indices` names.

        Args:
            indices: A tensor of integers, whose last axis has as many as name a place.
            updates: A tensor of the Variable's dtype and shape indices.shape[:-1] +
                shape[indices.shape[-1]:].

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not within the shape.
        """
        return _scatter_nd(self, indices, updates, "add")

    def scatter_nd_sub(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """Subtract `updates` at the places that the last axis of `indices` names.

        Args:
            indices: A tensor of integers, whose last axis has as many as name a place.
            updates: A tensor of the Variable's dtype and shape indices.shape[:-1] +
                shape[indices.shape[-1]:].

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not within the shape.
        """
        return _scatter_nd(self, indices, updates, "sub")

    def scatter_nd_max(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """The larger of what is there and `updates`, at the places that `indices` names.

        Args:
            indices: A tensor of integers, whose last axis has as many as name a place.
            updates: A tensor of the Variable's dtype and shape indices.shape[:-1] +
                shape[indices.shape[-1]:].

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not within the shape.
        """
        return _scatter_nd(self, indices, updates, "max")

    def scatter_nd_min(self, indices: Any, updates: Any, name: str | None = None) -> Any:
        """The smaller of what is there and `updates`, at the places that `indices` names.

        Args:
            indices: A tensor of integers, whose last axis has as many as name a place.
            updates: A tensor of the Variable's dtype and shape indices.shape[:-1] +
                shape[indices.shape[-1]:].

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If an index is not within the shape.
        """
        return _scatter_nd(self, indices, updates, "min")

    def sparse_read(self, indices: Any, name: str | None = None) -> Any:
        """The rows that `indices` name: `tf.gather`.

        Args:
            indices: A tensor of integers.

        Returns:
            A tensor of shape indices.shape + shape[1:].

        Raises:
            InvalidArgumentError: If an index is not the number of a row.
        """
        from .indexing import gather

        return gather(self, indices)

    def gather_nd(self, indices: Any, name: str | None = None) -> Any:
        """The elements (or slices) at the places that the last axis of `indices` names.

        Args:
            indices: A tensor of integers, whose last axis has as many as name a place.

        Returns:
            A tensor of shape indices.shape[:-1] + shape[indices.shape[-1]:].

        Raises:
            InvalidArgumentError: If an index is not within the shape.
        """
        from .indexing import gather_nd

        return gather_nd(self, indices)


def _scatter_nd(variable: Any, indices: Any, updates: Any, combine: str) -> Any:
    name = f"scatter_nd_{combine}"
    values = variable._converted(updates, name)
    from .scatter import tensor_scatter

    return variable.assign(tensor_scatter(name, combine, variable, indices, values))


def install() -> None:
    """Attach the methods to the classes."""
    for methods, cls in ((SliceUpdates, Tensor), (VariableUpdates, Variable)):
        for name, method in vars(methods).items():
            if not name.startswith("_"):
                setattr(cls, name, method)
