"""The PTX emulator computes each instruction exactly: against NumPy, and against fractions."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from itertools import product

import numpy as np
import pytest

from tests.backends.cuda.emulator.references import (
    DTYPES,
    NUMPY,
    Case,
    as_ints,
    convert,
    directed,
    dtype,
    field,
    from_integer,
    funnel,
    insert,
    minimum,
    operands,
    permute,
    quotient,
    remainder,
    text,
    to_integer,
    width,
)
from tests.backends.cuda.emulator.testing import Array, assemble, head, run
from tfc.backends.cuda.emulator import rounding


def integer_cases() -> list[Case]:
    cases = []
    for kind in ("s16", "u16", "s32", "u32", "s64", "u64"):
        bits = width(kind)
        both = [kind, kind]
        ops: dict[str, Callable[..., int]] = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul.lo": lambda a, b: a * b,
            "mul.hi": lambda a, b, bits=bits: (a * b) >> bits,
            "min": min,
            "max": max,
            "div": quotient,
            "rem": remainder,
        }
        cases += [Case(f"{n}.{kind}", kind, both, as_ints(f, kind)) for n, f in ops.items()]
        cases.append(
            Case(f"mad.lo.{kind}", kind, [kind] * 3, as_ints(lambda a, b, c: a * b + c, kind))
        )
        if bits < 64:
            wide = f"{kind[0]}{2 * bits}"
            cases.append(Case(f"mul.wide.{kind}", wide, both, as_ints(lambda a, b: a * b, wide)))
            cases.append(
                Case(
                    f"mad.wide.{kind}",
                    wide,
                    [kind, kind, wide],
                    as_ints(lambda a, b, c: a * b + c, wide),
                )
            )

        def shift(a: int, n: int, bits: int = bits) -> int:
            return a >> min(n, 2 * bits)

        cases.append(Case(f"shr.{kind}", kind, [kind, "u32"], as_ints(shift, kind)))
        for how, test in (
            ("eq", np.equal),
            ("ne", np.not_equal),
            ("lt", np.less),
            ("ge", np.greater_equal),
        ):
            cases.append(Case(f"setp.{how}.{kind}", "pred", both, test))
        if kind[0] == "s":
            cases.append(Case(f"neg.{kind}", kind, [kind], as_ints(lambda a: -a, kind)))
            cases.append(Case(f"abs.{kind}", kind, [kind], as_ints(abs, kind)))
    for n in (16, 32, 64):
        kind = f"b{n}"
        for name, f in (("and", np.bitwise_and), ("or", np.bitwise_or), ("xor", np.bitwise_xor)):
            cases.append(Case(f"{name}.{kind}", kind, [kind, kind], f))
        cases.append(Case(f"not.{kind}", kind, [kind], np.invert))
        cases.append(
            Case(f"shl.{kind}", kind, [kind, "u32"], as_ints(lambda a, k: a << min(k, 99), kind))
        )
        cases.append(
            Case(
                f"selp.{kind}",
                kind,
                [kind, kind, "pred"],
                lambda a, b, p: np.where(p != 0, a, b),
            )
        )
    for n in (32, 64):
        kind = f"b{n}"
        cases.append(Case(f"popc.{kind}", "u32", [kind], as_ints(int.bit_count, "u32")))
        cases.append(
            Case(f"clz.{kind}", "u32", [kind], as_ints(lambda a, n=n: n - a.bit_length(), "u32"))
        )
        reverse = as_ints(lambda a, n=n: int(f"{a:0{n}b}"[::-1], 2), kind)
        cases.append(Case(f"brev.{kind}", kind, [kind], reverse))
        for sign in "su":
            own = f"{sign}{n}"
            cut = as_ints(lambda a, p, k, n=n, s=sign: field(a, p, k, n, s == "s"), own)
            cases.append(Case(f"bfe.{own}", own, [own, "u32", "u32"], cut))
        find = as_ints(lambda a: a.bit_length() - 1, "u32")
        cases.append(Case(f"bfind.u{n}", "u32", [f"u{n}"], find))
        signed = as_ints(lambda a: (a if a >= 0 else ~a).bit_length() - 1, "u32")
        cases.append(Case(f"bfind.s{n}", "u32", [f"s{n}"], signed))
        put = as_ints(lambda a, b, p, k, n=n: insert(a, b, p, k, n), kind)
        cases.append(Case(f"bfi.{kind}", kind, [kind, kind, "u32", "u32"], put))
    three = ["b32", "b32", "b32"]
    cases.append(Case("prmt.b32", "b32", three, as_ints(permute, "b32")))
    for side, mode in product("lr", ("clamp", "wrap")):
        f = as_ints(lambda a, b, k, s=side, m=mode: funnel(a, b, k, s == "l", m == "clamp"), "b32")
        cases.append(Case(f"shf.{side}.{mode}.b32", "b32", ["b32", "b32", "u32"], f))
    cases.append(Case("lop3.b32", "b32", three, lambda a, b, c: (a & b) | (~a & c), tail=", 0xCA"))
    cases.append(Case("add.sat.s32", "s32", ["s32", "s32"], _saturated_sum))
    cases.append(
        Case("sad.s32", "s32", ["s32"] * 3, as_ints(lambda a, b, c: abs(a - b) + c, "s32"))
    )
    cases.append(Case("and.pred", "pred", ["pred", "pred"], np.bitwise_and))
    cases.append(Case("xor.pred", "pred", ["pred", "pred"], np.bitwise_xor))
    cases.append(Case("not.pred", "pred", ["pred"], lambda p: 1 - p))
    return cases


def _saturated_sum(a: Array, b: Array) -> Array:
    total = a.astype(np.int64) + b
    return np.clip(total, -(1 << 31), (1 << 31) - 1).astype(np.int32)


def float_cases() -> list[Case]:
    cases = []
    for kind in ("f32", "f64"):
        both, name = [kind, kind], kind
        for op in ("add", "sub", "mul", "div"):
            cases.append(Case(f"{op}.rn.{name}", kind, both, NUMPY[op]))
        cases.append(Case(f"sqrt.rn.{kind}", kind, [kind], np.sqrt))
        cases.append(Case(f"rcp.rn.{kind}", kind, [kind], lambda a: a.dtype.type(1) / a))
        cases.append(Case(f"min.{kind}", kind, both, minimum))
        cases.append(Case(f"max.{kind}", kind, both, lambda a, b: minimum(a, b, sign=-1)))
        cases.append(Case(f"abs.{kind}", kind, [kind], np.abs))
        cases.append(Case(f"neg.{kind}", kind, [kind], np.negative))
        copysign = Case(f"copysign.{kind}", kind, both, lambda a, b: np.copysign(b, a))
        cases.append(copysign)
        for how, test in (
            ("lt", np.less),
            ("le", np.less_equal),
            ("gt", np.greater),
            ("eq", np.equal),
            ("neu", np.not_equal),
            ("geu", lambda a, b: ~(a < b)),
            ("ltu", lambda a, b: ~(a >= b)),
            ("num", lambda a, b: ~(np.isnan(a) | np.isnan(b))),
            ("nan", lambda a, b: np.isnan(a) | np.isnan(b)),
        ):
            cases.append(Case(f"setp.{how}.{kind}", "pred", both, test))
        for how, f in (("rni", np.rint), ("rzi", np.trunc), ("rmi", np.floor), ("rpi", np.ceil)):
            cases.append(Case(f"cvt.{how}.{kind}.{kind}", kind, [kind], f))
        for test, f in (
            ("finite", np.isfinite),
            ("infinite", np.isinf),
            ("notanumber", np.isnan),
        ):
            cases.append(Case(f"testp.{test}.{kind}", "pred", [kind], f))
    cases.append(Case("min.NaN.f32", "f32", ["f32", "f32"], lambda a, b: minimum(a, b, True)))
    cases.append(Case("max.NaN.f32", "f32", ["f32", "f32"], lambda a, b: minimum(a, b, True, -1)))
    for mode in ("rz", "rm", "rp"):
        for op in ("add", "sub", "mul", "div"):
            f = directed(op, rounding.F32, mode)
            cases.append(Case(f"{op}.{mode}.f32", "f32", ["f32", "f32"], f))
        f = directed("sqrt", rounding.F32, mode)
        cases.append(Case(f"sqrt.{mode}.f32", "f32", ["f32"], f))
    for mode in ("rn", "rz", "rm", "rp"):
        f = directed("fma", rounding.F32, mode)
        cases.append(Case(f"fma.{mode}.f32", "f32", ["f32"] * 3, f))
    flushed = lambda a: np.where(np.abs(a) < np.finfo("f4").tiny, np.copysign(0, a), a)  # noqa: E731
    cases.append(
        Case(
            "mul.rn.ftz.f32",
            "f32",
            ["f32", "f32"],
            lambda a, b: flushed(np.float32(flushed(a)) * np.float32(flushed(b))),
        )
    )
    cases.append(
        Case(
            "add.rn.sat.f32",
            "f32",
            ["f32", "f32"],
            lambda a, b: np.nan_to_num(np.clip(a + b, 0, 1)) + np.float32(0),
        )
    )
    return cases


def half_cases() -> list[Case]:
    cases = []
    for kind, to in (("f16", rounding.F16), ("bf16", rounding.BF16)):
        cases.append(Case(f"fma.rn.{kind}", kind, [kind] * 3, directed("fma", to, "rn")))
        cases.append(Case(f"cvt.f32.{kind}", "f32", [kind], lambda a: a.astype("f4")))
        for mode in ("rn", "rz"):
            cases.append(Case(f"cvt.{mode}.{kind}.f32", kind, ["f32"], convert(to, mode)))
    for op in ("add", "sub", "mul"):
        f = directed(op, rounding.F16, "rn")
        cases.append(Case(f"{op}.rn.f16", "f16", ["f16", "f16"], f))
    for mode in ("rn", "rz", "rm", "rp"):
        cases.append(Case(f"cvt.{mode}.f16.f64", "f16", ["f64"], convert(rounding.F16, mode)))
        cases.append(Case(f"cvt.{mode}.f32.f64", "f32", ["f64"], convert(rounding.F32, mode)))
    cases.append(Case("cvt.f64.f32", "f64", ["f32"], lambda a: a.astype("f8")))
    cases.append(Case("cvt.rna.tf32.f32", "f32", ["f32"], convert(rounding.TF32, "rna")))
    cases.append(Case("min.f16", "f16", ["f16", "f16"], minimum))
    cases.append(Case("setp.lt.f16", "pred", ["f16", "f16"], np.less))
    for kind in ("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"):
        for mode in ("rn", "rz", "rm", "rp"):
            f = from_integer(rounding.F32, mode)
            cases.append(Case(f"cvt.{mode}.f32.{kind}", "f32", [kind], f))
        cases.append(Case(f"cvt.rn.f16.{kind}", "f16", [kind], from_integer(rounding.F16, "rn")))
        cases.append(Case(f"cvt.rn.f64.{kind}", "f64", [kind], lambda a: a.astype("f8")))
        for source in ("f32", "f64"):
            cases.append(Case(f"cvt.rzi.{kind}.{source}", kind, [source], to_integer(kind, "rzi")))
        if kind[1:] != "8":
            cases.append(Case(f"cvt.rni.{kind}.f32", kind, ["f32"], to_integer(kind, "rni")))
            cases.append(Case(f"cvt.rzi.{kind}.f16", kind, ["f16"], to_integer(kind, "rzi")))
        for other in ("s8", "u16", "s32", "u64"):
            if other == kind:
                continue
            cases.append(Case(f"cvt.{other}.{kind}", other, [kind], as_ints(lambda a: a, other)))
            limits, own = np.iinfo(dtype(other)), np.iinfo(dtype(kind))
            if limits.min <= own.min and own.max <= limits.max:
                continue  # nothing to clamp: ptxas refuses .sat
            clamp = as_ints(lambda a, m=limits: min(max(a, int(m.min)), int(m.max)), other)
            cases.append(Case(f"cvt.sat.{other}.{kind}", other, [kind], clamp))
    return cases


def approximate_cases() -> list[Case]:
    f32 = ["f32"]
    return [
        Case("ex2.approx.f32", "f32", f32, lambda a: np.exp2(a.astype("f8")), 2e-7),
        Case("lg2.approx.f32", "f32", f32, lambda a: np.log2(a.astype("f8")), 2e-7),
        Case("rsqrt.approx.f32", "f32", f32, lambda a: 1 / np.sqrt(a.astype("f8")), 2e-7),
        Case("rcp.approx.f32", "f32", f32, lambda a: 1 / a.astype("f8"), 2e-7),
        Case("div.full.f32", "f32", f32 * 2, lambda a, b: a.astype("f8") / b, 2e-7),
        Case("tanh.approx.f32", "f32", f32, lambda a: np.tanh(a.astype("f8")), 2e-7),
    ]


GROUPS = {
    "integers": integer_cases,
    "floats": float_cases,
    "halves": half_cases,
    "approximations": approximate_cases,
}
_TARGETS = {"halves": {"version": "8.0", "target": "sm_90"}}


@cache
def group(name: str) -> tuple[str, dict[str, Case]]:
    cases = {case.name: case for case in GROUPS[name]()}
    return head(**_TARGETS.get(name, {})) + "\n".join(map(text, cases.values())), cases


@pytest.mark.parametrize("name", GROUPS)
def test_instructions(name: str) -> None:
    ptx, cases = group(name)
    wrong = []
    for case in cases.values():
        arrays = operands(case.kinds)
        count = len(arrays[0])
        output = np.zeros(count, dtype(case.result))
        got = run(
            ptx, *arrays, output, count, block=256, grid=(count + 255) // 256, name=case.name
        )[-2]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = np.asarray(case.reference(*arrays)).astype(dtype(case.result))
        problem = difference(case, arrays, got, expected)
        if problem:
            wrong.append(problem)
    assert not wrong, "\n".join(wrong)


def difference(case: Case, arrays: list[Array], got: Array, expected: Array) -> str:
    """Which elements are wrong; a nan is a nan, but of float32 it must be the machine's."""
    bits = f"u{got.dtype.itemsize}"
    same = got.view(bits) == expected.view(bits)
    if case.result in DTYPES:
        with np.errstate(all="ignore"):
            wide, wanted = got.astype("f8"), expected.astype("f8")
        same |= np.isnan(wide) & np.isnan(wanted)
        if case.close:
            with np.errstate(all="ignore"):
                same |= np.abs(wide - wanted) <= case.close * np.abs(wanted) + 1e-45
        if case.result == "f32" and not case.opcode.startswith(("abs", "copysign", "cvt.f32")):
            same &= ~np.isnan(wide) | (got.view(bits) == 0x7FFFFFFF)
    if same.all():
        return ""
    first = int(np.flatnonzero(~same)[0])
    given = ", ".join(repr(array[first]) for array in arrays)
    count = int((~same).sum())
    return f"{case.opcode}: {count} wrong, ({given}) gave {got[first]!r}, not {expected[first]!r}"


@pytest.mark.parametrize("name", GROUPS)
def test_ptxas_takes_these_instructions(name: str) -> None:
    problems = assemble(group(name)[0])
    assert problems is None, problems
