"""`Optional`: an element, or that there is none; and the specs of these and of iterators."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from tfc.ir.dtypes import bool_, int64

from ..core import blame
from ..core.containers import Composite, Expanded
from ..core.conversion import convert_to_tensor
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor
from ..core.type_specs import TypeSpec, of_ranks
from ..ops.array.checks import Assert
from ..ops.array.creation import zeros
from .elements import Element, ElementSpec, element_of, spec_of


class _Parts(Expanded):
    """Whether there is a value, and the tensors that it is made of: zeros where there is none.
    `static` is the spec of the value but for extents, which are those of the parts."""

    @staticmethod
    def make(there: Any, *parts: Any, static: ElementSpec) -> Any:
        element = static.put_together(parts)
        if isinstance(there, TensorSpec):
            return OptionalSpec(ElementSpec(element, static.structure).nested)
        spec = ElementSpec(map(spec_of, element), static.structure)
        if isinstance(there, SymbolicTensor) or any(isinstance(x, SymbolicTensor) for x in parts):
            return TracedOptional(there, element, spec)
        return Optional(element, spec) if bool(there) else Optional(None, static)


class _Whole(Expanded):
    """Of an Optional whose value is not made of tensors of known ranks: nothing but itself."""

    @staticmethod
    def make(static: Any) -> Any:
        return static


def parts_of(element: Element | None, spec: ElementSpec) -> tuple[Any, ...]:
    """Whether there is an element, and the tensors that it is made of; zeros where it is not, of
    extent 0 where nothing is known."""
    there = convert_to_tensor(element is not None)
    if element is None:
        return there, *[zeros([n or 0 for n in s.shape.as_list()], s.dtype) for s in spec.parts]
    return there, *spec.parts_of(element)


class Optional(Composite):
    """A value, or that there is none: what `Iterator.get_next_as_optional` gives.

    >>> import tfc as tf
    >>> some = tf.experimental.Optional.from_value(42)
    >>> print(some.has_value(), some.get_value())
    tf.Tensor(True, shape=(), dtype=bool) tf.Tensor(42, shape=(), dtype=int32)
    """

    def __init__(self, value: Element | None, spec: ElementSpec) -> None:
        self._value, self._spec = value, spec

    @staticmethod
    def empty(element_spec: Any) -> Optional:
        """That there is none.

        Args:
            element_spec: The spec of a value, or a structure of specs.

        Returns:
            An Optional.

        >>> import tfc as tf
        >>> print(tf.experimental.Optional.empty(tf.TensorSpec([], tf.int32)).has_value())
        tf.Tensor(False, shape=(), dtype=bool)
        """
        return Optional(None, ElementSpec.of(element_spec))

    @staticmethod
    def from_value(value: Any) -> Optional:
        """A value.

        Args:
            value: A tensor, or a structure of them.

        Returns:
            An Optional.
        """
        leaves, structure = element_of(value)
        return Optional(leaves, ElementSpec(map(spec_of, leaves), structure))

    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is a value.

        Returns:
            A bool scalar.
        """
        return convert_to_tensor(self._value is not None)

    def get_value(self, name: str | None = None) -> Any:
        """The value.

        Returns:
            It, in its structure.

        Raises:
            InvalidArgumentError: If there is none.
        """
        if self._value is None:
            raise blame.invalid("The given optional does not have a value.", "OptionalGetValue")
        return self._spec.structure.pack(self._value)

    @property
    def element_spec(self) -> Any:
        """The structure of the value, with a spec for each leaf."""
        return self._spec.nested

    @property
    def value_structure(self) -> Any:
        """The former name of `element_spec`."""
        return self._spec.nested

    @property
    def _type_spec(self) -> OptionalSpec:
        return OptionalSpec(self.element_spec)

    def _tensors(self) -> tuple[Any, ...]:
        return parts_of(self._value, self._spec)

    def _parts(self) -> Expanded:
        if not self._spec.traceable:
            whole = _Whole()
            whole.static = self
            return whole
        found = _Parts(self._tensors())
        found.static = self._spec.map(of_ranks)
        return found

    def __repr__(self) -> str:
        return f"<Optional element_spec={self.element_spec}>"


class TracedOptional(Optional):
    """An Optional in a trace: the program finds out whether there is a value.

    Args:
        there: A bool scalar.
        element: The leaves of the value; where there is none, they are zeros.
        spec: Of the value.
    """

    def __init__(self, there: Any, element: Element, spec: ElementSpec) -> None:
        super().__init__(element, spec)
        self._there = there

    def _tensors(self) -> tuple[Any, ...]:
        assert self._value is not None
        return self._there, *self._spec.parts_of(self._value)

    def has_value(self, name: str | None = None) -> Any:
        return self._there

    def get_value(self, name: str | None = None) -> Any:
        Assert(self._there, ["The given optional does not have a value."])
        return super().get_value()


class _SpecOf(TypeSpec):
    """The base of specs that have the spec of an element."""

    __slots__ = ("_spec",)

    def __init__(self, element_spec: Any) -> None:
        self._spec = ElementSpec.of(element_spec)

    @classmethod
    def from_value(cls, value: Any) -> Any:
        """The spec of a value.

        Args:
            value: What has an `element_spec`.

        Returns:
            A spec.
        """
        return cls(value.element_spec)

    @property
    def element_spec(self) -> Any:
        """The structure of an element, with a spec for each leaf."""
        return self._spec.nested

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value (or every value of a spec) may stand where this spec does.

        Args:
            spec_or_value: A value or a spec.

        Returns:
            A bool; False for anything else.
        """
        other = getattr(spec_or_value, "_type_spec", spec_or_value)
        return isinstance(other, type(self)) and self._spec.covers(other._spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._spec == other._spec

    def __hash__(self) -> int:
        return hash((type(self), self._spec))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.element_spec!r},)"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.element_spec,)


class OptionalSpec(_SpecOf, Composite):
    """The spec of an Optional.

    Args:
        element_spec: The spec of a value, or a structure of specs.

    >>> import tfc as tf
    >>> tf.OptionalSpec(tf.TensorSpec([], tf.int32))
    OptionalSpec(TensorSpec(shape=(), dtype=tf.int32, name=None),)
    """

    value_type = Optional

    def _parts(self) -> Expanded:
        found = _Parts([TensorSpec([], bool_), *self._spec.parts])
        found.static = self._spec.map(of_ranks)
        return found


class IteratorParts(Expanded):
    """What names an iterator, an int64 scalar; `static` is the spec of its elements, and whether
    they may be made by what reads Variables."""

    make: Any  # iterator.py fills it

    @classmethod
    def of(cls, handle: Any, static: Hashable) -> IteratorParts:
        found = cls([handle])
        found.static = static
        return found


class IteratorSpec(_SpecOf, Composite):
    """The spec of an iterator over a dataset.

    Args:
        element_spec: The spec of an element, or a structure of specs.

    >>> import tfc as tf
    >>> tf.data.IteratorSpec(tf.TensorSpec([], tf.int32))
    IteratorSpec(TensorSpec(shape=(), dtype=tf.int32, name=None),)
    """

    def _parts(self) -> Expanded:
        return IteratorParts.of(TensorSpec([], int64), (self._spec, True))


__all__ = [
    "IteratorParts",
    "IteratorSpec",
    "Optional",
    "OptionalSpec",
    "TracedOptional",
    "parts_of",
]
