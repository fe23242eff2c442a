"""What a GPU would get of a function: PTX, and what its kernels take. No GPU is needed."""

from __future__ import annotations

from html import escape

from tfc.backends.cuda.module import DeviceModule
from tfc.backends.cuda.resources import resources
from tfc.ir.kernels.plan.costs import fused_name

from .native import ptx
from .rows import Column, Lines, Row
from .stages import Program, for_gpu

TITLES = (
    *("kernel", "ops", "device kernel", "threads of a block", "registers", "local (bytes)"),
    *("spilled, reloaded (bytes)", "shared (bytes)"),
)


def device_code(program: Program, lines: Lines) -> tuple[Column, str]:
    """The PTX of a program, and a table of its kernels as HTML."""
    try:
        module = for_gpu(program)
        return ptx(module, lines), _table(module, lines)
    except Exception as error:  # GPUs lack what processors have, and their drivers may be absent
        text = f"# there is no PTX: {type(error).__name__}: {error}".splitlines()[0]
        return Column("ptx", "PTX", [Row(text)], shown=False), f"<p>{escape(text[2:])}</p>"


def _table(module: DeviceModule, lines: Lines) -> str:
    """Of each kernel its device kernels, and what each takes."""
    known, source = resources(module)
    rows = []
    for kernel, parts in module.kernels.items():
        ops = tuple(kernel.notes.get("ops", ()))
        own = " ".join(map(str, lines.of(op.location for op in ops)))
        for part in parts:
            cells = [kernel.name, fused_name(ops), part.name, str(part.threads), "", "", "", ""]
            if (r := known.get(part.name)) is not None:
                spilled = "" if r.stores is None else f"{r.stores}, {r.loads}"
                cells[4:] = str(r.registers), str(r.local), spilled, str(r.shared + part.shared)
            texts = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
            rows.append(f'<tr data-lines="{own}">{texts}</tr>')
    head = "".join(f"<th>{escape(title)}</th>" for title in TITLES)
    told = f"as {source} says" if source else "without a GPU or ptxas to say what they take"
    return f"<p>Kernels for a GPU, {escape(told)}</p><table><tr>{head}</tr>{''.join(rows)}</table>"


__all__ = ["device_code"]
