"""All ops of tensor functions, by family. Those of kernels are in ir/kernels/ops/."""

from .candidates import RandomClasses, RandomUnigrams
from .checks import Check, Fail
from .clock import Timestamp
from .collective import AllGather, AllReduce, AllReduceStart, AllReduceWait, BroadcastFrom
from .complex import Complex, Conj, Imag, Real
from .contraction import Matmul
from .control import Cond, Control, Scan, While
from .cumulative import CumLogSumExp, CumMax, CumMin, CumProd, CumSum, Recurrence
from .diagonal import Diagonals, FromDiagonals
from .elementwise import *
from .extents import BindExtent, SameExtent
from .fft import Fft, Irfft, Rfft
from .functional import Call, CustomGradient
from .gather import CheckedIndex, Gather, ScatterAdd, UpdateSlice
from .growing import GrowingWhile
from .host import HostCall
from .host_functions import HostEffect, HostFunction, HostResult, HostRun
from .indexing import Nonzero, Scatter
from .inspection import Inspect
from .linalg import (
    Cholesky,
    Determinant,
    Eigen,
    Eigenvalues,
    HermitianEigen,
    HermitianEigenvalues,
    Inverse,
    LogDeterminant,
    Qr,
    SingularValues,
    Solve,
    Svd,
    cholesky,
    determinant,
    inverse,
    solve,
)
from .matrix_functions import MatrixExponential, MatrixLogarithm, MatrixSquareRoot
from .pooling import MaxPlace, MaxPool, Pick, Unpool
from .printing import Print
from .python import (
    Callback,
    PythonCall,
    PythonGradient,
    PythonReplay,
    PythonResult,
    PythonRun,
    PythonShape,
    PythonStart,
)
from .random import RandomBits
from .random_boxes import RandomBox
from .random_host import RandomBinomial, RandomGammaGrad
from .random_rejection import RandomPermutation, RandomTruncatedNormal
from .random_variables import RandomGamma, RandomPoisson
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
from .search import InvertPermutation, SearchSorted
from .segment import SegmentMax, SegmentMin, SegmentProd, SegmentSum
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
from .small_matrices import SmallCholesky, SmallDeterminant, SmallInverse, SmallSolve
from .sort import ArgSort, Sort, TopPlaces
from .special import (
    BesselI0,
    BesselI0e,
    BesselI1,
    BesselI1e,
    BesselJ0,
    BesselJ1,
    BesselK0,
    BesselK0e,
    BesselK1,
    BesselK1e,
    BesselY0,
    BesselY1,
    Betainc,
    Dawsn,
    Digamma,
    Erfcinv,
    Erfinv,
    Expint,
    FresnelCos,
    FresnelSin,
    Igamma,
    Igammac,
    IgammaDerivative,
    Lgamma,
    MaximumNumber,
    MinimumNumber,
    MultiplyNoNan,
    NextAfter,
    PopulationCount,
    Softplus,
    Softsign,
    Special,
    SpecialUnary,
    Spence,
    Trigamma,
    Zeta,
)
from .suppress import Suppress
from .transcendental import *
from .triangular import Lu, TriangularSolve
from .tridiagonal import TridiagonalSolve
from .window import Conv, Window
