"""What a checkpoint holds of the user's objects: which have state, and by which names one leads to
another. These names are TensorFlow's, so that its checkpoints fit our objects and the other way
round.

| an object | leads to | has the state |
| --- | --- | --- |
| `Variable`, and what wraps one (Keras') | | its value, `VARIABLE_VALUE` |
| `Module`, `Checkpoint` | the values of its attributes | |
| list, tuple | its items: "0", "1", ... (a named tuple's by their names, too) | |
| dict | its values, by keys that are strings | |
| one with `_trackable_children()` | what that gives: objects by name | |
| one with `_serialize_to_tensors()` and `_restore_from_tensors(tensors)` | | tensors by name |

The last two are how other objects take part (`random.Generator`, Keras' layers, iterators of
datasets, and users' own). All else is no part of a checkpoint. Where TensorFlow knows the tensors
of an object under one name, with which all their keys begin (tables'), the class has that name in
`_checkpoint_attribute`, and how the keys go on in `_checkpoint_tensors`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from tfc.ir.dtypes import as_dtype, string

from . import tracking
from .context import user_location
from .errors import InvalidArgumentError
from .formatting import shown
from .module import Module
from .shapes import TensorShape
from .tensor import Tensor, wrap
from .variable import Variable, held

VALUE = "VARIABLE_VALUE"


def variable_of(thing: Any) -> Variable | None:
    """The Variable that something is, or wraps; None if it is something else."""
    if isinstance(thing, Variable):
        return thing
    if isinstance(thing, _PLAIN):
        return None
    found = held(thing) if hasattr(type(thing), "handle") else None
    return found if isinstance(found, Variable) else None


_PLAIN = (str, bytes, int, float, complex, type(None), type, np.ndarray, Tensor)


def leads_on(thing: Any) -> bool:
    """Whether something takes part in a checkpoint, itself or with what it leads to."""
    if isinstance(thing, _PLAIN):
        return False
    if isinstance(thing, Variable | Module | list | dict):
        return True
    if isinstance(thing, tuple):
        return any(map(leads_on, thing))
    kind = type(thing)
    return (
        hasattr(kind, "_trackable_children")
        or has_own_state(thing)
        or variable_of(thing) is not None
    )


def has_own_state(thing: Any) -> bool:
    """Whether something says itself what its state is."""
    return hasattr(type(thing), "_serialize_to_tensors")


def has_state(thing: Any) -> bool:
    """Whether something has tensors in a checkpoint, itself."""
    return has_own_state(thing) or variable_of(thing) is not None


def children(thing: Any) -> dict[str, Any]:
    """The objects to which something leads, by name.

    Raises:
        ValueError: If that is said by keys that are no strings.
    """
    if isinstance(thing, Variable):
        return {}
    if isinstance(thing, dict):
        found = _of_dict(thing)
    elif isinstance(thing, list | tuple):
        found = _of_sequence(thing)
    elif hasattr(type(thing), "_trackable_children"):
        found = dict(thing._trackable_children())
    elif isinstance(thing, Module):
        found = vars(thing)
    else:
        return {}
    return {name: value for name, value in found.items() if leads_on(value)}


def _of_dict(thing: dict[Any, Any]) -> dict[str, Any]:
    for key, value in thing.items():
        if not isinstance(key, str) and leads_on(value) and not _is_empty(value):
            raise ValueError(
                f"Unable to save the object {shown(thing)}: a key that is no string ({key!r}) "
                "leads to an object with state. Use strings as keys, or keep the dictionary "
                "elsewhere than in what a checkpoint saves."
            )
    return {key: value for key, value in thing.items() if isinstance(key, str)}


def _is_empty(thing: Any) -> bool:
    """Whether nothing in a list or dictionary takes part."""
    if isinstance(thing, list | tuple):
        return all(not leads_on(item) or _is_empty(item) for item in thing)
    if isinstance(thing, dict):
        return all(not leads_on(item) or _is_empty(item) for item in thing.values())
    return False


def _of_sequence(thing: Any) -> dict[str, Any]:
    names = getattr(thing, "_fields", ()) if isinstance(thing, tuple) else ()
    found = dict(zip(names, thing, strict=True)) if names else {}
    return found | {str(i): item for i, item in enumerate(thing)}


# State.


def state(thing: Any) -> dict[str, Any]:
    """The tensors of something that has state."""
    if not has_own_state(thing):
        variable = variable_of(thing)
        return {} if variable is None else {VALUE: variable.value()}
    found = thing._serialize_to_tensors()
    if not isinstance(found, Mapping) or not all(isinstance(name, str) for name in found):
        raise TypeError(
            f"_serialize_to_tensors of {shown(thing)} must give tensors by name, got {shown(found)}"
        )
    return dict(found)


def attribute_of(thing: Any, name: str) -> str:
    """The name under which an object graph has a tensor of something."""
    return getattr(type(thing), "_checkpoint_attribute", name)


def key_name(thing: Any, name: str) -> str:
    """The last part of the key of a tensor."""
    return getattr(type(thing), "_checkpoint_attribute", "") + name


def tensors_of(thing: Any, attribute: str) -> dict[str, str]:
    """The tensors of something that an attribute of an object graph is: their names, and what
    stands behind the attribute's key in theirs."""
    first = getattr(type(thing), "_checkpoint_attribute", "")
    if not first or not attribute.startswith(first):
        return {attribute: ""}
    rest = attribute.removeprefix(first)
    return {rest: ""} if rest else {name: name for name in type(thing)._checkpoint_tensors}


def full_name(thing: Any) -> str:
    """The name of a Variable, which tells users what it is."""
    variable = variable_of(thing)
    if variable is None:
        return ""
    path = getattr(thing, "path", None)
    return path if isinstance(path, str) else re.sub(r":0$", "", variable.name)


def check(thing: Any, name: str, dtype: Any, shape: tuple[int, ...]) -> None:
    """See whether something takes a tensor of this dtype and shape.

    Raises:
        InvalidArgumentError: If a Variable has another dtype.
        ValueError: If it takes no such shape.
    """
    variable = variable_of(thing)
    if variable is None:
        return
    if variable.dtype is not dtype and not has_own_state(thing):
        raise InvalidArgumentError(
            f"tensor_name = {name}; expected dtype {variable.dtype.name} does not equal original "
            f"dtype {dtype.name}",
            op="train.Checkpoint.restore",
            location=user_location(),
        )
    declared = variable._declared
    wanted = variable.shape if declared is None else declared
    if not wanted.is_compatible_with(TensorShape.of(shape)):
        raise ValueError(
            f"Received incompatible tensor with shape {shape} when attempting to restore variable "
            f"with shape {variable.shape} and name {full_name(thing)}. ({user_location()})"
        )


def give(thing: Any, arrays: Mapping[str, np.ndarray]) -> None:
    """Give something the state that these arrays are."""
    tensors = {name: wrap(array) for name, array in arrays.items()}
    if has_own_state(thing):
        thing._restore_from_tensors(tensors)
        return
    variable = variable_of(thing)
    if variable is not None and VALUE in tensors:
        variable.assign(tensors[VALUE])


def as_array(value: Any, name: str) -> np.ndarray:
    """A tensor of a state, or what becomes one, as an array that nobody changes; strings as bytes.

    Raises:
        TypeError: If it is none.
    """
    if isinstance(value, str | bytes):
        value = np.array(value.encode() if isinstance(value, str) else value, object)
    array = np.asarray(value)
    if array.dtype.kind in "US":
        array = np.array([_bytes(item) for item in array.reshape(-1)], object).reshape(array.shape)
    if array.dtype == object:
        if not all(isinstance(item, bytes) for item in array.reshape(-1)):
            raise TypeError(f"the state {name} is no tensor: {shown(value)}")
        return array
    as_dtype(array.dtype)
    return array


def _bytes(item: Any) -> bytes:
    return item.encode() if isinstance(item, str) else bytes(item)


def dtype_of(array: np.ndarray) -> Any:
    """The dtype of an array that was read."""
    return string if array.dtype == object else as_dtype(array.dtype)


# Places for what comes later.


def waiting_place(owner: Any, name: str, value: Any) -> Any:
    """What stands under `name` of `owner`, so that it tells what is put into it: a list or
    dictionary that does takes the place of one that does not, where there is a way."""
    kind = type(value)
    if kind not in (list, dict):
        return value
    new = tracking.ListWrapper(value) if kind is list else tracking.DictWrapper(value)
    if isinstance(owner, list) and name.isdecimal() and owner[int(name)] is value:
        list.__setitem__(owner, int(name), new)
    elif isinstance(owner, dict) and owner.get(name) is value:
        dict.__setitem__(owner, name, new)
    elif getattr(owner, "__dict__", {}).get(name) is value:
        owner.__dict__[name] = new
    else:
        return value
    return new
