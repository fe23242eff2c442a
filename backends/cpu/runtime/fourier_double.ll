; Made of fourier_double.c by `make runtime`: change that instead.
; source 4b990a664ef57d2fa4b7d9a859a20033f2ac8363c0037970ee7a73e439dc3797
; text 34f7923a66848ecec98001df7c28355225e76a38400936423c5097955ba58dfb

define i64 @tfc_fourier_double(ptr %v0, ptr %v1, ptr %v2, i64 %v3, i64 %v4, i64 %v5, double %v6, i64 %v7) nounwind {
v8:
  %v9 = alloca { ptr, ptr, ptr, i64, i64, i64, double, i8, i8 }, align 8
  store ptr %v0, ptr %v9, align 8
  %v10 = getelementptr inbounds nuw i8, ptr %v9, i64 8
  store ptr %v1, ptr %v10, align 8
  %v11 = getelementptr inbounds nuw i8, ptr %v9, i64 16
  store ptr %v2, ptr %v11, align 8
  %v12 = getelementptr inbounds nuw i8, ptr %v9, i64 24
  store i64 %v3, ptr %v12, align 8
  %v13 = getelementptr inbounds nuw i8, ptr %v9, i64 32
  store i64 %v4, ptr %v13, align 8
  %v14 = getelementptr inbounds nuw i8, ptr %v9, i64 40
  store i64 %v5, ptr %v14, align 8
  %v15 = getelementptr inbounds nuw i8, ptr %v9, i64 48
  store double %v6, ptr %v15, align 8
  %v16 = getelementptr inbounds nuw i8, ptr %v9, i64 56
  %v17 = icmp ne i64 %v7, 0
  %v18 = zext i1 %v17 to i8
  store i8 %v18, ptr %v16, align 8
  %v19 = getelementptr inbounds nuw i8, ptr %v9, i64 57
  store i8 0, ptr %v19, align 1
  %v20 = getelementptr inbounds nuw i8, ptr %v9, i64 58
  call void @llvm.memset.p0.i64(ptr align 2 %v20, i8 0, i64 6, i1 false)
  %v21 = load i64, ptr %v0, align 8
  %v22 = icmp eq i64 %v4, 1
  %v23 = select i1 %v22, i64 %v3, i64 %v4
  %v24 = select i1 %v22, i64 1, i64 %v3
  %v25 = add i64 %v5, -1
  %v26 = add i64 %v25, %v23
  %v27 = sdiv i64 %v26, %v5
  %v28 = mul i64 %v4, %v3
  %v29 = mul i64 %v28, %v21
  %v30 = mul i64 %v27, %v24
  %v31 = icmp eq i64 %v5, 1
  %v32 = select i1 %v31, ptr @complex_rows, ptr @complex_panels
  call void @tfc_parallel(ptr %v32, ptr %v9, i64 %v30, i64 %v29)
  %v33 = load atomic i8, ptr %v19 seq_cst, align 1
  %v34 = and i8 %v33, 1
  %v35 = xor i8 %v34, 1
  %v36 = zext nneg i8 %v35 to i64
  ret i64 %v36
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal void @complex_rows(ptr %v0, i64 %v1, i64 %v2) nounwind {
v3:
  %v4 = alloca { ptr, ptr, ptr, ptr }, align 8
  %v5 = alloca ptr, align 8
  %v6 = load ptr, ptr %v0, align 8
  %v7 = load i64, ptr %v6, align 8
  %v8 = add i64 %v7, 1
  %v9 = getelementptr inbounds nuw i8, ptr %v0, i64 40
  %v10 = load i64, ptr %v9, align 8
  %v11 = mul i64 %v8, %v10
  %v12 = add i64 %v11, 7
  %v13 = sdiv i64 %v12, 8
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 57
  store atomic i8 1, ptr %v18 seq_cst, align 1
  br label %v96

v19:
  %v20 = load ptr, ptr %v5, align 8
  %v21 = shl nsw i64 %v13, 6
  %v22 = getelementptr inbounds i8, ptr %v20, i64 %v21
  %v23 = shl i64 %v13, 7
  %v24 = getelementptr inbounds i8, ptr %v20, i64 %v23
  %v25 = mul i64 %v13, 192
  %v26 = getelementptr inbounds i8, ptr %v20, i64 %v25
  %v27 = icmp slt i64 %v1, %v2
  br i1 %v27, label %v28, label %v38

v28:
  %v29 = getelementptr inbounds nuw i8, ptr %v4, i64 8
  %v30 = getelementptr inbounds nuw i8, ptr %v4, i64 16
  %v31 = getelementptr inbounds nuw i8, ptr %v4, i64 24
  %v32 = getelementptr inbounds nuw i8, ptr %v0, i64 56
  %v33 = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v34 = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v35 = getelementptr inbounds nuw i8, ptr %v0, i64 16
  br label %v40

v36:
  %v37 = load ptr, ptr %v5, align 8
  br label %v38

v38:
  %v39 = phi ptr [ %v37, %v36 ], [ %v20, %v19 ]
  call void @free(ptr %v39)
  br label %v96

v40:
  %v41 = phi i64 [ %v1, %v28 ], [ %v94, %v93 ]
  store ptr %v20, ptr %v4, align 8
  store ptr %v22, ptr %v29, align 8
  store ptr %v24, ptr %v30, align 8
  store ptr %v26, ptr %v31, align 8
  %v42 = load ptr, ptr %v0, align 8
  %v43 = load i64, ptr %v42, align 8
  %v44 = load i8, ptr %v32, align 8
  %v45 = trunc nuw i8 %v44 to i1
  %v46 = load ptr, ptr %v33, align 8
  %v47 = shl i64 %v43, 1
  %v48 = mul i64 %v47, %v41
  %v49 = getelementptr inbounds double, ptr %v46, i64 %v48
  call fastcc void @row(ptr %v42, i1 %v45, ptr %v49, ptr %v4)
  %v50 = load ptr, ptr %v29, align 8
  %v51 = load ptr, ptr %v4, align 8
  %v52 = select i1 %v45, ptr %v50, ptr %v51
  %v53 = select i1 %v45, ptr %v51, ptr %v50
  %v54 = load double, ptr %v34, align 8
  %v55 = load ptr, ptr %v35, align 8
  %v56 = getelementptr inbounds double, ptr %v55, i64 %v48
  %v57 = icmp slt i64 %v43, 4
  br i1 %v57, label %v61, label %v58

v58:
  %v59 = insertelement <4 x double> poison, double %v54, i64 0
  %v60 = shufflevector <4 x double> %v59, <4 x double> poison, <4 x i32> zeroinitializer
  br label %v64

v61:
  %v62 = phi i64 [ 0, %v40 ], [ %v65, %v64 ]
  %v63 = icmp slt i64 %v62, %v43
  br i1 %v63, label %v80, label %v93

v64:
  %v65 = phi i64 [ 4, %v58 ], [ %v78, %v64 ]
  %v66 = phi i64 [ 0, %v58 ], [ %v65, %v64 ]
  %v67 = shl i64 %v66, 4
  %v68 = getelementptr inbounds i8, ptr %v56, i64 %v67
  %v69 = getelementptr inbounds double, ptr %v52, i64 %v66
  %v70 = load <4 x double>, ptr %v69, align 8
  %v71 = fmul <4 x double> %v60, %v70
  %v72 = getelementptr inbounds double, ptr %v53, i64 %v66
  %v73 = load <4 x double>, ptr %v72, align 8
  %v74 = fmul <4 x double> %v60, %v73
  %v75 = shufflevector <4 x double> %v71, <4 x double> %v74, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %v75, ptr %v68, align 8
  %v76 = getelementptr inbounds nuw i8, ptr %v68, i64 32
  %v77 = shufflevector <4 x double> %v71, <4 x double> %v74, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  store <4 x double> %v77, ptr %v76, align 8
  %v78 = add i64 %v65, 4
  %v79 = icmp sgt i64 %v78, %v43
  br i1 %v79, label %v61, label %v64

v80:
  %v81 = phi i64 [ %v91, %v80 ], [ %v62, %v61 ]
  %v82 = getelementptr inbounds double, ptr %v52, i64 %v81
  %v83 = load double, ptr %v82, align 8
  %v84 = fmul double %v54, %v83
  %v85 = shl i64 %v81, 4
  %v86 = getelementptr inbounds i8, ptr %v56, i64 %v85
  store double %v84, ptr %v86, align 8
  %v87 = getelementptr inbounds double, ptr %v53, i64 %v81
  %v88 = load double, ptr %v87, align 8
  %v89 = fmul double %v54, %v88
  %v90 = getelementptr i8, ptr %v86, i64 8
  store double %v89, ptr %v90, align 8
  %v91 = add nsw i64 %v81, 1
  %v92 = icmp eq i64 %v91, %v43
  br i1 %v92, label %v93, label %v80

v93:
  %v94 = add i64 %v41, 1
  %v95 = icmp eq i64 %v94, %v2
  br i1 %v95, label %v36, label %v40

v96:
  ret void
}

define internal void @complex_panels(ptr %v0, i64 %v1, i64 %v2) nounwind {
v3:
  %v4 = alloca { ptr, ptr, ptr, ptr }, align 8
  %v5 = alloca ptr, align 8
  %v6 = load ptr, ptr %v0, align 8
  %v7 = load i64, ptr %v6, align 8
  %v8 = add i64 %v7, 1
  %v9 = getelementptr inbounds nuw i8, ptr %v0, i64 40
  %v10 = load i64, ptr %v9, align 8
  %v11 = mul i64 %v8, %v10
  %v12 = add i64 %v11, 7
  %v13 = sdiv i64 %v12, 8
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 57
  store atomic i8 1, ptr %v18 seq_cst, align 1
  br label %v83

v19:
  %v20 = load ptr, ptr %v5, align 8
  %v21 = shl nsw i64 %v13, 6
  %v22 = getelementptr inbounds i8, ptr %v20, i64 %v21
  %v23 = shl i64 %v13, 7
  %v24 = getelementptr inbounds i8, ptr %v20, i64 %v23
  %v25 = mul i64 %v13, 192
  %v26 = getelementptr inbounds i8, ptr %v20, i64 %v25
  %v27 = icmp slt i64 %v1, %v2
  br i1 %v27, label %v28, label %v40

v28:
  %v29 = getelementptr inbounds nuw i8, ptr %v4, i64 8
  %v30 = getelementptr inbounds nuw i8, ptr %v4, i64 16
  %v31 = getelementptr inbounds nuw i8, ptr %v4, i64 24
  %v32 = getelementptr inbounds nuw i8, ptr %v0, i64 32
  %v33 = getelementptr inbounds nuw i8, ptr %v0, i64 56
  %v34 = getelementptr inbounds nuw i8, ptr %v0, i64 24
  %v35 = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v36 = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v37 = getelementptr inbounds nuw i8, ptr %v0, i64 16
  br label %v42

v38:
  %v39 = load ptr, ptr %v5, align 8
  br label %v40

v40:
  %v41 = phi ptr [ %v39, %v38 ], [ %v20, %v19 ]
  call void @free(ptr %v41)
  br label %v83

v42:
  %v43 = phi i64 [ %v1, %v28 ], [ %v81, %v52 ]
  store ptr %v20, ptr %v4, align 8
  store ptr %v22, ptr %v29, align 8
  store ptr %v24, ptr %v30, align 8
  store ptr %v26, ptr %v31, align 8
  %v44 = load ptr, ptr %v0, align 8
  %v45 = load i64, ptr %v44, align 8
  %v46 = load i64, ptr %v9, align 8
  %v47 = load i64, ptr %v32, align 8
  %v48 = load i8, ptr %v33, align 8
  %v49 = icmp eq i64 %v47, 1
  br i1 %v49, label %v50, label %v52

v50:
  %v51 = load i64, ptr %v34, align 8
  br label %v52

v52:
  %v53 = phi i64 [ %v51, %v50 ], [ %v47, %v42 ]
  %v54 = phi i64 [ %v45, %v50 ], [ 1, %v42 ]
  %v55 = trunc nuw i8 %v48 to i1
  %v56 = add i64 %v46, -1
  %v57 = add i64 %v56, %v53
  %v58 = sdiv i64 %v57, %v46
  %v59 = sdiv i64 %v43, %v58
  %v60 = srem i64 %v43, %v58
  %v61 = mul i64 %v60, %v46
  %v62 = mul i64 %v53, %v45
  %v63 = mul i64 %v62, %v59
  %v64 = mul i64 %v61, %v54
  %v65 = add i64 %v64, %v63
  %v66 = shl i64 %v65, 1
  %v67 = sub i64 %v53, %v61
  %v68 = call i64 @llvm.smin.i64(i64 %v67, i64 %v46)
  %v69 = load ptr, ptr %v35, align 8
  %v70 = getelementptr inbounds double, ptr %v69, i64 %v66
  %v71 = select i1 %v55, ptr %v22, ptr %v20
  %v72 = select i1 %v55, ptr %v20, ptr %v22
  call fastcc void @gather(ptr %v70, i64 %v45, i64 %v47, i64 %v54, i64 %v68, i64 %v46, ptr %v71, ptr %v72)
  %v73 = load ptr, ptr %v0, align 8
  call fastcc void @passes(ptr %v73, i64 0, i64 %v46, ptr %v4)
  %v74 = load ptr, ptr %v29, align 8
  %v75 = load ptr, ptr %v4, align 8
  %v76 = select i1 %v55, ptr %v74, ptr %v75
  %v77 = select i1 %v55, ptr %v75, ptr %v74
  %v78 = load double, ptr %v36, align 8
  %v79 = load ptr, ptr %v37, align 8
  %v80 = getelementptr inbounds double, ptr %v79, i64 %v66
  call fastcc void @scatter(ptr %v76, ptr %v77, i64 %v45, double %v78, i64 %v47, i64 %v54, i64 %v68, i64 %v46, ptr %v80)
  %v81 = add i64 %v43, 1
  %v82 = icmp eq i64 %v81, %v2
  br i1 %v82, label %v38, label %v42

v83:
  ret void
}

define i64 @tfc_fourier_forward_double(ptr %v0, ptr %v1, ptr %v2, i64 %v3, i64 %v4, double %v5) nounwind {
v6:
  %v7 = alloca { ptr, ptr, ptr, i64, i64, i64, double, i8, i8 }, align 8
  store ptr %v0, ptr %v7, align 8
  %v8 = getelementptr inbounds nuw i8, ptr %v7, i64 8
  store ptr %v1, ptr %v8, align 8
  %v9 = getelementptr inbounds nuw i8, ptr %v7, i64 16
  store ptr %v2, ptr %v9, align 8
  %v10 = getelementptr inbounds nuw i8, ptr %v7, i64 24
  store i64 %v3, ptr %v10, align 8
  %v11 = getelementptr inbounds nuw i8, ptr %v7, i64 32
  store i64 1, ptr %v11, align 8
  %v12 = getelementptr inbounds nuw i8, ptr %v7, i64 40
  store i64 %v4, ptr %v12, align 8
  %v13 = getelementptr inbounds nuw i8, ptr %v7, i64 48
  store double %v5, ptr %v13, align 8
  %v14 = getelementptr inbounds nuw i8, ptr %v7, i64 56
  store i8 0, ptr %v14, align 8
  %v15 = getelementptr inbounds nuw i8, ptr %v7, i64 57
  store i8 0, ptr %v15, align 1
  %v16 = getelementptr inbounds nuw i8, ptr %v7, i64 58
  call void @llvm.memset.p0.i64(ptr align 2 %v16, i8 0, i64 6, i1 false)
  %v17 = load i64, ptr %v0, align 8
  %v18 = add i64 %v3, -1
  %v19 = add i64 %v18, %v4
  %v20 = sdiv i64 %v19, %v4
  %v21 = mul i64 %v17, %v3
  %v22 = icmp eq i64 %v4, 1
  %v23 = select i1 %v22, ptr @forward_rows, ptr @forward_panels
  call void @tfc_parallel(ptr %v23, ptr %v7, i64 %v20, i64 %v21)
  %v24 = load atomic i8, ptr %v15 seq_cst, align 1
  %v25 = and i8 %v24, 1
  %v26 = xor i8 %v25, 1
  %v27 = zext nneg i8 %v26 to i64
  ret i64 %v27
}

define internal void @forward_rows(ptr %v0, i64 %v1, i64 %v2) nounwind {
v3:
  %v4 = alloca { ptr, ptr, ptr, ptr }, align 8
  %v5 = alloca ptr, align 8
  %v6 = load ptr, ptr %v0, align 8
  %v7 = load i64, ptr %v6, align 8
  %v8 = add i64 %v7, 1
  %v9 = getelementptr inbounds nuw i8, ptr %v0, i64 40
  %v10 = load i64, ptr %v9, align 8
  %v11 = mul i64 %v8, %v10
  %v12 = add i64 %v11, 7
  %v13 = sdiv i64 %v12, 8
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 57
  store atomic i8 1, ptr %v18 seq_cst, align 1
  br label %v153

v19:
  %v20 = load ptr, ptr %v5, align 8
  %v21 = shl nsw i64 %v13, 6
  %v22 = getelementptr inbounds i8, ptr %v20, i64 %v21
  %v23 = shl i64 %v13, 7
  %v24 = getelementptr inbounds i8, ptr %v20, i64 %v23
  %v25 = mul i64 %v13, 192
  %v26 = getelementptr inbounds i8, ptr %v20, i64 %v25
  %v27 = icmp slt i64 %v1, %v2
  br i1 %v27, label %v28, label %v37

v28:
  %v29 = getelementptr inbounds nuw i8, ptr %v4, i64 8
  %v30 = getelementptr inbounds nuw i8, ptr %v4, i64 16
  %v31 = getelementptr inbounds nuw i8, ptr %v4, i64 24
  %v32 = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v33 = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v34 = getelementptr inbounds nuw i8, ptr %v0, i64 16
  br label %v39

v35:
  %v36 = load ptr, ptr %v5, align 8
  br label %v37

v37:
  %v38 = phi ptr [ %v36, %v35 ], [ %v20, %v19 ]
  call void @free(ptr %v38)
  br label %v153

v39:
  %v40 = phi i64 [ %v1, %v28 ], [ %v151, %v150 ]
  store ptr %v20, ptr %v4, align 8
  store ptr %v22, ptr %v29, align 8
  store ptr %v24, ptr %v30, align 8
  store ptr %v26, ptr %v31, align 8
  %v41 = load ptr, ptr %v0, align 8
  %v42 = load i64, ptr %v41, align 8
  %v43 = load ptr, ptr %v32, align 8
  %v44 = shl i64 %v40, 1
  %v45 = mul i64 %v42, %v44
  %v46 = getelementptr inbounds double, ptr %v43, i64 %v45
  call fastcc void @row(ptr %v41, i1 false, ptr %v46, ptr %v4)
  %v47 = load ptr, ptr %v4, align 8
  %v48 = load double, ptr %v47, align 8
  %v49 = getelementptr inbounds double, ptr %v47, i64 %v42
  store double %v48, ptr %v49, align 8
  %v50 = load ptr, ptr %v29, align 8
  %v51 = load double, ptr %v50, align 8
  %v52 = getelementptr inbounds double, ptr %v50, i64 %v42
  store double %v51, ptr %v52, align 8
  %v53 = load ptr, ptr %v0, align 8
  %v54 = add i64 %v42, 1
  %v55 = load double, ptr %v33, align 8
  %v56 = load ptr, ptr %v34, align 8
  %v57 = mul i64 %v54, %v44
  %v58 = getelementptr inbounds double, ptr %v56, i64 %v57
  %v59 = load i64, ptr %v53, align 8
  %v60 = getelementptr inbounds nuw i8, ptr %v53, i64 40
  %v61 = load ptr, ptr %v60, align 8
  %v62 = getelementptr inbounds double, ptr %v61, i64 %v59
  %v63 = getelementptr inbounds nuw i8, ptr %v62, i64 8
  %v64 = icmp slt i64 %v54, 4
  br i1 %v64, label %v70, label %v65

v65:
  %v66 = getelementptr inbounds double, ptr %v47, i64 %v59
  %v67 = getelementptr inbounds double, ptr %v50, i64 %v59
  %v68 = insertelement <4 x double> poison, double %v55, i64 0
  %v69 = shufflevector <4 x double> %v68, <4 x double> poison, <4 x i32> zeroinitializer
  br label %v73

v70:
  %v71 = phi i64 [ 0, %v39 ], [ %v74, %v73 ]
  %v72 = icmp slt i64 %v71, %v54
  br i1 %v72, label %v115, label %v150

v73:
  %v74 = phi i64 [ 4, %v65 ], [ %v113, %v73 ]
  %v75 = phi i64 [ 0, %v65 ], [ %v74, %v73 ]
  %v76 = getelementptr inbounds double, ptr %v47, i64 %v75
  %v77 = load <4 x double>, ptr %v76, align 8
  %v78 = getelementptr inbounds double, ptr %v50, i64 %v75
  %v79 = load <4 x double>, ptr %v78, align 8
  %v80 = sub i64 0, %v75
  %v81 = getelementptr inbounds double, ptr %v66, i64 %v80
  %v82 = getelementptr inbounds i8, ptr %v81, i64 -24
  %v83 = load <4 x double>, ptr %v82, align 8
  %v84 = getelementptr inbounds double, ptr %v67, i64 %v80
  %v85 = getelementptr inbounds i8, ptr %v84, i64 -24
  %v86 = load <4 x double>, ptr %v85, align 8
  %v87 = shufflevector <4 x double> %v83, <4 x double> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %v88 = shufflevector <4 x double> %v86, <4 x double> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %v89 = getelementptr inbounds double, ptr %v61, i64 %v75
  %v90 = load <4 x double>, ptr %v89, align 8
  %v91 = getelementptr inbounds double, ptr %v63, i64 %v75
  %v92 = load <4 x double>, ptr %v91, align 8
  %v93 = fadd <4 x double> %v77, %v87
  %v94 = fsub <4 x double> %v79, %v88
  %v95 = fsub <4 x double> %v77, %v87
  %v96 = fadd <4 x double> %v79, %v88
  %v97 = fmul <4 x double> %v93, splat (double 5.000000e-01)
  %v98 = fmul <4 x double> %v94, splat (double 5.000000e-01)
  %v99 = fneg <4 x double> %v92
  %v100 = fmul <4 x double> %v96, %v99
  %v101 = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v95, <4 x double> %v90, <4 x double> %v100)
  %v102 = fmul <4 x double> %v95, %v92
  %v103 = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v96, <4 x double> %v90, <4 x double> %v102)
  %v104 = fadd <4 x double> %v97, %v101
  %v105 = fadd <4 x double> %v98, %v103
  %v106 = shl i64 %v75, 4
  %v107 = getelementptr inbounds i8, ptr %v58, i64 %v106
  %v108 = fmul <4 x double> %v69, %v104
  %v109 = fmul <4 x double> %v69, %v105
  %v110 = shufflevector <4 x double> %v108, <4 x double> %v109, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %v110, ptr %v107, align 8
  %v111 = getelementptr inbounds nuw i8, ptr %v107, i64 32
  %v112 = shufflevector <4 x double> %v108, <4 x double> %v109, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  store <4 x double> %v112, ptr %v111, align 8
  %v113 = add i64 %v74, 4
  %v114 = icmp sgt i64 %v113, %v54
  br i1 %v114, label %v70, label %v73

v115:
  %v116 = phi i64 [ %v148, %v115 ], [ %v71, %v70 ]
  %v117 = getelementptr inbounds double, ptr %v47, i64 %v116
  %v118 = load double, ptr %v117, align 8
  %v119 = getelementptr inbounds double, ptr %v50, i64 %v116
  %v120 = load double, ptr %v119, align 8
  %v121 = sub i64 %v59, %v116
  %v122 = getelementptr inbounds double, ptr %v47, i64 %v121
  %v123 = load double, ptr %v122, align 8
  %v124 = getelementptr inbounds double, ptr %v50, i64 %v121
  %v125 = load double, ptr %v124, align 8
  %v126 = getelementptr inbounds double, ptr %v61, i64 %v116
  %v127 = load double, ptr %v126, align 8
  %v128 = getelementptr inbounds double, ptr %v63, i64 %v116
  %v129 = load double, ptr %v128, align 8
  %v130 = fadd double %v118, %v123
  %v131 = fsub double %v120, %v125
  %v132 = fsub double %v118, %v123
  %v133 = fadd double %v120, %v125
  %v134 = fmul double %v130, 5.000000e-01
  %v135 = fmul double %v131, 5.000000e-01
  %v136 = fneg double %v129
  %v137 = fmul double %v133, %v136
  %v138 = call double @llvm.fmuladd.f64(double %v132, double %v127, double %v137)
  %v139 = fmul double %v132, %v129
  %v140 = call double @llvm.fmuladd.f64(double %v133, double %v127, double %v139)
  %v141 = fadd double %v135, %v140
  %v142 = fadd double %v134, %v138
  %v143 = fmul double %v55, %v142
  %v144 = shl i64 %v116, 4
  %v145 = getelementptr inbounds i8, ptr %v58, i64 %v144
  store double %v143, ptr %v145, align 8
  %v146 = fmul double %v55, %v141
  %v147 = getelementptr i8, ptr %v145, i64 8
  store double %v146, ptr %v147, align 8
  %v148 = add nsw i64 %v116, 1
  %v149 = icmp eq i64 %v116, %v42
  br i1 %v149, label %v150, label %v115

v150:
  %v151 = add i64 %v40, 1
  %v152 = icmp eq i64 %v151, %v2
  br i1 %v152, label %v35, label %v39

v153:
  ret void
}

define internal void @forward_panels(ptr %v0, i64 %v1, i64 %v2) nounwind {
v3:
  %v4 = alloca [4 x <4 x double>], align 32
  %v5 = alloca [4 x <4 x double>], align 32
  %v6 = alloca { ptr, ptr, ptr, ptr }, align 8
  %v7 = alloca ptr, align 8
  %v8 = load ptr, ptr %v0, align 8
  %v9 = load i64, ptr %v8, align 8
  %v10 = add i64 %v9, 1
  %v11 = getelementptr inbounds nuw i8, ptr %v0, i64 40
  %v12 = load i64, ptr %v11, align 8
  %v13 = mul i64 %v10, %v12
  %v14 = add i64 %v13, 7
  %v15 = sdiv i64 %v14, 8
  store ptr null, ptr %v7, align 8
  %v16 = shl i64 %v15, 8
  %v17 = call i32 @posix_memalign(ptr %v7, i64 64, i64 %v16)
  %v18 = icmp eq i32 %v17, 0
  br i1 %v18, label %v21, label %v19

v19:
  %v20 = getelementptr inbounds nuw i8, ptr %v0, i64 57
  store atomic i8 1, ptr %v20 seq_cst, align 1
  br label %v277

v21:
  %v22 = load ptr, ptr %v7, align 8
  %v23 = shl nsw i64 %v15, 6
  %v24 = getelementptr inbounds i8, ptr %v22, i64 %v23
  %v25 = shl i64 %v15, 7
  %v26 = getelementptr inbounds i8, ptr %v22, i64 %v25
  %v27 = mul i64 %v15, 192
  %v28 = getelementptr inbounds i8, ptr %v22, i64 %v27
  %v29 = icmp slt i64 %v1, %v2
  br i1 %v29, label %v30, label %v46

v30:
  %v31 = getelementptr inbounds nuw i8, ptr %v6, i64 8
  %v32 = getelementptr inbounds nuw i8, ptr %v6, i64 16
  %v33 = getelementptr inbounds nuw i8, ptr %v6, i64 24
  %v34 = getelementptr inbounds nuw i8, ptr %v0, i64 24
  %v35 = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v36 = getelementptr inbounds nuw i8, ptr %v4, i64 32
  %v37 = getelementptr inbounds nuw i8, ptr %v4, i64 64
  %v38 = getelementptr inbounds nuw i8, ptr %v4, i64 96
  %v39 = getelementptr inbounds nuw i8, ptr %v5, i64 32
  %v40 = getelementptr inbounds nuw i8, ptr %v5, i64 64
  %v41 = getelementptr inbounds nuw i8, ptr %v5, i64 96
  %v42 = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v43 = getelementptr inbounds nuw i8, ptr %v0, i64 16
  br label %v48

v44:
  %v45 = load ptr, ptr %v7, align 8
  br label %v46

v46:
  %v47 = phi ptr [ %v45, %v44 ], [ %v22, %v21 ]
  call void @free(ptr %v47)
  br label %v277

v48:
  %v49 = phi i64 [ %v1, %v30 ], [ %v275, %v268 ]
  store ptr %v22, ptr %v6, align 8
  store ptr %v24, ptr %v31, align 8
  store ptr %v26, ptr %v32, align 8
  store ptr %v28, ptr %v33, align 8
  %v50 = load ptr, ptr %v0, align 8
  %v51 = load i64, ptr %v50, align 8
  %v52 = load i64, ptr %v11, align 8
  %v53 = mul i64 %v52, %v49
  %v54 = load i64, ptr %v34, align 8
  %v55 = sub i64 %v54, %v53
  %v56 = icmp slt i64 %v55, %v52
  %v57 = call i64 @llvm.smin.i64(i64 %v55, i64 %v52)
  %v58 = load ptr, ptr %v35, align 8
  %v59 = shl i64 %v51, 1
  %v60 = mul i64 %v53, %v59
  %v61 = getelementptr inbounds double, ptr %v58, i64 %v60
  %v62 = icmp slt i64 %v51, 4
  %v63 = or i1 %v62, %v56
  br i1 %v63, label %v131, label %v64

v64:
  %v65 = icmp sgt i64 %v57, 0
  %v66 = shl i64 %v57, 4
  %v67 = mul i64 %v57, 24
  %v68 = shl i64 %v57, 2
  br label %v69

v69:
  %v70 = phi i64 [ 4, %v64 ], [ %v78, %v74 ]
  %v71 = phi ptr [ %v24, %v64 ], [ %v77, %v74 ]
  %v72 = phi ptr [ %v22, %v64 ], [ %v76, %v74 ]
  %v73 = phi ptr [ %v61, %v64 ], [ %v75, %v74 ]
  br i1 %v65, label %v80, label %v74

v74:
  %v75 = getelementptr inbounds nuw i8, ptr %v73, i64 64
  %v76 = getelementptr inbounds double, ptr %v72, i64 %v68
  %v77 = getelementptr inbounds double, ptr %v71, i64 %v68
  %v78 = add i64 %v70, 4
  %v79 = icmp sgt i64 %v78, %v51
  br i1 %v79, label %v131, label %v69

v80:
  %v81 = phi i64 [ %v115, %v82 ], [ 0, %v69 ]
  br label %v117

v82:
  %v83 = getelementptr inbounds double, ptr %v72, i64 %v81
  %v84 = load <4 x double>, ptr %v4, align 32
  %v85 = load <4 x double>, ptr %v36, align 32
  %v86 = shufflevector <4 x double> %v84, <4 x double> %v85, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v87 = shufflevector <4 x double> %v84, <4 x double> %v85, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v88 = load <4 x double>, ptr %v37, align 32
  %v89 = load <4 x double>, ptr %v38, align 32
  %v90 = shufflevector <4 x double> %v88, <4 x double> %v89, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v91 = shufflevector <4 x double> %v88, <4 x double> %v89, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v92 = shufflevector <4 x double> %v86, <4 x double> %v90, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v92, ptr %v83, align 8
  %v93 = getelementptr inbounds nuw double, ptr %v83, i64 %v57
  %v94 = shufflevector <4 x double> %v87, <4 x double> %v91, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v94, ptr %v93, align 8
  %v95 = getelementptr inbounds i8, ptr %v83, i64 %v66
  %v96 = shufflevector <4 x double> %v86, <4 x double> %v90, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v96, ptr %v95, align 8
  %v97 = getelementptr inbounds i8, ptr %v83, i64 %v67
  %v98 = shufflevector <4 x double> %v87, <4 x double> %v91, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v98, ptr %v97, align 8
  %v99 = getelementptr inbounds double, ptr %v71, i64 %v81
  %v100 = load <4 x double>, ptr %v5, align 32
  %v101 = load <4 x double>, ptr %v39, align 32
  %v102 = shufflevector <4 x double> %v100, <4 x double> %v101, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v103 = shufflevector <4 x double> %v100, <4 x double> %v101, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v104 = load <4 x double>, ptr %v40, align 32
  %v105 = load <4 x double>, ptr %v41, align 32
  %v106 = shufflevector <4 x double> %v104, <4 x double> %v105, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v107 = shufflevector <4 x double> %v104, <4 x double> %v105, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v108 = shufflevector <4 x double> %v102, <4 x double> %v106, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v108, ptr %v99, align 8
  %v109 = getelementptr inbounds nuw double, ptr %v99, i64 %v57
  %v110 = shufflevector <4 x double> %v103, <4 x double> %v107, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v110, ptr %v109, align 8
  %v111 = getelementptr inbounds i8, ptr %v99, i64 %v66
  %v112 = shufflevector <4 x double> %v102, <4 x double> %v106, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v112, ptr %v111, align 8
  %v113 = getelementptr inbounds i8, ptr %v99, i64 %v67
  %v114 = shufflevector <4 x double> %v103, <4 x double> %v107, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v114, ptr %v113, align 8
  %v115 = add i64 %v81, 4
  %v116 = icmp slt i64 %v115, %v57
  br i1 %v116, label %v80, label %v74

v117:
  %v118 = phi i64 [ 0, %v80 ], [ %v129, %v117 ]
  %v119 = add nuw nsw i64 %v118, %v81
  %v120 = mul i64 %v119, %v59
  %v121 = getelementptr inbounds double, ptr %v73, i64 %v120
  %v122 = getelementptr inbounds nuw <4 x double>, ptr %v4, i64 %v118
  %v123 = getelementptr inbounds nuw <4 x double>, ptr %v5, i64 %v118
  %v124 = load <4 x double>, ptr %v121, align 8
  %v125 = getelementptr inbounds nuw i8, ptr %v121, i64 32
  %v126 = load <4 x double>, ptr %v125, align 8
  %v127 = shufflevector <4 x double> %v124, <4 x double> %v126, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  store <4 x double> %v127, ptr %v122, align 32
  %v128 = shufflevector <4 x double> %v124, <4 x double> %v126, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  store <4 x double> %v128, ptr %v123, align 32
  %v129 = add nuw nsw i64 %v118, 1
  %v130 = icmp eq i64 %v129, 4
  br i1 %v130, label %v82, label %v117

v131:
  %v132 = phi ptr [ %v61, %v48 ], [ %v75, %v74 ]
  %v133 = phi ptr [ %v22, %v48 ], [ %v76, %v74 ]
  %v134 = phi ptr [ %v24, %v48 ], [ %v77, %v74 ]
  %v135 = phi i64 [ 0, %v48 ], [ %v70, %v74 ]
  %v136 = icmp slt i64 %v135, %v51
  br i1 %v136, label %v137, label %v189

v137:
  %v138 = icmp ne i64 %v51, 1
  %v139 = icmp slt i64 %v57, 4
  %v140 = or i1 %v138, %v139
  br label %v141

v141:
  %v142 = phi i64 [ %v135, %v137 ], [ %v184, %v183 ]
  %v143 = phi ptr [ %v134, %v137 ], [ %v187, %v183 ]
  %v144 = phi ptr [ %v133, %v137 ], [ %v186, %v183 ]
  %v145 = phi ptr [ %v132, %v137 ], [ %v185, %v183 ]
  br i1 %v140, label %v160, label %v146

v146:
  %v147 = phi i64 [ %v158, %v146 ], [ 4, %v141 ]
  %v148 = phi i64 [ %v147, %v146 ], [ 0, %v141 ]
  %v149 = shl i64 %v148, 4
  %v150 = getelementptr inbounds i8, ptr %v145, i64 %v149
  %v151 = load <4 x double>, ptr %v150, align 8
  %v152 = getelementptr inbounds nuw i8, ptr %v150, i64 32
  %v153 = load <4 x double>, ptr %v152, align 8
  %v154 = shufflevector <4 x double> %v151, <4 x double> %v153, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v155 = shufflevector <4 x double> %v151, <4 x double> %v153, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v156 = getelementptr inbounds double, ptr %v144, i64 %v148
  store <4 x double> %v154, ptr %v156, align 8
  %v157 = getelementptr inbounds double, ptr %v143, i64 %v148
  store <4 x double> %v155, ptr %v157, align 8
  %v158 = add i64 %v147, 4
  %v159 = icmp sgt i64 %v158, %v57
  br i1 %v159, label %v160, label %v146

v160:
  %v161 = phi i64 [ 0, %v141 ], [ %v147, %v146 ]
  %v162 = icmp slt i64 %v161, %v57
  br i1 %v162, label %v166, label %v163

v163:
  %v164 = phi i64 [ %v161, %v160 ], [ %v57, %v166 ]
  %v165 = icmp slt i64 %v164, %v52
  br i1 %v165, label %v177, label %v183

v166:
  %v167 = phi i64 [ %v175, %v166 ], [ %v161, %v160 ]
  %v168 = mul i64 %v167, %v59
  %v169 = getelementptr inbounds double, ptr %v145, i64 %v168
  %v170 = load double, ptr %v169, align 8
  %v171 = getelementptr inbounds double, ptr %v144, i64 %v167
  store double %v170, ptr %v171, align 8
  %v172 = getelementptr i8, ptr %v169, i64 8
  %v173 = load double, ptr %v172, align 8
  %v174 = getelementptr inbounds double, ptr %v143, i64 %v167
  store double %v173, ptr %v174, align 8
  %v175 = add nsw i64 %v167, 1
  %v176 = icmp eq i64 %v175, %v57
  br i1 %v176, label %v163, label %v166

v177:
  %v178 = phi i64 [ %v181, %v177 ], [ %v164, %v163 ]
  %v179 = getelementptr inbounds double, ptr %v144, i64 %v178
  store double 0.000000e+00, ptr %v179, align 8
  %v180 = getelementptr inbounds double, ptr %v143, i64 %v178
  store double 0.000000e+00, ptr %v180, align 8
  %v181 = add nsw i64 %v178, 1
  %v182 = icmp eq i64 %v181, %v52
  br i1 %v182, label %v183, label %v177

v183:
  %v184 = add nsw i64 %v142, 1
  %v185 = getelementptr inbounds nuw i8, ptr %v145, i64 16
  %v186 = getelementptr inbounds double, ptr %v144, i64 %v52
  %v187 = getelementptr inbounds double, ptr %v143, i64 %v52
  %v188 = icmp eq i64 %v184, %v51
  br i1 %v188, label %v189, label %v141

v189:
  %v190 = load ptr, ptr %v0, align 8
  call fastcc void @passes(ptr %v190, i64 0, i64 %v52, ptr %v6)
  %v191 = icmp sgt i64 %v52, 0
  %v192 = load ptr, ptr %v6, align 8
  %v193 = load ptr, ptr %v31, align 8
  br i1 %v191, label %v194, label %v196

v194:
  %v195 = mul i64 %v52, %v51
  br label %v257

v196:
  %v197 = load ptr, ptr %v0, align 8
  %v198 = load ptr, ptr %v32, align 8
  %v199 = load ptr, ptr %v33, align 8
  %v200 = load i64, ptr %v197, align 8
  %v201 = icmp ult i64 %v51, 9223372036854775807
  br i1 %v201, label %v202, label %v268

v202:
  %v203 = getelementptr inbounds nuw i8, ptr %v197, i64 40
  br label %v204

v204:
  %v205 = phi i64 [ 0, %v202 ], [ %v229, %v228 ]
  br i1 %v191, label %v206, label %v228

v206:
  %v207 = sub i64 %v200, %v205
  %v208 = mul i64 %v207, %v52
  %v209 = mul i64 %v205, %v52
  %v210 = load ptr, ptr %v203, align 8
  %v211 = getelementptr double, ptr %v210, i64 %v200
  %v212 = getelementptr i8, ptr %v211, i64 8
  %v213 = getelementptr double, ptr %v212, i64 %v205
  %v214 = load double, ptr %v213, align 8
  %v215 = getelementptr inbounds nuw double, ptr %v210, i64 %v205
  %v216 = load double, ptr %v215, align 8
  %v217 = getelementptr inbounds double, ptr %v192, i64 %v209
  %v218 = getelementptr inbounds double, ptr %v193, i64 %v209
  %v219 = getelementptr inbounds double, ptr %v192, i64 %v208
  %v220 = getelementptr inbounds double, ptr %v193, i64 %v208
  %v221 = insertelement <4 x double> poison, double %v216, i64 0
  %v222 = shufflevector <4 x double> %v221, <4 x double> poison, <4 x i32> zeroinitializer
  %v223 = insertelement <4 x double> poison, double %v214, i64 0
  %v224 = shufflevector <4 x double> %v223, <4 x double> poison, <4 x i32> zeroinitializer
  %v225 = fneg <4 x double> %v224
  %v226 = getelementptr inbounds double, ptr %v198, i64 %v209
  %v227 = getelementptr inbounds double, ptr %v199, i64 %v209
  br label %v231

v228:
  %v229 = add nuw nsw i64 %v205, 1
  %v230 = icmp eq i64 %v205, %v51
  br i1 %v230, label %v268, label %v204

v231:
  %v232 = phi i64 [ 0, %v206 ], [ %v255, %v231 ]
  %v233 = getelementptr inbounds nuw double, ptr %v217, i64 %v232
  %v234 = load <4 x double>, ptr %v233, align 8
  %v235 = getelementptr inbounds nuw double, ptr %v218, i64 %v232
  %v236 = load <4 x double>, ptr %v235, align 8
  %v237 = getelementptr inbounds nuw double, ptr %v219, i64 %v232
  %v238 = load <4 x double>, ptr %v237, align 8
  %v239 = getelementptr inbounds nuw double, ptr %v220, i64 %v232
  %v240 = load <4 x double>, ptr %v239, align 8
  %v241 = fadd <4 x double> %v234, %v238
  %v242 = fsub <4 x double> %v236, %v240
  %v243 = fsub <4 x double> %v234, %v238
  %v244 = fadd <4 x double> %v236, %v240
  %v245 = fmul <4 x double> %v241, splat (double 5.000000e-01)
  %v246 = fmul <4 x double> %v242, splat (double 5.000000e-01)
  %v247 = fmul <4 x double> %v244, %v225
  %v248 = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v243, <4 x double> %v222, <4 x double> %v247)
  %v249 = fmul <4 x double> %v224, %v243
  %v250 = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v244, <4 x double> %v222, <4 x double> %v249)
  %v251 = fadd <4 x double> %v246, %v250
  %v252 = fadd <4 x double> %v245, %v248
  %v253 = getelementptr inbounds nuw double, ptr %v226, i64 %v232
  store <4 x double> %v252, ptr %v253, align 8
  %v254 = getelementptr inbounds nuw double, ptr %v227, i64 %v232
  store <4 x double> %v251, ptr %v254, align 8
  %v255 = add nuw nsw i64 %v232, 4
  %v256 = icmp slt i64 %v255, %v52
  br i1 %v256, label %v231, label %v228

v257:
  %v258 = phi i64 [ 0, %v194 ], [ %v266, %v257 ]
  %v259 = getelementptr inbounds nuw double, ptr %v192, i64 %v258
  %v260 = load double, ptr %v259, align 8
  %v261 = add i64 %v258, %v195
  %v262 = getelementptr inbounds double, ptr %v192, i64 %v261
  store double %v260, ptr %v262, align 8
  %v263 = getelementptr inbounds nuw double, ptr %v193, i64 %v258
  %v264 = load double, ptr %v263, align 8
  %v265 = getelementptr inbounds double, ptr %v193, i64 %v261
  store double %v264, ptr %v265, align 8
  %v266 = add nuw nsw i64 %v258, 1
  %v267 = icmp eq i64 %v266, %v52
  br i1 %v267, label %v196, label %v257

v268:
  %v269 = add i64 %v51, 1
  %v270 = load double, ptr %v42, align 8
  %v271 = load ptr, ptr %v43, align 8
  %v272 = shl i64 %v269, 1
  %v273 = mul i64 %v272, %v53
  %v274 = getelementptr inbounds double, ptr %v271, i64 %v273
  call fastcc void @scatter(ptr %v198, ptr %v199, i64 %v269, double %v270, i64 1, i64 %v269, i64 %v57, i64 %v52, ptr %v274)
  %v275 = add nsw i64 %v49, 1
  %v276 = icmp eq i64 %v275, %v2
  br i1 %v276, label %v44, label %v48

v277:
  ret void
}

define i64 @tfc_fourier_backward_double(ptr %v0, ptr %v1, ptr %v2, i64 %v3, i64 %v4, double %v5) nounwind {
v6:
  %v7 = alloca { ptr, ptr, ptr, i64, i64, i64, double, i8, i8 }, align 8
  store ptr %v0, ptr %v7, align 8
  %v8 = getelementptr inbounds nuw i8, ptr %v7, i64 8
  store ptr %v1, ptr %v8, align 8
  %v9 = getelementptr inbounds nuw i8, ptr %v7, i64 16
  store ptr %v2, ptr %v9, align 8
  %v10 = getelementptr inbounds nuw i8, ptr %v7, i64 24
  store i64 %v3, ptr %v10, align 8
  %v11 = getelementptr inbounds nuw i8, ptr %v7, i64 32
  store i64 1, ptr %v11, align 8
  %v12 = getelementptr inbounds nuw i8, ptr %v7, i64 40
  store i64 %v4, ptr %v12, align 8
  %v13 = getelementptr inbounds nuw i8, ptr %v7, i64 48
  store double %v5, ptr %v13, align 8
  %v14 = getelementptr inbounds nuw i8, ptr %v7, i64 56
  store i8 1, ptr %v14, align 8
  %v15 = getelementptr inbounds nuw i8, ptr %v7, i64 57
  store i8 0, ptr %v15, align 1
  %v16 = getelementptr inbounds nuw i8, ptr %v7, i64 58
  call void @llvm.memset.p0.i64(ptr align 2 %v16, i8 0, i64 6, i1 false)
  %v17 = load i64, ptr %v0, align 8
  %v18 = add i64 %v3, -1
  %v19 = add i64 %v18, %v4
  %v20 = sdiv i64 %v19, %v4
  %v21 = mul i64 %v17, %v3
  %v22 = icmp eq i64 %v4, 1
  %v23 = select i1 %v22, ptr @backward_rows, ptr @backward_panels
  call void @tfc_parallel(ptr %v23, ptr %v7, i64 %v20, i64 %v21)
  %v24 = load atomic i8, ptr %v15 seq_cst, align 1
  %v25 = and i8 %v24, 1
  %v26 = xor i8 %v25, 1
  %v27 = zext nneg i8 %v26 to i64
  ret i64 %v27
}

define internal void @backward_rows(ptr %v0, i64 %v1, i64 %v2) nounwind {
v3:
  %v4 = alloca { ptr, ptr, ptr, ptr }, align 8
  %v5 = alloca ptr, align 8
  %v6 = load ptr, ptr %v0, align 8
  %v7 = load i64, ptr %v6, align 8
  %v8 = add i64 %v7, 1
  %v9 = getelementptr inbounds nuw i8, ptr %v0, i64 40
  %v10 = load i64, ptr %v9, align 8
  %v11 = mul i64 %v8, %v10
  %v12 = add i64 %v11, 7
  %v13 = sdiv i64 %v12, 8
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 57
  store atomic i8 1, ptr %v18 seq_cst, align 1
  br label %v216

v19:
  %v20 = load ptr, ptr %v5, align 8
  %v21 = shl nsw i64 %v13, 6
  %v22 = getelementptr inbounds i8, ptr %v20, i64 %v21
  %v23 = shl i64 %v13, 7
  %v24 = getelementptr inbounds i8, ptr %v20, i64 %v23
  %v25 = mul i64 %v13, 192
  %v26 = getelementptr inbounds i8, ptr %v20, i64 %v25
  %v27 = icmp slt i64 %v1, %v2
  br i1 %v27, label %v28, label %v37

v28:
  %v29 = getelementptr inbounds nuw i8, ptr %v4, i64 8
  %v30 = getelementptr inbounds nuw i8, ptr %v4, i64 16
  %v31 = getelementptr inbounds nuw i8, ptr %v4, i64 24
  %v32 = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v33 = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v34 = getelementptr inbounds nuw i8, ptr %v0, i64 16
  br label %v39

v35:
  %v36 = load ptr, ptr %v5, align 8
  br label %v37

v37:
  %v38 = phi ptr [ %v36, %v35 ], [ %v20, %v19 ]
  call void @free(ptr %v38)
  br label %v216

v39:
  %v40 = phi i64 [ %v1, %v28 ], [ %v214, %v213 ]
  store ptr %v20, ptr %v4, align 8
  store ptr %v22, ptr %v29, align 8
  store ptr %v24, ptr %v30, align 8
  store ptr %v26, ptr %v31, align 8
  %v41 = load ptr, ptr %v0, align 8
  %v42 = load i64, ptr %v41, align 8
  %v43 = load ptr, ptr %v32, align 8
  %v44 = add i64 %v42, 1
  %v45 = shl i64 %v40, 1
  %v46 = mul i64 %v44, %v45
  %v47 = getelementptr inbounds double, ptr %v43, i64 %v46
  %v48 = icmp slt i64 %v44, 4
  br i1 %v48, label %v49, label %v52

v49:
  %v50 = phi i64 [ 0, %v39 ], [ %v53, %v52 ]
  %v51 = icmp slt i64 %v50, %v44
  br i1 %v51, label %v66, label %v77

v52:
  %v53 = phi i64 [ %v64, %v52 ], [ 4, %v39 ]
  %v54 = phi i64 [ %v53, %v52 ], [ 0, %v39 ]
  %v55 = shl i64 %v54, 4
  %v56 = getelementptr inbounds i8, ptr %v47, i64 %v55
  %v57 = load <4 x double>, ptr %v56, align 8
  %v58 = getelementptr inbounds nuw i8, ptr %v56, i64 32
  %v59 = load <4 x double>, ptr %v58, align 8
  %v60 = shufflevector <4 x double> %v57, <4 x double> %v59, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v61 = shufflevector <4 x double> %v57, <4 x double> %v59, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v62 = getelementptr inbounds double, ptr %v20, i64 %v54
  store <4 x double> %v60, ptr %v62, align 8
  %v63 = getelementptr inbounds double, ptr %v22, i64 %v54
  store <4 x double> %v61, ptr %v63, align 8
  %v64 = add i64 %v53, 4
  %v65 = icmp sgt i64 %v64, %v44
  br i1 %v65, label %v49, label %v52

v66:
  %v67 = phi i64 [ %v75, %v66 ], [ %v50, %v49 ]
  %v68 = shl i64 %v67, 4
  %v69 = getelementptr inbounds i8, ptr %v47, i64 %v68
  %v70 = load double, ptr %v69, align 8
  %v71 = getelementptr inbounds double, ptr %v20, i64 %v67
  store double %v70, ptr %v71, align 8
  %v72 = getelementptr i8, ptr %v69, i64 8
  %v73 = load double, ptr %v72, align 8
  %v74 = getelementptr inbounds double, ptr %v22, i64 %v67
  store double %v73, ptr %v74, align 8
  %v75 = add nsw i64 %v67, 1
  %v76 = icmp eq i64 %v67, %v42
  br i1 %v76, label %v77, label %v66

v77:
  %v78 = getelementptr inbounds double, ptr %v22, i64 %v42
  store double 0.000000e+00, ptr %v78, align 8
  store double 0.000000e+00, ptr %v22, align 8
  %v79 = load ptr, ptr %v0, align 8
  %v80 = load i64, ptr %v79, align 8
  %v81 = getelementptr inbounds nuw i8, ptr %v79, i64 40
  %v82 = load ptr, ptr %v81, align 8
  %v83 = getelementptr inbounds double, ptr %v82, i64 %v80
  %v84 = getelementptr inbounds nuw i8, ptr %v83, i64 8
  %v85 = icmp slt i64 %v42, 4
  br i1 %v85, label %v89, label %v86

v86:
  %v87 = getelementptr inbounds double, ptr %v20, i64 %v80
  %v88 = getelementptr inbounds double, ptr %v22, i64 %v80
  br label %v92

v89:
  %v90 = phi i64 [ 0, %v77 ], [ %v93, %v92 ]
  %v91 = icmp slt i64 %v90, %v42
  br i1 %v91, label %v132, label %v165

v92:
  %v93 = phi i64 [ 4, %v86 ], [ %v130, %v92 ]
  %v94 = phi i64 [ 0, %v86 ], [ %v93, %v92 ]
  %v95 = getelementptr inbounds double, ptr %v20, i64 %v94
  %v96 = load <4 x double>, ptr %v95, align 8
  %v97 = getelementptr inbounds double, ptr %v22, i64 %v94
  %v98 = load <4 x double>, ptr %v97, align 8
  %v99 = sub i64 0, %v94
  %v100 = getelementptr inbounds double, ptr %v87, i64 %v99
  %v101 = getelementptr inbounds i8, ptr %v100, i64 -24
  %v102 = load <4 x double>, ptr %v101, align 8
  %v103 = getelementptr inbounds double, ptr %v88, i64 %v99
  %v104 = getelementptr inbounds i8, ptr %v103, i64 -24
  %v105 = load <4 x double>, ptr %v104, align 8
  %v106 = shufflevector <4 x double> %v102, <4 x double> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %v107 = shufflevector <4 x double> %v105, <4 x double> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  %v108 = getelementptr inbounds double, ptr %v82, i64 %v94
  %v109 = load <4 x double>, ptr %v108, align 8
  %v110 = getelementptr inbounds double, ptr %v84, i64 %v94
  %v111 = load <4 x double>, ptr %v110, align 8
  %v112 = fadd <4 x double> %v96, %v106
  %v113 = fsub <4 x double> %v98, %v107
  %v114 = fsub <4 x double> %v96, %v106
  %v115 = fadd <4 x double> %v98, %v107
  %v116 = fmul <4 x double> %v112, splat (double 5.000000e-01)
  %v117 = fmul <4 x double> %v113, splat (double 5.000000e-01)
  %v118 = fmul <4 x double> %v115, %v111
  %v119 = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v114, <4 x double> %v109, <4 x double> %v118)
  %v120 = fneg <4 x double> %v111
  %v121 = fmul <4 x double> %v114, %v120
  %v122 = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v115, <4 x double> %v109, <4 x double> %v121)
  %v123 = fadd <4 x double> %v116, %v119
  %v124 = fadd <4 x double> %v117, %v122
  %v125 = shl i64 %v94, 4
  %v126 = getelementptr inbounds i8, ptr %v24, i64 %v125
  %v127 = shufflevector <4 x double> %v123, <4 x double> %v124, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %v127, ptr %v126, align 8
  %v128 = getelementptr inbounds nuw i8, ptr %v126, i64 32
  %v129 = shufflevector <4 x double> %v123, <4 x double> %v124, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  store <4 x double> %v129, ptr %v128, align 8
  %v130 = add i64 %v93, 4
  %v131 = icmp sgt i64 %v130, %v42
  br i1 %v131, label %v89, label %v92

v132:
  %v133 = phi i64 [ %v163, %v132 ], [ %v90, %v89 ]
  %v134 = getelementptr inbounds double, ptr %v20, i64 %v133
  %v135 = load double, ptr %v134, align 8
  %v136 = getelementptr inbounds double, ptr %v22, i64 %v133
  %v137 = load double, ptr %v136, align 8
  %v138 = sub i64 %v80, %v133
  %v139 = getelementptr inbounds double, ptr %v20, i64 %v138
  %v140 = load double, ptr %v139, align 8
  %v141 = getelementptr inbounds double, ptr %v22, i64 %v138
  %v142 = load double, ptr %v141, align 8
  %v143 = getelementptr inbounds double, ptr %v82, i64 %v133
  %v144 = load double, ptr %v143, align 8
  %v145 = getelementptr inbounds double, ptr %v84, i64 %v133
  %v146 = load double, ptr %v145, align 8
  %v147 = fadd double %v135, %v140
  %v148 = fsub double %v137, %v142
  %v149 = fsub double %v135, %v140
  %v150 = fadd double %v137, %v142
  %v151 = fmul double %v147, 5.000000e-01
  %v152 = fmul double %v148, 5.000000e-01
  %v153 = fmul double %v150, %v146
  %v154 = call double @llvm.fmuladd.f64(double %v149, double %v144, double %v153)
  %v155 = fneg double %v146
  %v156 = fmul double %v149, %v155
  %v157 = call double @llvm.fmuladd.f64(double %v150, double %v144, double %v156)
  %v158 = fadd double %v152, %v157
  %v159 = fadd double %v151, %v154
  %v160 = shl i64 %v133, 4
  %v161 = getelementptr inbounds i8, ptr %v24, i64 %v160
  store double %v159, ptr %v161, align 8
  %v162 = getelementptr i8, ptr %v161, i64 8
  store double %v158, ptr %v162, align 8
  %v163 = add nsw i64 %v133, 1
  %v164 = icmp eq i64 %v163, %v42
  br i1 %v164, label %v165, label %v132

v165:
  %v166 = load ptr, ptr %v0, align 8
  %v167 = getelementptr inbounds nuw i8, ptr %v166, i64 24
  %v168 = load ptr, ptr %v167, align 8
  %v169 = icmp eq ptr %v168, null
  br i1 %v169, label %v171, label %v170

v170:
  store ptr %v24, ptr %v4, align 8
  store ptr %v26, ptr %v29, align 8
  store ptr %v20, ptr %v30, align 8
  store ptr %v22, ptr %v31, align 8
  br label %v171

v171:
  call fastcc void @row(ptr %v166, i1 true, ptr %v24, ptr %v4)
  %v172 = load ptr, ptr %v29, align 8
  %v173 = load ptr, ptr %v4, align 8
  %v174 = load double, ptr %v33, align 8
  %v175 = load ptr, ptr %v34, align 8
  %v176 = mul i64 %v42, %v45
  %v177 = getelementptr inbounds double, ptr %v175, i64 %v176
  br i1 %v85, label %v181, label %v178

v178:
  %v179 = insertelement <4 x double> poison, double %v174, i64 0
  %v180 = shufflevector <4 x double> %v179, <4 x double> poison, <4 x i32> zeroinitializer
  br label %v184

v181:
  %v182 = phi i64 [ 0, %v171 ], [ %v185, %v184 ]
  %v183 = icmp slt i64 %v182, %v42
  br i1 %v183, label %v200, label %v213

v184:
  %v185 = phi i64 [ 4, %v178 ], [ %v198, %v184 ]
  %v186 = phi i64 [ 0, %v178 ], [ %v185, %v184 ]
  %v187 = shl i64 %v186, 4
  %v188 = getelementptr inbounds i8, ptr %v177, i64 %v187
  %v189 = getelementptr inbounds double, ptr %v172, i64 %v186
  %v190 = load <4 x double>, ptr %v189, align 8
  %v191 = fmul <4 x double> %v180, %v190
  %v192 = getelementptr inbounds double, ptr %v173, i64 %v186
  %v193 = load <4 x double>, ptr %v192, align 8
  %v194 = fmul <4 x double> %v180, %v193
  %v195 = shufflevector <4 x double> %v191, <4 x double> %v194, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %v195, ptr %v188, align 8
  %v196 = getelementptr inbounds nuw i8, ptr %v188, i64 32
  %v197 = shufflevector <4 x double> %v191, <4 x double> %v194, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  store <4 x double> %v197, ptr %v196, align 8
  %v198 = add i64 %v185, 4
  %v199 = icmp sgt i64 %v198, %v42
  br i1 %v199, label %v181, label %v184

v200:
  %v201 = phi i64 [ %v211, %v200 ], [ %v182, %v181 ]
  %v202 = getelementptr inbounds double, ptr %v172, i64 %v201
  %v203 = load double, ptr %v202, align 8
  %v204 = fmul double %v174, %v203
  %v205 = shl i64 %v201, 4
  %v206 = getelementptr inbounds i8, ptr %v177, i64 %v205
  store double %v204, ptr %v206, align 8
  %v207 = getelementptr inbounds double, ptr %v173, i64 %v201
  %v208 = load double, ptr %v207, align 8
  %v209 = fmul double %v174, %v208
  %v210 = getelementptr i8, ptr %v206, i64 8
  store double %v209, ptr %v210, align 8
  %v211 = add nsw i64 %v201, 1
  %v212 = icmp eq i64 %v211, %v42
  br i1 %v212, label %v213, label %v200

v213:
  %v214 = add i64 %v40, 1
  %v215 = icmp eq i64 %v214, %v2
  br i1 %v215, label %v35, label %v39

v216:
  ret void
}

define internal void @backward_panels(ptr %v0, i64 %v1, i64 %v2) nounwind {
v3:
  %v4 = alloca [4 x <4 x double>], align 32
  %v5 = alloca [4 x <4 x double>], align 32
  %v6 = alloca { ptr, ptr, ptr, ptr }, align 8
  %v7 = alloca ptr, align 8
  %v8 = load ptr, ptr %v0, align 8
  %v9 = load i64, ptr %v8, align 8
  %v10 = add i64 %v9, 1
  %v11 = getelementptr inbounds nuw i8, ptr %v0, i64 40
  %v12 = load i64, ptr %v11, align 8
  %v13 = mul i64 %v10, %v12
  %v14 = add i64 %v13, 7
  %v15 = sdiv i64 %v14, 8
  store ptr null, ptr %v7, align 8
  %v16 = shl i64 %v15, 8
  %v17 = call i32 @posix_memalign(ptr %v7, i64 64, i64 %v16)
  %v18 = icmp eq i32 %v17, 0
  br i1 %v18, label %v21, label %v19

v19:
  %v20 = getelementptr inbounds nuw i8, ptr %v0, i64 57
  store atomic i8 1, ptr %v20 seq_cst, align 1
  br label %v273

v21:
  %v22 = load ptr, ptr %v7, align 8
  %v23 = shl nsw i64 %v15, 6
  %v24 = getelementptr inbounds i8, ptr %v22, i64 %v23
  %v25 = shl i64 %v15, 7
  %v26 = getelementptr inbounds i8, ptr %v22, i64 %v25
  %v27 = mul i64 %v15, 192
  %v28 = getelementptr inbounds i8, ptr %v22, i64 %v27
  %v29 = icmp slt i64 %v1, %v2
  br i1 %v29, label %v30, label %v46

v30:
  %v31 = getelementptr inbounds nuw i8, ptr %v0, i64 24
  %v32 = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v33 = getelementptr inbounds nuw i8, ptr %v4, i64 32
  %v34 = getelementptr inbounds nuw i8, ptr %v4, i64 64
  %v35 = getelementptr inbounds nuw i8, ptr %v4, i64 96
  %v36 = getelementptr inbounds nuw i8, ptr %v5, i64 32
  %v37 = getelementptr inbounds nuw i8, ptr %v5, i64 64
  %v38 = getelementptr inbounds nuw i8, ptr %v5, i64 96
  %v39 = getelementptr inbounds nuw i8, ptr %v6, i64 8
  %v40 = getelementptr inbounds nuw i8, ptr %v6, i64 16
  %v41 = getelementptr inbounds nuw i8, ptr %v6, i64 24
  %v42 = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v43 = getelementptr inbounds nuw i8, ptr %v0, i64 16
  br label %v48

v44:
  %v45 = load ptr, ptr %v7, align 8
  br label %v46

v46:
  %v47 = phi ptr [ %v45, %v44 ], [ %v22, %v21 ]
  call void @free(ptr %v47)
  br label %v273

v48:
  %v49 = phi i64 [ %v1, %v30 ], [ %v271, %v262 ]
  %v50 = load ptr, ptr %v0, align 8
  %v51 = load i64, ptr %v50, align 8
  %v52 = load i64, ptr %v11, align 8
  %v53 = mul i64 %v52, %v49
  %v54 = load i64, ptr %v31, align 8
  %v55 = sub i64 %v54, %v53
  %v56 = icmp slt i64 %v55, %v52
  %v57 = call i64 @llvm.smin.i64(i64 %v55, i64 %v52)
  %v58 = load ptr, ptr %v32, align 8
  %v59 = add i64 %v51, 1
  %v60 = shl i64 %v59, 1
  %v61 = mul i64 %v60, %v53
  %v62 = getelementptr inbounds double, ptr %v58, i64 %v61
  %v63 = icmp slt i64 %v59, 4
  %v64 = or i1 %v63, %v56
  br i1 %v64, label %v132, label %v65

v65:
  %v66 = icmp sgt i64 %v57, 0
  %v67 = shl i64 %v57, 4
  %v68 = mul i64 %v57, 24
  %v69 = shl i64 %v57, 2
  br label %v70

v70:
  %v71 = phi i64 [ 4, %v65 ], [ %v79, %v75 ]
  %v72 = phi ptr [ %v24, %v65 ], [ %v78, %v75 ]
  %v73 = phi ptr [ %v22, %v65 ], [ %v77, %v75 ]
  %v74 = phi ptr [ %v62, %v65 ], [ %v76, %v75 ]
  br i1 %v66, label %v81, label %v75

v75:
  %v76 = getelementptr inbounds nuw i8, ptr %v74, i64 64
  %v77 = getelementptr inbounds double, ptr %v73, i64 %v69
  %v78 = getelementptr inbounds double, ptr %v72, i64 %v69
  %v79 = add i64 %v71, 4
  %v80 = icmp sgt i64 %v79, %v59
  br i1 %v80, label %v132, label %v70

v81:
  %v82 = phi i64 [ %v116, %v83 ], [ 0, %v70 ]
  br label %v118

v83:
  %v84 = getelementptr inbounds double, ptr %v73, i64 %v82
  %v85 = load <4 x double>, ptr %v4, align 32
  %v86 = load <4 x double>, ptr %v33, align 32
  %v87 = shufflevector <4 x double> %v85, <4 x double> %v86, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v88 = shufflevector <4 x double> %v85, <4 x double> %v86, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v89 = load <4 x double>, ptr %v34, align 32
  %v90 = load <4 x double>, ptr %v35, align 32
  %v91 = shufflevector <4 x double> %v89, <4 x double> %v90, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v92 = shufflevector <4 x double> %v89, <4 x double> %v90, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v93 = shufflevector <4 x double> %v87, <4 x double> %v91, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v93, ptr %v84, align 8
  %v94 = getelementptr inbounds nuw double, ptr %v84, i64 %v57
  %v95 = shufflevector <4 x double> %v88, <4 x double> %v92, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v95, ptr %v94, align 8
  %v96 = getelementptr inbounds i8, ptr %v84, i64 %v67
  %v97 = shufflevector <4 x double> %v87, <4 x double> %v91, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v97, ptr %v96, align 8
  %v98 = getelementptr inbounds i8, ptr %v84, i64 %v68
  %v99 = shufflevector <4 x double> %v88, <4 x double> %v92, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v99, ptr %v98, align 8
  %v100 = getelementptr inbounds double, ptr %v72, i64 %v82
  %v101 = load <4 x double>, ptr %v5, align 32
  %v102 = load <4 x double>, ptr %v36, align 32
  %v103 = shufflevector <4 x double> %v101, <4 x double> %v102, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v104 = shufflevector <4 x double> %v101, <4 x double> %v102, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v105 = load <4 x double>, ptr %v37, align 32
  %v106 = load <4 x double>, ptr %v38, align 32
  %v107 = shufflevector <4 x double> %v105, <4 x double> %v106, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v108 = shufflevector <4 x double> %v105, <4 x double> %v106, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v109 = shufflevector <4 x double> %v103, <4 x double> %v107, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v109, ptr %v100, align 8
  %v110 = getelementptr inbounds nuw double, ptr %v100, i64 %v57
  %v111 = shufflevector <4 x double> %v104, <4 x double> %v108, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v111, ptr %v110, align 8
  %v112 = getelementptr inbounds i8, ptr %v100, i64 %v67
  %v113 = shufflevector <4 x double> %v103, <4 x double> %v107, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v113, ptr %v112, align 8
  %v114 = getelementptr inbounds i8, ptr %v100, i64 %v68
  %v115 = shufflevector <4 x double> %v104, <4 x double> %v108, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v115, ptr %v114, align 8
  %v116 = add i64 %v82, 4
  %v117 = icmp slt i64 %v116, %v57
  br i1 %v117, label %v81, label %v75

v118:
  %v119 = phi i64 [ 0, %v81 ], [ %v130, %v118 ]
  %v120 = add nuw nsw i64 %v119, %v82
  %v121 = mul i64 %v120, %v60
  %v122 = getelementptr inbounds double, ptr %v74, i64 %v121
  %v123 = getelementptr inbounds nuw <4 x double>, ptr %v4, i64 %v119
  %v124 = getelementptr inbounds nuw <4 x double>, ptr %v5, i64 %v119
  %v125 = load <4 x double>, ptr %v122, align 8
  %v126 = getelementptr inbounds nuw i8, ptr %v122, i64 32
  %v127 = load <4 x double>, ptr %v126, align 8
  %v128 = shufflevector <4 x double> %v125, <4 x double> %v127, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  store <4 x double> %v128, ptr %v123, align 32
  %v129 = shufflevector <4 x double> %v125, <4 x double> %v127, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  store <4 x double> %v129, ptr %v124, align 32
  %v130 = add nuw nsw i64 %v119, 1
  %v131 = icmp eq i64 %v130, 4
  br i1 %v131, label %v83, label %v118

v132:
  %v133 = phi ptr [ %v62, %v48 ], [ %v76, %v75 ]
  %v134 = phi ptr [ %v22, %v48 ], [ %v77, %v75 ]
  %v135 = phi ptr [ %v24, %v48 ], [ %v78, %v75 ]
  %v136 = phi i64 [ 0, %v48 ], [ %v71, %v75 ]
  %v137 = icmp slt i64 %v136, %v59
  br i1 %v137, label %v138, label %v190

v138:
  %v139 = icmp ne i64 %v51, 0
  %v140 = icmp slt i64 %v57, 4
  %v141 = or i1 %v139, %v140
  br label %v142

v142:
  %v143 = phi i64 [ %v136, %v138 ], [ %v185, %v184 ]
  %v144 = phi ptr [ %v135, %v138 ], [ %v188, %v184 ]
  %v145 = phi ptr [ %v134, %v138 ], [ %v187, %v184 ]
  %v146 = phi ptr [ %v133, %v138 ], [ %v186, %v184 ]
  br i1 %v141, label %v161, label %v147

v147:
  %v148 = phi i64 [ %v159, %v147 ], [ 4, %v142 ]
  %v149 = phi i64 [ %v148, %v147 ], [ 0, %v142 ]
  %v150 = shl i64 %v149, 4
  %v151 = getelementptr inbounds i8, ptr %v146, i64 %v150
  %v152 = load <4 x double>, ptr %v151, align 8
  %v153 = getelementptr inbounds nuw i8, ptr %v151, i64 32
  %v154 = load <4 x double>, ptr %v153, align 8
  %v155 = shufflevector <4 x double> %v152, <4 x double> %v154, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v156 = shufflevector <4 x double> %v152, <4 x double> %v154, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v157 = getelementptr inbounds double, ptr %v145, i64 %v149
  store <4 x double> %v155, ptr %v157, align 8
  %v158 = getelementptr inbounds double, ptr %v144, i64 %v149
  store <4 x double> %v156, ptr %v158, align 8
  %v159 = add i64 %v148, 4
  %v160 = icmp sgt i64 %v159, %v57
  br i1 %v160, label %v161, label %v147

v161:
  %v162 = phi i64 [ 0, %v142 ], [ %v148, %v147 ]
  %v163 = icmp slt i64 %v162, %v57
  br i1 %v163, label %v167, label %v164

v164:
  %v165 = phi i64 [ %v162, %v161 ], [ %v57, %v167 ]
  %v166 = icmp slt i64 %v165, %v52
  br i1 %v166, label %v178, label %v184

v167:
  %v168 = phi i64 [ %v176, %v167 ], [ %v162, %v161 ]
  %v169 = mul i64 %v168, %v60
  %v170 = getelementptr inbounds double, ptr %v146, i64 %v169
  %v171 = load double, ptr %v170, align 8
  %v172 = getelementptr inbounds double, ptr %v145, i64 %v168
  store double %v171, ptr %v172, align 8
  %v173 = getelementptr i8, ptr %v170, i64 8
  %v174 = load double, ptr %v173, align 8
  %v175 = getelementptr inbounds double, ptr %v144, i64 %v168
  store double %v174, ptr %v175, align 8
  %v176 = add nsw i64 %v168, 1
  %v177 = icmp eq i64 %v176, %v57
  br i1 %v177, label %v164, label %v167

v178:
  %v179 = phi i64 [ %v182, %v178 ], [ %v165, %v164 ]
  %v180 = getelementptr inbounds double, ptr %v145, i64 %v179
  store double 0.000000e+00, ptr %v180, align 8
  %v181 = getelementptr inbounds double, ptr %v144, i64 %v179
  store double 0.000000e+00, ptr %v181, align 8
  %v182 = add nsw i64 %v179, 1
  %v183 = icmp eq i64 %v182, %v52
  br i1 %v183, label %v184, label %v178

v184:
  %v185 = add nsw i64 %v143, 1
  %v186 = getelementptr inbounds nuw i8, ptr %v146, i64 16
  %v187 = getelementptr inbounds double, ptr %v145, i64 %v52
  %v188 = getelementptr inbounds double, ptr %v144, i64 %v52
  %v189 = icmp eq i64 %v143, %v51
  br i1 %v189, label %v190, label %v142

v190:
  %v191 = icmp sgt i64 %v52, 0
  br i1 %v191, label %v192, label %v195

v192:
  %v193 = mul i64 %v52, %v51
  %v194 = getelementptr double, ptr %v24, i64 %v193
  br label %v256

v195:
  %v196 = load ptr, ptr %v0, align 8
  %v197 = load i64, ptr %v196, align 8
  %v198 = icmp sgt i64 %v51, 0
  br i1 %v198, label %v199, label %v262

v199:
  %v200 = getelementptr inbounds nuw i8, ptr %v196, i64 40
  br label %v201

v201:
  %v202 = phi i64 [ 0, %v199 ], [ %v226, %v225 ]
  br i1 %v191, label %v203, label %v225

v203:
  %v204 = sub i64 %v197, %v202
  %v205 = mul i64 %v204, %v52
  %v206 = mul i64 %v202, %v52
  %v207 = load ptr, ptr %v200, align 8
  %v208 = getelementptr double, ptr %v207, i64 %v197
  %v209 = getelementptr i8, ptr %v208, i64 8
  %v210 = getelementptr double, ptr %v209, i64 %v202
  %v211 = load double, ptr %v210, align 8
  %v212 = getelementptr inbounds nuw double, ptr %v207, i64 %v202
  %v213 = load double, ptr %v212, align 8
  %v214 = getelementptr inbounds double, ptr %v22, i64 %v206
  %v215 = getelementptr inbounds double, ptr %v24, i64 %v206
  %v216 = getelementptr inbounds double, ptr %v22, i64 %v205
  %v217 = getelementptr inbounds double, ptr %v24, i64 %v205
  %v218 = insertelement <4 x double> poison, double %v213, i64 0
  %v219 = shufflevector <4 x double> %v218, <4 x double> poison, <4 x i32> zeroinitializer
  %v220 = insertelement <4 x double> poison, double %v211, i64 0
  %v221 = shufflevector <4 x double> %v220, <4 x double> poison, <4 x i32> zeroinitializer
  %v222 = fneg <4 x double> %v221
  %v223 = getelementptr inbounds double, ptr %v26, i64 %v206
  %v224 = getelementptr inbounds double, ptr %v28, i64 %v206
  br label %v228

v225:
  %v226 = add nuw nsw i64 %v202, 1
  %v227 = icmp eq i64 %v226, %v51
  br i1 %v227, label %v254, label %v201

v228:
  %v229 = phi i64 [ 0, %v203 ], [ %v252, %v228 ]
  %v230 = getelementptr inbounds nuw double, ptr %v214, i64 %v229
  %v231 = load <4 x double>, ptr %v230, align 8
  %v232 = getelementptr inbounds nuw double, ptr %v215, i64 %v229
  %v233 = load <4 x double>, ptr %v232, align 8
  %v234 = getelementptr inbounds nuw double, ptr %v216, i64 %v229
  %v235 = load <4 x double>, ptr %v234, align 8
  %v236 = getelementptr inbounds nuw double, ptr %v217, i64 %v229
  %v237 = load <4 x double>, ptr %v236, align 8
  %v238 = fadd <4 x double> %v231, %v235
  %v239 = fsub <4 x double> %v233, %v237
  %v240 = fsub <4 x double> %v231, %v235
  %v241 = fadd <4 x double> %v233, %v237
  %v242 = fmul <4 x double> %v238, splat (double 5.000000e-01)
  %v243 = fmul <4 x double> %v239, splat (double 5.000000e-01)
  %v244 = fmul <4 x double> %v221, %v241
  %v245 = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v240, <4 x double> %v219, <4 x double> %v244)
  %v246 = fmul <4 x double> %v240, %v222
  %v247 = call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v241, <4 x double> %v219, <4 x double> %v246)
  %v248 = fadd <4 x double> %v243, %v247
  %v249 = fadd <4 x double> %v242, %v245
  %v250 = getelementptr inbounds nuw double, ptr %v223, i64 %v229
  store <4 x double> %v249, ptr %v250, align 8
  %v251 = getelementptr inbounds nuw double, ptr %v224, i64 %v229
  store <4 x double> %v248, ptr %v251, align 8
  %v252 = add nuw nsw i64 %v229, 4
  %v253 = icmp slt i64 %v252, %v52
  br i1 %v253, label %v228, label %v225

v254:
  %v255 = load ptr, ptr %v0, align 8
  br label %v262

v256:
  %v257 = phi i64 [ 0, %v192 ], [ %v260, %v256 ]
  %v258 = getelementptr double, ptr %v194, i64 %v257
  store double 0.000000e+00, ptr %v258, align 8
  %v259 = getelementptr inbounds nuw double, ptr %v24, i64 %v257
  store double 0.000000e+00, ptr %v259, align 8
  %v260 = add nuw nsw i64 %v257, 1
  %v261 = icmp eq i64 %v260, %v52
  br i1 %v261, label %v195, label %v256

v262:
  %v263 = phi ptr [ %v255, %v254 ], [ %v196, %v195 ]
  store ptr %v28, ptr %v6, align 8
  store ptr %v26, ptr %v39, align 8
  store ptr %v24, ptr %v40, align 8
  store ptr %v22, ptr %v41, align 8
  call fastcc void @passes(ptr %v263, i64 0, i64 %v52, ptr %v6)
  %v264 = load ptr, ptr %v39, align 8
  %v265 = load ptr, ptr %v6, align 8
  %v266 = load double, ptr %v42, align 8
  %v267 = load ptr, ptr %v43, align 8
  %v268 = shl i64 %v51, 1
  %v269 = mul i64 %v268, %v53
  %v270 = getelementptr inbounds double, ptr %v267, i64 %v269
  call fastcc void @scatter(ptr %v264, ptr %v265, i64 %v51, double %v266, i64 1, i64 %v51, i64 %v57, i64 %v52, ptr %v270)
  %v271 = add nsw i64 %v49, 1
  %v272 = icmp eq i64 %v271, %v2
  br i1 %v272, label %v44, label %v48

v273:
  ret void
}

declare void @tfc_parallel(ptr, ptr, i64, i64)

declare i32 @posix_memalign(ptr, i64, i64)

declare void @free(ptr)

define internal fastcc void @row(ptr %v0, i1 %v1, ptr %v2, ptr %v3) nounwind {
v4:
  %v5 = alloca [8 x <4 x double>], align 32
  %v6 = alloca [8 x <4 x double>], align 32
  %v7 = alloca [8 x double], align 16
  %v8 = alloca [8 x double], align 16
  %v9 = getelementptr inbounds nuw i8, ptr %v0, i64 24
  %v10 = load ptr, ptr %v9, align 8
  %v11 = icmp eq ptr %v10, null
  %v12 = load i64, ptr %v0, align 8
  %v13 = getelementptr inbounds nuw i8, ptr %v6, i64 128
  %v14 = getelementptr inbounds nuw i8, ptr %v5, i64 128
  br i1 %v11, label %v471, label %v15

v15:
  %v16 = sdiv i64 %v12, 8
  %v17 = icmp slt i64 %v12, 32
  br i1 %v17, label %v60, label %v18

v18:
  %v19 = getelementptr inbounds nuw i8, ptr %v5, i64 32
  %v20 = getelementptr inbounds nuw i8, ptr %v6, i64 32
  %v21 = shl nuw nsw i64 %v16, 1
  %v22 = getelementptr inbounds nuw i8, ptr %v5, i64 64
  %v23 = getelementptr inbounds nuw i8, ptr %v6, i64 64
  %v24 = mul nuw nsw i64 %v16, 3
  %v25 = getelementptr inbounds nuw i8, ptr %v5, i64 96
  %v26 = getelementptr inbounds nuw i8, ptr %v6, i64 96
  %v27 = shl nuw nsw i64 %v16, 2
  %v28 = getelementptr inbounds nuw i8, ptr %v5, i64 128
  %v29 = getelementptr inbounds nuw i8, ptr %v6, i64 128
  %v30 = mul nuw nsw i64 %v16, 5
  %v31 = getelementptr inbounds nuw i8, ptr %v5, i64 160
  %v32 = getelementptr inbounds nuw i8, ptr %v6, i64 160
  %v33 = mul nuw nsw i64 %v16, 6
  %v34 = getelementptr inbounds nuw i8, ptr %v5, i64 192
  %v35 = getelementptr inbounds nuw i8, ptr %v6, i64 192
  %v36 = mul nuw nsw i64 %v16, 7
  %v37 = getelementptr inbounds nuw i8, ptr %v5, i64 224
  %v38 = getelementptr inbounds nuw i8, ptr %v6, i64 224
  %v39 = getelementptr inbounds nuw double, ptr %v10, i64 %v16
  %v40 = getelementptr inbounds nuw double, ptr %v10, i64 %v21
  %v41 = getelementptr inbounds nuw double, ptr %v10, i64 %v24
  %v42 = getelementptr inbounds nuw double, ptr %v10, i64 %v27
  %v43 = getelementptr inbounds nuw double, ptr %v10, i64 %v30
  %v44 = getelementptr inbounds nuw double, ptr %v10, i64 %v33
  %v45 = getelementptr inbounds nuw double, ptr %v10, i64 %v36
  %v46 = shl nuw nsw i64 %v16, 6
  %v47 = getelementptr inbounds nuw i8, ptr %v10, i64 %v46
  %v48 = mul i64 %v16, 72
  %v49 = getelementptr inbounds i8, ptr %v10, i64 %v48
  %v50 = mul i64 %v16, 80
  %v51 = getelementptr inbounds i8, ptr %v10, i64 %v50
  %v52 = mul i64 %v16, 88
  %v53 = getelementptr inbounds i8, ptr %v10, i64 %v52
  %v54 = mul i64 %v16, 96
  %v55 = getelementptr inbounds i8, ptr %v10, i64 %v54
  %v56 = mul i64 %v16, 104
  %v57 = getelementptr inbounds i8, ptr %v10, i64 %v56
  %v58 = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v59 = getelementptr inbounds nuw i8, ptr %v3, i64 24
  br label %v84

v60:
  %v61 = phi i64 [ 0, %v15 ], [ %v85, %v286 ]
  %v62 = icmp slt i64 %v61, %v16
  br i1 %v62, label %v63, label %v463

v63:
  %v64 = zext i1 %v1 to i64
  %v65 = xor i1 %v1, true
  %v66 = zext i1 %v65 to i64
  %v67 = getelementptr inbounds nuw i8, ptr %v7, i64 32
  %v68 = getelementptr inbounds nuw i8, ptr %v8, i64 32
  %v69 = getelementptr inbounds nuw i8, ptr %v7, i64 16
  %v70 = getelementptr inbounds nuw i8, ptr %v7, i64 48
  %v71 = getelementptr inbounds nuw i8, ptr %v8, i64 16
  %v72 = getelementptr inbounds nuw i8, ptr %v8, i64 48
  %v73 = getelementptr inbounds nuw i8, ptr %v7, i64 8
  %v74 = getelementptr inbounds nuw i8, ptr %v7, i64 40
  %v75 = getelementptr inbounds nuw i8, ptr %v8, i64 8
  %v76 = getelementptr inbounds nuw i8, ptr %v8, i64 40
  %v77 = getelementptr inbounds nuw i8, ptr %v7, i64 24
  %v78 = getelementptr inbounds nuw i8, ptr %v7, i64 56
  %v79 = getelementptr inbounds nuw i8, ptr %v8, i64 24
  %v80 = getelementptr inbounds nuw i8, ptr %v8, i64 56
  %v81 = icmp sgt i64 %v12, 15
  %v82 = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v83 = getelementptr inbounds nuw i8, ptr %v3, i64 24
  br label %v336

v84:
  %v85 = phi i64 [ 4, %v18 ], [ %v287, %v286 ]
  %v86 = phi i64 [ 0, %v18 ], [ %v85, %v286 ]
  %v87 = shl i64 %v86, 4
  %v88 = getelementptr inbounds i8, ptr %v2, i64 %v87
  %v89 = load <4 x double>, ptr %v88, align 8
  %v90 = getelementptr inbounds nuw i8, ptr %v88, i64 32
  %v91 = load <4 x double>, ptr %v90, align 8
  %v92 = shufflevector <4 x double> %v89, <4 x double> %v91, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v93 = shufflevector <4 x double> %v89, <4 x double> %v91, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v94 = select i1 %v1, <4 x double> %v93, <4 x double> %v92
  %v95 = select i1 %v1, <4 x double> %v92, <4 x double> %v93
  %v96 = add nuw nsw i64 %v86, %v16
  %v97 = shl i64 %v96, 4
  %v98 = getelementptr inbounds i8, ptr %v2, i64 %v97
  %v99 = load <4 x double>, ptr %v98, align 8
  %v100 = getelementptr inbounds nuw i8, ptr %v98, i64 32
  %v101 = load <4 x double>, ptr %v100, align 8
  %v102 = shufflevector <4 x double> %v99, <4 x double> %v101, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v103 = shufflevector <4 x double> %v99, <4 x double> %v101, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v104 = select i1 %v1, <4 x double> %v103, <4 x double> %v102
  %v105 = select i1 %v1, <4 x double> %v102, <4 x double> %v103
  %v106 = add nuw nsw i64 %v86, %v21
  %v107 = shl i64 %v106, 4
  %v108 = getelementptr inbounds i8, ptr %v2, i64 %v107
  %v109 = load <4 x double>, ptr %v108, align 8
  %v110 = getelementptr inbounds nuw i8, ptr %v108, i64 32
  %v111 = load <4 x double>, ptr %v110, align 8
  %v112 = shufflevector <4 x double> %v109, <4 x double> %v111, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v113 = shufflevector <4 x double> %v109, <4 x double> %v111, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v114 = select i1 %v1, <4 x double> %v113, <4 x double> %v112
  %v115 = select i1 %v1, <4 x double> %v112, <4 x double> %v113
  %v116 = add nuw nsw i64 %v86, %v24
  %v117 = shl i64 %v116, 4
  %v118 = getelementptr inbounds i8, ptr %v2, i64 %v117
  %v119 = load <4 x double>, ptr %v118, align 8
  %v120 = getelementptr inbounds nuw i8, ptr %v118, i64 32
  %v121 = load <4 x double>, ptr %v120, align 8
  %v122 = shufflevector <4 x double> %v119, <4 x double> %v121, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v123 = shufflevector <4 x double> %v119, <4 x double> %v121, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v124 = select i1 %v1, <4 x double> %v123, <4 x double> %v122
  %v125 = select i1 %v1, <4 x double> %v122, <4 x double> %v123
  %v126 = add nuw nsw i64 %v86, %v27
  %v127 = shl i64 %v126, 4
  %v128 = getelementptr inbounds i8, ptr %v2, i64 %v127
  %v129 = load <4 x double>, ptr %v128, align 8
  %v130 = getelementptr inbounds nuw i8, ptr %v128, i64 32
  %v131 = load <4 x double>, ptr %v130, align 8
  %v132 = shufflevector <4 x double> %v129, <4 x double> %v131, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v133 = shufflevector <4 x double> %v129, <4 x double> %v131, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v134 = select i1 %v1, <4 x double> %v133, <4 x double> %v132
  %v135 = select i1 %v1, <4 x double> %v132, <4 x double> %v133
  %v136 = add nuw nsw i64 %v86, %v30
  %v137 = shl i64 %v136, 4
  %v138 = getelementptr inbounds i8, ptr %v2, i64 %v137
  %v139 = load <4 x double>, ptr %v138, align 8
  %v140 = getelementptr inbounds nuw i8, ptr %v138, i64 32
  %v141 = load <4 x double>, ptr %v140, align 8
  %v142 = shufflevector <4 x double> %v139, <4 x double> %v141, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v143 = shufflevector <4 x double> %v139, <4 x double> %v141, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v144 = select i1 %v1, <4 x double> %v143, <4 x double> %v142
  %v145 = select i1 %v1, <4 x double> %v142, <4 x double> %v143
  %v146 = add nuw nsw i64 %v86, %v33
  %v147 = shl i64 %v146, 4
  %v148 = getelementptr inbounds i8, ptr %v2, i64 %v147
  %v149 = load <4 x double>, ptr %v148, align 8
  %v150 = getelementptr inbounds nuw i8, ptr %v148, i64 32
  %v151 = load <4 x double>, ptr %v150, align 8
  %v152 = shufflevector <4 x double> %v149, <4 x double> %v151, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v153 = shufflevector <4 x double> %v149, <4 x double> %v151, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v154 = select i1 %v1, <4 x double> %v153, <4 x double> %v152
  %v155 = select i1 %v1, <4 x double> %v152, <4 x double> %v153
  %v156 = add nuw nsw i64 %v86, %v36
  %v157 = shl i64 %v156, 4
  %v158 = getelementptr inbounds i8, ptr %v2, i64 %v157
  %v159 = load <4 x double>, ptr %v158, align 8
  %v160 = getelementptr inbounds nuw i8, ptr %v158, i64 32
  %v161 = load <4 x double>, ptr %v160, align 8
  %v162 = shufflevector <4 x double> %v159, <4 x double> %v161, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v163 = shufflevector <4 x double> %v159, <4 x double> %v161, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v164 = select i1 %v1, <4 x double> %v163, <4 x double> %v162
  %v165 = select i1 %v1, <4 x double> %v162, <4 x double> %v163
  %v166 = fadd <4 x double> %v94, %v134
  %v167 = fsub <4 x double> %v94, %v134
  %v168 = fadd <4 x double> %v95, %v135
  %v169 = fsub <4 x double> %v95, %v135
  %v170 = fadd <4 x double> %v114, %v154
  %v171 = fsub <4 x double> %v114, %v154
  %v172 = fadd <4 x double> %v115, %v155
  %v173 = fsub <4 x double> %v115, %v155
  %v174 = fadd <4 x double> %v166, %v170
  %v175 = fsub <4 x double> %v166, %v170
  %v176 = fadd <4 x double> %v168, %v172
  %v177 = fsub <4 x double> %v168, %v172
  %v178 = fadd <4 x double> %v167, %v173
  %v179 = fsub <4 x double> %v167, %v173
  %v180 = fsub <4 x double> %v169, %v171
  %v181 = fadd <4 x double> %v169, %v171
  %v182 = fadd <4 x double> %v104, %v144
  %v183 = fsub <4 x double> %v104, %v144
  %v184 = fadd <4 x double> %v105, %v145
  %v185 = fsub <4 x double> %v105, %v145
  %v186 = fadd <4 x double> %v124, %v164
  %v187 = fsub <4 x double> %v124, %v164
  %v188 = fadd <4 x double> %v125, %v165
  %v189 = fsub <4 x double> %v125, %v165
  %v190 = fadd <4 x double> %v182, %v186
  %v191 = fsub <4 x double> %v182, %v186
  %v192 = fadd <4 x double> %v184, %v188
  %v193 = fsub <4 x double> %v184, %v188
  %v194 = fadd <4 x double> %v183, %v189
  %v195 = fsub <4 x double> %v183, %v189
  %v196 = fsub <4 x double> %v185, %v187
  %v197 = fadd <4 x double> %v185, %v187
  %v198 = fadd <4 x double> %v194, %v196
  %v199 = fmul <4 x double> %v198, splat (double 0x3FE6A09E667F3BCD)
  %v200 = fsub <4 x double> %v196, %v194
  %v201 = fmul <4 x double> %v200, splat (double 0x3FE6A09E667F3BCD)
  %v202 = fsub <4 x double> %v197, %v195
  %v203 = fmul <4 x double> %v202, splat (double 0x3FE6A09E667F3BCD)
  %v204 = fadd <4 x double> %v195, %v197
  %v205 = fmul <4 x double> %v204, splat (double 0xBFE6A09E667F3BCD)
  %v206 = fadd <4 x double> %v174, %v190
  %v207 = fsub <4 x double> %v174, %v190
  store <4 x double> %v206, ptr %v5, align 32
  %v208 = fadd <4 x double> %v176, %v192
  %v209 = fsub <4 x double> %v176, %v192
  store <4 x double> %v208, ptr %v6, align 32
  %v210 = fadd <4 x double> %v178, %v199
  %v211 = fsub <4 x double> %v178, %v199
  %v212 = fadd <4 x double> %v180, %v201
  %v213 = fsub <4 x double> %v180, %v201
  %v214 = fadd <4 x double> %v175, %v193
  %v215 = fsub <4 x double> %v175, %v193
  %v216 = fsub <4 x double> %v177, %v191
  %v217 = fadd <4 x double> %v177, %v191
  %v218 = fadd <4 x double> %v179, %v203
  %v219 = fsub <4 x double> %v179, %v203
  %v220 = fadd <4 x double> %v181, %v205
  %v221 = fsub <4 x double> %v181, %v205
  %v222 = getelementptr inbounds nuw double, ptr %v10, i64 %v86
  %v223 = load <4 x double>, ptr %v222, align 8
  %v224 = getelementptr inbounds nuw double, ptr %v39, i64 %v86
  %v225 = load <4 x double>, ptr %v224, align 8
  %v226 = fneg <4 x double> %v225
  %v227 = fmul <4 x double> %v212, %v226
  %v228 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v210, <4 x double> %v223, <4 x double> %v227)
  %v229 = fmul <4 x double> %v212, %v223
  %v230 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v210, <4 x double> %v225, <4 x double> %v229)
  store <4 x double> %v230, ptr %v20, align 32
  store <4 x double> %v228, ptr %v19, align 32
  %v231 = getelementptr inbounds nuw double, ptr %v40, i64 %v86
  %v232 = load <4 x double>, ptr %v231, align 8
  %v233 = getelementptr inbounds nuw double, ptr %v41, i64 %v86
  %v234 = load <4 x double>, ptr %v233, align 8
  %v235 = fneg <4 x double> %v234
  %v236 = fmul <4 x double> %v216, %v235
  %v237 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v214, <4 x double> %v232, <4 x double> %v236)
  %v238 = fmul <4 x double> %v216, %v232
  %v239 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v214, <4 x double> %v234, <4 x double> %v238)
  store <4 x double> %v239, ptr %v23, align 32
  store <4 x double> %v237, ptr %v22, align 32
  %v240 = getelementptr inbounds nuw double, ptr %v42, i64 %v86
  %v241 = load <4 x double>, ptr %v240, align 8
  %v242 = getelementptr inbounds nuw double, ptr %v43, i64 %v86
  %v243 = load <4 x double>, ptr %v242, align 8
  %v244 = fneg <4 x double> %v243
  %v245 = fmul <4 x double> %v220, %v244
  %v246 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v218, <4 x double> %v241, <4 x double> %v245)
  %v247 = fmul <4 x double> %v220, %v241
  %v248 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v218, <4 x double> %v243, <4 x double> %v247)
  store <4 x double> %v248, ptr %v26, align 32
  store <4 x double> %v246, ptr %v25, align 32
  %v249 = getelementptr inbounds nuw double, ptr %v44, i64 %v86
  %v250 = load <4 x double>, ptr %v249, align 8
  %v251 = getelementptr inbounds nuw double, ptr %v45, i64 %v86
  %v252 = load <4 x double>, ptr %v251, align 8
  %v253 = fneg <4 x double> %v252
  %v254 = fmul <4 x double> %v209, %v253
  %v255 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v207, <4 x double> %v250, <4 x double> %v254)
  %v256 = fmul <4 x double> %v209, %v250
  %v257 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v207, <4 x double> %v252, <4 x double> %v256)
  store <4 x double> %v257, ptr %v29, align 32
  store <4 x double> %v255, ptr %v28, align 32
  %v258 = getelementptr inbounds nuw double, ptr %v47, i64 %v86
  %v259 = load <4 x double>, ptr %v258, align 8
  %v260 = getelementptr inbounds nuw double, ptr %v49, i64 %v86
  %v261 = load <4 x double>, ptr %v260, align 8
  %v262 = fneg <4 x double> %v261
  %v263 = fmul <4 x double> %v213, %v262
  %v264 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v211, <4 x double> %v259, <4 x double> %v263)
  %v265 = fmul <4 x double> %v213, %v259
  %v266 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v211, <4 x double> %v261, <4 x double> %v265)
  store <4 x double> %v266, ptr %v32, align 32
  store <4 x double> %v264, ptr %v31, align 32
  %v267 = getelementptr inbounds nuw double, ptr %v51, i64 %v86
  %v268 = load <4 x double>, ptr %v267, align 8
  %v269 = getelementptr inbounds nuw double, ptr %v53, i64 %v86
  %v270 = load <4 x double>, ptr %v269, align 8
  %v271 = fneg <4 x double> %v270
  %v272 = fmul <4 x double> %v217, %v271
  %v273 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v215, <4 x double> %v268, <4 x double> %v272)
  %v274 = fmul <4 x double> %v217, %v268
  %v275 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v215, <4 x double> %v270, <4 x double> %v274)
  store <4 x double> %v275, ptr %v35, align 32
  store <4 x double> %v273, ptr %v34, align 32
  %v276 = getelementptr inbounds nuw double, ptr %v55, i64 %v86
  %v277 = load <4 x double>, ptr %v276, align 8
  %v278 = getelementptr inbounds nuw double, ptr %v57, i64 %v86
  %v279 = load <4 x double>, ptr %v278, align 8
  %v280 = fneg <4 x double> %v279
  %v281 = fmul <4 x double> %v221, %v280
  %v282 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v219, <4 x double> %v277, <4 x double> %v281)
  %v283 = fmul <4 x double> %v221, %v277
  %v284 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v219, <4 x double> %v279, <4 x double> %v283)
  store <4 x double> %v284, ptr %v38, align 32
  store <4 x double> %v282, ptr %v37, align 32
  %v285 = shl i64 %v86, 3
  br label %v289

v286:
  %v287 = add nuw nsw i64 %v85, 4
  %v288 = icmp sgt i64 %v287, %v16
  br i1 %v288, label %v60, label %v84

v289:
  %v290 = phi i1 [ true, %v84 ], [ false, %v289 ]
  %v291 = phi ptr [ %v6, %v84 ], [ %v13, %v289 ]
  %v292 = phi ptr [ %v5, %v84 ], [ %v14, %v289 ]
  %v293 = phi i64 [ 0, %v84 ], [ 4, %v289 ]
  %v294 = load ptr, ptr %v58, align 8
  %v295 = getelementptr inbounds double, ptr %v294, i64 %v285
  %v296 = getelementptr inbounds nuw double, ptr %v295, i64 %v293
  %v297 = load <4 x double>, ptr %v292, align 32
  %v298 = getelementptr inbounds nuw i8, ptr %v292, i64 32
  %v299 = load <4 x double>, ptr %v298, align 32
  %v300 = shufflevector <4 x double> %v297, <4 x double> %v299, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v301 = shufflevector <4 x double> %v297, <4 x double> %v299, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v302 = getelementptr inbounds nuw i8, ptr %v292, i64 64
  %v303 = load <4 x double>, ptr %v302, align 32
  %v304 = getelementptr inbounds nuw i8, ptr %v292, i64 96
  %v305 = load <4 x double>, ptr %v304, align 32
  %v306 = shufflevector <4 x double> %v303, <4 x double> %v305, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v307 = shufflevector <4 x double> %v303, <4 x double> %v305, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v308 = shufflevector <4 x double> %v300, <4 x double> %v306, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v308, ptr %v296, align 8
  %v309 = getelementptr inbounds nuw i8, ptr %v296, i64 64
  %v310 = shufflevector <4 x double> %v301, <4 x double> %v307, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v310, ptr %v309, align 8
  %v311 = getelementptr inbounds nuw i8, ptr %v296, i64 128
  %v312 = shufflevector <4 x double> %v300, <4 x double> %v306, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v312, ptr %v311, align 8
  %v313 = getelementptr inbounds nuw i8, ptr %v296, i64 192
  %v314 = shufflevector <4 x double> %v301, <4 x double> %v307, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v314, ptr %v313, align 8
  %v315 = load ptr, ptr %v59, align 8
  %v316 = getelementptr inbounds double, ptr %v315, i64 %v285
  %v317 = getelementptr inbounds nuw double, ptr %v316, i64 %v293
  %v318 = load <4 x double>, ptr %v291, align 32
  %v319 = getelementptr inbounds nuw i8, ptr %v291, i64 32
  %v320 = load <4 x double>, ptr %v319, align 32
  %v321 = shufflevector <4 x double> %v318, <4 x double> %v320, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v322 = shufflevector <4 x double> %v318, <4 x double> %v320, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v323 = getelementptr inbounds nuw i8, ptr %v291, i64 64
  %v324 = load <4 x double>, ptr %v323, align 32
  %v325 = getelementptr inbounds nuw i8, ptr %v291, i64 96
  %v326 = load <4 x double>, ptr %v325, align 32
  %v327 = shufflevector <4 x double> %v324, <4 x double> %v326, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v328 = shufflevector <4 x double> %v324, <4 x double> %v326, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v329 = shufflevector <4 x double> %v321, <4 x double> %v327, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v329, ptr %v317, align 8
  %v330 = getelementptr inbounds nuw i8, ptr %v317, i64 64
  %v331 = shufflevector <4 x double> %v322, <4 x double> %v328, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v331, ptr %v330, align 8
  %v332 = getelementptr inbounds nuw i8, ptr %v317, i64 128
  %v333 = shufflevector <4 x double> %v321, <4 x double> %v327, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v333, ptr %v332, align 8
  %v334 = getelementptr inbounds nuw i8, ptr %v317, i64 192
  %v335 = shufflevector <4 x double> %v322, <4 x double> %v328, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v335, ptr %v334, align 8
  br i1 %v290, label %v289, label %v286

v336:
  %v337 = phi i64 [ %v61, %v63 ], [ %v428, %v427 ]
  br label %v413

v338:
  %v339 = load double, ptr %v7, align 16
  %v340 = load double, ptr %v67, align 16
  %v341 = fadd double %v339, %v340
  %v342 = fsub double %v339, %v340
  %v343 = load double, ptr %v8, align 16
  %v344 = load double, ptr %v68, align 16
  %v345 = fadd double %v343, %v344
  %v346 = fsub double %v343, %v344
  %v347 = load double, ptr %v69, align 16
  %v348 = load double, ptr %v70, align 16
  %v349 = fadd double %v347, %v348
  %v350 = fsub double %v347, %v348
  %v351 = load double, ptr %v71, align 16
  %v352 = load double, ptr %v72, align 16
  %v353 = fadd double %v351, %v352
  %v354 = fsub double %v351, %v352
  %v355 = fadd double %v341, %v349
  %v356 = fsub double %v341, %v349
  %v357 = fadd double %v345, %v353
  %v358 = fsub double %v345, %v353
  %v359 = fadd double %v342, %v354
  %v360 = fsub double %v342, %v354
  %v361 = fsub double %v346, %v350
  %v362 = fadd double %v346, %v350
  %v363 = load double, ptr %v73, align 8
  %v364 = load double, ptr %v74, align 8
  %v365 = fadd double %v363, %v364
  %v366 = fsub double %v363, %v364
  %v367 = load double, ptr %v75, align 8
  %v368 = load double, ptr %v76, align 8
  %v369 = fadd double %v367, %v368
  %v370 = fsub double %v367, %v368
  %v371 = load double, ptr %v77, align 8
  %v372 = load double, ptr %v78, align 8
  %v373 = fadd double %v371, %v372
  %v374 = fsub double %v371, %v372
  %v375 = load double, ptr %v79, align 8
  %v376 = load double, ptr %v80, align 8
  %v377 = fadd double %v375, %v376
  %v378 = fsub double %v375, %v376
  %v379 = fadd double %v365, %v373
  %v380 = fsub double %v365, %v373
  %v381 = fadd double %v369, %v377
  %v382 = fsub double %v369, %v377
  %v383 = fadd double %v366, %v378
  %v384 = fsub double %v366, %v378
  %v385 = fsub double %v370, %v374
  %v386 = fadd double %v370, %v374
  %v387 = fadd double %v385, %v383
  %v388 = fmul double %v387, 0x3FE6A09E667F3BCD
  %v389 = fsub double %v385, %v383
  %v390 = fmul double %v389, 0x3FE6A09E667F3BCD
  %v391 = fsub double %v386, %v384
  %v392 = fmul double %v391, 0x3FE6A09E667F3BCD
  %v393 = fadd double %v386, %v384
  %v394 = fmul double %v393, 0xBFE6A09E667F3BCD
  %v395 = fadd double %v355, %v379
  %v396 = fsub double %v355, %v379
  store double %v395, ptr %v7, align 16
  %v397 = fadd double %v357, %v381
  %v398 = fsub double %v357, %v381
  store double %v397, ptr %v8, align 16
  %v399 = fadd double %v359, %v388
  %v400 = fsub double %v359, %v388
  store double %v400, ptr %v74, align 8
  %v401 = fadd double %v361, %v390
  %v402 = fsub double %v361, %v390
  store double %v402, ptr %v76, align 8
  %v403 = fadd double %v356, %v382
  %v404 = fsub double %v356, %v382
  store double %v403, ptr %v69, align 16
  %v405 = fsub double %v358, %v380
  %v406 = fadd double %v358, %v380
  store double %v405, ptr %v71, align 16
  %v407 = fadd double %v360, %v392
  %v408 = fsub double %v360, %v392
  store double %v408, ptr %v78, align 8
  %v409 = fadd double %v362, %v394
  %v410 = fsub double %v362, %v394
  store double %v410, ptr %v80, align 8
  store double %v399, ptr %v73, align 8
  store double %v396, ptr %v67, align 16
  store double %v401, ptr %v75, align 8
  store double %v398, ptr %v68, align 16
  store double %v407, ptr %v77, align 8
  store double %v404, ptr %v70, align 16
  store double %v409, ptr %v79, align 8
  store double %v406, ptr %v72, align 16
  %v411 = getelementptr double, ptr %v10, i64 %v337
  %v412 = shl i64 %v337, 3
  br label %v430

v413:
  %v414 = phi i64 [ 0, %v336 ], [ %v425, %v413 ]
  %v415 = mul nsw i64 %v16, %v414
  %v416 = add i64 %v415, %v337
  %v417 = shl i64 %v416, 4
  %v418 = getelementptr inbounds i8, ptr %v2, i64 %v417
  %v419 = getelementptr inbounds nuw double, ptr %v418, i64 %v64
  %v420 = load double, ptr %v419, align 8
  %v421 = getelementptr inbounds nuw double, ptr %v7, i64 %v414
  store double %v420, ptr %v421, align 8
  %v422 = getelementptr inbounds nuw double, ptr %v418, i64 %v66
  %v423 = load double, ptr %v422, align 8
  %v424 = getelementptr inbounds nuw double, ptr %v8, i64 %v414
  store double %v423, ptr %v424, align 8
  %v425 = add nuw nsw i64 %v414, 1
  %v426 = icmp eq i64 %v425, 8
  br i1 %v426, label %v338, label %v413

v427:
  %v428 = add nuw nsw i64 %v337, 1
  %v429 = icmp eq i64 %v428, %v16
  br i1 %v429, label %v463, label %v336

v430:
  %v431 = phi i64 [ 0, %v338 ], [ %v461, %v453 ]
  %v432 = getelementptr inbounds nuw double, ptr %v7, i64 %v431
  %v433 = load double, ptr %v432, align 8
  %v434 = getelementptr inbounds nuw double, ptr %v8, i64 %v431
  %v435 = load double, ptr %v434, align 8
  %v436 = icmp ne i64 %v431, 0
  %v437 = and i1 %v81, %v436
  br i1 %v437, label %v438, label %v453

v438:
  %v439 = shl nuw nsw i64 %v431, 1
  %v440 = add nsw i64 %v439, -2
  %v441 = mul i64 %v16, %v440
  %v442 = getelementptr double, ptr %v411, i64 %v441
  %v443 = load double, ptr %v442, align 8
  %v444 = add nsw i64 %v439, -1
  %v445 = mul i64 %v16, %v444
  %v446 = getelementptr double, ptr %v411, i64 %v445
  %v447 = load double, ptr %v446, align 8
  %v448 = fneg double %v447
  %v449 = fmul double %v435, %v448
  %v450 = tail call double @llvm.fmuladd.f64(double %v433, double %v443, double %v449)
  %v451 = fmul double %v435, %v443
  %v452 = tail call double @llvm.fmuladd.f64(double %v433, double %v447, double %v451)
  br label %v453

v453:
  %v454 = phi double [ %v450, %v438 ], [ %v433, %v430 ]
  %v455 = phi double [ %v452, %v438 ], [ %v435, %v430 ]
  %v456 = load ptr, ptr %v82, align 8
  %v457 = add nuw nsw i64 %v412, %v431
  %v458 = getelementptr inbounds double, ptr %v456, i64 %v457
  store double %v454, ptr %v458, align 8
  %v459 = load ptr, ptr %v83, align 8
  %v460 = getelementptr inbounds double, ptr %v459, i64 %v457
  store double %v455, ptr %v460, align 8
  %v461 = add nuw nsw i64 %v431, 1
  %v462 = icmp eq i64 %v461, 8
  br i1 %v462, label %v427, label %v430

v463:
  %v464 = load ptr, ptr %v3, align 8
  %v465 = getelementptr inbounds nuw i8, ptr %v3, i64 8
  %v466 = load ptr, ptr %v465, align 8
  %v467 = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v468 = load ptr, ptr %v467, align 8
  %v469 = getelementptr inbounds nuw i8, ptr %v3, i64 24
  %v470 = load ptr, ptr %v469, align 8
  store ptr %v468, ptr %v3, align 8
  store ptr %v470, ptr %v465, align 8
  store ptr %v464, ptr %v467, align 8
  store ptr %v466, ptr %v469, align 8
  br label %v506

v471:
  %v472 = getelementptr inbounds nuw i8, ptr %v3, i64 8
  %v473 = select i1 %v1, ptr %v472, ptr %v3
  %v474 = load ptr, ptr %v473, align 8
  %v475 = select i1 %v1, ptr %v3, ptr %v472
  %v476 = load ptr, ptr %v475, align 8
  %v477 = icmp slt i64 %v12, 4
  br i1 %v477, label %v478, label %v481

v478:
  %v479 = phi i64 [ 0, %v471 ], [ %v482, %v481 ]
  %v480 = icmp slt i64 %v479, %v12
  br i1 %v480, label %v495, label %v506

v481:
  %v482 = phi i64 [ %v493, %v481 ], [ 4, %v471 ]
  %v483 = phi i64 [ %v482, %v481 ], [ 0, %v471 ]
  %v484 = shl i64 %v483, 4
  %v485 = getelementptr inbounds i8, ptr %v2, i64 %v484
  %v486 = load <4 x double>, ptr %v485, align 8
  %v487 = getelementptr inbounds nuw i8, ptr %v485, i64 32
  %v488 = load <4 x double>, ptr %v487, align 8
  %v489 = shufflevector <4 x double> %v486, <4 x double> %v488, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v490 = shufflevector <4 x double> %v486, <4 x double> %v488, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v491 = getelementptr inbounds double, ptr %v474, i64 %v483
  store <4 x double> %v489, ptr %v491, align 8
  %v492 = getelementptr inbounds double, ptr %v476, i64 %v483
  store <4 x double> %v490, ptr %v492, align 8
  %v493 = add i64 %v482, 4
  %v494 = icmp sgt i64 %v493, %v12
  br i1 %v494, label %v478, label %v481

v495:
  %v496 = phi i64 [ %v504, %v495 ], [ %v479, %v478 ]
  %v497 = shl i64 %v496, 4
  %v498 = getelementptr inbounds i8, ptr %v2, i64 %v497
  %v499 = load double, ptr %v498, align 8
  %v500 = getelementptr inbounds double, ptr %v474, i64 %v496
  store double %v499, ptr %v500, align 8
  %v501 = getelementptr i8, ptr %v498, i64 8
  %v502 = load double, ptr %v501, align 8
  %v503 = getelementptr inbounds double, ptr %v476, i64 %v496
  store double %v502, ptr %v503, align 8
  %v504 = add nsw i64 %v496, 1
  %v505 = icmp eq i64 %v504, %v12
  br i1 %v505, label %v506, label %v495

v506:
  %v507 = phi i64 [ 1, %v463 ], [ 0, %v478 ], [ 0, %v495 ]
  tail call fastcc void @passes(ptr %v0, i64 %v507, i64 1, ptr %v3)
  ret void
}

define internal fastcc void @passes(ptr %v0, i64 %v1, i64 %v2, ptr %v3) nounwind {
v4:
  %v5 = alloca [31 x double], align 16
  %v6 = alloca [31 x double], align 16
  %v7 = alloca [31 x double], align 16
  %v8 = alloca [31 x double], align 16
  %v9 = alloca [31 x <4 x double>], align 32
  %v10 = alloca [31 x <4 x double>], align 32
  %v11 = alloca [31 x <4 x double>], align 32
  %v12 = alloca [31 x <4 x double>], align 32
  %v13 = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v14 = load i64, ptr %v13, align 8
  %v15 = icmp sgt i64 %v14, 0
  br i1 %v15, label %v16, label %v25

v16:
  %v17 = getelementptr inbounds nuw i8, ptr %v0, i64 32
  %v18 = load ptr, ptr %v17, align 8
  %v19 = getelementptr inbounds nuw i8, ptr %v0, i64 16
  %v20 = load ptr, ptr %v19, align 8
  %v21 = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v22 = getelementptr inbounds nuw i8, ptr %v3, i64 8
  %v23 = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v24 = getelementptr inbounds nuw i8, ptr %v3, i64 24
  br label %v26

v25:
  ret void

v26:
  %v27 = phi i64 [ %v14, %v16 ], [ %v2193, %v2192 ]
  %v28 = phi ptr [ %v20, %v16 ], [ %v2199, %v2192 ]
  %v29 = phi ptr [ %v18, %v16 ], [ %v2205, %v2192 ]
  %v30 = phi i64 [ 1, %v16 ], [ %v36, %v2192 ]
  %v31 = phi i64 [ 0, %v16 ], [ %v2206, %v2192 ]
  %v32 = load ptr, ptr %v21, align 8
  %v33 = getelementptr inbounds nuw i64, ptr %v32, i64 %v31
  %v34 = load i64, ptr %v33, align 8
  %v35 = load i64, ptr %v0, align 8
  %v36 = mul i64 %v34, %v30
  %v37 = sdiv i64 %v35, %v36
  %v38 = mul i64 %v30, %v2
  %v39 = icmp samesign ult i64 %v31, %v1
  br i1 %v39, label %v2192, label %v40

v40:
  switch i64 %v34, label %v1874 [
    i64 2, label %v41
    i64 3, label %v190
    i64 4, label %v437
    i64 5, label %v746
    i64 8, label %v1189
  ]

v41:
  %v42 = load ptr, ptr %v3, align 8
  %v43 = load ptr, ptr %v22, align 8
  %v44 = load ptr, ptr %v23, align 8
  %v45 = load ptr, ptr %v24, align 8
  %v46 = icmp eq i64 %v37, 1
  br i1 %v46, label %v53, label %v47

v47:
  %v48 = icmp sgt i64 %v37, 0
  br i1 %v48, label %v49, label %v2186

v49:
  %v50 = mul i64 %v37, %v38
  %v51 = icmp slt i64 %v38, 4
  %v52 = shl i64 %v38, 1
  br label %v99

v53:
  %v54 = icmp slt i64 %v38, 4
  br i1 %v54, label %v55, label %v58

v55:
  %v56 = phi i64 [ 0, %v53 ], [ %v59, %v58 ]
  %v57 = icmp slt i64 %v56, %v38
  br i1 %v57, label %v79, label %v2186

v58:
  %v59 = phi i64 [ %v77, %v58 ], [ 4, %v53 ]
  %v60 = phi i64 [ %v59, %v58 ], [ 0, %v53 ]
  %v61 = getelementptr inbounds double, ptr %v42, i64 %v60
  %v62 = getelementptr inbounds double, ptr %v43, i64 %v60
  %v63 = getelementptr inbounds double, ptr %v44, i64 %v60
  %v64 = getelementptr inbounds double, ptr %v45, i64 %v60
  %v65 = load <4 x double>, ptr %v61, align 8
  %v66 = load <4 x double>, ptr %v62, align 8
  %v67 = getelementptr inbounds nuw double, ptr %v61, i64 %v38
  %v68 = load <4 x double>, ptr %v67, align 8
  %v69 = getelementptr inbounds nuw double, ptr %v62, i64 %v38
  %v70 = load <4 x double>, ptr %v69, align 8
  %v71 = fadd <4 x double> %v65, %v68
  %v72 = fsub <4 x double> %v65, %v68
  %v73 = fadd <4 x double> %v66, %v70
  %v74 = fsub <4 x double> %v66, %v70
  store <4 x double> %v71, ptr %v63, align 8
  store <4 x double> %v73, ptr %v64, align 8
  %v75 = getelementptr inbounds nuw double, ptr %v63, i64 %v38
  store <4 x double> %v72, ptr %v75, align 8
  %v76 = getelementptr inbounds nuw double, ptr %v64, i64 %v38
  store <4 x double> %v74, ptr %v76, align 8
  %v77 = add i64 %v59, 4
  %v78 = icmp sgt i64 %v77, %v38
  br i1 %v78, label %v55, label %v58

v79:
  %v80 = phi i64 [ %v97, %v79 ], [ %v56, %v55 ]
  %v81 = getelementptr inbounds double, ptr %v42, i64 %v80
  %v82 = getelementptr inbounds double, ptr %v43, i64 %v80
  %v83 = getelementptr inbounds double, ptr %v44, i64 %v80
  %v84 = getelementptr inbounds double, ptr %v45, i64 %v80
  %v85 = load double, ptr %v81, align 8
  %v86 = load double, ptr %v82, align 8
  %v87 = getelementptr inbounds double, ptr %v81, i64 %v38
  %v88 = load double, ptr %v87, align 8
  %v89 = getelementptr inbounds double, ptr %v82, i64 %v38
  %v90 = load double, ptr %v89, align 8
  %v91 = fadd double %v85, %v88
  %v92 = fsub double %v85, %v88
  %v93 = fadd double %v86, %v90
  %v94 = fsub double %v86, %v90
  store double %v91, ptr %v83, align 8
  store double %v93, ptr %v84, align 8
  %v95 = getelementptr inbounds double, ptr %v83, i64 %v38
  store double %v92, ptr %v95, align 8
  %v96 = getelementptr inbounds double, ptr %v84, i64 %v38
  store double %v94, ptr %v96, align 8
  %v97 = add nsw i64 %v80, 1
  %v98 = icmp eq i64 %v97, %v38
  br i1 %v98, label %v2186, label %v79

v99:
  %v100 = phi i64 [ 0, %v49 ], [ %v188, %v182 ]
  %v101 = phi ptr [ %v28, %v49 ], [ %v187, %v182 ]
  %v102 = phi ptr [ %v42, %v49 ], [ %v183, %v182 ]
  %v103 = phi ptr [ %v43, %v49 ], [ %v184, %v182 ]
  %v104 = phi ptr [ %v44, %v49 ], [ %v185, %v182 ]
  %v105 = phi ptr [ %v45, %v49 ], [ %v186, %v182 ]
  br i1 %v51, label %v109, label %v106

v106:
  %v107 = icmp eq ptr %v101, null
  %v108 = getelementptr inbounds nuw i8, ptr %v101, i64 8
  br label %v115

v109:
  %v110 = phi i64 [ 0, %v99 ], [ %v116, %v144 ]
  %v111 = icmp slt i64 %v110, %v38
  br i1 %v111, label %v112, label %v182

v112:
  %v113 = icmp eq ptr %v101, null
  %v114 = getelementptr inbounds nuw i8, ptr %v101, i64 8
  br label %v151

v115:
  %v116 = phi i64 [ 4, %v106 ], [ %v149, %v144 ]
  %v117 = phi i64 [ 0, %v106 ], [ %v116, %v144 ]
  %v118 = getelementptr inbounds double, ptr %v102, i64 %v117
  %v119 = getelementptr inbounds double, ptr %v103, i64 %v117
  %v120 = getelementptr inbounds double, ptr %v104, i64 %v117
  %v121 = getelementptr inbounds double, ptr %v105, i64 %v117
  %v122 = load <4 x double>, ptr %v118, align 8
  %v123 = load <4 x double>, ptr %v119, align 8
  %v124 = getelementptr inbounds double, ptr %v118, i64 %v50
  %v125 = load <4 x double>, ptr %v124, align 8
  %v126 = getelementptr inbounds double, ptr %v119, i64 %v50
  %v127 = load <4 x double>, ptr %v126, align 8
  %v128 = fadd <4 x double> %v122, %v125
  %v129 = fsub <4 x double> %v122, %v125
  %v130 = fadd <4 x double> %v123, %v127
  %v131 = fsub <4 x double> %v123, %v127
  store <4 x double> %v128, ptr %v120, align 8
  store <4 x double> %v130, ptr %v121, align 8
  br i1 %v107, label %v144, label %v132

v132:
  %v133 = load double, ptr %v101, align 8
  %v134 = load double, ptr %v108, align 8
  %v135 = insertelement <4 x double> poison, double %v133, i64 0
  %v136 = shufflevector <4 x double> %v135, <4 x double> poison, <4 x i32> zeroinitializer
  %v137 = insertelement <4 x double> poison, double %v134, i64 0
  %v138 = shufflevector <4 x double> %v137, <4 x double> poison, <4 x i32> zeroinitializer
  %v139 = fneg <4 x double> %v138
  %v140 = fmul <4 x double> %v131, %v139
  %v141 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v129, <4 x double> %v136, <4 x double> %v140)
  %v142 = fmul <4 x double> %v131, %v136
  %v143 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v129, <4 x double> %v138, <4 x double> %v142)
  br label %v144

v144:
  %v145 = phi <4 x double> [ %v143, %v132 ], [ %v131, %v115 ]
  %v146 = phi <4 x double> [ %v141, %v132 ], [ %v129, %v115 ]
  %v147 = getelementptr inbounds nuw double, ptr %v120, i64 %v38
  store <4 x double> %v146, ptr %v147, align 8
  %v148 = getelementptr inbounds nuw double, ptr %v121, i64 %v38
  store <4 x double> %v145, ptr %v148, align 8
  %v149 = add i64 %v116, 4
  %v150 = icmp sgt i64 %v149, %v38
  br i1 %v150, label %v109, label %v115

v151:
  %v152 = phi i64 [ %v110, %v112 ], [ %v180, %v175 ]
  %v153 = getelementptr inbounds double, ptr %v102, i64 %v152
  %v154 = getelementptr inbounds double, ptr %v103, i64 %v152
  %v155 = getelementptr inbounds double, ptr %v104, i64 %v152
  %v156 = getelementptr inbounds double, ptr %v105, i64 %v152
  %v157 = load double, ptr %v153, align 8
  %v158 = load double, ptr %v154, align 8
  %v159 = getelementptr inbounds double, ptr %v153, i64 %v50
  %v160 = load double, ptr %v159, align 8
  %v161 = getelementptr inbounds double, ptr %v154, i64 %v50
  %v162 = load double, ptr %v161, align 8
  %v163 = fadd double %v157, %v160
  %v164 = fsub double %v157, %v160
  %v165 = fadd double %v158, %v162
  %v166 = fsub double %v158, %v162
  store double %v163, ptr %v155, align 8
  store double %v165, ptr %v156, align 8
  br i1 %v113, label %v175, label %v167

v167:
  %v168 = load double, ptr %v101, align 8
  %v169 = load double, ptr %v114, align 8
  %v170 = fneg double %v169
  %v171 = fmul double %v166, %v170
  %v172 = tail call double @llvm.fmuladd.f64(double %v164, double %v168, double %v171)
  %v173 = fmul double %v166, %v168
  %v174 = tail call double @llvm.fmuladd.f64(double %v164, double %v169, double %v173)
  br label %v175

v175:
  %v176 = phi double [ %v174, %v167 ], [ %v166, %v151 ]
  %v177 = phi double [ %v172, %v167 ], [ %v164, %v151 ]
  %v178 = getelementptr inbounds double, ptr %v155, i64 %v38
  store double %v177, ptr %v178, align 8
  %v179 = getelementptr inbounds double, ptr %v156, i64 %v38
  store double %v176, ptr %v179, align 8
  %v180 = add nsw i64 %v152, 1
  %v181 = icmp eq i64 %v180, %v38
  br i1 %v181, label %v182, label %v151

v182:
  %v183 = getelementptr inbounds double, ptr %v102, i64 %v38
  %v184 = getelementptr inbounds double, ptr %v103, i64 %v38
  %v185 = getelementptr inbounds double, ptr %v104, i64 %v52
  %v186 = getelementptr inbounds double, ptr %v105, i64 %v52
  %v187 = getelementptr i8, ptr %v101, i64 16
  %v188 = add nuw nsw i64 %v100, 1
  %v189 = icmp eq i64 %v188, %v37
  br i1 %v189, label %v2186, label %v99

v190:
  %v191 = load ptr, ptr %v3, align 8
  %v192 = load ptr, ptr %v22, align 8
  %v193 = load ptr, ptr %v23, align 8
  %v194 = load ptr, ptr %v24, align 8
  %v195 = icmp eq i64 %v37, 1
  br i1 %v195, label %v204, label %v196

v196:
  %v197 = icmp sgt i64 %v37, 0
  br i1 %v197, label %v198, label %v2186

v198:
  %v199 = mul i64 %v37, %v38
  %v200 = icmp slt i64 %v38, 4
  %v201 = shl i64 %v199, 1
  %v202 = shl i64 %v38, 1
  %v203 = mul i64 %v38, 3
  br label %v286

v204:
  %v205 = icmp slt i64 %v38, 4
  br i1 %v205, label %v208, label %v206

v206:
  %v207 = shl nuw i64 %v38, 1
  br label %v213

v208:
  %v209 = phi i64 [ 0, %v204 ], [ %v214, %v213 ]
  %v210 = icmp slt i64 %v209, %v38
  br i1 %v210, label %v211, label %v2186

v211:
  %v212 = shl nuw i64 %v38, 1
  br label %v250

v213:
  %v214 = phi i64 [ 4, %v206 ], [ %v248, %v213 ]
  %v215 = phi i64 [ 0, %v206 ], [ %v214, %v213 ]
  %v216 = getelementptr inbounds double, ptr %v191, i64 %v215
  %v217 = getelementptr inbounds double, ptr %v192, i64 %v215
  %v218 = getelementptr inbounds double, ptr %v193, i64 %v215
  %v219 = getelementptr inbounds double, ptr %v194, i64 %v215
  %v220 = load <4 x double>, ptr %v216, align 8
  %v221 = load <4 x double>, ptr %v217, align 8
  %v222 = getelementptr inbounds nuw double, ptr %v216, i64 %v38
  %v223 = load <4 x double>, ptr %v222, align 8
  %v224 = getelementptr inbounds nuw double, ptr %v217, i64 %v38
  %v225 = load <4 x double>, ptr %v224, align 8
  %v226 = getelementptr inbounds double, ptr %v216, i64 %v207
  %v227 = load <4 x double>, ptr %v226, align 8
  %v228 = getelementptr inbounds double, ptr %v217, i64 %v207
  %v229 = load <4 x double>, ptr %v228, align 8
  %v230 = fadd <4 x double> %v223, %v227
  %v231 = fsub <4 x double> %v223, %v227
  %v232 = fadd <4 x double> %v225, %v229
  %v233 = fsub <4 x double> %v225, %v229
  %v234 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v230, <4 x double> splat (double -5.000000e-01), <4 x double> %v220)
  %v235 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v232, <4 x double> splat (double -5.000000e-01), <4 x double> %v221)
  %v236 = fmul <4 x double> %v233, splat (double 0x3FEBB67AE8584CAA)
  %v237 = fmul <4 x double> %v231, splat (double 0xBFEBB67AE8584CAA)
  %v238 = fadd <4 x double> %v220, %v230
  %v239 = fadd <4 x double> %v221, %v232
  %v240 = fadd <4 x double> %v234, %v236
  %v241 = fadd <4 x double> %v237, %v235
  %v242 = fsub <4 x double> %v234, %v236
  %v243 = fsub <4 x double> %v235, %v237
  store <4 x double> %v238, ptr %v218, align 8
  store <4 x double> %v239, ptr %v219, align 8
  %v244 = getelementptr inbounds nuw double, ptr %v218, i64 %v38
  store <4 x double> %v240, ptr %v244, align 8
  %v245 = getelementptr inbounds nuw double, ptr %v219, i64 %v38
  store <4 x double> %v241, ptr %v245, align 8
  %v246 = getelementptr inbounds double, ptr %v218, i64 %v207
  store <4 x double> %v242, ptr %v246, align 8
  %v247 = getelementptr inbounds double, ptr %v219, i64 %v207
  store <4 x double> %v243, ptr %v247, align 8
  %v248 = add i64 %v214, 4
  %v249 = icmp sgt i64 %v248, %v38
  br i1 %v249, label %v208, label %v213

v250:
  %v251 = phi i64 [ %v209, %v211 ], [ %v284, %v250 ]
  %v252 = getelementptr inbounds double, ptr %v191, i64 %v251
  %v253 = getelementptr inbounds double, ptr %v192, i64 %v251
  %v254 = getelementptr inbounds double, ptr %v193, i64 %v251
  %v255 = getelementptr inbounds double, ptr %v194, i64 %v251
  %v256 = load double, ptr %v252, align 8
  %v257 = load double, ptr %v253, align 8
  %v258 = getelementptr inbounds double, ptr %v252, i64 %v38
  %v259 = load double, ptr %v258, align 8
  %v260 = getelementptr inbounds double, ptr %v253, i64 %v38
  %v261 = load double, ptr %v260, align 8
  %v262 = getelementptr inbounds double, ptr %v252, i64 %v212
  %v263 = load double, ptr %v262, align 8
  %v264 = getelementptr inbounds double, ptr %v253, i64 %v212
  %v265 = load double, ptr %v264, align 8
  %v266 = fadd double %v259, %v263
  %v267 = fsub double %v259, %v263
  %v268 = fadd double %v261, %v265
  %v269 = fsub double %v261, %v265
  %v270 = tail call double @llvm.fmuladd.f64(double %v266, double -5.000000e-01, double %v256)
  %v271 = tail call double @llvm.fmuladd.f64(double %v268, double -5.000000e-01, double %v257)
  %v272 = fmul double %v269, 0x3FEBB67AE8584CAA
  %v273 = fmul double %v267, 0xBFEBB67AE8584CAA
  %v274 = fadd double %v256, %v266
  %v275 = fadd double %v257, %v268
  %v276 = fadd double %v270, %v272
  %v277 = fadd double %v273, %v271
  %v278 = fsub double %v270, %v272
  %v279 = fsub double %v271, %v273
  store double %v274, ptr %v254, align 8
  store double %v275, ptr %v255, align 8
  %v280 = getelementptr inbounds double, ptr %v254, i64 %v38
  store double %v276, ptr %v280, align 8
  %v281 = getelementptr inbounds double, ptr %v255, i64 %v38
  store double %v277, ptr %v281, align 8
  %v282 = getelementptr inbounds double, ptr %v254, i64 %v212
  store double %v278, ptr %v282, align 8
  %v283 = getelementptr inbounds double, ptr %v255, i64 %v212
  store double %v279, ptr %v283, align 8
  %v284 = add nsw i64 %v251, 1
  %v285 = icmp eq i64 %v284, %v38
  br i1 %v285, label %v2186, label %v250

v286:
  %v287 = phi i64 [ 0, %v198 ], [ %v435, %v429 ]
  %v288 = phi ptr [ %v28, %v198 ], [ %v434, %v429 ]
  %v289 = phi ptr [ %v191, %v198 ], [ %v430, %v429 ]
  %v290 = phi ptr [ %v192, %v198 ], [ %v431, %v429 ]
  %v291 = phi ptr [ %v193, %v198 ], [ %v432, %v429 ]
  %v292 = phi ptr [ %v194, %v198 ], [ %v433, %v429 ]
  br i1 %v200, label %v298, label %v293

v293:
  %v294 = icmp eq ptr %v288, null
  %v295 = getelementptr inbounds nuw i8, ptr %v288, i64 8
  %v296 = getelementptr inbounds nuw i8, ptr %v288, i64 16
  %v297 = getelementptr inbounds nuw i8, ptr %v288, i64 24
  br label %v306

v298:
  %v299 = phi i64 [ 0, %v286 ], [ %v307, %v365 ]
  %v300 = icmp slt i64 %v299, %v38
  br i1 %v300, label %v301, label %v429

v301:
  %v302 = icmp eq ptr %v288, null
  %v303 = getelementptr inbounds nuw i8, ptr %v288, i64 8
  %v304 = getelementptr inbounds nuw i8, ptr %v288, i64 16
  %v305 = getelementptr inbounds nuw i8, ptr %v288, i64 24
  br label %v372

v306:
  %v307 = phi i64 [ 4, %v293 ], [ %v370, %v365 ]
  %v308 = phi i64 [ 0, %v293 ], [ %v307, %v365 ]
  %v309 = getelementptr inbounds double, ptr %v289, i64 %v308
  %v310 = getelementptr inbounds double, ptr %v290, i64 %v308
  %v311 = getelementptr inbounds double, ptr %v291, i64 %v308
  %v312 = getelementptr inbounds double, ptr %v292, i64 %v308
  %v313 = load <4 x double>, ptr %v309, align 8
  %v314 = load <4 x double>, ptr %v310, align 8
  %v315 = getelementptr inbounds double, ptr %v309, i64 %v199
  %v316 = load <4 x double>, ptr %v315, align 8
  %v317 = getelementptr inbounds double, ptr %v310, i64 %v199
  %v318 = load <4 x double>, ptr %v317, align 8
  %v319 = getelementptr inbounds double, ptr %v309, i64 %v201
  %v320 = load <4 x double>, ptr %v319, align 8
  %v321 = getelementptr inbounds double, ptr %v310, i64 %v201
  %v322 = load <4 x double>, ptr %v321, align 8
  %v323 = fadd <4 x double> %v316, %v320
  %v324 = fsub <4 x double> %v316, %v320
  %v325 = fadd <4 x double> %v318, %v322
  %v326 = fsub <4 x double> %v318, %v322
  %v327 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v323, <4 x double> splat (double -5.000000e-01), <4 x double> %v313)
  %v328 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v325, <4 x double> splat (double -5.000000e-01), <4 x double> %v314)
  %v329 = fmul <4 x double> %v326, splat (double 0x3FEBB67AE8584CAA)
  %v330 = fmul <4 x double> %v324, splat (double 0xBFEBB67AE8584CAA)
  %v331 = fadd <4 x double> %v313, %v323
  %v332 = fadd <4 x double> %v314, %v325
  %v333 = fadd <4 x double> %v327, %v329
  %v334 = fadd <4 x double> %v330, %v328
  %v335 = fsub <4 x double> %v327, %v329
  %v336 = fsub <4 x double> %v328, %v330
  store <4 x double> %v331, ptr %v311, align 8
  store <4 x double> %v332, ptr %v312, align 8
  br i1 %v294, label %v337, label %v340

v337:
  %v338 = getelementptr inbounds nuw double, ptr %v311, i64 %v38
  store <4 x double> %v333, ptr %v338, align 8
  %v339 = getelementptr inbounds nuw double, ptr %v312, i64 %v38
  store <4 x double> %v334, ptr %v339, align 8
  br label %v365

v340:
  %v341 = load double, ptr %v288, align 8
  %v342 = load double, ptr %v295, align 8
  %v343 = insertelement <4 x double> poison, double %v341, i64 0
  %v344 = shufflevector <4 x double> %v343, <4 x double> poison, <4 x i32> zeroinitializer
  %v345 = insertelement <4 x double> poison, double %v342, i64 0
  %v346 = shufflevector <4 x double> %v345, <4 x double> poison, <4 x i32> zeroinitializer
  %v347 = fneg <4 x double> %v346
  %v348 = fmul <4 x double> %v334, %v347
  %v349 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v333, <4 x double> %v344, <4 x double> %v348)
  %v350 = fmul <4 x double> %v334, %v344
  %v351 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v333, <4 x double> %v346, <4 x double> %v350)
  %v352 = getelementptr inbounds nuw double, ptr %v311, i64 %v38
  store <4 x double> %v349, ptr %v352, align 8
  %v353 = getelementptr inbounds nuw double, ptr %v312, i64 %v38
  store <4 x double> %v351, ptr %v353, align 8
  %v354 = load double, ptr %v296, align 8
  %v355 = load double, ptr %v297, align 8
  %v356 = insertelement <4 x double> poison, double %v354, i64 0
  %v357 = shufflevector <4 x double> %v356, <4 x double> poison, <4 x i32> zeroinitializer
  %v358 = insertelement <4 x double> poison, double %v355, i64 0
  %v359 = shufflevector <4 x double> %v358, <4 x double> poison, <4 x i32> zeroinitializer
  %v360 = fneg <4 x double> %v359
  %v361 = fmul <4 x double> %v336, %v360
  %v362 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v335, <4 x double> %v357, <4 x double> %v361)
  %v363 = fmul <4 x double> %v336, %v357
  %v364 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v335, <4 x double> %v359, <4 x double> %v363)
  br label %v365

v365:
  %v366 = phi <4 x double> [ %v364, %v340 ], [ %v336, %v337 ]
  %v367 = phi <4 x double> [ %v362, %v340 ], [ %v335, %v337 ]
  %v368 = getelementptr inbounds double, ptr %v311, i64 %v202
  store <4 x double> %v367, ptr %v368, align 8
  %v369 = getelementptr inbounds double, ptr %v312, i64 %v202
  store <4 x double> %v366, ptr %v369, align 8
  %v370 = add i64 %v307, 4
  %v371 = icmp sgt i64 %v370, %v38
  br i1 %v371, label %v298, label %v306

v372:
  %v373 = phi i64 [ %v299, %v301 ], [ %v427, %v422 ]
  %v374 = getelementptr inbounds double, ptr %v289, i64 %v373
  %v375 = getelementptr inbounds double, ptr %v290, i64 %v373
  %v376 = getelementptr inbounds double, ptr %v291, i64 %v373
  %v377 = getelementptr inbounds double, ptr %v292, i64 %v373
  %v378 = load double, ptr %v374, align 8
  %v379 = load double, ptr %v375, align 8
  %v380 = getelementptr inbounds double, ptr %v374, i64 %v199
  %v381 = load double, ptr %v380, align 8
  %v382 = getelementptr inbounds double, ptr %v375, i64 %v199
  %v383 = load double, ptr %v382, align 8
  %v384 = getelementptr inbounds double, ptr %v374, i64 %v201
  %v385 = load double, ptr %v384, align 8
  %v386 = getelementptr inbounds double, ptr %v375, i64 %v201
  %v387 = load double, ptr %v386, align 8
  %v388 = fadd double %v381, %v385
  %v389 = fsub double %v381, %v385
  %v390 = fadd double %v383, %v387
  %v391 = fsub double %v383, %v387
  %v392 = tail call double @llvm.fmuladd.f64(double %v388, double -5.000000e-01, double %v378)
  %v393 = tail call double @llvm.fmuladd.f64(double %v390, double -5.000000e-01, double %v379)
  %v394 = fmul double %v391, 0x3FEBB67AE8584CAA
  %v395 = fmul double %v389, 0xBFEBB67AE8584CAA
  %v396 = fadd double %v378, %v388
  %v397 = fadd double %v379, %v390
  %v398 = fadd double %v392, %v394
  %v399 = fadd double %v395, %v393
  %v400 = fsub double %v392, %v394
  %v401 = fsub double %v393, %v395
  store double %v396, ptr %v376, align 8
  store double %v397, ptr %v377, align 8
  br i1 %v302, label %v402, label %v405

v402:
  %v403 = getelementptr inbounds double, ptr %v376, i64 %v38
  store double %v398, ptr %v403, align 8
  %v404 = getelementptr inbounds double, ptr %v377, i64 %v38
  store double %v399, ptr %v404, align 8
  br label %v422

v405:
  %v406 = load double, ptr %v288, align 8
  %v407 = load double, ptr %v303, align 8
  %v408 = fneg double %v407
  %v409 = fmul double %v399, %v408
  %v410 = tail call double @llvm.fmuladd.f64(double %v398, double %v406, double %v409)
  %v411 = fmul double %v399, %v406
  %v412 = tail call double @llvm.fmuladd.f64(double %v398, double %v407, double %v411)
  %v413 = getelementptr inbounds double, ptr %v376, i64 %v38
  store double %v410, ptr %v413, align 8
  %v414 = getelementptr inbounds double, ptr %v377, i64 %v38
  store double %v412, ptr %v414, align 8
  %v415 = load double, ptr %v304, align 8
  %v416 = load double, ptr %v305, align 8
  %v417 = fneg double %v416
  %v418 = fmul double %v401, %v417
  %v419 = tail call double @llvm.fmuladd.f64(double %v400, double %v415, double %v418)
  %v420 = fmul double %v401, %v415
  %v421 = tail call double @llvm.fmuladd.f64(double %v400, double %v416, double %v420)
  br label %v422

v422:
  %v423 = phi double [ %v421, %v405 ], [ %v401, %v402 ]
  %v424 = phi double [ %v419, %v405 ], [ %v400, %v402 ]
  %v425 = getelementptr inbounds double, ptr %v376, i64 %v202
  store double %v424, ptr %v425, align 8
  %v426 = getelementptr inbounds double, ptr %v377, i64 %v202
  store double %v423, ptr %v426, align 8
  %v427 = add nsw i64 %v373, 1
  %v428 = icmp eq i64 %v427, %v38
  br i1 %v428, label %v429, label %v372

v429:
  %v430 = getelementptr inbounds double, ptr %v289, i64 %v38
  %v431 = getelementptr inbounds double, ptr %v290, i64 %v38
  %v432 = getelementptr inbounds double, ptr %v291, i64 %v203
  %v433 = getelementptr inbounds double, ptr %v292, i64 %v203
  %v434 = getelementptr i8, ptr %v288, i64 32
  %v435 = add nuw nsw i64 %v287, 1
  %v436 = icmp eq i64 %v435, %v37
  br i1 %v436, label %v2186, label %v286

v437:
  %v438 = load ptr, ptr %v3, align 8
  %v439 = load ptr, ptr %v22, align 8
  %v440 = load ptr, ptr %v23, align 8
  %v441 = load ptr, ptr %v24, align 8
  %v442 = icmp eq i64 %v37, 1
  br i1 %v442, label %v453, label %v443

v443:
  %v444 = icmp sgt i64 %v37, 0
  br i1 %v444, label %v445, label %v2186

v445:
  %v446 = mul i64 %v37, %v38
  %v447 = icmp slt i64 %v38, 4
  %v448 = shl i64 %v446, 1
  %v449 = mul i64 %v446, 3
  %v450 = shl i64 %v38, 1
  %v451 = mul i64 %v38, 3
  %v452 = shl i64 %v38, 2
  br label %v553

v453:
  %v454 = icmp slt i64 %v38, 4
  br i1 %v454, label %v458, label %v455

v455:
  %v456 = shl nuw i64 %v38, 1
  %v457 = mul i64 %v38, 3
  br label %v464

v458:
  %v459 = phi i64 [ 0, %v453 ], [ %v465, %v464 ]
  %v460 = icmp slt i64 %v459, %v38
  br i1 %v460, label %v461, label %v2186

v461:
  %v462 = shl nuw i64 %v38, 1
  %v463 = mul i64 %v38, 3
  br label %v509

v464:
  %v465 = phi i64 [ 4, %v455 ], [ %v507, %v464 ]
  %v466 = phi i64 [ 0, %v455 ], [ %v465, %v464 ]
  %v467 = getelementptr inbounds double, ptr %v438, i64 %v466
  %v468 = getelementptr inbounds double, ptr %v439, i64 %v466
  %v469 = getelementptr inbounds double, ptr %v440, i64 %v466
  %v470 = getelementptr inbounds double, ptr %v441, i64 %v466
  %v471 = load <4 x double>, ptr %v467, align 8
  %v472 = load <4 x double>, ptr %v468, align 8
  %v473 = getelementptr inbounds nuw double, ptr %v467, i64 %v38
  %v474 = load <4 x double>, ptr %v473, align 8
  %v475 = getelementptr inbounds nuw double, ptr %v468, i64 %v38
  %v476 = load <4 x double>, ptr %v475, align 8
  %v477 = getelementptr inbounds double, ptr %v467, i64 %v456
  %v478 = load <4 x double>, ptr %v477, align 8
  %v479 = getelementptr inbounds double, ptr %v468, i64 %v456
  %v480 = load <4 x double>, ptr %v479, align 8
  %v481 = getelementptr inbounds double, ptr %v467, i64 %v457
  %v482 = load <4 x double>, ptr %v481, align 8
  %v483 = getelementptr inbounds double, ptr %v468, i64 %v457
  %v484 = load <4 x double>, ptr %v483, align 8
  %v485 = fadd <4 x double> %v471, %v478
  %v486 = fsub <4 x double> %v471, %v478
  %v487 = fadd <4 x double> %v472, %v480
  %v488 = fsub <4 x double> %v472, %v480
  %v489 = fadd <4 x double> %v474, %v482
  %v490 = fsub <4 x double> %v474, %v482
  %v491 = fadd <4 x double> %v476, %v484
  %v492 = fsub <4 x double> %v476, %v484
  %v493 = fadd <4 x double> %v485, %v489
  %v494 = fsub <4 x double> %v485, %v489
  %v495 = fadd <4 x double> %v487, %v491
  %v496 = fsub <4 x double> %v487, %v491
  %v497 = fadd <4 x double> %v486, %v492
  %v498 = fsub <4 x double> %v486, %v492
  %v499 = fsub <4 x double> %v488, %v490
  %v500 = fadd <4 x double> %v488, %v490
  store <4 x double> %v493, ptr %v469, align 8
  store <4 x double> %v495, ptr %v470, align 8
  %v501 = getelementptr inbounds nuw double, ptr %v469, i64 %v38
  store <4 x double> %v497, ptr %v501, align 8
  %v502 = getelementptr inbounds nuw double, ptr %v470, i64 %v38
  store <4 x double> %v499, ptr %v502, align 8
  %v503 = getelementptr inbounds double, ptr %v469, i64 %v456
  store <4 x double> %v494, ptr %v503, align 8
  %v504 = getelementptr inbounds double, ptr %v470, i64 %v456
  store <4 x double> %v496, ptr %v504, align 8
  %v505 = getelementptr inbounds double, ptr %v469, i64 %v457
  store <4 x double> %v498, ptr %v505, align 8
  %v506 = getelementptr inbounds double, ptr %v470, i64 %v457
  store <4 x double> %v500, ptr %v506, align 8
  %v507 = add i64 %v465, 4
  %v508 = icmp sgt i64 %v507, %v38
  br i1 %v508, label %v458, label %v464

v509:
  %v510 = phi i64 [ %v459, %v461 ], [ %v551, %v509 ]
  %v511 = getelementptr inbounds double, ptr %v438, i64 %v510
  %v512 = getelementptr inbounds double, ptr %v439, i64 %v510
  %v513 = getelementptr inbounds double, ptr %v440, i64 %v510
  %v514 = getelementptr inbounds double, ptr %v441, i64 %v510
  %v515 = load double, ptr %v511, align 8
  %v516 = load double, ptr %v512, align 8
  %v517 = getelementptr inbounds double, ptr %v511, i64 %v38
  %v518 = load double, ptr %v517, align 8
  %v519 = getelementptr inbounds double, ptr %v512, i64 %v38
  %v520 = load double, ptr %v519, align 8
  %v521 = getelementptr inbounds double, ptr %v511, i64 %v462
  %v522 = load double, ptr %v521, align 8
  %v523 = getelementptr inbounds double, ptr %v512, i64 %v462
  %v524 = load double, ptr %v523, align 8
  %v525 = getelementptr inbounds double, ptr %v511, i64 %v463
  %v526 = load double, ptr %v525, align 8
  %v527 = getelementptr inbounds double, ptr %v512, i64 %v463
  %v528 = load double, ptr %v527, align 8
  %v529 = fadd double %v515, %v522
  %v530 = fsub double %v515, %v522
  %v531 = fadd double %v516, %v524
  %v532 = fsub double %v516, %v524
  %v533 = fadd double %v518, %v526
  %v534 = fsub double %v518, %v526
  %v535 = fadd double %v520, %v528
  %v536 = fsub double %v520, %v528
  %v537 = fadd double %v529, %v533
  %v538 = fsub double %v529, %v533
  %v539 = fadd double %v531, %v535
  %v540 = fsub double %v531, %v535
  %v541 = fadd double %v530, %v536
  %v542 = fsub double %v530, %v536
  %v543 = fsub double %v532, %v534
  %v544 = fadd double %v532, %v534
  store double %v537, ptr %v513, align 8
  store double %v539, ptr %v514, align 8
  %v545 = getelementptr inbounds double, ptr %v513, i64 %v38
  store double %v541, ptr %v545, align 8
  %v546 = getelementptr inbounds double, ptr %v514, i64 %v38
  store double %v543, ptr %v546, align 8
  %v547 = getelementptr inbounds double, ptr %v513, i64 %v462
  store double %v538, ptr %v547, align 8
  %v548 = getelementptr inbounds double, ptr %v514, i64 %v462
  store double %v540, ptr %v548, align 8
  %v549 = getelementptr inbounds double, ptr %v513, i64 %v463
  store double %v542, ptr %v549, align 8
  %v550 = getelementptr inbounds double, ptr %v514, i64 %v463
  store double %v544, ptr %v550, align 8
  %v551 = add nsw i64 %v510, 1
  %v552 = icmp eq i64 %v551, %v38
  br i1 %v552, label %v2186, label %v509

v553:
  %v554 = phi i64 [ 0, %v445 ], [ %v744, %v738 ]
  %v555 = phi ptr [ %v28, %v445 ], [ %v743, %v738 ]
  %v556 = phi ptr [ %v438, %v445 ], [ %v739, %v738 ]
  %v557 = phi ptr [ %v439, %v445 ], [ %v740, %v738 ]
  %v558 = phi ptr [ %v440, %v445 ], [ %v741, %v738 ]
  %v559 = phi ptr [ %v441, %v445 ], [ %v742, %v738 ]
  br i1 %v447, label %v567, label %v560

v560:
  %v561 = icmp eq ptr %v555, null
  %v562 = getelementptr inbounds nuw i8, ptr %v555, i64 8
  %v563 = getelementptr inbounds nuw i8, ptr %v555, i64 16
  %v564 = getelementptr inbounds nuw i8, ptr %v555, i64 24
  %v565 = getelementptr inbounds nuw i8, ptr %v555, i64 32
  %v566 = getelementptr inbounds nuw i8, ptr %v555, i64 40
  br label %v577

v567:
  %v568 = phi i64 [ 0, %v553 ], [ %v578, %v657 ]
  %v569 = icmp slt i64 %v568, %v38
  br i1 %v569, label %v570, label %v738

v570:
  %v571 = icmp eq ptr %v555, null
  %v572 = getelementptr inbounds nuw i8, ptr %v555, i64 8
  %v573 = getelementptr inbounds nuw i8, ptr %v555, i64 16
  %v574 = getelementptr inbounds nuw i8, ptr %v555, i64 24
  %v575 = getelementptr inbounds nuw i8, ptr %v555, i64 32
  %v576 = getelementptr inbounds nuw i8, ptr %v555, i64 40
  br label %v664

v577:
  %v578 = phi i64 [ 4, %v560 ], [ %v662, %v657 ]
  %v579 = phi i64 [ 0, %v560 ], [ %v578, %v657 ]
  %v580 = getelementptr inbounds double, ptr %v556, i64 %v579
  %v581 = getelementptr inbounds double, ptr %v557, i64 %v579
  %v582 = getelementptr inbounds double, ptr %v558, i64 %v579
  %v583 = getelementptr inbounds double, ptr %v559, i64 %v579
  %v584 = load <4 x double>, ptr %v580, align 8
  %v585 = load <4 x double>, ptr %v581, align 8
  %v586 = getelementptr inbounds double, ptr %v580, i64 %v446
  %v587 = load <4 x double>, ptr %v586, align 8
  %v588 = getelementptr inbounds double, ptr %v581, i64 %v446
  %v589 = load <4 x double>, ptr %v588, align 8
  %v590 = getelementptr inbounds double, ptr %v580, i64 %v448
  %v591 = load <4 x double>, ptr %v590, align 8
  %v592 = getelementptr inbounds double, ptr %v581, i64 %v448
  %v593 = load <4 x double>, ptr %v592, align 8
  %v594 = getelementptr inbounds double, ptr %v580, i64 %v449
  %v595 = load <4 x double>, ptr %v594, align 8
  %v596 = getelementptr inbounds double, ptr %v581, i64 %v449
  %v597 = load <4 x double>, ptr %v596, align 8
  %v598 = fadd <4 x double> %v584, %v591
  %v599 = fsub <4 x double> %v584, %v591
  %v600 = fadd <4 x double> %v585, %v593
  %v601 = fsub <4 x double> %v585, %v593
  %v602 = fadd <4 x double> %v587, %v595
  %v603 = fsub <4 x double> %v587, %v595
  %v604 = fadd <4 x double> %v589, %v597
  %v605 = fsub <4 x double> %v589, %v597
  %v606 = fadd <4 x double> %v598, %v602
  %v607 = fsub <4 x double> %v598, %v602
  %v608 = fadd <4 x double> %v600, %v604
  %v609 = fsub <4 x double> %v600, %v604
  %v610 = fadd <4 x double> %v599, %v605
  %v611 = fsub <4 x double> %v599, %v605
  %v612 = fsub <4 x double> %v601, %v603
  %v613 = fadd <4 x double> %v601, %v603
  store <4 x double> %v606, ptr %v582, align 8
  store <4 x double> %v608, ptr %v583, align 8
  br i1 %v561, label %v614, label %v619

v614:
  %v615 = getelementptr inbounds nuw double, ptr %v582, i64 %v38
  store <4 x double> %v610, ptr %v615, align 8
  %v616 = getelementptr inbounds nuw double, ptr %v583, i64 %v38
  store <4 x double> %v612, ptr %v616, align 8
  %v617 = getelementptr inbounds double, ptr %v582, i64 %v450
  store <4 x double> %v607, ptr %v617, align 8
  %v618 = getelementptr inbounds double, ptr %v583, i64 %v450
  store <4 x double> %v609, ptr %v618, align 8
  br label %v657

v619:
  %v620 = load double, ptr %v555, align 8
  %v621 = load double, ptr %v562, align 8
  %v622 = insertelement <4 x double> poison, double %v620, i64 0
  %v623 = shufflevector <4 x double> %v622, <4 x double> poison, <4 x i32> zeroinitializer
  %v624 = insertelement <4 x double> poison, double %v621, i64 0
  %v625 = shufflevector <4 x double> %v624, <4 x double> poison, <4 x i32> zeroinitializer
  %v626 = fneg <4 x double> %v625
  %v627 = fmul <4 x double> %v612, %v626
  %v628 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v610, <4 x double> %v623, <4 x double> %v627)
  %v629 = fmul <4 x double> %v612, %v623
  %v630 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v610, <4 x double> %v625, <4 x double> %v629)
  %v631 = getelementptr inbounds nuw double, ptr %v582, i64 %v38
  store <4 x double> %v628, ptr %v631, align 8
  %v632 = getelementptr inbounds nuw double, ptr %v583, i64 %v38
  store <4 x double> %v630, ptr %v632, align 8
  %v633 = load double, ptr %v563, align 8
  %v634 = load double, ptr %v564, align 8
  %v635 = insertelement <4 x double> poison, double %v633, i64 0
  %v636 = shufflevector <4 x double> %v635, <4 x double> poison, <4 x i32> zeroinitializer
  %v637 = insertelement <4 x double> poison, double %v634, i64 0
  %v638 = shufflevector <4 x double> %v637, <4 x double> poison, <4 x i32> zeroinitializer
  %v639 = fneg <4 x double> %v638
  %v640 = fmul <4 x double> %v609, %v639
  %v641 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v607, <4 x double> %v636, <4 x double> %v640)
  %v642 = fmul <4 x double> %v609, %v636
  %v643 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v607, <4 x double> %v638, <4 x double> %v642)
  %v644 = getelementptr inbounds double, ptr %v582, i64 %v450
  store <4 x double> %v641, ptr %v644, align 8
  %v645 = getelementptr inbounds double, ptr %v583, i64 %v450
  store <4 x double> %v643, ptr %v645, align 8
  %v646 = load double, ptr %v565, align 8
  %v647 = load double, ptr %v566, align 8
  %v648 = insertelement <4 x double> poison, double %v646, i64 0
  %v649 = shufflevector <4 x double> %v648, <4 x double> poison, <4 x i32> zeroinitializer
  %v650 = insertelement <4 x double> poison, double %v647, i64 0
  %v651 = shufflevector <4 x double> %v650, <4 x double> poison, <4 x i32> zeroinitializer
  %v652 = fneg <4 x double> %v651
  %v653 = fmul <4 x double> %v613, %v652
  %v654 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v611, <4 x double> %v649, <4 x double> %v653)
  %v655 = fmul <4 x double> %v613, %v649
  %v656 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v611, <4 x double> %v651, <4 x double> %v655)
  br label %v657

v657:
  %v658 = phi <4 x double> [ %v656, %v619 ], [ %v613, %v614 ]
  %v659 = phi <4 x double> [ %v654, %v619 ], [ %v611, %v614 ]
  %v660 = getelementptr inbounds double, ptr %v582, i64 %v451
  store <4 x double> %v659, ptr %v660, align 8
  %v661 = getelementptr inbounds double, ptr %v583, i64 %v451
  store <4 x double> %v658, ptr %v661, align 8
  %v662 = add i64 %v578, 4
  %v663 = icmp sgt i64 %v662, %v38
  br i1 %v663, label %v567, label %v577

v664:
  %v665 = phi i64 [ %v568, %v570 ], [ %v736, %v731 ]
  %v666 = getelementptr inbounds double, ptr %v556, i64 %v665
  %v667 = getelementptr inbounds double, ptr %v557, i64 %v665
  %v668 = getelementptr inbounds double, ptr %v558, i64 %v665
  %v669 = getelementptr inbounds double, ptr %v559, i64 %v665
  %v670 = load double, ptr %v666, align 8
  %v671 = load double, ptr %v667, align 8
  %v672 = getelementptr inbounds double, ptr %v666, i64 %v446
  %v673 = load double, ptr %v672, align 8
  %v674 = getelementptr inbounds double, ptr %v667, i64 %v446
  %v675 = load double, ptr %v674, align 8
  %v676 = getelementptr inbounds double, ptr %v666, i64 %v448
  %v677 = load double, ptr %v676, align 8
  %v678 = getelementptr inbounds double, ptr %v667, i64 %v448
  %v679 = load double, ptr %v678, align 8
  %v680 = getelementptr inbounds double, ptr %v666, i64 %v449
  %v681 = load double, ptr %v680, align 8
  %v682 = getelementptr inbounds double, ptr %v667, i64 %v449
  %v683 = load double, ptr %v682, align 8
  %v684 = fadd double %v670, %v677
  %v685 = fsub double %v670, %v677
  %v686 = fadd double %v671, %v679
  %v687 = fsub double %v671, %v679
  %v688 = fadd double %v673, %v681
  %v689 = fsub double %v673, %v681
  %v690 = fadd double %v675, %v683
  %v691 = fsub double %v675, %v683
  %v692 = fadd double %v684, %v688
  %v693 = fsub double %v684, %v688
  %v694 = fadd double %v686, %v690
  %v695 = fsub double %v686, %v690
  %v696 = fadd double %v685, %v691
  %v697 = fsub double %v685, %v691
  %v698 = fsub double %v687, %v689
  %v699 = fadd double %v687, %v689
  store double %v692, ptr %v668, align 8
  store double %v694, ptr %v669, align 8
  br i1 %v571, label %v700, label %v705

v700:
  %v701 = getelementptr inbounds double, ptr %v668, i64 %v38
  store double %v696, ptr %v701, align 8
  %v702 = getelementptr inbounds double, ptr %v669, i64 %v38
  store double %v698, ptr %v702, align 8
  %v703 = getelementptr inbounds double, ptr %v668, i64 %v450
  store double %v693, ptr %v703, align 8
  %v704 = getelementptr inbounds double, ptr %v669, i64 %v450
  store double %v695, ptr %v704, align 8
  br label %v731

v705:
  %v706 = load double, ptr %v555, align 8
  %v707 = load double, ptr %v572, align 8
  %v708 = fneg double %v707
  %v709 = fmul double %v698, %v708
  %v710 = tail call double @llvm.fmuladd.f64(double %v696, double %v706, double %v709)
  %v711 = fmul double %v698, %v706
  %v712 = tail call double @llvm.fmuladd.f64(double %v696, double %v707, double %v711)
  %v713 = getelementptr inbounds double, ptr %v668, i64 %v38
  store double %v710, ptr %v713, align 8
  %v714 = getelementptr inbounds double, ptr %v669, i64 %v38
  store double %v712, ptr %v714, align 8
  %v715 = load double, ptr %v573, align 8
  %v716 = load double, ptr %v574, align 8
  %v717 = fneg double %v716
  %v718 = fmul double %v695, %v717
  %v719 = tail call double @llvm.fmuladd.f64(double %v693, double %v715, double %v718)
  %v720 = fmul double %v695, %v715
  %v721 = tail call double @llvm.fmuladd.f64(double %v693, double %v716, double %v720)
  %v722 = getelementptr inbounds double, ptr %v668, i64 %v450
  store double %v719, ptr %v722, align 8
  %v723 = getelementptr inbounds double, ptr %v669, i64 %v450
  store double %v721, ptr %v723, align 8
  %v724 = load double, ptr %v575, align 8
  %v725 = load double, ptr %v576, align 8
  %v726 = fneg double %v725
  %v727 = fmul double %v699, %v726
  %v728 = tail call double @llvm.fmuladd.f64(double %v697, double %v724, double %v727)
  %v729 = fmul double %v699, %v724
  %v730 = tail call double @llvm.fmuladd.f64(double %v697, double %v725, double %v729)
  br label %v731

v731:
  %v732 = phi double [ %v730, %v705 ], [ %v699, %v700 ]
  %v733 = phi double [ %v728, %v705 ], [ %v697, %v700 ]
  %v734 = getelementptr inbounds double, ptr %v668, i64 %v451
  store double %v733, ptr %v734, align 8
  %v735 = getelementptr inbounds double, ptr %v669, i64 %v451
  store double %v732, ptr %v735, align 8
  %v736 = add nsw i64 %v665, 1
  %v737 = icmp eq i64 %v736, %v38
  br i1 %v737, label %v738, label %v664

v738:
  %v739 = getelementptr inbounds double, ptr %v556, i64 %v38
  %v740 = getelementptr inbounds double, ptr %v557, i64 %v38
  %v741 = getelementptr inbounds double, ptr %v558, i64 %v452
  %v742 = getelementptr inbounds double, ptr %v559, i64 %v452
  %v743 = getelementptr i8, ptr %v555, i64 48
  %v744 = add nuw nsw i64 %v554, 1
  %v745 = icmp eq i64 %v744, %v37
  br i1 %v745, label %v2186, label %v553

v746:
  %v747 = load ptr, ptr %v3, align 8
  %v748 = load ptr, ptr %v22, align 8
  %v749 = load ptr, ptr %v23, align 8
  %v750 = load ptr, ptr %v24, align 8
  %v751 = icmp eq i64 %v37, 1
  br i1 %v751, label %v764, label %v752

v752:
  %v753 = icmp sgt i64 %v37, 0
  br i1 %v753, label %v754, label %v2186

v754:
  %v755 = mul i64 %v37, %v38
  %v756 = icmp slt i64 %v38, 4
  %v757 = shl i64 %v755, 1
  %v758 = mul i64 %v755, 3
  %v759 = shl i64 %v755, 2
  %v760 = shl i64 %v38, 1
  %v761 = mul i64 %v38, 3
  %v762 = shl i64 %v38, 2
  %v763 = mul i64 %v38, 5
  br label %v918

v764:
  %v765 = icmp slt i64 %v38, 4
  br i1 %v765, label %v770, label %v766

v766:
  %v767 = shl nuw i64 %v38, 1
  %v768 = mul i64 %v38, 3
  %v769 = shl i64 %v38, 2
  br label %v777

v770:
  %v771 = phi i64 [ 0, %v764 ], [ %v778, %v777 ]
  %v772 = icmp slt i64 %v771, %v38
  br i1 %v772, label %v773, label %v2186

v773:
  %v774 = shl nuw i64 %v38, 1
  %v775 = mul i64 %v38, 3
  %v776 = shl i64 %v38, 2
  br label %v848

v777:
  %v778 = phi i64 [ 4, %v766 ], [ %v846, %v777 ]
  %v779 = phi i64 [ 0, %v766 ], [ %v778, %v777 ]
  %v780 = getelementptr inbounds double, ptr %v747, i64 %v779
  %v781 = getelementptr inbounds double, ptr %v748, i64 %v779
  %v782 = getelementptr inbounds double, ptr %v749, i64 %v779
  %v783 = getelementptr inbounds double, ptr %v750, i64 %v779
  %v784 = load <4 x double>, ptr %v780, align 8
  %v785 = load <4 x double>, ptr %v781, align 8
  %v786 = getelementptr inbounds nuw double, ptr %v780, i64 %v38
  %v787 = load <4 x double>, ptr %v786, align 8
  %v788 = getelementptr inbounds nuw double, ptr %v781, i64 %v38
  %v789 = load <4 x double>, ptr %v788, align 8
  %v790 = getelementptr inbounds double, ptr %v780, i64 %v767
  %v791 = load <4 x double>, ptr %v790, align 8
  %v792 = getelementptr inbounds double, ptr %v781, i64 %v767
  %v793 = load <4 x double>, ptr %v792, align 8
  %v794 = getelementptr inbounds double, ptr %v780, i64 %v768
  %v795 = load <4 x double>, ptr %v794, align 8
  %v796 = getelementptr inbounds double, ptr %v781, i64 %v768
  %v797 = load <4 x double>, ptr %v796, align 8
  %v798 = getelementptr inbounds double, ptr %v780, i64 %v769
  %v799 = load <4 x double>, ptr %v798, align 8
  %v800 = getelementptr inbounds double, ptr %v781, i64 %v769
  %v801 = load <4 x double>, ptr %v800, align 8
  %v802 = fadd <4 x double> %v787, %v799
  %v803 = fsub <4 x double> %v787, %v799
  %v804 = fadd <4 x double> %v789, %v801
  %v805 = fsub <4 x double> %v789, %v801
  %v806 = fadd <4 x double> %v791, %v795
  %v807 = fsub <4 x double> %v791, %v795
  %v808 = fadd <4 x double> %v793, %v797
  %v809 = fsub <4 x double> %v793, %v797
  %v810 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v802, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %v784)
  %v811 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v804, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %v785)
  %v812 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v802, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %v784)
  %v813 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v804, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %v785)
  %v814 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v806, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %v810)
  %v815 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v808, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %v811)
  %v816 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v806, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %v812)
  %v817 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v808, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %v813)
  %v818 = fmul <4 x double> %v809, splat (double 0x3FE2CF2304755A5E)
  %v819 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v805, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %v818)
  %v820 = fmul <4 x double> %v807, splat (double 0x3FE2CF2304755A5E)
  %v821 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v803, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %v820)
  %v822 = fmul <4 x double> %v809, splat (double 0xBFEE6F0E134454FF)
  %v823 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v805, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %v822)
  %v824 = fmul <4 x double> %v807, splat (double 0xBFEE6F0E134454FF)
  %v825 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v803, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %v824)
  %v826 = fadd <4 x double> %v806, %v802
  %v827 = fadd <4 x double> %v784, %v826
  %v828 = fadd <4 x double> %v808, %v804
  %v829 = fadd <4 x double> %v785, %v828
  %v830 = fadd <4 x double> %v814, %v819
  %v831 = fsub <4 x double> %v815, %v821
  %v832 = fsub <4 x double> %v814, %v819
  %v833 = fadd <4 x double> %v821, %v815
  %v834 = fadd <4 x double> %v816, %v823
  %v835 = fsub <4 x double> %v817, %v825
  %v836 = fsub <4 x double> %v816, %v823
  %v837 = fadd <4 x double> %v825, %v817
  store <4 x double> %v827, ptr %v782, align 8
  store <4 x double> %v829, ptr %v783, align 8
  %v838 = getelementptr inbounds nuw double, ptr %v782, i64 %v38
  store <4 x double> %v830, ptr %v838, align 8
  %v839 = getelementptr inbounds nuw double, ptr %v783, i64 %v38
  store <4 x double> %v831, ptr %v839, align 8
  %v840 = getelementptr inbounds double, ptr %v782, i64 %v767
  store <4 x double> %v834, ptr %v840, align 8
  %v841 = getelementptr inbounds double, ptr %v783, i64 %v767
  store <4 x double> %v835, ptr %v841, align 8
  %v842 = getelementptr inbounds double, ptr %v782, i64 %v768
  store <4 x double> %v836, ptr %v842, align 8
  %v843 = getelementptr inbounds double, ptr %v783, i64 %v768
  store <4 x double> %v837, ptr %v843, align 8
  %v844 = getelementptr inbounds double, ptr %v782, i64 %v769
  store <4 x double> %v832, ptr %v844, align 8
  %v845 = getelementptr inbounds double, ptr %v783, i64 %v769
  store <4 x double> %v833, ptr %v845, align 8
  %v846 = add i64 %v778, 4
  %v847 = icmp sgt i64 %v846, %v38
  br i1 %v847, label %v770, label %v777

v848:
  %v849 = phi i64 [ %v771, %v773 ], [ %v916, %v848 ]
  %v850 = getelementptr inbounds double, ptr %v747, i64 %v849
  %v851 = getelementptr inbounds double, ptr %v748, i64 %v849
  %v852 = getelementptr inbounds double, ptr %v749, i64 %v849
  %v853 = getelementptr inbounds double, ptr %v750, i64 %v849
  %v854 = load double, ptr %v850, align 8
  %v855 = load double, ptr %v851, align 8
  %v856 = getelementptr inbounds double, ptr %v850, i64 %v38
  %v857 = load double, ptr %v856, align 8
  %v858 = getelementptr inbounds double, ptr %v851, i64 %v38
  %v859 = load double, ptr %v858, align 8
  %v860 = getelementptr inbounds double, ptr %v850, i64 %v774
  %v861 = load double, ptr %v860, align 8
  %v862 = getelementptr inbounds double, ptr %v851, i64 %v774
  %v863 = load double, ptr %v862, align 8
  %v864 = getelementptr inbounds double, ptr %v850, i64 %v775
  %v865 = load double, ptr %v864, align 8
  %v866 = getelementptr inbounds double, ptr %v851, i64 %v775
  %v867 = load double, ptr %v866, align 8
  %v868 = getelementptr inbounds double, ptr %v850, i64 %v776
  %v869 = load double, ptr %v868, align 8
  %v870 = getelementptr inbounds double, ptr %v851, i64 %v776
  %v871 = load double, ptr %v870, align 8
  %v872 = fadd double %v857, %v869
  %v873 = fsub double %v857, %v869
  %v874 = fadd double %v859, %v871
  %v875 = fsub double %v859, %v871
  %v876 = fadd double %v861, %v865
  %v877 = fsub double %v861, %v865
  %v878 = fadd double %v863, %v867
  %v879 = fsub double %v863, %v867
  %v880 = tail call double @llvm.fmuladd.f64(double %v872, double 0x3FD3C6EF372FE950, double %v854)
  %v881 = tail call double @llvm.fmuladd.f64(double %v874, double 0x3FD3C6EF372FE950, double %v855)
  %v882 = tail call double @llvm.fmuladd.f64(double %v872, double 0xBFE9E3779B97F4A8, double %v854)
  %v883 = tail call double @llvm.fmuladd.f64(double %v874, double 0xBFE9E3779B97F4A8, double %v855)
  %v884 = tail call double @llvm.fmuladd.f64(double %v876, double 0xBFE9E3779B97F4A8, double %v880)
  %v885 = tail call double @llvm.fmuladd.f64(double %v878, double 0xBFE9E3779B97F4A8, double %v881)
  %v886 = tail call double @llvm.fmuladd.f64(double %v876, double 0x3FD3C6EF372FE950, double %v882)
  %v887 = tail call double @llvm.fmuladd.f64(double %v878, double 0x3FD3C6EF372FE950, double %v883)
  %v888 = fmul double %v879, 0x3FE2CF2304755A5E
  %v889 = tail call double @llvm.fmuladd.f64(double %v875, double 0x3FEE6F0E134454FF, double %v888)
  %v890 = fmul double %v877, 0x3FE2CF2304755A5E
  %v891 = tail call double @llvm.fmuladd.f64(double %v873, double 0x3FEE6F0E134454FF, double %v890)
  %v892 = fmul double %v879, 0xBFEE6F0E134454FF
  %v893 = tail call double @llvm.fmuladd.f64(double %v875, double 0x3FE2CF2304755A5E, double %v892)
  %v894 = fmul double %v877, 0xBFEE6F0E134454FF
  %v895 = tail call double @llvm.fmuladd.f64(double %v873, double 0x3FE2CF2304755A5E, double %v894)
  %v896 = fadd double %v876, %v872
  %v897 = fadd double %v854, %v896
  %v898 = fadd double %v878, %v874
  %v899 = fadd double %v855, %v898
  %v900 = fadd double %v884, %v889
  %v901 = fsub double %v885, %v891
  %v902 = fsub double %v884, %v889
  %v903 = fadd double %v891, %v885
  %v904 = fadd double %v886, %v893
  %v905 = fsub double %v887, %v895
  %v906 = fsub double %v886, %v893
  %v907 = fadd double %v895, %v887
  store double %v897, ptr %v852, align 8
  store double %v899, ptr %v853, align 8
  %v908 = getelementptr inbounds double, ptr %v852, i64 %v38
  store double %v900, ptr %v908, align 8
  %v909 = getelementptr inbounds double, ptr %v853, i64 %v38
  store double %v901, ptr %v909, align 8
  %v910 = getelementptr inbounds double, ptr %v852, i64 %v774
  store double %v904, ptr %v910, align 8
  %v911 = getelementptr inbounds double, ptr %v853, i64 %v774
  store double %v905, ptr %v911, align 8
  %v912 = getelementptr inbounds double, ptr %v852, i64 %v775
  store double %v906, ptr %v912, align 8
  %v913 = getelementptr inbounds double, ptr %v853, i64 %v775
  store double %v907, ptr %v913, align 8
  %v914 = getelementptr inbounds double, ptr %v852, i64 %v776
  store double %v902, ptr %v914, align 8
  %v915 = getelementptr inbounds double, ptr %v853, i64 %v776
  store double %v903, ptr %v915, align 8
  %v916 = add nsw i64 %v849, 1
  %v917 = icmp eq i64 %v916, %v38
  br i1 %v917, label %v2186, label %v848

v918:
  %v919 = phi i64 [ 0, %v754 ], [ %v1187, %v1181 ]
  %v920 = phi ptr [ %v28, %v754 ], [ %v1186, %v1181 ]
  %v921 = phi ptr [ %v747, %v754 ], [ %v1182, %v1181 ]
  %v922 = phi ptr [ %v748, %v754 ], [ %v1183, %v1181 ]
  %v923 = phi ptr [ %v749, %v754 ], [ %v1184, %v1181 ]
  %v924 = phi ptr [ %v750, %v754 ], [ %v1185, %v1181 ]
  br i1 %v756, label %v934, label %v925

v925:
  %v926 = icmp eq ptr %v920, null
  %v927 = getelementptr inbounds nuw i8, ptr %v920, i64 8
  %v928 = getelementptr inbounds nuw i8, ptr %v920, i64 16
  %v929 = getelementptr inbounds nuw i8, ptr %v920, i64 24
  %v930 = getelementptr inbounds nuw i8, ptr %v920, i64 32
  %v931 = getelementptr inbounds nuw i8, ptr %v920, i64 40
  %v932 = getelementptr inbounds nuw i8, ptr %v920, i64 48
  %v933 = getelementptr inbounds nuw i8, ptr %v920, i64 56
  br label %v946

v934:
  %v935 = phi i64 [ 0, %v918 ], [ %v947, %v1065 ]
  %v936 = icmp slt i64 %v935, %v38
  br i1 %v936, label %v937, label %v1181

v937:
  %v938 = icmp eq ptr %v920, null
  %v939 = getelementptr inbounds nuw i8, ptr %v920, i64 8
  %v940 = getelementptr inbounds nuw i8, ptr %v920, i64 16
  %v941 = getelementptr inbounds nuw i8, ptr %v920, i64 24
  %v942 = getelementptr inbounds nuw i8, ptr %v920, i64 32
  %v943 = getelementptr inbounds nuw i8, ptr %v920, i64 40
  %v944 = getelementptr inbounds nuw i8, ptr %v920, i64 48
  %v945 = getelementptr inbounds nuw i8, ptr %v920, i64 56
  br label %v1072

v946:
  %v947 = phi i64 [ 4, %v925 ], [ %v1070, %v1065 ]
  %v948 = phi i64 [ 0, %v925 ], [ %v947, %v1065 ]
  %v949 = getelementptr inbounds double, ptr %v921, i64 %v948
  %v950 = getelementptr inbounds double, ptr %v922, i64 %v948
  %v951 = getelementptr inbounds double, ptr %v923, i64 %v948
  %v952 = getelementptr inbounds double, ptr %v924, i64 %v948
  %v953 = load <4 x double>, ptr %v949, align 8
  %v954 = load <4 x double>, ptr %v950, align 8
  %v955 = getelementptr inbounds double, ptr %v949, i64 %v755
  %v956 = load <4 x double>, ptr %v955, align 8
  %v957 = getelementptr inbounds double, ptr %v950, i64 %v755
  %v958 = load <4 x double>, ptr %v957, align 8
  %v959 = getelementptr inbounds double, ptr %v949, i64 %v757
  %v960 = load <4 x double>, ptr %v959, align 8
  %v961 = getelementptr inbounds double, ptr %v950, i64 %v757
  %v962 = load <4 x double>, ptr %v961, align 8
  %v963 = getelementptr inbounds double, ptr %v949, i64 %v758
  %v964 = load <4 x double>, ptr %v963, align 8
  %v965 = getelementptr inbounds double, ptr %v950, i64 %v758
  %v966 = load <4 x double>, ptr %v965, align 8
  %v967 = getelementptr inbounds double, ptr %v949, i64 %v759
  %v968 = load <4 x double>, ptr %v967, align 8
  %v969 = getelementptr inbounds double, ptr %v950, i64 %v759
  %v970 = load <4 x double>, ptr %v969, align 8
  %v971 = fadd <4 x double> %v956, %v968
  %v972 = fsub <4 x double> %v956, %v968
  %v973 = fadd <4 x double> %v958, %v970
  %v974 = fsub <4 x double> %v958, %v970
  %v975 = fadd <4 x double> %v960, %v964
  %v976 = fsub <4 x double> %v960, %v964
  %v977 = fadd <4 x double> %v962, %v966
  %v978 = fsub <4 x double> %v962, %v966
  %v979 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v971, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %v953)
  %v980 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v973, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %v954)
  %v981 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v971, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %v953)
  %v982 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v973, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %v954)
  %v983 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v975, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %v979)
  %v984 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v977, <4 x double> splat (double 0xBFE9E3779B97F4A8), <4 x double> %v980)
  %v985 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v975, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %v981)
  %v986 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v977, <4 x double> splat (double 0x3FD3C6EF372FE950), <4 x double> %v982)
  %v987 = fmul <4 x double> %v978, splat (double 0x3FE2CF2304755A5E)
  %v988 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v974, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %v987)
  %v989 = fmul <4 x double> %v976, splat (double 0x3FE2CF2304755A5E)
  %v990 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v972, <4 x double> splat (double 0x3FEE6F0E134454FF), <4 x double> %v989)
  %v991 = fmul <4 x double> %v978, splat (double 0xBFEE6F0E134454FF)
  %v992 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v974, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %v991)
  %v993 = fmul <4 x double> %v976, splat (double 0xBFEE6F0E134454FF)
  %v994 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v972, <4 x double> splat (double 0x3FE2CF2304755A5E), <4 x double> %v993)
  %v995 = fadd <4 x double> %v975, %v971
  %v996 = fadd <4 x double> %v953, %v995
  %v997 = fadd <4 x double> %v977, %v973
  %v998 = fadd <4 x double> %v954, %v997
  %v999 = fadd <4 x double> %v983, %v988
  %v1000 = fsub <4 x double> %v984, %v990
  %v1001 = fsub <4 x double> %v983, %v988
  %v1002 = fadd <4 x double> %v990, %v984
  %v1003 = fadd <4 x double> %v985, %v992
  %v1004 = fsub <4 x double> %v986, %v994
  %v1005 = fsub <4 x double> %v985, %v992
  %v1006 = fadd <4 x double> %v994, %v986
  store <4 x double> %v996, ptr %v951, align 8
  store <4 x double> %v998, ptr %v952, align 8
  br i1 %v926, label %v1007, label %v1014

v1007:
  %v1008 = getelementptr inbounds nuw double, ptr %v951, i64 %v38
  store <4 x double> %v999, ptr %v1008, align 8
  %v1009 = getelementptr inbounds nuw double, ptr %v952, i64 %v38
  store <4 x double> %v1000, ptr %v1009, align 8
  %v1010 = getelementptr inbounds double, ptr %v951, i64 %v760
  store <4 x double> %v1003, ptr %v1010, align 8
  %v1011 = getelementptr inbounds double, ptr %v952, i64 %v760
  store <4 x double> %v1004, ptr %v1011, align 8
  %v1012 = getelementptr inbounds double, ptr %v951, i64 %v761
  store <4 x double> %v1005, ptr %v1012, align 8
  %v1013 = getelementptr inbounds double, ptr %v952, i64 %v761
  store <4 x double> %v1006, ptr %v1013, align 8
  br label %v1065

v1014:
  %v1015 = load double, ptr %v920, align 8
  %v1016 = load double, ptr %v927, align 8
  %v1017 = insertelement <4 x double> poison, double %v1015, i64 0
  %v1018 = shufflevector <4 x double> %v1017, <4 x double> poison, <4 x i32> zeroinitializer
  %v1019 = insertelement <4 x double> poison, double %v1016, i64 0
  %v1020 = shufflevector <4 x double> %v1019, <4 x double> poison, <4 x i32> zeroinitializer
  %v1021 = fneg <4 x double> %v1020
  %v1022 = fmul <4 x double> %v1000, %v1021
  %v1023 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v999, <4 x double> %v1018, <4 x double> %v1022)
  %v1024 = fmul <4 x double> %v1000, %v1018
  %v1025 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v999, <4 x double> %v1020, <4 x double> %v1024)
  %v1026 = getelementptr inbounds nuw double, ptr %v951, i64 %v38
  store <4 x double> %v1023, ptr %v1026, align 8
  %v1027 = getelementptr inbounds nuw double, ptr %v952, i64 %v38
  store <4 x double> %v1025, ptr %v1027, align 8
  %v1028 = load double, ptr %v928, align 8
  %v1029 = load double, ptr %v929, align 8
  %v1030 = insertelement <4 x double> poison, double %v1028, i64 0
  %v1031 = shufflevector <4 x double> %v1030, <4 x double> poison, <4 x i32> zeroinitializer
  %v1032 = insertelement <4 x double> poison, double %v1029, i64 0
  %v1033 = shufflevector <4 x double> %v1032, <4 x double> poison, <4 x i32> zeroinitializer
  %v1034 = fneg <4 x double> %v1033
  %v1035 = fmul <4 x double> %v1004, %v1034
  %v1036 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1003, <4 x double> %v1031, <4 x double> %v1035)
  %v1037 = fmul <4 x double> %v1004, %v1031
  %v1038 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1003, <4 x double> %v1033, <4 x double> %v1037)
  %v1039 = getelementptr inbounds double, ptr %v951, i64 %v760
  store <4 x double> %v1036, ptr %v1039, align 8
  %v1040 = getelementptr inbounds double, ptr %v952, i64 %v760
  store <4 x double> %v1038, ptr %v1040, align 8
  %v1041 = load double, ptr %v930, align 8
  %v1042 = load double, ptr %v931, align 8
  %v1043 = insertelement <4 x double> poison, double %v1041, i64 0
  %v1044 = shufflevector <4 x double> %v1043, <4 x double> poison, <4 x i32> zeroinitializer
  %v1045 = insertelement <4 x double> poison, double %v1042, i64 0
  %v1046 = shufflevector <4 x double> %v1045, <4 x double> poison, <4 x i32> zeroinitializer
  %v1047 = fneg <4 x double> %v1046
  %v1048 = fmul <4 x double> %v1006, %v1047
  %v1049 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1005, <4 x double> %v1044, <4 x double> %v1048)
  %v1050 = fmul <4 x double> %v1006, %v1044
  %v1051 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1005, <4 x double> %v1046, <4 x double> %v1050)
  %v1052 = getelementptr inbounds double, ptr %v951, i64 %v761
  store <4 x double> %v1049, ptr %v1052, align 8
  %v1053 = getelementptr inbounds double, ptr %v952, i64 %v761
  store <4 x double> %v1051, ptr %v1053, align 8
  %v1054 = load double, ptr %v932, align 8
  %v1055 = load double, ptr %v933, align 8
  %v1056 = insertelement <4 x double> poison, double %v1054, i64 0
  %v1057 = shufflevector <4 x double> %v1056, <4 x double> poison, <4 x i32> zeroinitializer
  %v1058 = insertelement <4 x double> poison, double %v1055, i64 0
  %v1059 = shufflevector <4 x double> %v1058, <4 x double> poison, <4 x i32> zeroinitializer
  %v1060 = fneg <4 x double> %v1059
  %v1061 = fmul <4 x double> %v1002, %v1060
  %v1062 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1001, <4 x double> %v1057, <4 x double> %v1061)
  %v1063 = fmul <4 x double> %v1002, %v1057
  %v1064 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1001, <4 x double> %v1059, <4 x double> %v1063)
  br label %v1065

v1065:
  %v1066 = phi <4 x double> [ %v1064, %v1014 ], [ %v1002, %v1007 ]
  %v1067 = phi <4 x double> [ %v1062, %v1014 ], [ %v1001, %v1007 ]
  %v1068 = getelementptr inbounds double, ptr %v951, i64 %v762
  store <4 x double> %v1067, ptr %v1068, align 8
  %v1069 = getelementptr inbounds double, ptr %v952, i64 %v762
  store <4 x double> %v1066, ptr %v1069, align 8
  %v1070 = add i64 %v947, 4
  %v1071 = icmp sgt i64 %v1070, %v38
  br i1 %v1071, label %v934, label %v946

v1072:
  %v1073 = phi i64 [ %v935, %v937 ], [ %v1179, %v1174 ]
  %v1074 = getelementptr inbounds double, ptr %v921, i64 %v1073
  %v1075 = getelementptr inbounds double, ptr %v922, i64 %v1073
  %v1076 = getelementptr inbounds double, ptr %v923, i64 %v1073
  %v1077 = getelementptr inbounds double, ptr %v924, i64 %v1073
  %v1078 = load double, ptr %v1074, align 8
  %v1079 = load double, ptr %v1075, align 8
  %v1080 = getelementptr inbounds double, ptr %v1074, i64 %v755
  %v1081 = load double, ptr %v1080, align 8
  %v1082 = getelementptr inbounds double, ptr %v1075, i64 %v755
  %v1083 = load double, ptr %v1082, align 8
  %v1084 = getelementptr inbounds double, ptr %v1074, i64 %v757
  %v1085 = load double, ptr %v1084, align 8
  %v1086 = getelementptr inbounds double, ptr %v1075, i64 %v757
  %v1087 = load double, ptr %v1086, align 8
  %v1088 = getelementptr inbounds double, ptr %v1074, i64 %v758
  %v1089 = load double, ptr %v1088, align 8
  %v1090 = getelementptr inbounds double, ptr %v1075, i64 %v758
  %v1091 = load double, ptr %v1090, align 8
  %v1092 = getelementptr inbounds double, ptr %v1074, i64 %v759
  %v1093 = load double, ptr %v1092, align 8
  %v1094 = getelementptr inbounds double, ptr %v1075, i64 %v759
  %v1095 = load double, ptr %v1094, align 8
  %v1096 = fadd double %v1081, %v1093
  %v1097 = fsub double %v1081, %v1093
  %v1098 = fadd double %v1083, %v1095
  %v1099 = fsub double %v1083, %v1095
  %v1100 = fadd double %v1085, %v1089
  %v1101 = fsub double %v1085, %v1089
  %v1102 = fadd double %v1087, %v1091
  %v1103 = fsub double %v1087, %v1091
  %v1104 = tail call double @llvm.fmuladd.f64(double %v1096, double 0x3FD3C6EF372FE950, double %v1078)
  %v1105 = tail call double @llvm.fmuladd.f64(double %v1098, double 0x3FD3C6EF372FE950, double %v1079)
  %v1106 = tail call double @llvm.fmuladd.f64(double %v1096, double 0xBFE9E3779B97F4A8, double %v1078)
  %v1107 = tail call double @llvm.fmuladd.f64(double %v1098, double 0xBFE9E3779B97F4A8, double %v1079)
  %v1108 = tail call double @llvm.fmuladd.f64(double %v1100, double 0xBFE9E3779B97F4A8, double %v1104)
  %v1109 = tail call double @llvm.fmuladd.f64(double %v1102, double 0xBFE9E3779B97F4A8, double %v1105)
  %v1110 = tail call double @llvm.fmuladd.f64(double %v1100, double 0x3FD3C6EF372FE950, double %v1106)
  %v1111 = tail call double @llvm.fmuladd.f64(double %v1102, double 0x3FD3C6EF372FE950, double %v1107)
  %v1112 = fmul double %v1103, 0x3FE2CF2304755A5E
  %v1113 = tail call double @llvm.fmuladd.f64(double %v1099, double 0x3FEE6F0E134454FF, double %v1112)
  %v1114 = fmul double %v1101, 0x3FE2CF2304755A5E
  %v1115 = tail call double @llvm.fmuladd.f64(double %v1097, double 0x3FEE6F0E134454FF, double %v1114)
  %v1116 = fmul double %v1103, 0xBFEE6F0E134454FF
  %v1117 = tail call double @llvm.fmuladd.f64(double %v1099, double 0x3FE2CF2304755A5E, double %v1116)
  %v1118 = fmul double %v1101, 0xBFEE6F0E134454FF
  %v1119 = tail call double @llvm.fmuladd.f64(double %v1097, double 0x3FE2CF2304755A5E, double %v1118)
  %v1120 = fadd double %v1100, %v1096
  %v1121 = fadd double %v1078, %v1120
  %v1122 = fadd double %v1102, %v1098
  %v1123 = fadd double %v1079, %v1122
  %v1124 = fadd double %v1108, %v1113
  %v1125 = fsub double %v1109, %v1115
  %v1126 = fsub double %v1108, %v1113
  %v1127 = fadd double %v1115, %v1109
  %v1128 = fadd double %v1110, %v1117
  %v1129 = fsub double %v1111, %v1119
  %v1130 = fsub double %v1110, %v1117
  %v1131 = fadd double %v1119, %v1111
  store double %v1121, ptr %v1076, align 8
  store double %v1123, ptr %v1077, align 8
  br i1 %v938, label %v1132, label %v1139

v1132:
  %v1133 = getelementptr inbounds double, ptr %v1076, i64 %v38
  store double %v1124, ptr %v1133, align 8
  %v1134 = getelementptr inbounds double, ptr %v1077, i64 %v38
  store double %v1125, ptr %v1134, align 8
  %v1135 = getelementptr inbounds double, ptr %v1076, i64 %v760
  store double %v1128, ptr %v1135, align 8
  %v1136 = getelementptr inbounds double, ptr %v1077, i64 %v760
  store double %v1129, ptr %v1136, align 8
  %v1137 = getelementptr inbounds double, ptr %v1076, i64 %v761
  store double %v1130, ptr %v1137, align 8
  %v1138 = getelementptr inbounds double, ptr %v1077, i64 %v761
  store double %v1131, ptr %v1138, align 8
  br label %v1174

v1139:
  %v1140 = load double, ptr %v920, align 8
  %v1141 = load double, ptr %v939, align 8
  %v1142 = fneg double %v1141
  %v1143 = fmul double %v1125, %v1142
  %v1144 = tail call double @llvm.fmuladd.f64(double %v1124, double %v1140, double %v1143)
  %v1145 = fmul double %v1125, %v1140
  %v1146 = tail call double @llvm.fmuladd.f64(double %v1124, double %v1141, double %v1145)
  %v1147 = getelementptr inbounds double, ptr %v1076, i64 %v38
  store double %v1144, ptr %v1147, align 8
  %v1148 = getelementptr inbounds double, ptr %v1077, i64 %v38
  store double %v1146, ptr %v1148, align 8
  %v1149 = load double, ptr %v940, align 8
  %v1150 = load double, ptr %v941, align 8
  %v1151 = fneg double %v1150
  %v1152 = fmul double %v1129, %v1151
  %v1153 = tail call double @llvm.fmuladd.f64(double %v1128, double %v1149, double %v1152)
  %v1154 = fmul double %v1129, %v1149
  %v1155 = tail call double @llvm.fmuladd.f64(double %v1128, double %v1150, double %v1154)
  %v1156 = getelementptr inbounds double, ptr %v1076, i64 %v760
  store double %v1153, ptr %v1156, align 8
  %v1157 = getelementptr inbounds double, ptr %v1077, i64 %v760
  store double %v1155, ptr %v1157, align 8
  %v1158 = load double, ptr %v942, align 8
  %v1159 = load double, ptr %v943, align 8
  %v1160 = fneg double %v1159
  %v1161 = fmul double %v1131, %v1160
  %v1162 = tail call double @llvm.fmuladd.f64(double %v1130, double %v1158, double %v1161)
  %v1163 = fmul double %v1131, %v1158
  %v1164 = tail call double @llvm.fmuladd.f64(double %v1130, double %v1159, double %v1163)
  %v1165 = getelementptr inbounds double, ptr %v1076, i64 %v761
  store double %v1162, ptr %v1165, align 8
  %v1166 = getelementptr inbounds double, ptr %v1077, i64 %v761
  store double %v1164, ptr %v1166, align 8
  %v1167 = load double, ptr %v944, align 8
  %v1168 = load double, ptr %v945, align 8
  %v1169 = fneg double %v1168
  %v1170 = fmul double %v1127, %v1169
  %v1171 = tail call double @llvm.fmuladd.f64(double %v1126, double %v1167, double %v1170)
  %v1172 = fmul double %v1127, %v1167
  %v1173 = tail call double @llvm.fmuladd.f64(double %v1126, double %v1168, double %v1172)
  br label %v1174

v1174:
  %v1175 = phi double [ %v1173, %v1139 ], [ %v1127, %v1132 ]
  %v1176 = phi double [ %v1171, %v1139 ], [ %v1126, %v1132 ]
  %v1177 = getelementptr inbounds double, ptr %v1076, i64 %v762
  store double %v1176, ptr %v1177, align 8
  %v1178 = getelementptr inbounds double, ptr %v1077, i64 %v762
  store double %v1175, ptr %v1178, align 8
  %v1179 = add nsw i64 %v1073, 1
  %v1180 = icmp eq i64 %v1179, %v38
  br i1 %v1180, label %v1181, label %v1072

v1181:
  %v1182 = getelementptr inbounds double, ptr %v921, i64 %v38
  %v1183 = getelementptr inbounds double, ptr %v922, i64 %v38
  %v1184 = getelementptr inbounds double, ptr %v923, i64 %v763
  %v1185 = getelementptr inbounds double, ptr %v924, i64 %v763
  %v1186 = getelementptr i8, ptr %v920, i64 64
  %v1187 = add nuw nsw i64 %v919, 1
  %v1188 = icmp eq i64 %v1187, %v37
  br i1 %v1188, label %v2186, label %v918

v1189:
  %v1190 = load ptr, ptr %v3, align 8
  %v1191 = load ptr, ptr %v22, align 8
  %v1192 = load ptr, ptr %v23, align 8
  %v1193 = load ptr, ptr %v24, align 8
  %v1194 = icmp eq i64 %v37, 1
  br i1 %v1194, label %v1213, label %v1195

v1195:
  %v1196 = icmp sgt i64 %v37, 0
  br i1 %v1196, label %v1197, label %v2186

v1197:
  %v1198 = mul i64 %v37, %v38
  %v1199 = icmp slt i64 %v38, 4
  %v1200 = shl i64 %v1198, 1
  %v1201 = mul i64 %v1198, 3
  %v1202 = shl i64 %v1198, 2
  %v1203 = mul i64 %v1198, 5
  %v1204 = mul i64 %v1198, 6
  %v1205 = mul i64 %v1198, 7
  %v1206 = shl i64 %v38, 1
  %v1207 = mul i64 %v38, 3
  %v1208 = shl i64 %v38, 2
  %v1209 = mul i64 %v38, 5
  %v1210 = mul i64 %v38, 6
  %v1211 = mul i64 %v38, 7
  %v1212 = shl i64 %v38, 3
  br label %v1449

v1213:
  %v1214 = icmp slt i64 %v38, 4
  br i1 %v1214, label %v1222, label %v1215

v1215:
  %v1216 = shl nuw i64 %v38, 1
  %v1217 = mul i64 %v38, 3
  %v1218 = shl i64 %v38, 2
  %v1219 = mul i64 %v38, 5
  %v1220 = mul i64 %v38, 6
  %v1221 = mul i64 %v38, 7
  br label %v1232

v1222:
  %v1223 = phi i64 [ 0, %v1213 ], [ %v1233, %v1232 ]
  %v1224 = icmp slt i64 %v1223, %v38
  br i1 %v1224, label %v1225, label %v2186

v1225:
  %v1226 = shl nuw i64 %v38, 1
  %v1227 = mul i64 %v38, 3
  %v1228 = shl i64 %v38, 2
  %v1229 = mul i64 %v38, 5
  %v1230 = mul i64 %v38, 6
  %v1231 = mul i64 %v38, 7
  br label %v1341

v1232:
  %v1233 = phi i64 [ 4, %v1215 ], [ %v1339, %v1232 ]
  %v1234 = phi i64 [ 0, %v1215 ], [ %v1233, %v1232 ]
  %v1235 = getelementptr inbounds double, ptr %v1190, i64 %v1234
  %v1236 = getelementptr inbounds double, ptr %v1191, i64 %v1234
  %v1237 = getelementptr inbounds double, ptr %v1192, i64 %v1234
  %v1238 = getelementptr inbounds double, ptr %v1193, i64 %v1234
  %v1239 = load <4 x double>, ptr %v1235, align 8
  %v1240 = load <4 x double>, ptr %v1236, align 8
  %v1241 = getelementptr inbounds nuw double, ptr %v1235, i64 %v38
  %v1242 = load <4 x double>, ptr %v1241, align 8
  %v1243 = getelementptr inbounds nuw double, ptr %v1236, i64 %v38
  %v1244 = load <4 x double>, ptr %v1243, align 8
  %v1245 = getelementptr inbounds double, ptr %v1235, i64 %v1216
  %v1246 = load <4 x double>, ptr %v1245, align 8
  %v1247 = getelementptr inbounds double, ptr %v1236, i64 %v1216
  %v1248 = load <4 x double>, ptr %v1247, align 8
  %v1249 = getelementptr inbounds double, ptr %v1235, i64 %v1217
  %v1250 = load <4 x double>, ptr %v1249, align 8
  %v1251 = getelementptr inbounds double, ptr %v1236, i64 %v1217
  %v1252 = load <4 x double>, ptr %v1251, align 8
  %v1253 = getelementptr inbounds double, ptr %v1235, i64 %v1218
  %v1254 = load <4 x double>, ptr %v1253, align 8
  %v1255 = getelementptr inbounds double, ptr %v1236, i64 %v1218
  %v1256 = load <4 x double>, ptr %v1255, align 8
  %v1257 = getelementptr inbounds double, ptr %v1235, i64 %v1219
  %v1258 = load <4 x double>, ptr %v1257, align 8
  %v1259 = getelementptr inbounds double, ptr %v1236, i64 %v1219
  %v1260 = load <4 x double>, ptr %v1259, align 8
  %v1261 = getelementptr inbounds double, ptr %v1235, i64 %v1220
  %v1262 = load <4 x double>, ptr %v1261, align 8
  %v1263 = getelementptr inbounds double, ptr %v1236, i64 %v1220
  %v1264 = load <4 x double>, ptr %v1263, align 8
  %v1265 = getelementptr inbounds double, ptr %v1235, i64 %v1221
  %v1266 = load <4 x double>, ptr %v1265, align 8
  %v1267 = getelementptr inbounds double, ptr %v1236, i64 %v1221
  %v1268 = load <4 x double>, ptr %v1267, align 8
  %v1269 = fadd <4 x double> %v1239, %v1254
  %v1270 = fsub <4 x double> %v1239, %v1254
  %v1271 = fadd <4 x double> %v1240, %v1256
  %v1272 = fsub <4 x double> %v1240, %v1256
  %v1273 = fadd <4 x double> %v1246, %v1262
  %v1274 = fsub <4 x double> %v1246, %v1262
  %v1275 = fadd <4 x double> %v1248, %v1264
  %v1276 = fsub <4 x double> %v1248, %v1264
  %v1277 = fadd <4 x double> %v1269, %v1273
  %v1278 = fsub <4 x double> %v1269, %v1273
  %v1279 = fadd <4 x double> %v1271, %v1275
  %v1280 = fsub <4 x double> %v1271, %v1275
  %v1281 = fadd <4 x double> %v1270, %v1276
  %v1282 = fsub <4 x double> %v1270, %v1276
  %v1283 = fsub <4 x double> %v1272, %v1274
  %v1284 = fadd <4 x double> %v1272, %v1274
  %v1285 = fadd <4 x double> %v1242, %v1258
  %v1286 = fsub <4 x double> %v1242, %v1258
  %v1287 = fadd <4 x double> %v1244, %v1260
  %v1288 = fsub <4 x double> %v1244, %v1260
  %v1289 = fadd <4 x double> %v1250, %v1266
  %v1290 = fsub <4 x double> %v1250, %v1266
  %v1291 = fadd <4 x double> %v1252, %v1268
  %v1292 = fsub <4 x double> %v1252, %v1268
  %v1293 = fadd <4 x double> %v1285, %v1289
  %v1294 = fsub <4 x double> %v1285, %v1289
  %v1295 = fadd <4 x double> %v1287, %v1291
  %v1296 = fsub <4 x double> %v1287, %v1291
  %v1297 = fadd <4 x double> %v1286, %v1292
  %v1298 = fsub <4 x double> %v1286, %v1292
  %v1299 = fsub <4 x double> %v1288, %v1290
  %v1300 = fadd <4 x double> %v1288, %v1290
  %v1301 = fadd <4 x double> %v1299, %v1297
  %v1302 = fmul <4 x double> %v1301, splat (double 0x3FE6A09E667F3BCD)
  %v1303 = fsub <4 x double> %v1299, %v1297
  %v1304 = fmul <4 x double> %v1303, splat (double 0x3FE6A09E667F3BCD)
  %v1305 = fsub <4 x double> %v1300, %v1298
  %v1306 = fmul <4 x double> %v1305, splat (double 0x3FE6A09E667F3BCD)
  %v1307 = fadd <4 x double> %v1300, %v1298
  %v1308 = fmul <4 x double> %v1307, splat (double 0xBFE6A09E667F3BCD)
  %v1309 = fadd <4 x double> %v1277, %v1293
  %v1310 = fsub <4 x double> %v1277, %v1293
  %v1311 = fadd <4 x double> %v1279, %v1295
  %v1312 = fsub <4 x double> %v1279, %v1295
  %v1313 = fadd <4 x double> %v1281, %v1302
  %v1314 = fsub <4 x double> %v1281, %v1302
  %v1315 = fadd <4 x double> %v1283, %v1304
  %v1316 = fsub <4 x double> %v1283, %v1304
  %v1317 = fadd <4 x double> %v1278, %v1296
  %v1318 = fsub <4 x double> %v1278, %v1296
  %v1319 = fsub <4 x double> %v1280, %v1294
  %v1320 = fadd <4 x double> %v1280, %v1294
  %v1321 = fadd <4 x double> %v1282, %v1306
  %v1322 = fsub <4 x double> %v1282, %v1306
  %v1323 = fadd <4 x double> %v1284, %v1308
  %v1324 = fsub <4 x double> %v1284, %v1308
  store <4 x double> %v1309, ptr %v1237, align 8
  store <4 x double> %v1311, ptr %v1238, align 8
  %v1325 = getelementptr inbounds nuw double, ptr %v1237, i64 %v38
  store <4 x double> %v1313, ptr %v1325, align 8
  %v1326 = getelementptr inbounds nuw double, ptr %v1238, i64 %v38
  store <4 x double> %v1315, ptr %v1326, align 8
  %v1327 = getelementptr inbounds double, ptr %v1237, i64 %v1216
  store <4 x double> %v1317, ptr %v1327, align 8
  %v1328 = getelementptr inbounds double, ptr %v1238, i64 %v1216
  store <4 x double> %v1319, ptr %v1328, align 8
  %v1329 = getelementptr inbounds double, ptr %v1237, i64 %v1217
  store <4 x double> %v1321, ptr %v1329, align 8
  %v1330 = getelementptr inbounds double, ptr %v1238, i64 %v1217
  store <4 x double> %v1323, ptr %v1330, align 8
  %v1331 = getelementptr inbounds double, ptr %v1237, i64 %v1218
  store <4 x double> %v1310, ptr %v1331, align 8
  %v1332 = getelementptr inbounds double, ptr %v1238, i64 %v1218
  store <4 x double> %v1312, ptr %v1332, align 8
  %v1333 = getelementptr inbounds double, ptr %v1237, i64 %v1219
  store <4 x double> %v1314, ptr %v1333, align 8
  %v1334 = getelementptr inbounds double, ptr %v1238, i64 %v1219
  store <4 x double> %v1316, ptr %v1334, align 8
  %v1335 = getelementptr inbounds double, ptr %v1237, i64 %v1220
  store <4 x double> %v1318, ptr %v1335, align 8
  %v1336 = getelementptr inbounds double, ptr %v1238, i64 %v1220
  store <4 x double> %v1320, ptr %v1336, align 8
  %v1337 = getelementptr inbounds double, ptr %v1237, i64 %v1221
  store <4 x double> %v1322, ptr %v1337, align 8
  %v1338 = getelementptr inbounds double, ptr %v1238, i64 %v1221
  store <4 x double> %v1324, ptr %v1338, align 8
  %v1339 = add i64 %v1233, 4
  %v1340 = icmp sgt i64 %v1339, %v38
  br i1 %v1340, label %v1222, label %v1232

v1341:
  %v1342 = phi i64 [ %v1223, %v1225 ], [ %v1447, %v1341 ]
  %v1343 = getelementptr inbounds double, ptr %v1190, i64 %v1342
  %v1344 = getelementptr inbounds double, ptr %v1191, i64 %v1342
  %v1345 = getelementptr inbounds double, ptr %v1192, i64 %v1342
  %v1346 = getelementptr inbounds double, ptr %v1193, i64 %v1342
  %v1347 = load double, ptr %v1343, align 8
  %v1348 = load double, ptr %v1344, align 8
  %v1349 = getelementptr inbounds double, ptr %v1343, i64 %v38
  %v1350 = load double, ptr %v1349, align 8
  %v1351 = getelementptr inbounds double, ptr %v1344, i64 %v38
  %v1352 = load double, ptr %v1351, align 8
  %v1353 = getelementptr inbounds double, ptr %v1343, i64 %v1226
  %v1354 = load double, ptr %v1353, align 8
  %v1355 = getelementptr inbounds double, ptr %v1344, i64 %v1226
  %v1356 = load double, ptr %v1355, align 8
  %v1357 = getelementptr inbounds double, ptr %v1343, i64 %v1227
  %v1358 = load double, ptr %v1357, align 8
  %v1359 = getelementptr inbounds double, ptr %v1344, i64 %v1227
  %v1360 = load double, ptr %v1359, align 8
  %v1361 = getelementptr inbounds double, ptr %v1343, i64 %v1228
  %v1362 = load double, ptr %v1361, align 8
  %v1363 = getelementptr inbounds double, ptr %v1344, i64 %v1228
  %v1364 = load double, ptr %v1363, align 8
  %v1365 = getelementptr inbounds double, ptr %v1343, i64 %v1229
  %v1366 = load double, ptr %v1365, align 8
  %v1367 = getelementptr inbounds double, ptr %v1344, i64 %v1229
  %v1368 = load double, ptr %v1367, align 8
  %v1369 = getelementptr inbounds double, ptr %v1343, i64 %v1230
  %v1370 = load double, ptr %v1369, align 8
  %v1371 = getelementptr inbounds double, ptr %v1344, i64 %v1230
  %v1372 = load double, ptr %v1371, align 8
  %v1373 = getelementptr inbounds double, ptr %v1343, i64 %v1231
  %v1374 = load double, ptr %v1373, align 8
  %v1375 = getelementptr inbounds double, ptr %v1344, i64 %v1231
  %v1376 = load double, ptr %v1375, align 8
  %v1377 = fadd double %v1347, %v1362
  %v1378 = fsub double %v1347, %v1362
  %v1379 = fadd double %v1348, %v1364
  %v1380 = fsub double %v1348, %v1364
  %v1381 = fadd double %v1354, %v1370
  %v1382 = fsub double %v1354, %v1370
  %v1383 = fadd double %v1356, %v1372
  %v1384 = fsub double %v1356, %v1372
  %v1385 = fadd double %v1377, %v1381
  %v1386 = fsub double %v1377, %v1381
  %v1387 = fadd double %v1379, %v1383
  %v1388 = fsub double %v1379, %v1383
  %v1389 = fadd double %v1378, %v1384
  %v1390 = fsub double %v1378, %v1384
  %v1391 = fsub double %v1380, %v1382
  %v1392 = fadd double %v1380, %v1382
  %v1393 = fadd double %v1350, %v1366
  %v1394 = fsub double %v1350, %v1366
  %v1395 = fadd double %v1352, %v1368
  %v1396 = fsub double %v1352, %v1368
  %v1397 = fadd double %v1358, %v1374
  %v1398 = fsub double %v1358, %v1374
  %v1399 = fadd double %v1360, %v1376
  %v1400 = fsub double %v1360, %v1376
  %v1401 = fadd double %v1393, %v1397
  %v1402 = fsub double %v1393, %v1397
  %v1403 = fadd double %v1395, %v1399
  %v1404 = fsub double %v1395, %v1399
  %v1405 = fadd double %v1394, %v1400
  %v1406 = fsub double %v1394, %v1400
  %v1407 = fsub double %v1396, %v1398
  %v1408 = fadd double %v1396, %v1398
  %v1409 = fadd double %v1407, %v1405
  %v1410 = fmul double %v1409, 0x3FE6A09E667F3BCD
  %v1411 = fsub double %v1407, %v1405
  %v1412 = fmul double %v1411, 0x3FE6A09E667F3BCD
  %v1413 = fsub double %v1408, %v1406
  %v1414 = fmul double %v1413, 0x3FE6A09E667F3BCD
  %v1415 = fadd double %v1408, %v1406
  %v1416 = fmul double %v1415, 0xBFE6A09E667F3BCD
  %v1417 = fadd double %v1385, %v1401
  %v1418 = fsub double %v1385, %v1401
  %v1419 = fadd double %v1387, %v1403
  %v1420 = fsub double %v1387, %v1403
  %v1421 = fadd double %v1389, %v1410
  %v1422 = fsub double %v1389, %v1410
  %v1423 = fadd double %v1391, %v1412
  %v1424 = fsub double %v1391, %v1412
  %v1425 = fadd double %v1386, %v1404
  %v1426 = fsub double %v1386, %v1404
  %v1427 = fsub double %v1388, %v1402
  %v1428 = fadd double %v1388, %v1402
  %v1429 = fadd double %v1390, %v1414
  %v1430 = fsub double %v1390, %v1414
  %v1431 = fadd double %v1392, %v1416
  %v1432 = fsub double %v1392, %v1416
  store double %v1417, ptr %v1345, align 8
  store double %v1419, ptr %v1346, align 8
  %v1433 = getelementptr inbounds double, ptr %v1345, i64 %v38
  store double %v1421, ptr %v1433, align 8
  %v1434 = getelementptr inbounds double, ptr %v1346, i64 %v38
  store double %v1423, ptr %v1434, align 8
  %v1435 = getelementptr inbounds double, ptr %v1345, i64 %v1226
  store double %v1425, ptr %v1435, align 8
  %v1436 = getelementptr inbounds double, ptr %v1346, i64 %v1226
  store double %v1427, ptr %v1436, align 8
  %v1437 = getelementptr inbounds double, ptr %v1345, i64 %v1227
  store double %v1429, ptr %v1437, align 8
  %v1438 = getelementptr inbounds double, ptr %v1346, i64 %v1227
  store double %v1431, ptr %v1438, align 8
  %v1439 = getelementptr inbounds double, ptr %v1345, i64 %v1228
  store double %v1418, ptr %v1439, align 8
  %v1440 = getelementptr inbounds double, ptr %v1346, i64 %v1228
  store double %v1420, ptr %v1440, align 8
  %v1441 = getelementptr inbounds double, ptr %v1345, i64 %v1229
  store double %v1422, ptr %v1441, align 8
  %v1442 = getelementptr inbounds double, ptr %v1346, i64 %v1229
  store double %v1424, ptr %v1442, align 8
  %v1443 = getelementptr inbounds double, ptr %v1345, i64 %v1230
  store double %v1426, ptr %v1443, align 8
  %v1444 = getelementptr inbounds double, ptr %v1346, i64 %v1230
  store double %v1428, ptr %v1444, align 8
  %v1445 = getelementptr inbounds double, ptr %v1345, i64 %v1231
  store double %v1430, ptr %v1445, align 8
  %v1446 = getelementptr inbounds double, ptr %v1346, i64 %v1231
  store double %v1432, ptr %v1446, align 8
  %v1447 = add nsw i64 %v1342, 1
  %v1448 = icmp eq i64 %v1447, %v38
  br i1 %v1448, label %v2186, label %v1341

v1449:
  %v1450 = phi i64 [ 0, %v1197 ], [ %v1872, %v1866 ]
  %v1451 = phi ptr [ %v28, %v1197 ], [ %v1871, %v1866 ]
  %v1452 = phi ptr [ %v1190, %v1197 ], [ %v1867, %v1866 ]
  %v1453 = phi ptr [ %v1191, %v1197 ], [ %v1868, %v1866 ]
  %v1454 = phi ptr [ %v1192, %v1197 ], [ %v1869, %v1866 ]
  %v1455 = phi ptr [ %v1193, %v1197 ], [ %v1870, %v1866 ]
  br i1 %v1199, label %v1471, label %v1456

v1456:
  %v1457 = icmp eq ptr %v1451, null
  %v1458 = getelementptr inbounds nuw i8, ptr %v1451, i64 8
  %v1459 = getelementptr inbounds nuw i8, ptr %v1451, i64 16
  %v1460 = getelementptr inbounds nuw i8, ptr %v1451, i64 24
  %v1461 = getelementptr inbounds nuw i8, ptr %v1451, i64 32
  %v1462 = getelementptr inbounds nuw i8, ptr %v1451, i64 40
  %v1463 = getelementptr inbounds nuw i8, ptr %v1451, i64 48
  %v1464 = getelementptr inbounds nuw i8, ptr %v1451, i64 56
  %v1465 = getelementptr inbounds nuw i8, ptr %v1451, i64 64
  %v1466 = getelementptr inbounds nuw i8, ptr %v1451, i64 72
  %v1467 = getelementptr inbounds nuw i8, ptr %v1451, i64 80
  %v1468 = getelementptr inbounds nuw i8, ptr %v1451, i64 88
  %v1469 = getelementptr inbounds nuw i8, ptr %v1451, i64 96
  %v1470 = getelementptr inbounds nuw i8, ptr %v1451, i64 104
  br label %v1489

v1471:
  %v1472 = phi i64 [ 0, %v1449 ], [ %v1490, %v1685 ]
  %v1473 = icmp slt i64 %v1472, %v38
  br i1 %v1473, label %v1474, label %v1866

v1474:
  %v1475 = icmp eq ptr %v1451, null
  %v1476 = getelementptr inbounds nuw i8, ptr %v1451, i64 8
  %v1477 = getelementptr inbounds nuw i8, ptr %v1451, i64 16
  %v1478 = getelementptr inbounds nuw i8, ptr %v1451, i64 24
  %v1479 = getelementptr inbounds nuw i8, ptr %v1451, i64 32
  %v1480 = getelementptr inbounds nuw i8, ptr %v1451, i64 40
  %v1481 = getelementptr inbounds nuw i8, ptr %v1451, i64 48
  %v1482 = getelementptr inbounds nuw i8, ptr %v1451, i64 56
  %v1483 = getelementptr inbounds nuw i8, ptr %v1451, i64 64
  %v1484 = getelementptr inbounds nuw i8, ptr %v1451, i64 72
  %v1485 = getelementptr inbounds nuw i8, ptr %v1451, i64 80
  %v1486 = getelementptr inbounds nuw i8, ptr %v1451, i64 88
  %v1487 = getelementptr inbounds nuw i8, ptr %v1451, i64 96
  %v1488 = getelementptr inbounds nuw i8, ptr %v1451, i64 104
  br label %v1692

v1489:
  %v1490 = phi i64 [ 4, %v1456 ], [ %v1690, %v1685 ]
  %v1491 = phi i64 [ 0, %v1456 ], [ %v1490, %v1685 ]
  %v1492 = getelementptr inbounds double, ptr %v1452, i64 %v1491
  %v1493 = getelementptr inbounds double, ptr %v1453, i64 %v1491
  %v1494 = getelementptr inbounds double, ptr %v1454, i64 %v1491
  %v1495 = getelementptr inbounds double, ptr %v1455, i64 %v1491
  %v1496 = load <4 x double>, ptr %v1492, align 8
  %v1497 = load <4 x double>, ptr %v1493, align 8
  %v1498 = getelementptr inbounds double, ptr %v1492, i64 %v1198
  %v1499 = load <4 x double>, ptr %v1498, align 8
  %v1500 = getelementptr inbounds double, ptr %v1493, i64 %v1198
  %v1501 = load <4 x double>, ptr %v1500, align 8
  %v1502 = getelementptr inbounds double, ptr %v1492, i64 %v1200
  %v1503 = load <4 x double>, ptr %v1502, align 8
  %v1504 = getelementptr inbounds double, ptr %v1493, i64 %v1200
  %v1505 = load <4 x double>, ptr %v1504, align 8
  %v1506 = getelementptr inbounds double, ptr %v1492, i64 %v1201
  %v1507 = load <4 x double>, ptr %v1506, align 8
  %v1508 = getelementptr inbounds double, ptr %v1493, i64 %v1201
  %v1509 = load <4 x double>, ptr %v1508, align 8
  %v1510 = getelementptr inbounds double, ptr %v1492, i64 %v1202
  %v1511 = load <4 x double>, ptr %v1510, align 8
  %v1512 = getelementptr inbounds double, ptr %v1493, i64 %v1202
  %v1513 = load <4 x double>, ptr %v1512, align 8
  %v1514 = getelementptr inbounds double, ptr %v1492, i64 %v1203
  %v1515 = load <4 x double>, ptr %v1514, align 8
  %v1516 = getelementptr inbounds double, ptr %v1493, i64 %v1203
  %v1517 = load <4 x double>, ptr %v1516, align 8
  %v1518 = getelementptr inbounds double, ptr %v1492, i64 %v1204
  %v1519 = load <4 x double>, ptr %v1518, align 8
  %v1520 = getelementptr inbounds double, ptr %v1493, i64 %v1204
  %v1521 = load <4 x double>, ptr %v1520, align 8
  %v1522 = getelementptr inbounds double, ptr %v1492, i64 %v1205
  %v1523 = load <4 x double>, ptr %v1522, align 8
  %v1524 = getelementptr inbounds double, ptr %v1493, i64 %v1205
  %v1525 = load <4 x double>, ptr %v1524, align 8
  %v1526 = fadd <4 x double> %v1496, %v1511
  %v1527 = fsub <4 x double> %v1496, %v1511
  %v1528 = fadd <4 x double> %v1497, %v1513
  %v1529 = fsub <4 x double> %v1497, %v1513
  %v1530 = fadd <4 x double> %v1503, %v1519
  %v1531 = fsub <4 x double> %v1503, %v1519
  %v1532 = fadd <4 x double> %v1505, %v1521
  %v1533 = fsub <4 x double> %v1505, %v1521
  %v1534 = fadd <4 x double> %v1526, %v1530
  %v1535 = fsub <4 x double> %v1526, %v1530
  %v1536 = fadd <4 x double> %v1528, %v1532
  %v1537 = fsub <4 x double> %v1528, %v1532
  %v1538 = fadd <4 x double> %v1527, %v1533
  %v1539 = fsub <4 x double> %v1527, %v1533
  %v1540 = fsub <4 x double> %v1529, %v1531
  %v1541 = fadd <4 x double> %v1529, %v1531
  %v1542 = fadd <4 x double> %v1499, %v1515
  %v1543 = fsub <4 x double> %v1499, %v1515
  %v1544 = fadd <4 x double> %v1501, %v1517
  %v1545 = fsub <4 x double> %v1501, %v1517
  %v1546 = fadd <4 x double> %v1507, %v1523
  %v1547 = fsub <4 x double> %v1507, %v1523
  %v1548 = fadd <4 x double> %v1509, %v1525
  %v1549 = fsub <4 x double> %v1509, %v1525
  %v1550 = fadd <4 x double> %v1542, %v1546
  %v1551 = fsub <4 x double> %v1542, %v1546
  %v1552 = fadd <4 x double> %v1544, %v1548
  %v1553 = fsub <4 x double> %v1544, %v1548
  %v1554 = fadd <4 x double> %v1543, %v1549
  %v1555 = fsub <4 x double> %v1543, %v1549
  %v1556 = fsub <4 x double> %v1545, %v1547
  %v1557 = fadd <4 x double> %v1545, %v1547
  %v1558 = fadd <4 x double> %v1556, %v1554
  %v1559 = fmul <4 x double> %v1558, splat (double 0x3FE6A09E667F3BCD)
  %v1560 = fsub <4 x double> %v1556, %v1554
  %v1561 = fmul <4 x double> %v1560, splat (double 0x3FE6A09E667F3BCD)
  %v1562 = fsub <4 x double> %v1557, %v1555
  %v1563 = fmul <4 x double> %v1562, splat (double 0x3FE6A09E667F3BCD)
  %v1564 = fadd <4 x double> %v1557, %v1555
  %v1565 = fmul <4 x double> %v1564, splat (double 0xBFE6A09E667F3BCD)
  %v1566 = fadd <4 x double> %v1534, %v1550
  %v1567 = fsub <4 x double> %v1534, %v1550
  %v1568 = fadd <4 x double> %v1536, %v1552
  %v1569 = fsub <4 x double> %v1536, %v1552
  %v1570 = fadd <4 x double> %v1538, %v1559
  %v1571 = fsub <4 x double> %v1538, %v1559
  %v1572 = fadd <4 x double> %v1540, %v1561
  %v1573 = fsub <4 x double> %v1540, %v1561
  %v1574 = fadd <4 x double> %v1535, %v1553
  %v1575 = fsub <4 x double> %v1535, %v1553
  %v1576 = fsub <4 x double> %v1537, %v1551
  %v1577 = fadd <4 x double> %v1537, %v1551
  %v1578 = fadd <4 x double> %v1539, %v1563
  %v1579 = fsub <4 x double> %v1539, %v1563
  %v1580 = fadd <4 x double> %v1541, %v1565
  %v1581 = fsub <4 x double> %v1541, %v1565
  store <4 x double> %v1566, ptr %v1494, align 8
  store <4 x double> %v1568, ptr %v1495, align 8
  br i1 %v1457, label %v1582, label %v1595

v1582:
  %v1583 = getelementptr inbounds nuw double, ptr %v1494, i64 %v38
  store <4 x double> %v1570, ptr %v1583, align 8
  %v1584 = getelementptr inbounds nuw double, ptr %v1495, i64 %v38
  store <4 x double> %v1572, ptr %v1584, align 8
  %v1585 = getelementptr inbounds double, ptr %v1494, i64 %v1206
  store <4 x double> %v1574, ptr %v1585, align 8
  %v1586 = getelementptr inbounds double, ptr %v1495, i64 %v1206
  store <4 x double> %v1576, ptr %v1586, align 8
  %v1587 = getelementptr inbounds double, ptr %v1494, i64 %v1207
  store <4 x double> %v1578, ptr %v1587, align 8
  %v1588 = getelementptr inbounds double, ptr %v1495, i64 %v1207
  store <4 x double> %v1580, ptr %v1588, align 8
  %v1589 = getelementptr inbounds double, ptr %v1494, i64 %v1208
  store <4 x double> %v1567, ptr %v1589, align 8
  %v1590 = getelementptr inbounds double, ptr %v1495, i64 %v1208
  store <4 x double> %v1569, ptr %v1590, align 8
  %v1591 = getelementptr inbounds double, ptr %v1494, i64 %v1209
  store <4 x double> %v1571, ptr %v1591, align 8
  %v1592 = getelementptr inbounds double, ptr %v1495, i64 %v1209
  store <4 x double> %v1573, ptr %v1592, align 8
  %v1593 = getelementptr inbounds double, ptr %v1494, i64 %v1210
  store <4 x double> %v1575, ptr %v1593, align 8
  %v1594 = getelementptr inbounds double, ptr %v1495, i64 %v1210
  store <4 x double> %v1577, ptr %v1594, align 8
  br label %v1685

v1595:
  %v1596 = load double, ptr %v1451, align 8
  %v1597 = load double, ptr %v1458, align 8
  %v1598 = insertelement <4 x double> poison, double %v1596, i64 0
  %v1599 = shufflevector <4 x double> %v1598, <4 x double> poison, <4 x i32> zeroinitializer
  %v1600 = insertelement <4 x double> poison, double %v1597, i64 0
  %v1601 = shufflevector <4 x double> %v1600, <4 x double> poison, <4 x i32> zeroinitializer
  %v1602 = fneg <4 x double> %v1601
  %v1603 = fmul <4 x double> %v1572, %v1602
  %v1604 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1570, <4 x double> %v1599, <4 x double> %v1603)
  %v1605 = fmul <4 x double> %v1572, %v1599
  %v1606 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1570, <4 x double> %v1601, <4 x double> %v1605)
  %v1607 = getelementptr inbounds nuw double, ptr %v1494, i64 %v38
  store <4 x double> %v1604, ptr %v1607, align 8
  %v1608 = getelementptr inbounds nuw double, ptr %v1495, i64 %v38
  store <4 x double> %v1606, ptr %v1608, align 8
  %v1609 = load double, ptr %v1459, align 8
  %v1610 = load double, ptr %v1460, align 8
  %v1611 = insertelement <4 x double> poison, double %v1609, i64 0
  %v1612 = shufflevector <4 x double> %v1611, <4 x double> poison, <4 x i32> zeroinitializer
  %v1613 = insertelement <4 x double> poison, double %v1610, i64 0
  %v1614 = shufflevector <4 x double> %v1613, <4 x double> poison, <4 x i32> zeroinitializer
  %v1615 = fneg <4 x double> %v1614
  %v1616 = fmul <4 x double> %v1576, %v1615
  %v1617 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1574, <4 x double> %v1612, <4 x double> %v1616)
  %v1618 = fmul <4 x double> %v1576, %v1612
  %v1619 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1574, <4 x double> %v1614, <4 x double> %v1618)
  %v1620 = getelementptr inbounds double, ptr %v1494, i64 %v1206
  store <4 x double> %v1617, ptr %v1620, align 8
  %v1621 = getelementptr inbounds double, ptr %v1495, i64 %v1206
  store <4 x double> %v1619, ptr %v1621, align 8
  %v1622 = load double, ptr %v1461, align 8
  %v1623 = load double, ptr %v1462, align 8
  %v1624 = insertelement <4 x double> poison, double %v1622, i64 0
  %v1625 = shufflevector <4 x double> %v1624, <4 x double> poison, <4 x i32> zeroinitializer
  %v1626 = insertelement <4 x double> poison, double %v1623, i64 0
  %v1627 = shufflevector <4 x double> %v1626, <4 x double> poison, <4 x i32> zeroinitializer
  %v1628 = fneg <4 x double> %v1627
  %v1629 = fmul <4 x double> %v1580, %v1628
  %v1630 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1578, <4 x double> %v1625, <4 x double> %v1629)
  %v1631 = fmul <4 x double> %v1580, %v1625
  %v1632 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1578, <4 x double> %v1627, <4 x double> %v1631)
  %v1633 = getelementptr inbounds double, ptr %v1494, i64 %v1207
  store <4 x double> %v1630, ptr %v1633, align 8
  %v1634 = getelementptr inbounds double, ptr %v1495, i64 %v1207
  store <4 x double> %v1632, ptr %v1634, align 8
  %v1635 = load double, ptr %v1463, align 8
  %v1636 = load double, ptr %v1464, align 8
  %v1637 = insertelement <4 x double> poison, double %v1635, i64 0
  %v1638 = shufflevector <4 x double> %v1637, <4 x double> poison, <4 x i32> zeroinitializer
  %v1639 = insertelement <4 x double> poison, double %v1636, i64 0
  %v1640 = shufflevector <4 x double> %v1639, <4 x double> poison, <4 x i32> zeroinitializer
  %v1641 = fneg <4 x double> %v1640
  %v1642 = fmul <4 x double> %v1569, %v1641
  %v1643 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1567, <4 x double> %v1638, <4 x double> %v1642)
  %v1644 = fmul <4 x double> %v1569, %v1638
  %v1645 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1567, <4 x double> %v1640, <4 x double> %v1644)
  %v1646 = getelementptr inbounds double, ptr %v1494, i64 %v1208
  store <4 x double> %v1643, ptr %v1646, align 8
  %v1647 = getelementptr inbounds double, ptr %v1495, i64 %v1208
  store <4 x double> %v1645, ptr %v1647, align 8
  %v1648 = load double, ptr %v1465, align 8
  %v1649 = load double, ptr %v1466, align 8
  %v1650 = insertelement <4 x double> poison, double %v1648, i64 0
  %v1651 = shufflevector <4 x double> %v1650, <4 x double> poison, <4 x i32> zeroinitializer
  %v1652 = insertelement <4 x double> poison, double %v1649, i64 0
  %v1653 = shufflevector <4 x double> %v1652, <4 x double> poison, <4 x i32> zeroinitializer
  %v1654 = fneg <4 x double> %v1653
  %v1655 = fmul <4 x double> %v1573, %v1654
  %v1656 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1571, <4 x double> %v1651, <4 x double> %v1655)
  %v1657 = fmul <4 x double> %v1573, %v1651
  %v1658 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1571, <4 x double> %v1653, <4 x double> %v1657)
  %v1659 = getelementptr inbounds double, ptr %v1494, i64 %v1209
  store <4 x double> %v1656, ptr %v1659, align 8
  %v1660 = getelementptr inbounds double, ptr %v1495, i64 %v1209
  store <4 x double> %v1658, ptr %v1660, align 8
  %v1661 = load double, ptr %v1467, align 8
  %v1662 = load double, ptr %v1468, align 8
  %v1663 = insertelement <4 x double> poison, double %v1661, i64 0
  %v1664 = shufflevector <4 x double> %v1663, <4 x double> poison, <4 x i32> zeroinitializer
  %v1665 = insertelement <4 x double> poison, double %v1662, i64 0
  %v1666 = shufflevector <4 x double> %v1665, <4 x double> poison, <4 x i32> zeroinitializer
  %v1667 = fneg <4 x double> %v1666
  %v1668 = fmul <4 x double> %v1577, %v1667
  %v1669 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1575, <4 x double> %v1664, <4 x double> %v1668)
  %v1670 = fmul <4 x double> %v1577, %v1664
  %v1671 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1575, <4 x double> %v1666, <4 x double> %v1670)
  %v1672 = getelementptr inbounds double, ptr %v1494, i64 %v1210
  store <4 x double> %v1669, ptr %v1672, align 8
  %v1673 = getelementptr inbounds double, ptr %v1495, i64 %v1210
  store <4 x double> %v1671, ptr %v1673, align 8
  %v1674 = load double, ptr %v1469, align 8
  %v1675 = load double, ptr %v1470, align 8
  %v1676 = insertelement <4 x double> poison, double %v1674, i64 0
  %v1677 = shufflevector <4 x double> %v1676, <4 x double> poison, <4 x i32> zeroinitializer
  %v1678 = insertelement <4 x double> poison, double %v1675, i64 0
  %v1679 = shufflevector <4 x double> %v1678, <4 x double> poison, <4 x i32> zeroinitializer
  %v1680 = fneg <4 x double> %v1679
  %v1681 = fmul <4 x double> %v1581, %v1680
  %v1682 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1579, <4 x double> %v1677, <4 x double> %v1681)
  %v1683 = fmul <4 x double> %v1581, %v1677
  %v1684 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1579, <4 x double> %v1679, <4 x double> %v1683)
  br label %v1685

v1685:
  %v1686 = phi <4 x double> [ %v1682, %v1595 ], [ %v1579, %v1582 ]
  %v1687 = phi <4 x double> [ %v1684, %v1595 ], [ %v1581, %v1582 ]
  %v1688 = getelementptr inbounds double, ptr %v1494, i64 %v1211
  store <4 x double> %v1686, ptr %v1688, align 8
  %v1689 = getelementptr inbounds double, ptr %v1495, i64 %v1211
  store <4 x double> %v1687, ptr %v1689, align 8
  %v1690 = add i64 %v1490, 4
  %v1691 = icmp sgt i64 %v1690, %v38
  br i1 %v1691, label %v1471, label %v1489

v1692:
  %v1693 = phi i64 [ %v1472, %v1474 ], [ %v1864, %v1859 ]
  %v1694 = getelementptr inbounds double, ptr %v1452, i64 %v1693
  %v1695 = getelementptr inbounds double, ptr %v1453, i64 %v1693
  %v1696 = getelementptr inbounds double, ptr %v1454, i64 %v1693
  %v1697 = getelementptr inbounds double, ptr %v1455, i64 %v1693
  %v1698 = load double, ptr %v1694, align 8
  %v1699 = load double, ptr %v1695, align 8
  %v1700 = getelementptr inbounds double, ptr %v1694, i64 %v1198
  %v1701 = load double, ptr %v1700, align 8
  %v1702 = getelementptr inbounds double, ptr %v1695, i64 %v1198
  %v1703 = load double, ptr %v1702, align 8
  %v1704 = getelementptr inbounds double, ptr %v1694, i64 %v1200
  %v1705 = load double, ptr %v1704, align 8
  %v1706 = getelementptr inbounds double, ptr %v1695, i64 %v1200
  %v1707 = load double, ptr %v1706, align 8
  %v1708 = getelementptr inbounds double, ptr %v1694, i64 %v1201
  %v1709 = load double, ptr %v1708, align 8
  %v1710 = getelementptr inbounds double, ptr %v1695, i64 %v1201
  %v1711 = load double, ptr %v1710, align 8
  %v1712 = getelementptr inbounds double, ptr %v1694, i64 %v1202
  %v1713 = load double, ptr %v1712, align 8
  %v1714 = getelementptr inbounds double, ptr %v1695, i64 %v1202
  %v1715 = load double, ptr %v1714, align 8
  %v1716 = getelementptr inbounds double, ptr %v1694, i64 %v1203
  %v1717 = load double, ptr %v1716, align 8
  %v1718 = getelementptr inbounds double, ptr %v1695, i64 %v1203
  %v1719 = load double, ptr %v1718, align 8
  %v1720 = getelementptr inbounds double, ptr %v1694, i64 %v1204
  %v1721 = load double, ptr %v1720, align 8
  %v1722 = getelementptr inbounds double, ptr %v1695, i64 %v1204
  %v1723 = load double, ptr %v1722, align 8
  %v1724 = getelementptr inbounds double, ptr %v1694, i64 %v1205
  %v1725 = load double, ptr %v1724, align 8
  %v1726 = getelementptr inbounds double, ptr %v1695, i64 %v1205
  %v1727 = load double, ptr %v1726, align 8
  %v1728 = fadd double %v1698, %v1713
  %v1729 = fsub double %v1698, %v1713
  %v1730 = fadd double %v1699, %v1715
  %v1731 = fsub double %v1699, %v1715
  %v1732 = fadd double %v1705, %v1721
  %v1733 = fsub double %v1705, %v1721
  %v1734 = fadd double %v1707, %v1723
  %v1735 = fsub double %v1707, %v1723
  %v1736 = fadd double %v1728, %v1732
  %v1737 = fsub double %v1728, %v1732
  %v1738 = fadd double %v1730, %v1734
  %v1739 = fsub double %v1730, %v1734
  %v1740 = fadd double %v1729, %v1735
  %v1741 = fsub double %v1729, %v1735
  %v1742 = fsub double %v1731, %v1733
  %v1743 = fadd double %v1731, %v1733
  %v1744 = fadd double %v1701, %v1717
  %v1745 = fsub double %v1701, %v1717
  %v1746 = fadd double %v1703, %v1719
  %v1747 = fsub double %v1703, %v1719
  %v1748 = fadd double %v1709, %v1725
  %v1749 = fsub double %v1709, %v1725
  %v1750 = fadd double %v1711, %v1727
  %v1751 = fsub double %v1711, %v1727
  %v1752 = fadd double %v1744, %v1748
  %v1753 = fsub double %v1744, %v1748
  %v1754 = fadd double %v1746, %v1750
  %v1755 = fsub double %v1746, %v1750
  %v1756 = fadd double %v1745, %v1751
  %v1757 = fsub double %v1745, %v1751
  %v1758 = fsub double %v1747, %v1749
  %v1759 = fadd double %v1747, %v1749
  %v1760 = fadd double %v1758, %v1756
  %v1761 = fmul double %v1760, 0x3FE6A09E667F3BCD
  %v1762 = fsub double %v1758, %v1756
  %v1763 = fmul double %v1762, 0x3FE6A09E667F3BCD
  %v1764 = fsub double %v1759, %v1757
  %v1765 = fmul double %v1764, 0x3FE6A09E667F3BCD
  %v1766 = fadd double %v1759, %v1757
  %v1767 = fmul double %v1766, 0xBFE6A09E667F3BCD
  %v1768 = fadd double %v1736, %v1752
  %v1769 = fsub double %v1736, %v1752
  %v1770 = fadd double %v1738, %v1754
  %v1771 = fsub double %v1738, %v1754
  %v1772 = fadd double %v1740, %v1761
  %v1773 = fsub double %v1740, %v1761
  %v1774 = fadd double %v1742, %v1763
  %v1775 = fsub double %v1742, %v1763
  %v1776 = fadd double %v1737, %v1755
  %v1777 = fsub double %v1737, %v1755
  %v1778 = fsub double %v1739, %v1753
  %v1779 = fadd double %v1739, %v1753
  %v1780 = fadd double %v1741, %v1765
  %v1781 = fsub double %v1741, %v1765
  %v1782 = fadd double %v1743, %v1767
  %v1783 = fsub double %v1743, %v1767
  store double %v1768, ptr %v1696, align 8
  store double %v1770, ptr %v1697, align 8
  br i1 %v1475, label %v1784, label %v1797

v1784:
  %v1785 = getelementptr inbounds double, ptr %v1696, i64 %v38
  store double %v1772, ptr %v1785, align 8
  %v1786 = getelementptr inbounds double, ptr %v1697, i64 %v38
  store double %v1774, ptr %v1786, align 8
  %v1787 = getelementptr inbounds double, ptr %v1696, i64 %v1206
  store double %v1776, ptr %v1787, align 8
  %v1788 = getelementptr inbounds double, ptr %v1697, i64 %v1206
  store double %v1778, ptr %v1788, align 8
  %v1789 = getelementptr inbounds double, ptr %v1696, i64 %v1207
  store double %v1780, ptr %v1789, align 8
  %v1790 = getelementptr inbounds double, ptr %v1697, i64 %v1207
  store double %v1782, ptr %v1790, align 8
  %v1791 = getelementptr inbounds double, ptr %v1696, i64 %v1208
  store double %v1769, ptr %v1791, align 8
  %v1792 = getelementptr inbounds double, ptr %v1697, i64 %v1208
  store double %v1771, ptr %v1792, align 8
  %v1793 = getelementptr inbounds double, ptr %v1696, i64 %v1209
  store double %v1773, ptr %v1793, align 8
  %v1794 = getelementptr inbounds double, ptr %v1697, i64 %v1209
  store double %v1775, ptr %v1794, align 8
  %v1795 = getelementptr inbounds double, ptr %v1696, i64 %v1210
  store double %v1777, ptr %v1795, align 8
  %v1796 = getelementptr inbounds double, ptr %v1697, i64 %v1210
  store double %v1779, ptr %v1796, align 8
  br label %v1859

v1797:
  %v1798 = load double, ptr %v1451, align 8
  %v1799 = load double, ptr %v1476, align 8
  %v1800 = fneg double %v1799
  %v1801 = fmul double %v1774, %v1800
  %v1802 = tail call double @llvm.fmuladd.f64(double %v1772, double %v1798, double %v1801)
  %v1803 = fmul double %v1774, %v1798
  %v1804 = tail call double @llvm.fmuladd.f64(double %v1772, double %v1799, double %v1803)
  %v1805 = getelementptr inbounds double, ptr %v1696, i64 %v38
  store double %v1802, ptr %v1805, align 8
  %v1806 = getelementptr inbounds double, ptr %v1697, i64 %v38
  store double %v1804, ptr %v1806, align 8
  %v1807 = load double, ptr %v1477, align 8
  %v1808 = load double, ptr %v1478, align 8
  %v1809 = fneg double %v1808
  %v1810 = fmul double %v1778, %v1809
  %v1811 = tail call double @llvm.fmuladd.f64(double %v1776, double %v1807, double %v1810)
  %v1812 = fmul double %v1778, %v1807
  %v1813 = tail call double @llvm.fmuladd.f64(double %v1776, double %v1808, double %v1812)
  %v1814 = getelementptr inbounds double, ptr %v1696, i64 %v1206
  store double %v1811, ptr %v1814, align 8
  %v1815 = getelementptr inbounds double, ptr %v1697, i64 %v1206
  store double %v1813, ptr %v1815, align 8
  %v1816 = load double, ptr %v1479, align 8
  %v1817 = load double, ptr %v1480, align 8
  %v1818 = fneg double %v1817
  %v1819 = fmul double %v1782, %v1818
  %v1820 = tail call double @llvm.fmuladd.f64(double %v1780, double %v1816, double %v1819)
  %v1821 = fmul double %v1782, %v1816
  %v1822 = tail call double @llvm.fmuladd.f64(double %v1780, double %v1817, double %v1821)
  %v1823 = getelementptr inbounds double, ptr %v1696, i64 %v1207
  store double %v1820, ptr %v1823, align 8
  %v1824 = getelementptr inbounds double, ptr %v1697, i64 %v1207
  store double %v1822, ptr %v1824, align 8
  %v1825 = load double, ptr %v1481, align 8
  %v1826 = load double, ptr %v1482, align 8
  %v1827 = fneg double %v1826
  %v1828 = fmul double %v1771, %v1827
  %v1829 = tail call double @llvm.fmuladd.f64(double %v1769, double %v1825, double %v1828)
  %v1830 = fmul double %v1771, %v1825
  %v1831 = tail call double @llvm.fmuladd.f64(double %v1769, double %v1826, double %v1830)
  %v1832 = getelementptr inbounds double, ptr %v1696, i64 %v1208
  store double %v1829, ptr %v1832, align 8
  %v1833 = getelementptr inbounds double, ptr %v1697, i64 %v1208
  store double %v1831, ptr %v1833, align 8
  %v1834 = load double, ptr %v1483, align 8
  %v1835 = load double, ptr %v1484, align 8
  %v1836 = fneg double %v1835
  %v1837 = fmul double %v1775, %v1836
  %v1838 = tail call double @llvm.fmuladd.f64(double %v1773, double %v1834, double %v1837)
  %v1839 = fmul double %v1775, %v1834
  %v1840 = tail call double @llvm.fmuladd.f64(double %v1773, double %v1835, double %v1839)
  %v1841 = getelementptr inbounds double, ptr %v1696, i64 %v1209
  store double %v1838, ptr %v1841, align 8
  %v1842 = getelementptr inbounds double, ptr %v1697, i64 %v1209
  store double %v1840, ptr %v1842, align 8
  %v1843 = load double, ptr %v1485, align 8
  %v1844 = load double, ptr %v1486, align 8
  %v1845 = fneg double %v1844
  %v1846 = fmul double %v1779, %v1845
  %v1847 = tail call double @llvm.fmuladd.f64(double %v1777, double %v1843, double %v1846)
  %v1848 = fmul double %v1779, %v1843
  %v1849 = tail call double @llvm.fmuladd.f64(double %v1777, double %v1844, double %v1848)
  %v1850 = getelementptr inbounds double, ptr %v1696, i64 %v1210
  store double %v1847, ptr %v1850, align 8
  %v1851 = getelementptr inbounds double, ptr %v1697, i64 %v1210
  store double %v1849, ptr %v1851, align 8
  %v1852 = load double, ptr %v1487, align 8
  %v1853 = load double, ptr %v1488, align 8
  %v1854 = fneg double %v1853
  %v1855 = fmul double %v1783, %v1854
  %v1856 = tail call double @llvm.fmuladd.f64(double %v1781, double %v1852, double %v1855)
  %v1857 = fmul double %v1783, %v1852
  %v1858 = tail call double @llvm.fmuladd.f64(double %v1781, double %v1853, double %v1857)
  br label %v1859

v1859:
  %v1860 = phi double [ %v1856, %v1797 ], [ %v1781, %v1784 ]
  %v1861 = phi double [ %v1858, %v1797 ], [ %v1783, %v1784 ]
  %v1862 = getelementptr inbounds double, ptr %v1696, i64 %v1211
  store double %v1860, ptr %v1862, align 8
  %v1863 = getelementptr inbounds double, ptr %v1697, i64 %v1211
  store double %v1861, ptr %v1863, align 8
  %v1864 = add nsw i64 %v1693, 1
  %v1865 = icmp eq i64 %v1864, %v38
  br i1 %v1865, label %v1866, label %v1692

v1866:
  %v1867 = getelementptr inbounds double, ptr %v1452, i64 %v38
  %v1868 = getelementptr inbounds double, ptr %v1453, i64 %v38
  %v1869 = getelementptr inbounds double, ptr %v1454, i64 %v1212
  %v1870 = getelementptr inbounds double, ptr %v1455, i64 %v1212
  %v1871 = getelementptr i8, ptr %v1451, i64 112
  %v1872 = add nuw nsw i64 %v1450, 1
  %v1873 = icmp eq i64 %v1872, %v37
  br i1 %v1873, label %v2186, label %v1449

v1874:
  %v1875 = icmp sgt i64 %v37, 0
  br i1 %v1875, label %v1876, label %v2186

v1876:
  %v1877 = load ptr, ptr %v24, align 8
  %v1878 = load ptr, ptr %v23, align 8
  %v1879 = load ptr, ptr %v22, align 8
  %v1880 = load ptr, ptr %v3, align 8
  %v1881 = icmp eq i64 %v37, 1
  %v1882 = shl i64 %v34, 1
  %v1883 = add i64 %v1882, -2
  %v1884 = icmp slt i64 %v38, 4
  %v1885 = mul i64 %v37, %v38
  %v1886 = icmp sgt i64 %v34, 0
  %v1887 = icmp sgt i64 %v34, 2
  %v1888 = mul i64 %v34, %v38
  %v1889 = add i64 %v34, -3
  %v1890 = lshr i64 %v1889, 1
  %v1891 = add nuw i64 %v1890, 2
  br label %v1892

v1892:
  %v1893 = phi ptr [ %v1877, %v1876 ], [ %v2183, %v2179 ]
  %v1894 = phi i64 [ 0, %v1876 ], [ %v2184, %v2179 ]
  %v1895 = phi ptr [ %v1880, %v1876 ], [ %v2180, %v2179 ]
  %v1896 = phi ptr [ %v1879, %v1876 ], [ %v2181, %v2179 ]
  %v1897 = phi ptr [ %v1878, %v1876 ], [ %v2182, %v2179 ]
  %v1898 = mul i64 %v1894, %v1883
  %v1899 = getelementptr inbounds double, ptr %v28, i64 %v1898
  %v1900 = select i1 %v1881, ptr null, ptr %v1899
  br i1 %v1884, label %v1903, label %v1901

v1901:
  %v1902 = icmp ne ptr %v1900, null
  br label %v1908

v1903:
  %v1904 = phi i64 [ 0, %v1892 ], [ %v1909, %v2045 ]
  %v1905 = icmp slt i64 %v1904, %v38
  br i1 %v1905, label %v1906, label %v2179

v1906:
  %v1907 = icmp ne ptr %v1900, null
  br label %v2048

v1908:
  %v1909 = phi i64 [ 4, %v1901 ], [ %v2046, %v2045 ]
  %v1910 = phi i64 [ 0, %v1901 ], [ %v1909, %v2045 ]
  %v1911 = getelementptr inbounds double, ptr %v1895, i64 %v1910
  %v1912 = getelementptr inbounds double, ptr %v1896, i64 %v1910
  %v1913 = getelementptr inbounds double, ptr %v1897, i64 %v1910
  %v1914 = getelementptr inbounds double, ptr %v1893, i64 %v1910
  br i1 %v1886, label %v2002, label %v1939

v1915:
  br i1 %v1887, label %v1922, label %v1916

v1916:
  %v1917 = load <4 x double>, ptr %v9, align 32
  %v1918 = load <4 x double>, ptr %v10, align 32
  br label %v1939

v1919:
  %v1920 = load <4 x double>, ptr %v9, align 32
  %v1921 = load <4 x double>, ptr %v10, align 32
  br label %v1943

v1922:
  %v1923 = phi i64 [ %v1937, %v1922 ], [ 1, %v1915 ]
  %v1924 = getelementptr inbounds nuw <4 x double>, ptr %v9, i64 %v1923
  %v1925 = sub nsw i64 %v34, %v1923
  %v1926 = getelementptr inbounds <4 x double>, ptr %v9, i64 %v1925
  %v1927 = load <4 x double>, ptr %v1924, align 32
  %v1928 = load <4 x double>, ptr %v1926, align 32
  %v1929 = fadd <4 x double> %v1927, %v1928
  %v1930 = fsub <4 x double> %v1927, %v1928
  store <4 x double> %v1929, ptr %v1924, align 32
  store <4 x double> %v1930, ptr %v1926, align 32
  %v1931 = getelementptr inbounds nuw <4 x double>, ptr %v10, i64 %v1923
  %v1932 = getelementptr inbounds <4 x double>, ptr %v10, i64 %v1925
  %v1933 = load <4 x double>, ptr %v1931, align 32
  %v1934 = load <4 x double>, ptr %v1932, align 32
  %v1935 = fadd <4 x double> %v1933, %v1934
  %v1936 = fsub <4 x double> %v1933, %v1934
  store <4 x double> %v1935, ptr %v1931, align 32
  store <4 x double> %v1936, ptr %v1932, align 32
  %v1937 = add nuw nsw i64 %v1923, 1
  %v1938 = icmp eq i64 %v1937, %v1891
  br i1 %v1938, label %v1919, label %v1922

v1939:
  %v1940 = phi <4 x double> [ %v1918, %v1916 ], [ undef, %v1908 ]
  %v1941 = phi <4 x double> [ %v1917, %v1916 ], [ undef, %v1908 ]
  store <4 x double> %v1941, ptr %v11, align 32
  store <4 x double> %v1940, ptr %v12, align 32
  br label %v1955

v1942:
  store <4 x double> %v1949, ptr %v11, align 32
  store <4 x double> %v1952, ptr %v12, align 32
  br label %v1956

v1943:
  %v1944 = phi i64 [ %v1953, %v1943 ], [ 1, %v1919 ]
  %v1945 = phi <4 x double> [ %v1952, %v1943 ], [ %v1921, %v1919 ]
  %v1946 = phi <4 x double> [ %v1949, %v1943 ], [ %v1920, %v1919 ]
  %v1947 = getelementptr inbounds nuw <4 x double>, ptr %v9, i64 %v1944
  %v1948 = load <4 x double>, ptr %v1947, align 32
  %v1949 = fadd <4 x double> %v1946, %v1948
  %v1950 = getelementptr inbounds nuw <4 x double>, ptr %v10, i64 %v1944
  %v1951 = load <4 x double>, ptr %v1950, align 32
  %v1952 = fadd <4 x double> %v1945, %v1951
  %v1953 = add nuw nsw i64 %v1944, 1
  %v1954 = icmp eq i64 %v1953, %v1891
  br i1 %v1954, label %v1942, label %v1943

v1955:
  br i1 %v1886, label %v2013, label %v2045

v1956:
  %v1957 = phi i64 [ %v1968, %v1958 ], [ 1, %v1942 ]
  br label %v1970

v1958:
  %v1959 = fadd <4 x double> %v1985, %v1996
  %v1960 = getelementptr inbounds nuw <4 x double>, ptr %v11, i64 %v1957
  store <4 x double> %v1959, ptr %v1960, align 32
  %v1961 = fsub <4 x double> %v1988, %v1999
  %v1962 = getelementptr inbounds nuw <4 x double>, ptr %v12, i64 %v1957
  store <4 x double> %v1961, ptr %v1962, align 32
  %v1963 = fsub <4 x double> %v1985, %v1996
  %v1964 = sub nsw i64 %v34, %v1957
  %v1965 = getelementptr inbounds <4 x double>, ptr %v11, i64 %v1964
  store <4 x double> %v1963, ptr %v1965, align 32
  %v1966 = fadd <4 x double> %v1988, %v1999
  %v1967 = getelementptr inbounds <4 x double>, ptr %v12, i64 %v1964
  store <4 x double> %v1966, ptr %v1967, align 32
  %v1968 = add nuw nsw i64 %v1957, 1
  %v1969 = icmp eq i64 %v1968, %v1891
  br i1 %v1969, label %v1955, label %v1956

v1970:
  %v1971 = phi i64 [ 1, %v1956 ], [ %v2000, %v1970 ]
  %v1972 = phi <4 x double> [ zeroinitializer, %v1956 ], [ %v1999, %v1970 ]
  %v1973 = phi <4 x double> [ zeroinitializer, %v1956 ], [ %v1996, %v1970 ]
  %v1974 = phi <4 x double> [ %v1921, %v1956 ], [ %v1988, %v1970 ]
  %v1975 = phi <4 x double> [ %v1920, %v1956 ], [ %v1985, %v1970 ]
  %v1976 = mul i64 %v1971, %v1957
  %v1977 = srem i64 %v1976, %v34
  %v1978 = shl i64 %v1977, 4
  %v1979 = getelementptr inbounds i8, ptr %v29, i64 %v1978
  %v1980 = load double, ptr %v1979, align 8
  %v1981 = insertelement <4 x double> poison, double %v1980, i64 0
  %v1982 = shufflevector <4 x double> %v1981, <4 x double> poison, <4 x i32> zeroinitializer
  %v1983 = getelementptr inbounds nuw <4 x double>, ptr %v9, i64 %v1971
  %v1984 = load <4 x double>, ptr %v1983, align 32
  %v1985 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1982, <4 x double> %v1984, <4 x double> %v1975)
  %v1986 = getelementptr inbounds nuw <4 x double>, ptr %v10, i64 %v1971
  %v1987 = load <4 x double>, ptr %v1986, align 32
  %v1988 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1982, <4 x double> %v1987, <4 x double> %v1974)
  %v1989 = getelementptr inbounds nuw i8, ptr %v1979, i64 8
  %v1990 = load double, ptr %v1989, align 8
  %v1991 = insertelement <4 x double> poison, double %v1990, i64 0
  %v1992 = shufflevector <4 x double> %v1991, <4 x double> poison, <4 x i32> zeroinitializer
  %v1993 = sub nsw i64 %v34, %v1971
  %v1994 = getelementptr inbounds <4 x double>, ptr %v10, i64 %v1993
  %v1995 = load <4 x double>, ptr %v1994, align 32
  %v1996 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1992, <4 x double> %v1995, <4 x double> %v1973)
  %v1997 = getelementptr inbounds <4 x double>, ptr %v9, i64 %v1993
  %v1998 = load <4 x double>, ptr %v1997, align 32
  %v1999 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v1992, <4 x double> %v1998, <4 x double> %v1972)
  %v2000 = add nuw nsw i64 %v1971, 1
  %v2001 = icmp eq i64 %v2000, %v1891
  br i1 %v2001, label %v1958, label %v1970

v2002:
  %v2003 = phi i64 [ %v2011, %v2002 ], [ 0, %v1908 ]
  %v2004 = mul i64 %v2003, %v1885
  %v2005 = getelementptr inbounds double, ptr %v1911, i64 %v2004
  %v2006 = load <4 x double>, ptr %v2005, align 8
  %v2007 = getelementptr inbounds nuw <4 x double>, ptr %v9, i64 %v2003
  store <4 x double> %v2006, ptr %v2007, align 32
  %v2008 = getelementptr inbounds double, ptr %v1912, i64 %v2004
  %v2009 = load <4 x double>, ptr %v2008, align 8
  %v2010 = getelementptr inbounds nuw <4 x double>, ptr %v10, i64 %v2003
  store <4 x double> %v2009, ptr %v2010, align 32
  %v2011 = add nuw nsw i64 %v2003, 1
  %v2012 = icmp eq i64 %v2011, %v34
  br i1 %v2012, label %v1915, label %v2002

v2013:
  %v2014 = phi i64 [ %v2043, %v2037 ], [ 0, %v1955 ]
  %v2015 = getelementptr inbounds nuw <4 x double>, ptr %v11, i64 %v2014
  %v2016 = load <4 x double>, ptr %v2015, align 32
  %v2017 = getelementptr inbounds nuw <4 x double>, ptr %v12, i64 %v2014
  %v2018 = load <4 x double>, ptr %v2017, align 32
  %v2019 = icmp ne i64 %v2014, 0
  %v2020 = and i1 %v1902, %v2019
  br i1 %v2020, label %v2021, label %v2037

v2021:
  %v2022 = shl i64 %v2014, 4
  %v2023 = getelementptr i8, ptr %v1900, i64 %v2022
  %v2024 = getelementptr i8, ptr %v2023, i64 -16
  %v2025 = load double, ptr %v2024, align 8
  %v2026 = getelementptr i8, ptr %v2023, i64 -8
  %v2027 = load double, ptr %v2026, align 8
  %v2028 = insertelement <4 x double> poison, double %v2025, i64 0
  %v2029 = shufflevector <4 x double> %v2028, <4 x double> poison, <4 x i32> zeroinitializer
  %v2030 = insertelement <4 x double> poison, double %v2027, i64 0
  %v2031 = shufflevector <4 x double> %v2030, <4 x double> poison, <4 x i32> zeroinitializer
  %v2032 = fneg <4 x double> %v2031
  %v2033 = fmul <4 x double> %v2018, %v2032
  %v2034 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v2016, <4 x double> %v2029, <4 x double> %v2033)
  %v2035 = fmul <4 x double> %v2018, %v2029
  %v2036 = tail call <4 x double> @llvm.fmuladd.v4f64(<4 x double> %v2016, <4 x double> %v2031, <4 x double> %v2035)
  br label %v2037

v2037:
  %v2038 = phi <4 x double> [ %v2036, %v2021 ], [ %v2018, %v2013 ]
  %v2039 = phi <4 x double> [ %v2034, %v2021 ], [ %v2016, %v2013 ]
  %v2040 = mul i64 %v2014, %v38
  %v2041 = getelementptr inbounds double, ptr %v1913, i64 %v2040
  store <4 x double> %v2039, ptr %v2041, align 8
  %v2042 = getelementptr inbounds double, ptr %v1914, i64 %v2040
  store <4 x double> %v2038, ptr %v2042, align 8
  %v2043 = add nuw nsw i64 %v2014, 1
  %v2044 = icmp eq i64 %v2043, %v34
  br i1 %v2044, label %v2045, label %v2013

v2045:
  %v2046 = add i64 %v1909, 4
  %v2047 = icmp sgt i64 %v2046, %v38
  br i1 %v2047, label %v1903, label %v1908

v2048:
  %v2049 = phi i64 [ %v1904, %v1906 ], [ %v2177, %v2176 ]
  %v2050 = getelementptr inbounds double, ptr %v1895, i64 %v2049
  %v2051 = getelementptr inbounds double, ptr %v1896, i64 %v2049
  %v2052 = getelementptr inbounds double, ptr %v1897, i64 %v2049
  %v2053 = getelementptr inbounds double, ptr %v1893, i64 %v2049
  br i1 %v1886, label %v2137, label %v2078

v2054:
  br i1 %v1887, label %v2061, label %v2055

v2055:
  %v2056 = load double, ptr %v5, align 16
  %v2057 = load double, ptr %v6, align 16
  br label %v2078

v2058:
  %v2059 = load double, ptr %v5, align 16
  %v2060 = load double, ptr %v6, align 16
  br label %v2082

v2061:
  %v2062 = phi i64 [ %v2076, %v2061 ], [ 1, %v2054 ]
  %v2063 = getelementptr inbounds nuw double, ptr %v5, i64 %v2062
  %v2064 = sub nsw i64 %v34, %v2062
  %v2065 = getelementptr inbounds double, ptr %v5, i64 %v2064
  %v2066 = load double, ptr %v2063, align 8
  %v2067 = load double, ptr %v2065, align 8
  %v2068 = fadd double %v2066, %v2067
  %v2069 = fsub double %v2066, %v2067
  store double %v2068, ptr %v2063, align 8
  store double %v2069, ptr %v2065, align 8
  %v2070 = getelementptr inbounds nuw double, ptr %v6, i64 %v2062
  %v2071 = getelementptr inbounds double, ptr %v6, i64 %v2064
  %v2072 = load double, ptr %v2070, align 8
  %v2073 = load double, ptr %v2071, align 8
  %v2074 = fadd double %v2072, %v2073
  %v2075 = fsub double %v2072, %v2073
  store double %v2074, ptr %v2070, align 8
  store double %v2075, ptr %v2071, align 8
  %v2076 = add nuw nsw i64 %v2062, 1
  %v2077 = icmp eq i64 %v2076, %v1891
  br i1 %v2077, label %v2058, label %v2061

v2078:
  %v2079 = phi double [ %v2057, %v2055 ], [ undef, %v2048 ]
  %v2080 = phi double [ %v2056, %v2055 ], [ undef, %v2048 ]
  store double %v2080, ptr %v7, align 16
  store double %v2079, ptr %v8, align 16
  br label %v2094

v2081:
  store double %v2088, ptr %v7, align 16
  store double %v2091, ptr %v8, align 16
  br label %v2095

v2082:
  %v2083 = phi i64 [ %v2092, %v2082 ], [ 1, %v2058 ]
  %v2084 = phi double [ %v2091, %v2082 ], [ %v2060, %v2058 ]
  %v2085 = phi double [ %v2088, %v2082 ], [ %v2059, %v2058 ]
  %v2086 = getelementptr inbounds nuw double, ptr %v5, i64 %v2083
  %v2087 = load double, ptr %v2086, align 8
  %v2088 = fadd double %v2085, %v2087
  %v2089 = getelementptr inbounds nuw double, ptr %v6, i64 %v2083
  %v2090 = load double, ptr %v2089, align 8
  %v2091 = fadd double %v2084, %v2090
  %v2092 = add nuw nsw i64 %v2083, 1
  %v2093 = icmp eq i64 %v2092, %v1891
  br i1 %v2093, label %v2081, label %v2082

v2094:
  br i1 %v1886, label %v2148, label %v2176

v2095:
  %v2096 = phi i64 [ %v2107, %v2097 ], [ 1, %v2081 ]
  br label %v2109

v2097:
  %v2098 = fadd double %v2122, %v2131
  %v2099 = getelementptr inbounds nuw double, ptr %v7, i64 %v2096
  store double %v2098, ptr %v2099, align 8
  %v2100 = fsub double %v2125, %v2134
  %v2101 = getelementptr inbounds nuw double, ptr %v8, i64 %v2096
  store double %v2100, ptr %v2101, align 8
  %v2102 = fsub double %v2122, %v2131
  %v2103 = sub nsw i64 %v34, %v2096
  %v2104 = getelementptr inbounds double, ptr %v7, i64 %v2103
  store double %v2102, ptr %v2104, align 8
  %v2105 = fadd double %v2125, %v2134
  %v2106 = getelementptr inbounds double, ptr %v8, i64 %v2103
  store double %v2105, ptr %v2106, align 8
  %v2107 = add nuw nsw i64 %v2096, 1
  %v2108 = icmp eq i64 %v2107, %v1891
  br i1 %v2108, label %v2094, label %v2095

v2109:
  %v2110 = phi i64 [ 1, %v2095 ], [ %v2135, %v2109 ]
  %v2111 = phi double [ 0.000000e+00, %v2095 ], [ %v2134, %v2109 ]
  %v2112 = phi double [ 0.000000e+00, %v2095 ], [ %v2131, %v2109 ]
  %v2113 = phi double [ %v2060, %v2095 ], [ %v2125, %v2109 ]
  %v2114 = phi double [ %v2059, %v2095 ], [ %v2122, %v2109 ]
  %v2115 = mul i64 %v2110, %v2096
  %v2116 = srem i64 %v2115, %v34
  %v2117 = shl i64 %v2116, 4
  %v2118 = getelementptr inbounds i8, ptr %v29, i64 %v2117
  %v2119 = load double, ptr %v2118, align 8
  %v2120 = getelementptr inbounds nuw double, ptr %v5, i64 %v2110
  %v2121 = load double, ptr %v2120, align 8
  %v2122 = tail call double @llvm.fmuladd.f64(double %v2119, double %v2121, double %v2114)
  %v2123 = getelementptr inbounds nuw double, ptr %v6, i64 %v2110
  %v2124 = load double, ptr %v2123, align 8
  %v2125 = tail call double @llvm.fmuladd.f64(double %v2119, double %v2124, double %v2113)
  %v2126 = getelementptr inbounds nuw i8, ptr %v2118, i64 8
  %v2127 = load double, ptr %v2126, align 8
  %v2128 = sub nsw i64 %v34, %v2110
  %v2129 = getelementptr inbounds double, ptr %v6, i64 %v2128
  %v2130 = load double, ptr %v2129, align 8
  %v2131 = tail call double @llvm.fmuladd.f64(double %v2127, double %v2130, double %v2112)
  %v2132 = getelementptr inbounds double, ptr %v5, i64 %v2128
  %v2133 = load double, ptr %v2132, align 8
  %v2134 = tail call double @llvm.fmuladd.f64(double %v2127, double %v2133, double %v2111)
  %v2135 = add nuw nsw i64 %v2110, 1
  %v2136 = icmp eq i64 %v2135, %v1891
  br i1 %v2136, label %v2097, label %v2109

v2137:
  %v2138 = phi i64 [ %v2146, %v2137 ], [ 0, %v2048 ]
  %v2139 = mul i64 %v2138, %v1885
  %v2140 = getelementptr inbounds double, ptr %v2050, i64 %v2139
  %v2141 = load double, ptr %v2140, align 8
  %v2142 = getelementptr inbounds nuw double, ptr %v5, i64 %v2138
  store double %v2141, ptr %v2142, align 8
  %v2143 = getelementptr inbounds double, ptr %v2051, i64 %v2139
  %v2144 = load double, ptr %v2143, align 8
  %v2145 = getelementptr inbounds nuw double, ptr %v6, i64 %v2138
  store double %v2144, ptr %v2145, align 8
  %v2146 = add nuw nsw i64 %v2138, 1
  %v2147 = icmp eq i64 %v2146, %v34
  br i1 %v2147, label %v2054, label %v2137

v2148:
  %v2149 = phi i64 [ %v2174, %v2168 ], [ 0, %v2094 ]
  %v2150 = getelementptr inbounds nuw double, ptr %v7, i64 %v2149
  %v2151 = load double, ptr %v2150, align 8
  %v2152 = getelementptr inbounds nuw double, ptr %v8, i64 %v2149
  %v2153 = load double, ptr %v2152, align 8
  %v2154 = icmp ne i64 %v2149, 0
  %v2155 = and i1 %v1907, %v2154
  br i1 %v2155, label %v2156, label %v2168

v2156:
  %v2157 = shl i64 %v2149, 4
  %v2158 = getelementptr i8, ptr %v1900, i64 %v2157
  %v2159 = getelementptr i8, ptr %v2158, i64 -16
  %v2160 = load double, ptr %v2159, align 8
  %v2161 = getelementptr i8, ptr %v2158, i64 -8
  %v2162 = load double, ptr %v2161, align 8
  %v2163 = fneg double %v2162
  %v2164 = fmul double %v2153, %v2163
  %v2165 = tail call double @llvm.fmuladd.f64(double %v2151, double %v2160, double %v2164)
  %v2166 = fmul double %v2153, %v2160
  %v2167 = tail call double @llvm.fmuladd.f64(double %v2151, double %v2162, double %v2166)
  br label %v2168

v2168:
  %v2169 = phi double [ %v2167, %v2156 ], [ %v2153, %v2148 ]
  %v2170 = phi double [ %v2165, %v2156 ], [ %v2151, %v2148 ]
  %v2171 = mul i64 %v2149, %v38
  %v2172 = getelementptr inbounds double, ptr %v2052, i64 %v2171
  store double %v2170, ptr %v2172, align 8
  %v2173 = getelementptr inbounds double, ptr %v2053, i64 %v2171
  store double %v2169, ptr %v2173, align 8
  %v2174 = add nuw nsw i64 %v2149, 1
  %v2175 = icmp eq i64 %v2174, %v34
  br i1 %v2175, label %v2176, label %v2148

v2176:
  %v2177 = add nsw i64 %v2049, 1
  %v2178 = icmp eq i64 %v2177, %v38
  br i1 %v2178, label %v2179, label %v2048

v2179:
  %v2180 = getelementptr inbounds double, ptr %v1895, i64 %v38
  %v2181 = getelementptr inbounds double, ptr %v1896, i64 %v38
  %v2182 = getelementptr inbounds double, ptr %v1897, i64 %v1888
  %v2183 = getelementptr inbounds double, ptr %v1893, i64 %v1888
  %v2184 = add nuw nsw i64 %v1894, 1
  %v2185 = icmp eq i64 %v2184, %v37
  br i1 %v2185, label %v2186, label %v1892

v2186:
  %v2187 = load ptr, ptr %v3, align 8
  %v2188 = load ptr, ptr %v22, align 8
  %v2189 = load ptr, ptr %v23, align 8
  %v2190 = load ptr, ptr %v24, align 8
  store ptr %v2189, ptr %v3, align 8
  store ptr %v2190, ptr %v22, align 8
  store ptr %v2187, ptr %v23, align 8
  store ptr %v2188, ptr %v24, align 8
  %v2191 = load i64, ptr %v13, align 8
  br label %v2192

v2192:
  %v2193 = phi i64 [ %v2191, %v2186 ], [ %v27, %v26 ]
  %v2194 = icmp sgt i64 %v37, 1
  %v2195 = shl i64 %v34, 1
  %v2196 = add i64 %v2195, -2
  %v2197 = mul i64 %v2196, %v37
  %v2198 = select i1 %v2194, i64 %v2197, i64 0
  %v2199 = getelementptr inbounds double, ptr %v28, i64 %v2198
  %v2200 = icmp eq i64 %v34, 7
  %v2201 = icmp sgt i64 %v34, 8
  %v2202 = or i1 %v2200, %v2201
  %v2203 = shl i64 %v34, 4
  %v2204 = select i1 %v2202, i64 %v2203, i64 0
  %v2205 = getelementptr inbounds i8, ptr %v29, i64 %v2204
  %v2206 = add nuw nsw i64 %v31, 1
  %v2207 = icmp slt i64 %v2206, %v2193
  br i1 %v2207, label %v26, label %v25
}

declare <4 x double> @llvm.fmuladd.v4f64(<4 x double>, <4 x double>, <4 x double>)

declare double @llvm.fmuladd.f64(double, double, double)

define internal fastcc void @gather(ptr %v0, i64 %v1, i64 %v2, i64 %v3, i64 %v4, i64 %v5, ptr %v6, ptr %v7) nounwind {
v8:
  %v9 = alloca [4 x <4 x double>], align 32
  %v10 = alloca [4 x <4 x double>], align 32
  %v11 = icmp ne i64 %v2, 1
  %v12 = icmp ne i64 %v4, %v5
  %v13 = or i1 %v11, %v12
  %v14 = icmp slt i64 %v1, 4
  %v15 = or i1 %v13, %v14
  br i1 %v15, label %v90, label %v16

v16:
  %v17 = icmp sgt i64 %v4, 0
  %v18 = shl i64 %v3, 1
  %v19 = getelementptr inbounds nuw i8, ptr %v9, i64 32
  %v20 = getelementptr inbounds nuw i8, ptr %v9, i64 64
  %v21 = getelementptr inbounds nuw i8, ptr %v9, i64 96
  %v22 = shl i64 %v4, 4
  %v23 = mul i64 %v4, 24
  %v24 = getelementptr inbounds nuw i8, ptr %v10, i64 32
  %v25 = getelementptr inbounds nuw i8, ptr %v10, i64 64
  %v26 = getelementptr inbounds nuw i8, ptr %v10, i64 96
  %v27 = shl i64 %v4, 2
  br label %v28

v28:
  %v29 = phi i64 [ 4, %v16 ], [ %v37, %v33 ]
  %v30 = phi ptr [ %v7, %v16 ], [ %v36, %v33 ]
  %v31 = phi ptr [ %v6, %v16 ], [ %v35, %v33 ]
  %v32 = phi ptr [ %v0, %v16 ], [ %v34, %v33 ]
  br i1 %v17, label %v39, label %v33

v33:
  %v34 = getelementptr inbounds nuw i8, ptr %v32, i64 64
  %v35 = getelementptr inbounds double, ptr %v31, i64 %v27
  %v36 = getelementptr inbounds double, ptr %v30, i64 %v27
  %v37 = add i64 %v29, 4
  %v38 = icmp sgt i64 %v37, %v1
  br i1 %v38, label %v90, label %v28

v39:
  %v40 = phi i64 [ %v74, %v41 ], [ 0, %v28 ]
  br label %v76

v41:
  %v42 = getelementptr inbounds double, ptr %v31, i64 %v40
  %v43 = load <4 x double>, ptr %v9, align 32
  %v44 = load <4 x double>, ptr %v19, align 32
  %v45 = shufflevector <4 x double> %v43, <4 x double> %v44, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v46 = shufflevector <4 x double> %v43, <4 x double> %v44, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v47 = load <4 x double>, ptr %v20, align 32
  %v48 = load <4 x double>, ptr %v21, align 32
  %v49 = shufflevector <4 x double> %v47, <4 x double> %v48, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v50 = shufflevector <4 x double> %v47, <4 x double> %v48, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v51 = shufflevector <4 x double> %v45, <4 x double> %v49, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v51, ptr %v42, align 8
  %v52 = getelementptr inbounds nuw double, ptr %v42, i64 %v4
  %v53 = shufflevector <4 x double> %v46, <4 x double> %v50, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v53, ptr %v52, align 8
  %v54 = getelementptr inbounds i8, ptr %v42, i64 %v22
  %v55 = shufflevector <4 x double> %v45, <4 x double> %v49, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v55, ptr %v54, align 8
  %v56 = getelementptr inbounds i8, ptr %v42, i64 %v23
  %v57 = shufflevector <4 x double> %v46, <4 x double> %v50, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v57, ptr %v56, align 8
  %v58 = getelementptr inbounds double, ptr %v30, i64 %v40
  %v59 = load <4 x double>, ptr %v10, align 32
  %v60 = load <4 x double>, ptr %v24, align 32
  %v61 = shufflevector <4 x double> %v59, <4 x double> %v60, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v62 = shufflevector <4 x double> %v59, <4 x double> %v60, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v63 = load <4 x double>, ptr %v25, align 32
  %v64 = load <4 x double>, ptr %v26, align 32
  %v65 = shufflevector <4 x double> %v63, <4 x double> %v64, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v66 = shufflevector <4 x double> %v63, <4 x double> %v64, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v67 = shufflevector <4 x double> %v61, <4 x double> %v65, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v67, ptr %v58, align 8
  %v68 = getelementptr inbounds nuw double, ptr %v58, i64 %v4
  %v69 = shufflevector <4 x double> %v62, <4 x double> %v66, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v69, ptr %v68, align 8
  %v70 = getelementptr inbounds i8, ptr %v58, i64 %v22
  %v71 = shufflevector <4 x double> %v61, <4 x double> %v65, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v71, ptr %v70, align 8
  %v72 = getelementptr inbounds i8, ptr %v58, i64 %v23
  %v73 = shufflevector <4 x double> %v62, <4 x double> %v66, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v73, ptr %v72, align 8
  %v74 = add i64 %v40, 4
  %v75 = icmp slt i64 %v74, %v4
  br i1 %v75, label %v39, label %v33

v76:
  %v77 = phi i64 [ 0, %v39 ], [ %v88, %v76 ]
  %v78 = add nuw nsw i64 %v77, %v40
  %v79 = mul i64 %v18, %v78
  %v80 = getelementptr inbounds double, ptr %v32, i64 %v79
  %v81 = getelementptr inbounds nuw <4 x double>, ptr %v9, i64 %v77
  %v82 = getelementptr inbounds nuw <4 x double>, ptr %v10, i64 %v77
  %v83 = load <4 x double>, ptr %v80, align 8
  %v84 = getelementptr inbounds nuw i8, ptr %v80, i64 32
  %v85 = load <4 x double>, ptr %v84, align 8
  %v86 = shufflevector <4 x double> %v83, <4 x double> %v85, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  store <4 x double> %v86, ptr %v81, align 32
  %v87 = shufflevector <4 x double> %v83, <4 x double> %v85, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  store <4 x double> %v87, ptr %v82, align 32
  %v88 = add nuw nsw i64 %v77, 1
  %v89 = icmp eq i64 %v88, 4
  br i1 %v89, label %v41, label %v76

v90:
  %v91 = phi ptr [ %v0, %v8 ], [ %v34, %v33 ]
  %v92 = phi ptr [ %v6, %v8 ], [ %v35, %v33 ]
  %v93 = phi ptr [ %v7, %v8 ], [ %v36, %v33 ]
  %v94 = phi i64 [ 0, %v8 ], [ %v29, %v33 ]
  %v95 = icmp slt i64 %v94, %v1
  br i1 %v95, label %v96, label %v150

v96:
  %v97 = icmp ne i64 %v3, 1
  %v98 = icmp slt i64 %v4, 4
  %v99 = shl i64 %v3, 1
  %v100 = shl i64 %v2, 4
  %v101 = or i1 %v97, %v98
  br label %v102

v102:
  %v103 = phi i64 [ %v94, %v96 ], [ %v145, %v144 ]
  %v104 = phi ptr [ %v93, %v96 ], [ %v148, %v144 ]
  %v105 = phi ptr [ %v92, %v96 ], [ %v147, %v144 ]
  %v106 = phi ptr [ %v91, %v96 ], [ %v146, %v144 ]
  br i1 %v101, label %v121, label %v107

v107:
  %v108 = phi i64 [ %v119, %v107 ], [ 4, %v102 ]
  %v109 = phi i64 [ %v108, %v107 ], [ 0, %v102 ]
  %v110 = shl i64 %v109, 4
  %v111 = getelementptr inbounds i8, ptr %v106, i64 %v110
  %v112 = load <4 x double>, ptr %v111, align 8
  %v113 = getelementptr inbounds nuw i8, ptr %v111, i64 32
  %v114 = load <4 x double>, ptr %v113, align 8
  %v115 = shufflevector <4 x double> %v112, <4 x double> %v114, <4 x i32> <i32 0, i32 2, i32 4, i32 6>
  %v116 = shufflevector <4 x double> %v112, <4 x double> %v114, <4 x i32> <i32 1, i32 3, i32 5, i32 7>
  %v117 = getelementptr inbounds double, ptr %v105, i64 %v109
  store <4 x double> %v115, ptr %v117, align 8
  %v118 = getelementptr inbounds double, ptr %v104, i64 %v109
  store <4 x double> %v116, ptr %v118, align 8
  %v119 = add i64 %v108, 4
  %v120 = icmp sgt i64 %v119, %v4
  br i1 %v120, label %v121, label %v107

v121:
  %v122 = phi i64 [ 0, %v102 ], [ %v108, %v107 ]
  %v123 = icmp slt i64 %v122, %v4
  br i1 %v123, label %v127, label %v124

v124:
  %v125 = phi i64 [ %v122, %v121 ], [ %v4, %v127 ]
  %v126 = icmp slt i64 %v125, %v5
  br i1 %v126, label %v138, label %v144

v127:
  %v128 = phi i64 [ %v136, %v127 ], [ %v122, %v121 ]
  %v129 = mul i64 %v99, %v128
  %v130 = getelementptr inbounds double, ptr %v106, i64 %v129
  %v131 = load double, ptr %v130, align 8
  %v132 = getelementptr inbounds double, ptr %v105, i64 %v128
  store double %v131, ptr %v132, align 8
  %v133 = getelementptr i8, ptr %v130, i64 8
  %v134 = load double, ptr %v133, align 8
  %v135 = getelementptr inbounds double, ptr %v104, i64 %v128
  store double %v134, ptr %v135, align 8
  %v136 = add nsw i64 %v128, 1
  %v137 = icmp eq i64 %v136, %v4
  br i1 %v137, label %v124, label %v127

v138:
  %v139 = phi i64 [ %v142, %v138 ], [ %v125, %v124 ]
  %v140 = getelementptr inbounds double, ptr %v105, i64 %v139
  store double 0.000000e+00, ptr %v140, align 8
  %v141 = getelementptr inbounds double, ptr %v104, i64 %v139
  store double 0.000000e+00, ptr %v141, align 8
  %v142 = add nsw i64 %v139, 1
  %v143 = icmp eq i64 %v142, %v5
  br i1 %v143, label %v144, label %v138

v144:
  %v145 = add nsw i64 %v103, 1
  %v146 = getelementptr inbounds i8, ptr %v106, i64 %v100
  %v147 = getelementptr inbounds double, ptr %v105, i64 %v5
  %v148 = getelementptr inbounds double, ptr %v104, i64 %v5
  %v149 = icmp eq i64 %v145, %v1
  br i1 %v149, label %v150, label %v102

v150:
  ret void
}

define internal fastcc void @scatter(ptr %v0, ptr %v1, i64 %v2, double %v3, i64 %v4, i64 %v5, i64 %v6, i64 %v7, ptr %v8) nounwind {
v9:
  %v10 = alloca [4 x <4 x double>], align 32
  %v11 = alloca [4 x <4 x double>], align 32
  %v12 = alloca [16 x double], align 16
  %v13 = alloca [16 x double], align 16
  %v14 = icmp ne i64 %v4, 1
  %v15 = icmp ne i64 %v6, %v7
  %v16 = or i1 %v14, %v15
  %v17 = icmp slt i64 %v2, 4
  %v18 = or i1 %v16, %v17
  br i1 %v18, label %v108, label %v19

v19:
  %v20 = icmp sgt i64 %v6, 0
  %v21 = insertelement <4 x double> poison, double %v3, i64 0
  %v22 = shufflevector <4 x double> %v21, <4 x double> poison, <4 x i32> zeroinitializer
  %v23 = getelementptr inbounds nuw i8, ptr %v10, i64 32
  %v24 = getelementptr inbounds nuw i8, ptr %v10, i64 64
  %v25 = getelementptr inbounds nuw i8, ptr %v10, i64 96
  %v26 = getelementptr inbounds nuw i8, ptr %v12, i64 32
  %v27 = getelementptr inbounds nuw i8, ptr %v12, i64 64
  %v28 = getelementptr inbounds nuw i8, ptr %v12, i64 96
  %v29 = getelementptr inbounds nuw i8, ptr %v11, i64 32
  %v30 = getelementptr inbounds nuw i8, ptr %v11, i64 64
  %v31 = getelementptr inbounds nuw i8, ptr %v11, i64 96
  %v32 = getelementptr inbounds nuw i8, ptr %v13, i64 32
  %v33 = getelementptr inbounds nuw i8, ptr %v13, i64 64
  %v34 = getelementptr inbounds nuw i8, ptr %v13, i64 96
  %v35 = shl i64 %v5, 1
  %v36 = shl i64 %v6, 2
  br label %v37

v37:
  %v38 = phi i64 [ 4, %v19 ], [ %v46, %v42 ]
  %v39 = phi ptr [ %v8, %v19 ], [ %v43, %v42 ]
  %v40 = phi ptr [ %v0, %v19 ], [ %v44, %v42 ]
  %v41 = phi ptr [ %v1, %v19 ], [ %v45, %v42 ]
  br i1 %v20, label %v48, label %v42

v42:
  %v43 = getelementptr inbounds nuw i8, ptr %v39, i64 64
  %v44 = getelementptr inbounds double, ptr %v40, i64 %v36
  %v45 = getelementptr inbounds double, ptr %v41, i64 %v36
  %v46 = add i64 %v38, 4
  %v47 = icmp sgt i64 %v46, %v2
  br i1 %v47, label %v108, label %v37

v48:
  %v49 = phi i64 [ %v91, %v90 ], [ 0, %v37 ]
  %v50 = getelementptr double, ptr %v40, i64 %v49
  %v51 = getelementptr double, ptr %v41, i64 %v49
  br label %v77

v52:
  %v53 = load <4 x double>, ptr %v10, align 32
  %v54 = load <4 x double>, ptr %v23, align 32
  %v55 = shufflevector <4 x double> %v53, <4 x double> %v54, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v56 = shufflevector <4 x double> %v53, <4 x double> %v54, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v57 = load <4 x double>, ptr %v24, align 32
  %v58 = load <4 x double>, ptr %v25, align 32
  %v59 = shufflevector <4 x double> %v57, <4 x double> %v58, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v60 = shufflevector <4 x double> %v57, <4 x double> %v58, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v61 = shufflevector <4 x double> %v55, <4 x double> %v59, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v61, ptr %v12, align 16
  %v62 = shufflevector <4 x double> %v56, <4 x double> %v60, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v62, ptr %v26, align 16
  %v63 = shufflevector <4 x double> %v55, <4 x double> %v59, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v63, ptr %v27, align 16
  %v64 = shufflevector <4 x double> %v56, <4 x double> %v60, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v64, ptr %v28, align 16
  %v65 = load <4 x double>, ptr %v11, align 32
  %v66 = load <4 x double>, ptr %v29, align 32
  %v67 = shufflevector <4 x double> %v65, <4 x double> %v66, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v68 = shufflevector <4 x double> %v65, <4 x double> %v66, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v69 = load <4 x double>, ptr %v30, align 32
  %v70 = load <4 x double>, ptr %v31, align 32
  %v71 = shufflevector <4 x double> %v69, <4 x double> %v70, <4 x i32> <i32 0, i32 4, i32 2, i32 6>
  %v72 = shufflevector <4 x double> %v69, <4 x double> %v70, <4 x i32> <i32 1, i32 5, i32 3, i32 7>
  %v73 = shufflevector <4 x double> %v67, <4 x double> %v71, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v73, ptr %v13, align 16
  %v74 = shufflevector <4 x double> %v68, <4 x double> %v72, <4 x i32> <i32 0, i32 1, i32 4, i32 5>
  store <4 x double> %v74, ptr %v32, align 16
  %v75 = shufflevector <4 x double> %v67, <4 x double> %v71, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v75, ptr %v33, align 16
  %v76 = shufflevector <4 x double> %v68, <4 x double> %v72, <4 x i32> <i32 2, i32 3, i32 6, i32 7>
  store <4 x double> %v76, ptr %v34, align 16
  br label %v93

v77:
  %v78 = phi i64 [ 0, %v48 ], [ %v88, %v77 ]
  %v79 = mul i64 %v78, %v6
  %v80 = getelementptr double, ptr %v50, i64 %v79
  %v81 = load <4 x double>, ptr %v80, align 8
  %v82 = fmul <4 x double> %v22, %v81
  %v83 = getelementptr inbounds nuw <4 x double>, ptr %v10, i64 %v78
  store <4 x double> %v82, ptr %v83, align 32
  %v84 = getelementptr double, ptr %v51, i64 %v79
  %v85 = load <4 x double>, ptr %v84, align 8
  %v86 = fmul <4 x double> %v22, %v85
  %v87 = getelementptr inbounds nuw <4 x double>, ptr %v11, i64 %v78
  store <4 x double> %v86, ptr %v87, align 32
  %v88 = add nuw nsw i64 %v78, 1
  %v89 = icmp eq i64 %v88, 4
  br i1 %v89, label %v52, label %v77

v90:
  %v91 = add i64 %v49, 4
  %v92 = icmp slt i64 %v91, %v6
  br i1 %v92, label %v48, label %v42

v93:
  %v94 = phi i64 [ 0, %v52 ], [ %v106, %v93 ]
  %v95 = add nuw nsw i64 %v94, %v49
  %v96 = mul i64 %v35, %v95
  %v97 = getelementptr inbounds double, ptr %v39, i64 %v96
  %v98 = shl nuw nsw i64 %v94, 2
  %v99 = getelementptr inbounds nuw double, ptr %v12, i64 %v98
  %v100 = load <4 x double>, ptr %v99, align 16
  %v101 = getelementptr inbounds nuw double, ptr %v13, i64 %v98
  %v102 = load <4 x double>, ptr %v101, align 16
  %v103 = shufflevector <4 x double> %v100, <4 x double> %v102, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %v103, ptr %v97, align 8
  %v104 = getelementptr inbounds nuw i8, ptr %v97, i64 32
  %v105 = shufflevector <4 x double> %v100, <4 x double> %v102, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  store <4 x double> %v105, ptr %v104, align 8
  %v106 = add nuw nsw i64 %v94, 1
  %v107 = icmp eq i64 %v106, 4
  br i1 %v107, label %v90, label %v93

v108:
  %v109 = phi ptr [ %v1, %v9 ], [ %v45, %v42 ]
  %v110 = phi ptr [ %v0, %v9 ], [ %v44, %v42 ]
  %v111 = phi ptr [ %v8, %v9 ], [ %v43, %v42 ]
  %v112 = phi i64 [ 0, %v9 ], [ %v38, %v42 ]
  %v113 = icmp slt i64 %v112, %v2
  br i1 %v113, label %v114, label %v165

v114:
  %v115 = icmp ne i64 %v5, 1
  %v116 = icmp slt i64 %v6, 4
  %v117 = insertelement <4 x double> poison, double %v3, i64 0
  %v118 = shufflevector <4 x double> %v117, <4 x double> poison, <4 x i32> zeroinitializer
  %v119 = shl i64 %v5, 1
  %v120 = shl i64 %v4, 4
  %v121 = or i1 %v115, %v116
  br label %v122

v122:
  %v123 = phi i64 [ %v112, %v114 ], [ %v160, %v159 ]
  %v124 = phi ptr [ %v111, %v114 ], [ %v161, %v159 ]
  %v125 = phi ptr [ %v110, %v114 ], [ %v162, %v159 ]
  %v126 = phi ptr [ %v109, %v114 ], [ %v163, %v159 ]
  br i1 %v121, label %v143, label %v127

v127:
  %v128 = phi i64 [ %v141, %v127 ], [ 4, %v122 ]
  %v129 = phi i64 [ %v128, %v127 ], [ 0, %v122 ]
  %v130 = shl i64 %v129, 4
  %v131 = getelementptr inbounds i8, ptr %v124, i64 %v130
  %v132 = getelementptr inbounds double, ptr %v125, i64 %v129
  %v133 = load <4 x double>, ptr %v132, align 8
  %v134 = fmul <4 x double> %v118, %v133
  %v135 = getelementptr inbounds double, ptr %v126, i64 %v129
  %v136 = load <4 x double>, ptr %v135, align 8
  %v137 = fmul <4 x double> %v118, %v136
  %v138 = shufflevector <4 x double> %v134, <4 x double> %v137, <4 x i32> <i32 0, i32 4, i32 1, i32 5>
  store <4 x double> %v138, ptr %v131, align 8
  %v139 = getelementptr inbounds nuw i8, ptr %v131, i64 32
  %v140 = shufflevector <4 x double> %v134, <4 x double> %v137, <4 x i32> <i32 2, i32 6, i32 3, i32 7>
  store <4 x double> %v140, ptr %v139, align 8
  %v141 = add i64 %v128, 4
  %v142 = icmp sgt i64 %v141, %v6
  br i1 %v142, label %v143, label %v127

v143:
  %v144 = phi i64 [ 0, %v122 ], [ %v128, %v127 ]
  %v145 = icmp slt i64 %v144, %v6
  br i1 %v145, label %v146, label %v159

v146:
  %v147 = phi i64 [ %v157, %v146 ], [ %v144, %v143 ]
  %v148 = getelementptr inbounds double, ptr %v125, i64 %v147
  %v149 = load double, ptr %v148, align 8
  %v150 = fmul double %v3, %v149
  %v151 = mul i64 %v119, %v147
  %v152 = getelementptr inbounds double, ptr %v124, i64 %v151
  store double %v150, ptr %v152, align 8
  %v153 = getelementptr inbounds double, ptr %v126, i64 %v147
  %v154 = load double, ptr %v153, align 8
  %v155 = fmul double %v3, %v154
  %v156 = getelementptr i8, ptr %v152, i64 8
  store double %v155, ptr %v156, align 8
  %v157 = add nsw i64 %v147, 1
  %v158 = icmp eq i64 %v157, %v6
  br i1 %v158, label %v159, label %v146

v159:
  %v160 = add nsw i64 %v123, 1
  %v161 = getelementptr inbounds i8, ptr %v124, i64 %v120
  %v162 = getelementptr inbounds double, ptr %v125, i64 %v7
  %v163 = getelementptr inbounds double, ptr %v126, i64 %v7
  %v164 = icmp eq i64 %v160, %v2
  br i1 %v164, label %v165, label %v122

v165:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)
