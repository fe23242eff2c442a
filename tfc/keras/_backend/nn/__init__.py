"""Neural network functions, by Keras' names."""

from .activations import (
    celu,
    elu,
    gelu,
    glu,
    hard_shrink,
    hard_sigmoid,
    hard_silu,
    hard_tanh,
    leaky_relu,
    log_sigmoid,
    log_softmax,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    soft_shrink,
    softmax,
    softplus,
    softsign,
    sparse_plus,
    sparse_sigmoid,
    sparsemax,
    squareplus,
    tanh,
    tanh_shrink,
    threshold,
)
from .attention import dot_product_attention
from .convolutions import conv, conv_transpose, depthwise_conv, separable_conv
from .hot import multi_hot, one_hot
from .losses import (
    binary_crossentropy,
    categorical_crossentropy,
    ctc_decode,
    ctc_loss,
    psnr,
    sparse_categorical_crossentropy,
)
from .normalization import batch_normalization, moments
from .patches import depth_to_space, fold, space_to_depth, unfold
from .pooling import adaptive_average_pool, adaptive_max_pool, average_pool, max_pool
