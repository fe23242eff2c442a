// Allocates and frees blocks as programs do, for test_runtime_source.py: on several threads at the
// same time, which also free what others have allocated, and from the pool. Ends with 0 if no two
// blocks overlapped and nothing is left.

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 4000, SHELVES = 4 };

// What the runtime's headers leave open. What is tested here knows nothing of Python.
int64_t COUNT_MASK(void) { return -1; }
int64_t HUGE_PAGES(void) { return 1; }
int64_t IMMORTAL(void) { return 0; }
int64_t TUPLE_ITEMS(void) { return 24; }
struct {
  uint64_t references;
  void *type;
} PyArray_Type, PyCapsule_Type, PyLong_Type, Py_None, Py_MemoryError, Py_SystemError, tfc_miss,
    tfc_patience, tfc_state;
struct {
  void *tensor, *variable;
  int64_t slot;
} tfc_types;
int64_t tfc_active;

#define UNUSED(name) \
  void name(void) { abort(); }
UNUSED(PyArray_NewFromDescr)
UNUSED(PyArray_SetBaseObject)
UNUSED(PyCapsule_GetContext)
UNUSED(PyCapsule_GetDestructor)
UNUSED(PyCapsule_GetPointer)
UNUSED(PyCapsule_New)
UNUSED(PyCapsule_SetContext)
UNUSED(PyContextVar_Get)
UNUSED(PyContextVar_Set)
UNUSED(PyErr_Clear)
UNUSED(PyErr_ExceptionMatches)
UNUSED(PyErr_NoMemory)
UNUSED(PyErr_SetString)
UNUSED(PyEval_RestoreThread)
UNUSED(PyEval_SaveThread)
UNUSED(PyGILState_Ensure)
UNUSED(PyGILState_Release)
UNUSED(PyLong_AsLongLongAndOverflow)
UNUSED(PyList_SetSlice)
UNUSED(PyLong_FromLongLong)
UNUSED(PyObject_Vectorcall)
UNUSED(PyObject_VectorcallMethod)
UNUSED(PyTuple_New)
UNUSED(PyType_GenericAlloc)
UNUSED(_Py_Dealloc)

struct {
  int64_t cached, live, maximum, limit, hits, misses, released, hand, blocks, chunks;
} *tfc_pool_state(void);
void *tfc_block_alloc(uint64_t size);
void tfc_block_free(void *data);
void *tfc_pool_alloc(uint64_t size);
void tfc_pool_free(void *block, uint64_t size);
uint64_t tfc_pool_trim(void);

static void check(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "%s\n", what);
  exit(1);
}

// A block says at both ends how large it is: another one in its place would say otherwise.
static uint64_t *filled(uint64_t words) {
  uint64_t *block = tfc_block_alloc(8 * words);
  check(block != NULL, "no memory");
  block[0] = block[words - 1] = words;
  return block;
}

static void empty(uint64_t *block) {
  if (block != NULL) check(block[block[0] - 1] == block[0], "two blocks overlap");
  tfc_block_free(block);
}

static uint64_t *_Atomic shelves[SHELVES];  // blocks that any thread may take and free

static void *work(void *seed) {
  uint64_t random = (uint64_t)seed;
  for (int i = 0; i < ROUNDS; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    // Small ones, and large ones of one size class, which all threads want to have at once.
    uint64_t words = random >> 63 ? 1 + (random >> 40) % 1000 : 8192 + (random >> 40) % 2000;
    uint64_t *block = filled(words);
    empty(__atomic_exchange_n(&shelves[(random >> 60) % SHELVES], block, __ATOMIC_ACQ_REL));
  }
  return NULL;
}

// Blocks of the pool of all sizes that are cut out of chunks, and some that are not, come and go: each
// is full of its own number. What has gone is zero or as it was, which nobody asks.
static void cut(int64_t maximum) {
  enum { SLOTS = 96 };
  uint64_t *slots[SLOTS] = {0}, sizes[SLOTS], random = 7;
  tfc_pool_state()->maximum = maximum;
  for (int i = 0; i < 3000; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    int slot = (random >> 33) % SLOTS;
    uint64_t *block = slots[slot];
    if (block != NULL) {
      uint64_t words = sizes[slot] / 8;
      for (uint64_t at = 0; at < words; at += 512) check(block[at] == (uint64_t)slot, "overlap");
      check(block[words - 1] == (uint64_t)slot, "two blocks of the pool overlap");
      tfc_pool_free(block, sizes[slot]);
      slots[slot] = NULL;
      continue;
    }
    sizes[slot] = ((uint64_t)40000 << (random >> 40) % 7) + (random >> 45) % 5000 * 8;
    slots[slot] = block = tfc_pool_alloc(sizes[slot]);
    check(block != NULL && (uint64_t)block % 64 == 0, "no block, or one that is not aligned");
    for (uint64_t at = 0; at < sizes[slot] / 8; at++) block[at] = slot;
  }
  check(tfc_pool_state()->chunks > 1, "no blocks were cut out of chunks");
  for (int slot = 0; slot < SLOTS; slot++) {
    if (slots[slot] != NULL) tfc_pool_free(slots[slot], sizes[slot]);
  }
  tfc_pool_trim();
  check(tfc_pool_state()->live == 0 && tfc_pool_state()->cached == 0, "blocks are left");
  check(tfc_pool_state()->chunks == 0, "chunks without blocks are left");
}

// A block that fills what another left is where that was: free neighbours are one run.
static void merge(void) {
  void *blocks[8];
  tfc_pool_state()->maximum = 0;
  for (int i = 0; i < 8; i++) blocks[i] = tfc_pool_alloc(1 << 20);
  for (int i = 1; i < 7; i++) tfc_pool_free(blocks[i], 1 << 20);
  check(tfc_pool_alloc(3 << 20) == blocks[1], "neighbours that are free do not merge");
  check(tfc_pool_alloc(3 << 20) == blocks[4], "what is left of a run is not used");
  check(tfc_pool_state()->chunks == 1, "a chunk with room was not used");
  for (int i = 0; i < 8; i += 7) tfc_pool_free(blocks[i], 1 << 20);
  for (int i = 1; i < 7; i += 3) tfc_pool_free(blocks[i], 3 << 20);
  check(tfc_pool_state()->chunks == 0, "a chunk without blocks was kept");
}

int main(void) {
  pthread_t threads[THREADS];
  tfc_pool_state()->limit = 1 << 30;
  tfc_pool_state()->maximum = 4 << 20;
  for (uint64_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < SHELVES; i++) empty(shelves[i]);
  check(tfc_block_alloc((uint64_t)1 << 40) == NULL, "more memory than there is");

  void *blocks[64];
  for (int i = 0; i < 64; i++) {
    blocks[i] = tfc_pool_alloc((uint64_t)40000 * (i + 1));
    check((uint64_t)blocks[i] % 64 == 0, "a block of the pool is not aligned");
    memset(blocks[i], i, (uint64_t)40000 * (i + 1));
  }
  for (int i = 0; i < 64; i++) tfc_pool_free(blocks[i], (uint64_t)40000 * (i + 1));
  check(tfc_pool_state()->live == 0, "the pool has counted wrongly");
  check(tfc_pool_state()->cached <= 4 << 20, "the pool keeps more than it may");
  tfc_pool_trim();
  check(tfc_pool_state()->cached == 0 && tfc_pool_state()->blocks == 0, "the pool is not empty");
  cut(0);
  cut(16 << 20);
  merge();
  return 0;
}
