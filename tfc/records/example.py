"""The messages of `tf.train.Example`: training examples as TensorFlow's files hold them.

The fields and their numbers are those of TensorFlow's example.proto and feature.proto.
"""

from __future__ import annotations

from typing import ClassVar

from .message import Field, Message


class BytesList(Message):
    """A list of bytes: `tf.train.BytesList(value=[b"a"])`.

    >>> import tfc as tf
    >>> tf.train.BytesList(value=[b"a"]).value
    [b'a']
    """

    __slots__ = ()
    FIELDS: ClassVar = {"value": Field(1, "bytes", repeated=True)}


class FloatList(Message):
    """A list of float32: `tf.train.FloatList(value=[1.0])`.

    >>> import tfc as tf
    >>> tf.train.FloatList(value=[1, 0.5]).value
    [1.0, 0.5]
    """

    __slots__ = ()
    FIELDS: ClassVar = {"value": Field(1, "float", repeated=True)}


class Int64List(Message):
    """A list of int64: `tf.train.Int64List(value=[1])`.

    >>> import tfc as tf
    >>> tf.train.Int64List(value=[1]).SerializeToString()
    b'\\n\\x01\\x01'
    """

    __slots__ = ()
    FIELDS: ClassVar = {"value": Field(1, "int64", repeated=True)}


class Feature(Message):
    """One feature of an example: a list of bytes, of float32 or of int64.

    >>> import tfc as tf
    >>> tf.train.Feature(int64_list=tf.train.Int64List(value=[1])).WhichOneof("kind")
    'int64_list'
    """

    __slots__ = ()
    FIELDS: ClassVar = {
        "bytes_list": Field(1, BytesList, oneof="kind"),
        "float_list": Field(2, FloatList, oneof="kind"),
        "int64_list": Field(3, Int64List, oneof="kind"),
    }


class Features(Message):
    """Features by name: `tf.train.Features(feature={"x": tf.train.Feature(...)})`.

    >>> import tfc as tf
    >>> [*tf.train.Features(feature={"x": tf.train.Feature()}).feature]
    ['x']
    """

    __slots__ = ()
    FIELDS: ClassVar = {"feature": Field(1, Feature, keyed=True)}


class FeatureList(Message):
    """A feature of a sequence: one feature for each of its steps.

    >>> import tfc as tf
    >>> len(tf.train.FeatureList(feature=[tf.train.Feature()] * 3).feature)
    3
    """

    __slots__ = ()
    FIELDS: ClassVar = {"feature": Field(1, Feature, repeated=True)}


class FeatureLists(Message):
    """Features of a sequence by name.

    >>> import tfc as tf
    >>> [*tf.train.FeatureLists(feature_list={"x": tf.train.FeatureList()}).feature_list]
    ['x']
    """

    __slots__ = ()
    FIELDS: ClassVar = {"feature_list": Field(1, FeatureList, keyed=True)}


class Example(Message):
    """A training example: features by name.

    >>> import tfc as tf
    >>> x = tf.train.Feature(float_list=tf.train.FloatList(value=[0.5, 2.0]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"x": x}))
    >>> data = example.SerializeToString()
    >>> tf.train.Example.FromString(data).features.feature["x"].float_list.value
    [0.5, 2.0]
    >>> print(example, end="")
    features {
      feature {
        key: "x"
        value {
          float_list {
            value: 0.5
            value: 2
          }
        }
      }
    }
    """

    __slots__ = ()
    FIELDS: ClassVar = {"features": Field(1, Features)}


class SequenceExample(Message):
    """An example of a sequence: features of the whole, and features of each step.

    >>> import tfc as tf
    >>> tf.train.SequenceExample().HasField("context")
    False
    """

    __slots__ = ()
    FIELDS: ClassVar = {"context": Field(1, Features), "feature_lists": Field(2, FeatureLists)}
