"""Arithmetic of float16 and bfloat16, alone or in pairs (`f16x2`), in integers and float64."""

from __future__ import annotations

from .. import rounding
from ..registry import Modifiers
from ..syntax import Instruction
from ..translate import Translator
from . import floats

FORMATS = {"f16": rounding.F16, "bf16": rounding.BF16}


def widen(t: Translator, value: str, kind: str) -> str:
    """The float32 of the same value, from 16 bits."""
    wide = t.value(f"zext i16 {value} to i32")
    if kind.startswith("bf16"):
        return t.value(f"bitcast i32 {t.value(f'shl i32 {wide}, 16')} to float")
    if "widen.f16" not in t.prelude:
        t.prelude["widen.f16"] = WIDEN
    return t.value(f"call float @widen.f16(i32 {wide})")


# The bits of exponent and fraction are in place after a shift by 13; the exponent is 112 too
# small then, which a product with 2^112 mends, for subnormals too. Infinity and nan get the rest.
WIDEN = """define internal float @widen.f16(i32 %x) {
  %size = and i32 %x, 32767
  %placed = shl i32 %size, 13
  %small = bitcast i32 %placed to float
  %scaled = fmul float %small, 0x46F0000000000000
  %bits = bitcast float %scaled to i32
  %special = icmp uge i32 %size, 31744
  %endless = or i32 %placed, 2139095040
  %all = select i1 %special, i32 %endless, i32 %bits
  %signed = and i32 %x, 32768
  %sign = shl i32 %signed, 16
  %result = or i32 %all, %sign
  %float = bitcast i32 %result to float
  ret float %float
}
"""


def double(t: Translator, value: str, kind: str) -> str:
    return t.value(f"fpext float {widen(t, value, kind)} to double")


def narrow(t: Translator, value: str, kind: str, mode: str = "rn", finite: bool = False) -> str:
    """A float64 (exact, or rounded to odd) as 16 bits."""
    bits = rounding.narrow(t, t.prelude, value, FORMATS[kind], mode, finite)
    return t.value(f"trunc i32 {bits} to i16")


class _Lanes:
    """The halves of operands and results: one, or two packed in 32 bits."""

    def __init__(self, t: Translator, i: Instruction, kind: str) -> None:
        self.t, self.i, self.packed = t, i, kind.endswith("x2")
        self.kind = kind.removesuffix("x2")
        if self.kind not in FORMATS:
            raise t.unsupported(f".{kind}")

    def operands(self) -> list[list[str]]:
        """For each lane the operands, as 16 bits."""
        t = self.t
        if not self.packed:
            return [[t.get(operand, "b16") for operand in self.i.operands[1:]]]
        wholes = [t.get(operand, "b32") for operand in self.i.operands[1:]]
        low = [t.resize(whole, 32, 16) for whole in wholes]
        high = [t.resize(t.value(f"lshr i32 {whole}, 16"), 32, 16) for whole in wholes]
        return [low, high]

    def put(self, lanes: list[str]) -> None:
        t = self.t
        if not self.packed:
            t.put(self.i.operands[0], lanes[0], "b16")
            return
        high = t.value(f"shl i32 {t.resize(lanes[1], 16, 32)}, 16")
        t.put(self.i.operands[0], t.value(f"or i32 {t.resize(lanes[0], 16, 32)}, {high}"), "b32")


def arithmetic(t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
    m.flag("rn")
    if m.words and m.words != ["NaN"]:
        raise t.unsupported(f".{m.words[0]}")
    nan, lanes, results = m.flag("NaN"), _Lanes(t, i, kind), []
    for values in lanes.operands():
        if i.name in ("neg", "abs"):
            if i.name == "neg":
                results.append(t.value(f"xor i16 {values[0]}, -32768"))
            else:
                results.append(t.value(f"and i16 {values[0]}, 32767"))
            continue
        a, b = (double(t, value, lanes.kind) for value in values)
        if i.name == "add":
            value = rounding.odd_sum(t, a, b)
        elif i.name == "sub":
            value = rounding.odd_sum(t, a, t.value(f"fneg double {b}"))
        elif i.name == "mul":
            value = t.value(f"fmul double {a}, {b}")
        elif i.name in ("min", "max"):
            value = floats.extremum(t, i.name, nan, "double", [a, b])
        else:
            raise t.unsupported()
        results.append(narrow(t, value, lanes.kind))
    lanes.put(results)


def fused(t: Translator, i: Instruction, m: Modifiers, kind: str) -> None:
    m.flag("rn")
    relu, lanes, results = m.flag("relu"), _Lanes(t, i, kind), []
    for values in lanes.operands():
        a, b, c = (double(t, value, lanes.kind) for value in values)
        value = rounding.odd_sum(t, t.value(f"fmul double {a}, {b}"), c)
        if relu:  # negative is +0, nan stays
            negative = t.value(f"fcmp olt double {value}, 0.0")
            value = t.value(f"select i1 {negative}, double 0.0, double {value}")
        results.append(narrow(t, value, lanes.kind))
    lanes.put(results)
