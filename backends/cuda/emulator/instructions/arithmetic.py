"""Integers, bits and predicates."""

from __future__ import annotations

from ..registry import Modifiers, instruction, parts
from ..syntax import Instruction, bits
from ..translate import Translator
from . import floats, half

_LOGIC = ("and", "or", "xor")


def _signed(kind: str) -> bool:
    return kind[0] == "s"


@instruction("add", "sub", "mul", "min", "max", "div", "rem", "neg", "abs")
def _arithmetic(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    if kind in ("f32", "f64"):
        floats.arithmetic(t, i, m, kind)
    elif "f16" in kind:
        half.arithmetic(t, i, m, kind)
    else:
        _integer(t, i, m, kind)


def _integer(t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
    width, name = bits(kind), i.name
    if "x2" in kind:
        raise t.unsupported()
    values = [t.get(operand, kind) for operand in i.operands[1:]]
    if name == "mul":
        _multiply(t, i, m, kind)
        return
    if name == "neg":
        t.put(i.operands[0], t.value(f"sub i{width} 0, {values[0]}"), kind)
    elif name == "abs":
        t.put(i.operands[0], _absolute(t, values[0], width), kind)
    elif name in ("add", "sub"):
        if m.flag("cc"):
            raise t.unsupported(".cc")
        if m.flag("sat"):
            t.declare(f"llvm.s{name}.sat.i32", "i32 @(i32, i32)")
            value = t.value(f"call i32 @llvm.s{name}.sat.i32(i32 {values[0]}, i32 {values[1]})")
        else:
            value = t.value(f"{name} i{width} {values[0]}, {values[1]}")
        t.put(i.operands[0], value, kind)
    elif name in ("min", "max"):
        if m.flag("relu"):
            raise t.unsupported(".relu")
        sign = "s" if _signed(kind) else "u"
        t.put(i.operands[0], t.intrinsic(f"llvm.{sign}{name}.i{width}", f"i{width}", *values), kind)
    else:
        t.put(i.operands[0], _divide(t, name, values[0], values[1], kind), kind)


def _absolute(t: Translator, value: str, width: int) -> str:
    t.declare(f"llvm.abs.i{width}", f"i{width} @(i{width}, i1)")
    return t.value(f"call i{width} @llvm.abs.i{width}(i{width} {value}, i1 false)")


def _divide(t: Translator, name: str, a: str, b: str, kind: str) -> str:
    """Division never traps: by zero all bits are set (the rest is a), and MIN / -1 wraps."""
    width = bits(kind)
    zero = t.value(f"icmp eq i{width} {b}, 0")
    unsafe = zero
    if _signed(kind):
        least = t.value(f"icmp eq i{width} {a}, {-(1 << (width - 1))}")
        wraps = t.value(f"and i1 {least}, {t.value(f'icmp eq i{width} {b}, -1')}")
        unsafe = t.value(f"or i1 {zero}, {wraps}")
    divisor = t.value(f"select i1 {unsafe}, i{width} 1, i{width} {b}")
    sign = "s" if _signed(kind) else "u"
    value = t.value(f"{sign}{name} i{width} {a}, {divisor}")
    if name == "div":
        return t.value(f"select i1 {zero}, i{width} -1, i{width} {value}")
    return t.value(f"select i1 {zero}, i{width} {a}, i{width} {value}")


def _product(t: Translator, a: str, b: str, kind: str) -> str:
    """The full product of two integers, twice as wide."""
    width, extend = bits(kind), "sext" if _signed(kind) else "zext"
    x = t.value(f"{extend} i{width} {a} to i{2 * width}")
    y = t.value(f"{extend} i{width} {b} to i{2 * width}")
    return t.value(f"mul i{2 * width} {x}, {y}")


def _multiplied(t: Translator, i: Instruction, m: Modifiers, kind: str) -> tuple[str, str]:
    """The part of a product that the modifiers ask for, and its type."""
    a, b = (t.get(operand, kind) for operand in i.operands[1:3])
    width, part = bits(kind), m.one_of("lo", "hi", "wide")
    if part == "wide":
        return _product(t, a, b, kind), f"{kind[0]}{2 * width}"
    if part == "hi":
        high = t.value(f"lshr i{2 * width} {_product(t, a, b, kind)}, {width}")
        return t.value(f"trunc i{2 * width} {high} to i{width}"), kind
    if part is None:
        raise t.unsupported("an integer product without .lo, .hi or .wide")
    return t.value(f"mul i{width} {a}, {b}"), kind


def _multiply(t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
    value, result = _multiplied(t, i, m, kind)
    t.put(i.operands[0], value, result)


@instruction("mad")
def _multiply_add(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    if kind in ("f32", "f64"):
        floats.fused(t, i, m, kind)
        return
    if m.flag("cc") or "sat" in m.words:
        raise t.unsupported()
    value, result = _multiplied(t, i, m, kind)
    c = t.get(i.operands[3], result)
    t.put(i.operands[0], t.value(f"add i{bits(result)} {value}, {c}"), result)


@instruction("fma")
def _fused(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    if kind in ("f32", "f64"):
        floats.fused(t, i, m, kind)
    else:
        half.fused(t, i, m, kind)


@instruction("mul24", "mad24")
def _multiply24(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    if m.one_of("lo", "hi") != "lo":
        raise t.unsupported(".hi")
    values = []
    for operand in i.operands[1:3]:
        up = t.value(f"shl i32 {t.get(operand, kind)}, 8")
        values.append(t.value(f"{'ashr' if _signed(kind) else 'lshr'} i32 {up}, 8"))
    value = t.value(f"mul i32 {values[0]}, {values[1]}")
    if i.name == "mad24":
        value = t.value(f"add i32 {value}, {t.get(i.operands[3], kind)}")
    t.put(i.operands[0], value, kind)


@instruction("sad")
def _sum_of_difference(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    width, sign = bits(kind), "s" if _signed(kind) else "u"
    a, b, c = (t.get(operand, kind) for operand in i.operands[1:])
    high = t.intrinsic(f"llvm.{sign}max.i{width}", f"i{width}", a, b)
    low = t.intrinsic(f"llvm.{sign}min.i{width}", f"i{width}", a, b)
    t.put(
        i.operands[0], t.value(f"add i{width} {c}, {t.value(f'sub i{width} {high}, {low}')}"), kind
    )


@instruction("and", "or", "xor", "not", "cnot")
def _logic(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    width = bits(kind)
    values = [t.get(operand, kind) for operand in i.operands[1:]]
    if i.name in _LOGIC:
        value = t.value(f"{i.name} i{width} {values[0]}, {values[1]}")
    elif i.name == "not":
        value = t.value(f"xor i{width} {values[0]}, -1")
    else:
        value = t.value(f"zext i1 {t.value(f'icmp eq i{width} {values[0]}, 0')} to i{width}")
    t.put(i.operands[0], value, kind)


@instruction("lop3")
def _logic3(t: Translator, i: Instruction, m: Modifiers) -> None:
    """Any function of three bits: bit k of the table is its value where (a, b, c) spell k."""
    if m.flag("and", "or"):
        raise t.unsupported("lop3 with a predicate")
    m.last()
    a, b, c = (t.get(operand, "b32") for operand in i.operands[1:4])
    table = int(t.get(i.operands[4], "b32"))
    result = "0"
    for k in range(8):
        if table >> k & 1:
            terms = [
                value if k >> place & 1 else t.value(f"xor i32 {value}, -1")
                for value, place in ((a, 2), (b, 1), (c, 0))
            ]
            both = t.value(f"and i32 {terms[0]}, {terms[1]}")
            result = t.value(f"or i32 {result}, {t.value(f'and i32 {both}, {terms[2]}')}")
    t.put(i.operands[0], result, "b32")


@instruction("shl", "shr")
def _shift(t: Translator, i: Instruction, m: Modifiers) -> None:
    """Amounts beyond the width give zeros, or copies of the sign."""
    kind = m.last()
    width = bits(kind)
    a, amount = t.get(i.operands[1], kind), t.get(i.operands[2], "u32")
    signed = i.name == "shr" and _signed(kind)
    operation = "shl" if i.name == "shl" else "ashr" if signed else "lshr"
    far = t.value(f"icmp uge i32 {amount}, {width}")
    near = t.value(f"select i1 {far}, i32 {width - 1 if signed else 0}, i32 {amount}")
    near = t.resize(near, 32, width)
    value = t.value(f"{operation} i{width} {a}, {near}")
    if not signed:
        value = t.value(f"select i1 {far}, i{width} 0, i{width} {value}")
    t.put(i.operands[0], value, kind)


@instruction("shf")
def _funnel(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.last()
    left, clamp = m.one_of("l", "r") == "l", m.one_of("clamp", "wrap") == "clamp"
    low, high, amount = (t.get(operand, "u32") for operand in i.operands[1:])
    if clamp:
        amount = t.intrinsic("llvm.umin.i32", "i32", amount, "32")
    else:
        amount = t.value(f"and i32 {amount}, 31")
    wide = t.value(f"shl i64 {t.resize(high, 32, 64)}, 32")
    wide = t.value(f"or i64 {wide}, {t.resize(low, 32, 64)}")
    wide_amount = t.resize(amount, 32, 64)
    if left:
        value = t.value(f"lshr i64 {t.value(f'shl i64 {wide}, {wide_amount}')}, 32")
    else:
        value = t.value(f"lshr i64 {wide}, {wide_amount}")
    t.put(i.operands[0], t.resize(value, 64, 32), "b32")


@instruction("popc", "clz", "brev", "bfind")
def _count(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    width = bits(kind)
    value = t.get(i.operands[1], kind)
    if i.name == "brev":
        value = t.intrinsic(f"llvm.bitreverse.i{width}", f"i{width}", value)
        t.put(i.operands[0], value, kind)
        return
    if i.name == "popc":
        count = t.intrinsic(f"llvm.ctpop.i{width}", f"i{width}", value)
        t.put(i.operands[0], t.resize(count, width, 32), "u32")
        return
    if i.name == "bfind" and _signed(kind):  # of what differs from the sign
        sign = t.value(f"ashr i{width} {value}, {width - 1}")
        value = t.value(f"xor i{width} {value}, {sign}")
    t.declare(f"llvm.ctlz.i{width}", f"i{width} @(i{width}, i1)")
    zeros = t.value(f"call i{width} @llvm.ctlz.i{width}(i{width} {value}, i1 false)")
    zeros = t.resize(zeros, width, 32)
    if i.name == "bfind":
        amount = m.flag("shiftamt")
        place = zeros if amount else t.value(f"sub i32 {width - 1}, {zeros}")
        none = t.value(f"icmp eq i32 {zeros}, {width}")
        zeros = t.value(f"select i1 {none}, i32 -1, i32 {place}")
    t.put(i.operands[0], zeros, "u32")


@instruction("bfe")
def _extract(t: Translator, i: Instruction, m: Modifiers) -> None:
    """A field of bits; what lies beyond the top is the sign (or zero)."""
    kind = m.last()
    width = bits(kind)
    value = t.get(i.operands[1], kind)
    place, length = (
        t.value(f"and i32 {t.get(operand, 'u32')}, 255") for operand in i.operands[2:4]
    )
    # In twice the width, so that every amount of bits is a shift that is defined.
    wide = 2 * width
    extend = "sext" if _signed(kind) else "zext"
    whole = t.value(f"{extend} i{width} {value} to i{wide}")
    start = t.resize(t.intrinsic("llvm.umin.i32", "i32", place, str(width)), 32, wide)
    shifted = t.value(f"{'ashr' if _signed(kind) else 'lshr'} i{wide} {whole}, {start}")
    size = t.resize(t.intrinsic("llvm.umin.i32", "i32", length, str(width)), 32, wide)
    away = t.value(f"sub i{wide} {wide - 1}, {size}")
    up = t.value(f"shl i{wide} {t.value(f'shl i{wide} {shifted}, {away}')}, 1")
    down = "ashr" if _signed(kind) else "lshr"
    field = t.value(f"{down} i{wide} {t.value(f'{down} i{wide} {up}, {away}')}, 1")
    none = t.value(f"icmp eq i32 {length}, 0")
    result = t.value(f"select i1 {none}, i{wide} 0, i{wide} {field}")
    t.put(i.operands[0], t.resize(result, wide, width), kind)


@instruction("bfi")
def _insert(t: Translator, i: Instruction, m: Modifiers) -> None:
    width = bits(m.last())
    a, b = (t.get(operand, f"b{width}") for operand in i.operands[1:3])
    place, length = (
        t.value(f"and i32 {t.get(operand, 'u32')}, 255") for operand in i.operands[3:5]
    )
    wide = 2 * width
    start = t.resize(t.intrinsic("llvm.umin.i32", "i32", place, str(width)), 32, wide)
    size = t.resize(t.intrinsic("llvm.umin.i32", "i32", length, str(width)), 32, wide)
    ones = t.value(f"sub i{wide} {t.value(f'shl i{wide} 1, {size}')}, 1")
    mask = t.resize(t.value(f"shl i{wide} {ones}, {start}"), wide, width)
    moved = t.value(f"shl i{wide} {t.resize(a, width, wide)}, {start}")
    moved = t.value(f"and i{width} {t.resize(moved, wide, width)}, {mask}")
    kept = t.value(f"and i{width} {b}, {t.value(f'xor i{width} {mask}, -1')}")
    t.put(i.operands[0], t.value(f"or i{width} {moved}, {kept}"), f"b{width}")


@instruction("bmsk")
def _mask(t: Translator, i: Instruction, m: Modifiers) -> None:
    m.last()
    clamp = m.one_of("clamp", "wrap") == "clamp"
    values = []
    for operand in i.operands[1:]:
        value = t.get(operand, "u32")
        if clamp:
            values.append(t.resize(t.intrinsic("llvm.umin.i32", "i32", value, "32"), 32, 64))
        else:
            values.append(t.resize(t.value(f"and i32 {value}, 31"), 32, 64))
    ones = t.value(f"sub i64 {t.value(f'shl i64 1, {values[1]}')}, 1")
    t.put(i.operands[0], t.resize(t.value(f"shl i64 {ones}, {values[0]}"), 64, 32), "b32")


@instruction("prmt")
def _permute(t: Translator, i: Instruction, m: Modifiers) -> None:
    """Four bytes of the eight of b:a; bit 3 of a selector copies the byte's sign instead."""
    mode = m.one_of("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
    m.last()
    if mode is not None:
        raise t.unsupported(f".{mode}")
    low, high, selector = (t.get(operand, "u32") for operand in i.operands[1:])
    wide = t.value(f"shl i64 {t.resize(high, 32, 64)}, 32")
    wide = t.value(f"or i64 {wide}, {t.resize(low, 32, 64)}")
    result = "0"
    for n in range(4):
        nibble = t.value(f"lshr i32 {selector}, {4 * n}") if n else selector
        amount = t.value(f"shl i32 {t.value(f'and i32 {nibble}, 7')}, 3")
        byte = t.resize(t.value(f"lshr i64 {wide}, {t.resize(amount, 32, 64)}"), 64, 8)
        copies = t.value(f"icmp ne i32 {t.value(f'and i32 {nibble}, 8')}, 0")
        sign = t.value(f"ashr i8 {byte}, 7")
        byte = t.value(f"select i1 {copies}, i8 {sign}, i8 {byte}")
        placed = t.value(f"shl i32 {t.resize(byte, 8, 32)}, {8 * n}")
        result = t.value(f"or i32 {result}, {placed}")
    t.put(i.operands[0], result, "b32")


_UNSIGNED = {"lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}


def compare(t: Translator, how: str, kind: str, a: str, b: str) -> str:
    """A comparison as an i1."""
    if kind in ("f32", "f64"):
        return floats.compare(t, how, kind, a, b)
    if "f16" in kind:
        return floats.compare(t, how, "f32", half.widen(t, a, kind), half.widen(t, b, kind))
    if how in _UNSIGNED:
        test = _UNSIGNED[how]
    elif how in ("eq", "ne"):
        test = how
    elif how in ("lt", "le", "gt", "ge"):
        test = ("s" if _signed(kind) else "u") + how
    else:
        raise t.unsupported(f".{how}")
    return t.value(f"icmp {test} i{bits(kind)} {a}, {b}")


@instruction("setp")
def _set_predicate(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind, how = m.last(), m.first()
    combine = m.one_of(*_LOGIC)
    if "x2" in kind:
        raise t.unsupported()
    a, b = (t.get(operand, kind) for operand in i.operands[1:3])
    if m.flag("ftz"):
        a, b = floats.flush(t, a), floats.flush(t, b)
    test = compare(t, how, kind, a, b)
    first, second = parts(i.operands[0])
    opposite = t.value(f"xor i1 {test}, true") if second is not None else ""
    if combine:
        c = t.predicate(i.operands[3])
        test = t.value(f"{combine} i1 {test}, {c}")
        opposite = opposite and t.value(f"{combine} i1 {opposite}, {c}")
    t.put(first, test, "pred")
    if second is not None:
        t.put(second, opposite, "pred")


@instruction("set")
def _set(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind, result, how = m.last(), m.last(), m.first()
    a, b = (t.get(operand, kind) for operand in i.operands[1:3])
    if m.flag("ftz"):
        a, b = floats.flush(t, a), floats.flush(t, b)
    test = compare(t, how, kind, a, b)
    if result == "f32":
        t.put(i.operands[0], t.value(f"select i1 {test}, float 1.0, float 0.0"), "f32")
    elif result in ("u32", "s32"):
        t.put(i.operands[0], t.value(f"sext i1 {test} to i32"), "s32")
    else:
        raise t.unsupported(f".{result}")
