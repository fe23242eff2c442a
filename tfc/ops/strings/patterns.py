r"""Regular expressions of RE2 (https://github.com/google/re2/wiki/Syntax), which TensorFlow's are,
by Python's `re`.

`compiled` writes a pattern of RE2 as one of `re` on text. What differs between the two: classes
(`\pL`, `[[:alpha:]]`; `\d`, `\s` and `\w` are of ASCII alone), where `$` matches, `\z`,
`\Q...\E`, flags in the middle of a pattern, and what RE2 has not: back-references, assertions
about what stands before or behind, possessive repetitions. Bytes that are no UTF-8 are characters
of their own.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import lru_cache

import numpy as np

from .scripts import script_runs

_POSIX = {
    "alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": "\\x00-\\x7f", "blank": "\\t ",
    "cntrl": "\\x00-\\x1f\\x7f", "digit": "0-9", "graph": "!-~", "lower": "a-z", "print": " -~",
    "punct": "!-/:-@\\[-`{-~", "space": "\\t\\n\\v\\f\\r ", "upper": "A-Z", "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}  # fmt: skip
_PERL = {"d": "0-9", "s": "\\t\\n\\f\\r ", "w": "0-9A-Za-z_"}
_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_MOST = 1000  # repetitions, as in RE2
_REPEAT = re.compile(r"\{(\d+)(,(\d*))?\}")
_FLAGS = re.compile(r"\(\?([imsU]*)(-[imsU]+)?([:)])")
_NAMED = re.compile(r"\(\?P?<(\w+)>")
_LAST = chr(sys.maxunicode)
_STRAY = "\\udc80-\\udcff"  # bytes that are no UTF-8, which no class has


class PatternError(ValueError):
    """A pattern is none of RE2."""


@lru_cache(maxsize=256)
def compiled(pattern: bytes) -> re.Pattern[str]:
    """The pattern of `re`, on text, that matches what this one of RE2 matches in UTF-8. Raises
    PatternError."""
    try:
        given = pattern.decode()
    except UnicodeDecodeError:
        raise PatternError("invalid UTF-8") from None
    try:
        return re.compile(_Translation(given).whole())
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(str(error)) from None


class _Translation:
    """Reads a pattern from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> str:
        found = self.group({"i": False, "m": False, "s": False, "U": False})
        if self.at < len(self.text):
            raise PatternError(f"unexpected ): {self.text}")
        return found

    def group(self, flags: dict[str, bool]) -> str:
        """What stands up to the end or a closing bracket; flags hold up to there."""
        flags = dict(flags)
        branches: list[str] = []
        items: list[str] = []
        repeatable = False
        while self.at < len(self.text) and self.text[self.at] != ")":
            c = self.text[self.at]
            if c == "|":
                self.at += 1
                branches.append("".join(items))
                items, repeatable = [], False
                continue
            times = self.repetition(flags)
            if times is not None:
                if not repeatable:
                    raise PatternError(f"no argument for repetition operator: {times}")
                items[-1] += times
                following = self.repetition(flags)
                if following is not None:
                    raise PatternError(f"bad repetition operator: {times}{following}")
                repeatable = False
                continue
            item = self.item(flags)
            items.append(item)
            repeatable = bool(item)
        return "|".join([*branches, "".join(items)])

    def repetition(self, flags: dict[str, bool]) -> str | None:
        """The repetition that begins here."""
        start = self.text[self.at : self.at + 1]
        if start and start in "*+?":
            self.at += 1
            found = start
        elif (match := _REPEAT.match(self.text, self.at)) is not None:
            least, most = int(match[1]), int(match[3] or 0)
            if max(least, most) > _MOST or (match[3] and most < least):
                raise PatternError(f"bad repetition operator: {match[0]}")
            self.at = match.end()
            found = match[0]
        else:
            return None
        few = self.text[self.at : self.at + 1] == "?"
        self.at += few
        return found + "?" * (few != flags["U"])

    def item(self, flags: dict[str, bool]) -> str:
        """A character, class, place or group; "" for flags, which it sets."""
        c = self.text[self.at]
        if c == "(":
            return self.bracket(flags)
        if c == "[":
            return self.cased(self.characters(), flags)
        self.at += 1
        if c == ".":
            return f"[^{_STRAY}]" if flags["s"] else f"[^{_STRAY}\\n]"
        if c == "^":
            return "(?m:^)" if flags["m"] else "\\A"
        if c == "$":
            return "(?m:$)" if flags["m"] else "\\Z"
        if c != "\\":
            return self.cased(re.escape(c), flags)
        kind = self.text[self.at : self.at + 1]
        if kind in ("A", "z", "b", "B", "C", "Q"):
            self.at += 1
            if kind == "Q":
                end = self.text.find("\\E", self.at)
                end = len(self.text) if end < 0 else end
                quoted = self.text[self.at : end]
                self.at = end + 2
                return self.cased(f"(?:{re.escape(quoted)})", flags) if quoted else ""
            places = {"A": "\\A", "z": "\\Z", "b": "(?a:\\b)", "B": "(?a:\\B)"}
            return places.get(kind, f"[\\x00-{_LAST}]")
        negated, ranges = self.escape()
        return self.cased(f"[{'^' + _STRAY if negated else ''}{ranges}]", flags)

    def cased(self, item: str, flags: dict[str, bool]) -> str:
        return f"(?i:{item})" if flags["i"] else item

    def bracket(self, flags: dict[str, bool]) -> str:
        """A group, or flags for what follows."""
        begin = "("
        inner = flags
        if (named := _NAMED.match(self.text, self.at)) is not None:
            begin = f"(?P<{named[1]}>"
            self.at = named.end()
        elif (match := _FLAGS.match(self.text, self.at)) is not None and match[0] != "(?)":
            changed = dict.fromkeys(match[1], True) | dict.fromkeys((match[2] or "")[1:], False)
            self.at = match.end()
            if match[3] == ")":
                flags.update(changed)
                return ""
            inner, begin = flags | changed, "(?:"
        elif self.text.startswith("(?", self.at):
            raise PatternError(f"invalid perl operator: {self.text[self.at : self.at + 3]}")
        else:
            self.at += 1
        found = self.group(inner)
        if self.text[self.at : self.at + 1] != ")":
            raise PatternError(f"missing ): {self.text}")
        self.at += 1
        return f"{begin}{found})"

    def escape(self) -> tuple[bool, str]:
        """What stands behind a backslash as ranges of a class, and whether all but them."""
        if self.at == len(self.text):
            raise PatternError("trailing \\")
        c = self.text[self.at]
        rest = self.text[self.at :]
        if c.lower() in _PERL:
            self.at += 1
            return c.isupper(), _PERL[c.lower()]
        if c in "pP":
            match = re.match(r"[pP](?:\{(\^?)(\w+)\}|([A-Z]))", rest)
            if match is None:
                raise PatternError(f"invalid character class range: \\{rest[:2]}")
            self.at += match.end()
            return (c == "P") != bool(match[1]), _property(match[2] or match[3])
        if c in _CONTROLS:
            self.at += 1
            return False, _one(ord(_CONTROLS[c]))
        for form, base in ((r"x([0-9A-Fa-f]{2})", 16), (r"x\{([0-9A-Fa-f]+)\}", 16),
                           (r"(0[0-7]{0,2}|[1-7][0-7]{1,2})", 8)):  # fmt: skip
            if (match := re.match(form, rest)) is not None:
                self.at += match.end()
                if int(match[1], base) > sys.maxunicode:
                    raise PatternError(f"invalid escape sequence: \\{match[0]}")
                return False, _one(int(match[1], base))
        if c.isalnum() or ord(c) > 127:
            raise PatternError(f"invalid escape sequence: \\{c}")
        self.at += 1
        return False, _one(ord(c))

    def characters(self) -> str:
        """A class in brackets."""
        begin = self.at
        self.at += 1
        negated = self.text.startswith("^", self.at)
        self.at += negated
        ranges: list[str] = []
        first = True
        while first or not self.text.startswith("]", self.at):
            first = False
            if self.at >= len(self.text):
                raise PatternError(f"missing ]: {self.text[begin:]}")
            posix = re.compile(r"\[:(\^?)(\w+):\]").match(self.text, self.at)
            if posix is not None:
                if posix[2] not in _POSIX:
                    raise PatternError(f"invalid character class range: {posix[0]}")
                self.at = posix.end()
                ranges.append(_all_but(_POSIX[posix[2]]) if posix[1] else _POSIX[posix[2]])
                continue
            but, low = self.one_of_class()
            after = self.text[self.at + 1 : self.at + 2]
            if self.text.startswith("-", self.at) and after not in ("]", ""):
                self.at += 1
                high_but, high = self.one_of_class()
                if but or high_but or _single(low) is None or _single(high) is None:
                    raise PatternError(
                        f"invalid character class range: {self.text[begin : self.at]}"
                    )
                low = f"{low}-{high}"
            ranges.append(_all_but(low) if but else low)
        self.at += 1
        return f"[{'^' + _STRAY if negated else ''}{''.join(ranges)}]"

    def one_of_class(self) -> tuple[bool, str]:
        c = self.text[self.at]
        self.at += 1
        return self.escape() if c == "\\" else (False, _one(ord(c)))


def _one(point: int) -> str:
    """A character in a class of `re`."""
    return f"\\U{point:08x}"


def _single(ranges: str) -> int | None:
    """The one character that this is."""
    return int(ranges[2:], 16) if re.fullmatch(r"\\U[0-9a-f]{8}", ranges) else None


@lru_cache(maxsize=64)
def _all_but(ranges: str) -> str:
    """The ranges of all other characters."""
    wanted = re.compile(f"[{ranges}]")
    return _as_ranges(np.array([wanted.match(chr(i)) is None for i in range(sys.maxunicode + 1)]))


def _as_ranges(belongs: np.ndarray) -> str:
    """The ranges of the code points for which this is true."""
    belongs[0xDC80:0xDD00] = False  # _STRAY
    edges = np.flatnonzero(np.diff(np.concatenate([[False], belongs, [False]]).astype(np.int8)))
    pairs = zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True)
    return "".join(f"{_one(a)}-{_one(b)}" for a, b in pairs)


@lru_cache(maxsize=1)
def _categories() -> np.ndarray:
    """The general category of each code point."""
    return np.array([unicodedata.category(chr(i)) for i in range(sys.maxunicode + 1)])


@lru_cache(maxsize=64)
def _property(name: str) -> str:
    """The ranges of a general category (L, Lu, ...) or a script (Greek, Han, ...)."""
    if name == "Any":
        return f"\\x00-{_LAST}"
    scripts = script_runs(name)
    if scripts is not None:
        return "".join(f"{_one(a)}-{_one(b)}" for a, b in scripts)
    categories = _categories()
    belongs = categories == name if len(name) == 2 else np.char.startswith(categories, name)
    if len(name) > 2 or not belongs.any():
        raise PatternError(f"invalid character class range: \\p{{{name}}}")
    return _as_ranges(belongs)
