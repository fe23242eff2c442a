"""`@tfc.function`: Python functions traced into one native program for each signature.

A call's signature is the structure of its arguments, the dtype and shape of tensors, the identity
of Variables and objects and the value of everything else. A second shape for the same argument
traces once more with the extents that changed as symbols; from then on every size runs that
program.

What runs again and again does not reach this module's slow part: calls with tensors only go to a
native dispatcher; calls with Python values too go to one for these values.
"""

from __future__ import annotations

import copy
import functools
import inspect
import itertools
import weakref
from collections.abc import Callable
from types import MethodType
from typing import Any

from tfc.ir.core import Value
from tfc.ir.types import TensorType

from ..core import above, nest
from ..core.context import active, context, settings, user_location
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.nest import decompose_composites
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor
from ..core.tracebacks import filtered
from ..core.type_specs import TypeSpec
from ..core.variable import Variable
from ..ops.array.conversion import identity
from ..ops.random.streams import numbered_anew
from . import explain
from .arguments import Arguments, type_of, unbound
from .calls import Calls
from .concrete import ByValueError, ConcreteFunction, UnrankedError
from .function_types import FunctionType, of_function
from .results import as_result, with_parts
from .traces import Traces, named
from .unranked import UnrankedFunction

_MAX_DEPTH = 100  # of a function that calls itself: Python's own stack ends soon after


def _own_results(trace: Any, start: int, result: Any) -> Any:
    """What a call gives that was traced into `trace`, from op `start` on: where that is an argument
    or was found outside, a copy of it, by which a gradient can be asked apart from the original."""
    leaves, structure = decompose_composites(result)
    places = [
        i for i, x in enumerate(leaves) if isinstance(x, SymbolicTensor) and x.dtype.is_inexact
    ]
    if not places:
        return result
    made = {v for op in trace.builder.body[start:] for v in op.results}
    others = [i for i in places if leaves[i]._value not in made]
    if not others:
        return result
    for i in others:
        leaves[i] = identity(leaves[i])
    return structure.pack(leaves)


class PolymorphicFunction:
    """What `tfc.function` makes: call it like the Python function that it was made from.

    >>> import tfc as tf
    >>> isinstance(tf.function(lambda x: x + 1), tf.types.experimental.PolymorphicFunction)
    True
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Any = None,
        reduce_retracing: bool = False,
        autograph: bool = True,
        instance: Any = None,
    ) -> None:
        """`instance` is the object whose method it is, which is not kept alive."""
        self._function = python_function
        self._instance = None if instance is None else weakref.ref(instance)
        self._methods: dict[int, tuple[weakref.ref[Any], PolymorphicFunction]] = {}
        self.autograph = autograph
        self.reduce_retracing = reduce_retracing
        self.name = _name(python_function)
        self.signature = _signature(
            python_function if instance is None else MethodType(python_function, instance)
        )
        self.input_signature = _checked_signature(input_signature, self.signature, self.name)
        self._traces = Traces(
            id(self), self.name, self.input_signature, reduce_retracing, autograph
        )
        self._by_value: dict[Any, frozenset[int]] = {}  # tensors whose elements have to be known
        self._calls = Calls(weakref.ref(self), self.name, input_signature is None)
        for attribute in ("__module__", "__name__", "__qualname__", "__doc__"):
            if hasattr(python_function, attribute):
                setattr(self, attribute, getattr(python_function, attribute))

    @property
    def python_function(self) -> Callable[..., Any]:
        """What it was made from."""
        if self._instance is None:
            return self._function
        instance = self._instance()
        if instance is None:
            raise ReferenceError(
                f"the object that the method {self.name} belongs to is gone ({user_location()})"
            )
        return MethodType(self._function, instance)

    __wrapped__ = python_function

    @property
    def traced_function(self) -> Callable[..., Any]:
        """The Python function as it is traced: with control flow on tensors converted."""
        f = above.convert(self.python_function) if self.autograph else self.python_function
        if self.autograph == context.autograph:
            return f

        def traced(*args: Any, **kwargs: Any) -> Any:
            with active(autograph=self.autograph):
                return f(*args, **kwargs)

        return traced

    def _decorate(self, decorator: Callable[..., Any]) -> None:
        """Put a decorated function in the place of the Python function, before it is traced.
        (Libraries for TensorFlow do.)"""
        if self._traces.all():
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self._function = decorator(self._function)

    # Calling.

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            if kwargs:
                return self._calls.mixed(args, kwargs)
            return self._calls.plain(*args)
        except Exception as error:
            raise filtered(error)  # noqa: B904  (it is the same one)

    def call(self, args: Any, kwargs: Any) -> Any:
        """A call that native code has no part in."""
        if settings.functions_run_eagerly:
            return self.python_function(*args, **kwargs)
        if context.trace is not None:
            return self._inside(args, kwargs)
        try:
            concrete, tensors = self.prepare(args, kwargs)
        except UnrankedError:
            return self.at_once(args, kwargs)
        return concrete.run(tensors)

    def at_once(self, args: Any, kwargs: Any) -> Any:
        """A call that runs op by op: what it needs to know of Python functions shows when they have
        run. The next call is traced with that."""
        arguments, named = self._arguments(args, kwargs).plain()
        result = with_parts(self.python_function(*arguments, **named))
        leaves, structure = decompose_composites(result)
        tensors = (None if x is None else as_result(x, self.name).read() for x in leaves)
        return structure.pack(list(tensors))

    def prepare(self, args: Any, kwargs: Any) -> tuple[ConcreteFunction, list[Tensor]]:
        """The concrete function for these arguments, traced now if need be, and what to run it
        on."""
        while True:
            arguments = self._arguments(args, kwargs)
            tensors = arguments.tensors
            try:
                return self._traces.find(arguments, lambda: self.traced_function), tensors
            except ByValueError as found:
                known = self._by_value.get(arguments.structure, frozenset())
                if found.places <= known:
                    assert found.__cause__ is not None
                    raise found.__cause__ from None
                self._by_value[arguments.structure] = known | found.places

    def _inside(self, args: Any, kwargs: Any) -> Any:
        """A call while another function is traced: traced into that one."""
        if self.input_signature is not None:
            args, kwargs = self._arguments(args, kwargs).plain()
        frame = [id(self), args, kwargs, None]
        around = [f for f in context.functions if f[0] == id(self)]
        if len(around) >= _MAX_DEPTH:
            raise self._too_deep()
        if around:
            mine = self._frame_signature(frame)
            if any(self._frame_signature(f) == mine for f in around):
                raise RecursionError(
                    f"{self.name} calls itself with the same signature while it is traced "
                    f"({user_location()}), which would never end: of a condition on a tensor both "
                    "branches are traced. Recurse on a Python value, or write a tf.while_loop."
                )
        try:
            trace = context.trace
            assert trace is not None
            start = len(trace.builder.body)
            with active(functions=(*context.functions, frame)), numbered_anew():
                return _own_results(trace, start, self.traced_function(*args, **kwargs))
        except RecursionError as error:
            if around or "calls itself" in str(error):
                raise
            raise self._too_deep() from None

    def _too_deep(self) -> RecursionError:
        return RecursionError(
            f"{self.name} calls itself, or what calls it, too deep while it is traced "
            f"({user_location()}): recursion is traced call by call. Write a tf.while_loop."
        )

    def _frame_signature(self, frame: list[Any]) -> Any:
        """What a call that is being traced depends on, found once."""
        if frame[3] is None:
            arguments = Arguments(self.name, self.signature, frame[1], frame[2])
            frame[3] = arguments.key, [type_of(t) for t in arguments.tensors]
        return frame[3]

    def _arguments(self, args: Any, kwargs: Any) -> Arguments:
        if self.input_signature is None:
            return Arguments(self.name, self.signature, args, kwargs, self._by_value)
        specs = self.input_signature
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise unbound(f"{self.name}{self.signature}", error) from None
        given = [*bound.args, *bound.kwargs.values()]
        if len(given) < len(specs):  # what has a default need not be given
            whole = copy.copy(bound)
            whole.apply_defaults()
            given = [*whole.args, *whole.kwargs.values()][: len(specs)]
        if len(given) != len(specs):
            raise self._too_many(bound)
        try:
            fitted = [
                _fitted(spec, value)  # of a tensor, lists too are values
                if isinstance(spec, TypeSpec)
                else nest.map_structure(_fitted, spec, value)
                for spec, value in zip(specs, given, strict=True)
            ]
        except (TypeError, ValueError) as error:
            if type(error) not in (TypeError, ValueError):
                raise
            raise unbound(self.name, error, _BESIDE) from None
        return Arguments(self.name, self.signature, fitted, {}, self._by_value)

    def _too_many(self, bound: inspect.BoundArguments) -> TypeError:
        """What is raised where a call has more or fewer arguments than the input_signature."""
        assert self.input_signature is not None
        wanted, found = len(self.input_signature), len(bound.args) + len(bound.kwargs)
        reason = "too many positional arguments" if found > wanted else "missing an argument"
        if found > wanted and bound.kwargs:
            reason = f"got an unexpected keyword argument {list(bound.kwargs)[-1]!r}"
        more = f": input_signature has {wanted} arguments, got {found}"
        return unbound(self.name, reason, more)

    # Looking at it.

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Any:
        """The concrete function for these arguments, which may be TensorSpecs.

        Unlike TensorFlow's, it has no gradient by tensors of up to 16 elements that it takes from
        around it: they are constants of it. Call the function itself for that.

        Args:
            *args: What a call would be given, or a TensorSpec in the place of each tensor.
            **kwargs: The same by name.

        Returns:
            A ConcreteFunction, traced now if none fits; for a TensorSpec of unknown rank what has
            one for each rank that it is called with, and traces none before.

        >>> import tfc as tf
        >>> f = tf.function(lambda x: x * 2.0)
        >>> f.get_concrete_function(tf.TensorSpec([None])).outputs
        [TensorSpec(shape=(None,), dtype=tf.float32, name=None)]
        >>> g = f.get_concrete_function(tf.TensorSpec(None))
        >>> print(g(tf.constant(1.0)), g(tf.constant([1.0, 2.0])))
        tf.Tensor(2.0, shape=(), dtype=float32) tf.Tensor([2. 4.], shape=(2,), dtype=float32)
        """
        if self.input_signature is not None:
            self._check_specs(args, kwargs)
            args, kwargs = self.input_signature, {}
        specs = [x for x in nest.flatten([args, kwargs], True) if isinstance(x, TensorSpec)]
        if any(spec.shape.rank is None for spec in specs):
            return UnrankedFunction(self.name, self.signature, args, kwargs, self._of_specs)
        return self._of_specs(args, kwargs)

    def _of_specs(self, args: Any, kwargs: Any) -> ConcreteFunction:
        """The concrete function for arguments in which the ranks of all TensorSpecs are known."""
        counter = itertools.count()
        stand_ins = _SpecTrace()
        names: dict[Value, str | None] = {}

        def stand_in(x: Any) -> Any:
            if not isinstance(x, TensorSpec):
                return x
            value = Value(TensorType(x.dtype, named(x, counter)))
            names[value] = x.name
            return SymbolicTensor(stand_ins, value)

        args, kwargs = nest.map_structure(
            stand_in, (list(args), dict(kwargs)), expand_composites=True
        )
        arguments = Arguments(self.name, self.signature, args, kwargs)
        tensors = arguments.tensors
        arguments.name_specs(
            [names.get(t._value) if isinstance(t, SymbolicTensor) else None for t in tensors]
        )
        types = [type_of(t) for t in arguments.tensors]
        return self._traces.exactly(arguments, types, lambda: self.traced_function)

    def _check_specs(self, args: Any, kwargs: Any) -> None:
        """Refuse arguments that the input_signature does not take."""
        if not args and not kwargs:
            return
        bound = self.signature.bind(*args, **kwargs)
        given = nest.flatten([*bound.args, *bound.kwargs.values()], expand_composites=True)
        specs = nest.flatten(self.input_signature, expand_composites=True)
        for spec, x in zip(specs, given, strict=False):
            if not isinstance(spec, TensorSpec):
                continue
            own = x if isinstance(x, TensorSpec) else convert_to_tensor(x, spec.dtype)
            if own.dtype is not spec.dtype or not spec.shape.is_compatible_with(own.shape):
                raise unbound(self.name, _uncast(own.shape, own.dtype, spec), _BESIDE)
        if len(given) != len(specs):
            raise self._too_many(bound)

    @property
    def function_type(self) -> FunctionType:
        """The signature, with the types that the input_signature states."""
        return of_function(self.signature, self.input_signature)

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """All that it was traced to so far."""
        return [concrete for _, concrete in self._traces.all()]

    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Why the function was traced each time, what that has cost, and what to do about it.

        Args:
            *args: Arguments of a call that is not made: then the text says what it would do.
            **kwargs: The same by name.

        Returns:
            Some lines of text.

        >>> import tfc as tf
        >>> f = tf.function(lambda x, n: x * n)
        >>> x = tf.constant([1.0, 2.0])
        >>> y = f(x, 2)
        >>> print(f.explain(x, 3))  # doctest: +ELLIPSIS
        lambda would be traced for x: f32[2], n=3
           why: n was 2 and is 3 (trace 1)
           fix: pass a tensor, tf.constant(3): Python values are compiled in
        >>> print(f.explain(x, 2))
        lambda would run trace 1: x: f32[2], n=2
        """
        if not args and not kwargs:
            return self._traces.history.text()
        arguments = self._arguments(args, kwargs)
        known = self._traces.known(arguments)
        if known is not None:
            leaves = arguments.described(known.types)
            number = self._traces.number(known)
            return f"{self.name} would run trace {number}: {explain.signature_text(leaves)}"
        return self._traces.prediction(arguments)

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """All signatures traced so far, as text."""
        between = "\n\n" if verbose else "\n"
        return between.join(c.pretty_printed_signature(verbose) for c in self.concrete_functions)

    def experimental_get_tracing_count(self) -> int:
        """How often the Python function was traced."""
        return self._traces.history.count

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """As a method: a function of its own for each instance, which goes with it."""
        if instance is None:
            return self
        found = self._methods.get(id(instance))
        if found is None or found[0]() is not instance:
            try:
                found = self._method(instance)
            except TypeError:  # no weak references: the instance is an argument like others
                return MethodType(self, instance)
        method = Method(found[1])
        method.instance = instance
        return method

    def _method(self, instance: Any) -> tuple[weakref.ref[Any], PolymorphicFunction]:
        """The function for this instance, made now."""
        methods, key = weakref.ref(self), id(instance)

        def gone(_: Any) -> None:
            function = methods()
            if function is not None:
                function._methods.pop(key, None)

        reference = weakref.ref(instance, gone)
        made = PolymorphicFunction(
            self._function, self.input_signature, self.reduce_retracing, self.autograph, instance
        )
        with self._traces.lock:
            found = self._methods.get(key)
            if found is None or found[0]() is not instance:
                found = self._methods[key] = reference, made
        return found

    def __repr__(self) -> str:
        return f"<tfc.function {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        options = (self.input_signature, self.reduce_retracing, self.autograph)
        return PolymorphicFunction, (self.python_function, *options)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return above.html("function", self)


def _called(method: Method, name: str, *args: Any, **kwargs: Any) -> Any:
    return getattr(method.func, name)(*args, **kwargs)


class Method(functools.partial[Any]):
    # A function of one instance, which is alive as long as this is. Made for every look-up, so it
    # has no `__init__` of its own.

    instance: Any
    __doc__ = property(lambda self: self.func.__doc__)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.func, name)
        # What is called later keeps the instance alive until then.
        return functools.partial(_called, self, name) if isinstance(value, MethodType) else value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Method) and self.func is other.func

    def __hash__(self) -> int:
        return hash(self.func)

    def __repr__(self) -> str:
        return f"<tfc.function {self.name} of {shown(self.instance)}>"


class _SpecTrace:
    """The owner of the stand-ins for TensorSpecs, which are never used as values."""


def _name(f: Any) -> str:
    """What a callable is called."""
    while isinstance(f, functools.partial):
        f = f.func
    return str(getattr(f, "__name__", type(f).__name__)).replace("<lambda>", "lambda")


def _signature(f: Callable[..., Any]) -> inspect.Signature:
    """The parameters; any where a callable does not tell (such as NumPy's ufuncs)."""
    try:
        return inspect.signature(f)
    except ValueError:
        return inspect.signature(lambda *args, **kwargs: None)


def _checked_signature(
    input_signature: Any, signature: inspect.Signature, name: str
) -> tuple[Any, ...] | None:
    if input_signature is None:
        return None
    if not isinstance(input_signature, list | tuple):
        raise TypeError(
            f"{name}: input_signature must be either a tuple or a list, got "
            f"{type(input_signature)} ({user_location()})"
        )
    for spec in nest.flatten(list(input_signature)):
        if not isinstance(spec, TypeSpec):
            raise TypeError(
                f"{name}: input_signature must be a possibly nested sequence of TensorSpec "
                f"objects, got {shown(spec)} ({user_location()})"
            )
    _check_number(len(input_signature), signature, name)
    return tuple(input_signature)


def _check_number(count: int, signature: inspect.Signature, name: str) -> None:
    """Refuse an input_signature of another number of arguments than the function has: `self` and
    `cls` are none of them, and what has a default needs none."""
    parameters = list(signature.parameters.values())
    if parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    more = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    own = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if count > len(own) and not more:
        raise TypeError(
            f"{name}: input_signature contains {count - len(own)} extra type constraints "
            f"({user_location()})"
        )
    for p in own[count:]:
        if p.default is p.empty:
            raise TypeError(
                f"{name}: input_signature missing type constraint for {p.name} ({user_location()})"
            )


def _fitted(spec: Any, value: Any) -> Any:
    """An argument as its spec in the input_signature wants it."""
    if not isinstance(spec, TensorSpec):
        if not spec.is_compatible_with(value):
            raise TypeError(f"Can not cast {shown(value)} to {spec}")
        return nest.pack_sequence_as(spec, nest.flatten(value, True), True)
    if isinstance(value, Tensor | Variable) and value.dtype is not spec.dtype:
        raise TypeError(_uncast(value.shape, value.dtype, spec))
    tensor = convert_to_tensor(value, spec.dtype)
    if not spec.shape.is_compatible_with(tensor.shape):
        raise TypeError(_uncast(tensor.shape, tensor.dtype, spec))
    return tensor


_BESIDE = ": the argument does not fit the input_signature"


def _uncast(shape: Any, dtype: Any, spec: TensorSpec) -> str:
    own = TensorSpec(shape, dtype)
    return f"Can not cast {own} to {TensorSpec(spec.shape, spec.dtype)}"


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
) -> Any:
    """Compile a Python function: traced once for each signature, then run as native code.

    Python side effects happen while tracing only. `input_signature` (TensorSpecs, None for
    unknown extents) fixes the one signature. Python control flow on tensors is compiled too (see
    `tfc.autograph`), unless `autograph` is False. `f.explain()` tells why it was traced each time.

    Everything is compiled, and sizes that vary become symbols by themselves: so `jit_compile` and
    the arguments that start with `experimental` are accepted and change nothing.

    Args:
        func: The function; without it this gives a decorator.
        input_signature: TensorSpecs of the arguments: then there is one trace.
        autograph: Whether Python's control flow on tensors is compiled.
        jit_compile: Not used: everything is.
        reduce_retracing: Whether other sizes of the batch (the first axis of all tensors among the
            arguments) are expected: then the first call compiles what serves them all, and a second
            size only traces. It sees what it sees without this. Models expect smaller batches
            without it.
        experimental_implements: Not used.
        experimental_autograph_options: Not used.
        experimental_attributes: Not used.
        experimental_relax_shapes: Not used.
        experimental_compile: Not used.
        experimental_follow_type_hints: Not used.

    Returns:
        A function of the same arguments, with `get_concrete_function`, `explain` and
        `python_function`.

    >>> import tfc as tf
    >>> @tf.function
    ... def f(x, y):
    ...     return x * y + 1.0
    >>> print(f(tf.constant([1.0, 2.0]), tf.constant(3.0)))
    tf.Tensor([4. 7.], shape=(2,), dtype=float32)
    """

    def decorate(inner: Callable[..., Any]) -> PolymorphicFunction:
        if isinstance(inner, PolymorphicFunction | Method):
            return inner  # type: ignore[return-value]
        if not callable(inner):
            raise TypeError(
                f"tfc.function takes a callable, got {shown(inner)} ({user_location()})"
            )
        return PolymorphicFunction(inner, input_signature, reduce_retracing, autograph)

    return decorate if func is None else decorate(func)


__all__ = ["ConcreteFunction", "PolymorphicFunction", "function"]
