"""Channel-major feature maps: what a convolution with few results a group reads (see
few_channels.py).

    for each row of the feature maps, in a row band:
        zeros, where it lies in the halo; else for all channels:
            zeros; the row of the operand, transposed in registers; zeros

The operand, or a row band of it, is transposed so that each channel is a feature map of its own, as
in NCHW, with a halo of zeros. So place (y, x) and tap (ky, kx) meet at the sum of two numbers:

    map[c][(y + ky) * width + x + kx] = map[c][(y * width + x) + (ky * width + kx)]

Places are counted through the feature maps, their halo too. It costs an in-register transpose of
all that is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from ....core import Value
from ....dtypes import DType
from ....element_builder import Index
from ....extent import as_int, largest
from ....kernel_op import LoopKind
from ....ops.window import Conv
from ....value_classes import dataclass
from ...common.stride_phases import PhasedAxis
from ...ops import TransposeTile
from ...target import Target
from ...writer import Writer

# Rows of a band over those of a window: less of it would be a copy of other bands' rows. Not
# measured: bands of the benchmarks are cut by what L2 holds.
BAND_WINDOW_HEIGHTS_MIN = 4


@dataclass(frozen=True)
class FeatureMaps:
    """Where things are in the feature maps of a band, by axes that the window slides along."""

    channels: int
    places: list[int]  # of a phase, in a band: first its rows
    low: list[int]  # the halo before
    reach: list[int]  # of a feature map
    steps: list[int]  # from one place to the next
    count: int  # places from the first to the last, with the halo between them
    stride: int = 0  # between feature maps


def feature_maps(
    op: Conv, axes: Sequence[PhasedAxis], kept: int, target: Target
) -> FeatureMaps | None:
    """Those of a convolution whose sizes are known, for bands that leave room for `kept` sums of
    each place; None where even a small band is too large."""
    places, low, span = [], [], []  # span: how far behind its own place a place looks
    for axis in axes:
        halo = axis.halo()
        assert halo is not None
        places.append(as_int(axis.places))
        low.append(halo[0])
        span.append(as_int(axis.axis.extent) + sum(halo) - places[-1])
    reach = [p + s for p, s in zip(places, span, strict=True)]
    steps = [prod(reach[a + 1 :]) for a in range(len(reach))]
    channels = as_int(op.x.shape[-1])
    row = steps[0] * op.x.dtype.compute.itemsize
    # A band and its sums stay in half of L2. conv 8x224x224x3 7x7x64 stride 2, gradient of x: 0.99
    # of the time with four times as much; with a quarter no band fits (2.8).
    most = (target.l2 // 2 // row - channels * span[0]) // (channels + kept)
    if most < max(1, min(places[0], span[0])):
        return None
    bands = -(-places[0] // most)
    if isinstance(batch := largest(op.x.shape[0]), int):
        wanted, least = -(-target.tasks // batch), BAND_WINDOW_HEIGHTS_MIN * (span[0] + 1)
        bands = max(bands, min(wanted, places[0] // least))
    band = -(-places[0] // bands)
    places[0], reach[0] = band, band + span[0]
    count = 1 + sum((n - 1) * step for n, step in zip(places, steps, strict=True))
    return FeatureMaps(channels, places, low, reach, steps, count)


def map_stride(size: int, count: int, width: int, dtype: DType, target: Target) -> int:
    """How many elements apart so many feature maps of at least `size` elements should lie, that the
    lines of `width` elements of each share few places of the L1 cache."""
    # conv 128x28x28x1 5x5x32, gradient of x: 1.29 of the time with any odd number of lines.
    line, sets = target.line // dtype.itemsize, target.l1_sets
    least, lines = -(-size // line), width // line + 1

    def shared(distance: int) -> int:
        places = [0] * sets
        for channel in range(min(count, sets)):
            for i in range(lines):
                places[(channel * distance + i) % sets] += 1
        return max(places)

    return min(range(least, least + 2 * lines), key=shared) * line


class FeatureMapWriter:
    """Writes the feature maps of a band."""

    def __init__(
        self, t: Writer, op: Conv, axes: Sequence[PhasedAxis], of: FeatureMaps, lanes: int
    ) -> None:
        self.t, self.op, self.axes, self.of, self.lanes = t, op, axes, of, lanes
        x, compute = op.x, op.x.dtype.compute
        lies = t.lower.in_memory(x) and x.dtype is compute and len(axes) > 1
        large = lanes <= 16 and all(as_int(e) >= lanes for e in x.shape[-2:])
        # Channels that are transposed in registers, tile by tile.
        self.transposed = of.channels // lanes * lanes if lies and large else 0
        self.zero = t.lower.b.constant(0, compute)
        self.memory: Value  # the feature maps
        if self.transposed:
            self.source = t.lower.buffer(x)

    def write(self, memory: Value, n: Value, first: Value) -> None:
        """The feature maps of a band, whose first place along the first axis is given."""
        t, lower, of = self.t, self.t.lower, self.of
        self.memory = memory
        rows = tuple(of.reach[:-1])

        def row(number: Value) -> None:
            to = (t.index(number) * of.reach[-1]).value
            at = [*lower.unlinear(number, rows), t.extent(0)]
            at = [(t.index(i) - low).value for i, low in zip(at, of.low, strict=True)]
            at[0] = (t.index(at[0]) + first).value
            *outer, begin = at
            seen = t.all_between(outer, [axis.axis.extent for axis in self.axes[:-1]])
            t.when(seen, lambda: self.row(to, (n, *outer), begin))
            if seen is not None:
                t.when(~t.index(seen), lambda: self.clear(to, t.extent(0), t.extent(of.reach[-1])))

        lower.loop(t.extent(0), t.extent(prod(rows)), row)
        # What lies behind is read for places that are nobody's.
        self.clear(t.extent(0), t.extent(prod(of.reach)), t.extent(of.stride))

    def clear(self, to: Value, low: Value, high: Value) -> None:
        """Zeros, from `low` to `high` in a row of every feature map."""
        t, lower = self.t, self.t.lower

        def channel(c: Value) -> None:
            place = (t.index(to) + t.index(c) * self.of.stride).value
            t.clear(self.memory, place, low, high, self.zero)

        lower.loop(t.extent(0), t.extent(self.of.channels), channel)

    def row(self, to: Value, outer: Index, begin: Value) -> None:
        """A row of every feature map, which begins at a place of the operand's last axis."""
        t, lower, of, lanes = self.t, self.t.lower, self.of, self.lanes
        zero, end = t.extent(0), t.extent(of.reach[-1])
        extent = t.extent(self.axes[-1].axis.extent)
        low = (t.index(0) - begin).maximum(0).minimum(end).value
        high = (t.index(extent) - begin).minimum(end).maximum(low).value
        self.clear(to, zero, low)
        self.clear(to, high, end)

        def tile(x: Value, c: Value) -> None:
            # The last one covers a part of that before.
            x = t.index(x).minimum(t.index(high) - lanes).value
            at = lower.linear((*outer, (t.index(begin) + x).value, c), self.op.x.shape)
            place = (t.index(to) + (t.index(c) * of.stride + x)).value
            source, target = (self.source, at, t.extent(of.channels)), (self.memory, place)
            turn = TransposeTile(*source, *target, t.extent(of.stride), None, lanes, False)
            lower.b.emit_all(turn)

        def across(x: Value) -> None:
            lower.loop(zero, t.extent(self.transposed), partial(tile, x), step=lanes)

        def channel(c: Value) -> None:
            place = (t.index(to) + t.index(c) * of.stride).value

            def element(x: Value) -> None:
                value = lower.element(self.op.x, (*outer, (t.index(begin) + x).value, c))
                value, at = lower.cast(value, self.zero.dtype), (t.index(place) + x).value
                lower.store(self.memory, at, value)

            lower.loop(low, high, element, LoopKind.VECTOR)

        if self.transposed:
            lower.loop(low, high, across, step=lanes)
        lower.loop(t.extent(self.transposed), t.extent(of.channels), channel)
