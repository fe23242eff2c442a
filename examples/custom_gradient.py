"""A derivative of one's own, where the automatic one is numerically unstable.

The derivative of log(1 + exp(x)) is exp(x) / (1 + exp(x)). At x = 100 exp(x) overflows in float32
and the chain rule computes inf / inf. Written as 1 - 1 / (1 + exp(x)) it is 1.0 there.
"""

from __future__ import annotations

from collections.abc import Callable

import tfc as tf


def log1pexp(x: tf.Tensor) -> tf.Tensor:
    """The softplus function, with the derivative that the chain rule gives."""
    return tf.math.log(1 + tf.exp(x))


@tf.custom_gradient
def stable_log1pexp(x: tf.Tensor) -> tuple[tf.Tensor, Callable[[tf.Tensor], tf.Tensor]]:
    """The same function with a derivative that holds for every x."""
    e = tf.exp(x)

    def grad(dy: tf.Tensor) -> tf.Tensor:
        return dy * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


def derivative(f: Callable[[tf.Tensor], tf.Tensor], at: float) -> float:
    """The derivative of `f` at a number, by a tape."""
    x = tf.constant(at)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return float(tape.gradient(y, x))


def main() -> None:
    print("derivative of log(1 + exp(x))")
    for at in (0.0, 100.0):
        print(f"  automatic at x = {at:g}: {derivative(log1pexp, at):g}")
    for at in (0.0, 100.0):
        print(f"  custom    at x = {at:g}: {derivative(stable_log1pexp, at):g}")

    # A custom gradient is kept inside compiled functions too.
    compiled = tf.function(stable_log1pexp)
    for at in (0.0, 100.0):
        print(f"  compiled  at x = {at:g}: {derivative(compiled, at):g}")


if __name__ == "__main__":
    main()
