"""TF_CONFIG, which says to TensorFlow's processes who they are. Here MPI does; what TF_CONFIG says
must not contradict it."""

from __future__ import annotations

import json
import os
from enum import Enum
from typing import Any

from ..core import blame, config
from ..train.cluster import ClusterSpec
from . import world


class ReduceOp(Enum):
    """What is made of the values of replicas.

    >>> import tfc as tf
    >>> tf.distribute.get_strategy().reduce(tf.distribute.ReduceOp.SUM, 3.0, axis=None)
    3.0
    """

    SUM = "SUM"
    MEAN = "MEAN"


class ClusterResolver:
    """Who this process is: the base.

    Attributes:
        task_type: What it does: "worker" or "chief".
        task_id: Its number among those that do the same.

    >>> import tfc as tf
    >>> resolver = tf.distribute.MultiWorkerMirroredStrategy().cluster_resolver
    >>> resolver.task_type, resolver.task_id
    ('worker', 0)
    """

    def __init__(self, spec: ClusterSpec, task_type: str, task_id: int) -> None:
        self._spec, self.task_type, self.task_id = spec, task_type, task_id

    @property
    def rpc_layer(self) -> None:
        """None: nothing is called by addresses."""
        return None

    def cluster_spec(self) -> ClusterSpec:
        """The addresses of all.

        Returns:
            A ClusterSpec; an empty one where nothing says them.
        """
        return self._spec

    def master(self, *args: Any, **options: Any) -> str:
        """Where a session of TensorFlow 1 would run: here.

        Args:
            args: Not used.
            options: Not used.

        Returns:
            An empty string.
        """
        return ""

    def num_accelerators(self, *args: Any, **options: Any) -> dict[str, int]:
        """How many GPUs this process has.

        Args:
            args: Not used.
            options: Not used.

        Returns:
            A dict.
        """
        return {"GPU": len(config.list_logical_devices("GPU"))}


class SimpleClusterResolver(ClusterResolver):
    """Who this process is, as it is told.

    Args:
        cluster_spec: The addresses of all.
        master: Not used.
        task_type: What this process does.
        task_id: Its number among those that do the same.
        options: Not used.

    >>> import tfc as tf
    >>> spec = tf.train.ClusterSpec({"worker": ["a:1"]})
    >>> tf.distribute.cluster_resolver.SimpleClusterResolver(spec, task_id=0).task_id
    0
    """

    def __init__(
        self,
        cluster_spec: ClusterSpec,
        master: str = "",
        task_type: str = "worker",
        task_id: int = 0,
        **options: Any,
    ) -> None:
        super().__init__(ClusterSpec(cluster_spec), task_type, task_id)


class TFConfigClusterResolver(ClusterResolver):
    """Who this process is, as TF_CONFIG says; where that is not set, as MPI does.

    Args:
        task_type: What this process does; None: what TF_CONFIG says.
        task_id: Its number among those that do the same; None: what TF_CONFIG says.
        options: Not used.

    Raises:
        ValueError: If TF_CONFIG cannot be read, or says something else than MPI.

    >>> import tfc as tf
    >>> tf.distribute.cluster_resolver.TFConfigClusterResolver().task_type
    'worker'
    """

    def __init__(
        self, task_type: str | None = None, task_id: int | None = None, **options: Any
    ) -> None:
        cluster, kind, index = _said()
        super().__init__(
            ClusterSpec(cluster),
            kind if task_type is None else task_type,
            index if task_id is None else task_id,
        )


def check() -> None:
    """Raise ValueError where TF_CONFIG says something else than MPI."""
    _said()


def _said() -> tuple[dict[str, list[str]], str, int]:
    """The cluster, and what this process does and which number it has there."""
    text = os.environ.get("TF_CONFIG")
    if not text:
        return {}, "worker", world.rank()
    try:
        found = json.loads(text)
        cluster, task = found.get("cluster") or {}, found.get("task") or {}
        if not all(isinstance(addresses, list) for addresses in cluster.values()):
            raise TypeError("cluster has lists of addresses")
        counts = {kind: len(addresses) for kind, addresses in cluster.items() if addresses}
        kind, index = str(task.get("type", "worker")), int(task.get("index", 0))
    except (AttributeError, TypeError, ValueError) as error:
        raise blame.value_error(f"TF_CONFIG cannot be read: {error}", "TF_CONFIG") from None
    if "ps" in counts:
        raise blame.value_error("TF_CONFIG has parameter servers, which are not there", "TF_CONFIG")
    if not counts:
        return {}, "worker", world.rank()
    if kind not in ("chief", "worker"):
        raise blame.value_error(
            f"TF_CONFIG says that this is {kind} {index}: there are workers and a chief alone; "
            "evaluate in the first of them, or by a program of its own, without TF_CONFIG",
            "TF_CONFIG",
        )
    workers = sum(counts.get(job, 0) for job in ("chief", "worker"))
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
    return cluster, kind, index
