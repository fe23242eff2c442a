"""What kernels take of a GPU, as NVIDIA's assembler says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfc.backends.cuda import devices, resources
from tfc.backends.cuda.module import DeviceModule
from tfc.backends.cuda.resources import Resources

# Of ptxas 12.9.
RECORDED = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k10' for 'sm_80'
ptxas info    : Function properties for k10
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 23 registers, used 0 barriers, 384 bytes cmem[0]
ptxas info    : Compile time = 11.830 ms
ptxas info    : Compiling entry function 'k9' for 'sm_80'
ptxas info    : Function properties for k9
    112 bytes stack frame, 24 bytes spill stores, 20 bytes spill loads
ptxas info    : Used 57 registers, used 1 barriers, 10240 bytes smem, 384 bytes cmem[0]
ptxas info    : Compile time = 95.905 ms
"""

PTX = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k9() { ret; }
"""


def test_what_ptxas_says_is_read() -> None:
    assert resources.read(RECORDED) == {
        "k10": Resources(23, 0, 0, 0, 0),
        "k9": Resources(57, 112, 10240, 24, 20),
    }
    assert resources.read("ptxas fatal : no such file") == {}


def test_an_assembler_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "ptxas"
    program.write_text(f"#!/bin/sh\ncat >&2 <<'END'\n{RECORDED}END\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(devices, "_found", [])  # no GPU
    found, source = resources.resources(DeviceModule(PTX, {}))
    assert source == "ptxas" and found["k9"].registers == 57
    assert resources.resources(DeviceModule("", {})) == ({}, "")
    program.write_text("#!/bin/sh\nexit 1\n")
    assert resources.resources(DeviceModule(PTX, {})) == ({}, "ptxas")
