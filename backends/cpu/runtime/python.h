// Objects of Python and NumPy as they lie in memory, and the functions of both that native code
// calls. Code reads objects directly, since an attribute look-up costs more than a small kernel;
// python_abi.py checks each of these layouts against real objects before any of it runs.

#pragma once

#include "platform.h"

typedef struct Object {
  uint64_t references;
  struct Object *type;
} Object;

typedef struct {
  Object head;
  int64_t size;
  Object **items;
} List;

typedef struct {
  Object head;
  int64_t size, hash;
  char contents[];
} Bytes;

typedef Object *Function(Object *self, Object *const *arguments, int64_t count);

typedef struct {
  const char *name;
  Function *function;
} Method;

typedef struct {
  Object head;
  Method *method;
  Object *self;
} Builtin;

typedef struct {
  Object head;
  void *data;
  int32_t rank;
  int64_t *extents, *strides;
  Object *base, *descriptor;
  int32_t flags;
} Array;

// Flags of arrays.
enum { C_CONTIGUOUS = 0x1, OWNS_DATA = 0x4, ALIGNED = 0x100, WRITEABLE = 0x400 };

typedef void Destructor(Object *capsule);

extern Object PyArray_Type, PyCapsule_Type, PyLong_Type;
extern Object Py_None, Py_MemoryError, Py_SystemError;

Array *PyArray_NewFromDescr(Object *type, Object *descriptor, int32_t rank, const int64_t *extents,
                            const int64_t *strides, void *data, int32_t flags, Object *self);
int32_t PyArray_SetBaseObject(Array *array, Object *base);
void *PyCapsule_GetContext(Object *capsule);
Destructor *PyCapsule_GetDestructor(Object *capsule);
void *PyCapsule_GetPointer(Object *capsule, const char *name);
Object *PyCapsule_New(void *pointer, const char *name, Destructor *destructor);
int32_t PyCapsule_SetContext(Object *capsule, void *context);
int32_t PyContextVar_Get(Object *variable, Object *otherwise, Object **value);
Object *PyContextVar_Set(Object *variable, Object *value);
void PyErr_Clear(void);
int32_t PyErr_ExceptionMatches(Object *type);
Object *PyErr_NoMemory(void);
void PyErr_SetString(Object *type, const char *message);
void PyEval_RestoreThread(void *thread);
void *PyEval_SaveThread(void);
int32_t PyGILState_Ensure(void);
void PyGILState_Release(int32_t state);
int64_t PyLong_AsLongLongAndOverflow(Object *object, int32_t *overflow);
Object *PyLong_FromLongLong(int64_t value);
int32_t PyList_SetSlice(Object *list, int64_t low, int64_t high, Object *items);
Object *PyObject_Vectorcall(Object *called, Object *const *arguments, int64_t count, Object *names);
Object *PyObject_VectorcallMethod(Object *name, Object *const *arguments, int64_t count,
                                  Object *names);
Object *PyTuple_New(int64_t size);
Object *PyType_GenericAlloc(Object *type, int64_t items);
void _Py_Dealloc(Object *object);

// What one reference more or less changes: nothing, where the object is immortal.
static inline uint64_t one_reference(const Object *object) {
  return 1 ^ (object->references >> 31 & (uint64_t)IMMORTAL());
}

static inline void incref(Object *object) { object->references += one_reference(object); }

// May run any code: what frees an object may be a method of a class of the user's.
static inline void decref(Object *object) {
  object->references -= one_reference(object);
  if ((object->references & (uint64_t)COUNT_MASK()) == 0) _Py_Dealloc(object);
}

static inline Object **tuple_items(Object *tuple) {
  return (Object **)((char *)tuple + TUPLE_ITEMS());
}
