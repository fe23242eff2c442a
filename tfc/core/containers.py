"""Classes of containers: how each is taken apart and put together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, MappingView, Sequence
from typing import Any, Final

from .formatting import shown


class Kind:
    """How containers of one class are taken apart and put together."""

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def keys(self, value: Any) -> tuple[Any, ...]:
        """What tells this container's children apart, beside their number; hashable."""
        return ()

    def children(self, value: Any, keys: tuple[Any, ...]) -> Sequence[Any]:
        raise NotImplementedError

    def extra(self, value: Any) -> Any:
        """What is needed to put it together but does not make it a different structure."""
        return None

    def join(self, keys: tuple[Any, ...], children: list[Any], extra: Any) -> Any:
        raise NotImplementedError

    def step(self, keys: tuple[Any, ...], i: int) -> str:
        """How Python code gets at child `i`."""
        return f"[{i}]"


class SequenceKind(Kind):
    """Tuples and lists, and subclasses that are made from an iterable."""

    def children(self, value: Any, keys: tuple[Any, ...]) -> Sequence[Any]:
        result: Sequence[Any] = value
        return result

    def join(self, keys: tuple[Any, ...], children: list[Any], extra: Any) -> Any:
        return children if self.cls is list else self.cls(children)


class ViewKind(SequenceKind):
    """The keys, values or items of a dict, in its order; put together as a list."""

    def children(self, value: Any, keys: tuple[Any, ...]) -> Sequence[Any]:
        return list(value)

    def join(self, keys: tuple[Any, ...], children: list[Any], extra: Any) -> Any:
        return children


class Expanded(tuple[Any, ...]):
    """The parts of an object that is a leaf otherwise: packing gives `make(*parts)`; where there
    is something about it that is not in its parts, `make(*parts, static=static)`."""

    make: Callable[..., Any]
    static: Any = None  # hashable: what differs in it differs in structure


class Composite:
    """A leaf that is made of tensors: where functions and control flow look into it, `_parts` gives
    them."""

    __slots__ = ()

    _is_tensor = False  # whether `tfc.is_tensor` says so

    def _parts(self) -> Expanded:
        raise NotImplementedError

    def _stating(self, other: Any) -> Any:
        """The same as a signature has it whose argument is `other`, of this class."""
        return self

    def _open_in_loops(self) -> list[tuple[Any, Any]]:
        """Those of its tensors whose extents rounds of a loop may change, with shapes that have
        None for these: how many elements there are."""
        return []

    def _with_gradients(self) -> Any:
        """The one of its tensors that has gradients; None: it has none."""
        return None

    def _as_gradient(self, gradient: Any) -> Any:
        """What its gradient is, for that of the tensor."""
        raise NotImplementedError

    def _as_tensor(self) -> Any:
        """The one tensor that it stands for. ValueError: most stand for none."""
        raise ValueError(
            f"Attempt to convert a value ({shown(self)}) with an unsupported type "
            f"({type(self)}) to a Tensor."
        )


class ExpandedKind(SequenceKind):
    def keys(self, value: Any) -> tuple[Any, ...]:
        return () if value.static is None else (value.static,)

    def join(self, keys: tuple[Any, ...], children: list[Any], extra: Any) -> Any:
        make: Callable[..., Any] = self.cls.make  # type: ignore[attr-defined]
        return make(*children, static=keys[0]) if keys else make(*children)


class NamedTupleKind(SequenceKind):
    def join(self, keys: tuple[Any, ...], children: list[Any], extra: Any) -> Any:
        return self.cls._make(children)  # type: ignore[attr-defined]

    def step(self, keys: tuple[Any, ...], i: int) -> str:
        return f".{self.cls._fields[i]}"  # type: ignore[attr-defined]


class MappingKind(Kind):
    """Dicts and other mappings that are made from pairs."""

    def keys(self, value: Any) -> tuple[Any, ...]:
        try:
            return tuple(sorted(value))
        except TypeError:
            raise TypeError(
                f"nest only supports dicts with sortable keys; got the keys {list(value)}"
            ) from None

    def children(self, value: Any, keys: tuple[Any, ...]) -> Sequence[Any]:
        return [value[key] for key in keys]

    def extra(self, value: Any) -> Any:
        # The order of insertion is given back, as in TensorFlow.
        factory = value.default_factory if isinstance(value, defaultdict) else None
        return tuple(value), factory

    def join(self, keys: tuple[Any, ...], children: list[Any], extra: Any) -> Any:
        by_key = dict(zip(keys, children, strict=True))
        order, factory = extra
        ordered = {key: by_key[key] for key in order}
        if self.cls is dict:
            return ordered
        if issubclass(self.cls, defaultdict):
            return self.cls(factory, ordered)
        return self.cls(ordered)  # type: ignore[call-arg]

    def step(self, keys: tuple[Any, ...], i: int) -> str:
        return f"[{keys[i]!r}]"


class DataclassKind(Kind):
    def __init__(self, cls: type) -> None:
        super().__init__(cls)
        import dataclasses

        self.names = tuple(field.name for field in dataclasses.fields(cls))

    def children(self, value: Any, keys: tuple[Any, ...]) -> Sequence[Any]:
        return [getattr(value, name) for name in self.names]

    def join(self, keys: tuple[Any, ...], children: list[Any], extra: Any) -> Any:
        value: Any = object.__new__(self.cls)
        for name, child in zip(self.names, children, strict=True):
            object.__setattr__(value, name, child)  # frozen dataclasses refuse setattr
        return value

    def step(self, keys: tuple[Any, ...], i: int) -> str:
        return f".{self.names[i]}"


class ProtocolKind(Kind):
    """Classes that say by `__tf_flatten__` what of them is static, and what they hold."""

    def keys(self, value: Any) -> tuple[Any, ...]:
        return (value.__tf_flatten__()[0],)

    def children(self, value: Any, keys: tuple[Any, ...]) -> Sequence[Any]:
        held: Sequence[Any] = value.__tf_flatten__()[1]
        return held

    def join(self, keys: tuple[Any, ...], children: list[Any], extra: Any) -> Any:
        return self.cls.__tf_unflatten__(keys[0], tuple(children))  # type: ignore[attr-defined]

    def step(self, keys: tuple[Any, ...], i: int) -> str:
        return f".__tf_flatten__()[1][{i}]"


class Kinds(dict[type, "Kind | None"]):
    """The kind of each class met so far; None for leaves. One dict look-up per value."""

    def __missing__(self, cls: type) -> Kind | None:
        kind: Kind | None = None
        if issubclass(cls, Expanded):
            kind = ExpandedKind(cls)
        elif issubclass(cls, tuple) and hasattr(cls, "_fields"):
            kind = NamedTupleKind(cls)
        elif issubclass(cls, tuple | list):
            kind = SequenceKind(cls)
        elif issubclass(cls, MappingView):
            kind = ViewKind(cls)
        elif issubclass(cls, Mapping):
            kind = MappingKind(cls)
        elif hasattr(cls, "__tf_flatten__") and hasattr(cls, "__tf_unflatten__"):
            kind = ProtocolKind(cls)
        elif hasattr(cls, "__dataclass_fields__"):
            kind = DataclassKind(cls)
        self[cls] = kind
        return kind


KINDS: Final = Kinds()
