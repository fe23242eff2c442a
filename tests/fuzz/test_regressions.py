"""What random programs and hostile sizes have found, each at its smallest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import native
from tests.fuzz import ways
from tfc.ir import passes
from tfc.ir.text import parse

pytestmark = pytest.mark.usefixtures("baseline_code")


def same_in_every_way(
    program: Callable[..., Any], inputs: Sequence[Any], others: Sequence[Any] | None = None
) -> None:
    scope = {"program": program, "inputs": tuple(inputs), "state": ()}
    ways.check(ways.Case({**scope, "others": tuple(inputs if others is None else others)}))


# Eagerly, extents are symbols of compiled code; 0 was one among operands and none among sizes.


def test_extents_of_zero_broadcast_eagerly() -> None:
    assert tf.broadcast_to(tf.zeros([0, 2, 1]), [2, 0, 2, 1]).shape == (2, 0, 2, 1)
    assert tf.tile(tf.zeros([0, 1]), [1, 2]).shape == (0, 2)


def test_many_extents_in_one_eager_op() -> None:
    assert tf.concat([tf.ones([n]) for n in range(2, 82)], 0).shape == (3320,)


# On a tape, equal numbers are one symbol: also where one of them is another plus 1.


def test_tapes_on_padded_extents() -> None:
    def program(x: Any) -> Any:
        y = tf.pad(x, [[1, 1], [1, 0], [0, 0]])  # [1,2,3] -> [3,3,3]
        return (tf.matmul(y, y),)

    same_in_every_way(program, [tf.ones([1, 2, 3])])


def test_tapes_on_sizes_that_come_from_padding() -> None:
    def program(x: Any) -> Any:
        y = tf.pad(x, [[1, 1], [0, 1], [2, 0]])  # [1,3,2] -> [3,4,4]
        return (tf.broadcast_to(y, [1, 3, 4, 4]),)

    same_in_every_way(program, [tf.ones([1, 3, 2])])


def test_tapes_multiply_a_padded_vector() -> None:
    def program(x: Any, y: Any) -> Any:
        return (tf.pad(x, [[0, 1]]) * y,)

    same_in_every_way(program, [tf.ones([3]), tf.range(4.0)], [tf.ones([5]), tf.range(6.0)])


# The front end.


def test_known_extents_are_sizes_while_tracing() -> None:
    def program(x: Any) -> Any:
        return (tf.broadcast_to(x, [3, tf.shape(x)[0], tf.shape(x)[1]]),)

    same_in_every_way(program, [tf.ones([2, 5])], [tf.ones([4, 5])])


def test_one_hot_of_bools() -> None:
    hot = tf.one_hot([0, 2], 3, dtype=tf.bool)
    assert np.array_equal(hot, [[True, False, False], [False, False, True]])


def test_integers_that_numpy_calls_long_long() -> None:
    large = tf.constant([2**63 + 1], tf.uint64)  # NumPy makes an unsigned long long of it
    assert (large + large).numpy().tolist() == [2]
    for dtype in ("longlong", "ulonglong"):
        x = tf.constant(np.array([1, 2], dtype))
        assert tf.reduce_sum(x).numpy() == 3


# Memory: extents that only run time knows must not take loads outside of an array. Functions
# refuse at the call, or are traced again; the IR has its own checks.


@pytest.mark.parametrize(
    ("text", "good", "bad", "message"),
    [
        (
            "slice %x {begin = (n - 4,), size = (3,), strides = (1,)} : f32[3]",
            4,
            3,
            "elements -1 to 2 are not within the extent 3",
        ),
        (
            "slice %x {begin = (9,), size = (3,), strides = (1,)} : f32[3]",
            12,
            11,
            "elements 9 to 12 are not within the extent 11",
        ),
        (
            "slice %x {begin = (0,), size = (n - 4,), strides = (1,)} : f32[n-4]",
            4,
            3,
            "an extent would be -1",
        ),
        (
            "reshape %x {shape = (n//4, 4)} : f32[n//4,4]",
            8,
            7,
            "7 elements cannot be reshaped to 4",
        ),
        (
            "reshape %x {shape = (100000000,)} : f32[100000000]",
            None,
            7,
            "7 elements cannot be reshaped to 100000000",
        ),
        ("reshape %x {shape = (n//(n - 3), n - 3)} : f32[n//(n-3),n-3]", 6, 3, "no such extent"),
        ("arg_max %x {axes = (0,)} : i64", 1, 0, "axis 0 has no elements"),
    ],
)
def test_extents_are_checked_before_anything_runs(
    text: str, good: int | None, bad: int, message: str
) -> None:
    type_ = text.rpartition(" : ")[2]
    result = parse(f"func @f(%x: f32[n]) -> {type_} {{\n  %0 = {text}    # a.py:3\n  return %0\n}}")
    rank = len(result.returns[0].type.shape)
    total = parse(
        f"func @f(%x: f32[n]) -> f32 {{\n  %0 = {text}    # a.py:3\n"
        f"  %1 = cast %0 {{dtype = f32}} : {type_.replace('i64', 'f32')}\n"
        f"  %2 = reduce_sum %1 {{axes = {tuple(range(rank))}}} : f32\n  return %2\n}}"
    )
    for f in (result, total):
        if good is not None:
            f(np.ones(good, np.float32))
        with pytest.raises(tf.errors.InvalidArgumentError, match=message) as caught:
            f(np.ones(bad, np.float32))
        assert "a.py:3" in str(caught.value)


RELAXED: list[tuple[str, Callable[[Any], Any], tuple[int, ...]]] = [
    ("slice", lambda x: tf.slice(x, [1], [2]), (1, 2, 0)),
    ("far", lambda x: tf.reduce_sum(tf.slice(x, [2], [3])), (4, 1)),
    ("place", lambda x: x[-4] * 2.0, (3, 0)),
    ("reshape", lambda x: tf.reduce_sum(tf.reshape(x, [-1, 5]), 1), (7, 1)),
    ("argmax", lambda x: tf.argmax(x, 0), (0,)),
]


@pytest.mark.parametrize(("function", "sizes"), [pytest.param(*r[1:], id=r[0]) for r in RELAXED])
def test_relaxed_functions_refuse_sizes(
    function: Callable[[Any], Any], sizes: tuple[int, ...]
) -> None:
    """After two sizes that fit, with extents that are symbols."""
    compiled = tf.function(function)
    for n in (5, 10):
        native.assert_same_bits(
            [np.asarray(compiled(tf.ones([n])))], [np.asarray(function(tf.ones([n])))]
        )
    for n in sizes:
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
            compiled(tf.ones([n]))


def test_a_reshape_by_no_elements() -> None:
    f = tf.function(lambda x, y: tf.reshape(x, [-1, tf.shape(y)[0]]))
    for n, m in ((8, 2), (9, 3)):
        assert f(tf.ones([n]), tf.ones([m])).shape == (n // m, m)
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
        f(tf.ones([9]), tf.ones([0]))


# Depth: neither Python's nor the machine's stack bounds how long a program is. All chains have more
# ops than Python allows frames; the first two, which are cheap, are long for the machine's stack.


@pytest.mark.parametrize(
    ("steps", "step"),
    [
        pytest.param(1500, lambda x: tf.sqrt(x) + 0.5, id="elementwise"),
        pytest.param(1500, lambda x: tf.reverse(x + 1.0, [0]), id="index-maps"),
        pytest.param(500, lambda x: tf.concat([x[1:], x[:1]], 0) * 0.5, id="concat"),
        pytest.param(500, lambda x: tf.where(x > 0.5, x * 0.9, x + 1.0), id="select"),
    ],
)
def test_deep_chains(steps: int, step: Callable[[Any], Any]) -> None:
    def chain(x: Any) -> Any:
        for _ in range(steps):
            x = step(x)
        return x

    x = tf.constant([0.1, 0.2, 0.3])
    native.assert_same_bits([np.asarray(tf.function(chain)(x))], [np.asarray(chain(x))])


def test_deep_chains_have_gradients() -> None:
    def slope(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(500):
                y = y * y * 0.5 + 0.25
        return tape.gradient(y, x)

    x = tf.constant([0.1, 0.2])
    native.assert_same_bits([np.asarray(tf.function(slope)(x))], [np.asarray(slope(x))])


# Each element of a concatenation asked every operand: LLVM took a minute for a hundred bools.


def test_concatenations_are_as_long_as_their_operands_are_many() -> None:
    def lines(count: int) -> int:
        function = tf.function(lambda *rows: tf.stack(rows))
        specs = [tf.TensorSpec([], tf.bool)] * count
        return len(function.get_concrete_function(*specs).ir("llvm").splitlines())

    few, more, many = lines(50), lines(100), lines(150)
    assert many - more == more - few
    rows = tf.cast(tf.range(300) % 2, tf.bool)
    turned = tf.map_fn(tf.logical_not, rows)
    assert np.array_equal(np.asarray(turned), ~np.asarray(rows))


# A size that nothing needed was to be bound behind the last stage, which does not give it.


def test_sizes_that_nothing_needs() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None])])
    def f(x: Any) -> Any:
        tf.range(tf.shape(x)[0] + 1)
        y = tf.repeat(x, 2, 0)
        tf.range(tf.shape(y)[0] + 1)
        return y

    assert np.asarray(f(tf.constant([1.0, 2.0]))).tolist() == [1.0, 1.0, 2.0, 2.0]


# Operands of an attention are stored when groups are known: one may be computed from another, and
# other kernels may have computed them for themselves, even in the kernel of what they come from.

MADE: dict[str, Callable[[Any], Any]] = {
    "transposed": lambda x: tf.transpose(x),
    "transposed in place": lambda x: tf.transpose(x, [0, 1]),
    "computed": lambda x: x * 2.0,
    "of a product": lambda x: tf.matmul(x, x) * 2.0,
    "of a reduction": lambda x: x - tf.reduce_max(x, 1, keepdims=True),
    "of a reduction, in place": lambda x: tf.transpose(
        x - tf.reduce_max(x, 1, keepdims=True), [0, 1]
    ),
}
READ: dict[str, Callable[[Any, Any], Any]] = {
    "alone": lambda x, y: x,
    "by its elements": lambda x, y: y * y,
    "along rows": lambda x, y: tf.reduce_sum(y * 3.0, 1),
    "by a product": lambda x, y: tf.matmul(y, x),
}


@pytest.mark.parametrize("read", READ)
@pytest.mark.parametrize("made", MADE)
def test_operands_of_an_attention_that_others_read(made: str, read: str) -> None:
    def f(x: Any) -> Any:
        y = MADE[made](x)
        before = READ[read](x, y)
        return before, tf.matmul(tf.nn.softmax(tf.matmul(x, y, transpose_b=True) * 0.5), y)

    x = tf.constant(np.linspace(-1, 1, 9).reshape(3, 3), tf.float32)
    traced = tf.function(f).get_concrete_function(x).function
    for pipeline in ((passes.inline,), passes.OPTIMISE):
        native.assert_same_bits(native.Native(traced, pipeline)(x), [*map(np.asarray, f(x))])


@pytest.mark.parametrize("rounds", [0, 1, 2, 3])
def test_values_that_change_places_in_a_loop(rounds: int) -> None:
    """Eager code knows in which place each was last; a loop in a function carries both, so that the
    gradient by the other is zeros. (TensorFlow's are the same in both.)"""

    def f(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            turns = tf.while_loop(
                lambda i, a, b: i < rounds, lambda i, a, b: (i + 1, b, a), (0, x, y)
            )
            z = turns[1] * 3.0
        return tape.gradient(z, [x, y])

    x, y = tf.constant([2.0]), tf.constant([3.0])
    used = rounds % 2
    eager, traced = f(x, y), tf.function(f)(x, y)
    assert eager[1 - used] is None
    assert [float(eager[used][0]), float(traced[used][0]), float(traced[1 - used][0])] == [3, 3, 0]
