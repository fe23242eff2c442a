"""How far tfc's functions are from the truth, in units in the last place.

    python -m benchmarks.accuracy                  # float32: one in 1009 of all inputs
    python -m benchmarks.accuracy exp log          # these functions only
    python -m benchmarks.accuracy --stride 1 exp   # every one of the 2**32 inputs
    python -m benchmarks.accuracy --float64        # float64: random inputs, against mpmath
    python -m benchmarks.accuracy --binary         # functions of two float32, random inputs

The same inputs go through NumPy and JAX where they are installed and have the function.

Chunks of bit patterns go through the public functions of tfc, and the results are compared with
float64 references of NumPy and SciPy, whose own errors are some 1e-8 ulp of float32. An ulp is the
distance of the float32 numbers around the exact result: 2**-149 among the denormals. Infinities,
nan and the sign of zero must be right wherever they occur. The exit status tells whether every
function keeps its bound.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

import tfc as tf

CHUNK = 1 << 14  # arrays of more than 128 KB get fresh pages each time: three times slower
STRIDE = 1009  # odd, so that the low bits of the patterns vary

Reference = Callable[[Any], Any]

# Beside numbers that are special everywhere: where results overflow, vanish or cross 1/2 ulp of 1.
_POSITIVE = (
    0.0, 2.0**-149, 2.0**-127, 2.0**-126, 1e-30, 2.0**-64, 2.0**-24, 2.0**-12, 0.1, 0.25, 0.5,
    0.6931472, 0.75, 1.0, 1.4142135, 1.5707964, 2.0, 2.7182817, 3.1415927, 9.0, 9.1943, 10.0546,
    16.635532, 17.32868, 32.0, 87.33654, 88.02969, 88.72284, 89.41598, 103.27893, 103.97208, 1e3,
    2.0**24, 2.0**31, 2.0**32, 1e19, 1e30, 2.0**127, 3.4028235e38, np.inf, np.nan,
)  # fmt: skip


def specials() -> np.ndarray:
    """Numbers at which functions change their behaviour, their neighbours and negatives."""
    x = np.array(_POSITIVE, np.float32)
    one = np.arange(0x3F7FFF00, 0x3F800100, dtype=np.uint32).view(np.float32)  # around 1
    with np.errstate(over="ignore"):
        near = [x, np.nextafter(x, np.float32(0)), np.nextafter(x, np.float32(np.inf)), one]
    positive = np.concatenate(near)
    return np.concatenate([positive, -positive])


@dataclass(frozen=True)
class Function:
    """A function of tfc, the same in float64, and the error that it may have, in ulp."""

    name: str
    ours: Callable[[Any], Any]
    reference: Reference
    bound: float = 1.0
    largest: float = np.inf  # |x| beyond which the reference is no reference


def _odd(f: Reference) -> Reference:
    """f, an odd function that SciPy gives +0 for -0."""
    return lambda x: np.where(x == 0, x, f(x))


def _table() -> dict[str, Function]:
    math: Any = tf.math
    references: dict[str, Reference] = {
        "exp": np.exp,
        "log": np.log,
        "tanh": np.tanh,
        "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
        "expm1": np.expm1,
        "log1p": np.log1p,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "sin": np.sin,
        "cos": np.cos,
        "tan": np.tan,
        "asin": np.arcsin,
        "acos": np.arccos,
        "atan": np.arctan,
        "sinh": np.sinh,
        "cosh": np.cosh,
        "asinh": np.arcsinh,
        "acosh": np.arccosh,
        "atanh": np.arctanh,
        "erf": special.erf,
        "erfc": special.erfc,
    }
    references |= {
        "sqrt": np.sqrt,
        "reciprocal": lambda x: 1 / x,
        "softplus": lambda x: np.logaddexp(x, 0),
        "log_sigmoid": special.log_expit,
        "lgamma": special.gammaln,
        "digamma": special.psi,
        "erfinv": _odd(special.erfinv),
        "erfcinv": lambda x: special.erfcinv(x) + 0.0,
        "ndtri": special.ndtri,
        "bessel_i0e": special.i0e,
        "bessel_i1e": _odd(special.i1e),
        "dawsn": special.dawsn,
        "expint": lambda x: np.where(x < 0, np.nan, special.expi(x)),
        "spence": special.spence,
        "bessel_i0": special.i0,
        "bessel_i1": _odd(special.i1),
        "bessel_k0": special.k0,
        "bessel_k0e": special.k0e,
        "bessel_k1": special.k1,
        "bessel_k1e": special.k1e,
        "bessel_j0": special.j0,
        "bessel_j1": special.j1,
        "bessel_y0": special.y0,
        "bessel_y1": special.y1,
        "fresnel_cos": _odd(lambda x: special.fresnel(x)[1]),
        "fresnel_sin": _odd(lambda x: special.fresnel(x)[0]),
    }
    # composed of others, each of which rounds
    bounds = {"softplus": 2.0, "log_sigmoid": 2.0, "ndtri": 1.5}
    return {
        name: Function(
            name,
            getattr(math, name, None) or getattr(math.special, name),
            reference,
            bounds.get(name, 1.0),
            _LARGEST.get(name, np.inf),
        )
        for name, reference in references.items()
    }


# SciPy's Bessel functions and integrals lose their digits or their values beyond; lgamma and
# digamma between the poles below zero, where they cross zero, have no digits in SciPy either.
_LARGEST = {f"bessel_{name}": 1e3 for name in ("j0", "j1", "y0", "y1")}
_LARGEST |= {f"bessel_{name}": 80.0 for name in ("i0", "i1", "k0", "k1", "k0e", "k1e")}
_LARGEST |= {"fresnel_cos": 100.0, "fresnel_sin": 100.0, "dawsn": 1e15, "expint": 85.0}
_POSITIVE_ONLY = {"lgamma", "digamma"}


FUNCTIONS = _table()


def ulps(got: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The distance of float32 results from float64 ones, in ulp; inf where a special is wrong."""
    power = (exact.view(np.int64) & _EXPONENT).view(np.float64)  # of 2, at most |exact|
    with np.errstate(all="ignore"):
        error: np.ndarray = np.abs(got - exact) / np.maximum(power * 2.0**-23, 2.0**-149)
        special = ~(np.abs(exact) < _OVERFLOW) | ~np.isfinite(got)
        special |= np.signbit(got) != np.signbit(exact)
        if special.any():
            error[special] = _special_ulps(got[special], exact[special])
    return error


_EXPONENT = 0x7FF << 52  # the bits of a float64's exponent
_OVERFLOW = 2.0**128


def _special_ulps(got: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The same where one of them is nan, too large for float32, or of another sign."""
    same_sign = np.signbit(got) == np.signbit(exact)
    overflows = np.isinf(got) & same_sign
    magnitude = np.abs(exact)
    right = (np.isnan(got) & np.isnan(exact)) | (overflows & (magnitude >= _OVERFLOW))
    early = np.where(overflows, (_OVERFLOW - magnitude) / 2.0**104, np.inf)  # inf is next to max
    return np.where(right, 0.0, early)


@dataclass
class Worst:
    """The largest error so far, and where it is."""

    error: float = -1.0
    input: float = 0.0
    got: float = 0.0
    exact: float = 0.0
    inputs: int = 0

    def look(
        self, f: Function, x: np.ndarray, compute: Callable[[np.ndarray], np.ndarray] | None = None
    ) -> None:
        """Take the inputs `x` into account, as tfc or `compute` does them."""
        if np.isfinite(f.largest):
            x = x[np.abs(x) <= f.largest]
        if f.name in _POSITIVE_ONLY:
            x = x[x > 0]
        if not x.size:
            return
        with np.errstate(all="ignore"):
            got = compute(x) if compute else f.ours(tf.constant(x)).numpy()
            exact = np.asarray(f.reference(x.astype(np.float64)))
        error = ulps(got, exact)
        i = int(error.argmax())
        self.inputs += x.size
        if error[i] > self.error:
            self.error, self.input = float(error[i]), float(x[i])
            self.got, self.exact = float(got[i]), float(exact[i])


def chunks(stride: int) -> Iterator[np.ndarray]:
    """Every `stride`-th bit pattern of a float32, as numbers."""
    for start in range(0, 1 << 32, CHUNK * stride):
        stop = min(start + CHUNK * stride, 1 << 32)
        yield np.arange(start, stop, stride, dtype=np.int64).astype(np.uint32).view(np.float32)


def check(
    name: str, stride: int, compute: Callable[[np.ndarray], np.ndarray] | None = None
) -> Worst:
    """The largest error of the function on specials and on each `stride`-th float32."""
    f = FUNCTIONS[name]
    worst = Worst()
    worst.look(f, specials(), compute)
    for x in chunks(stride):
        worst.look(f, x, compute)
    return worst


def at_specials(f: Function) -> str:
    """The results at the numbers that everybody asks about."""
    x = np.array([-np.inf, -0.0, 0.0, np.inf, np.nan], np.float32)
    return " ".join(f"{y:.4g}" for y in f.ours(tf.constant(x)).numpy())


def main() -> int:
    from benchmarks import accuracy_more

    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(FUNCTIONS))
    parser.add_argument("--stride", type=int, default=STRIDE, help="check one input in so many")
    parser.add_argument("--float64", action="store_true", help="float64 against mpmath")
    parser.add_argument("--binary", action="store_true", help="functions of two operands")
    options = parser.parse_args()
    if options.float64:
        return accuracy_more.float64(options.names)
    if options.binary:
        return accuracy_more.binary(options.names)
    unknown = [name for name in options.names if name not in FUNCTIONS]
    if unknown or options.stride < 1:
        parser.error(f"no such function: {unknown}" if unknown else "the stride must be positive")

    print(f"one float32 in {options.stride}, and all specials; the largest error in ulp")
    print("| function | tfc | bound | NumPy | JAX | at -inf -0 0 inf nan |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    fine = True
    for name in options.names or FUNCTIONS:
        f = FUNCTIONS[name]
        worst = check(name, options.stride)
        kept = worst.error <= f.bound
        fine = fine and kept
        peers = [
            "" if peer is None else f"{check(name, options.stride, peer).error:.4g}"
            for peer in accuracy_more.peers(name)
        ]
        print(
            f"| {name} | {worst.error:.4f} | {f.bound:.1f} | {' | '.join(peers)} "
            f"| {at_specials(f)} |"
            + ("" if kept else f"  EXCEEDED at {worst.input!r}: exact is {worst.exact:.12g}"),
            flush=True,
        )
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
