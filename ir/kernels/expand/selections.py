"""Elementwise ops that are comparisons and selections, exact for all dtypes."""

from __future__ import annotations

from .scalar import Scalar, select


def maximum(x: Scalar, y: Scalar) -> Scalar:
    """The larger; nan if either is."""
    return _unless_nan(x, select(y < x, x, y))


def minimum(x: Scalar, y: Scalar) -> Scalar:
    """The smaller; nan if either is."""
    return _unless_nan(x, select(x < y, x, y))


def _unless_nan(x: Scalar, chosen: Scalar) -> Scalar:
    """What a comparison with x chose, which is one instruction of processors; x where it is nan."""
    return select(x.ne(x), x, chosen) if x.is_floating else chosen


def relu(x: Scalar) -> Scalar:
    """max(x, 0); nan stays nan."""
    return select(x <= 0, 0, x)


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1; zeros and nan stay as they are."""
    negative = x if x.is_unsigned else select(x < 0, -1, x)
    return select(x > 0, 1, negative)


def abs(x: Scalar) -> Scalar | None:
    """|x| of integers; machines have that of floats."""
    if x.is_floating:
        return None
    return x if x.is_unsigned else select(x < 0, -x, x)


def is_nan(x: Scalar) -> Scalar:
    """x is not itself."""
    return x.ne(x)


def logical_not(x: Scalar) -> Scalar:
    """The other truth value."""
    return ~x


def floor_div(x: Scalar, y: Scalar) -> Scalar | None:
    """floor(x / y) of floats; machines have that of integers."""
    return (x / y).floor() if x.is_floating else None
