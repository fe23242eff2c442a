"""The array API standard, 2024.12 (https://data-apis.org/array-api/2024.12), over tfc's tensors.

`x.__array_namespace__()` returns this module, so that libraries written for the standard take
tensors. Functions, constants, dtypes and the inspection API are there under the standard's names;
dtypes are promoted by its rules inside this namespace, while operators on tensors are
TensorFlow's: operands of two dtypes are an error there.

Differences that the standard allows or that follow from tensors being immutable: `x[i] = y` is a
TypeError (as in JAX), in-place operators bind a new tensor to the name, copies cannot be told from
originals, and the default dtypes are float32, complex64 and int64.

>>> import tfc as tf
>>> xp = tf.constant([1.0]).__array_namespace__()
>>> print(xp.sum(xp.asarray([[1, 2], [3, 4]], dtype=xp.int8), axis=0))
tf.Tensor([4 6], shape=(2,), dtype=int64)
"""

from __future__ import annotations

import math as _math

from tfc.ir.dtypes import bool_ as bool
from tfc.ir.dtypes import (
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

from . import fft, linalg
from ._creation import (
    arange,
    asarray,
    empty,
    empty_like,
    eye,
    from_dlpack,
    full,
    full_like,
    linspace,
    meshgrid,
    ones,
    ones_like,
    tril,
    triu,
    zeros,
    zeros_like,
)
from ._dtypes import (
    __array_namespace_info__,
    astype,
    can_cast,
    finfo,
    iinfo,
    isdtype,
    result_type,
)
from ._elementwise import (
    abs,
    acos,
    acosh,
    add,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    bitwise_and,
    bitwise_invert,
    bitwise_left_shift,
    bitwise_or,
    bitwise_right_shift,
    bitwise_xor,
    ceil,
    clip,
    conj,
    copysign,
    cos,
    cosh,
    divide,
    equal,
    exp,
    expm1,
    floor,
    floor_divide,
    greater,
    greater_equal,
    hypot,
    imag,
    isfinite,
    isinf,
    isnan,
    less,
    less_equal,
    log,
    log1p,
    log2,
    log10,
    logaddexp,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    negative,
    nextafter,
    not_equal,
    positive,
    pow,
    real,
    reciprocal,
    remainder,
    round,
    sign,
    signbit,
    sin,
    sinh,
    sqrt,
    square,
    subtract,
    tan,
    tanh,
    trunc,
)
from ._manipulation import (
    broadcast_arrays,
    broadcast_to,
    concat,
    expand_dims,
    flip,
    matrix_transpose,
    moveaxis,
    permute_dims,
    repeat,
    reshape,
    roll,
    squeeze,
    stack,
    take,
    take_along_axis,
    tile,
    unstack,
)
from ._reductions import (
    all,
    any,
    argmax,
    argmin,
    argsort,
    count_nonzero,
    cumulative_prod,
    cumulative_sum,
    diff,
    max,
    mean,
    min,
    nonzero,
    prod,
    searchsorted,
    sort,
    std,
    sum,
    unique_all,
    unique_counts,
    unique_inverse,
    unique_values,
    var,
    where,
)
from .linalg import matmul, tensordot, vecdot

__array_api_version__ = "2024.12"

e, pi, inf, nan = _math.e, _math.pi, _math.inf, _math.nan
newaxis = None

__all__ = [name for name in globals() if not name.startswith("_") and name != "annotations"]
__all__ += ["__array_api_version__", "__array_namespace_info__"]
