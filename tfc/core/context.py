"""What is going on in this thread: the trace that ops are appended to, and the active tapes."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from tfc.backends.cpu.runtime.runtime import set_active
from tfc.ir.core import Builder, Location, Value
from tfc.ir.extent import Extent

from . import above

_HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_NUMPY = os.path.dirname(os.path.realpath(np.__file__))  # calls back: np.sum(tensor)
_ROOTS = (  # whose lines are not the user's
    *(os.path.realpath(os.path.join(_HERE, part)) for part in (".", "ir", "backends")),
    _NUMPY,
    os.path.realpath(contextlib.__file__),  # enters `with tfc.device(...)`
)


class Tape(Protocol):
    """What a tape is told: see tfc/autodiff/tape.py."""

    def wants(self, tensors: Sequence[Any]) -> bool:
        """Whether it records an op on these."""

    def append(self, record: Any) -> None:
        """Record an op that has run."""

    def read(self, variable: Any, tensor: Any) -> None:
        """A Variable has been read: this is its value."""

    def left(self, tensor: Any) -> None:
        """NumPy is given the elements of a tensor."""


class Trace(Protocol):
    """A function that is being traced, as far as tensors and Variables need to know: see
    tfc/dispatch/tracing.py, whose `current` gives all of it."""

    branch: str
    device: Any

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
        """Whether it has been given one."""

    def refine(self, value: Value, extents: tuple[Any, ...]) -> Value:
        """The value with extents that are known from here on."""


class Context(threading.local):
    """The state of one thread."""

    def __init__(self) -> None:
        self.trace: Trace | None = None
        self.tapes: list[Tape] = []
        self.functions: list[Any] = []  # those that are being traced, each inside of the one before
        self.autograph = True  # whether what is called in a trace is converted
        self.inspect = False  # see debugging.trace_nans
        self.device: Any = None  # what `tfc.device` says, see placement.py


context = Context()


class Settings:
    """Switches that hold for the whole process."""

    functions_run_eagerly = False
    check_numerics = False  # see debugging.enable_check_numerics
    timeline: Any = None  # see profiler.trace
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


class active:  # noqa: N801  (used as a function)
    """Set attributes of the context for a while; native dispatch asks Python meanwhile."""

    __slots__ = ("_old", "_state")

    def __init__(self, **state: Any) -> None:
        self._state = state
        self._old: dict[str, Any] = {}

    def __enter__(self) -> None:
        set_active(1)
        for name, value in self._state.items():
            self._old[name] = getattr(context, name)
            setattr(context, name, value)

    def __exit__(self, *exception: object) -> None:
        for name, value in self._old.items():
            setattr(context, name, value)
        set_active(-1)


def user_location() -> Location | None:
    """The line of the nearest caller outside this package (and NumPy)."""
    frame = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not _ours(file):
            return Location(file, frame.f_lineno)
        frame = frame.f_back  # type: ignore[assignment]
    return None


_known: dict[str, bool] = {}


def _ours(file: str) -> bool:
    found = _known.get(file)
    if found is None:
        path = os.path.realpath(file) if not file.startswith("<") else file
        found = _known[file] = path.startswith(_ROOTS) or file.startswith("<frozen")
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
