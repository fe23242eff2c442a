// Conversions of float16 for processors that have none (x86 without F16C): what LLVM calls there by
// the names of its own library. Halves of ties are rounded to even, and a nan stays one and is quiet,
// as where there is an instruction.

#include "platform.h"

typedef _Float16 Half;

static Half half_of(uint32_t bits) {
  uint16_t word = (uint16_t)bits;
  Half half;
  __builtin_memcpy(&half, &word, sizeof half);
  return half;
}

// The bits of a number without its last `count` ones, rounded.
static uint32_t rounded(uint64_t bits, int count) {
  uint64_t kept = bits >> count, rest = bits & ((1ull << count) - 1), tie = 1ull << (count - 1);
  return (uint32_t)(kept + (rest > tie || (rest == tie && (kept & 1))));
}

// Of a number with so many bits behind the point, and this bias of its exponents: `bits` without
// its sign, whose place in the result has `sign`.
static Half narrowed(uint64_t bits, uint32_t sign, int fraction, int bias) {
  uint64_t infinite = (uint64_t)(2 * bias + 1) << fraction;
  if (bits > infinite) return half_of(sign | 0x7e00 | (bits >> (fraction - 10) & 0x3ff));
  int exponent = (int)(bits >> fraction) - bias;
  if (exponent > 15) return half_of(sign | 0x7c00);
  if (exponent >= -14)  // what is rounded up to 2^16 becomes infinite by itself
    return half_of(sign | rounded(bits - ((uint64_t)(bias - 15) << fraction), fraction - 10));
  if (exponent < -25) return half_of(sign);  // below half of the least number
  uint64_t one = 1ull << fraction;
  return half_of(sign | rounded((bits & (one - 1)) | one, fraction - 24 - exponent));
}

Half __truncsfhf2(float x) {
  uint32_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return narrowed(bits & 0x7fffffff, bits >> 16 & 0x8000, 23, 127);
}

Half __truncdfhf2(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return narrowed(bits & 0x7fffffffffffffff, (uint32_t)(bits >> 48) & 0x8000, 52, 1023);
}

float __extendhfsf2(Half half) {
  uint16_t word;
  __builtin_memcpy(&word, &half, sizeof word);
  uint32_t sign = (uint32_t)(word & 0x8000) << 16, exponent = word >> 10 & 31, rest = word & 0x3ff;
  uint32_t bits = (exponent + 112) << 23 | rest << 13;
  if (exponent == 31) bits = 0x7f800000 | rest << 13 | (rest ? 0x400000 : 0);
  float found;
  if (exponent == 0) {
    found = (float)(int32_t)rest * 0x1p-24f;
    __builtin_memcpy(&bits, &found, sizeof bits);
  }
  bits |= sign;
  __builtin_memcpy(&found, &bits, sizeof found);
  return found;
}
