"""Text LLVM IR to PTX, the text that NVIDIA's driver compiles; kept on disk by content.

PTX for `sm_80` runs on that processor and all later ones. No optimisation pipeline runs here: the
driver's own compiler, ptxas, does the work.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from tfc.backends.cpu import cache as disk
from tfc.backends.cpu import jit
from tfc.backends.cpu.machine import Machine

TRIPLE = "nvptx64-nvidia-cuda"
OPT_LEVEL = 3


def machine(processor: str = "sm_80") -> Machine:
    """A GPU to generate code for, by NVIDIA's name for its generation."""
    return Machine(TRIPLE, processor, "+ptx80", 128)


def assemble(text: str, target: Machine) -> str:
    """The PTX for a module of text LLVM IR."""
    name = disk.key("ptx", jit.versions(), target.cpu, target.features, str(OPT_LEVEL), text)
    kept = disk.default().get(name)
    if kept is not None:
        return kept.decode()
    made = jit.assembled(text, _generator(target), TRIPLE)
    disk.default().put(name, made.encode())
    return made


@cache
def _generator(target: Machine) -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=OPT_LEVEL
    )
