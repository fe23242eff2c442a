"""Fizzbuzz, eagerly: tensors as Python numbers, and Python's own control flow."""

from __future__ import annotations

import sys

import tfc as tf


def fizzbuzz(max_num: int) -> tf.Tensor:
    """Print the numbers up to `max_num`, and return how many of them were replaced."""
    counter = tf.constant(0)
    limit = tf.convert_to_tensor(max_num)
    for i in range(1, limit.numpy() + 1):
        num = tf.constant(i)
        if int(num % 3) == 0 and int(num % 5) == 0:
            print("FizzBuzz")
        elif int(num % 3) == 0:
            print("Fizz")
        elif int(num % 5) == 0:
            print("Buzz")
        else:
            print(num.numpy())
            continue
        counter += 1
    return counter


def main() -> None:
    max_num = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    print("replaced:", fizzbuzz(max_num).numpy())


if __name__ == "__main__":
    main()
