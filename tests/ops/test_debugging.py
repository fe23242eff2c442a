"""Assertions, eagerly and in compiled functions; printing; what raises says where and why."""

from __future__ import annotations

import io
import os
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc import debugging

INVALID = tf.errors.InvalidArgumentError

# Function, operands that pass, and operands that do not.
COMPARISONS: list[tuple[str, tuple[Any, ...], tuple[Any, ...], str]] = [
    ("assert_equal", ([1, 2], [1, 2]), ([1, 2], [1, 3]), "x == y"),
    ("assert_none_equal", ([1, 2], [2, 1]), ([1, 2], [2, 2]), "x != y"),
    ("assert_less", ([1.0, 2.0], 3.0), ([1.0, 3.0], 3.0), "x < y"),
    ("assert_less_equal", ([1.0, 3.0], 3.0), ([1.0, 4.0], 3.0), "x <= y"),
    ("assert_greater", ([4, 5], [3]), ([4, 3], [3]), "x > y"),
    ("assert_greater_equal", ([4, 3], [3]), ([4, 2], [3]), "x >= y"),
    ("assert_near", ([1.0, 2.0], [1.0, 2.0 + 1e-7]), ([1.0, 2.0], [1.0, 2.1]), "tolerance"),
    ("assert_negative", ([-1, -2],), ([-1, 0],), "x < 0"),
    ("assert_positive", ([1, 2],), ([1, 0],), "x > 0"),
    ("assert_non_negative", ([0, 2],), ([1, -1],), "x >= 0"),
    ("assert_non_positive", ([0, -2],), ([-1, 1],), "x <= 0"),
]


@pytest.mark.parametrize(("name", "good", "bad", "text"), COMPARISONS)
def test_comparisons(name: str, good: Any, bad: Any, text: str) -> None:
    check = getattr(debugging, name)
    good, bad = ([tf.constant(v) for v in operands] for operands in (good, bad))
    assert check(*good) is None
    with pytest.raises(INVALID, match=text) as eager:
        check(*bad, message="so it is")
    assert "so it is" in str(eager.value) and __file__ in str(eager.value)

    specs = [tf.TensorSpec([None] * t.ndim, t.dtype) for t in good]

    @tf.function(input_signature=specs)
    def unknown(*operands: Any) -> Any:
        check(*operands, message="so it is")
        return operands[0] + 1

    known = tf.function(unknown.python_function)
    for f in (unknown, known):
        np.testing.assert_array_equal(f(*good), good[0] + 1)
        with pytest.raises(INVALID, match=text) as compiled:
            f(*bad)
        shown = str(compiled.value)
        assert "so it is" in shown and "element 1" in shown and __file__ in shown
        np.testing.assert_array_equal(f(*good), good[0] + 1)


def test_what_an_error_shows() -> None:
    with pytest.raises(INVALID) as caught:
        debugging.assert_equal([[1, 2], [3, 4]], [[1, 5], [3, 6]], summarize=1)
    assert caught.value.message.splitlines() == [
        "Condition x == y did not hold.",
        "Indices of first 1 different values:",
        "[[0 1]]",
        "Corresponding x values:",
        "[2]",
        "Corresponding y values:",
        "[5]",
        "First 1 elements of x:",
        "[1]",
        "First 1 elements of y:",
        "[1]",
    ]


@pytest.mark.parametrize("traced", [False, True])
def test_near_complex_numbers(traced: bool) -> None:
    near = tf.function(debugging.assert_near) if traced else debugging.assert_near
    x = tf.constant([3 + 4j, 1j], tf.complex64)
    near(x, x * 1.0000001)
    with pytest.raises(INVALID, match="not equal to tolerance"):
        near(x, x * 1.001)
    debugging.assert_near(x, x + 0.25j, rtol=0.0, atol=0.25)


def test_values_of_every_dtype_are_shown() -> None:
    for dtype, number, shown in (
        ("int8", -3, "x = -3"),
        ("uint64", 2**63 + 1, f"x = {2**63 + 1}"),
        ("float16", 0.5, "x = 0.5"),
        ("float64", -1e300, "x = -1e+300"),
        ("bool", True, "x = True"),
    ):
        f = tf.function(lambda x: debugging.assert_none_equal(x, x))
        x = tf.constant(np.array([number]).astype(tf.as_dtype(dtype).numpy))
        with pytest.raises(INVALID, match="element 0") as caught:
            f(x)
        assert shown in str(caught.value)


def test_known_at_once_while_tracing() -> None:
    """What is known when the function is traced is checked there."""

    @tf.function
    def f(x: Any) -> Any:
        debugging.assert_equal(tf.shape(x)[0], 3)
        return x

    f(tf.zeros([3]))
    with pytest.raises(INVALID, match="x == y"):
        f.python_function(tf.zeros([2]))


def test_effects_keep_their_order_and_are_never_dropped(capsys: Any) -> None:
    v = tf.Variable(1.0)

    @tf.function
    def f(x: Any) -> Any:
        tf.print("first", x)
        debugging.assert_positive(x)
        tf.print("second", tf.reduce_sum(x))
        v.assign_add(1.0)
        debugging.assert_less(x, 10.0)
        tf.print("third")

    f(tf.constant([1.0, 2.0]))
    assert capsys.readouterr().err.splitlines() == ["first [1 2]", "second 3", "third"]
    with pytest.raises(INVALID, match="x > 0"):
        f(tf.constant([1.0, -2.0]))
    assert capsys.readouterr().err.splitlines() == ["first [1 -2]"]
    with pytest.raises(INVALID, match="x < y"):
        f(tf.constant([1.0, 20.0]))
    assert capsys.readouterr().err.splitlines() == ["first [1 20]", "second 21"]
    assert float(v) == 2.0  # a call that fails changes nothing


def test_gradients_run_effects_once(capsys: Any) -> None:
    @tf.function
    def f(x: Any) -> Any:
        tf.print("here")
        debugging.assert_positive(x)
        return tf.reduce_sum(debugging.check_numerics(x * x, "square"))

    @tf.function
    def inside(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    x = tf.constant([1.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    np.testing.assert_array_equal(tape.gradient(y, x), [2, 6])
    assert capsys.readouterr().err == "here\n"
    np.testing.assert_array_equal(inside(x), [2, 6])
    assert capsys.readouterr().err == "here\n"
    with pytest.raises(INVALID, match="x > 0"):
        inside(tf.constant([1.0, -3.0]))


def test_assert() -> None:
    tf.Assert(True, ["fine"])
    with pytest.raises(INVALID, match="true"):
        tf.Assert(tf.constant([True, False]), ["x is", tf.constant([1, 2, 3, 4])])

    @tf.function
    def f(x: Any) -> Any:
        tf.debugging.Assert(tf.reduce_all(x < 5), ["too large:", tf.reduce_max(x)])
        return x

    f(tf.constant([1, 2]))
    with pytest.raises(INVALID, match=r"too large.*x = 7"):
        f(tf.constant([1, 7]))
    with pytest.raises(INVALID, match="not bool"):
        tf.Assert(1, [])


def test_assert_shows_tensors() -> None:
    def f(x: Any, y: Any) -> Any:
        tf.Assert(tf.reduce_all(x < 5.0), ["x and y:", x, y * 2.0, 7], summarize=2)
        return x + 1.0

    g = tf.function(f)
    x, bad, y = tf.constant([1.0, 2.0, 3.0]), tf.constant([1.0, 9.0, 3.0]), tf.constant(4)
    y = tf.cast(y, tf.float32)
    assert np.array_equal(g(x, y), f(x, y))
    found = []
    for run in (f, g):
        with pytest.raises(INVALID) as error:
            run(bad, y)
        found.append(str(error.value).split(" [Op")[0])
    # As TensorFlow writes them at once, and in its graphs.
    assert found[0].endswith("Summarized data: b'x and y:'\n1.0, 9.0, ...\n8.0\n7")
    assert found[1] == "assertion failed: [x and y:] [1 9...] [8] [7]"
    with tf.GradientTape() as tape:  # in differentiated code, too
        tape.watch(bad)
        with pytest.raises(INVALID, match=r"\[1 9\.\.\.\]"):
            tf.reduce_sum(g(bad, y))

    @tf.function
    def loop(x: Any) -> Any:
        for i in tf.range(10):
            tf.Assert(i < 3, ["i is", i, "x is", x])
            x += 1.0
        return x

    with pytest.raises(INVALID, match=r"\[i is\] \[3\] \[x is\] \[4 5\]"):
        loop(tf.constant([1.0, 2.0]))


def test_check_numerics() -> None:
    x = tf.constant([1.0, 2.0])
    assert debugging.check_numerics(x, "here") is x
    f = tf.function(lambda x: debugging.assert_all_finite(x, "here"))
    for values, text in (([1.0, np.nan], "NaN"), ([np.inf, 1.0], "Inf")):
        bad = tf.constant(values, tf.float32)
        for call in (debugging.check_numerics, f):
            with pytest.raises(INVALID, match=f"here : Tensor had {text} values"):
                call(bad, "here") if call is not f else call(bad)
    with pytest.raises(INVALID, match="Inf and NaN"):
        debugging.check_numerics(tf.constant([np.inf, np.nan], tf.float32), "m")


def test_types_and_shapes() -> None:
    x = tf.zeros([2, 3])
    debugging.assert_rank(x, 2)
    debugging.assert_rank_at_least(x, 1)
    debugging.assert_rank_in(x, [1, 2])
    debugging.assert_type(x, tf.float32)
    debugging.assert_integer(tf.constant([1]))
    debugging.assert_proper_iterable([1])
    assert debugging.assert_scalar(3.0).shape == ()
    assert debugging.assert_same_float_dtype([x, x]) is tf.float32
    assert debugging.is_numeric_tensor(x) and not debugging.is_numeric_tensor([1])
    debugging.assert_shapes({x.ref(): ("n", "m"), tf.zeros([4, 3]).ref(): (None, "m")})
    debugging.assert_shapes([(x, ("...", 3)), (tf.zeros([]), ())])
    for call, kind, text in (
        (lambda: debugging.assert_rank(x, 1), ValueError, "must have rank 1"),
        (lambda: debugging.assert_rank_at_least(x, 3), ValueError, "at least 3"),
        (lambda: debugging.assert_rank_in(x, [0, 1]), ValueError, "must have rank in"),
        (lambda: debugging.assert_type(x, tf.int32), TypeError, "must be of type"),
        (lambda: debugging.assert_integer(x), TypeError, "integer type"),
        (lambda: debugging.assert_proper_iterable(x), TypeError, "proper"),
        (lambda: debugging.assert_proper_iterable(1), TypeError, "iterable"),
        (lambda: debugging.assert_scalar(x), ValueError, "Expected scalar"),
        (
            lambda: debugging.assert_same_float_dtype([x, tf.zeros([], tf.float64)]),
            ValueError,
            "type",
        ),
        (
            lambda: debugging.assert_shapes([(x, (2, 4))]),
            ValueError,
            "dimension 1 must have size 4",
        ),
        (lambda: debugging.assert_shapes([(x, ("n", "n"))]), ValueError, "'n'"),
        (lambda: debugging.assert_shapes([(x, ("n",))]), ValueError, "must have rank 1"),
        (lambda: debugging.assert_equal(x, [1.0, 2.0]), INVALID, "Incompatible shapes"),
        (lambda: debugging.assert_equal(x, tf.constant(1)), INVALID, "same dtype"),
    ):
        with pytest.raises(kind, match=text):
            call()


def test_shapes_of_unknown_extents() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, None]), tf.TensorSpec([None])])
    def f(x: Any, y: Any) -> Any:
        debugging.assert_shapes([(x, ("n", "m")), (y, ("m",))])
        return tf.reduce_sum(x) + tf.reduce_sum(y)

    assert float(f(tf.ones([2, 3]), tf.ones([3]))) == 9
    with pytest.raises((INVALID, ValueError)):
        f(tf.ones([2, 3]), tf.ones([4]))


def test_print(tmp_path: Any) -> None:
    def printed(*inputs: Any, **options: Any) -> str:
        stream = io.StringIO()
        tf.print(*inputs, output_stream=stream, **options)
        return stream.getvalue()

    assert printed(tf.constant(1.5), "text", 3) == "1.5 text 3\n"
    assert printed(tf.constant([1.0, 0.1]), end="|", sep=",") == "[1 0.1]|"
    assert printed(tf.range(7), summarize=2) == "[0 1 ... 5 6]\n"
    assert printed(tf.range(7), summarize=-1) == "[0 1 2 3 4 5 6]\n"
    assert printed(tf.reshape(tf.range(4), [2, 2])) == "[[0 1]\n [2 3]]\n"
    assert printed({"a": tf.constant(True), "b": ["c", (tf.constant(2),)]}) == (
        "{'a': 1, 'b': ['c', (2,)]}\n"
    )
    assert printed(tf.zeros([0])) == "[]\n" and printed() == "\n"
    path = os.fspath(tmp_path / "out")
    f = tf.function(lambda x: tf.print("{},()[]= #", x, output_stream=f"file://{path}"))
    f(tf.constant(1))
    f(tf.constant(2))
    with open(path) as file:
        assert file.read() == "{},()[]= # 1\n{},()[]= # 2\n"
    nowhere = f"file://{tmp_path}/nowhere/out"
    for call in (tf.print, tf.function(tf.print)):
        with pytest.raises(tf.errors.NotFoundError, match="No such file"):
            call(tf.constant(1), output_stream=nowhere)
    with pytest.raises(tf.errors.UnimplementedError, match="output_stream"):
        tf.function(lambda: tf.print(1, output_stream=io.StringIO()))()
    with pytest.raises(ValueError, match="no output stream"):
        tf.print(1, output_stream="nowhere")


def test_every_op_can_be_checked() -> None:
    x = tf.constant([1.0, 0.0])
    before = tf.function(lambda x: tf.math.log(x))
    before(x)
    debugging.enable_check_numerics()
    try:
        tf.constant([np.inf], tf.float32)
        for call in (lambda: 1.0 / x, lambda: tf.math.log(x)):
            with pytest.raises(INVALID, match="1 infinite of 2 elements") as caught:
                call()
            assert __file__ in str(caught.value)
        with pytest.raises(INVALID, match="1 NaN and 0 infinite"):
            tf.sqrt(x - 0.5)

        @tf.function
        def f(x: Any) -> Any:
            y = tf.math.log(x)
            return tf.where(x > 0.0, y, 0.0)

        np.testing.assert_array_equal(f(tf.constant([1.0])), [0])
        with pytest.raises(INVALID, match=r"log : Tensor had Inf values.*element 1"):
            f(x)
        with pytest.raises(INVALID, match=r"log : Tensor had NaN values.*element 0"):
            f(-x - 1.0)
    finally:
        debugging.disable_check_numerics()
    assert np.isinf(before(x).numpy()).any() and np.isinf((1.0 / x).numpy()).any()
