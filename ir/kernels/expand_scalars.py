"""Passes over kernels: `expand` writes every scalar op as ones that machines have.

What no machine has becomes what kernels/expand says, such as a polynomial; float16 and bfloat16 are
computed in float32 and rounded after each op; conversions that saturate become compares and
selects (conversions.py). Before that, complex numbers become pairs (split_complex.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from ..attributes import Number
from ..copying import copy_op, name_like
from ..core import Builder, Function, Op, Value, set_results
from ..dtypes import as_dtype, float32
from ..ops.control import Control
from ..ops.elementwise import Bitcast, Cast, Elementwise, Select
from ..ops.shape import Constant
from ..types import scalar_type
from .conversions import cast, is_native
from .expand import Scalar, expansion
from .expand_emitter import IrEmitter
from .ops import CallScalar, For, Launch, Reduce
from .split_complex import split

RULES = ("fold", "simplify", "cse")

# Rounds of loops, known numbers, that an op of theirs seldom runs in: those over the channels of a
# normalisation, say. Long expansions of such ops are functions that kernels share: 16 kernels of
# pow over 512 float32 take 1.02 of the time.
SELDOM_ROUNDS_MAX = 512
# Ops of an expansion from which on it is long. A step with 12 normalisations has ten pow with 70,
# each of which takes LLVM 4 ms.
SHARED_OPS_MIN = 30
# Launches of programs in which a few nanoseconds for one do not matter. Not measured by itself:
# below, programs are functions of a few ops, some of scalars alone.
SHARING_LAUNCHES_MIN = 8


def expand(f: Function) -> Function:
    """Rewrite the scalar ops of all kernels. Ops that stay as they are belong to both functions."""
    return _expand(f, {})


def _expand(f: Function, done: dict[tuple[Any, Any], Function]) -> Function:
    """`done` are kernels by their params and bodies, which several may have in common. (A body
    without ops, of what has no elements, does not say whose it is.)"""
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    kernels = _kernels(f, done)
    for op in f.body:
        b.location = op.location
        if isinstance(op, Launch):
            key = op.kernel.params, op.kernel.body
            known = done.get(key)
            if known is None:
                known = done[key] = kernels[key].expanded()
            kernel = known.renamed(op.kernel.name, op.kernel.notes)
            inputs = tuple(env.get(v, v) for v in op.inputs)
            results = b.emit_all(op.replace(inputs=inputs, kernel=kernel))
            name_like(results, op.results)
            env.update(zip(op.results, results, strict=True))
        elif isinstance(op, Control):
            regions = {name: _expand(getattr(op, name), done) for name in op.spec.regions}
            here = op.with_operands(lambda v: env.get(v, v)).replace(**regions)
            results = b.emit_all(here)
            name_like(results, op.results)
            env.update(zip(op.results, results, strict=True))
        else:
            copy_op(op, b, env)
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


def _kernels(
    f: Function, done: Mapping[tuple[Any, Any], Function]
) -> Mapping[tuple[Any, Any], _Kernel]:
    """The kernels of `f` that are not `done`, by their params and bodies. What several of them
    seldom run, and is long, they share."""
    launches = [op for op in f.body if isinstance(op, Launch)]
    found: dict[tuple[Any, Any], _Kernel] = {}
    for launch in launches:
        key = launch.kernel.params, launch.kernel.body
        if key not in done and key not in found:
            found[key] = _Kernel(split(launch.kernel))
    if len(launches) >= SHARING_LAUNCHES_MIN:
        seldom = [(kernel, op) for kernel in found.values() for op in kernel.seldom]
        times = Counter(_kind(op) for _, op in seldom)
        for kernel, op in seldom:
            if times[_kind(op)] > 1:
                kernel.shared.add(op)
    return found


def _kind(op: Op) -> tuple[str, tuple[str, ...]]:
    """What the expansion of an op depends on."""
    return op.mnemonic, tuple([v.dtype.short for v in op.operands])


def expanded(routine: Function) -> Function:
    """A function of kernels, such as a routine, whose scalar ops are expanded."""
    return _Kernel(routine).expanded()


class _Kernel:
    """Expands the scalar ops of one kernel."""

    def __init__(self, kernel: Function) -> None:
        self.kernel = kernel
        self.foreign: set[Op] = set()  # those that machines may not have
        self.plain: set[Function] = set()  # regions that have none of them
        self.seldom: list[Op] = []  # of the foreign ones, those that run in few rounds of loops
        self.shared: set[Op] = set()  # those that become calls, if their expansion is long
        self._survey(kernel, 1)

    def expanded(self) -> Function:
        return self._region(self.kernel, {}, Builder(rules=RULES))[0]

    def _survey(self, region: Function, rounds: int | None) -> None:
        """Find out which ops are to be expanded, and which regions have none. `rounds` says how
        often a region runs, where that is known."""
        foreign = len(self.foreign)
        for op in region.body:
            if op.regions:
                own = None if rounds is None else _rounds(op)
                times = None if own is None or rounds is None else own * rounds
                for inner in () if op.closed else op.regions:
                    self._survey(inner, times)
            elif isinstance(op, Elementwise) and not _native(op):
                self.foreign.add(op)
                if rounds is not None and rounds <= SELDOM_ROUNDS_MAX:
                    self.seldom.append(op)
        if len(self.foreign) == foreign:
            self.plain.add(region)

    def _region(
        self, region: Function, around: Mapping[Value, Value], outer: Builder
    ) -> tuple[Function, set[Value]]:
        """A kernel or loop body with its ops expanded and what nobody uses dropped, itself where
        that changes nothing; and all values that it uses. `around` says what became of the values
        around it that changed."""
        if region in self.plain:
            pruned = _pruned(region)
            if pruned is not None and around.keys().isdisjoint(pruned[1]):
                return pruned
        env, b = dict(around), outer.inner()
        uses: dict[Op, set[Value]] = {}  # what loops use in their bodies
        for op in region.body:
            b.location = op.location
            same = not env or env.keys().isdisjoint(op.operands)
            if op.regions and not op.closed:
                inner = {n: self._region(getattr(op, n), env, b) for n in op.spec.regions}
                bodies = {n: body for n, (body, _) in inner.items()}
                here: Op = op if same else op.with_operands(lambda v: env.get(v, v))
                if op.regions != (*bodies.values(),):  # functions are equal by identity, as ops are
                    here = here.replace(**bodies)
                results = b.emit_all(here)
                if results is not op.results:
                    env.update(zip(op.results, results, strict=True))
                uses[here] = set().union(*[used for _, used in inner.values()])
            elif op in self.foreign:
                assert isinstance(op, Elementwise)
                changed = op if same else op.with_operands(lambda v: env.get(v, v))
                env[op.result] = scalar(b, changed, op in self.shared)
            else:
                results = b.keep(op) if same else _moved(op, env, b)
                if results is not op.results:
                    env.update(zip(op.results, results, strict=True))
        returns = tuple([env.get(v, v) for v in region.returns])
        used, kept = set(returns), []
        for op in reversed(b.body):
            if op.effect or not used.isdisjoint(op.results):
                kept.append(op)
                used.update(op.operands)
                if op.regions and not op.closed:
                    used.update(uses[op] if op in uses else _used_inside(op))
        return _with_body(region, kept[::-1], returns), used


def _rounds(op: Op) -> int | None:
    """How often the region of a loop runs, where that is known."""
    ends: tuple[Value, ...] = ()
    if isinstance(op, For):
        ends = op.low, op.high
    elif isinstance(op, Reduce):
        ends = (op.count,)
    if not ends or not all(isinstance(v.op, Constant) for v in ends):
        return None
    *low, high = [int(v.op.value) for v in ends if isinstance(v.op, Constant)]
    return max(0, high - sum(low))


def _pruned(region: Function) -> tuple[Function, set[Value]] | None:
    """A region without what nobody uses, itself where that is all; and all values that it uses.
    None where a loop would have to give other values for that."""
    used, kept = set(region.returns), []
    for op in reversed(region.body):
        if not op.effect and used.isdisjoint(op.results):
            continue
        here = op
        if op.regions and not op.closed:
            inner = [_pruned(body) for body in op.regions]
            bodies = []
            for pruned in inner:
                if pruned is None:
                    return None
                bodies.append(pruned[0])
                used |= pruned[1]
            if op.regions != (*bodies,):
                if op.results:
                    return None
                here = op.replace(**dict(zip(op.spec.regions, bodies, strict=True)))
                set_results(here, (), op.location)
        kept.append(here)
        used.update(op.operands)
    return _with_body(region, kept[::-1], region.returns), used


def _with_body(region: Function, ops: Sequence[Op], returns: tuple[Value, ...]) -> Function:
    """The region with these ops; itself where they are its own."""
    body = tuple(ops)
    if body == region.body and returns == region.returns:  # ops and values are equal by identity
        return region
    return Function(region.name, region.params, body, returns, region.notes)


def _moved(op: Op, env: Mapping[Value, Value], b: Builder) -> tuple[Value, ...]:
    """Emit an op whose operands have become others, of the same types. Rules have seen it: they are
    asked again only where an operand is now made by an op that may matter to one."""
    here = op.with_operands(lambda v: env.get(v, v))
    results = [Value(v.type, here, v.index) for v in op.results]  # no need to infer
    set_results(here, tuple(results), b.location)
    for old, new in zip(op.operands, here.operands, strict=True):
        if type(new.op) is not type(old.op) and type(new.op) is not Select:
            return b.emit_all(here)
    return b.keep(here)


def _used_inside(op: Op) -> set[Value]:
    """What the loops of an expansion use."""
    return {v for f in op.regions for inner in f.walk() for v in inner.operands}.union(
        *(f.returns for f in op.regions)
    )


def _native(op: Elementwise) -> bool:
    """Whether the backends surely have `op` as it is."""
    for v in op.operands:  # asked of every op: no generators
        dtype = v.type.dtype
        if dtype.bits < 32 and dtype.compute is not dtype:
            return False
    if op.expansion is not None:
        return _stays(op.mnemonic, tuple([v.dtype.short for v in op.operands]))
    return type(op) is not Cast or is_native(op.x.dtype, op.dtype)


@cache
def _stays(name: str, dtypes: Sequence[str]) -> bool:
    """Whether an op that has an expansion is its own for these dtypes, whatever its operands are:
    the quotient of integers, say."""
    if Op.by_name[name].spec.attributes:
        return False
    written = _written(name, dtypes, frozenset(RULES), (None,) * len(dtypes))
    return written is not None and [op.mnemonic for op in written.body] == [name]


def scalar(b: Builder, op: Elementwise, shared: bool) -> Value:
    """The scalar op `op` (not yet emitted) in terms of ops that the backends have; what is long is
    a call where it is to be `shared`."""
    operand = op.operands[-1]
    if isinstance(op, Cast):
        return cast(b, op.x, op.dtype)
    if operand.dtype.compute is not operand.dtype and not isinstance(op, Select | Bitcast):
        wide = [cast(b, v, float32) if v.dtype is operand.dtype else v for v in op.operands]
        mapping = dict(zip(op.operands, wide, strict=True))
        result = scalar(b, op.with_operands(lambda v: mapping[v]), shared)
        keeps = op.result_dtype(operand.dtype) is operand.dtype
        return cast(b, result, operand.dtype) if keeps else result
    function = expansion(type(op))
    if function is not None:
        attributes = tuple(op.attributes.values())
        dtypes = tuple([v.dtype.short for v in op.operands])
        if shared and not attributes:
            written = _written(op.mnemonic, dtypes, b.rules, (None,) * len(dtypes))
            if written is not None and len(written.body) >= SHARED_OPS_MIN:
                return b.emit(CallScalar(op.operands, written))
        if not attributes and len(set(op.operands)) == len(op.operands):
            numbers = tuple([v.op.number if type(v.op) is Constant else None for v in op.operands])
            written = _written(op.mnemonic, dtypes, b.rules, numbers)
            if written is not None:
                return _copied(written, op.operands, b)
        expanded = _expanded(function, op.operands, attributes, b)
        if expanded is not None:
            return expanded
    return b.emit(op)


def _expanded(
    function: Callable[..., Scalar | None],
    operands: Iterable[Value],
    attributes: Iterable[Any],
    b: Builder,
) -> Value | None:
    """What `function` makes of an op with these operands; None where machines have the op."""
    emitter = IrEmitter(b)
    arguments = [Scalar(emitter, v, v.dtype.short) for v in operands]
    expanded = function(*arguments, *attributes)
    value: Any = None if expanded is None else expanded.value
    return value  # type: ignore[no-any-return]


# Expansions are written once for each op, its dtypes and the operands that are numbers, of which
# rules make more, and then copied: a copy of an op takes a third of the time of one that formulas
# and rules make.


@lru_cache(4096)
def _written(
    name: str, dtypes: Sequence[str], rules: frozenset[str], numbers: Sequence[Number | None]
) -> Function | None:
    """The expansion of an op of operands of these dtypes: the op itself where machines have it.
    None where an expansion has loops, whose bodies use what is around them."""
    kind = Op.by_name[name]
    function = expansion(kind)
    assert function is not None
    b = Builder(name, rules)
    params = [b.parameter(scalar_type(as_dtype(d))) for d in dtypes]
    operands = [
        p if number is None else b.emit(Constant(number.array).of(number))
        for p, number in zip(params, numbers, strict=True)
    ]
    result = _expanded(function, operands, (), b)
    if any(op.regions and not op.closed for op in b.body):
        return None
    return b.build(b.emit(kind(*operands)) if result is None else result)


def _copied(f: Function, operands: Sequence[Value], b: Builder) -> Value:
    """What `f` gives of these operands."""
    env = dict(zip(f.params, operands, strict=True))
    for op in f.body:
        if type(op) is Constant:  # a kernel has its own
            own = Constant(op.value).of(op.number)
            set_results(own, (Value(op.result.type, own),), b.location)
            results = b.keep(own)
        else:
            results = _moved(op, env, b)
        env.update(zip(op.results, results, strict=True))
    (result,) = f.returns
    return env[result]
