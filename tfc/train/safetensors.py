"""Files of safetensors (huggingface/safetensors): tensors by name, which every library of the field
reads. No objects, and no strings.

    the header's size (8 bytes), the header (JSON: name -> dtype, shape, where), all elements

The format has no checksums. What is written here has some in `__metadata__`, of each tensor's name,
dtype, shape and elements. Others pass over them, and they are looked at where they are there.

The tensors of a checkpoint are named by how one gets to them: "model/dense/kernel".
"""

from __future__ import annotations

import json
import math
import os
import struct
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tfc.backends.cpu import records as native
from tfc.ir.dtypes import as_dtype

from ..core.errors import DataLossError, NotFoundError, UnimplementedError
from ..core.objects import VALUE
from ..records import files
from ..records.object_graph import Attribute, Node, key_of, unescaped
from ..records.tfrecord import failed

_LENGTH = struct.Struct("<Q")
_HEADER = 100_000_000  # bytes, at most, as the format's own library has it
_NAMES = {
    "bool": "BOOL",
    "uint8": "U8",
    "int8": "I8",
    "uint16": "U16",
    "int16": "I16",
    "uint32": "U32",
    "int32": "I32",
    "uint64": "U64",
    "int64": "I64",
    "float16": "F16",
    "bfloat16": "BF16",
    "float32": "F32",
    "float64": "F64",
    "complex64": "C64",
    "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2",
}
_DTYPES = {short: as_dtype(name) for name, short in _NAMES.items()}
_SUMS = "crc32c"  # what names the checksums
_END = "/.ATTRIBUTES/"


def plain(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Tensors by short names: without what says that they are the values of Variables."""
    end = f"{_END}{VALUE}"
    return {name.removesuffix(end): array for name, array in tensors.items()}


def write(path: str, tensors: Mapping[str, np.ndarray], op: str) -> None:
    """Write a file, in place of the one that is there.

    Raises:
        UnimplementedError: If there are strings among the tensors, or complex128.
        OpError: If it cannot be written.
    """
    header: dict[str, Any] = {}
    sums: list[str] = []
    parts: list[memoryview] = []
    at = 0
    for name in sorted(tensors, key=lambda name: (-tensors[name].itemsize, name)):  # aligned
        array = tensors[name]
        kind = _NAMES.get("" if array.dtype == object else as_dtype(array.dtype).name)
        if kind is None:
            dtype = "strings" if array.dtype == object else array.dtype.name
            message = f"a file of safetensors holds no {dtype}, as {name} has: leave out the suffix"
            raise UnimplementedError(message, op=op)
        flat = files.bytes_of(array)
        parts.append(flat)
        where = [at, at + array.nbytes]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": where}
        sums.append(f"{native.crc32c(flat, _crc_of(name, kind, array.shape)):08x}")
        at += array.nbytes
    first = {"__metadata__": {"format": "tf", _SUMS: " ".join(sums)}}
    text = json.dumps(first | header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    files.replace(path, [_LENGTH.pack(len(text)), text, *parts], op)


def _crc_of(name: str, kind: str, shape: tuple[int, ...]) -> int:
    """The checksum of what the header says of a tensor, which that of its elements goes on from."""
    return native.crc32c(json.dumps([name, kind, list(shape)]).encode())


class Reader:
    """The tensors of a file.

    Raises:
        NotFoundError: If there is none.
        DataLossError: If it is damaged, or no such file.
    """

    def __init__(self, path: str, op: str) -> None:
        self.path, self._op = path, op
        self._lock = threading.Lock()
        try:
            self._file = files.opened(path)
            size = os.fstat(self._file.fileno()).st_size
            head = self._file.read(_LENGTH.size)
            if len(head) < _LENGTH.size:
                raise self._damaged("it has no header")
            (length,) = _LENGTH.unpack(head)
            if length > min(_HEADER, size - _LENGTH.size):
                raise self._damaged("its header reaches beyond its end")
            text = self._file.read(length)
        except OSError as error:
            raise failed(error, path, op) from None
        self._start = _LENGTH.size + length
        header = self._header(text)
        metadata = header.pop("__metadata__", {})
        self._entries = {name: self._entry(name, entry) for name, entry in header.items()}
        spans = sorted(span for _, _, span in self._entries.values())
        ends = [0, *(b for _, b in spans)]
        if [a for a, _ in spans] != ends[:-1] or ends[-1] != size - self._start:
            raise self._damaged("its tensors are not all of it")
        self._sums = self._checksums(metadata, list(header))

    def _damaged(self, why: str) -> DataLossError:
        return DataLossError(f"{self.path} is damaged, or no safetensors: {why}", op=self._op)

    def _header(self, data: bytes) -> dict[str, Any]:
        def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            found = dict(pairs)
            if len(found) < len(pairs):
                raise ValueError("a name is there twice")
            return found

        try:
            header = json.loads(data.decode(), object_pairs_hook=once)
        except (ValueError, RecursionError) as error:
            raise self._damaged(f"its header: {error}") from None
        if not isinstance(header, dict):
            raise self._damaged("its header")
        return header

    def _entry(self, name: str, entry: Any) -> tuple[Any, tuple[int, ...], tuple[int, int]]:
        """Dtype, shape, first byte and the one behind the last."""

        def numbers(value: Any) -> bool:
            return isinstance(value, list) and all(
                type(n) is int and 0 <= n < 1 << 63 for n in value
            )

        match entry:
            case {"dtype": str() as kind, "shape": shape, "data_offsets": [first, last]} if (
                kind in _DTYPES and numbers(shape) and numbers([first, last])
            ):
                dtype = _DTYPES[kind]
                if first <= last and math.prod(shape) * dtype.itemsize == last - first:
                    return dtype, tuple(shape), (first, last)
        raise self._damaged(f"what it says of {name!r}")

    def _checksums(self, metadata: Any, names: list[str]) -> dict[str, int]:
        sums = metadata.get(_SUMS) if isinstance(metadata, dict) else None
        if not isinstance(sums, str):
            return {}
        try:
            return dict(zip(names, (int(n, 16) for n in sums.split()), strict=True))
        except ValueError:
            raise self._damaged("its checksums") from None

    def __contains__(self, name: str) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    def read(self, name: str) -> np.ndarray:
        """The elements of a tensor: an array of its own.

        Raises:
            NotFoundError: If there is none.
            DataLossError: If it is damaged.
        """
        short = name.removesuffix(f"{_END}{VALUE}")
        if short not in self._entries:
            raise NotFoundError(f"Key {name} not found in {self.path}", op=self._op)
        dtype, shape, (first, _) = self._entries[short]
        try:
            array = np.empty(shape, dtype.numpy)
            with self._lock:
                crc = _crc_of(short, _NAMES[dtype.name], shape)
                crc = files.fill(self._file, self._start + first, array, crc)
        except ValueError as error:
            raise self._damaged(f"the shape of {short!r}: {error}") from None
        except EOFError:
            raise self._damaged("it has become shorter") from None
        except OSError as error:
            raise failed(error, self.path, self._op) from None
        if crc != self._sums.get(short, crc):
            raise self._damaged(f"the checksum of {short!r}")
        if dtype.is_bool and array.size and array.view(np.uint8).max() > 1:
            raise self._damaged(f"{short!r} has bools that are none")
        return array.byteswap() if sys.byteorder == "big" else array

    def dtype(self, name: str) -> Any:
        """The dtype of a tensor."""
        return self._entries[name][0]

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor."""
        return self._entries[name][1]

    def objects(self) -> list[Node]:
        """Objects that these tensors could be of, by their names."""
        nodes = [Node()]
        places = {"": 0}
        for short in self:
            path, _, attribute = short.partition(_END)
            here, at = "", 0
            for part in path.split("/") if path else ():
                here = f"{here}/{part}"
                if here not in places:
                    places[here] = len(nodes)
                    nodes[at].children.append((unescaped(part), len(nodes)))
                    nodes.append(Node())
                at = places[here]
            name = attribute or VALUE
            key = key_of(path, unescaped(name))
            nodes[at].attributes.append(Attribute(name, "", short if attribute else key))
        return nodes
