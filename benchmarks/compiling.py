"""What it costs to compile: with nothing on disk, and in a second process.

Each sample is a fresh process. The rows "first call" are whole programs (`workloads`), from their
text to their first result. The rows "from start" count all from the import to the first result.
The others first compile another small function, so that what a process does once (loading LLVM or
XLA) is not in them. PyTorch's eager mode needs no compilation, and is not in these rows; TensorFlow
is in first calls, and in the row of batch sizes, as it is and with `reduce_retracing`. The checks
of the results are in the other sections.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence

from . import peers, workers, workloads
from .harness import ROWS, Contender, Row, row
from .libraries import Mode
from .processes import fresh
from .workloads import Workload

TFC = """
import time
begin = time.perf_counter()
import numpy as np
import tfc as tf
jit, array = tf.function, tf.constant
tanh, matmul = tf.tanh, tf.matmul
softmax_loss = lambda y, z: tf.reduce_mean(
    tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=z))
def gradient(f):
    def run(parameters, *rest):
        with tf.GradientTape() as tape:
            tape.watch(parameters)
            loss = f(parameters, *rest)
        return loss, tape.gradient(loss, parameters)
    return run
ready = lambda x: x.numpy()
"""

JAX = """
import time
begin = time.perf_counter()
import numpy as np
import jax
jit, array = jax.jit, jax.numpy.asarray
tanh, matmul = jax.numpy.tanh, jax.numpy.matmul
softmax_loss = lambda y, z: -jax.numpy.mean(jax.numpy.sum(y * jax.nn.log_softmax(z), axis=1))
gradient = jax.value_and_grad
ready = lambda x: x.block_until_ready()
"""

TENSORFLOW = """
import time
begin = time.perf_counter()
import os
import numpy as np
import tensorflow as tf
tf.config.threading.set_intra_op_parallelism_threads(int(os.environ["NPROC"]))
jit, array = tf.function, tf.constant
tanh, matmul = tf.tanh, tf.matmul
ready = lambda x: x.numpy()
"""

RELAXED = """
jit = lambda f: tf.function(f, reduce_retracing=True)
"""

WARM_UP = """
ready(jit(lambda x: x - 3.0)(array(np.ones((3, 5), np.float32))))
"""

ELEMENTWISE = """
x = array(np.ones(1000, np.float32))
f = jit(lambda x: x * 2.0 + 1.0)
start = time.perf_counter()
ready(f(x))
print(time.perf_counter() - start)
"""

FROM_START = ELEMENTWISE.replace("start = time.perf_counter()", "start = begin")

MLP = """
x, y = array(np.ones((64, 64), np.float32)), array(np.ones((64, 10), np.float32))
parameters = [array(np.full(s, 0.1, np.float32)) for s in ((64, 64), (64,), (64, 10), (10,))]
def loss(parameters, x, y):
    w1, b1, w2, b2 = parameters
    return softmax_loss(y, matmul(tanh(matmul(x, w1) + b1), w2) + b2)
def step(parameters, x, y):
    value, gradients = gradient(loss)(parameters, x, y)
    return value, [p - 0.1 * g for p, g in zip(parameters, gradients)]
f = jit(step)
start = time.perf_counter()
ready(f(parameters, x, y)[0])
print(time.perf_counter() - start)
"""

SIZES = """
traces = 0
def model(x, w, b):
    global traces
    traces += 1
    return tanh(matmul(x, w) + b)
f = jit(model)
w, b = array(np.ones((64, 10), np.float32)), array(np.ones(10, np.float32))
batches = [array(np.ones((n, 64), np.float32)) for n in range(1, 101)]
start = time.perf_counter()
for x in batches:
    ready(f(x, w, b))
seconds = time.perf_counter() - start
print(seconds, traces)
"""


class FreshProcess:
    """A sampler: each sample runs `code` in a fresh process, which prints the seconds it took.

    With `cached`, all of them share a folder for compiled code that one run has filled before;
    without, each gets an empty one. The code may print a number of traces, too.
    """

    def __init__(self, code: str, cached: bool) -> None:
        self.code = code
        self.traces = ""
        self.folder = tempfile.TemporaryDirectory() if cached else None
        self(1)  # fills the folder, and writes bytecode of what is imported

    def __call__(self, count: int) -> float:
        if self.folder:
            printed = fresh(self.code, **caches(self.folder.name))
        else:
            with tempfile.TemporaryDirectory() as folder:
                printed = fresh(self.code, **caches(folder))
        if len(printed) > 1:
            self.traces = f"{printed[1]:.0f} traces"
        return printed[0]


def caches(folder: str) -> dict[str, str]:
    """The libraries' disk caches in `folder`, without a lower bound on what JAX keeps."""
    return {
        "TFC_CACHE_DIR": folder,
        "JAX_COMPILATION_CACHE_DIR": folder,
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "TORCHINDUCTOR_CACHE_DIR": folder,
    }


Library = tuple[str, str, str]  # a contender's name, its package, and how it begins

LIBRARIES: list[Library] = [("tfc", "tfc", TFC), ("jax jit", "jax", JAX)]


def contenders(code: str, cached: bool, more: Sequence[Library] = ()) -> list[Contender]:
    found = []
    for name, package, library in (*LIBRARIES, *more):
        if peers.installed(package):
            process = FreshProcess(library + code, cached)
            note = lambda process=process: process.traces  # noqa: E731
            found.append(Contender(name, process, single=True, note=note))
    return found


@row("cold x * 2 + 1 from start", budget=20.0, rounds=7)
def cold_from_start() -> list[Contender]:
    return contenders(FROM_START, cached=False)


@row("cold x * 2 + 1", goals={"jax jit": 1 / 8}, at_most=15e-3, budget=20.0, rounds=7)
def cold_elementwise() -> list[Contender]:
    return contenders(WARM_UP + ELEMENTWISE, cached=False)


@row("cold MLP step", goals={"jax jit": 1.0}, budget=20.0, rounds=7)
def cold_mlp() -> list[Contender]:
    return contenders(WARM_UP + MLP, cached=False)


@row("warm x * 2 + 1 from start", budget=20.0, rounds=7)
def warm_from_start() -> list[Contender]:
    return contenders(FROM_START, cached=True)


@row("warm x * 2 + 1", at_most=2e-3, budget=20.0, rounds=7)
def warm_elementwise() -> list[Contender]:
    return contenders(WARM_UP + ELEMENTWISE, cached=True)


@row("warm MLP step", goals={"jax jit": 1.0}, budget=20.0, rounds=7)
def warm_mlp() -> list[Contender]:
    return contenders(WARM_UP + MLP, cached=True)


@row("100 batch sizes of tanh(x @ w + b)", goals={"jax jit": 1.0}, rounds=2)
def batch_sizes() -> list[Contender]:
    tensorflow = ("tensorflow", "tensorflow", TENSORFLOW)
    relaxed = ("tf relaxed", "tensorflow", TENSORFLOW + RELAXED)
    return contenders(WARM_UP + SIZES, cached=False, more=[tensorflow, relaxed])


# Whole programs.

PROGRAMS = (
    "Black-Scholes, 10M",
    "MLP step 784-512-512-10, batch 128",
    "CNN + LSTM step, batch 32",
    "transformer block step, 8 x 128 x 256",
    "LSTM 64 units, 100 steps, gradient",
)


def first_calls(workload: type[Workload], quick: bool) -> list[Contender]:
    """Those that compile; torch's eager mode and NumPy have nothing to compare."""
    modes = [m for m in workers.modes(workload) if m.name not in ("numpy", "torch")]
    return [first_call(mode, workload, quick) for mode in modes]


def first_call(mode: Mode, workload: type[Workload], quick: bool) -> Contender:
    def sample(_: int) -> float:
        with tempfile.TemporaryDirectory() as folder:
            process = workers.Worker(mode, **caches(folder))
            try:
                return float(process.ask("first_call", workload.name, quick))
            finally:
                process.close()

    return Contender(mode.name, sample, single=True)


def add_first_call(workload: type[Workload]) -> None:
    row = Row(
        f"first call: {workload.name}",
        lambda: first_calls(workload, False),
        budget=30.0,
        rounds=3,
        quick=lambda: first_calls(workload, True),
    )
    ROWS.append(row)


for _name in PROGRAMS:
    add_first_call(workloads.known()[_name])
