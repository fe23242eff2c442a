"""TensorFlow 1's graphs and sessions.

A `Graph` is a function that is being traced and never ends: ops are appended to its IR wherever
it is the default. A `Session` has values of its own for the graph's Variables; what it runs is the
slice of the graph that its fetches need, cut at what is fed, compiled once for each such pair.

| file | what it has |
| --- | --- |
| `graph.py` | graphs, operations, control dependencies, collections |
| `variables.py` | Variables of graphs, `get_variable` and its scopes, initializers |
| `slices.py` | from fetches and feeds to a function of the IR |
| `session.py` | sessions: values of Variables, feeds, structures of fetches |
"""
