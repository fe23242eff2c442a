"""Functions of launches as text LLVM IR: calls of kernels and of the host, branches and loops.

    define i32 @name(ptr %buffers, ptr %symbols, ptr %arena, ptr %error)

`buffers` points to the data of inputs and then results, `symbols` to the values of the symbols,
`arena` to scratch memory for what lives only inside. It returns 0, or the number of the check
that failed, having written the values that belong to it to `error`. The regions of control flow
are functions of the same kind, called with tables of buffers of their own; loops change which
buffer stands where instead of copying what they carry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tfc.ir.core import Op, Requirement, Value
from tfc.ir.extent import Atom, Extent, symbols
from tfc.ir.failures import Site
from tfc.ir.kernels.ops import HostLaunch, Launch, Update
from tfc.ir.kernels.plan.costs import bytes_of, cost
from tfc.ir.ops.control import Cond, Control, Scan, While
from tfc.ir.ops.extents import BindExtent
from tfc.ir.ops.growing import GrowingWhile

from ..calling_convention import BAD_EXTENT, INTERRUPTED, OUT_OF_MEMORY
from ..host_calls import DONE, host_symbols
from ..llvm.arena_layout import Layout, Place
from ..llvm.registers import extent_code
from .entry import ONCE, PARAMS
from .launch_control import cond, scan, while_loop
from .launch_growing import GrowingLoop
from .patience import patience

if TYPE_CHECKING:
    from .module import ModuleWriter

ROUNDS_MAX = 64  # between two looks at the clock: of launches, which may take long
_MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"


class FunctionWriter:
    """Writes one function of launches."""

    def __init__(self, module: ModuleWriter, name: str, layout: Layout) -> None:
        self.module = module
        self.name = name
        self.layout = layout
        self.lines: list[str] = []
        self.count = 0
        self.block = "entry"
        self.loaded: dict[str, str] = {}  # symbols, and the registers with their values
        self.made: dict[Atom, str] = {}  # parts of offsets, likewise
        self.pointers: dict[Value, str] = {}
        self.heap: list[str] = []  # allocated so far
        self.owned: list[str] = []  # and handed over in the end
        self.tables: list[tuple[str, int]] = []  # of what loops around this place have allocated
        self.doing: Op | None = None  # the op that is written
        self.native = name  # the native function that does it

    # Emission helpers.

    def emit(self, code: str) -> str:
        """Append an instruction with a result; the register that holds it."""
        self.count += 1
        self.lines.append(f"  %v{self.count} = {code}")
        return f"%v{self.count}"

    def do(self, code: str) -> None:
        """Append an instruction without a result."""
        self.lines.append(f"  {code}")

    def fresh(self, hint: str) -> str:
        """A name that nothing has yet."""
        self.count += 1
        return f"{hint}{self.count}"

    def label(self, name: str) -> None:
        """Begin the block `name`."""
        self.lines.append(f"{name}:")
        self.block = name

    def load(self, symbol: str) -> str:
        """The value of a symbol."""
        if symbol not in self.loaded:
            at = self.module.table.index(symbol)
            pointer = self.emit(f"getelementptr i64, ptr %symbols, i64 {at}")
            self.loaded[symbol] = self.emit(f"load i64, ptr {pointer}")
        return self.loaded[symbol]

    def extent(self, extent: Extent) -> str:
        """A number, or the register that an extent was computed into."""
        return extent_code(extent, self.emit, self.load)

    # The function.

    def text(self) -> str:
        """The text of the function; what it calls goes to the module. A program that is one kernel
        has no text: that kernel takes its place."""
        f = self.layout.f
        places = self._places()
        if places is not None:
            launch = f.body[0]
            assert isinstance(launch, Launch)
            may_end, seldom = launch not in self.module.final, launch in self.module.once
            self.native = self.module.kernel(launch.kernel, may_end, seldom, places)
            return ""
        pending = (
            list(f.notes.get("requires", ()))
            if self.name != "program"
            else [(r, site) for r, site in f.notes.get("requires", ()) if self._late(r)]
        )
        for symbol in sorted(self.layout.local):
            self.load(symbol)
        pending = self.require(pending)
        for op in f.body:
            self.doing = op
            match op:
                case Launch():
                    self.allocate(op.results)
                    self.launch(op)
                case HostLaunch():
                    self.allocate(op.results)
                    self.host_launch(op)
                case BindExtent():
                    self.bind(op)
                    pending = self.require(pending)
                case Control():
                    self.allocate(op.results)
                    self.control(op)
                    pending = self.require(pending) if op.binds() else pending
        for i, base in self.layout.copies:
            slot = self.slot(len(f.params) + i)
            self.copy(self.emit(f"load ptr, ptr {slot}"), self.pointer(base), base)
        self.hand_over()
        self.free()
        once = "" if any(isinstance(op, While | Scan) for op in f.body) else f" {ONCE}"
        if self.name != "program":
            once = ""
        body = "\n".join(self.lines)
        head = f"define internal i32 @{self.name}{PARAMS} nounwind{once}"
        return f"{head} {{\nentry:\n{body}\n  ret i32 0\n}}\n"

    def _places(self) -> list[Place] | None:
        """Where the buffers of the one kernel are that the function consists of; None where there
        is more to do."""
        layout, module = self.layout, self.module
        if self.name != "program" or module.profile or len(layout.f.body) != 1 or layout.copies:
            return None
        op = layout.f.body[0]
        if not isinstance(op, Launch) or isinstance(op, Update) or layout.local or layout.late:
            return None
        places: list[Place] = [layout.where[layout.base(v)] for v in (*op.inputs, *op.results)]
        for kind, where in places:
            if kind != "buffer" and not (kind == "arena" and isinstance(where, int)):
                return None
        return places

    def _late(self, requirement: Requirement) -> bool:
        return not self.layout.late.isdisjoint(symbols(requirement.extent))

    def require(self, pending: list[tuple[Requirement, int]]) -> list[tuple[Requirement, int]]:
        """Check what must hold of extents, as far as they have values; what is left."""
        rest = []
        unknown = self.layout.late - set(self.loaded)
        for requirement, site in pending:
            if not unknown.isdisjoint(symbols(requirement.extent)):
                rest.append((requirement, site))
                continue
            low = self.emit(f"icmp slt i64 {self.extent(requirement.extent)}, 0")
            self.leave(low, str(site), requirement.values)
        return rest

    def leave(self, failed: str, status: str, values: Sequence[Extent | str] = ()) -> None:
        """Return `status` where the i1 `failed` holds, with the values for the error."""
        fail, good = self.fresh("fail"), self.fresh("good")
        self.do(f"br i1 {failed}, label %{fail}, label %{good}")
        self.label(fail)
        for i, value in enumerate(values):
            number = value if isinstance(value, str) else self.extent(value)
            at = self.emit(f"getelementptr i64, ptr %error, i64 {i}")
            self.do(f"store i64 {number}, ptr {at}")
        self.free(failed=True)
        self.do(f"ret i32 {status}")
        self.label(good)

    def leave_with(self, status: str) -> None:
        """Return `status` where it is not 0."""
        self.leave(self.emit(f"icmp ne i32 {status}, 0"), status)

    # Memory.

    def slot(self, index: int) -> str:
        """Where the table of buffers holds the pointer of this number."""
        return self.emit(f"getelementptr ptr, ptr %buffers, i64 {index}")

    def place(self, place: Place) -> str:
        """A pointer to a place; memory on the heap is allocated here."""
        kind, where = place
        if kind == "buffer":
            return self.emit(f"load ptr, ptr {self.slot(where)}")
        if kind == "arena":
            offset = extent_code(where, self.emit, self.load, self.made)
            return self.emit(f"getelementptr i8, ptr %arena, i64 {offset}")
        pointer = self.allocated(where)
        self.heap.append(pointer)
        return pointer

    def allocated(self, size: Extent) -> str:
        """Memory from the heap."""
        return self.obtain(self.extent(size))

    def obtain(self, size: str) -> str:
        """Memory of this size; leaves where there is none."""
        self.module.declared.add("declare ptr @tfc_block_alloc(i64)")
        pointer = self.emit(f"call ptr @tfc_block_alloc(i64 {size})")
        failed = self.emit(f"icmp eq ptr {pointer}, null")
        sites = self.layout.f.notes.get("sites")
        if sites is None or self.doing is None:
            self.leave(failed, str(OUT_OF_MEMORY))
        else:
            sites.append(Site("memory", "", self.doing.location))
            self.leave(failed, str(len(sites)), (size,))
        return pointer

    def drop(self, pointer: str) -> None:
        """Give back memory, if there is any."""
        self.module.declared.add("declare void @tfc_block_free(ptr)")
        self.do(f"call void @tfc_block_free(ptr {pointer})")

    def own(self, v: Value, pointer: str) -> None:
        """Let the memory of `v`, which its op has allocated, be freed or handed over in the end."""
        handed = self.layout.base(v) in self.layout.handed.values()
        (self.owned if handed else self.heap).append(pointer)
        self.pointers[self.layout.base(v)] = pointer

    def hand_over(self) -> None:
        """Tell where the results are that the function has allocated, and extents of theirs."""
        first = len(self.layout.f.params)
        for i, v in self.layout.copied.items():
            pointer = self.allocated(bytes_of(v))
            self.owned.append(pointer)
            self.copy(pointer, self.pointer(v), v)
            self.put("%buffers", first + i, pointer)
        for i, v in self.layout.handed.items():
            self.put("%buffers", first + i, self.pointer(v))
        for k, extent in enumerate(self.layout.extents, first + len(self.layout.f.returns)):
            self.put("%buffers", k, self.extent(extent), "i64")

    def free(self, failed: bool = False) -> None:
        """Free what was allocated; where it failed, what would have been handed over, too."""
        for pointer in (*self.heap, *(self.owned if failed else ())):
            self.drop(pointer)
        for table, count in self.tables if failed else ():
            for k in range(count):
                at = self.emit(f"getelementptr i64, ptr {table}, i64 {k}")
                self.drop(self.emit(f"load ptr, ptr {at}"))

    def allocate(self, values: Sequence[Value]) -> None:
        """Have memory for results, but for those whose op allocates it."""
        for v in values:
            if self.layout.where[self.layout.base(v)][0] != "made":
                self.pointer(v)

    def pointer(self, v: Value) -> str:
        """The register that points to a value; memory on the heap is allocated at first use."""
        base = self.layout.base(v)
        if base not in self.pointers:
            place = self.layout.where[base]
            self.pointers[base] = self.place(place)
            if place[0] == "heap" and base in self.layout.handed.values():
                self.owned.append(self.heap.pop())
        return self.pointers[base]

    def copy(self, to: str, source: str, v: Value) -> None:
        """Copy as many bytes as `v` has."""
        self.copy_bytes(to, source, self.extent(bytes_of(v)))

    def copy_bytes(self, to: str, source: str, size: str) -> None:
        self.module.declared.add(_MEMCPY)
        call = f"ptr {to}, ptr {source}, i64 {size}, i1 false"
        self.do(f"call void @llvm.memcpy.p0.p0.i64({call})")

    def start(self, to: Value, source: Value) -> None:
        """Let a value begin as another, which may be in the same place."""
        if self.layout.base(to) is not self.layout.base(source):
            self.move(self.pointer(to), self.pointer(source), to)

    def move(self, to: str, source: str, v: Value) -> None:
        """Copy `v` unless it is there: what is donated to a result is in its place."""
        size = self.extent(bytes_of(v))
        same = self.emit(f"icmp eq ptr {source}, {to}")
        move, there = self.fresh("move"), self.fresh("there")
        self.do(f"br i1 {same}, label %{there}, label %{move}")
        self.label(move)
        self.copy_bytes(to, source, size)
        self.do(f"br label %{there}")
        self.label(there)

    # Loops that may run for long: see runtime/patience.c.

    def patient(self) -> str:
        """Before a loop: what it needs to look up now and then whether it is to end."""
        pointer = "%" + self.fresh("patience")
        self.lines += patience(pointer)
        return pointer

    def look_up(self, pointer: str) -> None:
        """Count a round of the loop, and look where none is left; leave where it is to end."""
        self.module.declared.add("declare i32 @tfc_look_up(ptr, i32)")
        look, after = self.fresh("look"), self.fresh("after")
        less = self.emit(f"sub i32 {self.emit(f'load i32, ptr {pointer}.3')}, 1")
        self.do(f"store i32 {less}, ptr {pointer}.3")
        none = self.emit(f"icmp eq i32 {less}, 0")
        self.do(f"br i1 {none}, label %{look}, label %{after}")
        self.label(look)
        more = self.emit(f"call i32 @tfc_look_up(ptr {pointer}, i32 {ROUNDS_MAX})")
        self.leave(self.emit(f"icmp eq i32 {more}, 0"), str(INTERRUPTED))
        self.do(f"br label %{after}")
        self.label(after)

    def table(self, entries: Sequence[tuple[str, str]]) -> str:
        """An array on the stack of pointers or integers, given as (type, value)."""
        array = self.emit(f"alloca i64, i64 {max(len(entries), 1)}")
        for i, (kind, value) in enumerate(entries):
            if value:
                self.put(array, i, value, kind)
        return array

    def put(self, array: str, i: int, value: str, kind: str = "ptr") -> None:
        """Store into a `table`."""
        at = self.emit(f"getelementptr i64, ptr {array}, i64 {i}") if i else array
        self.do(f"store {kind} {value}, ptr {at}")

    # Ops.

    @contextmanager
    def timed(self, op: Launch | HostLaunch) -> Iterator[None]:
        """Note how long what is written inside takes, if that is wanted."""
        if not self.module.profile:
            yield
            return
        kernel = cost(op)
        number = len(self.module.costs)
        self.module.costs.append(kernel)
        start = self.emit("call i64 @tfc_now()")
        yield
        size, work = self.extent(kernel.bytes), self.extent(kernel.operations)
        self.do(f"call void @tfc_note(i64 {number}, i64 {start}, i64 {size}, i64 {work})")

    def launch(self, op: Launch) -> None:
        """Call a kernel, and leave where one of its checks fails."""
        name = self.module.kernel(op.kernel, op not in self.module.final, op in self.module.once)
        with self.timed(op):
            if isinstance(op, Update):
                for to, source in zip(op.results[: op.count], op.inputs, strict=False):
                    self.start(to, source)
            arguments = [f"ptr {self.pointer(v)}" for v in (*op.inputs, *op.results)]
            call = ", ".join([*arguments, "ptr %symbols", "ptr %error"])
            status = self.emit(f"call i32 @{name}({call})")
        if self.module.checks[name]:
            self.leave_with(status)

    def host_launch(self, op: HostLaunch) -> None:
        """Hand text, buffers and sizes to @tfc_host (see backends/host_calls.py)."""
        self.module.declared.add("declare i32 @tfc_host(ptr, ptr, ptr)")
        text = self.module.constant(str(op.call))
        buffers = self.table([("ptr", self.pointer(v)) for v in (*op.inputs, *op.results)])
        sizes = self.table([("i64", self.load(s)) for s in host_symbols(op.call)])
        with self.timed(op):
            done = self.emit(f"call i32 @tfc_host(ptr {text}, ptr {buffers}, ptr {sizes})")
        self.leave(self.emit(f"icmp ne i32 {done}, {DONE}"), str(op.site))

    def bind(self, op: BindExtent) -> None:
        """Let a symbol have the value that the program has computed; leave where it is negative."""
        name = str(op.symbol)
        value = self.emit(f"load i64, ptr {self.pointer(op.value)}")
        negative = self.emit(f"icmp slt i64 {value}, 0")
        site = self.layout.f.notes.get("bound", {}).get(name)
        if site is None:  # parsed text
            self.leave(negative, str(BAD_EXTENT), ("0", "0", value))
        else:
            self.leave(negative, str(site), (value,))
        self.set_symbol(name, value)

    def set_symbol(self, name: str, value: str) -> None:
        """Let a symbol have a value from here on."""
        self.store_symbol(name, value)
        self.made.clear()
        self.loaded[name] = value

    def store_symbol(self, name: str, value: str) -> None:
        """Store a symbol's value where regions and kernels load it."""
        at = self.module.table.index(name)
        pointer = self.emit(f"getelementptr i64, ptr %symbols, i64 {at}")
        self.do(f"store i64 {value}, ptr {pointer}")

    def symbol(self, name: str) -> str:
        """The value that a symbol has now."""
        self.made.clear()
        self.loaded.pop(name, None)
        return self.load(name)

    def larger(self, x: str, y: str) -> str:
        """The larger of two unsigned numbers."""
        above = self.emit(f"icmp ugt i64 {x}, {y}")
        return self.emit(f"select i1 {above}, i64 {x}, i64 {y}")

    # Control flow.

    def control(self, op: Control) -> None:
        """Write the regions as functions of their own, and what calls them."""
        names = []
        for region, layout in zip(op.regions, self.layout.regions[op], strict=True):
            names.append(f"r{len(self.module.code)}")
            self.module.code.append("")  # what a region calls stands behind this place
            place = len(self.module.code) - 1
            self.module.code[place] = self.module.function_writer(names[-1], layout).text()
            assert layout.f is region
        scratch = [self.place(place) for place in self.layout.scratch[op]]
        for v in op.operands:
            self.pointer(v)
        for layout in (self.layout, *self.layout.regions[op]):
            for s in sorted(s for place in layout.where.values() for s in symbols(place[1])):
                if s in self.module.table and s not in layout.late - set(self.loaded):
                    self.load(s)  # before any branch
        match op:
            case Cond():
                cond(self, op, names, scratch)
            case GrowingWhile():
                GrowingLoop(self, op, names, scratch).write()
            case While():
                while_loop(self, op, names, scratch)
            case Scan():
                scan(self, op, names, scratch)

    def call(self, name: str, buffers: str, arena: str) -> None:
        """Call a region; leave where it fails."""
        arguments = f"ptr {buffers}, ptr %symbols, ptr {arena}, ptr %error"
        self.leave_with(self.emit(f"call i32 @{name}({arguments})"))
