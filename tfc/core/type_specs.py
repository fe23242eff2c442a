"""`TypeSpec`: what is known of a value before it is there, and what specs of one's own say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .shapes import TensorShape


class TypeSpec:
    """What is known of a value that functions take, before it is there: the base of `TensorSpec`,
    `RaggedTensorSpec` and the like, and of those that the user's classes have.

    >>> import tfc as tf
    >>> isinstance(tf.TensorSpec([2]), tf.TypeSpec)
    True
    """

    __slots__ = ()

    # A spec of one's own has `value_type`, the class of what it describes, and says what it
    # consists of, and how its values are taken apart.

    def _serialize(self) -> Any:
        """What it consists of, a nested tuple: specs are equal where these are."""
        raise NotImplementedError(f"{type(self).__name__}._serialize")

    @property
    def _component_specs(self) -> Any:
        """A nested structure of the specs of what its values are made of."""
        raise NotImplementedError(f"{type(self).__name__}._component_specs")

    def _to_components(self, value: Any) -> Any:
        """What a value is made of, in the structure of `_component_specs`."""
        raise NotImplementedError(f"{type(self).__name__}._to_components")

    def _from_components(self, components: Any) -> Any:
        """The value that is made of these."""
        raise NotImplementedError(f"{type(self).__name__}._from_components")

    @classmethod
    def _deserialize(cls, serialization: Any) -> Any:
        """The spec that consists of these."""
        return cls(*serialization)

    def _with_tensor_ranks_only(self) -> Any:
        """The spec where of extents no more is known than how many there are."""
        return self._deserialize(_mapped(self._serialize(), of_ranks))

    def _without_tensor_names(self) -> Any:
        """The spec without the names of tensors."""
        return self._deserialize(_mapped(self._serialize(), _nameless))

    # By these names those of the user's call and override them, as TensorFlow mangles them.

    def _TypeSpec__get_cmp_key(self) -> Any:
        return type(self), self._TypeSpec__make_cmp_key(self._serialize())

    def _TypeSpec__make_cmp_key(self, value: Any) -> Any:
        return comparable(value)

    def _TypeSpec__is_compatible(self, own: Any, other: Any) -> bool:
        return _compatible(own, other)

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether a value (or all that another spec describes) may stand where this spec does."""
        other = getattr(spec_or_value, "_type_spec", spec_or_value)
        return type(other) is type(self) and _compatible(self._serialize(), other._serialize())

    def is_subtype_of(self, other: Any) -> bool:
        """Whether all that it describes is described by another spec, too."""
        return bool(isinstance(other, type(self)) and other.is_compatible_with(self))

    def most_specific_common_supertype(self, others: Any) -> Any:
        """The spec that covers this one and others; None where there is none."""
        spec = self
        for other in others:
            if not isinstance(other, type(self)):
                return None
            try:
                spec = spec.most_specific_compatible_type(other)
            except ValueError:
                return None
        return spec

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The spec that covers this one and another."""
        if self == other:
            return self
        if type(self) is not type(other):
            raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        return self._deserialize(_covering(self._serialize(), other._serialize()))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return False
        theirs: Any = other
        return bool(self._TypeSpec__get_cmp_key() == theirs._TypeSpec__get_cmp_key())

    def __hash__(self) -> int:
        return hash(self._TypeSpec__get_cmp_key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._serialize()!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._deserialize, (self._serialize(),)


def comparable(value: Any) -> Any:
    """Nested lists, tuples and dictionaries as what can be hashed, and is equal where they are."""
    if isinstance(value, TensorShape):
        return ("TensorShape", None if value.rank is None else tuple(value.as_list()))
    if isinstance(value, np.ndarray):
        return ("ndarray", value.dtype.str, value.shape, value.tobytes())
    if isinstance(value, Mapping):
        pairs = ((comparable(k), comparable(v)) for k, v in value.items())
        return ("dict", tuple(sorted(pairs, key=lambda pair: repr(pair[0]))))
    if isinstance(value, list | tuple):
        return (type(value).__name__, *(comparable(v) for v in value))
    try:
        hash(value)
    except TypeError:
        return ("object", type(value), id(value))
    return value


def _compatible(own: Any, other: Any) -> bool:
    """Whether what a spec consists of covers what another one does."""
    if isinstance(own, TypeSpec | TensorShape):
        return bool(own.is_compatible_with(other))
    if type(own) is not type(other):
        return False
    if isinstance(own, Mapping):
        return own.keys() == other.keys() and all(_compatible(own[k], other[k]) for k in own)
    if isinstance(own, list | tuple):
        return len(own) == len(other) and all(map(_compatible, own, other))
    return bool(comparable(own) == comparable(other))


def _mapped(value: Any, function: Any) -> Any:
    """What a spec consists of, with its specs and shapes replaced."""
    if isinstance(value, TypeSpec | TensorShape):
        return function(value)
    if isinstance(value, Mapping):
        made: Any = type(value)
        return made((k, _mapped(v, function)) for k, v in value.items())
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_mapped(v, function) for v in value))
    if isinstance(value, list | tuple):
        return type(value)(_mapped(v, function) for v in value)
    return value


def of_ranks(value: Any) -> Any:
    if isinstance(value, TypeSpec):
        try:
            return value._with_tensor_ranks_only()
        except NotImplementedError:  # it does not say what it consists of
            return value
    return TensorShape(None if value.rank is None else [None] * value.rank)


def _nameless(value: Any) -> Any:
    return value._without_tensor_names() if isinstance(value, TypeSpec) else value


def _covering(own: Any, other: Any) -> Any:
    """What covers what two specs consist of."""
    if isinstance(own, TypeSpec):
        return own.most_specific_compatible_type(other)
    if isinstance(own, TensorShape):
        return own.most_specific_compatible_shape(other)
    if type(own) is type(other):
        if isinstance(own, Mapping) and own.keys() == other.keys():
            made: Any = type(own)
            return made((k, _covering(v, other[k])) for k, v in own.items())
        if isinstance(own, list | tuple) and len(own) == len(other):
            items = [_covering(a, b) for a, b in zip(own, other, strict=True)]
            return type(own)(*items) if hasattr(own, "_fields") else type(own)(items)
        if comparable(own) == comparable(other):
            return own
    raise ValueError(f"Types are not compatible: {own!r} vs {other!r}")
