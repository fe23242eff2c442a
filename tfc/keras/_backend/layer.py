"""What each layer is besides a Keras layer: a part of checkpoints, with the names that lead on from
it when Keras runs on TensorFlow. Its Variables are found by Keras."""

from __future__ import annotations

import importlib
from typing import Any

from tfc.core import tracking

# Attributes of Keras' own that name again what others lead to, or what is no state of the layer.
_AGAIN = frozenset(
    {
        "_compiled_trainable_state",
        "_layers",
        "_metrics",
        "_non_trainable_variables",
        "_operations_by_depth",
        "_seed_generators",
        "_trainable_variables",
    }
)


class Layer:
    """The base of Keras' layers on this backend."""

    _tells = True  # of its attributes, to those who wait

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if tracking.waiting:
            tracking.assigned(self, name, value)

    def _trackable_children(self) -> dict[str, Any]:
        known = vars(self)
        found = {name: value for name, value in known.items() if name not in _AGAIN}
        if "_functional" in known and known["_functional"] is None:  # a Sequential without a graph
            found["_layers"] = known["_layers"]
        return found

    def _module_to_save(self) -> Any:
        """What `tf.saved_model.save` writes."""
        return importlib.import_module(f"{__package__}.export").module_of(self)
