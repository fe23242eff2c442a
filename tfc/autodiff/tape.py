"""GradientTape.

A tape notes which ops ran (eagerly) or where in the trace they stand. `gradient` runs the one
pullback transform over them: in the trace, or in a program of its own (see `backward_programs`).
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from tfc.ir.autodiff.reverse import as_rows, differentiable, filled
from tfc.ir.core import Builder, Op, Value
from tfc.ir.dtypes import INEXACT_NUMBERS
from tfc.ir.ops.elementwise import StopGradient

from ..core import nest
from ..core.containers import Composite
from ..core.context import Scope, context, is_inside, settings, user_location
from ..core.conversion import convert_to_tensor
from ..core.tensor import Held, SymbolicTensor, Tensor, wrap
from ..core.variable import Variable, held
from ..dispatch import numerics
from ..dispatch.primitive import Record, primitive, read_again
from ..ops.array.creation import zeros_like as zeros
from ..ops.array.shaping import broadcast_to_shape
from ..ops.extents import extents_of
from .backward_programs import Masks, run_segment
from .cotangents import Cotangent, Cotangents, accumulate, add, one, slices_of
from .custom_record import CustomRecord
from .exchanges import Exchange, through
from .jacobians import Jacobians
from .paths import Explanations

UNCONNECTED = ("none", "zero")

_told: set[Any] = set()  # what was logged, with lines


@primitive
def _read_again(b: Builder, first: Value) -> Value:
    """What is read of a Variable that was assigned: its gradient goes on to what was `first` read
    before, in the place where a trace has it (`Trace._read_again`), so that sums have one order.
    Tapes alone have this op; the value is that of the tensor."""
    return read_again(b, first, first)


def _differentiable(x: Any) -> Any:
    """What of a source or target has gradients: of a ragged or sparse tensor, its values."""
    part = x._with_gradients() if isinstance(x, Composite) else None
    return x if part is None else part


class UnconnectedGradients(enum.Enum):
    """What the gradient of a source is that does not influence the target: None, or zeros.

    >>> import tfc as tf
    >>> x, y = tf.Variable(1.0), tf.Variable([2.0, 3.0])
    >>> with tf.GradientTape() as tape:
    ...     z = x * x
    >>> print(tape.gradient(z, y, unconnected_gradients=tf.UnconnectedGradients.ZERO))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    NONE = "none"
    ZERO = "zero"


class GradientTape(Scope, Jacobians, Explanations):
    """Records ops for differentiation.

    Args:
        persistent: Whether `gradient` may be called more than once.
        watch_accessed_variables: Whether trainable Variables are watched when they are read.

    >>> import tfc as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> print(tape.gradient(y, x))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._automatic = watch_accessed_variables
        self._used = False
        self._open = False  # whether it was entered, and not left since
        self.reset()

    def reset(self) -> None:
        """Forget what was recorded."""
        self._records: list[Any] = []
        self._tracked: dict[int, Held] = {}  # by id: what is watched, or comes from it
        self._reads: dict[int, list[Tensor]] = {}  # of Variables: the tensors that were read
        self._again: dict[int, Record] = {}  # by id: those that were read after an assignment
        self._spans: list[list[int | None]] = []  # of the trace's ops
        self._since: dict[int, int] = {}  # by id: where in the trace it was watched first
        self._exchanges: list[Exchange] = []  # that stand in the trace
        self._trace: Any = None
        self._seen: tuple[Variable, ...] = ()  # that were watched until a gradient was taken
        self._forget_paths()
        if self._is_recording:
            self._begin()

    # Recording.

    if TYPE_CHECKING:

        def __enter__(self) -> GradientTape: ...

    def changes(self) -> Mapping[str, Any]:
        if self._is_recording:
            raise ValueError(
                "Tape is still recording, This can happen if you try to re-enter an already-active "
                "tape."
            )
        self._begin()
        self._open = True
        return {"tape": self}

    def given(self, changes: Mapping[str, Any]) -> GradientTape:
        return self

    def leaving(self) -> Callable[..., Any]:
        return self._end

    def _begin(self) -> None:
        self._trace = context.trace
        if self._trace is not None:
            self._spans.append([len(self._trace.builder.body), None])

    def _end(self, *exception: object) -> None:
        self._open = False
        if self._spans:
            self._close()

    def _close(self) -> None:
        """End the last span of the trace."""
        if self._spans and self._spans[-1][1] is None:
            self._spans[-1][1] = len(self._trace.builder.body)

    def _go_on(self, *exception: object) -> None:
        """Begin another span, if it still records."""
        if self._open:
            self._begin()

    @contextmanager
    def apart(self, exchange: Exchange | None = None) -> Iterator[None]:
        """What happens inside is not of the code that this tape watches.

        Args:
            exchange: What the code gives to what is inside and gets back of it, and how the
                gradient goes through; None: nothing.

        Returns:
            A context manager.
        """
        if not self._open:
            yield
            return
        self._close()
        try:
            yield
        finally:
            self._go_on()
        if exchange is None:
            return
        if self._trace is None:
            if self.wants(exchange.inputs):
                self.append(CustomRecord(exchange.pull, exchange.inputs, exchange.outputs))
            return
        exchange.place = len(self._trace.builder.body)
        for y in exchange.outputs:
            self._since[id(y)] = exchange.place
        self._exchanges.append(exchange)

    @property
    def _is_recording(self) -> bool:
        """Whether this context is inside of it."""
        return self._open and is_inside(self)

    def stop_recording(self) -> _Stopped:
        """A context in which nothing is recorded.

        Returns:
            A context manager.

        Raises:
            RuntimeError: If the tape is not recording, when it is entered.
        """
        return _Stopped(self)

    def watch(self, tensor: Any) -> None:
        """Also differentiate with respect to this tensor, Variable, or structure of them.

        The tapes around this one watch it too, so that the gradient can be differentiated again.

        Args:
            tensor: What to watch. Tensors of integers and bools have no gradients, and are left
                out.

        Raises:
            ValueError: If something in it is neither a tensor nor a Variable.
        """
        tapes = cast("list[GradientTape]", context.tapes)
        around = tapes[: tapes.index(self) + 1] if self in tapes else [self]
        around = [tape for tape in around if tape._trace is self._trace]
        for given in nest.flatten(tensor):
            x = held(_differentiable(given))
            if x is None:
                raise ValueError(
                    f"Passed in object {given!r} of type {type(given).__name__!r}, not tf.Tensor "
                    "or tf.Variable or ExtensionType."
                )
            if x.dtype.is_inexact:
                for tape in around:
                    tape._watch(x)

    def _watch(self, x: Held) -> None:
        self._tracked[id(x)] = x
        if self._trace is not None:
            self._trace.watched[id(x)] = x
            self._since.setdefault(id(x), len(self._trace.builder.body))
        elif isinstance(x, Variable):
            self.read(x, x.read())

    def watched_variables(self) -> tuple[Variable, ...]:
        """The Variables that are watched: those that `watch` was given, and those that were read.

        Returns:
            A tuple of Variables, in the order in which they were watched first.

        >>> import tfc as tf
        >>> x, y = tf.Variable(3.0, name="x"), tf.Variable(5.0, name="y")
        >>> with tf.GradientTape() as tape:
        ...     z = x * 2.0
        >>> [v.name for v in tape.watched_variables()]
        ['x:0']
        """
        found = list(self._seen)
        found += [x for x in self._tracked.values() if isinstance(x, Variable)]
        if self._trace is not None:
            for x in self._trace.read_variables:
                if self._watches(x) and not any(x is other for other in found):
                    found.append(x)
        return tuple(found)

    def saw(self, trace: Any, place: int) -> bool:
        """Whether it recorded the op that stands there in a trace; True where it has another one.

        Args:
            trace: The trace.
            place: A number of an op.

        Returns:
            A bool.
        """
        if trace is not self._trace:
            return True
        spans = reversed(self._spans)
        return any(
            (start or 0) <= place and (stop is None or place < stop) for start, stop in spans
        )

    def read(self, variable: Variable, tensor: Tensor) -> None:
        """Note that a Variable was read. Called by the Variable.

        Args:
            variable: The Variable.
            tensor: The value that it had.
        """
        if id(variable) in self._tracked or (self._automatic and variable.trainable):
            self._tracked[id(variable)] = variable
            if id(tensor) in self._tracked:
                return
            self._tracked[id(tensor)] = tensor
            before = self._reads.setdefault(id(variable), [])
            before.append(tensor)
            first = before[0]
            same = tensor is not first and first._array.shape == tensor._array.shape
            if same and variable.dtype.is_inexact:
                self._again[id(tensor)] = Record(_read_again, (), [first], [tensor])

    def wants(self, tensors: Sequence[Any]) -> bool:
        """Whether an op on these tensors is to be noted: it may have a gradient that is asked for.
        Called when an op has run.

        Args:
            tensors: The operands of the op.

        Returns:
            A bool.
        """
        if not self._open:  # (a task that was begun inside still has it)
            return False
        tracked, cut = self._tracked, self._cut
        for t in tensors:
            if id(t) in tracked:
                return True
        return bool(cut) and any(id(t) in cut for t in tensors)

    def append(self, record: Any) -> None:
        """Note an op that has run, eagerly.

        Args:
            record: What is kept of it: its operands, its results, and what its gradient needs.
        """
        tracked = self._tracked
        if self._cut and not any(id(t) in tracked for t in record.inputs):
            record.location = record.location or user_location()
            self._beyond.append((len(self._records), record))  # for `explain` alone
            self._cut.update((id(t), t) for t in record.outputs)
            return
        self._records.append(record)
        if record.cuts:
            record.location = record.location or user_location()
        for t in record.outputs:
            if t._array.dtype.num in INEXACT_NUMBERS and not record.stops:
                tracked[id(t)] = t
            else:
                record.location = record.location or user_location()
                self._cut[id(t)] = t

    # Differentiation.

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: Any = UnconnectedGradients.NONE,
    ) -> Any:
        """d target / d sources, in the structure of `sources`.

        Args:
            target: A tensor, or a structure of tensors, whose gradients are added up. The elements
                of a tensor are, too.
            sources: Tensors and Variables that are watched: one, or a structure of them.
            output_gradients: A weight for each target, of its shape; None: ones.
            unconnected_gradients: What a source has that does not influence the target: None for
                "none", a tensor of zeros for "zero".

        Returns:
            A tensor of the shape of each source, in the structure of `sources`; IndexedSlices
            for a Variable of which rows were gathered.

        Raises:
            RuntimeError: If a tape that is not persistent is asked again.
            TypeError: If a source is neither a tensor nor a Variable.
            ValueError: If `output_gradients` do not fit the targets.
        """
        self._use()
        unconnected = getattr(unconnected_gradients, "value", unconnected_gradients)
        if unconnected not in UNCONNECTED:
            raise ValueError(f"Unknown value for unconnected_gradients: {unconnected_gradients!r}")
        targets = (
            [target]
            if isinstance(target, Tensor)
            else [convert_to_tensor(_differentiable(t)) for t in nest.flatten(target)]
        )
        given = [sources] if isinstance(sources, Held) else nest.flatten(sources)
        flat = [_differentiable(s) for s in given]
        for i, s in enumerate(flat):
            flat[i] = held(s)
            if flat[i] is None:
                raise TypeError(
                    f"a gradient is with respect to tensors and Variables, got {s!r:.200} "
                    f"({user_location()})"
                )
        weights = self._weights(targets, output_gradients)
        if self._is_recording and not self._persistent:
            Scope.__exit__(self, None, None, None)
        if self._trace is not None:
            found = self._symbolic(targets, flat, weights)
        else:
            found = self._eager(targets, flat, weights)
        nothing = [s for s, g in zip(flat, found, strict=True) if g is None]
        if nothing:
            self._tell(targets, flat, found)
        if unconnected == "zero":
            found = [zeros(s) if g is None else g for g, s in zip(found, flat, strict=True)]
        if not self._persistent:
            seen = self.watched_variables()
            told = self._reasons(targets, nothing) if nothing else []
            self.reset()
            self._seen, self._answers = seen, told
        if isinstance(sources, Held):
            return found[0]
        for i, s in enumerate(given):
            if s is not flat[i] and isinstance(s, Composite) and found[i] is not None:
                found[i] = s._as_gradient(found[i])
        return nest.pack_sequence_as(sources, found) if nest.is_nested(sources) else found[0]

    def _tell(self, targets: list[Tensor], sources: list[Any], found: list[Any]) -> None:
        """Log, once for a line, why there are no gradients, where it is a mistake for sure: by a
        tensor that nobody watched, by integers and of them."""
        for source, gradient in zip(sources, found, strict=True):
            if gradient is not None:
                continue
            problem = None if isinstance(source, Variable) else self._unwatched(source)
            if not source.dtype.is_inexact:
                problem = f"the source is {source.dtype.name}: only floats have gradients"
            elif targets and not any(t.dtype.is_inexact for t in targets):
                problem = f"the target is {targets[0].dtype.name}: only floats have gradients"
            line = user_location()
            if problem is not None and (problem, line) not in _told:
                _told.add((problem, line))
                import logging  # which few programs need, and takes a while

                logging.getLogger(__name__).warning("a gradient is None: %s (%s)", problem, line)

    def _use(self) -> None:
        self._require_unused()
        self._used = True

    def _require_unused(self) -> None:
        if self._used and not self._persistent:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians): ask for all of them at once, or write "
                f"tf.GradientTape(persistent=True) ({user_location()})"
            )

    def _weights(self, targets: list[Tensor], given: Any) -> list[Tensor | None]:
        if given is None:
            return [None] * len(targets)
        flat = [_differentiable(w) for w in nest.flatten(given)]
        plain = not any(isinstance(w, Held) for w in flat)
        if len(targets) == 1 and len(flat) > 1 and plain:  # nested lists of numbers
            flat = [convert_to_tensor(given, targets[0].dtype)]
        if len(flat) != len(targets):
            raise ValueError(
                f"output_gradients: {len(flat)} for {len(targets)} targets ({user_location()})"
            )
        weights = [
            None if w is None else convert_to_tensor(w, t.dtype)
            for w, t in zip(flat, targets, strict=True)
        ]
        for i, (w, t) in enumerate(zip(weights, targets, strict=True)):
            if w is None or None in (w.shape.rank, t.shape.rank):
                continue
            if extents_of(w) == extents_of(t):
                continue
            ends = zip(reversed(w.shape), reversed(t.shape), strict=False)
            if len(w.shape) > len(t.shape) or not all(
                a in (1, None, b) or b is None for a, b in ends
            ):
                raise ValueError(
                    f"output_gradients: shape {w.shape} for a target of shape {t.shape} "
                    f"({user_location()})"
                )
            weights[i] = broadcast_to_shape(w, extents_of(t))  # one number for several elements
        return weights

    def _watches(self, x: Held) -> bool:
        if id(x) in self._tracked:
            return True
        return isinstance(x, Variable) and self._automatic and x.trainable

    def _symbolic(
        self, targets: list[Tensor], sources: list[Held], weights: list[Tensor | None]
    ) -> list[Cotangent | None]:
        """Append the gradient to the trace that the ops stand in."""
        trace = self._trace
        b = trace.builder
        ops, tracked = self._recorded()
        seeds: dict[Value, Value] = {}
        for t, w in zip(targets, weights, strict=True):
            v = trace.value_of(t)
            seed = filled(b, v, 1) if w is None else trace.value_of(w)
            if differentiable(v):
                from tfc.ir.ops import Add

                seeds[v] = b.emit(Add(seeds[v], seed)) if v in seeds else seed
        wanted: list[Value | None] = []
        for s in sources:
            v = self._stands_for(s) if isinstance(s, Held) else None
            wanted.append(v if v in tracked else None)
        start = len(b.body)
        found = through(trace, ops, seeds, [v for v in wanted if v is not None], self._exchanges)
        made = {*b.body[start:]}
        for v, gradient in found.items():
            if v.name and not gradient.name and gradient.op in made:
                gradient.name = f"grad_{v.name}"
        if settings.check_numerics:
            for v in found.values():
                numerics.emit_checks(b, "gradient", v)
        results: list[Cotangent | None] = []
        for s, v in zip(sources, wanted, strict=True):
            if v is None or v not in found:
                results.append(None)
                continue
            rows = as_rows(b, found[v]) if isinstance(s, Variable) else None
            if rows is None:
                results.append(SymbolicTensor(trace, found[v]))
            else:
                results.append(slices_of(s, *(SymbolicTensor(trace, r) for r in rows)))
        return results

    def _recorded(self) -> tuple[list[Op], set[Value]]:
        """The ops of the trace that this tape saw and that depend on what it watches; and the
        values that do."""
        met = [y for exchange in self._exchanges for y in exchange.outputs]
        watched = [
            *self._tracked.values(),
            *met,
            *filter(self._watches, self._trace.read_variables),
        ]
        since: dict[Value | None, int] = {}  # two tensors may stand for one value
        for x in watched:
            v, place = self._stands_for(x), self._since.get(id(x), 0)
            since[v] = min(place, since.get(v, place))
        tracked = {v for v in since if v is not None}
        ops = []
        body = self._trace.builder.body
        for start, stop in self._spans:
            for i in range(start or 0, len(body) if stop is None else stop):
                op = body[i]
                if any(v in tracked and since.get(v, 0) <= i for v in op.operands):
                    ops.append(op)
                    if isinstance(op, StopGradient):
                        continue
                    for v in filter(differentiable, op.results):
                        tracked.add(v)
                        since.pop(v, None)  # that it is watched, too, comes later: by tapes inside
        return ops, tracked

    def _stands_for(self, x: Held) -> Value | None:
        """The value in the trace that stands for a tensor, or for what is read of a Variable."""
        if not isinstance(x, Variable):
            return self._trace.value_of(x)
        return self._trace.first_value(x)

    def _eager(
        self, targets: list[Tensor], sources: list[Held], weights: list[Tensor | None]
    ) -> list[Cotangent | None]:
        """Run the gradient of what was recorded, segment by segment between custom gradients."""
        wanted: dict[int, Held] = {}
        for s in sources:
            if id(s) in self._tracked and not isinstance(s, Variable):
                wanted[id(s)] = s
        again = {i: record for i, record in self._again.items() if i not in wanted}
        read: set[int] = set()  # of Variables: their gradients may stay sparse
        for s in sources:
            for x in self._reads.get(id(s), []) if isinstance(s, Variable) else []:
                if id(x) not in again:
                    wanted[id(x)] = x
                    read.add(id(x))
        found: Cotangents = {}
        for t, w in zip(targets, weights, strict=True):
            array = t._array
            if array.dtype.num not in INEXACT_NUMBERS:
                continue
            if w is None:
                w = wrap(np.ones(array.shape, array.dtype)) if array.ndim else one(array.dtype)
            accumulate(found, again[id(t)].inputs[0] if id(t) in again else t, w)
        masks: Masks = {}
        segment: list[Record] = []
        for record in (*reversed(self._records), None):
            if isinstance(record, Record):
                segment.append(record)
                continue
            records = segment[::-1]
            if again:  # the readings that they take have the cotangents of the first
                ids = dict.fromkeys(id(t) for r in records for t in r.inputs)
                records[:0] = [again[i] for i in ids if i in again]
            more = masks if record is not None or masks else None  # (behind the last, nobody asks)
            run_segment(records, found, wanted, self._tracked, read, more)
            segment = []
            if record is None:
                break
            record.pull(found, wanted)
            for i in [id(t) for t in record.inputs if id(t) in again and id(t) in found]:
                accumulate(found, again[i].inputs[0], found.pop(i)[1])
        results = []
        for s in sources:
            parts: Sequence[Held]
            parts = self._reads.get(id(s), []) if isinstance(s, Variable) else [s]
            total = None
            for part in parts:
                g = found.get(id(part)) if id(part) in wanted else None
                if g is not None:
                    total = g[1] if total is None else add(total, g[1])
            results.append(total)
        return results


class _Stopped(Scope):
    """Where a tape records nothing."""

    def __init__(self, tape: GradientTape) -> None:
        self._tape = tape

    def changes(self) -> Mapping[str, Any]:
        if not self._tape._is_recording:
            raise RuntimeError("Trying to stop recording a tape which is not recording.")
        return {"tapes": tuple(t for t in context.tapes if t is not self._tape)}

    def given(self, changes: Mapping[str, Any]) -> None:
        self._tape._close()

    def leaving(self) -> Callable[..., Any]:
        return self._tape._go_on


__all__ = ["GradientTape", "UnconnectedGradients"]
