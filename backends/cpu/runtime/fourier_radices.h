// Transforms of a few elements: the complex numbers x[0 .. r) become the sums over k of
// x[k] w^(jk), with w = exp(-2 pi i / r). Included for numbers alone and for vectors of them: T, with
// names that end as NAME says. Each operation is the same for both, and rounded alike.

static INLINE T NAME(loaded)(const REAL *from) {
  T x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}

static INLINE void NAME(store)(REAL *to, T x) { __builtin_memcpy(to, &x, sizeof x); }

// Each function puts what a sum and a difference are in the places of its operands.
static INLINE void NAME(add_and_subtract)(T *a, T *b) {
  T sum = *a + *b, difference = *a - *b;
  *a = sum, *b = difference;
}

// x -> -i x.
static INLINE void NAME(turn_back)(T *re, T *im) {
  T old = *re;
  *re = *im, *im = -old;
}

static INLINE void NAME(of_two)(T *re, T *im) {
  NAME(add_and_subtract)(&re[0], &re[1]);
  NAME(add_and_subtract)(&im[0], &im[1]);
}

static INLINE void NAME(of_three)(T *re, T *im) {
  const REAL half = (REAL)0.5, sine = (REAL)0.86602540378443864676;
  NAME(add_and_subtract)(&re[1], &re[2]);
  NAME(add_and_subtract)(&im[1], &im[2]);
  T mid_re = re[0] - half * re[1], mid_im = im[0] - half * im[1];
  T side_re = sine * im[2], side_im = -(sine * re[2]);
  re[0] += re[1], im[0] += im[1];
  re[1] = mid_re + side_re, im[1] = mid_im + side_im;
  re[2] = mid_re - side_re, im[2] = mid_im - side_im;
}

// The results are in the order 0, 2, 1, 3 of `places`.
static INLINE void NAME(of_four)(T *re, T *im, int a, int b, int c, int d) {
  NAME(add_and_subtract)(&re[a], &re[c]);
  NAME(add_and_subtract)(&im[a], &im[c]);
  NAME(add_and_subtract)(&re[b], &re[d]);
  NAME(add_and_subtract)(&im[b], &im[d]);
  NAME(turn_back)(&re[d], &im[d]);
  NAME(add_and_subtract)(&re[a], &re[b]);  // 0 in a, 2 in b
  NAME(add_and_subtract)(&im[a], &im[b]);
  NAME(add_and_subtract)(&re[c], &re[d]);  // 1 in c, 3 in d
  NAME(add_and_subtract)(&im[c], &im[d]);
}

static INLINE void NAME(of_five)(T *re, T *im) {
  const REAL c1 = (REAL)0.30901699437494742410, c2 = (REAL)-0.80901699437494742410;
  const REAL s1 = (REAL)0.95105651629515357212, s2 = (REAL)0.58778525229247312917;
  NAME(add_and_subtract)(&re[1], &re[4]);
  NAME(add_and_subtract)(&im[1], &im[4]);
  NAME(add_and_subtract)(&re[2], &re[3]);
  NAME(add_and_subtract)(&im[2], &im[3]);
  T first_re = re[0] + c1 * re[1], first_im = im[0] + c1 * im[1];
  T second_re = re[0] + c2 * re[1], second_im = im[0] + c2 * im[1];
  first_re += c2 * re[2], first_im += c2 * im[2];
  second_re += c1 * re[2], second_im += c1 * im[2];
  T side_re = s1 * im[4] + s2 * im[3], side_im = s1 * re[4] + s2 * re[3];
  T other_re = s2 * im[4] - s1 * im[3], other_im = s2 * re[4] - s1 * re[3];
  re[0] += re[1] + re[2], im[0] += im[1] + im[2];
  re[1] = first_re + side_re, im[1] = first_im - side_im;
  re[4] = first_re - side_re, im[4] = first_im + side_im;
  re[2] = second_re + other_re, im[2] = second_im - other_im;
  re[3] = second_re - other_re, im[3] = second_im + other_im;
}

static INLINE void NAME(swap)(T *a, T *b) {
  T old = *a;
  *a = *b, *b = old;
}

static INLINE void NAME(of_eight)(T *re, T *im) {
  const REAL root = (REAL)0.70710678118654752440;
  NAME(of_four)(re, im, 0, 2, 4, 6);  // even: 0 in 0, 2 in 2, 1 in 4, 3 in 6
  NAME(of_four)(re, im, 1, 3, 5, 7);
  T re1 = (re[5] + im[5]) * root, im1 = (im[5] - re[5]) * root;
  T re3 = (im[7] - re[7]) * root, im3 = -((re[7] + im[7]) * root);
  re[5] = re1, im[5] = im1, re[7] = re3, im[7] = im3;
  NAME(turn_back)(&re[3], &im[3]);
  NAME(add_and_subtract)(&re[0], &re[1]);  // 0 and 4
  NAME(add_and_subtract)(&im[0], &im[1]);
  NAME(add_and_subtract)(&re[4], &re[5]);  // 1 and 5
  NAME(add_and_subtract)(&im[4], &im[5]);
  NAME(add_and_subtract)(&re[2], &re[3]);  // 2 and 6
  NAME(add_and_subtract)(&im[2], &im[3]);
  NAME(add_and_subtract)(&re[6], &re[7]);  // 3 and 7
  NAME(add_and_subtract)(&im[6], &im[7]);
  // Where the results are: 0 in 0, 1 in 4, 2 in 2, 3 in 6, 4 in 1, 5 in 5, 6 in 3, 7 in 7.
  NAME(swap)(&re[1], &re[4]);
  NAME(swap)(&im[1], &im[4]);
  NAME(swap)(&re[3], &re[6]);
  NAME(swap)(&im[3], &im[6]);
}

// An odd number of elements: sums with the cosines and sines of `roots` (cosine, sine of 2 pi k / r).
static INLINE void NAME(of_odd)(int64_t r, const REAL *roots, T *re, T *im, T *to_re, T *to_im) {
  for (int64_t k = 1; 2 * k < r; k++) {
    NAME(add_and_subtract)(&re[k], &re[r - k]);
    NAME(add_and_subtract)(&im[k], &im[r - k]);
  }
  T sum_re = re[0], sum_im = im[0];
  for (int64_t k = 1; 2 * k < r; k++) sum_re += re[k], sum_im += im[k];
  to_re[0] = sum_re, to_im[0] = sum_im;
  for (int64_t j = 1; 2 * j < r; j++) {
    T mid_re = re[0], mid_im = im[0], side_re = {0}, side_im = {0};
    for (int64_t k = 1; 2 * k < r; k++) {
      const REAL *root = roots + 2 * (j * k % r);
      mid_re += root[0] * re[k], mid_im += root[0] * im[k];
      side_re += root[1] * im[r - k], side_im += root[1] * re[r - k];
    }
    to_re[j] = mid_re + side_re, to_im[j] = mid_im - side_im;
    to_re[r - j] = mid_re - side_re, to_im[r - j] = mid_im + side_im;
  }
}

static INLINE void NAME(of)(int r, T *re, T *im) {
  switch (r) {
    case 2: NAME(of_two)(re, im); break;
    case 3: NAME(of_three)(re, im); break;
    case 4:
      NAME(of_four)(re, im, 0, 1, 2, 3);
      NAME(swap)(&re[1], &re[2]);
      NAME(swap)(&im[1], &im[2]);
      break;
    case 5: NAME(of_five)(re, im); break;
    case 8: NAME(of_eight)(re, im); break;
  }
}

// Elements `apart` from each other, transformed, multiplied with all but the first of `factors`
// (none of them where there are no factors), and stored.
static INLINE void NAME(step)(int r, const REAL *re, const REAL *im, int64_t apart, REAL *to_re,
                              REAL *to_im, int64_t to_apart, const REAL *factors) {
  T x[8], y[8];
#define EACH(k)                             \
  if (k < r) {                              \
    x[k] = NAME(loaded)(re + (k) * apart);  \
    y[k] = NAME(loaded)(im + (k) * apart);  \
  }
  EACH(0) EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7)
#undef EACH
  NAME(of)(r, x, y);
#define EACH(k)                                                          \
  if (k < r) {                                                           \
    T a = x[k], b = y[k];                                                \
    if (k && factors) {                                                  \
      REAL c = factors[2 * (k) - 2], s = factors[2 * (k) - 1];           \
      T turned = a * c - b * s;                                          \
      b = a * s + b * c, a = turned;                                     \
    }                                                                    \
    NAME(store)(to_re + (k) * to_apart, a);                              \
    NAME(store)(to_im + (k) * to_apart, b);                              \
  }
  EACH(0) EACH(1) EACH(2) EACH(3) EACH(4) EACH(5) EACH(6) EACH(7)
#undef EACH
}

static INLINE void NAME(odd_step)(int64_t r, const REAL *roots, const REAL *re, const REAL *im,
                                  int64_t apart, REAL *to_re, REAL *to_im, int64_t to_apart,
                                  const REAL *factors) {
  T x[ODD_MAX], y[ODD_MAX], u[ODD_MAX], v[ODD_MAX];
  for (int64_t k = 0; k < r; k++)
    x[k] = NAME(loaded)(re + k * apart), y[k] = NAME(loaded)(im + k * apart);
  NAME(of_odd)(r, roots, x, y, u, v);
  for (int64_t k = 0; k < r; k++) {
    T a = u[k], b = v[k];
    if (k && factors) {
      REAL c = factors[2 * k - 2], s = factors[2 * k - 1];
      T turned = a * c - b * s;
      b = a * s + b * c, a = turned;
    }
    NAME(store)(to_re + k * to_apart, a);
    NAME(store)(to_im + k * to_apart, b);
  }
}

#undef T
#undef NAME
