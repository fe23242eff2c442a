"""Loops around whole arrays: a stencil, bodies that attract each other, the Mandelbrot set."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


@workload
class Jacobi(Workload):
    """100 rounds of Jacobi's method for Poisson's equation on 1024 x 1024 points, with a border of
    zeros."""

    name = "Jacobi stencil 1024^2, 100 rounds"
    rtol = 1e-4

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n, self.rounds = self.size(1024, 20), self.size(100, 5)

    def floor(self) -> tuple[float, float]:
        return 12.0 * self.n**2 * self.rounds, 0.0  # the points and the source; new points

    def data(self, rng: np.random.Generator) -> Arrays:
        n = self.n
        return [np.pad(normal(rng, n - 2, n - 2), 1), normal(rng, n - 2, n - 2)]

    @staticmethod
    def inside(x: Any, source: Any) -> Any:
        neighbours = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
        return 0.25 * (neighbours + source)

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(x: Any, source: Any) -> Any:
            x = x.copy()
            for _ in range(self.rounds):
                x[1:-1, 1:-1] = self.inside(x, source)
            return x

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        pad, inside = torch.nn.functional.pad, self.inside
        step = jit(lambda x, source: pad(inside(x, source), (1, 1, 1, 1)))

        def run(x: Any, source: Any) -> Any:
            for _ in range(self.rounds):
                x = step(x, source)
            return x

        return run

    def jax(self, jax: Any, jit: Jit) -> Function:
        def run(x: Any, source: Any) -> Any:
            def step(_: Any, x: Any) -> Any:
                return jax.numpy.pad(self.inside(x, source), 1)

            return jax.lax.fori_loop(0, self.rounds, step, x)

        return jit(run)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(x: Any, source: Any) -> Any:
            for _ in tf.range(self.rounds):
                x = tf.pad(self.inside(x, source), [[1, 1], [1, 1]])
            return x

        return jit(run)

    def numba(self, numba: Any, jit: Jit) -> Function:
        rounds, quarter = self.rounds, np.float32(0.25)

        def run(x: Any, source: Any) -> Any:
            x, y = x.copy(), x.copy()
            for _ in range(rounds):
                for i in range(1, x.shape[0] - 1):
                    for j in range(1, x.shape[1] - 1):
                        total = x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1]
                        y[i, j] = quarter * (total + source[i - 1, j - 1])
                x, y = y, x
            return x

        return jit(run)


@workload
class Bodies(Workload):
    """Ten steps of leapfrog for 1000 bodies that attract each other."""

    name = "N-body, 1000 bodies, 10 steps"
    rtol = 1e-3
    time, softening = 1e-3, 1e-2

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n, self.rounds = self.size(1000, 13), self.size(10, 3)

    def floor(self) -> tuple[float, float]:
        return 0.0, 20.0 * self.n**2 * self.rounds

    def data(self, rng: np.random.Generator) -> Arrays:
        masses = rng.random(self.n, dtype=np.float32) / np.float32(self.n)
        return [normal(rng, self.n, 3), normal(rng, self.n, 3), masses]

    def step(self, total: Any, power: Any) -> Function:
        """A step, from a sum over an axis and x^-1.5."""

        def run(places: Any, speeds: Any, masses: Any) -> Any:
            apart = places[None, :, :] - places[:, None, :]
            cubes = power(total(apart * apart, 2) + self.softening)
            pull = total(apart * (masses * cubes)[:, :, None], 1)
            speeds = speeds + self.time * pull
            return places + self.time * speeds, speeds

        return run

    def repeated(self, step: Function) -> Function:
        def run(places: Any, speeds: Any, masses: Any) -> Any:
            for _ in range(self.rounds):
                places, speeds = step(places, speeds, masses)
            return places, speeds

        return run

    def numpy(self, np: Any, jit: Jit) -> Function:
        return self.repeated(self.step(lambda x, axis: np.sum(x, axis=axis), lambda x: x**-1.5))

    def torch(self, torch: Any, jit: Jit) -> Function:
        step = self.step(lambda x, axis: torch.sum(x, dim=axis), lambda x: torch.rsqrt(x) ** 3)
        return self.repeated(jit(step))

    def jax(self, jax: Any, jit: Jit) -> Function:
        total = jax.numpy.sum
        step = self.step(lambda x, axis: total(x, axis=axis), lambda x: jax.lax.rsqrt(x) ** 3)

        def run(places: Any, speeds: Any, masses: Any) -> Any:
            def body(_: Any, state: Any) -> Any:
                return step(*state, masses)

            return jax.lax.fori_loop(0, self.rounds, body, (places, speeds))

        return jit(run)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        step = self.step(tf.reduce_sum, lambda x: tf.math.rsqrt(x) ** 3)

        def run(places: Any, speeds: Any, masses: Any) -> Any:
            for _ in tf.range(self.rounds):
                places, speeds = step(places, speeds, masses)
            return places, speeds

        return jit(run)

    def numba(self, numba: Any, jit: Jit) -> Function:
        rounds, time, softening = self.rounds, np.float32(self.time), np.float32(self.softening)
        one = np.float32(1)

        def run(places: Any, speeds: Any, masses: Any) -> Any:
            places, speeds = places.copy(), speeds.copy()
            for _ in range(rounds):
                for i in range(places.shape[0]):
                    px = py = pz = np.float32(0)
                    for j in range(places.shape[0]):
                        dx = places[j, 0] - places[i, 0]
                        dy = places[j, 1] - places[i, 1]
                        dz = places[j, 2] - places[i, 2]
                        root = one / np.sqrt(dx * dx + dy * dy + dz * dz + softening)
                        pull = masses[j] * root * root * root
                        px, py, pz = px + dx * pull, py + dy * pull, pz + dz * pull
                    speeds[i, 0] += time * px
                    speeds[i, 1] += time * py
                    speeds[i, 2] += time * pz
                places += time * speeds
            return places, speeds

        return jit(run)


@workload
class Mandelbrot(Workload):
    """After how many of 100 rounds 512 x 512 points leave the circle. What is compared of the
    rounds is their mean: near the edge of the set, what is rounded otherwise ends elsewhere."""

    name = "mandelbrot 512 x 512, 100 rounds"
    rtol = 1e-3

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.side, self.limit = self.size(512, 24), self.size(100, 20)

    def floor(self) -> tuple[float, float]:
        """A quarter of the points need all rounds, others few; seven operations a round."""
        return 0.0, 7.0 * self.side**2 * self.limit / 4

    def data(self, rng: np.random.Generator) -> Arrays:
        y, x = np.linspace(-1.5, 1.5, self.side), np.linspace(-2.0, 1.0, self.side)
        return [g.ravel().astype(np.float32) for g in np.meshgrid(x, y)]

    def by_array(self, where: Any, zeros: Any, loop: Function) -> Function:
        """All points together, for all rounds."""

        def body(state: Any, real: Any, imag: Any) -> Any:
            x, y, n = state
            inside = x * x + y * y <= 4.0
            new = x * x - y * y + real
            y = where(inside, 2.0 * x * y + imag, y)
            return where(inside, new, x), y, where(inside, n + 1.0, n)

        def run(real: Any, imag: Any) -> Any:
            zero = zeros(real)
            return loop(body, (zero, zero, zero), real, imag)[2]

        return run

    def in_python(self, body: Any, state: Any, *rest: Any) -> Any:
        for _ in range(self.limit):
            state = body(state, *rest)
        return state

    def numpy(self, np: Any, jit: Jit) -> Function:
        by_array = self.by_array(np.where, np.zeros_like, self.in_python)
        return lambda real, imag: np.mean(by_array(real, imag))

    def torch(self, torch: Any, jit: Jit) -> Function:
        def loop(body: Any, state: Any, *rest: Any) -> Any:
            return self.in_python(jit(body), state, *rest)

        by_array = self.by_array(torch.where, torch.zeros_like, loop)
        return lambda real, imag: torch.mean(by_array(real, imag))

    def jax(self, jax: Any, jit: Jit) -> Function:
        def loop(body: Any, state: Any, *rest: Any) -> Any:
            return jax.lax.fori_loop(0, self.limit, lambda _, s: body(s, *rest), state)

        by_array = self.by_array(jax.numpy.where, jax.numpy.zeros_like, loop)
        return jit(lambda real, imag: jax.numpy.mean(by_array(real, imag)))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def loop(body: Any, state: Any, *rest: Any) -> Any:
            for _ in tf.range(self.limit):
                state = body(state, *rest)
            return state

        by_array = self.by_array(tf.where, tf.zeros_like, loop)
        return jit(lambda real, imag: tf.reduce_mean(by_array(real, imag)))

    def tfc(self, tf: Any, jit: Jit) -> Function:
        """Each point as often as it needs, which becomes one loop of scalars."""

        def rounds(c: Any) -> Any:
            x, y, n = tf.constant(0.0), tf.constant(0.0), 0
            while n < self.limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + c[0], 2.0 * x * y + c[1]
                n += 1
            return n

        def run(real: Any, imag: Any) -> Any:
            times = tf.map_fn(rounds, (real, imag), fn_output_signature=tf.int32)
            return tf.reduce_mean(tf.cast(times, tf.float32))

        return jit(run)

    def numba(self, numba: Any, jit: Jit) -> Function:
        limit, two, four = self.limit, np.float32(2), np.float32(4)

        def run(real: Any, imag: Any) -> Any:
            total = 0
            for i in range(len(real)):
                x, y, n = np.float32(0), np.float32(0), 0
                while n < limit and x * x + y * y <= four:
                    x, y = x * x - y * y + real[i], two * x * y + imag[i]
                    n += 1
                total += n
            return total / len(real)

        return jit(run)
