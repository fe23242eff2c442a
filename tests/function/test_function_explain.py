"""`f.explain()`: why a function was traced, what it has cost, what to do about it."""

from __future__ import annotations

import gc
import re
import warnings
import weakref
from typing import Any

import numpy as np
import pytest

import tfc as tf

HERE = r".*test_function_explain\.py"


def line_of(f: Any, offset: int) -> int:
    """The line `offset` lines below the first one of a Python function."""
    first: int = f.__code__.co_firstlineno
    return first + offset


def blocks(text: str) -> list[str]:
    """The traces in an explanation, each with its lines."""
    return re.split(r"\n(?=\d+\. )", text)


def test_before_the_first_call() -> None:
    f = tf.function(lambda x: x)
    assert f.explain() == "lambda has not been traced yet"
    assert f.explain(tf.constant(1.0)) == (
        "lambda would be traced for x: f32\n   why: it has not been traced yet"
    )
    assert f.experimental_get_tracing_count() == 0


def test_every_trace_has_its_reason() -> None:
    @tf.function
    def step(x: Any, training: bool = True, *, n: Any = 2) -> Any:
        return x * float(n)

    def run() -> None:
        step(tf.ones([32, 4]))
        step(tf.ones([17, 4]))
        step(tf.ones([9, 4]))  # runs the trace before
        step(tf.ones([9, 4]), training=False)
        step(tf.ones([9, 4], tf.float64))
        step(tf.ones([4]))
        step(tf.ones([9, 4]), n=3)

    run()
    head, *traces = blocks(step.explain())
    assert re.fullmatch(
        r"step: 6 traces, [\d.]+ ms \(trace [\d.]+, .*compile [\d.]+\); .*\d x machine code.*", head
    )
    lines = [line_of(run, k) for k in (1, 2, 4, 5, 6, 7)]
    wanted = [
        ("x: f32[32,4], training=True, n=2", "it is the first trace", None),
        ("x: f32[n0,4], training=True, n=2", "x was f32[32,4] and is f32[17,4]", None),
        ("x: f32[n0,4], training=False, n=2", "training was True and is False", "few values"),
        (
            "x: f64[9,4], training=True, n=2",
            "x was f32[n0,4] and is f64[9,4]",
            "pass one dtype: tf.cast(x, tf.float32)",
        ),
        ("x: f32[4], training=True, n=2", "of another rank", "reshape or expand x"),
        ("x: f32[n0,4], training=True, n=3", "n was 2 and is 3", "tf.constant(3)"),
    ]
    assert len(traces) == len(wanted)
    for i, (text, line, (leaves, why, fix)) in enumerate(zip(traces, lines, wanted, strict=True)):
        rows = text.split("\n   ")
        assert rows[0] == f"{i + 1}. {leaves}"
        assert rows[1].startswith(f"why: {why}" if i != 4 else "why: x was f32[n0,4] and is f32[4]")
        assert why in rows[1]
        assert f"test_function_explain.py:{line})" in rows[1]
        assert re.match(r"cost: [\d.]+ ms \(trace [\d.]+.*\); machine code", rows[-1])
        assert [r for r in rows if r.startswith("fix: ")] == (
            [] if fix is None else [r for r in rows if fix in r]
        )
    assert "now: every size runs this trace (n0)" in traces[1]
    assert step.experimental_get_tracing_count() == 6


def test_structures_objects_and_variables() -> None:
    class Options:
        pass

    @tf.function
    def f(data: Any, options: Any = None, v: Any = None) -> Any:
        return data[0] * 1.0

    one = tf.constant(1.0)
    a, b = Options(), Options()
    v, w = tf.Variable(1.0, name="v"), tf.Variable([1.0], name="w")
    f([one])
    f([one, one])
    f([one], a)
    f([one], b)
    f([one], None, v)
    f([one], None, w)
    f([1.0])
    _, *traces = blocks(f.explain())
    parts = [
        ("data[0]: f32, options=None, v=None", "first trace"),
        ("data[1]: f32", "the structure of data is another: with data[1]"),
        ("(a Options, by identity)", "options was the value None and is the object"),
        ("(a Options, by identity)", "options is another object"),
        ("v: Variable 'v:0'", "v was the value None and is the variable Variable 'v:0'"),
        ("v: Variable 'w:0'", "v was VariableSpec(shape=(), dtype=tf.float32, trainable=True"),
        ("data[0]=1.0", "data[0] was the tensor f32 and is the value 1.0"),
    ]
    for text, (leaves, why) in zip(traces, parts, strict=True):
        assert leaves in text.split("\n")[0]
        assert why in text
    assert "fix: make options once, before the loop" in traces[3]
    assert "fix: if v is only read, pass its value: v.value()" in traces[5]
    assert "fix: keep the structure of data: pass one tensor: tf.constant(data)" in traces[1]


def test_prediction() -> None:
    traced = []

    @tf.function
    def f(x: Any, n: int = 1) -> Any:
        traced.append(n)
        return x * n

    x = tf.constant([1, 2])
    f(x)
    assert f.explain(x) == "f would run trace 1: x: i32[2], n=1"
    assert f.explain(tf.constant([1, 2, 3])) == (
        "f would be traced for x: i32[n0], n=1\n   why: x was i32[2] and is i32[3] (trace 1)"
    )
    assert f.explain(x, n=5) == (
        "f would be traced for x: i32[2], n=5\n"
        "   why: n was 1 and is 5 (trace 1)\n"
        "   fix: pass a tensor, tf.constant(5): Python values are compiled in"
    )
    assert traced == [1]
    f(tf.constant([1, 2, 3]))
    assert f.explain(tf.ones([77], tf.int32)) == "f would run trace 2: x: i32[n0], n=1"


def test_symbols_that_did_not_do() -> None:
    """Where a trace with symbols fails or does not fit, it says why."""
    f = tf.function(lambda x: x * float(x.shape[0]))
    g = tf.function(lambda x, y: x + y)
    for n in (3, 4):
        f(tf.ones([n]))
    g(tf.ones([3]), tf.ones([3]))
    g(tf.ones([5]), tf.ones([1]))
    text = blocks(f.explain())[2]
    assert re.search(r"2\. x: f32\[4\]\n.*\n   tried first: f32\[n0\], but \w+: ", text)
    assert "why: x was f32[3] and is f32[4]" in text
    assert "now: every size" not in text
    # Two sizes that are one symbol in the trace that there is.
    h = tf.function(lambda x, y: tf.reduce_sum(x) + tf.reduce_sum(y))
    for sizes in ((3, 3), (4, 4), (4, 5)):
        h(*(tf.ones([n]) for n in sizes))
    assert "the sizes do not fit trace 2: n0 would be 4 and 5" in blocks(h.explain())[3]


def test_costs_and_where_machine_code_comes_from() -> None:
    def make() -> Any:
        return tf.function(lambda x: tf.exp(x) * 3.25 - 1.75)

    first, second = make(), make()
    x = tf.ones([3])
    first(x), second(x)
    assert re.search(r"machine code (made now|from the disk cache)", first.explain())
    assert "1 x machine code shared with an equal function" in second.explain()
    third = tf.function(lambda x: x)
    third.get_concrete_function(tf.TensorSpec([None]))
    assert "not compiled yet" in third.explain()
    timings = first.get_concrete_function(x).timings
    assert set(timings) >= {"trace", "compile"}


def test_too_many_traces_warn_once() -> None:
    @tf.function
    def f(x: Any, n: int) -> Any:
        return x + n

    x = tf.constant(1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for i in range(5):
            f(x, i)
        assert caught == []
        for i in range(20):
            f(x, i)
    (warning,) = caught
    text = str(warning.message)
    assert warning.category is RuntimeWarning
    assert warning.filename.endswith("test_function_explain.py")
    assert text.startswith("f was traced 5 times because of n (value)")
    assert "fix: pass a tensor, tf.constant(5): Python values are compiled in" in text
    assert "2. x: i32, n=1\n   why: n was 0 and is 1 (trace 1; call at " in text
    assert f.experimental_get_tracing_count() == 20


def test_sizes_and_dtypes_do_not_warn() -> None:
    f = tf.function(lambda x: x + x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in range(1, 40):
            f(tf.ones([n]))
        for dtype in ("float64", "int32", "int8"):
            f(tf.ones([3], dtype))
    assert f.experimental_get_tracing_count() == 5


def test_what_needs_its_size_warns() -> None:
    f = tf.function(lambda x: x * float(x.shape[0]))
    with pytest.warns(RuntimeWarning, match=r"because of x \(extent\)(.|\n)*tried first: f32\[n0"):
        for n in range(1, 9):
            assert f(tf.ones([n])).numpy().tolist() == [n] * n


def test_explanations_keep_nothing_alive() -> None:
    class Thing:
        pass

    @tf.function
    def f(thing: Any, x: Any) -> Any:
        return x

    thing, x = Thing(), tf.constant(np.arange(100.0))
    references = weakref.ref(thing), weakref.ref(x)
    f(thing, x)
    gc.disable()
    try:
        del thing, x
        assert [r() for r in references] == [None, None]
    finally:
        gc.enable()
    assert f.explain().startswith("lambda" if f.name == "lambda" else "f: 1 trace")
    assert f.pretty_printed_concrete_signatures() == ""  # the trace went with the object
    f(Thing(), tf.constant([1.0]))
    assert "thing is another object" in f.explain()
    assert f.experimental_get_tracing_count() == 2


def test_methods_have_explanations_of_their_own() -> None:
    class Model:
        @tf.function
        def call(self, x: Any) -> Any:
            return x

    a, b = Model(), Model()
    a.call(tf.constant(1.0)), a.call(tf.constant([1.0])), b.call(tf.constant(1.0))
    assert a.call.explain().startswith("call: 2 traces")
    assert b.call.explain().startswith("call: 1 trace,")
    assert b.call.explain(tf.constant(2.0)) == "call would run trace 1: x: f32"
