"""Graphs: traces that are appended to for as long as the program likes."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import tfc as _tfc
from tfc.core import blame
from tfc.core.context import active, context, current
from tfc.core.formatting import shown
from tfc.core.tensor import SymbolicTensor, Tensor
from tfc.core.variable import Variable
from tfc.ir.core import Value
from tfc.ir.extent import fresh_symbol
from tfc.ir.ops import Reshape
from tfc.ir.types import TensorType
from tfc.records.graph import GraphDef

from . import kept_calls, naming, unranked
from .iterators import running_session
from .nodes import nodes_of
from .op_names import name_of_step
from .reachable import reachable
from .trace import GraphTrace, current_graph


class GraphKeys:
    """The names of a graph's collections that have a meaning.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="v")
    ...     found = tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES)
    >>> found[0] is v
    True
    """

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    MODEL_VARIABLES = "model_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    SUMMARIES = "summaries"
    LOSSES = "losses"
    REGULARIZATION_LOSSES = "regularization_losses"
    UPDATE_OPS = "update_ops"
    GLOBAL_STEP = "global_step"
    INIT_OP = "init_op"
    TRAIN_OP = "train_op"
    LOCAL_INIT_OP = "local_init_op"
    READY_OP = "ready_op"
    SUMMARY_OP = "summary_op"
    EVAL_STEP = "eval_step"
    SAVERS = "savers"
    METRIC_VARIABLES = "metric_variables"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    ASSET_FILEPATHS = "asset_filepaths"
    QUEUE_RUNNERS = "queue_runners"
    TABLE_INITIALIZERS = "table_initializer"


class Operation:
    """What a session can run: the op of a tensor, an assignment, or a group of others.

    Attributes:
        name: Its name in the graph.
        type: What kind of op it is.
        graph: The graph.
        outputs: The tensors that it gives.

    >>> import tfc as tf
    >>> concrete = tf.function(lambda x: x + 1.0).get_concrete_function(tf.TensorSpec([]))
    >>> operation = concrete.graph.get_operations()[-1]
    >>> isinstance(operation, tf.Operation), operation.type
    (True, 'Add')
    """

    def __init__(
        self,
        graph: Graph,
        name: str,
        kind: str,
        values: Sequence[Value] = (),
        after: Sequence[Operation | Value] = (),
        outputs: Sequence[Tensor] = (),
    ) -> None:
        if not isinstance(graph, Graph):
            raise blame.type_error(f"graph must be a tf.Graph, got {shown(graph)}", "Operation")
        self.graph = graph
        self.name = name
        self.type = kind
        self.outputs = list(outputs)
        self.values = tuple(values)  # that are computed when it runs
        self.after = (*after, *graph.dependencies)  # what runs as well
        # The Variable that it assigns, and its new value.
        self.assigns: tuple[Variable, Value] | None = None
        # Where the new value is made from the one before: that one.
        self.before: Value | None = None
        self.number = graph.count()

    @property
    def runs(self) -> Sequence[Any]:
        """The values that it computes, and what runs as well."""
        return *self.values, *self.after

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Run it in a session: the default one, where none is given."""
        self.graph.evaluate(self, feed_dict, session)

    @property
    def inputs(self) -> list[Tensor]:
        """The tensors that its ops take."""
        found = dict.fromkeys(v for o in self.values if o.op for v in o.op.operands)
        return [SymbolicTensor(self.graph.trace, v) for v in found]

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name}' type={self.type}>"


class HostResult:
    """What Python makes of values that a session has computed, such as a summary. It can be
    fetched, and no op takes it.

    Attributes:
        name: Its name in the graph.
        inputs: What is fetched for it.
        make: What makes it of their values.
    """

    def __init__(
        self, graph: Graph, name: str, inputs: Sequence[Any], make: Callable[..., Any]
    ) -> None:
        self.graph = graph
        self.name = graph.name_in_scope(name) + ":0"
        self.inputs = list(inputs)
        self.make = make

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """Its value in a session, or in the default one."""
        return self.graph.evaluate(self, feed_dict, session)

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape=() dtype=string>"


class HostEffect(HostResult):
    """What Python does with values that a session has computed, whatever their ranks are: as an
    operation, which gives nothing."""

    def run(self, feed_dict: Any = None, session: Any = None) -> None:
        """Do it in a session, or in the default one."""
        self.graph.evaluate(self, feed_dict, session)

    def __repr__(self) -> str:
        return f"<tf.Operation '{self.name.removesuffix(':0')}' type=PyFunc>"


class Graph:
    """TensorFlow 1's graph. Where it is the default, ops are appended to it and give tensors that
    have values in sessions alone.

    >>> import tfc.compat.v1 as tf
    >>> graph = tf.Graph()
    >>> with graph.as_default():
    ...     x = tf.placeholder(tf.float32, [None], name="x")
    ...     y = tf.reduce_sum(x * x)
    >>> with tf.Session(graph=graph) as session:
    ...     print(session.run(y, {x: [1.0, 2.0]}))
    5.0
    """

    def __init__(self) -> None:
        self.trace = GraphTrace(self)
        self.attached: dict[int, list[Operation]] = defaultdict(list)  # by id of an op of the IR
        self.waits: dict[int, tuple[Any, ...]] = {}  # by id: what an op of the IR comes after
        self.dependencies: tuple[Any, ...] = ()  # of what is made now
        self.programs: dict[Any, Any] = {}  # slices, by what is fetched and fed
        self.calls_before: dict[Any, list[Any]] = {}  # of Python, by what is fetched and fed
        self.placeholders: dict[Value, Any] = {}  # the default of each, or None
        self.unranked: list[Any] = []  # placeholders that nobody gave a shape
        self.unranked_defaults: dict[int, Any] = {}  # by id of theirs
        self.deferred: dict[Value, Any] = {}  # what stands for tensors of unknown rank: see there
        self._worlds: dict[Any, Any] = {}
        self._of_shapes: dict[Any, Value] = {}  # what is fed for them, by id and shape
        self.operations: list[Operation] = []
        self.iterators: list[Any] = []  # that go over datasets in its sessions
        self.resources: list[Any] = []  # queues and the like: sessions know them by their ids
        self.shared: dict[str, Variable] = {}  # by name: what get_variable has made
        self.variable_scopes: Counter[str] = Counter()  # by name: how often they were opened
        # What was imported (see ../graph_def/importing.py): its nodes by name, and, by id, the ops
        # and values that stand for them.
        self.imported: dict[str, Any] = {}
        self.hidden: set[int] = set()
        self.libraries: list[Any] = []  # the functions that these nodes call
        self.seed: int | None = None
        self.finalized = False
        self._collections: dict[str, list[Any]] = defaultdict(list)
        self._names: dict[str, int] = {}
        self._count = 0

    @property
    def building_function(self) -> bool:
        """Whether a function is being traced."""
        return context.trace is not None and current_graph() is None

    def name_of(self, value: Value) -> str:
        """The name of a value: a step of the program's ops is given one when it is asked for."""
        if not value.name:
            value.name = self.unique_name(name_of_step(value.op))
        return value.name

    def as_default(self) -> Any:
        """The graph as a context: what is made inside belongs to it."""
        return _Default(self)

    def count(self) -> int:
        """A number that grows."""
        self._count += 1
        return self._count

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name`, with `_1`, `_2`, ... behind it if it was given before, in capitals or not; as if
        it was not asked for, unless it is marked."""
        found, number = name, self._names.get(name.lower(), 0)
        while found.lower() in self._names:
            found = f"{name}_{number}"
            number += 1
        if mark_as_used:
            if number:
                self._names[name.lower()] = number
            self._names[found.lower()] = 1
        return found

    def release_name(self, name: str) -> None:
        """Let a name be given again, to what it was marked for."""
        self._names.pop(name.lower(), None)

    def name_in_scope(self, name: str) -> str:
        """A name of its own for what is made here, behind those of the scopes around."""
        return self.unique_name(f"{current().names}{name}")

    # What stands in it.

    def placeholder(self, dtype: Any, shape: Any, name: str | None, default: Any = None) -> Any:
        """A tensor that is fed."""
        if _tfc.TensorShape(shape).rank is None:
            called = self.name_in_scope(name or "Placeholder")
            return kept_calls.placeholder(self, _tfc.as_dtype(dtype), called, default)
        extents = _tfc.TensorShape(shape).as_list()
        type = TensorType(
            _tfc.as_dtype(dtype), tuple(fresh_symbol() if e is None else e for e in extents)
        )
        tensor = self.trace.parameter(type, self.name_in_scope(name or "Placeholder"))
        self.placeholders[tensor._value] = default
        return tensor

    def sparse_placeholder(self, dtype: Any, shape: Any, name: str | None) -> Any:
        """A sparse tensor that is fed."""
        stated = _tfc.TensorShape(shape)
        called = f"{self.name_in_scope(name)}/" if name else ""
        values = self.placeholder(dtype, [None], f"{called}values" if called else None)
        indices: Any
        extents: Any
        if stated.rank is None:
            indices, extents = kept_calls.sparse_parts(self, called.strip("/") or "Placeholder")
        else:
            indices = self.placeholder(_tfc.int64, [None, stated.rank], f"{called}indices")
            extents = self.placeholder(_tfc.int64, [stated.rank], f"{called}shape")
        made = _tfc.SparseTensor(indices, values, extents)
        made._stated = None if stated.rank is None else tuple(stated.as_list())
        return made

    def of_shape(self, tensor: Any, shape: Sequence[int | None]) -> Value:
        """What is fed for a tensor of unknown rank where its value has such a shape."""
        key = id(tensor), tuple(shape)
        if key not in self._of_shapes:
            extents = tuple(fresh_symbol() if e is None else e for e in shape)
            name = tensor.name.removesuffix(":0")
            made = self.trace.parameter(TensorType(tensor.dtype, extents), name)
            self._of_shapes[key] = made._value
        return self._of_shapes[key]

    def resource(self, key: Any, make: Callable[[], Any]) -> Any:
        """What the session that runs has by a name, made where it has none: such as the elements of
        a queue."""
        return running_session().resource(key, make)

    def world(self, fed: Mapping[int, Value]) -> Any:
        """What the graph computes for the ranks that are fed."""
        key = tuple(sorted((k, id(v)) for k, v in fed.items()))
        if key not in self._worlds:
            self._worlds[key] = unranked.World(self, fed)
        return self._worlds[key]

    def constant(self, tensor: Tensor, name: str) -> SymbolicTensor:
        """A tensor whose elements are known, as one of the graph."""
        value = self.trace.value_of(tensor)
        value.name = self.name_in_scope(name)
        return SymbolicTensor(self.trace, value)

    def copy(self, tensor: Any, name: str | None = None) -> SymbolicTensor:
        """A tensor of the same elements, made by an op of its own."""
        given = _tfc.convert_to_tensor(tensor)
        if isinstance(given, unranked.UnrankedTensor) and given.is_open:
            same: SymbolicTensor = kept_calls.call(_tfc.identity, (given,), {})
            return same
        value = self.trace.value_of(given)
        made = self.trace.builder.emit(Reshape(value, value.shape))
        if name is not None:
            made.name = self.name_in_scope(name)
        return SymbolicTensor(self.trace, made)

    def assignment(self, variable: Variable, tensor: Any, value: Value) -> Operation:
        """What assigns a Variable in each run that computes `value`."""
        called = self.unique_name(f"{variable.name.partition(':')[0]}/Assign")
        made = Operation(self, called, "Assign", [value], (), [tensor])
        made.assigns = variable, value
        if value.op is not None:
            self.attached[id(value.op)].append(made)
        self.operations.append(made)
        return made

    def group(self, inputs: Sequence[Any], name: str | None = None) -> Operation:
        """An operation that runs others."""
        called = self.name_in_scope(name or "group_deps")
        made = Operation(self, called, "NoOp", (), [self.element(x) for x in inputs])
        self.operations.append(made)
        return made

    def check(self, ops: Sequence[Any], name: str) -> Operation:
        """An operation that runs ops of the IR which give no value that is asked for."""
        made = Operation(self, self.name_in_scope(name), "Assert", (), ops)
        self.operations.append(made)
        return made

    def effect_of(self, function: Callable[..., None], tensors: Sequence[Any], name: str) -> Any:
        """What calls Python with tensors, one of which has no known rank; None if all have one."""
        if not any(kept_calls.is_open(t) for t in tensors):
            return None

        def done(*values: Any) -> None:
            pairs = zip(values, tensors, strict=True)
            function(*(_tfc.convert_to_tensor(v, t.dtype) for v, t in pairs))

        return HostEffect(self, name, tensors, done)

    def operation_of(self, tensor: SymbolicTensor) -> Operation:
        """The op that gives a tensor."""
        if isinstance(tensor, unranked.UnrankedTensor):
            kind = "Placeholder" if tensor.call is None else "Call"
            called = tensor.name.partition(":")[0]
            return Operation(self, called, kind, (), [self.element(tensor)], [tensor])
        value = tensor._value
        kind = "Placeholder" if value.op is None else type(value.op).__name__
        made = Operation(self, tensor.name.partition(":")[0], kind, [value], (), [tensor])
        made.after = ()
        return made

    def consumers(self, tensor: SymbolicTensor) -> list[Operation]:
        """The ops that take a tensor."""
        value = tensor._value
        ops = [o for o in self.trace.builder.body if value in o.operands and o.results]
        return [self.operation_of(SymbolicTensor(self.trace, o.results[0])) for o in ops]

    @contextmanager
    def control_dependencies(self, control_inputs: Any) -> Iterator[None]:
        """What is made inside runs after `control_inputs`, and sees what these assign."""
        before, body = self.dependencies, self.trace.builder.body
        start = len(body)
        if control_inputs is None:
            self.dependencies, new = (), []
        else:
            new = [self.element(x() if callable(x) else x) for x in control_inputs]
            self.dependencies = (*before, *new)
        changed = [o.assigns for o in _assigning(self, new)]
        meant = [(v, self.trace.meaning(v, value)) for v, value in changed]
        try:
            yield
        finally:
            for op in body[start:]:  # those of contexts inside have what they wait for
                self.waits.setdefault(id(op), self.dependencies if op.operands else ())
            self.dependencies = before
            for variable, value in reversed(meant):
                self.trace.meaning(variable, value)

    # What programs look up.

    def element(self, x: Any) -> Operation | Value:
        """What a session computes for a fetch: an operation, or a value.

        Raises:
            TypeError: If it is neither, nor the name of one.
            ValueError: If it belongs to another graph.
        """
        if isinstance(x, Operation):
            if x.graph is not self:
                raise blame.value_error(f"{x!r} is not an element of this graph", "Session")
            return x
        if isinstance(x, str):
            x = self.as_graph_element(x)
            return self.element(x)
        if isinstance(x, SymbolicTensor):
            if x._trace is not self.trace:
                raise blame.value_error(f"Tensor {x!r} is not an element of this graph", "Session")
            open_ = isinstance(x, unranked.UnrankedTensor) and x.is_open
            return x if open_ else x._value  # type: ignore[return-value]
        if isinstance(x, Tensor | Variable):
            return self.trace.value_of(x)
        raise blame.type_error(f"Fetch argument {x!r:.100} has invalid type {type(x)}", "Session")

    def as_graph_element(self, name: Any, **_: Any) -> Any:
        """The tensor ("x:0") or the operation ("x") of a name."""
        if not isinstance(name, str):
            return name
        return self.get_tensor_by_name(name) if ":" in name else self.get_operation_by_name(name)

    def get_tensor_by_name(self, name: str) -> Any:
        """The tensor that says that this is its name.

        Raises:
            KeyError: If there is none.
        """
        builder = self.trace.builder
        node, _, number = name.partition(":")
        if node in self.imported and number.isdecimal():
            return self.imported[node].tensor(int(number), name)
        for tensor in self.unranked:
            if tensor.name == name:
                return tensor
        for variable in self._collections[GraphKeys.GLOBAL_VARIABLES]:
            if variable.name == name:
                return SymbolicTensor(self.trace, self.trace.value_of(variable))
        for value in (*builder.params, *(v for op in builder.body for v in op.results)):
            if f"{self.name_of(value)}:0" == name:
                return SymbolicTensor(self.trace, value)
        raise KeyError(f"The name '{name}' refers to a Tensor which does not exist.")

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of a name.

        Raises:
            KeyError: If there is none.
        """
        if name in self.imported:
            found: Operation = self.imported[name].operation
            return found
        for operation in self.operations:
            if operation.name == name:
                return operation
        try:
            return self.operation_of(self.get_tensor_by_name(f"{name}:0"))
        except KeyError:
            raise KeyError(f"The name '{name}' refers to an Operation not in the graph.") from None

    def get_operations(self) -> list[Operation]:
        """Placeholders, the ops of the IR that give tensors, and what assigns and groups."""
        builder = self.trace.builder
        values = [v for v in builder.params if id(v) not in self.hidden]
        values += [op.results[0] for op in builder.body if op.results and id(op) not in self.hidden]
        ops = [self.operation_of(SymbolicTensor(self.trace, v)) for v in values]
        nodes = [node.operation for node in self.imported.values() if not node.missing]
        return ops + nodes + self.operations

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> GraphDef:
        """The graph as a message: what TensorBoard shows, and `tf.import_graph_def` reads.

        Nodes that were imported are what they were. Placeholders, constants and Variables are nodes
        that TensorFlow has, too; other ops are those of the IR.

        Args:
            from_version: Not used.
            add_shapes: Not used: shapes are there.

        Returns:
            A `tf.compat.v1.GraphDef`.
        """
        return nodes_of(self)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """What a collection holds; with `scope`, that whose names match it at their beginning."""
        found = list(self._collections.get(name, ()))
        if scope is None:
            return found
        match = re.compile(scope).match
        return [x for x in found if match(getattr(x, "name", ""))]

    def get_all_collection_keys(self) -> list[str]:
        """The names of the collections that hold something."""
        return [key for key, held in self._collections.items() if held]

    def clear_collection(self, name: str) -> None:
        """Let a collection hold nothing."""
        self._collections.pop(name, None)

    def get_collection_ref(self, name: str) -> list[Any]:
        """The list behind a collection."""
        return self._collections[name]

    def add_to_collection(self, name: str, value: Any) -> None:
        """Add something to a collection."""
        self._collections[name].append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Add something to several collections."""
        for name in dict.fromkeys([names] if isinstance(names, str) else names):
            self.add_to_collection(name, value)

    def finalize(self) -> None:
        """Note that nothing is to be added."""
        self.finalized = True

    def evaluate(self, x: Any, feed_dict: Any, session: Any) -> Any:
        """The value of a fetch in a session, or in the default one.

        Raises:
            ValueError: If there is neither.
        """
        found = session or default_session()
        if found is None:
            raise blame.value_error(
                "Cannot evaluate: No default session is registered. Use `with "
                "sess.as_default()` or pass an explicit session to `eval(session=sess)`",
                "eval",
            )
        return found.run(x, feed_dict)


creators: list[Callable[..., Any]] = []  # what makes Variables in graphs: see variables.py


class _Default:
    """A graph as the default one, for as long as it is entered. It can be entered again."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._scopes: list[Any] = []

    def __enter__(self) -> Graph:
        scope = active(
            trace=self._graph.trace, tapes=(), names="", creators=tuple(creators), autograph=False
        )
        naming.install()
        scope.__enter__()
        self._scopes.append(scope)
        return self._graph

    def __exit__(self, *exception: Any) -> None:
        self._scopes.pop().__exit__(*exception)


def _assigning(graph: Graph, elements: Sequence[Any]) -> list[Any]:
    """The operations that assign something among those that others stand for, in order."""

    def stands_for(x: Any) -> Sequence[Any]:
        if isinstance(x, Operation):
            return x.runs
        op = x.op if isinstance(x, Value) else x
        return () if op is None else graph.attached.get(id(op), ())

    found = [x for x in reachable(elements, stands_for) if isinstance(x, Operation)]
    return sorted((x for x in found if x.assigns is not None), key=lambda x: x.number)


_sessions: list[Any] = []  # the default ones, the innermost last


def default_session() -> Any:
    """The session that is the default one; None if there is none."""
    return _sessions[-1] if _sessions else None


__all__ = ["Graph", "GraphKeys", "HostResult", "Operation", "default_session"]
