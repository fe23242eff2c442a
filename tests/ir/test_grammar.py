"""The grammar in docs/reference/ir.md: all that is printed is of it, and so is all that is read."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.golden import OUTCOME, split_cases
from tests.ir.grammar import Grammar
from tests.sampling import ALL
from tfc.ir.core import Function
from tfc.ir.reading import laid_out
from tfc.ir.text import ParseError, parse, statements

ROOT = Path(__file__).resolve().parents[2]
PIECE = re.compile(r"%?[\w.]+|//|->|\S")


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    page = (ROOT / "docs/reference/ir.md").read_text()
    return Grammar(re.findall(r"```text\n(function .*?)```", page, re.S)[0])


def functions() -> Iterator[Function]:
    """Those of golden files, but for the long ones."""
    for path in sorted((ROOT / "tests/ir").rglob("*.ir")):
        for case in split_cases(path.read_text()):
            for text in case.split(OUTCOME):
                if len(text) < 3000:
                    try:
                        yield parse(text)
                    except ParseError:  # what must be refused, other text
                        continue


def plain(text: str) -> str:
    """The statements, each on a line, without comments of their own lines."""
    return "\n".join(s for _, s in statements(text) if not s.startswith("#"))


FUNCTIONS = list(functions())


def test_what_is_printed_is_of_the_grammar(grammar: Grammar) -> None:
    for f in FUNCTIONS if ALL else FUNCTIONS[::5]:
        for text in (str(f), laid_out(f)):
            assert grammar.accepts(plain(text)), text
    assert len(FUNCTIONS) > 100
    for text in MORE:
        assert grammar.accepts(plain(str(parse(text)))), text
    assert grammar.used == set(grammar.rules)


def test_what_is_read_is_of_the_grammar(grammar: Grammar) -> None:
    """Texts with a piece left out, said twice, exchanged, or from elsewhere: the parser refuses it,
    or it is of the grammar."""
    random_ = random.Random(7)
    texts = [plain(str(f)) for f in FUNCTIONS if len(str(f)) < 700] + [plain(t) for t in MORE]
    pool = sorted({piece for text in texts for piece in PIECE.findall(text)})
    read = 0
    for _ in range(20000 if ALL else 2000):
        text = random_.choice(texts)
        places = list(PIECE.finditer(text))
        one, other = random_.choice(places), random_.choice(places)
        new = random_.choice(["", f"{one[0]} {one[0]}", other[0], random_.choice(pool), ","])
        changed = text[: one.start()] + new + text[one.end() :]
        try:
            parse(changed)
        except ParseError:
            continue
        read += 1
        assert grammar.accepts(plain(changed)), changed
    assert read > 50


MORE = [
    """
    func @all(
        %x: f32[n,2*n + 1], %y: string[(n + 3)//4], %b: f32[positive(n - 2)]) -> () {
      %0 = constant {value = f32[2] 1.5 0x7fc00000} : f32[2]    # model.py:3
      %1 = constant {value = c64 (1.0,-inf)} : c64
      %2 = constant {value = string[2] 'a' 'two\\x20words'} : string[2]
      %3 = constant {value = bool True} : bool
      %4 = extent_of {value = -n + n%8} : i64
      return # nothing
    } # the end
    """,
    """
    func @two(%p: bool, %x: f32[3],) -> (f32[3]) {
      %0 = cond %p, [%x,] then = (%a: f32[3]) { # of a region
        return %a,
      } orelse = (%b: f32[3]) {
        return %b
      } : f32[3] # model.py:3
      return %0
    }
    """,
]
