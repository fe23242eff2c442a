"""Training steps, each written once for all libraries, in the words of `words.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .words import Step

Batch = tuple[np.ndarray, ...]
WIDTHS = (16,) * 4 + (32,) * 4 + (64,) * 4


class Case(NamedTuple):
    """A step: its title, its parameters' shapes, its loss, and the shapes of a row of a batch; a
    row of no shape is a label of ten."""

    title: str
    shapes: Sequence[tuple[int, ...]]
    loss: Callable[..., Any]
    rows: Sequence[tuple[int, ...]]

    def step(self, words: Any) -> Step:
        rng = np.random.default_rng(0)
        parameters = [0.1 * rng.standard_normal(s, np.float32) for s in self.shapes]
        return words.training(parameters, lambda p, *b: self.loss(words, p, *b))  # type: ignore[no-any-return]

    def batch(self, count: int) -> Batch:
        rng = np.random.default_rng(count)

        def one(shape: tuple[int, ...]) -> np.ndarray:
            if shape:
                return rng.standard_normal((count, *shape), np.float32)
            return rng.integers(0, 10, count).astype(np.int32)

        return tuple(map(one, self.rows))


def mlp(w: Any, p: Any, x: Any, y: Any) -> Any:
    return w.entropy(y, w.relu(x @ p[0] + p[1]) @ p[2] + p[3])


def normalised(w: Any, x: Any, scale: Any, offset: Any, *axes: int) -> Any:
    centred = x - w.mean(x, *axes, keep=True)
    return centred * (w.mean(centred * centred, *axes, keep=True) + 1e-3) ** -0.5 * scale + offset


def residual(w: Any, p: Any, x: Any, y: Any) -> Any:
    for i in range(len(WIDTHS)):
        kernel, scale, offset = p[3 * i : 3 * i + 3]
        stride = 2 if i in (4, 8) else 1
        z = w.relu(normalised(w, w.conv(x, kernel, stride), scale, offset, 0, 1, 2))
        x = x + z if i % 4 else z
    return w.entropy(y, w.mean(x, 1, 2) @ p[-1])


def transformer(w: Any, p: Any, x: Any, y: Any) -> Any:
    z = normalised(w, x, p[4], p[5], -1)
    q, k, v = w.split(w.reshape(z @ p[0], -1, 32, 12, 16), 3, 2)
    weights = w.softmax(w.einsum("nihd,njhd->nhij", q, k) * 0.25)
    x = x + w.reshape(w.einsum("nhij,njhd->nihd", weights, v), -1, 32, 64) @ p[1]
    x = x + w.gelu(normalised(w, x, p[6], p[7], -1) @ p[2]) @ p[3]
    return w.mean((x - y) ** 2)


def recurrent(w: Any, p: Any, x: Any, y: Any) -> Any:
    for kernel in p[:2]:
        x = w.pool(w.relu(w.conv(x, kernel)))
    x = w.reshape(x, -1, 7, 7 * 16)
    h = c = w.zeros(x, 64)
    for t in range(7):
        i, f, o, u = w.split(x[:, t] @ p[2] + h @ p[3] + p[4], 4, 1)
        c = w.sigmoid(f) * c + w.sigmoid(i) * w.tanh(u)
        h = w.sigmoid(o) * w.tanh(c)
    return w.entropy(y, h @ p[5])


def adversarial(w: Any, p: Any, x: Any, noise: Any) -> Any:
    """Both losses of a generator and of what judges its images, as one."""
    z = w.relu(w.reshape(noise @ p[0], -1, 4, 4, 64))
    fake = w.tanh(w.grow(w.relu(w.grow(w.relu(w.grow(z, p[1])), p[2])), p[3]))

    def judged(x: Any) -> Any:
        for kernel in p[4:7]:
            x = w.relu(w.conv(x, kernel, 2))
        return w.reshape(x, -1, 1024) @ p[7]

    return w.mean(w.softplus(-judged(fake))) + w.mean(w.softplus(-judged(x)))


CONVOLUTIONS = [
    s
    for before, width in zip((3, *WIDTHS), WIDTHS, strict=False)
    for s in ((3, 3, before, width), (width,), (width,))
]
CASES = {
    "mlp": Case("MLP 784-128-10", [(784, 128), (128,), (128, 10), (10,)], mlp, [(784,), ()]),
    "residual": Case(
        "12 convolutions, batch norm", [*CONVOLUTIONS, (64, 10)], residual, [(32, 32, 3), ()]
    ),
    "transformer": Case(
        "transformer block",
        [(64, 192), (64, 64), (64, 256), (256, 64), *[(64,)] * 4],
        transformer,
        [(32, 64)] * 2,
    ),
    "recurrent": Case(
        "CNN + LSTM",
        [(3, 3, 1, 16), (3, 3, 16, 16), (112, 256), (64, 256), (256,), (64, 10)],
        recurrent,
        [(28, 28, 1), ()],
    ),
    "adversarial": Case(
        "DCGAN",
        [
            *[(64, 1024), (4, 4, 32, 64), (4, 4, 16, 32), (4, 4, 3, 16)],
            *[(4, 4, 3, 16), (4, 4, 16, 32), (4, 4, 32, 64), (1024, 1)],
        ],
        adversarial,
        [(32, 32, 3), (64,)],
    ),
}


def calls(library: str, name: str, sizes: Sequence[int]) -> list[float]:
    """For each size of a batch, the processor time of the first call with it, and its loss."""
    import time

    from .words import LIBRARIES

    words, case = LIBRARIES[library](library), CASES[name]
    float(words.mean(words.array(np.ones((4, 4), np.float32)) * 2.0))  # loads what compiles
    step, found = case.step(words), []
    for size in sizes:
        batch = case.batch(size)
        start = time.process_time()
        loss = step(*batch)
        found += [time.process_time() - start, loss]
    return found
