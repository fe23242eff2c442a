"""The functions that run meanwhile, as graphs: `trace_on`, `trace_export`, `trace_off`."""

from __future__ import annotations

import warnings
from typing import Any

from tfc.backends.cpu.runtime import runtime

from ..core import blame
from ..core.context import context, settings
from ..core.locks import ForkLock
from ..profiler.timeline import trace as timeline_of
from ..records.graph import RunMetadata
from .encoding import summary_of
from .graphs import graph_of
from .recording import event_of_summary, plugin, record, tag_of, texts

_lock = ForkLock()
_profile: Any = None  # the timeline that is written beside


def trace_on(graph: bool = True, profiler: bool = False, profiler_outdir: Any = None) -> None:
    """Collect the functions that run from now on, in all threads.

    Args:
        graph: Whether to; else only a timeline is written.
        profiler: Whether a timeline is written, too: see `tf.profiler.trace`.
        profiler_outdir: The folder of the timeline.

    Raises:
        ValueError: If there is to be a timeline, and no folder.

    >>> import tempfile
    >>> import tfc as tf
    >>> f = tf.function(lambda x: x * 2.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         tf.summary.trace_on()
    ...         y = f(tf.constant(1.0))
    ...         tf.summary.trace_export("double", step=0)
    """
    global _profile
    if context.trace is not None:
        _warn("a trace begins outside of functions: nothing is collected")
        return
    with _lock:
        if settings.collected is not None or _profile is not None:
            _warn("functions are being collected already")
            return
        if profiler and profiler_outdir is None:
            raise blame.value_error("a timeline needs profiler_outdir", "summary.trace_on")
        if graph or profiler:
            settings.collected = {}
            runtime.set_active(1)  # native calls ask Python
        if profiler:
            _profile = timeline_of(profiler_outdir)
            _profile.start()


def trace_export(name: str, step: Any = None, profiler_outdir: Any = None) -> None:
    """Stop collecting, and write the functions that have run as graphs, as they were traced: in
    TensorBoard's tab of graphs they are found by `name`.

    Args:
        step: The step; by default that of `tf.summary.experimental.set_step`.
        profiler_outdir: Not used: `trace_on` takes it.

    Raises:
        ValueError: If nothing is being collected, or there is a writer, and no step.

    >>> import tfc as tf
    >>> tf.summary.trace_export("nothing")
    Traceback (most recent call last):
    ...
    ValueError: Must enable trace before export through tf.summary.trace_on. ...
    """
    if context.trace is not None:
        _warn("a trace ends outside of functions: nothing is written")
        return
    with _lock:
        collected = settings.collected
        if collected is None:
            message = "Must enable trace before export through tf.summary.trace_on."
            raise blame.located(ValueError, message)
        functions = list(collected.values())
        trace_off()
    tag, about = tag_of(name, "graph_run_metadata_graph_summary"), plugin(_PLUGIN, None, b"1")

    def build() -> bytes:
        data = RunMetadata()
        # TensorBoard shows all of them as one graph, so no two nodes may have one name.
        whole = graph_of((c.name, c.function) for c in functions)
        compiled = graph_of((c.name, c.compiled.stages.optimised) for c in functions)
        graphs = {"pre_optimization_graph": whole, "post_optimization_graph": compiled}
        data.function_graphs.add(partition_graphs=[compiled], **graphs)
        return event_of_summary(
            summary_of(tag, texts([data.SerializeToString()]).reshape(()), about)
        )

    record(build, (), step)


_PLUGIN = "graph_run_metadata_graph"


def trace_off() -> None:
    """Stop collecting functions, and forget them.

    >>> import tfc as tf
    >>> tf.summary.trace_off()
    """
    global _profile
    with _lock:
        if settings.collected is not None:
            settings.collected = None
            runtime.set_active(-1)
        if _profile is not None:
            profile, _profile = _profile, None
            profile.stop()


def _warn(message: str) -> None:
    warnings.warn(f"summary: {message}", stacklevel=3)


__all__ = ["trace_export", "trace_off", "trace_on"]
