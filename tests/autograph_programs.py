"""Ordinary Python functions with control flow on tensors: the table of test_autograph.py.

Each runs as Python on eager tensors, and compiled. `program(*arguments)` says on what; a row of
arguments is one call. Programs of floats marked `slope` are differentiable by their first argument
(at these places).
"""

# ruff: noqa: B007, B905, RUF021, SIM201  (what users write)
from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import tfc as tf


class Program(NamedTuple):
    function: Callable[..., Any]
    calls: list[tuple[Any, ...]]
    slope: bool


PROGRAMS: dict[str, Program] = {}


def program(*calls: Any, slope: bool = False) -> Callable[..., Any]:
    """Put a function into the table; a call of one argument is written without a tuple."""

    def note(f: Callable[..., Any]) -> Callable[..., Any]:
        rows = [call if isinstance(call, tuple) else (call,) for call in calls]
        PROGRAMS[f.__name__.strip("_")] = Program(f, rows, slope)
        return f

    return note


V = [0.5, -1.25, 3.0, 2.0]  # a vector of float64, as all lists of floats


# Branches.


@program(1.5, -0.5, 0.25, slope=True)
def if_elif_else(x):
    if x > 1.0:
        y = x * x
    elif x > 0.0:
        y = tf.sin(x)
    else:
        y = -x
    return y + 1.0


@program(1.5, -0.5, slope=True)
def if_without_else(x):
    y = x * 3.0
    if x < 0.0:
        y = y * x
    return y


@program((1.0, True), (1.0, False))
def python_condition(x, flag):
    if 3 > 2:
        y = x
    if flag:
        y = y + 1.0
    return y


@program(3, 4, 15, 30)
def several_variables(n):
    a, b = 0, n
    if n % 3 == 0:
        a, b = b, a
        c = a - 1
    else:
        c = n
    return a, b, c


@program(-2, 0, 7)
def nested_branches(n):
    if n < 0:
        if n < -1:
            kind = 1
        else:
            kind = 2
    else:
        kind = 3
        if n > 5:
            kind += 10
    return kind


@program(0.5, 1.5, 2.5, slope=True)
def early_returns(x):
    if x > 2.0:
        return x * 2.0
    y = tf.exp(x)
    if x > 1.0:
        y = y + 1.0
        return y
    return y * x


@program(0.5, 1.5)
def return_in_both(x):
    if x > 1.0:
        return x, {"k": x + 1.0}
    else:
        return -x, {"k": x}


@program(1, 5, 20)
def boolean_operators(n):
    if n > 3 and not n == 5 or n < 2:
        return 1
    return 0


@program(1, 5, 20)
def boolean_values(n):
    a = n > 3 and n < 10
    b = n > 10 or n < 3
    c = not a
    return a, b, c


@program(1, 5, 20)
def chained_comparisons(n):
    if 1 < n <= 5 < 7:
        return n
    return n * 100 if 0 < n < 3 else -n


@program(1, 3, 4, 9)
def computed_middles(n):
    found = n * 100 if 0 < n - 1 <= abs(n - 3) + 1 != 2 else -n
    while 2 < n + 1 <= 5:
        n = n + 1
    return found + n


@program(0.5, -3.0, slope=True)
def conditional_expression(x):
    return (tf.sin(x) if x > 0.0 else x * x) * (x if x > 1.0 else 2.0)


@program(4, 0)
def short_circuit(n):
    # the division must not run where n is 0
    return n != 0 and 12 // n > 2


@program(2.0, -1.0, slope=True)
def same_value_both_ways(x):
    if x > 0.0:
        scale = 2
    else:
        scale = 2
    return x * scale


@program(2.0, -1.0)
def structures_in_branches(x):
    state = {"a": x, "b": [x, x + 1.0]}
    if x > 0.0:
        state = {"a": x * 2.0, "b": [x, x]}
    return state


@program(2.0, -1.0)
def unset_but_unused(x):
    if x > 0.0:
        scratch = x * 2.0
        y = scratch + 1.0
    else:
        y = x
    return y


@program(2.0, -1.0)
def return_none_or_continue(x):
    if x > 100.0:
        pass
    else:
        x = x + 1.0
    return x


@program(3.0, -1.0)
def raise_in_python_branch(x):
    if x.shape.rank != 0:
        raise ValueError("a scalar")
    return x


# Loops.


@program(1, 27, 97)
def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


@program(10.0, slope=True)
def while_float(x):
    while x > 1.0:
        x = x * 0.5 + 0.1
    return x


@program(V, slope=True)
def for_over_tensor(x):
    total = x[0] * 0.0
    for v in x:
        if v > 0.0:
            total += v * v
        else:
            total -= tf.sin(v)
    return total


@program([[1.0, 2.0], [3.0, -4.0], [0.5, 0.25]], slope=True)
def for_over_rows(x):
    state = tf.zeros_like(x[0])
    for row in x:
        state = tf.tanh(state + row)
    return state


@program(0, 1, 7)
def for_tf_range(n):
    total = 0
    for i in tf.range(n):
        total += i * i
    return total


@program(0, 1, 7)
def for_range_of_tensor(n):
    total = 0
    for i in range(n):
        total = total * 2 + i
    return total


@program((2, 11, 3), (11, 2, -2), (5, 5, 1))
def for_range_steps(a, b, step):
    total = 0
    for i in range(a, b, step):
        total = total * 3 + i
    return total


@program(2.0, slope=True)
def for_python_range(x):
    for i in range(3):
        x = x * x + float(i)
    return x


@program(2.0, slope=True)
def for_list(x):
    out = []
    for c in [1.0, x, 3.0]:
        out.append(x * c)
    return tf.add_n(out)


@program(V, slope=True)
def enumerate_and_zip(x):
    total = x[0] * 0.0
    for i, (a, b) in enumerate(zip([1.0, 2.0], [x[0], x[1]])):
        total += a * b * i
    return total


@program(V)
def enumerate_tensor(x):
    total = x[0] * 0.0
    for i, v in enumerate(x):
        total += v * tf.cast(i, v.dtype)
    return total


@program((V, [1, 2, 3, 4]))
def zip_tensors(x, n):
    total = x[0] * 0.0
    for v, k in zip(x, n):
        total = total * 0.5 + v * tf.cast(k, v.dtype)
    return total


@program(2, 30, 100)
def break_out(n):
    i = 0
    while True:
        i += 1
        if i * i > n:
            break
    return i


@program((V, 1.0), (V, 100.0))
def break_of_for(x, limit):
    total = x[0] * 0.0
    count = 0
    for v in x:
        total += tf.abs(v)
        if total > limit:
            break
        count += 1
    return total, count


@program(10, 0)
def continue_loop(n):
    total = 0
    for i in tf.range(n):
        if i % 2 == 0:
            continue
        if i > 6:
            break
        total += i
    return total


@program((7, 3), (20, 4))
def break_of_python_loop(n, k):
    found = -1
    for i in range(2, 10):
        if n % i == k % i:
            found = i
            break
    return found


@program(V, [-1.0, -2.0])
def return_from_loop(x):
    for v in x:
        if v > 1.0:
            return v
    return x[0] * 0.0


@program(6, 50, 3)
def return_from_nested_loops(n):
    for i in tf.range(1, n):
        for j in tf.range(1, n):
            if i * j == 2 * n:
                return i * 100 + j
    return -1


@program(6, 50)
def return_from_while(n):
    i = 0
    while i < n:
        if i * i > 20:
            return i, n
        i += 1
    return -i, n


@program(5, 0)
def nested_loops(n):
    total = 0
    for i in tf.range(n):
        j = i
        while j > 0:
            total += j
            j -= 2
        for k in range(2):
            total += k
    return total


@program(10, 3)
def loop_else(n):
    i = 0
    for i in [2, 3, 5]:
        if i == 7:
            break
    else:
        i = 100
    return n + i


@program(10, 3)
def while_else_on_tensor(n):
    i = n * 0
    while i < n:
        if i > 5:
            break
        i += 1
    else:
        i = i + 100
    return i


@program(3)
def tuple_state(n):
    a, b = 0, 1
    for _ in tf.range(n * 5):
        a, b = b, a + b
    return a


@program(0.25, slope=True)
def newton(x):
    guess = x
    while tf.abs(guess * guess - x) > 1e-12:
        guess = 0.5 * (guess + x / guess)
    return guess


@program(5)
def while_with_and(n):
    i = 0
    found = False
    while i < n and not found:
        found = i * i == 9
        i += 1
    return i, found


@program(4)
def comprehension(n):
    squares = [n * i for i in range(4) if i != 2]
    named = {k: n + k for k in (1, 2)}
    return squares, named, sum(k for k in squares)


@program(4)
def staged_python_loop_then_tensor(n):
    i = 0
    while i < 3:
        i += 1
    while i < n * 2:
        i += 1
    return i


@program(7)
def unused_loop_target(n):
    for _ in range(n):
        pass
    return n


@program(3, 0)
def loop_target_behind(n):
    i = -1
    for i in tf.range(n):
        pass
    return i


# Gradients inside of programs.


@program(2.0, -1.0)
def tape_inside_loop(x):
    for i in tf.range(3):
        with tf.GradientTape() as tape:
            tape.watch(x)
            if x > 0.0:
                y = x * x
            else:
                y = tf.sin(x)
        x = x - 0.1 * tape.gradient(y, x)
    return x


@program(2.0, -1.0)
def tape_around_loop(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        while tf.abs(y) < 10.0:
            y = y * 1.5 + tf.sin(x)
    return tape.gradient(y, x), y


@tf.custom_gradient
def clipped(x):
    y = x
    for _ in tf.range(3):
        if y > 1.0:
            y = y * 0.5

    def backward(dy):
        total = dy
        for _ in tf.range(2):
            total = total + dy
        return total

    return y, backward


@program(3.0, 0.5)
def loop_in_custom_gradient(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = clipped(x) * 2.0
    return y, tape.gradient(y, x)


@program(3.0, 0.5, slope=True)
def calls_tf_function(x):
    return inner_function(x) + 1.0


@tf.function
def inner_function(x):
    if x > 1.0:
        return x * x
    return x


def rows() -> Iterator[tuple[str, Program]]:
    yield from PROGRAMS.items()


def arguments(call: tuple[Any, ...]) -> list[Any]:
    """Tensors: float64 for floats, int32 for ints; flags stay Python's."""
    made = []
    for x in call:
        array = np.asarray(x)
        if array.dtype == np.float64:
            made.append(tf.constant(x, tf.float64))
        elif array.dtype.kind == "i":
            made.append(tf.constant(x, tf.int32))
        else:
            made.append(x)
    return made


@program(3.0, -2.0, 0.5, slope=True)
def returns_in_contexts(x):
    with contextlib.nullcontext():
        with tf.name_scope("inner"):
            if x > 2.0:
                return x * x
            x = x + 10.0
        x = x * 3.0
        if x > 25.0:
            return x
    return -x


@program(1.0, 4.0, 20.0)
def returns_in_contexts_of_loops(x):
    for i in tf.range(3):
        try:
            if x > 6.0:
                return x - tf.cast(i, tf.float64)
        finally:
            x = x * 2.0
    return -x


@program((1.0, True), (-1.0, True), (1.0, False))
def returns_in_contexts_by_flags(x, flag):
    with contextlib.suppress(KeyError):
        if flag:
            if x > 0.0:
                return x
            return x * 5.0
        {}["none"]
    return x + 7.0


# Places: attributes, items, and variables without a value.


class _Slots:
    def __init__(self, x):
        self.v, self.rest, self.inner = x, {"a": x, "name": object()}, None


@program(1.5, -0.5)
def places_below_items(x):
    kept, some = {"s": _Slots(x), "n": 3}, [x, "text"]
    kept["s"].inner = _Slots(x)
    name = kept["s"].rest["name"]
    listed, at, key = [0, {"k": x}], 1, "k"
    for i in tf.range(3):
        y = x * tf.cast(i, tf.float64)
        kept["s"].v += y
        kept["s"].inner.rest["a"] *= y + 1.0
        some[0] = some[0] - y
        if x > 0.0:
            some[0] += 2.0 * y
            kept["s"].v -= y
            listed[at][key] += y
        del y
    assert kept["s"].rest["name"] is name and some[1] == "text"
    return kept["s"].v + kept["s"].inner.rest["a"] + some[0] + listed[1]["k"]


@program((True,), (False,))
def leaves_an_iterator_at_once(leaves):
    total = tf.constant(0, tf.int64)
    for v in iter(tf.data.Dataset.range(4)):
        if leaves:
            break
        total += v
    return total
