"""Rows of a table by number, the gradient of that, and rows of zeros with a one."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


class Embedding(Workload):
    """20,000 rows of 128 numbers from a table of 50,000."""

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.table = self.size(50_000, 40), self.size(128, 9)
        self.count = self.size(20_000, 70)

    def data(self, rng: np.random.Generator) -> Arrays:
        rows = rng.integers(0, self.table[0], self.count, dtype=np.int32)
        return [normal(rng, *self.table), rows]


@workload
class Lookup(Embedding):
    name = "embedding, 20K rows of 50K x 128"
    turns = 3

    def floor(self) -> tuple[float, float]:
        return 8.0 * self.count * self.table[1], 0.0

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda table, rows: np.take(table, rows, axis=0)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda table, rows: torch.nn.functional.embedding(rows, table))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda table, rows: table[rows])

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda table, rows: tf.gather(table, rows))


@workload
class LookupGradient(Embedding):
    """The dense gradient of a weighted sum of rows; all of the table is written."""

    name = "gradient of that embedding"
    turns = 3
    rtol = 1e-4

    def floor(self) -> tuple[float, float]:
        rows, width = self.table
        return 4.0 * width * (3 * self.count + rows), 0.0  # dy; rows are read and written

    def data(self, rng: np.random.Generator) -> Arrays:
        return [*super().data(rng), normal(rng, self.count, self.table[1])]

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(table: Any, rows: Any, dy: Any) -> Any:
            found = np.zeros_like(table)
            np.add.at(found, rows, dy)
            return found

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        forward = jit(lambda table, rows: torch.nn.functional.embedding(rows, table))

        def run(table: Any, rows: Any, dy: Any) -> Any:
            source = table.detach().requires_grad_()
            return torch.autograd.grad(forward(source, rows), source, dy)[0]

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda table, rows, dy: jax.vjp(lambda t: t[rows], table)[1](dy)[0])

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(table: Any, rows: Any, dy: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch(table)
                y = tf.gather(table, rows)
            return tf.convert_to_tensor(tape.gradient(y, table, dy))

        return jit(run)


@workload
class OneHot(Workload):
    name = "one_hot, 100K x 256"
    turns = 3

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.count, self.classes = self.size(100_000, 50), self.size(256, 11)

    def floor(self) -> tuple[float, float]:
        return 4.0 * self.count * self.classes, 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        return [rng.integers(0, self.classes, self.count, dtype=np.int32)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        eye = np.eye(self.classes, dtype=np.float32)
        return lambda x: eye[x]

    def torch(self, torch: Any, jit: Jit) -> Function:
        one_hot = torch.nn.functional.one_hot
        return jit(lambda x: one_hot(x.long(), self.classes).float())

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: jax.nn.one_hot(x, self.classes))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: tf.one_hot(x, self.classes))
