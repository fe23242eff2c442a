"""Variables among the arguments of functions: another one of the same spec runs the same trace."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.autodiff import backward_programs


def counted(body: Callable[..., Any], **options: Any) -> Any:
    """A tf.function of `body`, whose `traces` says how often that has run."""

    def traced(*args: Any, **kwargs: Any) -> Any:
        count[0] += 1
        return body(*args, **kwargs)

    count = [0]
    f = tf.function(traced, **options)
    f.traces = count
    return f


def variables(*values: Any) -> list[tf.Variable]:
    return [tf.Variable(float(x)) for x in values]


def test_another_variable_of_the_same_spec_runs_the_same_trace() -> None:
    f = counted(lambda v, x: (v.assign_add(x), v * x)[1])
    x = tf.constant(2.0)
    many = variables(*range(4))
    for _ in range(2):
        results = [float(f(v, x)) for v in many]
    assert results == [8, 10, 12, 14] and [float(v) for v in many] == [4, 5, 6, 7]
    assert f.traces == [1] and f.experimental_get_tracing_count() == 1


@pytest.mark.parametrize(
    "others",  # and how many traces
    [
        ([dict(name="a"), dict(name="b"), {}], 1),
        ([dict(trainable=False), {}, {}], 2),
        ([dict(dtype=tf.float64), {}, dict(dtype=tf.float64)], 2),
        ([dict(shape=[None]), {}, dict(shape=[None])], 2),
        ([dict(shape=None), dict(shape=tf.TensorShape(None))], 2),
    ],
)
def test_what_counts_of_a_variable(others: Any) -> None:
    options, traces = others
    f = counted(lambda v: tf.reduce_sum(v) * 2.0)
    found = [float(f(tf.Variable([1.0, 2.0 + i], **o))) for i, o in enumerate(options)]
    assert found == [6 + 2 * i for i in range(len(options))] and f.traces == [traces]


def test_sizes_and_ranks_that_a_variable_leaves_open() -> None:
    f = counted(lambda v: tf.reduce_sum(v))
    open_size = [tf.Variable(np.ones(n, np.float32), shape=[None]) for n in (2, 3)]
    assert [float(f(v)) for v in open_size] == [2, 3] and f.traces == [1]
    v = tf.Variable(np.ones(2, np.float32), shape=tf.TensorShape(None))
    assert float(f(v)) == 2
    v.assign(np.ones([2, 2], np.float32))
    assert float(f(v)) == 4 and f.traces == [3]


def test_one_variable_twice_is_another_trace() -> None:
    f = counted(lambda a, b: (a.assign_add(1.0), b.assign_add(10.0), a + b)[2])
    a, b, c = variables(0, 0, 5)
    pairs = ((a, b), (a, a), (b, c), (c, c), (b, a))
    assert [float(f(*pair)) for pair in pairs] == [11, 24, 26, 52, 34]  # TensorFlow's
    assert [float(v) for v in (a, b, c)] == [22, 12, 26] and f.traces == [2]


def test_variables_in_structures() -> None:
    f = counted(lambda d, k=None: d["a"][0] * k + d["a"][-1])
    a, b, c = variables(1, 2, 3)
    assert float(f({"a": [a, b]}, k=c)) == 5 and float(f({"a": [b, c]}, k=a)) == 5
    assert f.traces == [1]
    assert float(f({"a": [a, a]}, k=a)) == 2 and f.traces == [2]


@pytest.mark.parametrize("first", [0, 1])
def test_a_variable_that_the_function_reaches_by_itself(first: int) -> None:
    v, u, w = variables(1, 10, 20)

    def body(given: Any) -> Any:
        given.assign_add(1.0)
        return v + 100.0 * given

    f = counted(body)
    if first:
        assert float(f(v)) == 202 and float(f(u)) == 1102 and float(f(w)) == 2102
    else:
        assert float(f(u)) == 1101 and float(f(v)) == 202 and float(f(w)) == 2102
    assert float(f(v)) == 303 and f.traces == [2]


def test_functions_that_ask_which_variable_it_is() -> None:
    a, b, c = variables(1, 2, 3)
    factors = {a.ref(): 10.0, b.ref(): 20.0, c.ref(): 30.0}
    by_key = counted(lambda v: v * factors[v.ref()])
    assert [float(by_key(v)) for v in (a, b, c, a)] == [10, 40, 90, 10] and by_key.traces == [3]
    by_identity = counted(lambda v: v * (2.0 if v is a else 3.0))
    assert [float(by_identity(v)) for v in (a, b, c, a)] == [2, 6, 9, 2]
    others = counted(lambda v: v * (2.0 if v is not None and v is not factors else 3.0))
    assert [float(others(v)) for v in (a, b)] == [2, 4] and others.traces == [1]
    by_value = counted(lambda v: v * float(v.numpy()))
    assert [float(by_value(v)) for v in (b, c)] == [4, 9]


def test_gradients() -> None:
    outside = counted(lambda v, x: v * v * x)

    def inside(v: Any) -> Any:
        with tf.GradientTape() as tape:
            y = v * v
        return tape.gradient(y, v)

    within = counted(inside)
    rows = counted(lambda v, i: tf.reduce_sum(tf.gather(v, i)))
    for value in (1.0, 2.0, 3.0):
        v = tf.Variable(value)
        with tf.GradientTape() as outer, tf.GradientTape() as tape:
            y = outside(v, tf.constant(2.0))
            slope = tape.gradient(y, v)
        assert float(slope) == 4 * value and float(outer.gradient(slope, v)) == 4
        assert float(within(v)) == 2 * value
        table = tf.Variable(np.ones([3, 2], np.float32))
        with tf.GradientTape() as tape:
            y = rows(table, tf.constant([int(value) - 1]))
        found = tf.convert_to_tensor(tape.gradient(y, table)).numpy()
        assert found.sum() == found[int(value) - 1].sum() == 2
    assert outside.traces == within.traces == rows.traces == [1]


def test_loops_nested_functions_and_initial_values() -> None:
    inner = counted(lambda v: v.assign_add(1.0))
    made: list[tf.Variable] = []

    def body(v: Any, n: Any) -> Any:
        if not made:
            made.append(tf.Variable(v * 100.0))
        for _ in tf.range(n):
            inner(v)
        return v + made[0]

    f = counted(body)
    many = variables(1, 2, 3)
    assert [float(f(v, tf.constant(3))) for v in many] == [104, 105, 106]
    assert [float(v) for v in many] == [4, 5, 6] and f.traces == [2]


def test_python_functions_see_the_variable() -> None:
    def body(v: Any) -> Any:
        v.assign_add(1.0)
        return tf.py_function(lambda: v * 2.0, [], tf.float32)

    f = tf.function(body)
    a, b = variables(1, 2)
    assert [float(f(v)) for v in (a, b, a)] == [4, 6, 6]


def test_variables_that_are_kept() -> None:
    """What a program keeps of its argument is the Variable, outside of the trace."""
    kept: list[Any] = []
    f = counted(lambda v: (kept.append(v), v + 1.0)[1])
    a, b = variables(2, 3)
    f(a), f(b)
    (stored,) = kept
    stored.assign_add(5.0)
    assert float(a) == float(stored) == float(stored + 0.0) == 7 and repr(stored) == repr(a)
    assert float(copy.deepcopy(stored)) == 7 and stored.ref() == a.ref()
    assert float(tf.function(lambda: stored.assign_add(1.0))()) == float(a) == 8
    del a, f
    gc.collect()
    with pytest.raises(ReferenceError, match="is gone"):
        stored.read()


def test_concrete_functions_take_other_variables() -> None:
    f = counted(lambda v, x: v.assign_add(x))
    a, b = variables(2, 3)
    x = tf.TensorSpec([], tf.float32)
    concrete = f.get_concrete_function(a, x)
    assert concrete is f.get_concrete_function(a, x) and f.traces == [1]
    assert float(concrete(a, tf.constant(1.0))) == 3 and float(concrete(tf.constant(1.0))) == 4
    assert float(concrete(b, tf.constant(1.0))) == 4 and float(a) == 4
    assert concrete.variables[0] is a and f.get_concrete_function(b, x).variables[0] is b
    spec = concrete.structured_input_signature[0][0]
    assert str(spec) == "VariableSpec(shape=(), dtype=tf.float32, trainable=True, alias_id=0)"
    for wrong in (tf.Variable([1.0]), tf.Variable(1.0, dtype=tf.float64), 1.0):
        with pytest.raises(TypeError, match="was traced for VariableSpec"):
            concrete(wrong, tf.constant(1.0))


def test_saved(tmp_path: Any) -> None:
    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = variables(1, 2)

        @tf.function
        def add(self, v: Any, x: Any) -> Any:
            return v.assign_add(x)

    model = Model()
    x = tf.constant(1.0)
    model.add(model.a, x), model.add(model.b, x)
    tf.saved_model.save(model, str(tmp_path))
    loaded = tf.saved_model.load(str(tmp_path))
    assert float(loaded.add(loaded.a, x)) == 3 and float(loaded.add(loaded.b, x)) == 4


def test_nobody_keeps_arguments() -> None:
    f = tf.function(lambda v, other: v + 1.0)
    held = [tf.Variable(1.0) for _ in range(3)]
    gone = [weakref.ref(v) for v in held]
    kept = []
    for v in held:
        with tf.GradientTape() as tape:
            y = f.get_concrete_function(v, None)(v, None)
        assert float(tape.gradient(y, v)) == 1
        kept.append(len(backward_programs.programs))
    assert kept[0] == kept[-1]
    del held, v, tape, y
    gc.collect()
    assert [reference() for reference in gone] == [None] * 3
    assert f.experimental_get_tracing_count() == 1


def test_what_is_not_converted_gets_the_variable_itself() -> None:
    seen = []

    @tf.function(autograph=False)
    def f(w: Any) -> Any:
        seen.append(w is v)
        return w * 2.0

    v, u = tf.Variable(2.0), tf.Variable(3.0)
    assert [float(f(x)) for x in (v, u, v, u)] == [4, 6, 4, 6]
    assert seen == [True, False]
    v.assign(5.0)
    assert float(f(v)) == 10


def test_tensors_and_variables_have_traces_of_their_own() -> None:
    kinds = []

    @tf.function
    def f(x: Any) -> Any:
        kinds.append(isinstance(x, tf.Variable))
        return x * 2.0

    v = tf.Variable(2.0)
    one = tf.constant(1.0)
    assert [float(f(x)) for x in (one, v, one, v, tf.Variable(3.0))] == [2, 4, 2, 4, 6]
    assert kinds == [False, True]  # as in TensorFlow 2.21
    assert float(tf.function(f.python_function)(v)) == 4
    signed = tf.function(lambda x: x * 2.0, input_signature=[tf.TensorSpec([])])
    assert [float(signed(x)) for x in (one, v, one)] == [2, 4, 2]
    assert signed.experimental_get_tracing_count() == 1
