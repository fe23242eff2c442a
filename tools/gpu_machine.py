"""Tests and benchmarks on a machine with a GPU but without a network.

Where there is a network, wheels of what that machine lacks are gathered into a folder:

    python -m tools.gpu_machine gather build/wheels --pycuda pycuda-2026.1-cp312-...whl

There, the checkout with that folder needs nothing but its own Python, CUDA's driver and (for the
peers) PyTorch and JAX:

    python3 -m tools.gpu_machine run build/wheels -m pytest tests/devices/test_devices.py
    python3 -m tools.gpu_machine run build/wheels -m benchmarks.gpu

`run` unpacks into `build/wheels/site` what that Python has not, or has too old, and starts the
module with it. pycuda has no wheels on the index: `--pycuda` names one that was built before;
without it one is built here, which needs a compiler, Python's headers of that version, and CUDA's.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEEDED = ("llvmlite>=0.50", "ml_dtypes>=0.5", "numpy>=2.0", "pytest>=8", "hypothesis>=6.100")
OF_PYCUDA = ("pytools", "platformdirs", "siphash24", "typing_extensions")
OF_PYTEST = ("iniconfig", "packaging", "pluggy", "pygments", "attrs", "sortedcontainers")
GLIBC = (17, 24, 27, 28, 31, 34)  # of the manylinux tags


def gather(folder: Path, python: str, pycuda: Path | None) -> None:
    """Download the wheels for a Python on 64-bit x86 Linux."""
    folder.mkdir(parents=True, exist_ok=True)
    platforms = [f"--platform=manylinux_2_{n}_x86_64" for n in GLIBC]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", f"--python-version={python}", "--implementation=cp"]
    command += [*platforms, "--platform=manylinux2014_x86_64", f"--dest={folder}"]
    subprocess.run([*command, *NEEDED, *OF_PYCUDA, *OF_PYTEST], check=True)
    if pycuda is not None:
        (folder / pycuda.name).write_bytes(pycuda.read_bytes())
    elif not list(folder.glob("pycuda-*.whl")):
        build = ["wheel", "--quiet", "--no-deps", f"--wheel-dir={folder}", "pycuda"]
        subprocess.run([sys.executable, "-m", "pip", *build], check=True)
    for wheel in sorted(folder.glob("*.whl")):
        print(wheel.name)


def name_of(wheel: Path) -> tuple[str, str]:
    """The name and version of a wheel."""
    name, version = wheel.name.split("-")[:2]
    return re.sub(r"[-_.]+", "-", name).lower(), version


def newer(have: str, wanted: str) -> bool:
    """Whether a version is at least another one."""

    def numbers(version: str) -> list[int]:
        return [int(n) for n in re.findall(r"\d+", version.split("+")[0])[:3]]

    return numbers(have) >= numbers(wanted)


def lacking(wheels: list[Path]) -> list[Path]:
    """Those that this Python needs: it has none of them, or one that is too old."""
    least = {}
    for requirement in NEEDED:
        name, _, version = requirement.partition(">=")
        least[re.sub(r"[-_.]+", "-", name).lower()] = version
    found = []
    for wheel in wheels:
        name, _ = name_of(wheel)
        try:
            have = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found.append(wheel)
            continue
        if not newer(have, least.get(name, "0")):
            found.append(wheel)
    return found


def run(folder: Path, arguments: list[str]) -> int:
    """Start `python arguments` with the checkout and what was lacking."""
    site = folder / "site"
    for wheel in lacking(sorted(folder.glob("*.whl"))):
        if not (site / f"{wheel.stem}.done").exists():
            print(f"unpacking {wheel.name}", file=sys.stderr)
            with zipfile.ZipFile(wheel) as archive:  # what pip does, for wheels without scripts
                archive.extractall(site)
            (site / f"{wheel.stem}.done").touch()
    paths = [str(ROOT), str(site.resolve()), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    environment.setdefault("TFC_CACHE_DIR", str((folder / "cache").resolve()))
    return subprocess.run([sys.executable, *arguments], env=environment, cwd=ROOT).returncode


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.gpu_machine",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("gather", help="download wheels into a folder")
    first.add_argument("folder", type=Path)
    first.add_argument("--python", default="3.12", help="the other machine's version")
    first.add_argument("--pycuda", type=Path, help="a wheel of pycuda")
    second = commands.add_parser("run", help="start Python with what is in the folder")
    second.add_argument("folder", type=Path)
    second.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    if options.command == "run":
        return run(options.folder, options.arguments)
    gather(options.folder, options.python, options.pycuda)
    return 0


if __name__ == "__main__":
    sys.exit(main())
