"""`tfc.summary.experimental`: the default step, and summaries of one's own kind."""

from .recording import summary_scope, write_raw_pb
from .state import get_step, set_step

__all__ = ["get_step", "set_step", "summary_scope", "write_raw_pb"]
