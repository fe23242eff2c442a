"""Ranks on several machines exchange arrays by MPI's messages.

A sum is not MPI's own, whose order of additions is its own affair: each rank gets its part of the
elements from all (all-to-all), reduces it by the tree that all transports share, and all ranks
gather the parts. That moves as many bytes as a ring does. A small sum is gathered whole, and all
reduce it, each for itself.

Requests are made without waiting, and asked for: so signals and deadlines are seen meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from .agreement import TEXT_BYTES, Call, disagreement
from .transport import Array, Watched, copy_in, copy_out, portions
from .tree import reduce_in_place
from .watch import Watch

STEP = 16 << 20  # bytes of one exchange
# Bytes of all ranks together up to which each reduces everything.
SMALL = 16 << 10


class Messages(Watched):
    """Ranks anywhere. `crowded` is as of the base; by default all ranks are taken to be here."""

    def __init__(
        self,
        comm: Any,
        mpi: Any,
        timeout: float,
        crowded: bool | None = None,
        watch: Watch | None = None,
    ) -> None:
        if crowded is None:
            crowded = comm.size > len(os.sched_getaffinity(0))
        super().__init__(comm.rank, comm.size, timeout, crowded, watch or Watch(comm, mpi))
        self._comm, self._byte = comm.Dup(), mpi.BYTE

    def _finished(self, request: Any, call: Call | None) -> None:
        self._wait(request.Test, call)

    def _check_others(self, waited: float, call: Call | None) -> None:
        if waited > self.timeout:
            raise self._watch.late(waited)

    def agree(self, call: Call | None) -> None:
        if call is not None and not self.same(call):
            raise disagreement(self.rank, self.calls(call))

    def same(self, call: Call) -> bool:
        """Wait for all ranks; whether they call the same."""
        own, found = np.array([call.fingerprint]), np.empty(self.size, np.int64)
        self._finished(self._comm.Iallgather(own, found), call)
        return bool((found == own).all())

    def calls(self, call: Call) -> list[Call]:
        """What all ranks call."""
        text = np.zeros(TEXT_BYTES, np.uint8)
        encoded = np.frombuffer(call.encoded(), np.uint8)
        text[: len(encoded)] = encoded
        texts = np.empty((self.size, TEXT_BYTES), np.uint8)
        self._finished(self._comm.Iallgather(text, texts), call)
        return [Call.decoded(t.tobytes()) for t in texts]

    def reduce_vectors(
        self, given: Sequence[Array], results: Sequence[Array], how: str, call: Call | None
    ) -> None:
        self.agree(call)
        dtype = given[0].dtype
        total, most = sum(map(len, given)), STEP // dtype.itemsize
        for start in range(0, total, most):
            whole = np.empty(min(most, total - start), dtype)
            copy_in(whole, given, start)
            copy_out(self.reduced(whole, how), results, start)

    def reduced(self, whole: Array, how: str) -> Array:
        """A vector, reduced over all ranks, which have agreed; it may be written over."""
        if whole.nbytes * self.size <= SMALL:
            rows = np.empty((self.size, len(whole)), whole.dtype)
            self.gather_bytes(whole.view(np.uint8), rows.view(np.uint8), None)
            return reduce_in_place(list(rows), how)
        dtype, parts = whole.dtype, portions(len(whole), self.size)
        low, high = parts[self.rank]
        received = np.empty((self.size, high - low), dtype)
        counts = [(b - a) * dtype.itemsize for a, b in parts]
        places = [a * dtype.itemsize for a, _ in parts]
        own = counts[self.rank]
        request = self._comm.Ialltoallv(
            [whole.view(np.uint8), (counts, places), self._byte],
            [
                received.reshape(-1).view(np.uint8),
                ([own] * self.size, [own * r for r in range(self.size)]),
                self._byte,
            ],
        )
        self._finished(request, None)
        mine = reduce_in_place(list(received), how)
        request = self._comm.Iallgatherv(
            [mine.view(np.uint8), own, self._byte],
            [whole.view(np.uint8), (counts, places), self._byte],
        )
        self._finished(request, None)
        return whole

    def gather_bytes(self, given: Array, results: Array, call: Call | None) -> None:
        self.agree(call)
        for start in range(0, len(given), STEP):
            part = np.ascontiguousarray(given[start : start + STEP])
            found = np.empty((self.size, len(part)), np.uint8)
            self._finished(self._comm.Iallgather(part, found), call)
            results[:, start : start + STEP] = found

    def send_bytes(self, given: Array, result: Array, root: int, call: Call | None) -> None:
        self.agree(call)
        for start in range(0, len(given), STEP):
            part = given[start : start + STEP].copy()
            self._finished(self._comm.Ibcast(part, root), call)
            result[start : start + STEP] = part
