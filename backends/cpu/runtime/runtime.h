// What the files of the runtime (runtime.c) share: the tables that entries hand over, and what each
// file offers to the others. What begins with `tfc_` is called by the native code of entries and
// programs, or by Python.

#pragma once

#include "python.h"

// ---- what Python tells (runtime.py) -----------------------------------------------------------

extern const struct {
  Object *tensor, *variable, *text;  // the classes; `text` is that of tensors of strings
  int64_t slot;                      // where instances of all keep their array
  Object *objects;                   // the descriptor of arrays of objects, which strings are in
  Object *empty;                     // the empty string
} tfc_types;

// Who wants to see every call: tapes and traces (scopes.c), and switches of the whole process, which
// Python counts. Both are looked at together.
extern union {
  struct {
    int32_t scopes, switches;
  };
  int64_t both;
} tfc_active;

static inline bool calls_are_watched(void) { return tfc_active.both != 0; }

extern Object tfc_miss;   // what an entry returns for arguments that are not for it
extern Object tfc_state;     // the context variable with what is going on (scopes.c)
extern Object tfc_patience;  // what loops that run for long call now and then (patience.c)

static inline Array **array_of(Object *tensor) {
  return (Array **)((char *)tensor + tfc_types.slot);
}

static inline bool holds_strings(const Array *array) {
  return array->descriptor == tfc_types.objects;
}

// An entry's self is a tuple: the error handler, then the tensors that it has captured.
static inline Object *error_handler(Object *self) { return tuple_items(self)[0]; }
static inline Object **captures(Object *self) { return tuple_items(self) + 1; }

// ---- what entries tell (entry.py) -------------------------------------------------------------

// An argument.
typedef struct {
  Object *descriptor;
  const int64_t *extents;  // -1: any
  int64_t rank;
} Input;

// How a result gets its memory.
enum {
  FRESH,   // new memory
  ALIAS,   // that of its source
  DONATE,  // that of its source if nobody else can see it, else new memory
  LATE,    // allocated by the program, when it knows how much it needs
};

typedef struct {
  Object *descriptor;
  int64_t rank, itemsize;
  int64_t mode;
  int64_t source;  // the number of the argument whose memory it shares
  int64_t update;  // the captured object that gets the new array, or -1 to return it
} Result;

// The statuses of a program that was interrupted, whose exception is set; and of a result that has
// no such extent: its number, the axis, the extent.
enum { INTERRUPTED = -4, BAD_EXTENT = -1 };

// What a call returns: a tuple of so many tensors, or
enum { BARE_TENSOR = -1, NOTHING = -2 };

// ---- entries that are tables (entry_table.py) --------------------------------------------------

// The native code of a function: it stores results to what `buffers` points to behind the arguments.
// 0, or a status with values for the error handler.
typedef int32_t Program(void **buffers, int64_t *symbols, void *arena, int64_t *error);

// An argument.
typedef struct {
  Object *descriptor;
  int64_t rank;
  int64_t shape;  // where its extents are among the numbers
} TableInput;

// What a function takes, makes and returns. Behind it stand so many `TableInput`, `Result`, and
// numbers: shapes and code.
typedef struct {
  Program *program;
  int64_t params, captures, scalars, results;  // how many
  int64_t symbols;   // whose values the program gets, or tells
  int64_t axes;      // of all results
  int64_t budget;    // what calls may cost in all before none fits any more; 0: whatever they do
  int64_t least;     // of the extents that symbols stand for
  int64_t returned;  // as for `tfc_answer`
  int64_t words;     // of memory that a call needs on the stack
  int64_t arena;     // bytes of scratch memory
  int64_t shapes;    // where the extents of results are among the numbers; ~k: those of a symbol
  int64_t code;      // where the code begins (entries.c)
  int64_t flags;
  int64_t size;      // in bytes, with what stands behind this
  int64_t spent;     // what calls have cost
} Table;

enum {
  CHECKS = 1,      // numbers, ranges or extents of arguments that are computed
  DONATES = 2,     // results that may overwrite what they update
  REQUIRES = 4,    // extents that must not be negative
  VARIES = 8,      // results whose extents are no numbers
  COMPUTES = 16,   // and no symbols
  POOLED = 32,     // an arena that is not on the stack
  SIZED = 64,      // of a size that is computed
  RELEASES = 128,  // the interpreter lock, while the program runs
  WORKS = 256,     // that, where the work is worth it, which is computed
  ADOPTS = 512,    // results that the program allocates
};

enum {
  RELEASE_WORK = 256 << 10,  // bytes that are touched, from which on the lock is released
  ARENA_ALIGNMENT = 64,
};

// The last items of an entry's self are its table and what keeps the program.
static inline Table *table_of(Object *self) {
  int64_t size = ((Bytes *)self)->size;  // where that of a tuple is, too
  return (Table *)((Bytes *)tuple_items(self)[size - 2])->contents;
}

// ---- chunks.c ---------------------------------------------------------------------------------

enum {
  HUGE_PAGE = 2 << 20,
  MADV_HUGEPAGE = 14,  // Linux's number
};

static void *cut_block(uint64_t bytes);
static bool return_block(char *block, uint64_t bytes);

// ---- memory_pool.c ----------------------------------------------------------------------------

enum {
  BIN_COUNT = 144,          // 4 per power of two, blocks from 4 KiB to 2^47 bytes
  INLINE_BYTES = 32 << 10,  // results up to this size come from NumPy's own allocator
};

// The pool's counters, which Python reads too: see `pool_stats` in runtime.py.
static struct PoolState {
  int64_t cached, live, maximum, limit, hits, misses, released, hand, blocks, chunks;
} pool_state;

static int64_t class_of(uint64_t size);
static uint64_t class_size(int64_t class);
static void *new_block(uint64_t bytes);
void *tfc_pool_alloc(uint64_t size);
void tfc_pool_free(void *freed, uint64_t size);

// ---- arrays.c ---------------------------------------------------------------------------------

void tfc_hold(Object *const *objects, int64_t count);
void tfc_drop(Object *const *objects, int64_t count);
static int64_t element_count(const int64_t *extents, int64_t rank);
static void own_strings(const Array *array);
void tfc_disown(const Result *results, int64_t count, Array *const *outs);
static Array *array_over(void *block, Object *capsule, Object *descriptor, const int64_t *extents,
                         int64_t rank);
Array *tfc_new_array(Object *descriptor, const int64_t *extents, int64_t rank, int64_t itemsize);

// ---- calls.c ----------------------------------------------------------------------------------

// How many Variables are overwritten at this moment without the interpreter lock; and how many
// forks wait for them, so that no more may be.
static struct Overwriting {
  int64_t variables, forks;
} overwriting;

static bool wait_for_overwriting(void);

// ---- dynamic_results.c ------------------------------------------------------------------------

static uint64_t trim_kept(void);
