"""What stands for TensorFlow's inner modules, without a library that asks for it."""

from __future__ import annotations

from typing import Any

import pytest

import tfc as tf
from tfc.compat.replacement import inner, inner_inspect, inner_nest, inner_registry
from tfc.compat.replacement import inner_functions as functions


def test_structures_up_to_the_leaves_of_another() -> None:
    shallow, deep = {"a": 0, "b": [0, 0]}, {"a": [1, 2], "b": [3, (4, 5)]}
    assert inner_nest.flatten_up_to(shallow, deep) == [[1, 2], 3, (4, 5)]
    told = inner_nest.map_structure_up_to(shallow, str, deep)
    assert told == {"a": "[1, 2]", "b": ["3", "(4, 5)"]}
    paths = inner_nest.map_structure_with_tuple_paths_up_to(shallow, lambda p, _: p, deep)
    assert paths == {"a": ("a",), "b": [("b", 0), ("b", 1)]}
    with pytest.raises(TypeError, match="input must also be a sequence"):
        inner_nest.assert_shallow_structure([[0]], [1])
    with pytest.raises(ValueError, match="same sequence length"):
        inner_nest.assert_shallow_structure([0], [1, 2])
    entered = inner_nest.get_traverse_shallow_structure(lambda s: not isinstance(s, tuple), deep)
    assert entered == {"a": [True, True], "b": [True, False]}
    assert list(inner_nest.yield_flat_paths(deep))[-1] == ("b", 1, 1)


def test_names_of_specs_and_signatures() -> None:
    class Spec(tf.TypeSpec):
        pass

    inner_registry.register("tests.Spec")(Spec)
    assert inner_registry.get_name(Spec) == "tests.Spec"
    assert inner_registry.lookup("tests.Spec") is Spec
    with pytest.raises(ValueError, match="already been registered"):
        inner_registry.register("tests.Spec")(type("Other", (tf.TypeSpec,), {}))
    assert not inner_inspect.getfullargspec(tf.shape).annotations
    assert inner_inspect.getfullargspec(test_names_of_specs_and_signatures).annotations


def test_modules_whose_names_are_public() -> None:
    """Those of TensorFlow 1 where both have a name, without it by a name that ends in _v2."""

    def get(path: str, name: str) -> Any:
        module = inner.module(f"python.{path}")
        assert module is not None
        return getattr(module, name)

    assert get("framework.dtypes", "float32") is tf.float32
    assert get("framework.dtypes", "as_dtype") is tf.dtypes.as_dtype
    assert get("framework.errors_impl", "NotFoundError") is tf.errors.NotFoundError
    assert get("ops.math_ops", "reduce_sum") is tf.compat.v1.reduce_sum
    assert get("ops.math_ops", "cumsum") is tf.cumsum
    assert get("ops.math_ops", "reduce_std") is tf.math.reduce_std
    assert get("ops.array_ops", "expand_dims_v2") is tf.expand_dims
    assert get("ops.array_ops", "prevent_gradient") is functions.prevent_gradient
    assert get("ops.nn_ops", "max_pool") is tf.compat.v1.nn.max_pool
    assert get("ops.nn", "relu") is tf.nn.relu
    assert get("framework.ops", "control_dependencies")
    for path, name in (
        ("ops.math_ops", "nowhere"),
        ("ops.math_ops", "linalg"),
        ("ops.math_ops", "_x"),
    ):
        with pytest.raises(AttributeError, match="it is tfc's"):
            get(path, name)
    assert inner.module("python.ops.nowhere") is None and inner.module("python.platform")
    for path, spaces in inner._NAMESPACES.items():
        assert inner.module(f"python.{path}"), path
        for space in spaces.split():
            assert space == "tf" or inner.resolved(space), space


def test_functions() -> None:
    assert functions.pfor(lambda i: i * 2, 3).numpy().tolist() == [0, 2, 4]
    branch: Any = functions.case_helper(
        lambda p, a, b: a() if p else b(), [(False, lambda: 1), (True, lambda: 2)], None, False, "c"
    )
    assert branch == 2
    spec = functions.BoundedTensorSpec([2], tf.float32, 0, 1)
    assert spec == functions.BoundedTensorSpec.from_spec(spec) and float(spec.maximum) == 1.0
    with tf.GradientTape() as tape:
        x = tf.Variable(1.0)
        y = functions.prevent_gradient(x * 2.0, "not here")
    with pytest.raises(LookupError, match="not here"):
        tape.gradient(y, x)
    diagonals = [tf.linalg.LinearOperatorDiag([1.0, 2.0])] * 2
    (total,) = functions.add_operators(diagonals)
    assert total.diag_part().numpy().tolist() == [2.0, 4.0]
