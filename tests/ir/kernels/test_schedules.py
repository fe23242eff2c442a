"""Which schedule is chosen: the golden files show each one's kernel, and none is missing there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.golden import OUTCOME, TARGETS, split_cases
from tfc.ir.core import Function
from tfc.ir.kernels.cpu.gemm.choice import GEMM
from tfc.ir.kernels.cpu.machine import CPU
from tfc.ir.kernels.gpu.machine import GPU
from tfc.ir.kernels.lower import machine_of
from tfc.ir.kernels.plan.fusion import fuse
from tfc.ir.kernels.target import Target
from tfc.ir.text import parse

GOLDEN = Path(__file__).parents[1] / "golden"
SAYS = "# schedules: "


def chosen(f: Function, target: Target) -> list[str]:
    """The names of the schedules of a function's kernels, with those that they are made of."""
    found: list[object] = []
    for group in fuse(f, machine_of(target), target).groups:
        parts: list[object] = [group.schedule]
        for part in parts:
            found.append(part)
            fields = getattr(part, "__dataclass_fields__", {})
            values = (getattr(part, name) for name in fields)
            parts += [v for v in values if isinstance(v, tuple(GEMM))]
    return [type(part).__name__ for part in found if part is not None]


def cases() -> list[tuple[str, str]]:
    """The text of each case, and the name of its target."""
    texts = [t for f in sorted(GOLDEN.glob("schedules_*.ir")) for t in split_cases(f.read_text())]
    return [(text, text.splitlines()[0].split()[-1]) for text in texts]


@pytest.mark.parametrize("text, run", cases())
def test_the_schedule_is_the_one_that_the_case_names(text: str, run: str) -> None:
    (wanted,) = (line for line in text.splitlines() if line.startswith(SAYS))
    f = parse(text.partition(OUTCOME)[0])
    assert chosen(f, Target(**TARGETS[run])) == wanted.removeprefix(SAYS).split(", ")


def test_each_schedule_has_a_case() -> None:
    shown: dict[bool, set[str]] = {False: set(), True: set()}  # on a CPU, on a GPU
    for text, run in cases():
        (line,) = (line for line in text.splitlines() if line.startswith(SAYS))
        shown[TARGETS[run].get("grid", False)].update(line.removeprefix(SAYS).split(", "))
    assert not {s.__name__ for s in (*CPU.schedules, *GEMM)} - shown[False]
    assert not {s.__name__ for s in GPU.schedules} - shown[True]
