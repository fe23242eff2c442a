"""Writes the tables of schedules in docs/explanation/schedules.md, between their comments, from the
lists that choose them. `python -m tools.schedules` (`--check` only says whether the page is up to
date). The rest of the page is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tfc.ir.kernels.cpu.gemm.choice import GEMM
from tfc.ir.kernels.cpu.machine import CPU
from tfc.ir.kernels.gpu.machine import GPU

from .ir_reference import sentence

PAGE = Path(__file__).parent.parent / "docs" / "explanation" / "schedules.md"
LISTS: dict[str, Sequence[type]] = {"CPU": CPU.schedules, "GEMM": GEMM, "GPU": GPU.schedules}


def table(schedules: Sequence[type]) -> str:
    """A row for each schedule, in the order in which they are asked."""
    rows = ["| | schedule | it takes | what it writes | file |", "| ---: | --- | --- | --- | --- |"]
    for number, schedule in enumerate(schedules, 1):
        about = sentence(schedule.__dict__.get("__doc__"))
        file = schedule.__module__.removeprefix("tfc.").replace(".", "/")
        takes = schedule.takes  # type: ignore[attr-defined]
        rows.append(f"| {number} | `{schedule.__name__}` | {takes} | {about}. | `{file}.py` |")
    return "\n".join(rows)


def page() -> str:
    """The page with the tables of now."""
    text = PAGE.read_text()
    for name, schedules in LISTS.items():
        begin, end = f"<!-- begin: {name}, written by `make docs` -->", f"<!-- end: {name} -->"
        found = re.search(f"{re.escape(begin)}.*{re.escape(end)}", text, re.S)
        if found is None:
            raise ValueError(f"{PAGE} has no place for a table: want the lines {begin} and {end}")
        made = f"{begin}\n\n{table(schedules)}\n\n{end}"
        text = text[: found.start()] + made + text[found.end() :]
    return text


def main() -> None:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where the page is not as it is")
    if parser.parse_args().check:
        if PAGE.read_text() != page():
            sys.exit("docs/explanation/schedules.md is not up to date: run `make docs`")
        return
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
