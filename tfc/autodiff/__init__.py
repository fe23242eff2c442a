"""Derivatives: the tape, its backward programs, custom gradients and Jacobians, and
`ForwardAccumulator`, which is the one public name."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .forward import ForwardAccumulator

__all__ = ["ForwardAccumulator"]


def __getattr__(name: str) -> Any:
    if name == "ForwardAccumulator":  # modules of this room are loaded by what needs them
        from .forward import ForwardAccumulator

        return ForwardAccumulator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
