"""`tfc.compat.v1`: TensorFlow 1's names. Ops run at once, or, inside of `Graph().as_default()` and
behind `disable_eager_execution()`, are appended to a graph whose slices sessions run: see `graphs`.
What is named as in `tfc` is taken from there.

>>> import tfc.compat.v1 as tf
>>> tf.enable_eager_execution()
>>> print(tf.reduce_sum([[1.0, 2.0]], reduction_indices=[1], keep_dims=True))
tf.Tensor([[3.]], shape=(1, 1), dtype=float32)
"""

from __future__ import annotations

import contextlib as _contextlib
import functools as _functools
from collections.abc import Callable
from typing import Any

import tfc as _tfc
from tfc.core import blame as _blame
from tfc.core.dimension import Dimension
from tfc.ops.random.streams import seeds_of as _seeds_of
from tfc.records.event import (
    Event,
    HistogramProto,
    LogMessage,
    SessionLog,
    Summary,
    SummaryMetadata,
)
from tfc.records.graph import AttrValue, GraphDef, NodeDef, RunMetadata
from tfc.records.meta_graph import MetaGraphDef

from ..graphs.default_graph import (
    disable_eager_execution,
    get_default_graph,
    reset_default_graph,
)
from ..graphs.graph import Graph, GraphKeys, Operation
from ..graphs.public_functions import namespaces as _namespaces
from ..graphs.session import InteractiveSession, Session
from ..graphs.trace import current_graph as _current_graph
from ..graphs.variables import (
    AUTO_REUSE,
    VariableScope,
    get_variable_scope,
    global_variables,
    global_variables_initializer,
    local_variables,
    local_variables_initializer,
    model_variables,
    moving_average_variables,
    trainable_variables,
    variable_scope,
    variables_initializer,
)
from ..graphs.wrapped import wrap_function
from ..hints import _RENAMED
from ..hints import hint as _hint
from . import (
    app,
    data,
    flags,
    gfile,
    gradient_checker,
    graph_util,
    image,
    io,
    logging,
    losses,
    metrics,
    nn,
    ragged,
    saved_model,
    summary,
    train,
)
from . import array_ops as _array_ops
from . import io as python_io
from .array_ops import (
    SparseTensorValue,
    argmax,
    argmin,
    batch_gather,
    clip_by_average_norm,
    convert_to_tensor_or_sparse_tensor,
    div,
    expand_dims,
    py_func,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    sparse_to_dense,
    squeeze,
    string_split,
    to_bfloat16,
    to_complex64,
    to_complex128,
    to_double,
    to_float,
    to_int32,
    to_int64,
    where,
)
from .config_proto import ConfigProto, GPUOptions, GraphOptions, OptimizerOptions, RunOptions
from .control_flow import case, cond, while_loop
from .control_flow import operation_of as _operation
from .graph_ops import (
    add_to_collection,
    constant,
    control_dependencies,
    get_collection,
    get_default_session,
    group,
    identity,
    no_op,
    placeholder,
    placeholder_with_default,
    sparse_placeholder,
)
from .graph_util import import_graph_def
from .initializers import (
    constant_initializer,
    glorot_normal_initializer,
    glorot_uniform_initializer,
    ones_initializer,
    orthogonal_initializer,
    random_normal_initializer,
    random_uniform_initializer,
    truncated_normal_initializer,
    uniform_unit_scaling_initializer,
    variance_scaling_initializer,
    zeros_initializer,
)
from .nn import space_to_batch
from .partitioners import (
    fixed_size_partitioner,
    min_max_variable_partitioner,
    variable_axis_size_partitioner,
)
from .printing import Print
from .readers import (
    FixedLengthRecordReader,
    IdentityReader,
    ReaderBase,
    TextLineReader,
    TFRecordReader,
    WholeFileReader,
)
from .renamed import batch_to_space
from .renamed import made as _renamed
from .spaces import SPACES as _SPACES
from .state_ops import (
    Variable,
    add_to_collections,
    assert_variables_initialized,
    assign,
    assign_add,
    assign_sub,
    count_up_to,
    get_collection_ref,
    get_local_variable,
    get_variable,
    is_variable_initialized,
    make_template,
    report_uninitialized_variables,
    scatter_add,
    scatter_div,
    scatter_max,
    scatter_min,
    scatter_mul,
    scatter_nd_add,
    scatter_nd_sub,
    scatter_nd_update,
    scatter_sub,
    scatter_update,
)

_namespaces += [_array_ops, image, losses, nn]


def enable_eager_execution(*args: Any, **kwargs: Any) -> None:
    """Nothing to do: ops run at once from the start. Any arguments are taken.

    Args:
        *args: Not used.
        **kwargs: Not used.

    >>> import tfc.compat.v1 as tf
    >>> tf.enable_eager_execution()
    >>> tf.executing_eagerly()
    True

    Raises:
        ValueError: If ops are appended to a graph already.
    """
    if _current_graph() is not None:
        raise ValueError("tf.enable_eager_execution must be called at program startup.")


def enable_v2_behavior() -> None:
    """Nothing to do: it is TensorFlow 2's.

    >>> import tfc.compat.v1 as tf
    >>> tf.enable_v2_behavior()
    >>> print(tf.square(3.0))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """


initialize_variables, initialize_all_variables = (
    variables_initializer,
    global_variables_initializer,
)
initialize_local_variables = local_variables_initializer
enable_resource_variables = enable_tensor_equality = enable_v2_behavior
enable_control_flow_v2 = enable_v2_behavior


def disable_resource_variables() -> None:
    """Nothing to do: Variables of graphs have their values in sessions in any case.

    >>> import tfc.compat.v1 as tf
    >>> tf.disable_resource_variables()
    """


disable_control_flow_v2 = disable_tensor_equality = disable_resource_variables


def executing_eagerly_outside_functions() -> bool:
    """Whether ops run at once where no function is traced.

    >>> import tfc.compat.v1 as tf
    >>> tf.executing_eagerly_outside_functions()
    True
    """
    return _current_graph() is None


def resource_variables_enabled() -> bool:
    """Whether Variables are those of TensorFlow 2: True.

    >>> import tfc.compat.v1 as tf
    >>> tf.resource_variables_enabled()
    True
    """
    return True


def control_flow_v2_enabled() -> bool:
    """Whether branches and loops are those of TensorFlow 2: True.

    >>> import tfc.compat.v1 as tf
    >>> tf.control_flow_v2_enabled()
    True
    """
    return True


def colocate_with(op: Any, ignore_existing: bool = False) -> Any:
    """A scope in which ops run where a tensor is.

    Args:
        op: A tensor or a Variable.
        ignore_existing: Not used.

    Returns:
        A scope.

    >>> import tfc.compat.v1 as tf
    >>> with tf.colocate_with(tf.constant(1.0)):
    ...     print(tf.square(3.0))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """
    return _tfc.device(getattr(op, "device", None) or None)


def _instead(name: str, text: str) -> Callable[..., Any]:
    def missing(*args: Any, **kwargs: Any) -> Any:
        raise _blame.unimplemented(f"tf.{name} is not here: {text}", name)

    missing.__name__ = missing.__qualname__ = name
    missing.__doc__ = f"Raises: {text}."
    missing.missing = True  # type: ignore[attr-defined]  # for tools.coverage
    return missing


class name_scope(_tfc.name_scope):  # noqa: N801
    """As tfc.name_scope, with a name for where there is none.

    Args:
        name: The name; None: `default_name`.
        default_name: That.
        values: Not used: what the ops inside take.

    Raises:
        ValueError: If both names are None and there are values, or a name is no name.

    >>> import tfc.compat.v1 as tf
    >>> with tf.name_scope(None, default_name="norm") as scope:
    ...     print(scope)
    norm/
    """

    def __init__(
        self, name: str | None, default_name: str | None = None, values: Any = None
    ) -> None:
        given = default_name if name is None else name
        if given is None and values is not None:
            raise _blame.value_error("neither name nor default_name is given", "name_scope")
        super().__init__("" if given is None else given)


def set_random_seed(seed: int | None) -> None:
    """Begin all random streams anew, as tfc.random.set_seed. Where a graph is the default it is the
    seed of that alone: of what it draws from here on, and of its datasets.

    >>> import tfc.compat.v1 as tf
    >>> tf.set_random_seed(1)
    """
    _tfc.random.set_seed(seed)


def get_seed(op_seed: int | None) -> tuple[int | None, int | None]:
    """The two seeds that a random op with a seed of its own draws by here; Nones: any.

    Args:
        op_seed: Its seed, or None.

    Returns:
        The seed of the graph, or of the process, and that of the op.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.get_seed(5), tf.get_seed(None)
    ((87654321, 5), (None, None))
    """
    return _seeds_of("get_seed", op_seed) or (None, None)


def op_scope(values: Any, name: str | None, default_name: str | None = None) -> Any:
    """As `name_scope`, with its arguments in another order.

    >>> import tfc.compat.v1 as tf
    >>> with tf.op_scope([], None, "norm") as scope:
    ...     print(scope)
    norm/
    """
    return name_scope(name, default_name, values)


def variable_op_scope(
    values: Any, name_or_scope: Any, default_name: str | None = None, **options: Any
) -> Any:
    """As `variable_scope`, with its arguments in another order.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.variable_op_scope([], "layer"):
    ...     print(tf.get_variable("w", [2]).name)
    layer/w:0
    """
    return variable_scope(name_or_scope, default_name, values, **options)


def no_regularizer(_: Any) -> None:
    """A regularizer that gives nothing, for Variables of a scope that has one.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.no_regularizer(tf.ones([2])))
    None
    """


def container(container_name: str) -> Any:
    """A scope of TensorFlow's names of resources, which are the sessions' own here.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.container("experiment"):
    ...     print(tf.Variable(1.0, name="v").name)
    v:0
    """
    return _contextlib.nullcontext(container_name)


def disable_v2_behavior() -> None:
    """As `disable_eager_execution` and `disable_v2_tensorshape`."""
    disable_eager_execution()
    disable_v2_tensorshape()


def disable_v2_tensorshape() -> None:
    """Let the extents of shapes be Dimensions, which have a `value`, where programs take them.

    >>> import tfc.compat.v1 as tf
    >>> tf.disable_v2_tensorshape()
    >>> print(tf.TensorShape([None, 3]))
    (?, 3)
    >>> tf.enable_v2_tensorshape()
    """
    _tfc.TensorShape.of_dimensions = True


def enable_v2_tensorshape() -> None:
    """Let the extents of shapes be numbers, and None where they are not known.

    >>> import tfc.compat.v1 as tf
    >>> tf.enable_v2_tensorshape()
    >>> tf.TensorShape([2])[0]
    2
    """
    _tfc.TensorShape.of_dimensions = False


def tables_initializer(name: str = "init_all_tables") -> Any:
    """The operation that runs what the collection TABLE_INITIALIZERS holds; tables themselves need
    none.

    Args:
        name: Its name.

    Returns:
        An operation; None where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.tables_initializer()))
    None
    """
    graph = _current_graph()
    if graph is None:
        return None
    return graph.group(graph.get_collection(GraphKeys.TABLE_INITIALIZERS), name)


def _operation_of(check: Any) -> Any:
    """A check as it is in graphs, too: an operation."""

    @_functools.wraps(check)
    def run(*args: Any, **kwargs: Any) -> Any:
        return _operation(lambda: check(*args, **kwargs), check.__name__)

    return run


all_variables, initialize_all_tables = global_variables, tables_initializer
newaxis = None

globals().update(_renamed(_operation_of))

_MODULES = {"data", "estimator", "feature_column", "layers"}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name.startswith("assert_") or name == "Assert":
        return _operation_of(getattr(_tfc.debugging, name))
    if name in _SPACES:
        return _SPACES[name]
    found: Any = None if name in _MODULES else _tfc
    for part in _RENAMED.get(name, name).split("."):
        found = getattr(found, part, None)
    if found is not None:
        return found
    text = _hint(name)
    if text is not None and name not in _MODULES:
        return _instead(name, text)
    more = f": {text}" if text else ""
    raise AttributeError(f"module 'tfc.compat.v1' has no attribute {name!r}{more}")
