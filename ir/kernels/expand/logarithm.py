"""log and log1p, each in the arithmetic of its own dtype.

x = 2^k m with 2/3 <= m < 4/3 and f = m - 1, exact; then (Cody and Waite, Software Manual for the
Elementary Functions, 1980, chapter 5, with a polynomial in f in the place of their quotient)

    log x = k ln 2 + f + f^2 r(f),   r(f) ~ (log(1 + f) - f) / f^2.

k high(ln 2) is exact, and its sum with f is carried in two parts (T. Dekker's Fast2Sum, 1971).
The coefficients of r come from our own Remez exchange in 200-bit arithmetic; the leading ones are
rounded to the dtype before the rest is fitted anew.

Limits: at most 1 ulp, the default rounding mode, denormals honoured by the machine.
"""

from __future__ import annotations

from ...value_classes import dataclass
from .scalar import FORMAT, Scalar, fast_two_sum, fma, horner, select

_INFINITY = float("inf")
_NAN = float("nan")


@dataclass(frozen=True)
class _Table:
    """The numbers that differ between f32 and f64."""

    two_thirds: int  # the bits of 2/3
    smallest_normal: float
    ln2_high: float  # few enough bits that k ln2_high is exact
    ln2_low: float
    r: tuple[float, ...]


_TABLES = {
    "f32": _Table(
        two_thirds=0x3F2AAAAB,
        smallest_normal=2.0**-126,
        ln2_high=0.693145751953125,
        ln2_low=1.4286068e-06,
        r=(
            -0.5, 0.33333337, -0.24999824, 0.199994, -0.16679305, 0.1431287, -0.12201273,
            0.10636978, -0.12816711, 0.12516056,
        ),
    ),
    "f64": _Table(
        two_thirds=0x3FE5555555555555,
        smallest_normal=2.0**-1022,
        ln2_high=0.6931471805598903,
        ln2_low=5.497923018708371e-14,
        r=(
            -0.5, 0.33333333333333187, -0.2499999999999902, 0.20000000000067494,
            -0.1666666666697389, 0.1428571427511353, -0.12499999964610928, 0.11111111921405467,
            -0.10000002113031518, 0.09090873927309853, -0.08333258440443672, 0.07693242524233622,
            -0.07144535988578735, 0.06650932680016519, -0.062256094336957, 0.060498067832559566,
            -0.05783579810086375, 0.04183146682466607, -0.03691574523207701, 0.08486635553684824,
            -0.08588865754326734,
        ),
    ),
}  # fmt: skip


def split(x: Scalar, lowest: int | None = None) -> tuple[Scalar, Scalar]:
    """(k, m - 1) of a positive normal x = 2^k m, `lowest` <= m < 2 `lowest`; k is an integer.

    `lowest` is given by its bits, and is 2/3 by default. Less these, the bits of x carry into the
    exponent field where m would pass 2 `lowest`.
    """
    table, form = _TABLES[x.dtype], FORMAT[x.dtype]
    bits = x.bitcast(form.integer)
    k = (bits - (lowest or table.two_thirds)).ashr(form.fraction)
    m = (bits - k.shl(form.fraction)).bitcast(x.dtype)
    return k, m - 1.0


def _assemble(k: Scalar, f: Scalar, correction: Scalar | None = None) -> tuple[Scalar, Scalar]:
    """k ln 2 + log(1 + f + c) in two parts, for a correction c below the last bit of 1 + f.

    log(1 + f + c) = log(1 + f) + c / (1 + f) + ..., where 1 + (f^2 - f) (1 + f^2), the start of the
    geometric series, is 1 / (1 + f) enough.
    """
    table = _TABLES[f.dtype]
    multiple = k * table.ln2_high
    high, low = fast_two_sum(multiple, f)
    rest = k * table.ln2_low
    square = f * f
    if correction is not None:
        slope = square - f
        rest = rest + fma(correction, fma(slope, square, slope), correction)
    return high, low + fma(square, horner(f, table.r), rest)


def log(x: Scalar) -> Scalar:
    """The natural logarithm: -inf of zeros, nan of negatives."""
    table, form = _TABLES[x.dtype], FORMAT[x.dtype]
    small = x < table.smallest_normal
    k, f = split(select(small, x * 2.0**form.fraction, x))
    k = select(small, k - form.fraction, k)
    high, low = _assemble(k.cast(x.dtype), f)
    y = high + low
    y = select(x < _INFINITY, y, x + x)  # inf and nan, which the sum makes a quiet one
    y = select(x.eq(0.0), -_INFINITY, y)
    return select(x < 0.0, _NAN, y)


def log1p(x: Scalar) -> Scalar:
    """log(1 + x), where 1 + x is rounded and its error is exact (W. Kahan)."""
    u = 1.0 + x
    y = log_of_sum(u, select(x < 1.0, x - (u - 1.0), 1.0 - (u - x)))
    y = select(x.eq(0.0), x, y)  # -0.0
    y = select(x < _INFINITY, y, x + x)  # inf and nan, which the sum makes a quiet one
    y = select(x.eq(-1.0), -_INFINITY, y)
    return select(x < -1.0, _NAN, y)


def log_of_sum(u: Scalar, c: Scalar, doubled: Scalar | None = None) -> Scalar:
    """log(u + c), or log(2 (u + c)) where `doubled`: u normal, c below the last bit of u."""
    high, low = log_in_parts(u, c, doubled)
    return high + low


def log_in_parts(u: Scalar, c: Scalar, doubled: Scalar | None = None) -> tuple[Scalar, Scalar]:
    """The same in two parts.

    With u = 2^k m, u + c = 2^k (m + 2^-k c); beyond 2^100 c matters no more.
    """
    form = FORMAT[u.dtype]
    k, f = split(u)
    k_cut = select(k < 100, k, 100)
    scale = (form.one - k_cut.shl(form.fraction)).bitcast(u.dtype)
    if doubled is not None:
        k = select(doubled, k + 1, k)
    return _assemble(k.cast(u.dtype), f, c * scale)
