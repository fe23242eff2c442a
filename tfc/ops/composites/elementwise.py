"""The public functions that compute each element of their result of one element of each operand."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..array import checks, conversion, creation
from ..image import color
from ..math import (
    arithmetic,
    bessel,
    bits,
    clipping,
    comparisons,
    complex,
    elementwise,
    special,
    transcendental,
)
from ..nn import activations, basics, embeddings, losses, normalization
from ..strings import coding, hashing, parts, scripts, text

Function = Callable[..., Any]


def _of(module: Any, names: str) -> list[Function]:
    return [getattr(module, name) for name in names.split()]


UNARY: Sequence[Function] = (
    *_of(
        transcendental,
        "sqrt rsqrt exp expm1 log log1p sigmoid sin cos tan asin acos atan sinh cosh tanh asinh "
        "acosh atanh erf erfc",
    ),
    *_of(arithmetic, "abs negative sign floor ceil round square reciprocal"),
    *_of(comparisons, "is_nan is_inf is_finite logical_not"),
    *_of(bits, "invert"),
    *_of(complex, "conj real imag angle"),
    *_of(elementwise, "reciprocal_no_nan log_sigmoid rint"),
    *_of(
        special,
        "lgamma digamma erfinv erfcinv ndtri dawsn expint fresnel_cos fresnel_sin spence",
    ),
    *_of(
        bessel,
        "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e "
        "bessel_k1 bessel_k1e bessel_y0 bessel_y1",
    ),
    *_of(basics, "relu softplus"),
    *_of(activations, "softsign relu6 leaky_relu elu selu gelu silu"),
    *_of(conversion, "cast saturate_cast bitcast identity stop_gradient"),
    *_of(creation, "zeros_like ones_like"),
    *_of(checks, "check_numerics"),
    *_of(text, "as_string length lower upper strip to_number regex_full_match regex_replace"),
    *_of(coding, "encode_base64 decode_base64 decode_compressed"),
    *_of(scripts, "unicode_script"),
    *_of(hashing, "to_hash_bucket to_hash_bucket_fast to_hash_bucket_strong"),
    *_of(parts, "unicode_transcode"),
    *_of(color, "convert_image_dtype adjust_brightness adjust_gamma"),
)
BINARY: Sequence[Function] = (
    *_of(
        arithmetic,
        "add subtract multiply truediv floordiv floormod maximum minimum pow squared_difference",
    ),
    *_of(transcendental, "atan2"),
    *_of(
        comparisons,
        "equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor",
    ),
    *_of(bits, "bitwise_and bitwise_or bitwise_xor left_shift right_shift"),
    *_of(complex, "complex"),
    *_of(
        elementwise,
        "truncatediv truncatemod divide_no_nan multiply_no_nan xlogy xdivy xlog1py nextafter "
        "scalar_mul",
    ),
    *_of(special, "zeta polygamma igamma igammac"),
    *_of(basics, "sigmoid_cross_entropy_with_logits"),
)
# Of which each element of the result, or a row of them, comes of one element of the first operand.
ALONG_FIRST: Sequence[Function] = (
    *_of(losses, "dropout general_dropout stateless_dropout"),
    normalization.batch_normalization,
    text.substr,
)
ALONG_SECOND: Sequence[Function] = (embeddings.embedding_lookup,)
TERNARY: Sequence[Function] = (clipping.clip_by_value,)

# Which only compare elements of their operands.
ASSERTIONS: Sequence[Function] = (
    *_of(
        checks,
        "assert_equal assert_none_equal assert_less assert_less_equal assert_greater "
        "assert_greater_equal assert_near",
    ),
)
# Which make of each element of the operand a row, of a length of its own.
PARTS: Sequence[Function] = _of(parts, "split bytes_split unicode_split unicode_decode")


@functools.cache
def parameters(function: Function) -> inspect.Signature:
    """The signature that a function was declared with."""
    return inspect.signature(function)


def lifted(
    function: Function,
    over: Callable[[Function, Sequence[Any], str], Any],
    count: int,
    first: int = 0,
) -> Function:
    """`function` with some of its operands, those from `first` on, handed to `over`, which gives
    it others in their place."""
    names = list(parameters(function).parameters)[first : first + count]

    def call(*args: Any, **kwargs: Any) -> Any:
        given = parameters(function).bind(*args, **kwargs).arguments

        def inner(*operands: Any) -> Any:
            return function(**{**given, **dict(zip(names, operands, strict=True))})

        return over(inner, [given[name] for name in names], function.__name__)

    return call
