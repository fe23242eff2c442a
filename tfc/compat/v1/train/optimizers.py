"""TensorFlow 1's optimizers: in graphs, where `minimize` is an operation, and eagerly, where the
loss is a callable and `minimize` a step."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import tfc as _tfc
from tfc.core.context import active, user_location
from tfc.core.indexed_slices import IndexedSlices
from tfc.core.types import TensorLike
from tfc.core.variable import Variable
from tfc.train.averages import ExponentialMovingAverage as _Averages

from ...graphs.graph import Operation
from ...graphs.trace import current_graph
from ...graphs.variables import global_variables, trainable_variables

Rate = TensorLike | Callable[[], TensorLike]


class Optimizer:
    """What the optimizers share; `_new_value` says how one of them moves a Variable."""

    GATE_NONE, GATE_OP, GATE_GRAPH = 0, 1, 2

    def __init__(self, learning_rate: Rate, name: str) -> None:
        self._learning_rate = learning_rate
        self._name = name
        self._slots: dict[tuple[str, int], tuple[Variable, Variable]] = {}

    def get_name(self) -> str:
        """The optimizer's name."""
        return self._name

    def minimize(
        self,
        loss: Any,
        global_step: Variable | None = None,
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = 1,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: TensorLike | None = None,
    ) -> Operation | None:
        """One step: `compute_gradients`, then `apply_gradients`.

        Args:
            loss: A callable without arguments; in a graph, a tensor of it.
            global_step: A Variable that is counted up.
            var_list: The Variables; None: the trainable ones that `loss` reads (in a graph, all).
            gate_gradients: Not used.
            aggregation_method: Not used.
            colocate_gradients_with_ops: Not used.
            name: The operation's name.
            grad_loss: What the gradients start from.

        Returns:
            In a graph the operation that makes the step; else None.

        Raises:
            ValueError: If no Variable has a gradient.
        """
        found = self.compute_gradients(loss, var_list, grad_loss=grad_loss)
        return self.apply_gradients(found, global_step, name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Sequence[Any] | None = None,
        gate_gradients: int = 1,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: TensorLike | None = None,
    ) -> list[tuple[Any, Any]]:
        """The pairs (gradient or None, Variable) of a loss: see `minimize`.

        Raises:
            RuntimeError: If ops run at once and `loss` is not callable.
        """
        if current_graph() is not None and not callable(loss):
            variables = trainable_variables() if var_list is None else _tfc.nest.flatten(var_list)
            if not variables:
                raise ValueError(f"No variables to optimize. ({user_location()})")
            found = _tfc.gradients(loss, variables, grad_loss)
            return list(zip(found, variables, strict=True))
        if not callable(loss):
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                f"execution is enabled. ({user_location()})"
            )
        with _tfc.GradientTape() as tape:
            if var_list is not None:
                tape.watch(list(var_list))
            value = loss()
        variables = list(tape.watched_variables() if var_list is None else var_list)
        gradients = tape.gradient(value, variables, grad_loss)
        return list(zip(gradients, variables, strict=True))

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Any]],
        global_step: Variable | None = None,
        name: str | None = None,
    ) -> Operation | None:
        """Move each Variable by its gradient; those with None stay. `global_step` counts up.

        Args:
            grads_and_vars: Pairs of a gradient, or None, and a Variable.
            global_step: A Variable that is counted up.
            name: The operation's name.

        Returns:
            In a graph the operation that does it; else None.

        Raises:
            ValueError: If no Variable has a gradient.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError(f"No variables provided. ({user_location()})")
        if all(g is None for g, _ in pairs):
            names = [v.name for _, v in pairs]
            raise ValueError(
                f"No gradients provided for any variable: {names}. ({user_location()})"
            )
        rate = self._learning_rate
        rate = rate() if callable(rate) else rate
        given = [(g, v) for g, v in pairs if g is not None]
        done = self._prepared([v for _, v in given])
        for g, v in given:
            done += self._moved(v, g, _tfc.cast(rate, v.dtype))
        if global_step is not None:
            done.append(global_step.assign_add(1))
        graph = current_graph()
        return None if graph is None else graph.group(done, name or self._name)

    def _prepared(self, variables: Sequence[Any]) -> list[Any]:
        """What is done once a step, before Variables are moved."""
        return []

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        """The assignments of a step of one Variable."""
        raise NotImplementedError

    def _slot(self, v: Any, kind: str, first: float = 0.0) -> Any:
        """A Variable of the shape of `v` that the optimizer keeps for it."""
        found = self._slots.get((kind, id(v)))
        if found is None:
            name = f"{v.name.removesuffix(':0')}/{kind}"
            with active(names=""):
                made = _tfc.Variable(
                    _tfc.fill(v.shape, _tfc.constant(first, v.dtype)), trainable=False, name=name
                )
            found = self._slots[kind, id(v)] = v, made
        return found[1]

    def get_slot(self, var: Any, name: str) -> Any:
        """A Variable that the optimizer keeps for another; None if it keeps none of this kind."""
        for (kind, _), (variable, made) in self._slots.items():
            if variable is var and name in (kind, _SLOTS.get(kind, kind)):
                return made
        return None

    def get_slot_names(self) -> list[str]:
        """The kinds of Variables that the optimizer keeps for others, in the order of the
        alphabet."""
        return sorted({_SLOTS.get(kind, kind) for kind, _ in self._slots})

    def variables(self) -> list[Any]:
        """All Variables that the optimizer keeps."""
        return [made for _, made in self._slots.values()]


# What kinds of Variables are called that have other names in checkpoints.
_SLOTS = {
    "Momentum": "momentum",
    "Adagrad": "accumulator",
    "Adam": "m",
    "Adam_1": "v",
    "RMSProp": "rms",
    "RMSProp_1": "momentum",
    "RMSProp_2": "mg",
}


class GradientDescentOptimizer(Optimizer):
    """Moves Variables against their gradients, by `learning_rate` times these: a number, a scalar
    tensor, or a callable that gives one.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(2.0)
    >>> optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.25)
    >>> optimizer.minimize(lambda: w * w)
    >>> float(w)
    1.0
    """

    def __init__(
        self, learning_rate: Rate, use_locking: bool = False, name: str = "GradientDescent"
    ) -> None:
        super().__init__(learning_rate, name)

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        if isinstance(gradient, IndexedSlices):
            g = gradient
            return [v.scatter_sub(IndexedSlices(g.values * rate, g.indices, g.dense_shape))]
        return [v.assign_sub(gradient * rate)]


class MomentumOptimizer(Optimizer):
    """Moves Variables against a sum of their gradients in which older ones count less, by
    `momentum` at each step. With `use_nesterov` the sum is taken one step ahead.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(1.0)
    >>> optimizer = tf.train.MomentumOptimizer(0.5, momentum=0.5)
    >>> optimizer.minimize(lambda: 1.0 * w), optimizer.minimize(lambda: 1.0 * w)
    (None, None)
    >>> float(w)
    -0.25
    """

    def __init__(
        self,
        learning_rate: Rate,
        momentum: Rate,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, name)
        self._momentum, self._nesterov = momentum, use_nesterov

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        gradient = _tfc.convert_to_tensor(gradient)
        kept = self._slot(v, "Momentum")
        share = _tfc.cast(self._momentum() if callable(self._momentum) else self._momentum, v.dtype)
        total = kept * share + gradient
        step = gradient + total * share if self._nesterov else total
        return [kept.assign(total), v.assign_sub(step * rate)]


class AdagradOptimizer(Optimizer):
    """Moves each element by its gradient over the root of the sum of all its squares.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(1.0)
    >>> tf.train.AdagradOptimizer(0.5, initial_accumulator_value=1.0).minimize(lambda: 2.0 * w)
    >>> round(float(w), 4)
    0.5528
    """

    def __init__(
        self,
        learning_rate: Rate,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        super().__init__(learning_rate, name)
        self._first = initial_accumulator_value

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        gradient = _tfc.convert_to_tensor(gradient)
        kept = self._slot(v, "Adagrad", self._first)
        total = kept + gradient * gradient
        return [kept.assign(total), v.assign_sub(rate * gradient / _tfc.sqrt(total))]


class RMSPropOptimizer(Optimizer):
    """Moves each element by its gradient over the root of a running mean of its squares, of which
    `decay` is kept at each step.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(1.0)
    >>> tf.train.RMSPropOptimizer(0.5, decay=0.0).minimize(lambda: 2.0 * w)
    >>> round(float(w), 4)
    0.5
    """

    def __init__(
        self,
        learning_rate: Rate,
        decay: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(learning_rate, name)
        self._decay, self._momentum, self._epsilon = decay, momentum, epsilon
        self._centered = centered

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        gradient = _tfc.convert_to_tensor(gradient)
        squares, kept = self._slot(v, "RMSProp", 1.0), self._slot(v, "RMSProp_1")
        mean_square = squares + (gradient * gradient - squares) * (1.0 - self._decay)
        done, spread = [squares.assign(mean_square)], mean_square
        if self._centered:
            means = self._slot(v, "RMSProp_2")
            mean = means + (gradient - means) * (1.0 - self._decay)
            done.append(means.assign(mean))
            spread = mean_square - mean * mean
        step = kept * self._momentum + rate * gradient / _tfc.sqrt(spread + self._epsilon)
        return [*done, kept.assign(step), v.assign_sub(step)]


class AdamOptimizer(Optimizer):
    """Adam (Kingma and Ba, 2015), in the form with `epsilon` beside the uncorrected root.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(1.0)
    >>> tf.train.AdamOptimizer(0.1).minimize(lambda: 2.0 * w)
    >>> round(float(w), 4)
    0.9
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(learning_rate, name)
        self._betas, self._epsilon = (beta1, beta2), epsilon
        self._powers: list[Any] = []
        self._now: list[Any] = []

    def _prepared(self, variables: Sequence[Any]) -> list[Any]:
        if not self._powers:
            with active(names=""):
                self._powers = [
                    _tfc.Variable(beta, trainable=False, name=f"beta{i}_power", dtype="float32")
                    for i, beta in enumerate(self._betas, 1)
                ]
        self._now = [power.value() for power in self._powers]
        rows = zip(self._powers, self._now, self._betas, strict=True)
        return [power.assign(now * beta) for power, now, beta in rows]

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        gradient = _tfc.convert_to_tensor(gradient)
        mean, square = self._slot(v, "Adam"), self._slot(v, "Adam_1")
        beta1, beta2 = self._betas
        power1, power2 = (_tfc.cast(power, v.dtype) for power in self._now)
        new_mean = beta1 * mean + (1.0 - beta1) * gradient
        new_square = beta2 * square + (1.0 - beta2) * gradient * gradient
        rate = rate * _tfc.sqrt(1.0 - power2) / (1.0 - power1)
        step = rate * new_mean / (_tfc.sqrt(new_square) + self._epsilon)
        return [mean.assign(new_mean), square.assign(new_square), v.assign_sub(step)]

    def variables(self) -> list[Any]:
        """All Variables that the optimizer keeps."""
        return [*self._powers, *super().variables()]


class ExponentialMovingAverage(_Averages):
    """Keeps running means of Variables, of which `decay` is kept at each step. With `num_updates`,
    a count, early steps keep less: at most (1 + count) / (10 + count).

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(4.0)
    ...     means = tf.train.ExponentialMovingAverage(0.5)
    ...     update = means.apply([v])
    ...     session.run(tf.global_variables_initializer())
    ...     v.load(2.0, session)
    ...     session.run(update)
    ...     print(session.run(means.average(v)))
    3.0
    """

    def apply(self, var_list: Sequence[Any] | None = None) -> Any:
        """Move the means of Variables (None: those that are trained) towards what they are.

        Args:
            var_list: The Variables.

        Returns:
            In a graph the operation that does it; else None.
        """
        decay = self._decay_now()
        done = []
        for v in trainable_variables() if var_list is None else var_list:
            if id(v) not in self._means:
                zeros = functools.partial(_tfc.zeros, v.shape, v.dtype)  # for a tensor's mean
                first = getattr(v, "initial_value", zeros) if current_graph() else v.value()
                with active(names=""):
                    made = _tfc.Variable(first, trainable=False, name=self.average_name(v))
                self._means[id(v)] = v, made
            mean = self._means[id(v)][1]
            done.append(mean.assign_sub((mean - v) * (1.0 - _tfc.cast(decay, v.dtype))))
        graph = current_graph()
        return None if graph is None else graph.group(done, self._name)

    def variables_to_restore(self, moving_avg_variables: Sequence[Any] | None = None) -> Any:
        """The Variables of the graph by the names that their means have in checkpoints, where they
        have means."""
        means = {self.average_name(v): v for v, _ in self._means.values()}
        rest = {id(v) for pair in self._means.values() for v in pair}
        others = {v.name.removesuffix(":0"): v for v in global_variables() if id(v) not in rest}
        return {**means, **others}


class AdadeltaOptimizer(Optimizer):
    """Moves each element by its gradient, times the root of the running mean of squared moves over
    that of squared gradients. Zeiler, "ADADELTA", 2012.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(1.0)
    >>> tf.train.AdadeltaOptimizer(1.0, epsilon=1.0).minimize(lambda: 2.0 * w)
    >>> round(float(w), 4)
    -0.8257
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        rho: float = 0.95,
        epsilon: float = 1e-08,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(learning_rate, name)
        self._rho, self._epsilon = rho, epsilon

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        gradient = _tfc.convert_to_tensor(gradient)
        squares, moves = self._slot(v, "accum", 0.0), self._slot(v, "accum_update", 0.0)
        kept, new = self._rho, 1.0 - self._rho
        total = squares * kept + gradient * gradient * new
        move = _tfc.sqrt(moves + self._epsilon) / _tfc.sqrt(total + self._epsilon) * gradient
        moved = moves * kept + move * move * new
        return [squares.assign(total), moves.assign(moved), v.assign_sub(rate * move)]


class FtrlOptimizer(Optimizer):
    """Follow the regularised leader: each element is what makes the sum of all gradients so far
    times it, and its penalties, least. McMahan and others, "Ad Click Prediction", 2013.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(0.0)
    >>> tf.train.FtrlOptimizer(1.0, initial_accumulator_value=0.0).minimize(lambda: 2.0 * w)
    >>> round(float(w), 4)
    -1.0
    """

    def __init__(
        self,
        learning_rate: Rate,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "Ftrl",
        accum_name: str | None = None,
        linear_name: str | None = None,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float | None = None,
    ) -> None:
        super().__init__(learning_rate, name)
        self._power, self._first = -learning_rate_power, initial_accumulator_value
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength
        self._shrinkage, self._beta = l2_shrinkage_regularization_strength, beta or 0.0

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        gradient = _tfc.convert_to_tensor(gradient)
        squares, sums = self._slot(v, "accum", self._first), self._slot(v, "linear", 0.0)
        total = squares + gradient * gradient
        before, after = _tfc.pow(squares, self._power), _tfc.pow(total, self._power)
        shrunk = gradient + 2.0 * self._shrinkage * v
        linear = sums + shrunk - (after - before) / rate * v
        quadratic = (after + self._beta) / rate + 2.0 * self._l2
        clipped = _tfc.clip_by_value(linear, -self._l1, self._l1)
        value = (clipped - linear) / quadratic
        return [squares.assign(total), sums.assign(linear), v.assign(value)]


class ProximalGradientDescentOptimizer(Optimizer):
    """As `GradientDescentOptimizer`; then each element comes nearer to 0, as its penalties say.
    Duchi and Singer, "Efficient Learning using Forward-Backward Splitting", 2009.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(1.0)
    >>> optimizer = tf.train.ProximalGradientDescentOptimizer(0.25, 1.0)
    >>> optimizer.minimize(lambda: 2.0 * w)
    >>> float(w)
    0.25
    """

    def __init__(
        self,
        learning_rate: Rate,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalGradientDescent",
    ) -> None:
        super().__init__(learning_rate, name)
        self._l1, self._l2 = l1_regularization_strength, l2_regularization_strength

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        return [v.assign(self._nearer(v - rate * _tfc.convert_to_tensor(gradient), rate))]

    def _nearer(self, moved: Any, rate: Any) -> Any:
        size = _tfc.maximum(_tfc.abs(moved) - rate * self._l1, 0.0)
        return _tfc.sign(moved) * size / (1.0 + rate * self._l2)


class ProximalAdagradOptimizer(ProximalGradientDescentOptimizer):
    """As `AdagradOptimizer`; then each element comes nearer to 0, as its penalties say.

    >>> import tfc.compat.v1 as tf
    >>> w = tf.Variable(1.0)
    >>> optimizer = tf.train.ProximalAdagradOptimizer(0.5, initial_accumulator_value=1.0)
    >>> optimizer.minimize(lambda: 2.0 * w)
    >>> round(float(w), 4)
    0.5528
    """

    def __init__(
        self,
        learning_rate: Rate,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        use_locking: bool = False,
        name: str = "ProximalAdagrad",
    ) -> None:
        super().__init__(
            learning_rate, l1_regularization_strength, l2_regularization_strength, name=name
        )
        self._first = initial_accumulator_value

    def _moved(self, v: Any, gradient: Any, rate: Any) -> list[Any]:
        gradient = _tfc.convert_to_tensor(gradient)
        squares = self._slot(v, "accumulator", self._first)
        total = squares + gradient * gradient
        own = rate / _tfc.sqrt(total)
        return [squares.assign(total), v.assign(self._nearer(v - own * gradient, own))]


__all__ = [
    "AdadeltaOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "ExponentialMovingAverage",
    "FtrlOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "RMSPropOptimizer",
]
