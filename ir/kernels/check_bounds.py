"""A pass over kernels: `check_bounds` asks before each access whether the buffer has the element.

    %a = load %x, %i, none        ->        %ok = 0 <= %i and %i < size of %x
                                            assert %ok, [%i, %size]
                                            %a = load %x, %i, none

For tests, where TFC_VERIFY=bounds says so: what is read or written beside a buffer often goes
unnoticed, or kills the process long after. Kernels run on one thread then, for asserts do not stand
in loops that threads share. Not seen are elements of another row of the same buffer, what is
prefetched (which need not exist), what a register stores behind those of an `Append`, and what
routines access, whose buffers may have any size.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..algebra import Term
from ..copying import copy_op
from ..core import Builder, Function, Value
from ..extent import product
from ..failures import Site
from ..kernel_op import KernelLaunch, KernelOp, LoopKind
from ..ops.control import Control
from ..ops.shape import Constant, ExtentOf
from ..types import INDEX
from .ops import (
    Assert,
    ChooseBuffer,
    For,
    LoadMany,
    LoadPair,
    LoadTransposed,
    MergeRuns,
    Parallel,
    SortTile,
    StoreMany,
    StorePair,
    TransposeTile,
)

RULES = ("fold", "simplify", "cse")


def check_bounds(f: Function) -> Function:
    """`f`, whose launches check all that they access; "sites" has a place for each failure."""
    return _checked(f, f.notes["sites"], {})


def _checked(
    f: Function, sites: list[Site], done: dict[tuple[Any, ...], Mapping[str, Function]]
) -> Function:
    """`done` are kernels by their params and bodies, which several launches may have in common."""
    b = Builder(f.name)
    env: dict[Value, Value] = {}
    for op in f.body:
        b.location = op.location
        if isinstance(op, KernelLaunch):
            key = tuple((region.params, region.body) for region in op.regions)
            if key not in done:
                writer = _Checks(Builder(rules=RULES), sites, {})
                done[key] = {n: writer.region(getattr(op, n)) for n in op.spec.regions}
            regions = {
                name: region.renamed(getattr(op, name).name) for name, region in done[key].items()
            }
        elif isinstance(op, Control):
            regions = {n: _checked(getattr(op, n), sites, done) for n in op.spec.regions}
        else:
            copy_op(op, b, env)
            continue
        here = op.with_operands(lambda v: env.get(v, v)).replace(**regions)
        env.update(zip(op.results, b.emit_all(here), strict=True))
    returns = tuple(env.get(v, v) for v in f.returns)
    return Function(f.name, f.params, tuple(b.body), returns, f.notes)


class _Checks:
    """Rewrites a region; `env` says what became of the values around it that changed."""

    def __init__(self, b: Builder, sites: list[Site], env: dict[Value, Value]) -> None:
        self.b = b
        self.sites = sites
        self.env = env

    def region(self, f: Function) -> Function:
        b = self.b
        for op in f.body:
            b.location = op.location
            if isinstance(op, KernelOp):
                self.accesses(op, b)
            if op.regions and not op.closed:
                here = op.with_operands(lambda v: self.env.get(v, v))
                here = here.replace(**{n: self.inner(getattr(op, n)) for n in op.spec.regions})
                if isinstance(here, Parallel):
                    low = b.constant(0, INDEX.dtype)
                    here = For(low, here.count, (), 1, LoopKind.PARALLEL, here.body)
                self.env.update(zip(op.results, b.emit_all(here), strict=True))
            else:
                copy_op(op, b, self.env)
        returns = tuple(self.env.get(v, v) for v in f.returns)
        return Function(f.name, f.params, tuple(b.body), returns, f.notes)

    def inner(self, region: Function) -> Function:
        return _Checks(self.b.inner(), self.sites, dict(self.env)).region(region)

    def accesses(self, op: KernelOp, b: Builder) -> None:
        """Checks for the elements that `op` is about to read and write."""
        mask: Value | None = getattr(op, "mask", None)
        site = 0
        for place in (*op.reads, *op.writes):
            buffer: Value = getattr(op, place[0])
            end = self.size(buffer, b)
            first, last = self.reached(op, place[1], b)
            inside = ((first >= 0) & (last < end)).value
            if isinstance(inside.op, Constant) and inside.op.value:
                continue
            if not site:
                self.sites.append(Site("offset", op.mnemonic, op.location))
                site = len(self.sites)
            given = None if mask is None else self.env.get(mask, mask)
            b.emit_all(Assert(inside, (last.value, end.value), given, site))

    def size(self, buffer: Value, b: Builder) -> Term:
        """How many elements a buffer has."""
        if isinstance(buffer.op, ChooseBuffer):
            x, y = self.size(buffer.op.x, b), self.size(buffer.op.y, b)
            condition = buffer.op.condition
            return Term(b, self.env.get(condition, condition)).select(x, y)
        size = product(buffer.shape)
        known = isinstance(size, int)
        return Term(b, b.constant(size, INDEX.dtype) if known else b.emit(ExtentOf(size)))

    def reached(self, op: KernelOp, name: str, b: Builder) -> tuple[Term, Term]:
        """The first and the last element that an access goes to, of which `name` is the offset."""

        def term(value: Value) -> Term:
            return Term(b, self.env.get(value, value))

        first = term(getattr(op, name))
        match op:
            case LoadPair() | StorePair():
                return first * 2, first * 2 + 1
            case LoadMany():
                return first, first + (op.count - 1)
            case StoreMany():
                return first, first + (len(op.values) - 1)
            case LoadTransposed():
                return first, first + (op.size - 1)
            case SortTile():
                return first, first + term(op.size) - 1
            case TransposeTile():
                rows = term(op.rows if name == "offset" else op.target_rows)
                return first, first + rows * (op.size - 1) + (op.size - 1)
            case MergeRuns() if name == "to":
                return first, first + (term(op.last) - term(op.first)) - 1
            case _:
                return first, first
