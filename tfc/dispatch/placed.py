"""Programs that are compiled for each device on which they are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import errors
from ..core.context import context, settings
from ..core.placement import chosen, is_on_host, on_host, store
from ..core.tensor import wrap
from ..core.variable import Variable

if TYPE_CHECKING:
    from tfc.backends.cuda.device import Device


class HostOnly(errors.UnimplementedError):
    """What is raised where code for a GPU is asked of a function that has strings."""


class Placed:
    """A function that is compiled for each device on which it is called.

    `compiled(device=...)` compiles it, for None for the CPU, and with `profile=True` with clocks;
    `captured` are the tensors and Variables that it always runs on. `device` is a GPU that the
    function itself asks for.
    """

    def __init__(
        self,
        compiled: Callable[..., Any],
        name: str,
        captured: Sequence[Any] = (),
        device: Device | None = None,
    ) -> None:
        self._compiled = compiled
        self._name = name
        self._captured = captured
        self._device = device
        self._entries: dict[Any, Callable[..., Any]] = {}
        self._not_on: set[Device] = set()  # GPUs for which it cannot be compiled
        self._host_only = False  # whether that is so for all

    def entry(self, device: Device | None = None) -> Callable[..., Any]:
        """The callable for tensors on a device."""
        profile = settings.timeline is not None
        key = device and (device, settings.products), profile
        found = self._entries.get(key)
        if found is None:
            found = self._program(device).bind(self._name, self._captured)
            self._entries[key] = found
        return found

    def _program(self, device: Device | None) -> Any:
        if settings.timeline is not None:
            return self._compiled(device=device, profile=True)
        return self._compiled(device=device)

    def __call__(self, *arguments: Any) -> Any:
        if not settings.accelerated:
            return self.entry(None)(*arguments)
        tensors = [x for x in arguments if hasattr(x, "_array")]
        device = self._device or chosen((*tensors, *self._captured))
        if device is not None:
            entry = self._softly(device)
            if entry is not None:
                return entry(*arguments)
        held = iter(on_host(tensors))
        given = [next(held) if hasattr(x, "_array") else x for x in arguments]
        if all(isinstance(c._array, np.ndarray) for c in self._captured):
            return self.entry(None)(*given)
        return self._with_copies(given)

    def _softly(self, device: Device) -> Callable[..., Any] | None:
        """The callable for a GPU; None where there can be none, and the default chose it, or where
        there are strings."""
        if self._host_only:
            return None
        try:
            return self._chosen(device)
        except HostOnly:
            self._host_only = True
            return None

    def _chosen(self, device: Device) -> Callable[..., Any] | None:
        if settings.default_gpu is None or context.device is not None or self._device is not None:
            return self.entry(device)
        if device in self._not_on:
            return None
        try:
            return self.entry(device)
        except HostOnly:
            raise
        except errors.UnimplementedError:
            self._not_on.add(device)
            return None

    def _with_copies(self, arguments: Sequence[Any]) -> Any:
        """A call on the CPU although what it captures is on a GPU: on copies, whose new values the
        Variables get."""
        copies = [c if is_on_host(c._array) else wrap(c._array.numpy()) for c in self._captured]
        before = [c._array for c in copies]
        result = self._program(None).bind(self._name, copies)(*arguments)
        for variable, copy, old in zip(self._captured, copies, before, strict=True):
            if copy._array is not old and isinstance(variable, Variable):
                store(variable, copy._array)
        return result
