"""Whether kernels are written as before: a hash of the text of each in a corpus of functions.

The functions of kernel_corpus.py are lowered for a few targets, which are named here in full: what
machine this runs on makes no difference. tests/ir/golden/kernel_texts.txt keeps of each text the
beginning of its hash, and of its hash without the names of values and without constants (which
says whether a change is more than one of order). A text that differs is no error by itself: it says
that the bits or the speed of that kernel may have changed, before any test of either runs.

    python -m tests.kernel_texts                  what differs from the golden file
    python -m tests.kernel_texts --bless          write the golden file anew; review the diff
    python -m tests.kernel_texts --write FILE     the hashes, for another day
    python -m tests.kernel_texts --compare FILE   what differs from these
    python -m tests.kernel_texts --show products/square@vector64       one text
    python -m tests.kernel_texts --texts FOLDER   all of them, a file each (for `diff -r`)

`--only WORD` takes the functions whose names have it. `--llvm` takes the text that the code
generators write from the kernels: for CPUs whole modules, for GPUs what becomes PTX. This sees
changes under backends/ and those of expanded functions (exp, tanh), and takes some minutes. That
text has no golden file: write one before a change and compare after it.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import re
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.golden import numbered_symbols
from tests.kernel_corpus import PARTS, Make
from tfc.backends.calling_convention import Signature
from tfc.backends.cpu.machine import describe
from tfc.backends.cpu.module_text import program_text
from tfc.backends.cuda import module as cuda
from tfc.backends.cuda import ptx
from tfc.ir import passes
from tfc.ir.core import Function
from tfc.ir.kernels import expand_scalars
from tfc.ir.kernels.lower import Target, lower

GOLDEN = Path(__file__).parent / "ir" / "golden" / "kernel_texts.txt"
HEADER = "# Hashes of kernel texts, whole and bare: see tests/kernel_texts.py. Do not edit."
DIGITS = 6  # of a hash

TARGETS: Mapping[str, Target] = {
    "vector64": Target(vector_bytes=64, registers=32),
    "vector16": Target(vector_bytes=16, registers=16),
    "bytes64": Target(vector_bytes=64, registers=32, products=4),
    "pairs16": Target(vector_bytes=16, registers=16, products=2),
    "halves64": Target(vector_bytes=64, registers=32, bfloat16_pairs=True),
    "simt": cuda.cuda_target(tensor_cores=False),
    "tensor": cuda.cuda_target(tensor_cores=True, tf32=True),
    "warpgroups": cuda.cuda_target(tensor_cores=True, warpgroups=True),
}

AVX512 = ("avx", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl")
TRIPLE = "x86_64-unknown-linux-gnu"
MACHINES = {  # of the CPUs' targets
    "vector64": describe(TRIPLE, dict.fromkeys(AVX512, True)),
    "vector16": describe(TRIPLE, {}),
    "bytes64": describe(TRIPLE, dict.fromkeys((*AVX512, "avx512vnni"), True)),
    "pairs16": describe(TRIPLE, {}),
    "halves64": describe(TRIPLE, dict.fromkeys((*AVX512, "avx512bf16"), True)),
}


class Text(NamedTuple):
    """One function for one target."""

    function: str
    target: str

    def __str__(self) -> str:
        return f"{self.function}@{self.target}"


Hashes = dict[Text, tuple[str, str]]


def cases(part: str) -> Iterator[tuple[str, Make]]:
    """The functions of a part by their whole names."""
    for name, make in PARTS[part].cases():
        yield f"{part}/{name}".replace(" ", "_"), make


def targets(part: str, name: str, sample: bool) -> tuple[str, ...]:
    """What a function is lowered for: of a sample, one target, by turns."""
    every = PARTS[part].targets
    return (every[zlib.crc32(name.encode()) % len(every)],) if sample else every


def texts(
    parts: Iterable[str] = PARTS, only: str = "", llvm: bool = False, sample: bool = False
) -> Iterator[tuple[Text, str]]:
    """All texts, by function and target."""
    for part in parts:
        for name, make in cases(part):
            if only not in name:
                continue
            with numbered_symbols():
                f = passes.run(make())
                codes = [(t, lower(f, TARGETS[t])) for t in targets(part, name, sample)]
            for target, g in codes:
                yield Text(name, target), llvm_text(g, target) if llvm else kernel_text(g)


def kernel_text(f: Function) -> str:
    """A function of launches, without the lines that it was traced from, and what its values are
    called there; and what may fail."""
    for op in f.walk():
        for v in op.results:
            v.name = ""
    sites = [f"# {site.kind} {site.op}" for site in f.notes["sites"]]
    return "\n".join([re.sub(r" *    # .*$", "", str(f), flags=re.MULTILINE), *sites, ""])


def llvm_text(f: Function, target: str) -> str:
    """The module that is compiled for a function of launches."""
    f = expand_scalars.expand(f)
    if target in MACHINES:
        return program_text(f, Signature(tuple_result=True), MACHINES[target])[0]
    writer = cuda.ModuleWriter(ptx.HOPPER if target == "warpgroups" else "sm_80")
    for launch in cuda.launches(f):
        writer.launch(launch.kernel)
    return writer.text()


def hashes(text: str) -> tuple[str, str]:
    """Of the text, and of what is left without names of values and without constants."""
    bare = re.sub(r"^ *% = constant .*\n", "", re.sub(r"%[\w.]+", "%", text), flags=re.MULTILINE)
    if text.lstrip().startswith("func @"):
        return digest(text), digest(bare)
    return digest(text), digest(re.sub(r"\d+", "", bare))  # LLVM's constants are anywhere


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


# Files of hashes: a line for each function.


def written(found: Hashes) -> str:
    lines: dict[str, list[str]] = {}
    for text, (whole, bare) in found.items():
        lines.setdefault(text.function, [text.function]).append(f"{text.target}={whole}.{bare}")
    return "\n".join([HEADER, *map(" ".join, lines.values()), ""])


def read(text: str) -> Hashes:
    found: Hashes = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name, *columns = line.split()
        for column in columns:
            target, _, both = column.partition("=")
            whole, _, bare = both.partition(".")
            found[Text(name, target)] = whole, bare
    return found


def differences(new: Hashes, old: Hashes) -> list[str]:
    """A line for each text that is not as before."""
    lines = []
    for text, (whole, bare) in new.items():
        if text not in old:
            lines.append(f"{text}: new")
        elif whole != old[text][0]:
            less = bare == old[text][1]
            lines.append(f"{text}: {'only names or constants differ' if less else 'differs'}")
    return [*lines, *(f"{text}: gone" for text in old if text not in new)]


def main() -> int:
    parser = argparse.ArgumentParser(
        "python -m tests.kernel_texts", description="Whether kernels are written as before."
    )
    parser.add_argument("--bless", action="store_true", help="write the golden file anew")
    parser.add_argument("--write", metavar="FILE", type=Path, help="write hashes here")
    parser.add_argument("--compare", metavar="FILE", type=Path, help="what differs from these")
    parser.add_argument("--show", metavar="NAME@TARGET", help="print one text")
    parser.add_argument("--texts", metavar="FOLDER", type=Path, help="write all texts here")
    parser.add_argument("--only", metavar="WORD", default="", help="functions with this in names")
    parser.add_argument("--llvm", action="store_true", help="what code generators write")
    how = parser.parse_args()
    if how.show:
        function, _, target = how.show.partition("@")
        for text, code in texts(only=function, llvm=how.llvm):
            if text == (function, target):
                print(code, end="")
                return 0
        parser.error(f"no text is named {how.show}")
    gc.disable()  # what a second run would find is not much, and looking for it costs a third
    found: Hashes = {}
    for text, code in texts(only=how.only, llvm=how.llvm):
        found[text] = hashes(code)
        if how.texts:
            path = how.texts / text.target / text.function
            path.parent.mkdir(parents=True, exist_ok=True)
            path.with_name(path.name + ".txt").write_text(code)
    if how.write or how.bless:
        if how.bless and (how.only or how.llvm):
            parser.error("the golden file has all kernel texts: --bless takes no --only or --llvm")
        (how.write or GOLDEN).write_text(written(found))
    if how.write or how.bless or how.texts:
        print(f"{len(found)} texts")
        return 0
    if how.llvm and not how.compare:
        parser.error("there is no golden file of LLVM text: --compare with one that was written")
    old = {t: h for t, h in read((how.compare or GOLDEN).read_text()).items() if how.only in t[0]}
    lines = differences(found, old)
    print("\n".join([*lines, f"{len(found)} texts, {len(lines)} differ"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
