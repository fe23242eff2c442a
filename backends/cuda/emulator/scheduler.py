"""The scheduler of a launch, as LLVM IR: blocks one after the other, their threads in turns.

A thread runs until it ends or waits for others. A warp's threads run until all wait; then each
group of lanes that wait at the same collective, all that its mask names, gets its results and runs
on. When no warp can run, the barriers that have all their threads are released. When none has, the
block is deadlocked.

Nothing here depends on time: the order of blocks, warps and lanes is given by tables.
"""

from __future__ import annotations

from .errors import Fault
from .layout import (
    AT_BARRIER,
    AT_COLLECTIVE,
    BARRIERS,
    EXITED,
    LAUNCH,
    RUNNABLE,
    THREAD,
    WARP,
)
from .writer import Writer

RAN, RELEASED, FAULTED = 1, 2, 4  # what `run_warp` reports, as bits


def scheduler() -> str:
    """The module whose function `launch(ptr record)` runs a kernel."""
    writers = [_launch(), _block(), _warp(), _collectives(), _barriers(), _release(), _deadlock()]
    declarations: dict[str, str] = {}
    for _, writer in writers:
        declarations |= writer.declarations
    return "\n".join(
        [writer.function(signature) for signature, writer in writers] + list(declarations.values())
    )


def _thread(w: Writer, index: str) -> str:
    """The header of the thread with this index in its block."""
    size = w.launch("thread_size")
    place = w.value(f"mul i64 {w.value(f'zext i32 {index} to i64')}, {size}")
    return w.element("i8", w.launch("threads"), place, "i64")


def _warp_size(w: Writer, warp: str) -> str:
    """How many threads this warp has: the last may have fewer."""
    rest = w.value(f"sub i32 {w.launch('thread_count')}, {w.value(f'mul i32 {warp}, {WARP}')}")
    return w.intrinsic("llvm.smin.i32", "i32", rest, str(WARP))


def _launch() -> tuple[str, Writer]:
    w = Writer()
    w.declare("llvm.memset.p0.i64", "void @(ptr, i8, i64, i1)")
    blocks = w.launch("blocks")
    x, y = w.launch("nctaid.x"), w.launch("nctaid.y")
    local = w.launch("local_size")
    with w.loop(w.launch("block_count"), kind="i64") as i:
        place = w.element("i64", blocks, i, "i64")
        number = w.value(f"trunc i64 {w.value(f'load i64, ptr {place}')} to i32")
        rest = w.value(f"udiv i32 {number}, {x}")
        w.set_field(LAUNCH, "%launch", "ctaid.x", w.value(f"urem i32 {number}, {x}"))
        w.set_field(LAUNCH, "%launch", "ctaid.y", w.value(f"urem i32 {rest}, {y}"))
        w.set_field(LAUNCH, "%launch", "ctaid.z", w.value(f"udiv i32 {rest}, {y}"))
        # What nobody wrote has every bit set: as floats nan, as indices out of all bounds.
        w.line(
            f"call void @llvm.memset.p0.i64(ptr {w.launch('shared')}, i8 -1, "
            f"i64 {w.launch('shared_size')}, i1 false)"
        )
        w.line(
            f"call void @llvm.memset.p0.i64(ptr {w.field(LAUNCH, '%launch', 'arrived')}, i8 0, "
            f"i64 {4 * BARRIERS}, i1 false)"
        )
        with w.loop(w.launch("thread_count")) as t:
            thread = _thread(w, t)
            for name in ("state", "wait", "copies", "groups"):
                w.set_field(THREAD, thread, name, 0)
            with w.when(w.value(f"icmp ne i64 {local}, 0")):
                w.line(
                    f"call void @llvm.memset.p0.i64(ptr {w.offset(thread, THREAD.size)}, i8 -1, "
                    f"i64 {local}, i1 false)"
                )
        w.set_field(LAUNCH, "%launch", "phase", w.value(f"trunc i64 {i} to i32"))
        ok = w.value("call i1 @run_block(ptr %launch)")
        with w.when(w.value(f"xor i1 {ok}, true")):
            w.leave("ret void")
    w.line("ret void")
    return "void @launch(ptr %launch)", w


def _spend(w: Writer, line: str = "0") -> None:
    """Count one more step; a kernel that never ends runs out of them."""
    left = w.value(f"sub i64 {w.launch('budget')}, 1")
    w.set_field(LAUNCH, "%launch", "budget", left)
    with w.when(w.value(f"icmp slt i64 {left}, 0")):
        w.fault(Fault.BUDGET, line, "0")


def _block() -> tuple[str, Writer]:
    w = Writer()
    warps, orders = w.launch("warp_count"), w.launch("orders")
    table = w.launch("warp_orders")
    w.jump("again")
    w.label("again")
    phase = w.launch("phase")
    order = w.value(f"mul i32 {w.value(f'urem i32 {phase}, {orders}')}, {warps}")
    progress = w.variable("i32", "0")
    progress.set("0")
    with w.loop(warps) as i:
        place = w.element("i32", table, w.value(f"add i32 {order}, {i}"))
        did = w.value(f"call i32 @run_warp(ptr %launch, i32 {w.value(f'load i32, ptr {place}')})")
        progress.set(w.value(f"or i32 {progress.get()}, {did}"))
        with w.when(w.value(f"icmp ne i32 {w.launch('fault')}, 0")):
            w.leave("ret i1 false")
    w.set_field(LAUNCH, "%launch", "phase", w.value(f"add i32 {phase}, 1"))
    _spend(w)
    released = w.value("call i32 @release_barriers(ptr %launch)")
    with w.when(w.value(f"icmp ne i32 {w.launch('fault')}, 0")):
        w.leave("ret i1 false")
    w.branch(w.value(f"icmp sgt i32 {released}, 0"), "again", "stuck")
    w.label("stuck")
    w.branch(w.value(f"icmp slt i32 {released}, 0"), "finished", "waiting")
    w.label("finished")
    w.line("ret i1 true")
    w.label("waiting")
    w.line("call void @deadlock(ptr %launch)")
    w.line("ret i1 false")
    return "i1 @run_block(ptr %launch)", w


def _warp() -> tuple[str, Writer]:
    """Run the lanes of a warp until all wait for other warps, or have ended."""
    w = Writer()
    size, orders = _warp_size(w, "%warp"), w.launch("orders")
    first = w.value(f"mul i32 %warp, {WARP}")
    resume = w.launch("resume")
    result = w.variable("i32", "0")
    seed = w.value(f"add i32 {w.launch('phase')}, %warp")
    order = w.value(f"mul i32 {w.value(f'urem i32 {seed}, {orders}')}, {WARP}")
    table = w.element("i32", w.launch("lane_orders"), order)
    together = w.variable("i32")  # lanes that wait at a collective
    w.jump("again")
    w.label("again")
    together.set("0")
    with w.loop(str(WARP)) as i:
        lane = w.value(f"load i32, ptr {w.element('i32', table, i)}")
        with w.when(w.value(f"icmp slt i32 {lane}, {size}")):
            thread = _thread(w, w.value(f"add i32 {first}, {lane}"))
            with w.when(w.value(f"icmp eq i32 {w.thread(thread, 'wait')}, {RUNNABLE}")):
                w.line(f"call void {resume}(ptr {thread}, ptr %launch)")
                result.set(w.value(f"or i32 {result.get()}, {RAN}"))
                with w.when(w.value(f"icmp ne i32 {w.launch('fault')}, 0")):
                    w.leave(f"ret i32 {FAULTED}")
            waits = w.value(f"icmp eq i32 {w.thread(thread, 'wait')}, {AT_COLLECTIVE}")
            count = w.value(f"zext i1 {waits} to i32")
            together.set(w.value(f"add i32 {together.get()}, {count}"))
    _spend(w)
    with w.when(w.value(f"icmp eq i32 {together.get()}, 0")):
        w.leave(f"ret i32 {result.get()}")
    released = w.value("call i1 @release_collectives(ptr %launch, i32 %warp)")
    with w.when(w.value(f"icmp ne i32 {w.launch('fault')}, 0")):
        w.leave(f"ret i32 {FAULTED}")
    w.branch(released, "again", "done")
    w.label("done")
    w.line(f"ret i32 {result.get()}")
    return "i32 @run_warp(ptr %launch, i32 %warp)", w


def _collectives() -> tuple[str, Writer]:
    """Give the groups of lanes that are complete their results; whether there was one."""
    w = Writer()
    size, first = _warp_size(w, "%warp"), w.value(f"mul i32 %warp, {WARP}")
    base, step = _thread(w, first), w.launch("thread_size")
    one_more = w.value(f"shl i64 1, {w.value(f'zext i32 {size} to i64')}")
    all_lanes = w.value(f"trunc i64 {w.value(f'sub i64 {one_more}, 1')} to i32")
    any_released = w.variable("i1", "false")
    complete = w.variable("i1")
    with w.loop(size) as lane:
        thread = _thread(w, w.value(f"add i32 {first}, {lane}"))
        waits = w.value(f"icmp eq i32 {w.thread(thread, 'wait')}, {AT_COLLECTIVE}")
        with w.when(waits):
            key, wanted = w.thread(thread, "key"), w.thread(thread, "mask")
            line, index = w.thread(thread, "line"), w.thread(thread, "index")
            # Lanes beyond the last thread of the block do not exist, and nobody waits for them.
            mask = w.value(f"and i32 {wanted}, {all_lanes}")
            own = w.value(f"and i32 {w.value(f'lshr i32 {mask}, {lane}')}, 1")
            with w.when(w.value(f"icmp eq i32 {own}, 0")):
                w.fault(Fault.NOT_IN_MASK, line, index, w.value(f"zext i32 {wanted} to i64"))
                w.leave("ret i1 false")
            complete.set("true")
            with w.loop(size) as other:
                named = w.value(f"and i32 {w.value(f'lshr i32 {mask}, {other}')}, 1")
                with w.when(w.value(f"icmp ne i32 {named}, 0")):
                    partner = _thread(w, w.value(f"add i32 {first}, {other}"))
                    wait = w.thread(partner, "wait")
                    with w.when(w.value(f"icmp eq i32 {wait}, {EXITED}")):
                        w.fault(
                            Fault.EXITED_LANE, line, index, w.value(f"zext i32 {wanted} to i64")
                        )
                        w.leave("ret i1 false")
                    here = w.value(f"icmp eq i32 {wait}, {AT_COLLECTIVE}")
                    same = w.value(f"icmp eq i32 {w.thread(partner, 'key')}, {key}")
                    agree = w.value(f"icmp eq i32 {w.thread(partner, 'mask')}, {wanted}")
                    together = w.value(f"and i1 {w.value(f'and i1 {here}, {same}')}, {agree}")
                    # An aligned instruction wants all lanes at this very instruction.
                    free = w.value(f"icmp eq i32 {w.thread(thread, 'aligned')}, 0")
                    place = w.value(f"icmp eq i32 {w.thread(partner, 'line')}, {line}")
                    together = w.value(f"and i1 {together}, {w.value(f'or i1 {free}, {place}')}")
                    complete.set(w.value(f"and i1 {complete.get()}, {together}"))
            with w.when(complete.get()):
                table = w.launch("collectives")
                run = w.value(f"load ptr, ptr {w.element('ptr', table, key)}")
                w.line(f"call void {run}(ptr {base}, i64 {step}, i32 {mask}, ptr %launch)")
                with w.loop(size) as other:
                    named = w.value(f"and i32 {w.value(f'lshr i32 {mask}, {other}')}, 1")
                    with w.when(w.value(f"icmp ne i32 {named}, 0")):
                        partner = _thread(w, w.value(f"add i32 {first}, {other}"))
                        w.set_field(THREAD, partner, "wait", RUNNABLE)
                any_released.set("true")
    w.line(f"ret i1 {any_released.get()}")
    return "i1 @release_collectives(ptr %launch, i32 %warp)", w


def _barriers() -> tuple[str, Writer]:
    """Release the barriers that are complete: how many, or -1 when all threads have ended."""
    w = Writer()
    count = w.launch("thread_count")
    exited, released = w.variable("i32", "0"), w.variable("i32", "0")
    waiting = [w.array("i32", BARRIERS) for _ in range(3)]  # waiting, expected, number that hold
    here, expected, true = waiting
    for array in waiting:
        w.line(f"store [{BARRIERS} x i32] zeroinitializer, ptr {array}")
    with w.loop(count) as t:
        thread = _thread(w, t)
        wait = w.thread(thread, "wait")
        gone = w.value(f"icmp eq i32 {wait}, {EXITED}")
        exited.set(w.value(f"add i32 {exited.get()}, {w.value(f'zext i1 {gone} to i32')}"))
        with w.when(w.value(f"icmp eq i32 {wait}, {AT_BARRIER}")):
            key = w.thread(thread, "key")
            place = w.element("i32", here, key)
            w.add(place, "1")
            w.line(f"store i32 {w.thread(thread, 'mask')}, ptr {w.element('i32', expected, key)}")
            holds = w.value(f"load i32, ptr {w.field(THREAD, thread, 'slots')}")
            place = w.element("i32", true, key)
            w.add(place, holds)
    all_gone = w.value(f"icmp eq i32 {exited.get()}, {count}")
    with w.when(all_gone):
        w.leave("ret i32 -1")
    arrived = w.field(LAUNCH, "%launch", "arrived")
    with w.loop(str(BARRIERS)) as b:
        waits = w.value(f"load i32, ptr {w.element('i32', here, b)}")
        with w.when(w.value(f"icmp ne i32 {waits}, 0")):
            place = w.element("i32", arrived, b)
            total = w.value(f"add i32 {waits}, {w.value(f'load i32, ptr {place}')}")
            wanted = w.value(f"load i32, ptr {w.element('i32', expected, b)}")
            with w.when(w.value(f"icmp sge i32 {total}, {wanted}")):
                w.line(f"store i32 0, ptr {place}")
                holds = w.value(f"load i32, ptr {w.element('i32', true, b)}")
                w.line(
                    f"call void @release_barrier(ptr %launch, i32 {b}, i32 {holds}, i32 {waits})"
                )
                released.set(w.value(f"add i32 {released.get()}, 1"))
    w.line(f"ret i32 {released.get()}")
    return "i32 @release_barriers(ptr %launch)", w


def _release() -> tuple[str, Writer]:
    """Let the threads at a barrier go on, with the result of a reduction."""
    w = Writer()
    line = w.variable("i32", "-1")
    with w.loop(w.launch("thread_count")) as t:
        thread = _thread(w, t)
        at = w.value(f"icmp eq i32 {w.thread(thread, 'wait')}, {AT_BARRIER}")
        same = w.value(f"icmp eq i32 {w.thread(thread, 'key')}, %barrier")
        in_warp = w.value(f"urem i32 {t}, {WARP}")
        with w.when(w.value(f"icmp eq i32 {in_warp}, 0")):
            line.set("-1")
        with w.when(w.value(f"and i1 {at}, {same}")):
            aligned = w.value(f"icmp ne i32 {w.thread(thread, 'aligned')}, 0")
            own = w.thread(thread, "line")
            known = w.value(f"icmp sge i32 {line.get()}, 0")
            other = w.value(f"icmp ne i32 {line.get()}, {own}")
            bad = w.value(f"and i1 {aligned}, {w.value(f'and i1 {known}, {other}')}")
            with w.when(bad):
                w.fault(Fault.DIVERGED_BARRIER, own, t, w.value(f"zext i32 {line.get()} to i64"))
                w.leave("ret void")
            line.set(own)
            kind = w.thread(thread, "reduction")
            every = w.value(f"zext i1 {w.value('icmp eq i32 %holds, %waits')} to i32")
            some = w.value(f"zext i1 {w.value('icmp ne i32 %holds, 0')} to i32")
            result = w.value(
                f"select i1 {w.value(f'icmp eq i32 {kind}, 2')}, i32 {every}, i32 {some}"
            )
            result = w.value(
                f"select i1 {w.value(f'icmp eq i32 {kind}, 1')}, i32 %holds, i32 {result}"
            )
            w.line(f"store i32 {result}, ptr {w.field(THREAD, thread, 'slots')}")
            w.set_field(THREAD, thread, "wait", RUNNABLE)
    w.line("ret void")
    return "void @release_barrier(ptr %launch, i32 %barrier, i32 %holds, i32 %waits)", w


def _deadlock() -> tuple[str, Writer]:
    """Nobody can go on: name the first thread that waits."""
    w = Writer()
    with w.loop(w.launch("thread_count")) as t:
        thread = _thread(w, t)
        wait = w.thread(thread, "wait")
        with w.when(w.value(f"icmp ne i32 {wait}, {EXITED}")):
            w.fault(Fault.DEADLOCK, w.thread(thread, "line"), t)
            w.leave("ret void")
    w.line("ret void")
    return "void @deadlock(ptr %launch)", w
