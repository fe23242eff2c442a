"""The messages of event files: what TensorBoard reads.

The fields and their numbers are those of TensorFlow's event.proto and summary.proto.
"""

from __future__ import annotations

from typing import ClassVar

from .message import Field, Message
from .tensor import TensorProto


class PluginData(Message):
    """Which part of TensorBoard shows a summary, and what it wants to know of it."""

    __slots__ = ()
    FIELDS: ClassVar = {"plugin_name": Field(1, "string"), "content": Field(2, "bytes")}


class SummaryMetadata(Message):
    """How a summary is shown: `tf.compat.v1.SummaryMetadata`.

    >>> import tfc as tf
    >>> metadata = tf.compat.v1.SummaryMetadata(summary_description="of each batch")
    >>> metadata.plugin_data.plugin_name = "scalars"
    >>> metadata.SerializeToString()
    b'\\n\\t\\n\\x07scalars\\x1a\\rof each batch'
    """

    __slots__ = ()
    FIELDS: ClassVar = {
        "plugin_data": Field(1, PluginData),
        "display_name": Field(2, "string"),
        "summary_description": Field(3, "string"),
        "data_class": Field(4, "int32"),
    }
    PluginData: ClassVar = PluginData


class HistogramProto(Message):
    """The histogram of TensorFlow 1: limits of buckets and how much is in them.

    >>> import tfc as tf
    >>> tf.compat.v1.HistogramProto(bucket_limit=[0.0, 1.0], bucket=[2.0, 3.0]).bucket
    [2.0, 3.0]
    """

    __slots__ = ()
    FIELDS: ClassVar = {
        "min": Field(1, "double"),
        "max": Field(2, "double"),
        "num": Field(3, "double"),
        "sum": Field(4, "double"),
        "sum_squares": Field(5, "double"),
        "bucket_limit": Field(6, "double", repeated=True),
        "bucket": Field(7, "double", repeated=True),
    }


class Image(Message):
    """An image of TensorFlow 1's summaries, as a file of it."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "height": Field(1, "int32"),
        "width": Field(2, "int32"),
        "colorspace": Field(3, "int32"),
        "encoded_image_string": Field(4, "bytes"),
    }


class Audio(Message):
    """A sound of TensorFlow 1's summaries, as a file of it."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "sample_rate": Field(1, "float"),
        "num_channels": Field(2, "int64"),
        "length_frames": Field(3, "int64"),
        "encoded_audio_string": Field(4, "bytes"),
        "content_type": Field(5, "string"),
    }


class SummaryValue(Message):
    """One value of a summary: a tensor with metadata, or one of TensorFlow 1's kinds."""

    __slots__ = ()
    FIELDS: ClassVar = {
        "tag": Field(1, "string"),
        "simple_value": Field(2, "float", oneof="value"),
        "obsolete_old_style_histogram": Field(3, "bytes", oneof="value"),
        "image": Field(4, Image, oneof="value"),
        "histo": Field(5, HistogramProto, oneof="value"),
        "audio": Field(6, Audio, oneof="value"),
        "node_name": Field(7, "string"),
        "tensor": Field(8, TensorProto, oneof="value"),
        "metadata": Field(9, SummaryMetadata),
    }


class Summary(Message):
    """What an event tells: values with tags, `tf.compat.v1.Summary`.

    >>> import tfc as tf
    >>> summary = tf.compat.v1.Summary(value=[{"tag": "loss", "simple_value": 0.5}])
    >>> summary.value[0].WhichOneof("value")
    'simple_value'
    """

    __slots__ = ()
    FIELDS: ClassVar = {"value": Field(1, SummaryValue, repeated=True)}
    Value: ClassVar = SummaryValue
    Image: ClassVar = Image
    Audio: ClassVar = Audio


class SessionLog(Message):
    """What became of a session of TensorFlow 1: started, stopped, saved.

    >>> import tfc as tf
    >>> tf.compat.v1.SessionLog(status=1).status
    1
    """

    __slots__ = ()
    FIELDS: ClassVar = {
        "status": Field(1, "int32"),
        "checkpoint_path": Field(2, "string"),
        "msg": Field(3, "string"),
    }


class LogMessage(Message):
    """A line of a log, and how bad it is.

    >>> import tfc as tf
    >>> tf.compat.v1.LogMessage(level=20, message="started").message
    'started'
    """

    __slots__ = ()
    FIELDS: ClassVar = {"level": Field(1, "int32"), "message": Field(2, "string")}


class TaggedRunMetadata(Message):
    """What a run of TensorFlow 1 took, serialised, under a tag."""

    __slots__ = ()
    FIELDS: ClassVar = {"tag": Field(1, "string"), "run_metadata": Field(2, "bytes")}


class SourceMetadata(Message):
    """Who has written a file."""

    __slots__ = ()
    FIELDS: ClassVar = {"writer": Field(1, "string")}


class Event(Message):
    """A record of an event file: `tf.compat.v1.Event`.

    >>> import tfc as tf
    >>> event = tf.compat.v1.Event(step=3, summary={"value": [{"tag": "loss"}]})
    >>> event.WhichOneof("what"), event.summary.value[0].tag
    ('summary', 'loss')
    """

    __slots__ = ()
    FIELDS: ClassVar = {
        "wall_time": Field(1, "double"),
        "step": Field(2, "int64"),
        "file_version": Field(3, "string", oneof="what"),
        "graph_def": Field(4, "bytes", oneof="what"),
        "summary": Field(5, Summary, oneof="what"),
        "log_message": Field(6, LogMessage, oneof="what"),
        "session_log": Field(7, SessionLog, oneof="what"),
        "tagged_run_metadata": Field(8, TaggedRunMetadata, oneof="what"),
        "meta_graph_def": Field(9, "bytes", oneof="what"),
        "source_metadata": Field(10, SourceMetadata),
    }
