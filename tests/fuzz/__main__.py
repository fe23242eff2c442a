"""Random programs, as many as wanted: every way of running one must give the same bits (ways.py),
and its derivatives what differences say (slopes.py).

    python -m tests.fuzz 10000 [--jobs 2]     so many more, in processes; build/fuzz keeps account
    python -m tests.fuzz --packs 1000         so many packs of small programs; build/fuzz-packs
    python -m tests.fuzz --run FILE           one program, or a pack, from the source that was kept
    python -m tests.fuzz [--packs] --again    the numbers that failed
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

os.environ.setdefault("TFC_VERIFY", "1")

from tests.fuzz import pack_ways, slopes
from tests.fuzz.campaign import PACKS, SINGLE, Campaign, prepare, run_batch
from tests.fuzz.programs import execute
from tests.fuzz.ways import Case, check


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many more")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--packs", action="store_true", help="numbers are packs of small programs")
    parser.add_argument("--folder", type=Path, help="build/fuzz or build/fuzz-packs")
    parser.add_argument("--run", type=Path, help="check the program in this file")
    parser.add_argument(
        "--again", action="store_true", help="check what failed; forget what is right"
    )
    parser.add_argument("--batch", type=int, nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--current", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    series = PACKS if options.packs else SINGLE
    folder = options.folder or Path("build/fuzz-packs" if options.packs else "build/fuzz")
    if options.run:
        scope = execute(options.run.read_text())
        if "programs" in scope:
            judged = pack_ways.check_all(scope)
            print(f"the same bits in every way; {judged}")
            return 0
        case = Case(scope)
        check(case)
        print("the same bits in every way")
        if case.inputs and all(x.dtype == "float64" for x in case.inputs):
            print(f"{slopes.check(case)} of {slopes.ORDERS} derivatives as differences say")
        return 0
    if options.batch:
        prepare()
        counts = run_batch(*options.batch, folder, options.current, series)
        print(json.dumps(counts))
        return 0
    campaign = Campaign(folder, series=series)
    failed = campaign.again() if options.again else campaign.run(options.count, options.jobs)
    for name, count in sorted(campaign.counts.items()):
        print(f"{count:9,}  {name}")
    if series.packs:
        print(f"{campaign.distinct():9,}  different programs among those judged")
    if failed:
        print(f"failed programs are in {folder / 'failures'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
