"""`variable_creator_scope`: functions that take part in making Variables."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

from .context import Scope, current
from .variable_methods import as_aggregation, as_synchronization

Creator = Callable[..., Any]


class VariableType(type):
    """The class of `Variable`, which asks the scopes around for what they make of a call. Classes
    that are derived from it are made as they say themselves."""

    asked: type | None = None  # Variable itself

    def __init__(cls, *args: Any) -> None:
        super().__init__(*args)
        if VariableType.asked is None:
            VariableType.asked = cls

    @property
    def __signature__(cls) -> inspect.Signature:
        """What `inspect.signature` and `help` show: that of `__init__`."""
        whole = _signature(cls)
        return whole.replace(parameters=list(whole.parameters.values())[1:])

    def __call__(cls, *args: Any, **options: Any) -> Any:
        creators = current().creators
        if not creators or cls is not VariableType.asked:
            return type.__call__(cls, *args, **options)
        bound = cls.__signature__.bind(*args, **options)
        bound.apply_defaults()
        given = dict(bound.arguments)
        given["synchronization"] = as_synchronization(given["synchronization"])
        given["aggregation"] = as_aggregation(given["aggregation"])
        make: Creator = functools.partial(type.__call__, cls)
        for creator in creators:
            make = functools.partial(creator, make)
        return make(**given)


@functools.cache
def _signature(variable: type) -> inspect.Signature:
    return inspect.signature(variable.__init__)  # type: ignore[misc]


class variable_creator_scope(Scope):  # noqa: N801  (as TensorFlow calls it)
    """Lets a function take part in making the Variables that are made inside.

    Args:
        variable_creator: What is called, `variable_creator(next_creator, **kwargs)`, with all
            arguments of `tf.Variable` by their names. It gives the Variable, that of
            `next_creator(**kwargs)` as a rule. Of several scopes the innermost is called first.

    Returns:
        A context manager.

    >>> import tfc as tf
    >>> def fixed(next_creator, **kwargs):
    ...     return next_creator(**{**kwargs, "trainable": False})
    >>> with tf.variable_creator_scope(fixed):
    ...     v = tf.Variable(1.0)
    >>> v.trainable
    False
    """

    def __init__(self, variable_creator: Creator) -> None:
        if not callable(variable_creator):
            raise TypeError(f"variable_creator must be callable, got {variable_creator!r:.100}")
        self._creator = variable_creator

    def changes(self) -> Mapping[str, Any]:
        return {"creators": (*current().creators, self._creator)}
