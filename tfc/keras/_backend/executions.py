"""Steps as native code, and executions that run several of them.

A step is compiled as a function from the tensors of a batch to tensors: calls of such a function do
not reach Python. How batches and results are nested is packed around it. With
`steps_per_execution=k`, the batches of one size among k are the rounds of one native loop, which
gathers their rows. A loop may fail in any round, and then leaves all Variables as they were, so it
works on copies of those that it changes; a call of one step looks at all indices first, and changes
rows in place. So where a step changes rows of large tables, steps are called one by one.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from keras.src import tree

import tfc as tf
from tfc.backends.threads import start
from tfc.core.containers import Composite
from tfc.core.nest import decompose, flatten, pack_sequence_as
from tfc.core.tensor import wrap
from tfc.function.abstract import ScratchTrace

from .core import dense_tensor
from .feeding import Arrays, Batches, Layout, Rows, tensor_of

Step = Callable[[Any], Any]  # of a batch

# Bytes of tables that a loop may copy for each of its rounds: calling a step takes as long, 10 us.
COPIED_MAX = 100_000


class OtherOutcomeError(Exception):
    """A trace of a step gives what is nested otherwise than what its first trace gave."""


class CompiledStep:
    """A step as native code."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._flat: dict[Layout, FlatStep] = {}
        self._loops: dict[Any, LoopedStep | None] = {}  # None: steps are called one by one
        self._nested: Any = None  # for steps whose outcomes differ
        self._extents: dict[Any, tf.SparseTensorSpec] = {}  # that sparse tensors had so far
        self._any_size: set[Any] = set()  # layouts that are compiled for it
        self._ahead: list[threading.Thread] = []

    def __call__(self, batch: Any) -> Any:
        """The step on a batch."""
        leaves, layout = Layout.of(self._stated(batch))
        return self.on_tensors(layout, [tensor_of(x) for x in leaves])

    def _stated(self, batch: Any) -> Any:
        """The batch with sparse tensors that state which extents, besides the number of samples,
        have been the same in all batches so far: traces know them."""
        leaves, structure = decompose(batch)
        if not any(isinstance(leaf, tf.SparseTensor) for leaf in leaves):
            return batch

        def stated(i: int, leaf: Any) -> Any:
            if not isinstance(leaf, tf.SparseTensor):
                return leaf
            spec = tf.SparseTensorSpec([None, *leaf.shape[1:]], leaf.dtype)
            place = structure, i, leaf.dtype, len(leaf.shape)
            before = self._extents.get(place, spec)
            common = self._extents[place] = before.most_specific_compatible_type(spec)
            return pack_sequence_as(common, flatten(leaf, True), True)

        return structure.pack([stated(i, leaf) for i, leaf in enumerate(leaves)])

    def on_tensors(self, layout: Layout, tensors: Sequence[tf.Tensor]) -> Any:
        """The step on the batch that is made of these tensors."""
        if self._nested is None:
            try:
                return self._flat_step(layout)(tensors)
            except OtherOutcomeError:  # while it was traced: nothing has run
                self._nested = tf.function(self._step, autograph=False)
        return self._nested(layout.pack(tensors))

    def _flat_step(self, layout: Layout) -> FlatStep:
        flat = self._flat.get(layout)
        if flat is None:
            flat = self._flat[layout] = FlatStep(self._step, layout)
        return flat

    def on_rows(self, arrays: Arrays, order: np.ndarray, size: int) -> Any:
        """The step on each of several batches: `size` rows of the arrays each, in this order."""
        layout = arrays.layout
        if self._nested is None:
            key = layout, size, arrays.specs
            try:
                if key not in self._loops:
                    made = LoopedStep(self._step, arrays, size)
                    pays = made.copied <= COPIED_MAX * (len(order) // size)
                    self._loops[key] = made if pays else None
                loop = self._loops[key]
                if loop is not None:
                    return loop((wrap(order.reshape(-1, size)), *arrays.tensors))
            except OtherOutcomeError:
                pass
        for i in range(0, len(order), size):
            outcome = self.on_tensors(layout, arrays.gathered(order[i : i + size]))
        return outcome

    @property
    def functions(self) -> list[Any]:
        """The compiled functions that there are so far."""
        steps: list[FlatStep] = [*self._flat.values(), *filter(None, self._loops.values())]
        return [*(step.function for step in steps), *filter(None, [self._nested])]

    def compile_for_any_size(self, batches: Batches) -> None:
        """Trace for batches of any size, and compile that while other steps run: for the last
        batch of an epoch, if it has fewer rows."""
        known = batches.layout, batches.specs
        if known in self._any_size or self._nested is not None:
            return
        self._any_size.add(known)
        flat = self._flat_step(batches.layout)
        with contextlib.suppress(Exception):  # what fails is traced again when it is called
            trace = flat.function.get_concrete_function(*batches.specs)
            self._ahead.append(threading.Thread(target=_compile, args=(trace,)))
            start(self._ahead[-1])

    def wait(self) -> None:
        """Until nothing is compiled beside what runs."""
        while self._ahead:
            self._ahead.pop().join()


class FlatStep:
    """A step on batches of one layout, from tensors to tensors."""

    def __init__(self, step: Step, layout: Layout) -> None:
        self._step, self._layout = step, layout
        self._outcome: Layout | None = None  # how its results are nested, once it was traced
        self.function = self._compiled()

    def _compiled(self) -> Any:
        def step(*tensors: Any) -> tuple[Any, ...]:
            return self._traced(tensors)

        return tf.function(called_as(self._step, step), autograph=False)

    def _traced(self, tensors: Sequence[Any]) -> tuple[Any, ...]:
        """The step, while it is traced. Control flow in it is Keras': Python's own is not
        converted, as in Keras on TensorFlow."""
        results, outcome = Layout.of(self._step(self._layout.pack(tensors)))
        if self._outcome is None:
            self._outcome = outcome
        elif self._outcome != outcome:
            raise OtherOutcomeError
        return tuple([dense_tensor(x) for x in results])

    def __call__(self, tensors: Sequence[tf.Tensor]) -> Any:
        results = self.function(*tensors)
        assert self._outcome is not None
        return self._outcome.pack(results)


class LoopedStep(FlatStep):
    """A loop of steps, on the rows of arrays that each row of the first tensor names."""

    def __init__(self, step: Step, arrays: Arrays, size: int) -> None:
        self._specs, self._size = arrays.specs, size
        super().__init__(step, arrays.layout)
        with ScratchTrace("results") as trace:  # of what kind they are: the first round is to know
            shapes = [[size, *spec.shape[1:]] for spec in self._specs]
            pairs = zip(shapes, self._specs, strict=True)
            results = self._traced([trace.tensor(shape, spec.dtype) for shape, spec in pairs])
            self._kinds = [(tf.TensorShape(x.shape), x.dtype) for x in results]
            self.copied = trace.bytes_of_rows

    def _compiled(self) -> Any:
        order = tf.TensorSpec([None, self._size], tf.int64)

        def steps(order: Any, *tensors: Any) -> Any:
            return self._loop(order, tensors)

        return tf.function(
            called_as(self._step, steps),
            input_signature=[order, *self._specs],
            autograph=False,
        )

    def _loop(self, order: Any, tensors: Sequence[Any]) -> Any:
        def step(i: Any) -> Any:
            rows = tf.gather(order, i)
            return self._traced([tf.gather(x, rows) for x in tensors])

        count = tf.shape(order)[0]
        zeros = tuple([tf.zeros(shape, dtype) for shape, dtype in self._kinds])
        return tf.while_loop(
            lambda i, _: i < count, lambda i, _: (i + 1, step(i)), (tf.constant(0), zeros)
        )[1]


def called_as(step: Step, f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, which has the name of the step that it runs: in profiles, pages and messages."""
    f.__name__ = getattr(step, "__name__", f.__name__)
    f.__qualname__ = getattr(step, "__qualname__", f.__name__)
    return f


def _compile(trace: Any) -> None:
    with contextlib.suppress(Exception):  # raised again where it is called
        trace.entry  # noqa: B018


class Execution:
    """Runs a step on each of the batches that it is given: what the last one gave, or (`joined`)
    what all gave, one below the other."""

    def __init__(self, step: Step, eager: bool, looped: bool = False, joined: bool = False) -> None:
        """`looped`: batches of one size are the rounds of a native loop."""
        self._step, self._looped, self._joined = step, looped, joined
        self._compiled = None if eager else CompiledStep(step)

    def __call__(self, batches: Rows | Sequence[Any]) -> Any:
        if self._compiled is None:
            return self._ended([self._step(_on_tensors(batch)) for batch in batches])
        if not isinstance(batches, Rows):
            rows = _stacked(batches) if self._looped and len(batches) > 1 else None
            if rows is None:
                return self._ended([self._compiled(batch) for batch in batches])
            batches = rows
        arrays, order, size = batches.arrays, batches.order, batches.size
        if len(order) <= size and not self._looped:
            return self._compiled.on_tensors(arrays.layout, arrays.gathered(order))
        outcomes = []
        whole = len(order) // size * size if self._looped else 0
        if whole:
            outcomes.append(self._compiled.on_rows(arrays, order[:whole], size))
        for i in range(whole, len(order), size):  # the last batch of an epoch may be smaller
            tensors = arrays.gathered(order[i : i + size])
            outcomes.append(self._compiled.on_tensors(arrays.layout, tensors))
        return self._ended(outcomes)

    def _ended(self, outcomes: list[Any]) -> Any:
        if self._joined and len(outcomes) > 1:
            return tree.map_structure(lambda *parts: tf.concat(parts, 0), *outcomes)
        return outcomes[-1]

    @property
    def functions(self) -> list[Any]:
        """The compiled functions that there are so far."""
        return [] if self._compiled is None else self._compiled.functions

    def compile_ahead(self, batches: Batches) -> None:
        """Compile the step for a smaller batch while it runs on others."""
        if self._compiled is not None:
            self._compiled.compile_for_any_size(batches)

    def wait(self) -> None:
        """Until nothing is compiled beside what runs."""
        if self._compiled is not None:
            self._compiled.wait()


def _stacked(batches: Sequence[Any]) -> Rows | None:
    """Batches of one size as rows of arrays; None where they cannot be."""
    parts = [decompose(batch) for batch in batches]
    structure = parts[0][1]
    if any(other != structure for _, other in parts):
        return None
    layout, columns = None, []
    for leaves, _ in parts:
        if any(isinstance(leaf, Composite) for leaf in leaves):
            return None
        own = Layout(structure, leaves)
        if layout is not None and own != layout:
            return None
        layout = own
        columns.append([np.asarray(leaf) for leaf in leaves if leaf is not None])
    assert layout is not None
    sizes, together = set(), []
    for column in zip(*columns, strict=True):
        shapes = {x.shape for x in column}
        if len(shapes) > 1 or () in shapes or column[0].dtype.kind in "OSU":
            return None
        sizes.add(column[0].shape[0])
        together.append(tensor_of(np.concatenate(column)))
    if len(sizes) != 1:
        return None
    (size,) = sizes
    return Rows(Arrays(layout, together), np.arange(len(batches) * size), size) if size else None


def _on_tensors(batch: Any) -> Any:
    leaves, layout = Layout.of(batch)
    return layout.pack([tensor_of(x) for x in leaves])


__all__ = ["CompiledStep", "Execution"]
