"""Variables that a py_function reads and assigns: a function that calls it gives what eager code
gives, in straight code, control flow, functions inside of functions, and under tapes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.dispatch import sessions


class State:
    """Variables, and Python functions on them that note what they see."""

    def __init__(self) -> None:
        self.v = tf.Variable(1.0)
        self.w = tf.Variable([1.0, 2.0])
        self.count = tf.Variable(0)
        self.frozen = tf.Variable(3.0, trainable=False)
        self.generator = tf.random.Generator.from_seed(7)
        self.seen: list[Any] = []

    @property
    def variables(self) -> list[Any]:
        return [self.v, self.w, self.count, self.frozen]

    def look(self) -> None:
        self.seen.append([x.numpy().tolist() for x in self.variables])

    def add(self, x: Any = 10.0) -> Any:
        """Changes one, and looks at all."""
        self.look()
        self.v.assign_add(x)
        self.count.assign_add(1)
        return tf.constant(self.v.numpy() * 2.0)  # no gradient flows to what is no argument

    def scale(self) -> None:
        self.look()
        self.w.assign(self.w * 2.0)

    def call(self, function: Callable[..., Any], *inp: Any) -> None:
        tf.py_function(function, list(inp), [])


SCALAR = tf.TensorSpec([])


def assigned_before(s: State, x: Any, n: Any) -> Any:
    s.v.assign(x)
    s.call(s.add)
    return s.v * 3.0


def assigned_behind(s: State, x: Any, n: Any) -> Any:
    s.call(s.add)
    s.v.assign(x)
    return s.v * 3.0


def read_first_behind(s: State, x: Any, n: Any) -> Any:
    s.call(s.add, x)
    return s.v * x


def read_on_both_sides(s: State, x: Any, n: Any) -> Any:
    a = s.v * x
    s.call(s.add)
    b = s.v * x
    s.call(s.add)
    return a + b + s.v * tf.reduce_sum(s.w)


def with_a_result(s: State, x: Any, n: Any) -> Any:
    s.v.assign_add(x)
    y = tf.py_function(s.add, [x], SCALAR)
    return y + s.v


def several(s: State, x: Any, n: Any) -> Any:
    for k in range(3):
        s.v.assign_add(float(k))
        s.call(s.add)
        s.w.assign(s.w + s.v)
        s.call(s.scale)
    return tf.reduce_sum(s.w) + x * s.v


def in_a_branch(s: State, x: Any, n: Any) -> Any:
    s.v.assign_add(x)
    if n > 2:
        s.call(s.add)
    else:
        s.w.assign_add([1.0, 1.0])
    s.call(s.look)
    return s.v + tf.reduce_sum(s.w) * x


def in_both_branches(s: State, x: Any, n: Any) -> Any:
    s.w.assign_add([x, x])
    if n > 2:
        s.v.assign(5.0)
        s.call(s.add)
    else:
        s.call(s.scale)
        s.v.assign(6.0)
    return s.v + tf.reduce_sum(s.w) + tf.cast(s.count, tf.float32)


def in_a_branch_of_a_branch(s: State, x: Any, n: Any) -> Any:
    s.v.assign_add(x)
    if n > 0:
        s.w.assign_add([1.0, 2.0])
        if n > 2:
            s.call(s.add)
            s.frozen.assign_add(1.0)
        s.v.assign_add(1.0)
    return s.v + tf.reduce_sum(s.w) * s.frozen


def in_a_loop(s: State, x: Any, n: Any) -> Any:
    total = x * 0.0
    for _ in tf.range(n):
        total += s.v * x
        s.call(s.add)
        total += s.v
    return total + tf.reduce_sum(s.w)


def in_a_while_loop(s: State, x: Any, n: Any) -> Any:
    total = x * 0.0
    while s.count < n:
        s.w.assign_add([x, 1.0])
        s.call(s.add)
        s.v.assign(s.v * 0.5)
        total += s.v * tf.reduce_sum(s.w)
    return total


def seldom_in_a_loop(s: State, x: Any, n: Any) -> Any:
    total = x * 0.0
    for i in tf.range(n):
        s.w.assign(s.w * 1.5 + x)
        total += tf.reduce_sum(s.w) * s.frozen
        if i % 2 == 1:
            s.call(s.add)
            s.call(s.scale)
        total += s.v
    return total


def in_loops_of_loops(s: State, x: Any, n: Any) -> Any:
    total = x * 0.0
    for i in tf.range(n):
        s.frozen.assign_add(1.0)
        for _ in tf.range(i):
            s.call(s.add)
            total += s.v * s.frozen * x
        s.v.assign(s.v * 0.25)
    return total


def behind_a_loop_alone(s: State, x: Any, n: Any) -> Any:
    for _ in tf.range(n):
        s.call(s.scale)
    return tf.reduce_sum(s.w) * x


def in_the_condition(s: State, x: Any, n: Any) -> Any:
    total = x * 0.0
    while tf.py_function(lambda: bool(s.v.assign_add(1.0) < 4.0), [], tf.TensorSpec([], tf.bool)):
        total += s.v * x
    return total + s.v


def assigned_in_the_condition(s: State, x: Any, n: Any) -> Any:
    total = x * 0.0
    while s.count.assign_add(1).value() <= n:
        total += tf.cast(s.count, tf.float32) * x
        s.v.assign_add(1.0)
    return total + s.v


def with_a_limit(s: State, x: Any, n: Any) -> Any:
    def body(total: Any) -> Any:
        s.call(s.add)
        return (total + s.v * x,)

    (total,) = tf.while_loop(lambda t: t < 1e9, body, (x * 0.0,), maximum_iterations=n)
    return total


def in_a_map(s: State, x: Any, n: Any) -> Any:
    def row(a: Any) -> Any:
        s.call(s.add, a)
        return s.v * a

    return tf.reduce_sum(tf.map_fn(row, tf.stack([x, x + 1.0, x + 2.0])))


def in_an_inner_function(s: State, x: Any, n: Any) -> Any:
    @tf.function
    def inner(y: Any) -> Any:
        s.v.assign_add(y)
        s.call(s.add)
        return s.v * y

    s.v.assign(x)
    first = inner(x)
    s.call(s.look)
    return first + inner(x + 1.0) + s.v


def in_a_custom_gradient(s: State, x: Any, n: Any) -> Any:
    @tf.custom_gradient
    def twice(y: Any) -> Any:
        tf.py_function(lambda: s.frozen.assign_add(1.0), [], [])
        s.frozen.assign_add(2.0)
        return y * 2.0, lambda dy: dy * 2.0

    s.v.assign_add(1.0)
    return twice(x) * s.frozen + s.v


def with_break_and_continue(s: State, x: Any, n: Any) -> Any:
    total = x * 0.0
    for i in tf.range(n + 5):
        s.call(s.scale)
        if i == 1:
            continue
        total += tf.reduce_sum(s.w)
        if total > 30.0:
            break
        s.v.assign_add(total)
        s.call(s.look)
    return total * s.v


def returned_from_a_branch(s: State, x: Any, n: Any) -> Any:
    s.v.assign(x)
    if n > 1:
        s.call(s.add)
        return s.v * x
    s.call(s.scale)
    return s.v * tf.reduce_sum(s.w)


def random_numbers(s: State, x: Any, n: Any) -> Any:
    a = s.generator.uniform([])
    b = tf.py_function(lambda: s.generator.uniform([]), [], SCALAR)
    return (a + 10.0 * b + 100.0 * s.generator.uniform([])) * x + s.v


PROGRAMS = [
    assigned_before,
    assigned_behind,
    read_first_behind,
    read_on_both_sides,
    with_a_result,
    several,
    in_a_branch,
    in_both_branches,
    in_a_branch_of_a_branch,
    in_a_loop,
    in_a_while_loop,
    seldom_in_a_loop,
    in_loops_of_loops,
    behind_a_loop_alone,
    in_the_condition,
    assigned_in_the_condition,
    with_a_limit,
    in_a_map,
    in_an_inner_function,
    in_a_custom_gradient,
    with_break_and_continue,
    returned_from_a_branch,
    random_numbers,
]


def compiled(run: Callable[..., Any]) -> Callable[..., Any]:
    return tf.function(run)


def nested(run: Callable[..., Any]) -> Callable[..., Any]:
    inner = tf.function(run)
    return tf.function(lambda x, n: inner(x, n))


def concrete(run: Callable[..., Any]) -> Callable[..., Any]:
    """Its trace, called in another one."""
    inner = tf.function(run).get_concrete_function(SCALAR, tf.TensorSpec([], tf.int32))
    return tf.function(lambda x, n: inner(x, n))


def outcome(program: Any, way: Any) -> Any:
    """What some calls give, what is seen meanwhile, and what Variables are left."""
    s = State()
    run = way(lambda x, n: program(s, x, n))
    results = [float(run(tf.constant(0.5 + n), tf.constant(n))) for n in (3, 0, 1)]
    return results, s.seen, [x.numpy().tolist() for x in s.variables]


def eager(run: Callable[..., Any]) -> Callable[..., Any]:
    return run


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_it_is_as_eager_code(program: Any) -> None:
    expected = outcome(program, eager)
    for way in (compiled, nested, concrete):
        assert outcome(program, way) == expected, way.__name__
    assert not sessions.runs and not sessions.following


def gradients(program: Any, way: Any) -> Any:
    """By the argument and all Variables: of a tape around the program or inside of it."""
    s = State()
    sources = [s.v, s.w]

    def slope(x: Any, n: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = program(s, x, n)
        return tape.gradient(y, [x, *sources], unconnected_gradients="zero")

    x, n = tf.constant(0.5), tf.constant(3)
    if way is outside:
        run = tf.function(lambda x, n: program(s, x, n))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = run(x, n)
        found = tape.gradient(y, [x, *sources], unconnected_gradients="zero")
    else:
        found = way(slope)(x, n)
    return [np.asarray(g).tolist() for g in found], s.seen


def outside(run: Any) -> Any:
    raise AssertionError("the tape is around the function")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_gradients_are_those_of_eager_code(program: Any) -> None:
    expected = gradients(program, eager)
    for way in (outside, compiled):
        found, seen = gradients(program, way)
        assert seen == expected[1], way.__name__
        for a, b in zip(found, expected[0], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, err_msg=way.__name__)
    assert not sessions.runs and not sessions.following


@pytest.mark.parametrize("where", ["behind", "there"])
def test_a_call_that_fails_leaves_variables_as_they_were(where: str) -> None:
    s = State()

    def fail() -> None:
        s.v.assign_add(10.0)
        s.count.assign_add(1)  # nothing but Python has assigned this one
        if where == "there":
            raise LookupError("there")

    @tf.function
    def f(x: Any) -> Any:
        s.v.assign(5.0)
        s.call(fail)
        tf.debugging.assert_positive(x)
        s.w.assign(s.w * s.v)

    with pytest.raises((LookupError, tf.errors.InvalidArgumentError)):
        f(tf.constant(-1.0))
    assert float(s.v) == 1.0
    assert int(s.count) == 1
    np.testing.assert_array_equal(s.w, [1, 2])


def test_functions_of_numpy_see_no_variables() -> None:
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(function: Any) -> Any:
        v.assign_add([1.0, 1.0])
        return tf.numpy_function(function, [v], tf.TensorSpec([2])) + v

    for function, runs in ((np.square, 1), (lambda x: x * x, 3)):
        text = f.get_concrete_function(function).ir("traced")
        assert text.count("= python_run ") == runs  # with what assigns v, and what reads it


def test_variables_of_several_shapes() -> None:
    v = tf.Variable([1.0, 2.0], shape=[None])

    @tf.function
    def f(values: Any) -> Any:
        tf.py_function(lambda: v.assign(np.float32(values)), [], [])
        return tf.reduce_sum(v * 2.0)

    assert float(f((3.0, 4.0))) == 14.0
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \[3\].*shape \[2\]"):
        f((3.0, 4.0, 5.0))


def test_python_code_of_the_trace_cannot_ask_for_what_is_not_there_yet() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def f(x: Any) -> Any:
        tf.py_function(lambda: v.assign_add(1.0), [], [])
        if x > 0.0:
            x = x + v.numpy()
        return x

    with pytest.raises((TypeError, NotImplementedError, AttributeError)) as caught:
        f(tf.constant(1.0))
    assert "numpy" in str(caught.value) and __file__ in str(caught.value)


def test_a_variable_cannot_start_from_what_a_call_will_have_changed() -> None:
    v = tf.Variable(1.0)
    made: list[Any] = []

    @tf.function
    def f() -> Any:
        tf.py_function(lambda: v.assign_add(1.0), [], [])
        if not made:
            made.append(tf.Variable(v * 2.0))
        return made[0].value()

    with pytest.raises(ValueError, match=r"cannot start from a traced tensor"):
        f()
    assert float(v) == 1.0
