// Memory that programs allocate while they run, because only running tells how much they need; and
// the arrays that are made of it.
//
// Programs run without the interpreter lock, which is what guards the pool. So large blocks are
// kept in places of their own, four for each size class, that are taken and filled by atomic
// exchanges.

#include "runtime.h"

enum {
  PLACES = 4,              // of each class
  SMALL_BLOCK = 64 << 10,  // blocks up to this size are not kept
  SMALL = -1,              // the class of such a block
};

// What stands in front of a block's data, and leaves it as well aligned as itself.
typedef struct {
  int64_t class;
  char unused[56];
} Header;

static Header *_Atomic kept[BIN_COUNT][PLACES];
static _Atomic int64_t kept_bytes;
static _Atomic int64_t used_bytes;  // of large blocks

// Add to a counter; returns what it was.
static int64_t add(_Atomic int64_t *counter, int64_t bytes) {
  return atomic_fetch_add_explicit(counter, bytes, memory_order_relaxed);
}

// ---- blocks -----------------------------------------------------------------------------------

// Free all blocks that are kept; how many bytes that were.
RARE static uint64_t trim_kept(void) {
  uint64_t freed = 0;
  for (int64_t class = 0; class < BIN_COUNT; class++) {
    for (int64_t place = 0; place < PLACES; place++) {
      Header *block = atomic_exchange_explicit(&kept[class][place], NULL, memory_order_acq_rel);
      if (block == NULL) continue;
      uint64_t bytes = class_size(class);
      add(&kept_bytes, -bytes);
      free(block);
      freed += bytes;
    }
  }
  return freed;
}

// A block of a class that was kept; null if there is none.
RARE static Header *take_kept(int64_t class) {
  for (int64_t place = 0; place < PLACES; place++) {
    Header *block = atomic_exchange_explicit(&kept[class][place], NULL, memory_order_acq_rel);
    if (block != NULL) return block;
  }
  return NULL;
}

// Keep a block; false if there is no place for it.
RARE static bool keep(Header *block) {
  for (int64_t place = 0; place < PLACES; place++) {
    Header *empty = NULL;
    if (atomic_compare_exchange_strong_explicit(&kept[block->class][place], &empty, block,
                                                memory_order_acq_rel, memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

// A large block, of which there may be only so many: what grows without end must fail before the
// system ends the process, so an eighth of the memory is left. What the pool has is read without
// the lock, which may be a little wrong.
RARE static Header *large_block(uint64_t size) {
  uint64_t limit = pool_state.limit;
  if (size > limit) return NULL;
  int64_t class = class_of(size + sizeof(Header));
  uint64_t bytes = class_size(class);
  uint64_t most = limit - limit / 8;
  uint64_t all = add(&used_bytes, bytes) + bytes + pool_state.cached + pool_state.live;
  Header *block = NULL;
  if (all <= most) {
    if (all + atomic_load_explicit(&kept_bytes, memory_order_relaxed) > most) trim_kept();
    block = take_kept(class);
    if (block != NULL) {
      add(&kept_bytes, -bytes);
    } else {
      block = new_block(bytes);
    }
  }
  if (block == NULL) {
    add(&used_bytes, -bytes);
    return NULL;
  }
  block->class = class;
  return block;
}

// A block of at least `size` bytes; null when there is no memory. Any thread may call.
RARE void *tfc_block_alloc(uint64_t size) {
  Header *block;
  if (size < SMALL_BLOCK) {
    block = malloc(size + sizeof(Header));
    if (block != NULL) block->class = SMALL;
  } else {
    block = large_block(size);
  }
  return block == NULL ? NULL : block + 1;
}

// Give a block (or null) back. Any thread may call.
RARE void tfc_block_free(void *data) {
  if (data == NULL) return;
  Header *block = (Header *)data - 1;
  if (block->class != SMALL) {
    int64_t bytes = class_size(block->class);
    add(&used_bytes, -bytes);
    if (add(&kept_bytes, bytes) + bytes <= pool_state.maximum && keep(block)) return;
    add(&kept_bytes, -bytes);
  }
  free(block);
}

// ---- results that the program has allocated -----------------------------------------------------

RARE static void free_adopted(Object *capsule) {
  tfc_block_free(PyCapsule_GetPointer(capsule, NULL));
}

// An array of `block`, which is freed with it; or at once, where a copy costs less or it fails.
RARE static Array *adopted(Object *descriptor, const int64_t *extents, int64_t rank,
                           int64_t itemsize, void *block) {
  int64_t bytes = element_count(extents, rank) * itemsize;
  if ((uint64_t)bytes > INLINE_BYTES && descriptor != tfc_types.objects) {
    Object *capsule = PyCapsule_New(block, NULL, free_adopted);
    if (capsule != NULL) return array_over(block, capsule, descriptor, extents, rank);
    tfc_block_free(block);
    return NULL;
  }
  Array *array = tfc_new_array(descriptor, extents, rank, itemsize);
  if (array != NULL) memcpy(array->data, block, bytes);
  tfc_block_free(block);
  return array;
}

// Make the arrays of those of `count` results that the program has allocated: `buffers` holds their
// blocks, `extents` their shapes one after the other. Returns 0; or -1 with an exception set, their
// blocks freed and all of `outs` dropped.
RARE int32_t tfc_adopt(const Result *results, int64_t count, const int64_t *extents, Array **outs,
                       void **buffers) {
  bool failed = false;
  for (int64_t i = 0; i < count; i++) {
    const Result *result = &results[i];
    const int64_t *shape = extents;
    extents += result->rank;
    if (result->mode != LATE) continue;
    if (failed) {
      tfc_block_free(buffers[i]);
      continue;
    }
    outs[i] = adopted(result->descriptor, shape, result->rank, result->itemsize, buffers[i]);
    failed = outs[i] == NULL;
  }
  if (failed) {
    tfc_disown(results, count, outs);
    tfc_drop((Object **)outs, count);
  }
  return failed ? -1 : 0;
}
