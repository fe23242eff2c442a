"""C's fmod as LLVM text: exact, which `frem` is not on this target.

With x = mx 2^ex and y = my 2^ey (both made positive, ex >= ey, not normalised), x mod y is
(mx 2^(ex - ey) mod my) 2^ey. The power goes in by as many bits a round as 64-bit integers allow.
"""

from __future__ import annotations

_TEMPLATE = """
define internal $float @tfc_fmod$bits($float %x, $float %y) nounwind {
entry:
  %xi = bitcast $float %x to i$bits
  %yi = bitcast $float %y to i$bits
  %sign = and i$bits %xi, $sign
  %ax = and i$bits %xi, $rest
  %ay = and i$bits %yi, $rest
  %zero = icmp eq i$bits %ay, 0
  %endless = icmp uge i$bits %ax, $inf
  %nan = icmp ugt i$bits %ay, $inf
  %b1 = or i1 %zero, %endless
  %bad = or i1 %b1, %nan
  br i1 %bad, label %undefined, label %fine
undefined:
  %q = bitcast i$bits $quiet to $float
  ret $float %q
fine:
  %less = icmp ult i$bits %ax, %ay
  br i1 %less, label %small, label %decode
small:
  ret $float %x
decode:
  %fx = lshr i$bits %ax, $digits
  %fy = lshr i$bits %ay, $digits
  %nx = icmp ne i$bits %fx, 0
  %ny = icmp ne i$bits %fy, 0
  %ex = select i1 %nx, i$bits %fx, i$bits 1
  %ey = select i1 %ny, i$bits %fy, i$bits 1
  %rx = and i$bits %ax, $fraction
  %ry = and i$bits %ay, $fraction
  %hx = select i1 %nx, i$bits $one, i$bits 0
  %hy = select i1 %ny, i$bits $one, i$bits 0
  %sx = or i$bits %rx, %hx
  %sy = or i$bits %ry, %hy
  %mx = $widen %sx to i64
  %my = $widen %sy to i64
  %difference = sub i$bits %ex, %ey
  %d0 = $widen %difference to i64
  %r0 = urem i64 %mx, %my
  br label %next
next:
  %d = phi i64 [ %d0, %decode ], [ %d1, %more ]
  %r = phi i64 [ %r0, %decode ], [ %r1, %more ]
  %over = icmp eq i64 %d, 0
  br i1 %over, label %done, label %more
more:
  %large = icmp ugt i64 %d, $step
  %by = select i1 %large, i64 $step, i64 %d
  %up = shl i64 %r, %by
  %r1 = urem i64 %up, %my
  %d1 = sub i64 %d, %by
  br label %next
done:
  %none = icmp eq i64 %r, 0
  br i1 %none, label %nothing, label %encode
nothing:
  %z = bitcast i$bits %sign to $float
  ret $float %z
encode:
  %zeros = call i64 @llvm.ctlz.i64(i64 %r, i1 true)
  %room = sub i64 %zeros, $spare
  %wide = $widen %ey to i64
  %lowest = sub i64 %wide, 1
  %deep = icmp ugt i64 %room, %lowest
  %shift = select i1 %deep, i64 %lowest, i64 %room
  %m = shl i64 %r, %shift
  %e = sub i64 %lowest, %shift
  %field = shl i64 %e, $digits
  %both = add i64 %m, %field
  %narrow = $narrow
  %signed = or i$bits %narrow, %sign
  %f = bitcast i$bits %signed to $float
  ret $float %f
}"""


def _text(kind: str, bits: int, digits: int) -> str:
    """`digits` of the fraction are stored."""
    one = 1 << digits
    inf = (1 << (bits - 1)) - one
    values = {
        "float": kind,
        "bits": bits,
        "sign": -(1 << (bits - 1)),
        "rest": (1 << (bits - 1)) - 1,
        "inf": inf,
        "quiet": inf + one // 2,
        "digits": digits,
        "fraction": one - 1,
        "one": one,
        "step": 63 - digits,
        "spare": 63 - digits,
        "widen": f"zext i{bits}" if bits < 64 else "add i64 0,",
        "narrow": "trunc i64 %both to i32" if bits < 64 else "add i64 0, %both",
    }
    text = _TEMPLATE
    if bits == 64:
        text = text.replace("$widen %sx to i64", "add i64 0, %sx")
        text = text.replace("$widen %sy to i64", "add i64 0, %sy")
        text = text.replace("$widen %difference to i64", "add i64 0, %difference")
        text = text.replace("$widen %ey to i64", "add i64 0, %ey")
    for name in sorted(values, key=len, reverse=True):
        text = text.replace(f"${name}", str(values[name]))
    return text


DECLARE = "declare i64 @llvm.ctlz.i64(i64, i1)"
MODULO = {32: _text("float", 32, 23), 64: _text("double", 64, 52)}
