"""tfc.errors: TensorFlow's classes and codes, and the user's line in the text."""

from __future__ import annotations

import inspect
import pickle

import pytest

from tfc import errors


def all_classes() -> list[type[errors.OpError]]:
    found = [cls for _, cls in inspect.getmembers(errors, inspect.isclass)]
    return [cls for cls in found if issubclass(cls, errors.OpError) and cls is not errors.OpError]


def test_text() -> None:
    assert str(errors.InvalidArgumentError("bad")) == "bad"
    assert str(errors.InvalidArgumentError("bad", op="gather")) == "bad [Op:gather]"
    error = errors.InvalidArgumentError("bad", op="gather", location="model.py:12")
    assert str(error) == "bad [Op:gather] (model.py:12)"
    assert (error.message, error.op, error.location) == ("bad", "gather", "model.py:12")
    assert error.node_def is None


def test_tensorflow_style() -> None:
    error = errors.OutOfRangeError(None, None, "end of sequence")
    assert (str(error), error.message, error.op) == ("end of sequence", "end of sequence", None)
    with pytest.raises(TypeError, match="takes a message"):
        errors.OutOfRangeError()
    with pytest.raises(TypeError, match="takes a message"):
        errors.OutOfRangeError(None, "two")


def test_codes() -> None:
    assert errors.InvalidArgumentError("x").error_code == errors.INVALID_ARGUMENT == 3
    assert errors.UnimplementedError("x").error_code == errors.UNIMPLEMENTED == 12
    classes = all_classes()
    assert sorted(cls.code for cls in classes) == list(range(1, 17))
    for cls in classes:
        assert errors.exception_type_from_error_code(cls.code) is cls
        assert errors.error_code_from_exception_type(cls) == cls.code
        assert cls.__doc__


def test_what_they_are() -> None:
    for cls in all_classes():
        assert issubclass(cls, errors.OpError)
        assert not issubclass(cls, ValueError)
    assert issubclass(errors.OperatorNotAllowedInGraphError, TypeError)
    assert issubclass(errors.InaccessibleTensorError, ValueError)


def test_pickling_keeps_the_text() -> None:
    class Unpicklable:
        name = "gather"

    error = errors.InvalidArgumentError("bad", op=Unpicklable(), location="model.py:12")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is errors.InvalidArgumentError
    assert str(again) == str(error) == "bad [Op:gather] (model.py:12)"
