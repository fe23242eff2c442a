"""Loops that Python runs while a function is traced."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

import tfc as tf
from tfc.autograph import unrolling


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unrolling, "MANY", 10)
    monkeypatch.setattr(unrolling, "TOO_MANY", 30)


def over_a_generator(x):
    for k in itertools.count():  # <-
        x = x + float(k)
    return x


def with_a_break_on_a_tensor(x):
    for k in itertools.count():  # <-
        if x > 10.0:
            break
        x = x + float(k)
    return x


def with_a_condition_of_python(x):
    while True:  # <-
        x = x * 2.0


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize(
    "f", [over_a_generator, with_a_break_on_a_tensor, with_a_condition_of_python]
)
def test_what_never_ends_is_an_error_at_the_loop(f: Any) -> None:
    line = f.__code__.co_firstlineno + 1
    with (
        pytest.warns(RuntimeWarning, match="10 rounds so far have added ops") as warned,
        pytest.raises(RuntimeError, match=rf"unrolled 30 times.*test_unrolling.py:{line}"),
    ):
        tf.function(f)(tf.constant(1.0))
    assert [(w.filename, w.lineno) for w in warned] == [(__file__, line)]


@pytest.mark.usefixtures("_short")
@pytest.mark.filterwarnings("error")
def test_rounds_that_add_nothing_do_not_count() -> None:
    @tf.function
    def f(x: Any) -> Any:
        total = 0
        for k in range(1000):
            total += k
        return x + float(total)

    assert float(f(tf.constant(0.0))) == 499500


def test_generators_and_objects_that_give_tensors_are_unrolled() -> None:
    class Batches:
        def __iter__(self) -> Iterator[Any]:
            return iter([tf.constant(1.0), tf.constant(2.0)])

        def reduce(self, *_: Any) -> Any:
            raise AssertionError("called")

    @tf.function
    def f(x: Any) -> Any:
        for k in (float(i) for i in range(3)):
            x = x + k
        for k in itertools.count():
            if k > 3:
                break
            x = x + float(k)
        for batch in Batches():
            x = x * batch
        return x

    assert float(f(tf.constant(1.0))) == (1 + 3 + 6) * 2
