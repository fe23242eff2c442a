"""Libraries that were written for TensorFlow, and their own tests, with tfc in its place:
`make test-libraries`.

They are installed from PyPI into an environment of their own, without TensorFlow. In
`tests/libraries/` `NAME.txt` says which of a library's tests fail, each with its reason: what fails
otherwise, and what is listed and passes, makes this fail. Where a library does not come with its
tests, checks of ours stand for them (`NAME_checks.py`).

    python -m tools.library_tests                   all libraries
    python -m tools.library_tests einops -k layers  one, and what pytest is told beside
    python -m tools.library_tests --write           and write the table of docs/reference
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LISTS = ROOT / "tests" / "libraries"
PAGE = ROOT / "docs" / "reference" / "interoperability.md"
FAILED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
PASSED = re.compile(r"(\d+) passed")
TABLE = re.compile(r"(<!-- libraries -->\n).*(<!-- end -->)", re.DOTALL)
ON_TENSORFLOW = "fails on TensorFlow, too"
BASE = (
    "numpy", "llvmlite", "ml_dtypes", "keras==3.15.*", "absl-py", "pytest", "pytest-xdist",
    "scipy",
)  # fmt: skip


class Library(NamedTuple):
    """One that is tried."""

    requirement: str
    tests: str  # where they are: folders below site-packages, or a file beside the lists
    needs: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return self.requirement.partition("=")[0]


# What TensorFlow would have brought, too.
PROBABILITY = (
    "cloudpickle", "decorator", "dm-tree", "gast", "opt_einsum", "six", "typing_extensions",
    "wrapt",
)  # fmt: skip
AGENTS = (
    "gin-config", "gym==0.23.0", "mock", "pillow", "protobuf", "pygame",
    "tensorflow-probability==0.25.0",
)  # fmt: skip
PROCESSES = (
    "check_shapes", "deprecated", "lark", "multipledispatch", "packaging", "tabulate",
    "tensorflow-probability==0.25.0",
)  # fmt: skip

GRAPHICS = "tensorflow_graphics/math tensorflow_graphics/geometry tensorflow_graphics/image"

LIBRARIES = (
    Library(
        "einops==0.8.2", "einops/tests", environment=(("EINOPS_TEST_BACKENDS", "numpy,tensorflow"),)
    ),
    Library("opt_einsum==3.4.0", "opt_einsum/tests"),
    Library("eagerpy==0.30.0", "eagerpy_checks.py", ("typing_extensions",)),
    Library("dm-sonnet==2.0.2", "sonnet", ("dm-tree", "wrapt", "tabulate")),
    Library("tensorflow-graphics==2021.12.3", GRAPHICS, ("six", "tqdm")),
    Library("tensorflow-probability==0.25.0", "tensorflow_probability_checks.py", PROBABILITY),
    Library("tf-agents==0.19.0", "tf_agents/utils", (*PROBABILITY, *AGENTS)),
    Library("gpflow==2.11.2", "gpflow_checks.py", (*PROBABILITY, *PROCESSES)),
)


def environment(folder: Path, wanted: tuple[Library, ...]) -> Path:
    """The interpreter of an environment that has the libraries."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    more = [name for library in wanted for name in library.needs]
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, *BASE, *more], check=True)
    subprocess.run([*pip, "--no-deps", *(lib.requirement for lib in wanted)], check=True)
    return python


def known(library: Library) -> dict[str, str]:
    """Tests that fail, and why: lines `test  # reason`, where a test that ends in `*` is all that
    begin so."""
    place = LISTS / f"{library.name}.txt"
    lines = place.read_text().splitlines() if place.exists() else []
    pairs = [line.split("  # ", 1) for line in lines if line and not line.startswith("#")]
    return {name.strip(): reason for name, reason in pairs}


def reason_for(test: str, reasons: dict[str, str]) -> str | None:
    """Why a test is known to fail."""
    if test in reasons:
        return reasons[test]
    starts = (s for s in reasons if s.endswith("*") and test.startswith(s[:-1]))
    return next((reasons[s] for s in starts), None)


def run(python: Path, library: Library, processes: int, options: list[str]) -> str:
    """What pytest prints."""
    packages = next((python.parents[1] / "lib").glob("python*/site-packages"))
    ours = library.tests.endswith(".py")
    command = [str(python), "-m", "pytest", "-p", "tests.libraries.plugin", "-q", "--tb=line"]
    command += [
        "--continue-on-collection-errors",
        "-p",
        "no:cacheprovider",
        "-rfE",
        "-n",
        str(processes),
        "-c",
        os.devnull,
    ]
    command += ["--rootdir", str(LISTS if ours else packages), *options]
    command += [str((LISTS if ours else packages) / place) for place in library.tests.split()]
    chosen = {**os.environ, "PYTHONPATH": str(ROOT), **dict(library.environment)}
    done = subprocess.run(
        command,
        cwd=LISTS if ours else packages,
        env=chosen,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1, 5) or not done.stdout:
        raise SystemExit(f"pytest ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr}")
    return done.stdout


def report(library: Library, text: str, whole: bool) -> tuple[str, bool]:
    """The row of the table, and whether all went as the list says."""
    failed = set(FAILED.findall(text))
    passed = sum(map(int, PASSED.findall(text.splitlines()[-1])))
    reasons = known(library)
    why = {test: reason_for(test, reasons) for test in failed}
    new = sorted(test for test, reason in why.items() if reason is None)
    mended = sorted(
        name for name in reasons
        if not any(t == name or (name[-1] == "*" and t.startswith(name[:-1])) for t in failed)
    )  # fmt: skip
    for name in new:
        print(f"{library.name}: fails: {name}")
    for name in mended if whole else ():
        print(f"{library.name}: passes, and is in its list: {name}")
    elsewhere = sum((reason or "").startswith(ON_TENSORFLOW) for reason in why.values())
    ours = len(failed) - elsewhere  # each process counts the files that it cannot collect
    share = passed / max(1, passed + ours)
    version = library.requirement.partition("==")[2]
    tests = "checks of ours" if library.tests.endswith(".py") else "its own"
    row = (
        f"| {library.name} {version} | {tests} | {passed} | {ours} | {elsewhere} | "
        f"{100 * share:.1f}% |"
    )
    print(row)
    return row, not new and not (whole and mended)


def written(page: str, rows: list[str], date: str) -> str:
    """The page with these rows in its table; libraries that were not tried keep theirs."""
    found = TABLE.search(page)
    assert found is not None, "the page has no table of libraries"
    before = [line for line in found[0].splitlines() if line.startswith("| ")]
    by_name = {row.split()[1]: row for row in (*before[2:], *rows)}
    columns = "tests | pass | fail | fail on TensorFlow 2.21, too | share"
    lines = [
        f"| library (last on {date}) | {columns} |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    lines += [by_name[lib.name] for lib in LIBRARIES if lib.name in by_name]
    return TABLE.sub(lambda m: m[1] + "\n".join(lines) + "\n" + m[2], page)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.library_tests")
    parser.add_argument("names", nargs="*", help="the libraries; none: all")
    parser.add_argument("-n", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    parser.add_argument("-k", help="run the tests that have this in their names")
    parser.add_argument("--environment", type=Path, default=ROOT / "build" / "libraries")
    parser.add_argument("--write", action="store_true", help="write the table of docs/reference")
    options = parser.parse_args()
    chosen = tuple(lib for lib in LIBRARIES if not options.names or lib.name in options.names)
    if not chosen:
        raise SystemExit(f"the libraries are {', '.join(lib.name for lib in LIBRARIES)}")
    python = environment(options.environment, chosen)
    rows, good = [], True
    for library in chosen:
        text = run(python, library, options.n, ["-k", options.k] if options.k else [])
        row, as_listed = report(library, text, not options.k)
        rows.append(row)
        good = good and as_listed
    if options.write:
        PAGE.write_text(written(PAGE.read_text(), rows, datetime.date.today().isoformat()))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
