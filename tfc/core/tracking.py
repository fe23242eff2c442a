"""Who waits for an attribute: restoring a checkpoint gives values to objects that are made later.

What is restored into an object may lack a place there: a layer makes its Variables when it is first
called. Then `wait` says under which name the rest is to come, and whoever sets attributes (Module,
Keras' layers, the lists and dictionaries below) tells by `assigned`. Where nobody waits, as nearly
always, that is the look at an empty dictionary.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, SupportsIndex

# Takes what was set; False if it is no answer (not an object that has state), and waiting goes on.
Told = Callable[[Any], bool]

waiting: dict[int, _Waiting] = {}  # by the identity of the owner
_MOST = 4  # who wait for one name: a program may restore what lacks something again and again


class _Waiting:
    """Who waits for which names of an object, for as long as that lives."""

    def __init__(self, owner: Any) -> None:
        key = id(owner)
        self.names: dict[str, list[Told]] = {}
        self.owner = weakref.ref(owner, lambda _: waiting.pop(key, None))


def tells(owner: Any) -> bool:
    """Whether an object tells of what is set: its class says so."""
    return getattr(type(owner), "_tells", False) is True


def wait(owner: Any, name: str, told: Told) -> None:
    """Have `told` called with what `owner`, which tells, gets under `name`."""
    known = waiting.get(id(owner))
    if known is None:
        known = waiting[id(owner)] = _Waiting(owner)
    there = known.names.setdefault(name, [])
    there.append(told)
    del there[:-_MOST]


def assigned(owner: Any, name: str, value: Any) -> None:
    """Tell who waits that `owner` has `value` under `name` now. Who came last is told first."""
    known = waiting.get(id(owner))
    if known is None or known.owner() is not owner or name not in known.names:
        return
    there = known.names.pop(name)
    rest = [told for told in reversed(there) if not told(value)]
    if rest:
        known.names.setdefault(name, []).extend(reversed(rest))
    elif not known.names:
        waiting.pop(id(owner), None)


class ListWrapper(list[Any]):
    """A list that tells of what is put into it, by TensorFlow's name: there all lists in attributes
    become such, here those for whose elements somebody waits."""

    _tells = True

    def __repr__(self) -> str:
        return f"ListWrapper({super().__repr__()})"

    def _tell(self) -> None:
        known = waiting.get(id(self))
        for name in list(known.names) if known is not None else ():
            if name.isdecimal() and int(name) < len(self):
                assigned(self, name, self[int(name)])

    def append(self, item: Any) -> None:
        super().append(item)
        self._tell()

    def extend(self, items: Any) -> None:
        super().extend(items)
        self._tell()

    def insert(self, index: SupportsIndex, item: Any) -> None:
        super().insert(index, item)
        self._tell()

    def __setitem__(self, index: Any, item: Any) -> None:
        super().__setitem__(index, item)
        self._tell()

    def __iadd__(self, items: Any) -> ListWrapper:  # type: ignore[misc]
        super().__iadd__(items)
        self._tell()
        return self


class DictWrapper(dict[Any, Any]):
    """A dictionary that tells of what is put into it, by TensorFlow's name."""

    _tells = True

    def __repr__(self) -> str:
        return f"DictWrapper({super().__repr__()})"

    def _tell(self) -> None:
        known = waiting.get(id(self))
        for name in list(known.names) if known is not None else ():
            if name in self:
                assigned(self, name, self[name])

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, value)
        self._tell()

    def setdefault(self, key: Any, default: Any = None) -> Any:
        found = super().setdefault(key, default)
        self._tell()
        return self.get(key, found)

    def update(self, *args: Any, **kwargs: Any) -> None:
        super().update(*args, **kwargs)
        self._tell()

    def __ior__(self, other: Any) -> DictWrapper:  # type: ignore[misc]
        super().__ior__(other)
        self._tell()
        return self
