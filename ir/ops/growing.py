"""Loops whose extents only running tells: what they carry changes its size from round to round,
and what their rounds give is kept for as many rounds as there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..core import Value, types_of
from ..extent import Expr, Extent, Shape, as_int, substitute, symbols
from ..types import INDEX, TensorType, Type
from .control import While, stack


class GrowingWhile(While):
    """A `while` that binds symbols when it ends:

        bound = (*what the extents `inside` are then, rounds, *lengths of ragged rows)

    `inside` are symbols of the regions: each is one extent of one carried param, and may be another
    in each round. The body gives the carried values, then rows. The results are the carried
    values, with `bound` in the place of `inside`; the values of `bound`, i64 scalars; and the
    rows of all rounds. These are stacked along a new first axis. Where rows have extents that
    differ from round to round, their elements stand one after another in a vector: such rows are
    `ragged`. What of `bound` is no symbol was known before: a loop that is run again, for more
    rows, has the numbers that it had.
    """

    inside: Shape
    bound: Shape

    @property
    def rounds(self) -> Extent:
        """The symbol for the number of rounds."""
        return self.bound[len(self.inside)]

    @property
    def rows(self) -> tuple[Value, ...]:
        """What each round gives, as values of the body."""
        return self.body.returns[len(self.init) :]

    @property
    def ragged(self) -> tuple[int, ...]:
        """Which of the rows are ragged."""
        own = {str(s) for s in self.inside}
        own.update(str(s) for op in self.body.body for _, s in op.binds())
        return tuple(k for k, v in enumerate(self.rows) if not own.isdisjoint(_symbols(v.shape)))

    def binds(self) -> Sequence[tuple[Value, Extent]]:
        n = len(self.init)
        pairs = zip(self.results[n : n + len(self.bound)], self.bound, strict=True)
        return tuple((v, s) for v, s in pairs if isinstance(s, Expr) and str(s).isidentifier())

    def local_symbols(self) -> Iterator[str]:
        return map(str, self.inside)

    def varying(self) -> dict[tuple[int, int], int]:
        """Where the symbols `inside` stand: (carried value, axis) to their numbers."""
        numbers = {str(s): k for k, s in enumerate(self.inside)}
        found = {}
        for i, p in enumerate(self.body.params[: len(self.init)]):
            for axis, extent in enumerate(p.shape):
                if str(extent) in numbers:
                    found[i, axis] = numbers[str(extent)]
        return found

    def infer(self) -> tuple[Type, ...]:
        n = len(self.init)
        varying = self.varying()
        if sorted(varying.values()) != list(range(len(self.inside))):
            raise self.error("each extent that changes must be one of one carried value", "value")
        start = {str(self.inside[k]): self.init[i].shape[axis] for (i, axis), k in varying.items()}
        params = types_of(self.body.params)
        given = [t.with_shape(_with(t.shape, start)) for t in params[:n]]  # type: ignore[union-attr]
        if given != list(types_of(self.init)) or params[n:] != types_of(self.captured):
            self._takes(self.body, (*types_of(self.init), *types_of(self.captured)), "the body")
        self._takes(self.condition, params, "the condition")
        self._check_condition()
        have = self.body.result_types
        wanted = [
            t.with_shape(  # type: ignore[union-attr]
                tuple(r.shape[a] if (i, a) in varying else e for a, e in enumerate(t.shape))
            )
            if i < len(have) and len(r.shape) == len(t.shape)
            else t
            for i, (t, r) in enumerate(zip(params[:n], have, strict=False))
        ]
        if list(have[:n]) != wanted:
            self._gives(self.body, params[:n], "the body")
        ragged = self.ragged
        if len(self.bound) != len(self.inside) + 1 + len(ragged):
            raise self.error(f"{len(self.bound)} symbols are bound", "value")
        end = {str(s): e for s, e in zip(self.inside, self.bound, strict=False)}
        lengths = iter(self.bound[len(self.inside) + 1 :])
        rows: list[Type] = [
            TensorType(t.dtype, (next(lengths),) if k in ragged else (self.rounds, *t.shape))
            for k, t in enumerate(have[n:])
        ]
        carried = [t.with_shape(_with(t.shape, end)) for t in params[:n]]  # type: ignore[union-attr]
        return (*carried, *(INDEX for _ in self.bound), *rows)

    def run(self, interpret: Any, sizes: Any, *operands: Any) -> Sequence[Any]:
        n, ragged = len(self.init), self.ragged
        carried, captured = list(operands[:n]), operands[n:]
        rows: list[list[Any]] = [[] for _ in self.rows]
        rounds = 0
        while interpret(self.condition, (*carried, *captured))[0]:
            found = interpret(self.body, (*carried, *captured))
            carried, rounds = found[:n], rounds + 1
            for row, value in zip(rows, found[n:], strict=True):
                row.append(value)
        numbers = [0] * len(self.inside)
        for (i, axis), k in self.varying().items():
            numbers[k] = carried[i].shape[axis]
        stacked = []
        for k, (row, v) in enumerate(zip(rows, self.rows, strict=True)):
            dtype = v.dtype.numpy
            if k in ragged:
                parts = [np.ravel(x) for x in row]
                stacked.append(np.concatenate([np.empty(0, dtype), *parts]))
                continue
            shape = [as_int(substitute(e, sizes)) for e in v.shape]
            stacked.append(stack(row, shape, dtype))
        lengths = [stacked[k].size for k in ragged]
        scalars = [np.int64(x) for x in (*numbers, rounds, *lengths)]
        return [*carried, *scalars, *stacked]


def _symbols(shape: Shape) -> set[str]:
    return {s for e in shape for s in symbols(e)}


def _with(shape: Shape, values: dict[str, Extent]) -> Shape:
    return tuple(substitute(e, values) for e in shape)
