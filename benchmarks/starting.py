"""What it costs to import a library, and to do the first things with it, in a fresh process with
its files in the disk's cache: the first time on a machine, when nothing was compiled before, and in
every later process, which finds what libraries keep unasked (tfc does, in `TFC_CACHE_DIR`)."""

from __future__ import annotations

import tempfile

from . import peers, workers
from .harness import Contender, row
from .processes import fresh

IMPORT = "import time; start = time.perf_counter(); import {}; print(time.perf_counter() - start)"


@row("import", goals={"numpy": 2.0, "jax": 0.2}, budget=30.0, rounds=9)
def imports() -> list[Contender]:
    names = ["tfc", "numpy", *filter(peers.installed, ("torch", "jax"))]
    for name in names:
        fresh(IMPORT.format(name))  # writes the bytecode
    return [
        Contender(n, lambda _, n=n: fresh(IMPORT.format(n))[0], single=True)  # type: ignore[misc]
        for n in names
    ]


FIRST = """
import time
start = time.perf_counter()
import numpy as np
{begin}
x = array(np.arange(8.0, dtype=np.float32))
y = matmul(x[None, :] * 2.0 + 1.0, x[:, None])
print(np.asarray(total(exp(x - 7.0))), end=" ")
f = jit(lambda x, y: tanh(x * y + 1.0))
print(np.asarray(f(x, y[0])).sum(), time.perf_counter() - start)
"""

LIKE_TENSORFLOW = """
import {0} as tf
array, matmul, total, exp, tanh = tf.constant, tf.matmul, tf.reduce_sum, tf.exp, tf.tanh
jit = tf.function
"""

BEGINNINGS = {
    "tfc": ("tfc", LIKE_TENSORFLOW.format("tfc")),
    "torch": (
        "torch",
        """
import torch
array, matmul, total, exp, tanh = torch.tensor, torch.matmul, torch.sum, torch.exp, torch.tanh
jit = lambda f: f
""",
    ),
    "jax": (
        "jax",
        """
import jax
from jax.numpy import asarray as array, matmul, sum as total, exp, tanh
jit = jax.jit
""",
    ),
    "tensorflow": ("tensorflow", LIKE_TENSORFLOW.format("tensorflow")),
}


def first_things(name: str, kept: bool) -> Contender:
    """Import, five eager operations, and a first small function: what it prints, too. With `kept`,
    what other processes compiled is there."""
    package, begin = BEGINNINGS[name]
    code = FIRST.format(begin=begin)
    own = tempfile.TemporaryDirectory()  # goes with the contender

    def run() -> list[float]:
        with tempfile.TemporaryDirectory() as empty:
            extra = {"TFC_CACHE_DIR": own.name if kept else empty}
            if not kept:
                extra["JAX_ENABLE_COMPILATION_CACHE"] = "false"
            return fresh(code, python=workers.interpreter(package), **extra)

    run()  # writes the bytecode
    return Contender(name, lambda _: run()[-1], value=lambda: run()[:-1], single=True)


def beginnings(kept: bool) -> list[Contender]:
    """PyTorch's function is not compiled. JAX keeps nothing unless it is told where."""
    available = [n for n, (package, _) in BEGINNINGS.items() if workers.available(package)]
    return [first_things(n, kept) for n in available]


@row("import, first eager ops, a function", goals={"jax": 0.25}, budget=30.0, rounds=7)
def first_time() -> list[Contender]:
    return beginnings(kept=False)


@row("the same, in a later process", goals={"jax": 0.25}, budget=30.0, rounds=7)
def later_processes() -> list[Contender]:
    return beginnings(kept=True)
