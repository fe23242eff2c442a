"""Results as lines of text, which are committed.

    tf.abs(x) [float32]; first: float32 [3] -1.0 0.0 1.0

An error is its class, and no gradient None. Behind `ours:` stands what tfc gives where the two
differ because they should (`intended.toml`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import ml_dtypes  # noqa: F401  (NumPy knows bfloat16 then)
import numpy as np

FOLDER = Path(__file__).parent / "agreed"
OURS = " ours: "


def written(outcome: Any) -> str:
    """The text of a result."""
    return outcome if isinstance(outcome, str) else ", ".join(map(_array, outcome)) or "nothing"


def _array(array: Any) -> str:
    if array is None:
        return "None"
    numbers = array.ravel().tolist()
    if array.dtype.kind in "fV":  # the shortest text that is read as this number again
        numbers = [_shortest(v) for v in array.ravel()]
    if array.dtype.kind in "OS":  # what lines are divided at is written as escapes
        numbers = [re.sub("[ ,;:]", lambda m: f"\\x{ord(m[0]):02x}", str(v)) for v in numbers]
    shape = " ".join(map(str, array.shape))
    return " ".join([str(array.dtype), f"[{shape}]", *map(str, numbers)])


def _shortest(number: Any) -> str:
    if number.dtype.itemsize < 4:
        return repr(float(number))
    return str(number)


def read(text: str) -> Any:
    """The result that a text shows."""
    if text == "nothing":
        return []
    if " " not in text and text != "None":
        return text
    return [None if part == "None" else _read(part) for part in text.split(", ")]


def _read(text: str) -> np.ndarray:
    head, _, rest = text.partition("] ")
    dtype, _, shape = head.partition(" [")
    extents = [int(n) for n in shape.strip("]").split()]
    kinds = {"b": lambda v: v == "True", "c": complex, "i": int, "u": int, "O": str, "S": str}
    kind = np.dtype(dtype)
    numbers = [kinds.get(kind.kind, float)(v) for v in rest.split()]
    array = np.array(numbers, kind if kind.kind in "iuO" else None)
    return array.astype(kind).reshape(extents)


def load(group: str) -> dict[tuple[str, str], tuple[str, str | None]]:
    """By program and way of evaluation: TensorFlow's result, and ours where it is another."""
    found = {}
    for line in (FOLDER / f"{group}.txt").read_text().splitlines():
        name, _, rest = line.rpartition("; ")
        way, _, results = rest.partition(": ")
        theirs, _, ours = results.partition(OURS)
        found[name, way] = theirs, ours or None
    return found


def save(group: str, results: dict[tuple[str, str], tuple[str, str | None]]) -> None:
    """Write the file that `load` reads."""
    lines = [
        f"{name}; {way}: {theirs}" + (OURS + ours if ours else "")
        for (name, way), (theirs, ours) in results.items()
    ]
    (FOLDER / f"{group}.txt").write_text("\n".join(lines) + "\n")
