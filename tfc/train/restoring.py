"""Giving objects the values that a checkpoint has for them.

A checkpoint's objects and the user's are matched from the root on, along names. What is matched
gets its values at once: first all that is to be assigned is read and checked, then it is assigned,
so that a damaged file changes nothing. What the user's objects lack yet waits (core/tracking.py)
and is given when it is made.
"""

from __future__ import annotations

import itertools
import weakref
from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from ..core import objects, tracking
from ..core.scopes import init_scope
from ..records.object_graph import Node, unescaped
from .walking import Extra

_numbers = itertools.count(1)


class Reader(Protocol):
    """Where tensors are read from."""

    def read(self, name: str) -> np.ndarray: ...


class _LastRestored:
    """Which restoration gave an object its values last: an earlier one that is late does not."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Any], int]] = {}

    def number(self, thing: Any) -> int:
        found = self._known.get(id(thing))
        return found[1] if found is not None and found[0]() is thing else 0

    def note(self, thing: Any, number: int) -> None:
        key = id(thing)
        try:
            reference = weakref.ref(thing, lambda _: self._known.pop(key, None))
        except TypeError:
            return
        self._known[key] = (reference, number)


_last = _LastRestored()


class Restoration:
    """One reading of a checkpoint into objects, which goes on while objects are made.

    Args:
        reader: Gives tensors by their keys.
        nodes: The objects of the checkpoint.
        extra: What the root is to lead to besides what it does itself.
    """

    def __init__(self, reader: Reader, nodes: list[Node], extra: Extra) -> None:
        self.nodes = nodes
        self._extra = extra
        self.unused: dict[int, list[str]] = {}  # tensors that their objects do not take
        self._reader = reader
        self._number = next(_numbers)
        self._bound: dict[int, weakref.ref[Any] | Any] = {}
        self._late: list[tuple[Any, str, int]] = []  # places that nobody tells of

    def bound(self, number: int) -> Any:
        """The user's object for one of the checkpoint; None if there is none."""
        found = self._bound.get(number)
        return found() if isinstance(found, weakref.ref) else found

    def all_bound(self) -> list[Any]:
        """The user's objects that are matched."""
        return [thing for n in self._bound if (thing := self.bound(n)) is not None]

    def matched(self, number: int) -> bool:
        """Whether an object of the checkpoint has found its own."""
        return number in self._bound

    def restore(self, thing: Any, number: int = 0) -> None:
        """Match an object of the user's with one of the checkpoint, and what both lead to.

        Raises:
            DataLossError: If what is read is damaged.
            ValueError: If a Variable has another shape.
            InvalidArgumentError: If it has another dtype.
        """
        with init_scope():
            before = dict(self._bound), list(self._late)
            waits: list[tuple[Any, str, int]] = []
            try:
                gifts = self._match(thing, number, waits)
            except BaseException:
                self._bound, self._late = before
                raise
            for owner, name, child in waits:
                self._wait(owner, name, child)
            for taker, arrays in gifts:
                objects.give(taker, arrays)
                _last.note(taker, self._number)

    def _match(
        self, thing: Any, number: int, waits: list[tuple[Any, str, int]]
    ) -> list[tuple[Any, Mapping[str, np.ndarray]]]:
        """Match objects, the shortest way first; what they are to get."""
        gifts: list[tuple[Any, Mapping[str, np.ndarray]]] = []
        queue: deque[tuple[Any, int]] = deque()
        self._bind(thing, number, queue)
        while queue:
            here, place = queue.popleft()
            if _last.number(here) < self._number:
                arrays = self._arrays(here, place)
                if arrays:
                    gifts.append((here, arrays))
            known = objects.children(here)
            if place == 0:
                known |= self._extra
            for name, child in self.nodes[place].children:
                if child in self._bound:
                    continue
                if name in known:
                    self._bind(self._place(here, name, known[name], child), child, queue)
                elif self._holds(child):
                    waits.append((here, name, child))
        return gifts

    def _bind(self, thing: Any, number: int, queue: deque[tuple[Any, int]]) -> None:
        try:
            self._bound[number] = weakref.ref(thing)
        except TypeError:
            self._bound[number] = thing
        queue.append((thing, number))

    def _place(self, owner: Any, name: str, value: Any, number: int) -> Any:
        """An object that can be told of, where it is a list or dictionary that lacks something."""
        if type(value) not in (list, dict):
            return value
        known = objects.children(value)
        lacks = any(n not in known and self._holds(c) for n, c in self.nodes[number].children)
        return objects.waiting_place(owner, name, value) if lacks else value

    def _holds(self, number: int) -> bool:
        node = self.nodes[number]
        if node.holds is None:
            return bool(node.children or node.attributes or node.slots or node.saver)
        return node.holds

    def _arrays(self, thing: Any, number: int) -> dict[str, np.ndarray]:
        """What the checkpoint has for an object, read and checked."""
        attributes = self.nodes[number].attributes
        found: dict[str, np.ndarray] = {}
        for attribute in attributes:
            name = unescaped(attribute.name)
            if not objects.has_state(thing) or not (
                objects.has_own_state(thing) or name == objects.VALUE
            ):
                self.unused.setdefault(number, []).append(name)
                continue
            for tensor, rest in objects.tensors_of(thing, name).items():
                key = attribute.key + rest
                array = found[tensor] = self._reader.read(key)
                objects.check(thing, key, objects.dtype_of(array), array.shape)
        return found

    def _wait(self, owner: Any, name: str, number: int) -> None:
        def told(value: Any) -> bool:
            if not objects.leads_on(value):
                return False
            if number not in self._bound:
                self.restore(self._place(owner_of(), name, value, number), number)
            return True

        owner_of: Any = weakref.ref(owner) if tracking.tells(owner) else None
        if owner_of is None:
            self._late.append((owner, name, number))
        else:
            tracking.wait(owner, name, told)

    def catch_up(self) -> None:
        """Look for objects that came where nobody tells of them, such as in a list that a tuple
        has."""
        for owner, name, number in self._late:
            known = objects.children(owner)
            if name in known and number not in self._bound:
                self.restore(known[name], number)
