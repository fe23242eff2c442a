"""Keras 3 with tfc as its backend: `tf.keras`.

Layers, losses, optimizers, metrics, callbacks and saving are Keras itself, unmodified
(`pip install tfc-lang[keras]`). What is ours is the backend, `tfc/keras/_backend/`: one module for
each part that Keras asks for (core, numpy, nn, math, linalg, image, random, rnn, layer, trainer,
export).

Keras asks by `if backend() == ...` in a few of its modules which backend there is, and has no arm
for one from outside: hook.py adds that arm while Python imports these modules. Nothing is written
into Keras' folder.

Names are those of `tf.keras`: of Keras 3, and of Keras 2 where books use them.
"""

from __future__ import annotations

import importlib
from typing import Any

from . import hook

hook.install()
_face = importlib.import_module("keras._tf_keras.keras")
__version__: str = importlib.import_module("keras").__version__


def __getattr__(name: str) -> Any:
    return getattr(_face, name)


def __dir__() -> list[str]:
    return sorted({*dir(_face), "__version__"})
