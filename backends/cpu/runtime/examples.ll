; Made of examples.c by `make runtime`: change that instead.
; source a621be703c519eca5a2328ac2038017289d4544fc8d9241a48c2641673cea451
; text 552c45c6c61fa1609bd3f52bde92c75aeb7be0e2935886e36d2894caef640b73

define i64 @tfc_find_features(ptr %data, ptr %ends, i64 %count, ptr %names, ptr %name_ends, i64 %wanted, ptr %found) nounwind noimplicitfloat {
entry:
  %entry2.i = alloca { ptr, ptr }, align 8
  %tag.i = alloca i64, align 8
  %value.i = alloca { ptr, ptr }, align 8
  %unused.i = alloca { i64, i64, i64, i64 }, align 8
  %example = alloca { ptr, ptr }, align 8
  %tag = alloca i64, align 8
  %features = alloca { ptr, ptr }, align 8
  %entry15 = alloca { ptr, ptr }, align 8
  %cmp105 = icmp sgt i64 %count, 0
  br i1 %cmp105, label %for.body.lr.ph, label %.loopexit

for.body.lr.ph:
  %mul = shl i64 %wanted, 5
  %end = getelementptr inbounds nuw i8, ptr %example, i64 8
  %end12 = getelementptr inbounds nuw i8, ptr %features, i64 8
  %v0 = getelementptr inbounds nuw i8, ptr %entry15, i64 8
  %v1 = getelementptr inbounds nuw i8, ptr %entry2.i, i64 8
  %key.sroa.6.0.value.sroa_idx.i = getelementptr inbounds nuw i8, ptr %value.i, i64 8
  %cmp12.not71.i = icmp sgt i64 %wanted, 0
  br label %for.body

for.body:
  %row.0107 = phi i64 [ 0, %for.body.lr.ph ], [ %inc47, %for.inc46 ]
  %found.addr.0106 = phi ptr [ %found, %for.body.lr.ph ], [ %add.ptr48, %for.inc46 ]
  %call = tail call ptr @memset(ptr %found.addr.0106, i32 0, i64 %mul)
  %tobool.not = icmp eq i64 %row.0107, 0
  br i1 %tobool.not, label %cond.end, label %cond.true

cond.true:
  %v2 = getelementptr i64, ptr %ends, i64 %row.0107
  %arrayidx = getelementptr i8, ptr %v2, i64 -8
  %v3 = load i64, ptr %arrayidx, align 8
  br label %cond.end

cond.end:
  %cond = phi i64 [ %v3, %cond.true ], [ 0, %for.body ]
  %add.ptr = getelementptr inbounds i8, ptr %data, i64 %cond
  store ptr %add.ptr, ptr %example, align 8
  %arrayidx1 = getelementptr inbounds nuw i64, ptr %ends, i64 %row.0107
  %v4 = load i64, ptr %arrayidx1, align 8
  %add.ptr2 = getelementptr inbounds i8, ptr %data, i64 %v4
  store ptr %add.ptr2, ptr %end, align 8
  %cmp5102 = icmp slt i64 %cond, %v4
  br i1 %cmp5102, label %while.body, label %for.cond28.preheader

for.cond28.preheader:
  br i1 %cmp12.not71.i, label %for.body31, label %for.inc46

while.body:
  %call6 = call fastcc i1 @read_field(ptr %example, ptr %tag, ptr %features)
  br i1 %call6, label %if.end, label %cleanup23.thread

if.end:
  %v5 = load i64, ptr %tag, align 8
  %cmp7.not = icmp eq i64 %v5, 10
  br i1 %cmp7.not, label %while.cond10.preheader, label %cleanup23

while.cond10.preheader:
  %v6 = load ptr, ptr %features, align 8
  %v7 = load ptr, ptr %end12, align 8
  %cmp13101 = icmp ult ptr %v6, %v7
  br i1 %cmp13101, label %while.body14, label %cleanup23

while.body14:
  %call16 = call fastcc i1 @read_field(ptr %features, ptr %tag, ptr %entry15)
  br i1 %call16, label %if.end18, label %cleanup.thread

if.end18:
  %v8 = load i64, ptr %tag, align 8
  %cmp19 = icmp eq i64 %v8, 10
  br i1 %cmp19, label %land.lhs.true, label %cleanup

land.lhs.true:
  %v9 = load ptr, ptr %entry15, align 8
  %v10 = load ptr, ptr %v0, align 8
  store ptr %v9, ptr %entry2.i, align 8
  store ptr %v10, ptr %v1, align 8
  %cmp63.i = icmp ult ptr %v9, %v10
  br i1 %cmp63.i, label %while.body.i, label %while.end.i

while.body.i:
  %key.sroa.0.067.i = phi ptr [ %key.sroa.0.1.i, %if.end.i ], [ null, %land.lhs.true ]
  %feature.sroa.6.066.i = phi ptr [ %feature.sroa.6.1.i, %if.end.i ], [ null, %land.lhs.true ]
  %feature.sroa.0.065.i = phi ptr [ %feature.sroa.0.1.i, %if.end.i ], [ null, %land.lhs.true ]
  %key.sroa.6.064.i = phi ptr [ %key.sroa.6.1.i, %if.end.i ], [ null, %land.lhs.true ]
  %call.i = call fastcc i1 @read_field(ptr %entry2.i, ptr %tag.i, ptr %value.i)
  br i1 %call.i, label %if.end.i, label %read_entry.exit.thread

if.end.i:
  %v11 = load i64, ptr %tag.i, align 8
  %cmp3.i = icmp eq i64 %v11, 10
  %key.sroa.0.0.copyload.i = load ptr, ptr %value.i, align 8
  %key.sroa.6.0.copyload.i = load ptr, ptr %key.sroa.6.0.value.sroa_idx.i, align 8
  %key.sroa.6.1.i = select i1 %cmp3.i, ptr %key.sroa.6.0.copyload.i, ptr %key.sroa.6.064.i
  %key.sroa.0.1.i = select i1 %cmp3.i, ptr %key.sroa.0.0.copyload.i, ptr %key.sroa.0.067.i
  %cmp6.i = icmp eq i64 %v11, 18
  %feature.sroa.0.1.i = select i1 %cmp6.i, ptr %key.sroa.0.0.copyload.i, ptr %feature.sroa.0.065.i
  %feature.sroa.6.1.i = select i1 %cmp6.i, ptr %key.sroa.6.0.copyload.i, ptr %feature.sroa.6.066.i
  %v12 = load ptr, ptr %entry2.i, align 8
  %v13 = load ptr, ptr %v1, align 8
  %cmp.i = icmp ult ptr %v12, %v13
  br i1 %cmp.i, label %while.body.i, label %while.end.loopexit.i

while.end.loopexit.i:
  %v14 = ptrtoint ptr %key.sroa.6.1.i to i64
  br label %while.end.i

while.end.i:
  %key.sroa.6.0.lcssa.i = phi i64 [ 0, %land.lhs.true ], [ %v14, %while.end.loopexit.i ]
  %feature.sroa.0.0.lcssa.i = phi ptr [ null, %land.lhs.true ], [ %feature.sroa.0.1.i, %while.end.loopexit.i ]
  %feature.sroa.6.0.lcssa.i = phi ptr [ null, %land.lhs.true ], [ %feature.sroa.6.1.i, %while.end.loopexit.i ]
  %key.sroa.0.0.lcssa.i = phi ptr [ null, %land.lhs.true ], [ %key.sroa.0.1.i, %while.end.loopexit.i ]
  %sub.ptr.rhs.cast.i = ptrtoint ptr %key.sroa.0.0.lcssa.i to i64
  %sub.ptr.sub.i = sub i64 %key.sroa.6.0.lcssa.i, %sub.ptr.rhs.cast.i
  br i1 %cmp12.not71.i, label %for.body.i, label %read_entry.exit

for.body.i:
  %i.072.i = phi i64 [ %inc.i, %for.inc.i ], [ 0, %while.end.i ]
  %tobool.not.i = icmp eq i64 %i.072.i, 0
  br i1 %tobool.not.i, label %cond.end.i, label %cond.true.i

cond.true.i:
  %v15 = getelementptr i64, ptr %name_ends, i64 %i.072.i
  %arrayidx.i = getelementptr i8, ptr %v15, i64 -8
  %v16 = load i64, ptr %arrayidx.i, align 8
  br label %cond.end.i

cond.end.i:
  %cond.i = phi i64 [ %v16, %cond.true.i ], [ 0, %for.body.i ]
  %arrayidx13.i = getelementptr inbounds nuw i64, ptr %name_ends, i64 %i.072.i
  %v17 = load i64, ptr %arrayidx13.i, align 8
  %sub14.i = sub i64 %v17, %cond.i
  %cmp15.not.i = icmp eq i64 %sub14.i, %sub.ptr.sub.i
  br i1 %cmp15.not.i, label %lor.lhs.false.i, label %for.inc.i

lor.lhs.false.i:
  %add.ptr.i = getelementptr inbounds i8, ptr %names, i64 %cond.i
  %call17.i = tail call i32 @memcmp(ptr %add.ptr.i, ptr %key.sroa.0.0.lcssa.i, i64 %sub.ptr.sub.i)
  %tobool18.not.i = icmp eq i32 %call17.i, 0
  br i1 %tobool18.not.i, label %cleanup28.thread.i, label %for.inc.i

cleanup28.thread.i:
  %arrayidx21.i = getelementptr inbounds nuw { i64, i64, i64, i64 }, ptr %found.addr.0106, i64 %i.072.i
  tail call void @llvm.memset.p0.i64(ptr align 8 %arrayidx21.i, i8 0, i64 32, i1 false)
  %call25.i = tail call fastcc i1 @read_feature(ptr %feature.sroa.0.0.lcssa.i, ptr %feature.sroa.6.0.lcssa.i, ptr %data, ptr %arrayidx21.i)
  br i1 %call25.i, label %cleanup, label %cleanup.thread

for.inc.i:
  %inc.i = add nuw nsw i64 %i.072.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %wanted
  br i1 %exitcond.not.i, label %read_entry.exit, label %for.body.i

read_entry.exit.thread:
  br label %cleanup.thread

read_entry.exit:
  %call30.i = call fastcc i1 @read_feature(ptr %feature.sroa.0.0.lcssa.i, ptr %feature.sroa.6.0.lcssa.i, ptr %data, ptr %unused.i)
  br i1 %call30.i, label %cleanup, label %cleanup.thread

cleanup.thread:
  br label %cleanup23.thread

cleanup:
  %v18 = load ptr, ptr %features, align 8
  %v19 = load ptr, ptr %end12, align 8
  %cmp13 = icmp ult ptr %v18, %v19
  br i1 %cmp13, label %while.body14, label %cleanup23

cleanup23.thread:
  br label %cleanup49

cleanup23:
  %v20 = load ptr, ptr %example, align 8
  %v21 = load ptr, ptr %end, align 8
  %cmp5 = icmp ult ptr %v20, %v21
  br i1 %cmp5, label %while.body, label %for.cond28.preheader

for.cond28:
  %inc = add nuw nsw i64 %i.0104, 1
  %exitcond.not = icmp eq i64 %inc, %wanted
  br i1 %exitcond.not, label %for.inc46, label %for.body31

for.body31:
  %i.0104 = phi i64 [ %inc, %for.cond28 ], [ 0, %for.cond28.preheader ]
  %add.ptr32 = getelementptr inbounds nuw { i64, i64, i64, i64 }, ptr %found.addr.0106, i64 %i.0104
  %call33 = tail call fastcc i64 @read_list(ptr %data, ptr %add.ptr32, ptr null)
  %count35 = getelementptr inbounds nuw i8, ptr %add.ptr32, i64 24
  store i64 %call33, ptr %count35, align 8
  %cmp38 = icmp slt i64 %call33, 0
  br i1 %cmp38, label %cleanup49, label %for.cond28

for.inc46:
  %inc47 = add nuw nsw i64 %row.0107, 1
  %add.ptr48 = getelementptr inbounds { i64, i64, i64, i64 }, ptr %found.addr.0106, i64 %wanted
  %exitcond116.not = icmp eq i64 %inc47, %count
  br i1 %exitcond116.not, label %.loopexit, label %for.body

cleanup49:
  br label %.loopexit

.loopexit:
  %v22 = phi i64 [ %row.0107, %cleanup49 ], [ -1, %entry ], [ -1, %for.inc46 ]
  ret i64 %v22
}

declare ptr @memset(ptr, i32, i64)

define internal fastcc i1 @read_field(ptr %bytes, ptr %tag, ptr %value) nounwind noimplicitfloat {
entry:
  %end.i = getelementptr inbounds nuw i8, ptr %bytes, i64 8
  %v0 = load ptr, ptr %end.i, align 8
  %bytes.promoted.i = load ptr, ptr %bytes, align 8
  br label %land.rhs.i

for.cond.i:
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i, 7
  %cmp.i = icmp samesign ult i64 %indvars.iv.i, 63
  br i1 %cmp.i, label %land.rhs.i, label %return

land.rhs.i:
  %indvars.iv.i = phi i64 [ 0, %entry ], [ %indvars.iv.next.i, %for.cond.i ]
  %incdec.ptr21.i = phi ptr [ %bytes.promoted.i, %entry ], [ %incdec.ptr.i, %for.cond.i ]
  %found.019.i = phi i64 [ 0, %entry ], [ %or.i, %for.cond.i ]
  %cmp1.i = icmp ult ptr %incdec.ptr21.i, %v0
  br i1 %cmp1.i, label %for.body.i, label %return

for.body.i:
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %incdec.ptr21.i, i64 1
  store ptr %incdec.ptr.i, ptr %bytes, align 8
  %v1 = load i8, ptr %incdec.ptr21.i, align 1
  %v2 = and i8 %v1, 127
  %conv3.i = zext nneg i8 %v2 to i64
  %shl.i = shl i64 %conv3.i, %indvars.iv.i
  %or.i = or i64 %shl.i, %found.019.i
  %cmp6.i = icmp slt i8 %v1, 0
  br i1 %cmp6.i, label %for.cond.i, label %lor.lhs.false

lor.lhs.false:
  store i64 %or.i, ptr %tag, align 8
  %cmp = icmp ult i64 %or.i, 8
  br i1 %cmp, label %return, label %if.end

if.end:
  %and = and i64 %or.i, 7
  switch i64 %and, label %return [
    i64 0, label %sw.bb
    i64 1, label %sw.epilog
    i64 5, label %sw.bb7
    i64 2, label %sw.bb8
  ]

sw.bb:
  %v3 = load ptr, ptr %bytes, align 8
  store ptr %v3, ptr %value, align 8
  %v4 = load ptr, ptr %end.i, align 8
  br label %land.rhs.i36

for.cond.i49:
  %indvars.iv.next.i50 = add nuw nsw i64 %indvars.iv.i37, 7
  %cmp.i51 = icmp samesign ult i64 %indvars.iv.i37, 63
  br i1 %cmp.i51, label %land.rhs.i36, label %return

land.rhs.i36:
  %indvars.iv.i37 = phi i64 [ 0, %sw.bb ], [ %indvars.iv.next.i50, %for.cond.i49 ]
  %incdec.ptr21.i38 = phi ptr [ %v3, %sw.bb ], [ %incdec.ptr.i43, %for.cond.i49 ]
  %cmp1.i40 = icmp ult ptr %incdec.ptr21.i38, %v4
  br i1 %cmp1.i40, label %for.body.i42, label %return

for.body.i42:
  %incdec.ptr.i43 = getelementptr inbounds nuw i8, ptr %incdec.ptr21.i38, i64 1
  store ptr %incdec.ptr.i43, ptr %bytes, align 8
  %v5 = load i8, ptr %incdec.ptr21.i38, align 1
  %cmp6.i47 = icmp slt i8 %v5, 0
  br i1 %cmp6.i47, label %for.cond.i49, label %return.sink.split

sw.bb7:
  br label %sw.epilog

sw.bb8:
  %v6 = load ptr, ptr %end.i, align 8
  %bytes.promoted.i54 = load ptr, ptr %bytes, align 8
  br label %land.rhs.i55

for.cond.i68:
  %indvars.iv.next.i69 = add nuw nsw i64 %indvars.iv.i56, 7
  %cmp.i70 = icmp samesign ult i64 %indvars.iv.i56, 63
  br i1 %cmp.i70, label %land.rhs.i55, label %return

land.rhs.i55:
  %indvars.iv.i56 = phi i64 [ 0, %sw.bb8 ], [ %indvars.iv.next.i69, %for.cond.i68 ]
  %incdec.ptr21.i57 = phi ptr [ %bytes.promoted.i54, %sw.bb8 ], [ %incdec.ptr.i62, %for.cond.i68 ]
  %found.019.i58 = phi i64 [ 0, %sw.bb8 ], [ %or.i65, %for.cond.i68 ]
  %cmp1.i59 = icmp ult ptr %incdec.ptr21.i57, %v6
  br i1 %cmp1.i59, label %for.body.i61, label %return

for.body.i61:
  %incdec.ptr.i62 = getelementptr inbounds nuw i8, ptr %incdec.ptr21.i57, i64 1
  store ptr %incdec.ptr.i62, ptr %bytes, align 8
  %v7 = load i8, ptr %incdec.ptr21.i57, align 1
  %v8 = and i8 %v7, 127
  %conv3.i63 = zext nneg i8 %v8 to i64
  %shl.i64 = shl i64 %conv3.i63, %indvars.iv.i56
  %or.i65 = or i64 %shl.i64, %found.019.i58
  %cmp6.i66 = icmp slt i8 %v7, 0
  br i1 %cmp6.i66, label %for.cond.i68, label %sw.epilog

sw.epilog:
  %length.0 = phi i64 [ 8, %if.end ], [ 4, %sw.bb7 ], [ %or.i65, %for.body.i61 ]
  %v9 = load ptr, ptr %end.i, align 8
  %v10 = load ptr, ptr %bytes, align 8
  %sub.ptr.lhs.cast = ptrtoint ptr %v9 to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %v10 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %cmp14 = icmp ugt i64 %length.0, %sub.ptr.sub
  br i1 %cmp14, label %return, label %if.end16

if.end16:
  store ptr %v10, ptr %value, align 8
  %v11 = load ptr, ptr %bytes, align 8
  %add.ptr = getelementptr inbounds nuw i8, ptr %v11, i64 %length.0
  store ptr %add.ptr, ptr %bytes, align 8
  br label %return.sink.split

return.sink.split:
  %incdec.ptr.i43.lcssa.sink = phi ptr [ %add.ptr, %if.end16 ], [ %incdec.ptr.i43, %for.body.i42 ]
  %end = getelementptr inbounds nuw i8, ptr %value, i64 8
  store ptr %incdec.ptr.i43.lcssa.sink, ptr %end, align 8
  br label %return

return:
  %retval.1 = phi i1 [ false, %sw.epilog ], [ false, %lor.lhs.false ], [ true, %return.sink.split ], [ false, %for.cond.i49 ], [ false, %for.cond.i68 ], [ false, %if.end ], [ false, %land.rhs.i36 ], [ false, %land.rhs.i55 ], [ false, %for.cond.i ], [ false, %land.rhs.i ]
  ret i1 %retval.1
}

define internal fastcc i64 @read_list(ptr %data, ptr %span, ptr %values) nounwind noimplicitfloat {
entry:
  %list = alloca { ptr, ptr }, align 8
  %tag = alloca i64, align 8
  %value = alloca { ptr, ptr }, align 8
  %v0 = load i64, ptr %span, align 8
  %add.ptr = getelementptr inbounds i8, ptr %data, i64 %v0
  store ptr %add.ptr, ptr %list, align 8
  %end = getelementptr inbounds nuw i8, ptr %list, i64 8
  %length = getelementptr inbounds nuw i8, ptr %span, i64 8
  %v1 = load i64, ptr %length, align 8
  %add.ptr3 = getelementptr inbounds i8, ptr %add.ptr, i64 %v1
  store ptr %add.ptr3, ptr %end, align 8
  %cmp119 = icmp sgt i64 %v1, 0
  br i1 %cmp119, label %while.body.lr.ph, label %cleanup64

while.body.lr.ph:
  %end9 = getelementptr inbounds nuw i8, ptr %value, i64 8
  %kind11 = getelementptr inbounds nuw i8, ptr %span, i64 16
  %tobool51.not = icmp eq ptr %values, null
  %sub.ptr.rhs.cast18 = ptrtoint ptr %data to i64
  br label %while.body

while.body:
  %integers.0123 = phi ptr [ %values, %while.body.lr.ph ], [ %integers.5, %cleanup61 ]
  %floats.0122 = phi ptr [ %values, %while.body.lr.ph ], [ %floats.3, %cleanup61 ]
  %found.0121 = phi i64 [ 0, %while.body.lr.ph ], [ %found.4, %cleanup61 ]
  %strings.0120 = phi ptr [ %values, %while.body.lr.ph ], [ %strings.3, %cleanup61 ]
  %call = call fastcc i1 @read_field(ptr %list, ptr %tag, ptr %value)
  br i1 %call, label %if.end, label %cleanup61.thread

if.end:
  %v2 = load i64, ptr %tag, align 8
  %shr.mask = and i64 %v2, -8
  %cmp6.not = icmp eq i64 %shr.mask, 8
  br i1 %cmp6.not, label %if.end8, label %cleanup61

if.end8:
  %v3 = load ptr, ptr %end9, align 8
  %v4 = load ptr, ptr %value, align 8
  %sub.ptr.lhs.cast = ptrtoint ptr %v3 to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %v4 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %and = and i64 %v2, 7
  %v5 = load i64, ptr %kind11, align 8
  %cmp12 = icmp eq i64 %v5, 1
  %cmp13 = icmp eq i64 %and, 2
  %or.cond = and i1 %cmp13, %cmp12
  br i1 %or.cond, label %if.then14, label %if.else

if.then14:
  %inc = add i64 %found.0121, 1
  br i1 %tobool51.not, label %cleanup61, label %if.then15

if.then15:
  %sub.ptr.sub19 = sub i64 %sub.ptr.rhs.cast, %sub.ptr.rhs.cast18
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %strings.0120, i64 8
  store i64 %sub.ptr.sub19, ptr %strings.0120, align 8
  %incdec.ptr20 = getelementptr inbounds nuw i8, ptr %strings.0120, i64 16
  store i64 %sub.ptr.sub, ptr %incdec.ptr, align 8
  br label %cleanup61

if.else:
  switch i64 %v5, label %cleanup61.thread [
    i64 2, label %land.lhs.true24
    i64 3, label %land.lhs.true40
  ]

land.lhs.true24:
  switch i64 %and, label %cleanup61.thread [
    i64 5, label %if.then27
    i64 2, label %if.then27
  ]

if.then27:
  %v6 = and i64 %sub.ptr.sub, 3
  %tobool28.not = icmp eq i64 %v6, 0
  br i1 %tobool28.not, label %if.end30, label %cleanup61.thread

if.end30:
  %div = ashr exact i64 %sub.ptr.sub, 2
  %add = add i64 %div, %found.0121
  br i1 %tobool51.not, label %cleanup61, label %if.then32

if.then32:
  %call34 = tail call ptr @memcpy(ptr %floats.0122, ptr %v4, i64 %sub.ptr.sub)
  %add.ptr35 = getelementptr inbounds i8, ptr %floats.0122, i64 %sub.ptr.sub
  br label %cleanup61

land.lhs.true40:
  switch i64 %and, label %cleanup61.thread [
    i64 2, label %for.cond.preheader
    i64 0, label %for.cond.preheader
  ]

for.cond.preheader:
  %cmp47115 = icmp ult ptr %v4, %v3
  br i1 %cmp47115, label %land.rhs.i.preheader, label %cleanup61

land.rhs.i.preheader:
  %v7 = phi ptr [ %v11, %for.inc ], [ %v3, %for.cond.preheader ]
  %v8 = phi ptr [ %v12, %for.inc ], [ %v4, %for.cond.preheader ]
  %integers.1117 = phi ptr [ %integers.2, %for.inc ], [ %integers.0123, %for.cond.preheader ]
  %found.1116 = phi i64 [ %inc55, %for.inc ], [ %found.0121, %for.cond.preheader ]
  br label %for.body.i

for.cond.i:
  %indvars.iv.next.i = add nuw nsw i64 %indvars.iv.i112, 7
  %cmp.i = icmp samesign ult i64 %indvars.iv.i112, 63
  %cmp1.i = icmp ult ptr %incdec.ptr.i, %v7
  %or.cond125 = select i1 %cmp.i, i1 %cmp1.i, i1 false
  br i1 %or.cond125, label %for.body.i, label %cleanup61.thread

for.body.i:
  %found.019.i114 = phi i64 [ 0, %land.rhs.i.preheader ], [ %or.i, %for.cond.i ]
  %incdec.ptr21.i113 = phi ptr [ %v8, %land.rhs.i.preheader ], [ %incdec.ptr.i, %for.cond.i ]
  %indvars.iv.i112 = phi i64 [ 0, %land.rhs.i.preheader ], [ %indvars.iv.next.i, %for.cond.i ]
  %incdec.ptr.i = getelementptr inbounds nuw i8, ptr %incdec.ptr21.i113, i64 1
  %v9 = load i8, ptr %incdec.ptr21.i113, align 1
  %v10 = and i8 %v9, 127
  %conv3.i = zext nneg i8 %v10 to i64
  %shl.i = shl i64 %conv3.i, %indvars.iv.i112
  %or.i = or i64 %shl.i, %found.019.i114
  %cmp6.i = icmp slt i8 %v9, 0
  br i1 %cmp6.i, label %for.cond.i, label %if.end50

if.end50:
  store ptr %incdec.ptr.i, ptr %value, align 8
  br i1 %tobool51.not, label %for.inc, label %if.then52

if.then52:
  %incdec.ptr53 = getelementptr inbounds nuw i8, ptr %integers.1117, i64 8
  store i64 %or.i, ptr %integers.1117, align 8
  %.pre = load ptr, ptr %value, align 8
  %.pre129 = load ptr, ptr %end9, align 8
  br label %for.inc

for.inc:
  %v11 = phi ptr [ %.pre129, %if.then52 ], [ %v7, %if.end50 ]
  %v12 = phi ptr [ %.pre, %if.then52 ], [ %incdec.ptr.i, %if.end50 ]
  %integers.2 = phi ptr [ %incdec.ptr53, %if.then52 ], [ %integers.1117, %if.end50 ]
  %inc55 = add i64 %found.1116, 1
  %cmp47 = icmp ult ptr %v12, %v11
  br i1 %cmp47, label %land.rhs.i.preheader, label %cleanup61

cleanup61.thread:
  br label %cleanup64

cleanup61:
  %strings.3 = phi ptr [ %incdec.ptr20, %if.then15 ], [ %strings.0120, %if.end ], [ %strings.0120, %if.then14 ], [ %strings.0120, %if.then32 ], [ %strings.0120, %if.end30 ], [ %strings.0120, %for.cond.preheader ], [ %strings.0120, %for.inc ]
  %found.4 = phi i64 [ %inc, %if.then15 ], [ %found.0121, %if.end ], [ %inc, %if.then14 ], [ %add, %if.then32 ], [ %add, %if.end30 ], [ %found.0121, %for.cond.preheader ], [ %inc55, %for.inc ]
  %floats.3 = phi ptr [ %floats.0122, %if.then15 ], [ %floats.0122, %if.end ], [ %floats.0122, %if.then14 ], [ %add.ptr35, %if.then32 ], [ %floats.0122, %if.end30 ], [ %floats.0122, %for.cond.preheader ], [ %floats.0122, %for.inc ]
  %integers.5 = phi ptr [ %integers.0123, %if.then15 ], [ %integers.0123, %if.end ], [ %integers.0123, %if.then14 ], [ %integers.0123, %if.then32 ], [ %integers.0123, %if.end30 ], [ %integers.0123, %for.cond.preheader ], [ %integers.2, %for.inc ]
  %v13 = load ptr, ptr %list, align 8
  %v14 = load ptr, ptr %end, align 8
  %cmp = icmp ult ptr %v13, %v14
  br i1 %cmp, label %while.body, label %cleanup64

cleanup64:
  %retval.3 = phi i64 [ -1, %cleanup61.thread ], [ 0, %entry ], [ %found.4, %cleanup61 ]
  ret i64 %retval.3
}

define void @tfc_feature_values(ptr %data, ptr %spans, i64 %step, i64 %count, ptr %values) nounwind noimplicitfloat {
entry:
  %cmp13 = icmp sgt i64 %count, 0
  br i1 %cmp13, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %row.016 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %values.addr.015 = phi ptr [ %add.ptr, %for.body ], [ %values, %entry ]
  %spans.addr.014 = phi ptr [ %add.ptr6, %for.body ], [ %spans, %entry ]
  %call = tail call fastcc i64 @read_list(ptr %data, ptr %spans.addr.014, ptr %values.addr.015)
  %count1 = getelementptr inbounds nuw i8, ptr %spans.addr.014, i64 24
  %v0 = load i64, ptr %count1, align 8
  %kind = getelementptr inbounds nuw i8, ptr %spans.addr.014, i64 16
  %v1 = load i64, ptr %kind, align 8
  %cmp2 = icmp eq i64 %v1, 1
  %cmp4 = icmp eq i64 %v1, 2
  %v2 = select i1 %cmp4, i64 2, i64 3
  %v3 = select i1 %cmp2, i64 4, i64 %v2
  %mul = shl i64 %v0, %v3
  %add.ptr = getelementptr inbounds i8, ptr %values.addr.015, i64 %mul
  %inc = add nuw nsw i64 %row.016, 1
  %add.ptr6 = getelementptr inbounds { i64, i64, i64, i64 }, ptr %spans.addr.014, i64 %step
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare i32 @memcmp(ptr, ptr, i64)

define internal fastcc i1 @read_feature(ptr %feature.coerce0, ptr %feature.coerce1, ptr %data, ptr %found) nounwind noimplicitfloat {
entry:
  %feature = alloca { ptr, ptr }, align 8
  %tag = alloca i64, align 8
  %list = alloca { ptr, ptr }, align 8
  store ptr %feature.coerce0, ptr %feature, align 8
  %v0 = getelementptr inbounds nuw i8, ptr %feature, i64 8
  store ptr %feature.coerce1, ptr %v0, align 8
  %cmp18.not = icmp ult ptr %feature.coerce0, %feature.coerce1
  br i1 %cmp18.not, label %while.body.lr.ph, label %return

while.body.lr.ph:
  %sub.ptr.rhs.cast = ptrtoint ptr %data to i64
  %end5 = getelementptr inbounds nuw i8, ptr %list, i64 8
  %length = getelementptr inbounds nuw i8, ptr %found, i64 8
  %kind = getelementptr inbounds nuw i8, ptr %found, i64 16
  br label %while.body

while.body:
  %call = call fastcc i1 @read_field(ptr %feature, ptr %tag, ptr %list)
  br i1 %call, label %if.end, label %cleanup.thread

cleanup.thread:
  br label %return

if.end:
  %v1 = load i64, ptr %tag, align 8
  %v2 = and i64 %v1, -25
  %or.cond = icmp eq i64 %v2, 2
  br i1 %or.cond, label %if.then3, label %cleanup

if.then3:
  %v3 = load ptr, ptr %list, align 8
  %sub.ptr.lhs.cast = ptrtoint ptr %v3 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  store i64 %sub.ptr.sub, ptr %found, align 8
  %v4 = load ptr, ptr %end5, align 8
  %sub.ptr.lhs.cast7 = ptrtoint ptr %v4 to i64
  %sub.ptr.sub9 = sub i64 %sub.ptr.lhs.cast7, %sub.ptr.lhs.cast
  store i64 %sub.ptr.sub9, ptr %length, align 8
  %shr10 = lshr i64 %v1, 3
  store i64 %shr10, ptr %kind, align 8
  br label %cleanup

cleanup:
  %v5 = load ptr, ptr %feature, align 8
  %v6 = load ptr, ptr %v0, align 8
  %cmp.not = icmp ult ptr %v5, %v6
  br i1 %cmp.not, label %while.body, label %return

return:
  %cmp17 = phi i1 [ false, %cleanup.thread ], [ true, %entry ], [ true, %cleanup ]
  ret i1 %cmp17
}

declare ptr @memcpy(ptr, ptr, i64)
