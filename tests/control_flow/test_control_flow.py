"""Control flow on tensors: eagerly, compiled, with unknown extents, and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf

Program = Callable[..., Any]


def newton(a: Any) -> Any:
    """Square roots by Newton's method, until all are found."""

    def close(x: Any) -> Any:
        return tf.reduce_max(tf.abs(x * x - a)) > 1e-12 * tf.reduce_max(a)

    return tf.while_loop(close, lambda x: ((x + a / x) * 0.5,), (a,))[0]


def branches(x: Any) -> Any:
    return tf.cond(tf.reduce_sum(x) > 2.0, lambda: x * x, lambda: {"y": tf.sin(x)}["y"] * 3.0)


def power_by_loop(x: Any) -> Any:
    i, y = tf.while_loop(lambda i, y: i < 5, lambda i, y: (i + 1, y * tf.tanh(x)), (0, x))
    return y * tf.cast(i, x.dtype)


def bounded(x: Any) -> Any:
    return tf.while_loop(lambda y: True, lambda y: (y * 1.5,), (x,), maximum_iterations=3)[0]


def running_sum(x: Any) -> Any:
    return tf.scan(lambda s, v: s * 0.5 + tf.sin(v), x)


def backwards(x: Any) -> Any:
    return tf.scan(lambda s, v: s * v + 1.0, x, tf.ones_like(x[0]), reverse=True)


def mapped(x: Any) -> Any:
    return tf.map_fn(lambda v: tf.reduce_sum(v * v) * v, x)


def folded(x: Any) -> Any:
    return tf.foldl(lambda a, v: tf.tanh(a + v), x) + tf.foldr(lambda a, v: a * v, x)


def switched(x: Any) -> Any:
    index = tf.cast(tf.reduce_sum(x), tf.int32) % 3
    return tf.switch_case(index, [lambda: x, lambda: x * 2.0, lambda: tf.exp(x)])


def loop_in_branch_in_loop(x: Any) -> Any:
    def body(i: Any, y: Any) -> Any:
        inner = tf.cond(
            tf.equal(i % 2, 0),
            lambda: tf.while_loop(lambda z: tf.reduce_sum(z) < 9.0, lambda z: (z * 1.7,), (y,))[0],
            lambda: y * 0.25,
        )
        return i + 1, inner

    return tf.while_loop(lambda i, y: i < 4, body, (0, x * x + 0.1))[1]


PROGRAMS = [
    *(newton, branches, power_by_loop, bounded, running_sum, backwards, mapped, folded, switched),
    loop_in_branch_in_loop,
]
INPUTS = [[0.5, 1.25, 3.0], [0.25], [2.5, 0.125, 0.5, 0.75, 1.0]]


def same(got: Any, wanted: Any) -> None:
    assert np.asarray(got).tobytes() == np.asarray(wanted).tobytes()


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("row", INPUTS, ids=len)
def test_eager_compiled_and_symbolic(program: Program, row: list[float]) -> None:
    x = tf.constant(row, tf.float64)
    eager = program(x)
    same(tf.function(program)(x), eager)
    symbolic = tf.function(program, input_signature=[tf.TensorSpec([None], tf.float64)])
    same(symbolic(x), eager)


@pytest.mark.parametrize("program", PROGRAMS)
def test_gradients(program: Program) -> None:
    """Finite differences; eager tape, compiled function under a tape, and tape in a function."""

    def first(f: Program, x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.sin(f(x)))
        return tape.gradient(y, x)

    x = tf.constant(INPUTS[0], tf.float64)
    eager = first(program, x)
    for other in (first(tf.function(program), x), tf.function(lambda v: first(program, v))(x)):
        same(other, eager)
    step = 1e-6
    for i in range(3):
        d = np.eye(3)[i] * step
        ends = [
            np.sum(np.sin(np.asarray(program(tf.constant(np.asarray(x) + s * d))))) for s in (1, -1)
        ]
        np.testing.assert_allclose(eager[i], (ends[0] - ends[1]) / (2 * step), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("program", PROGRAMS)
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
    eager = second(program, x)
    for other in (second(tf.function(program), x), tf.function(lambda v: second(program, v))(x)):
        np.testing.assert_allclose(other, eager, rtol=1e-11, atol=1e-12)


def test_variables_in_branches_and_loops() -> None:
    v, w = tf.Variable(1.0), tf.Variable([1.0, 2.0])

    def program(x: Any, n: Any) -> Any:
        def grow(i: Any) -> Any:
            w.assign_add(tf.stack([v, x]))
            tf.cond(tf.equal(i % 2, 0), lambda: v.assign(v * 2.0) * 1.0, lambda: x)
            return (i + 1,)

        tf.while_loop(lambda i: i < n, grow, (0,))
        return v + tf.reduce_sum(w)

    outcomes = []
    for f in (program, tf.function(program)):
        v.assign(1.0)
        w.assign([1.0, 2.0])
        result = f(tf.constant(0.5), tf.constant(5))
        outcomes.append((float(result), float(v), w.numpy().tolist()))
    assert outcomes[0] == outcomes[1] == (26.5, 8.0, [14.0, 4.5])


def test_gradient_by_a_variable_read_in_a_loop() -> None:
    v = tf.Variable(0.9)

    def loss(x: Any) -> Any:
        return tf.while_loop(lambda i, y: i < 4, lambda i, y: (i + 1, y * v + 1.0), (0, x))[1]

    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            y = loss(x)
        return tape.gradient(y, v)

    x = tf.constant(2.0)
    eager = slope(x)
    np.testing.assert_allclose(tf.function(slope)(x), eager, rtol=1e-6)


def test_structures() -> None:
    def program(x: Any) -> Any:
        state = {"a": x, "b": (x * 2.0, tf.constant(0))}

        def body(s: Any) -> Any:
            return ({"a": s["a"] + s["b"][0], "b": (s["b"][0] * 0.5, s["b"][1] + 1)},)

        return tf.while_loop(lambda s: s["b"][1] < 3, body, (state,))[0]

    x = tf.constant([1.0, 2.0])
    eager, compiled = program(x), tf.function(program)(x)
    assert sorted(compiled) == ["a", "b"] and int(compiled["b"][1]) == 3
    same(compiled["a"], eager["a"])
    same(compiled["b"][0], eager["b"][0])


@pytest.mark.parametrize("mode", [lambda f: f, tf.function], ids=["eager", "function"])
def test_bodies_may_return_other_sequences(mode: Any) -> None:
    """Lists and tuples stand for each other, also inside; the result is like the loop variables."""

    def run(variables: Any, body: Any, limit: Any = None) -> Any:
        def program() -> Any:
            return tf.while_loop(lambda i, *rest: i < 3, body, variables, maximum_iterations=limit)

        found = mode(program)()
        assert type(found) is type(variables)
        return tf.nest.map_structure(int, found)

    for limit in (None, 9):
        assert run([0, 5], lambda i, s: (i + 1, s + i), limit) == [3, 8]
        assert run((0, 5), lambda i, s: [i + 1, s + i], limit) == (3, 8)
        assert run([0], lambda i: (i + 1,), limit) == [3]
        assert run([0], lambda i: i + 1, limit) == [3]
        inner = run([0, [1, 2]], lambda i, s: (i + 1, (s[1], s[0])), limit)
        assert inner == [3, [2, 1]] and type(inner[1]) is list
    for wrong in (lambda i, s: (i + 1, s, s), lambda i, s: (i + 1, [s])):
        with pytest.raises(ValueError, match="loop variables"):
            run([0, 5], wrong)


def test_map_of_structures_and_dtypes() -> None:
    def program(x: Any, n: Any) -> Any:
        return tf.map_fn(
            lambda pair: (pair[0] * 2.0, pair[1] > 1),
            (x, n),
            fn_output_signature=(tf.float32, tf.bool),
        )

    given = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([1, 2])
    for f in (program, tf.function(program)):
        doubled, large = f(*given)
        assert doubled.numpy().tolist() == [[2, 4], [6, 8]] and large.numpy().tolist() == [
            False,
            True,
        ]


def test_no_rounds() -> None:
    x = tf.zeros([0, 3])
    for f in (tf.function(mapped), mapped):
        assert f(x).shape == (0, 3)
    assert tf.foldl(lambda a, v: a + v, tf.zeros([0]), 7.0).numpy() == 7
    assert tf.function(lambda x: tf.scan(lambda s, v: s + v, x, 1.0))(tf.zeros([0])).shape == (0,)


def test_folds_go_along_an_axis() -> None:
    for fold in (tf.foldl, tf.foldr, tf.scan, tf.function(tf.foldl)):
        with pytest.raises(ValueError, match="dimensional Tensors, not scalars"):
            fold(lambda a, v: a + v, tf.constant(3))


def test_case_without_a_default_needs_a_predicate_that_holds() -> None:
    def sign(x: Any) -> Any:
        return tf.case([(x < 0, lambda: -1), (x > 0, lambda: 1)])

    for f in (sign, tf.function(sign)):
        assert int(f(tf.constant(3))) == 1
        with pytest.raises(tf.errors.InvalidArgumentError, match="None of conditions"):
            f(tf.constant(0))


def test_case() -> None:
    def program(x: Any) -> Any:
        return tf.case([(x < 0, lambda: -1), (x > 10, lambda: 1)], default=lambda: 0)

    for f in (program, tf.function(program)):
        assert [int(f(tf.constant(v))) for v in (-3, 5, 12)] == [-1, 0, 1]


def test_python_predicates_choose_while_tracing() -> None:
    traced = []

    @tf.function
    def f(x: Any) -> Any:
        return tf.cond(True, lambda: x, lambda: traced.append(1))

    assert float(f(tf.constant(2.0))) == 2 and not traced


ERRORS: list[tuple[Program, type[Exception], str]] = [
    (
        lambda x: tf.cond(x > 0, lambda: x, lambda: (x, x)),
        TypeError,
        "same number, type, and overall structure",
    ),
    (
        lambda x: tf.cond(x > 0, lambda: x, lambda: 1),
        TypeError,
        "result 0 is float32 in one and int32",
    ),
    (lambda x: tf.cond(x > 0, lambda: x, lambda: tf.stack([x, x])), ValueError, r"shape \[2\]"),
    (lambda x: tf.cond(tf.stack([x > 0, x > 1]), lambda: x, lambda: x), ValueError, "a scalar"),
    (lambda x: tf.cond(x > 0, x, x), TypeError, "must be callable"),
    (lambda x: tf.while_loop(lambda v: v > 0, lambda v: v, []), ValueError, "must be provided"),
    (
        lambda x: tf.while_loop(lambda v: v > 0, lambda v: (v, v), (x,)),
        ValueError,
        "same nested structure",
    ),
    (
        lambda x: tf.while_loop(lambda v: v > 0, lambda v: (tf.cast(v, tf.int32),), (x,)),
        TypeError,
        "type tf.float32 but has type tf.int32 after 1 iteration",
    ),
    (
        lambda x: tf.while_loop(
            lambda v: tf.reduce_sum(v) > 0, lambda v: (tf.concat([v, v], 0),), (tf.stack([x]),)
        ),
        ValueError,
        r"with shape \(1,\), but has shape \(2,\) after",
    ),
    (lambda x: tf.map_fn(lambda v: v, x), ValueError, "not scalars"),
    (
        lambda x: tf.scan(lambda s, v: (s, v), tf.stack([x, x])),
        ValueError,
        "structure of its state",
    ),
]


@pytest.mark.parametrize("i", range(len(ERRORS)))
def test_errors_while_tracing(i: int) -> None:
    program, kind, text = ERRORS[i]
    with pytest.raises(kind, match=text) as caught:
        tf.function(program)(tf.constant(1.0))
    assert "test_control_flow.py" in str(caught.value)


def test_a_tape_inside_of_a_loop() -> None:
    """Gradient descent, as a compiled loop: each round opens a tape."""

    def descent(x: Any) -> Any:
        while tf.reduce_max(tf.abs(x - 3.0)) > 1e-3:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x
                for _ in tf.range(2):
                    y = (y - 3.0) * 0.9 + 3.0
                loss = tf.reduce_sum((y - 3.0) ** 2)
            x = x - 0.2 * tape.gradient(loss, x)
        return x

    x = tf.constant([0.0, 10.0], tf.float64)
    eager = descent(x)
    np.testing.assert_allclose(eager, [3.0, 3.0], atol=1e-3)
    np.testing.assert_allclose(tf.function(descent)(x), eager, rtol=1e-13)
    with tf.GradientTape() as tape:  # and through it
        tape.watch(x)
        y = tf.reduce_sum(tf.function(descent)(x))
    through = tape.gradient(y, x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(descent(x))
    np.testing.assert_allclose(through, tape.gradient(y, x), rtol=1e-12)


def test_loops_inside_of_a_custom_gradient() -> None:
    @tf.custom_gradient
    def root(a: Any) -> Any:
        x = a
        while tf.abs(x * x - a) > 1e-12 * a:
            x = 0.5 * (x + a / x)

        def grad(dy: Any) -> Any:
            total = dy * 0.0
            for _ in tf.range(4):
                total += dy / (8.0 * x)
            return total

        return x, grad

    def slope(a: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = root(a)
        return tape.gradient(y, a)

    a = tf.constant(2.0, tf.float64)
    for f in (slope, tf.function(slope)):
        np.testing.assert_allclose(f(a), 0.5 / np.sqrt(2.0), rtol=1e-12)


def test_a_watched_constant_inside_of_regions() -> None:
    """Small tensors from outside are literals, but not where a tape around watches them."""
    x = tf.constant(1.5, tf.float64)

    def slope() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(3):
                y = y * x
            z = tf.cond(y > 0.0, lambda: y * x, lambda: y)
        return tape.gradient(z, x)

    np.testing.assert_allclose(tf.function(slope)(), 5 * 1.5**4, rtol=1e-14)
    np.testing.assert_allclose(slope(), 5 * 1.5**4, rtol=1e-14)


def test_rounds_that_find_their_size_cannot_be_stacked() -> None:
    """The size of a result was bound inside of the loop, and asked for outside."""
    known = tf.function(lambda x: tf.boolean_mask(x, x > 0)).get_concrete_function(
        tf.TensorSpec([3], tf.int32)
    )
    for body in (lambda x: tf.boolean_mask(x, x > 0), known):
        f = tf.function(lambda xs, body=body: tf.map_fn(body, xs))
        with pytest.raises(ValueError, match=r"must have one shape; that of result 0, i32\[\w+\]"):
            f(tf.constant([[1, 0, 1], [1, 1, 1]]))
        g = tf.function(lambda xs, body=body: tf.map_fn(lambda x: tf.reduce_sum(body(x)), xs))
        assert g(tf.constant([[1, 0, 1], [-1, 5, 1]])).numpy().tolist() == [2, 6]


def _branch(x: Any) -> Any:
    return 1 if x > 0 else 2


def _branch_of_functions(x: Any) -> Any:
    return tf.cond(x > 0, lambda: 1, lambda: 2)


def _both(x: Any) -> Any:
    y = 2
    if (x > 0 and x < 9) or not (x < 100):
        y = 1
    return y


def _loop(x: Any) -> Any:
    while x < 3.0:
        x = x + 1.0
    return tf.reduce_sum(x)


@pytest.mark.parametrize("body", [_branch, _branch_of_functions, _both, _loop])
def test_conditions_may_have_axes_of_one(body: Any) -> None:
    """As in TensorFlow, which squeezes them."""
    f = tf.function(body)
    of_any_size = tf.function(body, input_signature=[tf.TensorSpec([None, None])])
    for value in (1.5, -1.5, 200.0):
        want = float(body(tf.constant(value)))
        assert float(f(tf.fill([1, 1], value))) == float(f(tf.fill([1], value))) == want
        assert float(of_any_size(tf.fill([1, 1], value))) == want
    with pytest.raises(ValueError, match=r"(expected to be|pred must be a) .*scalar, got"):
        f(tf.ones([2]))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"(expected to be|pred must be a) .*scalar, got"
    ):
        of_any_size(tf.ones([2, 1]))


_TWO = [lambda: 1, lambda: 2]
_YES = tf.constant(True)
CALLS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: tf.cond(_YES, 1, _TWO[0]), TypeError, "'true_fn' must be callable"),
    (lambda: tf.cond(_YES, _TWO[0]), TypeError, "'false_fn' argument required"),
    (
        lambda: tf.switch_case(tf.constant(1), {0: _TWO[0], 2: _TWO[1]}),
        ValueError,
        r"contiguous range of \[0 to 2\) but found \{0,2\}",
    ),
    (lambda: tf.switch_case(tf.constant(1), []), ValueError, "at least one item in 'branch_fns'"),
    (lambda: tf.switch_case(tf.constant(1), [1, 2]), TypeError, "must be a 2-tuple"),
    (lambda: tf.switch_case(tf.constant(1), {0: 1}), TypeError, "fn for key 0 must be callable"),
    (lambda: tf.switch_case(tf.constant(0), {0.5: _TWO[0]}), TypeError, "a Python `int`"),
    (
        lambda: tf.switch_case(tf.constant(1.0), _TWO),
        TypeError,
        "an integer Tensor, got tf.float32",
    ),
    (lambda: tf.case(1), TypeError, "must be a list, tuple, or dict"),
    (lambda: tf.case([_YES]), TypeError, "in 'pred_fn_pairs' must be a 2-tuple"),
    (lambda: tf.case([(_YES, 1)]), TypeError, "must be callable"),
    (lambda: tf.case([(tf.constant(1), _TWO[0])]), TypeError, "must be Tensor of type bool"),
    (lambda: tf.while_loop(1, lambda i: i, [0]), TypeError, "'cond' must be callable"),
    (lambda: tf.while_loop(lambda i: i, 1, [0]), TypeError, "'body' must be callable"),
    (
        lambda: tf.while_loop(lambda i: i < 1, lambda i: i, [0], parallel_iterations=0),
        TypeError,
        "must be a positive integer",
    ),
    (
        lambda: tf.while_loop(
            lambda i: i < 1, lambda i: i, [0], maximum_iterations=tf.constant([1])
        ),
        ValueError,
        "'maximum_iterations' must be a scalar",
    ),
    (
        lambda: tf.map_fn(lambda x: tf.cast(x, tf.float32), tf.constant([1])),
        tf.errors.InvalidArgumentError,
        "dtype is int32 but Op is trying to write dtype float32",
    ),
    (lambda: tf.map_fn(lambda x: (x, x), tf.constant([1])), ValueError, "same nested structure"),
    (lambda: tf.map_fn(lambda x: x, []), ValueError, "does not contain any Tensors"),
    (
        lambda: tf.map_fn(lambda x: x, (tf.zeros([2]), tf.zeros([3]))),
        ValueError,
        "Dimensions 2 and 3 are not compatible",
    ),
    (
        lambda: tf.scan(lambda a, x: [a[1], a[0] + x], tf.constant([1]), (0, 1)),
        TypeError,
        "same nested structure",
    ),
    (lambda: tf.foldl(1, tf.constant([1])), TypeError, "not callable"),
]


@pytest.mark.parametrize("i", range(len(CALLS)))
def test_errors_outside_of_functions(i: int) -> None:
    program, kind, text = CALLS[i]
    with pytest.raises(kind, match=text) as caught:
        program()
    assert "test_control_flow.py" in str(caught.value) or text == "same nested structure"


def test_what_assertions_show() -> None:
    cases = [
        ((tf.constant(False), ["msg", 3]), None, r"data: b'msg'\n3 "),
        ((tf.constant(False), [tf.range(9)]), None, r"data: 0, 1, 2, \.\.\. "),
        ((False, [tf.range(4)]), -1, r"Expected 'False' to be true. Summarized data: 0, 1, 2, 3 "),
        ((False, [tf.constant(["x", "y"])]), None, "data: b'x', b'y' "),
    ]
    for arguments, summarize, text in cases:
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            tf.debugging.Assert(*arguments, summarize=summarize)

    @tf.function
    def f(x: Any) -> None:
        tf.debugging.Assert(tf.reduce_all(x > 0.0), ["x", x, "of"], summarize=4)

    for values, text in (
        ([0.0, 2.5], r"\[x\] \[0 2.5\] \[of\]"),
        ([0.0] * 5, r"\[0 0 0 0\.\.\.\]"),
    ):
        with pytest.raises(tf.errors.InvalidArgumentError, match="assertion failed: .*" + text):
            f(tf.constant(values))


def test_loops_carry_indexed_slices() -> None:
    """Whose dense shape may be None."""

    def f(slices: Any) -> Any:
        return tf.while_loop(
            lambda i, s: i < 3,
            lambda i, s: (i + 1, tf.IndexedSlices(s.values * 2.0, s.indices)),
            (0, slices),
        )[1]

    slices = tf.IndexedSlices(tf.constant([1.0, 3.0]), tf.constant([2, 0]))
    for call in (f, tf.function(f)):
        assert call(slices).values.numpy().tolist() == [8, 24]
        assert call(slices).indices.numpy().tolist() == [2, 0] and call(slices).dense_shape is None
