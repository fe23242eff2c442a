"""The functions of a saved model: what their arguments and results look like."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import tfc as tf
from tfc.core.specs import TensorSpec
from tfc.core.tensor import Tensor
from tfc.ops.ragged.specs import Parts as RaggedParts
from tfc.ops.sparse.specs import Parts as SparseParts
from tfc.records.meta_graph import FunctionSpec, SavedConcreteFunction
from tfc.records.structure import StructuredValue, decode
from tfc.saved_model.traces import Place, by_name, match

from .attributes import damaged, unimplemented
from .bodies import Body, Library
from .running import Run, is_known

_COMPOSITES = {"RaggedTensorSpec": tf.RaggedTensorSpec, "SparseTensorSpec": tf.SparseTensorSpec}


class _Variable:
    """Where a Variable is an argument."""


def _bounded(shape: Any, dtype: Any, low: Any, high: Any, name: Any) -> TensorSpec:
    return TensorSpec(shape, dtype, name)


def _composed(name: str, state: Any) -> Any:
    if name == "VariableSpec":
        return _Variable()
    made = _COMPOSITES.get(name)
    if made is None:
        raise unimplemented(f"a function of the saved model takes or gives a {name}")
    shape, dtype, *more = state
    return made(shape, dtype, *more[:2]) if name == "RaggedTensorSpec" else made(shape, dtype)


def structure_of(message: StructuredValue) -> Any:
    """What a message stands for, with dictionaries in the order in which tensors are taken.

    Raises:
        DataLossError: If it stands for nothing.
    """
    try:
        return _ordered(decode(message, _bounded, _composed))
    except (ValueError, TypeError, LookupError) as error:
        raise damaged(f"the structure of a function: {error}") from None


def _ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    if isinstance(value, tuple):
        items = [_ordered(v) for v in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return [_ordered(v) for v in value] if isinstance(value, list) else value


def placed(value: Any, specs: list[TensorSpec]) -> Any:
    """A structure with a Place for each tensor, whose specs are added to `specs`."""

    def place(spec: TensorSpec) -> Place:
        specs.append(spec)
        return Place(len(specs) - 1)

    if isinstance(value, TensorSpec):
        return place(value)
    if isinstance(value, tf.RaggedTensorSpec):
        rank = value.ragged_rank
        inner = value.shape[rank + 1 :] if value.shape.rank is not None else None
        flat = tf.TensorShape([None, *inner]) if inner is not None else tf.TensorShape(None)
        splits = [TensorSpec([None], value.row_splits_dtype) for _ in range(rank)]
        parts = [place(spec) for spec in (TensorSpec(flat, value.dtype), *splits)]
        return RaggedParts.make(*parts)
    if isinstance(value, tf.SparseTensorSpec):
        axes = value.shape.rank
        rows = [TensorSpec([None, axes], tf.int64), TensorSpec([None], value.dtype)]
        return SparseParts.make(*map(place, (*rows, TensorSpec([axes], tf.int64))))
    if isinstance(value, dict):
        return {key: placed(inner, specs) for key, inner in value.items()}
    if isinstance(value, list):
        return [placed(inner, specs) for inner in value]
    if isinstance(value, tuple):
        items = [placed(inner, specs) for inner in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def packed(value: Any, tensors: Any) -> Any:
    """A structure of specs with the next of some tensors for each."""
    if isinstance(value, TensorSpec):
        return next(tensors)
    if isinstance(value, tf.RaggedTensorSpec):
        flat = next(tensors)
        return tf.RaggedTensor.from_nested_row_splits(
            flat, [next(tensors) for _ in range(value.ragged_rank)], validate=False
        )
    if isinstance(value, tf.SparseTensorSpec):
        return tf.SparseTensor(*(next(tensors) for _ in range(3)))
    if isinstance(value, dict):
        return {key: packed(inner, tensors) for key, inner in value.items()}
    if isinstance(value, list):
        return [packed(inner, tensors) for inner in value]
    if isinstance(value, tuple):
        items = [packed(inner, tensors) for inner in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


class ConcreteBody:
    """A function of a saved model that TensorFlow traced: it stands where `SavedTrace` does.

    Args:
        name: Its name in the library.
        library: The functions.
        bound: What it takes beside its arguments.
        message: What arguments and results look like.
        signature: Of the function that was traced.
    """

    def __init__(
        self,
        name: str,
        library: Library,
        bound: Sequence[Any],
        message: SavedConcreteFunction,
        signature: inspect.Signature | None = None,
    ) -> None:
        self.name, self.library, self.bound = name, library, list(bound)
        structure = structure_of(message.canonicalized_input_signature)
        if not (isinstance(structure, tuple) and len(structure) == 2):
            raise damaged(f"the arguments of {name!r:.80}")
        args, kwargs = structure
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise damaged(f"the arguments of {name!r:.80}")
        self.specs: list[TensorSpec] = []
        self.wanted = placed((args, kwargs), self.specs)
        self.outputs = structure_of(message.output_signature)
        self._given = args, kwargs
        if signature is not None:
            try:
                bound_args = signature.bind(*args, **kwargs)
                wanted = signature.bind(*self.wanted[0], **self.wanted[1])
            except TypeError as error:
                raise damaged(f"the arguments of {name!r:.80}: {error}") from None
            bound_args.apply_defaults()
            wanted.apply_defaults()
            self._given = bound_args.args, bound_args.kwargs
            self.wanted = wanted.args, wanted.kwargs

    def arguments(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with a spec for each tensor."""
        return self._given

    def outputs_by_name(self) -> dict[str, Any]:
        """The specs of the results of a signature."""
        return by_name(self.outputs)

    def matched(self, args: Any, kwargs: Any, convert: bool) -> list[Any] | None:
        """The tensors of a call that fits; None for another."""
        found: list[Any] = [None] * len(self.specs)
        fits = match(self.wanted, (tuple(args), dict(kwargs)), self.specs, found, convert)
        return found if fits else None

    def body(self) -> Body:
        """Its nodes, whose ops are all known.

        Raises:
            UnimplementedError: If they are not.
        """
        body = self.library.body(self.name)
        wanted = [*(ref.node for ref in body.results), *body.effects]
        self.library.check(body, wanted, is_known)
        return body

    def call(self, tensors: Sequence[Any]) -> Any:
        """Its results for these tensors."""
        self.body()
        results = Run(self.library, Body(())).call(self.name, [*tensors, *self.bound])
        left = iter(results)
        try:
            found = packed(self.outputs, left)
        except StopIteration:
            raise damaged(
                f"{self.name!r:.80} gives {len(results)} results, which are too few"
            ) from None
        return found


def signature_of_spec(spec: FunctionSpec) -> inspect.Signature:
    """The parameters of a function of Python.

    Raises:
        DataLossError: If they are none.
    """
    parts = structure_of(spec.fullargspec)
    names = ("args", "varargs", "varkw", "defaults", "kwonlyargs", "kwonlydefaults")
    if not all(hasattr(parts, name) for name in names):
        raise damaged("the parameters of a function")
    kind, empty = inspect.Parameter, inspect.Parameter.empty
    try:
        args = list(parts.args)[1 if spec.is_method else 0 :]
        defaults = list(parts.defaults or ())
        values = [empty] * (len(args) - len(defaults)) + defaults
        rows = [
            kind(name, kind.POSITIONAL_OR_KEYWORD, default=value)
            for name, value in zip(args, values[-len(args) :] if args else [], strict=True)
        ]
        if parts.varargs:
            rows.append(kind(parts.varargs, kind.VAR_POSITIONAL))
        only = parts.kwonlydefaults or {}
        rows += [
            kind(name, kind.KEYWORD_ONLY, default=only.get(name, empty))
            for name in parts.kwonlyargs or ()
        ]
        if parts.varkw:
            rows.append(kind(parts.varkw, kind.VAR_KEYWORD))
        return inspect.Signature(rows)
    except (TypeError, ValueError, AttributeError) as error:
        raise damaged(f"the parameters of a function: {error}") from None


def flat_names(body: ConcreteBody, keywords: Sequence[str]) -> list[str]:
    """The names by which the tensors of a concrete function come."""
    if len(keywords) == len(body.specs):
        return list(keywords)
    raise damaged(f"{len(keywords)} names for {len(body.specs)} arguments of {body.name!r:.80}")


__all__ = ["ConcreteBody", "Tensor", "flat_names", "signature_of_spec", "structure_of"]
