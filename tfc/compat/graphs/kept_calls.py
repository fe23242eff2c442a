"""Calls with tensors of unknown rank: which functions are called so, and what is known of their
results.

A call is tried out at once on tensors of several ranks, which tells dtypes, whether it is wrong in
itself, and where the rank of a result does not depend on those of its arguments. A result of such
a rank (a loss, mostly) is an ordinary tensor of the graph from there on: a param of the trace, for
which a slice of the graph takes what its world computes. Derivatives are kept calls as well: what
they are by a Variable has its shape.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import Any

import tfc as _tfc
from tfc.core import blame, nest
from tfc.core.context import active, current
from tfc.core.tensor import SymbolicTensor, Tensor
from tfc.core.variable import Variable
from tfc.dispatch.overloads import overloads_of
from tfc.function.abstract import ScratchTrace
from tfc.ir.dtypes import DType

from .op_names import name_of_function
from .public_functions import public_functions
from .reachable import reachable
from .unranked import Graph, Kept, PartOfSparse, UnrankedTensor, World

_FIRST = (1, 0, 2, 3, 4)  # ranks that derivatives are tried with, the likeliest first
_MAX_PAIRED = 2  # arguments whose ranks are tried in all combinations; more get equal ones


def placeholder(graph: Graph, dtype: DType, name: str, default: Any = None) -> UnrankedTensor:
    """A tensor of unknown rank that is fed."""
    install()
    made = UnrankedTensor(graph, dtype, name)
    graph.unranked.append(made)
    if default is not None:
        graph.unranked_defaults[id(made)] = default
    return made


def sparse_parts(graph: Graph, name: str) -> tuple[UnrankedTensor, UnrankedTensor]:
    """The places and the extents of a sparse tensor of unknown rank that is fed."""
    install()
    parts = [PartOfSparse(graph, _tfc.int64, f"{name}/{part}") for part in ("indices", "shape")]
    for part, shape in zip(parts, ([None, None], [None]), strict=True):
        part.set_shape(shape)
        part.group = parts[0]
        graph.unranked.append(part)
    return parts[0], parts[1]


def call(function: Callable[..., Any], args: Any, kwargs: Any, name: str | None = None) -> Any:
    """What a function gives that was called with tensors of unknown rank among its arguments.
    `name` is what its results are called after, where that is not the function's name."""
    given = {id(x): x for x in nest.flatten([args, kwargs], expand_composites=True) if is_open(x)}
    graph = next(iter(given.values())).graph

    def run(own: Mapping[int, Any]) -> Any:
        def ranked(x: Any) -> Any:
            return own.get(id(x), x)

        now_args, now_kwargs = nest.map_structure(
            ranked, (list(args), dict(kwargs)), expand_composites=True
        )
        return function(*now_args, **now_kwargs)

    structure, leaves = _tried(run, list(given.values()))

    def make(world: World) -> list[Any]:
        result = run({key: world.tensor(x) for key, x in given.items()})
        return list(nest.flatten(result, expand_composites=True))

    called = name or kwargs.get("name") or name_of_function(getattr(function, "__name__", "call"))
    return _results(graph, Kept(graph, make), structure, leaves, called)


def _results(graph: Graph, kept: Kept, structure: Any, leaves: Sequence[Any], called: str) -> Any:
    """Tensors for the leaves of what a kept call gives."""
    found = []
    for place, leaf in enumerate(leaves):
        if not isinstance(leaf, _tfc.TensorSpec):
            found.append(leaf)
            continue
        name = graph.unique_name(f"{current().names}{called}")
        made = UnrankedTensor(graph, leaf.dtype, name, kept, place)
        if leaf.shape.is_fully_defined():
            found.append(SymbolicTensor(graph.trace, made.ranked(leaf.shape)))
        else:
            made.set_shape(leaf.shape)
            found.append(made)
    return nest.pack_sequence_as(structure, found, expand_composites=True)


def _tried(
    run: Callable[[Mapping[int, Any]], Any], given: Sequence[UnrankedTensor]
) -> tuple[Any, list[Any]]:
    """What a call gives for all ranks with which it does: the structure, and of each leaf a
    TensorSpec, where it is a tensor, or itself."""
    structure: Any = None
    leaves: list[Any] | None = None
    problem: Exception | None = None
    groups = list(dict.fromkeys(x.group for x in given))
    for numbers in _combinations([len(group.trials()) for group in groups]):
        chosen = dict(zip(map(id, groups), numbers, strict=True))
        shapes = [x.trials()[chosen[id(x.group)]] for x in given]
        try:
            with _nothing_learnt(given[0].graph), ScratchTrace("ranks") as trace:
                tensors = [
                    trace.tensor(shape, x.dtype) for shape, x in zip(shapes, given, strict=True)
                ]
                result = run({id(x): t for x, t in zip(given, tensors, strict=True)})
                flat = [
                    _tfc.TensorSpec(x.shape, x.dtype) if isinstance(x, Tensor) else x
                    for x in nest.flatten(result, expand_composites=True)
                ]
        except Exception as error:  # it is for other ranks; raised below if it is for none
            problem = error
            continue
        if leaves is None:
            structure, leaves = result, flat
            continue
        if len(flat) != len(leaves):
            raise blame.value_error(
                "how many results it gives depends on a rank that nobody has said: give the "
                "placeholder a shape",
                "placeholder",
            )
        leaves = [_covering(a, b) for a, b in zip(leaves, flat, strict=True)]
    if leaves is None:
        assert problem is not None
        raise problem
    return structure, leaves


@contextmanager
def _nothing_learnt(graph: Graph, unless: bool = False) -> Iterator[None]:
    """Forget what is learnt of extents inside: it is of ranks that are tried. `unless` it succeeds:
    then it stays."""
    b = graph.trace.builder
    before = dict(b.requirements), list(b.joins), set(b.measured), dict(b.equal)
    learnt = list(b.learnt or ())
    kept = False
    try:
        yield
        kept = unless
    finally:
        if not kept:
            b.requirements.clear()
            b.requirements.update(before[0])
            b.joins[:] = before[1]
            b.measured.intersection_update(before[2])
            b.equal.clear()
            b.equal.update(before[3])
            b.learnt = learnt


def _combinations(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if sum(count > 1 for count in counts) <= _MAX_PAIRED:
        return itertools.product(*map(range, counts))
    longest = range(max(counts))
    return (tuple(min(n, count - 1) for count in counts) for n in longest)


def _covering(a: Any, b: Any) -> Any:
    """What describes either leaf."""
    if isinstance(a, _tfc.TensorSpec) and isinstance(b, _tfc.TensorSpec):
        return _tfc.TensorSpec(a.shape.most_specific_compatible_shape(b.shape), a.dtype)
    return a


def _gradients(*args: Any, **kwargs: Any) -> Any:
    """`tf.gradients` of what depends on tensors of unknown rank."""
    bound = overloads_of(_tfc.gradients).original
    names = ("ys", "xs", "grad_ys")
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    rest = args[len(names) :]
    graph = _graph_of(given)
    xs = _listed(given["xs"])

    def make(world: World) -> Sequence[Any]:
        def here(value: Any) -> Any:
            return nest.map_structure(world.resolved, value)

        own = {**given, "ys": here(_listed(given["ys"])), "xs": here(xs)}
        if given.get("grad_ys") is not None:
            own["grad_ys"] = here(_listed(given["grad_ys"]))
        ordered = [own.pop(name, None) for name in names]
        found = bound(*ordered, *rest, **own)
        return list(nest.flatten(found, expand_composites=True))

    kept = Kept(graph, make)
    problem: Exception | None = None
    for rank in _FIRST:
        try:
            fed = {
                id(x): graph.of_shape(x, x.trials()[min(rank, len(x.trials()) - 1)])
                for x in graph.unranked
                if x.is_open
            }
            with _nothing_learnt(graph, unless=True):
                result = _structured(graph, bound, given, rest, World(graph, fed))
        except Exception as error:  # it is for other ranks
            problem = error
            continue
        leaves = []
        for x, gradient in zip(xs, result, strict=True):
            for leaf in nest.flatten(gradient, expand_composites=True):
                plain = isinstance(gradient, Tensor)
                shape = x.shape if plain else [None, *leaf.shape[1:]]
                leaves.append(None if leaf is None else _tfc.TensorSpec(shape, leaf.dtype))
        made = _results(graph, kept, [0] * len(leaves), leaves, "gradients")
        found = nest.pack_sequence_as(result, made, expand_composites=True)
        return [_of_shape(g, x.shape) for g, x in zip(found, xs, strict=True)]
    assert problem is not None
    raise problem


def _of_shape(gradient: Any, shape: Any) -> Any:
    """A derivative whose extents are those of what it is by, where it has rows alone."""
    if not isinstance(gradient, _tfc.IndexedSlices) or not shape.is_fully_defined():
        return gradient
    extents = _tfc.constant(shape.as_list(), _tfc.int64)
    return _tfc.IndexedSlices(gradient.values, gradient.indices, extents)


def _structured(graph: Graph, bound: Any, given: Any, rest: Any, world: World) -> list[Any]:
    """The derivatives in one world, each as `tf.gradients` gives it."""
    with active(trace=graph.trace, tapes=(), autograph=False):
        own = {k: nest.map_structure(world.resolved, v) for k, v in given.items() if v is not None}
        found: list[Any] = bound(
            own.pop("ys"), own.pop("xs"), own.pop("grad_ys", None), *rest, **own
        )
    return found


def _listed(x: Any) -> list[Any]:
    return [x] if isinstance(x, Tensor | Variable) else nest.flatten(x)


def _graph_of(given: Mapping[str, Any]) -> Graph:
    found = [x for x in nest.flatten(given) if isinstance(x, SymbolicTensor)]
    graph: Graph = found[0]._trace.graph
    return graph


def is_open(x: Any) -> bool:
    """Whether calls with it are kept."""
    return isinstance(x, UnrankedTensor) and x.is_open


def has_open(args: Any, kwargs: Any) -> bool:
    try:
        leaves = nest.flatten([args, kwargs], expand_composites=True)
    except (TypeError, ValueError):  # no structure: the function itself says what it makes of it
        return False
    return any(map(is_open, leaves))


def _depends(args: Any, kwargs: Any) -> bool:
    """Whether one of the `ys` that are derived depends on a tensor of unknown rank."""
    ys = nest.flatten(kwargs["ys"] if "ys" in kwargs else args[0])
    for y in ys:
        if is_open(y):
            return True
        graph = y._trace.graph if isinstance(y, SymbolicTensor) else None
        if graph is not None and graph.deferred:
            needed = reachable([y._value], lambda v: () if v.op is None else v.op.operands)
            if any(v in graph.deferred for v in needed):
                return True
    return False


# Functions that take what is fetched or watched, of whatever rank.
_AS_THEY_ARE = {
    "gradients",
    "group",
    "numpy_function",
    "py_func",
    "py_function",
    "tuple",
    "convert_to_tensor",
    "is_tensor",
    "type_spec_from_value",
}
_installed: list[bool] = []


def install() -> None:
    """Let public functions be kept that are called with a tensor of unknown rank: from the first
    one on."""
    if _installed:
        return
    _installed.append(True)
    for function in public_functions():
        if function.__name__ not in _AS_THEY_ARE:
            overloads_of(function).first.append((has_open, _kept(function)))
    overloads_of(_tfc.gradients).first.append((_depends, _gradients))


def _kept(function: FunctionType) -> Callable[..., Any]:
    """The function for tensors of unknown rank. One that is given Python functions calls them now:
    what they see around them may be something else by the time that a session runs. Conditions are
    scalars there, and all else has to have a rank."""

    def kept(*args: Any, **kwargs: Any) -> Any:
        leaves = nest.flatten([args, kwargs], expand_composites=True)
        graph = next(x.graph for x in leaves if is_open(x))
        inside = any(isinstance(x, SymbolicTensor) and x._trace is not graph.trace for x in leaves)
        if not inside and not any(isinstance(x, FunctionType | MethodType) for x in leaves):
            return call(function, args, kwargs)

        def closed(x: Any) -> Any:
            if is_open(x) and x.dtype.is_bool and x.shape.rank is None:
                return SymbolicTensor(graph.trace, x.ranked([]))
            return SymbolicTensor(graph.trace, x._value) if is_open(x) else x

        args, kwargs = nest.map_structure(closed, (list(args), kwargs), expand_composites=True)
        return function(*args, **kwargs)

    return kept


def _operator(name: str) -> Callable[..., Any]:
    own = getattr(SymbolicTensor, name)

    def operator(self: UnrankedTensor, *others: Any) -> Any:
        if not has_open((self, *others), {}):
            return own(self, *others)
        return call(own, (self, *others), {}, name.strip("_"))

    return operator


_PAIRS = "add sub mul matmul truediv floordiv mod pow and or xor"
_ALONE = "lt le gt ge neg abs invert getitem eq ne"
for _name in [*_ALONE.split(), *_PAIRS.split(), *(f"r{name}" for name in _PAIRS.split())]:
    setattr(UnrankedTensor, f"__{_name}__", _operator(f"__{_name}__"))


__all__ = ["call", "has_open", "install", "is_open", "placeholder", "sparse_parts"]
