"""fit, evaluate and predict: the loops around one compiled step.

A step (forward, loss, gradients, update, metrics) is one `tf.function`; Variables are updated in
place. With `steps_per_execution=k`, k batches of one shape are stacked and a native loop runs the
step on each. What a step returns stays tensors: nothing waits for a number that nobody reads.

A model that is not built yet is built while its first step is traced: Variables are made outside of
the trace (core.py).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from keras.src import callbacks as callbacks_module
from keras.src import optimizers as optimizers_module
from keras.src import tree
from keras.src.backend import config
from keras.src.losses import loss as loss_module
from keras.src.trainers import trainer as base_trainer
from keras.src.trainers.data_adapters import array_slicing, data_adapter_utils
from keras.src.trainers.epoch_iterator import EpochIterator
from keras.src.utils import traceback_utils
from keras.src.utils.python_utils import pythonify_logs

import tfc as tf
from tfc.function.abstract import ScratchTrace

from .core import convert_to_tensor

Step = Callable[[Any], Any]  # of a batch
Execution = Callable[[Sequence[Any]], Any]  # of the batches of one execution


class Trainer(base_trainer.Trainer):
    """What `keras.Model` inherits."""

    def __init__(self) -> None:
        super().__init__()
        self.train_function: Execution | None = None
        self.test_function: Execution | None = None
        self.predict_function: Execution | None = None

    # One step. Users override these.

    def train_step(self, data: Any) -> Any:
        """Train on a batch; what `compute_metrics` says of it."""
        x, y, sample_weight = data_adapter_utils.unpack_x_y_sample_weight(data)
        with tf.GradientTape() as tape:
            y_pred = self._predicted(x, training=True)
            loss = self._tracked_loss(x, y, y_pred, sample_weight, training=True)
            if self.optimizer is not None:
                loss = self.optimizer.scale_loss(loss)
        weights = self.trainable_weights
        if weights:
            self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        else:
            warnings.warn("The model does not have any trainable weights.", stacklevel=2)
        return self.compute_metrics(x, y, y_pred, sample_weight=sample_weight)

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
            loss_module.unscale_loss_for_distribution(loss), sample_weight=tf.shape(rows)[0]
        )
        return loss

    # Executions of several steps.

    def make_train_function(self, force: bool = False) -> Execution:
        if self.train_function is None or force:
            self.train_function = self._execution(self.train_step)
        return self.train_function

    def make_test_function(self, force: bool = False) -> Execution:
        if self.test_function is None or force:
            self.test_function = self._execution(self.test_step)
        return self.test_function

    def make_predict_function(self, force: bool = False) -> Execution:
        if self.predict_function is None or force:
            step = self.predict_step if self.run_eagerly else _compiled(self.predict_step)

            def execution(batches: Sequence[Any]) -> Any:
                parts = [step(_tensors(batch)) for batch in batches]
                return parts[0] if len(parts) == 1 else tree.map_structure(_joined, *parts)

            self.predict_function = execution
        return self.predict_function

    def _execution(self, step: Step) -> Execution:
        """Runs a step on each batch, and gives what the last one gave."""
        if self.run_eagerly:

            def eagerly(batches: Sequence[Any]) -> Any:
                for batch in batches:
                    logs = step(_tensors(batch))
                return logs

            return eagerly
        one = _compiled(step)
        several = _compiled(lambda batches: _loop(step, batches))

        def execution(batches: Sequence[Any]) -> Any:
            if len(batches) == 1:
                return one(_tensors(batches[0]))
            if _alike(batches):
                return several(_stacked(batches))
            for batch in batches:  # the last one of an epoch may be smaller
                logs = one(_tensors(batch))
            return logs

        return execution

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
        data = EpochIterator(
            x=x,
            y=y,
            sample_weight=sample_weight,
            batch_size=batch_size,
            steps_per_epoch=steps_per_epoch,
            shuffle=shuffle,
            class_weight=class_weight,
            steps_per_execution=self.steps_per_execution,
        )
        validation = None
        callbacks = self._callbacks(callbacks, verbose, epochs, data.num_batches, add_history=True)
        self.stop_training = False
        self.make_train_function()
        callbacks.on_train_begin()
        logs: Any = {}
        epoch_logs: Any = None
        for epoch in range(self._initial_epoch or initial_epoch, epochs):
            self.reset_metrics()
            callbacks.on_epoch_begin(epoch)
            for begin, end, batches in data:
                callbacks.on_train_batch_begin(begin)
                logs = self.train_function(batches)  # type: ignore[misc]
                callbacks.on_train_batch_end(end, logs)
                if self.stop_training:
                    break
            epoch_logs = dict(self._get_metrics_result_or_logs(logs))
            if validation_data is not None and self._should_eval(epoch, validation_freq):
                if validation is None:
                    val_x, val_y, weight = data_adapter_utils.unpack_x_y_sample_weight(
                        validation_data
                    )
                    validation = EpochIterator(
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
        data = EpochIterator(
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

    def _evaluated(self, data: EpochIterator, callbacks: Any) -> Any:
        data.reset()
        self.make_test_function()
        self.stop_evaluating = False
        callbacks.on_test_begin()
        self.reset_metrics()
        logs: Any = {}
        for begin, end, batches in data:
            callbacks.on_test_batch_begin(begin)
            logs = self.test_function(batches)  # type: ignore[misc]
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
        data = EpochIterator(
            x=x,
            batch_size=batch_size,
            steps_per_epoch=steps,
            shuffle=False,
            steps_per_execution=self.steps_per_execution,
        )
        callbacks = self._callbacks(callbacks, verbose, 1, data.num_batches)
        self.make_predict_function()
        self.stop_predicting = False
        callbacks.on_predict_begin()
        parts: list[Any] = []
        for begin, end, batches in data:
            callbacks.on_predict_batch_begin(begin)
            found = self.predict_function(batches)  # type: ignore[misc]
            parts.append(tree.map_structure(np.asarray, found))
            callbacks.on_predict_batch_end(end, {"outputs": found})
            if self.stop_predicting:
                break
        callbacks.on_predict_end()
        if not parts:
            raise ValueError("predict was given no batch")
        return tree.map_structure(lambda *rows: np.concatenate(rows), *parts)

    def _callbacks(
        self, callbacks: Any, verbose: Any, epochs: int, steps: int | None, **options: bool
    ) -> Any:
        if isinstance(callbacks, callbacks_module.CallbackList):
            return callbacks
        return callbacks_module.CallbackList(
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

    def _on_batch(self, function: Execution, batch: Any, return_dict: bool) -> Any:
        self.reset_metrics()
        logs = pythonify_logs(function([batch]))
        return logs if return_dict else self._flatten_metrics_in_order(logs)

    def predict_on_batch(self, x: Any) -> Any:
        return tree.map_structure(np.array, self.make_predict_function()([(x,)]))


def _compiled(step: Step) -> Step:
    """A step as a function whose batches may have any number of rows. Control flow in it is
    Keras': Python's own is not converted, as in Keras on TensorFlow."""
    function: Step = tf.function(step, autograph=False, reduce_retracing=True)
    return function


def _loop(step: Step, batches: Any) -> Any:
    """The step on each of the batches that lie one above the other."""

    def batch(i: Any) -> Any:
        return tree.map_structure(lambda x: tf.gather(x, i), batches)

    with ScratchTrace("logs"):  # of what kind the logs are: the first round overwrites them
        like = step(batch(0))
    zeros = tree.map_structure(lambda x: tf.zeros(tf.TensorShape(x.shape), x.dtype), like)
    count = tf.shape(tree.flatten(batches)[0])[0]
    return tf.while_loop(
        lambda i, logs: i < count, lambda i, logs: (i + 1, step(batch(i))), (tf.constant(0), zeros)
    )[1]


def _tensors(batch: Any) -> Any:
    return tree.map_structure(lambda x: x if x is None else _tensor(x), batch)


def _tensor(x: Any) -> Any:
    """An array or tensor of a batch; floats of 64 bits become Keras' float."""
    if tf.is_tensor(x):
        return x
    x = np.asarray(x)
    if x.dtype.kind in "OSU":
        return tf.convert_to_tensor(x)
    return convert_to_tensor(x, config.floatx() if x.dtype == np.float64 else x.dtype.name)


def _alike(batches: Sequence[Any]) -> bool:
    """Whether these can lie one above the other."""
    shapes = [[getattr(x, "shape", None) for x in tree.flatten(batch)] for batch in batches]
    return all(s == shapes[0] and None not in s for s in shapes)


def _stacked(batches: Sequence[Any]) -> Any:
    return tree.map_structure(
        lambda *rows: _tensor(np.stack([np.asarray(r) for r in rows])), *batches
    )


def _joined(*parts: Any) -> Any:
    return tf.concat(parts, 0)


__all__ = ["Trainer"]
