"""All stages of a function, made for a page: with lines, and as far as they can be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from tfc.backends.calling_convention import Signature
from tfc.backends.cpu import jit, machine
from tfc.backends.cpu.module_text import explained_text
from tfc.ir import passes
from tfc.ir.core import Function, Op
from tfc.ir.journal import Journal, recording, taken
from tfc.ir.kernels.expand_scalars import expand
from tfc.ir.kernels.lower import lower
from tfc.ir.liveness import is_staged
from tfc.ir.ops.python import calls_python, settle
from tfc.ir.passes.data_extents import stages as cut

from ..core.context import settings
from ..dispatch.compiled import Stages, cuda
from ..function.concrete import ConcreteFunction

if TYPE_CHECKING:
    from tfc.backends.cuda.module import DeviceModule

Result = TypeVar("Result")


@dataclass
class Program:
    """One native program, and the stages on the way to it. None is what could not be made."""

    optimised: Function
    lowered: Function | None = None  # to kernels, in which functions such as exp are themselves
    kernels: Function | None = None
    llvm: str | None = None
    assembly: str | None = None
    native: dict[tuple[Op, ...], str] = field(default_factory=dict)  # kernels' functions, by body
    signature: Signature = field(default_factory=Signature)


@dataclass
class Made:
    """The stages of a function."""

    traced: Function
    journal: Journal = field(default_factory=Journal)  # of what the passes did
    programs: list[Program] = field(default_factory=list)  # several where extents depend on data
    failure: str = ""  # which stage failed, and why


class _Failed(Exception):
    """A stage could not be made."""


def make(concrete: ConcreteFunction) -> Made:
    """Make all stages of `concrete` again, for this processor. Where a stage fails, those before it
    are there, and `failure` says why."""
    f = concrete.function
    made = Made(f)
    try:
        for optimised, stages, signature in _parts(concrete, made):
            program = Program(optimised, signature=signature)
            made.programs.append(program)
            program.lowered = _tried(made, "lowered", partial(getattr, stages, "lowered"))
            program.kernels = _tried(made, "kernels", partial(getattr, stages, "kernels"))
            program.llvm = _tried(made, "LLVM", partial(_llvm, program))
            program.assembly = _tried(made, "assembly", partial(jit.assembly, program.llvm, True))
    except _Failed:
        pass
    return made


def _parts(concrete: ConcreteFunction, made: Made) -> Iterator[tuple[Function, Stages, Signature]]:
    """What is compiled as a program: a function, or one after the other where extents are data."""
    f = concrete.function
    own = Signature(
        len(concrete.captured),
        updates=concrete._updates,
        tuple_result=not concrete.structure.is_leaf,
    )
    if not is_staged(f):
        first = len(f.params) - own.captures
        stages = Stages(f, None, [(result, first + capture) for result, capture in own.updates])
        with recording() as made.journal:
            optimised = _tried(made, "optimised", partial(getattr, stages, "optimised"))
        yield optimised, stages, own
        return

    def optimise() -> Function:
        found = passes.run(f)
        return taken(settle, found) if calls_python(found) else found

    with recording() as made.journal:
        whole = _tried(made, "optimised", optimise)
    for part in cut(whole):
        stages = Stages(part.function)
        optimised = _tried(made, "optimised", partial(getattr, stages, "optimised"))
        yield optimised, stages, Signature(scalars=part.scalars, tuple_result=True)


def _llvm(program: Program) -> str:
    assert program.kernels is not None
    text, program.native = explained_text(program.kernels, program.signature, machine.programs())
    return text


def _tried(made: Made, stage: str, step: Callable[[], Result]) -> Result:
    """What `step` gives. Where it fails that is noted, and nothing follows."""
    try:
        return step()
    except Exception as error:
        done = made.journal.steps
        after = f" after {done[-1].name}" if stage == "optimised" and done else ""
        made.failure = f"{stage}: failed{after}\n{type(error).__name__}: {error}"
        raise _Failed from error


def for_gpu(program: Program) -> DeviceModule:
    """What a GPU would get; none is needed for that."""
    target = cuda().target(tf32=settings.tensor_float_32)
    module: DeviceModule = cuda().compile_module(expand(lower(program.optimised, target)))
    return module


__all__ = ["Made", "Program", "for_gpu", "make"]
