"""A model that is saved as data, and runs and trains where its Python source is not.

The folder has IR as text, numbers, and a manifest. A second process, which does not know the class,
loads it, gets the same bits, and trains it further.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import tfc as tf

ELSEWHERE = """
import sys
import tfc as tf
model = tf.saved_model.load(sys.argv[1])
x, y = tf.constant([[0.5], [1.0], [2.0]]), tf.constant([[1.0], [2.0], [4.0]])
print("there ", model(x).numpy().tobytes().hex())
for _ in range(200):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
        v.assign_sub(0.1 * g)
print(f"trained there: loss {float(loss):.6f} after {int(model.calls)} calls")
"""


class Model(tf.Module):
    """A small network that counts its calls."""

    def __init__(self):
        super().__init__()
        rng = np.random.default_rng(4)
        self.hidden = tf.Variable(rng.normal(size=(1, 8)), dtype=tf.float32, name="hidden")
        self.out = tf.Variable(rng.normal(size=(8, 1)) / 8, dtype=tf.float32, name="out")
        self.calls = tf.Variable(0, trainable=False, name="calls")

    @tf.function(input_signature=[tf.TensorSpec([None, 1])])
    def __call__(self, x):
        self.calls.assign_add(1)
        return tf.tanh(x @ self.hidden) @ self.out


def main() -> None:
    """Save, look at what is there, and load it in another process."""
    model = Model()
    x = tf.constant([[0.5], [1.0], [2.0]])
    print("here  ", model(x).numpy().tobytes().hex())
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(model, folder)
        files = sorted(str(p.relative_to(folder)) for p in Path(folder).rglob("*.*"))
        print("files ", ", ".join(files))
        print(Path(folder, "functions", "0.ir").read_text().splitlines()[0])
        sys.stdout.flush()
        subprocess.run([sys.executable, "-c", ELSEWHERE, folder], check=True)


if __name__ == "__main__":
    main()
