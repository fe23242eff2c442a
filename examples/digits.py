"""Train a small network on real handwritten digits, and look at the code that does it.

The data are the 1797 scans of 8 x 8 pixels that scikit-learn ships (the test set of UCI's
"Optical Recognition of Handwritten Digits"). The same training step runs eagerly first, then
compiled. At the end stand the first lines of the step's own program, and a page is written that
shows what became of each line of it, down to the machine code.

    python examples/digits.py               # the program cut to its first lines
    python examples/digits.py --full        # as it was traced, optimised, and as kernels
    python examples/digits.py --epochs 5
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np
from sklearn.datasets import load_digits

import tfc as tf

BATCH = 64
LEARNING_RATE = 0.1  # at first; it falls to nothing in even steps, one an epoch
MOMENTUM = 0.9
SHOWN_LINES = 20

Array = np.ndarray


class Network:
    """64 pixels, 64 hidden units, 10 digits; and a velocity for each parameter."""

    def __init__(self) -> None:
        self.w1 = tf.Variable(tf.random.normal([64, 64], stddev=(2 / 64) ** 0.5), name="w1")
        self.b1 = tf.Variable(tf.zeros([64]), name="b1")
        self.w2 = tf.Variable(tf.random.normal([64, 10], stddev=(1 / 64) ** 0.5), name="w2")
        self.b2 = tf.Variable(tf.zeros([10]), name="b2")
        self.parameters = [self.w1, self.b1, self.w2, self.b2]
        self.velocities = [
            tf.Variable(tf.zeros(p.shape), name=f"velocity_{p.name[:-2]}") for p in self.parameters
        ]
        self.rate = tf.Variable(LEARNING_RATE, name="rate")

    def logits(self, images: tf.Tensor) -> tf.Tensor:
        hidden = tf.nn.relu(tf.matmul(images, self.w1) + self.b1)
        return tf.matmul(hidden, self.w2) + self.b2

    def loss(self, images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=self.logits(images)
        )
        return tf.reduce_mean(losses)

    def accuracy(self, images: tf.Tensor, labels: tf.Tensor) -> float:
        correct = tf.argmax(self.logits(images), axis=1) == labels
        return float(tf.reduce_mean(tf.cast(correct, tf.float32)))

    def train_step(self, images: tf.Tensor, labels: tf.Tensor) -> tf.Tensor:
        """One step of gradient descent with momentum; returns the loss before it."""
        with tf.GradientTape() as tape:
            loss = self.loss(images, labels)
        gradients = tape.gradient(loss, self.parameters)
        for p, v, g in zip(self.parameters, self.velocities, gradients, strict=True):
            v.assign(MOMENTUM * v + g)
            p.assign_sub(self.rate * v)
        return loss


def load() -> tuple[Array, Array, Array, Array]:
    """Training images and labels, test images and labels (every fifth digit)."""
    images, labels = load_digits(return_X_y=True)
    images = (images / 16).astype(np.float32)
    labels = labels.astype(np.int64)
    order = np.random.default_rng(0).permutation(len(labels))
    test, train = order[::5], np.delete(order, slice(None, None, 5))
    return images[train], labels[train], images[test], labels[test]


def batches(
    images: Array, labels: Array, rng: np.random.Generator
) -> Iterator[tuple[tf.Tensor, tf.Tensor]]:
    """One epoch in mini-batches; the last has what is left over."""
    order = rng.permutation(len(labels))
    for start in range(0, len(order), BATCH):
        chosen = order[start : start + BATCH]
        yield tf.constant(images[chosen]), tf.constant(labels[chosen])


def train_epoch(
    step: Callable[[tf.Tensor, tf.Tensor], tf.Tensor],
    data: list[tuple[tf.Tensor, tf.Tensor]],
) -> tuple[float, float]:
    """The mean loss over an epoch, and the mean time of a step in milliseconds."""
    start = time.perf_counter()
    losses = [step(images, labels) for images, labels in data]
    mean = float(np.mean([loss.numpy() for loss in losses]))
    return mean, (time.perf_counter() - start) * 1000 / len(data)


def report(epoch: int, loss: float, accuracy: float, step_ms: float) -> None:
    """One line of progress."""
    learnt = f"loss {loss:.4f}, test accuracy {accuracy:6.1%}"
    print(f"epoch {epoch:2d}: {learnt}, {step_ms:.3f} ms a step", flush=True)


def show(title: str, text: str, full: bool) -> None:
    """Print a program, cut to its first lines unless all of it is wanted."""
    lines = text.rstrip().splitlines()
    shown = lines if full else lines[:SHOWN_LINES]
    print(f"\n== {title}: {len(lines)} lines")
    print("\n".join(shown))
    if len(shown) < len(lines):
        print(f"... {len(lines) - len(shown)} more lines (--full shows all)")


def main() -> None:
    parser = argparse.ArgumentParser(description="Train on handwritten digits; show the code.")
    parser.add_argument("--epochs", type=int, default=40, help="how many, one of them eager")
    parser.add_argument("--full", action="store_true", help="print the programs uncut")
    options = parser.parse_args()

    tf.random.set_seed(1)
    rng = np.random.default_rng(1)
    train_images, train_labels, *test = load()
    test_images, test_labels = tf.constant(test[0]), tf.constant(test[1])
    per_epoch = -(-len(train_labels) // BATCH)
    print(
        f"{len(train_labels)} digits to learn from, {len(test[1])} to be tested on; "
        f"{per_epoch} batches of {BATCH}, the last of {(len(train_labels) - 1) % BATCH + 1}"
    )

    network = Network()
    print(f"untrained: accuracy {network.accuracy(test_images, test_labels):.1%}")

    print("\n== eager: each op runs as Python comes to it")
    data = list(batches(train_images, train_labels, rng))
    start = time.perf_counter()
    first = network.train_step(*data[0])
    print(f"first step (compiles each op): {(time.perf_counter() - start) * 1000:.1f} ms, ", end="")
    print(f"loss {first:.4f}")
    loss, eager_ms = train_epoch(network.train_step, data[1:])
    accuracy = network.accuracy(test_images, test_labels)
    report(1, loss, accuracy, eager_ms)

    print("\n== compiled: the same step as one function, for batches of any size")
    step = tf.function(
        network.train_step,
        input_signature=[
            tf.TensorSpec([None, 64], tf.float32, name="images"),
            tf.TensorSpec([None], tf.int64, name="labels"),
        ],
    )
    concrete = step.get_concrete_function()
    compiled_ms = float("inf")
    for epoch in range(2, options.epochs + 1):
        network.rate.assign(LEARNING_RATE * (1 - (epoch - 1) / options.epochs))
        data = list(batches(train_images, train_labels, rng))
        loss, epoch_ms = train_epoch(step, data)
        compiled_ms = min(compiled_ms, epoch_ms)
        accuracy = network.accuracy(test_images, test_labels)
        report(epoch, loss, accuracy, epoch_ms)

    print("\n== times")
    for stage, milliseconds in concrete.timings.items():
        print(f"{stage:>12}: {milliseconds:8.2f} ms")
    print(f"{'in all':>12}: {sum(concrete.timings.values()):8.2f} ms to get the step ready")
    print(f"{'eager step':>12}: {eager_ms:8.3f} ms (mean of the first epoch)")
    if options.epochs > 1:
        print(f"{'step':>12}: {compiled_ms:8.3f} ms (mean of the fastest epoch)")
    print(f"\ntest accuracy: {accuracy:.2%}")
    if options.full:
        show("the training step as traced", concrete.ir("traced"), True)
        show("as fused kernels", concrete.ir("kernels"), True)
    show("the training step after optimisation", concrete.ir("optimised"), options.full)
    page = concrete.explore(args=data[0])
    print(f"\n== a page that shows what became of each line, down to the machine code:\n{page}")


if __name__ == "__main__":
    main()
