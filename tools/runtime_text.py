"""Write the native runtime's LLVM text, which is made of its C source: `make runtime`.

`backends/cpu/runtime/*.c` is what people read and change. What tfc loads is the text beside it
(`*.ll`), so that nobody who uses tfc needs a C compiler, and a new process compiles the text as it
compiles all else. The compiler is the Clang of one release of a package of PyPI, `ziglang`, whose
LLVM is that of llvmlite, so everybody gets the same text; tests compare it with the committed one.

Clang optimises (`-Os`, which keeps LLVM's later work small), since no passes run later. From its
text goes what holds for one system alone, or that LLVM can do without: target, metadata, most
attributes. Where it asks for a constant of the platform it gets `$NAME`, which native.py fills in.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tfc.backends import calling_convention
from tfc.backends.cpu import entry, fourier, profiling
from tfc.backends.cpu.runtime import native, python_abi, runtime, state
from tfc.backends.llvm import arena_layout
from tfc.ir.kernels.target import Target

FOLDER = Path(native.__file__).resolve().parent
UNITS = (
    "runtime",
    "thread_pool",
    "one_thread",
    "profiling",
    "records",
    "examples",
    "tables",
    "half",
    "fourier_float",
    "fourier_double",
)
# Numbers that native.py has under the same names as the source.
SHARED_NAMES = (
    *("FRESH", "ALIAS", "DONATE", "LATE", "BARE_TENSOR", "NOTHING"),
    *("CHECKS", "DONATES", "REQUIRES", "VARIES", "COMPUTES"),
    *("POOLED", "SIZED", "RELEASES", "WORKS", "ADOPTS"),
    *("QUOTIENT", "REMAINDER", "POSITIVE", "SHIFTED", "MASKED", "TOO_LARGE"),
    *("BINDS", "ARENA_ALIGNMENT"),
)
VECTORS = ("fourier_float", "fourier_double")  # units that compute with vectors
COMPILER = "0.17.1"  # of ziglang: Clang 22.1.8

FLAGS = (
    "--target=x86_64-linux-gnu",  # the text serves others too: all sizes in the source are explicit
    "-std=c17",
    *("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter"),
    # The meaning that a reader of the source expects.
    *("-fwrapv", "-fno-strict-aliasing"),
    # Nothing from the C library but what the source names.
    *("-nostdinc", "-ffreestanding", "-fno-stack-protector"),
    # As kernels are: no unwind tables; loops as they are written, vectors where they are named.
    *("-fno-unwind-tables", "-fno-asynchronous-unwind-tables"),
    *("-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"),
)
SCALAR_FLAGS = ("-Os", "-mno-implicit-float", "-fno-discard-value-names")
VECTOR_FLAGS = (
    "-O2",
    "-Wno-psabi",
    "-fdiscard-value-names",
)  # its vectors are in registers of any width
# Functions of LLVM's own that all of its targets have.
INTRINSICS = {
    "llvm.ctlz.i64",
    "llvm.cttz.i64",
    *(f"llvm.fmuladd.{kind}" for kind in ("f32", "f64", "v4f64", "v8f32")),
    "llvm.fshl.i32",
    "llvm.memcpy.p0.p0.i64",
    "llvm.memset.p0.i64",
    "llvm.prefetch.p0",
    "llvm.sadd.with.overflow.i64",
    "llvm.smax.i64",
    "llvm.smin.i64",
    "llvm.smul.with.overflow.i64",
    "llvm.umax.i64",
    "llvm.umin.i64",
}


class CompilerMissing(RuntimeError):
    """The one compiler whose text is committed is not installed."""


def main() -> None:
    for unit in UNITS:
        path(unit).write_text(text(unit))
        print(path(unit))


def path(unit: str) -> Path:
    """The file with the text of `unit`."""
    return FOLDER / f"{unit}.ll"


def text(unit: str) -> str:
    """The text that `unit` should have; needs the compiler."""
    made = normalised(_clang(_source(unit), *flags(unit)), unit in VECTORS)
    return f"{heading(unit, made)}{made}"


def heading(unit: str, made: str) -> str:
    """What stands before the text `made` of `unit`: digests of source and text, so that a change
    of either one alone is found without the compiler, too."""
    source = hashlib.sha256()
    for part in (COMPILER, *FLAGS, *flags(unit), _source(unit)):
        source.update(part.encode() + b"\0")
    for file in sorted([*FOLDER.glob("*.c"), *FOLDER.glob("*.h")]):
        source.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return (
        f"; Made of {unit}.c by `make runtime`: change that instead.\n"
        f"; source {source.hexdigest()}\n"
        f"; text {hashlib.sha256(made.encode()).hexdigest()}\n\n"
    )


# ---- compiling ----


def _source(unit: str) -> str:
    """The C source that is compiled: that of `unit`, and what Python takes for granted about it."""
    checks = {
        "runtime": _agreements,
        "profiling": _counters,
        "thread_pool": _thresholds,
        "tables": _layouts,
        **dict.fromkeys(VECTORS, _lengths),
    }.get(unit, tuple)()
    rows = [f'_Static_assert({check}, "Python takes it for granted");\n' for check in checks]
    return "".join([f'#include "{unit}.c"\n', *rows])


def _agreements() -> Iterator[str]:
    """Conditions in C: numbers that stand in Python and in the source are the same."""
    fields = {
        "Object": {"type": python_abi.TYPE},
        "List": {"size": python_abi.LIST_SIZE, "items": python_abi.LIST_ITEMS},
        "Builtin": {"method": python_abi.FUNCTION_METHOD, "self": python_abi.FUNCTION_SELF},
        "Method": {"function": python_abi.METHOD_FUNCTION},
        "Array": {
            "data": python_abi.DATA,
            "rank": python_abi.RANK,
            "extents": python_abi.DIMS,
            "base": python_abi.BASE,
            "descriptor": python_abi.DESCR,
            "flags": python_abi.FLAGS,
        },
        "Bytes": {"size": python_abi.BYTES_SIZE, "contents": python_abi.BYTES_CONTENTS},
        "struct PoolState": {name: 8 * place for place, name in enumerate(state.STATE)},
    }
    for type_, offsets in fields.items():
        for field, offset in offsets.items():
            yield f"offsetof({type_}, {field}) == {offset}"
    constants = {
        "C_CONTIGUOUS": python_abi.C_CONTIGUOUS,
        "OWNS_DATA": python_abi.OWNDATA,
        "ALIGNED": python_abi.ALIGNED,
        "WRITEABLE": python_abi.WRITEABLE,
        **{name: getattr(native, name) for name in SHARED_NAMES},
        "INLINE_BYTES": state.INLINE_BYTES,
        "BAD_EXTENT": calling_convention.BAD_EXTENT,
        "INTERRUPTED": calling_convention.INTERRUPTED,
        "RELEASE_WORK": arena_layout.RELEASE_WORK,
        "sizeof(struct PoolState)": 8 * len(state.STATE),
        "sizeof(Input)": 8 * len(native.INPUT.split(",")),
        "sizeof(Result)": 8 * len(native.RESULT.split(",")),
        "sizeof(TableInput)": 8 * len(native.TABLE_INPUT.split(",")),
        "sizeof(Table)": 8 * (1 + native.TABLE_NUMBERS),
        "offsetof(Table, size)": 8 * runtime._TABLE_SIZE,
    }
    for name, value in constants.items():
        yield f"{name} == {value}"


def _layouts() -> Iterator[str]:
    """Conditions on the objects that tables look into."""
    yield f"offsetof(Object, type) == {python_abi.TYPE}"
    yield f"offsetof(Array, data) == {python_abi.DATA}"


def _lengths() -> Iterator[str]:
    """Conditions on the lengths that there are radices for, and on vectors of them."""
    yield f"ODD_MAX == {max(fourier.PRIMES)}"
    yield f"sizeof(VECTOR) == {fourier.VECTOR_BYTES}"


def _thresholds() -> Iterator[str]:
    """Conditions on what loops have parts for."""
    yield f"SHARED_WORK == {Target().parallel_worth}"


def _counters() -> Iterator[str]:
    """Conditions on what programs that time their kernels note."""
    places = {
        "calls": profiling.CALLS,
        "nanoseconds": profiling.TOTAL,
        "least": profiling.LEAST,
        "bytes": profiling.BYTES,
        "operations": profiling.OPERATIONS,
    }
    for field, place in places.items():
        yield f"offsetof(Counters, {field}) == {8 * place}"
    yield f"sizeof(Counters) == {8 * profiling.ROW}"
    yield f"sizeof(Event) == {8 * profiling.EVENT}"


def flags(unit: str) -> tuple[str, ...]:
    """What the compiler is told of `unit` beside FLAGS."""
    return VECTOR_FLAGS if unit in VECTORS else SCALAR_FLAGS


def _clang(source: str, *flags: str) -> str:
    """What the compiler makes of `source`, as LLVM text."""
    home = _compiler()
    headers = ("-isystem", str(home / "lib" / "include"), "-I", str(FOLDER))
    command = [str(home / "zig"), "clang", *FLAGS, *flags, *headers, "-x", "c", "-", "-o", "-"]
    run = subprocess.run(
        [*command, "-S", "-emit-llvm"], input=source, capture_output=True, text=True
    )
    if run.returncode:
        raise RuntimeError(run.stderr)
    return run.stdout


def _compiler() -> Path:
    """The folder of the package that brings the compiler."""
    package = importlib.util.find_spec("ziglang")
    if package is None or package.origin is None:
        raise CompilerMissing(f"pip install ziglang=={COMPILER}")
    version = importlib.metadata.version("ziglang")
    if version != COMPILER:
        raise CompilerMissing(f"pip install ziglang=={COMPILER}, not {version}")
    return Path(package.origin).parent


# ---- the compiler's text, as it is committed ----

_OUTSIDE = re.compile(r"^(?:;|source_filename |target |attributes |!).*\n", re.M)
_LIFETIME = re.compile(r"^.*@llvm\.(?:lifetime|experimental\.noalias\.scope)\..*\n", re.M)
_COMMENT = re.compile(r" +; preds = .*")
_METADATA = re.compile(r", ![\w.]+ !\d+")
_ATTRIBUTE = re.compile(
    r"(?<![%@.\w])(?:noundef|nonnull|noalias|nofree|readnone|readonly|writeonly|returned|zeroext"
    r"|signext|immarg|dso_local|local_unnamed_addr|unnamed_addr|noreturn|allocptr"
    r"|(?:captures|range|initializes|dereferenceable|dereferenceable_or_null)\((?:[^()]|\([^()]*\))*\)"
    r"|(?<!, )align \d+(?= %))(?![\w.]) ?"
)
_TYPE = re.compile(r"^(%[\w.]+) = type (.*)\n", re.M)
_GROUP = re.compile(r"^attributes (#\d+) = \{ (.*) \}$", re.M)
_HEAD = re.compile(r"^(define .*\)) (#\d+) \{$", re.M)
_DECLARED = re.compile(r"^declare .*@([\w.]+)\(", re.M)
_CONSTANT = re.compile(r"^  (%[\w.]+) = (?:tail )?call i64 @([A-Z_]+)\(\)\n", re.M)


def normalised(made: str, vectors: bool = False) -> str:
    """Clang's text, with what is to be committed of it; whether it computes with `vectors`."""
    attributes = "nounwind" if vectors else native.ATTRIBUTES
    groups = dict(_GROUP.findall(made))
    for pattern in (_OUTSIDE, _LIFETIME, _COMMENT, _METADATA, _ATTRIBUTE):
        made = pattern.sub("", made)

    def head(match: re.Match[str]) -> str:
        once = f" {entry.ONCE}" if "cold" in groups[match[2]].split() else ""
        return f"{match[1]} {attributes}{once} {{"

    made = _HEAD.sub(head, made)
    made = re.sub(r" #\d+$", "", made, flags=re.M)  # of calls and declarations
    made = re.sub(r" (?=[,)])", "", made)  # what attributes have left behind
    made = re.sub(r"%(\d+)\b", r"%v\1", made)  # unnamed values must be numbered without gaps
    made = re.sub(r"^(\d+):", r"v\1:", made, flags=re.M)
    # A first block without a name has the number behind those of the parameters.
    made = re.sub(r"^define .*%v(\d+)\).*\{\n(?=  )", _with_label, made, flags=re.M)
    types = dict(_TYPE.findall(made))
    made = _TYPE.sub("", made)
    while any(name in made for name in types):  # types may stand in types
        for name, meaning in types.items():
            made = re.sub(re.escape(name) + r"(?![\w.])", lambda _, new=meaning: new, made)
    made = "".join(map(_with_constants, re.split(r"(?<=\n}\n)", made)))
    made = re.sub(r"^declare i64 @[A-Z_]+\(\)\n", "", made, flags=re.M)
    made = made.replace("tail call void @spin_pause()", "$SPIN_PAUSE")
    made = made.replace("call void @spin_pause()", "$SPIN_PAUSE")
    made = made.replace("declare void @spin_pause()\n", "")
    _check(made, vectors)
    return re.sub(r"\n{3,}", "\n\n", made).strip() + "\n"


def _with_label(head: re.Match[str]) -> str:
    return f"{head[0]}v{int(head[1]) + 1}:\n"


def _with_constants(function: str) -> str:
    """`function` with `$NAME` wherever it uses what it asks a constant of the platform for."""
    for call in _CONSTANT.finditer(function):
        function = function.replace(call[0], "")
        function = re.sub(re.escape(call[1]) + r"(?![\w.])", f"${call[2]}", function)
    return function


def _check(made: str, vectors: bool) -> None:
    """Nothing but what the source names may be called, or LLVM knows everywhere."""
    headers = "".join(file.read_text() for file in FOLDER.glob("*.h"))
    for name in _DECLARED.findall(made):
        if name not in INTRINSICS and not re.search(rf"\b{re.escape(name)}\(", headers):
            raise RuntimeError(f"the text calls {name}, which the source does not name")
    unexpected = r"#\d|!\d|\basm\b" if vectors else r"#\d|!\d|\basm\b|<\d+ x "
    if left := re.search(rf"^.*(?:{unexpected}).*$", made, re.M):
        raise RuntimeError(f"the text has what is not expected: {left[0]}")


if __name__ == "__main__":
    sys.exit(main())
