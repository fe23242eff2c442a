"""Whether a text is of a grammar in EBNF, as docs/reference/ir.md has one. It tells nothing else: a
text is read by trying everything, so that nothing depends on the order of alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_TOKEN = re.compile(r"""\s*("[^"]*"|/(?:\\.|[^/\\]|/(?=/"))*/|\w+|[][{}()|;=])""")


class Grammar:
    """The rules of a text: `name = alternative | ... ;`."""

    def __init__(self, text: str) -> None:
        self.tokens = _TOKEN.findall(text)
        assert "".join(self.tokens) == "".join(text.split()), "the grammar has other signs"
        self.rules: dict[str, Any] = {}
        self.used: set[str] = set()  # rules that have matched something
        while self.tokens:
            name, sign = self.tokens.pop(0), self.tokens.pop(0)
            assert sign == "=" and name not in self.rules
            self.rules[name] = self._alternatives()
            assert self.tokens.pop(0) == ";"
        self.start = next(iter(self.rules))

    def _alternatives(self) -> Any:
        found = [self._sequence()]
        while self.tokens[0] == "|":
            self.tokens.pop(0)
            found.append(self._sequence())
        return ("or", found)

    def _sequence(self) -> Any:
        found = []
        while self.tokens[0] not in "|;])}":
            found.append(self._item(self.tokens.pop(0)))
        return ("all", found)

    def _item(self, token: str) -> Any:
        if token in ("[", "{", "("):
            inner = self._alternatives()
            assert self.tokens.pop(0) == {"[": "]", "{": "}", "(": ")"}[token]
            return ({"[": "maybe", "{": "many", "(": "or"}[token], [inner])
        if token[0] == '"':
            return ("text", re.compile(" *" + re.escape(token[1:-1])))
        if token[0] == "/":
            return ("text", re.compile(f" *(?:{token[1:-1]})"))
        return ("rule", token)

    def accepts(self, text: str) -> bool:
        """Whether the whole text is of the grammar."""
        return _Reading(self, text).ends(("rule", self.start), 0) >= {len(text)}


class _Reading:
    def __init__(self, grammar: Grammar, text: str) -> None:
        self.grammar, self.text = grammar, text
        self.known: dict[tuple[str, int], set[int]] = {}

    def ends(self, item: Any, start: int) -> set[int]:
        """All places where what begins at `start` can end."""
        kind, inner = item
        if kind == "text":
            return {found.end() for found in self._matches(inner, start)}
        if kind == "rule":
            if (inner, start) not in self.known:
                self.known[inner, start] = self.ends(self.grammar.rules[inner], start)
                if self.known[inner, start]:
                    self.grammar.used.add(inner)
            return self.known[inner, start]
        if kind == "or":
            return {end for one in inner for end in self.ends(one, start)}
        if kind == "maybe":
            return {start} | self.ends(inner[0], start)
        if kind == "many":
            found, work = {start}, [start]
            while work:
                new = self.ends(inner[0], work.pop()) - found
                found |= new
                work += new
            return found
        places = {start}
        for one in inner:
            places = {end for place in places for end in self.ends(one, place)}
        return places

    def _matches(self, pattern: re.Pattern[str], start: int) -> Iterator[re.Match[str]]:
        found = pattern.match(self.text, start)
        if found:
            yield found
