// Entries that are tables: those of quick code. What a function takes, makes and returns is told by
// numbers beside its native code, and `tfc_entry` does for all of them what an entry that is compiled
// (entry.py) does for one. A call takes some 100 ns longer; but the code of an entry is half of what
// a small program takes to be compiled, and such code runs a few hundred times.
//
// What happens, and in which order, stands in entry.py, which must agree.

#include "runtime.h"

// ---- extents ----------------------------------------------------------------------------------
//
// An extent is a sum of products. Its code: how many terms, and for each a number, how many factors
// it has, and these: the number of a symbol, or one of the following with what belongs to it.

enum {
  QUOTIENT = -1,   // of two extents, which follow; rounded down, as in Python
  REMAINDER = -2,  // likewise, never negative
  POSITIVE = -3,   // an extent, or 0 where that is negative
  SHIFTED = -4,    // an extent, over a power of two: the number of bits follows
  MASKED = -5,     // likewise, the remainder: a mask follows
  TOO_LARGE = -6,  // a number of more than 64 bits
};

// The value of an extent of which a divisor is not positive, which no tensor has.
static const int64_t NO_EXTENT = -0x7fffffffffffffff - 1;

// What reads an entry's code, from its beginning to its end.
typedef struct {
  const int64_t *at;       // the next word
  const int64_t *symbols;  // their values
  bool overflowed, undefined;  // of the extent that was computed last
} Reader;

static int64_t word(Reader *reader) { return *reader->at++; }

static int64_t sum(Reader *reader);

// The value of a factor that is no symbol.
RARE static int64_t factor(Reader *reader, int64_t kind) {
  if (kind == TOO_LARGE) {
    reader->overflowed = true;
    return 0;
  }
  int64_t value = sum(reader);
  if (kind == POSITIVE) return value > 0 ? value : 0;
  if (kind == SHIFTED) return value >> word(reader);
  if (kind == MASKED) return value & word(reader);
  int64_t divisor = sum(reader);
  if (divisor < 1) {
    reader->undefined = true;
    divisor = 1;
  }
  int64_t rest = value % divisor;
  if (kind == REMAINDER) return rest < 0 ? rest + divisor : rest;
  return value / divisor - (rest < 0);
}

RARE static int64_t sum(Reader *reader) {
  const int64_t *at = reader->at, *symbols = reader->symbols;
  int64_t total = 0;
  for (int64_t terms = *at++; terms > 0; terms--) {
    int64_t term = *at++;
    for (int64_t factors = *at++; factors > 0; factors--) {
      int64_t kind = *at++, value;
      if (kind >= 0) {
        value = symbols[kind];
      } else {
        reader->at = at;
        value = factor(reader, kind);
        at = reader->at;
      }
      if (__builtin_mul_overflow(term, value, &term)) reader->overflowed = true;
    }
    if (__builtin_add_overflow(total, term, &total)) reader->overflowed = true;
  }
  reader->at = at;
  return total;
}

// The value of the extent that comes next; `overflowed` says whether it is none for that reason.
RARE static int64_t extent(Reader *reader) {
  reader->overflowed = reader->undefined = false;
  int64_t value = sum(reader);
  if (!reader->undefined) return value;
  reader->overflowed = false;
  return NO_EXTENT;
}

// ---- arguments --------------------------------------------------------------------------------

// What stands for an extent that is no number in the shape of an argument: what is checked later;
// or the complement of twice the number of a symbol, and one more where the extent is its value from
// here on (else it has to be).
enum { BINDS = 1 };
static const int64_t CHECKED_LATER = -0x7fffffffffffffff - 1;

// Whether an array is as expected, all but what is checked later; binds symbols.
RARE static bool is_like(const TableInput *input, const Array *array, const int64_t *shape,
                         int64_t *symbols, int64_t least) {
  if (array->head.type != &PyArray_Type || array->descriptor != input->descriptor) return false;
  if (array->rank != input->rank || (array->flags & DENSE) != DENSE) return false;
  for (int64_t axis = 0; axis < input->rank; axis++) {
    int64_t expected = shape[axis], extent = array->extents[axis];
    if (expected == extent || expected == CHECKED_LATER) continue;
    if (expected >= 0) return false;
    int64_t *symbol = &symbols[~expected / 2];
    if ((~expected & BINDS) == 0) {
      if (*symbol != extent) return false;
    } else {
      if (extent < least) return false;
      *symbol = extent;
    }
  }
  return true;
}

// A call, while it runs.
typedef struct {
  Table *table;
  const TableInput *inputs;
  const Result *results;
  const int64_t *numbers;
  Object *self, *answer;
  Array **arrays, **outs;
  void **buffers;
  int64_t *symbols, *extents;
  int64_t error[4];
  Reader reader;
} Call;

// How many arguments and captured tensors there are.
static int64_t inputs_of(const Table *table) { return table->params + table->captures; }

// Read the arrays of all inputs; false, with nothing done that needs undoing, unless every one is as
// expected.
RARE static bool read_inputs(Call *call, Object *const *arguments) {
  const Table *table = call->table;
  for (int64_t i = 0; i < inputs_of(table); i++) {
    Object *object =
        i < table->params ? arguments[i] : captures(call->self)[i - table->params];
    if (object->type != tfc_types.tensor && object->type != tfc_types.variable &&
        object->type != tfc_types.text) {
      return false;
    }
    Array *array = *array_of(object);
    if (array == NULL) {
      if (!wait_for_overwriting()) return false;
      i = -1;  // other threads went on: all has to be read again
      continue;
    }
    const TableInput *input = &call->inputs[i];
    const int64_t *shape = call->numbers + input->shape;
    if (!is_like(input, array, shape, call->symbols, table->least)) return false;
    call->buffers[i] = array->data;
    call->arrays[i] = array;
  }
  return true;
}

// The arguments that are numbers; then what symbols have to be between, and the extents of arrays
// that follow from them. Whether all of that is so.
RARE static bool agrees(Call *call, Object *const *numbers) {
  Reader *reader = &call->reader;
  int64_t *symbols = call->symbols;
  for (int64_t i = 0; i < call->table->scalars; i++) {
    int64_t code = word(reader), value = tfc_scalar(numbers[i]);
    if (value < 0) return false;
    if ((code & BINDS) == 0) {
      if (symbols[code / 2] != value) return false;
    } else {
      symbols[code / 2] = value;
    }
  }
  for (int64_t bounds = word(reader); bounds > 0; bounds--) {
    int64_t value = symbols[word(reader)], low = word(reader), high = word(reader);
    if (value < low || value > high) return false;
  }
  for (int64_t extents = word(reader); extents > 0; extents--) {
    const Array *array = call->arrays[word(reader)];
    int64_t found = array->extents[word(reader)];
    if (extent(reader) != found || reader->overflowed) return false;
  }
  return true;
}

// Take what this call costs off the budget; false where that is spent, or was not enough.
RARE static bool spend(Call *call) {
  Table *table = call->table;
  int64_t cost = extent(&call->reader), left = table->budget - table->spent;
  bool enough = !call->reader.overflowed && (uint64_t)cost < (uint64_t)left;
  table->spent += enough ? cost : left;
  return enough;
}

// ---- results ----------------------------------------------------------------------------------

// The extents that must not be negative; false with an exception set where one is, or is none.
RARE static bool required(Call *call) {
  Reader *reader = &call->reader;
  for (int64_t left = word(reader); left > 0; left--) {
    int64_t status = word(reader), shown = word(reader), value = extent(reader);
    bool holds = value >= 0 && !reader->overflowed;
    for (int64_t i = 0; i < shown; i++) {
      int64_t number = extent(reader);
      if (!holds) call->error[i] = number;
    }
    if (!holds) {
      tfc_fail(call->self, (int32_t)status, call->error);
      return false;
    }
  }
  return true;
}

// The extents of results that have to be computed; false with an exception set where one is none.
RARE static bool computed(Call *call) {
  Reader *reader = &call->reader;
  for (int64_t left = word(reader); left > 0; left--) {
    int64_t place = word(reader), result = word(reader), axis = word(reader);
    int64_t value = extent(reader);
    if (reader->overflowed) {
      PyErr_NoMemory();
      return false;
    }
    if (value < 0) {
      call->error[0] = result;
      call->error[1] = axis;
      call->error[2] = value;
      tfc_fail(call->self, BAD_EXTENT, call->error);
      return false;
    }
    call->extents[place] = value;
  }
  return true;
}

// Make the arrays of results, and where one may overwrite what it updates, what is returned; false
// with an exception set where that cannot be.
RARE static bool make_results(Call *call) {
  const Table *table = call->table;
  if ((table->flags & REQUIRES) != 0 && !required(call)) return false;
  const int64_t *shapes = call->numbers + table->shapes;
  if ((table->flags & VARIES) != 0) {
    for (int64_t i = 0; i < table->axes; i++) {
      call->extents[i] = shapes[i] >= 0 ? shapes[i] : call->symbols[~shapes[i]];
    }
    shapes = call->extents;
  }
  if ((table->flags & COMPUTES) != 0 && !computed(call)) return false;
  void **buffers = call->buffers + inputs_of(table);
  if (tfc_make(call->results, table->results, shapes, call->arrays, call->outs, buffers) != 0) {
    return false;
  }
  if ((table->flags & DONATES) == 0) return true;
  call->answer = tfc_answer(table->returned);
  if (call->answer != NULL) return true;
  tfc_drop((Object **)call->outs, table->results);
  return false;
}

// Make arrays of the results that the program has allocated, whose extents it has told.
RARE static bool adopt(Call *call) {
  Reader *reader = &call->reader;
  for (int64_t left = word(reader); left > 0; left--) {
    int64_t place = word(reader);
    call->extents[place] = extent(reader);
  }
  void **buffers = call->buffers + inputs_of(call->table);
  return tfc_adopt(call->results, call->table->results, call->extents, call->outs, buffers) == 0;
}

// ---- calls ------------------------------------------------------------------------------------

// Run the program without the lock: others may drop the inputs, so they are held meanwhile, and
// must not see what is half overwritten.
RARE static int32_t run_released(Call *call, void *arena) {
  const Table *table = call->table;
  int64_t inputs = inputs_of(table), results = table->results;
  bool donates = (table->flags & DONATES) != 0;
  if (donates) {
    tfc_take(call->self, call->results, results, call->arrays, call->outs);
  } else {
    tfc_hold((Object **)call->arrays, inputs);
  }
  void *thread = PyEval_SaveThread();
  int32_t status = table->program(call->buffers, call->symbols, arena, call->error);
  PyEval_RestoreThread(thread);
  if (donates) {
    tfc_give(call->self, call->results, results, call->arrays, call->outs);
  } else {
    tfc_drop((Object **)call->arrays, inputs);
  }
  return status;
}

// Give up results, before an exception goes on.
RARE static void drop_results(Call *call) {
  tfc_drop((Object **)call->outs, call->table->results);
  if (call->answer != NULL) decref(call->answer);
}

// Run the program in its arena; its status, or NO_ARENA where there is no memory for that.
enum { NO_ARENA = -100 };
RARE static int32_t run(Call *call, char *end) {
  const Table *table = call->table;
  Reader *reader = &call->reader;
  int64_t bytes = table->arena;
  void *arena = (void *)((uint64_t)(end - bytes) & -(uint64_t)ARENA_ALIGNMENT);
  bool pooled = (table->flags & POOLED) != 0;
  if (pooled) {
    reader->overflowed = false;
    if ((table->flags & SIZED) != 0) bytes = extent(reader);
    arena = reader->overflowed ? NULL : tfc_pool_alloc(bytes);
    if (arena == NULL) return NO_ARENA;
  }
  bool releases = (table->flags & RELEASES) != 0;
  if ((table->flags & WORKS) != 0) {
    int64_t work = extent(reader);
    releases = work > RELEASE_WORK || reader->overflowed;
  }
  int32_t status = releases ? run_released(call, arena)
                            : table->program(call->buffers, call->symbols, arena, call->error);
  if (pooled) tfc_pool_free(arena, bytes);
  return status;
}

// Make results, run the program, and return what it gives.
RARE static Object *complete(Call *call, char *end) {
  const Table *table = call->table;
  Object **arrays = (Object **)call->arrays;
  bool donates = (table->flags & DONATES) != 0;
  // The references that tell a donor's owners apart are counted with our own on top.
  int64_t held = donates ? inputs_of(table) : 0;
  tfc_hold(arrays, held);
  if (!make_results(call)) {
    tfc_drop(arrays, held);
    return NULL;
  }
  int32_t status = run(call, end);
  tfc_drop(arrays, held);
  if (status == NO_ARENA) {
    drop_results(call);
    return PyErr_NoMemory();
  }
  if (status != 0) {
    tfc_disown(call->results, table->results, call->outs);
    drop_results(call);
    return tfc_fail(call->self, status, call->error);
  }
  if ((table->flags & ADOPTS) != 0 && !adopt(call)) return NULL;
  if (!donates) {
    return tfc_finish(call->self, call->results, table->results, call->outs, table->returned);
  }
  tfc_fill(call->self, call->results, table->results, call->outs, table->returned, call->answer);
  return call->answer;
}

// What Python calls: `self` is the tuple (error handler, captured tensors, table, keeper).
RARE Object *tfc_entry(Object *self, Object *const *arguments, int64_t count) {
  Call call;
  Table *table = call.table = table_of(self);
  if (count != table->params + table->scalars) return tfc_missed();
  int64_t inputs = inputs_of(table), results = table->results;
  call.inputs = (const TableInput *)(table + 1);
  call.results = (const Result *)(call.inputs + inputs);
  call.numbers = (const int64_t *)(call.results + results);
  call.self = self;
  call.answer = NULL;
  int64_t *words = __builtin_alloca(table->words * sizeof(int64_t));
  call.arrays = (Array **)words;
  call.outs = call.arrays + inputs;
  call.buffers = (void **)(call.outs + results);
  call.symbols = (int64_t *)(call.buffers + inputs + results);
  call.extents = call.symbols + table->symbols;
  for (int64_t i = 0; i < 4; i++) call.error[i] = 0;
  call.reader = (Reader){call.numbers + table->code, call.symbols, false, false};
  bool good = read_inputs(&call, arguments);
  if (good && (table->flags & CHECKS) != 0) good = agrees(&call, arguments + table->params);
  if (good && table->budget != 0) good = spend(&call);
  return good ? complete(&call, (char *)(words + table->words)) : tfc_missed();
}
