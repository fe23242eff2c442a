"""Misuses of functions: Variables, shapes, gradients, effects, debugging, saving.

A line that an error must name is marked `# <-`; `{here}` stands for file and line."""

# ruff: noqa: B018, B023, F841, RUF100  (what users write)
from __future__ import annotations

import tempfile

import tfc as tf
from tests.function_misuse import misuse

Invalid = tf.errors.InvalidArgumentError
ROW = tf.TensorSpec([None])


# Variables.


@misuse(
    ValueError,
    "f: tf.function only supports singleton tf.Variables created on the first call, and "
    "this call makes another one ({here}). Make it outside of the function, or once: `if "
    "self.v is None: self.v = tf.Variable(...)`.",
)
def variable_on_the_second_call():
    held = []

    @tf.function
    def f(x):
        held.append(tf.Variable(1.0))  # <-
        return x * held[-1]

    f(tf.constant(1.0))
    f(tf.constant([1.0]))


@misuse(
    ValueError,
    "a Variable cannot start from a traced tensor whose elements no call has given ({here}): "
    "create it outside of the tfc.function, or give a callable or a constant.",
)
def variable_of_an_argument():
    @tf.function
    def f(x):
        return tf.Variable(x * 2.0) + 1.0  # <-

    f.get_concrete_function(tf.TensorSpec([]))


@misuse(
    ValueError,
    "Cannot assign value to variable 'Variable:0': Shape mismatch. The variable shape "
    "(2,), and the assigned value shape (3,) are incompatible. ({here})",
)
def assignment_of_another_shape():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(x):
        v.assign(x)  # <-

    f(tf.ones([3]))


@misuse(
    ValueError,
    "Cannot assign_add value to variable 'Variable:0': Tensor conversion requested dtype "
    "float32 for Tensor with dtype float64: <tf.Tensor 'x:0' shape=(2,) dtype=float64> "
    "({here})",
)
def assignment_of_another_dtype():
    v = tf.Variable([1.0, 2.0])

    @tf.function
    def f(x):
        v.assign_add(x)  # <-

    f(tf.ones([2], tf.float64))


@misuse(
    Invalid,
    "Cannot assign value to variable 'Variable:0': Shape mismatch. The variable shape "
    "(2,), and the assigned value shape (3,) are incompatible. ({here}), with n0 = 3 in "
    "f(x: f32[n0])",
)
def assignment_of_a_size_that_differs():
    v = tf.Variable([1.0, 2.0])

    @tf.function(input_signature=[ROW])
    def f(x):
        v.assign(x)  # <-

    f(tf.ones([3]))


# Shapes.


@misuse(
    Invalid,
    "add: Incompatible shapes: [2] vs. [3] (operands: float32[2], float32[3]) [Op:add] "
    "({here}), with n0 = 2, n1 = 3 in f(x: f32[n0], y: f32[n1])",
)
def sizes_that_clash():
    @tf.function(input_signature=[ROW, ROW])
    def f(x, y):
        return x * 2.0 + y  # <-

    f(tf.ones([2]), tf.ones([3]))


@misuse(
    Invalid,
    "matmul: Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3] (operands: float32[2, "
    "3], float32[2, 3]) [Op:matmul] ({here}), with n0 = 2, n1 = 3, n2 = 2, n3 = 3 in f(x: "
    "f32[n0,n1], y: f32[n2,n3])",
)
def product_of_sizes_that_clash():
    @tf.function(input_signature=[tf.TensorSpec([None, None])] * 2)
    def f(x, y):
        return tf.matmul(x, y)  # <-

    f(tf.ones([2, 3]), tf.ones([2, 3]))


@misuse(
    Invalid,
    "Incompatible shapes: extents 1 and 2 must be equal [Op:same_extent] ({here})",
)
def sizes_from_data_that_clash():
    @tf.function
    def f(x, y):
        return tf.boolean_mask(x, x > 0.0) + tf.boolean_mask(y, y > 0.0)  # <-

    f(tf.constant([1.0, -1.0]), tf.constant([1.0, 2.0]))


@misuse(
    Invalid,
    "Input to reshape is a tensor with 3 values, but the requested shape requires a "
    "multiple of 2: it is [-1, 2] "
    "[Op:reshape] ({here}), with n0 = 3 in f(x: f32[n0])",
)
def reshape_that_does_not_fit():
    @tf.function(input_signature=[ROW])
    def f(x):
        return tf.reshape(x, [-1, 2])  # <-

    f(tf.ones([3]))


@misuse(
    Invalid,
    "Incompatible shapes: extents 6 and 4 must be equal [Op:same_extent] ({here})",
)
def reshape_to_a_size_from_data():
    @tf.function
    def f(x, n):
        return tf.reshape(x, [n, 2])  # <-

    f(tf.ones([6]), tf.constant(2))


@misuse(
    ValueError,
    "concat: Dimensions of inputs should match but for axis 0: axis 1 of input 1 has 4 elements, "
    "and of input 0 3. Dimension 1 in both shapes must be equal: shape[0] = [2,3] vs. shape[1] = "
    "[2,4] (operands: float32[2, 3], float32[2, 4]) "
    "[Op:concat] ({here})",
)
def concat_of_rows_that_differ():
    @tf.function
    def f(x, y):
        return tf.concat([x, y], 0)  # <-

    f(tf.ones([2, 3]), tf.ones([2, 4]))


@misuse(
    Invalid,
    "Expected size[0] in [0, 2], but got 3 [Op:slice] ({here}), with n0 = 3 in f(x: f32[n0])",
)
def slice_beyond_the_end():
    @tf.function(input_signature=[ROW])
    def f(x):
        return tf.slice(x, [1], [3])  # <-

    f(tf.ones([3]))


@misuse(
    Invalid,
    "index 3 is not in [0, 3) [Op:gather] ({here})",
)
def index_beyond_the_end():
    @tf.function
    def f(x, i):
        return tf.gather(x, i)  # <-

    f(tf.ones([3]), tf.constant([0, 3]))


@misuse(
    Invalid,
    "slice index 4 of dimension 0 out of bounds (extent 3) [Op:strided_slice] ({here}), "
    "with n0 = 3 in f(x: f32[n0])",
)
def element_beyond_an_unknown_end():
    @tf.function(input_signature=[ROW])
    def f(x):
        return x[4]  # <-

    f(tf.ones([3]))


@misuse(
    ValueError,
    "Cannot infer argument `num` from shape (None,): the extent of the axis is unknown "
    "while tracing [Op:unstack] ({here})",
)
def parts_of_an_unknown_extent():
    @tf.function(input_signature=[ROW])
    def f(x):
        return tf.unstack(x)  # <-

    f(tf.ones([3]))


@misuse(
    tf.errors.UnimplementedError,
    "needs the axis where an extent is unknown [Op:squeeze] ({here})",
)
def squeeze_of_an_unknown_extent():
    @tf.function(input_signature=[ROW])
    def f(x):
        return tf.squeeze(x)  # <-

    f.get_concrete_function()


@misuse(
    Invalid,
    "Number of ways to split should evenly divide the split dimension, but got split_dim 0 (size = "
    "3) and num_split 2: Dimension size 3 must be evenly divisible by 2 [Op:split] ({here}), with "
    "n0 = 3 in "
    "f(x: f32[n0])",
)
def split_that_does_not_divide():
    @tf.function(input_signature=[ROW])
    def f(x):
        return tf.split(x, 2)  # <-

    f(tf.ones([3]))


@misuse(
    ValueError,
    "Tensor's shape (3,) is not compatible with supplied shape [4] ({here})",
)
def shape_that_is_not_so():
    @tf.function
    def f(x):
        x.set_shape([4])  # <-
        return x

    f(tf.ones([3]))


@misuse(
    Invalid,
    "Shape of tensor [3] is not compatible with expected shape [4]. [Op:ensure_shape] "
    "({here}), with n0 = 3 in f(x: f32[n0])",
)
def shape_that_is_not_ensured():
    @tf.function(input_signature=[ROW])
    def f(x):
        return tf.ensure_shape(x, [4])  # <-

    f(tf.ones([3]))


# What fails while it runs.


@misuse(
    Invalid,
    "Integer division by zero [Op:floor_div] ({here})",
)
def division_by_zero():
    @tf.function
    def f(x, y):
        return x // y  # <-

    f(tf.constant([1, 2]), tf.constant([1, 0]))


@misuse(
    tf.errors.ResourceExhaustedError,
    "f: OOM when allocating what it needs to run [Op:f] ({here})",
)
def more_than_there_is():
    @tf.function
    def f(x):
        return tf.zeros([2**40]) + x

    f(tf.ones([1]))  # <-


@misuse(
    Invalid,
    "assertion failed: rates Condition x > 0 did not hold element-wise (x = -2.0, element "
    "1) [Op:check] ({here})",
)
def assertion_in_a_function():
    @tf.function
    def f(x):
        tf.debugging.assert_positive(x, message="rates")  # <-
        return x

    f(tf.constant([1.0, -2.0]))


@misuse(
    Invalid,
    "assertion failed: [x is] [1 -2] [Op:Assert] ({here})",
)
def assertion_with_data():
    @tf.function
    def f(x):
        tf.Assert(tf.reduce_all(x > 0.0), ["x is", x])  # <-
        return x

    f(tf.constant([1.0, -2.0]))


@misuse(
    Invalid,
    "inverse : Tensor had Inf values (x = inf, element 1) [Op:check] ({here})",
)
def numbers_that_are_not_finite():
    @tf.function
    def f(x):
        return tf.debugging.check_numerics(1.0 / x, "inverse")  # <-

    f(tf.constant([1.0, 0.0]))


@misuse(
    Invalid,
    "index 5 is not in [0, 3) [Op:gather] ({here})",
)
def failure_in_a_gradient():
    @tf.function
    def f(x, i):
        return tf.reduce_sum(tf.gather(tf.exp(x), i))  # <-

    tf.grad(f)(tf.ones([3]), tf.constant([5]))


@misuse(
    Invalid,
    "index 3 is not in [0, 3) [Op:gather] ({here})",
)
def failure_in_a_loop():
    @tf.function
    def f(x):
        total = tf.constant(0.0)
        for i in tf.range(5):
            total += tf.gather(x, i)  # <-
        return total

    f(tf.ones([3]))


# Python functions.


@misuse(
    TypeError,
    "Expected func to be callable. Received func=3 [Op:py_function] ({here})",
)
def py_function_of_no_function():
    @tf.function
    def f(x):
        return tf.py_function(3, [x], tf.float32)  # <-

    f(tf.ones([2]))


@misuse(
    TypeError,
    "inp must be a list or tuple of tensors, got <tf.Tensor 'x:0' shape=(2,) dtype=float32> "
    "[Op:py_function] ({here})",
)
def py_function_without_a_list():
    @tf.function
    def f(x):
        return tf.py_function(abs, x, tf.float32)  # <-

    f(tf.ones([2]))


@misuse(
    ValueError,
    "nothing is known of the shape of what abs returns. Say what it is behind the call, by "
    "y.set_shape([None, 3]) or tf.ensure_shape(y, [None, 3]); or in the call, by "
    "Tout=tf.TensorSpec([None, 3], tf.float32) [Op:py_function] ({here})",
)
def py_function_of_unknown_rank():
    @tf.function
    def f(x):
        return tf.py_function(abs, [x], tf.float32) + 1.0  # <-

    f.get_concrete_function(tf.TensorSpec([2]))


@misuse(
    Invalid,
    "<lambda>: 0-th value returned is int32, but expects float32 [Op:py_function] "
    "({here})\n"
    "in the Python function that is called at {here}",
)
def py_function_of_another_dtype():
    @tf.function
    def f(x):
        return tf.py_function(lambda v: tf.cast(v, tf.int32), [x], tf.TensorSpec([2]))  # <-

    f(tf.ones([2]))  # <-


@misuse(
    Invalid,
    "<lambda> returned shape [1] for result 0, which was said to have shape [2] "
    "[Op:py_function] ({here})",
)
def py_function_of_another_shape():
    @tf.function
    def f(x):
        return tf.py_function(lambda v: v[:1], [x], tf.TensorSpec([2])) + x  # <-

    f(tf.ones([2]))


@misuse(
    Invalid,
    "<lambda>: returns 2 values, but expects to see 1 values. [Op:py_function] ({here})\n"
    "in the Python function that is called at {here}",
)
def py_function_with_more_results():
    @tf.function
    def f(x):
        return tf.py_function(lambda v: (v, v), [x], [tf.TensorSpec([2])])  # <-

    f(tf.ones([2]))  # <-


@misuse(
    KeyError,
    "'no number'\nin the Python function that is called at {here}",
)
def py_function_that_raises():
    @tf.function
    def f(x):
        return tf.py_function(lambda v: v * {}["no number"], [x], tf.TensorSpec([2]))  # <-

    f(tf.ones([2]))


# Control flow without AutoGraph.


@misuse(
    TypeError,
    "true_fn and false_fn arguments to tf.cond must have the same number, type, and overall "
    "structure of return values: result 0 is float32 in one and int32 in the other; use tf.cast "
    "[Op:cond] ({here})",
)
def branches_that_differ():
    @tf.function
    def f(x):
        return tf.cond(x > 0.0, lambda: x, lambda: 1)  # <-

    f(tf.constant(1.0))


@misuse(
    ValueError,
    "Input tensor 0 enters the loop with shape (), but has shape (2,) after one iteration. To "
    "allow the shape to vary across iterations, use the `shape_invariants` argument of "
    "tf.while_loop to specify a less-specific shape. Else start with the final shape, or write to "
    "a tf.TensorArray. [Op:while_loop] ({here})",
)
def loop_that_changes_a_shape():
    @tf.function
    def f(x):
        return tf.while_loop(lambda y: True, lambda y: (tf.stack([y, y]),), (x,))  # <-

    f(tf.constant(1.0))


# Gradients.


@misuse(
    RuntimeError,
    "A non-persistent GradientTape can only be used to compute one set of gradients (or "
    "jacobians): ask for all of them at once, or write tf.GradientTape(persistent=True) ({here})",
)
def tape_that_is_used_twice():
    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.gradient(y, x) + tape.gradient(y, x)  # <-

    f(tf.constant(1.0))


# Debugging.


@misuse(
    Invalid,
    "log gave nan (nan) at index [1] of result 0, forward; 1 of 2 elements are\n"
    "  operand 0: -1.0 (float32[2] at [1]) [Op:log] ({here})",
)
def nan_that_is_traced():
    @tf.function
    def f(x):
        return tf.math.log(x) * 2.0  # <-

    with tf.debugging.trace_nans():
        f(tf.constant([1.0, -1.0]))


@misuse(
    Invalid,
    "div gave infinity (inf) at index [1] of result 0, backward; 1 of 2 elements are\n"
    "  operand 0: 0.5 (float32[2] at [1])\n"
    "  operand 1: 0.0 (float32[2] at [1]) [Op:div] ({here})",
)
def nan_of_a_gradient_that_is_traced():
    @tf.function
    def f(x):
        return tf.reduce_sum(tf.sqrt(x))  # <-

    with tf.debugging.trace_nans():
        tf.grad(f)(tf.constant([1.0, 0.0]))


# Saving.


@misuse(
    ValueError,
    "Expected an object of type `Trackable`, such as `tf.Module` or a subclass of the "
    "`Trackable` class, for export. Got {'v': 1} with type <class 'dict'> ({here})",
)
def save_of_a_dictionary():
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save({"v": 1}, folder)  # <-


@misuse(
    OSError,
    "SavedModel file does not exist at: no such folder/saved_model.json ({here})",
)
def load_from_nowhere():
    tf.saved_model.load("no such folder")  # <-


@misuse(
    AssertionError,
    "Tried to export a function (lambda) which references an 'untracked' resource: no "
    "attribute of the Module leads to the Variable 'outside:0' ({here}). Assign it, or "
    "what holds it, to an attribute.",
)
def save_of_a_variable_that_nobody_tracks():
    v, m = tf.Variable(1.0, name="outside"), tf.Module()
    m.f = tf.function(lambda x: x * v, input_signature=[ROW])
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(m, folder)  # <-


@misuse(
    ValueError,
    "Could not find matching concrete function to call loaded from the SavedModel. Got:\n"
    "  Positional arguments (1 total):\n"
    "    * TensorSpec(shape=(2, 2), dtype=tf.float32, name=None)\n"
    "  Keyword arguments: {}\n\n"
    " Expected these arguments to match one of the following 1 option(s):\n\n"
    "Option 1:\n"
    "  Positional arguments (1 total):\n"
    "    * TensorSpec(shape=(None,), dtype=tf.float32, name='x')\n"
    "  Keyword arguments: {}\n\n"
    "(lambda, called at {here})",
)
def loaded_function_for_what_was_not_saved():
    m = tf.Module()
    m.f = tf.function(lambda x: x * 2.0, input_signature=[ROW])
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(m, folder)
        m = tf.saved_model.load(folder)
    m.f(tf.ones([2, 2]))  # <-
