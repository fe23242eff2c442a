"""What the cases of the public functions are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import tfc as tf

# The modules whose public functions must each have a case.
NAMESPACES = [tf, tf.math, tf.nn, tf.bitwise, tf.linalg, tf.signal, tf.image]


@dataclass(frozen=True)
class Case:
    """One way to call a function. `arrays` become tensors."""

    name: str
    call: Callable[..., Any]
    reference: Callable[..., Any]
    arrays: tuple[np.ndarray, ...]
    rtol: float = 0.0  # 0: the same bits as NumPy
    smooth: tuple[int, ...] = ()  # the arrays to differentiate by
    symbolic: bool = True  # it also runs where no extent is known


rng = np.random.default_rng(0)
CASES: list[Case] = []


def normal(*shape: int) -> np.ndarray:
    return rng.normal(size=shape)


def between(low: float, high: float, *shape: int) -> np.ndarray:
    return rng.uniform(low, high, shape)


def integers(low: int, high: int, *shape: int) -> np.ndarray:
    return rng.integers(low, high, shape).astype(np.int32)


def case(
    name: str,
    call: Any,
    reference: Any,
    *arrays: Any,
    rtol: float = 0.0,
    smooth: Any = None,
    symbolic: bool = True,
) -> None:
    """A row; by default smooth in every array of float64."""
    given = tuple(np.asarray(a) for a in arrays)
    if smooth is None:
        smooth = [i for i, a in enumerate(given) if a.dtype == np.float64]
    CASES.append(Case(name, call, reference, given, rtol, tuple(smooth), symbolic))


def find(name: str) -> Any:
    """The public function of this name. (Cases are TensorFlow's, too: tests/differential. What it
    lacks is an error where it is called.)"""
    for module in NAMESPACES:
        if hasattr(module, name):
            return getattr(module, name)

    def missing(*_: Any) -> Any:
        raise AttributeError(name)

    return missing
