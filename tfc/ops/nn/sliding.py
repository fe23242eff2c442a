"""What convolutions and pooling share: data formats, strides, dilations and padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.extent import Expr, Extent, ceildiv, floordiv, positive, product, remainder

from ...core import blame
from ...core.formatting import shown
from ..arguments import attribute
from ..extents import _integer, _require

FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}

# What TensorFlow checks in Python, of any number of axes, before an op of its runtime does.
_OF_ANY_RANK = ("atrous_conv2d", "atrous_conv2d_transpose", "convolution", "pool")

# A number for all spatial axes, one for each of them, or one for each axis, batch and channels too.
PerAxis: TypeAlias = SupportsIndex | Sequence[SupportsIndex]

# "SAME", "VALID", or a pair (before, after) for each axis.
Padding: TypeAlias = str | Sequence[Sequence[SupportsIndex]]


class Slide(NamedTuple):
    """How a window slides over the spatial axes: hashable, a static argument of primitives."""

    window: tuple[Extent, ...]  # taps
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    low: tuple[Extent, ...]  # padding before
    high: tuple[Extent, ...] | None  # padding behind; None: as many places as SAME has
    channels_first: bool

    def sizes(self, extents: Sequence[Extent]) -> tuple[Extent, ...]:
        """How many places the window has along each axis."""
        if self.high is None:
            return tuple(ceildiv(n, s) for n, s in zip(extents, self.strides, strict=True))
        rows = zip(
            extents, self.window, self.strides, self.dilations, self.low, self.high, strict=True
        )
        return tuple(
            floordiv(n + lo + hi - ((k - 1) * d + 1), s) + 1 for n, k, s, d, lo, hi in rows
        )


def channels_first(data_format: Any, axes: int, name: str) -> bool:
    """Whether the channels stand before the spatial axes."""
    if data_format is None:
        return False
    last, first = FORMATS[axes]
    if axes > 1 and name not in _OF_ANY_RANK:
        return attribute(data_format, (last, first), "data_format", name) == first
    if not isinstance(data_format, str) or data_format not in (last, first):
        raise blame.value_error(
            f"data_format must be {last!r} or {first!r}, got {data_format!r}", name
        )
    return bool(data_format == first)


def numbers(value: Any, axes: int, first: bool, what: str, name: str) -> tuple[int, ...]:
    """One number an axis, of an int, a list of them, or one with batch and channels (then 1)."""
    if value is None:
        return (1,) * axes
    given = [value] if not isinstance(value, list | tuple) else list(value)
    found = tuple(_integer(v, what, name) for v in given)
    if len(found) == axes + 2:
        channel = found[1] if first else found[-1]
        if found[0] != 1 or channel != 1:
            refused = blame.invalid if what == "dilations" and "conv" in name else None
            raise (refused or blame.unimplemented)(
                f"Current implementation does not yet support {what} in the batch and depth "
                f"dimensions, got {value}",
                name,
            )
        found = found[2:] if first else found[1:-1]
    elif len(found) == 1:
        found = found * axes
    if len(found) != axes:
        raise blame.value_error(
            f"{what} should be of length 1, {axes} or {axes + 2}. Received: {what}={value} of "
            f"length {len(found)}",
            name,
        )
    least = min(found, default=1)
    if least < 1:
        words = {
            "strides": f"Stride must be > 0, but got {least}",
            "dilations": "Dilated rates should be larger than 0",
            "ksize": f"Sliding window ksize must be positive. The specified ksize is {least}",
        }.get(what, f"{what} must be positive")
        if name == "pool" or (name in _OF_ANY_RANK and what == "dilations"):
            raise blame.value_error(f"all values of `{what}` must be positive, got {value}", name)
        raise blame.invalid(f"{words}: {what}={value}", name)
    return found


def need_axes(axes: int, shape: Sequence[Extent], name: str) -> None:
    """That an input has a batch, so many spatial axes and channels."""
    if len(shape) < axes + 2:
        one = len(shape) == axes + 1
        hint = ": one image or signal is a batch, too, x[tf.newaxis]" if one else ""
        have = ",".join(map(str, shape))
        raise blame.invalid(f"input must be {axes + 2}-dimensional[{have}]{hint}", name)


def slide(
    extents: Sequence[Extent],
    window: Sequence[Extent],
    strides: tuple[int, ...],
    dilations: tuple[int, ...],
    padding: Any,
    first: bool,
    name: str,
) -> Slide:
    """The slide of a window over `extents`; `padding` is "SAME", "VALID" or pairs for all axes,
    batch and channels included."""
    axes = len(strides)
    dilations = tuple(1 if k == 1 else d for k, d in zip(window, dilations, strict=True))
    spread = [(k - 1) * d + 1 for k, d in zip(window, dilations, strict=True)]
    if any(
        isinstance(s, int) and s >= 2**62 and d != 1 for s, d in zip(spread, dilations, strict=True)
    ):
        raise blame.value_error(f"dilations are too large, got {shown(dilations)}", name)
    low: tuple[Extent, ...]
    high: tuple[Extent, ...] | None
    if isinstance(padding, str) and padding.upper() == "SAME":
        low = tuple(_same(*row) for row in zip(extents, spread, strides, strict=True))
        high = None
    elif isinstance(padding, str) and padding.upper() == "VALID":
        low = high = (0,) * axes
    elif isinstance(padding, list | tuple):
        for i, pair in enumerate(padding):
            if not isinstance(pair, list | tuple | np.ndarray) or len(pair) != 2:
                raise blame.value_error(
                    "When `padding` is a list, each element of `padding` must be a list/tuple of "
                    f"size 2. Received: padding={padding} with element at index {i} of type "
                    f"{type(pair)}",
                    name,
                )
        pairs = [tuple(_integer(v, "a padding", name) for v in pair) for pair in padding]
        if len(pairs) == axes + 2:
            others = (pairs[0], pairs[1] if first else pairs[-1])
            if others != ((0, 0), (0, 0)):
                raise blame.value_error("batch and channels cannot be padded", name)
            pairs = pairs[2:] if first else pairs[1:-1]
        if len(pairs) != axes or any(len(p) != 2 or min(p) < 0 for p in pairs):
            raise blame.value_error(
                f"When padding is a list, it must be of size {axes + 2}: explicit paddings need a "
                f"pair of numbers >= 0 for each axis, got {padding}",
                name,
            )
        low, high = (tuple(p[i] for p in pairs) for i in (0, 1))
    elif isinstance(padding, str | bytes):
        if name.startswith("atrous"):
            raise blame.value_error(
                f"`padding` must be one of 'SAME' or 'VALID'. Received: padding={padding!r}", name
            )
        words = ("SAME", "VALID") if axes == 3 else ("SAME", "VALID", "EXPLICIT")
        attribute(padding, words, "padding", name)
        raise blame.value_error(
            "'EXPLICIT' is not a valid value for `padding`. To use explicit padding, `padding` "
            "must be a list.",
            name,
        )
    else:
        raise blame.type_error(
            f"Expected string for argument 'padding' not {padding!r}: it is 'SAME', 'VALID' or a "
            "list of pairs",
            name,
        )
    # A stride beyond the end is one place, whatever it is.
    ends = ((0,) * axes,) * 2 if high is None else (low, high)
    strides = tuple(
        min(s, max(padded, 1)) if isinstance(padded, int) else s
        for s, padded in zip(strides, map(sum, zip(extents, *ends, strict=True)), strict=True)
    )
    result = Slide(tuple(window), strides, dilations, low, high, first)
    for size in result.sizes(extents):
        if isinstance(size, int) and size < 0:
            raise blame.invalid(
                f"Computed output size would be negative: {size} "
                f"(input extents {list(extents)}, window {list(window)})",
                name,
            )
        _require(size)
    return result


def _same(extent: Extent, spread: Extent, stride: int) -> Extent:
    """SAME's padding before: half of max((ceil(n / stride) - 1) * stride + spread - n, 0)."""
    # (ceil(n/s) - 1)*s - n = -1 - (n - 1) % s
    last = remainder(extent - 1, stride) if stride > 1 else 0
    total = spread - 1 - last
    return floordiv(positive(total), 2)


def joined_batch(x: Value, axes: int) -> tuple[Extent, ...]:
    """The leading axes of x, all but the spatial ones and the channels."""
    shape: tuple[Extent, ...] = x.shape[: x.rank - axes - 1]
    return shape


def channels_last(b: Builder, x: Value, axes: int, first: bool) -> Value:
    """x as [N, spatial..., C]."""
    shape = (product(joined_batch(x, axes)), *x.shape[x.rank - axes - 1 :])
    if shape != x.shape:
        x = b.emit(ir.Reshape(x, shape))
    if first and axes:
        x = b.emit(ir.Transpose(x, (0, *range(2, axes + 2), 1)))
    return x


def as_given(b: Builder, y: Value, batch: Sequence[Extent], first: bool) -> Value:
    """The inverse of `channels_last`."""
    axes = y.rank - 2
    if first and axes:
        y = b.emit(ir.Transpose(y, (0, axes + 1, *range(1, axes + 1))))
    shape = (*batch, *y.shape[1:])
    return y if shape == y.shape else b.emit(ir.Reshape(y, shape))


def agreed(b: Builder, x: Value, axis: int, extent: Extent, problem: str) -> Value:
    """x, whose extent along `axis` is `extent`, as far as can be told."""
    have = x.shape[axis]
    if have == extent:
        return x
    unify = getattr(b, "unify", None)
    if isinstance(have, int) and isinstance(extent, int):
        raise OpError(problem)
    if unify is not None and not unify(have, extent):
        raise OpError(problem)
    shape = (*x.shape[:axis], extent, *x.shape[axis + 1 :])
    return b.emit(ir.Reshape(x, shape))


def known(*extents: Extent) -> bool:
    """Whether all are numbers."""
    return not any(isinstance(e, Expr) for e in extents)
