"""PTX text -> functions of instructions with their line numbers, and variables.

What is read is the language that LLVM's NVPTX backend writes, with inline assembly in it, and what
a person writes by hand for a test: statements and scopes, registers, labels, parameters, variables
with initial values. Debug information is skipped.
"""

from __future__ import annotations

import re

from .errors import PtxError
from .syntax import (
    Address,
    Instruction,
    Negated,
    Operand,
    Pair,
    Parameter,
    PtxFunction,
    PtxModule,
    Register,
    Symbol,
    Variable,
    Vector,
    bits,
    immediate,
    split,
)

_BLANKS = re.compile(r"\s+")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
_SKIPPED_LINE = re.compile(r"\.(file|loc|version|target|address_size)\b[^\n]*")
_LABEL = re.compile(r"([$%\w][\w$]*)\s*:(?!:)")
_STATEMENT = re.compile(r'(?:[^;"]|"[^"]*")*;')
_FUNCTION = re.compile(
    r"((?:\.(?:visible|extern|weak|common)\s+)*)\.(entry|func)\s*(?:\.noreturn\s*)?"
    r"(?:\(([^)]*)\)\s*)?([\w$.]+)\s*(?:\(([^)]*)\))?([^{;]*)([{;])"
)
_REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+([^;]*);")
_PARAMETER = re.compile(
    r"\.(?:param|reg)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(?:\.ptr\s+(?:\.\w+\s+)?)?"
    r"(?:\.align\s+\d+\s+)?([\w$%.]+)(?:\[(\d*)\])?\s*$"
)
_VARIABLE = re.compile(
    r"((?:\.(?:visible|extern|weak|common)\s+)*)\.(global|const|shared|local|param)\s+"
    r"(?:\.align\s+(\d+)\s+)?(?:\.v(\d)\s+)?\.(\w+)\s+([\w$.]+)((?:\[\d*\])*)\s*(?:=\s*(.*?))?\s*;",
    re.S,
)
_INSTRUCTION = re.compile(r"(?:@\s*(!?)\s*([%\w$]+)\s+)?([a-z][\w.:]*)\s*(.*);", re.S)


def parse(text: str) -> PtxModule:
    """Read a PTX module. Raises PtxError with the line of what cannot be read."""
    return _Parser(text).module()


class _Parser:
    def __init__(self, text: str) -> None:
        self.source = text.rstrip("\0")
        self.text = _COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), self.source)
        self.lines = self.source.splitlines()
        self.place = 0
        self.counted, self.line_number = 0, 1

    # -- reading -----------------------------------------------------------------------------

    def line(self, place: int | None = None) -> int:
        """The line of `place`; places only grow."""
        place = self.place if place is None else place
        if place >= self.counted:
            self.line_number += self.text.count("\n", self.counted, place)
            self.counted = place
            return self.line_number
        return self.text.count("\n", 0, place) + 1

    def fail(self, message: str) -> PtxError:
        line = self.line()
        return PtxError(message, line, self.lines[line - 1].strip())

    def skip(self) -> bool:
        """Over blanks and lines that mean nothing; whether something is left."""
        while self.place < len(self.text):
            blanks = _BLANKS.match(self.text, self.place)
            if blanks is not None:
                self.place = blanks.end()
                continue
            skipped = None
            if self.text[self.place] == ".":
                skipped = _SKIPPED_LINE.match(self.text, self.place)
            if skipped is None:
                return True
            self.place = skipped.end()
        return False

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        found = pattern.match(self.text, self.place)
        if found is not None:
            self.line()
            self.place = found.end()
        return found

    # -- the module --------------------------------------------------------------------------

    def module(self) -> PtxModule:
        version = re.search(r"^\s*\.version\s+(\S+)", self.text, re.M)
        target = re.search(r"^\s*\.target\s+(\w+)", self.text, re.M)
        if version is None or target is None:
            raise PtxError("this is no PTX module: .version or .target is missing")
        module = PtxModule(self.source, version[1], target[1], {}, {})
        while self.skip():
            if self.text.startswith(".section", self.place):
                self.place = self.text.index("}", self.place) + 1
            elif found := _FUNCTION.match(self.text, self.place):
                self.function(module, found)
            elif found := self.match(_VARIABLE):
                variable = self.variable(found)
                module.variables.setdefault(variable.name, variable)
            elif self.text.startswith((".pragma", ".alias"), self.place):
                self.match(_STATEMENT)
            else:
                raise self.fail("cannot read this")
        return module

    def variable(self, found: re.Match[str]) -> Variable:
        linkage, space, align, vector, kind, name, dimensions, first = found.groups()
        unit = bits(kind) // 8
        count = int(vector or 1)
        for extent in re.findall(r"\[(\d*)\]", dimensions):
            count *= int(extent or 0)
        result = Variable(
            name, space, int(align or unit), unit * count, extern=".extern" in linkage
        )
        if first is not None:
            data = bytearray()
            for item in re.findall(r"[^\s{},]+", first):
                if re.match(r"[A-Za-z_$]", item):  # the address of a variable
                    name = re.sub(r"^(?:generic|mask)\((.*)\)$", r"\1", item)
                    result.addresses[len(data)] = name
                    data += bytes(unit)
                    continue
                number = immediate(item)
                if number is None:
                    raise self.fail(f"cannot read the initial value {item!r}")
                data += (number.value & ((1 << 8 * unit) - 1)).to_bytes(unit, "little")
            result.data = bytes(data)
        return result

    def parameters(self, text: str | None) -> list[Parameter]:
        result, offset = [], 0
        for item in filter(None, (part.strip() for part in (text or "").split(","))):
            found = _PARAMETER.match(" ".join(item.split()))
            if found is None:
                raise self.fail(f"cannot read the parameter {item!r}")
            align, kind, name, count = found.groups()
            unit = max(bits(kind) // 8, 1)
            size, step = unit * int(count or 1), int(align or unit)
            offset = (offset + step - 1) // step * step
            result.append(Parameter(name, step, size, offset))
            offset += size
        return result

    # -- a function --------------------------------------------------------------------------

    def function(self, module: PtxModule, found: re.Match[str]) -> None:
        line = self.line()
        _, kind, results, name, parameters, directives, end = found.groups()
        function = PtxFunction(
            name, kind == "entry", line, self.parameters(parameters), self.parameters(results)
        )
        threads = re.search(r"\.(?:max|req)ntid\s+([\d,\s]+)", directives)
        if threads:
            function.max_threads = 1
            for extent in threads[1].split(","):
                function.max_threads *= int(extent)
        self.place = found.end()
        if end == ";":
            function.defined = False
            module.functions.setdefault(name, function)
            return
        module.functions[name] = function
        _Body(self, function).read()


class _Body:
    """The statements of one function, with its scopes."""

    def __init__(self, parser: _Parser, function: PtxFunction) -> None:
        self.parser, self.function = parser, function
        self.scopes: list[dict[str, str]] = [{}]  # name in the text -> unique name
        self.ranges: list[dict[str, tuple[int, str, int]]] = [{}]  # prefix: count, suffix, bits
        self.number = 0
        self.operands: dict[str, Operand] = {}  # by their text, in this scope

    def read(self) -> None:
        parser = self.parser
        while True:
            if not parser.skip():
                raise parser.fail(f"the body of {self.function.name} does not end")
            head = parser.text[parser.place]
            if head == "{":
                parser.place += 1
                self.scopes.append({})
                self.ranges.append({})
                self.operands.clear()
            elif head == "}":
                parser.place += 1
                self.scopes.pop()
                self.ranges.pop()
                self.operands.clear()
                if not self.scopes:
                    return
            elif head != ".":
                if found := parser.match(_LABEL):
                    self.label(found[1])
                else:
                    self.instruction()
            elif found := parser.match(_REGISTERS):
                self.declare(found[1], found[2])
            elif found := parser.match(_VARIABLE):
                variable = parser.variable(found)
                if variable.space == "param":
                    self.number += 1
                    self.operands.clear()
                    unique = f"{variable.name}.{self.number}"
                    self.scopes[-1][variable.name] = unique
                    self.function.locals[unique] = Parameter(unique, variable.align, variable.size)
                else:
                    self.function.variables.append(variable)
            elif parser.text.startswith(".pragma", parser.place):
                parser.match(_STATEMENT)
            else:
                raise parser.fail("cannot read this")

    def label(self, name: str) -> None:
        parser = self.parser
        parser.skip()
        if parser.text.startswith(".branchtargets", parser.place):
            statement = parser.match(_STATEMENT)
            assert statement is not None
            targets = statement[0].removeprefix(".branchtargets").rstrip(";").split(",")
            self.function.tables[name] = [target.strip() for target in targets]
        elif parser.text.startswith((".callprototype", ".calltargets"), parser.place):
            raise parser.fail("calls of addresses are not supported")
        else:
            self.function.body.append(name)

    def declare(self, kind: str, names: str) -> None:
        depth = len(self.scopes) - 1
        self.operands.clear()
        for name in (part.strip() for part in names.split(",")):
            self.number += depth > 0
            suffix = f".{self.number}" if depth else ""
            found = re.fullmatch(r"([%\w$]+)<(\d+)>", name)
            if found:
                self.ranges[-1][found[1]] = int(found[2]), suffix, bits(kind)
            else:
                self.scopes[-1][name] = name + suffix
                self.function.registers[name + suffix] = bits(kind)

    def instruction(self) -> None:
        parser = self.parser
        parser.line()
        start = parser.place
        statement = parser.match(_STATEMENT)
        found = statement and _INSTRUCTION.fullmatch(statement[0])
        if not found:
            parser.place = start
            raise parser.fail("cannot read this instruction")
        line = parser.line(start)
        text = " ".join(statement[0].split())  # type: ignore[index]
        negated, guard, opcode, operands = found.groups()
        instruction = Instruction(
            opcode, [self.operand(item, line) for item in split(operands)], line, text
        )
        if guard:
            known = self.lookup(guard)
            if known is None:
                raise PtxError(f"{guard} is not declared", line, text)
            instruction.guard = Negated(known) if negated else Register(known)
        self.function.body.append(instruction)

    def lookup(self, name: str) -> str | None:
        """The unique name of what is declared as `name` here."""
        for scope, ranges in zip(reversed(self.scopes), reversed(self.ranges), strict=True):
            if name in scope:
                return scope[name]
            for end in range(len(name.rstrip("0123456789")), len(name)):
                count, suffix, width = ranges.get(name[:end], (0, "", 0))
                if int(name[end:]) < count:
                    self.function.registers[name + suffix] = width  # only those that are used
                    return name + suffix
        return None

    def operand(self, text: str, line: int) -> Operand:
        known = self.operands.get(text)
        if known is None:
            known = self.operands[text] = self._operand(text, line)
        return known

    def _operand(self, text: str, line: int) -> Operand:
        if text[0] == "{":
            return Vector(tuple(self.operand(item, line) for item in split(text[1:-1])))
        if text[0] == "(":
            return Vector(tuple(self.operand(item, line) for item in split(text[1:-1])))
        if text[0] == "[":
            found = re.fullmatch(r"\[\s*([^\s+\]]+?)\s*(?:([+-])\s*(-?\w+))?\s*\]", text)
            if not found:
                raise PtxError(f"cannot read the address {text!r}", line)
            offset = int(found[3], 0) if found[3] else 0
            return Address(self.operand(found[1], line), -offset if found[2] == "-" else offset)
        if "|" in text:
            first, second = text.split("|")
            return Pair(self.operand(first.strip(), line), self.operand(second.strip(), line))
        number = immediate(text)
        if number is not None:
            return number
        if text[0] == "!":
            known = self.lookup(text[1:].strip())
            if known is None:
                raise PtxError(f"{text[1:]} is not declared", line)
            return Negated(known)
        known = self.lookup(text)
        if known is not None and known in self.function.registers:
            return Register(known)
        return Symbol(known or text)
