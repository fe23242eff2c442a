// The thread pool: parallel loops of kernels, in chunks that any thread may take.
//
// One loop at a time has the pool; who finds it taken (another Python thread, a loop inside a loop)
// runs its loop alone, so nobody ever waits for anybody's loop. Workers are started when they are
// first needed, spin for a moment after a loop, then sleep on a futex. A worker joins a loop only
// while its gate is open, so a loop never waits for one that sleeps. A child of a fork has no
// workers: the process number tells, and it starts its own. The results of a loop do not depend on
// which thread takes what.
//
// A loop pays for waking the others where it takes long (`WAKING_WORK`), for sharing with workers
// that spin where it takes a sixth of that: handing it over takes some hundred nanoseconds. So where
// short loops follow each other closely, as those of a recurrent layer do, the workers are woken
// after a while (`RUN_WORK`), and spin from one loop to the next. A worker that loses its processor
// inside of a loop holds up the caller for milliseconds. Other programs need the processors then, so
// short loops are not shared for a while, and for longer where it happens again (`stay_alone`).
//
// A loop that takes long by its own estimate goes in more chunks, and its caller looks up between
// them whether it is to end (patience.c); the chunks that are left are dropped then. Shorter ones
// may be inside of other loops: their caller looks up behind them.
//
// Where other programs keep all processors busy, Linux likes to wake a thread on the processor of
// the one that wakes it, which has no time for it then. So a worker sleeps with an affinity for all
// processors but that of the last loop's caller, and takes its own back when it wakes.

#include "platform.h"

enum {
  // Nanoseconds of work, as kernels estimate it.
  WAKING_WORK = 30000,  // from which on waking others pays
  SHARED_WORK = 4000,   // and from which on it pays to share with those who are awake
  CHUNK_WORK = 2000,    // that a chunk has at least
  RUN_WORK = 150000,    // of short loops in close order, for which others are woken, too
  RUN_PAUSE = 30000,    // nanoseconds between loops in close order: shorter than workers spin
  LATE = 300000,        // nanoseconds more than a loop's work, for which its caller sleeps
  ALONE_LEAST = 50000000,  // nanoseconds for which short loops are not shared then
  ALONE_MOST = 800000000,
  CHUNKS_PER_THREAD = 4,
  LOOK_WORK = 1000000,    // nanoseconds from which on a loop looks up behind it
  LONG_WORK = 10000000,   // and from which on inside, too
  LONG_CHUNK = 2000000,   // nanoseconds of work between two looks
  SPINS = 1000,  // about 40 microseconds where a pause takes 40 nanoseconds
  WORKER_STACK = 4 << 20,
  NOBODY = -1,  // the owner of a pool that is changing hands
};

// Linux's numbers.
enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };
enum { SIG_SETMASK = 2, PTHREAD_CREATE_DETACHED = 1, CLOCK_MONOTONIC = 1 };

typedef void LoopBody(void *context, uint64_t low, uint64_t high);
typedef int32_t LookUp(void *patience, int32_t most);  // 0 where the loop is to end

static int64_t thread_limit = 1;
static int64_t workers_started;
static _Atomic int32_t pool_owner;  // the process that the workers are threads of

// On cache lines of their own. The assignments and operators of these variables are sequentially
// consistent atomic operations.
#define OWN_LINE _Alignas(64) static _Atomic
OWN_LINE int32_t pool_busy;
OWN_LINE int64_t gate;  // OPEN plus the number of workers inside, which futexes look at
OWN_LINE uint64_t next_chunk;
OWN_LINE int32_t loop_number;  // workers wait until it changes
OWN_LINE int32_t sleepers;
static _Atomic int32_t caller_sleeps;

// Short loops in close order, one of which nobody joined: when the last should have ended, and the
// work of all.
static _Atomic int64_t run_end, run_work;

// Until when short loops are not shared, and for how long that is; 0: nobody has come late so far.
static _Atomic int64_t alone_until, alone_time;

static const int64_t OPEN = INT64_C(1) << 32;

static struct {
  LoopBody *run;
  void *context;
  uint64_t count, chunks;
  _Atomic int64_t helpers;     // workers that may take part
  _Atomic uint32_t processor;  // that the caller ran on
} loop;

RARE int64_t *tfc_threads_limit(void) { return &thread_limit; }

RARE int64_t *tfc_threads_started(void) { return &workers_started; }

static void futex_wait(void *word, int32_t seen) {
  syscall(FUTEX(), word, FUTEX_WAIT_PRIVATE, seen, NULL);
}

static void futex_wake(void *word, int32_t threads) {
  syscall(FUTEX(), word, FUTEX_WAKE_PRIVATE, threads, NULL);
}

// Where chunk `i` of `chunks` begins. No product is too large: `count` may be.
static uint64_t part_of(uint64_t count, uint64_t i, uint64_t chunks) {
  return count / chunks * i + count % chunks * i / chunks;
}

// ---- what the threads of a loop do ------------------------------------------------------------

// Whether all chunks were taken; the caller's `look_up` may end the loop before.
RARE static bool take_chunks(LookUp *look_up, void *patience) {
  LoopBody *run = loop.run;
  void *context = loop.context;
  uint64_t count = loop.count, chunks = loop.chunks;
  for (;;) {
    uint64_t chunk = atomic_fetch_add_explicit(&next_chunk, 1, memory_order_relaxed);
    if (chunk >= chunks) return true;
    run(context, part_of(count, chunk, chunks), part_of(count, chunk + 1, chunks));
    if (look_up != NULL && look_up(patience, 1) == 0) {
      atomic_store_explicit(&next_chunk, chunks, memory_order_relaxed);
      return false;
    }
  }
}

// Take part in the loop, if its gate is open and there is room.
static void join_loop(void) {
  int64_t seen = gate;
  do {
    int64_t inside = seen & (OPEN - 1);
    if (!(seen & OPEN)) return;
    if (inside >= atomic_load_explicit(&loop.helpers, memory_order_relaxed)) return;
  } while (!atomic_compare_exchange_strong(&gate, &seen, seen + 1));
  take_chunks(NULL, NULL);
  bool last_one_out = --gate == 0;
  if (last_one_out && caller_sleeps) futex_wake(&gate, 1);
}

// Whether there is another loop than `seen` before long.
static bool spin_for_loop(int32_t seen) {
  for (int32_t turn = 0; turn <= SPINS; turn++) {
    if (atomic_load_explicit(&loop_number, memory_order_relaxed) != seen) return true;
    spin_pause();
  }
  return false;
}

// Leave the processor of the last caller out of this thread's affinity, which is kept in `own`;
// false if it cannot be told, or nothing else would be left.
RARE static bool avoid_caller(Processors *own, Processors *rest) {
  if (sched_getaffinity(0, sizeof *own, own) < 0) return false;
  uint32_t processor = atomic_load_explicit(&loop.processor, memory_order_relaxed);
  if (processor >= 8 * sizeof *own) return false;  // unknown, too
  *rest = *own;
  rest->bits[processor / 8] &= ~(1 << processor % 8);
  return sched_setaffinity(0, sizeof *rest, rest) == 0;  // an empty set is refused
}

// Take the affinity from before `avoid_caller` back, unless somebody has set another since.
RARE static void return_affinity(const Processors *own, const Processors *rest) {
  Processors now;
  sched_getaffinity(0, sizeof now, &now);
  if (memcmp(&now, rest, sizeof now) == 0) sched_setaffinity(0, sizeof *own, own);
}

RARE static void *worker_main(void *unused) {
  Processors own, rest;
  for (;;) {
    int32_t seen = loop_number;
    join_loop();
    if (spin_for_loop(seen)) continue;
    bool avoids = avoid_caller(&own, &rest);
    sleepers++;
    futex_wait(&loop_number, seen);
    sleepers--;
    if (avoids) return_affinity(&own, &rest);
  }
}

// ---- what its caller does ---------------------------------------------------------------------

// Start one worker, deaf to signals; false where the system refuses.
RARE static bool start_worker(void) {
  uint64_t thread, attributes[16], every[16], old[16];  // the types of pthreads are no larger
  memset(every, -1, sizeof every);
  pthread_sigmask(SIG_SETMASK, every, old);
  pthread_attr_init(attributes);
  pthread_attr_setstacksize(attributes, WORKER_STACK);
  pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED);
  bool started = pthread_create(&thread, attributes, worker_main, NULL) == 0;
  pthread_attr_destroy(attributes);
  pthread_sigmask(SIG_SETMASK, old, NULL);
  return started;
}

// In a process that has no workers yet: whether the pool is its own now.
RARE static bool adopt_pool(int32_t process, int32_t owner) {
  if (owner == NOBODY) return false;
  if (!atomic_compare_exchange_strong(&pool_owner, &owner, NOBODY)) return false;
  workers_started = 0;
  gate = 0;
  sleepers = 0;
  caller_sleeps = 0;
  pool_busy = 0;
  pool_owner = process;
  return true;
}

// Whether the caller has the pool now, until it is not busy any more.
static bool claim_pool(void) {
  int32_t process = getpid(), owner = pool_owner, idle = 0;
  if (process != owner && !adopt_pool(process, owner)) return false;
  return atomic_compare_exchange_strong(&pool_busy, &idle, 1);
}

static int64_t now(void) {
  int64_t time[2];  // seconds, nanoseconds
  clock_gettime(CLOCK_MONOTONIC, time);
  return time[0] * 1000000000 + time[1];
}

// Until nobody is inside any more; for how many nanoseconds the caller slept.
static int64_t wait_for_workers(void) {
  for (int32_t turn = 0; turn <= SPINS; turn++) {
    if (gate == 0) return 0;
    spin_pause();
  }
  int64_t start = now();
  caller_sleeps = 1;
  for (int64_t inside; (inside = gate) != 0;) futex_wait(&gate, (int32_t)inside);
  caller_sleeps = 0;
  return now() - start;
}

// Share no short loops for a while: twice as long as the last time where that was lately.
RARE static void stay_alone(void) {
  int64_t time = now(), last = alone_time, length = ALONE_LEAST;
  if (time - alone_until < 4 * last) length = last < ALONE_MOST ? 2 * last : last;
  alone_time = length;
  alone_until = time + length;
}

// Whether a loop that is worth waking nobody follows others so closely that all of them are. Then
// the next ones count anew: who was woken may have to wait for a processor.
RARE static bool in_long_run(int64_t work) {
  int64_t start = now();
  if (start - run_end > RUN_PAUSE) run_work = 0;
  run_end = start + work;
  run_work += work;
  if (run_work < RUN_WORK) return false;
  run_work = 0;
  return true;
}

// Whether a loop of so much work is worth sharing, and others waking for it (`wakes`).
static bool pays(int64_t work, bool *wakes) {
  *wakes = work >= WAKING_WORK;
  if (*wakes) return true;
  if (work < SHARED_WORK) return false;
  if (alone_time != 0 && now() < alone_until) return false;
  if (workers_started > sleepers) return true;
  *wakes = in_long_run(work);
  return *wakes;
}

// How many chunks a loop has.
static int64_t chunks_of(int64_t count, int64_t work) {
  int64_t chunks = CHUNKS_PER_THREAD * thread_limit;
  if (chunks > work / CHUNK_WORK) chunks = work / CHUNK_WORK;
  if (work >= LONG_WORK && chunks < work / LONG_CHUNK) chunks = work / LONG_CHUNK;
  return chunks < count ? chunks : count;
}

// The loop in chunks, on several threads; whether it went to its end. The caller has the pool.
RARE static bool share_loop(LoopBody *run, void *context, int64_t count, int64_t work, bool wakes,
                            LookUp *look_up, void *patience) {
  int64_t limit = thread_limit, chunks = chunks_of(count, work);
  int64_t helpers = chunks < limit ? chunks - 1 : limit - 1;
  while (workers_started < limit - 1 && start_worker()) workers_started++;
  loop.run = run;
  loop.context = context;
  loop.count = count;
  loop.chunks = chunks;
  atomic_store_explicit(&loop.helpers, helpers, memory_order_relaxed);
  atomic_store_explicit(&loop.processor, sched_getcpu(), memory_order_relaxed);
  next_chunk = 0;
  gate = OPEN;
  loop_number++;
  if (wakes && sleepers > 0) futex_wake(&loop_number, (int32_t)helpers);
  bool whole = take_chunks(look_up, patience);
  gate &= OPEN - 1;  // closed: those who are inside finish
  if (wait_for_workers() > work + LATE) stay_alone();
  pool_busy = 0;
  return whole;
}

// Call run(context, low, high) on parts of [0, count) that make up all of it. `work` is in
// nanoseconds.
RARE void tfc_parallel(LoopBody *run, void *context, int64_t count, int64_t work) {
  bool wakes;
  if (thread_limit < 2 || count < 2 || !pays(work, &wakes) || !claim_pool()) {
    run(context, 0, count);
    return;
  }
  share_loop(run, context, count, work, wakes, NULL, NULL);
}

// The same, looking up now and then where it takes long; false where it was left early.
RARE int32_t tfc_parallel_long(LoopBody *run, void *context, int64_t count, int64_t work,
                               LookUp *look_up, void *patience) {
  if (work < LONG_WORK || count < 2) {
    tfc_parallel(run, context, count, work);
    return work < LOOK_WORK || look_up(patience, 1) != 0;
  }
  if (thread_limit > 1 && claim_pool()) {
    return share_loop(run, context, count, work, true, look_up, patience);
  }
  int64_t chunks = chunks_of(count, work);
  for (int64_t chunk = 0; chunk < chunks; chunk++) {
    run(context, part_of(count, chunk, chunks), part_of(count, chunk + 1, chunks));
    if (look_up(patience, 1) == 0) return false;
  }
  return true;
}
