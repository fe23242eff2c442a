"""Why functions are far above their floor, where they are."""

from __future__ import annotations

_FAMILIES: dict[str, str] = {
    "LAPACK through NumPy or SciPy, called for each of many matrices of 3 to 4 rows or columns": (
        "eig eigvals eigvalsh eigh sqrtm logm slogdet expm qr svd pinv matrix_rank norm normalize"
    ),
    "LAPACK through NumPy, called for each of many matrices of 3 rows: these have more right-hand "
    "sides than its kernel takes": "solve",
    "a kernel eliminates each of many matrices of 3 to 4 rows in float64: divisions and roots wait "
    "for each other": (
        "cholesky cholesky_solve inv det lu lu_reconstruct lu_matrix_inverse lu_solve "
        "matrix_solve_ls lstsq"
    ),
    "a factor for each of many matrices of 3 rows, then logarithms and sums of 3 elements": (
        "logdet"
    ),
    "NumPy's Fourier transform, of rows of 4 to 13 elements": (
        "fft ifft fft2d ifft2d fft3d ifft3d fftnd ifftnd rfft rfft2d rfft3d rfftnd irfft irfft2d "
        "irfft3d irfftnd dct idct mdct inverse_mdct stft inverse_stft "
        "mfccs_from_log_mel_spectrograms"
    ),
    "rows of 2 to 12 elements: each begins and ends a sum of its own": (
        "reduce_sum reduce_prod reduce_mean reduce_max reduce_min reduce_variance reduce_std "
        "reduce_logsumexp reduce_euclidean_norm reduce_any reduce_all count_nonzero softmax "
        "log_softmax softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits "
        "moments weighted_moments normalize_moments sufficient_statistics l2_normalize argmax "
        "argmin trace adjust_contrast per_image_standardization matvec tensordot einsum "
        "rgb_to_grayscale compute_accidental_hits cumulative_logsumexp cumsum "
        "cumprod confusion_matrix"
    ),
    "rows of 3 to 6 elements are moved: less than a vector at a time": (
        "pad pad_to_bounding_box crop_to_bounding_box space_to_batch space_to_batch_nd "
        "batch_to_space extract_patches matrix_transpose diag diag_part reverse_sequence "
        "roll boolean_mask where tile repeat gather gather_nd image_gradients rot90 "
        "flip_left_right resize_with_crop_or_pad rgb_to_hsv hsv_to_rgb adjust_hue adjust_saturation"
    ),
    "puts in order: n log n comparisons, which the floor does not count": (
        "sort argsort top_k in_top_k nth_element searchsorted unique unique_with_counts setdiff1d "
    ),
    "elements are added in their order, at places that only memory tells": (
        "scatter_nd tensor_scatter_nd_add segment_sum segment_mean segment_prod segment_max "
        "segment_min unsorted_segment_sum unsorted_segment_mean unsorted_segment_prod "
        "unsorted_segment_max unsorted_segment_min unsorted_segment_sqrt_n bincount "
        "histogram_fixed_width dynamic_partition dynamic_stitch"
    ),
    "series and continued fractions: hundreds of operations an element, until they converge": (
        "betainc igamma igammac zeta polygamma lgamma digamma"
    ),
    "1 to 4 channels at sizes that only the call knows: the schedules for few channels need known "
    "sizes, as those in functions are": (
        "conv1d conv2d conv3d convolution atrous_conv2d separable_conv2d depthwise_conv2d "
        "depthwise_conv2d_backprop_filter depthwise_conv2d_backprop_input sobel_edges ssim "
        "ssim_multiscale"
    ),
    "the differences along two axes are stored, then summed": "total_variation",
    "a clamp after a norm, a scaling or a cast: several trips through memory": (
        "clip_by_norm saturate_cast convert_image_dtype"
    ),
    "many channels in and 2 to 4 out: sums whose weights lie apart in memory": (
        "conv1d_transpose conv2d_transpose conv3d_transpose conv_transpose"
    ),
    "1 to 3 channels: windows have a vector of channels for each tap, which these do not fill": (
        "max_pool max_pool1d max_pool2d max_pool3d avg_pool avg_pool1d avg_pool2d avg_pool3d pool "
        "max_pool_with_argmax"
    ),
    "each tap is a gather of its own: there is no schedule for it": "dilation2d erosion2d",
    "an integer division an element, which processors do one by one": (
        "floordiv floormod mod unravel_index truncatediv truncatemod"
    ),
    "a tensor, which is an object of Python's, for each row": "unstack",
    "a step of a loop for each frame": "ctc_loss",
    "padded, cut into frames and summed: five trips through memory, of frames of 5": (
        "overlap_and_add frame"
    ),
    "a result of a few bytes: one pass over the differences of neighbours": (
        "is_non_decreasing is_strictly_increasing"
    ),
}

REASONS: dict[str, str] = {
    name: reason for reason, names in _FAMILIES.items() for name in names.split()
}
