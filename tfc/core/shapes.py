"""Shapes as users see them: `TensorShape`.

An extent that is not known before the code runs is None for users. Inside, it may be a symbolic
expression (`tfc.ir.extent`); `TensorShape.extents` gives those.

    >>> shape = TensorShape([2, None, 3])
    >>> shape, str(shape), shape.rank, shape[-1]
    (TensorShape([2, None, 3]), '(2, None, 3)', 3, 3)
    >>> TensorShape([2, 3]) == (2, 3)
    True
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, TypeAlias, overload

from tfc.ir.extent import Expr

from .dimension import Dimension

Known: TypeAlias = "int | None"
Dimensions: TypeAlias = "tuple[int | Expr | None, ...]"


def _for_a_program() -> bool:
    """Whether what calls this is called from outside of this package."""
    name = str(sys._getframe(2).f_globals.get("__name__", ""))
    return name != "tfc" and not name.startswith("tfc.")


class TensorShape:
    """The shape of a tensor: a sequence of extents, each an int or None (unknown).

    A shape behaves as a tuple does (indexing, slicing, iteration, `len`, `==` with tuples and
    lists), and as TensorFlow's class of the same name.

    Args:
        dims: The extents: a sequence of integers and Nones, another shape, or one integer; None
            where even the rank is unknown.

    Raises:
        TypeError: If an extent is no integer.
        ValueError: If it is negative.

    >>> import tfc as tf
    >>> shape = tf.TensorShape([2, None])
    >>> shape.rank, shape.num_elements(), shape.is_compatible_with([2, 5]), shape + [7]
    (2, None, True, TensorShape([2, None, 7]))
    """

    __slots__ = ("_dims", "_extents")

    # Whether programs get extents as TensorFlow 1's Dimensions; this package has numbers.
    of_dimensions: ClassVar[bool] = False
    as_tuple: ClassVar[bool] = True  # whether `isinstance(shape, tuple)` holds
    _dims: tuple[Known, ...] | None
    _extents: Dimensions | None

    def __init__(self, dims: Any) -> None:
        if isinstance(dims, TensorShape):
            self._dims, self._extents = dims._dims, dims._extents
            return
        if dims is None:
            self._dims = self._extents = None
            return
        try:
            items = tuple(dims)
        except TypeError:
            items = (dims,)  # TensorFlow takes one extent for a shape of rank one
        try:
            self._extents = tuple([_dimension(item) for item in items])
        except TypeError as error:
            raise TypeError(_no_shape(dims, items, error)) from None
        self._dims = _visible(self._extents)

    @classmethod
    def of(cls, extents: tuple[int | Expr, ...]) -> TensorShape:
        """The shape of a tensor type. Quick: `extents` is taken as it is.

        Args:
            extents: The extents, as the IR has them: integers and expressions.

        Returns:
            A TensorShape.
        """
        shape = object.__new__(cls)
        shape._extents = extents
        shape._dims = _visible(extents)
        return shape

    @property
    def extents(self) -> Dimensions | None:
        """The extents with their symbols, as the IR has them; None for an unknown rank."""
        return self._extents

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None where it is unknown."""
        return None if self._dims is None else len(self._dims)

    @property
    def ndims(self) -> int | None:
        """The number of dimensions, or None where it is unknown (an alias of `rank`)."""
        return self.rank

    @property
    def dims(self) -> list[Dimension] | None:
        """The extents as a list of `tf.compat.v1.Dimension`, or None where the rank is unknown."""
        return None if self._dims is None else [Dimension(d) for d in self._dims]

    def as_list(self) -> list[Known]:
        """The extents.

        Returns:
            A list of ints and Nones.

        Raises:
            ValueError: If the rank is unknown.
        """
        if self._dims is None:
            raise ValueError("as_list() is not defined on an unknown TensorShape.")
        return list(self._dims)

    def num_elements(self) -> int | None:
        """The number of elements.

        Returns:
            An int; None where an extent is unknown.
        """
        if self._dims is None:
            return None
        total = 1
        for dim in self._dims:
            if dim is None:
                return None
            total *= dim
        return total

    def is_fully_defined(self) -> bool:
        """Whether rank and all extents are known.

        Returns:
            A bool.
        """
        return self._dims is not None and None not in self._dims

    def assert_is_fully_defined(self) -> None:
        """See to it that rank and all extents are known.

        Raises:
            ValueError: If they are not.
        """
        if not self.is_fully_defined():
            raise ValueError(f"Shape {self} is not fully defined")

    # Comparing and joining shapes.

    def is_compatible_with(self, other: Any) -> bool:
        """Whether one tensor could have both shapes: where both are known, they are equal.

        Args:
            other: The other shape.

        Returns:
            A bool.

        >>> TensorShape([None, 3]).is_compatible_with([2, 3])
        True
        """
        other = TensorShape(other)
        if self._dims is None or other._dims is None:
            return True
        return len(self._dims) == len(other._dims) and all(
            a is None or b is None or a == b for a, b in zip(self._dims, other._dims, strict=True)
        )

    def assert_is_compatible_with(self, other: Any) -> None:
        """See to it that one tensor could have both shapes.

        Args:
            other: The other shape.

        Raises:
            ValueError: If none could.
        """
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are incompatible")

    def merge_with(self, other: Any) -> TensorShape:
        """What is known from both shapes together.

        Args:
            other: The other shape.

        Returns:
            A TensorShape.

        Raises:
            ValueError: If they contradict each other.

        >>> TensorShape([None, 3]).merge_with([2, None])
        TensorShape([2, 3])
        """
        other = TensorShape(other)
        if self._extents is None:
            return other
        if other._extents is None:
            return self
        if not self.is_compatible_with(other):
            raise ValueError(f"Shapes {self} and {other} are not compatible")
        pairs = zip(self._extents, other._extents, strict=True)
        return TensorShape([_better_known(a, b) for a, b in pairs])

    def most_specific_compatible_shape(self, other: Any) -> TensorShape:
        """The shape that covers both: an extent in which they differ is unknown.

        Args:
            other: The other shape.

        Returns:
            A TensorShape; of unknown rank, where the ranks differ.

        >>> TensorShape([2, 3]).most_specific_compatible_shape([4, 3])
        TensorShape([None, 3])
        """
        other = TensorShape(other)
        if self._extents is None or other._extents is None or self.rank != other.rank:
            return TensorShape(None)
        pairs = zip(self._extents, other._extents, strict=True)
        return TensorShape([a if a == b else None for a, b in pairs])

    def is_subtype_of(self, other: Any) -> bool:
        """Whether every tensor of this shape has another shape, too.

        Args:
            other: The other shape.

        Returns:
            A bool.

        >>> TensorShape([2, 3]).is_subtype_of(TensorShape([None, 3]))
        True
        """
        if not isinstance(other, TensorShape):
            return False
        if other._dims is None:
            return True
        if self._dims is None or len(self._dims) != len(other._dims):
            return False
        return all(b in (None, a) for a, b in zip(self._dims, other._dims, strict=True))

    def most_specific_common_supertype(self, others: Any) -> TensorShape | None:
        """The shape that covers this one and others.

        Args:
            others: A sequence of TensorShapes.

        Returns:
            A TensorShape; None where one of them is none.
        """
        shape = self
        for other in others:
            if not isinstance(other, TensorShape):
                return None
            shape = shape.most_specific_compatible_shape(other)
        return shape

    def concatenate(self, other: Any) -> TensorShape:
        """The extents of this shape followed by those of another; also `+`.

        Args:
            other: The other shape.

        Returns:
            A TensorShape; of unknown rank, where one of the two is.
        """
        other = TensorShape(other)
        if self._extents is None or other._extents is None:
            return TensorShape(None)
        return TensorShape(self._extents + other._extents)

    def __add__(self, other: Any) -> TensorShape:
        return self.concatenate(other)

    def __radd__(self, other: Any) -> TensorShape:
        return TensorShape(other).concatenate(self)

    # Rank.

    def assert_same_rank(self, other: Any) -> None:
        """See to it that ranks that are known do not differ.

        Args:
            other: The other shape.

        Raises:
            ValueError: If they do.
        """
        other = TensorShape(other)
        if self.rank is not None and other.rank is not None and self.rank != other.rank:
            raise ValueError(f"Shapes {self} and {other} must have the same rank")

    def assert_has_rank(self, rank: int) -> None:
        """See to it that the rank, if it is known, is this one.

        Args:
            rank: The number of axes.

        Raises:
            ValueError: If it is another one.
        """
        if self.rank not in (None, rank):
            raise ValueError(f"Shape {self} must have rank {rank}")

    def with_rank(self, rank: int) -> TensorShape:
        """This shape, known to have a rank.

        Args:
            rank: The number of axes.

        Returns:
            A TensorShape.

        Raises:
            ValueError: If it has another rank.
        """
        try:
            return self.merge_with([None] * rank)
        except ValueError:
            raise ValueError(f"Shape {self} must have rank {rank}") from None

    def with_rank_at_least(self, rank: int) -> TensorShape:
        """This shape, if its rank is not known to be less.

        Args:
            rank: The least number of axes.

        Returns:
            The same shape.

        Raises:
            ValueError: If its rank is less.
        """
        if self.rank is not None and self.rank < rank:
            raise ValueError(f"Shape {self} must have rank at least {rank}")
        return self

    def with_rank_at_most(self, rank: int) -> TensorShape:
        """This shape, if its rank is not known to be more.

        Args:
            rank: The largest number of axes.

        Returns:
            The same shape.

        Raises:
            ValueError: If its rank is more.
        """
        if self.rank is not None and self.rank > rank:
            raise ValueError(f"Shape {self} must have rank at most {rank}")
        return self

    # As a sequence.

    def __len__(self) -> int:
        if self._dims is None:
            raise ValueError("Cannot take the length of shape with unknown rank.")
        return len(self._dims)

    def __bool__(self) -> bool:
        return self._dims is not None  # as in TensorFlow: true for a scalar's shape too

    def __iter__(self) -> Iterator[Any]:
        if self._dims is None:
            raise ValueError("Cannot iterate over a shape with unknown rank.")
        if TensorShape.of_dimensions and _for_a_program():
            return iter([Dimension(d) for d in self._dims])
        return iter(self._dims)

    @overload
    def __getitem__(self, key: SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> TensorShape: ...
    def __getitem__(self, key: SupportsIndex | slice) -> Any:
        if not isinstance(key, slice):
            found = None if self._dims is None else self._dims[key]
            if TensorShape.of_dimensions and _for_a_program():
                return Dimension(found)
            return found
        if self._extents is not None:
            return TensorShape(self._extents[key])
        if key.step is not None:
            raise ValueError("Steps are not yet handled")
        start, stop = key.start or 0, key.stop
        if stop is None or start < 0 or stop < 0:
            return TensorShape(None)
        return TensorShape([None] * max(stop - start, 0))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, tuple):  # by far the commonest, and cheap
            return self._dims == other
        if isinstance(other, str):
            return NotImplemented
        try:
            return self._dims == TensorShape(other)._dims
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash(self._dims)

    def __repr__(self) -> str:
        return f"TensorShape({None if self._dims is None else list(self._dims)})"

    def __str__(self) -> str:
        if self._dims is not None and TensorShape.of_dimensions:
            return str(self._dims).replace("None", "?")
        return "<unknown>" if self._dims is None else str(self._dims)

    def __reduce__(self) -> tuple[Any, ...]:
        return TensorShape, (self._dims,)

    if not TYPE_CHECKING:

        @property
        def __class__(self) -> type:
            """`isinstance(shape, tuple)` holds, which the array API standard asks for. It is no
            tuple for `%`, so that "%s" % shape is its text, as programs for TensorFlow have it."""
            return tuple if TensorShape.as_tuple and self._dims is not None else TensorShape

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return self.__reduce__()


def as_shape(value: Any) -> TensorShape:
    """`value` if it is a `TensorShape`, else one made of it."""
    return value if isinstance(value, TensorShape) else TensorShape(value)


def _dimension(value: Any) -> int | Expr | None:
    """An extent from what a user may give for one."""
    if value is None or isinstance(value, Expr):
        return value
    if isinstance(value, Dimension):
        return value.value
    try:
        dim = operator.index(value)
    except TypeError:
        raise TypeError(
            "Dimension value must be integer or None or have an __index__ method, "
            f"got value '{value!r}' with type '{type(value)!r}'"
        ) from None
    if dim < 0:
        raise ValueError(f"Dimension {dim} must be >= 0")
    return dim


def _no_shape(dims: Any, items: tuple[Any, ...], error: TypeError) -> str:
    """What is said of what is no shape: by the first extent that is none."""
    for item in items:
        try:
            _dimension(item)
        except TypeError:
            return (
                f"Failed to convert '{dims!r}' to a shape: '{item!r}' could not be converted to a "
                "dimension. A shape should either be single dimension (e.g. 10), or an iterable "
                f"of dimensions (e.g. [1, 10, None]). {error}"
            )
        except ValueError:
            break
    return str(error)


def _visible(extents: Dimensions) -> tuple[Known, ...]:
    """The extents with None in place of symbolic ones; the same tuple if there are none."""
    for extent in extents:
        if isinstance(extent, Expr):
            return tuple([None if isinstance(e, Expr) else e for e in extents])
    return extents  # type: ignore[return-value]


def _better_known(a: int | Expr | None, b: int | Expr | None) -> int | Expr | None:
    """The one of two compatible extents that says more: an int, a symbol, None."""
    if isinstance(a, int) or b is None:
        return a
    return b if isinstance(b, int) or a is None else a
