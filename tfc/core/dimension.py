"""`Dimension`: an extent as TensorFlow 1 has it, which may be unknown."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any


class Dimension:
    """An extent that may be unknown: what is computed of such a one is unknown, and a comparison
    with it is None.

    Args:
        value: An integer, another Dimension, or None.

    Raises:
        TypeError: If it is none of these.
        ValueError: If it is negative.

    >>> import tfc.compat.v1 as tf
    >>> tf.Dimension(3) + 2, tf.Dimension(3) + tf.Dimension(None)
    (Dimension(5), Dimension(None))
    """

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]  # as in TensorFlow: == may be None

    def __init__(self, value: Any) -> None:
        if isinstance(value, Dimension):
            value = value._value
        if value is not None:
            try:
                value = operator.index(value)
            except TypeError:
                raise TypeError(
                    "Dimension value must be integer or None or have an __index__ method, "
                    f"got value '{value!r}' with type '{type(value)!r}'"
                ) from None
            if value < 0:
                raise ValueError(f"Dimension {value} must be >= 0")
        self._value: int | None = value

    @property
    def value(self) -> int | None:
        """The extent; None where it is unknown."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Whether both may be the same extent."""
        other = Dimension(other)
        return self._value is None or other._value is None or self._value == other._value

    def assert_is_compatible_with(self, other: Any) -> None:
        """ValueError unless both may be the same extent."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {Dimension(other)} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """What is known from both together; ValueError where they contradict each other."""
        self.assert_is_compatible_with(other)
        return Dimension(other) if self._value is None else self

    def __index__(self) -> int:
        if self._value is None:
            raise TypeError("__int__ returned non-int (type NoneType): the Dimension is unknown")
        return self._value

    __int__ = __index__

    def __repr__(self) -> str:
        return f"Dimension({self._value})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __reduce__(self) -> tuple[Any, ...]:
        return Dimension, (self._value,)

    def _with(self, other: Any, function: Callable[[int, int], Any]) -> Any:
        """A function of both extents: None where one is unknown, NotImplemented where the other
        one is none."""
        try:
            other = Dimension(other)
        except (TypeError, ValueError):
            return NotImplemented
        if self._value is None or other._value is None:
            return None
        return function(self._value, other._value)

    def _extent(self, other: Any, function: Callable[[int, int], int]) -> Any:
        found = self._with(other, function)
        return found if found is NotImplemented else Dimension(found)

    def __add__(self, other: Any) -> Any:
        return self._extent(other, lambda x, y: x + y)

    def __sub__(self, other: Any) -> Any:
        return self._extent(other, lambda x, y: x - y)

    def __rsub__(self, other: Any) -> Any:
        return self._extent(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> Any:
        return self._extent(other, lambda x, y: x * y)

    def __floordiv__(self, other: Any) -> Any:
        return self._extent(other, lambda x, y: x // y)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._extent(other, lambda x, y: y // x)

    def __mod__(self, other: Any) -> Any:
        return self._extent(other, lambda x, y: x % y)

    def __rmod__(self, other: Any) -> Any:
        return self._extent(other, lambda x, y: y % x)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __truediv__(self, other: Any) -> Any:
        kinds = f"'Dimension' and '{type(other).__name__}'"
        raise TypeError(f"unsupported operand type(s) for /: {kinds}, please use // instead")

    def __rtruediv__(self, other: Any) -> Any:
        kinds = f"'{type(other).__name__}' and 'Dimension'"
        raise TypeError(f"unsupported operand type(s) for /: {kinds}, please use // instead")

    __radd__, __rmul__ = __add__, __mul__

    # None where an extent is unknown.

    def __eq__(self, other: object) -> Any:
        return self._with(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._with(other, operator.ne)

    def __lt__(self, other: Any) -> Any:
        return self._with(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._with(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._with(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._with(other, operator.ge)
