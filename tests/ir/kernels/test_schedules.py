"""Which schedule is chosen: the golden files show each one's kernel, and none is missing there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.golden import OUTCOME, TARGETS, split_cases
from tfc.ir.core import Function, Value
from tfc.ir.dtypes import float32
from tfc.ir.extent import parse_extent
from tfc.ir.kernels.contraction import GemmShape
from tfc.ir.kernels.cpu.gemm.choice import GEMM, LowPanelGemm, VersionedGemm, choose
from tfc.ir.kernels.cpu.gemm.unpacked import EQUAL_STRIP_ROWS_MIN, strips
from tfc.ir.kernels.cpu.machine import CPU
from tfc.ir.kernels.gpu.machine import GPU
from tfc.ir.kernels.lower import lower, machine_of
from tfc.ir.kernels.ops import Launch, Parallel
from tfc.ir.kernels.plan.fusion import fuse
from tfc.ir.kernels.plan.groups import Schedule
from tfc.ir.kernels.target import Target
from tfc.ir.text import parse
from tfc.ir.types import TensorType

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


@pytest.mark.parametrize("text, run", cases())
def test_what_is_chosen_is_what_was_asked_last(text: str, run: str) -> None:
    """Schedules that are not asked, for the op that a group begins with, would not match."""
    f, target = parse(text.partition(OUTCOME)[0]), Target(**TARGETS[run])
    machine = machine_of(target)
    plan = fuse(f, machine, target)
    for group in plan.groups:
        if group.schedule is not None:
            *before, (_, last) = machine.asked(group, plan, target)
            assert last == group.schedule == machine.choose(group, plan, target)
            assert not any(isinstance(found, Schedule) for _, found in before)


COSTS = [  # nanoseconds of one thread, on registers of 16 floats
    # 64 * 48 * 32 multiply-adds, two of 16 lanes a cycle, two cycles a nanosecond.
    ("%0 = matmul %x, %y", "f32[64,32]", "f32[32,48]", "f32[64,48]", 64 * 48 * 32 // 64),
    # Complex ones are four each, on halves of 8 lanes' numbers.
    ("%0 = matmul %x, %y", "c128[6,32]", "c128[32,8]", "c128[6,8]", 4 * 6 * 8 * 32 // 32),
    # An addition, and 4 bytes that count as three operations each; 32 operations a nanosecond.
    ("%0 = add %x, %y", "f32[1000]", "f32[1000]", "f32[1000]", 1000 * (12 + 1) // 32),
    # Bytes at four a nanosecond.
    ("%0 = transpose %x {perm = (1, 0)}", "f32[40,60]", "f32[1]", "f32[60,40]", 2400),
]


@pytest.mark.parametrize("op, x, y, result, cost", COSTS)
def test_a_schedule_says_what_its_kernel_costs(
    op: str, x: str, y: str, result: str, cost: int
) -> None:
    f = parse(f"func @f(%x: {x}, %y: {y}) -> {result} {{\n  {op} : {result}\n  return %0\n}}")
    target = Target(vector_bytes=64)
    plan = fuse(f, CPU, target)
    (group,) = plan.groups
    assert group.schedule is not None
    assert group.schedule.cost(group, plan, target) == cost


def test_threads_share_what_costs_enough() -> None:
    """The cost is compared with what waking other threads is worth."""
    text = "func @f(%x: f32[9000]) -> f32[9000] {\n  %0 = add %x, %x : f32[9000]\n  return %0\n}"
    for worth, shared in ((9000 * 13 // 32, True), (9000 * 13 // 32 + 1, False)):
        lowered = lower(parse(text), Target(parallel_worth=worth))
        (launch,) = lowered.body
        assert isinstance(launch, Launch)
        assert any(isinstance(op, Parallel) for op in launch.kernel.walk()) is shared


def test_each_schedule_has_a_case() -> None:
    shown: dict[bool, set[str]] = {False: set(), True: set()}  # on a CPU, on a GPU
    for text, run in cases():
        (line,) = (line for line in text.splitlines() if line.startswith(SAYS))
        shown[TARGETS[run].get("grid", False)].update(line.removeprefix(SAYS).split(", "))
    assert not {s.__name__ for s in (*CPU.schedules, *GEMM)} - shown[False]
    assert not {s.__name__ for s in GPU.schedules} - shown[True]


def test_few_rows_are_strips_of_one_height() -> None:
    """Where one is high enough: a second height is the whole tile again as code."""
    assert strips(32, 12) == [(0, 4, 8)]
    assert strips(100, 12) == [(0, 10, 10)]
    assert strips(128, 12) == [(0, 16, 8)]
    assert strips(49, 12) == [(0, 4, 10), (40, 1, 9)]  # 7 rows would be low
    assert strips(224, 12) == [(0, 15, 12), (180, 4, 11)]  # more than few
    assert strips(224, 12, light=True) == [(0, 28, 8)]
    assert strips(32, 6) == [(0, 2, 6), (12, 4, 5)]  # few registers
    for rows in (6, 12):
        for m in range(1, 300):
            parts = strips(m, rows)
            ends = [low + count * height for low, count, height in parts]
            assert [low for low, *_ in parts] == [0, *ends[:-1]]
            assert ends[-1] == m
            assert all(count > 0 and 0 < height <= rows for _, count, height in parts)
            assert len(parts) == 1 or min(h for *_, h in parts) == max(h for *_, h in parts) - 1
            assert m < rows or len(parts) > 1 or parts[0][2] >= min(EQUAL_STRIP_ROWS_MIN, rows // 2)


@pytest.mark.parametrize(
    ("m", "n", "k", "chosen"),
    [
        ("n0", 64, 64, "VersionedGemm"),
        ("32*n0", 64, 64, "BlockedGemm"),
        ("32*n0*n1 + 64*n2", 64, 64, "BlockedGemm"),
        ("32*n0 + 1", 64, 64, "VersionedGemm"),
        ("16*n0", 64, 64, "VersionedGemm"),
        ("32*n0", 512, 512, "VersionedGemm"),  # 32 rows would be too few
        ("64*n0", 512, 512, "BlockedGemm"),
    ],
)
def test_rows_are_surely_many_or_none(m: str, n: int, k: int, chosen: str) -> None:
    """Where they are a multiple of many; then there is one schedule as code, not two."""
    rows = parse_extent(m)
    result = Value(TensorType(float32, (rows, n)))
    shape = GemmShape(result=result, batch=(), m=rows, n=n, k=k, right_transposed=True)
    found = choose(shape, Target(vector_bytes=64, registers=32))
    assert type(found).__name__ == chosen
    if isinstance(found, VersionedGemm):
        assert isinstance(found.small, LowPanelGemm)
    in_place = replace(shape, right_transposed=False)
    assert isinstance(choose(in_place, Target()), VersionedGemm)
