"""`cvt`: between all widths of integers and floats, in all directions of rounding."""

from __future__ import annotations

from .. import rounding
from ..registry import Modifiers, instruction
from ..syntax import Instruction, bits
from ..translate import Translator
from . import floats, half

_TO_INTEGER = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_HALVES = ("f16", "bf16")
_PAIRS = ("f16x2", "bf16x2", "e4m3x2", "e5m2x2")


def _is_float(kind: str) -> bool:
    return kind in ("f16", "bf16", "f32", "f64", "tf32")


@instruction("cvt")
def _convert(t: Translator, i: Instruction, m: Modifiers) -> None:
    source, target = m.last(), m.last()
    if target in _PAIRS or source in _PAIRS:
        _pack(t, i, m, target, source)
        return
    how = m.one_of(*_TO_INTEGER)
    mode = m.one_of("rna", "rn", "rz", "rm", "rp")
    finite = m.flag("satfinite")
    relu, ftz, sat = m.flag("relu"), m.flag("ftz"), m.flag("sat")
    operand, place = i.operands[1], i.operands[0]
    if relu:
        raise t.unsupported(".relu")
    if not _is_float(source) and not _is_float(target):
        value = _between_integers(t, t.get(operand, source), source, target, sat)
        t.put(place, value, target)
    elif not _is_float(target):
        if how is None:
            raise t.unsupported("a conversion to integers without .rzi, .rni, .rmi or .rpi")
        _to_integer(t, i, source, target, how, ftz)
    elif not _is_float(source):
        _from_integer(t, i, source, target, mode or "rn", sat)
    else:
        if finite and target != "tf32":
            raise t.unsupported(".satfinite")
        value, kind = _read(t, i, source)
        if ftz and source == "f32":
            value = floats.flush(t, value)
        if how is not None:
            value = t.intrinsic(f"llvm.{_TO_INTEGER[how]}.{kind}", _name(kind), value)
        _write_float(t, i, value, kind, target, mode or "rn", ftz, sat, finite)


def _name(kind: str) -> str:
    return {"f32": "float", "f64": "double"}[kind]


def _read(t: Translator, i: Instruction, source: str) -> tuple[str, str]:
    """The operand as float32 or float64, and which it is."""
    operand = i.operands[1]
    if source in _HALVES:
        return half.widen(t, t.get(operand, "b16"), source), "f32"
    if source == "f32":  # by its bits: whether a nan is canonical shows in float64
        return t.value(f"bitcast i32 {t.get(operand, 'b32')} to float"), "f32"
    return t.get(operand, "f64"), "f64"


def _write_float(
    t: Translator,
    i: Instruction,
    value: str,
    kind: str,
    target: str,
    mode: str,
    ftz: bool = False,
    sat: bool = False,
    finite: bool = False,
) -> None:
    """Round a float32 or float64 (exact, or rounded to odd) to the target and write it."""
    place = i.operands[0]
    if sat:
        value = floats.saturate(t, value, kind)
    if target == "f64":
        t.put(place, value if kind == "f64" else t.value(f"fpext float {value} to double"), "f64")
        return
    if target == "f32":
        if kind == "f64" and mode == "rn":
            value = t.value(f"fptrunc double {value} to float")
        elif kind == "f64":
            narrowed = rounding.narrow(t, t.prelude, value, rounding.F32, mode)
            value = t.value(f"bitcast i32 {narrowed} to float")
        t.put_number(place, floats.flush(t, value) if ftz else value, "f32")
        return
    wide = value if kind == "f64" else t.value(f"fpext float {value} to double")
    if target == "tf32":
        t.put(place, rounding.narrow(t, t.prelude, wide, rounding.TF32, mode, finite), "b32")
    else:
        t.put(place, half.narrow(t, wide, target, mode), "b16")


def _between_integers(t: Translator, value: str, source: str, target: str, sat: bool) -> str:
    own, width = bits(source), bits(target)
    if sat:
        # Clamp in a width that holds both ranges.
        wide = max(own, width) + 1
        value = t.resize(value, own, wide, signed=source[0] == "s")
        low = -(1 << (width - 1)) if target[0] == "s" else 0
        high = (1 << (width - 1)) - 1 if target[0] == "s" else (1 << width) - 1
        value = t.intrinsic(f"llvm.smax.i{wide}", f"i{wide}", value, str(low))
        value = t.intrinsic(f"llvm.smin.i{wide}", f"i{wide}", value, str(high))
        return t.resize(value, wide, width)
    return t.resize(value, own, width, signed=source[0] == "s")


def _to_integer(
    t: Translator, i: Instruction, source: str, target: str, how: str, ftz: bool
) -> None:
    """Too large gives the nearest integer; nan gives 0, or the top bit where 64 bits take part."""
    value, kind = _read(t, i, source)
    if ftz:
        value = floats.flush(t, value)
    name, width, sign = _name(kind), bits(target), "s" if target[0] == "s" else "u"
    value = t.intrinsic(f"llvm.{_TO_INTEGER[how]}.{kind}", name, value)
    function = f"llvm.fpto{sign}i.sat.i{width}.{kind}"
    t.declare(function, f"i{width} @({name})")
    result = t.value(f"call i{width} @{function}({name} {value})")
    if source == "f64" or width == 64:
        nan = t.value(f"fcmp uno {name} {value}, {value}")
        result = t.value(f"select i1 {nan}, i{width} {-(1 << (width - 1))}, i{width} {result}")
    t.put(i.operands[0], result, target)


def _from_integer(
    t: Translator, i: Instruction, source: str, target: str, mode: str, sat: bool
) -> None:
    value, own = t.get(i.operands[1], source), bits(source)
    convert = "sitofp" if source[0] == "s" else "uitofp"
    if mode == "rn" and target in ("f32", "f64"):
        kind, name = target, _name(target)
        _write_float(
            t, i, t.value(f"{convert} i{own} {value} to {name}"), kind, target, mode, sat=sat
        )
        return
    if own < 64:  # exact in float64
        wide = t.value(f"{convert} i{own} {value} to double")
    else:  # high * 2^32 + low, both exact, their sum rounded to odd
        shift = "ashr" if source[0] == "s" else "lshr"
        high = t.value(f"{convert} i64 {t.value(f'{shift} i64 {value}, 32')} to double")
        high = t.value(f"fmul double {high}, 4294967296.0")
        low = t.value(f"uitofp i64 {t.value(f'and i64 {value}, 4294967295')} to double")
        if target == "f64":
            raise t.unsupported(f".{mode} of float64")
        wide = rounding.odd_sum(t, high, low)
    if target == "f64":
        t.put(i.operands[0], wide, "f64")
        return
    _write_float(t, i, wide, "f64", target, mode, sat=sat)


def _pack(t: Translator, i: Instruction, m: Modifiers, target: str, source: str) -> None:
    """Two float32 into two small floats: the first operand is the upper one."""
    formats = {
        "f16x2": (rounding.F16, 16),
        "bf16x2": (rounding.BF16, 16),
        "e4m3x2": (rounding.E4M3, 8),
        "e5m2x2": (rounding.E5M2, 8),
    }
    if source != "f32" or target not in formats:
        raise t.unsupported()
    mode = m.one_of("rn", "rz") or "rn"
    finite, relu = m.flag("satfinite"), m.flag("relu")
    to, width = formats[target]
    result = "0"
    for operand, place in ((i.operands[1], width), (i.operands[2], 0)):
        value = t.get(operand, "f32")
        if relu:
            negative = t.value(f"fcmp olt float {value}, 0.0")
            value = t.value(f"select i1 {negative}, float 0.0, float {value}")
        wide = t.value(f"fpext float {value} to double")
        bits_ = rounding.narrow(t, t.prelude, wide, to, mode, finite)
        result = t.value(f"or i32 {result}, {t.value(f'shl i32 {bits_}, {place}')}")
    kind = f"b{2 * width}"
    t.put(i.operands[0], t.resize(result, 32, 2 * width), kind)
