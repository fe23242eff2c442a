"""Which kernels may write a result over an operand. Where it is said that one may, it runs in one
memory here, element by element, and every load must find what nothing has been stored over."""

from __future__ import annotations

from typing import Any

import pytest

from tfc.backends.llvm.in_place import Accesses
from tfc.ir import text
from tfc.ir.core import Function, Value
from tfc.ir.extent import as_int, evaluate
from tfc.ir.kernels.ops import Branch, For, Launch, Load, Parallel, Reduce, Store
from tfc.ir.ops.elementwise import Add, Mul
from tfc.ir.ops.shape import Constant, ExtentOf

KERNEL = """func @f(%x0: f32[m,n], %y0: f32[m,n], %r0: i64[m], %p0: bool[n]) -> f32[m,n] {
  %t = launch [%x0, %y0, %r0, %p0] {types = (f32[m,n],)} kernel = (%x: *f32[m,n], \
%y: *f32[m,n], %r: *i64[m], %p: *bool[n], %out: *f32[m,n]) {
    %0 = constant {value = i64 0} : i64
    %1 = constant {value = i64 1} : i64
    %2 = constant {value = i64 2} : i64
    %n = extent_of {value = n} : i64
    %m = extent_of {value = m} : i64
    %all = extent_of {value = m*n} : i64
    %c = constant {value = f32 1.0} : f32
    %yes = constant {value = bool True} : bool
    LINES
    return
  } : f32[m,n]
  return %t
}"""
SIZES = {"m": 3, "n": 4}


def loop(name: str, high: str, *lines: str, low: str = "%0") -> str:
    return (
        f"for {low}, {high}, [] {{step = 1, kind = 'serial'}} body = (%{name}: i64) {{\n"
        + "\n".join([*lines, "return", "}"])
    )


def parallel(name: str, count: str, *lines: str) -> str:
    return f"parallel {count}, %1 body = (%{name}: i64) {{\n" + "\n".join([*lines, "return", "}"])


def total(result: str, name: str, count: str, *lines: str) -> str:
    """The sum of what the last line gives."""
    last = lines[-1].partition(" =")[0]
    return (
        f"{result} = reduce {count} {{combine = 'add', kind = 'serial'}} body = (%{name}: i64) {{\n"
        + "\n".join([*lines, f"return {last}", "} : f32"])
    )


def repeat(name: str, *lines: str) -> str:
    return (
        f"%{name}2 = repeat [%0] condition = (%{name}0: i64) {{\n"
        f"%{name}1 = less %{name}0, %all : bool\n"
        f"return %{name}1\n}} body = (%{name}: i64) {{\n"
        + "\n".join([*lines, f"%{name}3 = add %{name}, %1 : i64", f"return %{name}3", "} : i64"])
    )


def branch(then: list[str], orelse: list[str]) -> str:
    lines = ["branch %yes then = () {", *then, "return", "} orelse = () {", *orelse, "return", "}"]
    return "\n".join(lines)


def load(result: str, offset: str, buffer: str = "%x") -> str:
    return f"{result} = load {buffer}, {offset}, none : f32"


def store(offset: str, value: str = "%a", buffer: str = "%out") -> str:
    return f"store {buffer}, {offset}, {value}"


def place(result: str, row: str, column: str, length: str = "%n") -> list[str]:
    return [f"{result}1 = mul {row}, {length} : i64", f"{result} = add {result}1, {column} : i64"]


def rows(
    load_row: list[str],
    store_row: list[str],
    high: str = "%n",
    length: str = "%n",
    low: str = "%0",
    read: str = "%i",
    write: str = "%i",
) -> str:
    """In each row all is loaded, and then stored: of the rows whose numbers these lines compute."""
    return parallel(
        "i",
        "%m",
        *load_row,
        total("%s", "k", high, *place("%o", read, "%k", length), load("%a", "%o")),
        *store_row,
        loop("l", high, *place("%q", write, "%l", length), store("%q", "%s"), low=low),
    )


SAME = [load("%a", "%i"), store("%i")]
NEXT = ["%j = add %i, %1 : i64"]
MANY = "%a, %b = load_many BUFFER, %0 {count = 2} : f32, f32"
GRID = "grid [%0], [%all] {steps = (1,), team = 1} body = (%i: i64) {\n"
# What a kernel does, whether it may write its result over its first operand, and over both at once.
CASES: dict[str, tuple[list[str], bool, bool]] = {
    "each element": ([loop("i", "%all", *SAME)], True, True),
    "each element of both": (
        [loop("i", "%all", load("%b", "%i", "%y"), *SAME)],
        True,
        True,
    ),
    "another element of the other": (
        [loop("i", "%n", *NEXT, load("%b", "%j", "%y"), *SAME)],
        True,
        False,
    ),
    "stored first": ([loop("i", "%all", store("%i", "%c"), load("%a", "%i"))], False, False),
    "another element": ([loop("i", "%n", *NEXT, load("%a", "%j"), store("%i"))], False, False),
    "a place that is computed twice": (
        [loop("i", "%n", *NEXT, "%k = add %i, %1 : i64", load("%a", "%j"), store("%k"))],
        False,
        False,
    ),
    "a load of others beside": (
        [loop("i", "%n", *NEXT, load("%b", "%j"), *SAME)],
        False,
        False,
    ),
    "loaded twice": ([loop("i", "%all", load("%b", "%i"), *SAME)], True, True),
    "all is loaded first": (
        [total("%s", "k", "%all", load("%a", "%k")), loop("i", "%all", store("%i", "%s"))],
        True,
        True,
    ),
    "all is loaded last": (
        [loop("i", "%all", store("%i", "%c")), total("%s", "k", "%all", load("%a", "%k"))],
        False,
        False,
    ),
    "all is loaded in between": (
        [
            loop("i", "%n", store("%i", "%c")),
            total("%s", "k", "%all", load("%a", "%k")),
            loop("j", "%all", store("%j", "%s"), low="%n"),
        ],
        False,
        False,
    ),
    "all is loaded in each round": (
        [parallel("i", "%all", total("%s", "k", "%all", load("%a", "%k")), store("%i", "%s"))],
        False,
        False,
    ),
    "rows": ([rows([], [])], True, True),
    "rows that are computed alike": (
        [rows(["%u = add %i, %0 : i64"], ["%v = add %i, %0 : i64"], read="%u", write="%v")],
        True,
        True,
    ),
    "rows of other numbers": (
        [rows(["%u = add %i, %0 : i64"], ["%v = add %i, %1 : i64"], read="%u", write="%v")],
        False,
        False,
    ),
    "rows that are computed otherwise": (
        [rows(["%u = add %i, %1 : i64"], ["%v = mul %i, %1 : i64"], read="%u", write="%v")],
        False,
        False,
    ),
    "the first row": ([rows([], [], read="%0")], False, False),
    "rows that memory tells": (
        [
            rows(
                ["%u = load %r, %i, none : i64"],
                ["%v = load %r, %i, none : i64"],
                read="%u",
                write="%v",
            )
        ],
        True,
        True,
    ),
    "rows that memory tells again": (
        [
            rows(
                ["%u = reload %r, %i, none : i64"],
                ["%v = reload %r, %i, none : i64"],
                read="%u",
                write="%v",
            )
        ],
        False,
        False,
    ),
    "more than a row": ([rows([], [], high="%m")], False, False),
    "rows of another length": ([rows([], [], length="%m")], False, False),
    "not from the first element on": ([rows([], [], low="%1")], False, False),
    "not from the first element that is loaded on": (
        [
            parallel(
                "i",
                "%m",
                loop("k", "%n", *place("%o", "%i", "%k"), load("%a", "%o"), low="%1"),
                loop("l", "%n", *place("%q", "%i", "%l"), store("%q", "%c")),
            )
        ],
        False,
        False,
    ),
    "a loop of loads": (
        [
            parallel(
                "i",
                "%m",
                loop("k", "%n", *place("%o", "%i", "%k"), load("%a", "%o")),
                loop("l", "%n", *place("%q", "%i", "%l"), store("%q", "%c")),
            )
        ],
        True,
        True,
    ),
    "rows, stored first": (
        [
            parallel(
                "i",
                "%m",
                loop("l", "%n", *place("%q", "%i", "%l"), store("%q", "%c")),
                total("%s", "k", "%n", *place("%o", "%i", "%k"), load("%a", "%o")),
            )
        ],
        False,
        False,
    ),
    "all rows before each": (
        [
            parallel(
                "i",
                "%m",
                loop(
                    "j",
                    "%m",
                    total("%s", "k", "%n", *place("%o", "%j", "%k"), load("%a", "%o")),
                ),
                loop("l", "%n", *place("%q", "%i", "%l"), store("%q", "%c")),
            )
        ],
        False,
        False,
    ),
    "columns": (
        [
            loop(
                "i",
                "%n",
                total("%s", "k", "%1", *place("%o", "%2", "%i"), load("%a", "%o")),
                loop("l", "%1", *place("%q", "%2", "%i"), store("%q", "%s")),
            )
        ],
        False,
        False,
    ),
    "rows that begin later": (
        [
            parallel(
                "i",
                "%m",
                total("%s", "k", "%n", *place("%o", "%i", "%k"), load("%a", "%o")),
                loop(
                    "l",
                    "%n",
                    *place("%q2", "%i", "%l"),
                    "%q = add %q2, %1 : i64",
                    store("%q", "%s"),
                ),
            )
        ],
        False,
        False,
    ),
    "a hint": (
        [loop("i", "%all", "prefetch %x, %i {purpose = 'load'}", *SAME)],
        True,
        True,
    ),
    "several at once": (
        [MANY.replace("BUFFER", "%x"), "store_many %out, %0, [%a, %b]"],
        False,
        False,
    ),
    "several of the result at once": (
        [loop("i", "%all", *SAME), MANY.replace("BUFFER", "%out").replace("%a", "%a1")],
        False,
        False,
    ),
    "the result is read": (
        [loop("i", "%all", "%b = reload %out, %i, none : f32", *SAME)],
        False,
        False,
    ),
    "the operand is changed": (
        [loop("i", "%all", store("%i", "%c", "%x"), store("%i", "%c"))],
        False,
        False,
    ),
    "the operand is changed and read": (
        [loop("i", "%all", *SAME, store("%i", "%c", "%x"))],
        False,
        False,
    ),
    "threads": ([GRID + "\n".join([*SAME, "return\n}"])], False, False),
    "again and again": ([repeat("i", *SAME)], False, False),
    "loops, again and again": ([repeat("j", loop("i", "%all", *SAME))], False, False),
    "in one branch": ([loop("i", "%all", branch(SAME, []))], True, True),
    "in both": (
        [loop("i", "%all", branch(SAME, [line.replace("%a", "%d") for line in SAME]))],
        True,
        True,
    ),
    "loaded in one branch, stored in the other": (
        [loop("i", "%all", branch(SAME[:1], [store("%i", "%c")]))],
        False,
        False,
    ),
    "nothing is loaded": ([loop("i", "%all", store("%i", "%c"))], True, True),
    "nothing is stored": ([loop("i", "%all", load("%a", "%i"))], True, True),
}


class Memory:
    """A kernel that runs with operands and result in one memory, as far as its indices go."""

    def __init__(self, shared: set[Value]) -> None:
        self.shared, self.stored, self.env = shared, set[int](), dict[Value, Any]()
        self.sound = True

    def run(self, region: Function, *given: int) -> None:
        self.env.update(zip(region.params, given, strict=False))
        for op in region.body:
            match op:
                case Constant(value=value):
                    self.env[op.result] = value.item()
                case ExtentOf(value=value):
                    self.env[op.result] = as_int(evaluate(value, SIZES))
                case Add(x=x, y=y) if x in self.env and y in self.env:
                    self.env[op.result] = self.env[x] + self.env[y]
                case Mul(x=x, y=y) if x in self.env and y in self.env:
                    self.env[op.result] = self.env[x] * self.env[y]
                case Load(buffer=buffer, offset=offset) if buffer.dtype.is_integer:
                    self.env[op.result] = self.env[offset]  # rows in their order
                case Load(buffer=buffer, offset=offset):
                    self.sound &= buffer not in self.shared or self.env[offset] not in self.stored
                case Store(buffer=buffer, offset=offset):
                    if buffer in self.shared:
                        self.stored.add(self.env[offset])
                case For(low=low, high=high, body=body):
                    for i in range(self.env[low], self.env[high]):
                        self.run(body, i)
                case Parallel(count=count, body=body) | Reduce(count=count, body=body):
                    for i in range(self.env[count]):
                        self.run(body, i)
                case Branch(then=then):
                    self.run(then)


def kernel_of(lines: list[str]) -> Function:
    f = text.parse(KERNEL.replace("LINES", "\n".join(lines)))
    (launch,) = f.body
    assert isinstance(launch, Launch)
    return launch.kernel


@pytest.mark.parametrize("name", CASES)
def test_what_may_be_written_over(name: str) -> None:
    lines, first, both = CASES[name]
    kernel = kernel_of(lines)
    accesses = Accesses(kernel)
    x, y, *_, out = kernel.params
    assert accesses.in_place([x], out) is first
    assert accesses.in_place([x, y], out) is both
    for sources, may in (({x}, first), ({x, y}, both)):
        memory = Memory({*sources, out})
        if may:
            memory.run(kernel)
            assert memory.sound
