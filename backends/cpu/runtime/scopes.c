// What `with` enters and leaves: tapes, traces, devices, names. What is going on is a tuple that a
// context variable holds (State, in tfc/core/context.py), so that each thread and each task has its
// own; a scope puts another tuple in its place, which refers to the one before.
//
// That happens here since a signal's exception (Ctrl-C) may come between any two instructions of
// Python, but not within a call of native code: a scope is entered and will be left, or is not.

#include "runtime.h"

// The first items of a state.
enum {
  PREVIOUS,  // the state around the scope
  OWNER,     // the scope
  COUNTED,   // a list with one item as long as native calls are to ask Python; or None
  GIVEN,     // what `with ... as` gives
  LEFT,      // to call when the scope was left, with the exception if there is one; or None
};

// The state of this context, or NULL with an exception set.
static Object *state_now(void) {
  Object *state = NULL;
  return PyContextVar_Get(&tfc_state, NULL, &state) < 0 ? NULL : state;
}

RARE static bool set_state(Object *state) {
  Object *token = PyContextVar_Set(&tfc_state, state);
  if (token == NULL) return false;
  decref(token);
  return true;
}

// Enter a scope: `self` is a tuple with the names of its methods that make the state and that find
// the state without it. Returns what `with ... as` gives.
RARE Object *tfc_scope_enter(Object *self, Object *const *arguments, int64_t count) {
  Object *state = PyObject_VectorcallMethod(tuple_items(self)[0], arguments, 1, NULL);
  if (state == NULL) return NULL;
  if (!set_state(state)) {
    decref(state);
    return NULL;
  }
  if (tuple_items(state)[COUNTED] != &Py_None) tfc_active.scopes++;
  Object *given = tuple_items(state)[GIVEN];
  incref(given);
  decref(state);
  return given;
}

// Leave a scope, which need not be the innermost one, nor that of this context: then nothing
// changes. The other arguments are the exception's. Exceptions go on.
RARE Object *tfc_scope_exit(Object *self, Object *const *arguments, int64_t count) {
  Object *layer = state_now(), *without;  // the state that the scope has made, and what comes then
  if (layer == NULL) return NULL;
  if (tuple_items(layer)[OWNER] == arguments[0]) {
    without = tuple_items(layer)[PREVIOUS];
    incref(without);
  } else {
    decref(layer);
    Object *found = PyObject_VectorcallMethod(tuple_items(self)[1], arguments, 1, NULL);
    if (found == NULL || found == &Py_None) return found;
    layer = tuple_items(found)[0];
    without = tuple_items(found)[1];
    incref(layer);
    incref(without);
    decref(found);
  }
  bool done = set_state(without);
  decref(without);
  Object *answer = NULL;
  if (done) {
    // A task that was begun inside has a copy of the state, and may leave the scope, too.
    List *counted = (List *)tuple_items(layer)[COUNTED];
    if (&counted->head != &Py_None && counted->size > 0) {
      if (PyList_SetSlice(&counted->head, 0, 1, NULL) == 0) tfc_active.scopes--;
    }
    Object *left = tuple_items(layer)[LEFT];
    if (left == &Py_None) {
      incref(&Py_None);
      answer = &Py_None;
    } else {
      answer = PyObject_Vectorcall(left, arguments + 1, count - 1, NULL);
    }
  }
  decref(layer);
  return answer;
}
