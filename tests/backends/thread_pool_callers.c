// Calls the thread pool as programs do, for test_thread_pool.py: from one
// thread, from two at the same time, and (with an argument) in a child of a
// fork. Ends with 0 if each loop ran whole.

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 1000, LOOPS = 300, WORK = 1 << 20, LONG = 1 << 26, SHORT = 1 << 13, THREADS = 4 };

// What the runtime's platform.h leaves open.
int64_t FUTEX(void) { return SYS_futex; }
void spin_pause(void) {}

int64_t *tfc_threads_limit(void);
int64_t *tfc_threads_started(void);
void tfc_parallel(void (*run)(void *, uint64_t, uint64_t), void *context, int64_t count,
                  int64_t work);
int32_t tfc_parallel_long(void (*run)(void *, uint64_t, uint64_t), void *context, int64_t count,
                          int64_t work, int32_t (*look_up)(void *, int32_t), void *patience);

static void add_one(void *context, uint64_t low, uint64_t high) {
  for (uint64_t i = low; i < high; i++) ((int64_t *)context)[i]++;
}

static int32_t look_up(void *left, int32_t most) { return (*(int64_t *)left)-- > 0; }

// A loop that is left early: no element is counted twice, and the next loop is whole again.
static void leave(void) {
  int64_t *data = calloc(COUNT, sizeof *data), looks = 2, total = 0;
  int32_t whole = tfc_parallel_long(add_one, data, COUNT, LONG, look_up, &looks);
  for (int i = 0; i < COUNT; i++) {
    if (data[i] > 1) exit(2);
    total += data[i];
  }
  if (whole ? total != COUNT : total == COUNT && looks >= 0) exit(3);
  free(data);
}

static pthread_t caller;
static _Atomic int others;

static void slow_elsewhere(void *unused, uint64_t low, uint64_t high) {
  if (pthread_equal(pthread_self(), caller)) {
    usleep(100);
  } else {
    others++;
    usleep(5000);
  }
}

static int64_t milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Where a worker is very late in a short loop, the next short ones are the caller's alone.
static void be_late(void) {
  int64_t data[COUNT] = {0};
  caller = pthread_self();
  for (int loop = 0; loop < 100 && others == 0; loop++) {
    tfc_parallel(add_one, data, COUNT, WORK);  // somebody may be awake behind it
    tfc_parallel(slow_elsewhere, NULL, 4, SHORT);
  }
  bool was_late = others > 0;
  int64_t start = milliseconds();
  others = 0;
  for (int loop = 0; loop < 3; loop++) tfc_parallel(slow_elsewhere, NULL, 4, SHORT);
  if (was_late && others > 0 && milliseconds() - start < 30) exit(5);
}

static void *call(void *unused) {
  int64_t *data = calloc(COUNT, sizeof *data);
  for (int loop = 1; loop <= LOOPS; loop++) {
    int64_t looks = COUNT;
    if (loop % 2) {
      tfc_parallel(add_one, data, COUNT, WORK);
    } else if (loop % 4) {
      tfc_parallel(add_one, data, COUNT, SHORT);  // shared with who is awake
    } else if (!tfc_parallel_long(add_one, data, COUNT, LONG, look_up, &looks)) {
      exit(4);
    }
    if (loop % 10 == 0) leave();
    for (int i = 0; i < COUNT; i++) {
      if (data[i] != loop) {
        fprintf(stderr, "loop %d: element %d is %ld\n", loop, i, (long)data[i]);
        exit(1);
      }
    }
    if (loop % 20 == 0) usleep(3000);  // so that workers sleep meanwhile
  }
  free(data);
  return unused;
}

int main(int count, char **arguments) {
  pthread_t other;
  *tfc_threads_limit() = THREADS;
  call(NULL);
  pthread_create(&other, NULL, call, NULL);
  call(NULL);
  pthread_join(other, NULL);
  be_late();
  if (count > 1) {
    pid_t child = fork();
    if (child == 0) {
      call(NULL);
      _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) {
      fprintf(stderr, "%s: %d\n", arguments[1], status);
      return 1;
    }
  }
  return *tfc_threads_started() == THREADS - 1 ? 0 : 1;
}
