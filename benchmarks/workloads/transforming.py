"""What goes over an array once or a few times: Poisson's equation by Fourier transforms, prices by
the Monte Carlo method, filters of images, nearest neighbours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, normal, workload


@workload
class Poisson(Workload):
    """Poisson's equation on a torus, by the Fourier transform of what is given."""

    name = "Poisson by FFT, 1024 x 1024"
    rtol = 1e-4

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n = self.size(1024, 20)

    def floor(self) -> tuple[float, float]:
        points = float(self.n**2)
        return 0.0, 2 * 2.5 * points * math.log2(points)

    def data(self, rng: np.random.Generator) -> Arrays:
        """What is given, and the inverse of Laplace's operator on each frequency."""
        along = 2 - 2 * np.cos(2 * np.pi * np.fft.fftfreq(self.n))
        eigenvalues = along[:, None] + along[None, : self.n // 2 + 1]
        eigenvalues[0, 0] = np.inf  # of the mean, which nothing says
        return [normal(rng, self.n, self.n), (1 / eigenvalues).astype(np.float32)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda f, inverse: np.fft.irfft2(np.fft.rfft2(f) * inverse)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda f, inverse: torch.fft.irfft2(torch.fft.rfft2(f) * inverse))

    def jax(self, jax: Any, jit: Jit) -> Function:
        fft = jax.numpy.fft
        return jit(lambda f, inverse: fft.irfft2(fft.rfft2(f) * inverse))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(f: Any, inverse: Any) -> Any:
            return tf.signal.irfft2d(tf.signal.rfft2d(f) * tf.cast(inverse, tf.complex64))

        return jit(run)


@workload
class MonteCarlo(Workload):
    """The price of a call option, as the mean of what random paths pay (Boyle, 1977). Each library
    has random numbers of its own, so that results are alike as two means of so many paths are."""

    name = "Monte Carlo option, 10M paths"
    rtol = 2e-2
    strike, rate, volatility = 100.0, 0.05, 0.2

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n = self.size(10_000_000, 200_000)

    def floor(self) -> tuple[float, float]:
        return 0.0, 60.0 * self.n  # bits, a logarithm, a root, a sine or cosine; an exponential

    def data(self, rng: np.random.Generator) -> Arrays:
        return [np.array(100.0, np.float32)]

    def price(self, library: Any, mean: Function, spot: Any, draws: Any) -> Any:
        growth = self.rate - self.volatility**2 / 2
        paid = library.maximum(
            spot * library.exp(growth + self.volatility * draws) - self.strike, spot * 0.0
        )
        return math.exp(-self.rate) * mean(paid)

    def numpy(self, np: Any, jit: Jit) -> Function:
        rng = np.random.default_rng(1)

        def run(spot: Any) -> Any:
            return self.price(np, np.mean, spot, rng.standard_normal(self.n, np.float32))

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda spot: self.price(torch, torch.mean, spot, torch.randn(self.n)))

    def jax(self, jax: Any, jit: Jit) -> Function:
        def run(spot: Any) -> Any:
            draws = jax.random.normal(jax.random.key(1), (self.n,))
            return self.price(jax.numpy, jax.numpy.mean, spot, draws)

        return jit(run)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(spot: Any) -> Any:
            draws = tf.random.stateless_normal([self.n], [1, 2])
            return self.price(tf, tf.reduce_mean, spot, draws)

        return jit(run)

    def numba(self, numba: Any, jit: Jit) -> Function:
        n, strike, volatility = self.n, self.strike, self.volatility
        growth, discount = self.rate - volatility**2 / 2, math.exp(-self.rate)

        def run(spot: Any) -> Any:
            total, start = 0.0, spot.item()
            for _ in range(n):
                end = start * math.exp(growth + volatility * np.random.normal())
                total += max(end - strike, 0.0)
            return discount * total / n

        return jit(run)


@workload
class Edges(Workload):
    """A binomial blur along both axes, and the magnitude of Sobel's gradient of what it gives."""

    name = "blur and edges of 2048 x 2048"
    rtol = 1e-4
    blur = (0.0625, 0.25, 0.375, 0.25, 0.0625)

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n = self.size(2048, 23)

    def floor(self) -> tuple[float, float]:
        return 8.0 * self.n**2, 0.0

    def data(self, rng: np.random.Generator) -> Arrays:
        return [normal(rng, self.n, self.n)]

    def edges(self, sqrt: Any, x: Any) -> Any:
        x = sum(w * x[i : x.shape[0] - 4 + i] for i, w in enumerate(self.blur))
        x = sum(w * x[:, i : x.shape[1] - 4 + i] for i, w in enumerate(self.blur))
        down, across = x[2:] - x[:-2], x[:, 2:] - x[:, :-2]
        down = down[:, :-2] + 2.0 * down[:, 1:-1] + down[:, 2:]
        across = across[:-2] + 2.0 * across[1:-1] + across[2:]
        return sqrt(down * down + across * across)

    def numpy(self, np: Any, jit: Jit) -> Function:
        return lambda x: self.edges(np.sqrt, x)

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(lambda x: self.edges(torch.sqrt, x))

    def jax(self, jax: Any, jit: Jit) -> Function:
        return jit(lambda x: self.edges(jax.numpy.sqrt, x))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(lambda x: self.edges(tf.sqrt, x))

    def numba(self, numba: Any, jit: Jit) -> Function:
        weights, two = np.array(self.blur, np.float32), np.float32(2)

        def run(x: Any) -> Any:
            n, m = x.shape
            rows = np.empty((n - 4, m), np.float32)
            for i in range(n - 4):
                for j in range(m):
                    total = np.float32(0)
                    for k in range(5):
                        total += weights[k] * x[i + k, j]
                    rows[i, j] = total
            soft = np.empty((n - 4, m - 4), np.float32)
            for i in range(n - 4):
                for j in range(m - 4):
                    total = np.float32(0)
                    for k in range(5):
                        total += weights[k] * rows[i, j + k]
                    soft[i, j] = total
            result = np.empty((n - 6, m - 6), np.float32)
            for i in range(n - 6):
                for j in range(m - 6):
                    a, b, c = soft[i], soft[i + 1], soft[i + 2]
                    down = c[j] - a[j] + two * (c[j + 1] - a[j + 1]) + c[j + 2] - a[j + 2]
                    across = a[j + 2] - a[j] + two * (b[j + 2] - b[j]) + c[j + 2] - c[j]
                    result[i, j] = np.sqrt(down * down + across * across)
            return result

        return jit(run)


@workload
class Neighbours(Workload):
    """The squares of the distances to the ten nearest of many points."""

    name = "10 nearest of 20K x 32, 2K queries"
    rtol = 1e-3
    nearest = 10

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.points, self.queries = self.size(20_000, 50), self.size(2000, 7)

    def floor(self) -> tuple[float, float]:
        return 0.0, 2.0 * self.points * self.queries * 32

    def data(self, rng: np.random.Generator) -> Arrays:
        return [normal(rng, self.queries, 32), normal(rng, self.points, 32)]

    def numpy(self, np: Any, jit: Jit) -> Function:
        def run(queries: Any, points: Any) -> Any:
            apart = np.sum(points * points, 1) - 2 * (queries @ points.T)
            nearest = np.sort(np.partition(apart, self.nearest, 1)[:, : self.nearest], 1)
            return nearest + np.sum(queries * queries, 1, keepdims=True)

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        def run(queries: Any, points: Any) -> Any:
            apart = (points * points).sum(1) - 2 * (queries @ points.T)
            nearest = torch.topk(apart, self.nearest, 1, largest=False).values
            return nearest + (queries * queries).sum(1, keepdim=True)

        return jit(run)

    def jax(self, jax: Any, jit: Jit) -> Function:
        jnp = jax.numpy

        def run(queries: Any, points: Any) -> Any:
            apart = jnp.sum(points * points, 1) - 2 * (queries @ points.T)
            nearest = -jax.lax.top_k(-apart, self.nearest)[0]
            return nearest + jnp.sum(queries * queries, 1, keepdims=True)

        return jit(run)

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        def run(queries: Any, points: Any) -> Any:
            products = tf.matmul(queries, points, transpose_b=True)
            apart = tf.reduce_sum(points * points, 1) - 2.0 * products
            nearest = -tf.math.top_k(-apart, self.nearest).values
            return nearest + tf.reduce_sum(queries * queries, 1, keepdims=True)

        return jit(run)
