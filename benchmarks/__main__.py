"""`python -m benchmarks [names...]`: the rows whose names contain one of the words, or all."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
from importlib import metadata

from . import peers

SECTIONS = ("starting", "dispatch", "arrays", "compiling", "training", "loops", "contractions")


def versions() -> str:
    found = []
    for name in ("numpy", "llvmlite", "torch", "jax", "numba"):
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(f"no {name}")
    return ", ".join(found)


def processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of the names of rows")
    parser.add_argument("--list", action="store_true", help="only print the names of all rows")
    parser.add_argument("--threads", type=int, default=1, help="for every contender")
    options = parser.parse_args()

    peers.limit_threads(options.threads)  # before anything imports NumPy
    from . import harness

    for section in SECTIONS:
        importlib.import_module(f".{section}", __package__)
    if options.list:
        print("\n".join(row.name for row in harness.ROWS))
        return 0
    chosen = [
        row
        for row in harness.ROWS
        if not options.names or any(word in row.name for word in options.names)
    ]
    if not chosen:
        print("no row has such a name; see --list", file=sys.stderr)
        return 2
    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    print(f"{processor()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}")
    print(f"{versions()}. All contenders have {options.threads} thread(s).")
    print("Ratios are times over the best peer's: below 1, tfc is faster.\n")
    return 0 if harness.run(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
