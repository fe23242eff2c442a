"""Programs x {sizes known, unknown} x {eager, compiled, gradient}: equal bits, for every size, the
empty batch and the ragged last one too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.sampling import ALL, by_turns
from tests.shape_programs import PROGRAMS, Program

BATCHES = (5, 3, 1, 0)


def bits(x: Any) -> list[tuple[Any, ...]]:
    arrays = [np.asarray(y) for y in tf.nest.flatten(x)]
    return [(a.dtype, a.shape, a.tobytes()) for a in arrays]


def slope(f: Callable[..., Any]) -> Callable[[Any], Any]:
    """The gradient of what `f` returns, with zeros where nothing depends on x."""

    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            floats = [r for r in tf.nest.flatten(f(x)) if r.dtype is tf.float32]
            y = tf.add_n([tf.reduce_sum(r * r) for r in floats])
        return tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)

    return gradient


def ways(f: Callable[..., Any], spec: tf.TensorSpec) -> dict[str, Callable[[Any], Any]]:
    """How a program runs where the number of rows is not known when it is traced."""
    return {
        "relaxed": tf.function(f),  # after another size
        "signature": tf.function(f, input_signature=[spec]),
        "concrete": tf.function(f).get_concrete_function(spec),
    }


def some(ways: dict[str, Callable[[Any], Any]], program: Program) -> dict[str, Any]:
    """Programs take turns with the ways, each of which compiles as much again."""
    return dict(by_turns(list(ways.items()), PROGRAMS.index(program), 1))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.f.__name__)
def test_all_ways_give_the_bits_of_eager(program: Program) -> None:
    f = tf.autograph.to_graph(program.f)
    shape = program.make(1).shape
    spec = tf.TensorSpec([None, *shape[1:]], tf.as_dtype(program.make(1).dtype))
    every = ways(program.f, spec)
    symbolic = some(every, program)
    gradients = {name: slope(g) for name, g in every.items() if name != "concrete"}
    gradients["inside"] = tf.function(slope(f), input_signature=[spec])
    gradients = some(gradients, program)
    for n in BATCHES:
        if n == 0 and not program.empty:
            continue
        x = tf.constant(program.make(n))
        if n == BATCHES[0] or (ALL and n == 1):  # for one size only
            symbolic["static"] = static = tf.function(program.f)
            gradients["static"] = slope(static)
        if n == BATCHES[0]:
            gradients["static inside"] = tf.function(slope(f))
        wanted = bits(f(x))
        for name, g in symbolic.items():
            assert bits(g(x)) == wanted, (name, n)
        if program.smooth:
            wanted = bits(slope(f)(x))
            for name, g in gradients.items():
                assert bits(g(x)) == wanted, ("gradient", name, n)
        for table in (symbolic, gradients):  # which are for this size
            table.pop("static", None)
            table.pop("static inside", None)
    for name, traces in (("relaxed", 3), ("signature", 1)):
        assert every[name].experimental_get_tracing_count() <= traces  # type: ignore[attr-defined]


def test_the_table_is_long() -> None:
    assert len(PROGRAMS) >= 29
