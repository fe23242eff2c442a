"""Variables of graphs, which have values in sessions, and what makes and finds them by name."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np

import tfc as _tfc
from tfc.core import blame
from tfc.core.context import active, context
from tfc.core.tensor import SymbolicTensor
from tfc.core.variable import Variable

from .default_graph import get_default_graph, in_graph
from .graph import Graph, GraphKeys, Operation, creators, default_session
from .trace import current_graph
from .unranked import UnrankedTensor


class GraphVariable(Variable):
    """A Variable of a graph: sessions have its values. `tf.Variable` makes one in a graph.

    Attributes:
        graph: The graph.
        initial_value: The tensor that `initializer` gives it.
        initializer: The operation that does.
    """

    def __init__(self, graph: Graph, initial: Any, **options: Any) -> None:
        shape = initial.shape
        if not shape.is_fully_defined():
            raise blame.value_error(
                f"initial_value must have a shape specified: {initial!r}", "Variable"
            )
        name = options.pop("name", None) or "Variable"
        zeros = _tfc.convert_to_tensor(np.zeros(shape.as_list(), initial.dtype.as_numpy_dtype))
        super().__init__(zeros, name=name, **{**options, "shape": None, "dtype": None})
        self.graph = graph
        self.name = graph.unique_name(self.name.removesuffix(":0")) + ":0"
        self.initial_value = initial
        value = graph.trace.value_of(initial)
        self.initializer = Operation(graph, f"{self.op_name}/Assign", "Assign", [value])
        self.initializer.assigns = self, value
        graph.operations.append(self.initializer)

    @property
    def op_name(self) -> str:
        """Its name without the number of an output."""
        return str(self.name.removesuffix(":0"))

    @property
    def op(self) -> Operation:
        """What reads it, as an operation of its name."""
        value = self.graph.trace.value_of(self)
        return Operation(self.graph, self.op_name, "VarHandleOp", [value])

    def initialized_value(self) -> Any:
        """The tensor that it is initialised with."""
        return self.initial_value

    def eval(self, session: Any = None) -> Any:
        """Its value in a session, or in the default one."""
        return self.graph.evaluate(self, None, session)

    def load(self, value: Any, session: Any = None) -> None:
        """Give it a value in a session, or in the default one."""
        found = session or default_session()
        if found is None:
            raise blame.value_error("Either session argument should be provided or default", "load")
        with active(trace=None, tapes=()):
            found.set(self, self._converted(value, "load"))

    def numpy(self) -> NoReturn:
        """Raises NotImplementedError: `eval` gives the value in a session."""
        raise NotImplementedError("numpy() is only available when eager execution is enabled.")

    def read(self) -> NoReturn:
        raise blame.located(
            RuntimeError, f"{self.name} belongs to a graph: a session has its values"
        )

    def _set(self, value: Any, op: str) -> Any:
        if context.trace is not self.graph.trace:
            return super()._set(value, op)
        tensor = self._converted(value, op)
        if not self.shape.is_compatible_with(tensor.shape):
            raise blame.value_error(
                f"Cannot {op} value to variable '{self.name}': Shape mismatch. The variable shape "
                f"{self.shape}, and the assigned value shape {tensor.shape} are incompatible.",
                op,
            )
        if isinstance(tensor, UnrankedTensor) and tensor.is_open:
            tensor = SymbolicTensor(self.graph.trace, tensor.ranked(self.shape))
        given = self.graph.trace.value_of(tensor)
        copy = SymbolicTensor(self.graph.trace, self.graph.trace.refine(given, tuple(self.shape)))
        copy = self.graph.copy(copy)
        operation = self.graph.assignment(self, copy, copy._value)
        if op in ("assign_add", "assign_sub"):
            operation.before = self.graph.trace.value_of(self)
        return copy

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:  # type: ignore[override]
        return self is other

    def __ne__(self, other: object) -> bool:  # type: ignore[override]
        return self is not other

    def __repr__(self) -> str:
        return f"<tf.Variable '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    __str__ = __repr__


def make_variable(make: Callable[..., Any], **options: Any) -> Any:
    """A Variable where a graph is the default one: that of the graph."""
    graph = current_graph()
    if graph is None:
        return make(**options)
    if context.trace is not graph.trace:
        given = options["initial_value"]
        if isinstance(given, SymbolicTensor) and given._trace is not graph.trace:
            return make(**options)
        with active(trace=graph.trace):  # a branch makes it of what stands outside
            return make_variable(make, **options)
    initial, dtype = options.pop("initial_value"), options.pop("dtype")
    if initial is None:
        raise ValueError("initial_value must be specified.")
    with graph.control_dependencies(None):  # what it starts from waits for nothing
        if callable(initial):
            initial = initial()
        if isinstance(initial, Variable):
            initial = initial.value()
        declared = options.pop("shape", None)
        tensor = _tfc.convert_to_tensor(initial, dtype)
        if declared is not None and not _tfc.TensorShape(declared).is_compatible_with(tensor.shape):
            raise blame.value_error(
                f"the initial value of shape {tensor.shape} does not fit the shape {declared}",
                "Variable",
            )
        local = GraphKeys.LOCAL_VARIABLES in _given_collections
        options.setdefault("trainable", None)
        if local and options["trainable"] is None:
            options["trainable"] = False
        variable = GraphVariable(graph, tensor, **options)
    if _given_collections:
        graph.add_to_collections(_given_collections, variable)
    else:
        graph.add_to_collection(GraphKeys.GLOBAL_VARIABLES, variable)
    if variable.trainable:
        graph.add_to_collection(GraphKeys.TRAINABLE_VARIABLES, variable)
    return variable


creators.append(make_variable)
_given_collections: list[str] = []  # of the Variable that is being made; empty: the usual ones


@contextmanager
def in_collections(names: Sequence[str] | None) -> Iterator[None]:
    """Variables that are made meanwhile are added to these collections of the graph."""
    _given_collections[:] = names or []
    try:
        yield
    finally:
        _given_collections.clear()


AUTO_REUSE = "AUTO_REUSE"


class VariableScope:
    """What `variable_scope` gives: where `get_variable` looks.

    Attributes:
        name: The scope's name.
        reuse: Whether Variables are found again (True), made (False), or either (AUTO_REUSE).
        initializer: What Variables start from that say nothing else.
        regularizer: What gives a loss for each Variable that says nothing else.
    """

    def __init__(
        self, name: str, reuse: Any = False, initializer: Any = None, regularizer: Any = None
    ) -> None:
        self.name = name
        self.reuse = reuse
        self.initializer = initializer
        self.regularizer = regularizer
        self.caching_device: Any = None  # where copies of Variables would be: there are none

    def set_caching_device(self, caching_device: Any) -> None:
        """Not used: Variables are read where they are."""
        self.caching_device = caching_device

    @property
    def original_name_scope(self) -> str:
        """The name with a stroke behind it."""
        return f"{self.name}/" if self.name else ""

    def reuse_variables(self) -> None:
        """From here on Variables are found again."""
        self.reuse = True


_scopes: list[VariableScope] = [VariableScope("")]


def get_variable_scope() -> VariableScope:
    """The scope in which `get_variable` looks here."""
    return _scopes[-1]


class variable_scope:  # noqa: N801  (as TensorFlow calls it)
    """Where `get_variable` makes Variables and finds them again: `name/` stands in front of their
    names.

    Args:
        name_or_scope: A name, or a scope that is entered again.
        default_name: The name where there is none, made unique.
        values: Not used.
        initializer: What Variables start from that say nothing else.
        regularizer: What gives a loss for each Variable that says nothing else.
        reuse: True to find Variables again, AUTO_REUSE to make those that are not there.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     with tf.variable_scope("layer"):
    ...         w = tf.get_variable("w", [2])
    ...     with tf.variable_scope("layer", reuse=True):
    ...         again = tf.get_variable("w", [2])
    >>> w is again, w.name
    (True, 'layer/w:0')
    """

    def __init__(
        self,
        name_or_scope: Any = None,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        **unused: Any,
    ) -> None:
        self._given, self._default = name_or_scope, default_name
        self._more = reuse, initializer, regularizer
        self._names: Any = None
        self._opened: Counter[str] = Counter()
        if name_or_scope is None and default_name is None:
            raise ValueError("If default_name is None then name_or_scope is required")

    def __enter__(self) -> VariableScope:
        outer = _scopes[-1]
        reuse, initializer, regularizer = self._more
        given = self._given
        if isinstance(given, VariableScope):
            name, base = given.name, given
        else:
            if given is None:
                given = _unused(outer.original_name_scope, self._default)
            name, base = f"{outer.original_name_scope}{given}", outer
        reuse = base.reuse if reuse is None else reuse
        scope = VariableScope(
            name, reuse, initializer or base.initializer, regularizer or base.regularizer
        )
        _scopes.append(scope)
        self._opened = get_default_graph().variable_scopes
        self._opened[name] += 1
        # Ops that are made inside have names of their own each time that it is entered.
        self._names = _tfc.name_scope(name.rpartition("/")[2])
        self._names.__enter__()
        return scope

    def __exit__(self, *exception: Any) -> None:
        self._names.__exit__(*exception)
        inner = _scopes.pop().original_name_scope
        for name in [name for name in self._opened if name.startswith(inner)]:
            del self._opened[name]


def _unused(around: str, name: str | None) -> str:
    """`name`, with a number behind it where a scope of the name was opened here before."""
    opened = get_default_graph().variable_scopes
    numbered = itertools.chain([name], (f"{name}_{i}" for i in itertools.count(1)))
    return next(str(found) for found in numbered if not opened[f"{around}{found}"])


def get_variable(
    graph: Graph,
    make: Callable[[], Any],
    name: str,
    shape: Any,
    regularizer: Any,
    collections: Sequence[str] | None,
) -> Any:
    """The Variable of a name in the scope that is entered: found again, or made by `make`.

    Raises:
        ValueError: If it is there and shall not be, or the other way round, or has another shape.
    """
    scope = _scopes[-1]
    full = f"{scope.original_name_scope}{name}"
    known = graph.shared.get(full)
    if known is not None:
        if not scope.reuse:
            raise blame.value_error(
                f"Variable {full} already exists, disallowed. Did you mean to set reuse=True or "
                "reuse=tf.AUTO_REUSE in VarScope?",
                "get_variable",
            )
        if shape is not None and not known.shape.is_compatible_with(shape):
            raise blame.value_error(
                f"Trying to share variable {full}, but specified shape {_tfc.TensorShape(shape)} "
                f"and found shape {known.shape}.",
                "get_variable",
            )
        return known
    if scope.reuse is True:
        raise blame.value_error(
            f"Variable {full} does not exist, or was not created with tf.get_variable(). Did you "
            "mean to set reuse=tf.AUTO_REUSE in VarScope?",
            "get_variable",
        )
    with active(names=scope.original_name_scope), in_collections(collections):
        variable = make()
    graph.shared[full] = variable
    rule = regularizer or scope.regularizer
    with active(names=f"{full}/Regularizer/"):
        loss = None if rule is None else rule(variable)
    if loss is not None:
        graph.add_to_collection(GraphKeys.REGULARIZATION_LOSSES, loss)
    return variable


def variables_initializer(var_list: Sequence[Any], name: str = "init") -> Any:
    """The operation that gives Variables their first values; None where ops run at once."""
    return in_graph(
        lambda graph: graph.group([v.initializer for v in var_list], name), lambda: None
    )


def global_variables_initializer() -> Any:
    """The operation that gives all Variables of the graph their first values. None where ops run
    at once: Variables have values from the start.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(3.0)
    ...     session.run(tf.global_variables_initializer())
    ...     print(session.run(v))
    3.0
    """
    return variables_initializer(global_variables())


def local_variables_initializer() -> Any:
    """As `global_variables_initializer`, of the Variables that are local."""
    return variables_initializer(local_variables())


def _listed(key: str, scope: str | None) -> list[Any]:
    return get_default_graph().get_collection(key, scope)


def global_variables(scope: str | None = None) -> list[Any]:
    """The Variables of the default graph; with `scope`, those whose names begin so."""
    return _listed(GraphKeys.GLOBAL_VARIABLES, scope)


def local_variables(scope: str | None = None) -> list[Any]:
    """The local Variables of the default graph."""
    return _listed(GraphKeys.LOCAL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """The Variables of the default graph that are trained."""
    return _listed(GraphKeys.TRAINABLE_VARIABLES, scope)


def model_variables(scope: str | None = None) -> list[Any]:
    """The Variables of the default graph that were added to its collection of a model's."""
    return _listed(GraphKeys.MODEL_VARIABLES, scope)


def moving_average_variables(scope: str | None = None) -> list[Any]:
    """The Variables of the default graph that have moving averages."""
    return _listed(GraphKeys.MOVING_AVERAGE_VARIABLES, scope)


__all__ = [
    "AUTO_REUSE",
    "GraphVariable",
    "VariableScope",
    "get_variable",
    "get_variable_scope",
    "global_variables",
    "global_variables_initializer",
    "in_collections",
    "local_variables",
    "local_variables_initializer",
    "make_variable",
    "model_variables",
    "moving_average_variables",
    "trainable_variables",
    "variable_scope",
    "variables_initializer",
]
