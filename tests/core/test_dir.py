"""`dir` of a tensor has what works on it, and nothing that only raises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

EVERY = {
    "vector": lambda: tf.constant([1.0, 2.0]),
    "scalar": lambda: tf.constant(3),
    "matrix": lambda: tf.constant([[1.0, 2.0]]),
    "stack": lambda: tf.zeros([2, 3, 4]),
    "string": lambda: tf.constant(["a", "b"]),
    "variable": lambda: tf.Variable([[1.0]]),
    "item": lambda: tf.Variable([1.0, 2.0])[0],
}


def public(x: Any) -> set[str]:
    return {name for name in dir(x) if not name.startswith("_")}


@pytest.mark.parametrize("kind", EVERY)
def test_all_that_is_offered_is_there_and_works(kind: str) -> None:
    """What takes no arguments is called, too."""
    x = EVERY[kind]()
    assert not hasattr(x, "__cuda_array_interface__") and "__cuda_array_interface__" not in dir(x)
    for name in public(x):
        found = getattr(x, name)
        if callable(found):
            try:
                found()
            except TypeError as error:  # it wants arguments
                assert "argument" in str(error), name


def test_what_depends_on_the_tensor() -> None:
    offered = {kind: public(make()) for kind, make in EVERY.items()}
    assert {kind for kind, names in offered.items() if "T" in names} == {"matrix", "variable"}
    assert "mT" in offered["stack"] and "mT" not in offered["vector"]
    assert {kind for kind, names in offered.items() if "assign" in names} == {"variable", "item"}
    for names in offered.values():
        assert {"numpy", "shape", "dtype", "device", "size", "cpu"} <= names
        assert names.isdisjoint({"eval", "consumers"})


def test_while_tracing() -> None:
    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([None, 2])])
    def f(x: Any, y: Any) -> Any:
        for z in (x, y):
            names = public(z)
            assert {"name", "shape", "set_shape", "T", "mT"} <= names
            assert names.isdisjoint({"numpy", "cpu", "eval", "assign"})
            for name in names - {"T", "mT"}:
                getattr(z, name)
        return y

    f(tf.zeros([2, 2]), tf.zeros([3, 2]))


def test_a_gpu_has_more(gpu: Any) -> None:
    x = tf.constant(np.ones(3, "f"))
    assert "gpu" in dir(x)
    assert "__cuda_array_interface__" in dir(x.gpu()) and hasattr(
        x.gpu(), "__cuda_array_interface__"
    )
