"""`tfc.compat.v1.train`: the count of steps, and what else stands under this name: optimizers, the
`Saver`, and what is asked of checkpoints."""

from __future__ import annotations

import os as _os
from typing import Any

import tfc as _tfc
from tfc.core import blame
from tfc.train import (
    BytesList,
    Checkpoint,
    CheckpointManager,
    CheckpointOptions,
    ClusterSpec,
    Coordinator,
    Example,
    Feature,
    FeatureList,
    FeatureLists,
    Features,
    FloatList,
    Int64List,
    SequenceExample,
    checkpoints_iterator,
    get_checkpoint_state,
    latest_checkpoint,
    list_variables,
    load_checkpoint,
    load_variable,
)
from tfc.train.looking import CheckpointReader
from tfc.train.state import checkpoint_exists, remove_checkpoint, update_checkpoint_state

from ...graphs.graph import GraphKeys
from ...graphs.trace import current_graph
from ..summary import summary_iterator
from .decays import (
    cosine_decay,
    cosine_decay_restarts,
    exponential_decay,
    inverse_time_decay,
    linear_cosine_decay,
    natural_exp_decay,
    piecewise_constant,
    polynomial_decay,
)
from .hooks import (
    FeedFnHook,
    FinalOpsHook,
    GlobalStepWaiterHook,
    LoggingTensorHook,
    NanLossDuringTrainingError,
    NanTensorHook,
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
    StopAtStepHook,
)
from .inputs import (
    batch,
    batch_join,
    input_producer,
    limit_epochs,
    match_filenames_once,
    maybe_batch,
    maybe_batch_join,
    maybe_shuffle_batch,
    maybe_shuffle_batch_join,
    range_input_producer,
    shuffle_batch,
    shuffle_batch_join,
    slice_input_producer,
    string_input_producer,
)
from .meta_graph import export_meta_graph, import_meta_graph
from .monitored import (
    ChiefSessionCreator,
    MonitoredSession,
    MonitoredTrainingSession,
    SessionCreator,
    SingularMonitoredSession,
    WorkerSessionCreator,
)
from .optimizers import (
    AdadeltaOptimizer,
    AdagradOptimizer,
    AdamOptimizer,
    ExponentialMovingAverage,
    FtrlOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    Optimizer,
    ProximalAdagradOptimizer,
    ProximalGradientDescentOptimizer,
    RMSPropOptimizer,
)
from .queue_runner import LooperThread, QueueRunner, add_queue_runner, start_queue_runners
from .saver import Saver
from .saving_hooks import (
    CheckpointSaverHook,
    CheckpointSaverListener,
    StepCounterHook,
    SummarySaverHook,
)
from .session_manager import Scaffold, SessionManager
from .supervisor import Supervisor
from .warm import assert_global_step, basic_train_loop, init_from_checkpoint
from .writing import write_graph

piecewise_constant_decay = piecewise_constant
_steps: list[Any] = []  # the Variable, once somebody asked for it

NewCheckpointReader = CheckpointReader


def get_checkpoint_mtimes(checkpoint_prefixes: Any) -> list[float]:
    """When checkpoints were written, in seconds; those that are not there are passed over.

    Args:
        checkpoint_prefixes: Their paths.

    Returns:
        A list of floats.
    """
    files = [f"{_os.fsdecode(prefix)}.index" for prefix in checkpoint_prefixes]
    return [_os.path.getmtime(file) for file in files if _os.path.exists(file)]


def get_global_step(graph: Any = None) -> Any:
    """The Variable that counts steps, or None before `get_or_create_global_step` made it."""
    found = graph or current_graph()
    if found is not None:
        return next(iter(found.get_collection(GraphKeys.GLOBAL_STEP)), None)
    return _steps[0] if _steps else None


def get_or_create_global_step(graph: Any = None) -> Any:
    """The Variable, an int64, that counts the steps of training: one in a graph, and one in the
    process where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> step = tf.train.get_or_create_global_step()
    >>> step is tf.train.get_or_create_global_step(), step.dtype
    (True, tf.int64)
    """
    found = get_global_step(graph)
    if found is not None:
        return found
    here = current_graph()
    if here is not None:
        zero = _tfc.constant(0, _tfc.int64)
        made = _tfc.Variable(zero, trainable=False, name="global_step")
        here.add_to_collection(GraphKeys.GLOBAL_STEP, made)
        return made
    if not _steps:
        with _tfc.init_scope():
            _steps.append(_tfc.Variable(0, trainable=False, dtype=_tfc.int64, name="global_step"))
    return _steps[0]


def create_global_step(graph: Any = None) -> Any:
    """The Variable that counts steps, which is not there yet.

    Raises:
        ValueError: If it is.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.train.create_global_step().name)
    global_step:0
    """
    if get_global_step(graph) is not None:
        raise blame.value_error('"global_step" already exists.', "train.create_global_step")
    return get_or_create_global_step(graph)


def global_step(sess: Any, global_step_tensor: Any) -> int:
    """The count of steps in a session.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     step = tf.train.create_global_step()
    ...     session.run(step.initializer)
    ...     print(tf.train.global_step(session, step))
    0
    """
    return int(sess.run(global_step_tensor))


__all__ = [
    "AdadeltaOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "BytesList",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "CheckpointSaverHook",
    "CheckpointSaverListener",
    "ChiefSessionCreator",
    "ClusterSpec",
    "Coordinator",
    "Example",
    "ExponentialMovingAverage",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FeedFnHook",
    "FinalOpsHook",
    "FloatList",
    "FtrlOptimizer",
    "GlobalStepWaiterHook",
    "GradientDescentOptimizer",
    "Int64List",
    "LoggingTensorHook",
    "LooperThread",
    "MomentumOptimizer",
    "MonitoredSession",
    "MonitoredTrainingSession",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "NewCheckpointReader",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "QueueRunner",
    "RMSPropOptimizer",
    "Saver",
    "Scaffold",
    "SecondOrStepTimer",
    "SequenceExample",
    "SessionCreator",
    "SessionManager",
    "SessionRunArgs",
    "SessionRunContext",
    "SessionRunHook",
    "SessionRunValues",
    "SingularMonitoredSession",
    "StepCounterHook",
    "StopAtStepHook",
    "SummarySaverHook",
    "Supervisor",
    "WorkerSessionCreator",
    "add_queue_runner",
    "assert_global_step",
    "basic_train_loop",
    "batch",
    "batch_join",
    "checkpoint_exists",
    "checkpoints_iterator",
    "cosine_decay",
    "cosine_decay_restarts",
    "create_global_step",
    "exponential_decay",
    "export_meta_graph",
    "get_checkpoint_mtimes",
    "get_checkpoint_state",
    "get_global_step",
    "get_or_create_global_step",
    "global_step",
    "import_meta_graph",
    "init_from_checkpoint",
    "input_producer",
    "inverse_time_decay",
    "latest_checkpoint",
    "limit_epochs",
    "linear_cosine_decay",
    "list_variables",
    "load_checkpoint",
    "load_variable",
    "match_filenames_once",
    "maybe_batch",
    "maybe_batch_join",
    "maybe_shuffle_batch",
    "maybe_shuffle_batch_join",
    "natural_exp_decay",
    "piecewise_constant",
    "piecewise_constant_decay",
    "polynomial_decay",
    "range_input_producer",
    "remove_checkpoint",
    "shuffle_batch",
    "shuffle_batch_join",
    "slice_input_producer",
    "start_queue_runners",
    "string_input_producer",
    "summary_iterator",
    "update_checkpoint_state",
    "write_graph",
]
