"""The 100th power of an integer matrix: a hundred small ops, one by one and as one function."""

from __future__ import annotations

import argparse
import timeit

import tfc as tf


def power(x: tf.Tensor, y: int) -> tf.Tensor:
    """`x` multiplied `y` times onto the identity; int32 arithmetic wraps around."""
    result = tf.eye(10, dtype=tf.dtypes.int32)
    for _ in range(y):
        result = tf.matmul(x, result)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=1000, help="how many calls to time")
    number = parser.parse_args().number

    x = tf.random.uniform(shape=[10, 10], minval=-1, maxval=2, dtype=tf.dtypes.int32)
    power_as_graph = tf.function(power)

    # The first call of each traces and compiles; it is not what is measured here.
    eager_value, graph_value = power(x, 100), power_as_graph(x, 100)
    same = bool(tf.reduce_all(eager_value == graph_value))

    print(f"power(x, 100), {number} times, in seconds:")
    print("Eager execution:", timeit.timeit(lambda: power(x, 100), number=number))
    print("Graph execution:", timeit.timeit(lambda: power_as_graph(x, 100), number=number))
    print("Equal results:", same)


if __name__ == "__main__":
    main()
