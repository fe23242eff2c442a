"""`py_function` and `numpy_function`: Python code as ops.

Eagerly they call the function. In a `tfc.function` the program calls it each time that it gets
there, in program order with everything else that has effects; while tracing it is not called. See
tfc/ir/ops/python.py for the ops, of which this is the other side: what a run gives is kept here
by its token, until it is read, or until the call of the program ends.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tfc.ir.core import Value
from tfc.ir.dtypes import DType, as_dtype, int64
from tfc.ir.extent import Extent
from tfc.ir.ops import PythonResult, PythonRun, PythonShape, PythonStart
from tfc.ir.ops.python import KEEP, Callback, fresh_token

from . import blame, errors, nest
from .context import active, context, user_location
from .gradient_tape import GradientTape
from .indexed_slices import dense
from .shapes import TensorShape
from .tensor import SymbolicTensor, Tensor, Variable, convert_to_tensor, wrap
from .tracing import Order, Trace

# What runs have given.


class _Run:
    """What is kept of a run."""

    __slots__ = ("inputs", "outputs", "reads", "tape")

    def __init__(self, inputs: list[Any], outputs: list[Any], reads: int, tape: Any) -> None:
        self.inputs = inputs  # those that are floats
        self.outputs = outputs
        self.reads = reads
        self.tape = tape


_runs: dict[int, _Run] = {}  # by token
_following: dict[tuple[bool, int], int] = {}  # (whether it is an `advance`, before) -> token


class _Session(threading.local):
    def __init__(self) -> None:
        self.keys: list[Any] | None = None  # what the current call of a program keeps


_session = _Session()


def _forget(keys: list[Any]) -> None:
    for key in keys:
        (_following if isinstance(key, tuple) else _runs).pop(key, None)  # type: ignore[call-overload]
    keys.clear()


@contextmanager
def session() -> Iterator[list[Any]]:
    """One call of a program: what Python functions give in it is forgotten behind it. The parts
    of a program that is called in parts share it."""
    if _session.keys is not None:
        yield []
        return
    keys: list[Any] = []
    _session.keys = keys
    try:
        yield keys
    finally:
        _session.keys = None
        _forget(keys)


def in_session(call: Callable[..., Any], exported: bool) -> Callable[..., Any]:
    """`call`, which runs a program, as a session of its own. Where tokens are `exported`, runs
    are kept for as long as there is one of the results that may be a token."""

    def run(*arguments: Any) -> Any:
        with session() as keys:
            result = call(*arguments)
            if exported and keys and isinstance(result, tuple):
                kept = _Kept(keys)
                for t in result:
                    if isinstance(t, Tensor) and t.dtype is int64:
                        kept.hold(t)
                keys.clear()
                kept.release()
        return result

    return run


class _Kept:
    """Forgets runs once all that holds them is gone."""

    def __init__(self, keys: list[Any]) -> None:
        self.keys = list(keys)
        self.holders = 1

    def hold(self, x: Any) -> None:
        self.holders += 1
        weakref.finalize(x, self.release).atexit = False

    def release(self) -> None:
        self.holders -= 1
        if not self.holders:
            _forget(self.keys)


# Functions.


class _Function(Callback):
    """A function of the user's with the dtypes that it returns."""

    def __init__(self, function: Callable[..., Any], dtypes: Sequence[DType], op: str) -> None:
        super().__init__(getattr(function, "__name__", type(function).__name__))
        self.function = function
        self.dtypes = tuple(dtypes)
        self.op = op

    @property
    def taking_tensors(self) -> bool:
        return self.op == "py_function"

    def call(self, inputs: Sequence[Any]) -> list[Tensor]:
        """Call it, and make what it returns tensors of the right dtypes."""
        given = inputs if self.taking_tensors else [_array(t) for t in inputs]
        found = self.function(*given)
        outputs = list(found) if isinstance(found, list | tuple) else [] if found is None else [found]
        if not self.dtypes:
            return []  # called for its effects
        if len(outputs) != len(self.dtypes):
            raise self.wrong(f"returned {len(outputs)} values, Tout has {len(self.dtypes)}")
        return [
            self.converted(i, x, d)
            for i, (x, d) in enumerate(zip(outputs, self.dtypes, strict=True))
        ]

    def converted(self, i: int, value: Any, dtype: DType) -> Tensor:
        """A result as a tensor of its dtype."""
        value = value.value() if isinstance(value, Variable) else value
        if not isinstance(value, Tensor):
            if not self.taking_tensors:
                value = np.asarray(value)
            try:
                value = convert_to_tensor(
                    dense(value), dtype if self.taking_tensors else None
                )
            except (TypeError, ValueError) as error:
                raise self.wrong(f"returned what is no {dtype.name} tensor: {error}") from None
        if value.dtype is not dtype:
            raise self.wrong(
                f"{i}-th value returned is {value.dtype.name}, but expects {dtype.name}"
            )
        return value  # type: ignore[no-any-return]

    def wrong(self, what: str) -> errors.InvalidArgumentError:
        return errors.InvalidArgumentError(
            f"{self.name}: {what}", op=self.op, location=user_location()
        )

    # While a program runs.

    def run(self, before: int, arrays: Sequence[Any], reads: int, taped: bool) -> int:
        inputs = [wrap(np.array(a)) for a in arrays]  # the program's own memory is used again
        tape = GradientTape(True, False) if taped and self.taking_tensors else None
        with _outside():
            if tape is None:
                outputs = self.call(inputs)
            else:
                with tape:
                    tape.watch(inputs)
                    outputs = self.call(inputs)
        token = fresh_token()
        if reads:
            floats = [t for t in inputs if t.dtype.is_inexact]
            self._keep(before, token, _Run(floats, outputs, reads, tape))
        elif taped:
            self._keep(before, token, _Run([], [], KEEP, None))
        return token

    def _keep(self, before: int, token: int, run: _Run) -> None:
        _runs[token] = run
        keys = _session.keys
        if keys is not None:
            keys.append(token)
        if run.reads == KEEP:
            _following[self.function is _nothing, before] = token
            if keys is not None:
                keys.append((self.function is _nothing, before))

    def replay(self, before: int) -> int:
        return _following[self.function is _nothing, before]

    def shape(self, token: int, index: int) -> tuple[int, ...]:
        return tuple(_runs[token].outputs[index]._array.shape)

    def result(self, token: int, index: int) -> Any:
        run = _runs[token]
        if run.reads > 0:
            run.reads -= 1
            if not run.reads:
                del _runs[token]
        return run.outputs[index]._array

    def gradient(
        self, token: int, indices: Sequence[int], cotangents: Sequence[Any]
    ) -> tuple[list[Any], int]:
        run = _runs[token]
        targets = [run.outputs[i] for i in indices]
        seeds = [wrap(np.array(d)) for d in cotangents]
        with _outside(), run.tape:  # it records this too: there may be gradients of gradients
            run.tape.watch(seeds)
            found = run.tape.gradient(targets, run.inputs, seeds, "zero")
        found = [dense(g) for g in found]
        after = fresh_token()
        _runs[after] = _Run([*run.inputs, *seeds], found, KEEP, run.tape)
        if _session.keys is not None:
            _session.keys.append(after)
        return [g._array for g in found], after


@contextmanager
def _outside() -> Iterator[None]:
    """The user's code, called by a program, is in no trace and under no tape."""
    own, _session.keys = _session.keys, None
    try:
        with active(trace=None, tapes=[]):
            yield
    finally:
        _session.keys = own


def _array(x: Any) -> Any:
    """What `numpy_function` hands over."""
    return x.numpy()


# In a trace.


class PendingTensor(SymbolicTensor):
    """A result of a Python function of which not even the rank is known yet."""

    __slots__ = ("_dtype", "_known", "_read", "_what")

    def __init__(self, trace: Trace, dtype: DType, read: Callable[..., Value], what: str) -> None:
        self._trace = trace
        self._extents = None
        self._dtype = dtype
        self._read = read
        self._known: Value | None = None
        self._what = what

    @property
    def _value(self) -> Value:
        if self._known is None:
            raise blame.value_error(
                f"nothing is known of the shape of what {self._what} returns. Say what it is "
                "behind the call, by y.set_shape([None, 3]) or tf.ensure_shape(y, [None, 3]); or "
                "in the call, by Tout=tf.TensorSpec([None, 3], tf.float32)",
                "py_function",
            )
        return self._known

    @_value.setter
    def _value(self, value: Value) -> None:
        self._known = value

    @property
    def shape(self) -> TensorShape:
        return TensorShape(None) if self._known is None else super().shape

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def name(self) -> str:
        return f"{self._what}:0"

    def set_shape(self, shape: Any) -> None:
        wanted = TensorShape(shape)
        if self._known is not None:
            super().set_shape(shape)
        elif wanted.extents is not None:
            self._known = self._read(wanted.extents)

    def __repr__(self) -> str:
        return f"<tf.Tensor {self.name!r} shape={self.shape} dtype={self.dtype.name}>"

    __str__ = __repr__


def _order() -> Order:
    if not _orders:
        with active(trace=None, tapes=[]):
            _orders.append(Order(np.int64(0), trainable=False, name="order"))
    return _orders[0]


_orders: list[Order] = []


def order_of(trace: Trace) -> Value:
    """The token of the last run in a trace, or around it."""
    order, root = _order(), trace.outermost
    if id(order) not in root._variables:
        root.carry(order, root.builder.emit(PythonStart()))
    return trace.value_of(order)


def uses_python(trace: Trace) -> bool:
    """Whether a trace has runs of Python functions."""
    return trace.has_assigned(_order())


def advance(trace: Trace) -> None:
    """Go on in the chain of runs, behind an op that has runs of its own inside."""
    _emit(trace, _Function(_nothing, (), "py_function"), ())


def _nothing() -> None:
    pass


def _emit(trace: Trace, callback: Callback, args: Sequence[Value]) -> Value:
    before = order_of(trace)
    trace.builder.location = user_location()
    token: Value = trace.builder.emit(PythonRun(before, tuple(args), callback, KEEP, True))
    trace.assign(_order(), SymbolicTensor(trace, token))
    return token


def _traced(callback: _Function, tensors: Sequence[Any], shapes: Sequence[TensorShape]) -> Any:
    trace = context.trace
    assert trace is not None
    args = tuple(map(trace.value_of, tensors))
    token = _emit(trace, callback, args)
    linked = args if callback.taking_tensors else ()  # what gradients flow to
    location = trace.builder.location

    def read(i: int, extents: Sequence[Extent | None]) -> Value:
        b = trace.builder
        b.location = location
        if any(e is None for e in extents):
            with active(trace=trace):
                sizes: Any = b.emit(PythonShape(token, callback, i, len(extents)))
                known = SymbolicTensor(trace, sizes)
                extents = [
                    trace.measure(known[k]) if e is None else e  # type: ignore[index]
                    for k, e in enumerate(extents)
                ]
            b.location = location
        op = PythonResult(token, linked, callback, i, tuple(extents), callback.dtypes[i])  # type: ignore[arg-type]
        result: Value = b.emit(op)
        return result

    results: list[SymbolicTensor] = []
    for i, (dtype, shape) in enumerate(zip(callback.dtypes, shapes, strict=True)):
        if shape.extents is None:
            results.append(
                PendingTensor(trace, dtype, lambda e, i=i: read(i, e), callback.name)
            )
        else:
            results.append(SymbolicTensor(trace, read(i, shape.extents)))
    return results


def _called(
    func: Any, inp: Any, Tout: Any, op: str
) -> Any:
    if not callable(func):
        raise blame.type_error(f"Expected func to be callable. Received func={func!r:.100}", op)
    if not isinstance(inp, list | tuple):
        raise blame.type_error(f"inp must be a list or tuple of tensors, got {inp!r:.100}", op)
    many = isinstance(Tout, list | tuple)
    specs = list(Tout) if many else [] if Tout is None else [Tout]
    dtypes = [as_dtype(getattr(s, "dtype", s)) for s in specs]
    shapes = [TensorShape(getattr(s, "shape", None)) for s in specs]
    callback = _Function(func, dtypes, op)
    tensors = [convert_to_tensor(x) for x in inp]
    if context.trace is not None:
        results = _traced(callback, tensors, shapes)
    else:
        tensors = [t.read() for t in tensors]
        results = callback.call(tensors)
        for i, (t, shape) in enumerate(zip(results, shapes, strict=True)):
            if not t.shape.is_compatible_with(shape):
                raise callback.wrong(f"{i}-th value returned has shape {t.shape}, not {shape}")
    return results if many or not results else results[0]


def py_function(func: Any = None, inp: Any = None, Tout: Any = None, name: Any = None) -> Any:
    """Call a Python function on tensors as an op: `func(*inp)`, whose results have the dtypes
    `Tout` (one, or a list; a TensorSpec says the shape too; [] for nothing).

    In a `tfc.function` it is called whenever the program gets there, on tensors with values, and
    never while tracing; calls keep their place among all other effects and are never dropped.
    Gradients flow through what it computes with ops, to `inp`, to any order. What it raises
    reaches the caller as it is. Nothing is known of the shapes of results: `set_shape`,
    `ensure_shape` or a TensorSpec say what a program needs; unlike TensorFlow, it needs the rank.
    Without `func` this is a decorator.

    Raises TypeError where `func` is not callable, and InvalidArgumentError where it returns
    another number of values, other dtypes, or other shapes than was said.

    >>> import tfc as tf
    >>> def huber(x):
    ...     return x * x / 2 if abs(float(x)) < 1 else abs(x) - 0.5  # Python sees numbers
    >>> @tf.function
    ... def f(x):
    ...     return 2.0 * tf.ensure_shape(tf.py_function(huber, [x], tf.float32), [])
    >>> float(f(tf.constant(0.5))), float(tf.grad(f)(tf.constant(-3.0)))
    (0.25, -2.0)
    """
    if func is None:
        return lambda f: lambda *inp: _called(f, inp, Tout, "py_function")
    return _called(func, inp, Tout, "py_function")


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: Any = None,
) -> Any:
    """Call a Python function on NumPy arrays as an op, as `py_function` does; no gradient flows
    through it. Its results must have the dtypes `Tout` already. `stateful` is there for
    TensorFlow's sake: calls are never dropped, nor made once for several.

    >>> import tfc as tf
    >>> import numpy as np
    >>> @tf.function
    ... def f(x):
    ...     positive = tf.numpy_function(lambda a: a[a > 0], [x], tf.TensorSpec([None]))
    ...     return tf.reduce_sum(positive)
    >>> float(f(tf.constant([1.0, -2.0, 3.0])))
    4.0
    """
    if func is None:
        return lambda f: lambda *inp: _called(f, inp, Tout, "numpy_function")
    return _called(func, inp, Tout, "numpy_function")


__all__ = ["numpy_function", "py_function"]
