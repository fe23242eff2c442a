"""A function traced and compiled for one signature: its trace, the Variables that it is bound to,
and how it runs: plainly, recorded by tapes, or inside another trace."""

from __future__ import annotations

import copy
import time
import weakref
from collections.abc import Callable, Collection, Sequence
from functools import partial
from types import BuiltinFunctionType
from typing import Any

from tfc.backends.cpu.runtime.runtime import MISS, sized_function
from tfc.ir.copying import instantiate, renamed
from tfc.ir.core import Function, Value
from tfc.ir.extent import Extent, as_int, substitute, symbol, symbols
from tfc.ir.generalise import counts_rows, generalise
from tfc.ir.ops.python import calls_python
from tfc.ir.passes.strip_mine import may_be_mined
from tfc.ir.types import TensorType

from ..autodiff.python_calls import advance
from ..core import above, blame, errors
from ..core.argument_variables import ArgumentVariable
from ..core.context import active, context, settings, user_location
from ..core.locks import ForkLock
from ..core.nest import decompose_composites as decompose
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable
from ..dispatch.compiled import Compiled
from ..dispatch.execution import compile_function, compiles_alike
from ..dispatch.known import params_behind
from ..dispatch.placed import Placed
from ..dispatch.primitive import apart
from ..dispatch.tracing import Trace
from ..dispatch.tracing import current as tracing
from ..ops.random.streams import begun_anew, seeded_anew
from .arguments import Arguments
from .inspection import Inspection
from .recorded import Recorded, variant
from .results import as_result, composites_of, is_flat, with_parts


class UnrankedError(Exception):
    """A function was not traced to its end, and there are results of Python functions in it whose
    ranks are not known before they run. Its cause says where it ended."""


class ByValueError(Exception):
    """A function was not traced to its end, as it has to know the elements of small arguments:
    those at `places` among the leaves. Its cause says where it ended."""

    def __init__(self, places: Collection[int]) -> None:
        super().__init__(places)
        self.places = frozenset(places)


class Cost:
    """What a trace has cost: milliseconds by stage, and where its machine code came from."""

    __slots__ = ("cache", "timings")

    def __init__(self, timings: dict[str, float]) -> None:
        self.timings = timings
        self.cache = ""  # "hit" or "miss" of the disk cache, "shared" with an equal program


class ConcreteFunction(Inspection):
    """A function traced and compiled for one signature.

    `structured_input_signature` and `structured_outputs` describe it; `ir(stage)` is its text
    ("traced", "optimised", "lowered", "kernels", "llvm", "asm" or "ptx"); `timings` says in
    milliseconds what each stage took.

    >>> import tfc as tf
    >>> concrete = tf.function(lambda x: x + 1).get_concrete_function(tf.TensorSpec([2]))
    >>> isinstance(concrete, tf.types.experimental.ConcreteFunction)
    True
    """

    def __init__(
        self,
        name: str,
        arguments: Arguments,
        types: Sequence[TensorType],
        python_function: Callable[..., Any],
        creation: bool = True,
        stand_ins: bool = True,
    ) -> None:
        """`creation` says whether the Python function may make Variables. `stand_ins` says whether
        it sees what stands for any Variable in the place of those among its arguments, which has to
        know where it is asked which one it is: what is not converted does not tell, so it gets
        them, and the trace is for these alone."""
        self.name = name
        self.qualified = str(getattr(python_function, "__qualname__", name))
        self.arguments = arguments
        self.asked = tuple(types)  # what it was to be traced for
        start = time.perf_counter_ns()
        trace = Trace(name)
        trace.creation, trace.tapes = creation, context.tapes
        names = arguments.tensor_names()
        params = [trace.parameter(t, n) for t, n in zip(types, names, strict=True)]
        given = [ArgumentVariable(v, trace) for v in arguments.variables]
        trace.arguments = {id(v.original): v for v in given}
        if creation:  # Variables may start from them
            pairs = zip(params, arguments.tensors, strict=True)
            trace.given = {p._value: t for p, t in pairs if not isinstance(t, SymbolicTensor)}
        try:
            with active(trace=trace, tapes=()):
                seen = given if stand_ins else [v.fix() for v in given]
                args, kwargs = arguments.rebuild(params, seen)
                result = with_parts(python_function(*args, **kwargs))
                leaves, self.structure = decompose(result)
                self._composites = composites_of(result)
                values: list[Value] = []
                # Per leaf: (True, None) for a tensor, else (False, x).
                self._constants: list[Any] = []
                for leaf in leaves:
                    if leaf is None:
                        self._constants.append((False, None))
                    else:
                        values.append(trace.value_of(as_result(leaf, name)))
                        self._constants.append((True, None))
        except Exception as error:
            if any(t.shape.rank is None for t in trace.unranked):
                raise UnrankedError from error
            unknown = blame.unknown_in(error)
            if isinstance(unknown, SymbolicTensor):
                by_value = arguments.behind(params_behind(unknown), params)
                if by_value:
                    raise ByValueError(by_value) from error
            raise
        finally:
            for v in given:
                v.trace = None
        f, self.captured, self.updated = trace.finish(values)
        self._literals = tuple(map(weakref.ref, trace.literals.values()))
        self._settle(given)
        arguments.fix(self._fixed)
        self.requirements = trace.requirements  # extents that must not be negative: their lines
        self._joins = tuple(trace.builder.joins)
        self.function = f
        self.created = trace.created  # Variables that it has made
        self.device = trace.device  # a GPU that `tfc.device` names inside
        self.types: tuple[TensorType, ...] = tuple(p.tensor_type for p in f.params[: len(types)])
        self._ranks = self._open_ranks(f.params[len(types) :])
        self.count = len(values)  # of results that are tensors
        end = time.perf_counter_ns()
        self.cost = Cost({"trace": 1e-6 * (end - start)})
        if settings.timeline is not None:
            settings.timeline.compiled(f"trace {name}", start, end)
        self.plain = self.structure.is_leaf or (
            self.structure.type is tuple
            and all(t for t, _ in self._constants)
            and len(leaves) == self.structure.count
            and is_flat(self.structure, len(leaves))
        )
        places = {id(c): i for i, c in enumerate(self.captured)}
        self._updates = tuple((self.count + i, places[id(v)]) for i, v in enumerate(self.updated))
        self._program = f  # what is compiled: f, or the same for all sizes
        self._sizes: dict[str, Extent] = {}  # of the symbols there
        self._compiled: Compiled | None = None
        self._entry: Any = None
        self._sized: Any = None
        self._inspected: Any = None
        self._profiled: Any = None
        self._placed: Any = None
        self._fitted: Any = None  # dtypes and shapes that `fits` has found to fit
        self._recorded: Recorded | None = None
        self._graph: Any = None
        self.general: ConcreteFunction | None = None  # the same for all sizes, if it is for some
        self._lock = ForkLock()
        if settings.watch is not None and context.trace is None:
            settings.watch(self, None)

    # Variables among the arguments.

    def _settle(self, given: Sequence[ArgumentVariable]) -> None:
        """Note which captured Variables are whichever a call gives, and which are fixed."""
        numbers = {id(v): i for i, v in enumerate(given)}
        own = {i: v.original for i, v in enumerate(given) if v.fixed}
        self._fixed = {i: weakref.ref(v) for i, v in own.items()}
        self._traced_with = [weakref.ref(v.original) for v in given]
        self._places: dict[int, int] = {}  # of what is captured: numbers of arguments
        for place, c in enumerate(self.captured):
            if (number := numbers.get(id(c))) is not None:
                if number in own:
                    self.captured[place] = own[number]
                else:
                    self._places[place] = number
        self.updated = [own.get(numbers[id(v)], v) if id(v) in numbers else v for v in self.updated]
        self._around = {id(c) for c in self.captured if isinstance(c, Variable)}
        self._around |= set(map(id, own.values()))
        self._bound: weakref.WeakValueDictionary[tuple[int, ...], ConcreteFunction] = (
            weakref.WeakValueDictionary()
        )
        self.given: tuple[Variable, ...] = ()  # the arguments that it runs on
        self._unbound: ConcreteFunction | None = None  # what it is one of, with these

    def takes(self, variables: Sequence[Variable]) -> bool:
        """Whether it is for these Variables, which are what it was traced for apart from which ones
        they are: not if it uses one of them by itself."""
        fixed = self._fixed
        return all(
            fixed[i]() is v if i in fixed else id(v) not in self._around
            for i, v in enumerate(variables)
        )

    def bound(self, variables: Sequence[Variable]) -> ConcreteFunction:
        """This function on these Variables among its arguments; it costs no trace, and compiles
        nothing. It is kept by those who call it."""
        if self._unbound is not None:
            return self._unbound.bound(variables)
        if not variables:
            return self
        key = tuple(map(id, variables))
        made = self._bound.get(key)
        if made is None:
            captured = list(self.captured)
            for place, number in self._places.items():
                captured[place] = variables[number]
            made = self._capturing(captured)
            made._unbound, made.given = self, tuple(variables)
            if self.general is not None:
                made.general = self.general.bound(variables)
            self._bound[key] = made
        return made

    def seeded_anew(self) -> ConcreteFunction:
        """This function with streams of its own for the draws that follow from a seed, each at its
        beginning; itself where there are none."""
        return self._with_streams({})

    def _with_streams(self, streams: dict[int, Variable | None]) -> ConcreteFunction:
        for c in self.captured:
            if id(c) not in streams:
                streams[id(c)] = seeded_anew(c)
        found = [c if (own := streams[id(c)]) is None else own for c in self.captured]
        if all(new is c for new, c in zip(found, self.captured, strict=True)):
            return self
        made = self._capturing(found)
        if self.general is not None:
            made.general = self.general._with_streams(streams)
        return made

    def _capturing(self, captured: list[Any]) -> ConcreteFunction:
        """A copy with others in the places of what is captured."""
        made = self._anew()
        made.captured = captured
        own = {id(old): new for old, new in zip(self.captured, captured, strict=True)}
        made.updated = [own[id(v)] for v in self.updated]
        made._ranks = made._open_ranks(self.function.params[len(self.types) :])
        return made

    def all_bound(self) -> list[ConcreteFunction]:
        """This function on the Variables that it is called with, and on those that it was traced
        with, while they are there."""
        first = [v for v in (find() for find in self._traced_with) if v is not None]
        if len(first) == len(self._traced_with):
            return list({id(c): c for c in (self.bound(first), *self._bound.values())}.values())
        return list(self._bound.values())

    def _open_ranks(self, params: Sequence[Value]) -> list[tuple[Variable, int]]:
        """Of Variables that may be given values of other ranks."""
        return [
            (c, p.rank)
            for c, p in zip(self.captured, params, strict=True)
            if isinstance(c, Variable)
            and not isinstance(c, ArgumentVariable)
            and c._declared is not None
        ]

    @property
    def graph(self) -> Any:
        """What TensorFlow calls its graph, a `tfc.Graph`: its tensors, its operations, its
        GraphDef."""
        if self._graph is None:
            self._graph = above.graph_of_concrete(self)
        return self._graph

    def expect_sizes(self, *, larger: bool) -> None:
        """Let it be compiled as what a trace for another size of its batch is likely to be. It runs
        for its own size alone, for which both are the same; the other trace, where it is what was
        expected, finds its program there and compiles nothing.

        The batch is the first axis of all tensors among the arguments, where they agree. Where no
        `larger` sizes are expected, the program is for sizes up to its own, which is as little code
        as for its own alone (see `within`)."""
        batch = {t.shape[0] for t in self.types if t.rank}
        if len(batch) != 1 or not batch.isdisjoint((0, 1)) or calls_python(self.function):
            return
        if not larger and may_be_mined(self.function):
            return  # whose number of rows has to be known
        (size,) = batch
        # As the first that varies is called in a trace for other sizes.
        name = symbol("n0", None if larger else as_int(size))
        general = generalise(self.function, {i: name for i, t in enumerate(self.types) if t.rank})
        if general is not None and (larger or counts_rows(general)):
            self._program, self._sizes = general, {str(name): size}

    def within(self, expecting: ConcreteFunction) -> ConcreteFunction | None:
        """This function, which is for all sizes, for those up to the size of an earlier trace,
        which was `expecting` it; None where that expected something else."""
        names = {s for t in self.types for e in t.shape for s in symbols(e)}
        if len(names) != 1 or len(expecting._sizes) != 1 or calls_python(self.function):
            return None
        (own,), (expected,) = names, expecting._sizes
        here = {own: symbol(expected)}
        if own == expected:
            return None  # it was for all sizes
        f = renamed(self.function, here)
        if not compiles_alike(f, expecting._program):
            return None
        made = self._anew()
        made.general = self
        made.function = made._program = f
        made.types = tuple(p.tensor_type for p in f.params[: len(self.types)])
        made.asked = made.types
        made.requirements = {substitute(e, here): at for e, at in self.requirements.items()}
        made._joins = tuple(
            join._replace(a=substitute(join.a, here), b=substitute(join.b, here))
            for join in self._joins
        )
        made._compiled = None
        made._bound = weakref.WeakValueDictionary()
        return made

    def _anew(self) -> ConcreteFunction:
        """A copy that is nowhere bound yet."""
        made = copy.copy(self)
        made._lock = ForkLock()
        made._entry = made._sized = made._inspected = made._profiled = None
        made._placed = made._fitted = made._recorded = made._graph = None
        return made

    # Running.

    @property
    def entry(self) -> Any:
        """The native callable on the tensors among the arguments."""
        if self._entry is None:
            with self._lock:
                if self._entry is None:
                    compiled = self.compiled
                    self._entry = compiled.bind(self.name, self.captured)
        return self._entry

    @property
    def offered(self) -> Any:
        """`entry` as native code may try it: for the sizes that this was traced for."""
        if not self._sizes:
            return self.entry
        if self._sized is None:
            number = next(i for i, t in enumerate(self.types) if t.rank)
            self._sized = sized_function(self.entry, number, as_int(self.types[number].shape[0]))
        return self._sized

    @property
    def inspected(self) -> Any:
        """As `entry`; it looks for nan (see `debugging.trace_nans`)."""
        if self.general is not None:
            return self.general.inspected
        if self._inspected is None:
            from ..dispatch.nan_tracing import inspected

            program = self._compile(inspected(self.function))
            self._inspected = program.bind(self.name, self.captured)
        return self._inspected

    @property
    def profiled(self) -> Any:
        """As `entry`; it times its kernels (see `profiler.trace`)."""
        if self._profiled is None:
            self._profiled = self._compile(self._program, True).bind(self.name, self.captured)
        return self._profiled

    @property
    def placed(self) -> Placed:
        """What runs it on any device; looking for nan, where that is wanted now."""
        if self.general is not None:
            return self.general.placed
        if self._placed is None or self._placed[0] != context.inspect:
            self._placed = (context.inspect, self._on_devices(not self.structure.is_leaf))
        found: Placed = self._placed[1]
        return found

    def _on_devices(self, tuple_result: bool, f: Function | None = None) -> Placed:
        f = f or self.function
        if context.inspect:
            from ..dispatch.nan_tracing import inspected

            f = inspected(f)
        count, updates = len(self.captured), self._updates
        compiled = partial(
            compile_function, f, captures=count, updates=updates, tuple_result=tuple_result
        )
        return Placed(compiled, self.name, self.captured, self.device)

    def _compile(self, f: Function, profile: bool = False, device: Any = None) -> Any:
        return compile_function(
            f,
            captures=len(self.captured),
            updates=self._updates,
            tuple_result=not self.structure.is_leaf,
            profile=profile,
            device=device,
        )

    @property
    def is_native(self) -> bool:
        """Whether `entry` is native code alone."""
        return isinstance(self.entry, BuiltinFunctionType)

    @property
    def compiled(self) -> Compiled:
        """The stages and the native program."""
        if self._unbound is not None:
            return self._unbound.compiled
        if self._compiled is None:
            with self._lock:
                if self._compiled is None:
                    self._compiled = self._compile(self._program)
                    self.cost.timings.update(self._compiled.timings)
                    self.cost.cache = self._compiled.cache
        return self._compiled

    @property
    def recorded(self) -> Recorded:
        """What runs it where tapes record."""
        if self.general is not None:
            return self.general.recorded
        if self._recorded is None:
            self._recorded = Recorded(self)
        return self._recorded

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds by stage."""
        return self.cost.timings

    def run(self, tensors: Sequence[Tensor]) -> Any:
        """Call it on the tensors among the arguments."""
        if settings.collected is not None:
            settings.collected[id(self)] = self
        if settings.watch is not None:
            settings.watch(self, tensors)
        try:
            if context.tapes:
                flat = self.recorded.run(tensors)
            else:
                flat = variant(self)(*tensors)
                if flat is MISS:
                    raise errors.InternalError(f"{self!r} does not run on {tensors}")
                if self.structure.is_leaf:
                    flat = (flat,) if self._constants[0][0] else ()
        except MemoryError:
            raise errors.ResourceExhaustedError(
                f"{self.name}: OOM when allocating what it needs to run",
                op=self.name,
                location=user_location(),
            ) from None
        return self.pack(flat)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tensors, variables = self.arguments.given(args, kwargs, self.given)
        if self._places and not all(v is w for v, w in zip(variables, self.given, strict=True)):
            return self.bound(variables).call(tensors)
        return self.call(tensors)

    def call(self, tensors: Sequence[Tensor]) -> Any:
        """Call it on the tensors among the arguments, if it is for these."""
        if context.trace is not None:
            return self.inline(tensors)
        self._check(tensors)
        return self.run(tensors)

    def inline(self, tensors: Sequence[Any]) -> Any:
        """Append the function to the current trace."""
        if self.general is not None:
            return self.general.inline(tensors)
        trace = tracing()
        assert trace is not None
        python = calls_python(self.function)
        if python:
            trace.store()
        # Random draws begin anew at each place that calls the function.
        streams = {id(c): own for c in self.captured if (own := begun_anew(c)) is not None}
        captured = [streams.get(id(c), c) for c in self.captured]
        values = [trace.value_of(t) for t in (*tensors, *captured)]
        values[: len(self.types)] = self._fitted_in(trace, values)
        if self.requirements:
            extents: dict[str, Extent] = {}
            for type_, v in zip(self.types, values, strict=False):
                extents.update(zip(map(str, type_.shape), v.shape, strict=True))
            for requirement in self.requirements:
                here = substitute(requirement, extents)
                if isinstance(here, int) and here < 0:
                    raise blame.invalid(
                        f"{self.name} was traced for sizes with {requirement} >= 0", self.name
                    )
                trace.require(here)
        results = apart(trace.builder, instantiate(self.function, trace.builder, values), values)
        known = {s for v in values for extent in v.shape for s in symbols(extent)}
        found = {s for v in results for extent in v.shape for s in symbols(extent)}
        trace.builder.measured |= found - known
        if python:
            advance(trace)
            trace.forget()
        for variable, value in zip(self.updated, results[self.count :], strict=True):
            after = SymbolicTensor(trace, value)
            if id(variable) in streams:
                trace.draw(streams[id(variable)], after)
            else:
                trace.assign(variable, after)
        return self.pack([SymbolicTensor(trace, r) for r in results[: self.count]])


__all__ = ["ConcreteFunction", "Cost"]
