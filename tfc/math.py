"""`tfc.math`: elementwise maths and reductions."""

from . import special
from .ops.array.counting import bincount, confusion_matrix
from .ops.array.sorting import (
    in_top_k,
    invert_permutation,
    is_non_decreasing,
    is_strictly_increasing,
    top_k,
)
from .ops.math.arithmetic import (
    abs,
    add,
    add_n,
    ceil,
    divide,
    floor,
    floordiv,
    floormod,
    maximum,
    minimum,
    mod,
    multiply,
    negative,
    pow,
    reciprocal,
    round,
    sign,
    square,
    squared_difference,
    subtract,
    truediv,
)
from .ops.math.comparisons import (
    equal,
    greater,
    greater_equal,
    is_finite,
    is_inf,
    is_nan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
)
from .ops.math.complex import angle, conj, imag, real
from .ops.math.cumulative import cumprod, cumsum, cumulative_logsumexp
from .ops.math.elementwise import (
    accumulate_n,
    count_nonzero,
    divide_no_nan,
    log_sigmoid,
    multiply_no_nan,
    nextafter,
    polyval,
    reciprocal_no_nan,
    reduce_euclidean_norm,
    rint,
    scalar_mul,
    xdivy,
    xlog1py,
    xlogy,
)
from .ops.math.reductions import (
    argmax,
    argmin,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_std,
    reduce_sum,
    reduce_variance,
)
from .ops.math.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from .ops.math.special import (
    bessel_i0,
    bessel_i0e,
    bessel_i1,
    bessel_i1e,
    betainc,
    digamma,
    erfcinv,
    erfinv,
    igamma,
    igammac,
    lbeta,
    lgamma,
    ndtri,
    polygamma,
    zeta,
)
from .ops.math.transcendental import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    erf,
    erfc,
    exp,
    expm1,
    log,
    log1p,
    rsqrt,
    sigmoid,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
)
from .ops.nn.activations import softsign
from .ops.nn.basics import log_softmax, softmax, softplus
from .ops.nn.losses import zero_fraction
from .ops.nn.normalization import l2_normalize

__all__ = [name for name in globals() if not name.startswith("_")]
