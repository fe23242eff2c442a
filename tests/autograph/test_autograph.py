"""Python's control flow on tensors: every program of the table as Python runs it, and compiled."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import (  # (which add to the table)
    autograph_function_programs,  # noqa: F401
    autograph_loop_programs,  # noqa: F401
)
from tests.autograph_programs import PROGRAMS, Program, arguments


def assert_same(got: Any, wanted: Any) -> None:
    """Equal structures, values and bits; Python numbers may have become tensors."""
    tf.nest.assert_same_structure(got, wanted)
    for g, w in zip(tf.nest.flatten(got), tf.nest.flatten(wanted), strict=True):
        w = tf.convert_to_tensor(w)
        g = tf.convert_to_tensor(g)
        assert g.shape == w.shape
        other = g.dtype != w.dtype  # a Python number beside tensors of a dtype
        if other or g.dtype is tf.string:
            assert g.numpy() == w.numpy()
        else:
            assert g.numpy().tobytes() == w.numpy().tobytes(), (g, w)


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_as_python(name: str) -> None:
    program = PROGRAMS[name]
    compiled = tf.function(program.function)
    for call in program.calls:
        given = arguments(call)
        assert_same(compiled(*given), program.function(*given))


def _vectors(program: Program) -> bool:
    return all(np.ndim(x) > 0 for call in program.calls for x in call[:1])


@pytest.mark.parametrize("name", [n for n, p in PROGRAMS.items() if _vectors(p)])
def test_unknown_extents(name: str) -> None:
    program = PROGRAMS[name]
    specs = [
        tf.TensorSpec([None] * np.ndim(x), x.dtype) if np.ndim(x) else tf.TensorSpec([], x.dtype)
        for x in arguments(program.calls[0])
    ]
    compiled = tf.function(program.function, input_signature=specs)
    for call in program.calls:
        given = arguments(call)
        assert_same(compiled(*given), program.function(*given))


# What both a loop starts from and its rounds read is added up in another order than by a tape.
ROUNDED = {"newton"}


@pytest.mark.parametrize("name", [n for n, p in PROGRAMS.items() if p.slope])
def test_gradients(name: str) -> None:
    """Finite differences, and the eager tape beside those of compiled programs."""
    f = PROGRAMS[name].function

    def slope(run: Any, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(run(x))
        return tape.gradient(y, x)

    inside, compiled = tf.function(lambda v: slope(f, v)), tf.function(f)
    for call in PROGRAMS[name].calls:
        (x,) = arguments(call)
        eager = slope(f, x)
        for got in (inside(x), slope(compiled, x)):
            if name in ROUNDED:
                np.testing.assert_allclose(got, eager, rtol=1e-14)
            else:
                assert_same(got, eager)
        way, step = np.random.default_rng(0).normal(size=x.shape), 1e-6
        ends = [np.sum(np.asarray(f(tf.constant(np.asarray(x) + s * step * way)))) for s in (1, -1)]
        wanted = (ends[0] - ends[1]) / (2 * step)
        np.testing.assert_allclose(np.sum(np.asarray(eager) * way), wanted, rtol=1e-5, atol=1e-7)


def test_methods_and_objects_are_marked() -> None:
    """These alone: others of their kind are converted."""

    class Sign:
        def of(self, x: Any) -> Any:
            return tf.constant(1.0) if x > 0.0 else tf.constant(-1.0)

        __call__ = of

    mark = tf.autograph.do_not_convert
    sign, x = Sign(), tf.constant(2.0)
    for f in (mark(sign.of), mark(Sign()), mark(functools.partial(sign.of))):
        with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
            tf.function(lambda x, f=f: f(x))(x)
    for f in (sign.of, sign, functools.partial(sign.of)):
        assert tf.function(lambda x, f=f: f(x))(x).numpy() == 1.0
    assert mark(len) is len
    with pytest.raises(TypeError, match="do_not_convert takes a function, got 3"):
        tf.autograph.do_not_convert(3)


def test_what_is_asked_for_in_another_package(tmp_path: Path) -> None:
    """The function that a package makes a `tf.function` of is converted, and what it calls of the
    package; what another package's function calls is not, and neither is what the user calls."""
    file = tmp_path / "site-packages" / "other.py"
    file.parent.mkdir()
    file.write_text(
        "import tfc as tf\n\n"
        "def half(x):\n    return x / 2 if x > 0 else x\n\n"
        "@tf.function\ndef asked(x):\n    while x > 1:\n        x = x / 2\n    return x\n\n"
        "@tf.function\ndef calls(x):\n    return half(x)\n\n"
        "def given(x, f):\n    return f(x)\n"
    )
    spec = importlib.util.spec_from_file_location("other", file)
    assert spec is not None and spec.loader is not None
    other = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(other)
    assert float(other.asked(tf.constant(12.0))) == 0.75
    assert float(other.calls(tf.constant(1.0))) == 0.5
    with pytest.raises(TypeError, match=r"other\.py"):
        tf.function(lambda x: other.half(x))(tf.constant(1.0))
    with pytest.raises(TypeError, match=r"symbolic"):
        tf.function(other.given)(tf.constant(1.0), lambda x: other.half(x))
    plain = tf.function(lambda x: tf.autograph.to_graph(other.half)(x), autograph=False)
    assert float(plain(tf.constant(1.0))) == 0.5


def test_middles_of_chains_are_computed_once_and_in_order() -> None:
    calls = []

    def note(name: str, value: Any) -> Any:
        calls.append(name)
        return value

    def between(n: Any) -> Any:
        return note("a", 1) < note("b", n + 1) < note("c", 2 * n) <= note("d", 8)

    f = tf.function(between)
    assert [bool(f(tf.constant(n))) for n in (0, 1, 2, 4, 5)] == [False, False, True, True, False]
    assert calls == ["a", "b", "c", "d"]  # while it was traced
    calls.clear()
    assert between(0) is False and calls == ["a", "b"]


def test_print_is_pythons(capsys: pytest.CaptureFixture[str]) -> None:
    """It shows when a function is traced, and what it sees then, as in TensorFlow."""

    @tf.function
    def f(x: Any) -> Any:
        for _ in tf.range(3):
            print("tracing", x)
        return x + 1

    assert [int(f(tf.constant(n))) for n in range(3)] == [1, 2, 3]
    assert capsys.readouterr().out == 'tracing Tensor("x:0", shape=(), dtype=int32)\n'


def test_pythons_functions_of_tensors_and_datasets() -> None:
    """`sorted`, `int`, `float`, `map`, `filter`, `any`, `all` and `range` as results; variables of
    loops that are strings, or of no use behind them."""

    def f(x: Any, word: Any) -> Any:
        dataset = tf.data.Dataset.range(4)
        total = tf.constant(0, tf.int64)
        for v in map(lambda v: v * 2, dataset):
            total += v
        for v in filter(lambda v: v > 1, dataset):
            total += v
        letter, other, i = "a", object(), tf.constant(0)
        while i < 2:
            letter, other, i = "b", object(), i + 1  # noqa: F841
        order = sorted(x), sorted(x, reverse=True), sorted(x, key=lambda v: -v)
        large = dataset.map(lambda v: v > 2)
        return order, total, letter, int(word), float(word), any(large), all(large), range(x[0])

    order, *rest = tf.function(f)(tf.constant([3, 1, 2]), tf.constant("7"))
    assert [v.numpy().tolist() for v in order] == [[1, 2, 3], [3, 2, 1], [3, 2, 1]]
    assert [np.asarray(v).tolist() for v in rest] == [17, b"b", 7, 7.0, True, False, [0, 1, 2]]
    cases: list[tuple[Any, Any, type[Exception], str]] = [
        (sorted, [[1]], ValueError, "sort only supports only 1D tensors"),
        (len, 1, ValueError, "len requires a non-scalar tensor"),
        (lambda x: int(x, 2), 1, NotImplementedError, "base 2 not supported for int"),
    ]
    for g, x, error, text in cases:
        with pytest.raises(error, match=text):
            tf.function(lambda x, g=g: g(x))(tf.constant(x))
