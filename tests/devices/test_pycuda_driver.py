"""The driver of real GPUs, under real pycuda, on a fake `libcuda.so.1` (see fake_cuda.py)."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

if importlib.util.find_spec("pycuda") is None:
    pytest.skip("pycuda is not installed", allow_module_level=True)
if shutil.which("gcc") is None:
    pytest.skip("there is no C compiler for the fake driver", allow_module_level=True)

ROOT = Path(__file__).resolve().parents[2]
BEGIN = """
import os, sys
sys.setdlopenflags(os.RTLD_LAZY | os.RTLD_GLOBAL)  # the fake has what tfc calls, and no more
from tests import fake_cuda
fake = fake_cuda.install({options})
import numpy as np
import tfc as tf
x = np.random.default_rng(0).standard_normal((40, 30)).astype(np.float32)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    from tests import fake_cuda

    folder = tmp_path_factory.mktemp("cuda")
    fake_cuda.build(folder)

    def call(code: str, options: str = "", cuda: str = "named") -> str:
        paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "LD_LIBRARY_PATH": str(folder), "PYTHONPATH": paths}
        environment["TFC_CUDA"] = cuda
        program = BEGIN.replace("{options}", options) + code
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env=environment,
            cwd=ROOT,
            timeout=120,
        )
        assert done.returncode == 0 and not done.stderr, done.stdout + done.stderr
        return done.stdout

    return call


def test_ops_and_memory(run: Callable[..., str]) -> None:
    found = run("""
want = tf.nn.softmax(x).numpy()
with tf.device("/gpu:0"):
    y = tf.nn.softmax(tf.constant(x))
    assert np.array_equal(y.numpy(), want)
    large = tf.constant(np.arange(3 << 20, dtype=np.int32))  # is not staged
    assert int(tf.reduce_max(large + 1)) == 3 << 20 and large.numpy()[-1] == (3 << 20) - 1
    for _ in range(4):
        y = y * 2.0
    try:
        tf.zeros([1 << 26])
    except tf.errors.ResourceExhaustedError as error:
        print("exhausted", "OOM" in str(error))
(gpu,) = tf.config.list_physical_devices("GPU")
print(tf.config.experimental.get_device_details(gpu))
""")
    assert (
        "exhausted True" in found
        and "{'device_name': 'fake', 'compute_capability': (9, 0)}" in found
    )


def test_threads_leave_nothing_behind(run: Callable[..., str]) -> None:
    found = run("""
import threading
with tf.device("/gpu:0"):
    y = tf.constant(x)
def work():
    global z
    z = tf.exp(y)
for _ in range(2):
    t = threading.Thread(target=work); t.start(); t.join()
pushed, popped = (fake.calls.get(n, 0) for n in ("CtxPushCurrent_v2", "CtxPopCurrent_v2"))
print(pushed - popped, np.array_equal(z.numpy(), tf.exp(tf.constant(x)).numpy()))
""")
    assert found == "1 True\n"


def test_graphs(run: Callable[..., str]) -> None:
    found = run("""
with tf.device("/gpu:0"):
    v = tf.Variable(x)
    step = tf.constant(x)
    @tf.function
    def f():
        v.assign(tf.sort(v + step, 1))
        return tf.cumsum(v, 1)
    for _ in range(8):
        y = f()
w = tf.Variable(x)
for _ in range(8):
    w.assign(tf.sort(w + x, 1))
print(np.array_equal(v.numpy(), w.numpy()), fake.calls.get("GraphLaunch", 0) > 2)
""")
    assert found == "True True\n"


def test_errors_of_kernels(run: Callable[..., str]) -> None:
    found = run("""
with tf.device("/gpu:0"):
    try:
        tf.gather(tf.constant(x), [77])
    except tf.errors.InvalidArgumentError as error:
        print("77 is not in [0, 40)" in str(error))
""")
    assert found == "True\n"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("version=11080", "the driver is too old: it knows CUDA 11.8, and 12.0 is needed"),
        ("capability=(7, 5)", "fake has compute capability (7, 5), below (8, 0)"),
    ],
)
def test_what_cannot_be_used(run: Callable[..., str], options: str, text: str) -> None:
    found = run(
        """
try:
    with tf.device("/gpu:0"):
        pass
except tf.errors.InternalError as error:
    print(error)
""",
        options,
    )
    assert f"GPU 0 cannot be used: {text}" in found


def test_a_real_gpu_is_the_default(run: Callable[..., str]) -> None:
    found = run(
        """
y = tf.nn.softmax(x)
print(y.device[-5:], tf.Variable(x).device[-5:], tf.constant(3).device[-5:])
with tf.device("/cpu:0"):
    z = tf.nn.softmax(x)
print(z.device[-5:], np.array_equal(y.numpy(), z.numpy()))
""",
        cuda="",
    )
    assert found == "GPU:0 GPU:0 CPU:0\nCPU:0 True\n"


def test_a_gpu_that_cannot_be_used_is_no_default(run: Callable[..., str]) -> None:
    found = run(
        """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    y = tf.nn.softmax(x)
print(y.device[-5:], "too old" in str(caught[0].message))
""",
        "version=11080",
        "",
    )
    assert found == "CPU:0 True\n"


def test_kernels_are_timed(run: Callable[..., str]) -> None:
    found = run("""
y = tf.constant(x).gpu()
f = tf.function(lambda y: tf.nn.relu(y + 1.0))
(kernel,) = f.get_concrete_function(y).profile(y).kernels
print(kernel.name, kernel.bytes, kernel.seconds > 0, kernel.floor > 0)
from tfc.backends.cuda.resources import resources
from tfc.explore.stages import for_gpu, make
module = for_gpu(make(f.get_concrete_function(y)).programs[0])
print(*resources(module))
""")
    # The fake one gives an attribute's number plus 100: registers are 4, local bytes 3, shared 1.
    resources = "{'k0': Resources(registers=104, local=103, shared=101, stores=None, loads=None)}"
    assert found == f"relu + add 9600.0 True True\n{resources} fake\n"


def test_sharing(run: Callable[..., str]) -> None:
    found = run("""
from tfc.core.dlpack import from_dlpack
class Producer:
    def __init__(self, x): self.x = x
    def __dlpack_device__(self): return (2, 0)
    def __dlpack__(self, **options): return self.x.__dlpack__(**options)
y = tf.constant(x).gpu()
z = from_dlpack(Producer(y), copy=False)
stream = y.__cuda_array_interface__["stream"]
print(np.array_equal((z * 1.0).numpy(), x), stream > 2)
del y
""")
    assert found == "True True\n"
