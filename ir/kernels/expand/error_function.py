"""erf and erfc.

Up to 0.65, erf x = x + x p(x^2). Beyond it

    erfc x = e^(-x^2) g(t) / (1 + 2 x),    t = (x - K) / (x + K),

with g nearly level (M. Shepherd and J. Laframboise, "Chebyshev approximation of
(1 + 2x) exp(x^2) erfc x in 0 <= x < infinity", Mathematics of Computation 36, 1981), and
erf = 1 - erfc. x^2, e^(-x^2), g and the quotient are carried in two parts.

erf of f32 is 1 - 2^(x p(x)) there, up to 4, where it rounds to 1: what rounding loses of a small
erfc is little beside 1.

The series come from our own Remez exchange in 200-bit arithmetic. Limits: at most 1 ulp.
"""

from __future__ import annotations

from ...value_classes import dataclass
from .exponential import expm1_mended, power_of_two, reduce, times_power_of_two
from .scalar import FORMAT, Scalar, copysign, fast_two_sum, fma, horner, select

_NEAR = 0.65


@dataclass(frozen=True)
class _Table:
    """The numbers that differ between f32 and f64."""

    end: float  # beyond it erfc rounds to zero
    middle: float  # K
    erf_series: tuple[float, ...]  # erf(x) / x - 1 in x^2, on |x| <= _NEAR
    level: float  # g(0) rounded
    g: tuple[float, ...]  # g(t) - level in t, for _NEAR <= x <= end


_TABLES = {
    "f32": _Table(
        end=10.1,
        middle=2.0,
        erf_series=(
            0.12837917, -0.37612626, 0.1128351, -0.026843349, 0.0051376815, -0.0006967617,
        ),
        level=1.2769784,
        g=(
            8.115869e-09, -0.09276378, -0.16603038, 0.16404893, -0.05421951, -0.008001945,
            0.0087078875, 0.0011051039, -0.0013551448, -0.0001277098,
        ),
    ),
    "f64": _Table(
        end=27.5,
        middle=3.5,
        erf_series=(
            0.1283791670955126, -0.3761263890318434, 0.11283791671001157, -0.026866170659057265,
            0.005223977839296878, -0.0008548345876541349, 0.00012056344054951114,
            -1.4959166771942617e-05, 1.7131800063061199e-06, -2.3725100778692565e-07,
            4.822293303645844e-08,
        ),
        level=1.2423492448711544,
        g=(
            -1.0413140677812467e-17, -0.1400091801376194, -0.010555596332218324,
            0.09751909515325659, -0.11508959816018853, 0.08798315382493016, -0.048823325828015816,
            0.019099330941453527, -0.004215019906046386, -0.00030226787024287456,
            0.0005643844032315788, -0.00012151244935813917, -4.2782159659227115e-05,
            2.4260978779449127e-05, 2.328087954966693e-06, -3.814353213884753e-06,
            -4.381514605463807e-08, 5.998966164384604e-07, -8.385366772788494e-09,
            -9.261658249475349e-08, 7.826984393577376e-10, 1.018237239799234e-08,
        ),
    ),
}  # fmt: skip

# log2(erfc(x)) / x in x, for _NEAR <= x <= 4, to 2^-27 of erfc x; then (2^f - 1) / f for |f| <= 1/2
_LOG2_ERFC = (
    -1.6281016, -0.9171884, -0.15172505, 0.032844763, -0.004523785, 0.00027306413, 4.315902e-06,
)  # fmt: skip
_POWER = (0.6931472, 0.24022648, 0.055503596, 0.0096185, 0.001339097, 0.00015328873)


def erf(x: Scalar) -> Scalar:
    """The error function, 2 / sqrt(pi) times the integral of e^(-t^2) from 0 to x."""
    a = abs(x)
    near = fma(a, horner(a * a, _TABLES[x.dtype].erf_series), a)
    far = _far_f32(a) if x.dtype == "f32" else 1.0 - _erfc_far(a)
    return copysign(select(a < _NEAR, near, far), x)


def _far_f32(a: Scalar) -> Scalar:
    """1 - 2^(n + f), where log2(erfc a) = a first + a rest. One fma gives the nearest integer, n;
    f is what it leaves, added up from the large parts on."""
    form = FORMAT["f32"]
    a = select(a > 4.0, 4.0, a)  # a nan stays
    first, *higher = _LOG2_ERFC
    rest = a * horner(a, higher)
    shifted = fma(a, rest + first, form.magic)
    n = shifted - form.magic
    f = fma(a, rest, fma(a, first, -n))
    scale = power_of_two(shifted.bitcast("i32").shl(form.fraction), "f32")
    return fma(-scale, f * horner(f, _POWER), 1.0 - scale)


def erfc(x: Scalar) -> Scalar:
    """1 - erf x, without its cancellation."""
    a = abs(x)
    one, lost = fast_two_sum(x.const(1.0), -x)
    near = one + fma(-x, horner(a * a, _TABLES[x.dtype].erf_series), lost)
    far = _erfc_far(a)
    return select(a < _NEAR, near, select(x < 0.0, 2.0 - far, far))


def _erfc_far(a: Scalar) -> Scalar:
    table = _TABLES[a.dtype]
    a = select(a > table.end, table.end, a)  # a nan stays
    square = a * a
    square_low = fma(a, a, -square)
    # e^(-a^2) / 2^n in two parts
    bits, head, low = reduce(-square)
    exponential, rest = fast_two_sum(a.const(1.0), head)
    rest = rest + expm1_mended(head, low - square_low)
    exponential, exponential_low = fast_two_sum(exponential, rest)
    # g in two parts
    t = (a - table.middle) / (a + table.middle)
    g, g_low = fast_two_sum(a.const(table.level), horner(t, table.g))
    # their product, and its quotient by 1 + 2 a
    above = exponential * g
    above_low = fma(exponential, g, -above) + fma(exponential, g_low, exponential_low * g)
    below, below_low = fast_two_sum(a + a, a.const(1.0))
    reciprocal = 1.0 / below
    quotient = above * reciprocal
    remainder = fma(-quotient, below, above) + fma(-quotient, below_low, above_low)
    return times_power_of_two(fma(remainder, reciprocal, quotient), bits)
