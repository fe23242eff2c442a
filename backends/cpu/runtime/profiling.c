// What programs call that time their kernels: see profiling.py. Such a program has this text in its
// own module, and is linked with its counters and with the list of events of the process.

#include "platform.h"

enum { CLOCK_MONOTONIC = 1 };

// What the runs of one kernel took, all together; a cache line.
typedef struct {
  _Atomic int64_t calls, nanoseconds;
  uint64_t least;  // nanoseconds of the fastest run
  _Atomic int64_t bytes, operations;
  int64_t unused[3];
} Counters;

// One run of a kernel; times in nanoseconds.
typedef struct {
  const Counters *kernel;
  uint64_t thread;
  int64_t start, end, bytes, operations;
} Event;

extern Counters tfc_counters[];

extern struct {
  uint64_t capacity;  // 0 while no list is kept
  _Atomic uint64_t next;
  Event *list;
} tfc_events;

static void add(_Atomic int64_t *counter, int64_t value) {
  atomic_fetch_add_explicit(counter, value, memory_order_relaxed);
}

int64_t tfc_now(void) {
  int64_t time[2];  // seconds, nanoseconds
  clock_gettime(CLOCK_MONOTONIC, time);
  return time[0] * 1000000000 + time[1];
}

// Note a run of a kernel that began at `start` and has just ended.
void tfc_note(int64_t kernel, int64_t start, int64_t bytes, int64_t operations) {
  int64_t end = tfc_now();
  Counters *counters = &tfc_counters[kernel];
  add(&counters->calls, 1);
  add(&counters->nanoseconds, end - start);
  __atomic_fetch_min(&counters->least, (uint64_t)(end - start), __ATOMIC_RELAXED);
  add(&counters->bytes, bytes);
  add(&counters->operations, operations);
  uint64_t capacity = tfc_events.capacity;
  if (capacity == 0) return;
  uint64_t place = atomic_fetch_add_explicit(&tfc_events.next, 1, memory_order_relaxed);
  if (place >= capacity) return;
  tfc_events.list[place] = (Event){counters, pthread_self(), start, end, bytes, operations};
}
