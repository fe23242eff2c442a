"""Convolutions of every kind, one for each way to compute them.

They stand alone, so that a process that runs them need not import the tests and their cases. Run as
a program, it prints the hashes of some, which must not depend on the number of threads; with a
number, of every second one from there on.
"""

from __future__ import annotations

import hashlib
import sys
from typing import Any

import numpy as np

import tfc as tf

# batch, size, channels, taps, results, groups, strides, padding, dilations
WAYS: dict[str, Any] = {
    "plain": (2, (14, 15), 5, (3, 3), 33, 1, (1, 1), "SAME", (1, 1)),
    "strided": (2, (17, 28), 40, (3, 3), 20, 1, (2, 2), "SAME", (1, 1)),
    "far": (2, (16, 30), 3, (7, 7), 16, 1, (2, 3), ((3, 3), (2, 4)), (1, 1)),
    "wider": (1, (24, 24), 3, (4, 4), 40, 1, (4, 5), "VALID", (1, 1)),
    "dilated": (2, (9, 23), 20, (3, 2), 17, 1, (2, 2), "SAME", (3, 2)),
    "line": (2, (40,), 30, (5,), 20, 1, (3,), "SAME", (1,)),
    "cube": (1, (5, 6, 9), 4, (2, 3, 3), 8, 1, (1, 2, 2), "SAME", (1, 1, 1)),
    "one": (2, (9, 16), 17, (1, 1), 16, 1, (2, 2), "VALID", (1, 1)),
    "groups": (2, (8, 17), 12, (3, 3), 20, 4, (2, 1), "SAME", (1, 1)),
    "depthwise": (2, (8, 17), 19, (3, 3), 19, 19, (1, 2), "SAME", (1, 1)),
    # Gradients of weights whose sums have many blocks: few of them, many, and in groups.
    "long": (3, (19, 29), 8, (3, 2), 17, 1, (1, 1), "SAME", (1, 1)),
    "sweep": (2, (23, 24), 61, (3, 3), 41, 1, (1, 1), "SAME", (1, 1)),
    "rgb": (2, (24, 47), 3, (3, 3), 33, 1, (1, 2), "SAME", (1, 1)),
    "halves": (2, (25, 29), 20, (2, 3), 64, 2, (1, 1), ((0, 1), (2, 0)), (1, 1)),
    # Few channels, so that tiles have several taps, which see different parts of a run.
    "eights": (5, (13, 19), 16, (2, 3), 16, 2, (1, 1), "SAME", (1, 1)),
    "taps": (9, (14, 21), 9, (3, 5), 16, 1, (1, 2), ((2, 0), (1, 3)), (1, 1)),
    "apart": (17, (13, 15), 8, (2, 4), 8, 1, (1, 1), "VALID", (2, 3)),
    "filters": (3, (23, 24), 33, (3, 3), 33, 33, (1, 1), "SAME", (1, 1)),
}


# Few results a group: places lie along the lanes (see test_convolutions_narrow.py).
NARROW: dict[str, Any] = {
    # By the gradient of x, which has few results.
    "image": (3, (17, 19), 3, (3, 3), 20, 1, (1, 1), "SAME", (1, 1)),
    "grey": (2, (28, 28), 1, (5, 5), 32, 1, (1, 1), "SAME", (1, 1)),
    "strided": (2, (23, 26), 3, (7, 7), 17, 1, (2, 2), "SAME", (1, 1)),
    "uneven": (2, (22, 31), 2, (7, 5), 33, 1, (3, 2), ((2, 1), (0, 3)), (1, 1)),
    "dilated": (1, (20, 24), 4, (3, 3), 16, 1, (1, 1), "VALID", (2, 3)),
    # By the convolution itself.
    "few": (2, (16, 33), 40, (3, 3), 6, 1, (1, 1), "SAME", (1, 1)),
    "bands": (1, (67, 70), 50, (3, 4), 5, 1, (1, 1), "SAME", (1, 1)),
    "groups": (5, (14, 15), 32, (3, 3), 32, 8, (1, 1), "SAME", (1, 1)),
    "thin groups": (2, (13, 18), 15, (3, 2), 9, 3, (1, 1), "SAME", (1, 1)),
    "line": (2, (90,), 18, (7,), 4, 1, (1,), "SAME", (1,)),
    "cube": (1, (5, 9, 14), 6, (2, 3, 2), 3, 1, (1, 1, 1), "SAME", (1, 1, 1)),
}

# A band of the operand is copied where it is used, with a border (see test_convolutions_bands.py).
BANDED: dict[str, Any] = {
    "whole images": (9, (6, 14), 5, (3, 3), 33, 1, (1, 1), "SAME", (1, 1)),
    "bands": (2, (53, 15), 40, (5, 3), 40, 1, (1, 1), "SAME", (1, 1)),
    "strided": (1, (67, 28), 40, (3, 3), 20, 1, (2, 2), "SAME", (1, 1)),
    "uneven": (3, (19, 16), 9, (4, 2), 17, 1, (3, 1), ((3, 0), (0, 4)), (1, 1)),
    "dilated": (8, (13, 16), 33, (3, 3), 32, 1, (1, 1), ((1, 2), (3, 3)), (2, 3)),
    "groups": (2, (24, 17), 60, (3, 3), 34, 2, (1, 1), "SAME", (1, 1)),
    "two axes": (11, (7, 7), 36, (3, 3), 16, 1, (1, 1), "SAME", (1, 1)),
    "tall": (8, (28, 5), 9, (3, 2), 33, 1, (1, 1), "SAME", (1, 1)),
    "one side": (2, (24, 14), 17, (3, 1), 16, 1, (1, 1), "SAME", (1, 1)),
    "line": (8, (28,), 60, (5,), 20, 1, (1,), "SAME", (1,)),
    "cube": (2, (25, 3, 14), 10, (3, 2, 3), 16, 1, (1, 1, 1), "SAME", (1, 1, 1)),
}


def operands(way: Any) -> tuple[tuple[np.ndarray, np.ndarray], dict[str, Any]]:
    """The inputs and weights, the same in every process, and the options."""
    n, size, channels, taps, out, groups, strides, padding, dilations = way
    rng = np.random.default_rng(3)
    x = rng.standard_normal((n, *size, channels)).astype("f")
    w = rng.standard_normal((*taps, channels // groups, out)).astype("f")
    return (x, w), {"strides": strides, "padding": padding, "dilations": dilations}


def all_three(x: Any, w: Any, dy: Any = None, **how: Any) -> tuple[Any, Any, Any]:
    """The convolution and its gradients, for dy or a cotangent that follows from the result."""
    padding = how["padding"]
    if not isinstance(padding, str):
        how = {**how, "padding": [[0, 0], *[list(p) for p in padding], [0, 0]]}
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        y = tf.nn.convolution(x, w, **how)
    return (y, *tape.gradient(y, [x, w], tf.nn.relu(y) if dy is None else dy))


# Names, and how many of result, gradient of x and gradient of w.
HASHED = (
    (WAYS, ("strided", "far", "groups", "filters", "sweep"), 3),
    (NARROW, ("strided",), 2),
    (BANDED, ("bands", "groups"), 1),
)


def main() -> None:
    every = [(ways[name], name, last) for ways, names, last in HASHED for name in names]
    for way, name, last in every[int(sys.argv[1]) :: 2] if sys.argv[1:] else every:
        data, how = operands(way)
        f = tf.function(lambda *v, how=how, last=last: all_three(*v, **how)[:last])
        found = set()
        for threads in (1, 2, 3, 8):
            tf.config.threading.set_intra_op_parallelism_threads(threads)
            values = f(*(tf.constant(v) for v in data))  # compiled once for this machine
            hashes = [hashlib.sha256(v.numpy().tobytes()).hexdigest() for v in values]
            found.add(" ".join(hashes))
        assert len(found) == 1, (name, "depends on the number of threads")
        print(name, *found)


if __name__ == "__main__":
    main()
