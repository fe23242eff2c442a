; Made of thread_pool.c by `make runtime`: change that instead.
; source 04a07931d93c32f17839ee0603f9ae7731ca57bb78caa8d8f97caa98b670cb78
; text ebd16c497c2ef6635c86fe769ebd6571b7f61abf63a05bce6d619279c39ac7cd

@thread_limit = internal global i64 1, align 8
@workers_started = internal global i64 0, align 8
@alone_time = internal global i64 0, align 8
@alone_until = internal global i64 0, align 8
@sleepers = internal global i32 0, align 64
@run_end = internal global i64 0, align 8
@run_work = internal global i64 0, align 8
@pool_owner = internal global i32 0, align 4
@pool_busy = internal global i32 0, align 64
@gate = internal global i64 0, align 64
@caller_sleeps = internal global i32 0, align 4
@loop.0 = internal global ptr null, align 8
@loop.1 = internal global ptr null, align 8
@loop.2 = internal global i64 0, align 8
@loop.3 = internal global i64 0, align 8
@loop.4 = internal global i64 0, align 8
@loop.5 = internal global i32 0, align 8
@next_chunk = internal global i64 0, align 64
@loop_number = internal global i32 0, align 64

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
  %time.i.i = alloca [2 x i64], align 16
  %v0 = load i64, ptr @thread_limit, align 8
  %cmp = icmp slt i64 %v0, 2
  %cmp1 = icmp slt i64 %count, 2
  %or.cond = or i1 %cmp1, %cmp
  br i1 %or.cond, label %if.then, label %lor.lhs.false2

lor.lhs.false2:
  %cmp.i = icmp sgt i64 %work, 29999
  br i1 %cmp.i, label %lor.lhs.false3, label %if.end.i

if.end.i:
  %cmp1.i = icmp slt i64 %work, 4000
  br i1 %cmp1.i, label %if.then, label %if.end3.i

if.end3.i:
  %atomic-load.i = load atomic i64, ptr @alone_time seq_cst, align 8
  %cmp4.not.i = icmp eq i64 %atomic-load.i, 0
  br i1 %cmp4.not.i, label %if.end8.i, label %land.lhs.true.i

land.lhs.true.i:
  %call.i.i = call i32 @clock_gettime(i32 1, ptr %time.i.i)
  %v1 = load i64, ptr %time.i.i, align 16
  %mul.i.i = mul i64 %v1, 1000000000
  %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr %time.i.i, i64 8
  %v2 = load i64, ptr %arrayidx1.i.i, align 8
  %add.i.i = add i64 %mul.i.i, %v2
  %atomic-load5.i = load atomic i64, ptr @alone_until seq_cst, align 8
  %cmp6.i = icmp slt i64 %add.i.i, %atomic-load5.i
  br i1 %cmp6.i, label %if.then, label %if.end8.i

if.end8.i:
  %v3 = load i64, ptr @workers_started, align 8
  %atomic-load9.i = load atomic i32, ptr @sleepers seq_cst, align 64
  %conv.i = sext i32 %atomic-load9.i to i64
  %cmp10.i = icmp sgt i64 %v3, %conv.i
  br i1 %cmp10.i, label %lor.lhs.false3, label %pays.exit

pays.exit:
  %call14.i = call fastcc i1 @in_long_run(i64 %work)
  br i1 %call14.i, label %lor.lhs.false3, label %if.then

lor.lhs.false3:
  %wakes.013 = phi i1 [ true, %pays.exit ], [ true, %lor.lhs.false2 ], [ false, %if.end8.i ]
  %call4 = call fastcc i1 @claim_pool()
  br i1 %call4, label %if.end, label %if.then

if.then:
  call void %run(ptr %context, i64 0, i64 %count)
  br label %cleanup

if.end:
  %call5 = call fastcc i1 @share_loop(ptr %run, ptr %context, i64 %count, i64 %work, i1 %wakes.013, ptr null, ptr null)
  br label %cleanup

cleanup:
  ret void
}

define internal fastcc i1 @claim_pool() nounwind noimplicitfloat {
entry:
  %call = tail call i32 @getpid()
  %atomic-load = load atomic i32, ptr @pool_owner seq_cst, align 4
  %cmp.not = icmp eq i32 %call, %atomic-load
  br i1 %cmp.not, label %if.end, label %land.lhs.true

land.lhs.true:
  %call1 = tail call fastcc i1 @adopt_pool(i32 %call, i32 %atomic-load)
  br i1 %call1, label %if.end, label %cleanup

if.end:
  %v0 = cmpxchg ptr @pool_busy, i32 0, i32 1 seq_cst seq_cst, align 64
  %v1 = extractvalue { i32, i1 } %v0, 1
  br label %cleanup

cleanup:
  %retval.0 = phi i1 [ %v1, %if.end ], [ false, %land.lhs.true ]
  ret i1 %retval.0
}

define internal fastcc i1 @share_loop(ptr %run, ptr %context, i64 %count, i64 %work, i1 %wakes, ptr %look_up, ptr %patience) nounwind noimplicitfloat noinline optnone {
entry:
  %time.i12.i = alloca [2 x i64], align 16
  %time.i.i = alloca [2 x i64], align 16
  %v0 = load i64, ptr @thread_limit, align 8
  %mul.i = shl i64 %v0, 2
  %div.i = sdiv i64 %work, 2000
  %spec.select.i = tail call i64 @llvm.smin.i64(i64 %mul.i, i64 %div.i)
  %cmp2.i = icmp sgt i64 %work, 9999999
  br i1 %cmp2.i, label %land.lhs.true.i, label %chunks_of.exit

land.lhs.true.i:
  %div3.i = udiv i64 %work, 2000000
  %spec.select17.i = tail call i64 @llvm.smax.i64(i64 %spec.select.i, i64 %div3.i)
  br label %chunks_of.exit

chunks_of.exit:
  %chunks.1.i = phi i64 [ %spec.select.i, %entry ], [ %spec.select17.i, %land.lhs.true.i ]
  %cond.i = tail call i64 @llvm.smin.i64(i64 %chunks.1.i, i64 %count)
  %cmp = icmp slt i64 %cond.i, %v0
  %sub = add i64 %cond.i, -1
  %sub1 = add i64 %v0, -1
  %cond = select i1 %cmp, i64 %sub, i64 %sub1
  %v1 = load i64, ptr @workers_started, align 8
  %cmp323 = icmp slt i64 %v1, %sub1
  br i1 %cmp323, label %land.rhs, label %while.end

land.rhs:
  %call4 = tail call fastcc i1 @start_worker()
  br i1 %call4, label %while.body, label %while.end

while.body:
  %v2 = load i64, ptr @workers_started, align 8
  %inc = add i64 %v2, 1
  store i64 %inc, ptr @workers_started, align 8
  %cmp3 = icmp slt i64 %inc, %sub1
  br i1 %cmp3, label %land.rhs, label %while.end

while.end:
  store ptr %run, ptr @loop.0, align 8
  store ptr %context, ptr @loop.1, align 8
  store i64 %count, ptr @loop.2, align 8
  store i64 %cond.i, ptr @loop.3, align 8
  store atomic i64 %cond, ptr @loop.4 monotonic, align 8
  %call6 = tail call i32 @sched_getcpu()
  store atomic i32 %call6, ptr @loop.5 monotonic, align 8
  store atomic i64 0, ptr @next_chunk seq_cst, align 64
  store atomic i64 4294967296, ptr @gate seq_cst, align 64
  %v3 = atomicrmw add ptr @loop_number, i32 1 seq_cst, align 64
  br i1 %wakes, label %land.lhs.true, label %if.end

land.lhs.true:
  %atomic-load = load atomic i32, ptr @sleepers seq_cst, align 64
  %cmp7 = icmp sgt i32 %atomic-load, 0
  br i1 %cmp7, label %if.then, label %if.end

if.then:
  %conv = trunc i64 %cond to i32
  %call1.i = tail call i64 (i64, ...) @syscall(i64 $FUTEX, ptr @loop_number, i32 129, i32 %conv, ptr null)
  br label %if.end

if.end:
  %call8 = tail call fastcc i1 @take_chunks(ptr %look_up, ptr %patience)
  %v4 = atomicrmw and ptr @gate, i64 4294967295 seq_cst, align 64
  br label %for.body.i

for.body.i:
  %turn.019.i = phi i32 [ 0, %if.end ], [ %inc.i, %if.end.i ]
  %atomic-load.i = load atomic i64, ptr @gate seq_cst, align 64
  %cmp1.i = icmp eq i64 %atomic-load.i, 0
  br i1 %cmp1.i, label %wait_for_workers.exit, label %if.end.i

if.end.i:
  $SPIN_PAUSE
  %inc.i = add nuw nsw i32 %turn.019.i, 1
  %exitcond.not.i = icmp eq i32 %inc.i, 1001
  br i1 %exitcond.not.i, label %for.end.i, label %for.body.i

for.end.i:
  %call.i.i = call i32 @clock_gettime(i32 1, ptr %time.i.i)
  %v5 = load i64, ptr %time.i.i, align 16
  %arrayidx1.i.i = getelementptr inbounds nuw i8, ptr %time.i.i, i64 8
  %v6 = load i64, ptr %arrayidx1.i.i, align 8
  store atomic i32 1, ptr @caller_sleeps seq_cst, align 4
  %atomic-load320.i = load atomic i64, ptr @gate seq_cst, align 64
  %cmp4.not21.i = icmp eq i64 %atomic-load320.i, 0
  br i1 %cmp4.not21.i, label %for.cond.cleanup5.i, label %for.body6.lr.ph.i

for.body6.lr.ph.i:
  br label %for.body6.i

for.cond.cleanup5.i:
  store atomic i32 0, ptr @caller_sleeps seq_cst, align 4
  %call.i13.i = call i32 @clock_gettime(i32 1, ptr %time.i12.i)
  %v7 = load i64, ptr %time.i12.i, align 16
  %arrayidx1.i15.i = getelementptr inbounds nuw i8, ptr %time.i12.i, i64 8
  %v8 = load i64, ptr %arrayidx1.i15.i, align 8
  %reass.add.i = sub i64 %v7, %v5
  %reass.mul.i = mul i64 %reass.add.i, 1000000000
  %add.i16.i = sub i64 %v8, %v6
  %sub.i = add i64 %add.i16.i, %reass.mul.i
  br label %wait_for_workers.exit

for.body6.i:
  %atomic-load322.i = phi i64 [ %atomic-load320.i, %for.body6.lr.ph.i ], [ %atomic-load3.i, %for.body6.i ]
  %conv.i = trunc i64 %atomic-load322.i to i32
  %call1.i.i = call i64 (i64, ...) @syscall(i64 $FUTEX, ptr @gate, i32 128, i32 %conv.i, ptr null)
  %atomic-load3.i = load atomic i64, ptr @gate seq_cst, align 64
  %cmp4.not.i = icmp eq i64 %atomic-load3.i, 0
  br i1 %cmp4.not.i, label %for.cond.cleanup5.i, label %for.body6.i

wait_for_workers.exit:
  %retval.1.i = phi i64 [ %sub.i, %for.cond.cleanup5.i ], [ 0, %for.body.i ]
  %add = add i64 %work, 300000
  %cmp11 = icmp sgt i64 %retval.1.i, %add
  br i1 %cmp11, label %if.then13, label %if.end14

if.then13:
  call fastcc void @stay_alone()
  br label %if.end14

if.end14:
  store atomic i32 0, ptr @pool_busy seq_cst, align 64
  ret i1 %call8
}

define i32 @tfc_parallel_long(ptr %run, ptr %context, i64 %count, i64 %work, ptr %look_up, ptr %patience) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp = icmp slt i64 %work, 10000000
  %cmp1 = icmp slt i64 %count, 2
  %or.cond = or i1 %cmp1, %cmp
  br i1 %or.cond, label %if.then, label %if.end

if.then:
  tail call void @tfc_parallel(ptr %run, ptr %context, i64 %count, i64 %work)
  %cmp2 = icmp slt i64 %work, 1000000
  br i1 %cmp2, label %return, label %lor.rhs

lor.rhs:
  %call = tail call i32 %look_up(ptr %patience, i32 1)
  %cmp3 = icmp ne i32 %call, 0
  br label %return

if.end:
  %v0 = load i64, ptr @thread_limit, align 8
  %cmp4 = icmp sgt i64 %v0, 1
  br i1 %cmp4, label %land.lhs.true, label %chunks_of.exit

land.lhs.true:
  %call5 = tail call fastcc i1 @claim_pool()
  br i1 %call5, label %if.then6, label %land.lhs.true.chunks_of.exit_crit_edge

land.lhs.true.chunks_of.exit_crit_edge:
  %.pre = load i64, ptr @thread_limit, align 8
  br label %chunks_of.exit

if.then6:
  %call7 = tail call fastcc i1 @share_loop(ptr %run, ptr %context, i64 %count, i64 %work, i1 true, ptr %look_up, ptr %patience)
  br label %return

chunks_of.exit:
  %v1 = phi i64 [ %.pre, %land.lhs.true.chunks_of.exit_crit_edge ], [ %v0, %if.end ]
  %mul.i = shl i64 %v1, 2
  %div.i50 = udiv i64 %work, 2000
  %spec.select.i = tail call i64 @llvm.smin.i64(i64 %mul.i, i64 %div.i50)
  %div3.i = udiv i64 %work, 2000000
  %spec.select17.i = tail call i64 @llvm.smax.i64(i64 %spec.select.i, i64 %div3.i)
  %v2 = tail call i64 @llvm.umin.i64(i64 %spec.select17.i, i64 %count)
  br label %for.cond

for.cond:
  %chunk.0 = phi i64 [ 0, %chunks_of.exit ], [ %add, %for.body ]
  %exitcond.not = icmp eq i64 %chunk.0, %v2
  br i1 %exitcond.not, label %return, label %for.body

for.body:
  %div.i42 = udiv i64 %count, %v2
  %mul.i43 = mul i64 %div.i42, %chunk.0
  %rem.i = urem i64 %count, %v2
  %mul1.i = mul i64 %rem.i, %chunk.0
  %div2.i = udiv i64 %mul1.i, %v2
  %add.i = add i64 %div2.i, %mul.i43
  %add = add nuw nsw i64 %chunk.0, 1
  %mul.i45 = mul i64 %div.i42, %add
  %mul1.i47 = mul i64 %rem.i, %add
  %div2.i48 = udiv i64 %mul1.i47, %v2
  %add.i49 = add i64 %div2.i48, %mul.i45
  tail call void %run(ptr %context, i64 %add.i, i64 %add.i49)
  %call14 = tail call i32 %look_up(ptr %patience, i32 1)
  %cmp15 = icmp eq i32 %call14, 0
  br i1 %cmp15, label %return, label %for.cond

return:
  %retval.2.shrunk = phi i1 [ %cmp3, %lor.rhs ], [ %call7, %if.then6 ], [ true, %if.then ], [ %exitcond.not, %for.body ], [ %exitcond.not, %for.cond ]
  %retval.2 = zext i1 %retval.2.shrunk to i32
  ret i32 %retval.2
}

define internal fastcc i1 @in_long_run(i64 %work) nounwind noimplicitfloat noinline optnone {
entry:
  %time.i = alloca [2 x i64], align 16
  %call.i = call i32 @clock_gettime(i32 1, ptr %time.i)
  %v0 = load i64, ptr %time.i, align 16
  %mul.i = mul i64 %v0, 1000000000
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %time.i, i64 8
  %v1 = load i64, ptr %arrayidx1.i, align 8
  %add.i = add i64 %mul.i, %v1
  %atomic-load = load atomic i64, ptr @run_end seq_cst, align 8
  %sub = sub i64 %add.i, %atomic-load
  %cmp = icmp sgt i64 %sub, 30000
  br i1 %cmp, label %if.then, label %if.end

if.then:
  store atomic i64 0, ptr @run_work seq_cst, align 8
  br label %if.end

if.end:
  %add = add i64 %add.i, %work
  store atomic i64 %add, ptr @run_end seq_cst, align 8
  %v2 = atomicrmw add ptr @run_work, i64 %work seq_cst, align 8
  %atomic-load1 = load atomic i64, ptr @run_work seq_cst, align 8
  %cmp2 = icmp sgt i64 %atomic-load1, 149999
  br i1 %cmp2, label %if.end4, label %cleanup

if.end4:
  store atomic i64 0, ptr @run_work seq_cst, align 8
  br label %cleanup

cleanup:
  ret i1 %cmp2
}

declare i32 @clock_gettime(i32, ptr)

declare i32 @getpid()

define internal fastcc i1 @adopt_pool(i32 %process, i32 %owner) nounwind noimplicitfloat noinline optnone {
entry:
  %cmp = icmp eq i32 %owner, -1
  br i1 %cmp, label %return, label %if.end

if.end:
  %v0 = cmpxchg ptr @pool_owner, i32 %owner, i32 -1 seq_cst seq_cst, align 4
  %v1 = extractvalue { i32, i1 } %v0, 1
  br i1 %v1, label %if.end2, label %return

if.end2:
  store i64 0, ptr @workers_started, align 8
  store atomic i64 0, ptr @gate seq_cst, align 64
  store atomic i32 0, ptr @sleepers seq_cst, align 64
  store atomic i32 0, ptr @caller_sleeps seq_cst, align 4
  store atomic i32 0, ptr @pool_busy seq_cst, align 64
  store atomic i32 %process, ptr @pool_owner seq_cst, align 4
  br label %return

return:
  %retval.0 = phi i1 [ false, %entry ], [ true, %if.end2 ], [ false, %if.end ]
  ret i1 %retval.0
}

define internal fastcc i1 @start_worker() nounwind noimplicitfloat noinline optnone {
entry:
  %thread = alloca i64, align 8
  %attributes = alloca [16 x i64], align 16
  %every = alloca [16 x i64], align 16
  %old = alloca [16 x i64], align 16
  %call = call ptr @memset(ptr %every, i32 -1, i64 128)
  %call3 = call i32 @pthread_sigmask(i32 2, ptr %every, ptr %old)
  %call5 = call i32 @pthread_attr_init(ptr %attributes)
  %call7 = call i32 @pthread_attr_setstacksize(ptr %attributes, i64 4194304)
  %call9 = call i32 @pthread_attr_setdetachstate(ptr %attributes, i32 1)
  %call11 = call i32 @pthread_create(ptr %thread, ptr %attributes, ptr @worker_main, ptr null)
  %cmp = icmp eq i32 %call11, 0
  %call13 = call i32 @pthread_attr_destroy(ptr %attributes)
  %call15 = call i32 @pthread_sigmask(i32 2, ptr %old, ptr null)
  ret i1 %cmp
}

declare i32 @sched_getcpu()

define internal fastcc i1 @take_chunks(ptr %look_up, ptr %patience) nounwind noimplicitfloat noinline optnone {
entry:
  %v0 = load ptr, ptr @loop.0, align 8
  %v1 = load ptr, ptr @loop.1, align 8
  %v2 = load i64, ptr @loop.2, align 8
  %v3 = load i64, ptr @loop.3, align 8
  %v4 = atomicrmw add ptr @next_chunk, i64 1 monotonic, align 64
  %cmp.not31.not = icmp ult i64 %v4, %v3
  br i1 %cmp.not31.not, label %if.end.lr.ph, label %cleanup8

if.end.lr.ph:
  %div.i = udiv i64 %v2, %v3
  %rem.i = urem i64 %v2, %v3
  %cmp2.not = icmp eq ptr %look_up, null
  br label %if.end

if.end:
  %v5 = phi i64 [ %v4, %if.end.lr.ph ], [ %v6, %cleanup ]
  %mul.i = mul i64 %div.i, %v5
  %mul1.i = mul i64 %rem.i, %v5
  %div2.i = udiv i64 %mul1.i, %v3
  %add.i = add i64 %div2.i, %mul.i
  %add = add nuw i64 %v5, 1
  %mul.i21 = mul i64 %div.i, %add
  %mul1.i23 = mul i64 %rem.i, %add
  %div2.i24 = udiv i64 %mul1.i23, %v3
  %add.i25 = add i64 %div2.i24, %mul.i21
  tail call void %v0(ptr %v1, i64 %add.i, i64 %add.i25)
  br i1 %cmp2.not, label %cleanup, label %land.lhs.true

land.lhs.true:
  %call3 = tail call i32 %look_up(ptr %patience, i32 1)
  %cmp4 = icmp eq i32 %call3, 0
  br i1 %cmp4, label %if.then5, label %cleanup

if.then5:
  store atomic i64 %v3, ptr @next_chunk monotonic, align 64
  br label %cleanup8

cleanup:
  %v6 = atomicrmw add ptr @next_chunk, i64 1 monotonic, align 64
  %cmp.not.not = icmp ult i64 %v6, %v3
  br i1 %cmp.not.not, label %if.end, label %cleanup8

cleanup8:
  %cmp.not30 = phi i1 [ false, %if.then5 ], [ true, %entry ], [ true, %cleanup ]
  ret i1 %cmp.not30
}

define internal fastcc void @stay_alone() nounwind noimplicitfloat noinline optnone {
entry:
  %time.i = alloca [2 x i64], align 16
  %call.i = call i32 @clock_gettime(i32 1, ptr %time.i)
  %v0 = load i64, ptr %time.i, align 16
  %mul.i = mul i64 %v0, 1000000000
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %time.i, i64 8
  %v1 = load i64, ptr %arrayidx1.i, align 8
  %add.i = add i64 %mul.i, %v1
  %atomic-load = load atomic i64, ptr @alone_time seq_cst, align 8
  %atomic-load1 = load atomic i64, ptr @alone_until seq_cst, align 8
  %sub = sub i64 %add.i, %atomic-load1
  %mul = shl i64 %atomic-load, 2
  %cmp = icmp slt i64 %sub, %mul
  %cmp2 = icmp slt i64 %atomic-load, 800000000
  %mul3 = zext i1 %cmp2 to i64
  %cond = shl i64 %atomic-load, %mul3
  %length.0 = select i1 %cmp, i64 %cond, i64 50000000
  store atomic i64 %length.0, ptr @alone_time seq_cst, align 8
  %add = add i64 %length.0, %add.i
  store atomic i64 %add, ptr @alone_until seq_cst, align 8
  ret void
}

declare ptr @memset(ptr, i32, i64)

declare i32 @pthread_sigmask(i32, ptr, ptr)

declare i32 @pthread_attr_init(ptr)

declare i32 @pthread_attr_setstacksize(ptr, i64)

declare i32 @pthread_attr_setdetachstate(ptr, i32)

declare i32 @pthread_create(ptr, ptr, ptr, ptr)

define internal ptr @worker_main(ptr %unused) nounwind noimplicitfloat noinline optnone {
entry:
  %own = alloca { [128 x i8] }, align 1
  %rest = alloca { [128 x i8] }, align 1
  br label %for.cond

for.cond:
  %atomic-load = load atomic i32, ptr @loop_number seq_cst, align 64
  %atomic-load.i = load atomic i64, ptr @gate seq_cst, align 64
  br label %do.body.i

do.body.i:
  %seen.0.i = phi i64 [ %atomic-load.i, %for.cond ], [ %v3, %do.cond.i ]
  %and1.i = and i64 %seen.0.i, 4294967296
  %tobool.not.i = icmp eq i64 %and1.i, 0
  br i1 %tobool.not.i, label %for.body.i.preheader, label %if.end.i

if.end.i:
  %and.i = and i64 %seen.0.i, 4294967295
  %v0 = load atomic i64, ptr @loop.4 monotonic, align 8
  %cmp.not.i = icmp slt i64 %and.i, %v0
  br i1 %cmp.not.i, label %do.cond.i, label %for.body.i.preheader

do.cond.i:
  %add.i = add i64 %seen.0.i, 1
  %v1 = cmpxchg ptr @gate, i64 %seen.0.i, i64 %add.i seq_cst seq_cst, align 64
  %v2 = extractvalue { i64, i1 } %v1, 1
  %v3 = extractvalue { i64, i1 } %v1, 0
  br i1 %v2, label %do.end.i, label %do.body.i

do.end.i:
  %call.i = call fastcc i1 @take_chunks(ptr null, ptr null)
  %v4 = atomicrmw sub ptr @gate, i64 1 seq_cst, align 64
  %cmp4.i = icmp eq i64 %v4, 1
  br i1 %cmp4.i, label %land.lhs.true.i, label %for.body.i.preheader

land.lhs.true.i:
  %atomic-load7.i = load atomic i32, ptr @caller_sleeps seq_cst, align 4
  %tobool8.not.i = icmp eq i32 %atomic-load7.i, 0
  br i1 %tobool8.not.i, label %for.body.i.preheader, label %if.then9.i

if.then9.i:
  %call1.i8 = call i64 (i64, ...) @syscall(i64 $FUTEX, ptr @gate, i32 129, i32 1, ptr null)
  br label %for.body.i.preheader

for.body.i.preheader:
  br label %for.body.i

for.body.i:
  %turn.04.i = phi i32 [ %inc.i, %if.end.i5 ], [ 0, %for.body.i.preheader ]
  %v5 = load atomic i32, ptr @loop_number monotonic, align 64
  %cmp1.not.not.not.i.not = icmp eq i32 %v5, %atomic-load
  br i1 %cmp1.not.not.not.i.not, label %if.end.i5, label %for.cond.backedge

if.end.i5:
  $SPIN_PAUSE
  %inc.i = add nuw nsw i32 %turn.04.i, 1
  %exitcond.not.i = icmp eq i32 %inc.i, 1001
  br i1 %exitcond.not.i, label %if.end, label %for.body.i

if.end:
  %call1 = call fastcc i1 @avoid_caller(ptr %own, ptr %rest)
  %v6 = atomicrmw add ptr @sleepers, i32 1 seq_cst, align 64
  %call1.i = call i64 (i64, ...) @syscall(i64 $FUTEX, ptr @loop_number, i32 128, i32 %atomic-load, ptr null)
  %v7 = atomicrmw sub ptr @sleepers, i32 1 seq_cst, align 64
  br i1 %call1, label %if.then2, label %for.cond.backedge

for.cond.backedge:
  br label %for.cond

if.then2:
  call fastcc void @return_affinity(ptr %own, ptr %rest)
  br label %for.cond.backedge
}

declare i32 @pthread_attr_destroy(ptr)

define internal fastcc i1 @avoid_caller(ptr %own, ptr %rest) nounwind noimplicitfloat noinline optnone {
entry:
  %call = tail call i32 @sched_getaffinity(i32 0, i64 128, ptr %own)
  %cmp = icmp slt i32 %call, 0
  br i1 %cmp, label %return, label %if.end

if.end:
  %v0 = load atomic i32, ptr @loop.5 monotonic, align 8
  %cmp1 = icmp ugt i32 %v0, 1023
  br i1 %cmp1, label %return, label %if.end4

if.end4:
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 1 %rest, ptr align 1 %own, i64 128, i1 false)
  %rem = and i32 %v0, 7
  %shl = shl nuw nsw i32 1, %rem
  %div15 = lshr i32 %v0, 3
  %idxprom = zext nneg i32 %div15 to i64
  %arrayidx = getelementptr inbounds nuw i8, ptr %rest, i64 %idxprom
  %v1 = load i8, ptr %arrayidx, align 1
  %v2 = trunc nuw i32 %shl to i8
  %v3 = xor i8 %v2, -1
  %conv6 = and i8 %v1, %v3
  store i8 %conv6, ptr %arrayidx, align 1
  %call7 = tail call i32 @sched_setaffinity(i32 0, i64 128, ptr %rest)
  %cmp8 = icmp eq i32 %call7, 0
  br label %return

return:
  %retval.1 = phi i1 [ false, %entry ], [ %cmp8, %if.end4 ], [ false, %if.end ]
  ret i1 %retval.1
}

define internal fastcc void @return_affinity(ptr %own, ptr %rest) nounwind noimplicitfloat noinline optnone {
entry:
  %now = alloca { [128 x i8] }, align 1
  %call = call i32 @sched_getaffinity(i32 0, i64 128, ptr %now)
  %call1 = call i32 @memcmp(ptr %now, ptr %rest, i64 128)
  %cmp = icmp eq i32 %call1, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %call2 = call i32 @sched_setaffinity(i32 0, i64 128, ptr %own)
  br label %if.end

if.end:
  ret void
}

declare i32 @sched_getaffinity(i32, i64, ptr)

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare i32 @sched_setaffinity(i32, i64, ptr)

declare i64 @syscall(i64, ...)

declare i32 @memcmp(ptr, ptr, i64)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)
