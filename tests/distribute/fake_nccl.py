"""A stand-in for nccl4py's `nccl.core`: ranks are threads, each with an emulated GPU.

It takes what NCCL's communicators take (objects with CUDA's array interface, a stream) and does
what they document: of all-to-all, rank r's part of each; of all-gather, all parts in the ranks'
order.
"""

from __future__ import annotations

import itertools
import threading
from typing import Any, ClassVar

import numpy as np

TIMEOUT = 60.0  # seconds

_numbers = itertools.count()
_fabrics: dict[int, Fabric] = {}


class Fabric:
    """What connects the ranks that have one unique id."""

    def __init__(self, size: int) -> None:
        self.posted: list[np.ndarray | None] = [None] * size
        self.barrier = threading.Barrier(size, timeout=TIMEOUT)


def get_unique_id() -> int:
    return next(_numbers)


class Communicator:
    """One rank's."""

    drivers: ClassVar[dict[int, Any]] = {}  # of each rank: tests fill it

    def __init__(self, nranks: int, rank: int, fabric: Fabric) -> None:
        self.nranks, self.rank = nranks, rank
        self._fabric = fabric
        self.called: list[str] = []

    @classmethod
    def init(cls, nranks: int, rank: int, unique_id: int) -> Communicator:
        return cls(nranks, rank, _fabrics.setdefault(unique_id, Fabric(nranks)))

    def alltoall(self, sendbuf: Any, recvbuf: Any, *, stream: int) -> None:
        given = self._exchanged("alltoall", sendbuf, stream)
        rows = [g.reshape(self.nranks, -1)[self.rank] for g in given]
        self._store(recvbuf, np.concatenate(rows))

    def allgather(self, sendbuf: Any, recvbuf: Any, *, stream: int) -> None:
        self._store(recvbuf, np.concatenate(self._exchanged("allgather", sendbuf, stream)))

    def broadcast(self, sendbuf: Any, recvbuf: Any, root: int, *, stream: int) -> None:
        self._store(recvbuf, self._exchanged("broadcast", sendbuf, stream)[root])

    def destroy(self) -> None:
        self.called.append("destroy")

    def abort(self) -> None:
        self.called.append("abort")

    def _exchanged(self, what: str, sendbuf: Any, stream: int) -> list[np.ndarray]:
        """What all ranks have sent."""
        assert stream == self.drivers[self.rank].stream
        self.called.append(what)
        fabric, memory = self._fabric, np.empty(self._place(sendbuf)[1], np.uint8)
        self.drivers[self.rank].download(self._place(sendbuf)[0], memory)
        fabric.posted[self.rank] = memory
        fabric.barrier.wait()
        found = [np.array(part) for part in fabric.posted]
        fabric.barrier.wait()
        return found

    def _store(self, recvbuf: Any, found: np.ndarray) -> None:
        address, size = self._place(recvbuf)
        assert size == found.size
        self.drivers[self.rank].upload(address, found)

    @staticmethod
    def _place(buffer: Any) -> tuple[int, int]:
        known = buffer.__cuda_array_interface__
        assert known["typestr"] == "|u1" and known["version"] == 3 and known["strides"] is None
        (size,), (address, read_only) = known["shape"], known["data"]
        assert not read_only
        return address, size
