"""Extension types: fields, functions, structures, and what public functions do with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Optional

import pytest

import tfc as tf

E = tf.experimental


class Masked(E.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor

    def filled(self, default: Any) -> Any:
        return tf.where(self.mask, self.values, default)


class Labelled(E.ExtensionType):
    name: str
    inner: Masked
    rows: tf.RaggedTensor
    weights: tuple[tf.Tensor, ...] = ()
    extra: Mapping[str, tf.Tensor] = {}
    scale: Optional[float] = None  # noqa: UP045


class Positive(E.ExtensionType):
    x: tf.TensorSpec([None], tf.float32)  # type: ignore[valid-type]

    def __init__(self, x: Any) -> None:
        self.x = [x]

    def __validate__(self) -> None:
        if float(self.x[0]) <= 0:
            raise ValueError("not positive")


X = Masked([1, 2, 3], [True, False, True])
RAGGED = tf.ragged.constant([[1], [2, 3]])
WHOLE = Labelled("a", X, RAGGED, (tf.ones([2]), 3), {"k": 4.0}, 0.5)


def test_fields() -> None:
    assert X.values.dtype == "int32" and repr(Masked(1, True)) == (
        "Masked(values=<tf.Tensor: shape=(), dtype=int32, numpy=1>, "
        "mask=<tf.Tensor: shape=(), dtype=bool, numpy=True>)"
    )
    assert isinstance(WHOLE.weights[1], tf.Tensor) and WHOLE.extra["k"].numpy() == 4
    assert bool(X == Masked([1, 2, 3], [True, False, True])) and not bool(X == Masked([1], [True]))
    assert (X == 3) is False and bool(X != Masked([1, 2, 4], [True, False, True]))
    for change in (lambda: setattr(X, "values", 1), lambda: delattr(X, "mask")):
        with pytest.raises(AttributeError, match=r"immutable|mutate|delete"):
            change()
    assert Positive(2.0).x.shape == (1,)
    for wrong, text in (
        (lambda: Masked([1]), "missing a required argument"),
        (lambda: Positive(-1.0), "not positive"),
        (lambda: Positive([1.0]), "expected TensorSpec"),
        (lambda: Labelled(1, X, RAGGED), "name: expected 'str', got 'int'"),
        (lambda: Labelled("a", 1, RAGGED), "inner: expected 'Masked', got 'int'"),
        (lambda: Labelled("a", X, RAGGED, scale="1"), "scale: expected"),
        (lambda: Masked("a", X), "expected a Tensor"),
    ):
        with pytest.raises((TypeError, ValueError), match=text):
            wrong()
    with pytest.raises(TypeError, match="unhashable"):
        hash(X)


def test_specs() -> None:
    spec = tf.type_spec_from_value(X)
    assert repr(spec) == (
        "Masked.Spec(values=TensorSpec(shape=(3,), dtype=tf.int32, name=None), "
        "mask=TensorSpec(shape=(3,), dtype=tf.bool, name=None))"
    )
    assert spec.is_compatible_with(X) and not spec.is_compatible_with(Masked(1, True))
    wide = spec.most_specific_compatible_type(tf.type_spec_from_value(Masked([1], [True])))
    assert wide.values.shape == (None,) and wide.is_compatible_with(X) and wide != spec
    given = Masked.Spec(tf.TensorSpec([None], tf.int32), tf.TensorSpec([None], tf.bool))
    assert given == wide and isinstance(given, E.ExtensionTypeSpec)
    f = tf.function(lambda m: m.filled(0), input_signature=[given])
    assert f(X).numpy().tolist() == [1, 0, 3]
    with pytest.raises(TypeError, match="does not fit"):
        f(Masked([1.5], [True]))
    concrete = tf.function(lambda m: m.filled(7)).get_concrete_function(given)
    assert concrete(X).numpy().tolist() == [1, 7, 3]


def test_functions_and_structures() -> None:
    traces = []

    @tf.function
    def f(x: Any) -> Any:
        traces.append(x.name)
        return Labelled(x.name, Masked(x.inner.values * 2, x.inner.mask), x.rows + 1, x.weights)

    y = f(WHOLE)
    assert y.name == "a" and y.inner.values.numpy().tolist() == [2, 4, 6]
    assert y.rows.to_list() == [[2], [3, 4]] and len(y.weights) == 2
    f(WHOLE)
    f(Labelled("b", X, RAGGED, WHOLE.weights, {"k": 4.0}, 0.5))  # the name is static
    assert traces == ["a", "b"]
    flat = tf.nest.flatten(WHOLE, expand_composites=True)
    assert len(flat) == 7 and len(tf.nest.flatten(WHOLE)) == 1
    again = tf.nest.pack_sequence_as(WHOLE, flat, expand_composites=True)
    assert again.extra["k"].numpy() == 4 and again.scale == 0.5 and again.rows.shape == (2, None)
    loop = tf.function(
        lambda m: tf.while_loop(
            lambda i, m: i < 3, lambda i, m: (i + 1, Masked(m.values + 1, ~m.mask)), [0, m]
        )[1]
    )
    assert loop(X).values.numpy().tolist() == [4, 5, 6]
    either = tf.function(lambda c, m: tf.cond(c, lambda: m, lambda: Masked(-m.values, m.mask)))
    assert either(tf.constant(False), X).values.numpy().tolist() == [-1, -2, -3]


def test_batches() -> None:
    class Vehicle(E.BatchableExtensionType):
        top_speed: tf.Tensor
        mpg: tf.Tensor

    batch = Vehicle([120, 150, 80], [30, 40, 12])
    for run in (lambda f: f, tf.function):
        product = run(lambda b: tf.map_fn(lambda v: v.top_speed * v.mpg, b))(batch)
        assert product.numpy().tolist() == [3600, 6000, 960]
        halved = run(lambda b: tf.map_fn(lambda v: Vehicle(v.mpg, v.top_speed // 2), b))(batch)
        assert isinstance(halved, Vehicle) and halved.mpg.numpy().tolist() == [60, 75, 40]


def test_dispatch() -> None:
    @E.dispatch_for_api(tf.concat, {"values": list[Masked]})
    def concat(values: Any, axis: Any) -> Any:
        return Masked(
            tf.concat([v.values for v in values], axis), tf.concat([v.mask for v in values], axis)
        )

    @E.dispatch_for_unary_elementwise_apis(Masked)
    def unary(api: Any, x: Any) -> Any:
        return Masked(api(x.values), x.mask)

    @E.dispatch_for_binary_elementwise_apis(Masked, Masked | tf.Tensor)
    def binary(api: Any, x: Any, y: Any) -> Any:
        return Masked(api(x.values, getattr(y, "values", y)), x.mask)

    @E.dispatch_for_binary_elementwise_assert_apis(Masked, Masked)
    def checked(api: Any, x: Any, y: Any) -> Any:
        return api(x.filled(0), y.filled(0))

    try:
        assert tf.concat([X, X], axis=0, name="n").values.shape == (6,)
        assert tf.concat([[1], [2]], 0).numpy().tolist() == [1, 2]
        assert tf.negative(X).values.numpy().tolist() == [-1, -2, -3]
        assert tf.cast(X, dtype=tf.float32).values.dtype == tf.float32
        assert tf.math.subtract(X, X).values.numpy().tolist() == [0, 0, 0]
        assert tf.maximum(X, tf.constant(2)).values.numpy().tolist() == [2, 2, 3]
        assert tf.function(lambda m: tf.square(m))(X).values.numpy().tolist() == [1, 4, 9]
        tf.debugging.assert_equal(X, Masked([1, 9, 3], [True, False, True]))
        with pytest.raises(tf.errors.InvalidArgumentError, match="x < y"):
            tf.debugging.assert_less(X, X)
    finally:
        for handler in (concat, unary, binary, checked):
            E.unregister_dispatch_for(handler)
    for refused in (lambda: tf.negative(X), lambda: tf.concat([X, X], 0)):
        with pytest.raises(ValueError, match="unsupported type"):
            refused()
    with pytest.raises(ValueError, match="was not registered"):
        E.unregister_dispatch_for(unary)
    with pytest.raises(ValueError, match="unknown parameter 'z'"):
        E.dispatch_for_api(tf.abs, {"z": Masked})(lambda x: x)
    with pytest.raises(ValueError, match="does not support dispatch"):
        E.dispatch_for_api(len, {"x": Masked})(lambda x: x)


def test_annotations_may_name_what_a_function_knows() -> None:
    local = tf.Tensor

    class Pair(tf.experimental.ExtensionType):
        a: local
        b: tuple[local, ...] = ()

    class Triple(Pair):
        c: int = 3

    triple = Triple(tf.constant(1), (tf.constant(2),))
    assert int(triple.a) + int(triple.b[0]) + triple.c == 6
    with pytest.raises(TypeError):
        Pair(object(), ())


def test_fields_named_as_what_specs_have() -> None:
    class Cargo(E.ExtensionType):
        name: tf.Tensor
        shape: tf.TensorShape

    spec = tf.type_spec_from_value(Cargo("salt", [2, 3]))
    assert spec.name == tf.TensorSpec([], tf.string) and spec.shape == [2, 3]
    assert Cargo.Spec(tf.TensorSpec([], tf.string), tf.TensorShape([2, 3])) == spec
    with pytest.raises(TypeError, match="name"):
        Cargo.Spec(shape=[2, 3])


def test_fields_of_their_own_class() -> None:
    class Tree(E.ExtensionType):
        weight: tf.Tensor
        branches: tuple[Tree, ...] = ()

    @tf.function
    def total(tree: Tree) -> Any:
        return tree.weight + sum(total(b) for b in tree.branches)

    assert int(total(Tree(1, (Tree(2), Tree(3, (Tree(4),)))))) == 10


def test_tensors_alone_dispatch_to_nobody() -> None:
    @E.dispatch_for_api(tf.stack)
    def stacked(values: list[Masked | tf.Tensor], axis: int = 0) -> Masked:
        whole = [
            v if isinstance(v, Masked) else Masked(v, tf.ones_like(v, tf.bool)) for v in values
        ]
        return Masked(
            tf.stack([v.values for v in whole], axis), tf.stack([v.mask for v in whole], axis)
        )

    @E.dispatch_for_binary_elementwise_apis(Masked | tf.Tensor, Masked | tf.Tensor)
    def both(api: Any, x: Any, y: Any) -> Masked:
        x, y = (v if isinstance(v, Masked) else Masked(v, True) for v in (x, y))
        return Masked(api(x.values, y.values), x.mask & y.mask)

    try:
        assert tf.stack([X, tf.constant([4, 5, 6])]).filled(0).numpy().tolist() == [
            [1, 0, 3],
            [4, 5, 6],
        ]
        assert isinstance(tf.stack([tf.constant(1), tf.constant(2)]), tf.Tensor)
        assert tf.add(X, tf.constant(1)).filled(0).numpy().tolist() == [2, 0, 4]
        assert isinstance(tf.add(tf.constant(1), tf.constant(2)), tf.Tensor)
    finally:
        E.unregister_dispatch_for(stacked)
        E.unregister_dispatch_for(both)


class Named(E.BatchableExtensionType):
    values: tf.Tensor
    shape: tf.TensorShape
    label: str = "a"

    class Spec:
        def __init__(self, shape: Any, label: str = "a") -> None:
            self.values = tf.TensorSpec(shape)
            self.shape = tf.TensorShape(shape)
            self.label = label


class Rows(E.BatchableExtensionType):
    ids: tf.RaggedTensor
    weight: tf.Tensor


def test_datasets_of_batchable_types() -> None:
    rows = Named(values=tf.reshape(tf.range(6.0), [3, 2]), shape=tf.TensorShape([3, 2]))
    dataset = tf.data.Dataset.from_tensor_slices(rows)
    spec = dataset.element_spec
    assert isinstance(spec, Named.Spec) and spec.shape == [2] and spec.values.shape == [2]
    assert [x.values.numpy().tolist() for x in dataset] == [[0, 1], [2, 3], [4, 5]]
    assert [x.label for x in dataset] == ["a"] * 3
    batches = list(dataset.batch(2))
    assert [x.values.shape for x in batches] == [[2, 2], [1, 2]]
    assert batches[0].shape.as_list() == [None, 2]  # as the dataset's spec says
    twice = dataset.map(lambda x: Named(x.values * 2.0, x.shape, x.label)).batch(3)
    assert next(iter(twice)).values.numpy().tolist() == [[0, 2], [4, 6], [8, 10]]
    assert [x.values.numpy().tolist() for x in twice.unbatch()] == [[0, 2], [4, 6], [8, 10]]
    total = tf.constant(0.0)
    for x in dataset:
        total += tf.reduce_sum(x.values)
    assert float(total) == 15

    @tf.function
    def summed(dataset: Any) -> Any:
        found = tf.constant(0.0)
        for x in dataset:
            found += tf.reduce_sum(x.values) * float(x.shape[0])
        return found

    assert float(summed(dataset)) == 30
    assert float(summed(dataset.filter(lambda x: x.values[0] > 1.0))) == 28
    ragged = Rows(tf.ragged.constant([[1], [2, 3], []]), tf.constant([1.0, 2.0, 3.0]))
    parts = tf.data.Dataset.from_tensor_slices(ragged)
    assert [x.ids.numpy().tolist() for x in parts] == [[1], [2, 3], []]
    (batch,) = parts.batch(3)
    assert batch.ids.to_list() == [[1], [2, 3], []] and batch.weight.numpy().tolist() == [1, 2, 3]


class Halves(E.ExtensionTypeBatchEncoder):
    """Keeps values halved."""

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
        return value.values / 2.0

    def encoding_specs(self, spec: Any) -> Any:
        return spec.values

    def decode(self, spec: Any, encoding: Any) -> Any:
        return Halved(encoding * 2.0)


class Halved(E.BatchableExtensionType):
    values: tf.Tensor

    __batch_encoder__ = Halves()


def test_batch_encoders() -> None:
    rows = Halved(tf.constant([[1.0, 2.0], [3.0, 4.0]]))
    dataset = tf.data.Dataset.from_tensor_slices(rows)
    assert [x.values.numpy().tolist() for x in dataset] == [[1, 2], [3, 4]]
    assert next(iter(dataset.batch(2))).values.numpy().tolist() == [[1, 2], [3, 4]]
    found = tf.map_fn(
        lambda x: Halved(x.values + 1.0), rows, fn_output_signature=Halved.Spec(tf.TensorSpec([2]))
    )
    assert found.values.numpy().tolist() == [[2, 3], [4, 5]]
    named = Named(values=tf.ones([3, 2]), shape=tf.TensorShape([3, 2]))
    seen = []

    def row(x: Any) -> Any:
        seen.append(x.shape.as_list())
        return Named(x.values * 2.0, x.shape, "b")

    doubled = tf.map_fn(row, named, fn_output_signature=Named.Spec([2], "b"))
    assert doubled.shape == [3, 2] and doubled.label == "b" and set(map(tuple, seen)) == {(2,)}
    assert E.BatchableExtensionType.__batch_encoder__.batch(Named.Spec([2]), 4).shape == [4, 2]


def test_annotations_that_are_refused() -> None:
    for field, kind, text in (
        ({"x": dict}, TypeError, "In field 'x': Unsupported type annotation 'dict'"),
        ({"x": list[int]}, TypeError, r"In field 'x': Unsupported type annotation list\[int\]"),
        ({"x": list}, TypeError, "In field 'x': Unsupported type annotation 'list'"),
        ({"Spec": int}, ValueError, "Field 'Spec' is reserved"),
    ):
        with pytest.raises(kind, match=text):
            type("Refused", (E.ExtensionType,), {"__annotations__": field})
    with pytest.raises(ValueError, match="Field y is missing a type annotation"):
        type("Refused", (E.ExtensionType,), {"__annotations__": {"x": int}, "y": 3})
    with pytest.raises(TypeError, match="default value for x: expected 'int', got 'str'"):
        type("Refused", (E.ExtensionType,), {"__annotations__": {"x": int}, "x": "a"})
