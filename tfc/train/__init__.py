"""`tfc.train`: checkpoints, and the messages that files of training examples are made of."""

from ..core.absent import refusal as _refusal
from ..records.example import (
    BytesList,
    Example,
    Feature,
    FeatureList,
    FeatureLists,
    Features,
    FloatList,
    Int64List,
    SequenceExample,
)
from . import experimental
from .averages import ExponentialMovingAverage
from .checkpoint import Checkpoint
from .cluster import ClusterSpec
from .coordinator import Coordinator
from .looking import (
    CheckpointReader,
    checkpoints_iterator,
    list_variables,
    load_checkpoint,
    load_variable,
)
from .manager import CheckpointManager
from .options import CheckpointOptions
from .state import CheckpointState, get_checkpoint_state, latest_checkpoint
from .views import CheckpointView, TrackableView

__getattr__ = _refusal("tf.train")
__all__ = [
    "BytesList",
    "Checkpoint",
    "CheckpointManager",
    "CheckpointOptions",
    "CheckpointReader",
    "CheckpointState",
    "CheckpointView",
    "ClusterSpec",
    "Coordinator",
    "Example",
    "ExponentialMovingAverage",
    "Feature",
    "FeatureList",
    "FeatureLists",
    "Features",
    "FloatList",
    "Int64List",
    "SequenceExample",
    "TrackableView",
    "checkpoints_iterator",
    "experimental",
    "get_checkpoint_state",
    "latest_checkpoint",
    "list_variables",
    "load_checkpoint",
    "load_variable",
]
