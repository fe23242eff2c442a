"""What tapes note of a call that brings its own derivative."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from tfc.ir.core import Location

from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.tensor import Held, Tensor
from ..ops.array.creation import zeros_like
from .cotangents import Cotangents, accumulate


def copy_of(tensor: Tensor) -> Tensor:
    """A tensor of the same elements, which tapes know apart."""
    tensor = convert_to_tensor(tensor)
    copy: Tensor = Tensor.__new__(type(tensor))
    copy._array = tensor._array
    return copy


class CustomRecord:
    """A call of a function with its own gradient, as a tape keeps it."""

    __slots__ = ("grad_fn", "inputs", "location", "outputs")
    cuts = True  # perhaps
    stops = False

    def __init__(self, grad_fn: Any, inputs: list[Any], outputs: list[Any]) -> None:
        self.grad_fn = grad_fn
        self.inputs = inputs
        self.outputs = outputs
        self.location: Location | None = None

    def pull(self, found: Cotangents, wanted: Collection[int]) -> None:
        """Add the cotangents of the inputs to `found`, which keeps those of outputs that are
        wanted themselves, by id, and no others."""
        if not any(id(t) in found for t in self.outputs):
            return
        upstream = [found[id(t)][1] if id(t) in found else zeros_like(t) for t in self.outputs]
        for t in self.outputs:
            if id(t) not in wanted:
                found.pop(id(t), None)
        for x, g in zip(self.inputs, checked(self.grad_fn(*upstream), self.inputs), strict=True):
            if g is not None:
                accumulate(found, x, convert_to_tensor(g, x.dtype))


def note(record: CustomRecord) -> None:
    """Put a call on the tapes that want it."""
    for tape in context.tapes:
        if tape.wants(record.inputs):
            tape.append(record)


def checked(gradients: Any, inputs: list[Any]) -> list[Any]:
    """A gradient for each input, or None."""
    flat = list(gradients) if isinstance(gradients, list | tuple) else [gradients]
    if len(flat) != len(inputs):
        raise ValueError(
            f"custom_gradient function expected to return {len(inputs)} gradients, but returned "
            f"{len(flat)} instead. ({user_location()})"
        )
    for g, x in zip(flat, inputs, strict=True):
        if g is not None and isinstance(g, Held) and tuple(g.shape) != tuple(x.shape):
            raise ValueError(
                f"custom_gradient: a gradient has shape {tuple(g.shape)}, "
                f"its argument {tuple(x.shape)}"
            )
    return flat
