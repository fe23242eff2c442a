"""`tfc.Module`: objects that own Variables and other modules."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from . import tracking
from .formatting import shown
from .scopes import current_name_scope, name_scope
from .variable import Variable


class Module:
    """The base of classes that keep Variables and modules in their attributes, also inside lists,
    tuples and dictionaries.

    >>> import tfc as tf
    >>> class Dense(tf.Module):
    ...     def __init__(self, inputs, outputs, name=None):
    ...         super().__init__(name=name)
    ...         self.w = tf.Variable(tf.zeros([inputs, outputs]), name="w")
    ...     def __call__(self, x):
    ...         return x @ self.w
    >>> layer = Dense(2, 3)
    >>> layer.name, [v.name for v in layer.trainable_variables]
    ('dense', ['w:0'])
    """

    _TF_MODULE_IGNORED_PROPERTIES: ClassVar[frozenset[str]] = frozenset()
    _tells: ClassVar[bool] = True  # of its attributes, to those who wait (tracking.py)

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = _snake(type(self).__name__)
        elif not isinstance(name, str) or not name.isidentifier():
            raise ValueError(f"{shown(name)} is not a valid module name: a Python identifier")
        self._name = name
        self._name_scope = name_scope(f"{current_name_scope()}{name}/")  # that of where it was made

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if tracking.waiting:
            tracking.assigned(self, name, value)

    @property
    def name(self) -> str:
        """The name: that of the class in lower case, if none was given."""
        return str(self.__dict__.get("_name") or _snake(type(self).__name__))

    @property
    def name_scope(self) -> name_scope:
        """The scope that `with_name_scope` enters: inside of that where the module was made."""
        return self._name_scope

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All Variables, in the order of the attributes' names; each once."""
        return self._flatten(lambda x: isinstance(x, Variable))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The Variables that are trainable."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The Variables that are not trainable."""
        return tuple(v for v in self.variables if not v.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules inside this one, at any depth."""
        return self._flatten(lambda x: isinstance(x, Module))

    def _no_dependency(self, value: Any) -> Any:
        """The value, for an attribute that checkpoints are to leave out."""
        return value

    def _flatten(self, predicate: Callable[[Any], bool]) -> tuple[Any, ...]:
        """What satisfies `predicate`: that of this module first, then what is deeper."""
        found: dict[int, Any] = {}
        seen = {id(self)}
        level: list[Module] = [self]
        while level:
            deeper = []
            for module in level:
                for leaf in module._leaves():
                    if predicate(leaf):
                        found.setdefault(id(leaf), leaf)
                    if isinstance(leaf, Module) and id(leaf) not in seen:
                        seen.add(id(leaf))
                        deeper.append(leaf)
            level = deeper
        found.pop(id(self), None)
        return tuple(found.values())

    def _leaves(self) -> Iterator[Any]:
        ignored = self._TF_MODULE_IGNORED_PROPERTIES
        for key in sorted(vars(self)):
            if key not in ignored:
                yield from _inside(vars(self)[key], set())

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a method so that Variables made in it are named after the module.

        Args:
            method: The method.

        Returns:
            A method that enters the module's `name_scope` first.

        >>> import tfc as tf
        >>> class Lazy(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def __call__(self, x):
        ...         if not hasattr(self, "w"):
        ...             self.w = tf.Variable(2.0, name="w")
        ...         return self.w * x
        >>> layer = Lazy(name="my")
        >>> _ = layer(1.0)
        >>> layer.w.name
        'my/w:0'
        """

        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped


def _inside(value: Any, path: set[int]) -> Iterator[Any]:
    """The leaves of nested lists, tuples and mappings (by sorted keys, where they can be)."""
    if isinstance(value, Mapping):
        try:
            items = [value[key] for key in sorted(value)]
        except TypeError:
            items = list(value.values())
    elif isinstance(value, list | tuple):
        items = list(value)
    else:
        yield value
        return
    if id(value) in path:  # it holds itself
        return
    for item in items:
        yield from _inside(item, path | {id(value)})


def _snake(name: str) -> str:
    """CamelCase as camel_case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


__all__ = ["Module"]
