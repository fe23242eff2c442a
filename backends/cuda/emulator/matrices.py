"""Matrices of a warp: who holds which element, and their product (PTX ISA, "Matrix fragments").

With g = lane / 4, t = lane % 4 and E elements in a 32-bit register, element e of register r is

    a: row g + 8 (r % 2), column k = E t + e + 4 E (r / 2)
    b: row k = E t + e + 4 E r, column g
    c, d: row g + 8 (r / 2), column 2 t + r % 2     (registers of one element)

Products are exact, and are added up in float64 before one rounding: the machine says no more than
that it adds in float32 or better in an order of its own. float64 is a chain of fused multiply-adds.
"""

from __future__ import annotations

from . import rounding
from .collectives import Lanes, collective
from .instructions.half import WIDEN
from .layout import WARP

_SIZES = {"f16": 2, "bf16": 2, "tf32": 1, "s8": 4, "u8": 4, "f64": 1}  # elements of a register


class _Product:
    """The code of one kind of `mma`."""

    def __init__(self, w: Lanes, words: list[str]) -> None:
        self.w = w
        self.rows, self.columns, self.depth = (int(word) for word in words[:3])
        self.result, self.a_kind, self.b_kind = words[3:]
        self.number = "i32" if self.result == "s32" else "double"
        self.size = _SIZES[self.a_kind]
        self.step = 2 if self.result == "f64" else 1  # slots of a register
        self.a_registers = self.rows * self.depth // WARP // self.size
        self.b_registers = self.depth * self.columns // WARP // self.size
        self.c_size = 2 if self.result == "f16" else 1
        self.c_registers = self.rows * self.columns // WARP // self.c_size
        self.a = w.array(self.number, self.rows * self.depth)
        self.b = w.array(self.number, self.depth * self.columns)
        self.c = w.array(self.number, self.rows * self.columns)

    def write(self) -> None:
        w = self.w
        with w.loop(str(WARP)) as lane:
            group = w.value(f"lshr i32 {lane}, 2")
            member = w.value(f"and i32 {lane}, 3")
            self.gather(lane, group, member)
        self.multiply()
        with w.loop(str(WARP)) as lane:
            group = w.value(f"lshr i32 {lane}, 2")
            member = w.value(f"and i32 {lane}, 3")
            self.scatter(lane, group, member)

    # -- elements of lanes ---------------------------------------------------------------------

    def elements(self, lane: str, slot: int, kind: str, size: int) -> list[str]:
        """The numbers in a register."""
        w = self.w
        if kind == "f64":
            return [w.read(lane, slot, "double")]
        word = w.read(lane, slot)
        if kind == "s32":
            return [word]
        if kind in ("f32", "tf32"):
            if kind == "tf32":  # the machine does not look at the low bits
                word = w.value(f"and i32 {word}, -8192")
            number = w.value(f"bitcast i32 {word} to float")
            return [w.value(f"fpext float {number} to double")]
        parts, width = [], 32 // size
        for n in range(size):
            part = w.value(f"lshr i32 {word}, {n * width}")
            part = w.value(f"trunc i32 {part} to i{width}")
            if kind in ("s8", "u8"):
                parts.append(w.value(f"{'s' if kind == 's8' else 'z'}ext i8 {part} to i32"))
                continue
            wide = w.value(f"zext i16 {part} to i32")
            if kind == "bf16":
                number = w.value(f"bitcast i32 {w.value(f'shl i32 {wide}, 16')} to float")
            else:
                w.functions["widen.f16"] = WIDEN
                number = w.value(f"call float @widen.f16(i32 {wide})")
            parts.append(w.value(f"fpext float {number} to double"))
        return parts

    def keep(self, array: str, row: str, width: int, column: str, value: str) -> None:
        self.w.line(f"store {self.number} {value}, ptr {self.place(array, row, width, column)}")

    def place(self, array: str, row: str, width: int, column: str) -> str:
        index = self.w.value(f"add i32 {self.w.value(f'mul i32 {row}, {width}')}, {column}")
        return self.w.element(self.number, array, index)

    def gather(self, lane: str, group: str, member: str) -> None:
        w, size = self.w, self.size
        first = w.value(f"mul i32 {member}, {size}")
        slot = 0
        for r in range(self.a_registers):
            row = w.value(f"add i32 {group}, {8 * (r % 2)}")
            for e, value in enumerate(self.elements(lane, slot, self.a_kind, size)):
                k = w.value(f"add i32 {first}, {e + 4 * size * (r // 2)}")
                self.keep(self.a, row, self.depth, k, value)
            slot += self.step
        for r in range(self.b_registers):
            for e, value in enumerate(self.elements(lane, slot, self.b_kind, size)):
                k = w.value(f"add i32 {first}, {e + 4 * size * r}")
                self.keep(self.b, k, self.columns, group, value)
            slot += self.step
        for n, (row, column) in enumerate(self.c_places(group, member)):
            if n % self.c_size == 0:
                values = self.elements(lane, slot, self.result, self.c_size)
                slot += self.step
            self.keep(self.c, row, self.columns, column, values[n % self.c_size])

    def c_places(self, group: str, member: str) -> list[tuple[str, str]]:
        w = self.w
        first = w.value(f"shl i32 {member}, 1")
        places = []
        for n in range(self.c_registers * self.c_size):
            row = w.value(f"add i32 {group}, {8 * (n // 2)}")
            places.append((row, w.value(f"add i32 {first}, {n % 2}")))
        return places

    def multiply(self) -> None:
        """c += a b, row by row; a row of b at once."""
        w = self.w
        vector = f"<{self.columns} x {self.number}>"
        with w.loop(str(self.rows)) as row:
            place = self.place(self.c, row, self.columns, "0")
            total = w.variable(vector)
            total.set(w.value(f"load {vector}, ptr {place}, align 8"))
            with w.loop(str(self.depth)) as k:
                value = w.value(f"load {self.number}, ptr {self.place(self.a, row, self.depth, k)}")
                one = w.value(f"insertelement {vector} poison, {self.number} {value}, i32 0")
                mask = f"<{self.columns} x i32> zeroinitializer"
                left = w.value(f"shufflevector {vector} {one}, {vector} poison, {mask}")
                right = w.value(
                    f"load {vector}, ptr {self.place(self.b, k, self.columns, '0')}, align 8"
                )
                if self.number == "i32":
                    product = w.value(f"mul {vector} {left}, {right}")
                    total.set(w.value(f"add {vector} {total.get()}, {product}"))
                else:
                    name = f"llvm.fma.v{self.columns}f64"
                    total.set(w.intrinsic(name, vector, left, right, total.get()))
            w.line(f"store {vector} {total.get()}, ptr {place}, align 8")

    def scatter(self, lane: str, group: str, member: str) -> None:
        w, word = self.w, ""
        for n, (row, column) in enumerate(self.c_places(group, member)):
            value = w.value(
                f"load {self.number}, ptr {self.place(self.c, row, self.columns, column)}"
            )
            if self.result == "s32":
                w.write(lane, n, value)
            elif self.result == "f64":
                w.write(lane, 2 * n, value, "double")
            elif self.result == "f32":
                single = w.value(f"fptrunc double {value} to float")
                nan = w.value(f"fcmp uno float {single}, {single}")
                chosen = w.value(f"select i1 {nan}, float 0x7FFFFFFFE0000000, float {single}")
                w.write(lane, n, chosen, "float")
            else:
                half = rounding.narrow(w, w.functions, value, rounding.F16, "rn")
                if n % 2:
                    word = w.value(f"or i32 {word}, {w.value(f'shl i32 {half}, 16')}")
                    w.write(lane, n // 2, word)
                else:
                    word = half


@collective("mma")
def _mma(w: Lanes, words: list[str]) -> None:
    _Product(w, words).write()


@collective("ldmatrix")
def _load_matrices(w: Lanes, words: list[str]) -> None:
    """Slots: the pointer to a row. Lane l gets the two elements of row l / 4 from 2 (l % 4) on."""
    count, transposed = int(words[0]), words[1] == "1"
    rows = w.array("ptr", WARP)
    with w.loop(str(8 * count)) as lane:
        pointer = w.read(lane, 0, "ptr")
        w.line(f"store ptr {pointer}, ptr {w.element('ptr', rows, lane)}")
    with w.loop(str(WARP)) as lane:
        for matrix in range(count):
            value = _word(w, rows, 8 * matrix, lane, transposed)
            w.write(lane, matrix, value)


def _word(w: Lanes, rows: str, first: int, lane: str, transposed: bool) -> str:
    """What `lane` holds of the matrix whose rows begin at `first`."""
    group, member = w.value(f"lshr i32 {lane}, 2"), w.value(f"and i32 {lane}, 3")
    if not transposed:
        row = w.value(
            f"load ptr, ptr {w.element('ptr', rows, w.value(f'add i32 {group}, {first}'))}"
        )
        return w.value(f"load i32, ptr {w.element('i32', row, member)}")
    halves = []
    for h in range(2):
        index = w.value(f"add i32 {w.value(f'shl i32 {member}, 1')}, {first + h}")
        row = w.value(f"load ptr, ptr {w.element('ptr', rows, index)}")
        half = w.value(f"load i16, ptr {w.element('i16', row, group)}")
        halves.append(w.value(f"zext i16 {half} to i32"))
    return w.value(f"or i32 {halves[0]}, {w.value(f'shl i32 {halves[1]}, 16')}")


@collective("stmatrix")
def _store_matrices(w: Lanes, words: list[str]) -> None:
    """Slots: the pointer to a row (two), then the words of each matrix."""
    count, transposed = int(words[0]), words[1] == "1"
    with w.loop(str(WARP)) as lane:
        group, member = w.value(f"lshr i32 {lane}, 2"), w.value(f"and i32 {lane}, 3")
        for matrix in range(count):
            value = w.read(lane, 2 + matrix)
            for h in range(2):
                row, column = group, w.value(f"add i32 {w.value(f'shl i32 {member}, 1')}, {h}")
                if transposed:
                    row, column = column, row
                holder = w.value(f"add i32 {row}, {8 * matrix}")
                pointer = w.read(holder, 0, "ptr")
                half = w.value(f"trunc i32 {w.value(f'lshr i32 {value}, {16 * h}')} to i16")
                w.line(f"store i16 {half}, ptr {w.element('i16', pointer, column)}")


@collective("movmatrix")
def _transpose(w: Lanes, words: list[str]) -> None:
    """Slot: two elements of a matrix of 8 x 8. Result: those of its transpose."""
    values = w.array("i16", 64)
    with w.loop(str(WARP)) as lane:
        place = w.element("i32", values, lane)  # lane l holds elements 2 l and 2 l + 1
        w.line(f"store i32 {w.read(lane, 0)}, ptr {place}")
    with w.loop(str(WARP)) as lane:
        group, member = w.value(f"lshr i32 {lane}, 2"), w.value(f"and i32 {lane}, 3")
        halves = []
        for h in range(2):
            row = w.value(f"add i32 {w.value(f'shl i32 {member}, 1')}, {h}")
            index = w.value(f"add i32 {w.value(f'shl i32 {row}, 3')}, {group}")
            half = w.value(f"load i16, ptr {w.element('i16', values, index)}")
            halves.append(w.value(f"zext i16 {half} to i32"))
        w.write(lane, 0, w.value(f"or i32 {halves[0]}, {w.value(f'shl i32 {halves[1]}, 16')}"))
