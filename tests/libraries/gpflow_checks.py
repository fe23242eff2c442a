"""Checks of GPflow: models and what training makes of them, beside what they gave on TensorFlow.

    make test-libraries LIBRARIES=gpflow

The numbers are written by this file itself, where TensorFlow and GPflow are:
`python gpflow_checks.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gpflow
import numpy as np
import pytest
import tensorflow as tf

NUMBERS = Path(__file__).with_name("gpflow_numbers.json")
RNG = np.random.RandomState(0)
X = RNG.rand(20, 1)
Y = np.sin(12 * X) + 0.66 * np.cos(25 * X) + RNG.randn(20, 1) * 0.1 + 3
AT = np.linspace(-0.1, 1.1, 5)[:, None]
Numbers = dict[str, Any]


def minimized(model: Any, loss: Callable[[], Any], steps: int) -> Numbers:
    """The loss before and after some steps of SciPy's L-BFGS-B, and what the model predicts."""
    before = loss()
    options = {"maxiter": steps}
    gpflow.optimizers.Scipy().minimize(loss, model.trainable_variables, options=options)
    mean, variance = model.predict_f(AT)
    return {"before": before, "after": loss(), "mean": mean, "variance": variance}


def regression() -> Numbers:
    model = gpflow.models.GPR((X, Y), gpflow.kernels.Matern52())
    return minimized(model, model.training_loss, 10)


def linear_mean() -> Numbers:
    mean = gpflow.functions.Linear()
    model = gpflow.models.GPR((X, Y), gpflow.kernels.RBF(), mean_function=mean)
    return minimized(model, model.training_loss, 5)


def sparse_regression() -> Numbers:
    model = gpflow.models.SGPR((X, Y), gpflow.kernels.RBF(), inducing_variable=X[:5].copy())
    return minimized(model, model.training_loss, 5)


def variational_classes() -> Numbers:
    data = (X, (Y > 3).astype(float))
    model = gpflow.models.VGP(data, gpflow.kernels.RBF(), gpflow.likelihoods.Bernoulli())
    return minimized(model, model.training_loss, 5)


def sparse_variational() -> Numbers:
    model = svgp()
    return minimized(model, model.training_loss_closure((X, Y)), 5)


def svgp() -> Any:
    kernel, likelihood = gpflow.kernels.SquaredExponential(), gpflow.likelihoods.Gaussian()
    return gpflow.models.SVGP(kernel, likelihood, X[:5].copy(), num_data=20)


def own_loop() -> Numbers:
    model = svgp()
    loss = model.training_loss_closure((X, Y))

    @tf.function
    def step() -> Any:
        with tf.GradientTape() as tape:
            value = loss()
        variables = model.trainable_variables
        for v, g in zip(variables, tape.gradient(value, variables), strict=True):
            v.assign_sub(0.001 * g)
        return value

    losses = [step() for _ in range(5)]
    return {"losses": tf.stack(losses), "inducing": model.inducing_variable.Z}


def natural_gradients() -> Numbers:
    model = svgp()
    loss = model.training_loss_closure((X, Y))
    optimizer = gpflow.optimizers.NaturalGradient(0.5)
    losses = []
    for _ in range(3):
        optimizer.minimize(loss, [(model.q_mu, model.q_sqrt)])
        losses.append(loss())
    return {"losses": tf.stack(losses)}


def parameters() -> Numbers:
    kernel = gpflow.kernels.RBF(variance=2.0, lengthscales=[0.5, 1.5])
    gpflow.set_trainable(kernel.variance, False)
    kernel.lengthscales.assign([0.7, 1.0])
    free = kernel.lengthscales.unconstrained_variable
    return {"free": free, "count": len(kernel.trainable_variables), "value": kernel.lengthscales}


def kernels() -> Numbers:
    k = gpflow.kernels
    made = {
        "arc": k.ArcCosine(order=1),
        "changes": k.ChangePoints([k.RBF(), k.Matern12()], [0.5], steepness=5.0),
        "coregion": k.Coregion(output_dim=2, rank=1, active_dims=[0]),
        "cosine": k.Cosine(),
        "linear": k.Linear(),
        "matern": k.Matern12() * k.Matern32() + k.White(),
        "periodic": k.Periodic(k.RBF()),
        "polynomial": k.Polynomial(),
        "rational": k.RationalQuadratic(),
    }
    ones = np.zeros((3, 1))
    return {n: kernel(ones if n == "coregion" else X[:3]) for n, kernel in made.items()}


def likelihoods() -> Numbers:
    mean, variance = tf.constant(Y[:4] - 3), tf.constant(np.abs(Y[:4]) * 0.1)
    found = {}
    for name, made, observed in (
        ("bernoulli", gpflow.likelihoods.Bernoulli(), (Y[:4] > 3).astype(float)),
        ("exponential", gpflow.likelihoods.Exponential(), np.abs(Y[:4])),
        ("gaussian", gpflow.likelihoods.Gaussian(0.3), Y[:4]),
        ("poisson", gpflow.likelihoods.Poisson(), np.array([[0.0], [1.0], [2.0], [3.0]])),
        ("student", gpflow.likelihoods.StudentT(), Y[:4]),
    ):
        found[name] = made.variational_expectations(X[:4], mean, variance, observed)
        found[f"{name}_mean"] = made.predict_mean_and_var(X[:4], mean, variance)[0]
    return found


CHECKS = {
    check.__name__: check
    for check in (
        regression, linear_mean, sparse_regression, variational_classes, sparse_variational,
        own_loop, natural_gradients, parameters, kernels, likelihoods,
    )
}  # fmt: skip


def recorded(value: Any) -> Any:
    return np.asarray(tf.convert_to_tensor(value), np.float64).ravel().tolist()


@pytest.mark.parametrize("name", CHECKS)
def test_is_as_on_tensorflow(name: str) -> None:
    found = CHECKS[name]()
    for part, expected in json.loads(NUMBERS.read_text())[name].items():
        np.testing.assert_allclose(recorded(found[part]), expected, 1e-5, 1e-7, err_msg=part)


if __name__ == "__main__":
    written = {n: {k: recorded(v) for k, v in check().items()} for n, check in CHECKS.items()}
    NUMBERS.write_text(json.dumps(written, indent=1) + "\n")
