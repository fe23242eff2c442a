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
    "lower_brief": {"vector_bytes": 16, "registers": 16, "brief": True},
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
    return str(text).partition("define internal i32 @program(")[0]


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
