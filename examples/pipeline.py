"""Training from a pipeline: digits in records, an epoch as one native program, and a job that is
killed and goes on with the same bits.

The images are written as TFRecords, read back, augmented, shuffled and batched. The pipeline says
how it runs (`explain`). A loop over it inside a function is native code from the first batch to the
last. In the end training is stopped in the middle of an epoch, with a checkpoint of the network and
of the pipeline's place, and another network goes on from there.

    python examples/pipeline.py --epochs 5
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits

import tfc as tf

BATCH = 64


def write(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Write four of five digits as records; the others are given back."""
    images, labels = load_digits(return_X_y=True)
    images, labels = images.astype(np.uint8), labels.astype(np.int64)
    test = np.arange(len(labels)) % 5 == 0
    with tf.io.TFRecordWriter(str(path)) as writer:
        for image, label in zip(images[~test], labels[~test], strict=True):
            feature = {
                "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[image.tobytes()])),
                "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(label)])),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())
    return images[test].astype(np.float32) / 16, labels[test]


def parse(record: Any) -> tuple[Any, Any]:
    """An image and its label."""
    features = {
        "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    }
    found = tf.io.parse_single_example(record, features)
    pixels = tf.io.decode_raw(found["image"], tf.uint8)
    return tf.reshape(pixels, [8, 8]), found["label"]


def noisy(number: Any, digit: tuple[Any, Any]) -> tuple[Any, Any]:
    """The pixels with noise, which is drawn from the image's number: so it is the same wherever the
    image comes in an epoch, and on whatever machine."""
    image, label = digit
    noise = tf.random.stateless_normal([64], [number, 0], stddev=0.1)
    return tf.reshape(tf.cast(image, tf.float32) / 16.0, [64]) + noise, label


def pipeline(path: Path) -> tf.data.Dataset:
    """Records are read and parsed once, and kept; what follows is done in each epoch."""
    digits = tf.data.TFRecordDataset(str(path)).map(parse)
    columns = next(iter(digits.batch(100_000)))
    kept = tf.data.Dataset.from_tensor_slices(columns)
    return kept.enumerate().shuffle(len(kept), seed=1).map(noisy).batch(BATCH)


class Network(tf.Module):
    """64 pixels, 32 hidden units, 10 classes; trained by plain gradient descent."""

    def __init__(self) -> None:
        super().__init__()
        random = tf.random.Generator.from_seed(7)
        self.w = tf.Variable(random.normal([64, 32]) / 8.0)
        self.b = tf.Variable(tf.zeros([32]))
        self.v = tf.Variable(random.normal([32, 10]) / 6.0)
        self.c = tf.Variable(tf.zeros([10]))

    def logits(self, images: Any) -> Any:
        return tf.nn.relu(images @ self.w + self.b) @ self.v + self.c

    @tf.function
    def step(self, images: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, self.logits(images))
            loss = tf.reduce_mean(losses)
        variables = self.trainable_variables
        for variable, gradient in zip(variables, tape.gradient(loss, variables), strict=True):
            variable.assign_sub(0.5 * gradient)
        return loss

    def bits(self) -> bytes:
        return b"".join(v.numpy().tobytes() for v in self.variables)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train from a pipeline, stop, and go on.")
    parser.add_argument("--epochs", type=int, default=15)
    epochs = parser.parse_args().epochs

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "digits.tfrecord"
        test_images, test_labels = write(path)
        dataset = pipeline(path)
        print(dataset.explain())

        network = Network()

        @tf.function
        def epoch() -> Any:  # gathering, augmentation and training: one program
            total, count = 0.0, 0.0
            for images, labels in dataset:
                total += network.step(images, labels)
                count += 1.0
            return total / count

        for number in range(1, epochs + 1):
            loss = epoch()
            if number in (1, epochs):
                print(f"epoch {number}: loss {loss:.3f}")
        guesses = tf.argmax(network.logits(test_images), 1)
        print(f"test accuracy: {np.mean(guesses.numpy() == test_labels):.1%}")

        # One job runs through an epoch; another one is stopped after 7 batches, and goes on in
        # objects that know nothing of the first but what the checkpoint says.
        whole, stopped, resumed = Network(), Network(), Network()
        for images, labels in pipeline(path):
            whole.step(images, labels)

        place = iter(pipeline(path))
        for _ in range(7):
            stopped.step(*next(place))
        saved = tf.train.Checkpoint(network=stopped, place=place).save(f"{folder}/stopped")

        place = iter(pipeline(path))
        tf.train.Checkpoint(network=resumed, place=place).restore(saved).assert_consumed()
        for images, labels in place:
            resumed.step(images, labels)
        print("the same bits:", resumed.bits() == whole.bits())


if __name__ == "__main__":
    main()
