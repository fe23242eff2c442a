; Made of records.c by `make runtime`: change that instead.
; source 1545411d685e3ce17e8077e3a32316e5c2a114a129abe87c6a9ef6cd6849f02d
; text 2ad11ed9bdf546fafabe099f9171812b416cc61343a3f569fe3bbc52789da4a9

define i32 @tfc_crc32c(ptr %tables, i32 %crc, ptr %data, i64 %count) nounwind noimplicitfloat {
entry:
  %word = alloca i64, align 8
  %not = xor i32 %crc, -1
  %cmp66 = icmp sgt i64 %count, 7
  br i1 %cmp66, label %for.body.lr.ph, label %for.cond35.preheader

for.body.lr.ph:
  %arrayidx = getelementptr inbounds nuw i8, ptr %tables, i64 7168
  %arrayidx2 = getelementptr inbounds nuw i8, ptr %tables, i64 6144
  %arrayidx6 = getelementptr inbounds nuw i8, ptr %tables, i64 5120
  %arrayidx11 = getelementptr inbounds nuw i8, ptr %tables, i64 4096
  %arrayidx16 = getelementptr inbounds nuw i8, ptr %tables, i64 3072
  %arrayidx21 = getelementptr inbounds nuw i8, ptr %tables, i64 2048
  %arrayidx26 = getelementptr inbounds nuw i8, ptr %tables, i64 1024
  br label %for.body

for.cond35.preheader:
  %crc.addr.0.lcssa = phi i32 [ %not, %entry ], [ %xor34, %for.body ]
  %data.addr.0.lcssa = phi ptr [ %data, %entry ], [ %add.ptr, %for.body ]
  %count.addr.0.lcssa = phi i64 [ %count, %entry ], [ %sub, %for.body ]
  %cmp3672 = icmp sgt i64 %count.addr.0.lcssa, 0
  br i1 %cmp3672, label %for.body38, label %for.end47

for.body:
  %count.addr.069 = phi i64 [ %count, %for.body.lr.ph ], [ %sub, %for.body ]
  %data.addr.068 = phi ptr [ %data, %for.body.lr.ph ], [ %add.ptr, %for.body ]
  %crc.addr.067 = phi i32 [ %not, %for.body.lr.ph ], [ %xor34, %for.body ]
  %call = call ptr @memcpy(ptr %word, ptr %data.addr.068, i64 8)
  %conv = zext i32 %crc.addr.067 to i64
  %v0 = load i64, ptr %word, align 8
  %xor = xor i64 %v0, %conv
  %and = and i64 %xor, 255
  %arrayidx1 = getelementptr inbounds nuw i32, ptr %arrayidx, i64 %and
  %v1 = load i32, ptr %arrayidx1, align 4
  %shr = lshr i64 %xor, 8
  %and3 = and i64 %shr, 255
  %arrayidx4 = getelementptr inbounds nuw i32, ptr %arrayidx2, i64 %and3
  %v2 = load i32, ptr %arrayidx4, align 4
  %xor5 = xor i32 %v2, %v1
  %shr7 = lshr i64 %xor, 16
  %and8 = and i64 %shr7, 255
  %arrayidx9 = getelementptr inbounds nuw i32, ptr %arrayidx6, i64 %and8
  %v3 = load i32, ptr %arrayidx9, align 4
  %xor10 = xor i32 %xor5, %v3
  %shr12 = lshr i64 %xor, 24
  %and13 = and i64 %shr12, 255
  %arrayidx14 = getelementptr inbounds nuw i32, ptr %arrayidx11, i64 %and13
  %v4 = load i32, ptr %arrayidx14, align 4
  %xor15 = xor i32 %xor10, %v4
  %shr17 = lshr i64 %v0, 32
  %and18 = and i64 %shr17, 255
  %arrayidx19 = getelementptr inbounds nuw i32, ptr %arrayidx16, i64 %and18
  %v5 = load i32, ptr %arrayidx19, align 4
  %xor20 = xor i32 %xor15, %v5
  %shr22 = lshr i64 %v0, 40
  %and23 = and i64 %shr22, 255
  %arrayidx24 = getelementptr inbounds nuw i32, ptr %arrayidx21, i64 %and23
  %v6 = load i32, ptr %arrayidx24, align 4
  %xor25 = xor i32 %xor20, %v6
  %shr27 = lshr i64 %v0, 48
  %and28 = and i64 %shr27, 255
  %arrayidx29 = getelementptr inbounds nuw i32, ptr %arrayidx26, i64 %and28
  %v7 = load i32, ptr %arrayidx29, align 4
  %xor30 = xor i32 %xor25, %v7
  %shr32 = lshr i64 %v0, 56
  %arrayidx33 = getelementptr inbounds nuw i32, ptr %tables, i64 %shr32
  %v8 = load i32, ptr %arrayidx33, align 4
  %xor34 = xor i32 %xor30, %v8
  %sub = add nsw i64 %count.addr.069, -8
  %add.ptr = getelementptr inbounds nuw i8, ptr %data.addr.068, i64 8
  %cmp = icmp samesign ugt i64 %count.addr.069, 15
  br i1 %cmp, label %for.body, label %for.cond35.preheader

for.body38:
  %count.addr.175 = phi i64 [ %dec, %for.body38 ], [ %count.addr.0.lcssa, %for.cond35.preheader ]
  %data.addr.174 = phi ptr [ %incdec.ptr, %for.body38 ], [ %data.addr.0.lcssa, %for.cond35.preheader ]
  %crc.addr.173 = phi i32 [ %xor45, %for.body38 ], [ %crc.addr.0.lcssa, %for.cond35.preheader ]
  %shr39 = lshr i32 %crc.addr.173, 8
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %data.addr.174, i64 1
  %v9 = load i8, ptr %data.addr.174, align 1
  %crc.addr.1.tr = trunc i32 %crc.addr.173 to i8
  %xor42.narrow = xor i8 %v9, %crc.addr.1.tr
  %idxprom = zext i8 %xor42.narrow to i64
  %arrayidx44 = getelementptr inbounds nuw i32, ptr %tables, i64 %idxprom
  %v10 = load i32, ptr %arrayidx44, align 4
  %xor45 = xor i32 %v10, %shr39
  %dec = add nsw i64 %count.addr.175, -1
  %cmp36 = icmp samesign ugt i64 %count.addr.175, 1
  br i1 %cmp36, label %for.body38, label %for.end47

for.end47:
  %crc.addr.1.lcssa = phi i32 [ %crc.addr.0.lcssa, %for.cond35.preheader ], [ %xor45, %for.body38 ]
  %not48 = xor i32 %crc.addr.1.lcssa, -1
  ret i32 %not48
}

declare ptr @memcpy(ptr, ptr, i64)

define i64 @tfc_records(ptr %tables, ptr %data, i64 %count, ptr %found, i64 %capacity, ptr %used, ptr %wanted, ptr %wrong) nounwind noimplicitfloat {
entry:
  %word.i61 = alloca i32, align 4
  %word.i = alloca i32, align 4
  %length = alloca i64, align 8
  store i64 12, ptr %wanted, align 8
  store i64 0, ptr %wrong, align 8
  %cmp76 = icmp sgt i64 %capacity, 0
  %cmp177 = icmp sgt i64 %count, 11
  %v0 = and i1 %cmp76, %cmp177
  br i1 %v0, label %while.body, label %while.end

while.body:
  %sub80 = phi i64 [ %sub, %cleanup31 ], [ %count, %entry ]
  %at.079 = phi i64 [ %add30, %cleanup31 ], [ 0, %entry ]
  %records.078 = phi i64 [ %inc, %cleanup31 ], [ 0, %entry ]
  %add.ptr = getelementptr inbounds i8, ptr %data, i64 %at.079
  %call = call ptr @memcpy(ptr %length, ptr %add.ptr, i64 8)
  %call3 = call i32 @tfc_crc32c(ptr %tables, i32 0, ptr %add.ptr, i64 8)
  %or.i = call i32 @llvm.fshl.i32(i32 %call3, i32 %call3, i32 17)
  %add.i = add i32 %or.i, -1568478504
  %add.ptr6 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 8
  %call.i = call ptr @memcpy(ptr %word.i, ptr %add.ptr6, i64 4)
  %v1 = load i32, ptr %word.i, align 4
  %cmp8 = icmp ne i32 %add.i, %v1
  %v2 = load i64, ptr %length, align 8
  %v3 = icmp ugt i64 %v2, 9223372036854775791
  %or.cond34 = select i1 %cmp8, i1 true, i1 %v3
  br i1 %or.cond34, label %cleanup31.thread.sink.split, label %if.end

if.end:
  %add12 = add nuw nsw i64 %v2, 16
  store i64 %add12, ptr %wanted, align 8
  %cmp14 = icmp samesign ult i64 %sub80, %add12
  br i1 %cmp14, label %cleanup31.thread, label %if.end16

if.end16:
  %add.ptr18 = getelementptr inbounds nuw i8, ptr %add.ptr, i64 12
  %call19 = call i32 @tfc_crc32c(ptr %tables, i32 0, ptr %add.ptr18, i64 %v2)
  %or.i59 = call i32 @llvm.fshl.i32(i32 %call19, i32 %call19, i32 17)
  %add.i60 = add i32 %or.i59, -1568478504
  %v4 = load i64, ptr %length, align 8
  %add.ptr21 = getelementptr inbounds i8, ptr %add.ptr18, i64 %v4
  %call.i62 = call ptr @memcpy(ptr %word.i61, ptr %add.ptr21, i64 4)
  %v5 = load i32, ptr %word.i61, align 4
  %cmp23.not = icmp eq i32 %add.i60, %v5
  br i1 %cmp23.not, label %cleanup31, label %cleanup31.thread.sink.split

cleanup31.thread.sink.split:
  %.sink = phi i64 [ 1, %while.body ], [ 2, %if.end16 ]
  store i64 %.sink, ptr %wrong, align 8
  br label %cleanup31.thread

cleanup31.thread:
  br label %while.end

cleanup31:
  %add26 = add i64 %at.079, 12
  %arrayidx = getelementptr inbounds nuw [2 x i64], ptr %found, i64 %records.078
  store i64 %add26, ptr %arrayidx, align 8
  %v6 = load i64, ptr %length, align 8
  %inc = add nuw nsw i64 %records.078, 1
  %arrayidx29 = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i64 %v6, ptr %arrayidx29, align 8
  %v7 = load i64, ptr %wanted, align 8
  %add30 = add i64 %v7, %at.079
  store i64 12, ptr %wanted, align 8
  %cmp = icmp slt i64 %inc, %capacity
  %sub = sub i64 %count, %add30
  %cmp1 = icmp sgt i64 %sub, 11
  %v8 = select i1 %cmp, i1 %cmp1, i1 false
  br i1 %v8, label %while.body, label %while.end

while.end:
  %records.074 = phi i64 [ %records.078, %cleanup31.thread ], [ 0, %entry ], [ %inc, %cleanup31 ]
  %at.069 = phi i64 [ %at.079, %cleanup31.thread ], [ 0, %entry ], [ %add30, %cleanup31 ]
  store i64 %at.069, ptr %used, align 8
  ret i64 %records.074
}

declare i32 @llvm.fshl.i32(i32, i32, i32)
