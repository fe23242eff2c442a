"""All ops of tensor functions, by family. Those of kernels are in ir/kernels/ops/.

A family is imported when one of its ops is first named: a program uses few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .elementwise import *

if TYPE_CHECKING:  # the same as below
    from .candidates import RandomClasses, RandomUnigrams
    from .checks import Check, Fail
    from .clock import Timestamp
    from .collective import AllGather, AllReduce, AllReduceStart, AllReduceWait, BroadcastFrom
    from .complex import Complex, Conj, Imag, Real
    from .contraction import Matmul
    from .control import Cond, Control, Scan, While
    from .cumulative import CumLogSumExp, CumMax, CumMin, CumProd, CumSum, Recurrence
    from .diagonal import Diagonals, FromDiagonals
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
    from .random_binomial import RandomBinomial
    from .random_boxes import RandomBox
    from .random_host import RandomGammaGrad
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
        Softplus,
        Softsign,
        Special,
        SpecialUnary,
        Spence,
        Trigamma,
        Zeta,
    )
    from .suppress import Suppress
    from .transcendental import (
        Acos,
        Acosh,
        Asin,
        Asinh,
        Atan,
        Atan2,
        Atanh,
        Cos,
        Cosh,
        Erf,
        Erfc,
        Exp,
        Expm1,
        Log,
        Log1p,
        Pow,
        Rsqrt,
        Sigmoid,
        Sin,
        Sinh,
        Tan,
        Tanh,
        Transcendental,
    )
    from .triangular import Lu, TriangularSolve
    from .tridiagonal import TridiagonalSolve
    from .window import Conv, Window

_FAMILIES = {
    "candidates": "RandomClasses RandomUnigrams",
    "checks": "Check Fail",
    "clock": "Timestamp",
    "collective": "AllGather AllReduce AllReduceStart AllReduceWait BroadcastFrom",
    "complex": "Complex Conj Imag Real",
    "contraction": "Matmul",
    "control": "Cond Control Scan While",
    "cumulative": "CumLogSumExp CumMax CumMin CumProd CumSum Recurrence",
    "diagonal": "Diagonals FromDiagonals",
    "extents": "BindExtent SameExtent",
    "fft": "Fft Irfft Rfft",
    "functional": "Call CustomGradient",
    "gather": "CheckedIndex Gather ScatterAdd UpdateSlice",
    "growing": "GrowingWhile",
    "host": "HostCall",
    "host_functions": "HostEffect HostFunction HostResult HostRun",
    "indexing": "Nonzero Scatter",
    "inspection": "Inspect",
    "linalg": (
        "Cholesky Determinant Eigen Eigenvalues HermitianEigen HermitianEigenvalues Inverse "
        "LogDeterminant Qr SingularValues Solve Svd cholesky determinant inverse solve"
    ),
    "matrix_functions": "MatrixExponential MatrixLogarithm MatrixSquareRoot",
    "pooling": "MaxPlace MaxPool Pick Unpool",
    "printing": "Print",
    "python": (
        "Callback PythonCall PythonGradient PythonReplay PythonResult PythonRun PythonShape "
        "PythonStart"
    ),
    "random": "RandomBits",
    "random_boxes": "RandomBox",
    "random_binomial": "RandomBinomial",
    "random_host": "RandomGammaGrad",
    "random_rejection": "RandomPermutation RandomTruncatedNormal",
    "random_variables": "RandomGamma RandomPoisson",
    "reduction": (
        "ArgMax ArgMin ReduceAll ReduceAny ReduceMax ReduceMin ReduceProd ReduceSum Reduction"
    ),
    "scheduled": "Scheduled",
    "search": "InvertPermutation SearchSorted",
    "segment": "SegmentMax SegmentMin SegmentProd SegmentSum",
    "shape": "Broadcast Concat Constant ExtentOf Iota Pad Reshape Reverse Slice Transpose",
    "small_matrices": "SmallCholesky SmallDeterminant SmallInverse SmallSolve",
    "sort": "ArgSort Sort TopPlaces",
    "special": (
        "BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 "
        "BesselK1e BesselY0 BesselY1 Betainc Dawsn Digamma Erfcinv Erfinv Expint FresnelCos "
        "FresnelSin Igamma Igammac IgammaDerivative Lgamma MaximumNumber MinimumNumber "
        "MultiplyNoNan NextAfter Softplus Softsign Special SpecialUnary "
        "Spence Trigamma Zeta"
    ),
    "suppress": "Suppress",
    "transcendental": (
        "Acos Acosh Asin Asinh Atan Atan2 Atanh Cos Cosh Erf Erfc Exp Expm1 Log Log1p Pow "
        "Rsqrt Sigmoid Sin Sinh Tan Tanh Transcendental"
    ),
    "triangular": "Lu TriangularSolve",
    "tridiagonal": "TridiagonalSolve",
    "window": "Conv Window",
}
_FAMILY_OF = {name: family for family, names in _FAMILIES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    family = _FAMILY_OF.get(name)
    if family is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{family}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_FAMILY_OF})


def import_all() -> None:
    """Import all families."""
    for family in _FAMILIES:
        import_module(f"{__name__}.{family}")
