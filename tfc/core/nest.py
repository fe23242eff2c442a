"""Nested structures: tuples, named tuples, lists, dicts and dataclasses with leaves in them.

Anything else, None included, is a leaf. Dicts are flattened in the order of their sorted keys, as
in TensorFlow, so that two dicts with the same items are one structure. A dataclass is a node whose
children are its fields; putting one together again sets the fields and does not run `__init__`,
since its checks may not be fit for the placeholders of a trace. A class may say otherwise: its
`__tf_flatten__` gives what is static about it and what it holds, `__tf_unflatten__` takes the two.

    >>> flatten({"b": [1, 2], "a": (3, None)})
    [3, None, 1, 2]
    >>> leaves, structure = decompose({"b": [1, 2], "a": (3, None)})
    >>> structure
    Structure({'b': [*, *], 'a': (*, *)})
    >>> structure.pack([30, 40, 10, 20])
    {'b': [10, 20], 'a': (30, 40)}
    >>> map_structure(lambda x, y: x + y, (1, [2]), (10, [20]))
    (11, [22])
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from .containers import (
    KINDS,
    Composite,
    ExpandedKind,
    Kind,
    MappingKind,
    NamedTupleKind,
    SequenceKind,
)

__all__ = [
    "Structure",
    "assert_same_structure",
    "decompose",
    "flatten",
    "is_nested",
    "map_structure",
    "pack_sequence_as",
]


class Structure:
    """The shape of a nested value without its leaves: hashable, comparable, printable.

    Two structures are equal if they have the same containers (class, number of items, keys) at
    the same places. The order in which a dict was filled makes no difference.

    >>> leaves, structure = decompose({"a": 1, "b": (2, 3)})
    >>> structure == decompose({"b": (0, 0), "a": 0})[1], structure.count, structure.paths()
    (True, 3, ["['a']", "['b'][0]", "['b'][1]"])
    """

    __slots__ = ("_extra", "_flat", "_hash", "_key", "_keys", "_kind", "children", "count")

    def __init__(
        self,
        kind: Kind | None,
        keys: tuple[Any, ...] = (),
        children: tuple[Structure, ...] = (),
        extra: Any = None,
    ) -> None:
        self._kind = kind
        self._keys = keys
        self._extra = extra
        self.children = children
        self.count: int = 1 if kind is None else sum([child.count for child in children])
        self._flat = kind is not None and all([child._kind is None for child in children])
        self._key = (None if kind is None else kind.cls, keys, children)
        self._hash = hash(self._key)

    @property
    def is_leaf(self) -> bool:
        return self._kind is None

    @property
    def type(self) -> type | None:
        """The container's class; None for a leaf."""
        return None if self._kind is None else self._kind.cls

    def resembles(self, other: Structure) -> bool:
        """Whether they are equal where any two mappings with the same keys are."""
        if self == other:
            return True
        both = isinstance(self._kind, MappingKind) and isinstance(other._kind, MappingKind)
        same = (both or self.type is other.type) and self._keys == other._keys
        return (
            same
            and len(self.children) == len(other.children)
            and all(a.resembles(b) for a, b in zip(self.children, other.children, strict=True))
        )

    def pack(self, leaves: Sequence[Any]) -> Any:
        """The value of this structure with the given leaves."""
        if len(leaves) != self.count:
            raise ValueError(f"{self} has {self.count} leaves, but {len(leaves)} were given")
        kind = self._kind
        if kind is None:
            return leaves[0]
        if self._flat:
            return kind.join(self._keys, list(leaves), self._extra)
        return self._pack(iter(leaves))

    def _pack(self, leaves: Iterator[Any]) -> Any:
        if self._kind is None:
            return next(leaves)
        return self._kind.join(self._keys, [c._pack(leaves) for c in self.children], self._extra)

    def pack_parts(self, leaves: Sequence[Any]) -> Any:
        """As `pack`, but what was taken apart for its tensors stays its parts: for leaves that
        are none."""
        return self._pack_parts(iter(leaves))

    def _pack_parts(self, leaves: Iterator[Any]) -> Any:
        kind = self._kind
        if kind is None:
            return next(leaves)
        children = [c._pack_parts(leaves) for c in self.children]
        join = SequenceKind(kind.cls).join if isinstance(kind, ExpandedKind) else kind.join
        return join(self._keys, children, self._extra)

    def paths(self, prefix: str = "") -> list[str]:
        """For each leaf the Python code that gets at it.

        >>> decompose({"layers": [(1, 2)]})[1].paths("model")
        ["model['layers'][0][0]", "model['layers'][0][1]"]
        """
        kind = self._kind
        if kind is None:
            return [prefix]
        found: list[str] = []
        for i, child in enumerate(self.children):
            found += child.paths(prefix + kind.step(self._keys, i))
        return found

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Structure) and self._hash == other._hash and self._key == other._key
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"Structure({self.pack_parts([_STAR] * self.count)!r})"


class _Star:
    """What stands for a leaf where a structure is printed."""

    def __repr__(self) -> str:
        return "*"


_STAR: Final = _Star()
LEAF: Final = Structure(None)

_TOO_DEEP: Final = "a structure is nested too deep, or holds itself"

# Structures of flat tuples and lists, by class and length: nearly all that functions are given.
_FLAT: Final[dict[tuple[type, int], Structure]] = {}
_FLAT_LIMIT: Final = 4096


def decompose(value: Any) -> tuple[list[Any], Structure]:
    """The leaves of a value in order, and its structure.

    Args:
        value: Anything; what is no container is a leaf.

    Returns:
        A pair of a list, and a Structure, whose `pack` puts such a list together again.

    Raises:
        ValueError: If it is nested too deep, or holds itself.
        TypeError: If the keys of a dictionary cannot be sorted.

    >>> decompose([1, (2, None)])
    ([1, 2, None], Structure([*, (*, *)]))
    """
    leaves: list[Any] = []
    try:
        return leaves, _decompose(value, leaves)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def _decompose(value: Any, leaves: list[Any]) -> Structure:
    cls = type(value)
    kind = KINDS[cls]
    if kind is None:
        leaves.append(value)
        return LEAF
    if cls is tuple or cls is list:
        kinds = KINDS
        for item in value:
            if kinds[type(item)] is not None:
                break
        else:
            leaves += value
            key = (cls, len(value))
            known = _FLAT.get(key)
            if known is None:
                known = Structure(kind, (), (LEAF,) * len(value))
                if len(_FLAT) < _FLAT_LIMIT:
                    _FLAT[key] = known
            return known
    keys = kind.keys(value)
    children = tuple([_decompose(item, leaves) for item in kind.children(value, keys)])
    return Structure(kind, keys, children, kind.extra(value))


def decompose_composites(value: Any) -> tuple[list[Any], Structure]:
    """As `decompose`, but what is made of tensors has these as leaves: what functions and control
    flow take and give."""
    leaves, structure = decompose(value)
    if not any(isinstance(leaf, Composite) for leaf in leaves):
        return leaves, structure
    expanded = [leaf._parts() if isinstance(leaf, Composite) else leaf for leaf in leaves]
    return decompose(structure.pack(expanded))


def open_in_loops(value: Any) -> list[tuple[Any, Any]]:
    """The tensors of ragged and sparse ones in a structure whose extents rounds of a loop may
    change, with the shapes that say which."""
    leaves = decompose(value)[0]
    return [pair for x in leaves if isinstance(x, Composite) for pair in x._open_in_loops()]


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure in order.

    Args:
        structure: Anything; what is no container is a leaf.
        expand_composites: Whether what is made of tensors (ragged and sparse ones) is a container
            of these.

    Returns:
        A list; of a leaf alone, a list of one.

    Raises:
        ValueError: If it is nested too deep, or holds itself.
        TypeError: If the keys of a dictionary cannot be sorted.

    >>> flatten(7), flatten(()), flatten([(1, 2), {"k": 3}])
    ([7], [], [1, 2, 3])
    """
    if expand_composites:
        return decompose_composites(structure)[0]
    leaves: list[Any] = []
    try:
        _flatten(structure, leaves)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return leaves


def _flatten(value: Any, leaves: list[Any]) -> None:
    kind = KINDS[type(value)]
    if kind is None:
        leaves.append(value)
        return
    kinds = KINDS
    for item in kind.children(value, kind.keys(value)):
        if kinds[type(item)] is None:
            leaves.append(item)
        else:
            _flatten(item, leaves)


def is_nested(seq: Any) -> bool:
    """Whether something is a container rather than a leaf.

    Args:
        seq: Anything.

    Returns:
        A bool.

    >>> is_nested([]), is_nested("text"), is_nested(None)
    (True, False, False)
    """
    return KINDS[type(seq)] is not None


def like(sequence: tuple[Any, ...], items: list[Any]) -> Any:
    """A tuple, or a named one, of the class of another, with these items."""
    return KINDS[type(sequence)].join((), items, None)  # type: ignore[union-attr]


def pack_one_level(sequence: Any, items: Sequence[Any]) -> Any:
    """A list, tuple or named tuple of the class of another, with these items."""
    kind = KINDS[type(sequence)]
    assert kind is not None, "a leaf holds nothing"
    return kind.join((), list(items), None)


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """A structure with its leaves replaced, in order.

    Args:
        structure: The structure; its leaves are not looked at.
        flat_sequence: A list or tuple of as many new leaves.
        expand_composites: Whether what is made of tensors is a container of these.

    Returns:
        The same structure with these.

    Raises:
        ValueError: If there is another number of them.
        TypeError: If `flat_sequence` is something else.

    >>> pack_sequence_as({"a": 0, "b": (0, 0)}, [1, 2, 3])
    {'a': 1, 'b': (2, 3)}
    """
    if not isinstance(flat_sequence, list | tuple):
        raise TypeError(
            f"Attempted to pack value:\n  {flat_sequence}\ninto a structure, but found "
            f"incompatible type `{type(flat_sequence)}` instead."
        )
    target = _decomposed(structure, expand_composites)[1]
    if target.is_leaf and len(flat_sequence) != 1:
        raise ValueError(
            f"The target structure is of type `{type(structure)}`\n  {structure}\nHowever the "
            f"input is a sequence ({type(flat_sequence)}) of length {len(flat_sequence)}.\n  "
            f"{flat_sequence}\nnest cannot guarantee that it is safe to map one to the other."
        )
    if len(flat_sequence) != target.count:
        raise ValueError(
            f"Could not pack sequence. Structure had {target.count} atoms, but flat_sequence had "
            f"{len(flat_sequence)} items.  Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return target.pack(flat_sequence)


def _decomposed(value: Any, expand_composites: bool) -> tuple[list[Any], Structure]:
    return decompose_composites(value) if expand_composites else decompose(value)


def map_structure(
    func: Callable[..., Any],
    *structures: Any,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Any:
    """A function applied to the leaves that stand at the same place in each of several structures.

    Args:
        func: A function of as many leaves as there are structures.
        *structures: One structure or more.
        check_types: Whether containers must be of one class; otherwise a list may stand beside a
            tuple.
        expand_composites: Whether what is made of tensors is a container of these.

    Returns:
        What it gave, in the structure of the first.

    Raises:
        ValueError: If the structures differ, or there is none.
        TypeError: If they differ in the classes of containers alone, or `func` cannot be called.

    >>> map_structure(lambda x, y: x * y, {"a": 2, "b": [3]}, {"a": 10, "b": [100]})
    {'a': 20, 'b': [300]}
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structures:
        raise ValueError("Must provide at least one structure")
    leaves, first = _decomposed(structures[0], expand_composites)
    if len(structures) == 1:
        return first.pack([func(leaf) for leaf in leaves])
    columns = [leaves]
    for other in structures[1:]:
        others, structure = _decomposed(other, expand_composites)
        if structure != first:
            assert_same_structure(structures[0], other, check_types, expand_composites)
        columns.append(others)
    return first.pack([func(*row) for row in zip(*columns, strict=True)])


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Check that two values have the same structure.

    Args:
        nest1: Anything.
        nest2: Anything.
        check_types: Whether containers must be of one class.
        expand_composites: Whether what is made of tensors is a container of these.

    Raises:
        ValueError: If they differ in nesting, length or keys.
        TypeError: If they differ in the classes of containers alone.

    >>> assert_same_structure([1, 2], (3, 4), check_types=False)
    >>> assert_same_structure([1, 2], [3])
    Traceback (most recent call last):
    ValueError: The two structures don't have the same nested structure.
    ...
    """
    first, second = (_decomposed(n, expand_composites)[1] for n in (nest1, nest2))
    if first == second:
        return
    found = _difference(first, second, check_types, "", (nest1, nest2))
    if found is None:
        return
    error, reason = found
    raise error(
        "The two structures don't have the same nested structure.\n\n"
        f"First structure: type={type(nest1).__name__} str={nest1}\n\n"
        f"Second structure: type={type(nest2).__name__} str={nest2}\n\n"
        f"More specifically: {reason}"
    )


def _difference(
    a: Structure, b: Structure, check_types: bool, path: str, values: tuple[Any, Any]
) -> tuple[type[Exception], str] | None:
    """The first place where two structures differ, and which exception that is. `values` are
    what has the structures, where that is known."""
    where = f" at {path}" if path else ""
    one, other = (_described(v) for v in values)
    if a._kind is None or b._kind is None:
        if a._kind is b._kind:
            return None
        nested, leaf = (one, other) if b._kind is None else (other, one)
        said = f'Substructure "{nested}" is a sequence, while substructure "{leaf}" is not{where}'
        return ValueError, said
    mappings = isinstance(a._kind, MappingKind), isinstance(b._kind, MappingKind)
    if check_types and a.type is not b.type and not all(mappings) and not _same_fields(a, b):
        # TensorFlow takes any two mappings for the same type.
        said = f"First structure {one} has type {_name(a)}, while second structure {other} has"
        same = "The two structures don't have the same sequence type"
        return TypeError, f"{same}{where}. {said} type {_name(b)}"
    if all(mappings) and a._keys != b._keys:
        said = f"The two dictionaries don't have the same set of keys{where}. First structure has"
        return ValueError, f"{said} keys {list(a._keys)}, while second has {list(b._keys)}"
    if len(a.children) != len(b.children):
        said = f"The two structures don't have the same number of elements{where}. First structure"
        return ValueError, f"{said}: {one}. Second structure: {other}"
    inner = [_children(s, v) for s, v in zip((a, b), values, strict=True)]
    for i, (left, right) in enumerate(zip(a.children, b.children, strict=True)):
        below = inner[0][i], inner[1][i]
        found = _difference(left, right, check_types, path + a._kind.step(a._keys, i), below)
        if found is not None:
            return found
    return None


def _described(value: Any) -> str:
    return f"type={type(value).__name__} str={value}"


def _children(structure: Structure, value: Any) -> list[Any]:
    """What a value of a structure holds; a composite is all that is shown of its parts."""
    kind = KINDS[type(value)]
    if kind is None:
        return [value] * len(structure.children)
    return list(kind.children(value, kind.keys(value)))


def _same_fields(a: Structure, b: Structure) -> bool:
    """Whether both are named tuples of one name and the same fields, if perhaps of two classes."""
    if not isinstance(a._kind, NamedTupleKind) or not isinstance(b._kind, NamedTupleKind):
        return False
    fields = [kind.cls._fields for kind in (a._kind, b._kind)]  # type: ignore[attr-defined]
    return fields[0] == fields[1] and _name(a) == _name(b)


def _name(structure: Structure) -> str:
    return "leaf" if structure.type is None else structure.type.__name__
