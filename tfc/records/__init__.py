"""The formats that TensorFlow's files are made of: records with checksums, and messages.

One small layer, which reads and writes bytes and knows no tensors, for all who need a part of it:
files of training examples (`tf.io`, `tf.train.Example`), checkpoints and summaries. It has no
generated code and needs no TensorFlow; files are those of TensorFlow, in both directions.

- `tfrecord`: a file of records, each with its length and checksums (CRC-32C, native code:
  backends/cpu/records.py), as it is or compressed.
- `reading`: files as bytes, compressed or not; lines, and records of one length.
- `wire`: the encoding of Protocol Buffers: numbers of variable length, fields with tags.
- `message`: messages as classes with declared fields, with the methods that users of Protocol
  Buffers know (`SerializeToString`, `FromString`, `WhichOneof`, ...); `scalars` and `containers`
  are the kinds of their fields.
- `text`: messages as text, read.
- `example`, `tensor`, `event`, `graph`: the messages of `tf.train.Example`, of tensors, of event
  files and of graphs; `meta_graph`: of saved models.
- `table` (with `snappy`, `ordered`): LevelDB's tables of sorted keys, the index of a checkpoint.
- `bundle`, `bundle_writer`, `bundle_reader`, `bundle_messages`: the tensors of a checkpoint.
- `object_graph`: which objects had them.
- `files`: files that are there whole or not at all.

Columns of many serialised examples are read without making messages of them (tfc/ops/parsing).

Whatever a damaged file holds, reading it gives the values that were written or a `DataLossError`.
"""
