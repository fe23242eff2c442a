"""Inputs at which functions of float64 are known to be hard."""

from __future__ import annotations

from functools import cache

import numpy as np


def near_powers(largest: float = np.inf) -> np.ndarray:
    """All powers of two, their neighbours, and numbers around one, of both signs."""
    powers = np.ldexp(1.0, np.arange(-1074, 1024))
    one = 1.0 + np.arange(-1000, 1000) * 2.0**-53
    x = np.concatenate(
        [[0.0, np.inf, np.nan], powers, np.nextafter(powers, 0), np.nextafter(powers, np.inf), one]
    )
    x = x[~(np.abs(x) > largest) | np.isinf(x)]
    return np.concatenate([x, -x])


def around(x: np.ndarray) -> np.ndarray:
    """Numbers with both neighbours."""
    return np.concatenate([x, np.nextafter(x, -np.inf), np.nextafter(x, np.inf)])


def multiples_of_log_two() -> np.ndarray:
    """Around n/2 ln 2: where e^x and its like change their reduction, and where they end."""
    x = np.arange(-2200, 2200) * (0.5 * np.log(2.0))
    ends = (-745.1332191019411, -708.3964185322641, 709.782712893384, 710.4758600739439)
    return around(np.concatenate([x[np.abs(x) < 760], np.array(ends)]))


def table_splits() -> np.ndarray:
    """Around places where functions commonly go from one approximation to another."""
    x = np.array([0.21, 0.4142135623730951, 0.5, 0.55, 0.625, 0.65, 0.7071067811865476, 0.84375,
                  0.9, 1.25, 1.4142135623730951, 2.414213562373095, 2.4375, 4.0, 19.0615474653985,
                  20.0, 22.0])  # fmt: skip
    steps = np.arange(-200, 200) * 2.0**-50
    spread = (x[:, None] * (1 + steps)).ravel()
    return np.concatenate([spread, -spread])


@cache
def multiples_of_half_pi() -> np.ndarray:
    """For each exponent, the number m 2^e, m below 2^53, that is nearest to a multiple of pi/2.

    They are denominators of the convergents of 2^e 2/pi (W. Kahan; J.-M. Muller, Elementary
    Functions, 2016, section 11.3.2).
    """
    import mpmath

    with mpmath.workprec(2600):
        two_over_pi = int(mpmath.ldexp(2 / mpmath.pi, 2500))
    found = [
        np.ldexp(float(m), e)
        for e in range(-52, 971)
        for m in _denominators(two_over_pi << (e + 52), 1 << 2552)
    ]
    small = np.arange(1, 2000) * (np.pi / 2)
    x = around(np.concatenate([np.array(found), small]))
    return np.concatenate([x, -x])


def _denominators(above: int, below: int) -> list[int]:
    """The last two denominators below 2^53 of the convergents of a quotient."""
    found, before = [0], 1
    while below:
        quotient, rest = divmod(above, below)
        following = quotient * found[-1] + before
        if following >= 1 << 53:
            break
        before = found[-1]
        found.append(following)
        above, below = below, rest
    return found[-2:]
