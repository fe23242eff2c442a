"""LLVM text of the thread pool: parallel loops of kernels, in chunks that any thread may take.

One loop at a time has the pool; who finds it taken (another Python thread, a loop inside a loop)
runs its loop alone, so nobody ever waits for anybody's loop. Workers are started when they are
first needed, spin for a moment after a loop, then sleep on a futex. A worker joins a loop only
while its gate is open, so a loop never waits for one that sleeps. A child of a fork has no
workers: the process number tells, and it starts its own. The results of a loop do not depend on
which thread takes what.

Where other programs keep all processors busy, the kernel likes to wake a thread on the processor of
the one that wakes it, which has no time for it then. So a worker sleeps with an affinity for all
processors but that of the last loop's caller, and takes its own back when it wakes.

The gate is OPEN plus the number of workers inside; the low half is what futexes look at.
"""

from __future__ import annotations

import platform
import sys

SYSTEM_CALL = {"x86_64": 202, "aarch64": 98}  # futex

# Microseconds of work, as kernels estimate it in nanoseconds, from which on waking others pays.
LEAST_WORK = 30_000
MASK_BYTES = 128  # of a set of processors
SPINS = 1000  # about 40 microseconds where a pause takes 40 nanoseconds

THREADS = """
@crew.limit = internal global i64 1
@crew.started = internal global i64 0
@crew.owner = internal global i32 0
@crew.busy = internal global i32 0, align 64
@crew.gate = internal global i64 0, align 64
@crew.next = internal global i64 0, align 64
@crew.epoch = internal global i32 0, align 64
@crew.sleepers = internal global i32 0, align 64
@crew.waiting = internal global i32 0
@job.run = internal global ptr null
@job.context = internal global ptr null
@job.count = internal global i64 0
@job.chunks = internal global i64 0
@job.processor = internal global i32 0

define ptr @tfc_threads_limit() {
  ret ptr @crew.limit
}

define ptr @tfc_threads_started() {
  ret ptr @crew.started
}

; Take chunks of the job until none is left.
define internal void @crew_work() {
entry:
  %run = load ptr, ptr @job.run
  %context = load ptr, ptr @job.context
  %count = load i64, ptr @job.count
  %chunks = load i64, ptr @job.chunks
  br label %take
take:
  %chunk = atomicrmw add ptr @crew.next, i64 1 monotonic
  %some = icmp ult i64 %chunk, %chunks
  br i1 %some, label %part, label %done
part:
  %after = add i64 %chunk, 1
  %low.all = mul i64 %chunk, %count
  %high.all = mul i64 %after, %count
  %low = udiv i64 %low.all, %chunks
  %high = udiv i64 %high.all, %chunks
  call void %run(ptr %context, i64 %low, i64 %high)
  br label %take
done:
  ret void
}

; Leave the processor of the last caller out of this thread's affinity, which is kept in %own;
; 0 if it cannot be told, or nothing else would be left.
define internal i1 @crew_avoid(ptr %own, ptr %rest) {
entry:
  %got = call i32 @sched_getaffinity(i32 0, i64 $MASK_BYTES, ptr %own)
  %known = icmp sgt i32 %got, -1
  %processor = load atomic i32, ptr @job.processor monotonic, align 4
  %named = icmp ult i32 %processor, $MASK_BITS
  %fine = and i1 %known, %named
  br i1 %fine, label %narrow, label %no
narrow:
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %own, i64 $MASK_BYTES, i1 false)
  %byte = lshr i32 %processor, 3
  %at = getelementptr i8, ptr %rest, i32 %byte
  %wide = and i32 %processor, 7
  %place = trunc i32 %wide to i8
  %bit = shl i8 1, %place
  %others = xor i8 %bit, -1
  %old = load i8, ptr %at
  %new = and i8 %old, %others
  store i8 %new, ptr %at
  ; An empty mask is refused.
  %set = call i32 @sched_setaffinity(i32 0, i64 $MASK_BYTES, ptr %rest)
  %done = icmp eq i32 %set, 0
  ret i1 %done
no:
  ret i1 false
}

; Take the affinity from before `crew_avoid` back, unless somebody has set another since.
define internal void @crew_return(ptr %own, ptr %rest) {
entry:
  %now = alloca [$MASK_BYTES x i8], align 16
  %got = call i32 @sched_getaffinity(i32 0, i64 $MASK_BYTES, ptr %now)
  %differs = call i32 @memcmp(ptr %now, ptr %rest, i64 $MASK_BYTES)
  %same = icmp eq i32 %differs, 0
  br i1 %same, label %set, label %done
set:
  call i32 @sched_setaffinity(i32 0, i64 $MASK_BYTES, ptr %own)
  br label %done
done:
  ret void
}

define internal ptr @crew_main(ptr %unused) {
entry:
  %allowed = alloca [$MASK_BYTES x i8], align 16
  %narrowed = alloca [$MASK_BYTES x i8], align 16
  br label %look
look:
  %seen = load atomic i32, ptr @crew.epoch seq_cst, align 4
  br label %knock
knock:
  %gate = load atomic i64, ptr @crew.gate seq_cst, align 8
  %flag = and i64 %gate, $OPEN
  %open = icmp ne i64 %flag, 0
  br i1 %open, label %room, label %wait
room:
  %inside = and i64 %gate, 4294967295
  %limit = load i64, ptr @crew.limit
  %others = sub i64 %limit, 1
  %fits = icmp slt i64 %inside, %others
  br i1 %fits, label %enter, label %wait
enter:
  %more = add i64 %gate, 1
  %pair = cmpxchg ptr @crew.gate, i64 %gate, i64 %more seq_cst seq_cst
  %joined = extractvalue { i64, i1 } %pair, 1
  br i1 %joined, label %work, label %knock
work:
  call void @crew_work()
  %before = atomicrmw sub ptr @crew.gate, i64 1 seq_cst
  %last = icmp eq i64 %before, 1
  br i1 %last, label %tell, label %wait
tell:
  %waiting = load atomic i32, ptr @crew.waiting seq_cst, align 4
  %sleeps = icmp ne i32 %waiting, 0
  br i1 %sleeps, label %wake, label %wait
wake:
  call i64 (i64, ...) @syscall(i64 $FUTEX, ptr @crew.gate, i32 129, i32 1, ptr null)
  br label %wait
wait:
  br label %spin
spin:
  %turn = phi i64 [ 0, %wait ], [ %turn.next, %again ]
  %now = load atomic i32, ptr @crew.epoch monotonic, align 4
  %changed = icmp ne i32 %now, %seen
  br i1 %changed, label %look, label %rest
rest:
  $PAUSE
  %turn.next = add i64 %turn, 1
  %enough = icmp ugt i64 %turn.next, $SPINS
  br i1 %enough, label %sleep, label %again
again:
  br label %spin
sleep:
  %avoids = call i1 @crew_avoid(ptr %allowed, ptr %narrowed)
  atomicrmw add ptr @crew.sleepers, i32 1 seq_cst
  call i64 (i64, ...) @syscall(i64 $FUTEX, ptr @crew.epoch, i32 128, i32 %seen, ptr null)
  atomicrmw sub ptr @crew.sleepers, i32 1 seq_cst
  br i1 %avoids, label %return, label %look
return:
  call void @crew_return(ptr %allowed, ptr %narrowed)
  br label %look
}

; Start one worker, deaf to signals; 0 if there is one more.
define internal i32 @crew_start() {
entry:
  %thread = alloca i64
  %attributes = alloca [16 x i64], align 16
  %all = alloca [16 x i64], align 16
  %old = alloca [16 x i64], align 16
  call void @llvm.memset.p0.i64(ptr %all, i8 -1, i64 128, i1 false)
  call i32 @pthread_sigmask(i32 2, ptr %all, ptr %old)
  call i32 @pthread_attr_init(ptr %attributes)
  call i32 @pthread_attr_setstacksize(ptr %attributes, i64 4194304)
  call i32 @pthread_attr_setdetachstate(ptr %attributes, i32 1)
  %failed = call i32 @pthread_create(ptr %thread, ptr %attributes, ptr @crew_main, ptr null)
  call i32 @pthread_attr_destroy(ptr %attributes)
  call i32 @pthread_sigmask(i32 2, ptr %old, ptr null)
  ret i32 %failed
}

; In a process that has no workers yet: 1 if the pool is its own now.
define internal i1 @crew_adopt(i32 %process, i32 %owner) {
entry:
  %pair = cmpxchg ptr @crew.owner, i32 %owner, i32 -1 seq_cst seq_cst
  %mine = extractvalue { i32, i1 } %pair, 1
  %known = icmp ne i32 %owner, -1
  %good = and i1 %mine, %known
  br i1 %good, label %reset, label %other
reset:
  store i64 0, ptr @crew.started
  store atomic i64 0, ptr @crew.gate seq_cst, align 8
  store atomic i32 0, ptr @crew.sleepers seq_cst, align 4
  store atomic i32 0, ptr @crew.waiting seq_cst, align 4
  store atomic i32 0, ptr @crew.busy seq_cst, align 4
  store atomic i32 %process, ptr @crew.owner seq_cst, align 4
  ret i1 true
other:
  ret i1 false
}

; run(context, low, high) on parts of [0, count) that make up all of it; `work` is in nanoseconds.
define void @tfc_parallel(ptr %run, ptr %context, i64 %count, i64 %work) {
entry:
  %limit = load i64, ptr @crew.limit
  %alone = icmp slt i64 %limit, 2
  %little = icmp slt i64 %work, $LEAST_WORK
  %few = icmp slt i64 %count, 2
  %either = or i1 %alone, %little
  %serial.only = or i1 %either, %few
  br i1 %serial.only, label %serial, label %whose
whose:
  %process = call i32 @getpid()
  %owner = load atomic i32, ptr @crew.owner seq_cst, align 4
  %own = icmp eq i32 %process, %owner
  br i1 %own, label %claim, label %adopt
adopt:
  %adopted = call i1 @crew_adopt(i32 %process, i32 %owner)
  br i1 %adopted, label %claim, label %serial
claim:
  %pair = cmpxchg ptr @crew.busy, i32 0, i32 1 seq_cst seq_cst
  %claimed = extractvalue { i32, i1 } %pair, 1
  br i1 %claimed, label %staff, label %serial
staff:
  %started = load i64, ptr @crew.started
  %others = sub i64 %limit, 1
  %enough = icmp sge i64 %started, %others
  br i1 %enough, label %ready, label %start
start:
  %failed = call i32 @crew_start()
  %fine = icmp eq i32 %failed, 0
  br i1 %fine, label %counted, label %ready
counted:
  %one.more = add i64 %started, 1
  store i64 %one.more, ptr @crew.started
  br label %staff
ready:
  %parts = mul i64 %limit, 4
  %chunks = call i64 @llvm.umin.i64(i64 %parts, i64 %count)
  store ptr %run, ptr @job.run
  store ptr %context, ptr @job.context
  store i64 %count, ptr @job.count
  store i64 %chunks, ptr @job.chunks
  %processor = call i32 @sched_getcpu()
  store atomic i32 %processor, ptr @job.processor monotonic, align 4
  store atomic i64 0, ptr @crew.next seq_cst, align 8
  store atomic i64 $OPEN, ptr @crew.gate seq_cst, align 8
  atomicrmw add ptr @crew.epoch, i32 1 seq_cst
  %sleepers = load atomic i32, ptr @crew.sleepers seq_cst, align 4
  %asleep = icmp sgt i32 %sleepers, 0
  br i1 %asleep, label %wake, label %share
wake:
  %wanted = trunc i64 %others to i32
  call i64 (i64, ...) @syscall(i64 $FUTEX, ptr @crew.epoch, i32 129, i32 %wanted, ptr null)
  br label %share
share:
  call void @crew_work()
  atomicrmw and ptr @crew.gate, i64 4294967295 seq_cst
  br label %spin
spin:
  %turn = phi i64 [ 0, %share ], [ %turn.next, %again ]
  %inside = load atomic i64, ptr @crew.gate seq_cst, align 8
  %left = icmp eq i64 %inside, 0
  br i1 %left, label %done, label %rest
rest:
  $PAUSE
  %turn.next = add i64 %turn, 1
  %long = icmp ugt i64 %turn.next, $SPINS
  br i1 %long, label %patient, label %again
again:
  br label %spin
patient:
  store atomic i32 1, ptr @crew.waiting seq_cst, align 4
  br label %wait
wait:
  %still = load atomic i64, ptr @crew.gate seq_cst, align 8
  %gone = icmp eq i64 %still, 0
  br i1 %gone, label %awake, label %sleep
sleep:
  %value = trunc i64 %still to i32
  call i64 (i64, ...) @syscall(i64 $FUTEX, ptr @crew.gate, i32 128, i32 %value, ptr null)
  br label %wait
awake:
  store atomic i32 0, ptr @crew.waiting seq_cst, align 4
  br label %done
done:
  store atomic i32 0, ptr @crew.busy seq_cst, align 4
  ret void
serial:
  call void %run(ptr %context, i64 0, i64 %count)
  ret void
}

declare i64 @syscall(i64, ...)
declare i32 @getpid()
declare i32 @memcmp(ptr, ptr, i64)
declare i32 @sched_getcpu()
declare i32 @sched_getaffinity(i32, i64, ptr)
declare i32 @sched_setaffinity(i32, i64, ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @pthread_attr_init(ptr)
declare i32 @pthread_attr_setstacksize(ptr, i64)
declare i32 @pthread_attr_setdetachstate(ptr, i32)
declare i32 @pthread_attr_destroy(ptr)
"""

# Where threads cannot be had: every loop alone.
ALONE = """
@crew.limit = internal global i64 1
@crew.started = internal global i64 0

define ptr @tfc_threads_limit() {
  ret ptr @crew.limit
}

define ptr @tfc_threads_started() {
  ret ptr @crew.started
}

define void @tfc_parallel(ptr %run, ptr %context, i64 %count, i64 %work) {
  call void %run(ptr %context, i64 0, i64 %count)
  ret void
}
"""


def supported() -> bool:
    """Whether this system has what the pool is made of."""
    return sys.platform == "linux" and platform.machine() in SYSTEM_CALL


def text() -> str:
    """The LLVM text of the pool."""
    if not supported():
        return ALONE
    pause = "call void @llvm.x86.sse2.pause()" if platform.machine() == "x86_64" else ""
    names = {
        "$FUTEX": str(SYSTEM_CALL[platform.machine()]),
        "$LEAST_WORK": str(LEAST_WORK),
        "$MASK_BITS": str(8 * MASK_BYTES),
        "$MASK_BYTES": str(MASK_BYTES),
        "$OPEN": str(1 << 32),
        "$PAUSE": pause,
        "$SPINS": str(SPINS),
    }
    body = THREADS + ("declare void @llvm.x86.sse2.pause()\n" if pause else "")
    for name, value in names.items():
        body = body.replace(name, value)
    return body
