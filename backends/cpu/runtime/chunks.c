// Chunks of huge pages, from which blocks of medium size are cut.
//
// A block below 4 MiB has hardly a huge page of its own, and small pages cost more than they hold:
// a processor walks tables for each 4 KiB that it reads in turn. So such blocks lie side by side in
// chunks of 16 MiB that are advised to be huge pages, as in allocators that know of them (Hunter et
// al., "Beyond malloc efficiency to fleet efficiency", OSDI 2021: what is alive stays dense, and
// pages that are wholly free go back). A block takes the first run of free units, in the chunk with
// the lowest address that has one; neighbours that are free are one run by themselves, since a bit
// for each unit is all that is kept. Huge pages without a block are given back at once, and so is a
// chunk. A chunk that cannot be had (limits on address space) is no error: the block comes from
// `malloc` then, and `return_block` tells the two apart when it is freed.
//
// Whoever calls holds the interpreter lock.

#include "runtime.h"

enum {
  UNIT = 16 << 10,  // a quarter of the smallest power of two whose classes are cut, 64 KiB
  CHUNK = 16 << 20,
  UNITS = CHUNK / UNIT,
  WORDS = UNITS / 64,
  PAGE_WORDS = HUGE_PAGE / UNIT / 64,  // the words with the bits of a huge page
  SMALLEST_CUT = 80 << 10,
  READ_WRITE = 3,       // Linux's numbers
  OWN_ANONYMOUS = 0x22,
  MADV_DONTNEED = 4,
};

typedef struct {
  char *start;
  int64_t used;         // how many units
  int64_t longest;      // no run of free units is longer
  uint64_t bits[WORDS]; // which units are used
} Chunk;

static Chunk **chunks;  // in the order of their addresses
static int64_t chunk_room;

// ---- units ------------------------------------------------------------------------------------

// The first unit from `from` on that is used (`flip` 0) or free (`flip` -1); UNITS if none is.
RARE static int64_t next_unit(const Chunk *chunk, int64_t from, uint64_t flip) {
  uint64_t mask = ~0ull << (from & 63);
  for (int64_t word = from >> 6; word < WORDS; word++) {
    uint64_t bits = (chunk->bits[word] ^ flip) & mask;
    if (bits != 0) return 64 * word + __builtin_ctzll(bits);
    mask = ~0ull;
  }
  return UNITS;
}

// The first run of so many free units; -1 if there is none.
RARE static int64_t find_run(Chunk *chunk, int64_t units) {
  int64_t longest = 0;
  for (int64_t end, start = next_unit(chunk, 0, ~0ull); start < UNITS;
       start = next_unit(chunk, end, ~0ull)) {
    end = next_unit(chunk, start, 0);
    if (end - start >= units) return start;
    if (end - start > longest) longest = end - start;
    if (end == UNITS) break;
  }
  chunk->longest = longest;
  return -1;
}

// Mark a run as used, or as free.
RARE static void mark(Chunk *chunk, int64_t start, int64_t units) {
  for (int64_t unit = start; unit < start + units; unit++) {
    chunk->bits[unit >> 6] ^= 1ull << (unit & 63);
  }
}

// ---- chunks -----------------------------------------------------------------------------------

// How many chunks begin at `address` or below.
RARE static int64_t place_of(const char *address) {
  int64_t low = 0, high = pool_state.chunks;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (chunks[middle]->start <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// Memory for a chunk, at a multiple of the size of huge pages; null when there is none.
RARE static char *map_chunk(void) {
  char *mapped = mmap(NULL, CHUNK + HUGE_PAGE, READ_WRITE, OWN_ANONYMOUS, -1, 0);
  if (mapped == (char *)-1) return NULL;
  uint64_t before = -(uint64_t)mapped & (HUGE_PAGE - 1);
  if (before != 0) munmap(mapped, before);
  munmap(mapped + before + CHUNK, HUGE_PAGE - before);
  madvise(mapped + before, CHUNK, MADV_HUGEPAGE);
  return mapped + before;
}

// Another chunk; null when there is no memory.
RARE static Chunk *add_chunk(void) {
  int64_t count = pool_state.chunks;
  if (count == chunk_room) {
    int64_t room = 2 * count + 8;
    Chunk **more = malloc(room * sizeof(Chunk *));
    if (more == NULL) return NULL;
    if (count > 0) memcpy(more, chunks, count * sizeof(Chunk *));
    free(chunks);
    chunks = more;
    chunk_room = room;
  }
  Chunk *chunk = malloc(sizeof(Chunk));
  if (chunk == NULL) return NULL;
  memset(chunk, 0, sizeof(Chunk));
  chunk->start = map_chunk();
  chunk->longest = UNITS;
  if (chunk->start == NULL) {
    free(chunk);
    return NULL;
  }
  int64_t place = place_of(chunk->start);
  for (int64_t i = count; i > place; i--) chunks[i] = chunks[i - 1];
  chunks[place] = chunk;
  pool_state.chunks++;
  return chunk;
}

RARE static void remove_chunk(int64_t place) {
  munmap(chunks[place]->start, CHUNK);
  free(chunks[place]);
  pool_state.chunks--;
  for (int64_t i = place; i < pool_state.chunks; i++) chunks[i] = chunks[i + 1];
}

// ---- blocks -----------------------------------------------------------------------------------

// A block of a size that is a multiple of units; null when no chunk has room and none can be had.
RARE static void *cut_block(uint64_t bytes) {
  int64_t units = bytes / UNIT;
  Chunk *chunk = NULL;
  int64_t start = -1;
  for (int64_t i = 0; i < pool_state.chunks && start < 0; i++) {
    chunk = chunks[i];
    if (chunk->longest >= units) start = find_run(chunk, units);
  }
  if (start < 0) {
    chunk = add_chunk();
    if (chunk == NULL) return NULL;
    start = 0;
  }
  mark(chunk, start, units);
  chunk->used += units;
  return chunk->start + start * UNIT;
}

// Give huge pages back that this run of units was the last to use.
RARE static void give_pages(const Chunk *chunk, int64_t start, int64_t units) {
  int64_t last = (start + units - 1) / (64 * PAGE_WORDS);
  for (int64_t page = start / (64 * PAGE_WORDS); page <= last; page++) {
    uint64_t used = 0;
    for (int64_t word = 0; word < PAGE_WORDS; word++) used |= chunk->bits[page * PAGE_WORDS + word];
    if (used == 0) madvise(chunk->start + page * HUGE_PAGE, HUGE_PAGE, MADV_DONTNEED);
  }
}

// Give a block back to its chunk; false if it is not of one.
RARE static bool return_block(char *block, uint64_t bytes) {
  int64_t place = place_of(block) - 1;
  if (place < 0 || block >= chunks[place]->start + CHUNK) return false;
  Chunk *chunk = chunks[place];
  int64_t start = (block - chunk->start) / UNIT;
  int64_t units = bytes / UNIT;
  mark(chunk, start, units);
  chunk->used -= units;
  chunk->longest = UNITS;
  if (chunk->used == 0) {
    remove_chunk(place);
  } else {
    give_pages(chunk, start, units);
  }
  return true;
}
