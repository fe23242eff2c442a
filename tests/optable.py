"""The table of ops: for every op of tensor functions, what the tests run it on.

A row names its operands' extents by letters, so that one row stands for all sizes, static and
symbolic. Tests of the IR and of the front end go through the same rows; `test_every_op_has_a_row`
fails for an op without one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfc.ir import ops
from tfc.ir.core import Builder, Function, Op, Value
from tfc.ir.dtypes import DType, as_dtype
from tfc.ir.extent import Extent, symbol
from tfc.ir.types import TensorType

Sizes = Mapping[str, int]

FLOATS = "f16 bf16 f32 f64"
INTEGERS = "i8 i16 i32 i64 u8 u16 u32 u64"
NUMBERS = f"{INTEGERS} {FLOATS}"
ALL = f"bool {NUMBERS}"

# Around the widths of vector registers and the 64 slots of a reduction.
LENGTHS = (0, 1, 15, 16, 17, 63, 64, 65, 130)
SHAPES = ((), (5,), (3, 17), (2, 3, 5), (2, 1, 3, 4), (0, 3), (3, 0))


@dataclass(frozen=True)
class Arg:
    """An operand: its extents by letter, its dtype ("T" is the row's), and its values' range.

    Integers get the range cut to what they hold. `index` names the extent that bounds indices.
    `special` mixes in inf, nan, -0.0, the largest and smallest numbers.
    """

    dims: str = ""
    dtype: str = "T"
    low: float = -4.0
    high: float = 4.0
    index: str = ""
    special: bool = False

    def type(self, dtype: DType, extents: Mapping[str, Extent]) -> TensorType:
        own = dtype if self.dtype == "T" else as_dtype(self.dtype)
        return TensorType(own, tuple(int(d) if d.isdigit() else extents[d] for d in self.dims))

    def values(self, dtype: DType, sizes: Sizes, rng: np.random.Generator) -> np.ndarray:
        type_ = self.type(dtype, sizes)
        own, shape = type_.dtype, type_.shape
        if own.is_bool:
            return rng.integers(0, 2, shape).astype(bool)
        if self.index:
            return rng.integers(0, max(sizes[self.index], 1), shape).astype(own.numpy)
        if own.is_integer:
            low, high = max(self.low, int(own.min)), min(self.high, int(own.max))
            array = rng.integers(int(low), int(high), shape, endpoint=True).astype(own.numpy)
            extremes = [own.min, own.max]
        else:
            array = np.asarray(rng.uniform(self.low, self.high, shape)).astype(own.numpy)
            extremes = [0.0, -0.0, np.inf, -np.inf, np.nan, own.min, own.max, 1.0, 2.5, 1e-40]
        if self.special and array.size:
            flat = array.reshape(-1)
            places = rng.choice(flat.size, (flat.size + 2) // 3, replace=False)
            flat[places] = rng.choice(np.array(extremes, own.numpy), places.size)
        return array


@dataclass(frozen=True)
class Row:
    """One way to use an op."""

    op: type[Op]
    args: tuple[Arg, ...]
    dtypes: str
    sizes: tuple[Sizes, ...]
    attributes: Callable[[Mapping[str, Extent]], Mapping[str, Any]] = lambda e: {}
    ulp: float = 0.0  # how far from NumPy, in units in the last place; 0 is the same bits
    tolerance: float = 0.0  # or how far relative to the largest number (sums)
    smooth: bool = False  # vjp is compared with finite differences, twice
    note: str = ""

    @property
    def name(self) -> str:
        return self.op.mnemonic + (f"-{self.note}" if self.note else "")

    @property
    def inputs(self) -> tuple[Arg, ...]:
        """The operands, and one more parameter to bind extents that no operand has."""
        bound = "".join(a.dims for a in self.args)
        free = "".join(d for d in self.sizes[0] if d not in bound)
        return (*self.args, Arg(free, "bool")) if free else self.args

    def function(self, dtype: str | DType, extents: Mapping[str, Extent] | None = None) -> Function:
        """The op on parameters; without `extents` all extents are symbols."""
        dtype = as_dtype(dtype)
        if extents is None:
            extents = {d: symbol(d) for d in self.sizes[0]}
        b = Builder(self.op.mnemonic)
        params = [b.parameter(a.type(dtype, extents)) for a in self.inputs]
        return b.build(*b.emit_all(self.build(dtype, params[: len(self.args)], extents)))

    def build(self, dtype: DType, operands: Sequence[Value], extents: Mapping[str, Extent]) -> Op:
        """The op on operands, not yet emitted."""
        given: dict[str, Any] = dict(self.attributes(extents))
        given = {name: dtype if value == "T" else value for name, value in given.items()}
        if self.op is ops.Constant:
            with np.errstate(invalid="ignore"):
                return ops.Constant(np.asarray(given["value"]).astype(dtype.numpy))
        names = self.op.spec.operands
        if self.op.spec.variadic:
            return self.op(**{names[0]: tuple(operands)}, **given)
        return self.op(**dict(zip(names, operands, strict=True)), **given)

    def arrays(self, dtype: str | DType, sizes: Sizes, seed: int = 0) -> list[np.ndarray]:
        """Values for the parameters of `function`."""
        rng = np.random.default_rng(seed)
        with np.errstate(over="ignore"):
            return [a.values(as_dtype(dtype), sizes, rng) for a in self.inputs]


def _lengths() -> tuple[Sizes, ...]:
    return tuple({"n": n} for n in LENGTHS)


def unary(
    op: type[Op],
    dtypes: str = FLOATS,
    low: float = -4,
    high: float = 4,
    special: bool = True,
    **more: Any,
) -> Row:
    return Row(op, (Arg("n", "T", low, high, special=special),), dtypes, _lengths(), **more)


def binary(
    op: type[Op],
    dtypes: str = NUMBERS,
    low: float = -4,
    high: float = 4,
    special: bool = True,
    second: Arg | None = None,
    **more: Any,
) -> Row:
    first = Arg("n", "T", low, high, special=special)
    return Row(op, (first, second or first), dtypes, _lengths(), **more)


def _transcendental(
    op: type[Op], low: float = -4, high: float = 4, ulp: float = 2.0
) -> Iterator[Row]:
    yield unary(op, "f32 f64 f16 bf16", low, high, ulp=ulp)
    yield unary(op, "f64", low, high, False, ulp=ulp, smooth=True, note="smooth")


def _elementwise() -> Iterator[Row]:
    wide = Arg("n", "T", -1e9, 1e9, special=True)
    plain = Arg("n", "T", 0.5, 3.0)
    for op in (ops.Add, ops.Sub, ops.Mul):
        yield binary(op, low=-1e9, high=1e9)
        yield binary(op, "f64", special=False, smooth=True, note="smooth")
    yield binary(ops.Div, FLOATS)
    yield binary(ops.Div, "f64", 0.5, 3.0, False, smooth=True, note="smooth")
    yield binary(ops.FloorDiv, FLOATS)
    yield binary(ops.FloorMod, FLOATS, special=False)
    for op in (ops.FloorDiv, ops.FloorMod):
        yield Row(op, (wide, Arg("n", "T", 1, 9)), INTEGERS, _lengths(), note="positive")
        yield Row(op, (wide, Arg("n", "T", -9, -1)), "i8 i16 i32 i64", _lengths(), note="negative")
    yield binary(ops.Pow, INTEGERS, -6, 6, False, Arg("n", "T", 0, 9))
    yield binary(ops.Pow, FLOATS, 0, 3, ulp=2)
    yield Row(ops.Pow, (plain, plain), "f64", _lengths(), ulp=2, smooth=True, note="smooth")
    for op in (ops.Maximum, ops.Minimum):
        yield binary(op)
        yield binary(op, "f64", special=False, smooth=True, note="smooth")
    yield binary(ops.Atan2, FLOATS, ulp=2)
    yield binary(ops.Atan2, "f64", 0.5, 3, False, ulp=2, smooth=True, note="smooth")
    for op in (ops.Neg, ops.Abs, ops.Sign, ops.Relu):
        yield unary(op, NUMBERS)
        yield unary(op, "f64", 0.5, 3, False, smooth=True, note="smooth")
    for op in (ops.Floor, ops.Ceil, ops.Round):
        yield unary(op, FLOATS, -1e3, 1e3)
    yield unary(ops.Sqrt, FLOATS, 0, 9)
    yield unary(ops.Sqrt, "f64", 0.5, 3, False, smooth=True, note="smooth")
    yield Row(ops.Fma, (wide,) * 3, "f16 bf16 f32", _lengths())
    yield Row(ops.Fma, (plain,) * 3, "f64", _lengths(), ulp=1, smooth=True, note="smooth")
    for op in (ops.Exp, ops.Expm1, ops.Tanh, ops.Sigmoid, ops.Sin, ops.Cos, ops.Erf, ops.Erfc):
        yield from _transcendental(op, ulp=4 if op in (ops.Erfc, ops.Sigmoid) else 2)
    for op in (ops.Atan, ops.Sinh, ops.Cosh, ops.Asinh):
        yield from _transcendental(op)
    for op in (ops.Log, ops.Rsqrt, ops.Log1p):
        yield from _transcendental(op, 0.25, 4)
    yield from _transcendental(ops.Tan, -1.2, 1.2)
    for op in (ops.Asin, ops.Acos, ops.Atanh):
        yield from _transcendental(op, -0.9, 0.9)
    yield from _transcendental(ops.Acosh, 1.25, 4)
    for op in (ops.Equal, ops.NotEqual):
        yield binary(op, ALL, low=-2, high=2)
    for op in (ops.Less, ops.LessEqual, ops.Greater, ops.GreaterEqual):
        yield binary(op, NUMBERS, low=-2, high=2)
    yield unary(ops.IsNan)
    yield unary(ops.LogicalNot, "bool")
    for op in (ops.BitwiseAnd, ops.BitwiseOr, ops.BitwiseXor):
        yield binary(op, f"bool {INTEGERS}", -1e9, 1e9)
    for op in (ops.ShiftLeft, ops.ShiftRightArithmetic, ops.ShiftRightLogical):
        yield Row(op, (wide, Arg("n", "T", 0, 7)), INTEGERS, _lengths())
    values = (Arg("n", "bool"), wide, wide)
    yield Row(ops.Select, values, ALL, _lengths())
    smooth = (Arg("n", "bool"), Arg("n"), Arg("n"))
    yield Row(ops.Select, smooth, "f64", _lengths(), smooth=True, note="smooth")
    for to in ALL.split():
        arg = Arg("n", "T", -300, 300, special=True)
        yield Row(
            ops.Cast, (arg,), ALL, _lengths(), lambda e, to=to: {"dtype": as_dtype(to)}, note=to
        )
    yield unary(
        ops.Cast,
        "f64",
        -3,
        3,
        False,
        attributes=lambda e: {"dtype": "T"},
        smooth=True,
        note="smooth",
    )
    for source, to in (
        ("i32 u32 f32", "f32"),
        ("f32 i32", "u32"),
        ("f64 i64 u64", "i64"),
        ("f16 bf16 u16", "i16"),
        ("i16", "bf16"),
        ("i8", "u8"),
        ("i64", "f64"),
    ):
        yield Row(
            ops.Bitcast,
            (wide,),
            source,
            _lengths(),
            lambda e, to=to: {"dtype": as_dtype(to)},
            note=to,
        )
    yield unary(ops.StopGradient, ALL)


def _shapes() -> Iterator[Row]:
    sizes = tuple(
        {"a": a, "b": b, "c": c}
        for a, b, c in (
            (2, 3, 5),
            (1, 1, 1),
            (3, 17, 1),
            (5, 2, 64),
            (2, 3, 0),
            (0, 2, 3),
            (7, 1, 130),
        )
    )

    def index_map(
        op: type[Op],
        args: Any,
        attributes: Any,
        note: str,
        dtypes: str = "f32 u8",
        sizes: Any = sizes,
    ) -> Iterator[Row]:
        yield Row(op, args, dtypes, sizes, attributes, note=note)
        yield Row(op, args, "f64", sizes[:2], attributes, smooth=True, note=f"{note}-smooth")

    x = (Arg("abc"),)
    yield from index_map(
        ops.Broadcast,
        (Arg("c"),),
        lambda e: {"shape": (e["a"], e["b"], e["c"]), "dims": (2,)},
        "last",
        ALL,
    )
    yield from index_map(
        ops.Broadcast,
        (Arg("ac"),),
        lambda e: {"shape": (e["a"], e["b"], e["c"]), "dims": (0, 2)},
        "middle",
    )
    yield from index_map(
        ops.Broadcast, (Arg(""),), lambda e: {"shape": (e["a"], e["b"]), "dims": ()}, "scalar"
    )
    yield from index_map(
        ops.Reshape, x, lambda e: {"shape": (e["a"] * e["b"], e["c"])}, "merge", ALL
    )
    yield from index_map(ops.Reshape, x, lambda e: {"shape": (e["c"], e["a"], e["b"])}, "mix")
    yield from index_map(
        ops.Reshape, x, lambda e: {"shape": (e["a"], 1, e["b"], 1, e["c"])}, "ones"
    )
    for perm in ((2, 0, 1), (0, 2, 1), (2, 1, 0), (0, 1, 2)):
        note = "".join(map(str, perm))
        yield from index_map(ops.Transpose, x, lambda e, p=perm: {"perm": p}, note)
    for axes in ((0,), (2,), (0, 2), ()):
        note = "".join(map(str, axes))
        yield from index_map(ops.Reverse, x, lambda e, a=axes: {"axes": a}, f"axes{note}")
    yield from index_map(
        ops.Slice,
        x,
        lambda e: {"begin": (0, 0, 0), "size": (e["a"], 1 * e["b"], e["c"]), "strides": (1, 1, 1)},
        "all",
    )
    cut = tuple({"a": a, "b": b, "c": c} for a, b, c in ((2, 3, 5), (4, 17, 3), (3, 3, 64)))
    yield from index_map(
        ops.Slice,
        x,
        lambda e: {
            "begin": (1, 0, 2),
            "size": (e["a"] - 1, e["b"], e["c"] - 2),
            "strides": (1, 1, 1),
        },
        "cut",
        sizes=cut,
    )
    yield from index_map(
        ops.Slice,
        x,
        lambda e: {
            "begin": (0, 1, 0),
            "size": (1, e["b"] // 2, (e["c"] + 2) // 3),
            "strides": (3, 2, 3),
        },
        "strided",
        sizes=cut,
    )
    fill = (*x, Arg(""))
    yield from index_map(
        ops.Pad,
        fill,
        lambda e: {
            "begin": (1, 0, 2),
            "shape": (e["a"] + 1, e["b"] + 3, e["c"] + 2),
            "strides": (1, 1, 1),
        },
        "edge",
    )
    yield from index_map(
        ops.Pad,
        fill,
        lambda e: {
            "begin": (0, 1, 0),
            "shape": (e["a"] * 2, e["b"] * 3 + 1, e["c"]),
            "strides": (2, 3, 1),
        },
        "holes",
    )
    yield from index_map(
        ops.Concat, (Arg("abc"), Arg("abc"), Arg("abc")), lambda e: {"axis": 2}, "last", ALL
    )
    yield from index_map(ops.Concat, (Arg("abc"), Arg("bbc")), lambda e: {"axis": 0}, "first")
    yield from index_map(ops.Concat, (Arg("abc"),), lambda e: {"axis": 1}, "one")
    for axis, shape in ((0, "ab"), (1, "ab"), (2, "abc")):
        yield Row(
            ops.Iota,
            (),
            "i32 i64 u8 f32 f64 f16",
            sizes,
            lambda e, a=axis, s=shape: {"shape": tuple(e[d] for d in s), "axis": a, "dtype": "T"},
            note=f"{shape}{axis}",
        )
    yield Row(ops.ExtentOf, (), "i64", sizes, lambda e: {"value": e["a"] * e["b"] + e["c"] // 2})
    for value in (1.5, [1.0, -0.0, np.inf], [[1, 2], [3, 4]]):
        yield Row(
            ops.Constant,
            (),
            "f32 f64 bf16 i32",
            ({},),
            lambda e, v=value: {"value": v},
            note=f"rank{np.ndim(value)}",
        )


def _sums() -> Iterator[Row]:
    sizes = tuple(
        {"a": a, "b": b}
        for a, b in (
            (3, 5),
            (1, 1),
            (2, 16),
            (17, 15),
            (2, 63),
            (3, 64),
            (65, 3),
            (2, 130),
            (4, 0),
            (0, 4),
        )
    )
    some = tuple(s for s in sizes if s["a"] * s["b"])
    x = (Arg("ab"),)
    cubes = ({"a": 2, "b": 3, "c": 5}, {"a": 5, "b": 17, "c": 4}, {"a": 9, "b": 1, "c": 66})
    for axes in ((1,), (0,), (0, 1), ()):
        note = "axes" + "".join(map(str, axes))

        def of(e: Any, axes: Any = axes) -> Any:
            return {"axes": axes}

        one = (Arg("ab", low=0.8, high=1.2),)
        yield Row(ops.ReduceSum, x, FLOATS, sizes, of, tolerance=1, note=note)
        yield Row(ops.ReduceSum, x, INTEGERS, sizes, of, note=note + "-int")
        yield Row(
            ops.ReduceSum, x, "f64", sizes[:3], of, tolerance=1, smooth=True, note=note + "-smooth"
        )
        yield Row(ops.ReduceProd, one, FLOATS, sizes, of, tolerance=4, note=note)
        yield Row(ops.ReduceProd, x, INTEGERS, sizes, of, note=note + "-int")
        yield Row(
            ops.ReduceProd,
            one,
            "f64",
            sizes[:3],
            of,
            tolerance=1,
            smooth=True,
            note=note + "-smooth",
        )
        for op in (ops.ReduceMax, ops.ReduceMin):
            yield Row(op, (Arg("ab", special=True),), NUMBERS, sizes, of, note=note)
            yield Row(op, x, "f64", some[:3], of, smooth=True, note=note + "-smooth")
        for op in (ops.ReduceAll, ops.ReduceAny):
            yield Row(op, x, "bool", sizes, of, note=note)
    for axes in ((0, 2), (1,), (1, 2), (2, 0)):
        yield Row(
            ops.ReduceSum,
            (Arg("abc"),),
            "f32 f64 i32",
            cubes,
            lambda e, a=axes: {"axes": a},
            tolerance=1,
            note="cube" + "".join(map(str, axes)),
        )
    for op in (ops.ArgMax, ops.ArgMin):
        for axis in (0, 1):
            of = lambda e, a=axis: {"axes": (a,)}  # noqa: E731
            yield Row(
                op,
                (Arg("ab", low=-2, high=2, special=True),),
                NUMBERS,
                some,
                of,
                note=f"axis{axis}",
            )
    sizes3 = tuple(
        {"m": m, "k": k, "n": n}
        for m, k, n in (
            (1, 1, 1),
            (3, 5, 7),
            (14, 16, 32),
            (15, 17, 33),
            (29, 3, 65),
            (2, 0, 3),
            (0, 2, 3),
            (2, 3, 0),
            (1, 130, 1),
            (16, 64, 16),
        )
    )
    mk, kn = Arg("mk"), Arg("kn")
    yield Row(ops.Matmul, (mk, kn), FLOATS, sizes3, tolerance=1)
    yield Row(ops.Matmul, (mk, kn), INTEGERS, sizes3, note="int")
    yield Row(ops.Matmul, (mk, kn), "f64", sizes3[1:2], tolerance=1, smooth=True, note="smooth")
    batched = tuple({"a": 2, "b": 3, **s} for s in sizes3[:4])
    yield Row(
        ops.Matmul, (Arg("abmk"), Arg("abkn")), "f32 f64 i32", batched, tolerance=1, note="batch"
    )
    yield Row(
        ops.Matmul,
        (Arg("amk"), Arg("akn")),
        "f64",
        batched[1:2],
        tolerance=1,
        smooth=True,
        note="batch-smooth",
    )


def _indexed() -> Iterator[Row]:
    sizes = tuple(
        {"a": a, "b": b, "n": n}
        for a, b, n in ((4, 3, 5), (2, 17, 64), (1, 1, 1), (7, 2, 0), (3, 0, 4), (5, 130, 3))
    )
    for axis, bound in ((0, "a"), (1, "b")):
        filled = tuple(s for s in sizes if s[bound] or not s["n"])
        for indices in ("n", "", "nn"):
            args = (Arg("ab"), Arg(indices, "i32", index=bound))
            of = lambda e, a=axis: {"axis": a}  # noqa: E731
            note = f"axis{axis}-{len(indices)}"
            here = filled if indices else tuple(s for s in filled if s[bound])
            yield Row(
                ops.Gather, args, ALL if indices == "n" and not axis else "f32", here, of, note=note
            )
            yield Row(ops.Gather, args, "f64", here[:2], of, smooth=True, note=note + "-smooth")
    for kind in ("i64", "u8"):
        args = (Arg("ab"), Arg("n", kind, index="a"))
        yield Row(ops.Gather, args, "f32", sizes[:2], lambda e: {"axis": 0}, note=kind)
    for dims in ("n", "na", "nab"):
        args = (Arg("n", "i32", index="b"), Arg(dims))
        of = lambda e: {"rows": e["b"]}  # noqa: E731
        here = tuple(s for s in sizes if s["b"] or not s["n"])
        yield Row(ops.ScatterAdd, args, NUMBERS, here, of, note=dims)
        yield Row(ops.ScatterAdd, args, "f64", here[:2], of, smooth=True, note=dims + "-smooth")
    shapes = ({"a": 3, "b": 5}, {"a": 0, "b": 2}, {"a": 65, "b": 1}, {"a": 2, "b": 64})
    yield Row(
        ops.RandomBits,
        (Arg("2", "u64", 0, 2**62),),
        "u32",
        shapes,
        lambda e: {"shape": (e["a"], e["b"])},
    )


ROWS: tuple[Row, ...] = (*_elementwise(), *_shapes(), *_sums(), *_indexed())
