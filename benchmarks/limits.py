"""The arithmetic peak of one core, measured by a loop of independent multiply-adds."""

from __future__ import annotations

import ctypes
import time
from functools import cache
from typing import Any

from tfc.backends.cpu import jit
from tfc.backends.cpu.machine import host

from .harness import Contender

CHAINS = 12  # enough to cover the latency of an addition on two units


def fma(operations: int) -> Contender:
    """So many floating-point operations at the machine's best rate; a sample is one native call."""
    native, per_turn = _peak()
    out = (ctypes.c_float * 64)()  # room for any vector

    def sample(count: int) -> float:
        start = time.perf_counter()
        native(max(1, count * operations // per_turn), 0.5, ctypes.addressof(out))
        return time.perf_counter() - start

    return Contender("fma", sample, limit=True)


@cache
def _peak() -> tuple[Any, int]:
    """The native loop (turns, a number, where to put the sums), and its operations a turn."""
    lanes = host().lanes(32)
    vector = f"<{lanes} x float>"
    splat = f"insertelement {vector} poison, float %x, i32 0"
    body = [
        f"define void @peak(i64 %count, float %x, ptr %out) {{\nentry:\n  %s = {splat}",
        f"  %v = shufflevector {vector} %s, {vector} poison, <{lanes} x i32> zeroinitializer",
        "  br label %loop\nloop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
    ]
    chains = range(CHAINS)
    name = f"@llvm.fma.v{lanes}f32"
    body += [
        f"  %a{k} = phi {vector} [ zeroinitializer, %entry ], [ %b{k}, %loop ]" for k in chains
    ]
    body += [
        f"  %b{k} = call {vector} {name}({vector} %a{k}, {vector} %v, {vector} %v)" for k in chains
    ]
    body += [
        "  %next = add i64 %i, 1\n  %more = icmp slt i64 %next, %count",
        "  br i1 %more, label %loop, label %done\ndone:",
        f"  %r0 = fadd {vector} %b0, %b1",
    ]
    body += [f"  %r{k} = fadd {vector} %r{k - 1}, %b{k + 1}" for k in range(1, CHAINS - 1)]
    body += [f"  store {vector} %r{CHAINS - 2}, ptr %out, align 4\n  ret void\n}}"]
    body += [f"declare {vector} {name}({vector}, {vector}, {vector})"]
    library = jit.load("\n".join(body))
    signature = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_float, ctypes.c_void_p)
    native = signature(library.address("peak"))
    native.library = library  # type: ignore[attr-defined]  # stays loaded as long as this
    return native, 2 * lanes * CHAINS
