"""Factorisations of small matrices: in registers, in tiles, on a GPU and in NumPy the same bits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import emulated, native
from tfc.ir.ops.linalg import Cholesky, Determinant, Inverse, Solve
from tfc.ir.ops.small_matrices import REGISTER_ROWS_MAX, SMALL_ROWS_MAX
from tfc.ir.text import parse

Invalid = tf.errors.InvalidArgumentError
rng = np.random.default_rng(5)
NAMES = ("solve", "inv", "det", "cholesky")
ROWS = (1, 2, REGISTER_ROWS_MAX, REGISTER_ROWS_MAX + 1, SMALL_ROWS_MAX, SMALL_ROWS_MAX + 1)


def operands(name: str, batch: int, n: int, dtype: str = "float64") -> list[np.ndarray]:
    """Matrices whose pivots are off the diagonal: a third of them have zeros on it, and elements of
    one size; or, for Cholesky's factors, definite ones."""
    x = rng.normal(size=(batch, n, n))
    x[::3] = np.sign(x[::3]) + 0.25 * np.round(x[::3])
    if n > 1:
        x[::3, np.arange(n), np.arange(n)] = 0
    x[::3, np.arange(n), (np.arange(n) + 1) % n] += 3 * n
    if name == "cholesky":
        x = x @ np.swapaxes(x, 1, 2) + np.eye(n)
    x = x.astype(dtype)
    return [x, rng.normal(size=(batch, n, 3)).astype(dtype)] if name == "solve" else [x]


def bits(*arrays: Any) -> list[bytes]:
    return [np.asarray(a).tobytes() for a in arrays]


@pytest.mark.parametrize("name", NAMES)
def test_results_are_numpys(name: str) -> None:
    """Also beside the sizes that are computed by kernels, and of float32 as exact as NumPy's."""
    call, reference = getattr(tf.linalg, name), getattr(np.linalg, name)
    for number, n in enumerate(ROWS):
        dtype = ("float64", "float32")[number % 2]
        for batch in (0, 1, 21):
            given = operands(name, batch, n, dtype)
            found, wanted = call(*map(tf.constant, given)).numpy(), reference(*given)
            assert found.dtype == dtype and found.shape == wanted.shape
            close = 1e-11 if dtype == "float64" else 1e-6
            scale = np.abs(wanted).max(initial=1)
            np.testing.assert_allclose(found / scale, wanted / scale, rtol=close, atol=close)


@pytest.mark.parametrize("name", NAMES)
def test_all_ways_give_the_same_bits(name: str) -> None:
    """Eager, compiled, with a batch of unknown size, with rows of unknown number (which NumPy
    computes), and each matrix alone."""
    call = getattr(tf.linalg, name)
    rank = [tf.TensorSpec([None] * 3, tf.float32)] * (2 if name == "solve" else 1)
    unknown = tf.function(call, input_signature=rank)
    for n in (3, REGISTER_ROWS_MAX + 2):
        compiled = tf.function(call, reduce_retracing=True)
        for batch in (21, 2):
            given = operands(name, batch, n, "float32")
            wanted = bits(call(*map(tf.constant, given)))
            assert bits(compiled(*map(tf.constant, given))) == wanted
            assert bits(unknown(*map(tf.constant, given))) == wanted
        alone = [call(*(tf.constant(v[i]) for v in given)) for i in range(2)]
        assert bits(np.stack(alone)) == wanted


def test_ill_conditioned_systems() -> None:
    """The residual is small, however large the error: elimination chooses its pivots."""
    for n in (REGISTER_ROWS_MAX, 12):
        i = np.arange(n)
        hilbert = 1 / (1.0 + i[:, None] + i)
        tiny = np.eye(n)[::-1] + 1e-17 * np.eye(n)  # without pivots the tiny ones are divided by
        for x in (hilbert, tiny):
            rhs = rng.normal(size=(n, 2))
            y = tf.linalg.solve(x, rhs).numpy()
            size = np.abs(x).sum(1).max() * np.abs(y).max()
            assert np.abs(x @ y - rhs).max() < 1e-15 * n * max(size, 1)


SINGULAR = np.ones((2, 2)), np.zeros((6, 6)), np.ones((6, 6)), np.diag([1.0, 2, 0, 3])


@pytest.mark.parametrize("x", SINGULAR, ids=lambda x: f"{x.shape[0]} rows, {x[0, 0]:.0f}")
def test_singular_matrices(x: np.ndarray) -> None:
    """One in a batch is enough; its determinant is 0."""
    n = x.shape[0]
    batch = np.stack([np.eye(n)] * 18)
    batch[17] = x
    assert tf.linalg.det(batch).numpy().tolist() == [1.0] * 17 + [0.0]
    unknown = tf.function(
        lambda v: tf.linalg.inv(v), input_signature=[tf.TensorSpec([None] * 3, tf.float64)]
    )
    for call, text in (
        (
            lambda: tf.linalg.solve(batch, np.ones((18, n, 1))),
            r"matrix is not invertible.*Op:solve",
        ),
        (lambda: tf.linalg.inv(batch), r"Input is not invertible.*Op:inverse"),
        (lambda: unknown(batch), r"Input is not invertible.*Op:inverse"),
        (lambda: tf.linalg.cholesky(-batch), r"not successful.*Op:cholesky"),
    ):
        with pytest.raises(Invalid, match=text):
            call()


def test_what_is_not_finite() -> None:
    """As LAPACK: nan is no pivot of 0, and shows in the results; the upper triangle of what has
    Cholesky's factor is not read."""
    for n in (2, 6):
        x = np.eye(n)
        x[0, 1] = np.nan
        assert np.isnan(tf.linalg.det(x)) and np.isnan(tf.linalg.inv(x)).any()
        assert np.array_equal(tf.linalg.cholesky(x), np.eye(n))
        assert np.isnan(tf.linalg.cholesky(x.T)).any()
        x = np.zeros((n, n))
        x[n - 1, n - 1] = np.inf
        assert np.isnan(tf.linalg.det(x))  # a pivot of 0 does not hide it


@pytest.mark.parametrize("n", [3, 6])
def test_gradients_are_those_of_larger_matrices(n: int) -> None:
    """A small system has the gradient that it has as a block of a larger one, where LAPACK is."""
    x = rng.normal(size=(2, n, n)) + 4 * np.eye(n)
    x = x @ np.swapaxes(x, 1, 2)
    rhs = rng.normal(size=(2, n, 1))
    more = SMALL_ROWS_MAX + 2 - n

    def total(x: Any, rhs: Any, pad: int) -> Any:
        corner = tf.linalg.diag(tf.concat([tf.zeros(n, x.dtype), tf.ones(pad, x.dtype)], 0))
        x = tf.pad(x, [[0, 0], [0, pad], [0, pad]]) + corner
        rhs = tf.pad(rhs, [[0, 0], [0, pad], [0, 0]])
        chol = tf.linalg.cholesky(x)
        parts = tf.linalg.solve(x, rhs), tf.linalg.inv(x), tf.math.log(tf.linalg.det(x)), chol
        return tf.add_n([tf.reduce_sum(tf.sin(part[:, :n])) for part in parts[:2]]) + (
            tf.reduce_sum(parts[2]) + tf.reduce_sum(chol[:, :n, :n] ** 3)
        )

    values = [tf.Variable(x), tf.Variable(rhs)]
    found = []
    for pad in (0, more):
        with tf.GradientTape() as tape:
            result = total(*values, pad)
        found.append([g.numpy() for g in tape.gradient(result, values)])
    for small, large in zip(*found, strict=True):
        np.testing.assert_allclose(small, large, rtol=1e-9, atol=1e-12)


KERNELS = """func @small(%x: T[a,N,N], %y: T[a,N,2]) -> (T[a,N,2], T[a,N,N], T[a], T[a,N,N]) {
  %0 = small_solve %x, %y : T[a,N,2]
  %1 = small_inverse %x : T[a,N,N]
  %2 = small_determinant %x : T[a]
  %3 = small_cholesky %x : T[a,N,N]
  return %0, %1, %2, %3
}"""


@pytest.mark.parametrize(("n", "short", "order"), [(3, "f32", "random"), (6, "f64", "reversed")])
def test_gpus(n: int, short: str, order: str) -> None:
    """A thread for each matrix has the CPU's bits, and finds the singular one."""
    f = parse(KERNELS.replace("N", str(n)).replace("T[", f"{short}["))
    device, host = emulated.Emulated(f, order), native.Native(f)
    dtype = {"f32": "float32", "f64": "float64"}[short]
    for batch in (0, 1, 37):
        (x,) = operands("cholesky", batch, n, dtype)
        y = operands("solve", batch, n, dtype)[1][:, :, :2].copy()
        native.assert_same_bits(device(x, y), host(x, y), f"{batch}")
    x[20] = 1
    with pytest.raises(emulated.Failed) as caught:
        device(x, y)
    assert device.f.notes["sites"][caught.value.args[0] - 1].kind == "check"


def test_saved_models_have_them(tmp_path: Path) -> None:
    """Programs may be saved with these ops, and give the same bits."""

    class Model(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 3, 3], tf.float64)])
        def __call__(self, x: Any) -> Any:
            return [getattr(tf.linalg, name)(x) for name in NAMES[1:]], tf.linalg.solve(x, x)

    model, (x,) = Model(), map(tf.constant, operands("cholesky", 5, 3))
    tf.saved_model.save(model, str(tmp_path))
    loaded = tf.nest.flatten(tf.saved_model.load(str(tmp_path))(x))
    assert bits(*loaded) == bits(*tf.nest.flatten(model(x)))


def test_what_no_kernel_is_for() -> None:
    """Sizes and dtypes that the ops do not take: an error that says so, where the IR is written."""
    for text in ("f64[a,17,17]", "c128[a,3,3]", "f64[a,n,n]", "f64[a,0,0]"):
        with pytest.raises(Exception, match="takes float32 or float64 matrices of 1 to 16 rows"):
            parse(
                f"func @f(%x: {text}) -> {text} {{\n  %0 = small_inverse %x : {text}\n"
                "  return %0\n}"
            )


def test_eager_code_has_the_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy is asked for nothing small, also for gradients; nor for batches of as many matrices as
    these have rows, of Variables, or after larger ones, whose code takes any size."""
    calls = []
    for op in (Solve, Inverse, Determinant, Cholesky):
        usual = op.numpy

        def noted(self: Any, *given: Any, usual: Any = usual) -> Any:
            calls.append(given[0].shape)
            return usual(self, *given)

        monkeypatch.setattr(op, "numpy", noted)
    for name in NAMES:
        call, reference = getattr(tf.linalg, name), getattr(np.linalg, name)
        call(*map(tf.constant, operands(name, 2, SMALL_ROWS_MAX + 1)))
        assert calls.pop()[-1] == SMALL_ROWS_MAX + 1 and not calls
        for n in (1, 3, SMALL_ROWS_MAX):
            for batch in (1, n, 7):
                given = operands(name, batch, n)
                wanted = reference(*given)
                for wrap in (tf.constant, tf.Variable):
                    np.testing.assert_allclose(call(*map(wrap, given)), wanted, 1e-9, 1e-9)
        x = tf.Variable(operands(name, 3, 3)[0])
        with tf.GradientTape() as tape:
            y = call(x, x[..., :2]) if name == "solve" else call(x)
        assert np.isfinite(tape.gradient(y, x)).all()
        assert not calls


def test_a_gradient_has_the_functions_bits() -> None:
    """Where eager code has known sizes and a function too, and where it has symbols for them."""
    for name in NAMES:
        call = getattr(tf.linalg, name)

        def gradients(*given: Any, call: Any = call) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(given)
                y = tf.reduce_sum(tf.sin(call(*given)))
            return tape.gradient(y, given)

        specs = [tf.TensorSpec([None] * 3, tf.float64)] * (2 if name == "solve" else 1)
        anyhow = tf.function(gradients, input_signature=specs)
        for batch, n in ((3, 3), (4, 3), (2, SMALL_ROWS_MAX), (2, SMALL_ROWS_MAX + 1)):
            given = [tf.constant(x) for x in operands(name, batch, n)]
            eager = bits(*gradients(*given))
            assert eager == bits(*tf.function(gradients)(*given)) == bits(*anyhow(*given))


def test_least_squares_of_few_unknowns() -> None:
    for shape in ((2, 7, 3), (2, 3, 7), (3, 3, 3)):
        x, y = rng.normal(size=shape), rng.normal(size=(*shape[:2], 2))
        wanted = np.stack([np.linalg.lstsq(a, b, None)[0] for a, b in zip(x, y, strict=True)])
        np.testing.assert_allclose(tf.linalg.lstsq(x, y), wanted, 1e-6, 1e-6)
