"""`ConcreteFunction.memory_analysis`: how much memory a call needs, known before it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tfc.backends.llvm.entry_spec import EntrySpec
from tfc.ir.extent import Extent, substitute
from tfc.ir.kernels.plan.costs import size_of

from ..core import blame


@dataclass(frozen=True)
class MemoryAnalysis:
    """What a call of a compiled function needs, in bytes.

    `arguments` and `captured` (Variables, tensors from outside) are there already; `outputs` and
    `updates` (the new values of Variables) are allocated for the results, but for what shares its
    memory with an argument, or takes the place of an old value that nobody else holds;
    `temporaries` are for the call only. `peak` is all of it together. An extent that is not known
    is a symbol in these, such as `4*n + 64`; give example arguments to `memory_analysis` for
    numbers.
    """

    arguments: Extent
    captured: Extent
    outputs: Extent
    updates: Extent
    temporaries: Extent

    @property
    def peak(self) -> Extent:
        """The most that is there at a time."""
        total = self.arguments + self.captured + self.outputs
        return total + self.updates + self.temporaries


def analyse(name: str, compiled: Any, sizes: Mapping[str, Extent]) -> MemoryAnalysis:
    """The memory of a program, with what is known of its symbols."""
    program = getattr(compiled, "program", None)
    if program is None:
        raise blame.unimplemented("the sizes of its results depend on data", name)
    spec: EntrySpec = program.spec

    def total(types: Any) -> Extent:
        found: Extent = 0
        for t in types:
            found = found + size_of(t)
        return substitute(found, sizes)

    written = {result for result, _ in spec.updates}
    fresh = [i for i in range(len(spec.results)) if i not in spec.aliases]
    return MemoryAnalysis(
        total(spec.params),
        total(spec.captures),
        total(spec.results[i] for i in fresh if i not in written),
        total(spec.results[i] for i in fresh if i in written and i not in spec.donations),
        substitute(spec.arena, sizes),
    )
