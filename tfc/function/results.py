"""What a traced Python function returns: tensors, and how they are nested."""

from __future__ import annotations

from typing import Any

from ..core import nest
from ..core.containers import Composite
from ..core.context import user_location
from ..core.conversion import convert_to_tensor
from ..core.nest import Structure
from ..core.nest import decompose_composites as decompose


def with_parts(result: Any) -> Any:
    """A result in which what only the caller can use, such as a dataset of what the function
    computes, is a composite of the tensors that it needs (`_as_result`)."""
    leaves, structure = nest.decompose(result)
    if not any(hasattr(type(leaf), "_as_result") for leaf in leaves):
        return result
    return structure.pack([x._as_result() if hasattr(type(x), "_as_result") else x for x in leaves])


def as_result(leaf: Any, name: str) -> Any:
    """What the Python function returned, as a tensor."""
    try:
        return convert_to_tensor(leaf)
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tf.function, Python functions must return zero or more Tensors "
            f"or ExtensionTypes or None values; in compilation of {name}, found return value of "
            f"type {type(leaf).__name__}, which is not a Tensor or ExtensionType: {leaf!r:.200} "
            f"({user_location()})"
        ) from None


def composites_of(result: Any) -> tuple[Structure, list[tuple[Any, Structure]]] | None:
    """Of a result in which something is made of tensors: how it is nested around these, and for
    each of its leaves the spec, where it is such and has one, and how its tensors are nested."""
    leaves, structure = nest.decompose(result)
    if not any(isinstance(leaf, Composite) for leaf in leaves):
        return None
    specs = [getattr(x, "_type_spec", None) if isinstance(x, Composite) else None for x in leaves]
    # What holds no tensors says all that is known of it.
    specs = [
        x if s is not None and not decompose(x)[1].count else s
        for s, x in zip(specs, leaves, strict=True)
    ]
    return structure, [(s, decompose(x)[1]) for s, x in zip(specs, leaves, strict=True)]


def is_flat(structure: Any, leaves: int) -> bool:
    return len(structure.paths()) == leaves and all(p.count("[") <= 1 for p in structure.paths())
