"""`@tfc.function`: the same bits as eager code, errors, threads, and what can be looked at."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.function.counting import bits, counted
from tfc.backends.cpu.runtime import runtime
from tfc.core.context import context
from tfc.ir.passes import OPTIMISE

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.usefixtures("clean")


# Eagerly, and with the same bits.


def test_run_functions_eagerly() -> None:
    f, traces = counted(lambda x: x + 1.0)
    one = tf.constant(1.0)
    f(one), f(one)
    assert len(traces) == 1
    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
        assert [float(f(one)) for _ in range(3)] == [2, 2, 2]
        assert len(traces) == 4
        assert traces[-1][0] is one  # tensors, not symbols
        tf.config.run_functions_eagerly(True)
    finally:
        tf.config.run_functions_eagerly(False)
    f(one)
    assert len(traces) == 4


def test_executing_eagerly() -> None:
    assert tf.executing_eagerly()
    seen = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append(tf.executing_eagerly())
        return x

    f(tf.constant(1.0))
    assert seen == [False]
    assert tf.executing_eagerly()


def test_same_bits_eager_and_compiled() -> None:
    def f(x: Any, w: Any) -> Any:
        h = tf.nn.relu(x @ w)
        y = tf.nn.log_softmax(h * 1.7 + tf.sin(h))
        mean, var = (
            tf.reduce_mean(y, 1, keepdims=True),
            tf.math.reduce_variance(y, 1, keepdims=True),
        )
        z = (y - mean) * tf.math.rsqrt(var + 1e-5)
        return z, tf.argmax(z, 1), tf.reduce_sum(tf.exp(z)), tf.cast(z * 10.0, tf.int32) // 3

    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(37, 29)), tf.float32)
    w = tf.constant(rng.normal(size=(29, 13)), tf.float32)
    for a, b in zip(f(x, w), tf.function(f)(x, w), strict=True):
        assert bits(a) == bits(b)


def test_random_numbers_are_the_same() -> None:
    def draw() -> Any:
        return (
            tf.random.uniform([5], seed=1),
            tf.random.normal([3, 2], 1.0, 2.0, seed=1),
            tf.random.uniform([7], 0, 100, tf.int32, seed=1),
            tf.random.uniform([2], dtype=tf.float64, seed=1),
        )

    tf.random.set_seed(7)
    eager = [*draw(), *draw()]
    tf.random.set_seed(7)
    f = tf.function(draw)
    compiled = [*f(), *f()]
    assert [bits(x) for x in eager] == [bits(x) for x in compiled]
    assert bits(eager[0]) != bits(eager[4])  # every call gives others
    tf.random.set_seed(8)
    assert bits(draw()[0]) != bits(eager[0])
    assert bits(tf.random.uniform([4], seed=3)) == bits(
        tf.function(lambda: tf.random.uniform([4], seed=3))()
    )


def test_dead_code_vanishes() -> None:
    """Article 004: an unused gather out of range raises eagerly, and is not run in a function."""

    def unused_return(x: Any) -> Any:
        tf.gather(x, [1])
        return x

    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[0\] = 1 is not in \[0, 1\)"
    ):
        unused_return(tf.constant([0.0]))
    f = tf.function(unused_return)
    assert str(f(tf.constant([0.0]))) == "tf.Tensor([0.], shape=(1,), dtype=float32)"
    concrete = f.get_concrete_function(tf.constant([0.0]))
    assert "gather" in concrete.ir("traced")
    assert "gather" not in concrete.ir("optimised")


def test_nested_functions() -> None:
    inner, _ = counted(lambda x: x * 2.0)
    outer = tf.function(lambda x: inner(x) + inner(x + 1.0))
    assert float(outer(tf.constant(1.0))) == 6
    assert float(inner(tf.constant(1.0))) == 2
    square = tf.function(lambda x: x * x, input_signature=[tf.TensorSpec([None])])
    total = tf.function(lambda x, y: tf.reduce_sum(square(x)) + tf.reduce_sum(square(y)))
    assert float(total(tf.ones([3]), tf.ones([2]))) == 5
    concrete = inner.get_concrete_function(tf.constant(1.0))
    assert float(tf.function(lambda x: concrete(x) + 1.0)(tf.constant(5.0))) == 11


def test_captured_tensors() -> None:
    small, large = tf.constant(2.0), tf.constant(np.arange(100, dtype=np.float32))
    f = tf.function(lambda x: tf.reduce_sum(large * small) + x)
    assert float(f(tf.constant(1.0))) == 9901
    assert len(f.get_concrete_function(tf.constant(1.0)).captured) == 1


# Errors.


@pytest.mark.walks_heap
def test_leaked_tensors() -> None:
    leaked: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        leaked.append(x * 2.0)
        return x

    f(tf.constant(1.0))
    (y,) = leaked
    text = r"is out of scope and cannot be used here.*test_function\.py:\d+"
    uses = [
        lambda: y + 1.0,
        lambda: tf.constant([1.0]) * y,
        lambda: tf.exp(y),
        lambda: y[..., None],
        lambda: tf.function(lambda x: x + y)(tf.constant(1.0)),
        lambda: tf.concat([[y]], 0),
        lambda: tf.function(lambda: y)(),
        lambda: tf.Variable(1.0).assign(y),
        lambda: tf.reduce_sum(y),
    ]
    for i, use in enumerate(uses):
        with pytest.raises(tf.errors.InaccessibleTensorError, match=text):
            use()
            raise AssertionError(f"use {i} was allowed")
    assert "Tensor(" in str(y) and "shape=()" in repr(y)


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (
            lambda x: 1 if x > 0.0 else 2,
            tf.errors.OperatorNotAllowedInGraphError,
            r"Using a symbolic `tf\.Tensor` as a Python `bool` is not allowed",
        ),
        (lambda x: x and x, TypeError, "as a Python `bool` is not allowed"),
        (lambda x: not x, TypeError, "as a Python `bool` is not allowed"),
        (lambda x: int(x), TypeError, r"int\(\)"),
        (lambda x: float(x), TypeError, r"float\(\)"),
        (lambda x: [1, 2][tf.cast(x, tf.int32)], TypeError, "integer"),
        (lambda x: x.numpy(), AttributeError, r"\.numpy\(\)"),
        (lambda x: np.asarray(x), NotImplementedError, "numpy array"),
        (lambda x: np.sum(x), NotImplementedError, "numpy array"),
        (lambda x: list(x), TypeError, "Cannot iterate over a scalar tensor"),
        (lambda x: hash(x), TypeError, "unhashable"),
        (lambda x: f"{x:.3f}", (AttributeError, ValueError), "format"),
    ],
)
def test_python_needs_elements(use: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text) as caught:
        tf.function(use, autograph=False)(tf.constant(1.0))
    if "symbolic" in str(caught.value):
        assert "test_function.py:" in str(caught.value)


def test_iterating_over_an_unknown_extent() -> None:
    f = tf.function(lambda x: [r for r in x], input_signature=[tf.TensorSpec([None])])
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="Iterating over a symbolic"):
        f(tf.ones([2]))


def test_an_exception_while_tracing_leaves_nothing_behind() -> None:
    fail = [True]
    v = tf.Variable(1.0)

    @tf.function
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            v.assign_add(x)
            y = v * x
            if fail[0]:
                raise KeyError("mine")
        return tape.gradient(y, v)

    for _ in range(2):
        with pytest.raises(KeyError, match="mine"):
            f(tf.constant(2.0))
        assert context.trace is None and runtime.watched() == (0, 0)
        assert v.numpy() == 1
    fail[0] = False
    assert float(f(tf.constant(2.0))) == 2
    assert v.numpy() == 3


def test_errors_at_run_time_name_the_line() -> None:
    @tf.function
    def f(x: Any, i: Any) -> Any:
        y = x * 2.0
        z = tf.gather(y, i)  # here
        return z + 1.0

    line = f.python_function.__code__.co_firstlineno + 3
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.ones([3]), tf.constant([0, 7]))
    assert re.search(
        rf"index 7 is not in \[0, 3\) \[Op:gather\] \(.*test_function\.py:{line}\)",
        str(caught.value),
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"division by zero.*test_function"):
        tf.function(lambda a, b: a // b)(tf.constant([1]), tf.constant([0]))


# Threads.


def test_threads_call_the_same_function() -> None:
    f, traces = counted(lambda x, w: tf.reduce_sum(tf.tanh(x) * w))
    w = tf.constant(2.0)
    wanted = {n: float(f.python_function(tf.ones([n]), w)) for n in range(1, 9)}
    traces.clear()
    wrong: list[Any] = []
    gate = threading.Barrier(4)

    def work(k: int) -> None:
        gate.wait()
        try:
            for i in range(40):
                n = (i + k) % 8 + 1
                if float(f(tf.ones([n]), w)) != wanted[n]:
                    wrong.append(n)
                with tf.GradientTape() as tape:
                    x = tf.ones([n])
                    tape.watch(x)
                    y = f(x, w)
                if tape.gradient(y, x).shape != (n,):
                    wrong.append(n)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []
    assert len(traces) <= 3


def test_a_trace_in_one_thread_does_not_touch_another() -> None:
    inside, go = threading.Event(), threading.Event()
    seen = []

    @tf.function
    def slow(x: Any) -> Any:
        inside.set()
        assert go.wait(10)
        return x + 1.0

    thread = threading.Thread(target=lambda: seen.append(float(slow(tf.constant(1.0)))))
    thread.start()
    assert inside.wait(10)
    try:
        assert tf.executing_eagerly()
        assert float(tf.constant(1.0) * 3.0) == 3
        assert float(tf.function(lambda x: x * 4.0)(tf.constant(1.0))) == 4
    finally:
        go.set()
        thread.join()
    assert seen == [2]


# Looking inside.


def test_ir_of_all_stages() -> None:
    @tf.function
    def f(x: Any, w: Any) -> Any:
        return tf.reduce_sum(tf.exp(x @ w) + 1.0, 0)

    concrete = f.get_concrete_function(tf.TensorSpec([None, 3]), tf.TensorSpec([3, 2]))
    texts = {
        stage: concrete.ir(stage) for stage in ("traced", "optimised", "kernels", "llvm", "asm")
    }
    assert "func @f(%x: f32[n0,3], %w: f32[3,2])" in texts["traced"]
    assert "matmul" in texts["traced"] and "test_function.py:" in texts["traced"]
    assert "exp" in texts["optimised"]
    assert "launch f.k0 [" in texts["kernels"]
    assert "define" in texts["llvm"]
    assert len(texts["asm"].splitlines()) > 20
    with pytest.raises(
        ValueError, match="no stage 'nothing': there are traced, optimised, lowered, kernels"
    ):
        concrete.ir("nothing")


@pytest.mark.parametrize("stage", ["traced", "optimised", "kernels"])
def test_parsed_text_runs(stage: str) -> None:
    def f(x: Any, w: Any) -> Any:
        y = tf.nn.softmax(x @ w)
        return y, tf.reduce_max(y, 1)

    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(5, 3)), tf.float32)
    w = tf.constant(rng.normal(size=(3, 4)), tf.float32)
    concrete = tf.function(f).get_concrete_function(tf.TensorSpec([None, 3]), w)
    text = concrete.ir(stage, verbose=True)
    parsed = tf.ir.parse(text)
    assert str(parsed) == text
    assert str(tf.ir.parse(str(parsed))) == text
    assert [bits(a) for a in parsed(x, w)] == [bits(a) for a in f(x, w)]


def test_parsed_text_refuses_what_does_not_fit() -> None:
    f = tf.ir.parse("func @f(%x: f32[2]) -> f32[2] {\n  %0 = add %x, %x : f32[2]\n  return %0\n}")
    assert f(np.ones(2, np.float32)).numpy().tolist() == [2, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"called with \(f32\[3\]\)"):
        f(np.ones(3, np.float32))


def test_dump(tmp_path: Path) -> None:
    """TFC_DUMP writes one file a stage, in order."""
    script = (
        "import tfc as tf\n"
        "f = tf.function(lambda x: tf.exp(x) + 1.0)\n"
        "f.name = 'shown'\n"
        "f(tf.constant([1.0, 2.0]))\n"
    )
    environment = {**os.environ, "TFC_DUMP": str(tmp_path / "dump"), "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-c", script], check=True, env=environment, cwd=tmp_path, timeout=300
    )
    names = sorted(p.name for p in (tmp_path / "dump").iterdir() if "_shown." in p.name)
    stages = [n.partition("_shown.")[2].partition("_")[2] for n in names]
    numbers = [int(n.partition("_shown.")[2].partition("_")[0]) for n in names]
    assert numbers == list(range(len(names)))
    steps = ["traced", *(step.__name__ for step in OPTIMISE), "lower", "expand"]
    assert stages == [*(f"{step}.ir" for step in steps), "kernels.txt", "llvm.ll", "asm.s"]
    first = next(p for p in (tmp_path / "dump").iterdir() if p.name == names[0]).read_text()
    assert first.startswith("# after traced\nfunc @shown(")
    assert str(tf.ir.parse(first)).startswith("func @shown(")


def test_names_of_specs_are_names_of_arguments() -> None:
    """A concrete function is called by the names of its TensorSpecs, as in TensorFlow, and by those
    of the parameters; what is saved is called by the former."""
    specs = [
        tf.TensorSpec([2], name="images"),
        tf.TensorSpec([]),
        tf.TensorSpec([], name="no name"),
    ]

    @tf.function
    def f(a: Any, b: Any, c: Any) -> Any:
        return a * b + c

    x, two, one = tf.ones([2]), tf.constant(2.0), tf.constant(1.0)
    signed = tf.function(f.python_function, input_signature=specs)
    for concrete in (f.get_concrete_function(*specs), signed.get_concrete_function()):
        assert [s.name for s in concrete.inputs] == ["images", "b", "c"]
        assert concrete.structured_input_signature[0][0].name == "images"
        for call in (
            lambda c: c(images=x, b=two, c=one),
            lambda c: c(a=x, b=two, c=one),
            lambda c: c(x, b=two, c=one),
            lambda c: c(x, two, one),
        ):
            np.testing.assert_array_equal(call(concrete), [3.0, 3.0])
        with pytest.raises(TypeError, match="pictures"):
            concrete(pictures=x, b=two, c=one)
    twice = [tf.TensorSpec([], name="same"), tf.TensorSpec([], name="same"), tf.TensorSpec([])]
    assert [s.name for s in f.get_concrete_function(*twice).inputs] == ["a", "b", "c"]
    other = f.get_concrete_function(tf.TensorSpec([2], name="pixels"), *specs[1:])
    assert [s.name for s in other.inputs] == ["pixels", "b", "c"]
