"""Rounding in integer arithmetic: from float64 to every smaller format, in every direction.

What is computed in a small format is computed in float64 first. Where that is not exact it is
rounded *to odd*: to the neighbour whose last bit is 1. Then rounding once more gives what one
rounding would have given (Boldo and Melquiond, "Emulation of a FMA and correctly rounded sums",
2008), as float64 has more than two bits more than any of the formats.
"""

from __future__ import annotations

from typing import NamedTuple

from .writer import Writer


class Format(NamedTuple):
    """A binary float format: `precision` counts the implicit bit; `shift` places its bits."""

    name: str
    precision: int
    exponent_bits: int
    nan: int  # the canonical nan, as bits of the format
    largest: int  # the bits of the largest finite number
    has_infinity: bool = True
    shift: int = 0  # zeros below the format's bits

    @property
    def least_exponent(self) -> int:
        return 2 - (1 << (self.exponent_bits - 1))

    @property
    def bits(self) -> int:
        return self.precision + self.exponent_bits


F16 = Format("f16", 11, 5, 0x7FFF, 0x7BFF)
BF16 = Format("bf16", 8, 8, 0x7FFF, 0x7F7F)
F32 = Format("f32", 24, 8, 0x7FFFFFFF, 0x7F7FFFFF)
TF32 = Format("tf32", 11, 8, 0x7FFFFFFF >> 13, 0x7F7FE000 >> 13, shift=13)
E5M2 = Format("e5m2", 3, 5, 0x7F, 0x7B)
E4M3 = Format("e4m3", 4, 4, 0x7F, 0x7E, has_infinity=False)
MODES = ("rn", "rz", "rm", "rp", "rna")


def narrow(
    w: Writer, prelude: dict[str, str], value: str, to: Format, mode: str, finite: bool = False
) -> str:
    """The bits (i32) of a float64 rounded to the format; too large is the largest if `finite`."""
    name = f"narrow.{to.name}.{mode}{'.finite' if finite else ''}"
    if name not in prelude:
        prelude[name] = _narrow(name, to, mode, finite)
    return w.value(f"call i32 @{name}(double {value})")


def _narrow(name: str, to: Format, mode: str, finite: bool) -> str:
    w = Writer()
    sign_bit = 1 << (to.bits - 1)
    whole = w.value("bitcast double %x to i64")
    negative = w.value(f"icmp slt i64 {whole}, 0")
    sign = w.value(f"select i1 {negative}, i32 {sign_bit}, i32 0")
    size = w.value(f"and i64 {whole}, {(1 << 63) - 1}")
    biased = w.value(f"lshr i64 {size}, 52")
    fraction = w.value(f"and i64 {size}, {(1 << 52) - 1}")
    tiny = w.value(f"icmp eq i64 {biased}, 0")
    exponent = w.value(f"select i1 {tiny}, i64 -1022, i64 {w.value(f'sub i64 {biased}, 1023')}")
    hidden = w.value(f"select i1 {tiny}, i64 0, i64 {1 << 52}")
    significand = w.value(f"or i64 {fraction}, {hidden}")
    # x = significand * 2^(exponent - 52); its last bit in the format is 2^(unit)
    kept = w.intrinsic("llvm.smax.i64", "i64", exponent, str(to.least_exponent))
    below = w.value(f"sub i64 {kept}, {exponent}")
    shift = w.value(f"add i64 {below}, {52 - (to.precision - 1)}")
    shift = w.intrinsic("llvm.smin.i64", "i64", shift, "62")
    quotient = w.value(f"lshr i64 {significand}, {shift}")
    one = w.value(f"shl i64 1, {shift}")
    rest = w.value(f"and i64 {significand}, {w.value(f'sub i64 {one}, 1')}")
    half = w.value(f"lshr i64 {one}, 1")
    inexact = w.value(f"icmp ne i64 {rest}, 0")
    if mode == "rn":
        above = w.value(f"icmp ugt i64 {rest}, {half}")
        tie = w.value(f"icmp eq i64 {rest}, {half}")
        odd = w.value(f"trunc i64 {quotient} to i1")
        up = w.value(f"or i1 {above}, {w.value(f'and i1 {tie}, {odd}')}")
    elif mode == "rna":
        up = w.value(f"icmp uge i64 {rest}, {half}")
    elif mode == "rz":
        up = "false"
    elif mode == "rp":
        up = w.value(f"and i1 {inexact}, {w.value(f'xor i1 {negative}, true')}")
    else:
        up = w.value(f"and i1 {inexact}, {negative}")
    quotient = w.value(f"add i64 {quotient}, {w.value(f'zext i1 {up} to i64')}")
    # The implicit bit adds 1 to the exponent field, and a carry out of the fraction another.
    field = w.value(f"sub i64 {kept}, {to.least_exponent}")
    bits = w.value(f"add i64 {w.value(f'shl i64 {field}, {to.precision - 1}')}, {quotient}")
    infinity = ((1 << to.exponent_bits) - 1) << (to.precision - 1)
    over = w.value(f"icmp ugt i64 {bits}, {to.largest}")
    if finite:
        beyond = str(to.largest)
    elif not to.has_infinity:
        beyond = str(to.nan)
    else:
        away = {"rn": "true", "rna": "true", "rz": "false"}.get(mode)
        if away is None:
            away = negative if mode == "rm" else w.value(f"xor i1 {negative}, true")
        # What is infinite stays so; what is too large is rounded by the mode.
        endless = w.value(f"icmp eq i64 {size}, {0x7FF << 52}")
        away = w.value(f"or i1 {away}, {endless}")
        beyond = w.value(f"select i1 {away}, i64 {infinity}, i64 {to.largest}")
    bits = w.value(f"select i1 {over}, i64 {beyond}, i64 {bits}")
    result = w.value(f"or i32 {w.value(f'trunc i64 {bits} to i32')}, {sign}")
    nan = w.value(f"icmp ugt i64 {size}, {0x7FF << 52}")
    result = w.value(f"select i1 {nan}, i32 {to.nan}, i32 {result}")
    if to.shift:
        result = w.value(f"shl i32 {result}, {to.shift}")
        if to is TF32:
            result = w.value(f"select i1 {nan}, i32 {0x7FFFFFFF}, i32 {result}")
    w.line(f"ret i32 {result}")
    return _with_declarations(w, f"internal i32 @{name}(double %x)")


def _with_declarations(w: Writer, signature: str) -> str:
    # Declarations repeat among functions; whoever joins them keeps one of each.
    return "\n".join([w.function(signature), *w.declarations.values()])


def sticky(w: Writer, total: str, error: str) -> str:
    """A float64 `total` that is `error` (a float64) off, rounded to odd instead."""
    bits = w.value(f"bitcast double {total} to i64")
    even = w.value(f"icmp eq i64 {w.value(f'and i64 {bits}, 1')}, 0")
    exact = w.value(f"fcmp oeq double {error}, 0.0")
    finite = w.value(f"fcmp ord double {error}, {error}")
    inexact = w.value(f"and i1 {w.value(f'xor i1 {exact}, true')}, {finite}")
    change = w.value(f"and i1 {even}, {inexact}")
    error_bits = w.value(f"bitcast double {error} to i64")
    differ = w.value(f"icmp slt i64 {w.value(f'xor i64 {bits}, {error_bits}')}, 0")
    step = w.value(f"select i1 {differ}, i64 -1, i64 1")
    moved = w.value(f"add i64 {bits}, {w.value(f'select i1 {change}, i64 {step}, i64 0')}")
    return w.value(f"bitcast i64 {moved} to double")


def odd_sum(w: Writer, a: str, b: str) -> str:
    """a + b in float64, rounded to odd (Knuth's TwoSum gives the error)."""
    total = w.value(f"fadd double {a}, {b}")
    b_part = w.value(f"fsub double {total}, {a}")
    a_part = w.value(f"fsub double {total}, {b_part}")
    a_error = w.value(f"fsub double {a}, {a_part}")
    b_error = w.value(f"fsub double {b}, {b_part}")
    return sticky(w, total, w.value(f"fadd double {a_error}, {b_error}"))


def odd_quotient(w: Writer, a: str, b: str) -> str:
    """a / b in float64 for operands of at most 24 bits, rounded to odd."""
    quotient = w.value(f"fdiv double {a}, {b}")
    minus = w.value(f"fneg double {quotient}")
    rest = w.intrinsic("llvm.fma.f64", "double", minus, b, a)
    sign = w.intrinsic("llvm.copysign.f64", "double", "1.0", b)
    return sticky(w, quotient, w.value(f"fmul double {rest}, {sign}"))


def odd_root(w: Writer, a: str) -> str:
    """The square root of a number of at most 24 bits, in float64, rounded to odd."""
    root = w.intrinsic("llvm.sqrt.f64", "double", a)
    minus = w.value(f"fneg double {root}")
    return sticky(w, root, w.intrinsic("llvm.fma.f64", "double", minus, root, a))
