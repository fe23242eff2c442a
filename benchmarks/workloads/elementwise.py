"""Long chains of functions of elements: the prices of options, after Black and Scholes (1973)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import Arrays, Function, Jit, Workload, workload

RATE, VOLATILITY = 0.02, 0.30


@workload
class BlackScholes(Workload):
    """Calls and puts of 10 million options."""

    name = "Black-Scholes, 10M"
    rtol = 1e-4

    def __init__(self, quick: bool = False) -> None:
        super().__init__(quick)
        self.n = self.size(10_000_000, 1000)

    def floor(self) -> tuple[float, float]:
        return 5 * 4.0 * self.n, 0.0  # three operands, two results

    def data(self, rng: np.random.Generator) -> Arrays:
        bounds = ((10.0, 50.0), (10.0, 50.0), (1.0, 2.0))  # prices, strikes, years
        return [rng.uniform(a, b, self.n).astype(np.float32) for a, b in bounds]

    def prices(self, log: Any, sqrt: Any, exp: Any, erf: Any) -> Function:
        def normal(x: Any) -> Any:
            return 0.5 + 0.5 * erf(math.sqrt(0.5) * x)

        def run(spot: Any, strike: Any, years: Any) -> Any:
            root = VOLATILITY * sqrt(years)
            d1 = (log(spot / strike) + (RATE + 0.5 * VOLATILITY**2) * years) / root
            d2 = d1 - root
            discounted = exp(-RATE * years) * strike
            call = spot * normal(d1) - discounted * normal(d2)
            return call, call - spot + discounted

        return run

    def torch(self, torch: Any, jit: Jit) -> Function:
        return jit(self.prices(torch.log, torch.sqrt, torch.exp, torch.erf))

    def jax(self, jax: Any, jit: Jit) -> Function:
        np = jax.numpy
        return jit(self.prices(np.log, np.sqrt, np.exp, jax.scipy.special.erf))

    def tensorflow(self, tf: Any, jit: Jit) -> Function:
        return jit(self.prices(tf.math.log, tf.sqrt, tf.exp, tf.math.erf))
