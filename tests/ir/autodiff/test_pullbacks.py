"""Derivatives of every smooth op of the table: against finite differences, to the second order, and
the same bits however they are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests import native
from tests.optable import ROWS, Row
from tests.sampling import ALL, by_turns
from tfc.ir.autodiff import reverse
from tfc.ir.core import Function, Value
from tfc.ir.interpreter import interpret

SMOOTH = [pytest.param(r, id=r.name) for r in ROWS if r.smooth]
NUMBERS = {id(r): i for i, r in enumerate(r for r in ROWS if r.smooth)}


def draw(rng: Any, v: Value, low: float = 0.5, high: float = 1) -> Any:
    """Random numbers, in both parts if complex, of the type of `v`."""
    array = np.empty(v.shape, v.dtype.numpy)
    array.real = rng.uniform(low, high, v.shape)
    if v.dtype.is_complex:
        array.imag = rng.uniform(low, high, v.shape)
    return array


def directional(
    f: Function,
    arrays: list[Any],
    step: float,
    rng: Any,
    run: Callable[..., list[Any]] = native.run,
) -> tuple[float, float]:
    """<w, df(v)> by central differences, and <vjp(w), v> by the pullback, for random v and w."""
    backward = reverse.pullback(f)
    directions = [
        draw(rng, p, -1, 1) if p.dtype.is_inexact else np.zeros_like(a)
        for p, a in zip(f.params, arrays, strict=True)
    ]
    moved = [
        interpret(
            f,
            [
                a + (sign * step * v).astype(a.dtype) if a.dtype.kind in "fc" else a
                for a, v in zip(arrays, directions, strict=True)
            ],
        )
        for sign in (1, -1)
    ]
    weights = [
        draw(rng, v) if v.dtype.is_inexact else np.zeros_like(y)
        for v, y in zip(f.returns, moved[0], strict=True)
    ]
    numeric = sum(
        float(np.sum(np.conj(w) * (up - down) / (2 * step)).real)
        for w, up, down in zip(weights, *moved, strict=True)
        if up.dtype.kind in "fc"
    )
    grads = iter(run(backward, *arrays, *weights))
    exact = sum(
        float(np.sum(np.conj(next(grads)) * v).real)
        for v, used in zip(directions, backward.notes["connected"], strict=True)
        if used
    )
    return numeric, exact


def interpreted(f: Function, *arrays: Any) -> list[Any]:
    return interpret(f, arrays)


@pytest.mark.parametrize("row", SMOOTH)
def test_gradients(row: Row) -> None:
    """vjp against finite differences; then the pullback's own vjp against its differences. That
    one is compiled at one size; at the other it is the derivative that counts, and NumPy will do.
    """
    rng = np.random.default_rng(1)
    tried = row.sizes[:2] if len(row.sizes) < 9 else row.sizes[1:5:3]
    for sizes in tried:
        f = row.function("f64", sizes)
        arrays = row.arrays("f64", sizes)
        for order in (1, 2):
            compiled = ALL or order == 1 or sizes is tried[-1]
            run = native.run if compiled else interpreted
            numeric, exact = directional(f, arrays, 1e-6, rng, run)
            assert exact == pytest.approx(numeric, rel=1e-5, abs=1e-6), f"order {order}, {sizes}"
            if order == 1:
                f = reverse.pullback(f)
                arrays += [draw(rng, p) for p in f.params[len(arrays) :]]


@pytest.mark.parametrize("row", SMOOTH)
def test_pullbacks_give_the_same_bits_however_they_run(row: Row) -> None:
    """Fused, and in two of four ways, which an op's rows take in turn (random programs run in all
    of them, too): on symbolic extents, op by op, without passes, with every value stored."""
    sizes = row.sizes[len(row.sizes) // 2]
    f = reverse.pullback(row.function("f32", sizes))
    rng = np.random.default_rng(2)
    arrays = row.arrays("f32", sizes)
    arrays += [draw(rng, p, -2, 2) for p in f.params[len(arrays) :]]
    fused = native.run(f, *arrays)
    everything = tuple(v for op in f.body for v in op.results)
    stored = Function(f.name, f.params, f.body, (*f.returns, *everything))
    ways: dict[str, Callable[[], list[Any]]] = {
        "symbolic": lambda: native.run(reverse.pullback(row.function("f32")), *arrays),
        "all stored": lambda: native.run(stored, *arrays)[: len(fused)],
        "op by op": lambda: native.run_eagerly(f, *arrays),
        "no passes": lambda: native.Native(f, ())(*arrays),
    }
    for way, run in by_turns(list(ways.items()), NUMBERS[id(row)], 2):
        native.assert_same_bits(run(), fused, way)
