"""The benchmarks run: every whole program at small sizes, beside NumPy where it is written for it
too. Their results agree; how long they take is never looked at."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import xml.dom.minidom
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import tfc as tf
from benchmarks import harness, libraries, report, workloads
from benchmarks.accuracy import every, truth
from benchmarks.costs import __main__ as costs
from benchmarks.costs import measuring, scaling
from benchmarks.harness import Contender, Result, Row
from tests.cases import Case

ROOT = Path(__file__).resolve().parents[1]
NAMES = sorted(name for name, program in workloads.known().items() if program.tested)


@cache
def run(name: str, mode: str) -> list[np.ndarray]:
    """What the first calls of a workload give."""
    library = libraries.Library(libraries.BY_NAME[mode], 1)
    program = workloads.known()[name](True)
    function = library.build(program)
    operands = library.arrays(program.data(np.random.default_rng(0)))
    found = [libraries.numpy_parts(function(*operands)) for _ in range(program.steps)]
    return [np.stack(parts) for parts in zip(*found, strict=True)]


@pytest.mark.parametrize("name", NAMES)
def test_compiled_and_numpy_agree(name: str) -> None:
    program = workloads.known()[name]
    compiled = run(name, "tfc")
    assert all(np.isfinite(part).all() for part in compiled)
    varied = any(part.size == 1 or np.ptp(part) > 0 for part in compiled)
    assert varied or name.startswith("mandelbrot")
    if getattr(program, "numpy", None):
        for ours, theirs in zip(compiled, run(name, "numpy"), strict=True):
            scale = float(np.abs(theirs).max())
            np.testing.assert_allclose(ours, theirs, program.rtol, program.rtol * scale)


@pytest.mark.parametrize("name", [n for n in NAMES if workloads.known()[n].steps > 1])
def test_training_changes_something(name: str) -> None:
    losses = run(name, "tfc")[0]
    assert len({part.tobytes() for part in losses}) == len(losses)


def test_floors_are_positive_and_smaller_when_quick() -> None:
    for program in workloads.known().values():
        full, quick = program().floor(), program(True).floor()
        assert max(full) > 0
        assert max(quick) > 0
        assert all(a >= b for a, b in zip(full, quick, strict=True))


def bench(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchmarks", "--quick", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)


def test_quick_rows_with_processes_of_their_own() -> None:
    done = bench("--profile", "layer norm of", "memory: Black", "first call: Black")
    assert done.returncode == 0, done.stdout + done.stderr
    for text in (
        "layer norm of 4096 x 1024",
        "copy",
        "announced: 0.008 MB",
        "first call",
        "kernel",
    ):
        assert text in done.stdout
    assert "FAILED" not in done.stdout


needs_keras = pytest.mark.skipif(
    importlib.util.find_spec("keras") is None, reason="Keras is not installed"
)


@needs_keras
def test_what_the_process_of_a_backend_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    from benchmarks.keras.worker import Session

    session = Session("tfc", 1)
    assert session.prepare_predict("mlp", 1) == 784 * 512 + 512 + 512 * 512 + 512 + 512 * 10 + 10
    assert session.predict(1) > 0 and session.predict_on_batch(1) > 0
    assert session.version() == tf.__version__


@needs_keras
@pytest.mark.skipif(not os.environ.get("TFC_TEST_ALL"), reason="compiles for ten seconds")
def test_keras_beside_its_other_backends() -> None:
    """Rows in one process and in fresh ones, on the backends that are installed here."""
    rows = ("memory: MLP", "batch 128", "predict, 1 row:")
    command = [sys.executable, "-m", "benchmarks.keras", "--quick", *rows]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    for text in (*rows, "bare step", "of limit"):
        assert text in done.stdout
    assert "FAILED" not in done.stdout


def test_pipelines_beside_each_other(tmp_path: Path) -> None:
    """tfc's pipelines and NumPy's loops have the same numbers of elements."""
    from benchmarks.data import cases
    from benchmarks.data.worker import Session

    data = cases.Data(str(tmp_path), True)
    data.write()
    mine, plain = Session("tfc", 1), Session("numpy", 1)
    assert mine.ways() == list(cases.TITLES) and set(plain.ways()) < set(cases.TITLES)
    for name in ("images", "filtered", "text", "examples", "decoded"):
        mine.prepare(name, str(tmp_path), True)
        sizes = [len(tf.nest.flatten(batch)[0]) for batch in mine.epoch()]
        if name in plain.ways():
            plain.prepare(name, str(tmp_path), True)
            batches = [b[0] if isinstance(b, tuple) else b for b in plain.epoch()]
            assert [len(b) for b in batches] == sizes
        assert mine.wall(1) > 0 and mine.processor(1) >= 0


def test_first_calls_of_steps() -> None:
    """A step's two sizes take time and give losses; a second model gives the same ones."""
    from benchmarks.cold import steps

    taken, loss, later, smaller = steps.calls("tfc", "mlp", (4, 3))
    assert taken > 0 and later > 0
    assert (loss, smaller) == tuple(steps.calls("tfc", "mlp", (4, 3))[1::2])
    for case in steps.CASES.values():
        assert [x.shape for x in case.batch(2)] == [(2, *row) for row in case.rows]


def test_a_wrong_name_and_a_wrong_interpreter() -> None:
    assert bench("no such row").returncode == 2
    refused = bench("--interpreter", "torch=/no/such/python", "layer")
    assert refused.returncode == 2
    assert "want a library's name" in refused.stderr


def test_names_and_parts_of_names() -> None:
    made = [Row(name, list) for name in ("sum", "sum of rows", "product of rows")]

    def select(*words: str) -> list[str]:
        return [row.name for row in harness.select(made, words)]

    assert select() == ["sum", "sum of rows", "product of rows"]
    assert select("sum") == ["sum"]
    assert select("sum o") == ["sum of rows"]
    assert select("sum", "rows") == ["sum", "sum of rows", "product of rows"]
    assert select("quotient") == []


def contender(name: str, seconds: float, value: object = 1.0, **rest: object) -> Contender:
    return Contender(name, lambda count: count * seconds, lambda: value, single=True, **rest)  # type: ignore[arg-type]


def test_results_that_differ_are_told() -> None:
    good, bad = np.ones(3, np.float32), np.array([1, 1, 2], np.float32)
    row = Row(
        "one", lambda: [contender("tfc", 1.0, (good, good)), contender("x", 1.0, (good, bad))]
    )
    found = harness.attempt(row, True)
    assert "x differs from tfc by up to 1.0" in found.error
    assert found.broken
    other = Row("two", lambda: [contender("tfc", 1.0, (good, good)), contender("x", 1.0, good)])
    assert "gives 2 results" in harness.attempt(other, True).error


def test_who_is_far_behind_rests_and_is_still_compared() -> None:
    seconds = {"tfc": 4.0, "torch": 1.0, "jax": 1.2, "numpy": 9.0}
    made = [contender(n, s) for n, s in seconds.items()] + [contender("copy", 8.0, limit=True)]
    found = {
        t.contender.name: t
        for t in harness.measure(Row("one", lambda: made, rounds=9, budget=1e9)).timings
    }
    rounds = {name: len(t.seconds) for name, t in found.items()}
    most, few = 9, harness.ALL_ROUNDS
    assert rounds == {"tfc": most, "torch": most, "jax": most, "numpy": few, "copy": most}
    assert found["numpy"].over(found["torch"]) == 9.0


def rows(table: str = "programs") -> list[Result]:
    limit = contender("copy", 0.5, limit=True)
    failing = Contender("x & y", lambda _: 0.0, failure="it is broken")
    made = {
        "ahead": [contender("tfc", 0.5), contender("numpy", 1.0), limit],
        "behind": [
            contender("tfc", 3.0),
            contender("numpy", 2.0),
            contender("torch", 1.0),
            failing,
        ],
        "wrong": [contender("tfc", 1.0), contender("numpy", 1.0, 2.0)],
    }
    found = [Row(n, lambda c=c: c, 6.0, "G/s", table=table) for n, c in made.items()]  # type: ignore[misc]
    return [harness.attempt(row, True) for row in found]


def test_the_summary_names_what_is_behind() -> None:
    text = "\n".join(report.summary(rows()))
    assert "ahead of the best peer in 1 of 2 rows" in text
    assert "behind, 3.00 of torch" in text
    assert "Far from" not in text
    assert text.endswith("Broken:\n    wrong")


def test_the_page_and_the_plot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "performance.md"
    places = [f"<!-- {end}: programs, 1 threads -->" for end in ("begin", "end")]
    page.write_text("\n".join(["before", places[0], "old", places[1], "after", ""]))
    monkeypatch.setattr(report, "DOCS", tmp_path)
    monkeypatch.setattr(report, "PAGE", page)
    report.write(rows(), ["a machine"], 1)
    report.write(rows(), ["a machine"], 1)  # in place of the first
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("-->\nafter\n")
    assert "old" not in text
    assert text.count("| behind | 3 s | 2 s | 1 s | failed | 3.00 |") == 1
    assert "| wrong | failed |" in text
    drawn = (tmp_path / "performance-programs-1.svg").read_text()
    xml.dom.minidom.parseString(drawn)
    assert drawn.count("<circle") == 4 + 5  # the legend, and the times of two rows
    assert "x &amp; y" in drawn
    with pytest.raises(ValueError, match="no place for a table"):
        report.write(rows(), [], 2)
    page.write_text("\n".join(place.replace("programs", "contractions") for place in places))
    report.write(rows("contractions"), [], 1)
    assert "| behind | 2 | 3 | 6 | failed | 3.00 |" in page.read_text()


def test_workers_say_why_they_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    from benchmarks import workers

    asked = workers.Worker(libraries.BY_NAME["tfc"])
    try:
        with pytest.raises(workers.WorkerError, match="KeyError: 'no such workload'"):
            asked.ask("prepare", "no such workload", True)
        assert asked.ask("version") == tf.__version__  # it goes on
        asked.process.kill()
        with pytest.raises(workers.WorkerError, match="ended"):
            asked.ask("version")
    finally:
        asked.close()


def test_cases_grow_and_stay_calls() -> None:
    """Axes of one extent grow together, and the numbers in them stay what they were."""
    case = Case(
        "gather",
        lambda x, i: tf.gather(x, i, axis=1, batch_dims=1),
        np.take,
        (np.arange(6.0).reshape(2, 3), np.array([[0, 2], [1, 1]])),
    )
    large = scaling.Scaled(case, 2, 4)
    assert [t.shape for t in large.tensors] == [(8, 3), (8, 8)]
    assert large.tensors[1].numpy().max() == 2
    np.testing.assert_array_equal(large()[:4], [[0, 0, 0, 0, 2, 2, 2, 2]] * 4)
    assert large.size == 8 * 3 * 8 + 2 * 8 * 8 * 8
    assert scaling.extents(case) == [2, 3]


def test_costs_say_what_is_above_its_floor() -> None:
    case = Case("negative", tf.negative, np.negative, (np.ones((2, 3)),))
    cost = measuring.measured(case)
    assert cost is not None and cost.scaled.size >= measuring.LARGE
    assert cost.operations == cost.scaled.tensors[0].numpy().size * 2
    far = replace(cost, seconds=cost.floor * 50)
    text = costs.page({"negative": far, "sort": far, "add": replace(cost, seconds=0.0)}, ["range"])
    rows = {row.split("`")[1]: row for row in text.splitlines() if row.startswith("| `")}
    assert list(rows) == ["negative", "sort", "add"]
    assert "in order" in rows["sort"] and "50.0" in rows["negative"]


def test_what_was_measured_elsewhere_stays_on_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "accuracy.md"
    other, old = (every.row(every.Record(n, 4096, 0.5, date="2026-01-01")) for n in ("log", "cos"))
    page.write_text(f"before\n{every.BEGIN}{every.HEAD}{other}\n{old}\n{every.END}after\n")
    monkeypatch.setattr(every, "PAGE", page)
    monkeypatch.setattr(every, "FOLDER", tmp_path)
    new = [every.Record(n, 4096, 0.25, date="2026-02-02") for n in ("cos", "exp")]
    for record in new:
        record.save()
    every.Record("sin", 12).save()  # which is not done
    every.write()
    lines = [every.row(new[1]), other, every.row(new[0])]
    table = every.HEAD + "".join(f"{line}\n" for line in lines)
    assert page.read_text() == f"before\n{every.BEGIN}{table}{every.END}after\n"


def test_mpmath_has_no_real_result_beside_a_domain() -> None:
    x = np.array([-0.5, 0.25], np.float32)
    for name in ("expint", "spence", "bessel_y0", "log"):
        nothing, something = truth.values(name, x)
        assert nothing is None and float(something) != 0
