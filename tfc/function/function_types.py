"""What a function takes and gives, as a signature with a spec for each tensor."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ..core.tensor import Tensor
from ..core.type_specs import TypeSpec
from ..core.variable import Variable

_Parameter = inspect.Parameter
_EMPTY = _Parameter.empty


class _Text:
    """What is written in a signature."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


_CAPTURED = _Text("<captured_default_value>")


class FunctionType(inspect.Signature):
    """The signature of a function, in which annotations say of what type arguments are: specs of
    tensors, and the values of all else.

    >>> import tfc as tf
    >>> f = tf.function(lambda x, n=2: x * n)
    >>> print(f.function_type)
    (x, n=<captured_default_value>)
    >>> print(f.get_concrete_function(tf.TensorSpec([None])).function_type.parameters["n"])
    n: Literal[2]
    """

    @property
    def output(self) -> Any:
        """The type of what is returned; None where it is not known."""
        found = self.return_annotation
        return None if found is _EMPTY else found

    def __repr__(self) -> str:
        rows = [
            f"  {p.name} ({p.kind.name}): {None if p.annotation is _EMPTY else p.annotation!r}"
            for p in self.parameters.values()
        ]
        inputs = "\n".join(rows) or "  None"
        return f"Input Parameters:\n{inputs}\nOutput Type:\n  {self.output!r}\nCaptures:\n  None"


def of_function(signature: inspect.Signature, specs: Sequence[Any] | None) -> FunctionType:
    """The type of a function that is not traced: with the types that an input_signature states."""
    stated = iter(specs or ())
    found = []
    for p in signature.parameters.values():
        own = p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
        type_ = next(stated, _EMPTY) if own else _EMPTY
        default = _EMPTY if p.default is _EMPTY else _CAPTURED
        annotation = _EMPTY if type_ is _EMPTY else constraint(type_)
        found.append(p.replace(annotation=annotation, default=default))
    return FunctionType(found)


def of_trace(
    signature: inspect.Signature,
    names: Sequence[str],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    outputs: Any,
) -> FunctionType:
    """The type of a concrete function: of its arguments by name, and its results."""
    kinds = [p.kind for p in signature.parameters.values()]
    own = sum(k in (_Parameter.POSITIONAL_ONLY, _Parameter.POSITIONAL_OR_KEYWORD) for k in kinds)
    parts = []
    for i, (name, value) in enumerate(zip(names, args, strict=False)):
        kind = _Parameter.POSITIONAL_ONLY if len(args) > own else kinds[i]
        parts.append(_Parameter(name, kind, annotation=constraint(value)))
    for name, value in kwargs.items():
        parts.append(_Parameter(name, _Parameter.KEYWORD_ONLY, annotation=constraint(value)))
    return FunctionType(parts, return_annotation=constraint(outputs))


def constraint(value: Any) -> Any:
    """The type of a value: a spec, a structure of types, or that it is this one."""
    if isinstance(value, TypeSpec):
        return value
    if isinstance(value, Tensor | Variable):
        return getattr(value, "_type_spec", value)
    if isinstance(value, Mapping):
        rows = ", ".join(f"[{k!r}, {constraint(v)!r}]" for k, v in value.items())
        return _Text(f"Dict[{rows}]")
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        pairs = zip(value._fields, value, strict=True)
        inner = ", ".join(f"[{k!r}, {constraint(v)!r}]" for k, v in pairs)
        return _Text(f"{type(value).__name__}[{inner}]")
    if isinstance(value, list | tuple):
        kind = "List" if isinstance(value, list) else "Tuple"
        return _Text(f"{kind}[{', '.join(repr(constraint(v)) for v in value)}]")
    return _Text(f"Literal[{value!r}]")


__all__ = ["FunctionType", "of_function", "of_trace"]
