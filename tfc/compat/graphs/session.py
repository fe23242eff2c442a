"""Sessions: values for the Variables of a graph, and what runs slices of it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from tfc.compat.hints import hint
from tfc.core import blame, errors
from tfc.core.context import active
from tfc.core.conversion import convert_to_tensor
from tfc.core.tensor import SymbolicTensor, Tensor, wrap
from tfc.core.variable import Variable
from tfc.dispatch.execution import run_function
from tfc.ir.core import Value
from tfc.ops.ragged.tensor import RaggedTensor
from tfc.ops.sparse.tensor import SparseTensor

from . import ragged_values
from .default_graph import get_default_graph
from .graph import Graph, HostResult, _sessions, default_session
from .host_calls import HostCall, NeedsCall
from .iterators import running
from .slices import Slice
from .trace import current_graph
from .unranked import UnrankedTensor
from .variables import GraphVariable


class SparseTensorValue(NamedTuple):
    """The parts of a sparse tensor as arrays."""

    indices: Any
    values: Any
    dense_shape: Any


class Session:
    """Runs slices of a graph, and has values for its Variables.

    In a `with` statement it is the default session, and its graph the default graph.

    Args:
        target: Not used.
        graph: The graph; None: the default one.
        config: Kept.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.placeholder(tf.float32, [2])
    ...     print(session.run({"twice": 2.0 * x}, feed_dict={x: [1.0, 2.0]}))
    {'twice': array([2., 4.], dtype=float32)}
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        self.graph = get_default_graph() if graph is None else graph
        self.config = config
        self.closed = False
        self._values: dict[int, tuple[Variable, Tensor]] = {}  # of Variables, by id
        self._resources: dict[Any, Any] = {}  # by name: elements of queues, places in files
        self._lock = threading.Lock()
        self._entered: list[Any] = []

    @property
    def graph_def(self) -> Any:
        """The graph as a message."""
        return self.graph.as_graph_def()

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Compute what is fetched.

        Args:
            fetches: A tensor, Variable, operation or name of one, or a structure of these.
            feed_dict: Values, by tensors (any of the graph) or their names.
            options: Not used.
            run_metadata: Not used.

        Returns:
            The structure with arrays of NumPy; None for operations.

        Raises:
            InvalidArgumentError: If a placeholder is needed that is not fed.
            FailedPreconditionError: If a Variable is needed that has no value yet.
            RuntimeError: If the session is closed, or the graph is empty.
        """
        if self.closed:
            raise RuntimeError("Attempted to use a closed Session.")
        graph = self.graph
        trace = graph.trace.builder
        leaves: list[Any] = []
        rebuild = _taken_apart(fetches, leaves)
        some = trace.body or trace.params or graph.operations or graph.unranked
        within = current_graph() is not None  # where constants count as the graph's
        if not (some or (within and any(isinstance(x, Tensor) for x in leaves))):
            raise blame.located(
                RuntimeError,
                "The Session graph is empty. Add operations to the graph before calling run(). "
                f"Where eager execution is enabled, {hint('Session')}",
            )
        with graph.as_default():
            wanted = [graph.element(x) for x in leaves]
            fed, ranked = self._fed(feed_dict)
        found = self._found(wanted, fed, ranked)
        with active(trace=None, tapes=(), creators=()), running(self):
            return rebuild(iter(found))

    def _fed(self, feed_dict: Any) -> tuple[dict[Value, np.ndarray], dict[int, Value]]:
        """What is fed, and what is fed for tensors of unknown rank, by their ids."""
        fed: dict[Value, np.ndarray] = {}
        ranked: dict[int, Value] = {}
        pairs: list[tuple[Any, Any]] = []
        for key, given in (feed_dict or {}).items():
            if isinstance(key, SparseTensor):
                parts = (key.indices, key.values, key.dense_shape)
                pairs += zip(parts, given, strict=True)
            elif isinstance(key, RaggedTensor):
                places = (given.flat_values, *given.nested_row_splits)
                pairs += zip((key.flat_values, *key.nested_row_splits), places, strict=True)
            else:
                pairs.append((self.graph.as_graph_element(key), given))
        named = {id(tensor) for tensor, _ in pairs}
        for tensor in self.graph.unranked:
            default = self.graph.unranked_defaults.get(id(tensor))
            if default is not None and id(tensor) not in named:
                pairs.append((tensor, default))
        for tensor, given in pairs:
            value = self.graph.element(tensor)
            if isinstance(value, UnrankedTensor):
                value = self.graph.of_shape(tensor, tensor.fed_with(np.shape(given)))
            if isinstance(tensor, UnrankedTensor) and isinstance(value, Value):
                ranked[id(tensor)] = value
            if not isinstance(value, Value):
                raise TypeError(f"Cannot interpret feed_dict key as Tensor: {tensor!r}")
            if isinstance(given, Tensor):
                raise TypeError(
                    "The value of a feed cannot be a tf.Tensor object. Acceptable feed values "
                    "include Python scalars, strings, lists, numpy ndarrays, or TensorHandles. For "
                    f"reference, the tensor object was {given!r} which was passed to the feed "
                    f"with key {tensor!r}."
                )
            with active(trace=None, tapes=()):
                array = (
                    convert_to_tensor(np.asarray(given), value.dtype)._array
                    if (value.dtype.name == "string")
                    else np.asarray(given, value.dtype.as_numpy_dtype)
                )
            if not SymbolicTensor(self.graph.trace, value).shape.is_compatible_with(array.shape):
                shape = ", ".join(str(e) if isinstance(e, int) else "?" for e in value.shape)
                raise blame.value_error(
                    f"Cannot feed value of shape {array.shape} for Tensor {value.name}:0, which "
                    f"has shape ({shape})",
                    "Session.run",
                )
            fed[value] = array
        for value, default in self.graph.placeholders.items():
            if default is not None and value not in fed:
                fed[value] = default
        return fed, ranked

    def _found(
        self, wanted: list[Any], fed: dict[Value, np.ndarray], ranked: dict[int, Value]
    ) -> list[Any]:
        """What is wanted. Python functions whose results have no known rank are called before."""
        key = (tuple(wanted), tuple(fed))
        calls = self.graph.calls_before.setdefault(key, [])
        for call in calls:
            self._call(call, fed, ranked)
        while True:
            try:
                return self._computed(wanted, fed, ranked)
            except NeedsCall as error:
                if error.call in calls:
                    raise
                calls.append(error.call)
                self._call(error.call, fed, ranked)

    def _call(self, call: HostCall, fed: dict[Value, np.ndarray], ranked: dict[int, Value]) -> None:
        """Call a Python function, and feed what it gives, and what was computed for it."""
        wanted = call.wanted()
        found = self._found([*wanted, *call.after], fed, ranked)
        arrays = [
            np.array(x, object) if v.dtype.name == "string" else np.asarray(x)
            for v, x in zip(wanted, found, strict=False)
        ]
        pairs = zip(wanted, arrays, strict=True)
        fed.update((v, a) for v, a in pairs if isinstance(v, Value) and v.op is not None)
        with active(trace=None, tapes=(), creators=()), running(self):
            results = call.given(arrays[: len(call.args)])
        for tensor, array in results.items():
            value = self.graph.of_shape(tensor, (None,) * array.ndim)
            fed[value], ranked[id(tensor)] = array, value

    def _computed(
        self, wanted: list[Any], fed: Mapping[Value, np.ndarray], ranked: Mapping[int, Value]
    ) -> list[Any]:
        key = (tuple(wanted), tuple(fed))
        program = self.graph.programs.get(key)
        if program is None:
            world = self.graph.world(ranked)
            program = self.graph.programs[key] = Slice(self.graph, wanted, list(fed), world)
        program.check(list(fed.values()))
        with active(trace=None, tapes=(), creators=()), running(self):
            arguments = [wrap(a) for a in fed.values()] + [self._now(x) for x in program.captured]
            made = run_function(program.function, *arguments) if program.function.returns else ()
            results: tuple[Tensor, ...] = made if isinstance(made, tuple) else (made,)
            changed = results[program.count :]
            for variable, value in zip(program.assigned, changed, strict=False):
                self.set(variable, value)
            drawn = changed[len(program.assigned) :]
            for state, value in zip(program.drawn, drawn, strict=False):
                self._values[id(state)] = state, value
        return [None if place is None else results[place].numpy() for place in program.places]

    def _now(self, x: Any) -> Tensor:
        """What is captured, as it is in this session."""
        if id(x) in self._values:
            return self._values[id(x)][1]
        if isinstance(x, GraphVariable):
            raise errors.FailedPreconditionError(
                f"Attempting to use uninitialized value {x.op_name}", op="Session.run"
            )
        tensor: Tensor = x.read()
        return tensor

    def resource(self, key: Any, make: Callable[[], Any]) -> Any:
        """What this session has by a name, made where it has none."""
        with self._lock:
            if key not in self._resources:
                self._resources[key] = make()
            return self._resources[key]

    def set(self, variable: Variable, value: Tensor) -> None:
        """Give a Variable a value: in this session, where it is one of a graph."""
        if isinstance(variable, GraphVariable):
            self._values[id(variable)] = variable, value
        else:
            variable.assign(value)

    def has(self, variable: Variable) -> bool:
        """Whether a Variable has a value here."""
        return id(variable) in self._values

    @contextlib.contextmanager
    def as_default(self) -> Iterator[Session]:
        """The session as the default one, for `eval` and `run` of what the graph holds."""
        _sessions.append(self)
        try:
            yield self
        finally:
            _sessions.remove(self)

    def make_callable(
        self, fetches: Any, feed_list: Any = None, **unused: Any
    ) -> Callable[..., Any]:
        """A function of what is fed that computes what is fetched."""
        keys = list(feed_list or ())

        def call(*values: Any) -> Any:
            return self.run(fetches, dict(zip(keys, values, strict=True)))

        return call

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> PartialRun:
        """Begin a run in several parts.

        Args:
            fetches: All that will be fetched.
            feeds: All that will be fed.

        Returns:
            A handle for `partial_run`.
        """
        wanted: list[Any] = []
        _taken_apart(fetches, wanted)
        find = self.graph.as_graph_element
        return PartialRun([find(x) for x in wanted], [find(x) for x in feeds or ()])

    def partial_run(self, handle: PartialRun, fetches: Any, feed_dict: Any = None) -> Any:
        """Go on with a run: what was fed and fetched before is not computed again.

        Args:
            handle: What `partial_run_setup` gave.
            fetches: Some of what will be fetched, each once.
            feed_dict: Values of some of what will be fed, each once.

        Returns:
            As `run`.

        Raises:
            InvalidArgumentError: If something was not said before, or comes twice.
        """
        find = self.graph.as_graph_element
        given = {find(k): v for k, v in (feed_dict or {}).items()}
        handle.take("feed", handle.feeds, given)
        leaves: list[Any] = []
        _taken_apart(fetches, leaves)
        wanted = [find(x) for x in leaves]
        handle.take("fetch", handle.fetches, wanted)
        handle.known.update(given)
        found = self.run(wanted, handle.known)
        pairs = zip(wanted, found, strict=True)
        handle.known.update((x, v) for x, v in pairs if isinstance(x, SymbolicTensor))
        return _taken_apart(fetches, [])(iter(found))

    def close(self) -> None:
        """Forget the values of Variables, and let nobody wait for queues."""
        self.closed = True
        for resource in list(self._resources.values()):
            resource.cancel()
        self._values.clear()

    def __enter__(self) -> Session:
        default = contextlib.ExitStack()
        default.enter_context(self.graph.as_default())
        default.enter_context(self.as_default())
        self._entered.append(default)
        return self

    def __exit__(self, *exception: Any) -> None:
        self._entered.pop().close()
        self.close()


class PartialRun:
    """A run in several parts: what will be fetched and fed, and what is known so far."""

    def __init__(self, fetches: list[Any], feeds: list[Any]) -> None:
        self.fetches, self.feeds = fetches, feeds
        self.known: dict[Any, Any] = {}

    def take(self, what: str, left: list[Any], given: Any) -> None:
        """Take some of what is left; an error where it is not there."""
        for x in given:
            places = [i for i, y in enumerate(left) if y is x or _same(x, y)]
            if not places:
                raise errors.InvalidArgumentError(
                    f"The tensor {x.name} was not specified in partial_run_setup as a {what}, or "
                    f"has already been {'fed' if what == 'feed' else 'fetched'}.",
                    op="Session.partial_run",
                )
            del left[places[0]]


def _same(x: Any, y: Any) -> bool:
    """Whether two names of what a graph has stand for the same."""
    if isinstance(x, SymbolicTensor) and isinstance(y, SymbolicTensor):
        return x.ref() == y.ref() or (x.name == y.name and x.graph is y.graph)
    return bool(getattr(x, "name", x) == getattr(y, "name", y))


class InteractiveSession(Session):
    """A session that is the default one until it is closed.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     session = tf.InteractiveSession()
    ...     print((tf.constant(1.0) + tf.constant([2.0])).eval())
    ...     session.close()
    [3.]
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        _sessions.append(self)

    def close(self) -> None:
        """Be the default one no more."""
        if self in _sessions:
            _sessions.remove(self)
        super().close()


def _taken_apart(fetches: Any, leaves: list[Any]) -> Callable[[Iterator[Any]], Any]:
    """Note the leaves of a structure; gives what makes one like it of their values."""
    if isinstance(fetches, Mapping):
        parts = {k: _taken_apart(v, leaves) for k, v in fetches.items()}
        return lambda values: type(fetches)((k, p(values)) for k, p in parts.items())  # type: ignore
    if isinstance(fetches, list | tuple):
        rows = [_taken_apart(v, leaves) for v in fetches]
        if hasattr(fetches, "_fields"):
            return lambda values: type(fetches)(*[p(values) for p in rows])
        return lambda values: type(fetches)(p(values) for p in rows)
    if isinstance(fetches, HostResult):
        inputs = _taken_apart(fetches.inputs, leaves)
        return lambda values: fetches.make(*inputs(values))
    if isinstance(fetches, SparseTensor):
        places = _taken_apart((fetches.indices, fetches.values, fetches.dense_shape), leaves)
        return lambda values: SparseTensorValue(*places(values))
    if isinstance(fetches, RaggedTensor):
        parts_of = _taken_apart((fetches.flat_values, *fetches.nested_row_splits), leaves)
        return lambda values: ragged_values.packed(*parts_of(values))
    leaves.append(fetches)
    return next


__all__ = ["InteractiveSession", "Session", "SparseTensorValue", "current_graph", "default_session"]
