"""A function is found in its own lines as it is found in the whole file."""

from __future__ import annotations

import ast
import linecache
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import tfc as tf
from tfc.autograph import parsing

TEXT = '''
def plain(x):
    return x


def long(
    x,
) -> int:
    """What begins
a line.
    """
# a comment

    y = (
x
    )
    return y


@staticmethod
@property
def decorated(): return (lambda a: a, lambda b: b)


class Outer:
    def method(self):
        def inside(): return self.__hidden
        class Inner:
            def last(self): return self.__hidden
        return inside, Inner, lambda x: x.__hidden

    both = lambda self: 1, lambda self, other: 2


if True:
\tdef tabs(x):
\t\treturn x
\tfollowing = 1

    # the end
'''


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            if inner.co_name == "<lambda>" or not inner.co_name.startswith("<"):
                yield inner
            yield from codes(inner)


def test_lines_of_a_function_give_what_the_file_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "several.py"
    file.write_text(TEXT)
    found = codes(compile(TEXT, str(file), "exec"))
    functions = [c for c in found if c.co_name not in ("Outer", "Inner")]
    alone = {c: parsing.parsed(c) for c in functions}
    monkeypatch.setattr(parsing, "_block", lambda *_: None)
    for code, one in alone.items():
        whole = parsing.parsed(code)
        assert one is not None and whole is not None, code
        assert one[1] == whole[1]
        assert ast.dump(one[0], include_attributes=True) == ast.dump(
            whole[0], include_attributes=True
        )


def test_only_the_lines_of_a_function_are_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "other.py"
    file.write_text("def f(x):\n    return -x if x < 0.0 else x\n\n\ndef g(x):\n    return x\n")
    scope: dict[str, object] = {}
    exec(compile(file.read_text(), str(file), "exec"), scope)
    linecache.getlines(str(file))
    texts: list[str] = []
    parse = ast.parse
    monkeypatch.setattr(
        ast, "parse", lambda text, *rest: (texts.append(text), parse(text, *rest))[1]
    )
    f = tf.function(scope["f"])
    assert float(f(tf.constant(-2.0))) == 2.0
    assert texts and not any("def g" in text for text in texts)
