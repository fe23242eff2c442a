"""Fields of messages that are lists and maps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, MutableSequence
from typing import Any, SupportsIndex

import numpy as np

from .scalars import SCALARS, as_text

_MANY = 8  # numbers that NumPy takes at once


class Repeated(MutableSequence[Any]):
    """A field that is a list. Each element is checked when it is put in."""

    __slots__ = ("_items", "_kind", "_name", "changed")

    def __init__(self, kind: Any, name: str) -> None:
        self._items: list[Any] = []
        self._kind, self._name = kind, name
        self.changed: Callable[[], None] | None = None

    def _take(self, value: Any) -> Any:
        if isinstance(self._kind, type):
            kind: Any = self._kind
            made = kind(**value) if isinstance(value, dict) else value
            if not isinstance(made, kind):
                raise TypeError(f"{self._name} takes {self._kind.__name__}, got {value!r}")
            return made._copy()
        try:
            return SCALARS[self._kind].take(value)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self._name}: {error}") from None

    def _tell(self) -> None:
        if self.changed is not None:
            changed, self.changed = self.changed, None
            changed()

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            self._items[index] = [self._take(v) for v in value]
        else:
            self._items[index] = self._take(value)

    def __delitem__(self, index: Any) -> None:
        del self._items[index]

    def insert(self, index: SupportsIndex, value: Any) -> None:
        self._items.insert(index, self._take(value))
        self._tell()

    def append(self, value: Any) -> None:
        self._items.append(self._take(value))
        self._tell()

    def extend(self, values: Iterable[Any]) -> None:
        self._items.extend(self._taken(values))
        self._tell()

    def _taken(self, values: Iterable[Any]) -> list[Any]:
        if isinstance(values, np.ndarray | list) and len(values) >= _MANY:
            array = np.asarray(values)
            if self._kind == "float" and array.dtype.kind in "fiu" and array.ndim == 1:
                with np.errstate(over="ignore"):
                    return array.astype(np.float32).tolist()
            if self._kind == "int64" and array.dtype.kind == "i" and array.ndim == 1:
                return array.tolist()
        return [self._take(v) for v in values]

    def _copy(self) -> Repeated:
        made = Repeated(self._kind, self._name)
        whole = isinstance(self._kind, type)
        made._items = [m._copy() for m in self._items] if whole else self._items.copy()
        return made

    MergeFrom = extend

    def add(self, **values: Any) -> Any:
        """Put a new message at the end, and return it."""
        if not isinstance(self._kind, type):
            raise TypeError(f"{self._name} holds no messages: append a value")
        self._items.append(self._kind(**values))
        self._tell()
        return self._items[-1]

    def __eq__(self, other: object) -> bool:
        return self._items == (other._items if isinstance(other, Repeated) else other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._items)


class Keyed(MutableMapping[str, Any]):
    """A field that is a map from strings to messages: looking for a key puts it in."""

    __slots__ = ("_items", "_kind", "changed")

    def __init__(self, kind: type) -> None:
        self._items: dict[str, Any] = {}
        self._kind = kind
        self.changed: Callable[[], None] | None = None

    def __getitem__(self, key: str) -> Any:
        key = as_text(key)
        if key not in self._items:
            self._items[key] = self._kind()
            if self.changed is not None:
                changed, self.changed = self.changed, None
                changed()
        return self._items[key]

    def __setitem__(self, key: str, value: Any) -> None:
        raise ValueError("a message in a map is changed in place: map[key].CopyFrom(message)")

    def __delitem__(self, key: str) -> None:
        del self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def get(self, key: str, default: Any = None) -> Any:
        return self._items.get(key, default)

    def update(self, other: Mapping[str, Any] = {}, /, **named: Any) -> None:  # type: ignore[override]
        for key, value in {**other, **named}.items():
            self[key].CopyFrom(self._kind(**value) if isinstance(value, dict) else value)

    def _copy(self) -> Keyed:
        made = Keyed(self._kind)
        made._items = {key: value._copy() for key, value in self._items.items()}
        return made

    def __repr__(self) -> str:
        return repr(self._items)
