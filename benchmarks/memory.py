"""How much memory programs need beyond their operands and parameters: results, temporaries, code.

Each contender runs in a fresh process: first with small sizes, so that what is loaded once does
not count, then with the real ones; what is compared is by how much the peak of its memory grows
over a few calls. The note says what the compiler itself announces, where it can be asked (tfc, and
JAX but for training).
"""

from __future__ import annotations

from . import workers, workloads
from .harness import ROWS, Contender, Row, show_bytes
from .libraries import Mode
from .workloads import Workload

PROGRAMS = (
    "Black-Scholes, 10M",
    "autoencoder 784-196-784 gradient, 10K",
    "L-BFGS direction, history 100",
    "CNN + LSTM step, batch 32",
    "transformer block step, 8 x 128 x 256",
    "Jacobi stencil 1024^2, 100 rounds",
    "N-body, 1000 bodies, 10 steps",
)


def contender(mode: Mode, workload: type[Workload], quick: bool) -> Contender:
    notes: list[str] = []

    def sample(_: int) -> float:
        process = workers.Worker(mode)
        try:
            found = process.ask("peak", workload.name, quick)
        finally:
            process.close()
        notes[:] = [f"announced: {show_bytes(found['planned'])}"] if "planned" in found else []
        return float(found["measured"])

    return Contender(mode.name, sample, single=True, note=lambda: "".join(notes))


def contenders(workload: type[Workload], quick: bool) -> list[Contender]:
    return [contender(mode, workload, quick) for mode in workers.modes(workload)]


def add(workload: type[Workload]) -> None:
    row = Row(
        f"memory: {workload.name}",
        lambda: contenders(workload, False),
        rounds=1,
        quick=lambda: contenders(workload, True),
        show=show_bytes,
    )
    ROWS.append(row)


for _name in PROGRAMS:
    add(workloads.known()[_name])
