"""Packs of small random programs: the same bits in every way of running them, and that what fails
among them is found. `python -m tests.fuzz --packs` runs many."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.fuzz import campaign, makers, pack_series, pack_ways, packs, ways
from tests.fuzz.programs import Program, Step, execute
from tests.sampling import ALL
from tfc.ir.dtypes import float32
from tfc.ir.types import TensorType

WAYS = [way for way in pack_ways.ALL if "without " not in way] + ["without cse"]
VECTOR = TensorType(float32, (2,))


def small(number: int, count: int = 6) -> Program:
    return packs.pack(makers.Every, number, 3, count, 40)


@pytest.mark.parametrize("way", WAYS)
def test_every_way_has_the_same_bits(way: str) -> None:
    for number in range(16 if ALL else 1):
        made = small(number, 4)
        case = pack_ways.Pack(execute(made.source()), 1)
        running = [p for i, p in enumerate((made, *made.relatives)) if case.runs(i, True)]
        source = pack_series.packed(running).source()
        try:
            judged = pack_ways.check(pack_ways.Pack(execute(source), 1), way)
        except Exception as error:
            error.add_note(source)
            raise
        assert len(judged) == len(running) > 0


def test_derivatives() -> None:
    made = packs.pack(makers.Smooth, 1, 3, 1, 10)
    assert pack_ways.check(pack_ways.Pack(execute(made.source())), "slopes") == [True]


def test_a_number_is_one_pack() -> None:
    """In every process; of one to four steps, no two of which compute the same."""
    sources = [small(number, 16).source() for number in range(3)]
    packs.palette.cache_clear()
    assert sources == [small(number, 16).source() for number in range(3)]
    assert len(set(sources)) == 3
    made = small(0, 16)
    programs = (made, *made.relatives)
    assert len({p.computation() for p in programs}) == len(programs) == 16
    assert len({packs.fingerprint(p) for p in programs}) == 16
    assert {len(p.steps) for p in programs} <= {1, 2, 3, 4}


def test_fingerprints_know_types_and_no_names() -> None:
    def of(name: str, kind: TensorType) -> int:
        return packs.fingerprint(program(f"tf.sin({name})", kind=kind))

    assert of("x0", VECTOR) == of("x1", VECTOR) != of("x0", TensorType(float32, (3,)))


def program(code: str, name: str = "y0", kind: TensorType = VECTOR) -> Program:
    """A program of one step, on two inputs and a Variable."""
    elements = {
        n: (f"tf.constant([1.5, {i}.0])", f"tf.constant([1.5, {i}.0])")
        for i, n in enumerate(("x0", "x1", "v0"))
    }
    return Program(
        inputs=dict.fromkeys(("x0", "x1"), kind),
        variables={"v0": VECTOR},
        elements=elements,
        steps=[Step(code, name, kind, ("x0",))],
        returns=[name or "x0"],
        apart=True,
    )


def case_of(*programs: Program) -> pack_ways.Pack:
    return pack_ways.Pack(execute(pack_series.packed(programs).source()))


CHANGES = (program("v0.assign_add(x0)", ""), program("v0.assign_add(x0 + x1)", ""))


@pytest.mark.parametrize("way", ["static", "without cse", "gradients, static"])
def test_each_program_begins_from_the_initial_state(way: str) -> None:
    case = case_of(*CHANGES, program("v0 * x0"))
    results = [np.asarray(r).tolist() for r in case.program(*case.inputs)]
    assert [results[1], results[3], results[4]] == [[3.0, 2.0], [4.5, 3.0], [2.25, 0.0]]
    assert case.state[0].numpy().tolist() == [1.5, 2.0]
    assert pack_ways.check(case, way) == [True] * 3


WRONG = "x0 if tf.executing_eagerly() else tf.maximum(x0, 1.0)"
RIGHT = [program(f"x0 * {i}.0 + x1") for i in range(2, 8)]


class Kept(list[Program]):
    """What fails, at its smallest."""

    def __call__(self, found: Program, error: Exception) -> None:
        assert isinstance(error, ways.Difference)
        self.append(campaign.shrunk(found, STATIC, error))


STATIC = pack_series.Way("some", "static", more=0)


def test_a_program_that_fails_is_found() -> None:
    """Beside others, which are judged without it."""
    kept = Kept()
    whole = pack_series.packed([*RIGHT[:4], program(WRONG), *RIGHT[4:]])
    counts, prints = STATIC.examined(whole, kept)
    assert [p.computation() for p in kept] == [program(WRONG).computation()]
    assert not kept[0].relatives and list(kept[0].inputs) == ["x0"]
    assert counts["some"] == 7 and counts["some: judged"] == len(set(prints)) == 6
    assert counts["failures"] == 1


def test_programs_that_fail_together_are_kept_together(monkeypatch: pytest.MonkeyPatch) -> None:
    both = RIGHT[1], RIGHT[4]

    def run(self: pack_series.Way, source: str) -> tuple[list[bool], int]:
        if all(p.steps[0].code in source for p in both):
            raise ways.Difference("both are there")
        return [True] * len(execute(source)["programs"]), 0

    monkeypatch.setattr(pack_series.Way, "run", run)
    kept = Kept()
    counts, prints = STATIC.examined(pack_series.packed(RIGHT), kept)
    found = [p.computation() for p in (kept[0], *kept[0].relatives)]
    assert found == [p.computation() for p in both] and counts["failures"] == 1
    assert counts["some: judged"] == len(prints) == len(RIGHT)  # each half is right


def test_what_calls_python_is_cut_out() -> None:
    """The others are judged all the same, on the GPU, too."""
    text = "tf.strings.to_number(tf.strings.as_string(x0))"
    loop = "tf.while_loop(lambda i, v: i < tf.size(x1), lambda i, v: (i + 1, v * x0), (0, x0))[1]"
    case = case_of(RIGHT[0], program(text), program(loop), RIGHT[1])
    assert pack_ways.check(case, "static") == [True] * 4
    assert pack_ways.check(case, "without cse") == [True, False, True, True]
    assert pack_ways.check(case, "emulated") == [True, False, False, True]


@pytest.mark.parametrize("way", ["without cse", "emulated", "gradients, outside"])
def test_a_difference_is_seen(way: str) -> None:
    code = WRONG if way != "gradients, outside" else f"({WRONG}) * x0"
    with pytest.raises(ways.Difference):
        pack_ways.check(case_of(RIGHT[0], program(code)), way)


def test_the_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs are counted, not packs; what is judged leaves its fingerprint; failures have names
    of their own, and are forgotten together."""

    def wrong(self: pack_series.Way, source: str) -> tuple[list[bool], int]:
        raise ways.Difference("nothing is right")

    made = [pack_series.packed(RIGHT[:3]), pack_series.packed(RIGHT[2:])]
    monkeypatch.setattr(pack_series.Way, "program", lambda self, number: made[number % 2])
    series = campaign.Series(True, 64, pack_series.KINDS, lambda number: STATIC, 1)
    account = campaign.Campaign(tmp_path, say=lambda text: None, series=series)
    counts = campaign.run_batch(4, 2, tmp_path, tmp_path / "current", series)
    assert counts == Counter({"some": 7, "some: judged": 7})
    account.counts, account.next = counts, 6
    account.save([])
    again = campaign.Campaign(tmp_path, series=series)
    assert (again.checked, again.next, again.distinct()) == (7, 6, 6)  # one is in both
    monkeypatch.setattr(pack_series.Way, "run", wrong)
    counts = campaign.run_batch(6, 1, tmp_path, tmp_path / "current", series)
    assert counts == Counter({"some": 3, "failures": 3})
    names = {path.name for path in (tmp_path / "failures").iterdir()}
    assert names == {"6.py", "6-1.py", "6-2.py"}


def test_processes_of_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth has code as users have it; they are told that numbers are packs."""
    kinds = [campaign.PACKS.environment(64 * n, tmp_path) for n in range(10)]
    assert [e["TFC_OPT_LEVEL"] for e in kinds].count("") == 2
    assert Counter(e["TFC_VERIFY"] for e in kinds) == {"0": 8, "1": 1, "bounds": 1}
    started: list[list[str]] = []
    monkeypatch.setattr(campaign.subprocess, "Popen", lambda command, **_: started.append(command))
    account = campaign.Campaign(tmp_path, series=campaign.PACKS)
    account.process(64, 128, tmp_path / "current")
    assert started[0][-1] == "--packs" and "--batch" in started[0]


def test_ways_take_turns() -> None:
    """All of them, each pass left out among them."""
    named = {pack_series.way(number).check for number in range(32 * 14)}
    assert named == {*pack_ways.ALL, "slopes"}
