"""`tf.distribute.experimental`: names that came before others, and how values move."""

from .communication import CommunicationImplementation, CommunicationOptions
from .extended import ValueContext
from .strategies import MultiWorkerMirroredStrategy
from .tpu import TPUStrategy

CollectiveCommunication = CommunicationImplementation

__all__ = [
    "CollectiveCommunication",
    "CommunicationImplementation",
    "CommunicationOptions",
    "MultiWorkerMirroredStrategy",
    "TPUStrategy",
    "ValueContext",
]
