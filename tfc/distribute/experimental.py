"""`tf.distribute.experimental`: names that came before others, and how values move."""

from ..core.absent import refusal as _refusal
from .communication import CommunicationImplementation, CommunicationOptions
from .extended import ValueContext
from .strategies import MultiWorkerMirroredStrategy
from .tpu import TPUStrategy

CollectiveCommunication = CommunicationImplementation

__getattr__ = _refusal("tf.distribute.experimental")
__all__ = [
    "CollectiveCommunication",
    "CommunicationImplementation",
    "CommunicationOptions",
    "MultiWorkerMirroredStrategy",
    "TPUStrategy",
    "ValueContext",
]
