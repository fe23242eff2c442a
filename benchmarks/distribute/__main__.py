"""`python -m benchmarks.distribute`: all-reduce beside gloo and MPI's own, steps of training beside
DistributedDataParallel and JAX, and a model of how they scale.

--torch /path/to/python    where PyTorch is installed, if not here
--jax /path/to/python      where JAX is installed with Keras, if not here
--measured file.json       read measurements from a file that is there, or write them
--write                    put it all into docs/explanation/scaling.md
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

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
gloo's as PyTorch has it, and JAX's CPU collectives (a compiled `psum`, by gloo). Ratios are to
tfc's. The machine was {load}.

| bytes | tfc | transport | MPICH | torch, gloo | JAX, gloo |
| ---: | ---: | ---: | ---: | ---: | ---: |
"""
STEPS = """
## Steps

A training step of Keras' `fit`, of PyTorch's DistributedDataParallel with the same layers and
batch, and of JAX on Keras' networks, the batch divided over its processes; in milliseconds, the
least of many. What one process and each of several ranks take is the time of a processor, which is
what the model below says; "wall" is the clock's, of 2 ranks, and so are torch's and JAX's.

| network | batch | 1 process | 2 ranks | model | 4 ranks | model | 2 ranks, wall | torch | JAX |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""
MODEL = """
Ranks take the processor while they wait for each other, too, up to a millisecond at a time. Where a
machine has other work to do, all wait on the wall for the one that is held up.

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

    step(ranks) = compute(rows / ranks) + exchange(bytes, ranks)

On one machine an exchange takes {latency:.0f} us and {gigabytes:.1f} GB/s here. Between machines
each rank sends its part of the elements to all others, adds up what it gets by the tree, and all
gather the sums: as many bytes as a ring moves, and 2 (ranks - 1) messages. Ranks that share a
machine add up there first: what goes between machines is what one rank on each would send.

Drawn to 1,024 ranks, each on a machine of its own with the work of one whole batch (weak scaling),
on a network that is assumed, not measured: {message:.0f} us a message, {bandwidth:.1f} GB/s. The
numbers are compute's share of a step. Last, how many ranks divide one batch of the same size
(strong scaling) when half of a step is exchange, and what most of that is.

| network | bytes | {ranks} | half of one batch's step |
| --- | ---: | {dashes} | --- |
"""
TAIL = """
What grows with the ranks are messages: 1,023 partners, one after another. Exchanges between halves
would need 20 messages, and could keep the order of additions, which is a tree over the ranks'
numbers already.
"""
OVERLAP = """
## Sums beside computation

With `tf.distribute.init(bucket_bytes=...)` gradients leave in buckets, each as soon as it is
computed, by a thread of their own. Here are steps of 2 ranks, with one thread each, of {layers}
products of {width} x {width} on {rows} rows a rank, {bytes:,} bytes of gradients: milliseconds of
the processor, and on the wall. The network is a delay of the transport, for which nobody needs a
processor. The machine was {load}.

| network | all at once | wall | buckets of 1 MB | wall | of 4 MB | wall |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""
BUCKETS_WOULD = """
On one machine an exchange is work of the same processors: buckets hide nothing, and cost a copy of
the gradients and a thread that waits. So they are off unless they are asked for. They pay where the
network takes long. By the model, which lets gradients become ready at even intervals in the last
two thirds of what a rank computes, compute's share of a step of 16 ranks is, all at once and in
buckets of 1 MB:

| network | 12.5 GB/s | buckets | 1.25 GB/s | buckets | 0.125 GB/s | buckets |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
"""
WIDTH, LAYERS, ROWS, ROUNDS = 1024, 8, 128, 20


def measure(torch: str, jax: str) -> dict[str, Any]:
    """All that the page is made of."""
    cores = len(os.sched_getaffinity(0))
    found: dict[str, Any] = {"machine": f"{processor()}, {cores} processors"}
    names = list(map(str, SIZES))
    found["sums"] = jobs.tfc(2, 1, "sums", *names)
    pythons = {"torch": torch, "jax": jax}
    for peer, python in pythons.items():
        found["sums"] |= jobs.peer(peer, python, 2, 1, "sums", *names) or {}
    found["networks"] = {}
    for name, case in CASES.items():
        rows = case.batch
        ways = [f"{rows // n}:0" for n in RANKS] + [f"{rows}:{n}" for n in SHARDS]
        measured = jobs.tfc(1, 1, "steps", name, *ways)
        for ranks in RANKS[1:]:
            one = jobs.tfc(ranks, 1, "steps", name, f"{rows}:0")
            measured[f"ranks {ranks}"] = one[f"{rows}:0"]
            measured[f"wall {ranks}"] = one[f"{rows}:0 wall"]
        for peer, python in pythons.items():
            beside = jobs.peer(peer, python, 2, 1, "steps", name)
            if beside is not None:
                measured[peer] = beside["seconds"]
        found["networks"][name] = measured
    shape = map(str, (WIDTH, LAYERS, ROWS, ROUNDS))
    found["overlap"] = jobs.tfc(2, 1, "overlap", *shape)
    found["busy"] = found["overlap"]["busy"] = os.getloadavg()[1] > 1.5 * cores
    return found


def _load(found: Mapping[str, Any]) -> str:
    return "busy with other work, so that ratios say more than times" if found["busy"] else "quiet"


def page(found: Mapping[str, Any]) -> Iterator[str]:
    """The page, part by part."""
    own = found["sums"]
    yield HEAD.format(machine=found["machine"])
    yield SUMS.format(load=_load(found))
    for size in SIZES:
        first = own[f"tfc {size}"]
        others = [own.get(f"{name} {size}") for name in ("transport", "mpi", "torch", "jax")]
        shown = ["-" if t is None else f"{1e6 * t:,.0f} ({t / first:.2f})" for t in others]
        yield f"| {size:,} | {1e6 * first:,.0f} | {' | '.join(shown)} |\n"
    memory = scaling.fitted({s: own[f"transport {s}"] for s in SIZES[:-1]})
    yield STEPS
    costs, drawn = [], []
    for name, measured in found["networks"].items():
        case, size = CASES[name], measured["bytes"]
        rows = case.batch
        known = {rows // n: measured[f"{rows // n}:0"] for n in RANKS}
        whole = known[rows]
        cells = [whole]
        for ranks in RANKS[1:]:
            said = scaling.here(known, rows, ranks, memory, size)
            cells += [measured[f"ranks {ranks}"], said]
        cells += [measured["wall 2"]]
        shown = [f"{1e3 * t:.1f}" for t in cells]
        shown += [f"{1e3 * measured[p]:.1f}" if p in measured else "-" for p in ("torch", "jax")]
        yield f"| {case.title} | {rows} | {' | '.join(shown)} |\n"
        ratios = [f"{measured[f'{rows}:{n}'] / whole:.2f}" for n in SHARDS]
        costs.append(f"| {case.title} | {' | '.join(ratios)} |\n")
        shares = [scaling.across(whole, size, ranks).efficiency for ranks in DRAWN]
        cells = [*(f"{100 * share:.1f} %" for share in shares), scaling.limit(whole, size)]
        drawn.append(f"| {case.title} | {int(size):,} | {' | '.join(map(str, cells))} |\n")
    yield MODEL
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
    yield from beside(found)


def beside(found: Mapping[str, Any]) -> Iterator[str]:
    """What it gives that sums leave while gradients are computed."""
    measured = found["overlap"]
    size = int(measured["bytes"])
    yield OVERLAP.format(layers=LAYERS, width=WIDTH, rows=ROWS, bytes=size, load=_load(measured))
    for bandwidth in scaling.DELAYS:
        name = f"{1e-9 * bandwidth:g} GB/s" if bandwidth else "memory"
        times = [
            measured[f"{bandwidth:g} {b}{on}"] for b in scaling.BUCKETS for on in ("", " wall")
        ]
        yield f"| {name} | {' | '.join(f'{1e3 * t:.1f}' for t in times)} |\n"
    yield BUCKETS_WOULD
    for name, network in found["networks"].items():
        seconds, size, ranks = network[f"{CASES[name].batch}:0"], network["bytes"], 16
        cells = []
        for bandwidth in (scaling.BANDWIDTH, 1.25e9, 0.125e9):
            whole = scaling.in_buckets(seconds, size, ranks, size, bandwidth)
            divided = scaling.in_buckets(seconds, size, ranks, 1 << 20, bandwidth)
            cells += [f"{100 * seconds / t:.1f} %" for t in (whole, divided)]
        yield f"| {CASES[name].title} | {' | '.join(cells)} |\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--torch", default=sys.executable)
    parser.add_argument("--jax", default=sys.executable)
    parser.add_argument("--measured", type=Path)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.measured and given.measured.exists():
        found = json.loads(given.measured.read_text())
    else:
        found = measure(given.torch, given.jax)
        if given.measured:
            given.measured.write_text(json.dumps(found))
    text = "".join(page(found))
    print(text)
    if given.write:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
