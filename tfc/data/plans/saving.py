"""Elements in files: what `save`, `load`, `snapshot` and `cache(filename)` write and read.

A dataset is a folder:

    dataset.json             what it is: see below
    run-<number>/00000000    elements: a TFRecord file for each shard

`dataset.json` has two lines: a JSON object, and the CRC-32C of that line in hexadecimal digits. The
object has the keys `format` ("tfc.data"), `version` (1), `compression` ("", "GZIP" or "ZLIB"),
`folder` (that of the shards), `shards` (for each its number and how many elements it has), `leaves`
(the specs of the leaves) and `structure` (how they are nested; null where that is no tuple and no
dict, so that who loads it has to say).

A record is an element: the tensors that its leaves are made of, one after another. Each is a byte
with its rank, its extents as int64, and its elements in row-major order; before each string stands
its length as int64. All numbers have the lowest byte first.

What is written becomes the dataset when `dataset.json` is exchanged, once all files are on the
disk: whenever the process ends, the former one is there, whole. Records have checksums.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import secrets
import shutil
import struct
from typing import Any, Final

import numpy as np

from tfc.ir.dtypes import string

from ...core import blame, nest
from ...core.errors import DataLossError, OpError
from ...core.formatting import shown
from ...core.nest import Structure
from ...core.specs import TensorSpec
from ...core.tensor import wrap
from ...ops.ragged.specs import RaggedTensorSpec
from ...ops.sparse.specs import SparseTensorSpec
from ...records import files
from ...records.reading import COMPRESSIONS, compression_of, failed
from ...records.tfrecord import TFRecordWriter, masked_crc32c
from ..elements import Element, ElementSpec, NoneTensorSpec

_NAME: Final = "dataset.json"
_LENGTH = struct.Struct("<q")


class Codec:
    """Elements of a spec as bytes.

    Raises:
        TypeError: If a leaf cannot be written.
    """

    def __init__(self, spec: ElementSpec, op: str) -> None:
        self._op = op
        self._parts: list[tuple[list[TensorSpec], Structure]] = []
        for leaf in spec.leaves:
            if not isinstance(
                leaf, TensorSpec | RaggedTensorSpec | SparseTensorSpec | NoneTensorSpec
            ):
                raise blame.type_error(f"elements with {leaf} cannot be written to files", op)
            self._parts.append(_parts_of(leaf))

    def encoded(self, element: Element) -> bytes:
        """The bytes of an element."""
        pieces: list[bytes] = []
        for leaf, (specs, _) in zip(element, self._parts, strict=True):
            values = nest.decompose_composites(leaf)[0] if specs else []
            for value, spec in zip(values, specs, strict=False):
                _put(value._array, spec, pieces)
        return b"".join(pieces)

    def decoded(self, record: bytes) -> Element:
        """The element of such bytes.

        Raises:
            DataLossError: If they are none of an element of this spec.
        """
        try:
            at = 0
            found = []
            for specs, structure in self._parts:
                parts = []
                for spec in specs:
                    array, at = _taken(record, at, spec)
                    parts.append(wrap(array))
                found.append(structure.pack(parts) if specs else None)
            if at != len(record):
                raise ValueError("there is more")
        except (ValueError, IndexError, struct.error) as error:
            raise DataLossError(
                f"a record is no element of the spec of its dataset: {error}", op=self._op
            ) from None
        return tuple(found)


def _parts_of(leaf: Any) -> tuple[list[TensorSpec], Structure]:
    """The tensors that a leaf is made of, and how it is made of them."""
    if isinstance(leaf, NoneTensorSpec):
        return [], nest.LEAF
    if isinstance(leaf, RaggedTensorSpec) and not leaf.ragged_rank:
        leaf = TensorSpec(leaf.shape, leaf.dtype)
    return nest.decompose_composites(leaf)


def _put(array: np.ndarray, spec: TensorSpec, pieces: list[bytes]) -> None:
    pieces.append(struct.pack(f"<B{array.ndim}q", array.ndim, *array.shape))
    if spec.dtype is string:
        for text in array.reshape(-1).tolist():
            pieces += [_LENGTH.pack(len(text)), text]
    else:
        pieces.append(bytes(files.bytes_of(array.astype(spec.dtype.numpy, copy=False))))


def _taken(record: bytes, at: int, spec: TensorSpec) -> tuple[np.ndarray, int]:
    """A tensor, and where the next one begins."""
    rank = record[at]
    shape = struct.unpack_from(f"<{rank}q", record, at + 1)
    at += 1 + 8 * rank
    if any(n < 0 for n in shape) or not spec.shape.is_compatible_with(shape):
        raise ValueError(f"a tensor of shape {shape} in the place of {spec}")
    count = 1
    for n in shape:
        count *= n
    if spec.dtype is string:
        if count * _LENGTH.size > len(record) - at:
            raise ValueError("it ends within strings")
        array = np.empty(count, object)
        for i in range(count):
            (length,) = _LENGTH.unpack_from(record, at)
            at += _LENGTH.size
            if not 0 <= length <= len(record) - at:
                raise ValueError("it ends within a string")
            array[i] = record[at : at + length]
            at += length
        return array.reshape(shape), at
    kind = np.dtype(spec.dtype.numpy)
    stop = at + count * kind.itemsize
    if stop > len(record):
        raise ValueError("it ends within a tensor")
    array = np.frombuffer(record[at:stop], np.uint8).copy().view(kind)
    return array.reshape(shape), stop


class Manifest:
    """What `dataset.json` says."""

    def __init__(
        self, path: str, spec: ElementSpec, compression: str, folder: str, shards: dict[str, int]
    ) -> None:
        self.path, self.spec, self.compression = path, spec, compression
        self.folder, self.shards = folder, shards

    @property
    def count(self) -> int:
        """How many elements there are."""
        return sum(self.shards.values())

    def file(self, shard: str) -> str:
        """The path of a shard."""
        return os.path.join(self.path, self.folder, shard)


def there(path: str) -> bool:
    """Whether a folder has a dataset."""
    return os.path.isfile(os.path.join(path, _NAME))


def manifest(path: str, op: str, structure: ElementSpec | None = None) -> Manifest:
    """What a folder has.

    Args:
        path: The folder.
        op: Who asks.
        structure: What the user says of the elements, if anything.

    Raises:
        NotFoundError: If there is no dataset.
        DataLossError: If its description is damaged.
        ValueError: If the elements are others than `structure` says, or that would be needed.
    """
    name = os.path.join(path, _NAME)
    try:
        text, _, sum_ = files.whole(name).partition(b"\n")
    except OSError as error:
        raise failed(error, name, op) from None
    if sum_.strip() != f"{masked_crc32c(text):08x}".encode():
        raise DataLossError(f"{name} is damaged: its checksum is another one", op=op)
    try:
        said = json.loads(text)
        if said["format"] != "tfc.data" or said["version"] != 1:
            raise ValueError("another format")
        leaves = [_leaf_of(leaf) for leaf in said["leaves"]]
        nested = None if said["structure"] is None else _nested(said["structure"], leaves)
        shards = {str(shard): int(count) for shard, count in said["shards"]}
        compression, folder = said["compression"], said["folder"]
        if os.path.basename(folder) != folder or any("/" in shard for shard in shards):
            raise ValueError("files elsewhere")
        if compression not in COMPRESSIONS:
            raise ValueError(f"no compression: {shown(compression)}")
        if not all(0 <= count < 1 << 63 for count in shards.values()):
            raise ValueError(f"numbers of elements: {shown(shards)}")
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise DataLossError(f"{name} is no description of a dataset: {error}", op=op) from None
    if structure is None:
        if nested is None:
            raise blame.value_error(
                f"{path} has elements in named tuples or classes: give element_spec", op
            )
        structure = nested
    same = len(leaves) == len(structure.leaves)
    pairs = zip(structure.leaves, leaves, strict=False)
    if not same or not all(mine.is_compatible_with(its) for mine, its in pairs):
        raise blame.value_error(
            f"the elements of {path} are {leaves}, and element_spec is {structure}", op
        )
    return Manifest(path, ElementSpec(leaves, structure.structure), compression, folder, shards)


class Writer:
    """Writes a dataset; it is there when `commit` is through.

    Raises:
        OpError: If files cannot be written.
        TypeError: If such elements cannot be.
    """

    def __init__(self, path: str, spec: ElementSpec, compression: Any, op: str) -> None:
        self._path, self._spec, self._op = path, spec, op
        self._compression = compression_of(compression, op)
        self._codec = Codec(spec, op)
        self._folder = f"run-{secrets.token_hex(8)}"
        self._writers: dict[str, TFRecordWriter] = {}
        self._counts: dict[str, int] = {}
        try:
            os.makedirs(os.path.join(path, self._folder))
        except OSError as error:
            raise failed(error, path, op) from None

    def write(self, element: Element, shard: int = 0) -> None:
        """Write an element."""
        name = f"{shard:08d}"
        writer = self._writers.get(name)
        if writer is None:
            where = os.path.join(self._path, self._folder, name)
            writer = self._writers[name] = TFRecordWriter(where, self._compression)
            self._counts[name] = 0
        writer.write(self._codec.encoded(element))
        self._counts[name] += 1

    def commit(self) -> None:
        """Put it in the place of what was there."""
        former = None
        if there(self._path):
            try:
                former = manifest(self._path, self._op, self._spec).folder
            except (OpError, ValueError):
                former = None  # it is damaged, or of another kind: its files stay
        folder = os.path.join(self._path, self._folder)
        try:
            for name, writer in self._writers.items():
                writer.close()
                _settled(os.path.join(folder, name))
            files.settle(folder)
        except OSError as error:
            raise failed(error, folder, self._op) from None
        text = json.dumps(
            {
                "format": "tfc.data",
                "version": 1,
                "compression": self._compression,
                "folder": self._folder,
                "shards": sorted(self._counts.items()),
                "leaves": [_leaf_text(leaf) for leaf in self._spec.leaves],
                "structure": _structure_text(self._spec.structure),
            }
        ).encode()
        whole = [text, b"\n", f"{masked_crc32c(text):08x}\n".encode()]
        files.replace(os.path.join(self._path, _NAME), whole, self._op)
        if former is not None:
            shutil.rmtree(os.path.join(self._path, former), ignore_errors=True)

    def abort(self) -> None:
        """Remove what was written. Where the disk is full, too."""
        for writer in self._writers.values():
            with contextlib.suppress(OpError):
                writer.close()
        shutil.rmtree(os.path.join(self._path, self._folder), ignore_errors=True)


def _settled(path: str) -> None:
    """See that a file is on the disk."""
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# Specs as JSON.


def _leaf_text(leaf: Any) -> list[Any]:
    if isinstance(leaf, NoneTensorSpec):
        return ["none"]
    shape = None if leaf.shape.rank is None else leaf.shape.as_list()
    if isinstance(leaf, RaggedTensorSpec):
        return ["ragged", shape, leaf.dtype.name, leaf.ragged_rank, leaf.row_splits_dtype.name]
    return ["tensor" if isinstance(leaf, TensorSpec) else "sparse", shape, leaf.dtype.name]


def _leaf_of(text: Any) -> Any:
    kind, *rest = text
    if kind == "none":
        return NoneTensorSpec()
    kinds = {"tensor": TensorSpec, "sparse": SparseTensorSpec, "ragged": RaggedTensorSpec}
    return kinds[kind](*rest)


def _structure_text(structure: Structure) -> Any:
    """How leaves are nested; None where that is not in tuples and dicts alone."""
    if structure.is_leaf:
        return "leaf"
    children = [_structure_text(child) for child in structure.children]
    if None in children:
        return None
    if structure.type is tuple:
        return children
    keys = structure._keys
    if structure.type is dict and all(isinstance(key, str) for key in keys):
        return dict(zip(keys, children, strict=True))
    return None


def _nested(text: Any, leaves: list[Any]) -> ElementSpec:
    """These specs, nested as the description says. ValueError where they are others."""
    found = ElementSpec.of(_packed(text, itertools.chain(leaves, itertools.repeat(None))))
    if list(found.leaves) != leaves:
        raise ValueError(f"{len(leaves)} leaves in a structure of {len(found.leaves)}")
    return found


def _packed(text: Any, leaves: Any) -> Any:
    if text == "leaf":
        return next(leaves)
    if isinstance(text, list):
        return tuple([_packed(child, leaves) for child in text])
    return {key: _packed(text[key], leaves) for key in sorted(text)}


__all__ = ["Codec", "Manifest", "Writer", "manifest", "there"]
