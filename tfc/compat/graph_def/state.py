"""Variables and lookup tables of graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfc as tf
from tfc.core.tensor import Tensor
from tfc.core.variable import Variable

from .attributes import damaged, unimplemented
from .bodies import Node
from .running import Run, Values, handles


class GraphTable:
    """A lookup table of a graph: made by one node, filled by another."""

    def __init__(self, key_dtype: Any, value_dtype: Any, made: Any = None) -> None:
        self.key_dtype, self.value_dtype = key_dtype, value_dtype
        self.made = made  # the table of `tf.lookup`, once it is filled

    def table(self, node: Node) -> Any:
        if self.made is None:
            raise tf.errors.FailedPreconditionError(
                None, None, f"{node.name}: Table not initialized."
            )
        return self.made

    def fill(self, initializer: Any) -> None:
        zero = tf.zeros([], self.value_dtype) if self.value_dtype != tf.string else tf.constant("")
        self.made = tf.lookup.StaticHashTable(initializer, zero)


def variable_in(node: Node, value: Any) -> Any:
    """The Variable that a node is given."""
    if not isinstance(value, Variable):
        raise damaged(f"the node {node.name!r:.80} ({node.op}) is given no Variable")
    return value


@handles("Variable", "VariableV2", "VarHandleOp")
def _variable(run: Run, node: Node, inputs: Values) -> Values:
    return [run.variable(node)]


@handles("ReadVariableOp", "_ReadVariablesOp")
def _read(run: Run, node: Node, inputs: Values) -> Values:
    return [tf.compat.v1.identity(variable_in(node, v)) for v in inputs]


@handles("ResourceGather", "ResourceGatherNd")
def _gather(run: Run, node: Node, inputs: Values) -> Values:
    variable, indices = variable_in(node, inputs[0]), inputs[1]
    if node.op == "ResourceGatherNd":
        return [tf.gather_nd(variable, indices)]
    return [tf.gather(variable, indices, batch_dims=node.get("batch_dims", 0))]


_ASSIGNMENTS = {
    "Assign": "assign",
    "AssignAdd": "assign_add",
    "AssignAddVariableOp": "assign_add",
    "AssignSub": "assign_sub",
    "AssignSubVariableOp": "assign_sub",
    "AssignVariableOp": "assign",
}


@handles(*_ASSIGNMENTS)
def _assign(run: Run, node: Node, inputs: Values) -> Values:
    target, value = inputs
    made = getattr(variable_in(node, target), _ASSIGNMENTS[node.op])(value)
    return [made] if isinstance(made, Tensor) else [target]


@handles("VarIsInitializedOp", "IsVariableInitialized")
def _is_initialized(run: Run, node: Node, inputs: Values) -> Values:
    variable_in(node, inputs[0])
    return [tf.constant(True)]


@handles("VariableShape")
def _shape(run: Run, node: Node, inputs: Values) -> Values:
    return [tf.shape(variable_in(node, inputs[0]), node.get("out_type") or tf.int32)]


@handles("DestroyResourceOp", "DisableCopyOnRead")
def _forgotten(run: Run, node: Node, inputs: Values) -> Values:
    return []


# Tables.


def _table_in(node: Node, value: Any) -> GraphTable:
    if not isinstance(value, GraphTable):
        raise damaged(f"the node {node.name!r:.80} ({node.op}) is given no table")
    return value


@handles("HashTable", "HashTableV2", "AnonymousHashTable")
def _hash_table(run: Run, node: Node, inputs: Values) -> Values:
    return [GraphTable(node["key_dtype"], node["value_dtype"])]


@handles("MutableHashTable", "MutableHashTableV2", "AnonymousMutableHashTable")
def _mutable_table(run: Run, node: Node, inputs: Values) -> Values:
    key, value = node["key_dtype"], node["value_dtype"]
    zero = tf.constant("") if value == tf.string else tf.zeros([], value)
    return [GraphTable(key, value, tf.lookup.experimental.MutableHashTable(key, value, zero))]


@handles("LookupTableImport", "LookupTableImportV2", "InitializeTable", "InitializeTableV2")
def _import(run: Run, node: Node, inputs: Values) -> Values:
    table, keys, values = inputs
    table = _table_in(node, table)
    table.fill(
        tf.lookup.KeyValueTensorInitializer(keys, values, table.key_dtype, table.value_dtype)
    )
    return []


@handles("InitializeTableFromTextFile", "InitializeTableFromTextFileV2")
def _import_file(run: Run, node: Node, inputs: Values) -> Values:
    table, file = _table_in(node, inputs[0]), tf.get_static_value(inputs[1])
    path = bytes(np.asarray(file, object).item()) if file is not None else b""
    if path not in run.library.files:
        raise unimplemented(
            f"the node {node.name} reads the file {path.decode(errors='replace')!r:.200}, which is "
            "none of the model's assets"
        )
    size = node.get("vocab_size", -1)
    table.fill(
        tf.lookup.TextFileInitializer(
            path.decode(),
            table.key_dtype,
            node["key_index"],
            table.value_dtype,
            node["value_index"],
            None if size < 0 else size,
            node.get("delimiter", "\t"),
        )
    )
    return []


@handles("LookupTableFind", "LookupTableFindV2")
def _find(run: Run, node: Node, inputs: Values) -> Values:
    handle, keys, default = inputs
    table = _table_in(node, handle).table(node)
    return [table._found(table._keys(keys, "lookup"), tf.convert_to_tensor(default))]


@handles("LookupTableSize", "LookupTableSizeV2")
def _size(run: Run, node: Node, inputs: Values) -> Values:
    return [_table_in(node, inputs[0]).table(node).size()]


@handles("LookupTableExport", "LookupTableExportV2")
def _export(run: Run, node: Node, inputs: Values) -> Values:
    return list(_table_in(node, inputs[0]).table(node).export())


@handles("LookupTableInsert", "LookupTableInsertV2", "LookupTableRemoveV2")
def _change(run: Run, node: Node, inputs: Values) -> Values:
    table = _table_in(node, inputs[0]).table(node)
    if not hasattr(table, "insert"):
        raise damaged(f"the node {node.name!r:.80} changes a table that stays as it is")
    (table.remove if node.op.endswith("RemoveV2") else table.insert)(*inputs[1:])
    return []


__all__ = ["GraphTable"]
