"""TensorFlow 1's graphs and sessions.

A `Graph` is a function that is being traced and never ends: ops are appended to its IR wherever
it is the default. A `Session` has values of its own for the graph's Variables; what it runs is the
slice of the graph that its fetches need, cut at what is fed, compiled once for each such pair.

| file | what it has |
| --- | --- |
| `trace.py` | what ops are appended to: assignments and random draws in graphs |
| `graph.py` | graphs, operations, control dependencies, collections |
| `default_graph.py` | the default graph, and programs without eager execution |
| `unranked.py` | tensors whose ranks a session says, and what a graph computes for these |
| `kept_calls.py` | calls with such tensors |
| `reachable.py` | the walk through a graph |
| `variables.py` | Variables of graphs, `get_variable` and its scopes, initializers |
| `slices.py` | from fetches and feeds to a function of the IR |
| `session.py` | sessions: values of Variables, feeds, structures of fetches |
"""
