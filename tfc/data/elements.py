"""What datasets are made of: elements, their specs, and many of them at a time.

An element is a tuple of leaves: tensors, composites of tensors, datasets, or None. How they are
nested is said once, by the spec of the dataset. Many elements are a `Chunk`: columns, which are
tensors with a row for each element, or, where the elements cannot be stacked, a list of them.
"""

from __future__ import annotations

import functools
import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tfc.ir.dtypes import string

from ..core import blame, nest
from ..core.containers import Composite
from ..core.conversion import convert_to_tensor
from ..core.nest import Structure
from ..core.specs import TensorSpec
from ..core.tensor import StringTensor, SymbolicTensor, Tensor, wrap
from ..ops.array.joining import concat
from . import composites

Element = tuple[Any, ...]
Columns = tuple[Any, ...]


class NoneTensorSpec:
    """The spec of None where a tensor could be.

    >>> import tfc as tf
    >>> tf.data.Dataset.from_tensors((1, None)).element_spec[1]
    NoneTensorSpec()
    """

    value_type: Final = type(None)

    def is_compatible_with(self, value: Any) -> bool:
        """Whether something is None, or the spec of it."""
        return value is None or isinstance(value, NoneTensorSpec)

    def most_specific_compatible_type(self, other: Any) -> NoneTensorSpec:
        """The spec that covers two of them."""
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoneTensorSpec)

    def __hash__(self) -> int:
        return hash(NoneTensorSpec)

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


class ElementSpec:
    """What is known of the elements of a dataset: how they are nested, and a spec for each leaf."""

    def __init__(self, leaves: Iterable[Any], structure: Structure) -> None:
        self.leaves = tuple(leaves)
        self.structure = structure

    @classmethod
    def of(cls, nested: Any) -> ElementSpec:
        """Of a structure of specs."""
        leaves, structure = nest.decompose(nested)
        return cls(leaves, structure)

    @property
    def nested(self) -> Any:
        """The structure of specs, as users see it."""
        return self.structure.pack(self.leaves)

    @functools.cached_property
    def dense(self) -> bool:
        """Whether all leaves are tensors (of numbers or strings), and there is one."""
        return bool(self.leaves) and all(isinstance(leaf, TensorSpec) for leaf in self.leaves)

    @functools.cached_property
    def _parts(self) -> list[list[TensorSpec]] | None:
        """For each leaf the specs of the tensors that it is made of."""
        found = [composites.parts_of_spec(leaf) for leaf in self.leaves]
        known = [own for own in found if own is not None]
        return known if len(known) == len(found) else None

    @functools.cached_property
    def parts(self) -> tuple[TensorSpec, ...]:
        """The specs of the tensors that elements are made of, where these are `traceable`."""
        return tuple([part for own in self._parts or () for part in own])

    @property
    def traceable(self) -> bool:
        """Whether programs can take its elements: they are made of tensors of known ranks."""
        return bool(self.parts)

    @functools.cached_property
    def differs(self) -> bool:
        """Whether elements may differ in shape."""
        return not all(part.shape.is_fully_defined() for part in self.parts)

    def parts_of(self, element: Element) -> tuple[Any, ...]:
        """The tensors that an element is made of."""
        if self.dense:
            return element
        pairs = zip(self.leaves, element, strict=True)
        return tuple([part for s, leaf in pairs for part in composites.parts_of(s, leaf)])

    def put_together(self, parts: Iterable[Any]) -> Element:
        """The element that is made of these tensors."""
        if self.dense:
            return tuple(parts)
        rest = iter(parts)
        assert self._parts is not None
        return tuple(
            [
                composites.put_together(leaf, list(itertools.islice(rest, len(own))))
                for leaf, own in zip(self.leaves, self._parts, strict=True)
            ]
        )

    @property
    def size(self) -> int | None:
        """The bytes of an element; None where they are not known."""
        if not self.numeric or not all(leaf.shape.is_fully_defined() for leaf in self.leaves):
            return None
        return sum(leaf.dtype.itemsize * leaf.shape.num_elements() for leaf in self.leaves)

    @property
    def numeric(self) -> bool:
        """Whether native code can compute on its elements."""
        return self.dense and all(leaf.dtype is not string for leaf in self.leaves)

    @property
    def several(self) -> bool:
        """Whether functions get the parts of an element as arguments of their own."""
        return self.structure.type is tuple

    def map(self, change: Callable[[Any], Any]) -> ElementSpec:
        """With another spec for each leaf."""
        return ElementSpec([change(leaf) for leaf in self.leaves], self.structure)

    def arguments(self, leaves: Sequence[Any]) -> tuple[Any, ...]:
        """What a function is called with for an element."""
        packed = self.structure.pack(leaves)
        return packed if self.several else (packed,)

    def flat(self, packed: Any) -> Element:
        """The leaves of an element in its structure."""
        return tuple(nest.decompose(packed)[0])

    def merged(self, other: ElementSpec, what: str) -> ElementSpec:
        """The spec that covers the elements of two datasets.

        Raises:
            TypeError: If their structures or dtypes differ.
        """
        if not self.structure.resembles(other.structure):
            raise blame.type_error(
                f"Incompatible dataset elements: {self.nested} vs. {other.nested}", what
            )
        leaves = []
        for a, b in zip(self.leaves, other.leaves, strict=True):
            if type(a) is not type(b) or getattr(a, "dtype", None) is not getattr(b, "dtype", None):
                raise blame.type_error(
                    f"Incompatible dataset elements: {self.nested} vs. {other.nested}", what
                )
            leaves.append(a if a == b else a.most_specific_compatible_type(b))
        return ElementSpec(leaves, self.structure)

    def covers(self, other: ElementSpec) -> bool:
        """Whether elements of another spec may stand where this one does."""
        if self == other:
            return True
        if not self.structure.resembles(other.structure):
            return False
        pairs = zip(self.leaves, other.leaves, strict=True)
        return all(mine.is_compatible_with(its) for mine, its in pairs)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ElementSpec)
            and self.structure == other.structure
            and self.leaves == other.leaves
        )

    def __hash__(self) -> int:
        return hash((self.structure, self.leaves))

    def __repr__(self) -> str:
        return repr(self.nested)


def stacked_spec(spec: Any, count: int | None) -> Any:
    """The spec of so many leaves of a spec along a new first axis."""
    if isinstance(spec, TensorSpec):
        shape = [count, *spec.shape] if spec.shape.rank is not None else None
        return TensorSpec(shape, spec.dtype)
    return composites.batched_spec(spec, count)


def row_spec(spec: Any) -> Any:
    """The spec of the rows of a leaf."""
    if isinstance(spec, TensorSpec):
        return TensorSpec(spec.shape[1:] if spec.shape.rank is not None else None, spec.dtype)
    return composites.unbatched_spec(spec)


def spec_of(leaf: Any) -> Any:
    """The spec of a leaf."""
    if leaf is None:
        return NoneTensorSpec()
    if isinstance(leaf, SymbolicTensor):
        shape = leaf.shape
        return TensorSpec(None if shape.rank is None else shape.as_list(), leaf.dtype)
    if isinstance(leaf, Tensor | StringTensor):
        return TensorSpec(leaf.shape, leaf.dtype)
    return leaf._type_spec


def _is_leaf(value: Any) -> bool:
    return value is None or isinstance(value, Composite) or hasattr(type(value), "_type_spec")


def _without_lists(value: Any) -> Any:
    """A structure whose lists are tensors, as they are in the elements of datasets."""
    if isinstance(value, list):
        return convert_to_tensor(value)
    if isinstance(value, tuple):
        return nest.like(value, [_without_lists(item) for item in value])
    if type(value) is dict:
        return {key: _without_lists(item) for key, item in value.items()}
    if isinstance(value, Mapping):
        items = {key: _without_lists(value[key]) for key in value}
        return OrderedDict(items) if isinstance(value, OrderedDict) else items
    return value


def element_of(value: Any) -> tuple[Element, Structure]:
    """The leaves of what a user gives as an element, as tensors, and how they are nested."""
    try:
        value = _without_lists(value)
    except RecursionError:
        raise ValueError("an element is nested too deep, or holds itself") from None
    leaves, structure = nest.decompose(value)
    return tuple([x if _is_leaf(x) else convert_to_tensor(x) for x in leaves]), structure


def result_of(value: Any) -> tuple[Element, Structure]:
    """As `element_of`, of what a user's function returns: a list is a tuple there, whose items need
    not fit together."""
    return element_of(tuple(value) if isinstance(value, list) else value)


def shapes_along(shapes: Any, structure: Structure) -> list[Any]:
    """The shape for each leaf of a structure: what stands there is not looked into."""
    if structure.is_leaf:
        return [shapes]
    if isinstance(shapes, Mapping):
        parts: list[Any] = [shapes[key] for key in sorted(shapes)]
    else:
        parts = list(shapes)
    pairs = zip(parts, structure.children, strict=True)
    return [shape for part, child in pairs for shape in shapes_along(part, child)]


# Many elements.


class Chunk:
    """Some elements of one dataset, in order."""

    def __len__(self) -> int:
        raise NotImplementedError

    def element(self, i: int) -> Element:
        """One of them."""
        raise NotImplementedError

    def elements(self) -> list[Element]:
        """All of them."""
        return [self.element(i) for i in range(len(self))]

    def separate(self) -> list[Element]:
        """All of them, each with memory of its own: for what keeps some longer than others."""
        return self.elements()

    def columns(self) -> Columns | None:
        """They as tensors with a row for each; None where they differ in shape, or where a leaf is
        no tensor."""
        raise NotImplementedError

    def part(self, start: int, stop: int) -> Chunk:
        """Those from `start` up to `stop`."""
        raise NotImplementedError

    def kept(self, mask: np.ndarray) -> Chunk:
        """Those that a vector of bools chooses."""
        raise NotImplementedError


class Stacked(Chunk):
    """Elements as the rows of tensors."""

    def __init__(self, columns: Columns, count: int) -> None:
        self._columns, self._count = columns, count
        self._arrays = [column._array for column in columns]

    def __len__(self) -> int:
        return self._count

    def element(self, i: int) -> Element:
        return tuple([wrap(np.asarray(array[i, ...])) for array in self._arrays])

    def separate(self) -> list[Element]:
        if self._count == 1:
            return self.elements()
        arrays = self._arrays
        return [tuple([wrap(array[i, ...].copy()) for array in arrays]) for i in range(self._count)]

    def columns(self) -> Columns:
        return self._columns

    def part(self, start: int, stop: int) -> Chunk:
        rows = tuple([wrap(array[start:stop]) for array in self._arrays])
        return Stacked(rows, max(0, min(stop, self._count) - start))

    def kept(self, mask: np.ndarray) -> Chunk:
        return Stacked(tuple([wrap(array[mask]) for array in self._arrays]), int(mask.sum()))

    def rows(self, order: np.ndarray) -> Chunk:
        """The elements at these places, in this order."""
        return Stacked(tuple([wrap(array[order]) for array in self._arrays]), len(order))


class Loose(Chunk):
    """Elements one by one."""

    def __init__(self, elements: list[Element]) -> None:
        self._elements = elements

    def __len__(self) -> int:
        return len(self._elements)

    def element(self, i: int) -> Element:
        return self._elements[i]

    def elements(self) -> list[Element]:
        return self._elements

    def columns(self) -> Columns | None:
        found = []
        for leaves in zip(*self._elements, strict=True):
            if not all(isinstance(leaf, Tensor | StringTensor) for leaf in leaves):
                return None
            if len({leaf._array.shape for leaf in leaves}) > 1:
                return None
            found.append(wrap(np.stack([leaf._array for leaf in leaves])))
        return tuple(found)

    def part(self, start: int, stop: int) -> Chunk:
        return Loose(self._elements[start:stop])

    def kept(self, mask: np.ndarray) -> Chunk:
        return Loose([e for e, keep in zip(self._elements, mask, strict=True) if keep])


NOTHING: Final[Chunk] = Loose([])


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """The elements of several chunks as one."""
    if len(chunks) == 1:
        return chunks[0]
    if not chunks:
        return NOTHING
    if all(isinstance(chunk, Stacked) for chunk in chunks):
        columns = list(zip(*[chunk.columns() or () for chunk in chunks], strict=True))
        if all(len({x._array.shape[1:] for x in column}) == 1 for column in columns):
            whole = tuple([concat(list(column), 0) for column in columns])
            return Stacked(whole, sum(map(len, chunks)))
    return Loose([element for chunk in chunks for element in chunk.elements()])


__all__ = [
    "NOTHING",
    "Chunk",
    "Columns",
    "Element",
    "ElementSpec",
    "Loose",
    "NoneTensorSpec",
    "Stacked",
    "element_of",
    "joined",
    "row_spec",
    "shapes_along",
    "spec_of",
    "stacked_spec",
]
