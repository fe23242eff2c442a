"""Loads, stores, atomics and asynchronous copies, each checked against the bounds of its memory.

Atomics need no care: threads run one at a time. Ordering (`.acquire`, `.volatile`) and cache hints
change nothing here.
"""

from __future__ import annotations

from ..registry import Modifiers, instruction
from ..syntax import Instruction, Vector, bits
from ..translate import Translator
from . import half
from .addresses import place

_SPACES = ("global", "shared", "shared::cta", "local", "param", "const", "param::entry")
_ORDERS = ("weak", "relaxed", "acquire", "release", "acq_rel", "volatile", "mmio")
_SCOPES = ("cta", "cluster", "gpu", "sys")
_CACHES = ("ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc")


def _hints(t: Translator, m: Modifiers) -> None:
    """Take the words that change nothing here."""
    m.flag(*_ORDERS)
    m.flag(*_SCOPES)
    while m.flag(*_CACHES):
        pass
    m.words = [w for w in m.words if not w.startswith(("L1::", "L2::"))]


def _access(t: Translator, m: Modifiers) -> tuple[str, str, int]:
    """The space, element type and number of elements of a load or store."""
    kind = m.last()
    if kind not in _ELEMENTS:
        raise t.unsupported(f".{kind}")
    space = m.one_of(*_SPACES) or "generic"
    vector = m.one_of("v2", "v4", "v8")
    m.flag("unified")
    _hints(t, m)
    return space, kind, int(vector[1:]) if vector else 1


_ELEMENTS = frozenset(f"{sign}{width}" for sign in "bus" for width in (8, 16, 32, 64)) | {
    "f16",
    "f32",
    "f64",
    "b128",
}


def _bit_type(kind: str) -> str:
    """The type under which bits are moved: of integers with their sign."""
    return f"b{bits(kind)}" if kind[0] == "f" else kind


@instruction("ld", "ldu")
def _load(t: Translator, i: Instruction, m: Modifiers) -> None:
    space, kind, count = _access(t, m)
    width = bits(kind)
    size = count * width // 8
    pointer = place(t, i.operands[1], space, size)
    target = i.operands[0]
    items = target.items if isinstance(target, Vector) else (target,)
    if len(items) != count:
        raise t.unsupported("another number of registers than the vector has")
    if count == 1:
        value = t.value(f"load i{width}, ptr {pointer}, align {_alignment(space, size)}")
        t.put(items[0], value, _bit_type(kind))
        return
    vector = f"<{count} x i{width}>"
    value = t.value(f"load {vector}, ptr {pointer}, align {_alignment(space, size)}")
    for n, item in enumerate(items):
        t.put(item, t.value(f"extractelement {vector} {value}, i32 {n}"), _bit_type(kind))


def _alignment(space: str, size: int) -> int:
    """What the host may rely on: parameters are as aligned as the launch packs them."""
    return 1 if space.startswith("param") else min(size, 16)


@instruction("st")
def _store(t: Translator, i: Instruction, m: Modifiers) -> None:
    space, kind, count = _access(t, m)
    width = bits(kind)
    size = count * width // 8
    source = i.operands[1]
    items = source.items if isinstance(source, Vector) else (source,)
    if len(items) != count:
        raise t.unsupported("another number of registers than the vector has")
    values = [t.get(item, f"b{width}") for item in items]
    if space == "const":
        raise t.unsupported("a store to constant memory")
    pointer = place(t, i.operands[0], space, size)
    align = _alignment(space, size)
    if count == 1:
        t.line(f"store i{width} {values[0]}, ptr {pointer}, align {align}")
        return
    vector, whole = f"<{count} x i{width}>", "poison"
    for n, value in enumerate(values):
        whole = t.value(f"insertelement {vector} {whole}, i{width} {value}, i32 {n}")
    t.line(f"store {vector} {whole}, ptr {pointer}, align {align}")


@instruction("prefetch", "prefetchu", "discard", "applypriority", "createpolicy")
def _hint(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.words.clear()


@instruction("membar", "fence")
def _fence(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.words.clear()  # threads run one at a time, so that memory is always in order


@instruction("atom", "red")
def _atomic(t: Translator, i: Instruction, m: Modifiers) -> None:
    operands = list(i.operands)
    result = operands.pop(0) if i.name == "atom" else None
    kind = m.last()
    space = m.one_of(*_SPACES) or "generic"
    m.flag("noftz")
    _hints(t, m)
    what = m.first()
    width = bits(kind)
    pointer = place(t, operands[0], space, width // 8)
    old = t.value(f"load i{width}, ptr {pointer}")
    values = [t.get(operand, f"b{width}") for operand in operands[1:]]
    new = _updated(t, what, kind, old, values)
    t.line(f"store i{width} {new}, ptr {pointer}")
    if result is not None:
        t.put(result, old, f"b{width}")


def _updated(t: Translator, what: str, kind: str, old: str, values: list[str]) -> str:
    """What an atomic operation leaves in memory."""
    width, b = bits(kind), values[0]
    name = f"i{width}"
    match what:
        case "exch":
            return b
        case "cas":
            same = t.value(f"icmp eq {name} {old}, {b}")
            return t.value(f"select i1 {same}, {name} {values[1]}, {name} {old}")
        case "and" | "or" | "xor":
            return t.value(f"{what} {name} {old}, {b}")
        case "inc":
            wraps = t.value(f"icmp uge {name} {old}, {b}")
            return t.value(f"select i1 {wraps}, {name} 0, {name} {t.value(f'add {name} {old}, 1')}")
        case "dec":
            zero = t.value(f"icmp eq {name} {old}, 0")
            large = t.value(f"icmp ugt {name} {old}, {b}")
            wraps = t.value(f"or i1 {zero}, {large}")
            less = t.value(f"sub {name} {old}, 1")
            return t.value(f"select i1 {wraps}, {name} {b}, {name} {less}")
        case "min" | "max" if kind[0] in "us":
            return t.intrinsic(f"llvm.{kind[0]}{what}.{name}", name, old, b)
        case "add" if kind in ("f32", "f64"):
            real = {"f32": "float", "f64": "double"}[kind]
            x, y = (t.value(f"bitcast {name} {value} to {real}") for value in (old, b))
            total = t.value(f"fadd {real} {x}, {y}")
            if kind == "f32":
                total = t.canonical(total)
            return t.value(f"bitcast {real} {total} to {name}")
        case "add" if kind in ("f16", "bf16"):
            x, y = (half.double(t, value, kind) for value in (old, b))
            return half.narrow(t, t.value(f"fadd double {x}, {y}"), kind)
        case "add":
            return t.value(f"add {name} {old}, {b}")
    raise t.unsupported(f".{what}")
