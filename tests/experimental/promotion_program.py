"""Run by test_promotion_modes.py: what functions give in the modes, as TensorFlow does."""

import numpy as np

import tfc as tf

tnp = tf.experimental.numpy
tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")
C = tf.constant


def kind(x):
    return x.dtype.name + "*" * ("weak=True" in repr(x))


small = C(5, tf.int8)
for wanted, value in [
    ("int32*", C(1)),
    ("float32*", C([1.5])),
    ("bool", C(True)),
    ("complex128*", C(1j)),
    ("int64", C(np.array([1]))),
    ("int32", tf.range(3)),
    ("int32", C(1, tf.int32)),
    ("float64*", small + 1.5),
    ("int8", small + 1),
    ("int8", 2 * small),
    ("int8", small ** C(2)),
    ("int16", small + C(1, tf.uint8)),
    ("float64*", C(1) / 2),
    ("float32", small / 2),
    ("float32*", tf.add(1, 2.5)),
    ("float32", tf.maximum(C(1), 2.5)),
    ("bool", C(1) < 1.5),
    ("bool", C(True) & True),
    ("int32", C(5) & 3),
    ("int32*", ~C(5)),
    ("int32*", -C(5)),
    ("int32", C([1])[0]),
    ("int32*", tf.reduce_sum(C([1, 2]))),
    ("int32", tf.cast(C(1), tf.int32)),
    ("float32*", C([[1]]) @ C([[1.5]])),
    ("float32", tf.zeros_like(C(1), tf.float32)),
    ("float32", tnp.sin(small)),
    ("float32*", tnp.sin(C(1))),
    ("int64", tnp.argmax(C([1, 2]))),
    ("float64", tnp.add(small, 2.5)),
    ("int32*", C([1, 2]).reshape(2, 1)),
    ("int32*", C([1]).T),
    ("float16", small + C(1, tf.uint64) + C(1, tf.float16)),
    ("float64", C([1.0]) * np.float64(2)),
    ("float32", tf.Variable(1.0) + C(1)),
    ("float32", tf.Variable(1.0).assign_add(small)),
    ("float32", tf.Variable(C(1.5))),
    ("int32", tf.stack([C(1), 2])),
    ("int32*", tf.identity(C(1))),
    ("int32*", tf.function(lambda x: x + 1)(C(1))),
    ("int8", tf.function(lambda x: x + 1)(small)),
    ("float32", tf.random.uniform([C(2)])),
    ("int32", tf.range(C(3))),
    ("string", C("text")),
]:
    assert kind(value) == wanted, (wanted, value)
assert (C(5) + C(250, tf.uint8)).numpy() == 255 and float(C(1.5)) == 1.5 and [*C([1, 2])] == [1, 2]
assert str(C(1)) == "tf.Tensor(1, shape=(), dtype=int32, weak=True)" and tf.is_tensor(C(1))
assert tnp.result_type(tf.int8, tf.uint8) is tf.int16 is tnp.promote_types("int8", "uint8")
try:
    tf.Variable(1).assign_add(1.5)
except TypeError as error:
    assert "Variable dtype is immutable" in str(error) and "use tf.cast" in str(error), error
else:
    raise AssertionError
x, w = tf.Variable([1.0, 2.0], dtype=tf.float64), C(3)
with tf.GradientTape() as tape:
    tape.watch(w)
    y = tf.reduce_sum(x * w * C(2.0))
assert y.dtype is tf.float64 and tape.gradient(y, x).numpy().tolist() == [6, 6]


@tf.function
def loop(n):
    i, total = C(0), C(0.0)
    while i < n:
        total = total + C(1.5) if i > 0 else total
        i += 1
    return i, total


i, total = loop(C(4))
assert kind(i) == "int32*" and kind(total) == "float32*" and (int(i), float(total)) == (4, 4.5)
tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="safe")
assert kind(C(1) + 1.5) == "float32*" and kind(small + 1) == "int8"
for wrong in (
    lambda: small + 1.5,
    lambda: tf.add(small, C(1, tf.uint8)),
    lambda: tnp.add(small, 1.5),
    lambda: small == 1.5,
    lambda: tf.Variable(1).assign(1.5),
):
    try:
        wrong()
    except TypeError as error:
        assert "PromoMode.SAFE" in str(error), error
    else:
        raise AssertionError
tnp.experimental_enable_numpy_behavior()
assert kind(C(1)) == "int32" and kind(C(1) + 1.5) == "float64"
print("fine")
