"""The environment variables that tfc and its tests read: what each may be, and what it does.

Each is read where it is used, most of them when they are first needed; here is what people are told
about them. `check` warns of what would silently be ignored or mean something else, when tfc is
imported. docs/reference/environment.md is written from the table (`make docs`).
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping
from typing import NamedTuple

PREFIX = "TFC_"


class EnvironmentVariable(NamedTuple):
    """A row of the table."""

    name: str
    allowed: str  # in words, as "a whole number from 1 on"
    meaning: str  # with what holds where it is not set
    otherwise: str  # what happens with all else
    fits: Callable[[str], bool]


def _switch(value: str) -> bool:
    return value in ("", "0", "1")


def _from(least: int) -> Callable[[str], bool]:
    def fits(value: str) -> bool:
        try:
            return int(value) >= least
        except ValueError:
            return False

    return fits


def _seconds(value: str) -> bool:
    try:
        return not value or float(value) > 0
    except ValueError:
        return False


def _seconds_or_none(value: str) -> bool:
    try:
        return not value or float(value) >= 0
    except ValueError:
        return False


def _folder(value: str) -> bool:
    path = os.path.expanduser(value)
    return not value or not os.path.exists(path) or os.path.isdir(path)


def _program(value: str) -> bool:
    return not value or os.access(value, os.X_OK)


def _features(value: str) -> bool:
    return all(w[0] in "+-" and w[1:] for w in map(str.strip, value.split(",")) if w)


def _gpus(value: str) -> bool:
    words = [w.strip() for w in value.lower().split(",") if w.strip()]
    if words[:1] != ["emulate"]:
        return len(words) < 2 and set(words) <= {"named", "off", "0", "none"}
    known = {"forward", "reversed", "random", "pooled", "two", "default"}
    return all(w in known or w.isdigit() for w in words[1:])


_SWITCH = "1 (on), or 0 or nothing (off)"
_ON = "it counts as 1"
_BYTES = "a whole number of bytes"
_IGNORED = "text is ignored, and negative numbers count as 0"

VARIABLES = (
    EnvironmentVariable(
        "TFC_NUM_THREADS",
        "a whole number from 1 on",
        "How many threads one operation may use. By default as many as there are processors that "
        "the process may run on.",
        "text is ignored, and numbers below 1 count as 1",
        _from(1),
    ),
    EnvironmentVariable(
        "TFC_CUDA",
        "off, named, or emulate and words after commas",
        "`off`: GPUs are not looked for. `named`: they are used where `tf.device` or a tensor on "
        "them says so, and not by default. `emulate`: one that is emulated, slowly and exactly, "
        "for tests; words may follow: `forward`, `reversed` or `random` (with a number, the seed) "
        "is the order of warps and blocks, `pooled` keeps freed memory for reuse, as real devices "
        "do, `two` has two of them, and with `default` code runs there that says nothing. By "
        "default GPUs are used where there are any.",
        "no GPU is found",
        _gpus,
    ),
    EnvironmentVariable(
        "TFC_CACHE_DIR",
        "a folder, or nothing",
        "Where compiled code is kept for later processes; nothing: it is not kept. The folder is "
        "made where it is not there, and must belong to the user alone. By default "
        "`$XDG_CACHE_HOME/tfc`, or `~/.cache/tfc`.",
        "nothing is kept",
        _folder,
    ),
    EnvironmentVariable(
        "TFC_CACHE_MAX_BYTES",
        _BYTES,
        "How large that folder may grow; what was not used for the longest time goes first. By "
        "default 1 GiB.",
        _IGNORED,
        _from(0),
    ),
    EnvironmentVariable(
        "TFC_POOL_MAX_BYTES",
        _BYTES,
        "How much freed memory is kept for reuse. By default 1 GiB, or a quarter of the machine's "
        "memory where that is less.",
        _IGNORED,
        _from(0),
    ),
    EnvironmentVariable(
        "TFC_COMPILE_MESSAGE_AFTER",
        "a number of seconds, or 0",
        "A program that takes longer to compile is told of by one line on stderr, which says where "
        "and why it is compiled. By default 1; 0: nothing is said.",
        "it counts as 1",
        _seconds_or_none,
    ),
    EnvironmentVariable(
        "TFC_COLLECTIVE_TIMEOUT",
        "a number of seconds",
        "How long a process waits in a collective for others, before each of them tells where it "
        "is and the job ends. By default 600.",
        "joining a job fails",
        _seconds,
    ),
    EnvironmentVariable(
        "TFC_COLLECTIVE_BUCKET",
        _BYTES,
        "In functions, sums over processes of many tensors leave in buckets of so many bytes, each "
        "as soon as it is computed, while the function goes on. By default 0: all leave at once.",
        "joining a job fails",
        _from(0),
    ),
    EnvironmentVariable(
        "TFC_DUMP",
        "a folder, or nothing",
        "Each function that is compiled leaves one file for each of its stages there.",
        "compiling fails",
        _folder,
    ),
    EnvironmentVariable(
        "TFC_DEBUG_INFO",
        _SWITCH,
        "Native code has the lines of the Python source, for gdb and perf.",
        _ON,
        _switch,
    ),
    EnvironmentVariable(
        "TFC_VERIFY",
        "1 (on), `bounds`, or 0 or nothing (off)",
        "The IR is verified after every pass. With `bounds`, kernels for the CPU check each "
        "element that they load or store, slowly, on one thread: that finds errors of tfc itself.",
        _ON,
        lambda value: value == "bounds" or _switch(value),
    ),
    EnvironmentVariable(
        "TFC_OPT_LEVEL",
        "0, or 2 or nothing",
        "0: machine code for the CPU is generated as quickly as can be. Programs compile in about "
        "half of the time, run many times slower (loops are not vectorised), and give the same "
        "bits: for tests and for work on programs that are compiled more often than they run. "
        "2: all code is generated in full. By default that of operations outside of functions is "
        "generated quickly for their first calls, on little data, and in full when there are more.",
        "it counts as 2",
        lambda value: value in ("", "0", "2"),
    ),
    EnvironmentVariable(
        "TFC_CPU_FEATURES",
        "LLVM's names of features, each after + or -, with commas between them",
        "Code is made for a processor with more (`+avx2`) or fewer (`-avx512f`) features than the "
        "one that is there.",
        "compiling fails",
        _features,
    ),
    EnvironmentVariable(
        "TFC_WGMMA",
        _SWITCH,
        "On GPUs of compute capability 9.0, products of float16 and bfloat16 use `wgmma`, which "
        "was never run on one.",
        _ON,
        _switch,
    ),
    EnvironmentVariable(
        "TFC_TEST_ALL",
        _SWITCH,
        "Tests run all of what they sample otherwise (`make test-all`).",
        _ON,
        _switch,
    ),
    EnvironmentVariable(
        "TFC_TEST_GPU",
        _SWITCH,
        "Tests of GPUs use a real one (`make test-gpu`).",
        _ON,
        _switch,
    ),
    EnvironmentVariable(
        "TFC_TEST_DEVICE",
        "the name of a device, such as /gpu:0",
        "Tests run there, as far as they do not say otherwise.",
        "no test runs",
        lambda value: value.lower().lstrip("/").removeprefix("device:")[:4] in ("", "cpu:", "gpu:"),
    ),
    EnvironmentVariable(
        "TFC_TEST_PTX",
        "all, or nothing",
        "Each row of the table of ops runs on the emulated GPU with each of its dtypes.",
        "it is ignored",
        lambda value: value in ("", "all"),
    ),
    EnvironmentVariable(
        "TFC_TEST_TENSORFLOW",
        "the path of an interpreter, or nothing",
        "An interpreter with TensorFlow, which tests of checkpoints have read and write, too.",
        "these tests are skipped",
        _program,
    ),
)


def check(environment: Mapping[str, str] = os.environ) -> None:
    """Warn of variables whose values are not allowed, and of names that are nearly those of the
    table. (Other names are other programs': the prefix is not ours alone.)"""
    given = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    known = {variable.name: variable for variable in VARIABLES}
    for name, value in given.items():
        variable = known.get(name)
        if variable is None:
            _check_name(name, list(known))
        elif not variable.fits(value):
            text = f"the environment has {name}={value!r}, but allowed is {variable.allowed}: "
            warnings.warn(text + variable.otherwise, RuntimeWarning, stacklevel=3)


def _check_name(name: str, known: list[str]) -> None:
    from difflib import get_close_matches  # which nobody needs otherwise

    if near := get_close_matches(name, known, 1, 0.85):
        text = f"the environment has {name}, which means nothing here: is it {near[0]}?"
        warnings.warn(text, RuntimeWarning, stacklevel=4)


__all__ = ["PREFIX", "VARIABLES", "EnvironmentVariable", "check"]
