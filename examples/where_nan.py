"""Where nan comes from, why a gradient is None, and a look at each step: `tfc.debugging`.

A distance has no derivative where two points meet: its gradient is nan, although its value is not.
`trace_nans` names the op, the element and the line; `step` runs the function op by op; and
`tape.explain` says where the way of a gradient ends.
"""

from __future__ import annotations

import tfc as tf


@tf.function
def spread(points):
    """The mean distance of each point from the next."""
    apart = points[1:] - points[:-1]
    squares = tf.reduce_sum(apart * apart, 1)
    return tf.reduce_mean(tf.sqrt(squares))


def rounded(x):
    """A value on a grid: a way on which no gradient comes back."""
    cells = tf.cast(x * 10.0, tf.int32)
    return tf.cast(cells, tf.float32) / 10.0


def main() -> None:
    """Find a nan, walk to it, and explain a gradient that is not there."""
    points = tf.constant([[0.0, 0.0], [3.0, 4.0], [3.0, 4.0]])
    print("spread", float(spread(points)))
    print("its gradient", tf.grad(spread)(points).numpy().ravel().tolist())

    print("\nWhere does that come from?")
    with tf.debugging.trace_nans():
        try:
            tf.grad(spread)(points)
        except tf.errors.InvalidArgumentError as error:
            print(error)

    print("\nStep by step, to the square root:")
    tf.debugging.step(spread, points, commands=["b sqrt", "c", "n", "q"])

    print("\nWhy is this gradient None?")
    x = tf.Variable(0.37)
    with tf.GradientTape(persistent=True) as tape:
        y = rounded(x)
    print(tape.gradient(y, x))
    print(tape.explain(y, x))


if __name__ == "__main__":
    main()
