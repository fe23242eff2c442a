"""`tfc.summary`: what training has to tell, written for TensorBoard to show.

A summary is a value with a name and a step. It goes to the default writer, which collects events
in a file of records; TensorBoard, which is a program of its own, reads these. Inside of a
`tfc.function` summaries are effects of the program, in order with all others.

| module | what it has |
| --- | --- |
| `kinds` | scalar, histogram, image, audio, text |
| `recording` | the way of a summary to its writer; `write` |
| `state` | the default writer and step, `record_if`: what holds in this context |
| `writers`, `files` | writers, and event files |
| `effects` | calls from programs |
| `encoding` | values as bytes: buckets, PNG, WAV |
| `graphs`, `traces` | functions as graphs |
"""

from . import experimental
from .graphs import graph
from .kinds import audio, histogram, image, scalar, text
from .recording import write
from .state import record_if, should_record_summaries
from .traces import trace_export, trace_off, trace_on
from .writers import SummaryWriter, create_file_writer, create_noop_writer, flush

__all__ = [
    "SummaryWriter",
    "audio",
    "create_file_writer",
    "create_noop_writer",
    "experimental",
    "flush",
    "graph",
    "histogram",
    "image",
    "record_if",
    "scalar",
    "should_record_summaries",
    "text",
    "trace_export",
    "trace_off",
    "trace_on",
    "write",
]
