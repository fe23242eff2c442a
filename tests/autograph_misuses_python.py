"""AutoGraph misuses of Python's own: what is written, and the exact error.

A line that an error must name is marked `# <-`; `{here}` stands for file and line."""

# ruff: noqa: B007, E701, E731, E742, F401, F821, F841, RUF100, UP028  (what users write)
from __future__ import annotations

import numpy as np

import tfc as tf
from tests.autograph_misuse import misuse


class O:
    pass


def module_gen(k):
    if k > 0:  # <-
        yield k


made_by_exec = {"tf": tf}
exec("def made(x):\n    if x > 0.0:\n        return x\n    return -x\n", made_by_exec)
LEAK = []


@misuse(
    1.0,
    NotImplementedError,
    "a tensor decides a statement that cannot be compiled, because of a break or continue"
    " out of a `with` or `try` ({here})",
)
def break_in_with(x):
    while x < 10.0:  # <-
        with tf.name_scope("a"):
            if x > 5.0:
                break
        x = x + 1.0
    return x


@misuse(
    3,
    tf.errors.OperatorNotAllowedInGraphError,
    "Iterating over a symbolic `tf.Tensor` of unknown extent is not allowed: it needs the"
    " elements of a symbolic tensor (int32, shape (d,)), which is traced inside a "
    "tfc.function and has none yet ({here}). `if`, `while` and `for` in gen stay Python's"
    " own, because it is a generator or a coroutine: use tfc.cond, tfc.while_loop or "
    "tfc.where there.",
)
def gen_loop(n):
    def gen(k):
        for i in tf.range(k):  # <-
            yield i

    total = 0
    for v in gen(n):
        total += v
    return total


@misuse(
    3,
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the "
    "elements of a symbolic tensor (bool, shape ()), which is traced inside a "
    "tfc.function and has none yet ({here}). `if`, `while` and `for` in module_gen stay "
    "Python's own, because it is a generator or a coroutine: use tfc.cond, tfc.while_loop"
    " or tfc.where there.",
)
def gen_if(n):
    return list(module_gen(n))


@misuse(
    1.0,
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the "
    "elements of a symbolic tensor (bool, shape ()), which is traced inside a "
    "tfc.function and has none yet (<string>:2). `if`, `while` and `for` in made stay "
    "Python's own, because its source is not available (typed at a prompt, or made by "
    "exec): use tfc.cond, tfc.while_loop or tfc.where there.",
)
def exec_helper(x):
    return made_by_exec["made"](x)


@misuse(
    1.0,
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the "
    "elements of a symbolic tensor (bool, shape ()), which is traced inside a "
    "tfc.function and has none yet ({here}). `if`, `while` and `for` in not_converted "
    "stay Python's own, because it is marked by do_not_convert: use tfc.cond, "
    "tfc.while_loop or tfc.where there.",
)
@tf.autograph.experimental.do_not_convert
def not_converted(x):
    if x > 0.0:  # <-
        return x
    return -x


@misuse(
    3,
    TypeError,
    "a loop cannot go over a scalar tensor: go over tf.range(n), or over a tensor with an"
    " axis ({here})",
)
def scalar_loop(n):
    for i in n:  # <-
        pass
    return n


@misuse(
    3,
    TypeError,
    "Use as a Python integer needs the elements of a symbolic tensor (int32, shape ()), "
    "which is traced inside a tfc.function and has none yet ({here}). To pick an item of "
    "a list by a tensor, use tfc.gather(tfc.stack(items), i).",
)
def index_list(n):
    w = [1.0, 2.0, 3.0]
    return w[n]  # <-


@misuse(
    3,
    TypeError,
    "Tensor is unhashable. Instead, use tensor.ref() as the key.",
)
def int_key(n):
    return {3: 1.0}[n]


@misuse(
    3,
    NotImplementedError,
    "Cannot convert a symbolic tf.Tensor (n:0) to a numpy array. This needs the elements of a"
    " symbolic tensor (int32, shape ()), which is traced inside a tfc.function and has none "
    "yet ({here}). Compute with ops (tfc.where, tfc.cond), or move this line out of the "
    "function.",
)
def float_conv(n):
    return float(n) + np.float32(n)  # <-


@misuse(
    3,
    NotImplementedError,
    "Cannot convert a symbolic tf.Tensor (n:0) to a numpy array. This needs the elements of a"
    " symbolic tensor (int32, shape ()), which is traced inside a tfc.function and has none "
    "yet ({here}). Compute with ops (tfc.where, tfc.cond), or move this line out of the "
    "function.",
)
def np_on_symbolic(n):
    return np.sum(n)  # <-


@misuse(
    3,
    ValueError,
    "a loop on a tensor changes nothing that its condition could depend on: it would "
    "never end [Op:while_loop] ({here})",
)
def infinite(n):
    while n > 0:  # <-
        pass
    return n


@misuse(
    1.0,
    TypeError,
    "the list or dict `out` has 2 items after one branch of an `if` on a tensor and 1 "
    "item after the other: its length cannot depend on a tensor; write to a "
    "tf.TensorArray ({here})",
)
def list_append_in_branch(x):
    out = [x]
    if x > 0.0:  # <-
        out.append(x)
    return out


@misuse(
    1.0,
    TypeError,
    "'y' does not have the same nested structure after one iteration: it is a list with 1 "
    "item before a loop on tensors and a float32 tensor of shape () after a round; a loop "
    "carries tensors and numbers of one type, and structures of them ({here})",
)
def while_with_list_value(x):
    y = [x]
    while x < 3.0:  # <-
        x = x + 1.0
        y = x
    return y


@misuse(
    3,
    ValueError,
    "too large\n(raised while the branch of control flow on tensors was traced, whether or"
    " not it would run: `assert` and tf.debugging.Assert look when it runs; {here})",
)
def raise_in_branch(n):
    if n > 100:
        raise ValueError("too large")  # <-
    return n


@misuse(
    1.0,
    TypeError,
    "'s' must have the same nested structure in the main and else branches, and is a dict "
    "with 1 item in the one and a dict with 1 item in the other: both must be tensors or "
    "numbers of one dtype and shape, or structures of them ({here})",
)
def nested_structures_differ(x):
    if x > 0.0:
        s = {"a": x}
    else:
        s = {"b": x}
    return s["a"]  # <-


@misuse(
    1.0,
    TypeError,
    "'s' must have the same nested structure in the main and else branches, and is a list "
    "with 1 item in the one and a list with 2 items in the other: both must be tensors or "
    "numbers of one dtype and shape, or structures of them ({here})",
)
def list_lengths(x):
    if x > 0.0:
        s = [x]
    else:
        s = [x, x]
    return s[0]  # <-


@misuse(
    1.0,
    TypeError,
    "'o' must have the same nested structure in the main and else branches, and is an object "
    "of class O in the one and an object of class O in the other: both must be tensors or "
    "numbers of one dtype and shape, or structures of them ({here})",
)
def object_differs(x):
    o = O()
    if x > 0.0:
        o = O()
    return o.y  # <-


@misuse(
    1.0,
    TypeError,
    "'f' must have the same nested structure in the main and else branches, and is the "
    "function sin in the one and the function cos in the other: only tensors and numbers can "
    "depend on a tensor; choose what is computed instead ({here})",
)
def function_differs(x):
    if x > 0.0:
        f = tf.sin
    else:
        f = tf.cos
    return f(x)  # <-


@misuse(
    1.0,
    TypeError,
    "'f' must have the same nested structure in the main and else branches, and is the "
    "function <lambda> in the one and the function <lambda> in the other: only tensors and "
    "numbers can depend on a tensor; choose what is computed instead ({here})",
)
def lambda_differs(x):
    if x > 0.0:
        f = lambda v: v
    else:
        f = lambda v: -v
    return f(x)  # <-


@misuse(
    1.0,
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the "
    "elements of a symbolic tensor (bool, shape ()), which is traced inside a "
    "tfc.function and has none yet ({here}). Comprehensions stay Python's own: write a "
    "`for` loop and a tfc.TensorArray, or use tfc.where or tfc.map_fn.",
)
def comp_filter(x):
    return [v for v in (x, -x) if v > 0.0]  # <-


@misuse(
    [1.0, 2.0],
    tf.errors.OperatorNotAllowedInGraphError,
    "Iterating over a symbolic `tf.Tensor` of unknown extent is not allowed: it needs the"
    " elements of a symbolic tensor (float32, shape (n0,)), which is traced inside a "
    "tfc.function and has none yet ({here}). Comprehensions stay Python's own: write a "
    "`for` loop and a tfc.TensorArray, or use tfc.where or tfc.map_fn.",
)
def comp_over_unknown(x):
    return [v for v in x]  # <-


@misuse(
    1.0,
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the "
    "elements of a symbolic tensor (bool, shape ()), which is traced inside a "
    "tfc.function and has none yet ({here}). What is called on this line is not converted"
    " and looks at the value: use ops in its place (tfc.where, tfc.sort, tfc.reduce_any).",
)
def sorted_tensors(x):
    return sorted([x, -x])  # <-


@misuse(
    1.0,
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the "
    "elements of a symbolic tensor (bool, shape ()), which is traced inside a "
    "tfc.function and has none yet ({here}). What is called on this line is not converted"
    " and looks at the value: use ops in its place (tfc.where, tfc.sort, tfc.reduce_any).",
)
def max_key(x):
    return max([x, -x], key=lambda v: v)  # <-


@misuse(
    1.0,
    TypeError,
    "Tensor is unhashable. Instead, use tensor.ref() as the key.",
)
def set_of_tensor(x):
    return x in {1.0, 2.0}


@misuse(
    1.0,
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the "
    "elements of a symbolic tensor (bool, shape ()), which is traced inside a "
    "tfc.function and has none yet ({here}). What is called on this line is not converted"
    " and looks at the value: use ops in its place (tfc.where, tfc.sort, tfc.reduce_any).",
)
def tensor_in_list(x):
    return x in [1.0, 2.0]  # <-


@misuse(
    3,
    ValueError,
    "'A' must also be initialized in the else branch: set it before the `if`, or in both "
    "branches ({here})",
)
def class_in_branch(n):
    if n > 0:

        class A:
            pass

    return A()  # <-


@misuse(
    3,
    ValueError,
    "'math' must also be initialized in the else branch: set it before the `if`, or in both "
    "branches ({here})",
)
def import_in_branch(n):
    if n > 0:
        import math
    return math.pi  # <-
