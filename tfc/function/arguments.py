"""The arguments of a call of a `tfc.function`: what a trace depends on, and how to say it.

Tensors count by structure, dtype and rank (their extents are looked at by `ConcreteFunction`),
Variables by what they hold and which of them are one, objects by identity, everything else by its
value. Nothing here keeps tensors or objects of the user's alive: an object is held weakly, and what
was traced for it goes with it.
"""

from __future__ import annotations

import contextlib
import inspect
import re
import weakref
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tfc.ir.core import once
from tfc.ir.dtypes import DType
from tfc.ir.types import TensorType
from tfc.ir.value_classes import NamedTuple

from ..core import nest
from ..core.argument_variables import VariableSpec, spec_of
from ..core.containers import Composite
from ..core.context import context, user_location
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.nest import decompose_composites as decompose
from ..core.placement import is_on_host
from ..core.specs import TensorSpec
from ..core.tensor import SymbolicTensor, Tensor
from ..core.variable import Variable


class Dead:
    """Stands for an object that is gone."""

    def __repr__(self) -> str:
        return "<an object that is gone>"


class _Same:
    """Equal where both stand for one object, which is not kept alive; one that is gone equals none,
    whatever has its place in memory by now."""

    __slots__ = ("find",)

    def __init__(self, x: Any) -> None:
        try:
            self.find: Callable[[], Any] = weakref.ref(x)
        except TypeError:  # without weak references it stays anyway, with what is traced for it
            self.find = lambda: x

    def __eq__(self, other: object) -> bool:
        mine = self.find()
        return isinstance(other, _Same) and mine is not None and mine is other.find()

    __hash__ = None  # type: ignore[assignment]


class Leaf(NamedTuple):
    """What one leaf of the arguments is, in words."""

    name: str  # such as "x" or "model['w']"
    kind: str  # "tensor", "variable", "value" or "object"
    text: str  # "f32[8,3]", "2", ...
    detail: Any  # of a tensor its TensorType


class Arguments:
    """The arguments of one call, apart from its tensors."""

    def __init__(
        self,
        name: str,
        signature: inspect.Signature,
        args: Any,
        kwargs: Any,
        by_value: Mapping[Any, Collection[int]] | None = None,
    ) -> None:
        """`by_value` has, by structure, the places of tensors that count by their elements."""
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise unbound(f"{name}{signature}", error) from None
        bound.apply_defaults()
        self.name = name
        self.signature = signature
        self.positional = len(bound.args)
        self.leaves, self.structure = decompose((list(bound.args), dict(bound.kwargs)))
        self.tensors: list[Tensor] = []
        self.objects: list[int] = []  # places of what is compared by identity
        self.places: list[int] = []  # of tensors
        self.variables: list[Variable] = []  # each once
        self.specs: dict[int, VariableSpec] = {}  # of Variables, by place
        self.spec_names: list[str | None] = []  # that TensorSpecs give these, where there are any
        key: list[Any] = []
        values = by_value.get(self.structure, ()) if by_value else ()
        self.values: list[int] = []  # places of tensors that count by their elements
        for i, leaf in enumerate(self.leaves):
            if i in values and counts_by_value(leaf):
                self.values.append(i)
                array = np.asarray(leaf)
                key.append(("elements", array.dtype.str, array.shape, array.tobytes()))
            elif isinstance(leaf, Tensor):
                self._add(i, leaf, key)
            elif type(leaf) is Variable:
                self.specs[i] = self._spec(leaf)
                key.append(("variable", self.specs[i]))
            elif isinstance(leaf, Variable):
                key.append(("variable", id(leaf)))
                self.objects.append(i)
            elif isinstance(leaf, np.ndarray | np.generic):
                self._add(i, convert_to_tensor(leaf), key)
            else:
                key.append(literal_key(leaf))
                if key[-1][0] == "object":
                    self.objects.append(i)
        self.key = (self.structure, tuple(key))

    def _add(self, i: int, tensor: Tensor, key: list[Any]) -> None:
        self.places.append(i)
        self.tensors.append(tensor)
        key.append(("tensor", tensor.dtype, tensor.ndim))

    def behind(self, params: Collection[Any] | None, all_params: Sequence[Any]) -> list[int]:
        """The places of the tensors that these parameters of a trace stand for; none where one of
        them cannot count by its elements."""
        if not params:
            return []
        found = [
            (place, tensor)
            for place, tensor, p in zip(self.places, self.tensors, all_params, strict=True)
            if p._value in params
        ]
        fitting = len(found) == len(params) and all(counts_by_value(t) for _, t in found)
        return [place for place, _ in found] if fitting else []

    def _spec(self, variable: Variable) -> VariableSpec:
        """What counts of a Variable: that it is the same as one before, too."""
        known = [i for i, v in enumerate(self.variables) if v is variable]
        if not known:
            self.variables.append(variable)
        return spec_of(variable, known[0] if known else len(self.variables) - 1)

    def fix(self, numbers: Collection[int]) -> None:
        """Let Variables count by identity, too: those of these numbers among `variables`."""
        for place, spec in list(self.specs.items()):
            if spec.alias_id in numbers:
                del self.specs[place]
                self.objects.append(place)

    def release(self, gone: Callable[[], None]) -> None:
        """Let go of tensors, Variables and objects; `gone` is called when one of the objects
        dies."""
        for place in self.places:
            self.leaves[place] = None
        self.tensors, self.variables = [], []
        for place, spec in self.specs.items():
            self.leaves[place] = spec
        for place in self.objects:
            # What has no weak references stays, so that its id stays its own.
            with contextlib.suppress(TypeError):
                self.leaves[place] = weakref.ref(self.leaves[place], lambda _: gone())

    def rebuild(
        self, tensors: Sequence[Any], variables: Sequence[Any] = ()
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments with other tensors, and Variables where some are given, in the places of
        theirs."""
        leaves = [_alive(leaf) for leaf in self.leaves]
        for place, t in zip(self.places, tensors, strict=True):
            leaves[place] = t
        if variables:
            for place, spec in self.specs.items():
                leaves[place] = variables[spec.alias_id]
        args, kwargs = self.structure.pack(leaves)
        return tuple(args), kwargs

    def plain(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments themselves."""
        return self.rebuild(self.tensors)

    def tensor_names(self) -> list[str]:
        """A name for each tensor: its TensorSpec's, or after the parameter that it came by."""
        return [
            "_".join(path) if own is None or not own.isidentifier() else own
            for path, own in self._named_paths()
        ]

    def name_specs(self, names: Sequence[str | None]) -> None:
        """Take the names of TensorSpecs: a concrete function is called by them, too."""
        if not any(names) or len(names) != len(self.places):
            return
        others = self.tensor_names()
        taken = Counter(n if n is not None else o for n, o in zip(names, others, strict=True))
        # Each tensor has a name of its own.
        self.spec_names = [n if n is not None and taken[n] == 1 else None for n in names]

    def _named_paths(self) -> Iterator[tuple[list[str], str | None]]:
        """For each tensor the parameter and the steps into its structure, and its TensorSpec's
        name."""
        own = self.spec_names or [None] * len(self.places)
        for place, name in zip(self.places, own, strict=True):
            parameter, _, steps = self._ways[place]
            yield [parameter, *steps], name

    @once
    def _ways(self) -> list[tuple[str, str, list[str]]]:
        """For each leaf the parameter, and the steps from there into its structure: as they are
        written, and by their names."""
        names = self.parameter_names()
        found = []
        for path in self.structure.paths():
            kind, base, *steps = re.findall(r"\w+", path)
            written = path.split("]", 2)[2] if path.count("]") > 1 else ""
            found.append((names[int(base)] if kind == "0" else base, written, steps))
        return found

    def parameter_names(self) -> list[str]:
        """The names of the positional arguments; those of `*rest` are rest_0, rest_1, ..."""
        names: list[str] = []
        for parameter in self.signature.parameters.values():
            if parameter.kind is parameter.VAR_POSITIONAL:
                more = self.positional - len(names)
                names += [f"{parameter.name}_{i}" for i in range(more)]
            elif parameter.kind is not parameter.KEYWORD_ONLY:
                names.append(parameter.name)
        return names

    def tensors_of(self, args: Any, kwargs: Any) -> list[Any]:
        """The tensors of a call of the concrete function: with or without the Python values."""
        return self.given(args, kwargs)[0]

    def given(
        self, args: Any, kwargs: Any, variables: Sequence[Variable] = ()
    ) -> tuple[list[Any], Sequence[Variable]]:
        """The tensors and Variables of a call of the concrete function: with or without the Python
        values, and with those of `variables` that are not given."""
        flat = not kwargs and len(args) == len(self.places) != self.positional
        if flat and not any(map(nest.is_nested, args)):
            return [convert_to_tensor(a) for a in args], variables
        parameters = {n: path[0] for path, n in self._named_paths() if n and len(path) == 1}
        known_names = self.signature.parameters
        kwargs = {n if n in known_names else parameters.get(n, n): v for n, v in kwargs.items()}
        try:
            given = self.signature.bind_partial(*args, **kwargs)
        except TypeError as error:
            raise unbound(self.name, error) from None
        own_args, own_kwargs = self.rebuild([_TENSOR] * len(self.places), variables)
        own = self.signature.bind(*own_args, **own_kwargs)
        known, own_arguments = own.arguments, (own.args, own.kwargs)
        for parameter, value in known.items():
            if any(v is _TENSOR for v in nest.flatten(value)):
                if parameter not in given.arguments:
                    raise unbound(self.name, f"missing a required argument: {parameter!r}")
            else:
                given.arguments.setdefault(parameter, value)
        leaves, structure = decompose((list(given.args), dict(given.kwargs)))
        if structure != self.structure:  # unless a signature states more than a value tells
            with contextlib.suppress(TypeError, ValueError):
                whole = nest.map_structure(_stating, (given.args, given.kwargs), own_arguments)
                leaves, structure = decompose((list(whole[0]), dict(whole[1])))
        if structure != self.structure:
            raise TypeError(
                f"{self.name}: the arguments have another structure ({user_location()})"
            )
        for i, (leaf, own) in enumerate(zip(leaves, map(_alive, self.leaves), strict=True)):
            if i in self.places or i in self.specs or leaf is own:
                continue
            if isinstance(leaf, Variable) or literal_key(leaf) != literal_key(own):
                raise TypeError(
                    f"{self.name} was traced for the Python value {shown(own)}, and called with "
                    f"{shown(leaf)} ({user_location()})"
                )
        found = {spec.alias_id: leaves[i] for i, spec in self.specs.items()}
        for i, spec in self.specs.items():
            leaf = leaves[i]
            fitting = isinstance(leaf, Variable) and spec_of(leaf, spec.alias_id) == spec
            same = [number for number, v in found.items() if v is leaf]
            if not fitting or same != [spec.alias_id]:
                raise TypeError(
                    f"{self.name} was traced for {spec}, and called with {shown(leaf)} "
                    f"({user_location()})"
                )
        others = {number: v for number, v in enumerate(variables) if number not in found}
        whole_set = found | others
        tensors = [convert_to_tensor(leaves[place]) for place in self.places]
        return tensors, [whole_set[i] for i in sorted(whole_set)]

    # In words.

    def described(self, types: Sequence[TensorType] | None = None) -> tuple[Leaf, ...]:
        """Every leaf; `types` are those that the tensors are traced for."""
        found = []
        where = {place: i for i, place in enumerate(self.places)}
        for i, (leaf, way) in enumerate(zip(self.leaves, self._ways, strict=True)):
            name = way[0] + way[1]
            if i in where:
                k = where[i]
                type_ = type_of(self.tensors[k]) if types is None else types[k]
                found.append(Leaf(name, "tensor", str(type_), type_))
            elif i in self.specs:
                text = f"Variable {leaf.name!r}" if isinstance(leaf, Variable) else str(leaf)
                found.append(Leaf(name, "variable", text, self.specs[i]))
            elif isinstance(leaf, Variable):
                found.append(Leaf(name, "variable", f"Variable {leaf.name!r}", _Same(leaf)))
            elif i in self.objects:
                text = f"{shown(leaf)} (a {type(leaf).__name__}, by identity)"
                found.append(Leaf(name, "object", text, _Same(leaf)))
            else:
                found.append(Leaf(name, "value", shown(leaf), type(leaf)))
        return tuple(found)

    def describe(self, inputs: Sequence[TensorSpec], outputs: Any) -> str:
        """The signature as TensorFlow prints it."""
        args, kwargs = self.rebuild(inputs)
        names = self.parameter_names()
        words, rows = [], []
        for key, value in [*zip(names, args, strict=False), *kwargs.items()]:
            specs = [v for v in nest.flatten(value) if isinstance(v, TensorSpec)]
            if specs:
                words.append(key)
                rows.append(f"    {key}: {_spec_text(value)}")
            else:
                words.append(f"{key}={value!r}")
        lines = [f"{self.name}({', '.join(words)})"]
        if rows:
            lines += ["  Args:", *rows]
        lines += ["  Returns:", f"    {_spec_text(outputs)}"]
        return "\n".join(lines)


def unbound(name: str, reason: Any, more: str = "") -> TypeError:
    """What is raised where the arguments of a call are not those of the function."""
    return TypeError(
        f"{name}: Binding inputs to tf.function failed due to `{reason}`{more} ({user_location()})"
    )


_TENSOR: Any = object()  # stands for a tensor


_BY_VALUE_MOST = 64  # elements: axes, sizes, paddings


def counts_by_value(x: Any) -> bool:
    """Whether an argument may count by its elements: few numbers, which no tape looks at."""
    if isinstance(x, SymbolicTensor) or not isinstance(x, Tensor):
        return False
    array = x._array
    if not is_on_host(array) or array.size > _BY_VALUE_MOST:
        return False
    return array.dtype.kind in "biu" or (array.dtype.kind == "f" and not context.tapes)


def _stating(value: Any, own: Any) -> Any:
    """An argument as the signature has it, which may state more than the value tells."""
    same = isinstance(value, Composite) and type(value) is type(own)
    return value._stating(own) if same else value


def _alive(leaf: Any) -> Any:
    if isinstance(leaf, weakref.ref):
        found = leaf()
        return Dead() if found is None else found
    return leaf


def type_of(tensor: Tensor) -> TensorType:
    """The type that a tensor has now, or in its trace."""
    if isinstance(tensor, SymbolicTensor):
        return tensor._value.tensor_type
    return TensorType(tensor.dtype, tensor._array.shape)


def _spec_text(value: Any) -> str:
    if isinstance(value, TensorSpec):
        return f"{value.dtype.name} Tensor, shape={value.shape}"
    if isinstance(value, list | tuple):
        inner = ", ".join(map(_spec_text, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_spec_text(v)}" for k, v in value.items()) + "}"
    return repr(value)


def literal_key(leaf: Any) -> Any:
    """What a Python value counts as: ("object", id) where nothing but identity can be compared."""
    if type(leaf) is float:  # 0.0 and -0.0 are equal and not the same; nan is not equal to itself
        return float, leaf.hex()
    if type(leaf) is complex:
        return complex, leaf.real.hex(), leaf.imag.hex()
    if leaf is None or isinstance(leaf, type | DType):
        return type(leaf), leaf
    equal: Any = type(leaf).__eq__
    if equal is object.__eq__:
        return "object", id(leaf)
    try:
        hash(leaf)
    except TypeError:
        return "object", id(leaf)
    return type(leaf), leaf


__all__ = ["Arguments", "Leaf", "literal_key", "type_of"]
