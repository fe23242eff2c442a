"""`tape.explain`: why a gradient is None."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir.autodiff.paths import Cut, follow
from tfc.ir.core import Builder, Location, Value
from tfc.ir.dtypes import as_element_type
from tfc.ir.types import TensorType

from ..core.context import user_location
from ..core.tensor import Held, Tensor, wrap
from ..core.variable import Variable

Reason = tuple[Tensor, Tensor | Variable, str]  # of a target and a source: why there is no gradient

# By the line of the program, and the numbers of the target and the source there. More pairs than
# this are not told apart: a model with hundreds of Variables that nothing uses means it.
_texts: dict[tuple[Location | None, int, int], str] = {}
_MOST_REASONS = 16


class Explanations:
    """The part of `GradientTape` that explains.

    Beside what can be differentiated, a tape keeps what is computed from that and cannot be: `_cut`
    are such tensors, `_beyond` the ops on them, and `_left` those whose elements NumPy was given.
    """

    _trace: Any
    _spans: list[list[int | None]]
    _records: list[Any]
    _tracked: dict[int, Held]
    _reads: dict[int, list[Tensor]]
    _automatic: bool
    _used: bool
    _persistent: bool

    def _forget_paths(self) -> None:
        self._answers: list[Reason] = []  # why what was asked for is None
        self._cut: dict[int, Tensor] = {}
        self._beyond: list[tuple[int, Any]] = []  # with the number of records before
        self._left: list[tuple[Tensor, Location | None]] = []

    def left(self, tensor: Tensor) -> None:
        """Note that NumPy is given the elements of a tensor, where no tape sees what becomes of
        them. Called by tensors, for `explain`.

        Args:
            tensor: The tensor.
        """
        if id(tensor) in self._tracked or id(tensor) in self._cut:
            self._left.append((tensor, user_location()))

    def explain(self, target: Tensor, source: Tensor | Variable) -> str:
        """Why `gradient(target, source)` is None: which op cuts the path between the two, and on
        which line; or what else is missing, such as that the tape does not watch the source.

        It is asked before `gradient`, or of a persistent tape; behind the `gradient` of one that is
        not, it knows of what was asked for there and is None.

        Args:
            target: A tensor that was computed while the tape was active.
            source: A tensor or Variable.

        Returns:
            Some lines of text.

        Raises:
            RuntimeError: If a tape that is not persistent was asked for another gradient before.

        >>> import tfc as tf
        >>> x = tf.constant(3.5)
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = tf.cast(tf.cast(x, tf.int32), tf.float32) * 2.0
        >>> print(tape.explain(y, x))
        there is no gradient of the target by the source:
          cast gives int32, and only floats and complex numbers have gradients (<doctest ...)
        """
        if self._used and not self._persistent:
            for t, s, text in self._answers:
                if t is target and s is source:
                    return text
            raise RuntimeError(
                "a GradientTape that is not persistent forgets what it recorded when it is asked "
                "for a gradient, but for why those are None that were asked for: ask it to explain "
                f"before that, or make it persistent ({user_location()})"
            )
        return self._explained(target, source)

    def _reasons(
        self, targets: Sequence[Tensor], sources: Sequence[Tensor | Variable]
    ) -> list[Reason]:
        """Why there are no gradients by these sources. Texts are found once for a line of the
        program, as a path costs some time, and for a few."""
        line = user_location()
        if len(targets) * len(sources) > _MOST_REASONS:
            return []
        found = []
        for i, t in enumerate(targets):
            for j, s in enumerate(sources):
                key = (line, i, j)
                if key not in _texts:
                    _texts[key] = self._explained(t, s)
                found.append((t, s, _texts[key]))
        return found

    def _explained(self, target: Tensor, source: Tensor | Variable) -> str:
        problem = self._unwatched(source)
        if problem is None and not target.dtype.is_inexact:
            problem = f"the target is {target.dtype.name}: only floats have gradients"
        if problem is None:
            find = self._traced_path if self._trace is not None else self._eager_path
            depends, connected, cuts = find(target, source)
            lines = [f"  {op} {why}{_at(where)}" for op, why, where in dict.fromkeys(cuts)]
            if connected:
                also = ["; some of the ways are cut:", *lines] if lines else [""]
                return "there is a gradient of the target by the source" + "\n".join(also)
            problem = "\n".join(lines).lstrip() if depends else self._independent(target)
        return f"there is no gradient of the target by the source:\n  {problem}"

    def _unwatched(self, source: Tensor | Variable) -> str | None:
        """What is wrong with a source itself."""
        if not source.dtype.is_inexact:
            return f"the source is {source.dtype.name}: only floats have gradients"
        if id(source) in self._tracked:
            return None
        if isinstance(source, Variable):
            if not source.trainable:
                return (
                    f"the Variable {source.name!r} is not trainable, so that the tape does not "
                    "watch it by itself: tape.watch(v), or Variable(..., trainable=True)"
                )
            if not self._automatic:
                return (
                    "the tape does not watch Variables by itself (watch_accessed_variables=False): "
                    f"tape.watch({source.name.removesuffix(':0')})"
                )
            if self._trace is None or self._trace.first_value(source) is None:
                return f"the Variable {source.name!r} was not read while the tape recorded"
            return None
        return (
            "the tape does not watch the source: call tape.watch(x) inside of the `with`, before "
            "x is used"
        )

    def _independent(self, target: Tensor) -> str:
        """What to say where nothing leads from the source to the target."""
        if self._left:
            places = dict.fromkeys(_at(where) for _, where in self._left)
            return "what was computed from it was given to NumPy, which no tape sees" + ", ".join(
                places
            )
        made = self._trace is not None or any(
            t is target for record in self._records for t in record.outputs
        )
        if not made and id(target) not in self._tracked:
            return (
                "no op that the tape saw has made the target: it comes from outside of the `with`, "
                "from NumPy or Python, or was made before the source was watched"
            )
        return "the target is not computed from it"

    # In a trace.

    def _traced_path(
        self, target: Tensor, source: Tensor | Variable
    ) -> tuple[bool, bool, list[Cut]]:
        trace = self._trace
        wanted = trace.value_of(target)
        found = (
            trace.first_value(source) if isinstance(source, Variable) else trace.value_of(source)
        )
        body = trace.builder.body
        ops = [op for start, stop in self._spans for op in body[start or 0 : stop]]
        depends, connected, cuts = follow(ops, [found], [wanted])
        return depends, bool(connected), cuts

    # Eagerly.

    def _eager_path(
        self, target: Tensor, source: Tensor | Variable
    ) -> tuple[bool, bool, list[Cut]]:
        starts = self._reads.get(id(source), []) if isinstance(source, Variable) else [source]
        history = [(i, 1, r) for i, r in enumerate(self._records)]
        history += [(i, 0, r) for i, r in self._beyond]  # before the record of that number
        records = [r for _, _, r in sorted(history, key=lambda row: row[:2])]
        reached = set(map(id, starts))
        for r in records:
            if any(id(t) in reached for t in r.inputs):
                reached.update(map(id, r.outputs))
        needed = {id(target)}
        for r in reversed(records):
            if any(id(t) in needed for t in r.outputs):
                needed.update(map(id, r.inputs))
        live = set(map(id, starts))
        cuts: list[Cut] = []
        for r in records:
            given = [i for i, t in enumerate(r.inputs) if id(t) in live]
            wanted = [i for i, t in enumerate(r.outputs) if id(t) in needed and id(t) in reached]
            if given and wanted:
                passing, lost = _through(r, given, wanted)
                live.update(id(r.outputs[i]) for i in passing)
                cuts += lost
        return id(target) in reached, id(target) in live, cuts


def _through(
    record: Any, given: Sequence[int], wanted: Sequence[int]
) -> tuple[list[int], list[Cut]]:
    """Which of the wanted outputs of a record pass a gradient on to the given inputs; and where
    it is cut."""
    if not hasattr(record, "primitive"):  # a function with its own gradient
        seeds = [wrap(np.zeros_like(t._array)) for t in record.outputs]
        found = record.grad_fn(*seeds)
        found = found if isinstance(found, list | tuple) else [found]
        if any(found[i] is not None for i in given):
            return list(wanted), []
        why = "has a gradient of its own, which gives None"
        return [], [Cut("custom_gradient", why, record.location)]
    b = Builder("path")
    inputs = [
        Value(TensorType(as_element_type(t._array.dtype), t._array.shape)) for t in record.inputs
    ]
    results = record.primitive.body(b, *inputs, *record.static)
    results = results if isinstance(results, tuple) else (results,)
    sources, targets = [inputs[i] for i in given], [results[i] for i in wanted]
    _, connected, cuts = follow(b.body, sources, targets)
    passing = [i for i in wanted if results[i] in connected or results[i] in sources]
    name = getattr(record.primitive, "name", "")
    lost = [Cut(name or c.op, c.why, c.location or record.location) for c in cuts]
    return passing, lost


def _at(location: Location | None) -> str:
    return "" if location is None else f" ({location})"


__all__ = ["Explanations"]
