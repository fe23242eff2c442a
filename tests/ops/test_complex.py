"""Complex numbers: accuracy and special values of their functions, gradients, and what users see.

The references are NumPy's long double complex functions, which are C99's; errors are told relative
to the modulus, in units of the dtype's epsilon.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import native
from tests.ir.autodiff.test_pullbacks import directional
from tfc.ir.autodiff import reverse
from tfc.ir.core import Builder, Function, Op
from tfc.ir.text import parse
from tfc.ir.types import parse_type

INF, NAN = np.inf, np.nan
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(np, name)
        for name in ["exp", "expm1", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh"]
    },
    **{
        name: getattr(np, f"arc{name[1:]}")
        for name in ["asin", "acos", "atan", "asinh", "acosh", "atanh"]
    },
    **{"abs": np.abs, "sign": lambda z: z / np.abs(z), "rsqrt": lambda z: 1 / np.sqrt(z)},
    **{"sigmoid": lambda z: 1 / (1 + np.exp(-z))},
}


def every_function(short: str) -> Function:
    """All of FUNCTIONS of one vector, as one program."""
    b = Builder("every")
    x = b.parameter(parse_type(f"{short}[n]"))
    return b.build(*(b.emit(Op.by_name[name](x)) for name in FUNCTIONS))


def sample(dtype: Any, decades: float, n: int = 2000) -> np.ndarray:
    """Numbers of all magnitudes, around the origin, the unit circle, 1 and -1."""
    rng = np.random.default_rng(0)
    z = np.empty(n, dtype)
    for part in (z.real, z.imag):
        part[:] = rng.choice([-1, 1], n) * 10 ** rng.uniform(-decades, decades, n)
    quarter = n // 4
    near = 1 + 10 ** rng.uniform(-12, -1, quarter) * rng.choice([-1, 1], quarter)
    z[:quarter] = np.exp(2j * np.pi * rng.uniform(size=quarter)) * near
    z[quarter : 2 * quarter] = 2 * (rng.normal(size=quarter) + 1j * rng.normal(size=quarter))
    offset = rng.normal(size=quarter) + 1j * rng.normal(size=quarter)
    ends = rng.choice([-1, 1], quarter)
    z[2 * quarter : 3 * quarter] = ends + offset * 10 ** rng.uniform(-8, -1, quarter)
    return z


@pytest.mark.parametrize(("short", "most"), [("c64", 30), ("c128", 250)])
def test_functions_are_accurate(short: str, most: float) -> None:
    run = native.Native(every_function(short))
    dtype = np.complex64 if short == "c64" else np.complex128
    info = np.finfo(dtype)
    for decades in (2, most):
        z = sample(dtype, decades)
        for (name, reference), got in zip(FUNCTIONS.items(), run(z), strict=True):
            with np.errstate(all="ignore"):
                want = reference(z.astype(np.clongdouble))
                fine = np.abs(want) < info.max  # nan where NumPy itself overflows
                error = np.abs(got.astype(np.clongdouble) - want)
                error = error / np.maximum(np.abs(want), info.tiny) / info.eps
            assert np.isfinite(got[fine]).all(), name
            worst = int(np.argmax(np.where(fine, error, 0)))
            assert error[worst] <= 4, (name, z[worst], got[worst], want[worst])


def test_log1p_is_exact_near_zero() -> None:
    z = np.array([1e-20 + 2e-25j, -1e-18 + 1e-9j, 1e-30j, -0.5 + 0.1j, 3 + 4j])
    wanted = [1e-20 + 2e-25j, -5e-19 + 1e-9j, 5e-61 + 1e-30j, np.log(0.5 + 0.1j), np.log(4 + 4j)]
    np.testing.assert_allclose(tf.math.log1p(z).numpy(), wanted, rtol=1e-15)


def same(x: Any, y: Any) -> Any:
    """Equal up to rounding, signs of zeros included; a nan is a nan."""
    near = np.isclose(x, y, rtol=1e-9, atol=1e-12) & (np.signbit(x) == np.signbit(y))
    return near | (np.isnan(x) & np.isnan(y))


def test_special_values() -> None:
    """As C99 (annex G), which NumPy follows, where no part is nan or a wave at infinity."""
    parts = [0.0, -0.0, 1.0, -1.0, INF, -INF]
    z = np.array([complex(x, y) for x in parts for y in parts])
    wave = {"exp", "sinh", "cosh", "tanh", "sin", "cos", "tan", "expm1", "sigmoid"}
    for (name, reference), got in zip(
        FUNCTIONS.items(), native.Native(every_function("c128"))(z), strict=True
    ):
        if name in ("sign", "rsqrt", "sigmoid", "expm1"):
            continue
        with np.errstate(all="ignore"):
            want = reference(z)
        ends = ~np.isfinite(z.real) & ~np.isfinite(z.imag)
        defined = ~(np.isinf(z.imag if name not in ("sin", "cos", "tan") else z.real))
        use = ~ends & defined if name in wave else np.ones(z.shape, bool)
        good = same(got.real, want.real) & same(np.imag(got), np.imag(want))
        assert good[use].all(), (name, z[use & ~good], got[use & ~good], want[use & ~good])


def test_quotients_do_not_overflow() -> None:
    big, tiny = 1.5e308, 5e-324
    pairs = [
        (complex(big, big), complex(big, big), 1),
        (complex(tiny, tiny), complex(tiny, tiny), 1),
        (complex(big, 0), complex(0, big), -1j),
        (complex(tiny, 0), complex(1e-300, 0), tiny / 1e-300),
        (1e-160 + 1e-160j, 1e-156 - 1e-156j, 1e-4j),
        (complex(big, big), complex(tiny, 0), complex(INF, INF)),
        (1 + 1j, complex(INF, INF), 0),
        (1 + 1j, complex(NAN, -INF), 0),
        (1 + 0j, 0j, complex(INF, NAN)),
        (complex(INF, 0), 1 + 1j, complex(INF, -INF)),
    ]
    x, y, want = (np.array(column, complex) for column in zip(*pairs, strict=True))
    got = (tf.constant(x) / tf.constant(y)).numpy()
    for part in (np.real, np.imag):
        np.testing.assert_allclose(part(got), part(want), rtol=1e-15, atol=1e-19)
    np.testing.assert_array_equal(
        tf.abs(tf.constant([complex(big, 0), complex(3e-320, 4e-320), complex(NAN, INF)])).numpy(),
        [big, 5e-320, INF],
    )
    narrow = tf.constant([3e38 + 3e38j, 1e-40 + 1e-40j], tf.complex64)
    np.testing.assert_array_equal((narrow / narrow).numpy(), np.ones(2))


def test_powers() -> None:
    x = tf.constant([1 + 2j, -3 + 0j, 0j, 0j, 0j, complex(INF, 0)])
    y = tf.constant([2 + 0j, 1 + 0j, 0j, 2 + 0j, -1 + 0j, 0j])
    np.testing.assert_array_equal(
        (x**y).numpy(), np.array([-3 + 4j, -3, 1, 0, complex(NAN, NAN), 1])
    )


@pytest.mark.parametrize("order", [1, 2])
def test_gradients_of_all_functions(order: int) -> None:
    """By finite differences, in both parts."""
    names = [name for name in FUNCTIONS if name != "sign"]  # whose gradient is 0 by definition
    b = Builder("sum")
    x = b.parameter(parse_type("c128[3]"))
    f = b.build(*(b.emit(Op.by_name[name](x)) for name in (*names, "log1p")))
    arrays: list[Any] = [np.array([0.4 + 0.3j, -0.5 + 0.6j, 0.7 - 0.8j])]
    rng = np.random.default_rng(0)
    if order == 2:
        f = reverse.pullback(f)
        for p in f.params[1:]:
            seed = rng.uniform(0.5, 1, p.shape)
            arrays.append(seed + 0.5j * seed if p.dtype.is_complex else seed)
    numeric, exact = directional(f, arrays, 1e-6, rng)
    assert exact == pytest.approx(numeric, rel=1e-6, abs=1e-6)


def gradient(function: Callable[..., Any], *sources: Any) -> list[Any]:
    """Eagerly and compiled, which must agree."""

    def run(*xs: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(xs)
            y = function(*xs)
        return tape.gradient(y, xs)

    eager, traced = run(*sources), tf.function(run)(*sources)
    for a, b in zip(eager, traced, strict=True):
        assert (a is None and b is None) or a.numpy().tobytes() == b.numpy().tobytes()
    return [None if g is None else g.numpy() for g in eager]


def test_gradients_are_conjugated_as_in_tensorflow() -> None:
    z, w = tf.constant(1 + 2j), tf.constant(3 - 1j)
    assert [complex(g) for g in gradient(lambda z, w: z * w, z, w)] == [3 + 1j, 1 - 2j]
    assert complex(gradient(tf.math.real, z)[0]) == 1
    assert complex(gradient(tf.math.imag, z)[0]) == 1j
    assert complex(gradient(tf.math.conj, z)[0]) == 1
    assert complex(gradient(lambda z: tf.abs(z) ** 2, z)[0]) == pytest.approx(2 + 4j)
    assert complex(gradient(tf.abs, tf.constant(0j))[0]) == 0
    assert complex(gradient(tf.math.angle, z)[0]) == pytest.approx((-2 + 1j) / 5)
    assert complex(gradient(tf.exp, z)[0]) == pytest.approx(np.exp(1 - 2j))
    assert gradient(lambda x: tf.cast(x, tf.complex128), tf.constant(2.0))[0] == np.float32(1)
    assert gradient(lambda z: tf.cast(tf.cast(z, tf.int32), tf.float32), z) == [None]
    x = gradient(lambda x, y: tf.abs(tf.complex(x, y)), tf.constant(3.0), tf.constant(4.0))
    np.testing.assert_allclose(x, [0.6, 0.8], rtol=1e-6)


def test_steps_go_downhill() -> None:
    """|z^2 + 1| falls along -gradient, to one of the roots."""
    z = tf.Variable(0.7 + 0.4j)
    for _ in range(60):
        with tf.GradientTape() as tape:
            loss = tf.abs(z * z + 1) ** 2
        z.assign_sub(0.1 * tape.gradient(loss, z))
    assert abs(complex(z) - 1j) < 1e-3


def test_jacobian_of_a_transform() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.real(tf.signal.fft(tf.cast(x, tf.complex64)))
    wanted = np.cos(2 * np.pi * np.outer(range(3), range(3)) / 3)
    np.testing.assert_allclose(tape.jacobian(y, x).numpy(), wanted, atol=1e-6)


# What users see.


def test_conversion() -> None:
    assert tf.constant(1j).dtype is tf.complex128 is tf.as_dtype(complex)
    assert tf.constant([1, 2.5, 1j]).dtype is tf.complex128
    assert tf.constant(np.complex64(1j)).dtype is tf.complex64
    assert tf.constant(2, tf.complex64).numpy() == 2
    z = tf.constant([1 + 2j], tf.complex64)
    for result in (z * 2, 2 * z, z + 1.5, 1j * z, z**2, z == z, z / (1 + 1j)):
        assert result.dtype in (tf.complex64, tf.bool)
    assert complex(tf.constant(1 - 2j)) == 1 - 2j == complex(tf.Variable(1 - 2j))
    assert tf.cast([1.5 - 2j], tf.float32).numpy() == [1.5]
    assert tf.cast([2j, 3 + 0j], tf.bool).numpy().tolist() == [False, True]
    assert tf.cast([True], tf.complex64).numpy() == [1]
    assert tf.zeros([2], tf.complex64).numpy().tolist() == [0, 0]
    assert tf.complex64.real_dtype is tf.float32 and tf.complex128.real_dtype is tf.float64
    assert (
        tf.complex64.is_complex
        and not tf.complex64.is_floating
        and tf.float32.real_dtype is tf.float32
    )
    v = tf.Variable([1j, 2])
    v.assign_add([1, 1])
    assert v.numpy().tolist() == [1 + 1j, 3]
    assert tf.bitwise is not None and tf.math.conj([1.0]).numpy() == [1.0]
    assert tf.math.imag(tf.constant([1, 2])).numpy().tolist() == [0, 0]


def test_printing() -> None:
    z = tf.constant([1.5 + 2j, -1j], tf.complex64)
    assert str(z) == "tf.Tensor([ 1.5+2.j -0. -1.j], shape=(2,), dtype=complex64)"
    assert repr(tf.constant(1 + 2j)) == "<tf.Tensor: shape=(), dtype=complex128, numpy=(1+2j)>"
    shown = "numpy=array([ 1.5+2.j, -0. -1.j], dtype=complex64)>"
    assert repr(z).endswith(shown)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda z, x: z < z,
            tf.errors.InvalidArgumentError,
            "less: not defined for dtype complex128",
        ),
        (
            lambda z, x: tf.maximum(z, z),
            tf.errors.InvalidArgumentError,
            "not defined for dtype complex",
        ),
        (
            lambda z, x: tf.reduce_max(z),
            tf.errors.InvalidArgumentError,
            "not defined for dtype complex",
        ),
        (lambda z, x: tf.floor(z), tf.errors.InvalidArgumentError, "not defined for dtype complex"),
        (lambda z, x: z * x, tf.errors.InvalidArgumentError, "expected to be a complex128"),
        (lambda z, x: x * 1j, TypeError, "multiply: Cannot convert 1j"),
        (
            lambda z, x: tf.complex(1, 2),
            TypeError,
            "components have incorrect types: int32 and int32",
        ),
        (
            lambda z, x: tf.complex(x, tf.constant(1.0, tf.float64)),
            TypeError,
            "float32 and float64",
        ),
        (lambda z, x: tf.math.angle([1, 2]), TypeError, "takes floats or complex"),
        (
            lambda z, x: tf.math.conj([True]),
            TypeError,
            "Expected numeric or variant tensor",
        ),
        (lambda z, x: tf.complex64.max, TypeError, "Cannot find maximum value"),
        (
            lambda z, x: tf.signal.fft(x),
            TypeError,
            "takes complex numbers, got float32",
        ),
        (lambda z, x: tf.signal.fft2d(z), tf.errors.InvalidArgumentError, "rank of at least 2"),
        (lambda z, x: tf.signal.rfft(z), TypeError, "takes float32 or float64, got complex128"),
        (lambda z, x: tf.signal.rfft([1.0], [0]), tf.errors.InvalidArgumentError, "at least 1"),
        (lambda z, x: tf.signal.rfft([1.0], [1, 2]), tf.errors.InvalidArgumentError, "1 elements"),
        (lambda z, x: tf.signal.rfft(tf.zeros([0])), tf.errors.InvalidArgumentError, "no elements"),
        (lambda z, x: tf.signal.dct([1.0], 5), ValueError, "are supported, got 5"),
        (lambda z, x: tf.signal.dct([1.0], 1), tf.errors.InvalidArgumentError, "at least two"),
        (lambda z, x: tf.signal.dct([1.0, 2.0], 1, norm="ortho"), ValueError, "Type-I"),
        (lambda z, x: tf.signal.dct([1.0], n=0), tf.errors.InvalidArgumentError, "n must be at"),
        (lambda z, x: tf.signal.frame([1.0], 0, 1), tf.errors.InvalidArgumentError, "frame_length"),
        (lambda z, x: tf.signal.frame([1.0], 1, 1.5), TypeError, "frame_step must be an integer"),
        (
            lambda z, x: tf.signal.stft(z, 4, 2),
            TypeError,
            "takes float32 or float64, got complex128",
        ),
        (
            lambda z, x: tf.signal.linear_to_mel_weight_matrix(upper_edge_hertz=5000.0),
            ValueError,
            "sample_rate / 2",
        ),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    z, x = tf.constant([1 + 2j]), tf.constant([1.0])
    with pytest.raises(error, match=text):
        call(z, x)


def test_text_keeps_every_bit() -> None:
    text = """func @f() -> (c64[2], c128) {
  %0 = constant {value = c64[2] (0.1,-0.0) (inf,0x7fc01234)} : c64[2]
  %1 = constant {value = c128 (-5e-324,1.0)} : c128
  return %0, %1
}"""
    f = parse(text)
    assert str(f) == text
    first, second = (np.asarray(r) for r in f())
    assert first.view(np.uint32)[3] == 0x7FC01234 and np.signbit(first[0].imag)
    assert second == complex(-5e-324, 1)


def test_machines_see_no_complex_numbers() -> None:
    """Kernels hold pairs of floats; a product over an axis is combined as one of pairs."""

    @tf.function
    def f(x: Any) -> Any:
        return tf.reduce_prod(x * tf.math.conj(x), axis=0)

    z = tf.constant(sample(np.complex64, 1, 40).reshape(4, 10))
    f(z)
    text = f.get_concrete_function(z).ir("kernels", verbose=True)
    head, _, kernel = text.partition("kernel = (")
    body, _, _ = kernel.rpartition("\n  } : c64[10]")
    assert "launch" in head and "complex_mul" in body and "*f32[4,10,2]" in body
    assert "c64" not in body and "c128" not in body


def test_signals_shorter_than_a_frame() -> None:
    assert tf.signal.frame([1.0, 2.0], 4, 1).shape == (0, 4)
    assert tf.signal.stft(tf.zeros([3, 2]), 4, 1).shape == (3, 0, 3)
    unknown = tf.function(
        lambda x: tf.signal.frame(x, 4, 1), input_signature=[tf.TensorSpec([None])]
    )
    assert unknown(tf.zeros([2])).shape == (0, 4) and unknown(tf.zeros([9])).shape == (6, 4)


def test_stft_inverts() -> None:
    x = np.random.default_rng(0).normal(size=(2, 128)).astype(np.float32)
    window = tf.signal.hamming_window
    spectra = tf.signal.stft(x, 16, 4, window_fn=window)
    back = tf.signal.inverse_stft(
        spectra, 16, 4, window_fn=tf.signal.inverse_stft_window_fn(4, window)
    )
    np.testing.assert_allclose(back.numpy()[:, 16:-16], x[:, 16:-16], atol=1e-5)
