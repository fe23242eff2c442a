"""The Bessel functions of orders 0 and 1, in f64; f32 is rounded from it once.

The modified ones are series in x^2 near 0 (with the logarithm of K split off), and exponentials
over a square root times series in 1/x beyond (NIST Digital Library of Mathematical Functions,
10.25 to 10.40). J and Y are sines and cosines of x - pi/4 beyond 8 (DLMF 10.17).

The series come from interpolation at Chebyshev's points in 40-digit arithmetic. Limits: 8 ulp for
the modified functions; for J and Y, which cross zero, 8 ulp (Y0: 16) of the result or of the
amplitude of the waves there, whichever is larger.
"""

from __future__ import annotations

from .exponential import exp, expm1_mended, reduce, times_power_of_two
from .logarithm import log
from .scalar import Scalar, copysign, fma, horner, select, through_f64
from .trigonometric import sine_and_cosine

_INFINITY = float("inf")
_SPLIT = 8.0  # I, J and Y; K splits at 2
_TWO_OVER_PI = 0.6366197723675814
_SQRT_HALF = 0.7071067811865476

# I0(x), I1(x) / x in x^2 for x <= 8; sqrt(x) e^-x I(x) in 16 / x - 1 beyond
_I0_NEAR = (
    1.0, 0.25, 0.015625000000000007, 0.00043402777777777445, 6.781684027778812e-06,
    6.781684027758202e-08, 4.709502797312111e-10, 2.4028075474081917e-12, 9.385967122158306e-15,
    2.896902788810415e-17, 7.242279005317181e-20, 1.4962822964042478e-22, 2.5987841051325663e-25,
    3.829411247002327e-28, 5.0327117729737235e-31, 4.601357767863732e-34, 8.487698345602824e-37,
)  # fmt: skip
_I1_NEAR = (
    0.5, 0.0625, 0.002604166666666667, 5.425347222222213e-05, 6.781684027778059e-07,
    5.651403356476159e-09, 3.363930569400616e-11, 1.5017547178772907e-13, 5.214426141593576e-16,
    1.44845153192735e-18, 3.291941257933586e-21, 6.234584831530237e-24, 9.994221689502959e-27,
    1.3687885297024527e-29, 1.6696390898900487e-32, 1.47105648860311e-35, 2.4334892279361836e-38,
)  # fmt: skip
_I0_FAR = (
    0.4021765094450081, 0.003360551983667854, 0.00013621607439232746, 1.1143033791556743e-05,
    1.4838475473607391e-06, 2.973598432479169e-07, 8.87225351128584e-08, 3.932602459703109e-08,
    2.1545177650836005e-08, 7.553516470355896e-09, -6.729724111923548e-09,
    -1.3404241991980871e-08, -5.4685974495866e-09, 7.540601378890834e-09, 7.58022133915272e-09,
    -3.4857887470034955e-09, -6.188265090497361e-09, 1.497880830187091e-09, 3.881151253996067e-09,
    -5.562201990080394e-10, -1.7789375042917173e-09, 1.4672236659214398e-10,
    5.181936971288284e-10, -1.9216763724933513e-11, -7.06893851181878e-11,
)  # fmt: skip
_I1_FAR = (
    0.38939845902587233, -0.009749577193235728, -0.00021923576383430274, -1.5038547201176271e-05,
    -1.8349101134666435e-06, -3.483855609009937e-07, -1.0001323461066435e-07,
    -4.312935369971356e-08, -2.337059627111857e-08, -8.426622829598154e-09, 6.715795128085017e-09,
    1.4029693589852716e-08, 6.040877342160988e-09, -7.630751970065577e-09, -8.044231276166508e-09,
    3.406636130196794e-09, 6.4870195719816896e-09, -1.4171698018664596e-09,
    -4.047785403711858e-09, 5.146498826087142e-10, 1.8513716745511988e-09, -1.342266320082222e-10,
    -5.388285995923524e-10, 1.7502497778701306e-11, 7.347992441734663e-11,
)  # fmt: skip
# K0(x) + log(x/2) I0(x), (K1(x) - log(x/2) I1(x) - 1/x) / x in x^2 for x <= 2;
# sqrt(x) e^x K(x) in 4 / x - 1 beyond
_K0_NEAR = (
    -0.5772156649015329, 0.1056960837746168, 0.014418505235913403, 0.0005451899602573268,
    1.021401413519616e-05, 1.1570351012535374e-07, 8.819879035027937e-10, 4.8433399275830486e-12,
    2.0062068689459318e-14, 6.872289021185454e-17,
)  # fmt: skip
_K1_NEAR = (
    0.03860783245076643, -0.042049020943654196, -0.0028371119837633627, -7.493042905990667e-05,
    -1.0892182538383959e-06, -1.0112909430427642e-08, -6.540195368821488e-11,
    -3.120924064560395e-13, -1.1438082386291495e-15, -3.4954207496477915e-18,
)  # fmt: skip
_K0_FAR = (
    1.2185953385133905, -0.031071461824889863, 0.003032891810274143, -0.00047976905673534966,
    9.95605474680701e-05, -2.4735205374482363e-05, 7.002244891192467e-06, -2.191167925216506e-06,
    7.427862249156294e-07, -2.6897300718519323e-07, 1.0292557328065749e-07,
    -4.106658027115221e-08, 1.713185600678902e-08, -8.004851515961861e-09, 3.649704196745876e-09,
    -6.909445532095268e-10, 2.3928247577454007e-10, -1.2154646925329214e-09,
    6.696909677353191e-10, 4.297822831935991e-10, -2.511583623750801e-10, -1.7415792636713548e-10,
    9.815402008859526e-11,
)  # fmt: skip
_K1_FAR = (
    1.363151890371342, 0.1033497377538656, -0.005566729880073309, 0.0007357241548745106,
    -0.0001395902196146278, 3.2843866443823695e-05, -8.961206568008175e-06,
    2.7300306911646126e-06, -9.067153917791994e-07, 3.230534911986308e-07,
    -1.2200063909110853e-07, 4.8165011477502914e-08, -1.990916912542139e-08,
    9.191838293612963e-09, -4.159564044495663e-09, 8.254002611298962e-10, -2.915889725458638e-10,
    1.3385849977465314e-09, -7.347807544194839e-10, -4.671582670762342e-10,
    2.7260400995214217e-10, 1.9076899650576552e-10, -1.0724391572705258e-10,
)  # fmt: skip
# J0(x), J1(x) / x and what Y0(x), Y1(x) / x have beside logarithms, in x^2/32 - 1 for x <= 8
_J0_NEAR = (
    0.04582966485981377, 0.9303012472958572, -0.6484692830871837, -0.808088807669687,
    1.0383794611437211, -0.507468045847102, 0.14598884856759273, -0.028472718610869575,
    0.00405807898914049, -0.00044354592247272207, 3.84731978573911e-05, -2.717749145023612e-06,
    1.59561088590422e-07, -7.915407738244705e-09, 3.363471859731152e-10, -1.2384637259799405e-11,
    3.9908134608982205e-13, -1.1382224219729955e-14, 2.8777379277817493e-16,
)  # fmt: skip
_J1_NEAR = (
    -0.05814382795599107, 0.08105866038589796, 0.15151665143806634, -0.2595948652859303,
    0.15858376432721938, -0.054745818212847276, 0.01245681439225544, -0.002029039494570245,
    0.0002494945813908964, -2.4045748660869658e-05, 1.8684525372339864e-06,
    -1.1967081644236786e-07, 6.431268732317326e-09, -2.9430378824414127e-10,
    1.1610655460712977e-11, -3.990810305586612e-13, 1.2060729354963575e-14,
    -3.2382440004784723e-16, 7.737468840824268e-18,
)  # fmt: skip
_Y0_NEAR = (
    -0.382250654459425, -0.8284358903604587, 1.6470964788745466, 0.14412632369302442,
    -1.0775477338215995, 0.6721770783431723, -0.2189574709617165, 0.0463670476813471,
    -0.007025741057269826, 0.0008061586060550644, -7.279541882784614e-05, 5.321318633735118e-06,
    -3.2185077885089357e-07, 1.6391065268257768e-08, -7.130516933709929e-10,
    2.6818221380030414e-11, -8.810528980336584e-13, 2.558039399850299e-14, -6.574025715773563e-16,
)  # fmt: skip
_Y1_NEAR = (
    0.07075985882118005, -0.24337743079193114, 0.023367571720993584, 0.23507209206669755,
    -0.19639839859930425, 0.07854786922242545, -0.01962875683309943, 0.0034224907399180455,
    -0.00044381734351146775, 4.467433012914413e-05, -3.6009998744473716e-06,
    2.3804929913660285e-07, -1.3153322399152461e-08, 6.169742613332336e-10,
    -2.4887660208109366e-11, 8.728810135194375e-13, -2.687122706001865e-14, 7.339060890229824e-16,
    -1.7813894174933314e-17,
)  # fmt: skip
# the series of DLMF 10.17.3, of even terms and, times x, of odd ones, in 128 / x^2 - 1
_P0 = (
    0.9994572757882519, -0.0005363673192130046, 6.13741608016085e-06, -2.0527448156495066e-07,
    1.2803760619529231e-08, -1.2121181917899886e-09, 1.5501058085561605e-10,
    -2.488275527812745e-11, 4.772925905800956e-12, -1.0635980595216018e-12, 2.659486692682967e-13,
    -6.423863317028666e-14, 1.839323047121498e-14, -1.1778137922744418e-14, 4.285344320644563e-15,
)  # fmt: skip
_Q0 = (
    -0.12444091103610815, 0.000546651927947526, -1.1817110661178995e-05, 5.684971881945821e-07,
    -4.53497287291549e-08, 5.146231447392908e-09, -7.576308983575964e-10, 1.3623551327470025e-10,
    -2.871340122554895e-11, 6.950884509252912e-12, -1.864509534041415e-12, 4.612313225070798e-13,
    -1.3804814538584404e-13, 1.0162670211167594e-13, -3.865968322695467e-14,
)  # fmt: skip
_P1 = (
    1.0009070262780821, 0.0008988049416705578, -7.959694698492521e-06, 2.453676622286961e-07,
    -1.4708512124130545e-08, 1.3603057890123779e-09, -1.713159495740877e-10,
    2.7204123552148816e-11, -5.176302123326507e-12, 1.1461306026400314e-12,
    -2.851410619022524e-13, 6.871916868892792e-14, -1.961627571558179e-14, 1.2466964342989236e-14,
    -4.5247520559705565e-15,
)  # fmt: skip
_Q1 = (
    0.3742149922195918, -0.00076971670576437, 1.4569614809828342e-05, -6.633568561252034e-07,
    5.136106034386487e-08, -5.720890726108569e-09, 8.316054768262827e-10, -1.4816645190838213e-10,
    3.101014520989263e-11, -7.46416005204052e-12, 1.993145349755006e-12, -4.923339389851518e-13,
    1.4696599919708492e-13, -1.073572214809827e-13, 4.074705384627214e-14,
)  # fmt: skip


def _growing(a: Scalar, order: int, scaled: bool) -> Scalar:
    """I(a), or e^-a I(a), for a >= 0."""
    near = horner(a * a, (_I0_NEAR, _I1_NEAR)[order])
    near = near * a if order else near
    cut = select(a < _SPLIT, _SPLIT, a)
    far = horner(16.0 / cut - 1.0, (_I0_FAR, _I1_FAR)[order]) / cut.sqrt()
    if scaled:
        return select(a < _SPLIT, near * exp(-a), far)
    # e^a is infinite before I(a) is: the power of two comes last
    bits, head, low = reduce(select(a > 720.0, 720.0, a))
    product = far * (1.0 + (head + expm1_mended(head, low)))
    far = select(a > 720.0, _INFINITY, times_power_of_two(product, bits))
    return select(a < _SPLIT, near, far)


def _decaying(x: Scalar, order: int, scaled: bool) -> Scalar:
    """K(x), or e^x K(x), for x > 0: inf at 0, nan below."""
    square = x * x
    logarithm = log(0.5 * x)
    if order:
        near = 1.0 / x + x * fma(logarithm, horner(square, _I1_NEAR), horner(square, _K1_NEAR))
    else:
        near = fma(-logarithm, horner(square, _I0_NEAR), horner(square, _K0_NEAR))
    cut = select(x < 2.0, 2.0, x)
    far = horner(4.0 / cut - 1.0, (_K0_FAR, _K1_FAR)[order]) / cut.sqrt()
    near, far = (near * exp(x), far) if scaled else (near, far * exp(-cut))
    y = select(x < 2.0, near, far)
    y = select(x.eq(0.0), _INFINITY, y)
    return select(x < 0.0, float("nan"), y)


@through_f64
def bessel_i0(x: Scalar) -> Scalar:
    """The modified Bessel function of the first kind, order 0."""
    return _kept(_growing(abs(x), 0, False), x)


@through_f64
def bessel_i0e(x: Scalar) -> Scalar:
    """e^-|x| I0(x)."""
    return _kept(_growing(abs(x), 0, True), x)


@through_f64
def bessel_i1(x: Scalar) -> Scalar:
    """The modified Bessel function of the first kind, order 1."""
    return _kept(copysign(abs(_growing(abs(x), 1, False)), x), x)


@through_f64
def bessel_i1e(x: Scalar) -> Scalar:
    """e^-|x| I1(x)."""
    return _kept(copysign(abs(_growing(abs(x), 1, True)), x), x)


def _kept(y: Scalar, x: Scalar) -> Scalar:
    return select(x.eq(x), y, x + x)


@through_f64
def bessel_k0(x: Scalar) -> Scalar:
    """The modified Bessel function of the second kind, order 0."""
    return _decaying(x, 0, False)


@through_f64
def bessel_k0e(x: Scalar) -> Scalar:
    """e^x K0(x)."""
    return _decaying(x, 0, True)


@through_f64
def bessel_k1(x: Scalar) -> Scalar:
    """The modified Bessel function of the second kind, order 1."""
    return _decaying(x, 1, False)


@through_f64
def bessel_k1e(x: Scalar) -> Scalar:
    """e^x K1(x)."""
    return _decaying(x, 1, True)


def _oscillating(a: Scalar, order: int) -> tuple[Scalar, Scalar, Scalar]:
    """For a >= 8: the amplitude sqrt(2 / (pi a)), and J(a) and Y(a) over it."""
    z = 1.0 / a
    t = fma(z * z, 128.0, -1.0)
    even = horner(t, (_P0, _P1)[order])
    odd = z * horner(t, (_Q0, _Q1)[order])
    sine, cosine = sine_and_cosine(a)
    plus, minus = (sine + cosine) * _SQRT_HALF, (sine - cosine) * _SQRT_HALF
    # cos and sin of a - pi/4, or of a - 3 pi/4
    c, s = (minus, -plus) if order else (plus, minus)
    return (_TWO_OVER_PI * z).sqrt(), even * c - odd * s, even * s + odd * c


def _first_kind(x: Scalar, order: int) -> Scalar:
    a = abs(x)
    near = horner(fma(a * a, 1 / 32, -1.0), (_J0_NEAR, _J1_NEAR)[order])
    near = near * a if order else select(a < 2.0**-27, 1.0, near)
    amplitude, wave, _ = _oscillating(a, order)
    y = select(a < _SPLIT, near, amplitude * wave)
    return select(a < _INFINITY, y, select(x.eq(x), 0.0, x + x))


@through_f64
def bessel_j0(x: Scalar) -> Scalar:
    """The Bessel function of the first kind, order 0."""
    return _first_kind(x, 0)


@through_f64
def bessel_j1(x: Scalar) -> Scalar:
    """The Bessel function of the first kind, order 1."""
    y = _first_kind(x, 1)
    return select(x < 0.0, -y, select(x.eq(0.0), x, y))


def _second_kind(x: Scalar, order: int) -> Scalar:
    t = fma(x * x, 1 / 32, -1.0)
    smooth = horner(t, (_Y0_NEAR, _Y1_NEAR)[order])
    first = horner(t, (_J0_NEAR, _J1_NEAR)[order])
    scaled = _TWO_OVER_PI * log(x)
    if order:
        near = x * fma(scaled, first, smooth) - _TWO_OVER_PI / x
    else:
        near = fma(scaled, first, smooth)
    amplitude, _, wave = _oscillating(x, order)
    y = select(x < _SPLIT, near, amplitude * wave)
    y = select(x < _INFINITY, y, select(x.eq(x), 0.0, x + x))
    y = select(x.eq(0.0), -_INFINITY, y)
    return select(x < 0.0, float("nan"), y)


@through_f64
def bessel_y0(x: Scalar) -> Scalar:
    """The Bessel function of the second kind, order 0: -inf at 0, nan below."""
    return _second_kind(x, 0)


@through_f64
def bessel_y1(x: Scalar) -> Scalar:
    """The Bessel function of the second kind, order 1: -inf at 0, nan below."""
    return _second_kind(x, 1)
