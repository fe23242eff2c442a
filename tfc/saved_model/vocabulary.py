"""What the functions of a saved model may say: tensor ops, and of these what has no effect beyond
the call.

A saved model may come from anybody, so this is a list of what is allowed: kernels (which read and
write memory as they please), calls of Python functions, and ops that nobody has thought about, are
not on it. What is on it checks its operands and attributes in `infer`, and at run time the sizes
and indices that types do not tell. A test names an op that is neither here nor meant to be left
out.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from tfc.ir.copying import unbound_symbols
from tfc.ir.core import Function, Op, Value
from tfc.ir.dtypes import string
from tfc.ir.ops.host_functions import HostEffect, HostFunction, HostRun, NamedRoutine
from tfc.ir.ops.printing import STREAMS, Print

from ..core.tensor import strings
from ..ops.image import files as _images
from ..ops.lookup import mutable as _mutable
from ..ops.lookup import static as _tables
from ..ops.on_host import written
from ..ops.parsing import csv as _csv
from ..ops.parsing import examples as _examples
from ..ops.parsing import tensors as _tensors
from ..ops.signal import wave_files as _sounds
from ..ops.strings import crossing as _crossing
from ..ops.strings import files as _files
from ..ops.strings import hashing as _hashing
from ..ops.strings import parts as _parts
from ..ops.strings import text as _text

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
    multiply_no_nan next_after population_count softplus softsign spence trigamma zeta
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
    matrix_square_root qr singular_values small_cholesky small_determinant small_inverse small_solve
    solve svd triangular_solve tridiagonal_solve
    fft irfft rfft
    random_binomial random_bits random_box random_classes random_gamma random_gamma_grad
    random_permutation random_poisson random_truncated_normal random_unigrams
"""
_CONTROL_FLOW_AND_EFFECTS = """
    call cond custom_gradient growing_while scan while
    check fail print timestamp
"""
_STRINGS = """
    host_effect host_function host_result host_run
"""
OPS = frozenset(
    f"{_ELEMENTWISE}{_SHAPES_AND_PRODUCTS}{_LIBRARIES}{_CONTROL_FLOW_AND_EFFECTS}{_STRINGS}".split()
)
# An element of a tensor of strings is an address. What moves elements, and looks at none, may have
# them; what is not here could make addresses of numbers, whatever its `infer` says of dtypes.
_MOVING = """
    broadcast concat extent_of gather pad reshape reverse same_extent select slice transpose
    update_slice
    call cond print scan while
    host_effect host_function host_result host_run
"""
MOVING = frozenset(_MOVING.split())
# What the host computes for a program: functions of strings and of files' contents, which touch
# nothing else, and what looks into tables or changes them, which are the model's own. Their modules
# are imported above: then they are known by these names.
_HOSTS = (
    *(_crossing, _csv, _examples, _files, _hashing, _images),
    *(_mutable, _parts, _sounds, _tables, _tensors, _text),
)
_ROUTINES = """
    audio.decode_wav audio.encode_wav
    io.decode_bmp io.decode_csv io.decode_gif io.decode_image io.decode_jpeg io.decode_png
    io.decode_raw io.encode_jpeg io.encode_png io.extract_jpeg_shape io.is_jpeg io.parse_example
    io.parse_sequence_example io.parse_single_example io.parse_single_sequence_example
    io.serialize_tensor
    lookup_count lookup_export lookup_find lookup_find_or_hash lookup_insert lookup_remove
    string_arg_sort string_equal string_join string_not_equal string_sort
    strings.as_string strings.bytes_split strings.format strings.join strings.length strings.lower
    strings.ngrams strings.reduce_join strings.regex_full_match strings.regex_replace strings.split
    strings.strip strings.substr strings.to_hash_bucket strings.to_hash_bucket_fast
    strings.to_hash_bucket_strong strings.to_number strings.unicode_decode
    strings.unicode_decode_with_offsets strings.unicode_encode strings.unicode_split
    strings.unicode_split_with_offsets strings.unicode_transcode strings.unsorted_segment_join
    strings.upper
"""
ROUTINES = frozenset(_ROUTINES.split())
# What has a place among effects: calls on tables that change.
TABLES = frozenset(f"lookup_{name}" for name in ("count", "export", "find", "insert", "remove"))


def forbidden(f: Function) -> str | None:
    """Why a function may not be in a saved model, though its ops are known; None where it may."""
    free = unbound_symbols(f)
    if free:
        return f"has the extent {free[0]}, which nothing tells"
    return next((why for op in f.walk() if (why := refusal(op)) is not None), None)


NO_ARGUMENT = "calls the host's function io.read_file for a file that no argument names"


def reads_its_own(f: Function, given: int) -> Op | None:
    """The op with which a function reads a file that its caller has not named; None where there is
    none. So many params, the first, are what callers give; the others are what the model holds."""
    names = set(f.params[:given])
    for op in f.walk():
        path = _path_read(op)
        if path is not None and path not in names:
            return op
        if op.mnemonic in ("reshape", "slice") and op.operands[0] in names:
            names.update(op.results)
    return None


def _path_read(op: Op) -> Value | None:
    """What names the file that an op reads, if it does so and nothing else."""
    if not isinstance(op, HostEffect) or not isinstance(op.routine, NamedRoutine):
        return None
    reads = op.routine.name == "io.read_file" and op.routine.options in _options_with_a_path()
    return op.args[0] if reads and len(op.args) == 1 else None


@cache
def _options_with_a_path() -> frozenset[str]:
    path = strings(np.array(b"", object))
    return frozenset((written((path,), {}, []), written((), {"filename": path}, [])))


def refusal(op: Op) -> str | None:
    """What an op of `OPS` does that it may not do in a saved model; None where there is nothing."""
    if isinstance(op, HostFunction | HostRun) and _path_read(op) is None:
        routine = op.routine
        if not isinstance(routine, NamedRoutine) or routine.name not in ROUTINES:
            return f"calls the host's function {routine.name}"
        if isinstance(op, HostEffect) and routine.name not in TABLES:
            return f"calls the host's function {routine.name} for an effect"
    if any(v.dtype is string for v in (*op.operands, *op.results)) and op.mnemonic not in MOVING:
        return f"has strings, in the op {op.mnemonic}"
    if isinstance(op, Print) and op.stream not in STREAMS:
        return f"prints to the file {op.stream!r}"
    return None
