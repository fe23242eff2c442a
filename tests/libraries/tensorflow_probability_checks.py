"""Checks of TensorFlow Probability, whose packages come without its tests: what distributions,
bijectors and the rest compute, beside what they computed on TensorFlow.

    make test-libraries LIBRARIES=tensorflow-probability

The numbers are written by this file itself, where TensorFlow and TensorFlow Probability are:
`python tensorflow_probability_checks.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
import tensorflow_probability as tfp

NUMBERS = Path(__file__).with_name("tensorflow_probability_numbers.json")
tfd, tfb, tfk = tfp.distributions, tfp.bijectors, tfp.math.psd_kernels
Check = Callable[[], dict[str, Any]]

TRIANGLE = [[1.0, 0.0], [0.5, 2.0]]
MATRIX = [[2.0, 0.5], [0.5, 1.0]]
REALS, UNIT, POSITIVE, COUNTS = [-0.7, 0.3, 2.0], [0.1, 0.5, 0.8], [0.3, 1.0, 2.5], [0.0, 1.0, 4.0]
PAIRS = [[0.3, -0.2], [1.0, 2.0]]
SIMPLEX = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]]

# Each distribution with values that it may have.
DISTRIBUTIONS: dict[str, tuple[Callable[[], Any], Any]] = {
    "Bates": (lambda: tfd.Bates(3, 0.0, 1.0), UNIT),
    "Bernoulli": (lambda: tfd.Bernoulli(logits=[0.3, -1.0, 2.0]), [0, 1, 1]),
    "Beta": (lambda: tfd.Beta([0.5, 2.0, 3.0], 1.5), UNIT),
    "BetaBinomial": (lambda: tfd.BetaBinomial(5.0, 1.5, 2.0), COUNTS),
    "BetaQuotient": (lambda: tfd.BetaQuotient(2.0, 3.0, 1.5, 2.5), POSITIVE),
    "Binomial": (lambda: tfd.Binomial(5.0, probs=[0.2, 0.5, 0.9]), COUNTS),
    "Blockwise": (lambda: tfd.Blockwise([tfd.Normal(0.0, 1.0), tfd.Gamma(2.0, 1.0)]), [[0.3, 1.0]]),
    "Categorical": (lambda: tfd.Categorical(logits=[0.1, 0.9, -0.5]), [0, 1, 2]),
    "Cauchy": (lambda: tfd.Cauchy(0.5, [1.0, 2.0, 3.0]), REALS),
    "Chi": (lambda: tfd.Chi([1.5, 2.0, 4.0]), POSITIVE),
    "Chi2": (lambda: tfd.Chi2([1.5, 2.0, 4.0]), POSITIVE),
    "ContinuousBernoulli": (lambda: tfd.ContinuousBernoulli(probs=[0.2, 0.5, 0.8]), UNIT),
    "DeterminantalPointProcess": (
        lambda: tfd.DeterminantalPointProcess([0.7, 1.5], [[1.0, 0.0], [0.0, 1.0]]),
        [[1, 0], [1, 1]],
    ),
    "Deterministic": (lambda: tfd.Deterministic([0.0, 0.3, 2.0]), [0.0, 0.3, 1.0]),
    "Dirichlet": (lambda: tfd.Dirichlet([0.8, 2.0, 3.0]), SIMPLEX),
    "DirichletMultinomial": (
        lambda: tfd.DirichletMultinomial(4.0, [0.8, 2.0, 3.0]),
        [[1.0, 1.0, 2.0], [4.0, 0.0, 0.0]],
    ),
    "DoublesidedMaxwell": (lambda: tfd.DoublesidedMaxwell(0.2, 1.5), REALS),
    "Empirical": (lambda: tfd.Empirical([0.0, 1.0, 1.0, 2.0]), [0.0, 1.0, 3.0]),
    "ExpGamma": (lambda: tfd.ExpGamma([1.5, 2.0, 0.7], 1.2), REALS),
    "ExpInverseGamma": (lambda: tfd.ExpInverseGamma([1.5, 2.0, 0.7], 1.2), REALS),
    "ExpRelaxedOneHotCategorical": (
        lambda: tfd.ExpRelaxedOneHotCategorical(0.7, logits=[0.2, 0.5, -0.3]),
        np.log(SIMPLEX).astype("float32"),
    ),
    "Exponential": (lambda: tfd.Exponential([0.5, 1.0, 2.0]), POSITIVE),
    "ExponentiallyModifiedGaussian": (
        lambda: tfd.ExponentiallyModifiedGaussian(0.1, 1.0, 1.5), REALS,
    ),
    "FiniteDiscrete": (
        lambda: tfd.FiniteDiscrete([0.0, 1.0, 4.0], probs=[0.2, 0.3, 0.5]), COUNTS,
    ),
    "Gamma": (lambda: tfd.Gamma([0.7, 1.5, 3.0], 1.3), POSITIVE),
    "GammaGamma": (lambda: tfd.GammaGamma(2.0, 3.0, 1.5), POSITIVE),
    "GeneralizedExtremeValue": (lambda: tfd.GeneralizedExtremeValue(0.1, 1.2, 0.3), REALS),
    "GeneralizedNormal": (lambda: tfd.GeneralizedNormal(0.1, 1.2, 1.7), REALS),
    "GeneralizedPareto": (lambda: tfd.GeneralizedPareto(0.0, 1.2, 0.2), POSITIVE),
    "Geometric": (lambda: tfd.Geometric(probs=[0.2, 0.5, 0.9]), COUNTS),
    "Gumbel": (lambda: tfd.Gumbel(0.3, 1.4), REALS),
    "HalfCauchy": (lambda: tfd.HalfCauchy(0.0, 1.4), POSITIVE),
    "HalfNormal": (lambda: tfd.HalfNormal([0.5, 1.0, 2.0]), POSITIVE),
    "HalfStudentT": (lambda: tfd.HalfStudentT(3.5, 0.0, 1.2), POSITIVE),
    "HiddenMarkovModel": (
        lambda: tfd.HiddenMarkovModel(
            tfd.Categorical(probs=[0.8, 0.2]),
            tfd.Categorical(probs=[[0.7, 0.3], [0.2, 0.8]]),
            tfd.Normal([0.0, 15.0], [5.0, 10.0]),
            4,
        ),
        [[-2.0, 0.0, 2.0, 8.0]],
    ),
    "Horseshoe": (lambda: tfd.Horseshoe(1.3), REALS),
    "Independent": (lambda: tfd.Independent(tfd.Normal([0.0, 1.0], 1.5), 1), PAIRS),
    "Inflated": (lambda: tfd.Inflated(tfd.Poisson(2.0), 0.3), COUNTS),
    "InverseGamma": (lambda: tfd.InverseGamma([1.5, 2.5, 3.0], 1.2), POSITIVE),
    "InverseGaussian": (lambda: tfd.InverseGaussian(1.5, 2.0), POSITIVE),
    "JohnsonSU": (lambda: tfd.JohnsonSU(0.3, 1.2, 0.1, 1.1), REALS),
    "JointDistributionCoroutine": (lambda: tfd.JointDistributionCoroutine(_steps), (0.3, 1.2)),
    "JointDistributionNamed": (
        lambda: tfd.JointDistributionNamed(
            {"a": tfd.Normal(0.0, 1.0), "b": lambda a: tfd.Normal(a, 2.0)}
        ),
        {"a": 0.3, "b": 1.2},
    ),
    "JointDistributionSequential": (
        lambda: tfd.JointDistributionSequential(
            [tfd.Normal(0.0, 1.0), lambda a: tfd.Gamma(tf.exp(a), 2.0)]
        ),
        [0.3, 1.2],
    ),
    "JointDistributionSequentialAutoBatched": (
        lambda: tfd.JointDistributionSequentialAutoBatched(
            [tfd.Normal(0.0, 1.0), lambda a: tfd.Normal(a, 2.0)]
        ),
        [0.3, 1.2],
    ),
    "Kumaraswamy": (lambda: tfd.Kumaraswamy(1.5, 2.0), UNIT),
    "LKJ": (lambda: tfd.LKJ(2, 1.5), [[[1.0, 0.3], [0.3, 1.0]]]),
    "CholeskyLKJ": (
        lambda: tfd.CholeskyLKJ(2, 1.5), [[[1.0, 0.0], [0.6, 0.8]]],
    ),
    "LambertWNormal": (lambda: tfd.LambertWNormal(0.1, 1.2, 0.2), REALS),
    "Laplace": (lambda: tfd.Laplace(0.2, [0.5, 1.0, 2.0]), REALS),
    "LinearGaussianStateSpaceModel": (
        lambda: tfd.LinearGaussianStateSpaceModel(
            3,
            tf.linalg.LinearOperatorIdentity(2),
            tfd.MultivariateNormalDiag(scale_diag=[0.5, 0.3]),
            tf.linalg.LinearOperatorFullMatrix([[1.0, 0.5]]),
            tfd.MultivariateNormalDiag(scale_diag=[0.7]),
            tfd.MultivariateNormalDiag(scale_diag=[1.0, 1.0]),
        ),
        [[[0.3], [0.5], [-0.2]]],
    ),
    "LogLogistic": (lambda: tfd.LogLogistic(0.2, 0.4), POSITIVE),
    "LogNormal": (lambda: tfd.LogNormal(0.2, [0.5, 1.0, 1.5]), POSITIVE),
    "Logistic": (lambda: tfd.Logistic(0.2, 1.5), REALS),
    "LogitNormal": (lambda: tfd.LogitNormal(0.2, 1.5), UNIT),
    "Masked": (lambda: tfd.Masked(tfd.Normal(0.0, 1.0), [True, False, True]), REALS),
    "MatrixNormalLinearOperator": (
        lambda: tfd.MatrixNormalLinearOperator(
            [[0.0, 1.0], [1.0, 0.0]],
            tf.linalg.LinearOperatorLowerTriangular(TRIANGLE),
            tf.linalg.LinearOperatorDiag([1.0, 2.0]),
        ),
        [[[0.3, 1.0], [0.2, -0.4]]],
    ),
    "MatrixTLinearOperator": (
        lambda: tfd.MatrixTLinearOperator(
            4.0,
            [[0.0, 1.0], [1.0, 0.0]],
            tf.linalg.LinearOperatorLowerTriangular(TRIANGLE),
            tf.linalg.LinearOperatorDiag([1.0, 2.0]),
        ),
        [[[0.3, 1.0], [0.2, -0.4]]],
    ),
    "MixtureSameFamily": (
        lambda: tfd.MixtureSameFamily(
            tfd.Categorical(probs=[0.3, 0.7]), tfd.Normal([-1.0, 1.0], [0.5, 1.0])
        ),
        REALS,
    ),
    "Mixture": (
        lambda: tfd.Mixture(
            tfd.Categorical(probs=[0.3, 0.7]), [tfd.Normal(-1.0, 0.5), tfd.Laplace(1.0, 1.0)]
        ),
        REALS,
    ),
    "Moyal": (lambda: tfd.Moyal(0.2, 1.3), REALS),
    "Multinomial": (
        lambda: tfd.Multinomial(4.0, probs=[0.2, 0.3, 0.5]), [[1.0, 1.0, 2.0], [4.0, 0.0, 0.0]],
    ),
    "MultivariateNormalDiag": (
        lambda: tfd.MultivariateNormalDiag([0.1, 0.2], [1.0, 2.0]), PAIRS,
    ),
    "MultivariateNormalDiagPlusLowRankCovariance": (
        lambda: tfd.MultivariateNormalDiagPlusLowRankCovariance(
            [0.1, 0.2], [1.0, 2.0], [[0.5], [0.2]]
        ),
        PAIRS,
    ),
    "MultivariateNormalFullCovariance": (
        lambda: tfd.MultivariateNormalFullCovariance([0.1, 0.2], MATRIX), PAIRS,
    ),
    "MultivariateNormalTriL": (
        lambda: tfd.MultivariateNormalTriL([0.1, 0.2], TRIANGLE), PAIRS,
    ),
    "MultivariateNormalLinearOperator": (
        lambda: tfd.MultivariateNormalLinearOperator(
            [0.1, 0.2], tf.linalg.LinearOperatorLowerTriangular(TRIANGLE)
        ),
        PAIRS,
    ),
    "MultivariateStudentTLinearOperator": (
        lambda: tfd.MultivariateStudentTLinearOperator(
            3.5, [0.1, 0.2], tf.linalg.LinearOperatorLowerTriangular(TRIANGLE)
        ),
        PAIRS,
    ),
    "NegativeBinomial": (lambda: tfd.NegativeBinomial(3.0, probs=[0.2, 0.5, 0.7]), COUNTS),
    "Normal": (lambda: tfd.Normal([0.0, 0.5, 1.0], [0.5, 1.0, 2.0]), REALS),
    "NormalInverseGaussian": (lambda: tfd.NormalInverseGaussian(0.1, 1.2, 1.5, 0.4), REALS),
    "OneHotCategorical": (
        lambda: tfd.OneHotCategorical(logits=[0.1, 0.9, -0.5]), [[0, 1, 0], [0, 0, 1]],
    ),
    "OrderedLogistic": (lambda: tfd.OrderedLogistic([-1.0, 0.5, 1.5], 0.3), [0, 1, 3]),
    "Pareto": (lambda: tfd.Pareto(2.5, 0.2), POSITIVE),
    "PERT": (lambda: tfd.PERT(0.0, 0.4, 1.0, 3.0), UNIT),
    "PlackettLuce": (lambda: tfd.PlackettLuce([0.5, 1.0, 2.0]), [[0, 1, 2], [2, 0, 1]]),
    "Poisson": (lambda: tfd.Poisson([0.5, 1.0, 3.0]), COUNTS),
    "PoissonLogNormalQuadratureCompound": (
        lambda: tfd.PoissonLogNormalQuadratureCompound(0.1, 0.4, 5), COUNTS,
    ),
    "PowerSpherical": (lambda: tfd.PowerSpherical([0.6, 0.8], 1.5), [[1.0, 0.0], [0.6, -0.8]]),
    "ProbitBernoulli": (lambda: tfd.ProbitBernoulli([0.3, -1.0, 0.5]), [0, 1, 1]),
    "QuantizedDistribution": (
        lambda: tfd.QuantizedDistribution(tfd.Normal(2.0, 1.5), 0.0, 5.0), COUNTS,
    ),
    "RelaxedBernoulli": (lambda: tfd.RelaxedBernoulli(0.7, probs=[0.2, 0.5, 0.7]), UNIT),
    "RelaxedOneHotCategorical": (
        lambda: tfd.RelaxedOneHotCategorical(0.7, logits=[0.2, 0.5, -0.3]), SIMPLEX,
    ),
    "Sample": (lambda: tfd.Sample(tfd.Normal(0.0, 1.5), 2), PAIRS),
    "SigmoidBeta": (lambda: tfd.SigmoidBeta(1.5, 2.5), REALS),
    "SinhArcsinh": (lambda: tfd.SinhArcsinh(0.1, 1.2, 0.3, 1.1), REALS),
    "Skellam": (lambda: tfd.Skellam(1.5, 2.0), COUNTS),
    "SphericalUniform": (lambda: tfd.SphericalUniform(2), [[1.0, 0.0], [0.6, -0.8]]),
    "StudentT": (lambda: tfd.StudentT([1.5, 2.5, 4.0], 0.1, 1.2), REALS),
    "TransformedDistribution": (
        lambda: tfd.TransformedDistribution(tfd.Normal(0.1, 0.7), tfb.Exp()), POSITIVE,
    ),
    "Triangular": (lambda: tfd.Triangular(0.0, 1.0, 0.4), UNIT),
    "TruncatedCauchy": (lambda: tfd.TruncatedCauchy(0.1, 1.2, -1.0, 3.0), REALS),
    "TruncatedNormal": (lambda: tfd.TruncatedNormal(0.1, 1.2, -1.0, 3.0), REALS),
    "TwoPieceNormal": (lambda: tfd.TwoPieceNormal(0.1, 1.2, 1.5), REALS),
    "TwoPieceStudentT": (lambda: tfd.TwoPieceStudentT(3.5, 0.1, 1.2, 1.5), REALS),
    "Uniform": (lambda: tfd.Uniform(0.0, [1.0, 2.0, 3.0]), UNIT),
    "VectorExponentialDiag": (
        lambda: tfd.TransformedDistribution(
            tfd.Sample(tfd.Exponential(1.0), 2), tfb.ScaleMatvecDiag([1.0, 2.0])
        ),
        np.abs(PAIRS).astype("float32"),
    ),
    "VonMises": (lambda: tfd.VonMises(0.2, 1.5), REALS),
    "VonMisesFisher": (lambda: tfd.VonMisesFisher([0.6, 0.8], 1.5), [[1.0, 0.0], [0.6, -0.8]]),
    "Weibull": (lambda: tfd.Weibull(1.5, 1.2), POSITIVE),
    "WishartLinearOperator": (
        lambda: tfd.WishartLinearOperator(
            3.0, tf.linalg.LinearOperatorLowerTriangular(TRIANGLE)
        ),
        [MATRIX],
    ),
    "WishartTriL": (lambda: tfd.WishartTriL(3.0, TRIANGLE), [MATRIX]),
    "Zipf": (lambda: tfd.Zipf([1.5, 2.5, 4.0]), [1, 2, 5]),
}  # fmt: skip

# Each bijector with values that it takes.
BIJECTORS: dict[str, tuple[Callable[[], Any], Any]] = {
    "AbsoluteValue": (tfb.AbsoluteValue, POSITIVE),
    "Ascending": (tfb.Ascending, PAIRS),
    "Blockwise": (lambda: tfb.Blockwise([tfb.Exp(), tfb.Sigmoid()]), PAIRS),
    "Chain": (lambda: tfb.Chain([tfb.Exp(), tfb.Shift(0.5), tfb.Scale(2.0)]), REALS),
    "CholeskyOuterProduct": (tfb.CholeskyOuterProduct, [TRIANGLE]),
    "CorrelationCholesky": (tfb.CorrelationCholesky, [[0.3, -0.2, 0.5]]),
    "Cumsum": (tfb.Cumsum, PAIRS),
    "DiscreteCosineTransform": (tfb.DiscreteCosineTransform, PAIRS),
    "Exp": (tfb.Exp, REALS),
    "Expm1": (tfb.Expm1, REALS),
    "FillScaleTriL": (tfb.FillScaleTriL, [[0.3, -0.2, 0.5]]),
    "FillTriangular": (tfb.FillTriangular, [[0.3, -0.2, 0.5]]),
    "FrechetCDF": (lambda: tfb.FrechetCDF(0.1, 1.2, 1.5), POSITIVE),
    "GeneralizedPareto": (lambda: tfb.GeneralizedPareto(0.0, 1.2, 0.3), REALS),
    "GompertzCDF": (lambda: tfb.GompertzCDF(0.5, 1.2), POSITIVE),
    "GumbelCDF": (lambda: tfb.GumbelCDF(0.1, 1.2), REALS),
    "Invert": (lambda: tfb.Invert(tfb.Softplus()), POSITIVE),
    "IteratedSigmoidCentered": (tfb.IteratedSigmoidCentered, PAIRS),
    "KumaraswamyCDF": (lambda: tfb.KumaraswamyCDF(1.5, 2.0), UNIT),
    "LambertWTail": (lambda: tfb.LambertWTail(0.1, 1.2, 0.3), REALS),
    "Log": (tfb.Log, POSITIVE),
    "Log1p": (tfb.Log1p, POSITIVE),
    "MatrixInverseTriL": (tfb.MatrixInverseTriL, [TRIANGLE]),
    "MoyalCDF": (lambda: tfb.MoyalCDF(0.1, 1.2), REALS),
    "NormalCDF": (tfb.NormalCDF, REALS),
    "Permute": (lambda: tfb.Permute([1, 0]), PAIRS),
    "Power": (lambda: tfb.Power(1.5), POSITIVE),
    "PowerTransform": (lambda: tfb.PowerTransform(0.5), REALS),
    "RationalQuadraticSpline": (
        lambda: tfb.RationalQuadraticSpline([1.0, 2.0, 1.0], [1.5, 1.0, 1.5], [0.7, 1.2], -2.0),
        [-0.7, 0.3, 1.5],
    ),
    "RayleighCDF": (lambda: tfb.RayleighCDF(1.2), POSITIVE),
    "Reciprocal": (tfb.Reciprocal, POSITIVE),
    "Reshape": (lambda: tfb.Reshape([4], [2, 2]), [PAIRS]),
    "ScaleMatvecDiag": (lambda: tfb.ScaleMatvecDiag([1.0, 2.0]), PAIRS),
    "ScaleMatvecLU": (lambda: tfb.ScaleMatvecLU(MATRIX, [1, 0]), PAIRS),
    "ScaleMatvecLinearOperator": (
        lambda: tfb.ScaleMatvecLinearOperator(tf.linalg.LinearOperatorLowerTriangular(TRIANGLE)),
        PAIRS,
    ),
    "ScaleMatvecTriL": (lambda: tfb.ScaleMatvecTriL(TRIANGLE), PAIRS),
    "Shift": (lambda: tfb.Shift([0.1, 0.2]), PAIRS),
    "ShiftedGompertzCDF": (lambda: tfb.ShiftedGompertzCDF(0.5, 1.2), POSITIVE),
    "Sigmoid": (lambda: tfb.Sigmoid(-1.0, 2.0), REALS),
    "Sinh": (tfb.Sinh, REALS),
    "SinhArcsinh": (lambda: tfb.SinhArcsinh(0.3, 1.1), REALS),
    "SoftClip": (lambda: tfb.SoftClip(-1.0, 2.5), REALS),
    "Softfloor": (lambda: tfb.Softfloor(0.5), REALS),
    "Softplus": (lambda: tfb.Softplus(0.7), REALS),
    "Softsign": (tfb.Softsign, REALS),
    "Square": (tfb.Square, POSITIVE),
    "Tanh": (tfb.Tanh, REALS),
    "TransformDiagonal": (lambda: tfb.TransformDiagonal(tfb.Exp()), [TRIANGLE]),
    "Transpose": (lambda: tfb.Transpose(perm=[1, 0]), [PAIRS]),
    "WeibullCDF": (lambda: tfb.WeibullCDF(1.2, 1.5), POSITIVE),
}

KERNELS: dict[str, Callable[[], Any]] = {
    "ExponentiatedQuadratic": lambda: tfk.ExponentiatedQuadratic(1.2, 0.7),
    "ExpSinSquared": lambda: tfk.ExpSinSquared(1.2, 0.7, 1.5),
    "GammaExponential": lambda: tfk.GammaExponential(1.2, 0.7, power=0.8),
    "Linear": lambda: tfk.Linear(0.3, 0.7, 0.1),
    "MaternFiveHalves": lambda: tfk.MaternFiveHalves(1.2, 0.7),
    "MaternOneHalf": lambda: tfk.MaternOneHalf(1.2, 0.7),
    "MaternThreeHalves": lambda: tfk.MaternThreeHalves(1.2, 0.7),
    "Polynomial": lambda: tfk.Polynomial(0.3, 0.7, 2.0, 0.1),
    "RationalQuadratic": lambda: tfk.RationalQuadratic(1.2, 0.7, scale_mixture_rate=1.5),
    "Sum": lambda: tfk.ExponentiatedQuadratic(1.2, 0.7) + tfk.Linear(0.3, 0.7, 0.1),
}


def _steps() -> Any:
    a = yield tfd.JointDistributionCoroutine.Root(tfd.Normal(0.0, 1.0))
    yield tfd.Normal(a, 2.0)


def _plain(values: Any) -> Any:
    return tf.nest.map_structure(tf.convert_to_tensor, values)


def of_distribution(make: Callable[[], Any], values: Any) -> dict[str, Any]:
    """Its densities, moments and the like."""
    distribution, x = make(), _plain(values)
    found: dict[str, Any] = {"log_prob": distribution.log_prob(x)}
    for name in ("cdf", "log_survival_function"):
        found[name] = _or_error(lambda name=name: getattr(distribution, name)(x))
    for name in ("mean", "variance", "entropy", "mode", "covariance"):
        found[name] = _or_error(lambda name=name: getattr(distribution, name)())
    found["shapes"] = _shapes(distribution)
    return found


def _shapes(distribution: Any) -> Any:
    shapes = distribution.batch_shape, distribution.event_shape
    return str(tf.nest.map_structure(str, shapes))


def _or_error(compute: Callable[[], Any]) -> Any:
    """A result, or which exception says that there is none."""
    try:
        return compute()
    except (NotImplementedError, AttributeError, TypeError, ValueError):
        return "none"


def in_function(make: Callable[[], Any], values: Any) -> dict[str, Any]:
    """Densities and their gradients, in a function."""
    x = _plain(values)
    inexact = all(v.dtype.is_floating for v in tf.nest.flatten(x))

    @tf.function
    def compute(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            density = make().log_prob(x)
            total = tf.reduce_sum(density)
        gradient = tape.gradient(total, x) if inexact else None
        return density, [g for g in tf.nest.flatten(gradient) if g is not None]

    density, gradients = compute(x)
    return {"log_prob": density, **{f"gradient{i}": g for i, g in enumerate(gradients)}}


def of_samples(make: Callable[[], Any], values: Any) -> dict[str, Any]:
    """The shapes of samples, and that their mean is near the distribution's."""
    distribution = make()
    drawn = distribution.sample(2000, seed=(3, 4))
    found: dict[str, Any] = {}
    for i, part in enumerate(tf.nest.flatten(drawn)):
        found[f"shape{i}"] = str(part.shape)
        found[f"finite{i}"] = bool(np.all(np.isfinite(np.asarray(part))))
    mean = _or_error(distribution.mean)
    deviation = _or_error(distribution.stddev)
    if not isinstance(mean, str) and not isinstance(deviation, str):
        pairs = zip(*(tf.nest.flatten(v) for v in (drawn, mean, deviation)), strict=True)
        for i, (part, middle, wide) in enumerate(pairs):
            if np.all(np.isfinite(wide)):
                off = np.abs(np.mean(np.asarray(part, np.float64), 0) - np.asarray(middle))
                found[f"near{i}"] = bool(np.all(off <= 6 * np.asarray(wide) / np.sqrt(2000) + 1e-5))
    return found


def of_bijector(make: Callable[[], Any], values: Any) -> dict[str, Any]:
    """Both directions and the logarithms of their determinants, eagerly and in a function."""
    bijector, x = make(), _plain(values)
    y = bijector.forward(x)
    rank = bijector.forward_min_event_ndims
    back = make().inverse(tf.identity(y))

    @tf.function
    def compute(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(make().forward(x) ** 2)
        return tape.gradient(total, x)

    return {
        "forward": y,
        "inverse": back,
        "forward_determinant": _or_error(
            lambda: make().forward_log_det_jacobian(x, event_ndims=rank)
        ),
        "inverse_determinant": _or_error(
            lambda: make().inverse_log_det_jacobian(
                tf.identity(y), event_ndims=bijector.inverse_min_event_ndims
            )
        ),
        "gradient": compute(x),
    }


def of_kernel(make: Callable[[], Any]) -> dict[str, Any]:
    points = tf.constant([[0.25, 0.5], [0.5, -0.25], [1.5, 1.0]])
    kernel = make()

    @tf.function
    def compute(points: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(points)
            total = tf.reduce_sum(kernel.matrix(points, points) ** 2)
        return tape.gradient(total, points)

    return {
        "matrix": kernel.matrix(points, points),
        "apply": kernel.apply(points, points[::-1]),
        "gradient": compute(points),
    }


def divergences() -> dict[str, Any]:
    pairs = {
        "bernoulli": (tfd.Bernoulli(probs=0.3), tfd.Bernoulli(probs=0.6)),
        "beta": (tfd.Beta(1.5, 2.0), tfd.Beta(2.0, 1.0)),
        "categorical": (tfd.Categorical(probs=[0.2, 0.8]), tfd.Categorical(probs=[0.5, 0.5])),
        "dirichlet": (tfd.Dirichlet([0.5, 2.0]), tfd.Dirichlet([1.0, 1.0])),
        "gamma": (tfd.Gamma(1.5, 2.0), tfd.Gamma(2.0, 1.0)),
        "laplace": (tfd.Laplace(0.0, 1.0), tfd.Laplace(0.5, 2.0)),
        "normal": (tfd.Normal(0.0, 1.0), tfd.Normal(0.5, 2.0)),
        "normals": (
            tfd.MultivariateNormalTriL([0.1, 0.2], TRIANGLE),
            tfd.MultivariateNormalDiag([0.0, 0.0], [1.0, 2.0]),
        ),
        "uniform": (tfd.Uniform(0.2, 0.8), tfd.Uniform(0.0, 1.0)),
    }
    return {name: tfd.kl_divergence(*pair) for name, pair in pairs.items()}


def same_draws() -> dict[str, Any]:
    """Distributions whose samples come of uniform and normal ones are TensorFlow's to the bit, or
    nearly so."""
    made = {
        "exponential": tfd.Exponential(2.0),
        "gumbel": tfd.Gumbel(0.0, 1.0),
        "laplace": tfd.Laplace(0.0, 1.0),
        "logistic": tfd.Logistic(0.0, 1.0),
        "normal": tfd.Normal(0.5, 2.0),
        "triangle": tfd.MultivariateNormalTriL([0.1, 0.2], TRIANGLE),
        "uniform": tfd.Uniform(0.0, 3.0),
    }
    return {name: d.sample(5, seed=(7, 8)) for name, d in made.items()}


def hamiltonian_monte_carlo() -> dict[str, Any]:
    kernel = tfp.mcmc.HamiltonianMonteCarlo(tfd.Normal(1.0, 2.0).log_prob, 0.5, 3)
    run = tf.function(
        lambda: tfp.mcmc.sample_chain(
            5, tf.constant([0.0, 1.0]), kernel=kernel, trace_fn=lambda _, r: r.is_accepted,
            seed=(1, 2),
        )
    )  # fmt: skip
    states, accepted = run()
    return {"states": states, "accepted": tf.cast(accepted, tf.float32)}


def random_walk() -> dict[str, Any]:
    kernel = tfp.mcmc.RandomWalkMetropolis(tfd.Normal(1.0, 2.0).log_prob)
    chain = tfp.mcmc.sample_chain(
        5, 0.5, kernel=kernel, trace_fn=None, num_burnin_steps=2, seed=(1, 2)
    )
    return {"states": chain}


def langevin() -> dict[str, Any]:
    kernel = tfp.mcmc.MetropolisAdjustedLangevinAlgorithm(tfd.Normal(1.0, 2.0).log_prob, 0.3)
    start = tf.constant([0.5, 0.2])
    run = tf.function(
        lambda: tfp.mcmc.sample_chain(4, start, kernel=kernel, trace_fn=None, seed=(1, 2))
    )
    return {"states": run()}


def no_u_turns() -> dict[str, Any]:
    kernel = tfp.mcmc.NoUTurnSampler(tfd.Normal(1.0, 2.0).log_prob, 0.5, max_tree_depth=4)
    run = tf.function(
        lambda: tfp.mcmc.sample_chain(4, 0.5, kernel=kernel, trace_fn=None, seed=(1, 2))
    )
    states = run()
    return {"finite": bool(np.all(np.isfinite(states))), "shape": str(states.shape)}


def transformed_kernel() -> dict[str, Any]:
    inner = tfp.mcmc.HamiltonianMonteCarlo(tfd.Gamma(2.0, 1.0).log_prob, 0.3, 2)
    kernel = tfp.mcmc.TransformedTransitionKernel(inner, tfb.Exp())
    kernel = tfp.mcmc.SimpleStepSizeAdaptation(kernel, 3)
    run = tf.function(
        lambda: tfp.mcmc.sample_chain(4, 0.5, kernel=kernel, trace_fn=None, seed=(1, 2))
    )
    return {"states": run()}


def diagnostics() -> dict[str, Any]:
    states = tf.random.stateless_normal([50, 3], [1, 2])
    return {
        "size": tfp.mcmc.effective_sample_size(states),
        "reduction": tfp.mcmc.potential_scale_reduction(states, independent_chain_ndims=1),
        "correlation": tfp.stats.auto_correlation(states, axis=0)[:4],
        "percentile": tfp.stats.percentile(states, 30.0, interpolation="linear"),
        "quantiles": tfp.stats.quantiles(states, 4),
        "covariance": tfp.stats.covariance(states),
        "histogram": tfp.stats.histogram(states, [-5.0, 0.0, 5.0]),
    }


def optimizers() -> dict[str, Any]:
    def rosenbrock(x: Any) -> Any:
        return tf.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    def with_gradient(x: Any) -> Any:
        return tfp.math.value_and_gradient(rosenbrock, x)

    start = tf.constant([-1.0, 0.5], tf.float64)
    first = tfp.optimizer.bfgs_minimize(with_gradient, start, tolerance=1e-8)
    second = tfp.optimizer.lbfgs_minimize(with_gradient, start, tolerance=1e-8)
    third = tfp.optimizer.nelder_mead_minimize(rosenbrock, initial_vertex=start)
    near = {"bfgs": first.position, "lbfgs": second.position, "nelder_mead": third.position}
    return {name: np.round(np.asarray(value), 3) for name, value in near.items()}


def roots() -> dict[str, Any]:
    def cubic(x: Any) -> Any:
        return x**3 - 2.0 * x - 5.0

    found = tfp.math.find_root_chandrupatla(cubic, 1.0, 3.0)
    secant = tfp.math.secant_root(cubic, 2.0, 3.0)
    return {"chandrupatla": found.estimated_root, "secant": secant.estimated_root}


def differential_equations() -> dict[str, Any]:
    solver = tfp.math.ode.DormandPrince(rtol=1e-6, atol=1e-8)
    result = solver.solve(
        lambda t, y: -0.5 * y, 0.0, tf.constant([1.0, 2.0], tf.float64), [0.5, 1.0, 2.0]
    )
    return {"states": result.states}


def special_functions() -> dict[str, Any]:
    x = tf.constant([0.3, 1.2, 3.5])
    m = tfp.math
    return {
        "bessel": m.bessel_iv_ratio(1.5, x),
        "bessel_kve": m.bessel_kve(1.5, x),
        "beta": m.betainc(1.5, 2.0, tf.constant([0.1, 0.5, 0.9])),
        "erfcx": m.erfcx(x),
        "igammainv": m.igammainv(2.0, tf.constant([0.1, 0.5, 0.9])),
        "lambertw": m.lambertw(x),
        "lbeta": m.lbeta(x, 2.0),
        "log1mexp": m.log1mexp(x),
        "log_gamma_correction": m.log_gamma_correction(x + 8.0),
        "log_gamma_difference": m.log_gamma_difference(x, 9.0),
        "logerfc": m.logerfc(x),
        "owens_t": m.owens_t(x, 0.5),
        "bump": m.round_exponential_bump_function(x / 4.0),
        "step": m.smootherstep(x),
        "softplus_inverse": m.softplus_inverse(x),
    }


def matrices() -> dict[str, Any]:
    m = tfp.math
    matrix = tf.constant(MATRIX)
    return {
        "cholesky_concat": m.cholesky_concat(
            tf.linalg.cholesky(matrix), tf.constant([[0.2], [0.1], [3.0]])
        ),
        "cholesky_update": m.cholesky_update(tf.linalg.cholesky(matrix), tf.constant([0.3, 0.2])),
        "fill": m.fill_triangular(tf.range(6.0)),
        "interpolated": m.batch_interp_regular_1d_grid([0.3, 1.5], 0.0, 2.0, [1.0, 3.0, 2.0]),
        "low_rank": m.low_rank_cholesky(matrix, 1)[0],
        "lu_solve": m.lu_solve(*tf.linalg.lu(matrix), tf.constant([[1.0], [2.0]])),
        "scan": m.scan_associative(lambda a, b: a + b, tf.range(6.0)),
        "sparse": m.sparse_or_dense_matmul(matrix, matrix),
        "trapz": m.trapz([1.0, 2.0, 4.0], [0.0, 1.0, 3.0]),
    }


def gaussian_processes() -> dict[str, Any]:
    kernel = tfk.ExponentiatedQuadratic(tf.constant(1.2, tf.float64), tf.constant(0.7, tf.float64))
    points = np.array([[0.1], [0.4], [1.5]])
    seen = np.array([0.3, -0.2, 1.0])
    process = tfd.GaussianProcess(kernel, points, observation_noise_variance=0.1)
    regression = tfd.GaussianProcessRegressionModel(
        kernel,
        index_points=np.array([[0.2], [1.0]]),
        observation_index_points=points,
        observations=seen,
        observation_noise_variance=0.1,
    )
    student = tfd.StudentTProcess(3.5, kernel, points, observation_noise_variance=0.1)
    return {
        "log_prob": process.log_prob(seen),
        "mean": regression.mean(),
        "variance": regression.variance(),
        "student": student.log_prob(seen),
    }


def variational_gaussian_process() -> dict[str, Any]:
    kernel = tfk.MaternThreeHalves(tf.constant(1.2, tf.float64), tf.constant(0.7, tf.float64))
    points = np.array([[0.1], [0.4], [1.5]])
    process = tfd.VariationalGaussianProcess(
        kernel,
        index_points=points,
        inducing_index_points=points[:2] + 0.05,
        variational_inducing_observations_loc=np.array([0.2, 0.1]),
        variational_inducing_observations_scale=np.eye(2) * 0.3,
        observation_noise_variance=0.1,
    )
    loss = process.variational_loss(
        observations=np.array([0.3, -0.2, 1.0]), observation_index_points=points
    )
    return {"loss": loss, "mean": process.mean(), "variance": process.variance()}


def surrogate_posterior() -> dict[str, Any]:
    location = tf.Variable(0.0)
    scale = tfp.util.TransformedVariable(1.0, tfb.Softplus())
    posterior = tfd.Normal(location, scale)
    target = tfd.Normal(2.0, 0.5)
    losses = []
    for i in range(3):
        with tf.GradientTape() as tape:
            loss = tfp.vi.monte_carlo_variational_loss(
                target.log_prob, posterior, sample_size=4, seed=(i, 5)
            )
        variables = posterior.trainable_variables
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(0.1 * g)
        losses.append(loss)
    return {"losses": losses, "location": location, "scale": tf.convert_to_tensor(scale)}


def deferred_tensors() -> dict[str, Any]:
    v = tf.Variable([0.5, 1.5])
    deferred = tfp.util.DeferredTensor(v, tf.exp)
    positive = tfp.util.TransformedVariable([1.0, 2.0], tfb.Exp())
    positive.assign([3.0, 4.0])
    v.assign_add([1.0, 1.0])
    return {"deferred": deferred + 1.0, "transformed": positive * 2.0, "count": len(
        tfd.Normal(deferred, positive).trainable_variables)}  # fmt: skip


def composites_in_functions() -> dict[str, Any]:
    """Distributions are taken and given by functions, and are structures of tensors."""
    double = tf.function(lambda d: tfd.Normal(d.loc * 2.0, d.scale))
    made = double(tfd.Normal([1.0, 2.0], 0.5))
    parts = tf.nest.flatten(tfd.Gamma(2.0, 3.0), expand_composites=True)
    normal = tfd.MultivariateNormalTriL([0.1, 0.2], TRIANGLE)
    density = tf.function(lambda d, x: d.log_prob(x))
    return {
        "loc": made.loc,
        "class": type(made).__name__,
        "parts": sorted(float(p) for p in parts),
        "density": density(normal, tf.constant(PAIRS)),
    }


def time_series() -> dict[str, Any]:
    series = np.array([0.3, 0.5, -0.2, 1.0], np.float32)
    trend = tfp.sts.LocalLinearTrend(observed_time_series=series)
    season = tfp.sts.Seasonal(2, observed_time_series=series)
    model = tfp.sts.Sum([trend, season], observed_time_series=series)
    values = [tf.ones(p.prior.event_shape) * 0.5 for p in model.parameters]
    joint = model.joint_distribution(observed_time_series=series)
    named = {p.name: v for p, v in zip(model.parameters, values, strict=True)}
    return {
        "log_prob": model.make_state_space_model(4, values).log_prob(series[:, None]),
        "joint": joint.log_prob(**named),
    }


def generalized_linear_models() -> dict[str, Any]:
    features = tf.constant([[1.0, 0.2], [1.0, 0.5], [1.0, -0.3], [1.0, 1.2]])
    fitted, _, converged, _ = tfp.glm.fit(
        features, tf.constant([1.0, 2.0, 1.0, 4.0]), model=tfp.glm.Poisson()
    )
    return {"coefficients": fitted, "converged": bool(converged)}


def seeds() -> dict[str, Any]:
    split = tfp.random.split_seed((3, 4), n=3)
    return {"split": split, "sanitized": tfp.random.sanitize_seed((5, 6))}


# A hypergeometric function with its gradient: compiling it takes minutes.
SLOW = [("in_function", "BetaQuotient")]

CHECKS: dict[str, Check] = {
    **{
        f"{kind.__name__}-{name}": lambda kind=kind, case=case: kind(*case)
        for name, case in DISTRIBUTIONS.items()
        for kind in (of_distribution, in_function, of_samples)
        if (kind.__name__, name) not in SLOW
    },
    **{f"of_bijector-{n}": lambda case=case: of_bijector(*case) for n, case in BIJECTORS.items()},
    **{f"of_kernel-{n}": lambda make=make: of_kernel(make) for n, make in KERNELS.items()},
    **{
        check.__name__: check
        for check in (
            divergences, same_draws, hamiltonian_monte_carlo, random_walk, langevin, no_u_turns,
            transformed_kernel, diagnostics, optimizers, roots, differential_equations,
            special_functions, matrices, gaussian_processes, variational_gaussian_process,
            surrogate_posterior, deferred_tensors, composites_in_functions, time_series,
            generalized_linear_models, seeds,
        )
    },
}  # fmt: skip


def recorded(value: Any) -> Any:
    """A result as JSON has it: what is no number by its name."""
    if isinstance(value, str | bool | int):
        return value
    leaves = [np.asarray(leaf, np.float64) for leaf in tf.nest.flatten(value)]
    return [[float(x) if np.isfinite(x) else str(x) for x in leaf.ravel()] for leaf in leaves]


def numbers(entry: Any) -> Any:
    return [np.array([float(x) for x in leaf]) for leaf in entry]


@pytest.mark.parametrize("name", CHECKS)
def test_is_as_on_tensorflow(name: str) -> None:
    wanted = json.loads(NUMBERS.read_text())[name]
    found = CHECKS[name]()
    assert "fails" not in wanted, "fails on TensorFlow, too"
    for part, expected in wanted.items():
        got = recorded(found[part])
        if isinstance(expected, list):
            assert isinstance(got, list) and len(got) == len(expected), part
            for a, b in zip(numbers(got), numbers(expected), strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-4, atol=2e-5, err_msg=part)
        else:
            assert got == expected, part


def main() -> None:
    """Write the numbers."""
    written: dict[str, Any] = {}
    for name, check in CHECKS.items():
        try:
            written[name] = {part: recorded(value) for part, value in check().items()}
        except Exception as error:
            written[name] = {"fails": f"{type(error).__name__}: {error}"[:200]}
            print(name, written[name]["fails"], file=sys.stderr)
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(v)}" for name, v in written.items())
    NUMBERS.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
