"""softplus, in the arithmetic of its own dtype.

log(1 + e^x) = max(x, 0) + log(1 + t), t = e^-|x|, where t, its logarithm and the last sum are
carried in two parts. Far below zero it is t - t^2 / 2. Limits: at most 1 ulp.
"""

from __future__ import annotations

from ...value_classes import dataclass
from .exponential import expm1_mended, power_of_two, reduce, times_power_of_two
from .logarithm import log_in_parts
from .scalar import FORMAT, Scalar, fast_two_sum, fma, select


@dataclass(frozen=True)
class _Table:
    """The numbers that differ between f32 and f64."""

    far: float  # below it t^3 / 3 is nothing beside t
    end: float  # beyond it e^-|x| rounds to 0


_TABLES = {"f32": _Table(far=-10.0, end=110.0), "f64": _Table(far=-20.0, end=750.0)}


def softplus(x: Scalar) -> Scalar:
    """log(1 + e^x)."""
    table, form = _TABLES[x.dtype], FORMAT[x.dtype]
    a = abs(x)
    bits, head, low = reduce(-select(a > table.end, table.end, a))  # a nan stays
    # t in two parts, over a power of two
    one, lost = fast_two_sum(x.const(1.0), head)
    m, m_low = fast_two_sum(one, lost + expm1_mended(head, low))
    least = -64 << form.fraction  # past it t^2 is nothing beside t
    scale = power_of_two(select(bits < least, bits.const(least), bits), x.dtype)
    t = m * scale
    far = times_power_of_two(m + fma(-0.5 * t, m, m_low), bits)  # t - t^2 / 2
    u = 1.0 + t
    high, rest = log_in_parts(u, fma(m_low, scale, t - (u - 1.0)))
    # D. Knuth's two-sum: either of the two may be the larger
    base = select(x > 0.0, x, 0.0)
    total = base + high
    added = total - base
    lost = (base - (total - added)) + (high - added)
    y = select(x < table.far, far, total + (lost + rest))
    return select(x > table.end, x, y)
