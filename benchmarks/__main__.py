"""`python -m benchmarks [names...]`: the rows with these names, or whose names contain one of them.

--threads 2                                  two threads for every contender
--interpreter tensorflow=/path/to/python     where a library is installed, if not here
--clock processor                            for a machine that is busy with other work
--skip "torch compiled"                      programs without it: it needs long to compile
--profile                                    tfc's table of kernels under each whole program
--write                                      put what comes out into docs/reference/performance.md
--quick                                      small sizes, each once: does everything run?
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import sys
from importlib import metadata

from . import peers

SECTIONS = (
    "starting",
    "dispatch",
    "arrays",
    "compiling",
    "training",
    "loops",
    "symbolic",
    "programs",
    "memory",
)
LIBRARIES = ("numpy", "llvmlite", "torch", "jax", "tensorflow", "numba", "onnxruntime")


def processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            names = [line.partition(":")[2].strip() for line in file if "model name" in line]
    except OSError:
        names = []
    return names[0] if names else platform.processor() or platform.machine()


def version(package: str) -> str:
    """The version that contenders run with, which may be another interpreter's."""
    from . import workers

    if package in workers.INTERPRETERS:
        return workers.version(package)
    for name in (package, f"{package}-cpu"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            pass
    return ""


def facts(threads: int) -> list[str]:
    """What a table must say of where and how it came to be."""
    from tfc.profiler import limits

    load = ", ".join(f"{x:.1f}" for x in os.getloadavg())
    versions = ((name, version(name)) for name in LIBRARIES)
    found = [
        f"{processor()}, {os.cpu_count()} cores, load {load}; Python {platform.python_version()}",
        ", ".join(f"{name} {v}" if v else f"no {name}" for name, v in versions),
    ]
    for count in sorted({1, 2, threads}):
        best = limits(count)
        copies = ", ".join(f"{rate / 1e9:.1f} of {size >> 10} KB" for size, rate in best.copies)
        plural = "s" * (count != 1)
        found.append(
            f"{count} thread{plural}: {best.operations / 1e9:.0f} GFLOP/s of multiply-adds; "
            f"GB/s moved by copies: {copies} a thread"
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", help="parts of the names of rows")
    parser.add_argument("--list", action="store_true", help="only print the names of all rows")
    parser.add_argument("--threads", type=int, default=1, help="for every contender")
    parser.add_argument(
        "--interpreter",
        action="append",
        default=[],
        metavar="LIBRARY=PYTHON",
        help="the interpreter that has this library, for rows with processes of their own",
    )
    parser.add_argument(
        "--skip", action="append", default=[], help="a contender that programs do without"
    )
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall")
    parser.add_argument("--quick", action="store_true", help="small sizes, each measured once")
    parser.add_argument("--profile", action="store_true", help="show the kernels of programs")
    parser.add_argument("--write", action="store_true", help="write docs/reference/performance.md")
    options = parser.parse_args()

    if options.threads > 1 and options.clock == "processor":
        parser.error("--clock processor adds up the time of all threads: want --threads 1")
    os.environ[peers.CLOCK] = options.clock
    peers.limit_threads(options.threads)  # before anything imports NumPy
    from . import harness, report, workers

    for setting in options.interpreter:
        library, _, python = setting.partition("=")
        if library not in LIBRARIES or not os.access(python, os.X_OK):
            parser.error(f"--interpreter {setting}: want a library's name = a Python to run")
        workers.INTERPRETERS[library] = python
    workers.SKIPPED.update(options.skip)
    for section in SECTIONS:
        importlib.import_module(f".{section}", __package__)
    rows = [row for row in harness.ROWS if row.quick or not options.quick]
    chosen = harness.select(rows, options.names)
    if options.list:
        print("\n".join(row.name for row in chosen))
        return 0
    if not chosen:
        print("no row has such a name; see --list", file=sys.stderr)
        return 2
    about = facts(options.threads)
    about.append(
        f"All contenders have {options.threads} thread{'s' * (options.threads != 1)}; times are "
        + ("the processor's." if options.clock == "processor" else "those on the wall.")
    )
    if options.threads == 1:
        peers.share_processor()  # after `facts`, which wants several
    print("\n".join(about))
    print("Ratios are times over the best peer's: below 1, tfc is faster.\n")
    results = harness.run(chosen, options.quick, options.profile)
    print("\n" + "\n".join(report.summary(results)))
    if options.write:
        report.write(results, about, options.threads)
    return 1 if any(result.broken for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
