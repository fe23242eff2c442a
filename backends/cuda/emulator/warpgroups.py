"""Products of matrices in shared memory, as a warp of a warpgroup has them (PTX ISA, `wgmma`).

Each warp makes 16 of the 64 rows. A descriptor says where a matrix is: its start, the bytes between
panels of 64 elements (where its lines are those of a k) and between eight lines, in units of 16
bytes, and that groups of 16 bytes are turned about in lines of 128. Sums are those of `mma`: exact
products added up in float64, and rounded once for each product.
"""

from __future__ import annotations

from .collectives import Lanes, collective
from .errors import Fault
from .instructions.half import WIDEN
from .layout import PRODUCT_ENTRY, PRODUCTS, SHARED_BASE, THREAD, WARP
from .writer import Writer

ROWS, DEPTH = 16, 16
LINE = 128  # bytes


@collective("wgmma")
def _products(w: Lanes, words: list[str]) -> None:
    """Slots: where a thread keeps its products, and how many there are."""
    columns, kind, turned = int(words[0]), words[1], words[2:]
    a, b = w.array("double", ROWS * DEPTH), w.array("double", DEPTH * columns)
    c = w.array("double", ROWS * columns)
    area, count = w.read("0", 0, "i64"), w.read("0", 2)
    index = w.value(f"load i32, ptr {w.offset('%threads', THREAD.offsets['index'])}")
    warp = w.value(f"and i32 {w.value(f'lshr i32 {index}, 5')}, 3")
    first = w.value(f"mul i32 {warp}, {ROWS}")
    _each_sum(w, area, columns, c, store=False)
    with w.loop(count) as n:
        left, right, adds = (_entry(w, area, "0", n, field) for field in range(3))
        with w.loop(str(WARP)) as lane:
            for field, known in enumerate((left, right, adds)):
                other = w.value(f"icmp ne i64 {_entry(w, area, lane, n, field)}, {known}")
                with w.when(other):
                    _fail(w, Fault.DESCRIPTOR, lane)
        with w.when(w.value(f"icmp eq i64 {adds}, 0")), w.loop(str(ROWS * columns)) as i:
            w.line(f"store double 0.0, ptr {w.element('double', c, i)}")
        with w.loop(str(ROWS)) as row, w.loop(str(DEPTH)) as k:
            line = w.value(f"add i32 {first}, {row}")
            value = _element(w, left, line, k, kind, turned[0])
            place = w.value(f"add i32 {w.value(f'mul i32 {row}, {DEPTH}')}, {k}")
            w.line(f"store double {value}, ptr {w.element('double', a, place)}")
        with w.loop(str(DEPTH)) as k, w.loop(str(columns)) as column:
            value = _element(w, right, column, k, kind, turned[1])
            place = w.value(f"add i32 {w.value(f'mul i32 {k}, {columns}')}, {column}")
            w.line(f"store double {value}, ptr {w.element('double', b, place)}")
        _multiply(w, a, b, c, columns)
    _each_sum(w, area, columns, c, store=True)


def _lane(w: Lanes, area: str, lane: str) -> str:
    """Where a lane keeps its products."""
    place = w.value(f"mul i64 {w.value(f'zext i32 {lane} to i64')}, %size")
    return w.offset(w.offset("%threads", place), area)


def _entry(w: Lanes, area: str, lane: str, number: str, field: int) -> str:
    place = w.value(f"mul i32 {number}, {PRODUCT_ENTRY}")
    entry = w.element("i8", _lane(w, area, lane), place)
    return w.value(f"load i64, ptr {w.offset(entry, 8 * field)}")


def _fail(w: Lanes, fault: Fault, lane: str, address: str = "0") -> None:
    place = w.value(f"mul i64 {w.value(f'zext i32 {lane} to i64')}, %size")
    thread = w.offset("%threads", place)
    w.fault(fault, w.thread(thread, "line"), w.thread(thread, "index"), address)
    w.leave("ret void")


def _each_sum(w: Lanes, area: str, columns: int, c: str, store: bool) -> None:
    """Between the registers of all lanes, which `area` keeps, and the array c."""
    with w.loop(str(WARP)) as lane:
        sums = w.offset(_lane(w, area, lane), PRODUCTS * PRODUCT_ENTRY)
        group = w.value(f"lshr i32 {lane}, 2")
        member = w.value(f"shl i32 {w.value(f'and i32 {lane}, 3')}, 1")
        with w.loop(str(columns // 2)) as n:
            lower = w.value(f"shl i32 {w.value(f'and i32 {n}, 2')}, 2")  # 8 rows further down
            row = w.value(f"add i32 {group}, {lower}")
            across = w.value(f"shl i32 {w.value(f'lshr i32 {n}, 2')}, 3")
            column = w.value(f"add i32 {across}, {member}")
            column = w.value(f"add i32 {column}, {w.value(f'and i32 {n}, 1')}")
            place = w.value(f"add i32 {w.value(f'mul i32 {row}, {columns}')}, {column}")
            there, here = w.element("double", c, place), w.element("float", sums, n)
            if store:
                value = w.value(f"load double, ptr {there}")
                w.line(f"store float {w.value(f'fptrunc double {value} to float')}, ptr {here}")
            else:
                value = w.value(f"load float, ptr {here}")
                w.line(f"store double {w.value(f'fpext float {value} to double')}, ptr {there}")


def _multiply(w: Lanes, a: str, b: str, c: str, columns: int) -> None:
    """c += a b, eight columns at once; rounded to float32."""
    vector = "<8 x double>"
    name = w.declare("llvm.fma.v8f64", f"{vector} @({', '.join([vector] * 3)})")
    with w.loop(str(ROWS)) as row, w.loop(str(columns // 8)) as part:
        start = w.value(f"mul i32 {part}, 8")
        place = w.value(f"add i32 {w.value(f'mul i32 {row}, {columns}')}, {start}")
        there = w.element("double", c, place)
        total = w.variable(vector)
        total.set(w.value(f"load {vector}, ptr {there}, align 8"))
        with w.loop(str(DEPTH)) as k:
            place = w.value(f"add i32 {w.value(f'mul i32 {row}, {DEPTH}')}, {k}")
            value = w.value(f"load double, ptr {w.element('double', a, place)}")
            one = w.value(f"insertelement {vector} poison, double {value}, i32 0")
            mask = "<8 x i32> zeroinitializer"
            left = w.value(f"shufflevector {vector} {one}, {vector} poison, {mask}")
            place = w.value(f"add i32 {w.value(f'mul i32 {k}, {columns}')}, {start}")
            right = w.value(f"load {vector}, ptr {w.element('double', b, place)}, align 8")
            given = f"{vector} {left}, {vector} {right}, {vector} {total.get()}"
            total.set(w.value(f"call {vector} {name}({given})"))
        near = w.value(f"fptrunc {vector} {total.get()} to <8 x float>")
        wide = w.value(f"fpext <8 x float> {near} to {vector}")
        w.line(f"store {vector} {wide}, ptr {there}, align 8")


def _element(w: Lanes, descriptor: str, side: str, k: str, kind: str, turned: str) -> str:
    """An element of a matrix, as a float64."""
    w.functions["wgmma.place"] = _place()
    lines = f"i32 {k}, i32 {side}" if turned == "1" else f"i32 {side}, i32 {k}"
    pointer = w.value(f"call ptr @wgmma.place(ptr %launch, i64 {descriptor}, {lines})")
    with w.when(w.value(f"icmp eq ptr {pointer}, null")):
        swizzled = w.value(f"icmp eq i64 {w.value(f'lshr i64 {descriptor}, 46')}, {1 << 16}")
        with w.when(swizzled):
            _fail(w, Fault.SHARED, "0", w.value(f"shl i64 {_field(w, descriptor, 0)}, 4"))
        _fail(w, Fault.DESCRIPTOR, "0")
    word = w.value(f"zext i16 {w.value(f'load i16, ptr {pointer}')} to i32")
    if kind == "bf16":
        number = w.value(f"bitcast i32 {w.value(f'shl i32 {word}, 16')} to float")
    else:
        w.functions["widen.f16"] = WIDEN
        number = w.value(f"call float @widen.f16(i32 {word})")
    return w.value(f"fpext float {number} to double")


def _field(w: Writer, descriptor: str, low: int) -> str:
    """14 bits of a descriptor."""
    return w.value(f"and i64 {w.value(f'lshr i64 {descriptor}, {low}')}, 16383")


def _place() -> str:
    """The pointer to an element of two bytes of a line; null where it is no shared memory, or
    bits that say another layout are set."""
    w = Writer()
    high = w.value("lshr i64 %descriptor, 46")
    with w.when(w.value(f"icmp ne i64 {high}, {1 << 16}")):
        w.leave("ret ptr null")
    line, place = (w.value(f"zext i32 %{name} to i64") for name in ("line", "place"))
    address = w.value(f"shl i64 {_field(w, '%descriptor', 0)}, 4")
    parts = [
        (w.value(f"lshr i64 {line}, 3"), w.value(f"shl i64 {_field(w, '%descriptor', 32)}, 4")),
        (w.value(f"and i64 {line}, 7"), str(LINE)),
        (w.value(f"lshr i64 {place}, 6"), w.value(f"shl i64 {_field(w, '%descriptor', 16)}, 4")),
        (w.value(f"and i64 {place}, 63"), "2"),
    ]
    for number, distance in parts:
        address = w.value(f"add i64 {address}, {w.value(f'mul i64 {number}, {distance}')}")
    turn = w.value(f"and i64 {w.value(f'lshr i64 {address}, 3')}, 112")  # bits 7 to 9 to 4 to 6
    offset = w.value(f"sub i64 {w.value(f'xor i64 {address}, {turn}')}, {SHARED_BASE}")
    inside = w.value(f"icmp ult i64 {offset}, {w.launch('shared_size')}")
    pointer = w.element("i8", w.launch("shared"), offset, "i64")
    w.line(f"ret ptr {w.value(f'select i1 {inside}, ptr {pointer}, ptr null')}")
    return w.function(
        "internal ptr @wgmma.place(ptr %launch, i64 %descriptor, i32 %line, i32 %place)"
    )
