"""Loops as people write them, for the table of test_autograph.py: variables that are first set in a
round, conditions that set variables, strings."""

# ruff: noqa: B007, F841  (what users write)
from __future__ import annotations

import tfc as tf
from tests.autograph_programs import program


@program((3.0, 5), (0.5, 1))
def first_set_in_rounds(x, n):
    for i in tf.range(n):
        y = x * x
        state = {"last": y, "parts": [y + 1.0, 2]}
        x = y * 0.5
    return y, state, i


@program(1.5, slope=True)
def first_set_in_while(x):
    found = None
    while x < 10.0:
        scale = 2.0
        found = x
        x = x * scale
    return found * scale + x


@program([[0.5, 2.0, 7.0]], [[9.0, 8.0, 1.0]])
def first_set_with_another_size(x):
    for i in tf.range(3):
        kept = tf.boolean_mask(x, x > tf.cast(i, x.dtype))
    return kept, tf.reduce_sum(kept)


@program(4, 7)
def names_used_again(n):
    part = tf.zeros([2, 2])
    total = 0
    for i in tf.range(n):
        part = [i, i + 1]  # another kind of value: nobody reads the first behind it
        total += part[0] * part[1]
    for j in tf.range(n):
        part = tf.cast(j, tf.float64)
        size = part * 2.0
    return total, size


@program(3, 5)
def arrays_first_set_in_rounds(n):
    for i in tf.range(n):
        array = tf.TensorArray(tf.int32, 2)
        array = array.write(0, i).write(1, i * i)
    return array.stack()


@program(3, 50)
def while_true_returns(n):
    while True:
        n = n + 1
        if n > 10:
            return n


@program(3, 80)
def walrus_in_while(x):
    rounds = 0
    while (y := x * 2) < 100:
        x = y
        rounds += 1
    return rounds, x, y


@program(3, -4, 70)
def walrus_behind_and(x):
    if x > 0 and (y := x * 2) < 100 and not (z := y + 1) > 95:
        x = y + z
    elif x < 0 or (w := x * 3) > 4:
        x = -x
    return x


@program((3, "a"), (-2, "b"))
def strings_in_branches(x, start):
    mode = "up" if x > 0 else start
    text = "x"
    while x < 5:
        text = text + mode
        x = x + 2
    return text, mode == "up"
