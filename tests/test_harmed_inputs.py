"""Inputs that were harmed end in results or clear errors: a sample of what `make fuzz-inputs` goes
on with, and the campaign itself."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

import tfc as tf
from tests.fuzz.inputs import parameters, runner
from tests.fuzz.inputs.attempts import BAD, ERROR, RESULT, Attempt, Kind, Outcome, Wrong, judged
from tests.fuzz.inputs.calls import calls
from tests.fuzz.inputs.runner import KINDS, Campaign

SAMPLE = 2000 if os.environ.get("TFC_TEST_ALL") else 120


def quiet(text: str) -> None:
    """Say nothing."""


def test_a_sample(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, quiet)
    campaign.next = 250  # from here on the sample has results and errors of every kind
    wrong = campaign.run(SAMPLE)
    assert not wrong, "\n".join(p.read_text() for p in (tmp_path / "failures").iterdir())
    for kind in KINDS:
        assert campaign.counts[f"{kind.name}: {RESULT}"] > 0, campaign.counts
        assert campaign.counts[f"{kind.name}: {ERROR}"] > 0 or kind.name == "cache entries"


def test_calls_are_recorded() -> None:
    (call,) = calls(0)
    assert call.name and call.args
    assert all(calls(seed) for seed in range(0, 1100, 60))


def test_every_parameter_refuses_what_it_is_not_for() -> None:
    pairs = parameters.parameters()
    assert len(pairs) > 400
    wrong = [
        f"{call.name}, {name} = {value}: {found.cause}"
        for call, name in pairs
        for value in parameters.VALUES
        if (found := parameters.outcome(call, name, value)).how == BAD
    ]
    assert not wrong, "\n".join(wrong)


class Harness(Kind):
    """Subjects are numbers: what they are over 100 decides how an attempt ends."""

    name = "numbers"
    limit = 1000

    def names(self) -> list[str]:
        return ["zero"]

    def subject(self, seed: int) -> int:
        return seed

    def edit(self, subject: int, rng: random.Random) -> int:
        return subject + rng.choice((100, 0))

    def run(self, subject: int, rng: random.Random) -> str:
        match subject // 100:
            case 0:
                return RESULT
            case 1:
                raise ValueError("a clear message")
            case 2:
                raise KeyError("what?")
            case _:
                os.abort()


def test_a_campaign_keeps_what_ends_badly_and_goes_on(tmp_path: Path) -> None:
    """Deaths and unclear errors, one of a cause, at their smallest; and nothing is tried twice."""
    first = Campaign(tmp_path, quiet, [Harness()])
    wrong = first.run(60)
    assert wrong == first.counts["numbers: bad"] > 0
    kept = [p.read_text() for p in (tmp_path / "failures").iterdir()]
    (unclear,) = (text for text in kept if "KeyError" in text)
    assert len(unclear.partition("\n")[0].split()) == 4  # the kind, the seed, and two edits
    assert any("the process ended with -6" in text for text in kept)
    attempt = runner.parsed(unclear.partition("\n")[0], [Harness()])
    assert attempt.outcome().how == BAD and str(attempt) == unclear.partition("\n")[0]
    second = Campaign(tmp_path, quiet, [Harness()])
    second.run(20)
    assert second.tried == 80 and json.loads((tmp_path / "counts.json").read_text())["next"] == 80


def test_what_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Harness):
        def run(self, subject: int, rng: random.Random) -> str:
            while subject:
                pass
            return RESULT

    monkeypatch.setattr(runner, "LIMIT", 0.05)
    campaign = Campaign(tmp_path, quiet, [Endless()])
    wrong = campaign.run(6)
    assert 0 < wrong < 6 and campaign.tried == 6
    assert all("does not end" in p.read_text() for p in (tmp_path / "failures").iterdir())


def test_how_attempts_are_judged() -> None:
    def raising(error: BaseException) -> Outcome:
        def run() -> str:
            raise error

        return judged(run)

    own: Any = compile("def f():\n    raise KeyError('mine')", "<doctest f[0]>", "exec")
    scope: dict[str, Any] = {}
    exec(own, scope)
    assert judged(scope["f"]).how == ERROR  # a user's own function
    for error in (KeyError("a"), tf.errors.InternalError("a"), Wrong("a"), ValueError(""),
                  AttributeError("a"), ValueError("not enough values to unpack")):  # fmt: skip
        assert raising(error).how == BAD
    for good in (ValueError("clear"), TypeError("clear"), tf.errors.InvalidArgumentError("clear")):
        assert raising(good).how == ERROR
    assert Attempt(Harness(), 0, ()).outcome().how == RESULT


def test_new_subjects_leave_most_draws_as_they_are() -> None:
    """So that who adds a case to the catalogue does not draw another sample."""

    class Named(Harness):
        def __init__(self, names: list[str]) -> None:
            self.of = names

        def names(self) -> list[str]:
            return self.of

    few = [f"case {i}" for i in range(1000)]
    more = ["new", *few]
    draws = [(Named(few), Named(more), random.Random(i), random.Random(i)) for i in range(500)]
    same = sum(few[a.pick(x)] == more[b.pick(y)] for a, b, x, y in draws)
    assert 490 <= same
