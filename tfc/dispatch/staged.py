"""Functions with extents that depend on data: several native programs, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from tfc.backends.calling_convention import Signature
from tfc.backends.cpu.runtime.runtime import MISS
from tfc.ir import passes
from tfc.ir.core import Function, Value
from tfc.ir.extent import Expr
from tfc.ir.journal import Journal, recording, taken
from tfc.ir.kept_strings import keeping_strings
from tfc.ir.ops.host_functions import holds_strings
from tfc.ir.ops.python import calls_python, settle
from tfc.ir.passes.data_extents import Stage, stages
from tfc.ir.reading import laid_out

from ..core import errors
from ..core.context import user_location
from ..core.placement import store
from ..core.tensor import Tensor
from .compiled import Compiled, python_aware

if TYPE_CHECKING:
    from tfc.ir.kernels.plan.explain import FusionReport


def _exhausted(name: str, stage: Stage) -> errors.ResourceExhaustedError:
    """What is raised where there is no memory for the results of a stage."""
    made = [v.op for v in stage.function.returns if v.op is not None and v.shape]
    location = next((op.location for op in made if op.location), None)
    return errors.ResourceExhaustedError(
        "OOM when allocating what is as large as data tell",
        op=name,
        location=location or user_location(),
    )


def _negative(name: str, extent: Value, found: int) -> errors.InvalidArgumentError:
    """What is raised where an extent that data tell is none."""
    op = extent.op
    return errors.InvalidArgumentError(
        f"{name}: Dimensions must be >= 0, got {found}",
        op=name,
        location=(op and op.location) or user_location(),
    )


def _optimised(f: Function) -> Function:
    made = passes.run(f)
    return taken(settle, made) if calls_python(made) else made


class Staged:
    """What `Compiled` is for other functions; see tfc.ir.passes.data_extents for how it is cut."""

    def __init__(
        self,
        f: Function,
        signature: Signature,
        compile_part: Callable[..., Compiled],
        device: Any = None,
    ) -> None:
        self.traced = f
        self.function = optimised = _optimised(f)
        self.captures = signature.captures
        self.updates = signature.updates
        self.tuple_result = signature.tuple_result
        self.stages: list[Stage] = list(stages(optimised))
        self.parts: list[Compiled] = [
            compile_part(
                s.function,
                scalars=s.scalars,
                tuple_result=True,
                profile=signature.profile,
                device=device,
            )
            for s in self.stages
        ]
        names = {name for part in self.parts for name in part.timings}
        self.timings = {n: sum(part.timings.get(n, 0.0) for part in self.parts) for n in names}
        self.cache = "miss" if any(part.cache == "miss" for part in self.parts) else "hit"
        # Where the symbols that are no data come from: (name, param, axis).
        self._sizes = [
            (str(e), i, axis)
            for i, p in enumerate(optimised.params)
            for axis, e in enumerate(p.shape)
            if isinstance(e, Expr) and str(e).isidentifier()
        ]
        self.origin: Staged | None = None  # keeps what it is shared with findable

    @property
    def counters(self) -> list[Any]:
        """What the kernels of all programs took, where they are timed."""
        return [counters for part in self.parts for counters in part.counters]

    def again(self, traced: Function) -> Staged:
        """The same programs for an equal function, which costs nothing more."""
        shared = copy(self)
        shared.timings, shared.cache, shared.origin, shared.traced = {}, "shared", self, traced
        return shared

    def explain_passes(self) -> Journal:
        """What each pass did with which op, before the function is cut into programs."""
        with recording() as journal:
            _optimised(self.traced)
        return journal

    def explain_fusion(self) -> FusionReport:
        """Which kernel computes each op, and why: a report for each of the programs."""
        from tfc.ir.kernels.plan.explain import FusionReport

        reports = [part.explain_fusion() for part in self.parts]
        parts = tuple((None, f"part {i}", report) for i, report in enumerate(reports))
        return FusionReport(self.function, (), (), parts, {})

    def text(self, stage: str, verbose: bool = False) -> str:
        """The text of one stage of compilation, for all programs: that of kernels in brief, unless
        it is to be `verbose`."""
        written = str if verbose else laid_out
        if stage == "traced":
            return written(self.traced)
        optimised, parts = self.function, self.parts
        if self.origin is not None:  # whose params may be called otherwise
            optimised = _optimised(self.traced)
            own = list(stages(optimised))
            parts = [part.again(s.function) for part, s in zip(parts, own, strict=True)]
        if stage == "optimised":
            return written(optimised)
        return "\n\n".join(part.text(stage, verbose) for part in parts)

    def bind(self, name: str, captures: Sequence[Any] = ()) -> Callable[..., Any]:
        """The callable; `captures` are the tensors and Variables it always runs on."""
        entries = [part.bind(name) for part in self.parts]
        given = len(self.function.params) - self.captures
        scalars = len(self.stages[0].scalars)

        def call(*arguments: Any) -> Any:
            if len(arguments) != given + scalars:
                return MISS
            read = [c if isinstance(c, Tensor) else c.read() for c in captures]
            tensors = [*arguments[:given], *read]
            sizes = dict(zip(self.stages[0].scalars, arguments[given:], strict=True))
            values: dict[Value, Any] = dict(zip(self.function.params, tensors, strict=True))
            for stage, entry in zip(self.stages, entries, strict=True):
                inputs = [values[v] for v in stage.inputs]
                try:
                    results = entry(*inputs, *(sizes[s] for s in stage.scalars))
                except MemoryError:
                    raise _exhausted(name, stage) from None
                if results is MISS:
                    return MISS
                if stage is self.stages[0]:
                    for symbol, i, axis in self._sizes:
                        sizes.setdefault(symbol, tensors[i]._array.shape[axis])
                values.update(zip(stage.outputs, results, strict=True))
                for v, symbol in stage.binds:
                    sizes[symbol] = int(values[v]._array)
                    if sizes[symbol] < 0:
                        raise _negative(name, v, sizes[symbol])
            return self._finish(list(results), captures)

        known = keeping_strings(call) if holds_strings(self.function) else call
        return python_aware(known, self.function)

    def _finish(self, results: list[Any], captures: Sequence[Any]) -> Any:
        """Store the updates, give back the rest."""
        stored = {r for r, _ in self.updates}
        for r, capture in self.updates:
            store(captures[capture], results[r]._array)
        kept = tuple(x for i, x in enumerate(results) if i not in stored)
        if self.tuple_result or len(kept) > 1:
            return kept
        return kept[0] if kept else None
