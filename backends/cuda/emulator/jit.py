"""LLVM IR text -> machine code in this process."""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding as llvm

_numbers = iter(range(1 << 62))
QUICK, GOOD = 0, 2  # levels of code generation: the first takes a fifth of the other's time


@cache
def _machine(level: int) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = dict(llvm.get_host_cpu_features())
    ordered = [f"+{name}" for name, on in features.items() if on]
    ordered += [f"-{name}" for name, on in features.items() if not on]
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(features=",".join(ordered), opt=level, jit=True)


@cache
def _linker() -> Any:
    return llvm.create_lljit_compiler(_machine(GOOD), suppress_errors=True)


class Library:
    """Machine code for the functions `names` of a text; it is unloaded with this object."""

    def __init__(self, text: str, *names: str, level: int = GOOD, pipeline: bool = False) -> None:
        machine = _machine(level)
        with llvm.parse_assembly(text) as module:
            module.verify()
            options = llvm.PipelineTuningOptions(speed_level=1)
            with llvm.create_pass_builder(machine, options) as builder:
                if pipeline:
                    passes = builder.getModulePassManager()
                else:
                    # PTX was optimised already: it is enough to make registers of variables.
                    passes = llvm.create_new_module_pass_manager()
                    if level == GOOD:
                        passes.add_always_inliner_pass()
                    passes.add_sroa_pass()
                    passes.add_simplify_cfg_pass()
                passes.run(module, builder)
            data = machine.emit_object(module)
        library = llvm.JITLibraryBuilder()
        library.add_object_img(data)
        library.add_current_process()
        for name in names:
            library.export_symbol(name)
        self._tracker = library.link(_linker(), f"ptx.{next(_numbers)}")
        self.addresses = {name: self._tracker[name] for name in names}
