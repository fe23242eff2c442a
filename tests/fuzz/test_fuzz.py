"""Random programs give the same bits in every way of running them, and their derivatives are those
that differences say (see ways.py, slopes.py).

The programs are the same in every run of the tests; `make fuzz` goes on to others.
"""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

import tfc as tf
from tests.fuzz import campaign, family_rules, makers, op_rules, shrinking, slopes, user_rules, ways
from tests.fuzz.programs import FEW, Maker, Step, execute, narrowed
from tests.fuzz.wider_rules import RULES
from tests.sampling import ALL, by_turns
from tfc.ir import passes
from tfc.ir.dtypes import float32
from tfc.ir.types import TensorType

pytestmark = pytest.mark.usefixtures("baseline_code")

ROOT = Path(__file__).resolve().parents[2]
MORE = 8 if ALL else 1
# Few programs, which use every rule all the same: see test_every_rule_is_used.
FUNCTIONS = range(26885, 26885 + (192 if ALL else 18))
PASSES = range(1957, 1957 + (128 if ALL else 12))
GRADIENTS = range(360, 360 + (128 if ALL else 12))
SLOPES = range(96 if ALL else 8)
STATEMENTS = range(3230, 3230 + 10 * MORE)
WITHOUT = [f"without {p.__name__}" for p in passes.OPTIMISE[1:]]


def attempt(kind: type[Maker], number: int, steps: int, *checks: str) -> None:
    source = makers.program(kind, number, steps).source()
    try:
        ways.check(ways.Case(execute(source)), checks)
    except Exception as error:
        error.add_note(source)
        raise


@pytest.mark.parametrize("number", FUNCTIONS)
def test_functions(number: int) -> None:
    """Eager, static and symbolic."""
    attempt(makers.Wide, number, 10, "function")


class Statements(makers.Wide):
    """Programs by the rules of user_rules.py alone."""

    rules = user_rules.USERS


@pytest.mark.parametrize("number", STATEMENTS if ALL else STATEMENTS[::3])
def test_statements(number: int) -> None:
    """Tapes, AutoGraph, strings, replicas, optimizers, ... within programs."""
    attempt(Statements, number, 8, "function")


class Seldom(makers.Wide):
    """Programs by the rules of op_rules.py alone."""

    rules = op_rules.OPS


SELDOM = range(344, 344 + 12 * MORE)


def test_ops_that_are_seldom_made() -> None:
    """Special functions, linear algebra, transforms, distributions, images, ..."""
    for number in SELDOM:
        attempt(Seldom, number, 8, "function")


class Families(makers.Every):
    """Programs by the rules of family_rules.py alone."""

    rules = family_rules.FAMILIES


# Few, which have all the rules between them.
FAMILIES = (69, 87, 107, 115, 390, *(range(60) if ALL else ()))


def test_families_of_functions() -> None:
    """Layers, models, datasets, tables, forward mode, ragged rows, cases of the catalogue, ..."""
    for number in FAMILIES:
        attempt(Families, number, 6, "function")


def test_gradients_of_statements() -> None:
    for number in STATEMENTS[:MORE]:
        attempt(Statements, number, 3, "gradients")


@pytest.mark.parametrize("number", PASSES)
def test_passes_and_fusion(number: int) -> None:
    """All passes, none, and all but one, for four of them by turns: each is left out of four of the
    programs."""
    without = by_turns(WITHOUT, number - PASSES.start, 4)
    attempt(makers.Wide, number, 8, *without, "stored")


@pytest.mark.parametrize("number", GRADIENTS)
def test_gradients(number: int) -> None:
    """By eager tapes, by tapes inside functions and outside."""
    attempt(makers.Wide, number, 5, "gradients")


@pytest.mark.parametrize("number", range(2 * MORE))
def test_threads(number: int) -> None:
    attempt(makers.Large, number, 4, "function", "threads")


@pytest.mark.parametrize("number", range(8 * MORE))
def test_emulated_gpu(number: int) -> None:
    attempt(makers.Wide, number, 4, "emulated")


def test_derivatives() -> None:
    """First, second and third ones; differences can judge nearly all."""
    decided = 0
    for number in SLOPES:
        source = makers.program(makers.Smooth, number, 5).source()
        try:
            decided += slopes.check(ways.Case(execute(source)))
        except Exception as error:
            error.add_note(source)
            raise
    assert decided > 0.8 * slopes.ORDERS * len(SLOPES)


# The tests of the tests.

WRONG = """
import tfc as tf

inputs, others, state, calls = (tf.constant([1.0, 2.0]),), (tf.constant([1.0]),), (), []


def program(x):
    calls.append(x)
    return (x * float(len(calls)),)
"""
WRONG_SLOPE = """
import tfc as tf

inputs, state = (tf.constant([0.5, 2.0], tf.float64),), ()
others = inputs


def program(x):
    return (tf.custom_gradient(lambda v: (tf.sin(v), lambda d: d * FACTOR))(x),)
"""


def test_a_difference_is_seen() -> None:
    with pytest.raises(ways.Difference, match="eager, a second time: result 0 is"):
        ways.check(ways.Case(execute(WRONG)))


CHANGED = """import tfc as tf
x0, x1 = tf.constant([2.0]), tf.constant([3.0])
inputs = others = (x0, x1)
state = ()


def program(x, y):
    f = tf.custom_gradient(lambda a, b: (a * 1.0, lambda d: (d, GRADIENT)))
    return (f(x, y),)
"""


def test_none_is_zeros_in_a_function_alone() -> None:
    """Eager code gives None where a loop in a function has zeros, and no other numbers."""
    loop = CHANGED.replace("f(x, y)", "parts.swapped(x, y, ROUNDS) * 1")
    for rounds in "012":  # by an operand, by the first alone, by both
        program = f"from tests.fuzz import parts\n{loop.replace('ROUNDS', rounds)}"
        ways.check(ways.Case(execute(program)), ["gradients", "passes"])
    eager = "None if tf.executing_eagerly() else d * {}"
    for factor, other in ("0.0", None), ("0.5", r"result 1 is float32\[1\] instead of None"):
        case = ways.Case(execute(CHANGED.replace("GRADIENT", eager.format(factor))))
        if other is None:
            ways.check(case, ["gradients"])
            continue
        with pytest.raises(ways.Difference, match=other):
            ways.check(case, ["gradients"])
    never = CHANGED.replace("GRADIENT", "d * 0.0 if tf.executing_eagerly() else None")
    with pytest.raises(ways.Difference, match=r"result 1 is None instead of float32\[1\]"):
        ways.check(ways.Case(execute(never)), ["gradients"])


def test_a_wrong_derivative_is_seen() -> None:
    def check(factor: str) -> int:
        return slopes.check(ways.Case(execute(WRONG_SLOPE.replace("FACTOR", factor))))

    assert check("tf.cos(v)") == slopes.ORDERS
    with pytest.raises(ways.Difference, match=r"^gradient is .*, by differences"):
        check("tf.cos(v) * 1.001")
    with pytest.raises(ways.Difference, match=r"^second derivative is .*, by differences"):
        check("tf.stop_gradient(tf.cos(v))")


def test_a_file_runs(tmp_path: Path) -> None:
    """What is reported can be run as it is."""
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    command = [sys.executable, "-m", "tests.fuzz", "--run", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 1 and "Difference: eager, a second time" in done.stderr


def test_smaller_programs_fail_alike() -> None:
    """A program shrinks to the one step that is to blame."""
    program = makers.program(makers.Wide, 7, 10)
    blamed = program.steps[len(program.steps) // 2]

    def fails(candidate: makers.Program) -> bool:
        return blamed in candidate.steps

    found = shrinking.smallest(program, fails, 10.0)
    assert blamed in found.steps and len(found.steps) < len(program.steps)
    execute(found.source())["program"](*execute(found.source())["inputs"])


def test_relatives_are_other_programs_of_the_same_steps() -> None:
    """No two compute the same, all take and give what the first one's steps do; those that are run
    give their results behind its own."""

    def forms(program: makers.Program) -> list[str]:
        return [re.sub(r"\b[xyv]\d+\b", "?", str(step)) for step in program.steps]

    many = [makers.program(makers.Users, number, 10, 5, relatives=7) for number in range(64)]
    assert sum(len(program.relatives) for program in many) > 128
    for program in many:
        together = (program, *program.relatives)
        assert len({p.computation() for p in together}) == len(together) <= 8
        assert all(forms(p) == forms(program) for p in together)
        assert makers.program(makers.Users, 3, 10, 5).steps == many[3].steps  # as without them
    running = campaign.way(0).program(4096)
    assert running.relatives
    case = ways.Case(execute(running.source()))
    alone = ways.Case(execute(dataclasses.replace(running, relatives=()).source()))
    own = [np.asarray(r) for r in alone.program(*alone.inputs)]
    results = [np.asarray(r) for r in case.program(*case.inputs)]
    assert len(results) == sum(len(p.returns) for p in (running, *running.relatives))
    ways.same(results[: len(own)], own, "the first")


def test_names_do_not_make_another_computation() -> None:
    x, y = (f32("x0"), f32("x1"))
    assert x.computation() == y.computation()
    assert f32("x0", "x1").computation() == f32("x1", "x0").computation()
    assert f32("x0", "x0").computation() != f32("x0", "x1").computation()


def f32(*names: str) -> makers.Program:
    """Sines of some of two inputs."""
    kind = TensorType(float32, (2,))
    steps = [Step(f"tf.sin({x})", f"y{i}", kind, (x,)) for i, x in enumerate(names)]
    inputs = dict.fromkeys(("x0", "x1"), kind)
    elements = dict.fromkeys(inputs, ("tf.constant([1.0, 2.0])",) * 2)
    returns = [step.name for step in steps]
    return makers.Program(inputs=inputs, elements=elements, steps=steps, returns=returns)


def test_a_relative_that_fails_is_found() -> None:
    """Alone; where two must stand together to fail, these two."""
    parts = [f32("x0", "x1"), f32("x0", "x0"), f32("x0"), f32("x1", "x1", "x0")]
    program = dataclasses.replace(parts[0], relatives=tuple(parts[1:]))

    def fails(blamed: Sequence[str]) -> Callable[[makers.Program], bool]:
        def run(candidate: makers.Program) -> bool:
            scope = execute(candidate.source())
            scope["program"](*scope["inputs"])
            there = [p.computation() for p in (candidate, *candidate.relatives)]
            return all(c in there for c in blamed)

        return run

    blamed = parts[3].computation()
    found = shrinking.smallest(program, fails([blamed]), 10.0)
    assert found.computation() == blamed and not found.relatives
    both = [parts[1].computation(), parts[2].computation()]
    found = shrinking.smallest(program, fails(both), 10.0)
    assert sorted(p.computation() for p in (found, *found.relatives)) == sorted(both)


WRONG_ELSEWHERE = """import tfc as tf
inputs = others = (tf.range(40.0),)
state = ()


def program(x):
    return (x if tf.executing_eagerly() else tf.maximum(x, -5.0),)
"""


@pytest.mark.parametrize("checks", ["function", "stored", "without cse"])
def test_a_difference_at_other_values_is_seen(checks: str) -> None:
    ways.check(ways.Case(execute(WRONG_ELSEWHERE)), [checks])
    with pytest.raises(ways.Difference, match="result 0 is"):
        ways.check(ways.Case(execute(WRONG_ELSEWHERE), 1), [checks])


def test_other_values_are_of_the_same_types() -> None:
    """Of each dtype, with what is special to it."""
    dtypes = ("float32", "float64", "float16", "bfloat16", "int32", "int8", "uint64", "bool")
    inputs = [tf.zeros([5, 17], dtype) for dtype in dtypes]
    kinds = [ways.other_values(inputs, i) for i in range(4)]
    for values in kinds:
        assert [(x.dtype, x.shape) for x in values] == [(x.dtype, x.shape) for x in inputs]
    again = ways.other_values(inputs, 1)
    ways.same([np.asarray(x) for x in again], [np.asarray(x) for x in kinds[1]], "again")
    special = np.asarray(kinds[0][0])
    assert np.isnan(special).any() and np.isinf(special).any()
    assert {int(inputs[4].dtype.min), int(inputs[4].dtype.max)} <= {*np.asarray(kinds[0][4]).flat}
    assert len({*np.asarray(kinds[2][0]).flat}) <= 4


PYTHON = """import tfc as tf
inputs = others = (tf.constant([1, 2]),)
state = ()


def program(x):
    return (tf.strings.to_number(tf.strings.as_string(x), tf.int32),)
"""


def test_what_is_left_alone_is_told() -> None:
    """So that it is not counted as judged."""
    for checks, made in (("function", True), ("stored", False), ("gradients", False)):
        assert ways.check(ways.Case(execute(PYTHON), 2), [checks]) == made
    assert not ways.check(ways.Case(execute(PYTHON)), ["emulated"])
    assert ways.check(ways.Case(execute(CHANGED.replace("GRADIENT", "d")), 2), ["gradients"])


def test_swarms_have_parts_of_all() -> None:
    """Some have every rule; programs of one share few shapes; what a swarm has stays the same."""
    parts = [set(narrowed(RULES, swarm)) for swarm in range(40)]
    assert set().union(*parts) == set(RULES)
    assert all(len(part) < len(set(RULES)) / 2 for part in parts)
    sources = [makers.program(makers.Wide, number, 10, 5).source() for number in range(30)] * 2
    assert sources == [makers.program(makers.Wide, n, 10, 5).source() for n in range(30)] * 2
    types = {
        str(t) for n in range(30) for t in makers.program(makers.Wide, n, 1, 5).inputs.values()
    }
    assert len({kind.partition("[")[2] for kind in types}) <= FEW


def test_some_swarms_run_full_code(tmp_path: Path) -> None:
    """And in some, kernels check what they access."""
    found = [campaign.SINGLE.environment(campaign.BATCH * n, tmp_path) for n in range(8)]
    assert [e["TFC_OPT_LEVEL"] for e in found] == ["2", "0", "2", ""] * 2
    assert [e["TFC_VERIFY"] for e in found] == ["1", "0", "bounds", "0"] * 2


def test_a_checkout_that_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no failure of a program; nothing is counted."""
    monkeypatch.setattr(sys, "executable", "/bin/false")
    stopped = campaign.Campaign(tmp_path, say=lambda text: None)
    with pytest.raises(RuntimeError, match="no program runs"):
        stopped.run(3, 1)
    kept = campaign.Campaign(tmp_path)
    assert (kept.checked, kept.left, kept.counts["failures"]) == (0, [(0, 3)], 0)


@pytest.fixture
def quick_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes of a campaign run quick code: it is their account that is tested."""
    usual = campaign.Series.environment
    quick = {"TFC_OPT_LEVEL": "0", "TFC_VERIFY": "0"}
    monkeypatch.setattr(campaign.Series, "environment", lambda *given: usual(*given) | quick)


@pytest.mark.usefixtures("quick_batches")
def test_what_failed_is_checked_again(tmp_path: Path) -> None:
    """What passes is forgotten, what does not is kept."""
    account = campaign.Campaign(tmp_path, say=lambda text: None)
    account.counts["failures"] = 1
    campaign.report(tmp_path, 3, "", "it was another day")
    assert account.again() == 0
    assert not list((tmp_path / "failures").iterdir())
    assert campaign.Campaign(tmp_path).counts["failures"] == 0


@pytest.mark.usefixtures("quick_batches")
def test_a_campaign_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Failures and deaths are kept, and no program is left out or counted twice."""

    def kill(self: campaign.Worker) -> bool:
        return not killed and not killed.append(self.process.kill())  # type: ignore[func-returns-value]

    killed: list[None] = []
    monkeypatch.setattr(campaign.Worker, "stuck", kill)
    first = campaign.Campaign(tmp_path, say=lambda text: None)
    assert first.run(2, 1) == 1
    assert "does not end" in next((tmp_path / "failures").iterdir()).read_text()
    second = campaign.Campaign(tmp_path, say=lambda text: None)
    assert (second.checked, second.run(2, 1), second.checked) == (2, 0, 4)
    assert json.loads((tmp_path / "counts.json").read_text())["next"] == 4
    assert not list((tmp_path / "running").iterdir())


def test_a_batch_keeps_what_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failures").mkdir()

    def run(self: campaign.Way, source: str) -> int:
        raise ways.Difference("nothing is right")

    monkeypatch.setattr(campaign.Way, "run", run)
    counts = campaign.run_batch(3, 1, tmp_path, tmp_path / "current")
    assert counts == Counter({campaign.way(3).name: 1, "failures": 1})
    kept = (tmp_path / "failures" / "3.py").read_text()
    assert "nothing is right" in kept and "def program(" in kept


def test_every_rule_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()

    def noted(rule: Callable[[Maker], None]) -> Callable[[Maker], None]:
        def run(maker: Maker) -> None:
            rule(maker)  # or Skip
            used.add(rule.__name__)

        return run

    every = {rule.__name__ for rule in makers.Every.rules}
    monkeypatch.setattr(makers.Wide, "rules", tuple(map(noted, RULES)))
    monkeypatch.setattr(Statements, "rules", tuple(map(noted, user_rules.USERS)))
    monkeypatch.setattr(Seldom, "rules", tuple(map(noted, op_rules.OPS)))
    tried = [(makers.Wide, FUNCTIONS, 10), (makers.Wide, PASSES, 8), (Statements, STATEMENTS, 8)]
    monkeypatch.setattr(Families, "rules", tuple(map(noted, family_rules.FAMILIES)))
    tried += [(Seldom, SELDOM, 8), (Families, FAMILIES, 6)]
    for kind, numbers, steps in tried:
        for number in numbers:
            makers.program(kind, number, steps)
    assert every - used == set()


def test_every_swarm_has_shapes_that_are_small_enough() -> None:
    """All four shapes that a swarm knows may be too large: of swarm 58 they are."""
    for swarm in (*range(40), 58):
        number = swarm * 256 + 12
        assert makers.program(makers.Large, number, 5, swarm).steps
