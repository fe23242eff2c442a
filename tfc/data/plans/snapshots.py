"""Datasets in files, as plans: what was saved, and what is kept there the first time."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ...core import blame
from ...core.errors import DataLossError
from ...core.nest import LEAF
from ...records.tfrecord import read
from ..elements import Chunk, Element, ElementSpec, Loose
from ..functions import ElementFunction
from ..nested import DatasetSpec
from ..plan import Cursor, Plan, Run, begin
from .saving import Codec, Manifest, Writer, manifest, there
from .sources import Held

Reader = Callable[[Any], Any]  # of a dataset of datasets: those of the shards


class Saved(Plan):
    """The elements of some shards, one shard after another."""

    kind = "Load"

    def __init__(self, said: Manifest, shards: list[str], op: str) -> None:
        super().__init__()
        self.said, self.shards, self.op = said, shards, op
        self.spec = said.spec

    @property
    def cardinality(self) -> int:
        return sum(self.said.shards[shard] for shard in self.shards)

    def stream(self, run: Run) -> Cursor:
        return _SavedCursor(self)

    def describe(self) -> str:
        return f"load {self.said.path}"


class _SavedCursor(Cursor):
    def __init__(self, plan: Saved) -> None:
        self._plan = plan
        self._codec = Codec(plan.spec, plan.op)
        self._records = self._all()

    def _all(self) -> Any:
        said = self._plan.said
        for shard in self._plan.shards:
            count = 0
            for record in read(said.file(shard), said.compression, self._plan.op):
                yield record
                count += 1
            if count != said.shards[shard]:
                raise DataLossError(
                    f"{said.file(shard)} has {count} elements, where {said.shards[shard]} were "
                    "written",
                    op=self._plan.op,
                )

    def _next(self) -> Element | None:
        record = next(self._records, None)
        return None if record is None else self._codec.decoded(record)

    def _skip(self, count: int) -> int:
        done = 0
        while done < count and next(self._records, None) is not None:
            done += 1
        return done

    def close(self) -> None:
        self._records.close()


def loaded(said: Manifest, reader: Reader | None, op: str) -> Plan:
    """The plan of what a folder has.

    Raises:
        TypeError: If `reader` returns no dataset.
    """
    shards = sorted(said.shards)
    if reader is None:
        return Saved(said, shards, op)
    spec = DatasetSpec.of(said.spec)
    each = [(spec.dataset(Saved(said, [shard], op)),) for shard in shards]
    found = reader(spec.dataset(Held(Loose(each), ElementSpec((spec,), LEAF))))
    plan = getattr(found, "_plan", None)
    if not isinstance(plan, Plan):
        raise blame.type_error("reader_func must return a Dataset", op)
    return plan


def shard_function(
    python: Callable[..., Any] | None, plan: Plan, op: str
) -> ElementFunction | None:
    """A user's function that says which shard an element goes to."""
    return None if python is None else ElementFunction(python, plan.spec, op, plan.first)


def _shard(function: ElementFunction | None, element: Element, op: str) -> int:
    if function is None:
        return 0
    number = int(function.one(*element)[0])
    if number < 0:
        raise blame.invalid(f"shard_func returned {number}", op)
    return number


def saved(
    plan: Plan, path: str, compression: Any, shard_func: Callable[..., Any] | None, op: str
) -> None:
    """Write the elements of a plan.

    Raises:
        OpError: If files cannot be written, or an element not be computed.
    """
    function = shard_function(shard_func, plan, op)
    writer = Writer(path, plan.spec, compression, op)
    cursor = plan.cursor(begin(plan))
    try:
        while len(chunk := cursor.take(_AT_ONCE)):
            for element in chunk.elements():
                writer.write(element, _shard(function, element, op))
        writer.commit()
    except BaseException:
        writer.abort()
        raise
    finally:
        cursor.close()


_AT_ONCE = 64


class Kept(Plan):
    """The elements of a plan, which are written the first time that they are gone through to the
    end, and read from then on.

    Args:
        kind: "Cache" or "Snapshot".
        source: The elements.
        path: The folder.
        compression: "GZIP", "ZLIB" or "".
        shard: Says which shard an element goes to.
        reader: Makes one dataset of those of the shards.
    """

    def __init__(
        self,
        kind: str,
        source: Plan,
        path: str,
        compression: str = "",
        shard: Callable[..., Any] | None = None,
        reader: Reader | None = None,
    ) -> None:
        super().__init__()
        self.kind = kind  # type: ignore[misc]
        self.op = kind.lower()
        self.source, self.path, self.compression = source, path, compression
        self.inputs = (source,)
        self.spec, self.varies = source.spec, source.varies
        Codec(source.spec, self.op)  # whether they can be written
        self.shard, self._reader = shard_function(shard, source, self.op), reader
        self._read: Plan | None = None

    @property
    def read(self) -> Plan | None:
        """What reads them; None where they are not there."""
        if self._read is None and there(self.path):
            self._read = loaded(manifest(self.path, self.op, self.spec), self._reader, self.op)
        return self._read

    @property
    def cardinality(self) -> int:
        return self.source.cardinality

    def stream(self, run: Run) -> Cursor:
        plan = self.read
        if plan is not None:
            return plan.cursor(begin(plan))
        return _WritingCursor(self, self.source.cursor(run.children[0]))

    def describe(self) -> str:
        return f"{self.op} in {self.path}" + (", which is there" if there(self.path) else "")


class _WritingCursor(Cursor):
    def __init__(self, plan: Kept, source: Cursor) -> None:
        self._plan, self._source = plan, source
        self._writer: Writer | None = Writer(plan.path, plan.spec, plan.compression, plan.op)

    def _take(self, count: int) -> Chunk:
        try:
            chunk = self._source.take(count)
        except Exception:
            self._given_up()
            raise
        if self._writer is None:
            return chunk
        try:
            for element in chunk.elements():
                shard = _shard(self._plan.shard, element, self._plan.op)
                self._writer.write(element, shard)
            if not len(chunk):
                self._writer.commit()
                self._writer = None
        except Exception:  # the disk is full, perhaps: what was written goes
            self._given_up()
            raise
        return chunk

    def _given_up(self) -> None:
        """What was written is not whole: it goes."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.abort()

    def close(self) -> None:
        self._given_up()
        self._source.close()

    def __del__(self) -> None:
        self._given_up()


def folder(path: Any, op: str) -> str:
    """A path that a user gives.

    Raises:
        TypeError: If it is none.
    """
    if hasattr(path, "numpy"):
        path = path.numpy()
    try:
        return os.fsdecode(path)
    except TypeError:
        raise blame.type_error(f"a path is a string, got {path!r}", op) from None


__all__ = ["Kept", "Saved", "folder", "loaded", "saved"]
