"""Sorting, and the largest elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


class Ordering(Workload):
    full: tuple[int, ...]
    small: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return self.small if self.quick else self.full

    def floor(self) -> tuple[float, float]:
        return 8.0 * float(np.prod(self.shape)), 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        return [normal(rng, *self.shape)]


class Sort(Ordering):
    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.sort(x)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: torch.sort(x)[0])

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.numpy.sort(x))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.sort(x))


@workload
class SortVector(Sort):
    name = "sort of 1M"
    full, small = (1_000_000,), (1000,)


@workload
class SortRows(Sort):
    name = "sort of the rows of 4096 x 256"
    full, small = (4096, 256), (7, 33)


@workload
class ArgSort(Ordering):
    name = "argsort of 1M"
    full, small = (1_000_000,), (1000,)

    def data(self, rng: np.random.Generator) -> Arrays:
        return [rng.permutation(self.shape[0]).astype(np.float32)]  # no two are equal

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.argsort(x, kind="stable")

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: torch.argsort(x, stable=True))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.numpy.argsort(x))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.argsort(x, stable=True))


@workload
class TopK(Ordering):
    name = "top_k, 100 of each row of 64 x 10K"
    full, small = (64, 10_000), (3, 300)

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(x: Any) -> Any:
            found = -np.partition(-x, 100, axis=1)[:, :100]
            return -np.sort(-found, axis=1)

        return run

    def floor(self) -> tuple[float, float]:
        return 4.0 * float(np.prod(self.shape)), 0.0

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: torch.topk(x, 100)[0])

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.lax.top_k(x, 100)[0])

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.math.top_k(x, 100)[0])


@workload
class ArgMax(Ordering):
    name = "argmax of the rows of 4096 x 1024"
    full, small = (4096, 1024), (7, 33)

    def floor(self) -> tuple[float, float]:
        return 4.0 * float(np.prod(self.shape)), 0.0

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: np.argmax(x, 1)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: torch.argmax(x, 1))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.numpy.argmax(x, 1))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.argmax(x, 1))
