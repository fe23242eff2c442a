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
arg_max(input, dimension, output_type=None, name=None) = argmax: input axis=dimension output_type
arg_min(input, dimension, output_type=None, name=None) = argmin: input axis=dimension output_type
boolean_mask(tensor, mask, name=None, axis=None) = tensor mask axis
confusion_matrix(labels, predictions, num_classes=None, dtype=None, name=None, weights=None) =
    math.confusion_matrix: labels predictions num_classes weights dtype
convert_to_tensor(value, dtype=None, name=None, preferred_dtype=None, dtype_hint=None) =
    value dtype dtype_hint=preferred_dtype|dtype_hint name
count_nonzero(input_tensor=None, axis=None, keepdims=None, dtype=None, name=None,
    reduction_indices=None, keep_dims=None, input=None) = math.count_nonzero:
    input=input_tensor|input axis=axis|reduction_indices keepdims=keepdims|keep_dims dtype
gather(params, indices, validate_indices=None, name=None, axis=None, batch_dims=None) =
    params indices axis batch_dims
gather_nd(params, indices, name=None, batch_dims=None, bad_indices_policy=None) =
    params indices batch_dims bad_indices_policy
gradients(ys, xs, grad_ys=None, name=None, colocate_gradients_with_ops=False,
    gate_gradients=False, aggregation_method=None, stop_gradients=None,
    unconnected_gradients=None) = ys xs grad_ys name stop_gradients unconnected_gradients
hessians(ys, xs, name=None, colocate_gradients_with_ops=False, gate_gradients=False,
    aggregation_method=None) = ys xs
norm(tensor, ord='euclidean', axis=None, keepdims=None, name=None, keep_dims=None) =
    tensor ord axis keepdims=keepdims|keep_dims
ones_like(tensor, dtype=None, name=None, optimize=True) = input=tensor dtype name
pad(tensor, paddings, mode='CONSTANT', name=None, constant_values=None) =
    tensor paddings mode constant_values name
random_poisson(lam, shape, dtype=None, seed=None, name=None) =
    random.poisson: shape lam dtype seed
reduce_join(inputs, axis=None, keep_dims=None, separator='', name=None, reduction_indices=None,
    keepdims=None) = strings.reduce_join: inputs axis=axis|reduction_indices
    keepdims=keep_dims|keepdims separator
reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None, seq_dim=None,
    batch_dim=None) = input seq_lengths seq_axis=seq_axis|seq_dim batch_axis=batch_axis|batch_dim
shape(input, name=None, out_type=None) = input out_type name
size(input, name=None, out_type=None) = input out_type name
sparse_add(a, b, threshold=None, thresh=None) = sparse.add: a b threshold=threshold|thresh
sparse_concat(axis=None, sp_inputs=None, name=None, expand_nonconcat_dim=None, concat_dim=None,
    expand_nonconcat_dims=None) = sparse.concat: axis=axis|concat_dim sp_inputs
    expand_nonconcat_dims=expand_nonconcat_dim|expand_nonconcat_dims
string_length(input, name=None, unit='BYTE') = strings.length: input unit
string_to_number(string_tensor=None, out_type=None, name=None, input=None) =
    strings.to_number: input=string_tensor|input out_type
substr(input, pos, len, name=None, unit='BYTE') = strings.substr: input pos len unit
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
