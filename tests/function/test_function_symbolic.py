"""Sizes that are not known when a function is traced: the same bits as eagerly, for every size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf


def rows(n: int) -> Any:
    return np.random.default_rng(n).normal(size=(n, 4)).astype(np.float32)


W = tf.constant(np.random.default_rng(7).normal(size=(4, 3)), tf.float32)


def test_an_epoch_with_a_ragged_end_is_two_traces() -> None:
    data = rows(103)
    w = tf.Variable(W)
    traces = []

    @tf.function
    def step(x: Any) -> Any:
        traces.append(x.shape.as_list())
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ w))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    losses = [
        float(step(tf.constant(data[i : i + 16]))) for _ in range(2) for i in range(0, 103, 16)
    ]
    assert traces == [[16, 4], [None, 4]]
    assert losses[7] < losses[0]


def test_what_varies_varies_for_other_python_values_too() -> None:
    traces = []

    @tf.function
    def f(x: Any, training: bool) -> Any:
        traces.append((x.shape.as_list(), training))
        return x * 2.0 if training else x

    for training in (True, False, True):
        for n in (4, 4, 3):
            assert f(tf.ones([n, 2]), training).shape == (n, 2)
    assert traces == [([4, 2], True), ([None, 2], True), ([None, 2], False)]


def test_hundred_sizes_are_two_programs() -> None:
    f = tf.function(lambda x: tf.tanh(x) * 2.0 + tf.reduce_sum(x))
    for n in range(100):
        assert f(tf.ones([n, 3])).shape == (n, 3)
    assert f.experimental_get_tracing_count() == 2
    both = tf.function(lambda x, y: tf.matmul(x, y))
    for n, k in ((3, 4), (5, 4), (5, 9), (2, 2), (7, 1), (1, 6), (11, 12)):
        assert both(tf.ones([n, k]), tf.ones([k, 2])).numpy().tolist() == [[k, k]] * n
    assert both.experimental_get_tracing_count() <= 3


def test_clashes_say_the_sizes_and_the_line() -> None:
    spec = tf.TensorSpec([None])

    def f(x: Any, y: Any) -> Any:
        z = x * 2.0
        return z + y

    line = f.__code__.co_firstlineno + 2
    signed = tf.function(f, input_signature=[spec, spec])
    concrete = tf.function(f).get_concrete_function(spec, spec)
    x, y = tf.ones([3]), tf.ones([4])
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        signed(x, y)
    text = str(caught.value)
    assert "Incompatible shapes: [3] vs. [4]" in text
    assert f"test_function_symbolic.py:{line})" in text
    assert "with n0 = 3, n1 = 4 in f(x: f32[n0], y: f32[n1])" in text
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        concrete(x, y)
    text = str(caught.value)
    assert "f was traced for (f32[n0], f32[n0]), and called with (float32[3], float32[4])" in text
    assert "Incompatible shapes: n0 = 3 and n1 = 4 must be equal" in text
    assert text.endswith(f"test_function_symbolic.py:{line})")
    assert caught.value.location.line == line
    # A size that is too small for what is cut out of it.
    first = tf.function(lambda x: tf.slice(x, [0], [3])).get_concrete_function(spec)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"n0 ?- ?3 is -1, and must not be"):
        first(tf.ones([2]))
    # Where the signature says all sizes, it is an error of the trace, as without a signature.
    exact = tf.function(f, input_signature=[tf.TensorSpec([3]), tf.TensorSpec([4])])
    with pytest.raises(ValueError, match=r"Incompatible shapes: \[3\] vs. \[4\]"):
        exact(x, y)
    # And what fits is not refused.
    assert signed(x, x).shape == (3,) and concrete(y, y).shape == (4,)


def test_clashes_of_sizes_that_depend_on_data() -> None:
    @tf.function
    def f(x: Any, y: Any) -> Any:
        return tf.boolean_mask(x, x > 0.0) + tf.boolean_mask(y, y > 0.0)

    one, two = tf.constant([1.0, -1.0, 3.0]), tf.constant([1.0, -2.0, -3.0])
    assert f(one, one).numpy().tolist() == [2, 6]
    text = r"Incompatible shapes: extents 2 and 1 must be equal.*test_function_symbolic\.py:\d+"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        f(one, two)


@pytest.mark.parametrize(
    ("f", "error", "text"),
    [
        (lambda x: [r for r in x], tf.errors.OperatorNotAllowedInGraphError, "Iterating over"),
        (lambda x: x * float(len(x)), TypeError, r"len\(\) of an unknown extent"),
        (lambda x: tf.unstack(x), ValueError, r"unstack"),
    ],
)
def test_what_needs_a_known_size_says_so(f: Any, error: Any, text: str) -> None:
    signed = tf.function(f, input_signature=[tf.TensorSpec([None])], autograph=False)
    with pytest.raises(error, match=rf"{text}(.|\n)*test_function_symbolic\.py:\d+"):
        signed(tf.ones([3]))
    tf.function(f)(tf.ones([3]))  # where the size is known, it works


def test_signatures_are_checked() -> None:
    for wrong in (tf.TensorSpec([None]), [tf.float32], [[1]]):
        with pytest.raises(TypeError, match=r"input_signature must be .*symbolic\.py:\d+"):
            tf.function(lambda x: x, input_signature=wrong)
    f = tf.function(lambda x, n=2: x * n, input_signature=[tf.TensorSpec([None], tf.int32)])
    assert f([1, 2]).numpy().tolist() == [2, 4]
    concrete = f.get_concrete_function()
    assert f.get_concrete_function(tf.constant([1])) is concrete
    assert f.get_concrete_function(tf.TensorSpec([7], tf.int32)) is concrete
    for given in (tf.TensorSpec([], tf.int32), tf.TensorSpec([None]), tf.constant([[1]])):
        with pytest.raises((TypeError, ValueError), match=r"input_signature|requested dtype"):
            f.get_concrete_function(given)
    assert f.experimental_get_tracing_count() == 1


def test_a_concrete_function_in_another_checks_the_sizes_that_it_was_traced_for() -> None:
    spec = tf.TensorSpec([None])
    added = tf.function(lambda a, b: a + b).get_concrete_function(spec, spec)

    @tf.function(input_signature=[spec, spec])
    def f(a: Any, b: Any) -> Any:
        return added(a, b) * 2.0

    assert f(tf.ones([2]), tf.ones([2])).numpy().tolist() == [4.0, 4.0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="n0 = 2, n1 = 3"):
        f(tf.ones([2]), tf.ones([3]))
    g = tf.function(lambda a, b: added(a, b))
    with pytest.raises(ValueError, match="was traced for"):
        g(tf.ones([2]), tf.ones([3]))


def test_concrete_functions_describe_themselves() -> None:
    v = tf.Variable([1.0, 2.0])
    large = tf.constant(np.arange(40.0).reshape(20, 2), tf.float32)

    @tf.function
    def f(x: Any, d: Any, n: int = 2) -> Any:
        return {"y": x * v * float(n), "z": (tf.reduce_sum(large), d["k"])}

    concrete = f.get_concrete_function(
        tf.TensorSpec([None, 2], name="x"), {"k": tf.TensorSpec([], tf.int32)}, n=3
    )
    assert [(s.name, s.shape.as_list(), s.dtype) for s in concrete.inputs] == [
        ("x", [None, 2], tf.float32),
        ("d_k", [], tf.int32),
    ]
    assert [(s.shape.as_list(), s.dtype) for s in concrete.outputs] == [
        ([None, 2], tf.float32),
        ([], tf.float32),
        ([], tf.int32),
    ]
    args, kwargs = concrete.structured_input_signature
    assert args[0].shape.as_list() == [None, 2] and args[1]["k"].dtype is tf.int32
    assert (args[2:], kwargs) == ((3,), {})
    assert concrete.structured_outputs["z"][1].dtype is tf.int32
    assert concrete.output_shapes["y"].as_list() == [None, 2]
    assert concrete.output_dtypes["z"] == (tf.float32, tf.int32)
    assert [c is v or c is large for c in concrete.captured_inputs] == [True, True]
    got = concrete(tf.ones([4, 2]), {"k": tf.constant(5)})
    assert got["y"].shape == (4, 2) and int(got["z"][1]) == 5


def test_options_are_accepted() -> None:
    @tf.function(
        reduce_retracing=True,
        jit_compile=True,
        experimental_implements="x",
        experimental_attributes={"a": 1},
        experimental_autograph_options=None,
        experimental_relax_shapes=True,
        experimental_compile=True,
        experimental_follow_type_hints=True,
    )
    def f(x: Any) -> Any:
        return x + 1.0

    assert float(f(1.0)) == 2
    with pytest.raises(TypeError, match="unexpected keyword argument 'jit_compiled'"):
        tf.function(lambda x: x, jit_compiled=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="takes a callable"):
        tf.function(3)
