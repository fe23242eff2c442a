"""Arguments, results and signatures of functions."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import numpy as np
import pytest

import tfc as tf
from tests.function.counting import counted

pytestmark = pytest.mark.usefixtures("clean")


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any = None


class Point(NamedTuple):
    x: Any
    y: Any


def test_structures() -> None:
    @tf.function
    def f(values: Any, point: Any, pair: Any) -> Any:
        return {
            "sum": values["a"] + values["b"][0],
            "nested": [point.x * 2.0, (point.y, None)],
            "pair": Pair(pair.left + 1.0, {"k": pair.right}),
            "number": 3,
            "point": Point(point.y, point.x),
        }

    one, two = tf.constant(1.0), tf.constant(2.0)
    got = f({"a": one, "b": [two]}, Point(one, two), Pair(two, one))
    assert float(got["sum"]) == 3
    assert float(got["nested"][0]) == 2
    assert got["nested"][1][1] is None
    assert isinstance(got["nested"], list) and isinstance(got["nested"][1], tuple)
    assert isinstance(got["pair"], Pair)
    assert (float(got["pair"].left), float(got["pair"].right["k"])) == (3, 1)
    assert isinstance(got["number"], tf.Tensor) and int(got["number"]) == 3
    assert isinstance(got["point"], Point) and float(got["point"].x) == 2
    with pytest.raises(KeyError):
        f({"a": one}, Point(one, two), Pair(two, one))


def test_results() -> None:
    one = tf.constant(1.0)
    assert tf.function(lambda: None)() is None
    assert tf.function(lambda x: ())(one) == ()
    assert tf.function(lambda x: [])(one) == []
    assert tf.function(lambda x: {})(one) == {}
    assert float(tf.function(lambda x: x)(one)) == 1
    assert float(tf.function(lambda: 1.5)()) == 1.5
    assert [float(v) for v in tf.function(lambda x: [x, x])(one)] == [1, 1]
    v = tf.Variable(2.0)
    got = tf.function(lambda: v)()
    assert isinstance(got, tf.Tensor) and float(got) == 2
    with pytest.raises(TypeError, match=r"return zero or more Tensors.* of type object"):
        tf.function(lambda x: object())(one)


def test_keywords_and_defaults() -> None:
    def g(x: Any, y: Any = 2.0, *rest: Any, scale: Any = 1.0, **more: Any) -> Any:
        return (x + y) * scale + sum((*rest, *more.values()))

    f, traces = counted(g)
    one = tf.constant(1.0)
    assert float(f(one)) == float(f(x=one)) == float(f(one, 2.0)) == float(f(one, y=2.0)) == 3
    assert len(traces) == 1
    assert float(f(one, scale=2.0)) == 6
    assert float(f(one, scale=tf.constant(3.0))) == 9
    assert float(f(one, 3.0, one, one, extra=one)) == 7
    assert "g(x, y=3.0, rest_0, rest_1, scale=1.0, extra)" in f.pretty_printed_concrete_signatures()
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        f()
    with pytest.raises(TypeError, match=r"too many positional|unexpected keyword"):
        tf.function(lambda x: x)(one, z=1)


def test_lists_and_numbers_are_python_values() -> None:
    f, traces = counted(lambda x: tf.reduce_sum(x))
    assert int(f([1, 2])) == 3
    assert int(f([1, 2])) == 3
    assert int(f([1, 3])) == 4
    assert len(traces) == 2
    assert float(f(np.array([1.0, 2.5]))) == 3.5
    f(np.array([2.0, 2.5]))
    assert len(traces) == 3


def test_methods() -> None:
    class Model:
        def __init__(self, w: float) -> None:
            self.w = tf.Variable(w)
            self.traces = 0

        @tf.function
        def __call__(self, x: Any, scale: float = 1.0) -> Any:
            self.traces += 1
            return x * self.w * scale

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
        def total(self, x: Any) -> Any:
            return tf.reduce_sum(x * self.w)

    a, b = Model(2.0), Model(3.0)
    one = tf.constant(1.0)
    assert [float(m(one)) for m in (a, b, a, b)] == [2, 3, 2, 3]
    assert float(a(one, scale=2.0)) == 4
    assert (a.traces, b.traces) == (2, 1)
    assert float(a.total([1.0, 2.0])) == 6
    assert float(b.total([1.0])) == 3
    assert Model.__call__(a, one) is not None


def test_what_it_looks_like() -> None:
    @tf.function
    def named(x: Any) -> Any:
        """What it says."""
        return x

    assert (named.__name__, named.__doc__) == ("named", "What it says.")
    assert named.python_function(3) == 3
    assert repr(named) == "<tfc.function named>"
    assert tf.function(named) is named
    options = tf.function(autograph=False, jit_compile=True, reduce_retracing=True)
    assert float(options(lambda x: x + 1.0)(1.0)) == 2


# Signatures.


def test_input_signature() -> None:
    f, traces = counted(
        lambda x, n: x * n,
        input_signature=[tf.TensorSpec([None, 2]), tf.TensorSpec([], tf.float32)],
    )
    for n in (1, 3, 5):
        assert f(tf.ones([n, 2]), tf.constant(2.0)).shape == (n, 2)
        assert f(np.ones((n, 2), np.float32), 3).numpy().sum() == 6 * n
    assert f([[1.0, 2.0]], 1.0).numpy().tolist() == [[1, 2]]
    assert len(traces) == 1
    assert traces[0][0].shape.as_list() == [None, 2]
    with pytest.raises(
        TypeError, match=r"cast .*shape=\(2, 3\).* to .*\(None, 2\).*does not fit.*test_arguments"
    ):
        f(tf.ones([2, 3]), 1.0)
    for wrong in (tf.ones([2, 2], tf.float64), tf.Variable(tf.ones([2, 2], tf.float64))):
        text = "cast .*float64.* to .*float32.*does not fit.*test_arguments"
        with pytest.raises(TypeError, match=text):
            f(wrong, 1.0)
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        f(tf.ones([2, 2]))
    assert len(traces) == 1


def test_unknown_ranks_are_traced_one_by_one() -> None:
    f, traces = counted(
        lambda x: (tf.rank(x), tf.reduce_sum(x)), input_signature=[tf.TensorSpec(None)]
    )
    for shape in ([], [2], [7], [2, 3], [5, 1]):
        rank, total = f(tf.ones(shape))
        assert (int(rank), float(total)) == (len(shape), np.prod(shape))
    assert len(traces) == 3


def test_unknown_ranks_of_sparse_tensors() -> None:
    signature = [tf.SparseTensorSpec(None), tf.TensorSpec([])]
    f = tf.function(lambda x, y: tf.sparse.reduce_sum(x) * y, input_signature=signature)
    vector = tf.SparseTensor([[0], [2]], [1.0, 2.0], [3])
    square = tf.SparseTensor([[0, 1], [1, 0], [1, 1]], [1.0, 2.0, 3.0], [2, 2])
    y = tf.constant(2.0)
    assert [float(f(x, y)) for x in (vector, square, vector, square)] == [6, 12, 6, 12]
    assert f.experimental_get_tracing_count() == 2


def test_equal_unknown_extents_are_checked_when_it_runs() -> None:
    vector = tf.TensorSpec([None])
    f = tf.function(lambda x, y: x + y, input_signature=[vector, vector])
    assert f(tf.ones([3]), tf.ones([3])).shape == (3,)
    text = r"Incompatible shapes: \[3\] vs\. \[4\].*test_arguments\.py:\d+.*n0 = 3, n1 = 4 in"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        f(tf.ones([3]), tf.ones([4]))
    assert f(tf.ones([3]), tf.ones([1])).numpy().tolist() == [2, 2, 2]


def test_input_signature_of_structures() -> None:
    spec = tf.TensorSpec([None])
    f = tf.function(
        lambda d, x: d["a"] + d["b"][0] * x,
        input_signature=[{"a": spec, "b": [spec]}, tf.TensorSpec([])],
    )
    got = f({"a": tf.constant([1.0, 2.0]), "b": [np.ones(2)]}, 3.0)
    assert got.numpy().tolist() == [4, 5]


def test_concrete_functions() -> None:
    f, traces = counted(lambda x, n=2.0: {"y": x * n})
    concrete = f.get_concrete_function(tf.TensorSpec([None, 3], tf.float32), n=4.0)
    assert len(traces) == 1
    assert f.get_concrete_function(tf.TensorSpec([None, 3], tf.float32), n=4.0) is concrete
    for n in (1, 2, 5):
        assert concrete(tf.ones([n, 3]))["y"].numpy().tolist() == [[4.0] * 3] * n
    assert concrete.inputs[0].shape.as_list() == [None, 3]
    assert concrete.structured_outputs == {"y": tf.TensorSpec([None, 3])}
    assert [t.shape.as_list() for t in concrete.structured_input_signature[0][:1]] == [[None, 3]]
    text = r"traced for \(f32\[n0,3\]\), and called with \(float32\[2, 4\]\).*test_arguments"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        concrete(tf.ones([2, 4]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="float64"):
        concrete(tf.ones([2, 3], tf.float64))
    assert concrete(tf.ones([1, 3]), n=4.0)["y"].shape == (1, 3)
    with pytest.raises(TypeError, match=r"traced for the Python value 4\.0, and called with 5\.0"):
        concrete(tf.ones([2, 3]), n=5.0)
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        concrete()
    v = tf.Variable(3.0)
    g = tf.function(lambda x: v.assign_add(x)).get_concrete_function(tf.constant(1.0))
    assert g.variables == (v,) or [w is v for w in g.variables] == [True]
    assert [w is v for w in g.trainable_variables] == [True]
    g(tf.constant(2.0))
    assert v.numpy() == 5
    assert "float32" in repr(g) or "f32" in repr(g)
    assert set(g.timings) >= {"trace", "compile"} and all(t >= 0 for t in g.timings.values())


SIGNATURES = """\
my_relu(x)
  Args:
    x: float32 Tensor, shape=()
  Returns:
    float32 Tensor, shape=()

my_relu(x=[1, -1])
  Returns:
    float32 Tensor, shape=(2,)

my_relu(x)
  Args:
    x: float32 Tensor, shape=(2,)
  Returns:
    float32 Tensor, shape=(2,)"""


def test_seed_article_signatures() -> None:
    """Article 004: three signatures, and calls that add none."""

    @tf.function
    def my_relu(x: Any) -> Any:
        return tf.maximum(0.0, x)

    printed = [str(my_relu(x)) for x in (tf.constant(5.5), [1, -1], tf.constant([3.0, -3.0]))]
    assert printed == [
        "tf.Tensor(5.5, shape=(), dtype=float32)",
        "tf.Tensor([1. 0.], shape=(2,), dtype=float32)",
        "tf.Tensor([3. 0.], shape=(2,), dtype=float32)",
    ]
    my_relu(tf.constant(-2.5))
    my_relu(tf.constant([-1.0, 1.0]))
    assert my_relu.pretty_printed_concrete_signatures() == SIGNATURES


def test_pretty_printed_structures() -> None:
    @tf.function
    def f(x: Any, y: Any = 2, *, z: Any = 3) -> Any:
        return {"a": x["k"] + y, "b": (x["k"] * z, None)}

    f({"k": tf.constant([1, 2])}, z=4)
    assert f.pretty_printed_concrete_signatures() == (
        "f(x, y=2, z=4)\n"
        "  Args:\n"
        "    x: {'k': int32 Tensor, shape=(2,)}\n"
        "  Returns:\n"
        "    {'a': int32 Tensor, shape=(2,), 'b': (int32 Tensor, shape=(2,), None)}"
    )
