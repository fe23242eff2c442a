"""Random programs (fuzz_programs.py): every way of running one must give the same bits.

What is compared, element by element and byte by byte; only of nans no more than that they are nans
(sign and payload of a nan belong to the machine), and of results also dtype and shape:

    eager       the program, op by op through the public API: what all others are compared with
    function    under tf.function: traced for the sizes of the second run; then called with the
                first run's, so that it is traced again with symbols ("relaxed"). Both against
                eager runs of these sizes. Variables and generators have the same values after it
    passes      the traced function with all passes of OPTIMISE, with each one left out, with none
                (but for `inline`, which is no choice: calls cannot be lowered)
    text        what these run is parsed from the printed function; kernels round-trip as well
    stored      with every value stored, which leaves nothing to fuse
    gradients   of all float results by all float inputs and Variables: the tape eagerly, the tape
                inside a function, a function under a tape outside, and a tape inside a function
                with symbols. These also add cotangents up in one order, so bits are equal. The
                traced gradient then goes through passes, text and stored as well

    python -m tests.fuzz 10000 [--seed N]     batches of programs in processes of their own
    python -m tests.fuzz --run FILE           one program, from the source that was reported

A batch that dies (a crash of the process, or no end in time) is reported with its program, which
is written to a file before it runs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("TFC_VERIFY", "1")

import hypothesis
import numpy as np
from hypothesis import strategies as st

import tfc as tf
from tests import native
from tests.fuzz_programs import Maker, Program, execute
from tfc.backends.cpu import program as backend
from tfc.ir import passes, text
from tfc.ir.core import Function, structure

BATCH = 100  # programs that one process runs
BATCH_SECONDS = 1500.0
ALL_CHECKS = ("function", "passes", "stored", "gradients")


class Difference(AssertionError):
    """Two ways of running a program do not agree."""


@st.composite
def programs(draw: st.DrawFn, most: int = 12) -> Program:
    """Programs of up to `most` steps."""
    return Maker(lambda n: draw(st.integers(0, n - 1))).make(draw(st.integers(1, most)))


class Case:
    """A program ready to run: what its source defines."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self.program: Callable[..., tuple[Any, ...]] = scope["program"]
        self.inputs: tuple[Any, ...] = scope["inputs"]
        self.others: tuple[Any, ...] = scope["others"]
        self.state: tuple[Any, ...] = scope["state"]
        self.start = [v.numpy() for v in self.state]

    def run(self, function: Callable[..., Any], inputs: Sequence[Any]) -> list[Any]:
        """What `function` returns from the initial state, and the state after it."""
        for v, value in zip(self.state, self.start, strict=True):
            v.assign(value)
        results = [None if r is None else np.asarray(r) for r in function(*inputs)]
        return [*results, *(np.asarray(v) for v in self.state)]

    @property
    def relaxes(self) -> bool:
        """Whether the second run has other sizes."""
        shapes = [[tuple(x.shape) for x in xs] for xs in (self.inputs, self.others)]
        return shapes[0] != shapes[1]

    # Gradients.

    def sources(self, inputs: Sequence[Any]) -> list[Any]:
        return [x for x in (*inputs, *self.state) if x.dtype.is_floating]

    def taped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The gradients of what `function` returns, by a tape around it."""

        def gradients(*inputs: Any) -> Any:
            sources = self.sources(inputs)
            with tf.GradientTape() as tape:
                tape.watch(sources)
                results = function(*inputs)
            targets = [y for y in results if y.dtype.is_floating]
            return tuple(tape.gradient(targets, sources))

        return gradients


def same(got: Sequence[Any], wanted: Sequence[Any], what: str) -> None:
    """Raise Difference unless these are equal bits."""
    if len(got) != len(wanted):
        raise Difference(f"{what}: {len(got)} results instead of {len(wanted)}")
    for i, (x, y) in enumerate(zip(got, wanted, strict=True)):
        if x is None and y is None:
            continue
        if x is None or y is None or x.dtype != y.dtype or x.shape != y.shape:
            shown = [None if a is None else f"{a.dtype}{list(a.shape)}" for a in (x, y)]
            raise Difference(f"{what}: result {i} is {shown[0]} instead of {shown[1]}")
        if native.bits(x) != native.bits(y):
            raise Difference(f"{what}: result {i} is\n{x!r}\ninstead of\n{y!r}")


def check(case: Case, checks: Sequence[str] = ALL_CHECKS) -> None:
    """Run a program in the ways that `checks` names; raise Difference where the bits differ."""
    wanted = case.run(case.program, case.inputs)
    same(case.run(case.program, case.inputs), wanted, "eager, a second time")
    if "function" in checks:
        function(case, case.program, wanted, "function")
    if "passes" in checks or "stored" in checks:
        variants(case, case.program, wanted, checks, "")
    if "gradients" in checks and case.sources(case.inputs):
        inside = case.taped(case.program)
        slopes = case.run(inside, case.inputs)
        function(case, inside, slopes, "gradient inside a function")
        outside = case.taped(tf.function(case.program))
        same(case.run(outside, case.inputs), slopes, "gradient of a function")
        if "passes" in checks or "stored" in checks:
            variants(case, inside, slopes, checks, "gradient, ")


def function(case: Case, python: Callable[..., Any], wanted: list[Any], what: str) -> None:
    """Under tf.function: at the second run's sizes, then with symbols for what changed."""
    compiled = tf.function(python)
    if case.relaxes:
        same(case.run(compiled, case.others), case.run(python, case.others), f"{what}, other sizes")
    same(case.run(compiled, case.inputs), wanted, what)
    same(case.run(compiled, case.inputs), wanted, f"{what}, a second time")


def variants(
    case: Case, python: Callable[..., Any], wanted: list[Any], checks: Sequence[str], what: str
) -> None:
    """The traced function, by subsets of passes and with everything stored."""
    concrete = tf.function(python).get_concrete_function(*case.inputs)
    values = dict(zip(map(id, case.state), case.start, strict=True))
    captured = [values.get(id(c), np.asarray(c)) for c in concrete.captured]
    arrays = [np.asarray(x) for x in case.inputs] + captured
    after = dict(zip(map(id, case.state), wanted[len(wanted) - len(case.state) :], strict=True))
    results = [w for w in wanted[: len(wanted) - len(case.state)] if w is not None]
    results += [after[id(v)] for v in concrete.updated]
    f = text.parse(str(concrete.function))
    if structure(f) != structure(concrete.function):
        raise Difference(f"{what}text: parsed is another function\n{concrete.function}\n{f}")
    known: list[tuple[Any, list[Any]]] = []
    for name, g, pipeline in pipelines(f, checks):
        made = native.lowered(g, pipeline)
        key = structure(made)
        if any(key == k for k, _ in known):
            continue
        printed = str(made)
        if structure(text.parse(printed)) != key:
            raise Difference(f"{what}{name}: parsed kernels are others\n{printed}")
        run = backend.compile_program(made, backend.Signature(tuple_result=True)).bind(_failed)
        outcome = [np.array(r._array) for r in run(*map(native.tensor, arrays))]
        known.append((key, outcome))
        same(outcome[: len(results)], results, f"{what}{name}")


def pipelines(
    f: Function, checks: Sequence[str]
) -> Iterator[tuple[str, Function, tuple[passes.Pass, ...]]]:
    """Names of ways to compile `f`: the function to start from, and the passes."""
    assert passes.OPTIMISE[0] is passes.inline
    if "passes" in checks:
        yield "all passes", f, passes.OPTIMISE
        for left_out in passes.OPTIMISE[1:]:
            subset = tuple(p for p in passes.OPTIMISE if p is not left_out)
            yield f"without {left_out.__name__}", f, subset
        yield "no passes", f, (passes.inline,)
    if "stored" in checks:
        g = passes.inline(f)
        everything = tuple(v for op in g.body for v in op.results)
        yield "everything stored", Function(g.name, g.params, g.body, (*g.returns, *everything)), ()


def _failed(*details: Any) -> None:
    raise Difference(f"a check failed in native code: {details}")


# Running many.


def attempt(program: Program, checks: Sequence[str], current: Path | None = None) -> None:
    """Check one program; an error carries its source."""
    source = program.source()
    if current is not None:
        current.write_text(source)
    try:
        check(Case(execute(source)), checks)
    except Exception as error:
        error.add_note(source)
        raise


def batch(seed: int, count: int, steps: int, current: Path) -> None:
    """Check `count` programs in this process."""

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=count,
        deadline=None,
        database=None,
        print_blob=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        report_multiple_bugs=False,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
    )
    @hypothesis.given(programs(steps))
    def run(program: Program) -> None:
        attempt(program, ALL_CHECKS, current)

    run()


def nightly(count: int, seed: int, steps: int) -> int:
    """Batches in processes; the number of those that failed."""
    failed = 0
    start = time.monotonic()
    for i, first in enumerate(range(0, count, BATCH)):
        size = min(BATCH, count - first)
        with tempfile.TemporaryDirectory() as folder:
            current = Path(folder, "current.py")
            command = [
                sys.executable,
                "-m",
                "tests.fuzz",
                str(size),
                "--seed",
                str(seed + i),
                "--steps",
                str(steps),
                "--batch",
                str(current),
            ]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=BATCH_SECONDS
                )
                code, output = done.returncode, done.stdout + done.stderr
            except subprocess.TimeoutExpired:
                code, output = None, ""
            if code != 0:
                failed += 1
                if code is None or code < 0:
                    ended = "no end" if code is None else f"ended by signal {-code}"
                    program = current.read_text() if current.exists() else "(none yet)"
                    output = f"{output}\n{ended}, in this program:\n\n{program}"
                print(f"== batch {i}, seed {seed + i}\n{output}", flush=True)
        spent = time.monotonic() - start
        print(f"{first + size} programs, {failed} batches failed, {spent:.0f} s", flush=True)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--steps", type=int, default=12, help="the most that a program has")
    parser.add_argument("--run", type=Path, help="check the program in this file")
    parser.add_argument("--batch", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        check(Case(execute(options.run.read_text())))
        print("the same bits in every way")
        return 0
    if options.batch:
        batch(options.seed, options.count, options.steps, options.batch)
        return 0
    print(f"seed {options.seed}")
    return 1 if nightly(options.count, options.seed, options.steps) else 0


if __name__ == "__main__":
    sys.exit(main())
