"""Objects of foreign classes where tensors are taken: `__tf_tensor__`, registered conversions, and
objects that hold a Variable."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf


class Wrapped:
    """Stands for a Variable, as Keras' Variables do."""

    def __init__(self, value: Any) -> None:
        self.handle = tf.Variable(value)

    def __tf_tensor__(self, dtype: Any = None, name: str | None = None) -> Any:
        return tf.convert_to_tensor(self.handle, dtype)


def test_everywhere() -> None:
    w, x = Wrapped([1.0, 2.0]), tf.ones([2, 2])
    for y in (x * w, w * x if hasattr(w, "__mul__") else tf.multiply(w, x), tf.add(w, x) - 1.0):
        assert np.array_equal(y, [[1, 2], [1, 2]])
    assert np.array_equal(tf.stack([w, [3.0, 4.0]]), [[1, 2], [3, 4]])
    assert np.array_equal(tf.convert_to_tensor([w, w]), [[1, 2], [1, 2]])
    with pytest.raises(ValueError, match="requested dtype int32"):
        tf.convert_to_tensor(w, tf.int32)


def test_it_is_read_each_time() -> None:
    """Not once, while a function is traced."""
    w = Wrapped([1.0, 2.0])
    f = tf.function(lambda: tf.reduce_sum(tf.ones([2]) * w))
    assert float(f()) == 3.0
    w.handle.assign([10.0, 20.0])
    assert float(f()) == 30.0


def test_tapes() -> None:
    w = Wrapped([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.square(w))
    assert np.array_equal(tape.gradient(y, [w])[0], [2, 4])
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        y = tf.reduce_sum(tf.square(w))
    assert np.array_equal(tape.gradient(y, w), [2, 4])


def test_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    from tfc.core import conversion

    monkeypatch.setattr(conversion, "_registered", [])

    class Money:
        def __init__(self, cents: int) -> None:
            self.cents = cents

    def euros(value: Money, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        return NotImplemented if value.cents < 0 else tf.constant(value.cents / 100, dtype)

    def debts(value: Money, dtype: Any = None, name: Any = None, as_ref: bool = False) -> Any:
        return tf.constant(0.0, dtype)

    tf.register_tensor_conversion_function(Money, debts, priority=200)
    tf.register_tensor_conversion_function(Money, euros)
    assert float(tf.square(Money(150))) == 2.25 and float(tf.abs(Money(-5))) == 0.0
    with pytest.raises(TypeError, match="must be a type or a tuple"):
        tf.register_tensor_conversion_function("Money", euros)
    with pytest.raises(TypeError, match="must be callable"):
        tf.register_tensor_conversion_function(Money, 3)


def test_what_is_no_tensor() -> None:
    class Wrong:
        def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
            return [1, 2]

    with pytest.raises(RuntimeError, match=r"Wrong'> returned non-Tensor: \[1, 2\]"):
        tf.convert_to_tensor(Wrong())


def test_output_spec() -> None:
    """What a function gives, by tracing it alone; also inside of another trace."""
    from tfc.function.abstract import output_spec

    seen = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append(output_spec(lambda a: {"y": tf.matmul(a, x)}, tf.TensorSpec([None, 2])))
        return x + 1.0

    f(tf.ones([2, 5]))
    assert seen[0]["y"].shape.as_list() == [None, 5]


def test_columns_of_text() -> None:
    """Objects that give arrays of text: as the columns of tables do."""

    class Column:
        def __init__(self, *items: Any) -> None:
            self.items = items

        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            return np.array(self.items, object)

    column = Column("a", "bc")
    for made in (tf.constant(column), tf.convert_to_tensor(column, tf.string)):
        assert made.numpy().tolist() == [b"a", b"bc"]
    assert tf.strings.length(column).numpy().tolist() == [1, 2]
    rows = tf.data.Dataset.from_tensor_slices({"name": column, "size": [1, 2]})
    assert [r["name"].numpy() for r in rows] == [b"a", b"bc"]
    with pytest.raises(ValueError, match="mixed types"):
        tf.constant(Column("a", None))
