"""The traces of one `tfc.function`: found by the arguments of a call, made when there is none.

A second shape for the same argument is traced with symbols for the extents that changed; where
the Python function needs to know them, or broadcasts, with the extents as they are.
"""

from __future__ import annotations

import itertools
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tfc.ir.extent import Extent, symbol
from tfc.ir.types import TensorType

from ..core import errors, nest
from ..core.collector import held_back
from ..core.context import active, context, user_location
from ..core.frames import with_room
from ..core.locks import ForkLock
from ..core.specs import TensorSpec
from ..core.tensor import Tensor
from ..dispatch.slow_compiles import reasons, traced_in
from ..ops.sparse.specs import SparseTensorSpec
from .arguments import Arguments, type_of
from .concrete import ByValueError, ConcreteFunction, UnrankedError
from .explain import Attempt, Event, History

_MAX_TRACES = 1024  # of one function; the oldest goes
# Ops of a first trace from which on smaller sizes are expected though nobody said so: a smaller
# batch then compiles nothing. That makes the first call, in processor time, of one product 1.14 of
# what it is, of two with relu 1.15 (2 to 3 ms more), of a training step of 69 ops 1.17, of larger
# ones 1.07 to 1.12.
EXPECTING_OPS_MIN = 32
_LOOK_BACK = 8  # traces among which one with symbols is looked for

Python = Callable[..., Any]


class Traces:
    """What a function was traced for. Objects among the arguments are not kept alive: with them
    goes what was traced for them."""

    def __init__(
        self,
        owner: int,
        name: str,
        input_signature: tuple[Any, ...] | None,
        sizes: bool = False,
        stand_ins: bool = True,
    ) -> None:
        """`owner` tells the function from others that may be traced at the same time; `sizes` says
        whether other sizes are expected from the first call on; `stand_ins`: see
        ConcreteFunction."""
        self._owner = owner
        self._stand_ins = stand_ins
        self._sizes = sizes
        self._input_signature = input_signature
        self._by_key: dict[Any, list[ConcreteFunction]] = {}
        self._by_number: dict[int, ConcreteFunction] = {}  # from 1
        self.history = History(name)
        self.lock = ForkLock()

    def all(self) -> list[tuple[int, ConcreteFunction]]:
        """The traces that are there, with their numbers; each once for the Variables among the
        arguments."""
        return [
            (n, c) for n, concrete in list(self._by_number.items()) for c in concrete.all_bound()
        ]

    def find(self, arguments: Arguments, python: Callable[[], Python]) -> ConcreteFunction:
        """The trace for these arguments. `python` gives the Python function to trace."""
        variables = arguments.variables
        found = self.known(arguments)
        if found is None:
            with self.lock:
                found = self.known(arguments)  # another thread may have traced it meanwhile
                found = found or self._made(lambda: self._trace(arguments, python()))
        return found.bound(variables)

    def number(self, concrete: ConcreteFunction) -> int:
        """The number of a trace."""
        concrete = concrete.general or concrete
        return next(n for n, known in list(self._by_number.items()) if known is concrete)

    def exactly(
        self, arguments: Arguments, types: Sequence[TensorType], python: Callable[[], Python]
    ) -> ConcreteFunction:
        """The trace that was asked for with these very types."""
        variables = arguments.variables
        with self.lock:
            for concrete in self._by_key.get(arguments.key, ()):
                same = concrete.arguments.spec_names == arguments.spec_names
                if same and concrete.asked == tuple(types) and concrete.takes(variables):
                    return concrete.bound(variables)

            def make() -> ConcreteFunction:
                made = self._make(arguments, types, python())
                return self._keep(made, arguments, asked=True)

            try:
                return self._made(make).bound(variables)
            except (ByValueError, UnrankedError) as error:
                assert error.__cause__ is not None
                raise error.__cause__ from None

    @staticmethod
    def _made(make: Callable[[], ConcreteFunction]) -> ConcreteFunction:
        """The trace that `make` gives, which may convert and run Python more than once. Like a
        compiler, it makes many objects that stay."""
        start = time.perf_counter()
        with held_back():
            concrete = with_room(make)
        traced_in[concrete._program] = time.perf_counter() - start
        return concrete

    def known(self, arguments: Arguments) -> ConcreteFunction | None:
        """The trace that there is for these arguments."""
        for concrete in self._by_key.get(arguments.key, ()):
            if (
                concrete.takes(arguments.variables)
                and concrete.fits(arguments.tensors)
                and not concrete.misses(context.tapes)
            ):
                return concrete
        return None

    def _trace(self, arguments: Arguments, python: Python) -> ConcreteFunction:
        """Trace for these arguments: with symbols for extents that vary, or with the extents as
        they are where the Python function needs to know them, or broadcasts."""
        exact = [TensorType(t.dtype, t._array.shape) for t in arguments.tensors]
        attempts: list[Attempt] = []
        candidates = self._types(arguments)
        for types in candidates:
            if types == exact:
                break
            tried = ", ".join(map(str, types))
            try:
                concrete = self._make(arguments, types, python)
            except ByValueError:
                raise
            except Exception as error:  # raised again below if it has another cause
                if self._input_signature is not None and not hasattr(error, "needs_extents"):
                    raise
                attempts.append(Attempt(tried, f"{type(error).__name__}: {error}"))
                continue
            if concrete.fits(arguments.tensors):
                return self._keep(concrete, arguments, attempts)
            why, line = concrete.misfit(exact)
            where = "" if line is None else f" ({line})"
            attempts.append(Attempt(tried, f"the sizes do not fit{why}{where}"))
        try:
            concrete = self._make(arguments, exact, python)
        except ValueError as error:
            sizes = self._sizes_of(candidates[0], arguments) if self._input_signature else {}
            if not sizes:
                raise
            raise self._clash(error, candidates[0], arguments, sizes) from None
        if not candidates and (self._sizes or len(concrete.function.body) >= EXPECTING_OPS_MIN):
            concrete.expect_sizes(larger=self._sizes)
        return self._keep(concrete, arguments, attempts)

    def _make(
        self, arguments: Arguments, types: Sequence[TensorType], python: Python
    ) -> ConcreteFunction:
        """One trace. Variables may be made in the first only, and what is kept of that one is
        traced again without them, as later calls are."""
        if self._input_signature is not None:
            arguments.name_specs([spec.name for spec in self._specs()])
        frame = [self._owner, (), {}, (arguments.key, list(types))]
        try:
            with active(functions=(frame,)):
                first = self.history.count == 0
                given = arguments.name, arguments, types, python
                made = ConcreteFunction(*given, first, self._stand_ins)
                if made.created:
                    made = ConcreteFunction(*given, False, self._stand_ins)
        except RecursionError as error:
            if "calls itself" in str(error):
                raise
            raise RecursionError(
                f"{arguments.name} calls itself, or what calls it, too deep while it is traced "
                f"(call at {user_location()}): recursion is traced call by call. Write a "
                "tf.while_loop."
            ) from None
        return made

    def _sizes_of(self, types: Sequence[TensorType], arguments: Arguments) -> dict[str, int]:
        """What the call's sizes are, of those that the signature leaves open."""
        sizes: dict[str, int] = {}
        for t, type_ in zip(arguments.tensors, types, strict=True):
            extents = zip(type_.shape, t._array.shape, strict=True)
            sizes |= {str(e): n for e, n in extents if not isinstance(e, int)}
        return sizes

    def _clash(
        self,
        error: ValueError,
        types: Sequence[TensorType],
        arguments: Arguments,
        sizes: dict[str, int],
    ) -> errors.InvalidArgumentError:
        """Sizes that the signature allows, and an op does not."""
        names = arguments.tensor_names()
        given = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
        values = ", ".join(f"{name} = {n}" for name, n in sizes.items())
        return errors.InvalidArgumentError(f"{error}, with {values} in {arguments.name}({given})")

    def _keep(
        self,
        concrete: ConcreteFunction,
        arguments: Arguments,
        attempts: Sequence[Attempt] = (),
        asked: bool = False,
    ) -> ConcreteFunction:
        """Remember a trace, and why it was made (a call, or somebody `asked`); forget the oldest
        where there are too many.

        From here on `arguments` are those of the trace, without their tensors."""
        number = self.history.count + 1
        leaves = arguments.described(concrete.types)
        given = [type_of(t) for t in arguments.tensors]
        before = leaves if tuple(given) == concrete.types else arguments.described(given)
        differing, near = self.history.nearest(before)
        misfit = "" if differing or not near else self.misfit(arguments, near)
        key = arguments.key
        own = weakref.ref(self)
        limited = next(filter(None, map(concrete.within, self._by_key.get(key, ()))), None)
        fits = limited is not None and not asked and limited.fits(arguments.tensors)

        def gone() -> None:
            function = own()
            if function is not None:
                function._forget(number, key)

        arguments.release(gone)
        # Of those that fit the first is taken, and the first tells what varies.
        self._by_key.setdefault(key, [])[:0] = (
            [concrete] if limited is None else [limited, concrete]
        )
        self._by_number[number] = concrete
        if len(self._by_number) > _MAX_TRACES:
            oldest = min(self._by_number)
            self._forget(oldest, self._by_number[oldest].arguments.key)
        reasons[concrete._program] = differing[0].text if differing else misfit or "its first trace"
        where = user_location()
        self.history.add(
            Event(number, leaves, where, concrete.cost, differing, near, misfit, list(attempts)),
            asked,
        )
        return limited if limited is not None and fits else concrete

    def misfit(self, arguments: Arguments, near: int) -> str:
        """Why the trace of this number does not do for arguments of its signature."""
        concrete = self._by_number.get(near)
        if concrete is None:
            return f"what trace {near} was made for is gone"
        why, line = concrete.misfit([type_of(t) for t in arguments.tensors])
        where = "" if line is None else f" ({line})"
        return f"the sizes do not fit trace {near}{why}{where}"

    def prediction(self, arguments: Arguments) -> str:
        """Why a call with these arguments would make a trace."""
        types = [*self._types(arguments), None][0]
        return self.history.prediction(
            arguments.described(),
            arguments.described(types),
            lambda near: self.misfit(arguments, near),
        )

    def _forget(self, number: int, key: Any) -> None:
        """Drop a trace. This may run at any moment, when an object dies: it takes no lock."""
        concrete = self._by_number.pop(number, None)
        known = self._by_key.get(key, [])
        if concrete is not None:
            known[:] = [c for c in known if c is not concrete and c.general is not concrete]
        if not known:
            self._by_key.pop(key, None)

    def _specs(self) -> list[TensorSpec]:
        """Those of the tensors in the input_signature: not of datasets and the like, which are
        objects."""
        flat = nest.flatten(self._input_signature, True)
        return [spec for spec in flat if isinstance(spec, TensorSpec)]

    def _ranks_of_sparse(self) -> list[int | None]:
        """For each tensor in the input_signature the axis whose extent is the rank of a sparse
        tensor that the signature leaves open: there is a trace for each."""
        found: list[int | None] = []
        for spec in nest.flatten(self._input_signature):
            if isinstance(spec, SparseTensorSpec) and spec.shape.rank is None:
                found += [1, None, 0]  # of its indices, its values and its shape
            else:
                parts = nest.flatten(spec, True)
                found += [None for part in parts if isinstance(part, TensorSpec)]
        return found

    def _types(self, arguments: Arguments) -> list[list[TensorType]]:
        """What to try to trace for, the most general first."""
        tensors = arguments.tensors
        if self._input_signature is not None:
            counter = itertools.count()
            types = []
            # Of those that count by their elements there is no type.
            taken = sorted([*arguments.places, *arguments.values])
            leaves = list(zip(taken, self._specs(), self._ranks_of_sparse(), strict=True))
            own = [(spec, exact) for i, spec, exact in leaves if i not in arguments.values]
            for t, (spec, exact) in zip(tensors, own, strict=True):
                shape = list(named(spec, counter, t.ndim))
                if exact is not None:
                    shape[exact] = t._array.shape[exact]
                types.append(TensorType(t.dtype, tuple(shape)))
            return [types]
        known = self._by_key.get(arguments.key)
        near = known[0] if known else self._sibling(arguments)
        if near is None:
            return []
        old = [t.shape for t in near.types]
        # An extent of 1 may be one that varies as any other does, or one that broadcasts.
        return [_relaxed(tensors, old, ()), _relaxed(tensors, old, (1,))]

    def _sibling(self, arguments: Arguments) -> ConcreteFunction | None:
        """A trace with symbols that differs in Python values only: what varies there varies."""
        for concrete in reversed(list(self._by_number.values())[-_LOOK_BACK:]):
            own = concrete.arguments
            if (
                own.structure == arguments.structure
                and own.places == arguments.places
                and any(not isinstance(e, int) for t in concrete.types for e in t.shape)
                and all(
                    t.dtype is type_.dtype and t.ndim == type_.rank
                    for t, type_ in zip(arguments.tensors, concrete.types, strict=True)
                )
            ):
                return concrete
        return None


def _relaxed(
    tensors: Sequence[Tensor], old: Sequence[tuple[Extent, ...]], kept: tuple[int, ...]
) -> list[TensorType]:
    """The types of `tensors` with symbols for extents that are not as in `old`."""
    names: dict[Any, Extent] = {}
    types = []
    for t, before in zip(tensors, old, strict=True):
        shape: list[Extent] = []
        for have, was in zip(t._array.shape, before, strict=True):
            if have in kept or (have == was and isinstance(was, int)):
                shape.append(have)
            else:  # extents that change together stay equal
                shape.append(names.setdefault((have, was), symbol(f"n{len(names)}")))
        types.append(TensorType(t.dtype, tuple(shape)))
    return types


def named(spec: TensorSpec, counter: Iterator[int], rank: int | None = None) -> tuple[Extent, ...]:
    """The extents of a spec, with the next symbols for those that are unknown: `rank` of them where
    not even the rank is known."""
    if spec.shape.rank is None:
        if rank is None:
            raise ValueError(
                "a TensorSpec of unknown rank stands for tensors of each rank: there is no one "
                "trace for it, only for TensorSpec(shape=[None, None]) and so on "
                f"({user_location()})"
            )
        return tuple(symbol(f"n{next(counter)}") for _ in range(rank))
    return tuple(symbol(f"n{next(counter)}") if d is None else d for d in spec.shape)


__all__ = ["Traces", "named"]
