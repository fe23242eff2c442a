"""`@tfc.function`: Python functions traced into one native program for each signature.

A call's signature is the structure of its arguments, the dtype and shape of tensors, the identity
of Variables and the value of everything else. A second shape for the same argument traces once
more with the extents that changed as symbols; from then on every size runs that program.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.backends.cpu.runtime import MISS
from tfc.ir.autodiff import linearize
from tfc.ir.core import Builder, Function, Value, instantiate
from tfc.ir.dtypes import as_dtype
from tfc.ir.extent import Extent, evaluate, substitute, symbol
from tfc.ir.passes import inline
from tfc.ir.stages import is_staged
from tfc.ir.types import TensorType

from . import blame, errors, nest
from .context import active, context, settings, user_location
from .dispatch import Record, fixed_extents
from .execution import Compiled, compile_function
from .indexed_slices import decompose
from .shapes import TensorShape, TensorSpec
from .tensor import SymbolicTensor, Tensor, Variable, convert_to_tensor, wrap
from .tracing import Trace


class ConcreteFunction:
    """A function traced and compiled for one signature.

    `structured_input_signature` and `structured_outputs` describe it; `ir(stage)` is its text
    ("traced", "optimised", "kernels", "llvm" or "asm"); `timings` says in milliseconds what each
    stage took.
    """

    def __init__(
        self,
        name: str,
        arguments: _Arguments,
        types: Sequence[TensorType],
        python_function: Callable[..., Any],
    ) -> None:
        self.name = name
        self.arguments = arguments
        self.types = tuple(types)
        start = time.perf_counter()
        trace = Trace(name)
        names = arguments.tensor_names()
        params = [trace.parameter(t, n) for t, n in zip(types, names, strict=True)]
        with active(trace=trace, tapes=[]):
            args, kwargs = arguments.rebuild(params)
            result = python_function(*args, **kwargs)
            leaves, self.structure = decompose(result)
            values: list[Value] = []
            self._constants: list[Any] = []  # per leaf: (True, None) for a tensor, else (False, x)
            for leaf in leaves:
                if leaf is None:
                    self._constants.append((False, None))
                else:
                    values.append(trace.value_of(_result(leaf, name)))
                    self._constants.append((True, None))
        f, self.captured, self.updated = trace.finish(values)
        self.requirements = tuple(dict.fromkeys(trace.requirements))
        self.function = f
        self.types = tuple(p.type for p in f.params[: len(types)])
        self._ranks = [  # of Variables that may be given values of other ranks
            (c, p.rank)
            for c, p in zip(self.captured, f.params[len(types) :], strict=True)
            if isinstance(c, Variable) and c._declared is not None
        ]
        self.outputs = len(values)
        self.timings = {"trace": 1e3 * (time.perf_counter() - start)}
        self.plain = self.structure.is_leaf or (
            self.structure.type is tuple
            and all(t for t, _ in self._constants)
            and len(leaves) == self.structure.count
            and _is_flat(self.structure, len(leaves))
        )
        places = {id(c): i for i, c in enumerate(self.captured)}
        self._updates = tuple((self.outputs + i, places[id(v)]) for i, v in enumerate(self.updated))
        self._compiled: Compiled | None = None
        self._entry: Any = None
        self._recorded: _Recorded | None = None
        self._lock = threading.RLock()

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
    def compiled(self) -> Compiled:
        """The stages and the native program."""
        if self._compiled is None:
            with self._lock:
                if self._compiled is None:
                    self._compiled = compile_function(
                        self.function,
                        captures=len(self.captured),
                        scalars=self._free_symbols(),
                        updates=self._updates,
                        tuple_result=not self.structure.is_leaf,
                    )
                    self.timings.update(self._compiled.timings)
        return self._compiled

    def _free_symbols(self) -> tuple[str, ...]:
        return ()

    def fits(self, tensors: Sequence[Tensor]) -> bool:
        """Whether these are of the types that this was traced for."""
        bound: dict[Extent, int] = {}
        for t, type_ in zip(tensors, self.types, strict=True):
            array = t._array
            if as_dtype(array.dtype) is not type_.dtype or array.ndim != type_.rank:
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
            return all(evaluate(e, sizes) >= 0 for e in self.requirements)
        except ZeroDivisionError:  # such as n//m elements for m = 0
            return False

    def run(self, tensors: Sequence[Tensor]) -> Any:
        """Call it on the tensors among the arguments."""
        try:
            if context.tapes:
                if self._recorded is None:
                    self._recorded = _Recorded(self)
                flat = self._recorded.run(tensors)
            else:
                flat = self.entry(*tensors)
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
        tensors = self.arguments.tensors_of(args, kwargs)
        if context.trace is not None:
            return self.inline(tensors)
        if not self.fits(tensors):
            given = ", ".join(f"{t.dtype.name}{list(t.shape)}" for t in tensors)
            wanted = ", ".join(map(str, self.types))
            wanted += "".join(f", {e} >= 0" for e in self.requirements)
            raise errors.InvalidArgumentError(
                f"{self.name} was traced for ({wanted}), and called with ({given})",
                op=self.name,
                location=user_location(),
            )
        return self.run(tensors)

    def inline(self, tensors: Sequence[Any]) -> Any:
        """Append the function to the current trace."""
        trace = context.trace
        assert trace is not None
        values = [trace.value_of(t) for t in (*tensors, *self.captured)]
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
        results = instantiate(self.function, trace.builder, values)
        for variable, value in zip(self.updated, results[self.outputs :], strict=True):
            trace.assign(variable, SymbolicTensor(trace, value))
        return self.pack([SymbolicTensor(trace, r) for r in results[: self.outputs]])

    # Looking at it.

    def ir(self, stage: str = "optimised") -> str:
        """The text of a stage: "traced", "optimised", "kernels", "llvm" or "asm"."""
        return self.compiled.text(stage)

    @property
    def inputs(self) -> list[TensorSpec]:
        """The specs of the tensors among the arguments."""
        names = self.arguments.tensor_names()
        return [
            TensorSpec(TensorShape.of(t.shape), t.dtype, n)
            for t, n in zip(self.types, names, strict=True)
        ]

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with a TensorSpec for every tensor."""
        return self.arguments.rebuild(self.inputs)

    @property
    def structured_outputs(self) -> Any:
        """The results, with a TensorSpec for every tensor."""
        types = [v.type for v in self.function.returns[: self.outputs]]
        return self.pack([TensorSpec(TensorShape.of(t.shape), t.dtype) for t in types])

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
        return self.arguments.describe(self.name, self.inputs, self.structured_outputs)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name}{tuple(map(str, self.types))}>"


def _result(leaf: Any, name: str) -> Any:
    """What the Python function returned, as a tensor."""
    try:
        return convert_to_tensor(leaf)
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tfc.function, Python functions must return zero or more "
            f"tensors or None values; {name} returned a {type(leaf).__name__}, which is none: "
            f"{leaf!r:.200}"
        ) from None


def _is_flat(structure: Any, leaves: int) -> bool:
    return len(structure.paths()) == leaves and all(p.count("[") <= 1 for p in structure.paths())


class _Recorded:
    """A concrete function as tapes see it: it also returns what its gradient will need."""

    def __init__(self, concrete: ConcreteFunction) -> None:
        self.concrete = concrete
        f = inline_plain(concrete.function)
        wanted = [i for i, p in enumerate(f.params) if p.dtype.is_inexact]
        forward, _, _ = linearize(f, wanted)
        self.function = forward
        self.fixed = fixed_extents(forward)
        self.entry = compile_function(
            forward,
            captures=len(concrete.captured),
            updates=concrete._updates,
            tuple_result=True,
        ).bind(concrete.name, concrete.captured)

    def body(self, b: Builder, *values: Value) -> Any:
        return instantiate(self.function, b, values)

    def run(self, tensors: Sequence[Tensor]) -> Sequence[Any]:
        concrete = self.concrete
        captured = [c.read() for c in concrete.captured]
        flat = self.entry(*tensors)
        # Updates went to their Variables: put their new values back in their places.
        outputs = list(flat[: concrete.outputs])
        outputs += [v._array for v in concrete.updated]
        full = [x if isinstance(x, Tensor) else wrap(x) for x in outputs]
        full += flat[concrete.outputs :]
        inputs = [*tensors, *captured]
        record = None
        for tape in context.tapes:
            if tape.wants(inputs):
                record = record or Record(self, (), inputs, full)
                tape.append(record)
        return full[: concrete.outputs]


def inline_plain(f: Function) -> Function:
    """`f` with its calls inlined, but for custom gradients, which keep their rule."""
    from tfc.ir.ops import CustomGradient

    return f if any(isinstance(op, CustomGradient) for op in f.body) else inline(f)


class _Arguments:
    """The arguments of a call, apart from its tensors: what a trace depends on."""

    def __init__(self, owner: PolymorphicFunction, args: Any, kwargs: Any) -> None:
        bound = owner.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        self.owner = owner
        self.args = bound.args
        self.kwargs = bound.kwargs
        self.leaves, self.structure = decompose((list(bound.args), dict(bound.kwargs)))
        self.tensors: list[Tensor] = []
        key: list[Any] = []
        self.places: list[int] = []
        for i, leaf in enumerate(self.leaves):
            if isinstance(leaf, Tensor):
                self._add(i, leaf, key)
            elif isinstance(leaf, Variable):
                key.append(("variable", id(leaf)))
            elif isinstance(leaf, np.ndarray | np.generic):
                self._add(i, convert_to_tensor(leaf), key)
            else:
                key.append(_literal_key(leaf))
        self.key = (self.structure, tuple(key))

    def _add(self, i: int, tensor: Tensor, key: list[Any]) -> None:
        self.places.append(i)
        self.tensors.append(tensor)
        key.append(("tensor", tensor.dtype, tensor.ndim))

    def rebuild(self, tensors: Sequence[Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with other tensors in the places of theirs."""
        leaves = list(self.leaves)
        for place, t in zip(self.places, tensors, strict=True):
            leaves[place] = t
        args, kwargs = self.structure.pack(leaves)
        return tuple(args), kwargs

    def plain(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments themselves."""
        return self.rebuild(self.tensors)

    def tensor_names(self) -> list[str]:
        """A name for each tensor, after the parameter that it came by."""
        names = self.parameter_names()
        paths = self.structure.paths()
        found = []
        for place in self.places:
            kind, base, *rest = re.findall(r"\w+", paths[place])
            found.append("_".join([names[int(base)] if kind == "0" else base, *rest]))
        return found

    def parameter_names(self) -> list[str]:
        """The names of the positional arguments; those of `*rest` are rest_0, rest_1, ..."""
        names: list[str] = []
        for parameter in self.owner.signature.parameters.values():
            if parameter.kind is parameter.VAR_POSITIONAL:
                more = len(self.args) - len(names)
                names += [f"{parameter.name}_{i}" for i in range(more)]
            elif parameter.kind is not parameter.KEYWORD_ONLY:
                names.append(parameter.name)
        return names

    def tensors_of(self, args: Any, kwargs: Any) -> list[Any]:
        """The tensors of a call of the concrete function: with or without the Python values."""
        if not kwargs and len(args) == len(self.places) != len(self.args):
            return [convert_to_tensor(a) for a in args]
        signature, name = self.owner.signature, self.owner.name
        given = signature.bind_partial(*args, **kwargs)
        known = signature.bind(*self.args, **self.kwargs).arguments
        for parameter, value in known.items():
            if any(isinstance(v, Tensor) for v in nest.flatten(value)):
                if parameter not in given.arguments:
                    raise TypeError(
                        f"{name}: missing the argument {parameter!r} ({user_location()})"
                    )
            else:
                given.arguments.setdefault(parameter, value)
        leaves, structure = decompose((list(given.args), dict(given.kwargs)))
        if structure != self.structure:
            raise TypeError(f"{name}: the arguments have another structure ({user_location()})")
        for i, (leaf, own) in enumerate(zip(leaves, self.leaves, strict=True)):
            if i not in self.places and _literal_key(leaf) != _literal_key(own):
                raise TypeError(
                    f"{name} was traced for the Python value {own!r}, and called with {leaf!r} "
                    f"({user_location()})"
                )
        return [convert_to_tensor(leaves[place]) for place in self.places]

    def describe(self, name: str, inputs: Sequence[TensorSpec], outputs: Any) -> str:
        """The signature as TensorFlow prints it."""
        args, kwargs = self.rebuild(inputs)
        names = self.parameter_names()
        words, rows = [], []
        for key, value in [*zip(names, args, strict=False), *kwargs.items()]:
            specs = [v for v in nest.flatten(value) if isinstance(v, TensorSpec)]
            if specs:
                words.append(key)
                rows.append(f"    {key}: {_spec_text(value)}")
            else:
                words.append(f"{key}={value!r}")
        lines = [f"{name}({', '.join(words)})"]
        if rows:
            lines += ["  Args:", *rows]
        lines += ["  Returns:", f"    {_spec_text(outputs)}"]
        return "\n".join(lines)


def _spec_text(value: Any) -> str:
    if isinstance(value, TensorSpec):
        return f"{value.dtype.name} Tensor, shape={value.shape}"
    if isinstance(value, list | tuple):
        inner = ", ".join(map(_spec_text, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_spec_text(v)}" for k, v in value.items()) + "}"
    return repr(value)


def _literal_key(leaf: Any) -> Any:
    try:
        hash(leaf)
    except TypeError:
        return ("object", id(leaf))
    # Equal numbers that are not the same: 0.0 and -0.0; nan is not even equal to itself.
    return (float, leaf.hex()) if type(leaf) is float else (type(leaf), leaf)


class PolymorphicFunction:
    """What `tfc.function` makes: call it like the Python function that it was made from."""

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Any = None,
        reduce_retracing: bool = False,
        autograph: bool = True,
    ) -> None:
        self.python_function = python_function
        self.autograph = autograph
        self.name = getattr(python_function, "__name__", "function").replace("<lambda>", "lambda")
        self.signature = inspect.signature(python_function)
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self.reduce_retracing = reduce_retracing
        self._concrete: dict[Any, list[ConcreteFunction]] = {}
        self._order: list[ConcreteFunction] = []
        self._dispatcher: Any = None
        self._lock = threading.RLock()
        self._bound: Any = None
        functools.update_wrapper(self, python_function, updated=())

    @property
    def traced_function(self) -> Callable[..., Any]:
        """The Python function as it is traced: with control flow on tensors converted."""
        from .autograph import convert

        f = convert(self.python_function) if self.autograph else self.python_function
        if self.autograph == context.autograph:
            return f

        def traced(*args: Any, **kwargs: Any) -> Any:
            with active(autograph=self.autograph):
                return f(*args, **kwargs)

        return traced

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs or self._dispatcher is None or settings.functions_run_eagerly:
            return self._slow(*args, **kwargs)
        return self._dispatcher.call(*args)

    def _slow(self, *args: Any, **kwargs: Any) -> Any:
        if settings.functions_run_eagerly:
            return self.python_function(*args, **kwargs)
        if context.trace is not None:
            if self.input_signature is not None:
                args, kwargs = self._arguments(args, kwargs).plain()
            return self.traced_function(*args, **kwargs)
        if self._dispatcher is None:
            from tfc.backends.cpu.runtime import Dispatcher

            self._dispatcher = Dispatcher(self._slow, self.name)
        arguments = self._arguments(args, kwargs)
        concrete = self._find(arguments)
        return concrete.run(arguments.tensors)

    def _arguments(self, args: Any, kwargs: Any) -> _Arguments:
        if self.input_signature is None:
            return _Arguments(self, args, kwargs)
        specs = self.input_signature
        bound = self.signature.bind(*args, **kwargs)
        given = [*bound.args, *bound.kwargs.values()]
        if len(given) != len(specs):
            raise TypeError(
                f"{self.name}: input_signature has {len(specs)} arguments, got {len(given)} "
                f"({user_location()})"
            )
        fitted = [
            self._fitted(spec, value)
            if isinstance(spec, TensorSpec)
            else nest.map_structure(self._fitted, spec, value)
            for spec, value in zip(specs, given, strict=True)
        ]
        return _Arguments(self, fitted, {})

    def _fitted(self, spec: TensorSpec, value: Any) -> Tensor:
        """An argument as its spec in the input_signature wants it."""
        tensor = convert_to_tensor(value, spec.dtype)
        if not spec.shape.is_compatible_with(tensor.shape):
            raise TypeError(
                f"{self.name}: an argument of shape {tensor.shape} does not fit {spec} "
                f"of the input_signature ({user_location()})"
            )
        return tensor

    def _find(self, arguments: _Arguments) -> ConcreteFunction:
        """The concrete function for these arguments, traced now if need be."""
        with self._lock:
            known = self._concrete.setdefault(arguments.key, [])
            for concrete in known:
                if concrete.fits(arguments.tensors):
                    return concrete
            concrete = self._trace(arguments, known)
            known.insert(0, concrete)
            self._order.append(concrete)
        self._offer(concrete, arguments)
        return concrete

    def _trace(self, arguments: _Arguments, known: list[ConcreteFunction]) -> ConcreteFunction:
        """Trace for these arguments: with symbols for extents that vary, or with the extents as
        they are where the Python function needs to know them, or broadcasts."""
        exact = [TensorType(t.dtype, t._array.shape) for t in arguments.tensors]
        for types in self._types(arguments, known):
            if types == exact:
                break
            try:
                concrete = ConcreteFunction(self.name, arguments, types, self.traced_function)
            except Exception:  # raised again below if it has another cause
                if self.input_signature is not None:
                    raise
            else:
                if concrete.fits(arguments.tensors):
                    return concrete
        return ConcreteFunction(self.name, arguments, exact, self.traced_function)

    def _offer(self, concrete: ConcreteFunction, arguments: _Arguments) -> None:
        """Let native dispatch call it directly where the arguments are tensors and no more."""
        only = len(arguments.places) == len(arguments.leaves) == len(arguments.args)
        if concrete.requirements or is_staged(concrete.function):
            return  # requirements are checked here only, and stages run from Python
        if concrete.plain and only and not arguments.kwargs and self.input_signature is None:
            self._dispatcher.add(concrete.entry)

    def _types(
        self, arguments: _Arguments, known: list[ConcreteFunction]
    ) -> list[list[TensorType]]:
        """What to try to trace for, the most general first."""
        tensors = arguments.tensors
        if self.input_signature is not None:
            counter = itertools.count()
            return [
                [
                    TensorType(
                        t.dtype,
                        tuple(symbol(f"n{next(counter)}") if d is None else d for d in spec.shape),
                    )
                    for t, spec in zip(tensors, nest.flatten(self.input_signature), strict=True)
                ]
            ]
        if not known:
            return []
        old = [t.shape for t in known[0].types]
        # An extent of 1 may be one that varies as any other does, or one that broadcasts.
        return [_relaxed(tensors, old, ()), _relaxed(tensors, old, (1,))]

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The concrete function for these arguments, which may be TensorSpecs."""
        if self.input_signature is not None and not args and not kwargs:
            args = self.input_signature
        if self._dispatcher is None:
            from tfc.backends.cpu.runtime import Dispatcher

            self._dispatcher = Dispatcher(self._slow, self.name)
        counter = itertools.count()
        stand_ins = _SpecTrace()

        def stand_in(x: Any) -> Any:
            if not isinstance(x, TensorSpec):
                return x
            shape = tuple(symbol(f"n{next(counter)}") if d is None else d for d in x.shape)
            return SymbolicTensor(stand_ins, Value(TensorType(x.dtype, shape)))

        args, kwargs = nest.map_structure(stand_in, (list(args), dict(kwargs)))
        arguments = _Arguments(self, args, kwargs)
        with self._lock:
            known = self._concrete.setdefault(arguments.key, [])
            types = [TensorType(t.dtype, _extents(t)) for t in arguments.tensors]
            for concrete in known:
                if list(concrete.types) == types:
                    return concrete
            concrete = ConcreteFunction(self.name, arguments, types, self.traced_function)
            known.append(concrete)
            self._order.append(concrete)
        return concrete

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """All signatures traced so far, as text."""
        return "\n\n".join(c.pretty_printed_signature() for c in self._order)

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
        return len(self._order)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a method: one function for each instance, kept with it."""
        if instance is None:
            return self
        key = f"_tfc_function_{self.name}"
        found = instance.__dict__.get(key) if hasattr(instance, "__dict__") else None
        if found is None or found.python_function.__func__ is not self.python_function:
            method = self.python_function.__get__(instance, owner)
            found = PolymorphicFunction(
                method, self.input_signature, self.reduce_retracing, self.autograph
            )
            if hasattr(instance, "__dict__"):
                instance.__dict__[key] = found
        return found

    def __repr__(self) -> str:
        return f"<tfc.function {self.name}>"


def _relaxed(
    tensors: Sequence[Tensor], old: Sequence[tuple[Extent, ...]], kept: tuple[int, ...]
) -> list[TensorType]:
    """The types of `tensors` with symbols for extents that are not as in `old`."""
    names: dict[Any, Extent] = {}
    types = []
    for t, before in zip(tensors, old, strict=True):
        shape: list[Extent] = []
        for have, was in zip(t._array.shape, before, strict=True):
            if have in kept or (have == was and isinstance(was, int)):
                shape.append(have)
            else:  # extents that change together stay equal
                shape.append(names.setdefault((have, was), symbol(f"n{len(names)}")))
        types.append(TensorType(t.dtype, tuple(shape)))
    return types


class _SpecTrace:
    """The owner of the stand-ins for TensorSpecs, which are never used as values."""


def _extents(t: Any) -> tuple[Extent, ...]:
    return t._value.shape if isinstance(t, SymbolicTensor) else t._array.shape


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    **unused: Any,
) -> Any:
    """Compile a Python function: traced once for each signature, then run as native code.

    Python side effects happen while tracing only. `input_signature` (TensorSpecs, None for
    unknown extents) fixes the one signature. Python control flow on tensors is compiled too (see
    `tfc.autograph`), unless `autograph` is False. `jit_compile` and others are accepted and change
    nothing: everything is compiled.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x, y):
    ...     return x * y + 1.0
    >>> print(f(tf.constant([1.0, 2.0]), tf.constant(3.0)))
    tf.Tensor([4. 7.], shape=(2,), dtype=float32)
    """

    def decorate(inner: Callable[..., Any]) -> PolymorphicFunction:
        if isinstance(inner, PolymorphicFunction):
            return inner
        return PolymorphicFunction(inner, input_signature, reduce_retracing, autograph)

    return decorate if func is None else decorate(func)


__all__ = ["ConcreteFunction", "PolymorphicFunction", "function"]
