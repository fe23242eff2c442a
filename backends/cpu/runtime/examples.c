// Columns of serialised tf.train.Examples, of which no messages are made: see backends/cpu/records.py.
//
// The encoding is that of Protocol Buffers: a field is a tag (its number and a wire type) and a value.

#include "platform.h"

typedef struct {
  const uint8_t *at, *end;
} Bytes;

enum { VARINT = 0, FIXED64 = 1, BLOCK = 2, FIXED32 = 5 };
enum { ABSENT = 0, STRINGS = 1, FLOATS = 2, INTEGERS = 3 };  // as the lists of a Feature are numbered

// Where the list of a feature lies, and how many values it has.
typedef struct {
  int64_t start, length, kind, count;
} Span;

static bool read_varint(Bytes *bytes, uint64_t *value) {
  uint64_t found = 0;
  for (int shift = 0; shift < 70 && bytes->at < bytes->end; shift += 7) {
    const uint8_t byte = *bytes->at++;
    found |= (uint64_t)(byte & 127) << (shift & 63);
    if (byte < 128) {
      *value = found;
      return true;
    }
  }
  return false;
}

// The next field: its tag, and its bytes; a varint's are those of the number.
static bool read_field(Bytes *bytes, uint64_t *tag, Bytes *value) {
  if (!read_varint(bytes, tag) || *tag < 8) return false;
  uint64_t length;
  switch (*tag & 7) {
    case VARINT:
      value->at = bytes->at;
      if (!read_varint(bytes, &length)) return false;
      value->end = bytes->at;
      return true;
    case FIXED64:
      length = 8;
      break;
    case FIXED32:
      length = 4;
      break;
    case BLOCK:
      if (!read_varint(bytes, &length)) return false;
      break;
    default:
      return false;
  }
  if (length > (uint64_t)(bytes->end - bytes->at)) return false;
  value->at = bytes->at;
  value->end = bytes->at += length;
  return true;
}

enum { FIRST = 1 << 3 | BLOCK, SECOND = 2 << 3 | BLOCK };

// A Feature: one of three lists, the last one that is there.
static bool read_feature(Bytes feature, const uint8_t *data, Span *found) {
  while (feature.at < feature.end) {
    uint64_t tag;
    Bytes list;
    if (!read_field(&feature, &tag, &list)) return false;
    if ((tag & 7) == BLOCK && tag >> 3 <= INTEGERS) {
      found->start = list.at - data;
      found->length = list.end - list.at;
      found->kind = (int64_t)(tag >> 3);
    }
  }
  return true;
}

static bool read_entry(Bytes entry, const uint8_t *data, const uint8_t *names,
                       const int64_t *name_ends, int64_t wanted, Span *found) {
  Bytes key = {0}, feature = {0};
  while (entry.at < entry.end) {
    uint64_t tag;
    Bytes value;
    if (!read_field(&entry, &tag, &value)) return false;
    if (tag == FIRST) key = value;
    if (tag == SECOND) feature = value;
  }
  const int64_t length = key.end - key.at;
  for (int64_t i = 0; i < wanted; i++) {
    const int64_t start = i ? name_ends[i - 1] : 0;
    if (name_ends[i] - start != length || memcmp(names + start, key.at, (size_t)length)) continue;
    found[i] = (Span){0};
    return read_feature(feature, data, found + i);
  }
  Span unused = {0};
  return read_feature(feature, data, &unused);
}

// How many values a list has; -1 where it is damaged. Where there is room for them (`values`), they go
// there: int64 or float32 numbers, or start and length of each string.
static int64_t read_list(const uint8_t *data, const Span *span, void *values) {
  int64_t *integers = values, *strings = values, found = 0;
  uint8_t *floats = values;
  Bytes list = {data + span->start, data + span->start + span->length};
  while (list.at < list.end) {
    uint64_t tag, number;
    Bytes value;
    if (!read_field(&list, &tag, &value)) return -1;
    if (tag >> 3 != 1) continue;
    const int64_t size = value.end - value.at, kind = tag & 7;
    if (span->kind == STRINGS && kind == BLOCK) {
      found++;
      if (values) *strings++ = value.at - data, *strings++ = size;
    } else if (span->kind == FLOATS && (kind == BLOCK || kind == FIXED32)) {
      if (size % 4) return -1;
      found += size / 4;
      if (values) memcpy(floats, value.at, (size_t)size), floats += size;
    } else if (span->kind == INTEGERS && (kind == BLOCK || kind == VARINT)) {
      for (; value.at < value.end; found++) {
        if (!read_varint(&value, &number)) return -1;
        if (values) *integers++ = (int64_t)number;
      }
    } else {
      return -1;
    }
  }
  return found;
}

// Where the features with these names are in each example: `wanted` spans for each. Returns -1, or the
// number of the first example that is damaged.
int64_t tfc_find_features(const uint8_t *data, const int64_t *ends, int64_t count,
                          const uint8_t *names, const int64_t *name_ends, int64_t wanted,
                          Span *found) {
  for (int64_t row = 0; row < count; row++, found += wanted) {
    memset(found, 0, (size_t)wanted * sizeof *found);
    Bytes example = {data + (row ? ends[row - 1] : 0), data + ends[row]};
    while (example.at < example.end) {
      uint64_t tag;
      Bytes features;
      if (!read_field(&example, &tag, &features)) return row;
      if (tag != FIRST) continue;
      while (features.at < features.end) {
        Bytes entry;
        if (!read_field(&features, &tag, &entry)) return row;
        if (tag == FIRST && !read_entry(entry, data, names, name_ends, wanted, found)) return row;
      }
    }
    for (int64_t i = 0; i < wanted; i++) {
      found[i].count = read_list(data, found + i, 0);
      if (found[i].count < 0) return row;
    }
  }
  return -1;
}

// The values of one feature of all examples, one behind another: as many as `tfc_find_features` has
// counted, of lists of one kind.
void tfc_feature_values(const uint8_t *data, const Span *spans, int64_t step, int64_t count,
                        uint8_t *values) {
  for (int64_t row = 0; row < count; row++, spans += step) {
    read_list(data, spans, values);
    values += spans->count * (spans->kind == STRINGS ? 16 : spans->kind == FLOATS ? 4 : 8);
  }
}
