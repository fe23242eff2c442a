"""Kernels and backends speak the field's language: words that were used in its place are gone."""

from __future__ import annotations

import re
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
