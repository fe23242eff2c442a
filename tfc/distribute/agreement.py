"""What the ranks of a job are about to do together, and the error where they do not agree.

Before bytes move, each rank shows what it calls: which collective, on which dtypes and shapes. The
numbers of calls are equal where programs agree, so it is enough to compare their fingerprints; the
texts, with the lines, are read where these differ.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ..core import errors

ENDED = "the end of the program"  # in the place of a collective
TEXT_BYTES = 1024  # of what a rank shows


@lru_cache(maxsize=4096)
def _fingerprint(text: str) -> int:
    found = hashlib.blake2b(text.encode(), digest_size=7).digest()
    return 1 + int.from_bytes(found, "little")


class Call(NamedTuple):
    """A collective that a rank calls."""

    what: str  # as all_reduce(sum) of float32[3,4]: what all ranks must have in common
    line: str

    @property
    def fingerprint(self) -> int:
        """A positive number for `what`."""
        return _fingerprint(self.what)

    def encoded(self) -> bytes:
        """As text of at most TEXT_BYTES; of a long list of arrays, the beginning."""
        line = self.line.encode()[-TEXT_BYTES // 2 :]
        what = self.what.encode()[: TEXT_BYTES - len(line) - 1]
        return what + b"\n" + line

    @staticmethod
    def decoded(text: bytes) -> Call:
        """A call of its text."""
        what, _, line = text.rstrip(b"\0").decode(errors="replace").partition("\n")
        return Call(what, line)

    def __str__(self) -> str:
        return f"{self.what} at {self.line}" if self.line else self.what


def call_on(name: str, arrays: Sequence[np.ndarray[Any, Any]], line: str) -> Call:
    """The call of a collective on arrays."""
    return Call(f"{name} of {', '.join(_types(arrays))}", line)


def _types(arrays: Sequence[np.ndarray[Any, Any]]) -> list[str]:
    """What arrays are, many of one type as one."""
    found: list[str] = []
    count = 0
    for i, array in enumerate(arrays):
        count += 1
        following = arrays[i + 1] if i + 1 < len(arrays) else None
        same = following is not None and (following.dtype, following.shape) == (
            array.dtype,
            array.shape,
        )
        if not same:
            times = f"{count} x " if count > 1 else ""
            found.append(f"{times}{array.dtype}{list(array.shape)}".replace(" ", ""))
            count = 0
    return found or ["nothing"]


def disagreement(rank: int, calls: Sequence[Call]) -> Exception:
    """What every rank raises where `calls`, one for each rank, are not the same."""
    own = calls[rank]
    other = next(i for i, call in enumerate(calls) if call.what != own.what)
    first, second = sorted((rank, other))
    told = f"rank {first} calls {calls[first]}, and rank {second} {calls[second]}"
    if ENDED in (calls[first].what, calls[second].what):
        ended, waiting = (first, second) if calls[first].what == ENDED else (second, first)
        told = f"rank {waiting} calls {calls[waiting]}, and rank {ended} has ended its program"
    return errors.FailedPreconditionError(
        f"all ranks have to call the same collectives in the same order: {told}"
    )


def lateness(
    call: Call | None, waited: float, late: Mapping[int, Call | None] | None
) -> errors.DeadlineExceededError:
    """What a rank raises that has waited too long: for those that are `late`, of which each has
    called something last (None: it does not answer); with no mapping, nobody could be asked."""
    begin = f"{call or 'a collective'}: waited {waited:.0f} seconds for "
    if not late:
        nobody = "" if late is None else ", of which none is behind"
        return errors.DeadlineExceededError(f"{begin}other ranks{nobody}")
    first = next(iter(late.values()))
    last = "which does not answer" if first is None else f"whose last collective was {first}"
    names = ", ".join(map(str, late))
    return errors.DeadlineExceededError(
        f"{begin}rank {names}, {last}; where each rank is, it has told on stderr"
    )
