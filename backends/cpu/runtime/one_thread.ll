; Made of one_thread.c by `make runtime`: change that instead.
; source cd89f7ffa38599a9e83b1d4adaea591fd57dae8a865900c829948eb7fc6cbd5f
; text 0b09b411a9beaaafc48060f8ad8e3549da83312f92e2b628106f6e73e2eedebf

@thread_limit = internal global i64 1, align 8
@workers_started = internal global i64 0, align 8

define ptr @tfc_threads_limit() nounwind noimplicitfloat noinline optnone {
entry:
  ret ptr @thread_limit
}

define ptr @tfc_threads_started() nounwind noimplicitfloat noinline optnone {
entry:
  ret ptr @workers_started
}

define void @tfc_parallel(ptr %run, ptr %context, i64 %count, i64 %work) nounwind noimplicitfloat noinline optnone {
entry:
  tail call void %run(ptr %context, i64 0, i64 %count)
  ret void
}

define i32 @tfc_parallel_long(ptr %run, ptr %context, i64 %count, i64 %work, ptr %look_up, ptr %patience) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp = icmp slt i64 %work, 10000000
  %div = udiv i64 %work, 2000000
  %cond = select i1 %cmp, i64 1, i64 %div
  %chunks.0 = tail call i64 @llvm.smin.i64(i64 %cond, i64 %count)
  %cmp2.not44 = icmp slt i64 %chunks.0, 1
  br i1 %cmp2.not44, label %cleanup19, label %for.body.lr.ph

for.body.lr.ph:
  %div3 = sdiv i64 %count, %chunks.0
  %rem = srem i64 %count, %chunks.0
  %cmp14 = icmp sgt i64 %work, 999999
  br label %for.body

for.body:
  %chunk.045 = phi i64 [ 0, %for.body.lr.ph ], [ %add7, %if.end17 ]
  %mul = mul i64 %div3, %chunk.045
  %mul4 = mul i64 %rem, %chunk.045
  %div5 = sdiv i64 %mul4, %chunks.0
  %add = add i64 %div5, %mul
  %add7 = add nuw nsw i64 %chunk.045, 1
  %mul8 = mul i64 %div3, %add7
  %mul11 = mul i64 %rem, %add7
  %div12 = sdiv i64 %mul11, %chunks.0
  %add13 = add i64 %div12, %mul8
  tail call void %run(ptr %context, i64 %add, i64 %add13)
  br i1 %cmp14, label %land.lhs.true, label %if.end17

land.lhs.true:
  %call = tail call i32 %look_up(ptr %patience, i32 1)
  %cmp15 = icmp eq i32 %call, 0
  br i1 %cmp15, label %cleanup19, label %if.end17

if.end17:
  %exitcond.not = icmp eq i64 %add7, %chunks.0
  br i1 %exitcond.not, label %cleanup19, label %for.body

cleanup19:
  %cmp2.not.lcssa = phi i32 [ 1, %entry ], [ 0, %land.lhs.true ], [ 1, %if.end17 ]
  ret i32 %cmp2.not.lcssa
}

declare i64 @llvm.smin.i64(i64, i64)
