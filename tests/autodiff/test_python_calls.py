"""`py_function` and `numpy_function`: in every way of running, in control flow, in gradients."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.dispatch import sessions

pytestmark = pytest.mark.walks_heap

INVALID = tf.errors.InvalidArgumentError
PAIR = tf.TensorSpec([2])


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Any:
    """What runs have given is forgotten once nothing can ask for it."""
    yield
    assert not sessions.runs and not sessions.following


class Log(list):
    """Functions that note what they were called with."""

    def square(self, x: Any) -> Any:
        self.append(np.asarray(x).tolist())
        return x * x

    def note(self, *values: Any) -> None:
        self.append([np.asarray(v).tolist() for v in values])


def test_it_is_called_when_the_program_runs() -> None:
    log = Log()

    @tf.function
    def f(x: Any) -> Any:
        return tf.py_function(log.square, [x], PAIR) * 3.0

    x = tf.constant([1.0, 2.0])
    concrete = f.get_concrete_function(x)
    assert log == []
    for k in range(3):
        np.testing.assert_array_equal(concrete(x), [3, 12])
        assert log == [[1.0, 2.0]] * (k + 1)
    np.testing.assert_array_equal(tf.py_function(log.square, [x], tf.float32), [1, 4])


def test_calls_without_results_and_with_many() -> None:
    log = Log()

    @tf.function
    def f(x: Any) -> Any:
        assert tf.py_function(log.note, [x, x + 1.0], []) == []
        a, b = tf.py_function(
            lambda v: (v + 1.0, tf.cast(v, tf.int32)), [x], [PAIR, tf.TensorSpec([2], tf.int32)]
        )
        return a, b

    a, b = f(tf.constant([1.5, 2.5]))
    np.testing.assert_array_equal(a, [2.5, 3.5])
    np.testing.assert_array_equal(b, [1, 2])
    assert log == [[[1.5, 2.5], [2.5, 3.5]]]


def test_shapes_that_only_the_call_knows() -> None:
    @tf.function
    def f(x: Any) -> Any:
        y = tf.numpy_function(lambda a: a[a > 0], [x], tf.float32)
        y.set_shape([None])
        z = tf.ensure_shape(tf.py_function(lambda a: tf.stack([a, a]), [y], tf.float32), [2, None])
        return tf.reduce_sum(z), tf.shape(z), y

    for values in ([1.0, -2.0, 3.0], [-1.0, -1.0, -1.0], [1.0, 1.0, 2.0]):
        kept = [v for v in values if v > 0]
        total, shape, y = f(tf.constant(values))
        assert float(total) == 2 * sum(kept)
        np.testing.assert_array_equal(shape, [2, len(kept)])
        np.testing.assert_array_equal(y, np.float32(kept))
    untold = tf.function(lambda x: tf.py_function(tf.exp, [x], tf.float32) + 1.0)
    with pytest.raises(ValueError, match=r"nothing is known of the shape.*ensure_shape"):
        untold.get_concrete_function(tf.TensorSpec([2]))


def test_ranks_are_learnt_from_the_first_call() -> None:
    """It runs op by op; later ones are compiled, and check them."""
    log: list[str] = []
    v = tf.Variable(0.0)

    @tf.function
    def f(x: Any, more: Any = None) -> Any:
        log.append("traced" if not tf.executing_eagerly() else "run")
        v.assign_add(1.0)
        y = tf.py_function(
            lambda a: a * 2.0,
            [x],
            tf.float32,
        )
        for _ in tf.range(2):
            if tf.reduce_sum(x) > 0.0:
                y = y + tf.numpy_function(np.abs, [y], tf.float32)
        return {"y": y, "n": 3, "none": None}

    found = [f(tf.constant([1.0, -0.5])), f(tf.constant([1.0, -0.5]))]
    assert log == ["traced", "run", "traced"] and float(v) == 2.0
    for result in found:
        np.testing.assert_array_equal(result["y"], [8.0, 0.0])
        assert result["n"].numpy() == 3 and result["none"] is None
    f(tf.constant([1.0, 2.0, 3.0])), f(tf.constant([1.0] * 4))
    assert log[3:] == ["traced"]
    assert f(tf.constant([[1.0]]))["y"].shape == (1, 1)  # of another rank: learnt anew
    assert f(tf.constant([[1.0]]))["y"].shape == (1, 1) and log[4:] == ["traced", "run", "traced"]


def test_ranks_that_were_learnt_are_checked() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return 1.0 * tf.py_function(
            lambda a: a if float(a[0]) < 2.0 else tf.reduce_sum(a), [x], tf.float32
        )

    for values in ([1.0, 2.0], [1.0, 3.0]):
        np.testing.assert_array_equal(f(tf.constant(values)), values)
    with pytest.raises(tf.errors.InvalidArgumentError, match="taken to have rank 1"):
        f(tf.constant([2.0, 2.0]))


def test_gradients_where_ranks_are_learnt() -> None:
    x = tf.Variable([1.0, 2.0])
    f = tf.function(lambda: tf.reduce_sum(tf.py_function(tf.square, [x], tf.float32)))
    outer = tf.function(lambda: f() * 2.0)
    for call, factor in ((f, 2.0), (f, 2.0), (outer, 4.0)):
        with tf.GradientTape() as tape:
            y = call()
        np.testing.assert_array_equal(tape.gradient(y, x), factor * x)


def test_what_is_wrong_beside_unknown_ranks() -> None:
    wrong = tf.function(lambda x: tf.py_function(tf.exp, [x], tf.float32) + "text")
    for _ in range(2):
        with pytest.raises((tf.errors.InvalidArgumentError, TypeError), match="add"):
            wrong(tf.zeros([2]))


def test_in_branches_and_loops() -> None:
    log = Log()

    @tf.function
    def f(x: Any, n: Any) -> Any:
        for i in tf.range(n):
            x = tf.py_function(log.square, [x], PAIR)
            if i > 0:
                tf.py_function(log.note, [i], [])
            else:
                tf.py_function(lambda: log.append("first"), [], [])
        while tf.reduce_sum(x) > 10.0:
            tf.py_function(lambda: log.append("while"), [], [])
            x = x / 4.0
        return x

    np.testing.assert_array_equal(f(tf.constant([1.0, 2.0]), tf.constant(2)), [0.25, 4])
    assert log == [[1.0, 2.0], "first", [1.0, 4.0], [1], "while"]


def differentiated(f: Any) -> list[Any]:
    """The gradient from outside of a function, from inside, and without one."""
    return [tf.grad(tf.function(f)), tf.function(tf.grad(f)), tf.grad(f)]


@pytest.mark.parametrize("way", range(3))
def test_gradients(way: int) -> None:
    log = Log()

    def f(x: Any) -> Any:
        y = tf.py_function(log.square, [x], PAIR)
        return tf.reduce_sum(tf.py_function(lambda a, b: a * b, [x, y], PAIR))

    x = tf.constant([1.0, -3.0])
    np.testing.assert_allclose(differentiated(f)[way](x), 3 * x * x)
    assert len(log) == 1  # gradients take what was computed

    def slope(x: Any) -> Any:
        return tf.reduce_sum(tf.grad(f)(x))

    np.testing.assert_allclose(differentiated(slope)[way](x), 6 * x)
    np.testing.assert_allclose(
        tf.grad(lambda x: tf.reduce_sum(tf.grad(slope)(x)))(x), np.full(2, 6.0)
    )


@pytest.mark.parametrize("way", range(3))
def test_gradients_through_control_flow(way: int) -> None:
    log = Log()

    def f(x: Any) -> Any:
        for i in tf.range(2):
            if i < 1:
                x = tf.py_function(log.square, [x], PAIR)
            else:
                x = x * tf.py_function(log.square, [x], PAIR)
        k = tf.constant(0)
        while k < 2:
            x = tf.py_function(log.square, [x], PAIR) * 0.5
            k += 1
        return tf.reduce_sum(x)

    if way:  # what calls it is not converted
        f = tf.autograph.to_graph(f)
    x = tf.constant([1.0, -1.5])  # ((x^6)^2 / 2)^2 / 2 = x^24 / 8
    np.testing.assert_allclose(differentiated(f)[way](x), 3 * np.asarray(x) ** 23, rtol=1e-5)
    assert len(log) == 4


def test_gradients_without_and_with_several_results() -> None:
    x = tf.constant([1.0, 2.0])
    blind = tf.function(lambda x: tf.reduce_sum(tf.numpy_function(np.square, [x], PAIR) + 2.0 * x))
    np.testing.assert_array_equal(tf.grad(blind)(x), [2, 2])

    @tf.function
    def f(x: Any, k: Any) -> Any:
        a, b = tf.py_function(lambda x, k: (x * x, x + tf.cast(k, tf.float32)), [x, k], [PAIR] * 2)
        return tf.reduce_sum(a * b)

    np.testing.assert_allclose(tf.grad(f)(x, tf.constant(3)), 3 * x * x + 6 * x)


def test_a_custom_gradient_around_a_call() -> None:
    log = Log()

    @tf.custom_gradient
    def twice(x: Any) -> Any:
        y = tf.py_function(log.square, [x], PAIR)

        def grad(dy: Any) -> Any:
            tf.py_function(lambda: log.append("back"), [], [])
            return dy * y

        return y * 2.0, grad

    @tf.function
    def f(x: Any) -> Any:
        return tf.reduce_sum(twice(x) + twice(x + 1.0))

    x = tf.constant([1.0, 2.0])
    for g in (tf.grad(f), tf.function(tf.grad(f)), tf.grad(f.python_function)):
        log.clear()
        np.testing.assert_array_equal(g(x), [1 + 4, 4 + 9])
        assert log == [[1.0, 2.0], [2.0, 3.0], "back", "back"]


def test_what_is_raised_there_comes_out() -> None:
    class Strange(BaseException):
        pass

    def fail(x: Any) -> Any:
        raise kind("so it is")

    v = tf.Variable(1.0)

    @tf.function
    def f(x: Any) -> Any:
        v.assign_add(1.0)
        for _ in tf.range(3):
            if x > 0.0:
                tf.py_function(fail, [x], [])
        return x

    for kind in (ValueError, KeyError, ZeroDivisionError, Strange, tf.errors.NotFoundError):
        with pytest.raises(kind, match="so it is") as caught:
            f(tf.constant(1.0))
        assert any(__file__ in note for note in caught.value.__notes__)
        assert "fail" in [entry.name for entry in caught.traceback]
        assert float(v) == 1.0
    f(tf.constant(-1.0))
    assert float(v) == 2.0
    with pytest.raises(Strange):
        tf.py_function(fail, [1.0], []) if (kind := Strange) else None  # eagerly too


def test_what_is_raised_in_gradients() -> None:
    @tf.custom_gradient
    def bad(x: Any) -> Any:
        def grad(dy: Any) -> Any:
            raise LookupError("no gradient today")

        return x * 1.0, grad

    f = tf.function(lambda x: tf.py_function(bad, [x], tf.TensorSpec([])))
    for g in (tf.grad(f), tf.function(tf.grad(f))):
        with pytest.raises(LookupError, match="today"):
            g(tf.constant(1.0))


@pytest.mark.parametrize(
    ("function", "tout", "text"),
    [
        (lambda x: (x, x), tf.float32, "returns 2 values, but expects to see 1 values."),
        (lambda x: None, tf.float32, "returns 0 values, but expects to see 1 values."),
        (lambda x: x, [tf.float32] * 2, "returns 1 values, but expects to see 2 values."),
        (lambda x: x.astype(np.float64), tf.float32, "is float64, but expects float32"),
        (lambda x: x[0], PAIR, r"shape (\[\]|\(\))"),
        (lambda x: object(), tf.float32, "returned|no float32|object"),
    ],
)
def test_results_that_are_not_as_was_said(function: Any, tout: Any, text: str) -> None:
    def specified(x: Any) -> Any:
        return None if x is None else tf.TensorSpec([2]) if x is tf.float32 else x

    spec = [specified(t) for t in tout] if isinstance(tout, list) else specified(tout)
    x = tf.constant([1.0, 2.0])
    for call in (
        lambda: tf.numpy_function(function, [x], tout),
        lambda: tf.function(lambda x: tf.numpy_function(function, [x], spec))(x),
    ):
        with pytest.raises(INVALID, match=text) as caught:
            call()
        assert __file__ in str(caught.value)


def test_arguments_that_are_wrong() -> None:
    for call, text in (
        (lambda: tf.py_function(3, [1.0], tf.float32), "func to be callable"),
        (lambda: tf.py_function(tf.exp, tf.zeros([2]), tf.float32), "inp must be a list"),
    ):
        with pytest.raises(TypeError, match=text) as caught:
            call()
        assert __file__ in str(caught.value)


def test_decorators_and_kept_arrays() -> None:
    kept = []

    @tf.numpy_function(Tout=PAIR)
    def keep(x: Any) -> Any:
        kept.append(x)
        return x

    @tf.py_function(Tout=PAIR)
    def double(x: Any) -> Any:
        return x * 2.0

    f = tf.function(lambda x: keep(double(x + 1.0)))
    np.testing.assert_array_equal(f(tf.constant([0.0, 1.0])), [2, 4])
    np.testing.assert_array_equal(f(tf.constant([2.0, 3.0])), [6, 8])
    np.testing.assert_array_equal(kept, [[2, 4], [6, 8]])  # memory of their own
    assert kept[0].flags.writeable


def test_programs_inside_of_calls() -> None:
    """What a called function does stays apart: other compiled calls, tapes, traces."""
    inner = tf.function(lambda x: tf.py_function(lambda v: v + 1.0, [x], PAIR) * 2.0)

    def call(x: Any) -> Any:
        assert tf.executing_eagerly()
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        np.testing.assert_array_equal(tape.gradient(y, x), [2, 2])
        return inner(x)

    f = tf.function(lambda x: tf.reduce_sum(tf.py_function(call, [x], PAIR) ** 2))
    x = tf.constant([1.0, 2.0])
    assert float(f(x)) == 16 + 36
    np.testing.assert_array_equal(tf.grad(f)(x), [16, 24])


def test_many_threads() -> None:
    f = tf.function(
        lambda x: tf.reduce_sum(tf.py_function(lambda v: v * v, [x], tf.TensorSpec([None])))
    )
    f(tf.zeros([3]))
    wrong: list[Any] = []

    def work(k: int) -> None:
        for i in range(20):
            x = tf.constant(np.arange(3) + k + i, tf.float32)
            if not np.array_equal(tf.grad(f)(x), 2 * np.asarray(x)):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_functions_are_forgotten_with_what_calls_them() -> None:
    import gc
    import weakref

    class Model:
        def __init__(self) -> None:
            self.big = np.zeros(1000)
            self.run = tf.function(lambda x: tf.py_function(self.step, [x], tf.TensorSpec([])))

        def step(self, x: Any) -> Any:
            return x + 1.0

    models = []
    for _ in range(3):
        model = Model()
        model.run(tf.constant(1.0))
        models.append(weakref.ref(model))
    del model
    gc.collect()
    # The last programs, and texts of calls, are kept in bounded caches.
    from tfc.backends import host_calls
    from tfc.dispatch import execution

    execution._recent.clear()
    host_calls._plan.cache_clear()
    host_calls._parsed.cache_clear()
    gc.collect()
    assert [m() for m in models] == [None] * 3


# Gradients flow to `inp` alone, eagerly as in programs, as in TensorFlow.


def test_what_a_call_finds_around_it_has_no_gradient() -> None:
    v, c = tf.Variable(3.0), tf.constant(5.0)

    def gradients(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, c])
            y = tf.py_function(lambda x: x * x * v * c, [x], tf.TensorSpec([]))
        return [g is not None and g for g in tape.gradient(y, [x, v, c])]

    x = tf.constant(2.0)
    assert gradients(x) == [60.0, False, False]
    assert tf.function(gradients)(x) == [60.0, False, False]


def test_gradients_of_gradients_of_a_call_by_tapes() -> None:
    """With several arguments and results, some of them integers; the function is called once."""
    called = []

    def f(x: Any, n: Any, y: Any) -> Any:
        called.append(n)
        return x * x * x * y, n + 1, tf.sin(y) * x

    def derivatives(x: Any, y: Any) -> Any:
        with tf.GradientTape(persistent=True) as outer:
            outer.watch([x, y])
            with tf.GradientTape() as inner:
                inner.watch([x, y])
                a, _, b = tf.py_function(
                    f,
                    [x, 4, y],
                    [tf.TensorSpec([]), tf.TensorSpec([], tf.int32), tf.TensorSpec([])],
                )
                z = a * a + b
            dx, dy = inner.gradient(z, [x, y])
        return [dx, dy, *outer.gradient(dx, [x, y]), *outer.gradient(dy, [x, y])]

    x, y = tf.constant(1.5), tf.constant(0.5)
    xs, ys = np.float64(1.5), np.float64(0.5)
    wanted = [
        6 * xs**5 * ys**2 + np.sin(ys),
        2 * xs**6 * ys + np.cos(ys) * xs,
        30 * xs**4 * ys**2,
        12 * xs**5 * ys + np.cos(ys),
        12 * xs**5 * ys + np.cos(ys),
        2 * xs**6 - np.sin(ys) * xs,
    ]
    for run in (derivatives, tf.function(derivatives)):
        assert np.allclose(run(x, y), wanted, rtol=1e-6)
    assert len(called) == 2
    with tf.GradientTape() as tape:  # which watches nothing that is given
        tape.watch(y)
        a = tf.py_function(lambda x: x * y, [x], tf.float32)
    assert tape.gradient(a, y) is None


def test_strings_that_python_made() -> None:
    """They are tensors of strings for all ops: shapes that they are given are theirs."""
    made = tf.py_function(lambda n: b"ab" * int(n), [tf.constant(2)], tf.string)
    assert tf.reshape(made, [1]).numpy().tolist() == [b"abab"]
    assert tf.strings.length(made[tf.newaxis]).numpy().tolist() == [4]


def test_dtypes_of_numpy_say_no_shape() -> None:
    """They have attributes of that name: `np.dtype("float32").shape` is ()."""
    for dtype in (np.float32, np.dtype("float32"), "float32"):

        def outer(x: Any, dtype: Any = dtype) -> Any:
            return tf.numpy_function(lambda v: np.outer(v, v), [x], dtype)

        for run in (outer, tf.function(outer)):
            assert run(tf.constant([1.0, 2.0])).numpy().tolist() == [[1, 2], [2, 4]]
