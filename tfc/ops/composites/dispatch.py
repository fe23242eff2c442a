"""`tf.experimental.dispatch_for_api` and its like: what public functions do with classes of the
user's."""

from __future__ import annotations

import inspect
import numbers
import types
import typing
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, get_args, get_origin

import numpy as np

from ...core.tensor import Held
from ...dispatch.overloads import Overloads, overloads_of
from .elementwise import ASSERTIONS, BINARY, UNARY

Function = Callable[..., Any]
Declared = TypeVar("Declared", bound=Function)

_registered: list[tuple[Overloads, Any, Function]] = []  # what, its entry, of whom


def dispatch_for_api(api: Function, *signatures: Any) -> Callable[[Declared], Declared]:
    """Register what a public function does for classes of one's own.

    Args:
        api: The public function, such as `tf.concat`.
        *signatures: Dictionaries from names (or numbers) of parameters to types: the decorated
            function is called where all of one match. None: its annotations say so.

    Returns:
        A decorator. The function that it is given has the parameters of the public one; `name` may
        be left out.

    Raises:
        ValueError: If `api` is no function of Python, there is no such parameter, or no type is
            said.

    >>> import tfc as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    ...     mask: tf.Tensor
    >>> @tf.experimental.dispatch_for_api(tf.abs, {"x": Masked})
    ... def masked_abs(x):
    ...     return Masked(tf.abs(x.values), x.mask)
    >>> print(tf.abs(Masked([-1, 2], [True, False])).values)
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    >>> tf.experimental.unregister_dispatch_for(masked_abs)
    """
    table = overloads_of(api)
    own = inspect.signature(table.original)
    names = list(own.parameters)

    def register(declared: Declared) -> Declared:
        wanted = [_named(s, names, api) for s in signatures]
        parameters = inspect.signature(declared).parameters
        if not wanted:
            hints = typing.get_type_hints(declared)
            hints.pop("return", None)
            wanted = [_named(hints, names, api)]
        if not all(wanted):
            raise ValueError(f"{api.__name__}: a signature must name the type of a parameter")
        anything = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
        for name in parameters:
            if name not in own.parameters and parameters[name].kind not in (2, 4):
                raise ValueError(
                    f"Dispatch function's signature {inspect.signature(declared)} does not match "
                    f"API's signature {own}: {api.__name__} has no parameter {name!r}"
                )

        def takes(args: Any, kwargs: Any) -> bool:
            given = {n: p.default for n, p in own.parameters.items()} | _bound(own, args, kwargs)
            found = [_all_match([(given[n], t) for n, t in s.items()]) for s in wanted]
            return _OWN in found

        def call(*args: Any, **kwargs: Any) -> Any:
            given = _bound(own, args, kwargs)
            if "name" not in parameters and not anything:
                given.pop("name", None)
            return declared(**given)

        _add(table, takes, call, declared)
        return declared

    return register


def _add(table: Overloads, takes: Callable[..., bool], call: Function, declared: Function) -> None:
    entry = (takes, call)
    table.first.insert(0, entry)
    _registered.append((table, entry, declared))


def _named(signature: Any, names: list[str], api: Function) -> dict[str, Any]:
    """A signature by the names of parameters."""
    if not isinstance(signature, dict):
        raise ValueError(f"{api.__name__}: a signature is a dictionary, got {signature!r:.100}")
    found = {}
    for key, hint in signature.items():
        name = names[key] if isinstance(key, int) and -len(names) <= key < len(names) else key
        if name not in names:
            raise ValueError(
                f"signature includes annotation for unknown parameter {key!r}: {api.__name__} has "
                f"{names}"
            )
        found[name] = hint
    return found


def _bound(signature: inspect.Signature, args: Any, kwargs: Any) -> dict[str, Any]:
    try:
        return dict(signature.bind(*args, **kwargs).arguments)
    except TypeError:
        return {}  # the function itself says what is wrong


_NO, _MATCHES, _OWN = (
    0,
    1,
    2,
)  # _OWN: what matches is, or holds, an object of a class to dispatch on
_PLAIN = (Held, numbers.Number, np.ndarray, np.generic, str, bytes, type(None))


def _matches(value: Any, hint: Any) -> int:
    """How a value is of an annotated type: tensors and numbers alone dispatch to nobody, or a
    function for lists of one's own class and of tensors would be called for its own calls."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return max(_matches(value, h) for h in inner)
    if origin is list:
        many = isinstance(value, list | tuple) and bool(value)
        return _all_match([(v, inner[0]) for v in value]) if many else _NO
    if origin is tuple:
        if not isinstance(value, tuple):
            return _NO
        if len(inner) == 2 and inner[1] is Ellipsis:
            return _all_match([(v, inner[0]) for v in value]) if value else _NO
        pairs = len(value) == len(inner)
        return _all_match(list(zip(value, inner, strict=True))) if pairs else _NO
    if hint is Any:
        return _MATCHES
    if hint is None:
        return _MATCHES if value is None else _NO
    if isinstance(hint, type | tuple):
        found = isinstance(value, hint)
    else:
        compatible = getattr(hint, "is_compatible_with", None)
        found = compatible is not None and bool(compatible(value))
    if not found:
        return _NO
    return _MATCHES if isinstance(value, _PLAIN) else _OWN


def _all_match(pairs: Sequence[tuple[Any, Any]]) -> int:
    """Whether all values are of their types, and one of them of a class to dispatch on."""
    found = [_matches(value, hint) for value, hint in pairs]
    return _NO if _NO in found else max(found, default=_NO)


def _for_all(functions: Sequence[Function], hints: Sequence[Any]) -> Callable[[Declared], Declared]:
    """Register one function for the first operands of many public ones."""

    def register(declared: Declared) -> Declared:
        for api in functions:
            table = overloads_of(api)
            own = inspect.signature(table.original)
            names = list(own.parameters)[: len(hints)]
            _add(table, *_handled(api, own, names, hints, declared), declared)
        return declared

    return register


def _handled(
    api: Function, own: inspect.Signature, names: list[str], hints: Sequence[Any], handler: Function
) -> tuple[Callable[..., bool], Function]:
    def takes(args: Any, kwargs: Any) -> bool:
        given = _bound(own, args, kwargs)
        pairs = [(given.get(n), h) for n, h in zip(names, hints, strict=True)]
        return _all_match(pairs) == _OWN

    def call(*args: Any, **kwargs: Any) -> Any:
        given = _bound(own, args, kwargs)
        rest = {n: v for n, v in given.items() if n not in names}

        def function(*operands: Any) -> Any:
            return api(**dict(zip(names, operands, strict=True)), **rest)

        function.__name__ = api.__name__
        return handler(function if rest else api, *(given[n] for n in names))

    return takes, call


def dispatch_for_unary_elementwise_apis(x_type: Any) -> Callable[[Declared], Declared]:
    """Register what all elementwise functions of one operand do for a class.

    Args:
        x_type: The class.

    Returns:
        A decorator of a function `handler(api_func, x)`, where `api_func` is the public function of
        x alone.

    >>> import tfc as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    ...     mask: tf.Tensor
    >>> @tf.experimental.dispatch_for_unary_elementwise_apis(Masked)
    ... def of_values(api_func, x):
    ...     return Masked(api_func(x.values), x.mask)
    >>> print(tf.square(Masked([3, 2], [True, False])).values)
    tf.Tensor([9 4], shape=(2,), dtype=int32)
    >>> tf.experimental.unregister_dispatch_for(of_values)
    """
    return _for_all(UNARY, [x_type])


def dispatch_for_binary_elementwise_apis(
    x_type: Any, y_type: Any
) -> Callable[[Declared], Declared]:
    """Register what all elementwise functions of two operands do for classes.

    Args:
        x_type: The class of the first.
        y_type: The class of the second.

    Returns:
        A decorator of a function `handler(api_func, x, y)`.

    >>> import tfc as tf
    >>> class Masked(tf.experimental.ExtensionType):
    ...     values: tf.Tensor
    ...     mask: tf.Tensor
    >>> @tf.experimental.dispatch_for_binary_elementwise_apis(Masked, Masked)
    ... def of_both(api_func, x, y):
    ...     return Masked(api_func(x.values, y.values), x.mask & y.mask)
    >>> print(tf.add(Masked(1, True), Masked(2, False)).values)
    tf.Tensor(3, shape=(), dtype=int32)
    >>> tf.experimental.unregister_dispatch_for(of_both)
    """
    return _for_all(BINARY, [x_type, y_type])


def dispatch_for_binary_elementwise_assert_apis(
    x_type: Any, y_type: Any
) -> Callable[[Declared], Declared]:
    """Register what all assertions about two operands do for classes.

    Args:
        x_type: The class of the first.
        y_type: The class of the second.

    Returns:
        A decorator of a function `handler(assert_func, x, y)`.

    >>> import tfc as tf
    >>> class Boxed(tf.experimental.ExtensionType):
    ...     value: tf.Tensor
    >>> @tf.experimental.dispatch_for_binary_elementwise_assert_apis(Boxed, Boxed)
    ... def of_boxes(assert_func, x, y):
    ...     return assert_func(x.value, y.value)
    >>> tf.debugging.assert_less(Boxed(1), Boxed(2))
    >>> tf.experimental.unregister_dispatch_for(of_boxes)
    """
    return _for_all(ASSERTIONS, [x_type, y_type])


def unregister_dispatch_for(dispatch_target: Function) -> None:
    """Take back all that was registered with a function.

    Args:
        dispatch_target: The function that was decorated.

    Raises:
        ValueError: If nothing was.

    >>> import tfc as tf
    >>> class Boxed(tf.experimental.ExtensionType):
    ...     value: tf.Tensor
    >>> @tf.experimental.dispatch_for_api(tf.abs)
    ... def boxed_abs(x: Boxed):
    ...     return Boxed(tf.abs(x.value))
    >>> tf.experimental.unregister_dispatch_for(boxed_abs)
    """
    mine = [item for item in _registered if item[2] is dispatch_target]
    if not mine:
        raise ValueError(f"Function {dispatch_target} was not registered.")
    for item in mine:
        item[0].first.remove(item[1])
        _registered.remove(item)


__all__ = [
    "dispatch_for_api",
    "dispatch_for_binary_elementwise_apis",
    "dispatch_for_binary_elementwise_assert_apis",
    "dispatch_for_unary_elementwise_apis",
    "unregister_dispatch_for",
]
