"""TensorArray: eagerly, compiled, with unknown extents, in loops, and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

Program = Callable[..., Any]


def running(x: Any) -> Any:
    """A recurrence, its states written one by one."""
    states = tf.TensorArray(x.dtype, size=tf.shape(x)[0])
    state = tf.zeros_like(x[0])
    for i in tf.range(tf.shape(x)[0]):
        state = tf.tanh(state) * 0.5 + x[i]
        states = states.write(i, state)
    return states.stack()


def read_back(x: Any) -> Any:
    """Each element is made of two before it."""
    n = tf.shape(x)[0]
    a = tf.TensorArray(x.dtype, size=n).unstack(x)
    for i in tf.range(2, n):
        a = a.write(i, tf.sin(a.read(i - 1)) * a.read(i - 2) + a.read(i))
    return a.stack()


def grows(x: Any) -> Any:
    a = tf.TensorArray(x.dtype, size=0, dynamic_size=True)
    total = tf.reduce_sum(x * x)
    while total > 0.5:
        a = a.write(a.size(), total)
        total *= 0.5
    return tf.reduce_sum(a.stack()) * x


def grows_in_nested_loops(x: Any) -> Any:
    a = tf.TensorArray(x.dtype, 1, dynamic_size=True, element_shape=[])
    for i in tf.range(tf.shape(x)[0]):
        for j in tf.range(i):
            if (i + j) % 2 == 1:
                a = a.write(a.size(), x[i] * x[j])
    return tf.reduce_sum(a.stack()) + x


def in_branches(x: Any) -> Any:
    n = tf.shape(x)[0]
    a = tf.TensorArray(x.dtype, n, element_shape=[])
    b = tf.TensorArray(x.dtype, n, element_shape=[])
    for i in tf.range(n):
        if x[i] > 1.0:
            a = a.write(i, x[i] * x[i])
        else:
            b = b.write(n - 1 - i, a.read(0) - x[i])
            a, b = b, a
    return a.stack() + 2.0 * b.stack()


def old_versions(x: Any) -> Any:
    """What is read from an array that has been written to since."""
    n = tf.shape(x)[0]
    a = tf.TensorArray(x.dtype, n).unstack(x)
    total = x[0] * 0.0
    for i in tf.range(n):
        before = a
        a = a.write(i, a.read(i) * 3.0)
        total += before.read(i) + a.read(n - 1 - i)
    return total + a.stack()


def rows(x: Any) -> Any:
    n = tf.shape(x)[0]
    a = tf.TensorArray(x.dtype, n)
    i = 0
    while i < n:
        a = a.write(i, tf.stack([x[i], x[n - 1 - i] * 2.0]))
        i += 1
    return tf.reshape(a.concat(), [-1])[:n] * a.gather([0])[0, 0]


def scattered(x: Any) -> Any:
    n = tf.shape(x)[0]
    a = tf.TensorArray(x.dtype, n).unstack(x * x)
    a = a.scatter([0], [x[0] + 1.0]).identity()
    return a.stack() * tf.cast(a.size(), x.dtype)


def explicit(x: Any) -> Any:
    """By while_loop and cond, with an array that has no elements yet."""
    n = tf.shape(x)[0]
    a = tf.TensorArray(x.dtype, n)

    def body(i: Any, a: Any) -> Any:
        return i + 1, a.write(i, tf.exp(x[i]))

    a = tf.while_loop(lambda i, a: i < n, body, (0, a))[1]
    a = tf.cond(tf.reduce_sum(x) > 2.0, lambda: a.write(0, x[0]), lambda: a)
    return a.stack()


def walked(x: Any) -> Any:
    total = x[0]
    for v in tf.TensorArray(x.dtype, 0, dynamic_size=True).unstack(x):
        total = total * v + v
    return total * x


PROGRAMS = [running, read_back, grows, grows_in_nested_loops, in_branches, old_versions]
PROGRAMS += [rows, scattered, explicit, walked]
INPUTS = [[0.5, 1.25, 3.0], [1.75], [2.5, 0.125, 0.5, 0.75, 1.5]]


def same(got: Any, wanted: Any) -> None:
    assert np.asarray(got).tobytes() == np.asarray(wanted).tobytes()


@pytest.mark.parametrize("program", PROGRAMS)
def test_eager_compiled_and_symbolic(program: Program) -> None:
    compiled = tf.function(program)
    symbolic = tf.function(program, input_signature=[tf.TensorSpec([None], tf.float64)])
    for row in INPUTS:
        x = tf.constant(row, tf.float64)
        eager = program(x)
        same(compiled(x), eager)
        same(symbolic(x), eager)


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Program) -> None:
    def first(f: Program, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.sin(f(x)))
        return tape.gradient(y, x)

    x = tf.constant(INPUTS[0], tf.float64)
    eager = first(program, x)
    for other in (first(tf.function(program), x), tf.function(lambda v: first(program, v))(x)):
        np.testing.assert_allclose(other, eager, rtol=1e-13)
    step = 1e-6
    for i in range(3):
        d = np.eye(3)[i] * step
        ends = [
            np.sum(np.sin(np.asarray(program(tf.constant(np.asarray(x) + s * d))))) for s in (1, -1)
        ]
        np.testing.assert_allclose(eager[i], (ends[0] - ends[1]) / (2 * step), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("program", [running, read_back, old_versions])
def test_second_order(program: Program) -> None:
    def second(f: Program, x: Any) -> Any:
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(tf.sin(f(x)))
            slope = tf.reduce_sum(inner.gradient(y, x) ** 2)
        return outer.gradient(slope, x)

    x = tf.constant(INPUTS[0], tf.float64)
    np.testing.assert_allclose(second(tf.function(program), x), second(program, x), rtol=1e-11)


def random_program(steps: list[tuple[str, int, int]]) -> Program:
    """Reads and writes two arrays: `write`, `read`, `swap`, in a branch, and an `old` version."""

    def program(x: Any) -> Any:
        a = tf.TensorArray(tf.int64, 5).unstack(x)
        b = tf.TensorArray(tf.int64, 5).unstack(x)
        total = x[0]
        for i in tf.range(4, dtype=tf.int64):
            for what, k, which in steps:
                j = (i + k) % 5
                if what == "write":
                    if which:
                        a = a.write(j, total + a.read(k))
                    else:
                        b = b.write(j, total - a.read(k))
                elif what == "read":
                    total = total * 3 + (a if which else b).read(j)
                elif what == "swap":
                    a, b = b, a
                elif what == "branch":
                    if total % 2 == 0:
                        a = a.write(k, i)
                    else:
                        total += b.read(k)
                elif what == "both":
                    if total % 3 == 0:
                        a, b = b, a.write(k, total)
                else:
                    old = a
                    a = a.write(j, total)
                    total += old.read(j)
        return total, a.stack(), b.stack()

    return program


@pytest.mark.parametrize("seed", range(8))
def test_random_reads_and_writes(seed: int) -> None:
    """What is changed in place must not be seen by who holds an older version."""
    rng = np.random.default_rng(seed)
    kinds = ["write", "write", "read", "swap", "branch", "both", "old"]
    steps = [(str(rng.choice(kinds)), int(rng.integers(5)), int(rng.integers(2))) for _ in range(5)]
    program = random_program(steps)
    x = tf.constant(rng.integers(0, 50, 5))
    for got, want in zip(tf.function(program)(x), program(x), strict=True):
        np.testing.assert_array_equal(got, want, str(steps))


def test_a_loop_changes_its_buffer_in_place() -> None:
    """The compiled loop copies nothing that is as large as the array: once at its start at most."""

    def program(x: Any) -> Any:
        a = tf.TensorArray(tf.float32, 10000).unstack(tf.zeros([10000, 2]))
        for i in tf.range(1000):
            a = a.write(i, x + a.read(i))
        return a.stack()

    concrete = tf.function(program).get_concrete_function(tf.TensorSpec([2]))
    assert concrete.ir("llvm").count("@llvm.memcpy.p0.p0.i64(ptr") <= 1


def test_python_numbers_stay_a_list() -> None:
    """What Python alone decides may have elements of any shape."""

    def program(x: Any) -> Any:
        a = tf.TensorArray(tf.float32, 2, infer_shape=False)
        a = a.split(x, [1, 2])
        return a.concat(), a.read(1), a.write(0, [[5.0]]).read(0)

    x = tf.constant([1.0, 2.0, 3.0])
    for f in (program, tf.function(program)):
        whole, part, other = f(x)
        assert whole.numpy().tolist() == [1, 2, 3] and part.numpy().tolist() == [2, 3]
        assert other.shape == [1, 1]


def test_properties() -> None:
    a = tf.TensorArray(tf.int32, size=2, dynamic_size=True, element_shape=[3])
    assert a.dtype is tf.int32 and a.dynamic_size and a.element_shape == [3]
    assert int(a.size()) == 2 and a.handle is None and float(a.flow) == 0.0
    assert a.stack().numpy().tolist() == [[0] * 3] * 2
    grown = a.write(4, [1, 2, 3])
    assert (int(grown.size()), int(a.size())) == (5, 2)  # arrays are values
    assert [int(v[0]) for v in grown] == [0, 0, 0, 0, 1]
    assert grown.close() is None
    assert "int32(3,)" in repr(grown)


def test_through_functions() -> None:
    @tf.function
    def doubled(a: Any) -> Any:
        return a.write(0, a.read(1) * 2.0)

    a = tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0])
    assert doubled(a).stack().numpy().tolist() == [4.0, 2.0]


def test_parts_of_different_lengths() -> None:
    def parts(x: Any) -> Any:
        array = tf.TensorArray(tf.int32, 2).split(x, [1, 2])
        return array.read(1), array.concat()

    signature = [tf.TensorSpec([None], tf.int32)]
    for f in (parts, tf.function(parts), tf.function(parts, input_signature=signature)):
        second, whole = f(tf.constant([1, 2, 3]))
        assert second.numpy().tolist() == [2, 3] and whole.numpy().tolist() == [1, 2, 3]


MISUSES: dict[str, tuple[type[Exception], str, Callable[[], Any]]] = {
    "index": (
        tf.errors.OutOfRangeError,
        "to index 2 but array is not resizeable and size is: 2: dynamic_size=True lets it",
        lambda: tf.TensorArray(tf.float32, 2).write(2, 1.0),
    ),
    "negative": (
        tf.errors.OutOfRangeError,
        r"Reading from negative indices \(index -1\) is not allowed",
        lambda: tf.TensorArray(tf.float32, 2, element_shape=[]).read(-1),
    ),
    "dtype": (
        tf.errors.InvalidArgumentError,
        "TensorArray dtype is float32 but Op is trying to write dtype int32",
        lambda: tf.TensorArray(tf.float32, 2).write(0, tf.constant(1)),
    ),
    "shape": (
        ValueError,
        r"Incompatible shape for value \(\(2,\)\), expected \(\(3,\)\)",
        lambda: tf.TensorArray(tf.float32, 2, element_shape=[3]).write(0, [1.0, 2.0]),
    ),
    "unknown": (
        ValueError,
        "the shape of the elements is not known before one is written: give element_shape",
        lambda: tf.TensorArray(tf.float32, 2).stack(),
    ),
    "size": (ValueError, "size must not be negative", lambda: tf.TensorArray(tf.float32, -1)),
    "float size": (TypeError, "size must be an integer", lambda: tf.TensorArray(tf.float32, 1.5)),
    "float index": (
        TypeError,
        "an index must be an integer",
        lambda: tf.TensorArray(tf.float32, 2).write(0.5, 1.0),
    ),
    "unstack": (
        ValueError,
        "Cannot unstack 3 tensors into a TensorArray of static size 2",
        lambda: tf.TensorArray(tf.int32, 2).unstack([1, 2, 3]),
    ),
    "split": (
        tf.errors.InvalidArgumentError,
        "Expected sum of lengths to be equal to values.shape",
        lambda: tf.TensorArray(tf.int32, 2).split([1, 2, 3], [1, 1]),
    ),
    "split a scalar": (
        tf.errors.InvalidArgumentError,
        "Expected value to be at least a vector",
        lambda: tf.TensorArray(tf.int32, 2).split(1, [1]),
    ),
    "concat": (
        tf.errors.InvalidArgumentError,
        "Concat saw a scalar shape at index 0 but requires at least vectors",
        lambda: tf.TensorArray(tf.int32, 1).unstack([1]).concat(),
    ),
    "read": (
        tf.errors.OutOfRangeError,
        "Tried to read from index 5 but array size is: 2",
        lambda: tf.TensorArray(tf.int32, 2).read(5),
    ),
    "no size": (ValueError, "Size must be declared", lambda: tf.TensorArray(tf.int32)),
    "grad": (
        tf.errors.UnimplementedError,
        "use tf.GradientTape",
        lambda: tf.TensorArray(tf.int32, 2).grad("x"),
    ),
}


def test_arrays_without_elements() -> None:
    assert tf.TensorArray(tf.float32, 0).stack().shape == [0]
    assert tf.TensorArray(tf.int32, 0, element_shape=[2]).stack().shape == [0, 2]


@pytest.mark.parametrize("name", MISUSES)
def test_misuses(name: str) -> None:
    kind, text, call = MISUSES[name]
    with pytest.raises(kind, match=text) as caught:
        call()
    assert "test_tensor_array.py" in str(caught.value)


def test_an_index_outside_in_a_compiled_loop() -> None:
    @tf.function
    def f(n: Any) -> Any:
        a = tf.TensorArray(tf.int32, 3)
        for i in tf.range(n):
            a = a.write(i, i)
        return a.stack()

    assert f(tf.constant(3)).numpy().tolist() == [0, 1, 2]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"index 3 is not in \[0, 3\).*test_tensor_array"
    ):
        f(tf.constant(4))


def powers(x: Any) -> Any:
    """As many powers as are needed to reach 50: what is read decides."""
    a = tf.TensorArray(x.dtype, 1, dynamic_size=True, element_shape=[]).write(0, x)
    i = 0
    while a.read(i) < 50.0:
        i += 1
        a = a.write(i, a.read(i - 1) * x)
    return a.stack()


def fibonacci(limit: Any) -> Any:
    """Here all elements are read inside of the loop."""
    a = tf.TensorArray(limit.dtype, 2, dynamic_size=True).unstack(tf.ones([2], limit.dtype))
    while tf.reduce_sum(a.stack()) < limit:
        a = a.write(a.size(), a.read(a.size() - 1) + a.read(a.size() - 2))
    return a.stack()


@pytest.mark.parametrize("program", [powers, fibonacci])
@pytest.mark.parametrize("number", [1.5, 3.0, 60.0])
def test_a_size_that_depends_on_what_is_read(program: Any, number: float) -> None:
    x = tf.constant(number, tf.float64)
    wanted = program(x).numpy()
    assert tf.function(program)(x).numpy().tobytes() == wanted.tobytes()

    def slope(f: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(f(x) ** 2)
        return tape.gradient(y, x)

    if program is powers:
        eager = slope(program)
        for other in (slope(tf.function(program)), tf.function(lambda: slope(program))()):
            np.testing.assert_allclose(other, eager, rtol=1e-13)


def test_an_array_that_grows_in_a_branch_of_such_a_loop() -> None:
    @tf.function
    def f(n: Any) -> Any:
        a = tf.TensorArray(tf.int32, 1, dynamic_size=True, element_shape=[])
        while tf.reduce_sum(a.stack()) < n:
            if a.size() < 3:
                a = a.write(a.size(), 1)
            n -= 1
        return a.stack()

    with pytest.raises(tf.errors.UnimplementedError, match=r"grows in a branch.*test_tensor_array"):
        f(tf.constant(9))


def test_effects_happen_once_where_an_array_grows(capsys: Any) -> None:
    v = tf.Variable(0)

    @tf.function
    def f(n: Any) -> Any:
        a = tf.TensorArray(tf.int32, 0, dynamic_size=True)
        for i in tf.range(n):
            tf.print("round", i)
            v.assign_add(1)
            a = a.write(i, v)
        return a.stack()

    assert f(tf.constant(2)).numpy().tolist() == [1, 2]
    assert int(v) == 2
    printed = capsys.readouterr()
    assert (printed.out + printed.err).split("\n")[:2] == ["round 0", "round 1"]


@pytest.mark.parametrize("drawn", [False, True])
@pytest.mark.parametrize("read", [False, True])
def test_python_decides_how_long_arrays_become(drawn: bool, read: bool) -> None:
    """An episode: an environment that is a Python function ends it."""
    w = tf.Variable([1.0, 2.0])
    rounds = []

    def environment(state: Any) -> Any:
        rounds.append(float(state))
        return np.float32(state + 1), np.bool_(state > 3)

    @tf.function
    def episode(most: tf.Tensor) -> Any:
        with tf.GradientTape() as tape:
            values = tf.TensorArray(tf.float32, 0, dynamic_size=True)
            draws = tf.TensorArray(tf.float32, 0, dynamic_size=True, element_shape=[])
            state = tf.constant(0.0)
            for t in tf.range(most):
                value = tf.reduce_sum(w) * state if read else 3.0 * state
                values = values.write(t, value)
                if drawn:
                    draws = draws.write(t, tf.random.uniform([]))
                state, done = tf.numpy_function(environment, [state], [tf.float32, tf.bool])
                state.set_shape([])
                if done:
                    break
            stacked = values.stack()
            loss = tf.reduce_sum(stacked)
        return stacked, draws.stack(), tape.gradient(loss, w) if read else loss

    for _ in range(2):
        rounds.clear()
        values, draws, slope = episode(tf.constant(500))
        assert rounds == [0.0, 1.0, 2.0, 3.0, 4.0]
        assert values.numpy().tolist() == [0.0, 3.0, 6.0, 9.0, 12.0]
        assert len(set(draws.numpy().tolist())) == (5 if drawn else 0)
        assert slope.numpy().tolist() == ([10.0, 10.0] if read else 30.0)


def test_what_was_written_is_read_in_each_round() -> None:
    """Decoding that is fed with all that it has said; it ends at a token, a matrix of one row."""
    table = tf.constant([[3, 1, 2, 0, 4], [1, 1, 0, 2, 3]], tf.int64)

    def said(most: int, last: int) -> tf.Tensor:
        output = tf.TensorArray(tf.int64, size=0, dynamic_size=True)
        output = output.write(0, tf.constant([2], tf.int64))
        for i in tf.range(most):
            before = tf.transpose(output.stack())
            score = tf.reduce_sum(before) + tf.cast(i, tf.int64)
            token = tf.reshape(table[score % 2, score % 5], [1, 1])
            output = output.write(i + 1, token[0])
            if token == tf.constant([last], tf.int64):
                break
        return tf.transpose(output.stack())

    for last in (0, 1, 9):
        assert tf.function(said)(7, last).numpy().tolist() == said(7, last).numpy().tolist()


def test_specs():
    spec = tf.TensorArraySpec
    array = tf.TensorArray(tf.float32, 3, element_shape=[2], dynamic_size=True)
    assert repr(spec.from_value(array)) == (
        "TensorArraySpec(TensorShape([2]), tf.float32, True, True)"
    )
    assert tf.type_spec_from_value(array) == spec([2], tf.float32, True)
    assert spec([None], tf.float32, True).is_compatible_with(array)
    assert not spec([None], tf.float32).is_compatible_with(array)  # it grows
    assert spec([2], "float32").value_type is tf.TensorArray
    assert spec([2]).most_specific_compatible_type(spec([3])) == spec([2])
    assert len({spec([2]), spec([2]), spec([2], tf.int32), spec([3])}) == 3
    with pytest.raises(ValueError, match="No TypeSpec is compatible with both"):
        spec([2]).most_specific_compatible_type(spec([2], tf.int32))


def test_no_numbers_gather_nothing():
    assert tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0]).gather([]).shape == (0,)
