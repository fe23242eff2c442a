"""Derivatives where they jump and end, integers at their ends, and what once differed: against what
TensorFlow gives, which is committed. `make compare-tensorflow` asks TensorFlow itself."""

from __future__ import annotations

from typing import Any

import pytest

import tfc as tf
from tests.cases import CASES
from tests.sampling import ALL
from tools import differences

from . import intended, records
from .compare import difference
from .programs import GROUPS, INTEGERS, Program, evaluate, texts

AGREED = {group: records.load(group) for group in GROUPS}


def check(group: str, program: Program, only: str = "") -> None:
    for way, outcome in evaluate(tf, program, only).items():
        theirs, ours = AGREED[group][program.name, way]
        found = difference(records.read(records.written(outcome)), records.read(ours or theirs))
        assert found is None, f"{program.name}, {way}: {found} (see tests/differential)"


def ways(number: int) -> str:
    """Of three ways to evaluate a program the first derivative mostly, the second now and then:
    values have tests of their own. All with TFC_TEST_ALL."""
    return "" if ALL else "second" if number % 3 == 2 else "first"


DERIVATIVES = [pytest.param(p, i, id=p.text) for i, p in enumerate(GROUPS["derivatives"]())]


@pytest.mark.parametrize(("program", "number"), DERIVATIVES)
def test_derivatives_at_special_points(program: Program, number: int) -> None:
    check("derivatives", program, ways(number))


def integers() -> Any:
    """Each program with one dtype, which goes round; with all, where TFC_TEST_ALL is set."""
    programs: dict[str, list[Program]] = {}
    for p in GROUPS["integers"]():
        programs.setdefault(p.text, []).append(p)
    for i, (text, each) in enumerate(programs.items()):
        chosen = each if ALL else [each[i * 3 % len(INTEGERS)]]
        yield pytest.param(chosen, id=text)


@pytest.mark.parametrize("programs", list(integers()))
def test_integers_at_their_ends(programs: list[Program]) -> None:
    for program in programs:
        check("integers", program)


@pytest.mark.parametrize("program", list(GROUPS["found"]()), ids=lambda p: p.text)
def test_what_once_differed(program: Program) -> None:
    check("found", program)


@pytest.mark.parametrize("program", list(GROUPS["rarer"]()), ids=lambda p: p.text)
def test_rarer_functions(program: Program) -> None:
    check("rarer", program)


@pytest.mark.parametrize("program", list(GROUPS["version_1"]()), ids=lambda p: p.text)
def test_version_1(program: Program) -> None:
    """Functions that TensorFlow 2 has in another way, and what sessions run."""
    check("version_1", program)


RAW = list(GROUPS["raw_ops"]())


@pytest.mark.parametrize("programs", [RAW[i : i + 20] for i in range(0, len(RAW), 20)])
def test_ops_by_their_names(programs: list[Program]) -> None:
    for program in programs:
        check("raw_ops", program)


WITHOUT = {
    name for file in ("linear", "elsewhere") for line in texts(file) for name in line.split()
}
SAME = {"lrn": "local_response_normalization", "max_pool2d": "max_pool1d", "truediv": "divide"}


def test_every_differentiable_function_has_a_program() -> None:
    """A new function needs a line in texts/ (and `make compare-tensorflow COMPARE=--write`)."""
    lines = " ".join(line for group in ("unary", "binary", "rows") for line in texts(group))
    names = {c.name for c in CASES if c.smooth} - WITHOUT
    missing = {n for n in names if f".{SAME.get(n, n)}(" not in lines}
    assert missing == set()


def test_files_belong_together() -> None:
    """Every program has its results, every result its program, what is noted as ours is intended,
    and the page says it."""
    assert differences.PAGE.read_text() == differences.page(), "run `make docs`"
    entries = intended.load()
    for group, programs in GROUPS.items():
        names = {p.name for p in programs()}
        assert names == {name for name, _ in AGREED[group]}
        for (name, way), (_, ours) in AGREED[group].items():
            assert (ours is None) or any(e.covers(name, way) for e in entries), (name, way)
