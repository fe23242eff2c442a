"""Text LLVM IR to PTX, the text that NVIDIA's driver compiles; kept on disk by content.

PTX for a processor runs on it and all later ones: `sm_80` is the least, and `sm_90` is taken where
it is known to be one. What warpgroups do is for `sm_90a`, which no later one is. No optimisation
pipeline runs here: the driver's own compiler, ptxas, does the work.
"""

from __future__ import annotations

from functools import cache

from tfc.backends import disk_cache as disk
from tfc.backends.llvm import bindings, compiler, library
from tfc.backends.llvm.machine import Machine

TRIPLE = "nvptx64-nvidia-cuda"
HOPPER = "sm_90a"  # with what later processors have no more
OPT_LEVEL = 3


def processor(capability: tuple[int, int]) -> str:
    """The processor to write PTX for, for a GPU of this compute capability."""
    return "sm_90" if tuple(capability) >= (9, 0) else "sm_80"


def machine(processor: str = "sm_80") -> Machine:
    """A GPU to generate code for, by NVIDIA's name for its generation."""
    return Machine(TRIPLE, processor, "+ptx80", 128)


def assemble(text: str, target: Machine) -> str:
    """The PTX for a module of text LLVM IR."""
    name = disk.key("ptx", compiler.versions(), target.cpu, target.features, str(OPT_LEVEL), text)
    kept = disk.default().get(name)
    if kept is not None:
        return kept.decode()
    made = compiler.assembly(text, _generator(target), TRIPLE)
    disk.default().put(name, made.encode())
    return made


@cache
def _generator(target: Machine) -> library.Generator:
    bindings.reserve()
    return library.Generator(target.triple, target.cpu, target.features, OPT_LEVEL)
