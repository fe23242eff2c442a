// Fourier transforms of float32.

#include "platform.h"

#define REAL float
#define LANES 8
typedef REAL VECTOR __attribute__((vector_size(LANES * sizeof(REAL))));

#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define BACK(a) __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0)

static inline void square(const VECTOR *x, REAL *to, int64_t apart);

#define COMPLEX tfc_fourier_float
#define FORWARD tfc_fourier_forward_float
#define BACKWARD tfc_fourier_backward_float
#include "fourier.h"

#define PAIRS(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define PAIRS_BEHIND(a, b) __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define FOURS(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define FOURS_BEHIND(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define HALVES_BEHIND(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

// Stores the transposed square of 8 vectors, each row `apart` from the one before.
static INLINE void square(const VECTOR *x, REAL *to, int64_t apart) {
  VECTOR a = PAIRS(x[0], x[1]), b = PAIRS_BEHIND(x[0], x[1]);
  VECTOR c = PAIRS(x[2], x[3]), d = PAIRS_BEHIND(x[2], x[3]);
  VECTOR e = PAIRS(x[4], x[5]), f = PAIRS_BEHIND(x[4], x[5]);
  VECTOR g = PAIRS(x[6], x[7]), h = PAIRS_BEHIND(x[6], x[7]);
  VECTOR ac = FOURS(a, c), ca = FOURS_BEHIND(a, c), bd = FOURS(b, d), db = FOURS_BEHIND(b, d);
  VECTOR eg = FOURS(e, g), ge = FOURS_BEHIND(e, g), fh = FOURS(f, h), hf = FOURS_BEHIND(f, h);
  store_vector(to, HALVES(ac, eg)), store_vector(to + apart, HALVES(ca, ge));
  store_vector(to + 2 * apart, HALVES(bd, fh)), store_vector(to + 3 * apart, HALVES(db, hf));
  store_vector(to + 4 * apart, HALVES_BEHIND(ac, eg));
  store_vector(to + 5 * apart, HALVES_BEHIND(ca, ge));
  store_vector(to + 6 * apart, HALVES_BEHIND(bd, fh));
  store_vector(to + 7 * apart, HALVES_BEHIND(db, hf));
}
