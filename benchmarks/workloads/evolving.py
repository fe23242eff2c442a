"""States that a step is applied to again and again: ordinary differential equations, a wave, cells
that live and die, a filter of measurements, the alignment of sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload

State = tuple[Any, ...]


class Evolution(Workload):
    """`rounds` times a step, in the loop that each library has for it.

    The step is written once, of what has the same name in all libraries; `tools` is the module.
    """

    rounds: int

    def start(self, tools: Any, *operands: Any) -> State:
        """The state before the first step."""
        return operands

    def step(self, tools: Any, i: Any, state: State, *operands: Any) -> State:
        """The state after step `i`."""
        raise NotImplementedError

    def end(self, tools: Any, state: State) -> Any:
        """What is returned of the last state."""
        return state

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(*operands: Any) -> Any:
            state = self.start(np, *operands)
            for i in range(self.rounds):
                state = self.step(np, i, state, *operands)
            return self.end(np, state)

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        step = jit(lambda i, state, *operands: self.step(torch, i, state, *operands))
        numbers = torch.arange(self.rounds).unbind()

        def run(*operands: Any) -> Any:
            state = self.start(torch, *operands)
            for i in numbers:
                state = step(i, state, *operands)
            return self.end(torch, state)

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        jnp = jax.numpy

        def run(*operands: Any) -> Any:
            def body(i: Any, state: State) -> State:
                return self.step(jnp, i, state, *operands)

            state = jax.lax.fori_loop(0, self.rounds, body, self.start(jnp, *operands))
            return self.end(jnp, state)

        return jit(run)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(*operands: Any) -> Any:
            state = self.start(tf, *operands)
            for i in tf.range(self.rounds):
                state = self.step(tf, i, state, *operands)
            return self.end(tf, state)

        return jit(run)


@workload
class Lorenz(Evolution):
    """Runge and Kutta's method of order four for Lorenz' equations (1963), from many points."""

    name = "ODE ensemble, 100K Lorenz systems, 100 steps"
    rtol = 1e-3
    h = 0.01

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n, self.rounds = self.size(100_000, 50), self.size(100, 6)

    def floor(self) -> tuple[float, float]:
        return 0.0, 75.0 * self.n * self.rounds  # four slopes of 8, and what lies between

    def data(self, rng: np.random.Generator) -> Arrays:
        return [5 * normal(rng, self.n) for _ in range(3)]

    @staticmethod
    def slope(x: Any, y: Any, z: Any) -> State:
        return 10.0 * (y - x), x * (28.0 - z) - y, x * y - (8.0 / 3.0) * z

    def step(self, tools: Any, i: Any, state: State, *operands: Any) -> State:
        def ahead(k: State, h: float) -> State:
            return tuple(s + h * d for s, d in zip(state, k, strict=True))

        k1 = self.slope(*state)
        k2 = self.slope(*ahead(k1, self.h / 2))
        k3 = self.slope(*ahead(k2, self.h / 2))
        k4 = self.slope(*ahead(k3, self.h))
        return tuple(
            s + self.h / 6 * (a + 2.0 * (b + c) + d)
            for s, a, b, c, d in zip(state, k1, k2, k3, k4, strict=True)
        )

    def numba(self, numba: Any, jit: Jit) -> Function:
        slope, rounds = jit(self.slope), self.rounds
        h, half, sixth, two = (np.float32(v) for v in (self.h, self.h / 2, self.h / 6, 2.0))

        def run(xs: Any, ys: Any, zs: Any) -> Any:
            xs, ys, zs = xs.copy(), ys.copy(), zs.copy()
            for i in range(len(xs)):
                x, y, z = xs[i], ys[i], zs[i]
                for _ in range(rounds):
                    ax, ay, az = slope(x, y, z)
                    bx, by, bz = slope(x + half * ax, y + half * ay, z + half * az)
                    cx, cy, cz = slope(x + half * bx, y + half * by, z + half * bz)
                    dx, dy, dz = slope(x + h * cx, y + h * cy, z + h * cz)
                    x += sixth * (ax + two * (bx + cx) + dx)
                    y += sixth * (ay + two * (by + cy) + dy)
                    z += sixth * (az + two * (bz + cz) + dz)
                xs[i], ys[i], zs[i] = x, y, z
            return xs, ys, zs

        return jit(run)


@workload
class Wave(Evolution):
    """The wave equation in three dimensions by leapfrog, in a box whose walls are zeros."""

    name = "wave equation 128^3, 20 steps"
    rtol = 1e-4
    speed = 0.1  # the square of what a wave goes in a step

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n, self.rounds = self.size(128, 9), self.size(20, 3)

    def floor(self) -> tuple[float, float]:
        return 12.0 * self.n**3 * self.rounds, 0.0  # this step, the last one; the next

    def data(self, rng: np.random.Generator) -> Arrays:
        u = normal(rng, self.n, self.n, self.n)
        return [u, u]

    def step(self, tools: Any, i: Any, state: State, *operands: Any) -> State:
        u, before = state
        p = tools.pad(u, [[1, 1]] * 3) if hasattr(tools, "pad") else self.padded(tools, u)
        around = p[:-2, 1:-1, 1:-1] + p[2:, 1:-1, 1:-1] + p[1:-1, :-2, 1:-1]
        around = around + p[1:-1, 2:, 1:-1] + p[1:-1, 1:-1, :-2] + p[1:-1, 1:-1, 2:]
        return 2.0 * u - before + self.speed * (around - 6.0 * u), u

    @staticmethod
    def padded(torch: Any, u: Any) -> Any:
        return torch.nn.functional.pad(u, (1, 1, 1, 1, 1, 1))

    def end(self, tools: Any, state: State) -> Any:
        return state[0]

    def numba(self, numba: Any, jit: Jit) -> Function:
        rounds, speed, two, six = self.rounds, np.float32(self.speed), np.float32(2), np.float32(6)

        def run(first: Any, second: Any) -> Any:
            n = first.shape[0]
            u = np.zeros((n + 2, n + 2, n + 2), np.float32)
            before = np.zeros((n + 2, n + 2, n + 2), np.float32)
            u[1:-1, 1:-1, 1:-1], before[1:-1, 1:-1, 1:-1] = first, second
            for _ in range(rounds):
                for i in range(1, n + 1):
                    for j in range(1, n + 1):
                        for k in range(1, n + 1):
                            around = u[i - 1, j, k] + u[i + 1, j, k] + u[i, j - 1, k]
                            around = around + u[i, j + 1, k] + u[i, j, k - 1] + u[i, j, k + 1]
                            here = u[i, j, k]
                            step = two * here - before[i, j, k] + speed * (around - six * here)
                            before[i, j, k] = step
                u, before = before, u
            return u[1:-1, 1:-1, 1:-1].copy()

        return jit(run)


@workload
class Life(Evolution):
    """Conway's game of life on a torus."""

    name = "game of life 1024^2, 100 rounds"

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n, self.rounds = self.size(1024, 24), self.size(100, 6)

    def floor(self) -> tuple[float, float]:
        return 2.0 * self.n**2 * self.rounds, 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        return [rng.integers(0, 2, (self.n, self.n)).astype(np.int8)]

    def step(self, tools: Any, i: Any, state: State, *operands: Any) -> State:
        (cells,) = state
        rows = cells + tools.roll(cells, 1, 0) + tools.roll(cells, -1, 0)
        around = rows + tools.roll(rows, 1, 1) + tools.roll(rows, -1, 1)
        return (tools.where((around == 3) | ((around == 4) & (cells == 1)), *self.states(cells)),)

    @staticmethod
    def states(cells: Any) -> tuple[Any, Any]:
        """Alive, dead: of the cells' dtype, in every library."""
        return cells * 0 + 1, cells * 0

    def numba(self, numba: Any, jit: Jit) -> Function:
        rounds = self.rounds

        def run(first: Any) -> Any:
            n = first.shape[0]
            cells, after = first.copy(), first.copy()
            for _ in range(rounds):
                for i in range(n):
                    above, below = cells[i - 1], cells[(i + 1) % n]
                    for j in range(n):
                        left, right = j - 1, (j + 1) % n
                        around = above[left] + above[j] + above[right] + cells[i, left]
                        around += cells[i, right] + below[left] + below[j] + below[right]
                        after[i, j] = around == 3 or (around == 2 and cells[i, j] == 1)
                cells, after = after, cells
            return cells

        return jit(run)


@workload
class Kalman(Evolution):
    """Kalman's filter (1960) of many bodies at once, whose places in the plane are measured."""

    name = "Kalman filter, 2000 bodies, 200 measurements"
    rtol = 1e-3

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n, self.rounds = self.size(2000, 11), self.size(200, 7)

    def floor(self) -> tuple[float, float]:
        return 0.0, 600.0 * self.n * self.rounds  # products of 4 x 4 x 4, 4 x 4 x 2, a solution

    def data(self, rng: np.random.Generator) -> Arrays:
        """Where bodies are and how they move, at first; how certain that is; what is measured.
        How places follow from speeds; what of both is seen; how certain each of these is."""
        moves = np.eye(4, dtype=np.float32)
        moves[0, 2] = moves[1, 3] = 0.1
        first = np.zeros((self.n, 4), np.float32)
        spread = np.tile(100 * np.eye(4, dtype=np.float32), (self.n, 1, 1))
        drift, noise = np.float32(0.01) * np.eye(4, dtype=np.float32), np.eye(2, dtype=np.float32)
        seen = np.eye(2, 4, dtype=np.float32)
        return [first, spread, normal(rng, self.rounds, self.n, 2), moves, seen, drift, noise]

    def start(self, tools: Any, *operands: Any) -> State:
        return operands[:2]

    def step(self, tools: Any, i: Any, state: State, *operands: Any) -> State:
        mean, spread = state
        measurements, moves, seen, drift, noise = operands[2:]
        einsum = tools.einsum
        mean = einsum("ij,bj->bi", moves, mean)
        spread = einsum("ij,bjk,lk->bil", moves, spread, moves) + drift
        across = einsum("ij,bjk->bik", seen, spread)
        gain = tools.linalg.solve(einsum("bij,kj->bik", across, seen) + noise, across)
        error = measurements[i] - einsum("ij,bj->bi", seen, mean)
        mean = mean + einsum("bi,bij->bj", error, gain)
        return mean, spread - einsum("bij,bik->bjk", gain, across)


@workload
class SmithWaterman(Evolution):
    """The scores of the best local alignments of pairs of sequences (Smith and Waterman, 1981) that
    end at each place of the first one: diagonal by diagonal of their tables."""

    name = "Smith-Waterman, 512 pairs of 256 letters"
    match, mismatch, gap = 2, -1, 1

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.pairs, self.length = self.size(512, 7), self.size(256, 12)
        self.rounds = 2 * self.length - 1

    def floor(self) -> tuple[float, float]:
        return 0.0, 7.0 * self.pairs * self.length**2

    def data(self, rng: np.random.Generator) -> Arrays:
        """First sequences; second ones, letter by letter, with letters that match nothing after
        them; what is left of the table; where its first column is."""
        a = rng.integers(0, 4, (self.pairs, self.length)).astype(np.int32)
        b = np.where(rng.random(a.shape) < 0.7, a, rng.integers(0, 4, a.shape)).astype(np.int32)
        letters = np.full((self.rounds, self.pairs), -1, np.int32)
        letters[: self.length] = np.roll(b, 3, 1).T
        return [a, letters, np.zeros_like(a), (np.arange(self.length) == 0)[None]]

    def start(self, tools: Any, *operands: Any) -> State:
        zeros = operands[2]
        return zeros, zeros, zeros - 1, zeros

    def step(self, tools: Any, i: Any, state: State, *operands: Any) -> State:
        a, letters, zeros, first = operands
        two_ago, one_ago, b, best = state

        def along(x: Any, new: Any) -> Any:
            return tools.where(first, new, tools.roll(x, 1, 1))

        b = along(b, letters[i][:, None])
        scores = tools.where(a == b, zeros + self.match, zeros + self.mismatch)
        scores = tools.maximum(along(two_ago, zeros) + scores, zeros)
        gaps = tools.maximum(one_ago, along(one_ago, zeros)) - self.gap
        scores = tools.maximum(scores, gaps)
        return one_ago, scores, b, tools.maximum(best, scores)

    def end(self, tools: Any, state: State) -> Any:
        return state[3]

    def numba(self, numba: Any, jit: Jit) -> Function:
        match, mismatch, gap = self.match, self.mismatch, self.gap

        def run(a: Any, letters: Any, zeros: Any, first: Any) -> Any:
            best, length = zeros.copy(), a.shape[1]
            row = np.zeros(length + 1, np.int32)
            for pair in range(len(a)):
                row[:] = 0
                for i in range(length):
                    corner, top = 0, 0
                    for j in range(length):
                        same = a[pair, i] == letters[j, pair]
                        score = max(corner + (match if same else mismatch), 0)
                        score = max(score, row[j] - gap, row[j + 1] - gap)
                        corner, row[j + 1] = row[j + 1], score
                        top = max(top, score)
                    best[pair, i] = top
            return best

        return jit(run)
