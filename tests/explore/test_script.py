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
    values = page.pre("f1-values").split("\u2063\n")
    assert values[0] == "%x = [0, 1, 2]  float32[3]"  # of the first call of that trace
    assert values[-1].endswith(" = [1, 2, 5]  float32[3]")

    assert main([*given, "square", "--", "--rounds", "3"]) == 0
    assert [p["name"] for p in Page(out.read_text()).data["programs"]] == ["square"]
    assert main([*given, "cube", "--", "--rounds", "3"]) == 1
    assert f"cube is not among what {script} has compiled: outer, squ" in capsys.readouterr().err


def labels(out: Path) -> list[str]:
    return [p["label"] for p in Page(out.read_text()).data["programs"]]


RAISES = """
import tfc as tf

class Model(tf.Module):
    @tf.function
    def step(self, x):
        return tf.sin(x)

Model().step(tf.ones([3]))
Model().step(tf.ones([3]))
for power in (2.0, 3.0):
    tf.function(lambda x: x ** power)(tf.ones([2]))
tf.function(lambda x: x + 1.0)(tf.ones([2]))
def fails():
    raise RuntimeError("there is no data")
fails()
"""


def test_scripts_that_raise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What they had compiled is on the page; what is shown is the script's own traceback."""
    script, out = tmp_path / "fails.py", tmp_path / "page.html"
    script.write_text(RAISES)
    given = [str(script), "--out", str(out), "--no-times"]
    assert main(given) == 1
    told = capsys.readouterr().err
    assert told.startswith(f'Traceback (most recent call last):\n  File "{script}", line 16, in <m')
    assert "RuntimeError: there is no data\n" in told and "runpy" not in told
    assert sorted(labels(out)) == [
        "Model.step(f32[3])",
        *(f"lambda(f32[2]), line {line}" for line in ("12 (1)", "12 (2)", "13")),
    ]
    keys = [p["key"] for p in Page(out.read_text()).data["programs"]]
    assert sorted(keys) == ["lambda", "lambda~2", "lambda~3", "step"]
    assert main([*given[:1], "Model.step", *given[1:]]) == 1
    assert labels(out) == ["Model.step(f32[3])"]
    assert "1 function (1 more is the same as one of these): " in capsys.readouterr().out
    script.write_text(RAISES.replace('RuntimeError("there is no data")', "KeyboardInterrupt"))
    capsys.readouterr()
    assert main(given) == 1 and len(labels(out)) == 4
    assert capsys.readouterr().err == f"{script} was interrupted\n"


def test_packages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "explored_package"
    package.mkdir()
    (package / "__init__.py").touch()
    text = "def größe(x):  # über\u2028\x0c</pre>\n    return tf.sin(x)\n"
    text = f"import tfc as tf\n\n@tf.function\n{text}"
    (package / "layers.py").write_text(text, encoding="utf-8")
    script = package / "train.py"
    script.write_text("from .layers import größe\ngröße(3.0)\n")
    out = tmp_path / "page.html"
    monkeypatch.chdir(tmp_path)
    assert main([str(script), "--no-times"]) == 1
    told = capsys.readouterr().err
    assert f"in {tmp_path}, python -m tfc.explore -m explored_package.train\n" in told
    assert main(["-m", "explored_package.train", "--out", str(out), "--no-times"]) == 0
    assert labels(out) == ["größe()"]
    page = Page(out.read_text())
    assert any(row.text.endswith("# über\ufffd\ufffd</pre>") for row in page.column("python"))


def test_what_is_wrong_is_said_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "never.py"
    script.write_text("raise AssertionError('it has run')")
    wrong = {
        (str(tmp_path / "nothing.py"),): f"there is no file {tmp_path / 'nothing.py'}",
        ("-m", "no_such_package.x"): "there is no module no_such_package",
        (str(script), "--out", str(tmp_path / "no" / "p.html")): "there is no folder",
        (str(script), "--out", str(tmp_path)): "is a folder",
        (str(script), "--n", "3"): "the script's own arguments stand behind --: -- --n 3",
    }
    for given, told in wrong.items():
        with pytest.raises(SystemExit) as ending:
            main(list(given))
        assert ending.value.code == 2 and told in capsys.readouterr().err
    script.write_text("print('hello')")
    assert main([str(script)]) == 1
    assert "a function is compiled when" in capsys.readouterr().err
