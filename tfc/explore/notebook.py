"""What notebooks show of tensors and functions (`_repr_html_`): cheap, however large they are.

>>> import tfc as tf
>>> tf.ones([2, 3])._repr_html_().count("<td")
6
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import numpy as np

from ..core import nest
from ..core.tensor import SymbolicTensor
from .steps import element, statistics

ROWS_MAX, COLUMNS_MAX = 8, 10  # of a table
PIXELS_MIN = 8  # rows and columns, from which on numbers may be a picture
SIDE_MAX = 256  # pixels of a picture, of more every n-th is shown
COUNTED_MAX = 10_000_000  # elements, above which there are no statistics

_TEXT = "font-family:monospace;font-size:12px;max-height:30em;overflow:auto"
_TABLE = "border-collapse:collapse;font-family:monospace;font-size:12px"
_CELL = "border:1px solid #8884;padding:1px 6px;text-align:right"


def tensor_html(array: np.ndarray[Any, Any] | None, head: str) -> str:
    """A tensor: `head`, what its elements are like, and they as a small table or an image. None:
    it has no elements yet."""
    title = f"<code>{escape(head)}</code>"
    if array is None:
        return title
    about = statistics(array) if 1 < array.size <= COUNTED_MAX else ""
    shown = _picture(array) or _table(array)
    return f"<div>{title}{escape(about)}<br>{shown}</div>"


def _table(array: np.ndarray[Any, Any]) -> str:
    """The first rows of the last two axes, at the beginning of all others."""
    if array.size == 0:
        return ""
    flat = array.reshape((-1, *array.shape[-2:]))[0] if array.ndim > 2 else np.atleast_2d(array)
    rows = []
    for row in flat[:ROWS_MAX]:
        cells = [escape(element(x)) for x in row[:COLUMNS_MAX]]
        cells += ["&hellip;"] * (flat.shape[1] > COLUMNS_MAX)
        rows.append(cells)
    where = f"[{', '.join(['0'] * (array.ndim - 2))}, :, :]" if array.ndim > 2 else ""
    return where + _rows(rows, flat.shape[0])


def _rows(rows: Sequence[Sequence[str]], count: int) -> str:
    """A table of the first of so many rows."""
    if count > len(rows):
        rows = [*rows, ["&hellip;"]]
    body = "".join(
        f"<tr>{''.join(f'<td style={_CELL!r}>{cell}</td>' for cell in row)}</tr>" for row in rows
    )
    return f'<table style="{_TABLE}">{body}</table>'


def _picture(array: np.ndarray[Any, Any]) -> str:
    """An image, where the axes look like those of one: [height, width], with 1, 3 or 4 channels
    behind or not, of a batch the first."""
    if array.dtype.kind not in "uf" or (array.dtype.kind == "u" and array.dtype.itemsize > 1):
        return ""
    image = array[0] if array.ndim == 4 and array.shape[0] else array
    if image.ndim == 3 and image.shape[2] not in (1, 3, 4):
        return ""
    if image.ndim not in (2, 3) or min(image.shape[:2]) < PIXELS_MIN:
        return ""
    if image.ndim == 2 and image.dtype.kind == "f":
        return ""  # a matrix, rather
    step = -(-max(image.shape[:2]) // SIDE_MAX)
    image = image[::step, ::step]
    if image.dtype.kind == "f":
        if not np.isfinite(image).all() or image.min() < 0 or image.max() > 1:
            return ""
        image = np.rint(image.astype(np.float32) * 255).astype(np.uint8)
    data = base64.b64encode(png(image)).decode()
    side = max(1, 128 // max(image.shape[:2]))
    height, width = (side * extent for extent in image.shape[:2])
    style = "image-rendering:pixelated;border:1px solid #8884"
    return (
        f'<img width="{width}" height="{height}" style="{style}" alt="the elements as an image" '
        f'src="data:image/png;base64,{data}">'
    )


def png(image: np.ndarray[Any, Any]) -> bytes:
    """A PNG file of an image of uint8, [height, width] or with 1, 3 or 4 channels (ISO 15948)."""
    pixels = image if image.ndim == 3 else image[:, :, None]
    height, width, channels = pixels.shape
    kind = {1: 0, 3: 2, 4: 6}[channels]
    rows = pixels.reshape(height, width * channels)
    filtered = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1)  # filter 0: none

    def chunk(name: bytes, data: bytes) -> bytes:
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", header),
            chunk(b"IDAT", zlib.compress(filtered.tobytes(), 6)),
            chunk(b"IEND", b""),
        )
    )


def concrete_html(concrete: Any, opened: bool = True) -> str:
    """A function for one signature: its signature, and its IR as it was traced."""
    text = concrete.ir("traced")
    count = text.count("\n") - 1
    return (
        f"<details{' open' * opened}><summary><code>{escape(repr(concrete))}</code>, {count} lines"
        f'</summary><pre style="{_TEXT}">{escape(text)}</pre></details>'
        + "<small><code>.explore()</code> writes a page with all stages.</small>"
        * opened
    )


def function_html(f: Any) -> str:
    """A `tfc.function`: its traces, each to be opened."""
    traces = f._traces.all()
    head = f"<code>{escape(repr(f))}</code>"
    if not traces:
        return f"{head}, not traced yet: it is when it is called"
    count = f"{len(traces)} trace{'s' * (len(traces) != 1)}"
    return f"<div>{head}, {count}{''.join(concrete_html(t, False) for _, t in traces)}</div>"


def ragged_html(ragged: Any) -> str:
    """A ragged tensor: its first rows, each as long as it is."""
    if isinstance(ragged.row_splits, SymbolicTensor):
        return f"<code>{escape(repr(ragged))}</code>"
    head = f"tf.RaggedTensor: shape={_shape(ragged.shape)}, dtype={ragged.dtype.name}"
    values = np.asarray(ragged.flat_values)
    rows = []
    for row in ragged[:ROWS_MAX].to_list():
        cells = [escape(_nested(x)) for x in row[:COLUMNS_MAX]]
        rows.append([*cells, *["&hellip;"] * (len(row) > COLUMNS_MAX)])
    return _described(head, values, _rows(rows, ragged.shape[0]))


def sparse_html(sparse: Any) -> str:
    """A sparse tensor: the first elements that it has, with their indices."""
    if isinstance(sparse.values, SymbolicTensor):
        return f"<code>{escape(repr(sparse))}</code>"
    values, indices = np.asarray(sparse.values), np.asarray(sparse.indices)
    head = (
        f"tf.SparseTensor: shape={_shape(sparse.shape)}, dtype={sparse.dtype.name}, "
        f"{len(values)} elements"
    )
    pairs = zip(indices[:ROWS_MAX], values[:ROWS_MAX], strict=True)
    rows = [[str([int(i) for i in index]), escape(element(x))] for index, x in pairs]
    return _described(head, values, _rows(rows, len(values)))


def dataset_html(dataset: Any) -> str:
    """A dataset: how many elements it has, and what each consists of. None is made."""
    counts = {-1: "infinitely many", -2: "how many is not known before they are made"}
    try:
        number = int(dataset.cardinality())
        count = counts.get(number, str(number))
    except Exception:  # inside of a function it is a tensor
        count = counts[-2]
    specs, structure = nest.decompose(dataset.element_spec)
    pairs = zip(structure.paths("element"), specs, strict=True)
    rows = [[escape(path), escape(str(spec))] for path, spec in pairs]
    name = escape(repr(dataset).partition(" ")[0].lstrip("<_"))
    return f"<div><code>{name}</code>, elements: {count}{_rows(rows, len(rows))}</div>"


def _described(head: str, values: np.ndarray[Any, Any], shown: str) -> str:
    about = statistics(values) if 1 < values.size <= COUNTED_MAX else ""
    return f"<div><code>{escape(head)}</code>{escape(about)}<br>{shown}</div>"


def _shape(shape: Any) -> str:
    return f"({', '.join(map(str, shape.as_list()))}{',' * (shape.rank == 1)})"


def _nested(x: Any) -> str:
    """An element of a row, which may be a row."""
    if not isinstance(x, list):
        return element(x)
    inner = ", ".join(map(_nested, x[:COLUMNS_MAX]))
    return f"[{inner}{', ...' * (len(x) > COLUMNS_MAX)}]"


SHOWN: dict[str, Callable[[Any], str]] = {
    "concrete function": concrete_html,
    "function": function_html,
    "ragged tensor": ragged_html,
    "sparse tensor": sparse_html,
    "dataset": dataset_html,
}

__all__ = ["SHOWN", "png", "tensor_html"]
