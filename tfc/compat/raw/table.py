"""The table of `tf.raw_ops`: what each op takes, what its results are called, and what it is here.

    Unique(x, out_idx=tf.int32) -> y idx = tf.unique(x, out_idx)

An op takes its arguments by name. Where it has several results, their names stand behind the
arrow. The expression behind = is evaluated with the arguments; `tf` is tfc, `h` the functions of
parts.py, and `nn_raw` and its like are modules of tfc/ops. Lines that are indented go on.
"""

TABLE = r"""
# Elementwise, of x and y
Abs(x) = tf.abs(x)
Acos(x) = tf.acos(x)
Acosh(x) = tf.acosh(x)
Add(x, y) = tf.add(x, y)
AddV2(x, y) = tf.add(x, y)
Angle(input, Tout=tf.float32) = tf.math.angle(input)
ApproximateEqual(x, y, tolerance=1e-05) = tf.abs(h.of(x) - y) < tf.cast(tolerance, h.of(x).dtype)
Asin(x) = tf.asin(x)
Asinh(x) = tf.asinh(x)
Atan(x) = tf.atan(x)
Atan2(y, x) = tf.atan2(y, x)
Atanh(x) = tf.atanh(x)
BesselI0(x) = tf.math.bessel_i0(x)
BesselI0e(x) = tf.math.bessel_i0e(x)
BesselI1(x) = tf.math.bessel_i1(x)
BesselI1e(x) = tf.math.bessel_i1e(x)
BesselJ0(x) = tf.math.special.bessel_j0(x)
BesselJ1(x) = tf.math.special.bessel_j1(x)
BesselK0(x) = tf.math.special.bessel_k0(x)
BesselK0e(x) = tf.math.special.bessel_k0e(x)
BesselK1(x) = tf.math.special.bessel_k1(x)
BesselK1e(x) = tf.math.special.bessel_k1e(x)
BesselY0(x) = tf.math.special.bessel_y0(x)
BesselY1(x) = tf.math.special.bessel_y1(x)
Betainc(a, b, x) = tf.math.betainc(a, b, x)
Bitcast(input, type) = tf.bitcast(input, type)
BitwiseAnd(x, y) = tf.bitwise.bitwise_and(x, y)
BitwiseOr(x, y) = tf.bitwise.bitwise_or(x, y)
BitwiseXor(x, y) = tf.bitwise.bitwise_xor(x, y)
Cast(x, DstT, Truncate=False) = tf.cast(x, DstT)
Ceil(x) = tf.math.ceil(x)
ClipByValue(t, clip_value_min, clip_value_max) = tf.clip_by_value(t, clip_value_min,
    clip_value_max)
Complex(real, imag, Tout=tf.complex64) = tf.complex(real, imag)
ComplexAbs(x, Tout=tf.float32) = tf.abs(x)
Conj(input) = tf.math.conj(input)
Cos(x) = tf.cos(x)
Cosh(x) = tf.cosh(x)
Dawsn(x) = tf.math.special.dawsn(x)
DeepCopy(x) = tf.identity(x)
Digamma(x) = tf.math.digamma(x)
Div(x, y) = h.div(x, y)
DivNoNan(x, y) = tf.math.divide_no_nan(x, y)
Elu(features) = tf.nn.elu(features)
EluGrad(gradients, outputs) = tf.where(h.of(outputs) < 0, h.of(gradients) * (h.of(outputs) + 1),
    gradients)
Equal(x, y, incompatible_shape_error=True) = tf.equal(x, y) if incompatible_shape_error else
    h.equal_if_shapes(x, y, True)
Erf(x) = tf.math.erf(x)
Erfc(x) = tf.math.erfc(x)
Erfinv(x) = tf.math.erfinv(x)
Exp(x) = tf.exp(x)
Expint(x) = tf.math.special.expint(x)
Expm1(x) = tf.math.expm1(x)
Floor(x) = tf.floor(x)
FloorDiv(x, y) = tf.math.floordiv(x, y)
FloorMod(x, y) = tf.math.floormod(x, y)
FresnelCos(x) = tf.math.special.fresnel_cos(x)
FresnelSin(x) = tf.math.special.fresnel_sin(x)
Greater(x, y) = tf.greater(x, y)
GreaterEqual(x, y) = tf.greater_equal(x, y)
Identity(input) = tf.identity(input)
Igamma(a, x) = tf.math.igamma(a, x)
IgammaGradA(a, x) = math_raw.igamma_gradient(a=a, x=x)
Igammac(a, x) = tf.math.igammac(a, x)
Imag(input, Tout=tf.float32) = tf.math.imag(input)
Inv(x) = tf.math.reciprocal(x)
InvGrad(y, dy) = -h.of(dy) * tf.math.conj(tf.square(y))
Invert(x) = tf.bitwise.invert(x)
InvertPermutation(x) = tf.math.invert_permutation(x)
IsFinite(x) = tf.math.is_finite(x)
IsInf(x) = tf.math.is_inf(x)
IsNan(x) = tf.math.is_nan(x)
L2Loss(t) = tf.nn.l2_loss(t)
LeakyRelu(features, alpha=0.2) = tf.nn.leaky_relu(features, alpha)
LeakyReluGrad(gradients, features, alpha=0.2) = tf.where(h.of(features) > 0, gradients,
    h.of(gradients) * tf.cast(alpha, h.of(gradients).dtype))
LeftShift(x, y) = tf.bitwise.left_shift(x, y)
Less(x, y) = tf.less(x, y)
LessEqual(x, y) = tf.less_equal(x, y)
Lgamma(x) = tf.math.lgamma(x)
Log(x) = tf.math.log(x)
Log1p(x) = tf.math.log1p(x)
LogSoftmax(logits) = tf.nn.log_softmax(logits)
LogicalAnd(x, y) = tf.logical_and(x, y)
LogicalNot(x) = tf.logical_not(x)
LogicalOr(x, y) = tf.logical_or(x, y)
Maximum(x, y) = tf.maximum(x, y)
Minimum(x, y) = tf.minimum(x, y)
Mod(x, y) = tf.truncatemod(x, y)
Mul(x, y) = tf.multiply(x, y)
MulNoNan(x, y) = tf.math.multiply_no_nan(x, y)
Ndtri(x) = tf.math.ndtri(x)
Neg(x) = tf.negative(x)
NextAfter(x1, x2) = tf.math.nextafter(x1, x2)
NotEqual(x, y, incompatible_shape_error=True) = tf.not_equal(x, y) if incompatible_shape_error
    else h.equal_if_shapes(x, y, False)
OnesLike(x) = tf.ones_like(x)
Polygamma(a, x) = tf.math.polygamma(a, x)
PopulationCount(x) = tf.cast(h.population_count(x), tf.uint8)
Pow(x, y) = tf.pow(x, y)
PreventGradient(input, message='') = h.prevent_gradient(input, message)
Real(input, Tout=tf.float32) = tf.math.real(input)
RealDiv(x, y) = tf.truediv(x, y)
Reciprocal(x) = tf.math.reciprocal(x)
ReciprocalGrad(y, dy) = -h.of(dy) * tf.math.conj(tf.square(y))
Relu(features) = tf.nn.relu(features)
Relu6(features) = tf.nn.relu6(features)
Relu6Grad(gradients, features) = tf.where(tf.logical_and(h.of(features) > 0, h.of(features) < 6),
    gradients, tf.zeros_like(gradients))
ReluGrad(gradients, features) = tf.where(h.of(features) > 0, gradients, tf.zeros_like(gradients))
RightShift(x, y) = tf.bitwise.right_shift(x, y)
Rint(x) = tf.math.rint(x)
Round(x) = tf.round(x)
Rsqrt(x) = tf.math.rsqrt(x)
RsqrtGrad(y, dy) = h.of(dy) * -0.5 * tf.math.conj(tf.square(y) * y)
Selu(features) = tf.nn.selu(features)
SeluGrad(gradients, outputs) = tf.where(h.of(outputs) < 0, h.of(gradients) * (h.of(outputs) +
    h.SELU), h.of(gradients) * h.SELU_SCALE)
Sigmoid(x) = tf.sigmoid(x)
SigmoidGrad(y, dy) = h.of(dy) * tf.math.conj(h.of(y) * (1 - h.of(y)))
Sign(x) = tf.sign(x)
Sin(x) = tf.sin(x)
Sinh(x) = tf.sinh(x)
Snapshot(input) = tf.identity(input)
Softmax(logits) = tf.nn.softmax(logits)
Softplus(features) = tf.nn.softplus(features)
SoftplusGrad(gradients, features) = h.of(gradients) * tf.sigmoid(features)
Softsign(features) = tf.nn.softsign(features)
SoftsignGrad(gradients, features) = h.of(gradients) / tf.square(1 + tf.abs(features))
Spence(x) = tf.math.special.spence(x)
Sqrt(x) = tf.sqrt(x)
SqrtGrad(y, dy) = h.of(dy) * 0.5 / tf.math.conj(y)
Square(x) = tf.square(x)
SquaredDifference(x, y) = tf.math.squared_difference(x, y)
StopGradient(input) = tf.stop_gradient(input)
Sub(x, y) = tf.subtract(x, y)
Tan(x) = tf.tan(x)
Tanh(x) = tf.tanh(x)
TanhGrad(y, dy) = h.of(dy) * tf.math.conj(1 - tf.square(y))
ToBool(input) = h.to_bool(input)
TruncateDiv(x, y) = tf.truncatediv(x, y)
TruncateMod(x, y) = tf.truncatemod(x, y)
Xdivy(x, y) = tf.math.xdivy(x, y)
Xlog1py(x, y) = tf.math.xlog1py(x, y)
Xlogy(x, y) = tf.math.xlogy(x, y)
ZerosLike(x) = tf.zeros_like(x)
Zeta(x, q) = tf.math.zeta(x, q)
# Products and sums
AccumulateNV2(inputs, shape) = tf.add_n(inputs)
AddN(inputs) = tf.add_n(inputs)
All(input, axis, keep_dims=False) = tf.reduce_all(input, axis, keep_dims)
Any(input, axis, keep_dims=False) = tf.reduce_any(input, axis, keep_dims)
ApproxTopK(input, k, reduction_dimension=-1, recall_target=0.95, is_max_k=True,
    reduction_input_size_override=-1, aggregate_to_topk=True) -> values indices =
    h.approximate(input, k, reduction_dimension, is_max_k)
ArgMax(input, dimension, output_type=tf.int64) = tf.argmax(input, dimension, output_type)
ArgMin(input, dimension, output_type=tf.int64) = tf.argmin(input, dimension, output_type)
BatchMatMul(x, y, adj_x=False, adj_y=False, grad_x=False, grad_y=False) = tf.matmul(x, y,
    adjoint_a=adj_x, adjoint_b=adj_y)
BatchMatMulV2(x, y, adj_x=False, adj_y=False, grad_x=False, grad_y=False) = tf.matmul(x, y,
    adjoint_a=adj_x, adjoint_b=adj_y)
BatchMatMulV3(x, y, Tout, adj_x=False, adj_y=False, grad_x=False, grad_y=False) = tf.matmul(x, y,
    adjoint_a=adj_x, adjoint_b=adj_y, output_type=Tout)
Bincount(arr, size, weights) = tf.math.bincount(arr, h.weights(weights), size, size,
    dtype=h.of(weights).dtype)
Bucketize(input, boundaries) = h.buckets(input, boundaries)
Cross(a, b) = tf.linalg.cross(a, b)
Cumprod(x, axis, exclusive=False, reverse=False) = tf.math.cumprod(x, axis, exclusive, reverse)
Cumsum(x, axis, exclusive=False, reverse=False) = tf.cumsum(x, axis, exclusive, reverse)
CumulativeLogsumexp(x, axis, exclusive=False, reverse=False) = tf.math.cumulative_logsumexp(x,
    axis, exclusive, reverse)
DenseBincount(input, size, weights, binary_output=False) = h.bincount(input, size, weights,
    binary_output)
Einsum(inputs, equation) = tf.einsum(equation, *inputs)
EuclideanNorm(input, axis, keep_dims=False) = tf.math.reduce_euclidean_norm(input, axis,
    keep_dims)
HistogramFixedWidth(values, value_range, nbins, dtype=tf.int32) = tf.histogram_fixed_width(values,
    value_range, nbins, dtype)
InTopK(predictions, targets, k) = tf.math.in_top_k(targets, predictions, k)
InTopKV2(predictions, targets, k) = tf.math.in_top_k(targets, predictions, k)
IsotonicRegression(input, output_dtype=tf.float32) -> output segments = h.isotonic(input,
    output_dtype)
LowerBound(sorted_inputs, values, out_type=tf.int32) = tf.searchsorted(sorted_inputs, values,
    "left", out_type)
MatMul(a, b, transpose_a=False, transpose_b=False, grad_a=False, grad_b=False) = tf.matmul(a, b,
    transpose_a, transpose_b)
Max(input, axis, keep_dims=False) = tf.reduce_max(input, axis, keep_dims)
Mean(input, axis, keep_dims=False) = tf.reduce_mean(input, axis, keep_dims)
Min(input, axis, keep_dims=False) = tf.reduce_min(input, axis, keep_dims)
NthElement(input, n, reverse=False) = tf.nn.nth_element(input, n, reverse)
Prod(input, axis, keep_dims=False) = tf.reduce_prod(input, axis, keep_dims)
SegmentMax(data, segment_ids) = tf.math.segment_max(data, segment_ids)
SegmentMaxV2(data, segment_ids, num_segments) = h.segments("segment_max_v2", data, segment_ids,
    num_segments)
SegmentMean(data, segment_ids) = tf.math.segment_mean(data, segment_ids)
SegmentMin(data, segment_ids) = tf.math.segment_min(data, segment_ids)
SegmentMinV2(data, segment_ids, num_segments) = h.segments("segment_min_v2", data, segment_ids,
    num_segments)
SegmentProd(data, segment_ids) = tf.math.segment_prod(data, segment_ids)
SegmentProdV2(data, segment_ids, num_segments) = h.segments("segment_prod_v2", data, segment_ids,
    num_segments)
SegmentSum(data, segment_ids) = tf.math.segment_sum(data, segment_ids)
SegmentSumV2(data, segment_ids, num_segments) = h.segments("segment_sum_v2", data, segment_ids,
    num_segments)
SparseMatMul(a, b, transpose_a=False, transpose_b=False, a_is_sparse=False, b_is_sparse=False) =
    tf.matmul(a, b, transpose_a, transpose_b)
SparseSegmentMean(data, indices, segment_ids, sparse_gradient=False) =
    tf.sparse.segment_mean(data, indices, segment_ids)
SparseSegmentMeanGrad(grad, indices, segment_ids, output_dim0) = h.slope(lambda x:
    tf.sparse.segment_mean(x, indices, segment_ids), h.rows(output_dim0, grad), grad)
SparseSegmentMeanWithNumSegments(data, indices, segment_ids, num_segments, sparse_gradient=False)
    = tf.sparse.segment_mean(data, indices, segment_ids, num_segments)
SparseSegmentSqrtN(data, indices, segment_ids, sparse_gradient=False) =
    tf.sparse.segment_sqrt_n(data, indices, segment_ids)
SparseSegmentSqrtNGrad(grad, indices, segment_ids, output_dim0) = h.slope(lambda x:
    tf.sparse.segment_sqrt_n(x, indices, segment_ids), h.rows(output_dim0, grad), grad)
SparseSegmentSqrtNWithNumSegments(data, indices, segment_ids, num_segments, sparse_gradient=False)
    = tf.sparse.segment_sqrt_n(data, indices, segment_ids, num_segments)
SparseSegmentSum(data, indices, segment_ids, sparse_gradient=False) = tf.sparse.segment_sum(data,
    indices, segment_ids)
SparseSegmentSumGrad(grad, indices, segment_ids, output_dim0) = h.slope(lambda x:
    tf.sparse.segment_sum(x, indices, segment_ids), h.rows(output_dim0, grad), grad)
SparseSegmentSumWithNumSegments(data, indices, segment_ids, num_segments, sparse_gradient=False) =
    tf.sparse.segment_sum(data, indices, segment_ids, num_segments)
Sum(input, axis, keep_dims=False) = tf.reduce_sum(input, axis, keep_dims)
TopK(input, k, sorted=True) -> values indices = tf.math.top_k(input, k, sorted)
TopKV2(input, k, sorted=True, index_type=tf.int32) -> values indices = tf.math.top_k(input, k,
    sorted)
UnsortedSegmentMax(data, segment_ids, num_segments) = tf.math.unsorted_segment_max(data,
    segment_ids, num_segments)
UnsortedSegmentMin(data, segment_ids, num_segments) = tf.math.unsorted_segment_min(data,
    segment_ids, num_segments)
UnsortedSegmentProd(data, segment_ids, num_segments) = tf.math.unsorted_segment_prod(data,
    segment_ids, num_segments)
UnsortedSegmentSum(data, segment_ids, num_segments) = tf.math.unsorted_segment_sum(data,
    segment_ids, num_segments)
UpperBound(sorted_inputs, values, out_type=tf.int32) = tf.searchsorted(sorted_inputs, values,
    "right", out_type)
# Shapes and places
Assert(condition, data, summarize=3) = tf.debugging.Assert(condition, data, summarize)
BatchToSpace(input, crops, block_size) = tf.batch_to_space(input, [block_size, block_size], crops)
BatchToSpaceND(input, block_shape, crops) = tf.batch_to_space(input, block_shape, crops)
BroadcastArgs(s0, s1) = tf.broadcast_dynamic_shape(s0, s1)
BroadcastGradientArgs(s0, s1) -> r0 r1 = array_raw.broadcast_gradient_args(s0=s0, s1=s1)
BroadcastTo(input, shape) = tf.broadcast_to(input, shape)
CheckNumerics(tensor, message) = tf.debugging.check_numerics(tensor, message)
CheckNumericsV2(tensor, message) = tf.debugging.check_numerics(tensor, message)
Concat(concat_dim, values) = tf.concat(values, concat_dim)
ConcatOffset(concat_dim, shape) = h.concat_offset(concat_dim, shape)
ConcatV2(values, axis) = tf.concat(values, axis)
ConjugateTranspose(x, perm) = tf.transpose(x, perm, conjugate=True)
DataFormatDimMap(x, src_format='NHWC', dst_format='NCHW') =
    tf.gather(tf.constant(h.dim_map(src_format, dst_format), h.of(x).dtype), tf.math.floormod(x,
    len(src_format)))
DataFormatVecPermute(x, src_format='NHWC', dst_format='NCHW') = tf.gather(x,
    h.vec_permute(src_format, dst_format, h.of(x)))
DepthToSpace(input, block_size, data_format='NHWC') = tf.nn.depth_to_space(input, block_size,
    data_format)
DynamicPartition(data, partitions, num_partitions) = tf.dynamic_partition(data, partitions,
    num_partitions)
DynamicStitch(indices, data) = tf.dynamic_stitch(indices, data)
Empty(shape, dtype, init=False) = tf.zeros(shape, dtype)
EnsureShape(input, shape) = tf.ensure_shape(input, shape)
ExpandDims(input, axis) = tf.expand_dims(input, axis)
Fill(dims, value) = tf.fill(dims, value)
Gather(params, indices, validate_indices=True) = tf.gather(params, indices)
GatherNd(params, indices, bad_indices_policy='') = tf.gather_nd(params, indices)
GatherV2(params, indices, axis, batch_dims=0) = tf.gather(params, indices, axis=axis,
    batch_dims=batch_dims)
GuaranteeConst(input) = tf.guarantee_const(input)
IdentityN(input) = tf.identity_n(input)
InplaceAdd(x, i, v) = tf.tensor_scatter_nd_add(x, tf.reshape(i, [-1, 1]), v)
InplaceSub(x, i, v) = tf.tensor_scatter_nd_sub(x, tf.reshape(i, [-1, 1]), v)
InplaceUpdate(x, i, v) = tf.tensor_scatter_nd_update(x, tf.reshape(i, [-1, 1]), v)
LinSpace(start, stop, num) = tf.linspace(start, stop, num)
ListDiff(x, y, out_idx=tf.int32) -> out idx = tf.setdiff1d(x, y, out_idx)
MirrorPad(input, paddings, mode) = tf.pad(input, paddings, mode)
MirrorPadGrad(input, paddings, mode) = h.slope(lambda x: tf.pad(x, paddings, mode),
    h.inside(input, paddings), input)
NoOp() = tf.no_op()
OneHot(indices, depth, on_value, off_value, axis=-1) = tf.one_hot(indices, depth, on_value,
    off_value, axis)
Pack(values, axis=0) = tf.stack(values, axis)
Pad(input, paddings) = tf.pad(input, paddings)
PadV2(input, paddings, constant_values) = tf.pad(input, paddings, constant_values=constant_values)
ParallelConcat(values, shape) = tf.reshape(tf.concat(values, 0), shape)
ParallelDynamicStitch(indices, data) = tf.dynamic_stitch(indices, data)
Range(start, limit, delta) = tf.range(start, limit, delta)
Rank(input) = tf.rank(input)
Reshape(tensor, shape) = tf.reshape(tensor, shape)
Reverse(tensor, dims) = tf.reverse(tensor, tf.reshape(tf.where(dims), [-1]))
ReverseSequence(input, seq_lengths, seq_dim, batch_dim=0) = tf.reverse_sequence(input,
    seq_lengths, seq_dim, batch_dim)
ReverseV2(tensor, axis) = tf.reverse(tensor, axis)
Roll(input, shift, axis) = tf.roll(input, shift, axis)
ScatterNd(indices, updates, shape, bad_indices_policy='') = tf.scatter_nd(indices, updates, shape)
ScatterNdNonAliasingAdd(input, indices, updates, bad_indices_policy='') =
    tf.tensor_scatter_nd_add(input, indices, updates)
Select(condition, x, y) = h.select(condition, x, y)
SelectV2(condition, t, e) = tf.where(condition, t, e)
Shape(input, out_type=tf.int32) = tf.shape(input, out_type)
ShapeN(input, out_type=tf.int32) = [tf.shape(x, out_type) for x in input]
Size(input, out_type=tf.int32) = tf.size(input, out_type)
Slice(input, begin, size) = tf.slice(input, begin, size)
SpaceToBatch(input, paddings, block_size) = tf.space_to_batch(input, [block_size, block_size],
    paddings)
SpaceToBatchND(input, block_shape, paddings) = tf.space_to_batch(input, block_shape, paddings)
SpaceToDepth(input, block_size, data_format='NHWC') = tf.nn.space_to_depth(input, block_size,
    data_format)
Split(axis, value, num_split) = tf.split(value, num_split, axis)
SplitV(value, size_splits, axis, num_split) = tf.split(value, size_splits, axis, num_split)
Squeeze(input, axis=[]) = tf.squeeze(input, axis or None)
StridedSlice(input, begin, end, strides, begin_mask=0, end_mask=0, ellipsis_mask=0,
    new_axis_mask=0, shrink_axis_mask=0) = tf.strided_slice(input, begin, end, strides,
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
StridedSliceGrad(shape, begin, end, strides, dy, begin_mask=0, end_mask=0, ellipsis_mask=0,
    new_axis_mask=0, shrink_axis_mask=0) = h.slope(lambda x: tf.strided_slice(x, begin, end,
    strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask),
    tf.zeros(shape, h.of(dy).dtype), dy)
TensorScatterAdd(tensor, indices, updates, bad_indices_policy='') =
    tf.tensor_scatter_nd_add(tensor, indices, updates)
TensorScatterMax(tensor, indices, updates, bad_indices_policy='') =
    tf.tensor_scatter_nd_max(tensor, indices, updates)
TensorScatterMin(tensor, indices, updates, bad_indices_policy='') =
    tf.tensor_scatter_nd_min(tensor, indices, updates)
TensorScatterSub(tensor, indices, updates, bad_indices_policy='') =
    tf.tensor_scatter_nd_sub(tensor, indices, updates)
TensorScatterUpdate(tensor, indices, updates, bad_indices_policy='') =
    tf.tensor_scatter_nd_update(tensor, indices, updates)
Tile(input, multiples) = tf.tile(input, multiples)
Timestamp() = tf.timestamp()
Transpose(x, perm) = tf.transpose(x, perm)
Unique(x, out_idx=tf.int32) -> y idx = tf.unique(x, out_idx)
UniqueV2(x, axis, out_idx=tf.int32) -> y idx = h.unique(x, axis, out_idx)
UniqueWithCounts(x, out_idx=tf.int32) -> y idx count = tf.unique_with_counts(x, out_idx)
UniqueWithCountsV2(x, axis, out_idx=tf.int32) -> y idx count = array_raw.unique_with_counts(x=x,
    axis=axis, out_idx=out_idx)
Unpack(value, num, axis=0) = tf.unstack(value, num, axis)
UnravelIndex(indices, dims) = tf.unravel_index(indices, dims)
Where(condition) = tf.where(condition)
# Matrices
BandedTriangularSolve(matrix, rhs, lower=True, adjoint=False) =
    tf.linalg.banded_triangular_solve(matrix, rhs, lower, adjoint)
BatchCholesky(input) = tf.linalg.cholesky(input)
BatchMatrixBandPart(input, num_lower, num_upper) = tf.linalg.band_part(input, num_lower,
    num_upper)
BatchMatrixDeterminant(input) = tf.linalg.det(input)
BatchMatrixDiag(diagonal) = tf.linalg.diag(diagonal)
BatchMatrixDiagPart(input) = tf.linalg.diag_part(input)
BatchMatrixInverse(input, adjoint=False) = tf.linalg.inv(input, adjoint)
BatchMatrixSetDiag(input, diagonal) = tf.linalg.set_diag(input, diagonal)
BatchMatrixSolve(matrix, rhs, adjoint=False) = tf.linalg.solve(matrix, rhs, adjoint)
BatchMatrixSolveLs(matrix, rhs, l2_regularizer, fast=True) = tf.linalg.lstsq(matrix, rhs,
    l2_regularizer, fast)
BatchMatrixTriangularSolve(matrix, rhs, lower=True, adjoint=False) =
    tf.linalg.triangular_solve(matrix, rhs, lower, adjoint)
BatchSelfAdjointEigV2(input, compute_v=True) -> e v = h.eigh(input, compute_v)
Cholesky(input) = tf.linalg.cholesky(input)
CholeskyGrad(l, grad) = h.cholesky_gradient(l, grad)
Diag(diagonal) = tf.linalg.tensor_diag(diagonal)
DiagPart(input) = tf.linalg.tensor_diag_part(input)
Eig(input, Tout, compute_v=True) -> e v = h.eig(input, Tout, compute_v)
LogMatrixDeterminant(input) -> sign log_abs_determinant = tf.linalg.slogdet(input)
Lu(input, output_idx_type=tf.int32) -> lu p = tf.linalg.lu(input, output_idx_type)
MatrixBandPart(input, num_lower, num_upper) = tf.linalg.band_part(input, num_lower, num_upper)
MatrixDeterminant(input) = tf.linalg.det(input)
MatrixDiag(diagonal) = tf.linalg.diag(diagonal)
MatrixDiagPart(input) = tf.linalg.diag_part(input)
MatrixDiagPartV2(input, k, padding_value) = tf.linalg.diag_part(input, k=h.diagonals(k),
    padding_value=padding_value, align="LEFT_LEFT")
MatrixDiagPartV3(input, k, padding_value, align='RIGHT_LEFT') = tf.linalg.diag_part(input,
    k=h.diagonals(k), padding_value=padding_value, align=align)
MatrixDiagV2(diagonal, k, num_rows, num_cols, padding_value) = tf.linalg.diag(diagonal,
    k=h.diagonals(k), num_rows=num_rows, num_cols=num_cols, padding_value=padding_value,
    align="LEFT_LEFT")
MatrixDiagV3(diagonal, k, num_rows, num_cols, padding_value, align='RIGHT_LEFT') =
    tf.linalg.diag(diagonal, k=h.diagonals(k), num_rows=num_rows, num_cols=num_cols,
    padding_value=padding_value, align=align)
MatrixExponential(input) = tf.linalg.expm(input)
MatrixInverse(input, adjoint=False) = tf.linalg.inv(input, adjoint)
MatrixLogarithm(input) = tf.linalg.logm(input)
MatrixSetDiag(input, diagonal) = tf.linalg.set_diag(input, diagonal)
MatrixSetDiagV2(input, diagonal, k) = tf.linalg.set_diag(input, diagonal, k=h.diagonals(k),
    align="LEFT_LEFT")
MatrixSetDiagV3(input, diagonal, k, align='RIGHT_LEFT') = tf.linalg.set_diag(input, diagonal,
    k=h.diagonals(k), align=align)
MatrixSolve(matrix, rhs, adjoint=False) = tf.linalg.solve(matrix, rhs, adjoint)
MatrixSolveLs(matrix, rhs, l2_regularizer, fast=True) = tf.linalg.lstsq(matrix, rhs,
    l2_regularizer, fast)
MatrixSquareRoot(input) = tf.linalg.sqrtm(input)
MatrixTriangularSolve(matrix, rhs, lower=True, adjoint=False) = tf.linalg.triangular_solve(matrix,
    rhs, lower, adjoint)
Qr(input, full_matrices=False) -> q r = tf.linalg.qr(input, full_matrices)
SelfAdjointEigV2(input, compute_v=True) -> e v = h.eigh(input, compute_v)
Svd(input, compute_uv=True, full_matrices=False) -> s u v = h.svd(input, compute_uv,
    full_matrices)
TridiagonalMatMul(superdiag, maindiag, subdiag, rhs) =
    tf.linalg.tridiagonal_matmul(tuple(tf.squeeze(d, -2) for d in (superdiag, maindiag, subdiag)),
    rhs, "sequence")
TridiagonalSolve(diagonals, rhs, partial_pivoting=True, perturb_singular=False) =
    tf.linalg.tridiagonal_solve(diagonals, rhs, partial_pivoting=partial_pivoting,
    perturb_singular=perturb_singular)
# Fourier transforms
BatchFFT(input) = tf.signal.fft(input)
BatchFFT2D(input) = tf.signal.fft2d(input)
BatchFFT3D(input) = tf.signal.fft3d(input)
BatchIFFT(input) = tf.signal.ifft(input)
BatchIFFT2D(input) = tf.signal.ifft2d(input)
BatchIFFT3D(input) = tf.signal.ifft3d(input)
FFT(input) = tf.signal.fft(input)
FFT2D(input) = tf.signal.fft2d(input)
FFT3D(input) = tf.signal.fft3d(input)
IFFT(input) = tf.signal.ifft(input)
IFFT2D(input) = tf.signal.ifft2d(input)
IFFT3D(input) = tf.signal.ifft3d(input)
IRFFT(input, fft_length, Treal=tf.float32) = tf.signal.irfft(input, fft_length)
IRFFT2D(input, fft_length, Treal=tf.float32) = tf.signal.irfft2d(input, fft_length)
IRFFT3D(input, fft_length, Treal=tf.float32) = tf.signal.irfft3d(input, fft_length)
RFFT(input, fft_length, Tcomplex=tf.complex64) = tf.signal.rfft(input, fft_length)
RFFT2D(input, fft_length, Tcomplex=tf.complex64) = tf.signal.rfft2d(input, fft_length)
RFFT3D(input, fft_length, Tcomplex=tf.complex64) = tf.signal.rfft3d(input, fft_length)
# Networks
AvgPool(value, ksize, strides, padding, data_format='NHWC') = tf.nn.avg_pool2d(value, ksize,
    strides, padding, data_format)
AvgPool3D(input, ksize, strides, padding, data_format='NDHWC') = tf.nn.avg_pool3d(input, ksize,
    strides, padding, data_format)
AvgPool3DGrad(orig_input_shape, grad, ksize, strides, padding, data_format='NDHWC') =
    h.slope(lambda x: tf.nn.avg_pool3d(x, ksize, strides, padding, data_format),
    tf.zeros(orig_input_shape, h.of(grad).dtype), grad)
AvgPoolGrad(orig_input_shape, grad, ksize, strides, padding, data_format='NHWC') = h.slope(lambda
    x: tf.nn.avg_pool2d(x, ksize, strides, padding, data_format), tf.zeros(orig_input_shape,
    h.of(grad).dtype), grad)
BiasAdd(value, bias, data_format='NHWC') = tf.nn.bias_add(value, bias, data_format)
BiasAddGrad(out_backprop, data_format='NHWC') = h.bias_gradient(out_backprop, data_format)
BiasAddV1(value, bias) = tf.nn.bias_add(value, bias)
BlockLSTM(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, forget_bias=1, cell_clip=3,
    use_peephole=False) -> i cs f o ci co h = nn_raw.block_lstm(seq_len_max=seq_len_max, x=x,
    cs_prev=cs_prev, h_prev=h_prev, w=w, wci=wci, wcf=wcf, wco=wco, b=b, forget_bias=forget_bias,
    cell_clip=cell_clip, use_peephole=use_peephole)
BlockLSTMV2(seq_len_max, x, cs_prev, h_prev, w, wci, wcf, wco, b, cell_clip=0, use_peephole=False)
    -> i cs f o ci co h = nn_raw.block_lstm_v2(seq_len_max=seq_len_max, x=x, cs_prev=cs_prev,
    h_prev=h_prev, w=w, wci=wci, wcf=wcf, wco=wco, b=b, cell_clip=cell_clip,
    use_peephole=use_peephole)
CTCBeamSearchDecoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=True) ->
    decoded_indices decoded_values decoded_shape log_probability = h.beams(inputs,
    sequence_length, beam_width, top_paths, merge_repeated)
CTCGreedyDecoder(inputs, sequence_length, merge_repeated=False, blank_index=-1) -> decoded_indices
    decoded_values decoded_shape log_probability = h.greedy(inputs, sequence_length,
    merge_repeated, blank_index)
ComputeAccidentalHits(true_classes, sampled_candidates, num_true, seed=0, seed2=0) -> indices ids
    weights = tf.nn.compute_accidental_hits(true_classes, sampled_candidates, num_true)
Conv2D(input, filter, strides, padding, use_cudnn_on_gpu=True, explicit_paddings=[],
    data_format='NHWC', dilations=[1, 1, 1, 1]) = tf.nn.conv2d(input, filter, strides,
    h.padding(padding, explicit_paddings), data_format, dilations)
Conv2DBackpropFilter(input, filter_sizes, out_backprop, strides, padding, use_cudnn_on_gpu=True,
    explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1]) = h.slope(lambda w:
    tf.nn.conv2d(input, w, strides, h.padding(padding, explicit_paddings), data_format,
    dilations), tf.zeros(filter_sizes, h.of(out_backprop).dtype), out_backprop)
Conv2DBackpropFilterV2(input, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True,
    explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1]) = h.slope(lambda w:
    tf.nn.conv2d(input, w, strides, h.padding(padding, explicit_paddings), data_format,
    dilations), tf.zeros_like(filter), out_backprop)
Conv2DBackpropInput(input_sizes, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True,
    explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1]) = h.slope(lambda x:
    tf.nn.conv2d(x, filter, strides, h.padding(padding, explicit_paddings), data_format,
    dilations), tf.zeros(input_sizes, h.of(out_backprop).dtype), out_backprop)
Conv2DBackpropInputV2(input, filter, out_backprop, strides, padding, use_cudnn_on_gpu=True,
    explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1]) = h.slope(lambda x:
    tf.nn.conv2d(x, filter, strides, h.padding(padding, explicit_paddings), data_format,
    dilations), tf.zeros_like(input), out_backprop)
Conv3D(input, filter, strides, padding, data_format='NDHWC', dilations=[1, 1, 1, 1, 1]) =
    tf.nn.conv3d(input, filter, strides, padding, data_format, dilations)
Conv3DBackpropFilter(input, filter, out_backprop, strides, padding, dilations=[1, 1, 1, 1, 1]) =
    h.slope(lambda w: tf.nn.conv3d(input, w, strides, padding, dilations=dilations),
    tf.zeros_like(filter), out_backprop)
Conv3DBackpropFilterV2(input, filter_sizes, out_backprop, strides, padding, data_format='NDHWC',
    dilations=[1, 1, 1, 1, 1]) = h.slope(lambda w: tf.nn.conv3d(input, w, strides, padding,
    data_format, dilations), tf.zeros(filter_sizes, h.of(out_backprop).dtype), out_backprop)
Conv3DBackpropInput(input, filter, out_backprop, strides, padding, dilations=[1, 1, 1, 1, 1]) =
    h.slope(lambda x: tf.nn.conv3d(x, filter, strides, padding, dilations=dilations),
    tf.zeros_like(input), out_backprop)
Conv3DBackpropInputV2(input_sizes, filter, out_backprop, strides, padding, data_format='NDHWC',
    dilations=[1, 1, 1, 1, 1]) = h.slope(lambda x: tf.nn.conv3d(x, filter, strides, padding,
    data_format, dilations), tf.zeros(input_sizes, h.of(out_backprop).dtype), out_backprop)
DepthwiseConv2dNative(input, filter, strides, padding, explicit_paddings=[], data_format='NHWC',
    dilations=[1, 1, 1, 1]) = tf.nn.depthwise_conv2d(input, filter, strides, h.padding(padding,
    explicit_paddings), data_format, h.spatial(dilations, data_format))
DepthwiseConv2dNativeBackpropFilter(input, filter_sizes, out_backprop, strides, padding,
    explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1]) =
    tf.nn.depthwise_conv2d_backprop_filter(input, filter_sizes, out_backprop, strides,
    h.padding(padding, explicit_paddings), data_format, dilations)
DepthwiseConv2dNativeBackpropInput(input_sizes, filter, out_backprop, strides, padding,
    explicit_paddings=[], data_format='NHWC', dilations=[1, 1, 1, 1]) =
    tf.nn.depthwise_conv2d_backprop_input(input_sizes, filter, out_backprop, strides,
    h.padding(padding, explicit_paddings), data_format, dilations)
Dilation2D(input, filter, strides, rates, padding) = tf.nn.dilation2d(input, filter, strides,
    padding, "NHWC", rates)
Dilation2DBackpropFilter(input, filter, out_backprop, strides, rates, padding) = h.slope(lambda w:
    tf.nn.dilation2d(input, w, strides, padding, "NHWC", rates), filter, out_backprop)
Dilation2DBackpropInput(input, filter, out_backprop, strides, rates, padding) = h.slope(lambda x:
    tf.nn.dilation2d(x, filter, strides, padding, "NHWC", rates), input, out_backprop)
FakeQuantWithMinMaxArgs(inputs, min=-6, max=6, num_bits=8, narrow_range=False) =
    tf.quantization.fake_quant_with_min_max_args(inputs, min, max, num_bits, narrow_range)
FakeQuantWithMinMaxArgsGradient(gradients, inputs, min=-6, max=6, num_bits=8, narrow_range=False)
    = tf.quantization.fake_quant_with_min_max_args_gradient(gradients, inputs, min, max, num_bits,
    narrow_range)
FakeQuantWithMinMaxVars(inputs, min, max, num_bits=8, narrow_range=False) =
    tf.quantization.fake_quant_with_min_max_vars(inputs, min, max, num_bits, narrow_range)
FakeQuantWithMinMaxVarsGradient(gradients, inputs, min, max, num_bits=8, narrow_range=False) ->
    backprops_wrt_input backprop_wrt_min backprop_wrt_max =
    tf.quantization.fake_quant_with_min_max_vars_gradient(gradients, inputs, min, max, num_bits,
    narrow_range)
FakeQuantWithMinMaxVarsPerChannel(inputs, min, max, num_bits=8, narrow_range=False) =
    tf.quantization.fake_quant_with_min_max_vars_per_channel(inputs, min, max, num_bits,
    narrow_range)
FakeQuantWithMinMaxVarsPerChannelGradient(gradients, inputs, min, max, num_bits=8,
    narrow_range=False) -> backprops_wrt_input backprop_wrt_min backprop_wrt_max =
    tf.quantization.fake_quant_with_min_max_vars_per_channel_gradient(gradients, inputs, min, max,
    num_bits, narrow_range)
FractionalAvgPool(value, pooling_ratio, pseudo_random=False, overlapping=False,
    deterministic=False, seed=0, seed2=0) -> output row_pooling_sequence col_pooling_sequence =
    h.fractional(tf.nn.fractional_avg_pool, value, pooling_ratio, pseudo_random, overlapping,
    seed, seed2)
FractionalMaxPool(value, pooling_ratio, pseudo_random=False, overlapping=False,
    deterministic=False, seed=0, seed2=0) -> output row_pooling_sequence col_pooling_sequence =
    h.fractional(tf.nn.fractional_max_pool, value, pooling_ratio, pseudo_random, overlapping,
    seed, seed2)
FusedBatchNorm(x, scale, offset, mean, variance, epsilon=0.0001, exponential_avg_factor=1,
    data_format='NHWC', is_training=True) -> y batch_mean batch_variance reserve_space_1
    reserve_space_2 = nn_raw.batch_norm(x=x, scale=scale, offset=offset, mean=mean,
    variance=variance, epsilon=epsilon, exponential_avg_factor=exponential_avg_factor,
    data_format=data_format, is_training=is_training)
FusedBatchNormV2(x, scale, offset, mean, variance, epsilon=0.0001, exponential_avg_factor=1,
    data_format='NHWC', is_training=True) -> y batch_mean batch_variance reserve_space_1
    reserve_space_2 = nn_raw.batch_norm(x=x, scale=scale, offset=offset, mean=mean,
    variance=variance, epsilon=epsilon, exponential_avg_factor=exponential_avg_factor,
    data_format=data_format, is_training=is_training)
FusedBatchNormV3(x, scale, offset, mean, variance, epsilon=0.0001, exponential_avg_factor=1,
    data_format='NHWC', is_training=True) -> y batch_mean batch_variance reserve_space_1
    reserve_space_2 reserve_space_3 = nn_raw.batch_norm_v3(x=x, scale=scale, offset=offset,
    mean=mean, variance=variance, epsilon=epsilon, exponential_avg_factor=exponential_avg_factor,
    data_format=data_format, is_training=is_training)
LRN(input, depth_radius=5, bias=1, alpha=1, beta=0.5) = tf.nn.lrn(input, depth_radius, bias,
    alpha, beta)
LRNGrad(input_grads, input_image, output_image, depth_radius=5, bias=1, alpha=1, beta=0.5) =
    h.slope(lambda x: tf.nn.lrn(x, depth_radius, bias, alpha, beta), input_image, input_grads)
MaxPool(input, ksize, strides, padding, explicit_paddings=[], data_format='NHWC') =
    tf.nn.max_pool2d(input, ksize, strides, h.padding(padding, explicit_paddings), data_format)
MaxPool3D(input, ksize, strides, padding, data_format='NDHWC') = tf.nn.max_pool3d(input, ksize,
    strides, padding, data_format)
MaxPool3DGrad(orig_input, orig_output, grad, ksize, strides, padding, data_format='NDHWC') =
    h.slope(lambda x: tf.nn.max_pool3d(x, ksize, strides, padding, data_format), orig_input, grad)
MaxPoolGrad(orig_input, orig_output, grad, ksize, strides, padding, explicit_paddings=[],
    data_format='NHWC') = h.slope(lambda x: tf.nn.max_pool2d(x, ksize, strides, h.padding(padding,
    explicit_paddings), data_format), orig_input, grad)
MaxPoolGradV2(orig_input, orig_output, grad, ksize, strides, padding, data_format='NHWC') =
    h.slope(lambda x: tf.nn.max_pool2d(x, h.integers(ksize), h.integers(strides), padding,
    data_format), orig_input, grad)
MaxPoolV2(input, ksize, strides, padding, data_format='NHWC') = tf.nn.max_pool2d(input,
    h.integers(ksize), h.integers(strides), padding, data_format)
MaxPoolWithArgmax(input, ksize, strides, padding, Targmax=tf.int64, include_batch_in_index=False)
    -> output argmax = tf.nn.max_pool_with_argmax(input, ksize, strides, padding,
    output_dtype=Targmax, include_batch_in_index=include_batch_in_index)
QuantizeAndDequantizeV2(input, input_min, input_max, signed_input=True, num_bits=8,
    range_given=False, round_mode='HALF_TO_EVEN', narrow_range=False, axis=-1) =
    tf.quantization.quantize_and_dequantize_v2(input, input_min, input_max, signed_input,
    num_bits, range_given, round_mode, narrow_range, None if axis < 0 else axis)
QuantizeAndDequantizeV4(input, input_min, input_max, signed_input=True, num_bits=8,
    range_given=False, round_mode='HALF_TO_EVEN', narrow_range=False, axis=-1) =
    tf.quantization.quantize_and_dequantize_v2(input, input_min, input_max, signed_input,
    num_bits, range_given, round_mode, narrow_range, None if axis < 0 else axis)
SoftmaxCrossEntropyWithLogits(features, labels) -> loss backprop = h.cross_entropy(features,
    labels)
SparseSoftmaxCrossEntropyWithLogits(features, labels) -> loss backprop =
    h.sparse_cross_entropy(features, labels)
# Images
AdjustContrastv2(images, contrast_factor) = tf.image.adjust_contrast(images, contrast_factor)
AdjustHue(images, delta) = tf.image.adjust_hue(images, delta)
AdjustSaturation(images, scale) = tf.image.adjust_saturation(images, scale)
CombinedNonMaxSuppression(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold,
    score_threshold, pad_per_class=False, clip_boxes=True) -> nmsed_boxes nmsed_scores
    nmsed_classes valid_detections = tf.image.combined_non_max_suppression(boxes, scores,
    max_output_size_per_class, max_total_size, iou_threshold, score_threshold, pad_per_class,
    clip_boxes)
CropAndResize(image, boxes, box_ind, crop_size, method='bilinear', extrapolation_value=0) =
    tf.image.crop_and_resize(image, boxes, box_ind, crop_size, method, extrapolation_value)
CropAndResizeGradBoxes(grads, image, boxes, box_ind, method='bilinear') = h.slope(lambda x:
    tf.image.crop_and_resize(image, x, box_ind, tf.shape(grads)[1:3], method), boxes, grads)
CropAndResizeGradImage(grads, boxes, box_ind, image_size, T, method='bilinear') =
    tf.cast(h.slope(lambda x: tf.image.crop_and_resize(x, boxes, box_ind, tf.shape(grads)[1:3],
    method), tf.zeros(image_size), grads), T)
DecodeBmp(contents, channels=0) = tf.io.decode_bmp(contents, channels)
DecodeGif(contents) = tf.io.decode_gif(contents)
DecodeImage(contents, channels=0, dtype=tf.uint8, expand_animations=True) =
    tf.io.decode_image(contents, channels, dtype, expand_animations=expand_animations)
DecodeJpeg(contents, channels=0, ratio=1, fancy_upscaling=True, try_recover_truncated=False,
    acceptable_fraction=1, dct_method='') = tf.io.decode_jpeg(contents, channels, ratio,
    fancy_upscaling, try_recover_truncated, acceptable_fraction, dct_method)
DecodePng(contents, channels=0, dtype=tf.uint8) = tf.io.decode_png(contents, channels, dtype)
DecodeWav(contents, desired_channels=-1, desired_samples=-1) -> audio sample_rate =
    tf.audio.decode_wav(contents, desired_channels, desired_samples)
DrawBoundingBoxes(images, boxes) = tf.image.draw_bounding_boxes(images, boxes, None)
DrawBoundingBoxesV2(images, boxes, colors) = tf.image.draw_bounding_boxes(images, boxes, colors)
EncodeJpeg(image, format='', quality=95, progressive=False, optimize_size=False,
    chroma_downsampling=True, density_unit='in', x_density=300, y_density=300, xmp_metadata='') =
    tf.io.encode_jpeg(image, format, quality, progressive, optimize_size, chroma_downsampling,
    density_unit, x_density, y_density, xmp_metadata)
EncodePng(image, compression=-1) = tf.io.encode_png(image, compression)
EncodeWav(audio, sample_rate) = tf.audio.encode_wav(audio, sample_rate)
ExtractGlimpseV2(input, size, offsets, centered=True, normalized=True, uniform_noise=True,
    noise='uniform') = tf.image.extract_glimpse(input, size, offsets, centered, normalized, noise)
ExtractImagePatches(images, ksizes, strides, rates, padding) = tf.image.extract_patches(images,
    ksizes, strides, rates, padding)
ExtractJpegShape(contents, output_type=tf.int32) = tf.io.extract_jpeg_shape(contents, output_type)
HSVToRGB(images) = tf.image.hsv_to_rgb(images)
NonMaxSuppression(boxes, scores, max_output_size, iou_threshold=0.5) =
    tf.image.non_max_suppression(boxes, scores, max_output_size, iou_threshold)
NonMaxSuppressionV2(boxes, scores, max_output_size, iou_threshold) =
    tf.image.non_max_suppression(boxes, scores, max_output_size, iou_threshold)
NonMaxSuppressionV3(boxes, scores, max_output_size, iou_threshold, score_threshold) =
    tf.image.non_max_suppression(boxes, scores, max_output_size, iou_threshold, score_threshold)
NonMaxSuppressionV4(boxes, scores, max_output_size, iou_threshold, score_threshold,
    pad_to_max_output_size=False) -> selected_indices valid_outputs = h.suppressed(boxes, scores,
    max_output_size, iou_threshold, score_threshold, 0.0, pad_to_max_output_size)[::2]
NonMaxSuppressionV5(boxes, scores, max_output_size, iou_threshold, score_threshold,
    soft_nms_sigma, pad_to_max_output_size=False) -> selected_indices selected_scores
    valid_outputs = h.suppressed(boxes, scores, max_output_size, iou_threshold, score_threshold,
    soft_nms_sigma, pad_to_max_output_size)
NonMaxSuppressionWithOverlaps(overlaps, scores, max_output_size, overlap_threshold,
    score_threshold) = tf.image.non_max_suppression_overlaps(overlaps, scores, max_output_size,
    overlap_threshold, score_threshold)
ResizeArea(images, size, align_corners=False) = v1_image.resize_area(images, size, align_corners)
ResizeBicubic(images, size, align_corners=False, half_pixel_centers=False) =
    v1_image.resize_bicubic(images, size, align_corners, None, half_pixel_centers)
ResizeBicubicGrad(grads, original_image, align_corners=False, half_pixel_centers=False) =
    h.slope(lambda x: v1_image.resize_bicubic(x, tf.shape(grads)[1:3], align_corners, None,
    half_pixel_centers), original_image, grads)
ResizeBilinear(images, size, align_corners=False, half_pixel_centers=False) =
    v1_image.resize_bilinear(images, size, align_corners, None, half_pixel_centers)
ResizeBilinearGrad(grads, original_image, align_corners=False, half_pixel_centers=False) =
    h.slope(lambda x: v1_image.resize_bilinear(x, tf.shape(grads)[1:3], align_corners, None,
    half_pixel_centers), original_image, grads)
ResizeNearestNeighbor(images, size, align_corners=False, half_pixel_centers=False) =
    v1_image.resize_nearest_neighbor(images, size, align_corners, None, half_pixel_centers)
ResizeNearestNeighborGrad(grads, size, align_corners=False, half_pixel_centers=False) =
    h.slope(lambda x: v1_image.resize_nearest_neighbor(x, tf.shape(grads)[1:3], align_corners, None,
    half_pixel_centers), tf.zeros(tf.concat([tf.shape(grads)[:1], size, tf.shape(grads)[3:]], 0),
    h.of(grads).dtype), grads)
RGBToHSV(images) = tf.image.rgb_to_hsv(images)
# Strings and files
AsString(input, precision=-1, scientific=False, shortest=False, width=-1, fill='') =
    tf.strings.as_string(input, precision, scientific, shortest, width, fill)
DecodeBase64(input) = tf.io.decode_base64(input)
DecodeCSV(records, record_defaults, field_delim=',', use_quote_delim=True, na_value='',
    select_cols=[]) = tf.io.decode_csv(records, record_defaults, field_delim, use_quote_delim,
    na_value, select_cols or None)
DecodeCompressed(bytes, compression_type='') = tf.io.decode_compressed(bytes, compression_type)
DecodeJSONExample(json_examples) = tf.io.decode_json_example(json_examples)
DecodePaddedRaw(input_bytes, fixed_length, out_type, little_endian=True) =
    tf.io.decode_raw(input_bytes, out_type, little_endian, fixed_length)
DecodeRaw(bytes, out_type, little_endian=True) = tf.io.decode_raw(bytes, out_type, little_endian)
EditDistance(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values,
    truth_shape, normalize=True) = tf.edit_distance(tf.SparseTensor(hypothesis_indices,
    hypothesis_values, hypothesis_shape), tf.SparseTensor(truth_indices, truth_values,
    truth_shape), normalize)
EncodeBase64(input, pad=False) = tf.io.encode_base64(input, pad)
Fingerprint(data, method) = tf.fingerprint(data, method)
MatchingFiles(pattern) = tf.io.matching_files(pattern)
ParseTensor(serialized, out_type) = tf.io.parse_tensor(serialized, out_type)
ReadFile(filename) = tf.io.read_file(filename)
ReduceJoin(inputs, reduction_indices, keep_dims=False, separator='') =
    tf.strings.reduce_join(inputs, reduction_indices, keep_dims, separator)
RegexFullMatch(input, pattern) = tf.strings.regex_full_match(input, pattern)
RegexReplace(input, pattern, rewrite, replace_global=True) = tf.strings.regex_replace(input,
    pattern, rewrite, replace_global)
SerializeTensor(tensor) = tf.io.serialize_tensor(tensor)
StaticRegexFullMatch(input, pattern) = tf.strings.regex_full_match(input, pattern)
StaticRegexReplace(input, pattern, rewrite, replace_global=True) = tf.strings.regex_replace(input,
    pattern, rewrite, replace_global)
StringFormat(inputs, template='%s', placeholder='%s', summarize=3) = tf.strings.format(template,
    list(inputs), placeholder, summarize)
StringJoin(inputs, separator='') = tf.strings.join(inputs, separator)
StringLength(input, unit='BYTE') = tf.strings.length(input, unit)
StringLower(input, encoding='') = tf.strings.lower(input, encoding)
StringNGrams(data, data_splits, separator, ngram_widths, left_pad, right_pad, pad_width,
    preserve_short_sequences) -> ngrams ngrams_splits = h.ngrams(data, data_splits, separator,
    ngram_widths, left_pad, right_pad, pad_width, preserve_short_sequences)
StringSplitV2(input, sep, maxsplit=-1) -> indices values shape =
    h.sparse_parts(tf.strings.split(input, h.separator(sep), maxsplit).to_sparse())
StringStrip(input) = tf.strings.strip(input)
StringToHashBucket(string_tensor, num_buckets) = tf.strings.to_hash_bucket(string_tensor,
    num_buckets)
StringToHashBucketFast(input, num_buckets) = tf.strings.to_hash_bucket_fast(input, num_buckets)
StringToHashBucketStrong(input, num_buckets, key) = tf.strings.to_hash_bucket_strong(input,
    num_buckets, key)
StringToNumber(string_tensor, out_type=tf.float32) = tf.strings.to_number(string_tensor, out_type)
StringUpper(input, encoding='') = tf.strings.upper(input, encoding)
Substr(input, pos, len, unit='BYTE') = tf.strings.substr(input, pos, len, unit)
UnicodeDecode(input, input_encoding, errors='replace', replacement_char=65533,
    replace_control_characters=False, Tsplits=tf.int64) -> row_splits char_values =
    h.ragged_parts(tf.strings.unicode_decode(tf.reshape(input, [-1]), input_encoding, errors,
    replacement_char, replace_control_characters), Tsplits)
UnicodeDecodeWithOffsets(input, input_encoding, errors='replace', replacement_char=65533,
    replace_control_characters=False, Tsplits=tf.int64) -> row_splits char_values
    char_to_byte_starts = h.with_offsets(*tf.strings.unicode_decode_with_offsets(tf.reshape(input,
    [-1]), input_encoding, errors, replacement_char, replace_control_characters), Tsplits)
UnicodeEncode(input_values, input_splits, output_encoding, errors='replace',
    replacement_char=65533) =
    tf.strings.unicode_encode(tf.RaggedTensor.from_row_splits(input_values, input_splits),
    output_encoding, errors, replacement_char)
UnicodeScript(input) = tf.strings.unicode_script(input)
UnicodeTranscode(input, input_encoding, output_encoding, errors='replace', replacement_char=65533,
    replace_control_characters=False) = tf.strings.unicode_transcode(input, input_encoding,
    output_encoding, errors, replacement_char, replace_control_characters)
UnsortedSegmentJoin(inputs, segment_ids, num_segments, separator='') =
    tf.strings.unsorted_segment_join(inputs, segment_ids, num_segments, separator)
WriteFile(filename, contents) = tf.io.write_file(filename, contents)
# Sparse and ragged tensors
DenseToDenseSetOperation(set1, set2, set_operation, validate_indices=True) -> result_indices
    result_values result_shape = h.sparse_parts(h.set_operation(set_operation, set1, set2))
DenseToSparseSetOperation(set1, set2_indices, set2_values, set2_shape, set_operation,
    validate_indices=True) -> result_indices result_values result_shape =
    h.sparse_parts(h.set_operation(set_operation, set1, tf.SparseTensor(set2_indices, set2_values,
    set2_shape)))
RaggedGather(params_nested_splits, params_dense_values, indices, OUTPUT_RAGGED_RANK) ->
    output_nested_splits output_dense_values = h.ragged_gather(params_nested_splits,
    params_dense_values, indices)
RaggedRange(starts, limits, deltas, Tsplits=tf.int64) -> rt_nested_splits rt_dense_values =
    h.ragged_parts(tf.ragged.range(starts, limits, deltas, row_splits_dtype=Tsplits), Tsplits)
RaggedTensorToSparse(rt_nested_splits, rt_dense_values) -> sparse_indices sparse_values
    sparse_dense_shape = h.sparse_parts(tf.RaggedTensor.from_nested_row_splits(rt_dense_values,
    rt_nested_splits).to_sparse())
SetSize(set_indices, set_values, set_shape, validate_indices=True) =
    tf.sets.size(tf.SparseTensor(set_indices, set_values, set_shape))
SparseAdd(a_indices, a_values, a_shape, b_indices, b_values, b_shape, thresh) -> sum_indices
    sum_values sum_shape = h.sparse_parts(tf.sparse.add(tf.SparseTensor(a_indices, a_values,
    a_shape), tf.SparseTensor(b_indices, b_values, b_shape), thresh))
SparseConcat(indices, values, shapes, concat_dim) -> output_indices output_values output_shape =
    h.sparse_parts(tf.sparse.concat(concat_dim, [tf.SparseTensor(*p) for p in zip(indices, values,
    shapes, strict=True)]))
SparseDenseCwiseAdd(sp_indices, sp_values, sp_shape, dense) = h.cwise(tf.add, sp_indices,
    sp_values, sp_shape, dense)
SparseDenseCwiseDiv(sp_indices, sp_values, sp_shape, dense) = h.cwise(tf.divide, sp_indices,
    sp_values, sp_shape, dense)
SparseDenseCwiseMul(sp_indices, sp_values, sp_shape, dense) = h.cwise(tf.multiply, sp_indices,
    sp_values, sp_shape, dense)
SparseFillEmptyRows(indices, values, dense_shape, default_value) -> output_indices output_values
    empty_row_indicator reverse_index_map = h.filled_rows(indices, values, dense_shape,
    default_value)
SparseReduceMax(input_indices, input_values, input_shape, reduction_axes, keep_dims=False) =
    tf.sparse.reduce_max(tf.SparseTensor(input_indices, input_values, input_shape),
    reduction_axes, keep_dims)
SparseReduceMaxSparse(input_indices, input_values, input_shape, reduction_axes, keep_dims=False)
    -> output_indices output_values output_shape =
    h.sparse_parts(tf.sparse.reduce_max(tf.SparseTensor(input_indices, input_values, input_shape),
    reduction_axes, keep_dims, True))
SparseReduceSum(input_indices, input_values, input_shape, reduction_axes, keep_dims=False) =
    tf.sparse.reduce_sum(tf.SparseTensor(input_indices, input_values, input_shape),
    reduction_axes, keep_dims)
SparseReduceSumSparse(input_indices, input_values, input_shape, reduction_axes, keep_dims=False)
    -> output_indices output_values output_shape =
    h.sparse_parts(tf.sparse.reduce_sum(tf.SparseTensor(input_indices, input_values, input_shape),
    reduction_axes, keep_dims, True))
SparseReorder(input_indices, input_values, input_shape) -> output_indices output_values =
    h.sparse_parts(tf.sparse.reorder(tf.SparseTensor(input_indices, input_values,
    input_shape)))[:2]
SparseReshape(input_indices, input_shape, new_shape) -> output_indices output_shape =
    h.reshaped(input_indices, input_shape, new_shape)
SparseSlice(indices, values, shape, start, size) -> output_indices output_values output_shape =
    h.sparse_parts(tf.sparse.slice(tf.SparseTensor(indices, values, shape), start, size))
SparseSoftmax(sp_indices, sp_values, sp_shape) = tf.sparse.softmax(tf.SparseTensor(sp_indices,
    sp_values, sp_shape)).values
SparseSparseMaximum(a_indices, a_values, a_shape, b_indices, b_values, b_shape) -> output_indices
    output_values = h.sparse_parts(tf.sparse.maximum(tf.SparseTensor(a_indices, a_values,
    a_shape), tf.SparseTensor(b_indices, b_values, b_shape)))[:2]
SparseSparseMinimum(a_indices, a_values, a_shape, b_indices, b_values, b_shape) -> output_indices
    output_values = h.sparse_parts(tf.sparse.minimum(tf.SparseTensor(a_indices, a_values,
    a_shape), tf.SparseTensor(b_indices, b_values, b_shape)))[:2]
SparseSplit(split_dim, indices, values, shape, num_split) -> output_indices output_values
    output_shape = tuple(zip(*(h.sparse_parts(p) for p in tf.sparse.split(tf.SparseTensor(indices,
    values, shape), num_split, int(split_dim))), strict=True))
SparseTensorDenseAdd(a_indices, a_values, a_shape, b) = tf.sparse.add(tf.SparseTensor(a_indices,
    a_values, a_shape), b)
SparseTensorDenseMatMul(a_indices, a_values, a_shape, b, adjoint_a=False, adjoint_b=False) =
    tf.sparse.sparse_dense_matmul(tf.SparseTensor(a_indices, a_values, a_shape), b, adjoint_a,
    adjoint_b)
SparseToDense(sparse_indices, output_shape, sparse_values, default_value, validate_indices=True) =
    h.sparse_to_dense(sparse_indices, output_shape, sparse_values, default_value)
SparseToSparseSetOperation(set1_indices, set1_values, set1_shape, set2_indices, set2_values,
    set2_shape, set_operation, validate_indices=True) -> result_indices result_values result_shape
    = h.sparse_parts(h.set_operation(set_operation, tf.SparseTensor(set1_indices, set1_values,
    set1_shape), tf.SparseTensor(set2_indices, set2_values, set2_shape)))
# Random numbers
AllCandidateSampler(true_classes, num_true, num_sampled, unique, seed=0, seed2=0) ->
    sampled_candidates true_expected_count sampled_expected_count =
    tf.random.all_candidate_sampler(true_classes, num_true, num_sampled, unique)
Multinomial(logits, num_samples, seed=0, seed2=0, output_dtype=tf.int64) = h.seeded(seed, seed2,
    lambda s: tf.random.categorical(logits, num_samples, output_dtype, s))
RandomGamma(shape, alpha, seed=0, seed2=0) = h.seeded(seed, seed2, lambda s:
    tf.random.gamma(shape, alpha, dtype=h.of(alpha).dtype, seed=s))
RandomGammaGrad(alpha, sample) = random_raw.gamma_gradient(alpha=alpha, sample=sample)
RandomIndexShuffle(index, seed, max_index, rounds=4) = h.index_shuffle(index, seed, max_index,
    rounds)
RandomPoissonV2(shape, rate, seed=0, seed2=0, dtype=tf.int64) = h.seeded(seed, seed2, lambda s:
    tf.random.poisson(shape, rate, dtype, s))
RandomShuffle(value, seed=0, seed2=0) = h.seeded(seed, seed2, lambda s: tf.random.shuffle(value,
    s))
RandomStandardNormal(shape, dtype, seed=0, seed2=0) = h.seeded(seed, seed2, lambda s:
    tf.random.normal(shape, dtype=dtype, seed=s))
RandomUniform(shape, dtype, seed=0, seed2=0) = h.seeded(seed, seed2, lambda s:
    tf.random.uniform(shape, dtype=dtype, seed=s))
RandomUniformInt(shape, minval, maxval, seed=0, seed2=0) = h.seeded(seed, seed2, lambda s:
    tf.random.uniform(shape, minval, maxval, h.of(minval).dtype, s))
SobolSample(dim, num_results, skip, dtype=tf.float32) = tf.math.sobol_sample(dim, num_results,
    skip, dtype)
StatelessMultinomial(logits, num_samples, seed, output_dtype=tf.int64) =
    tf.random.stateless_categorical(logits, num_samples, seed, output_dtype)
StatelessRandomGammaV2(shape, seed, alpha) = tf.random.stateless_gamma(shape, seed, alpha,
    dtype=h.of(alpha).dtype)
StatelessRandomGetAlg() = tf.constant(1)
StatelessRandomGetKeyCounter(seed) -> key counter = h.key_counter(seed)
StatelessRandomGetKeyCounterAlg(seed) -> key counter alg = (*h.key_counter(seed), tf.constant(1))
StatelessRandomNormal(shape, seed, dtype=tf.float32) = tf.random.stateless_normal(shape, seed,
    dtype=dtype)
StatelessRandomPoisson(shape, seed, lam, dtype) = tf.random.stateless_poisson(shape, seed, lam,
    dtype)
StatelessRandomUniform(shape, seed, dtype=tf.float32) = tf.random.stateless_uniform(shape, seed,
    dtype=dtype)
StatelessRandomUniformFullInt(shape, seed, dtype=tf.uint64) = tf.random.stateless_uniform(shape,
    seed, None, None, dtype)
StatelessRandomUniformInt(shape, seed, minval, maxval) = tf.random.stateless_uniform(shape, seed,
    minval, maxval, h.of(minval).dtype)
StatelessTruncatedNormal(shape, seed, dtype=tf.float32) =
    tf.random.stateless_truncated_normal(shape, seed, dtype=dtype)
TruncatedNormal(shape, dtype, seed=0, seed2=0) = h.seeded(seed, seed2, lambda s:
    tf.random.truncated_normal(shape, dtype=dtype, seed=s))
# Images that are turned and sheared
ImageProjectiveTransformV2(images, transforms, output_shape, interpolation, fill_mode='CONSTANT')
    = image_raw.image_projective_transform(images=images, transforms=transforms,
    output_shape=output_shape, interpolation=interpolation, fill_mode=fill_mode)
ImageProjectiveTransformV3(images, transforms, output_shape, fill_value, interpolation,
    fill_mode='CONSTANT') = image_raw.image_projective_transform(images=images,
    transforms=transforms, output_shape=output_shape, fill_value=fill_value,
    interpolation=interpolation, fill_mode=fill_mode)
"""
