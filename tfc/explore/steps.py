"""What each op of a call gave: the traced function run op by op by the reference interpreter."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tfc.ir.core import Function, Op
from tfc.ir.interpreter import Env, Observer, interpret
from tfc.ir.ops.host import HostCall

from .rows import Listing

STEPS_MAX = 3000
SECONDS_MAX = 2.0
ELEMENTS = 6  # of a value that are shown


@dataclass
class Steps:
    """The ops that ran, in order: of each the row in the text, and its results in words."""

    rows: list[int] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
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


class _Recorder(Observer):
    def __init__(self, shown: Listing) -> None:
        self.shown = shown
        self.steps = Steps()
        self.envs: list[Env] = []
        self.end = time.perf_counter() + SECONDS_MAX

    def enter(self, f: Function, env: Env, sizes: Mapping[str, int]) -> None:
        self.envs.append(env)
        if len(self.envs) == 1:
            texts = [f"{self.shown.names.use(p)} = {summary(np.asarray(env[p]))}" for p in f.params]
            self._note(0, "\n".join(texts))

    def leave(self, f: Function) -> None:
        self.envs.pop()

    def after(self, op: Op) -> None:
        row = self.shown.places.get(op)
        if row is None:  # of a function that is called
            return
        env = self.envs[-1]
        texts = [f"{self.shown.names.use(v)} = {summary(np.asarray(env[v]))}" for v in op.results]
        self._note(row, "\n".join(texts))
        if len(self.steps.rows) >= STEPS_MAX or time.perf_counter() > self.end:
            raise _Enough

    def _note(self, row: int, text: str) -> None:
        self.steps.rows.append(row)
        self.steps.values.append(text)


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
