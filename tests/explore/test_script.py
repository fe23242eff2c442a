"""`python -m tfc.explore`: a page of what a script compiles."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.explore.pages import Page
from tfc.core.context import settings
from tfc.explore.__main__ import main

SCRIPT = """
import sys
import tfc as tf

@tf.function
def square(x):
    return x * x

@tf.function
def unused(x):
    return -x

@tf.function
def outer(x):
    return square(x) + 1.0

assert sys.argv[1:] == ["--rounds", "3"], sys.argv
for size in (2, 3, 4):
    outer(tf.range(float(size)))
square(tf.constant(3.0))
sys.exit(0)
"""


def test_all_functions_of_a_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, out = tmp_path / "script.py", tmp_path / "page.html"
    script.write_text(SCRIPT)
    kept = list(sys.argv), list(sys.path)
    given = [str(script), "--out", str(out), "--no-times"]
    assert main([*given, "--", "--rounds", "3"]) == 0
    assert (sys.argv, sys.path) == kept and settings.watch is None
    assert capsys.readouterr().out == f"3 functions: {out}\n"
    page = Page(out.read_text())
    programs = page.data["programs"]
    assert [p["name"] for p in programs] == ["outer", "outer", "square"]
    assert [p["label"] for p in programs] == ["outer(f32[2])", "outer(f32[n0])", "square(f32)"]
    values = page.pre("f1-values").split("\u001e\n")
    assert values[0] == "%x = [0, 1, 2]  float32[3]"  # of the first call of that trace
    assert values[-1].endswith(" = [1, 2, 5]  float32[3]")

    assert main([*given, "square", "--", "--rounds", "3"]) == 0
    assert [p["name"] for p in Page(out.read_text()).data["programs"]] == ["square"]
    assert main([*given, "cube", "--", "--rounds", "3"]) == 1
    assert "no such function was compiled; there are: outer, square" in capsys.readouterr().err
