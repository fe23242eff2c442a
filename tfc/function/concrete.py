"""A function traced and compiled for one signature, and how it runs: plainly, recorded by tapes,
or inside another trace."""

from __future__ import annotations

import copy
import os
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import islice
from types import BuiltinFunctionType
from typing import TYPE_CHECKING, Any

from tfc.backends.cpu.runtime.runtime import MISS, sized_function
from tfc.ir.copying import instantiate
from tfc.ir.core import Function, Location, Value
from tfc.ir.dtypes import as_element_type
from tfc.ir.extent import Expr, Extent, as_int, evaluate, substitute, symbol, symbols
from tfc.ir.generalise import generalise
from tfc.ir.ops.python import calls_python
from tfc.ir.passes.prune_carried import without_effects
from tfc.ir.types import TensorType

from ..autodiff.python_calls import advance
from ..core import above, blame, errors, nest
from ..core.argument_variables import ArgumentVariable
from ..core.context import active, context, settings, user_location
from ..core.conversion import convert_to_tensor
from ..core.locks import ForkLock
from ..core.nest import Structure
from ..core.nest import decompose_composites as decompose
from ..core.placement import chosen, on_cpu, on_host
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable, unchanged
from ..dispatch.compiled import Compiled, Stages
from ..dispatch.execution import compile_function
from ..dispatch.placed import Placed
from ..dispatch.primitive import apart, retype
from ..dispatch.tracing import Trace
from ..dispatch.tracing import current as tracing
from ..ops.random.streams import begun_anew
from .arguments import Arguments, type_of
from .recorded import Recorded, inline_plain, variant

if TYPE_CHECKING:
    from tfc.ir.journal import Journal
    from tfc.ir.kernels.plan.explain import FusionReport

    from ..dispatch.memory_analysis import MemoryAnalysis
    from ..profiler import Profile


class UnrankedError(Exception):
    """A function was not traced to its end, and there are results of Python functions in it whose
    ranks are not known before they run. Its cause says where it ended."""


class Cost:
    """What a trace has cost: milliseconds by stage, and where its machine code came from."""

    __slots__ = ("cache", "timings")

    def __init__(self, timings: dict[str, float]) -> None:
        self.timings = timings
        self.cache = ""  # "hit" or "miss" of the disk cache, "shared" with an equal program


class ConcreteFunction:
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
    ) -> None:
        """`creation` says whether the Python function may make Variables."""
        self.name = name
        self.qualified = str(getattr(python_function, "__qualname__", name))
        self.arguments = arguments
        self.asked = tuple(types)  # what it was to be traced for
        start = time.perf_counter_ns()
        trace = Trace(name)
        trace.creation = creation
        names = arguments.tensor_names()
        params = [trace.parameter(t, n) for t, n in zip(types, names, strict=True)]
        given = [ArgumentVariable(v, trace) for v in arguments.variables]
        trace.arguments = {id(v.original): v for v in given}
        try:
            with active(trace=trace, tapes=()):
                args, kwargs = arguments.rebuild(params, given)
                result = python_function(*args, **kwargs)
                leaves, self.structure = decompose(result)
                self._composites = _composites(result)
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
            raise
        finally:
            for v in given:
                v.trace = None
        f, self.captured, self.updated = trace.finish(values)
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
            and _is_flat(self.structure, len(leaves))
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
            made = copy.copy(self)
            made._unbound, made.given, made._lock = self, tuple(variables), ForkLock()
            made.captured = list(self.captured)
            for place, number in self._places.items():
                made.captured[place] = variables[number]
            own = {id(old): new for old, new in zip(self.captured, made.captured, strict=True)}
            made.updated = [own[id(v)] for v in self.updated]
            made._ranks = made._open_ranks(self.function.params[len(self.types) :])
            made._entry = made._sized = made._inspected = made._profiled = None
            made._placed = made._fitted = made._recorded = None
            self._bound[key] = made
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
    def graph(self) -> Function:
        """What TensorFlow calls its graph: the function of the IR, as it was traced."""
        return self.function

    def expect_sizes(self) -> None:
        """Let it be compiled as what a trace for another size of its batch is likely to be. It runs
        for its own size alone, for which both are the same; the other trace, where it is what was
        expected, finds its program there and compiles nothing.

        The batch is the first axis of all tensors among the arguments, where they agree."""
        batch = {t.shape[0] for t in self.types if t.rank}
        if len(batch) != 1 or not batch.isdisjoint((0, 1)) or calls_python(self.function):
            return
        name = symbol("n0")  # as the first that varies is called in a trace for other sizes
        general = generalise(self.function, {i: name for i, t in enumerate(self.types) if t.rank})
        if general is not None:
            self._program, self._sizes = general, {str(name): batch.pop()}

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
        if self._recorded is None:
            self._recorded = Recorded(self)
        return self._recorded

    def _as_traced(self) -> Stages:
        """The stages of what was traced, where something else is compiled."""
        first = len(self.types)
        return Stages(self.function, None, [(result, first + c) for result, c in self._updates])

    @property
    def timings(self) -> dict[str, float]:
        """Milliseconds by stage."""
        return self.cost.timings

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Whether these are of the types that this was traced for."""
        arrays = [t._array for t in tensors]
        key = [(array.dtype, array.shape) for array in arrays]
        if key == self._fitted and not self._ranks:  # as in the call before
            return True
        bound: dict[Extent, int] = {}
        for array, type_ in zip(arrays, self.types, strict=True):
            if as_element_type(array.dtype) is not type_.dtype or array.ndim != type_.rank:
                return False
            for have, want in zip(array.shape, type_.shape, strict=True):
                if isinstance(want, int):
                    if have != want:
                        return False
                elif bound.setdefault(want, have) != have:
                    return False
        if any(variable._array.ndim != rank for variable, rank in self._ranks):
            return False
        sizes = {str(e): n for e, n in bound.items()}
        try:
            fitting = all(evaluate(e, sizes) >= 0 for e in self.requirements)
        except ZeroDivisionError:  # such as n//m elements for m = 0
            return False
        if fitting:
            self._fitted = key
        return fitting

    def misfit(self, types: Sequence[TensorType]) -> tuple[str, Location | None]:
        """Why tensors of these types do not fit, in words, and the line that asks for it, where
        there is one."""
        sizes: dict[str, Extent] = {}
        for type_, asked in zip(types, self.asked, strict=True):
            if type_.dtype is not asked.dtype or type_.rank != asked.rank:
                return "", None
            for have, want in zip(type_.shape, asked.shape, strict=True):
                if isinstance(want, int):
                    if have != want:
                        return "", None
                elif sizes.setdefault(str(want), have) != have:
                    return f": {want} would be {sizes[str(want)]} and {have}", None
        for join in self._joins:
            a, b = (substitute(e, sizes) for e in (join.a, join.b))
            if isinstance(a, int) and isinstance(b, int) and a != b:
                shown = ", ".join(map(str, types))
                text = f": Incompatible shapes: {join.a} = {a} and {join.b} = {b} must be equal"
                return f"{text} ({shown})", join.location
        for type_, own in zip(types, self.types, strict=True):
            sizes |= {str(e): n for e, n in zip(own.shape, type_.shape, strict=True)}
        for requirement, location in self.requirements.items():
            try:
                value = substitute(requirement, sizes)
            except ZeroDivisionError:
                return f": {requirement} divides by zero", location
            if isinstance(value, int) and value < 0:
                return f": {requirement} is {value}, and must not be negative", location
        return "", None

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

    def pack(self, flat: Sequence[Any]) -> Any:
        """The results in the structure that the Python function returned."""
        found = iter(flat)
        return self.structure.pack([next(found) if t else x for t, x in self._constants])

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

    def _check(self, tensors: Sequence[Tensor]) -> None:
        """Raise InvalidArgumentError for tensors that it was not traced for."""
        if not self.fits(tensors):
            given = ", ".join(f"{t.dtype.name}{list(t.shape)}" for t in tensors)
            wanted = ", ".join(map(str, self.types))
            wanted += "".join(f", {e} >= 0" for e in self.requirements)
            why, line = self.misfit([type_of(t) for t in tensors])
            raise errors.InvalidArgumentError(
                f"{self.name} was traced for ({wanted}), and called with ({given})"
                + (why if line is None else f" at {user_location()}{why}"),
                op=self.name,
                location=line or user_location(),
            )

    def inline(self, tensors: Sequence[Any]) -> Any:
        """Append the function to the current trace."""
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

    def _fitted_in(self, trace: Trace, values: Sequence[Value]) -> list[Value]:
        """The arguments in a trace, whose extents are equal where this was traced for equal ones:
        where they are not known yet, the call checks it."""
        known: dict[str, Extent] = {}
        fitted = []
        for type_, v in zip(self.types, values, strict=False):
            shape = []
            for mine, theirs in zip(type_.shape, v.shape, strict=True):
                plain = isinstance(mine, Expr) and str(mine).isidentifier()
                wanted = known.setdefault(str(mine), theirs) if plain else substitute(mine, known)
                if wanted != theirs and not trace.builder.unify(wanted, theirs):
                    raise blame.invalid(
                        f"{self.name} was traced for {type_}, and called with {v.type}", self.name
                    )
                shape.append(wanted)
            fitted.append(retype(trace.builder, v, tuple(shape)))
        return fitted

    # Looking at it.

    def profile(self, *args: Any, **kwargs: Any) -> Profile:
        """Measure its kernels on these arguments: it is compiled once more, with clocks, and called
        for 0.2 seconds on copies of its Variables, which stay as they are. What it prints or
        checks is left out, but for functions that call Python.

        Args:
            *args: The arguments, as in a call.
            **kwargs: The same by name.

        Returns:
            A `profiler.Profile`: seconds, bytes and operations of each kernel, which prints as a
                table.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.reduce_sum(tf.nn.relu(x @ x), axis=1))
        >>> x = tf.ones([64, 64])
        >>> found = f.get_concrete_function(x).profile(x)
        >>> [kernel.name for kernel in found.kernels]
        ['matmul', 'reduce_sum + relu']
        >>> found.kernels[0].operations == 2 * 64**3
        True
        """
        from .. import profiler

        tensors = self.arguments.tensors_of(args, kwargs)
        self._check(tensors)
        f = inline_plain(self._program)
        f = f if calls_python(f) else without_effects(f)
        device = None
        captured = [c.read() if isinstance(c, Variable) else c for c in self.captured]
        if settings.accelerated:
            device = self.device or chosen((*tensors, *captured))
            if device is None:
                tensors, captured = list(on_host(tensors)), list(on_host(captured))
        program = self._compile(f, True, device)
        with on_cpu() if device is None else nullcontext():
            own = [
                Variable(t, dtype=c.dtype) if isinstance(c, Variable) else t
                for c, t in zip(self.captured, captured, strict=True)
            ]
        call = program.bind(self.name, own)
        if device is None:
            with unchanged(self.variables):  # what calls Python stores them for it
                return profiler.report.profile(self.name, lambda: call(*tensors), program.counters)

        def finished() -> None:
            call(*tensors)
            device.driver.synchronize()

        return profiler.report.profile(self.name, finished, program.counters, device.name)

    def memory_analysis(self, *args: Any, **kwargs: Any) -> MemoryAnalysis:
        """How many bytes a call needs, without running it. What depends on data (as the length of
        what a mask selects) comes on top.

        Args:
            *args: Example arguments, which say the extents that were not known when it was traced;
                without them these are symbols.
            **kwargs: The same by name.

        Returns:
            A `MemoryAnalysis`: bytes of arguments, results and temporaries, as numbers or formulas.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.cumsum(tf.reduce_sum(x, axis=1)))
        >>> f.get_concrete_function(tf.ones([64, 64])).memory_analysis()
        MemoryAnalysis(arguments=16384, captured=0, outputs=256, updates=0, temporaries=0)
        """
        from ..dispatch.memory_analysis import analyse

        sizes = dict(self._sizes)
        if args or kwargs:
            tensors = self.arguments.tensors_of(args, kwargs)
            self._check(tensors)
            for type_, t in zip(self.types, tensors, strict=True):
                sizes |= dict(zip(map(str, type_.shape), t._array.shape, strict=True))
        return analyse(self.name, self.compiled, sizes)

    def explore(
        self,
        path: str | os.PathLike[str] | None = None,
        args: Sequence[Any] | None = None,
        *,
        measure: bool = True,
        gpu: bool = False,
    ) -> str:
        """Write a page that shows what became of each line: see `tfc.explore`, which gives the
        arguments of a call in a call's way.

        Args:
            path: The file to write; None: a new one in the folder for temporary files.
            args: Arguments, for which kernels are timed and values are shown; None: neither.
            measure: Whether kernels are timed.
            gpu: Whether the page has PTX, too: what a GPU would get.

        Returns:
            The path of the file, which browsers open.

        Raises:
            InvalidArgumentError: If it was not traced for these arguments.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.reduce_sum(tf.nn.relu(x @ x)))
        >>> f.get_concrete_function(tf.TensorSpec([None, 8])).explore().endswith(".html")
        True
        """
        return above.explore(self, path, args, measure, gpu)

    def ir(self, stage: str = "optimised", verbose: bool = False) -> str:
        """The text of a stage.

        Args:
            stage: "traced", "optimised" and "kernels" are IR: as it was traced, after the passes,
                and as loops. "lowered" differs from "kernels" if `verbose`: it has functions such
                as `exp`, "kernels" has the polynomials that they are. "llvm" and "asm" is what the
                processor gets, "ptx" what a GPU gets or would get.
            verbose: Whether kernels are printed in full, an op in each line, so that they can be
                parsed again; else in brief, for reading: numbers and indices stand where they are
                used, and what repeats but for numbers is there once.

        Returns:
            The text. "traced" and "optimised", and all IR if `verbose`, can be parsed again, by
                `tfc.ir.parse`.

        Raises:
            ValueError: If there is no such stage.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.exp(x) * 2.0)
        >>> print(f.get_concrete_function(tf.TensorSpec([8])).ir("kernels"))  # doctest: +ELLIPSIS
        func @lambda(%x: f32[8]) -> f32[8] {
          # lambda.k0: exp, broadcast, mul (...)
          %0 = launch lambda.k0 [%x] (%x: *f32[8], %out: *f32[8]) {
            for %i in 0..8 vector {
              %0 = exp %x[%i]
              %1 = mul %0, 2.0
              %out[%i] = %1
            }
          }
          return %0
        }
        """
        if stage == "traced" and self._sizes:
            return str(self.function) if verbose else self._as_traced().read(stage)
        return self.compiled.text(stage, verbose)

    def explain_passes(self) -> Journal:
        """What each pass did with each op of the traced function: found equal to another, folded,
        replaced by which law, dropped. The passes run once more for this.

        Returns:
            A journal that prints as text; `steps`, `notes` and `of(op)` have the same as data, for
                the ops of `graph`.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: tf.exp(x) * 1.0 + tf.exp(x))
        >>> for note in f.get_concrete_function(tf.ones([3])).explain_passes().notes[:2]:
        ...     print(f"{note.step}: {note.op.mnemonic} {note.what} {note.reason}".strip())
        simplify: mul replaced by x * 1 = x
        cse: exp the same as
        """
        found = self._as_traced() if self._sizes else self.compiled
        journal: Journal = found.explain_passes()
        return journal

    def explain_fusion(self) -> FusionReport:
        """Which kernel computes each op of the optimised function, and why it is that one; what
        the kernel stores, why it did not join another, by which schedule it is written, and why by
        none of those that were asked before. All is decided once more for this: it costs nothing
        where nobody asks.

        Returns:
            A report that prints as a page of text; `kernels` and `of(op)` have the same as data.

        >>> import tfc as tf
        >>> f = tf.function(lambda x, w: tf.reduce_sum(tf.nn.relu(x @ w), axis=1))
        >>> report = f.get_concrete_function(tf.ones([64, 32]), tf.ones([32, 40])).explain_fusion()
        >>> [kernel.schedule for kernel in report.kernels]
        ['Gemm', 'Rows']
        >>> report.kernels[1].against[0].reason
        'a kernel of contractions takes no reductions of rows'
        >>> choice = report.kernels[0].choice
        >>> print(choice, [declined.schedule for declined in choice.declined])
        Gemm, UnpackedGemm ['FusedAttention', 'ScalarControl']
        >>> report.kernels[1].choice.declined[-1].reason
        '64 rows are enough to be dealt out (above 8)'
        """
        return self.compiled.explain_fusion()

    @property
    def inputs(self) -> list[TensorSpec]:
        """The specs of the tensors among the arguments."""
        names = self.arguments.tensor_names()
        return [
            TensorSpec(TensorShape.of(t.shape), t.dtype, n)
            for t, n in zip(self.types, names, strict=True)
        ]

    def add_to_graph(self, graph: Any = None, overwrite: bool = False) -> None:
        """Nothing: there are no graphs that have to know functions. (Libraries for TensorFlow
        call it.)"""

    def add_gradient_functions_to_graph(self, graph: Any = None) -> None:
        """Nothing, likewise."""

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with a TensorSpec for every tensor."""
        return self.arguments.rebuild(self.inputs)

    @property
    def structured_outputs(self) -> Any:
        """The results, with a spec for every tensor, and for what is made of tensors."""
        if self._composites is None:
            return self.pack(self.outputs)
        structure, parts = self._composites
        outputs, constants = iter(self.outputs), iter(self._constants)
        found = []
        for spec, part in parts:
            own = [
                next(outputs) if is_tensor else x for is_tensor, x in islice(constants, part.count)
            ]
            found.append(part.pack_parts(own) if spec is None else spec)
        return structure.pack(found)

    @property
    def outputs(self) -> list[TensorSpec]:
        """The specs of the tensors among the results."""
        types = [v.type for v in self.function.returns[: self.count]]
        return [TensorSpec(TensorShape.of(t.shape), t.dtype) for t in types]

    @property
    def output_shapes(self) -> Any:
        """The results, with a TensorShape for every tensor."""
        return self.pack([spec.shape for spec in self.outputs])

    @property
    def output_dtypes(self) -> Any:
        """The results, with a DType for every tensor."""
        return self.pack([spec.dtype for spec in self.outputs])

    @property
    def captured_inputs(self) -> list[Any]:
        """The tensors and Variables from outside that it runs on, besides the arguments."""
        return list(self.captured)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The Variables that it reads or writes."""
        return tuple(c for c in self.captured if isinstance(c, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of its Variables that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The signature as text."""
        return self.arguments.describe(self.inputs, self.structured_outputs)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name}{tuple(map(str, self.types))}>"

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return above.html("concrete function", self)


def as_result(leaf: Any, name: str) -> Any:
    """What the Python function returned, as a tensor."""
    try:
        return convert_to_tensor(leaf)
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tfc.function, Python functions must return zero or more "
            f"tensors or None values; {name} returned a {type(leaf).__name__}, which is none: "
            f"{leaf!r:.200} ({user_location()})"
        ) from None


def _composites(result: Any) -> tuple[Structure, list[tuple[Any, Structure]]] | None:
    """Of a result in which something is made of tensors: how it is nested around these, and for
    each of its leaves the spec, where it is such and has one, and how its tensors are nested."""
    leaves, structure = nest.decompose(result)
    if not any(isinstance(leaf, nest.Composite) for leaf in leaves):
        return None
    specs = [
        getattr(x, "_type_spec", None) if isinstance(x, nest.Composite) else None for x in leaves
    ]
    # What holds no tensors says all that is known of it.
    specs = [
        x if s is not None and not decompose(x)[1].count else s
        for s, x in zip(specs, leaves, strict=True)
    ]
    return structure, [(s, decompose(x)[1]) for s, x in zip(specs, leaves, strict=True)]


def _is_flat(structure: Any, leaves: int) -> bool:
    return len(structure.paths()) == leaves and all(p.count("[") <= 1 for p in structure.paths())


def is_observed() -> bool:
    """Whether calls of functions are recorded, looked at, or may run on a device: then they are
    those of programs."""
    return bool(
        settings.accelerated
        or settings.watch is not None
        or settings.collected is not None
        or settings.timeline is not None
        or context.tapes
        or context.inspect
    )


__all__ = ["ConcreteFunction", "Cost"]
