"""The text of launches for reading. It is shorter than what `str` prints, and is not parsed again.

    # dense.k0: matmul, add %twice, mul, add, relu (model.py:22-23)
    %6 = launch dense.k0 [%w, %x, %b] (%w: *f32[4,3], %x: *f32[n0,4], %b: *f32[3], %out: ...) {
      parallel %i in 0..n0//8, work (12*n0)//64 {
        %0 = 8*%i
        for %j in 0..3 vector {
          %2 = for %k in 0..4 carrying (%1 = 0.0) {
            return fma %x[4*%0 + %k], %w[3*%k + %j], %1

Beside the full text, numbers stand where they are used, and so does what is computed for one use
in the same block, if it is an index or a load. Values are numbered anew in each kernel, and scalars
have no types. Kernels that are the same but for names are printed once, and so are lines that are
there again and again but for numbers.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence

from ..core import Function, Location, Op, Value
from ..kernel_op import LoopKind, is_index
from ..literals import number, shown
from ..ops.elementwise import Add, Mul, Sub
from ..ops.shape import Constant, ExtentOf
from ..reading import WIDTH, broken, place, with_comments
from ..text import Names, statement
from .ops import For, HostLaunch, Launch, Load, Parallel, Reduce, Store
from .repeated_lines import Line, folded

INLINE_MAX = 40  # characters of what stands where it is used
LISTED_MIN = 4  # values that follow each other of which the first and last are named
_SUM, _PRODUCT, _ATOM = range(3)  # how tightly text binds


def brief(f: Function) -> str:
    """The text of a function of launches, for reading."""
    return "\n".join(_laid_out(brief_lines(f)))


def brief_lines(f: Function) -> list[Line]:
    """The lines of that text, with the places that they come from."""
    return folded(_Brief().written(f))


class _Lines(list[Line]):
    """Lines; each comes from what is `location` when it is added, and begins what is `op` then."""

    location: Location | None = None
    op: Op | None = None

    def append(self, line: Line) -> None:
        super().append(line._replace(location=self.location, op=self.op))


class _Brief:
    def __init__(self) -> None:
        self.lines = _Lines()
        self.printed: dict[int, str] = {}  # the bodies of kernels: the first name of each

    def written(self, f: Function) -> list[Line]:
        names = Names()
        params = ", ".join(f"{names.define(p)}: {p.type}" for p in f.params)
        results = ", ".join(str(v.type) for v in f.returns)
        results = results if len(f.returns) == 1 else f"({results})"
        self.lines.append(Line(0, f"func @{f.name}({params}) -> {results} {{"))
        self.tensors(f, names, 1, None)
        self.lines.append(Line(0, "}"))
        return self.lines

    def tensors(self, f: Function, names: Names, depth: int, around: Location | None) -> None:
        """The body of a function of launches, or of a region of control flow."""
        for op in f.body:
            location = op.location
            comment = place(location) if location != around else ""
            self.lines.location, self.lines.op = location, op
            if isinstance(op, Launch):
                self.launch(op, names, depth)
                continue
            text = statement(op, names)
            if isinstance(op, HostLaunch):
                (call,) = op.call.body
                text = f"{op.mnemonic} {call.mnemonic} [{_used(names, op.inputs)}]"
            start = len(self.lines)
            for name in () if isinstance(op, HostLaunch) else op.spec.regions:
                region: Function = getattr(op, name)
                params = ", ".join(f"{names.define(p)}: {p.type}" for p in region.params)
                self.lines.append(Line(depth, f"{text} {name} = ({params}) {{", comment))
                self.lines.op = None
                self.tensors(region, names, depth + 1, location or around)
                self.lines.location = location
                text, comment = "}", ""
            types = f" : {', '.join(str(v.type) for v in op.results)}" if op.results else ""
            self.lines.append(Line(depth, text + types, comment))
            if op.results:
                self.name(start, ", ".join([names.define(v) for v in op.results]))
        self.lines.location = self.lines.op = None
        self.lines.append(Line(depth, f"return {_used(names, f.returns)}".strip()))

    def name(self, start: int, results: str) -> None:
        """Say in the first line of a statement what its results are called."""
        first = self.lines[start]
        self.lines[start] = first._replace(text=f"{results} = {first.text}")

    def launch(self, op: Launch, names: Names, depth: int) -> None:
        """A launch: which ops it computes, of which lines, and its kernel if it is a new one."""
        kernel = op.kernel
        ops = _in_order(kernel.notes.get("ops", ()))
        about = _counted(_called(o) for o in ops if not isinstance(o, Constant)) or "a constant"
        where = _places(o.location for o in ops) or place(op.location)
        if ops:
            told = f"# {kernel.name}: {about}" + f" ({where})" * bool(where)
            for i, text in enumerate(textwrap.wrap(told, WIDTH - 2 * depth - 4)):
                self.lines.append(Line(depth, text if i == 0 else f"#   {text}"))
        inputs = _used(names, op.inputs)
        own = _Kernel(kernel, self.lines)
        head = f"{op.mnemonic} {kernel.name} [{inputs}]"
        first = self.printed.setdefault(id(kernel.body), kernel.name)
        results = ", ".join([names.define(v) for v in op.results])
        head = f"{results} = {head}" if results else head
        if first != kernel.name:
            self.lines.append(Line(depth, f"{head} as {first}"))
            return
        self.lines.append(Line(depth, f"{head} ({own.params()}) {{"))
        self.lines.op = None
        own.block(kernel, depth + 1, op.location)
        self.lines.append(Line(depth, "}"))


class _Kernel:
    """Writes the body of one kernel."""

    def __init__(self, kernel: Function, lines: _Lines) -> None:
        self.kernel, self.lines = kernel, lines
        self.names = Names()
        self.uses: Counter[Value] = Counter()
        self.homes: dict[Value, Function] = {}  # the blocks of single uses
        self.texts: dict[Value, tuple[str, int]] = {}  # what stands where it is used
        self.unused: set[Op] = set()  # what nothing comes of: native code leaves it out, too
        self._count(kernel)
        self._leave_out(kernel)
        if self.unused:
            self.uses.clear()
            self._count(kernel)

    def _count(self, block: Function) -> None:
        for op in block.body:
            if op in self.unused:
                continue
            for v in op.operands:
                self.uses[v] += 1
                self.homes[v] = block
            for region in op.regions:
                self._count(region)
        for v in block.returns:
            self.uses[v] += 1
            self.homes[v] = block

    def _leave_out(self, block: Function) -> None:
        for op in reversed(block.body):
            for region in op.regions:
                self._leave_out(region)
            drops = op.results and not op.effect and not op.regions
            if drops and not any(self.uses[v] for v in op.results):
                self.unused.add(op)
                self.uses.subtract(op.operands)

    def params(self) -> str:
        return ", ".join(f"{self.names.define(p)}: {p.type}" for p in self.kernel.params)

    def block(self, block: Function, depth: int, around: Location | None) -> None:
        """The ops of a block, each in a line but for those that stand where they are used."""
        for op in block.body:
            if op in self.unused:
                continue
            location = op.location or around
            self.lines.location = location
            self.op(op, block, depth, location, place(location) if location != around else "")
        self.lines.location = around
        if block.returns:
            self.lines.append(Line(depth, f"return {self.used(block.returns)}"))

    def op(
        self, op: Op, block: Function, depth: int, location: Location | None, comment: str
    ) -> None:
        inlined = self.inline(op, block)
        if inlined is not None:
            self.texts[op.results[0]] = inlined
            return
        match op:
            case For():
                (i, *carried), body = op.body.params, op.body
                range_ = f"{self.at(op.low, _PRODUCT)}..{self.at(op.high, _PRODUCT)}"
                text = f"for {self.names.define(i)} in {range_}"
                text += f" by {op.step}" * (op.step != 1)
                text += f" {op.kind.value}" * (op.kind is not LoopKind.SERIAL)
                text += self.carrying(carried, op.init)
                regions = {"": body}
            case Parallel():
                count, work = self.at(op.count, _PRODUCT), self.at(op.work)
                counter = self.names.define(op.body.params[0])
                text = f"parallel {counter} in 0..{count}, work {work}"
                regions = {"": op.body}
            case Reduce():
                counter = self.names.define(op.body.params[0])
                text = f"reduce {op.combine} {counter} in 0..{self.at(op.count, _PRODUCT)}"
                text += f" {op.kind.value}" * (op.kind is not LoopKind.SERIAL)
                regions = {"": op.body}
            case Store():
                text = f"{self.element(op)} = {self.at(op.value)}"
                regions = {}
            case _:
                text = self.expression(op)
                regions = {name: getattr(op, name) for name in op.spec.regions}
        self.write(op, text, regions, depth, location, comment)

    def write(
        self,
        op: Op,
        text: str,
        regions: dict[str, Function],
        depth: int,
        location: Location | None,
        comment: str,
    ) -> None:
        """A statement with its regions."""
        start = len(self.lines)
        for name, region in regions.items():
            opening = f"{text} {name}".rstrip()
            if name and region.params:
                opening += f" ({', '.join(map(self.names.define, region.params))})"
            self.lines.append(Line(depth, f"{opening} {{", comment))
            self.block(region, depth + 1, location)
            self.lines.location = location
            text, comment = "}", ""
        results = _listed([self.names.define(v) for v in op.results])
        if not regions:
            self.lines.append(Line(depth, f"{results} = {text}" if results else text, comment))
            return
        first = self.lines[start]
        if results:
            self.lines[start] = first._replace(text=f"{results} = {first.text}")
        self.lines.append(Line(depth, "}"))

    def carrying(self, params: Sequence[Value], init: Sequence[Value]) -> str:
        if not params:
            return ""
        pairs = zip(params, init, strict=True)
        defined = [(self.names.define(p), self.at(v)) for p, v in pairs]
        firsts = [v for _, v in defined]
        if len(set(firsts)) == 1:
            return f" carrying ({_listed(name for name, _ in defined)} = {firsts[0]})"
        return f" carrying ({', '.join(f'{name} = {v}' for name, v in defined)})"

    def inline(self, op: Op, block: Function) -> tuple[str, int] | None:
        """What stands for an op where its result is used, and how tightly it binds; None where it
        has a line of its own."""
        if isinstance(op, Constant):
            scalar = number(op.value[()], op.result.dtype)
            return scalar, _SUM if scalar.startswith("-") else _ATOM
        if isinstance(op, ExtentOf):
            text = str(op.value)
            return text, _binding(text)
        if len(op.results) != 1 or self.uses[op.result] != 1 or self.homes[op.result] is not block:
            return None
        found = self.index(op) if is_index(op.result) else None
        if found is None and type(op) is Load:
            found = self.element(op), _ATOM
        return found if found is not None and len(found[0]) <= INLINE_MAX else None

    def index(self, op: Op) -> tuple[str, int] | None:
        """Arithmetic of indices as it is written by hand."""
        match op:
            case Add(x=x, y=y):
                more = self.at(y, _PRODUCT)
                if more.startswith("(-") and isinstance(y.op, Constant):
                    return f"{self.at(x)} - {more[2:-1]}", _SUM
                return f"{self.at(x)} + {more}", _SUM
            case Sub(x=x, y=y):
                return f"{self.at(x)} - {self.at(y, _PRODUCT)}", _SUM
            case Mul(x=x, y=y):
                if isinstance(y.op, Constant) and not isinstance(x.op, Constant):
                    x, y = y, x
                return f"{self.at(x, _PRODUCT)}*{self.at(y, _ATOM)}", _PRODUCT
        return None

    def expression(self, op: Op) -> str:
        """An op without its regions, and without types."""
        found = self.index(op) if is_index(*op.results) else None
        if found is not None:
            return found[0]
        if isinstance(op, Load):
            return f"{op.mnemonic} {self.element(op)}"
        operands = []
        for name in op.spec.operands:
            value = getattr(op, name)
            if isinstance(value, tuple):
                operands.append(f"[{self.used(value)}]")
            elif value is not None:
                operands.append(self.at(value))
        attributes = [f"{n} = {shown(getattr(op, n))}" for n in op.spec.attributes]
        text = f"{op.mnemonic} {', '.join(operands)}".rstrip()
        return f"{text} {{{', '.join(attributes)}}}" if attributes else text

    def element(self, op: Load | Store) -> str:
        """An element of a buffer."""
        mask = getattr(op, "mask", None)
        only = f" if {self.at(mask)}" if mask is not None else ""
        return f"{self.names.use(op.buffer)}[{self.at(op.offset)}{only}]"

    def used(self, values: Iterable[Value]) -> str:
        return _listed(map(self.at, values))

    def at(self, value: Value, binding: int = _SUM) -> str:
        """A value where it is used by what binds so tightly."""
        if value not in self.texts:
            return self.names.use(value)
        text, own = self.texts[value]
        return text if own >= binding else f"({text})"


def _in_order(ops: Iterable[Op]) -> list[Op]:
    """Ops, each behind those that it reads."""
    left, found = dict.fromkeys(ops), dict[Op, None]()
    work = list(reversed(left))
    while work:
        op = work[-1]
        before = [v.op for v in op.operands if v.op in left and v.op not in found]
        if op in found or not before:
            found[work.pop()] = None
        else:
            work += [v for v in reversed(before) if v is not None]
    return [*found]


def _used(names: Names, values: Iterable[Value]) -> str:
    return ", ".join(map(names.use, values))


def _binding(extent: str) -> int:
    """How tightly the text of an extent binds."""
    if extent.isidentifier() or extent.isdigit():
        return _ATOM
    return _SUM if " " in extent or extent.startswith("-") else _PRODUCT


def _listed(texts: Iterable[str]) -> str:
    """Texts between commas; numbered values that follow each other as `%3..%10`."""
    made: list[str] = []
    runs: list[list[str]] = []
    for text in texts:
        last = runs[-1][-1] if runs else ""
        follows = text[1:].isdigit() and last[1:].isdigit() and int(text[1:]) == int(last[1:]) + 1
        if follows and text[0] == last[0] == "%":
            runs[-1].append(text)
        else:
            runs.append([text])
    for run in runs:
        made += run if len(run) < LISTED_MIN else [f"{run[0]}..{run[-1]}"]
    return ", ".join(made)


def _called(op: Op) -> str:
    name = op.results[0].name if op.results else ""
    return f"{op.mnemonic} %{name}" if name else op.mnemonic


def _counted(texts: Iterable[str]) -> str:
    """Each text once, with how often it is there."""
    return ", ".join(t if n == 1 else f"{n} {t}" for t, n in Counter(texts).items())


def _places(locations: Iterable[Location | None]) -> str:
    """Lines by files: 7 to 9 and 12 of one, then those of the next."""
    files: dict[str, set[int]] = {}
    for location in locations:
        if location is not None:
            file, _, line = place(location).rpartition(":")
            files.setdefault(file, set()).add(int(line))
    return ", ".join(f"{file}:{_ranges(sorted(lines))}" for file, lines in files.items())


def _ranges(lines: Sequence[int]) -> str:
    """`7-9, 12` of 7, 8, 9, 12."""
    runs: list[list[int]] = []
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in runs)


def _laid_out(lines: Sequence[Line]) -> list[str]:
    """The lines with their comments in a column; long ones are broken."""
    texts = ["  " * line.depth + line.text for line in lines]
    commented = with_comments(texts, [line.comment for line in lines])
    return [broken(t, 2 * line.depth + 4) for line, t in zip(lines, commented, strict=True)]
