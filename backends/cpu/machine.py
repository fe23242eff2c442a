"""The host processor: its triple, features and vector width, and LLVM's code generator for it.

Code is always generated for LLVM's generic CPU plus an explicit list of features. LLVM ends the
process when it is given a CPU name that it does not know, and virtual machines report names that
do not match what they can do; the feature list (read with CPUID by LLVM itself) is always right.

llvmlite is a slow import (tens of milliseconds), so it is imported inside the functions that need
it: a program that compiles and loads nothing does not pay for it.

Environment: `TFC_CPU_FEATURES="+avx2,+fma,-avx512f"` overrides single features of the host, so
that the code for smaller machines can be tested on a larger one. `TFC_OPT_LEVEL=0` takes LLVM's
quickest code generation, for programs that are compiled more often than they run: tests.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from ..llvm import bindings, library
from ..llvm.machine import Machine
from . import object_loader

# Switching off a feature switches off everything that LLVM lets imply it.
_IMPLIED_BY = {
    "avx": ("avx2", "avx512", "avx10", "fma", "f16c", "vaes", "vpclmulqdq", "xop", "fma4"),
    "avx2": ("avx512", "avx10", "avxvnni", "avxifma", "avxneconvert"),
    "avx512f": ("avx512", "avx10", "amx-avx512"),
    "fma": ("avx512", "avx10"),
}

_SWITCHES = (22,)  # versions of LLVM that know the switches: it ends the process over others
OPT_LEVEL = 2  # level 3 compiles no faster code from explicit vectors, level 0 lacks instructions


def describe(triple: str, detected: dict[str, bool], override: str = "") -> Machine:
    """The machine with the `detected` features, changed as the text `override` asks.

    >>> describe("x86_64-linux", {"avx2": True, "fma": True}, "-avx2").vector_bits
    128
    """
    features = dict(detected)
    for item in filter(None, (part.strip() for part in override.split(","))):
        if item[0] not in "+-" or not item[1:]:
            raise ValueError(f"TFC_CPU_FEATURES: expected +name or -name, got {item!r}")
        features[item[1:]] = item[0] == "+"
    for name, dependents in _IMPLIED_BY.items():
        if features.get(name) is False:
            for other in features:
                if other.startswith(dependents):
                    features[other] = False
    present = sorted(name for name, value in features.items() if value)
    absent = sorted(name for name, value in features.items() if not value)
    text = ",".join([f"+{name}" for name in present] + [f"-{name}" for name in absent])
    has = set(present).issuperset
    if has(("avx512f", "avx512bw", "avx512dq", "avx512vl")):
        bits = 512
    else:
        bits = 256 if has(("avx2",)) else 128
    return Machine(triple, "", text, bits)


@cache
def host() -> Machine:
    """The processor that this process runs on."""
    detected = library.host_features()  # none: the triple's baseline is safe
    return describe(library.process_triple(), detected, override())


@cache
def _scalar(machine: Machine) -> Machine:
    from dataclasses import replace

    return replace(machine, scalar_loops=True)


def programs(baseline: bool = False) -> Machine:
    """The host as programs are generated for: where that shall be quick, their loops are scalar. It
    is less code, and LLVM's fast selector can take it."""
    return _scalar(host()) if baseline or quick() else host()


@cache
def override() -> str:
    """What the environment wants to be different. It is read once: code is for one machine."""
    return os.environ.get("TFC_CPU_FEATURES", "")


_TOLD = {  # of processors, what tells one kind from another: x86, Arm
    *("vendor_id", "cpu family", "model", "model name", "stepping", "microcode", "flags"),
    *("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision", "Features"),
}


@cache
def identity() -> str:
    """What decides `host()`: the same text for processors that are alike. Linux says it at once;
    elsewhere LLVM is asked."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            rows = []
            for row in file:  # of the first one: reading about all of a large machine takes long
                if not row.strip():
                    break
                rows.append(row.partition(":"))
    except OSError:
        rows = []
    told = [f"{key.strip()}={value.strip()}" for key, _, value in rows if key.strip() in _TOLD]
    if not any(row.startswith(("flags=", "Features=")) for row in told):
        found = host()
        told = [found.triple, found.cpu, found.features]
    return "\n".join((platform.machine(), platform.system(), *told, _asked(), override()))


def _asked() -> str:
    """What NumPy was told by the processor itself: emulators and debuggers (Valgrind) have other
    ones than the system tells of."""
    module = sys.modules.get("numpy._core._multiarray_umath")
    return repr(sorted(getattr(module, "__cpu_features__", {}).items()))


@cache
def target_machine(level: int = OPT_LEVEL, thread: int = 0) -> library.Generator:
    """LLVM's code generator for the host, made once for each number of a thread (it costs about a
    millisecond)."""
    bindings.reserve()
    machine = host()
    near = refers_by_distance(level)
    return library.Generator(
        machine.triple,
        machine.cpu,
        machine.features,
        level,
        relocations="pic" if near else "default",
        # jitdefault, large: JIT code may lie anywhere relative to what it calls
        model="small" if near else "jitdefault",
        jit=True,
    )


def refers_by_distance(level: int) -> bool:
    """Whether code of this level says by distances of 32 bits what it refers to, and not by
    addresses. LLVM's fast selector knows calls, constants and variables in this form alone, which
    takes a tenth to a quarter off its code generation. At level 2 there is nothing to gain."""
    return level == 0 and object_loader.supported()


def lacks_half() -> bool:
    """Whether LLVM calls functions to convert float16: on x86 without F16C."""
    machine = host()
    return machine.triple.startswith("x86_64") and "+f16c" not in machine.features.split(",")


def quick() -> bool:
    """Whether code is generated as quickly as can be, for all that is compiled now."""
    return os.environ.get("TFC_OPT_LEVEL", "") == "0"


_MASK = re.compile(r"<\d+ x i1>")


def selects_quickly(text: str) -> bool:
    """Whether LLVM's fast selector can take a text: it is not made for masks of vectors."""
    return _MASK.search(text) is None


@contextmanager
def selected_quickly(text: str, level: int) -> Iterator[None]:
    """Level 0 takes LLVM's fast selector for the module `text` if it can: it needs a third of the
    time. What it cannot do may end the process. The switch is off afterwards, for level 2 would
    take that selector, too. (Of itself it takes it for functions that are `optnone`, which only a
    module has that is compiled whole, for debuggers.)"""
    if library.version()[0] not in _SWITCHES:
        yield
        return
    if level > 0 or not selects_quickly(text):
        if level == 0 or " optnone" in text:
            _select_thoroughly()
        yield
        return
    if not _select_thoroughly.cache_info().currsize:  # it is taken where nobody said otherwise
        yield
        return
    library.set_option("-fast-isel=true")
    try:
        yield
    finally:
        library.set_option("-fast-isel=false")


@cache
def _select_thoroughly() -> None:
    """LLVM takes that selector by itself, until somebody has said that it shall not. So it is said
    once: a switch takes as long as a hundred lines of code."""
    library.set_option("-fast-isel=false")


# LLVM's passes that are spared. Strength reduction: addresses in loops are as they are written (see
# loop_addresses.py). Machine sinking: it changes next to nothing of kernels, but takes the square
# of their blocks, which is 40% of all the time for a kernel of two hundred sines. The others find
# nothing at all in kernels, whose objects are the same with them, and look for it for a twentieth
# of the time.
_SPARED = {
    "-disable-lsr": "true",
    "-disable-machine-sink": "true",
    "-disable-constant-hoisting": "true",
    "-disable-early-ifcvt": "true",
    "-disable-early-taildup": "true",
    "-disable-mergeicmps": "true",
    "-disable-partial-libcall-inlining": "true",
    "-disable-tail-duplicate": "true",
}
# These change a few instructions of some kernels, for 6% of LLVM's time: the rows of `python -m
# benchmarks` take as long without them, in the median of 45 (old and new in turn on one thread of a
# busy AMD EPYC). Without the machine scheduler (6% more) "CNN + LSTM step" takes 1.25 as long.
_SPARED_X86 = {
    "-disable-cgp": "true",
    "-disable-copyprop": "true",
    "-disable-postra-machine-licm": "true",
}
_OTHERWISE = {"true": "false", "false": "true"}


@cache
def switches(level: int = OPT_LEVEL) -> dict[str, str]:
    """LLVM's switches while it compiles at this level; level 0 has none of their passes."""
    if level == 0 or library.version()[0] not in _SWITCHES:
        return {}
    return _SPARED | (_SPARED_X86 if host().triple.startswith("x86_64") else {})


@contextmanager
def passes_spared(level: int = OPT_LEVEL) -> Iterator[None]:
    """LLVM leaves out passes that kernels do not need. The switches are those of the process, which
    others may use LLVM in, too: they are back where they were afterwards. What others compile at
    this moment, in another thread, may be a little slower for it."""
    changed = switches(level)
    if not changed:
        yield
        return
    library.set_options([f"{switch}={spared}" for switch, spared in changed.items()])
    try:
        yield
    finally:
        library.set_options([f"{name}={_OTHERWISE[spared]}" for name, spared in changed.items()])
