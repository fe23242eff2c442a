"""What the pages show is what their code prints. `pytest --bless` writes it into the pages anew."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs import pages
from tests.emulated_gpu import environment
from tfc.backends.cpu.machine import host

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# Languages of blocks that are not run: text, commands, and other languages' code.
SHOWN = {"text", "sh", "llvm", "asm"}
# Pages with a process of their own: they show a certain machine, or change what others rely on.
APART: dict[str, dict[str, str]] = {
    "howto/use_a_gpu.md": {"TFC_CUDA": "emulate"},
    "explanation/life_of_a_program.md": {
        "TFC_CPU_FEATURES": "-avx512f",  # 256 bits
        "TFC_OPT_LEVEL": "2",  # what users get
    },
    "howto/extend/op.md": {},
    "howto/extend/rule.md": {},
}
# Pages that show kernels or schedules, which are others where code is generated quickly.
FULL_CODE = {"howto/profile.md", "reference/ir.md"}


def as_run(name: str) -> str:
    if name not in APART:
        return pages.as_run((DOCS / name).read_text())
    command = [sys.executable, "-m", "tests.docs.pages", str(DOCS / name)]
    given = {**environment("off"), **APART[name]}
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=given)
    return run.stdout


@pytest.mark.parametrize("name", [str(p.relative_to(DOCS)) for p in pages.with_code(DOCS)])
def test_code_prints_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if "TFC_CPU_FEATURES" in APART.get(name, {}) and not host().has("avx2"):
        pytest.skip("the page shows code for AVX2")
    monkeypatch.chdir(tmp_path)
    if name in FULL_CODE:
        monkeypatch.delenv("TFC_OPT_LEVEL", raising=False)
    path = DOCS / name
    page, got = path.read_text(), as_run(name)
    if got != page and request.config.getoption("bless"):
        path.write_text(got)
        pytest.skip(f"{name} was rewritten")
    difference = difflib.unified_diff(page.splitlines(), got.splitlines(), "page", "run", n=1)
    assert got == page, "\n".join(difference)


def test_code_is_of_a_known_language() -> None:
    for path in DOCS.rglob("*.md"):
        for block in pages.blocks(path.read_text()):
            known = block.language in {"pycon", "python", *SHOWN}
            assert known, f"{path.name} has a block of {block.language!r}: {block.text[:60]}"


def test_commands_are_there() -> None:
    """Targets of make, and modules that are run, which pages name."""
    makefile = (ROOT / "Makefile").read_text()
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]:
        text = path.read_text()
        for target in re.findall(r"(?:^ {4}|`|^)make ([a-z][a-z-]*)", text, re.M):
            assert re.search(rf"^{target}:", makefile, re.M), f"{path.name}: make {target}"
        for module in re.findall(r"python -m ((?:tools|benchmarks|tests)[\w.]*)", text):
            file = ROOT / module.replace(".", os.sep)
            assert file.with_suffix(".py").exists() or file.is_dir(), f"{path.name}: {module}"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_links_of_pages_outside_of_the_site_lead_somewhere(name: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)#?[^)]*\)", (ROOT / name).read_text())
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


ROOMS = ("tfc", "ir", "backends", "tests", "tools", "benchmarks", "examples", "docs")
# Files of others that comments name: the user's, and TensorFlow's.
OTHERS = {"model.py", "script.py", "train.py", "signal/dct_ops.py"}


def sources() -> dict[str, Path]:
    """All modules, by their paths from the root."""
    found = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            name = str(path.relative_to(ROOT))
            if not name.startswith(("tfc/ir/", "tfc/backends/")):  # links
                found[name] = path
    return found


def test_files_are_there() -> None:
    """Those that pages name in code, and comments and docstrings: by a path, or its end."""
    there = sources()
    ends = {"/".join(name.split("/")[i:]) for name in there for i in range(name.count("/") + 1)}
    ends |= {f"tfc/{name}" for name in there if name.startswith(("ir/", "backends/"))}
    ends |= {path.name for path in ROOT.glob("*.py")}
    missing = []
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")]:
        prose = pages.FENCE.sub("", path.read_text())
        named = re.findall(r"`([\w/]+\.py)`", prose)
        missing += [f"{path.name}: {name}" for name in named if name not in ends]
    for name, path in there.items():
        if name.startswith(("tfc/", "ir/", "backends/")):
            named = re.findall(r"(?<![\w/.\"<])([a-z_0-9/]+\.py)\b", path.read_text())
            missing += [f"{name}: {n}" for n in named if n not in ends | OTHERS]
    assert not missing


PAGE = """# Title

```pycon
>>> def double(x):
...     return x + x
...
>>> double(2)
4
>>> double("ab")[0:2], 1
('ab'...
>>> for i in range(2): print(i, object())
...
0 <object object at ...>
1 <object object at ...>
>>> # This prints nothing.
>>> {}["key"]
Traceback (most recent call last):
    ...
KeyError: 'key'
>>> print("a\\n\\nb")
a

b
```

Text.

```pycon
>>> double.__code__.co_firstlineno, double.__code__.co_filename
(1, 'program.py')
```
"""


def test_a_page_that_is_true_stays_as_it_is() -> None:
    assert pages.as_run(PAGE) == PAGE


@pytest.mark.parametrize(
    ("true", "false", "now"),
    [
        ("4\n", "5\n", "4\n"),
        ("('ab'...\n", "('cd'...\n", "('ab', 1)\n"),
        ("0 <object object at ...", "2 <object object at ...", None),
        ("KeyError: 'key'", "KeyError: 'another'", "KeyError: 'key'"),
        ("a\n\nb\n", "a\n\nc\n", "a\n\nb\n"),
        ("(1, 'program.py')", "(2, 'program.py')", "(1, 'program.py')"),
    ],
)
def test_a_page_that_is_not_true_is_mended(true: str, false: str, now: str | None) -> None:
    assert true in PAGE
    mended = pages.as_run(PAGE.replace(true, false))
    if now is None:  # an address
        assert re.search("^0 <object object at 0x.*\n1 <object object at [.]{3}>$", mended, re.M)
    else:
        assert mended == PAGE.replace(true, now)
