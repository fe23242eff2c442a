// What takes the place of thread_pool.c where this system lacks what the pool is made of: every
// loop runs alone.

#include "platform.h"

// As in thread_pool.c.
enum { LOOK_WORK = 1000000, LONG_WORK = 10000000, LONG_CHUNK = 2000000 };

typedef void LoopBody(void *context, uint64_t low, uint64_t high);
typedef int32_t LookUp(void *patience, int32_t most);

static int64_t thread_limit = 1;
static int64_t workers_started;

RARE int64_t *tfc_threads_limit(void) { return &thread_limit; }

RARE int64_t *tfc_threads_started(void) { return &workers_started; }

RARE void tfc_parallel(LoopBody *run, void *context, int64_t count, int64_t work) {
  run(context, 0, count);
}

RARE int32_t tfc_parallel_long(LoopBody *run, void *context, int64_t count, int64_t work,
                               LookUp *look_up, void *patience) {
  int64_t chunks = work < LONG_WORK ? 1 : work / LONG_CHUNK;
  if (chunks > count) chunks = count;
  for (int64_t chunk = 0; chunk < chunks; chunk++) {
    uint64_t low = count / chunks * chunk + count % chunks * chunk / chunks;
    uint64_t high = count / chunks * (chunk + 1) + count % chunks * (chunk + 1) / chunks;
    run(context, low, high);
    if (work >= LOOK_WORK && look_up(patience, 1) == 0) return false;
  }
  return true;
}
