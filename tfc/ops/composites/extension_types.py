"""ExtensionType: classes of the user's that hold tensors, and are taken by functions, control flow
and structures as ragged tensors are.

    class MaskedTensor(tf.experimental.ExtensionType):
        values: tf.Tensor
        mask: tf.Tensor

Fields are those that are annotated. What holds tensors is a part, all else is static: a function is
traced once for each.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, get_args, get_origin

from ...core import nest
from ...core.containers import Composite, Expanded
from ...core.context import user_location
from ...core.conversion import convert_to_tensor
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec, type_spec_from_value
from ...core.tensor import Held, Tensor
from ...core.type_specs import TypeSpec
from ..math import comparisons
from ..math.composite_equality import equal_composites

_OWN = frozenset(("value_type", "_fields", "_Parts", "Spec"))


class ImmutableDict(Mapping[Any, Any]):
    """A dictionary that nobody changes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._items = dict(*args, **kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._items[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"ImmutableDict({self._items!r})"


class _Meta(type):
    """Objects are checked and frozen once their `__init__` has run, whoever wrote it."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = super().__call__(*args, **kwargs)
        made._freeze()
        return made


class _Record:
    """What an extension type and its spec have in common: fields, set once."""

    _fields: ClassVar[dict[str, Any]] = {}  # by name, the annotation
    _frozen = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given = self._signature().bind(*args, **kwargs)
        given.apply_defaults()
        for name, value in given.arguments.items():
            object.__setattr__(self, name, value)

    @classmethod
    def _signature(cls) -> inspect.Signature:
        missing = inspect.Parameter.empty
        return inspect.Signature(
            [
                inspect.Parameter(
                    name,
                    inspect.Parameter.POSITIONAL_OR_KEYWORD,
                    default=vars(cls).get(name, getattr(cls, name, missing)),
                )
                for name in cls._fields
            ]
        )

    def _freeze(self) -> None:
        object.__setattr__(self, "_frozen", True)

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._fields}

    def __setattr__(self, name: str, value: Any) -> None:
        if self._frozen:
            raise AttributeError(
                f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType:"
                f" an instance of {type(self).__name__} is immutable ({user_location()})"
            )
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        raise AttributeError(
            f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionType."
        )

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._values().items())
        return f"{type(self).__qualname__.rpartition('<locals>.')[2]}({fields})"


def _hints_of(cls: type) -> dict[str, Any]:
    """What a class annotates itself."""
    try:
        return inspect.get_annotations(cls)
    except NameError:  # names that are not there yet
        return dict(vars(cls))


def _hints(cls: type, here: types.FrameType) -> dict[str, Any]:
    """The annotations of a class and its bases, as they mean something where the class is written:
    those that are text may name what only a function knows."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= vars(base).get("_fields", {})
    own = type("Own", (), {"__annotations__": vars(cls).get("__annotations__", {})})
    known = {**here.f_locals, cls.__name__: cls}  # fields may be of the class itself
    return found | typing.get_type_hints(own, here.f_globals, known)


class ExtensionTypeSpec(_Record, TypeSpec, Composite):
    """The spec of an extension type: its fields, with specs in the place of tensors.

    >>> import tfc as tf
    >>> class Pair(tf.experimental.ExtensionType):
    ...     x: tf.Tensor
    >>> tf.type_spec_from_value(Pair(1.0))
    Pair.Spec(x=TensorSpec(shape=(), dtype=tf.float32, name=None))
    """

    value_type: ClassVar[Any]

    @property
    def name(self) -> None:
        """None: there are none."""
        return None

    @classmethod
    def _signature(cls) -> inspect.Signature:
        """Every field is wanted: those that have defaults too."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature([inspect.Parameter(name, kind) for name in cls._fields])

    def _parts(self) -> Expanded:
        return _taken_apart(self.value_type, self._values(), lambda v: isinstance(v, TypeSpec))

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether an object (or all that a spec describes) may stand where this spec does.

        Args:
            spec_or_value: An object of the extension type, or its spec.

        Returns:
            A bool; False for anything else.
        """
        other = getattr(spec_or_value, "_type_spec", spec_or_value)
        if type(other) is not type(self):
            return False
        pairs = zip(self._values().values(), other._values().values(), strict=True)
        return all(a.is_compatible_with(b) if isinstance(a, TypeSpec) else a == b for a, b in pairs)

    def most_specific_compatible_type(self, other: Any) -> Any:
        """The spec that covers this one and another.

        Args:
            other: A spec of the same extension type.

        Returns:
            A spec.

        Raises:
            ValueError: If they differ in more than extents.
        """
        if type(other) is not type(self):
            raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        fields = {}
        for name, own in self._values().items():
            theirs = getattr(other, name)
            if isinstance(own, TypeSpec):
                fields[name] = own.most_specific_compatible_type(theirs)
            elif own == theirs:
                fields[name] = own
            else:
                raise ValueError(f"No TypeSpec is compatible with both {self!r} and {other!r}")
        return type(self)(**fields)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), tuple(self._values())))


class ExtensionType(_Record, Composite, metaclass=_Meta):
    """The base of classes of one's own that hold tensors: what is annotated is a field.

    Objects are made by position or name, converted and checked by the annotations (`tf.Tensor`,
    a TensorSpec, other composites, numbers, text, `typing.Union`, `Optional`, `Tuple`, `Mapping`),
    and never changed. `__validate__` may check more. Functions, control flow and `tf.nest` take
    them; `tf.experimental.dispatch_for_api` says what public functions do with them.

    >>> import tfc as tf
    >>> class MaskedTensor(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    ...     mask: tf.Tensor
    ...     def filled(self, default):
    ...         return tf.where(self.mask, self.values, default)
    >>> filled = tf.function(lambda x: x.filled(0))
    >>> print(filled(MaskedTensor([1, 2], [True, False])))
    tf.Tensor([1 0], shape=(2,), dtype=int32)
    """

    Spec: ClassVar[Any]
    _Parts: ClassVar[type[Expanded]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        hints = _hints(cls, sys._getframe(1))
        cls._fields = {
            name: hint
            for name, hint in hints.items()
            if name not in _OWN and not name.startswith("_") and get_origin(hint) is not ClassVar
        }
        for name in _hints_of(cls):
            if name in ("Spec", "shape_", "dtype_"):
                raise ValueError(
                    f"The field annotations for {cls.__name__} are invalid. Field {name!r} is "
                    "reserved."
                )
        for name, value in vars(cls).items():
            plain = not callable(value) and not hasattr(type(value), "__get__")
            if plain and name not in _hints_of(cls) and not name.startswith("_"):
                raise ValueError(
                    f"The field annotations for {cls.__name__} are invalid. Field {name} is "
                    "missing a type annotation."
                )
        for name, hint in cls._fields.items():
            if hint in (dict, list, set, object):
                raise TypeError(f"In field {name!r}: Unsupported type annotation {hint.__name__!r}")
            if get_origin(hint) in (dict, list, set):
                raise TypeError(f"In field {name!r}: Unsupported type annotation {hint}")
            if name in vars(cls) and hint in (bool, int, float, str, bytes):
                _converted(vars(cls)[name], hint, f"default value for {name}")
        cls._Parts = type("Parts", (Expanded,), {"make": staticmethod(_maker(cls))})
        own = vars(cls).get("Spec")
        bases = (own, ExtensionTypeSpec) if own is not None else (ExtensionTypeSpec,)
        name = f"{cls.__qualname__}.Spec"
        # fields named as properties of specs are fields: `name`, `shape`
        hidden = {f: None for f in cls._fields if f in dir(ExtensionTypeSpec)}
        hidden = {f: None for f in hidden if own is None or f not in vars(own)}
        spec: Any = type("Spec", bases, hidden | {"value_type": cls, "__qualname__": name})
        spec._fields = cls._fields
        cls.Spec = spec

    def _freeze(self) -> None:
        missing = {name for name in self._fields if not hasattr(self, name)}
        if missing:
            kind = type(self).__name__
            raise ValueError(
                f"Missing required fields: {missing}: {kind}.__init__ does not set them"
            )
        for name, hint in self._fields.items():
            object.__setattr__(self, name, _converted(getattr(self, name), hint, name))
        super()._freeze()
        validate = getattr(self, "__validate__", None)
        if validate is not None:
            validate()

    @property
    def _type_spec(self) -> Any:
        spec: Any = object.__new__(self.Spec)
        for name, value in self._values().items():
            own = nest.map_structure(
                lambda v: type_spec_from_value(v) if isinstance(v, Held | Composite) else v,
                value,
            )
            object.__setattr__(spec, name, own)
        spec._freeze()
        return spec

    def _parts(self) -> Expanded:
        return _taken_apart(type(self), self._values(), lambda v: isinstance(v, Held))

    def __eq__(self, other: object) -> Any:
        if type(other) is not type(self):
            return False
        return equal_composites(self, other)

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return not same if isinstance(same, bool) else comparisons.logical_not(same)

    __hash__ = None  # type: ignore[assignment]


def _taken_apart(cls: Any, values: Mapping[str, Any], is_part: Callable[[Any], bool]) -> Expanded:
    """The fields that hold tensors (of a spec, specs) as parts, the others as what is static."""
    parts, static = [], []
    for name, value in values.items():
        leaves, structure = nest.decompose(value)
        if any(is_part(v) or isinstance(v, Composite) for v in leaves):
            expanded = [v._parts() if isinstance(v, Composite) else v for v in leaves]
            parts.append(structure.pack(expanded))
            static.append((name, _HELD))
        else:
            static.append((name, value))
    found: Expanded = cls._Parts(parts)
    found.static = tuple(static)
    return found


class _Held:
    """Stands for a field that is a part."""

    def __repr__(self) -> str:
        return "*"


_HELD = _Held()


def _maker(cls: Any) -> Callable[..., Any]:
    def make(*parts: Any, static: tuple[tuple[str, Any], ...] = ()) -> Any:
        made: Any = object.__new__(cls)
        rest = iter(parts)
        for name, value in static:
            object.__setattr__(made, name, next(rest) if value is _HELD else value)
        object.__setattr__(made, "_frozen", True)
        return made

    return make


def _converted(value: Any, hint: Any, where: str) -> Any:
    """A field's value as its annotation wants it.

    Raises:
        TypeError: If it is something else.
    """
    origin = get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        for choice in sorted(get_args(hint), key=lambda h: h is Tensor):  # what converts, last
            try:
                return _converted(value, choice, where)
            except (TypeError, ValueError):
                continue
        raise _unlike(where, hint, value)
    if hint is Tensor or isinstance(hint, TensorSpec):
        return _tensor(value, hint, where)
    if origin is tuple or hint is tuple:
        return _tuple(value, get_args(hint), where)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            raise _unlike(where, "mapping", value)
        keys, items = get_args(hint)
        return ImmutableDict(
            {
                _converted(k, keys, f"{where}[<key>]"): _converted(v, items, f"{where}[{k!r}]")
                for k, v in value.items()
            }
        )
    if hint is TensorShape:
        return TensorShape(value)
    if hint is Any:
        return value
    if isinstance(hint, TypeSpec):
        if hint.is_compatible_with(value):
            return value
    elif hint in (None, type(None)):
        if value is None:
            return value
    elif isinstance(hint, type) and isinstance(value, hint) and not _misused(value, hint):
        return value
    raise _unlike(where, hint, value)


def _unlike(where: str, wanted: Any, value: Any) -> TypeError:
    """What is raised for a field's value that is not what its annotation says."""
    named = repr(wanted.__name__) if isinstance(wanted, type) else wanted
    kind = type(value).__name__
    return TypeError(f"{where}: expected {named}, got {kind!r}: {value!r:.100} ({user_location()})")


def _misused(value: Any, hint: type) -> bool:
    """A bool is an int for Python."""
    return isinstance(value, bool) and hint in (int, float)


def _tensor(value: Any, hint: Any, where: str) -> Any:
    if isinstance(value, Composite):
        raise _unlike(where, "a Tensor", value)
    try:
        found = convert_to_tensor(value, hint.dtype if isinstance(hint, TensorSpec) else None)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{where}: {error} ({user_location()})") from None
    if isinstance(hint, TensorSpec) and not hint.shape.is_compatible_with(found.shape):
        raise TypeError(f"{where}: expected {hint}, got {found!r:.100} ({user_location()})")
    return found


def _tuple(value: Any, hints: tuple[Any, ...], where: str) -> Any:
    if not isinstance(value, list | tuple):
        raise _unlike(where, "tuple", value)
    if len(hints) == 2 and hints[1] is Ellipsis:
        hints = (hints[0],) * len(value)
    if hints and len(hints) != len(value):
        raise TypeError(f"{where}: expected {len(hints)} items, got {len(value)}")
    pairs = zip(value, hints or (Any,) * len(value), strict=True)
    return tuple(_converted(v, h, f"{where}[{i}]") for i, (v, h) in enumerate(pairs))


class BatchableExtensionType(ExtensionType):
    """An extension type of which many can be one: each of its tensors has a row for each of them.
    `tf.map_fn` goes along the rows.

    >>> import tfc as tf
    >>> class Vehicle(tf.experimental.BatchableExtensionType):
    ...     top_speed: tf.Tensor
    ...     mpg: tf.Tensor
    >>> batch = Vehicle([120, 150], [30, 40])
    >>> print(tf.map_fn(lambda v: v.top_speed * v.mpg, batch, fn_output_signature=tf.int32))
    tf.Tensor([3600 6000], shape=(2,), dtype=int32)
    """

    is_batch: ClassVar[bool] = True
    __batch_encoder__: ClassVar[Any]  # batch_encoders.py fills it


__all__ = ["BatchableExtensionType", "ExtensionType", "ExtensionTypeSpec"]
