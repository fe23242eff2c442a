"""What is left out because it repeats: how it is found, and that it is there to be left out."""

from __future__ import annotations

from pathlib import Path

from tests.sampling import cases_in
from tools.repeats import FILE, Done, parts, repeated, updated, written

ROOT = Path(__file__).resolve().parents[1]


def done(seconds: float, *features: str) -> Done:
    return Done(seconds, frozenset(features))


def test_the_dearest_case_goes_of_those_that_do_the_same() -> None:
    cases = {"t[f32-1]": done(3, "a"), "t[f32-2]": done(1, "a"), "t[f64-1]": done(2, "a", "b")}
    cases["t[f64-2]"] = done(0.5, "a")
    assert repeated(cases) == ["t[f32-1]", "t[f64-2]"]
    assert repeated(cases, ["t[f32-2]"]) == ["t[f32-2]"]  # as the file has it
    cases["t[f32-1]"] = done(3, "a", "c")  # alone with c
    assert repeated(cases) == ["t[f32-2]"]


def test_each_value_of_a_parameter_stays() -> None:
    """Also where it takes no branch of its own."""
    cases = {f"t[{name}]": done(1, "a") for name in ("f32-1", "f32-2", "f64-1")}
    left = set(cases) - set(repeated(cases))
    assert set().union(*map(parts, left)) == {("t", value) for value in ("f32", "f64", "1", "2")}
    assert parts("t[abs-2..exp-1]") == {("t", value) for value in ("abs", "2", "exp", "1")}


def test_a_case_that_lost_its_twin_stays() -> None:
    cases = {name: done(1, "x", "y") for name in ("t[a]", "t[a-a]", "t[a-a-a]")}
    assert len(repeated(cases)) == 2
    cases["t[a-a]"] = cases["t[a]"] = done(1, "x")
    assert set(repeated(cases)) == {"t[a]", "t[a-a]"}  # the last one alone has y


def test_what_others_do_counts_where_it_is_asked_for() -> None:
    """If two tests that stay do it; of each function a third stays, and each of several values."""
    sweep = {f"t[{i}]": done(i, "a") for i in range(6)}
    assert repeated(sweep, beside=[]) == ["t[5]", "t[4]", "t[3]", "t[2]"]
    sweep["t[5]"] = done(5, "a", "b")
    assert repeated(sweep, beside=[done(1, "b")]) == ["t[4]", "t[3]", "t[2]", "t[1]"]
    assert repeated(sweep, beside=[done(1, "b")] * 2)[0] == "t[5]"
    assert repeated({"t[0]": done(1, "a")}, beside=[done(1, "a")] * 2) == []  # t's only case
    pairs = {f"t[{name}]": done(1, "a") for name in ("f32-1", "f32-2", "f64-1", "f64-2")}
    left = set(pairs) - set(repeated(pairs, beside=[done(1, "a")] * 2))
    assert {value for name in left for _, value in parts(name)} == {"f32", "f64", "1", "2"}


def test_what_a_run_does_not_tell_stays() -> None:
    """Cases that are skipped, or left out by `-k`, do nothing, and would seem to repeat."""
    listed = {"a::t": ["1", "2", "3"], "b::t": ["1"]}
    ran, found = ["a::t[1]", "a::t[4]"], ["a::t[4]"]
    unknown = ["a::t[2]", "a::t[5]"]
    after = updated(listed, ran, found, unknown)
    assert {t: sorted(names) for t, names in after.items()} == {"a::t": ["2", "4"], "b::t": ["1"]}


def test_the_file_names_tests_that_exist() -> None:
    listed = cases_in(FILE.read_text())
    assert written(listed) == FILE.read_text()
    for test in listed:
        file, _, function = test.partition("::")
        assert f"\ndef {function}(" in (ROOT / file).read_text(), test
