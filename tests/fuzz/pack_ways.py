"""Ways of running packs (packs.py): those of ways.py, for many small programs at once.

Each program of a pack begins from the initial state. What one may change of it counts among its
results, and is put back behind it, in eager code and in functions alike.

    static      the function of all, traced for these sizes, against eager code
    symbolic    the same with symbols for what the second run changes, called with both
    without p   the traced function with all passes but this one; "without passes": with none. (With
                all of them it is what the others run)
    stored      with every value stored; the function and its kernels are those of their texts
    gradients   those of each program, of its float results by its float inputs and the Variables
                that it takes: the tape eagerly against tapes in one function ("static",
                "symbolic"), and one tape around the function of all, to which each program has
                copies of the inputs ("outside")
    threads, emulated, slopes as in ways.py

What calls Python, and on GPUs what needs the host, is cut out of the traced function with all that
depends on it; the other programs are judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import tfc as tf
from tests import emulated, native
from tests.fuzz import slopes
from tests.fuzz.ways import (
    Case,
    Difference,
    Traced,
    calls_python,
    failed,
    other_values,
    pipelines,
    same,
    threads,
)
from tfc.backends.cpu import program as backend
from tfc.ir import passes, text
from tfc.ir.core import Function, Op, Value, structure
from tfc.ir.extent import Expr, symbols
from tfc.ir.kernels.ops import HostLaunch
from tfc.ir.ops.control import Control
from tfc.ir.ops.extents import BindExtent
from tfc.ir.ops.host import HostCall

Part = Callable[..., tuple[Any, ...]]


class Pack(Case):
    """Programs ready to run, one after another."""

    def __init__(self, scope: Mapping[str, Any], more: int = 0, values: int = 0) -> None:
        """`more`: how often it is called with other values; `values`: with which of them first."""
        self.parts: list[Part] = [row[0] for row in scope["programs"]]
        self.places: list[tuple[int, ...]] = [row[1] for row in scope["programs"]]
        self.returned: list[int] = [row[2] for row in scope["programs"]]
        self.touched: list[tuple[Any, ...]] = [row[3] for row in scope["programs"]]
        self.before = [[v.numpy() for v in touched] for touched in self.touched]
        super().__init__({**scope, "program": self.all_of(self.parts)})
        self.more = [other_values(self.inputs, values + i) for i in range(more)]
        self.ran: list[list[Any]] = []  # what programs gave when they were tried

    def all_of(self, parts: Sequence[Part]) -> Part:
        """What calls these in turn, gives all results, and what each left of its state."""

        def program(*inputs: Any) -> tuple[Any, ...]:
            results: list[Any] = []
            for i in range(len(parts)):
                results += self.one(parts[i], i, [inputs[place] for place in self.places[i]])
            return tuple(results)

        return program

    def one(self, part: Part, i: int, inputs: Sequence[Any]) -> list[Any]:
        """What a part gives on its inputs, and what it leaves of its state, which is put back."""
        results = [*part(*inputs)]
        for v in self.touched[i]:
            results.append(tf.identity(v))
        for v, value in zip(self.touched[i], self.before[i], strict=True):
            v.assign(value)
        return results

    def runs(self, i: int, relaxed: bool) -> bool:
        """Whether a program runs eagerly (with the second run's sizes, too). Not all do: a step may
        ask more of its values than their types say."""
        try:
            for inputs in (self.others, self.inputs) if relaxed else (self.inputs,):
                results = self.one(self.parts[i], i, [inputs[place] for place in self.places[i]])
            self.ran.append([np.asarray(r) for r in results])
        except Exception:
            for v, value in zip(self.state, self.start, strict=True):
                v.assign(value)
            return False
        return True

    def eagerly(self) -> list[Any]:
        """What all programs give eagerly, as `run` tells it."""
        if len(self.ran) < len(self.parts):
            return self.run(self.program, self.inputs)
        return [*(r for results in self.ran for r in results), *self.start]

    def alone(self, i: int) -> Case:
        """One of the programs as a case."""
        inputs, others = ([xs[p] for p in self.places[i]] for xs in (self.inputs, self.others))
        scope = {"program": self.parts[i], "inputs": tuple(inputs), "others": tuple(others)}
        return Case({**scope, "state": self.touched[i]})

    def signature(self) -> list[Any]:
        """Of the inputs, with None for what the second run changes."""
        found = []
        for x, y in zip(self.inputs, self.others, strict=True):
            shape = [a if a == b else None for a, b in zip(x.shape, y.shape, strict=True)]
            found.append(tf.TensorSpec(shape, x.dtype))
        return found

    def kept(self, whole: Sequence[bool]) -> list[bool]:
        """Of which programs all results are there, given that of each result."""
        found, at = [], 0
        for returned, touched in zip(self.returned, self.touched, strict=True):
            end = at + returned + len(touched)
            found.append(all(whole[at:end]))
            at = end
        return found

    def slopes_of(self, part: Part, i: int) -> Part:
        """The gradients of a part by its float inputs, and by what it takes of the state."""

        def gradients(*inputs: Any) -> tuple[Any, ...]:
            sources = [x for x in (*inputs, *self.touched[i]) if x.dtype.is_floating]
            with tf.GradientTape() as tape:
                tape.watch(sources)
                results = part(*inputs)
            return dense(tape.gradient([y for y in results if y.dtype.is_floating], sources))

        return gradients


def dense(gradients: Sequence[Any]) -> tuple[Any, ...]:
    """Gradients as tensors: what is gathered of a Variable is none."""
    slices = tf.IndexedSlices
    return tuple(tf.convert_to_tensor(g) if isinstance(g, slices) else g for g in gradients)


def check(case: Pack, way: str) -> list[bool]:
    """Run a pack in a way; raise Difference where the bits differ. Which programs were judged."""
    every = [True] * len(case.parts)
    if way == "slopes":
        return [slopes.check(case.alone(i)) == slopes.ORDERS for i in range(len(case.parts))]
    if way.startswith("gradients"):
        return gradients(case, way)
    wanted = case.eagerly()
    if way in ("static", "symbolic"):
        in_function(case, case.program, wanted, way, way == "symbolic")
        return every
    if way == "threads":
        threads(case, wanted)
        return every
    if way == "emulated":
        return on_emulated_gpu(case, wanted)
    return by_passes(case, wanted, way)


# What a kept pack is run in again: smooth programs of float64 have slopes, too.
ALL = ("static", "symbolic", "stored", "without passes", "threads", "emulated")
ALL += tuple(f"without {p.__name__}" for p in passes.OPTIMISE[1:])
ALL += ("gradients, static", "gradients, symbolic", "gradients, outside")


def check_all(scope: Mapping[str, Any]) -> str:
    """Run a pack in every way; raise Difference where the bits differ. What could be judged."""
    case = Pack(scope, 2)
    smooth = all(x.dtype == "float64" for x in case.inputs) and not case.state
    ways = (*ALL, "slopes") if smooth else ALL
    return ", ".join(f"{way}: {sum(check(case, way))}" for way in ways)


def in_function(
    case: Pack, python: Part, wanted: list[Any], what: str, symbolic: bool, slopes: bool = False
) -> None:
    """Under tf.function: for these sizes, or with symbols for those that the second run changes."""
    given = {"zeros": slopes, "signs": slopes}
    if symbolic:
        compiled = tf.function(python, input_signature=case.signature())
        others = case.run(python, case.others)
        same(case.run(compiled, case.others), others, f"{what}, other sizes", **given)
    else:
        compiled = tf.function(python)
    same(case.run(compiled, case.inputs), wanted, what, **given)
    for inputs in case.more:
        same(case.run(compiled, inputs), case.run(python, inputs), f"{what}, other values", **given)
        case.compared += 1


def gradients(case: Pack, way: str) -> list[bool]:
    """Gradients of each program, eagerly and in functions."""
    tapes = [case.slopes_of(part, i) for i, part in enumerate(case.parts)]
    python = case.all_of(tapes)
    wanted = case.run(python, case.inputs)
    if way == "gradients, outside":
        same(outside(case), by_inputs(case, wanted), "gradients of a function", True, signs=True)
    else:
        what = "gradients inside a function"
        in_function(case, python, wanted, what, way == "gradients, symbolic", slopes=True)
    return [any(x.dtype.is_floating for x in sources(case, i)) for i in range(len(case.parts))]


def sources(case: Pack, i: int) -> list[Any]:
    return [*(case.inputs[place] for place in case.places[i]), *case.touched[i]]


def by_inputs(case: Pack, gradients: Sequence[Any]) -> list[Any]:
    """Of all gradients those by inputs."""
    found, at = [], 0
    for i in range(len(case.parts)):
        counts = [
            sum(x.dtype.is_floating for x in xs)
            for xs in ([case.inputs[place] for place in case.places[i]], case.touched[i])
        ]
        found += gradients[at : at + counts[0]]
        at += sum(counts) + len(case.touched[i])
    return found


def outside(case: Pack) -> list[Any]:
    """The gradients by inputs, with one tape around the function of all, which takes copies of the
    inputs for each."""
    copies = [[tf.identity(case.inputs[place]) for place in places] for places in case.places]
    flat = [x for xs in copies for x in xs]
    ends = np.cumsum([len(xs) for xs in copies])

    def program(*inputs: Any) -> tuple[Any, ...]:
        results: list[Any] = []
        for i in range(len(case.parts)):
            own = inputs[ends[i] - len(copies[i]) : ends[i]]
            results += case.one(case.parts[i], i, own)[: case.returned[i]]
        return tuple(results)

    watched = [x for x in flat if x.dtype.is_floating]
    for v, value in zip(case.state, case.start, strict=True):
        v.assign(value)
    with tf.GradientTape() as tape:
        tape.watch(watched)
        results = tf.function(program)(*flat)
    found = dense(tape.gradient([y for y in results if y.dtype.is_floating], watched))
    return [None if g is None else np.asarray(g) for g in found]


# Traced functions by themselves.


def cut(f: Function, unwanted: Callable[[Op], bool]) -> tuple[Function, list[bool]]:
    """A function without such ops and what depends on them, and which results it still has."""
    gone: set[Value] = set()
    known = {name for p in f.params for e in p.shape for name in symbols(e)}
    body = []
    for op in f.body:
        if unwanted(op) or any(v in gone for v in op.operands) or sizes(op) - known - given(op):
            gone.update(op.results)
        else:
            body.append(op)
            known |= given(op)
    whole = [v not in gone for v in f.returns]
    returns = tuple(v for v in f.returns if v not in gone)
    return Function(f.name, f.params, tuple(body), returns), whole


def sizes(op: Op) -> set[str]:
    """The symbols that an op and its results mention."""
    said = [e for v in (*op.operands, *op.results) for e in v.shape]
    for name in op.spec.attributes:
        value = getattr(op, name)
        said += value if isinstance(value, tuple) else [value]
    return {name for e in said if isinstance(e, Expr) for name in symbols(e)}


def given(op: Op) -> set[str]:
    """The symbols that an op says the values of."""
    return {name for _, extent in op.binds() for name in symbols(extent)}


def of_python(op: Op) -> bool:
    """Whether an op calls Python, or has regions that do."""
    return isinstance(op, HostCall) or any(calls_python(region) for region in op.regions)


def of_host(op: Op) -> bool:
    """Whether an op asks for more than launches."""
    return isinstance(op, Control | BindExtent) or of_python(op)


def by_passes(case: Pack, wanted: list[Any], way: str) -> list[bool]:
    """The traced function without one pass, without all, or with every value stored."""
    traced = Traced(case, case.program, wanted)
    start, whole = cut(traced.function, of_python)
    if not start.returns:
        return case.kept(whole)
    name, g, pipeline = chosen(start, way)
    made = native.lowered(g, pipeline)
    if way == "stored":  # as texts, too
        printed = text.parse(str(start)), text.parse(str(made))
        for f, parsed in zip((start, made), printed, strict=True):
            if structure(parsed) != structure(f):
                raise Difference(f"text: parsed is another function\n{f}\n{parsed}")
    run = backend.compile_program(made, backend.Signature(tuple_result=True)).bind(failed)

    def compare(inputs: Sequence[Any], results: list[Any], what: str) -> None:
        arrays = [np.asarray(x) for x in inputs] + traced.arrays[len(inputs) :]
        found = [np.array(r._array) for r in run(*map(native.tensor, arrays))]
        given = [r for r, there in zip(traced.results_of(results), whole, strict=True) if there]
        same(found[: len(given)], given, what)

    compare(case.inputs, wanted, name)
    for inputs in case.more:
        compare(inputs, case.run(case.program, inputs), f"{name}, other values")
        case.compared += 1
    return case.kept(whole)


def chosen(f: Function, way: str) -> tuple[str, Function, tuple[passes.Pass, ...]]:
    """Of the ways to compile `f` the one that is asked for."""
    names = {"without passes": "no passes", "stored": "everything stored"}
    wanted = names.get(way, way)
    checks = ["passes"] if way == "without passes" else [way]
    return next(found for found in pipelines(f, checks) if found[0] == wanted)


def on_emulated_gpu(case: Pack, wanted: list[Any]) -> list[bool]:
    """The traced function as PTX; programs whose kernels need the host are left alone."""
    traced = Traced(case, case.program, wanted)
    start, tensors = cut(passes.run(traced.function), of_host)
    if not start.returns:
        return case.kept(tensors)
    lowered, launched = cut(emulated.lowered(start), lambda op: isinstance(op, HostLaunch))
    left = iter(launched)
    whole = [there and next(left) for there in tensors]
    if lowered.returns:
        device = emulated.Emulated(start, "random", lowered)
        given = [r for r, there in zip(traced.results, whole, strict=True) if there]
        same(device(*traced.arrays)[: len(given)], given, "emulated GPU")
    return case.kept(whole)
