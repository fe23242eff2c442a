// Fourier transforms of float64.

#include "platform.h"

#define REAL double
#define LANES 4
typedef REAL VECTOR __attribute__((vector_size(LANES * sizeof(REAL))));

#define EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define BACK(a) __builtin_shufflevector(a, a, 3, 2, 1, 0)

static inline void square(const VECTOR *x, REAL *to, int64_t apart);

#define COMPLEX tfc_fourier_double
#define FORWARD tfc_fourier_forward_double
#define BACKWARD tfc_fourier_backward_double
#include "fourier.h"

#define PAIRS(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define PAIRS_BEHIND(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define HALVES(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define HALVES_BEHIND(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)

// Stores the transposed square of 4 vectors, each row `apart` from the one before.
static INLINE void square(const VECTOR *x, REAL *to, int64_t apart) {
  VECTOR a = PAIRS(x[0], x[1]), b = PAIRS_BEHIND(x[0], x[1]);
  VECTOR c = PAIRS(x[2], x[3]), d = PAIRS_BEHIND(x[2], x[3]);
  store_vector(to, HALVES(a, c)), store_vector(to + apart, HALVES(b, d));
  store_vector(to + 2 * apart, HALVES_BEHIND(a, c));
  store_vector(to + 3 * apart, HALVES_BEHIND(b, d));
}
