"""LLVM, as llvmlite's library has it: what compiling takes of it, called by ctypes.

`llvmlite.binding` has these functions, too. But it imports all that llvmlite is, with an IR of its
own and what Python needs to unpack files, which takes longer than to compile ten kernels. It is
asked only by what it alone can do: to link what object_loader.py does not know (bindings.py).

llvmlite lets one thread at a time into LLVM. LLVM itself asks only that threads have contexts and
code generators of their own; each text has a context here. So nobody waits for llvmlite's lock.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Sequence
from functools import cache
from importlib.machinery import PathFinder
from typing import Any

from . import bindings

_WORD, _TEXT, _SIZE, _NUMBER = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t, ctypes.c_int
# Functions of the library: what they return, and what they take.
_FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "ContextCreate": (_WORD, ()),
    "ContextDispose": (None, (_WORD,)),
    "ParseAssembly": (_WORD, (_WORD, _TEXT, _WORD)),
    "SetTarget": (None, (_WORD, _TEXT)),
    "SetDataLayout": (None, (_WORD, _TEXT)),
    "VerifyModule": (ctypes.c_bool, (_WORD, _WORD)),
    "DisposeModule": (None, (_WORD,)),
    "TargetMachineEmitToMemory": (_WORD, (_WORD, _WORD, _NUMBER, _WORD)),
    "GetBufferStart": (_WORD, (_WORD,)),
    "GetBufferSize": (_SIZE, (_WORD,)),
    "DisposeMemoryBuffer": (None, (_WORD,)),
    "DisposeString": (None, (_WORD,)),
    "GetVersionInfo": (ctypes.c_uint, ()),
    "GetProcessTriple": (None, (_WORD,)),
    "GetHostCPUFeatures": (_NUMBER, (_WORD,)),
    "SetCommandLine": (None, (_TEXT, _TEXT)),
    "InitializeNativeTarget": (None, ()),
    "InitializeNativeAsmPrinter": (None, ()),
    "InitializeAllTargetInfos": (None, ()),
    "InitializeAllTargets": (None, ()),
    "InitializeAllTargetMCs": (None, ()),
    "InitializeAllAsmPrinters": (None, ()),
    "GetTargetFromTriple": (_WORD, (_TEXT, _WORD)),
    # of a target: triple, processor, features, level, relocations, code model, verbose, JIT, ABI
    "CreateTargetMachine": (
        _WORD,
        (_WORD, _TEXT, _TEXT, _TEXT, _NUMBER, _TEXT, _TEXT, _NUMBER, _NUMBER, _TEXT),
    ),
    "SetTargetMachineAsmVerbosity": (None, (_WORD, _NUMBER)),
    "CreateTargetMachineData": (_WORD, (_WORD,)),
    "CopyStringRepOfTargetData": (None, (_WORD, _WORD)),
    "DisposeTargetData": (None, (_WORD,)),
}
_OPEN_FILES = "/proc/self/fd"  # where Linux has those of this process
# The arguments of "CreateTargetMachine" grew more than once: these are llvmlite's of this version.
_KNOWN = "0.50."


class _Library:
    """The functions of the library, each made when it is first called."""

    def __init__(self, path: str) -> None:
        self._handle = ctypes.CDLL(path)

    def __getattr__(self, name: str) -> Any:
        if name not in _FUNCTIONS:
            raise AttributeError(name)
        function = getattr(self._handle, f"LLVMPY_{name}")
        function.restype, function.argtypes = _FUNCTIONS[name]
        setattr(self, name, function)
        return function


@cache
def functions() -> Any:
    """The library, loaded when it is first asked for."""
    if "llvmlite.binding" in sys.modules:
        return _Library(bindings.llvm().ffi.lib._name)
    found = PathFinder.find_spec("llvmlite")
    name = {"darwin": "libllvmlite.dylib", "win32": "llvmlite.dll"}.get(
        sys.platform, "libllvmlite.so"
    )
    for folder in (found and found.submodule_search_locations) or ():
        path = os.path.join(folder, "binding", name)
        if os.path.exists(path):
            bindings.reserve(least=bindings.LOADING_BYTES)
            return _Library(path)
    return _Library(bindings.llvm().ffi.lib._name)  # it knows where else it may be


@cache
def version() -> tuple[int, ...]:
    """That of LLVM."""
    number = functions().GetVersionInfo()
    return tuple((number >> shift) & 255 for shift in (16, 8, 0))


def process_triple() -> str:
    """The triple of code for this process."""
    message = _WORD()
    functions().GetProcessTriple(ctypes.byref(message))
    return _taken(message)


def host_features() -> dict[str, bool]:
    """Which of LLVM's features this processor has; none where LLVM cannot ask it."""
    message = _WORD()
    known = functions().GetHostCPUFeatures(ctypes.byref(message))
    listed = _taken(message).split(",")
    return {name[1:]: name[0] == "+" for name in listed if name} if known else {}


def set_option(option: str) -> None:
    """Give LLVM an option of its command line."""
    functions().SetCommandLine(b"tfc", option.encode())


def set_options(options: Sequence[str]) -> None:
    """Give LLVM several options at once. Whenever it is given any, it goes through all that it
    knows, which takes as long as a hundred lines of code. So they are in a file, which it reads."""
    try:
        file = os.memfd_create("tfc-options") if os.path.isdir(_OPEN_FILES) else -1
    except (AttributeError, OSError):  # a system without, or one that forbids it
        file = -1
    if file < 0:
        for option in options:
            set_option(option)
        return
    try:
        os.write(file, "\n".join(options).encode())
        set_option(f"@{_OPEN_FILES}/{file}")
    finally:
        os.close(file)


class Generator:
    """One of LLVM's code generators ("target machine"), which stays."""

    def __init__(
        self,
        triple: str,
        cpu: str,
        features: str,
        level: int,
        *,
        relocations: str = "default",
        model: str = "jitdefault",
        jit: bool = False,
    ) -> None:
        f = functions()
        if jit:
            f.InitializeNativeTarget()
            f.InitializeNativeAsmPrinter()
        else:
            f.InitializeAllTargetInfos()
            f.InitializeAllTargets()
            f.InitializeAllTargetMCs()
            f.InitializeAllAsmPrinters()
        if not bindings.version().startswith(_KNOWN):
            self._as_parameter_, self._owner = _other(
                triple, cpu, features, level, relocations, model, jit
            )
            return
        message = _WORD()
        target = f.GetTargetFromTriple(triple.encode(), ctypes.byref(message))
        said = _taken(message)
        if not target:
            raise RuntimeError(said)
        if os.name == "nt" and model == "jitdefault":
            triple += "-elf"  # as llvmlite: what links in memory on Windows knows ELF alone
        texts = [text.encode() for text in (triple, cpu, features, relocations, model)]
        made = f.CreateTargetMachine(target, *texts[:3], level, *texts[3:], 0, int(jit), b"")
        if not made:
            raise RuntimeError(f"LLVM makes no code for {triple}")
        self._as_parameter_ = _WORD(made)

    def set_asm_verbosity(self, verbose: bool) -> None:
        """Whether assembly has LLVM's comments."""
        functions().SetTargetMachineAsmVerbosity(self, int(verbose))

    def data_layout(self) -> str:
        """The sizes and alignments of types, as LLVM writes them."""
        f, message = functions(), _WORD()
        data = f.CreateTargetMachineData(self)
        try:
            f.CopyStringRepOfTargetData(data, ctypes.byref(message))
        finally:
            f.DisposeTargetData(data)
        return _taken(message)

    def emit(self, text: str, *, assembly: bool = False, triple: str = "") -> bytes:
        """The object file for a module, or its assembly; `triple` names a machine that is not the
        host. Raises RuntimeError with LLVM's message."""
        f = functions()
        context = f.ContextCreate()
        module = None
        message = _WORD()
        try:
            module = f.ParseAssembly(context, text.encode(), ctypes.byref(message))
            said = _taken(message)
            if not module or said:
                raise RuntimeError(f"LLVM IR parsing error\n{said}")
            if triple:
                f.SetTarget(module, triple.encode())
                f.SetDataLayout(module, self.data_layout().encode())
            broken = f.VerifyModule(module, ctypes.byref(message))
            said = _taken(message)
            if broken:
                raise RuntimeError(said)
            buffer = f.TargetMachineEmitToMemory(
                self, module, int(not assembly), ctypes.byref(message)
            )
            said = _taken(message)
            if not buffer:
                raise RuntimeError(said)
            try:
                return ctypes.string_at(f.GetBufferStart(buffer), f.GetBufferSize(buffer))
            finally:
                f.DisposeMemoryBuffer(buffer)
        finally:
            if module:
                f.DisposeModule(module)
            f.ContextDispose(context)


def _other(
    triple: str, cpu: str, features: str, level: int, relocations: str, model: str, jit: bool
) -> tuple[Any, Any]:
    """The generator that another version of llvmlite makes, and what keeps it."""
    made = (
        bindings.llvm()
        .Target.from_triple(triple)
        .create_target_machine(
            cpu=cpu, features=features, opt=level, reloc=relocations, codemodel=model, jit=jit
        )
    )
    return ctypes.cast(made._as_parameter_, _WORD), made


def _taken(message: ctypes.c_void_p) -> str:
    """The text of a message, which is given back."""
    if not message:
        return ""
    text = ctypes.string_at(message).decode(errors="replace")
    functions().DisposeString(message)
    message.value = None
    return text
