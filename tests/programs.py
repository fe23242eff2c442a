"""Random typed programs, to find where two ways of running one program differ."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir import ops
from tfc.ir.core import Builder, Function, Op, Value
from tfc.ir.dtypes import DType, as_dtype
from tfc.ir.extent import Extent, evaluate, product, symbol
from tfc.ir.types import TensorType

DTYPES = [
    as_dtype(name)
    for name in ("f32", "f32", "f32", "f64", "f16", "bf16", "i32", "i64", "u8", "bool")
]
MAX_ELEMENTS = 3000

Step = Callable[["Program"], "Op | None"]


class Program:
    """Grows a function by random ops on random values of it. With `exact` all of it has one right
    answer to the last bit; without, transcendental functions and sums of floats come in too."""

    def __init__(self, seed: int, exact: bool = False, symbolic: bool = True) -> None:
        self.random = random.Random(seed)
        self.exact = exact
        self.b = Builder(f"program{seed}")
        self.sizes = {
            "n": self.random.choice((0, 1, 2, 3, 5)),
            "m": self.random.choice((1, 4, 17, 64, 70)),
        }
        self.extents: dict[str, Extent] = {
            name: symbol(name) if symbolic else size for name, size in self.sizes.items()
        }
        n, m = self.extents.values()
        shapes: list[tuple[Extent, ...]] = [(n, m), (m,), (n,), (), (m, n), (2, 3), (n, 1), (1, m)]
        for i in range(5):
            shape = shapes[i] if i < 2 else self.random.choice(shapes)
            dtype = DTYPES[i] if i < 2 else self.random.choice(DTYPES)
            self.b.parameter(TensorType(dtype, shape), f"p{i}")
        self.values = list(self.b.params)

    def grow(self, count: int) -> Function:
        for _ in range(count):
            op = None
            while op is None:
                op = self.random.choice(STEPS)(self)
            self.values.extend(self.b.emit_all(op))
        used = {v for op in self.b.body for v in op.operands}
        ends = [v for v in self.values if v not in used]
        return self.b.build(*self.random.sample(ends, min(len(ends), 4)), self.pick())

    def pick(self, kinds: str = "biuf", rank: int | None = None) -> Value:
        """A value, rather a late one; made to fit where none does."""
        fitting = [
            v for v in self.values if v.dtype.kind in kinds and (rank is None or v.rank == rank)
        ]
        if not fitting:
            v = self.pick("biuf", rank) if len(kinds) < 4 else self.pick(kinds)
            if v.dtype.kind not in kinds:
                target = {"b": "bool", "f": "f32", "i": "i32", "u": "u8"}[kinds[-1]]
                v = self.add(ops.Cast(v, as_dtype(target)))
            if rank is not None and v.rank != rank:
                v = (
                    self.add(ops.Reshape(v, (*[1] * (rank - 1), product(v.shape))[:rank]))
                    if rank
                    else (self.add(ops.ReduceAny(self.cast(v, "bool"), tuple(range(v.rank)))))
                )
                v = v if v.dtype.kind in kinds else self.pick(kinds, rank)
            return v
        return fitting[-1 - min(int(self.random.expovariate(0.3)), len(fitting) - 1)]

    def add(self, op: Op) -> Value:
        value = self.b.emit(op)
        self.values.append(value)
        return value

    def cast(self, v: Value, dtype: str | DType) -> Value:
        return v if v.dtype is as_dtype(dtype) else self.add(ops.Cast(v, as_dtype(dtype)))

    def like(self, v: Value) -> Value:
        """Another value of the same type as `v`."""
        same = [w for w in self.values if w.type == v.type]
        if len(same) > 1:
            return self.random.choice(same)
        scalars = [w for w in self.values if not w.shape]
        if not scalars or self.random.random() < 0.5:
            return v
        scalar = self.cast(self.random.choice(scalars), v.dtype)
        return self.add(ops.Broadcast(scalar, v.shape, ())) if v.shape else scalar

    def small(self, shape: Sequence[Extent]) -> bool:
        return evaluate(product(shape), self.sizes) <= MAX_ELEMENTS

    def arrays(self, f: Function) -> list[np.ndarray]:
        rng = np.random.default_rng(self.random.randrange(2**32))
        found = []
        for p in f.params:
            shape = tuple(evaluate(e, self.sizes) for e in p.shape)
            values = (
                rng.integers(-3, 4, shape) if p.dtype.kind != "f" else rng.normal(size=shape) * 2
            )
            found.append(np.asarray(values).astype(p.dtype.numpy))
        return found


def _unary(p: Program) -> Op:
    x = p.pick("f")
    exact = [ops.Neg, ops.Abs, ops.Sign, ops.Relu, ops.Floor, ops.Ceil, ops.Round, ops.Sqrt]
    inexact = [ops.Exp, ops.Tanh, ops.Sin, ops.Sigmoid, ops.Erf, ops.Log1p]
    return p.random.choice(exact if p.exact else exact + inexact)(x)


def _binary(p: Program) -> Op:
    x = p.pick("iuf")
    choices: list[Any] = [ops.Add, ops.Sub, ops.Mul, ops.Maximum, ops.Minimum]
    if x.dtype.is_floating:
        choices += [ops.Div]
    return p.random.choice(choices)(x, p.like(x))


def _compare(p: Program) -> Op:
    x = p.pick("iuf")
    return p.random.choice([ops.Less, ops.Equal, ops.GreaterEqual, ops.NotEqual])(x, p.like(x))


def _integers(p: Program) -> Op:
    x = p.pick("iu")
    kind = p.random.randrange(3)
    if kind == 0:
        return p.random.choice([ops.BitwiseAnd, ops.BitwiseOr, ops.BitwiseXor])(x, p.like(x))
    if kind == 1:
        one = p.b.constant(1, x.dtype)
        ones = p.add(ops.Broadcast(one, x.shape, ())) if x.shape else one
        divisor = p.add(ops.BitwiseOr(p.like(x), ones))  # odd, so not 0
        return p.random.choice([ops.FloorDiv, ops.FloorMod])(x, divisor)
    return p.random.choice([ops.ShiftLeft, ops.ShiftRightArithmetic, ops.ShiftRightLogical])(
        x, p.like(x)
    )


def _logic(p: Program) -> Op:
    x = p.pick("b")
    return p.random.choice([ops.BitwiseAnd, ops.BitwiseOr, ops.BitwiseXor])(x, p.like(x))


def _select(p: Program) -> Op:
    x = p.pick()
    return ops.Select(p.cast(p.like(x), "bool"), x, p.like(x))


def _cast(p: Program) -> Op:
    return ops.Cast(p.pick(), p.random.choice(DTYPES))


def _broadcast(p: Program) -> Op | None:
    x = p.pick()
    extents = [*p.extents.values(), 1, 2]
    shape = list(x.shape)
    dims = list(range(x.rank))
    for i, e in enumerate(shape):
        if e == 1:
            shape[i] = p.random.choice(extents)
    if x.rank < 3:
        at = p.random.randint(0, x.rank)
        shape.insert(at, p.random.choice(extents))
        dims = [d + (d >= at) for d in dims]
    return ops.Broadcast(x, tuple(shape), tuple(dims)) if p.small(shape) else None


def _reduce(p: Program) -> Op | None:
    x = p.pick()
    axes = tuple(a for a in range(x.rank) if p.random.random() < 0.5)
    if x.dtype.is_bool:
        return p.random.choice([ops.ReduceAll, ops.ReduceAny])(x, axes)
    choices: list[Any] = [ops.ReduceMax, ops.ReduceMin]
    if x.dtype.is_integer or not p.exact:
        choices += [ops.ReduceSum, ops.ReduceSum, ops.ReduceProd]
    if len(axes) == 1 and evaluate(x.shape[axes[0]], p.sizes):
        choices += [ops.ArgMax, ops.ArgMin]
    return p.random.choice(choices)(x, axes)


def _transpose(p: Program) -> Op:
    x = p.pick()
    perm = list(range(x.rank))
    p.random.shuffle(perm)
    return ops.Transpose(x, tuple(perm))


def _reverse(p: Program) -> Op:
    x = p.pick()
    return ops.Reverse(x, tuple(a for a in range(x.rank) if p.random.random() < 0.6))


def _reshape(p: Program) -> Op:
    x = p.pick()
    kind = p.random.randrange(4)
    if kind == 0:
        return ops.Reshape(x, (product(x.shape),))
    if kind == 1:
        at = p.random.randint(0, x.rank)
        return ops.Reshape(x, (*x.shape[:at], 1, *x.shape[at:]))
    if kind == 2:
        return ops.Reshape(x, tuple(e for e in x.shape if e != 1))
    return ops.Reshape(x, tuple(reversed(x.shape)))


def _slice(p: Program) -> Op:
    x = p.pick()
    begin, size, strides = [], [], []
    for e in x.shape:
        stride = p.random.choice([1, 1, 2, 3])
        first = p.random.choice([0, 1]) if evaluate(e, p.sizes) > 1 else 0
        begin.append(first)
        size.append((e - first + stride - 1) // stride)
        strides.append(stride)
    return ops.Slice(x, tuple(begin), tuple(size), tuple(strides))


def _pad(p: Program) -> Op | None:
    x = p.pick()
    fill = p.cast(p.pick(rank=0), x.dtype)
    begin, shape, strides = [], [], []
    for e in x.shape:
        stride = p.random.choice([1, 1, 2])
        first = p.random.choice([0, 0, 2])
        begin.append(first)
        shape.append(e * stride + first + p.random.choice([0, 1]))
        strides.append(stride)
    if not p.small(shape):
        return None
    return ops.Pad(x, fill, tuple(begin), tuple(shape), tuple(strides))


def _concat(p: Program) -> Op | None:
    x = p.pick()
    if not x.rank:
        return None
    axis = p.random.randrange(x.rank)
    xs = tuple(p.like(x) for _ in range(p.random.randint(1, 3)))
    return ops.Concat((x, *xs), axis) if p.small((*x.shape, len(xs) + 1)) else None


def _indices(p: Program, rank: int, bound: int) -> Value:
    """Indices below `bound`."""
    i = p.cast(p.pick(rank=rank), "i32")
    limit = p.b.constant(bound, i.dtype)
    return p.add(ops.FloorMod(i, p.add(ops.Broadcast(limit, i.shape, ())) if i.shape else limit))


def _gather(p: Program) -> Op | None:
    x = p.pick()
    if not x.rank:
        return None
    axis = p.random.randrange(x.rank)
    bound = evaluate(x.shape[axis], p.sizes)
    if bound == 0:
        return None
    indices = _indices(p, p.random.randint(0, 2), bound)
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])
    return ops.Gather(x, indices, axis) if p.small(shape) and len(shape) < 5 else None


def _scatter(p: Program) -> Op | None:
    x = p.pick("iu" if p.exact else "iuf")
    if not x.rank:
        return None
    place = p.add(ops.Iota((x.shape[0],), 0, as_dtype("i32")))
    limit = p.add(ops.Broadcast(p.b.constant(4, as_dtype("i32")), place.shape, ()))
    return ops.ScatterAdd(p.add(ops.FloorMod(place, limit)), x, 4)


def _matmul(p: Program) -> Op:
    x = p.pick("iu" if p.exact else "iuf", 2)
    y = p.like(x)
    return ops.Matmul(x, p.add(ops.Transpose(y, (1, 0))))


def _iota(p: Program) -> Op | None:
    x = p.pick()
    return (
        ops.Iota(x.shape, p.random.randrange(x.rank), p.random.choice(DTYPES)) if x.rank else None
    )


STEPS: list[Step] = [
    _unary, _unary, _binary, _binary, _binary, _compare, _integers, _logic, _select, _cast,
    _broadcast, _broadcast, _reduce, _reduce, _transpose, _reverse, _reshape, _reshape, _slice,
    _pad, _concat, _gather, _scatter, _matmul, _iota,
]  # fmt: skip
