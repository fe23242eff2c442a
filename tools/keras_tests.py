"""Keras' own tests on tfc: `make test-keras`.

They come with Keras. `tests/keras/own_tests.txt` says which files are run; `known_failures.txt`
beside it which of their tests fail, each with its reason. What fails otherwise, and what is known
to fail and passes, makes this fail. A reason `wants PACKAGE` holds where the package is not
installed; where it is, the test may do either.

    python -m tools.keras_tests                 all files
    python -m tools.keras_tests ops/core_test   those with this in their names
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LISTS = ROOT / "tests" / "keras"
# Variants of each test for every pair of dtypes.
LEFT_OUT = "not NumpyDtypeTest and not VariableOpsDTypeTest"
FAILED = re.compile(r"^(?:FAILED|ERROR) \S*keras/src/(\S+)", re.MULTILINE)
# Names of tests there hold addresses, so that several processes do not agree on them.
ALONE = {"wrappers/sklearn_test.py"}
WANTS = re.compile(r"wants (\w+)")


def sources() -> Path:
    """The folder keras/src, where its tests are too."""
    found = importlib.util.find_spec("keras")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("Keras is not installed: pip install 'tfc-lang[keras]'")
    return Path(found.submodule_search_locations[0]) / "src"


def files(words: list[str]) -> list[str]:
    """The files, below keras/src, that own_tests.txt names or that lie in its folders, and that
    have one of the words in their names."""
    listed = [line.strip() for line in (LISTS / "own_tests.txt").read_text().splitlines()]
    start, found = sources(), []
    for name in listed:
        if name and not name.startswith("#"):
            path = start / name
            inside = sorted(path.rglob("*_test.py")) if path.is_dir() else [path]
            found += [file.relative_to(start).as_posix() for file in inside]
    return [n for n in found if not words or any(word in n for word in words)]


def known() -> dict[str, str]:
    """Tests that fail, and why: lines `file::Class::test  # reason`."""
    lines = (LISTS / "known_failures.txt").read_text().splitlines()
    pairs = [line.split("  # ", 1) for line in lines if line and not line.startswith("#")]
    return {name.strip(): reason for name, reason in pairs}


def undecided(reason: str) -> bool:
    """Whether a test wants a package that happens to be here."""
    wants = WANTS.match(reason)
    return bool(wants) and importlib.util.find_spec(wants[1]) is not None


def run(names: list[str], processes: int) -> tuple[str, set[str]]:
    """pytest's last line, and the tests that failed."""
    start = sources()
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "pytest", "-p", "tests.keras.plugin"]
        command += ["-p", "no:cacheprovider", "-q", "--tb=line", "-rfE", "-k", LEFT_OUT]
        command += ["-n", str(processes), "--rootdir", str(start), "-c", os.devnull]
        command += [str(start / name) for name in names]
        environment = {**os.environ, "KERAS_HOME": home}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    if done.returncode not in (0, 1) or not done.stdout:
        raise SystemExit(f"pytest ended with {done.returncode}\n{done.stdout[-3000:]}{done.stderr}")
    return done.stdout.splitlines()[-1], set(FAILED.findall(done.stdout))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.keras_tests")
    parser.add_argument("words", nargs="*", help="run the files with one of these in their names")
    parser.add_argument("-n", type=int, default=len(os.sched_getaffinity(0)), help="processes")
    options = parser.parse_args()
    chosen = files(options.words)
    if not chosen:
        raise SystemExit(f"none of the files has {options.words} in its name")
    parts = [name for name in chosen if name not in ALONE], [n for n in chosen if n in ALONE]
    ran = [run(names, 0 if names[0] in ALONE else options.n) for names in parts if names]
    failed = set[str]().union(*(failures for _, failures in ran))
    reasons = {n: r for n, r in known().items() if n.startswith(tuple(chosen))}
    either = {n for n, r in reasons.items() if undecided(r)}
    either |= {n for n in reasons if n.split("::")[0] in failed}  # its file cannot be imported
    new, mended = sorted(failed - reasons.keys()), sorted(reasons.keys() - failed - either)
    for name in new:
        print(f"fails: {name}")
    for name in mended:
        print(f"passes, and is in known_failures.txt: {name}")
    for summary, _ in ran:
        print(summary)
    print(f"{len(failed & reasons.keys())} of the failures are in known_failures.txt, with reasons")
    return 1 if new or mended else 0


if __name__ == "__main__":
    sys.exit(main())
