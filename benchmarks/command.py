"""The command of a benchmark whose contenders have processes of their own: its options, and what it
does from choosing rows to writing its page."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from . import harness, peers, report, workers
from .harness import Row
from .workers import Worker


def options_of(prog: str, about: str | None, library: str) -> argparse.ArgumentParser:
    """The options that all have; `library` is what an interpreter is named for."""
    parser = argparse.ArgumentParser(
        prog=prog, description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="parts of the names of rows")
    parser.add_argument("--list", action="store_true", help="only print the names of all rows")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--interpreter", action="append", default=[], metavar=f"{library.upper()}=PYTHON"
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser


def parsed(parser: argparse.ArgumentParser, known: Collection[str]) -> argparse.Namespace:
    """What the options say; interpreters and threads are as they say from now on."""
    options = parser.parse_args()
    peers.limit_threads(options.threads)
    for setting in options.interpreter:
        library, _, python = setting.partition("=")
        if library not in known or not os.access(python, os.X_OK):
            parser.error(f"--interpreter {setting}: want one of {sorted(known)} = a Python to run")
        workers.INTERPRETERS[library] = python
    return options


def measured(
    options: argparse.Namespace,
    rows: Sequence[Row],
    prepare: Callable[[], Sequence[str]],
    processes: Callable[[], Iterable[Worker]],
    page: Path,
) -> int:
    """Measure the rows that are chosen.

    Args:
        options: What the command was given.
        rows: All rows.
        prepare: Makes ready what all rows need, and gives what the table says of how it came to be.
        processes: Those to be closed at the end.
        page: Where the table stands.

    Returns:
        The exit status.
    """
    chosen = harness.select(rows, options.names)
    if options.list or not chosen:
        print("\n".join(row.name for row in chosen) or "no row has such a name; see --list")
        return 0 if chosen else 2
    try:
        about = list(prepare())
        print("\n".join(about))
        print("Ratios are times over the best peer's: below 1, tfc is faster.\n")
        results = harness.run(chosen, options.quick)
    finally:
        for process in processes():
            process.close()
    print("\n" + "\n".join(report.summary(results)))
    if options.write:
        report.write(results, about, options.threads, page)
    return 1 if any(result.broken for result in results) else 0
