"""Datasets of symbolic tensors: what a `tf.function` makes of tensors that it computes.

Such a dataset is not there before the function runs. What is known while it is traced is the spec
of its elements, and the call of the method that made it, with the symbolic tensors among what it
was given, and in what functions hold. When the program gets to a loop over the dataset, it hands
over these tensors, and the call is made.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, cast

from ..core.containers import Composite, Expanded
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.tensor import SymbolicTensor
from .captures import Captures, Scope, scope, taken_apart
from .elements import ElementSpec
from .nested import Unknown, abstract, is_abstract
from .plan import Plan


class Deferred(Unknown):
    """The plan of a dataset that is made of symbolic tensors by a method, when they are there.

    Args:
        spec: What is known of the elements.
        captures: The tensors, and what gives the dataset for others in their places.
    """

    sees_variables = True  # as the functions that it is made with may

    def __init__(self, spec: ElementSpec, captures: Captures) -> None:
        super().__init__(spec)
        self.captures = captures

    @property
    def tensors(self) -> tuple[Any, ...]:
        """What a program hands over."""
        return self.captures.tensors

    def made(self, arrays: Sequence[Any], functions: Scope) -> Plan:
        """The plan for what these tensors are; `functions` keeps what was traced for it."""
        pairs = zip(arrays, self.tensors, strict=True)
        values = [convert_to_tensor(array, tensor.dtype) for array, tensor in pairs]
        token = scope.set(functions)
        try:
            plan: Plan = self.captures.rebuilt(values)._plan
            return plan
        finally:
            scope.reset(token)


class Returned(Composite):
    """A dataset that a function returns: the tensors that it is made of, from which the caller
    makes it again. One that needs none is the same in all calls."""

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset

    def _parts(self) -> Expanded:
        captures = taken_apart(self._dataset)
        assert captures is not None, "a dataset does not hold itself"
        found = _ReturnedParts(captures.tensors)
        found.static = captures.rebuilt
        return found


class _ReturnedParts(Expanded):
    @staticmethod
    def make(*tensors: Any, static: Any) -> Any:
        return static(tensors)


def deferring(method: Callable[..., Any]) -> Callable[..., Any]:
    """A method that gives a dataset: in a trace, where it is given symbolic tensors, or functions
    or datasets that hold some, it is called for the spec of the elements, and put off."""

    @functools.wraps(method)
    def run(*args: Any, **kwargs: Any) -> Any:
        if context.trace is None or is_abstract():
            return method(*args, **kwargs)
        captures = taken_apart((args, kwargs))
        if captures is None or not any(isinstance(x, SymbolicTensor) for x in captures.tensors):
            return method(*args, **kwargs)
        with abstract(method.__name__):
            known = method(*args, **kwargs)

        def rebuilt(values: Sequence[Any]) -> Any:
            own, options = captures.rebuilt(values)
            return method(*own, **options)

        spec = known._plan.spec
        return known._of(Deferred(spec, captures._replace(rebuilt=rebuilt)))

    return run


def _deferring_init(init: Callable[..., None]) -> Callable[..., None]:
    """As `deferring`, of a class whose objects are datasets."""

    @functools.wraps(init)
    def run(self: Any, *args: Any, **kwargs: Any) -> None:
        captures = None
        if context.trace is not None and not is_abstract():
            captures = taken_apart((args, kwargs))
        if captures is None or not any(isinstance(x, SymbolicTensor) for x in captures.tensors):
            init(self, *args, **kwargs)
            return
        with abstract(type(self).__name__):
            init(self, *args, **kwargs)

        def rebuilt(values: Sequence[Any]) -> Any:
            own, options = captures.rebuilt(values)
            return type(self)(*own, **options)

        self._plan = Deferred(self._plan.spec, captures._replace(rebuilt=rebuilt))

    return run


def defer_methods(cls: type) -> None:
    """Let the methods of a class that give datasets be `deferring` (they say so by `-> Self`), and
    its constructor, where it has one of its own."""
    if "__init__" in vars(cls):
        cls.__init__ = _deferring_init(cls.__init__)  # type: ignore[misc]
    for name, attribute in list(vars(cls).items()):
        kind = type(attribute) if isinstance(attribute, classmethod | staticmethod) else None
        method = attribute.__func__ if kind is not None else attribute
        returns = getattr(method, "__annotations__", {}).get("return")
        if returns == "Self" and not name.startswith("_"):
            found = deferring(method)
            setattr(cls, name, found if kind is None else cast(Any, kind)(found))


__all__ = ["Deferred", "Returned", "defer_methods"]
