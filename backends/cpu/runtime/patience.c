// Loops that may run for long look up now and then: at signals (Ctrl-C) and deadlines, which are
// Python's affair. A loop counts its rounds down; when there are none left, it calls `tfc_look_up`,
// which reads the clock, and every 50 ms asks Python.

#include "runtime.h"

enum { LOOK_NANOSECONDS = 50000000, SHORT_NANOSECONDS = 500000, LONG_NANOSECONDS = 5000000 };

// What a loop knows, on the stack of its function.
typedef struct {
  int64_t looked;  // when Python was asked, or the first time; 0: never
  int64_t seen;    // when the clock was read
  int32_t batch;   // rounds between two looks at the clock
  int32_t left;    // rounds until the next one
} Patience;

static int64_t now(void) {
  int64_t time[2];
  clock_gettime(1 /* CLOCK_MONOTONIC */, time);
  return time[0] * 1000000000 + time[1];
}

// Whether Python lets the loop go on; else an exception is set in this thread.
RARE static bool may_go_on(void) {
  int32_t state = PyGILState_Ensure();
  Object *answer = PyObject_Vectorcall(&tfc_patience, NULL, 0, NULL);
  if (answer != NULL) decref(answer);
  PyGILState_Release(state);
  return answer != NULL;
}

// How many rounds there are until the next call, `most` at most; 0 where the loop is to end.
RARE int32_t tfc_look_up(Patience *patience, int32_t most) {
  int64_t time = now(), passed = time - patience->seen;
  if (patience->looked == 0) {
    patience->looked = time;
  } else {
    if (passed < SHORT_NANOSECONDS && patience->batch < most) patience->batch *= 2;
    if (passed > LONG_NANOSECONDS && patience->batch > 1) patience->batch /= 2;
  }
  patience->seen = time;
  if (time - patience->looked >= LOOK_NANOSECONDS) {
    if (!may_go_on()) return 0;
    patience->looked = patience->seen = now();
  }
  patience->left = patience->batch;
  return patience->batch;
}
