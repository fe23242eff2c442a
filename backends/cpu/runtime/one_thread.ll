; Made of one_thread.c by `make runtime`: change that instead.
; source 2ceba16079f2708231e0a903c5cfb1d2ff9556850e77e23578a1b214212cdf8c
; text 5e14513505b10af0912dd0d9ec9ce8ca3efcdb0faf51438e8828b026edbecabc

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
