"""Distances from exact results, in units in the last place.

An ulp is the distance of the numbers of the dtype around the exact result, which among the
denormals is that of all denormals. Infinities, nan and the sign of zero must be right: where one is
wrong the error is infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np

Compute = Callable[..., Any]

_EXPONENT = 0x7FF << 52  # the bits of a float64's exponent
_SUSPECT = 1e6  # ulp; above it, and where the result is zero, specials are looked at


@dataclass(frozen=True)
class Format:
    """What the numbers of a dtype look like, and the wider one in which exact results come."""

    dtype: Any
    fraction: int  # bits after the leading one
    lowest: int  # the exponent of the smallest normal number
    overflow: int  # the exponent of the first power of two that is none
    exact: Any


FORMATS = {
    np.dtype(f.dtype): f
    for f in (
        Format(np.float16, 10, -14, 16, np.float64),
        Format(ml_dtypes.bfloat16, 7, -126, 128, np.float64),
        Format(np.float32, 23, -126, 128, np.float64),
        Format(np.float64, 52, -1022, 1024, np.longdouble),
    )
}


def _power(x: np.ndarray) -> np.ndarray:
    """The power of two that is at most x > 0."""
    if x.dtype == np.float64:
        return (x.view(np.int64) & _EXPONENT).view(np.float64)
    result: np.ndarray = np.ldexp(x.dtype.type(1), np.frexp(x)[1] - 1)
    return result


def ulps(got: np.ndarray, exact: np.ndarray, scale: np.ndarray | None = None) -> np.ndarray:
    """The distance of results from exact ones, in ulp of these, or of `scale` where that is
    larger."""
    form, one = FORMATS[got.dtype], exact.dtype.type(1)
    with np.errstate(all="ignore"):
        size = np.abs(exact)
        unit = _power(size if scale is None else np.maximum(size, scale))
        unit *= np.ldexp(one, -form.fraction)
        np.maximum(unit, np.ldexp(one, form.lowest - form.fraction), out=unit)
        error: np.ndarray = got - exact
        np.abs(error, out=error)
        error /= unit
        special = ~(error < _SUSPECT) | (got == 0)
        if special.any():
            error[special] = _special_ulps(
                got[special].astype(exact.dtype), exact[special], error[special], form
            )
    return error


def _special_ulps(
    got: np.ndarray, exact: np.ndarray, error: np.ndarray, form: Format
) -> np.ndarray:
    """The same where one of them is nan, zero, or too large for the dtype."""
    overflow, size = np.ldexp(exact.dtype.type(1), form.overflow), np.abs(exact)
    same_sign = np.signbit(got) == np.signbit(exact)
    infinite = np.isinf(got) & same_sign & ~np.isnan(exact)
    right = (np.isnan(got) & np.isnan(exact)) | (infinite & (size >= overflow))
    early = (overflow - size) / np.ldexp(overflow, -form.fraction - 1)  # inf is next to max
    finite = np.isfinite(got) & (size < overflow) & (same_sign | ((got != 0) & (exact != 0)))
    return np.where(right, 0.0, np.where(infinite, early, np.where(finite, error, np.inf)))


def normal(x: np.ndarray) -> np.ndarray:
    """Whether numbers are neither zero, denormal, infinite nor nan in float32 (or x's dtype)."""
    form = FORMATS.get(x.dtype, FORMATS[np.dtype(np.float32)])
    size = np.abs(x.astype(form.exact))
    one = form.exact(1)
    return (size >= np.ldexp(one, form.lowest)) & (size < np.ldexp(one, form.overflow))


@dataclass
class Worst:
    """The largest error so far, and where it is; `normal` leaves out operands and results that are
    zero, denormal, infinite or nan."""

    error: float = -1.0
    normal: float = -1.0
    inputs: int = 0
    at: tuple[float, ...] = ()
    got: float = 0.0
    exact: float = 0.0

    def take(
        self,
        operands: Sequence[np.ndarray],
        got: np.ndarray,
        exact: np.ndarray,
        scale: np.ndarray | None = None,
    ) -> None:
        """Take these results into account."""
        error = ulps(got, exact, scale)
        if not error.size:
            return
        self.inputs += error.size
        i = int(error.argmax())
        if error[i] > self.normal:
            usual = normal(exact.astype(got.dtype))
            for x in operands:
                usual &= normal(x)
            self.normal = max(self.normal, float(error[usual].max(initial=-1.0)))
        if error[i] > self.error:
            self.error, self.at = float(error[i]), tuple(float(x[i]) for x in operands)
            self.got, self.exact = float(got[i]), float(exact[i])

    def __str__(self) -> str:
        """The error among normal numbers, and in brackets that among all where it is larger."""
        if self.error < 0:
            return ""
        usual, all_of_them = shown(self.normal), shown(self.error)
        return usual if usual == all_of_them else f"{usual} ({all_of_them})"


def shown(error: float) -> str:
    if error < 0:
        return "-"  # not measured
    return f"{error:.4f}" if error < 10 else f"{error:.3g}"


@dataclass
class Result:
    """What was measured of one function: its name, its bound, and the worst of each contender."""

    name: str
    bound: float
    worst: dict[str, Worst] = field(default_factory=dict)

    def take(
        self,
        computations: Mapping[str, Compute],
        operands: Sequence[np.ndarray],
        exact: np.ndarray,
        scale: np.ndarray | None = None,
    ) -> None:
        with np.errstate(all="ignore"):
            for contender, compute in computations.items():
                got = np.asarray(compute(*operands))
                worst = self.worst.setdefault(contender, Worst())
                worst.take(operands, got, exact, scale)

    @property
    def kept(self) -> bool:
        """Whether tfc keeps its bound, where it has the function for the dtype."""
        return "tfc" not in self.worst or self.worst["tfc"].error <= self.bound

    def row(self, columns: Sequence[str]) -> str:
        ours = self.worst.get("tfc", Worst())
        cells = [str(self.worst.get(name, "")) for name in columns]
        cells[0] = shown(ours.error)  # of tfc, wherever it is
        line = f"| {self.name} | {self.bound:g} | {' | '.join(cells)} | {ours.inputs:,} |"
        if self.kept:
            return line
        return f"{line} EXCEEDED at {ours.at}: {ours.got!r} for {ours.exact!r}"
