"""Bad inputs, as many as wanted: each must end in a result or a clear error.

    python -m tests.fuzz.inputs 100000 [--jobs 2]    so many more; build/fuzz_inputs keeps account
    python -m tests.fuzz.inputs --run FILE           one attempt, from what was kept of it
    python -m tests.fuzz.inputs --number 4711        one attempt by its number

`--only WORD` takes the kinds with this in their name: calls, tensor texts, kernel texts, saved
models, cache entries, files; these have numbers of their own.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

os.environ.setdefault("TFC_OPT_LEVEL", "0")  # what code does with right operands is for others
os.environ.setdefault("TFC_NUM_THREADS", "1")

from tests.fuzz.inputs.attempts import BAD
from tests.fuzz.inputs.runner import KINDS, Campaign, numbered, parsed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.inputs", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=10_000, help="how many more")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz_inputs"))
    parser.add_argument("--only", default="", help="kinds with this in their name")
    parser.add_argument("--run", type=Path, help="try what is kept in this file")
    parser.add_argument("--number", type=int, help="try the attempt with this number")
    options = parser.parse_args()
    kinds = [k for k in KINDS if options.only in k.name]
    if options.run or options.number is not None:
        line = options.run.read_text().partition("\n")[0] if options.run else ""
        attempt = parsed(line) if line else numbered(options.number, kinds)
        print(attempt.kind.shown(attempt.subject()))
        outcome = attempt.outcome()
        print(outcome.how, outcome.cause, outcome.seen, sep="\n")
        return int(outcome.how == BAD)
    campaign = Campaign(options.folder, kinds=kinds)
    wrong = campaign.run(options.count, options.jobs)
    for name, count in sorted(campaign.counts.items()):
        print(f"{count:9,}  {name}")
    if wrong:
        print(f"what ended badly is in {options.folder / 'failures'}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
