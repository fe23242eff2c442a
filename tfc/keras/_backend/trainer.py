"""fit, evaluate and predict: the loops around one compiled step.

A step (forward, loss, gradients, update, metrics) is one `tf.function`; Variables are updated in
place (executions.py). Where batches come from is told in feeding.py, who hears of them in
callbacks.py. What a step returns stays tensors: nothing waits for a number that nobody reads.

A model that is not built yet is built while its first step is traced: Variables are made outside of
the trace (core.py).
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

import keras
import numpy as np
from keras.src import optimizers as optimizers_module
from keras.src import tree
from keras.src.backend import config
from keras.src.callbacks.callback_list import CallbackList
from keras.src.losses import loss as loss_module
from keras.src.trainers import trainer as base_trainer
from keras.src.trainers.data_adapters import array_slicing, data_adapter_utils
from keras.src.utils import traceback_utils
from keras.src.utils.python_utils import pythonify_logs

import tfc as tf
from tfc.core.context import library_folders

from . import backup, parts, replicas
from .callbacks import Callbacks
from .executions import Execution
from .feeding import Executions
from .replicas import KerassSteps, OwnSteps, ReplicatedExecution, ReplicatedPrediction

backup.teach()
library_folders.append(os.path.join(os.path.dirname(keras.__file__), ""))
# Keras asks these of TensorFlow alone.
loss_module.scale_loss_for_distribution = parts.weighted
loss_module.unscale_loss_for_distribution = parts.unweighted


class Trainer(base_trainer.Trainer):
    """What `keras.Model` inherits."""

    def __init__(self) -> None:
        super().__init__()
        self._distribute_strategy = replicas.present_strategy()
        self.train_function: Execution | ReplicatedExecution | None = None
        self.test_function: Execution | ReplicatedExecution | None = None
        self.predict_function: Execution | None = None

    # One step. Users override these.

    def train_step(self, data: Any) -> Any:
        """Train on a batch; what `compute_metrics` says of it."""
        x, y, sample_weight = data_adapter_utils.unpack_x_y_sample_weight(data)
        with tf.GradientTape() as tape:
            y_pred = self._predicted(x, training=True)
            loss = self._tracked_loss(x, y, y_pred, sample_weight, training=True)
            if self.optimizer is not None:
                self._build_optimizer()
                loss = self.optimizer.scale_loss(loss)
        weights = self.trainable_weights
        if weights:
            self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        else:
            warnings.warn("The model does not have any trainable weights.", stacklevel=2)
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def _build_optimizer(self) -> None:
        """Make the optimizer's Variables, once the model has its own. Before that, one that scales
        the loss does so by a number, which a trace would keep when the scale has changed."""
        if not self.optimizer.built:
            self.optimizer.build(self.trainable_variables)

    def test_step(self, data: Any) -> Any:
        """Loss and metrics of a batch."""
        x, y, sample_weight = data_adapter_utils.unpack_x_y_sample_weight(data)
        y_pred = self._predicted(x, training=False)
        self._tracked_loss(x, y, y_pred, sample_weight, training=False)
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

    def predict_step(self, data: Any) -> Any:
        """What the model makes of a batch."""
        x, _, _ = data_adapter_utils.unpack_x_y_sample_weight(data)
        return self._predicted(x, training=False)

    def _predicted(self, x: Any, training: bool) -> Any:
        return self(x, training=training) if self._call_has_training_arg else self(x)

    def _tracked_loss(self, x: Any, y: Any, y_pred: Any, weight: Any, training: bool) -> Any:
        """The loss, which is also counted in the mean that the progress bar shows."""
        loss = self._compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=weight, training=training)
        rows = next(i for i in tree.flatten(x) if i is not None)
        self._loss_tracker.update_state(
            loss_module.unscale_loss_for_distribution(loss), sample_weight=_count(rows)
        )
        return loss

    def _aggregate_additional_loss(self, loss: Any) -> Any:
        total = super()._aggregate_additional_loss(loss)
        return loss_module.scale_loss_for_distribution(total)

    # Executions of several steps.

    def make_train_function(self, force: bool = False) -> Execution | ReplicatedExecution:
        if self.built and isinstance(self.optimizer, optimizers_module.LossScaleOptimizer):
            self._build_optimizer()  # steps of the user's ask it for scaled losses, too
        if self.train_function is None or force:
            self.train_function = self._execution(self.train_step, Trainer.train_step)
        return self.train_function

    def make_test_function(self, force: bool = False) -> Execution | ReplicatedExecution:
        if self.test_function is None or force:
            self.test_function = self._execution(self.test_step, Trainer.test_step)
        return self.test_function

    def make_predict_function(self, force: bool = False) -> Execution:
        if self.predict_function is None or force:
            strategy = replicas.strategy_of(self)
            kind = ReplicatedPrediction if strategy is not None and strategy._across else Execution
            self.predict_function = kind(self.predict_step, self.run_eagerly, joined=True)
        return self.predict_function

    def _execution(self, step: Any, kerass: Any) -> Execution | ReplicatedExecution:
        strategy = replicas.strategy_of(self)
        if strategy is not None:
            if getattr(step, "__func__", None) is kerass:
                return KerassSteps(self, strategy, kerass is Trainer.train_step)
            return OwnSteps(self, strategy, step)
        return Execution(step, self.run_eagerly, looped=self.steps_per_execution > 1)

    # The loops.

    @traceback_utils.filter_traceback
    def fit(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: Any = "auto",
        callbacks: Any = None,
        validation_split: float = 0.0,
        validation_data: Any = None,
        shuffle: bool = True,
        class_weight: Any = None,
        sample_weight: Any = None,
        initial_epoch: int = 0,
        steps_per_epoch: int | None = None,
        validation_steps: int | None = None,
        validation_batch_size: int | None = None,
        validation_freq: Any = 1,
    ) -> Any:
        self._assert_compile_called("fit")
        most = config.max_epochs()
        if most and most < epochs:
            warnings.warn(f"Limiting epochs to {most}", stacklevel=2)
            epochs = most
        if validation_split and validation_data is None:
            (x, y, sample_weight), validation_data = array_slicing.train_validation_split(
                (x, y, sample_weight), validation_split=validation_split
            )
        data = Executions(
            x=x,
            y=y,
            sample_weight=sample_weight,
            batch_size=batch_size,
            steps_per_epoch=steps_per_epoch,
            shuffle=shuffle,
            class_weight=class_weight,
            steps_per_execution=self.steps_per_execution,
        )
        data.reset()
        validation = None
        strategy = replicas.strategy_of(self)
        callbacks = self._callbacks(callbacks, verbose, epochs, data.num_batches, add_history=True)
        self.stop_training = False
        train = self.make_train_function()
        callbacks.on_train_begin()
        first = replicas.agreed(strategy, self._initial_epoch or initial_epoch)
        orders = None if strategy is None else replicas.Orders(strategy, data)
        if isinstance(train, ReplicatedExecution):
            train.fresh = True
        logs: Any = {}
        epoch_logs: Any = None
        for epoch in range(first, epochs):
            self.reset_metrics()
            if orders is not None:
                orders.begin(epoch)
            callbacks.on_epoch_begin(epoch)
            for begin, end, batches in data:
                callbacks.on_train_batch_begin(begin)
                logs = train(batches)
                if begin == 0 and data.ending_smaller:
                    train.compile_ahead(data.ending_smaller)
                callbacks.on_train_batch_end(end, logs)
                if self.stop_training:
                    break
            epoch_logs = dict(self._get_metrics_result_or_logs(logs))
            if validation_data is not None and self._should_eval(epoch, validation_freq):
                if validation is None:
                    val_x, val_y, weight = data_adapter_utils.unpack_x_y_sample_weight(
                        validation_data
                    )
                    validation = Executions(
                        x=val_x,
                        y=val_y,
                        sample_weight=weight,
                        batch_size=validation_batch_size or batch_size,
                        steps_per_epoch=validation_steps,
                        steps_per_execution=self.steps_per_execution,
                    )
                found = self._evaluated(validation, callbacks)
                epoch_logs.update({f"val_{name}": value for name, value in found.items()})
            callbacks.on_epoch_end(epoch, epoch_logs)
            if self.stop_training:
                break
        if isinstance(self.optimizer, optimizers_module.Optimizer) and epochs > 0:
            self.optimizer.finalize_variable_values(self.trainable_weights)
        train.wait()
        callbacks.on_train_end(logs=epoch_logs)
        return self.history

    @traceback_utils.filter_traceback
    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        batch_size: int | None = None,
        verbose: Any = "auto",
        sample_weight: Any = None,
        steps: int | None = None,
        callbacks: Any = None,
        return_dict: bool = False,
        **kwargs: Any,
    ) -> Any:
        self._assert_compile_called("evaluate")
        if kwargs:
            raise ValueError(f"Arguments not recognized: {kwargs}")
        data = Executions(
            x=x,
            y=y,
            sample_weight=sample_weight,
            batch_size=batch_size,
            steps_per_epoch=steps,
            shuffle=False,
            steps_per_execution=self.steps_per_execution,
        )
        callbacks = self._callbacks(callbacks, verbose, 1, data.num_batches)
        logs = self._evaluated(data, callbacks)
        return logs if return_dict else self._flatten_metrics_in_order(logs)

    def _evaluated(self, data: Executions, callbacks: Any) -> Any:
        data.reset()
        replicas.pieces(replicas.strategy_of(self), data)
        test = self.make_test_function()
        self.stop_evaluating = False
        callbacks.on_test_begin()
        self.reset_metrics()
        logs: Any = {}
        for begin, end, batches in data:
            callbacks.on_test_batch_begin(begin)
            logs = test(batches)
            callbacks.on_test_batch_end(end, logs)
            if self.stop_evaluating:
                break
        logs = pythonify_logs(self._get_metrics_result_or_logs(logs))
        callbacks.on_test_end(logs)
        return logs

    @traceback_utils.filter_traceback
    def predict(
        self,
        x: Any,
        batch_size: int | None = None,
        verbose: Any = "auto",
        steps: int | None = None,
        callbacks: Any = None,
    ) -> Any:
        data = Executions(
            x=x,
            batch_size=batch_size,
            steps_per_epoch=steps,
            shuffle=False,
            steps_per_execution=self.steps_per_execution,
        )
        rank, size = replicas.place()
        replicas.pieces(replicas.strategy_of(self), data, (rank, rank + 1, size))
        callbacks = self._callbacks(callbacks, verbose, 1, data.num_batches)
        predict = self.make_predict_function()
        self.stop_predicting = False
        callbacks.on_predict_begin()
        parts: list[Any] = []
        for begin, end, batches in data:
            callbacks.on_predict_batch_begin(begin)
            found = predict(batches)
            parts.append(tree.map_structure(_read, found))
            callbacks.on_predict_batch_end(end, {"outputs": found})
            if self.stop_predicting:
                break
        callbacks.on_predict_end()
        if not parts:
            raise ValueError("predict was given no batch")
        return tree.map_structure(_joined, *parts)

    def _callbacks(
        self, callbacks: Any, verbose: Any, epochs: int, steps: int | None, **options: bool
    ) -> Any:
        if isinstance(callbacks, CallbackList):
            return callbacks
        callbacks, verbose = replicas.callbacks_here(replicas.strategy_of(self), callbacks, verbose)
        return Callbacks(
            callbacks,
            add_progbar=verbose != 0,
            verbose=verbose,
            epochs=epochs,
            steps=steps,
            model=self,
            **options,
        )

    # Single batches.

    def train_on_batch(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        class_weight: Any = None,
        return_dict: bool = False,
    ) -> Any:
        self._assert_compile_called("train_on_batch")
        if class_weight is not None:
            if sample_weight is not None:
                raise ValueError(
                    "Arguments `sample_weight` and `class_weight` cannot be specified at the same "
                    f"time. Received: sample_weight={sample_weight}, class_weight={class_weight}"
                )
            sample_weight = data_adapter_utils.class_weight_to_sample_weights(y, class_weight)
        return self._on_batch(self.make_train_function(), (x, y, sample_weight), return_dict)

    def test_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, return_dict: bool = False
    ) -> Any:
        self._assert_compile_called("test_on_batch")
        return self._on_batch(self.make_test_function(), (x, y, sample_weight), return_dict)

    def _on_batch(self, function: Any, batch: Any, return_dict: bool) -> Any:
        self.reset_metrics()
        logs = pythonify_logs(function([batch]))
        return logs if return_dict else self._flatten_metrics_in_order(logs)

    def predict_on_batch(self, x: Any) -> Any:
        found = self.make_predict_function()([(x,)])
        return tree.map_structure(lambda part: _read(part, np.array), found)


def _count(x: Any) -> Any:
    """How many rows a batch has."""
    return x.nrows() if isinstance(x, tf.RaggedTensor) else tf.shape(x)[0]


def _read(x: Any, array: Callable[[Any], np.ndarray] = np.asarray) -> Any:
    """What a step gave, as an array; ragged and sparse tensors as they are, as in Keras on
    TensorFlow."""
    return x if isinstance(x, tf.RaggedTensor | tf.SparseTensor) else array(x)


def _joined(*parts: Any) -> Any:
    """What batches gave, one below the other: a ragged tensor where their rows differ in shape."""
    if isinstance(parts[0], tf.RaggedTensor):
        return parts[0] if len(parts) == 1 else tf.concat(parts, 0)
    if isinstance(parts[0], tf.SparseTensor):
        return parts[0] if len(parts) == 1 else tf.sparse.concat(0, parts)
    if len({part.shape[1:] for part in parts}) == 1:
        return np.concatenate(parts)
    return tf.concat([tf.RaggedTensor.from_tensor(p, ragged_rank=p.ndim - 1) for p in parts], 0)


__all__ = ["Trainer"]
