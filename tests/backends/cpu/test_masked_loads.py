"""Loads that a whole row does or leaves: what is left points to the beginning of its buffer."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

X = np.arange(40 * 64, dtype=np.float32).reshape(40, 64) - 7
ROWS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "joined": (
        lambda x: tf.abs(tf.concat([x, x * 2, x[3:]], 0)),
        lambda x: np.abs(np.concatenate([x, x * 2, x[3:]], 0)),
    ),
    "backwards": (
        lambda x: tf.abs(tf.concat([x[:, ::-1], x], 0)),
        lambda x: np.abs(np.concatenate([x[:, ::-1], x], 0)),
    ),
    "mirrored": (
        lambda x: tf.pad(x, [[1, 2], [3, 1]], "REFLECT"),
        lambda x: np.pad(x, [[1, 2], [3, 1]], "reflect"),
    ),
    "turned": (lambda x: tf.signal.fftshift(x), lambda x: np.fft.fftshift(x)),
}


@pytest.mark.parametrize("name", ROWS)
def test_results(name: str) -> None:
    """Also of few elements, which no vector has, and none."""
    call, wanted = ROWS[name]
    f = tf.function(call, input_signature=[tf.TensorSpec([None, None])])
    for rows, columns in ((40, 64), (5, 6), (4, 37)):
        x = X[:rows, :columns]
        for found in (call(tf.constant(x)), tf.function(call)(tf.constant(x)), f(x)):
            np.testing.assert_array_equal(found, wanted(x))
    if name in ("joined", "backwards"):
        assert f(X[:0]).shape == (0, 64)


@pytest.mark.parametrize(("name", "least"), [("joined", "0"), ("backwards", None)])
def test_none_points_far_from_its_buffer(name: str, least: str | None) -> None:
    """Such a load takes 100 ns where the memory that it leaves alone is not there."""
    code = tf.function(ROWS[name][0]).get_concrete_function(X).ir("llvm")
    made = dict(re.findall(r"^ *(%\S+) = (.*)$", code, re.M))
    pointers = re.findall(r"call .*@llvm\.masked\.load\.v\d+f32\.p0\(ptr (%[^,]+),", code)
    assert len(pointers) > 1
    for pointer in pointers:
        index = made[pointer].rpartition("i64 ")[2]
        if made[index].startswith("sub"):  # the last lane of a load backwards
            index = re.findall(r"sub i64 (%\S+), \d+", made[index])[0]
        chosen = re.fullmatch(r"select i1 %\S+, i64 %\S+, i64 (\d+)", made[index])
        assert chosen, f"{pointer} = {made[pointer]}; {index} = {made[index]}"
        assert least is None or chosen[1] == least
