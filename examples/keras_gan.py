"""A generative adversarial network: two models, two optimizers, and a `train_step` of one's own.

The generator learns points of a ring from random numbers alone, by what the discriminator, which
learns to tell them from true ones, has to say of them (Goodfellow et al., "Generative adversarial
networks", 2014). `fit` runs the step, compiled, and keeps the books.

    python examples/keras_gan.py --epochs 40
"""

from __future__ import annotations

import argparse

import numpy as np

import tfc as tf

NOISE, POINTS, BATCH = 4, 1024, 64


def layers(units: int, activation: str | None, inputs: int) -> tf.keras.Model:
    return tf.keras.Sequential(
        [
            tf.keras.Input((inputs,)),
            tf.keras.layers.Dense(32),
            tf.keras.layers.LeakyReLU(0.2),
            tf.keras.layers.Dense(32),
            tf.keras.layers.LeakyReLU(0.2),
            tf.keras.layers.Dense(units, activation=activation),
        ]
    )


class GAN(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.generator = layers(2, None, NOISE)
        self.discriminator = layers(1, None, 2)
        self.seed = tf.keras.random.SeedGenerator(3)
        self.d_loss = tf.keras.metrics.Mean(name="d_loss")
        self.g_loss = tf.keras.metrics.Mean(name="g_loss")

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer = d_optimizer
        self.g_optimizer = g_optimizer
        self.loss_fn = loss_fn

    @property
    def metrics(self):
        return [self.d_loss, self.g_loss]

    def noise(self, count):
        return tf.keras.random.normal((count, NOISE), seed=self.seed)

    def train_step(self, real):
        count = tf.shape(real)[0]
        ones, zeros = tf.ones((count, 1)), tf.zeros((count, 1))

        made = self.generator(self.noise(count))
        with tf.GradientTape() as tape:
            said = self.discriminator(tf.concat([real, made], axis=0))
            d_loss = self.loss_fn(tf.concat([0.9 * ones, zeros], axis=0), said)
        weights = self.discriminator.trainable_weights
        grads = tape.gradient(d_loss, weights)
        self.d_optimizer.apply_gradients(zip(grads, weights, strict=True))

        with tf.GradientTape() as tape:
            said = self.discriminator(self.generator(self.noise(count)))
            g_loss = self.loss_fn(ones, said)
        weights = self.generator.trainable_weights
        grads = tape.gradient(g_loss, weights)
        self.g_optimizer.apply_gradients(zip(grads, weights, strict=True))

        self.d_loss.update_state(d_loss)
        self.g_loss.update_state(g_loss)
        return {m.name: m.result() for m in self.metrics}


class Report(tf.keras.callbacks.Callback):
    """How far from the ring the points are, a few times."""

    def on_epoch_end(self, epoch, logs=None):
        if (epoch + 1) % max(1, self.params["epochs"] // 4) == 0:
            losses = ", ".join(f"{name} {value:.3f}" for name, value in logs.items())
            print(f"epoch {epoch + 1}: {losses}, {described(self.model)}")


def described(gan: GAN) -> str:
    points = gan.generator(gan.noise(500)).numpy()
    radius = np.hypot(*points.T)
    return f"radius {radius.mean():.2f} +- {radius.std():.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a generator of points on a ring.")
    parser.add_argument("--epochs", type=int, default=40)
    epochs = parser.parse_args().epochs

    tf.keras.utils.set_random_seed(2)
    rng = np.random.default_rng(2)
    angles = rng.uniform(0, 2 * np.pi, POINTS)
    radii = rng.normal(2.0, 0.05, POINTS)
    ring = np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1).astype("float32")

    gan = GAN()
    gan.compile(
        d_optimizer=tf.keras.optimizers.Adam(0.003, beta_1=0.5),
        g_optimizer=tf.keras.optimizers.Adam(0.003, beta_1=0.5),
        loss_fn=tf.keras.losses.BinaryCrossentropy(from_logits=True),
    )
    print(f"untrained: {described(gan)}")
    gan.fit(ring, batch_size=BATCH, epochs=epochs, callbacks=[Report()], verbose=0)


if __name__ == "__main__":
    main()
