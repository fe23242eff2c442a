"""The code in the pages of docs/ is run, and what it prints is compared with what they show.

The blocks of a page are one program, in order. In a `pycon` block stand prompts and what is
printed, which ends with the next prompt or the block; `...` in it stands for anything. A `python`
block is run, and what it prints is not looked at. The program has the name program.py, and its
lines are counted through the page: so errors and IR name the same lines on every machine.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import linecache
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

FENCE = re.compile(
    r"^(?P<fence>```+)(?P<language>[\w{}-]*)[^\n]*\n(?P<text>.*?)^(?P=fence)\n", re.M | re.S
)
PROGRAM = "program.py"
PROMPT, MORE = ">>> ", "... "
RAISED = "Traceback (most recent call last):\n    ...\n"


@dataclass(frozen=True)
class Block:
    """A block of a page: its language, its text, and where the text begins in the page."""

    language: str
    text: str
    start: int


@dataclass
class Example:
    """A statement with the lines that it is shown with, and what it is said to print."""

    shown: str
    wanted: str

    @property
    def source(self) -> str:
        """The statement without prompts."""
        return "".join(line[len(PROMPT) :] or "\n" for line in self.shown.splitlines(True))


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for found in FENCE.finditer(page):
        yield Block(found["language"], found["text"], found.start("text"))


def examples(text: str) -> Iterator[Example]:
    """The statements of a block of prompts."""
    example = None
    for line in text.splitlines(keepends=True):
        if line.startswith(PROMPT):
            if example:
                yield example
            example = Example(line, "")
        elif example is None:
            raise ValueError(f"a block of prompts begins with {PROMPT!r}, not with {line!r}")
        elif not example.wanted and line.startswith((MORE, MORE.strip() + "\n")):
            example.shown += line
        else:
            example.wanted += line
    if example:
        yield example


class Program:
    """The program of a page, as far as it was run."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "program"}
        self.text = ""

    def _compiled(self, source: str, mode: str) -> CodeType:
        before = self.text.count("\n")
        self.text += source
        lines = self.text.splitlines(keepends=True)
        linecache.cache[PROGRAM] = (len(self.text), None, lines, PROGRAM)
        return compile("\n" * before + source, PROGRAM, mode)

    def run(self, source: str) -> None:
        """Run a block, whatever it prints."""
        exec(self._compiled(source, "exec"), self.names)

    def printed(self, source: str) -> str:
        """What a statement prints, and of what it raises the kind and message."""
        out = io.StringIO()
        is_comment = all(not line or line.startswith("#") for line in source.splitlines())
        with contextlib.redirect_stdout(out):
            try:
                exec(self._compiled(source, "exec" if is_comment else "single"), self.names)
            except Exception as error:
                print(RAISED + traceback.format_exception_only(error)[-1].rstrip())
        return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def _merged(wanted: str, got: str) -> str:
    """What was printed, but with `...` where the page has it and it still fits."""
    check = doctest.OutputChecker().check_output
    if check(wanted, got, doctest.ELLIPSIS):
        return wanted
    old, new = wanted.splitlines(True), got.splitlines(True)
    if len(old) != len(new):
        return got
    pairs = zip(old, new, strict=True)
    return "".join(w if check(w, g, doctest.ELLIPSIS) else g for w, g in pairs)


def as_run(page: str) -> str:
    """The page with what its examples print now. What `...` in it covers stays as it is."""
    program = Program()
    parts, done = [], 0
    for block in blocks(page):
        if block.language == "python":
            program.run(block.text)
        if block.language != "pycon":
            continue
        parts.append(page[done : block.start])
        for example in examples(block.text):
            parts.append(example.shown + _merged(example.wanted, program.printed(example.source)))
        done = block.start + len(block.text)
    return "".join([*parts, page[done:]])


def with_code(folder: Path) -> list[Path]:
    """The pages that have code to be run."""
    found = []
    for path in sorted(folder.rglob("*.md")):
        if any(block.language in ("pycon", "python") for block in blocks(path.read_text())):
            found.append(path)
    return found


if __name__ == "__main__":
    print(as_run(Path(sys.argv[1]).read_text()), end="")
