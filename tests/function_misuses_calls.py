"""Misuses of functions: how they are made, called, and what is done with symbolic tensors.

A line that an error must name is marked `# <-`; `{here}` stands for file and line."""

# ruff: noqa: B018, B023, F841, PLC0414, RUF100  (what users write)
from __future__ import annotations

import numpy as np

import tfc as tf
from tests.function_misuse import misuse

LEAK = []
ROWS = tf.TensorSpec([None, 3])


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable([1.0, 2.0])

    @tf.function
    def call(self, x):
        return self.w * x


# How functions are made.


@misuse(
    TypeError,
    "tfc.function takes a callable, got 3 ({here})",
)
def made_of_a_number():
    tf.function(3)  # <-


@misuse(
    TypeError,
    "lambda: input_signature must be either a tuple or a list, got "
    "<class 'tfc.core.specs.TensorSpec'> ({here})",
)
def signature_is_no_sequence():
    tf.function(lambda x: x, input_signature=tf.TensorSpec([None]))  # <-


@misuse(
    TypeError,
    "lambda: input_signature must be a possibly nested sequence of TensorSpec objects, got "
    "tf.float32 ({here})",
)
def signature_of_dtypes():
    tf.function(lambda x: x, input_signature=[tf.float32])  # <-


@misuse(
    TypeError,
    "lambda: input_signature contains 1 extra type constraints ({here})",
)
def signature_is_too_long():
    tf.function(lambda x: x, input_signature=[ROWS, ROWS])  # <-


@misuse(
    TypeError,
    "lambda: input_signature missing type constraint for y ({here})",
)
def signature_is_too_short():
    tf.function(lambda x, y: x, input_signature=[ROWS])  # <-


# How they are called.


@misuse(
    TypeError,
    "lambda(x, y): Binding inputs to tf.function failed due to "
    "`missing a required argument: 'y'` ({here})",
)
def missing_argument():
    f = tf.function(lambda x, y: x + y)
    f(tf.ones([2]))  # <-


@misuse(
    TypeError,
    "lambda(x): Binding inputs to tf.function failed due to "
    "`too many positional arguments` ({here})",
)
def too_many_arguments():
    f = tf.function(lambda x: x)
    f(tf.ones([2]), 2.0)  # <-


@misuse(
    TypeError,
    "lambda(x): Binding inputs to tf.function failed due to "
    "`got an unexpected keyword argument 'rate'` ({here})",
)
def unexpected_keyword():
    f = tf.function(lambda x: x)
    f(tf.ones([2]), rate=2.0)  # <-


@misuse(
    TypeError,
    "call(x): Binding inputs to tf.function failed due to "
    "`missing a required argument: 'x'` ({here})",
)
def method_without_argument():
    Model().call()  # <-


@misuse(
    TypeError,
    "lambda: Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape=(2, 4), "
    "dtype=tf.float32, name=None) to TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)`: "
    "the argument does not fit the input_signature ({here})",
)
def shape_that_is_not_in_the_signature():
    f = tf.function(lambda x: x, input_signature=[ROWS])
    f(tf.ones([2, 4]))  # <-


@misuse(
    TypeError,
    "lambda: Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape=(3,), "
    "dtype=tf.float32, name=None) to TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)`: "
    "the argument does not fit the input_signature ({here})",
)
def rank_that_is_not_in_the_signature():
    f = tf.function(lambda x: x, input_signature=[ROWS])
    f(tf.ones([3]))  # <-


@misuse(
    ValueError,
    "lambda is traced when it is called: nothing is known of its results before it has met a rank. "
    "Call it, or use of_ranks. ({here})",
)
def results_of_unknown_rank_before_a_call():
    f = tf.function(lambda x: x, input_signature=[tf.TensorSpec(None)])
    f.get_concrete_function().structured_outputs  # <-


@misuse(
    TypeError,
    "lambda: Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape=(2, 3), "
    "dtype=tf.float64, name=None) to TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)`: "
    "the argument does not fit the input_signature ({here})",
)
def dtype_that_is_not_in_the_signature():
    f = tf.function(lambda x: x, input_signature=[ROWS])
    f(tf.ones([2, 3], tf.float64))  # <-


@misuse(
    TypeError,
    "lambda: Binding inputs to tf.function failed due to `Cannot convert (3+4j) to EagerTensor of "
    "dtype float32`: the argument does not fit the input_signature ({here})",
)
def no_tensor_for_the_signature():
    f = tf.function(lambda x: x, input_signature=[ROWS])
    f(3 + 4j)  # <-


@misuse(
    TypeError,
    "lambda: Binding inputs to tf.function failed due to `The two structures don't have the same "
    "nested structure.\n"
    "\n"
    "First structure: type=dict str={'x': TensorSpec(shape=(None, 3), dtype=tf.float32, "
    "name=None)}\n"
    "\n"
    "Second structure: type=Tensor str=[[1. 1. 1.]\n"
    " [1. 1. 1.]]\n"
    "\n"
    "More specifically: Substructure \"type=dict str={'x': TensorSpec(shape=(None, 3), "
    'dtype=tf.float32, name=None)}" is a sequence, while substructure "type=Tensor str=[[1. 1. 1.]'
    "\n"
    ' [1. 1. 1.]]" is not`: the argument does not fit the input_signature ({here})',
)
def structure_that_is_not_in_the_signature():
    f = tf.function(lambda d: d["x"], input_signature=[{"x": ROWS}])
    f(tf.ones([2, 3]))  # <-


# Concrete functions.


@misuse(
    tf.errors.InvalidArgumentError,
    "lambda was traced for (f32[n0,3]), and called with (float32[2, 4]) [Op:lambda] ({here})",
)
def concrete_of_another_shape():
    f = tf.function(lambda x: x * 2.0).get_concrete_function(ROWS)
    f(tf.ones([2, 4]))  # <-


@misuse(
    tf.errors.InvalidArgumentError,
    "cannot compute lambda as input #0(zero-based) was expected to be a float32 tensor but is a "
    "float64 tensor: lambda was traced for (f32[n0,3]), and called with (float64[2, 3]) "
    "[Op:lambda] ({here})",
)
def concrete_of_another_dtype():
    f = tf.function(lambda x: x * 2.0).get_concrete_function(ROWS)
    f(tf.ones([2, 3], tf.float64))  # <-


@misuse(
    tf.errors.InvalidArgumentError,
    "add was traced for (f32[n0], f32[n0]), and called with (float32[2], float32[3]) at "
    "{here}: Incompatible shapes: n0 = 2 and n1 = 3 must be equal (f32[2], f32[3]) "
    "[Op:add] ({here})",
)
def concrete_whose_sizes_clash():
    def add(x, y):
        return x + y  # <-

    f = tf.function(add).get_concrete_function(tf.TensorSpec([None]), tf.TensorSpec([None]))
    f(tf.ones([2]), tf.ones([3]))  # <-


@misuse(
    TypeError,
    "lambda was traced for the Python value 2.0, and called with 3.0 ({here})",
)
def concrete_of_another_number():
    f = tf.function(lambda x, n: x * n).get_concrete_function(ROWS, 2.0)
    f(tf.ones([2, 3]), 3.0)  # <-


@misuse(
    TypeError,
    "lambda: Binding inputs to tf.function failed due to `missing a required argument: 'x'` "
    "({here})",
)
def concrete_without_argument():
    tf.function(lambda x: x * 2.0).get_concrete_function(ROWS)()  # <-


@misuse(
    TypeError,
    "lambda: Binding inputs to tf.function failed due to `too many positional arguments` ({here})",
)
def concrete_with_more():
    f = tf.function(lambda x: x * 2.0).get_concrete_function(ROWS)
    f(tf.ones([2, 3]), tf.ones([2]))  # <-


@misuse(
    ValueError,
    "no stage 'machine': there are traced, optimised, lowered, kernels, llvm, asm, ptx ({here})",
)
def unknown_stage():
    tf.function(lambda x: x * 2.0).get_concrete_function(ROWS).ir("machine")  # <-


@misuse(
    TypeError,
    "lambda: Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape=(None,), "
    "dtype=tf.float32, name=None) to TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)`: "
    "the argument does not fit the input_signature ({here})",
)
def concrete_for_a_rank_beside_the_signature():
    f = tf.function(lambda x: x, input_signature=[ROWS])
    f.get_concrete_function(tf.TensorSpec([None]))  # <-


# What is returned.


@misuse(
    TypeError,
    "To be compatible with tf.function, Python functions must return zero or more Tensors or "
    "ExtensionTypes or None values; in compilation of f, found return value of type "
    "builtin_function_or_method, which is not a Tensor or ExtensionType: <built-in function print> "
    "({here})",
)
def returns_an_object():
    def f(x):
        return print

    tf.function(f)(tf.ones([2]))  # <-


@misuse(
    TypeError,
    "To be compatible with tf.function, Python functions must return zero or more Tensors or "
    "ExtensionTypes or None values; in compilation of lambda, found return value of type "
    "builtin_function_or_method, which is not a Tensor or ExtensionType: <built-in function len> "
    "({here})",
)
def returns_a_function():
    tf.function(lambda x: {"y": x, "f": len})(tf.ones([2]))  # <-


# Symbolic tensors that are asked for what they do not have.


@misuse(
    AttributeError,
    ".numpy() needs the elements of a symbolic tensor (float32, shape (2,)), which is "
    "traced inside a tfc.function and has none yet ({here}). Return it, and call .numpy() "
    "on what the function gives; or compute with ops.",
)
def numpy_of_a_symbolic_tensor():
    def f(x):
        return tf.constant(x.numpy() * 2.0)  # <-

    tf.function(f)(tf.ones([2]))


@misuse(
    NotImplementedError,
    "Cannot convert a symbolic tf.Tensor (x:0) to a numpy array. This needs the elements of a "
    "symbolic tensor (float32, shape (2,)), which is traced inside a tfc.function and has none "
    "yet ({here}). Compute with ops (tfc.where, tfc.cond), or move this line out of the function.",
)
def asarray_of_a_symbolic_tensor():
    def f(x):
        return np.asarray(x)  # <-

    tf.function(f)(tf.ones([2]))


@misuse(
    TypeError,
    "float() needs the elements of a symbolic tensor (float32, shape ()), which is traced "
    "inside a tfc.function and has none yet ({here}). To convert it, use tfc.cast(x, "
    "tfc.float32).",
)
def float_of_a_symbolic_tensor():
    def f(x):
        return x * float(x)  # <-

    tf.function(f, autograph=False)(tf.constant(2.0))


@misuse(
    TypeError,
    "int() needs the elements of a symbolic tensor (int32, shape ()), which is traced "
    "inside a tfc.function and has none yet ({here}). To convert it, use tfc.cast(x, "
    "tfc.int32).",
)
def int_of_a_symbolic_tensor():
    def f(x):
        return x * int(x)  # <-

    tf.function(f, autograph=False)(tf.constant(2))


@misuse(
    TypeError,
    "Use as a Python integer needs the elements of a symbolic tensor (int32, shape ()), "
    "which is traced inside a tfc.function and has none yet ({here}). To pick an item of a "
    "list by a tensor, use tfc.gather(tfc.stack(items), i).",
)
def index_of_a_symbolic_tensor():
    def f(x, n):
        return [1, 2, 3][n] * x  # <-

    tf.function(f, autograph=False)(tf.constant(2), tf.constant(1))


@misuse(
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the elements "
    "of a symbolic tensor (bool, shape ()), which is traced inside a tfc.function and has "
    "none yet ({here}). `if`, `while` and `for` in f stay Python's own, because the "
    "function is traced with autograph=False: use tfc.cond, tfc.while_loop or tfc.where "
    "there.",
)
def bool_of_a_symbolic_tensor():
    def f(x):
        return 1.0 if x > 0.0 else 2.0  # <-

    tf.function(f, autograph=False)(tf.constant(2.0))


@misuse(
    tf.errors.OperatorNotAllowedInGraphError,
    "Iterating over a symbolic `tf.Tensor` of unknown extent is not allowed: it needs the "
    "elements of a symbolic tensor (float32, shape (n0, 3)), which is traced inside a "
    "tfc.function and has none yet ({here}). `if`, `while` and `for` in f stay Python's "
    "own, because the function is traced with autograph=False: use tfc.cond, "
    "tfc.while_loop or tfc.where there.",
)
def iteration_over_an_unknown_extent():
    def f(x):
        return [row * 2.0 for row in x]  # <-

    tf.function(f, input_signature=[ROWS], autograph=False)(tf.ones([2, 3]))


@misuse(
    TypeError,
    "len() of an unknown extent needs the elements of a symbolic tensor (float32, shape "
    "(n0, 3)), which is traced inside a tfc.function and has none yet ({here}). Compute "
    "with ops (tfc.where, tfc.cond), or move this line out of the function.",
)
def len_of_an_unknown_extent():
    def f(x):
        return x / float(len(x))  # <-

    tf.function(f, input_signature=[ROWS], autograph=False)(tf.ones([2, 3]))


@misuse(
    tf.errors.OperatorNotAllowedInGraphError,
    "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: it needs the elements "
    "of a symbolic tensor (bool, shape ()), which is traced inside a tfc.function and has "
    "none yet ({here}). `if`, `while` and `for` in f stay Python's own, because the "
    "function is traced with autograph=False: use tfc.cond, tfc.while_loop or tfc.where "
    "there.",
)
def membership_in_a_symbolic_tensor():
    def f(x):
        return 2.0 in x  # <-

    tf.function(f, autograph=False)(tf.ones([2]))


@misuse(
    TypeError,
    "'SymbolicTensor' object does not support item assignment: tensors are immutable. "
    "tf.where and tf.tensor_scatter_nd_update make new ones, and "
    "variable[...].assign(value) changes a Variable ({here})",
)
def assignment_to_an_element():
    def f(x):
        x[0] = 1.0  # <-
        return x

    tf.function(f)(tf.ones([2]))


@misuse(
    TypeError,
    "Use as a Python integer needs the elements of a symbolic tensor (int32, shape ()), "
    "which is traced inside a tfc.function and has none yet ({here}). To pick an item of a "
    "list by a tensor, use tfc.gather(tfc.stack(items), i).",
)
def size_that_is_a_tensor_for_python():
    def f(x):
        return sum(x * float(i) for i in range(tf.shape(x)[0]))  # <-

    tf.function(f, input_signature=[ROWS], autograph=False)(tf.ones([2, 3]))


@misuse(
    TypeError,
    "num_or_size_splits must be known while a function is traced, and this one is computed in it: "
    "give a Python number, or make it from numbers alone (<tf.Tensor 'parts:0' shape=() "
    "dtype=int32>) [Op:split] ({here})",
)
def number_of_parts_that_is_a_tensor():
    n = tf.Variable(2)

    def f(x):
        parts = n + 0
        return tf.split(x, parts)  # <-

    tf.function(f)(tf.ones([4]))


# Symbolic tensors outside of their function.


@misuse(
    tf.errors.InaccessibleTensorError,
    "<tf.Tensor 'value:0' shape=(2,) dtype=float32> is out of scope and cannot be used here: "
    "it was made at {here} by mul while f was traced, and has leaked out of it (used at "
    "{here}). It has no elements outside: return it from f, or assign it to a tf.Variable "
    "there. It was kept in a list, the global 'LEAK' of tests.function_misuses_calls.",
)
def leak_into_a_global():
    @tf.function
    def f(x):
        LEAK.append(x * 2.0)  # <-
        return x

    f(tf.ones([2]))
    try:
        LEAK[0] + 1.0  # <-
    finally:
        LEAK.clear()


@misuse(
    tf.errors.InaccessibleTensorError,
    "<tf.Tensor 'last:0' shape=(2,) dtype=float32> is out of scope and cannot be used here: "
    "it was made at {here} by exp while f was traced, and has leaked out of it (used at "
    "{here}). It has no elements outside: return it from f, or assign it to a tf.Variable "
    "there. It was kept in the attribute 'last' of a Model.",
)
def leak_into_an_attribute():
    model = Model()

    @tf.function
    def f(x):
        model.last = tf.exp(x)  # <-
        return x

    f(tf.ones([2]))
    tf.reduce_sum(model.last)  # <-


@misuse(
    tf.errors.InaccessibleTensorError,
    "<tf.Tensor 'x:0' shape=(2,) dtype=float32> is out of scope and cannot be used here: it "
    "was made as an argument of f while f was traced, and has leaked out of it (used at "
    "{here}). It has no elements outside: return it from f, or assign it to a tf.Variable "
    "there. It was kept in the variable 'kept' around f.",
)
def leak_of_an_argument_into_a_closure():
    kept = None

    @tf.function
    def f(x):
        nonlocal kept
        kept = x
        return x * 2.0

    f(tf.ones([2]))
    tf.exp(kept)  # <-


@misuse(
    tf.errors.InaccessibleTensorError,
    "<tf.Tensor 'value:0' shape=(2,) dtype=float32> is out of scope and cannot be used here: "
    "it was made at {here} by mul while f was traced, and has leaked out of it (used at "
    "{here}). It has no elements outside: return it from f, or assign it to a tf.Variable "
    "there. It was kept in a dict, the variable 'held' of g.",
)
def leak_into_another_function():
    held = {}

    @tf.function
    def f(x):
        held["y"] = x * 3.0  # <-
        return x

    @tf.function
    def g(x):
        return x + held["y"]  # <-

    f(tf.ones([2]))
    g(tf.ones([2]))


@misuse(
    AttributeError,
    "<tf.Tensor 'value:0' shape=(2,) dtype=float32> is out of scope and cannot be used here: "
    "it was made at {here} by mul while f was traced, and has leaked out of it (used at "
    "{here}). It has no elements outside: return it from f, or assign it to a tf.Variable "
    "there. It was kept in a list, the variable 'held' of numpy_of_a_leaked_tensor.",
)
def numpy_of_a_leaked_tensor():
    held = []

    @tf.function
    def f(x):
        held.append(x * 3.0)  # <-
        return x

    f(tf.ones([2]))
    held[0].numpy()  # <-


# Recursion.


@misuse(
    RecursionError,
    "f calls itself with the same signature while it is traced ({here}), which would never "
    "end: of a condition on a tensor both branches are traced. Recurse on a Python value, "
    "or write a tf.while_loop.",
)
def recursion_without_an_end():
    @tf.function
    def f(x):
        return f(x + 1.0)  # <-

    f(tf.constant(1.0))


@misuse(
    RecursionError,
    "f calls itself, or what calls it, too deep while it is traced ({here}): recursion is "
    "traced call by call. Write a tf.while_loop.",
)
def recursion_on_a_number():
    @tf.function
    def f(x, n):
        return f(x + 1.0, n + 1)  # <-

    f(tf.constant(1.0), 0)
