"""Collatz sequences, eagerly: tensors in ordinary `while` and `if`.

From any number go to its half if it is even, else to three times the number plus one. Every
number that anyone has tried comes to one.
"""

from __future__ import annotations

import sys

import tfc as tf


def collatz(x: tf.Tensor) -> tuple[list[int], tf.Tensor]:
    """The numbers from `x` down to one, and how many steps that took."""
    sequence = [int(x)]
    steps = tf.constant(0)
    while x > 1:
        x = x // 2 if x % 2 == 0 else 3 * x + 1
        sequence.append(int(x))
        steps += 1
    return sequence, steps


def main() -> None:
    starts = [int(argument) for argument in sys.argv[1:]] or [6, 27]
    for start in starts:
        sequence, steps = collatz(tf.constant(start, dtype=tf.int64))
        shown = sequence if len(sequence) <= 12 else [*sequence[:6], "...", *sequence[-5:]]
        print(f"{start}: {' '.join(map(str, shown))}")
        print(f"   {steps.numpy()} steps, highest {max(sequence)}")


if __name__ == "__main__":
    main()
