"""Convolutions of every kind, one for each way to compute them.

They stand alone, so that a process that runs them need not import the tests and their cases.
"""

from __future__ import annotations

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
    "filters": (3, (23, 24), 33, (3, 3), 33, 33, (1, 1), "SAME", (1, 1)),
}


def operands(name: str) -> tuple[tuple[np.ndarray, np.ndarray], dict[str, Any]]:
    """The inputs and weights, the same in every process, and the options."""
    n, size, channels, taps, out, groups, strides, padding, dilations = WAYS[name]
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
