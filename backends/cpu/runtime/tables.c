// Hash tables that number keys: see backends/cpu/tables.py.
//
// A table is an array of slots, whose length is a power of two and at least twice the number of
// keys. A key's home is what its hash says; where that slot is taken, the key is in the next one
// that is free (linear probing), so that most keys cost one cache miss. Many keys are looked for
// side by side: the slots of all are asked for before the first one is read.
//
// The hash of an integer is one to one, so equal hashes are equal keys. Of strings, the bytes are
// compared too.

#include "platform.h"

typedef struct {
  const void *count, *type;
} Object;

typedef struct {
  uint64_t hash;
  int64_t row;  // EMPTY where there is no key
} Slot;

typedef struct {
  Slot *slots;
  uint64_t mask;         // the number of slots - 1
  uint64_t seed;         // of the hashes, another one for each table, so that nobody foresees them
  const Object **known;  // of strings: the object of each row
} Table;

// NumPy's arrays, as which all numbers and addresses come: to ask for the address of their contents
// takes longer in Python than to find some keys.
typedef struct {
  const void *head[2];
  void *data;
} Array;

// Which rows are free: some that were given back, the others from `used` on.
typedef struct {
  int64_t *free;
  int64_t free_count, used;
} Rows;

// How Python keeps a `bytes`: its type, and where in the object its size and its contents are.
typedef struct {
  const void *type;
  int64_t size_at, contents_at;
} Layout;

enum { EMPTY = -1, TOGETHER = 32 };

static uint64_t mixed(uint64_t x) {
  // Each step can be undone: odd factors, and shifts by half of the bits or more.
  x = (x ^ x >> 32) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
  return x ^ x >> 32;
}

static uint64_t integer_hash(const Table *table, int64_t key) {
  return mixed((uint64_t)key ^ table->seed);
}

typedef struct {
  const uint8_t *data;
  int64_t count;
} Bytes;

static Bytes contents(const Layout *layout, const Object *object) {
  const uint8_t *start = (const uint8_t *)object;
  Bytes found = {start + layout->contents_at, 0};
  memcpy(&found.count, start + layout->size_at, sizeof found.count);
  return found;
}

static uint64_t bytes_hash(const Table *table, Bytes key) {
  uint64_t hash = table->seed ^ (uint64_t)key.count, word;
  for (; key.count >= 8; key.count -= 8, key.data += 8) {
    memcpy(&word, key.data, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  if (key.count) {  // up to 7 bytes, read with those before them: there is at least the object's head
    memcpy(&word, key.data + key.count - sizeof word, sizeof word);
    hash ^= word >> (64 - 8 * key.count);
  }
  return mixed(hash);
}

static bool same_bytes(const Layout *layout, const Object *one, Bytes key) {
  const Bytes other = contents(layout, one);
  return other.count == key.count && !memcmp(other.data, key.data, (size_t)key.count);
}

// The slot of a hash: the first one with it from `at` on, or the empty one where it would be.
static uint64_t slot_of(const Table *table, uint64_t hash, uint64_t at) {
  const Slot *slots = table->slots;
  for (at &= table->mask; slots[at].row != EMPTY; at = (at + 1) & table->mask)
    if (slots[at].hash == hash) break;
  return at;
}

// The slot of a string.
static uint64_t slot_of_bytes(const Table *table, const Layout *layout, uint64_t hash, Bytes key,
                              uint64_t at) {
  for (;; at++) {
    at = slot_of(table, hash, at);
    const int64_t row = table->slots[at].row;
    if (row == EMPTY || same_bytes(layout, table->known[row], key)) return at;
  }
}

static int64_t new_row(Rows *rows) {
  return rows->free_count ? rows->free[--rows->free_count] : rows->used++;
}

// Take a key out. Those behind it that are not at home move up, so that each is found from its home.
static void clear(const Table *table, uint64_t hole) {
  Slot *slots = table->slots;
  for (uint64_t at = hole;;) {
    at = (at + 1) & table->mask;
    if (slots[at].row == EMPTY) break;
    const uint64_t away = (at - slots[at].hash) & table->mask;  // from its home
    if (away < ((at - hole) & table->mask)) continue;
    slots[hole] = slots[at];
    hole = at;
  }
  slots[hole].row = EMPTY;
}

// What Python calls. Each argument is an array.

static const Table *table_of(const Array *array) { return array->data; }

// The keys of an array of slots, in a table that has none.
void tfc_fill_table(const Array *into, const Array *slots, int64_t count) {
  const Table *table = table_of(into);
  const Slot *old = slots->data;
  for (; count > 0; count--, old++) {
    if (old->row == EMPTY) continue;
    uint64_t at = old->hash & table->mask;
    while (table->slots[at].row != EMPTY) at = (at + 1) & table->mask;
    table->slots[at] = *old;
  }
}

// The row of each key, EMPTY where it has none. Returns how many have none.
int64_t tfc_find_integers(const Array *in, const Array *asked, int64_t count, const Array *found) {
  const Table *table = table_of(in);
  const int64_t *keys = asked->data;
  int64_t *rows = found->data, missing = 0;
  uint64_t hashes[TOGETHER];
  for (int64_t start = 0; start < count; start += TOGETHER) {
    const int64_t some = count - start < TOGETHER ? count - start : TOGETHER;
    for (int64_t i = 0; i < some; i++) {
      hashes[i] = integer_hash(table, keys[start + i]);
      __builtin_prefetch(table->slots + (hashes[i] & table->mask));
    }
    for (int64_t i = 0; i < some; i++) {
      const int64_t row = table->slots[slot_of(table, hashes[i], hashes[i])].row;
      rows[start + i] = row;
      missing += row == EMPTY;
    }
  }
  return missing;
}

// Let each key have a row. The places of those keys that had none stand in `fresh`; returns how many
// these are.
int64_t tfc_add_integers(const Array *in, const Array *given, int64_t count, const Array *found,
                         const Array *free, const Array *fresh) {
  const Table *table = table_of(in);
  const int64_t *keys = given->data;
  int64_t *rows = found->data, *places = fresh->data, added = 0;
  for (int64_t i = 0; i < count; i++) {
    const uint64_t hash = integer_hash(table, keys[i]);
    Slot *slot = table->slots + slot_of(table, hash, hash);
    if (slot->row == EMPTY) {
      *slot = (Slot){hash, new_row(free->data)};
      places[added++] = i;
    }
    rows[i] = slot->row;
  }
  return added;
}

// Forget keys. The rows that they had stand in `found`; returns how many these are.
int64_t tfc_remove_integers(const Array *in, const Array *given, int64_t count,
                            const Array *found) {
  const Table *table = table_of(in);
  const int64_t *keys = given->data;
  int64_t *rows = found->data, removed = 0;
  for (int64_t i = 0; i < count; i++) {
    const uint64_t hash = integer_hash(table, keys[i]), at = slot_of(table, hash, hash);
    if (table->slots[at].row == EMPTY) continue;
    rows[removed++] = table->slots[at].row;
    clear(table, at);
  }
  return removed;
}

// The same for strings. Where an object is none, all return -1 - its place, and have done nothing
// for it and those behind it.

static int64_t first_other(const Layout *layout, const Object *const *keys, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (keys[i]->type != layout->type) return i;
  return count;
}

int64_t tfc_find_strings(const Array *in, const Array *asked, int64_t count, const Array *found,
                         const Array *as) {
  const Table *table = table_of(in);
  const Layout *layout = as->data;
  const Object *const *keys = asked->data;
  int64_t *rows = found->data, missing = 0;
  uint64_t hashes[TOGETHER], places[TOGETHER];
  for (; count > 0; count -= TOGETHER, keys += TOGETHER, rows += TOGETHER) {
    const int64_t some = count < TOGETHER ? count : TOGETHER;
    for (int64_t i = 0; i < some; i++) __builtin_prefetch(keys[i]);
    const int64_t other = first_other(layout, keys, some);
    if (other < some) return -1 - (keys - (const Object *const *)asked->data + other);
    for (int64_t i = 0; i < some; i++) {
      hashes[i] = bytes_hash(table, contents(layout, keys[i]));
      __builtin_prefetch(table->slots + (hashes[i] & table->mask));
    }
    for (int64_t i = 0; i < some; i++) {
      places[i] = slot_of(table, hashes[i], hashes[i]);
      rows[i] = table->slots[places[i]].row;
      if (rows[i] != EMPTY) __builtin_prefetch(table->known + rows[i]);
    }
    for (int64_t i = 0; i < some; i++)
      if (rows[i] != EMPTY) __builtin_prefetch(table->known[rows[i]]);
    for (int64_t i = 0; i < some; i++) {
      if (rows[i] != EMPTY) {
        const Bytes key = contents(layout, keys[i]);
        rows[i] = table->slots[slot_of_bytes(table, layout, hashes[i], key, places[i])].row;
      }
      missing += rows[i] == EMPTY;
    }
  }
  return missing;
}

int64_t tfc_add_strings(const Array *in, const Array *given, int64_t count, const Array *found,
                        const Array *as, const Array *free, const Array *fresh) {
  const Table *table = table_of(in);
  const Layout *layout = as->data;
  const Object *const *keys = given->data;
  int64_t *rows = found->data, *places = fresh->data, added = 0;
  const int64_t other = first_other(layout, keys, count);
  if (other < count) return -1 - other;
  for (int64_t i = 0; i < count; i++) {
    const Bytes key = contents(layout, keys[i]);
    const uint64_t hash = bytes_hash(table, key);
    Slot *slot = table->slots + slot_of_bytes(table, layout, hash, key, hash);
    if (slot->row == EMPTY) {
      *slot = (Slot){hash, new_row(free->data)};
      table->known[slot->row] = keys[i];
      places[added++] = i;
    }
    rows[i] = slot->row;
  }
  return added;
}

int64_t tfc_remove_strings(const Array *in, const Array *given, int64_t count, const Array *found,
                           const Array *as) {
  const Table *table = table_of(in);
  const Layout *layout = as->data;
  const Object *const *keys = given->data;
  int64_t *rows = found->data, removed = 0;
  const int64_t other = first_other(layout, keys, count);
  if (other < count) return -1 - other;
  for (int64_t i = 0; i < count; i++) {
    const Bytes key = contents(layout, keys[i]);
    const uint64_t hash = bytes_hash(table, key);
    const uint64_t at = slot_of_bytes(table, layout, hash, key, hash);
    if (table->slots[at].row == EMPTY) continue;
    rows[removed++] = table->slots[at].row;
    clear(table, at);
  }
  return removed;
}
