"""`tape.explain`: which op, on which line, cut the way of a gradient that is None."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import tfc as tf


@tf.custom_gradient
def nothing(x: Any) -> Any:
    return x * 2.0, lambda dy: None


def line_of(f: Any) -> str:
    """The place of the line with `# cut` in `f`."""
    lines, start = inspect.getsourcelines(f)
    return f"{__file__}:{start + next(i for i, line in enumerate(lines) if '# cut' in line)}"


def stopped(x: Any) -> Any:
    y = x * 2.0
    z = tf.stop_gradient(y)  # cut
    return z + 1.0


def integers(x: Any) -> Any:
    y = tf.cast(x * 2.0, tf.int32)  # cut
    return tf.cast(y + 1, tf.float32) * 3.0


def compared(x: Any) -> Any:
    y = x > 1.0  # cut
    return tf.where(y, 1.0, 2.0)


def rounded(x: Any) -> Any:
    return tf.round(x * 10.0) / 10.0  # cut


def custom(x: Any) -> Any:
    y = nothing(x)  # cut
    return y * 3.0


def chosen(x: Any) -> Any:
    return tf.cast(tf.argmax(tf.stack([x, 2.0 * x])), tf.float32)  # cut


def in_branches(x: Any) -> Any:
    if tf.constant(1.0) > 0.5 * x:
        y = tf.stop_gradient(x)  # cut
    else:
        y = tf.constant(1.0)
    return y * 2.0


def in_a_loop(x: Any) -> Any:
    y = tf.constant(0.0)
    for _ in tf.range(3):
        y += tf.stop_gradient(x)  # cut
    return y


def through_numpy(x: Any) -> Any:
    y = tf.numpy_function(np.sin, [x], tf.TensorSpec([]))  # cut
    return y * 2.0


TRACED = [stopped, integers, compared, rounded, custom, chosen, in_branches, in_a_loop]
TRACED += [through_numpy]
WHY = {
    stopped: "stop_gradient stops it",
    integers: "cast gives int32, and only floats",
    compared: "gives bool, and only floats",
    rounded: "round has no gradient",
    custom: "custom_gradient has a gradient of its own, which gives None",
    chosen: "gives int64, and only floats",
    in_branches: "stop_gradient stops it",
    in_a_loop: "stop_gradient stops it",
    through_numpy: "calls a function on NumPy arrays",
}


def explained(f: Any, x: Any) -> tuple[str, Any]:
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    return tape.explain(y, x), tape.gradient(y, x)


@pytest.mark.parametrize("program", TRACED, ids=lambda f: f.__name__)
def test_where_it_was_cut(program: Any) -> None:
    x = tf.constant(1.5)
    found = []

    @tf.function
    def inside(x: Any) -> Any:
        found.append(explained(plain, x))

    plain = tf.autograph.to_graph(program)
    inside(x)
    found.append(explained(tf.function(program), x))
    if program is not through_numpy:
        found.append(explained(plain, x))
    for text, gradient in found:
        assert gradient is None
        first, why = text.splitlines()
        assert first == "there is no gradient of the target by the source:"
        assert WHY[program] in why, text
        assert line_of(program) in why, text


def test_what_else_may_be_missing() -> None:
    x, k = tf.constant(1.0), tf.constant(1)
    frozen, v = tf.Variable(1.0, trainable=False, name="frozen"), tf.Variable(1.0, name="v")
    unused = tf.Variable(1.0, name="unused")
    before = x * 3.0
    with tf.GradientTape(persistent=True) as tape:
        y = x * frozen * v
        seen = tf.constant(2.0)
        tape.watch(seen)
        z = tf.constant(float(np.sin(seen.numpy())))  # left
        tape.watch(before)
        i = tf.cast(seen, tf.int32)
    left = f"{__file__}:{inspect.currentframe().f_lineno - 3}"  # type: ignore[union-attr]
    for target, source, text in (
        (y, x, "the tape does not watch the source: call tape.watch"),
        (y, frozen, "the Variable 'frozen:0' is not trainable"),
        (y, unused, "'unused:0' was not read while the tape recorded"),
        (y, k, "the source is int32"),
        (i, seen, "the target is int32"),
        (z, seen, f"was given to NumPy, which no tape sees ({left})"),
        (y, before, "computed from it was given to NumPy"),
    ):
        assert text in tape.explain(target, source)
        assert tape.gradient(target, source) is None
    assert tape.explain(y, v) == "there is a gradient of the target by the source"
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        w = v * 2.0
    assert "tape.watch(v)" in tape.explain(w, v)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        w = x * 2.0
    assert "comes from outside of the `with`" in tape.explain(before, x)
    with tf.GradientTape(persistent=True) as tape:
        w = x * 2.0
        tape.watch(x)
        u = x + 1.0
    assert "made before the source was watched" in tape.explain(w, x)
    assert "there is a gradient" in tape.explain(u, x)


def test_ways_of_which_some_are_cut() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * tf.stop_gradient(x)
    text = tape.explain(y, x)
    assert text.startswith("there is a gradient") and "some of the ways are cut" in text
    assert "stop_gradient stops it" in text
    assert float(tape.gradient(y, x)) == 2.0


def test_a_tape_that_was_used() -> None:
    x = tf.constant(2.0)
    for _ in range(2):  # the second time the reason is known
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.stop_gradient(x)
        before = tape.explain(y, x)
        assert "stops it" in before
        assert tape.gradient(y, x) is None
        assert tape.explain(y, x) == before
    v = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * v
    assert float(tape.gradient(y, v)) == 2.0
    with pytest.raises(RuntimeError, match="make it persistent"):
        tape.explain(y, v)


def test_a_path_that_is_cut_before_a_variable() -> None:
    x, v = tf.constant(1.5), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(tf.cast(x, tf.int32), tf.float32) * v
    assert "cast gives int32" in tape.explain(y, x)


def test_what_cannot_be_differentiated_costs_nothing() -> None:
    """Integers made of what is watched are kept for explanations, and stay out of gradients."""
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        k = tf.cast(x, tf.int32)
        z = tf.cast(k, tf.float32) * 5.0
        y = tf.reduce_sum(x * z)
    np.testing.assert_array_equal(tape.gradient(y, x), [5, 10])
