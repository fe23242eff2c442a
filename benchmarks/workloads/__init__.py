"""Whole programs, each written once for every library that it is measured in.

A workload says how large it is, makes its operands, and has a method a library, which gets the
library's module and `jit`, what compiles in this contender's mode (`tf.function`, `torch.compile`,
nothing). It returns the function that is timed. `tensorflow` is the program of tfc and of
TensorFlow alike, unless there is a method `tfc`.

These modules import NumPy alone: each contender runs in a process of its own (`..worker`).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import numpy as np

FAMILIES = (
    "elementwise",
    "moving",
    "gathering",
    "ordering",
    "pooling",
    "normalising",
    "optimisers",
    "networks",
    "convolutional",
    "attention",
    "autoencoder",
    "recurrent",
    "simulation",
    "decoding",
    "prompting",
    "scientific",
    "evolving",
    "transforming",
    "multiplying",
    "convolving",
    "vision",
)

Function = Callable[..., Any]
Jit = Callable[..., Function]
Arrays = list[np.ndarray]


class Workload:
    """One program. With `quick` its sizes are small: the same code, for tests."""

    name: ClassVar[str]
    rtol: ClassVar[float] = 2e-5
    turns: ClassVar[int] = 1  # sets of operands that take turns, so that they are not in the cache
    steps: ClassVar[int] = 1  # calls whose results are compared
    table: ClassVar[str] = (
        "programs"  # the table of docs/reference/performance.md that it belongs to
    )
    without: ClassVar[tuple[str, ...]] = ()  # modes that would only repeat another
    reads: ClassVar[bool] = False  # whether nearly all bytes that it moves are read
    tested: ClassVar[bool] = True  # False where it differs in sizes alone from one that is

    def __init__(self, quick: bool = False) -> None:
        self.quick = quick

    def size(self, full: int, quick: int) -> int:
        return quick if self.quick else full

    def floor(self) -> tuple[float, float]:
        """The bytes that a call has to move, and the operations that it has to do, at least."""
        raise NotImplementedError

    def data(self, rng: np.random.Generator) -> Arrays:
        """The operands of a call."""
        raise NotImplementedError


WORKLOADS: dict[str, type[Workload]] = {}


def workload(cls: type[Workload]) -> type[Workload]:
    """Add the class to the table."""
    assert cls.name not in WORKLOADS, cls.name
    WORKLOADS[cls.name] = cls
    return cls


@cache
def known() -> dict[str, type[Workload]]:
    """All workloads by name."""
    for family in FAMILIES:
        importlib.import_module(f".{family}", __package__)
    return WORKLOADS


def normal(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return rng.standard_normal(shape, dtype=np.float32)


def tape_gradient(tf: Any, f: Function, count: int = 1) -> Function:
    """The gradient of `f` in its first `count` arguments, for a cotangent that comes last."""

    def run(*arguments: Any) -> Any:
        *given, dy = arguments
        sources = given[:count]
        with tf.GradientTape() as tape:
            tape.watch(sources)
            y = f(*given)
        return tape.gradient(y, sources, dy)

    return run


def torch_gradient(torch: Any, f: Function, count: int = 1) -> Function:
    def run(*arguments: Any) -> Any:
        *given, dy = arguments
        sources = [x.detach().requires_grad_() for x in given[:count]]
        y = f(*sources, *given[count:])
        return torch.autograd.grad(y, sources, dy)

    return run


def jax_gradient(jax: Any, f: Function, count: int = 1) -> Function:
    def run(*arguments: Any) -> Any:
        *given, dy = arguments
        rest = given[count:]
        return jax.vjp(lambda *sources: f(*sources, *rest), *given[:count])[1](dy)

    return run
