"""Messages as text, read: what Protocol Buffers print, and what people write by hand.

    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } }

Fields that a class does not declare are passed over.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

from ..core.errors import DataLossError
from .containers import Keyed
from .message import Field, Message
from .scalars import SCALARS

M = TypeVar("M", bound=Message)

_TOKEN = re.compile(
    r"""(?:\s|\#[^\n]*)*(?:
    (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>-?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?|inf\b|nan\b))
    |(?P<name>-?[A-Za-z_][\w.]*|\[[\w./]+\])
    |(?P<sign>[{}<>\[\]:,;])
    |(?P<end>\Z))""",
    re.VERBOSE,
)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f"}
_LETTERS |= {b"v": b"\v"}
_DEEPEST = 200
# TensorFlow's names of dtypes, by number from 1.
_DTYPES = """
    FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 BFLOAT16
    QINT16 QUINT16 UINT16 COMPLEX128 HALF RESOURCE VARIANT UINT32 UINT64 FLOAT8_E5M2 FLOAT8_E4M3FN
"""
_NAMED = {f"DT_{name}": number for number, name in enumerate(_DTYPES.split(), 1)}
_NAMED |= {f"{name}_REF": number + 100 for name, number in _NAMED.items()}
_NAMED["DT_INVALID"] = 0
# And of the classes of specs.
_NAMED |= {"SPARSE_TENSOR_SPEC": 1, "RAGGED_TENSOR_SPEC": 3, "VARIABLE_SPEC": 9}


def parse(kind: type[M], text: str | bytes) -> M:
    """The message that a text stands for.

    Raises:
        DataLossError: If it stands for none.
    """
    try:
        source = text.decode() if isinstance(text, bytes) else text
    except UnicodeDecodeError as error:
        raise DataLossError(f"no text of a message: {error}") from None
    reader = _Reader(source)
    made = kind()
    reader.fields(made, None)
    return made


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._at, self._depth = text, 0, 0
        self._next()

    def _next(self) -> None:
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            raise self._wrong("nothing that a message can have")
        self._at = found.end()
        self.kind = found.lastgroup or ""
        self.token = found[self.kind]

    def _wrong(self, why: str) -> DataLossError:
        line = self._text.count("\n", 0, self._at) + 1
        return DataLossError(f"the text of a message is damaged, line {line}: {why}")

    def _take(self, *signs: str) -> bool:
        """Pass over one of these signs, if it is the next token."""
        if self.kind == "sign" and self.token in signs:
            self._next()
            return True
        return False

    def fields(self, message: Message | None, closing: str | None) -> None:
        """Read the fields of a message; None: pass over them."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._wrong("messages in messages without end")
        while not (self.kind == "end" if closing is None else self._take(closing)):
            if self.kind != "name":
                raise self._wrong(f"{self.token or 'the end'!r} is no field")
            name = self.token
            self._next()
            colon = self._take(":")
            field = None if message is None else type(message).FIELDS.get(name)
            if colon and self._take("["):
                while not self._take("]"):
                    self._value(message, name, field, colon)
                    self._take(",")
            else:
                self._value(message, name, field, colon)
            self._take(",", ";")
        self._depth -= 1

    def _value(self, message: Message | None, name: str, field: Field | None, colon: bool) -> None:
        for opening, closing in (("{", "}"), ("<", ">")):
            if self._take(opening):
                self._message(message, name, field, closing)
                return
        if not colon:
            raise self._wrong(f"{name} has no value")
        if self.kind == "string":
            value: Any = b""
            while self.kind == "string":
                value += _unescaped(self.token[1:-1])
                self._next()
        elif self.kind in ("number", "name"):
            value = self.token
            self._next()
        else:
            raise self._wrong(f"{self.token or 'the end'!r} is no value of {name}")
        if message is None or field is None:
            return
        try:
            given = _scalar(field, value)
            if field.repeated:
                getattr(message, name).append(given)
            else:
                setattr(message, name, given)
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            raise self._wrong(str(error)) from None

    def _message(
        self, message: Message | None, name: str, field: Field | None, closing: str
    ) -> None:
        if message is None or field is None:
            self.fields(None, closing)
            return
        if not isinstance(field.kind, type):
            raise self._wrong(f"{name} is no message")
        if field.keyed:
            entry = _entry_of(field.kind)()
            self.fields(entry, closing)
            held: Keyed = getattr(message, name)
            held[entry.key].CopyFrom(entry.value)
        elif field.repeated:
            self.fields(getattr(message, name).add(), closing)
        else:
            inner = field.kind()
            self.fields(inner, closing)
            getattr(message, name).CopyFrom(inner)


def _entry_of(kind: type[Message]) -> Any:
    """An entry of a map from strings to messages."""
    fields = {"key": Field(1, "string"), "value": Field(2, kind)}
    return type("Entry", (Message,), {"__slots__": (), "FIELDS": fields})


def _unescaped(text: str) -> bytes:
    def one(found: re.Match[bytes]) -> bytes:
        if found[1]:
            return bytes([int(found[1], 8) & 255])
        if found[2]:
            return bytes([int(found[2], 16)])
        return _LETTERS.get(found[3], found[3])

    return _ESCAPE.sub(one, text.encode())


def _scalar(field: Field, value: Any) -> Any:
    """A value for a field that is no message."""
    kind = field.kind
    if isinstance(kind, type):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    if isinstance(value, bytes):
        if SCALARS[kind].default not in ("", b""):
            raise TypeError(f"{value!r:.40} is no {kind}")
        return value.decode() if kind == "string" else value
    if kind == "bool":
        if value not in ("true", "false", "1", "0", "True", "False", "t", "f"):
            raise ValueError(f"{value} is no bool")
        return value[0] in "t1T"
    if kind in ("float", "double"):
        return float(value.removesuffix("f") if value not in ("inf", "-inf") else value)
    if kind in ("string", "bytes"):
        raise TypeError(f"{value} is no {kind}")
    if value in _NAMED:
        return _NAMED[value]
    return int(value, 0)


__all__ = ["parse"]
