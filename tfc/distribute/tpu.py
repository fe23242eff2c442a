"""`TPUStrategy`: for programs that ask whether theirs is one."""

from __future__ import annotations

from typing import Any

from ..core import blame
from .strategies import Strategy


class TPUStrategy(Strategy):
    """A replica on each core of a TPU, of which there is none.

    Args:
        tpu_cluster_resolver: Not used.
        **options: Not used.

    Raises:
        UnimplementedError: Always.

    >>> import tfc as tf
    >>> isinstance(tf.distribute.get_strategy(), tf.distribute.TPUStrategy)
    False
    """

    def __init__(self, tpu_cluster_resolver: Any = None, **options: Any) -> None:
        raise blame.unimplemented("there are no TPUs here", "TPUStrategy")
