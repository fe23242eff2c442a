; Made of half.c by `make runtime`: change that instead.
; source 64690ed0ba40fddc7cdcca1dea6421db5566c920d714380142089ddab42ac33e
; text 7bb44968f123d885bfd1816b77437b089ae5cafa452d004606877fb7895cbc1d

define half @__truncsfhf2(float %x) nounwind noimplicitfloat {
entry:
  %v0 = bitcast float %x to i32
  %and = and i32 %v0, 2147483647
  %conv = zext nneg i32 %and to i64
  %shr = lshr i32 %v0, 16
  %and1 = and i32 %shr, 32768
  %call = tail call fastcc half @narrowed(i64 %conv, i32 %and1, i32 23, i32 127)
  ret half %call
}

define internal fastcc half @narrowed(i64 %bits, i32 %sign, i32 %fraction, i32 %bias) nounwind noimplicitfloat {
entry:
  %mul = shl nuw nsw i32 %bias, 1
  %add = or disjoint i32 %mul, 1
  %conv = zext nneg i32 %add to i64
  %sh_prom = zext nneg i32 %fraction to i64
  %shl = shl nuw nsw i64 %conv, %sh_prom
  %cmp = icmp samesign ugt i64 %bits, %shl
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %sub = add nsw i32 %fraction, -10
  %sh_prom3 = zext nneg i32 %sub to i64
  %shr = lshr i64 %bits, %sh_prom3
  %v0 = trunc i64 %shr to i32
  %v1 = and i32 %v0, 511
  %or = or i32 %sign, %v1
  %v2 = trunc nuw i32 %or to i16
  %conv.i = or i16 %v2, 32256
  br label %cleanup44

if.end:
  %shr7 = lshr i64 %bits, %sh_prom
  %conv8 = trunc i64 %shr7 to i32
  %sub9 = sub i32 %conv8, %bias
  %cmp10 = icmp sgt i32 %sub9, 15
  br i1 %cmp10, label %if.then12, label %if.end15

if.then12:
  %v3 = trunc nuw i32 %sign to i16
  %conv.i65 = or i16 %v3, 31744
  br label %cleanup44

if.end15:
  %cmp16 = icmp sgt i32 %sub9, -15
  br i1 %cmp16, label %if.then18, label %if.end28

if.then18:
  %sub19 = add nsw i32 %bias, -15
  %conv20 = zext nneg i32 %sub19 to i64
  %shl22 = shl nuw nsw i64 %conv20, %sh_prom
  %sub23 = sub nsw i64 %bits, %shl22
  %sub24 = add nsw i32 %fraction, -10
  %sh_prom.i = zext nneg i32 %sub24 to i64
  %shr.i = lshr i64 %sub23, %sh_prom.i
  %notmask.i = shl nsw i64 -1, %sh_prom.i
  %sub.i = xor i64 %notmask.i, -1
  %and.i = and i64 %sub23, %sub.i
  %sub2.i = add nsw i32 %fraction, -11
  %sh_prom3.i = zext nneg i32 %sub2.i to i64
  %shl4.i = shl nuw nsw i64 1, %sh_prom3.i
  %cmp.i = icmp samesign ugt i64 %and.i, %shl4.i
  br i1 %cmp.i, label %rounded.exit, label %lor.rhs.i

lor.rhs.i:
  %cmp5.i = icmp eq i64 %and.i, %shl4.i
  %and6.i = and i64 %shr.i, 1
  %tobool.i = icmp ne i64 %and6.i, 0
  %v4 = select i1 %cmp5.i, i1 %tobool.i, i1 false
  %v5 = zext i1 %v4 to i64
  br label %rounded.exit

rounded.exit:
  %lor.ext.i = phi i64 [ 1, %if.then18 ], [ %v5, %lor.rhs.i ]
  %add.i = add nuw nsw i64 %lor.ext.i, %shr.i
  %conv7.i = trunc i64 %add.i to i32
  %or26 = or i32 %sign, %conv7.i
  %conv.i66 = trunc i32 %or26 to i16
  br label %cleanup44

if.end28:
  %cmp29 = icmp samesign ult i32 %sub9, -25
  br i1 %cmp29, label %if.then31, label %if.end33

if.then31:
  %conv.i67 = trunc nuw i32 %sign to i16
  br label %cleanup44

if.end33:
  %shl35 = shl nuw nsw i64 1, %sh_prom
  %sub36 = add nuw i64 %shl35, 9223372036854775807
  %and37 = and i64 %sub36, %bits
  %or38 = or i64 %and37, %shl35
  %sub39 = add nsw i32 %fraction, -24
  %sub40 = sub nsw i32 %sub39, %sub9
  %sh_prom.i68 = zext nneg i32 %sub40 to i64
  %shr.i69 = lshr i64 %or38, %sh_prom.i68
  %notmask.i70 = shl nsw i64 -1, %sh_prom.i68
  %sub.i71 = xor i64 %notmask.i70, -1
  %and.i72 = and i64 %or38, %sub.i71
  %sub2.i73 = add nsw i32 %sub40, -1
  %sh_prom3.i74 = zext nneg i32 %sub2.i73 to i64
  %shl4.i75 = shl nuw nsw i64 1, %sh_prom3.i74
  %cmp.i76 = icmp samesign ugt i64 %and.i72, %shl4.i75
  br i1 %cmp.i76, label %rounded.exit84, label %lor.rhs.i77

lor.rhs.i77:
  %cmp5.i78 = icmp eq i64 %and.i72, %shl4.i75
  %and6.i79 = and i64 %shr.i69, 1
  %tobool.i80 = icmp ne i64 %and6.i79, 0
  %v6 = select i1 %cmp5.i78, i1 %tobool.i80, i1 false
  %v7 = zext i1 %v6 to i64
  br label %rounded.exit84

rounded.exit84:
  %lor.ext.i81 = phi i64 [ 1, %if.end33 ], [ %v7, %lor.rhs.i77 ]
  %add.i82 = add nuw nsw i64 %lor.ext.i81, %shr.i69
  %conv7.i83 = trunc i64 %add.i82 to i32
  %or42 = or i32 %sign, %conv7.i83
  %conv.i85 = trunc i32 %or42 to i16
  br label %cleanup44

cleanup44:
  %retval.1.in = phi i16 [ %conv.i, %if.then ], [ %conv.i65, %if.then12 ], [ %conv.i66, %rounded.exit ], [ %conv.i67, %if.then31 ], [ %conv.i85, %rounded.exit84 ]
  %retval.1 = bitcast i16 %retval.1.in to half
  ret half %retval.1
}

define half @__truncdfhf2(double %x) nounwind noimplicitfloat {
entry:
  %v0 = bitcast double %x to i64
  %and = and i64 %v0, 9223372036854775807
  %shr = lshr i64 %v0, 48
  %conv = trunc nuw nsw i64 %shr to i32
  %and1 = and i32 %conv, 32768
  %call = tail call fastcc half @narrowed(i64 %and, i32 %and1, i32 52, i32 1023)
  ret half %call
}

define float @__extendhfsf2(half %half) nounwind noimplicitfloat {
entry:
  %v0 = bitcast half %half to i16
  %conv = zext i16 %v0 to i32
  %shr = lshr i32 %conv, 10
  %and2 = and i32 %shr, 31
  %and4 = and i32 %conv, 1023
  %add = shl nuw nsw i32 %and2, 23
  %shl5 = add nuw nsw i32 %add, 939524096
  %shl6 = shl nuw nsw i32 %and4, 13
  %or = or disjoint i32 %shl5, %shl6
  %cmp = icmp eq i32 %and2, 31
  %tobool.not = icmp eq i32 %and4, 0
  %cond = select i1 %tobool.not, i32 0, i32 4194304
  %or9 = or i32 %shl6, %cond
  %or10 = or disjoint i32 %or9, 2139095040
  %bits.0 = select i1 %cmp, i32 %or10, i32 %or
  %cmp11 = icmp eq i32 %and2, 0
  %conv14 = uitofp nneg i32 %and4 to float
  %mul = fmul float %conv14, 0x3E70000000000000
  %v1 = bitcast float %mul to i32
  %bits.1 = select i1 %cmp11, i32 %v1, i32 %bits.0
  %.signext = sext i16 %v0 to i32
  %shl = and i32 %.signext, -2147483648
  %or16 = or disjoint i32 %bits.1, %shl
  %v2 = bitcast i32 %or16 to float
  ret float %v2
}
