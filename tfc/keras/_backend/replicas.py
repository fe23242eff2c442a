"""fit, evaluate and predict by several replicas: those of the strategy that a model was made under.

A batch is cut into as many parts as there are replicas. A compiled step computes the gradients of a
part, what it adds to the metrics, and what becomes of other state; these are added up by a binary
tree over the parts, first those of this process, then those of all; and a second compiled step
applies them once. So the numbers depend on how many replicas there are, and not on where they run.

Each part begins with the state that all have: metrics from nothing, batch normalization's averages
and the states of random generators as they were, the numbers of a generator keyed by the replica.
Losses are weighted by the rows of the part; a part without rows (of a small last batch) computes on
a row of another one, with weight 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from keras.src import callbacks as keras_callbacks
from keras.src import tree
from keras.src.distribution import distribution_lib
from keras.src.optimizers.base_optimizer import BaseOptimizer
from keras.src.trainers.data_adapters import data_adapter_utils
from keras.src.trainers.data_adapters.tf_dataset_adapter import TFDatasetAdapter

import tfc as tf
from tfc.core.context import settings
from tfc.core.nest import decompose
from tfc.data.plans.dividing import part_of_batches, span

from .core import dense_tensor
from .executions import CompiledStep, Execution
from .feeding import Arrays, Executions, Rows, tensor_of
from .parts import part_of_batch

# What writes files or to the screen: the first process does so for all.
_WRITERS = (
    keras_callbacks.BackupAndRestore,
    keras_callbacks.CSVLogger,
    keras_callbacks.ModelCheckpoint,
    keras_callbacks.ProgbarLogger,
    keras_callbacks.RemoteMonitor,
    keras_callbacks.TensorBoard,
)


def present_strategy() -> Any:
    """The strategy that a model is made under, in its scope or that of a DataParallel; None where
    there is none."""
    if "tfc.distribute" in sys.modules and tf.distribute.has_strategy():
        return tf.distribute.get_strategy()
    around = distribution_lib.distribution()
    if isinstance(around, distribution_lib.ModelParallel) and around.device_mesh.devices.size > 1:
        raise NotImplementedError(
            "keras.distribution.ModelParallel divides a model among the devices of its mesh "
            f"{around.device_mesh.shape}, and here each process has a whole one: use DataParallel, "
            "or tf.distribute.MultiWorkerMirroredStrategy"
        )
    if isinstance(around, distribution_lib.DataParallel):
        return tf.distribute.MultiWorkerMirroredStrategy()
    return None


def strategy_of(model: Any) -> Any:
    """The strategy that a model trains by, where it has several replicas; else None."""
    if model._distribute_strategy is None:
        model._distribute_strategy = present_strategy()
    strategy = model._distribute_strategy
    return None if strategy is None or strategy.num_replicas_in_sync == 1 else strategy


class Part(NamedTuple):
    """A replica's part of a batch."""

    batch: Any
    share: tf.Tensor  # of the batch's rows; 0: none of them
    replica: tf.Tensor


class Piece(NamedTuple):
    """What there is of a batch in this process: some of its rows, one after another."""

    batch: Any
    begin: int  # the first of these rows
    rows: int | None  # of the whole batch; None: that is what this is


class Outcome(NamedTuple):
    """What a step on a part gives: what is added up over all parts, and what all have alike."""

    gradients: list[Any]  # None for what nothing depends on
    metrics: list[Any]
    averages: list[Any]
    states: list[Any]


class ReplicatedExecution:
    """The base: runs steps on batches, divided among replicas. See `Execution`."""

    def __init__(self, model: Any, strategy: Any, step: Callable[[Any], Any]) -> None:
        self._model, self._strategy = model, strategy
        self._compiled = None if model.run_eagerly else CompiledStep(step)
        self.fresh = True  # until the processes have the same Variables

    def __call__(self, batches: Rows | Sequence[Any]) -> Any:
        for parts in _divided(self._strategy, batches):
            if self.fresh:
                self._begin(parts[0].batch)
            logs = self._step(parts)
        return logs

    def _step(self, parts: Sequence[Part]) -> Any:
        raise NotImplementedError

    def _optimizers(self) -> list[Any]:
        """Those whose state all processes have to begin with."""
        return []

    def _begin(self, batch: Any) -> None:
        """Build what is not built, and give all processes the first one's values."""
        model = self._model
        with self._strategy.scope():
            model._symbolic_build(data_batch=batch)
        self.fresh = False
        if self._strategy._across:
            held = {id(v): v for v in (*model.variables, *model.metrics_variables)}
            for optimizer in self._optimizers():
                held |= {id(v): v for v in optimizer.variables}
            tf.distribute.broadcast_variables([v.value for v in held.values()])
            self._strategy._made.clear()

    @property
    def functions(self) -> list[Any]:
        """The compiled functions that there are so far."""
        return [] if self._compiled is None else self._compiled.functions

    def compile_ahead(self, batches: Any) -> None:
        """Nothing: parts of a smaller batch are batches of any size."""

    def wait(self) -> None:
        """Nothing is compiled beside what runs."""


class OwnSteps(ReplicatedExecution):
    """Runs a step of the user's own, as `strategy.run` does: all replicas at once, which meet where
    an optimizer is applied or a metric is updated."""

    def __init__(self, model: Any, strategy: Any, step: Callable[[Any], Any]) -> None:
        super().__init__(model, strategy, self._on_parts)
        self._own = step

    def _step(self, parts: Sequence[Part]) -> Any:
        given = tuple(map(tuple, parts))
        return self._on_parts(given) if self._compiled is None else self._compiled(given)

    def _optimizers(self) -> list[Any]:
        return [x for x in vars(self._model).values() if isinstance(x, BaseOptimizer)]

    def _on_parts(self, parts: Any) -> Any:
        """The step in each replica of this process; of what it gives, the mean over all."""

        def replica(batch: Any, share: Any, number: Any) -> Any:
            with part_of_batch(number, share):
                return self._own(batch)

        from tfc.distribute.per_replica import regrouped

        strategy = self._strategy
        logs = strategy.run(replica, regrouped([tuple(part) for part in parts]))
        return strategy.reduce("mean", logs, axis=None)


class KerassSteps(ReplicatedExecution):
    """Runs Keras' training or test step: the gradients of each part, then their sum. Where a layer
    or a loss asks for its replica, parts are no programs of their own: then as `OwnSteps`."""

    def __init__(self, model: Any, strategy: Any, training: bool) -> None:
        super().__init__(model, strategy, self._on_part)
        self._training = training
        self._added = _compiled(_sums, model.run_eagerly)
        self._applied: dict[tuple[int, ...], Any] = {}
        self._asked = False
        self._instead: OwnSteps | None = None
        # Whether sums leave in the step itself, while gradients of other layers are computed.
        alone = strategy._across and len(strategy._replicas_here) == 1
        self._early = alone and tf.distribute.world.bucket() > 0 and self._compiled is not None

    def _step(self, parts: Sequence[Part]) -> Any:
        if self._instead is not None:
            return self._instead._step(parts)
        try:
            outcomes = [self._outcome(part) for part in parts]
        except Exception:
            if not self._asked:
                raise
            model = self._model
            step = model.train_step if self._training else model.test_step
            self._instead = OwnSteps(model, self._strategy, step)
            return self._instead._step(parts)
        total = _on_tree([self._summands(outcome) for outcome in outcomes], self._added)
        if self._strategy._across and not self._early:
            total = tf.distribute.all_reduce(total)
        there = tuple([i for i, g in enumerate(outcomes[0].gradients) if g is not None])
        apply = self._applied.get(there)
        if apply is None:
            ending = lambda *tensors: self._end(there, list(tensors))  # noqa: E731
            apply = self._applied[there] = _compiled(ending, self._model.run_eagerly)
        return dict(apply(*total, *outcomes[0].states))

    def _outcome(self, part: Part) -> Outcome:
        if self._compiled is None:
            return self._on_part(part)
        return Outcome(*self._compiled(tuple(part)))

    def _summands(self, outcome: Outcome) -> list[Any]:
        gradients = [g for g in outcome.gradients if g is not None]
        return [*gradients, *outcome.metrics, *outcome.averages]

    def _optimizers(self) -> list[Any]:
        return [self._model.optimizer] if self._training else []

    # What is compiled.

    def _variables(self) -> tuple[list[Any], list[Any], list[Any]]:
        """Those of metrics; others that are averaged; states of generators and counts."""
        model = self._model
        metrics = list(model.metrics_variables)
        seen = {id(v) for v in metrics}
        others = [v for v in model.non_trainable_variables if id(v) not in seen]
        floats = [v for v in others if v.value.dtype.is_floating]
        return metrics, floats, [v for v in others if not v.value.dtype.is_floating]

    def _on_part(self, part: Any) -> Outcome:
        """The step on a part, which leaves all Variables as they were."""
        batch, share, replica = part
        metrics, averages, states = self._variables()
        changing = [*metrics, *averages, *states]
        before = [tf.convert_to_tensor(v.value) for v in changing]
        model = self._model
        token = tf.distribute.scopes.asked.set(self._ask)
        try:
            model.reset_metrics()
            with part_of_batch(replica, share if self._training else None):
                gradients = self._gradients(batch)
            after = [tf.convert_to_tensor(v.value) for v in changing]
        finally:
            tf.distribute.scopes.asked.reset(token)
            for variable, value in zip(changing, before, strict=True):
                variable.assign(value)
        added = [tf.where(share > 0, x, tf.zeros_like(x)) for x in after[: len(metrics)]]
        stop = len(metrics) + len(averages)
        outcome = Outcome(gradients, added, after[len(metrics) : stop], after[stop:])
        return self._reduced(outcome) if self._early else outcome

    def _reduced(self, outcome: Outcome) -> Outcome:
        """What this process' only part gives, added up over all processes."""
        totals = iter(tf.distribute.all_reduce(self._summands(outcome)))
        return Outcome(
            [None if g is None else next(totals) for g in outcome.gradients],
            [next(totals) for _ in outcome.metrics],
            [next(totals) for _ in outcome.averages],
            outcome.states,
        )

    def _ask(self) -> None:
        """Called where something asks for its replica."""
        self._asked = True
        raise RuntimeError("a replica is asked for")

    def _gradients(self, batch: Any) -> list[Any]:
        model = self._model
        x, y, weight = data_adapter_utils.unpack_x_y_sample_weight(batch)
        with tf.GradientTape() as tape:
            y_pred = model._predicted(x, training=self._training)
            loss = model._tracked_loss(x, y, y_pred, weight, training=self._training)
            if self._training:
                loss = model.optimizer.scale_loss(loss)
        model.compute_metrics(x, y, y_pred, sample_weight=weight)
        if not self._training:
            return []
        found = tape.gradient(loss, model.trainable_weights)
        return [None if g is None else tf.convert_to_tensor(g) for g in found]

    def _end(self, there: tuple[int, ...], tensors: list[Any]) -> Any:
        """Apply the sums; the metrics."""
        model, given = self._model, iter(tensors)
        if self._training and there:
            weights = model.trainable_weights
            pairs = [(next(given), weights[i]) for i in there]
            model.optimizer.apply_gradients(pairs)
        metrics, averages, states = self._variables()
        for variable in metrics:
            variable.assign(tf.convert_to_tensor(variable.value) + next(given))
        for variable in averages:
            total = next(given)
            mean = total / tf.cast(self._strategy.num_replicas_in_sync, total.dtype)
            variable.assign(mean)
        for variable in states:
            variable.assign(next(given))
        return {k: dense_tensor(v) for k, v in model.get_metrics_result().items()}


class ReplicatedPrediction(Execution):
    """Predicts on batches; each process on its rows, and all get all of them."""

    def __call__(self, batches: Rows | Sequence[Any]) -> Any:
        size, rank = tf.distribute.size(), tf.distribute.rank()
        strategy = tf.distribute.MultiWorkerMirroredStrategy()
        found = []
        for batch in batches:
            piece = batch if isinstance(batch, Piece) else Piece(batch, 0, None)
            leaves, structure = decompose(piece.batch)
            tensors = [None if x is None else tensor_of(x) for x in leaves]
            rows = piece.rows or _rows(tensors)
            low, high = span(rows, (rank, rank + 1, size))  # one at least, to compute on
            begin, end = low - piece.begin, high - piece.begin
            own = structure.pack([None if x is None else x[begin:end] for x in tensors])
            first, last = rows * rank // size - low, rows * (rank + 1) // size - low
            gathered = tree.map_structure(lambda x: x[first:last], super().__call__([own]))  # noqa: B023
            found.append(tree.map_structure(lambda x: strategy.gather(x, 0), gathered))
        return self._ended(found)


def _compiled(function: Callable[..., Any], eager: bool) -> Any:
    return function if eager else tf.function(function, autograph=False)


def _sums(*tensors: Any) -> list[Any]:
    """The elements of one list added to those of another one."""
    half = len(tensors) // 2
    return [x + y for x, y in zip(tensors[:half], tensors[half:], strict=True)]


def _on_tree(rows: Sequence[list[Any]], add: Callable[..., Any]) -> list[Any]:
    level = list(rows)
    while len(level) > 1:
        level = [list(add(*x, *y)) for x, y in zip(level[::2], level[1::2], strict=True)]
    return level[0]


def _rows(leaves: Sequence[Any]) -> int:
    return next(int(tf.shape(x)[0]) for x in leaves if x is not None)


def _divided(strategy: Any, batches: Rows | Sequence[Any]) -> Iterator[list[Part]]:
    """The parts of each batch that are for replicas of this process."""
    if isinstance(batches, Rows):
        order, size = batches.order, batches.size
        for i in range(0, len(order), size):
            yield _parts(strategy, batches.arrays, order[i : i + size])
        return
    for batch in batches:
        piece = batch if isinstance(batch, Piece) else Piece(batch, 0, None)
        leaves, structure = decompose(piece.batch)
        tensors = [None if x is None else tensor_of(x) for x in leaves]
        parts = []
        for rows, share, replica in _ranges(strategy, piece.rows or _rows(tensors)):
            begin, end = rows.start - piece.begin, rows.stop - piece.begin
            cut = [None if x is None else x[begin:end] for x in tensors]
            parts.append(Part(structure.pack(cut), share, replica))
        yield parts


def _parts(strategy: Any, arrays: Arrays, order: np.ndarray) -> list[Part]:
    return [
        Part(arrays.layout.pack(arrays.gathered(order[rows])), share, replica)
        for rows, share, replica in _ranges(strategy, len(order))
    ]


def _ranges(strategy: Any, count: int) -> Iterator[tuple[slice, tf.Tensor, tf.Tensor]]:
    """Which rows of so many are those of each replica of this process."""
    replicas = strategy.num_replicas_in_sync
    for replica in strategy._replicas_here:
        low, high = count * replica // replicas, count * (replica + 1) // replicas
        share = tf.constant((high - low) / count, tf.float32)
        if low == high:
            low = min(low, count - 1)
            high = low + 1
        yield slice(low, high), share, tf.constant(replica)


# Around the loops.


def pieces(strategy: Any, data: Executions, part: tuple[int, int, int] | None = None) -> None:
    """Let a dataset give the same batches in all processes, and make of each those rows that are
    for replicas of this process, where rows can be made alone; or those of another part."""
    if strategy is None or not strategy._across:
        return
    here = strategy._replicas_here
    own = part or (here[0], here[-1] + 1, strategy.num_replicas_in_sync)

    def divide(dataset: Any) -> Any:
        plan = part_of_batches(dataset._plan, own)
        if plan is None:
            return dataset
        return (
            Piece(batch, span(int(rows), own)[0], int(rows))
            for batch, rows in tf.data.Dataset(plan)
        )

    data.divide = divide
    if isinstance(data.data_adapter, TFDatasetAdapter):
        from tfc.distribute.datasets import agree_on_orders

        agree_on_orders(data.data_adapter.get_tf_dataset())


def callbacks_here(strategy: Any, callbacks: Any, verbose: Any) -> tuple[Any, Any]:
    """The callbacks that run in this process, and what it shows."""
    if strategy is None or not strategy._across or tf.distribute.rank() == 0:
        return callbacks, verbose
    given = callbacks if isinstance(callbacks, list | tuple) else [callbacks] if callbacks else []
    return [c for c in given if not isinstance(c, _WRITERS)], 0


def place() -> tuple[int, int]:
    """Which process this is, and of how many; one of one where no strategy was ever there."""
    return (0, 1) if settings.replicas is None else (tf.distribute.rank(), tf.distribute.size())


def agreed(strategy: Any, number: int) -> int:
    """A number as the first process has it."""
    if strategy is None or not strategy._across:
        return number
    return int(tf.distribute.broadcast(tf.constant(number, tf.int64)))


class Orders:
    """The order of rows in each epoch: a function of a number that is drawn once, and the epoch. So
    it is that of all processes, and training that goes on from a later epoch has the same."""

    def __init__(self, strategy: Any, data: Executions) -> None:
        self._base = agreed(strategy, int(np.random.randint(2**31)))
        self._data = data
        pieces(strategy, data)

    def begin(self, epoch: int) -> None:
        """Draw those of an epoch from here on."""
        self._data.permutation = np.random.default_rng([self._base, epoch]).permutation


__all__ = [
    "Orders",
    "ReplicatedExecution",
    "ReplicatedPrediction",
    "agreed",
    "callbacks_here",
    "pieces",
    "place",
    "present_strategy",
    "strategy_of",
]
