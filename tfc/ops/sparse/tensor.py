"""SparseTensor: a tensor of which the elements that are not 0 are given, by their places.

Made of the ops of dense tensors, so that it works inside of functions and on tapes: its values are
what has gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from tfc.ir.dtypes import DType, int64, string

from ...core import above, blame
from ...core.containers import Composite, Expanded
from ...core.context import context
from ...core.conversion import operand
from ...core.shapes import TensorShape
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import TensorLike
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import indexing as _indexing
from ..array import shaping as _shaping
from ..extents import as_extents
from ..math import arithmetic as _arithmetic
from ..math import cumulative as _cumulative
from ..math import reductions as _reductions
from .specs import Parts, SparseTensorSpec

_OP = "SparseTensor"


class SparseTensor(Composite):
    """A tensor of shape `dense_shape` with values[i] at the place indices[i], and 0 elsewhere.

    Most functions want the places in row-major order, each once: `tfc.sparse.reorder` puts them in
    order. Gradients are those of `values`: `tape.gradient(y, x.values)`.

    Args:
        indices: The places: integers [n, rank].
        values: The elements at these places: a vector [n] of any dtype.
        dense_shape: The extents: integers [rank].

    Raises:
        ValueError: If the three do not fit.
        TypeError: If places or extents are no integers.

    >>> import tfc as tf
    >>> x = tf.SparseTensor(indices=[[0, 1], [1, 2]], values=[5.0, 6.0], dense_shape=[2, 3])
    >>> x.shape
    TensorShape([2, 3])
    >>> print(tf.sparse.to_dense(x))
    tf.Tensor(
    [[0. 5. 0.]
     [0. 0. 6.]], shape=(2, 3), dtype=float32)
    """

    __slots__ = ("__weakref__", "_dense_shape", "_indices", "_stated", "_values")
    __array_priority__ = 100
    _is_tensor = True

    _met: ClassVar[bool] = False  # whether there was one before: functions are told of the first

    _indices: Any
    _values: Any
    _dense_shape: Any
    _stated: tuple[int | None, ...] | None  # extents that a signature states: traces know them

    def __new__(cls, *_arguments: Any, **_options: Any) -> Self:
        if not SparseTensor._met:
            SparseTensor._met = True
            above.sparse_tensors_are_met()
        return super().__new__(cls)

    def __init__(self, indices: TensorLike, values: TensorLike, dense_shape: TensorLike) -> None:
        numbers = [_integers(v) for v in (indices, dense_shape)]
        places, extents = (v if v.dtype is int64 else _conversion.cast(v, int64) for v in numbers)
        given = operand(_OP, values)
        if 0 in (given.shape[:1] or [None]) and places.shape.rank == 1:
            places = _shaping.reshape(places, [0, extents.shape[0]])
        for what, part, rank in (
            ("indices", places, 2),
            ("values", given, 1),
            ("dense_shape", extents, 1),
        ):
            if len(part.shape) != rank:
                raise blame.value_error(
                    f"Shape {part.shape} must have rank {rank}: {what} of a sparse tensor", _OP
                )
        for have, want in (
            (places.shape[0], given.shape[0]),
            (places.shape[1], extents.shape[0]),
        ):
            if None not in (have, want) and have != want:
                raise blame.value_error(
                    f"Dimensions {have} and {want} are not compatible: indices {places.shape}, "
                    f"values {given.shape} and dense_shape {extents.shape} do not fit",
                    _OP,
                )
        self._indices, self._values, self._dense_shape = places, given, extents
        self._stated = None

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """From an object of another class, such as TensorFlow 1's SparseTensorValue.

        Args:
            sparse_tensor_value: An object with `indices`, `values` and `dense_shape`.

        Returns:
            A SparseTensor.
        """
        value = sparse_tensor_value
        if not all(hasattr(value, part) for part in ("indices", "values", "dense_shape")):
            raise blame.type_error(
                f"Argument sparse_tensor_value={value!r:.100} is neither a SparseTensor nor "
                "SparseTensorValue.",
                _OP,
            )
        return cls(value.indices, value.values, value.dense_shape)

    def _open_in_loops(self) -> list[tuple[Any, Any]]:
        return [(self.indices, [None, self.indices.shape[1]]), (self.values, [None])]

    def _parts(self) -> Expanded:
        return Parts.of((self._indices, self._values, self._dense_shape), self._stated)

    def _stating(self, other: SparseTensor) -> SparseTensor:
        return _made(self._indices, self._values, self._dense_shape, other._stated)

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self.shape, self.dtype)

    def _with_gradients(self) -> Tensor:
        return self._values

    def _as_gradient(self, gradient: TensorLike) -> SparseTensor:
        return self.with_values(gradient)

    @property
    def indices(self) -> Tensor:
        """The places [n, rank], as int64."""
        return self._indices

    @property
    def values(self) -> Tensor:
        """The elements at these places [n]."""
        return self._values

    @property
    def dense_shape(self) -> Tensor:
        """The shape [rank], as an int64 tensor."""
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """The element type."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is known."""
        rank = self._dense_shape.shape[0]
        if rank is None:
            return TensorShape(None)
        if isinstance(self._dense_shape, SymbolicTensor):
            found = _conversion.get_static_value(self._dense_shape, partial=True)
            return TensorShape([None] * rank if found is None else list(found))
        return TensorShape(self._dense_shape.numpy().tolist())

    def get_shape(self) -> TensorShape:
        """The same as `shape`.

        Returns:
            A TensorShape.
        """
        return self.shape

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        found: int | None = self._dense_shape.shape[0]
        return found

    def with_values(self, new_values: TensorLike) -> SparseTensor:
        """Other elements at the same places.

        Args:
            new_values: A vector with as many elements.

        Returns:
            A SparseTensor.

        Raises:
            ValueError: If there are more or fewer of them.
        """
        return SparseTensor(self._indices, new_values, self._dense_shape)

    def set_shape(self, shape: Any) -> None:
        """State what the shape is.

        Args:
            shape: The extents, None for what may be any.

        Raises:
            ValueError: If that contradicts what is known.

        >>> import tfc as tf
        >>> tf.SparseTensor([[0, 1]], [5.0], [2, 3]).set_shape([None, 3])
        """
        if not self.shape.is_compatible_with(shape):
            raise blame.value_error(
                f"The shape {self.shape} is not compatible with {TensorShape(shape)}", _OP
            )
        stated = TensorShape(shape)
        if isinstance(self._dense_shape, SymbolicTensor) and stated.rank is not None:
            self._dense_shape.set_shape([stated.rank])
            before = self.shape.as_list()
            news = [n if was is None else None for was, n in zip(before, stated, strict=True)]
            if any(n is not None for n in news):
                extents = with_extents(self._dense_shape, news)
                _checks.assert_equal(self._dense_shape, extents, "the shape differs")
                self._dense_shape = extents

    def __mul__(self, other: TensorLike) -> SparseTensor:
        """Times a dense tensor that broadcasts to it."""
        return self.with_values(self._values * self._of_dense(other, "multiply"))

    __rmul__ = __mul__

    def __truediv__(self, other: TensorLike) -> SparseTensor:
        """Divided by a dense tensor that broadcasts to it."""
        return self.with_values(self._values / self._of_dense(other, "divide"))

    def __neg__(self) -> SparseTensor:
        return self.with_values(-self._values)

    def _of_dense(self, other: TensorLike, op: str) -> Tensor:
        """The elements of a dense tensor at these places."""
        if isinstance(other, SparseTensor):
            raise blame.unimplemented(f"{op} of two sparse tensors: make one of them dense", op)
        dense = operand(op, other, dtype_hint=self.dtype)
        if not len(dense.shape):
            return dense
        return _indexing.gather_nd(
            _shaping.broadcast_to_shape(dense, self._dense_shape), self._indices
        )

    def __repr__(self) -> str:
        return (
            f"SparseTensor(indices={self._indices!s}, values={self._values!s}, "
            f"dense_shape={self._dense_shape!s})"
        )

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return above.html("sparse tensor", self)


def _integers(value: TensorLike) -> Tensor:
    x = operand(_OP, value, dtype_hint=int64)
    if not x.dtype.is_integer and 0 not in x.shape:  # an empty list says nothing
        text = f"indices and dense_shape must be integers, got {x.dtype.name}"
        raise blame.type_error(text, _OP)
    return x


def with_extents(extents: Tensor, known: Sequence[int | None]) -> Tensor:
    """The extents of a shape, of which a trace knows those that are no None."""
    return _shaping.shape_of(
        tuple(as_extents([extents[i] if n is None else n for i, n in enumerate(known)], _OP))
    )


def _made(
    indices: Tensor,
    values: Tensor,
    dense_shape: Tensor,
    static: tuple[int | None, ...] | None = None,
) -> SparseTensor:
    found = SparseTensor.__new__(SparseTensor)
    found._indices, found._values, found._dense_shape = indices, values, dense_shape
    found._stated = static
    if static and isinstance(dense_shape, SymbolicTensor) and dense_shape._trace is context.trace:
        found._stated = None
        found.set_shape(static)
    return found


Parts.make = staticmethod(_made)
SparseTensorSpec.value_type = SparseTensor


def sparse_operand(op: str, value: Any) -> SparseTensor:
    """`value`, which must be a SparseTensor."""
    if isinstance(value, SparseTensor):
        return value
    if all(hasattr(value, name) for name in ("indices", "values", "dense_shape")):
        return SparseTensor(value.indices, value.values, value.dense_shape)
    raise blame.type_error(f"Input must be a SparseTensor, got {type(value).__name__}", op)


# Places as single numbers, in row-major order.


def _strides(shape: Tensor) -> Tensor:
    return _cumulative.cumprod(shape, exclusive=True, reverse=True)


def linear(indices: Tensor, shape: Tensor) -> Tensor:
    """The row-major number of each place in a tensor of this shape."""
    return _reductions.reduce_sum(indices * _strides(shape), 1)


def places(numbers: Tensor, shape: Tensor) -> Tensor:
    """The places that have these row-major numbers."""
    by = _arithmetic.maximum(_strides(shape), 1)
    found = _arithmetic.floordiv(_shaping.expand_dims(numbers, 1), by)
    return _arithmetic.floormod(found, _arithmetic.maximum(shape, 1))


def filling(values: Tensor, default_value: TensorLike | None, op: str) -> Tensor:
    """The default value as a scalar tensor; None stands for 0, False or ""."""
    if default_value is None:
        default_value = "" if values.dtype is string else values.dtype.numpy.type(0)
    scalar: Tensor = operand(op, default_value, values.dtype)
    if len(scalar.shape):
        raise blame.invalid(f"default_value should be a scalar, got shape {scalar.shape}", op)
    return scalar
