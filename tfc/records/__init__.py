"""The formats that TensorFlow's files are made of: records with checksums, and messages.

One small layer, which reads and writes bytes and knows no tensors, for all who need a part of it:
files of training examples (`tf.io`, `tf.train.Example`), checkpoints and summaries. It has no
generated code and needs no TensorFlow; files are those of TensorFlow, in both directions.

- `tfrecord`: a file of records, each with its length and checksums (CRC-32C, native code:
  backends/cpu/records.py), as it is or compressed.
- `wire`: the encoding of Protocol Buffers: numbers of variable length, fields with tags.
- `message`: messages as classes with declared fields, with the methods that users of Protocol
  Buffers know (`SerializeToString`, `FromString`, `WhichOneof`, ...).
- `example`: the messages of `tf.train.Example`.
- `examples_batch`: columns of many serialised examples at once, without making messages of them.

Whatever a damaged file holds, reading it gives the values that were written or a `DataLossError`.
"""
