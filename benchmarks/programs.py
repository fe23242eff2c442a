"""Whole programs and what they are made of, each library in a process of its own."""

from __future__ import annotations

from . import limits, peers, workers, workloads
from .harness import ROWS, Contender, Row
from .workloads import Workload

GIGA = 1e-9


def contenders(workload: type[Workload], quick: bool) -> list[Contender]:
    found = [workers.contender(mode, workload, quick) for mode in workers.modes(workload)]
    floor = limits.floor(*workload(quick).floor(), peers.threads(), reads=workload.reads)
    return [*found, floor]


def add(workload: type[Workload]) -> None:
    """The workload's row. Its rate is that of memory where no operations are counted."""
    size, operations = workload().floor()
    row = Row(
        workload.name,
        lambda: contenders(workload, False),
        work=(operations or size) * GIGA,
        unit="GFLOP/s" if operations else "GB/s",
        rtol=workload.rtol,
        table=workload.table,
        budget=4.0,
        rounds=41,
        quick=lambda: contenders(workload, True),
    )
    ROWS.append(row)


for _workload in workloads.known().values():
    add(_workload)
