"""Complex functions as pairs of floats, computed on arrays: within a few ulp of the modulus, on the
right side of cuts, and finite where their result is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.ir.kernels.expansion_arrays import scalars
from tfc.ir.kernels.expand.complex import FUNCTIONS, Pair

pytestmark = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="long double is no reference here"
)
INF, NAN = np.inf, np.nan


def complex_of(real: Any, imag: Any, dtype: Any = np.complex128) -> np.ndarray:
    z = np.empty(np.broadcast(real, imag).shape, dtype)
    z.real, z.imag = real, imag
    return z


def log1p(z: Any) -> Any:
    """log(1 + z): NumPy loses what is small."""
    x, y = z.real, z.imag
    around = (abs(x + 1) < 2) & (abs(y) < 2) & ((abs(x + 1) > 0.5) | (abs(y) > 0.5))
    x_near, y_near = np.where(around, x, 0), np.where(around, y, 0)
    near = np.log1p(x_near * (2 + x_near) + y_near * y_near) / 2
    real = np.where(around, near, np.log(1 + z).real)
    return complex_of(real, np.arctan2(y, 1 + x), z.dtype)


UNARY: dict[str, Callable[..., Any]] = {
    **{n: getattr(np, n) for n in ("exp", "expm1", "log", "sqrt", "sin", "cos", "tan")},
    **{n: getattr(np, n) for n in ("sinh", "cosh", "tanh")},
    **{n: getattr(np, f"arc{n[1:]}") for n in ("asin", "acos", "atan", "asinh", "acosh", "atanh")},
    **{"abs": np.abs, "sign": lambda z: z / np.abs(z), "rsqrt": lambda z: 1 / np.sqrt(z)},
    **{
        "log1p": log1p,
        "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
        "neg": np.negative,
        "conj": np.conj,
    },
}
BINARY: dict[str, Callable[..., Any]] = {
    **{"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide},
    **{"equal": np.equal, "not_equal": np.not_equal, "pow": np.power},
}


def computed(name: str, *arrays: np.ndarray) -> np.ndarray:
    """What the pairs give of complex numbers."""
    pairs = [Pair(*scalars(z.real.copy(), z.imag.copy())) for z in arrays]
    with np.errstate(all="ignore"):
        made = FUNCTIONS[name](*pairs)
    if not isinstance(made, Pair):
        return np.broadcast_to(made.value, arrays[0].shape)
    return complex_of(made.real.value, made.imag.value, arrays[0].dtype)


def numbers(dtype: Any) -> np.ndarray:
    """Of all magnitudes, around the origin, the unit circle, 1 and -1, and near both axes."""
    rng, info, n = np.random.default_rng(0), np.finfo(dtype), 300
    largest = np.log10(float(info.max)) - 1

    def spread(decades: float) -> Any:
        return rng.choice([-1, 1], n) * 10 ** rng.uniform(-decades, decades, n)

    turned = np.exp(2j * np.pi * rng.uniform(size=n))
    growing = np.log(float(info.max)) + rng.uniform(-1, 2, n)  # e^x alone may be infinite
    parts = [
        complex_of(growing * rng.choice([-1, 1], n), spread(2)),
        complex_of(spread(2), growing * rng.choice([-1, 1], n)),
        complex_of(spread(largest), spread(largest)),
        complex_of(spread(2), spread(2)),
        turned * (1 + spread(3) * 1e-5),
        turned * 10 ** rng.uniform(-largest, largest, n),
        rng.choice([-1, 1, 1j, -1j], n) + turned * 10 ** rng.uniform(-8, -1, n),
        complex_of(spread(1), spread(largest)),
        complex_of(spread(largest), spread(1)),
    ]
    return np.concatenate(parts).astype(dtype)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", UNARY)
def test_of_one_operand(name: str, dtype: Any) -> None:
    z, info = numbers(dtype), np.finfo(dtype)
    got = computed(name, z)
    with np.errstate(all="ignore"):
        wanted = UNARY[name](z.astype(np.clongdouble))
        size = np.abs(wanted)
        error = np.abs(got.astype(np.clongdouble) - wanted)
        error /= np.maximum(size, info.smallest_normal) * info.eps
        fine = (size < info.max) & np.isfinite(wanted)  # where NumPy itself overflows it is not
    i = int(np.argmax(np.where(fine, np.where(np.isfinite(error), error, INF), 0)))
    assert not fine[i] or error[i] <= 4, f"{error[i]} ulp at {z[i]}: {got[i]}, not {wanted[i]}"
    beyond = np.isfinite(wanted) & (size > 3 * np.longdouble(info.max))
    assert np.isinf(got[beyond]).all()


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", BINARY)
def test_of_two_operands(name: str, dtype: Any) -> None:
    z, info = numbers(dtype), np.finfo(dtype)
    w = z.copy()
    np.random.default_rng(1).shuffle(w)
    if name == "pow":
        keep = np.abs(z.imag) < 1e4
        z, w = z[keep & (np.abs(z) > 1e-4)], w[: (keep & (np.abs(z) > 1e-4)).sum()]
        w = (w / (1 + np.abs(w)) * 3).astype(dtype)
    w[::9] = z[::9]
    bound = np.full(z.shape, {"pow": 4, "div": 4, "mul": 3, "add": 1}.get(name, 1))
    got = computed(name, z, w)
    with np.errstate(all="ignore"):
        wanted = BINARY[name](z.astype(np.clongdouble), w.astype(np.clongdouble))
    if wanted.dtype == bool:
        np.testing.assert_array_equal(got, wanted)
        return
    with np.errstate(all="ignore"):
        if name == "pow":  # an error of the exponent grows with it
            bound = 4 + 4 * np.abs(w * np.log(z))
        size = np.abs(wanted)
        error = np.abs(got.astype(np.clongdouble) - wanted)
        error /= np.maximum(size, info.smallest_normal) * info.eps
        # products are plain: parts of them may overflow or vanish
        fine = np.isfinite(wanted) & (size < info.max / 4)
        if name == "mul":
            fine &= size > info.smallest_normal / info.eps
    error = np.where(fine, np.where(np.isfinite(error), error, INF), 0)
    i = int(np.argmax(error / bound))
    assert error[i] <= bound[i], f"{error[i]} ulp at {z[i]}, {w[i]}: {got[i]}, not {wanted[i]}"


def test_what_is_exact() -> None:
    z = numbers(np.complex128)
    z = z[(np.abs(z) < 1e150) & (np.abs(z) > 1e-150)]
    one = computed("div", z, z)
    assert (one == 1).all() and not computed("mul", z, z.conj()).imag.any()
    ones, zeros, two = np.ones_like(z), np.zeros_like(z), np.full_like(z, 2)
    np.testing.assert_array_equal(computed("pow", z, zeros), ones)
    np.testing.assert_array_equal(computed("pow", z, ones), z)
    np.testing.assert_array_equal(computed("pow", z, two), computed("mul", z, z))


def test_logarithms_near_the_unit_circle() -> None:
    """Their real parts are exact, too, where squares of the parts add up to nearly one."""
    mp = pytest.importorskip("mpmath")
    rng = np.random.default_rng(2)
    z = np.exp(2j * np.pi * rng.uniform(size=60)) * (1 + 10 ** rng.uniform(-16, -0.5, 60))
    w = np.concatenate(
        [z - 1, -1e-18 * (1 + rng.uniform(size=9)) + 1e-9j, [1e-30j, 3e-20 + 1e-12j]]
    )
    for name, x, shift in (("log", z, 0), ("log1p", w, 1)):
        with mp.workdps(90):
            parts = [(mp.mpf(v.real) + shift, mp.mpf(v.imag)) for v in x.tolist()]
            wanted = np.array([float(mp.log(a * a + b * b) / 2) for a, b in parts])
        np.testing.assert_allclose(computed(name, x).real, wanted, rtol=4e-16)


def test_powers_of_zero() -> None:
    y = np.array([2, 1, 0.5 + 1j, 0, -1, 1j, -2 - 1j, 0.25])
    wanted = np.array([0, 0, 0, 1, NAN, NAN, NAN, 0])
    for zero in (0.0, -0.0):
        got = computed("pow", complex_of(np.full(8, zero), 0.0), y)
        np.testing.assert_array_equal(got.real, wanted)
        np.testing.assert_array_equal(got.imag, np.where(np.isnan(wanted), NAN, 0))


WAVES = {"exp", "sinh", "cosh", "tanh", "sin", "cos", "tan"}


@pytest.mark.parametrize(
    "name", [n for n in UNARY if n not in ("sign", "rsqrt", "sigmoid", "expm1", "neg", "conj")]
)
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_special_values(name: str, dtype: Any) -> None:
    """As C99 (annex G), which NumPy follows, where no part is nan or a wave at infinity."""
    parts = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 30.0, -1000.0, INF, -INF]
    z = np.array([complex_of(x, y) for x in parts for y in parts]).astype(dtype)
    with np.errstate(all="ignore"):
        wanted = UNARY[name](z.astype(np.complex128))
        wanted = wanted.astype(dtype) if np.iscomplexobj(wanted) else wanted.astype(z.real.dtype)
    got = computed(name, z)
    use = np.ones(z.shape, bool)
    if name in WAVES:
        use = np.isfinite(z.imag if name not in ("sin", "cos", "tan") else z.real)
    near = 1e-5 if dtype is np.complex64 else 1e-9

    def alike(x: Any, y: Any) -> Any:
        close = np.isclose(x, y, rtol=near, atol=near) & (np.signbit(x) == np.signbit(y))
        return close | (np.isnan(x) & np.isnan(y))

    with np.errstate(all="ignore"):
        good = alike(got.real, wanted.real) & alike(np.imag(got), np.imag(wanted))
    wrong = use & ~good
    assert not wrong.any(), (z[wrong], got[wrong], wanted[wrong])


# x, y, x / y: both far out, both next to nothing, and beside zero, infinity and nan.
BIG, TINY = 1.5e308, 5e-324
QUOTIENTS: list[tuple[complex, complex, complex]] = [
    (complex(BIG, BIG), complex(BIG, BIG), 1),
    (complex(TINY, TINY), complex(TINY, TINY), 1),
    (complex(BIG, 0), complex(0, BIG), -1j),
    (complex(TINY, 0), complex(1e-300, 0), TINY / 1e-300),
    (1e-160 + 1e-160j, 1e-156 - 1e-156j, 1e-4j),
    (complex(BIG, BIG), complex(TINY, 0), complex(INF, INF)),
    (1e-170 + 1e-170j, 1e160 + 1e160j, 0),
    (1e200 + 2e200j, 2 + 0j, 5e199 + 1e200j),
    (1e-200 + 2e-200j, 2 + 0j, 5e-201 + 1e-200j),
    (3 + 0j, 1e200 + 0j, 3e-200),
    (3 + 0j, 1e-200 + 0j, 3e200),
    (1 + 1j, complex(INF, INF), 0),
    (1 + 1j, complex(NAN, -INF), 0),
    (1 + 0j, 0j, complex(INF, NAN)),
    (complex(INF, 0), 1 + 1j, complex(INF, -INF)),
]


def test_quotients_do_not_overflow() -> None:
    x, y, wanted = (np.array(column, complex) for column in zip(*QUOTIENTS, strict=True))
    got = computed("div", x, y)
    for part in (np.real, np.imag):
        np.testing.assert_allclose(part(got), part(wanted), rtol=1e-15)


def test_moduli_at_their_ends() -> None:
    z = np.array([complex(BIG, 0), complex(3e-320, 4e-320), complex(NAN, INF), complex(NAN, 1), 0])
    np.testing.assert_array_equal(computed("abs", z), [BIG, 5e-320, INF, NAN, 0])
    signs = computed(
        "sign", np.array([0, complex(BIG, BIG), complex(TINY, 0), complex(0, -3e-310)])
    )
    half = np.sqrt(0.5)
    np.testing.assert_allclose(signs, [0, complex(half, half), 1, -1j], rtol=1e-15)
    roots = computed("sqrt", np.array([complex(-BIG, 0.0), complex(-BIG, -0.0), 4 * TINY, -4.0]))
    np.testing.assert_allclose(roots, [1j * BIG**0.5, -1j * BIG**0.5, (4 * TINY) ** 0.5, 2j])


def test_exponentials_of_two_infinities() -> None:
    """Beside minus infinity a wave that is not known is nothing."""
    got = computed("exp", np.array([complex(-INF, INF), complex(-INF, -INF), complex(INF, INF)]))
    np.testing.assert_array_equal(np.abs(got), [0, 0, INF])
    assert got[2].real == INF and np.isnan(got[2].imag)
