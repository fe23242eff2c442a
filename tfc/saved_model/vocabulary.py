"""What the functions of a saved model may say: tensor ops, and of these what has no effect beyond
the call.

A saved model may come from anybody, so this is a list of what is allowed: kernels (which read and
write memory as they please), calls of Python functions, and ops that nobody has thought about, are
not on it. What is on it checks its operands and attributes in `infer`, and at run time the sizes
and indices that types do not tell. A test names an op that is neither here nor meant to be left
out.
"""

from __future__ import annotations

from tfc.ir.copying import unbound_symbols
from tfc.ir.core import Function
from tfc.ir.dtypes import string
from tfc.ir.ops.printing import STREAMS, Print

_ELEMENTWISE = """
    abs add bitcast bitwise_and bitwise_or bitwise_xor cast ceil complex conj div equal floor
    floor_div floor_mod fma greater greater_equal imag is_nan less less_equal link logical_not
    maximum minimum mul neg not_equal real relu round select shift_left
    shift_right_arithmetic shift_right_logical sign sqrt stop_gradient sub suppress truncate
    acos acosh asin asinh atan atan2 atanh cos cosh erf erfc exp expm1 log log1p pow rsqrt sigmoid
    sin sinh tan tanh
    bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1
    bessel_k1e bessel_y0 bessel_y1 betainc dawsn digamma erfcinv erfinv expint fresnel_cos
    fresnel_sin igamma igamma_derivative igammac lgamma maximum_number minimum_number
    multiply_no_nan next_after softplus softsign spence trigamma zeta
"""
_SHAPES_AND_PRODUCTS = """
    bind_extent broadcast concat constant extent_of iota pad reshape reverse same_extent slice
    transpose
    checked_index gather nonzero scatter scatter_add segment_max segment_min segment_prod
    segment_sum update_slice
    arg_max arg_min arg_sort cum_log_sum_exp cum_max cum_min cum_prod cum_sum invert_permutation
    recurrence reduce_all reduce_any reduce_max reduce_min reduce_prod reduce_sum search_sorted sort
    top_places
    conv matmul max_place max_pool pick unpool
"""
_LIBRARIES = """
    cholesky determinant diagonals eigen eigenvalues from_diagonals hermitian_eigen
    hermitian_eigenvalues inverse log_determinant lu matrix_exponential matrix_logarithm
    matrix_square_root qr singular_values solve svd triangular_solve tridiagonal_solve
    fft irfft rfft
    random_binomial random_bits random_box random_classes random_gamma random_gamma_grad
    random_permutation random_poisson random_unigrams
"""
_CONTROL_FLOW_AND_EFFECTS = """
    call cond custom_gradient growing_while scan while
    check fail print timestamp
"""
OPS = frozenset(
    f"{_ELEMENTWISE}{_SHAPES_AND_PRODUCTS}{_LIBRARIES}{_CONTROL_FLOW_AND_EFFECTS}".split()
)


def forbidden(f: Function) -> str | None:
    """Why a function may not be in a saved model, though its ops are known; None where it may."""
    free = unbound_symbols(f)
    if free:
        return f"nothing tells the extent {free[0]}"
    if any(p.dtype is string for p in f.params):
        return "it takes strings"
    for op in f.walk():
        if any(v.dtype is string for v in (*op.operands, *op.results)):
            return f"it has strings, in the op {op.mnemonic}"
        if isinstance(op, Print) and op.stream not in STREAMS:
            return f"it prints to the file {op.stream!r}"
    return None
