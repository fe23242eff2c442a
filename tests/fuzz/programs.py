"""Random typed programs in the public API.

A program is its Python source: a list of steps, each a line `name = code` with the type that its
value has. Extents are ints, or letters that have one size in the program's own run and another in
a second run, so that a traced function must make symbols of them.

    x0 = tf.constant([[1.0, nan]], tf.float32)  # f32[2,a]
    def program(x0):
        y0 = tf.tanh(x0)
        return y0

Programs are right by construction: no step divides an integer by zero, indexes out of range or
needs shapes to fit that do not. What a rule (rules.py) cannot do with the values there are, it
leaves undone.
"""

from __future__ import annotations

import contextlib
import linecache
import random
import re
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from tfc.ir.dtypes import DType, as_dtype
from tfc.ir.extent import Extent, evaluate, product, symbol
from tfc.ir.types import TensorType

RETRIES = 4  # rules that are tried for a step
FEW = 4  # options that a swarm leaves alone, and shapes that it knows
SHAPES = 32  # of those that are drawn until one is small enough
DTYPES = ("f32", "f32", "f32", "f64", "i32", "f16", "bf16", "bool", "i64", "u8")
DTYPES += ("i8", "i16", "u16", "u32", "u64")

# The elements of inputs and constants. Magnitudes differ, so that the order of a sum shows.
FLOATS = (1.0, 0.0, -1.0, 0.5, 2.0, -0.0, 1.5, 3.0, -2.25, 0.1, 1e-3, 7.7, 100.0, -1e4, 1e8)
SPECIAL = (float("inf"), float("-inf"), float("nan"), 1e-40, 65504.0, 3.4e38)
INTEGERS = (1, 0, 2, 3, 5, 7, 11, 100, 127, -1, -2, -7, -128, 255, 1000, 2**31 - 1, 2**63 - 1)


# Where one of these is mentioned, AutoGraph has something to stage.
STAGED = {"parts", "families"}


class Skip(Exception):
    """A rule finds nothing that it could work on."""


Rule = Callable[["Maker"], None]


@dataclass(frozen=True)
class Step:
    """`name = code`, or a statement where there is no name."""

    code: str
    name: str = ""
    type: TensorType | None = None
    uses: tuple[str, ...] = ()

    def __str__(self) -> str:
        line = f"{self.name} = {self.code}" if self.name else self.code
        return f"{line}  # {self.type}" if self.type else line


@dataclass
class Program:
    """Inputs and Variables with their values, steps, and the names that are returned."""

    inputs: dict[str, TensorType] = field(default_factory=dict)
    variables: dict[str, TensorType] = field(default_factory=dict)
    elements: dict[str, tuple[str, str]] = field(default_factory=dict)  # in both runs, as code
    steps: list[Step] = field(default_factory=list)
    returns: list[str] = field(default_factory=list)
    random: bool = False  # whether there is a generator `g`
    optimizer: tuple[str, str] | None = None  # the Variable that one changes, and its code
    # What is made once, beside the Variables: by name, its code and code for what has state in it.
    objects: dict[str, tuple[str, str]] = field(default_factory=dict)
    relatives: tuple[Program, ...] = ()  # on the same inputs and Variables, run one after another
    apart: bool = False  # whether each begins from the initial state, as if it were alone (packs)

    def source(self) -> str:
        """A Python file that defines `inputs`, `others` (other sizes), `state` and `program`, which
        runs the relatives behind this program, and gives the results of all. Those of a pack are
        `programs` instead: functions, which inputs they take, how many results they have, and what
        of the state they may change."""
        lines = ["from numpy import inf, nan", "import numpy as np", "import tfc as tf"]
        lines += ["from tests.fuzz import catalogue, families, parts", ""]
        for name, type_ in {**self.inputs, **self.variables}.items():
            code = self.elements[name][0]
            code = f"tf.Variable({code})" if name in self.variables else code
            lines.append(f"{name} = {code}  # {type_}")
        if self.random:
            lines.append("g = tf.random.Generator.from_seed(7)")
        state = [*self.variables, *(["g.state"] if self.random else [])]
        if self.optimizer:
            variable, code = self.optimizer
            lines.append(f"optimizer = tf.keras.optimizers.{code}")
            lines.append(f"optimizer.build([{variable}])")
            state.append("*(slot.value for slot in optimizer.variables)")
        for name, (code, changed) in self.objects.items():
            lines.append(f"{name} = {code}")
            state += [changed] if changed else []
        lines += [f"inputs = {_names(list(self.inputs))}"]
        lines += [f"others = {_names([self.elements[n][1] for n in self.inputs])}"]
        lines += [f"state = {_names(state)}", "", ""]
        if self.apart:
            return "\n".join([*lines, *self.listed()]) + "\n"
        if not self.relatives:
            return "\n".join([*lines, *self.function("program")]) + "\n"
        parts = [f"program_{i}" for i in range(1 + len(self.relatives))]
        for name, program in zip(parts, (self, *self.relatives), strict=True):
            lines += [*program.function(name), "", ""]
        given = ", ".join(self.inputs)
        lines += [f"def program({given}):"]
        lines += [f"    {name.replace('program', 'r')} = {name}({given})" for name in parts]
        lines += [f"    return ({', '.join(f'*r_{i}' for i in range(len(parts)))},)"]
        return "\n".join(lines) + "\n"

    def listed(self) -> list[str]:
        """The lines of the functions of a pack, and of what tells of them."""
        lines, rows = [], []
        for i, program in enumerate((self, *self.relatives)):
            body = program.body()
            names = set(re.findall(r"\b\w+\b", "\n".join(body)))
            taken = [name for name in self.inputs if name in names]
            if not names & STAGED:  # nothing for AutoGraph
                lines.append("@tf.autograph.experimental.do_not_convert")
            lines.append(f"def program_{i}({', '.join(taken)}):")
            lines += [*(f"    {line}" for line in body), ""]
            places = [[*self.inputs].index(name) for name in taken]
            row = (f"program_{i}", _names([*map(str, places)]), str(len(program.returns)))
            rows.append(f"    ({', '.join(row)}, {_names(self.touched(names))}),")
        return [*lines, "", "programs = (", *rows, ")"]

    def touched(self, names: Set[str]) -> list[str]:
        """The state that steps which mention these names may change."""
        state = [name for name in self.variables if name in names]
        if "g" in names:
            state.append("g.state")
        if self.optimizer and "optimizer" in names:
            state += [] if self.optimizer[0] in state else [self.optimizer[0]]
            state.append("*(slot.value for slot in optimizer.variables)")
        return state + [c for name, (_, c) in self.objects.items() if c and name in names]

    def function(self, name: str) -> list[str]:
        """The lines of its function."""
        return [f"def {name}({', '.join(self.inputs)}):", *(f"    {line}" for line in self.body())]

    def body(self) -> list[str]:
        return [*map(str, self.steps), f"return {_names(self.returns)}"]

    def computation(self) -> str:
        """What its steps say where names do not matter: alike for programs of which one is the
        other with inputs or values that have changed places."""
        numbers: dict[str, str] = {}
        return re.sub(
            r"\b[xyv]\d+\b",
            lambda name: numbers.setdefault(name[0], f"${len(numbers)}"),
            "\n".join(self.body()),
        )

    def rewired(self, draw: Callable[[int], int]) -> Program | None:
        """A relative: some steps take other values of the same types. So eager code knows all of
        its ops, and its function is another one. None where no value takes the place of another.
        It need not run: a step may ask more of its values than their types say."""
        types = {**self.inputs}
        steps, changed = [], 0
        for step in self.steps:
            for used in dict.fromkeys(step.uses):
                fitting = [n for n, t in types.items() if n != used and t == types.get(used)]
                if fitting and draw(2) == 0:
                    other = fitting[draw(len(fitting))]
                    code = re.sub(rf"\b{used}\b", other, step.code)
                    uses = tuple(other if n == used else n for n in step.uses)
                    changed += code != step.code
                    step = replace(step, code=code, uses=uses)
            steps.append(step)
            if step.name and step.type is not None:
                types[step.name] = step.type
        if not changed:
            return None
        needed = {name for step in steps for name in step.uses}
        made = [step.name for step in steps if step.name]
        returns = [n for n in made if n not in needed or n in self.returns] or self.returns
        return replace(self, steps=steps, returns=returns, relatives=())


def _names(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


class Maker:
    """Grows a program; `draw(n)` gives a number below n, and smaller ones for simpler programs.

    Programs of one `swarm` have a third of all rules, functions, dtypes and sizes, and four shapes:
    other swarms have others. They meet the same ops again and again, so that a process compiles
    few for many programs, and each of them has more of what it has (Groce et al., Swarm testing,
    2012). Without one, anything may stand in a program.
    """

    rules: tuple[Rule, ...] = ()
    sizes_drawn: tuple[int, ...] = (2, 3, 1, 0, 5, 8, 17, 65)
    elements_max = 2048  # of a tensor
    dtypes = DTYPES
    bodies: tuple[str, ...] = ()  # of loops, branches and functions on floats, other than the usual

    def __init__(self, draw: Callable[[int], int], swarm: int | None = None) -> None:
        self.draw = draw
        self.swarm = swarm
        self.program = Program()
        self.types: dict[str, TensorType] = {}
        self.count = 0
        self.sizes: tuple[dict[str, int], dict[str, int]] = ({}, {})
        apart = [n for n in self.sizes_drawn if n > 3]
        for sizes in self.sizes:
            if swarm is None or swarm % 3 == 0:
                sizes |= {letter: self.choose(self.sizes_drawn) for letter in "abc"}
            else:  # equal to no other extent, so that eager ops are the same in all programs
                sizes.update(zip("abc", self.of_swarm(FEW).sample(apart, 3), strict=True))

    def make(self, steps: int) -> Program:
        for _ in range(1 + self.draw(3)):
            self.input()
        if self.draw(4) == 3:
            self.variable()
        for _ in range(steps):
            for _ in range(RETRIES):
                with contextlib.suppress(Skip):
                    self.choose(self.rules)(self)
                    break
        self.finish()
        return self.program

    def relatives(self, count: int) -> tuple[Program, ...]:
        """So many at most, no two of which compute the same, but for what their inputs are."""
        found = {self.program.computation(): self.program}
        for _ in range(2 * count):
            relative = self.program.rewired(self.draw)
            if relative is not None and len(found) <= count:
                found.setdefault(relative.computation(), relative)
        return tuple(found.values())[1:]

    def finish(self) -> None:
        """Return what nothing uses, and now and then what something does."""
        used = {name for step in self.program.steps for name in step.uses}
        made = [step.name for step in self.program.steps if step.name]
        returns = [n for n in made if n not in used]
        returns += [n for n in made if n in used and self.draw(8) == 7]
        self.program.returns = returns or made[-1:] or [next(iter(self.program.inputs))]

    # Choices.

    def of_swarm(self, count: int) -> random.Random:
        """One of so many sources of choices that all programs of the swarm share."""
        return random.Random(f"{self.swarm} {self.draw(count)}")

    def choose(self, options: Sequence[Any]) -> Any:
        if not options:
            raise Skip
        if self.swarm is not None and isinstance(options, tuple) and len(options) > FEW:
            options = narrowed(options, self.swarm)
        return options[self.draw(len(options))]

    def flag(self) -> bool:
        return self.draw(2) == 1

    def pick(self, kinds: str = "biuf", fits: Callable[[TensorType], bool] = lambda t: True) -> str:
        """A value of one of these kinds of dtype, rather a late one."""
        names = [n for n, t in reversed(self.types.items()) if t.dtype.kind in kinds and fits(t)]
        return (
            names[min(self.draw(len(names)), self.draw(len(names)))] if names else self.choose([])
        )

    def ranked(self, kinds: str = "biuf", least: int = 1) -> str:
        return self.pick(kinds, lambda t: t.rank >= least)

    def axes(self, rank: int) -> list[int]:
        found = [a for a in range(rank) if self.draw(2) == 0]
        return found or ([self.draw(rank)] if rank else [])

    def size(self, extent: Extent, run: int) -> int:
        """An extent in one of the two runs."""
        return evaluate(extent, self.sizes[run])

    def every(self, extent: Extent, holds: Callable[[int], bool]) -> bool:
        """Whether something holds in both runs."""
        return all(holds(evaluate(extent, sizes)) for sizes in self.sizes)

    # Making values.

    def shape(self, static: bool = False) -> tuple[Extent, ...]:
        letters = "" if static else "aabbc"
        left = 0 if self.swarm is None else SHAPES  # then all that the swarm knows is too large
        while True:
            draw = self.of_swarm(FEW).randrange if left else self.draw
            shape, left = drawn_shape(draw, letters), max(0, left - 1)
            if self.small(shape):
                return shape

    def small(self, shape: tuple[Extent, ...]) -> bool:
        return self.every(product(shape), lambda n: n <= self.elements_max)

    def elements(self, dtype: DType) -> list[Any]:
        """Some numbers that `dtype` holds."""
        pool: tuple[Any, ...]
        if dtype.is_floating:
            pool = FLOATS + SPECIAL if self.draw(4) == 3 else FLOATS
        elif dtype.is_bool:
            pool = (True, False)
        else:
            pool = tuple(v for v in INTEGERS if int(dtype.min) <= v <= int(dtype.max))
        return [pool[self.draw(len(pool))] for _ in range(1 + self.draw(9))]

    def literal(self, elements: Sequence[Any], dtype: DType, shape: Sequence[int] = ()) -> str:
        """Code for a tensor that repeats these elements."""
        count = int(np.prod(shape, dtype=np.int64))
        if len(elements) == count and len(shape) < 2:
            return f"tf.constant({list(elements) if shape else elements[0]}, tf.{dtype.name})"
        return f"tf.constant(np.resize({list(elements)}, {list(shape)}), tf.{dtype.name})"

    def input(self) -> None:
        name = f"x{len(self.program.inputs)}"
        type_ = TensorType(as_dtype(self.choose(self.dtypes)), self.shape())
        elements = self.elements(type_.dtype)
        first, second = (
            self.literal(elements, type_.dtype, [evaluate(e, sizes) for e in type_.shape])
            for sizes in self.sizes
        )
        self.program.inputs[name] = self.types[name] = type_
        self.program.elements[name] = first, second

    def variable(self) -> None:
        name = f"v{len(self.program.variables)}"
        dtype, shape = as_dtype(self.choose(self.dtypes[:5])), self.shape(static=True)
        self.program.variables[name] = TensorType(dtype, shape)
        code = self.constant(dtype, shape)
        self.program.elements[name] = code, code

    def emit(self, code: str, dtype: DType | str, shape: Sequence[Extent], *uses: str) -> str:
        type_ = TensorType(as_dtype(dtype), tuple(shape))
        if not self.small(type_.shape):
            raise Skip
        name = f"y{self.count}"
        self.count += 1
        self.program.steps.append(Step(code, name, type_, uses))
        self.types[name] = type_
        return name

    def constant(self, dtype: DType, shape: Sequence[Extent] = ()) -> str:
        elements = self.elements(dtype)
        return self.literal(elements, dtype, [int(e) for e in shape])  # type: ignore[arg-type]

    def partner(self, x: str) -> tuple[str, tuple[Extent, ...]]:
        """Something of the dtype of x that broadcasts with it, and the common shape."""
        t = self.types[x]
        fitting = [
            n
            for n, u in reversed(self.types.items())
            if u.dtype is t.dtype and common(t.shape, u.shape) is not None
        ]
        kind = self.draw(8)
        if kind == 6:
            return self.constant(t.dtype), t.shape
        if kind == 7 and t.dtype.is_numeric:
            number = self.draw(4)
            return (str(number / 2) if t.dtype.is_floating else str(number)), t.shape
        y = self.choose(fitting)
        shape = common(t.shape, self.types[y].shape)
        assert shape is not None
        return y, shape

    def extent(self, extent: Extent) -> str:
        """Code for an extent that an axis of some value has."""
        if isinstance(extent, int):
            return str(extent)
        for name, type_ in self.types.items():
            if extent in type_.shape:
                return f"tf.shape({name})[{type_.shape.index(extent)}]"
        raise Skip

    def extents(self, shape: Sequence[Extent]) -> str:
        return f"[{', '.join(map(self.extent, shape))}]"


@cache
def narrowed(options: tuple[Any, ...], swarm: int) -> tuple[Any, ...]:
    """The options that programs of a swarm have, the same in every process."""
    names = [getattr(option, "__name__", option) for option in options]
    return tuple(random.Random(f"{swarm} {names}").sample(options, max(FEW, len(options) // 3)))


def drawn_shape(draw: Callable[[int], int], letters: str) -> tuple[Extent, ...]:
    """A shape of small ints and of symbols for these letters."""
    extents: tuple[Extent, ...] = (2, 3, 1, *map(symbol, letters))
    rank = (1, 2, 0, 3, 4)[draw(5)]
    return tuple(extents[draw(len(extents))] for _ in range(rank))


def common(x: Sequence[Extent], y: Sequence[Extent]) -> tuple[Extent, ...] | None:
    """The shape that x and y broadcast to, or None."""
    rank = max(len(x), len(y))
    a, b = ((1,) * (rank - len(s)) + tuple(s) for s in (x, y))
    if any(i != j and i != 1 and j != 1 for i, j in zip(a, b, strict=True)):
        return None
    return tuple(j if i == 1 else i for i, j in zip(a, b, strict=True))


def execute(source: str) -> Mapping[str, Any]:
    """What the source of a program defines. Where it calls what AutoGraph is for (parts.py,
    families.py), its own source can be found as well: code that is not staged calls none that is.
    """
    scope: dict[str, Any] = {}
    name = "<program>"
    if "parts." in source or "families." in source:
        name = f"<program {len(linecache.cache)}>"
        linecache.cache[name] = len(source), None, source.splitlines(True), name
    exec(compile(source, name, "exec"), scope)
    return scope
