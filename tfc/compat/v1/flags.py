"""`tfc.compat.v1.flags`: Abseil's flags, under TensorFlow 1's name.

>>> import tfc.compat.v1 as tf
>>> _ = tf.flags.DEFINE_integer("batches_of_the_example", 4, "How many.")
>>> tf.flags.FLAGS(["program", "--batches_of_the_example=8"])
['program']
>>> tf.flags.FLAGS.batches_of_the_example
8
"""

from __future__ import annotations

from typing import Any


def _absl() -> Any:
    try:
        from absl import flags
    except ImportError:
        raise AttributeError(
            "tfc.compat.v1.flags needs absl-py, which comes with Keras: pip install absl-py"
        ) from None
    return flags


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(_absl(), name)
