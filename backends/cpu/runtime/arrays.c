// Reading argument arrays and making result arrays. Whoever calls holds the interpreter lock.

#include "runtime.h"

enum { DENSE = C_CONTIGUOUS | ALIGNED };

// ---- references -------------------------------------------------------------------------------

void tfc_hold(Object *const *objects, int64_t count) {
  for (int64_t i = 0; i < count; i++) incref(objects[i]);
}

void tfc_drop(Object *const *objects, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    if (objects[i] != NULL) decref(objects[i]);
  }
}

// ---- reading arguments ------------------------------------------------------------------------

enum { MISS = 0, FETCHED = 1, AGAIN = -1 };

static bool is_as(const Input *expected, const Array *array) {
  if (array->head.type != &PyArray_Type) return false;
  bool dense = (array->flags & DENSE) == DENSE;
  if (array->descriptor != expected->descriptor || array->rank != expected->rank || !dense) {
    return false;
  }
  for (int64_t axis = 0; axis < expected->rank; axis++) {
    int64_t extent = expected->extents[axis];
    if (array->extents[axis] != extent && extent >= 0) return false;
  }
  return true;
}

// Put the arrays of `count` tensor objects into `arrays` and their data pointers into `buffers`.
// MISS, with nothing done that needs undoing, unless every one is as expected; AGAIN where all has
// to be read again, since other threads went on.
int32_t tfc_fetch(Object *const *objects, int64_t count, const Input *expected, Array **arrays,
                  void **buffers) {
  for (int64_t i = 0; i < count; i++) {
    Object *object = objects[i];
    if (object->type != tfc_types.tensor && object->type != tfc_types.variable &&
        object->type != tfc_types.text) {
      return MISS;
    }
    Array *array = *array_of(object);
    if (array == NULL) return wait_for_overwriting() ? AGAIN : MISS;
    if (!is_as(&expected[i], array)) return MISS;
    buffers[i] = array->data;
    arrays[i] = array;
  }
  return FETCHED;
}

// The value of an exact Python int in 0 .. 2^63-1; -1 for anything else.
RARE int64_t tfc_scalar(Object *object) {
  if (object->type != &PyLong_Type) return -1;
  int32_t overflow;
  int64_t value = PyLong_AsLongLongAndOverflow(object, &overflow);
  return value < 0 ? -1 : value;
}

// ---- making results ---------------------------------------------------------------------------

// The product of the extents; -1 when it overflows.
static int64_t element_count(const int64_t *extents, int64_t rank) {
  int64_t count = 1;
  for (int64_t axis = 0; axis < rank; axis++) {
    if (__builtin_mul_overflow(count, extents[axis], &count)) return -1;
  }
  return count;
}

RARE static void free_pooled(Object *capsule) {
  void *block = PyCapsule_GetPointer(capsule, NULL);
  tfc_pool_free(block, (uint64_t)PyCapsule_GetContext(capsule));
}

// An array over the memory of `block`, which belongs to `capsule` and this to the array: both go
// where it cannot be made.
RARE static Array *array_over(void *block, Object *capsule, Object *descriptor,
                              const int64_t *extents, int64_t rank) {
  incref(descriptor);
  Array *array = PyArray_NewFromDescr(&PyArray_Type, descriptor, (int32_t)rank, extents, NULL,
                                      block, DENSE | WRITEABLE, NULL);
  if (array == NULL) {
    decref(capsule);
    return NULL;
  }
  if (PyArray_SetBaseObject(array, capsule) < 0) {  // which has taken the capsule all the same
    decref(&array->head);
    return NULL;
  }
  return array;
}

// An uninitialised array in memory of the pool.
RARE static Array *pooled_array(Object *descriptor, const int64_t *extents, int64_t rank,
                                uint64_t bytes) {
  void *block = tfc_pool_alloc(bytes);
  if (block == NULL) {
    PyErr_NoMemory();
    return NULL;
  }
  Object *capsule = PyCapsule_New(block, NULL, free_pooled);
  if (capsule == NULL) {
    tfc_pool_free(block, bytes);
    return NULL;
  }
  PyCapsule_SetContext(capsule, (void *)bytes);
  return array_over(block, capsule, descriptor, extents, rank);
}

// An uninitialised array, in memory from NumPy or, where that is worth it, from the pool. That of
// strings is NumPy's, full of null pointers: it owns what it will refer to.
Array *tfc_new_array(Object *descriptor, const int64_t *extents, int64_t rank, int64_t itemsize) {
  int64_t bytes = itemsize;
  for (int64_t axis = 0; axis < rank; axis++) {
    if (__builtin_mul_overflow(bytes, extents[axis], &bytes)) {
      PyErr_NoMemory();
      return NULL;
    }
  }
  bool pooled = (uint64_t)bytes > INLINE_BYTES && descriptor != tfc_types.objects;
  if (pooled) return pooled_array(descriptor, extents, rank, bytes);
  incref(descriptor);
  return PyArray_NewFromDescr(&PyArray_Type, descriptor, (int32_t)rank, extents, NULL, NULL, 0,
                              NULL);
}

// ---- strings ----------------------------------------------------------------------------------
//
// A program writes the addresses of strings that others own: those of its arguments, or what host
// functions have given, which Python keeps until the call ends. A result owns its own from the end
// of a successful call on (`own_strings`); one that fails leaves nothing to free (`tfc_disown`).

// Refer to all strings in an array that a program has written; 0 stands for the empty one.
RARE static void own_strings(const Array *array) {
  Object **items = array->data;
  int64_t count = element_count(array->extents, array->rank);
  for (int64_t i = 0; i < count; i++) {
    if (items[i] == NULL) items[i] = tfc_types.empty;
    incref(items[i]);
  }
}

static bool is_written(const Result *result) {
  return result->descriptor == tfc_types.objects && result->mode != ALIAS;
}

// Forget what the program has written to results of strings.
RARE void tfc_disown(const Result *results, int64_t count, Array *const *outs) {
  for (int64_t i = 0; i < count; i++) {
    if (outs[i] == NULL || !is_written(&results[i])) continue;
    memset(outs[i]->data, 0, element_count(outs[i]->extents, outs[i]->rank) * sizeof(Object *));
  }
}

static bool same_type(const Array *array, const Object *descriptor, const int64_t *extents,
                      int64_t rank) {
  if (array->descriptor != descriptor || array->rank != rank) return false;
  for (int64_t axis = 0; axis < rank; axis++) {
    if (array->extents[axis] != extents[axis]) return false;
  }
  return true;
}

// Whether only one object outside this call refers to the array, which owns writeable memory: two
// references are that object's and the caller's own; any view or export would hold a third. Large
// memory that is not ours has no good alignment, and had better be left.
static bool exclusive(const Array *array) {
  if ((uint32_t)array->head.references != 2 || overwriting.forks != 0) return false;
  if (!(array->flags & WRITEABLE)) return false;
  if (array->flags & OWNS_DATA) {
    return (uint64_t)element_count(array->extents, array->rank) <= INLINE_BYTES / 4;
  }
  // Memory of ours lies under a capsule that only this array refers to.
  Object *base = array->base;
  return base != NULL && base->type == &PyCapsule_Type &&
         PyCapsule_GetDestructor(base) == free_pooled && (uint32_t)base->references == 1;
}

// Another shape (or type) over the memory of `array`, which the new array keeps alive.
RARE static Array *view(Array *array, Object *descriptor, const int64_t *extents, int64_t rank) {
  if (element_count(array->extents, array->rank) != element_count(extents, rank)) {
    PyErr_SetString(&Py_SystemError,
                    "tfc: a result that shares memory has another number of "
                    "elements than its source");
    return NULL;
  }
  incref(descriptor);
  Array *viewed = PyArray_NewFromDescr(&PyArray_Type, descriptor, (int32_t)rank, extents, NULL,
                                       array->data, array->flags & (DENSE | WRITEABLE), NULL);
  if (viewed == NULL) return NULL;
  incref(&array->head);
  if (PyArray_SetBaseObject(viewed, &array->head) < 0) {
    decref(&viewed->head);
    return NULL;
  }
  return viewed;
}

// The array of one result; null with an exception set.
static Array *make(const Result *result, const int64_t *extents, Array *const *arrays) {
  if (result->mode != FRESH) {
    Array *source = arrays[result->source];
    bool same = same_type(source, result->descriptor, extents, result->rank);
    if (same && (result->mode == ALIAS || exclusive(source))) {
      incref(&source->head);
      return source;
    }
    if (result->mode == ALIAS) return view(source, result->descriptor, extents, result->rank);
  }
  return tfc_new_array(result->descriptor, extents, result->rank, result->itemsize);
}

// Make the arrays of `count` results. `extents` holds their shapes one after the other, all >= 0.
// Returns 0, or -1 with an exception set and nothing kept.
int32_t tfc_make(const Result *results, int64_t count, const int64_t *extents, Array *const *arrays,
                 Array **outs, void **buffers) {
  for (int64_t i = 0; i < count; i++) {
    const int64_t *shape = extents;
    extents += results[i].rank;
    if (results[i].mode == LATE) {
      outs[i] = NULL;
      continue;
    }
    Array *array = make(&results[i], shape, arrays);
    if (array == NULL) {
      tfc_drop((Object **)outs, i);
      return -1;
    }
    outs[i] = array;
    buffers[i] = array->data;
  }
  return 0;
}
