"""Ops on tensors of strings, eagerly. (In functions: tfc/dispatch/host_functions.py.)

What only moves elements or compares them (reshape, gather, concat, where, ==, unique, ...) works
on strings as on numbers: the op runs on the ranks of the strings among all that it is given, and
the result's numbers are strings again. `run` looks at the IR of an op to tell whether that is so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.core import Builder, Op, OpError, Value
from tfc.ir.dtypes import int64
from tfc.ir.types import TensorType

from ..core import blame
from ..core.tensor import StringTensor, strings, wrap

# Ops on strings.

_MOVES = (
    ir.Reshape,
    ir.Broadcast,
    ir.Transpose,
    ir.Slice,
    ir.Reverse,
    ir.Concat,
    ir.Sort,
    ir.Pad,
    ir.StopGradient,
)
_DATA: dict[type[Op], tuple[int, ...]] = {  # which operands may be strings; these move them
    ir.Gather: (0,),
    ir.Select: (1, 2),
    ir.Scatter: (0, 2),  # where updates take the places of what was there
}
_TELLS = (ir.Equal, ir.NotEqual, ir.ArgSort)  # take strings and give something else


def run(primitive: Any, tensors: Sequence[Any], static: tuple[Any, ...]) -> Any:
    """The result of a primitive on tensors of which some hold strings."""
    if primitive.name == "add" and all(isinstance(t, StringTensor) for t in tensors):
        return joined([t._array for t in tensors], b"")
    table, ranks = _ranked([t._array for t in tensors if isinstance(t, StringTensor)])
    rest = iter(ranks)
    numbers = [wrap(next(rest)) if isinstance(t, StringTensor) else t for t in tensors]
    moved = _results(primitive, tensors, static)
    result = primitive(*numbers, static=static)
    results = result if isinstance(result, tuple) else (result,)
    found = tuple(
        _chosen(table, r._array) if is_text else r
        for r, is_text in zip(results, moved, strict=True)
    )
    return found if isinstance(result, tuple) else found[0]


def _chosen(table: np.ndarray, places: np.ndarray) -> StringTensor:
    found = np.empty(places.shape, object)
    found[...] = table[places]
    return strings(found)


def _ranked(arrays: Sequence[np.ndarray]) -> tuple[np.ndarray, list[np.ndarray]]:
    """All strings in order, each once, and for each array the places of its elements there."""
    values = sorted({item for array in arrays for item in array.reshape(-1)})
    place = {item: i for i, item in enumerate(values)}
    table = np.empty(len(values), object)
    table[:] = values
    ranks = []
    for array in arrays:
        numbers = np.array([place[item] for item in array.reshape(-1)], np.int64)
        ranks.append(numbers.reshape(array.shape))
    return table, ranks


def _results(primitive: Any, tensors: Sequence[Any], static: tuple[Any, ...]) -> list[bool]:
    """Which results are strings; an error where the op does more than to move them."""
    b = Builder(primitive.name)
    params = []
    for t in tensors:
        dtype = int64 if isinstance(t, StringTensor) else t.dtype
        params.append(b.parameter(TensorType(dtype, tuple(t._array.shape))))
    try:
        results = primitive.body(b, *params, *static)
    except OpError as error:
        if error.kind == "dtype":
            raise _refused(primitive.name, tensors) from None
        raise primitive.error(error, tensors) from None
    text = {v for v, t in zip(params, tensors, strict=True) if isinstance(t, StringTensor)}
    for op in b.body:
        if text.isdisjoint(op.operands) or (isinstance(op, _TELLS) and _all(op, text)):
            continue
        if (isinstance(op, _MOVES) and _all(op, text)) or all(
            (v in text) == (i in _data(op)) for i, v in enumerate(op.operands)
        ):
            text.update(op.results)
        else:
            raise _refused(primitive.name, tensors)
    return [v in text for v in (results if isinstance(results, tuple) else (results,))]


def _data(op: Op) -> tuple[int, ...]:
    """The operands that may be strings, which it moves."""
    combines = isinstance(op, ir.Scatter) and op.combine != "update"
    return () if combines else _DATA.get(type(op), ())


def _all(op: Op, text: set[Value]) -> bool:
    return all(v in text for v in op.operands)


def _refused(name: str, tensors: Sequence[Any]) -> Exception:
    shapes = ", ".join(f"{t.dtype.name}{list(t._array.shape)}" for t in tensors)
    return blame.invalid_dtype(f"{name}: not defined for dtype string (operands: {shapes})", name)


def joined(arrays: Sequence[np.ndarray], separator: bytes) -> StringTensor:
    """The strings of several arrays joined element by element, with broadcasting."""
    spread = np.broadcast_arrays(*arrays)
    rows = zip(*(a.reshape(-1).tolist() for a in spread), strict=True)
    found = np.empty(spread[0].size, object)
    found[:] = list(map(separator.join, rows))
    return strings(found.reshape(spread[0].shape))


def not_in_functions(op: str) -> Exception:
    """What is raised where strings alone tell the rank of a result."""
    return blame.unimplemented(
        "the rank of the result depends on data: call this outside of the tfc.function", op
    )
