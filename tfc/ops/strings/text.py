"""`tfc.strings`, where a string becomes a string, a number or a truth value. Computed by Python;
inside of a `tfc.function` programs call it (tfc/ops/on_host.py)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tfc.ir.dtypes import float32, int32, string
from tfc.ir.ops.printing import formatted

from ...core import blame
from ...core.context import context
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Held, StringTensor, SymbolicTensor, Tensor, strings, wrap
from ...core.types import DTypeLike, TensorLike
from ...dispatch.primitive import common_shape
from ...dispatch.strings import joined, not_in_functions
from ..arguments import attribute, dtype_of, flag, whole_number
from ..on_host import Call, Elementwise, broadcast, on_host, same_shape, scalar
from ..ragged.tensor import RaggedTensor
from .patterns import PatternError, compiled


def known(op: str, value: TensorLike, dtype: DTypeLike | None = None) -> np.ndarray:
    """The elements of an operand, which must not be traced."""
    if isinstance(value, Held):
        tensor: Any = operand(op, value)
        if isinstance(tensor, SymbolicTensor):
            raise not_in_functions(op)
    else:
        tensor = operand(op, value, dtype)
    array: np.ndarray = tensor._array
    return array


def text(op: str, value: TensorLike) -> np.ndarray:
    """The elements of an operand of strings."""
    if isinstance(value, list | tuple | np.ndarray) and np.size(np.array(value, object)) == 0:
        value = operand(op, value, string)
    array = known(op, value)
    if array.dtype != object and not isinstance(value, Held | np.ndarray | np.generic):
        raise blame.type_error(f"Cannot convert {shown(value)} to EagerTensor of dtype string", op)
    if array.dtype != object:
        raise blame.invalid_dtype(f"{op}: needs strings, got dtype {array.dtype.name}", op)
    return array


def each(array: np.ndarray, function: Callable[[bytes], Any], dtype: Any = object) -> Tensor:
    """A tensor of the results of `function` for every element."""
    found = np.empty(array.size, dtype)
    found[:] = list(map(function, array.reshape(-1).tolist()))
    found = found.reshape(array.shape)
    return strings(found) if dtype is object else wrap(found)


@on_host("strings.as_string", same_shape, elementwise=Elementwise.FIRST)
def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Numbers, truth values and strings as strings, as C's `printf` writes them.

    Args:
        input: A tensor of any dtype.
        precision: How many digits floats have behind the point (with `shortest`, in all); negative:
            6.
        scientific: Whether floats are written with an exponent, as 1.5e+00.
        shortest: Whether floats are written as is shorter, with an exponent or without.
        width: How many characters there are at least; truth values are not widened.
        fill: " ", "+", "-", "0" or "#", `printf`'s flag: "0" fills up numbers with zeros, "-" fills
            up on the right, "+" and " " stand before what is not negative. Without it blanks stand
            left.

    Returns:
        A tensor of strings of the shape of `input`. Of complex numbers both parts, as (1.0,2.0).

    Raises:
        InvalidArgumentError: If `scientific` and `shortest` are both set, one of them or a
            precision is given for integers or truth values, or `fill` is another one.

    >>> import tfc as tf
    >>> print(tf.strings.as_string([3.14159, 2.0], precision=2))
    tf.Tensor([b'3.14' b'2.00'], shape=(2,), dtype=string)
    >>> print(tf.strings.as_string([1, 20], width=4, fill="0"))
    tf.Tensor([b'0001' b'0020'], shape=(2,), dtype=string)
    """
    op = "as_string"
    array = known(op, input)
    scientific, shortest = flag(scientific, "scientific", op), flag(shortest, "shortest", op)
    precision = whole_number(precision, "precision", op)
    width = whole_number(width, "width", op)
    if scientific and shortest:
        raise blame.invalid("Cannot select both scientific and shortest notation", op)
    if not isinstance(fill, str) or len(fill) > 1:
        raise blame.invalid(f"Fill string must be one or fewer characters: {shown(fill)}", op)
    if fill not in " +-0#":
        raise blame.invalid(f"fill must be one of ' ', '+', '-', '0' and '#', got {fill!r}", op)
    kind = array.dtype.kind if array.dtype.kind in "biufcO" else "f"  # bfloat16 has a kind apart
    if kind in "biu" and (scientific or shortest or precision >= 0):
        what = "precision" if precision >= 0 else "scientific and shortest"
        raise blame.invalid(f"{what} not supported for datatype {array.dtype.name}", op)
    digits = f".{int(precision)}" if precision >= 0 else ""
    wide = int(width) if width >= 0 else 0
    spec = f"%{fill}{wide or ''}{digits}"
    form = spec + ("d" if kind in "iu" else "e" if scientific else "g" if shortest else "f")

    if kind in "iuf":
        return each(array, form.encode().__mod__)

    def one(value: Any) -> bytes:
        if kind == "O":
            given = bytes(value)
            return given.ljust(wide) if fill == "-" else given.rjust(wide)
        if kind == "b":
            return str(value).lower().encode()
        return f"({form % value.real},{form % value.imag})".encode()

    return each(array, one)


def ragged_text(value: RaggedTensor, summarize: int) -> str:
    """The rows of a ragged tensor as Python writes lists, floats with six digits and strings in
    quotes; `summarize` are shown at both ends of an axis, all where it is -1."""
    if summarize < 1 and summarize != -1:
        raise blame.value_error(
            f"Expected summarize to be -1 or a positive int, got {summarize}", "strings.format"
        )
    flat = value.flat_values
    if flat.dtype is string:
        words = [_wide(re.sub(rb"(['\\])", rb"\\\1", s)) for s in np.ravel(flat._array)]
        elements = np.array([f"'{w}'".encode("utf-8", "surrogateescape") for w in words], object)
    else:
        elements = as_string(flat)._array

    def row(items: Any) -> str:
        if isinstance(items, bytes):
            return _wide(items)
        parts = [row(item) for item in items]
        if 0 < 2 * summarize < len(parts):
            parts[summarize : len(parts) - summarize] = ["..."]
        return f"[{', '.join(parts)}]"

    texts = strings(elements.reshape(tuple(flat._array.shape)))
    return row(value.with_flat_values(texts).to_list())


@on_host("strings.ragged_text", scalar)
def shown_ragged(value: RaggedTensor, summarize: int) -> Tensor:
    """The text of a ragged tensor as a scalar string."""
    return operand("strings.format", ragged_text(value, summarize))


@on_host("strings.format", scalar)
def format(
    template: str,
    inputs: TensorLike,
    placeholder: str = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """`template` with each `placeholder` replaced by a tensor of `inputs`, as `tfc.print` shows it,
    but with strings in quotes.

    Args:
        template: A Python string.
        inputs: A list of tensors, which may be ragged, or one tensor; as many as there are
            placeholders.
        placeholder: What is replaced: a Python string.
        summarize: How many elements are shown at both ends of an axis; all, where it is -1.

    Returns:
        A scalar string.

    Raises:
        ValueError: If there are more or fewer tensors than placeholders.
        TypeError: If `template` or `placeholder` is no Python string, or the placeholder is empty.

    >>> import tfc as tf
    >>> print(tf.strings.format("{} of {}", (tf.range(9), 2.5)).numpy().decode())
    [0 1 2 ... 6 7 8] of 2.5
    """
    op = "strings.format"
    if not isinstance(template, str):
        raise blame.type_error(f"template must be text, got {shown(template)}", op)
    if not isinstance(placeholder, str) or not placeholder:
        raise blame.type_error(f"placeholder must be text, got {shown(placeholder)}", op)
    values = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    first, *rest = template.split(placeholder)
    if len(rest) != len(values):
        raise blame.value_error(
            f"The template expects {len(rest)} tensors, but the inputs only has {len(values)}: one "
            "for each placeholder",
            op,
        )
    words = [
        ragged_text(value, int(summarize))
        if isinstance(value, RaggedTensor)
        else formatted(known(op, value), int(summarize))
        for value in values
    ]
    return operand(op, first + "".join(w + t for w, t in zip(words, rest, strict=True)))


@on_host("strings.join", broadcast, elementwise=Elementwise.ALL)
def join(inputs: Sequence[Any], separator: str = "", name: str | None = None) -> Tensor:
    """The strings of several tensors joined element by element.

    Args:
        inputs: A list of tensors of strings, of one shape; scalars go with any.
        separator: What stands between them: a Python string, or a scalar.

    Returns:
        A tensor of strings of their shape; an empty string, where there are none.

    Raises:
        InvalidArgumentError: If the shapes differ, or an input is not of strings.
        TypeError: If `inputs` is no list, or `separator` no string.

    >>> import tfc as tf
    >>> print(tf.strings.join([["a", "b"], "x", ["1", "2"]], separator="-"))
    tf.Tensor([b'a-x-1' b'b-x-2'], shape=(2,), dtype=string)
    """
    op = "strings.join"
    if not isinstance(inputs, list | tuple):
        raise blame.type_error(f"Expected list for 'inputs', not {shown(inputs)}", op)
    if not inputs:
        return operand(op, "")
    arrays = [text(op, v) for v in inputs]
    shapes = {a.shape for a in arrays if a.ndim}
    if len(shapes) > 1:
        one, other = [list(a.shape) for a in arrays if a.ndim][:2]
        raise blame.invalid(f"Input shapes do not match: {one} vs. {other}", op)
    return joined(arrays, as_bytes(separator, "separator", op))


def _without_axes(call: Call) -> Sequence[Any]:
    """The shape of the strings without the axes that are joined."""
    shape: list[Any] = list(call.operands[0].shape)
    axis, keepdims = call.arguments["axis"], call.arguments["keepdims"]
    if axis is not None and isinstance(axis, Held):
        return ()
    axes = range(len(shape)) if axis is None else [int(a) % len(shape) for a in np.ravel(axis)]
    if keepdims:
        return ([1 if i in axes else extent for i, extent in enumerate(shape)],)
    return ([extent for i, extent in enumerate(shape) if i not in axes],)


@on_host("strings.reduce_join", _without_axes)
def reduce_join(
    inputs: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings along `axis` joined in order.

    Args:
        inputs: A tensor of strings.
        axis: The axis, or a list of them, which are joined one after the other: the first of the
            list is what lies closest together in the result. None: all, in row-major order.
        keepdims: Whether the axes stay, with extent 1.
        separator: What stands between the strings: a Python string, or a scalar.

    Returns:
        A tensor of strings, without these axes.

    Raises:
        OutOfRangeError: If an axis is not there.
        InvalidArgumentError: If an axis is named twice, or `inputs` is not of strings.
        TypeError: If `separator` is no string.

    >>> import tfc as tf
    >>> print(tf.strings.reduce_join([["a", "b"], ["c", "d"]], axis=0, separator=" "))
    tf.Tensor([b'a c' b'b d'], shape=(2,), dtype=string)
    """
    op = "strings.reduce_join"
    array, between = text(op, inputs), as_bytes(separator, "separator", op)
    given = list(range(array.ndim))[::-1] if axis is None else known(op, axis, int32).ravel()
    if any(not -array.ndim <= a < array.ndim for a in given):
        bad = next(int(a) for a in given if not -array.ndim <= a < array.ndim)
        said = f"Invalid reduction dimension {bad} for input with {array.ndim} dimension(s)"
        raise blame.out_of_range(said, op)
    axes = [int(a) % array.ndim for a in given]
    if len(set(axes)) < len(axes):
        twice = next(int(a) for i, a in enumerate(given) if axes[i] in axes[:i])
        raise blame.invalid(f"Duplicate reduction dimension {twice}", op)
    kept = [i for i in range(array.ndim) if i not in axes]
    rows = array.transpose([*kept, *axes[::-1]])
    rows = rows.reshape(*(array.shape[i] for i in kept), math.prod(array.shape[i] for i in axes))
    found = np.empty(rows.shape[:-1], object)
    for place in np.ndindex(found.shape):
        found[place] = between.join(rows[place])
    if keepdims:
        found = found.reshape([1 if i in axes else n for i, n in enumerate(array.shape)])
    return strings(found)


def as_bytes(value: object, what: str, op: str) -> bytes:
    """A plain string, or a scalar tensor of one, as bytes."""
    if isinstance(value, StringTensor) and not value.ndim:
        value = value._array[()]
    if not isinstance(value, str | bytes):
        raise blame.type_error(f"Expected string for argument '{what}' not {shown(value)}", op)
    return value.encode() if isinstance(value, str) else value


@on_host("strings.length", same_shape, elementwise=Elementwise.FIRST)
def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """How long each string is.

    Args:
        input: A tensor of strings.
        unit: "BYTE", or "UTF8_CHAR" for characters of UTF-8.

    Returns:
        An int32 tensor of the shape of `input`.

    Raises:
        ValueError: If `unit` is another one.
        InvalidArgumentError: If `input` is not of strings.

    >>> import tfc as tf
    >>> print(tf.strings.length(["Hello", "é"]))
    tf.Tensor([5 2], shape=(2,), dtype=int32)
    >>> print(tf.strings.length("é", unit="UTF8_CHAR"))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    op = "strings.length"
    whole = attribute(unit, ("BYTE", "UTF8_CHAR"), "unit", op) == "BYTE"
    counted: Callable[[bytes], int] = len if whole else lambda s: len(characters(s))
    return each(text(op, input), counted, np.int32)


def characters(value: bytes) -> list[bytes]:
    """The characters of UTF-8, each as its bytes: what begins a character, and what goes on."""
    return re.findall(rb"[^\x80-\xbf][\x80-\xbf]*|[\x80-\xbf]+", value, re.DOTALL)


def _cased(op: str, input: TensorLike, encoding: str, change: str) -> Tensor:
    if encoding not in ("", "utf-8"):
        said = "only utf-8 or '' (no encoding) is supported, received"
        raise blame.invalid(f"{said} {shown(encoding)}", op)
    if encoding != "utf-8":
        return each(text(op, input), getattr(bytes, change))

    def one(value: bytes) -> bytes:
        return str(getattr(_wide(value), change)()).encode("utf-8", "surrogateescape")

    return each(text(op, input), one)


@on_host("strings.lower", same_shape, elementwise=Elementwise.FIRST)
def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Each string in lower case: ASCII letters, or all letters where `encoding` is "utf-8".

    Args:
        input: A tensor of strings.
        encoding: "" (bytes that are no ASCII letters stay as they are) or "utf-8".

    Returns:
        A tensor of strings of the shape of `input`.

    Raises:
        ValueError: If `encoding` is another one.
        InvalidArgumentError: If `input` is not of strings.

    >>> import tfc as tf
    >>> print(tf.strings.lower("CamelCase"))
    tf.Tensor(b'camelcase', shape=(), dtype=string)
    """
    return _cased("strings.lower", input, encoding, "lower")


@on_host("strings.upper", same_shape, elementwise=Elementwise.FIRST)
def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Each string in upper case: ASCII letters, or all letters where `encoding` is "utf-8".

    Args:
        input: A tensor of strings.
        encoding: "" (bytes that are no ASCII letters stay as they are) or "utf-8".

    Returns:
        A tensor of strings of the shape of `input`.

    Raises:
        ValueError: If `encoding` is another one.
        InvalidArgumentError: If `input` is not of strings.

    >>> import tfc as tf
    >>> print(tf.strings.upper("CamelCase"))
    tf.Tensor(b'CAMELCASE', shape=(), dtype=string)
    """
    return _cased("strings.upper", input, encoding, "upper")


@on_host("strings.strip", same_shape, elementwise=Elementwise.FIRST)
def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Each string without white space (of ASCII) at its ends.

    Args:
        input: A tensor of strings.

    Returns:
        A tensor of strings of the shape of `input`.

    Raises:
        InvalidArgumentError: If `input` is not of strings.

    >>> import tfc as tf
    >>> print(tf.strings.strip([" a b ", "c"]))
    tf.Tensor([b'a b' b'c'], shape=(2,), dtype=string)
    """
    return each(text("strings.strip", input), bytes.strip)


def _parts_shape(call: Call) -> Sequence[Any]:
    """What the strings, positions and lengths broadcast to."""
    trace: Any = context.trace
    given = [call.arguments[name] for name in ("input", "pos", "len")]
    constant = [np.shape(x) for x in given if not isinstance(x, Held)]
    shapes = [*(v.shape for v in call.operands), *constant]
    return (common_shape(trace.builder, shapes),)


def _some_parts(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: Any = None) -> Tensor:
    """Of the shape of parts: no position lies within the strings of an example."""
    attribute(unit, ("BYTE", "UTF8_CHAR"), "unit", "strings.substr")
    return joined(_aligned("strings.substr", input, pos, len)[:1], b"")


def _aligned(op: str, input: Any, pos: Any, len: Any) -> list[np.ndarray]:
    """Strings, positions and lengths, broadcast."""
    array, first, count = text(op, input), known(op, pos), known(op, len)
    if first.dtype.kind not in "iu" or count.dtype.kind not in "iu":
        raise blame.invalid_dtype(f"{op}: pos and len must be integers", op)
    try:
        return list(np.broadcast_arrays(array, first, count))
    except ValueError:
        shapes = " vs. ".join(str(list(a.shape)) for a in (array, first, count))
        raise blame.invalid(f"Incompatible shapes: {shapes} do not broadcast", op) from None


@on_host("strings.substr", _parts_shape, sample=_some_parts, elementwise=Elementwise.ALL)
def substr(
    input: TensorLike, pos: TensorLike, len: TensorLike, unit: str = "BYTE", name: str | None = None
) -> Tensor:
    """`len` bytes or characters of each string from `pos` on; fewer where the string ends.

    Args:
        input: A tensor of strings.
        pos: Where the part begins, counted from 0; from the end, where it is negative: integers.
        len: How long the part is at most; negative: up to the end of the string. Integers. All
            three broadcast.
        unit: "BYTE", or "UTF8_CHAR" for characters of UTF-8, in which `pos` and `len` count.

    Returns:
        A tensor of strings of the shape that the three broadcast to.

    Raises:
        InvalidArgumentError: If a `pos` lies outside of its string, `pos` or `len` is no integer,
            or the shapes do not broadcast.
        ValueError: If `unit` is another one.

    >>> import tfc as tf
    >>> print(tf.strings.substr(["Hello", "World"], [0, -2], 2))
    tf.Tensor([b'He' b'ld'], shape=(2,), dtype=string)
    """
    op = "strings.substr"
    whole = attribute(unit, ("BYTE", "UTF8_CHAR"), "unit", op) == "BYTE"
    array, first, count = _aligned(op, input, pos, len)
    numbered = enumerate(zip(first.reshape(-1).tolist(), count.reshape(-1).tolist(), strict=True))

    def one(value: bytes) -> bytes:
        at, (start, many) = next(numbered)
        parts: Any = value if whole else characters(value)
        size = parts.__len__()
        if not -size <= start <= size:
            said = f"pos {start} out of range for string {value!r} at index {at}"
            raise blame.invalid(said, op)
        start += size if start < 0 else 0
        found: Any = parts[start : start + many] if many >= 0 else parts[start:]
        return bytes(found) if whole else b"".join(found)

    return each(array, one)


def _pattern(pattern: str | bytes | Tensor, op: str) -> re.Pattern[str]:
    try:
        given = as_bytes(pattern, "pattern", op)
        return compiled(given)
    except PatternError as error:
        said = given.decode(errors="backslashreplace")
        raise blame.invalid(f"Invalid pattern: {said}, error: {error}", op) from None


def _wide(value: bytes) -> str:
    """The characters of UTF-8; each byte that is none has a code of its own."""
    return value.decode("utf-8", "surrogateescape")


@on_host("strings.regex_replace", same_shape, elementwise=Elementwise.FIRST)
def regex_replace(
    input: TensorLike,
    pattern: str | bytes | Tensor,
    rewrite: str | bytes | Tensor,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    r"""Each string with what `pattern` matches replaced by `rewrite`.

    Args:
        input: A tensor of strings.
        pattern: A regular expression of RE2: a Python string, or a scalar.
        rewrite: What stands there instead; in it \1 to \9 stand for groups, \0 for the whole match,
            and \\ for a backslash.
        replace_global: Whether all matches are replaced, or the first one alone.

    Returns:
        A tensor of strings of the shape of `input`.

    Raises:
        InvalidArgumentError: If `pattern` is malformed, `rewrite` names a group that is not there,
            or `input` is not of strings.
        TypeError: If `pattern` or `rewrite` is no string.

    >>> import tfc as tf
    >>> print(tf.strings.regex_replace("Text with <b>tags</b>", "<[^>]+>", " "))
    tf.Tensor(b'Text with  tags ', shape=(), dtype=string)
    """
    op = "strings.regex_replace"
    found = _pattern(pattern, op)
    given = as_bytes(rewrite, "rewrite", op)
    parts = re.split(rb"\\(.|$)", given, flags=re.DOTALL)  # by turns text and what \ stands before
    highest = max((int(c) for c in parts[1::2] if c.isdigit()), default=0)
    if not all(c.isdigit() or c == b"\\" for c in parts[1::2]) or highest > found.groups:
        raise blame.invalid(f"Invalid rewrite pattern: {shown(rewrite)}", op)
    words = [_wide(part) for part in parts]
    once = not flag(replace_global, "replace_global", op)

    def written(match: re.Match[str]) -> str:
        inner = (c if c == "\\" else match[int(c)] or "" for c in words[1::2])
        return words[0] + "".join(c + t for c, t in zip(inner, words[2::2], strict=True))

    def one(value: bytes) -> bytes:
        wide = _wide(value)
        pieces, at, end = [], 0, -1
        while at <= len(wide) and (match := found.search(wide, at)) is not None:
            pieces.append(wide[at : match.start()])
            at = match.end()
            if match.start() == at == end:  # nothing, right behind the last match
                pieces.append(wide[at : at + 1])
                at += 1
                continue
            pieces.append(written(match))
            end = at
            if once:
                break
        return "".join([*pieces, wide[at:]]).encode("utf-8", "surrogateescape")

    return each(text(op, input), one)


@on_host("strings.regex_full_match", same_shape, elementwise=Elementwise.FIRST)
def regex_full_match(
    input: TensorLike, pattern: str | bytes | Tensor, name: str | None = None
) -> Tensor:
    """Whether `pattern` matches each string as a whole.

    Args:
        input: A tensor of strings.
        pattern: A regular expression of RE2: a Python string, or a scalar.

    Returns:
        A bool tensor of the shape of `input`.

    Raises:
        InvalidArgumentError: If `pattern` is malformed, or `input` is not of strings.
        TypeError: If `pattern` is no string.

    >>> import tfc as tf
    >>> print(tf.strings.regex_full_match(["TF lib", "lib TF"], ".*lib$"))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    op = "strings.regex_full_match"
    found = _pattern(pattern, op)
    return each(text(op, input), lambda s: found.fullmatch(_wide(s)) is not None, np.bool_)


@on_host("strings.to_number", same_shape, example=b"0", elementwise=Elementwise.FIRST)
def to_number(input: TensorLike, out_type: DTypeLike = float32, name: str | None = None) -> Tensor:
    """Each string as a number; white space around it does not count.

    Args:
        input: A tensor of strings.
        out_type: float32, float64, int32, int64, uint32 or uint64.

    Returns:
        A tensor of dtype `out_type` and the shape of `input`. What is too large for a float is
        infinite.

    Raises:
        InvalidArgumentError: If a string is no number, or does not fit an integer dtype; or for
            another dtype.

    >>> import tfc as tf
    >>> print(tf.strings.to_number(["1.5", "-2e3"]))
    tf.Tensor([ 1.5e+00 -2.0e+03], shape=(2,), dtype=float32)
    """
    op = "strings.to_number"
    kind = dtype_of(out_type, op)
    if kind.name not in ("float32", "float64", "int32", "int64", "uint32", "uint64"):
        raise blame.invalid_dtype(f"{op}: not defined for dtype {kind.name}", op)

    array = text(op, input)
    plain: list[bytes] = array.reshape(-1).tolist()
    if not kind.is_integer and not any(b"_" in value for value in plain):
        try:
            with np.errstate(over="ignore"):
                return each(array, float, kind.numpy)
        except ValueError:
            pass  # the first that is none is looked for

    def one(value: bytes) -> Any:
        try:
            if b"_" in value:
                raise ValueError
            if not kind.is_integer:
                return float.fromhex(value.decode()) if b"x" in value.lower() else float(value)
            found = int(value)
            if not int(kind.min) <= found <= int(kind.max):
                raise ValueError
        except ValueError:
            raise blame.invalid(
                f"StringToNumberOp could not correctly convert string: "
                f"{value.decode(errors='backslashreplace')}",
                op,
            ) from None
        return found

    with np.errstate(over="ignore"):  # what is too large for a float32 is infinite
        return each(array, one, kind.numpy)
