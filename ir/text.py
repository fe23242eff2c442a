"""IR as text and back: one printer and one parser for tensor functions and kernels alike.

    func @name(%x: f32[n,4], %1: f32) -> f32[n,4] {
      %2 = broadcast %1 {shape = (n, 4), dims = ()} : f32[n,4]    # model.py:12
      %3 = add %x, %2 : f32[n,4]
      return %3
    }

Regions stand in an op's line as `name = (%i: i64) { ... }`. What is said of no place of its own,
in a region, comes from where the op around it does. Text round-trips exactly: dtypes, extents,
float bits and the user's locations are all in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from .core import Function, Location, Op, OpError, Value, set_results
from .literals import read, shown, split
from .types import Type, parse_type
from .value_classes import NamedTuple


class ParseError(ValueError):
    """Text that is no IR; says the line and what was expected there."""


# Printing.

PLACES_COLUMN_MAX = 76  # where places begin at most, unless a line is longer
_NUMBERED = re.compile(r"(\.\d+)+$")
_NAME = re.compile(r"[A-Za-z_][\w.]*")


class Row(NamedTuple):
    """A line of a function's text."""

    depth: int  # of regions; lines of the function itself have 1, its first and last have 0
    text: str
    op: Op | None  # what begins or ends here; None where a function or region does, or returns
    location: Location | None  # where that comes from: its own place, or that of the op around it
    named: bool = False  # whether the text says so

    def __str__(self) -> str:
        return self.padded(0)

    def padded(self, column: int) -> str:
        """The line, with its place at a column, or behind a longer line."""
        line = "  " * self.depth + self.text
        return f"{line:{column}}    # {self.location}" if self.named else line


def print_function(f: Function) -> str:
    """The text of `f`."""
    return "\n".join(lines(rows(f)))


def lines(rows: Sequence[Row]) -> list[str]:
    """Rows as text. The places stand in a column, but for those of long lines."""
    wide = [2 * row.depth + len(row.text) for row in rows if row.named]
    column = max((width for width in wide if width <= PLACES_COLUMN_MAX), default=0)
    return [row.padded(column) for row in rows]


def print_marked(f: Function, marked: Op | None, message: str) -> str:
    """The text of `f`, also where `f` is broken, with `message` in a line under an op's first."""
    found, left = rows(f), marked
    shown = []
    for row, line in zip(found, lines(found), strict=True):
        shown.append(line)
        if left is not None and row.op is left:
            shown.append("  " * row.depth + f"^ {message}")
            left = None
    return "\n".join(shown)


def rows(f: Function, names: Names | None = None) -> list[Row]:
    """The lines of the text of `f`; `names` learns what its values are called."""
    names = names or Names()
    params = ", ".join(f"{names.define(p)}: {p.type}" for p in f.params)
    results = ", ".join(str(v.type) for v in f.returns)
    results = results if len(f.returns) == 1 else f"({results})"
    found = [Row(0, f"func @{f.name}({params}) -> {results} {{", None, None)]
    _body(f, names, found, 1, None)
    return [*found, Row(0, "}", None, None)]


class Names:
    """The names of values in a text, each once."""

    def __init__(self) -> None:
        self.names: dict[Value, str] = {}
        self.used: set[str] = set()
        self.suffixes: dict[str, int] = {}  # of names, how many of them are taken at least
        self.count = 0

    def define(self, value: Value, like: Value | None = None) -> str:
        """The value's own name, or that of the one that it is `like`, with a number where it is
        taken; a number where it has none."""
        base = like.name if like is not None and like.name else value.name
        if base and not _NAME.fullmatch(base):  # as "dense/kernel" is
            base = re.sub(r"\W+", ".", base).strip(".")
            base = base if _NAME.fullmatch(base) else ""
        if like is not None:
            base = _NUMBERED.sub("", base)
        name, suffix = base, self.suffixes.get(base, 0)
        while not name or name in self.used:
            if base:
                suffix += 1
                name = f"{base}.{suffix}"
            else:
                name = str(self.count)
                self.count += 1
        if suffix:
            self.suffixes[base] = suffix
        self.used.add(name)
        self.names[value] = f"%{name}"
        return self.names[value]

    def use(self, value: Value | None) -> str:
        return "none" if value is None else self.names.get(value, "%?undefined")


def op_lines(f: Function, names: Names) -> Iterator[tuple[Op, str]]:
    """Each op in `f`, those of regions too, with its line; `names` learns the names."""
    for p in f.params:
        names.define(p)
    for op in f.body:
        for region in op.regions:
            yield from op_lines(region, names)
        operands = statement(op, names)
        results = ", ".join(names.define(v) for v in op.results)
        types = f" : {', '.join(str(v.type) for v in op.results)}" if op.results else ""
        place = f"    # {op.location}" if op.location else ""
        yield op, (f"{results} = " if results else "") + operands + types + place


def _body(f: Function, names: Names, found: list[Row], depth: int, around: Location | None) -> None:
    """Append the lines of the ops of `f`, and of what it returns; `around` is the place of the op
    that it is a region of."""
    for inner in f.body:
        _op(inner, names, found, depth, around)
    returned = ", ".join(map(names.use, f.returns))
    found.append(Row(depth, f"return {returned}" if f.returns else "return", None, around))


def _op(op: Op, names: Names, found: list[Row], depth: int, around: Location | None) -> None:
    line = statement(op, names)
    location = op.location
    named = bool(location) and location != around
    location = location or around
    openings = []
    like = dict(op.named_after()) if op.spec.regions else {}
    for name in op.spec.regions:
        region: Function = getattr(op, name)
        params = ", ".join([f"{names.define(p, like.get(p))}: {p.type}" for p in region.params])
        openings.append((len(found), f" {name} = ({params}) {{"))
        found.append(Row(depth, "", op, location))
        _body(region, names, found, depth + 1, location)
    defined = op.results
    if defined:  # named after what stands inside
        line = f"{', '.join([names.define(v) for v in defined])} = {line}"
    for place, opening in openings:
        found[place] = Row(depth, line + opening, op, location, named)
        line, named = "}", False
    types = f" : {', '.join([str(v.type) for v in defined])}" if defined else ""
    found.append(Row(depth, line + types, op, location, named))


def statement(op: Op, names: Names) -> str:
    """An op's name, operands and attributes."""
    operands = []
    for name in op.spec.operands:
        value = getattr(op, name)
        if isinstance(value, tuple):
            operands.append("[" + ", ".join(map(names.use, value)) + "]")
        else:
            operands.append(names.use(value))
    attributes = [f"{n} = {shown(getattr(op, n))}" for n in op.spec.attributes]
    head = op.mnemonic + (" " + ", ".join(operands) if operands else "")
    return head + (" {" + ", ".join(attributes) + "}" if attributes else "")


# Parsing.


def parse(text: str, ops: Collection[str] | None = None) -> Function:
    """The function that `text` stands for.

    **Kernels are trusted input.** A kernel loads and stores at the offsets that its text computes,
    as C does, and nothing bounds these when it runs: whoever writes a `launch` can read and write
    the memory of this process. Text from elsewhere is parsed with `ops`, the names of the ops that
    it may have, tensor ops alone, and verified (see tfc/saved_model/vocabulary.py); functions of
    tensor ops check at run time all that their types do not tell.

    Args:
        text: What `str` of a function prints.
        ops: The names of ops that may stand in it; None: all ops, kernels too.

    Returns:
        The function, which can be called on arrays.

    Raises:
        ParseError: If the text is no IR, or has another op.
    """
    return _Parser(text, ops).function()


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Each statement, and each comment on a line of its own, with the number of its first line. A
    statement goes on in the next line where a bracket is open."""
    first, parts, opened = 0, list[str](), 0
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if not line or (opened > 0 and line.startswith("#")):
            continue
        first = first if parts else number
        parts.append(line)
        if line.startswith("#"):
            opened = 0
        else:
            statement = line.partition(" # ")[0]
            opened += sum(map(statement.count, "([")) - sum(map(statement.count, ")]"))
        if opened <= 0:
            yield first, " ".join(parts)
            parts, opened = [], 0
    if parts:
        yield first, " ".join(parts)


NESTING = 60  # regions in regions


class _Parser:
    def __init__(self, text: str, ops: Collection[str] | None = None) -> None:
        if not isinstance(text, str):
            raise TypeError(f"the text of a function is a str, got a {type(text).__name__}")
        self.ops = ops
        self.lines = [s for s in statements(text) if not s[1].startswith("#")]
        self.at = 0  # the next line
        self.depth = 0  # of regions
        self.around: Location | None = None  # the place of the op whose region is read
        self.values: dict[str, Value] = {}

    def fail(self, message: str) -> ParseError:
        """The error for the line that was read last."""
        number, line = self.lines[max(self.at - 1, 0)] if self.lines else (1, "")
        return ParseError(f"line {number}: {message}\n  {line}")

    def next(self) -> str:
        if self.at >= len(self.lines):
            raise self.fail("the text ends too early")
        line = self.lines[self.at][1]
        self.at += 1
        return line

    def function(self) -> Function:
        line = _uncommented(self.next())
        match_ = re.fullmatch(r"func @([\w.<>]+)\((.*)\) -> (.*) \{", line)
        if not match_:
            raise self.fail("expected `func @name(...) -> ... {`")
        params = self.params(match_[2])
        body, returns = self.body()
        if _uncommented(self.closing) != "}":
            raise self.fail("expected nothing behind `}`")
        declared = match_[3].strip()
        if declared.startswith("("):
            if not declared.endswith(")"):
                raise self.fail("expected `)` behind the types of the results")
            declared = declared[1:-1]
        if [v.type for v in returns] != [self.parsed_type(part) for part in split(declared)]:
            raise self.fail(f"results are not of the declared types ({declared})")
        if self.at < len(self.lines):
            self.at += 1
            raise self.fail("expected nothing behind the function")
        return Function(match_[1], params, body, returns)

    def params(self, text: str) -> tuple[Value, ...]:
        params = []
        for i, part in enumerate(split(text)):
            name, _, type_ = part.partition(":")
            params.append(self.define(name.strip(), Value(self.parsed_type(type_), None, i)))
        return tuple(params)

    def parsed_type(self, text: str) -> Type:
        try:
            return parse_type(text)
        except ValueError as error:
            raise self.fail(str(error)) from None

    def define(self, name: str, value: Value) -> Value:
        if not re.fullmatch(r"%[\w.]+", name):
            raise self.fail(f"expected a value's name, got {name!r}")
        if name in self.values:
            raise self.fail(f"{name} is defined twice")
        value.name = "" if name[1:].isdigit() else name[1:]
        self.values[name] = value
        return value

    def use(self, name: str) -> Value:
        if name not in self.values:
            raise self.fail(f"{name} is not defined")
        return self.values[name]

    def body(self) -> tuple[tuple[Op, ...], tuple[Value, ...]]:
        ops: list[Op] = []
        self.depth += 1
        if self.depth > NESTING:
            raise self.fail("regions are nested too deep")
        while True:
            line = self.next()
            if re.match(r"return( |$)", line):
                returns = tuple(self.use(n) for n in split(_uncommented(line)[6:]))
                closing = self.next()
                if not closing.startswith("}"):
                    raise self.fail("expected `}` behind `return`")
                self.closing = closing
                self.depth -= 1
                return tuple(ops), returns
            ops.append(self.op(line))

    def op(self, line: str) -> Op:
        line, _, place = line.partition(" # ")
        line, around = line.strip(), self.around
        location = self.around = _location(place) or around
        names: list[str] = []
        assigned = re.match(r"((?:%[\w.]+, )*%[\w.]+) += ", line)
        if assigned:
            names, line = assigned[1].split(", "), line[assigned.end() :]
        word = re.match(r"[a-z_0-9]+", line)
        cls = Op.by_name.get(word[0]) if word else None
        if cls is None or word is None:
            raise self.fail(f"no op named {word[0] if word else line!r}")
        if self.ops is not None and cls.mnemonic not in self.ops:
            raise self.fail(f"{cls.mnemonic} must not stand here")
        rest = line[word.end() :]
        if cls.spec.regions and re.match(r" [\w. ]+\.k\d+ \[", rest):
            raise self.fail("kernels in brief are for reading: `verbose` text can be parsed")
        operand_text, attribute_text, tail = self.parts(cls, rest)
        given: dict[str, Any] = {}
        self.operands(cls, operand_text, given)
        self.attributes(cls, attribute_text, given)
        for i, name in enumerate(cls.spec.regions):
            closed = r"\}" if i else ""
            opening = re.fullmatch(rf"\s*{closed}\s*{name} = \((.*)\) \{{", tail)
            if not opening:
                raise self.fail(f"expected region `{name} = (...) {{`")
            params = self.params(opening[1])
            body, returns = self.body()
            given[name] = Function(name, params, body, returns)
            tail, _, place = self.closing.partition(" # ")
            location = _location(place) or location  # where texts had it once
            if i == len(cls.spec.regions) - 1:
                tail = tail[1:]
        self.around = around
        op, inferred = self.made(cls, given)
        tail = tail.strip()
        if tail and not tail.startswith(":"):
            raise self.fail("expected `: ` and the types of the results")
        types = [self.parsed_type(t) for t in split(tail[1:])]
        if list(inferred) != types:
            shown = ", ".join(map(str, inferred)) or "nothing"
            raise self.fail(f"{cls.mnemonic} gives {shown} here")
        if len(names) != len(types):
            raise self.fail(f"{len(types)} results need as many names")
        results = tuple(
            self.define(n, Value(t, op, i))
            for i, (n, t) in enumerate(zip(names, types, strict=True))
        )
        set_results(op, results, location)
        return op

    def made(self, cls: type[Op], given: dict[str, Any]) -> tuple[Op, tuple[Type, ...]]:
        """The op, and the types of its results."""
        try:
            op = cls(**given)
            types = op.infer()
        except OpError as error:
            raise self.fail(str(error)) from None
        except Exception:  # classes may take for granted what the builder's callers keep
            raise self.fail(f"{cls.mnemonic} does not take these operands") from None
        return op, types if isinstance(types, tuple) else (types,)

    def parts(self, cls: type[Op], rest: str) -> tuple[str, str, str]:
        """The operands, the attributes, and what comes behind them."""
        end = len(rest)
        if cls.spec.attributes:
            start = rest.find("{")
            stop = _matching(rest, start)
            if start < 0 or stop < 0:
                raise self.fail("expected `{attribute = ...}`")
            return rest[:start], rest[start + 1 : stop], rest[stop + 1 :]
        found = re.search(r" : | [a-z_]+ = \(", rest)
        cut = found.start() if found else end
        return rest[:cut], "", rest[cut:]

    def operands(self, cls: type[Op], text: str, given: dict[str, Any]) -> None:
        parts = split(text)
        if len(parts) != len(cls.spec.operands):
            raise self.fail(f"{cls.mnemonic} takes {len(cls.spec.operands)} operands")
        for name, part in zip(cls.spec.operands, parts, strict=True):
            if name in cls.spec.variadic:
                if not (part.startswith("[") and part.endswith("]")):
                    raise self.fail(f"{cls.mnemonic} takes a list of operands `[...]`")
                given[name] = tuple(self.use(n) for n in split(part[1:-1]))
            else:
                given[name] = None if part == "none" else self.use(part)

    def attributes(self, cls: type[Op], text: str, given: dict[str, Any]) -> None:
        for part in split(text):
            name, _, value = part.partition(" = ")
            name = cls.renamed.get(name, name)
            if name not in cls.spec.attributes:
                raise self.fail(f"{cls.mnemonic} has no attribute {name!r}")
            if name in given:
                raise self.fail(f"attribute {name} is there twice")
            annotation = cls.spec.annotations[name]
            try:
                given[name] = read(annotation, value.strip())
            except ValueError as error:
                raise self.fail(f"attribute {name}: {error}") from None
        missing = set(cls.spec.attributes) - set(given)
        if missing:
            raise self.fail(f"{cls.mnemonic} needs {', '.join(sorted(missing))}")


def _uncommented(line: str) -> str:
    return line.partition(" # ")[0].strip()


def _location(text: str) -> Location | None:
    file, _, line = text.strip().rpartition(":")
    return Location(file, int(line)) if file and line.isdigit() else None


def _matching(text: str, start: int) -> int:
    depth = 0
    for i in range(max(start, 0), len(text)):
        depth += (text[i] == "{") - (text[i] == "}")
        if depth == 0:
            return i
    return -1
