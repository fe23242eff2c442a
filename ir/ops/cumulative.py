"""Cumulative ops: what an element is depends on those before it along one axis.

The order is fixed, from the first element to the last or back, so bits depend on the shape alone.
float16 and bfloat16 are carried in float32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from ..algebra import Term, where
from ..core import Builder, Value
from ..element_builder import Index, ScheduleBuilder
from ..types import TensorType
from .elementwise import Abs
from .scheduled import Scheduled
from .shape import Broadcast, Concat, Slice
from .transcendental import Exp, Log1p


def shift(b: Builder, x: Value, axis: int, reverse: bool, fill: float) -> Value:
    """x moved on by one place along `axis` (back in reverse), with `fill` in the place set free."""
    one = tuple(1 if a == axis else e for a, e in enumerate(x.shape))
    edge = b.emit(Broadcast(b.constant(fill, x.dtype), one, ()))
    longer = b.emit(Concat((x, edge) if reverse else (edge, x), axis))
    begin = tuple(int(reverse) if a == axis else 0 for a in range(x.rank))
    return b.emit(Slice(longer, begin, x.shape, (1,) * x.rank))


def scanned(op: Any) -> TensorType:
    """The result of a scan: as the operand; an error where the axis or dtype does not fit."""
    x = op.operands[0]
    if x.dtype.kind not in op.kinds:
        raise op.error(f"not defined for dtype {x.dtype.name}", "dtype")
    if not 0 <= op.axis < x.rank:
        raise op.error(f"no axis {op.axis}", "value")
    result: TensorType = x.type
    return result


def reference(op: Any, forwards: Callable[..., np.ndarray], *operands: np.ndarray) -> np.ndarray:
    """A scan in NumPy, from `forwards` on operands of the dtype that is carried."""
    dtype = op.operands[0].dtype
    wide = [v.astype(dtype.compute.numpy) for v in operands]
    if not op.reverse:
        return forwards(*wide).astype(dtype.numpy)
    return np.flip(forwards(*(np.flip(v, op.axis) for v in wide)), op.axis).astype(dtype.numpy)


def scan(
    lower: ScheduleBuilder,
    op: Any,
    out: Value,
    initial: float,
    step: Callable[..., Term],
    wide: bool = False,
) -> None:
    """The kernel: a serial loop along the axis that carries step(carried, *elements), which is
    the result; the other axes are around it, the last one in the lanes.

    Where the last axis is scanned, rows lie side by side in the lanes if a step costs so much
    that it is worth loads far apart (`wide`); else they come one after another.
    """
    shape, axis, dtype = op.result.shape, op.axis, op.result.dtype
    others = (*shape[:axis], *shape[axis + 1 :])
    count = lower.extent(shape[axis])

    def line(index: Index) -> None:
        def element(i: Value, carried: tuple[Value, ...]) -> Sequence[Value]:
            place = (Term(lower.b, count) - 1 - Term(lower.b, i)).value if op.reverse else i
            here = (*index[:axis], place, *index[axis:])
            elements = [lower.cast(lower.element(v, here), dtype.compute) for v in op.operands]
            terms = [Term(lower.b, v) for v in (*carried, *elements)]
            result = step(*terms).value
            lower.store(out, lower.linear(here, shape), lower.cast(result, dtype))
            return (result,)

        start = lower.b.constant(initial, dtype.compute)
        lower.carry(lower.extent(0), count, (start,), element)

    one_by_one = axis == len(others) and not wide
    lower.spread(others, line, serial=len(others) if one_by_one else 0)


class Cumulative(Scheduled, abstract=True):
    """The base: combines the elements so far along `axis`, from the last on in `reverse`."""

    kinds: ClassVar[str] = "iufc"
    initial: ClassVar[float] = 0
    wide: ClassVar[bool] = False  # see `scan`

    x: Value
    axis: int
    reverse: bool

    @property
    def start(self) -> float:
        """What is carried before the first element."""
        return self.initial

    def infer(self) -> TensorType:
        return scanned(self)

    def numpy(self, x: np.ndarray) -> np.ndarray:
        return reference(self, self.forwards, x)

    def forwards(self, x: np.ndarray) -> np.ndarray:
        """The scan from the first element on, in NumPy."""
        raise NotImplementedError

    def step(self, carried: Term, x: Term) -> Term:
        """The next value to carry."""
        raise NotImplementedError

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        scan(lower, self, out, self.start, self.step, self.wide)


class CumSum(Cumulative):
    """The sums of the elements so far."""

    initial = -0.0  # a zero keeps its sign

    def forwards(self, x: np.ndarray) -> np.ndarray:
        return np.cumsum(x, self.axis, x.dtype)

    def step(self, carried: Term, x: Term) -> Term:
        return carried + x

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (b.emit(CumSum(dy, self.axis, not self.reverse)),)


class CumProd(Cumulative):
    """The products of the elements so far."""

    initial = 1

    def forwards(self, x: np.ndarray) -> np.ndarray:
        return np.cumprod(x, self.axis, x.dtype)

    def step(self, carried: Term, x: Term) -> Term:
        return carried * x

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # dx[i] = before[i] * (dy[i] + x[i+1]*dy[i+1] + x[i+1]*x[i+2]*dy[i+2] + ...) where before[i]
        # is the product of all that comes before i: nothing is divided, so zeros do no harm.
        before = shift(b, self.result, self.axis, self.reverse, 1)
        following = Term(b, shift(b, self.x, self.axis, not self.reverse, 0)).conj().value
        after = b.emit(Recurrence(following, dy, self.axis, not self.reverse))
        return ((Term(b, before).conj() * Term(b, after)).value,)


class CumExtreme(Cumulative, abstract=True):
    """The base of running maxima and minima; nan from the first one on."""

    kinds = "iuf"
    better: ClassVar[str]  # the op that gives the one of two to carry

    def step(self, carried: Term, x: Term) -> Term:
        return carried._emit(self.better, x)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # What sets a record takes the gradient of all results up to the next one, which sets
        # `held` to 0: dx[i] = dy[i] + held[i+1]*dx[i+1]. Of equals it is the first.
        y = Term(b, self.result)
        before = Term(b, shift(b, y.value, self.axis, self.reverse, np.nan))
        held = where(y._emit("equal", before), y.const(1), y.const(0))
        following = shift(b, held.value, self.axis, not self.reverse, 0)
        after = Term(b, b.emit(Recurrence(following, dy, self.axis, not self.reverse)))
        return (where(held._emit("equal", 0), after, after.const(0)).value,)


class CumMax(CumExtreme):
    """The largest of the elements so far."""

    better = "maximum"

    def forwards(self, x: np.ndarray) -> np.ndarray:
        return np.maximum.accumulate(x, self.axis)

    @property
    def start(self) -> float:
        return -np.inf if self.x.dtype.is_floating else int(self.x.dtype.min)


class CumMin(CumExtreme):
    """The smallest of the elements so far."""

    better = "minimum"

    def forwards(self, x: np.ndarray) -> np.ndarray:
        return np.minimum.accumulate(x, self.axis)

    @property
    def start(self) -> float:
        return np.inf if self.x.dtype.is_floating else int(self.x.dtype.max)


class CumLogSumExp(Cumulative):
    """log(exp(x[0]) + exp(x[1]) + ...) of the elements so far, without overflow."""

    kinds = "f"
    initial = -np.inf
    wide = True

    def forwards(self, x: np.ndarray) -> np.ndarray:
        return np.logaddexp.accumulate(x, self.axis)

    def step(self, carried: Term, x: Term) -> Term:
        # log(exp(a) + exp(b)) = max(a, b) + log1p(exp(-|a - b|)); equals may be infinite
        gap = where(carried.equal(x), x.const(0), carried - x)
        small = _exp(-Term(x.b, x.b.emit(Abs(gap.value))))
        return carried.maximum(x) + Term(x.b, x.b.emit(Log1p(small.value)))

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # dx[i] = exp(x[i] - y[i]) * (dy[i] + exp(y[i] - y[i+1])*dy[i+1] + ...): no exponent is
        # above 0. Where only -inf was met, nothing flows back.
        x, y = Term(b, self.x), Term(b, self.result)
        following = Term(b, shift(b, y.value, self.axis, not self.reverse, np.inf))
        ratio = _exp(where(y <= -np.inf, y.const(0), y - following))
        after = b.emit(Recurrence(ratio.value, dy, self.axis, not self.reverse))
        empty = x <= -np.inf
        share = where(empty, x.const(0), _exp(where(empty, x.const(0), x - y)))
        return ((share * Term(b, after)).value,)


def _exp(x: Term) -> Term:
    return Term(x.b, x.b.emit(Exp(x.value)))


class Recurrence(Scheduled):
    """y[i] = x[i] * y[i-1] + z[i] along `axis`, from y[-1] = 0. Where x[i] is 0 nothing that came
    before counts, be it infinite or nan."""

    kinds: ClassVar[str] = "fc"
    start: ClassVar[float] = 0

    x: Value
    z: Value
    axis: int
    reverse: bool

    def infer(self) -> TensorType:
        if self.z.type != self.x.type:
            raise self.error("operands must have the same dtype and shape")
        return scanned(self)

    def numpy(self, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        return reference(self, self.forwards, x, z)

    def forwards(self, x: np.ndarray, z: np.ndarray) -> np.ndarray:
        """The scan from the first element on, in NumPy."""
        factors, terms = (np.moveaxis(v, self.axis, 0) for v in (x, z))
        result, last = np.empty_like(terms), np.zeros(terms.shape[1:], terms.dtype)
        for i, (factor, term) in enumerate(zip(factors, terms, strict=True)):
            last = result[i] = np.where(factor == 0, term, factor * last + term)
        return np.moveaxis(result, 0, self.axis)

    def step(self, carried: Term, factor: Term, term: Term) -> Term:
        """The next value to carry."""
        return where(factor.equal(0), term, factor * carried + term)

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (out,) = buffers
        scan(lower, self, out, self.start, self.step)

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        # dz[i] = dy[i] + x[i+1]*dz[i+1], dx[i] = dz[i]*y[i-1]
        following = Term(b, shift(b, self.x, self.axis, not self.reverse, 0)).conj()
        dz = b.emit(Recurrence(following.value, dy, self.axis, not self.reverse))
        before = Term(b, shift(b, self.result, self.axis, self.reverse, 0)).conj()
        return (Term(b, dz) * before).value, dz
