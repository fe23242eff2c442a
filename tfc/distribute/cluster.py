"""TF_CONFIG, which says to TensorFlow's processes who they are. Here MPI does; what TF_CONFIG says
must not contradict it."""

from __future__ import annotations

import json
import os
from enum import Enum
from typing import NamedTuple

from ..core import blame
from . import world


class ReduceOp(Enum):
    """What is made of the values of replicas.

    >>> import tfc as tf
    >>> tf.distribute.get_strategy().reduce(tf.distribute.ReduceOp.SUM, 3.0, axis=None)
    3.0
    """

    SUM = "SUM"
    MEAN = "MEAN"


class Task(NamedTuple):
    """Who this process is, in TensorFlow's words: `strategy.cluster_resolver`."""

    task_type: str
    task_id: int


def check() -> None:
    """Raise ValueError where TF_CONFIG says something else than MPI."""
    text = os.environ.get("TF_CONFIG")
    if not text:
        return
    try:
        found = json.loads(text)
        cluster, task = found.get("cluster") or {}, found.get("task") or {}
        counts = {kind: len(addresses) for kind, addresses in cluster.items()}
        kind, index = task.get("type", "worker"), int(task.get("index", 0))
    except (AttributeError, TypeError, ValueError) as error:
        raise blame.value_error(f"TF_CONFIG cannot be read: {error}", "TF_CONFIG") from None
    if "ps" in counts:
        raise blame.value_error("TF_CONFIG has parameter servers, which are not there", "TF_CONFIG")
    if not counts:
        return
    workers = sum(counts.get(kind, 0) for kind in ("chief", "worker"))
    if workers != world.size():
        raise blame.value_error(
            f"TF_CONFIG has {workers} workers, and MPI has started {world.size()} processes: start "
            f"them by mpiexec -n {workers}, or leave TF_CONFIG out",
            "TF_CONFIG",
        )
    number = index + (counts.get("chief", 0) if kind == "worker" else 0)
    if number != world.rank():
        raise blame.value_error(
            f"TF_CONFIG says that this is {kind} {index}, number {number} of all, and for MPI it "
            f"is rank {world.rank()}: leave TF_CONFIG out",
            "TF_CONFIG",
        )
