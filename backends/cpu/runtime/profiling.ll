; Made of profiling.c by `make runtime`: change that instead.
; source ae3923b6de0930c8ff16c85d207503c74d6216220a1a8ce3048f16e775fcc222
; text 772b2fe56529d3d962e253fc125a4dc01b934aa9a6c59f22d3b24eba7ef87f83

@tfc_counters = external global [0 x { i64, i64, i64, i64, i64, [3 x i64] }], align 8
@tfc_events = external global { i64, i64, ptr }, align 8

define i64 @tfc_now() nounwind noimplicitfloat {
entry:
  %time = alloca [2 x i64], align 16
  %call = call i32 @clock_gettime(i32 1, ptr %time)
  %v0 = load i64, ptr %time, align 16
  %mul = mul i64 %v0, 1000000000
  %arrayidx1 = getelementptr inbounds nuw i8, ptr %time, i64 8
  %v1 = load i64, ptr %arrayidx1, align 8
  %add = add i64 %mul, %v1
  ret i64 %add
}

declare i32 @clock_gettime(i32, ptr)

define void @tfc_note(i64 %kernel, i64 %start, i64 %bytes, i64 %operations) nounwind noimplicitfloat {
entry:
  %time.i = alloca [2 x i64], align 16
  %call.i = call i32 @clock_gettime(i32 1, ptr %time.i)
  %v0 = load i64, ptr %time.i, align 16
  %mul.i = mul i64 %v0, 1000000000
  %arrayidx1.i = getelementptr inbounds nuw i8, ptr %time.i, i64 8
  %v1 = load i64, ptr %arrayidx1.i, align 8
  %add.i = add i64 %mul.i, %v1
  %arrayidx = getelementptr inbounds { i64, i64, i64, i64, i64, [3 x i64] }, ptr @tfc_counters, i64 %kernel
  %v2 = atomicrmw add ptr %arrayidx, i64 1 monotonic, align 8
  %nanoseconds = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %sub = sub i64 %add.i, %start
  %v3 = atomicrmw add ptr %nanoseconds, i64 %sub monotonic, align 8
  %least = getelementptr inbounds nuw i8, ptr %arrayidx, i64 16
  %v4 = atomicrmw umin ptr %least, i64 %sub monotonic, align 8
  %bytes2 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 24
  %v5 = atomicrmw add ptr %bytes2, i64 %bytes monotonic, align 8
  %operations3 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 32
  %v6 = atomicrmw add ptr %operations3, i64 %operations monotonic, align 8
  %v7 = load i64, ptr @tfc_events, align 8
  %cmp = icmp eq i64 %v7, 0
  br i1 %cmp, label %cleanup16, label %if.end

if.end:
  %v8 = atomicrmw add ptr getelementptr inbounds nuw (i8, ptr @tfc_events, i64 8), i64 1 monotonic, align 8
  %cmp6.not = icmp ult i64 %v8, %v7
  br i1 %cmp6.not, label %if.end8, label %cleanup16

if.end8:
  %v9 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @tfc_events, i64 16), align 8
  %arrayidx9 = getelementptr inbounds nuw { ptr, i64, i64, i64, i64, i64 }, ptr %v9, i64 %v8
  %call11 = call i64 @pthread_self()
  store ptr %arrayidx, ptr %arrayidx9, align 8
  %.compoundliteral.sroa.2.0.arrayidx9.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 8
  store i64 %call11, ptr %.compoundliteral.sroa.2.0.arrayidx9.sroa_idx, align 8
  %.compoundliteral.sroa.3.0.arrayidx9.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 16
  store i64 %start, ptr %.compoundliteral.sroa.3.0.arrayidx9.sroa_idx, align 8
  %.compoundliteral.sroa.4.0.arrayidx9.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 24
  store i64 %add.i, ptr %.compoundliteral.sroa.4.0.arrayidx9.sroa_idx, align 8
  %.compoundliteral.sroa.5.0.arrayidx9.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 32
  store i64 %bytes, ptr %.compoundliteral.sroa.5.0.arrayidx9.sroa_idx, align 8
  %.compoundliteral.sroa.6.0.arrayidx9.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx9, i64 40
  store i64 %operations, ptr %.compoundliteral.sroa.6.0.arrayidx9.sroa_idx, align 8
  br label %cleanup16

cleanup16:
  ret void
}

declare i64 @pthread_self()
