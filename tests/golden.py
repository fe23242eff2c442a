"""What golden files are made of; conftest.py runs their cases."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

RUN, OUTCOME, ERROR = "# run:", "# ----", "# error:"

TARGETS: dict[str, dict[str, Any]] = {  # passes that lower, and the fields of what they lower for
    "lower_vector16": {"vector_bytes": 16, "registers": 16},
    "lower_bytes": {"vector_bytes": 16, "registers": 16, "products": 4},
    "lower_pairs": {"vector_bytes": 16, "registers": 16, "bfloat16_pairs": True},
    "lower_brief": {"vector_bytes": 16, "registers": 16, "brief": True, "threads": False},
    "lower_grid": {"vector_bytes": 16, "grid": True},
    "lower_tensor": {"vector_bytes": 16, "grid": True, "tensor_cores": True},
    "lower_warpgroups": {
        "vector_bytes": 16,
        "grid": True,
        "tensor_cores": True,
        "warpgroups": True,
    },
}


def split_cases(text: str) -> list[str]:
    """The cases, each from its `# run:` on."""
    parts = re.split(rf"^(?={RUN})", text, flags=re.MULTILINE)
    return [part for part in parts if part.startswith(RUN)]


@contextmanager
def numbered_symbols() -> Iterator[None]:
    """Symbols that are made inside count from 1000: their names, and so the order of the terms of
    an extent, are the same whatever the process has traced before."""
    from tfc.ir import extent

    outer = extent._fresh
    extent._fresh = itertools.count(1000)
    try:
        yield
    finally:
        extent._fresh = outer


def llvm_text(f: Any, target: Any) -> str:
    """What the code generators write for the kernels of `f`."""
    from tfc.backends.cpu.machine import describe
    from tfc.backends.cpu.module_text import program_text
    from tfc.backends.cpu.program import Signature
    from tfc.backends.cuda import module

    if target.grid:
        writer = module.ModuleWriter("sm_80")
        for launch in module.launches(f):
            writer.launch(launch.kernel)
        return str(writer.text())
    machine = describe("x86_64-unknown-linux-gnu", {})
    text, *_ = program_text(f, Signature(tuple_result=True), machine)
    end = r"^define internal i32 @program\(|^\n(?=declare )"  # or of the entry, if a kernel is all
    return re.split(end, str(text), maxsplit=1, flags=re.MULTILINE)[0]


def check_first(f: Any) -> Any:
    """The pass, where each result is the new value of the param of its number."""
    from tfc.ir import passes

    return passes.check_first(f, [(i, i) for i in range(min(len(f.params), len(f.returns)))])


def operand_text(f: Any) -> str:
    """How the result of a function would be computed where a contraction packs it, from values that
    are in memory: params, and what is called kept."""
    from tfc.ir.kernels.plan.computed_operands import prologue
    from tfc.ir.text import Names, rows

    names = Names()
    rows(f, names)
    found = prologue(f.returns[0], lambda v: (v.name or "").startswith("kept"))
    if found is None:
        return "it cannot\n"
    lines = [f"{names.use(v)} along {axes[0]}, {axes[1]}" for v, axes in found.leaves.items()]
    lines += [f"{names.use(v)} is stored before" for v in found.rows]
    lines += [f"the indices {names.use(op.indices)} are checked before" for op in found.gathers]
    ops = ", ".join(op.mnemonic for op in found.ops)
    lines.append(f"by {ops}: operations {found.cost}, bytes {found.loads}, along {found.inner}")
    return "\n".join(lines) + "\n"


def cost_text(f: Any) -> str:
    """What the launches of a function cost at least."""
    from tfc.ir.kernels.ops import HostLaunch, Launch
    from tfc.ir.kernels.plan.costs import cost

    rows = []
    for op in f.body:
        if isinstance(op, Launch | HostLaunch):
            made = cost(op)
            place = f"    # {made.location}" if made.location else ""
            threads = "any number of" if made.parallel else "one"
            rows.append(f"{made.name}: bytes {made.bytes}, operations {made.operations}, ")
            rows[-1] += f"threads {threads}{place}"
    return "\n".join(rows) + "\n"


def memory_text(f: Any) -> str:
    """Where the values of a function of launches live, those of regions indented."""
    from tfc.backends.llvm.arena_layout import Layout

    def lines(layout: Any, around: str) -> Iterator[str]:
        def named(v: Any) -> str:
            return f"%{names.setdefault(v, v.name or str(len(names)))}"

        names: dict[Any, str] = {}
        for v, (kind, where) in layout.where.items():
            yield f"{around}{named(v)}: {kind} {where}"
        for i, v in [*layout.copies, *layout.copied.items()]:
            yield f"{around}result {i}: a copy of {named(v)}"
        for i, p in layout.aliases.items():
            yield f"{around}result {i}: is input {p}"
        for i, v in layout.handed.items():
            yield f"{around}result {i}: is {named(v)}, handed over"
        late = sorted(layout.late)
        told = ", ".join(map(str, layout.extents))
        yield f"{around}arena {layout.arena}, work {layout.work}, late {late}, told ({told})"
        for op, regions in layout.regions.items():
            second = layout.doubled(op) if op in layout.fixed else []
            places = ", ".join(f"{kind} {where}" for kind, where in layout.scratch[op])
            yield f"{around}{op.mnemonic}: scratch ({places}), second buffers {second}"
            for region in regions:
                yield from lines(region, f"{around}    ")

    return "\n".join(lines(Layout(f), "")) + "\n"
