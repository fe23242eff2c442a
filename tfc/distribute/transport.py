"""What all ways of moving bytes between ranks have in common: see tfc/ir/ops/collective.py."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..core import errors
from ..core.context import calling_location
from .agreement import ENDED, Call, call_on
from .background import Background
from .watch import Watch

Array = np.ndarray[Any, Any]

_SPINS = 200  # of a rank with a processor of its own: some 20 microseconds
_YIELDS = 1000  # before it sleeps
_SLEEP = 5e-5  # seconds
_LOOK = 0.2  # seconds between two looks at whether the others are alive


class Transport:
    """The base. Methods of the public interface take one lock: threads that call collectives at
    once do so one after another, in an order that other ranks need not share."""

    on_devices = False  # whether arrays may be on GPUs

    def __init__(self, rank: int, size: int, timeout: float, crowded: bool) -> None:
        """`crowded`: there are more ranks than processors, so that waiting ranks let others run."""
        self.rank, self.size, self.timeout = rank, size, timeout
        self.crowded = crowded
        self._spins = 0 if crowded else _SPINS
        self._lock = threading.RLock()
        self._broken: BaseException | None = None
        self._background = Background()

    # The interface.

    def all_reduce(self, arrays: Sequence[Array], how: str, line: str) -> list[Array]:
        """See `tfc.ir.ops.collective.Transport`."""
        self._settle()
        results = [np.empty(a.shape, a.dtype) for a in arrays]
        self._reduce_all(arrays, results, how, line)
        return results

    def start_all_reduce(self, arrays: Sequence[Array], how: str, line: str) -> int:
        """See `tfc.ir.ops.collective.Transport`. A thread reduces copies: a program that fails
        before it waits takes its memory with it."""
        copies = [np.array(a, order="C") for a in arrays]

        def reduced() -> list[Array]:
            self._reduce_all(copies, copies, how, line)
            return copies

        return self._background.start(reduced)

    def finish_all_reduce(self, ticket: int) -> list[Array]:
        """See `tfc.ir.ops.collective.Transport`."""
        found: list[Array] = self._background.finish(ticket)
        return found

    def _settle(self) -> None:
        """Let all that was begun be done: collectives keep their order."""
        self._background.settle()

    def _reduce_all(
        self, arrays: Sequence[Array], results: Sequence[Array], how: str, line: str
    ) -> None:
        with self._calling(call_on(f"all_reduce({how})", arrays, line)) as call:
            groups: dict[Any, list[int]] = {}
            for i, array in enumerate(arrays):
                groups.setdefault(array.dtype, []).append(i)
            for places in groups.values():
                given = [np.ascontiguousarray(arrays[i]).reshape(-1) for i in places]
                self.reduce_vectors(given, [results[i].reshape(-1) for i in places], how, call)
                call = None
            if not groups:
                self.agree(call)

    def all_gather(self, array: Array, line: str) -> Array:
        """See `tfc.ir.ops.collective.Transport`."""
        self._settle()
        result = np.empty((self.size, *array.shape), array.dtype)
        with self._calling(call_on("all_gather", [array], line)) as call:
            self.gather_bytes(_bytes(array), _bytes(result).reshape(self.size, -1), call)
        return result.reshape(-1, *array.shape[1:])

    def broadcast(self, arrays: Sequence[Array], root: int, line: str) -> list[Array]:
        """See `tfc.ir.ops.collective.Transport`."""
        self._settle()
        results = [np.empty(a.shape, a.dtype) for a in arrays]
        with self._calling(call_on(f"broadcast({root})", arrays, line)) as call:
            for array, result in zip(arrays, results, strict=True):
                self.send_bytes(_bytes(array), _bytes(result), root, call)
                call = None
            if not arrays:
                self.agree(call)
        return results

    def barrier(self, line: str) -> None:
        """Return when all ranks have come here."""
        self._settle()
        with self._calling(Call("barrier", line)) as call:
            self.agree(call)

    def end(self) -> None:
        """Tell others that this rank calls no more collectives."""
        raise NotImplementedError

    # What ways of moving bytes do. A call is given where ranks have to agree on it first.

    def agree(self, call: Call | None) -> None:
        """Wait for all ranks; raise where they call something else."""
        raise NotImplementedError

    def reduce_vectors(
        self, given: Sequence[Array], results: Sequence[Array], how: str, call: Call | None
    ) -> None:
        """Reduce vectors of one dtype."""
        raise NotImplementedError

    def gather_bytes(self, given: Array, results: Array, call: Call | None) -> None:
        """Store the bytes of all ranks in the rows of `results`."""
        raise NotImplementedError

    def send_bytes(self, given: Array, result: Array, root: int, call: Call | None) -> None:
        """Store the bytes that `root` was given."""
        raise NotImplementedError

    def _begin(self, call: Call) -> None:
        """This rank has come to a collective."""

    def _check_others(self, waited: float, call: Call | None) -> None:
        """Raise where other ranks are gone."""

    # For these.

    @contextmanager
    def _calling(self, call: Call) -> Iterator[Call | None]:
        """One collective at a time; none where one has failed before: who knows what the others
        wait for."""
        with self._lock:
            if self._broken is not None:
                raise errors.AbortedError(
                    f"{call.what}: a collective has failed before: {self._broken}"
                )
            if not call.line:
                call = call._replace(line=str(calling_location() or ""))
            self._begin(call)
            try:
                yield call
            except BaseException as error:
                self._broken = error
                raise

    def _wait(self, ready: Callable[[], bool], call: Call | None) -> None:
        """Return when `ready`. Signals are handled meanwhile, and other ranks looked after. What
        waits in the background takes neither a processor nor the interpreter from the program."""
        if not self._background.here():
            for _ in range(self._spins):
                if ready():
                    return
            for _ in range(_YIELDS):
                if ready():
                    return
                os.sched_yield()
        begin = looked = time.monotonic()
        while not ready():
            time.sleep(_SLEEP)
            now = time.monotonic()
            if now - looked > _LOOK:
                looked = now
                self._check_others(now - begin, call)


class Watched(Transport):
    """A transport that tells, where a rank waits for too long, who is late and where it was."""

    def __init__(self, rank: int, size: int, timeout: float, crowded: bool, watch: Watch) -> None:
        super().__init__(rank, size, timeout, crowded)
        self._watch = watch

    def end(self) -> None:
        self._settle()
        if self._broken is None:
            call = Call(ENDED, "")
            self._begin(call)
            self.agree(call)
        self._watch.end()

    def _begin(self, call: Call) -> None:
        self._watch.came_to(call)


def _bytes(array: Array) -> Array:
    """The memory of a dense array (of a copy where it is not dense)."""
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def portions(count: int, ranks: int) -> list[tuple[int, int]]:
    """Where each rank's part of so many elements begins and ends."""
    return [(count * r // ranks, count * (r + 1) // ranks) for r in range(ranks)]


def copy_in(target: Array, vectors: Sequence[Array], start: int) -> None:
    """Fill `target` with the elements, from `start` on, of vectors that follow one another."""
    _moved(target, vectors, start, True)


def copy_out(source: Array, vectors: Sequence[Array], start: int) -> None:
    """The other way around."""
    _moved(source, vectors, start, False)


def _moved(block: Array, vectors: Sequence[Array], start: int, inwards: bool) -> None:
    done, offset = 0, 0  # elements of `block`, elements of vectors before this one
    for vector in vectors:
        low = max(start + done - offset, 0)
        high = min(len(vector), start + len(block) - offset)
        if low < high:
            part = block[done : done + high - low]
            if inwards:
                part[...] = vector[low:high]
            else:
                vector[low:high] = part
            done += high - low
        offset += len(vector)
