"""The profiler on a GPU: kernels are timed by events of its stream."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import tfc as tf
from tests.emulated_gpu import array, emulated_gpus, on_gpu
from tfc.backends.cuda import measured_peak


def here() -> int:
    return sys._getframe(1).f_lineno


def test_kernels_have_names_lines_bytes_and_operations(gpu: Any) -> None:
    line = here() + 4

    @tf.function
    def f(x: Any, w: Any) -> Any:
        y = tf.nn.relu(x @ w + 1.0)
        return y, tf.reduce_sum(y, 1)

    x, w = tf.constant(array(8, 16)).gpu(), tf.constant(array(16, 32)).gpu()
    found = f.get_concrete_function(x, w).profile(x, w)
    product, total = found.kernels
    assert product.name == "matmul + relu + add"
    assert product.line.endswith(f"{Path(__file__).name}:{line}")
    assert product.bytes == 4 * (8 * 16 + 16 * 32 + 8 * 32)
    assert product.operations == 2 * 8 * 16 * 32 + 2 * 8 * 32
    assert total.name == "reduce_sum" and total.line.endswith(f":{line + 1}")
    best = measured_peak.measure(gpu)
    for kernel in found.kernels:
        assert kernel.calls == 1 and 0 < kernel.seconds <= found.seconds
        assert kernel.floor == best.seconds(int(kernel.bytes), int(kernel.operations)) > 0
    assert str(found).splitlines()[0].endswith(f"2 kernels, on {gpu.name}")


def test_variables_stay_as_they_are_and_sizes_are_those_of_the_call(gpu: Any) -> None:
    with tf.device("/gpu:0"):
        v = tf.Variable(array(4))
        f = tf.function(lambda x: v.assign_add(tf.reduce_sum(x, 0)))
        concrete = f.get_concrete_function(tf.TensorSpec([None, 4]))
        for n in (3, 70):
            (kernel,) = concrete.profile(tf.constant(array(n, 4))).kernels
            assert kernel.bytes == 4 * (4 * n + 4 + 4)
    np.testing.assert_array_equal(v.numpy(), array(4))


def test_loops_and_the_host(gpu: Any) -> None:
    @tf.function
    def f(x: Any) -> Any:
        for _ in tf.range(5):
            x = tf.tanh(x @ x)
        return tf.linalg.inv(x)

    x = tf.constant(array(3, 3)).gpu()
    kernels = f.get_concrete_function(x).profile(x).kernels
    assert sum(k.calls for k in kernels if "matmul" in k.name) == 5
    assert any("inverse" in k.name or "solve" in k.name or "inv" in k.name for k in kernels)


def test_a_timeline(gpu: Any, tmp_path: Path) -> None:
    x = tf.constant(array(30, 40)).gpu()
    f = tf.function(lambda x: tf.nn.relu(x @ tf.transpose(x)))
    f(x)
    with tf.profiler.trace(tmp_path) as timeline:
        line = here() + 1
        y = tf.reduce_sum(tf.exp(x), 1)
        z = f(x)
        w = tf.constant([1.0]) + 1.0  # on the CPU
    assert on_gpu(y) and on_gpu(z) and not on_gpu(w)
    ran = [event for event in timeline.events if event["cat"] != "compile"]
    names = [event["name"] for event in ran]
    assert names[:2] == ["exp", "reduce_sum"]
    assert "matmul + relu + transpose" in names and "add" in names
    ours = [e for e in timeline.events if e["cat"] == gpu.name]
    assert len(ours) == len(names) - 1
    assert len({e["tid"] for e in ran}) == 2
    assert ours[0]["args"]["line"].endswith(f"{Path(__file__).name}:{line}")
    assert ours[0]["args"]["bytes"] == 2 * 4 * 30 * 40 and ours[0]["dur"] > 0
    for one, other in itertools.pairwise(ours):
        assert one["ts"] + one["dur"] <= other["ts"] + 5.0  # clocks of GPUs are coarse
    written = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert len(written) == len(timeline.events)
    again = tf.exp(x)  # without clocks
    assert np.array_equal(again.numpy(), tf.exp(x.cpu()).numpy())


def test_a_timeline_where_the_gpu_is_the_default(tmp_path: Path) -> None:
    with emulated_gpus("default") as (device,):
        v = tf.Variable(array(6))
        with tf.profiler.trace(tmp_path) as timeline:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(v * v)
            v.assign_sub(0.1 * tape.gradient(loss, v))
        assert {e["cat"] for e in timeline.events} == {device.name, "compile"}
        np.testing.assert_allclose(v.numpy(), 0.8 * array(6), rtol=1e-6)
