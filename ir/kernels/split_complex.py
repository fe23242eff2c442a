"""`split` writes the complex numbers of a kernel as pairs of floats, so that machines need none.

    %0 = load %x, %i, none : c64        ->        %0, %1 = load_pair %x, %i, none : f32, f32

A buffer is seen as floats with one more axis of 2. What loops carry and reductions combine becomes
two values for each; a product is combined as "complex_mul". The functions are those of
ir/kernels/expand/complex.py.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..copying import copy_op
from ..core import Builder, Function, Op, Value
from ..ops.complex import Complex, Imag, Real
from ..ops.elementwise import Cast, Elementwise, Mul, Select
from ..ops.shape import Constant
from ..types import BufferType, in_parts, scalar_type
from .expand import Scalar
from .expand_emitter import IrEmitter
from .ops import (
    Branch,
    CallRoutine,
    Combine,
    For,
    Grid,
    Load,
    LoadPair,
    Local,
    Parallel,
    Prefetch,
    Reduce,
    Reload,
    ReloadPair,
    Repeat,
    Store,
    StorePair,
)

RULES = ("fold", "simplify", "cse")

Parts = tuple[Value, Value]


def split(kernel: Function) -> Function:
    """The kernel without complex numbers; itself where it has none."""
    return _Splitter(Builder(rules=RULES), {}, {}).region(kernel) if _has_any(kernel) else kernel


def _has_any(kernel: Function) -> bool:
    """Whether there are complex numbers in a kernel. Operands are params, or results too."""
    for p in kernel.params:
        if p.dtype.is_complex:
            return True
    for op in kernel.walk():  # of all kernels: no generators
        for v in op.results:
            if v.dtype.is_complex:
                return True
    return False


def _of_parts(combine: str) -> str:
    """How complex numbers are combined, of which this is said of the whole."""
    return "complex_mul" if combine == "mul" else combine


class _Splitter:
    """Rewrites one region; `env` and `parts` say what became of the values around it."""

    def __init__(self, b: Builder, env: dict[Value, Value], parts: dict[Value, Parts]) -> None:
        self.b = b
        self.env = env
        self.parts = parts

    def region(self, f: Function) -> Function:
        params: list[Value] = []
        for p in f.params:
            params.extend(self.parameter(p, len(params)))
        for op in f.body:
            self.b.location = op.location
            if op.regions:
                self.loop(op)
            elif any(v.dtype.is_complex for v in (*op.operands, *op.results)):
                self.op(op)
            else:
                copy_op(op, self.b, self.env)
        returns = self.flat(f.returns)
        return Function(f.name, tuple(params), tuple(self.b.body), returns, f.notes)

    def parameter(self, p: Value, index: int) -> list[Value]:
        if not p.dtype.is_complex:
            made = [Value(p.type, None, index, p.name)]
            self.env[p] = made[0]
        elif isinstance(p.type, BufferType):
            made = [Value(in_parts(p.type), None, index, p.name)]
            self.env[p] = made[0]
        else:
            type_ = scalar_type(p.dtype.real_dtype)
            made = [Value(type_, None, index + i, p.name) for i in (0, 1)]
            self.parts[p] = made[0], made[1]
        return made

    def flat(self, values: Iterable[Value]) -> tuple[Value, ...]:
        """The values, or their parts, in order."""
        found: list[Value] = []
        for v in values:
            found.extend(self.parts[v] if v in self.parts else (self.env.get(v, v),))
        return tuple(found)

    def loop(self, op: Op) -> None:
        """An op with regions, such as a loop, whose body sees what is defined here."""
        inner = _Splitter(self.b.inner(), dict(self.env), dict(self.parts))
        match op:
            case For(low=low, high=high, init=init, step=step, kind=kind, body=body):
                ends = self.env.get(low, low), self.env.get(high, high)
                here: Op = For(*ends, self.flat(init), step, kind, inner.region(body))
            case Reduce(count=count, combine=combine, kind=kind, body=body):
                if body.returns[0].dtype.is_complex:
                    combine = _of_parts(combine)
                here = Reduce(self.env.get(count, count), combine, kind, inner.region(body))
            case Repeat(init=init, condition=condition, body=body):
                test = _Splitter(self.b.inner(), dict(self.env), dict(self.parts)).region(condition)
                here = Repeat(self.flat(init), test, inner.region(body))
            case Branch(condition=choice, then=then, orelse=orelse):
                other = _Splitter(self.b.inner(), dict(self.env), dict(self.parts)).region(orelse)
                here = Branch(self.env.get(choice, choice), inner.region(then), other)
            case Grid(body=body):
                here = op.with_operands(lambda v: self.env.get(v, v)).replace(
                    body=inner.region(body)
                )
            case Parallel(count=count, work=work, body=body):
                ends = self.env.get(count, count), self.env.get(work, work)
                here = Parallel(*ends, inner.region(body))
            case CallRoutine(args=args, callee=callee, seldom=seldom):
                # Which takes no complex numbers: there is one for all kernels.
                here = CallRoutine(self.flat(args), callee, seldom)
            case _:
                raise NotImplementedError(f"{op.mnemonic} of complex numbers")
        made = iter(self.b.emit_all(here))
        for result in op.results:
            if result.dtype.is_complex:
                self.parts[result] = next(made), next(made)
            else:
                self.env[result] = next(made)

    def op(self, op: Op) -> None:
        """An op with a complex number among its operands or results."""
        match op:
            case Constant(value=value):
                real, imag = (Constant(part.copy()) for part in (value.real, value.imag))
                self.parts[op.result] = self.b.emit(real), self.b.emit(imag)
            case Local(dtype=dtype, shape=shape):
                self.env[op.result] = self.b.emit(Local(dtype.real_dtype, (*shape, 2)))
            case Load(buffer=buffer, mask=mask):
                mask = None if mask is None else self.env.get(mask, mask)
                kind = ReloadPair if isinstance(op, Reload) else LoadPair
                first, second = self.b.emit_all(kind(*self.place(buffer, op.offset), mask))
                self.parts[op.result] = first, second
            case Store(buffer=buffer, offset=offset, value=value):
                self.b.emit_all(StorePair(*self.place(buffer, offset), *self.parts[value]))
            case Combine(combine=combine, old=old, new=new):
                both = Combine(_of_parts(combine), self.flat(old), self.flat(new))
                first, second = self.b.emit_all(both)
                self.parts[op.results[0]] = first, second
            case Prefetch(buffer=buffer, offset=offset, purpose=purpose):
                buffer, offset = self.place(buffer, offset)
                two = self.b.constant(2, offset.dtype)
                self.b.emit_all(Prefetch(buffer, self.b.emit(Mul(offset, two)), purpose))
            case Elementwise():
                self.scalar(op)
            case _:
                raise NotImplementedError(f"{op.mnemonic} of complex numbers")

    def place(self, buffer: Value, offset: Value) -> tuple[Value, Value]:
        """What became of a buffer and an offset."""
        return self.env.get(buffer, buffer), self.env.get(offset, offset)

    def scalar(self, op: Elementwise) -> None:
        match op:
            case Complex(x=x, y=y):
                self.parts[op.result] = self.env.get(x, x), self.env.get(y, y)
            case Real(x=x):
                self.env[op.result] = self.parts[x][0]
            case Imag(x=x):
                self.env[op.result] = self.parts[x][1]
            case Select(condition=condition, x=x, y=y):
                condition = self.env.get(condition, condition)
                pairs = zip(self.parts[x], self.parts[y], strict=True)
                real, imag = (self.b.emit(Select(condition, a, b)) for a, b in pairs)
                self.parts[op.result] = real, imag
            case Cast():
                self.cast(op)
            case _:
                self.function(op)

    def cast(self, op: Cast) -> None:
        target = op.dtype.real_dtype
        if not op.x.dtype.is_complex:
            x = self.env.get(op.x, op.x)
            zero = self.b.constant(0, target)
            self.parts[op.result] = self.b.emit(Cast(x, target)), zero
        elif op.dtype.is_complex:
            real, imag = (self.b.emit(Cast(part, target)) for part in self.parts[op.x])
            self.parts[op.result] = real, imag
        else:
            self.env[op.result] = self.b.emit(Cast(self.parts[op.x][0], target))

    def function(self, op: Elementwise) -> None:
        from .expand.complex import FUNCTIONS, Pair  # which needs most of the others

        emitter = IrEmitter(self.b)
        pairs = []
        for v in op.operands:
            real, imag = self.parts[v]
            short = real.dtype.short
            pairs.append(Pair(Scalar(emitter, real, short), Scalar(emitter, imag, short)))
        found: Any = FUNCTIONS[op.mnemonic](*pairs)
        if op.result.dtype.is_complex:
            self.parts[op.result] = found.real.value, found.imag.value
        else:
            self.env[op.result] = found.value
