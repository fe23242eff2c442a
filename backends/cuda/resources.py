"""What kernels take of a GPU: registers, spilled bytes, shared memory.

The driver of a GPU tells it of the kernels that it has loaded. Where there is none, NVIDIA's
assembler does, if it is installed (with CUDA, or by `pip install nvidia-cuda-nvcc`): it needs no
GPU, and is needed for nothing else.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tfc.ir.value_classes import NamedTuple

from .devices import devices
from .driver import DeviceError, NoDriver
from .module import DeviceModule

SECONDS_MAX = 60.0  # that the assembler may take
_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_USED = re.compile(r"Used (\d+) registers")
_SHARED = re.compile(r"(\d+) bytes smem")


class Resources(NamedTuple):
    """What a kernel takes."""

    registers: int  # of a thread
    local: int  # bytes of a thread: what is spilled, and arrays
    shared: int  # bytes of a block, but for what is asked for at the launch
    stores: int | None = None  # bytes that are spilled, and read again; None: not told
    loads: int | None = None


def ptxas() -> str | None:
    """NVIDIA's assembler, of CUDA or of `pip install nvidia-cuda-nvcc`; None where none is."""
    found = shutil.which("ptxas")
    places = importlib.util.find_spec("nvidia") if found is None else None
    if places is not None:
        folders = places.submodule_search_locations or ()
        programs = (str(p) for folder in folders for p in Path(folder).glob("cu*/bin/ptxas"))
        found = next(programs, None)
    return found


def resources(module: DeviceModule) -> tuple[Mapping[str, Resources], str]:
    """What the kernels of a module take, by name, and who says so; nothing where nobody can."""
    if not module.ptx:
        return {}, ""
    try:
        for device in devices():
            if found := _loaded(device.driver, module):
                return found, device.driver.name
    except (DeviceError, NoDriver):
        pass
    program = ptxas()
    return (_assembled(program, module.ptx), "ptxas") if program else ({}, "")


def _loaded(driver: object, module: DeviceModule) -> Mapping[str, Resources]:
    """What a driver says; nothing where it does not tell, as the emulator."""
    tell = getattr(driver, "resources", None)
    if tell is None:
        return {}
    names = {part.name: part.shared for parts in module.kernels.values() for part in parts}
    return {name: Resources(*row) for name, row in tell(module.ptx, names).items()}


def _assembled(program: str, ptx: str) -> Mapping[str, Resources]:
    target = re.search(r"^\.target (\w+)", ptx, re.M)
    assert target
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "module.ptx")
        source.write_text(ptx)
        out = str(source.with_suffix(".cubin"))
        command = [program, f"-arch={target[1]}", "-v", str(source), "-o", out]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=True, timeout=SECONDS_MAX
            )
        except (OSError, subprocess.SubprocessError):
            return {}
    return read(done.stdout + done.stderr)


def read(text: str) -> dict[str, Resources]:
    """What `ptxas -v` says of kernels."""
    found: dict[str, Resources] = {}
    for part in text.split("Compiling entry function '")[1:]:
        name, _, own = part.partition("'")
        frame, used, shared = _FRAME.search(own), _USED.search(own), _SHARED.search(own)
        if frame and used:
            local, stores, loads = map(int, frame.groups())
            own_shared = int(shared[1]) if shared else 0
            found[name] = Resources(int(used[1]), local, own_shared, stores, loads)
    return found


__all__ = ["Resources", "ptxas", "read", "resources"]
