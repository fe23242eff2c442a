"""AutoGraph misuses: the exact error, with the user's line, and what to write instead."""

from __future__ import annotations

import inspect
import linecache
import re
from typing import Any

import pytest

import tfc as tf
from tests import autograph_misuses_python, autograph_misuses_state  # noqa: F401  (fill the table)
from tests.autograph_misuse import MISUSES


def _marked(file: str) -> set[int]:
    lines = linecache.getlines(file)
    return {i for i, line in enumerate(lines, 1) if line.rstrip().endswith("# <-")}


@pytest.mark.parametrize("name", MISUSES)
def test_misuse(name: str) -> None:
    f, argument, error, text = MISUSES[name]
    spec = [tf.TensorSpec([None])] if name == "comp_over_unknown" else None
    with pytest.raises(error) as caught:
        tf.function(f, input_signature=spec)(tf.constant(argument))
    assert type(caught.value) is error
    message = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    file = inspect.getfile(f)
    places = {int(n) for n in re.findall(rf"{re.escape(file)}:(\d+)", message)}
    message = re.sub(rf"{re.escape(file)}:\d+", "{here}", message)
    message = re.sub(r"^cannot use .* as a (?:dict key|set element) \((.*)\)$", r"\1", message)
    assert re.sub(r"\bd\d+\b", "d", message) == text
    assert places <= _marked(file)
    if "{here}" in text and f.__name__ != "gen_if":
        lines, start = inspect.getsourcelines(f)
        assert places and all(start <= place < start + len(lines) for place in places)


def test_there_are_many() -> None:
    assert len(MISUSES) >= 50


def test_an_assert_on_a_tensor_fails_when_it_runs() -> None:
    @tf.function
    def f(x: Any) -> Any:
        assert tf.reduce_all(x > 0.0), "must be positive"
        return x

    assert float(f(tf.constant([1.0, 2.0]))[1]) == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"must be positive.*test_autograph"):
        f(tf.constant([1.0, -2.0]))


def test_tracebacks_show_the_users_lines() -> None:
    def inner(x: Any) -> Any:
        if x > 0.0:
            x = tf.concat([x, x], 0)  # the line
        return x

    with pytest.raises(ValueError) as caught:
        tf.function(inner)(tf.constant(1.0))
    lines = [linecache.getline(t.path.__str__(), t.lineno + 1) for t in caught.traceback]
    assert any("# the line" in line for line in lines)
