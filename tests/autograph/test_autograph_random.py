"""Random programs of nested loops, branches, breaks, continues, returns and Variables: compiled
they do what plain Python does with them, exactly.

The text of each goes to a file, since AutoGraph reads the source. All arithmetic is on integers
(wrapping at 32 bits) or exact in float64.
"""

from __future__ import annotations

import importlib.util
import itertools
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tfc as tf
from tests.sampling import ALL

INTEGERS, FLOATS = ("a", "b", "c"), ("u", "w")
EXAMPLES = 50 if ALL else 5


@st.composite
def integer(draw: Any, depth: int = 2) -> str:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([*INTEGERS, "n", "0", "1", "2", "7", "v"]))
    x, y = draw(integer(depth - 1)), draw(integer(depth - 1))
    kind = draw(st.sampled_from(["+", "-", "*", "//", "%", "if"]))
    if kind in ("//", "%"):
        return f"({x}) {kind} {draw(st.sampled_from(['2', '3', '5']))}"
    if kind == "if":
        return f"(({x}) if {draw(condition(depth - 1))} else ({y}))"
    return f"(({x}) {kind} ({y})) % 1009"


@st.composite
def number(draw: Any, depth: int = 2) -> str:
    """Halves, sums and remainders: exact in float64."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from([*FLOATS, "tf.constant(1.5, y.dtype)"]))
    x, y = draw(number(depth - 1)), draw(number(depth - 1))
    return draw(
        st.sampled_from(
            [
                f"({x}) * 0.5",
                f"({x}) + 0.25",
                f"({x}) + ({y})",
                f"({x}) - ({y})",
                f"tf.maximum({x}, {y})",
                f"(({x}) if {draw(condition(depth - 1))} else ({y}))",
            ]
        )
    )


@st.composite
def condition(draw: Any, depth: int = 1) -> str:
    x = draw(integer(0))
    simple = draw(
        st.sampled_from(
            [
                f"{x} % 2 == 0",
                f"{x} < {draw(integer(0))}",
                f"{draw(st.sampled_from(FLOATS))} > {draw(st.sampled_from(['0.5', 'u', 'w']))}",
                f"0 < {x} <= {draw(integer(0))}",
                f"{x} != {draw(st.integers(0, 3))}",
            ]
        )
    )
    if depth == 0 or draw(st.booleans()):
        return simple
    other = draw(condition(depth - 1))
    combined = [f"({simple} and {other})", f"({simple} or {other})", f"not ({simple})"]
    return draw(st.sampled_from(combined))


@st.composite
def block(draw: Any, depth: int, loop: bool) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(statement(depth, loop))
    return lines


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


counter = itertools.count()


@st.composite
def statement(draw: Any, depth: int, loop: bool) -> list[str]:
    kinds = ["integer", "float", "variable"]
    if depth:
        kinds += ["if", "if", "while", "for", "python for", "tensor for"]
    if loop:
        kinds += ["break", "continue"]
    kinds += ["return"]
    kind = draw(st.sampled_from(kinds))
    if kind == "integer":
        target = draw(st.sampled_from(INTEGERS))
        return [f"{target} {draw(st.sampled_from(['=', '+=', '-=']))} {draw(integer())}"]
    if kind == "float":
        return [f"{draw(st.sampled_from(FLOATS))} = {draw(number())}"]
    if kind == "variable":
        return [draw(st.sampled_from(["v.assign_add(a)", "v.assign(v * 3 % 1009 + c)"]))]
    if kind in ("break", "continue", "return"):
        leave = f"return {draw(integer(1))}, {draw(number(1))}" if kind == "return" else kind
        return [f"if {draw(condition())}:", *_indented([leave])]
    body = draw(block(depth - 1, loop or kind != "if"))
    if kind == "if":
        lines = [f"if {draw(condition())}:", *_indented(body)]
        if draw(st.booleans()):
            lines += [f"elif {draw(condition())}:", *_indented(draw(block(depth - 1, loop)))]
        if draw(st.booleans()):
            lines += ["else:", *_indented(draw(block(depth - 1, loop)))]
        return lines
    name = f"i{next(counter)}"
    if kind == "while":
        test = f"{name} < {draw(st.integers(1, 4))} and {draw(condition())}"
        head = [f"{name} = n * 0", f"while {test}:"]
        return [*head, *_indented([f"{name} += 1", *body])]
    source = {
        "for": f"tf.range({draw(st.sampled_from(['n', '3', 'a % 4', '1, n, 2']))})",
        "python for": f"range({draw(st.integers(1, 3))})",
        "tensor for": "x",
    }[kind]
    return [f"for {name} in {source}:", *_indented([f"a += {name}", *body])]


@st.composite
def source(draw: Any) -> str:
    body = draw(block(2, False))
    head = ["a, b, c = n * 1, n * 0 + 2, x[0]", "u, w = y, y + 1.0"]
    lines = [*head, *body, "return (a + b * 3 + c * 5) % 1009, u + w"]
    return "def program(n, x, y, v, tf):\n" + textwrap.indent("\n".join(lines), "    ") + "\n"


def loaded(text: str, folder: Path) -> Any:
    """The function of this source, from a file of its own."""
    path = folder / f"program{next(counter)}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.program


def check(text: str, folder: Path) -> None:
    """Python on eager tensors, compiled, and compiled for unknown extents: the same."""
    program = loaded(text, folder)
    v = tf.Variable(0)

    def run(n: Any, x: Any, y: Any) -> Any:
        return program(n, x, y, v, tf)

    spec = [
        tf.TensorSpec([], tf.int32),
        tf.TensorSpec([None], tf.int32),
        tf.TensorSpec([], tf.float64),
    ]
    ways = [run, tf.function(run), tf.function(run, input_signature=spec)]
    for n, x, y in ((3, [2, 5], 0.75), (0, [1], 3.0)):
        outcomes = []
        for way in ways:
            v.assign(4)
            whole, real = way(tf.constant(n), tf.constant(x, tf.int32), tf.constant(y, tf.float64))
            outcomes.append((int(whole), float(real), int(v)))
        assert outcomes[0] == outcomes[1] == outcomes[2], text


@pytest.mark.parametrize("seed", [0])
def test_random_programs(seed: int, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.mktemp("programs")
    np.random.seed(seed)

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(source())
    def run(text: str) -> None:
        check(text, folder)

    run()
