"""`tfc.random`: random numbers from seeds."""

from types import SimpleNamespace as _Namespace

from .core.absent import refusal as _refusal
from .ops.nn.candidates import (
    all_candidate_sampler,
    fixed_unigram_candidate_sampler,
    log_uniform_candidate_sampler,
    uniform_candidate_sampler,
)
from .ops.random.distributions import (
    categorical,
    gamma,
    get_global_generator,
    normal,
    poisson,
    set_global_generator,
    set_seed,
    shuffle,
    truncated_normal,
    uniform,
)
from .ops.random.generator import Generator
from .ops.random.permuted_indices import index_shuffle as _index_shuffle
from .ops.random.stateless import (
    stateless_binomial,
    stateless_categorical,
    stateless_fold_in,
    stateless_gamma,
    stateless_normal,
    stateless_parameterized_truncated_normal,
    stateless_poisson,
    stateless_shuffle,
    stateless_split,
    stateless_truncated_normal,
    stateless_uniform,
)
from .ops.random.stateless import stateless_fold_in as fold_in
from .ops.random.stateless import stateless_split as split
from .ops.random.states import Algorithm, create_rng_state

experimental = _Namespace(
    Algorithm=Algorithm,
    Generator=Generator,
    create_rng_state=create_rng_state,
    get_global_generator=get_global_generator,
    index_shuffle=_index_shuffle,
    set_global_generator=set_global_generator,
    stateless_fold_in=stateless_fold_in,
    stateless_shuffle=stateless_shuffle,
    stateless_split=stateless_split,
)
__getattr__ = _refusal("tf.random")
__all__ = [
    "Algorithm",
    "Generator",
    "all_candidate_sampler",
    "categorical",
    "create_rng_state",
    "experimental",
    "fixed_unigram_candidate_sampler",
    "fold_in",
    "gamma",
    "get_global_generator",
    "log_uniform_candidate_sampler",
    "normal",
    "poisson",
    "set_global_generator",
    "set_seed",
    "shuffle",
    "split",
    "stateless_binomial",
    "stateless_categorical",
    "stateless_fold_in",
    "stateless_gamma",
    "stateless_normal",
    "stateless_parameterized_truncated_normal",
    "stateless_poisson",
    "stateless_shuffle",
    "stateless_split",
    "stateless_truncated_normal",
    "stateless_uniform",
    "truncated_normal",
    "uniform",
    "uniform_candidate_sampler",
]
