"""Short last axes go first: lanes have work, and the bits are those of the ops one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir import passes
from tfc.ir.ops.reduction import Reduction
from tfc.ir.ops.shape import Transpose
from tfc.ir.passes.layout import MOVED_AXIS_ELEMENTS_MAX, layout


def distances(x: Any, y: Any, w: Any) -> Any:
    apart = x[:, None, :] - y[None, :, :]
    return tf.reduce_sum(apart * apart, 2) + w


def forces(x: Any, y: Any, w: Any) -> Any:
    apart = x[:, None, :] - y[None, :, :]
    return tf.reduce_sum(apart * w[:, :, None], 1), tf.reduce_max(apart * w[:, :, None], [0, 1])


def signed(x: Any, y: Any, w: Any) -> Any:
    apart = x[:, None, :] - y[None, :, :]
    return tf.reduce_any(apart > w[:, :, None], 2), tf.reduce_prod(2.0 - apart, [2])


def two_steps(x: Any, y: Any, w: Any) -> Any:
    pull = forces(x, y, w)[0]
    return distances(x + 0.1 * pull, y, w), pull


PROGRAMS = [distances, forces, signed, two_steps]


def numbers(n: int, m: int, d: int) -> list[np.ndarray]:
    rng = np.random.default_rng(n + m + d)
    return [rng.normal(size=s).astype(np.float32) for s in ((n, d), (m, d), (n, m))]


def bits(results: Any) -> list[bytes]:
    return [np.asarray(r).tobytes() for r in tf.nest.flatten(results)]


def optimised(program: Any, *given: Any) -> tuple[Any, Any]:
    """The traced function before and after `layout`."""
    f = tf.function(program).get_concrete_function(*given).function
    f = passes.run(f, (passes.inline, passes.simplify))
    return f, passes.run(f, (layout, passes.cse, passes.dce))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("size", [(40, 17, 3), (16, 100, 2), (33, 64, MOVED_AXIS_ELEMENTS_MAX)])
def test_bits_are_those_of_eager_ops(program: Any, size: tuple[int, int, int]) -> None:
    given = numbers(*size)
    wanted = bits(program(*map(tf.constant, given)))
    assert bits(tf.function(program)(*given)) == wanted
    n, m = [tf.TensorSpec([None, size[2]])] * 2, [tf.TensorSpec([None, None])]
    open_ = tf.function(program, input_signature=n + m)
    assert bits(open_(*given)) == wanted
    for n_, m_ in ((1, 5), (0, 3), (3, 0)):
        small = numbers(n_, m_, size[2])
        assert bits(open_(*small)) == bits(program(*map(tf.constant, small)))


@pytest.mark.parametrize("program", [distances, forces])
def test_the_short_axis_is_first(program: Any) -> None:
    given = numbers(40, 17, 3)
    _, f = optimised(program, *given)
    sums = [op for op in f.body if isinstance(op, Reduction) and op.mnemonic == "reduce_sum"]
    assert [op.x.shape[0] for op in sums] == [3]
    turned = [op for op in f.body if isinstance(op, Transpose)]
    assert all(len(op.x.shape) < 3 or 1 in op.x.shape for op in turned)  # never of all pairs


def wide(x: Any, y: Any, w: Any) -> Any:
    return distances(x, y, w)  # more elements in a point than an axis that moves may have


def whole(x: Any, y: Any, w: Any) -> Any:
    return tf.reduce_sum(tf.reshape(w, [-1, 5, 4]) * 2.0, 2)  # nothing is used twice


def mixed(x: Any, y: Any, w: Any) -> Any:
    return tf.reduce_sum(x[:, None, :] * y[None, :, :], [1, 2])  # the order of sums would change


def costly(x: Any, y: Any, w: Any) -> Any:
    return tf.reduce_sum(tf.exp(x[:, None, :] - y[None, :, :]), 2)


@pytest.mark.parametrize(
    ("program", "size"),
    [(wide, (40, 20, 12)), (whole, (40, 20, 3)), (mixed, (40, 20, 3)), (costly, (40, 20, 3))],
)
def test_others_stay(program: Any, size: tuple[int, int, int]) -> None:
    f, after = optimised(program, *numbers(*size))
    assert [op.mnemonic for op in after.body].count("transpose") == 0
    assert layout(f) is f


def test_gradients_have_the_tapes_bits() -> None:
    x, y, _ = map(tf.constant, numbers(40, 17, 3))

    def gradient(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([x, y])
            loss = tf.reduce_sum(tf.sqrt(distances(x, y, 1.0)))
        return tape.gradient(loss, [x, y])

    assert bits(tf.function(gradient)(x, y)) == bits(gradient(x, y))


def test_what_is_read_across_rows_is_stored_first() -> None:
    def added(x: Any, y: Any) -> Any:
        return x + tf.transpose(y)[None]

    rng = np.random.default_rng(5)
    x = rng.normal(size=(9, 20, 30)).astype(np.float32)
    y = rng.normal(size=(30, 20)).astype(np.float32)
    concrete = tf.function(added).get_concrete_function(x, y)
    assert concrete.ir("kernels", verbose=True).count("launch") == 2
    assert np.array_equal(tf.function(added)(x, y), x + y.T)
    few = tf.function(added).get_concrete_function(x[:2], y)
    assert few.ir("kernels", verbose=True).count("launch") == 1
