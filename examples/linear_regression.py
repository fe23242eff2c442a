"""Fit a line to noisy points around 3 * x + 2: gradients from a tape, updates by hand."""

from __future__ import annotations

import tfc as tf

NUM_EXAMPLES = 1000
TRAIN_STEPS = 200
LEARNING_RATE = 0.01


def prediction(x: tf.Tensor, weight: tf.Variable, bias: tf.Variable) -> tf.Tensor:
    return x * weight + bias


def main() -> None:
    tf.random.set_seed(7)

    # A toy data set of points around 3 * x + 2.
    training_inputs = tf.random.normal([NUM_EXAMPLES])
    noise = tf.random.normal([NUM_EXAMPLES])
    training_outputs = training_inputs * 3 + 2 + noise

    def loss(weights: tf.Variable, biases: tf.Variable) -> tf.Tensor:
        """The mean squared error."""
        error = prediction(training_inputs, weights, biases) - training_outputs
        return tf.reduce_mean(tf.square(error))

    def grad(weights: tf.Variable, biases: tf.Variable) -> list[tf.Tensor]:
        """The derivatives of the loss with respect to weight and bias."""
        with tf.GradientTape() as tape:
            loss_value = loss(weights, biases)
        return tape.gradient(loss_value, [weights, biases])

    # Start with arbitrary values for W and B.
    W = tf.Variable(5.0)
    B = tf.Variable(10.0)

    print(f"Initial loss: {loss(W, B):.3f}")
    for i in range(TRAIN_STEPS):
        dW, dB = grad(W, B)
        W.assign_sub(dW * LEARNING_RATE)
        B.assign_sub(dB * LEARNING_RATE)
        if i % 20 == 0:
            print(f"Loss at step {i:03d}: {loss(W, B):.3f}")
    print(f"Final loss: {loss(W, B):.3f}")
    print(f"W = {W.numpy()}, B = {B.numpy()}")


if __name__ == "__main__":
    main()
