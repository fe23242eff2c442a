"""Variables: assignment, their errors, Python's operators, and life inside functions and tapes."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf


def both(f: Callable[..., Any]) -> list[Callable[..., Any]]:
    """`f` eagerly and compiled."""
    return [f, tf.function(f)]


def test_making() -> None:
    v = tf.Variable([1.0, 2.0], name="weights")
    assert (v.shape, v.dtype, v.ndim, v.name) == ((2,), tf.float32, 1, "weights:0")
    assert v.trainable and v.get_shape() == v.shape
    assert tf.Variable(1).dtype is tf.int32
    assert tf.Variable(1, dtype=tf.float64).dtype is tf.float64
    assert tf.Variable(lambda: tf.ones([2, 3])).shape == (2, 3)
    assert tf.Variable(tf.constant(1.0)).numpy() == 1
    assert tf.Variable(tf.Variable(2.0)).numpy() == 2
    assert not tf.Variable(1.0, trainable=False).trainable
    assert tf.Variable(1.0).name == "Variable:0"
    assert tf.Variable([[1.0]], shape=[None, 1]).shape == (None, 1)


def test_making_refuses() -> None:
    with pytest.raises(ValueError, match="must be specified"):
        tf.Variable()
    with pytest.raises(TypeError, match="dtype string"):
        tf.Variable(1.0, dtype=tf.string)
    with pytest.raises(ValueError, match="requested dtype float64"):
        tf.Variable(tf.constant(1.0), dtype=tf.float64)
    with pytest.raises(
        ValueError, match=r"shape \(\(2,\)\) is not compatible.*test_variable\.py:\d+"
    ):
        tf.Variable([1.0, 2.0], shape=[3])
    with pytest.raises(ValueError, match=r"cannot start from a traced tensor .*test_variable\.py"):
        tf.function(lambda x: tf.Variable(x) + 1.0).get_concrete_function(tf.TensorSpec([]))


def test_text() -> None:
    assert repr(tf.Variable(10)) == "<tf.Variable 'Variable:0' shape=() dtype=int32, numpy=10>"
    assert str(tf.Variable([1.0], name="w")) == (
        "<tf.Variable 'w:0' shape=(1,) dtype=float32, numpy=array([1.], dtype=float32)>"
    )
    shown = []
    v = tf.Variable(1.5)

    @tf.function
    def f() -> Any:
        v.assign_add(1.0)
        shown.append(repr(v))
        return v + 1.0

    f()
    assert shown == ["<tf.Variable 'Variable:0' shape=() dtype=float32>"]


def test_assign_family() -> None:
    v = tf.Variable(10.0)
    assert v.assign(5) is v and v.numpy() == 5
    assert v.assign_add(5.0) is v and v.numpy() == 10
    assert v.assign_sub(np.float64(3)) is v and v.numpy() == 7
    assert v.assign_add(1.0).assign_sub(2.0).numpy() == 6
    assert v.assign(tf.constant(1.5)).numpy() == 1.5
    assert v.assign(v + v).numpy() == 3
    assert v.assign_add(v).numpy() == 6
    w = tf.Variable([1, 2, 3])
    w.assign([4, 5, 6])
    w.assign_add(np.array([1, 1, 1]))
    w.assign_sub([1, 2, 3])
    assert w.numpy().tolist() == [4, 4, 4]
    assert w.dtype is tf.int32
    w.assign_add(1)
    assert w.numpy().tolist() == [5, 5, 5]
    assert v.assign(9.0, read_value=False) is not None and v.numpy() == 9


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (
            [1.0, 2.0, 3.0],
            ValueError,
            r"'w:0': Shape mismatch\. The variable shape \(2,\), and the assigned value "
            r"shape \(3,\)",
        ),
        (1.0, ValueError, r"the assigned value shape \(\)"),
        ([[1.0, 2.0]], ValueError, r"the assigned value shape \(1, 2\)"),
        (tf.constant([1, 2]), ValueError, "requested dtype float32 for Tensor with dtype int32"),
        ([1j, 0j], TypeError, "EagerTensor of dtype float32"),
        ("ab", TypeError, "Cannot convert 'ab' to"),
        (None, ValueError, "unsupported type"),
    ],
)
def test_assign_refuses(value: Any, error: type, text: str) -> None:
    v = tf.Variable([7.0, 8.0], name="w")
    for f in both(lambda: v.assign(value)):
        with pytest.raises(error, match=text) as caught:
            f()
        assert "test_variable.py:" in str(caught.value)
        assert "'w:0'" in str(caught.value)
    assert v.numpy().tolist() == [7, 8]


def test_add_that_would_broadcast_the_variable_is_refused() -> None:
    v = tf.Variable([1.0, 2.0])
    for f in both(lambda: v.assign_add(tf.ones([3, 2]))):
        with pytest.raises(ValueError, match="Shape mismatch"):
            f()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[2\] vs\. \[3\]"):
        v.assign_sub([1.0, 2.0, 3.0])
    assert v.numpy().tolist() == [1, 2]


def test_augmented_operators_are_refused() -> None:
    """`v += 1` would give the name `v` to a tensor: TensorFlow refuses, and so do we."""
    v = tf.Variable(10.0)
    for statement in ("v += 5", "v -= 5", "v *= 5", "v /= 5", "v //= 5", "v **= 2", "v %= 5"):
        with pytest.raises(RuntimeError, match=r"assign_add\(value\).*new Tensor"):
            exec(statement, {"v": v})
    assert v.numpy() == 10
    x = tf.constant(10)
    x += 5
    assert int(x) == 15


def test_a_tensor_read_before_an_assignment_keeps_its_value() -> None:
    v = tf.Variable([1.0, 2.0])
    before, view = v.value(), np.asarray(v)
    same = v.read_value()
    v.assign([3.0, 4.0])
    v.assign_add([1.0, 1.0])
    assert before.numpy().tolist() == [1, 2] == same.numpy().tolist() == view.tolist()
    assert v.numpy().tolist() == [4, 5]
    assert tf.identity(v).numpy().tolist() == [4, 5]


def test_as_a_tensor() -> None:
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    assert (v @ v).numpy().tolist() == [[7, 10], [15, 22]]
    assert v[1, 0].numpy() == 3
    assert v[0].dtype is tf.float32
    assert len(v) == 2
    assert [r.numpy().tolist() for r in v] == [[1, 2], [3, 4]]
    assert tf.reduce_sum(v).numpy() == 10
    assert (v > 2.0).numpy().tolist() == [[False, False], [True, True]]
    assert np.sum(v) == 10
    assert np.from_dlpack(v).tolist() == [[1, 2], [3, 4]]
    assert tf.convert_to_tensor(v).numpy().tolist() == v.numpy().tolist()
    assert tf.concat([v, v], 0).shape == (4, 2)
    assert tf.stack([v, v]).shape == (2, 2, 2)
    assert tf.cast(v, tf.int32).numpy().tolist() == [[1, 2], [3, 4]]
    n = tf.Variable(3)
    assert [*range(5)][n] == 3
    assert (int(n), float(n), bool(n), f"{n:03}") == (3, 3.0, True, "003")
    assert tf.zeros([n]).shape == (3,)


def test_copies() -> None:
    v = tf.Variable([1.0, 2.0], name="w", trainable=False)
    for other in (copy.deepcopy(v), copy.copy(v), pickle.loads(pickle.dumps(v))):
        assert (other.name, other.trainable, other.dtype) == ("w:0", False, tf.float32)
        other.assign([5.0, 6.0])
        assert v.numpy().tolist() == [1, 2]
        assert other.numpy().tolist() == [5, 6]


# In functions.


def test_read_and_assigned_in_a_function() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def f(x: Any) -> Any:
        a = v * 1.0
        v.assign_add(x)
        b = v * 1.0
        v.assign(v * 10.0)
        return a, b, v.value(), v.read_value()

    assert [float(r) for r in f(tf.constant(2.0))] == [1, 3, 30, 30]
    assert v.numpy() == 30
    assert [float(r) for r in f(tf.constant(1.0))] == [30, 31, 310, 310]
    assert v.numpy() == 310


def test_a_function_that_only_assigns() -> None:
    v, w = tf.Variable([1.0, 2.0]), tf.Variable([0.0, 0.0])

    @tf.function
    def swap() -> None:
        old = v.value()
        v.assign(w)
        w.assign(old)

    assert swap() is None
    assert (v.numpy().tolist(), w.numpy().tolist()) == ([0, 0], [1, 2])
    swap()
    assert (v.numpy().tolist(), w.numpy().tolist()) == ([1, 2], [0, 0])


def test_assigned_eagerly_between_calls() -> None:
    v = tf.Variable(1.0)
    f = tf.function(lambda: v * 2.0)
    seen = []
    for i in range(3):
        v.assign(float(i))
        seen.append(float(f()))
    assert seen == [0, 2, 4]
    assert f.experimental_get_tracing_count() == 1


def test_as_an_argument() -> None:
    v, w = tf.Variable(2.0), tf.Variable(5.0)

    @tf.function
    def f(variable: Any, x: Any) -> Any:
        variable.assign_add(x)
        return variable * 10.0

    one = tf.constant(1.0)
    assert float(f(v, one)) == 30
    assert float(f(w, one)) == 60
    assert float(f(v, one)) == 40
    assert (v.numpy(), w.numpy()) == (4, 6)


def test_made_on_the_first_call() -> None:
    class Layer:
        def __init__(self) -> None:
            self.w: Any = None

        @tf.function
        def __call__(self, x: Any) -> Any:
            if self.w is None:
                self.w = tf.Variable(2.0)
            return x * self.w

    layer = Layer()
    assert float(layer(tf.constant(3.0))) == 6
    layer.w.assign(4.0)
    assert float(layer(tf.constant(3.0))) == 12


def test_assignment_in_a_failing_function_changes_nothing() -> None:
    v = tf.Variable([1.0])

    @tf.function
    def f(i: Any) -> Any:
        v.assign_add([1.0])
        return tf.gather(v, i)

    with pytest.raises(tf.errors.InvalidArgumentError, match="index 5"):
        f(tf.constant([5]))
    assert v.numpy().tolist() == [1]
    assert f(tf.constant([0])).numpy().tolist() == [2]
    assert v.numpy().tolist() == [2]


def test_nested_functions_share_it() -> None:
    v = tf.Variable(1.0)

    @tf.function
    def inner(x: Any) -> Any:
        v.assign_add(x)
        return v * 1.0

    @tf.function
    def outer(x: Any) -> Any:
        a = inner(x)
        v.assign(v * 2.0)
        return a + inner(x)

    assert float(outer(tf.constant(1.0))) == 2 + 5
    assert v.numpy() == 5


# On tapes.


def test_assign_inside_a_tape() -> None:
    for compiled in (False, True):
        v = tf.Variable(3.0)

        def f(v: Any = v) -> Any:
            with tf.GradientTape() as tape:
                y = v * v
                v.assign(5.0)
                z = y + v * 10.0
            return tape.gradient(z, v)

        # By y 2 * 3, by the second read 10.
        assert float((tf.function(f) if compiled else f)()) == 16
        assert v.numpy() == 5


def test_gradient_through_an_assignment() -> None:
    """As in TensorFlow, an assigned value is a new start: nothing flows back to what made it."""
    x = tf.constant(2.0)
    for wrap in (lambda f: f, tf.function):
        v = tf.Variable(3.0)

        @wrap
        def f(x: Any, v: Any = v) -> Any:
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(x)
                v.assign(x * 4.0)
                y = v * v
            return tape.gradient(y, v), tape.gradient(y, x)

        by_v, by_x = f(x)
        assert (float(by_v), by_x, v.numpy()) == (16, None, 8)


def test_assign_in_a_function_inside_a_tape() -> None:
    """All reads count, before and after the assignment, as they do eagerly."""
    for wrap in (lambda f: f, tf.function):
        v = tf.Variable(3.0)

        @wrap
        def f(v: Any = v) -> Any:
            y = v * v
            v.assign(5.0)
            return y + v * 10.0

        with tf.GradientTape() as tape:
            z = f()
        assert (float(z), v.numpy()) == (59, 5)
        assert float(tape.gradient(z, v)) == 16


def test_classes_of_ones_own_say_what_is_trainable() -> None:
    """Libraries change `_trainable`, or have a property of their own over it."""

    class Shown(tf.Variable):
        trainable = property(lambda self: self._trainable)

    v = Shown(1.0, trainable=False)
    assert v.trainable is False
    v._trainable = True
    assert v.trainable is True
    plain = tf.Variable(1.0)
    plain._trainable = False
    assert plain.trainable is False


def test_only_trainable_ones_are_watched() -> None:
    a, b, i = tf.Variable(1.0), tf.Variable(2.0, trainable=False), tf.Variable(3)
    with tf.GradientTape(persistent=True) as tape:
        y = a * b * tf.cast(i, tf.float32)
    assert float(tape.gradient(y, a)) == 6
    assert tape.gradient(y, b) is None
    assert tape.gradient(y, i) is None
    assert [v is a for v in tape.watched_variables()][:1] == [True]
    assert not any(v is b for v in tape.watched_variables())
    with tf.GradientTape() as tape:
        tape.watch(b)
        y = a * b
    assert float(tape.gradient(y, b)) == 1


def test_training() -> None:
    """A line is found by gradient descent, eagerly and compiled, with the same bits."""
    xs = np.linspace(-1, 1, 32, dtype=np.float32)
    ys = (2 * xs - 0.5).astype(np.float32)
    found = []
    for wrap in (lambda f: f, tf.function):
        w, b = tf.Variable(0.0), tf.Variable(0.0)

        @wrap
        def step(x: Any, y: Any, w: Any = w, b: Any = b) -> Any:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(x * w + b - y))
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.5 * dw)
            b.assign_sub(0.5 * db)
            return loss

        losses = [step(tf.constant(xs), tf.constant(ys)).numpy() for _ in range(40)]
        assert losses[-1] < 1e-6 < losses[0]
        found.append((w.numpy(), b.numpy(), losses))
    assert found[0] == found[1]
