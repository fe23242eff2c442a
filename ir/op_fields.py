"""The fields of an op class, sorted by what they hold, and the constructor that stores them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .value_classes import NamedTuple


class OpFields(NamedTuple):
    """The names of an op class's fields by what they hold."""

    operands: tuple[str, ...]
    variadic: tuple[str, ...]
    regions: tuple[str, ...]
    attributes: tuple[str, ...]
    annotations: Mapping[str, str]  # of all fields, as they are written, in order
    plain: bool  # the operands come first, and are one value each


_OPERAND, _VARIADIC = ("Value", "Value | None"), "tuple[Value, ...]"


def op_fields(annotations: Mapping[str, str]) -> OpFields:
    """Sort the fields of an op class by their annotations."""
    named = list(annotations.items())
    operands = tuple(n for n, t in named if t in _OPERAND or t == _VARIADIC)
    return OpFields(
        operands,
        tuple(n for n, t in named if t == _VARIADIC),
        tuple(n for n, t in named if t == "Function"),
        tuple(n for n, t in named if t not in (*_OPERAND, _VARIADIC, "Function")),
        annotations,
        all(t == "Value" for _, t in named[: len(operands)]),
    )


def constructor(spec: OpFields, checks: bool) -> Any:
    """An `__init__` that stores the fields, and the operands and regions as tuples; then
    `__post_init__` runs where a class has one, as in dataclasses.

    It is written as text, like those of dataclasses, but with plain stores: ops are made by the
    thousand. That nobody stores to a finished op is left to the type checker.
    """
    one = {
        "Value": "{0}, ",
        "Value | None": "*(() if {0} is None else ({0},)), ",
        _VARIADIC: "*{0}, ",
    }
    operands = "".join(one[spec.annotations[name]].format(name) for name in spec.operands)
    stores = [f"self.{name} = {name}" for name in spec.annotations]
    stores.append(f"self.operands = ({operands})")
    if spec.regions:
        stores.append(f"self.regions = ({', '.join(spec.regions)},)")
    if checks:
        stores.append("self.__post_init__()")
    names = ", ".join(["self", *spec.annotations])
    scope: dict[str, Any] = {}
    exec(f"def __init__({names}):\n    " + "\n    ".join(stores), scope)
    return scope["__init__"]
