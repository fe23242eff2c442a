"""What instructions should give: exact references for the emulator's tests, and kernels for them.

Floats are rounded here as fractions, in every direction, by other code than the emulator's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from tests.backends.cuda.emulator.testing import Array, entry
from tfc.backends.cuda.emulator import rounding

DTYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype("f2"),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype("f4"),
    "f64": np.dtype("f8"),
}
_SPECIAL = [0.0, -0.0, 1.0, -1.0, 1.5, -2.5, 0.5, 3.0, 1e-3, math.inf, -math.inf, math.nan]
_RANGES = {
    "f16": [6e-8, 3e-5, 6.1e-5, 65504.0, -65504.0],
    "bf16": [1e-40, 1.2e-38, 3.3e38],
    "f32": [1e-45, 1.17e-38, 1.18e-38, 3.4e38, -3.4e38, 1 + 2**-23, 16777217.0],
    "f64": [5e-324, 2.2e-308, 1.7e308, 1 + 2**-52, 2.0**53 + 2],
}


def dtype(kind: str) -> np.dtype[Any]:
    if kind in DTYPES:
        return DTYPES[kind]
    name = "u1" if kind == "pred" else f"{'i' if kind[0] == 's' else 'u'}{int(kind[1:]) // 8}"
    result: np.dtype[Any] = np.dtype(name)
    return result


def samples(kind: str) -> Array:
    """Numbers of a type that matter, and random ones."""
    draw = np.random.default_rng(7)
    target = dtype(kind)
    if kind in DTYPES:
        bits = draw.integers(0, 1 << 63, 12, np.uint64).astype(f"u{target.itemsize}")
        chosen = np.array(_SPECIAL + _RANGES[kind]).astype(target)
        near = (draw.standard_normal(8) * 4).astype(target)
        return np.concatenate([chosen, near, bits.view(target)])
    if kind == "pred":
        return np.array([0, 1], np.uint8)
    limits = np.iinfo(target)
    edges = [0, 1, 2, 3, 7, 31, 32, 33, limits.max, limits.max - 1, limits.min, limits.min + 1]
    bits = draw.integers(0, 1 << 63, 14, np.uint64).astype(f"u{target.itemsize}").view(target)
    return np.concatenate([np.array(edges, target), -np.array([1, 2, 5]).astype(target), bits])


def operands(kinds: list[str], count: int = 1000) -> list[Array]:
    """All pairs (or random triples) of samples."""
    sets = [samples(kind) for kind in kinds]
    if len(sets) <= 2:
        grid = np.meshgrid(*sets, indexing="ij")
        return [np.ascontiguousarray(axis.reshape(-1)) for axis in grid]
    draw = np.random.default_rng(11)
    return [values[draw.integers(0, len(values), count)] for values in sets]


class Case(NamedTuple):
    opcode: str
    result: str
    kinds: list[str]
    reference: Callable[..., Any]
    close: float = 0.0  # relative error that is allowed; 0: equal bits
    tail: str = ""  # operands behind the others

    @property
    def name(self) -> str:
        return "k_" + "".join(c if c.isalnum() else "_" for c in self.opcode + self.tail)


_PREFIX = {1: "%p", 8: "%h", 16: "%h", 32: "%r", 64: "%d"}


def width(kind: str) -> int:
    return 1 if kind == "pred" else dtype(kind).itemsize * 8


def text(case: Case) -> str:
    """A kernel that applies one instruction to element i of its arrays."""
    lines = ["mov.u32 %r70, %ctaid.x; mov.u32 %r71, %ntid.x; mov.u32 %r72, %tid.x;"]
    lines.append("mad.lo.u32 %r70, %r70, %r71, %r72; cvt.u64.u32 %d50, %r70;")
    lines.append(f"ld.param.u64 %d51, [p{len(case.kinds) + 1}];")
    lines.append("setp.ge.u64 %p10, %d50, %d51; @%p10 bra $end;")
    names = []
    for n, kind in enumerate(case.kinds):
        size, prefix = dtype(kind).itemsize, _PREFIX[width(kind)]
        register = f"{prefix}{n + 1}"
        lines.append(f"ld.param.u64 %d52, [p{n}]; mad.lo.u64 %d52, %d50, {size}, %d52;")
        if kind == "pred":
            lines.append(f"ld.global.u8 %h30, [%d52]; setp.ne.u16 {register}, %h30, 0;")
        else:
            lines.append(
                f"ld.global.{'s' if kind[0] == 's' else 'b'}{8 * size} {register}, [%d52];"
            )
        names.append(register)
    target = f"{_PREFIX[width(case.result)]}20".replace("%p20", "%p15")
    lines.append(f"{case.opcode} {', '.join([target, *names])}{case.tail};")
    size = dtype(case.result).itemsize
    lines.append(f"ld.param.u64 %d52, [p{len(case.kinds)}]; mad.lo.u64 %d52, %d50, {size}, %d52;")
    if case.result == "pred":
        lines.append("selp.u16 %h20, 1, 0, %p15; st.global.u8 [%d52], %h20;")
    else:
        lines.append(f"st.global.b{8 * size} [%d52], {target};")
    lines.append("$end: ret;".replace("$end", "$end"))
    body = "\n".join(lines).replace("$end", f"$end_{case.name}")
    return entry(case.name, body, len(case.kinds) + 2)


# -- exact references: numbers as fractions, rounded to a format in every direction ----------------


def rounded(value: Fraction, to: rounding.Format, mode: str, sign: bool) -> float:
    """A finite number rounded; `sign` is that of a zero."""
    if value == 0:
        return -0.0 if sign else 0.0
    negative, size = value < 0, abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, to.least_exponent) - to.precision + 1)
    down = size // unit
    rest = size / unit - down
    up = {
        "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and down % 2 == 1),
        "rna": rest >= Fraction(1, 2),
        "rz": False,
        "rp": rest > 0 and not negative,
        "rm": rest > 0 and negative,
    }[mode]
    result = (down + up) * unit
    bias = (1 << (to.exponent_bits - 1)) - 1
    largest = (2 - Fraction(2) ** (1 - to.precision)) * Fraction(2) ** bias
    if result > largest:
        away = {"rn": True, "rna": True, "rz": False, "rp": not negative, "rm": negative}[mode]
        return (-1 if negative else 1) * (math.inf if away else float(largest))
    return (-1 if negative else 1) * float(result)


_EXACT: dict[str, Callable[..., Fraction]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "fma": lambda a, b, c: a * b + c,
}
NUMPY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "fma": lambda a, b, c: a * b + c,
    "sqrt": np.sqrt,
}


def directed(name: str, to: rounding.Format, mode: str) -> Callable[..., Array]:
    """An operation on small floats in one direction; specials are what float64 says."""

    def one(*values: float) -> float:
        special = float(NUMPY[name](*(np.float64(v) for v in values)))
        if not all(math.isfinite(v) for v in values) or not math.isfinite(special):
            return special
        if name == "sqrt":
            # Far more digits than any format has, and a bit that says whether it is exact.
            scaled = Fraction(values[0]) * 4**200
            root = math.isqrt(int(scaled))
            exact = Fraction(root, 2**200)
            if exact * exact != Fraction(values[0]):
                exact += Fraction(1, 2**201)
            return rounded(exact, to, mode, math.copysign(1, values[0]) < 0)
        exact = _EXACT[name](*(Fraction(v) for v in values))
        sign = math.copysign(1, special) < 0
        if exact == 0 and name in ("add", "sub", "fma") and mode == "rm":
            first = values[0] * values[1] if name == "fma" else values[0]
            second = -values[1] if name == "sub" else values[-1]
            sign = math.copysign(1, first) < 0 or math.copysign(1, second) < 0
        return rounded(exact, to, mode, sign)

    def apply(*arrays: Array) -> Array:
        rows = zip(*(array.astype(np.float64).tolist() for array in arrays), strict=True)
        return np.array([one(*row) for row in rows])

    return apply


def convert(to: rounding.Format, mode: str) -> Callable[[Array], Array]:
    def one(value: float) -> float:
        if not math.isfinite(value):
            return value
        return rounded(Fraction(value), to, mode, math.copysign(1, value) < 0)

    return lambda array: np.array([one(float(v)) for v in array.astype(np.float64)])


def from_integer(to: rounding.Format, mode: str) -> Callable[[Array], Array]:
    return lambda array: np.array([rounded(Fraction(int(v)), to, mode, False) for v in array])


def to_integer(kind: str, how: str) -> Callable[[Array], Array]:
    limits = np.iinfo(dtype(kind))
    step: dict[str, Callable[[float], int]] = {
        "rzi": math.trunc,
        "rni": round,
        "rmi": math.floor,
        "rpi": math.ceil,
    }

    def apply(array: Array) -> Array:
        nan = 0
        if array.dtype == np.float64 or limits.bits == 64:
            nan = limits.min if kind[0] == "s" else 1 << (limits.bits - 1)
        results = []
        for value in array.astype(np.float64).tolist():
            if math.isnan(value):
                results.append(nan)
            elif math.isinf(value):
                results.append(limits.max if value > 0 else limits.min)
            else:
                results.append(min(max(step[how](value), limits.min), limits.max))
        return np.array(results, dtype(kind))

    return apply


def as_ints(operation: Callable[..., int], kind: str) -> Callable[..., Array]:
    """An operation on Python's integers, wrapped to a type."""
    bits = width(kind)

    def apply(*arrays: Array) -> Array:
        rows = zip(*(array.tolist() for array in arrays), strict=True)
        values = [operation(*row) & ((1 << bits) - 1) for row in rows]
        return np.array(values, f"u{bits // 8}").view(dtype(kind))

    return apply


def quotient(a: int, b: int) -> int:
    """Towards zero; by zero all bits are set, as on the machine."""
    return -1 if b == 0 else math.trunc(Fraction(a, b))


def remainder(a: int, b: int) -> int:
    return a if b == 0 else a - b * math.trunc(Fraction(a, b))


def minimum(a: Array, b: Array, nan: bool = False, sign: int = 1) -> Array:
    """-0 < +0; a nan loses, or wins."""
    x, y = np.copysign(a, a) * sign, np.copysign(b, b) * sign
    lower = (x < y) | ((x == y) & np.signbit(x))
    result = np.where(lower | np.isnan(y), a, b)
    result = np.where(np.isnan(x) & ~np.isnan(y), b, result)
    return np.where(np.isnan(x) | np.isnan(y), np.nan, result) if nan else result


def field(a: int, place: int, length: int, bits: int, signed: bool) -> int:
    place, length = place & 255, length & 255
    whole = a & ((1 << bits) - 1)
    if length == 0:
        return 0
    top = whole >> min(place + length - 1, bits - 1) & 1 if signed else 0
    return sum(
        ((whole >> (place + i) & 1) if i < length and place + i < bits else top) << i
        for i in range(bits)
    )


def insert(a: int, b: int, place: int, length: int, bits: int) -> int:
    place, length = place & 255, length & 255
    result = b
    for i in range(length):
        if place + i < bits:
            bit = 1 << (place + i)
            result = result & ~bit | (bit if a >> i & 1 else 0)
    return result


def permute(a: int, b: int, selector: int) -> int:
    data = ((b & 0xFFFFFFFF) << 32 | a & 0xFFFFFFFF).to_bytes(8, "little")
    result = 0
    for i in range(4):
        nibble = selector >> 4 * i & 15
        byte = data[nibble & 7]
        result |= ((255 if byte & 128 else 0) if nibble & 8 else byte) << 8 * i
    return result


def funnel(low: int, high: int, amount: int, left: bool, clamp: bool) -> int:
    amount = min(amount, 32) if clamp else amount & 31
    wide = (high & 0xFFFFFFFF) << 32 | low & 0xFFFFFFFF
    return (wide << amount) >> 32 if left else wide >> amount
