"""IR as text, of tensor functions and of kernels, that somebody has changed.

Tensor functions are parsed, verified, optimised, lowered, and at times run. Kernels are parsed,
verified and compiled but not run: what they may reach is nobody's to bound (see `tfc.ir.parse`).
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tfc as tf
from tests import golden, native
from tests.fuzz.inputs.attempts import RESULT, Kind, counted
from tests.optable import ROWS
from tests.saved_model.mutations import changed_text
from tfc.backends.cpu import jit, machine
from tfc.backends.cpu.module_text import program_text
from tfc.backends.cpu.program import Signature
from tfc.ir import passes, text
from tfc.ir.verify import verify

DEADLINE = 2.0  # seconds that a program may run: text may well say to loop for ever
GOLDEN = Path(__file__).parents[2] / "ir" / "golden"


@dataclass(frozen=True)
class Text:
    """A function's text, and what it is called with."""

    text: str
    arrays: tuple[Any, ...] = ()


def variants(count: int) -> list[str]:
    """The names of so many variants of each row of the table of ops."""
    rows = counted(row.op.mnemonic for row in ROWS)
    return [f"{name}.{variant}" for name in rows for variant in range(count)]


@cache
def row(number: int, variant: int) -> Text:
    """An op of the table of ops, for one of its dtypes, and for sizes that are known or not."""
    op = ROWS[number]
    dtypes = op.dtypes.split()
    dtype = dtypes[variant % len(dtypes)]
    sizes = op.sizes[variant % len(op.sizes)]
    f = op.function(dtype, sizes if variant % 3 == 0 else None)
    return Text(str(f), tuple(op.arrays(dtype, sizes)))


@cache
def golden_texts(kernels: bool) -> tuple[Text, ...]:
    """The functions of the golden files, with kernels or without."""
    found = []
    for path in sorted(GOLDEN.glob("*.ir")):
        for case in golden.split_cases(path.read_text()):
            for part in case.split(golden.OUTCOME):
                for function in re.findall(r"^func @.*?^\}", part, re.MULTILINE | re.DOTALL):
                    if bool(re.search(r"\b(launch|kernel) ", function)) == kernels:
                        found.append(Text(function))
    return tuple(found)


class TensorTexts(Kind):
    name = "tensor texts"
    weight = 5

    def names(self) -> list[str]:
        return [*variants(8), *counted(t.text for t in golden_texts(False))]

    def subject(self, seed: int) -> Text:
        rows = 8 * len(ROWS)
        return row(*divmod(seed, 8)) if seed < rows else golden_texts(False)[seed - rows]

    def edit(self, subject: Text, rng: random.Random) -> Text:
        return replace(subject, text=changed_text(subject.text, rng))

    def run(self, subject: Text, rng: random.Random) -> str:
        f = verify(text.parse(subject.text))
        if calls_python(f):
            return RESULT
        if rng.randrange(4):
            native.lowered(f)
        elif not any(op.mnemonic == "launch" for op in f.walk()):
            with tf.config.deadline(DEADLINE):
                f(*arguments(f, subject.arrays))
        return RESULT

    def shown(self, subject: Text) -> str:
        return subject.text


def arguments(f: Any, arrays: Sequence[Any]) -> list[Any]:
    """The arrays, or others where the parameters are others."""
    given = []
    for i, p in enumerate(f.params):
        shape = [e if isinstance(e, int) else 3 for e in p.shape]
        fits = i < len(arrays) and arrays[i].dtype == p.dtype.numpy
        if fits and len(shape) == arrays[i].ndim:
            given.append(arrays[i])
        elif int(np.prod(shape, dtype=object)) <= 1 << 20:
            given.append(np.ones(shape, p.dtype.numpy))
        else:
            raise tf.errors.ResourceExhaustedError("a parameter is too large to try")
    return given


@cache
def kernel(number: int, variant: int) -> Text:
    """The kernels that an op of the table is lowered to."""
    return Text(str(native.lowered(text.parse(row(number, variant).text))))


class KernelTexts(TensorTexts):
    name = "kernel texts"
    weight = 3

    def names(self) -> list[str]:
        return [*variants(3), *counted(t.text for t in golden_texts(True))]

    def subject(self, seed: int) -> Text:
        rows = 3 * len(ROWS)
        return kernel(*divmod(seed, 3)) if seed < rows else golden_texts(True)[seed - rows]

    def run(self, subject: Text, rng: random.Random) -> str:
        f = verify(text.parse(subject.text))
        if calls_python(f):
            return RESULT
        passes.run(f, passes.OPTIMISE)
        if rng.randrange(4) == 0 and not machine_of_another(f):
            written, *_ = program_text(f, Signature(tuple_result=True), machine.host())
            jit._object(written, 0)
        return RESULT


def calls_python(f: Any) -> bool:
    """Whether it has ops that call functions of this process by their numbers."""
    return any(op.mnemonic in ("python_run", "python_start") for op in f.walk())


def machine_of_another(f: Any) -> bool:
    """Whether kernels are for GPUs."""
    return any("block" in str(getattr(op, "kind", "")) or op.mnemonic == "grid" for op in f.walk())
