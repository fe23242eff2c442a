// Checksums of bytes, and the records of a file of them: see backends/cpu/records.py.

#include "platform.h"

// Eight tables of 256 remainders: table k is for the byte that k others follow.
typedef const uint32_t (*Tables)[256];

// CRC-32C (Castagnoli's polynomial, reflected: RFC 3720, B.4), eight bytes at a time (M. Kounavis
// and F. Berry, 2005). `crc` is that of the bytes before, 0 at first.
uint32_t tfc_crc32c(Tables tables, uint32_t crc, const uint8_t *data, int64_t count) {
  crc = ~crc;
  for (; count >= 8; count -= 8, data += 8) {
    uint64_t word;
    memcpy(&word, data, sizeof word);
    word ^= crc;
    crc = tables[7][word & 255] ^ tables[6][word >> 8 & 255] ^ tables[5][word >> 16 & 255] ^
          tables[4][word >> 24 & 255] ^ tables[3][word >> 32 & 255] ^ tables[2][word >> 40 & 255] ^
          tables[1][word >> 48 & 255] ^ tables[0][word >> 56];
  }
  for (; count > 0; count--) crc = crc >> 8 ^ tables[0][(crc ^ *data++) & 255];
  return ~crc;
}

static uint32_t read_32(const uint8_t *data) {
  uint32_t word;
  memcpy(&word, data, sizeof word);
  return word;
}

// What is stored instead of a checksum, so that checksums of data that hold some are as good.
static uint32_t masked(uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; }

enum { HEAD = 12, TAIL = 4 };  // a length and its checksum; the checksum of the bytes
enum { DAMAGED_LENGTH = 1, DAMAGED_BYTES = 2 };

// The whole records at the beginning of `data`, at most `capacity`: their first bytes and lengths
// in pairs. Returns how many; `used` is where they end, `wrong` what is wrong with the next one, and
// `wanted` how many bytes it takes, as far as its head is there.
int64_t tfc_records(Tables tables, const uint8_t *data, int64_t count, int64_t (*found)[2],
                    int64_t capacity, int64_t *used, int64_t *wanted, int64_t *wrong) {
  int64_t at = 0, records = 0;
  *wanted = HEAD;
  *wrong = 0;
  while (records < capacity && count - at >= HEAD) {
    int64_t length;
    memcpy(&length, data + at, sizeof length);
    if (masked(tfc_crc32c(tables, 0, data + at, 8)) != read_32(data + at + 8) || length < 0 ||
        length > INT64_MAX - HEAD - TAIL) {
      *wrong = DAMAGED_LENGTH;
      break;
    }
    *wanted = HEAD + length + TAIL;
    if (count - at < *wanted) break;
    const uint8_t *bytes = data + at + HEAD;
    if (masked(tfc_crc32c(tables, 0, bytes, length)) != read_32(bytes + length)) {
      *wrong = DAMAGED_BYTES;
      break;
    }
    found[records][0] = at + HEAD;
    found[records++][1] = length;
    at += *wanted;
    *wanted = HEAD;
  }
  *used = at;
  return records;
}
