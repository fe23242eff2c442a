"""TFC_OPT_LEVEL=0: code that LLVM generates quickly is other code, with the same bits; so is the
code that eager ops begin with.

`make test` relies on it: what the front end's functions mean is tested with quick code.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests import native
from tests.programs import Program
from tests.sampling import ALL
from tfc.backends.cpu import jit
from tfc.backends.cpu.machine import OPT_LEVEL
from tfc.backends.cpu.parallel_compile import Part, split

ROOT = Path(__file__).resolve().parents[3]
SEEDS = range(200 if ALL else 24)


def in_both_ways(run: Any) -> list[tuple[Any, dict[str, str]]]:
    """What `run` gives at each level, and the texts of the objects that were loaded meanwhile."""
    found = []
    real = jit._object
    for level in "02":
        os.environ["TFC_OPT_LEVEL"] = level
        texts: dict[str, str] = {}

        def noted(*part: Any, texts: dict[str, str] = texts, **how: Any) -> Any:
            made = real(*part, **how)
            texts[made.name] = part[0]
            return made

        jit._object = noted
        found.append((run(), texts))
    jit._object = real
    return found


def assert_only_quick_code_is_shared(quick: dict[str, str], full: dict[str, str]) -> None:
    """What starts loops, or runs hardly ever, is quick code in both."""
    assert quick.keys() - full.keys() and full.keys() - quick.keys()
    for name in quick.keys() & full.keys():
        heads = [line for line in quick[name].splitlines() if line.startswith("define ")]
        assert heads and all(" optnone" in head for head in heads), heads


def compare_random_programs() -> None:
    for seed in SEEDS:
        program = Program(seed, exact=seed % 2 == 0)
        f = program.grow(4 + seed % 12)
        arrays = program.arrays(f)

        def run(f: Any = f, arrays: Any = arrays) -> Any:
            return native.run(f, *arrays)

        (quick, objects), (full, others) = in_both_ways(run)
        native.assert_same_bits(quick, full, str(f))
        assert_only_quick_code_is_shared(objects, others)
        native.assert_same_bits(native.run_baseline(f, *arrays), full, f"baseline, {f}")


def compare_a_training_step() -> None:
    rng = np.random.default_rng(5)
    x, w, v = (
        tf.constant(rng.standard_normal(shape), tf.float32)
        for shape in ((4, 13, 11, 5), (3, 3, 5, 19), (19, 10))
    )

    def run() -> Any:
        @tf.function
        def step(x: Any, w: Any, v: Any) -> Any:
            with tf.GradientTape() as tape:
                tape.watch((x, w, v))
                y = tf.reduce_mean(tf.nn.relu(tf.nn.conv2d(x, w, 2, "SAME")), (1, 2)) @ v
                loss = -tf.reduce_sum(tf.nn.log_softmax(y)[:, 3])
            return loss, *tape.gradient(loss, (x, w, v))

        return [value.numpy() for value in step(x, w, v)]

    text = tf.function(tf.exp).get_concrete_function(x).ir("llvm")
    assert " optnone" in text
    full_code = [Part(text), *(part for part in split(text) if part.level == OPT_LEVEL)]
    before = [jit._object(*part, anew=True).data for part in full_code]
    (quick, objects), (full, others) = in_both_ways(run)
    native.assert_same_bits(quick, full, "a step of training")
    assert_only_quick_code_is_shared(objects, others)
    jit._emitted("define <4 x i1> @mask() {\n  ret <4 x i1> zeroinitializer\n}\n", 0)
    after = [jit._object(*part, anew=True).data for part in full_code]
    assert len(after) > 1 and after == before  # full code is what it was


def test_loops_are_scalar(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they are made of is no vector, which LLVM's fast selector would leave to the other."""
    texts = []
    for level in "02":
        monkeypatch.setenv("TFC_OPT_LEVEL", level)
        concrete = tf.function(lambda x: tf.exp(x) + 1.0).get_concrete_function(
            tf.TensorSpec([None], tf.float32)
        )
        texts.append(concrete.ir("llvm"))
    assert ["x float>" in text for text in texts] == [False, True]


@pytest.mark.parametrize("what", ["random_programs", "a_training_step"])
def test_bits_are_those_of_full_code(what: str) -> None:
    """In a process of its own: how level 0 selects instructions is said for all of a process."""
    script = f"from tests.backends.cpu import test_quick_code as t; t.compare_{what}()"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TFC_OPT_LEVEL": "2"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
