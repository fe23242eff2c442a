"""What the rows of the table of ops are made of.

A row names its operands' extents by letters, so that one row stands for all sizes, static and
symbolic. Tests of the IR and of the front end go through the same rows; `test_every_op_has_a_row`
fails for an op without one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
COMPLEX = "c64 c128"
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
        if own.is_complex:
            array = np.empty(shape, own.numpy)
            name = own.real_dtype.name
            parts = Arg(self.dims, name, self.low, self.high, special=self.special)
            array.real, array.imag = (parts.values(dtype, sizes, rng) for _ in range(2))
            return array
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


def lengths() -> tuple[Sizes, ...]:
    return tuple({"n": n} for n in LENGTHS)


def unary(
    op: type[Op],
    dtypes: str = FLOATS,
    low: float = -4,
    high: float = 4,
    special: bool = True,
    **more: Any,
) -> Row:
    return Row(op, (Arg("n", "T", low, high, special=special),), dtypes, lengths(), **more)


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
    return Row(op, (first, second or first), dtypes, lengths(), **more)
