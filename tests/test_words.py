"""Kernels and backends speak the field's language: words that were used in its place are gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GONE = {  # what was said, and what is to be said
    r"lodgings?": "row alias",
    r"crews?": "thread pool",
    r"fore(see|sees|saw|seen)": "prefetch",
    r"(ask|asks|asked) (for|the caches for) (ahead|the next)": "prefetch",
    r"(first|near|nearest|second|last) cache": "L1, L2, L3",
    r"shared out": "partitioned, distributed",
    r"(sweep|sweeps|swept|sweeping)": "weight gradient, split-k",
    r"(borders?|bordered)": "halo",
    r"patches": "im2col strip",
    r"planes": "channel-major feature map",
    r"(hole_strides?|tap_strides)": "lhs_dilation, rhs_dilation",
    r"by.lines": "GEMV by rows",
    r"(turned|unturned|turning)": "transposed, reversed, swizzled",
    r"class Chains?": "accumulator chains",
    r"Indices\(": "Term",
    r"Lowering": "FusedKernelBuilder",
    r"small change": "emission helpers",
    r"kind = .(lanes|some).": "simd, simd_masked",
}
FILES = [
    f
    for room in ("ir/kernels", "backends")
    for f in sorted((ROOT / room).rglob("*.py"))
    # The emulator speaks PTX's language, expansions that of numerics (a quarter turn).
    if not {"emulator", "expand"} & set(f.parts)
]


@pytest.mark.parametrize("word", GONE)
def test_words_are_gone(word: str) -> None:
    pattern = re.compile(rf"\b(?:{word})\b" if word[-1].isalnum() or word[-1] == ")" else word)
    found = [
        f"{file.relative_to(ROOT)}:{number}"
        for file in FILES
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, f"say {GONE[word]!r}: {', '.join(found)}"


def test_the_rooms_are_read() -> None:
    assert len(FILES) > 100


def _thresholds(room: str) -> Iterator[tuple[Path, str, str]]:
    """The constants of modules that are numbers: file, name and comment."""
    for file in FILES:
        if not file.is_relative_to(ROOT / room):
            continue
        text = file.read_text()
        lines = text.splitlines()
        for statement in ast.parse(text).body:
            if not isinstance(statement, ast.Assign) or not _is_number(statement.value):
                continue
            above, comment = statement.lineno - 2, ""
            while lines[above].startswith("#"):
                comment = f"{lines[above].lstrip('# ')} {comment}"
                above -= 1
            for line in lines[statement.lineno - 1 : statement.end_lineno]:
                comment += line.partition("#")[2]
            for target in statement.targets:
                for name in target.elts if isinstance(target, ast.Tuple) else [target]:
                    if isinstance(name, ast.Name) and name.id.isupper():
                        yield file, name.id, comment


def _is_number(value: ast.expr) -> bool:
    """Whether it is a number, or made of numbers and of such constants."""
    match value:
        case ast.Constant(value=int() | float() as number):
            return not isinstance(number, bool)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.Tuple(elts=elements):
            return all(map(_is_number, elements))
    return isinstance(value, ast.Name) and value.id.isupper()


def test_thresholds_of_kernels_have_names_of_their_own() -> None:
    places: dict[str, list[str]] = {}
    for file, name, _ in _thresholds("ir/kernels"):
        places.setdefault(name, []).append(str(file.relative_to(ROOT)))
    assert len(places) > 80, "the thresholds were not found"
    twice = {name: files for name, files in places.items() if len(files) > 1}
    assert not twice, f"one name for several thresholds: {twice}"


def test_thresholds_say_why() -> None:
    """In words: what is bounded, and what was measured when the number was set."""
    silent = [
        f"{file.relative_to(ROOT)}: {name}"
        for file, name, comment in _thresholds("ir/kernels")
        if len(comment.split()) < 3
    ]
    assert not silent, f"without a comment that gives a reason: {', '.join(silent)}"
