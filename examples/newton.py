"""Newton's method in a compiled loop, and the gradient of what it finds.

How many rounds it takes depends on the data. The loop is one native program all the same, and
gradients flow back through it, to any order.
"""

from __future__ import annotations

import tfc as tf


@tf.function
def cube_root(a: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
    """The cube root of `a`, and the number of rounds that took."""
    x, rounds = a, 0
    while tf.abs(x * x * x - a) > 1e-12 * tf.abs(a):
        x = x - (x * x * x - a) / (3.0 * x * x)
        rounds += 1
    return x, rounds


def main() -> None:
    for number in (8.0, 2.0, 1e6):
        a = tf.constant(number, tf.float64)
        with tf.GradientTape() as second:
            second.watch(a)
            with tf.GradientTape() as first:
                first.watch(a)
                x, rounds = cube_root(a)
            slope = first.gradient(x, a)
        curvature = second.gradient(slope, a)
        print(f"cube root of {number:g}: {x.numpy():.9g} in {rounds} rounds")
        exact = number ** (-2 / 3) / 3, -2 / 9 * number ** (-5 / 3)
        print(f"   slope     {slope.numpy():.9g}, by calculus {exact[0]:.9g}")
        print(f"   curvature {curvature.numpy():.9g}, by calculus {exact[1]:.9g}")


if __name__ == "__main__":
    main()
