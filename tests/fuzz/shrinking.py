"""Smaller programs that fail as a found one does."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Callable, Iterator

from tests.fuzz.programs import Program, Step


def smallest(program: Program, fails: Callable[[Program], bool], seconds: float) -> Program:
    """Leave out steps, results and inputs for as long as `fails` and there is time."""
    end = time.monotonic() + seconds
    smaller = True
    while smaller:
        smaller = False
        for candidate in candidates(program):
            if time.monotonic() > end:
                return program
            if fails(candidate):
                program, smaller = candidate, True
                break
    return program


def candidates(program: Program) -> Iterator[Program]:
    """Some of the program and its relatives; with one result alone, without a step and what needs
    it, without an input."""
    yield from parts(program)
    if len(program.returns) > 1:
        for name in program.returns:
            yield only(program, [name])
    for step in reversed(program.steps):
        yield without(program, step)
    together = (program, *program.relatives)
    for name in program.inputs:
        used = any(mentions("\n".join(p.body()), name) for p in together)
        if len(program.inputs) > 1 and not used:
            inputs = {n: t for n, t in program.inputs.items() if n != name}
            first, *others = (dataclasses.replace(p, inputs=inputs) for p in together)
            yield dataclasses.replace(first, relatives=tuple(others))


def parts(program: Program) -> Iterator[Program]:
    """Halves of the programs that run together, quarters, down to each alone; then all programs
    but such a part."""
    together = (program, *program.relatives)
    chunks = []
    size = len(together) // 2
    while size:
        chunks += [range(at, at + size) for at in range(0, len(together), size)]
        size //= 2
    for kept in (True, False):
        for chunk in chunks:
            some = [p for i, p in enumerate(together) if (i in chunk) == kept]
            others = tuple(dataclasses.replace(p, relatives=()) for p in some[1:])
            yield dataclasses.replace(some[0], relatives=others)


def mentions(code: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", code) is not None


def only(program: Program, returns: list[str]) -> Program:
    """The program that returns these, with the steps that they need and all statements."""
    needed, steps = set(returns), []
    for step in reversed(program.steps):
        if not step.name or step.name in needed:
            steps.append(step)
            needed |= set(re.findall(r"\b[xyv]\d+\b", step.code))
    return dataclasses.replace(program, steps=steps[::-1], returns=returns)


def without(program: Program, left_out: Step) -> Program:
    """The program without a step, and what hangs on it."""
    gone: set[str] = set()
    steps = []
    for step in program.steps:
        if step is left_out or any(mentions(step.code, name) for name in gone):
            gone |= {step.name} - {""}
        else:
            steps.append(step)
    returns = [name for name in program.returns if name not in gone]
    if not returns:
        made = [s.name for s in steps if s.name]
        returns = made[-1:] or [next(iter(program.inputs))]
    return dataclasses.replace(program, steps=steps, returns=returns)
