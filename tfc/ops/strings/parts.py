"""`tfc.strings`, where a string becomes several or several one: a vector for a scalar, and rows of
a RaggedTensor for more strings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import int32, string

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor, strings, wrap
from ..arguments import choice
from ..ragged.tensor import RaggedTensor
from .text import as_bytes, each, known, text


def _rows(array: np.ndarray, function: Callable[[bytes], Sequence[Any]], dtype: Any) -> Any:
    """The parts of every string: a vector for a scalar, else ragged."""
    parts = [list(function(item)) for item in array.reshape(-1)]
    flat = [part for row in parts for part in row]
    values: Any = operand("strings", flat, dtype)
    if not array.ndim:
        return values
    splits = np.cumsum([0, *(len(row) for row in parts)])
    found: Any = RaggedTensor.from_row_splits(values, splits, validate=False)
    for extent in reversed(array.shape[1:]):
        count = found.nrows()
        found = RaggedTensor.from_uniform_row_length(
            found, extent, count // extent if extent else 0, validate=False
        )
    return found


def split(input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """The parts of each string between separators `sep`; by default between runs of white space.
    At most `maxsplit` times, where that is not negative.

    >>> import tfc as tf
    >>> print(tf.strings.split("a b  c"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    >>> tf.strings.split(["a,b", "c"], sep=",")
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    op = "strings.split"
    by = as_bytes(sep or "", "sep", op) or None
    return _rows(text(op, input), lambda s: s.split(by, int(maxsplit)), string)


def bytes_split(input: Any, name: str | None = None) -> Tensor:
    """The bytes of each string, one by one.

    >>> import tfc as tf
    >>> print(tf.strings.bytes_split("hey"))
    tf.Tensor([b'h' b'e' b'y'], shape=(3,), dtype=string)
    """
    return _rows(
        text("strings.bytes_split", input), lambda s: [s[i : i + 1] for i in range(len(s))], string
    )


# Unicode.

_ENCODINGS = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}
_MORE = {"UTF8": "utf-8", "US-ASCII": "ascii", "ISO-8859-1": "latin-1", "UTF-16-LE": "utf-16-le"}


def _codec(encoding: Any, op: str) -> str:
    known_names = _ENCODINGS | _MORE
    return known_names[choice(encoding, tuple(known_names), "the encoding", op)]


def _decoded(op: str, codec: str, errors: str, replacement_char: int) -> Callable[[bytes], str]:
    """How bytes become text, where malformed ones are replaced, left out or an error."""
    choice(errors, ("strict", "replace", "ignore"), "errors", op)
    other = chr(replacement_char)

    def decode(value: bytes) -> str:
        try:
            found = value.decode(codec, errors)
        except UnicodeDecodeError:
            raise blame.invalid(f"Invalid formatting on input string {value!r}", op) from None
        if errors == "replace" and other != "\ufffd" and value.decode(codec, "ignore") != found:
            genuine = "\ufffd".encode(codec)
            pieces = [p.decode(codec, errors) for p in value.split(genuine)]
            return "\ufffd".join(piece.replace("\ufffd", other) for piece in pieces)
        return found

    return decode


def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """The code points of each string, as int32. What is malformed in `input_encoding` ("UTF-8",
    "UTF-16-BE" or "UTF-32-BE") is replaced, an error ("strict"), or left out ("ignore").

    >>> import tfc as tf
    >>> print(tf.strings.unicode_decode("Gé", "UTF-8"))
    tf.Tensor([ 71 233], shape=(2,), dtype=int32)
    """
    op = "strings.unicode_decode"
    decode = _decoded(op, _codec(input_encoding, op), errors, replacement_char)
    replaced = replacement_char if replace_control_characters else None

    def points(value: bytes) -> list[int]:
        found = [ord(c) for c in decode(value)]
        if replaced is None:
            return found
        return [replaced if c < 32 or 127 <= c < 160 else c for c in found]

    return _rows(text(op, input), points, int32)


def unicode_split(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Tensor:
    """The characters of each string, each as a string in the same encoding.

    >>> import tfc as tf
    >>> print(tf.strings.unicode_split("Gé", "UTF-8"))
    tf.Tensor([b'G' b'\\xc3\\xa9'], shape=(2,), dtype=string)
    """
    op = "strings.unicode_split"
    codec = _codec(input_encoding, op)
    decode = _decoded(op, codec, errors, replacement_char)
    return _rows(text(op, input), lambda s: [c.encode(codec) for c in decode(s)], string)


def unicode_encode(
    input: Any,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Any:
    """The strings of code points along the last axis, which may be ragged.

    >>> import tfc as tf
    >>> print(tf.strings.unicode_encode([71, 233], "UTF-8"))
    tf.Tensor(b'G\\xc3\\xa9', shape=(), dtype=string)
    """
    op = "strings.unicode_encode"
    codec = _codec(output_encoding, op)
    choice(errors, ("strict", "replace", "ignore"), "errors", op)

    def encode(points: Sequence[int]) -> bytes:
        characters_ = []
        for point in points:
            if 0 <= point <= 0x10FFFF and not 0xD800 <= point < 0xE000:
                characters_.append(chr(point))
            elif errors == "strict":
                raise blame.invalid(f"Code point is out of range for Unicode: {point}", op)
            elif errors == "replace":
                characters_.append(chr(replacement_char))
        return "".join(characters_).encode(codec)

    if isinstance(input, RaggedTensor):
        if isinstance(input.values, RaggedTensor):
            return input.with_values(unicode_encode(input.values, output_encoding, errors))
        return operand(op, [encode(row) for row in input.to_list()], string)
    array = known(op, input)
    if array.dtype.kind not in "iu" or not array.ndim:
        raise blame.invalid(f"needs integers with at least one axis, got {array.dtype.name}", op)
    found = np.empty(array.shape[:-1], object)
    for place in np.ndindex(found.shape):
        found[place] = encode(array[place].tolist())
    return strings(found)


def unicode_transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Each string in another encoding.

    >>> import tfc as tf
    >>> print(tf.strings.unicode_transcode("é", "UTF-8", "UTF-16-BE"))
    tf.Tensor(b'\\x00\\xe9', shape=(), dtype=string)
    """
    op = "strings.unicode_transcode"
    decode = _decoded(op, _codec(input_encoding, op), errors, replacement_char)
    codec = _codec(output_encoding, op)

    def one(value: bytes) -> bytes:
        wide = decode(value)
        if replace_control_characters:
            other = chr(replacement_char)
            wide = "".join(other if c < " " or "\x7f" <= c < "\xa0" else c for c in wide)
        return wide.encode(codec, "replace")

    return each(text(op, input), one)


def ngrams(
    data: Any,
    ngram_width: Any,
    separator: str = " ",
    name: str | None = None,
) -> Any:
    """All runs of `ngram_width` neighbours (one number, or several) along the last axis, joined.

    Unlike TensorFlow, there is no padding.

    >>> import tfc as tf
    >>> print(tf.strings.ngrams(["A", "B", "C"], 2))
    tf.Tensor([b'A B' b'B C'], shape=(2,), dtype=string)
    """
    op = "strings.ngrams"
    widths = [ngram_width] if isinstance(ngram_width, int) else list(ngram_width)
    if not widths or any(not isinstance(w, int) or w < 1 for w in widths):
        raise blame.value_error(f"ngram_width must be positive integers, got {ngram_width}", op)
    between = as_bytes(separator, "separator", op)

    def runs(row: Sequence[bytes]) -> list[bytes]:
        return [
            between.join(row[i : i + width])
            for width in widths
            for i in range(len(row) - width + 1)
        ]

    if isinstance(data, RaggedTensor):
        if isinstance(data.values, RaggedTensor):
            return data.with_values(ngrams(data.values, widths, separator))
        rows = [runs(row) for row in data.to_list()]
    else:
        array = text(op, data)
        if array.ndim == 1:
            return operand(op, runs(array.tolist()), string)
        if array.ndim != 2:
            raise blame.unimplemented(f"of shape {array.shape}: only vectors and matrices", op)
        rows = [runs(row) for row in array.tolist()]
    flat = operand(op, [run for row in rows for run in row], string)
    lengths = wrap(np.array([len(row) for row in rows], np.int64))
    return RaggedTensor.from_row_lengths(flat, lengths, validate=False)
