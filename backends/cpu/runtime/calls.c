// The end of a call (returns, updates, errors), and the dispatch of calls to entries. Whoever calls
// holds the interpreter lock.

#include "runtime.h"

// ---- returning --------------------------------------------------------------------------------

static Object *new_tensor(void) { return PyType_GenericAlloc(tfc_types.tensor, 0); }

// A tensor around one array, whose reference this takes over.
Object *tfc_wrap(Array *array) {
  Object *tensor = new_tensor();
  if (tensor == NULL) {
    decref(&array->head);
    return NULL;
  }
  *array_of(tensor) = array;
  return tensor;
}

// What the call returns, with tensors that have no arrays yet; null with an exception set.
Object *tfc_answer(int64_t returned) {
  if (returned == BARE_TENSOR) return new_tensor();
  if (returned == NOTHING) {
    incref(&Py_None);
    return &Py_None;
  }
  Object *tuple = PyTuple_New(returned);
  if (tuple == NULL) return NULL;
  for (int64_t i = 0; i < returned; i++) {
    Object *tensor = new_tensor();
    if (tensor == NULL) {
      decref(tuple);
      return NULL;
    }
    tuple_items(tuple)[i] = tensor;
  }
  return tuple;
}

// Let a tensor of no strings yet be one of strings; the classes have one layout.
RARE static void become_text(Object *tensor) {
  incref(tfc_types.text);
  decref(tensor->type);
  tensor->type = tfc_types.text;
}

// Put the arrays in `outs` (whose references this takes over) into the tensors of `answer`, which
// `tfc_answer` has made for this `returned`, and store the updates. Nothing here can fail.
void tfc_fill(Object *self, const Result *results, int64_t count, Array **outs, int64_t returned,
              Object *answer) {
  Object **item = returned == BARE_TENSOR ? &answer : tuple_items(answer);
  for (int64_t i = 0; i < count; i++) {
    int64_t update = results[i].update;
    Object *object = update < 0 ? *item++ : captures(self)[update];
    if (holds_strings(outs[i])) {
      if (results[i].mode != ALIAS) own_strings(outs[i]);
      if (update < 0) become_text(object);
    }
    Array **slot = array_of(object);
    Array *old = *slot;
    *slot = outs[i];
    outs[i] = old;  // freed below: that may run any code
  }
  tfc_drop((Object **)outs, count);
}

// Wrap the arrays in `outs` (whose references this takes over), store the updates, return the rest.
Object *tfc_finish(Object *self, const Result *results, int64_t count, Array **outs,
                   int64_t returned) {
  Object *answer = tfc_answer(returned);
  if (answer == NULL) {
    tfc_disown(results, count, outs);
    tfc_drop((Object **)outs, count);
    return NULL;
  }
  tfc_fill(self, results, count, outs, returned, answer);
  return answer;
}

// ---- donations --------------------------------------------------------------------------------

RARE struct Overwriting *tfc_overwriting(void) { return &overwriting; }

// Whether a Variable without an array gets it back, when another thread has overwritten it; it may
// have it by then. Without the lock meanwhile: what was read of other objects may be gone.
RARE static bool wait_for_overwriting(void) {
  if (overwriting.variables == 0) return false;
  void *thread = PyEval_SaveThread();
  usleep(50);
  PyEval_RestoreThread(thread);
  return true;
}

// The slot of the Variable that result `i` overwrites in place; null if it overwrites none.
static Array **overwritten(Object *self, const Result *result, Array *const *arrays, Array *out) {
  if (result->mode != DONATE || arrays[result->source] != out) return NULL;
  return array_of(captures(self)[result->update]);
}

// Take the arrays that will be overwritten from their Variables: until `tfc_give`, who reads one of
// these in another thread waits. `arrays` are those of params and captures.
RARE void tfc_take(Object *self, const Result *results, int64_t count, Array *const *arrays,
                   Array *const *outs) {
  for (int64_t i = 0; i < count; i++) {
    Array **slot = overwritten(self, &results[i], arrays, outs[i]);
    if (slot == NULL) continue;
    overwriting.variables++;
    *slot = NULL;
  }
}

RARE void tfc_give(Object *self, const Result *results, int64_t count, Array *const *arrays,
                   Array *const *outs) {
  for (int64_t i = 0; i < count; i++) {
    Array **slot = overwritten(self, &results[i], arrays, outs[i]);
    if (slot == NULL) continue;
    overwriting.variables--;
    if (*slot == NULL) {
      *slot = outs[i];
    } else {
      decref(&outs[i]->head);  // another thread has assigned a value meanwhile
    }
  }
}

// ---- errors -----------------------------------------------------------------------------------

// Let the error handler (the first item of `self`) raise what status and values stand for.
RARE Object *tfc_fail(Object *self, int32_t status, const int64_t *values) {
  if (status == INTERRUPTED) return NULL;
  Object *arguments[5];
  int64_t made = 0;
  while (made < 5) {
    arguments[made] = PyLong_FromLongLong(made == 0 ? status : values[made - 1]);
    if (arguments[made] == NULL) break;
    made++;
  }
  if (made == 5) {
    Object *answer = PyObject_Vectorcall(error_handler(self), arguments, 5, NULL);
    if (answer != NULL) {
      decref(answer);
      PyErr_SetString(&Py_SystemError,
                      "tfc: the error handler of a failed function raised no error");
    }
  }
  tfc_drop(arguments, made);
  return NULL;
}

// ---- dispatch ---------------------------------------------------------------------------------

enum { FIRST_ENTRY = 2 };

static Object *call_slow(List *self, Object *const *arguments, int64_t count) {
  Object *slow = self->items[0];
  incref(slow);
  Object *answer = PyObject_Vectorcall(slow, arguments, count, NULL);
  decref(slow);
  return answer;
}

// `self` is the list [slow, keeper, entry, entry, ...]; the entries are builtins.
Object *tfc_dispatch(List *self, Object *const *arguments, int64_t count) {
  if (!calls_are_watched()) {
    for (int64_t i = FIRST_ENTRY; i < self->size; i++) {
      Builtin *entry = (Builtin *)self->items[i];
      // The call may run any code, also such that drops this entry from the list.
      incref(&entry->head);
      Object *answer = entry->method->function(entry->self, arguments, count);
      decref(&entry->head);
      if (answer == &tfc_miss) {
        decref(answer);
        continue;
      }
      // Without memory, Python tries once more, and says what for.
      if (answer != NULL || !PyErr_ExceptionMatches(&Py_MemoryError)) return answer;
      PyErr_Clear();
      break;
    }
  }
  return call_slow(self, arguments, count);
}

// The same for entries that are not for Variables, though they have arrays as tensors do.
Object *tfc_dispatch_tensors(List *self, Object *const *arguments, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (arguments[i]->type == tfc_types.variable) return call_slow(self, arguments, count);
  }
  return tfc_dispatch(self, arguments, count);
}

// A reference to the object that says: these arguments are not for this entry.
Object *tfc_missed(void) {
  incref(&tfc_miss);
  return &tfc_miss;
}

// A call of an entry for one size: `self` is the tuple (entry, number of an argument, size, keeper),
// and that argument's first extent must be the size. The entry itself looks at all else.
Object *tfc_sized(Object *self, Object *const *arguments, int64_t count) {
  Builtin *entry = (Builtin *)tuple_items(self)[0];
  int32_t overflow;
  int64_t number = PyLong_AsLongLongAndOverflow(tuple_items(self)[1], &overflow);
  int64_t size = PyLong_AsLongLongAndOverflow(tuple_items(self)[2], &overflow);
  if (number < count) {
    Object *object = arguments[number];
    if (object->type == tfc_types.tensor || object->type == tfc_types.text) {
      const Array *array = *array_of(object);
      if (array != NULL && array->rank > 0 && array->extents[0] == size) {
        return entry->method->function(entry->self, arguments, count);
      }
    }
  }
  return tfc_missed();
}
