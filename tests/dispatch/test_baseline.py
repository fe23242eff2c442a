"""Eager ops start with code that is generated quickly, and get full code when they are called often
or with much: with the same bits, whoever calls, and once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.backends import disk_cache
from tfc.backends.baseline import BUDGET_BYTES, CALL_BYTES
from tfc.backends.cpu import jit
from tfc.backends.cpu.runtime import runtime
from tfc.backends.cpu.runtime.runtime import MISS
from tfc.backends.disk_cache import Cache
from tfc.dispatch.execution import compile_function
from tfc.dispatch.primitive import Primitive, primitive
from tfc.ir import parse
from tfc.ir.ops.elementwise import Add, Mul


@pytest.fixture(autouse=True)
def as_users_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests themselves look at the code."""
    for name in ("TFC_VERIFY", "TFC_OPT_LEVEL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each library that is loaded is baseline code."""
    found: list[bool] = []
    runtime.pool_trim()  # the runtime itself is there
    real = jit.load

    def noted(text: str, *rest: Any, baseline: bool = False, **how: Any) -> Any:
        found.append(baseline)
        return real(text, *rest, baseline=baseline, **how)

    monkeypatch.setattr(jit, "load", noted)
    monkeypatch.setattr("tfc.dispatch.execution.program.Memory.recall", lambda *_: None)
    return found


def fresh(name: str) -> Primitive:
    """An op that nobody has compiled."""

    def body(b: Any, x: Any, y: Any) -> Any:
        return b.emit(Add(b.emit(Mul(x, y)), y))

    body.__name__ = name
    return primitive(body)


def test_enough_calls_lead_to_full_code(loaded: list[bool]) -> None:
    op = fresh("called_often").fast()
    x, short = (tf.constant(np.arange(n, dtype=np.float32)) for n in (8, 5))
    first = op(x, x)
    assert loaded == [True]
    calls = BUDGET_BYTES // (CALL_BYTES + 3 * 32)
    values = [op(x, x).numpy().tobytes() for _ in range(calls - 1)]
    assert loaded == [True]
    values += [op(x, x).numpy().tobytes() for _ in range(8)]
    assert loaded == [True, False]
    assert set(values) == {first.numpy().tobytes()}
    assert op(short, short).shape == (5,) and loaded == [True, False]


def test_large_operands_begin_with_full_code(loaded: list[bool]) -> None:
    op = fresh("large").fast()
    large = tf.constant(np.ones(BUDGET_BYTES // 4, np.float32))
    op(large, large)
    assert loaded == [False]


def test_large_operands_end_it(loaded: list[bool]) -> None:
    op = fresh("grows").fast()
    small, large = (tf.constant(np.ones(n, np.float32)) for n in (3, BUDGET_BYTES))
    for x in (small, large, small):
        np.testing.assert_array_equal(op(x, x), np.full(len(x), 2, np.float32))
    assert loaded == [True, False]


def test_python_chooses_the_entry(loaded: list[bool]) -> None:
    """As it does where sizes are among the static arguments: numbers behind the tensors."""
    value = tf.constant(0.25)
    shapes = ([2, 3], [300, 500], [4, 5])
    for shape in shapes:
        np.testing.assert_array_equal(tf.fill(shape, value), np.full(shape, 0.25, np.float32))


def test_variables_and_tapes(loaded: list[bool]) -> None:
    op = fresh("of_variables")
    v = tf.Variable([1.0, 2.0])
    for _ in range(2 * BUDGET_BYTES // CALL_BYTES):
        with tf.GradientTape() as tape:
            y = op(v, v)
    np.testing.assert_array_equal(y, [2.0, 6.0])
    np.testing.assert_array_equal(tape.gradient(y, v), [3.0, 5.0])
    assert loaded.count(True) >= 1 and not loaded[-1]


def test_who_looks_at_code_sees_one(loaded: list[bool], monkeypatch: pytest.MonkeyPatch) -> None:
    x = tf.constant([1.0])
    for name, value in (("TFC_VERIFY", "1"), ("TFC_OPT_LEVEL", "2"), ("TFC_OPT_LEVEL", "0")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            fresh(f"seen_{name}_{value}").fast()(x, x)
    assert loaded == [False] * 3


def scaled(x: Any, dtype: Any) -> Any:
    return tf.cast(x * 9.0, dtype)


OPS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "mean": lambda x, y, z: tf.reduce_mean(x, 0),
    "softmax": lambda x, y, z: tf.nn.softmax(x),
    "gelu": lambda x, y, z: tf.nn.gelu(x),
    "cumsum": lambda x, y, z: tf.cumsum(x, 1),
    "sort": lambda x, y, z: tf.sort(x, 0),
    "pooled": lambda x, y, z: tf.nn.max_pool2d(x[None, :, :, None], 3, 2, "SAME"),
    "product": lambda x, y, z: x @ x,
    "several blocks": lambda x, y, z: y @ z,
    "one row by rows": lambda x, y, z: tf.matmul(y[:1], y, transpose_b=True),
    "rows by one row": lambda x, y, z: tf.matmul(y, y[:1], transpose_b=True),
    "few rows by rows": lambda x, y, z: tf.matmul(y[:5], y, transpose_b=True),
    "rows by rows": lambda x, y, z: tf.matmul(y, y, transpose_b=True),
    "columns by rows": lambda x, y, z: tf.matmul(x, tf.exp(x), transpose_a=True),
    "a batch": lambda x, y, z: tf.linalg.matvec(tf.stack([x, 2.0 * x]), x[:2]),
    "of a batch": lambda x, y, z: tf.stack([x, 2.0 * x]) @ tf.stack([x, x]),
    **{
        f"of {dtype.name}": partial(lambda t, x, y, z: scaled(y, t) @ scaled(z, t), dtype)
        for dtype in (tf.int8, tf.int32, tf.float64, tf.bfloat16, tf.complex64)
    },
}


def test_bits_are_those_of_full_code() -> None:
    """Of small tiles and scalar loops, too, which baseline code has."""
    rng = np.random.default_rng(3)
    arrays = [rng.standard_normal(shape, np.float32) for shape in ((19, 19), (7, 300), (300, 9))]
    arguments = [tf.constant(array) for array in arrays]

    def all_of(x: Any, y: Any, z: Any) -> list[Any]:
        return [op(x, y, z) for op in OPS.values()]

    specs = [tf.TensorSpec([None, None], tf.float32)] * 3
    traced = tf.function(all_of).get_concrete_function(*specs)
    f = parse(traced.ir("traced"))
    first, full = (compile_function(f, baseline=way).bind("f") for way in (True, False))
    for name, a, b in zip(OPS, first(*arguments), full(*arguments), strict=True):
        assert a.numpy().tobytes() == b.numpy().tobytes(), name
    calls = [first(*arguments) is MISS for _ in range(20)]
    assert calls[0] is False and calls[-1] is True and calls == sorted(calls)
    assert full(*arguments) is not MISS


@pytest.mark.parametrize("m, n", [(1, 1), (1, 5), (5, 1), (2, 2)])
def test_known_sizes_of_products_that_are_packed(m: int, n: int) -> None:
    rng = np.random.default_rng(4)
    arrays = [rng.standard_normal((2, *s)) for s in ((300, m), (n, 300))]
    x, y = (tf.constant(re + 1j * im, tf.complex64) for re, im in arrays)
    adjoint = tf.function(lambda x, y: tf.matmul(x, y, adjoint_a=True, adjoint_b=True))
    specs = (tf.TensorSpec(s, tf.complex64) for s in ([None, m], [n, None]))
    f = parse(adjoint.get_concrete_function(*specs).ir("traced"))
    first, full = (compile_function(f, baseline=way).bind("f")(x, y) for way in (True, False))
    assert first.numpy().tobytes() == full.numpy().tobytes()


def test_a_program_is_one_file_for_later_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = Cache(str(tmp_path / "cache"))
    monkeypatch.setattr(disk_cache, "_default", cache)
    x = tf.constant([1.0, 2.0, 3.0])
    np.testing.assert_array_equal(fresh("kept").fast()(x, x), [2.0, 6.0, 12.0])
    assert len(cache.entries()) == 1
    hits, made = cache.stats.hits, jit._emitted
    monkeypatch.setattr(jit, "_emitted", None)
    monkeypatch.setattr("tfc.dispatch.execution._compiled", {})  # as in another process
    again = fresh("kept").fast()
    np.testing.assert_array_equal(again(x, x), [2.0, 6.0, 12.0])
    assert cache.stats.hits == hits + 1
    (entry,) = cache.entries()
    path = tmp_path / "cache" / entry.name[:2] / entry.name[2:]
    path.write_bytes(path.read_bytes()[:-1])  # what is damaged is made again
    monkeypatch.setattr(jit, "_emitted", made)
    monkeypatch.setattr("tfc.dispatch.execution._compiled", {})
    np.testing.assert_array_equal(fresh("kept").fast()(x, x), [2.0, 6.0, 12.0])
    assert cache.stats.hits == hits + 1
