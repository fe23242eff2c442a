"""The verifier: what must be true of IR, at every level, before and after every pass.

`verify(f)` checks, for tensor functions and kernels alike:

 1. An operand is a parameter, or the result of an op before it, in the same function; the body
    of a kernel loop (`for`, `reduce`, `parallel`) may also use what is defined before the loop.
 2. No value is defined twice and no op stands twice, loop bodies included. (Calls may share a
    callee: a closed function is looked at on its own.)
 3. A result belongs to its op: `result.op` is the op and `result.index` its place. A parameter
    has no op.
 4. The results' types are what `infer` gives; `infer` accepts the operands.
 5. Operands that are not optional are there, and fields that hold functions hold functions.
 6. What a function returns is defined in it, or, for the body of a loop, around it.
 7. Parameters and results of functions of tensor ops are tensors; only kernels have buffers.
 8. Ops of kernels (`KernelOp`) stand inside a launch's kernel, each where its `scope` allows it;
    there, other ops are elementwise or constants, and values are scalars or buffers.
 9. A launch's inputs and results fit the params of its kernel: the same dtypes and shapes, inputs
    first, as buffers, complex ones as they are or as buffers of their parts
    (ir/kernels/split_complex.py). A kernel returns nothing. A host launch calls a function of one
    op that a library computes, whose params and results are typed like the launch's. Beside
    launches stand only reshapes, which show the same memory, control flow, and what binds extents:
    nothing else would be computed.
10. An op keeps its own `invariants`, and its regions have the params and results that its
    `regions_take` tells. Those of ops of kernels see what is defined around them, unless the op
    is `closed`; what runs side by side does not stand inside of what does.
11. No offset in a buffer lies outside of it in any round of the loops around, as far as counting
    tells (offsets.py), where nothing guards it (a mask, a branch, a loop that may have no rounds).
    Where offsets depend on sizes and data nothing bounds them. A kernel is as trusted as C (see
    `tfc.ir.parse`).
12. What a plain load gave is not used behind a store that may have changed its place
    (stale_loads.py): builders give the first of equal loads for all of them, so that it might have
    been meant to read what was stored. A `Reload` says that it was not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from weakref import WeakKeyDictionary

from .core import Function, Op, OpError, Value
from .kernel_op import KernelLaunch, KernelOp, Launched, Scope
from .offsets import Offsets
from .ops.control import Control
from .ops.elementwise import Elementwise
from .ops.extents import BindExtent
from .ops.shape import Constant, ExtentOf, Reshape
from .stale_loads import stale_uses
from .text import print_marked
from .types import INDEX, BufferType, TensorType, Type, in_parts


class VerifyError(Exception):
    """IR that breaks an invariant; the message shows the IR, and under the op what is wrong."""


def verify(f: Function) -> Function:
    """`f` itself, if it keeps the invariants above; else VerifyError."""
    _Verifier(f).closed(f, None)
    return f


BESIDE_LAUNCHES = (Launched, Control, Reshape, BindExtent)

# What uses nothing from around it stays sound, since nothing is mutated: most kernels and regions
# go through most passes as they are. By function: whether in a kernel, in a vector loop, the team.
_sound: WeakKeyDictionary[Function, set[tuple[bool, bool, int]]] = WeakKeyDictionary()


class _Verifier:
    def __init__(self, root: Function) -> None:
        self.root = root
        self.defined: set[Value] = set()  # anywhere, for invariant 2
        self.ops: set[Op] = set()
        self.in_kernel = False
        self.in_vector = False
        self.team = 0  # of the grid around
        self.guarded = False  # in a branch
        self.offsets = Offsets()

    def fail(self, message: str, op: Op | None = None) -> VerifyError:
        return VerifyError(f"{message}\n{print_marked(self.root, op, message)}")

    def define(self, values: Iterable[Value], scope: set[Value], op: Op | None = None) -> None:
        for value in values:
            if value in self.defined:
                raise self.fail(f"{value!r} is defined twice", op)
            self.defined.add(value)
            scope.add(value)

    def function(self, f: Function, outer: set[Value] | None, owner: Op | None = None) -> None:
        """A function, region or loop body; `outer` is what a loop body sees around it."""
        scope: set[Value] = set() if outer is None else outer
        for i, p in enumerate(f.params):
            if p.op is not None:
                raise self.fail(f"parameter {i} of @{f.name} is the result of an op", owner)
            if not self.in_kernel and not isinstance(p.type, TensorType):
                raise self.fail(f"parameter {i} of @{f.name} is no tensor: {p.type}", owner)
        self.define(f.params, scope, owner)
        lowered = not self.in_kernel and any(isinstance(op, Launched) for op in f.body)
        for op in f.body:
            if lowered and not isinstance(op, BESIDE_LAUNCHES):
                raise self.fail("stands beside launches, but is none", op)
            self.op(op, scope)
        for value in f.returns:
            if value not in scope:
                raise self.fail(f"@{f.name} returns {value!r}, which is not defined there", owner)
        if outer is not None:  # which does not see what was defined inside
            scope.difference_update(f.params, *(op.results for op in f.body))

    def closed(self, f: Function, owner: Op | None) -> bool:
        """A region that uses nothing from around it; whether it had to be looked at."""
        context = self.in_kernel, self.in_vector, self.team
        if context in _sound.get(f, ()):
            return False
        outer, self.defined, self.ops = (self.defined, self.ops), set(), set()
        self.function(f, None, owner)
        self.defined, self.ops = outer
        _sound.setdefault(f, set()).add(context)
        return True

    def op(self, op: Op, scope: set[Value]) -> None:
        if op in self.ops:
            raise self.fail("the op stands twice", op)
        self.ops.add(op)
        self.fields(op)
        if not scope.issuperset(op.operands):
            for v in op.operands:
                if v not in scope:
                    raise self.fail(f"operand {v!r} is not defined before it", op)
        if not op.typed:
            raise self.fail("the op has no results: it was never emitted", op)
        self.types(op)
        for i, result in enumerate(op.results):
            if result.op is not op or result.index != i:
                raise self.fail(f"result {i} does not belong to the op", op)
        self.placed(op)
        for wrong in op.invariants():
            raise self.fail(wrong, op)
        if isinstance(op, KernelOp):
            self.bounded(op)
        elif self.in_kernel and op.results[0].type == INDEX:
            self.offsets.linear(op.results[0])
        if op.regions:
            self.inside(op, scope)
        self.define(op.results, scope, op)

    def fields(self, op: Op) -> None:
        for name in op.spec.operands:
            value = getattr(op, name)
            if type(value) is Value:
                continue
            parts = value if isinstance(value, tuple) else (value,)
            annotation = op.spec.annotations[name]
            if value is None and "None" in annotation:
                continue
            if not all(isinstance(v, Value) for v in parts):
                raise self.fail(f"operand {name} is no value", op)
        for name in op.spec.regions:
            if not isinstance(getattr(op, name), Function):
                # which has no text that could be shown
                raise VerifyError(f"region {name} of {op.mnemonic} is no function")

    def types(self, op: Op) -> None:
        try:
            inferred = op.infer()
        except OpError as error:
            raise self.fail(str(error), op) from None
        except AssertionError:
            raise self.fail("operands that the op does not take", op) from None
        wanted = inferred if isinstance(inferred, tuple) else (inferred,)
        have = tuple([v.type for v in op.results])
        if have != wanted:
            raise self.fail(f"has results {_types(have)}, but infer gives {_types(wanted)}", op)

    def placed(self, op: Op) -> None:
        """Invariant 8, and what of 10 is about places."""
        if not self.in_kernel:
            if isinstance(op, KernelOp):
                raise self.fail("stands outside a kernel", op)
            return
        if isinstance(op, KernelOp):
            if op.scope is not Scope.ANYWHERE and not self.allows(op.scope):
                raise self.fail(op.scope.value, op)
            if op.side_by_side and self.in_vector:
                raise self.fail("a vector loop inside another", op)
        elif not isinstance(op, Elementwise | Constant | ExtentOf):
            raise self.fail("no op of kernels", op)
        if any(v.shape and isinstance(v.type, TensorType) for v in op.results):
            raise self.fail("a value in a kernel that is no scalar", op)

    def allows(self, scope: Scope) -> bool:
        """Whether what is of this scope may stand here."""
        if scope is Scope.TEAM:
            return self.team > 1
        return not (self.in_vector or (scope is Scope.KERNEL and self.team))

    def bounded(self, op: KernelOp) -> None:
        """Invariant 11."""
        for counter, low, high, step in op.counters():
            self.offsets.counts(counter, low, high, step)
        if self.guarded or getattr(op, "mask", None) is not None:
            return
        for buffer, offset in op.places((*op.reads, *op.writes)):
            if buffer.op is not None and buffer.op.operands:  # one of several, of other sizes
                continue
            size, found = TensorType(buffer.dtype, buffer.shape).size, self.offsets.reach(offset)
            if isinstance(size, int) and found is not None and not 0 <= found[0] <= found[1] < size:
                told = " to ".join(map(str, dict.fromkeys(found)))
                raise self.fail(f"offset {told} in a buffer of {size} elements", op)

    def may_be_empty(self, op: KernelOp) -> bool:
        """Whether a loop may have no rounds."""
        return not all(self.offsets.runs(param) for param, *_ in op.counters())

    def inside(self, op: Op, scope: set[Value]) -> None:
        """The regions of an op."""
        if isinstance(op, KernelLaunch):
            self.kernels(op)
            return
        regions = {name: getattr(op, name) for name in op.spec.regions}
        for name, (params, results) in op.regions_take().items():
            self.typed(op, name, "takes", [p.type for p in regions[name].params], params)
            self.typed(op, name, "returns", regions[name].result_types, results)
        outer = self.in_vector, self.team, self.guarded
        if isinstance(op, KernelOp):
            self.in_vector = self.in_vector or op.side_by_side
            self.team = self.team or op.opens_team
            self.guarded = self.guarded or op.chooses or self.may_be_empty(op)
        for region in regions.values():
            if isinstance(op, KernelOp) and not op.closed:
                self.function(region, scope, op)
            else:
                self.closed(region, op)
        self.in_vector, self.team, self.guarded = outer

    def kernels(self, op: KernelLaunch) -> None:
        """Invariant 9."""
        outside = tuple(v.type for v in (*op.operands, *op.results))
        wanted = tuple(BufferType(t.dtype, t.shape) for t in outside)
        for kernel in op.regions:
            have = tuple(p.type for p in kernel.params)
            if have not in (wanted, tuple(map(in_parts, wanted))):
                message = f"the kernel takes {_types(have)}, but is given {_types(wanted)}"
                raise self.fail(message, op)
            if kernel.returns:
                raise self.fail("a kernel returns nothing", op)
            self.in_kernel = True
            if self.closed(kernel, op):
                self.fresh(kernel)
            self.in_kernel = False

    def fresh(self, kernel: Function) -> None:
        """Invariant 12."""
        for use, load, store in stale_uses(kernel, self.offsets):
            raise self.fail(f"uses {load!r} behind {store!r}, which may have changed it", use)

    def typed(
        self, op: Op, name: str, does: str, have: Sequence[Type], wanted: Sequence[Type]
    ) -> None:
        if tuple(have) != tuple(wanted):
            raise self.fail(f"region {name} {does} {_types(have)}, not {_types(wanted)}", op)


def _types(types: Iterable[Type]) -> str:
    return "(" + ", ".join(map(str, types)) + ")"
