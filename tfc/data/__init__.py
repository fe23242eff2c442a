"""`tfc.data`: pipelines that feed training.

A dataset is a plan, which is run for as many elements at a time as are wanted: see
docs/explanation/data.md.
"""

from ..core.absent import refusal as _refusal
from . import experimental
from .dataset import AUTOTUNE, Dataset
from .elements import NoneTensorSpec
from .files import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from .iterator import Iterator
from .nested import DatasetSpec
from .optional import IteratorSpec
from .options import Options, ThreadingOptions
from .plan import INFINITE as INFINITE_CARDINALITY
from .plan import UNKNOWN as UNKNOWN_CARDINALITY

__getattr__ = _refusal("tf.data")
__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "FixedLengthRecordDataset",
    "Iterator",
    "IteratorSpec",
    "NoneTensorSpec",
    "Options",
    "TFRecordDataset",
    "TextLineDataset",
    "ThreadingOptions",
    "experimental",
]
