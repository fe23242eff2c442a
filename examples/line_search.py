"""Gradient descent with a backtracking line search: Python control flow on tensor values.

How often a step is halved depends on the data. In eager code that is an ordinary `while` loop.
"""

from __future__ import annotations

from collections.abc import Callable

import tfc as tf

STEPS = 40


def line_search_step(
    fn: Callable[[tf.Tensor], tf.Tensor], init_x: tf.Tensor, rate: float = 1.0
) -> tuple[tf.Tensor, tf.Tensor, float]:
    """One step down the gradient, halved until the value falls enough.

    Returns the new point, the value there, and the rate that was used.
    """
    with tf.GradientTape() as tape:
        tape.watch(init_x)  # variables are watched of themselves, other tensors are not
        value = fn(init_x)
    (grad,) = tape.gradient(value, [init_x])
    grad_norm = tf.reduce_sum(grad * grad)
    init_value = value
    x, used = init_x, 0.0
    while value > init_value - rate * grad_norm:
        x = init_x - rate * grad
        value = fn(x)
        used = rate
        rate /= 2.0
    return x, value, used


def main() -> None:
    steepness = tf.constant([1.0, 4.0, 9.0])
    lowest = tf.constant([3.0, -2.0, 0.5])

    def bowl(x: tf.Tensor) -> tf.Tensor:
        return tf.reduce_sum(steepness * tf.square(x - lowest))

    x = tf.constant([10.0, 10.0, 10.0])
    print(f"start: value {bowl(x):.6f} at {x.numpy()}")
    for step in range(1, STEPS + 1):
        x, value, rate = line_search_step(bowl, x)
        if step <= 3 or step % 10 == 0:
            print(f"step {step:2d}: value {value:.6f} with rate {rate:g}")
    print(f"found {x.numpy()}, the lowest point is {lowest.numpy()}")


if __name__ == "__main__":
    main()
