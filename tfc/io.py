"""`tfc.io`: files, images in them, records and examples."""

from . import io_gfile as gfile
from .core.absent import refusal as _refusal
from .core.later import names_of as _names_of
from .ops.files.folders import matching_files
from .ops.image.files import (
    decode_bmp,
    decode_gif,
    decode_image,
    decode_jpeg,
    decode_png,
    encode_jpeg,
    encode_png,
    extract_jpeg_shape,
    is_jpeg,
)
from .ops.image.quality import decode_and_crop_jpeg
from .ops.parsing.csv import decode_csv
from .ops.parsing.examples import (
    parse_example,
    parse_sequence_example,
    parse_single_example,
    parse_single_sequence_example,
)
from .ops.parsing.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
)
from .ops.parsing.json_examples import decode_json_example
from .ops.parsing.sparse_tensors import (
    deserialize_many_sparse,
    serialize_many_sparse,
    serialize_sparse,
)
from .ops.parsing.tensors import decode_raw, parse_tensor, serialize_tensor
from .ops.strings.coding import decode_base64, decode_compressed, encode_base64
from .ops.strings.files import read_file, write_file
from .records.tfrecord import TFRecordOptions, TFRecordWriter

# It is of graphs, which are imported when they are asked for.
__getattr__ = _names_of(__name__, {"compat.v1.train.writing": "write_graph"}, _refusal("tf.io"))
__all__ = [
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "RaggedFeature",
    "SparseFeature",
    "TFRecordOptions",
    "TFRecordWriter",
    "VarLenFeature",
    "decode_and_crop_jpeg",
    "decode_base64",
    "decode_bmp",
    "decode_compressed",
    "decode_csv",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_json_example",
    "decode_png",
    "decode_raw",
    "deserialize_many_sparse",
    "encode_base64",
    "encode_jpeg",
    "encode_png",
    "extract_jpeg_shape",
    "gfile",
    "is_jpeg",
    "matching_files",
    "parse_example",
    "parse_sequence_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "parse_tensor",
    "read_file",
    "serialize_many_sparse",
    "serialize_sparse",
    "serialize_tensor",
    "write_file",
    "write_graph",
]
