"""The thread pool: the same bits on any number of threads; forks, many callers, the end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.backends.cpu.runtime import native, runtime

rng = np.random.default_rng(0)
LARGE = tf.constant(rng.standard_normal((600, 700), dtype=np.float32))
OTHER = tf.constant(rng.standard_normal((700, 300), dtype=np.float32))
LONG = tf.constant(rng.standard_normal((1, 400_000), dtype=np.float32))
ROW = tf.constant(rng.standard_normal(700, dtype=np.float32))


@tf.function
def rounds(x: Any, w: Any) -> Any:
    """Kernels of some 10 microseconds in close order: no one of them is worth waking threads."""
    for _ in tf.range(60):
        x = tf.tanh(x @ w)
    return x


WORK: dict[str, Callable[[], Any]] = {
    "elementwise": lambda: tf.tanh(LARGE) * LARGE,
    "broadcast": lambda: LARGE + ROW,
    "transpose": lambda: tf.transpose(LARGE),
    "rows": lambda: tf.nn.softmax(LARGE),
    "sum of rows": lambda: tf.reduce_sum(LARGE, 1),
    "sum of columns": lambda: tf.reduce_sum(LARGE, 0),
    "sum": lambda: tf.reduce_sum(LARGE),
    "scan of rows": lambda: tf.cumsum(LARGE, 1),
    "scan of columns": lambda: tf.math.cumprod(LARGE, 0),
    "argmax": lambda: tf.argmax(LARGE, 1),
    "matmul": lambda: tf.matmul(LARGE, OTHER),
    "transposed": lambda: tf.matmul(OTHER, LARGE, transpose_a=True, transpose_b=True),
    "few rows": lambda: tf.matmul(LARGE[:5], OTHER),
    "batched": lambda: tf.matmul(tf.reshape(LARGE, (6, 100, 700)), tf.stack([OTHER] * 6)),
    "one row": lambda: tf.matmul(LARGE[:1], OTHER),
    "one column": lambda: tf.matmul(LARGE, OTHER[:, :1]),
    "dot": lambda: tf.matmul(LONG, LONG, transpose_b=True),
    "short kernels": lambda: rounds(LARGE[:96, :96], OTHER[:96, :96]),
    "half": lambda: tf.matmul(tf.cast(LARGE, tf.bfloat16), tf.cast(OTHER, tf.bfloat16)),
}


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    yield
    tf.config.threading.set_intra_op_parallelism_threads(0)


@pytest.mark.parametrize("name", WORK)
def test_equal_bits(name: str) -> None:
    found = []
    for count in (1, 2, 3, 8):
        tf.config.threading.set_intra_op_parallelism_threads(count)
        found.append([np.asarray(WORK[name]()).tobytes() for _ in range(3)])
    assert all(bits == found[0][0] for run in found for bits in run)


def test_scans_share_rows() -> None:
    concrete = tf.function(lambda x: tf.cumsum(x, 1)).get_concrete_function(LARGE)
    assert "parallel %" in concrete.ir("kernels", verbose=True)


def test_work_is_counted_once() -> None:
    """What several results need, slices and transposes among it, is no reason for threads."""

    @tf.function
    def cell(gates: Any, c: Any) -> Any:
        i, f, g, o = (tf.sigmoid(x) for x in tf.split(gates, 4, axis=1))
        c = f * c + i * g
        return o * tf.tanh(c), c, i, f, g, o

    def kernels(rows: int) -> str:
        gates, c = tf.zeros((rows, 256)), tf.zeros((rows, 64))
        return str(cell.get_concrete_function(gates, c).ir("kernels", verbose=True))

    assert "parallel %" not in kernels(9)
    assert "parallel %" in kernels(50)


def test_setting() -> None:
    tf.config.threading.set_intra_op_parallelism_threads(3)
    assert tf.config.threading.get_intra_op_parallelism_threads() == 3
    assert runtime.threads() == 3
    tf.config.threading.set_intra_op_parallelism_threads(0)
    assert runtime.threads() == runtime.available_threads()
    with pytest.raises(ValueError, match="not negative"):
        tf.config.threading.set_intra_op_parallelism_threads(-1)


def started() -> int:
    import ctypes

    at = ctypes.PYFUNCTYPE(ctypes.c_void_p)
    library = runtime._runtime().library
    return int(ctypes.c_int64.from_address(at(library.address("tfc_threads_started"))()).value)


@pytest.mark.skipif(not native.has_threads(), reason="no pool on this system")
def test_workers_start_for_large_work() -> None:
    tf.config.threading.set_intra_op_parallelism_threads(4)
    WORK["matmul"]()
    assert started() >= 3


AFFINITY = """
import os, time
import numpy as np, tfc as tf

tf.config.threading.set_intra_op_parallelism_threads(2)
x = tf.constant(np.ones((900, 900), np.float32))
known, everywhere = set(os.listdir("/proc/self/task")), os.sched_getaffinity(0)
tf.matmul(x, x)
(worker,) = (int(t) for t in set(os.listdir("/proc/self/task")) - known)
first, second, *_ = sorted(everywhere)

def settles(expected):  # the worker goes to sleep some time after the loop
    for _ in range(500):
        if os.sched_getaffinity(worker) == expected:
            return True
        time.sleep(0.02)

for own in (first, second, first, second):
    os.sched_setaffinity(0, {own})
    tf.matmul(x, x)
    assert settles(everywhere - {own}), (own, os.sched_getaffinity(worker))
os.sched_setaffinity(worker, {second})  # as an administrator might: it stays
for own in (first, second):
    os.sched_setaffinity(0, {own})
    tf.matmul(x, x)
    time.sleep(0.2)
    assert os.sched_getaffinity(worker) == {second}, own
"""


@pytest.mark.skipif(
    not native.has_threads() or runtime.available_threads() < 2,
    reason="no pool on this system, or one processor",
)
def test_workers_wake_elsewhere() -> None:
    """A worker sleeps with an affinity for all processors but the caller's, and takes its own
    back when it wakes."""
    code = [sys.executable, "-c", AFFINITY]
    done = subprocess.run(code, timeout=60, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_many_callers() -> None:
    tf.config.threading.set_intra_op_parallelism_threads(3)
    expected = {name: np.asarray(work()).tobytes() for name, work in WORK.items()}
    wrong: list[str] = []

    def call(turns: int) -> None:
        for turn in range(turns):
            for name in list(WORK)[turn % 3 :: 3]:
                if np.asarray(WORK[name]()).tobytes() != expected[name]:
                    wrong.append(name)

    callers = [threading.Thread(target=call, args=(6,)) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(60)
        assert not caller.is_alive()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork() -> None:
    tf.config.threading.set_intra_op_parallelism_threads(3)
    expected = np.asarray(WORK["matmul"]()).tobytes()
    child = os.fork()
    if child == 0:
        good = all(np.asarray(WORK["matmul"]()).tobytes() == expected for _ in range(5))
        os._exit(0 if good and (started() == 2 or not native.has_threads()) else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert np.asarray(WORK["matmul"]()).tobytes() == expected


@pytest.mark.parametrize("ending", ["", "import sys; sys.exit(0)", "t.start()"])
def test_exit(ending: str) -> None:
    """A process ends with workers asleep, spinning, and while a loop runs in another thread."""
    code = f"""
import threading, numpy as np, tfc as tf
tf.config.threading.set_intra_op_parallelism_threads(3)
x = tf.constant(np.ones((900, 900), np.float32))
def work():
    for _ in range(1000 if {ending == "t.start()"} else 3):
        tf.matmul(x, x)
work() if {ending != "t.start()"} else None
t = threading.Thread(target=work, daemon=True)
{ending}
"""
    done = subprocess.run([sys.executable, "-c", code], timeout=60, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_environment() -> None:
    code = "from tfc.backends.cpu.runtime import runtime; print(runtime.threads())"
    for text, expected in (("5", "5"), ("0", "1")):
        environment = {**os.environ, "TFC_NUM_THREADS": text}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True
        )
        assert done.stdout.strip() == expected, done.stderr
