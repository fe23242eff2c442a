"""Derivatives: the tape, its backward programs, custom gradients and Jacobians, and
`ForwardAccumulator`, which is public, and the tape, which is `tf.GradientTape`."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .forward import ForwardAccumulator
    from .tape import GradientTape

__all__ = ["ForwardAccumulator", "GradientTape"]


def __getattr__(name: str) -> Any:
    if name == "ForwardAccumulator":  # modules of this room are loaded by what needs them
        from .forward import ForwardAccumulator

        return ForwardAccumulator
    if name == "GradientTape":
        from .tape import GradientTape

        return GradientTape
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
