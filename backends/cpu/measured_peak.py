"""What this machine can do at best, measured: multiply-adds, and copies of memory of some sizes."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..measured import CHAINS, Limits
from . import jit
from .machine import host

SIZES = (16 << 10, 256 << 10, 64 << 20)  # of what is copied: in each level of the cache, in memory
SPAN = 2e-3  # seconds of a measurement
ROUNDS = 5


@cache
def measure(threads: int = 1) -> Limits:
    """The limits on so many threads; takes about a tenth of a second, once."""
    fma, per_turn = multiply_add()
    turns = int(SPAN * 20e9) // per_turn + 1
    out = [np.zeros(64, np.float32) for _ in range(threads)]
    seconds = _best(lambda i: fma(turns, 0.5, out[i].ctypes.data), threads)
    rate = per_turn * turns * threads / seconds
    copy = copying()
    copies = []
    for size in SIZES:
        pairs = [(np.ones(size, np.uint8), np.ones(size, np.uint8)) for _ in range(threads)]
        places = [(x.ctypes.data, y.ctypes.data) for x, y in pairs]
        times = max(1, int(SPAN * 40e9) // size)

        def work(i: int, places: Any = places, size: int = size, times: int = times) -> None:
            copy(*places[i], size, times)

        copies.append((size, 2 * size * times * threads / _best(work, threads)))
    return Limits(threads, rate, tuple(copies))


def _best(work: Callable[[int], Any], threads: int) -> float:
    """The seconds that `work(thread)` takes on all threads at once, at best."""
    best = float("inf")
    for _ in range(ROUNDS):
        gate = threading.Barrier(threads)
        spans: list[tuple[float, float]] = []

        def run(i: int, gate: Any = gate, spans: Any = spans) -> None:
            gate.wait()
            start = time.perf_counter()
            work(i)
            spans.append((start, time.perf_counter()))

        others = [threading.Thread(target=run, args=(i,)) for i in range(1, threads)]
        for thread in others:
            thread.start()
        run(0)
        for thread in others:
            thread.join()
        best = min(best, max(end for _, end in spans) - min(start for start, _ in spans))
    return best


def _load(body: list[str], name: str, arguments: list[Any]) -> Any:
    library = jit.load("\n".join(body))
    native = ctypes.CFUNCTYPE(None, *arguments)(library.address(name))
    native.library = library  # type: ignore[attr-defined]  # stays loaded as long as this
    return native


@cache
def copying() -> Any:
    """A native loop (to, from, bytes, times)."""
    body = [
        "define void @copies(ptr %to, ptr %from, i64 %size, i64 %times) {",
        "entry:\n  br label %loop\nloop:\n  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        "  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %size, i1 false)",
        "  %next = add i64 %i, 1\n  %more = icmp slt i64 %next, %times",
        "  br i1 %more, label %loop, label %done\ndone:\n  ret void\n}",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    ]
    return _load(body, "copies", [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64])


@cache
def reading() -> Any:
    """A native loop (where to put the sums, from, bytes, times) that adds up float32."""
    lanes = host().lanes(32)
    vector, chains = f"<{lanes} x float>", range(CHAINS)
    step = CHAINS * lanes * 4
    body = [
        "define void @reads(ptr %out, ptr %from, i64 %size, i64 %times) {",
        f"entry:\n  %parts = udiv i64 %size, {step}\n  %count = mul i64 %parts, %times",
        "  %any = icmp sgt i64 %count, 0\n  br i1 %any, label %loop, label %done\nloop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        "  %part = phi i64 [ 0, %entry ], [ %again, %loop ]",
    ]
    body += [
        f"  %a{k} = phi {vector} [ zeroinitializer, %entry ], [ %b{k}, %loop ]" for k in chains
    ]
    body += [f"  %at = mul i64 %part, {step}", "  %here = getelementptr i8, ptr %from, i64 %at"]
    for k in chains:
        body += [
            f"  %p{k} = getelementptr i8, ptr %here, i64 {k * lanes * 4}",
            f"  %x{k} = load {vector}, ptr %p{k}, align 4",
            f"  %b{k} = fadd {vector} %a{k}, %x{k}",
        ]
    body += [
        "  %next = add i64 %i, 1\n  %more = icmp slt i64 %next, %count",
        "  %after = add i64 %part, 1\n  %whole = icmp eq i64 %after, %parts",
        "  %again = select i1 %whole, i64 0, i64 %after",
        "  br i1 %more, label %loop, label %end\nend:",
        f"  %r0 = fadd {vector} %b0, %b1",
    ]
    body += [f"  %r{k} = fadd {vector} %r{k - 1}, %b{k + 1}" for k in range(1, CHAINS - 1)]
    body += [
        f"  store {vector} %r{CHAINS - 2}, ptr %out, align 4\n  br label %done",
        "done:\n  ret void\n}",
    ]
    return _load(body, "reads", [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64])


@cache
def multiply_add() -> tuple[Any, int]:
    """A native loop (turns, a number, where to put the sums), and its operations a turn."""
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
    arguments = [ctypes.c_int64, ctypes.c_float, ctypes.c_void_p]
    return _load(body, "peak", arguments), 2 * lanes * CHAINS
