"""Runs the rows; see the package."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import importlib
import io
import sys
from pathlib import Path

from tfc.core import placement

from .. import harness
from . import __doc__ as about
from .contenders import device

SECTIONS = ("bandwidth", "arithmetic", "networks", "calls")


class Tee(io.StringIO):
    """Keeps what is printed, and prints it."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        return super().write(text)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=about)
    parser.add_argument("names", nargs="*", help="parts of the names of rows")
    parser.add_argument("--list", action="store_true", help="only print the names of all rows")
    parser.add_argument("--tiny", action="store_true", help="tiny sizes, once: do all rows run")
    parser.add_argument("--write", type=Path, help="a file for the table")
    options = parser.parse_args()
    for section in SECTIONS:
        importlib.import_module(f".{section}", __package__)
    if options.list:
        print("\n".join(r.name for r in harness.ROWS))
        return 0
    if device() is None:
        print(f"no GPU: {placement.no_gpu()}", file=sys.stderr)
        return 2
    chosen = [
        r for r in harness.ROWS if not options.names or any(w in r.name for w in options.names)
    ]
    output = Tee() if options.write else None
    with contextlib.redirect_stdout(output) if output else contextlib.nullcontext():
        driver = device().driver
        now = datetime.datetime.now(datetime.UTC)
        print(f"{driver.name}, compute capability {driver.capability}, {now:%Y-%m-%d}")
        print("Ratios are times over the best peer's: below 1, tfc is faster.\n")
        good = harness.run(chosen, quick=options.tiny)
    if output:
        options.write.write_text(f"# Performance on a GPU\n\n```\n{output.getvalue()}```\n")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
