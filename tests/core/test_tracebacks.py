"""Tracebacks without frames of this package, and messages that say what to write."""

from __future__ import annotations

import logging
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

import tfc as tf

PROGRAM = """
import tfc as tf

@tf.function
def f(x):
    if tf.reduce_sum(x) > 0.0:
        x = tf.concat([x, x], 5)
    return x

try:
    f(tf.ones([2, 3]))
except ValueError as error:
    print("here")
    raise KeyError("another") from error
"""


def _files(error: BaseException) -> list[str]:
    return [entry.filename for entry in traceback.extract_tb(error.__traceback__)]


def test_calls_leave_their_frames_out() -> None:
    @tf.function
    def f(x: Any) -> Any:
        for _ in tf.range(3):
            x = tf.concat([x, x], 5)
        return x

    assert tf.debugging.is_traceback_filtering_enabled()
    with pytest.raises(ValueError) as caught:
        f(tf.ones([2, 3]))
    files = _files(caught.value)
    assert len([file for file in files if file != __file__]) <= 1 and files[-1] == __file__
    tf.debugging.disable_traceback_filtering()
    try:
        with pytest.raises(ValueError) as caught:
            f(tf.ones([2, 3]))
    finally:
        tf.debugging.enable_traceback_filtering()
    assert len([file for file in _files(caught.value) if file != __file__]) > 5


def test_scripts_end_without_frames_of_this_package(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(PROGRAM)
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    places = [line for line in run.stderr.splitlines() if line.startswith('  File "')]
    assert run.returncode == 1 and run.stdout == "here\n"
    assert len(places) == 4 and all(str(script) in line for line in places), run.stderr
    assert "KeyError: 'another'" in run.stderr and ", but got 5" in run.stderr


ADVICE: list[tuple[Any, str]] = [
    (lambda: tf.ones([3, 4]) @ tf.ones([4]), r"use tf\.linalg\.matvec for a matrix times a vector"),
    (lambda: tf.ones([3]) @ tf.ones([3, 4]), r"tf\.linalg\.matvec\(y, x, transpose_a=True\)"),
    (lambda: tf.ones([3]) @ tf.ones([3]), r"tf\.tensordot\(x, y, 1\)"),
    (lambda: tf.constant([1]) * tf.constant([1.0]), r"tf\.cast\(x, tf\.float32\) on the first"),
    (lambda: tf.constant([1.0]) * tf.constant([1]), r"tf\.cast\(x, tf\.float32\) on the other"),
    (lambda: tf.constant([1]) * 0.5, r"use tf\.cast\(x, tf\.float32\) on the tensor"),
    (lambda: bool(tf.ones([3]) > 0.0), r"Use tf\.reduce_any\(x\) or tf\.reduce_all\(x\)"),
    (lambda: tf.concat(0, [[1], [2]]), r"write tf\.concat\(values, axis\)"),
    (lambda: tf.concat([tf.ones([2, 3]), tf.ones([3, 4])], 0), "axis 1 of input 1 has 4 elements"),
    (lambda: tf.concat([tf.ones([2, 3]), tf.ones([3])], 0), "input 1 has rank 1"),
    (lambda: tf.constant([[1, 2], [3]]), r"tf\.ragged\.constant"),
    (lambda: tf.linalg.cholesky([[1.0, 2.0], [2.0, 1.0]]), "symmetric and positive definite"),
    (
        lambda: tf.nn.sparse_softmax_cross_entropy_with_logits([[0, 1]], tf.ones([1, 2])),
        "for one-hot labels use softmax_cross_entropy_with_logits",
    ),
]


@pytest.mark.parametrize("call, text", ADVICE)
def test_messages_say_what_to_write(call: Any, text: str) -> None:
    with pytest.raises((TypeError, ValueError, tf.errors.InvalidArgumentError), match=text):
        call()


def test_gradients_that_are_none_by_mistake_are_logged(caplog: Any) -> None:
    x, n, unused = tf.constant(2.0), tf.Variable(3), tf.Variable(1.0)
    with caplog.at_level(logging.WARNING), tf.GradientTape(persistent=True) as tape:
        y = x * x
    for _ in range(2):
        assert tape.gradient(y, x) is None
    assert tape.gradient(y, n) is None
    assert tape.gradient(y, unused) is None  # may well be meant
    first, second = [record.getMessage() for record in caplog.records]
    assert "does not watch the source: call tape.watch(x)" in first
    assert "the source is int32: only floats have gradients" in second
