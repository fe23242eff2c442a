// What takes the place of thread_pool.c where this system lacks what the pool is made of: every
// loop runs alone.

#include "platform.h"

typedef void LoopBody(void *context, uint64_t low, uint64_t high);

static int64_t thread_limit = 1;
static int64_t workers_started;

RARE int64_t *tfc_threads_limit(void) { return &thread_limit; }

RARE int64_t *tfc_threads_started(void) { return &workers_started; }

RARE void tfc_parallel(LoopBody *run, void *context, int64_t count, int64_t work) {
  run(context, 0, count);
}
