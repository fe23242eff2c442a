"""The process of one backend: `python -m benchmarks.keras.worker <backend> <threads>`; and what a
fresh process does (`first`)."""

from __future__ import annotations

import gc
import importlib
import os
import sys
import time
from typing import Any

import numpy as np

from .. import libraries, peers
from ..worker import memory, serve
from . import models


def keras_on(backend: str, threads: int) -> Any:
    """Keras with this backend, on so many threads."""
    if backend == "tfc":
        return importlib.import_module("tfc.keras")
    os.environ["KERAS_BACKEND"] = backend
    if backend == "torch":
        importlib.import_module("torch").set_num_threads(threads)
    if backend == "tensorflow":
        config = importlib.import_module("tensorflow").config.threading
        config.set_intra_op_parallelism_threads(threads)
        config.set_inter_op_parallelism_threads(threads)
    return importlib.import_module("keras")


class Session:
    """What a worker knows: Keras, and the model that it was asked to make."""

    def __init__(self, backend: str, threads: int) -> None:
        self.backend = backend
        self.keras = keras_on(backend, threads)

    def version(self) -> str:
        return str(importlib.import_module(self.backend).__version__)

    def prepare(self, name: str, quick: bool) -> int:
        """Make and train a model once; how many parameters it has."""
        self.keras.backend.clear_session()
        self.case = models.CASES[name]
        self.steps = 2 if quick else self.case.steps
        draw = np.random.default_rng(0)
        self.x, self.y = self.case.data(draw, self.steps * self.case.batch)
        self.model = models.compiled(self.keras, self.case)
        self._fit()
        return int(self.model.count_params())

    def _fit(self) -> None:
        self.model.fit(self.x, self.y, batch_size=self.case.batch, verbose=0)

    def fit(self, _: int) -> float:
        """The seconds of a step, in an epoch; the losses are read at its end."""
        return self._timed(self._fit) / self.steps

    def bare(self, count: int) -> float:
        """The seconds of a step of tfc's alone, which nobody feeds and nobody asks."""
        tf, model = importlib.import_module("tfc"), self.model
        if getattr(self, "stepped", None) is not model:
            rows = slice(0, self.case.batch)
            self.batch = tf.constant(self.x[rows]), tf.constant(self.y[rows])
            self.step = tf.function(
                lambda x, y: tuple(model.train_step((x, y)).values()), autograph=False
            )
            self.step(*self.batch)
            self.stepped = model
        return self._timed(lambda: [self.step(*self.batch) for _ in range(self.steps)]) / self.steps

    def prepare_predict(self, name: str, rows: int) -> int:
        """Make a model, and predict so many rows once."""
        self.keras.backend.clear_session()
        self.case = models.CASES[name]
        self.x, _ = self.case.data(np.random.default_rng(0), rows)
        self.model = models.compiled(self.keras, self.case)
        self.predict(1)
        self.predict_on_batch(1)
        return int(self.model.count_params())

    def predict(self, count: int) -> float:
        """`model.predict`, with one batch."""
        x, rows = self.x, len(self.x)
        return self._timed(
            lambda: [self.model.predict(x, batch_size=rows, verbose=0) for _ in range(count)]
        )

    def predict_on_batch(self, count: int) -> float:
        return self._timed(lambda: [self.model.predict_on_batch(self.x) for _ in range(count)])

    def _timed(self, work: Any) -> float:
        gc.collect()
        clock = peers.clock()
        gc.disable()
        try:
            start = clock()
            work()
            return clock() - start
        finally:
            gc.enable()


def first(backend: str, threads: int, name: str, start: float, epochs: int = 0) -> None:
    """In a fresh process: print the seconds from `start` to the end of the first step, and after so
    many epochs the most bytes that the process ever held."""
    keras = keras_on(backend, threads)
    case = models.CASES[name]
    x, y = case.data(np.random.default_rng(0), case.steps * case.batch)
    model = models.compiled(keras, case)
    model.train_on_batch(x[: case.batch], y[: case.batch])
    print(time.perf_counter() - start)
    for _ in range(epochs):
        model.fit(x, y, batch_size=case.batch, verbose=0)
    print(memory("VmHWM"))


if __name__ == "__main__":
    libraries.cpu_only()
    serve(lambda: Session(sys.argv[1], int(sys.argv[2])))
