"""`tfc.nn`: what neural networks are made of."""

from . import nn_experimental as experimental
from .ops.array.sorting import in_top_k, nth_element, top_k
from .ops.math.transcendental import sigmoid, tanh
from .ops.nn.activations import crelu, elu, gelu, leaky_relu, relu6, selu, silu, softsign, swish
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
from .ops.nn.ctc_decoders import ctc_greedy_decoder
from .ops.nn.embeddings import embedding_lookup
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

__all__ = [name for name in globals() if not name.startswith("_")]
