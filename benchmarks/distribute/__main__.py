"""`python -m benchmarks.distribute`: all-reduce beside gloo and MPI's own, steps of training beside
DistributedDataParallel, and a model of how they scale.

--torch /path/to/python    where PyTorch is installed, if not here
--write                    put it all into docs/explanation/scaling.md
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from ..__main__ import processor
from . import jobs, scaling
from .models import CASES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "explanation" / "scaling.md"
SIZES = (4 << 10, 64 << 10, 1 << 20, 4 << 20, 64 << 20)
SHARDS = (2, 4, 8)
RANKS = (1, 2, 4)
DRAWN = (1, 4, 16, 64, 256, 1024)

HEAD = """# Scaling

What training by several processes costs, what it gives, and what bounds it. All of this page is
written by `python -m benchmarks.distribute --write`, from measurements on one machine ({machine}),
with one thread a process. How to do it is told [elsewhere](../howto/many_processes.md).

"""
SUMS = """## Sums

`tf.distribute.all_reduce` of float32 by 2 ranks of one machine, in microseconds, the least of many;
beside it what moves the bytes (without conversion and dispatch), MPICH's own all-reduce, in place,
and gloo's. Ratios are to tfc's. The machine was {load}.

| bytes | tfc | transport | MPICH | torch, gloo |
| ---: | ---: | ---: | ---: | ---: |
"""
STEPS = """
## Steps

A training step of Keras' `fit`, and of PyTorch's DistributedDataParallel with the same layers and
batch, in milliseconds, the least of many. "model" is what the model below says.

| network | batch | 1 process | 2 ranks | model | 4 ranks | model | torch, 2 ranks |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""
MODEL = """
One process is measured by its processor's time, ranks by the clock on the wall, on {cores}
processors, of which 4 ranks have a half each. Where a machine has other work to do, all ranks wait
for the one that is held up: that is what ranks have over the model.

## What logical shards cost

A step of one process that holds all parts of `logical_shards`, as a multiple of the step on the
whole batch (processor's time). Each part is a smaller product, and what the parts give is added up.
Where each process has one part, nothing is left of that.

| network | 2 | 4 | 8 |
| --- | ---: | ---: | ---: |
"""
DRAWN_TO = """
So the number of parts is the user's to choose; by default each process has one.

## The model

    step(ranks) = compute(rows / ranks) x ranks on a processor + exchange(bytes, ranks)

On one machine an exchange takes {latency:.0f} us and {gigabytes:.1f} GB/s here. Between machines
each rank sends its part of the elements to all others, adds up what it gets by the tree, and all
gather the sums: as many bytes as a ring moves, and 2 (ranks - 1) messages.

Drawn to 1,024 ranks, each on a machine of its own with the work of one whole batch (weak scaling),
on a network that is assumed, not measured: {message:.0f} us a message, {bandwidth:.1f} GB/s. The
numbers are compute's share of a step; what is largest bounds it.

| network | bytes | {ranks} | bound at 1,024 |
| --- | ---: | {dashes} | --- |
"""
TAIL = """
In the end messages bound all of them: 1,023 partners, one after another. Exchanges between halves
would need 20 messages, and could keep the order of additions, which is a tree over the ranks'
numbers already. Sums do not run beside the gradients that follow them: what that could hide is at
most the exchange's share of a step.
"""


def page(torch: str) -> Iterator[str]:
    """The page, part by part."""
    cores = len(os.sched_getaffinity(0))
    busy = os.getloadavg()[0] > 1.5 * cores
    yield HEAD.format(machine=f"{processor()}, {cores} processors")
    yield SUMS.format(load="busy with other work" if busy else "quiet")
    names = list(map(str, SIZES))
    own, other = jobs.tfc(2, 1, "sums", *names), jobs.torch(torch, 2, 1, "sums", *names)
    for size in names:
        first = own[f"tfc {size}"]
        cells = [own[f"transport {size}"], own[f"mpi {size}"]]
        cells += [] if other is None else [other[f"torch {size}"]]
        shown = [f"{1e6 * t:,.0f} ({t / first:.2f})" for t in cells]
        shown += ["not installed"] * (3 - len(shown))
        yield f"| {int(size):,} | {1e6 * first:,.0f} | {' | '.join(shown)} |\n"
    memory = scaling.fitted({s: own[f"transport {s}"] for s in SIZES[:-1]})
    yield STEPS
    costs, drawn = [], []
    for name, case in CASES.items():
        rows = case.batch
        ways = [f"{rows // n}:0" for n in (1, 2, 4)] + [f"{rows}:{n}" for n in SHARDS]
        single = jobs.tfc(1, 1, "steps", name, *ways)
        measured = {rows // n: single[f"{rows // n}:0"] for n in (1, 2, 4)}
        size, whole = single["bytes"], measured[rows]
        cells = [f"{1e3 * whole:.1f}"]
        for ranks in RANKS[1:]:
            found = jobs.tfc(ranks, 1, "steps", name, f"{rows}:0")[f"{rows}:0"]
            said = scaling.here(measured, rows, ranks, cores, memory, size)
            cells += [f"{1e3 * found:.1f}", f"{1e3 * said:.1f}"]
        beside = jobs.torch(torch, 2, 1, "steps", name)
        cells.append("not installed" if beside is None else f"{1e3 * beside['seconds']:.1f}")
        yield f"| {case.title} | {rows} | {' | '.join(cells)} |\n"
        ratios = [f"{single[f'{rows}:{n}'] / whole:.2f}" for n in SHARDS]
        costs.append(f"| {case.title} | {' | '.join(ratios)} |\n")
        steps = [scaling.across(whole, size, ranks) for ranks in DRAWN]
        shares = " | ".join(f"{100 * s.efficiency:.1f} %" for s in steps)
        drawn.append(f"| {case.title} | {int(size):,} | {shares} | {steps[-1].bound} |\n")
    yield MODEL.format(cores=cores)
    yield from costs
    yield DRAWN_TO.format(
        latency=1e6 * memory.latency,
        gigabytes=1e-9 / memory.per_byte,
        message=1e6 * scaling.MESSAGE,
        bandwidth=1e-9 * scaling.BANDWIDTH,
        ranks=" | ".join(f"{n:,}" for n in DRAWN),
        dashes=" | ".join("---:" for _ in DRAWN),
    )
    yield from drawn
    yield TAIL


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--torch", default=sys.executable)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    parts = []
    for part in page(given.torch):
        print(part, end="", flush=True)
        parts.append(part)
    if given.write:
        PAGE.write_text("".join(parts))


if __name__ == "__main__":
    main()
