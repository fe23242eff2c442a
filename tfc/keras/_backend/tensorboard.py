"""What the TensorBoard callback asks of a backend, and what it asks of TensorFlow: summaries."""

from __future__ import annotations

import types
import warnings
from typing import Any

import tfc as tf

PLUGIN = "graph_keras_model"  # the part of TensorBoard that shows the layers of a model


def start_trace(logdir: str) -> None:
    """Begin a timeline in a folder; the callback also begins one nowhere, to warm up."""
    if logdir:
        tf.profiler.experimental.start(logdir)


def stop_trace(save: bool) -> None:
    """End the timeline."""
    if save:
        tf.profiler.experimental.stop(save)


def start_batch_trace(batch: int) -> Any:
    """Begin the span of a batch."""
    span = tf.profiler.experimental.Trace("Profiled batch", step_num=batch)
    span.__enter__()
    return span


def stop_batch_trace(batch_trace_context: Any) -> None:
    """End it."""
    batch_trace_context.__exit__(None, None, None)


def keras_model_summary(name: str, data: Any, step: Any = None) -> Any:
    """Write the layers of a model, as JSON."""
    try:
        text = data.to_json()
    except Exception as error:
        warnings.warn(f"Model failed to serialize as JSON. Ignoring... {error}", stacklevel=2)
        return False
    metadata = tf.compat.v1.SummaryMetadata(plugin_data={"plugin_name": PLUGIN, "content": b"1"})
    with tf.summary.experimental.summary_scope(name, PLUGIN, [data, step]) as (tag, _):
        return tf.summary.write(tag, text, step, metadata)


def teach(module: types.ModuleType) -> None:
    """Let the module of the callback write with tfc."""
    callback = module.TensorBoard
    begin = callback.__init__

    def construct(self: Any, *args: Any, profile_batch: Any = 0, **options: Any) -> None:
        begin(self, *args, **options)
        if profile_batch:  # Keras refuses it of backends whose name it does not know
            self._init_profile_batch(profile_batch)

    def write_train_graph(self: Any) -> None:
        """What the steps of training are compiled to."""
        functions = self.model.train_function.functions
        with self._train_writer.as_default(), tf.summary.record_if(True):
            tf.summary.graph(functions)

    callback.__init__ = construct
    callback.summary = property(lambda self: tf.summary)
    callback._write_keras_model_train_graph = write_train_graph
    vars(module)["keras_model_summary"] = keras_model_summary
