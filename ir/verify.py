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
 8. Memory is only touched in kernels: `load`, `store` (of pairs too), `local`, `choose_buffer`,
    `prefetch`, `turn`, `append`, `sort_tile`, `merge_runs`, `for`, `parallel`, `grid`, `reduce` and
    `assert` stand inside a launch's kernel, and tensor ops with no meaning as scalars do not.
    Scalars of kernels have rank 0.
    `shared`, `barrier` and `shuffle` stand inside a grid with teams; no grid stands in another.
 9. A launch's inputs and results fit the params of its kernel: the same dtypes and shapes, inputs
    first, as buffers, complex ones as they are or as buffers of their parts
    (ir/kernels/split_complex.py). A kernel returns nothing. A host launch calls a function of one
    op that a library computes, whose params and results are typed like the launch's.
10. A loop's kind is one of those that kernel.py names; its body takes the index (i64) and the
    carried values, and returns values of the same types. A vector loop ("vector", "lanes" or
    "some") carries nothing, and no vector loop, vector reduction or parallel loop stands inside
    one. A step is at least 1.
    A repetition's condition and body take what is carried; the condition gives a bool, the body
    what is carried. A branch's regions take nothing, and give values of the same types. Neither
    stands inside a vector loop. What runs rarely takes the arguments, gives values of the types of
    those that stand for it otherwise, and uses nothing from around it.
11. A reduction's count is an i64; its body takes an i64 and returns one scalar, or for "argmax"
    and "argmin" a scalar and an i64, or for "add" and "complex_mul" the two parts of a complex
    number; how it combines is one of the names in COMBINES.
12. Offsets are i64, masks and asserted conditions bool, sites of asserts at least 1.
13. A call's arguments have the types of the callee's params; a custom gradient's backward
    function takes the arguments and a cotangent for each result, and gives cotangents, typed
    like the arguments, for those that are connected.
"""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from .core import Function, Op, OpError, Value
from .dtypes import bool_
from .kernels.gpu.async_copies import AwaitCopies, CommitCopies, CopyAsync
from .kernels.gpu.warpgroups import FenceTiles, MultiplyTiles
from .kernels.ops import (
    Aligned,
    Append,
    Assert,
    Barrier,
    Branch,
    ChooseBuffer,
    Combine,
    For,
    Grid,
    HostLaunch,
    Launch,
    Load,
    LoadFragments,
    LoadMany,
    LoadPair,
    LoadSquare,
    Local,
    MergeRuns,
    MultiplyFragments,
    Opaque,
    Parallel,
    Prefetch,
    Rarely,
    Reduce,
    Repeat,
    RoundFragment,
    Shared,
    Shuffle,
    SortTile,
    Store,
    StoreMany,
    StorePair,
    Turn,
)
from .ops.elementwise import Elementwise
from .ops.functional import Call, CustomGradient
from .ops.host import HostCall
from .ops.shape import Constant, ExtentOf
from .text import print_marked
from .types import INDEX, BufferType, TensorType, Type, in_parts, scalar_type

MEMORY = Load | LoadPair | Store | StorePair | For | Reduce | Combine | Local | Assert
MEMORY |= Repeat | Branch | Rarely | ChooseBuffer | Opaque | Prefetch | Turn | Parallel
MEMORY |= Grid | Shared | Barrier | Shuffle | LoadMany | StoreMany | Aligned
MEMORY |= LoadFragments | RoundFragment | MultiplyFragments | LoadSquare
MEMORY |= SortTile | MergeRuns | Append
MEMORY |= CopyAsync | CommitCopies | AwaitCopies | FenceTiles | MultiplyTiles
SIDE_BY_SIDE = ("vector", "lanes", "some")
KINDS = ("serial", "vector", "lanes", "some", "parallel")
COMBINES: tuple[str, ...] = ("add", "mul", "complex_mul", "maximum", "minimum")
COMBINES += ("bitwise_and", "bitwise_or", "argmax", "argmin")


class VerifyError(Exception):
    """IR that breaks an invariant; the message shows the IR, and under the op what is wrong."""


def verify(f: Function) -> Function:
    """`f` itself, if it keeps the invariants above; else VerifyError."""
    _Verifier(f).closed(f, None)
    return f


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
        for op in f.body:
            self.op(op, scope)
        for value in f.returns:
            if value not in scope:
                raise self.fail(f"@{f.name} returns {value!r}, which is not defined there", owner)
        if outer is not None:  # which does not see what was defined inside
            scope.difference_update(f.params, *(op.results for op in f.body))

    def closed(self, f: Function, owner: Op | None) -> None:
        """A region that uses nothing from around it."""
        context = self.in_kernel, self.in_vector, self.team
        if context in _sound.get(f, ()):
            return
        outer, self.defined, self.ops = (self.defined, self.ops), set(), set()
        self.function(f, None, owner)
        self.defined, self.ops = outer
        _sound.setdefault(f, set()).add(context)

    def op(self, op: Op, scope: set[Value]) -> None:
        if op in self.ops:
            raise self.fail("the op stands twice", op)
        self.ops.add(op)
        self.fields(op)
        if not scope.issuperset(op.operands):
            for v in op.operands:
                if v not in scope:
                    raise self.fail(f"operand {v!r} is not defined before it", op)
        if "results" not in op.__dict__:
            raise self.fail("the op has no results: it was never emitted", op)
        self.types(op)
        for i, result in enumerate(op.results):
            if result.op is not op or result.index != i:
                raise self.fail(f"result {i} does not belong to the op", op)
        self.placed(op)
        match op:
            case Elementwise():  # most ops: nothing more is asked of them
                pass
            case Launch():
                self.launch(op)
            case For():
                self.loop(op, scope)
            case Reduce():
                self.reduction(op, scope)
            case Repeat():
                self.repeat(op, scope)
            case Branch():
                self.branch(op, scope)
            case Rarely():
                self.rarely(op)
            case Parallel():
                if op.count.type != INDEX or op.work.type != INDEX:
                    raise self.fail("the count and the work must be i64", op)
                if self.in_vector:
                    raise self.fail("a parallel loop inside a vector loop", op)
                self.takes(op, op.body, (INDEX,))
                if op.body.returns:
                    raise self.fail("the body must return nothing", op)
                self.function(op.body, scope, op)
            case Grid():
                if any(v.type != INDEX for v in op.operands) or min(op.steps, default=1) < 1:
                    raise self.fail("the ends must be i64, the steps at least 1", op)
                if self.in_vector or self.team:
                    raise self.fail("a grid inside a vector loop, or inside another", op)
                self.takes(op, op.body, (INDEX,) * len(op.body.params))
                if op.body.returns:
                    raise self.fail("the body must return nothing", op)
                self.team = op.team
                self.function(op.body, scope, op)
                self.team = 0
            case Shared() | Barrier() | Shuffle() | CopyAsync() if self.team < 2:
                raise self.fail("stands outside of a team's grid", op)
            case _:
                self.special(op)
                for region in op.regions:
                    self.closed(region, op)
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
                raise self.fail(f"region {name} is no function", op)

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
        """Invariant 8."""
        memory = _in_memory(type(op))
        if not self.in_kernel:
            if memory:
                raise self.fail("stands outside a kernel", op)
            return
        if not memory and not isinstance(op, Elementwise | Constant | ExtentOf):
            raise self.fail("no op of kernels", op)
        if any(v.shape for v in op.results) and not isinstance(op, Local | Shared | ChooseBuffer):
            raise self.fail("a value in a kernel that is no scalar", op)

    def launch(self, op: Launch) -> None:
        kernel = op.kernel
        outside = (*(v.type for v in op.inputs), *op.types)
        wanted = tuple(BufferType(t.dtype, t.shape) for t in outside)
        have = tuple(p.type for p in kernel.params)
        if have not in (wanted, tuple(map(in_parts, wanted))):
            raise self.fail(f"the kernel takes {_types(have)}, but is given {_types(wanted)}", op)
        if kernel.returns:
            raise self.fail("a kernel returns nothing", op)
        self.in_kernel = True
        self.closed(kernel, op)
        self.in_kernel = False

    def loop(self, op: For, scope: set[Value]) -> None:
        if op.kind not in KINDS:
            raise self.fail(f"no loop kind: {op.kind!r}", op)
        if op.step < 1:
            raise self.fail("the step must be at least 1", op)
        if op.low.type != INDEX or op.high.type != INDEX:
            raise self.fail("the bounds must be i64", op)
        if op.kind in SIDE_BY_SIDE and op.init:
            raise self.fail("a vector loop carries nothing", op)
        carried = tuple(v.type for v in op.init)
        self.takes(op, op.body, (INDEX, *carried))
        if tuple(v.type for v in op.body.returns) != carried:
            raise self.fail(f"the body must return {_types(carried)}", op)
        self.inside(op, scope)

    def reduction(self, op: Reduce, scope: set[Value]) -> None:
        if op.kind not in ("serial", "vector"):
            raise self.fail(f"no reduction kind: {op.kind!r}", op)
        if op.combine not in COMBINES:
            raise self.fail(f"no way to combine: {op.combine!r}", op)
        if op.count.type != INDEX:
            raise self.fail("the count must be an i64", op)
        self.takes(op, op.body, (INDEX,))
        have = tuple(v.type for v in op.body.returns)
        paired = op.combine in ("argmax", "argmin")
        parts = op.combine == "complex_mul" or (op.combine == "add" and len(have) == 2)
        second = have[:1] if parts else (INDEX,) if paired else ()
        if len(have) != 1 + len(second) or have[1:] != second:
            raise self.fail(f"the body of {op.combine} returns {_types(have)}", op)
        self.inside(op, scope)

    def repeat(self, op: Repeat, scope: set[Value]) -> None:
        carried = tuple(v.type for v in op.init)
        for region, gives in ((op.condition, (scalar_type(bool_),)), (op.body, carried)):
            self.takes(op, region, carried)
            self.gives(op, region, gives)
            self.function(region, scope, op)

    def branch(self, op: Branch, scope: set[Value]) -> None:
        if op.condition.type != scalar_type(bool_):
            raise self.fail("the condition must be a bool", op)
        for region in (op.then, op.orelse):
            self.takes(op, region, ())
            self.gives(op, region, tuple(v.type for v in op.results))
            self.function(region, scope, op)

    def rarely(self, op: Rarely) -> None:
        if op.condition.type != scalar_type(bool_):
            raise self.fail("the condition must be a bool", op)
        self.takes(op, op.callee, tuple(v.type for v in op.args))
        self.gives(op, op.callee, tuple(v.type for v in op.otherwise))
        self.closed(op.callee, op)

    def gives(self, op: Op, region: Function, wanted: tuple[Type, ...]) -> None:
        if self.in_vector and not isinstance(op, Rarely):
            raise self.fail("control flow inside a vector loop", op)
        have = tuple(v.type for v in region.returns)
        if have != wanted:
            raise self.fail(f"a region returns {_types(have)}, not {_types(wanted)}", op)

    def inside(self, op: For | Reduce, scope: set[Value]) -> None:
        outer = self.in_vector
        if op.kind in SIDE_BY_SIDE:
            if outer:
                raise self.fail("a vector loop inside another", op)
            self.in_vector = True
        self.function(op.body, scope, op)
        self.in_vector = outer

    def takes(self, op: Op, body: Function, wanted: tuple[Type, ...]) -> None:
        have = tuple(p.type for p in body.params)
        if have != wanted:
            raise self.fail(f"the body takes {_types(have)}, not {_types(wanted)}", op)

    def special(self, op: Op) -> None:
        """Invariants 12 and 13."""
        mask: Value | None = None
        match op:
            case Load(buffer=buffer, offset=offset, mask=mask):
                self.address(op, buffer, offset)
            case Store(buffer=buffer, offset=offset) | Prefetch(buffer=buffer, offset=offset):
                self.address(op, buffer, offset)
            case LoadMany(buffer=buffer, offset=offset) | StoreMany(buffer=buffer, offset=offset):
                self.address(op, buffer, offset)
            case LoadFragments(buffer=buffer, offset=offset):
                self.address(op, buffer, offset)
            case MultiplyTiles():
                self.address(op, op.left, op.left_at)
                self.address(op, op.right, op.right_at)
            case LoadSquare(buffer=buffer, offset=offset):
                self.address(op, buffer, offset)
            case CopyAsync(mask=mask):
                self.address(op, op.source, op.offset)
                self.address(op, op.target, op.to)
            case Turn():
                self.address(op, op.source, op.offset)
                self.address(op, op.target, op.target_offset)
                if op.rows.type != INDEX or op.target_rows.type != INDEX:
                    raise self.fail("distances of rows must be i64", op)
                if op.ahead is not None and op.ahead.type != INDEX:
                    raise self.fail("a distance must be i64", op)
            case Append(buffer=buffer, offset=offset, condition=condition):
                self.address(op, buffer, offset)
                if condition.type != TensorType(bool_):
                    raise self.fail("the condition must be a bool", op)
            case SortTile(buffer=buffer, offset=offset, size=size):
                self.address(op, buffer, offset)
                if size.type != INDEX:
                    raise self.fail("a size must be i64", op)
            case MergeRuns(source=source):
                for offset in (op.first, op.second, op.last):
                    self.address(op, source, offset)
                self.address(op, op.target, op.to)
            case LoadPair(buffer=buffer, offset=offset, mask=mask):
                self.address(op, buffer, offset, pairs=True)
            case StorePair(buffer=buffer, offset=offset):
                self.address(op, buffer, offset, pairs=True)
            case Combine(combine=combine):
                if combine not in COMBINES:
                    raise self.fail(f"no way to combine: {combine!r}", op)
            case Assert(condition=condition, mask=mask):
                if condition.type != TensorType(bool_):
                    raise self.fail("the condition must be a bool", op)
                if op.site < 1:
                    raise self.fail("sites count from 1", op)
            case HostLaunch(call=call):
                self.takes(op, call, tuple(v.type for v in op.inputs))
                if len(call.body) != 1 or not isinstance(call.body[0], HostCall):
                    raise self.fail("calls something else than one host op", op)
                if call.result_types != op.types or op.site < 1:
                    raise self.fail(f"the call gives {_types(call.result_types)}", op)
            case Call(args=args, callee=callee):
                self.takes(op, callee, tuple(a.type for a in args))
            case CustomGradient():
                self.custom_gradient(op)
        if mask is not None and mask.type != TensorType(bool_):
            raise self.fail("the mask must be a bool", op)

    def address(self, op: Op, buffer: Value, offset: Value, pairs: bool = False) -> None:
        if not isinstance(buffer.type, BufferType):
            raise self.fail("memory is in buffers", op)
        if pairs and buffer.shape[-1:] != (2,):
            raise self.fail("pairs are along a last axis of extent 2", op)
        if offset.type != INDEX:
            raise self.fail("the offset must be an i64", op)

    def custom_gradient(self, op: CustomGradient) -> None:
        given = tuple(a.type for a in op.args)
        self.takes(op, op.forward, given)
        self.takes(op, op.backward, (*given, *op.forward.result_types))
        if len(op.connected) != len(op.args):
            raise self.fail("`connected` must have one flag for each argument", op)
        wanted = tuple(t for t, used in zip(given, op.connected, strict=True) if used)
        if op.backward.result_types != wanted:
            raise self.fail(f"backward must return {_types(wanted)}", op)


_memory: dict[type[Op], bool] = {}


def _in_memory(kind: type[Op]) -> bool:
    """Whether ops of this class are among those that touch memory, found once a class."""
    found = _memory.get(kind)
    if found is None:
        found = _memory[kind] = issubclass(kind, MEMORY)
    return found


def _types(types: Iterable[Type]) -> str:
    return "(" + ", ".join(map(str, types)) + ")"
