"""TensorFlow's promotion modes: all pairs of dtypes as TensorFlow has them, and the functions."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tfc.experimental.numpy import _promotion
from tfc.experimental.numpy._lattice import Kind
from tfc.ir.dtypes import as_dtype

HERE = Path(__file__).parent


def kind(name: str) -> Kind:
    return Kind(as_dtype(name.rstrip("*")), name.endswith("*"))


@pytest.mark.parametrize("mode", ["all", "safe"])
def test_all_pairs(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_promotion.settings, "mode", mode)
    lines = (HERE / f"promotion_{mode}.txt").read_text().splitlines()[1:]
    rows = {line.split()[0]: line.split()[1:] for line in lines}
    assert len(rows) == 18
    for a, results in rows.items():
        for b, wanted in zip(rows, results, strict=True):
            if wanted == "error":
                with pytest.raises(TypeError, match=r"PromoMode.SAFE.*is disallowed"):
                    _promotion.joined([kind(a), kind(b)])
            else:
                assert _promotion.joined([kind(a), kind(b)]) == kind(wanted), (a, b)


def test_functions_promote() -> None:
    """In a process of its own, since it holds for all of it. The dtypes are TensorFlow's."""
    root = HERE.parents[1]
    done = subprocess.run(
        [sys.executable, HERE / "promotion_program.py"],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout.strip() == "fine", done.stderr
