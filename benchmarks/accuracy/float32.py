"""float32, float16 and bfloat16: every bit pattern, or one in so many, against float64.

The references are NumPy's and SciPy's functions of float64, whose own errors are some 1e-8 ulp of
float32. Where they are no reference the table below leaves inputs out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import ml_dtypes
import numpy as np
from scipy import special

from .contenders import computations
from .measure import Result

CHUNK = 1 << 14  # arrays of more than 128 KB get fresh pages each time: three times slower
STRIDE = 1009  # odd, so that the low bits of the patterns vary

Reference = Callable[[Any], Any]

# Numbers that are special everywhere; where results overflow, vanish or cross 1/2 ulp of 1.
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


def _odd(f: Reference) -> Reference:
    """f, an odd function that SciPy gives +0 for -0."""
    return lambda x: np.where(x == 0, x, f(x))


ELEMENTARY: dict[str, Reference] = {
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "reciprocal": lambda x: 1 / x,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(x, 0),
    "log_sigmoid": special.log_expit,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "erf": special.erf,
    "erfc": special.erfc,
}
SPECIAL: dict[str, Reference] = {
    "lgamma": special.gammaln,
    "digamma": special.psi,
    "erfinv": _odd(special.erfinv),
    "erfcinv": lambda x: special.erfcinv(x) + 0.0,
    "ndtri": special.ndtri,
    "bessel_i0": special.i0,
    "bessel_i0e": special.i0e,
    "bessel_i1": _odd(special.i1),
    "bessel_i1e": _odd(special.i1e),
    "bessel_k0": special.k0,
    "bessel_k0e": special.k0e,
    "bessel_k1": special.k1,
    "bessel_k1e": special.k1e,
    "bessel_j0": special.j0,
    "bessel_j1": special.j1,
    "bessel_y0": special.y0,
    "bessel_y1": special.y1,
    "dawsn": special.dawsn,
    "expint": special.expi,
    "fresnel_cos": _odd(lambda x: special.fresnel(x)[1]),
    "fresnel_sin": _odd(lambda x: special.fresnel(x)[0]),
    "spence": lambda x: np.where(x == np.inf, -x, special.spence(x)),
}
REFERENCES = ELEMENTARY | SPECIAL


# SciPy's Bessel functions and integrals lose their digits or their values beyond; lgamma and
# digamma between the poles below zero, where they cross zero, have no digits in SciPy either.
# expint below zero is nan, as in TensorFlow; JAX has another function there, and takes minutes.
_LARGEST = {f"bessel_{name}": 1e3 for name in ("j0", "j1", "y0", "y1")}
_LARGEST |= {f"bessel_{name}": 80.0 for name in ("i0", "i1", "k0", "k1", "k0e", "k1e")}
_LARGEST |= {"fresnel_cos": 100.0, "fresnel_sin": 100.0, "dawsn": 1e15, "expint": 85.0}
_POSITIVE_ONLY = {"lgamma", "digamma", "expint"}


def kept(name: str, x: np.ndarray) -> np.ndarray:
    """The inputs for which there is a reference."""
    with np.errstate(invalid="ignore"):  # nan among float16
        if name in _LARGEST:
            x = x[np.abs(x) <= x.dtype.type(_LARGEST[name])]
        return x[x > 0] if name in _POSITIVE_ONLY else x


def chunks(stride: int) -> Iterator[np.ndarray]:
    """Every `stride`-th bit pattern of a float32, as numbers."""
    for start in range(0, 1 << 32, CHUNK * stride):
        stop = min(start + CHUNK * stride, 1 << 32)
        yield np.arange(start, stop, stride, dtype=np.int64).astype(np.uint32).view(np.float32)


def check(name: str, stride: int = STRIDE, contenders: Sequence[str] = ("tfc",)) -> Result:
    """The errors of the function on specials and on each `stride`-th float32."""
    return _check(name, np.float32, contenders, chain([specials()], chunks(stride)))


def check16(name: str, dtype: Any, contenders: Sequence[str] = ("tfc",)) -> Result:
    """The errors of the function on all float16 or all bfloat16."""
    return _check(name, dtype, contenders, [np.arange(1 << 16, dtype=np.uint16).view(dtype)])


def float16(name: str, contenders: Sequence[str]) -> Result:
    return check16(name, np.float16, contenders)


def bfloat16(name: str, contenders: Sequence[str]) -> Result:
    return check16(name, ml_dtypes.bfloat16, contenders)


def _check(
    name: str, dtype: Any, contenders: Sequence[str], inputs: Iterable[np.ndarray]
) -> Result:
    result = Result(name, 1.0)
    compute = computations(name, contenders, dtype)
    for x in inputs:
        x = kept(name, x)
        if x.size:
            with np.errstate(all="ignore"):
                exact = np.asarray(REFERENCES[name](x.astype(np.float64)))
            result.take(compute, (x,), exact)
    return result
