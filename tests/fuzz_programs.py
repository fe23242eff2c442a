"""Random typed programs in the public API, for tests/fuzz.py.

A program is its Python source: a list of steps, each a line `name = code` with the type that its
value has. Extents are ints, or letters that have one size in the program's own run and another in
a second run, so that a traced function must make symbols of them.

    x0 = tf.constant([[1.0, nan]], tf.float32)  # f32[2,a]
    def program(x0):
        y0 = tf.tanh(x0)
        return y0

Programs are right by construction: no step divides an integer by zero, indexes out of range or
needs shapes to fit that do not. What a rule cannot do with the values there are, it leaves undone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tfc.ir.dtypes import ALL, DType, as_dtype
from tfc.ir.extent import Expr, Extent, evaluate, product, symbol
from tfc.ir.types import TensorType

SIZES = (2, 3, 1, 0, 5, 8, 17, 65)
MAX_ELEMENTS = 2048
RETRIES = 4  # rules that are tried for a step
DTYPES = ("f32", "f32", "f32", "f64", "i32", "f16", "bf16", "bool", "i64", "u8")
DTYPES += ("i8", "i16", "u16", "u32", "u64")

# The elements of inputs and constants. Magnitudes differ, so that the order of a sum shows.
FLOATS = (1.0, 0.0, -1.0, 0.5, 2.0, -0.0, 1.5, 3.0, -2.25, 0.1, 1e-3, 7.7, 100.0, -1e4, 1e8)
SPECIAL = (float("inf"), float("-inf"), float("nan"), 1e-40, 65504.0, 3.4e38)
INTEGERS = (1, 0, 2, 3, 5, 7, 11, 100, 127, -1, -2, -7, -128, 255, 1000, 2**31 - 1, 2**63 - 1)


class Skip(Exception):
    """A rule finds nothing that it could work on."""


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

    def source(self) -> str:
        """A Python file that defines `inputs`, `others` (other sizes), `state` and `program`."""
        lines = ["from numpy import inf, nan", "import numpy as np", "import tfc as tf", ""]
        for name, type_ in {**self.inputs, **self.variables}.items():
            code = self.elements[name][0]
            code = f"tf.Variable({code})" if name in self.variables else code
            lines.append(f"{name} = {code}  # {type_}")
        if self.random:
            lines.append("g = tf.random.Generator.from_seed(7)")
        state = [*self.variables, *(["g.state"] if self.random else [])]
        lines += [f"inputs = {_names(list(self.inputs))}"]
        lines += [f"others = {_names([self.elements[n][1] for n in self.inputs])}"]
        lines += [f"state = {_names(state)}", "", ""]
        lines += [f"def program({', '.join(self.inputs)}):"]
        lines += [f"    {step}" for step in self.steps]
        lines += [f"    return {_names(self.returns)}"]
        return "\n".join(lines) + "\n"


def _names(names: Sequence[str]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def literal(elements: Sequence[Any], dtype: DType, shape: Sequence[int] = ()) -> str:
    """Code for a tensor that repeats these elements."""
    count = int(np.prod(shape, dtype=np.int64))
    if len(elements) == count and len(shape) < 2:
        return f"tf.constant({list(elements) if shape else elements[0]}, tf.{dtype.name})"
    return f"tf.constant(np.resize({list(elements)}, {list(shape)}), tf.{dtype.name})"


class Maker:
    """Grows a program; `draw(n)` gives a number below n, and smaller ones for simpler programs."""

    def __init__(self, draw: Callable[[int], int]) -> None:
        self.draw = draw
        self.program = Program()
        self.types: dict[str, TensorType] = {}
        self.count = 0
        self.sizes: tuple[dict[str, int], dict[str, int]] = ({}, {})
        for letter in "abc":
            for sizes in self.sizes:
                sizes[letter] = self.choose(SIZES)

    def make(self, steps: int) -> Program:
        for _ in range(1 + self.draw(3)):
            self.input()
        if self.draw(4) == 3:
            self.variable()
        for _ in range(steps):
            for _ in range(RETRIES):
                with contextlib.suppress(Skip):
                    self.choose(RULES)(self)
                    break
        self.finish()
        return self.program

    def finish(self) -> None:
        """Return what nothing uses, and now and then what something does."""
        used = {name for step in self.program.steps for name in step.uses}
        made = [step.name for step in self.program.steps if step.name]
        returns = [n for n in made if n not in used]
        returns += [n for n in made if n in used and self.draw(8) == 7]
        self.program.returns = returns or made[-1:] or [next(iter(self.program.inputs))]

    # Choices.

    def choose(self, options: Sequence[Any]) -> Any:
        if not options:
            raise Skip
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

    def every(self, extent: Extent, holds: Callable[[int], bool]) -> bool:
        """Whether something holds in both runs."""
        return all(holds(evaluate(extent, sizes)) for sizes in self.sizes)

    # Making values.

    def shape(self, static: bool = False) -> tuple[Extent, ...]:
        extents: list[Extent] = [2, 3, 1]
        if not static:
            extents += [symbol(letter) for letter in "aabbc"]
        while True:
            shape = tuple(self.choose(extents) for _ in range(self.choose((1, 2, 0, 3, 4))))
            if self.small(shape):
                return shape

    def small(self, shape: tuple[Extent, ...]) -> bool:
        return self.every(product(shape), lambda n: n <= MAX_ELEMENTS)

    def elements(self, dtype: DType) -> list[Any]:
        """Some numbers that `dtype` holds."""
        pool: tuple[Any, ...]
        if dtype.is_floating:
            pool = FLOATS + SPECIAL if self.draw(4) == 3 else FLOATS
        elif dtype.is_bool:
            pool = (True, False)
        else:
            pool = tuple(v for v in INTEGERS if int(dtype.min) <= v <= int(dtype.max))
        return [self.choose(pool) for _ in range(1 + self.draw(9))]

    def input(self) -> None:
        name = f"x{len(self.program.inputs)}"
        type_ = TensorType(as_dtype(self.choose(DTYPES)), self.shape())
        elements = self.elements(type_.dtype)
        first, second = (
            literal(elements, type_.dtype, [evaluate(e, sizes) for e in type_.shape])
            for sizes in self.sizes
        )
        self.program.inputs[name] = self.types[name] = type_
        self.program.elements[name] = first, second

    def variable(self) -> None:
        name = f"v{len(self.program.variables)}"
        dtype, shape = as_dtype(self.choose(DTYPES[:5])), self.shape(static=True)
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
        return literal(elements, dtype, [int(e) for e in shape])  # type: ignore[arg-type]

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


def common(x: Sequence[Extent], y: Sequence[Extent]) -> tuple[Extent, ...] | None:
    """The shape that x and y broadcast to, or None."""
    rank = max(len(x), len(y))
    a, b = ((1,) * (rank - len(s)) + tuple(s) for s in (x, y))
    if any(i != j and i != 1 and j != 1 for i, j in zip(a, b, strict=True)):
        return None
    return tuple(j if i == 1 else i for i, j in zip(a, b, strict=True))


# The rules. Each adds one step, or raises Skip.

UNARY = (
    *("tf.tanh", "tf.exp", "tf.sqrt", "tf.sigmoid", "tf.math.log", "tf.sin", "tf.cos", "tf.floor"),
    *("tf.math.ceil", "tf.round", "tf.math.rsqrt", "tf.math.erf", "tf.math.expm1", "tf.math.log1p"),
    *("tf.nn.softplus", "tf.math.reciprocal", "tf.tan", "tf.asin", "tf.acos", "tf.math.atan"),
    *("tf.sinh", "tf.cosh", "tf.asinh", "tf.acosh", "tf.atanh", "tf.math.erfc"),
)
SIMPLE = ("tf.abs", "tf.negative", "tf.sign", "tf.square", "tf.nn.relu", "tf.stop_gradient")
BINARY = ("tf.add", "tf.multiply", "tf.subtract", "tf.maximum", "tf.minimum")
BINARY += ("tf.math.squared_difference",)
COMPARE = ("tf.less", "tf.equal", "tf.greater_equal", "tf.greater", "tf.less_equal", "tf.not_equal")
BITWISE = ("tf.bitwise.bitwise_and", "tf.bitwise.bitwise_or", "tf.bitwise.bitwise_xor")


def unary(m: Maker) -> None:
    x = m.pick("f")
    m.emit(f"{m.choose(UNARY)}({x})", m.types[x].dtype, m.types[x].shape, x)


def simple(m: Maker) -> None:
    x = m.pick("iuf")
    m.emit(f"{m.choose(SIMPLE)}({x})", m.types[x].dtype, m.types[x].shape, x)


def binary(m: Maker) -> None:
    x = m.pick("iuf")
    y, shape = m.partner(x)
    arguments = (y, x) if y in m.types and m.flag() else (x, y)
    m.emit(f"{m.choose(BINARY)}({', '.join(arguments)})", m.types[x].dtype, shape, x, y)


def quotient(m: Maker) -> None:
    """Integers are divided by what is not 0; floats by anything."""
    x = m.pick("iuf")
    y, shape = m.partner(x)
    dtype = m.types[x].dtype
    if dtype.is_floating:
        name = m.choose(("tf.truediv", "tf.math.floordiv", "tf.math.floormod", "tf.math.atan2"))
        m.emit(f"{name}({x}, {y})", dtype, shape, x, y)
        return
    name = m.choose(("tf.math.floordiv", "tf.math.floormod"))
    odd = f"tf.bitwise.bitwise_or({y}, {literal([1], dtype)})"
    m.emit(f"{name}({x}, {odd})", dtype, shape, x, y)


def power(m: Maker) -> None:
    x = m.pick("iuf")
    y, shape = m.partner(x)
    dtype = m.types[x].dtype
    if dtype.is_integer:
        y = f"tf.bitwise.bitwise_and({y}, {literal([3], dtype)})"
    m.emit(f"tf.pow({x}, {y})", dtype, shape, x, y)


def compare(m: Maker) -> None:
    x = m.pick("iuf")
    y, shape = m.partner(x)
    m.emit(f"{m.choose(COMPARE)}({x}, {y})", "bool", shape, x, y)


def logic(m: Maker) -> None:
    x = m.pick("b")
    name = m.choose(("logical_and", "logical_or", "logical_xor", "logical_not"))
    if name == "logical_not":
        m.emit(f"tf.math.{name}({x})", "bool", m.types[x].shape, x)
        return
    y, shape = m.partner(x)
    m.emit(f"tf.math.{name}({x}, {y})", "bool", shape, x, y)


def bits(m: Maker) -> None:
    x = m.pick("iu")
    y, shape = m.partner(x)
    dtype = m.types[x].dtype
    name = m.choose((*BITWISE, "tf.bitwise.left_shift", "tf.bitwise.right_shift"))
    if name.endswith("shift"):
        y = f"tf.bitwise.bitwise_and({y}, {literal([7], dtype)})"
    m.emit(f"{name}({x}, {y})", dtype, shape, x, y)


def select(m: Maker) -> None:
    x = m.pick()
    y, shape = m.partner(x)
    if m.flag():
        x, y = (y, x) if y in m.types else (x, y)
    fits = [
        n
        for n, t in reversed(m.types.items())
        if t.dtype.is_bool and common(t.shape, shape) is not None
    ]
    condition = m.choose(fits)
    whole = common(m.types[condition].shape, shape)
    assert whole is not None
    m.emit(f"tf.where({condition}, {x}, {y})", m.types[x].dtype, whole, condition, x, y)


def clip(m: Maker) -> None:
    x = m.pick("iuf")
    t = m.types[x]
    low, high = (m.constant(t.dtype) for _ in range(2))
    m.emit(f"tf.clip_by_value({x}, {low}, {high})", t.dtype, t.shape, x)


def cast(m: Maker) -> None:
    x = m.pick()
    dtype = as_dtype(m.choose((*DTYPES, *(d.short for d in ALL))))
    m.emit(f"tf.cast({x}, tf.{dtype.name})", dtype, m.types[x].shape, x)


def reduced(t: TensorType, axes: Sequence[int], keep: bool) -> list[Extent]:
    if keep:
        return [1 if a in axes else e for a, e in enumerate(t.shape)]
    return [e for a, e in enumerate(t.shape) if a not in axes]


def reduction(m: Maker) -> None:
    x = m.ranked(least=0)
    t = m.types[x]
    names = ["tf.reduce_sum", "tf.reduce_max", "tf.reduce_min", "tf.reduce_prod"]
    axes = m.axes(t.rank)
    count = product(t.shape[a] for a in axes)
    if t.dtype.is_bool:
        names = ["tf.reduce_all", "tf.reduce_any"]
    if t.dtype.is_integer and m.every(count, bool):
        names += ["tf.reduce_mean"]
    if t.dtype.is_floating:
        names += ["tf.reduce_mean", "tf.reduce_logsumexp", "tf.math.reduce_variance"]
    name, keep = m.choose(names), m.flag()
    if not axes:
        raise Skip
    code = f"{name}({x}, axis={axes}, keepdims={keep})"
    m.emit(code, t.dtype, reduced(t, axes, keep), x)


def place(m: Maker) -> None:
    """argmax and argmin."""
    x = m.ranked("iuf")
    t = m.types[x]
    axis = m.draw(t.rank)
    if not m.every(t.shape[axis], bool):
        raise Skip
    kind = m.choose(("int64", "int32"))
    code = f"{m.choose(('tf.argmax', 'tf.argmin'))}({x}, axis={axis}, output_type=tf.{kind})"
    m.emit(code, kind, reduced(t, [axis], False), x)


def row_function(m: Maker) -> None:
    x = m.ranked("f")
    t = m.types[x]
    name = m.choose(("tf.nn.softmax", "tf.nn.log_softmax"))
    m.emit(f"{name}({x}, axis={m.draw(t.rank)})", t.dtype, t.shape, x)


def matmul(m: Maker) -> None:
    x = m.ranked("iuf", 2)
    t = m.types[x]
    ta, tb = m.flag(), m.flag()
    *batch, rows, inner = _flipped(t.shape, ta)

    def fits(u: TensorType) -> bool:
        if u.dtype is not t.dtype or u.rank < 2 or _flipped(u.shape, tb)[-2] != inner:
            return False
        return common(batch, u.shape[:-2]) is not None

    y = m.pick("iuf", fits)
    columns = _flipped(m.types[y].shape, tb)[-1]
    whole = common(batch, m.types[y].shape[:-2])
    assert whole is not None
    code = f"tf.matmul({x}, {y}, transpose_a={ta}, transpose_b={tb})"
    m.emit(code, t.dtype, (*whole, rows, columns), x, y)


def _flipped(shape: tuple[Extent, ...], flip: bool) -> tuple[Extent, ...]:
    return (*shape[:-2], shape[-1], shape[-2]) if flip else shape


def reshape(m: Maker) -> None:
    x = m.pick()
    t = m.types[x]
    kind = m.draw(5)
    if kind == 0:
        m.emit(f"tf.reshape({x}, [-1])", t.dtype, (t.size,), x)
    elif kind == 1:
        axis = m.draw(t.rank + 1)
        shape = (*t.shape[:axis], 1, *t.shape[axis:])
        m.emit(f"tf.expand_dims({x}, {axis})", t.dtype, shape, x)
    elif kind == 2:
        ones = [a for a, e in enumerate(t.shape) if e == 1]
        axis = m.choose(ones)
        shape = (*t.shape[:axis], *t.shape[axis + 1 :])
        m.emit(f"tf.squeeze({x}, {axis})", t.dtype, shape, x)
    elif kind == 3 and t.rank >= 2:
        axis = m.draw(t.rank - 1)
        merged = t.shape[axis] * t.shape[axis + 1]
        shape = (*t.shape[:axis], merged, *t.shape[axis + 2 :])
        others = ["-1" if a == axis else m.extent(e) for a, e in enumerate(shape)]
        if not m.every(product(e for a, e in enumerate(shape) if a != axis), bool):
            raise Skip  # -1 has no one answer
        m.emit(f"tf.reshape({x}, [{', '.join(others)}])", t.dtype, shape, x)
    else:
        y = m.pick(fits=lambda u: u.size == t.size and u.shape != t.shape)
        shape = m.types[y].shape
        m.emit(f"tf.reshape({x}, tf.shape({y}))", t.dtype, shape, x, y)


def transpose(m: Maker) -> None:
    x = m.ranked(least=2)
    t = m.types[x]
    rest = list(range(t.rank))
    perm = [rest.pop(m.draw(len(rest))) for _ in range(t.rank)][::-1]
    m.emit(f"tf.transpose({x}, {perm})", t.dtype, [t.shape[p] for p in perm], x)


def broadcast(m: Maker) -> None:
    x = m.pick()
    t = m.types[x]
    if m.flag():
        shape: tuple[Extent, ...] = (m.choose((2, 3, 1)), *t.shape)
        m.emit(f"tf.broadcast_to({x}, {m.extents(shape)})", t.dtype, shape, x)
    else:
        y = m.pick(fits=lambda u: u.shape != t.shape and common(t.shape, u.shape) == u.shape)
        m.emit(f"tf.broadcast_to({x}, tf.shape({y}))", t.dtype, m.types[y].shape, x, y)


def tile(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    times = [m.choose((2, 1, 3)) for _ in t.shape]
    shape = [n * e for n, e in zip(times, t.shape, strict=True)]
    m.emit(f"tf.tile({x}, {times})", t.dtype, shape, x)


def join(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    axis = m.draw(t.rank)
    names = [x]
    for _ in range(1 + m.draw(2)):
        names.append(
            m.pick(
                fits=lambda u: (
                    u.dtype is t.dtype
                    and u.rank == t.rank
                    and all(u.shape[a] == t.shape[a] for a in range(t.rank) if a != axis)
                )
            )
        )
    total: Extent = 0
    for name in names:
        total = total + m.types[name].shape[axis]
    shape = (*t.shape[:axis], total, *t.shape[axis + 1 :])
    m.emit(f"tf.concat([{', '.join(names)}], {axis})", t.dtype, shape, *names)


def stack(m: Maker) -> None:
    x = m.pick()
    t = m.types[x]
    y = m.pick(fits=lambda u: u == t)
    axis = m.draw(t.rank + 1)
    shape = (*t.shape[:axis], 2, *t.shape[axis:])
    m.emit(f"tf.stack([{x}, {y}], {axis})", t.dtype, shape, x, y)


def index(m: Maker) -> None:
    """x[...] with a slice or a place on one axis."""
    x = m.ranked()
    t = m.types[x]
    axis = m.draw(t.rank)
    n = t.shape[axis]
    size: Extent | None
    item, size = m.choose(
        [
            ("::-1", n),
            ("-1", None),
            ("0", None),
            (":-1", n - 1),
            ("::2", (n + 1) // 2),
            ("-2:", 2),
            ("::-2", (n + 1) // 2),
            ("1:", n - 1),
            (":2", 2),
            ("None", 1),
        ]
    )
    if item == "None":
        shape: list[Extent] = [*t.shape[:axis], 1, *t.shape[axis:]]
    else:
        least = {"-2:": 2, ":2": 2, "::-1": 0, "::2": 0, "::-2": 0}.get(item, 1)
        if not m.every(n, lambda k: k >= least):
            raise Skip
        if item in ("1:", ":2") and isinstance(n, Expr):
            raise Skip  # bounds from the front need a known extent
        shape = [*t.shape[:axis], *([] if size is None else [size]), *t.shape[axis + 1 :]]
    prefix = ":, " * axis
    m.emit(f"{x}[{prefix}{item}]", t.dtype, shape, x)


def window(m: Maker) -> None:
    """tf.slice."""
    x = m.ranked()
    t = m.types[x]
    begin, size, shape = [], [], []
    for e in t.shape:
        first = m.draw(2)
        least = min(evaluate(e, sizes) for sizes in m.sizes)
        if first > least:
            first = 0
        begin.append(first)
        whole = m.flag()
        count: Extent = e - first if whole else m.draw(least - first + 1)
        size.append(-1 if whole else count)
        shape.append(count)
    m.emit(f"tf.slice({x}, {begin}, {size})", t.dtype, shape, x)


def pad(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    rows = [[m.draw(3), m.draw(3)] for _ in t.shape]
    shape = [e + a + b for e, (a, b) in zip(t.shape, rows, strict=True)]
    code = f"tf.pad({x}, {rows}, constant_values={m.constant(t.dtype)})"
    m.emit(code, t.dtype, shape, x)


def reverse(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    m.emit(f"tf.reverse({x}, {m.axes(t.rank)})", t.dtype, t.shape, x)


def gather(m: Maker) -> None:
    x = m.ranked()
    t = m.types[x]
    axis = m.draw(t.rank)
    n = t.shape[axis]
    if not m.every(n, bool):
        raise Skip
    least = min(evaluate(n, sizes) for sizes in m.sizes)
    if m.flag():
        places = [m.draw(least) for _ in range(m.draw(4))]
        code, middle = f"tf.constant({places}, tf.int32)", (len(places),)
        uses: tuple[str, ...] = (x,)
    else:
        i = m.pick("i", lambda u: u.dtype.bits >= 32)
        bound = f"tf.constant({least}, tf.{m.types[i].dtype.name})"
        code, middle = f"tf.math.floormod({i}, {bound})", m.types[i].shape  # type: ignore
        uses = (x, i)
    shape = (*t.shape[:axis], *middle, *t.shape[axis + 1 :])
    m.emit(f"tf.gather({x}, {code}, axis={axis})", t.dtype, shape, *uses)


def one_hot(m: Maker) -> None:
    x = m.pick("iu")
    t = m.types[x]
    depth, axis = 1 + m.draw(4), m.draw(t.rank + 1)
    shape = (*t.shape[:axis], depth, *t.shape[axis:])
    dtype = as_dtype(m.choose(DTYPES))
    code = f"tf.one_hot({x}, {depth}, axis={axis}, dtype=tf.{dtype.name})"
    m.emit(code, dtype, shape, x)


def literal_tensor(m: Maker) -> None:
    dtype, shape = as_dtype(m.choose(DTYPES)), m.shape(static=True)
    m.emit(m.constant(dtype, shape), dtype, shape)


def filled(m: Maker) -> None:
    """Tensors whose shape comes from another one."""
    x = m.ranked()
    t = m.types[x]
    dtype = as_dtype(m.choose(DTYPES))
    kind, axis = m.draw(3), m.draw(t.rank)
    if kind == 0:
        m.emit(f"tf.ones_like({x}, tf.{dtype.name})", dtype, t.shape, x)
    elif kind == 1 and dtype.kind in "if" and dtype.bits >= 32:
        code = f"tf.range({m.extent(t.shape[axis])}, dtype=tf.{dtype.name})"
        m.emit(code, dtype, (t.shape[axis],), x)
    else:
        code = f"tf.cast(tf.shape({x})[{axis}], tf.{dtype.name})"
        m.emit(code, dtype, (), x)


def random(m: Maker) -> None:
    dtype = as_dtype(m.choose(("f32", "f64", "f16", "bf16", "i32")))
    m.program.random = True
    x = m.pick()
    shape = m.types[x].shape
    if dtype.is_integer:
        m.emit(f"g.uniform(tf.shape({x}), -5, 90, dtype=tf.int32)", dtype, shape, x)
    else:
        name = m.choose(("uniform", "normal"))
        m.emit(f"g.{name}(tf.shape({x}), dtype=tf.{dtype.name})", dtype, shape, x)


def read(m: Maker) -> None:
    v = m.choose(list(m.program.variables))
    t = m.program.variables[v]
    m.emit(
        f"{v} {m.choose('+*-')} {v}" if t.dtype.is_numeric else f"tf.identity({v})",
        t.dtype,
        t.shape,
    )


def assign(m: Maker) -> None:
    v = m.choose(list(m.program.variables))
    t = m.program.variables[v]
    x = m.pick(fits=lambda u: u == t)
    how = m.choose(("assign", "assign_add", "assign_sub"))
    m.program.steps.append(Step(f"{v}.{how if t.dtype.is_numeric else 'assign'}({x})", uses=(x,)))


RULES: tuple[Callable[[Maker], None], ...] = (
    *(binary, unary, simple, reduction, binary, reduction, cast, select, compare, reshape),
    *(transpose, broadcast, matmul, join, index, window, pad, reverse, gather, row_function),
    *(quotient, power, place, logic, bits, clip, tile, stack, one_hot, literal_tensor, filled),
    *(random, read, read, assign, assign),
)


def execute(source: str) -> Mapping[str, Any]:
    """What the source of a program defines."""
    scope: dict[str, Any] = {}
    exec(compile(source, "<program>", "exec"), scope)
    return scope
