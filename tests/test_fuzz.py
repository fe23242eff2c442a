"""Random programs give the same bits in every way of running them (see fuzz.py).

The programs are the same in every run of the tests; `python -m tests.fuzz` draws new ones.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import fuzz, fuzz_programs
from tests.fuzz_programs import Maker, Program, execute

MORE = 8 if os.environ.get("TFC_TEST_ALL") else 1
# Few programs, which use every rule all the same: see the last test.
FUNCTIONS = range(515, 515 + 24 * MORE)
PASSES = range(220, 220 + 20 * MORE)
GRADIENTS = range(360, 360 + 20 * MORE)


def fixed(seed: int, steps: int) -> Program:
    """The program of this seed; each rule is as likely as RULES says."""
    draw = random.Random(seed)
    return Maker(draw.randrange).make(draw.randint(1, steps))


@pytest.mark.parametrize("seed", FUNCTIONS)
def test_functions(seed: int) -> None:
    """Eager, static and symbolic."""
    fuzz.attempt(fixed(seed, 8), ("function",))


@pytest.mark.parametrize("seed", PASSES)
def test_passes_and_fusion(seed: int) -> None:
    fuzz.attempt(fixed(seed, 8), ("passes", "stored"))


@pytest.mark.parametrize("seed", GRADIENTS)
def test_gradients(seed: int) -> None:
    """By eager tapes, by tapes inside functions and outside."""
    fuzz.attempt(fixed(seed, 5), ("gradients",))


WRONG = """
import tfc as tf

inputs, others, state, calls = (tf.constant([1.0, 2.0]),), (tf.constant([1.0]),), (), []


def program(x):
    calls.append(x)
    return (x * float(len(calls)),)
"""


def test_a_difference_is_seen() -> None:
    with pytest.raises(fuzz.Difference, match="eager, a second time: result 0 is"):
        fuzz.check(fuzz.Case(execute(WRONG)))


def test_a_file_runs(tmp_path: Path) -> None:
    """What is reported can be run as it is."""
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    command = [sys.executable, "-m", "tests.fuzz", "--run", str(path)]
    root = Path(__file__).parent.parent
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, timeout=120)
    assert done.returncode == 1 and "Difference: eager, a second time" in done.stderr


def test_every_rule_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()

    def noted(rule: Callable[[Maker], None]) -> Callable[[Maker], None]:
        def run(maker: Maker) -> None:
            rule(maker)  # or Skip
            used.add(rule.__name__)

        return run

    every = {rule.__name__ for rule in fuzz_programs.RULES}
    monkeypatch.setattr(fuzz_programs, "RULES", tuple(map(noted, fuzz_programs.RULES)))
    for seeds, steps in ((FUNCTIONS, 8), (PASSES, 8)):
        used.clear()
        for seed in seeds:
            fixed(seed, steps)
        assert every == used
