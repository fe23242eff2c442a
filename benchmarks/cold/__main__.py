"""`python -m benchmarks.cold [names...]`: what is waited for before anything is compiled.

Each sample is a fresh process with an empty cache. Times are processor time, of all threads: what
is waited for on one core, whatever else the machine does.

--threads 2                             for every library (the default)
--interpreter jax=/path/to/python       where a library is installed, if not here
--write                                 put the table into docs/reference/performance_cold.md
--quick                                 each once: does everything run?
"""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Callable, Sequence

import numpy as np

from .. import command, peers, report, workers
from ..__main__ import processor
from ..harness import Contender, Row
from ..processes import fresh
from .steps import CASES
from .words import LIBRARIES

SIZES = (32, 16)
CALLS = "from benchmarks.cold.steps import calls\nprint(*calls({!r}, {!r}, {}))"
IMPORT = "import time, {}\nprint(time.process_time())"
# Twenty ops of as many kinds, each for the first time.
EAGER = """
import time
import numpy as np
from benchmarks.cold.words import LIBRARIES
w = LIBRARIES[{0!r}]({0!r})
x = w.array(np.linspace(-1.0, 1.0, 64, dtype=np.float32).reshape(8, 8))
y = x + x; y = y * x; y = y - x; y = y / 2.0; y = -y; y = y @ x; y = abs(y); y = y ** 2.0
y = w.relu(y); y = w.tanh(y); y = w.sigmoid(y); y = w.gelu(y); y = w.softplus(y); y = w.softmax(y)
y = w.einsum("ij,kj->ik", y, x); y = w.reshape(y, 4, 16); y = y[1:]; y = w.mean(y, 1)
y = y > 0.0; z = w.split(x, 2, 0)[1]
np.asarray(y), np.asarray(z)
print(time.process_time())
"""


def available() -> list[str]:
    return [name for name in LIBRARIES if workers.available(name)]


def numbers(library: str, code: str, threads: int) -> list[float]:
    """What a fresh process of the library prints."""
    limits = dict.fromkeys((*peers.THREADS, peers.XLA_THREADS), str(threads))
    with tempfile.TemporaryDirectory() as empty:
        return fresh(code, python=workers.interpreter(library), TFC_CACHE_DIR=empty, **limits)


def contender(library: str, code: str, place: int, threads: int) -> Contender:
    """A library, and which of the numbers it is measured by."""
    return Contender(library, lambda _: numbers(library, code, threads)[place], single=True)


def each(code: str, names: Sequence[str], threads: int) -> list[Contender]:
    """The libraries by what the same code prints."""
    for name in names:
        numbers(name, code.format(name), threads)  # writes the byte code
    return [contender(name, code.format(name), 0, threads) for name in names]


def steps(name: str, place: int, threads: int) -> list[Contender]:
    """The libraries at a call of a step: 0 the first, 1 the second size. Losses must agree."""
    codes = {library: CALLS.format(library, name, SIZES) for library in available()}
    losses = {library: numbers(library, code, threads)[1::2] for library, code in codes.items()}
    np.testing.assert_allclose(*np.broadcast_arrays(list(losses.values()), losses["tfc"]), 1e-4)
    return [contender(library, code, 2 * place, threads) for library, code in codes.items()]


def rows(threads: int) -> list[Row]:
    """Import, first ops, and the first two sizes of each step."""

    found: list[Row] = []

    def add(title: str, make: Callable[[], list[Contender]]) -> None:
        found.append(Row(title, make, rounds=3, budget=20.0, table="cold", quick=make))

    add("import", lambda: each(IMPORT, [*available(), "numpy"], threads))
    add("import and twenty eager ops", lambda: each(EAGER, available(), threads))
    for name, case in CASES.items():
        for place, title in enumerate(("first call", "second batch size")):
            add(f"{title}: {case.title}", lambda n=name, p=place: steps(n, p, threads))
    return found


def facts() -> list[str]:
    """What the table must say of where and how it came to be."""
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    return [
        f"{processor()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}",
        "Times are processor time of all threads of a fresh process, with nothing on disk.",
    ]


def main() -> int:
    parser = command.options_of("python -m benchmarks.cold", __doc__, "library")
    options = command.parsed(parser, set(LIBRARIES))
    page = report.DOCS / "performance_cold.md"
    return command.measured(options, rows(options.threads), facts, lambda: (), page)


if __name__ == "__main__":
    sys.exit(main())
