"""AutoGraph misuses of variables: what is written, and the exact error.

A line that an error must name is marked `# <-`; `{here}` stands for file and line."""

# ruff: noqa: B007, E701, E731, E742, F401, F821, F841, RUF100, UP028  (what users write)
from __future__ import annotations

import numpy as np

import tfc as tf
from tests.autograph_misuse import misuse


class O:
    pass


LEAK = []


@misuse(
    1.0,
    ValueError,
    "'y' must also be initialized in the else branch: set it before the `if`, or in both "
    "branches ({here})",
)
def one_branch_only(x):
    if x > 0.0:
        y = x
    return y  # <-


@misuse(
    1.0,
    ValueError,
    "'y' must also be initialized in the else branch: set it before the `if`, or in both "
    "branches ({here})",
)
def one_branch_used_in_op(x):
    if x > 0.0:
        y = x
    return y + 1.0  # <-


@misuse(
    1.0,
    TypeError,
    "'y' has dtype float32 in the main branch, but dtype int32 in the else branch: use "
    "tf.cast in one ({here})",
)
def dtype_branches(x):
    if x > 0.0:
        y = x
    else:
        y = tf.constant(1)
    return y  # <-


@misuse(
    1.0,
    TypeError,
    "'y' has shape () in the main branch, but shape (2,) in the else branch: give them one "
    "rank ({here})",
)
def shape_branches(x):
    if x > 0.0:
        y = x
    else:
        y = tf.zeros([2])
    return y  # <-


@misuse(
    1.0,
    TypeError,
    "the result must have the same nested structure in the main and else branches, and is a "
    "float32 tensor of shape () in the one and a tuple with 2 items in the other: both must "
    "be tensors or numbers of one dtype and shape, or structures of them ({here})",
)
def rank_of_results(x):
    if x > 0.0:  # <-
        return x
    return x, x


@misuse(
    1.0,
    ValueError,
    "'y' is None at the end of the else branch. It is a float32 tensor of shape () in the "
    "main branch: give it such a value in both ({here})",
)
def none_vs_tensor(x):
    y = None
    if x > 0.0:
        y = x
    return y * 2.0  # <-


@misuse(
    1.0,
    ValueError,
    "the result is None at the end of the else branch: the else branch must also have a "
    "return statement. It is a float32 tensor of shape () in the main branch: give it such a "
    "value in both ({here})",
)
def return_in_one_only(x):
    if x > 0.0:  # <-
        return x


@misuse(1.0, TypeError, "Tensor is unhashable. Instead, use tensor.ref() as the key.")
def strings_differ(x):
    if x > 0.0:
        mode = "up"
    else:
        mode = "down"
    return {"up": x, "down": -x}[mode]


@misuse(
    [1.0, 2.0],
    ValueError,
    "condition of if statement expected to be `tf.bool` scalar, got <tf.Tensor 'value:0' "
    "shape=(2,) dtype=bool>; to check for None, use `is not None`, for elements "
    "tf.reduce_all, tf.reduce_any or tf.where ({here})",
)
def rank1_condition(x):
    if x > 0.0:  # <-
        return x
    return -x


@misuse(
    [1.0, 2.0],
    ValueError,
    "condition of while loop expected to be `tf.bool` scalar, got <tf.Tensor 'value:0' "
    "shape=(2,) dtype=bool>; to check for None, use `is not None`, for elements tf.reduce_all"
    " or tf.reduce_any [Op:while_loop] ({here})",
)
def rank1_while(x):
    while x > 0.0:  # <-
        x = x - 1.0
    return x


@misuse(
    [True, False],
    ValueError,
    "condition of an `and` expected to be `tf.bool` scalar, got <tf.Tensor 'x:0' shape=(2,) "
    "dtype=bool>; to check for None, use `is not None`, for elements tf.logical_and or & "
    "({here})",
)
def rank1_and(x):
    return x and True  # <-


@misuse(
    [1.0, 2.0],
    ValueError,
    "condition of if statement expected to be `tf.bool` scalar, got <tf.Tensor 'value:0' "
    "shape=(2,) dtype=bool>; to check for None, use `is not None`, for elements "
    "tf.reduce_all, tf.reduce_any or tf.where ({here})",
)
def rank1_ifexp(x):
    return 1.0 if x > 0.0 else 2.0  # <-


@misuse(
    1.0,
    TypeError,
    "'y' has dtype int32 before the loop, but dtype float32 after one iteration: use tf.cast,"
    " or start with that dtype [Op:while_loop] ({here})",
)
def loop_dtype2(x):
    y = tf.constant(1)
    while x < 10.0:  # <-
        x = x * 2.0
        y = x
    return y


@misuse(
    1.0,
    ValueError,
    "'y' has shape (1,) before the loop, but shape (2,) after one iteration. Use "
    "tf.autograph.experimental.set_loop_options to set shape invariants. Else start with the "
    "final shape, or write to a tf.TensorArray. [Op:while_loop] ({here})",
)
def loop_shape(x):
    y = tf.zeros([1])
    while x < 10.0:  # <-
        x = x * 2.0
        y = tf.concat([y, y], 0)
    return y


@misuse(
    1.0,
    TypeError,
    "'y' does not have the same nested structure after one iteration: it is None before a "
    "loop on tensors and a float32 tensor of shape () after a round; give it a tensor of that"
    " type before the loop ({here})",
)
def loop_none(x):
    y = None
    while x < 10.0:  # <-
        y = x if y is None else x + y
        x = x * 2.0
    return y


@misuse(
    20.0,
    tf.errors.InvalidArgumentError,
    "assertion failed: [loop must iterate at least once to initialize y] [Op:check] ({here})",
)
def loop_unset_behind(x):
    while x < 10.0:  # <-
        y = x
        x = x * 2.0
    return y


@misuse(
    0,
    tf.errors.InvalidArgumentError,
    "assertion failed: [loop must iterate at least once to initialize y, z] [Op:check] ({here})",
)
def for_unset_behind(n):
    for i in tf.range(n):  # <-
        y, z = i, [i, 2.0]
    return y, z


@misuse(
    3,
    ValueError,
    "'y' must also be initialized in the else branch: set it before the `if`, or in both "
    "branches ({here})",
)
def branch_in_loop_unset(n):
    for i in tf.range(n):
        if i > 1:
            y = i
    return [y + 1, n]  # <-


@misuse(
    3,
    ValueError,
    "stack: 'y' must be defined before the loop: a loop on tensors sets it, and may run no "
    "round ({here})",
)
def changing_in_loop_unset(n):
    x = [1.0]
    for i in tf.range(n):
        y = {"ways": object()}
    return tf.stack([y, n])  # <-


@misuse(
    1.0,
    ValueError,
    "'step' must be defined before the loop: 'step' is used before assignment ({here})",
)
def used_before_set(x):
    while x < 10.0:
        x = x + step  # <-
        step = 1.0
    return x


@misuse(
    3,
    TypeError,
    "the list or dict `out` does not have the same nested structure after one iteration: it "
    "is a list with 0 items before a loop on tensors and a list with 1 item after a round; a "
    "list's length cannot change there; write to a tf.TensorArray ({here})",
)
def list_append_in_loop(n):
    out = []
    for i in tf.range(n):  # <-
        out.append(i)
    return out


@misuse(
    3,
    TypeError,
    "the list or dict `out` does not have the same nested structure after one iteration: it "
    "is a list with 0 items before a loop on tensors and a list with 1 item after a round; a "
    "list's length cannot change there; write to a tf.TensorArray ({here})",
)
def list_append_then_stack(n):
    out = []
    for i in tf.range(n):  # <-
        out.append(i)
    return tf.stack(out)


@misuse(
    3,
    TypeError,
    "'out' does not have the same nested structure after one iteration: it is a list with 0 "
    "items before a loop on tensors and a list with 1 item after a round; a list's length "
    "cannot change there; write to a tf.TensorArray ({here})",
)
def list_plus_in_loop(n):
    out = []
    for i in tf.range(n):  # <-
        out = out + [i]
    return out


@misuse(
    3,
    TypeError,
    "'out' does not have the same nested structure after one iteration: it is a list with 0 "
    "items before a loop on tensors and a list with 1 item after a round; a list's length "
    "cannot change there; write to a tf.TensorArray ({here})",
)
def list_aug_in_loop(n):
    out = []
    for i in tf.range(n):  # <-
        out += [i]
    return out


@misuse(
    1.0,
    ValueError,
    "the item `d['y']` must also be initialized in the else branch: set it before the `if`, "
    "or in both branches ({here})",
)
def dict_item_in_branch(x):
    d = {}
    if x > 0.0:
        d["y"] = x * 2.0
    return d["y"]  # <-


@misuse(
    1.0,
    TypeError,
    "the list or dict `LEAK` does not have the same nested structure after one iteration: it "
    "is a list with 0 items before a loop on tensors and a list with 1 item after a round; a "
    "list's length cannot change there; write to a tf.TensorArray ({here})",
)
def leak_from_loop(x):
    while x < 10.0:  # <-
        LEAK.append(x)
        x = x + 1.0
    return LEAK[-1] + x


@misuse(
    1.0,
    UnboundLocalError,
    "'y' is used before assignment ({here})",
)
def del_in_branch(x):
    y = x
    if x > 0.0:
        del y
        x = y + 1.0  # <-
    return x


@misuse(
    1.0,
    NotImplementedError,
    "a tensor decides a statement that cannot be compiled, because of a return out of a "
    "`with`, `try` or loop with `else` ({here})",
)
def return_in_try(x):
    while x < 10.0:  # <-
        try:
            if x > 5.0:
                return x
        except ValueError:
            x = x + 1.0
    return x
