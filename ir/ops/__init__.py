"""All ops of the IR, by family."""

from .contraction import Matmul
from .elementwise import *
from .functional import Call, CustomGradient
from .gather import Gather, ScatterAdd
from .host import HostCall
from .kernel import LAUNCHES, Assert, For, HostLaunch, Launch, Load, Reduce, Store
from .random import RandomBits
from .reduction import (
    ArgMax,
    ArgMin,
    ReduceAll,
    ReduceAny,
    ReduceMax,
    ReduceMin,
    ReduceProd,
    ReduceSum,
    Reduction,
)
from .scheduled import Scheduled
from .shape import (
    Broadcast,
    Concat,
    Constant,
    ExtentOf,
    Iota,
    Pad,
    Reshape,
    Reverse,
    Slice,
    Transpose,
)
