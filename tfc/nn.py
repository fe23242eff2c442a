"""`tfc.nn`: what neural networks are made of."""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .core.absent import refusal as _refusal
from .core.later import names_of as _names_of

if _TYPE_CHECKING:  # what is imported when it is first used
    from . import nn_experimental as experimental
    from .ops.array.sorting import in_top_k, nth_element, top_k
    from .ops.math.transcendental import sigmoid, tanh
    from .ops.nn.activations import crelu, elu, gelu, leaky_relu, relu6, selu, silu, softsign, swish
    from .ops.nn.approximate import approx_max_k, approx_min_k, isotonic_regression
    from .ops.nn.basics import (
        bias_add,
        log_softmax,
        relu,
        sigmoid_cross_entropy_with_logits,
        softmax,
        softmax_cross_entropy_with_logits,
        softplus,
        sparse_softmax_cross_entropy_with_logits,
    )
    from .ops.nn.blocks import (
        batch_to_space,
        depth_to_space,
        dilation2d,
        erosion2d,
        space_to_batch,
        space_to_depth,
    )
    from .ops.nn.candidates import all_candidate_sampler, fixed_unigram_candidate_sampler
    from .ops.nn.convolution import (
        atrous_conv2d,
        conv1d,
        conv2d,
        conv3d,
        convolution,
        depthwise_conv2d,
        separable_conv2d,
    )
    from .ops.nn.convolution_transpose import (
        atrous_conv2d_transpose,
        conv1d_transpose,
        conv2d_transpose,
        conv3d_transpose,
        conv_transpose,
        depthwise_conv2d_backprop_filter,
        depthwise_conv2d_backprop_input,
    )
    from .ops.nn.ctc import ctc_loss
    from .ops.nn.ctc_beams import collapse_repeated, ctc_beam_search_decoder, ctc_unique_labels
    from .ops.nn.ctc_decoders import ctc_greedy_decoder
    from .ops.nn.embeddings import (
        embedding_lookup,
        embedding_lookup_sparse,
        safe_embedding_lookup_sparse,
    )
    from .ops.nn.fractional_pooling import fractional_avg_pool, fractional_max_pool
    from .ops.nn.losses import (
        compute_average_loss,
        dropout,
        l2_loss,
        log_poisson_loss,
        scale_regularization_loss,
        weighted_cross_entropy_with_logits,
        zero_fraction,
    )
    from .ops.nn.normalization import (
        batch_norm_with_global_normalization,
        batch_normalization,
        l2_normalize,
        local_response_normalization,
        lrn,
        moments,
        normalize_moments,
        sufficient_statistics,
        weighted_moments,
    )
    from .ops.nn.pooling import (
        avg_pool,
        avg_pool1d,
        avg_pool2d,
        avg_pool3d,
        max_pool,
        max_pool1d,
        max_pool2d,
        max_pool3d,
        max_pool_with_argmax,
        pool,
    )
    from .ops.nn.sampled_losses import compute_accidental_hits, nce_loss, sampled_softmax_loss
    from .ops.nn.windows import with_space_to_batch

_NAMES_OF = {
    "ops.array.sorting": "in_top_k nth_element top_k",
    "ops.math.transcendental": "sigmoid tanh",
    "ops.nn.activations": "crelu elu gelu leaky_relu relu6 selu silu softsign swish",
    "ops.nn.approximate": "approx_max_k approx_min_k isotonic_regression",
    "ops.nn.basics": (
        "bias_add log_softmax relu sigmoid_cross_entropy_with_logits softmax "
        "softmax_cross_entropy_with_logits softplus sparse_softmax_cross_entropy_with_logits"
    ),
    "ops.nn.blocks": (
        "batch_to_space depth_to_space dilation2d erosion2d space_to_batch space_to_depth"
    ),
    "ops.nn.candidates": "all_candidate_sampler fixed_unigram_candidate_sampler",
    "ops.nn.convolution": (
        "atrous_conv2d conv1d conv2d conv3d convolution depthwise_conv2d separable_conv2d"
    ),
    "ops.nn.convolution_transpose": (
        "atrous_conv2d_transpose conv1d_transpose conv2d_transpose conv3d_transpose "
        "conv_transpose depthwise_conv2d_backprop_filter depthwise_conv2d_backprop_input"
    ),
    "ops.nn.ctc": "ctc_loss",
    "ops.nn.ctc_beams": "collapse_repeated ctc_beam_search_decoder ctc_unique_labels",
    "ops.nn.ctc_decoders": "ctc_greedy_decoder",
    "ops.nn.embeddings": "embedding_lookup embedding_lookup_sparse safe_embedding_lookup_sparse",
    "ops.nn.fractional_pooling": "fractional_avg_pool fractional_max_pool",
    "ops.nn.losses": (
        "compute_average_loss dropout l2_loss log_poisson_loss scale_regularization_loss "
        "weighted_cross_entropy_with_logits zero_fraction"
    ),
    "ops.nn.normalization": (
        "batch_norm_with_global_normalization batch_normalization l2_normalize "
        "local_response_normalization lrn moments normalize_moments sufficient_statistics "
        "weighted_moments"
    ),
    "ops.nn.pooling": (
        "avg_pool avg_pool1d avg_pool2d avg_pool3d max_pool max_pool1d max_pool2d max_pool3d "
        "max_pool_with_argmax pool"
    ),
    "ops.nn.sampled_losses": "compute_accidental_hits nce_loss sampled_softmax_loss",
    "ops.nn.windows": "with_space_to_batch",
}


def _other(name: str) -> object:
    if name == "experimental":
        from . import nn_experimental

        return nn_experimental
    return _refusal("tf.nn")(name)


__getattr__ = _names_of(__name__, _NAMES_OF, _other)
__all__ = [
    "all_candidate_sampler",
    "approx_max_k",
    "approx_min_k",
    "atrous_conv2d",
    "atrous_conv2d_transpose",
    "avg_pool",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm_with_global_normalization",
    "batch_normalization",
    "batch_to_space",
    "bias_add",
    "collapse_repeated",
    "compute_accidental_hits",
    "compute_average_loss",
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "conv_transpose",
    "convolution",
    "crelu",
    "ctc_beam_search_decoder",
    "ctc_greedy_decoder",
    "ctc_loss",
    "ctc_unique_labels",
    "depth_to_space",
    "depthwise_conv2d",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "dilation2d",
    "dropout",
    "elu",
    "embedding_lookup",
    "embedding_lookup_sparse",
    "erosion2d",
    "experimental",
    "fixed_unigram_candidate_sampler",
    "fractional_avg_pool",
    "fractional_max_pool",
    "gelu",
    "in_top_k",
    "isotonic_regression",
    "l2_loss",
    "l2_normalize",
    "leaky_relu",
    "local_response_normalization",
    "log_poisson_loss",
    "log_softmax",
    "lrn",
    "max_pool",
    "max_pool1d",
    "max_pool2d",
    "max_pool3d",
    "max_pool_with_argmax",
    "moments",
    "nce_loss",
    "normalize_moments",
    "nth_element",
    "pool",
    "relu",
    "relu6",
    "safe_embedding_lookup_sparse",
    "sampled_softmax_loss",
    "scale_regularization_loss",
    "selu",
    "separable_conv2d",
    "sigmoid",
    "sigmoid_cross_entropy_with_logits",
    "silu",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softplus",
    "softsign",
    "space_to_batch",
    "space_to_depth",
    "sparse_softmax_cross_entropy_with_logits",
    "sufficient_statistics",
    "swish",
    "tanh",
    "top_k",
    "weighted_cross_entropy_with_logits",
    "weighted_moments",
    "with_space_to_batch",
    "zero_fraction",
]


def __dir__() -> list[str]:
    return __all__
