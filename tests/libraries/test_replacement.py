"""tfc in TensorFlow's place: in processes of their own, since a process has one TensorFlow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import importlib, pickle, sys
import tensorflow as tf, tensorflow.compat.v1 as v1, tensorflow.compat.v2 as v2, tfc
import tensorflow.experimental.numpy as tnp
from tensorflow.compat import v2 as again
from tensorflow.python.util import nest
from tensorflow.python.framework import test_util
from tensorflow.python.saved_model import nested_structure_coder as coder
from tensorflow.python.framework import graph_util
from tensorflow.python.saved_model import signature_constants
from tensorflow.core.framework import graph_pb2
from tensorflow.core.protobuf import saved_model_pb2, struct_pb2
from tensorflow.linalg import matmul
assert v2 is again is tf is tfc.as_tensorflow() and tf.linalg.matmul is matmul is tfc.linalg.matmul
assert nest.flatten is tf.nest.flatten and tnp is tf.experimental.numpy and v1 is tfc.compat.v1
assert tf.__version__.split(".")[0] == "2" == tf.version.VERSION.split(".")[0]
x = tf.constant([1.0, 2.0])
assert not isinstance(x.shape, tuple) and repr(x.shape) == "TensorShape([2])"
assert type(x).__module__ == "tensorflow" and isinstance(x, tf.Tensor)
assert pickle.loads(pickle.dumps((x, tf.float32)))[1] is tf.float32
for absent in ("records", "dispatch", "python.nowhere", "nowhere", "linalg.nowhere"):
    try:
        importlib.import_module(f"tensorflow.{absent}")
    except ModuleNotFoundError as error:
        assert error.name == f"tensorflow.{absent}"
    else:
        raise AssertionError(absent)
try:
    tf.nowhere
except AttributeError as error:
    assert "'tensorflow' (which is tfc here) has no attribute 'nowhere'" in str(error)
specs = {"a": [tf.TensorSpec([2, None], name="a"), ("b", None, -7, 2.5, True)], "c": tf.int64}
message = coder.encode_structure(specs).SerializeToString()
assert coder.decode_proto(struct_pb2.StructuredValue.FromString(message)) == specs
graph = graph_pb2.GraphDef(node=[{"name": "x"}, {"name": "y"}])
assert [node.name for node in graph_util.extract_sub_graph(graph, ["y"]).node] == ["y"]
assert signature_constants.PREDICT_INPUTS == "inputs"
assert not saved_model_pb2.SavedModel().meta_graphs
class Twice(tf.test.TestCase):
    runs = []
    @test_util.run_in_graph_and_eager_modes()
    def test_it(self):
        self.runs.append(tf.executing_eagerly())
        self.assertAllEqual(tf.constant([1]) + 1, [2])
test = Twice("test_it")
assert test.run().wasSuccessful() and test.runs == [True, False]
assert tfc.linalg.__spec__.name == "tfc.linalg" and "function" in dir(tf)
print(sys.argv[1:], __name__, float(tf.reduce_sum(x)))
"""


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_a_program_runs(tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("")  # the program's folder is on the path
    program = tmp_path / "program.py"
    program.write_text(f"import beside\n{PROGRAM}")
    done = python("-m", "tfc", str(program), "-a", "b")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "['-a', 'b'] __main__ 3.0"


def test_never_by_accident() -> None:
    """Not where TensorFlow is there already, and not before it is asked for."""
    done = python(
        "-c",
        "import importlib.util, sys, types, tfc\n"
        "assert 'tensorflow' not in sys.modules and 'tfc.compat.replacement' not in sys.modules\n"
        "assert type(tfc.constant(1)).__module__ == 'tfc.core.tensor'\n"
        "sys.modules['tensorflow'] = types.ModuleType('tensorflow')\n"
        "try: tfc.as_tensorflow()\n"
        "except ImportError as error: print(error)\n"
        "import tfc.__main__ as program\n"
        "try: program.main(['-x'])\n"
        "except SystemExit as error: print(error)\n",
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith("TensorFlow has been imported already") and "python -m tfc" in first
    assert second.startswith("usage: python -m tfc")


def test_keras_first(tmp_path: Path) -> None:
    """`import keras` before anything asks for tf.keras is Keras on tfc, where its backend is to be
    TensorFlow; asking whether it is there does not import it."""
    program = tmp_path / "program.py"
    program.write_text(
        "import importlib.util, os, sys\n"
        "assert importlib.util.find_spec('keras') and 'keras' not in sys.modules\n"
        "os.environ['KERAS_BACKEND'] = 'tensorflow'\n"
        "from keras import layers\n"
        "import keras, tensorflow as tf\n"
        "assert os.environ['KERAS_BACKEND'] == 'tensorflow' and keras.__spec__.name == 'keras'\n"
        "assert layers.Dense is keras.layers.Dense is tf.keras.layers.Dense\n"
        "print(keras.backend.backend(), type(keras.ops.ones(2)) is type(tf.ones(2)))\n"
    )
    done = python("-m", "tfc", str(program))
    assert done.stdout.strip() == "tfc True", done.stderr
    program.write_text(
        "import os\n"
        "os.environ['KERAS_BACKEND'] = 'nowhere'\n"
        "try: import keras\n"
        "except ValueError as error: print(error)\n"
    )
    assert "nowhere" in python("-m", "tfc", str(program)).stdout
