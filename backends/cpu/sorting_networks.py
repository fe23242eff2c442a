"""Sorting in registers: tiles by sorting networks, and sorted runs by merging.

All of it is a bitonic sort (K. E. Batcher, "Sorting networks and their applications", 1968), which
compares elements whose places differ in one bit. What a bit of the place is, is free: one of the
number of the register, or one of that of the lane. Comparing along a bit of the register's number
is a minimum and a maximum of two registers. So a lane's bit that is to be compared along changes
places with a register's first, by shuffles of pairs of registers (`Network.swap`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tfc.ir.core import Value
from tfc.ir.dtypes import DType
from tfc.ir.kernels.ops import MergeRuns, SortTile

from ..llvm.registers import Emitter, vector_type
from .vector_loops import VectorLoopWriter

NETWORK_REGISTERS = 4  # registers that are sorted without memory
PREFETCH_LINE_BYTES = 64  # bytes of memory that are fetched together
PREFETCH_BYTES = 512  # bytes of a run that are asked for before they are read
SHUFFLED_BYTES = 16  # bytes within which, or in units of which, shuffles are one instruction
MERGED_REGISTERS = 2  # registers of each run that one step of merging takes


class Network:
    """Registers of signed integers, and which bits of their elements' places are where.

    `bits[i]` is the bit of the place that is bit i of where an element is: first those of the
    lane's number, then those of the register's.
    """

    def __init__(self, writer: Emitter, dtype: DType, registers: list[str], lanes: int) -> None:
        self.writer = writer
        self.dtype = dtype
        self.registers = registers
        self.lanes = lanes
        self.kind = vector_type(dtype, lanes)
        self.lane_bits = lanes.bit_length() - 1
        self.bits = list(range(self.lane_bits + len(registers).bit_length() - 1))

    def places(self) -> list[int]:
        """The places of all elements, from the first register's first lane on."""
        found = [0]
        for bit in self.bits:  # each next bit of where an element is doubles what is there
            found += [place + (1 << bit) for place in found]
        return found

    def exchange(self, i: int, j: int) -> None:
        """The smaller of each two elements to register i, the larger to j."""
        x, y = self.registers[i], self.registers[j]
        self.registers[i] = self.extreme("smin", x, y)
        self.registers[j] = self.extreme("smax", x, y)

    def extreme(self, name: str, x: str, y: str) -> str:
        full = f"llvm.{name}.v{self.lanes}i{self.dtype.bits}"
        self.writer.declared.add(f"declare {self.kind} @{full}({self.kind}, {self.kind})")
        return self.writer.emit(f"call {self.kind} @{full}({self.kind} {x}, {self.kind} {y})")

    def shuffle(self, x: str, y: str, picks: Sequence[int]) -> str:
        """Lanes of x (from 0) and of y (from `lanes` on)."""
        mask = ", ".join([f"i32 {p}" for p in picks])
        return self.writer.emit(
            f"shufflevector {self.kind} {x}, {self.kind} {y}, <{self.lanes} x i32> <{mask}>"
        )

    def pairs(self, bit: int) -> list[tuple[int, int]]:
        """The registers whose numbers differ in a bit (counted with the lane's) alone."""
        step = 1 << (bit - self.lane_bits)
        return [(i, i + step) for i in range(len(self.registers)) if not i & step]

    def swap(self, lane_bit: int, register_bit: int) -> None:
        """Let a bit of the lane's number and one of the register's change places; where one
        instruction then does it, the lane's next bit goes to its place and the register's there."""
        step, bits = 1 << lane_bit, self.bits
        unit = step * self.dtype.itemsize  # bytes that stay together
        rotated = 4 * step <= self.lanes and (4 * unit <= SHUFFLED_BYTES or unit >= SHUFFLED_BYTES)
        low = []
        for lane in range(self.lanes):
            if rotated:
                within, chunk = lane % (4 * step), lane // (4 * step) * 4 * step
                first, second = within // (2 * step), within // step % 2
                low.append(first * self.lanes + chunk + second * 2 * step + within % step)
            else:
                low.append(lane if not lane & step else self.lanes + lane - step)
        high = [pick + step for pick in low]
        for i, j in self.pairs(register_bit):
            x, y = self.registers[i], self.registers[j]
            self.registers[i], self.registers[j] = self.shuffle(x, y, low), self.shuffle(x, y, high)
        bits[lane_bit], bits[register_bit] = bits[register_bit], bits[lane_bit]
        if rotated:
            bits[lane_bit], bits[lane_bit + 1] = bits[lane_bit + 1], bits[lane_bit]

    def merge(self, size: int | None = None) -> None:
        """Sort runs of 1 << size elements, in each of which one half ascends and one descends: by
        default, all. A lane's bit changes places with the register's that is wanted last."""
        stages = list(reversed(range(len(self.bits) if size is None else size)))
        for number, bit in enumerate(stages):
            here = self.bits.index(bit)
            if here < self.lane_bits:
                later = stages[number:]
                spare = range(self.lane_bits, len(self.bits))
                other = max(
                    spare,
                    key=lambda i: later.index(self.bits[i]) if self.bits[i] in later else 99,
                )
                self.swap(here, other)
                here = other
            for i, j in self.pairs(here):
                self.exchange(i, j)

    def complement(self, old: int, new: int) -> None:
        """Elements whose places have the bit `old` are complemented, so that their order is
        reversed; from now on let that be those with the bit `new`."""
        places = self.places()
        for number, register in enumerate(self.registers):
            here = places[number * self.lanes : (number + 1) * self.lanes]
            masks = [-((p >> old ^ p >> new) & 1) for p in here]
            if any(masks):
                mask = ", ".join([f"i{self.dtype.bits} {m}" for m in masks])
                self.registers[number] = self.writer.emit(f"xor {self.kind} {register}, <{mask}>")

    def columns(self) -> None:
        """Sort each lane along the registers, by Batcher's merge exchange (Knuth, The Art of
        Computer Programming, volume 3, 5.2.2, algorithm M)."""
        n, p = len(self.registers), 1
        while p < n:
            k = p
            while k:
                for i in range(k % p, n - k):
                    if (i - k % p) // k % 2 == 0 and i // (2 * p) == (i + k) // (2 * p):
                        self.exchange(i, i + k)
                k //= 2
            p *= 2

    def sort(self) -> None:
        """Sort all elements, which may be anywhere at first."""
        total, low = len(self.bits), len(self.bits) - self.lane_bits
        self.bits = [*range(low, total), *range(low)]
        self.complement(total, low)
        self.columns()
        for size in range(low + 1, total + 1):
            self.complement(size - 1, size)
            self.merge(size)

    def ordered(self, backwards: bool = False) -> list[str]:
        """The registers with their elements in the order of their places, or from the last."""
        lane_bits = self.lane_bits
        while sum(bit >= lane_bits for bit in self.bits[:lane_bits]) > 1:
            self.swap(*self.misplaced())
        count = len(self.registers)
        sources = {p: divmod(where, self.lanes) for where, p in enumerate(self.places())}
        last = count * self.lanes - 1
        found = []
        for number in range(count):
            places = range(number * self.lanes, (number + 1) * self.lanes)
            picked = [sources[last - p if backwards else p] for p in places]
            both = sorted({register for register, _ in picked})
            picks = [both.index(register) * self.lanes + lane for register, lane in picked]
            x, y = self.registers[both[0]], self.registers[both[-1]]
            found.append(x if picks == list(range(self.lanes)) else self.shuffle(x, y, picks))
        return found

    def misplaced(self) -> tuple[int, int]:
        """A bit of the lane's number that should be of the register's, and one the other way."""
        lane_bit = next(i for i, bit in enumerate(self.bits) if bit >= self.lane_bits)
        register_bit = next(i for i, bit in enumerate(self.bits) if bit < self.lane_bits <= i)
        return lane_bit, register_bit


def _load(writer: Emitter, kind: str, align: int, pointer: str, count: int) -> list[str]:
    """Registers from neighbouring memory."""
    places = _places(writer, kind, pointer, count)
    return [writer.emit(f"load {kind}, ptr {p}, align {align}") for p in places]


def _store(writer: Emitter, kind: str, align: int, pointer: str, registers: list[str]) -> None:
    for place, register in zip(
        _places(writer, kind, pointer, len(registers)), registers, strict=True
    ):
        writer.do(f"store {kind} {register}, ptr {place}, align {align}")


def _places(writer: Emitter, kind: str, pointer: str, count: int) -> list[str]:
    return [writer.emit(f"getelementptr {kind}, ptr {pointer}, i64 {i}") for i in range(count)]


def _function(name: str, params: str, inner: Emitter) -> str:
    define = f"define internal void @{name}({params}) nounwind {{"
    return "\n".join([define, "entry:", *inner.lines, "  ret void", "}"])


def sort_tile(writer: VectorLoopWriter, op: SortTile) -> None:
    """Call the function that sorts tiles, which all kernels of the module share."""
    dtype = op.buffer.dtype
    name = f"sort_i{dtype.bits}"
    if name not in writer.helpers:
        inner = writer.another(name)
        Tile(inner, dtype, writer.machine.lanes(dtype.bits)).write()
        writer.helpers[name] = _function(name, "ptr %keys, i64 %size", inner)
        writer.adopt(inner)
    size = writer.values[op.size].name
    writer.do(f"call void @{name}(ptr {_element(writer, op.buffer, op.offset)}, i64 {size})")


class Tile:
    """The function that sorts a tile, so many keys as a power of two and at least one group.

    Groups are sorted in registers. Then, level by level, what is sorted becomes twice as long: keys
    that are a group or more apart are compared in memory, the rest again in registers. The places
    in a sorted half that is to be in descending order have the bit `size`.
    """

    def __init__(self, writer: VectorLoopWriter, dtype: DType, lanes: int) -> None:
        self.writer = writer
        self.dtype = dtype
        self.lanes = lanes
        self.group = NETWORK_REGISTERS * lanes
        self.kind = vector_type(dtype, lanes)
        self.align = dtype.itemsize

    def write(self) -> None:
        emit, counted = self.writer.emit, self.writer.counted
        self.groups(str(self.group), Network.sort)
        self.writer.declare("i64", "llvm.cttz.i64", "i64, i1")
        bits = emit("call i64 @llvm.cttz.i64(i64 %size, i1 true)")
        levels = emit(f"sub i64 {bits}, {self.group.bit_length() - 2}")

        def level(number: str) -> list[tuple[str, str]]:
            size = emit(f"shl i64 {self.group}, {number}")
            pairs = emit(f"lshr i64 {number}, 1")

            def two(step: str) -> list[tuple[str, str]]:
                shift = emit(f"shl i64 {step}, 1")
                shift = emit(f"add i64 {shift}, 2")
                self.stages(size, emit(f"lshr i64 {size}, {shift}"), 2)
                return []

            counted("0", pairs, 1, two)
            odd = emit(f"and i64 {number}, 1")

            def one(_: str) -> list[tuple[str, str]]:
                self.stages(size, str(self.group), 1)
                return []

            counted("0", odd, 1, one)
            self.groups(size, Network.merge)
            return []

        counted("1", levels, 1, level)

    def groups(self, size: str, work: Callable[[Network], None]) -> None:
        """Put each group into the order that it is to have."""
        emit = self.writer.emit

        def one(index: str) -> list[tuple[str, str]]:
            bit = emit(f"and i64 {index}, {size}")
            some = emit(f"icmp ne i64 {bit}, 0")
            mask = emit(f"sext i1 {some} to i{self.dtype.bits}")
            flip = self.writer.splat(mask, self.dtype, self.lanes)
            pointer = emit(f"getelementptr i{self.dtype.bits}, ptr %keys, i64 {index}")
            registers = _load(self.writer, self.kind, self.align, pointer, NETWORK_REGISTERS)
            registers = [emit(f"xor {self.kind} {r}, {flip}") for r in registers]
            network = Network(self.writer, self.dtype, registers, self.lanes)
            work(network)
            registers = [emit(f"xor {self.kind} {r}, {flip}") for r in network.ordered()]
            _store(self.writer, self.kind, self.align, pointer, registers)
            return []

        self.writer.counted("0", "%size", self.group, one)

    def stages(self, size: str, step: str, count: int) -> None:
        """Compare what is step << (count - 1), ..., 2 * step, step apart."""
        emit, side = self.writer.emit, 1 << count
        less = emit(f"sub i64 {step}, 1")
        each = emit(f"lshr i64 %size, {count}")
        unit = min(NETWORK_REGISTERS, self.writer.machine.vector_registers // 2 // side)

        def some(index: str) -> list[tuple[str, str]]:
            within = emit(f"and i64 {index}, {less}")
            rest = emit(f"sub i64 {index}, {within}")
            rest = emit(f"shl i64 {rest}, {count}")
            first = emit(f"or i64 {rest}, {within}")
            bit = emit(f"and i64 {first}, {size}")
            down = emit(f"icmp ne i64 {bit}, 0")
            places = [first]
            for _ in range(side - 1):
                places.append(emit(f"add i64 {places[-1]}, {step}"))
            pointers = []
            for up, other in zip(places, reversed(places), strict=True):
                place = emit(f"select i1 {down}, i64 {other}, i64 {up}")
                pointers.append(emit(f"getelementptr i{self.dtype.bits}, ptr %keys, i64 {place}"))
            rows = [_load(self.writer, self.kind, self.align, p, unit) for p in pointers]
            registers = [row[i] for i in range(unit) for row in rows]
            network = Network(self.writer, self.dtype, registers, self.lanes)
            for bit_ in reversed(range(count)):
                for i, j in network.pairs(network.lane_bits + bit_):
                    network.exchange(i, j)
            for i, p in enumerate(pointers):
                found = network.registers[i::side]
                _store(self.writer, self.kind, self.align, p, found)
            return []

        self.writer.counted("0", each, unit * self.lanes, some)


def _element(writer: VectorLoopWriter, buffer: Value, offset: Value) -> str:
    base, at = writer.values[buffer].name, writer.values[offset].name
    return writer.emit(f"getelementptr i{buffer.dtype.bits}, ptr {base}, i64 {at}")


def merge_runs(writer: VectorLoopWriter, op: MergeRuns) -> None:
    """Call the function that merges two runs, which all kernels of the module share."""
    dtype = op.source.dtype
    name = f"merge_i{dtype.bits}"
    if name not in writer.helpers:
        inner = writer.another(name)
        Merge(inner, dtype, writer.machine.lanes(dtype.bits)).write()
        params = "ptr %first, ptr %second, ptr %last, ptr %target"
        writer.helpers[name] = _function(name, params, inner)
        writer.adopt(inner)
    places = [_element(writer, op.source, at) for at in (op.first, op.second, op.last)]
    places.append(_element(writer, op.target, op.to))
    writer.do(f"call void @{name}({', '.join(f'ptr {p}' for p in places)})")


class Merge:
    """The function that merges two runs, from both of their ends at once: upwards the smaller half
    of what comes out, downwards the larger. Each way is a chain of steps that wait for one another;
    two chains keep the processor busy.

    A step takes the next registers of the run whose next element is smaller (downwards: larger),
    and stores one half of these and of those that the step before left over. Both runs together
    consist of an even number of steps. The element behind a run is read, too, but nothing depends
    on it.
    """

    def __init__(self, writer: VectorLoopWriter, dtype: DType, lanes: int) -> None:
        self.writer = writer
        self.dtype = dtype
        self.lanes = lanes
        self.kind = vector_type(dtype, lanes)
        self.bytes = MERGED_REGISTERS * lanes * dtype.itemsize  # of a step

    def write(self) -> None:
        emit = self.writer.emit
        self.writer.declare("void", "llvm.prefetch.p0", "ptr, i32, i32, i32")
        ends = [emit(f"ptrtoint ptr {p} to i64") for p in ("%first", "%last")]
        length = emit(f"sub i64 {ends[1]}, {ends[0]}")
        half = emit(f"lshr i64 {length}, 1")
        top = self.beside("%last", -self.bytes)
        alone = emit("icmp eq ptr %second, %last")
        below = emit(f"select i1 {alone}, ptr {top}, ptr %second")
        up = [self.beside("%first", self.bytes), "%second", *self.left_over("%first")]
        down = [below, top, *self.left_over(top)]
        kinds = ["ptr", "ptr", *[self.kind] * MERGED_REGISTERS]

        def step(index: str) -> list[tuple[str, str]]:
            phis = self.writer.phis
            backwards = emit(f"sub i64 {length}, {index}")
            above = emit(f"getelementptr i8, ptr %target, i64 {backwards}")
            low = emit(f"getelementptr i8, ptr %target, i64 {index}")
            upwards = self.upwards(*phis[: len(kinds)], target=low)
            downwards = self.downwards(*phis[len(kinds) :], target=self.beside(above, -self.bytes))
            return list(zip(kinds * 2, [*upwards, *downwards], strict=True))

        carried = list(zip(kinds * 2, [*up, *down], strict=True))
        self.writer.counted("0", half, self.bytes, step, carried)

    def upwards(self, x: str, y: str, *left: str, target: str) -> list[str]:
        """A step; `x` and `y` are where the rests of the runs begin."""
        emit = self.writer.emit
        smaller = self.compared("sle", x, y)
        there = emit(f"icmp ult ptr {x}, %second")
        over = emit(f"icmp uge ptr {y}, %last")
        of_x = emit(f"or i1 {emit(f'and i1 {smaller}, {there}')}, {over}")
        source = emit(f"select i1 {of_x}, ptr {x}, ptr {y}")
        self.prefetch(source, PREFETCH_BYTES)
        low, high = self.halves(left, source)
        self.store(target, low.ordered())
        return [*self.moved(of_x, x, y, self.bytes), *high.ordered(backwards=True)]

    def downwards(self, x: str, y: str, *left: str, target: str) -> list[str]:
        """A step; `x` and `y` are where the rests of the runs end."""
        emit = self.writer.emit
        there = emit(f"icmp ugt ptr {x}, %first")
        last_x = emit(f"select i1 {there}, ptr {self.beside(x, -self.dtype.itemsize)}, ptr %first")
        larger = self.compared("sgt", last_x, self.beside(y, -self.dtype.itemsize))
        over = emit(f"icmp ule ptr {y}, %second")
        of_x = emit(f"and i1 {emit(f'or i1 {larger}, {over}')}, {there}")
        end = emit(f"select i1 {of_x}, ptr {x}, ptr {y}")
        self.prefetch(end, -PREFETCH_BYTES - self.bytes)
        low, high = self.halves(left, self.beside(end, -self.bytes))
        self.store(target, high.ordered())
        return [*self.moved(of_x, x, y, -self.bytes), *low.ordered(backwards=True)]

    def halves(self, left: Sequence[str], source: str) -> tuple[Network, Network]:
        """The smaller and the larger ones of what was left over, in descending order, and of the
        next registers, each in order."""
        new = _load(self.writer, self.kind, self.dtype.itemsize, source, MERGED_REGISTERS)
        both = Network(self.writer, self.dtype, [*left, *new], self.lanes)
        for i in range(MERGED_REGISTERS):
            both.exchange(i, MERGED_REGISTERS + i)
        registers = both.registers[:MERGED_REGISTERS], both.registers[MERGED_REGISTERS:]
        found = [Network(self.writer, self.dtype, half, self.lanes) for half in registers]
        for network in found:
            network.merge()
        return found[0], found[1]

    def left_over(self, pointer: str) -> list[str]:
        """The registers that begin there, in descending order."""
        registers = _load(self.writer, self.kind, self.dtype.itemsize, pointer, MERGED_REGISTERS)
        return Network(self.writer, self.dtype, registers, self.lanes).ordered(backwards=True)

    def store(self, target: str, registers: list[str]) -> None:
        _store(self.writer, self.kind, self.dtype.itemsize, target, registers)

    def compared(self, relation: str, x: str, y: str) -> str:
        element, align = f"i{self.dtype.bits}", self.dtype.itemsize
        found = [self.writer.emit(f"load {element}, ptr {p}, align {align}") for p in (x, y)]
        return self.writer.emit(f"icmp {relation} {element} {found[0]}, {found[1]}")

    def beside(self, pointer: str, by: int | str) -> str:
        return self.writer.emit(f"getelementptr i8, ptr {pointer}, i64 {by}")

    def moved(self, of_x: str, x: str, y: str, by: int) -> list[str]:
        """The pointers, of which the one that was taken from moves."""
        steps = [
            self.writer.emit(f"select i1 {of_x}, i64 {a}, i64 {b}") for a, b in ((by, 0), (0, by))
        ]
        return [self.beside(p, step) for p, step in zip((x, y), steps, strict=True)]

    def prefetch(self, pointer: str, distance: int) -> None:
        for line in range(distance, distance + self.bytes, PREFETCH_LINE_BYTES):
            later = self.beside(pointer, line)
            self.writer.do(f"call void @llvm.prefetch.p0(ptr {later}, i32 0, i32 3, i32 1)")
