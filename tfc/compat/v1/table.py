"""The table of functions of `tf.compat.v1` that are called in another way, or have another name, in
TensorFlow 2 (tables.py says how rows are read). `tf` is tfc, and `v1` is tfc.compat.v1.
"""

TABLE = r"""
accumulate_n(inputs, shape=None, tensor_dtype=None, name=None) = tf.add_n(inputs)
batch_to_space_nd(input, block_shape, crops, name=None) = tf.batch_to_space(input, block_shape,
    crops)
cholesky_solve(chol, rhs, name=None) = tf.linalg.cholesky_solve(chol, rhs)
decode_csv(records, record_defaults, field_delim=",", use_quote_delim=True, name=None,
    na_value="", select_cols=None) = tf.io.decode_csv(records, record_defaults, field_delim,
    use_quote_delim, na_value, select_cols)
decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None) =
    tf.io.decode_raw(bytes if input_bytes is None else input_bytes, out_type, little_endian)
depth_to_space(input, block_size, name=None, data_format="NHWC") =
    tf.nn.depth_to_space(input, block_size, data_format)
deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None) =
    tf.io.deserialize_many_sparse(serialized_sparse, dtype, rank)
extract_image_patches(images, ksizes=None, strides=None, rates=None, padding=None, name=None,
    sizes=None) = tf.image.extract_patches(images, sizes if ksizes is None else ksizes, strides,
    rates, padding)
fftnd(input, fft_length=None, axes=None, norm=None, name=None) =
    tf.signal.fftnd(input, fft_length, axes, norm)
global_norm(t_list, name=None) = tf.linalg.global_norm(t_list)
ifftnd(input, fft_length=None, axes=None, norm=None, name=None) =
    tf.signal.ifftnd(input, fft_length, axes, norm)
irfftnd(input, fft_length=None, axes=None, norm=None, name=None) =
    tf.signal.irfftnd(input, fft_length, axes, norm)
is_non_decreasing(x, name=None) = tf.math.is_non_decreasing(x)
is_strictly_increasing(x, name=None) = tf.math.is_strictly_increasing(x)
lin_space(start, stop, num, name=None, axis=0) = tf.linspace(start, stop, num, axis=axis)
matrix_solve_ls(matrix, rhs, l2_regularizer=0.0, fast=True, name=None) =
    tf.linalg.lstsq(matrix, rhs, l2_regularizer, fast)
multinomial(logits, num_samples, seed=None, name=None, output_dtype=None) =
    tf.random.categorical(logits, num_samples, output_dtype or tf.int64, seed)
parse_example(serialized, features, name=None, example_names=None) =
    tf.io.parse_example(serialized, features, example_names)
parse_single_example(serialized, features, name=None, example_names=None) =
    tf.io.parse_single_example(serialized, features, example_names)
parse_single_sequence_example(serialized, context_features=None, sequence_features=None,
    example_name=None, name=None) = tf.io.parse_single_sequence_example(serialized,
    context_features, sequence_features, example_name)
random_crop(value, size, seed=None, name=None) = tf.image.random_crop(value, size, seed)
realdiv(x, y, name=None) = tf.divide(x, y)
rfftnd(input, fft_length=None, axes=None, norm=None, name=None) =
    tf.signal.rfftnd(input, fft_length, axes, norm)
self_adjoint_eigvals(tensor, name=None) = tf.linalg.eigvalsh(tensor)
serialize_many_sparse(sp_input, name=None, out_type=tf.string) =
    tf.io.serialize_many_sparse(sp_input, out_type)
serialize_sparse(sp_input, name=None, out_type=tf.string) =
    tf.io.serialize_sparse(sp_input, out_type)
setdiff1d(x, y, index_dtype=tf.int32, name=None) = tf.raw_ops.ListDiff(x=x, y=y,
    out_idx=index_dtype)
space_to_depth(input, block_size, name=None, data_format="NHWC") =
    tf.nn.space_to_depth(input, block_size, data_format)
sparse_reduce_max(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None) =
    tf.sparse.reduce_max(sp_input, reduction_axes if axis is None else axis,
    bool(keep_dims if keepdims is None else keepdims))
sparse_reduce_sum(sp_input, axis=None, keepdims=None, reduction_axes=None, keep_dims=None) =
    tf.sparse.reduce_sum(sp_input, reduction_axes if axis is None else axis,
    bool(keep_dims if keepdims is None else keepdims))
sparse_segment_mean(data, indices, segment_ids, name=None, num_segments=None,
    sparse_gradient=False) = tf.sparse.segment_mean(data, indices, segment_ids, num_segments)
sparse_segment_sqrt_n(data, indices, segment_ids, name=None, num_segments=None,
    sparse_gradient=False) = tf.sparse.segment_sqrt_n(data, indices, segment_ids, num_segments)
sparse_segment_sum(data, indices, segment_ids, name=None, num_segments=None,
    sparse_gradient=False) = tf.sparse.segment_sum(data, indices, segment_ids, num_segments)
sparse_split(sp_input=None, num_split=None, axis=None, name=None, split_dim=None) =
    tf.sparse.split(sp_input, num_split, split_dim if axis is None else axis)
string_to_hash_bucket(string_tensor=None, num_buckets=None, name=None, input=None) =
    tf.strings.to_hash_bucket(input if string_tensor is None else string_tensor, num_buckets)
tensor_scatter_update(tensor, indices, updates, name=None) =
    tf.tensor_scatter_nd_update(tensor, indices, updates)
to_bfloat16(x, name="ToBFloat16") = tf.cast(x, tf.bfloat16)
to_complex64(x, name="ToComplex64") = tf.cast(x, tf.complex64)
to_complex128(x, name="ToComplex128") = tf.cast(x, tf.complex128)
"""
