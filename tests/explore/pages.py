"""What the tests of the explorer look at: its page, taken apart, and functions to make one of."""

from __future__ import annotations

import html
import inspect
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import tfc as tf

HERE = Path(__file__)


class Row(NamedTuple):
    """A row of a column."""

    text: str
    lines: frozenset[tuple[str, int, bool]]  # file, line, whether it is a derivative

    @property
    def numbers(self) -> set[int]:
        return {number for _, number, _ in self.lines}


class Page:
    """A page, as the script in it reads it."""

    def __init__(self, text: str) -> None:
        self.text = text
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
        assert found
        self.data: Any = json.loads(found[1])

    def pre(self, name: str) -> str:
        found = re.search(rf'<pre id="{name}">(.*?)</pre>', self.text, re.S)
        assert found, name
        return html.unescape(found[1])

    def column(self, name: str, program: int = 0) -> list[Row]:
        described = self.described(name, program)
        keys = described["keys"]
        sets = [
            number
            for number, count in zip(keys[::2], keys[1::2], strict=True)
            for _ in range(count)
        ]
        text = self.pre(f"f{program}-{name}")
        texts = text.split("\n") if text else []
        return [Row(t, self.lines(s)) for t, s in zip(texts, sets, strict=True)]

    def described(self, name: str, program: int = 0) -> Any:
        (found,) = [c for c in self.data["programs"][program]["described"] if c["name"] == name]
        return found

    def lines(self, number: int) -> frozenset[tuple[str, int, bool]]:
        if number < 0:
            return frozenset()
        lines = [self.data["lines"][i] for i in self.data["sets"][number]]
        return frozenset((file, line, bool(derived)) for file, line, derived, _ in lines)


def number_of(comment: str) -> int:
    """The line of this file that ends with a comment."""
    rows = HERE.read_text().splitlines()
    (found,) = [i for i, row in enumerate(rows, 1) if row.endswith(f"# {comment}")]
    return found


weights = tf.Variable(tf.reshape(tf.range(12.0), [4, 3]) / 10.0, name="weights")


@tf.function
def step(x: Any, labels: Any) -> Any:
    with tf.GradientTape() as tape:
        logits = x @ weights  # the product
        probabilities = tf.nn.softmax(logits)  # the softmax
        loss = tf.reduce_mean((probabilities - labels) ** 2.0)  # the loss
    gradient = tape.gradient(loss, weights)
    weights.assign_sub(0.5 * gradient)  # the update
    return loss


@tf.function
def newton(a: Any) -> Any:
    x = a
    while tf.abs(x * x - a) > 1e-6:  # the condition
        x = 0.5 * (x + a / x)  # the round
    return x


def step_arguments() -> tuple[Any, Any]:
    return tf.reshape(tf.range(20.0), [5, 4]) / 7.0, tf.ones([5, 3]) / 3.0


assert inspect.getsourcefile(step.python_function) == str(HERE)
