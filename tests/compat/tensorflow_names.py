"""TensorFlow's public names and ops with what they take, which are committed: run by a Python that
has TensorFlow, it writes of_tensorflow/names.txt and of_tensorflow/raw_ops.txt.

    python -m tests.compat.tensorflow_names

A line is a name and, for functions and classes, its parameters. Keras is left out, and TensorFlow
1 with it.
"""

from __future__ import annotations

import enum
import inspect
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "of_tensorflow"
SKIPPED = ("keras", "compat", "raw_ops", "estimator", "initializers", "losses", "metrics")
SKIPPED += ("optimizers",)


def shown(default: Any) -> str:
    """A default as text: the same for both libraries."""
    if isinstance(default, enum.Enum):
        default = default.value
    if hasattr(default, "as_numpy_dtype") and hasattr(default, "name"):
        return f"tf.{default.name}"
    if callable(default) and hasattr(default, "__name__"):
        return str(default.__name__)
    text = repr(default)
    return "..." if " at 0x" in text or len(text) > 80 else text


def parameters(value: Any) -> str | None:
    """What a function or class takes, as text."""
    while not isinstance(value, type) and hasattr(value, "__wrapped__"):
        if "__signature__" in vars(value):
            break
        value = value.__wrapped__
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    parts = []
    for p in found.parameters.values():
        name = stars.get(p.kind, "") + p.name
        parts.append(name if p.default is p.empty else f"{name}={shown(p.default)}")
    return ", ".join(parts)


def walk(module: Any, path: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The public names below a module of TensorFlow's."""
    for name in sorted(n for n in dir(module) if not n.startswith("_")):
        if not depth and name in SKIPPED:
            continue
        value = getattr(module, name)
        full = f"{path}.{name}"
        if not isinstance(value, types.ModuleType):
            yield full, value
            continue
        inner = "_api" in value.__name__ or ".python" not in value.__name__
        if inner and not value.__name__.startswith("keras") and depth < 6:
            yield full, value
            yield from walk(value, full, depth + 1)


def line(name: str, value: Any) -> str:
    """The line of a name."""
    plain = isinstance(value, types.ModuleType) or not callable(value)
    given = None if plain else parameters(value)
    return name if given is None else f"{name}({given})"


def main() -> None:
    """Write both files."""
    import tensorflow as tf

    names = [line(*found) for found in walk(tf, "tf")]
    ops = [n for n in dir(tf.raw_ops) if not n.startswith("_")]
    raw = [line(n, getattr(tf.raw_ops, n)) for n in ops]
    for file, lines in (("names", names), ("raw_ops", raw)):
        (FOLDER / f"{file}.txt").write_text("\n".join([f"# {tf.__version__}", *lines]) + "\n")


if __name__ == "__main__":
    main()
