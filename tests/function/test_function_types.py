"""The types of functions: signatures with specs, and what an input_signature leaves out."""

import pytest

import tfc as tf

SPEC = tf.TensorSpec([None], tf.float32)
VECTOR = "TensorSpec(shape=(None,), dtype=tf.float32, name=None)"


def test_types_of_functions():
    f = tf.function(lambda x, y=1, *a, k=3, **kw: {"a": x, "b": [x, None]})
    default = "<captured_default_value>"
    assert str(f.function_type) == f"(x, y={default}, *a, k={default}, **kw)"
    assert f.function_type.output is None
    signed = tf.function(lambda x, y=1: x, input_signature=[SPEC])
    assert str(signed.function_type) == f"(x: {VECTOR}, y={default})"

    concrete = f.get_concrete_function(SPEC, 2, q="s")
    result = f"Dict[['a', {VECTOR}], ['b', List[{VECTOR}, Literal[None]]]]"
    line = f"(x: {VECTOR}, y: Literal[2], *, k: Literal[3], q: Literal['s']) -> {result}"
    assert str(concrete.function_type) == line == concrete.pretty_printed_signature(False)
    assert f.pretty_printed_concrete_signatures(verbose=False) == line
    assert concrete.function_type.parameters["x"].annotation == SPEC
    assert repr(concrete.function_type).splitlines()[:2] == [
        "Input Parameters:",
        f"  x (POSITIONAL_OR_KEYWORD): {VECTOR}",
    ]
    more = f.get_concrete_function(SPEC, 2, (1, 2.5)).function_type
    kinds = [p.kind.name for p in more.parameters.values()]
    assert kinds == [*["POSITIONAL_ONLY"] * 3, "KEYWORD_ONLY"]
    assert "Tuple[Literal[1], Literal[2.5]]" in str(more)


def test_defaults_fit_an_input_signature():
    scalar = tf.TensorSpec([], tf.float32)
    f = tf.function(lambda x, y=2: x + y, input_signature=[SPEC, scalar])
    assert f([1.0]).numpy() == [3.0]
    assert f([1.0], 3.0).numpy() == f([1.0], y=3.0).numpy() == [4.0]
    with pytest.raises(TypeError, match="missing a required argument"):
        f()


def test_features_of_autograph_are_taken():
    feature = tf.autograph.experimental.Feature
    assert [f.name for f in feature] == [f.value for f in feature] and feature.ALL in feature
    f = tf.function(lambda x: x == x, experimental_autograph_options=(feature.EQUALITY_OPERATORS,))
    assert f(tf.constant(1)).numpy()
