"""`py_function` and `numpy_function`: Python code as ops.

Eagerly they call the function. In a `tfc.function` the program calls it each time that it gets
there, in program order with everything else that has effects; while tracing it is not called. See
tfc/ir/ops/python.py for the ops, and python_runs.py for what happens when they run.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.core import Location, Value
from tfc.ir.dtypes import DType, as_element_type
from tfc.ir.extent import Extent
from tfc.ir.ops import PythonResult, PythonRun, PythonShape
from tfc.ir.ops.python import KEEP, Callback
from tfc.ir.value_classes import NamedTuple

from ..core import blame, nest
from ..core.containers import Composite
from ..core.context import active, context, user_location
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor
from ..core.types import ShapeLike
from ..dispatch.stored_variables import order
from ..dispatch.tracing import Trace, current
from .python_runs import PythonFunction, eager_call, nothing


class Site(NamedTuple):
    """A call of a Python function in the user's program, by what the ranks of its results depend
    on: two lines or two ranks of arguments are two sites."""

    location: Location | None
    name: str
    operands: tuple[tuple[DType, int], ...]
    results: tuple[DType, ...]


# The ranks that results had when a call first gave some. A program is compiled for them, and checks
# them when it runs.
_learnt: dict[Site | None, tuple[int, ...]] = {}


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
        trace.outermost.unranked.append(self)

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

    def set_shape(self, shape: ShapeLike) -> None:
        wanted = TensorShape(shape)
        if self._known is not None:
            super().set_shape(shape)
        elif wanted.extents is not None:
            self._known = self._read(wanted.extents)

    def __repr__(self) -> str:
        return f"<tf.Tensor {self.name!r} shape={self.shape} dtype={self.dtype.name}>"

    __str__ = __repr__


def advance(trace: Trace) -> None:
    """Go on in the chain of runs, behind an op that has runs of its own inside."""
    _emit(trace, PythonFunction(nothing, (), "py_function"), ())


def _emit(trace: Trace, callback: Callback, args: Sequence[Value]) -> Value:
    before = trace.token
    trace.builder.location = user_location()
    token = trace.builder.emit(PythonRun(before, tuple(args), callback, KEEP, True))
    trace.assign(order(), SymbolicTensor(trace, token))
    return token


def traced_call(
    callback: PythonFunction, tensors: Sequence[Any], shapes: Sequence[TensorShape]
) -> list[Any]:
    """Let the program call a function here; its results."""
    trace: Any = current()
    assert trace is not None
    if trace.graph is not None:
        found: list[Any] | None = trace.host_call(callback, tensors, shapes)
        if found is not None:
            return found
    args = tuple(map(trace.value_of, tensors))
    if callback.sees_variables:
        trace.store()
    token = _emit(trace, callback, args)
    if callback.sees_variables:
        trace.forget()
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
                    trace.measure(known[k]) if e is None else e for k, e in enumerate(extents)
                ]
            b.location = location
        op = PythonResult(token, linked, callback, i, tuple(extents), callback.dtypes[i])  # type: ignore[arg-type]
        return b.emit(op)

    results: list[SymbolicTensor] = []
    for i, (dtype, shape) in enumerate(zip(callback.dtypes, shapes, strict=True)):
        reads = functools.partial(read, i)
        if shape.extents is None and trace.graph is not None:
            results.append(trace.pending(token.op, i, reads))
        elif shape.extents is None:
            results.append(PendingTensor(trace, dtype, reads, callback.name))
        else:
            results.append(SymbolicTensor(trace, read(i, shape.extents)))
    return results


def _called(func: Any, inp: Any, Tout: Any, op: str) -> Any:
    if not callable(func):
        raise blame.type_error(f"Expected func to be callable. Received func={func!r:.100}", op)
    if not isinstance(inp, list | tuple):
        raise blame.type_error(f"inp must be a list or tuple of tensors, got {inp!r:.100}", op)
    many = isinstance(Tout, list | tuple)
    specs = list(Tout) if many else [] if Tout is None else [Tout]
    said = [isinstance(s, TensorSpec) for s in specs]  # dtypes of NumPy have shapes of their own
    dtypes = [as_element_type(s.dtype if k else s) for s, k in zip(specs, said, strict=True)]
    shapes = [TensorShape(s.shape if k else None) for s, k in zip(specs, said, strict=True)]
    callback = PythonFunction(func, dtypes, op)
    tensors = [convert_to_tensor(x) for x in inp]
    open_rank = any(shape.extents is None for shape in shapes)
    if open_rank:
        site = _site(callback, tensors)
    if context.trace is not None:
        if open_rank and site in _learnt:
            shapes = [
                TensorShape([None] * rank) if shape.extents is None else shape
                for rank, shape in zip(_learnt[site], shapes, strict=True)
            ]
        results = traced_call(callback, tensors, shapes)
    else:
        tensors = [t.read() for t in tensors]
        results = eager_call(callback, tensors)
        for i, (t, shape) in enumerate(zip(results, shapes, strict=True)):
            if not t.shape.is_compatible_with(shape):
                raise callback.wrong(f"{i}-th value returned has shape {t.shape}, not {shape}")
        if open_rank and site is not None:
            _learnt.setdefault(site, tuple(t._array.ndim for t in results))
    return results if many or not results else results[0]


def _site(callback: PythonFunction, tensors: Sequence[Any]) -> Site | None:
    """Where a call stands; None where its arguments have no rank themselves."""
    operands = []
    for t in tensors:
        rank = t.shape.rank
        if rank is None:
            return None
        operands.append((t.dtype, rank))
    return Site(user_location(), callback.name, tuple(operands), callback.dtypes)


def py_function(
    func: Any = None, inp: Any = None, Tout: Any = None, name: str | None = None
) -> Any:
    """Call a Python function on tensors as an op: `func(*inp)`, whose results have the dtypes
    `Tout` (one, or a list; a TensorSpec says the shape too; [] for nothing).

    In a `tfc.function` it is called whenever the program gets there, on tensors with values, and
    never while tracing; calls keep their place among all other effects and are never dropped. It
    may read and assign Variables: what the program has assigned before is stored for it, and what
    the program reads behind it is what it left. A program that fails gives the Variables that it
    assigned itself their values back.
    Gradients flow through what it computes with ops, to any order: to `inp`, not to Variables and
    tensors that it finds around it, eagerly as in a program. What it raises
    reaches the caller as it is. Without `func` this is a decorator.

    Nothing is known of the shapes of results but what `set_shape`, `ensure_shape` or a TensorSpec
    say. Unlike TensorFlow, a program needs to know their ranks. Where nobody says them, the first
    call of a function runs op by op, and so learns them; programs check that they stay.

    Args:
        func: The function; without it this gives a decorator.
        inp: The list of its arguments: tensors, also ragged and sparse ones.
        Tout: The dtype of the result, or a list of them; a TensorSpec says the shape, too, and a
            RaggedTensorSpec or SparseTensorSpec that it is a tensor of that kind.

    Returns:
        A tensor, or a list of them.

    Raises:
        TypeError: If `func` is not callable.
        InvalidArgumentError: If it returns another number of values, other dtypes, or other shapes
            than was said.

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
    if isinstance(inp, list | tuple) and any(
        isinstance(x, Composite) for x in nest.decompose((inp, Tout))[0]
    ):
        return _of_composites(func, inp, Tout)
    return _called(func, inp, Tout, "py_function")


def _of_composites(func: Any, inp: Any, Tout: Any) -> Any:
    """A call with ragged or sparse tensors among arguments or results: with all that these are made
    of."""
    arguments, given = nest.decompose_composites(list(inp))
    specs, wanted = nest.decompose_composites(Tout)

    @functools.wraps(func)
    def of_parts(*parts: Any) -> Any:
        made = nest.decompose_composites(func(*given.pack(list(parts))))[0]
        if len(made) != len(specs):
            raise blame.invalid(
                f"the function gave {len(made)} tensors, counting those that ragged and sparse "
                f"ones are made of, and not {len(specs)}, as Tout={Tout!r} says",
                "py_function",
            )
        return made

    found = _called(of_parts, arguments, specs, "py_function")
    return wanted.pack(list(found))


def numpy_function(
    func: Any = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """Call a Python function on NumPy arrays as an op, as `py_function` does; no gradient flows
    through it.

    Args:
        func: The function; without it this gives a decorator.
        inp: The list of its arguments: tensors, which it gets as arrays.
        Tout: The dtype that its result has already, or a list of them; a TensorSpec says the shape,
            too; [] for nothing.
        stateful: Not used: calls are never dropped, nor made once for several.

    Returns:
        A tensor, or a list of them.

    Raises:
        TypeError: If `func` is not callable, or `inp` no list.
        InvalidArgumentError: If it returns another number of values, other dtypes, or other shapes
            than was said.

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


__all__ = ["numpy_function", "py_function", "traced_call"]
