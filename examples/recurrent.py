"""A recurrent network over sequences of different lengths, trained to tell what it remembers.

The loop runs as many rounds as the longest sequence has steps; where a sequence has ended, its
state stays. One compiled step serves batches of any size and length. The task: of the numbers
seen, give the sum of those that were marked.
"""

from __future__ import annotations

import tfc as tf

UNITS, STEPS = 16, 1000


class Recurrent(tf.Module):
    """h = tanh(x W + h U + b), read out by one more product behind the last step."""

    def __init__(self) -> None:
        super().__init__()
        self.inward = tf.Variable(tf.random.stateless_normal([2, UNITS], (1, 1)) * 0.5)
        self.across = tf.Variable(tf.eye(UNITS) * 0.9)
        self.bias = tf.Variable(tf.zeros([UNITS]))
        self.outward = tf.Variable(tf.random.stateless_normal([UNITS, 1], (1, 2)) * 0.1)

    def __call__(self, x: tf.Tensor, lengths: tf.Tensor) -> tf.Tensor:
        state = tf.zeros([tf.shape(x)[0], UNITS])
        for t in tf.range(tf.reduce_max(lengths)):
            new = tf.tanh(x[:, t] @ self.inward + state @ self.across + self.bias)
            state = tf.where((t < lengths)[:, tf.newaxis], new, state)
        return (state @ self.outward)[:, 0]


def batch(seed: int, size: int, longest: int) -> tuple[tf.Tensor, tf.Tensor, tf.Tensor]:
    """Numbers with marks, the lengths of the sequences, and the sums of what is marked."""
    numbers = tf.random.stateless_uniform([size, longest], (seed, 0), -1.0, 1.0)
    marks = tf.cast(tf.random.stateless_uniform([size, longest], (seed, 1)) < 0.4, tf.float32)
    lengths = tf.random.stateless_uniform([size], (seed, 2), 1, longest + 1, tf.int32)
    seen = tf.sequence_mask(lengths, longest, tf.float32)
    return tf.stack([numbers, marks], 2), lengths, tf.reduce_sum(numbers * marks * seen, 1)


def main() -> None:
    model = Recurrent()

    @tf.function(reduce_retracing=True)
    def step(x: tf.Tensor, lengths: tf.Tensor, wanted: tf.Tensor, rate: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, lengths) - wanted) ** 2)
        variables = model.trainable_variables
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(rate * tf.clip_by_norm(g, 1.0))
        return loss

    for i in range(STEPS):
        x, lengths, wanted = batch(i, 64, 3 + i % 6)
        loss = step(x, lengths, wanted, tf.constant(0.1))
        if i % 200 == 0:
            print(f"step {i:4d}: sequences of up to {x.shape[1]} numbers, loss {loss.numpy():.4f}")
    x, lengths, wanted = batch(-1, 500, 8)
    error = tf.sqrt(tf.reduce_mean((model(x, lengths) - wanted) ** 2))
    spread = tf.sqrt(tf.reduce_mean(wanted**2))
    print(f"unseen: error {error.numpy():.3f}, guessing zero gives {spread.numpy():.3f}")


if __name__ == "__main__":
    main()
