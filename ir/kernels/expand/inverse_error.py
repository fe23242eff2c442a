"""erfinv and erfcinv, in f64; f32 is rounded from it once.

With w = -log(1 - x^2), erfinv(x) / x is smooth in w below 6.25 and in sqrt(w), or its inverse,
above (M. Giles, "Approximating the erfinv function", GPU Computing Gems Jade, 2011). The series
are our own: interpolation at Chebyshev's points in 40-digit arithmetic, on the interval moved to
[-1, 1]. Limits: 5 ulp.
"""

from __future__ import annotations

from .logarithm import log
from .scalar import Scalar, horner, select, through_f64

# erfinv(x) / x for w from 0 to 6.25, then for sqrt(w) from 2.5 to 4; then, over sqrt(w), for
# sqrt(w) from 4 to 8 and from 8 to 27.5, which is as far as 1 - |x| goes
_NEAR = (
    1.6536545626831027, 0.7504943200799679, -0.058922567103779404, -0.022604447453825078,
    0.017808361818432112, -0.00413731436767485, -0.001271692271958298, 0.0012324854519911068,
    -0.00026439362645934515, -0.0001168880630842072, 9.336711350835166e-05,
    -1.5030870369108395e-05, -1.125619146677325e-05, 7.1383125443102916e-06,
    -6.866552594632471e-07, -1.0734591410364882e-06, 5.444465821755199e-07, 5.601549819901144e-09,
    -1.0426210588989032e-07, 2.8085454480599277e-08, 8.699377880241274e-09,
    -4.138396507936207e-09, -1.8199034168726056e-11,
)  # fmt: skip
_MIDDLE = (
    3.0838856104922208, 0.753944225770624, 0.0030211394363747063, -0.0015825410894073097,
    0.0007883078513066945, -0.00040063569835358583, 0.00016966502197543766,
    -4.7391827316182325e-05, 2.405864805789804e-06, 5.127316786334848e-06, -2.664793846715906e-06,
    5.264621626938461e-07, 9.289338749101434e-08, -9.468946844911027e-08, 2.63990323529153e-08,
    -3.6906087078089294e-10, -2.4605291139227303e-09, 9.891297510532429e-10,
    -1.179100761769929e-10, -6.471554767207546e-11, 2.4355543452655723e-11,
)  # fmt: skip
_OUTER = (
    0.9724970078810198, -0.012549815781202891, -0.00018347571806812953, 0.00020085438944959636,
    -2.058801741385895e-05, 2.2316162759205417e-06, -3.724969700594164e-07, 8.558233829748195e-08,
    -3.650605001479237e-09, 1.6120656791534633e-08, 8.0702086370675e-09, 3.6437941810833604e-09,
    -6.339872170210579e-10, -1.5401967565544149e-09, -5.687420113324235e-10,
    2.881479416961267e-10, 2.480124867624126e-10, -2.903271212363626e-11, -5.879167573145083e-11,
    1.0304474317409927e-12, 6.964652165624564e-12,
)  # fmt: skip
_FAR = (
    0.9921843781134275, -0.006807436958280471, -0.0008947101376477571, 0.00017744284946169742,
    -2.469421727814846e-05, 5.362025933932557e-06, -1.4916869337828238e-06, 4.690289004972527e-07,
    -1.6092779924263752e-07, 5.888749563985031e-08, -2.2633845330395186e-08,
    9.098589497057556e-09, -3.751548528133238e-09, 1.4643592970271274e-09, -6.264036012425303e-10,
    4.31171152040488e-10, -1.971313999530235e-10, -3.450097108178408e-11, 1.8018306044428027e-11,
    4.656614773788831e-11, -2.218772915248449e-11,
)  # fmt: skip


@through_f64
def erfinv(x: Scalar) -> Scalar:
    """The inverse of erf: infinite at -1 and 1, nan beyond."""
    return _inverse(x, (1.0 - x) * (1.0 + x))


@through_f64
def erfcinv(x: Scalar) -> Scalar:
    """The inverse of erfc, exact near 0: inf at 0, -inf at 2, nan beyond."""
    scale = select(x < 2.0**-900, x.const(2.0**200), 1.0)  # denormal squares
    return _inverse(1.0 - x, x * (2.0 - x) * scale, select(scale.eq(1.0), 0.0, scale.const(_LOG)))


_LOG = 200 * 0.6931471805599453


def _inverse(x: Scalar, square: Scalar, more: Scalar | None = None) -> Scalar:
    """erfinv(x), where 1 - x^2 is `square` (or that, e^more times smaller)."""
    w = -log(square)
    if more is not None:
        w = w + more
    root = w.sqrt()
    t = (root * 2.0 - 6.5) * (1 / 1.5)
    v = 1.0 / root
    outer = horner(v * 16.0 - 3.0, _OUTER)
    end = 1 / 27.5
    far = horner((v - (0.125 + end) / 2) * (2 / (0.125 - end)), _FAR)
    large = select(root < 4.0, horner(t, _MIDDLE), root * select(root < 8.0, outer, far))
    y = x * select(w < 6.25, horner(w * 0.32 - 1.0, _NEAR), large)
    return select(square.eq(0.0), x * float("inf"), y)
