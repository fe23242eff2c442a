"""Ranks on several machines exchange arrays by MPI's messages.

A sum is not MPI's own, whose order of additions is its own affair: each rank gets its part of the
elements from all (all-to-all), reduces it by the tree that all transports share, and all ranks
gather the parts. That moves as many bytes as a ring does.

Requests are made without waiting, and asked for: so signals and deadlines are seen meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import errors
from .agreement import ENDED, TEXT_BYTES, Call, disagreement
from .transport import Array, Transport, copy_in, copy_out, portions
from .tree import reduce_in_place

STEP = 16 << 20  # bytes of one exchange


class Messages(Transport):
    """Ranks anywhere."""

    def __init__(self, comm: Any, mpi: Any, timeout: float) -> None:
        crowded = comm.size > len(os.sched_getaffinity(0))
        super().__init__(comm.rank, comm.size, timeout, crowded)
        self._comm, self._byte = comm.Dup(), mpi.BYTE

    def end(self) -> None:
        if self._broken is None:
            self._agree(Call(ENDED, ""))

    def _finished(self, request: Any, call: Call | None) -> None:
        self._wait(request.Test, call)

    def _check_others(self, waited: float, call: Call | None) -> None:
        if waited > self.timeout:
            raise errors.DeadlineExceededError(
                f"{call or 'a collective'}: waited {waited:.0f} seconds for other ranks"
            )

    def _agree(self, call: Call | None) -> None:
        if call is None:
            return
        own, found = np.array([call.fingerprint]), np.empty(self.size, np.int64)
        self._finished(self._comm.Iallgather(own, found), call)
        if (found != own).any():
            text = np.zeros(TEXT_BYTES, np.uint8)
            encoded = np.frombuffer(call.encoded(), np.uint8)
            text[: len(encoded)] = encoded
            texts = np.empty((self.size, TEXT_BYTES), np.uint8)
            self._finished(self._comm.Iallgather(text, texts), call)
            raise disagreement(self.rank, [Call.decoded(t.tobytes()) for t in texts])

    def _reduce(
        self, given: Sequence[Array], results: Sequence[Array], how: str, call: Call | None
    ) -> None:
        self._agree(call)
        dtype = given[0].dtype
        total, most = sum(map(len, given)), STEP // dtype.itemsize
        for start in range(0, total, most):
            whole = np.empty(min(most, total - start), dtype)
            copy_in(whole, given, start)
            parts = portions(len(whole), self.size)
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
            self._finished(request, call)
            reduced = reduce_in_place(list(received), how)
            request = self._comm.Iallgatherv(
                [reduced.view(np.uint8), own, self._byte],
                [whole.view(np.uint8), (counts, places), self._byte],
            )
            self._finished(request, call)
            copy_out(whole, results, start)

    def _gather(self, given: Array, results: Array, call: Call | None) -> None:
        self._agree(call)
        for start in range(0, len(given), STEP):
            part = np.ascontiguousarray(given[start : start + STEP])
            found = np.empty((self.size, len(part)), np.uint8)
            self._finished(self._comm.Iallgather(part, found), call)
            results[:, start : start + STEP] = found

    def _send(self, given: Array, result: Array, root: int, call: Call | None) -> None:
        self._agree(call)
        for start in range(0, len(given), STEP):
            part = given[start : start + STEP].copy()
            self._finished(self._comm.Ibcast(part, root), call)
            result[start : start + STEP] = part
