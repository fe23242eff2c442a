"""`tfc.graph_util`: graphs that TensorFlow wrote."""

from .compat.graph_def.importing import import_graph_def

__all__ = ["import_graph_def"]
