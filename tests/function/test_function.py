"""`@tfc.function`: tracing, signatures, structure, state, errors and what can be looked at."""

from __future__ import annotations

import dataclasses
import functools
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import tfc as tf
from tfc.backends.cpu.runtime import runtime
from tfc.core.context import context
from tfc.ir.passes import OPTIMISE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """No test leaves a trace, a tape or a switch behind."""
    yield
    assert context.trace is None
    assert context.tapes == ()
    assert runtime.watched() == (0, 0)
    assert not tf.config.functions_run_eagerly()


def bits(x: Any) -> tuple[Any, ...]:
    array = np.asarray(x)
    return array.dtype, array.shape, array.tobytes()


def counted(f: Any, **options: Any) -> tuple[Any, list[Any]]:
    """`tf.function(f)` and a list that grows with every trace."""
    traces: list[Any] = []

    @functools.wraps(f)
    def traced(*args: Any, **kwargs: Any) -> Any:
        traces.append(args)
        return f(*args, **kwargs)

    return tf.function(traced, **options), traces


# When a function is traced.


def test_one_trace_for_a_signature() -> None:
    f, traces = counted(lambda x: x * x + tf.constant(2))
    assert [int(f(tf.constant(i))) for i in (2, 3, 4)] == [6, 11, 18]
    assert len(traces) == 1
    f(tf.constant([2, 3]))
    assert len(traces) == 2  # another rank
    assert f.experimental_get_tracing_count() == 2


def test_dtypes_are_signatures() -> None:
    f, traces = counted(lambda x: x + x)
    for dtype in ("float32", "float64", "int8", "float32", "int8"):
        assert f(tf.constant([1], dtype)).dtype is tf.as_dtype(dtype)
    assert len(traces) == 3


def test_python_values_are_signatures() -> None:
    f, traces = counted(lambda x, n: x * n)
    x = tf.constant(2)
    assert [int(f(x, n)) for n in (2, 3, 2, 3)] == [4, 6, 4, 6]
    assert len(traces) == 2
    y = tf.constant(2.0)
    assert float(f(y, 2)) == float(f(y, 2.0)) == 4
    assert len(traces) == 4  # 2 and 2.0 are not the same
    f(y, np.float32(2))
    f(y, np.float32(3))
    assert len(traces) == 5  # NumPy's numbers are tensors
    g, traces = counted(lambda x, flag: x if flag else -x)
    assert [float(g(y, flag)) for flag in (True, False, True)] == [2, -2, 2]
    assert len(traces) == 2
    h, traces = counted(lambda x, zero: x / zero)
    assert [float(h(y, z)) for z in (0.0, -0.0)] == [np.inf, -np.inf]
    i = tf.function(lambda z: 1.0 / tf.math.imag(tf.constant(z)))
    assert [float(i(complex(1.0, z))) for z in (0.0, -0.0)] == [np.inf, -np.inf]
    nan = float("nan")
    h(y, nan), h(y, float("nan"))
    assert len(traces) == 3


def test_seed_article_side_effects(capsys: pytest.CaptureFixture[str]) -> None:
    """Article 004: Python's print runs while tracing only."""

    @tf.function
    def a_function_with_python_side_effect(x: Any) -> Any:
        print("Tracing!")
        return x * x + tf.constant(2)

    print(a_function_with_python_side_effect(tf.constant(2)))
    print(a_function_with_python_side_effect(tf.constant(3)))
    assert capsys.readouterr().out == (
        "Tracing!\ntf.Tensor(6, shape=(), dtype=int32)\ntf.Tensor(11, shape=(), dtype=int32)\n"
    )
    print(a_function_with_python_side_effect(2))
    print(a_function_with_python_side_effect(3))
    assert capsys.readouterr().out == (
        "Tracing!\ntf.Tensor(6, shape=(), dtype=int32)\n"
        "Tracing!\ntf.Tensor(11, shape=(), dtype=int32)\n"
    )


def test_hundred_batch_sizes_are_two_traces() -> None:
    def layer(x: Any, w: Any) -> Any:
        y = tf.tanh(x @ w) * 2.0
        return tf.reduce_mean(y, 0), tf.nn.softmax(y)

    f, traces = counted(layer)
    rng = np.random.default_rng(0)
    w = tf.constant(rng.normal(size=(3, 4)), tf.float32)
    for n in [7, *range(1, 100)]:
        x = tf.constant(rng.normal(size=(n, 3)), tf.float32)
        got = f(x, w)
        if n < 20 or n > 95:
            static = tf.function(layer)(x, w)  # traced for this size alone
            eager = layer(x, w)
            for a, b, c in zip(got, static, eager, strict=True):
                assert bits(a) == bits(b) == bits(c)
    assert len(traces) == 2


def test_extents_that_change_together_stay_equal() -> None:
    f, traces = counted(lambda x, y: tf.reduce_sum(x * y))
    for n in (3, 5, 8, 1, 2):
        assert float(f(tf.ones([n]), tf.ones([n]))) == n
    assert len(traces) == 2


def test_relaxed_shapes_still_broadcast_and_clash() -> None:
    """What fits eagerly fits in a function, and what does not is refused, whatever came before."""
    f = tf.function(lambda x, y: x + y)
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [
        ((2,), (2,)),
        ((3,), (3,)),
        ((4,), (1,)),
        ((1,), (5,)),
        ((6,), (1,)),
        ((1,), (1,)),
        ((7,), (7,)),
        ((2,), (3,)),
        ((8,), (8,)),
        ((5,), (4,)),
    ]
    for a, b in shapes:
        x, y = np.ones(a, np.float32), np.arange(b[0], dtype=np.float32)
        if a == b or 1 in (a[0], b[0]):
            assert bits(f(tf.constant(x), tf.constant(y))) == bits(x + y)
        else:
            text = rf"Incompatible shapes: \[{a[0]}\] vs\. \[{b[0]}\].*test_function\.py:\d+"
            with pytest.raises(ValueError, match=text):
                f(tf.constant(x), tf.constant(y))


def test_functions_that_need_an_extent_get_it() -> None:
    """A trace with symbols that fails is made again with the extents as they are."""
    f = tf.function(lambda x: tf.squeeze(x))
    g = tf.function(lambda x: x[::-2])
    h = tf.function(lambda x: x * float(x.shape[0]))
    k = tf.function(lambda x: [row * 2.0 for row in x])
    for n in (4, 7, 1, 5):
        x = np.arange(3 * n, dtype=np.float32).reshape(n, 3)
        assert bits(f(tf.constant(x))) == bits(np.squeeze(x))
        assert bits(g(tf.constant(x))) == bits(x[::-2])
        assert bits(h(tf.constant(x))) == bits(x * np.float32(n))
        assert [bits(r) for r in k(tf.constant(x))] == [bits(r * 2) for r in x]


@pytest.mark.parametrize(
    ("f", "g"),
    [
        (lambda x: x[1:], None),
        (lambda x: x[:3], None),
        (lambda x: x[-2:], None),
        (lambda x: x[:-2], None),
        (lambda x: x[2:-1], None),
        (lambda x: x[-3:-1], None),
        (lambda x: x[3], None),
        (lambda x: x[-3], None),
        (lambda x: x[::2], None),
        (lambda x: x[::-1], None),
        (lambda x: x[::-3], None),
        (lambda x: x[1::3], None),
        (lambda x: x[-1:-3], None),
        (lambda x: x[4:1], None),
        (lambda x: x[1:] - x[:-1], None),
        (lambda x: tf.reshape(x, [-1, 2]), lambda x: x.reshape(-1, 2)),
        (lambda x: tf.reshape(x, [2, 3]), lambda x: x.reshape(2, 3)),
        (lambda x: tf.stack(tf.split(x, 2)), lambda x: np.stack(np.split(x, 2))),
        (
            lambda x: tf.concat(tf.split(x, [3, -1])[::-1], 0),
            lambda x: np.concatenate([x[3:], x[:3]]) if len(x) >= 3 else 1 // 0,
        ),
        (lambda x: tf.slice(x, [2], [-1]), lambda x: x[2:] if len(x) >= 2 else 1 // 0),
        (lambda x: tf.slice(x, [1], [2]), lambda x: x[1:3] if len(x) >= 3 else 1 // 0),
        (lambda x: tf.argmax(x), lambda x: np.argmax(x)),
        (lambda x: x[1:] + tf.constant([1, 2, 3]), lambda x: x[1:] + np.int32([1, 2, 3])),
        (lambda x: tf.squeeze(x, 0), lambda x: np.squeeze(x, 0)),
        (lambda x: tf.broadcast_to(x, [6]), lambda x: np.broadcast_to(x, 6)),
    ],
)
@pytest.mark.parametrize("unknown", [False, True], ids=["relaxed", "signature"])
def test_every_size_is_as_in_numpy(f: Any, g: Any, unknown: bool) -> None:
    """What is traced with symbols reads nothing outside, and refuses what does not fit."""
    options = {"input_signature": [tf.TensorSpec([None], tf.int32)]} if unknown else {}
    compiled = tf.function(f, **options)
    for n in (8, 6, 4, 7, 3, 2, 1, 0, 5, 12, 6):
        x = np.arange(n, dtype=np.int32) + 10
        try:
            wanted = (g or f)(x)
        except (IndexError, ValueError, ZeroDivisionError):
            error = tf.errors.InvalidArgumentError if unknown else ValueError
            with pytest.raises(error, match=r"test_function\.py:\d+.*" + f"{n}" * unknown):
                compiled(tf.constant(x))
            continue
        assert bits(compiled(tf.constant(x))) == bits(wanted)


def test_slices_are_cut_to_what_is_there() -> None:
    """One trace does for all sizes."""
    spec = tf.TensorSpec([None], tf.int32)
    bounds = (None, 1, 9, -2, -9)
    for step in (1, -1, 2, -3):
        places = [slice(start, stop, step) for start in bounds for stop in bounds]
        f = tf.function(lambda x, places=places: [x[i] for i in places])
        compiled = f.get_concrete_function(spec)
        for n in (8, 4, 3, 1, 0):
            got = [part.numpy().tolist() for part in compiled(tf.range(n))]
            assert got == [list(range(n))[i] for i in places]


def test_requirements_reach_the_function_around() -> None:
    first = tf.function(lambda x: tf.slice(x, [0], [3]))
    first = first.get_concrete_function(tf.TensorSpec([None], tf.int32))
    outer = tf.function(lambda x: first(x) * 2, input_signature=[tf.TensorSpec([None], tf.int32)])
    assert outer(tf.range(5)).numpy().tolist() == [0, 2, 4]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"n0 ?- ?3 >= 0"):
        first(tf.range(2))
    text = r"traced for sizes with .* >= 0.*test_function\.py:\d+.* with n0 = 2 in"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        outer(tf.range(2))
    assert outer(tf.range(3)).numpy().tolist() == [0, 2, 4]


def test_joining_unknown_extents() -> None:
    spec = tf.TensorSpec([None, 2])
    for f, g in (
        (lambda x, y: tf.concat([x, y], 1), lambda x, y: np.concatenate([x, y], 1)),
        (lambda x, y: tf.stack([x, y]), lambda x, y: np.stack([x, y])),
    ):
        compiled = tf.function(f, input_signature=[spec, spec])
        for n in (2, 3, 5):
            a, b = np.ones((n, 2), np.float32), np.zeros((n, 2), np.float32)
            assert bits(compiled(tf.constant(a), tf.constant(b))) == bits(g(a, b))
        text = r"(concat|stack): .*match.*test_function\.py:\d+.* with n0 = 2, n1 = 3 in"
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            compiled(tf.ones([2, 2]), tf.ones([3, 2]))


def test_unknown_extents_in_a_custom_gradient() -> None:
    @tf.custom_gradient
    def product(x: Any, y: Any) -> Any:
        return x * y, lambda upstream: (upstream * y, upstream * x)

    spec = tf.TensorSpec([None])
    f = tf.function(lambda x, y: tf.reduce_sum(product(x, y)), input_signature=[spec, spec])
    assert float(f(tf.ones([3]), tf.ones([3]))) == 3
    assert float(f(tf.ones([4]), tf.ones([4]))) == 4
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[3\] vs\. \[4\]"):
        f(tf.ones([3]), tf.ones([4]))


def test_unknown_extents_while_tracing() -> None:
    seen: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append((x.shape, tf.is_tensor(tf.shape(x))))
        return tf.reshape(x, [-1, 2]), tf.shape(x), tf.size(x)

    for n in (2, 4, 6):
        rows, shape, size = f(tf.range(n))
        assert rows.shape == (n // 2, 2)
        assert (shape.numpy().tolist(), int(size)) == ([n], n)
    assert [s[0].as_list() for s in seen] == [[2], [None]]


# Arguments and results.


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
    with pytest.raises(TypeError, match=r"must return zero or more tensors.*returned a object"):
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
        TypeError, match=r"shape \(2, 3\) does not fit .*\(None, 2\).*test_function"
    ):
        f(tf.ones([2, 3]), 1.0)
    for wrong in (tf.ones([2, 2], tf.float64), tf.Variable(tf.ones([2, 2], tf.float64))):
        with pytest.raises(TypeError, match=r"dtype float64 does not fit .*float32.*test_function"):
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
    text = r"Incompatible shapes: \[3\] vs\. \[4\].*test_function\.py:\d+.*n0 = 3, n1 = 4 in"
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
    text = r"traced for \(f32\[n0,3\]\), and called with \(float32\[2, 4\]\).*test_function\.py:\d+"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        concrete(tf.ones([2, 4]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="float64"):
        concrete(tf.ones([2, 3], tf.float64))
    assert concrete(tf.ones([1, 3]), n=4.0)["y"].shape == (1, 3)
    with pytest.raises(TypeError, match=r"traced for the Python value 4\.0, and called with 5\.0"):
        concrete(tf.ones([2, 3]), n=5.0)
    with pytest.raises(TypeError, match="missing the argument 'x'"):
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


# Eagerly, and with the same bits.


def test_run_functions_eagerly() -> None:
    f, traces = counted(lambda x: x + 1.0)
    one = tf.constant(1.0)
    f(one), f(one)
    assert len(traces) == 1
    tf.config.run_functions_eagerly(True)
    try:
        assert tf.config.functions_run_eagerly()
        assert [float(f(one)) for _ in range(3)] == [2, 2, 2]
        assert len(traces) == 4
        assert traces[-1][0] is one  # tensors, not symbols
        tf.config.run_functions_eagerly(True)
    finally:
        tf.config.run_functions_eagerly(False)
    f(one)
    assert len(traces) == 4


def test_executing_eagerly() -> None:
    assert tf.executing_eagerly()
    seen = []

    @tf.function
    def f(x: Any) -> Any:
        seen.append(tf.executing_eagerly())
        return x

    f(tf.constant(1.0))
    assert seen == [False]
    assert tf.executing_eagerly()


def test_same_bits_eager_and_compiled() -> None:
    def f(x: Any, w: Any) -> Any:
        h = tf.nn.relu(x @ w)
        y = tf.nn.log_softmax(h * 1.7 + tf.sin(h))
        mean, var = (
            tf.reduce_mean(y, 1, keepdims=True),
            tf.math.reduce_variance(y, 1, keepdims=True),
        )
        z = (y - mean) * tf.math.rsqrt(var + 1e-5)
        return z, tf.argmax(z, 1), tf.reduce_sum(tf.exp(z)), tf.cast(z * 10.0, tf.int32) // 3

    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(37, 29)), tf.float32)
    w = tf.constant(rng.normal(size=(29, 13)), tf.float32)
    for a, b in zip(f(x, w), tf.function(f)(x, w), strict=True):
        assert bits(a) == bits(b)


def test_random_numbers_are_the_same() -> None:
    def draw() -> Any:
        return (
            tf.random.uniform([5], seed=1),
            tf.random.normal([3, 2], 1.0, 2.0, seed=1),
            tf.random.uniform([7], 0, 100, tf.int32, seed=1),
            tf.random.uniform([2], dtype=tf.float64, seed=1),
        )

    tf.random.set_seed(7)
    eager = [*draw(), *draw()]
    tf.random.set_seed(7)
    f = tf.function(draw)
    compiled = [*f(), *f()]
    assert [bits(x) for x in eager] == [bits(x) for x in compiled]
    assert bits(eager[0]) != bits(eager[4])  # every call gives others
    tf.random.set_seed(8)
    assert bits(draw()[0]) != bits(eager[0])
    assert bits(tf.random.uniform([4], seed=3)) == bits(
        tf.function(lambda: tf.random.uniform([4], seed=3))()
    )


def test_dead_code_vanishes() -> None:
    """Article 004: an unused gather out of range raises eagerly, and is not run in a function."""

    def unused_return(x: Any) -> Any:
        tf.gather(x, [1])
        return x

    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[0\] = 1 is not in \[0, 1\)"
    ):
        unused_return(tf.constant([0.0]))
    f = tf.function(unused_return)
    assert str(f(tf.constant([0.0]))) == "tf.Tensor([0.], shape=(1,), dtype=float32)"
    concrete = f.get_concrete_function(tf.constant([0.0]))
    assert "gather" in concrete.ir("traced")
    assert "gather" not in concrete.ir("optimised")


def test_nested_functions() -> None:
    inner, _ = counted(lambda x: x * 2.0)
    outer = tf.function(lambda x: inner(x) + inner(x + 1.0))
    assert float(outer(tf.constant(1.0))) == 6
    assert float(inner(tf.constant(1.0))) == 2
    square = tf.function(lambda x: x * x, input_signature=[tf.TensorSpec([None])])
    total = tf.function(lambda x, y: tf.reduce_sum(square(x)) + tf.reduce_sum(square(y)))
    assert float(total(tf.ones([3]), tf.ones([2]))) == 5
    concrete = inner.get_concrete_function(tf.constant(1.0))
    assert float(tf.function(lambda x: concrete(x) + 1.0)(tf.constant(5.0))) == 11


def test_captured_tensors() -> None:
    small, large = tf.constant(2.0), tf.constant(np.arange(100, dtype=np.float32))
    f = tf.function(lambda x: tf.reduce_sum(large * small) + x)
    assert float(f(tf.constant(1.0))) == 9901
    assert len(f.get_concrete_function(tf.constant(1.0)).captured) == 1


# Errors.


@pytest.mark.walks_heap
def test_leaked_tensors() -> None:
    leaked: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        leaked.append(x * 2.0)
        return x

    f(tf.constant(1.0))
    (y,) = leaked
    text = r"is out of scope and cannot be used here.*test_function\.py:\d+"
    uses = [
        lambda: y + 1.0,
        lambda: tf.constant([1.0]) * y,
        lambda: tf.exp(y),
        lambda: y[..., None],
        lambda: tf.function(lambda x: x + y)(tf.constant(1.0)),
        lambda: tf.concat([[y]], 0),
        lambda: tf.function(lambda: y)(),
        lambda: tf.Variable(1.0).assign(y),
        lambda: tf.reduce_sum(y),
    ]
    for i, use in enumerate(uses):
        with pytest.raises(tf.errors.InaccessibleTensorError, match=text):
            use()
            raise AssertionError(f"use {i} was allowed")
    assert "Tensor(" in str(y) and "shape=()" in repr(y)


@pytest.mark.parametrize(
    ("use", "error", "text"),
    [
        (
            lambda x: 1 if x > 0.0 else 2,
            tf.errors.OperatorNotAllowedInGraphError,
            r"Using a symbolic `tf\.Tensor` as a Python `bool` is not allowed",
        ),
        (lambda x: x and x, TypeError, "as a Python `bool` is not allowed"),
        (lambda x: not x, TypeError, "as a Python `bool` is not allowed"),
        (lambda x: int(x), TypeError, r"int\(\)"),
        (lambda x: float(x), TypeError, r"float\(\)"),
        (lambda x: [1, 2][tf.cast(x, tf.int32)], TypeError, "integer"),
        (lambda x: x.numpy(), AttributeError, r"\.numpy\(\)"),
        (lambda x: np.asarray(x), NotImplementedError, "NumPy array"),
        (lambda x: np.sum(x), NotImplementedError, "NumPy array"),
        (lambda x: list(x), TypeError, "Cannot iterate over a scalar tensor"),
        (lambda x: hash(x), TypeError, "unhashable"),
        (lambda x: f"{x:.3f}", (AttributeError, ValueError), "format"),
    ],
)
def test_python_needs_elements(use: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text) as caught:
        tf.function(use, autograph=False)(tf.constant(1.0))
    if "symbolic" in str(caught.value):
        assert "test_function.py:" in str(caught.value)


def test_iterating_over_an_unknown_extent() -> None:
    f = tf.function(lambda x: [r for r in x], input_signature=[tf.TensorSpec([None])])
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="Iterating over a symbolic"):
        f(tf.ones([2]))


def test_an_exception_while_tracing_leaves_nothing_behind() -> None:
    fail = [True]
    v = tf.Variable(1.0)

    @tf.function
    def f(x: Any) -> Any:
        with tf.GradientTape() as tape:
            v.assign_add(x)
            y = v * x
            if fail[0]:
                raise KeyError("mine")
        return tape.gradient(y, v)

    for _ in range(2):
        with pytest.raises(KeyError, match="mine"):
            f(tf.constant(2.0))
        assert context.trace is None and runtime.watched() == (0, 0)
        assert v.numpy() == 1
    fail[0] = False
    assert float(f(tf.constant(2.0))) == 2
    assert v.numpy() == 3


def test_errors_at_run_time_name_the_line() -> None:
    @tf.function
    def f(x: Any, i: Any) -> Any:
        y = x * 2.0
        z = tf.gather(y, i)  # here
        return z + 1.0

    line = f.python_function.__code__.co_firstlineno + 3
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        f(tf.ones([3]), tf.constant([0, 7]))
    assert re.search(
        rf"index 7 is not in \[0, 3\) \[Op:gather\] \(.*test_function\.py:{line}\)",
        str(caught.value),
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"division by zero.*test_function"):
        tf.function(lambda a, b: a // b)(tf.constant([1]), tf.constant([0]))


# Threads.


def test_threads_call_the_same_function() -> None:
    f, traces = counted(lambda x, w: tf.reduce_sum(tf.tanh(x) * w))
    w = tf.constant(2.0)
    wanted = {n: float(f.python_function(tf.ones([n]), w)) for n in range(1, 9)}
    traces.clear()
    wrong: list[Any] = []
    gate = threading.Barrier(4)

    def work(k: int) -> None:
        gate.wait()
        try:
            for i in range(40):
                n = (i + k) % 8 + 1
                if float(f(tf.ones([n]), w)) != wanted[n]:
                    wrong.append(n)
                with tf.GradientTape() as tape:
                    x = tf.ones([n])
                    tape.watch(x)
                    y = f(x, w)
                if tape.gradient(y, x).shape != (n,):
                    wrong.append(n)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []
    assert len(traces) <= 3


def test_a_trace_in_one_thread_does_not_touch_another() -> None:
    inside, go = threading.Event(), threading.Event()
    seen = []

    @tf.function
    def slow(x: Any) -> Any:
        inside.set()
        assert go.wait(10)
        return x + 1.0

    thread = threading.Thread(target=lambda: seen.append(float(slow(tf.constant(1.0)))))
    thread.start()
    assert inside.wait(10)
    try:
        assert tf.executing_eagerly()
        assert float(tf.constant(1.0) * 3.0) == 3
        assert float(tf.function(lambda x: x * 4.0)(tf.constant(1.0))) == 4
    finally:
        go.set()
        thread.join()
    assert seen == [2]


# Looking inside.


def test_ir_of_all_stages() -> None:
    @tf.function
    def f(x: Any, w: Any) -> Any:
        return tf.reduce_sum(tf.exp(x @ w) + 1.0, 0)

    concrete = f.get_concrete_function(tf.TensorSpec([None, 3]), tf.TensorSpec([3, 2]))
    texts = {
        stage: concrete.ir(stage) for stage in ("traced", "optimised", "kernels", "llvm", "asm")
    }
    assert "func @f(%x: f32[n0,3], %w: f32[3,2])" in texts["traced"]
    assert "matmul" in texts["traced"] and "test_function.py:" in texts["traced"]
    assert "exp" in texts["optimised"]
    assert "launch f.k0 [" in texts["kernels"]
    assert "define" in texts["llvm"]
    assert len(texts["asm"].splitlines()) > 20
    with pytest.raises(
        ValueError, match="no stage 'nothing': there are traced, optimised, lowered, kernels"
    ):
        concrete.ir("nothing")


@pytest.mark.parametrize("stage", ["traced", "optimised", "kernels"])
def test_parsed_text_runs(stage: str) -> None:
    def f(x: Any, w: Any) -> Any:
        y = tf.nn.softmax(x @ w)
        return y, tf.reduce_max(y, 1)

    rng = np.random.default_rng(0)
    x = tf.constant(rng.normal(size=(5, 3)), tf.float32)
    w = tf.constant(rng.normal(size=(3, 4)), tf.float32)
    concrete = tf.function(f).get_concrete_function(tf.TensorSpec([None, 3]), w)
    text = concrete.ir(stage, verbose=True)
    parsed = tf.ir.parse(text)
    assert str(parsed) == text
    assert str(tf.ir.parse(str(parsed))) == text
    assert [bits(a) for a in parsed(x, w)] == [bits(a) for a in f(x, w)]


def test_parsed_text_refuses_what_does_not_fit() -> None:
    f = tf.ir.parse("func @f(%x: f32[2]) -> f32[2] {\n  %0 = add %x, %x : f32[2]\n  return %0\n}")
    assert f(np.ones(2, np.float32)).numpy().tolist() == [2, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"called with \(f32\[3\]\)"):
        f(np.ones(3, np.float32))


def test_dump(tmp_path: Path) -> None:
    """TFC_DUMP writes one file a stage, in order."""
    script = (
        "import tfc as tf\n"
        "f = tf.function(lambda x: tf.exp(x) + 1.0)\n"
        "f.name = 'shown'\n"
        "f(tf.constant([1.0, 2.0]))\n"
    )
    environment = {**os.environ, "TFC_DUMP": str(tmp_path / "dump"), "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-c", script], check=True, env=environment, cwd=tmp_path, timeout=300
    )
    names = sorted(p.name for p in (tmp_path / "dump").iterdir() if "_shown." in p.name)
    stages = [n.partition("_shown.")[2].partition("_")[2] for n in names]
    numbers = [int(n.partition("_shown.")[2].partition("_")[0]) for n in names]
    assert numbers == list(range(len(names)))
    steps = ["traced", *(step.__name__ for step in OPTIMISE), "lower", "expand"]
    assert stages == [*(f"{step}.ir" for step in steps), "kernels.txt", "llvm.ll", "asm.s"]
    first = next(p for p in (tmp_path / "dump").iterdir() if p.name == names[0]).read_text()
    assert first.startswith("# after traced\nfunc @shown(")
    assert str(tf.ir.parse(first)).startswith("func @shown(")


def test_names_of_specs_are_names_of_arguments() -> None:
    """A concrete function is called by the names of its TensorSpecs, as in TensorFlow, and by those
    of the parameters; what is saved is called by the former."""
    specs = [
        tf.TensorSpec([2], name="images"),
        tf.TensorSpec([]),
        tf.TensorSpec([], name="no name"),
    ]

    @tf.function
    def f(a: Any, b: Any, c: Any) -> Any:
        return a * b + c

    x, two, one = tf.ones([2]), tf.constant(2.0), tf.constant(1.0)
    signed = tf.function(f.python_function, input_signature=specs)
    for concrete in (f.get_concrete_function(*specs), signed.get_concrete_function()):
        assert [s.name for s in concrete.inputs] == ["images", "b", "c"]
        assert concrete.structured_input_signature[0][0].name == "images"
        for call in (
            lambda c: c(images=x, b=two, c=one),
            lambda c: c(a=x, b=two, c=one),
            lambda c: c(x, b=two, c=one),
            lambda c: c(x, two, one),
        ):
            np.testing.assert_array_equal(call(concrete), [3.0, 3.0])
        with pytest.raises(TypeError, match="pictures"):
            concrete(pictures=x, b=two, c=one)
    twice = [tf.TensorSpec([], name="same"), tf.TensorSpec([], name="same"), tf.TensorSpec([])]
    assert [s.name for s in f.get_concrete_function(*twice).inputs] == ["a", "b", "c"]
    other = f.get_concrete_function(tf.TensorSpec([2], name="pixels"), *specs[1:])
    assert [s.name for s in other.inputs] == ["pixels", "b", "c"]
