"""The schedules of a GPU, in the order of preference."""

from __future__ import annotations

from math import inf

from ..common.row_reductions import Rows
from ..own_loop_nest import OwnLoopNest
from ..plan.machine import Machine
from ..scalar_control import ScalarControl
from .simt import elementwise
from .simt.column_reductions import ColumnTeams
from .simt.elementwise import ThreadPerElement
from .simt.gemm import GemmByElement, SimtGemm
from .simt.row_reductions import RowTeams
from .simt.schedules import (
    FactorLu,
    InvertAtOnce,
    NonzeroScan,
    OrderRows,
    ScanTeams,
    SolveTriangular,
    SolveTridiagonal,
    SortedScatter,
    SortRows,
    SuppressTeams,
)
from .simt.split_reductions import SplitRowTeams
from .simt.transpose import TransposeShared
from .tensor_cores.schedules import MmaGemm, WgmmaGemm

GPU = Machine(
    schedules=(
        *(ScalarControl, WgmmaGemm, MmaGemm, SimtGemm, GemmByElement),
        *(SortRows, OrderRows, SortedScatter, NonzeroScan, ScanTeams, SuppressTeams),
        *(InvertAtOnce, SolveTriangular, FactorLu, SolveTridiagonal, OwnLoopNest),
        *(SplitRowTeams, RowTeams, Rows, ColumnTeams, TransposeShared, ThreadPerElement),
    ),
    streams_max=inf,
    row_joins=(),
    last_joins=(),
    spread=elementwise.spread,
    ordered=elementwise.ordered,
)
