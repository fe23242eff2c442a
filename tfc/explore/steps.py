"""What each op of a call gave: the traced function run op by op by the reference interpreter."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tfc.ir.core import Function, Op, Value
from tfc.ir.interpreter import Env, Observer, interpret
from tfc.ir.ops.host import HostCall

from .elements import Array, Elements, Path, paths
from .rows import Listing

STEPS_MAX = 3000
SECONDS_MAX = 2.0
ELEMENTS = 6  # of a value that are shown


@dataclass
class Steps:
    """The ops that ran, in order: of each the row in the text, and its results in words and by
    elements."""

    rows: list[int] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    elements: Elements = field(default_factory=Elements)
    note: str = ""  # why there are none, or no more


class _Enough(Exception):
    """There are more steps than anybody goes through."""


def steps(f: Function, arrays: Sequence[Any], shown: Listing) -> Steps:
    """Run `f`, whose text is `shown`, on `arrays`, for a while at most."""
    if any(isinstance(op, HostCall) and op.effect for op in f.walk()):
        return Steps(note="It prints or calls Python, which would happen again.")
    recorder = _Recorder(shown)
    try:
        interpret(f, arrays, observer=recorder)
    except _Enough:
        recorder.steps.note = f"The first {len(recorder.steps.rows)} steps are shown."
    except Exception as error:  # the program's own, which belongs to what is to be seen
        recorder.steps.note = f"It ends here: {type(error).__name__}: {error}"
    return recorder.steps


class _Frame:
    """A function or region that runs."""

    def __init__(self, env: Env, sizes: Mapping[str, int]) -> None:
        self.env = env
        self.sizes = sizes
        self.op: Op | None = None  # that runs now
        self.given: list[tuple[Value, Array]] = []  # by regions of that op, when they last ran


class _Recorder(Observer):
    def __init__(self, shown: Listing) -> None:
        self.shown = shown
        self.steps = Steps()
        self.frames: list[_Frame] = []
        self.end = time.perf_counter() + SECONDS_MAX

    def enter(self, f: Function, env: Env, sizes: Mapping[str, int]) -> None:
        outer = self.frames[-1] if self.frames else None
        self.frames.append(_Frame(env, sizes))
        if outer is None:
            self._note(0, f.params, [])
        elif outer.op in self.shown.places and f.params:  # a round of a loop, or a branch
            self._note(self.shown.places[outer.op], f.params, self._handed(outer, f.params, env))

    def leave(self, f: Function) -> None:
        frame = self.frames.pop()
        if self.frames:
            self.frames[-1].given += [(v, frame.env[v]) for v in f.returns]

    def before(self, op: Op) -> None:
        self.frames[-1].op = op
        self.frames[-1].given = []

    def after(self, op: Op) -> None:
        row = self.shown.places.get(op)
        if row is None:  # of a function that is called
            return
        frame = self.frames[-1]
        if op.spec.regions:
            reads = self._handed(frame, op.results, frame.env)
        else:
            reads = paths(op, list(map(self._number, op.operands)), frame.sizes)
        self._note(row, op.results, reads)
        if len(self.steps.rows) >= STEPS_MAX or time.perf_counter() > self.end:
            raise _Enough

    def _handed(self, outer: _Frame, values: Sequence[Value], env: Env) -> list[Path]:
        """Which arrays that an op with regions was given, or that its regions gave, `values` are:
        the same ones, not equal ones."""
        assert outer.op is not None
        known = [(v, outer.env[v]) for v in outer.op.operands]
        whose = {id(array): self._number(v) for v, array in (*known, *outer.given)}
        found: list[Path] = []
        for position, v in enumerate(values):
            if (number := whose.get(id(env[v]))) is not None:
                found.append((position, number, "same"))
        return found

    def _number(self, value: Value) -> int:
        return self.steps.elements.values.number(value, self.shown.names.use(value))

    def _note(self, row: int, values: Sequence[Value], reads: list[Path]) -> None:
        env = self.frames[-1].env
        arrays = [np.asarray(env[v]) for v in values]
        names = map(self.shown.names.use, values)
        texts = [f"{n} = {summary(array)}" for n, array in zip(names, arrays, strict=True)]
        self.steps.rows.append(row)
        self.steps.values.append("\n".join(texts))
        self.steps.elements.add(list(zip(map(self._number, values), arrays, strict=True)), reads)


def summary(array: np.ndarray[Any, Any]) -> str:
    """A value in a line: its first elements, and of more than these what they are like."""
    name = f"{array.dtype}[{','.join(map(str, array.shape))}]"
    if array.ndim == 0:
        return f"{element(array[()])}  {name}"
    first = ", ".join(element(x) for x in array.reshape(-1)[:ELEMENTS])
    if array.size <= ELEMENTS:
        return f"[{first}]  {name}"
    return f"[{first}, ...]  {name}{statistics(array)}"


def statistics(array: np.ndarray[Any, Any]) -> str:
    """The least, mean and largest element, and how many are no numbers."""
    if array.dtype.kind not in "iufb" and array.dtype.name not in ("bfloat16",):
        return ""
    wide = array.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    text = ""
    if finite.size:
        with np.errstate(all="ignore"):
            text = f"  {finite.min():.4g} to {finite.max():.4g}, mean {finite.mean():.4g}"
    others = []
    if nan := int(np.isnan(wide).sum()):
        others.append(f"{nan} nan")
    if infinite := int(np.isinf(wide).sum()):
        others.append(f"{infinite} inf")
    return text + "".join(f", {o}" for o in others)


def element(x: Any) -> str:
    """One element in a few letters."""
    if isinstance(x, bool | np.bool_):
        return str(bool(x))
    if isinstance(x, int | np.integer):
        return str(int(x))
    if isinstance(x, complex | np.complexfloating):
        return f"{complex(x):.4g}"
    try:
        return f"{float(x):.4g}"
    except (TypeError, ValueError):
        return repr(x)[:40]


__all__ = ["Steps", "element", "statistics", "steps", "summary"]
