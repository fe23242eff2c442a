"""What a function becomes on the road to native code, and the program at its end."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfc.ir.core import Function
from tfc.ir.journal import Journal, recording, taken
from tfc.ir.kept_strings import keeping_strings
from tfc.ir.ops.elementwise import Elementwise
from tfc.ir.ops.host_functions import holds_strings
from tfc.ir.ops.python import PythonCall, calls_python, returns_token, settle

from ..core.context import settings, user_location
from .sessions import in_session

if TYPE_CHECKING:
    from tfc.ir.kernels.plan.explain import FusionReport


class Stages:
    """The stages of a function for the CPU or a GPU. Each is made when it is asked for: that of a
    recalled program hardly ever is."""

    def __init__(
        self,
        traced: Function,
        device: Any = None,
        updates: Sequence[tuple[int, int]] = (),
        passed: Callable[[], object] = lambda: None,
        baseline: bool = False,
    ) -> None:
        """`passed` is called after each stage."""
        self.traced = traced
        self.device = device
        self._baseline = baseline  # whether it is for the first calls
        self._passed = passed
        self._updates = updates  # results that are new values of params
        self.timings: dict[str, float] = {}  # milliseconds of those that were made
        self._log: list[tuple[str, Any]] = [("traced", traced)]
        # No `cached_property`: its lock, of all instances, could be held in the child of a fork.
        self._optimised: Function | None = None
        self._lowered: Function | None = None
        self._kernels: Function | None = None

    @property
    def optimised(self) -> Function:
        if self._optimised is None:
            self._optimised = self._optimise()
        return self._optimised

    @property
    def lowered(self) -> Function:
        """The kernels with their scalar ops as they are: `exp` is no polynomial yet."""
        if self._lowered is None:
            from tfc.ir.kernels.lower import lower

            made = self.optimised
            if not _has_kernels(made):
                made = lower(made, self._target())
                self._log.append(("lower", made))
            self._lowered = made
        return self._lowered

    @property
    def kernels(self) -> Function:
        if self._kernels is None:
            self._kernels = self._lower()
        return self._kernels

    def _optimise(self) -> Function:
        from tfc.ir import passes

        start = time.perf_counter_ns()
        made = passes.run(self.traced, observe=lambda name, f: self._log.append((name, f)))
        if calls_python(made):
            made = taken(settle, made)
            self._log.append(("settle", made))
        forgetting = taken(passes.forget_strings, made)
        if forgetting is not made:
            made = forgetting
            self._log.append(("forget_strings", made))
        if self._updates:

            def check_first(f: Function) -> Function:
                return passes.check_first(f, self._updates)

            checked = taken(check_first, made)
            if checked is not made:
                made = checked
                self._log.append(("check_first", made))
        self._note("optimise", start)
        return made

    def _lower(self) -> Function:
        from tfc.ir.kernels.expand_scalars import expand
        from tfc.ir.verify import verify

        optimised = self.optimised
        start = time.perf_counter_ns()
        made = self.lowered
        if not _has_kernels(optimised):
            made = expand(made)
        else:  # parsed from text
            verify(made)
            if any(isinstance(op, Elementwise) and op.expansion for op in made.walk()):
                made = expand(made)  # the text of the stage "lowered"
        self._log.append(("expand", made))
        if self.device is None and os.environ.get("TFC_VERIFY") == "bounds":
            from tfc.ir.kernels.check_bounds import check_bounds

            made = check_bounds(made)
            self._log.append(("check_bounds", made))
        self._note("lower", start)
        return made

    def _note(self, stage: str, start: int) -> None:
        """A stage that began at `start` has been made."""
        end = time.perf_counter_ns()
        self.timings[stage] = 1e-6 * (end - start)
        if settings.timeline is not None:
            settings.timeline.compiled(f"{stage} {self.traced.name}", start, end)
        self._passed()

    def explain_passes(self) -> Journal:
        """What the passes do with each op; they run once more."""
        with recording() as journal:
            Stages(self.traced, self.device, self._updates)._optimise()
        return journal

    def explain_fusion(self) -> FusionReport:
        """The plan of the kernels, made once more, with the reasons."""
        from tfc.ir.kernels.lower import machine_of
        from tfc.ir.kernels.plan.explain import explain

        if _has_kernels(self.optimised):
            raise ValueError(f"@{self.traced.name} consists of kernels: nothing in it is fused")
        target = self._target()
        return explain(self.optimised, machine_of(target), target)

    def again(self, traced: Function) -> Stages:
        """Those of a function that compiles alike: its own, where values have other names."""
        if _names(traced) == _names(self.traced):
            return self
        return Stages(traced, self.device, self._updates, baseline=self._baseline)

    def _target(self) -> Any:
        return _target(self.device, self._baseline)

    def __getitem__(self, stage: str) -> Function:
        """The stage of this name; KeyError for another one."""
        if stage not in STAGES:
            raise KeyError(stage)
        found: Function = getattr(self, stage)
        return found

    def read(self, stage: str) -> str:
        """The text of a stage for people: in columns; of kernels in brief, with functions such as
        `exp` as what they are."""
        from tfc.ir.kernels.brief import brief
        from tfc.ir.reading import laid_out

        f = self[stage if stage != "kernels" else "lowered"]
        return brief(f) if _has_kernels(f) else laid_out(f)

    def dump(self, folder: str, compiled: Compiled) -> None:
        """One file for each stage, numbered in order."""
        from tfc.ir.reading import laid_out

        global _dumped
        _dumped += 1
        os.makedirs(folder, exist_ok=True)
        name = self.traced.name
        safe = "".join(c if c.isalnum() else "_" for c in name)
        rows = [(f"{stage}.ir", f"# after {stage}\n{laid_out(f)}\n") for stage, f in self._log]
        rows.append(("kernels.txt", f"{self.read('kernels')}\n"))
        if self.device is None:
            rows += [("llvm.ll", compiled.text("llvm")), ("asm.s", compiled.text("asm"))]
        else:
            rows += [("kernels.ptx", compiled.text("ptx"))]
        for i, (stage, text) in enumerate(rows):
            with open(os.path.join(folder, f"{_dumped:03}_{safe}.{i:02}_{stage}"), "w") as file:
                file.write(text)


def _names(f: Function) -> list[str]:
    ops = list(f.walk())
    regions = [region for op in ops for region in op.regions]
    params = [p.name for function in (f, *regions) for p in function.params]
    return params + [v.name for op in ops for v in op.results]


def _has_kernels(f: Function) -> bool:
    """Whether a function has kernels already: it was parsed from text."""
    from tfc.ir.kernels.ops import HostLaunch, Launch

    return not f.all_op_classes.isdisjoint((Launch, HostLaunch))


STAGES = ("traced", "optimised", "lowered", "kernels")
_dumped = 0


class Compiled:
    """A function's stages and its native program."""

    def __init__(
        self,
        stages: Stages,
        program: Any,
        timings: dict[str, float],
        cache: str,
        origin: Compiled | None = None,
    ) -> None:
        """`timings` are milliseconds by stage; `cache` is "hit" or "miss" of the disk cache, or
        "shared" with an equal function, `origin`, which is kept findable."""
        self.stages = stages
        self.program = program
        self.timings = timings
        self.cache = cache
        self.origin = origin

    def bind(self, name: str, captures: Sequence[object] = ()) -> Callable[..., Any]:
        """The native callable; `captures` are the tensors and Variables it always runs on."""
        sites = self.program.sites

        def handler(status: int, *values: int) -> None:
            from .failures import runtime_error

            raise runtime_error(name, sites, status, values)

        call: Callable[..., Any] = self.program.bind(handler, captures, name)
        if holds_strings(self.stages.traced):
            call = keeping_strings(call)
        if not _knows_python(self.stages.traced):
            return call
        return python_aware(call, self.stages.optimised)

    def again(self, traced: Function) -> Compiled:
        """The same program for an equal function, which costs nothing more."""
        return Compiled(self.stages.again(traced), self.program, {}, "shared", self)

    @property
    def counters(self) -> list[Any]:
        """What its kernels took, where it times them."""
        return [self.program.counters] if self.program.counters else []

    def explain_passes(self) -> Journal:
        """What each pass did with which op."""
        return self.stages.explain_passes()

    def explain_fusion(self) -> FusionReport:
        """Which kernel computes each op of the optimised function, and why."""
        return self.stages.explain_fusion()

    def text(self, stage: str, verbose: bool = False) -> str:
        """The text of one stage: that of kernels in brief, unless it is to be `verbose`."""
        if self.stages.device is not None and stage in ("llvm", "asm", "ptx"):
            return str(self.program.text)
        if stage == "ptx":
            return _ptx(self.stages.optimised)
        if stage == "asm":
            from tfc.backends.cpu import jit

            return jit.assembly(self.program.text)
        if stage == "llvm":
            return str(self.program.text)
        if stage not in STAGES:
            known = ", ".join([*STAGES, "llvm", "asm", "ptx"])
            raise ValueError(f"no stage {stage!r}: there are {known} ({user_location()})")
        return str(self.stages[stage]) if verbose else self.stages.read(stage)


def python_aware(call: Callable[..., Any], f: Function) -> Callable[..., Any]:
    """`call`, which runs `f`; it keeps and forgets what Python functions of the user's give."""
    if not _knows_python(f):
        return call
    return in_session(call, returns_token(f))


def _knows_python(f: Function) -> bool:
    """Whether `f` runs Python functions of the user's, or reads what they gave."""
    return PythonCall in f.all_op_classes


def _ptx(optimised: Function) -> str:
    """What a GPU would get; none is needed for that."""
    from tfc.ir.kernels.expand_scalars import expand
    from tfc.ir.kernels.lower import lower

    target = cuda().target(tf32=settings.tensor_float_32)
    return str(cuda().compile_module(expand(lower(optimised, target))).ptx)


def _target(device: Any, baseline: bool = False) -> Any:
    """What schedules want to know of where it will run."""
    if device is not None:
        warpgroups = settings.warpgroups and device.has_warpgroups
        return cuda().target(tf32=settings.tensor_float_32, warpgroups=warpgroups)
    from tfc.backends.cpu import program

    return program.target(baseline)


def cuda() -> Any:
    from tfc.backends.cuda import program

    return program
