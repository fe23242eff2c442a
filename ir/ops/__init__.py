"""All ops of the IR, by family."""

from .contraction import Matmul
from .elementwise import *  # noqa: F403
from .functional import Call, CustomGradient
from .gather import Gather, ScatterAdd
from .kernel import Assert, Launch, For, Load, Reduce, Store
from .random import RandomBits
from .reduction import ArgMax, ArgMin, ReduceAll, ReduceAny, ReduceMax, ReduceMin, ReduceProd
from .reduction import ReduceSum, Reduction
from .shape import Broadcast, Concat, Constant, ExtentOf, Iota, Pad, Reshape, Reverse, Slice
from .shape import Transpose
