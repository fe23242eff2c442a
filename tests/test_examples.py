"""The examples run as scripts, and print what they are there to show."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted(path.stem for path in (ROOT / "examples").glob("*.py"))

# Half of what most examples cost is what they import. So one process imports that once, and each
# example is a fork of it, which ends as any script does.
PARENT = """
import importlib, json, os, runpy, signal, sys

for line in sys.stdin:
    imports, arguments, printed, said = json.loads(line)
    for name in imports:
        importlib.import_module(name)
    child = os.fork()
    if child == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()

for descriptor, path in ((1, printed), (2, said)):
    os.dup2(os.open(path, os.O_WRONLY), descriptor)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
signal.alarm(300)
sys.argv, sys.path[0] = arguments, os.path.dirname(arguments[0])
runpy.run_path(arguments[0], run_name="__main__")
"""


def environment() -> dict[str, str]:
    """As users have it: eager ops begin with baseline code, and nothing is verified."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "TFC_VERIFY": "0"}


@functools.cache
def parent() -> Any:
    """The process whose forks run examples."""
    return subprocess.Popen(
        [sys.executable, "-c", PARENT],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module", autouse=True)
def _parent_ends() -> Iterator[None]:
    yield
    if parent.cache_info().currsize:
        parent().communicate()  # its input ends
        parent.cache_clear()


def run(name: str, *arguments: str, imports: tuple[str, ...] = ()) -> str:
    """What the example prints; it must end well and say nothing on stderr."""
    with tempfile.TemporaryDirectory() as folder:
        printed, said = Path(folder, "printed"), Path(folder, "said")
        for path in (printed, said):
            path.touch()
        script = str(ROOT / "examples" / f"{name}.py")
        asked = [["tfc", *imports], [script, *arguments], str(printed), str(said)]
        process = parent()
        process.stdin.write(json.dumps(asked) + "\n")
        process.stdin.flush()
        status = process.stdout.readline().strip()
        assert status == "0", f"{status}\n{printed.read_text()}\n{said.read_text()}"
        assert said.read_text() == ""
        return printed.read_text()


def run_script(script: Path, *arguments: str) -> str:
    """The same of any script, in a process of its own."""
    result = subprocess.run(
        [sys.executable, str(script), *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    assert result.stderr == ""
    return result.stdout


def number(pattern: str, text: str) -> float:
    """The number that the group in `pattern` matches."""
    match = re.search(pattern, text)
    assert match, f"{pattern!r} not found in:\n{text}"
    return float(match[1])


def test_every_example_is_tested() -> None:
    tested = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert set(EXAMPLES) <= tested


def test_linear_regression() -> None:
    lines = run("linear_regression").splitlines()
    patterns = [r"Initial loss: \d+\.\d{3}"]
    patterns += [rf"Loss at step {i:03d}: \d+\.\d{{3}}" for i in range(0, 200, 20)]
    patterns += [r"Final loss: \d+\.\d{3}", r"W = \d+\.\d+, B = \d+\.\d+"]
    assert len(lines) == len(patterns)
    for line, pattern in zip(lines, patterns, strict=True):
        assert re.fullmatch(pattern, line), line
    losses = [number(r": (.*)", line) for line in lines[:-1]]
    assert losses == sorted(losses, reverse=True)
    assert 55 < losses[0] < 85
    assert 0.8 < losses[-1] < 1.2
    assert number(r"W = (.*),", lines[-1]) == pytest.approx(3, abs=0.25)
    assert number(r"B = (.*)", lines[-1]) == pytest.approx(2, abs=0.35)


def test_line_search() -> None:
    text = run("line_search")
    values = [float(v) for v in re.findall(r"value (\S+)", text)]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(49 + 576 + 812.25)
    assert values[1] == pytest.approx(194.207031)
    assert values[-1] < 1e-6


def test_custom_gradient() -> None:
    text = run("custom_gradient")
    assert re.findall(r"(\w+) +at x = (\w+): (\S+)", text) == [
        ("automatic", "0", "0.5"),
        ("automatic", "100", "nan"),
        ("custom", "0", "0.5"),
        ("custom", "100", "1"),
        ("compiled", "0", "0.5"),
        ("compiled", "100", "1"),
    ]


def test_power() -> None:
    text = run("power", "--number", "20")
    assert number(r"Eager execution: (\S+)", text) > 0
    assert number(r"Graph execution: (\S+)", text) > 0
    assert "Equal results: True" in text


def test_collatz() -> None:
    assert run("collatz").splitlines() == [
        "6: 6 3 10 5 16 8 4 2 1",
        "   8 steps, highest 16",
        "27: 27 82 41 124 62 31 ... 16 8 4 2 1",
        "   111 steps, highest 9232",
    ]


def test_fizzbuzz() -> None:
    words = "1 2 Fizz 4 Buzz Fizz 7 8 Fizz Buzz 11 Fizz 13 14 FizzBuzz"
    assert run("fizzbuzz").replace("\n", " ").strip() == f"{words} replaced: 7"


def test_retracing() -> None:
    text = run("retracing")
    assert "why: x was f32[32,4] and is f32[22,4]" in text
    assert "now: every size runs this trace (n0)" in text
    assert "why: rate was the tensor f32 and is the value 0.05" in text
    assert "9 traces, 1 warning:" in text and "reduce_sum" in text
    losses = [float(x) for x in re.findall(r"^loss (\S+)", text, flags=re.M)]
    assert len(losses) == 3 and losses == sorted(losses, reverse=True)


def test_newton() -> None:
    text = run("newton")
    assert "cube root of 1e+06: 100 in 27 rounds" in text
    pairs = re.findall(r"(\S+), by calculus (\S+)", text)
    assert len(pairs) == 6
    for found, exact in pairs:
        assert float(found) == pytest.approx(float(exact), rel=1e-8)


def test_mandelbrot() -> None:
    *rows, summary = run("mandelbrot").splitlines()
    assert len(rows) == 24 and rows == rows[::-1]  # the set is its own mirror image
    assert summary == "318 of 1536 points have not left after 100 rounds"
    assert run("mandelbrot", "8", "3").splitlines()[:3] == ["  ......", " @@@@@-.", "  ......"]


def test_recurrent() -> None:
    text = run("recurrent")
    assert re.findall(r"of up to (\d) numbers", text) == ["3", "5", "7", "3", "5"]
    error, guess = number(r"error (\S+),", text), number(r"zero gives (\S+)", text)
    assert error < 0.5 * guess


def test_inspect_ir() -> None:
    text = run("inspect_ir", "traced", "optimised", "kernels", "llvm", "asm")
    stages = dict(zip(*[iter(re.split(r"^==== (.*)\n", text, flags=re.M)[1:])] * 2, strict=True))
    assert list(stages)[:5] == ["traced", "optimised", "kernels", "llvm", "asm"]
    traced, optimised = stages["traced"], stages["optimised"]
    assert (traced.count("= matmul "), traced.count("= exp ")) == (2, 1)
    assert (optimised.count("= matmul "), optimised.count("= exp ")) == (1, 0)
    assert "inspect_ir.py:" in traced  # each op knows the user's line
    assert "define" in stages["llvm"]
    assert stages["asm"].strip()
    assert "same bits as the function: True" in text


def test_inspect_ir_refuses_unknown_stages() -> None:
    with pytest.raises(AssertionError, match="no stage 'nonsense'"):
        run("inspect_ir", "nonsense")


def test_digits() -> None:
    pytest.importorskip("sklearn")
    text = run("digits", imports=("sklearn.datasets",))
    assert "1437 digits to learn from, 360 to be tested on" in text
    assert "23 batches of 64, the last of 29" in text
    epochs = re.findall(r"epoch +(\d+): loss (\S+),", text)
    assert [int(epoch) for epoch, _ in epochs] == list(range(1, 41))
    assert float(epochs[-1][1]) < 0.1 < float(epochs[0][1])
    assert number(r"\ntest accuracy: (\S+)%", text) >= 97
    assert re.search(r"== the training step after optimisation: \d+ lines\nfunc @train_step", text)
    assert "(--full shows all)" in text
    page = Path(text.splitlines()[-1])
    assert page.read_text().startswith("<!DOCTYPE html>")
    page.unlink()
    assert number(r"trace: +(\S+) ms", text) > 0
    assert number(r"compile: +(\S+) ms", text) >= 0
    assert number(r" step: +(\S+) ms \(mean of the fastest", text) > 0


def test_readme(tmp_path: Path) -> None:
    """The README's tour is one program, and prints what its comments say."""
    text = (ROOT / "README.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.S)
    assert len(blocks) >= 4
    script = tmp_path / "tour.py"
    script.write_text("\n".join(blocks))
    printed = run_script(script)
    for block in blocks[:5]:
        expected = re.findall(r"^# (.*)$", block, flags=re.M)
        assert "\n".join(expected) in printed
    for op in ("matmul", "func @step"):
        assert op in printed


def test_where_nan() -> None:
    text = run("where_nan")
    assert "its gradient [" in text and "nan" in text.splitlines()[1]
    assert re.search(r"gave nan .* backward", text) or "gave infinity (inf)" in text
    assert "squares))  " not in text and re.search(r"where_nan\.py:\d+\)", text)
    assert re.search(r"> %\w+ = sqrt ", text)
    assert "cast gives int32" in text.splitlines()[-1]


def test_saved_function() -> None:
    lines = run("saved_function").splitlines()
    assert lines[0].split()[1] == lines[3].split()[1]  # the same bits
    assert "functions/0.ir, saved_model.json, variables.npz" in lines[1]
    assert lines[2].startswith("func @__call__(")
    assert number(r"loss (\S+)", lines[4]) < 0.02
    assert "after 202 calls" in lines[4]


def keras_example(name: str, *arguments: str) -> str:
    if importlib.util.find_spec("keras") is None:
        pytest.skip("Keras is not installed")
    return run(name, *arguments, imports=("tfc.keras",))


def test_pipeline() -> None:
    text = run("pipeline", "--epochs", "6", imports=("sklearn.datasets",))
    assert "map noisy                         1437 elements, indexed, one program" in text
    assert number(r"test accuracy: ([\d.]+)%", text) > 88
    assert "the same bits: True" in text


def test_keras_digits() -> None:
    pytest.importorskip("sklearn")
    text = keras_example("keras_digits", "--epochs", "2")
    losses = [float(x) for x in re.findall(r"^losses (\S+) (\S+)$", text, flags=re.M)[0]]
    assert losses[1] < 0.8 * losses[0]
    assert number(r"convolutional: .* test accuracy (\S+)%", text) > 60
    losses = [float(x) for x in re.findall(r"^epoch \d: loss (\S+),", text, flags=re.M)]
    assert len(losses) == 2 and losses[1] < losses[0]
    assert number(r"recurrent: test accuracy (\S+)%", text) > 20


def test_keras_text() -> None:
    text = keras_example("keras_text", "--epochs", "3")
    assert number(r"epoch 3: .* accuracy (\S+)%", text) > 95
    assert number(r"'the music was great' is good with (\S+)", text) > 0.9
    assert number(r"'the music was not great' is good with (\S+)", text) < 0.1
    assert number(r"'a not dull story' is good with (\S+)", text) > 0.9


def test_keras_gan() -> None:
    text = keras_example("keras_gan", "--epochs", "20")
    assert number(r"untrained: radius (\S+)", text) < 0.8
    assert re.findall(r"^epoch (\d+):", text, flags=re.M) == ["5", "10", "15", "20"]
    assert 1.2 < number(r"epoch 20: .* radius (\S+)", text) < 2.8


def test_keras_transfer() -> None:
    pytest.importorskip("sklearn")
    text = keras_example("keras_transfer")
    assert "trained weights: 2 of 6" in text and "as they were: True" in text
    assert number(r"a new head: accuracy (\S+)%", text) > 75
    assert number(r"all tuned: +accuracy (\S+)%", text) > 75
    assert number(r"alone: +accuracy (\S+)%", text) > 60


def test_data_parallel(tmp_path: Path) -> None:
    folder = "--folder", str(tmp_path)
    printed = run("data_parallel", "--epochs", "2", "--shards", "2", *folder)
    assert re.search(r"^epoch 2: loss \d\.\d{4}, accuracy \d\.\d{3}$", printed, re.M)
    assert re.search(r"^1 processes, 2 parts a batch\nweights: [0-9a-f]{16}$", printed, re.M)
    assert (tmp_path / "checkpoint").exists()
