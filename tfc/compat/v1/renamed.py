"""`tfc.compat.v1`: functions with the arguments that they have in TensorFlow 1, where only order
and names are others."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import tfc as _tfc

from .signatures import functions_of

_ASSERTIONS = "".join(
    f"""assert_{name}({given}, data=None, summarize=None, message=None, name=None) =
    {given.replace(",", "").replace("=None", "")} summarize message name
"""
    for given, names in {
        "x, y": "equal greater greater_equal less less_equal none_equal",
        "x, y, rtol=None, atol=None": "near",
        "x": "negative non_negative non_positive positive",
    }.items()
    for name in names.split()
)
_RANKS = """
assert_rank(x, rank, data=None, summarize=None, message=None, name=None) = x rank message name
assert_rank_at_least(x, rank, data=None, summarize=None, message=None, name=None) =
    x rank message name
assert_rank_in(x, ranks, data=None, summarize=None, message=None, name=None) =
    x ranks message name
assert_scalar(tensor, name=None, message=None) = tensor message name
"""
_TABLE = """
accumulate_n(inputs, shape=None, tensor_dtype=None, name=None) = add_n: inputs
arg_max(input, dimension, output_type=None, name=None) = argmax: input axis=dimension output_type
arg_min(input, dimension, output_type=None, name=None) = argmin: input axis=dimension output_type
batch_to_space_nd(input, block_shape, crops, name=None) = batch_to_space: input block_shape crops
boolean_mask(tensor, mask, name=None, axis=None) = tensor mask axis
cholesky_solve(chol, rhs, name=None) = linalg.cholesky_solve: chol rhs
confusion_matrix(labels, predictions, num_classes=None, dtype=None, name=None, weights=None) =
    math.confusion_matrix: labels predictions num_classes weights dtype
convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None) =
    value dtype dtype_hint=preferred_dtype|dtype_hint name
count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=None, name=None,
    reduction_indices=None, keep_dims=None, input=None) = math.count_nonzero:
    input=input_tensor|input axis=axis|reduction_indices keepdims=keepdims|keep_dims dtype
decode_csv(records, record_defaults, field_delim=',', use_quote_delim=True, name=None,
    na_value='', select_cols=None) = io.decode_csv: records record_defaults field_delim
    use_quote_delim na_value select_cols
decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None) =
    io.decode_raw: input_bytes=input_bytes|bytes out_type little_endian
depth_to_space(input, block_size, name=None, data_format='NHWC') =
    nn.depth_to_space: input block_size data_format
deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None) =
    io.deserialize_many_sparse: serialized_sparse dtype rank
extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None,
    sizes=None) = image.extract_patches: images sizes=ksizes|sizes strides rates padding
fftnd(input, fft_length=None, axes=None, norm=None, name=None) =
    signal.fftnd: input fft_length axes norm
gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=None) =
    params indices axis batch_dims
gather_nd(params, indices, name=None, batch_dims=None, bad_indices_policy=None) =
    params indices batch_dims bad_indices_policy
global_norm(t_list, name=None) = linalg.global_norm: t_list
gradients(ys, xs, grad_ys=None, name=None, colocate_gradients_with_ops=False,
    gate_gradients=False, aggregation_method=None, stop_gradients=None,
    unconnected_gradients=None) = ys xs grad_ys name stop_gradients unconnected_gradients
hessians(ys, xs, name=None, colocate_gradients_with_ops=False, gate_gradients=False,
    aggregation_method=None) = ys xs
ifftnd(input, fft_length=None, axes=None, norm=None, name=None) =
    signal.ifftnd: input fft_length axes norm
irfftnd(input, fft_length=None, axes=None, norm=None, name=None) =
    signal.irfftnd: input fft_length axes norm
is_non_decreasing(x, name=None) = math.is_non_decreasing: x
is_strictly_increasing(x, name=None) = math.is_strictly_increasing: x
lin_space(start, stop, num, name=None, axis=0) = linspace: start stop num axis
matrix_solve_ls(matrix, rhs, l2_regularizer=0.0, fast=True, name=None) =
    linalg.lstsq: matrix rhs l2_regularizer fast
multinomial(logits, num_samples, seed=None, name=None, output_dtype=None) =
    random.categorical: logits num_samples dtype=output_dtype seed
norm(tensor, ord='euclidean', axis=None, keepdims=None, name=None, keep_dims=None) =
    tensor ord axis keepdims=keepdims|keep_dims
ones_like(tensor, dtype=None, name=None, optimize=True) = input=tensor dtype name
pad(tensor, paddings, mode='CONSTANT', name=None, constant_values=None) =
    tensor paddings mode constant_values name
parse_example(serialized, features, name=None, example_names=None) =
    io.parse_example: serialized features example_names
parse_single_example(serialized, features, name=None, example_names=None) =
    io.parse_single_example: serialized features example_names
parse_single_sequence_example(serialized, context_features=None, sequence_features=None,
    example_name=None, name=None) = io.parse_single_sequence_example: serialized
    context_features sequence_features example_name
random_crop(value, size, seed=None, name=None) = image.random_crop: value size seed
random_poisson(lam, shape, dtype=None, seed=None, name=None) =
    random.poisson: shape lam dtype seed
realdiv(x, y, name=None) = divide: x y
reduce_join(inputs, axis=None, keep_dims=None, separator='', name=None, reduction_indices=None,
    keepdims=None) = strings.reduce_join: inputs axis=axis|reduction_indices
    keepdims=keep_dims|keepdims separator
reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None,
    batch_dim=None) = input seq_lengths seq_axis=seq_axis|seq_dim batch_axis=batch_axis|batch_dim
rfftnd(input, fft_length=None, axes=None, norm=None, name=None) =
    signal.rfftnd: input fft_length axes norm
self_adjoint_eigvals(tensor, name=None) = linalg.eigvalsh: tensor
serialize_many_sparse(sp_input, name=None, out_type='string') =
    io.serialize_many_sparse: sp_input out_type
serialize_sparse(sp_input, name=None, out_type='string') = io.serialize_sparse: sp_input out_type
shape(input, name=None, out_type=None) = input out_type name
size(input, name=None, out_type=None) = input out_type name
space_to_depth(input, block_size, name=None, data_format='NHWC') =
    nn.space_to_depth: input block_size data_format
sparse_add(a, b, threshold=None, thresh=None) = sparse.add: a b threshold=threshold|thresh
sparse_concat(axis=None, sp_inputs=None, name=None, expand_nonconcat_dim=None, concat_dim=None,
    expand_nonconcat_dims=None) = sparse.concat: axis=axis|concat_dim sp_inputs
    expand_nonconcat_dims=expand_nonconcat_dim|expand_nonconcat_dims
sparse_reduce_max(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None) =
    sparse.reduce_max: sp_input axis=axis|reduction_axes keepdims=keepdims|keep_dims
sparse_reduce_sum(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None) =
    sparse.reduce_sum: sp_input axis=axis|reduction_axes keepdims=keepdims|keep_dims
sparse_segment_mean(data, indices, segment_ids, name=None, num_segments=None,
    sparse_gradient=False) = sparse.segment_mean: data indices segment_ids num_segments
sparse_segment_sqrt_n(data, indices, segment_ids, name=None, num_segments=None,
    sparse_gradient=False) = sparse.segment_sqrt_n: data indices segment_ids num_segments
sparse_segment_sum(data, indices, segment_ids, name=None, num_segments=None,
    sparse_gradient=False) = sparse.segment_sum: data indices segment_ids num_segments
sparse_split(sp_input=None, num_split=None, axis=None, name=None, split_dim=None) =
    sparse.split: sp_input num_split axis=axis|split_dim
string_length(input, name=None, unit='BYTE') = strings.length: input unit
string_to_hash_bucket(string_tensor=None, num_buckets=None, name=None, input=None) =
    strings.to_hash_bucket: input=string_tensor|input num_buckets
string_to_number(string_tensor=None, out_type=None, name=None, input=None) =
    strings.to_number: input=string_tensor|input out_type
substr(input, pos, len, name=None, unit='BYTE') = strings.substr: input pos len unit
tensor_scatter_update(tensor, indices, updates, name=None) =
    tensor_scatter_nd_update: tensor indices updates
transpose(a, perm=None, name=None, conjugate=False) = a perm conjugate name
tuple(tensors, name=None, control_inputs=None) = tensors control_inputs name
verify_tensor_all_finite(t=None, msg=None, name=None, x=None, message=None) =
    debugging.assert_all_finite: x=t|x message=msg|message
zeros_like(tensor, dtype=None, name=None, optimize=True) = input=tensor dtype name
"""


def made(operation_of: Callable[[Any], Any]) -> dict[str, Callable[..., Any]]:
    """The functions by their names; `operation_of` makes a check what it is in graphs."""
    functions = functions_of(_TABLE, lambda name: attrgetter(name)(_tfc))
    checks = functions_of(
        _ASSERTIONS + _RANKS, lambda name: operation_of(getattr(_tfc.debugging, name))
    )
    return functions | checks


def batch_to_space(
    input: Any,
    crops: Any,
    block_size: Any = None,
    name: str | None = None,
    block_shape: Any = None,
) -> Any:
    """As tfc.batch_to_space, with one size of blocks for rows and columns, or `block_shape`.

    >>> import tfc.compat.v1 as tf
    >>> tf.batch_to_space(tf.ones([4, 2, 2, 1]), [[0, 0], [0, 0]], 2).shape
    TensorShape([1, 4, 4, 1])
    """
    blocks = [block_size, block_size] if block_shape is None else block_shape
    return _tfc.batch_to_space(input, blocks, crops)


__all__ = ["batch_to_space", "made"]
