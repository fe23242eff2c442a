"""`tf.io.decode_csv`: lines of fields (RFC 4180) as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from tfc.ir.dtypes import DType, float32, float64, int32, int64, names_string, string

from ...core import blame
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import Held, Tensor, strings, wrap
from ...core.types import TensorLike
from ..arguments import dtype_of
from ..on_host import Call, Shape, on_host
from ..strings.text import text

_OP = "io.decode_csv"
_KINDS = (float32, float64, int32, int64, string)


class Column(NamedTuple):
    """What a field is to be."""

    dtype: DType
    default: Any  # None: it must be there

    @property
    def numpy(self) -> Any:
        return object if self.dtype is string else self.dtype.numpy


def _column(default: Any) -> Column:
    """A column as `record_defaults` says it."""
    if isinstance(default, DType | type):
        column = Column(string if names_string(default) else dtype_of(default, _OP), None)
    else:
        tensor: Any = default if isinstance(default, Held) else operand(_OP, default)
        if tensor.shape.num_elements() not in (0, 1) or tensor.shape.rank > 1:
            message = "Each record default should be at most rank 1"
            if tensor.shape.rank < 2:
                message = "There should only be 1 default per field"
            raise blame.invalid(f"{message}: got {shown(default)}", _OP)
        items = tensor.read()._array.reshape(-1).tolist()
        column = Column(tensor.dtype, items[0] if items else None)
    if column.dtype not in _KINDS:
        names = ", ".join(kind.name for kind in _KINDS)
        raise blame.invalid(f"columns are {names}, not {column.dtype.name}", _OP)
    return column


def column_dtypes(record_defaults: Sequence[Any]) -> list[DType]:
    """The dtypes of the columns that `record_defaults` says."""
    return [_column(default).dtype for default in record_defaults]


def _columns_like(records: Any, record_defaults: Any, *rest: Any, **options: Any) -> list[Tensor]:
    """Results as a trace sees them."""
    shape: Any = operand(_OP, records).shape.as_list()
    found = [np.zeros(shape, column.numpy) for column in map(_column, record_defaults)]
    return [strings(a) if a.dtype == object else wrap(a) for a in found]


def _of_records(call: Call) -> Sequence[Shape | None]:
    return (call.operands[0].shape,) * len(call.arguments["record_defaults"])


@on_host(_OP, _of_records, sample=_columns_like)
def decode_csv(
    records: TensorLike,
    record_defaults: Sequence[Any],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """Lines of fields as columns.

    Args:
        records: A tensor of strings: each is a line, without its end.
        record_defaults: For each column a scalar (or a vector of one element) that stands for a
            field that is empty; an empty vector, or a dtype, where no field may be. Columns are of
            these dtypes: float32, float64, int32, int64 or string.
        field_delim: What parts fields: one character.
        use_quote_delim: Whether a field may stand in quotes, within which it may hold any
            character; a quote is written twice there.
        na_value: What counts as empty, too.
        select_cols: The numbers of the columns to take, which grow; by default all.

    Returns:
        A list of tensors of the shape of `records`, one for each column.

    Raises:
        InvalidArgumentError: If a line has another number of fields, a field is no number or
            empty where it must not be, or quotes are wrong.
        ValueError: If `select_cols` do not grow, or are not as many as `record_defaults`.

    >>> import tfc as tf
    >>> names, sizes = tf.io.decode_csv(["a,1", '"b, c",'], ["", [7]])
    >>> print(names, sizes)
    tf.Tensor([b'a' b'b, c'], shape=(2,), dtype=string) tf.Tensor([1 7], shape=(2,), dtype=int32)
    """
    lines, columns = text(_OP, records), [_column(d) for d in record_defaults]
    delimiter = _one_character(field_delim)
    wanted = _chosen(select_cols, len(columns))
    missing = {b"", str(na_value).encode()}
    found = [np.empty(lines.size, column.numpy) for column in columns]
    for row, line in enumerate(lines.reshape(-1)):
        fields = _fields(line, delimiter, use_quote_delim, row)
        enough = wanted[-1] < len(fields) if wanted else True
        if not enough or (select_cols is None and len(fields) != len(columns)):
            expected = len(columns) if select_cols is None else f"more than {wanted[-1]}"
            message = f"Expect {expected} fields but have {len(fields)} in record {row}"
            raise blame.invalid(message, _OP)
        for i, (place, column) in enumerate(zip(wanted, columns, strict=True)):
            field = fields[place]
            if field not in missing:
                found[i][row] = _value(field, column.dtype, place, row)
            elif column.default is None:
                message = f"Field {place} is required but missing in record {row}!"
                raise blame.invalid(message, _OP)
            else:
                found[i][row] = column.default
    shaped = [a.reshape(lines.shape) for a in found]
    return [strings(a) if a.dtype == object else wrap(a) for a in shaped]


def _chosen(select_cols: Sequence[int] | None, count: int) -> list[int]:
    """The numbers of the columns that are taken."""
    if select_cols is None:
        return list(range(count))
    chosen = [int(i) for i in select_cols]
    if len(chosen) != count:
        message = "Length of select_cols and record_defaults do not match"
        raise blame.value_error(f"{message}: {len(chosen)} and {count}", _OP)
    if any(i >= j for i, j in pairwise([-1, *chosen])):
        raise blame.value_error("select_cols is not strictly increasing", _OP)
    return chosen


def _one_character(delimiter: Any) -> bytes:
    found = str(delimiter).encode()
    if len(found) != 1:
        raise blame.invalid(f"field_delim should be only 1 char, got {shown(delimiter)}", _OP)
    return found


def _fields(line: bytes, delimiter: bytes, quotes: bool, row: int) -> list[bytes]:
    """The fields of a line; an empty one has none."""
    if not line:
        return []
    if not quotes:
        return line.split(delimiter)
    if b'"' not in line:
        if b"\n" in line or b"\r" in line:
            raise _unquoted(row)
        return line.split(delimiter)
    fields, at = [], 0
    while at <= len(line):
        if line[at : at + 1] != b'"':
            end = line.find(delimiter, at)
            end = len(line) if end < 0 else end
            field = line[at:end]
            if any(c in field for c in (b'"', b"\n", b"\r")):
                raise _unquoted(row)
        else:
            end = line.find(b'"', at + 1)
            while end >= 0 and line[end + 1 : end + 2] == b'"':  # a quote, written twice
                end = line.find(b'"', end + 2)
            if end < 0 or line[end + 1 : end + 2] not in (b"", delimiter):
                raise blame.invalid(
                    f"Quoted field has to end with quote followed by delim or end, in record {row}",
                    _OP,
                )
            field, end = line[at + 1 : end].replace(b'""', b'"'), end + 1
        fields.append(field)
        at = end + 1
    return fields


def _unquoted(row: int) -> Exception:
    return blame.invalid(f"Unquoted fields cannot have quotes/CRLFs inside, in record {row}", _OP)


def _value(field: bytes, dtype: DType, place: int, row: int) -> Any:
    """A field as an element."""
    if dtype is string:
        return field
    read: Callable[[bytes], Any] = int if dtype.is_integer else _float
    try:
        if b"_" in field:  # Python's, not in files
            raise ValueError
        value = read(field)
        if dtype.is_integer and not np.iinfo(dtype.numpy).min <= value <= np.iinfo(dtype.numpy).max:
            raise ValueError
    except ValueError:
        what = field.decode(errors="replace")
        message = f"Field {place} in record {row} is not a valid {dtype.name}: {what}"
        raise blame.invalid(message, _OP) from None
    with np.errstate(over="ignore"):
        return dtype.numpy.type(value)


def _float(field: bytes) -> float:
    plain = field.strip()
    return float.fromhex(plain.decode()) if b"x" in plain.lower() else float(plain)
