"""Numbers that are legal and extreme, on small tensors: no call is without an end.

The calls are those of tests/extreme_values.py, a share of them in a process of their own;
`python -m tests.extreme_values` runs them all. Work that a process cannot interrupt, such as a
compiler's, shows by the process itself, which is ended after minutes; the last call is named."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import extreme_values
from tests.sampling import ALL
from tfc.ir.kernels.cpu.conv import depthwise
from tfc.ir.ops.window import Axis

SHARE = 41 if ALL else 163  # one call in so many: no factor of the numbers of ways and of extremes


def test_calls_end() -> None:
    run = [sys.executable, "-m", "tests.extreme_values", "--share", str(SHARE)]
    try:
        found = subprocess.run(run, capture_output=True, text=True, timeout=300)
    except subprocess.TimeoutExpired as error:
        lines = (error.stdout or b"").decode().splitlines() or ["nothing"]
        pytest.fail(f"it does not end: {lines[-1]}")
    assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-3000:]
    assert int(found.stdout.splitlines()[-1].split()[0]) > (120 if ALL else 30)


def test_an_endless_call_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extreme_values, "SECONDS", 0.1)
    call = extreme_values.Call("wait", lambda: [None for _ in iter(int, 1)], (), {})
    before = signal.signal(signal.SIGALRM, extreme_values._alarm)
    try:
        assert extreme_values.verdict(extreme_values.eagerly, call) == "endless"
    finally:
        signal.signal(signal.SIGALRM, before)


X = np.arange(1, 17, dtype=np.float32).reshape(1, 8, 2)
SLIDING: dict[str, Callable[[Any, int, str], Any]] = {
    "conv1d": lambda x, s, p: tf.nn.conv1d(x, tf.ones([2, 2, 3]), s, p),
    "depthwise": lambda x, s, p: tf.nn.depthwise_conv2d(
        x[:, None], tf.ones([1, 2, 2, 1]), [1, s, s, 1], p
    ),
    "avg_pool": lambda x, s, p: tf.nn.avg_pool1d(x, 3, s, p),
    "max_pool": lambda x, s, p: tf.nn.max_pool1d(x, 3, s, p),
    "dilation": lambda x, s, p: tf.nn.dilation2d(
        x[:, None], tf.ones([1, 2, 2]), [1, s, s, 1], p, "NHWC", [1, 1, 1, 1]
    ),
}


@pytest.mark.parametrize("padding", ["SAME", "VALID"])
@pytest.mark.parametrize("name", SLIDING)
def test_strides_beyond_the_end_are_one_place(name: str, padding: str) -> None:
    """However far: the result and the gradient are those of a stride of the extent."""

    def both(stride: int) -> tuple[bytes, bytes]:
        x = tf.constant(X)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = SLIDING[name](x, stride, padding)
        return y.numpy().tobytes(), tape.gradient(y, x).numpy().tobytes()

    wanted = both(8)
    assert both(9) == both(2**31 - 1) == both(2**62) == wanted


@pytest.mark.parametrize("pool", [tf.nn.avg_pool1d, tf.nn.max_pool1d])
def test_windows_beyond_both_ends_see_everything(pool: Callable[..., Any]) -> None:
    """However long they are, under SAME."""
    wanted = pool(X, 31, 1, "SAME").numpy()
    for taps in (32, 10**6, 2**31 - 1):
        np.testing.assert_array_equal(pool(X, taps, 1, "SAME").numpy(), wanted)


def test_kinds_of_tiles_are_told_without_looking_at_each() -> None:
    """A place at each of 2**40: the first and the last tile differ from those between."""
    axis = Axis(3, 2**40, 1, 1, 1, 1, 2**40)
    first, between, last = depthwise.kinds(axis)
    assert (first.tiles, between.tiles, last.tiles) == (1, 2**37 - 2, 1)
    assert between.reads[0] == (-1, 0, 1) and last.reads[-1] == (6, 7, None)
