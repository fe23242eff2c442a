; Made of tables.c by `make runtime`: change that instead.
; source c4b6055ecabf95c2685cf1d2da8f92325226aeaab1e57b98634835c5d96f7d61
; text 7949a6eb66354123e8f475d7be5fa5850313553ff8a7dd2596d6025367e9fe03

define void @tfc_fill_table(ptr %into, ptr %slots, i64 %count) nounwind noimplicitfloat {
entry:
  %data.i = getelementptr inbounds nuw i8, ptr %into, i64 16
  %v0 = load ptr, ptr %data.i, align 8
  %cmp18 = icmp sgt i64 %count, 0
  br i1 %cmp18, label %for.body.lr.ph, label %for.end

for.body.lr.ph:
  %data = getelementptr inbounds nuw i8, ptr %slots, i64 16
  %v1 = load ptr, ptr %data, align 8
  %mask = getelementptr inbounds nuw i8, ptr %v0, i64 8
  br label %for.body

for.body:
  %old.020 = phi ptr [ %v1, %for.body.lr.ph ], [ %incdec.ptr, %for.inc ]
  %count.addr.019 = phi i64 [ %count, %for.body.lr.ph ], [ %dec, %for.inc ]
  %row = getelementptr inbounds nuw i8, ptr %old.020, i64 8
  %v2 = load i64, ptr %row, align 8
  %cmp1 = icmp eq i64 %v2, -1
  br i1 %cmp1, label %for.inc, label %if.end

if.end:
  %v3 = load i64, ptr %old.020, align 8
  %v4 = load i64, ptr %mask, align 8
  %v5 = load ptr, ptr %v0, align 8
  br label %while.cond

while.cond:
  %.pn = phi i64 [ %v3, %if.end ], [ %add, %while.cond ]
  %at.0 = and i64 %.pn, %v4
  %arrayidx = getelementptr inbounds nuw { i64, i64 }, ptr %v5, i64 %at.0
  %row3 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %v6 = load i64, ptr %row3, align 8
  %cmp4.not = icmp eq i64 %v6, -1
  %add = add i64 %at.0, 1
  br i1 %cmp4.not, label %while.end, label %while.cond

while.end:
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %arrayidx, ptr align 8 %old.020, i64 16, i1 false)
  br label %for.inc

for.inc:
  %dec = add nsw i64 %count.addr.019, -1
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %old.020, i64 16
  %cmp = icmp sgt i64 %count.addr.019, 1
  br i1 %cmp, label %for.body, label %for.end

for.end:
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define i64 @tfc_find_integers(ptr %in, ptr %asked, i64 %count, ptr %found) nounwind noimplicitfloat {
entry:
  %hashes = alloca [32 x i64], align 16
  %data.i = getelementptr inbounds nuw i8, ptr %in, i64 16
  %v0 = load ptr, ptr %data.i, align 8
  %data = getelementptr inbounds nuw i8, ptr %asked, i64 16
  %v1 = load ptr, ptr %data, align 8
  %data1 = getelementptr inbounds nuw i8, ptr %found, i64 16
  %v2 = load ptr, ptr %data1, align 8
  %cmp60 = icmp sgt i64 %count, 0
  br i1 %cmp60, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %seed.i = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %mask = getelementptr inbounds nuw i8, ptr %v0, i64 8
  br label %for.body

for.cond.cleanup:
  %missing.0.lcssa = phi i64 [ 0, %entry ], [ %missing.1.lcssa, %for.cond.cleanup14 ]
  ret i64 %missing.0.lcssa

for.body:
  %indvars.iv = phi i64 [ %count, %for.body.lr.ph ], [ %indvars.iv.next, %for.cond.cleanup14 ]
  %missing.062 = phi i64 [ 0, %for.body.lr.ph ], [ %missing.1.lcssa, %for.cond.cleanup14 ]
  %start.061 = phi i64 [ 0, %for.body.lr.ph ], [ %add31, %for.cond.cleanup14 ]
  %v3 = tail call i64 @llvm.smax.i64(i64 %indvars.iv, i64 1)
  %v4 = tail call i64 @llvm.umin.i64(i64 %v3, i64 32)
  %sub = sub i64 %count, %start.061
  %cmp555 = icmp sgt i64 %sub, 0
  br i1 %cmp555, label %for.body7.lr.ph, label %for.cond.cleanup14

for.body7.lr.ph:
  %v5 = getelementptr i64, ptr %v1, i64 %start.061
  %v6 = load i64, ptr %seed.i, align 8
  %v7 = load ptr, ptr %v0, align 8
  %v8 = load i64, ptr %mask, align 8
  br label %for.body7

for.body15.lr.ph:
  %v9 = getelementptr i64, ptr %v2, i64 %start.061
  br label %for.body15

for.body7:
  %i.056 = phi i64 [ 0, %for.body7.lr.ph ], [ %inc, %for.body7 ]
  %arrayidx = getelementptr i64, ptr %v5, i64 %i.056
  %v10 = load i64, ptr %arrayidx, align 8
  %xor.i = xor i64 %v6, %v10
  %shr.i.i = lshr i64 %xor.i, 32
  %xor.i.i = xor i64 %shr.i.i, %xor.i
  %mul.i.i = mul i64 %xor.i.i, -7046029254386353131
  %shr1.i.i = lshr i64 %mul.i.i, 32
  %xor2.i.i = xor i64 %shr1.i.i, %mul.i.i
  %mul3.i.i = mul i64 %xor2.i.i, -2960836687051489901
  %shr4.i.i = lshr i64 %mul3.i.i, 32
  %xor5.i.i = xor i64 %shr4.i.i, %mul3.i.i
  %arrayidx9 = getelementptr inbounds nuw i64, ptr %hashes, i64 %i.056
  store i64 %xor5.i.i, ptr %arrayidx9, align 8
  %and = and i64 %xor5.i.i, %v8
  %add.ptr = getelementptr inbounds nuw { i64, i64 }, ptr %v7, i64 %and
  tail call void @llvm.prefetch.p0(ptr %add.ptr, i32 0, i32 3, i32 1)
  %inc = add nuw nsw i64 %i.056, 1
  %exitcond.not = icmp eq i64 %inc, %v4
  br i1 %exitcond.not, label %for.body15.lr.ph, label %for.body7

for.cond.cleanup14:
  %missing.1.lcssa = phi i64 [ %missing.062, %for.body ], [ %add26, %slot_of.exit ]
  %add31 = add i64 %start.061, 32
  %cmp = icmp slt i64 %add31, %count
  %indvars.iv.next = add i64 %indvars.iv, -32
  br i1 %cmp, label %for.body, label %for.cond.cleanup

for.body15:
  %missing.159 = phi i64 [ %missing.062, %for.body15.lr.ph ], [ %add26, %slot_of.exit ]
  %i11.058 = phi i64 [ 0, %for.body15.lr.ph ], [ %inc28, %slot_of.exit ]
  %v11 = load ptr, ptr %v0, align 8
  %arrayidx17 = getelementptr inbounds nuw i64, ptr %hashes, i64 %i11.058
  %v12 = load i64, ptr %arrayidx17, align 8
  %v13 = load i64, ptr %mask, align 8
  %at.addr.014.i = and i64 %v13, %v12
  %arrayidx15.i = getelementptr inbounds nuw { i64, i64 }, ptr %v11, i64 %at.addr.014.i
  %row16.i = getelementptr inbounds nuw i8, ptr %arrayidx15.i, i64 8
  %v14 = load i64, ptr %row16.i, align 8
  %cmp.not17.i = icmp eq i64 %v14, -1
  br i1 %cmp.not17.i, label %slot_of.exit, label %for.body.i.preheader

for.body.i.preheader:
  %v15 = load i64, ptr %arrayidx15.i, align 8
  %cmp4.i70 = icmp eq i64 %v15, %v12
  br i1 %cmp4.i70, label %slot_of.exit, label %for.inc.i

for.body.i:
  %v16 = load i64, ptr %arrayidx.i, align 8
  %cmp4.i = icmp eq i64 %v16, %v12
  br i1 %cmp4.i, label %slot_of.exit, label %for.inc.i

for.inc.i:
  %at.addr.018.i71 = phi i64 [ %at.addr.0.i, %for.body.i ], [ %at.addr.014.i, %for.body.i.preheader ]
  %add.i = add i64 %at.addr.018.i71, 1
  %at.addr.0.i = and i64 %add.i, %v13
  %arrayidx.i = getelementptr inbounds nuw { i64, i64 }, ptr %v11, i64 %at.addr.0.i
  %row.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %v17 = load i64, ptr %row.i, align 8
  %cmp.not.i = icmp eq i64 %v17, -1
  br i1 %cmp.not.i, label %for.inc.i.slot_of.exit.loopexit_crit_edge, label %for.body.i

for.inc.i.slot_of.exit.loopexit_crit_edge:
  br label %slot_of.exit

slot_of.exit:
  %v18 = phi i64 [ -1, %for.body15 ], [ %v14, %for.body.i.preheader ], [ -1, %for.inc.i.slot_of.exit.loopexit_crit_edge ], [ %v17, %for.body.i ]
  %arrayidx23 = getelementptr i64, ptr %v9, i64 %i11.058
  store i64 %v18, ptr %arrayidx23, align 8
  %cmp24 = icmp eq i64 %v18, -1
  %conv25 = zext i1 %cmp24 to i64
  %add26 = add i64 %missing.159, %conv25
  %inc28 = add nuw nsw i64 %i11.058, 1
  %exitcond66.not = icmp eq i64 %inc28, %v4
  br i1 %exitcond66.not, label %for.cond.cleanup14, label %for.body15
}

declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

define i64 @tfc_add_integers(ptr %in, ptr %given, i64 %count, ptr %found, ptr %free, ptr %fresh) nounwind noimplicitfloat {
entry:
  %data.i = getelementptr inbounds nuw i8, ptr %in, i64 16
  %v0 = load ptr, ptr %data.i, align 8
  %data = getelementptr inbounds nuw i8, ptr %given, i64 16
  %v1 = load ptr, ptr %data, align 8
  %data1 = getelementptr inbounds nuw i8, ptr %found, i64 16
  %v2 = load ptr, ptr %data1, align 8
  %data2 = getelementptr inbounds nuw i8, ptr %fresh, i64 16
  %v3 = load ptr, ptr %data2, align 8
  %cmp26 = icmp sgt i64 %count, 0
  br i1 %cmp26, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %seed.i = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %mask.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %data8 = getelementptr inbounds nuw i8, ptr %free, i64 16
  br label %for.body

for.cond.cleanup:
  %added.0.lcssa = phi i64 [ 0, %entry ], [ %added.1, %if.end ]
  ret i64 %added.0.lcssa

for.body:
  %added.028 = phi i64 [ 0, %for.body.lr.ph ], [ %added.1, %if.end ]
  %i.027 = phi i64 [ 0, %for.body.lr.ph ], [ %inc13, %if.end ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %v1, i64 %i.027
  %v4 = load i64, ptr %arrayidx, align 8
  %v5 = load i64, ptr %seed.i, align 8
  %xor.i = xor i64 %v5, %v4
  %shr.i.i = lshr i64 %xor.i, 32
  %xor.i.i = xor i64 %shr.i.i, %xor.i
  %mul.i.i = mul i64 %xor.i.i, -7046029254386353131
  %shr1.i.i = lshr i64 %mul.i.i, 32
  %xor2.i.i = xor i64 %shr1.i.i, %mul.i.i
  %mul3.i.i = mul i64 %xor2.i.i, -2960836687051489901
  %shr4.i.i = lshr i64 %mul3.i.i, 32
  %xor5.i.i = xor i64 %shr4.i.i, %mul3.i.i
  %v6 = load ptr, ptr %v0, align 8
  %v7 = load i64, ptr %mask.i, align 8
  %at.addr.014.i = and i64 %xor5.i.i, %v7
  %arrayidx15.i = getelementptr inbounds nuw { i64, i64 }, ptr %v6, i64 %at.addr.014.i
  %row16.i = getelementptr inbounds nuw i8, ptr %arrayidx15.i, i64 8
  %v8 = load i64, ptr %row16.i, align 8
  %cmp.not17.i = icmp eq i64 %v8, -1
  br i1 %cmp.not17.i, label %if.then, label %for.body.i.preheader

for.body.i.preheader:
  %v9 = load i64, ptr %arrayidx15.i, align 8
  %cmp4.i43 = icmp eq i64 %v9, %xor5.i.i
  br i1 %cmp4.i43, label %if.end, label %for.inc.i

for.body.i:
  %v10 = load i64, ptr %arrayidx.i, align 8
  %cmp4.i = icmp eq i64 %v10, %xor5.i.i
  br i1 %cmp4.i, label %if.end, label %for.inc.i

for.inc.i:
  %at.addr.018.i44 = phi i64 [ %at.addr.0.i, %for.body.i ], [ %at.addr.014.i, %for.body.i.preheader ]
  %add.i = add i64 %at.addr.018.i44, 1
  %at.addr.0.i = and i64 %add.i, %v7
  %arrayidx.i = getelementptr inbounds nuw { i64, i64 }, ptr %v6, i64 %at.addr.0.i
  %row.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %v11 = load i64, ptr %row.i, align 8
  %cmp.not.i = icmp eq i64 %v11, -1
  br i1 %cmp.not.i, label %if.then, label %for.body.i

if.then:
  %at.addr.0.lcssa.i.ph = phi i64 [ %at.addr.014.i, %for.body ], [ %at.addr.0.i, %for.inc.i ]
  %add.ptr36 = getelementptr inbounds nuw { i64, i64 }, ptr %v6, i64 %at.addr.0.lcssa.i.ph
  %row37 = getelementptr inbounds nuw i8, ptr %add.ptr36, i64 8
  %v12 = load ptr, ptr %data8, align 8
  %free_count.i = getelementptr inbounds nuw i8, ptr %v12, i64 8
  %v13 = load i64, ptr %free_count.i, align 8
  %tobool.not.i = icmp eq i64 %v13, 0
  br i1 %tobool.not.i, label %cond.false.i, label %cond.true.i

cond.true.i:
  %v14 = load ptr, ptr %v12, align 8
  %dec.i = add i64 %v13, -1
  store i64 %dec.i, ptr %free_count.i, align 8
  %arrayidx.i25 = getelementptr inbounds i64, ptr %v14, i64 %dec.i
  %v15 = load i64, ptr %arrayidx.i25, align 8
  br label %new_row.exit

cond.false.i:
  %used.i = getelementptr inbounds nuw i8, ptr %v12, i64 16
  %v16 = load i64, ptr %used.i, align 8
  %inc.i = add i64 %v16, 1
  store i64 %inc.i, ptr %used.i, align 8
  br label %new_row.exit

new_row.exit:
  %cond.i = phi i64 [ %v15, %cond.true.i ], [ %v16, %cond.false.i ]
  store i64 %xor5.i.i, ptr %add.ptr36, align 8
  store i64 %cond.i, ptr %row37, align 8
  %inc = add i64 %added.028, 1
  %arrayidx10 = getelementptr inbounds i64, ptr %v3, i64 %added.028
  store i64 %i.027, ptr %arrayidx10, align 8
  %.pre29 = load i64, ptr %row37, align 8
  br label %if.end

if.end:
  %v17 = phi i64 [ %.pre29, %new_row.exit ], [ %v8, %for.body.i.preheader ], [ %v11, %for.body.i ]
  %added.1 = phi i64 [ %inc, %new_row.exit ], [ %added.028, %for.body.i.preheader ], [ %added.028, %for.body.i ]
  %arrayidx12 = getelementptr inbounds nuw i64, ptr %v2, i64 %i.027
  store i64 %v17, ptr %arrayidx12, align 8
  %inc13 = add nuw nsw i64 %i.027, 1
  %exitcond.not = icmp eq i64 %inc13, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define i64 @tfc_remove_integers(ptr %in, ptr %given, i64 %count, ptr %found) nounwind noimplicitfloat {
entry:
  %data.i = getelementptr inbounds nuw i8, ptr %in, i64 16
  %v0 = load ptr, ptr %data.i, align 8
  %data = getelementptr inbounds nuw i8, ptr %given, i64 16
  %v1 = load ptr, ptr %data, align 8
  %data1 = getelementptr inbounds nuw i8, ptr %found, i64 16
  %v2 = load ptr, ptr %data1, align 8
  %cmp27 = icmp sgt i64 %count, 0
  br i1 %cmp27, label %for.body.lr.ph, label %for.cond.cleanup

for.body.lr.ph:
  %seed.i = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %mask.i = getelementptr inbounds nuw i8, ptr %v0, i64 8
  br label %for.body

for.cond.cleanup:
  %removed.0.lcssa = phi i64 [ 0, %entry ], [ %removed.1, %cleanup ]
  ret i64 %removed.0.lcssa

for.body:
  %removed.029 = phi i64 [ 0, %for.body.lr.ph ], [ %removed.1, %cleanup ]
  %i.028 = phi i64 [ 0, %for.body.lr.ph ], [ %inc11, %cleanup ]
  %arrayidx = getelementptr inbounds nuw i64, ptr %v1, i64 %i.028
  %v3 = load i64, ptr %arrayidx, align 8
  %v4 = load i64, ptr %seed.i, align 8
  %xor.i = xor i64 %v4, %v3
  %shr.i.i = lshr i64 %xor.i, 32
  %xor.i.i = xor i64 %shr.i.i, %xor.i
  %mul.i.i = mul i64 %xor.i.i, -7046029254386353131
  %shr1.i.i = lshr i64 %mul.i.i, 32
  %xor2.i.i = xor i64 %shr1.i.i, %mul.i.i
  %mul3.i.i = mul i64 %xor2.i.i, -2960836687051489901
  %shr4.i.i = lshr i64 %mul3.i.i, 32
  %xor5.i.i = xor i64 %shr4.i.i, %mul3.i.i
  %v5 = load ptr, ptr %v0, align 8
  %v6 = load i64, ptr %mask.i, align 8
  %at.addr.014.i = and i64 %xor5.i.i, %v6
  %arrayidx15.i = getelementptr inbounds nuw { i64, i64 }, ptr %v5, i64 %at.addr.014.i
  %row16.i = getelementptr inbounds nuw i8, ptr %arrayidx15.i, i64 8
  %v7 = load i64, ptr %row16.i, align 8
  %cmp.not17.i = icmp eq i64 %v7, -1
  br i1 %cmp.not17.i, label %cleanup, label %for.body.i.preheader

for.body.i.preheader:
  %v8 = load i64, ptr %arrayidx15.i, align 8
  %cmp4.i40 = icmp eq i64 %v8, %xor5.i.i
  br i1 %cmp4.i40, label %if.end, label %for.inc.i

for.body.i:
  %v9 = load i64, ptr %arrayidx.i, align 8
  %cmp4.i = icmp eq i64 %v9, %xor5.i.i
  br i1 %cmp4.i, label %if.end, label %for.inc.i

for.inc.i:
  %at.addr.018.i41 = phi i64 [ %at.addr.0.i, %for.body.i ], [ %at.addr.014.i, %for.body.i.preheader ]
  %add.i = add i64 %at.addr.018.i41, 1
  %at.addr.0.i = and i64 %add.i, %v6
  %arrayidx.i = getelementptr inbounds nuw { i64, i64 }, ptr %v5, i64 %at.addr.0.i
  %row.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %v10 = load i64, ptr %row.i, align 8
  %cmp.not.i = icmp eq i64 %v10, -1
  br i1 %cmp.not.i, label %cleanup, label %for.body.i

if.end:
  %.pre.pre.lcssa = phi i64 [ %v7, %for.body.i.preheader ], [ %v10, %for.body.i ]
  %at.addr.018.i.lcssa = phi i64 [ %at.addr.014.i, %for.body.i.preheader ], [ %at.addr.0.i, %for.body.i ]
  %inc = add i64 %removed.029, 1
  %arrayidx9 = getelementptr inbounds i64, ptr %v2, i64 %removed.029
  store i64 %.pre.pre.lcssa, ptr %arrayidx9, align 8
  tail call fastcc void @clear(ptr %v0, i64 %at.addr.018.i.lcssa)
  br label %cleanup

cleanup:
  %removed.1 = phi i64 [ %inc, %if.end ], [ %removed.029, %for.body ], [ %removed.029, %for.inc.i ]
  %inc11 = add nuw nsw i64 %i.028, 1
  %exitcond.not = icmp eq i64 %inc11, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}

define internal fastcc void @clear(ptr %table, i64 %hole) nounwind noimplicitfloat {
entry:
  %v0 = load ptr, ptr %table, align 8
  %mask = getelementptr inbounds nuw i8, ptr %table, i64 8
  %add32 = add i64 %hole, 1
  %v1 = load i64, ptr %mask, align 8
  %and33 = and i64 %v1, %add32
  %arrayidx34 = getelementptr inbounds nuw { i64, i64 }, ptr %v0, i64 %and33
  %row35 = getelementptr inbounds nuw i8, ptr %arrayidx34, i64 8
  %v2 = load i64, ptr %row35, align 8
  %cmp36 = icmp eq i64 %v2, -1
  br i1 %cmp36, label %if.then, label %if.end

if.then:
  %hole.addr.0.lcssa = phi i64 [ %hole, %entry ], [ %hole.addr.1, %cleanup ]
  %arrayidx14 = getelementptr inbounds nuw { i64, i64 }, ptr %v0, i64 %hole.addr.0.lcssa
  %row15 = getelementptr inbounds nuw i8, ptr %arrayidx14, i64 8
  store i64 -1, ptr %row15, align 8
  ret void

if.end:
  %v3 = phi i64 [ %v5, %cleanup ], [ %v1, %entry ]
  %arrayidx39 = phi ptr [ %arrayidx, %cleanup ], [ %arrayidx34, %entry ]
  %and38 = phi i64 [ %and, %cleanup ], [ %and33, %entry ]
  %hole.addr.037 = phi i64 [ %hole.addr.1, %cleanup ], [ %hole, %entry ]
  %v4 = load i64, ptr %arrayidx39, align 8
  %sub = sub i64 %and38, %v4
  %and4 = and i64 %sub, %v3
  %sub5 = sub i64 %and38, %hole.addr.037
  %and7 = and i64 %sub5, %v3
  %cmp8 = icmp ult i64 %and4, %and7
  br i1 %cmp8, label %cleanup, label %if.end10

if.end10:
  %arrayidx11 = getelementptr inbounds nuw { i64, i64 }, ptr %v0, i64 %hole.addr.037
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %arrayidx11, ptr align 8 %arrayidx39, i64 16, i1 false)
  %.pre = load i64, ptr %mask, align 8
  br label %cleanup

cleanup:
  %v5 = phi i64 [ %.pre, %if.end10 ], [ %v3, %if.end ]
  %hole.addr.1 = phi i64 [ %and38, %if.end10 ], [ %hole.addr.037, %if.end ]
  %add = add i64 %and38, 1
  %and = and i64 %v5, %add
  %arrayidx = getelementptr inbounds nuw { i64, i64 }, ptr %v0, i64 %and
  %row = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %v6 = load i64, ptr %row, align 8
  %cmp = icmp eq i64 %v6, -1
  br i1 %cmp, label %if.then, label %if.end
}

define i64 @tfc_find_strings(ptr %in, ptr %asked, i64 %count, ptr %found, ptr %as) nounwind noimplicitfloat {
entry:
  %retval.i163 = alloca { ptr, i64 }, align 8
  %retval.i = alloca { ptr, i64 }, align 8
  %hashes = alloca [32 x i64], align 16
  %places = alloca [32 x i64], align 16
  %data.i = getelementptr inbounds nuw i8, ptr %in, i64 16
  %v0 = load ptr, ptr %data.i, align 8
  %data = getelementptr inbounds nuw i8, ptr %as, i64 16
  %v1 = load ptr, ptr %data, align 8
  %data1 = getelementptr inbounds nuw i8, ptr %asked, i64 16
  %v2 = load ptr, ptr %data1, align 8
  %data2 = getelementptr inbounds nuw i8, ptr %found, i64 16
  %v3 = load ptr, ptr %data2, align 8
  %cmp184 = icmp sgt i64 %count, 0
  br i1 %cmp184, label %for.body.lr.ph, label %cleanup91

for.body.lr.ph:
  %contents_at.i = getelementptr inbounds nuw i8, ptr %v1, i64 16
  %count.i = getelementptr inbounds nuw i8, ptr %retval.i, i64 8
  %size_at.i = getelementptr inbounds nuw i8, ptr %v1, i64 8
  %mask = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %known = getelementptr inbounds nuw i8, ptr %v0, i64 24
  %count.i166 = getelementptr inbounds nuw i8, ptr %retval.i163, i64 8
  br label %for.body

for.body:
  %count.addr.0188 = phi i64 [ %count, %for.body.lr.ph ], [ %sub87, %for.inc86 ]
  %keys.0187 = phi ptr [ %v2, %for.body.lr.ph ], [ %add.ptr88, %for.inc86 ]
  %rows.0186 = phi ptr [ %v3, %for.body.lr.ph ], [ %add.ptr89, %for.inc86 ]
  %missing.0185 = phi i64 [ 0, %for.body.lr.ph ], [ %add81, %for.inc86 ]
  %umin200 = call i64 @llvm.umin.i64(i64 %count.addr.0188, i64 32)
  br label %for.body6

for.body.lr.ph.i:
  %v4 = load ptr, ptr %v1, align 8
  br label %for.body.i

for.body.i:
  %i.09.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr %keys.0187, i64 %i.09.i
  %v5 = load ptr, ptr %arrayidx.i, align 8
  %type.i = getelementptr inbounds nuw i8, ptr %v5, i64 8
  %v6 = load ptr, ptr %type.i, align 8
  %cmp2.not.i = icmp eq ptr %v6, %v4
  br i1 %cmp2.not.i, label %for.inc.i, label %first_other.exit

for.inc.i:
  %inc.i = add nuw nsw i64 %i.09.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %umin200
  br i1 %exitcond.not.i, label %for.body14.preheader, label %for.body.i

first_other.exit:
  %cmp8.not = icmp samesign ult i64 %i.09.i, %umin200
  br i1 %cmp8.not, label %cleanup.thread, label %for.body14.preheader

for.body14.preheader:
  br label %for.body14

for.body6:
  %i.0178 = phi i64 [ 0, %for.body ], [ %inc, %for.body6 ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %keys.0187, i64 %i.0178
  %v7 = load ptr, ptr %arrayidx, align 8
  call void @llvm.prefetch.p0(ptr %v7, i32 0, i32 3, i32 1)
  %inc = add nuw nsw i64 %i.0178, 1
  %exitcond.not = icmp eq i64 %inc, %umin200
  br i1 %exitcond.not, label %for.body.lr.ph.i, label %for.body6

cleanup.thread:
  %v8 = load ptr, ptr %data1, align 8
  %sub.ptr.lhs.cast = ptrtoint ptr %keys.0187 to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %v8 to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %sub.ptr.div = ashr exact i64 %sub.ptr.sub, 3
  %add = add nsw i64 %sub.ptr.div, %i.09.i
  %sub = xor i64 %add, -1
  br label %cleanup91

for.body14:
  %i10.0179 = phi i64 [ %inc21, %for.body14 ], [ 0, %for.body14.preheader ]
  %arrayidx15 = getelementptr inbounds nuw ptr, ptr %keys.0187, i64 %i10.0179
  %v9 = load ptr, ptr %arrayidx15, align 8
  %v10 = load i64, ptr %contents_at.i, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %v9, i64 %v10
  store ptr %add.ptr.i, ptr %retval.i, align 8
  store i64 0, ptr %count.i, align 8
  %v11 = load i64, ptr %size_at.i, align 8
  %add.ptr2.i = getelementptr inbounds i8, ptr %v9, i64 %v11
  %call.i = call ptr @memcpy(ptr %count.i, ptr %add.ptr2.i, i64 8)
  %.fca.0.load.i = load ptr, ptr %retval.i, align 8
  %.fca.1.load.i = load i64, ptr %count.i, align 8
  %call17 = call fastcc i64 @bytes_hash(ptr %v0, ptr %.fca.0.load.i, i64 %.fca.1.load.i)
  %arrayidx18 = getelementptr inbounds nuw i64, ptr %hashes, i64 %i10.0179
  store i64 %call17, ptr %arrayidx18, align 8
  %v12 = load ptr, ptr %v0, align 8
  %v13 = load i64, ptr %mask, align 8
  %and = and i64 %v13, %call17
  %add.ptr = getelementptr inbounds nuw { i64, i64 }, ptr %v12, i64 %and
  call void @llvm.prefetch.p0(ptr %add.ptr, i32 0, i32 3, i32 1)
  %inc21 = add nuw nsw i64 %i10.0179, 1
  %exitcond193.not = icmp eq i64 %inc21, %umin200
  br i1 %exitcond193.not, label %for.body27, label %for.body14

for.body27:
  %i23.0180 = phi i64 [ %inc43, %for.inc42 ], [ 0, %for.body14 ]
  %arrayidx28 = getelementptr inbounds nuw i64, ptr %hashes, i64 %i23.0180
  %v14 = load i64, ptr %arrayidx28, align 8
  %v15 = load ptr, ptr %v0, align 8
  %v16 = load i64, ptr %mask, align 8
  %at.addr.014.i = and i64 %v16, %v14
  %arrayidx15.i = getelementptr inbounds nuw { i64, i64 }, ptr %v15, i64 %at.addr.014.i
  %row16.i = getelementptr inbounds nuw i8, ptr %arrayidx15.i, i64 8
  %v17 = load i64, ptr %row16.i, align 8
  %cmp.not17.i = icmp eq i64 %v17, -1
  br i1 %cmp.not17.i, label %slot_of.exit.thread, label %for.body.i160.preheader

for.body.i160.preheader:
  %v18 = load i64, ptr %arrayidx15.i, align 8
  %cmp4.i222 = icmp eq i64 %v18, %v14
  br i1 %cmp4.i222, label %if.then38, label %for.inc.i161

for.body.i160:
  %v19 = load i64, ptr %arrayidx.i162, align 8
  %cmp4.i = icmp eq i64 %v19, %v14
  br i1 %cmp4.i, label %if.then38, label %for.inc.i161

for.inc.i161:
  %at.addr.018.i223 = phi i64 [ %at.addr.0.i, %for.body.i160 ], [ %at.addr.014.i, %for.body.i160.preheader ]
  %add.i = add i64 %at.addr.018.i223, 1
  %at.addr.0.i = and i64 %add.i, %v16
  %arrayidx.i162 = getelementptr inbounds nuw { i64, i64 }, ptr %v15, i64 %at.addr.0.i
  %row.i = getelementptr inbounds nuw i8, ptr %arrayidx.i162, i64 8
  %v20 = load i64, ptr %row.i, align 8
  %cmp.not.i = icmp eq i64 %v20, -1
  br i1 %cmp.not.i, label %slot_of.exit.thread, label %for.body.i160

slot_of.exit.thread:
  %at.addr.0.lcssa.i.ph = phi i64 [ %at.addr.014.i, %for.body27 ], [ %at.addr.0.i, %for.inc.i161 ]
  %arrayidx31211 = getelementptr inbounds nuw i64, ptr %places, i64 %i23.0180
  store i64 %at.addr.0.lcssa.i.ph, ptr %arrayidx31211, align 8
  %arrayidx35212 = getelementptr inbounds nuw i64, ptr %rows.0186, i64 %i23.0180
  store i64 -1, ptr %arrayidx35212, align 8
  br label %for.inc42

if.then38:
  %.pre.pre.lcssa = phi i64 [ %v17, %for.body.i160.preheader ], [ %v20, %for.body.i160 ]
  %at.addr.018.i.lcssa = phi i64 [ %at.addr.014.i, %for.body.i160.preheader ], [ %at.addr.0.i, %for.body.i160 ]
  %arrayidx31 = getelementptr inbounds nuw i64, ptr %places, i64 %i23.0180
  store i64 %at.addr.018.i.lcssa, ptr %arrayidx31, align 8
  %arrayidx35 = getelementptr inbounds nuw i64, ptr %rows.0186, i64 %i23.0180
  store i64 %.pre.pre.lcssa, ptr %arrayidx35, align 8
  %v21 = load ptr, ptr %known, align 8
  %add.ptr40 = getelementptr inbounds ptr, ptr %v21, i64 %.pre.pre.lcssa
  call void @llvm.prefetch.p0(ptr %add.ptr40, i32 0, i32 3, i32 1)
  br label %for.inc42

for.inc42:
  %inc43 = add nuw nsw i64 %i23.0180, 1
  %exitcond196.not = icmp eq i64 %inc43, %umin200
  br i1 %exitcond196.not, label %for.body49, label %for.body27

for.body49:
  %i45.0181 = phi i64 [ %inc58, %for.inc57 ], [ 0, %for.inc42 ]
  %arrayidx50 = getelementptr inbounds nuw i64, ptr %rows.0186, i64 %i45.0181
  %v22 = load i64, ptr %arrayidx50, align 8
  %cmp51.not = icmp eq i64 %v22, -1
  br i1 %cmp51.not, label %for.inc57, label %if.then52

if.then52:
  %v23 = load ptr, ptr %known, align 8
  %arrayidx55 = getelementptr inbounds ptr, ptr %v23, i64 %v22
  %v24 = load ptr, ptr %arrayidx55, align 8
  call void @llvm.prefetch.p0(ptr %v24, i32 0, i32 3, i32 1)
  br label %for.inc57

for.inc57:
  %inc58 = add nuw nsw i64 %i45.0181, 1
  %exitcond199.not = icmp eq i64 %inc58, %umin200
  br i1 %exitcond199.not, label %for.body64, label %for.body49

for.body64:
  %i60.0183 = phi i64 [ %inc83, %if.end77 ], [ 0, %for.inc57 ]
  %missing.1182 = phi i64 [ %add81, %if.end77 ], [ %missing.0185, %for.inc57 ]
  %arrayidx65 = getelementptr inbounds nuw i64, ptr %rows.0186, i64 %i60.0183
  %v25 = load i64, ptr %arrayidx65, align 8
  %cmp66.not = icmp eq i64 %v25, -1
  br i1 %cmp66.not, label %if.end77, label %if.then67

if.then67:
  %arrayidx68 = getelementptr inbounds nuw ptr, ptr %keys.0187, i64 %i60.0183
  %v26 = load ptr, ptr %arrayidx68, align 8
  %v27 = load i64, ptr %contents_at.i, align 8
  %add.ptr.i165 = getelementptr inbounds i8, ptr %v26, i64 %v27
  store ptr %add.ptr.i165, ptr %retval.i163, align 8
  store i64 0, ptr %count.i166, align 8
  %v28 = load i64, ptr %size_at.i, align 8
  %add.ptr2.i168 = getelementptr inbounds i8, ptr %v26, i64 %v28
  %call.i169 = call ptr @memcpy(ptr %count.i166, ptr %add.ptr2.i168, i64 8)
  %.fca.0.load.i170 = load ptr, ptr %retval.i163, align 8
  %.fca.1.load.i172 = load i64, ptr %count.i166, align 8
  %v29 = load ptr, ptr %v0, align 8
  %arrayidx71 = getelementptr inbounds nuw i64, ptr %hashes, i64 %i60.0183
  %v30 = load i64, ptr %arrayidx71, align 8
  %arrayidx72 = getelementptr inbounds nuw i64, ptr %places, i64 %i60.0183
  %v31 = load i64, ptr %arrayidx72, align 8
  %call73 = call fastcc i64 @slot_of_bytes(ptr %v0, ptr %v1, i64 %v30, ptr %.fca.0.load.i170, i64 %.fca.1.load.i172, i64 %v31)
  %arrayidx74 = getelementptr inbounds nuw { i64, i64 }, ptr %v29, i64 %call73
  %row75 = getelementptr inbounds nuw i8, ptr %arrayidx74, i64 8
  %v32 = load i64, ptr %row75, align 8
  store i64 %v32, ptr %arrayidx65, align 8
  %v33 = icmp eq i64 %v32, -1
  %v34 = zext i1 %v33 to i64
  br label %if.end77

if.end77:
  %cmp79 = phi i64 [ %v34, %if.then67 ], [ 1, %for.body64 ]
  %add81 = add i64 %missing.1182, %cmp79
  %inc83 = add nuw nsw i64 %i60.0183, 1
  %exitcond202.not = icmp eq i64 %inc83, %umin200
  br i1 %exitcond202.not, label %for.inc86, label %for.body64

for.inc86:
  %sub87 = add nsw i64 %count.addr.0188, -32
  %add.ptr88 = getelementptr inbounds nuw i8, ptr %keys.0187, i64 256
  %add.ptr89 = getelementptr inbounds nuw i8, ptr %rows.0186, i64 256
  %cmp = icmp sgt i64 %count.addr.0188, 32
  br i1 %cmp, label %for.body, label %cleanup91

cleanup91:
  %retval.2 = phi i64 [ %sub, %cleanup.thread ], [ 0, %entry ], [ %add81, %for.inc86 ]
  ret i64 %retval.2
}

define internal fastcc i64 @bytes_hash(ptr %table, ptr %key.coerce0, i64 %key.coerce1) nounwind noimplicitfloat {
entry:
  %word = alloca i64, align 8
  %seed = getelementptr inbounds nuw i8, ptr %table, i64 16
  %v0 = load i64, ptr %seed, align 8
  %xor = xor i64 %v0, %key.coerce1
  %cmp29 = icmp sgt i64 %key.coerce1, 7
  br i1 %cmp29, label %for.body, label %for.end

for.body:
  %hash.032 = phi i64 [ %xor3, %for.body ], [ %xor, %entry ]
  %key.sroa.5.031 = phi i64 [ %sub, %for.body ], [ %key.coerce1, %entry ]
  %key.sroa.0.030 = phi ptr [ %add.ptr, %for.body ], [ %key.coerce0, %entry ]
  %call = call ptr @memcpy(ptr %word, ptr %key.sroa.0.030, i64 8)
  %v1 = load i64, ptr %word, align 8
  %xor2 = xor i64 %v1, %hash.032
  %mul = mul i64 %xor2, -7046029254386353131
  %shr = lshr i64 %mul, 32
  %xor3 = xor i64 %shr, %mul
  %sub = add nsw i64 %key.sroa.5.031, -8
  %add.ptr = getelementptr inbounds nuw i8, ptr %key.sroa.0.030, i64 8
  %cmp = icmp samesign ugt i64 %key.sroa.5.031, 15
  br i1 %cmp, label %for.body, label %for.end

for.end:
  %key.sroa.0.0.lcssa = phi ptr [ %key.coerce0, %entry ], [ %add.ptr, %for.body ]
  %key.sroa.5.0.lcssa = phi i64 [ %key.coerce1, %entry ], [ %sub, %for.body ]
  %hash.0.lcssa = phi i64 [ %xor, %entry ], [ %xor3, %for.body ]
  %tobool.not = icmp eq i64 %key.sroa.5.0.lcssa, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:
  %add.ptr9 = getelementptr inbounds i8, ptr %key.sroa.0.0.lcssa, i64 %key.sroa.5.0.lcssa
  %add.ptr10 = getelementptr inbounds i8, ptr %add.ptr9, i64 -8
  %call11 = call ptr @memcpy(ptr %word, ptr %add.ptr10, i64 8)
  %v2 = load i64, ptr %word, align 8
  %mul13 = shl i64 %key.sroa.5.0.lcssa, 3
  %sub14 = sub i64 64, %mul13
  %shr15 = lshr i64 %v2, %sub14
  %xor16 = xor i64 %shr15, %hash.0.lcssa
  br label %if.end

if.end:
  %hash.1 = phi i64 [ %xor16, %if.then ], [ %hash.0.lcssa, %for.end ]
  %shr.i = lshr i64 %hash.1, 32
  %xor.i = xor i64 %shr.i, %hash.1
  %mul.i = mul i64 %xor.i, -7046029254386353131
  %shr1.i = lshr i64 %mul.i, 32
  %xor2.i = xor i64 %shr1.i, %mul.i
  %mul3.i = mul i64 %xor2.i, -2960836687051489901
  %shr4.i = lshr i64 %mul3.i, 32
  %xor5.i = xor i64 %shr4.i, %mul3.i
  ret i64 %xor5.i
}

define internal fastcc i64 @slot_of_bytes(ptr %table, ptr %layout, i64 %hash, ptr %key.coerce0, i64 %key.coerce1, i64 %at) nounwind noimplicitfloat {
entry:
  %retval.i.i = alloca { ptr, i64 }, align 8
  %mask.i = getelementptr inbounds nuw i8, ptr %table, i64 8
  %known = getelementptr inbounds nuw i8, ptr %table, i64 24
  %contents_at.i.i = getelementptr inbounds nuw i8, ptr %layout, i64 16
  %count.i.i = getelementptr inbounds nuw i8, ptr %retval.i.i, i64 8
  %size_at.i.i = getelementptr inbounds nuw i8, ptr %layout, i64 8
  %v0 = load ptr, ptr %table, align 8
  %v1 = load i64, ptr %mask.i, align 8
  %at.addr.014.i34 = and i64 %v1, %at
  %arrayidx15.i35 = getelementptr inbounds nuw { i64, i64 }, ptr %v0, i64 %at.addr.014.i34
  %row16.i36 = getelementptr inbounds nuw i8, ptr %arrayidx15.i35, i64 8
  %v2 = load i64, ptr %row16.i36, align 8
  %cmp.not17.i37 = icmp eq i64 %v2, -1
  br i1 %cmp.not17.i37, label %return, label %for.body.i.preheader

for.body.i.preheader:
  %v3 = phi i64 [ %v15, %for.inc ], [ %v2, %entry ]
  %arrayidx15.i39 = phi ptr [ %arrayidx15.i, %for.inc ], [ %arrayidx15.i35, %entry ]
  %at.addr.014.i38 = phi i64 [ %at.addr.014.i, %for.inc ], [ %at.addr.014.i34, %entry ]
  %v4 = phi i64 [ %v14, %for.inc ], [ %v1, %entry ]
  %v5 = phi ptr [ %v13, %for.inc ], [ %v0, %entry ]
  %v6 = load i64, ptr %arrayidx15.i39, align 8
  %cmp4.i31 = icmp eq i64 %v6, %hash
  br i1 %cmp4.i31, label %lor.lhs.false, label %for.inc.i

for.body.i:
  %v7 = load i64, ptr %arrayidx.i, align 8
  %cmp4.i = icmp eq i64 %v7, %hash
  br i1 %cmp4.i, label %lor.lhs.false, label %for.inc.i

for.inc.i:
  %at.addr.018.i32 = phi i64 [ %at.addr.0.i, %for.body.i ], [ %at.addr.014.i38, %for.body.i.preheader ]
  %add.i = add i64 %at.addr.018.i32, 1
  %at.addr.0.i = and i64 %add.i, %v4
  %arrayidx.i = getelementptr inbounds nuw { i64, i64 }, ptr %v5, i64 %at.addr.0.i
  %row.i = getelementptr inbounds nuw i8, ptr %arrayidx.i, i64 8
  %v8 = load i64, ptr %row.i, align 8
  %cmp.not.i = icmp eq i64 %v8, -1
  br i1 %cmp.not.i, label %return, label %for.body.i

lor.lhs.false:
  %.pre.pre.lcssa = phi i64 [ %v3, %for.body.i.preheader ], [ %v8, %for.body.i ]
  %at.addr.018.i.lcssa = phi i64 [ %at.addr.014.i38, %for.body.i.preheader ], [ %at.addr.0.i, %for.body.i ]
  %v9 = load ptr, ptr %known, align 8
  %arrayidx2 = getelementptr inbounds ptr, ptr %v9, i64 %.pre.pre.lcssa
  %v10 = load ptr, ptr %arrayidx2, align 8
  %v11 = load i64, ptr %contents_at.i.i, align 8
  %add.ptr.i.i = getelementptr inbounds i8, ptr %v10, i64 %v11
  store ptr %add.ptr.i.i, ptr %retval.i.i, align 8
  store i64 0, ptr %count.i.i, align 8
  %v12 = load i64, ptr %size_at.i.i, align 8
  %add.ptr2.i.i = getelementptr inbounds i8, ptr %v10, i64 %v12
  %call.i.i = call ptr @memcpy(ptr %count.i.i, ptr %add.ptr2.i.i, i64 8)
  %.fca.0.load.i.i = load ptr, ptr %retval.i.i, align 8
  %.fca.1.load.i.i = load i64, ptr %count.i.i, align 8
  %cmp.i = icmp eq i64 %.fca.1.load.i.i, %key.coerce1
  br i1 %cmp.i, label %same_bytes.exit, label %for.inc

same_bytes.exit:
  %call4.i = call i32 @memcmp(ptr %.fca.0.load.i.i, ptr %key.coerce0, i64 %key.coerce1)
  %call4.i.fr = freeze i32 %call4.i
  %tobool.not.i.not = icmp eq i32 %call4.i.fr, 0
  br i1 %tobool.not.i.not, label %return, label %for.inc

for.inc:
  %inc = add i64 %at.addr.018.i.lcssa, 1
  %v13 = load ptr, ptr %table, align 8
  %v14 = load i64, ptr %mask.i, align 8
  %at.addr.014.i = and i64 %v14, %inc
  %arrayidx15.i = getelementptr inbounds nuw { i64, i64 }, ptr %v13, i64 %at.addr.014.i
  %row16.i = getelementptr inbounds nuw i8, ptr %arrayidx15.i, i64 8
  %v15 = load i64, ptr %row16.i, align 8
  %cmp.not17.i = icmp eq i64 %v15, -1
  br i1 %cmp.not17.i, label %return, label %for.body.i.preheader

return:
  %retval.118 = phi i64 [ %at.addr.014.i34, %entry ], [ %at.addr.0.i, %for.inc.i ], [ %at.addr.018.i.lcssa, %same_bytes.exit ], [ %at.addr.014.i, %for.inc ]
  ret i64 %retval.118
}

define i64 @tfc_add_strings(ptr %in, ptr %given, i64 %count, ptr %found, ptr %as, ptr %free, ptr %fresh) nounwind noimplicitfloat {
entry:
  %retval.i = alloca { ptr, i64 }, align 8
  %data.i = getelementptr inbounds nuw i8, ptr %in, i64 16
  %v0 = load ptr, ptr %data.i, align 8
  %data = getelementptr inbounds nuw i8, ptr %as, i64 16
  %v1 = load ptr, ptr %data, align 8
  %data1 = getelementptr inbounds nuw i8, ptr %given, i64 16
  %v2 = load ptr, ptr %data1, align 8
  %data2 = getelementptr inbounds nuw i8, ptr %found, i64 16
  %v3 = load ptr, ptr %data2, align 8
  %data3 = getelementptr inbounds nuw i8, ptr %fresh, i64 16
  %v4 = load ptr, ptr %data3, align 8
  %cmp8.i = icmp sgt i64 %count, 0
  br i1 %cmp8.i, label %for.body.lr.ph.i, label %cleanup

for.body.lr.ph.i:
  %v5 = load ptr, ptr %v1, align 8
  br label %for.body.i

for.body.i:
  %i.09.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr %v2, i64 %i.09.i
  %v6 = load ptr, ptr %arrayidx.i, align 8
  %type.i = getelementptr inbounds nuw i8, ptr %v6, i64 8
  %v7 = load ptr, ptr %type.i, align 8
  %cmp2.not.i = icmp eq ptr %v7, %v5
  br i1 %cmp2.not.i, label %for.inc.i, label %first_other.exit

for.inc.i:
  %inc.i = add nuw nsw i64 %i.09.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %count
  br i1 %exitcond.not.i, label %for.body.lr.ph, label %for.body.i

first_other.exit:
  %cmp = icmp slt i64 %i.09.i, %count
  br i1 %cmp, label %if.then, label %for.body.lr.ph

for.body.lr.ph:
  %contents_at.i = getelementptr inbounds nuw i8, ptr %v1, i64 16
  %count.i = getelementptr inbounds nuw i8, ptr %retval.i, i64 8
  %size_at.i = getelementptr inbounds nuw i8, ptr %v1, i64 8
  %data13 = getelementptr inbounds nuw i8, ptr %free, i64 16
  %known = getelementptr inbounds nuw i8, ptr %v0, i64 24
  br label %for.body

if.then:
  %sub = xor i64 %i.09.i, -1
  br label %cleanup

for.body:
  %added.056 = phi i64 [ 0, %for.body.lr.ph ], [ %added.1, %if.end19 ]
  %i.055 = phi i64 [ 0, %for.body.lr.ph ], [ %inc22, %if.end19 ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %v2, i64 %i.055
  %v8 = load ptr, ptr %arrayidx, align 8
  %v9 = load i64, ptr %contents_at.i, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %v8, i64 %v9
  store ptr %add.ptr.i, ptr %retval.i, align 8
  store i64 0, ptr %count.i, align 8
  %v10 = load i64, ptr %size_at.i, align 8
  %add.ptr2.i = getelementptr inbounds i8, ptr %v8, i64 %v10
  %call.i = call ptr @memcpy(ptr %count.i, ptr %add.ptr2.i, i64 8)
  %.fca.0.load.i = load ptr, ptr %retval.i, align 8
  %.fca.1.load.i = load i64, ptr %count.i, align 8
  %call7 = call fastcc i64 @bytes_hash(ptr %v0, ptr %.fca.0.load.i, i64 %.fca.1.load.i)
  %v11 = load ptr, ptr %v0, align 8
  %call8 = call fastcc i64 @slot_of_bytes(ptr %v0, ptr %v1, i64 %call7, ptr %.fca.0.load.i, i64 %.fca.1.load.i, i64 %call7)
  %add.ptr = getelementptr inbounds nuw { i64, i64 }, ptr %v11, i64 %call8
  %row = getelementptr inbounds nuw i8, ptr %add.ptr, i64 8
  %v12 = load i64, ptr %row, align 8
  %cmp9 = icmp eq i64 %v12, -1
  br i1 %cmp9, label %if.then10, label %if.end19

if.then10:
  %v13 = load ptr, ptr %data13, align 8
  %free_count.i = getelementptr inbounds nuw i8, ptr %v13, i64 8
  %v14 = load i64, ptr %free_count.i, align 8
  %tobool.not.i = icmp eq i64 %v14, 0
  br i1 %tobool.not.i, label %cond.false.i, label %cond.true.i

cond.true.i:
  %v15 = load ptr, ptr %v13, align 8
  %dec.i = add i64 %v14, -1
  store i64 %dec.i, ptr %free_count.i, align 8
  %arrayidx.i52 = getelementptr inbounds i64, ptr %v15, i64 %dec.i
  %v16 = load i64, ptr %arrayidx.i52, align 8
  br label %new_row.exit

cond.false.i:
  %used.i = getelementptr inbounds nuw i8, ptr %v13, i64 16
  %v17 = load i64, ptr %used.i, align 8
  %inc.i53 = add i64 %v17, 1
  store i64 %inc.i53, ptr %used.i, align 8
  br label %new_row.exit

new_row.exit:
  %cond.i = phi i64 [ %v16, %cond.true.i ], [ %v17, %cond.false.i ]
  store i64 %call7, ptr %add.ptr, align 8
  store i64 %cond.i, ptr %row, align 8
  %v18 = load ptr, ptr %arrayidx, align 8
  %v19 = load ptr, ptr %known, align 8
  %arrayidx17 = getelementptr inbounds ptr, ptr %v19, i64 %cond.i
  store ptr %v18, ptr %arrayidx17, align 8
  %inc = add i64 %added.056, 1
  %arrayidx18 = getelementptr inbounds i64, ptr %v4, i64 %added.056
  store i64 %i.055, ptr %arrayidx18, align 8
  %.pre = load i64, ptr %row, align 8
  br label %if.end19

if.end19:
  %v20 = phi i64 [ %.pre, %new_row.exit ], [ %v12, %for.body ]
  %added.1 = phi i64 [ %inc, %new_row.exit ], [ %added.056, %for.body ]
  %arrayidx21 = getelementptr inbounds nuw i64, ptr %v3, i64 %i.055
  store i64 %v20, ptr %arrayidx21, align 8
  %inc22 = add nuw nsw i64 %i.055, 1
  %exitcond.not = icmp eq i64 %inc22, %count
  br i1 %exitcond.not, label %cleanup, label %for.body

cleanup:
  %retval.0 = phi i64 [ %sub, %if.then ], [ 0, %entry ], [ %added.1, %if.end19 ]
  ret i64 %retval.0
}

define i64 @tfc_remove_strings(ptr %in, ptr %given, i64 %count, ptr %found, ptr %as) nounwind noimplicitfloat {
entry:
  %retval.i = alloca { ptr, i64 }, align 8
  %data.i = getelementptr inbounds nuw i8, ptr %in, i64 16
  %v0 = load ptr, ptr %data.i, align 8
  %data = getelementptr inbounds nuw i8, ptr %as, i64 16
  %v1 = load ptr, ptr %data, align 8
  %data1 = getelementptr inbounds nuw i8, ptr %given, i64 16
  %v2 = load ptr, ptr %data1, align 8
  %data2 = getelementptr inbounds nuw i8, ptr %found, i64 16
  %v3 = load ptr, ptr %data2, align 8
  %cmp8.i = icmp sgt i64 %count, 0
  br i1 %cmp8.i, label %for.body.lr.ph.i, label %cleanup20

for.body.lr.ph.i:
  %v4 = load ptr, ptr %v1, align 8
  br label %for.body.i

for.body.i:
  %i.09.i = phi i64 [ 0, %for.body.lr.ph.i ], [ %inc.i, %for.inc.i ]
  %arrayidx.i = getelementptr inbounds nuw ptr, ptr %v2, i64 %i.09.i
  %v5 = load ptr, ptr %arrayidx.i, align 8
  %type.i = getelementptr inbounds nuw i8, ptr %v5, i64 8
  %v6 = load ptr, ptr %type.i, align 8
  %cmp2.not.i = icmp eq ptr %v6, %v4
  br i1 %cmp2.not.i, label %for.inc.i, label %first_other.exit

for.inc.i:
  %inc.i = add nuw nsw i64 %i.09.i, 1
  %exitcond.not.i = icmp eq i64 %inc.i, %count
  br i1 %exitcond.not.i, label %for.body.lr.ph, label %for.body.i

first_other.exit:
  %cmp = icmp slt i64 %i.09.i, %count
  br i1 %cmp, label %if.then, label %for.body.lr.ph

for.body.lr.ph:
  %contents_at.i = getelementptr inbounds nuw i8, ptr %v1, i64 16
  %count.i = getelementptr inbounds nuw i8, ptr %retval.i, i64 8
  %size_at.i = getelementptr inbounds nuw i8, ptr %v1, i64 8
  br label %for.body

if.then:
  %sub = xor i64 %i.09.i, -1
  br label %cleanup20

for.body:
  %removed.046 = phi i64 [ 0, %for.body.lr.ph ], [ %removed.1, %cleanup ]
  %i.045 = phi i64 [ 0, %for.body.lr.ph ], [ %inc18, %cleanup ]
  %arrayidx = getelementptr inbounds nuw ptr, ptr %v2, i64 %i.045
  %v7 = load ptr, ptr %arrayidx, align 8
  %v8 = load i64, ptr %contents_at.i, align 8
  %add.ptr.i = getelementptr inbounds i8, ptr %v7, i64 %v8
  store ptr %add.ptr.i, ptr %retval.i, align 8
  store i64 0, ptr %count.i, align 8
  %v9 = load i64, ptr %size_at.i, align 8
  %add.ptr2.i = getelementptr inbounds i8, ptr %v7, i64 %v9
  %call.i = call ptr @memcpy(ptr %count.i, ptr %add.ptr2.i, i64 8)
  %.fca.0.load.i = load ptr, ptr %retval.i, align 8
  %.fca.1.load.i = load i64, ptr %count.i, align 8
  %call6 = call fastcc i64 @bytes_hash(ptr %v0, ptr %.fca.0.load.i, i64 %.fca.1.load.i)
  %call7 = call fastcc i64 @slot_of_bytes(ptr %v0, ptr %v1, i64 %call6, ptr %.fca.0.load.i, i64 %.fca.1.load.i, i64 %call6)
  %v10 = load ptr, ptr %v0, align 8
  %arrayidx8 = getelementptr inbounds nuw { i64, i64 }, ptr %v10, i64 %call7
  %row = getelementptr inbounds nuw i8, ptr %arrayidx8, i64 8
  %v11 = load i64, ptr %row, align 8
  %cmp9 = icmp eq i64 %v11, -1
  br i1 %cmp9, label %cleanup, label %if.end11

if.end11:
  %inc = add i64 %removed.046, 1
  %arrayidx15 = getelementptr inbounds i64, ptr %v3, i64 %removed.046
  store i64 %v11, ptr %arrayidx15, align 8
  call fastcc void @clear(ptr %v0, i64 %call7)
  br label %cleanup

cleanup:
  %removed.1 = phi i64 [ %inc, %if.end11 ], [ %removed.046, %for.body ]
  %inc18 = add nuw nsw i64 %i.045, 1
  %exitcond.not = icmp eq i64 %inc18, %count
  br i1 %exitcond.not, label %cleanup20, label %for.body

cleanup20:
  %retval.0 = phi i64 [ %sub, %if.then ], [ 0, %entry ], [ %removed.1, %cleanup ]
  ret i64 %retval.0
}

declare ptr @memcpy(ptr, ptr, i64)

declare i32 @memcmp(ptr, ptr, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)
