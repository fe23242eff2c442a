"""The line on stderr about a program that compiles for long."""

import threading
import time
import warnings

import pytest

import tfc as tf
from tfc.core import environment
from tfc.dispatch import slow_compiles
from tfc.dispatch.slow_compiles import VARIABLE, SlowCompile


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0.000001")


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is said of functions; what this module's own ops take does not matter."""
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith("tfc: compiling ") for line in lines)
    return [line for line in lines if not line.startswith("tfc: compiling fill ")]


def test_it_says_what_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def doubled(x: tf.Tensor) -> tf.Tensor:
        return x * 2.0 + 0.123

    doubled(tf.ones([3]))
    (line,) = said(capsys)
    assert line.startswith("tfc: compiling doubled has taken 0.")
    assert f"{__file__}:" in line and line.endswith("; its first trace)")
    doubled(tf.ones([3]))
    assert said(capsys) == []  # nothing is compiled
    doubled(tf.ones([4]))
    (line,) = said(capsys)
    assert line.endswith("; x was f32[3] and is f32[4])")


def test_what_expects_other_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    f = tf.function(lambda x: x * 5.0 - 0.321, reduce_retracing=True)
    f(tf.ones([3]))
    (line,) = said(capsys)
    assert line.endswith("; its first trace)")
    f(tf.ones([4]))
    assert said(capsys) == []


def test_tracing_counts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @tf.function
    def awaited(x: tf.Tensor) -> tf.Tensor:
        time.sleep(0.2)
        return x * 7.0 - 0.5

    monkeypatch.setenv(VARIABLE, "60")
    slow = SlowCompile(awaited.get_concrete_function(tf.ones([2])).function)
    assert slow.look() >= 0.2


def test_while_llvm_works(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_compiles, "_SHORT", 0.0)
    monkeypatch.setenv(VARIABLE, "0.05")
    slow = SlowCompile(tf.function(tf.sin).get_concrete_function(tf.ones([2])).function)
    lines: list[str] = []
    with slow.while_waiting():
        end = time.monotonic() + 60
        while not lines and time.monotonic() < end:
            time.sleep(0.01)
            lines += said(capsys)
    assert len(lines) == 1 and "compiling sin has taken" in lines[0]
    slow.look()
    assert said(capsys) == []  # once is enough


@pytest.mark.parametrize("value", ["0", "60", ""])
def test_it_is_quiet(
    value: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    slow = SlowCompile(tf.function(tf.cos).get_concrete_function(tf.ones([2])).function)
    slow._start -= 0.9
    slow.look()
    assert said(capsys) == []


def test_values(monkeypatch: pytest.MonkeyPatch) -> None:
    for value, seconds in {"2.5": 2.5, "0": 0, "-1": 1, "soon": 1, "": 1}.items():
        monkeypatch.setenv(VARIABLE, value)
        assert slow_compiles._seconds() == seconds
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            environment.check({VARIABLE: value})
        assert bool(caught) == (value in ("-1", "soon")), value


def test_threads_of_its_own_say_no_place(capsys: pytest.CaptureFixture[str]) -> None:
    """What they run has no caller but Python's library."""
    slow = SlowCompile(tf.function(tf.cos).get_concrete_function(tf.ones([2])).function)
    thread = threading.Thread(target=slow.look)
    thread.start()
    thread.join()
    (line,) = said(capsys)
    assert line.endswith(" s so far (its first trace)")
