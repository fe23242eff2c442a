"""`tfc.strings`, where a string becomes several or several one: a vector for a scalar, and rows of
a RaggedTensor for more strings."""

from __future__ import annotations

import codecs
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import int32, int64, string

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Tensor, strings, wrap
from ...core.types import TensorLike
from ..arguments import attribute, flag, is_whole, number, numbers, whole_number
from ..on_host import Call, Elementwise, Shape, on_host, same_shape
from ..ragged.tensor import RaggedTensor
from .text import as_bytes, each, known, text


def _rows(array: np.ndarray, function: Callable[[bytes], Sequence[Any]], dtype: Any) -> Any:
    """The parts of every string: a vector for a scalar, else ragged."""
    parts = list(map(function, array.reshape(-1).tolist()))
    flat = list(itertools.chain.from_iterable(parts))
    elements = np.empty(len(flat), dtype.numpy)
    elements[:] = flat
    values: Any = wrap(elements) if dtype is not string else strings(elements)
    if not array.ndim:
        return values
    splits = np.zeros(len(parts) + 1, np.int64)
    np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)), out=splits[1:])
    found: Any = RaggedTensor.from_row_splits(values, splits, validate=False)
    for extent in reversed(array.shape[1:]):
        count = found.nrows()
        found = RaggedTensor.from_uniform_row_length(
            found, extent, count // extent if extent else 0, validate=False
        )
    return found


def _row_splits(call: Call) -> Sequence[Shape | None]:
    """Of strings with axes there are as many rows as strings, in each of the results."""
    shape = call.operands[0].shape
    first = next(iter(call.arguments.values()))
    if not shape or not isinstance(first, Tensor):
        return ()
    known: list[Shape | None] = [None]  # of the flat values
    count: int | None = 1
    for extent in shape:
        count = count * extent if isinstance(count, int) and isinstance(extent, int) else None
        known.append(None if count is None else (count + 1,))
    return known * (2 if isinstance(call.sample, tuple) else 1)


def _uniform(call: Call, found: Any) -> Any:
    """Rows of the parts of strings, with the lengths of the axes that the strings have."""

    def known(rows: Any, lengths: Shape) -> Any:
        if not lengths:
            return rows
        length = lengths[0] if isinstance(lengths[0], int) else None
        return RaggedTensor._made(known(rows.values, lengths[1:]), rows.row_splits, length)

    if not isinstance(next(iter(call.arguments.values())), Tensor):  # but some other argument is
        return found
    lengths = call.operands[0].shape[1:]
    if isinstance(found, tuple):
        return tuple(known(rows, lengths) for rows in found)
    return known(found, lengths)


@on_host("strings.split", _row_splits, finish=_uniform)
def split(
    input: TensorLike,
    sep: str | bytes | Tensor | None = None,
    maxsplit: int = -1,
    name: str | None = None,
) -> Any:
    """The parts of each string between separators; without one, between runs of white space.

    Args:
        input: A tensor of strings.
        sep: The separator: a Python string, or a scalar; None or "" for white space.
        maxsplit: How often a string is split at most, from the left; negative: as often as
            possible.

    Returns:
        Of a scalar a vector of strings, else a RaggedTensor with one axis more than `input`.

    Raises:
        InvalidArgumentError: If `input` is not of strings.
        TypeError: If `sep` is no string, or `maxsplit` no number.

    >>> import tfc as tf
    >>> print(tf.strings.split("a b  c"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    >>> tf.strings.split(["a,b", "c"], sep=",")
    <tf.RaggedTensor [[b'a', b'b'], [b'c']]>
    """
    op = "strings.split"
    by = as_bytes("" if sep is None else sep, "sep", op) or None
    times = whole_number(maxsplit, "maxsplit", op)

    def divided(value: bytes) -> list[bytes]:
        if by is not None or times < 0:
            return value.split(by, times)
        found: list[bytes] = []
        while len(found) < times and (value := value.lstrip()):
            head = value.split(None, 1)[0]
            found.append(head)
            value = value[len(head) :]
        # What is left stands at the end, even nothing, once all splits are used.
        return [*found, value.lstrip() if times else value] if len(found) == times else found

    return _rows(text(op, input), divided, string)


@on_host("strings.bytes_split", _row_splits, finish=_uniform)
def bytes_split(input: TensorLike, name: str | None = None) -> Tensor:
    """The bytes of each string, one by one.

    Args:
        input: A tensor of strings.

    Returns:
        Of a scalar a vector of strings, else a RaggedTensor with one axis more than `input`.

    Raises:
        InvalidArgumentError: If `input` is not of strings.

    >>> import tfc as tf
    >>> print(tf.strings.bytes_split("hey"))
    tf.Tensor([b'h' b'e' b'y'], shape=(3,), dtype=string)
    """
    return _rows(
        text("strings.bytes_split", input), lambda s: [s[i : i + 1] for i in range(len(s))], string
    )


# Unicode.

_ENCODINGS = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}
_MORE = {"UTF-16-LE": "utf-16-le", "US ASCII": "ascii"}


def _codec(encoding: str, op: str) -> str:
    """The name that Python has for an encoding: names as those of ICU, in any case."""
    name = encoding.decode() if isinstance(encoding, bytes) else encoding
    try:
        found = (_ENCODINGS | _MORE).get(name) or codecs.lookup(name).name
        "a".encode(found)  # some of Python's are no encodings of text
    except (LookupError, TypeError, ValueError):
        raise blame.invalid(f"Could not create converter for input encoding: {name}", op) from None
    return found


def _character(op: str, replacement_char: int) -> str:
    """The character with this code point."""
    point = number(replacement_char, "replacement_char", op)
    if not is_whole(point) or not 0 <= point <= 0x10FFFF or 0xD800 <= point < 0xE000:
        said = f"replacement_char out of unicode codepoint range: {point}"
        raise blame.invalid(said, op)
    return chr(int(point))


def _handler(op: str, errors: str, character: str) -> str:
    """The name under which Python's codecs find what deals with malformed input as `errors` says,
    where "replace" puts the character in its place."""
    if attribute(errors, ("strict", "replace", "ignore"), "errors", op) != "replace":
        return errors
    name = f"tfc.replace-{ord(character)}"
    codecs.register_error(name, lambda error: (character, error.end))  # type: ignore[attr-defined]
    return name


def _decoder(
    op: str, encoding: str, errors: str, replacement_char: int, control_too: bool = False
) -> Callable[[bytes], str]:
    """How bytes become text, where malformed ones are replaced, left out or an error; with
    `control_too` control characters (U+0000 to U+001F) are replaced, or left out."""
    codec, other = _codec(encoding, op), _character(op, replacement_char)
    handler = _handler(op, errors, other)
    instead = dict.fromkeys(range(32), "" if errors == "ignore" else other) if control_too else {}

    def decode(value: bytes) -> str:
        try:
            return value.decode(codec, handler).translate(instead)
        except UnicodeDecodeError:
            raise blame.invalid(f"Invalid formatting on input string {value!r}", op) from None

    return decode


def _encoder(op: str, encoding: str, errors: str, replacement_char: int) -> Callable[[str], bytes]:
    """How text becomes bytes, where characters that the encoding has not are replaced, left out or
    an error."""
    codec, other = _codec(encoding, op), _character(op, replacement_char)
    try:
        other.encode(codec)
    except UnicodeEncodeError:
        other = "?"
    handler = _handler(op, errors, other)

    def encode(value: str) -> bytes:
        try:
            return value.encode(codec, handler)
        except UnicodeEncodeError:
            raise blame.invalid(f"{encoding} has no code for all of {value!r}", op) from None

    return encode


@on_host("strings.unicode_decode", _row_splits, finish=_uniform)
def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """The code points of each string.

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE", "UTF-32-BE", "ISO-8859-1" or another name of one.
        errors: What becomes of malformed bytes: "replace", "ignore" (they are left out) or
            "strict".
        replacement_char: The code point that replaces them.
        replace_control_characters: Whether U+0000 to U+001F are replaced (or left out) as well.

    Returns:
        int32: of a scalar a vector, else a RaggedTensor with one axis more than `input`.

    Raises:
        InvalidArgumentError: If bytes are malformed and `errors` is "strict", or `replacement_char`
            is no Unicode character, or `input` is not of strings.
        ValueError: If `input_encoding` or `errors` is another one.

    >>> import tfc as tf
    >>> print(tf.strings.unicode_decode("Gé", "UTF-8"))
    tf.Tensor([ 71 233], shape=(2,), dtype=int32)
    """
    op = "strings.unicode_decode"
    decode = _decoder(op, input_encoding, errors, replacement_char, replace_control_characters)
    return _rows(text(op, input), lambda s: [ord(c) for c in decode(s)], int32)


@on_host("strings.unicode_split", _row_splits, finish=_uniform)
def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Tensor:
    """The characters of each string, each as a string in the same encoding.

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE", "UTF-32-BE", "ISO-8859-1" or another name of one.
        errors: What becomes of malformed bytes: "replace", "ignore" (they are left out) or
            "strict".
        replacement_char: The code point that replaces them; where the encoding lacks it, "?" does.

    Returns:
        Strings: of a scalar a vector, else a RaggedTensor with one axis more than `input`.

    Raises:
        InvalidArgumentError: If bytes are malformed and `errors` is "strict", or `replacement_char`
            is no Unicode character, or `input` is not of strings.
        ValueError: If `input_encoding` or `errors` is another one.

    >>> import tfc as tf
    >>> print(tf.strings.unicode_split("Gé", "UTF-8"))
    tf.Tensor([b'G' b'\\xc3\\xa9'], shape=(2,), dtype=string)
    """
    op = "strings.unicode_split"
    decode = _decoder(op, input_encoding, errors, replacement_char)
    encode = _encoder(op, input_encoding, errors, replacement_char)
    return _rows(text(op, input), lambda s: [encode(c) for c in decode(s)], string)


@on_host("strings.unicode_decode_with_offsets", _row_splits, finish=_uniform)
def unicode_decode_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The code points of each string, and at which byte each begins.

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE", "UTF-32-BE", "ISO-8859-1" or another name of one.
        errors: What becomes of malformed bytes: "replace", "ignore" (they are left out) or
            "strict".
        replacement_char: The code point that replaces them.
        replace_control_characters: Whether U+0000 to U+001F are replaced (or left out) as well.

    Returns:
        A pair: int32 as of `unicode_decode`, and int64 of the same shape.

    Raises:
        InvalidArgumentError: If bytes are malformed and `errors` is "strict", or `replacement_char`
            is no Unicode character, or `input` is not of strings.
        ValueError: If `input_encoding` or `errors` is another one.

    >>> import tfc as tf
    >>> points, offsets = tf.strings.unicode_decode_with_offsets("Géo", "UTF-8")
    >>> print(points, offsets)
    tf.Tensor([ 71 233 111], shape=(3,), dtype=int32) tf.Tensor([0 1 3], shape=(3,), dtype=int64)
    """
    op = "strings.unicode_decode_with_offsets"
    parts = _with_offsets(op, input_encoding, errors, replacement_char, replace_control_characters)
    array = text(op, input)
    points = _rows(array, lambda s: [ord(c) for c, _ in parts(s)], int32)
    return points, _rows(array, lambda s: [at for _, at in parts(s)], int64)


@on_host("strings.unicode_split_with_offsets", _row_splits, finish=_uniform)
def unicode_split_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> tuple[Any, Any]:
    """The characters of each string in the same encoding, and at which byte each begins.

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE", "UTF-32-BE", "ISO-8859-1" or another name of one.
        errors: What becomes of malformed bytes: "replace", "ignore" (they are left out) or
            "strict".
        replacement_char: The code point that replaces them; where the encoding lacks it, "?" does.

    Returns:
        A pair: strings as of `unicode_split`, and int64 of the same shape.

    Raises:
        InvalidArgumentError: If bytes are malformed and `errors` is "strict", or `replacement_char`
            is no Unicode character, or `input` is not of strings.
        ValueError: If `input_encoding` or `errors` is another one.

    >>> import tfc as tf
    >>> characters, offsets = tf.strings.unicode_split_with_offsets("Géo", "UTF-8")
    >>> print(offsets)
    tf.Tensor([0 1 3], shape=(3,), dtype=int64)
    """
    op = "strings.unicode_split_with_offsets"
    parts = _with_offsets(op, input_encoding, errors, replacement_char)
    encode = _encoder(op, input_encoding, errors, replacement_char)
    array = text(op, input)
    characters = _rows(array, lambda s: [encode(c) for c, _ in parts(s)], string)
    return characters, _rows(array, lambda s: [at for _, at in parts(s)], int64)


def _with_offsets(
    op: str, encoding: str, errors: str, replacement_char: int, control_too: bool = False
) -> Callable[[bytes], list[tuple[str, int]]]:
    """How bytes become characters with the places where they begin. What is malformed is found by
    the decoder's own handler, which is told where."""
    codec, other = _codec(encoding, op), _character(op, replacement_char)
    attribute(errors, ("strict", "replace", "ignore"), "errors", op)
    instead = other if errors == "replace" else ""

    def parts(value: bytes) -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        at = 0
        while at < len(value):
            try:
                good, bad = value[at:].decode(codec), None
            except UnicodeDecodeError as error:
                if errors == "strict":
                    text_ = f"Invalid formatting on input string {value!r}"
                    raise blame.invalid(text_, op) from None
                good, bad = value[at : at + error.start].decode(codec), error
            for c in good:
                kept = instead if control_too and c < " " else c
                found += [(k, at) for k in kept]
                at += len(c.encode(codec))
            if bad is not None:
                found += [(k, at) for k in instead]
                at += bad.end - bad.start
        return found

    return parts


def _some_segments(
    inputs: Tensor, segment_ids: Tensor, *_arguments: Any, **_options: Any
) -> Tensor:
    inner = inputs.shape[len(segment_ids.shape) :]
    return strings(np.full((1, *inner), b"", object))


@on_host("strings.unsorted_segment_join", sample=_some_segments)
def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: TensorLike,
    num_segments: TensorLike,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Strings of one segment, joined in their order.

    Args:
        inputs: A tensor of strings.
        segment_ids: The number of the segment of each slice: integers, of the first extents of
            `inputs`.
        num_segments: How many there are.
        separator: What stands between two.

    Returns:
        Strings: one slice for each segment, empty where it has none.

    Raises:
        InvalidArgumentError: If a number is negative or too large, the shapes do not fit, or
            `inputs` is not of strings.
        OutOfRangeError: If `segment_ids` has more axes than `inputs`.

    >>> import tfc as tf
    >>> print(tf.strings.unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 2, "-"))
    tf.Tensor([b'b' b'a-c'], shape=(2,), dtype=string)
    """
    op = "strings.unsorted_segment_join"
    array, ids = text(op, inputs), known(op, segment_ids)
    count = whole_number(num_segments, "num_segments", op)
    between = as_bytes(separator, "separator", op)
    if ids.dtype.kind not in "iu":
        raise blame.invalid(f"segment_ids must be integers, got {ids.dtype.name}", op)
    if ids.ndim > array.ndim:
        said = f"Invalid segment_id rank {ids.ndim} for input with {array.ndim} dimension(s)"
        raise blame.out_of_range(said, op)
    for axis, (own, given) in enumerate(zip(ids.shape, array.shape, strict=False)):
        if own != given:
            said = f"Segment dimension is {own} while input dimension is {given} in rank {axis}"
            raise blame.invalid(said, op)
    if count < 0:
        raise blame.invalid(f"Number of segments must be non-negative but got {count}", op)
    if ids.size and (ids.min() < 0 or ids.max() >= count):
        raise blame.invalid(
            "segment_ids are not allowed to exceed num_segments or to have negative values.", op
        )
    inner = array.shape[ids.ndim :]
    rows = array.reshape(ids.size, -1)
    found = np.full((count, rows.shape[1]), b"", object)
    for i in range(count):
        mine = rows[ids.reshape(-1) == i]
        for j in range(rows.shape[1]):
            found[i, j] = between.join(mine[:, j].tolist())
    return strings(found.reshape(count, *inner))


def _of_rows(call: Call) -> Sequence[Shape | None]:
    """Of a tensor all but the last axis."""
    first = next(iter(call.arguments.values()))
    if isinstance(first, RaggedTensor):
        nested = first.nested_row_splits
        if len(nested) == 1:
            rows = nested[0].shape[0]
            return ((None if rows is None else rows - 1,),)
        return (None, *(tuple(splits.shape) for splits in nested[:-1]))
    return (call.operands[0].shape[:-1],) if isinstance(first, Tensor) else ()


@on_host("strings.unicode_encode", _of_rows)
def unicode_encode(
    input: TensorLike | RaggedTensor,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Any:
    """The strings of code points along the last axis, which may be ragged.

    Args:
        input: Integers with at least one axis: a tensor or a RaggedTensor.
        output_encoding: "UTF-8", "UTF-16-BE", "UTF-32-BE", "ISO-8859-1" or another name of one.
        errors: What becomes of numbers that are no code points, and of characters that the encoding
            lacks: "replace", "ignore" (they are left out) or "strict".
        replacement_char: The code point that replaces them; where the encoding lacks it, "?" does.

    Returns:
        Strings, without the last axis.

    Raises:
        InvalidArgumentError: If a number is no code point or has no code, and `errors` is "strict";
            or `replacement_char` is no Unicode character, or `input` is not of integers.
        ValueError: If `output_encoding` or `errors` is another one.

    >>> import tfc as tf
    >>> print(tf.strings.unicode_encode([71, 233], "UTF-8"))
    tf.Tensor(b'G\\xc3\\xa9', shape=(), dtype=string)
    """
    op = "strings.unicode_encode"
    encode = _encoder(op, output_encoding, errors, replacement_char)
    other = _character(op, replacement_char)

    def of_points(points: Sequence[int]) -> bytes:
        found = []
        for point in points:
            if 0 <= point <= 0x10FFFF and not 0xD800 <= point < 0xE000:
                found.append(chr(point))
            elif errors == "strict":
                said = "Code point is out of range for Unicode, or a surrogate"
                raise blame.invalid(f"{said}: {point}", op)
            elif errors == "replace":
                found.append(other)
        return encode("".join(found))

    if isinstance(input, RaggedTensor):
        if isinstance(input.values, RaggedTensor):
            inner = unicode_encode(input.values, output_encoding, errors, replacement_char)
            return input.with_values(inner)
        return operand(op, [of_points(row) for row in input.to_list()], string)
    array = known(op, input)
    if not array.ndim:
        raise blame.value_error("input_tensor's rank must be at least 1", op)
    if array.dtype.kind not in "iu":
        raise blame.invalid(f"needs integers, got {array.dtype.name}", op)
    found = np.empty(array.shape[:-1], object)
    for place in np.ndindex(found.shape):
        found[place] = of_points(array[place].tolist())
    return strings(found)


@on_host("strings.unicode_transcode", same_shape, elementwise=Elementwise.FIRST)
def unicode_transcode(
    input: TensorLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Each string in another encoding.

    Args:
        input: A tensor of strings.
        input_encoding: "UTF-8", "UTF-16-BE", "UTF-32-BE", "ISO-8859-1" or another name of one.
        output_encoding: One of the same.
        errors: What becomes of malformed bytes, and of characters that the new encoding lacks:
            "replace", "ignore" (they are left out) or "strict".
        replacement_char: The code point that replaces them; where the encoding lacks it, "?" does.
        replace_control_characters: Whether U+0000 to U+001F are replaced (or left out) as well.

    Returns:
        A tensor of strings of the shape of `input`.

    Raises:
        InvalidArgumentError: If bytes are malformed or a character has no code, and `errors` is
            "strict"; or `replacement_char` is no Unicode character, or `input` is not of strings.
        ValueError: If an encoding or `errors` is another one.

    >>> import tfc as tf
    >>> print(tf.strings.unicode_transcode("é", "UTF-8", "UTF-16-BE"))
    tf.Tensor(b'\\x00\\xe9', shape=(), dtype=string)
    """
    op = "strings.unicode_transcode"
    decode = _decoder(op, input_encoding, errors, replacement_char, replace_control_characters)
    encode = _encoder(op, output_encoding, errors, replacement_char)
    return each(text(op, input), lambda s: encode(decode(s)))


def _padding(values: Any, width: Any, op: str) -> tuple[bytes, bytes, int | None]:
    """What pads rows on the left and the right, and how often at most: None, as often as it may."""
    if values is None:
        if width is not None:
            raise blame.value_error("pad_values must be provided if padding_width is set.", op)
        return b"", b"", 0
    sides = [values, values] if isinstance(values, str | bytes) else values
    if not isinstance(sides, list | tuple) or len(sides) != 2:
        raise blame.type_error(
            f"pad_values must be a string, tuple of strings, or None. Got {shown(values)}", op
        )
    left, right = (as_bytes(side, "pad_values", op) for side in sides)
    most = None if width is None else whole_number(width, "padding_width", op)
    if most is not None and most < 1:
        raise blame.value_error(f"padding_width must be greater than 0. Got {width}", op)
    return left, right, most


def _runs(call: Call) -> Sequence[Shape | None]:
    """What the rows are is known, how long they are is not."""
    first = next(iter(call.arguments.values()))
    if isinstance(first, RaggedTensor):
        return (None, *(tuple(splits.shape) for splits in first.nested_row_splits))
    return ((*call.operands[0].shape[:-1], None),) if isinstance(first, Tensor) else ()


@on_host("strings.ngrams", _runs)
def ngrams(
    data: TensorLike | RaggedTensor,
    ngram_width: int | Sequence[int],
    separator: str = " ",
    pad_values: str | Sequence[str] | None = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:
    """All runs of `ngram_width` neighbours along the last axis, joined.

    Args:
        data: Strings with at least one axis: a tensor or a RaggedTensor.
        ngram_width: How long the runs are: one number, or several, whose runs stand one behind the
            other.
        separator: What stands between neighbours: a Python string, or a scalar.
        pad_values: What stands before and behind a row: a string, or one for each side; None:
            nothing.
        padding_width: How often at most; None: as often as there is a run with an element of the
            row.
        preserve_short_sequences: Whether a row that is too short for a run is one, unless it is
            empty.

    Returns:
        A tensor of strings, whose last axis has the runs; a RaggedTensor, where `data` is one.

    Raises:
        ValueError: If a width is no positive integer, `data` a scalar, or there is a
            `padding_width` without `pad_values`.
        TypeError: If `ngram_width` is no number, or `separator` or `pad_values` no string.
        InvalidArgumentError: If `data` is not of strings.

    >>> import tfc as tf
    >>> print(tf.strings.ngrams(["A", "B", "C"], 2))
    tf.Tensor([b'A B' b'B C'], shape=(2,), dtype=string)
    >>> print(tf.strings.ngrams(["A", "B"], 2, pad_values=("<", ">")))
    tf.Tensor([b'< A' b'A B' b'B >'], shape=(3,), dtype=string)
    """
    op = "strings.ngrams"
    widths = numbers(ngram_width, "ngram_width", op)
    if not widths or any(not is_whole(w) or w < 1 for w in widths):
        said = f"All ngram_widths must be greater than 0. Got {shown(ngram_width)}"
        raise blame.value_error(said, op)
    between = as_bytes(separator, "separator", op)
    left, right, most = _padding(pad_values, padding_width, op)
    short = flag(preserve_short_sequences, "preserve_short_sequences", op)

    def runs(row: Sequence[bytes]) -> list[bytes]:
        found = []
        for w in widths:
            pads = w - 1 if most is None else min(most, w - 1)
            padded = [left] * pads + [*row] + [right] * pads
            found += [between.join(padded[i : i + w]) for i in range(len(padded) - w + 1)]
        if short and row and not found:
            found.append(between.join([left] * (most or 0) + [*row] + [right] * (most or 0)))
        return found

    if isinstance(data, RaggedTensor):
        if isinstance(data.values, RaggedTensor):
            inner = (separator, pad_values, padding_width, short)
            return data.with_values(ngrams(data.values, widths, *inner))
        rows = [runs(row) for row in data.to_list()]
        values = operand(op, [run for row in rows for run in row], string)
        lengths = np.array([len(row) for row in rows], np.int64)
        return RaggedTensor.from_row_lengths(values, lengths, validate=False)
    array = text(op, data)
    if not array.ndim:
        raise blame.value_error("Data must have rank>0: got a scalar", op)
    count = len(runs([b""] * array.shape[-1]))  # as many in each row
    found = np.empty((*array.shape[:-1], count), object)
    for place in np.ndindex(array.shape[:-1]):
        found[place] = runs(array[place].tolist())
    return strings(found)
