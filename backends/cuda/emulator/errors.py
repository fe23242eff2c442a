"""What the emulator complains about: text that it cannot run, and faults of running kernels."""

from __future__ import annotations

from enum import IntEnum


class PtxError(ValueError):
    """PTX that cannot be run: it is malformed, or uses what the emulator does not know."""

    def __init__(self, message: str, line: int = 0, text: str = "") -> None:
        self.line, self.text = line, text
        place = f"line {line}: " if line else ""
        super().__init__(f"{place}{message}" + (f"\n    {text}" if text else ""))


class Fault(IntEnum):
    """Why a kernel stopped. The numbers are what generated code writes into the launch record."""

    NONE = 0
    GLOBAL = 1
    SHARED = 2
    LOCAL = 3
    PARAMETER = 4
    GENERIC = 5
    TRAP = 6
    BUDGET = 7
    DEADLOCK = 8
    EXITED_LANE = 9
    NOT_IN_MASK = 10
    DIVERGED_BARRIER = 11
    EXITED_AT_BARRIER = 12
    ASYNC_QUEUE = 13
    BARRIER_NUMBER = 14
    BRANCH_TABLE = 15
    DESCRIPTOR = 16


MEANINGS = {
    Fault.GLOBAL: "access to global memory outside of every allocation, or misaligned",
    Fault.SHARED: "access outside of the block's shared memory, or misaligned",
    Fault.LOCAL: "access outside of the thread's local memory, or misaligned",
    Fault.PARAMETER: "access outside of the kernel's parameters, or misaligned",
    Fault.GENERIC: "generic access that is in no memory, or misaligned",
    Fault.TRAP: "trap",
    Fault.BUDGET: "ran for too long: an endless loop, or a wait for what never happens",
    Fault.DEADLOCK: "deadlock",
    Fault.EXITED_LANE: "the mask names a lane that has exited",
    Fault.NOT_IN_MASK: "the mask does not name the executing lane",
    Fault.DIVERGED_BARRIER: "threads of one warp wait at different aligned barriers",
    Fault.EXITED_AT_BARRIER: "a barrier that some threads never reach: they have exited",
    Fault.ASYNC_QUEUE: "more asynchronous copies in flight than the emulator can hold",
    Fault.BARRIER_NUMBER: "there are barriers 0 to 15 only",
    Fault.DESCRIPTOR: "lanes describe different matrices, or one that is not swizzled by 128 bytes",
    Fault.BRANCH_TABLE: "the index is outside of the table of branches",
}


class EmulationError(RuntimeError):
    """A kernel did what no kernel may do. Says where: kernel, PTX line, block, thread, address."""

    def __init__(
        self,
        fault: Fault,
        *,
        kernel: str,
        line: int,
        text: str,
        block: tuple[int, int, int],
        thread: tuple[int, int, int],
        address: int | None = None,
        detail: str = "",
    ) -> None:
        self.fault, self.kernel, self.line, self.text = fault, kernel, line, text
        self.block, self.thread, self.address, self.detail = block, thread, address, detail
        parts = [f"{kernel}: {MEANINGS[fault]}"]
        if address is not None:
            parts.append(f"address {address:#x}")
        parts.append(f"block {block}, thread {thread}")
        parts.append(f"line {line}: {text}")
        super().__init__("\n    ".join(parts + ([detail] if detail else [])))
