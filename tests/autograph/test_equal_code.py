"""Functions whose code is equal, in two files: each has what its own file has."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

import tfc as tf

SOURCE = """

def f(x):
    if x > 0:
        return x * 2
    return x
"""


def made(name: str, known: bool) -> Any:
    """The function, from a file whose source is known or not."""
    if known:
        linecache.cache[name] = len(SOURCE), None, SOURCE.splitlines(True), name
    scope: dict[str, Any] = {}
    exec(compile(SOURCE, name, "exec"), scope)
    return scope["f"]


@pytest.mark.parametrize("order", [(True, False), (False, True)])
def test_one_has_a_source_and_the_other_none(order: tuple[bool, bool]) -> None:
    """The second is not what was made of the first, which it equals."""
    functions = [made(f"<equal {known} {order}>", known) for known in order]
    assert functions[0].__code__ == functions[1].__code__
    for known, f in zip(order, functions, strict=True):
        if known:
            assert float(tf.function(f)(tf.constant(3.0))) == 6.0
            code = tf.autograph.to_graph(f).__code__
            assert code.co_filename == f.__code__.co_filename
        else:
            with pytest.raises(
                tf.errors.OperatorNotAllowedInGraphError, match="as a Python `bool`"
            ):
                tf.function(f)(tf.constant(3.0))
