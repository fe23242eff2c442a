"""`ClusterSpec`: which processes a job has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core import blame


class ClusterSpec:
    """The addresses of a job's processes, by what they do: `tf.train.ClusterSpec`.

    Args:
        cluster: Lists of addresses, by "worker", "chief" and so on; or another ClusterSpec.

    Raises:
        TypeError: If that is something else.

    >>> import tfc as tf
    >>> spec = tf.train.ClusterSpec({"worker": ["a:1", "b:1"]})
    >>> spec.jobs, spec.num_tasks("worker")
    (['worker'], 2)
    """

    def __init__(self, cluster: Any) -> None:
        given = cluster.as_dict() if isinstance(cluster, ClusterSpec) else cluster
        if not isinstance(given, Mapping):
            raise blame.type_error(f"a dict is needed, got {given!r:.100}", "ClusterSpec")
        self._tasks = {str(job): list(tasks) for job, tasks in given.items()}

    def as_dict(self) -> dict[str, list[str]]:
        """The addresses by job.

        Returns:
            A dict of lists.
        """
        return {job: list(tasks) for job, tasks in self._tasks.items()}

    @property
    def jobs(self) -> list[str]:
        """The names of the jobs."""
        return list(self._tasks)

    def num_tasks(self, job_name: str) -> int:
        """How many processes do this.

        Args:
            job_name: The job.

        Returns:
            An int.

        Raises:
            ValueError: If there is no such job.
        """
        return len(self.job_tasks(job_name))

    def job_tasks(self, job_name: str) -> list[str]:
        """The addresses of the processes that do this.

        Args:
            job_name: The job.

        Returns:
            A list.

        Raises:
            ValueError: If there is no such job.
        """
        if job_name not in self._tasks:
            raise blame.value_error(f"there is no job {job_name!r}", "ClusterSpec")
        return list(self._tasks[job_name])

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ClusterSpec) and self._tasks == other._tasks

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"ClusterSpec({self._tasks!r})"
