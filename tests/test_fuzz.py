"""Random programs give the same bits in every way of running them (see fuzz.py).

The programs are the same in every run of the tests; `python -m tests.fuzz` draws new ones.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given

from tests import fuzz
from tests.fuzz_programs import Program, execute

fixed = hypothesis.settings(
    deadline=None,
    database=None,
    derandomize=True,
    print_blob=False,
    suppress_health_check=list(hypothesis.HealthCheck),
)


@given(fuzz.programs(8))
@hypothesis.settings(fixed, max_examples=150)
def test_functions(program: Program) -> None:
    """Eager, static and symbolic."""
    fuzz.attempt(program, ("function",))


@given(fuzz.programs(8))
@hypothesis.settings(fixed, max_examples=60)
def test_passes_and_fusion(program: Program) -> None:
    fuzz.attempt(program, ("passes", "stored"))


@given(fuzz.programs(5))
@hypothesis.settings(fixed, max_examples=50)
def test_gradients(program: Program) -> None:
    """By eager tapes, by tapes inside functions and outside."""
    fuzz.attempt(program, ("gradients",))


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
