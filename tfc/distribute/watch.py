"""Which rank the others wait for, where ranks share no memory: each has a thread that is asked.

A rank that has waited too long asks all others how many collectives they have come to, and which
the last one was. Each answers, and tells on stderr where it is, line by line. Who has come to fewer
is late, and so is who does not answer.
"""

from __future__ import annotations

import faulthandler
import sys
import threading
import time
from typing import Any

import numpy as np

from .agreement import TEXT_BYTES, Call, lateness

PATROL = 0.5  # seconds
_QUESTION, _ANSWER = 1, 2  # tags of messages


def tell(rank: int, size: int) -> None:
    """Show on stderr where all threads of this rank are."""
    print(f"rank {rank} of {size} is here:", file=sys.stderr, flush=True)
    faulthandler.dump_traceback(sys.__stderr__ or 2)


class Watch:
    """This rank's. Its thread is there only where MPI may be called from several."""

    def __init__(self, comm: Any, mpi: Any) -> None:
        self._comm, self._mpi = comm.Dup(), mpi
        self._count, self._last = 0, Call("nothing", "")
        self._told = False
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        if mpi.Query_thread() == mpi.THREAD_MULTIPLE:
            self._thread = threading.Thread(target=self._answer, daemon=True, name="tfc.distribute")
            self._thread.start()

    def came_to(self, call: Call) -> None:
        """This rank calls one more collective."""
        self._last = call
        self._count += 1

    def end(self) -> None:
        """Answer no more: MPI is about to end."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def _answer(self) -> None:
        status = self._mpi.Status()
        while not self._ended.wait(PATROL):
            while self._comm.Iprobe(self._mpi.ANY_SOURCE, _QUESTION, status):
                source = status.Get_source()
                self._comm.Recv(bytearray(8), source, _QUESTION)
                text = np.zeros(8 + TEXT_BYTES, np.uint8)
                encoded = np.frombuffer(self._last.encoded(), np.uint8)
                text[:8] = np.array([self._count]).view(np.uint8)
                text[8 : 8 + len(encoded)] = encoded
                self._comm.Send(text, source, _ANSWER)
                if not self._told:
                    self._told = True
                    tell(self._comm.rank, self._comm.size)

    def late(self, waited: float) -> Exception:
        """Ask the others; what is raised, since this rank has waited too long."""
        call = self._last
        if self._thread is None:
            return lateness(call, waited, None)
        others = [r for r in range(self._comm.size) if r != self._comm.rank]
        question = bytearray(8)
        asked = [self._comm.Isend(question, rank, _QUESTION) for rank in others]
        answers: dict[int, tuple[int, Call]] = {}
        until = time.monotonic() + 4 * PATROL
        status = self._mpi.Status()
        while len(answers) < len(others) and time.monotonic() < until:
            if not self._comm.Iprobe(self._mpi.ANY_SOURCE, _ANSWER, status):
                time.sleep(PATROL / 50)
                continue
            text = np.zeros(8 + TEXT_BYTES, np.uint8)
            self._comm.Recv(text, status.Get_source(), _ANSWER)
            count = int(text[:8].view(np.int64)[0])
            answers[status.Get_source()] = count, Call.decoded(text[8:].tobytes())
        self._mpi.Request.Testall(asked)  # of a rank that does not answer it may be on its way
        late: dict[int, Call | None] = {}
        for rank in others:
            count, last = answers.get(rank, (-1, None))
            if count < self._count:
                late[rank] = last
        return lateness(call, waited, late)
