"""What is going on in this context: the trace that ops are appended to, and the active tapes."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ContextDecorator
from contextvars import ContextVar
from types import FrameType, MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tfc.backends.calling_convention import scope_states
from tfc.ir.core import Builder, Location, Value
from tfc.ir.extent import Extent
from tfc.ir.value_classes import NamedTuple

from . import above

_HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_NUMPY = os.path.dirname(os.path.realpath(np.__file__))  # calls back: np.sum(tensor)
PACKAGE_FOLDERS = tuple(
    os.path.realpath(os.path.join(_HERE, part)) for part in (".", "ir", "backends")
)
_ROOTS = (  # whose lines are not the user's
    *PACKAGE_FOLDERS,
    _NUMPY,
    os.path.realpath(contextlib.__file__),  # enters `with tfc.device(...)`
)
# What Keras' layers, losses and optimizers call is not theirs either: the line of a layer tells
# more than that of the `keras.ops.matmul` in it.
_OF_KERAS = tuple(
    os.path.join(os.sep, "keras", "src", *part)
    for part in (("ops", ""), ("backend", ""), ("utils", ""), ("tree", ""), ("layers", "layer.py"))
)


class Tape(Protocol):
    """What a tape is told: see tfc/autodiff/tape.py."""

    def wants(self, tensors: Sequence[Any]) -> bool:
        """Whether it records an op on these."""

    def append(self, record: Any) -> None:
        """Record an op that has run."""

    def read(self, variable: Any, tensor: Any) -> None:
        """A Variable has been read: this is its value."""

    def saw(self, trace: Any, place: int) -> bool:
        """Whether it recorded what is there in this trace; True where it belongs to another."""

    def left(self, tensor: Any) -> None:
        """NumPy is given the elements of a tensor."""


class Trace(Protocol):
    """A function that is being traced, as far as tensors and Variables need to know: see
    tfc/dispatch/tracing.py, whose `current` gives all of it."""

    branch: str
    device: Any
    graph: Any  # TensorFlow 1's, where this is the trace of one: see tfc/compat/graphs

    @property
    def builder(self) -> Builder:
        """Takes the ops."""

    @property
    def outer(self) -> Trace | None:
        """The trace that it is a region of."""

    @property
    def outermost(self) -> Trace:
        """That of the function."""

    def measure(self, tensor: Any) -> Extent:
        """An integer scalar as an extent, bound when the function runs."""

    def require(self, extent: Extent) -> None:
        """Take an extent not to be negative; the call checks it."""

    def place(self, wanted: Any) -> None:
        """Note the device that `tfc.device` names."""

    def value_of(self, x: Any) -> Value:
        """What stands for a tensor or Variable."""

    def create(self, variable: Any) -> None:
        """Note that a Variable is being made."""

    def lift(self, x: Any) -> Any:
        """The first value of a Variable, where it depends on no argument; else None."""

    def assign(self, variable: Any, tensor: Any) -> None:
        """Let a Variable have a value from here on."""

    def has_assigned(self, variable: Any) -> bool:
        """Whether it may have another value than when the function is traced."""

    def refine(self, value: Value, extents: tuple[Any, ...]) -> Value:
        """The value with extents that are known from here on."""


class State(NamedTuple):
    """What is going on in a context, and the scope that made it so. The first five are for native
    code (backends/cpu/runtime/scopes.c)."""

    previous: State | None  # around the scope
    owner: Any
    counted: list[int] | None  # one item (a thread) while dispatchers are to ask Python for it
    given: Any  # what `with ... as` gives
    left: Callable[..., Any] | None  # to call when the scope was left
    changes: Mapping[str, Any]  # what the scope changes; its tape under "tape"
    trace: Trace | None = None
    tapes: tuple[Tape, ...] = ()
    functions: tuple[Any, ...] = ()  # those that are being traced, each inside of the one before
    autograph: bool = True  # whether what is called in a trace is converted
    inspect: bool = False  # see debugging.trace_nans
    device: Any = None  # what `tfc.device` says, see placement.py
    names: str = ""  # what `name_scope` puts in front of the names of Variables
    kept: Any = None  # what the call of a program keeps, see sessions.py
    deadline: tuple[float, float] | None = None  # when, after so many seconds: deadlines.py
    creators: tuple[Callable[..., Any], ...] = ()  # take part in making Variables


_NOTHING = State(None, None, None, None, None, MappingProxyType({}))
_variable = ContextVar("tfc", default=_NOTHING)
scope_states.append(_variable)
current: Callable[[], State] = _variable.get


class Context:
    """The state of this context, by the names of its parts. Each thread and each task of asyncio
    has its own; a task begins with that of who makes it."""

    __slots__ = ()

    @property
    def trace(self) -> Trace | None:
        return current().trace

    @property
    def tapes(self) -> tuple[Tape, ...]:
        return current().tapes

    @property
    def functions(self) -> tuple[Any, ...]:
        return current().functions

    @property
    def autograph(self) -> bool:
        return current().autograph

    @property
    def inspect(self) -> bool:
        return current().inspect

    @property
    def device(self) -> Any:
        return current().device


context = Context()


class _Method:
    """`__enter__` or `__exit__` of scopes, until the native one takes its place when it is first
    asked for: native code is not loaded before. (`with` asks for both before it enters.)"""

    def __init__(self, number: int) -> None:
        self._number = number

    def __get__(self, scope: Any, kind: Any = None) -> Any:
        from tfc.backends.cpu.runtime.runtime import scope_methods

        enter, leave = scope_methods("_entered", "_found")
        methods: Any = enter, leave if _ENTERING_IS_WHOLE else _Leave(leave)
        if not sys.is_finalizing():
            Scope.__enter__, Scope.__exit__ = methods  # type: ignore[method-assign]
        return methods[self._number].__get__(scope, kind)


# From Python 3.14 on, signals are looked for between the end of `__enter__` and the block, too. An
# exception from there unwinds the stack, on which `__exit__` lies, and does not call it.
_ENTERING_IS_WHOLE = sys.version_info < (3, 14)


class _Leave:
    """`__exit__` that leaves the scope, too, where `with` drops it and has not called it."""

    def __init__(self, leave: Any) -> None:
        self._leave = leave

    def __get__(self, scope: Any, kind: Any = None) -> Any:
        if scope is None:
            return self._leave
        call = _Exit(self._leave, scope)
        call.__class__ = _AwaitedExit
        return call


class _Exit:
    """The `__exit__` of one `with`."""

    __slots__ = ("_depth", "_leave", "_scope")

    def __init__(self, leave: Any, scope: Scope) -> None:
        self._leave, self._scope, self._depth = leave, scope, _times_inside(scope)

    def __call__(self, *exception: Any) -> Any:
        suppressed = self._leave(self._scope, *exception)
        self.__class__ = _Exit  # whose end runs no code, in which a signal would be lost
        return suppressed


class _AwaitedExit(_Exit):
    """One that was not called yet; when it is gone, its scope is left."""

    __slots__ = ()

    def __del__(self) -> None:
        if _times_inside(self._scope) > self._depth:
            self._leave(self._scope, None, None, None)


class Scope(ContextDecorator):
    """The base of what `with` enters: it changes the state of the context.

    Entering and leaving are native, and so cannot be cut short by a signal: an exception comes
    before or after. What Python does on the way has no effect but by what it returns. Scopes that
    overlap without being nested, as those of generators do, are each taken out of the state that
    there is.
    """

    if TYPE_CHECKING:

        def __enter__(self) -> Any:
            """Change the state."""

        def __exit__(self, *exception: object) -> None:
            """Change it back."""

    else:
        __enter__ = _Method(0)
        __exit__ = _Method(1)

    def changes(self) -> Mapping[str, Any]:
        """What it changes, by the names of `State`."""
        raise NotImplementedError

    def given(self, changes: Mapping[str, Any]) -> Any:
        """What `with ... as` gives."""
        return None

    def leaving(self) -> Callable[..., Any] | None:
        """What to call when the scope was left, with an exception's class, value and traceback,
        or three times None. It may be cut short."""
        return None

    def _entered(self) -> State:
        changes = self.changes()
        counted = None if changes.keys() <= _UNSEEN else [threading.get_ident()]
        return _derived(current(), self, counted, self.given(changes), self.leaving(), changes)

    def _found(self) -> tuple[State, State] | None:
        """The state that this scope has made, which is not the innermost one, and what the present
        state is without it. None where this context is not in the scope."""
        above: list[State] = []
        state: State | None = current()
        while state is not None and state.owner is not self:
            above.append(state)
            state = state.previous
        if state is None:
            return None
        assert state.previous is not None
        without = state.previous
        for layer in reversed(above):
            without = _derived(without, *layer[1:6])
        return state, without


_UNSEEN = frozenset(
    ("functions", "autograph", "names", "kept", "deadline", "creators")
)  # no affair of native calls


def _derived(
    around: State, owner: Any, counted: Any, given: Any, left: Any, changes: Mapping[str, Any]
) -> State:
    """The state in a scope."""
    tape = changes.get("tape")
    if tape is None:
        here = around._replace(**changes)[6:]
    else:
        here = (around.trace, (*around.tapes, tape), *around[8:])
    return State._make((around, owner, counted, given, left, changes, *here))


def is_inside(scope: Scope) -> bool:
    """Whether this context has entered a scope, and not left it."""
    return _times_inside(scope) > 0


def _times_inside(scope: Scope) -> int:
    """How often this context has entered a scope without leaving it."""
    times, state = 0, current()
    while state.previous is not None:
        times += state.owner is scope
        state = state.previous
    return times


def in_child() -> None:
    """Count the scopes of this thread alone: a fork has left the others behind."""
    thread = threading.get_ident()
    runtime = sys.modules.get("tfc.backends.cpu.runtime.runtime")  # without it there were none
    if runtime is not None and any(runtime.watched()):
        found = [x for x in gc.get_objects() if type(x) is State and x.counted == [thread]]
        runtime.set_scopes(len({id(x.counted) for x in found}))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=in_child)


class Settings:
    """Switches that hold for the whole process."""

    functions_run_eagerly = False
    check_numerics = False  # see debugging.enable_check_numerics
    timeline: Any = None  # see profiler.trace
    collected: dict[int, Any] | None = None  # functions that run, by id: see summary.trace_on
    # Is told of functions that are traced (with None), and of calls by way of Python with their
    # tensors, as the first call of each function is: see explore/calls.py.
    watch: Callable[[Any, Sequence[Any] | None], None] | None = None
    # Asked for (Variable, name of the method, value) whether replicas have assigned it together:
    # see distribute/replicas.py.
    replicas: Any = None
    made: Any = None  # told of each Variable, once it is made
    replica_count: Any = None  # asked how many replicas compute on parts of one batch, here
    tensor_float_32 = False  # whether GPUs may round the operands of products
    # Whether they may use what was never seen to run: products of float16 by warpgroups.
    warpgroups = os.environ.get("TFC_WGMMA", "") not in ("", "0")
    accelerated: bool  # whether a GPU has been used or is the default, see placement.py
    default_gpu: Any  # where ops run that nothing else places; None: on the CPU

    @property
    def products(self) -> tuple[bool, bool]:
        """How GPUs may multiply matrices; what is compiled for one way is not for another."""
        return self.tensor_float_32, self.warpgroups

    def __getattr__(self, name: str) -> Any:
        """GPUs are looked for when they are first asked for."""
        if name not in ("accelerated", "default_gpu"):
            raise AttributeError(name)
        self.__dict__.setdefault("accelerated", False)
        self.default_gpu = None
        above.find_default_gpu()
        return getattr(self, name)


settings = Settings()


class active(Scope):  # noqa: N801  (used as a function)
    """Sets parts of the state for a while."""

    def __init__(self, **state: Any) -> None:
        self._changes = state

    def changes(self) -> Mapping[str, Any]:
        return self._changes


def user_location() -> Location | None:
    """The line of the nearest caller outside this package (and NumPy)."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not _ours(file):
            return Location(file, frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]
    return None


library_folders: list[str] = []  # of libraries that call this package for users, such as Keras


def calling_location() -> Location | None:
    """The line of the nearest caller outside this package and of such libraries; if there is none,
    that of a library."""
    frame, nearest = sys._getframe(1), None
    while frame is not None:
        file = frame.f_code.co_filename
        if not _ours(file):
            found = Location(file, frame.f_lineno)
            if not file.startswith(tuple(library_folders)) and not file.startswith("<"):
                return found
            nearest = nearest or found
        frame = frame.f_back  # type: ignore[assignment]
    return nearest


def user_frame() -> FrameType | None:
    """The nearest caller outside this package (and NumPy)."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _ours(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def public_call() -> str | None:
    """The name of what the nearest caller outside this package has called of it."""
    frame = sys._getframe(1)
    name = None
    while frame is not None and _ours(frame.f_code.co_filename):
        own = frame.f_code.co_qualname.removesuffix(".__init__")
        if own.isascii() and all(part.isidentifier() for part in own.split(".")):
            name = own if not own.rpartition(".")[2].startswith("_") else name
        frame = frame.f_back  # type: ignore[assignment]
    return name


_known: dict[str, bool] = {}


def _ours(file: str) -> bool:
    found = _known.get(file)
    if found is None:
        path = os.path.realpath(file) if not file.startswith("<") else file
        ours = path.startswith(_ROOTS) or file.startswith("<frozen")
        found = _known[file] = ours or any(part in path for part in _OF_KERAS)
    return found


def executing_eagerly() -> bool:
    """Whether ops run at once: True but while a function is traced.

    Returns:
        A Python bool.

    >>> import tfc as tf
    >>> f = tf.function(lambda: tf.constant(tf.executing_eagerly()))
    >>> tf.executing_eagerly(), f().numpy().item()
    (True, False)
    """
    return context.trace is None


def inside_function() -> bool:
    """Whether a function is being traced.

    Returns:
        A Python bool.

    >>> import tfc as tf
    >>> tf.inside_function()
    False
    """
    return context.trace is not None
