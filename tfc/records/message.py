"""Messages of Protocol Buffers as Python classes with declared fields.

    class Feature(Message):
        FIELDS = {"bytes_list": Field(1, BytesList, oneof="kind"), ...}

An instance has the methods that users of Protocol Buffers know. A message in a field is made when
it is looked at, and is there for others (`HasField`, what is written) once it was set or changed.
Fields that a class does not declare are kept as they were read and written again behind the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NamedTuple, TypeVar

from ..core.errors import DataLossError
from . import wire
from .containers import Keyed, Repeated
from .scalars import SCALARS, one, packed, quoted, raw, short, unpacked

M = TypeVar("M", bound="Message")


class Field(NamedTuple):
    """A field of a message."""

    number: int
    kind: str | type[Message]  # one of SCALARS, or a class of messages
    repeated: bool = False
    oneof: str = ""  # of the fields with this name one is set
    keyed: bool = False  # a map from strings to `kind`


class Message:
    """The base of all messages. Fields are given by name, messages also as dictionaries.

    Raises:
        ValueError: If there is no such field, or a number is out of its range.
        TypeError: If a value is of another kind than its field.
    """

    FIELDS: ClassVar[dict[str, Field]] = {}
    _numbers: ClassVar[dict[int, tuple[str, Field]]] = {}

    __slots__ = ("_changed", "_unknown", "_values")

    def __init_subclass__(cls) -> None:
        cls.declare(cls.FIELDS)

    @classmethod
    def declare(cls, fields: dict[str, Field]) -> None:
        """Give a class its fields; one that holds messages of its own kind gets them afterwards."""
        cls.FIELDS = fields
        cls._numbers = {f.number: (name, f) for name, f in fields.items()}

    def __init__(self, **values: Any) -> None:
        object.__setattr__(self, "_values", {})
        object.__setattr__(self, "_unknown", b"")
        object.__setattr__(self, "_changed", None)  # tells the message around
        for name, value in values.items():
            if value is not None:
                self._give(name, value)

    def _give(self, name: str, value: Any) -> None:
        field = self._field(name)
        if field.keyed:
            getattr(self, name).update(value)
        elif field.repeated:
            getattr(self, name).extend(value)
        elif isinstance(field.kind, type):
            made = field.kind(**value) if isinstance(value, dict) else value
            if not isinstance(made, field.kind):
                raise TypeError(f"{name} takes a {field.kind.__name__}, got {value!r}")
            getattr(self, name).CopyFrom(made)
        else:
            setattr(self, name, value)

    def _field(self, name: str) -> Field:
        field = self.FIELDS.get(name)
        if field is None:
            raise ValueError(f"{type(self).__name__} has no field {name!r}")
        return field

    # Values.

    def __getattr__(self, name: str) -> Any:
        field = type(self).FIELDS.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        if name in self._values:
            return self._values[name]
        if field.keyed:
            assert isinstance(field.kind, type)
            made: Any = Keyed(field.kind)
        elif field.repeated:
            made = Repeated(field.kind, f"{type(self).__name__}.{name}")
        elif isinstance(field.kind, type):
            made = self._values[name] = field.kind()
            # It counts from its first change on.
            object.__setattr__(made, "_changed", lambda: self._set(name, made))
            return made
        else:
            return SCALARS[field.kind].default
        self._values[name] = made
        if self._changed is not None:
            made.changed = self._tell
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        field = type(self).FIELDS.get(name)
        if field is None:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}")
        if field.repeated or field.keyed or isinstance(field.kind, type):
            raise AttributeError(
                f"{type(self).__name__}.{name} is changed in place (extend, append, CopyFrom), "
                "not assigned"
            )
        try:
            self._set(name, SCALARS[field.kind].take(value))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{type(self).__name__}.{name}: {error}") from None

    def _set(self, name: str, value: Any) -> None:
        oneof = self.FIELDS[name].oneof
        if oneof:
            for other in [n for n in self._values if self.FIELDS[n].oneof == oneof and n != name]:
                del self._values[other]
        self._values[name] = value
        self._tell()

    def _tell(self) -> None:
        if self._changed is not None:
            changed = self._changed
            object.__setattr__(self, "_changed", None)
            changed()

    def _has(self, name: str) -> bool:
        """Whether a field was set, not only looked at."""
        value = self._values.get(name)
        if isinstance(value, Repeated | Keyed):
            return len(value) > 0
        return value is not None and not (isinstance(value, Message) and value._changed is not None)

    # What users of Protocol Buffers know.

    def HasField(self, field_name: str) -> bool:
        """Whether a field that is no list was set."""
        field = self._field(field_name)
        if field.repeated or field.keyed:
            raise ValueError(f"{field_name} is a list or a map: ask for its length")
        return self._has(field_name)

    def WhichOneof(self, oneof_group: str) -> str | None:
        """The name of the one field of a group that is set, or None."""
        names = [n for n, f in self.FIELDS.items() if f.oneof == oneof_group]
        if not names:
            raise ValueError(f"{type(self).__name__} has no group {oneof_group!r}")
        return next((n for n in names if self._has(n)), None)

    def ClearField(self, field_name: str) -> None:
        """Set a field to nothing."""
        self._field(field_name)
        self._values.pop(field_name, None)

    def Clear(self) -> None:
        """Set all fields to nothing."""
        self._values.clear()
        object.__setattr__(self, "_unknown", b"")

    def CopyFrom(self: M, other_msg: M) -> None:
        """Become equal to another message of the class."""
        if type(other_msg) is not type(self):
            raise TypeError(f"a {type(self).__name__} is wanted, got {other_msg!r}")
        if other_msg is not self:
            object.__setattr__(self, "_values", other_msg._copied())
            object.__setattr__(self, "_unknown", other_msg._unknown)
            self._tell()

    def _copied(self) -> dict[str, Any]:
        """The fields that are set, for another message."""
        return {
            name: value._copy() if isinstance(value, Message | Repeated | Keyed) else value
            for name, value in self._values.items()
            if self._has(name)
        }

    def _copy(self: M) -> M:
        made = type(self)()
        object.__setattr__(made, "_values", self._copied())
        object.__setattr__(made, "_unknown", self._unknown)
        return made

    def MergeFrom(self: M, other_msg: M) -> None:
        """Take the fields that another message has; lists get longer."""
        self.MergeFromString(other_msg.SerializeToString())

    def ParseFromString(self, serialized: bytes | memoryview) -> int:
        """Become the message that these bytes stand for; returns their number.

        Raises:
            DataLossError: If they stand for none.
        """
        self.Clear()
        return self.MergeFromString(serialized)

    @classmethod
    def FromString(cls: type[M], s: bytes | memoryview) -> M:
        """The message that these bytes stand for.

        Raises:
            DataLossError: If they stand for none.
        """
        made = cls()
        made.MergeFromString(s)
        return made

    def MergeFromString(self, serialized: bytes | memoryview) -> int:
        """Take the fields of a serialised message."""
        if not isinstance(serialized, bytes | bytearray | memoryview):
            raise TypeError(f"bytes are wanted, got {type(serialized).__name__}")
        try:
            self._read(memoryview(serialized))
        except UnicodeDecodeError as error:
            raise DataLossError(f"a message is damaged: {error}") from None
        except RecursionError:
            raise DataLossError("a message is damaged: messages in messages without end") from None
        self._tell()
        return len(serialized)

    def ByteSize(self) -> int:
        """How many bytes `SerializeToString` gives."""
        return len(self.SerializeToString())

    def SerializeToString(self, deterministic: bool = True) -> bytes:
        """The message as bytes: fields in the order of their numbers, maps of their keys."""
        parts: list[bytes] = []
        for _, (name, field) in sorted(self._numbers.items()):
            if self._has(name):
                parts.extend(_written(field, self._values[name]))
        return b"".join([*parts, self._unknown])

    def ListFields(self) -> list[tuple[str, Any]]:
        """Names and values of all fields that are set, in the order of their numbers."""
        named = (name for _, (name, _) in sorted(self._numbers.items()))
        return [(n, self._values[n]) for n in named if self._has(n)]

    # Reading.

    def _read(self, data: memoryview) -> None:
        unknown: list[bytes] = []
        for number, kind, value in wire.fields(data):
            name, field = self._numbers.get(number, ("", None))
            if field is None or not self._accept(name, field, kind, value):
                if isinstance(value, int):
                    unknown.append(wire.tag(number, kind) + wire.varint(value))
                elif kind == wire.BYTES:
                    unknown.append(wire.block(number, bytes(value)))
                else:
                    unknown.append(wire.tag(number, kind) + bytes(value))
        if unknown:
            object.__setattr__(self, "_unknown", b"".join([self._unknown, *unknown]))

    def _accept(self, name: str, field: Field, kind: int, value: int | memoryview) -> bool:
        """Take a field as it was read; False if it is of another kind than declared."""
        if isinstance(field.kind, type):
            if kind != wire.BYTES or isinstance(value, int):
                return False
            if field.keyed:
                key, message = _entry(field.kind, value)
                getattr(self, name)._items[key] = message
            elif field.repeated:
                getattr(self, name)._items.append(field.kind.FromString(value))
            else:
                inner = getattr(self, name)
                inner._read(value)
                object.__setattr__(inner, "_changed", None)
                self._set(name, inner)
            return True
        scalar = SCALARS[field.kind]
        if field.repeated and kind == wire.BYTES and scalar.wire != wire.BYTES:
            getattr(self, name)._items.extend(unpacked(field.kind, scalar, value))
        elif kind != scalar.wire:
            return False
        elif field.repeated:
            getattr(self, name)._items.append(one(field.kind, scalar, value))
        else:
            self._set(name, one(field.kind, scalar, value))
        return True

    # Python's.

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.SerializeToString() == other.SerializeToString()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in _shown(self))

    __repr__ = __str__

    def __bool__(self) -> bool:
        return True

    def __dir__(self) -> Iterable[str]:
        return [*super().__dir__(), *self.FIELDS]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).FromString, (self.SerializeToString(),)


# Bytes of fields.


def _written(field: Field, value: Any) -> Iterator[bytes]:
    number, kind = field.number, field.kind
    if field.keyed:
        for key in sorted(value._items):
            inner = wire.block(2, value._items[key].SerializeToString())
            yield wire.block(number, wire.block(1, key.encode()) + inner)
    elif isinstance(kind, type):
        for message in value._items if field.repeated else [value]:
            yield wire.block(number, message.SerializeToString())
    elif SCALARS[kind].wire == wire.BYTES:
        for item in value._items if field.repeated else [value]:
            yield wire.block(number, item.encode() if isinstance(item, str) else item)
    elif field.repeated:
        yield wire.block(number, packed(kind, value._items))
    elif SCALARS[kind].wire == wire.VARINT:
        if value or field.oneof:
            yield wire.tag(number, wire.VARINT) + wire.varint(raw(kind, value))
    elif value or field.oneof or str(value) == "-0.0":
        yield wire.tag(number, SCALARS[kind].wire) + packed(kind, [value])


def _entry(kind: type[M], data: memoryview) -> tuple[str, M]:
    """A key of a map and its message."""
    key, message = "", kind()
    for number, form, value in wire.fields(data):
        if form == wire.BYTES and not isinstance(value, int):
            if number == 1:
                key = bytes(value).decode()
            elif number == 2:
                message._read(value)
    return key, message


# Text, as Protocol Buffers print messages.


def _shown(message: Message) -> Iterator[str]:
    for name, value in message.ListFields():
        field = message.FIELDS[name]
        if field.keyed:
            for key in sorted(value._items):
                yield f"{name} {{"
                yield f"  key: {quoted(key)}"
                yield "  value {"
                yield from (f"    {line}" for line in _shown(value._items[key]))
                yield "  }"
                yield "}"
            continue
        for item in value._items if field.repeated else [value]:
            if isinstance(item, Message):
                yield f"{name} {{"
                yield from (f"  {line}" for line in _shown(item))
                yield "}"
            elif isinstance(item, bytes | str):
                yield f"{name}: {quoted(item)}"
            elif isinstance(item, bool):
                yield f"{name}: {str(item).lower()}"
            elif field.kind == "float":
                yield f"{name}: {short(item)}"
            else:
                yield f"{name}: {item}"
