"""Every way of running a program must give the same bits.

What is compared, element by element and byte by byte; only of nans no more than that they are nans
(sign and payload of a nan belong to the machine), and of results also dtype and shape:

    eager       the program, op by op through the public API: what all others are compared with
    function    under tf.function: traced for the sizes of the second run; then called with the
                first run's, so that it is traced again with symbols ("relaxed"). Both against
                eager runs of these sizes. Variables and generators have the same values after it
    passes      the traced function with all passes of OPTIMISE, with each one left out, with none
                (but for `inline`, which is no choice: calls cannot be lowered, those of regions
                neither); "without cse" is
                the same with this one left out alone. What calls Python, as strings do, is not
                compiled by itself, and is left alone here
    text        what these run is parsed from the printed function; kernels round-trip as well
    stored      with every value stored, which leaves nothing to fuse
    gradients   of all float results by all float inputs and Variables: the tape eagerly, the tape
                inside a function, a function under a tape outside, and a tape inside a function
                with symbols. These also add cotangents up in one order, so bits are equal. Only
                None is no difference from zeros: where values change places in a loop, or one
                branch alone has a source, eager code gives None by what it did not use, and a
                function zeros by what the loop or the choice takes. (So it is in TensorFlow.) And
                where eager code gives -0.0, a function may give 0.0: what loops, choices and
                computed indices take begins with zeros, and -0.0 + 0.0 is 0.0. The other way round
                it may not, but in packs, where small sums vanish. (Pullbacks are linear, so that
                nothing else follows from a zero's sign.) The traced gradient then goes through
                passes, text and stored as well. Where a loop begins with a value that it also takes
                from around itself, orders differ: makers give it another one to begin with
    threads     the function on one thread and on two
    emulated    the traced function as PTX, on the emulated GPU, where its kernels need no host
    slopes      derivatives up to the third against differences (slopes.py)

The function and what passes make of it are also called with other values, where a case is asked
for that: by turns special values, those of all magnitudes, and few that are often equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

import tfc as tf
from tests import emulated, native
from tests.fuzz.programs import FLOATS, SPECIAL
from tfc.backends.cpu import program as backend
from tfc.backends.cpu.runtime import runtime
from tfc.ir import passes, text
from tfc.ir.copying import copy_op
from tfc.ir.core import Builder, Function, structure
from tfc.ir.ops.control import Control
from tfc.ir.ops.host import HostCall

ALL_CHECKS = ("function", "passes", "stored", "gradients")


class Difference(AssertionError):
    """Two ways of running a program do not agree."""


class Case:
    """A program ready to run: what its source defines."""

    def __init__(self, scope: Mapping[str, Any], more: int = 0) -> None:
        """`more`: how often it is called with other values, of the first run's sizes."""
        self.program: Callable[..., tuple[Any, ...]] = scope["program"]
        self.inputs: tuple[Any, ...] = scope["inputs"]
        self.others: tuple[Any, ...] = scope["others"]
        self.state: tuple[Any, ...] = scope["state"]
        self.start = [v.numpy() for v in self.state]
        self.more = [other_values(self.inputs, i) for i in range(more)]
        self.compared = 0  # calls with these, by now

    def run(self, function: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
        """What `function` returns from the initial state, and the state after it."""
        for v, value in zip(self.state, self.start, strict=True):
            v.assign(value)
        results = [None if r is None else np.asarray(r) for r in function(*inputs)]
        return [*results, *(np.asarray(v) for v in self.state)]

    @property
    def relaxes(self) -> bool:
        """Whether the second run has other sizes."""
        shapes = [[tuple(x.shape) for x in xs] for xs in (self.inputs, self.others)]
        return shapes[0] != shapes[1]

    # Gradients.

    def sources(self, inputs: Sequence[Any]) -> list[Any]:
        return [x for x in (*inputs, *self.state) if x.dtype.is_floating]

    def taped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The gradients of what `function` returns, by a tape around it."""

        def gradients(*inputs: Any) -> Any:
            sources = self.sources(inputs)
            with tf.GradientTape() as tape:
                tape.watch(sources)
                results = function(*inputs)
            targets = [y for y in results if y.dtype.is_floating]
            found = tape.gradient(targets, sources)
            slices = tf.IndexedSlices  # what is gathered of a Variable
            return tuple(tf.convert_to_tensor(g) if isinstance(g, slices) else g for g in found)

        return gradients


def other_values(inputs: Sequence[Any], number: int) -> tuple[Any, ...]:
    """Tensors of these dtypes and shapes: by turns special values, those of any magnitude, and few
    that are often equal."""
    found = []
    for i, x in enumerate(inputs):
        random = np.random.default_rng([number, i, *x.shape])
        dtype = x.dtype
        if dtype.is_floating:
            with np.errstate(over="ignore"):
                wide = random.normal(size=64) * 10.0 ** random.integers(-12, 12, 64)
                pool = ((*FLOATS, *SPECIAL, *SPECIAL), wide, (-0.0, 0.0, 1.0, -1.0))[number % 3]
                values = np.array(pool).astype(dtype.numpy)
        elif dtype.is_bool:
            values = np.array([number % 3 == 2, True, False])
        else:
            low, high = int(dtype.min), int(dtype.max)
            wide = random.integers(low, high, 64, dtype=dtype.numpy, endpoint=True)
            values = (np.array([low, high, 0, 1, high // 2 + 1], dtype.numpy), wide, wide % 3)[
                number % 3
            ].astype(dtype.numpy)
        found.append(tf.constant(random.choice(values, tuple(x.shape)), dtype))
    return tuple(found)


def same(
    got: Sequence[Any],
    wanted: Sequence[Any],
    what: str,
    zeros: bool = False,
    signs: bool = False,
) -> None:
    """Raise Difference unless these are equal bits; `zeros` may be got where None is wanted, and
    0.0 where -0.0 is, with `signs` -0.0 where 0.0 is, too."""
    if len(got) != len(wanted):
        raise Difference(f"{what}: {len(got)} results instead of {len(wanted)}")
    for i, (x, y) in enumerate(zip(got, wanted, strict=True)):
        if y is None and (x is None or (zeros and not np.any(x))):
            continue
        if x is None or y is None or x.dtype != y.dtype or x.shape != y.shape:
            shown = [None if a is None else f"{a.dtype}{list(a.shape)}" for a in (x, y)]
            raise Difference(f"{what}: result {i} is {shown[0]} instead of {shown[1]}")
        if zeros and y.dtype.kind in "fV":  # (V: bfloat16)
            y = np.where((x == 0) & (y == 0) & (signs | np.signbit(y)), x, y)
        if native.bits(x) != native.bits(y):
            raise Difference(f"{what}: result {i} is\n{x!r}\ninstead of\n{y!r}")


def check(case: Case, checks: Sequence[str] = ALL_CHECKS) -> bool:
    """Run a program in the ways that `checks` names; raise Difference where the bits differ. False
    where it was left alone in one of them, for it has no gradient, needs the host or calls Python.
    """
    wanted = case.run(case.program, case.inputs)
    same(case.run(case.program, case.inputs), wanted, "eager, a second time")
    if "function" in checks:
        function(case, case.program, wanted, "function")
    all_made = variants(case, case.program, wanted, checks, "")
    if "gradients" in checks and not case.sources(case.inputs):
        all_made = False
    elif "gradients" in checks:
        inside = case.taped(case.program)
        slopes = case.run(inside, case.inputs)
        traced = function(case, inside, slopes, "gradient inside a function", zeros=True)
        outside = case.taped(tf.function(case.program))
        same(case.run(outside, case.inputs), slopes, "gradient of a function", zeros=True)
        all_made &= variants(case, inside, traced, checks, "gradient, ")
    if "threads" in checks:
        threads(case, wanted)
    if "emulated" in checks:
        all_made &= on_emulated_gpu(case, wanted)
    return all_made


def function(
    case: Case, python: Callable[..., Any], wanted: list[Any], what: str, zeros: bool = False
) -> list[Any]:
    """Under tf.function: at the second run's sizes, then with symbols for what changed; what it
    gave at last."""
    compiled = tf.function(python)
    if case.relaxes:
        others = case.run(python, case.others)
        same(case.run(compiled, case.others), others, f"{what}, other sizes", zeros)
    first = case.run(compiled, case.inputs)
    same(first, wanted, what, zeros)
    again = case.run(compiled, case.inputs)
    same(again, first, f"{what}, a second time")
    for inputs in case.more:
        same(case.run(compiled, inputs), case.run(python, inputs), f"{what}, other values", zeros)
        case.compared += 1
    return first


def threads(case: Case, wanted: list[Any]) -> None:
    """The function and the eager program on one thread and on two."""
    compiled = tf.function(case.program)
    try:
        for count in (1, 2):
            runtime.set_threads(count)
            same(case.run(compiled, case.inputs), wanted, f"function on {count} threads")
            same(case.run(case.program, case.inputs), wanted, f"eager on {count} threads")
    finally:
        runtime.set_threads(0)


def on_emulated_gpu(case: Case, wanted: list[Any]) -> bool:
    """The traced function as PTX; a program whose kernels need the host is left alone (False)."""
    traced = Traced(case, case.program, wanted)
    kernels = emulated.lowered(traced.function)
    if not emulated.launched_only(kernels):
        return False
    device = emulated.Emulated(traced.function, "random", kernels)
    same(device(*traced.arrays)[: len(traced.results)], traced.results, "emulated GPU")
    return True


class Traced:
    """The function that a program traces to, what it is called with and what shall come out."""

    def __init__(self, case: Case, python: Callable[..., Any], wanted: list[Any]) -> None:
        concrete = tf.function(python).get_concrete_function(*case.inputs)
        values = dict(zip(map(id, case.state), case.start, strict=True))
        captured = [values.get(id(c), np.asarray(c)) for c in concrete.captured]
        self.function: Function = concrete.function
        self.arrays = [np.asarray(x) for x in case.inputs] + captured
        self.case, self.concrete = case, concrete
        self.results = self.results_of(wanted)

    def results_of(self, wanted: list[Any]) -> list[Any]:
        """What its kernels give where a run gives `wanted`: no None, and of Variables those that
        are assigned."""
        state = self.case.state
        returned = len(wanted) - len(state)
        after = dict(zip(map(id, state), wanted[returned:], strict=True))
        results = [w for w in wanted[:returned] if w is not None]
        return results + [after[id(v)] for v in self.concrete.updated]


def variants(
    case: Case, python: Callable[..., Any], wanted: list[Any], checks: Sequence[str], what: str
) -> bool:
    """The traced function, by subsets of passes and with everything stored, as `checks` says. False
    where it cannot be compiled by itself."""
    if not any(c in ("passes", "stored") or c.startswith("without ") for c in checks):
        return True
    traced = Traced(case, python, wanted)
    if calls_python(traced.function):
        return False
    f, results = text.parse(str(traced.function)), traced.results
    if structure(f) != structure(traced.function):
        raise Difference(f"{what}text: parsed is another function\n{traced.function}\n{f}")
    calls = [(traced.arrays, results)]
    if python is case.program:  # (of gradients eager code gives None, where a function gives zeros)
        for inputs in case.more:
            arrays = [np.asarray(x) for x in inputs] + traced.arrays[len(inputs) :]
            calls.append((arrays, traced.results_of(case.run(python, inputs))))
    known: list[Any] = []
    for name, g, pipeline in pipelines(f, checks):
        made = native.lowered(g, pipeline)
        key = structure(made)
        if key in known:
            continue
        printed = str(made)
        if structure(text.parse(printed)) != key:
            raise Difference(f"{what}{name}: parsed kernels are others\n{printed}")
        run = backend.compile_program(made, backend.Signature(tuple_result=True)).bind(failed)
        known.append(key)
        for arrays, given in calls:
            outcome = [np.array(r._array) for r in run(*map(native.tensor, arrays))]
            same(outcome[: len(given)], given, f"{what}{name}")
    case.compared += len(calls) - 1
    return True


def calls_python(f: Function) -> bool:
    """Whether a function calls back into Python, which compiled kernels alone do not offer."""
    regions = (region for op in f.body for region in op.regions)
    return any(isinstance(op, HostCall) for op in f.body) or any(map(calls_python, regions))


def inlined(f: Function) -> Function:
    """Without calls, in the regions of control flow, too: there the pass `regions` does that."""
    f = passes.inline(f)
    if Control not in f.op_classes:
        return f
    b = Builder(f.name)
    env = {p: b.parameter(p.type, p.name) for p in f.params}
    for op in f.body:
        if isinstance(op, Control):
            own = {name: inlined(getattr(op, name)) for name in op.spec.regions}
            made = b.emit_all(op.with_operands(lambda v: env[v]).replace(**own))
            env.update(zip(op.results, made, strict=True))
        else:
            copy_op(op, b, env)
    return Function(f.name, tuple(b.params), tuple(b.body), tuple(env[v] for v in f.returns))


def pipelines(
    f: Function, checks: Sequence[str]
) -> Iterator[tuple[str, Function, tuple[passes.Pass, ...]]]:
    """Names of ways to compile `f`: the function to start from, and the passes."""
    assert passes.OPTIMISE[0] is passes.inline
    ways = [(f"without {p.__name__}", p) for p in passes.OPTIMISE[1:]]
    some = [(name, p) for name, p in ways if "passes" in checks or name in checks]
    if some:
        yield "all passes", f, passes.OPTIMISE
        for name, left_out in some:
            start = inlined if left_out is passes.regions else passes.OPTIMISE[0]
            others = (p for p in passes.OPTIMISE[1:] if p is not left_out)
            yield name, f, (start, *others)
        yield "no passes", f, (inlined,)
    if "stored" in checks:
        g = inlined(f)
        everything = tuple(v for op in g.body for v in op.results)
        yield "everything stored", Function(g.name, g.params, g.body, (*g.returns, *everything)), ()


def failed(*details: Any) -> None:
    raise Difference(f"a check failed in native code: {details}")
