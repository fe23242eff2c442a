"""What calls cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tfc as tf

from ..harness import Contender, row, statement
from .contenders import device, normal, scaled, torch, wait


@row("40 small kernels in a function")
def calls() -> list[Contender]:
    """What a graph saves."""

    def chain(x: Any) -> Any:
        for _ in range(20):
            x = tf.cumsum(tf.reverse(x, [0])) * 0.5
        return x

    x = tf.constant(normal(scaled(1024, 16))).gpu()
    f = tf.function(chain)
    driver = device().driver
    could = driver.captures

    def sampler(captures: bool) -> Callable[[int], float]:
        inner = statement("", "f(x)", wait="sync()", compare=False, f=f, x=x, sync=wait)

        def sample(count: int) -> float:
            driver.captures = could and captures
            try:
                return inner.sample(count)
            finally:
                driver.captures = could

        return sample

    return [Contender("tfc", sampler(True)), Contender("tfc, launches", sampler(False))]


@row("eager add of 1024 numbers")
def eager() -> list[Contender]:
    data = [normal(1024), normal(1024)]
    x = [tf.constant(a).gpu() for a in data]
    found = [statement("tfc", "x + y", wait="sync()", x=x[0], y=x[1], compare=False, sync=wait)]
    if (t := torch()) is not None:
        y = [t.tensor(a, device="cuda") for a in data]
        found.append(
            statement(
                "torch",
                "x + y",
                wait="sync()",
                x=y[0],
                y=y[1],
                compare=False,
                sync=t.cuda.synchronize,
            )
        )
    return found
