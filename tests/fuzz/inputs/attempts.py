"""What one bad input is: a subject that is right, edits that harm it, and how it may end.

An attempt goes by its number: the kind of subject, which one, and a number for each edit. With
fewer of the edits it is a smaller attempt, so what fails is made smaller without knowing what it
is.
"""

from __future__ import annotations

import bisect
import contextlib
import hashlib
import io
import os
import random
import re
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import tfc as tf
from tests.bad_inputs import CLEAR, UNCLEAR, Hostile
from tfc.ir.core import OpError
from tfc.ir.verify import VerifyError

RESULT, ERROR, BAD = "result", "error", "bad"
ALLOWED = (*CLEAR, OpError, VerifyError)


class Wrong(Exception):
    """It ended as it must not, though without an exception of its own."""


class Kind:
    """Subjects of one kind, and what is done with them."""

    name: ClassVar[str]
    weight: ClassVar[int] = 1

    def names(self) -> Sequence[str]:
        """Of the subjects, each once, by their numbers."""
        raise NotImplementedError

    def pick(self, rng: random.Random) -> int:
        """A subject. Where others are added, most draws go on to pick what they did."""
        points = self._points
        place = bisect.bisect(points, (f"{rng.getrandbits(64):016x}", 0))
        return points[place % len(points)][1]

    @cached_property
    def _points(self) -> list[tuple[str, int]]:
        """Where the names lie on a circle, as in consistent hashing, with their numbers."""
        digests = [hashlib.sha256(name.encode()).hexdigest()[:16] for name in self.names()]
        return sorted((digest, i) for i, digest in enumerate(digests))

    def subject(self, seed: int) -> Any:
        """Subject number `seed`, new at each call."""
        raise NotImplementedError

    def edit(self, subject: Any, rng: random.Random) -> Any:
        """The subject with one thing changed."""
        raise NotImplementedError

    def run(self, subject: Any, rng: random.Random) -> str:
        """RESULT, ERROR where it says so itself, or an exception."""
        raise NotImplementedError

    def shown(self, subject: Any) -> str:
        """What a reader needs to see of a subject that ended badly."""
        return str(subject)


def counted(names: Iterable[str]) -> list[str]:
    """Names with a number behind those that come again."""
    counts: Counter[str] = Counter()
    found = []
    for name in names:
        found.append(f"{name} {counts[name]}")
        counts[name] += 1
    return found


@dataclass(frozen=True)
class Attempt:
    kind: Kind
    seed: int
    edits: tuple[int, ...]

    def subject(self) -> Any:
        subject = self.kind.subject(self.seed)
        for edit in self.edits:
            subject = self.kind.edit(subject, random.Random(edit))
        return subject

    def outcome(self) -> Outcome:
        """Make the subject, run it, and judge how that ends."""
        try:
            subject = self.subject()
        except Exception as error:
            raise AssertionError(f"{self} cannot be made") from error
        rng = random.Random(self.seed)
        return judged(lambda: self.kind.run(subject, rng))

    def smaller(self) -> list[Attempt]:
        """The attempt without one of the edits."""
        edits = self.edits
        return [replace(self, edits=edits[:i] + edits[i + 1 :]) for i in range(len(edits))]

    def __str__(self) -> str:
        return f"{self.kind.name} {self.seed} {' '.join(map(str, self.edits))}"


@dataclass(frozen=True)
class Outcome:
    """How an attempt ended; for BAD ones, by what and where, which is one cause."""

    how: str
    seen: str = ""
    cause: str = ""

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.cause.encode()).hexdigest()[:10]


def judged(run: Callable[[], str]) -> Outcome:
    """Run something: a result, a clear error, or what is wrong with how it ended."""
    said = io.StringIO()
    try:
        with (
            contextlib.redirect_stderr(said),
            contextlib.redirect_stdout(said),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            return Outcome(run())
    except tf.errors.InternalError as error:
        return bad(error)
    except ALLOWED as error:
        try:
            message = str(error)
        except Exception:
            return bad(error, "an error without a text: ")
        unclear = UNCLEAR.search(message) and not re.search(r"\[Op:| \(.*:\d+\)", message)
        if (unclear or not message.strip()) and not users_own(error):
            return bad(error, "unclear: ")
        return Outcome(ERROR)
    except Exception as error:
        return Outcome(ERROR) if users_own(error) else bad(error)


def users_own(error: BaseException) -> bool:
    """Whether the code of an argument raised it: a hostile object's, or an example's lambda."""
    if isinstance(error, RuntimeError) and str(error) == Hostile.OWN:
        return True
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].filename.startswith("<doctest")


def bad(error: BaseException, what: str = "") -> Outcome:
    """The cause is the class of the error and the innermost line of ours that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if re.search(r"/(tfc|ir|backends)/", f.filename)] or frames
    place = f"{ours[-1].filename.rpartition('/')[2]}:{ours[-1].lineno} {ours[-1].name}"
    text = "".join(traceback.format_exception(error, limit=-8))
    return Outcome(BAD, f"{what}{text}", f"{what}{type(error).__name__} at {place}")


def scratch_of(process: int) -> Path:
    """A folder that this process alone writes to."""
    return Path(tempfile.gettempdir()) / f"tfc-inputs-{process}"


def scratch() -> Path:
    """That of this process."""
    folder = scratch_of(os.getpid())
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder
