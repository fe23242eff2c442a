"""Loops and branches that become one kernel: the bits of the same Python run eagerly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import native
from tfc.ir import kernel_ops, ops
from tfc.ir.text import parse

Program = Callable[..., Any]
rng = np.random.default_rng(0)


def narrow_floats(x: Any) -> Any:
    i = tf.constant(0)
    while x < tf.constant(100.0, x.dtype):
        x = x * tf.constant(1.5, x.dtype) + tf.cast(i, x.dtype)
        i += 1
    return x, i


def complex_numbers(c: Any) -> Any:
    z, n = tf.zeros([], tf.complex128), tf.constant(0)
    while n < 30 and tf.abs(z) < 2.0:
        z = z * z + c if n % 2 == 0 else tf.exp(z) * c
        n += 1
    return z, n


def reads_and_reduces(x: Any, places: Any) -> Any:
    total, seen, i = x[0] * 0.0, tf.constant(False), 0
    while i < 6:
        total += tf.reduce_sum(x * total) * 0.01 + tf.reduce_max(x[:3]) + x[places[i]]
        seen = seen or total > 50.0
        i += 1
    return total, seen


def leaves_early(n: Any) -> Any:
    x, best = tf.constant(12345, tf.uint32), tf.constant(0, tf.uint32)
    for _ in tf.range(n):
        x = x * tf.constant(1664525, tf.uint32) + tf.constant(1013904223, tf.uint32)
        best = tf.maximum(best, x)
        if x % tf.constant(100, tf.uint32) == tf.constant(7, tf.uint32):
            break
    return x, best


def common_divisors(a: Any, b: Any) -> Any:
    def divisor(pair: Any) -> Any:
        x, y = pair
        while y != 0:
            x, y = y, x % y
        return x

    return tf.map_fn(divisor, (a, b), fn_output_signature=tf.int32)


def bubble_sort(x: Any) -> Any:
    n = tf.shape(x)[0]
    a = tf.TensorArray(x.dtype, n).unstack(x)
    for i in tf.range(n):
        for j in tf.range(n - 1 - i):
            u, v = a.read(j), a.read(j + 1)
            if u > v:
                a = a.write(j, v).write(j + 1, u)
    return a.stack()


def two_arrays(x: Any) -> Any:
    n = tf.shape(x)[0]
    a = tf.TensorArray(x.dtype, n).unstack(x)
    b = tf.TensorArray(x.dtype, n).unstack(x * 2.0)
    i = 0
    while i < n:
        t = a.read(i)
        a = a.write(i, b.read(n - 1 - i))
        b = b.write(n - 1 - i, t)
        if t > 0.0:
            b = b.write(0, a.read(n - 1))
        i += 1
    return a.stack(), b.stack()


def one_start(x: Any) -> Any:
    a = tf.TensorArray(x.dtype, 5).unstack(x)
    b = a
    for i in tf.range(5):
        a = a.write(i, x[i] + 1.0)
        b = b.write(4 - i, a.read(i) * 2.0)
    return a.stack(), b.stack(), x


def backwards(x: Any) -> Any:
    def step(s: Any, v: Any) -> Any:
        return tf.cond(v > 0.0, lambda: s * 0.5 + v, lambda: s - tf.sin(v))

    return tf.scan(step, x, reverse=True)


def matrices(x: Any) -> Any:
    a = tf.TensorArray(x.dtype, 4).unstack(tf.zeros([4, 3, 3], x.dtype))
    m = x
    for i in tf.range(4):
        m = m @ x
        old = a
        if i != 2:
            a = a.write(i, m)
        m += old.read(i)
    return a.stack(), m


CASES: list[tuple[Program, list[Any]]] = [
    *((narrow_floats, [tf.constant(0.3, d)]) for d in (tf.float16, tf.bfloat16, tf.float64)),
    (complex_numbers, [0.1 + 0.2j]),
    (reads_and_reduces, [rng.normal(size=37), rng.integers(0, 37, 6)]),
    (leaves_early, [np.int32(1000)]),
    (common_divisors, [rng.integers(0, 999, 20, np.int32), rng.integers(0, 999, 20, np.int32)]),
    (bubble_sort, [rng.normal(size=12)]),
    (two_arrays, [rng.normal(size=9)]),
    (one_start, [rng.normal(size=5)]),
    (backwards, [rng.normal(size=23)]),
    (backwards, [rng.normal(size=1)]),
    (matrices, [rng.normal(size=(3, 3))]),
]


@pytest.mark.parametrize(
    ("program", "arguments"), CASES, ids=[f"{i}-{f.__name__}" for i, (f, _) in enumerate(CASES)]
)
def test_same_bits(program: Program, arguments: list[Any]) -> None:
    given = [tf.constant(a) for a in arguments]
    eager, compiled = program(*given), tf.function(program)(*given)
    pairs = zip(eager, compiled, strict=True) if isinstance(eager, tuple) else [(eager, compiled)]
    for want, got in pairs:
        assert np.asarray(got).tobytes() == np.asarray(want).tobytes()


def test_division_by_powers_of_two() -> None:
    """They are shifts and masks: floors, as for every other divisor."""
    for dtype in (np.int8, np.int32, np.int64, np.uint16):
        info = np.iinfo(dtype)
        x = np.array([info.min, info.min + 1, info.max, 0, 1, 2, 3, 77], dtype)
        for divisor in (1, 2, 64):
            d = dtype(divisor)
            f = tf.function(lambda v, d=d: (v // d, v % d))
            quotient, rest = f(tf.constant(x))
            np.testing.assert_array_equal(quotient, x // d)
            np.testing.assert_array_equal(rest, x % d)


COUNT = """
func @count(%n: i64, %x: f32[m]) -> (i64, f32) {
  %zero = constant {value = i64 0} : i64
  %none = constant {value = f32 0.0} : f32
  %a, %s = while [%zero, %none], [%n, %x] condition = (%i: i64, %t: f32, %k: i64, %v: f32[m]) {
    %c = less %i, %k : bool
    return %c
  } body = (%j: i64, %u: f32, %l: i64, %w: f32[m]) {
    %one = constant {value = i64 1} : i64
    %next = add %j, %one : i64
    %e = gather %w, %j {axis = 0} : f32
    %more = add %u, %e : f32
    return %next, %more
  } : i64, f32
  return %a, %s
}"""


def test_a_scalar_loop_is_one_launch() -> None:
    launches = native.lowered(parse(COUNT)).body
    assert [type(op) for op in launches] == [kernel_ops.Launch]
    assert any(isinstance(op, kernel_ops.Repeat) for op in launches[0].kernel.walk())


def test_what_nobody_needs_is_not_carried() -> None:
    """Without the sum, neither it nor the reads that may fail are there."""
    from tfc.ir import passes

    f = parse(COUNT.replace("return %a, %s\n}", "return %a\n}").replace("(i64, f32) {", "i64 {"))
    (loop,) = [op for op in passes.run(f).body if isinstance(op, ops.While)]
    assert len(loop.init) == 1 and len(loop.captured) == 1


def test_loops_that_run_alike_run_once() -> None:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            s = x[0] * 0.0
            for i in tf.range(4):
                s = tf.tanh(s + x[i])
        return s, tape.gradient(s, x)

    concrete = tf.function(slope).get_concrete_function(tf.TensorSpec([4]))
    assert concrete.ir("traced").count("= scan") == 3
    assert concrete.ir("optimised").count("= scan") == 2  # one there, one back
