"""`debugging.step`: programs run op by op, as a script of commands says."""

from __future__ import annotations

import builtins
import io
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.debugging import step


def session(f: Any, *args: Any, commands: Iterable[str]) -> tuple[Any, list[str]]:
    """What a call gives, and what is shown, without the user's places."""
    output = io.StringIO()
    result = step(f, *args, commands=commands, output=output)
    text = output.getvalue().replace(__file__, "here")
    return result, re.sub(r" +#", " #", text).splitlines()


@tf.function
def f(x: Any, n: Any) -> Any:
    y = x * 2.0
    for i in tf.range(n):
        y = y + tf.cast(i, tf.float32)
        if i > 0:
            y = y * 10.0
    return y - x


X, N = tf.constant([1.0, 2.0]), tf.constant(3)
LINE = f.python_function.__code__.co_firstlineno


def test_it_gives_what_the_function_gives() -> None:
    for commands in (["c"], ["n"] * 50, ["s"] * 100, ["r"]):
        result, _ = session(f, X, N, commands=commands)
        np.testing.assert_array_equal(result, f(X, N))


def test_next_shows_values_and_lines() -> None:
    _, lines = session(f, X, N, commands=["n", "n", "n", "p x %y", "q"])
    assert lines[:2] == [
        f"> %0 = constant {{value = f32 2.0}} : f32 # here:{LINE + 2}",
        "    y = x * 2.0",
    ]
    assert f"> %y = mul %x, %1 : f32[2] # here:{LINE + 2}" in lines
    assert lines.count("%y = [2. 4.]") == 2  # once it has run, and where it is asked for
    assert "%x = [1. 2.]" in lines
    assert not any("[ 11." in line for line in lines)


def test_into_the_regions() -> None:
    _, lines = session(f, X, N, commands=[f"b {LINE + 4}", "c", "w", "a", "r", "n", "q"])
    at = next(i for i, line in enumerate(lines) if line.endswith(f"here:{LINE + 4}"))
    assert lines[at + 1] == "    y = y + tf.cast(i, tf.float32)"
    where = lines[at + 2 : at + 4]
    assert (where[0].startswith("@f: ") and "scan" in where[0]) or "while" in where[0]
    assert where[1].startswith("in ") and where[1].endswith(f"here:{LINE + 4}")
    assert any("= [2. 4.]" in line for line in lines[at + 4 :])  # an argument of the body


def test_breakpoints() -> None:
    _, lines = session(f, X, N, commands=[f"b {LINE + 6}", "b", "c", "p y", "cl", "c"])
    assert f"breakpoints: {LINE + 6}" in lines
    stops = [line for line in lines if line.startswith("> ")]
    assert len(stops) == 2 and stops[-1].endswith(f"here:{LINE + 6}")
    for point in ("mul", "%y", f"test_stepping.py:{LINE + 2}"):
        _, lines = session(f, X, N, commands=[f"b {point}", "c", "q"])
        assert f"here:{LINE + 2}" in lines[-2]
    assert "elsewhere.py" not in lines
    _, lines = session(f, X, N, commands=[f"b elsewhere.py:{LINE + 2}", "c"])
    assert sum(line.startswith("> ") for line in lines) == 1


def test_other_commands() -> None:
    _, lines = session(f, X, N, commands=["h", "dance", "l", "p nowhere", "n", "", "q"])
    assert "c(ontinue)  run to the next breakpoint" in lines
    assert "no command 'dance': h lists them" in lines
    assert any(line.startswith("-> %0 = constant") for line in lines)
    assert "nowhere has no value here" in lines
    assert sum(line.startswith("> ") for line in lines) == 3  # an empty line repeats


def test_typed_commands(monkeypatch: Any, capsys: Any) -> None:
    typed = iter(["n", "p %0"])

    def read(prompt: str) -> str:
        assert prompt == "(step) "
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(builtins, "input", read)
    assert step(f, X, N) is None  # the end of what is typed ends it
    assert capsys.readouterr().out.splitlines().count("%0 = 2.0") == 2


def test_symbols_effects_and_variables(capsys: Any) -> None:
    v = tf.Variable(1.0)
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None])])
    def g(x: Any) -> Any:
        tf.print("total", tf.reduce_sum(x))
        tf.py_function(lambda t: seen.append(t.numpy().tolist()), [x], [])
        v.assign_add(tf.reduce_sum(x))
        return {"y": tf.boolean_mask(x, x > 1.0), "v": v + 0.0}

    x = tf.constant([1.0, 2.0, 3.0])
    name = str(g.get_concrete_function().function.params[0].shape[0])
    result, lines = session(g, x, commands=["n", f"p {name}", "q"])
    assert result is None and f"{name} = 3" in lines
    assert float(v) == 1.0 and seen == []
    result, _ = session(g, x, commands=[])
    np.testing.assert_array_equal(result["y"], [2, 3])
    assert float(result["v"]) == 7.0 == float(v)
    assert seen == [[1, 2, 3]] and capsys.readouterr().err == "total 6\n"


def test_gradients_and_other_functions() -> None:
    result, lines = session(
        lambda x: tf.grad(lambda x: x * tf.tanh(x))(x), tf.constant(0.5), commands=["n"] * 99
    )
    np.testing.assert_allclose(result, tf.grad(lambda x: x * tf.tanh(x))(0.5), rtol=1e-6)
    assert any("tanh" in line for line in lines)
    text = "func @twice(%x: f32[n]) -> f32[n] {\n  %0 = add %x, %x : f32[n]\n  return %0\n}"
    result, lines = session(tf.ir.parse(text), [1.0, 2.0], commands=["n"])
    np.testing.assert_array_equal(result, [2, 4])
    assert lines == ["> %0 = add %x, %x : f32[n]", "%0 = [2. 4.]"]


def test_what_fails() -> None:
    @tf.function
    def g(x: Any) -> Any:
        tf.debugging.assert_positive(x, message="so it is")
        return x

    with pytest.raises(tf.errors.InvalidArgumentError, match="so it is") as caught:
        session(g, tf.constant(-1.0), commands=[])
    assert __file__ in str(caught.value)

    @tf.function
    def outer(x: Any) -> Any:
        step(g, x)
        return x

    with pytest.raises(tf.errors.FailedPreconditionError, match=r"inside of a tfc\.function"):
        outer(tf.constant(1.0))
