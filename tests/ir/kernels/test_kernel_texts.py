"""Kernels are written as the golden file of their hashes says (see tests/kernel_texts.py)."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests import kernel_texts
from tests.kernel_corpus import PARTS
from tests.kernel_texts import GOLDEN, Text
from tests.sampling import ALL


@pytest.fixture(autouse=True)
def _no_garbage() -> Iterator[None]:
    """Looking for it would take a third of the time."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("part", PARTS)
def test_texts_are_those_of_the_golden_file(part: str, request: pytest.FixtureRequest) -> None:
    """Each function for one of its targets, by turns; for all of them with TFC_TEST_ALL=1. What
    differs for one differs for most: schedules are the same, for other sizes of registers."""
    golden = kernel_texts.read(GOLDEN.read_text())
    codes = kernel_texts.texts([part], sample=not ALL)
    found = {text: kernel_texts.hashes(code) for text, code in codes}
    wanted = {
        Text(name, target): golden[Text(name, target)]
        for name, _ in kernel_texts.cases(part)
        for target in kernel_texts.targets(part, name, not ALL)
        if Text(name, target) in golden
    }
    lines = kernel_texts.differences(found, wanted)
    if lines and request.config.getoption("bless"):
        pytest.fail("`python -m tests.kernel_texts --bless` writes all of the golden file")
    assert not lines, "\n".join([*lines, "see tests/kernel_texts.py"])


def test_the_golden_file_has_no_other_functions() -> None:
    names = {name for part in PARTS for name, _ in kernel_texts.cases(part)}
    golden = kernel_texts.read(GOLDEN.read_text())
    assert {text.function for text in golden} == names


def test_what_differs_is_said() -> None:
    before = "func @f() {\n  %1 = constant {value = i64 3} : i64\n  %2 = iota %1\n}"
    renamed = before.replace("%2", "%x").replace("%1", "%2").replace("i64 3", "i64 4")
    other = before.replace("iota", "parallel")
    a, b, c, d = (Text("f", name) for name in "abcd")
    old = {t: kernel_texts.hashes(before) for t in (a, b, c)}
    new = {a: old[a], b: kernel_texts.hashes(renamed), d: kernel_texts.hashes(other)}
    new[c] = kernel_texts.hashes(other)
    del old[a]
    assert kernel_texts.differences(new, old) == [
        "f@a: new",
        "f@b: only names or constants differ",
        "f@d: new",
        "f@c: differs",
    ]
    assert kernel_texts.differences({}, old) == ["f@b: gone", "f@c: gone"]
    assert kernel_texts.read(kernel_texts.written(new)) == new


def test_other_processes_and_other_machines_have_the_same_texts() -> None:
    """Whatever the order of sets, and whatever this processor can do."""
    command = [
        sys.executable,
        "-m",
        "tests.kernel_texts",
        "--llvm",
        "--only",
        "attention/plain/few",
    ]
    texts = {
        subprocess.run(
            [*command, "--write", "/dev/stdout"],
            env={**os.environ, "PYTHONHASHSEED": seed, "TFC_CPU_FEATURES": features},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, features in (("1", ""), ("2", "-avx2"))
    }
    assert len(texts) == 1 and "vector64" in min(texts)
