// The memory pool: where big arrays and scratch memory come from.
//
// The first touch of fresh pages costs ten times what storing to warm ones does, so freed blocks
// are kept: LIFO lists by size class, four classes to each power of two, bounded as a whole.
//
// Whoever calls holds the interpreter lock, but for `class_of`, `class_size` and `new_block`.

#include "runtime.h"

enum {
  SMALLEST = 4096,
  ALIGNMENT = 64,
};

typedef struct Block {
  struct Block *next;
} Block;

static Block *bins[BIN_COUNT];  // of each class, the blocks that are kept

RARE struct PoolState *tfc_pool_state(void) { return &pool_state; }

// ---- sizes ------------------------------------------------------------------------------------

// The class of a size: the exponent and the next two bits of (size - 1).
RARE static int64_t class_of(uint64_t size) {
  uint64_t top = (size < SMALLEST ? SMALLEST : size) - 1;
  int64_t exponent = 63 - __builtin_clzll(top);
  int64_t step = top >> (exponent - 2) & 3;
  return 4 * (exponent - 11) + step;
}

// The size of the blocks in a class: (4 + step + 1) quarters of its power of two.
RARE static uint64_t class_size(int64_t class) {
  uint64_t step = class & 3;
  return (step + 5) << ((class >> 2) + 9);
}

// ---- blocks -----------------------------------------------------------------------------------

// Huge pages for big blocks: first touch is then one fault for 2 MiB, not 512 faults.
RARE static void *new_block(uint64_t bytes) {
  void *block;
  bool big = bytes >= 2 * HUGE_PAGE;
  if (posix_memalign(&block, big ? HUGE_PAGE : ALIGNMENT, bytes) != 0) return NULL;
  if (HUGE_PAGES() && big) madvise(block, bytes, MADV_HUGEPAGE);
  return block;
}

// A block of the pool, which is cut out of a chunk where that gives it huge pages.
RARE static void *pool_block(uint64_t bytes) {
  bool cut = HUGE_PAGES() && bytes >= SMALLEST_CUT && bytes < 2 * HUGE_PAGE;
  void *block = cut ? cut_block(bytes) : NULL;
  return block != NULL ? block : new_block(bytes);
}

// Give a block of the pool back to the system.
RARE static void release(void *block, uint64_t bytes) {
  pool_state.released++;
  if (!return_block(block, bytes)) free(block);
}

// Take the first block of a class off its list; null if there is none.
RARE static Block *take_block(int64_t class) {
  Block *block = bins[class];
  if (block == NULL) return NULL;
  bins[class] = block->next;
  pool_state.cached -= class_size(class);
  pool_state.blocks--;
  return block;
}

// Free the first block of a class; returns its size, 0 if there is none.
RARE static uint64_t drop_block(int64_t class) {
  Block *block = take_block(class);
  if (block == NULL) return 0;
  release(block, class_size(class));
  return class_size(class);
}

// Free every cached block; returns how many bytes that were.
RARE uint64_t tfc_pool_trim(void) {
  uint64_t freed = trim_kept();
  for (int64_t class = 0; class < BIN_COUNT; class++) {
    for (uint64_t bytes; (bytes = drop_block(class)) != 0;) freed += bytes;
  }
  return freed;
}

// Free cached blocks, round robin over the classes but `spared`, until at most `room` bytes stay.
RARE static void make_room(int64_t room, int64_t spared) {
  int64_t class = pool_state.hand;
  int64_t empty = 0;  // how many classes in a row had nothing to free
  while (pool_state.cached > room && empty < BIN_COUNT) {
    class = (class + 1) % BIN_COUNT;
    bool freed = class != spared && drop_block(class) != 0;
    empty = freed ? 0 : empty + 1;
  }
  pool_state.hand = class;
}

// ---- what others ask for ----------------------------------------------------------------------

// A 64-byte aligned block of at least `size` bytes; null when there is no memory.
RARE void *tfc_pool_alloc(uint64_t size) {
  if (size > (uint64_t)pool_state.limit) return NULL;
  int64_t class = class_of(size);
  uint64_t bytes = class_size(class);
  void *block = take_block(class);
  if (block != NULL) {
    pool_state.hits++;
  } else {
    block = pool_block(bytes);
    if (block == NULL) {
      tfc_pool_trim();
      block = pool_block(bytes);
    }
    if (block == NULL) return NULL;
    pool_state.misses++;
  }
  pool_state.live += bytes;
  return block;
}

// Give back a block that was allocated with this `size`.
RARE void tfc_pool_free(void *freed, uint64_t size) {
  int64_t class = class_of(size);
  int64_t bytes = class_size(class);
  pool_state.live -= bytes;
  int64_t room = pool_state.maximum - bytes;  // for what is cached beside this block
  if (pool_state.cached > room && room >= 0) {
    // Blocks of sizes that are no longer asked for must not fill the pool for good.
    make_room(room, class);
  }
  if (pool_state.cached > room) {
    release(freed, bytes);
    return;
  }
  Block *block = freed;
  block->next = bins[class];
  bins[class] = block;
  pool_state.cached += bytes;
  pool_state.blocks++;
}
