"""`tfc.types.experimental`: what functions take, and what `tfc.function` makes.

>>> import tfc as tf
>>> f = tf.function(lambda x: x + 1)
>>> concrete = f.get_concrete_function(tf.TensorSpec([2]))
>>> isinstance(f, tf.types.experimental.GenericFunction)
True
>>> isinstance(concrete, tf.types.experimental.ConcreteFunction)
True
>>> isinstance(tf.TensorSpec([2]), tf.types.experimental.TraceType)
True
"""

from .core.absent import refusal as _refusal
from .core.type_specs import TypeSpec as TraceType
from .core.types import TensorLike
from .function.concrete import ConcreteFunction
from .function.polymorphic import PolymorphicFunction
from .function.polymorphic import PolymorphicFunction as GenericFunction

__getattr__ = _refusal("tf.types.experimental")
__all__ = [
    "ConcreteFunction",
    "GenericFunction",
    "PolymorphicFunction",
    "TensorLike",
    "TraceType",
]
