"""Modules: what kernels have in common is there once."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import tfc as tf


def test_functions_of_one_text_are_there_once() -> None:
    """Two convolutions that differ in what follows: the copy with a halo is one function, and
    what their tiles share."""

    def both(x: Any, y: Any, w: Any) -> Any:
        grown = tf.nn.conv2d_transpose(x, w, [32, 16, 16, 16], 2)
        return tf.nn.relu(grown), tf.nn.conv2d_transpose(y, w, [32, 16, 16, 16], 2) * 2.0

    given = *[tf.TensorSpec([32, 8, 8, 32])] * 2, tf.TensorSpec([4, 4, 16, 32])
    text = tf.function(both).get_concrete_function(*given).ir("llvm")
    functions = re.findall(r"^define internal \w+ @(k\d+[\w.]*)(.*?^})", text, re.S | re.M)
    assert max(Counter(body for _, body in functions).values()) == 1
    calls = re.findall(r"@tfc_parallel\w*\(ptr @([\w.]+)", text)
    kernels = [name for name, _ in functions if "." not in name]
    parts = {name for name, _ in functions if not name.endswith(".shared")} - set(kernels)
    assert len(kernels) == 3 and parts == set(calls)
    assert len(functions) == len(kernels) + len(parts) + 1
    assert len(calls) > len(parts)
