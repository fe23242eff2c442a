"""What an entry takes, makes and returns: the data that entries of all machines are made from."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tfc.ir.core import Function, once
from tfc.ir.extent import Expr, Extent, symbols
from tfc.ir.types import TensorType
from tfc.ir.value_classes import dataclass, field

from ..baseline import BUDGET_BYTES, CALL_BYTES
from ..calling_convention import ENTRY, Signature
from .arena_layout import Layout, late_symbols
from .donation import donations


def bare_symbol(extent: Extent) -> str | None:
    """The name when `extent` is one symbol and nothing else."""
    match extent:
        case Expr(terms=(((str(name),), 1),)):
            return name
    return None


@dataclass(frozen=True, kw_only=True)
class EntrySpec:
    """What the entry `name` takes, makes and returns.

    `self` of the builtin is the tuple (error handler, *captured objects, ...). A bare symbol is
    bound by its first appearance as an extent, or passed as an int after the tensors; all other
    extents are checked against the bound values.

    Results have fresh memory but for two kinds. `aliases` (result -> input) share the input's
    memory, which the program does not write. `donations` (result -> input) overwrite a captured
    object that they update, when its array belongs to nobody else, and have fresh memory
    otherwise; the program sees which by comparing pointers, and must neither fail after its first
    store to one nor run Python code (see donation.py). What has an extent that the program binds it
    allocates itself, by tfc_block_alloc: it puts the block into %buffers.
    """

    name: str
    params: tuple[TensorType, ...]
    captures: tuple[TensorType, ...] = ()
    scalars: tuple[str, ...] = ()
    results: tuple[TensorType, ...]
    aliases: Mapping[int, int] = field(default_factory=dict)
    donations: Mapping[int, int] = field(default_factory=dict)
    updates: tuple[tuple[int, int], ...] = ()
    arena: Extent = 0  # bytes of scratch memory
    work: Extent = 0  # bytes that the program touches, roughly
    program: str
    tuple_result: bool = False
    # Extents that must not be negative, what to report (at most four), and the status to fail with.
    requires: tuple[tuple[Extent, tuple[Extent, ...], int], ...] = ()
    least: int = 0  # an extent that binds a symbol and is less does not fit
    late: tuple[str, ...] = ()  # the symbols that the program itself binds, behind the others
    budget: int = 0  # what calls may cost in all before none fits any more; 0: whatever they do

    @once
    def inputs(self) -> tuple[TensorType, ...]:
        """All tensors that come in: params, then captures."""
        return self.params + self.captures

    @once
    def symbols(self) -> tuple[str, ...]:
        """The names whose values the program gets, in order of first appearance."""
        names: dict[str, None] = {}
        for tensor in self.inputs:
            for extent in tensor.shape:
                names.update(dict.fromkeys(symbols(extent)))
        names.update(dict.fromkeys(self.scalars))
        return tuple(names)

    @once
    def allocated(self) -> tuple[int, ...]:
        """The indices of the results that the program allocates."""
        late = set(self.late)
        return tuple(
            i
            for i, t in enumerate(self.results)
            if not late.isdisjoint(s for e in t.shape for s in symbols(e))
        )

    @once
    def returned(self) -> tuple[int, ...]:
        """The indices of the results that the caller gets; the others are updates."""
        stored = {result for result, _ in self.updates}
        return tuple(i for i in range(len(self.results)) if i not in stored)

    @once
    def cost(self) -> Extent:
        """What a call takes of the budget: the bytes of inputs and results, and what it costs
        itself."""
        total: Extent = CALL_BYTES
        for i, t in enumerate((*self.inputs, *self.results)):
            if i - len(self.inputs) not in self.allocated:
                total = total + t.size * t.dtype.itemsize
        return total

    def check(self) -> None:
        """Raise ValueError where the parts contradict each other."""
        known = {bare_symbol(e) for t in self.inputs for e in t.shape} | set(self.scalars)
        late, allocated = set(self.late), set(self.allocated)
        if twice := late.intersection(self.symbols):
            raise ValueError(f"{self.name}: bound twice: {', '.join(sorted(twice))}")
        for t in (self.results[i] for i in sorted(allocated)):
            free = {s for e in t.shape for s in symbols(e)} - known - late
            if free:
                raise ValueError(f"{self.name}: nothing binds {', '.join(sorted(free))}")
        first = [t for i, t in enumerate(self.results) if i not in allocated]
        used = {e for t in (*self.inputs, *first) for e in t.shape}
        required = {e for extent, values, _ in self.requires for e in (extent, *values)}
        for extent in used | required | {self.arena, self.work}:
            free = set(symbols(extent)) - known
            if free:
                raise ValueError(f"{self.name}: nothing binds {', '.join(sorted(free))}")
        if any(isinstance(extent, int) and extent < 0 for extent in used):
            raise ValueError(f"{self.name}: a tensor has a negative extent")
        if len(set(self.scalars)) != len(self.scalars):
            raise ValueError(f"{self.name}: a scalar appears twice in {self.scalars}")
        for result, source in (*self.aliases.items(), *self.donations.items()):
            if not 0 <= result < len(self.results) or not 0 <= source < len(self.inputs):
                raise ValueError(f"{self.name}: no such alias: {result} -> {source}")
        if allocated & (set(self.aliases) | set(self.donations)):
            raise ValueError(f"{self.name}: a result that it allocates shares memory")
        if set(self.aliases) & set(self.donations):
            raise ValueError(f"{self.name}: a result is both an alias and a donation")
        if set(self.aliases.values()) & set(self.donations.values()):
            raise ValueError(f"{self.name}: an input is both shared and overwritten")
        if len(set(self.donations.values())) != len(self.donations):
            raise ValueError(f"{self.name}: an input is overwritten by two results")
        updates = set(self.updates)
        for result, source in self.donations.items():
            if (result, source - len(self.params)) not in updates:
                raise ValueError(f"{self.name}: donation {result} -> {source} is not an update")
        for result, capture in self.updates:
            if not 0 <= result < len(self.results) or not 0 <= capture < len(self.captures):
                raise ValueError(f"{self.name}: no such update: {result} -> {capture}")
        if len(dict(self.updates)) != len(self.updates):
            raise ValueError(f"{self.name}: a result updates two captures")
        for identifier in (self.name, self.program):
            if not re.fullmatch(r"[A-Za-z_.][\w.]*", identifier):
                raise ValueError(f"not a symbol: {identifier!r}")


def entry_spec(f: Function, signature: Signature) -> tuple[EntrySpec, Layout]:
    """What calls of `f` take and give, and where its values live. Who makes an entry of it asks it
    to `check` first."""
    types = [p.tensor_type for p in f.params]
    known = {*signature.scalars, *(s for t in types for e in t.shape for s in symbols(e))}
    layout = Layout(f, known, apart=[result for result, _ in signature.updates])
    cut = len(types) - signature.captures
    late = tuple(s for s in dict.fromkeys(late_symbols(f)) if s not in known)
    requires = [
        (r.extent, r.values, site)
        for r, site in f.notes.get("requires", ())
        if layout.late.isdisjoint(symbols(r.extent))
    ]
    spec = EntrySpec(
        name=ENTRY,
        params=tuple(types[:cut]),
        captures=tuple(types[cut:]),
        scalars=signature.scalars,
        results=tuple(v.tensor_type for v in f.returns),
        aliases=layout.aliases,
        donations=donations(layout, signature.captures, signature.updates),
        updates=signature.updates,
        arena=layout.arena,
        work=layout.work,
        program="program",
        tuple_result=signature.tuple_result,
        least=signature.least,
        requires=tuple(requires),
        late=late,
        budget=BUDGET_BYTES if signature.baseline else 0,
    )
    return spec, layout
