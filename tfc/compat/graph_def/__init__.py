"""Graphs and saved models as TensorFlow writes them, read without TensorFlow.

A `GraphDef` names ops of TensorFlow's, nodes that give their inputs, and functions that nodes call.
Reading one runs its nodes in order, each by the function of `tf.raw_ops` that has its op's name: so
a graph becomes a part of whatever is being traced, and is compiled with it.

| file | what it has |
| --- | --- |
| `attributes.py` | attributes of nodes as Python's values |
| `bodies.py` | nodes, their order, and the functions of a library |
| `running.py` | what a node gives: by the table of ops, or by what the files below say |
| `control.py` | calls of functions, branches and loops, and TensorFlow 1's switches |
| `sides.py` | on which sides of these nodes stand |
| `state.py` | Variables and lookup tables |
| `lists.py` | lists of tensors, which loops fill |
| `draws.py` | random numbers that follow from a seed |
| `examples.py` | serialised examples, ragged tensors |
| `importing.py` | `import_graph_def` |
| `saved_objects.py` | the objects of a saved model |
| `loading.py` | `saved_model.load` for folders that TensorFlow wrote |

A graph may come from anybody: nodes compute with tensors alone. What reads or writes files, or runs
what a file says, is none of the ops.
"""

from . import control, draws, examples, lists, state  # their handlers are known by being imported

__all__ = ["control", "draws", "examples", "lists", "state"]
