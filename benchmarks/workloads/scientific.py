"""What users bring from NumPy, Numba and JAX: shortest paths, means of clusters."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


@workload
class ShortestPaths(Workload):
    """The lengths of the shortest paths between all nodes (Floyd, 1962; Warshall, 1962)."""

    name = "Floyd-Warshall, 512 nodes"

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n = self.size(512, 12)

    def floor(self) -> tuple[float, float]:
        return 0.0, 2.0 * self.n**3  # an addition and a minimum for each pair and node between

    def data(self, rng: np.random.Generator) -> Arrays:
        lengths = rng.uniform(1.0, 100.0, (self.n, self.n)).astype(np.float32)
        np.fill_diagonal(lengths, 0.0)
        return [lengths]

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(lengths: Any) -> Any:
            x = lengths.copy()
            for k in range(self.n):
                np.minimum(x, x[:, k : k + 1] + x[k], out=x)
            return x

        return run

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(x: Any) -> Any:
            for k in tf.range(self.n):
                x = tf.minimum(x, x[:, k, None] + x[k])
            return x

        return jit(run)

    def torch(self, torch: Any, jit: Jit) -> Function:
        step = jit(lambda x, k: torch.minimum(x, x.index_select(1, k) + x.index_select(0, k)))
        places = torch.arange(self.n).split(1)

        def run(x: Any) -> Any:
            for k in places:
                x = step(x, k)
            return x

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        def step(k: Any, x: Any) -> Any:
            return jax.numpy.minimum(x, x[:, k, None] + x[k])

        return jit(lambda x: jax.lax.fori_loop(0, self.n, step, x))

    def numba(self, numba: Any, jit: Jit) -> Function:
        def run(lengths: Any) -> Any:
            x, n = lengths.copy(), lengths.shape[0]
            for k in range(n):
                for i in range(n):
                    first = x[i, k]
                    for j in range(n):
                        x[i, j] = min(x[i, j], first + x[k, j])
            return x

        return jit(run)


@workload
class Clusters(Workload):
    """Ten rounds of Lloyd's algorithm (k-means) from points that are given."""

    name = "k-means, 100K x 16, 64 clusters, 10 rounds"
    rtol = 1e-3
    rounds = 10

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.points, self.width, self.clusters = self.size(100_000, 60), 16, self.size(64, 5)

    def floor(self) -> tuple[float, float]:
        return 0.0, 2.0 * self.points * self.width * self.clusters * self.rounds

    def data(self, rng: np.random.Generator) -> Arrays:
        """Points around centres that lie apart, one of each group first."""
        centres = 10 * normal(rng, self.clusters, self.width)
        groups = np.arange(self.points) % self.clusters
        return [centres[groups] + normal(rng, self.points, self.width)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(x: Any) -> Any:
            centres = x[: self.clusters]
            for _ in range(self.rounds):
                apart = np.sum(centres * centres, 1) - 2 * (x @ centres.T)
                groups = np.argmin(apart, 1)
                counts = np.bincount(groups, minlength=self.clusters)
                sums = [np.bincount(groups, c, self.clusters) for c in x.T]
                centres = (np.stack(sums, 1) / np.maximum(counts, 1)[:, None]).astype(x.dtype)
            return centres

        return run

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(x: Any) -> Any:
            centres = x[: self.clusters]
            for _ in tf.range(self.rounds):
                products = tf.matmul(x, centres, transpose_b=True)
                groups = tf.argmin(tf.reduce_sum(centres * centres, 1) - 2.0 * products, 1)
                sums = tf.math.unsorted_segment_sum(x, groups, self.clusters)
                ones = tf.ones_like(x[:, 0])
                counts = tf.math.unsorted_segment_sum(ones, groups, self.clusters)
                centres = sums / tf.maximum(counts, 1.0)[:, None]
            return centres

        return jit(run)

    def torch(self, torch: Any, jit: Jit) -> Function:
        def step(x: Any, centres: Any) -> Any:
            groups = torch.argmin((centres * centres).sum(1) - 2.0 * (x @ centres.T), 1)
            sums = torch.zeros_like(centres).index_add_(0, groups, x)
            counts = torch.zeros_like(centres[:, 0]).index_add_(0, groups, torch.ones_like(x[:, 0]))
            return sums / counts.clamp(min=1.0)[:, None]

        step = jit(step)

        def run(x: Any) -> Any:
            centres = x[: self.clusters]
            for _ in range(self.rounds):
                centres = step(x, centres)
            return centres

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        jnp = jax.numpy

        def run(x: Any) -> Any:
            def step(_: Any, centres: Any) -> Any:
                groups = jnp.argmin(jnp.sum(centres * centres, 1) - 2.0 * (x @ centres.T), 1)
                sums = jax.ops.segment_sum(x, groups, self.clusters)
                counts = jax.ops.segment_sum(jnp.ones_like(x[:, 0]), groups, self.clusters)
                return sums / jnp.maximum(counts, 1.0)[:, None]

            return jax.lax.fori_loop(0, self.rounds, step, x[: self.clusters])

        return jit(run)


@workload
class ConjugateGradient(Workload):
    """50 rounds of the method of conjugate gradients (Hestenes and Stiefel, 1952) for Poisson's
    equation, with the matrix as a list of its elements, row by row."""

    name = "conjugate gradients, 262K rows, 50 rounds"
    rtol = 1e-3
    rounds = 50

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.side = self.size(512, 9)

    def floor(self) -> tuple[float, float]:
        elements, rows = 5.0 * self.side**2, float(self.side**2)
        return self.rounds * (12 * elements + 4 * 10 * rows), 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        places = np.arange(self.side**2).reshape(self.side, self.side)
        pairs = [(places, places)]
        for a, b in ((places[:-1], places[1:]), (places[:, :-1], places[:, 1:])):
            pairs += [(a, b), (b, a)]
        rows, columns = (np.concatenate([p[i].ravel() for p in pairs]) for i in range(2))
        order = np.lexsort((columns, rows))
        rows, columns = rows[order].astype(np.int32), columns[order].astype(np.int32)
        values = np.where(rows == columns, np.float32(4.1), np.float32(-1))
        return [values, rows, columns, normal(rng, self.side**2)]

    def solve(self, product: Function, dot: Function, b: Any, loop: Function) -> Any:
        def step(x: Any, r: Any, p: Any, rr: Any) -> Any:
            q = product(p)
            alpha = rr / dot(p, q)
            x, r = x + alpha * p, r - alpha * q
            new = dot(r, r)
            return x, r, r + new / rr * p, new

        return loop(step, (b * 0.0, b, b, dot(b, b)))[0]

    def unrolled(self, step: Function, state: Any) -> Any:
        for _ in range(self.rounds):
            state = step(*state)
        return state

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(values: Any, rows: Any, columns: Any, b: Any) -> Any:
            starts = np.searchsorted(rows, np.arange(len(b)))

            def product(p: Any) -> Any:
                return np.add.reduceat(values * p[columns], starts)

            return self.solve(product, np.dot, b, self.unrolled)

        return run

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(values: Any, rows: Any, columns: Any, b: Any) -> Any:
            def product(p: Any) -> Any:
                return tf.math.segment_sum(values * tf.gather(p, columns), rows)[: self.side**2]

            def loop(step: Function, state: Any) -> Any:
                i = tf.constant(0)
                body = lambda i, *state: (i + 1, *step(*state))  # noqa: E731
                limit = lambda i, *_: i < self.rounds  # noqa: E731
                return tf.while_loop(limit, body, (i, *state))[1:]

            return self.solve(product, lambda x, y: tf.tensordot(x, y, 1), b, loop)

        return jit(run)

    def torch(self, torch: Any, jit: Jit) -> Function:
        def run(values: Any, rows: Any, columns: Any, b: Any) -> Any:
            starts = torch.searchsorted(rows, torch.arange(len(b) + 1, dtype=torch.int32))
            parts = starts.to(torch.int32), columns, values
            matrix = torch.sparse_csr_tensor(*parts, (len(b), len(b)))
            return self.solve(lambda p: matrix @ p, torch.dot, b, self.unrolled)

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        def run(values: Any, rows: Any, columns: Any, b: Any) -> Any:
            def product(p: Any) -> Any:
                terms = values * p[columns]
                return jax.ops.segment_sum(terms, rows, len(b), indices_are_sorted=True)

            def loop(step: Function, state: Any) -> Any:
                return jax.lax.fori_loop(0, self.rounds, lambda _, s: step(*s), state)

            return self.solve(product, jax.numpy.dot, b, loop)

        return jit(run)
