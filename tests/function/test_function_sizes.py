"""A second size finds its program compiled: with `reduce_retracing=True` any, else a smaller one.
All else is as it is without that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.backends.cpu import program
from tfc.dispatch.execution import _identity
from tfc.function import traces as traces_of
from tfc.ir.extent import symbol, symbols
from tfc.ir.generalise import counts_rows, generalise
from tfc.ir.interpreter import interpret

rng = np.random.default_rng(3)
W = tf.Variable(rng.standard_normal((6, 4), np.float32))
B = tf.Variable(np.zeros(4, np.float32))
SQUARE = tf.constant(rng.standard_normal((4, 4), np.float32))
LARGE = tf.constant(rng.standard_normal((4, 6), np.float32))
KERNEL = tf.constant(rng.standard_normal((3, 3, 4, 4), np.float32))


def images(x: Any) -> Any:
    y = tf.nn.relu(tf.nn.conv2d(tf.reshape(x, [-1, 2, 3, 1]) * tf.ones([4]), KERNEL, 1, "SAME"))
    mean, variance = tf.nn.moments(y, [0, 1, 2])
    y = tf.nn.batch_normalization(y, mean, variance, None, None, 1e-3)
    return tf.reduce_mean(tf.nn.max_pool2d(y, 2, 1, "SAME"), [1, 2])


def attention(x: Any) -> Any:  # of 4 places for the size 4 of the batch
    x = tf.reshape(tf.tile(x[:, None], [1, 4, 1]), [-1, 4, 3, 2])
    weights = tf.nn.softmax(tf.einsum("nihd,njhd->nhij", x, x))
    return tf.reshape(tf.einsum("nhij,njhd->nihd", weights, x), [-1, 4, 6]) @ W + B


def gradients(x: Any) -> Any:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.nn.gelu(x @ W + B) @ SQUARE))
    return loss, tape.gradient(loss, [W, B])


def steps(x: Any) -> Any:
    h = tf.zeros([tf.shape(x)[0], 4])
    for t in range(3):
        h = tf.tanh(x[:, t : t + 1] * B + h @ SQUARE)
    return tf.concat([h, x], 1)


GUESSED: dict[str, Callable[[Any], Any]] = {
    "dense": lambda x: tf.nn.softmax(x @ W + B),
    "images": images,
    "attention": attention,
    "gradients": gradients,
    "steps": steps,
    "layer norm": lambda x: (x - tf.reduce_mean(x, -1, keepdims=True)) / tf.math.reduce_std(x),
    "lookup": lambda x: tf.gather(LARGE, tf.argmax(x[:, :4], 1)) + tf.one_hot(tf.argmax(x, 1), 6),
    "sorted": lambda x: tf.sort(tf.cumsum(x, 1), 1)[:, ::2],
    "flat": lambda x: tf.reshape(tf.reshape(x, [-1]) + 1.0, [-1, 3, 2]) * 2.0,
    "pairs": lambda x: tf.reshape(x[:, None] * x[None], [-1, 6]) + 1.0,
    "empty": lambda x: tf.reshape(x[:, :0], [-1, 0]) * 2.0,
    "counted": lambda x: (x - tf.reduce_mean(x)) * tf.reduce_mean(x, 0),
    "down": lambda x: tf.concat([tf.sort(x, 0), tf.cumsum(x, 0), tf.reverse(x, [0])], 1),
    "twice": lambda x: tf.concat([x, x * 2.0], 0),
    "stacked": lambda x: tf.stack([x, tf.exp(x)], 1),
    "columns": lambda x: tf.transpose(x) @ x + tf.reduce_sum(x, 0),
    "first": lambda x: tf.reshape(x, [-1, 1, 6])[:, 0] + x[0],
    "products": lambda x: tf.matmul(x, x, transpose_b=True) @ x,
}


def traces(f: Callable[[Any], Any]) -> tuple[Any, Any]:
    """Of f, for the sizes 4 and any; nothing is compiled."""
    function = tf.function(f, autograph=False)
    concrete = function.get_concrete_function
    return concrete(tf.TensorSpec([4, 6])).function, concrete(tf.TensorSpec([None, 6])).function


@pytest.mark.parametrize("name", GUESSED)
def test_the_guess_is_what_a_trace_for_all_sizes_is(name: str) -> None:
    static, wanted = traces(GUESSED[name])
    guess = generalise(static, {0: symbol("n0")})
    assert guess is not None and _identity(guess) == _identity(wanted), f"{guess}\n{wanted}"


@pytest.mark.parametrize("name", GUESSED)
def test_a_guess_is_the_function_itself_at_its_own_size(name: str) -> None:
    """Its results, the names of its values, and the ops that have nothing of the batch."""
    static, _ = traces(GUESSED[name])
    names = [v.name for op in static.body for v in op.results]
    guess = generalise(static, {0: symbol("n0")})
    assert guess is not None
    assert [v.name for op in guess.body for v in op.results] == names
    assert [p.name for p in guess.params] == [p.name for p in static.params]
    assert [p is q for p, q in zip(guess.params, static.params, strict=True)][1:] == [
        True for _ in static.params[1:]
    ]
    for mine, theirs in zip(guess.body, static.body, strict=True):
        batched = any(symbols(e) for v in (*mine.operands, *mine.results) for e in v.type.shape)
        counts = mine.attributes != theirs.attributes
        inner = all(v in static.params or v.op in static.body for v in mine.operands)
        assert (mine is theirs) == (inner and not batched and not counts)
    given = [np.asarray(rng.standard_normal(p.shape), p.dtype.numpy) for p in static.params]
    for have, want in zip(interpret(guess, given), interpret(static, given), strict=True):
        assert have.dtype == want.dtype and have.tobytes() == want.tobytes()


def test_no_guess_for_what_has_regions_or_tells_sizes() -> None:
    """Regions would have to be guessed, too."""

    def chosen(x: Any) -> Any:
        return tf.cond(tf.reduce_sum(x) > 0, lambda: x + 1, lambda: x * 2)

    def beside(x: Any) -> Any:
        return x, tf.cond(tf.reduce_sum(B) > 0, lambda: B + 1, lambda: B * 2)

    for f, there in ((chosen, False), (beside, True)):
        static, wanted = traces(f)
        guess = generalise(static, {0: symbol("n0")})
        assert (guess is not None) == there
        assert guess is None or _identity(guess) == _identity(wanted)


def test_no_guess_where_a_size_is_that_of_something_else() -> None:
    for f in (
        lambda x: x + LARGE,
        lambda x: SQUARE @ x,
        lambda x: tf.linalg.matvec(SQUARE, x[:, 0]),
    ):
        static = tf.function(f).get_concrete_function(tf.TensorSpec([4, 6])).function
        assert generalise(static, {0: symbol("n0")}) is None
    _, symbolic = traces(GUESSED["dense"])
    assert generalise(symbolic, {}) is None


def seen_by(**options: Any) -> tuple[list[Any], list[Any], Any]:
    """What a step of training sees while it is traced, and gives, at several sizes."""
    w, seen = tf.Variable(W), []

    @tf.function(**options)
    def step(x: Any, y: Any) -> Any:
        seen.append((x.shape.as_list(), y.shape.as_list()))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.nn.relu(x @ w) @ B[:, None] - y[:, None] + 1.0))
        w.assign_sub(0.1 * tape.gradient(loss, w))
        return loss

    found = []
    for size in (5, 5, 3, 8, 5):
        x = tf.constant(np.linspace(-1.0, 1.0, 6 * size, dtype=np.float32).reshape(size, 6))
        found.append(step(x, x[:, 0]).numpy())
    return seen, [*found, w.numpy()], step


def test_a_second_size_compiles_nothing() -> None:
    seen, found, step = seen_by(reduce_retracing=True)
    expected_seen, expected, plain = seen_by()
    assert seen == expected_seen == [([5, 6], [5]), ([None, 6], [None])]
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)
    assert step.experimental_get_tracing_count() == plain.experimental_get_tracing_count() == 2
    first, second = step.concrete_functions
    assert second.compiled.program is first.compiled.program and second.cost.cache == "shared"
    assert "f32[5,6]" in first.ir("traced") and "f32[n0,6]" in first.ir("optimised")
    assert (
        first.memory_analysis().arguments == plain.concrete_functions[0].memory_analysis().arguments
    )
    ops = {op for step in first.explain_passes().steps for op in step.before.body}
    assert ops >= set(first.function.body)


def test_what_depends_on_the_size_itself_is_traced_and_compiled_for_each() -> None:
    seen = []

    @tf.function(reduce_retracing=True)
    def f(x: Any) -> Any:
        seen.append(x.shape[0])
        return x * (10.0 if x.shape[0] == 4 else 1.0) + tf.cast(tf.size(x), tf.float32)

    for size, factor in ((4, 10.0), (4, 10.0), (3, 1.0), (2, 1.0)):
        np.testing.assert_array_equal(f(tf.ones([size])), np.full(size, factor + size))
    assert seen == [4, None]
    assert [c.cost.cache for c in f.concrete_functions] != ["miss", "shared"]


def test_where_there_is_no_batch_the_first_trace_is_for_its_sizes() -> None:
    f = tf.function(lambda *x: sum(map(tf.reduce_sum, x)), reduce_retracing=True)
    for shapes in (([1, 2],), ([0],), ([2, 3], [3, 2]), ([],)):
        assert float(f(*map(tf.ones, shapes))) == sum(np.prod(s) for s in shapes)
        assert "n0" not in f.concrete_functions[-1].ir()


def test_nor_does_it_on_a_tape(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = []
    compile_program = program.compile_program

    def counted(*arguments: Any) -> Any:
        compiled.append(arguments[0].name)
        return compile_program(*arguments)

    monkeypatch.setattr(program, "compile_program", counted)
    found = []
    for expected in (False, True):
        f = tf.function(lambda x: tf.nn.relu(x @ W + B) * x[:, :1], reduce_retracing=expected)
        for size in (5, 3, 5):
            before = len(compiled)
            x = tf.constant(np.linspace(-1.0, 1.0, 6 * size, dtype=np.float32).reshape(size, 6))
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            found.append([y.numpy(), *(g.numpy() for g in tape.gradient(y, [x, W, B]))])
            if expected and size == 3:
                assert compiled[before:] == []
    for plain, general in zip(found[:3], found[3:], strict=True):
        for a, b in zip(plain, general, strict=True):
            np.testing.assert_array_equal(a, b)


def test_extents_that_follow_from_those_of_other_arguments() -> None:
    """One column is taken where there is one, and goes with any number of columns."""

    @tf.function(input_signature=[tf.TensorSpec([None, None])] * 2)
    def f(x: Any, y: Any) -> Any:
        return x[:, :1] + y

    for columns in (1, 4, 2, 4):
        assert f(tf.ones([2, 3]), tf.ones([2, columns])).shape == (2, columns)


def test_which_symbols_count_rows() -> None:
    """Not without weights, of squares, nor where more than rows is asked for."""
    guesses = {name: generalise(traces(f)[0], {0: symbol("n0")}) for name, f in GUESSED.items()}
    rows = {name for name, guess in guesses.items() if guess is not None and counts_rows(guess)}
    assert rows == {"dense", "images", "attention", "gradients", "steps", "columns"}
    assert not counts_rows(traces(lambda x: tf.sort(x @ W, 0))[1])
    assert not counts_rows(traces(lambda x: tf.matmul(x, x, transpose_b=True) + tf.norm(x @ W))[1])


MOST = 40


def everything(x: Any) -> list[Any]:
    """Of all that is guessed, what is there for any size; and schedules that ask for sizes."""
    y = x @ tf.tile(tf.constant(W), [1, 20])
    names = ("images", "gradients", "steps", "layer norm", "columns", "twice")
    found: dict[str, Any] = {name: GUESSED[name](x) for name in names}
    found["wide"] = tf.nn.relu(y @ tf.ones([80, 70]))
    found["weights"] = tf.matmul(y, y * 0.5, transpose_a=True)
    found["rows"] = tf.reshape(tf.repeat(y, 32, 0), [-1, 80]) @ tf.ones([80, 33])
    found["long"] = tf.reduce_sum(tf.repeat(y, 32, 0), 0), tf.math.reduce_variance(y)
    found["batch"] = tf.einsum("nij,nkj->nik", y[:, None] * x[..., None], y[:, None] + x[..., None])
    found["extremes"] = tf.reduce_max(x, 0), tf.argmin(x, 0), tf.reduce_prod(x, 0), tf.norm(x)
    return tf.nest.flatten(found)


def test_smaller_sizes_compile_nothing_though_nobody_expected_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They give the bits of a program for the size."""
    compiled = []
    compile_program = program.compile_program

    def counted(*arguments: Any) -> Any:
        compiled.append(arguments[0].name)
        return compile_program(*arguments)

    monkeypatch.setattr(program, "compile_program", counted)
    f = tf.function(everything, autograph=False)
    data = rng.standard_normal((MOST, 6), np.float32)
    for size in (MOST, 7, 1, MOST):
        x = tf.constant(data[:size])
        before = len(compiled)
        found = f(x)
        assert (len(compiled) > before) == (not before), size
        if size == 7:
            signature = [tf.TensorSpec([size, 6])]
            wanted = tf.function(everything, signature, autograph=False)(x)
            for i, (a, b) in enumerate(zip(found, wanted, strict=True)):
                assert a.numpy().tobytes() == b.numpy().tobytes(), (size, i)
    assert f.experimental_get_tracing_count() == 2
    assert [c.inputs[0].shape.as_list() for c in f.concrete_functions] == [[MOST, 6], [None, 6]]


def test_smaller_sizes_on_tapes_inside_others_and_with_other_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is for some sizes is nowhere asked for others."""
    monkeypatch.setattr(traces_of, "EXPECTING_OPS_MIN", 0)
    v, w = tf.Variable(W), tf.Variable(2.0 * W)
    f = tf.function(lambda x, u: tf.reduce_sum(tf.nn.relu(x @ u)))
    outer = tf.function(lambda x: f(x, v) + 1.0)
    data = rng.standard_normal((9, 6), np.float32)
    for size in (5, 3, 9, 2, 5):
        x = tf.constant(data[:size])
        for u in (v, w):
            wanted = np.maximum(data[:size] @ u.numpy(), 0.0)
            np.testing.assert_allclose(f(x, u), wanted.sum(), rtol=1e-5)
            with tf.GradientTape() as tape:
                y = f(x, u)
            gradient = data[:size].T @ (wanted > 0)
            np.testing.assert_allclose(tape.gradient(y, u), gradient, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(outer(x), f(x, v) + 1.0)
    assert f.experimental_get_tracing_count() == 2
    assert "would run trace 2" in f.explain(tf.constant(data[:4]), v)
