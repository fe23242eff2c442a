"""Programs for both libraries: an expression of `tf`, `np`, `session` and the operands x and y.

Only NumPy is imported here: a process that runs TensorFlow has no tfc.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

TEXTS = Path(__file__).parent / "texts"
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
INF, NAN = float("inf"), float("nan")
SMALL = 2.0**-100  # TensorFlow takes denormal numbers as 0, and those near them in some places

# Where derivatives jump, where they end, and numbers that are exact.
POINTS = (-INF, -1e6, -2.0, -1.0, -0.5, -SMALL, 0.0, SMALL, 0.5, 1.0, 2.0, 1e6, INF, NAN)
PAIRED = (-INF, -1.0, 0.0, 0.5, 1.0, 2.0, INF, NAN)
ROWS = (
    (1.0, 1.0, 0.0),
    (0.0, 0.0, 0.0),
    (2.0, 0.0, -3.0),
    (-1.0, 2.0, 2.0),
    (INF, 1.0, 1.0),
    (-INF, -INF, -INF),
    (NAN, 1.0, 1.0),
)


@dataclass(frozen=True)
class Program:
    """`text` is evaluated once. Where `derivatives` says so, the sum of its results is
    differentiated once and twice by every operand."""

    text: str
    operands: tuple[np.ndarray, ...] = ()
    derivatives: bool = False

    @property
    def name(self) -> str:
        dtypes = " ".join(sorted({str(a.dtype) for a in self.operands}))
        return f"{self.text} [{dtypes}]" if dtypes else self.text


def texts(name: str) -> list[str]:
    """The lines of a file of programs."""
    lines = (TEXTS / f"{name}.txt").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def derivatives() -> Iterator[Program]:
    pairs = np.array(list(itertools.product(PAIRED, PAIRED)), np.float32).T
    groups = {"unary": (np.float32(POINTS),), "binary": tuple(pairs), "rows": (np.float32(ROWS),)}
    for group, operands in groups.items():
        for text in texts(group):
            yield Program(text, operands, True)


def ends(dtype: str) -> np.ndarray:
    """The numbers where arithmetic of a dtype wraps, and around 0."""
    info = np.iinfo(dtype)
    numbers = {info.min, info.min + 1, -1, 0, 1, info.bits - 1, info.bits, info.max}
    return np.array(sorted(n for n in numbers if info.min <= n), dtype)


def integers() -> Iterator[Program]:
    for dtype in INTEGERS:
        x = ends(dtype)
        left, right = (v.ravel() for v in np.meshgrid(x, x))
        # By 0 there is an error for all; the least number by -1 ends TensorFlow's process.
        kept = (right != 0) & ((left != np.iinfo(dtype).min) | (right + 1 != 0))
        for text in texts("integers"):
            yield Program(text, (x,))
        for text in texts("integer_pairs"):
            yield Program(text, (left, right))
        for text in texts("divisions"):
            yield Program(text, (left[kept], right[kept]))
            yield Program(text.replace("y)", "y * 0)"), (x, x))


def of(group: str) -> Callable[[], Iterator[Program]]:
    """The programs of a file without operands."""
    return lambda: (Program(text) for text in texts(group))


GROUPS: dict[str, Callable[[], Iterator[Program]]] = {
    "derivatives": derivatives,
    "integers": integers,
    "found": of("found"),
    "rarer": of("rarer"),
    "raw_ops": of("raw_ops"),
    "version_1": of("version_1"),
}


def session(tf: Any, build: Callable[..., Any], *runs: tuple[Any, ...]) -> list[Any]:
    """What a session of TensorFlow 1 fetches in its runs. `build` is given placeholders, for what
    each run feeds, and gives the fetches: a tensor, or several, which run one after another. An
    optimizer moves a Variable, which is fetched, down a slope."""
    v1 = tf.compat.v1
    found = []
    with tf.Graph().as_default(), v1.Session() as running:
        fed = [v1.placeholder(a.dtype, [None] * a.ndim) for a in map(np.asarray, runs[0])]
        fetches = build(*fed)
        if isinstance(fetches, v1.train.Optimizer):
            w = tf.Variable([1.0, -2.0, 0.5])
            loss = tf.reduce_sum(w * w * [1.0, 0.3, 2.0]) + w[0]
            fetches = (fetches.minimize(loss), w)
        running.run([v1.global_variables_initializer(), v1.local_variables_initializer()])
        for run in runs:
            for fetch in fetches if isinstance(fetches, tuple) else (fetches,):
                result = running.run(fetch, dict(zip(fed, run, strict=True)))
                found += [] if isinstance(fetch, v1.Operation) else [result]
    return found


def evaluate(tf: Any, program: Program, only: str = "") -> dict[str, Any]:
    """What each evaluation gives, by its name ("value", "first", "second"): a list of arrays, with
    None for each gradient that there is not, or the name of an error's class."""

    # A text of this folder, with these names: nothing else is evaluated.
    code = compile(program.text, "<program>", "eval")

    def value(operands: Any) -> list[Any]:
        names = dict(zip("xy", operands, strict=False))
        result = eval(code, {"tf": tf, "np": np, "session": partial(session, tf), **names})
        parts = tf.nest.flatten(result, expand_composites=True)
        return [p if hasattr(p, "dtype") else tf.constant(p) for p in parts]

    def first(operands: Any) -> list[Any]:
        with tf.GradientTape() as tape:
            tape.watch(operands)
            total = [v for v in value(operands) if v.dtype.is_floating]
        return list(tape.gradient(total, operands))

    def second(operands: Any) -> list[Any]:
        with tf.GradientTape() as tape:
            tape.watch(operands)
            slopes = [g for g in first(operands) if g is not None]
        return list(tape.gradient(slopes, operands)) if slopes else []

    def attempt(how: Any) -> Any:
        try:
            operands = [tf.constant(a) for a in program.operands]
            with np.errstate(all="ignore"):
                return [None if r is None else np.asarray(r) for r in how(operands)]
        except Exception as error:  # what it is, is the result
            return type(error).__name__

    ways = {"value": value}
    if program.derivatives:
        ways |= {"first": first, "second": second}
    return {name: attempt(how) for name, how in ways.items() if only in ("", name)}
