"""Misuses of functions: the exact error, and the user's line in it."""

from __future__ import annotations

import inspect
import linecache
import re

import pytest

import tfc as tf
from tests import function_misuses_calls, function_misuses_runs  # noqa: F401  (fill the table)
from tests.function_misuse import MISUSES

pytestmark = pytest.mark.walks_heap


def marked(file: str) -> set[int]:
    lines = linecache.getlines(file)
    return {i for i, line in enumerate(lines, 1) if line.rstrip().endswith("# <-")}


@pytest.mark.usefixtures("thawed")  # what keeps a tensor is part of some messages
@pytest.mark.parametrize("name", MISUSES)
def test_misuse(name: str) -> None:
    run, error, text = MISUSES[name]
    file = inspect.getfile(run)
    lines, start = inspect.getsourcelines(run)
    own = {i for i in marked(file) if start <= i < start + len(lines)}
    for _ in range(2):  # it is no different the second time
        with pytest.raises(error) as caught:
            run()
        assert type(caught.value) is error
        message = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
        places = {int(n) for n in re.findall(rf"{re.escape(file)}:(\d+)", message)}
        assert re.sub(rf"{re.escape(file)}:\d+", "{here}", message) == text
        assert places == own and places
    assert tf.executing_eagerly()


def test_there_are_many() -> None:
    assert len(MISUSES) >= 60
