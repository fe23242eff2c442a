"""Loops of kernels: what they carry is in registers, joined by phis."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeAlias

from tfc.ir.core import Function, Op
from tfc.ir.dtypes import int64
from tfc.ir.kernels.ops import For
from tfc.ir.value_classes import NamedTuple

from .memory import MemoryWriter
from .registers import Reg

Carried: TypeAlias = tuple[str, str]  # a type, and a value of it


class Rounds(NamedTuple):
    """The rounds of a loop, with what they carry beside the values that its op says."""

    carried: Sequence[Carried]  # at the start
    write: Callable[[Sequence[str]], Sequence[Carried]]  # gets their names; gives the next ones


class LoopWriter(MemoryWriter, ABC):
    """What writes loops, whatever the ops in them become."""

    @abstractmethod
    def op(self, op: Op) -> None:
        """Append the instructions of an op, with those of its regions."""

    def patient(self) -> str:
        """The register with the rounds after which a loop looks whether it is to end (at signals
        and deadlines); "" where it does not."""
        return ""

    def looking_up(self, left: str) -> str:
        """Count a round, and look where none is left; the register with the rounds left then."""
        raise NotImplementedError

    def rested(self, left: str) -> None:
        """Note at the end of a loop how many rounds are left for the next one."""

    def body(self, region: Function) -> None:
        """Append the instructions of all ops of a region."""
        for op in region.body:
            self.op(op)

    def counted(
        self,
        low: str,
        high: str,
        step: int | str,
        body: Callable[[str], Sequence[Carried]],
        carried: Sequence[Carried] = (),
    ) -> list[str]:
        """`for i = low; i < high; i += step`; the carried values (type, initial) after it.

        `body` gets the index and finds the carried values in `self.phis`; it returns the next
        ones as (type, name).
        """
        if _is_one_round(low, high, step):
            self.phis = [initial for _, initial in carried]
            with self.scope():
                return [value for _, value in body(low)]
        head, inside, done = [self.fresh(h)[1:] for h in ("loop", "body", "done")]
        origin = self.block
        self.do(f"br label %{head}")
        self.label(head)
        place = len(self.lines)
        index, following = self.fresh("i"), self.fresh("next")
        if low.isdigit() or low in self.natural:
            self.natural.add(index)
        phis = [self.fresh("c") for _ in carried]
        more = self.emit(f"icmp slt i64 {index}, {high}")
        self.do(f"br i1 {more}, label %{inside}, label %{done}")
        self.label(inside)
        self.phis = list(phis)
        with self.scope():
            new = body(index)
        self.do(f"{following} = add i64 {index}, {step}")
        self.do(f"br label %{head}")
        latch = self.block
        rows = [f"  {index} = phi i64 [ {low}, %{origin} ], [ {following}, %{latch} ]"]
        for phi, (kind, initial), (_, value) in zip(phis, carried, new, strict=True):
            rows.append(f"  {phi} = phi {kind} [ {initial}, %{origin} ], [ {value}, %{latch} ]")
        self.lines[place:place] = rows
        self.label(done)
        return phis

    def run(
        self, op: For, body: Callable[[str], Sequence[Carried]], carried: Sequence[Carried]
    ) -> list[str]:
        """The rounds of a loop (see `counted`)."""
        low, high = self.values[op.low].name, self.values[op.high].name
        return self.counted(low, high, op.step, body, carried)

    def rounds(self, op: For) -> Rounds:
        """How the body of a loop is written. What is to stand before the loop is appended now."""

        def write(_: Sequence[str]) -> list[Carried]:
            self.body(op.body)
            return []

        return Rounds([], write)

    def serial_loop(self, op: For) -> None:
        lanes = self.lanes
        inits = [(self.type(v.dtype, lanes), self.vector(self.values[v], lanes)) for v in op.init]
        rounds = self.rounds(op)

        def body(index: str) -> list[Carried]:
            first, *rest = op.body.params
            self.values[first] = Reg(index, int64)
            phis = self.phis
            for param, phi in zip(rest, phis, strict=False):
                self.values[param] = Reg(phi, param.dtype, lanes)
            following = rounds.write(phis[len(rest) :])
            new = [
                (self.type(v.dtype, lanes), self.vector(self.values[v], lanes))
                for v in op.body.returns
            ]
            return [*new, *following]

        finals = self.run(op, body, [*inits, *rounds.carried])
        for result, name in zip(op.results, finals, strict=False):
            self.values[result] = Reg(name, result.dtype, lanes)


def _is_one_round(low: str, high: str, step: int | str) -> bool:
    """Whether a loop surely has one round."""
    if not (isinstance(step, int) and low.isdigit() and high.isdigit()):
        return False
    return 0 < int(high) - int(low) <= step
