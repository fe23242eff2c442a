"""Helpers of the emulator's own tests: small kernels as text, and running them."""

from __future__ import annotations

import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tfc.backends.cuda.emulator import EmulationError, Emulator, Fault
from tfc.backends.cuda.resources import ptxas

Array = np.ndarray[Any, Any]
HEAD = ".version {version}\n.target {target}\n.address_size 64\n"
ORDERS = ("forward", "reversed", "random")
REGISTERS = (
    ".reg .pred %p<20>; .reg .b16 %h<40>; .reg .b32 %r<80>; .reg .b64 %d<60>; "
    ".reg .f32 %f<60>; .reg .f64 %e<20>;"
)


RAN: set[str] = set()  # the texts that `run` launched


def head(version: str = "8.0", target: str = "sm_80") -> str:
    return HEAD.format(version=version, target=target)


def entry(name: str, body: str, parameters: int = 2) -> str:
    """A kernel of u64 parameters p0, p1, ... with plenty of registers."""
    listed = ", ".join(f".param .u64 p{i}" for i in range(parameters))
    return f".visible .entry {name}({listed})\n{{\n{REGISTERS}\n{body}\n}}\n"


def kernel(body: str, parameters: int = 2, module: str = "", **target: str) -> str:
    """A module of one kernel `k`."""
    return head(**target) + module + "\n" + entry("k", body, parameters)


def run(
    ptx: str,
    *arrays: Array | int,
    block: int | tuple[int, ...] = 32,
    grid: int | tuple[int, ...] = 1,
    order: Any = "forward",
    shared: int = 0,
    name: str = "k",
    seed: int = 0,
) -> list[Any]:
    """Launch a kernel with arrays (which come back) and numbers."""
    RAN.add(ptx)
    emulator = Emulator(order, seed)
    function = emulator.load(ptx).function(name)
    given: list[int] = []
    for array in arrays:
        if isinstance(array, int):
            given.append(array)
        else:
            given.append(emulator.allocate(array.nbytes))
            emulator.write(given[-1], array)
    packed = struct.pack(f"{len(given)}q", *given)
    blocks, threads = ((size,) if isinstance(size, int) else size for size in (grid, block))
    emulator.launch(function, blocks, threads, packed, shared)
    results: list[Any] = []
    for array, address in zip(arrays, given, strict=True):
        if isinstance(array, int):
            results.append(array)
            continue
        data = np.frombuffer(emulator.read(address, array.nbytes), array.dtype)
        results.append(data.reshape(array.shape))
    return results


# Of every kernel below: p0 is an array of 32-bit words that it reads, p1 one that it writes; %r1 is
# the thread, %d1 and %d2 are the places of its words.
BEGIN = """
    mov.u32 %r1, %tid.x;
    ld.param.u64 %d3, [p0];
    ld.param.u64 %d4, [p1];
    mul.wide.u32 %d5, %r1, 4;
    add.u64 %d1, %d3, %d5;
    add.u64 %d2, %d4, %d5;
    ld.global.b32 %r2, [%d1];
"""


def on_words(body: str, module: str = "", **target: str) -> str:
    return kernel(BEGIN + body, 2, module, **target)


def words(count: int = 32) -> Array:
    return np.random.default_rng(3).integers(0, 1 << 32, count, np.uint32)


def fails(ptx: str, fault: Fault, block: int = 32, **options: object) -> EmulationError:
    """Run it on words; it must stop with this fault."""
    with pytest.raises(EmulationError) as caught:
        run(ptx, words(block), words(block), block=block, **options)  # type: ignore[arg-type]
    assert caught.value.fault is fault, str(caught.value)
    return caught.value


def assemble(ptx: str) -> str | None:
    """What ptxas says against the text, or None. Without ptxas the test is skipped."""
    program = ptxas()
    if program is None:
        pytest.skip("there is no ptxas (pip install nvidia-cuda-nvcc)")
    target = ptx[ptx.index(".target") :].split()[1]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "a.ptx")
        source.write_text(ptx)
        command = [program, f"-arch={target}", "-O0", str(source), "-o", str(source) + ".cubin"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stdout + done.stderr


def assemble_all() -> None:
    """ptxas takes every kernel that ran so far: so what tests say of PTX is said of PTX."""
    together: dict[str, list[str]] = {}
    for i, ptx in enumerate(sorted(RAN)):
        start, found, body = ptx.partition("\n.visible .entry k(")
        alone = start.splitlines()[3:] != [] or not found  # it has variables: names may clash
        name = ptx if alone else start
        together.setdefault(name, []).append(f".visible .entry k{i}({body}")
    for start, kernels in together.items():
        text = start if len(kernels) == 1 else "\n".join([start, *kernels])
        problem = assemble(text)
        assert problem is None, f"{text}\n{problem}"
    RAN.clear()
