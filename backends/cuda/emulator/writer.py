"""Writing LLVM IR as text: values, blocks, loops and memory fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from .layout import LAUNCH, THREAD, Layout


class Variable:
    """A variable of generated code: memory that LLVM turns into registers."""

    def __init__(self, writer: Writer, kind: str, address: str) -> None:
        self.writer, self.kind, self.address = writer, kind, address

    def get(self) -> str:
        return self.writer.value(f"load {self.kind}, ptr {self.address}")

    def set(self, value: str) -> None:
        self.writer.line(f"store {self.kind} {value}, ptr {self.address}")


class Writer:
    """The text of one function. Names are numbered; `head` is what stands in its entry block."""

    def __init__(self) -> None:
        self.head: list[str] = []
        self.lines: list[str] = []
        self.count = 0
        self.declarations: dict[str, str] = {}
        self.block = "entry"

    def fresh(self, stem: str = "v") -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def value(self, text: str) -> str:
        name = "%" + self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")
        self.block = name

    def jump(self, label: str) -> None:
        self.line(f"br label %{label}")

    def branch(self, condition: str, yes: str, no: str, weights: str = "") -> None:
        self.line(f"br i1 {condition}, label %{yes}, label %{no}{weights}")

    def variable(self, kind: str, first: str | None = None) -> Variable:
        name = "%" + self.fresh("variable")
        self.head.append(f"  {name} = alloca {kind}")
        result = Variable(self, kind, name)
        if first is not None:
            result.set(first)
        return result

    def array(self, kind: str, count: int) -> str:
        name = "%" + self.fresh("array")
        self.head.append(f"  {name} = alloca [{count} x {kind}], align 16")
        return name

    def declare(self, name: str, signature: str) -> str:
        """Declare a function once: `signature` has `@` where its name belongs."""
        self.declarations[name] = "declare " + signature.replace("@", f"@{name}", 1)
        return f"@{name}"

    def intrinsic(self, name: str, kind: str, *values: str) -> str:
        """A call of an LLVM intrinsic whose operands and result are all of type `kind`."""
        self.declare(name, f"{kind} @({', '.join([kind] * len(values))})")
        return self.value(f"call {kind} @{name}({', '.join(f'{kind} {v}' for v in values)})")

    @contextmanager
    def loop(self, count: str, first: str = "0", kind: str = "i32") -> Iterator[str]:
        """for (i = first; i < count; i++)"""
        place = self.variable(kind, first)
        head, body, end = self.fresh("loop"), self.fresh("body"), self.fresh("end")
        self.jump(head)
        self.label(head)
        i = place.get()
        self.branch(self.value(f"icmp slt {kind} {i}, {count}"), body, end)
        self.label(body)
        yield i
        place.set(self.value(f"add {kind} {i}, 1"))
        self.jump(head)
        self.label(end)

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        yes, end = self.fresh("when"), self.fresh("end")
        self.branch(condition, yes, end)
        self.label(yes)
        yield
        self.jump(end)
        self.label(end)

    def leave(self, text: str) -> None:
        """Return; what is written behind is a block that nothing reaches."""
        self.line(text)
        self.label(self.fresh("after"))

    def offset(self, pointer: str, offset: int | str) -> str:
        return self.value(f"getelementptr i8, ptr {pointer}, i64 {offset}")

    def element(self, kind: str, pointer: str, index: str, index_kind: str = "i32") -> str:
        return self.value(f"getelementptr {kind}, ptr {pointer}, {index_kind} {index}")

    def field(self, layout: Layout, pointer: str, name: str) -> str:
        return self.offset(pointer, layout.offsets[name])

    def get_field(self, layout: Layout, pointer: str, name: str) -> str:
        return self.value(f"load {layout.types[name]}, ptr {self.field(layout, pointer, name)}")

    def set_field(self, layout: Layout, pointer: str, name: str, value: str | int) -> None:
        self.line(f"store {layout.types[name]} {value}, ptr {self.field(layout, pointer, name)}")

    def thread(self, pointer: str, name: str) -> str:
        return self.get_field(THREAD, pointer, name)

    def launch(self, name: str) -> str:
        return self.get_field(LAUNCH, "%launch", name)

    def add(self, place: str, value: str) -> None:
        """Add to the i32 in memory at `place`."""
        total = self.value(f"add i32 {self.value(f'load i32, ptr {place}')}, {value}")
        self.line(f"store i32 {total}, ptr {place}")

    def fault(self, code: int, line: str | int, thread: str, address: str | int = 0) -> None:
        """Note a fault: the index of the thread, and an address."""
        self.set_field(LAUNCH, "%launch", "fault", int(code))
        self.set_field(LAUNCH, "%launch", "fault_line", line)
        self.set_field(LAUNCH, "%launch", "fault_thread", thread)
        self.set_field(LAUNCH, "%launch", "fault_address", address)

    def function(self, signature: str) -> str:
        """The text of the function, without its declarations."""
        return "\n".join([f"define {signature} {{", "entry:", *self.head, *self.lines, "}", ""])


def join(parts: Iterable[str]) -> str:
    """One module of several texts: declarations that repeat are kept once."""
    bodies: list[str] = []
    declarations: dict[str, None] = {}
    for part in parts:
        lines = part.splitlines()
        declarations |= {line: None for line in lines if line.startswith("declare")}
        bodies.append("\n".join(line for line in lines if not line.startswith("declare")))
    return "\n".join([*bodies, *declarations])
