"""The Mandelbrot set: for each point, a loop that ends when it has gone too far.

The loop over points and the loop inside of it become one native kernel, in which z stays in
registers. The function is Python: called eagerly, it gives the same numbers.
"""

from __future__ import annotations

import sys

import tfc as tf

LIMIT = 100
SHADES = " .:-=+*#%@"


def escape_time(c: tf.Tensor) -> tf.Tensor:
    """After how many rounds of z = z^2 + c its size is above 2."""
    z, rounds = tf.zeros([], tf.complex64), 0
    while rounds < LIMIT and tf.math.real(z * tf.math.conj(z)) <= 4.0:
        z = z * z + c
        rounds += 1
    return rounds


@tf.function
def mandelbrot(width: int, height: int) -> tf.Tensor:
    """The escape times of a grid of points."""
    real, imag = tf.meshgrid(tf.linspace(-2.2, 0.8, width), tf.linspace(-1.2, 1.2, height))
    points = tf.reshape(tf.complex(real, imag), [-1])
    times = tf.map_fn(escape_time, points, fn_output_signature=tf.int32)
    return tf.reshape(times, [height, width])


def main() -> None:
    width, height = (int(argument) for argument in sys.argv[1:] or (64, 24))
    times = mandelbrot(width, height).numpy()
    for row in times:
        print("".join(SHADES[min(t, 19) // 2] if t < LIMIT else "@" for t in row).rstrip())
    inside = int((times == LIMIT).sum())
    print(f"{inside} of {times.size} points have not left after {LIMIT} rounds")


if __name__ == "__main__":
    main()
