"""Random programs of nested loops and branches: first and second derivatives are those of the eager
tape, inside of compiled functions and of compiled functions.

The last bits are not compared: where a region only hands a value on, what is used beside it is
added up in another order (see docs/explanation/architecture.md). test_gradient_order.py compares
bits.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.autodiff.test_gradient_order import curvature, slope
from tests.sampling import by_turns

pytestmark = pytest.mark.usefixtures("baseline_code")

NAMES = ("x", "a", "b", "c")


def expression(draw: random.Random, depth: int = 2, plain: bool = False) -> str:
    if plain and (depth == 0 or draw.random() < 0.3):
        return draw.choice(NAMES)
    x, y = (expression(draw, depth - 1, True) for _ in range(2))
    return draw.choice(
        [
            *(f"{x} * {y}", f"({x} + {y})", f"({x} - 0.3 * {y})", f"{x} * tf.cos({y})"),
            *(f"tf.sin({x})", f"tf.tanh({x})", f"tf.sigmoid({x})", f"tf.nn.softmax({x})"),
            f"{x} * tf.reduce_sum({y})",
        ]
    )


def block(draw: random.Random, margin: str, depth: int, lines: list[str]) -> None:
    for _ in range(draw.randint(1, 3)):
        kind = draw.choice(["assign", "assign", "if", "for", "while"] if depth else ["assign"])
        deeper = margin + "    "
        if kind == "assign":
            lines.append(f"{margin}{draw.choice('abc')} = {expression(draw)}")
        elif kind == "if":
            lines.append(f"{margin}if tf.reduce_sum({draw.choice(NAMES)}) > {draw.choice('01')}.0:")
            block(draw, deeper, depth - 1, lines)
            if draw.random() < 0.6:
                lines.append(f"{margin}else:")
                block(draw, deeper, depth - 1, lines)
        elif kind == "for":
            lines.append(f"{margin}for _ in tf.range({draw.randint(0, 3)}):")
            block(draw, deeper, depth - 1, lines)
            lines.append(f"{deeper}a = tf.tanh(a) + 0.1")
        else:
            count = f"n{len(lines)}"
            lines.append(f"{margin}{count} = 0")
            limit = f"{count} < {draw.randint(0, 3)} and tf.reduce_sum(tf.abs(b)) < 50.0"
            lines.append(f"{margin}while {limit}:")
            block(draw, deeper, depth - 1, lines)
            lines.append(f"{deeper}{count} += 1")
            lines.append(f"{deeper}b = tf.sin(b) * 0.9")


def program(seed: int, folder: Path) -> tuple[Callable[[Any], Any], str]:
    """A program, and its text, which stands in a file: AutoGraph reads it there."""
    draw = random.Random(seed)
    lines = ["import tfc as tf", "", "def f(x):", "    a, b, c = x * 0.7, tf.sin(x), x + 0.1"]
    block(draw, "    ", 2, lines)
    lines.append(f"    return {expression(draw)} + a * b + c")
    text = "\n".join(lines) + "\n"
    path = folder / f"program_{seed}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f, text


@pytest.mark.parametrize("seed", range(5))
def test_random_programs(seed: int, tmp_path: Path) -> None:
    f, text = program(seed, tmp_path)
    x = tf.constant(np.random.default_rng(seed).uniform(-1, 1.5, 3))
    compiled = tf.function(f)
    for derivative in (slope, curvature):
        wanted = derivative(f, x).numpy()
        ways = [
            lambda v, d=derivative: tf.function(lambda v: d(f, v))(v),
            lambda v, d=derivative: d(compiled, v),
        ]
        # Second derivatives are programs of thousands of lines: one of the ways in turn.
        for way in by_turns(ways, seed, 2 if derivative is slope else 1):
            np.testing.assert_allclose(way(x), wanted, 1e-11, 1e-13, err_msg=text)
