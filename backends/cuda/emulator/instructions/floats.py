"""Arithmetic of float32 and float64.

Exactly IEEE, in every rounding direction, with `.ftz` and `.sat`. The `.approx` forms give the
float64 result rounded to float32, which is at least as exact as the machine: what depends on their
last bits is tested on hardware only.
"""

from __future__ import annotations

from .. import rounding
from ..registry import FLOATS, Modifiers, instruction
from ..syntax import Instruction
from ..translate import Translator

_OPERATIONS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_DIRECTED = ("rz", "rm", "rp")
_ROUNDINGS = ("rn", *_DIRECTED)


def flush(t: Translator, value: str) -> str:
    """A float32 whose subnormals are zeros of the same sign."""
    size = t.intrinsic("llvm.fabs.f32", "float", value)
    small = t.value(f"fcmp olt float {size}, 0x3810000000000000")  # 2^-126
    zero = t.intrinsic("llvm.copysign.f32", "float", "0.0", value)
    return t.value(f"select i1 {small}, float {zero}, float {value}")


def saturate(t: Translator, value: str, kind: str) -> str:
    """A float clamped to [0, 1]; nan is +0."""
    name = FLOATS[kind]
    above = t.value(f"fcmp ogt {name} {value}, 0.0")
    value = t.value(f"select i1 {above}, {name} {value}, {name} 0.0")
    over = t.value(f"fcmp ogt {name} {value}, 1.0")
    return t.value(f"select i1 {over}, {name} 1.0, {name} {value}")


class _Result:
    """What the modifiers say about operands and result of one instruction."""

    def __init__(self, t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
        self.t, self.i, self.kind, self.name = t, i, kind, FLOATS[kind]
        self.mode = m.one_of(*_ROUNDINGS) or "rn"
        self.ftz, self.sat = m.flag("ftz"), m.flag("sat")
        if self.ftz and kind == "f64":
            raise t.unsupported(".ftz of float64")
        if self.mode != "rn" and kind == "f64":
            raise t.unsupported(f".{self.mode} of float64")

    def operands(self) -> list[str]:
        values = [self.t.get(operand, self.kind) for operand in self.i.operands[1:]]
        return [flush(self.t, value) for value in values] if self.ftz else values

    def doubles(self, values: list[str]) -> list[str]:
        return [self.t.value(f"fpext float {value} to double") for value in values]

    def rounded(self, value: str) -> str:
        """A float64 (exact, or rounded to odd) as a float32, in this direction."""
        bits = rounding.narrow(self.t, self.t.prelude, value, rounding.F32, self.mode)
        return self.t.value(f"bitcast i32 {bits} to float")

    def put(self, value: str) -> None:
        if self.ftz:
            value = flush(self.t, value)
        if self.sat:
            value = saturate(self.t, value, self.kind)
        self.t.put_number(self.i.operands[0], value, self.kind)


def arithmetic(t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
    name = i.name
    if name in ("neg", "abs"):
        _sign(t, i, m, kind)
    elif name in ("min", "max"):
        _extremum(t, i, m, kind)
    elif name == "rem":
        raise t.unsupported()
    elif name == "div" and m.flag("approx", "full"):
        result = _Result(t, i, m, kind)
        a, b = result.operands()
        result.put(t.value(f"fdiv {result.name} {a}, {b}"))
    else:
        result = _Result(t, i, m, kind)
        values = result.operands()
        if result.mode == "rn":
            result.put(t.value(f"{_OPERATIONS[name]} {result.name} {values[0]}, {values[1]}"))
            return
        a, b = result.doubles(values)
        if name == "div":
            value = rounding.odd_quotient(t, a, b)
        elif name == "mul":
            value = t.value(f"fmul double {a}, {b}")
        else:
            value = rounding.odd_sum(t, a, b if name == "add" else t.value(f"fneg double {b}"))
        result.put(_zero_of_sum(t, name, result, a, b, result.rounded(value)))


def _zero_of_sum(t: Translator, name: str, result: _Result, a: str, b: str, value: str) -> str:
    """An exact sum of zero is -0 when rounding down, unless both terms are +0."""
    if result.mode != "rm" or name not in ("add", "sub"):
        return value
    zero = t.value(f"fcmp oeq float {value}, 0.0")
    minus_b = b if name == "sub" else t.value(f"fneg double {b}")
    opposite = t.value(f"fcmp oeq double {a}, {minus_b}")
    a_bits = t.value(f"bitcast double {a} to i64")
    b_bits = t.value(f"bitcast double {minus_b} to i64")
    both = t.value(f"icmp slt i64 {t.value(f'xor i64 {a_bits}, {b_bits}')}, 0")
    plus = t.value(f"icmp sge i64 {a_bits}, 0")
    positive = t.value(f"and i1 {both}, {plus}")  # +0 + +0
    change = t.value(f"and i1 {zero}, {opposite}")
    change = t.value(f"and i1 {change}, {t.value(f'xor i1 {positive}, true')}")
    return t.value(f"select i1 {change}, float -0.0, float {value}")


def _sign(t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
    ftz, name = m.flag("ftz"), FLOATS[kind]
    value = t.get(i.operands[1], kind)
    if ftz:
        value = flush(t, value)
    if i.name == "neg":
        value = t.value(f"fneg {name} {value}")
    else:
        value = t.intrinsic(f"llvm.fabs.{kind}", name, value)
    t.put_number(i.operands[0], value, kind)


def _extremum(t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
    """-0 is less than +0; a nan gives the other operand, or nan with `.NaN`."""
    ftz, nan, absolute = m.flag("ftz"), m.flag("NaN"), m.flag("xorsign")
    if absolute or "abs" in m.words:
        raise t.unsupported()
    name = FLOATS[kind]
    values = [t.get(operand, kind) for operand in i.operands[1:]]
    if ftz:
        values = [flush(t, value) for value in values]
    t.put_number(i.operands[0], extremum(t, i.name, nan, name, values), kind)


def extremum(t: Translator, which: str, nan: bool, name: str, values: list[str]) -> str:
    kind = {"float": "f32", "double": "f64"}[name]
    suffix = "imum" if nan else "imumnum"
    value = values[0]
    for other in values[1:]:
        value = t.intrinsic(f"llvm.{which}{suffix}.{kind}", name, value, other)
    return value


def fused(t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
    """a * b + c with one rounding."""
    result = _Result(t, i, m, kind)
    values = result.operands()
    if result.mode == "rn":
        result.put(t.intrinsic(f"llvm.fma.{kind}", result.name, *values))
        return
    a, b, c = result.doubles(values)
    product = t.value(f"fmul double {a}, {b}")
    value = result.rounded(rounding.odd_sum(t, product, c))
    result.put(_zero_of_sum(t, "add", result, product, c, value))


@instruction("rcp", "sqrt", "rsqrt")
def _roots(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind, approx = m.last(), m.flag("approx")
    result = _Result(t, i, m, kind)
    (value,) = result.operands()
    if result.mode != "rn":
        (wide,) = result.doubles([value])
        if i.name == "sqrt":
            result.put(result.rounded(rounding.odd_root(t, wide)))
        else:
            result.put(result.rounded(rounding.odd_quotient(t, "1.0", wide)))
        return
    if i.name == "rcp":
        result.put(t.value(f"fdiv {result.name} 1.0, {value}"))
    elif i.name == "sqrt":
        result.put(t.intrinsic(f"llvm.sqrt.{kind}", result.name, value))
    else:
        if not approx:
            raise t.unsupported("rsqrt without .approx")
        wide = value if kind == "f64" else t.value(f"fpext float {value} to double")
        root = t.intrinsic("llvm.sqrt.f64", "double", wide)
        quotient = t.value(f"fdiv double 1.0, {root}")
        if kind == "f32":
            quotient = t.value(f"fptrunc double {quotient} to float")
        result.put(quotient)


_LIBRARY = {"ex2": "exp2", "lg2": "log2", "sin": "sin", "cos": "cos", "tanh": "tanh"}


@instruction("ex2", "lg2", "sin", "cos", "tanh")
def _approximate(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind = m.last()
    if not m.flag("approx") or kind != "f32":
        raise t.unsupported()
    result = _Result(t, i, m, kind)
    (wide,) = result.doubles(result.operands())
    t.declare(_LIBRARY[i.name], "double @(double)")
    value = t.value(f"call double @{_LIBRARY[i.name]}(double {wide})")
    result.put(t.value(f"fptrunc double {value} to float"))


@instruction("copysign")
def _copysign(t: Translator, i: Instruction, m: Modifiers) -> None:
    """The sign of the first operand with the size of the second, as bits."""
    width = {"f32": 32, "f64": 64}[m.last()]
    sign, size = (t.get(operand, f"b{width}") for operand in i.operands[1:])
    sign = t.value(f"and i{width} {sign}, {-(1 << (width - 1))}")
    size = t.value(f"and i{width} {size}, {(1 << (width - 1)) - 1}")
    t.put(i.operands[0], t.value(f"or i{width} {sign}, {size}"), f"b{width}")


@instruction("testp")
def _test(t: Translator, i: Instruction, m: Modifiers) -> None:
    kind, what = m.last(), m.first()
    name = FLOATS[kind]
    value = t.get(i.operands[1], kind)
    classes = {
        "finite": 0x1F8,
        "infinite": 0x204,
        "number": 0x3FC,
        "notanumber": 0x003,
        "normal": 0x108,
        "subnormal": 0x090,
    }
    t.declare(f"llvm.is.fpclass.{kind}", f"i1 @({name}, i32)")
    mask = classes[what]
    test = t.value(f"call i1 @llvm.is.fpclass.{kind}({name} {value}, i32 {mask})")
    t.put(i.operands[0], test, "pred")


def compare(t: Translator, how: str, kind: str, a: str, b: str) -> str:
    """A comparison of floats as an i1: `lt` is false with a nan, `ltu` is true."""
    if how in ("num", "nan"):
        test = "ord" if how == "num" else "uno"
    elif how in ("eq", "ne", "lt", "le", "gt", "ge"):
        test = "o" + how
    elif how in ("equ", "neu", "ltu", "leu", "gtu", "geu"):
        test = "u" + how[:2]
    else:
        raise t.unsupported(f".{how}")
    return t.value(f"fcmp {test} {FLOATS[kind]} {a}, {b}")
