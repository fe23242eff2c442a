"""Ranks on several machines, several on each: through shared memory on a machine, and by messages
between machines.

A step of a sum on `n` ranks of each machine is

    all copy their elements into the machine's window, and meet
    each reduces 1/n of the elements, exchanges that with the ranks that have the same number on
        other machines, and stores the sum in the first rank's slot
    all meet, and copy the result out

So between machines go as many bytes as if each had one rank, and all ranks of a machine take part
in that. A small sum has no second meeting: each rank exchanges everything. (4 ranks as if on two
machines, which a socket connects: 0.53 of the time of messages alone for 4 MB, half of the
processor's.)

The order of additions is that of the tree over all ranks where machines hold whole subtrees: on
each as many neighbours, a power of two. Ranks that are placed otherwise exchange messages alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .agreement import Call, disagreement
from .messages import Messages
from .transport import Array, Watched, copy_in, copy_out, portions
from .tree import finish, reduce, reduce_in_place
from .watch import Watch
from .window import SLOT, SMALL, SharedWindow


def holds_subtrees(places: Sequence[tuple[int, int]]) -> bool:
    """Whether machines hold whole subtrees of the tree over ranks. `places` are the ranks' machines
    (as the first rank that is on it) and how many ranks are there."""
    size = places[0][1]
    return (
        size > 1
        and not size & (size - 1)
        and all(place == (rank // size * size, size) for rank, place in enumerate(places))
    )


class TwoLevel(Watched):
    """`local` has the ranks of this machine."""

    def __init__(self, comm: Any, local: Any, mpi: Any, timeout: float) -> None:
        watch = Watch(comm, mpi)
        self._window = SharedWindow(local, mpi, timeout, watch)
        crowded = self._window.crowded
        super().__init__(comm.rank, comm.size, timeout, crowded, watch)
        peers = comm.Split(local.rank, comm.rank)
        self._peers = Messages(peers, mpi, timeout, crowded, watch)
        self._all = Messages(comm, mpi, timeout, crowded, watch)

    def agree(self, call: Call | None) -> None:
        """Ranks of one number compare what they call, and then those of each machine, what they
        call and have found: so all ranks know of a difference between any."""
        if call is None:
            return
        alike = self._peers.same(call)
        if not self._window.same(call.fingerprint if alike else 0, call) or not alike:
            raise disagreement(self.rank, self._all.calls(call))

    def reduce_vectors(
        self, given: Sequence[Array], results: Sequence[Array], how: str, call: Call | None
    ) -> None:
        self.agree(call)
        window, inner = self._window, "sum" if how == "mean" else how
        dtype = given[0].dtype
        total, most = sum(map(len, given)), SLOT // dtype.itemsize
        for start in range(0, total, most):
            count = min(most, total - start)
            parts = window.parts(count, dtype)
            copy_in(parts[window.rank], given, start)
            window.meet()
            if count * dtype.itemsize <= SMALL:
                here = self._peers.reduced(reduce(parts, inner), inner)
                copy_out(finish(here, how, self.size), results, start)
            else:
                low, high = portions(count, window.size)[window.rank]
                here = reduce_in_place([part[low:high] for part in parts], inner)
                parts[0][low:high] = finish(self._peers.reduced(here, inner), how, self.size)
                window.meet()
                copy_out(parts[0], results, start)
            window.turn()

    def gather_bytes(self, given: Array, results: Array, call: Call | None) -> None:
        self.agree(call)
        nodes, size = self._peers.size, len(given)
        own = np.empty((nodes, size), np.uint8)
        self._peers.gather_bytes(given, own, None)
        here = np.empty((self._window.size, nodes * size), np.uint8)
        self._window.gather_bytes(own.reshape(-1), here, None)
        rows = here.reshape(self._window.size, nodes, size).swapaxes(0, 1)
        results.reshape(nodes, self._window.size, size)[...] = rows

    def send_bytes(self, given: Array, result: Array, root: int, call: Call | None) -> None:
        self.agree(call)
        node, number = divmod(root, self._window.size)
        if self._window.rank == number:
            self._peers.send_bytes(given, result, node, None)
        self._window.send_bytes(result, result, number, None)
