"""Compares tfc with TensorFlow: `make compare-tensorflow`.

    python -m tests.differential --tensorflow PYTHON          run all, print what differs
    python -m tests.differential --tensorflow PYTHON --write  and write what both give (`agreed/`)
    python -m tests.differential --tensorflow PYTHON --wide   all functions' cases, and those of
                                                              ragged and sparse tensors (minutes)

PYTHON is an interpreter that has TensorFlow. Fails where something differs that is not intended,
where an intended difference is gone, and where TensorFlow does not give what is committed.
"""

from __future__ import annotations

import argparse
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import tfc as tf

from . import composites, intended, records, wide
from .compare import difference
from .worker import Results, results

ROOT = Path(__file__).parents[2]


def of_tensorflow(python: str, more: list[str]) -> tuple[str, dict[str, Results]]:
    """TensorFlow's version, and what it gives."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results"
        quiet = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
        command = [python, "-m", "tests.differential.worker", str(file), *more]
        subprocess.run(command, check=True, cwd=ROOT, env=quiet)
        given = pickle.loads(file.read_bytes())  # our own, of a moment ago
    return given["version"], given["results"]


def compared(
    ours: Results, theirs: Results, entries: list[intended.Intended], used: set[str]
) -> list[str]:
    """What differs of the cases unexpectedly. What TensorFlow refuses is none: many are ours."""
    wrong = []
    for key, outcome in ours.items():
        given = theirs[key]
        if isinstance(given, str) and not isinstance(outcome, str):
            continue
        if found := difference(outcome, given, scaled=True):
            entry = next((e for e in entries if e.covers(*key)), None)
            if entry:
                used.add(entry.title)
            else:
                wrong.append(f"{key[0]} ({key[1]}): {found}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential")
    parser.add_argument("--tensorflow", required=True, help="an interpreter that has TensorFlow")
    parser.add_argument("--write", action="store_true", help="write the committed results")
    parser.add_argument("--wide", action="store_true", help="and the cases of all functions")
    options = parser.parse_args()
    version, theirs = of_tensorflow(options.tensorflow, ["wide"] * options.wide)
    entries = intended.load()
    used: set[str] = set()
    wrong: list[str] = []
    count = 0
    for group, mine in results(tf).items():
        agreed = {} if options.write else records.load(group)
        table: dict[Any, Any] = {}
        for key, outcome in mine.items():
            count += 1
            ours, given = records.written(outcome), records.written(theirs[group][key])
            found = difference(records.read(ours), records.read(given))
            entry = next((e for e in entries if found and e.covers(*key)), None)
            table[key] = given, ours if entry else None
            if entry:
                used.add(entry.title)
            elif found:
                wrong.append(f"{key[0]} ({key[1]}): {found}")
            if not options.write:
                was = agreed.get(key, ("nothing", None))[0]
                if moved := difference(records.read(given), records.read(was)):
                    wrong.append(f"TensorFlow {version}: {key[0]} ({key[1]}): {moved} committed")
        if options.write:
            records.save(group, table)
    if options.wide:
        mine = wide.results(tf) | composites.results(tf)
        of_cases = compared(mine, theirs["wide"], entries, used)
        count += len(theirs["wide"])
        wrong += of_cases
    else:
        used |= {e.title for e in entries if e.is_wide}
    wrong += [f"intended, but gone: {e.title}" for e in entries if e.title not in used]
    print("\n".join(w[:200] for w in wrong))
    print(f"{count} evaluations beside TensorFlow {version}: {len(wrong)} differ unexpectedly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
