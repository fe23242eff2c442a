"""When a function is traced, and for which sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.function.counting import bits, counted

pytestmark = pytest.mark.usefixtures("clean")


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
            text = rf"Incompatible shapes: \[{a[0]}\] vs\. \[{b[0]}\].*test_tracing\.py:\d+"
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
            with pytest.raises(error, match=r"test_tracing\.py:\d+.*" + f"{n}" * unknown):
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
    text = r"traced for sizes with .* >= 0.*test_tracing\.py:\d+.* with n0 = 2 in"
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
        text = r"(concat|stack): .*match.*test_tracing\.py:\d+.* with n0 = 2, n1 = 3 in"
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
