"""Environment variables: one table of all, which the code keeps to, and warnings of nonsense."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tfc.core.environment import VARIABLES, check
from tools import environment

ROOT = Path(__file__).resolve().parents[2]
NAMES = {variable.name for variable in VARIABLES}
MADE_UP = {"TFC_NEW_SWITCH", "TFC_NUM_THREAD", "TFC_WORKSPACE"}  # by tests

GOOD = {
    "TFC_NUM_THREADS": ("1", "64", " 2 "),
    "TFC_CUDA": ("", "off", "OFF", "named", "emulate", "emulate,random,7,pooled", "emulate, two"),
    "TFC_CACHE_DIR": ("", "~/not-there-yet", "/tmp"),
    "TFC_CACHE_MAX_BYTES": ("0", "1000000"),
    "TFC_POOL_MAX_BYTES": ("0", "1000000"),
    "TFC_COMPILE_MESSAGE_AFTER": ("", "0", "2.5"),
    "TFC_COLLECTIVE_TIMEOUT": ("1", "0.5"),
    "TFC_COLLECTIVE_BUCKET": ("0", "4000000"),
    "TFC_DUMP": ("", "not-there-yet"),
    "TFC_DEBUG_INFO": ("", "0", "1"),
    "TFC_VERIFY": ("", "0", "1", "bounds"),
    "TFC_OPT_LEVEL": ("", "0", "2"),
    "TFC_CPU_FEATURES": ("", "-avx512f", "+avx2, +fma,-avx512f"),
    "TFC_WGMMA": ("", "0", "1"),
    "TFC_TEST_ALL": ("", "1"),
    "TFC_TEST_GPU": ("", "1"),
    "TFC_TEST_DEVICE": ("/gpu:0", "/device:GPU:1", "CPU:0"),
    "TFC_TEST_PTX": ("", "all"),
    "TFC_TEST_TENSORFLOW": ("", sys.executable),
}
NONSENSE = {
    "TFC_NUM_THREADS": ("", "0", "-1", "two", "1.5"),
    "TFC_CUDA": ("on", "1", "named,two", "emulate,three", "off,emulate"),
    "TFC_CACHE_DIR": (__file__,),
    "TFC_CACHE_MAX_BYTES": ("", "-1", "1GB", "1e9"),
    "TFC_POOL_MAX_BYTES": ("-1", "lots"),
    "TFC_COMPILE_MESSAGE_AFTER": ("-1", "soon"),
    "TFC_COLLECTIVE_TIMEOUT": ("-1", "soon"),
    "TFC_COLLECTIVE_BUCKET": ("-1", "4 MB"),
    "TFC_DUMP": (__file__,),
    "TFC_DEBUG_INFO": ("no", "false", "2"),
    "TFC_VERIFY": ("off", "False"),
    "TFC_OPT_LEVEL": ("1", "fast"),
    "TFC_CPU_FEATURES": ("avx2", "+", "+avx2 fma,x"),
    "TFC_WGMMA": ("yes",),
    "TFC_TEST_ALL": ("all",),
    "TFC_TEST_GPU": ("0.5",),
    "TFC_TEST_DEVICE": ("gpu", "the first"),
    "TFC_TEST_PTX": ("1",),
    "TFC_TEST_TENSORFLOW": ("no/python", "yes"),
}


def told(**given: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check(given)
    return [str(warning.message) for warning in caught]


def test_every_variable_is_tried() -> None:
    assert [*GOOD] == [*NONSENSE] == [variable.name for variable in VARIABLES]


@pytest.mark.parametrize("name", GOOD)
def test_what_is_allowed_is_not_warned_of(name: str) -> None:
    for value in GOOD[name]:
        assert told(**{name: value}) == [], value


@pytest.mark.parametrize("name", NONSENSE)
def test_warnings_say_what_is_wrong_and_what_is_allowed(name: str) -> None:
    (variable,) = (v for v in VARIABLES if v.name == name)
    for value in NONSENSE[name]:
        (text,) = told(**{name: value})
        assert f"{name}={value!r}" in text
        assert variable.allowed in text and variable.otherwise in text


def test_names_that_are_nearly_ours() -> None:
    (text,) = told(TFC_NUM_THREAD="2")
    assert "TFC_NUM_THREAD," in text and "TFC_NUM_THREADS?" in text
    assert told(TFC_WORKSPACE="main", HOME="TFC_CUDA") == []  # another program's


def test_importing_warns_at_the_users_line(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "x = 1\nimport tfc\nprint(tfc.config.threading.get_intra_op_parallelism_threads() > 0)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TFC_NUM_THREADS": "many"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert f"{script}:2: RuntimeWarning: the environment has TFC_NUM_THREADS='many'" in done.stderr


def mentioned(*patterns: str) -> set[str]:
    """The variables that files speak of."""
    found = set()
    for pattern in patterns:
        for file in ROOT.glob(pattern):
            found.update(re.findall(r"\bTFC_[A-Z][A-Z_]*[A-Z]\b", file.read_text()))
    return found


def test_the_table_has_all_that_the_code_reads_and_no_more() -> None:
    code = mentioned("tfc/**/*.py", "ir/**/*.py", "backends/**/*.py", "benchmarks/**/*.py")
    tests = mentioned("tests/**/*.py", "tools/*.py", "Makefile")
    others = mentioned("*.md", "docs/**/*.md", "examples/*.py")
    assert code | tests | others <= NAMES | MADE_UP
    read = set()
    for folder in ("tfc", "ir", "backends", "tests"):
        for file in (ROOT / folder).rglob("*.py"):
            if file.name not in ("environment.py", Path(__file__).name):
                read.update(re.findall(r"environ\S*[\[(]\s*\"(TFC_\w+)\"", file.read_text()))
    assert read <= NAMES and NAMES <= read


def test_the_page_is_up_to_date() -> None:
    assert environment.PAGE.read_text() == environment.page(), "run `make docs`"
