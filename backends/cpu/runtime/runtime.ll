; Made of runtime.c by `make runtime`: change that instead.
; source 1f5f3398d2078267af7038fbd7f11d686b3c380971ff595b4305c2e7ca523ca9
; text bd52b072234f937ae0ed14e2ba8535825c13e4d1b6dcfc05a858ad364ec92002

@pool_state = internal global { i64, i64, i64, i64, i64, i64, i64, i64, i64, i64 } zeroinitializer, align 8
@bins = internal global [144 x ptr] zeroinitializer, align 16
@tfc_types = external constant { ptr, ptr, ptr, i64, ptr, ptr }, align 8
@PyLong_Type = external global { i64, ptr }, align 8
@PyArray_Type = external global { i64, ptr }, align 8
@Py_None = external global { i64, ptr }, align 8
@tfc_active = external global { i64 }, align 8
@overwriting = internal global { i64, i64 } zeroinitializer, align 8
@Py_SystemError = external global { i64, ptr }, align 8
@.str = private constant [60 x i8] c"tfc: the error handler of a failed function raised no error\00", align 1
@tfc_miss = external global { i64, ptr }, align 8
@Py_MemoryError = external global { i64, ptr }, align 8
@used_bytes = internal global i64 0, align 8
@kept_bytes = internal global i64 0, align 8
@chunks = internal global ptr null, align 8
@chunk_room = internal global i64 0, align 8
@PyCapsule_Type = external global { i64, ptr }, align 8
@.str.1 = private constant [80 x i8] c"tfc: a result that shares memory has another number of elements than its source\00", align 1
@tfc_state = external global { i64, ptr }, align 8
@kept = internal global [144 x [4 x ptr]] zeroinitializer, align 16
@tfc_patience = external global { i64, ptr }, align 8

define ptr @tfc_pool_state() nounwind noimplicitfloat noinline optnone {
entry:
  ret ptr @pool_state
}

define i64 @tfc_pool_trim() nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call fastcc i64 @trim_kept()
  br label %for.cond1.preheader

for.cond1.preheader:
  %freed.011 = phi i64 [ %call, %entry ], [ %freed.1, %for.cond.cleanup4 ]
  %class.010 = phi i64 [ 0, %entry ], [ %inc, %for.cond.cleanup4 ]
  br label %for.cond1

for.cond.cleanup:
  ret i64 %freed.1

for.cond1:
  %freed.1 = phi i64 [ %add, %for.cond1 ], [ %freed.011, %for.cond1.preheader ]
  %call2 = tail call fastcc i64 @drop_block(i64 %class.010)
  %cmp3.not = icmp eq i64 %call2, 0
  %add = add i64 %call2, %freed.1
  br i1 %cmp3.not, label %for.cond.cleanup4, label %for.cond1

for.cond.cleanup4:
  %inc = add nuw nsw i64 %class.010, 1
  %exitcond.not = icmp eq i64 %inc, 144
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.cond1.preheader
}

define internal fastcc i64 @trim_kept() nounwind noimplicitfloat noinline optnone {
entry:
  br label %for.cond1.preheader

for.cond1.preheader:
  %freed.025 = phi i64 [ 0, %entry ], [ %freed.2, %for.cond.cleanup3 ]
  %class.024 = phi i64 [ 0, %entry ], [ %inc10, %for.cond.cleanup3 ]
  %arrayidx = getelementptr inbounds nuw [4 x ptr], ptr @kept, i64 %class.024
  br label %for.body4

for.cond.cleanup:
  ret i64 %freed.2

for.cond.cleanup3:
  %inc10 = add nuw nsw i64 %class.024, 1
  %exitcond26.not = icmp eq i64 %inc10, 144
  br i1 %exitcond26.not, label %for.cond.cleanup, label %for.cond1.preheader

for.body4:
  %freed.123 = phi i64 [ %freed.025, %for.cond1.preheader ], [ %freed.2, %cleanup ]
  %place.022 = phi i64 [ 0, %for.cond1.preheader ], [ %inc, %cleanup ]
  %arrayidx5 = getelementptr inbounds nuw ptr, ptr %arrayidx, i64 %place.022
  %v0 = atomicrmw xchg ptr %arrayidx5, i64 0 acq_rel, align 8
  %cmp6 = icmp eq i64 %v0, 0
  br i1 %cmp6, label %cleanup, label %if.end

if.end:
  %v1 = inttoptr i64 %v0 to ptr
  %call = tail call fastcc i64 @class_size(i64 %class.024)
  %sub = sub i64 0, %call
  %v2 = atomicrmw add ptr @kept_bytes, i64 %sub monotonic, align 8
  tail call void @free(ptr %v1)
  %add = add i64 %call, %freed.123
  br label %cleanup

cleanup:
  %freed.2 = phi i64 [ %add, %if.end ], [ %freed.123, %for.body4 ]
  %inc = add nuw nsw i64 %place.022, 1
  %exitcond.not = icmp eq i64 %inc, 4
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4
}

define internal fastcc i64 @drop_block(i64 %class) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call fastcc ptr @take_block(i64 %class)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:
  %call1 = tail call fastcc i64 @class_size(i64 %class)
  tail call fastcc void @release(ptr %call, i64 %call1)
  br label %cleanup

cleanup:
  %retval.0 = phi i64 [ %call1, %if.end ], [ 0, %entry ]
  ret i64 %retval.0
}

define ptr @tfc_pool_alloc(i64 %size) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24), align 8
  %cmp = icmp ugt i64 %size, %v0
  br i1 %cmp, label %return, label %if.end

if.end:
  %call = tail call fastcc i64 @class_of(i64 %size)
  %call1 = tail call fastcc i64 @class_size(i64 %call)
  %call2 = tail call fastcc ptr @take_block(i64 %call)
  %cmp3.not = icmp eq ptr %call2, null
  br i1 %cmp3.not, label %if.else, label %if.then4

if.then4:
  %v1 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 32), align 8
  %inc = add i64 %v1, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 32), align 8
  br label %if.end15

if.else:
  %call5 = tail call fastcc ptr @pool_block(i64 %call1)
  %cmp6 = icmp eq ptr %call5, null
  br i1 %cmp6, label %if.end10, label %if.end13

if.end10:
  %call8 = tail call i64 @tfc_pool_trim()
  %call9 = tail call fastcc ptr @pool_block(i64 %call1)
  %cmp11 = icmp eq ptr %call9, null
  br i1 %cmp11, label %return, label %if.end13

if.end13:
  %block.027 = phi ptr [ %call9, %if.end10 ], [ %call5, %if.else ]
  %v2 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 40), align 8
  %inc14 = add i64 %v2, 1
  store i64 %inc14, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 40), align 8
  br label %if.end15

if.end15:
  %block.1 = phi ptr [ %call2, %if.then4 ], [ %block.027, %if.end13 ]
  %v3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8), align 8
  %add = add i64 %v3, %call1
  store i64 %add, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8), align 8
  br label %return

return:
  %retval.1 = phi ptr [ null, %entry ], [ %block.1, %if.end15 ], [ null, %if.end10 ]
  ret ptr %retval.1
}

define internal fastcc i64 @class_of(i64 %size) nounwind noimplicitfloat noinline optnone {
entry:
  %cond = tail call i64 @llvm.umax.i64(i64 %size, i64 4096)
  %sub = add i64 %cond, -1
  %v0 = tail call i64 @llvm.ctlz.i64(i64 %sub, i1 true)
  %sub2 = sub nuw nsw i64 61, %v0
  %shr = lshr i64 %sub, %sub2
  %and = and i64 %shr, 3
  %v1 = shl nuw nsw i64 %v0, 2
  %reass.sub8 = sub nsw i64 %and, %v1
  %add = add nsw i64 %reass.sub8, 208
  ret i64 %add
}

define internal fastcc i64 @class_size(i64 %class) nounwind noimplicitfloat noinline optnone {
entry:
  %and = and i64 %class, 3
  %add = add nuw nsw i64 %and, 5
  %shr = ashr i64 %class, 2
  %add1 = add nsw i64 %shr, 9
  %shl = shl i64 %add, %add1
  ret i64 %shl
}

define internal fastcc ptr @take_block(i64 %class) nounwind noimplicitfloat noinline optnone {
entry:
  %arrayidx = getelementptr inbounds ptr, ptr @bins, i64 %class
  %v0 = load ptr, ptr %arrayidx, align 8
  %cmp = icmp eq ptr %v0, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:
  %v1 = load ptr, ptr %v0, align 8
  store ptr %v1, ptr %arrayidx, align 8
  %call = tail call fastcc i64 @class_size(i64 %class)
  %v2 = load i64, ptr @pool_state, align 8
  %sub = sub i64 %v2, %call
  store i64 %sub, ptr @pool_state, align 8
  %v3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 64), align 8
  %dec = add i64 %v3, -1
  store i64 %dec, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 64), align 8
  br label %cleanup

cleanup:
  ret ptr %v0
}

define internal fastcc ptr @pool_block(i64 %bytes) nounwind noimplicitfloat noinline optnone {
entry:
  %tobool = icmp ne i64 $HUGE_PAGES, 0
  %v0 = add i64 %bytes, -81920
  %v1 = icmp ult i64 %v0, 4112384
  %spec.select = and i1 %v1, %tobool
  br i1 %spec.select, label %cond.end, label %cond.false5

cond.end:
  %call2 = tail call fastcc ptr @cut_block(i64 %bytes)
  %cmp3.not = icmp eq ptr %call2, null
  br i1 %cmp3.not, label %cond.false5, label %cond.end7

cond.false5:
  %call6 = tail call fastcc ptr @new_block(i64 %bytes)
  br label %cond.end7

cond.end7:
  %cond8 = phi ptr [ %call6, %cond.false5 ], [ %call2, %cond.end ]
  ret ptr %cond8
}

define void @tfc_pool_free(ptr %freed, i64 %size) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call fastcc i64 @class_of(i64 %size)
  %call1 = tail call fastcc i64 @class_size(i64 %call)
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8), align 8
  %sub = sub i64 %v0, %call1
  store i64 %sub, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8), align 8
  %v1 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16), align 8
  %sub2 = sub i64 %v1, %call1
  %v2 = load i64, ptr @pool_state, align 8
  %cmp = icmp sgt i64 %v2, %sub2
  %cmp3 = icmp sgt i64 %sub2, -1
  %or.cond = and i1 %cmp, %cmp3
  br i1 %or.cond, label %if.then, label %if.end

if.then:
  tail call fastcc void @make_room(i64 %sub2, i64 %call)
  %.pre = load i64, ptr @pool_state, align 8
  br label %if.end

if.end:
  %v3 = phi i64 [ %.pre, %if.then ], [ %v2, %entry ]
  %cmp4 = icmp sgt i64 %v3, %sub2
  br i1 %cmp4, label %if.then5, label %if.end6

if.then5:
  tail call fastcc void @release(ptr %freed, i64 %call1)
  br label %cleanup

if.end6:
  %arrayidx = getelementptr inbounds nuw ptr, ptr @bins, i64 %call
  %v4 = load ptr, ptr %arrayidx, align 8
  store ptr %v4, ptr %freed, align 8
  store ptr %freed, ptr %arrayidx, align 8
  %v5 = load i64, ptr @pool_state, align 8
  %add = add i64 %v5, %call1
  store i64 %add, ptr @pool_state, align 8
  %v6 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 64), align 8
  %inc = add i64 %v6, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 64), align 8
  br label %cleanup

cleanup:
  ret void
}

define internal fastcc void @make_room(i64 %room, i64 %spared) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 56), align 8
  %v1 = load i64, ptr @pool_state, align 8
  %cmp12 = icmp sgt i64 %v1, %room
  br i1 %cmp12, label %while.body, label %while.end

while.body:
  %v2 = phi i64 [ %v3, %while.cond ], [ %v1, %entry ]
  %class.014 = phi i64 [ %rem, %while.cond ], [ %v0, %entry ]
  %empty.013 = phi i64 [ %v4, %while.cond ], [ 0, %entry ]
  %add = add i64 %class.014, 1
  %rem = srem i64 %add, 144
  %cmp2.not = icmp eq i64 %rem, %spared
  br i1 %cmp2.not, label %land.end5.thread, label %land.end5

land.end5.thread:
  %add611 = add nsw i64 %empty.013, 1
  br label %while.cond

land.end5:
  %call = tail call fastcc i64 @drop_block(i64 %rem)
  %cmp4.not = icmp eq i64 %call, 0
  %add6 = add nsw i64 %empty.013, 1
  %spec.select = select i1 %cmp4.not, i64 %add6, i64 0
  %.pre = load i64, ptr @pool_state, align 8
  br label %while.cond

while.cond:
  %v3 = phi i64 [ %v2, %land.end5.thread ], [ %.pre, %land.end5 ]
  %v4 = phi i64 [ %add611, %land.end5.thread ], [ %spec.select, %land.end5 ]
  %cmp = icmp sgt i64 %v3, %room
  %cmp1 = icmp slt i64 %v4, 144
  %v5 = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %v5, label %while.body, label %while.end

while.end:
  %class.0.lcssa = phi i64 [ %v0, %entry ], [ %rem, %while.cond ]
  store i64 %class.0.lcssa, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 56), align 8
  ret void
}

define internal fastcc void @release(ptr %block, i64 %bytes) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 48), align 8
  %inc = add i64 %v0, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 48), align 8
  %call = tail call fastcc i1 @return_block(ptr %block, i64 %bytes)
  br i1 %call, label %if.end, label %if.then

if.then:
  tail call void @free(ptr %block)
  br label %if.end

if.end:
  ret void
}

define void @tfc_hold(ptr %objects, i64 %count) nounwind noimplicitfloat {
entry:
  %cmp3 = icmp sgt i64 %count, 0
  br i1 %cmp3, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %i.04 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %objects, i64 %i.04
  %v0 = load ptr, ptr %arrayidx, align 8
  %v1 = load i64, ptr %v0, align 8
  %shr.i.i = lshr i64 %v1, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v1
  store i64 %add.i, ptr %v0, align 8
  %inc = add nuw nsw i64 %i.04, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define void @tfc_drop(ptr %objects, i64 %count) nounwind noimplicitfloat {
entry:
  %cmp7 = icmp sgt i64 %count, 0
  br i1 %cmp7, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %i.08 = phi i64 [ %inc, %for.inc ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %objects, i64 %i.08
  %v0 = load ptr, ptr %arrayidx, align 8
  %cmp1.not = icmp eq ptr %v0, null
  br i1 %cmp1.not, label %for.inc, label %if.then

if.then:
  %v1 = load i64, ptr %v0, align 8
  %shr.i.i = lshr i64 %v1, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %sub.i = sub i64 %v1, %xor.i.i
  store i64 %sub.i, ptr %v0, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %for.inc

if.then.i:
  tail call void @_Py_Dealloc(ptr %v0)
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.08, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define i32 @tfc_fetch(ptr %objects, i64 %count, ptr %expected, ptr %arrays, ptr %buffers) nounwind noimplicitfloat {
entry:
  %cmp41 = icmp sgt i64 %count, 0
  br i1 %cmp41, label %for.body.lr.ph, label %cleanup18

for.body.lr.ph:
  %v0 = load ptr, ptr @tfc_types, align 8
  %v1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 8), align 8
  %v2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 16), align 8
  %v3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 24), align 8
  br label %for.body

for.body:
  %i.042 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %objects, i64 %i.042
  %v4 = load ptr, ptr %arrayidx, align 8
  %type = getelementptr inbounds nuw i8, ptr %v4, i64 8
  %v5 = load ptr, ptr %type, align 8
  %cmp1.not = icmp eq ptr %v5, %v0
  %cmp3.not = icmp eq ptr %v5, %v1
  %or.cond = select i1 %cmp1.not, i1 true, i1 %cmp3.not
  %cmp6.not = icmp eq ptr %v5, %v2
  %or.cond34 = select i1 %or.cond, i1 true, i1 %cmp6.not
  br i1 %or.cond34, label %if.end, label %cleanup18

if.end:
  %add.ptr.i = getelementptr inbounds i8, ptr %v4, i64 %v3
  %v6 = load ptr, ptr %add.ptr.i, align 8
  %cmp7 = icmp eq ptr %v6, null
  br i1 %cmp7, label %if.then8, label %if.end10

if.then8:
  %call9 = tail call fastcc i1 @wait_for_overwriting()
  %cond = sext i1 %call9 to i32
  br label %cleanup18

if.end10:
  %arrayidx11 = getelementptr inbounds nuw { ptr, ptr, i64 }, ptr %expected, i64 %i.042
  %type.i = getelementptr inbounds nuw i8, ptr %v6, i64 8
  %v7 = load ptr, ptr %type.i, align 8
  %cmp.not.i = icmp eq ptr %v7, @PyArray_Type
  br i1 %cmp.not.i, label %if.end.i, label %cleanup18

if.end.i:
  %descriptor.i = getelementptr inbounds nuw i8, ptr %v6, i64 56
  %v8 = load ptr, ptr %descriptor.i, align 8
  %v9 = load ptr, ptr %arrayidx11, align 8
  %cmp3.not.i = icmp eq ptr %v8, %v9
  br i1 %cmp3.not.i, label %lor.lhs.false.i, label %cleanup18

lor.lhs.false.i:
  %flags.i = getelementptr inbounds nuw i8, ptr %v6, i64 64
  %v10 = load i32, ptr %flags.i, align 8
  %and.i = and i32 %v10, 257
  %cmp1.i = icmp eq i32 %and.i, 257
  %rank.i = getelementptr inbounds nuw i8, ptr %v6, i64 24
  %v11 = load i32, ptr %rank.i, align 8
  %conv.i = sext i32 %v11 to i64
  %rank4.i = getelementptr inbounds nuw i8, ptr %arrayidx11, i64 16
  %v12 = load i64, ptr %rank4.i, align 8
  %cmp5.i = icmp eq i64 %v12, %conv.i
  %or.cond.i = select i1 %cmp5.i, i1 %cmp1.i, i1 false
  br i1 %or.cond.i, label %for.cond.preheader.i, label %cleanup18

for.cond.preheader.i:
  %cmp11.not38.i = icmp slt i32 %v11, 1
  br i1 %cmp11.not38.i, label %for.inc, label %for.body.lr.ph.i

for.body.lr.ph.i:
  %extents.i = getelementptr inbounds nuw i8, ptr %arrayidx11, i64 8
  %v13 = load ptr, ptr %extents.i, align 8
  %extents13.i = getelementptr inbounds nuw i8, ptr %v6, i64 32
  %v14 = load ptr, ptr %extents13.i, align 8
  br label %for.body.i

for.cond.i:
  %inc.i = add nuw nsw i64 %axis.039.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %conv.i
  br i1 %exitcond.not.i, label %for.inc, label %for.body.i

for.body.i:
  %axis.039.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.cond.i ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %v13, i64 %axis.039.i
  %v15 = load i64, ptr %arrayidx.i, align 8
  %arrayidx14.i = getelementptr inbounds nuw i64, ptr %v14, i64 %axis.039.i
  %v16 = load i64, ptr %arrayidx14.i, align 8
  %cmp15.i = icmp eq i64 %v16, %v15
  %cmp17.i = icmp slt i64 %v15, 0
  %or.cond25.not.i = or i1 %cmp17.i, %cmp15.i
  br i1 %or.cond25.not.i, label %for.cond.i, label %cleanup18

for.inc:
  %data = getelementptr inbounds nuw i8, ptr %v6, i64 16
  %v17 = load ptr, ptr %data, align 8
  %arrayidx15 = getelementptr inbounds nuw ptr, ptr %buffers, i64 %i.042
  store ptr %v17, ptr %arrayidx15, align 8
  %arrayidx16 = getelementptr inbounds nuw ptr, ptr %arrays, i64 %i.042
  store ptr %v6, ptr %arrayidx16, align 8
  %inc = add nuw nsw i64 %i.042, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %cleanup18, label %for.body

cleanup18:
  %v18 = phi i32 [ %cond, %if.then8 ], [ 0, %for.body.i ], [ 1, %entry ], [ 0, %lor.lhs.false.i ], [ 0, %if.end10 ], [ 1, %for.inc ], [ 0, %for.body ], [ 0, %if.end.i ]
  ret i32 %v18
}

define internal fastcc i1 @wait_for_overwriting() nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load i64, ptr @overwriting, align 8
  %cmp = icmp ne i64 %v0, 0
  br i1 %cmp, label %if.end, label %return

if.end:
  %call = tail call ptr @PyEval_SaveThread()
  %call1 = tail call i32 @usleep(i32 50)
  tail call void @PyEval_RestoreThread(ptr %call)
  br label %return

return:
  ret i1 %cmp
}

define i64 @tfc_scalar(ptr %object) nounwind noimplicitfloat noinline optnone {
entry:
  %overflow = alloca i32, align 4
  %type = getelementptr inbounds nuw i8, ptr %object, i64 8
  %v0 = load ptr, ptr %type, align 8
  %cmp.not = icmp eq ptr %v0, @PyLong_Type
  br i1 %cmp.not, label %if.end, label %return

if.end:
  %call = call i64 @PyLong_AsLongLongAndOverflow(ptr %object, ptr %overflow)
  %cond = call i64 @llvm.smax.i64(i64 %call, i64 -1)
  br label %return

return:
  %retval.0 = phi i64 [ %cond, %if.end ], [ -1, %entry ]
  ret i64 %retval.0
}

declare i64 @PyLong_AsLongLongAndOverflow(ptr, ptr)

define ptr @tfc_new_array(ptr %descriptor, ptr %extents, i64 %rank, i64 %itemsize) nounwind noimplicitfloat {
entry:
  %cmp.not22 = icmp sgt i64 %rank, 0
  br i1 %cmp.not22, label %for.body, label %for.end

for.body:
  %axis.024 = phi i64 [ %inc, %for.inc ], [ 0, %entry ]
  %bytes.023 = phi i64 [ %v3, %for.inc ], [ %itemsize, %entry ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %extents, i64 %axis.024
  %v0 = load i64, ptr %arrayidx, align 8
  %v1 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %bytes.023, i64 %v0)
  %v2 = extractvalue { i64, i1 } %v1, 1
  br i1 %v2, label %cleanup.thread, label %for.inc

cleanup.thread:
  %call = tail call ptr @PyErr_NoMemory()
  br label %cleanup8

for.inc:
  %v3 = extractvalue { i64, i1 } %v1, 0
  %inc = add nuw nsw i64 %axis.024, 1
  %exitcond.not = icmp eq i64 %inc, %rank
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %bytes.0.lcssa = phi i64 [ %itemsize, %entry ], [ %v3, %for.inc ]
  %cmp1 = icmp ugt i64 %bytes.0.lcssa, 32768
  %v4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 32), align 8
  %cmp2 = icmp ne ptr %descriptor, %v4
  %v5 = select i1 %cmp1, i1 %cmp2, i1 false
  br i1 %v5, label %if.then3, label %if.end5

if.then3:
  %call4 = tail call fastcc ptr @pooled_array(ptr %descriptor, ptr %extents, i64 %rank, i64 %bytes.0.lcssa)
  br label %cleanup8

if.end5:
  %v6 = load i64, ptr %descriptor, align 8
  %shr.i.i = lshr i64 %v6, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v6
  store i64 %add.i, ptr %descriptor, align 8
  %conv = trunc i64 %rank to i32
  %call6 = tail call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descriptor, i32 %conv, ptr %extents, ptr null, ptr null, i32 0, ptr null)
  br label %cleanup8

cleanup8:
  %retval.2 = phi ptr [ null, %cleanup.thread ], [ %call4, %if.then3 ], [ %call6, %if.end5 ]
  ret ptr %retval.2
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)

declare ptr @PyErr_NoMemory()

define internal fastcc ptr @pooled_array(ptr %descriptor, ptr %extents, i64 %rank, i64 %bytes) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call ptr @tfc_pool_alloc(i64 %bytes)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %call1 = tail call ptr @PyErr_NoMemory()
  br label %cleanup8

if.end:
  %call2 = tail call ptr @PyCapsule_New(ptr %call, ptr null, ptr @free_pooled)
  %cmp3 = icmp eq ptr %call2, null
  br i1 %cmp3, label %if.then4, label %if.end5

if.then4:
  tail call void @tfc_pool_free(ptr %call, i64 %bytes)
  br label %cleanup8

if.end5:
  %v0 = inttoptr i64 %bytes to ptr
  %call6 = tail call i32 @PyCapsule_SetContext(ptr %call2, ptr %v0)
  %call7 = tail call fastcc ptr @array_over(ptr %call, ptr %call2, ptr %descriptor, ptr %extents, i64 %rank)
  br label %cleanup8

cleanup8:
  %retval.1 = phi ptr [ null, %if.then ], [ null, %if.then4 ], [ %call7, %if.end5 ]
  ret ptr %retval.1
}

declare ptr @PyArray_NewFromDescr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)

define void @tfc_disown(ptr %results, i64 %count, ptr %outs) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp17 = icmp sgt i64 %count, 0
  br i1 %cmp17, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %v0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 32), align 8
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %i.018 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %outs, i64 %i.018
  %v1 = load ptr, ptr %arrayidx, align 8
  %cmp1 = icmp eq ptr %v1, null
  br i1 %cmp1, label %for.inc, label %lor.lhs.false

lor.lhs.false:
  %arrayidx2 = getelementptr inbounds nuw { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i.018
  %v2 = load ptr, ptr %arrayidx2, align 8
  %cmp.i = icmp eq ptr %v2, %v0
  br i1 %cmp.i, label %is_written.exit, label %for.inc

is_written.exit:
  %mode.i = getelementptr inbounds nuw i8, ptr %arrayidx2, i64 24
  %v3 = load i64, ptr %mode.i, align 8
  %cmp1.i.not = icmp eq i64 %v3, 1
  br i1 %cmp1.i.not, label %for.inc, label %if.end

if.end:
  %data = getelementptr inbounds nuw i8, ptr %v1, i64 16
  %v4 = load ptr, ptr %data, align 8
  %extents = getelementptr inbounds nuw i8, ptr %v1, i64 32
  %v5 = load ptr, ptr %extents, align 8
  %rank = getelementptr inbounds nuw i8, ptr %v1, i64 24
  %v6 = load i32, ptr %rank, align 8
  %conv = sext i32 %v6 to i64
  %cmp.not5.i = icmp sgt i32 %v6, 0
  br i1 %cmp.not5.i, label %for.body.i, label %element_count.exit

for.body.i:
  %axis.07.i = phi i64 [ %inc.i, %for.inc.i ], [ 0, %if.end ]
  %count.06.i = phi i64 [ %v10, %for.inc.i ], [ 1, %if.end ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %v5, i64 %axis.07.i
  %v7 = load i64, ptr %arrayidx.i, align 8
  %v8 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i, i64 %v7)
  %v9 = extractvalue { i64, i1 } %v8, 1
  br i1 %v9, label %element_count.exit.loopexit, label %for.inc.i

for.inc.i:
  %v10 = extractvalue { i64, i1 } %v8, 0
  %inc.i = add nuw nsw i64 %axis.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %conv
  br i1 %exitcond.not.i, label %element_count.exit.loopexit, label %for.body.i

element_count.exit.loopexit:
  %spec.select.i.ph = phi i64 [ -1, %for.body.i ], [ %v10, %for.inc.i ]
  %v11 = shl i64 %spec.select.i.ph, 3
  br label %element_count.exit

element_count.exit:
  %spec.select.i = phi i64 [ 8, %if.end ], [ %v11, %element_count.exit.loopexit ]
  %call7 = tail call ptr @memset(ptr %v4, i32 0, i64 %spec.select.i)
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %i.018, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare ptr @memset(ptr, i32, i64)

define i32 @tfc_make(ptr %results, i64 %count, ptr %extents, ptr %arrays, ptr %outs, ptr %buffers) nounwind noimplicitfloat {
entry:
  %cmp36 = icmp sgt i64 %count, 0
  br i1 %cmp36, label %for.body, label %.loopexit

for.body:
  %extents.addr.040 = phi ptr [ %add.ptr, %for.inc ], [ %extents, %entry ]
  %i.037 = phi i64 [ %inc, %for.inc ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds nuw { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i.037
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %v0 = load i64, ptr %rank, align 8
  %add.ptr = getelementptr inbounds i64, ptr %extents.addr.040, i64 %v0
  %mode = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %v1 = load i64, ptr %mode, align 8
  %cmp2 = icmp eq i64 %v1, 3
  br i1 %cmp2, label %for.inc, label %if.end

if.end:
  %cmp.not.i = icmp eq i64 %v1, 0
  %.pre45.i = load ptr, ptr %arrayidx, align 8
  br i1 %cmp.not.i, label %if.end14.i, label %if.then.i

if.then.i:
  %source1.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %v2 = load i64, ptr %source1.i, align 8
  %arrayidx.i = getelementptr inbounds ptr, ptr %arrays, i64 %v2
  %v3 = load ptr, ptr %arrayidx.i, align 8
  %descriptor1.i.i = getelementptr inbounds nuw i8, ptr %v3, i64 56
  %v4 = load ptr, ptr %descriptor1.i.i, align 8
  %cmp.not.i.i = icmp eq ptr %v4, %.pre45.i
  br i1 %cmp.not.i.i, label %lor.lhs.false.i.i, label %if.end.i

lor.lhs.false.i.i:
  %rank2.i.i = getelementptr inbounds nuw i8, ptr %v3, i64 24
  %v5 = load i32, ptr %rank2.i.i, align 8
  %conv.i.i = sext i32 %v5 to i64
  %cmp3.not.i.i = icmp eq i64 %v0, %conv.i.i
  br i1 %cmp3.not.i.i, label %for.cond.preheader.i.i, label %if.end.i

for.cond.preheader.i.i:
  %cmp519.i.i = icmp slt i64 %v0, 1
  br i1 %cmp519.i.i, label %land.lhs.true.i, label %for.body.lr.ph.i.i

for.body.lr.ph.i.i:
  %extents7.i.i = getelementptr inbounds nuw i8, ptr %v3, i64 32
  %v6 = load ptr, ptr %extents7.i.i, align 8
  br label %for.body.i.i

for.cond.i.i:
  %inc.i.i = add nuw nsw i64 %axis.020.i.i, 1
  %exitcond.not.i.i = icmp eq i64 %inc.i.i, %v0
  br i1 %exitcond.not.i.i, label %land.lhs.true.i, label %for.body.i.i

for.body.i.i:
  %axis.020.i.i = phi i64 [ 0, %for.body.lr.ph.i.i ], [ %inc.i.i, %for.cond.i.i ]
  %arrayidx.i.i = getelementptr inbounds nuw i64, ptr %v6, i64 %axis.020.i.i
  %v7 = load i64, ptr %arrayidx.i.i, align 8
  %arrayidx8.i.i = getelementptr inbounds nuw i64, ptr %extents.addr.040, i64 %axis.020.i.i
  %v8 = load i64, ptr %arrayidx8.i.i, align 8
  %cmp9.not.i.i = icmp eq i64 %v7, %v8
  br i1 %cmp9.not.i.i, label %for.cond.i.i, label %if.end.i

land.lhs.true.i:
  %cmp3.i = icmp eq i64 %v1, 1
  %.pre43.i = load i64, ptr %v3, align 8
  br i1 %cmp3.i, label %make.exit.thread, label %lor.lhs.false.i

lor.lhs.false.i:
  %v9 = and i64 %.pre43.i, 4294967295
  %cmp.i.i = icmp ne i64 %v9, 2
  %v10 = load i64, ptr getelementptr inbounds nuw (i8, ptr @overwriting, i64 8), align 8
  %cmp2.i.i = icmp ne i64 %v10, 0
  %or.cond.i.i = select i1 %cmp.i.i, i1 true, i1 %cmp2.i.i
  br i1 %or.cond.i.i, label %if.end.i, label %if.end.i.i

if.end.i.i:
  %flags.i.i = getelementptr inbounds nuw i8, ptr %v3, i64 64
  %v11 = load i32, ptr %flags.i.i, align 8
  %and.i.i = and i32 %v11, 1024
  %tobool.not.i.i = icmp eq i32 %and.i.i, 0
  br i1 %tobool.not.i.i, label %if.end.i, label %if.end5.i.i

if.end5.i.i:
  %and7.i.i = and i32 %v11, 4
  %tobool8.not.i.i = icmp eq i32 %and7.i.i, 0
  br i1 %tobool8.not.i.i, label %if.end13.i.i, label %if.then9.i.i

if.then9.i.i:
  %extents.i.i = getelementptr inbounds nuw i8, ptr %v3, i64 32
  %v12 = load ptr, ptr %extents.i.i, align 8
  %cmp.not5.i.i.i = icmp sgt i32 %v5, 0
  br i1 %cmp.not5.i.i.i, label %for.body.i.i.i, label %make.exit.thread

for.body.i.i.i:
  %axis.07.i.i.i = phi i64 [ %inc.i.i.i, %for.inc.i.i.i ], [ 0, %if.then9.i.i ]
  %count.06.i.i.i = phi i64 [ %v16, %for.inc.i.i.i ], [ 1, %if.then9.i.i ]
  %arrayidx.i.i.i = getelementptr inbounds nuw i64, ptr %v12, i64 %axis.07.i.i.i
  %v13 = load i64, ptr %arrayidx.i.i.i, align 8
  %v14 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i.i.i, i64 %v13)
  %v15 = extractvalue { i64, i1 } %v14, 1
  br i1 %v15, label %if.end.i, label %for.inc.i.i.i

for.inc.i.i.i:
  %v16 = extractvalue { i64, i1 } %v14, 0
  %inc.i.i.i = add nuw nsw i64 %axis.07.i.i.i, 1
  %exitcond.not.i.i.i = icmp eq i64 %inc.i.i.i, %v0
  br i1 %exitcond.not.i.i.i, label %element_count.exit.loopexit.i.i, label %for.body.i.i.i

element_count.exit.loopexit.i.i:
  %v17 = icmp ult i64 %v16, 8193
  br i1 %v17, label %make.exit.thread, label %if.end.i

if.end13.i.i:
  %base14.i.i = getelementptr inbounds nuw i8, ptr %v3, i64 48
  %v18 = load ptr, ptr %base14.i.i, align 8
  %cmp15.not.i.i = icmp eq ptr %v18, null
  br i1 %cmp15.not.i.i, label %if.end.i, label %land.lhs.true.i.i

land.lhs.true.i.i:
  %type.i.i = getelementptr inbounds nuw i8, ptr %v18, i64 8
  %v19 = load ptr, ptr %type.i.i, align 8
  %cmp17.i.i = icmp eq ptr %v19, @PyCapsule_Type
  br i1 %cmp17.i.i, label %land.lhs.true19.i.i, label %if.end.i

land.lhs.true19.i.i:
  %call20.i.i = tail call ptr @PyCapsule_GetDestructor(ptr %v18)
  %cmp21.i.i = icmp eq ptr %call20.i.i, @free_pooled
  br i1 %cmp21.i.i, label %exclusive.exit.i, label %if.end.i

exclusive.exit.i:
  %v20 = load i64, ptr %v18, align 8
  %v21 = and i64 %v20, 4294967295
  %cmp25.i.i = icmp eq i64 %v21, 1
  br i1 %cmp25.i.i, label %exclusive.exit.if.then5_crit_edge.i, label %if.end.i

exclusive.exit.if.then5_crit_edge.i:
  %.pre.i = load i64, ptr %v3, align 8
  br label %make.exit.thread

make.exit.thread:
  %v22 = phi i64 [ %.pre.i, %exclusive.exit.if.then5_crit_edge.i ], [ %.pre43.i, %if.then9.i.i ], [ %.pre43.i, %element_count.exit.loopexit.i.i ], [ %.pre43.i, %land.lhs.true.i ]
  %shr.i.i.i = lshr i64 %v22, 31
  %and.i.i.i = and i64 %shr.i.i.i, $IMMORTAL
  %xor.i.i.i = xor i64 %and.i.i.i, 1
  %add.i.i = add i64 %xor.i.i.i, %v22
  store i64 %add.i.i, ptr %v3, align 8
  br label %if.end7

if.end.i:
  %v23 = load i64, ptr %mode, align 8
  %cmp7.i = icmp eq i64 %v23, 1
  %.pre44.i = load ptr, ptr %arrayidx, align 8
  %.pre = load i64, ptr %rank, align 8
  br i1 %cmp7.i, label %if.then8.i, label %if.end14.i

if.then8.i:
  %call11.i = tail call fastcc ptr @view(ptr %v3, ptr %.pre44.i, ptr %extents.addr.040, i64 %.pre)
  br label %make.exit

if.end14.i:
  %v24 = phi i64 [ %.pre, %if.end.i ], [ %v0, %if.end ]
  %v25 = phi ptr [ %.pre44.i, %if.end.i ], [ %.pre45.i, %if.end ]
  %itemsize.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %v26 = load i64, ptr %itemsize.i, align 8
  %call17.i = tail call ptr @tfc_new_array(ptr %v25, ptr %extents.addr.040, i64 %v24, i64 %v26)
  br label %make.exit

make.exit:
  %retval.1.i = phi ptr [ %call17.i, %if.end14.i ], [ %call11.i, %if.then8.i ]
  %cmp5 = icmp eq ptr %retval.1.i, null
  br i1 %cmp5, label %cleanup11, label %if.end7

if.end7:
  %retval.1.i31 = phi ptr [ %v3, %make.exit.thread ], [ %retval.1.i, %make.exit ]
  %arrayidx8 = getelementptr inbounds nuw ptr, ptr %outs, i64 %i.037
  store ptr %retval.1.i31, ptr %arrayidx8, align 8
  %data = getelementptr inbounds nuw i8, ptr %retval.1.i31, i64 16
  %v27 = load ptr, ptr %data, align 8
  br label %for.inc

for.inc:
  %outs.sink = phi ptr [ %buffers, %if.end7 ], [ %outs, %for.body ]
  %.sink = phi ptr [ %v27, %if.end7 ], [ null, %for.body ]
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %outs.sink, i64 %i.037
  store ptr %.sink, ptr %arrayidx3, align 8
  %inc = add nuw nsw i64 %i.037, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %.loopexit, label %for.body

cleanup11:
  tail call void @tfc_drop(ptr %outs, i64 %i.037)
  br label %.loopexit

.loopexit:
  %v28 = phi i32 [ -1, %cleanup11 ], [ 0, %entry ], [ 0, %for.inc ]
  ret i32 %v28
}

define ptr @tfc_scope_enter(ptr %self, ptr %arguments, i64 %count) nounwind noimplicitfloat noinline optnone {
entry:
  %add.ptr.i = getelementptr inbounds i8, ptr %self, i64 $TUPLE_ITEMS
  %v0 = load ptr, ptr %add.ptr.i, align 8
  %call1 = tail call ptr @PyObject_VectorcallMethod(ptr %v0, ptr %arguments, i64 1, ptr null)
  %cmp = icmp eq ptr %call1, null
  br i1 %cmp, label %cleanup, label %if.end

if.end:
  %call2 = tail call fastcc i1 @set_state(ptr %call1)
  br i1 %call2, label %if.end4, label %if.then3

if.then3:
  %v1 = load i64, ptr %call1, align 8
  %shr.i.i = lshr i64 %v1, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %sub.i = sub i64 %v1, %xor.i.i
  store i64 %sub.i, ptr %call1, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %cleanup.sink.split, label %cleanup

if.end4:
  %add.ptr.i19 = getelementptr inbounds i8, ptr %call1, i64 $TUPLE_ITEMS
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %add.ptr.i19, i64 16
  %v2 = load ptr, ptr %arrayidx6, align 8
  %cmp7.not = icmp eq ptr %v2, @Py_None
  br i1 %cmp7.not, label %if.end9, label %if.then8

if.then8:
  %v3 = load i32, ptr @tfc_active, align 8
  %inc = add i32 %v3, 1
  store i32 %inc, ptr @tfc_active, align 8
  br label %if.end9

if.end9:
  %arrayidx11 = getelementptr inbounds nuw i8, ptr %add.ptr.i19, i64 24
  %v4 = load ptr, ptr %arrayidx11, align 8
  %v5 = load i64, ptr %v4, align 8
  %shr.i.i22 = lshr i64 %v5, 31
  %and.i.i24 = and i64 %shr.i.i22, $IMMORTAL
  %xor.i.i25 = xor i64 %and.i.i24, 1
  %add.i = add i64 %xor.i.i25, %v5
  store i64 %add.i, ptr %v4, align 8
  %v6 = load i64, ptr %call1, align 8
  %shr.i.i26 = lshr i64 %v6, 31
  %and.i.i28 = and i64 %shr.i.i26, $IMMORTAL
  %xor.i.i29 = xor i64 %and.i.i28, 1
  %sub.i30 = sub i64 %v6, %xor.i.i29
  store i64 %sub.i30, ptr %call1, align 8
  %and.i32 = and i64 %sub.i30, $COUNT_MASK
  %cmp.i33 = icmp eq i64 %and.i32, 0
  br i1 %cmp.i33, label %cleanup.sink.split, label %cleanup

cleanup.sink.split:
  %retval.0.ph = phi ptr [ null, %if.then3 ], [ %v4, %if.end9 ]
  tail call void @_Py_Dealloc(ptr %call1)
  br label %cleanup

cleanup:
  %retval.0 = phi ptr [ null, %entry ], [ %v4, %if.end9 ], [ null, %if.then3 ], [ %retval.0.ph, %cleanup.sink.split ]
  ret ptr %retval.0
}

declare ptr @PyObject_VectorcallMethod(ptr, ptr, i64, ptr)

define internal fastcc i1 @set_state(ptr %state) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call ptr @PyContextVar_Set(ptr @tfc_state, ptr %state)
  %cmp = icmp ne ptr %call, null
  br i1 %cmp, label %if.end, label %cleanup

if.end:
  %v0 = load i64, ptr %call, align 8
  %shr.i.i = lshr i64 %v0, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %sub.i = sub i64 %v0, %xor.i.i
  store i64 %sub.i, ptr %call, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %cleanup

if.then.i:
  tail call void @_Py_Dealloc(ptr %call)
  br label %cleanup

cleanup:
  ret i1 %cmp
}

define ptr @tfc_scope_exit(ptr %self, ptr %arguments, i64 %count) nounwind noimplicitfloat noinline optnone {
entry:
  %state.i = alloca ptr, align 8
  store ptr null, ptr %state.i, align 8
  %call.i = call i32 @PyContextVar_Get(ptr @tfc_state, ptr null, ptr %state.i)
  %cmp.i = icmp slt i32 %call.i, 0
  %v0 = load ptr, ptr %state.i, align 8
  %cmp128 = icmp eq ptr %v0, null
  %cmp = select i1 %cmp.i, i1 true, i1 %cmp128
  br i1 %cmp, label %cleanup42, label %if.end

if.end:
  %add.ptr.i = getelementptr inbounds i8, ptr %v0, i64 $TUPLE_ITEMS
  %arrayidx = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 8
  %v1 = load ptr, ptr %arrayidx, align 8
  %v2 = load ptr, ptr %arguments, align 8
  %cmp3 = icmp eq ptr %v1, %v2
  br i1 %cmp3, label %if.then4, label %if.else

if.then4:
  %v3 = load ptr, ptr %add.ptr.i, align 8
  %v4 = load i64, ptr %v3, align 8
  %shr.i.i = lshr i64 %v4, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v4
  store i64 %add.i, ptr %v3, align 8
  br label %if.end18

if.else:
  %v5 = load i64, ptr %v0, align 8
  %shr.i.i68 = lshr i64 %v5, 31
  %and.i.i70 = and i64 %shr.i.i68, $IMMORTAL
  %xor.i.i71 = xor i64 %and.i.i70, 1
  %sub.i = sub i64 %v5, %xor.i.i71
  store i64 %sub.i, ptr %v0, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i72 = icmp eq i64 %and.i, 0
  br i1 %cmp.i72, label %if.then.i, label %decref.exit

if.then.i:
  call void @_Py_Dealloc(ptr %v0)
  br label %decref.exit

decref.exit:
  %add.ptr.i74 = getelementptr inbounds i8, ptr %self, i64 $TUPLE_ITEMS
  %arrayidx8 = getelementptr inbounds nuw i8, ptr %add.ptr.i74, i64 8
  %v6 = load ptr, ptr %arrayidx8, align 8
  %call9 = call ptr @PyObject_VectorcallMethod(ptr %v6, ptr %arguments, i64 1, ptr null)
  %cmp10 = icmp ne ptr %call9, null
  %cmp11 = icmp ne ptr %call9, @Py_None
  %or.cond.not = and i1 %cmp10, %cmp11
  br i1 %or.cond.not, label %if.end13, label %cleanup42

if.end13:
  %add.ptr.i76 = getelementptr inbounds i8, ptr %call9, i64 $TUPLE_ITEMS
  %v7 = load ptr, ptr %add.ptr.i76, align 8
  %arrayidx17 = getelementptr inbounds nuw i8, ptr %add.ptr.i76, i64 8
  %v8 = load ptr, ptr %arrayidx17, align 8
  %v9 = load i64, ptr %v7, align 8
  %shr.i.i79 = lshr i64 %v9, 31
  %and.i.i81 = and i64 %shr.i.i79, $IMMORTAL
  %xor.i.i82 = xor i64 %and.i.i81, 1
  %add.i83 = add i64 %xor.i.i82, %v9
  store i64 %add.i83, ptr %v7, align 8
  %v10 = load i64, ptr %v8, align 8
  %shr.i.i84 = lshr i64 %v10, 31
  %and.i.i86 = and i64 %shr.i.i84, $IMMORTAL
  %xor.i.i87 = xor i64 %and.i.i86, 1
  %add.i88 = add i64 %xor.i.i87, %v10
  store i64 %add.i88, ptr %v8, align 8
  %v11 = load i64, ptr %call9, align 8
  %shr.i.i89 = lshr i64 %v11, 31
  %and.i.i91 = and i64 %shr.i.i89, $IMMORTAL
  %xor.i.i92 = xor i64 %and.i.i91, 1
  %sub.i93 = sub i64 %v11, %xor.i.i92
  store i64 %sub.i93, ptr %call9, align 8
  %and.i95 = and i64 %sub.i93, $COUNT_MASK
  %cmp.i96 = icmp eq i64 %and.i95, 0
  br i1 %cmp.i96, label %if.then.i97, label %if.end18

if.then.i97:
  call void @_Py_Dealloc(ptr %call9)
  br label %if.end18

if.end18:
  %call.i.i100.pre-phi = phi i64 [ $IMMORTAL, %if.then.i97 ], [ $IMMORTAL, %if.end13 ], [ $IMMORTAL, %if.then4 ]
  %without.1 = phi ptr [ %v8, %if.then.i97 ], [ %v8, %if.end13 ], [ %v3, %if.then4 ]
  %layer.1 = phi ptr [ %v7, %if.then.i97 ], [ %v7, %if.end13 ], [ %v0, %if.then4 ]
  %call19 = call fastcc i1 @set_state(ptr %without.1)
  %v12 = load i64, ptr %without.1, align 8
  %shr.i.i99 = lshr i64 %v12, 31
  %and.i.i101 = and i64 %shr.i.i99, %call.i.i100.pre-phi
  %xor.i.i102 = xor i64 %and.i.i101, 1
  %sub.i103 = sub i64 %v12, %xor.i.i102
  store i64 %sub.i103, ptr %without.1, align 8
  %and.i105 = and i64 %sub.i103, $COUNT_MASK
  %cmp.i106 = icmp eq i64 %and.i105, 0
  br i1 %cmp.i106, label %if.then.i107, label %decref.exit108

if.then.i107:
  call void @_Py_Dealloc(ptr %without.1)
  br label %decref.exit108

decref.exit108:
  br i1 %call19, label %if.then20, label %if.end39

if.then20:
  %add.ptr.i110 = getelementptr inbounds i8, ptr %layer.1, i64 $TUPLE_ITEMS
  %arrayidx22 = getelementptr inbounds nuw i8, ptr %add.ptr.i110, i64 16
  %v13 = load ptr, ptr %arrayidx22, align 8
  %cmp23.not = icmp eq ptr %v13, @Py_None
  br i1 %cmp23.not, label %if.end31, label %land.lhs.true

land.lhs.true:
  %size = getelementptr inbounds nuw i8, ptr %v13, i64 16
  %v14 = load i64, ptr %size, align 8
  %cmp24 = icmp sgt i64 %v14, 0
  br i1 %cmp24, label %if.then25, label %if.end31

if.then25:
  %call27 = call i32 @PyList_SetSlice(ptr %v13, i64 0, i64 1, ptr null)
  %cmp28 = icmp eq i32 %call27, 0
  br i1 %cmp28, label %if.then29, label %if.end31

if.then29:
  %v15 = load i32, ptr @tfc_active, align 8
  %dec = add i32 %v15, -1
  store i32 %dec, ptr @tfc_active, align 8
  br label %if.end31

if.end31:
  %arrayidx33 = getelementptr inbounds nuw i8, ptr %add.ptr.i110, i64 32
  %v16 = load ptr, ptr %arrayidx33, align 8
  %cmp34 = icmp eq ptr %v16, @Py_None
  br i1 %cmp34, label %if.then35, label %if.else36

if.then35:
  %v17 = load i64, ptr @Py_None, align 8
  %shr.i.i113 = lshr i64 %v17, 31
  %and.i.i115 = and i64 %shr.i.i113, %call.i.i100.pre-phi
  %xor.i.i116 = xor i64 %and.i.i115, 1
  %add.i117 = add i64 %xor.i.i116, %v17
  store i64 %add.i117, ptr @Py_None, align 8
  br label %if.end39

if.else36:
  %add.ptr = getelementptr inbounds nuw i8, ptr %arguments, i64 8
  %sub = add i64 %count, -1
  %call37 = call ptr @PyObject_Vectorcall(ptr %v16, ptr %add.ptr, i64 %sub, ptr null)
  br label %if.end39

if.end39:
  %answer.1 = phi ptr [ null, %decref.exit108 ], [ @Py_None, %if.then35 ], [ %call37, %if.else36 ]
  %v18 = load i64, ptr %layer.1, align 8
  %shr.i.i118 = lshr i64 %v18, 31
  %and.i.i120 = and i64 %shr.i.i118, %call.i.i100.pre-phi
  %xor.i.i121 = xor i64 %and.i.i120, 1
  %sub.i122 = sub i64 %v18, %xor.i.i121
  store i64 %sub.i122, ptr %layer.1, align 8
  %and.i124 = and i64 %sub.i122, $COUNT_MASK
  %cmp.i125 = icmp eq i64 %and.i124, 0
  br i1 %cmp.i125, label %if.then.i126, label %cleanup42

if.then.i126:
  call void @_Py_Dealloc(ptr %layer.1)
  br label %cleanup42

cleanup42:
  %retval.1 = phi ptr [ %call9, %decref.exit ], [ null, %entry ], [ %answer.1, %if.end39 ], [ %answer.1, %if.then.i126 ]
  ret ptr %retval.1
}

declare i32 @PyList_SetSlice(ptr, i64, i64, ptr)

declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)

define ptr @tfc_wrap(ptr %array) nounwind noimplicitfloat {
entry:
  %v0 = load ptr, ptr @tfc_types, align 8
  %call.i = tail call ptr @PyType_GenericAlloc(ptr %v0, i64 0)
  %cmp = icmp eq ptr %call.i, null
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %v1 = load i64, ptr %array, align 8
  %shr.i.i = lshr i64 %v1, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %sub.i = sub i64 %v1, %xor.i.i
  store i64 %sub.i, ptr %array, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %cleanup

if.then.i:
  tail call void @_Py_Dealloc(ptr %array)
  br label %cleanup

if.end:
  %v2 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 24), align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %call.i, i64 %v2
  store ptr %array, ptr %add.ptr.i, align 8
  br label %cleanup

cleanup:
  ret ptr %call.i
}

define ptr @tfc_answer(i64 %returned) nounwind noimplicitfloat {
entry:
  switch i64 %returned, label %if.end3 [
    i64 -1, label %if.then
    i64 -2, label %if.then2
  ]

if.then:
  %v0 = load ptr, ptr @tfc_types, align 8
  %call.i = tail call ptr @PyType_GenericAlloc(ptr %v0, i64 0)
  br label %return

if.then2:
  %v1 = load i64, ptr @Py_None, align 8
  %shr.i.i = lshr i64 %v1, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v1
  store i64 %add.i, ptr @Py_None, align 8
  br label %return

if.end3:
  %call4 = tail call ptr @PyTuple_New(i64 %returned)
  %cmp5 = icmp eq ptr %call4, null
  br i1 %cmp5, label %return, label %for.cond.preheader

for.cond.preheader:
  %cmp8.not34 = icmp sgt i64 %returned, 0
  br i1 %cmp8.not34, label %for.body.lr.ph, label %return

for.body.lr.ph:
  %v2 = load ptr, ptr @tfc_types, align 8
  br label %for.body

for.body:
  %i.035 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %call.i28 = tail call ptr @PyType_GenericAlloc(ptr %v2, i64 0)
  %cmp10.not = icmp eq ptr %call.i28, null
  br i1 %cmp10.not, label %if.then11, label %for.inc

if.then11:
  %v3 = load i64, ptr %call4, align 8
  %shr.i.i29 = lshr i64 %v3, 31
  %and.i.i31 = and i64 %shr.i.i29, $IMMORTAL
  %xor.i.i32 = xor i64 %and.i.i31, 1
  %sub.i = sub i64 %v3, %xor.i.i32
  store i64 %sub.i, ptr %call4, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %return

if.then.i:
  tail call void @_Py_Dealloc(ptr %call4)
  br label %return

for.inc:
  %add.ptr.i = getelementptr inbounds i8, ptr %call4, i64 $TUPLE_ITEMS
  %arrayidx = getelementptr inbounds nuw ptr, ptr %add.ptr.i, i64 %i.035
  store ptr %call.i28, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.035, 1
  %exitcond.not = icmp eq i64 %inc, %returned
  br i1 %exitcond.not, label %return, label %for.body

return:
  %retval.4 = phi ptr [ %call.i, %if.then ], [ @Py_None, %if.then2 ], [ null, %if.end3 ], [ null, %if.then11 ], [ null, %if.then.i ], [ %call4, %for.cond.preheader ], [ %call4, %for.inc ]
  ret ptr %retval.4
}

declare ptr @PyTuple_New(i64)

define void @tfc_fill(ptr %self, ptr %results, i64 %count, ptr %outs, i64 %returned, ptr %answer) nounwind noimplicitfloat {
entry:
  %answer.addr = alloca ptr, align 8
  store ptr %answer, ptr %answer.addr, align 8
  %cmp = icmp eq i64 %returned, -1
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:
  %add.ptr.i = getelementptr inbounds i8, ptr %answer, i64 $TUPLE_ITEMS
  br label %cond.end

cond.end:
  %cond = phi ptr [ %add.ptr.i, %cond.false ], [ %answer.addr, %entry ]
  %cmp142 = icmp sgt i64 %count, 0
  br i1 %cmp142, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %v0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 32), align 8
  %v1 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 24), align 8
  br label %for.body

for.cond.cleanup:
  tail call void @tfc_drop(ptr %outs, i64 %count)
  ret void

for.body:
  %item.044 = phi ptr [ %cond, %for.body.lr.ph ], [ %item.1, %if.end19 ]
  %i.043 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end19 ]
  %arrayidx = getelementptr inbounds nuw { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i.043
  %update2 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %v2 = load i64, ptr %update2, align 8
  %cmp3 = icmp slt i64 %v2, 0
  br i1 %cmp3, label %cond.true4, label %cond.false5

cond.true4:
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %item.044, i64 8
  br label %cond.end8

cond.false5:
  %add.ptr.i.i = getelementptr inbounds i8, ptr %self, i64 $TUPLE_ITEMS
  %add.ptr.i40 = getelementptr inbounds nuw i8, ptr %add.ptr.i.i, i64 8
  %arrayidx7 = getelementptr inbounds nuw ptr, ptr %add.ptr.i40, i64 %v2
  br label %cond.end8

cond.end8:
  %item.1 = phi ptr [ %incdec.ptr, %cond.true4 ], [ %item.044, %cond.false5 ]
  %cond9.in = phi ptr [ %item.044, %cond.true4 ], [ %arrayidx7, %cond.false5 ]
  %cond9 = load ptr, ptr %cond9.in, align 8
  %arrayidx10 = getelementptr inbounds nuw ptr, ptr %outs, i64 %i.043
  %v3 = load ptr, ptr %arrayidx10, align 8
  %descriptor.i = getelementptr inbounds nuw i8, ptr %v3, i64 56
  %v4 = load ptr, ptr %descriptor.i, align 8
  %cmp.i = icmp eq ptr %v4, %v0
  br i1 %cmp.i, label %if.then, label %if.end19

if.then:
  %mode = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %v5 = load i64, ptr %mode, align 8
  %cmp13.not = icmp eq i64 %v5, 1
  br i1 %cmp13.not, label %if.end, label %if.then14

if.then14:
  tail call fastcc void @own_strings(ptr %v3)
  br label %if.end

if.end:
  br i1 %cmp3, label %if.then17, label %if.end19

if.then17:
  tail call fastcc void @become_text(ptr %cond9)
  br label %if.end19

if.end19:
  %add.ptr.i41 = getelementptr inbounds i8, ptr %cond9, i64 %v1
  %v6 = load ptr, ptr %add.ptr.i41, align 8
  %v7 = load ptr, ptr %arrayidx10, align 8
  store ptr %v7, ptr %add.ptr.i41, align 8
  store ptr %v6, ptr %arrayidx10, align 8
  %inc = add nuw nsw i64 %i.043, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc void @own_strings(ptr %array) nounwind noimplicitfloat noinline optnone {
entry:
  %data = getelementptr inbounds nuw i8, ptr %array, i64 16
  %v0 = load ptr, ptr %data, align 8
  %extents = getelementptr inbounds nuw i8, ptr %array, i64 32
  %v1 = load ptr, ptr %extents, align 8
  %rank = getelementptr inbounds nuw i8, ptr %array, i64 24
  %v2 = load i32, ptr %rank, align 8
  %conv = sext i32 %v2 to i64
  %cmp.not5.i = icmp sgt i32 %v2, 0
  br i1 %cmp.not5.i, label %for.body.i, label %for.body.lr.ph

for.body.i:
  %axis.07.i = phi i64 [ %inc.i, %for.inc.i ], [ 0, %entry ]
  %count.06.i = phi i64 [ %v6, %for.inc.i ], [ 1, %entry ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %v1, i64 %axis.07.i
  %v3 = load i64, ptr %arrayidx.i, align 8
  %v4 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i, i64 %v3)
  %v5 = extractvalue { i64, i1 } %v4, 1
  br i1 %v5, label %for.cond.cleanup, label %for.inc.i

for.inc.i:
  %v6 = extractvalue { i64, i1 } %v4, 0
  %inc.i = add nuw nsw i64 %axis.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %conv
  br i1 %exitcond.not.i, label %element_count.exit, label %for.body.i

element_count.exit:
  %cmp14 = icmp sgt i64 %v6, 0
  br i1 %cmp14, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %spec.select.i18 = phi i64 [ %v6, %element_count.exit ], [ 1, %entry ]
  %v7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 40), align 8
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %i.015 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %v0, i64 %i.015
  %v8 = load ptr, ptr %arrayidx, align 8
  %cmp2 = icmp eq ptr %v8, null
  br i1 %cmp2, label %if.then, label %if.end

if.then:
  store ptr %v7, ptr %arrayidx, align 8
  br label %if.end

if.end:
  %v9 = phi ptr [ %v7, %if.then ], [ %v8, %for.body ]
  %v10 = load i64, ptr %v9, align 8
  %shr.i.i = lshr i64 %v10, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v10
  store i64 %add.i, ptr %v9, align 8
  %inc = add nuw nsw i64 %i.015, 1
  %exitcond.not = icmp eq i64 %inc, %spec.select.i18
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc void @become_text(ptr %tensor) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 16), align 8
  %v1 = load i64, ptr %v0, align 8
  %shr.i.i = lshr i64 %v1, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v1
  store i64 %add.i, ptr %v0, align 8
  %type = getelementptr inbounds nuw i8, ptr %tensor, i64 8
  %v2 = load ptr, ptr %type, align 8
  %v3 = load i64, ptr %v2, align 8
  %shr.i.i3 = lshr i64 %v3, 31
  %and.i.i5 = and i64 %shr.i.i3, $IMMORTAL
  %xor.i.i6 = xor i64 %and.i.i5, 1
  %sub.i = sub i64 %v3, %xor.i.i6
  store i64 %sub.i, ptr %v2, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %decref.exit

if.then.i:
  tail call void @_Py_Dealloc(ptr %v2)
  br label %decref.exit

decref.exit:
  store ptr %v0, ptr %type, align 8
  ret void
}

define ptr @tfc_finish(ptr %self, ptr %results, i64 %count, ptr %outs, i64 %returned) nounwind noimplicitfloat {
entry:
  %call = tail call ptr @tfc_answer(i64 %returned)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end

if.then:
  tail call void @tfc_disown(ptr %results, i64 %count, ptr %outs)
  tail call void @tfc_drop(ptr %outs, i64 %count)
  br label %cleanup

if.end:
  tail call void @tfc_fill(ptr %self, ptr %results, i64 %count, ptr %outs, i64 %returned, ptr %call)
  br label %cleanup

cleanup:
  ret ptr %call
}

define ptr @tfc_overwriting() nounwind noimplicitfloat noinline optnone {
entry:
  ret ptr @overwriting
}

define void @tfc_take(ptr %self, ptr %results, i64 %count, ptr %arrays, ptr %outs) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp11 = icmp sgt i64 %count, 0
  br i1 %cmp11, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 24), align 8
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %i.012 = phi i64 [ 0, %for.body.lr.ph ], [ %inc3, %cleanup ]
  %arrayidx = getelementptr inbounds nuw { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i.012
  %mode.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %v1 = load i64, ptr %mode.i, align 8
  %cmp.not.i = icmp eq i64 %v1, 2
  br i1 %cmp.not.i, label %lor.lhs.false.i, label %cleanup

lor.lhs.false.i:
  %arrayidx1 = getelementptr inbounds nuw ptr, ptr %outs, i64 %i.012
  %v2 = load ptr, ptr %arrayidx1, align 8
  %source.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %v3 = load i64, ptr %source.i, align 8
  %arrayidx.i = getelementptr inbounds ptr, ptr %arrays, i64 %v3
  %v4 = load ptr, ptr %arrayidx.i, align 8
  %cmp1.not.i = icmp eq ptr %v4, %v2
  br i1 %cmp1.not.i, label %overwritten.exit, label %cleanup

overwritten.exit:
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %self, i64 $TUPLE_ITEMS
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i, i64 8
  %update.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %v5 = load i64, ptr %update.i, align 8
  %arrayidx2.i = getelementptr inbounds ptr, ptr %add.ptr.i.i, i64 %v5
  %v6 = load ptr, ptr %arrayidx2.i, align 8
  %cmp2 = icmp eq ptr %v6, null
  br i1 %cmp2, label %cleanup, label %if.end

if.end:
  %add.ptr.i6.i = getelementptr inbounds i8, ptr %v6, i64 %v0
  %v7 = load i64, ptr @overwriting, align 8
  %inc = add i64 %v7, 1
  store i64 %inc, ptr @overwriting, align 8
  store ptr null, ptr %add.ptr.i6.i, align 8
  br label %cleanup

cleanup:
  %inc3 = add nuw nsw i64 %i.012, 1
  %exitcond.not = icmp eq i64 %inc3, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define void @tfc_give(ptr %self, ptr %results, i64 %count, ptr %arrays, ptr %outs) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp21 = icmp sgt i64 %count, 0
  br i1 %cmp21, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 24), align 8
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %i.022 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %cleanup ]
  %arrayidx = getelementptr inbounds nuw { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i.022
  %arrayidx1 = getelementptr inbounds nuw ptr, ptr %outs, i64 %i.022
  %mode.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %v1 = load i64, ptr %mode.i, align 8
  %cmp.not.i = icmp eq i64 %v1, 2
  br i1 %cmp.not.i, label %lor.lhs.false.i, label %cleanup

lor.lhs.false.i:
  %v2 = load ptr, ptr %arrayidx1, align 8
  %source.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %v3 = load i64, ptr %source.i, align 8
  %arrayidx.i = getelementptr inbounds ptr, ptr %arrays, i64 %v3
  %v4 = load ptr, ptr %arrayidx.i, align 8
  %cmp1.not.i = icmp eq ptr %v4, %v2
  br i1 %cmp1.not.i, label %overwritten.exit, label %cleanup

overwritten.exit:
  %add.ptr.i.i.i = getelementptr inbounds i8, ptr %self, i64 $TUPLE_ITEMS
  %add.ptr.i.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i.i, i64 8
  %update.i = getelementptr inbounds nuw i8, ptr %arrayidx, i64 40
  %v5 = load i64, ptr %update.i, align 8
  %arrayidx2.i = getelementptr inbounds ptr, ptr %add.ptr.i.i, i64 %v5
  %v6 = load ptr, ptr %arrayidx2.i, align 8
  %add.ptr.i6.i = getelementptr inbounds i8, ptr %v6, i64 %v0
  %cmp2 = icmp eq ptr %v6, null
  br i1 %cmp2, label %cleanup, label %if.end

if.end:
  %v7 = load i64, ptr @overwriting, align 8
  %dec = add i64 %v7, -1
  store i64 %dec, ptr @overwriting, align 8
  %v8 = load ptr, ptr %add.ptr.i6.i, align 8
  %cmp3 = icmp eq ptr %v8, null
  %v9 = load ptr, ptr %arrayidx1, align 8
  br i1 %cmp3, label %if.then4, label %if.else

if.then4:
  store ptr %v9, ptr %add.ptr.i6.i, align 8
  br label %cleanup

if.else:
  %v10 = load i64, ptr %v9, align 8
  %shr.i.i = lshr i64 %v10, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %sub.i = sub i64 %v10, %xor.i.i
  store i64 %sub.i, ptr %v9, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %cleanup

if.then.i:
  tail call void @_Py_Dealloc(ptr %v9)
  br label %cleanup

cleanup:
  %inc = add nuw nsw i64 %i.022, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define ptr @tfc_fail(ptr %self, i32 %status, ptr %values) nounwind noimplicitfloat noinline optnone {
entry:
  %arguments = alloca [5 x ptr], align 16
  %cmp = icmp eq i32 %status, -4
  br i1 %cmp, label %return, label %if.end

if.end:
  %conv = sext i32 %status to i64
  br label %while.body

while.body:
  %made.033 = phi i64 [ 0, %if.end ], [ %inc, %if.end8 ]
  %cmp2 = icmp eq i64 %made.033, 0
  br i1 %cmp2, label %cond.end, label %cond.false

cond.false:
  %v0 = getelementptr i64, ptr %values, i64 %made.033
  %arrayidx = getelementptr i8, ptr %v0, i64 -8
  %v1 = load i64, ptr %arrayidx, align 8
  br label %cond.end

cond.end:
  %cond = phi i64 [ %v1, %cond.false ], [ %conv, %while.body ]
  %call = tail call ptr @PyLong_FromLongLong(i64 %cond)
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %arguments, i64 %made.033
  store ptr %call, ptr %arrayidx3, align 8
  %cmp5 = icmp eq ptr %call, null
  br i1 %cmp5, label %if.end18, label %if.end8

if.end8:
  %inc = add nuw nsw i64 %made.033, 1
  %exitcond.not = icmp eq i64 %inc, 5
  br i1 %exitcond.not, label %if.then11, label %while.body

if.then11:
  %add.ptr.i.i = getelementptr inbounds i8, ptr %self, i64 $TUPLE_ITEMS
  %v2 = load ptr, ptr %add.ptr.i.i, align 8
  %call13 = call ptr @PyObject_Vectorcall(ptr %v2, ptr %arguments, i64 5, ptr null)
  %cmp14.not = icmp eq ptr %call13, null
  br i1 %cmp14.not, label %if.end18, label %if.then16

if.then16:
  %v3 = load i64, ptr %call13, align 8
  %shr.i.i = lshr i64 %v3, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %sub.i = sub i64 %v3, %xor.i.i
  store i64 %sub.i, ptr %call13, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %decref.exit

if.then.i:
  call void @_Py_Dealloc(ptr %call13)
  br label %decref.exit

decref.exit:
  call void @PyErr_SetString(ptr @Py_SystemError, ptr @.str)
  br label %if.end18

if.end18:
  %made.032 = phi i64 [ 5, %decref.exit ], [ 5, %if.then11 ], [ %made.033, %cond.end ]
  call void @tfc_drop(ptr %arguments, i64 %made.032)
  br label %return

return:
  ret ptr null
}

declare ptr @PyLong_FromLongLong(i64)

declare void @PyErr_SetString(ptr, ptr)

define ptr @tfc_dispatch(ptr %self, ptr %arguments, i64 %count) nounwind noimplicitfloat {
entry:
  %v0 = load i64, ptr @tfc_active, align 8
  %cmp.i.not = icmp eq i64 %v0, 0
  br i1 %cmp.i.not, label %for.cond.preheader, label %if.end14

for.cond.preheader:
  %size = getelementptr inbounds nuw i8, ptr %self, i64 16
  %v1 = load i64, ptr %size, align 8
  %cmp51 = icmp sgt i64 %v1, 2
  br i1 %cmp51, label %for.body.lr.ph, label %if.end14

for.body.lr.ph:
  %items = getelementptr inbounds nuw i8, ptr %self, i64 24
  br label %for.body

for.body:
  %i.052 = phi i64 [ 2, %for.body.lr.ph ], [ %inc, %for.inc ]
  %v2 = load ptr, ptr %items, align 8
  %arrayidx = getelementptr inbounds nuw ptr, ptr %v2, i64 %i.052
  %v3 = load ptr, ptr %arrayidx, align 8
  %v4 = load i64, ptr %v3, align 8
  %shr.i.i = lshr i64 %v4, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v4
  store i64 %add.i, ptr %v3, align 8
  %method = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v5 = load ptr, ptr %method, align 8
  %function = getelementptr inbounds nuw i8, ptr %v5, i64 8
  %v6 = load ptr, ptr %function, align 8
  %self2 = getelementptr inbounds nuw i8, ptr %v3, i64 24
  %v7 = load ptr, ptr %self2, align 8
  %call3 = tail call ptr %v6(ptr %v7, ptr %arguments, i64 %count)
  %v8 = load i64, ptr %v3, align 8
  %shr.i.i29 = lshr i64 %v8, 31
  %and.i.i31 = and i64 %shr.i.i29, $IMMORTAL
  %xor.i.i32 = xor i64 %and.i.i31, 1
  %sub.i = sub i64 %v8, %xor.i.i32
  store i64 %sub.i, ptr %v3, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i33 = icmp eq i64 %and.i, 0
  br i1 %cmp.i33, label %if.then.i, label %decref.exit

if.then.i:
  tail call void @_Py_Dealloc(ptr %v3)
  br label %decref.exit

decref.exit:
  %cmp5 = icmp eq ptr %call3, @tfc_miss
  br i1 %cmp5, label %if.then6, label %if.end

if.then6:
  %v9 = load i64, ptr @tfc_miss, align 8
  %shr.i.i34 = lshr i64 %v9, 31
  %and.i.i36 = and i64 %shr.i.i34, $IMMORTAL
  %xor.i.i37 = xor i64 %and.i.i36, 1
  %sub.i38 = sub i64 %v9, %xor.i.i37
  store i64 %sub.i38, ptr @tfc_miss, align 8
  %and.i40 = and i64 %sub.i38, $COUNT_MASK
  %cmp.i41 = icmp eq i64 %and.i40, 0
  br i1 %cmp.i41, label %if.then.i42, label %for.inc

if.then.i42:
  tail call void @_Py_Dealloc(ptr @tfc_miss)
  br label %for.inc

if.end:
  %cmp7.not = icmp eq ptr %call3, null
  br i1 %cmp7.not, label %lor.lhs.false, label %return

lor.lhs.false:
  %call8 = tail call i32 @PyErr_ExceptionMatches(ptr @Py_MemoryError)
  %tobool.not = icmp eq i32 %call8, 0
  br i1 %tobool.not, label %return, label %cleanup12

for.inc:
  %inc = add nuw nsw i64 %i.052, 1
  %v10 = load i64, ptr %size, align 8
  %cmp = icmp slt i64 %inc, %v10
  br i1 %cmp, label %for.body, label %if.end14

cleanup12:
  tail call void @PyErr_Clear()
  br label %if.end14

if.end14:
  %call15 = tail call fastcc ptr @call_slow(ptr %self, ptr %arguments, i64 %count)
  br label %return

return:
  %retval.3 = phi ptr [ %call15, %if.end14 ], [ null, %lor.lhs.false ], [ %call3, %if.end ]
  ret ptr %retval.3
}

declare i32 @PyErr_ExceptionMatches(ptr)

declare void @PyErr_Clear()

define internal fastcc ptr @call_slow(ptr %self, ptr %arguments, i64 %count) nounwind noimplicitfloat {
entry:
  %items = getelementptr inbounds nuw i8, ptr %self, i64 24
  %v0 = load ptr, ptr %items, align 8
  %v1 = load ptr, ptr %v0, align 8
  %v2 = load i64, ptr %v1, align 8
  %shr.i.i = lshr i64 %v2, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v2
  store i64 %add.i, ptr %v1, align 8
  %call = tail call ptr @PyObject_Vectorcall(ptr %v1, ptr %arguments, i64 %count, ptr null)
  %v3 = load i64, ptr %v1, align 8
  %shr.i.i3 = lshr i64 %v3, 31
  %and.i.i5 = and i64 %shr.i.i3, $IMMORTAL
  %xor.i.i6 = xor i64 %and.i.i5, 1
  %sub.i = sub i64 %v3, %xor.i.i6
  store i64 %sub.i, ptr %v1, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %decref.exit

if.then.i:
  tail call void @_Py_Dealloc(ptr %v1)
  br label %decref.exit

decref.exit:
  ret ptr %call
}

define ptr @tfc_dispatch_tensors(ptr %self, ptr %arguments, i64 %count) nounwind noimplicitfloat {
entry:
  %cmp12 = icmp sgt i64 %count, 0
  br i1 %cmp12, label %for.body.lr.ph, label %for.end

for.body.lr.ph:
  %v0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 8), align 8
  br label %for.body

for.cond:
  %inc = add nuw nsw i64 %i.013, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.end, label %for.body

for.body:
  %i.013 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.cond ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %arguments, i64 %i.013
  %v1 = load ptr, ptr %arrayidx, align 8
  %type = getelementptr inbounds nuw i8, ptr %v1, i64 8
  %v2 = load ptr, ptr %type, align 8
  %cmp1 = icmp eq ptr %v2, %v0
  br i1 %cmp1, label %cleanup, label %for.cond

cleanup:
  %call = tail call fastcc ptr @call_slow(ptr %self, ptr %arguments, i64 %count)
  br label %return

for.end:
  %call2 = tail call ptr @tfc_dispatch(ptr %self, ptr %arguments, i64 %count)
  br label %return

return:
  %retval.1 = phi ptr [ %call2, %for.end ], [ %call, %cleanup ]
  ret ptr %retval.1
}

define ptr @tfc_missed() nounwind noimplicitfloat {
entry:
  %v0 = load i64, ptr @tfc_miss, align 8
  %shr.i.i = lshr i64 %v0, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v0
  store i64 %add.i, ptr @tfc_miss, align 8
  ret ptr @tfc_miss
}

define ptr @tfc_sized(ptr %self, ptr %arguments, i64 %count) nounwind noimplicitfloat {
entry:
  %overflow = alloca i32, align 4
  %add.ptr.i = getelementptr inbounds i8, ptr %self, i64 $TUPLE_ITEMS
  %v0 = load ptr, ptr %add.ptr.i, align 8
  %arrayidx3 = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 8
  %v1 = load ptr, ptr %arrayidx3, align 8
  %call4 = call i64 @PyLong_AsLongLongAndOverflow(ptr %v1, ptr %overflow)
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %add.ptr.i, i64 16
  %v2 = load ptr, ptr %arrayidx6, align 8
  %call7 = call i64 @PyLong_AsLongLongAndOverflow(ptr %v2, ptr %overflow)
  %cmp = icmp slt i64 %call4, %count
  br i1 %cmp, label %if.then, label %if.end26

if.then:
  %arrayidx8 = getelementptr inbounds ptr, ptr %arguments, i64 %call4
  %v3 = load ptr, ptr %arrayidx8, align 8
  %type = getelementptr inbounds nuw i8, ptr %v3, i64 8
  %v4 = load ptr, ptr %type, align 8
  %v5 = load ptr, ptr @tfc_types, align 8
  %cmp9 = icmp eq ptr %v4, %v5
  %v6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 16), align 8
  %cmp11 = icmp eq ptr %v4, %v6
  %or.cond = select i1 %cmp9, i1 true, i1 %cmp11
  br i1 %or.cond, label %if.then12, label %if.end26

if.then12:
  %v7 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 24), align 8
  %add.ptr.i49 = getelementptr inbounds i8, ptr %v3, i64 %v7
  %v8 = load ptr, ptr %add.ptr.i49, align 8
  %cmp14.not = icmp eq ptr %v8, null
  br i1 %cmp14.not, label %if.end26, label %land.lhs.true

land.lhs.true:
  %rank = getelementptr inbounds nuw i8, ptr %v8, i64 24
  %v9 = load i32, ptr %rank, align 8
  %cmp15 = icmp sgt i32 %v9, 0
  br i1 %cmp15, label %land.lhs.true16, label %if.end26

land.lhs.true16:
  %extents = getelementptr inbounds nuw i8, ptr %v8, i64 32
  %v10 = load ptr, ptr %extents, align 8
  %v11 = load i64, ptr %v10, align 8
  %cmp18 = icmp eq i64 %v11, %call7
  br i1 %cmp18, label %cleanup23, label %if.end26

cleanup23:
  %method = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %v12 = load ptr, ptr %method, align 8
  %function = getelementptr inbounds nuw i8, ptr %v12, i64 8
  %v13 = load ptr, ptr %function, align 8
  %self20 = getelementptr inbounds nuw i8, ptr %v0, i64 24
  %v14 = load ptr, ptr %self20, align 8
  %call21 = call ptr %v13(ptr %v14, ptr %arguments, i64 %count)
  br label %cleanup28

if.end26:
  %v15 = load i64, ptr @tfc_miss, align 8
  %shr.i.i.i = lshr i64 %v15, 31
  %and.i.i.i = and i64 %shr.i.i.i, $IMMORTAL
  %xor.i.i.i = xor i64 %and.i.i.i, 1
  %add.i.i = add i64 %xor.i.i.i, %v15
  store i64 %add.i.i, ptr @tfc_miss, align 8
  br label %cleanup28

cleanup28:
  %retval.3 = phi ptr [ @tfc_miss, %if.end26 ], [ %call21, %cleanup23 ]
  ret ptr %retval.3
}

define ptr @tfc_block_alloc(i64 %size) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp = icmp ult i64 %size, 65536
  br i1 %cmp, label %if.then, label %if.else

if.then:
  %add = add nuw nsw i64 %size, 64
  %call = tail call ptr @malloc(i64 %add)
  %cmp1.not = icmp eq ptr %call, null
  br i1 %cmp1.not, label %if.end4, label %if.then2

if.then2:
  store i64 -1, ptr %call, align 8
  br label %if.end4

if.else:
  %call3 = tail call fastcc ptr @large_block(i64 %size)
  br label %if.end4

if.end4:
  %block.0 = phi ptr [ %call, %if.then2 ], [ null, %if.then ], [ %call3, %if.else ]
  %cmp5 = icmp eq ptr %block.0, null
  %add.ptr = getelementptr inbounds nuw i8, ptr %block.0, i64 64
  %cond = select i1 %cmp5, ptr null, ptr %add.ptr
  ret ptr %cond
}

declare ptr @malloc(i64)

define internal fastcc ptr @large_block(i64 %size) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 24), align 8
  %cmp = icmp ugt i64 %size, %v0
  br i1 %cmp, label %cleanup31, label %if.end

if.end:
  %add = add i64 %size, 64
  %call = tail call fastcc i64 @class_of(i64 %add)
  %call1 = tail call fastcc i64 @class_size(i64 %call)
  %div46 = lshr i64 %v0, 3
  %sub = sub i64 %v0, %div46
  %v1 = atomicrmw add ptr @used_bytes, i64 %call1 monotonic, align 8
  %add3 = add i64 %v1, %call1
  %v2 = load i64, ptr @pool_state, align 8
  %add4 = add i64 %add3, %v2
  %v3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 8), align 8
  %add5 = add i64 %add4, %v3
  %cmp6.not = icmp ugt i64 %add5, %sub
  br i1 %cmp6.not, label %if.then22, label %if.then7

if.then7:
  %v4 = load atomic i64, ptr @kept_bytes monotonic, align 8
  %add8 = add i64 %v4, %add5
  %cmp9 = icmp ugt i64 %add8, %sub
  br i1 %cmp9, label %if.then10, label %if.end12

if.then10:
  %call11 = tail call fastcc i64 @trim_kept()
  br label %if.end12

if.end12:
  %call13 = tail call fastcc ptr @take_kept(i64 %call)
  %cmp14.not = icmp eq ptr %call13, null
  br i1 %cmp14.not, label %if.end20, label %if.end20.thread49

if.end20.thread49:
  %sub16 = sub i64 0, %call1
  %v5 = atomicrmw add ptr @kept_bytes, i64 %sub16 monotonic, align 8
  br label %if.end25

if.end20:
  %call18 = tail call fastcc ptr @new_block(i64 %call1)
  %cmp21 = icmp eq ptr %call18, null
  br i1 %cmp21, label %if.then22, label %if.end25

if.then22:
  %sub23 = sub i64 0, %call1
  %v6 = atomicrmw add ptr @used_bytes, i64 %sub23 monotonic, align 8
  br label %cleanup31

if.end25:
  %block.052 = phi ptr [ %call13, %if.end20.thread49 ], [ %call18, %if.end20 ]
  store i64 %call, ptr %block.052, align 8
  br label %cleanup31

cleanup31:
  %retval.1 = phi ptr [ null, %entry ], [ null, %if.then22 ], [ %block.052, %if.end25 ]
  ret ptr %retval.1
}

define void @tfc_block_free(ptr %data) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp = icmp eq ptr %data, null
  br i1 %cmp, label %cleanup.cont15, label %if.end

if.end:
  %add.ptr = getelementptr inbounds i8, ptr %data, i64 -64
  %v0 = load i64, ptr %add.ptr, align 8
  %cmp1.not = icmp eq i64 %v0, -1
  br i1 %cmp1.not, label %if.end12, label %if.then2

if.then2:
  %call = tail call fastcc i64 @class_size(i64 %v0)
  %sub = sub i64 0, %call
  %v1 = atomicrmw add ptr @used_bytes, i64 %sub monotonic, align 8
  %v2 = atomicrmw add ptr @kept_bytes, i64 %call monotonic, align 8
  %add = add i64 %v2, %call
  %v3 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 16), align 8
  %cmp6.not = icmp sgt i64 %add, %v3
  br i1 %cmp6.not, label %if.end9, label %land.lhs.true

land.lhs.true:
  %call7 = tail call fastcc i1 @keep(ptr %add.ptr)
  br i1 %call7, label %cleanup.cont15, label %if.end9

if.end9:
  %v4 = atomicrmw add ptr @kept_bytes, i64 %sub monotonic, align 8
  br label %if.end12

if.end12:
  tail call void @free(ptr %add.ptr)
  br label %cleanup.cont15

cleanup.cont15:
  ret void
}

define internal fastcc i1 @keep(ptr %block) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = ptrtoint ptr %block to i64
  br label %for.body

for.body:
  %place.09 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %v1 = load i64, ptr %block, align 8
  %arrayidx = getelementptr inbounds [4 x ptr], ptr @kept, i64 %v1
  %arrayidx1 = getelementptr inbounds nuw ptr, ptr %arrayidx, i64 %place.09
  %v2 = cmpxchg ptr %arrayidx1, i64 0, i64 %v0 acq_rel monotonic, align 8
  %v3 = extractvalue { i64, i1 } %v2, 1
  %inc = add nuw nsw i64 %place.09, 1
  %exitcond.not = icmp eq i64 %inc, 4
  %or.cond = select i1 %v3, i1 true, i1 %exitcond.not
  br i1 %or.cond, label %cleanup2, label %for.body

cleanup2:
  ret i1 %v3
}

declare void @free(ptr)

define i32 @tfc_adopt(ptr %results, i64 %count, ptr %extents, ptr %outs, ptr %buffers) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp37 = icmp sgt i64 %count, 0
  br i1 %cmp37, label %for.body, label %if.end14

for.cond.cleanup:
  %v0 = trunc nuw i8 %failed.1 to i1
  br i1 %v0, label %if.then13, label %if.end14

for.body:
  %extents.addr.040 = phi ptr [ %add.ptr, %cleanup ], [ %extents, %entry ]
  %failed.039 = phi i8 [ %failed.1, %cleanup ], [ 0, %entry ]
  %i.038 = phi i64 [ %inc, %cleanup ], [ 0, %entry ]
  %arrayidx = getelementptr inbounds nuw { ptr, i64, i64, i64, i64, i64 }, ptr %results, i64 %i.038
  %rank = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %v1 = load i64, ptr %rank, align 8
  %add.ptr = getelementptr inbounds i64, ptr %extents.addr.040, i64 %v1
  %mode = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %v2 = load i64, ptr %mode, align 8
  %cmp1.not = icmp eq i64 %v2, 3
  br i1 %cmp1.not, label %if.end, label %cleanup

if.end:
  %loadedv = trunc nuw i8 %failed.039 to i1
  br i1 %loadedv, label %if.then2, label %if.end4

if.then2:
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %buffers, i64 %i.038
  %v3 = load ptr, ptr %arrayidx3, align 8
  tail call void @tfc_block_free(ptr %v3)
  br label %cleanup

if.end4:
  %v4 = load ptr, ptr %arrayidx, align 8
  %itemsize = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %v5 = load i64, ptr %itemsize, align 8
  %arrayidx6 = getelementptr inbounds nuw ptr, ptr %buffers, i64 %i.038
  %v6 = load ptr, ptr %arrayidx6, align 8
  %call = tail call fastcc ptr @adopted(ptr %v4, ptr %extents.addr.040, i64 %v1, i64 %v5, ptr %v6)
  %arrayidx7 = getelementptr inbounds nuw ptr, ptr %outs, i64 %i.038
  store ptr %call, ptr %arrayidx7, align 8
  %cmp9 = icmp eq ptr %call, null
  %storedv = zext i1 %cmp9 to i8
  br label %cleanup

cleanup:
  %failed.1 = phi i8 [ %storedv, %if.end4 ], [ 1, %if.then2 ], [ %failed.039, %for.body ]
  %inc = add nuw nsw i64 %i.038, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

if.then13:
  tail call void @tfc_disown(ptr %results, i64 %count, ptr %outs)
  tail call void @tfc_drop(ptr %outs, i64 %count)
  br label %if.end14

if.end14:
  %failed.0.lcssa42 = phi i32 [ 0, %for.cond.cleanup ], [ -1, %if.then13 ], [ 0, %entry ]
  ret i32 %failed.0.lcssa42
}

define internal fastcc ptr @adopted(ptr %descriptor, ptr %extents, i64 %rank, i64 %itemsize, ptr %block) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp.not5.i = icmp sgt i64 %rank, 0
  br i1 %cmp.not5.i, label %for.body.i, label %element_count.exit

for.body.i:
  %axis.07.i = phi i64 [ %inc.i, %for.inc.i ], [ 0, %entry ]
  %count.06.i = phi i64 [ %v3, %for.inc.i ], [ 1, %entry ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %extents, i64 %axis.07.i
  %v0 = load i64, ptr %arrayidx.i, align 8
  %v1 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i, i64 %v0)
  %v2 = extractvalue { i64, i1 } %v1, 1
  br i1 %v2, label %element_count.exit.loopexit, label %for.inc.i

for.inc.i:
  %v3 = extractvalue { i64, i1 } %v1, 0
  %inc.i = add nuw nsw i64 %axis.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %rank
  br i1 %exitcond.not.i, label %element_count.exit.loopexit, label %for.body.i

element_count.exit.loopexit:
  %spec.select.i.ph = phi i64 [ -1, %for.body.i ], [ %v3, %for.inc.i ]
  %v4 = mul i64 %spec.select.i.ph, %itemsize
  br label %element_count.exit

element_count.exit:
  %spec.select.i = phi i64 [ %itemsize, %entry ], [ %v4, %element_count.exit.loopexit ]
  %cmp = icmp ult i64 %spec.select.i, 32769
  %v5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 32), align 8
  %cmp1.not = icmp eq ptr %descriptor, %v5
  %or.cond = select i1 %cmp, i1 true, i1 %cmp1.not
  br i1 %or.cond, label %if.end6, label %if.then

if.then:
  %call2 = tail call ptr @PyCapsule_New(ptr %block, ptr null, ptr @free_adopted)
  %cmp3.not = icmp eq ptr %call2, null
  br i1 %cmp3.not, label %if.end, label %if.then4

if.then4:
  %call5 = tail call fastcc ptr @array_over(ptr %block, ptr %call2, ptr %descriptor, ptr %extents, i64 %rank)
  br label %cleanup13

if.end:
  tail call void @tfc_block_free(ptr %block)
  br label %cleanup13

if.end6:
  %call7 = tail call ptr @tfc_new_array(ptr %descriptor, ptr %extents, i64 %rank, i64 %itemsize)
  %cmp8.not = icmp eq ptr %call7, null
  br i1 %cmp8.not, label %if.end11, label %if.then9

if.then9:
  %data = getelementptr inbounds nuw i8, ptr %call7, i64 16
  %v6 = load ptr, ptr %data, align 8
  %call10 = tail call ptr @memcpy(ptr %v6, ptr %block, i64 %spec.select.i)
  br label %if.end11

if.end11:
  tail call void @tfc_block_free(ptr %block)
  br label %cleanup13

cleanup13:
  %retval.1 = phi ptr [ %call7, %if.end11 ], [ %call5, %if.then4 ], [ null, %if.end ]
  ret ptr %retval.1
}

define ptr @tfc_entry(ptr %self, ptr %arguments, i64 %count) nounwind noimplicitfloat noinline optnone {
entry:
  %call = alloca { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, [4 x i64], { ptr, ptr, i8, i8 } }, align 8
  %size1.i = getelementptr inbounds nuw i8, ptr %self, i64 16
  %v0 = load i64, ptr %size1.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %self, i64 $TUPLE_ITEMS
  %v1 = getelementptr ptr, ptr %add.ptr.i.i, i64 %v0
  %arrayidx.i = getelementptr i8, ptr %v1, i64 -16
  %v2 = load ptr, ptr %arrayidx.i, align 8
  %contents.i = getelementptr inbounds nuw i8, ptr %v2, i64 32
  store ptr %contents.i, ptr %call, align 8
  %params = getelementptr inbounds nuw i8, ptr %v2, i64 40
  %v3 = load i64, ptr %params, align 8
  %scalars = getelementptr inbounds nuw i8, ptr %v2, i64 56
  %v4 = load i64, ptr %scalars, align 8
  %add = add i64 %v4, %v3
  %cmp.not = icmp eq i64 %count, %add
  br i1 %cmp.not, label %if.end, label %if.then

if.then:
  %v5 = load i64, ptr @tfc_miss, align 8
  %shr.i.i.i = lshr i64 %v5, 31
  %and.i.i.i = and i64 %shr.i.i.i, $IMMORTAL
  %xor.i.i.i = xor i64 %and.i.i.i, 1
  %add.i.i = add i64 %xor.i.i.i, %v5
  store i64 %add.i.i, ptr @tfc_miss, align 8
  br label %cleanup

if.end:
  %captures.i = getelementptr inbounds nuw i8, ptr %v2, i64 48
  %v6 = load i64, ptr %captures.i, align 8
  %add.i = add i64 %v6, %v3
  %results5 = getelementptr inbounds nuw i8, ptr %v2, i64 64
  %v7 = load i64, ptr %results5, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %v2, i64 168
  %inputs6 = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %add.ptr, ptr %inputs6, align 8
  %add.ptr8 = getelementptr inbounds { ptr, i64, i64 }, ptr %add.ptr, i64 %add.i
  %results9 = getelementptr inbounds nuw i8, ptr %call, i64 16
  store ptr %add.ptr8, ptr %results9, align 8
  %add.ptr11 = getelementptr inbounds { ptr, i64, i64, i64, i64, i64 }, ptr %add.ptr8, i64 %v7
  %numbers = getelementptr inbounds nuw i8, ptr %call, i64 24
  store ptr %add.ptr11, ptr %numbers, align 8
  %self12 = getelementptr inbounds nuw i8, ptr %call, i64 32
  store ptr %self, ptr %self12, align 8
  %answer = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr null, ptr %answer, align 8
  %words13 = getelementptr inbounds nuw i8, ptr %v2, i64 112
  %v8 = load i64, ptr %words13, align 8
  %mul = shl i64 %v8, 3
  %v9 = alloca i8, i64 %mul, align 16
  %arrays = getelementptr inbounds nuw i8, ptr %call, i64 48
  store ptr %v9, ptr %arrays, align 8
  %add.ptr15 = getelementptr inbounds ptr, ptr %v9, i64 %add.i
  %outs = getelementptr inbounds nuw i8, ptr %call, i64 56
  store ptr %add.ptr15, ptr %outs, align 8
  %add.ptr17 = getelementptr inbounds ptr, ptr %add.ptr15, i64 %v7
  %buffers = getelementptr inbounds nuw i8, ptr %call, i64 64
  store ptr %add.ptr17, ptr %buffers, align 8
  %add.ptr19 = getelementptr inbounds ptr, ptr %add.ptr17, i64 %add.i
  %add.ptr20 = getelementptr inbounds ptr, ptr %add.ptr19, i64 %v7
  %symbols = getelementptr inbounds nuw i8, ptr %call, i64 72
  store ptr %add.ptr20, ptr %symbols, align 8
  %symbols22 = getelementptr inbounds nuw i8, ptr %v2, i64 72
  %v10 = load i64, ptr %symbols22, align 8
  %add.ptr23 = getelementptr inbounds i64, ptr %add.ptr20, i64 %v10
  %extents = getelementptr inbounds nuw i8, ptr %call, i64 80
  store ptr %add.ptr23, ptr %extents, align 8
  %error = getelementptr inbounds nuw i8, ptr %call, i64 88
  br label %for.body

for.cond.cleanup:
  %reader = getelementptr inbounds nuw i8, ptr %call, i64 120
  %code = getelementptr inbounds nuw i8, ptr %v2, i64 136
  %v11 = load i64, ptr %code, align 8
  %add.ptr26 = getelementptr inbounds i64, ptr %add.ptr11, i64 %v11
  %.compoundliteral.sroa.5.0.reader.sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 138
  call void @llvm.memset.p0.i64(ptr align 2 %.compoundliteral.sroa.5.0.reader.sroa_idx, i8 0, i64 6, i1 false)
  store ptr %add.ptr26, ptr %reader, align 8
  %.compoundliteral.sroa.2.0.reader.sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 128
  store ptr %add.ptr20, ptr %.compoundliteral.sroa.2.0.reader.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.reader.sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 136
  store i8 0, ptr %.compoundliteral.sroa.3.0.reader.sroa_idx, align 8
  %.compoundliteral.sroa.4.0.reader.sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 137
  store i8 0, ptr %.compoundliteral.sroa.4.0.reader.sroa_idx, align 1
  %call29 = call fastcc i1 @read_inputs(ptr %call, ptr %arguments)
  br i1 %call29, label %land.lhs.true, label %cond.false

for.body:
  %i.084 = phi i64 [ 0, %if.end ], [ %inc, %for.body ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %error, i64 %i.084
  store i64 0, ptr %arrayidx, align 8
  %inc = add nuw nsw i64 %i.084, 1
  %exitcond.not = icmp eq i64 %inc, 4
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

land.lhs.true:
  %flags = getelementptr inbounds nuw i8, ptr %v2, i64 144
  %v12 = load i64, ptr %flags, align 8
  %and = and i64 %v12, 1
  %cmp30.not = icmp eq i64 %and, 0
  br i1 %cmp30.not, label %land.lhs.true38, label %if.end36

if.end36:
  %v13 = load i64, ptr %params, align 8
  %add.ptr33 = getelementptr inbounds ptr, ptr %arguments, i64 %v13
  %call34 = call fastcc i1 @agrees(ptr %call, ptr %add.ptr33)
  br i1 %call34, label %land.lhs.true38, label %cond.false

land.lhs.true38:
  %budget = getelementptr inbounds nuw i8, ptr %v2, i64 88
  %v14 = load i64, ptr %budget, align 8
  %cmp39.not = icmp eq i64 %v14, 0
  br i1 %cmp39.not, label %cond.true, label %if.end43

if.end43:
  %call41 = call fastcc i1 @spend(ptr %call)
  br i1 %call41, label %cond.true, label %cond.false

cond.true:
  %v15 = load i64, ptr %words13, align 8
  %add.ptr46 = getelementptr inbounds i64, ptr %v9, i64 %v15
  %call47 = call fastcc ptr @complete(ptr %call, ptr %add.ptr46)
  br label %cleanup

cond.false:
  %v16 = load i64, ptr @tfc_miss, align 8
  %shr.i.i.i72 = lshr i64 %v16, 31
  %and.i.i.i74 = and i64 %shr.i.i.i72, $IMMORTAL
  %xor.i.i.i75 = xor i64 %and.i.i.i74, 1
  %add.i.i76 = add i64 %xor.i.i.i75, %v16
  store i64 %add.i.i76, ptr @tfc_miss, align 8
  br label %cleanup

cleanup:
  %retval.0 = phi ptr [ @tfc_miss, %if.then ], [ %call47, %cond.true ], [ @tfc_miss, %cond.false ]
  ret ptr %retval.0
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal fastcc i1 @read_inputs(ptr %call, ptr %arguments) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr %call, align 8
  %params.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %captures.i = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %v1 = load i64, ptr %params.i, align 8
  %v2 = load i64, ptr %captures.i, align 8
  %add.i63 = add i64 %v2, %v1
  %cmp.not64 = icmp slt i64 %add.i63, 1
  br i1 %cmp.not64, label %cleanup32, label %for.body.lr.ph

for.body.lr.ph:
  %self = getelementptr inbounds nuw i8, ptr %call, i64 32
  %v3 = load ptr, ptr @tfc_types, align 8
  %v4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 8), align 8
  %v5 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 16), align 8
  %v6 = load i64, ptr getelementptr inbounds nuw (i8, ptr @tfc_types, i64 24), align 8
  %inputs = getelementptr inbounds nuw i8, ptr %call, i64 8
  %numbers = getelementptr inbounds nuw i8, ptr %call, i64 24
  %symbols = getelementptr inbounds nuw i8, ptr %call, i64 72
  %least = getelementptr inbounds nuw i8, ptr %v0, i64 64
  %buffers = getelementptr inbounds nuw i8, ptr %call, i64 64
  %arrays = getelementptr inbounds nuw i8, ptr %call, i64 48
  br label %for.body

for.body:
  %v7 = phi i64 [ %v1, %for.body.lr.ph ], [ %v20, %for.inc ]
  %i.065 = phi i64 [ 0, %for.body.lr.ph ], [ %i.2, %for.inc ]
  %cmp3 = icmp slt i64 %i.065, %v7
  br i1 %cmp3, label %cond.true, label %cond.false

cond.true:
  %arrayidx = getelementptr inbounds ptr, ptr %arguments, i64 %i.065
  br label %cond.end

cond.false:
  %v8 = load ptr, ptr %self, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %v8, i64 $TUPLE_ITEMS
  %add.ptr.i = getelementptr inbounds nuw i8, ptr %add.ptr.i.i, i64 8
  %sub = sub i64 %i.065, %v7
  %arrayidx6 = getelementptr inbounds ptr, ptr %add.ptr.i, i64 %sub
  br label %cond.end

cond.end:
  %cond.in = phi ptr [ %arrayidx, %cond.true ], [ %arrayidx6, %cond.false ]
  %cond = load ptr, ptr %cond.in, align 8
  %type = getelementptr inbounds nuw i8, ptr %cond, i64 8
  %v9 = load ptr, ptr %type, align 8
  %cmp7.not = icmp eq ptr %v9, %v3
  %cmp9.not = icmp eq ptr %v9, %v4
  %or.cond = select i1 %cmp7.not, i1 true, i1 %cmp9.not
  %cmp12.not = icmp eq ptr %v9, %v5
  %or.cond59 = select i1 %or.cond, i1 true, i1 %cmp12.not
  br i1 %or.cond59, label %if.end, label %cleanup32

if.end:
  %add.ptr.i60 = getelementptr inbounds i8, ptr %cond, i64 %v6
  %v10 = load ptr, ptr %add.ptr.i60, align 8
  %cmp14 = icmp eq ptr %v10, null
  br i1 %cmp14, label %if.then15, label %if.end19

if.then15:
  %call16 = tail call fastcc i1 @wait_for_overwriting()
  br i1 %call16, label %for.inc, label %cleanup32

if.end19:
  %v11 = load ptr, ptr %inputs, align 8
  %arrayidx20 = getelementptr inbounds { ptr, i64, i64 }, ptr %v11, i64 %i.065
  %v12 = load ptr, ptr %numbers, align 8
  %shape21 = getelementptr inbounds nuw i8, ptr %arrayidx20, i64 16
  %v13 = load i64, ptr %shape21, align 8
  %add.ptr = getelementptr inbounds i64, ptr %v12, i64 %v13
  %v14 = load ptr, ptr %symbols, align 8
  %v15 = load i64, ptr %least, align 8
  %call22 = tail call fastcc i1 @is_like(ptr %arrayidx20, ptr %v10, ptr %add.ptr, ptr %v14, i64 %v15)
  br i1 %call22, label %if.end24, label %cleanup32

if.end24:
  %data = getelementptr inbounds nuw i8, ptr %v10, i64 16
  %v16 = load ptr, ptr %data, align 8
  %v17 = load ptr, ptr %buffers, align 8
  %arrayidx25 = getelementptr inbounds ptr, ptr %v17, i64 %i.065
  store ptr %v16, ptr %arrayidx25, align 8
  %v18 = load ptr, ptr %arrays, align 8
  %arrayidx26 = getelementptr inbounds ptr, ptr %v18, i64 %i.065
  store ptr %v10, ptr %arrayidx26, align 8
  %v19 = add nsw i64 %i.065, 1
  br label %for.inc

for.inc:
  %i.2 = phi i64 [ %v19, %if.end24 ], [ 0, %if.then15 ]
  %v20 = load i64, ptr %params.i, align 8
  %v21 = load i64, ptr %captures.i, align 8
  %add.i = add i64 %v21, %v20
  %cmp.not.not = icmp slt i64 %i.2, %add.i
  br i1 %cmp.not.not, label %for.body, label %cleanup32

cleanup32:
  %cmp.not.lcssa = phi i1 [ true, %entry ], [ false, %if.end19 ], [ false, %if.then15 ], [ false, %cond.end ], [ true, %for.inc ]
  ret i1 %cmp.not.lcssa
}

define internal fastcc i1 @agrees(ptr %call, ptr %numbers) nounwind noimplicitfloat noinline optnone {
entry:
  %reader1 = getelementptr inbounds nuw i8, ptr %call, i64 120
  %symbols2 = getelementptr inbounds nuw i8, ptr %call, i64 72
  %v0 = load ptr, ptr %symbols2, align 8
  %v1 = load ptr, ptr %call, align 8
  %scalars109 = getelementptr inbounds nuw i8, ptr %v1, i64 24
  %v2 = load i64, ptr %scalars109, align 8
  %cmp.not110 = icmp sgt i64 %v2, 0
  br i1 %cmp.not110, label %for.body, label %for.end

for.body:
  %i.0111 = phi i64 [ %inc, %if.end14 ], [ 0, %entry ]
  %v3 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %v3, i64 8
  store ptr %incdec.ptr.i, ptr %reader1, align 8
  %v4 = load i64, ptr %v3, align 8
  %arrayidx = getelementptr inbounds nuw ptr, ptr %numbers, i64 %i.0111
  %v5 = load ptr, ptr %arrayidx, align 8
  %call4 = tail call i64 @tfc_scalar(ptr %v5)
  %cmp5 = icmp slt i64 %call4, 0
  br i1 %cmp5, label %cleanup65, label %if.end

if.end:
  %and = and i64 %v4, 1
  %cmp6 = icmp eq i64 %and, 0
  br i1 %cmp6, label %if.then7, label %if.else

if.then7:
  %div = ashr exact i64 %v4, 1
  %arrayidx8 = getelementptr inbounds i64, ptr %v0, i64 %div
  %v6 = load i64, ptr %arrayidx8, align 8
  %cmp9.not = icmp eq i64 %v6, %call4
  br i1 %cmp9.not, label %if.end14, label %cleanup65

if.else:
  %div12 = sdiv i64 %v4, 2
  %arrayidx13 = getelementptr inbounds i64, ptr %v0, i64 %div12
  store i64 %call4, ptr %arrayidx13, align 8
  br label %if.end14

if.end14:
  %inc = add nuw nsw i64 %i.0111, 1
  %v7 = load ptr, ptr %call, align 8
  %scalars = getelementptr inbounds nuw i8, ptr %v7, i64 24
  %v8 = load i64, ptr %scalars, align 8
  %cmp.not = icmp slt i64 %inc, %v8
  br i1 %cmp.not, label %for.body, label %for.end

for.end:
  %v9 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i100 = getelementptr inbounds nuw i8, ptr %v9, i64 8
  store ptr %incdec.ptr.i100, ptr %reader1, align 8
  %v10 = load i64, ptr %v9, align 8
  %cmp20112 = icmp slt i64 %v10, 1
  br i1 %cmp20112, label %for.end40, label %for.body22

for.cond19:
  %dec = add nsw i64 %bounds.0113, -1
  %cmp20 = icmp slt i64 %bounds.0113, 2
  br i1 %cmp20, label %for.end40, label %for.body22

for.body22:
  %incdec.ptr.i103114 = phi ptr [ %incdec.ptr.i103, %for.cond19 ], [ %incdec.ptr.i100, %for.end ]
  %bounds.0113 = phi i64 [ %dec, %for.cond19 ], [ %v10, %for.end ]
  %incdec.ptr.i101 = getelementptr inbounds nuw i8, ptr %incdec.ptr.i103114, i64 8
  store ptr %incdec.ptr.i101, ptr %reader1, align 8
  %v11 = load i64, ptr %incdec.ptr.i103114, align 8
  %arrayidx25 = getelementptr inbounds i64, ptr %v0, i64 %v11
  %v12 = load i64, ptr %arrayidx25, align 8
  %incdec.ptr.i102 = getelementptr inbounds nuw i8, ptr %incdec.ptr.i103114, i64 16
  store ptr %incdec.ptr.i102, ptr %reader1, align 8
  %v13 = load i64, ptr %incdec.ptr.i101, align 8
  %incdec.ptr.i103 = getelementptr inbounds nuw i8, ptr %incdec.ptr.i103114, i64 24
  store ptr %incdec.ptr.i103, ptr %reader1, align 8
  %v14 = load i64, ptr %incdec.ptr.i102, align 8
  %cmp28 = icmp slt i64 %v12, %v13
  %cmp29 = icmp sgt i64 %v12, %v14
  %or.cond = select i1 %cmp28, i1 true, i1 %cmp29
  br i1 %or.cond, label %cleanup65, label %for.cond19

for.end40:
  %v15 = phi ptr [ %incdec.ptr.i100, %for.end ], [ %incdec.ptr.i103, %for.cond19 ]
  %incdec.ptr.i104 = getelementptr inbounds nuw i8, ptr %v15, i64 8
  store ptr %incdec.ptr.i104, ptr %reader1, align 8
  %v16 = load i64, ptr %v15, align 8
  %arrays = getelementptr inbounds nuw i8, ptr %call, i64 48
  %cmp43115 = icmp slt i64 %v16, 1
  br i1 %cmp43115, label %cleanup65, label %for.body45.lr.ph

for.body45.lr.ph:
  %overflowed = getelementptr inbounds nuw i8, ptr %call, i64 136
  br label %for.body45

for.cond42:
  %dec61 = add nsw i64 %extents.0116, -1
  %cmp43 = icmp slt i64 %extents.0116, 2
  br i1 %cmp43, label %cleanup65, label %for.body45

for.body45:
  %extents.0116 = phi i64 [ %v16, %for.body45.lr.ph ], [ %dec61, %for.cond42 ]
  %v17 = load ptr, ptr %arrays, align 8
  %v18 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i105 = getelementptr inbounds nuw i8, ptr %v18, i64 8
  store ptr %incdec.ptr.i105, ptr %reader1, align 8
  %v19 = load i64, ptr %v18, align 8
  %arrayidx47 = getelementptr inbounds ptr, ptr %v17, i64 %v19
  %v20 = load ptr, ptr %arrayidx47, align 8
  %extents48 = getelementptr inbounds nuw i8, ptr %v20, i64 32
  %v21 = load ptr, ptr %extents48, align 8
  %incdec.ptr.i106 = getelementptr inbounds nuw i8, ptr %v18, i64 16
  store ptr %incdec.ptr.i106, ptr %reader1, align 8
  %v22 = load i64, ptr %incdec.ptr.i105, align 8
  %arrayidx50 = getelementptr inbounds i64, ptr %v21, i64 %v22
  %v23 = load i64, ptr %arrayidx50, align 8
  %call51 = tail call fastcc i64 @extent(ptr %reader1)
  %cmp52.not = icmp eq i64 %call51, %v23
  br i1 %cmp52.not, label %lor.lhs.false53, label %cleanup65

lor.lhs.false53:
  %v24 = load i8, ptr %overflowed, align 8
  %loadedv = trunc nuw i8 %v24 to i1
  br i1 %loadedv, label %cleanup65, label %for.cond42

cleanup65:
  %retval.9 = phi i1 [ true, %for.end40 ], [ false, %for.body22 ], [ true, %for.cond42 ], [ false, %for.body45 ], [ false, %lor.lhs.false53 ], [ false, %for.body ], [ false, %if.then7 ]
  ret i1 %retval.9
}

define internal fastcc i1 @spend(ptr %call) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr %call, align 8
  %reader = getelementptr inbounds nuw i8, ptr %call, i64 120
  %call2 = tail call fastcc i64 @extent(ptr %reader)
  %budget = getelementptr inbounds nuw i8, ptr %v0, i64 56
  %v1 = load i64, ptr %budget, align 8
  %spent = getelementptr inbounds nuw i8, ptr %v0, i64 128
  %v2 = load i64, ptr %spent, align 8
  %sub = sub i64 %v1, %v2
  %overflowed = getelementptr inbounds nuw i8, ptr %call, i64 136
  %v3 = load i8, ptr %overflowed, align 8
  %loadedv = trunc nuw i8 %v3 to i1
  %cmp = icmp ult i64 %call2, %sub
  %not.loadedv = xor i1 %loadedv, true
  %v4 = select i1 %not.loadedv, i1 %cmp, i1 false
  %cond = select i1 %v4, i64 %call2, i64 %sub
  %add = add i64 %cond, %v2
  store i64 %add, ptr %spent, align 8
  ret i1 %v4
}

define internal fastcc ptr @complete(ptr %call, ptr %end) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr %call, align 8
  %arrays2 = getelementptr inbounds nuw i8, ptr %call, i64 48
  %v1 = load ptr, ptr %arrays2, align 8
  %flags = getelementptr inbounds nuw i8, ptr %v0, i64 112
  %v2 = load i64, ptr %flags, align 8
  %and = and i64 %v2, 2
  %cmp.not = icmp eq i64 %and, 0
  br i1 %cmp.not, label %cond.end, label %cond.true

cond.true:
  %params.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v3 = load i64, ptr %params.i, align 8
  %captures.i = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %v4 = load i64, ptr %captures.i, align 8
  %add.i = add i64 %v4, %v3
  br label %cond.end

cond.end:
  %cond = phi i64 [ %add.i, %cond.true ], [ 0, %entry ]
  tail call void @tfc_hold(ptr %v1, i64 %cond)
  %call4 = tail call fastcc i1 @make_results(ptr %call)
  br i1 %call4, label %if.end, label %if.then

if.then:
  tail call void @tfc_drop(ptr %v1, i64 %cond)
  br label %cleanup35

if.end:
  %call5 = tail call fastcc i32 @run(ptr %call, ptr %end)
  tail call void @tfc_drop(ptr %v1, i64 %cond)
  switch i32 %call5, label %if.then11 [
    i32 -100, label %if.then7
    i32 0, label %if.end14
  ]

if.then7:
  tail call fastcc void @drop_results(ptr %call)
  %call8 = tail call ptr @PyErr_NoMemory()
  br label %cleanup35

if.then11:
  %results = getelementptr inbounds nuw i8, ptr %call, i64 16
  %v5 = load ptr, ptr %results, align 8
  %results12 = getelementptr inbounds nuw i8, ptr %v0, i64 32
  %v6 = load i64, ptr %results12, align 8
  %outs = getelementptr inbounds nuw i8, ptr %call, i64 56
  %v7 = load ptr, ptr %outs, align 8
  tail call void @tfc_disown(ptr %v5, i64 %v6, ptr %v7)
  tail call fastcc void @drop_results(ptr %call)
  %self = getelementptr inbounds nuw i8, ptr %call, i64 32
  %v8 = load ptr, ptr %self, align 8
  %error = getelementptr inbounds nuw i8, ptr %call, i64 88
  %call13 = tail call ptr @tfc_fail(ptr %v8, i32 %call5, ptr %error)
  br label %cleanup35

if.end14:
  %v9 = load i64, ptr %flags, align 8
  %and16 = and i64 %v9, 512
  %cmp17.not = icmp eq i64 %and16, 0
  br i1 %cmp17.not, label %if.end20, label %land.lhs.true

land.lhs.true:
  %call18 = tail call fastcc i1 @adopt(ptr %call)
  br i1 %call18, label %if.end20, label %cleanup35

if.end20:
  %self23 = getelementptr inbounds nuw i8, ptr %call, i64 32
  %v10 = load ptr, ptr %self23, align 8
  %results24 = getelementptr inbounds nuw i8, ptr %call, i64 16
  %v11 = load ptr, ptr %results24, align 8
  %results25 = getelementptr inbounds nuw i8, ptr %v0, i64 32
  %v12 = load i64, ptr %results25, align 8
  %outs26 = getelementptr inbounds nuw i8, ptr %call, i64 56
  %v13 = load ptr, ptr %outs26, align 8
  %returned = getelementptr inbounds nuw i8, ptr %v0, i64 72
  %v14 = load i64, ptr %returned, align 8
  br i1 %cmp.not, label %if.then22, label %if.end28

if.then22:
  %call27 = tail call ptr @tfc_finish(ptr %v10, ptr %v11, i64 %v12, ptr %v13, i64 %v14)
  br label %cleanup35

if.end28:
  %answer = getelementptr inbounds nuw i8, ptr %call, i64 40
  %v15 = load ptr, ptr %answer, align 8
  tail call void @tfc_fill(ptr %v10, ptr %v11, i64 %v12, ptr %v13, i64 %v14, ptr %v15)
  %v16 = load ptr, ptr %answer, align 8
  br label %cleanup35

cleanup35:
  %retval.1 = phi ptr [ null, %if.then ], [ %call8, %if.then7 ], [ null, %if.then11 ], [ %v16, %if.end28 ], [ %call27, %if.then22 ], [ null, %land.lhs.true ]
  ret ptr %retval.1
}

define i32 @tfc_look_up(ptr %patience, i32 %most) nounwind noimplicitfloat noinline optnone {
entry:
  %time.i48 = alloca [2 x i64], align 16
  %time.i = alloca [2 x i64], align 16
  %call.i = call i32 @clock_gettime(i32 1, ptr %time.i)
  %v0 = load i64, ptr %time.i, align 16
  %mul.i = mul i64 %v0, 1000000000
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %time.i, i64 8
  %v1 = load i64, ptr %arrayidx1.i, align 8
  %add.i = add i64 %mul.i, %v1
  %seen = getelementptr inbounds nuw i8, ptr %patience, i64 8
  %v2 = load i64, ptr %seen, align 8
  %sub = sub i64 %add.i, %v2
  %v3 = load i64, ptr %patience, align 8
  %cmp = icmp eq i64 %v3, 0
  br i1 %cmp, label %if.then, label %if.else

if.then:
  store i64 %add.i, ptr %patience, align 8
  br label %if.end13

if.else:
  %cmp2 = icmp slt i64 %sub, 500000
  br i1 %cmp2, label %land.lhs.true, label %if.end

land.lhs.true:
  %batch = getelementptr inbounds nuw i8, ptr %patience, i64 16
  %v4 = load i32, ptr %batch, align 8
  %cmp3 = icmp slt i32 %v4, %most
  br i1 %cmp3, label %if.then4, label %if.end13

if.then4:
  %mul = shl i32 %v4, 1
  store i32 %mul, ptr %batch, align 8
  br label %if.end13

if.end:
  %cmp6 = icmp samesign ugt i64 %sub, 5000000
  br i1 %cmp6, label %land.lhs.true7, label %if.end13

land.lhs.true7:
  %batch8 = getelementptr inbounds nuw i8, ptr %patience, i64 16
  %v5 = load i32, ptr %batch8, align 8
  %cmp9 = icmp sgt i32 %v5, 1
  br i1 %cmp9, label %if.then10, label %if.end13

if.then10:
  %div47 = lshr i32 %v5, 1
  store i32 %div47, ptr %batch8, align 8
  br label %if.end13

if.end13:
  %v6 = phi i64 [ %v3, %land.lhs.true ], [ %v3, %if.then4 ], [ %v3, %if.end ], [ %v3, %land.lhs.true7 ], [ %v3, %if.then10 ], [ %add.i, %if.then ]
  store i64 %add.i, ptr %seen, align 8
  %sub16 = sub i64 %add.i, %v6
  %cmp17 = icmp sgt i64 %sub16, 49999999
  br i1 %cmp17, label %if.then18, label %if.end25

if.then18:
  %call19 = call fastcc i1 @may_go_on()
  br i1 %call19, label %if.end21, label %cleanup

if.end21:
  %call.i49 = call i32 @clock_gettime(i32 1, ptr %time.i48)
  %v7 = load i64, ptr %time.i48, align 16
  %mul.i50 = mul i64 %v7, 1000000000
  %arrayidx1.i51 = getelementptr inbounds nuw i8, ptr %time.i48, i64 8
  %v8 = load i64, ptr %arrayidx1.i51, align 8
  %add.i52 = add i64 %mul.i50, %v8
  store i64 %add.i52, ptr %seen, align 8
  store i64 %add.i52, ptr %patience, align 8
  br label %if.end25

if.end25:
  %batch26 = getelementptr inbounds nuw i8, ptr %patience, i64 16
  %v9 = load i32, ptr %batch26, align 8
  %left = getelementptr inbounds nuw i8, ptr %patience, i64 20
  store i32 %v9, ptr %left, align 4
  br label %cleanup

cleanup:
  %retval.0 = phi i32 [ %v9, %if.end25 ], [ 0, %if.then18 ]
  ret i32 %retval.0
}

define internal fastcc i1 @may_go_on() nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call i32 @PyGILState_Ensure()
  %call1 = tail call ptr @PyObject_Vectorcall(ptr @tfc_patience, ptr null, i64 0, ptr null)
  %cmp = icmp ne ptr %call1, null
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %v0 = load i64, ptr %call1, align 8
  %shr.i.i = lshr i64 %v0, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %sub.i = sub i64 %v0, %xor.i.i
  store i64 %sub.i, ptr %call1, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %if.end

if.then.i:
  tail call void @_Py_Dealloc(ptr %call1)
  br label %if.end

if.end:
  tail call void @PyGILState_Release(i32 %call)
  ret i1 %cmp
}

declare i64 @llvm.ctlz.i64(i64, i1)

define internal fastcc ptr @cut_block(i64 %bytes) nounwind noimplicitfloat noinline optnone {
entry:
  %div26 = lshr i64 %bytes, 14
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  %cmp27 = icmp sgt i64 %v0, 0
  br i1 %cmp27, label %for.body.lr.ph, label %if.then4

for.body.lr.ph:
  %v1 = load ptr, ptr @chunks, align 8
  br label %for.body

for.cond.cleanup:
  br i1 %cmp1, label %if.then4, label %if.end9

for.body:
  %v2 = phi i64 [ %v0, %for.body.lr.ph ], [ %v5, %for.inc ]
  %i.029 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %start.028 = phi i64 [ -1, %for.body.lr.ph ], [ %start.1, %for.inc ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %v1, i64 %i.029
  %v3 = load ptr, ptr %arrayidx, align 8
  %longest = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v4 = load i64, ptr %longest, align 8
  %cmp2.not = icmp slt i64 %v4, %div26
  br i1 %cmp2.not, label %for.inc, label %if.then

if.then:
  %call = tail call fastcc i64 @find_run(ptr %v3, i64 %div26)
  %.pre = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  br label %for.inc

for.inc:
  %v5 = phi i64 [ %.pre, %if.then ], [ %v2, %for.body ]
  %start.1 = phi i64 [ %call, %if.then ], [ %start.028, %for.body ]
  %inc = add nuw nsw i64 %i.029, 1
  %cmp = icmp slt i64 %inc, %v5
  %cmp1 = icmp slt i64 %start.1, 0
  %v6 = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %v6, label %for.body, label %for.cond.cleanup

if.then4:
  %call5 = tail call fastcc ptr @add_chunk()
  %cmp6 = icmp eq ptr %call5, null
  br i1 %cmp6, label %cleanup, label %if.end9

if.end9:
  %chunk.1 = phi ptr [ %v3, %for.cond.cleanup ], [ %call5, %if.then4 ]
  %start.2 = phi i64 [ %start.1, %for.cond.cleanup ], [ 0, %if.then4 ]
  tail call fastcc void @mark(ptr %chunk.1, i64 %start.2, i64 %div26)
  %used = getelementptr inbounds nuw i8, ptr %chunk.1, i64 8
  %v7 = load i64, ptr %used, align 8
  %add = add i64 %v7, %div26
  store i64 %add, ptr %used, align 8
  %v8 = load ptr, ptr %chunk.1, align 8
  %mul = shl nuw nsw i64 %start.2, 14
  %add.ptr = getelementptr inbounds nuw i8, ptr %v8, i64 %mul
  br label %cleanup

cleanup:
  %retval.0 = phi ptr [ %add.ptr, %if.end9 ], [ null, %if.then4 ]
  ret ptr %retval.0
}

define internal fastcc ptr @new_block(i64 %bytes) nounwind noimplicitfloat noinline optnone {
entry:
  %block = alloca ptr, align 8
  %cmp = icmp ugt i64 %bytes, 4194303
  %conv = select i1 %cmp, i64 2097152, i64 64
  %call = call i32 @posix_memalign(ptr %block, i64 %conv, i64 %bytes)
  %cmp1.not = icmp eq i32 %call, 0
  br i1 %cmp1.not, label %if.end, label %cleanup

if.end:
  %tobool = icmp ne i64 $HUGE_PAGES, 0
  %or.cond = and i1 %cmp, %tobool
  br i1 %or.cond, label %if.then6, label %if.end8

if.then6:
  %v0 = load ptr, ptr %block, align 8
  %call7 = call i32 @madvise(ptr %v0, i64 %bytes, i32 14)
  br label %if.end8

if.end8:
  %v1 = load ptr, ptr %block, align 8
  br label %cleanup

cleanup:
  %retval.0 = phi ptr [ %v1, %if.end8 ], [ null, %entry ]
  ret ptr %retval.0
}

define internal fastcc i64 @find_run(ptr %chunk, i64 %units) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call fastcc i64 @next_unit(ptr %chunk, i64 0, i64 -1)
  %cmp29 = icmp slt i64 %call, 1024
  br i1 %cmp29, label %for.body, label %for.end

for.body:
  %start.031 = phi i64 [ %call11, %for.inc ], [ %call, %entry ]
  %longest.030 = phi i64 [ %spec.select, %for.inc ], [ 0, %entry ]
  %call1 = tail call fastcc i64 @next_unit(ptr %chunk, i64 %start.031, i64 0)
  %sub = sub i64 %call1, %start.031
  %cmp2.not = icmp slt i64 %sub, %units
  br i1 %cmp2.not, label %if.end, label %cleanup14

if.end:
  %spec.select = tail call i64 @llvm.smax.i64(i64 %sub, i64 %longest.030)
  %cmp8 = icmp eq i64 %call1, 1024
  br i1 %cmp8, label %for.end, label %for.inc

for.inc:
  %call11 = tail call fastcc i64 @next_unit(ptr %chunk, i64 %call1, i64 -1)
  %cmp = icmp slt i64 %call11, 1024
  br i1 %cmp, label %for.body, label %for.end

for.end:
  %longest.2 = phi i64 [ 0, %entry ], [ %spec.select, %for.inc ], [ %spec.select, %if.end ]
  %longest13 = getelementptr inbounds nuw i8, ptr %chunk, i64 16
  store i64 %longest.2, ptr %longest13, align 8
  br label %cleanup14

cleanup14:
  %retval.1 = phi i64 [ -1, %for.end ], [ %start.031, %for.body ]
  ret i64 %retval.1
}

define internal fastcc ptr @add_chunk() nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  %v1 = load i64, ptr @chunk_room, align 8
  %cmp = icmp eq i64 %v0, %v1
  br i1 %cmp, label %if.then, label %if.end10

if.then:
  %mul = shl i64 %v0, 1
  %add = add i64 %mul, 8
  %mul1 = shl i64 %add, 3
  %call = tail call ptr @malloc(i64 %mul1)
  %cmp2.not = icmp eq ptr %call, null
  br i1 %cmp2.not, label %cleanup29, label %if.end

if.end:
  %cmp4 = icmp sgt i64 %v0, 0
  br i1 %cmp4, label %if.then5, label %if.end8

if.then5:
  %v2 = load ptr, ptr @chunks, align 8
  %mul6 = shl i64 %v0, 3
  %call7 = tail call ptr @memcpy(ptr %call, ptr %v2, i64 %mul6)
  br label %if.end8

if.end8:
  %v3 = load ptr, ptr @chunks, align 8
  tail call void @free(ptr %v3)
  store ptr %call, ptr @chunks, align 8
  store i64 %add, ptr @chunk_room, align 8
  br label %if.end10

if.end10:
  %call11 = tail call ptr @malloc(i64 152)
  %cmp12 = icmp eq ptr %call11, null
  br i1 %cmp12, label %cleanup29, label %if.end14

if.end14:
  %call15 = tail call ptr @memset(ptr %call11, i32 0, i64 152)
  %call16 = tail call fastcc ptr @map_chunk()
  store ptr %call16, ptr %call11, align 8
  %longest = getelementptr inbounds nuw i8, ptr %call11, i64 16
  store i64 1024, ptr %longest, align 8
  %cmp18 = icmp eq ptr %call16, null
  br i1 %cmp18, label %if.then19, label %if.end20

if.then19:
  tail call void @free(ptr %call11)
  br label %cleanup29

if.end20:
  %call22 = tail call fastcc i64 @place_of(ptr %call16)
  %cmp2350 = icmp sgt i64 %v0, %call22
  %.pre = load ptr, ptr @chunks, align 8
  br i1 %cmp2350, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  %arrayidx26 = getelementptr inbounds ptr, ptr %.pre, i64 %call22
  store ptr %call11, ptr %arrayidx26, align 8
  %v4 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  %inc = add i64 %v4, 1
  store i64 %inc, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  br label %cleanup29

for.body:
  %i.051 = phi i64 [ %dec, %for.body ], [ %v0, %if.end20 ]
  %v5 = getelementptr ptr, ptr %.pre, i64 %i.051
  %arrayidx = getelementptr i8, ptr %v5, i64 -8
  %v6 = load ptr, ptr %arrayidx, align 8
  store ptr %v6, ptr %v5, align 8
  %dec = add nsw i64 %i.051, -1
  %cmp23 = icmp sgt i64 %dec, %call22
  br i1 %cmp23, label %for.body, label %for.cond.cleanup

cleanup29:
  %retval.2 = phi ptr [ null, %if.end10 ], [ null, %if.then ], [ %call11, %for.cond.cleanup ], [ null, %if.then19 ]
  ret ptr %retval.2
}

define internal fastcc void @mark(ptr %chunk, i64 %start, i64 %units) nounwind noimplicitfloat noinline optnone {
entry:
  %add = add i64 %units, %start
  %cmp5 = icmp slt i64 %start, %add
  br i1 %cmp5, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %bits = getelementptr inbounds nuw i8, ptr %chunk, i64 24
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %unit.06 = phi i64 [ %start, %for.body.lr.ph ], [ %inc, %for.body ]
  %and = and i64 %unit.06, 63
  %shl = shl nuw i64 1, %and
  %shr = ashr i64 %unit.06, 6
  %arrayidx = getelementptr inbounds i64, ptr %bits, i64 %shr
  %v0 = load i64, ptr %arrayidx, align 8
  %xor = xor i64 %v0, %shl
  store i64 %xor, ptr %arrayidx, align 8
  %inc = add nsw i64 %unit.06, 1
  %exitcond.not = icmp eq i64 %inc, %add
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc i64 @next_unit(ptr %chunk, i64 %from, i64 %flip) nounwind noimplicitfloat noinline optnone {
entry:
  %shr = ashr i64 %from, 6
  %bits1 = getelementptr inbounds nuw i8, ptr %chunk, i64 24
  %cmp16 = icmp sgt i64 %shr, 15
  br i1 %cmp16, label %cleanup4, label %for.body.preheader

for.body.preheader:
  %and = and i64 %from, 63
  %shl = shl nsw i64 -1, %and
  br label %for.body

for.body:
  %word.018 = phi i64 [ %inc, %for.inc ], [ %shr, %for.body.preheader ]
  %mask.017 = phi i64 [ -1, %for.inc ], [ %shl, %for.body.preheader ]
  %arrayidx = getelementptr inbounds i64, ptr %bits1, i64 %word.018
  %v0 = load i64, ptr %arrayidx, align 8
  %xor = xor i64 %v0, %flip
  %and2 = and i64 %xor, %mask.017
  %cmp3.not = icmp eq i64 %and2, 0
  br i1 %cmp3.not, label %for.inc, label %cleanup4.split.loop.exit14

for.inc:
  %inc = add nsw i64 %word.018, 1
  %exitcond = icmp eq i64 %inc, 16
  br i1 %exitcond, label %cleanup4, label %for.body

cleanup4.split.loop.exit14:
  %mul.le = shl nsw i64 %word.018, 6
  %v1 = tail call i64 @llvm.cttz.i64(i64 %and2, i1 true)
  %add.le = or disjoint i64 %v1, %mul.le
  br label %cleanup4

cleanup4:
  %spec.select = phi i64 [ %add.le, %cleanup4.split.loop.exit14 ], [ 1024, %entry ], [ 1024, %for.inc ]
  ret i64 %spec.select
}

declare i64 @llvm.cttz.i64(i64, i1)

declare ptr @memcpy(ptr, ptr, i64)

define internal fastcc ptr @map_chunk() nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call ptr @mmap(ptr null, i64 18874368, i32 3, i32 34, i32 -1, i64 0)
  %cmp = icmp eq ptr %call, inttoptr (i64 -1 to ptr)
  br i1 %cmp, label %cleanup, label %if.end

if.end:
  %v0 = ptrtoint ptr %call to i64
  %sub = sub i64 0, %v0
  %and = and i64 %sub, 2097151
  %cmp1.not = icmp eq i64 %and, 0
  br i1 %cmp1.not, label %if.end4, label %if.then2

if.then2:
  %call3 = tail call i32 @munmap(ptr %call, i64 %and)
  br label %if.end4

if.end4:
  %add.ptr = getelementptr inbounds nuw i8, ptr %call, i64 %and
  %add.ptr5 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 16777216
  %sub6 = sub nuw nsw i64 2097152, %and
  %call7 = tail call i32 @munmap(ptr %add.ptr5, i64 %sub6)
  %call9 = tail call i32 @madvise(ptr %add.ptr, i64 16777216, i32 14)
  br label %cleanup

cleanup:
  %retval.0 = phi ptr [ %add.ptr, %if.end4 ], [ null, %entry ]
  ret ptr %retval.0
}

define internal fastcc i64 @place_of(ptr %address) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  %cmp8 = icmp sgt i64 %v0, 0
  br i1 %cmp8, label %while.body.lr.ph, label %while.end

while.body.lr.ph:
  %v1 = load ptr, ptr @chunks, align 8
  br label %while.body

while.body:
  %low.010 = phi i64 [ 0, %while.body.lr.ph ], [ %low.1, %while.body ]
  %high.09 = phi i64 [ %v0, %while.body.lr.ph ], [ %high.1, %while.body ]
  %add = add i64 %low.010, %high.09
  %div = sdiv i64 %add, 2
  %arrayidx = getelementptr inbounds ptr, ptr %v1, i64 %div
  %v2 = load ptr, ptr %arrayidx, align 8
  %v3 = load ptr, ptr %v2, align 8
  %cmp1.not = icmp ugt ptr %v3, %address
  %add2 = add nsw i64 %div, 1
  %high.1 = select i1 %cmp1.not, i64 %div, i64 %high.09
  %low.1 = select i1 %cmp1.not, i64 %low.010, i64 %add2
  %cmp = icmp slt i64 %low.1, %high.1
  br i1 %cmp, label %while.body, label %while.end

while.end:
  %low.0.lcssa = phi i64 [ 0, %entry ], [ %low.1, %while.body ]
  ret i64 %low.0.lcssa
}

declare ptr @mmap(ptr, i64, i32, i32, i32, i64)

declare i32 @munmap(ptr, i64)

declare i32 @madvise(ptr, i64, i32)

declare i32 @posix_memalign(ptr, i64, i64)

define internal fastcc i1 @return_block(ptr %block, i64 %bytes) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call fastcc i64 @place_of(ptr %block)
  %sub = add nsw i64 %call, -1
  %cmp = icmp slt i64 %call, 1
  br i1 %cmp, label %cleanup, label %lor.lhs.false

lor.lhs.false:
  %v0 = load ptr, ptr @chunks, align 8
  %arrayidx = getelementptr inbounds nuw ptr, ptr %v0, i64 %sub
  %v1 = load ptr, ptr %arrayidx, align 8
  %v2 = load ptr, ptr %v1, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %v2, i64 16777216
  %cmp1.not = icmp ult ptr %block, %add.ptr
  br i1 %cmp1.not, label %if.end, label %cleanup

if.end:
  %sub.ptr.lhs.cast = ptrtoint ptr %block to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %v2 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %div = sdiv i64 %sub.ptr.sub, 16384
  %div524 = lshr i64 %bytes, 14
  tail call fastcc void @mark(ptr %v1, i64 %div, i64 %div524)
  %used = getelementptr inbounds nuw i8, ptr %v1, i64 8
  %v3 = load i64, ptr %used, align 8
  %sub6 = sub i64 %v3, %div524
  store i64 %sub6, ptr %used, align 8
  %longest = getelementptr inbounds nuw i8, ptr %v1, i64 16
  store i64 1024, ptr %longest, align 8
  %cmp8 = icmp eq i64 %v3, %div524
  br i1 %cmp8, label %if.then9, label %if.else

if.then9:
  tail call fastcc void @remove_chunk(i64 %sub)
  br label %cleanup

if.else:
  tail call fastcc void @give_pages(ptr %v1, i64 %div, i64 %div524)
  br label %cleanup

cleanup:
  %retval.0 = phi i1 [ false, %entry ], [ false, %lor.lhs.false ], [ true, %if.else ], [ true, %if.then9 ]
  ret i1 %retval.0
}

define internal fastcc void @remove_chunk(i64 %place) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr @chunks, align 8
  %arrayidx = getelementptr inbounds nuw ptr, ptr %v0, i64 %place
  %v1 = load ptr, ptr %arrayidx, align 8
  %v2 = load ptr, ptr %v1, align 8
  %call = tail call i32 @munmap(ptr %v2, i64 16777216)
  %v3 = load ptr, ptr @chunks, align 8
  %arrayidx1 = getelementptr inbounds nuw ptr, ptr %v3, i64 %place
  %v4 = load ptr, ptr %arrayidx1, align 8
  tail call void @free(ptr %v4)
  %v5 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  %dec = add i64 %v5, -1
  store i64 %dec, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  %cmp9 = icmp slt i64 %place, %dec
  br i1 %cmp9, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %v6 = load ptr, ptr @chunks, align 8
  br label %for.body

for.cond.cleanup:
  ret void

for.body:
  %i.010 = phi i64 [ %place, %for.body.lr.ph ], [ %add, %for.body ]
  %add = add nuw nsw i64 %i.010, 1
  %arrayidx2 = getelementptr inbounds nuw ptr, ptr %v6, i64 %add
  %v7 = load ptr, ptr %arrayidx2, align 8
  %arrayidx3 = getelementptr inbounds nuw ptr, ptr %v6, i64 %i.010
  store ptr %v7, ptr %arrayidx3, align 8
  %v8 = load i64, ptr getelementptr inbounds nuw (i8, ptr @pool_state, i64 72), align 8
  %cmp = icmp slt i64 %add, %v8
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

define internal fastcc void @give_pages(ptr %chunk, i64 %start, i64 %units) nounwind noimplicitfloat noinline optnone {
entry:
  %add = add nsw i64 %start, -1
  %sub = add nsw i64 %add, %units
  %div = sdiv i64 %sub, 128
  %div1 = sdiv i64 %start, 128
  %cmp.not23 = icmp sgt i64 %div1, %div
  br i1 %cmp.not23, label %for.cond.cleanup, label %for.cond2.preheader.lr.ph

for.cond2.preheader.lr.ph:
  %bits = getelementptr inbounds nuw i8, ptr %chunk, i64 24
  br label %for.cond2.preheader

for.cond2.preheader:
  %page.024 = phi i64 [ %div1, %for.cond2.preheader.lr.ph ], [ %inc11, %if.end ]
  %.idx = shl i64 %page.024, 4
  %v0 = getelementptr i8, ptr %bits, i64 %.idx
  br label %for.body5

for.cond.cleanup:
  ret void

for.cond.cleanup4:
  %cmp7 = icmp eq i64 %or, 0
  br i1 %cmp7, label %if.then, label %if.end

for.body5:
  %cmp3 = phi i1 [ true, %for.cond2.preheader ], [ false, %for.body5 ]
  %word.022 = phi i64 [ 0, %for.cond2.preheader ], [ 1, %for.body5 ]
  %used.021 = phi i64 [ 0, %for.cond2.preheader ], [ %or, %for.body5 ]
  %arrayidx = getelementptr i64, ptr %v0, i64 %word.022
  %v1 = load i64, ptr %arrayidx, align 8
  %or = or i64 %v1, %used.021
  br i1 %cmp3, label %for.body5, label %for.cond.cleanup4

if.then:
  %v2 = load ptr, ptr %chunk, align 8
  %mul9 = shl i64 %page.024, 21
  %add.ptr = getelementptr inbounds i8, ptr %v2, i64 %mul9
  %call = tail call i32 @madvise(ptr %add.ptr, i64 2097152, i32 4)
  br label %if.end

if.end:
  %inc11 = add nsw i64 %page.024, 1
  %cmp.not.not = icmp slt i64 %page.024, %div
  br i1 %cmp.not.not, label %for.cond2.preheader, label %for.cond.cleanup
}

declare void @_Py_Dealloc(ptr)

declare ptr @PyCapsule_New(ptr, ptr, ptr)

define internal void @free_pooled(ptr %capsule) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call ptr @PyCapsule_GetPointer(ptr %capsule, ptr null)
  %call1 = tail call ptr @PyCapsule_GetContext(ptr %capsule)
  %v0 = ptrtoint ptr %call1 to i64
  tail call void @tfc_pool_free(ptr %call, i64 %v0)
  ret void
}

declare i32 @PyCapsule_SetContext(ptr, ptr)

define internal fastcc ptr @array_over(ptr %block, ptr %capsule, ptr %descriptor, ptr %extents, i64 %rank) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load i64, ptr %descriptor, align 8
  %shr.i.i = lshr i64 %v0, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v0
  store i64 %add.i, ptr %descriptor, align 8
  %conv = trunc i64 %rank to i32
  %call = tail call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descriptor, i32 %conv, ptr %extents, ptr null, ptr %block, i32 1281, ptr null)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %v1 = load i64, ptr %capsule, align 8
  %shr.i.i12 = lshr i64 %v1, 31
  %and.i.i14 = and i64 %shr.i.i12, $IMMORTAL
  %xor.i.i15 = xor i64 %and.i.i14, 1
  %sub.i = sub i64 %v1, %xor.i.i15
  store i64 %sub.i, ptr %capsule, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %cleanup.sink.split, label %cleanup

if.end:
  %call2 = tail call i32 @PyArray_SetBaseObject(ptr %call, ptr %capsule)
  %cmp3 = icmp slt i32 %call2, 0
  br i1 %cmp3, label %if.then5, label %cleanup

if.then5:
  %v2 = load i64, ptr %call, align 8
  %shr.i.i16 = lshr i64 %v2, 31
  %and.i.i18 = and i64 %shr.i.i16, $IMMORTAL
  %xor.i.i19 = xor i64 %and.i.i18, 1
  %sub.i20 = sub i64 %v2, %xor.i.i19
  store i64 %sub.i20, ptr %call, align 8
  %and.i22 = and i64 %sub.i20, $COUNT_MASK
  %cmp.i23 = icmp eq i64 %and.i22, 0
  br i1 %cmp.i23, label %cleanup.sink.split, label %cleanup

cleanup.sink.split:
  %call.sink = phi ptr [ %capsule, %if.then ], [ %call, %if.then5 ]
  tail call void @_Py_Dealloc(ptr %call.sink)
  br label %cleanup

cleanup:
  %retval.0 = phi ptr [ %call, %if.end ], [ null, %if.then5 ], [ null, %if.then ], [ null, %cleanup.sink.split ]
  ret ptr %retval.0
}

declare ptr @PyCapsule_GetPointer(ptr, ptr)

declare ptr @PyCapsule_GetContext(ptr)

declare i32 @PyArray_SetBaseObject(ptr, ptr)

define internal fastcc ptr @view(ptr %array, ptr %descriptor, ptr %extents, i64 %rank) nounwind noimplicitfloat noinline optnone {
entry:
  %extents1 = getelementptr inbounds nuw i8, ptr %array, i64 32
  %v0 = load ptr, ptr %extents1, align 8
  %rank2 = getelementptr inbounds nuw i8, ptr %array, i64 24
  %v1 = load i32, ptr %rank2, align 8
  %conv = sext i32 %v1 to i64
  %cmp.not5.i = icmp sgt i32 %v1, 0
  br i1 %cmp.not5.i, label %for.body.i, label %element_count.exit

for.body.i:
  %axis.07.i = phi i64 [ %inc.i, %for.inc.i ], [ 0, %entry ]
  %count.06.i = phi i64 [ %v5, %for.inc.i ], [ 1, %entry ]
  %arrayidx.i = getelementptr inbounds nuw i64, ptr %v0, i64 %axis.07.i
  %v2 = load i64, ptr %arrayidx.i, align 8
  %v3 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i, i64 %v2)
  %v4 = extractvalue { i64, i1 } %v3, 1
  br i1 %v4, label %element_count.exit, label %for.inc.i

for.inc.i:
  %v5 = extractvalue { i64, i1 } %v3, 0
  %inc.i = add nuw nsw i64 %axis.07.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %conv
  br i1 %exitcond.not.i, label %element_count.exit, label %for.body.i

element_count.exit:
  %spec.select.i = phi i64 [ 1, %entry ], [ %v5, %for.inc.i ], [ -1, %for.body.i ]
  %cmp.not5.i29 = icmp sgt i64 %rank, 0
  br i1 %cmp.not5.i29, label %for.body.i31, label %element_count.exit38

for.body.i31:
  %axis.07.i32 = phi i64 [ %inc.i36, %for.inc.i35 ], [ 0, %element_count.exit ]
  %count.06.i33 = phi i64 [ %v9, %for.inc.i35 ], [ 1, %element_count.exit ]
  %arrayidx.i34 = getelementptr inbounds nuw i64, ptr %extents, i64 %axis.07.i32
  %v6 = load i64, ptr %arrayidx.i34, align 8
  %v7 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %count.06.i33, i64 %v6)
  %v8 = extractvalue { i64, i1 } %v7, 1
  br i1 %v8, label %element_count.exit38, label %for.inc.i35

for.inc.i35:
  %v9 = extractvalue { i64, i1 } %v7, 0
  %inc.i36 = add nuw nsw i64 %axis.07.i32, 1
  %exitcond.not.i37 = icmp eq i64 %inc.i36, %rank
  br i1 %exitcond.not.i37, label %element_count.exit38, label %for.body.i31

element_count.exit38:
  %spec.select.i30 = phi i64 [ 1, %element_count.exit ], [ %v9, %for.inc.i35 ], [ -1, %for.body.i31 ]
  %cmp.not = icmp eq i64 %spec.select.i, %spec.select.i30
  br i1 %cmp.not, label %if.end, label %if.then

if.then:
  tail call void @PyErr_SetString(ptr @Py_SystemError, ptr @.str.1)
  br label %return

if.end:
  %v10 = load i64, ptr %descriptor, align 8
  %shr.i.i = lshr i64 %v10, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %add.i = add i64 %xor.i.i, %v10
  store i64 %add.i, ptr %descriptor, align 8
  %conv5 = trunc i64 %rank to i32
  %data = getelementptr inbounds nuw i8, ptr %array, i64 16
  %v11 = load ptr, ptr %data, align 8
  %flags = getelementptr inbounds nuw i8, ptr %array, i64 64
  %v12 = load i32, ptr %flags, align 8
  %and = and i32 %v12, 1281
  %call6 = tail call ptr @PyArray_NewFromDescr(ptr @PyArray_Type, ptr %descriptor, i32 %conv5, ptr %extents, ptr null, ptr %v11, i32 %and, ptr null)
  %cmp7 = icmp eq ptr %call6, null
  br i1 %cmp7, label %return, label %if.end10

if.end10:
  %v13 = load i64, ptr %array, align 8
  %shr.i.i39 = lshr i64 %v13, 31
  %and.i.i41 = and i64 %shr.i.i39, $IMMORTAL
  %xor.i.i42 = xor i64 %and.i.i41, 1
  %add.i43 = add i64 %xor.i.i42, %v13
  store i64 %add.i43, ptr %array, align 8
  %call12 = tail call i32 @PyArray_SetBaseObject(ptr %call6, ptr %array)
  %cmp13 = icmp slt i32 %call12, 0
  br i1 %cmp13, label %if.then15, label %return

if.then15:
  %v14 = load i64, ptr %call6, align 8
  %shr.i.i44 = lshr i64 %v14, 31
  %and.i.i46 = and i64 %shr.i.i44, $IMMORTAL
  %xor.i.i47 = xor i64 %and.i.i46, 1
  %sub.i = sub i64 %v14, %xor.i.i47
  store i64 %sub.i, ptr %call6, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %return

if.then.i:
  tail call void @_Py_Dealloc(ptr %call6)
  br label %return

return:
  %retval.1 = phi ptr [ null, %if.then ], [ null, %if.end ], [ %call6, %if.end10 ], [ null, %if.then15 ], [ null, %if.then.i ]
  ret ptr %retval.1
}

declare ptr @PyCapsule_GetDestructor(ptr)

declare ptr @PyContextVar_Set(ptr, ptr)

declare i32 @PyContextVar_Get(ptr, ptr, ptr)

declare ptr @PyType_GenericAlloc(ptr, i64)

declare ptr @PyEval_SaveThread()

declare i32 @usleep(i32)

declare void @PyEval_RestoreThread(ptr)

define internal fastcc ptr @take_kept(i64 %class) nounwind noimplicitfloat noinline optnone {
entry:
  %arrayidx = getelementptr inbounds [4 x ptr], ptr @kept, i64 %class
  br label %for.body

for.cond:
  %inc = add nuw nsw i64 %place.013, 1
  %exitcond.not = icmp eq i64 %inc, 4
  br i1 %exitcond.not, label %cleanup3, label %for.body

for.body:
  %place.013 = phi i64 [ 0, %entry ], [ %inc, %for.cond ]
  %arrayidx1 = getelementptr inbounds nuw ptr, ptr %arrayidx, i64 %place.013
  %v0 = atomicrmw xchg ptr %arrayidx1, i64 0 acq_rel, align 8
  %cmp2.not = icmp eq i64 %v0, 0
  br i1 %cmp2.not, label %for.cond, label %cleanup3.split.loop.exit11

cleanup3.split.loop.exit11:
  %v1 = inttoptr i64 %v0 to ptr
  br label %cleanup3

cleanup3:
  %v2 = phi ptr [ %v1, %cleanup3.split.loop.exit11 ], [ null, %for.cond ]
  ret ptr %v2
}

define internal void @free_adopted(ptr %capsule) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call ptr @PyCapsule_GetPointer(ptr %capsule, ptr null)
  tail call void @tfc_block_free(ptr %call)
  ret void
}

define internal fastcc i1 @is_like(ptr %input, ptr %array, ptr %shape, ptr %symbols, i64 %least) nounwind noimplicitfloat noinline optnone {
entry:
  %type = getelementptr inbounds nuw i8, ptr %array, i64 8
  %v0 = load ptr, ptr %type, align 8
  %cmp.not = icmp eq ptr %v0, @PyArray_Type
  br i1 %cmp.not, label %lor.lhs.false, label %return

lor.lhs.false:
  %descriptor = getelementptr inbounds nuw i8, ptr %array, i64 56
  %v1 = load ptr, ptr %descriptor, align 8
  %v2 = load ptr, ptr %input, align 8
  %cmp2.not = icmp eq ptr %v1, %v2
  br i1 %cmp2.not, label %if.end, label %return

if.end:
  %rank = getelementptr inbounds nuw i8, ptr %array, i64 24
  %v3 = load i32, ptr %rank, align 8
  %conv = sext i32 %v3 to i64
  %rank3 = getelementptr inbounds nuw i8, ptr %input, i64 8
  %v4 = load i64, ptr %rank3, align 8
  %cmp4.not = icmp eq i64 %v4, %conv
  br i1 %cmp4.not, label %lor.lhs.false6, label %return

lor.lhs.false6:
  %flags = getelementptr inbounds nuw i8, ptr %array, i64 64
  %v5 = load i32, ptr %flags, align 8
  %and = and i32 %v5, 257
  %cmp7.not = icmp eq i32 %and, 257
  br i1 %cmp7.not, label %for.cond.preheader, label %return

for.cond.preheader:
  %cmp1266 = icmp slt i32 %v3, 1
  br i1 %cmp1266, label %return, label %for.body.lr.ph

for.body.lr.ph:
  %extents = getelementptr inbounds nuw i8, ptr %array, i64 32
  br label %for.body

for.body:
  %v6 = phi i64 [ %conv, %for.body.lr.ph ], [ %v12, %for.inc ]
  %axis.067 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %shape, i64 %axis.067
  %v7 = load i64, ptr %arrayidx, align 8
  %v8 = load ptr, ptr %extents, align 8
  %arrayidx14 = getelementptr inbounds nuw i64, ptr %v8, i64 %axis.067
  %v9 = load i64, ptr %arrayidx14, align 8
  %cmp15 = icmp eq i64 %v7, %v9
  %cmp18 = icmp eq i64 %v7, -9223372036854775808
  %or.cond = or i1 %cmp18, %cmp15
  br i1 %or.cond, label %for.inc, label %if.end21

if.end21:
  %cmp22 = icmp sgt i64 %v7, -1
  br i1 %cmp22, label %return, label %if.end25

if.end25:
  %not = xor i64 %v7, -1
  %div64 = lshr i64 %not, 1
  %arrayidx26 = getelementptr inbounds nuw i64, ptr %symbols, i64 %div64
  %v10 = and i64 %v7, 1
  %cmp29.not = icmp eq i64 %v10, 0
  br i1 %cmp29.not, label %if.else, label %if.then31

if.then31:
  %v11 = load i64, ptr %arrayidx26, align 8
  %cmp32.not = icmp eq i64 %v11, %v9
  br i1 %cmp32.not, label %for.inc, label %return

if.else:
  %cmp36 = icmp slt i64 %v9, %least
  br i1 %cmp36, label %return, label %if.end39

if.end39:
  store i64 %v9, ptr %arrayidx26, align 8
  %.pre = load i64, ptr %rank3, align 8
  br label %for.inc

for.inc:
  %v12 = phi i64 [ %.pre, %if.end39 ], [ %v6, %if.then31 ], [ %v6, %for.body ]
  %inc = add nuw nsw i64 %axis.067, 1
  %cmp12.not = icmp slt i64 %inc, %v12
  br i1 %cmp12.not, label %for.body, label %return

return:
  %retval.4 = phi i1 [ false, %lor.lhs.false6 ], [ false, %entry ], [ false, %if.end ], [ false, %lor.lhs.false ], [ true, %for.cond.preheader ], [ false, %if.end21 ], [ false, %if.then31 ], [ false, %if.else ], [ true, %for.inc ]
  ret i1 %retval.4
}

define internal fastcc i64 @extent(ptr %reader) nounwind noimplicitfloat noinline optnone {
entry:
  %undefined = getelementptr inbounds nuw i8, ptr %reader, i64 17
  store i8 0, ptr %undefined, align 1
  %overflowed = getelementptr inbounds nuw i8, ptr %reader, i64 16
  store i8 0, ptr %overflowed, align 8
  %call = tail call fastcc i64 @sum(ptr %reader)
  %v0 = load i8, ptr %undefined, align 1
  %loadedv = trunc nuw i8 %v0 to i1
  br i1 %loadedv, label %if.end, label %cleanup

if.end:
  store i8 0, ptr %overflowed, align 8
  br label %cleanup

cleanup:
  %retval.0 = phi i64 [ -9223372036854775808, %if.end ], [ %call, %entry ]
  ret i64 %retval.0
}

define internal fastcc i64 @sum(ptr %reader) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr %reader, align 8
  %symbols2 = getelementptr inbounds nuw i8, ptr %reader, i64 8
  %v1 = load ptr, ptr %symbols2, align 8
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v2 = load i64, ptr %v0, align 8
  %cmp45 = icmp sgt i64 %v2, 0
  br i1 %cmp45, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %overflowed = getelementptr inbounds nuw i8, ptr %reader, i64 16
  br label %for.body

for.cond.cleanup:
  %total.0.lcssa = phi i64 [ 0, %entry ], [ %v7, %if.end17 ]
  %at.0.lcssa = phi ptr [ %incdec.ptr, %entry ], [ %at.1.lcssa, %if.end17 ]
  store ptr %at.0.lcssa, ptr %reader, align 8
  ret i64 %total.0.lcssa

for.body:
  %at.048 = phi ptr [ %incdec.ptr, %for.body.lr.ph ], [ %at.1.lcssa, %if.end17 ]
  %terms.047 = phi i64 [ %v2, %for.body.lr.ph ], [ %dec19, %if.end17 ]
  %total.046 = phi i64 [ 0, %for.body.lr.ph ], [ %v7, %if.end17 ]
  %incdec.ptr3 = getelementptr inbounds nuw i8, ptr %at.048, i64 8
  %v3 = load i64, ptr %at.048, align 8
  %incdec.ptr4 = getelementptr inbounds nuw i8, ptr %at.048, i64 16
  %v4 = load i64, ptr %incdec.ptr3, align 8
  %cmp640 = icmp sgt i64 %v4, 0
  br i1 %cmp640, label %for.body8, label %for.cond.cleanup7

for.cond.cleanup7:
  %term.0.lcssa = phi i64 [ %v3, %for.body ], [ %v13, %if.end14 ]
  %at.1.lcssa = phi ptr [ %incdec.ptr4, %for.body ], [ %at.2, %if.end14 ]
  %v5 = tail call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %total.046, i64 %term.0.lcssa)
  %v6 = extractvalue { i64, i1 } %v5, 1
  %v7 = extractvalue { i64, i1 } %v5, 0
  br i1 %v6, label %if.then15, label %if.end17

for.body8:
  %at.143 = phi ptr [ %at.2, %if.end14 ], [ %incdec.ptr4, %for.body ]
  %factors.042 = phi i64 [ %dec, %if.end14 ], [ %v4, %for.body ]
  %term.041 = phi i64 [ %v13, %if.end14 ], [ %v3, %for.body ]
  %incdec.ptr9 = getelementptr inbounds nuw i8, ptr %at.143, i64 8
  %v8 = load i64, ptr %at.143, align 8
  %cmp10 = icmp sgt i64 %v8, -1
  br i1 %cmp10, label %if.then, label %if.else

if.then:
  %arrayidx = getelementptr inbounds nuw i64, ptr %v1, i64 %v8
  %v9 = load i64, ptr %arrayidx, align 8
  br label %if.end

if.else:
  store ptr %incdec.ptr9, ptr %reader, align 8
  %call = tail call fastcc i64 @factor(ptr %reader, i64 %v8)
  %v10 = load ptr, ptr %reader, align 8
  br label %if.end

if.end:
  %at.2 = phi ptr [ %incdec.ptr9, %if.then ], [ %v10, %if.else ]
  %value.0 = phi i64 [ %v9, %if.then ], [ %call, %if.else ]
  %v11 = tail call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %term.041, i64 %value.0)
  %v12 = extractvalue { i64, i1 } %v11, 1
  %v13 = extractvalue { i64, i1 } %v11, 0
  br i1 %v12, label %if.then13, label %if.end14

if.then13:
  store i8 1, ptr %overflowed, align 8
  br label %if.end14

if.end14:
  %dec = add nsw i64 %factors.042, -1
  %cmp6 = icmp sgt i64 %factors.042, 1
  br i1 %cmp6, label %for.body8, label %for.cond.cleanup7

if.then15:
  store i8 1, ptr %overflowed, align 8
  br label %if.end17

if.end17:
  %dec19 = add nsw i64 %terms.047, -1
  %cmp = icmp sgt i64 %terms.047, 1
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

define internal fastcc i64 @factor(ptr %reader, i64 %kind) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp = icmp eq i64 %kind, -6
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %overflowed = getelementptr inbounds nuw i8, ptr %reader, i64 16
  store i8 1, ptr %overflowed, align 8
  br label %return

if.end:
  %call = tail call fastcc i64 @sum(ptr %reader)
  switch i64 %kind, label %if.end12 [
    i64 -3, label %if.then2
    i64 -4, label %if.then6
    i64 -5, label %if.then10
  ]

if.then2:
  %cond = tail call i64 @llvm.smax.i64(i64 %call, i64 0)
  br label %return

if.then6:
  %v0 = load ptr, ptr %reader, align 8
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  store ptr %incdec.ptr.i, ptr %reader, align 8
  %v1 = load i64, ptr %v0, align 8
  %shr = ashr i64 %call, %v1
  br label %return

if.then10:
  %v2 = load ptr, ptr %reader, align 8
  %incdec.ptr.i49 = getelementptr inbounds nuw i8, ptr %v2, i64 8
  store ptr %incdec.ptr.i49, ptr %reader, align 8
  %v3 = load i64, ptr %v2, align 8
  %and = and i64 %v3, %call
  br label %return

if.end12:
  %call13 = tail call fastcc i64 @sum(ptr %reader)
  %cmp14 = icmp slt i64 %call13, 1
  br i1 %cmp14, label %if.then15, label %if.end16

if.then15:
  %undefined = getelementptr inbounds nuw i8, ptr %reader, i64 17
  store i8 1, ptr %undefined, align 1
  br label %if.end16

if.end16:
  %divisor.0 = phi i64 [ 1, %if.then15 ], [ %call13, %if.end12 ]
  %rem = srem i64 %call, %divisor.0
  %div = sdiv i64 %call, %divisor.0
  %cmp17 = icmp eq i64 %kind, -2
  br i1 %cmp17, label %if.then18, label %if.end24

if.then18:
  %cmp19 = icmp slt i64 %rem, 0
  %add = select i1 %cmp19, i64 %divisor.0, i64 0
  %cond23 = add i64 %add, %rem
  br label %return

if.end24:
  %rem.lobit.neg = ashr i64 %rem, 63
  %sub = add i64 %div, %rem.lobit.neg
  br label %return

return:
  %retval.2 = phi i64 [ 0, %if.then ], [ %cond, %if.then2 ], [ %shr, %if.then6 ], [ %and, %if.then10 ], [ %cond23, %if.then18 ], [ %sub, %if.end24 ]
  ret i64 %retval.2
}

declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64)

define internal fastcc i1 @make_results(ptr %call) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr %call, align 8
  %flags = getelementptr inbounds nuw i8, ptr %v0, i64 112
  %v1 = load i64, ptr %flags, align 8
  %and = and i64 %v1, 4
  %cmp.not = icmp eq i64 %and, 0
  br i1 %cmp.not, label %if.end, label %land.lhs.true

land.lhs.true:
  %call2 = tail call fastcc i1 @required(ptr %call)
  br i1 %call2, label %land.lhs.true.if.end_crit_edge, label %cleanup44

land.lhs.true.if.end_crit_edge:
  %.pre = load i64, ptr %flags, align 8
  br label %if.end

if.end:
  %v2 = phi i64 [ %.pre, %land.lhs.true.if.end_crit_edge ], [ %v1, %entry ]
  %numbers = getelementptr inbounds nuw i8, ptr %call, i64 24
  %v3 = load ptr, ptr %numbers, align 8
  %shapes3 = getelementptr inbounds nuw i8, ptr %v0, i64 96
  %v4 = load i64, ptr %shapes3, align 8
  %add.ptr = getelementptr inbounds i64, ptr %v3, i64 %v4
  %and5 = and i64 %v2, 8
  %cmp6.not = icmp eq i64 %and5, 0
  br i1 %cmp6.not, label %if.end15, label %for.cond.preheader

for.cond.preheader:
  %axes = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v5 = load i64, ptr %axes, align 8
  %cmp875 = icmp sgt i64 %v5, 0
  br i1 %cmp875, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %symbols = getelementptr inbounds nuw i8, ptr %call, i64 72
  %extents = getelementptr inbounds nuw i8, ptr %call, i64 80
  br label %for.body

for.cond.cleanup.loopexit:
  %.pre77.pre = load i64, ptr %flags, align 8
  br label %for.cond.cleanup

for.cond.cleanup:
  %.pre77 = phi i64 [ %.pre77.pre, %for.cond.cleanup.loopexit ], [ %v2, %for.cond.preheader ]
  %extents14 = getelementptr inbounds nuw i8, ptr %call, i64 80
  %v6 = load ptr, ptr %extents14, align 8
  br label %if.end15

for.body:
  %i.076 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %cond.end ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %add.ptr, i64 %i.076
  %v7 = load i64, ptr %arrayidx, align 8
  %cmp9 = icmp sgt i64 %v7, -1
  br i1 %cmp9, label %cond.end, label %cond.false

cond.false:
  %v8 = load ptr, ptr %symbols, align 8
  %not = xor i64 %v7, -1
  %arrayidx12 = getelementptr inbounds nuw i64, ptr %v8, i64 %not
  %v9 = load i64, ptr %arrayidx12, align 8
  br label %cond.end

cond.end:
  %cond = phi i64 [ %v9, %cond.false ], [ %v7, %for.body ]
  %v10 = load ptr, ptr %extents, align 8
  %arrayidx13 = getelementptr inbounds nuw i64, ptr %v10, i64 %i.076
  store i64 %cond, ptr %arrayidx13, align 8
  %inc = add nuw nsw i64 %i.076, 1
  %v11 = load i64, ptr %axes, align 8
  %cmp8 = icmp slt i64 %inc, %v11
  br i1 %cmp8, label %for.body, label %for.cond.cleanup.loopexit

if.end15:
  %v12 = phi i64 [ %.pre77, %for.cond.cleanup ], [ %v2, %if.end ]
  %shapes.0 = phi ptr [ %v6, %for.cond.cleanup ], [ %add.ptr, %if.end ]
  %and17 = and i64 %v12, 16
  %cmp18.not = icmp eq i64 %and17, 0
  br i1 %cmp18.not, label %if.end22, label %land.lhs.true19

land.lhs.true19:
  %call20 = tail call fastcc i1 @computed(ptr %call)
  br i1 %call20, label %if.end22, label %cleanup44

if.end22:
  %buffers23 = getelementptr inbounds nuw i8, ptr %call, i64 64
  %v13 = load ptr, ptr %buffers23, align 8
  %params.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v14 = load i64, ptr %params.i, align 8
  %captures.i = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %v15 = load i64, ptr %captures.i, align 8
  %v16 = getelementptr ptr, ptr %v13, i64 %v15
  %add.ptr25 = getelementptr ptr, ptr %v16, i64 %v14
  %results = getelementptr inbounds nuw i8, ptr %call, i64 16
  %v17 = load ptr, ptr %results, align 8
  %results26 = getelementptr inbounds nuw i8, ptr %v0, i64 32
  %v18 = load i64, ptr %results26, align 8
  %arrays = getelementptr inbounds nuw i8, ptr %call, i64 48
  %v19 = load ptr, ptr %arrays, align 8
  %outs = getelementptr inbounds nuw i8, ptr %call, i64 56
  %v20 = load ptr, ptr %outs, align 8
  %call27 = tail call i32 @tfc_make(ptr %v17, i64 %v18, ptr %shapes.0, ptr %v19, ptr %v20, ptr %add.ptr25)
  %cmp28.not = icmp eq i32 %call27, 0
  br i1 %cmp28.not, label %if.end30, label %cleanup44

if.end30:
  %v21 = load i64, ptr %flags, align 8
  %and32 = and i64 %v21, 2
  %cmp33 = icmp eq i64 %and32, 0
  br i1 %cmp33, label %cleanup44, label %if.end35

if.end35:
  %returned = getelementptr inbounds nuw i8, ptr %v0, i64 72
  %v22 = load i64, ptr %returned, align 8
  %call36 = tail call ptr @tfc_answer(i64 %v22)
  %answer = getelementptr inbounds nuw i8, ptr %call, i64 40
  store ptr %call36, ptr %answer, align 8
  %cmp38.not = icmp eq ptr %call36, null
  br i1 %cmp38.not, label %if.end40, label %cleanup44

if.end40:
  %v23 = load ptr, ptr %outs, align 8
  %v24 = load i64, ptr %results26, align 8
  tail call void @tfc_drop(ptr %v23, i64 %v24)
  br label %cleanup44

cleanup44:
  %retval.2 = phi i1 [ false, %land.lhs.true ], [ false, %land.lhs.true19 ], [ false, %if.end40 ], [ false, %if.end22 ], [ true, %if.end30 ], [ true, %if.end35 ]
  ret i1 %retval.2
}

define internal fastcc i32 @run(ptr %call, ptr %end) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr %call, align 8
  %reader2 = getelementptr inbounds nuw i8, ptr %call, i64 120
  %arena = getelementptr inbounds nuw i8, ptr %v0, i64 88
  %v1 = load i64, ptr %arena, align 8
  %idx.neg = sub i64 0, %v1
  %add.ptr = getelementptr inbounds i8, ptr %end, i64 %idx.neg
  %v2 = ptrtoint ptr %add.ptr to i64
  %and = and i64 %v2, -64
  %v3 = inttoptr i64 %and to ptr
  %flags = getelementptr inbounds nuw i8, ptr %v0, i64 112
  %v4 = load i64, ptr %flags, align 8
  %and4 = and i64 %v4, 32
  %cmp.not = icmp eq i64 %and4, 0
  br i1 %cmp.not, label %if.end16, label %if.then

if.then:
  %overflowed = getelementptr inbounds nuw i8, ptr %call, i64 136
  store i8 0, ptr %overflowed, align 8
  %v5 = load i64, ptr %flags, align 8
  %and6 = and i64 %v5, 64
  %cmp7.not = icmp eq i64 %and6, 0
  br i1 %cmp7.not, label %cond.end, label %if.end

if.end:
  %call9 = tail call fastcc i64 @extent(ptr %reader2)
  %.pre = load i8, ptr %overflowed, align 8
  %v6 = trunc nuw i8 %.pre to i1
  br i1 %v6, label %cleanup, label %cond.end

cond.end:
  %bytes.070 = phi i64 [ %call9, %if.end ], [ %v1, %if.then ]
  %call12 = tail call ptr @tfc_pool_alloc(i64 %bytes.070)
  %cmp13 = icmp eq ptr %call12, null
  br i1 %cmp13, label %cleanup, label %cond.end.if.end16_crit_edge

cond.end.if.end16_crit_edge:
  %.pre67 = load i64, ptr %flags, align 8
  br label %if.end16

if.end16:
  %v7 = phi i64 [ %.pre67, %cond.end.if.end16_crit_edge ], [ %v4, %entry ]
  %arena3.0 = phi ptr [ %call12, %cond.end.if.end16_crit_edge ], [ %v3, %entry ]
  %bytes.1 = phi i64 [ %bytes.070, %cond.end.if.end16_crit_edge ], [ %v1, %entry ]
  %and22 = and i64 %v7, 256
  %cmp23.not = icmp eq i64 %and22, 0
  br i1 %cmp23.not, label %if.end30, label %if.then24

if.then24:
  %call25 = tail call fastcc i64 @extent(ptr %reader2)
  %cmp26 = icmp sgt i64 %call25, 262144
  br i1 %cmp26, label %cond.true32, label %lor.rhs

lor.rhs:
  %overflowed27 = getelementptr inbounds nuw i8, ptr %call, i64 136
  %v8 = load i8, ptr %overflowed27, align 8
  %v9 = trunc nuw i8 %v8 to i1
  br i1 %v9, label %cond.true32, label %cond.false34

if.end30:
  %and18 = and i64 %v7, 128
  %cmp19.not = icmp eq i64 %and18, 0
  br i1 %cmp19.not, label %cond.false34, label %cond.true32

cond.true32:
  %call33 = tail call fastcc i32 @run_released(ptr %call, ptr %arena3.0)
  br label %cond.end36

cond.false34:
  %v10 = load ptr, ptr %v0, align 8
  %buffers = getelementptr inbounds nuw i8, ptr %call, i64 64
  %v11 = load ptr, ptr %buffers, align 8
  %symbols = getelementptr inbounds nuw i8, ptr %call, i64 72
  %v12 = load ptr, ptr %symbols, align 8
  %error = getelementptr inbounds nuw i8, ptr %call, i64 88
  %call35 = tail call i32 %v10(ptr %v11, ptr %v12, ptr %arena3.0, ptr %error)
  br label %cond.end36

cond.end36:
  %cond37 = phi i32 [ %call33, %cond.true32 ], [ %call35, %cond.false34 ]
  br i1 %cmp.not, label %cleanup, label %if.then39

if.then39:
  tail call void @tfc_pool_free(ptr %arena3.0, i64 %bytes.1)
  br label %cleanup

cleanup:
  %retval.0 = phi i32 [ -100, %cond.end ], [ %cond37, %if.then39 ], [ %cond37, %cond.end36 ], [ -100, %if.end ]
  ret i32 %retval.0
}

define internal fastcc void @drop_results(ptr %call) nounwind noimplicitfloat noinline optnone {
entry:
  %outs = getelementptr inbounds nuw i8, ptr %call, i64 56
  %v0 = load ptr, ptr %outs, align 8
  %v1 = load ptr, ptr %call, align 8
  %results = getelementptr inbounds nuw i8, ptr %v1, i64 32
  %v2 = load i64, ptr %results, align 8
  tail call void @tfc_drop(ptr %v0, i64 %v2)
  %answer = getelementptr inbounds nuw i8, ptr %call, i64 40
  %v3 = load ptr, ptr %answer, align 8
  %cmp.not = icmp eq ptr %v3, null
  br i1 %cmp.not, label %if.end, label %if.then

if.then:
  %v4 = load i64, ptr %v3, align 8
  %shr.i.i = lshr i64 %v4, 31
  %and.i.i = and i64 %shr.i.i, $IMMORTAL
  %xor.i.i = xor i64 %and.i.i, 1
  %sub.i = sub i64 %v4, %xor.i.i
  store i64 %sub.i, ptr %v3, align 8
  %and.i = and i64 %sub.i, $COUNT_MASK
  %cmp.i = icmp eq i64 %and.i, 0
  br i1 %cmp.i, label %if.then.i, label %if.end

if.then.i:
  tail call void @_Py_Dealloc(ptr %v3)
  br label %if.end

if.end:
  ret void
}

define internal fastcc i1 @adopt(ptr %call) nounwind noimplicitfloat noinline optnone {
entry:
  %reader1 = getelementptr inbounds nuw i8, ptr %call, i64 120
  %v0 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  store ptr %incdec.ptr.i, ptr %reader1, align 8
  %v1 = load i64, ptr %v0, align 8
  %cmp23 = icmp sgt i64 %v1, 0
  br i1 %cmp23, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %extents = getelementptr inbounds nuw i8, ptr %call, i64 80
  br label %for.body

for.cond.cleanup:
  %buffers5 = getelementptr inbounds nuw i8, ptr %call, i64 64
  %v2 = load ptr, ptr %buffers5, align 8
  %v3 = load ptr, ptr %call, align 8
  %params.i = getelementptr inbounds nuw i8, ptr %v3, i64 8
  %v4 = load i64, ptr %params.i, align 8
  %captures.i = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v5 = load i64, ptr %captures.i, align 8
  %v6 = getelementptr ptr, ptr %v2, i64 %v5
  %add.ptr = getelementptr ptr, ptr %v6, i64 %v4
  %results = getelementptr inbounds nuw i8, ptr %call, i64 16
  %v7 = load ptr, ptr %results, align 8
  %results8 = getelementptr inbounds nuw i8, ptr %v3, i64 32
  %v8 = load i64, ptr %results8, align 8
  %extents9 = getelementptr inbounds nuw i8, ptr %call, i64 80
  %v9 = load ptr, ptr %extents9, align 8
  %outs = getelementptr inbounds nuw i8, ptr %call, i64 56
  %v10 = load ptr, ptr %outs, align 8
  %call10 = tail call i32 @tfc_adopt(ptr %v7, i64 %v8, ptr %v9, ptr %v10, ptr %add.ptr)
  %cmp11 = icmp eq i32 %call10, 0
  ret i1 %cmp11

for.body:
  %left.024 = phi i64 [ %v1, %for.body.lr.ph ], [ %dec, %for.body ]
  %v11 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i22 = getelementptr inbounds nuw i8, ptr %v11, i64 8
  store ptr %incdec.ptr.i22, ptr %reader1, align 8
  %v12 = load i64, ptr %v11, align 8
  %call4 = tail call fastcc i64 @extent(ptr %reader1)
  %v13 = load ptr, ptr %extents, align 8
  %arrayidx = getelementptr inbounds i64, ptr %v13, i64 %v12
  store i64 %call4, ptr %arrayidx, align 8
  %dec = add nsw i64 %left.024, -1
  %cmp = icmp samesign ugt i64 %left.024, 1
  br i1 %cmp, label %for.body, label %for.cond.cleanup
}

define internal fastcc i1 @required(ptr %call) nounwind noimplicitfloat noinline optnone {
entry:
  %reader1 = getelementptr inbounds nuw i8, ptr %call, i64 120
  %v0 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  store ptr %incdec.ptr.i, ptr %reader1, align 8
  %v1 = load i64, ptr %v0, align 8
  %cmp46 = icmp slt i64 %v1, 1
  br i1 %cmp46, label %cleanup25, label %for.body.lr.ph

for.body.lr.ph:
  %overflowed = getelementptr inbounds nuw i8, ptr %call, i64 136
  %error = getelementptr inbounds nuw i8, ptr %call, i64 88
  br label %for.body

for.cond:
  %dec = add nsw i64 %left.047, -1
  %cmp = icmp slt i64 %left.047, 2
  br i1 %cmp, label %cleanup25, label %for.body

for.body:
  %left.047 = phi i64 [ %v1, %for.body.lr.ph ], [ %dec, %for.cond ]
  %v2 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i40 = getelementptr inbounds nuw i8, ptr %v2, i64 8
  store ptr %incdec.ptr.i40, ptr %reader1, align 8
  %v3 = load i64, ptr %v2, align 8
  %incdec.ptr.i41 = getelementptr inbounds nuw i8, ptr %v2, i64 16
  store ptr %incdec.ptr.i41, ptr %reader1, align 8
  %v4 = load i64, ptr %incdec.ptr.i40, align 8
  %call5 = tail call fastcc i64 @extent(ptr %reader1)
  %cmp6 = icmp sgt i64 %call5, -1
  br i1 %cmp6, label %land.rhs, label %land.end

land.rhs:
  %v5 = load i8, ptr %overflowed, align 8
  %loadedv = trunc nuw i8 %v5 to i1
  %lnot = xor i1 %loadedv, true
  br label %land.end

land.end:
  %v6 = phi i1 [ false, %for.body ], [ %lnot, %land.rhs ]
  %cmp844 = icmp sgt i64 %v4, 0
  br i1 %cmp844, label %for.body10, label %for.cond.cleanup9

for.cond.cleanup9:
  br i1 %v6, label %for.cond, label %if.then14

for.body10:
  %i.045 = phi i64 [ %inc, %if.end ], [ 0, %land.end ]
  %call11 = tail call fastcc i64 @extent(ptr %reader1)
  br i1 %v6, label %if.end, label %if.then

if.then:
  %arrayidx = getelementptr inbounds nuw i64, ptr %error, i64 %i.045
  store i64 %call11, ptr %arrayidx, align 8
  br label %if.end

if.end:
  %inc = add nuw nsw i64 %i.045, 1
  %exitcond.not = icmp eq i64 %inc, %v4
  br i1 %exitcond.not, label %for.cond.cleanup9, label %for.body10

if.then14:
  %self = getelementptr inbounds nuw i8, ptr %call, i64 32
  %v7 = load ptr, ptr %self, align 8
  %conv = trunc i64 %v3 to i32
  %call16 = tail call ptr @tfc_fail(ptr %v7, i32 %conv, ptr %error)
  br label %cleanup25

cleanup25:
  %cmp43 = phi i1 [ false, %if.then14 ], [ true, %entry ], [ true, %for.cond ]
  ret i1 %cmp43
}

define internal fastcc i1 @computed(ptr %call) nounwind noimplicitfloat noinline optnone {
entry:
  %reader1 = getelementptr inbounds nuw i8, ptr %call, i64 120
  %v0 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  store ptr %incdec.ptr.i, ptr %reader1, align 8
  %v1 = load i64, ptr %v0, align 8
  %cmp50 = icmp slt i64 %v1, 1
  br i1 %cmp50, label %cleanup23, label %for.body.lr.ph

for.body.lr.ph:
  %overflowed = getelementptr inbounds nuw i8, ptr %call, i64 136
  %extents = getelementptr inbounds nuw i8, ptr %call, i64 80
  br label %for.body

for.body:
  %left.051 = phi i64 [ %v1, %for.body.lr.ph ], [ %dec, %if.end16 ]
  %v2 = load ptr, ptr %reader1, align 8
  %incdec.ptr.i40 = getelementptr inbounds nuw i8, ptr %v2, i64 8
  store ptr %incdec.ptr.i40, ptr %reader1, align 8
  %v3 = load i64, ptr %v2, align 8
  %incdec.ptr.i41 = getelementptr inbounds nuw i8, ptr %v2, i64 16
  store ptr %incdec.ptr.i41, ptr %reader1, align 8
  %v4 = load i64, ptr %incdec.ptr.i40, align 8
  %incdec.ptr.i42 = getelementptr inbounds nuw i8, ptr %v2, i64 24
  store ptr %incdec.ptr.i42, ptr %reader1, align 8
  %v5 = load i64, ptr %incdec.ptr.i41, align 8
  %call6 = tail call fastcc i64 @extent(ptr %reader1)
  %v6 = load i8, ptr %overflowed, align 8
  %loadedv = trunc nuw i8 %v6 to i1
  br i1 %loadedv, label %if.then, label %if.end

if.then:
  %call7 = tail call ptr @PyErr_NoMemory()
  br label %cleanup23

if.end:
  %cmp8 = icmp slt i64 %call6, 0
  br i1 %cmp8, label %if.then9, label %if.end16

if.then9:
  %error = getelementptr inbounds nuw i8, ptr %call, i64 88
  store i64 %v4, ptr %error, align 8
  %arrayidx11 = getelementptr inbounds nuw i8, ptr %call, i64 96
  store i64 %v5, ptr %arrayidx11, align 8
  %arrayidx13 = getelementptr inbounds nuw i8, ptr %call, i64 104
  store i64 %call6, ptr %arrayidx13, align 8
  %self = getelementptr inbounds nuw i8, ptr %call, i64 32
  %v7 = load ptr, ptr %self, align 8
  %call15 = tail call ptr @tfc_fail(ptr %v7, i32 -1, ptr %error)
  br label %cleanup23

if.end16:
  %v8 = load ptr, ptr %extents, align 8
  %arrayidx17 = getelementptr inbounds i64, ptr %v8, i64 %v3
  store i64 %call6, ptr %arrayidx17, align 8
  %dec = add nsw i64 %left.051, -1
  %cmp = icmp slt i64 %left.051, 2
  br i1 %cmp, label %cleanup23, label %for.body

cleanup23:
  %cmp45 = phi i1 [ false, %if.then ], [ false, %if.then9 ], [ true, %entry ], [ true, %if.end16 ]
  ret i1 %cmp45
}

define internal fastcc i32 @run_released(ptr %call, ptr %arena) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr %call, align 8
  %params.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v1 = load i64, ptr %params.i, align 8
  %captures.i = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %v2 = load i64, ptr %captures.i, align 8
  %add.i = add i64 %v2, %v1
  %results3 = getelementptr inbounds nuw i8, ptr %v0, i64 32
  %v3 = load i64, ptr %results3, align 8
  %flags = getelementptr inbounds nuw i8, ptr %v0, i64 112
  %v4 = load i64, ptr %flags, align 8
  %and = and i64 %v4, 2
  %cmp.not = icmp eq i64 %and, 0
  br i1 %cmp.not, label %if.else, label %if.then

if.then:
  %self = getelementptr inbounds nuw i8, ptr %call, i64 32
  %v5 = load ptr, ptr %self, align 8
  %results4 = getelementptr inbounds nuw i8, ptr %call, i64 16
  %v6 = load ptr, ptr %results4, align 8
  %arrays = getelementptr inbounds nuw i8, ptr %call, i64 48
  %v7 = load ptr, ptr %arrays, align 8
  %outs = getelementptr inbounds nuw i8, ptr %call, i64 56
  %v8 = load ptr, ptr %outs, align 8
  tail call void @tfc_take(ptr %v5, ptr %v6, i64 %v3, ptr %v7, ptr %v8)
  br label %if.end

if.else:
  %arrays5 = getelementptr inbounds nuw i8, ptr %call, i64 48
  %v9 = load ptr, ptr %arrays5, align 8
  tail call void @tfc_hold(ptr %v9, i64 %add.i)
  br label %if.end

if.end:
  %call6 = tail call ptr @PyEval_SaveThread()
  %v10 = load ptr, ptr %v0, align 8
  %buffers = getelementptr inbounds nuw i8, ptr %call, i64 64
  %v11 = load ptr, ptr %buffers, align 8
  %symbols = getelementptr inbounds nuw i8, ptr %call, i64 72
  %v12 = load ptr, ptr %symbols, align 8
  %error = getelementptr inbounds nuw i8, ptr %call, i64 88
  %call7 = tail call i32 %v10(ptr %v11, ptr %v12, ptr %arena, ptr %error)
  tail call void @PyEval_RestoreThread(ptr %call6)
  br i1 %cmp.not, label %if.else14, label %if.then9

if.then9:
  %self10 = getelementptr inbounds nuw i8, ptr %call, i64 32
  %v13 = load ptr, ptr %self10, align 8
  %results11 = getelementptr inbounds nuw i8, ptr %call, i64 16
  %v14 = load ptr, ptr %results11, align 8
  %arrays12 = getelementptr inbounds nuw i8, ptr %call, i64 48
  %v15 = load ptr, ptr %arrays12, align 8
  %outs13 = getelementptr inbounds nuw i8, ptr %call, i64 56
  %v16 = load ptr, ptr %outs13, align 8
  tail call void @tfc_give(ptr %v13, ptr %v14, i64 %v3, ptr %v15, ptr %v16)
  br label %if.end16

if.else14:
  %arrays15 = getelementptr inbounds nuw i8, ptr %call, i64 48
  %v17 = load ptr, ptr %arrays15, align 8
  tail call void @tfc_drop(ptr %v17, i64 %add.i)
  br label %if.end16

if.end16:
  ret i32 %call7
}

declare i32 @clock_gettime(i32, ptr)

declare i32 @PyGILState_Ensure()

declare void @PyGILState_Release(i32)

declare i64 @llvm.umax.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)
