"""Conversions of float16 where the processor has none: the bits of those that have."""

import os
import subprocess
import sys

PROGRAM = """
import hashlib, numpy as np, tfc as tf

def digest(found):
    print(hashlib.sha256(found.tobytes()).hexdigest())

halves = np.arange(65536, dtype=np.uint16).view(np.float16)
wide = tf.cast(tf.constant(halves), tf.float32).numpy()
digest(wide)
rng = np.random.default_rng(0)
for dtype in (np.float32, np.float64):
    with np.errstate(all="ignore"):
        known = np.sort(halves[np.isfinite(halves)].astype(dtype))
        ties = (known[1:] + known[:-1]) / 2
        beside = [np.nextafter(ties, dtype(end)) for end in (-np.inf, np.inf)]
        any = rng.bytes(20_000 * ties.itemsize)
        ends = np.array([65519.99, 65520, 65536, 1e9, -0.0, 2**-25, 2**-26, np.nan], dtype)
        x = np.concatenate([known, ties, *beside, np.frombuffer(any, dtype), ends])
        found, wanted = tf.cast(tf.constant(x), tf.float16).numpy(), x.astype(np.float16)
    there = ~np.isnan(x)
    assert (np.isnan(found) != there).all()
    assert (found[there].view(np.uint16) == wanted[there].view(np.uint16)).all()
    digest(found)
assert ((wide == halves) | np.isnan(halves)).all()
y = tf.cast(tf.ones((5, 7)), tf.float16)
assert (y @ tf.transpose(y)).numpy()[0, 0] == 7 and tf.reduce_sum(y).numpy() == 35
"""


def test_processors_without_conversions_have_the_same_bits() -> None:
    found = []
    for features in ("", "-f16c"):
        environment = {**os.environ, "TFC_CPU_FEATURES": features}
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found.append(done.stdout.split())
    assert len(found[0]) == 3 and found[0] == found[1]
