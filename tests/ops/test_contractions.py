"""Contractions: every schedule at the sizes where it has edges, with equal bits everywhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tfc as tf
from tests.sampling import ALL
from tfc.ir.ops.contraction import BLOCK

EDGES = (1, 2, 3, 4, 5, 11, 12, 13, 15, 16, 17, 31, 32, 33, 67)
rng = np.random.default_rng(0)


def array(dtype: str, *shape: int) -> Any:
    if np.dtype(tf.as_dtype(dtype).as_numpy_dtype).kind in "iu":
        return rng.integers(0, 9, shape).astype(dtype)
    return rng.standard_normal(shape).astype(tf.as_dtype(dtype).as_numpy_dtype)


def check(x: Any, y: Any, result: Any, dtype: str) -> None:
    wide = np.longdouble if dtype == "float64" else np.float64
    whole = np.dtype(x.dtype).kind in "iu"
    with np.errstate(over="ignore"):
        expected = x @ y if whole else x.astype(wide) @ y.astype(wide)
    if whole:
        np.testing.assert_array_equal(result, expected)
        return
    scale = np.abs(x).astype(wide) @ np.abs(y).astype(wide)
    unit = {"float64": 2e-15, "float32": 2e-6, "float16": 2e-3, "bfloat16": 1e-2}[dtype]
    error = np.abs(result.astype(wide) - expected)
    assert (error <= unit * scale + unit * np.abs(expected)).all(), error.max()


def product(x: Any, y: Any, **how: bool) -> np.ndarray:
    return np.asarray(tf.matmul(tf.constant(x), tf.constant(y), **how).numpy())


def same(x: Any, y: Any) -> None:
    np.testing.assert_array_equal(
        np.ascontiguousarray(x).view(np.uint8), np.ascontiguousarray(y).view(np.uint8)
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "float16", "int32", "uint8"])
def test_edges(dtype: str) -> None:
    shapes = [(m, 5, 33) for m in EDGES] + [(13, k, 7) for k in EDGES] + [(5, 9, n) for n in EDGES]
    shapes += [(0, 3, 4), (3, 0, 4), (3, 4, 0), (70, BLOCK + 1, 70), (65, 2 * BLOCK, 129)]
    for m, k, n in shapes:
        x, y = array(dtype, m, k), array(dtype, k, n)
        check(x, y, product(x, y), dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("k", [1, 7, 16, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5])
def test_one_row_one_column(dtype: str, k: int) -> None:
    """They have schedules of their own, with the bits of a row or column of a larger product."""
    x, y = array(dtype, 70, k), array(dtype, k, 83)
    both = product(x, y)
    check(x, y, both, dtype)
    same(product(x[5:6], y), both[5:6])
    same(product(x, np.ascontiguousarray(y[:, 6:7])), both[:, 6:7])
    same(product(x[3:4], np.ascontiguousarray(y[:, 80:81])), both[3:4, 80:81])
    same(product(x[:9], np.ascontiguousarray(y[:, :6])), both[:9, :6])
    same(product(np.ascontiguousarray(y[:, 6:7].T), x.T.copy()), both[:, 6:7].T)


def test_long_dot() -> None:
    for k in (BLOCK * 32, 70001):
        x, y = array("float32", 1, k), array("float32", k, 1)
        check(x, y, product(x, y), "float32")
        wider = np.concatenate([y, y], axis=1)
        same(product(x, y), product(x, wider)[:, :1])


TRANSPOSED = [(70, 300, 90), (5, 17, 33), (1, 40, 90), (65, 40, 1)]
TRANSPOSED += [(70, 17, 133), (40, 5, 90), (30, 20, 6700)]  # short panels, more than fit at once


@pytest.mark.parametrize("shape", TRANSPOSED)
def test_transposes_have_the_same_bits(shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    x, y = array("float32", m, k), array("float32", k, n)
    plain = product(x, y)
    same(product(x.T.copy(), y, transpose_a=True), plain)
    same(product(x, y.T.copy(), transpose_b=True), plain)
    same(product(x.T.copy(), y.T.copy(), transpose_a=True, transpose_b=True), plain)


def test_static_and_symbolic_and_fused_have_the_same_bits() -> None:
    def layer(x: Any, y: Any, b: Any) -> Any:
        z = tf.matmul(x, y)
        return z, tf.nn.relu(z + b) * 2.0, tf.cast(z, tf.float64)

    fixed, free = tf.function(layer), tf.function(layer)
    spec = [tf.TensorSpec([None, None]), tf.TensorSpec([None, None]), tf.TensorSpec([None])]
    free = free.get_concrete_function(*spec)
    shapes = [(1, 300, 40), (7, 5, 1), (70, 600, 90), (64, 256, 33), (128, 300, 513)]
    # Few rows, whose right operand no near cache holds, and the first number that is not few.
    shapes += [(5, 600, 330), (9, 700, 300), (32, 600, 330), (33, 600, 330)]
    for m, k, n in shapes:
        x, y, b = array("float32", m, k), array("float32", k, n), array("float32", n)
        tensors = [tf.constant(v) for v in (x, y, b)]
        eager = product(x, y)
        for f in (fixed, free):
            z, activated, wide = f(*tensors)
            same(z, eager)
            same(activated, np.maximum(eager + b, np.float32(0)) * np.float32(2))
            same(wide, eager.astype(np.float64))


@pytest.mark.parametrize("n", [100, 130, 145, 170, 190])
def test_last_panels_are_computed_in_whole_registers(n: int) -> None:
    """As many as a power of two: LLVM takes others apart, element by element."""
    f = tf.function(tf.matmul)
    x, y = tf.constant(array("float32", 130, 120)), tf.constant(array("float32", 120, n))
    code = f.get_concrete_function(x, y).ir("llvm")
    assert not re.search(r"<(48|24|12) x float>", code)
    same(f(x, y).numpy(), product(x.numpy(), y.numpy()))


def complex_array(dtype: str, *shape: int) -> Any:
    return (array("float64", *shape) + 1j * array("float64", *shape)).astype(dtype)


COMPLEX_SHAPES = [(1, 7, 33), (40, BLOCK, 1), (1, 99, 1), (3, 20, 70), (7, 5, 18), (70, 250, 90)]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("shape", COMPLEX_SHAPES)
def test_complex_products_are_made_of_real_ones(shape: tuple[int, int, int], dtype: str) -> None:
    m, k, n = shape
    x, y = complex_array(dtype, m, k), complex_array(dtype, k, n)
    (a, b), (c, d) = ([part.copy() for part in (z.real, z.imag)] for z in (x, y))
    z = product(x, y)
    same(z.real, product(a, c) - product(b, d) + 0)
    same(z.imag, product(a, d) + product(b, c) + 0)


@pytest.mark.parametrize("shape", [*COMPLEX_SHAPES, (4, 300, 600), (40, 600, 60), (130, 300, 290)])
def test_complex_products_have_the_same_bits(shape: tuple[int, int, int]) -> None:
    """In every schedule: of known sizes, of any, of adjoint operands, and of batches."""
    m, k, n = shape
    x, y = complex_array("complex64", m, k), complex_array("complex64", k, n)
    eager = product(x, y)
    np.testing.assert_allclose(eager, x.astype("D") @ y.astype("D"), rtol=0, atol=1e-3)
    same(tf.function(tf.matmul)(tf.constant(x), tf.constant(y)), eager)
    left, right = (np.ascontiguousarray(z.conj().T) for z in (x, y))
    same(product(left, right, adjoint_a=True, adjoint_b=True), eager)
    adjoint = tf.function(lambda x, y: tf.matmul(x, y, adjoint_a=True, adjoint_b=True))
    same(adjoint(tf.constant(left), tf.constant(right)), eager)
    same(product(x, right, adjoint_b=True), eager)
    batch = product(np.stack([x, x * 2]), np.stack([y, y]))
    same(batch, np.stack([eager, eager * 2]))


@pytest.mark.parametrize("k", [3, 600])
def test_products_with_the_adjoint_are_hermitian(k: int) -> None:
    x = complex_array("complex64", 45, k)
    z = product(x, x, adjoint_b=True) + 0
    same(z, z.conj().T + 0)
    assert not z.imag.diagonal().any()


ROWS = [(1, 1, 700), (1, BLOCK, 1500), (1, BLOCK + 1, 1024), (1, 3 * BLOCK + 7, 2500)]


@pytest.mark.parametrize("shape", [*ROWS, (1, 9000, 40), (70, 900, 1)])
def test_one_row_one_column_on_any_threads(shape: tuple[int, int, int]) -> None:
    """Threads share the blocks of k of one row, whose sums are added in order."""
    m, k, n = shape
    f = tf.function(lambda x, y, b: (tf.matmul(x, y), tf.nn.relu(tf.matmul(x, y) + b)))
    free = tf.function(lambda x, y: tf.matmul(x, y))
    free = free.get_concrete_function(*[tf.TensorSpec([None, None])] * 2)
    x, y, b = array("float32", m, k), array("float32", k, n), array("float32", n)
    rows, columns = (2 if m == 1 else m), (2 if n == 1 else n)
    more = product(np.resize(x, (rows, k)), np.repeat(y, columns // n, axis=1))[:m, :n]
    z = complex_array("complex64", 1, k), complex_array("complex64", k, n)
    own = product(*z)
    threads = tf.config.threading.get_intra_op_parallelism_threads()
    try:
        for count in (1, 2, 3, 8):
            tf.config.threading.set_intra_op_parallelism_threads(count)
            tensors = tf.constant(x), tf.constant(y)
            plain, activated = f(*tensors, tf.constant(b))
            same(plain, more)
            same(activated, np.maximum(more + b, np.float32(0)))
            same(product(x, y), more)
            same(free(*tensors), more)
            same(product(*z), own)
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(threads)


def test_few_rows_go_through_all_columns_of_a_block() -> None:
    """So that what is read next to each other lies in few pages of memory."""
    f = tf.function(tf.matmul)
    shapes = tf.TensorSpec([20, 8 * BLOCK]), tf.TensorSpec([8 * BLOCK, 1024])
    kernels = f.get_concrete_function(*shapes).ir("kernels", verbose=True)
    assert re.search(rf"step = {BLOCK}, .*\n(?:(?!.* for ).*\n)*.*parallel ", kernels)


def test_threads_share_the_blocks_of_a_row() -> None:
    """There are as many tasks as blocks, though all columns are read at once."""
    f = tf.function(tf.matmul)
    shapes = tf.TensorSpec([1, 8 * BLOCK]), tf.TensorSpec([8 * BLOCK, 1024])
    kernels = f.get_concrete_function(*shapes).ir("kernels", verbose=True)
    count = re.search(r"parallel (%\w+),", kernels)
    assert count is not None and f"{count[1]} = constant {{value = i64 8}}" in kernels


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "complex64", "int8"])
def test_products_of_which_nothing_is_left_are_reductions(dtype: str) -> None:
    """Their lanes are along k: the bits are those of a sum, known sizes or not."""
    wide = tf.as_dtype("float32" if dtype == "bfloat16" else dtype)
    free = tf.function(tf.tensordot).get_concrete_function(
        *[tf.TensorSpec([None], dtype)] * 2, axes=1
    )
    for k in (0, 1, 63, 700, 5000):
        make = complex_array if dtype == "complex64" else array
        x, y = (tf.constant(make(dtype, k)) for _ in range(2))
        total = tf.cast(tf.reduce_sum(tf.cast(x, wide) * tf.cast(y, wide)), dtype)
        same(tf.tensordot(x, y, 1), total)
        same(free(x, y), total)
        same(tf.einsum("i,i->", x, y), total)
        if k == 700:
            x, y = tf.reshape(x, [20, 35]), tf.transpose(tf.reshape(y, [20, 35]))
            same(tf.tensordot(x, y, [[0, 1], [1, 0]]), total)
    with pytest.raises(tf.errors.InvalidArgumentError, match="incompatible"):
        tf.tensordot(tf.ones([3]), tf.ones([4]), 1)


def test_epilogue_alone() -> None:
    """The result of the product itself is nowhere in memory, and does not fit where it goes."""

    @tf.function
    def f(x: Any, y: Any) -> Any:
        return tf.cast(tf.matmul(x, y) * 3.0, tf.float64), tf.matmul(x, y) > 0.0

    x, y = array("float32", 70, 600), array("float32", 600, 90)
    wide, positive = f(tf.constant(x), tf.constant(y))
    eager = product(x, y)
    same(wide, (eager * np.float32(3)).astype(np.float64))
    same(positive, eager > 0)


BATCHES = [(3, 5, 7, 9), (2, 70, 40, 70), (4, 1, 33, 20), (2, 20, 300, 1)]
BATCHES += [(2, 70, 300, 90), (2, 13, 600, 200)]  # worth packing
BATCHES += [(2, 5, 600, 500)]  # as large, but of few rows
UNKNOWN = [tf.TensorSpec([None] * rank) for rank in (3, 3, 1)]
LAYERS = tf.function(lambda x, y, b: tf.nn.relu(tf.matmul(x, y) + b), input_signature=UNKNOWN)


@pytest.mark.parametrize("shape", BATCHES)
def test_batches(shape: tuple[int, int, int, int]) -> None:
    count, m, k, n = shape
    x, y = array("float32", count, m, k), array("float32", count, k, n)
    both = product(x, y)
    for i in range(count):
        same(both[i], product(x[i], y[i]))
    activated = LAYERS(tf.constant(x), tf.constant(y), tf.ones([n]))
    same(activated, np.maximum(both + np.float32(1), np.float32(0)))


def test_zeros_and_specials() -> None:
    x, y = np.full((3, 4), np.inf, np.float32), np.zeros((4, 5), np.float32)
    assert np.isnan(product(x, y)).all()
    zero = product(np.zeros((3, 0), np.float32), np.zeros((0, 5), np.float32))
    same(zero, np.zeros((3, 5), np.float32))
    x = np.float32([[-1e-30]])
    same(product(x, np.float32([[1e-30]])), np.zeros((1, 1), np.float32))  # 0 + -0
    nan = np.zeros((13, 20), np.float32)
    nan[12, 19] = np.nan
    y = np.ones((20, 40), np.float32)
    assert np.isnan(product(nan, y)).sum() == 40


sizes = st.integers(1, 90)


@settings(max_examples=40, deadline=None)
@given(sizes, st.integers(0, 600), sizes, st.booleans(), st.booleans())
def test_random_shapes(m: int, k: int, n: int, flip_x: bool, flip_y: bool) -> None:
    x, y = array("float32", m, k), array("float32", k, n)
    a = np.ascontiguousarray(x.T) if flip_x else x
    b = np.ascontiguousarray(y.T) if flip_y else y
    result = product(a, b, transpose_a=flip_x, transpose_b=flip_y)
    check(x, y, result, "float32")
    same(result[: m // 2], product(x[: m // 2], y))


@pytest.mark.parametrize("turned", [False, True])
def test_memory_is_asked_for_before_it_is_needed(turned: bool) -> None:
    """The panel's next rows, the rows that the next strip is packed from, and the result's."""
    f = tf.function(lambda x, y: tf.matmul(x, y, transpose_a=turned))
    square = tf.TensorSpec([512, 512], tf.float32)
    kernels = f.get_concrete_function(square, square).ir("kernels", verbose=True)
    asked = re.findall(r"prefetch %([a-z]*)[^{]*{purpose = '(\w+)'}", kernels)
    assert set(asked) == {("out", "store"), ("x", "later"), ("", "load")}


@pytest.mark.parametrize("rows, launches", [(4, 1), (20, 2), (30, 1), (100, 2), (300, 1)])
def test_a_transposed_right_is_stored_for_small_products_alone(rows: int, launches: int) -> None:
    """Those read its rows again and again; others pack it as it lies."""
    f = tf.function(lambda x, y: tf.matmul(x, y, transpose_b=True))
    x, y = tf.TensorSpec([rows, 260]), tf.TensorSpec([260, 260])
    assert f.get_concrete_function(x, y).ir("kernels", verbose=True).count("launch") == launches


@pytest.mark.parametrize("k, kept", [(None, True), (50, False)])
def test_addresses_of_rows_that_are_unknown_distances_apart_are_kept(
    k: int | None, kept: bool
) -> None:
    f = tf.function(tf.matmul)
    kernels = f.get_concrete_function(tf.TensorSpec([9, k]), tf.TensorSpec([k, 40])).ir(
        "kernels", verbose=True
    )
    assert (" = opaque " in kernels) == kept


@pytest.mark.parametrize("n, shared", [(1024, True), (64, False)])
def test_threads_share_what_waits_for_memory(n: int, shared: bool) -> None:
    """Few rows, whose multiply-adds alone would not be worth it."""
    f = tf.function(tf.matmul)
    kernels = f.get_concrete_function(tf.TensorSpec([4, n]), tf.TensorSpec([n, n])).ir(
        "kernels", verbose=True
    )
    assert (" parallel " in kernels) == shared


def test_few_rows_ask_for_the_rows_of_a_large_right() -> None:
    f = tf.function(lambda x, y: tf.matmul(x, y))
    for k, asked in ((100, 0), (1000, 4)):
        x, y = tf.TensorSpec([4, k]), tf.TensorSpec([k, 1000])
        kernels = f.get_concrete_function(x, y).ir("kernels", verbose=True)
        assert len(re.findall("prefetch %y", kernels)) >= asked
        assert ("prefetch" in kernels) == (asked > 0)


def test_few_rows_ask_for_what_a_large_right_is_made_of() -> None:
    f = tf.function(lambda x, q, s: tf.matmul(x, tf.cast(q, tf.float32) * s))
    spec = tf.TensorSpec([4, 1000]), tf.TensorSpec([1000, 1024], tf.int8), tf.TensorSpec([1024])
    kernels = f.get_concrete_function(*spec).ir("kernels", verbose=True)
    assert kernels.count("launch") == 1 and "prefetch %q" in kernels


FLIPS = [(False, False), (True, False), (False, True)]  # which operands are transposed
SMALL = {  # dtypes of small integers: sizes and flips
    "int8 int8": ([(40, 300, 37), (33, 2049, 20)], FLIPS),
    "uint8 int8": ([(40, 1027, 37)], FLIPS[:1]),
    "int8 uint8": ([(40, 1027, 37)], FLIPS[1:2]),
    "int16 int8": ([(40, 1027, 37)], FLIPS[2:]),
}


@pytest.mark.parametrize("types", SMALL)
def test_sums_of_small_integers_are_exact(types: str) -> None:
    """Those that an instruction multiplies and adds several at a time (small_integers.py)."""
    ranges = [np.iinfo(dtype) for dtype in types.split()]
    shapes, every = SMALL[types]
    for m, k, n in shapes:
        for flips in every:
            sides = (k, m) if flips[0] else (m, k), (n, k) if flips[1] else (k, n)
            x, y = (
                rng.integers(r.min, r.max + 1, side, r.dtype)
                for r, side in zip(ranges, sides, strict=True)
            )
            x[0], y[0] = ranges[0].min, ranges[1].min  # the largest sums
            sizes = [[None, None] if m == 40 else v.shape for v in (x, y)]
            specs = [tf.TensorSpec(s, v.dtype) for s, v in zip(sizes, (x, y), strict=True)]

            def f(x: Any, y: Any, flips: tuple[bool, bool] = flips) -> Any:
                return tf.matmul(tf.cast(x, tf.int32), tf.cast(y, tf.int32), *flips) + 1

            wide = [np.int64(v.T if flip else v) for v, flip in zip((x, y), flips, strict=True)]
            got = tf.function(f, input_signature=specs)(x, y).numpy()
            np.testing.assert_array_equal(got, (wide[0] @ wide[1] + 1).astype(np.int32))


SCALES = {  # of left and right
    "usual": (1.0, 1.0),
    "products below the normal numbers": (1e-20, 1e-19),
    "below the normal numbers": (1e-39, 1e3),
}


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("flips", FLIPS)
def test_products_of_bfloat16_have_the_bits_of_float32(
    flips: tuple[bool, bool], scale: str
) -> None:
    """Two of them by one instruction where there is one (bfloat16_pairs.py), of float32 never:
    whole tiles and others, lengths that pairs do not fill, sizes that nobody knows."""
    for m, k, n in [(40, 257, 70), (64, 512, 128)]:
        sides = (k, m) if flips[0] else (m, k), (n, k) if flips[1] else (k, n)
        scaled = zip(sides, SCALES[scale], strict=True)
        wide = [np.float32(rng.standard_normal(side) * s) for side, s in scaled]
        wide[0][rng.random(sides[0]) < 0.1] = 0
        x, y = (tf.cast(v, tf.bfloat16) for v in wide)

        def f(x: Any, y: Any) -> Any:
            z = tf.matmul(x, y, *flips)
            return (
                z,
                tf.nn.relu(z),
                tf.matmul(tf.cast(x, tf.float32), tf.cast(y, tf.float32), *flips),
            )

        a, b = (tf.constant(v.numpy().astype(np.float32)) for v in (x, y))
        sums = tf.matmul(a, b, *flips)
        unknown = [tf.TensorSpec([None, None], tf.bfloat16)] * 2
        for known in (tf.function(f), tf.function(f, input_signature=unknown), f):
            z, activated, unrounded = known(x, y)
            same(unrounded.numpy(), sums.numpy())
            same(z.numpy().view(np.uint16), tf.cast(sums, tf.bfloat16).numpy().view(np.uint16))
            positive = tf.nn.relu(tf.cast(sums, tf.bfloat16)).numpy()
            same(activated.numpy().view(np.uint16), positive.view(np.uint16))


def test_products_of_bfloat16_with_what_is_not_finite() -> None:
    """Behind the end of k is nothing that would make nan of an infinity."""
    x, y = np.ones((40, 257), np.float32), np.ones((257, 70), np.float32)
    x[3, 256], x[4, 256], y[256, 5], x[7, 0] = np.inf, -np.inf, np.inf, np.nan
    for flip in (False, True):
        half = [tf.cast(v.T if flip else v, tf.bfloat16) for v in (x, y)]
        z = tf.function(tf.matmul)(*half, flip, flip).numpy()
        wanted = (x @ y).astype(z.dtype)
        np.testing.assert_array_equal(np.float32(z), np.float32(wanted))


# Vectors of 32 bytes without fused multiply-add, and of 16 bytes with it. (test_convolutions.py
# takes the others.)
MACHINES = ["-avx512f", "-avx2", "-avx", "-fma"] if ALL else ["-avx2", "-fma"]
SUMS = """
import numpy as np, hashlib, tfc as tf
rng = np.random.default_rng(1)
for m, k, n in [(5, 7, 9), (70, 300, 90), (1, 300, 40), (40, 300, 1), (1, 900, 1), (128, 20, 65)]:
    for dtype in ("float32", "float64" if m in (70, 1) else "int8"):
        x, y = (rng.standard_normal(s) * 4 for s in ((m, k), (k, n)))
        x, y = x.astype(dtype), y.astype(dtype)
        for flip in (False, True) if dtype == "float32" else (m in (70, 40),):
            z = tf.matmul(x, np.ascontiguousarray(y.T) if flip else y, transpose_b=flip).numpy()
            scale = 1e-30 + np.abs(x.astype("d")) @ np.abs(y.astype("d"))
            if dtype != "int8":
                assert (np.abs(z - x.astype("d") @ y.astype("d")) <= 2e-6 * scale).all()
            print(hashlib.sha256(z.tobytes()).hexdigest())
x, y = (rng.integers(-128, 128, s, np.int8) for s in ((70, 1030), (1030, 90)))
z = tf.matmul(x, y, output_type=tf.int32).numpy()
assert (z == x.astype("i") @ y.astype("i")).all()
"""


def test_rows_at_constant_places_are_packed() -> None:
    """A table that is read where the operand is packed is stored first, in functions too."""
    x, y = array("float32", 3, 5), array("float32", 4, 5)

    @tf.function
    def f(x: Any, y: Any) -> Any:
        rows = tf.gather(y, tf.constant([0, 2], tf.int64))
        return tf.matmul(x, rows, transpose_b=True)

    check(x, y[[0, 2]].T, f(tf.constant(x), tf.constant(y)).numpy(), "float32")


def test_machines_have_the_same_bits(tmp_path: Path) -> None:
    """Vectors of 64, 32 and 16 bytes, and no fused multiply-add in hardware."""

    def run(features: str) -> str:
        environment = {**os.environ, "TFC_CPU_FEATURES": features}
        done = subprocess.run(
            [sys.executable, "-c", SUMS], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    own = run("")
    for features in MACHINES:
        assert run(features) == own, features


def test_one_row_or_column_or_none() -> None:
    """Of which a function knows that there are no more."""

    def products(x: tf.Tensor, y: tf.Tensor) -> list[tf.Tensor]:
        row, column = x[:1], y[:, :1]
        across = tf.matmul(row, x, transpose_b=True), tf.matmul(column, y, transpose_a=True)
        return [row @ y, x @ column, row @ column, *across]

    f = tf.function(products, input_signature=[tf.TensorSpec([None, None], tf.float32)] * 2)
    for m, k, n in ((7, 300, 5), (1, 40, 33), (0, 5, 3), (3, 5, 0)):
        x, y = (rng.integers(-8, 9, s).astype(np.float32) for s in ((m, k), (k, n)))
        row, column = x[:1], y[:, :1]
        wanted = [row @ y, x @ column, row @ column, row @ x.T, column.T @ y]
        for got, value in zip(f(x, y), wanted, strict=True):
            np.testing.assert_array_equal(got, value)
