"""The arithmetic peak of one core, measured by a loop of independent multiply-adds."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache

from tfc.backends.cpu import jit
from tfc.backends.cpu.machine import host

CHAINS = 12  # enough to cover the latency of an addition on two units


@cache
def fma() -> Callable[[int], None]:
    """A function that does so many floating-point operations at the machine's best rate."""
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
        f"  %b{k} = call {vector} {name}({vector} %a{k}, {vector} %v, {vector} %v)"
        for k in chains
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
    out = (ctypes.c_float * lanes)()
    per_turn = 2 * lanes * CHAINS

    def run(operations: int, _keep: object = library) -> None:
        native(max(1, operations // per_turn), 0.5, ctypes.addressof(out))

    return run
