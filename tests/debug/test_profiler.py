"""The profiler: what it tells adds up, and what it looks at stays as it is."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import tfc as tf
from tfc.backends.cpu.measured_peak import measure


def here() -> int:
    return sys._getframe(1).f_lineno


def test_kernels_have_names_lines_bytes_and_operations() -> None:
    line = here() + 4

    @tf.function
    def f(x: tf.Tensor, w: tf.Tensor) -> tf.Tensor:
        y = tf.nn.relu(x @ w + 1.0)
        return y, tf.nn.softmax(y), tf.gather(x, [1, 2])

    x, w = tf.ones([8, 16]), tf.ones([16, 32])
    product, softmax, rows = f.get_concrete_function(x, w).profile(x, w).kernels
    assert product.name == "matmul + relu + add"
    assert product.line.endswith(f"{Path(__file__).name}:{line}")
    assert product.bytes == 4 * (8 * 16 + 16 * 32 + 8 * 32)
    assert product.operations == 2 * 8 * 16 * 32 + 2 * 8 * 32
    assert "exp" in softmax.name
    assert softmax.bytes == 4 * 2 * 8 * 32
    assert softmax.line.endswith(f":{line + 1}")
    assert rows.name == "gather"
    assert rows.bytes < 4 * (8 * 16 + 2 * 16)  # what was not asked for was not read
    for kernel in (product, softmax, rows):
        assert kernel.calls == 1
        assert kernel.seconds > 0
        assert kernel.floor > 0
        assert kernel.share == kernel.floor / kernel.seconds


def test_the_table_has_a_row_for_each_kernel() -> None:
    f = tf.function(lambda x: tf.cumsum(tf.reduce_sum(x, axis=1)))
    x = tf.ones([300, 40])
    found = f.get_concrete_function(x).profile(x)
    head, titles, *rows = str(found).splitlines()
    assert "2 kernels" in head
    assert "of limit" in titles
    assert len(rows) == 2
    assert any("recurrence" in row or "cum" in row for row in rows), found
    assert sum(k.calls * k.seconds for k in found.kernels) <= found.seconds


def test_sizes_are_those_of_the_call() -> None:
    spec = tf.TensorSpec([None, 8])
    f = tf.function(lambda x: tf.reduce_sum(x * x, axis=1), input_signature=[spec])
    concrete = f.get_concrete_function()
    for n in (3, 100):
        (kernel,) = concrete.profile(tf.ones([n, 8])).kernels
        assert kernel.bytes == 4 * (8 * n + n)
        assert kernel.operations == 2 * 8 * n


def test_what_is_in_loops_is_counted() -> None:
    @tf.function
    def f(x: tf.Tensor) -> tf.Tensor:
        for _ in tf.range(5):
            x = tf.tanh(x @ x)
        return x

    x = tf.ones([8, 8])
    kernels = f.get_concrete_function(x).profile(x).kernels
    assert [k.calls for k in kernels if "matmul" in k.name] == [5]


def test_variables_stay_as_they_are() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(x: tf.Tensor) -> tf.Tensor:
        v.assign_add(x)
        return v * 2.0

    x = tf.ones([2])
    concrete = f.get_concrete_function(x)
    concrete.profile(x)
    assert v.numpy().tolist() == [1.0, 2.0]
    concrete(x)
    assert v.numpy().tolist() == [2.0, 3.0]


def test_profile_prints_nothing() -> None:
    code = """
import tfc as tf
@tf.function
def f(x):
    tf.print("printed")
    return x + 1.0
x = tf.ones([2])
f.get_concrete_function(x).profile(x)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "printed" not in done.stdout + done.stderr


def test_python_functions_are_called() -> None:
    calls: list[int] = []

    def twice(x: tf.Tensor) -> tf.Tensor:
        calls.append(1)
        return x * 2.0

    @tf.function
    def f(x: tf.Tensor) -> tf.Tensor:
        return tf.py_function(twice, [x], tf.TensorSpec([3]))

    x = tf.ones([3])
    f.get_concrete_function(x).profile(x)
    assert len(calls) >= 10


def test_arguments_that_do_not_fit() -> None:
    f = tf.function(lambda x: x + 1.0)
    concrete = f.get_concrete_function(tf.ones([3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"traced for \(f32\[3\]\)"):
        concrete.profile(tf.ones([4]))


def events(path: Path) -> list[dict[str, object]]:
    found = json.loads((path / "trace.json").read_text())
    return [e for e in found["traceEvents"] if e["cat"] == "kernel"]


def test_a_timeline_of_eager_compiled_and_differentiated_code(tmp_path: Path) -> None:
    f = tf.function(lambda x: tf.tanh(x) * 2.0)
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    plain = [f(x), x @ x]
    with tf.profiler.trace(tmp_path):
        seen = [f(x), x @ x]
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x) * x
        dx = tape.gradient(y, x)
    for a, b in zip(plain, seen, strict=True):
        assert np.array_equal(a, b)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x) * x
    assert np.array_equal(dx, tape.gradient(y, x))
    found = events(tmp_path)
    names = [str(e["name"]) for e in found]
    assert names[1] == "matmul"
    assert "tanh" in names[0]
    assert len(names) >= 5  # forward, product, backward
    for e in found:
        assert e["ph"] == "X"
        assert float(e["dur"]) > 0  # type: ignore[arg-type]
        assert Path(__file__).name in e["args"]["line"]  # type: ignore[index]
    starts = [float(e["ts"]) for e in found]  # type: ignore[arg-type]
    assert starts == sorted(starts)
    before = len(names)
    f(x)  # nothing more is written
    assert len(events(tmp_path)) == before


def test_all_threads_are_in_the_timeline(tmp_path: Path) -> None:
    x = tf.ones([4])
    with tf.profiler.trace(tmp_path):
        gate = threading.Barrier(3)

        def work() -> None:
            gate.wait()
            for _ in range(20):
                tf.tanh(x)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    found = events(tmp_path)
    assert len(found) == 60
    assert len({e["tid"] for e in found}) == 3


def test_names_of_tensorflow(tmp_path: Path) -> None:
    tf.profiler.experimental.start(str(tmp_path), tf.profiler.experimental.ProfilerOptions())
    with pytest.raises(RuntimeError, match="already"):
        tf.profiler.experimental.start(str(tmp_path))
    with tf.profiler.experimental.Trace("step", step_num=3):
        tf.constant(1.0) + 2.0
    tf.profiler.experimental.stop()
    with pytest.raises(RuntimeError, match="nothing was started"):
        tf.profiler.experimental.stop()
    everything = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    span, kernel = (event for event in everything if event["cat"] != "compile")
    assert (span["name"], span["args"]) == ("step", {"step_num": "3"})
    assert span["ts"] <= kernel["ts"] <= span["ts"] + span["dur"]
    with tf.profiler.experimental.Profile(str(tmp_path / "other")):
        pass
    assert events(tmp_path / "other") == []


def test_what_has_no_room_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tf.profiler.timeline, "CAPACITY", 3)
    with tf.profiler.trace(tmp_path) as timeline:
        for _ in range(5):
            tf.tanh(tf.constant([1.0]))
    ran = [e["cat"] for e in timeline.events if e["cat"] != "compile"]
    assert ran == ["kernel"] * 3 + ["python"]
    assert timeline.events[-1]["name"].startswith("2 more kernels")


def test_traces_and_stages_of_compiling_are_spans(tmp_path: Path) -> None:
    f = tf.function(lambda x: x * 3.0 + 0.77)
    with tf.profiler.trace(tmp_path) as timeline:
        f(tf.constant([1.0]))
        f(tf.constant([2.0]))
    spans = {e["name"]: e for e in timeline.events if e["cat"] == "compile"}
    whole = spans["compile lambda"]
    for stage in ("optimise lambda", "lower lambda"):
        assert whole["ts"] <= spans[stage]["ts"]
        assert spans[stage]["ts"] + spans[stage]["dur"] <= whole["ts"] + whole["dur"]
    assert spans["trace lambda"]["ts"] + spans["trace lambda"]["dur"] <= whole["ts"]
    assert whole["args"]["line"].startswith(__file__)
    assert [e["name"] for e in timeline.events].count("trace lambda") == 1


def test_limits_are_of_this_machine() -> None:
    best = tf.profiler.limits(threads=1)
    assert best is measure(1)
    sizes, rates = zip(*best.copies, strict=True)
    assert sorted(sizes) == list(sizes)
    assert min(rates) > 1e8
    assert best.bandwidth(1000) == rates[0]
    assert best.bandwidth(10**12) == rates[-1]
    assert best.seconds(0, int(best.operations)) == pytest.approx(1.0)
    start = time.perf_counter()
    tf.profiler.limits(threads=1)
    assert time.perf_counter() - start < 0.05  # once
    for threads in (0, -1, "two"):
        with pytest.raises(ValueError, match="threads must be a positive integer"):
            tf.profiler.limits(threads)


def test_memory_is_known_before_running() -> None:
    v = tf.Variable(tf.zeros([10, 10]))

    @tf.function(input_signature=[tf.TensorSpec([None, 10])])
    def f(x: tf.Tensor) -> tf.Tensor:
        v.assign_add(tf.reduce_sum(x) * v)
        return x @ v, x

    concrete = f.get_concrete_function()
    found = concrete.memory_analysis(tf.ones([32, 10]))
    assert found.arguments == 32 * 40
    assert found.captured == 400 and found.updates == 0  # the new value is where the old one was
    assert found.outputs == 32 * 40  # x itself is not copied
    assert isinstance(found.temporaries, int)
    assert found.peak == 2 * 32 * 40 + 400 + found.temporaries
    unknown = concrete.memory_analysis()
    assert str(unknown.arguments).startswith("40*")
    with pytest.raises(tf.errors.InvalidArgumentError):
        concrete.memory_analysis(tf.ones([32, 11]))
    mask = tf.function(lambda x: tf.boolean_mask(x, x > 0.0)).get_concrete_function(tf.ones([4]))
    with pytest.raises(tf.errors.UnimplementedError, match="depend on data"):
        mask.memory_analysis()
