"""Where cotangents are strong zeros: what the branch of a `select` that was not taken contributes.

A mask is a list of conditions that must hold where a cotangent is to count; none is the mask of one
that counts everywhere. At the border of a region a mask is one value of bools, which goes in and
comes out as cotangents do. There a branch that is not taken, and a loop of no rounds, give what
they do not touch a strong zero, since the same ops outside of regions would give it nothing.
"""

from __future__ import annotations

from ..algebra import Term
from ..core import Builder, Value
from ..dtypes import bool_
from ..ops.control import Mask
from ..ops.elementwise import Select
from ..ops.shape import Broadcast
from ..types import TensorType


def with_mask(b: Builder, cotangent: Value, mask: Mask) -> Value:
    """The cotangent where all conditions hold, else zero: 0 * inf in a branch that was not
    taken is 0."""
    for condition, chosen in mask:
        zero = filled(b, cotangent, 0)
        x, y = (cotangent, zero) if chosen else (zero, cotangent)
        cotangent = b.emit(Select(condition, x, y))
    return cotangent


def filled(b: Builder, value: Value, number: float) -> Value:
    """`number` in every element of the type of `value`."""
    scalar: Value = b.constant(number, value.dtype)
    return spread(b, scalar, value)


def spread(b: Builder, scalar: Value, like: Value) -> Value:
    """A scalar in every element of the shape of `like`."""
    return b.emit(Broadcast(scalar, like.shape, ())) if like.shape else scalar


def everywhere(b: Builder, like: Value, flag: bool) -> Value:
    """One bool in every element of the shape of `like`."""
    return spread(b, b.constant(flag, bool_), like)


def joined(b: Builder, mask: Mask, like: Value) -> Value:
    """A mask as one value of bools."""
    terms = [Term(b, v) if chosen else Term(b, v).logical_not() for v, chosen in mask]
    if not terms:
        return everywhere(b, like, True)
    total = terms[0]
    for term in terms[1:]:
        total = total & term
    return total.value


def chosen_mask(b: Builder, scalar: Value, holds: bool, like: Value) -> Mask:
    """The mask that is one bool scalar everywhere: where it `holds`, or where it does not."""
    return ((spread(b, scalar, like), holds),)


def either(b: Builder, x: Mask | None, y: Mask, like: Value) -> Mask:
    """The mask of a sum: where one of its terms counts. None is the mask of one not yet there."""
    if x is None or x == y:
        return y
    if not x or not y:
        return ()
    if x[:-1] == y[:-1] and x[-1][0] is y[-1][0]:  # where a condition holds, and where it does not
        return x[:-1]
    return (((Term(b, joined(b, x, like)) | Term(b, joined(b, y, like))).value, True),)


def mask_type(value: Value) -> TensorType:
    """The type of the mask of a value's cotangent."""
    return TensorType(bool_, value.shape)
