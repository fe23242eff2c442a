"""LLVM text of memory that programs allocate while they run, because only running tells how much
they need; and of arrays that are made of it. `native.py` says what for.

Programs run without the interpreter lock, which is what guards the pool. So large blocks are kept
in places of their own, four for each size class, that are taken and filled by atomic exchanges.
"""

LATE = """\
; ---- blocks -------------------------------------------------------------------------------------
; 64 bytes in front of a block hold its class, or -1 for a small one.
@kept = internal global [$KEPT_COUNT x ptr] zeroinitializer
@kept.bytes = internal global i64 0
@used.bytes = internal global i64 0  ; of large blocks

; A block of at least %size bytes; null when there is no memory. Any thread may call.
define ptr @tfc_block_alloc(i64 %size) {
entry:
  %total = add i64 %size, 64
  %small = icmp ult i64 %size, $SMALL_BLOCK
  br i1 %small, label %plain, label %look
plain:
  %new.small = call ptr @malloc(i64 %total)
  br label %made
look:
  ; What grows without end must fail before the system ends the process: an eighth is left. What the
  ; pool has is read without the lock, which may be a little wrong.
  %limit = load i64, ptr getelementptr (i64, ptr @state, i64 $LIMIT)
  %absurd = icmp ugt i64 %size, %limit
  br i1 %absurd, label %none, label %classed
classed:
  %class = call i64 @class_of(i64 %total)
  %bytes = call i64 @class_size(i64 %class)
  %used = atomicrmw add ptr @used.bytes, i64 %bytes monotonic
  %cached = load i64, ptr getelementptr (i64, ptr @state, i64 $CACHED)
  %live = load i64, ptr getelementptr (i64, ptr @state, i64 $LIVE)
  %pool = add i64 %cached, %live
  %own = add i64 %used, %bytes
  %with = add i64 %own, %pool
  %spare = lshr i64 %limit, 3
  %most = sub i64 %limit, %spare
  %too.much = icmp ugt i64 %with, %most
  %minus = sub i64 0, %bytes
  br i1 %too.much, label %refuse, label %weigh
weigh:
  %kept = load atomic i64, ptr @kept.bytes monotonic, align 8
  %all = add i64 %with, %kept
  %crowded = icmp ugt i64 %all, %most
  br i1 %crowded, label %trim, label %search
trim:
  %trimmed = call i64 @trim_kept()
  br label %search
refuse:
  %refused = atomicrmw add ptr @used.bytes, i64 %minus monotonic
  br label %none
search:
  %first = shl i64 %class, 2
  br label %next
next:
  %k = phi i64 [ 0, %search ], [ %k.1, %empty ]
  %over = icmp eq i64 %k, 4
  br i1 %over, label %miss, label %try
try:
  %k.1 = add i64 %k, 1
  %place = add i64 %first, %k
  %place.at = getelementptr ptr, ptr @kept, i64 %place
  %found = atomicrmw xchg ptr %place.at, ptr null acq_rel
  %is.empty = icmp eq ptr %found, null
  br i1 %is.empty, label %empty, label %hit
empty:
  br label %next
hit:
  %old.kept = atomicrmw add ptr @kept.bytes, i64 %minus monotonic
  br label %made
miss:
  %new = call ptr @new_block(i64 %bytes)
  %no.block = icmp eq ptr %new, null
  br i1 %no.block, label %refuse, label %made
made:
  %block = phi ptr [ %new.small, %plain ], [ %found, %hit ], [ %new, %miss ]
  %mark = phi i64 [ -1, %plain ], [ %class, %hit ], [ %class, %miss ]
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %none, label %done
done:
  store i64 %mark, ptr %block
  %data = getelementptr i8, ptr %block, i64 64
  ret ptr %data
none:
  ret ptr null
}

; Give a block (or null) back. Any thread may call.
define void @tfc_block_free(ptr %data) {
entry:
  %nothing = icmp eq ptr %data, null
  br i1 %nothing, label %done, label %look
look:
  %block = getelementptr i8, ptr %data, i64 -64
  %class = load i64, ptr %block
  %small = icmp slt i64 %class, 0
  br i1 %small, label %release, label %classed
classed:
  %bytes = call i64 @class_size(i64 %class)
  %less = sub i64 0, %bytes
  %old.used = atomicrmw add ptr @used.bytes, i64 %less monotonic
  %old.kept = atomicrmw add ptr @kept.bytes, i64 %bytes monotonic
  %now = add i64 %old.kept, %bytes
  %maximum = load i64, ptr getelementptr (i64, ptr @state, i64 $MAXIMUM)
  %fits = icmp ule i64 %now, %maximum
  %first = shl i64 %class, 2
  br i1 %fits, label %next, label %full
next:
  %k = phi i64 [ 0, %classed ], [ %k.1, %try ]
  %over = icmp eq i64 %k, 4
  br i1 %over, label %full, label %try
try:
  %k.1 = add i64 %k, 1
  %place = add i64 %first, %k
  %place.at = getelementptr ptr, ptr @kept, i64 %place
  %pair = cmpxchg ptr %place.at, ptr null, ptr %block acq_rel monotonic
  %kept = extractvalue { ptr, i1 } %pair, 1
  br i1 %kept, label %done, label %next
full:
  %undone = atomicrmw add ptr @kept.bytes, i64 %less monotonic
  br label %release
release:
  call void @free(ptr %block)
  br label %done
done:
  ret void
}

; Free all blocks that are kept; how many bytes that were.
define internal i64 @trim_kept() {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %freed ]
  %total = phi i64 [ 0, %entry ], [ %total.1, %freed ]
  %over = icmp eq i64 %i, $KEPT_COUNT
  br i1 %over, label %done, label %take
take:
  %i.1 = add i64 %i, 1
  %place = getelementptr ptr, ptr @kept, i64 %i
  %block = atomicrmw xchg ptr %place, ptr null acq_rel
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %freed, label %free.it
free.it:
  %class = load i64, ptr %block
  %bytes = call i64 @class_size(i64 %class)
  %minus = sub i64 0, %bytes
  %old = atomicrmw add ptr @kept.bytes, i64 %minus monotonic
  call void @free(ptr %block)
  br label %freed
freed:
  %more = phi i64 [ 0, %take ], [ %bytes, %free.it ]
  %total.1 = add i64 %total, %more
  br label %next
done:
  ret i64 %total
}

; ---- results that the program has allocated -----------------------------------------------------
; Make the arrays of those of %count results that the program has allocated: %buffers holds their
; blocks, %extents their shapes one after the other. Returns 0; or -1 with an exception
; set, their blocks freed and all of %outs dropped.
define i32 @tfc_adopt(ptr %results, i64 %count, ptr %extents, ptr %outs, ptr %buffers) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %done.one ]
  %dims = phi ptr [ %extents, %entry ], [ %dims.1, %done.one ]
  %over = icmp uge i64 %i, %count
  br i1 %over, label %done, label %read
read:
  %i.1 = add i64 %i, 1
  %result = getelementptr { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i
  %descr = load ptr, ptr %result
  %rank.at = getelementptr i8, ptr %result, i64 8
  %rank = load i64, ptr %rank.at
  %itemsize.at = getelementptr i8, ptr %result, i64 16
  %itemsize = load i64, ptr %itemsize.at
  %dims.1 = getelementptr i64, ptr %dims, i64 %rank
  %late = call i1 @is_late(ptr %result)
  br i1 %late, label %adopt, label %done.one
adopt:
  %buffer = getelementptr ptr, ptr %buffers, i64 %i
  %block = load ptr, ptr %buffer
  %array = call ptr @adopted(ptr %descr, ptr %dims, i64 %rank, i64 %itemsize, ptr %block)
  %out = getelementptr ptr, ptr %outs, i64 %i
  store ptr %array, ptr %out
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %undo, label %done.one
done.one:
  br label %next
done:
  ret i32 0
undo:
  br label %undo.next
undo.next:
  %j = phi i64 [ %i.1, %undo ], [ %j.1, %undone ]
  %undo.over = icmp uge i64 %j, %count
  br i1 %undo.over, label %drop, label %undo.read
undo.read:
  %j.1 = add i64 %j, 1
  %rest = getelementptr { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %j
  %rest.late = call i1 @is_late(ptr %rest)
  br i1 %rest.late, label %undo.free, label %undone
undo.free:
  %rest.at = getelementptr ptr, ptr %buffers, i64 %j
  %rest.block = load ptr, ptr %rest.at
  call void @tfc_block_free(ptr %rest.block)
  br label %undone
undone:
  br label %undo.next
drop:
  call void @tfc_drop(ptr %outs, i64 %count)
  ret i32 -1
}

define internal i1 @is_late(ptr %result) {
  %mode.at = getelementptr i8, ptr %result, i64 24
  %mode = load i64, ptr %mode.at
  %late = icmp eq i64 %mode, $LATE
  ret i1 %late
}

; An array of %block, which is freed with it; or at once, where a copy costs less or it fails.
define internal ptr @adopted(ptr %descr, ptr %dims, i64 %rank, i64 %itemsize, ptr %block) {
entry:
  %count = call i64 @elements(ptr %dims, i64 %rank)
  %bytes = mul i64 %count, %itemsize
  %small = icmp ule i64 %bytes, $INLINE_BYTES
  br i1 %small, label %copy, label %header
copy:
  %new = call ptr @tfc_new_array(ptr %descr, ptr %dims, i64 %rank, i64 %itemsize)
  %no.new = icmp eq ptr %new, null
  br i1 %no.new, label %undo, label %fill
fill:
  %data.at = getelementptr i8, ptr %new, i64 $DATA
  %data = load ptr, ptr %data.at
  call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr %block, i64 %bytes, i1 false)
  call void @tfc_block_free(ptr %block)
  ret ptr %new
header:
  %rank.32 = trunc i64 %rank to i32
  INCREF %descr
  %array = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr,
    i32 %rank.32, ptr %dims, ptr null, ptr %block, i32 $ARRAY_FLAGS, ptr null)
  %no.array = icmp eq ptr %array, null
  br i1 %no.array, label %undo, label %own
own:
  %capsule = call ptr @PyCapsule_New(ptr %block, ptr null, ptr @free_adopted)
  %no.capsule = icmp eq ptr %capsule, null
  br i1 %no.capsule, label %undo.array, label %base
base:
  %status = call i32 @PyArray_SetBaseObject(ptr %array, ptr %capsule)
  %unowned = icmp slt i32 %status, 0
  br i1 %unowned, label %undo.all, label %done
done:
  ret ptr %array
undo.array:
  DECREF %array
  br label %undo
undo:
  call void @tfc_block_free(ptr %block)
  ret ptr null
undo.all:
  DECREF %array
  ret ptr null
}

define internal void @free_adopted(ptr %capsule) {
  %block = call ptr @PyCapsule_GetPointer(ptr %capsule, ptr null)
  call void @tfc_block_free(ptr %block)
  ret void
}

declare ptr @malloc(i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
