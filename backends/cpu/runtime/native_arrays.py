"""LLVM text that reads argument arrays and makes result arrays. `native.py` says what for."""

ARRAYS = """\
; ---- reading arguments ------------------------------------------------------------------------
; Put the arrays of %count tensor objects into %arrays and their data pointers into %buffers.
; Returns 0, with nothing done that needs undoing, unless every one is as %expected; -1 where all
; has to be read again, since other threads went on.
define i32 @tfc_fetch(ptr %objects, i64 %count, ptr %expected, ptr %arrays, ptr %buffers) {
entry:
  %tensor = load ptr, ptr @tfc_types
  %variable = load ptr, ptr getelementptr (ptr, ptr @tfc_types, i64 1)
  %slot = load i64, ptr getelementptr (ptr, ptr @tfc_types, i64 2)
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %store ]
  %over = icmp uge i64 %i, %count
  br i1 %over, label %done, label %read
read:
  %object.at = getelementptr ptr, ptr %objects, i64 %i
  %object = load ptr, ptr %object.at
  %type.at = getelementptr i8, ptr %object, i64 $TYPE
  %type = load ptr, ptr %type.at
  %is.tensor = icmp eq ptr %type, %tensor
  %is.variable = icmp eq ptr %type, %variable
  %known = or i1 %is.tensor, %is.variable
  br i1 %known, label %open, label %miss
open:
  %array.at = getelementptr i8, ptr %object, i64 %slot
  %array = load ptr, ptr %array.at
  %unset = icmp eq ptr %array, null
  br i1 %unset, label %empty, label %array.type
empty:
  %waited = call i1 @wait()
  br i1 %waited, label %again, label %miss
again:
  ret i32 -1
array.type:
  %class.at = getelementptr i8, ptr %array, i64 $TYPE
  %class = load ptr, ptr %class.at
  %plain = icmp eq ptr %class, @PyArray_Type
  br i1 %plain, label %layout, label %miss
layout:
  %want = getelementptr { ptr, ptr, i64 }, ptr %expected, i64 %i
  %want.descr = load ptr, ptr %want
  %want.dims.at = getelementptr i8, ptr %want, i64 8
  %want.dims = load ptr, ptr %want.dims.at
  %want.rank.at = getelementptr i8, ptr %want, i64 16
  %want.rank = load i64, ptr %want.rank.at
  %descr.at = getelementptr i8, ptr %array, i64 $DESCR
  %descr = load ptr, ptr %descr.at
  %same.descr = icmp eq ptr %descr, %want.descr
  %rank.at = getelementptr i8, ptr %array, i64 $RANK
  %rank.32 = load i32, ptr %rank.at
  %rank = zext i32 %rank.32 to i64
  %same.rank = icmp eq i64 %rank, %want.rank
  %flags.at = getelementptr i8, ptr %array, i64 $FLAGS
  %flags = load i32, ptr %flags.at
  %dense = and i32 %flags, $DENSE
  %is.dense = icmp eq i32 %dense, $DENSE
  %fits.1 = and i1 %same.descr, %same.rank
  %fits.2 = and i1 %fits.1, %is.dense
  br i1 %fits.2, label %extents, label %miss
extents:
  %dims.at = getelementptr i8, ptr %array, i64 $DIMS
  %dims = load ptr, ptr %dims.at
  br label %extent
extent:
  %k = phi i64 [ 0, %extents ], [ %k.1, %compare ]
  %checked = icmp eq i64 %k, %rank
  br i1 %checked, label %store, label %compare
compare:
  %have.at = getelementptr i64, ptr %dims, i64 %k
  %have = load i64, ptr %have.at
  %need.at = getelementptr i64, ptr %want.dims, i64 %k
  %need = load i64, ptr %need.at
  %equal = icmp eq i64 %have, %need
  %any = icmp slt i64 %need, 0
  %fits = or i1 %equal, %any
  %k.1 = add i64 %k, 1
  br i1 %fits, label %extent, label %miss
store:
  %data.at = getelementptr i8, ptr %array, i64 $DATA
  %data = load ptr, ptr %data.at
  %buffer.at = getelementptr ptr, ptr %buffers, i64 %i
  store ptr %data, ptr %buffer.at
  %into = getelementptr ptr, ptr %arrays, i64 %i
  store ptr %array, ptr %into
  %i.1 = add i64 %i, 1
  br label %next
done:
  ret i32 1
miss:
  ret i32 0
}

; The value of an exact Python int in 0 .. 2^63-1; -1 for anything else.
define i64 @tfc_scalar(ptr %object) {
entry:
  %overflow = alloca i32
  %type.at = getelementptr i8, ptr %object, i64 $TYPE
  %type = load ptr, ptr %type.at
  %exact = icmp eq ptr %type, @PyLong_Type
  br i1 %exact, label %convert, label %miss
convert:
  %value = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  %negative = icmp slt i64 %value, 0
  %out = select i1 %negative, i64 -1, i64 %value
  ret i64 %out
miss:
  ret i64 -1
}

; ---- making results ---------------------------------------------------------------------------
; Make the arrays of %count results. %extents holds their shapes one after the other, all >= 0.
; Returns 0, or -1 with an exception set and nothing kept.
define i32 @tfc_make(ptr %results, i64 %count, ptr %extents, ptr %arrays, ptr %outs, ptr %buffers) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %i.1, %store ], [ %i.2, %later ]
  %dims = phi ptr [ %extents, %entry ], [ %dims.1, %store ], [ %dims.1, %later ]
  %over = icmp uge i64 %i, %count
  br i1 %over, label %done, label %read
read:
  %result = getelementptr { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i
  %descr = load ptr, ptr %result
  %rank.at = getelementptr i8, ptr %result, i64 8
  %rank = load i64, ptr %rank.at
  %mode.at = getelementptr i8, ptr %result, i64 24
  %mode = load i64, ptr %mode.at
  %dims.1 = getelementptr i64, ptr %dims, i64 %rank
  %is.fresh = icmp eq i64 %mode, $FRESH
  br i1 %is.fresh, label %fresh, label %other
other:
  %is.late = icmp eq i64 %mode, $LATE
  br i1 %is.late, label %later, label %sharing
later:
  %no.out = getelementptr ptr, ptr %outs, i64 %i
  store ptr null, ptr %no.out
  %i.2 = add i64 %i, 1
  br label %next
sharing:
  %source.at = getelementptr i8, ptr %result, i64 32
  %source = load i64, ptr %source.at
  %shared.at = getelementptr ptr, ptr %arrays, i64 %source
  %shared = load ptr, ptr %shared.at
  %same = call i1 @same_type(ptr %shared, ptr %descr, ptr %dims, i64 %rank)
  %is.alias = icmp eq i64 %mode, $ALIAS
  br i1 %is.alias, label %alias, label %donate
alias:
  br i1 %same, label %share, label %view
view:
  %viewed = call ptr @view(ptr %shared, ptr %descr, ptr %dims, i64 %rank)
  br label %made
donate:
  %alone = call i1 @exclusive(ptr %shared)
  %usable = and i1 %same, %alone
  br i1 %usable, label %share, label %fresh
share:
  INCREF %shared
  br label %made
fresh:
  %itemsize.at = getelementptr i8, ptr %result, i64 16
  %itemsize = load i64, ptr %itemsize.at
  %new = call ptr @tfc_new_array(ptr %descr, ptr %dims, i64 %rank, i64 %itemsize)
  br label %made
made:
  %array = phi ptr [ %viewed, %view ], [ %shared, %share ], [ %new, %fresh ]
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %undo, label %store
store:
  %out = getelementptr ptr, ptr %outs, i64 %i
  store ptr %array, ptr %out
  %data.at = getelementptr i8, ptr %array, i64 $DATA
  %data = load ptr, ptr %data.at
  %buffer = getelementptr ptr, ptr %buffers, i64 %i
  store ptr %data, ptr %buffer
  %i.1 = add i64 %i, 1
  br label %next
done:
  ret i32 0
undo:
  call void @tfc_drop(ptr %outs, i64 %i)
  ret i32 -1
}

define internal i1 @same_type(ptr %array, ptr %descr, ptr %dims, i64 %rank) {
entry:
  %descr.at = getelementptr i8, ptr %array, i64 $DESCR
  %its.descr = load ptr, ptr %descr.at
  %same.descr = icmp eq ptr %its.descr, %descr
  %rank.at = getelementptr i8, ptr %array, i64 $RANK
  %its.rank.32 = load i32, ptr %rank.at
  %its.rank = zext i32 %its.rank.32 to i64
  %same.rank = icmp eq i64 %its.rank, %rank
  %alike = and i1 %same.descr, %same.rank
  br i1 %alike, label %extents, label %no
extents:
  %dims.at = getelementptr i8, ptr %array, i64 $DIMS
  %its.dims = load ptr, ptr %dims.at
  br label %next
next:
  %k = phi i64 [ 0, %extents ], [ %k.1, %compare ]
  %over = icmp eq i64 %k, %rank
  br i1 %over, label %yes, label %compare
compare:
  %a.at = getelementptr i64, ptr %its.dims, i64 %k
  %a = load i64, ptr %a.at
  %b.at = getelementptr i64, ptr %dims, i64 %k
  %b = load i64, ptr %b.at
  %equal = icmp eq i64 %a, %b
  %k.1 = add i64 %k, 1
  br i1 %equal, label %next, label %no
yes:
  ret i1 true
no:
  ret i1 false
}

; Whether only one object outside this call refers to the array, which owns writeable memory:
; two references are that object's and the caller's own; any view or export would hold a third.
; Large memory that is not ours has no good alignment, and had better be left.
define internal i1 @exclusive(ptr %array) {
entry:
  %references = load i32, ptr %array
  %two = icmp eq i32 %references, 2
  %flags.at = getelementptr i8, ptr %array, i64 $FLAGS
  %flags = load i32, ptr %flags.at
  %writeable = and i32 %flags, $WRITEABLE
  %may.write = icmp ne i32 %writeable, 0
  %forking = load i64, ptr getelementptr (i64, ptr @overwriting, i64 1)
  %no.fork = icmp eq i64 %forking, 0
  %usable.now = and i1 %two, %no.fork
  %usable = and i1 %usable.now, %may.write
  br i1 %usable, label %memory, label %no
memory:
  %own = and i32 %flags, $OWNDATA
  %owned = icmp ne i32 %own, 0
  br i1 %owned, label %size, label %pooled
size:
  %rank.at = getelementptr i8, ptr %array, i64 $RANK
  %rank.32 = load i32, ptr %rank.at
  %rank = zext i32 %rank.32 to i64
  %dims.at = getelementptr i8, ptr %array, i64 $DIMS
  %dims = load ptr, ptr %dims.at
  %elements = call i64 @elements(ptr %dims, i64 %rank)
  %small = icmp ule i64 %elements, $INLINE_ELEMENTS
  ret i1 %small
pooled:
  ; Memory of ours lies under a capsule that only this array refers to.
  %base.at = getelementptr i8, ptr %array, i64 $BASE
  %base = load ptr, ptr %base.at
  %based = icmp ne ptr %base, null
  br i1 %based, label %capsule, label %no
capsule:
  %base.type.at = getelementptr i8, ptr %base, i64 $TYPE
  %base.type = load ptr, ptr %base.type.at
  %is.capsule = icmp eq ptr %base.type, @PyCapsule_Type
  br i1 %is.capsule, label %destructor, label %no
destructor:
  %destroy = call ptr @PyCapsule_GetDestructor(ptr %base)
  %ours = icmp eq ptr %destroy, @free_capsule
  br i1 %ours, label %count, label %no
count:
  %base.references = load i32, ptr %base
  %one = icmp eq i32 %base.references, 1
  ret i1 %one
no:
  ret i1 false
}

; Another shape (or type) over the memory of %array, which the new array keeps alive.
define internal ptr @view(ptr %array, ptr %descr, ptr %dims, i64 %rank) {
entry:
  %its.rank.at = getelementptr i8, ptr %array, i64 $RANK
  %its.rank.32 = load i32, ptr %its.rank.at
  %its.rank = zext i32 %its.rank.32 to i64
  %its.dims.at = getelementptr i8, ptr %array, i64 $DIMS
  %its.dims = load ptr, ptr %its.dims.at
  %have = call i64 @elements(ptr %its.dims, i64 %its.rank)
  %need = call i64 @elements(ptr %dims, i64 %rank)
  %equal = icmp eq i64 %have, %need
  br i1 %equal, label %make, label %clash
make:
  %data.at = getelementptr i8, ptr %array, i64 $DATA
  %data = load ptr, ptr %data.at
  %flags.at = getelementptr i8, ptr %array, i64 $FLAGS
  %its.flags = load i32, ptr %flags.at
  %flags = and i32 %its.flags, $ARRAY_FLAGS
  %rank.32 = trunc i64 %rank to i32
  INCREF %descr
  %new = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr,
    i32 %rank.32, ptr %dims, ptr null, ptr %data, i32 %flags, ptr null)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %none, label %own
own:
  INCREF %array
  %status = call i32 @PyArray_SetBaseObject(ptr %new, ptr %array)
  %unowned = icmp slt i32 %status, 0
  br i1 %unowned, label %undo, label %done
done:
  ret ptr %new
undo:
  DECREF %new
  ret ptr null
clash:
  call void @PyErr_SetString(ptr @Py_SystemError, ptr @clash.text)
  ret ptr null
none:
  ret ptr null
}

; An uninitialised array, in memory from NumPy or, where that is worth it, from the pool.
define ptr @tfc_new_array(ptr %descr, ptr %dims, i64 %rank, i64 %itemsize) {
entry:
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k.1, %multiply ]
  %bytes = phi i64 [ %itemsize, %entry ], [ %product, %multiply ]
  %over = icmp eq i64 %k, %rank
  br i1 %over, label %sized, label %multiply
multiply:
  %at = getelementptr i64, ptr %dims, i64 %k
  %extent = load i64, ptr %at
  %pair = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes, i64 %extent)
  %product = extractvalue { i64, i1 } %pair, 0
  %overflow = extractvalue { i64, i1 } %pair, 1
  %k.1 = add i64 %k, 1
  br i1 %overflow, label %raise, label %next
sized:
  %rank.32 = trunc i64 %rank to i32
  %small = icmp ule i64 %bytes, $INLINE_BYTES
  br i1 %small, label %numpy, label %pool
numpy:
  INCREF %descr
  %plain = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr,
    i32 %rank.32, ptr %dims, ptr null, ptr null, i32 0, ptr null)
  ret ptr %plain
pool:
  %block = call ptr @tfc_pool_alloc(i64 %bytes)
  %no.memory = icmp eq ptr %block, null
  br i1 %no.memory, label %raise, label %header
header:
  INCREF %descr
  %array = call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descr,
    i32 %rank.32, ptr %dims, ptr null, ptr %block, i32 $ARRAY_FLAGS, ptr null)
  %no.array = icmp eq ptr %array, null
  br i1 %no.array, label %undo.block, label %own
own:
  %capsule = call ptr @PyCapsule_New(ptr %block, ptr null, ptr @free_capsule)
  %no.capsule = icmp eq ptr %capsule, null
  br i1 %no.capsule, label %undo.array, label %base
base:
  %context = inttoptr i64 %bytes to ptr
  %set = call i32 @PyCapsule_SetContext(ptr %capsule, ptr %context)
  %status = call i32 @PyArray_SetBaseObject(ptr %array, ptr %capsule)
  %unowned = icmp slt i32 %status, 0
  br i1 %unowned, label %undo.all, label %done
done:
  ret ptr %array
undo.array:
  DECREF %array
  br label %undo.block
undo.block:
  call void @tfc_pool_free(ptr %block, i64 %bytes)
  ret ptr null
undo.all:
  DECREF %array
  ret ptr null
raise:
  %raised = call ptr @PyErr_NoMemory()
  ret ptr null
}

define internal void @free_capsule(ptr %capsule) {
  %block = call ptr @PyCapsule_GetPointer(ptr %capsule, ptr null)
  %context = call ptr @PyCapsule_GetContext(ptr %capsule)
  %bytes = ptrtoint ptr %context to i64
  call void @tfc_pool_free(ptr %block, i64 %bytes)
  ret void
}

; The product of the extents; -1 when it overflows.
define internal i64 @elements(ptr %dims, i64 %rank) {
entry:
  br label %next
next:
  %k = phi i64 [ 0, %entry ], [ %k.1, %multiply ]
  %total = phi i64 [ 1, %entry ], [ %product, %multiply ]
  %over = icmp eq i64 %k, %rank
  br i1 %over, label %done, label %multiply
multiply:
  %at = getelementptr i64, ptr %dims, i64 %k
  %extent = load i64, ptr %at
  %pair = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %total, i64 %extent)
  %product = extractvalue { i64, i1 } %pair, 0
  %overflow = extractvalue { i64, i1 } %pair, 1
  %k.1 = add i64 %k, 1
  br i1 %overflow, label %huge, label %next
done:
  ret i64 %total
huge:
  ret i64 -1
}
"""
