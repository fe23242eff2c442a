"""What a machine with a GPU runs: wheels that are unpacked there, and the table of timings."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.emulated_gpu import ROOT, environment
from tools import gpu_machine


def wheel(folder: Path, name: str, version: str = "1.0") -> Path:
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", f"version = {version!r}\n")
    return path


def test_wheels_are_unpacked(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    wheel(tmp_path, "surely_not_installed")
    wheel(tmp_path, "numpy", "0.1")  # is there
    for shown in ("unpacking surely_not_installed", ""):
        code = "import surely_not_installed, numpy, tfc; print(numpy.__name__)"
        assert gpu_machine.run(tmp_path, ["-c", code]) == 0
        out, err = capfd.readouterr()
        assert out == "numpy\n" and shown in err and "numpy" not in err
    assert not shown and gpu_machine.run(tmp_path, ["-c", "raise SystemExit(3)"]) == 3


def test_what_is_too_old_is_lacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    llvm = wheel(tmp_path, "llvmlite", "0.50.0")
    for have, lacks in (("0.44.0", True), ("0.50.0", False), ("1.2", False)):
        monkeypatch.setattr("importlib.metadata.version", lambda name, have=have: have)
        assert gpu_machine.lacking([llvm]) == ([llvm] if lacks else [])


def test_the_table_of_timings(tmp_path: Path) -> None:
    """The rows run, and agree; what they take means nothing here."""
    file = tmp_path / "performance.md"
    command = [sys.executable, "-m", "benchmarks.gpu", "--tiny", "--write", str(file), "softmax"]
    given = environment("emulate")
    done = subprocess.run(command, capture_output=True, text=True, env=given, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert "softmax, rows of 8" in file.read_text() and "emulator" in done.stdout


def test_processes_of_tests_have_what_was_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/unpacked")
    code = "import sys; print(sys.path[1:3])"
    command = [sys.executable, "-c", code]
    out = subprocess.run(command, capture_output=True, text=True, env=environment("off"))
    assert out.stdout.strip() == str([str(ROOT), "/unpacked"])
