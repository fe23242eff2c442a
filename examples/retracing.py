"""Why a function was traced again: `explain`, and what a symbolic size saves.

A training step sees batches of 32 rows and a shorter one at the end of the epoch. Two traces do for
all sizes. A Python number that changes with every call is another matter: each value is compiled
in, and `explain` says what to write instead.
"""

from __future__ import annotations

import warnings

import numpy as np

import tfc as tf

data = np.random.default_rng(0).normal(size=(150, 4)).astype(np.float32)
w = tf.Variable(tf.ones([4, 1]))


@tf.function
def step(x, rate):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    w.assign_sub(rate * tape.gradient(loss, w))
    return loss


def epoch(rate):
    """One round over the data, the last batch of 22 rows."""
    for start in range(0, len(data), 32):
        loss = step(tf.constant(data[start : start + 32]), rate)
    return float(loss)


def main() -> None:
    """Train with a rate that is a tensor, then with Python numbers."""
    for k in range(3):
        print(f"loss {epoch(tf.constant(0.1 * 0.5**k)):.4f}")
    print(step.explain())

    print("\nWhat would a call with a Python number do?")
    print(step.explain(tf.constant(data), 0.05))

    print("\nA rate that is a Python number, new in each epoch:")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for k in range(6):
            epoch(0.1 * 0.5**k)
    print(f"{step.experimental_get_tracing_count()} traces, {len(caught)} warning:")
    print("\n".join(str(caught[0].message).splitlines()[:2]))

    print("\nOne trace for any size, its program in tensor operations:")
    concrete = step.get_concrete_function(tf.TensorSpec([None, 4]), tf.TensorSpec([]))
    print(concrete.pretty_printed_signature())
    print(concrete.ir("optimised"))


if __name__ == "__main__":
    main()
