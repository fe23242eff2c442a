"""The schedules of a CPU, in the order of preference."""

from __future__ import annotations

from ..common.loop_nest import LoopNest
from ..common.row_reductions import Rows
from ..own_loop_nest import OwnLoopNest
from ..plan.machine import Machine
from ..scalar_control import ScalarControl
from . import fused_attention, row_column_reductions, threads
from .column_reductions import ColumnReductions
from .column_scans import ColumnScans
from .conv import pooled
from .conv.pooled import PooledConv
from .conv.schedules import ConvTiles, DepthwiseConv
from .data_movement.concat import ConcatParts
from .data_movement.gather_rows import GatherRows, ScatterAddRows
from .data_movement.max_unpool import MaxUnpool
from .data_movement.transpose import TransposeTiles
from .fused_attention import FusedAttention
from .gemm.schedules import Gemm
from .row_column_reductions import RowColumnReductions
from .segments import CombineSegments
from .small_matrices import MatrixPerLane
from .sorting.schedules import MergeOrder, RadixOrder, SelectTop, SortRows
from .split_rows import SplitRows

# Arrays that one kernel goes through side by side where nothing but the shape joins its values:
# about as many as prefetchers follow. Adam's nanoseconds a number in kernels of 7, 14, 28 and 56
# arrays: 2.7, 2.7, 3.5, 6.0 (parameters of 724 x 724); 1.3, 1.4, 1.4, 1.8 (181 x 181, cached).
STREAMS_MAX = 16

CPU = Machine(
    schedules=(
        *(FusedAttention, ScalarControl, Gemm, PooledConv, DepthwiseConv, ConvTiles),
        *(SortRows, RadixOrder, MergeOrder, SelectTop, ScatterAddRows, CombineSegments),
        *(ColumnScans, MatrixPerLane, OwnLoopNest),
        *(RowColumnReductions, SplitRows, Rows, ColumnReductions),
        *(GatherRows, MaxUnpool, TransposeTiles, ConcatParts, LoopNest),
    ),
    streams_max=STREAMS_MAX,
    row_joins=(row_column_reductions.join,),
    last_joins=(fused_attention.join, pooled.join),
    spread=threads.spread,
    ordered=threads.ordered,
)
