"""`tf.io.decode_json_example`: examples as JSON, in the form that Protocol Buffers define."""

from __future__ import annotations

import base64
import json
from typing import Any

from ...core import blame
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...records.example import Example
from ...records.message import Field, Message
from ..on_host import on_host, same_shape
from ..strings.text import each, text

_OP = "io.decode_json_example"


@on_host(_OP, same_shape, example=b"{}")
def decode_json_example(json_examples: TensorLike, name: str | None = None) -> Tensor:
    """Examples in JSON as serialised `tf.train.Example` messages, which `parse_example` takes.

    Args:
        json_examples: A tensor of strings.

    Returns:
        A tensor of strings of this shape.

    Raises:
        InvalidArgumentError: If one is no such JSON.

    >>> import tfc as tf
    >>> text = '{"features": {"feature": {"x": {"int64List": {"value": [1, "2"]}}}}}'
    >>> data = tf.io.decode_json_example(text)
    >>> tf.io.parse_single_example(data, {"x": tf.io.FixedLenFeature([2], tf.int64)})["x"].numpy()
    array([1, 2])
    """
    return each(text(_OP, json_examples), _serialised)


def _serialised(data: bytes) -> bytes:
    try:
        example = Example()
        _fill(example, json.loads(data), "Example")
        return example.SerializeToString()
    except (ValueError, TypeError, RecursionError) as error:
        raise blame.invalid(f"Error while parsing JSON: {error}", _OP) from None


def _fill(message: Message, data: Any, where: str) -> None:
    """Put what an object of JSON says into a message."""
    if not isinstance(data, dict):
        raise ValueError(f"{where} is an object, not {data!r:.50}")
    names = {_camel(name): name for name in message.FIELDS} | {n: n for n in message.FIELDS}
    groups: set[str] = set()
    for key, value in data.items():
        if key not in names:
            raise ValueError(f"{where} has no field {key!r}")
        if value is None:
            continue
        name = names[key]
        field = message.FIELDS[name]
        if field.oneof in groups:
            raise ValueError(f"{where} has more than one {field.oneof}")
        groups |= {field.oneof} - {""}
        _put(message, name, field, value, f"{where}.{key}")


def _put(message: Message, name: str, field: Field, value: Any, where: str) -> None:
    held = getattr(message, name)
    if field.keyed:
        if not isinstance(value, dict):
            raise ValueError(f"{where} is an object, not {value!r:.50}")
        for key, inner in value.items():
            _fill(held[key], inner, f"{where}[{key!r}]")
    elif field.repeated:
        if not isinstance(value, list):
            raise ValueError(f"{where} is a list, not {value!r:.50}")
        for item in value:
            if isinstance(field.kind, type):
                _fill(held.add(), item, where)
            else:
                held.append(_scalar(field.kind, item))
    else:
        made = type(held)()
        _fill(made, value, where)
        held.CopyFrom(made)


def _scalar(kind: str, item: Any) -> Any:
    """A number or bytes; whole numbers may be written as floats or strings, bytes are base64."""
    if kind == "bytes":
        if not isinstance(item, str):
            raise ValueError(f"bytes are a string, not {item!r:.50}")
        plain = item.replace("-", "+").replace("_", "/")
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    if isinstance(item, bool) or not isinstance(item, int | float | str):
        raise ValueError(f"a number is wanted, not {item!r:.50}")
    if kind == "float":
        return float(item)
    if isinstance(item, int):
        return item
    number = float(item)
    if not number.is_integer():
        raise ValueError(f"{item!r} is no whole number")
    return int(item) if isinstance(item, str) and item.lstrip("-").isdigit() else int(number)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
