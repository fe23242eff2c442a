"""`tensorflow.python.util.nest`: the public functions, those of structures up to another one's
leaves, and those that say where a leaf is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tfc.core.containers import KINDS, Composite, DataclassKind
from tfc.core.nest import (
    assert_same_structure,
    flatten,
    is_nested,
    map_structure,
    pack_sequence_as,
)

Path = tuple[Any, ...]
is_nested_or_composite = is_nested


def _taken_apart(value: Any, expand_composites: bool = False) -> Any:
    """What is made of tensors as a container of these, where it shall be."""
    if expand_composites and isinstance(value, Composite):
        return value._parts()
    return value


def _yield_value(iterable: Any) -> Iterator[Any]:
    for _, value in _yield_sorted_items(iterable):
        yield value


def _yield_sorted_items(iterable: Any) -> Iterator[tuple[Any, Any]]:
    """The children of a container, each with its key, field or number."""
    kind = KINDS[type(iterable)]
    assert kind is not None, "a leaf has no children"
    keys = kind.keys(iterable)
    children = kind.children(iterable, keys)
    if _is_namedtuple(iterable):
        keys = type(iterable)._fields
    elif isinstance(kind, DataclassKind):
        keys = kind.names
    elif not isinstance(iterable, Mapping):
        keys = tuple(range(len(children)))
    yield from zip(keys, children, strict=True)


def _is_namedtuple(instance: Any, strict: bool = False) -> bool:
    return isinstance(instance, tuple) and hasattr(type(instance), "_fields")


def _sequence_like(instance: Any, args: Any) -> Any:
    """A container like another, with these children."""
    kind = KINDS[type(instance)]
    assert kind is not None, "a leaf has no children"
    return kind.join(kind.keys(instance), list(args), kind.extra(instance))


def assert_shallow_structure(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Raises unless one structure begins as another one is.

    Raises:
        TypeError: A leaf stands for a container, or a container is of another class.
        ValueError: Numbers of children or keys differ.
    """
    shallow = _taken_apart(shallow_tree, expand_composites)
    deep = _taken_apart(input_tree, expand_composites)
    if not is_nested(shallow):
        return
    if not is_nested(deep):
        raise TypeError(
            f"If shallow structure is a sequence, input must also be a sequence. Input has type: "
            f"{type(deep)}."
        )
    mappings = isinstance(shallow, Mapping) and isinstance(deep, Mapping)
    tuples = _is_namedtuple(shallow) and _is_namedtuple(deep)
    alike = mappings or (
        tuples
        and type(shallow).__name__ == type(deep).__name__
        and type(shallow)._fields == type(deep)._fields
    )
    if check_types and type(shallow) is not type(deep) and not alike:
        raise TypeError(
            f"The two structures don't have the same sequence type. Input structure has type "
            f"{type(deep)}, while shallow structure has type {type(shallow)}."
        )
    own, theirs = list(_yield_sorted_items(shallow)), list(_yield_sorted_items(deep))
    if len(own) != len(theirs):
        raise ValueError(
            f"The two structures don't have the same sequence length. Input structure has length "
            f"{len(theirs)}, while shallow structure has length {len(own)}."
        )
    if mappings and check_types:
        absent = [key for key, _ in own if key not in deep]
        if absent:
            raise ValueError(
                f"The two structures don't have the same keys. Input structure has keys "
                f"{list(deep)}, while shallow structure has keys {list(shallow)}."
            )
    for (_, a), (_, b) in zip(own, theirs, strict=True):
        assert_shallow_structure(a, b, check_types, expand_composites)


def _up_to(shallow: Any, deep: Any, expand: bool, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    shallow = _taken_apart(shallow, expand)
    if not is_nested(shallow):
        yield path, deep
        return
    deep = _taken_apart(deep, expand)
    for (key, a), (_, b) in zip(
        _yield_sorted_items(shallow), _yield_sorted_items(deep), strict=True
    ):
        yield from _up_to(a, b, expand, (*path, key))


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> list[tuple[Path, Any]]:
    """What stands at the leaves of another structure, each with its path."""
    assert_shallow_structure(shallow_tree, input_tree, check_types, expand_composites)
    return list(_up_to(shallow_tree, input_tree, expand_composites))


def flatten_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> list[Any]:
    """What stands at the leaves of another structure."""
    pairs = flatten_with_tuple_paths_up_to(shallow_tree, input_tree, check_types, expand_composites)
    return [value for _, value in pairs]


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any,
    func: Callable[..., Any],
    *inputs: Any,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Any:
    """A function of each leaf's path and of what structures have there, in the shallow structure.

    Raises:
        ValueError: No structures are given.
    """
    if not inputs:
        raise ValueError("Cannot map over no sequences")
    columns = [
        flatten_with_tuple_paths_up_to(shallow_tree, value, check_types, expand_composites)
        for value in inputs
    ]
    results = [func(row[0][0], *(v for _, v in row)) for row in zip(*columns, strict=True)]
    return pack_sequence_as(shallow_tree, results, expand_composites)


def map_structure_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, **options: Any
) -> Any:
    """A function of what structures have at the leaves of a shallow one, in its structure."""
    return map_structure_with_tuple_paths_up_to(
        shallow_tree, lambda _, *values: func(*values), *inputs, **options
    )


def flatten_with_tuple_paths(structure: Any, expand_composites: bool = False) -> list[Any]:
    """Pairs of a leaf's path and the leaf."""
    return list(_up_to(structure, structure, expand_composites))


def yield_flat_paths(structure: Any, expand_composites: bool = False) -> Iterator[Path]:
    """The paths of the leaves."""
    for path, _ in _up_to(structure, structure, expand_composites):
        yield path


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[Any]:
    """Pairs of a leaf's path as text and the leaf."""
    pairs = _up_to(structure, structure, expand_composites)
    return [(separator.join(map(str, path)), value) for path, value in pairs]


def map_structure_with_tuple_paths(
    func: Callable[..., Any], *structures: Any, **options: Any
) -> Any:
    """A function of each leaf's path and the leaves there."""
    options.setdefault("check_types", True)
    for other in structures[1:]:
        assert_same_structure(structures[0], other, options["check_types"])
    return map_structure_with_tuple_paths_up_to(structures[0], func, *structures, **options)


def map_structure_with_paths(func: Callable[..., Any], *structures: Any, **options: Any) -> Any:
    """A function of each leaf's path as text and the leaves there."""
    return map_structure_with_tuple_paths(
        lambda path, *values: func("/".join(map(str, path)), *values), *structures, **options
    )


def get_traverse_shallow_structure(
    traverse_fn: Callable[[Any], Any], structure: Any, expand_composites: bool = False
) -> Any:
    """A shallow structure of bools: what the function says is gone into, or not.

    Raises:
        TypeError: The function gives something else than bools.
    """
    goes = traverse_fn(structure)
    value = _taken_apart(structure, expand_composites)
    if not is_nested(value):
        if not isinstance(goes, bool):
            raise TypeError(f"traverse_fn returned {goes!r} for a leaf, and a bool is wanted")
        return goes
    if isinstance(goes, bool):
        if not goes:
            return False
        wanted = [True] * len(list(_yield_value(value)))
    else:
        assert_shallow_structure(goes, value)
        wanted = list(_yield_value(goes))
    level = [
        get_traverse_shallow_structure(traverse_fn, child, expand_composites) if enter else False
        for enter, child in zip(wanted, _yield_value(value), strict=True)
    ]
    return _sequence_like(value, level)


def is_mapping(value: Any) -> bool:
    """Whether it is a mapping."""
    return isinstance(value, Mapping)


__all__ = [
    "assert_same_structure",
    "assert_shallow_structure",
    "flatten",
    "flatten_up_to",
    "flatten_with_joined_string_paths",
    "flatten_with_tuple_paths",
    "flatten_with_tuple_paths_up_to",
    "get_traverse_shallow_structure",
    "is_mapping",
    "is_nested",
    "map_structure",
    "map_structure_up_to",
    "map_structure_with_paths",
    "map_structure_with_tuple_paths",
    "map_structure_with_tuple_paths_up_to",
    "pack_sequence_as",
    "yield_flat_paths",
]
