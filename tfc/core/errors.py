"""The exceptions that running an op may raise, with TensorFlow's names and codes.

As in TensorFlow, what is wrong before anything runs (a shape or dtype clash while a function is
traced, an argument of the wrong kind) is a plain `ValueError` or `TypeError`; what is wrong with
the values or shapes that an op meets is an `OpError`. None of these classes is a `ValueError`.

An error knows the op that failed and the line on which the user called it:

    >>> error = InvalidArgumentError("indices[0] = 1 is not in [0, 1)", op="gather",
    ...                              location="model.py:12")
    >>> print(error)
    indices[0] = 1 is not in [0, 1) [Op:gather] (model.py:12)
    >>> error.message
    'indices[0] = 1 is not in [0, 1)'
    >>> error.error_code == INVALID_ARGUMENT
    True

TensorFlow's own way of raising them works too:

    >>> print(OutOfRangeError(None, None, "end of sequence"))
    end of sequence
"""

from __future__ import annotations

from typing import Any, ClassVar

# The canonical status codes that TensorFlow shares with gRPC.
OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class OpError(Exception):
    """The base of all errors that ops raise.

    `OpError(message, op=..., location=...)`, or TensorFlow's positional
    `OpError(node_def, op, message)`, of which the first is kept as it is and means nothing here.

    Attributes:
        message: what went wrong, without the op and the line.
        op: the op that failed, or None.
        location: where the user called it (printed as `file:line`), or None.
        node_def: whatever a caller in TensorFlow's style passed first.
        error_code: the status code of the class, such as `INVALID_ARGUMENT`.

    >>> import tfc as tf
    >>> try:
    ...     tf.linalg.inv([[0.0]])
    ... except tf.errors.OpError as error:
    ...     print(type(error).__name__, error.op, error.message)
    InvalidArgumentError inverse Input is not invertible.
    """

    code: ClassVar[int] = UNKNOWN

    def __init__(self, *args: Any, op: Any = None, location: Any = None) -> None:
        node_def: Any = None
        self._payloads: dict[str, str] = {}
        if len(args) >= 3:
            node_def, op, message, *rest = args
            self._payloads = next((v for v in rest if isinstance(v, dict)), {})
        elif len(args) == 1:
            (message,) = args
        else:
            raise TypeError(
                f"{type(self).__name__} takes a message, or node_def, op and message; "
                f"got {len(args)} positional arguments"
            )
        super().__init__(message)
        self.message = str(message)
        self.op = op
        self.location = location
        self.node_def = node_def

    @property
    def error_code(self) -> int:
        """The status code of this class of errors."""
        return self.code

    @property
    def experimental_payloads(self) -> dict[str, str]:
        """What else a failure says of itself: nothing but what it was made with."""
        return dict(self._payloads)

    def __str__(self) -> str:
        op = "" if self.op is None else f" [Op:{getattr(self.op, 'name', self.op)}]"
        location = "" if self.location is None else f" ({self.location})"
        return f"{self.message}{op}{location}"

    def __reduce__(self) -> tuple[Any, ...]:
        # Op and location may hold what does not pickle; their text is what another process needs.
        op = None if self.op is None else str(getattr(self.op, "name", self.op))
        location = None if self.location is None else str(self.location)
        return _restore, (type(self), self.message, op, location)


def _restore(cls: type[OpError], message: str, op: str | None, location: str | None) -> OpError:
    return cls(message, op=op, location=location)


class CancelledError(OpError):
    """The operation was cancelled.

    >>> import tfc as tf
    >>> error = tf.errors.CancelledError("the user pressed stop")
    >>> print(error, error.error_code)
    the user pressed stop 1
    """

    code = CANCELLED


class UnknownError(OpError):
    """An error for which no more specific class exists.

    >>> import tfc as tf
    >>> error = tf.errors.UnknownError("no idea")
    >>> print(error, error.error_code)
    no idea 2
    """

    code = UNKNOWN


class InvalidArgumentError(OpError):
    """An op was given values or shapes that it does not take, whatever the state of the program:
    matrices that do not fit, an index out of range.

    >>> import tfc as tf
    >>> tf.gather([1.0, 2.0], 5)
    Traceback (most recent call last):
    ...
    tfc.errors.InvalidArgumentError: indices = 5 is not in [0, 2) [Op:gather] ...
    """

    code = INVALID_ARGUMENT


class DeadlineExceededError(OpError):
    """A deadline expired before the operation completed.

    >>> import tfc as tf
    >>> error = tf.errors.DeadlineExceededError("no answer in 5 s")
    >>> print(error, error.error_code)
    no answer in 5 s 4
    """

    code = DEADLINE_EXCEEDED


class NotFoundError(OpError):
    """Something that was asked for, such as a file or a device, does not exist.

    >>> import tfc as tf
    >>> error = tf.errors.NotFoundError("no file weights.npz")
    >>> print(error, error.error_code)
    no file weights.npz 5
    """

    code = NOT_FOUND


class AlreadyExistsError(OpError):
    """Something that was to be created exists already.

    >>> import tfc as tf
    >>> error = tf.errors.AlreadyExistsError("weights.npz is there")
    >>> print(error, error.error_code)
    weights.npz is there 6
    """

    code = ALREADY_EXISTS


class PermissionDeniedError(OpError):
    """The caller may not do this.

    >>> import tfc as tf
    >>> error = tf.errors.PermissionDeniedError("weights.npz is read-only")
    >>> print(error, error.error_code)
    weights.npz is read-only 7
    """

    code = PERMISSION_DENIED


class ResourceExhaustedError(OpError):
    """Something ran out: memory for a result, for example.

    >>> import tfc as tf
    >>> error = tf.errors.ResourceExhaustedError("no memory for float32[100000,100000]")
    >>> print(error, error.error_code)
    no memory for float32[100000,100000] 8
    """

    code = RESOURCE_EXHAUSTED


class FailedPreconditionError(OpError):
    """The program is not in the state that the operation needs: reading a variable that has no
    value yet, for example.

    >>> import tfc as tf
    >>> error = tf.errors.FailedPreconditionError("the table is not initialized")
    >>> print(error, error.error_code)
    the table is not initialized 9
    """

    code = FAILED_PRECONDITION


class AbortedError(OpError):
    """The operation was aborted, typically by another one running at the same time.

    >>> import tfc as tf
    >>> error = tf.errors.AbortedError("another writer came first")
    >>> print(error, error.error_code)
    another writer came first 10
    """

    code = ABORTED


class OutOfRangeError(OpError):
    """An operation went past the valid range, such as the end of a data set.

    >>> import tfc as tf
    >>> error = tf.errors.OutOfRangeError("end of sequence")
    >>> print(error, error.error_code)
    end of sequence 11
    """

    code = OUT_OF_RANGE


class UnimplementedError(OpError):
    """The operation is not implemented, or not for these dtypes or on this device.

    >>> import tfc as tf
    >>> tf.signal.dct(tf.ones([2, 2]), axis=0)
    Traceback (most recent call last):
    ...
    tfc.errors.UnimplementedError: axis must be -1, got 0 ...
    """

    code = UNIMPLEMENTED


class InternalError(OpError):
    """The compiler or the run-time system broke one of its own invariants: please report it.

    >>> import tfc as tf
    >>> error = tf.errors.InternalError("an invariant is broken")
    >>> print(error, error.error_code)
    an invariant is broken 13
    """

    code = INTERNAL


class UnavailableError(OpError):
    """The device or service is not available now; trying again may help.

    >>> import tfc as tf
    >>> error = tf.errors.UnavailableError("the server is restarting")
    >>> print(error, error.error_code)
    the server is restarting 14
    """

    code = UNAVAILABLE


class DataLossError(OpError):
    """Data is lost or corrupt.

    >>> import tfc as tf
    >>> error = tf.errors.DataLossError("the checksum is wrong")
    >>> print(error, error.error_code)
    the checksum is wrong 15
    """

    code = DATA_LOSS


class UnauthenticatedError(OpError):
    """The caller's credentials are missing or wrong.

    >>> import tfc as tf
    >>> error = tf.errors.UnauthenticatedError("no token")
    >>> print(error, error.error_code)
    no token 16
    """

    code = UNAUTHENTICATED


class OperatorNotAllowedInGraphError(TypeError):
    """A tensor that has no value yet (a function is being traced) was used where Python needs
    one, as in `if x > 0:`.

    >>> import tfc as tf
    >>> @tf.function(autograph=False)
    ... def f(x):
    ...     return x if x > 0 else -x
    >>> f(tf.constant(1.0))
    Traceback (most recent call last):
    ...
    tfc.errors.OperatorNotAllowedInGraphError: ...
    """


class InaccessibleTensorError(ValueError, TypeError):
    """A tensor of one function's trace was used outside of it.

    >>> import tfc as tf
    >>> kept = []
    >>> @tf.function
    ... def f(x):
    ...     kept.append(x + 1.0)
    ...     return x
    >>> _ = f(tf.constant(1.0))
    >>> kept[0] + 1.0
    Traceback (most recent call last):
    ...
    tfc.errors.InaccessibleTensorError: ...
    """


_CLASSES = {
    cls.code: cls
    for cls in (
        CancelledError,
        UnknownError,
        InvalidArgumentError,
        DeadlineExceededError,
        NotFoundError,
        AlreadyExistsError,
        PermissionDeniedError,
        ResourceExhaustedError,
        FailedPreconditionError,
        AbortedError,
        OutOfRangeError,
        UnimplementedError,
        InternalError,
        UnavailableError,
        DataLossError,
        UnauthenticatedError,
    )
}


def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The class that stands for a status code.

    Args:
        error_code: A number, from 1 to 16.

    Returns:
        The class.

    Raises:
        KeyError: If it is none of them.

    >>> exception_type_from_error_code(11).__name__
    'OutOfRangeError'
    """
    return _CLASSES[error_code]


def error_code_from_exception_type(cls: type[OpError]) -> int:
    """The status code that a class stands for.

    Args:
        cls: A class of `tfc.errors`.

    Returns:
        An int.

    >>> error_code_from_exception_type(OutOfRangeError)
    11
    """
    return cls.code


for _class in list(globals().values()):  # users know them by the name that the front has for them
    if isinstance(_class, type) and _class.__module__ == __name__:
        _class.__module__ = "tfc.errors"
