"""Memory that is short while something is compiled: an exception, never the process' end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

PROGRAM = """
import resource
import sys

import numpy as np
import tfc as tf

most = resource.getrlimit(resource.RLIMIT_AS)[1]
unlimited = (most, most)

def limit(more):
    if more is None:  # where there may be no memory to compute anything
        resource.setrlimit(resource.RLIMIT_AS, unlimited)
        return
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + more, most))

x = tf.constant(np.arange(40, dtype=np.float32).reshape(5, 8))
if sys.argv[1] == "loaded":
    tf.function(lambda x: tf.sort(x * 2.0))(x)
outcomes = []
for n, more in enumerate([0, 1 << 20, 8 << 20, 40 << 20, 70 << 20, 100 << 20, 200 << 20, None]):
    f = tf.function(lambda x: tf.nn.softmax(x @ tf.transpose(x) + float(n)) * tf.sin(x[0, 1]))
    limit(more)
    try:
        y = f(x)
    except (tf.errors.ResourceExhaustedError, MemoryError) as error:
        outcomes.append(type(error).__name__)
        limit(None)
        y = f(x)
    else:
        outcomes.append("runs")
    limit(None)
    assert abs(float(tf.reduce_sum(y)) / float(tf.sin(x[0, 1])) - 5.0) < 1e-4
print(*outcomes)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("llvm", ["loaded", "absent"])
def test_limits_of_address_space(llvm: str) -> None:
    """With each limit a function is compiled, or raises; without it, it runs."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, llvm],
        cwd=ROOT,
        env={"TFC_CACHE_DIR": "", "TFC_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    outcomes = done.stdout.split()
    assert outcomes[0] in ("ResourceExhaustedError", "MemoryError"), outcomes
    assert outcomes[-1] == "runs" and len(outcomes) == 8, outcomes
