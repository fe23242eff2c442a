"""Steps of random programs that call public functions as the catalogue of cases does (tests/cases),
on operands that depend on a value of the program."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np

import tfc as tf
from tests.cases import CASES, Case
from tests.fuzz.programs import Maker, Skip
from tfc import nest
from tfc.ir.dtypes import as_dtype

# What gives as many elements as values say, or other numbers each time.
_NAMES_BY_VALUES = """
where boolean_mask dynamic_partition dynamic_stitch repeat sequence_mask unique unique_with_counts
setdiff1d segment_sum segment_mean segment_prod segment_max segment_min bincount confusion_matrix
compute_accidental_hits sampled_softmax_loss nce_loss
"""
BY_VALUES = _NAMES_BY_VALUES.split()
# Operands that stay what they are but for a factor: definite, triangular, within an interval.
WHOLE = ("factorisations", "linalg", "special")
PER_SWARM = 24  # cases, which many programs share, so that little is compiled
OPERANDS = ("whole", "by elements")


@cache
def cases() -> dict[str, Case]:
    """By a name of its own: those whose results have the sizes of operands."""
    found: dict[str, Case] = {}
    seen: Counter[str] = Counter()
    for c in CASES:
        if c.symbolic and c.name not in BY_VALUES:
            found[f"{c.name} {seen[c.name]}"] = c
            seen[c.name] += 1
    return found


def call(name: str, x: Any, dtype: str, operands: str) -> list[Any]:
    """The results of a case whose floats are multiplied by numbers near 1, one or many, that `x`
    tells; floats are of this dtype."""
    c = cases()[name]
    given = []
    for array in c.arrays:
        operand = tf.constant(array)
        if array.dtype.kind == "f":
            factors = near_one(x, array.shape if operands == "by elements" else ())
            operand = tf.cast(operand * tf.cast(factors, operand.dtype), dtype)
        given.append(operand)
    return [tf.convert_to_tensor(r) for r in nest.flatten(c.call(*given), expand_composites=True)]


def near_one(x: Any, shape: tuple[int, ...]) -> Any:
    """Numbers of float64, or one, from 0.875 to 1.125."""
    flat = tf.reshape(tf.cast(x, tf.float64), [-1])
    flat = tf.where(tf.abs(flat) < 1e6, flat, tf.zeros_like(flat))
    if not shape:
        return 1 + 0.125 * tf.sin(tf.reduce_sum(flat))
    places = tf.range(int(np.prod(shape))) % tf.size(flat)
    return tf.reshape(1 + 0.125 * tf.sin(tf.gather(flat, places)), shape)


@cache
def results(name: str, dtype: str, operands: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Dtypes and shapes of what comes out; nothing where it is no call with such operands, or they
    depend on values."""
    found = []
    for x in (tf.constant([0.5]), tf.constant([2.0, -3.0])):
        try:
            made = call(name, x, dtype, operands)
        except (tf.errors.OpError, ValueError, TypeError):
            return ()
        found.append(tuple((r.dtype.name, tuple(r.shape)) for r in made))
    return found[0] if found[0] == found[1] else ()


def whole(c: Case) -> bool:
    modules = {getattr(f, "__module__", "").rpartition(".")[2] for f in (c.call, c.reference)}
    return not modules.isdisjoint(WHOLE)


def catalogued(m: Maker) -> None:
    x = m.pick("iuf")
    if not m.every(m.types[x].size, bool):
        raise Skip
    names = sorted(cases())
    name = m.of_swarm(PER_SWARM).choice(names)
    dtype = m.choose(("float32", "float64"))
    operands = "whole" if whole(cases()[name]) else m.choose(OPERANDS)
    made = results(name, dtype, operands)
    fitting = [i for i, (d, _) in enumerate(made) if as_dtype(d).kind in "biuf"]
    i = m.choose(fitting)
    code = f"catalogue.call({name!r}, {x}, {dtype!r}, {operands!r})[{i}]"
    m.emit(code, *made[i], x)
