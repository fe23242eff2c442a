"""LLVM text of the memory pool: where big arrays and scratch memory come from.

The first touch of fresh pages costs ten times what storing to warm ones does, so freed blocks are
kept: LIFO lists by size class, four classes to each power of two, bounded as a whole.
`$NAME`s are filled in by native.py.
"""

POOL = """\
@bins = internal global [$BIN_COUNT x ptr] zeroinitializer
@state = internal global [$STATE_COUNT x i64] zeroinitializer

define ptr @tfc_pool_state() {
  ret ptr @state
}

; The class of a size: the exponent and the next two bits of (size - 1).
define internal i64 @class_of(i64 %size) {
  %least = call i64 @llvm.umax.i64(i64 %size, i64 4096)
  %top = sub i64 %least, 1
  %zeros = call i64 @llvm.ctlz.i64(i64 %top, i1 true)
  %exponent = sub i64 63, %zeros
  %shift = sub i64 %exponent, 2
  %bits = lshr i64 %top, %shift
  %step = and i64 %bits, 3
  %power = sub i64 %exponent, 11
  %base = shl i64 %power, 2
  %class = or i64 %base, %step
  ret i64 %class
}

; The size of the blocks in a class: (4 + step + 1) quarters of its power of two.
define internal i64 @class_size(i64 %class) {
  %step = and i64 %class, 3
  %quarters = add i64 %step, 5
  %power = lshr i64 %class, 2
  %shift = add i64 %power, 9
  %size = shl i64 %quarters, %shift
  ret i64 %size
}

; A 64-byte aligned block of at least %size bytes; null when there is no memory.
define ptr @tfc_pool_alloc(i64 %size) {
entry:
  %limit = load i64, ptr getelementptr (i64, ptr @state, i64 $LIMIT)
  %absurd = icmp ugt i64 %size, %limit
  br i1 %absurd, label %none, label %look
look:
  %class = call i64 @class_of(i64 %size)
  %bytes = call i64 @class_size(i64 %class)
  %bin = getelementptr ptr, ptr @bins, i64 %class
  %head = load ptr, ptr %bin
  %empty = icmp eq ptr %head, null
  br i1 %empty, label %miss, label %hit
hit:
  %next = load ptr, ptr %head
  store ptr %next, ptr %bin
  %minus = sub i64 0, %bytes
  call void @count(i64 $CACHED, i64 %minus)
  call void @count(i64 $BLOCKS, i64 -1)
  call void @count(i64 $HITS, i64 1)
  call void @count(i64 $LIVE, i64 %bytes)
  ret ptr %head
miss:
  %first = call ptr @new_block(i64 %bytes)
  %failed = icmp eq ptr %first, null
  br i1 %failed, label %again, label %fresh
again:
  %freed = call i64 @tfc_pool_trim()
  %second = call ptr @new_block(i64 %bytes)
  %hopeless = icmp eq ptr %second, null
  br i1 %hopeless, label %none, label %fresh
fresh:
  %block = phi ptr [ %first, %miss ], [ %second, %again ]
  call void @count(i64 $MISSES, i64 1)
  call void @count(i64 $LIVE, i64 %bytes)
  ret ptr %block
none:
  ret ptr null
}

; Give back a block that was allocated with this %size.
define void @tfc_pool_free(ptr %block, i64 %size) {
entry:
  %class = call i64 @class_of(i64 %size)
  %bytes = call i64 @class_size(i64 %class)
  %minus = sub i64 0, %bytes
  call void @count(i64 $LIVE, i64 %minus)
  %maximum = load i64, ptr getelementptr (i64, ptr @state, i64 $MAXIMUM)
  %cached = load i64, ptr getelementptr (i64, ptr @state, i64 $CACHED)
  %after = add i64 %cached, %bytes
  %fits = icmp ule i64 %after, %maximum
  br i1 %fits, label %keep, label %full
full:
  %room = sub i64 %maximum, %bytes
  %possible = icmp sge i64 %room, 0
  br i1 %possible, label %evict, label %release
evict:
  ; Blocks of sizes that are no longer asked for must not fill the pool for good.
  %left = call i64 @make_room(i64 %room, i64 %class)
  %fits.now = icmp sle i64 %left, %room
  br i1 %fits.now, label %keep, label %release
keep:
  %bin = getelementptr ptr, ptr @bins, i64 %class
  %head = load ptr, ptr %bin
  store ptr %head, ptr %block
  store ptr %block, ptr %bin
  call void @count(i64 $CACHED, i64 %bytes)
  call void @count(i64 $BLOCKS, i64 1)
  ret void
release:
  call void @count(i64 $RELEASED, i64 1)
  call void @free(ptr %block)
  ret void
}

; Free cached blocks, round robin over the classes but %spared, until at most %room bytes stay.
define internal i64 @make_room(i64 %room, i64 %spared) {
entry:
  %start = load i64, ptr getelementptr (i64, ptr @state, i64 $HAND)
  br label %next
next:
  %tried = phi i64 [ 0, %entry ], [ %tried.1, %skip ], [ 0, %drop ]
  %hand = phi i64 [ %start, %entry ], [ %hand.1, %skip ], [ %hand.1, %drop ]
  %cached = load i64, ptr getelementptr (i64, ptr @state, i64 $CACHED)
  %enough = icmp sle i64 %cached, %room
  %over = icmp uge i64 %tried, $BIN_COUNT
  %stop = or i1 %enough, %over
  br i1 %stop, label %done, label %look
look:
  %hand.0 = add i64 %hand, 1
  %hand.1 = urem i64 %hand.0, $BIN_COUNT
  %bin = getelementptr ptr, ptr @bins, i64 %hand.1
  %head = load ptr, ptr %bin
  %empty = icmp eq ptr %head, null
  %own = icmp eq i64 %hand.1, %spared
  %pass = or i1 %empty, %own
  br i1 %pass, label %skip, label %drop
skip:
  %tried.1 = add i64 %tried, 1
  br label %next
drop:
  %ignored = call i64 @drop_head(i64 %hand.1)
  br label %next
done:
  store i64 %hand, ptr getelementptr (i64, ptr @state, i64 $HAND)
  ret i64 %cached
}

; Free the first block of a class that has one; returns its size.
define internal i64 @drop_head(i64 %class) {
  %bin = getelementptr ptr, ptr @bins, i64 %class
  %head = load ptr, ptr %bin
  %next = load ptr, ptr %head
  store ptr %next, ptr %bin
  %bytes = call i64 @class_size(i64 %class)
  %minus = sub i64 0, %bytes
  call void @count(i64 $CACHED, i64 %minus)
  call void @count(i64 $BLOCKS, i64 -1)
  call void @count(i64 $RELEASED, i64 1)
  call void @free(ptr %head)
  ret i64 %bytes
}

; Free every cached block; returns how many bytes that were.
define i64 @tfc_pool_trim() {
entry:
  %kept.freed = call i64 @trim_kept()
  br label %next
next:
  %class = phi i64 [ 0, %entry ], [ %class, %drop ], [ %class.1, %skip ]
  %freed = phi i64 [ %kept.freed, %entry ], [ %freed.1, %drop ], [ %freed, %skip ]
  %over = icmp eq i64 %class, $BIN_COUNT
  br i1 %over, label %done, label %look
look:
  %bin = getelementptr ptr, ptr @bins, i64 %class
  %head = load ptr, ptr %bin
  %empty = icmp eq ptr %head, null
  br i1 %empty, label %skip, label %drop
skip:
  %class.1 = add i64 %class, 1
  br label %next
drop:
  %bytes = call i64 @drop_head(i64 %class)
  %freed.1 = add i64 %freed, %bytes
  br label %next
done:
  ret i64 %freed
}

; Huge pages for big blocks: first touch is then one fault for 2 MiB, not 512 faults.
define internal ptr @new_block(i64 %bytes) {
entry:
  %place = alloca ptr
  %big = icmp uge i64 %bytes, 4194304
  %alignment = select i1 %big, i64 2097152, i64 64
  %status = call i32 @posix_memalign(ptr %place, i64 %alignment, i64 %bytes)
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %none, label %got
got:
  %block = load ptr, ptr %place
  br i1 %big, label %advise, label %done
advise:
$ADVISE
  br label %done
done:
  ret ptr %block
none:
  ret ptr null
}

define internal void @count(i64 %which, i64 %by) {
  %at = getelementptr i64, ptr @state, i64 %which
  %old = load i64, ptr %at
  %new = add i64 %old, %by
  store i64 %new, ptr %at
  ret void
}

declare i32 @posix_memalign(ptr, i64, i64)
declare i32 @madvise(ptr, i64, i32)
declare void @free(ptr)
"""
