; Made of fourier_float.c by `make runtime`: change that instead.
; source f32b7378ae4862dc4a4d0ea9d1e9db7c7908271c0ee93d14402eff63e8beced3
; text 79bd476d8fa8cdb97dcf91e052fa71bcedca7ad75172e5a016389bc5df6765c7

define i64 @tfc_fourier_float(ptr %v0, ptr %v1, ptr %v2, i64 %v3, i64 %v4, i64 %v5, double %v6, i64 %v7) nounwind {
v8:
  %v9 = alloca { ptr, ptr, ptr, i64, i64, i64, float, i8, i8 }, align 8
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
  %v16 = fptrunc double %v6 to float
  store float %v16, ptr %v15, align 8
  %v17 = getelementptr inbounds nuw i8, ptr %v9, i64 52
  %v18 = icmp ne i64 %v7, 0
  %v19 = zext i1 %v18 to i8
  store i8 %v19, ptr %v17, align 4
  %v20 = getelementptr inbounds nuw i8, ptr %v9, i64 53
  store i8 0, ptr %v20, align 1
  %v21 = getelementptr inbounds nuw i8, ptr %v9, i64 54
  store i16 0, ptr %v21, align 2
  %v22 = load i64, ptr %v0, align 8
  %v23 = icmp eq i64 %v4, 1
  %v24 = select i1 %v23, i64 %v3, i64 %v4
  %v25 = select i1 %v23, i64 1, i64 %v3
  %v26 = add i64 %v5, -1
  %v27 = add i64 %v26, %v24
  %v28 = sdiv i64 %v27, %v5
  %v29 = mul i64 %v4, %v3
  %v30 = mul i64 %v29, %v22
  %v31 = mul i64 %v28, %v25
  %v32 = icmp eq i64 %v5, 1
  %v33 = select i1 %v32, ptr @complex_rows, ptr @complex_panels
  call void @tfc_parallel(ptr %v33, ptr %v9, i64 %v31, i64 %v30)
  %v34 = load atomic i8, ptr %v20 seq_cst, align 1
  %v35 = and i8 %v34, 1
  %v36 = xor i8 %v35, 1
  %v37 = zext nneg i8 %v36 to i64
  ret i64 %v37
}

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
  %v12 = add i64 %v11, 15
  %v13 = sdiv i64 %v12, 16
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 53
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
  %v32 = getelementptr inbounds nuw i8, ptr %v0, i64 52
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
  %v44 = load i8, ptr %v32, align 4
  %v45 = trunc nuw i8 %v44 to i1
  %v46 = load ptr, ptr %v33, align 8
  %v47 = shl i64 %v43, 1
  %v48 = mul i64 %v47, %v41
  %v49 = getelementptr inbounds float, ptr %v46, i64 %v48
  call fastcc void @row(ptr %v42, i1 %v45, ptr %v49, ptr %v4)
  %v50 = load ptr, ptr %v29, align 8
  %v51 = load ptr, ptr %v4, align 8
  %v52 = select i1 %v45, ptr %v50, ptr %v51
  %v53 = select i1 %v45, ptr %v51, ptr %v50
  %v54 = load float, ptr %v34, align 8
  %v55 = load ptr, ptr %v35, align 8
  %v56 = getelementptr inbounds float, ptr %v55, i64 %v48
  %v57 = icmp slt i64 %v43, 8
  br i1 %v57, label %v61, label %v58

v58:
  %v59 = insertelement <8 x float> poison, float %v54, i64 0
  %v60 = shufflevector <8 x float> %v59, <8 x float> poison, <8 x i32> zeroinitializer
  br label %v64

v61:
  %v62 = phi i64 [ 0, %v40 ], [ %v65, %v64 ]
  %v63 = icmp slt i64 %v62, %v43
  br i1 %v63, label %v80, label %v93

v64:
  %v65 = phi i64 [ 8, %v58 ], [ %v78, %v64 ]
  %v66 = phi i64 [ 0, %v58 ], [ %v65, %v64 ]
  %v67 = shl i64 %v66, 3
  %v68 = getelementptr inbounds i8, ptr %v56, i64 %v67
  %v69 = getelementptr inbounds float, ptr %v52, i64 %v66
  %v70 = load <8 x float>, ptr %v69, align 4
  %v71 = fmul <8 x float> %v60, %v70
  %v72 = getelementptr inbounds float, ptr %v53, i64 %v66
  %v73 = load <8 x float>, ptr %v72, align 4
  %v74 = fmul <8 x float> %v60, %v73
  %v75 = shufflevector <8 x float> %v71, <8 x float> %v74, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %v75, ptr %v68, align 4
  %v76 = getelementptr inbounds nuw i8, ptr %v68, i64 32
  %v77 = shufflevector <8 x float> %v71, <8 x float> %v74, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  store <8 x float> %v77, ptr %v76, align 4
  %v78 = add i64 %v65, 8
  %v79 = icmp sgt i64 %v78, %v43
  br i1 %v79, label %v61, label %v64

v80:
  %v81 = phi i64 [ %v91, %v80 ], [ %v62, %v61 ]
  %v82 = getelementptr inbounds float, ptr %v52, i64 %v81
  %v83 = load float, ptr %v82, align 4
  %v84 = fmul float %v54, %v83
  %v85 = shl i64 %v81, 3
  %v86 = getelementptr inbounds i8, ptr %v56, i64 %v85
  store float %v84, ptr %v86, align 4
  %v87 = getelementptr inbounds float, ptr %v53, i64 %v81
  %v88 = load float, ptr %v87, align 4
  %v89 = fmul float %v54, %v88
  %v90 = getelementptr i8, ptr %v86, i64 4
  store float %v89, ptr %v90, align 4
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
  %v12 = add i64 %v11, 15
  %v13 = sdiv i64 %v12, 16
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 53
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
  %v33 = getelementptr inbounds nuw i8, ptr %v0, i64 52
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
  %v48 = load i8, ptr %v33, align 4
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
  %v70 = getelementptr inbounds float, ptr %v69, i64 %v66
  %v71 = select i1 %v55, ptr %v22, ptr %v20
  %v72 = select i1 %v55, ptr %v20, ptr %v22
  call fastcc void @gather(ptr %v70, i64 %v45, i64 %v47, i64 %v54, i64 %v68, i64 %v46, ptr %v71, ptr %v72)
  %v73 = load ptr, ptr %v0, align 8
  call fastcc void @passes(ptr %v73, i64 0, i64 %v46, ptr %v4)
  %v74 = load ptr, ptr %v29, align 8
  %v75 = load ptr, ptr %v4, align 8
  %v76 = select i1 %v55, ptr %v74, ptr %v75
  %v77 = select i1 %v55, ptr %v75, ptr %v74
  %v78 = load float, ptr %v36, align 8
  %v79 = load ptr, ptr %v37, align 8
  %v80 = getelementptr inbounds float, ptr %v79, i64 %v66
  call fastcc void @scatter(ptr %v76, ptr %v77, i64 %v45, float %v78, i64 %v47, i64 %v54, i64 %v68, i64 %v46, ptr %v80)
  %v81 = add i64 %v43, 1
  %v82 = icmp eq i64 %v81, %v2
  br i1 %v82, label %v38, label %v42

v83:
  ret void
}

define i64 @tfc_fourier_forward_float(ptr %v0, ptr %v1, ptr %v2, i64 %v3, i64 %v4, double %v5) nounwind {
v6:
  %v7 = alloca { ptr, ptr, ptr, i64, i64, i64, float, i8, i8 }, align 8
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
  %v14 = fptrunc double %v5 to float
  store float %v14, ptr %v13, align 8
  %v15 = getelementptr inbounds nuw i8, ptr %v7, i64 52
  store i8 0, ptr %v15, align 4
  %v16 = getelementptr inbounds nuw i8, ptr %v7, i64 53
  store i8 0, ptr %v16, align 1
  %v17 = getelementptr inbounds nuw i8, ptr %v7, i64 54
  store i16 0, ptr %v17, align 2
  %v18 = load i64, ptr %v0, align 8
  %v19 = add i64 %v3, -1
  %v20 = add i64 %v19, %v4
  %v21 = sdiv i64 %v20, %v4
  %v22 = mul i64 %v18, %v3
  %v23 = icmp eq i64 %v4, 1
  %v24 = select i1 %v23, ptr @forward_rows, ptr @forward_panels
  call void @tfc_parallel(ptr %v24, ptr %v7, i64 %v21, i64 %v22)
  %v25 = load atomic i8, ptr %v16 seq_cst, align 1
  %v26 = and i8 %v25, 1
  %v27 = xor i8 %v26, 1
  %v28 = zext nneg i8 %v27 to i64
  ret i64 %v28
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
  %v12 = add i64 %v11, 15
  %v13 = sdiv i64 %v12, 16
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 53
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
  %v46 = getelementptr inbounds float, ptr %v43, i64 %v45
  call fastcc void @row(ptr %v41, i1 false, ptr %v46, ptr %v4)
  %v47 = load ptr, ptr %v4, align 8
  %v48 = load float, ptr %v47, align 4
  %v49 = getelementptr inbounds float, ptr %v47, i64 %v42
  store float %v48, ptr %v49, align 4
  %v50 = load ptr, ptr %v29, align 8
  %v51 = load float, ptr %v50, align 4
  %v52 = getelementptr inbounds float, ptr %v50, i64 %v42
  store float %v51, ptr %v52, align 4
  %v53 = load ptr, ptr %v0, align 8
  %v54 = add i64 %v42, 1
  %v55 = load float, ptr %v33, align 8
  %v56 = load ptr, ptr %v34, align 8
  %v57 = mul i64 %v54, %v44
  %v58 = getelementptr inbounds float, ptr %v56, i64 %v57
  %v59 = load i64, ptr %v53, align 8
  %v60 = getelementptr inbounds nuw i8, ptr %v53, i64 40
  %v61 = load ptr, ptr %v60, align 8
  %v62 = getelementptr inbounds float, ptr %v61, i64 %v59
  %v63 = getelementptr inbounds nuw i8, ptr %v62, i64 4
  %v64 = icmp slt i64 %v54, 8
  br i1 %v64, label %v70, label %v65

v65:
  %v66 = getelementptr inbounds float, ptr %v47, i64 %v59
  %v67 = getelementptr inbounds float, ptr %v50, i64 %v59
  %v68 = insertelement <8 x float> poison, float %v55, i64 0
  %v69 = shufflevector <8 x float> %v68, <8 x float> poison, <8 x i32> zeroinitializer
  br label %v73

v70:
  %v71 = phi i64 [ 0, %v39 ], [ %v74, %v73 ]
  %v72 = icmp slt i64 %v71, %v54
  br i1 %v72, label %v115, label %v150

v73:
  %v74 = phi i64 [ 8, %v65 ], [ %v113, %v73 ]
  %v75 = phi i64 [ 0, %v65 ], [ %v74, %v73 ]
  %v76 = getelementptr inbounds float, ptr %v47, i64 %v75
  %v77 = load <8 x float>, ptr %v76, align 4
  %v78 = getelementptr inbounds float, ptr %v50, i64 %v75
  %v79 = load <8 x float>, ptr %v78, align 4
  %v80 = sub i64 0, %v75
  %v81 = getelementptr inbounds float, ptr %v66, i64 %v80
  %v82 = getelementptr inbounds i8, ptr %v81, i64 -28
  %v83 = load <8 x float>, ptr %v82, align 4
  %v84 = getelementptr inbounds float, ptr %v67, i64 %v80
  %v85 = getelementptr inbounds i8, ptr %v84, i64 -28
  %v86 = load <8 x float>, ptr %v85, align 4
  %v87 = shufflevector <8 x float> %v83, <8 x float> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %v88 = shufflevector <8 x float> %v86, <8 x float> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %v89 = getelementptr inbounds float, ptr %v61, i64 %v75
  %v90 = load <8 x float>, ptr %v89, align 4
  %v91 = getelementptr inbounds float, ptr %v63, i64 %v75
  %v92 = load <8 x float>, ptr %v91, align 4
  %v93 = fadd <8 x float> %v77, %v87
  %v94 = fsub <8 x float> %v79, %v88
  %v95 = fsub <8 x float> %v77, %v87
  %v96 = fadd <8 x float> %v79, %v88
  %v97 = fmul <8 x float> %v93, splat (float 5.000000e-01)
  %v98 = fmul <8 x float> %v94, splat (float 5.000000e-01)
  %v99 = fneg <8 x float> %v92
  %v100 = fmul <8 x float> %v96, %v99
  %v101 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v95, <8 x float> %v90, <8 x float> %v100)
  %v102 = fmul <8 x float> %v95, %v92
  %v103 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v96, <8 x float> %v90, <8 x float> %v102)
  %v104 = fadd <8 x float> %v97, %v101
  %v105 = fadd <8 x float> %v98, %v103
  %v106 = shl i64 %v75, 3
  %v107 = getelementptr inbounds i8, ptr %v58, i64 %v106
  %v108 = fmul <8 x float> %v69, %v104
  %v109 = fmul <8 x float> %v69, %v105
  %v110 = shufflevector <8 x float> %v108, <8 x float> %v109, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %v110, ptr %v107, align 4
  %v111 = getelementptr inbounds nuw i8, ptr %v107, i64 32
  %v112 = shufflevector <8 x float> %v108, <8 x float> %v109, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  store <8 x float> %v112, ptr %v111, align 4
  %v113 = add i64 %v74, 8
  %v114 = icmp sgt i64 %v113, %v54
  br i1 %v114, label %v70, label %v73

v115:
  %v116 = phi i64 [ %v148, %v115 ], [ %v71, %v70 ]
  %v117 = getelementptr inbounds float, ptr %v47, i64 %v116
  %v118 = load float, ptr %v117, align 4
  %v119 = getelementptr inbounds float, ptr %v50, i64 %v116
  %v120 = load float, ptr %v119, align 4
  %v121 = sub i64 %v59, %v116
  %v122 = getelementptr inbounds float, ptr %v47, i64 %v121
  %v123 = load float, ptr %v122, align 4
  %v124 = getelementptr inbounds float, ptr %v50, i64 %v121
  %v125 = load float, ptr %v124, align 4
  %v126 = getelementptr inbounds float, ptr %v61, i64 %v116
  %v127 = load float, ptr %v126, align 4
  %v128 = getelementptr inbounds float, ptr %v63, i64 %v116
  %v129 = load float, ptr %v128, align 4
  %v130 = fadd float %v118, %v123
  %v131 = fsub float %v120, %v125
  %v132 = fsub float %v118, %v123
  %v133 = fadd float %v120, %v125
  %v134 = fmul float %v130, 5.000000e-01
  %v135 = fmul float %v131, 5.000000e-01
  %v136 = fneg float %v129
  %v137 = fmul float %v133, %v136
  %v138 = call float @llvm.fmuladd.f32(float %v132, float %v127, float %v137)
  %v139 = fmul float %v132, %v129
  %v140 = call float @llvm.fmuladd.f32(float %v133, float %v127, float %v139)
  %v141 = fadd float %v135, %v140
  %v142 = fadd float %v134, %v138
  %v143 = fmul float %v55, %v142
  %v144 = shl i64 %v116, 3
  %v145 = getelementptr inbounds i8, ptr %v58, i64 %v144
  store float %v143, ptr %v145, align 4
  %v146 = fmul float %v55, %v141
  %v147 = getelementptr i8, ptr %v145, i64 4
  store float %v146, ptr %v147, align 4
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
  %v4 = alloca { ptr, ptr, ptr, ptr }, align 8
  %v5 = alloca ptr, align 8
  %v6 = load ptr, ptr %v0, align 8
  %v7 = load i64, ptr %v6, align 8
  %v8 = add i64 %v7, 1
  %v9 = getelementptr inbounds nuw i8, ptr %v0, i64 40
  %v10 = load i64, ptr %v9, align 8
  %v11 = mul i64 %v8, %v10
  %v12 = add i64 %v11, 15
  %v13 = sdiv i64 %v12, 16
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 53
  store atomic i8 1, ptr %v18 seq_cst, align 1
  br label %v140

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
  %v32 = getelementptr inbounds nuw i8, ptr %v0, i64 24
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
  br label %v140

v40:
  %v41 = phi i64 [ %v1, %v28 ], [ %v138, %v131 ]
  store ptr %v20, ptr %v4, align 8
  store ptr %v22, ptr %v29, align 8
  store ptr %v24, ptr %v30, align 8
  store ptr %v26, ptr %v31, align 8
  %v42 = load ptr, ptr %v0, align 8
  %v43 = load i64, ptr %v42, align 8
  %v44 = load i64, ptr %v9, align 8
  %v45 = mul i64 %v44, %v41
  %v46 = load i64, ptr %v32, align 8
  %v47 = sub i64 %v46, %v45
  %v48 = call i64 @llvm.smin.i64(i64 %v47, i64 %v44)
  %v49 = load ptr, ptr %v33, align 8
  %v50 = shl i64 %v43, 1
  %v51 = mul i64 %v50, %v45
  %v52 = getelementptr inbounds float, ptr %v49, i64 %v51
  call fastcc void @gather(ptr %v52, i64 %v43, i64 1, i64 %v43, i64 %v48, i64 %v44, ptr %v20, ptr %v22)
  %v53 = load ptr, ptr %v0, align 8
  call fastcc void @passes(ptr %v53, i64 0, i64 %v44, ptr %v4)
  %v54 = icmp sgt i64 %v44, 0
  %v55 = load ptr, ptr %v4, align 8
  %v56 = load ptr, ptr %v29, align 8
  br i1 %v54, label %v57, label %v59

v57:
  %v58 = mul i64 %v44, %v43
  br label %v120

v59:
  %v60 = load ptr, ptr %v0, align 8
  %v61 = load ptr, ptr %v30, align 8
  %v62 = load ptr, ptr %v31, align 8
  %v63 = load i64, ptr %v60, align 8
  %v64 = icmp ult i64 %v43, 9223372036854775807
  br i1 %v64, label %v65, label %v131

v65:
  %v66 = getelementptr inbounds nuw i8, ptr %v60, i64 40
  br label %v67

v67:
  %v68 = phi i64 [ 0, %v65 ], [ %v92, %v91 ]
  br i1 %v54, label %v69, label %v91

v69:
  %v70 = sub i64 %v63, %v68
  %v71 = mul i64 %v70, %v44
  %v72 = mul i64 %v68, %v44
  %v73 = load ptr, ptr %v66, align 8
  %v74 = getelementptr float, ptr %v73, i64 %v63
  %v75 = getelementptr i8, ptr %v74, i64 4
  %v76 = getelementptr float, ptr %v75, i64 %v68
  %v77 = load float, ptr %v76, align 4
  %v78 = getelementptr inbounds nuw float, ptr %v73, i64 %v68
  %v79 = load float, ptr %v78, align 4
  %v80 = getelementptr inbounds float, ptr %v55, i64 %v72
  %v81 = getelementptr inbounds float, ptr %v56, i64 %v72
  %v82 = getelementptr inbounds float, ptr %v55, i64 %v71
  %v83 = getelementptr inbounds float, ptr %v56, i64 %v71
  %v84 = insertelement <8 x float> poison, float %v79, i64 0
  %v85 = shufflevector <8 x float> %v84, <8 x float> poison, <8 x i32> zeroinitializer
  %v86 = insertelement <8 x float> poison, float %v77, i64 0
  %v87 = shufflevector <8 x float> %v86, <8 x float> poison, <8 x i32> zeroinitializer
  %v88 = fneg <8 x float> %v87
  %v89 = getelementptr inbounds float, ptr %v61, i64 %v72
  %v90 = getelementptr inbounds float, ptr %v62, i64 %v72
  br label %v94

v91:
  %v92 = add nuw nsw i64 %v68, 1
  %v93 = icmp eq i64 %v68, %v43
  br i1 %v93, label %v131, label %v67

v94:
  %v95 = phi i64 [ 0, %v69 ], [ %v118, %v94 ]
  %v96 = getelementptr inbounds nuw float, ptr %v80, i64 %v95
  %v97 = load <8 x float>, ptr %v96, align 4
  %v98 = getelementptr inbounds nuw float, ptr %v81, i64 %v95
  %v99 = load <8 x float>, ptr %v98, align 4
  %v100 = getelementptr inbounds nuw float, ptr %v82, i64 %v95
  %v101 = load <8 x float>, ptr %v100, align 4
  %v102 = getelementptr inbounds nuw float, ptr %v83, i64 %v95
  %v103 = load <8 x float>, ptr %v102, align 4
  %v104 = fadd <8 x float> %v97, %v101
  %v105 = fsub <8 x float> %v99, %v103
  %v106 = fsub <8 x float> %v97, %v101
  %v107 = fadd <8 x float> %v99, %v103
  %v108 = fmul <8 x float> %v104, splat (float 5.000000e-01)
  %v109 = fmul <8 x float> %v105, splat (float 5.000000e-01)
  %v110 = fmul <8 x float> %v107, %v88
  %v111 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v106, <8 x float> %v85, <8 x float> %v110)
  %v112 = fmul <8 x float> %v87, %v106
  %v113 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v107, <8 x float> %v85, <8 x float> %v112)
  %v114 = fadd <8 x float> %v109, %v113
  %v115 = fadd <8 x float> %v108, %v111
  %v116 = getelementptr inbounds nuw float, ptr %v89, i64 %v95
  store <8 x float> %v115, ptr %v116, align 4
  %v117 = getelementptr inbounds nuw float, ptr %v90, i64 %v95
  store <8 x float> %v114, ptr %v117, align 4
  %v118 = add nuw nsw i64 %v95, 8
  %v119 = icmp slt i64 %v118, %v44
  br i1 %v119, label %v94, label %v91

v120:
  %v121 = phi i64 [ 0, %v57 ], [ %v129, %v120 ]
  %v122 = getelementptr inbounds nuw float, ptr %v55, i64 %v121
  %v123 = load float, ptr %v122, align 4
  %v124 = add i64 %v121, %v58
  %v125 = getelementptr inbounds float, ptr %v55, i64 %v124
  store float %v123, ptr %v125, align 4
  %v126 = getelementptr inbounds nuw float, ptr %v56, i64 %v121
  %v127 = load float, ptr %v126, align 4
  %v128 = getelementptr inbounds float, ptr %v56, i64 %v124
  store float %v127, ptr %v128, align 4
  %v129 = add nuw nsw i64 %v121, 1
  %v130 = icmp eq i64 %v129, %v44
  br i1 %v130, label %v59, label %v120

v131:
  %v132 = add i64 %v43, 1
  %v133 = load float, ptr %v34, align 8
  %v134 = load ptr, ptr %v35, align 8
  %v135 = shl i64 %v132, 1
  %v136 = mul i64 %v135, %v45
  %v137 = getelementptr inbounds float, ptr %v134, i64 %v136
  call fastcc void @scatter(ptr %v61, ptr %v62, i64 %v132, float %v133, i64 1, i64 %v132, i64 %v48, i64 %v44, ptr %v137)
  %v138 = add nsw i64 %v41, 1
  %v139 = icmp eq i64 %v138, %v2
  br i1 %v139, label %v36, label %v40

v140:
  ret void
}

define i64 @tfc_fourier_backward_float(ptr %v0, ptr %v1, ptr %v2, i64 %v3, i64 %v4, double %v5) nounwind {
v6:
  %v7 = alloca { ptr, ptr, ptr, i64, i64, i64, float, i8, i8 }, align 8
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
  %v14 = fptrunc double %v5 to float
  store float %v14, ptr %v13, align 8
  %v15 = getelementptr inbounds nuw i8, ptr %v7, i64 52
  store i8 1, ptr %v15, align 4
  %v16 = getelementptr inbounds nuw i8, ptr %v7, i64 53
  store i8 0, ptr %v16, align 1
  %v17 = getelementptr inbounds nuw i8, ptr %v7, i64 54
  store i16 0, ptr %v17, align 2
  %v18 = load i64, ptr %v0, align 8
  %v19 = add i64 %v3, -1
  %v20 = add i64 %v19, %v4
  %v21 = sdiv i64 %v20, %v4
  %v22 = mul i64 %v18, %v3
  %v23 = icmp eq i64 %v4, 1
  %v24 = select i1 %v23, ptr @backward_rows, ptr @backward_panels
  call void @tfc_parallel(ptr %v24, ptr %v7, i64 %v21, i64 %v22)
  %v25 = load atomic i8, ptr %v16 seq_cst, align 1
  %v26 = and i8 %v25, 1
  %v27 = xor i8 %v26, 1
  %v28 = zext nneg i8 %v27 to i64
  ret i64 %v28
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
  %v12 = add i64 %v11, 15
  %v13 = sdiv i64 %v12, 16
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 53
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
  %v47 = getelementptr inbounds float, ptr %v43, i64 %v46
  %v48 = icmp slt i64 %v44, 8
  br i1 %v48, label %v49, label %v52

v49:
  %v50 = phi i64 [ 0, %v39 ], [ %v53, %v52 ]
  %v51 = icmp slt i64 %v50, %v44
  br i1 %v51, label %v66, label %v77

v52:
  %v53 = phi i64 [ %v64, %v52 ], [ 8, %v39 ]
  %v54 = phi i64 [ %v53, %v52 ], [ 0, %v39 ]
  %v55 = shl i64 %v54, 3
  %v56 = getelementptr inbounds i8, ptr %v47, i64 %v55
  %v57 = load <8 x float>, ptr %v56, align 4
  %v58 = getelementptr inbounds nuw i8, ptr %v56, i64 32
  %v59 = load <8 x float>, ptr %v58, align 4
  %v60 = shufflevector <8 x float> %v57, <8 x float> %v59, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v61 = shufflevector <8 x float> %v57, <8 x float> %v59, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v62 = getelementptr inbounds float, ptr %v20, i64 %v54
  store <8 x float> %v60, ptr %v62, align 4
  %v63 = getelementptr inbounds float, ptr %v22, i64 %v54
  store <8 x float> %v61, ptr %v63, align 4
  %v64 = add i64 %v53, 8
  %v65 = icmp sgt i64 %v64, %v44
  br i1 %v65, label %v49, label %v52

v66:
  %v67 = phi i64 [ %v75, %v66 ], [ %v50, %v49 ]
  %v68 = shl i64 %v67, 3
  %v69 = getelementptr inbounds i8, ptr %v47, i64 %v68
  %v70 = load float, ptr %v69, align 4
  %v71 = getelementptr inbounds float, ptr %v20, i64 %v67
  store float %v70, ptr %v71, align 4
  %v72 = getelementptr i8, ptr %v69, i64 4
  %v73 = load float, ptr %v72, align 4
  %v74 = getelementptr inbounds float, ptr %v22, i64 %v67
  store float %v73, ptr %v74, align 4
  %v75 = add nsw i64 %v67, 1
  %v76 = icmp eq i64 %v67, %v42
  br i1 %v76, label %v77, label %v66

v77:
  %v78 = getelementptr inbounds float, ptr %v22, i64 %v42
  store float 0.000000e+00, ptr %v78, align 4
  store float 0.000000e+00, ptr %v22, align 4
  %v79 = load ptr, ptr %v0, align 8
  %v80 = load i64, ptr %v79, align 8
  %v81 = getelementptr inbounds nuw i8, ptr %v79, i64 40
  %v82 = load ptr, ptr %v81, align 8
  %v83 = getelementptr inbounds float, ptr %v82, i64 %v80
  %v84 = getelementptr inbounds nuw i8, ptr %v83, i64 4
  %v85 = icmp slt i64 %v42, 8
  br i1 %v85, label %v89, label %v86

v86:
  %v87 = getelementptr inbounds float, ptr %v20, i64 %v80
  %v88 = getelementptr inbounds float, ptr %v22, i64 %v80
  br label %v92

v89:
  %v90 = phi i64 [ 0, %v77 ], [ %v93, %v92 ]
  %v91 = icmp slt i64 %v90, %v42
  br i1 %v91, label %v132, label %v165

v92:
  %v93 = phi i64 [ 8, %v86 ], [ %v130, %v92 ]
  %v94 = phi i64 [ 0, %v86 ], [ %v93, %v92 ]
  %v95 = getelementptr inbounds float, ptr %v20, i64 %v94
  %v96 = load <8 x float>, ptr %v95, align 4
  %v97 = getelementptr inbounds float, ptr %v22, i64 %v94
  %v98 = load <8 x float>, ptr %v97, align 4
  %v99 = sub i64 0, %v94
  %v100 = getelementptr inbounds float, ptr %v87, i64 %v99
  %v101 = getelementptr inbounds i8, ptr %v100, i64 -28
  %v102 = load <8 x float>, ptr %v101, align 4
  %v103 = getelementptr inbounds float, ptr %v88, i64 %v99
  %v104 = getelementptr inbounds i8, ptr %v103, i64 -28
  %v105 = load <8 x float>, ptr %v104, align 4
  %v106 = shufflevector <8 x float> %v102, <8 x float> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %v107 = shufflevector <8 x float> %v105, <8 x float> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %v108 = getelementptr inbounds float, ptr %v82, i64 %v94
  %v109 = load <8 x float>, ptr %v108, align 4
  %v110 = getelementptr inbounds float, ptr %v84, i64 %v94
  %v111 = load <8 x float>, ptr %v110, align 4
  %v112 = fadd <8 x float> %v96, %v106
  %v113 = fsub <8 x float> %v98, %v107
  %v114 = fsub <8 x float> %v96, %v106
  %v115 = fadd <8 x float> %v98, %v107
  %v116 = fmul <8 x float> %v112, splat (float 5.000000e-01)
  %v117 = fmul <8 x float> %v113, splat (float 5.000000e-01)
  %v118 = fmul <8 x float> %v115, %v111
  %v119 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v114, <8 x float> %v109, <8 x float> %v118)
  %v120 = fneg <8 x float> %v111
  %v121 = fmul <8 x float> %v114, %v120
  %v122 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v115, <8 x float> %v109, <8 x float> %v121)
  %v123 = fadd <8 x float> %v116, %v119
  %v124 = fadd <8 x float> %v117, %v122
  %v125 = shl i64 %v94, 3
  %v126 = getelementptr inbounds i8, ptr %v24, i64 %v125
  %v127 = shufflevector <8 x float> %v123, <8 x float> %v124, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %v127, ptr %v126, align 4
  %v128 = getelementptr inbounds nuw i8, ptr %v126, i64 32
  %v129 = shufflevector <8 x float> %v123, <8 x float> %v124, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  store <8 x float> %v129, ptr %v128, align 4
  %v130 = add i64 %v93, 8
  %v131 = icmp sgt i64 %v130, %v42
  br i1 %v131, label %v89, label %v92

v132:
  %v133 = phi i64 [ %v163, %v132 ], [ %v90, %v89 ]
  %v134 = getelementptr inbounds float, ptr %v20, i64 %v133
  %v135 = load float, ptr %v134, align 4
  %v136 = getelementptr inbounds float, ptr %v22, i64 %v133
  %v137 = load float, ptr %v136, align 4
  %v138 = sub i64 %v80, %v133
  %v139 = getelementptr inbounds float, ptr %v20, i64 %v138
  %v140 = load float, ptr %v139, align 4
  %v141 = getelementptr inbounds float, ptr %v22, i64 %v138
  %v142 = load float, ptr %v141, align 4
  %v143 = getelementptr inbounds float, ptr %v82, i64 %v133
  %v144 = load float, ptr %v143, align 4
  %v145 = getelementptr inbounds float, ptr %v84, i64 %v133
  %v146 = load float, ptr %v145, align 4
  %v147 = fadd float %v135, %v140
  %v148 = fsub float %v137, %v142
  %v149 = fsub float %v135, %v140
  %v150 = fadd float %v137, %v142
  %v151 = fmul float %v147, 5.000000e-01
  %v152 = fmul float %v148, 5.000000e-01
  %v153 = fmul float %v150, %v146
  %v154 = call float @llvm.fmuladd.f32(float %v149, float %v144, float %v153)
  %v155 = fneg float %v146
  %v156 = fmul float %v149, %v155
  %v157 = call float @llvm.fmuladd.f32(float %v150, float %v144, float %v156)
  %v158 = fadd float %v152, %v157
  %v159 = fadd float %v151, %v154
  %v160 = shl i64 %v133, 3
  %v161 = getelementptr inbounds i8, ptr %v24, i64 %v160
  store float %v159, ptr %v161, align 4
  %v162 = getelementptr i8, ptr %v161, i64 4
  store float %v158, ptr %v162, align 4
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
  %v174 = load float, ptr %v33, align 8
  %v175 = load ptr, ptr %v34, align 8
  %v176 = mul i64 %v42, %v45
  %v177 = getelementptr inbounds float, ptr %v175, i64 %v176
  br i1 %v85, label %v181, label %v178

v178:
  %v179 = insertelement <8 x float> poison, float %v174, i64 0
  %v180 = shufflevector <8 x float> %v179, <8 x float> poison, <8 x i32> zeroinitializer
  br label %v184

v181:
  %v182 = phi i64 [ 0, %v171 ], [ %v185, %v184 ]
  %v183 = icmp slt i64 %v182, %v42
  br i1 %v183, label %v200, label %v213

v184:
  %v185 = phi i64 [ 8, %v178 ], [ %v198, %v184 ]
  %v186 = phi i64 [ 0, %v178 ], [ %v185, %v184 ]
  %v187 = shl i64 %v186, 3
  %v188 = getelementptr inbounds i8, ptr %v177, i64 %v187
  %v189 = getelementptr inbounds float, ptr %v172, i64 %v186
  %v190 = load <8 x float>, ptr %v189, align 4
  %v191 = fmul <8 x float> %v180, %v190
  %v192 = getelementptr inbounds float, ptr %v173, i64 %v186
  %v193 = load <8 x float>, ptr %v192, align 4
  %v194 = fmul <8 x float> %v180, %v193
  %v195 = shufflevector <8 x float> %v191, <8 x float> %v194, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %v195, ptr %v188, align 4
  %v196 = getelementptr inbounds nuw i8, ptr %v188, i64 32
  %v197 = shufflevector <8 x float> %v191, <8 x float> %v194, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  store <8 x float> %v197, ptr %v196, align 4
  %v198 = add i64 %v185, 8
  %v199 = icmp sgt i64 %v198, %v42
  br i1 %v199, label %v181, label %v184

v200:
  %v201 = phi i64 [ %v211, %v200 ], [ %v182, %v181 ]
  %v202 = getelementptr inbounds float, ptr %v172, i64 %v201
  %v203 = load float, ptr %v202, align 4
  %v204 = fmul float %v174, %v203
  %v205 = shl i64 %v201, 3
  %v206 = getelementptr inbounds i8, ptr %v177, i64 %v205
  store float %v204, ptr %v206, align 4
  %v207 = getelementptr inbounds float, ptr %v173, i64 %v201
  %v208 = load float, ptr %v207, align 4
  %v209 = fmul float %v174, %v208
  %v210 = getelementptr i8, ptr %v206, i64 4
  store float %v209, ptr %v210, align 4
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
  %v4 = alloca { ptr, ptr, ptr, ptr }, align 8
  %v5 = alloca ptr, align 8
  %v6 = load ptr, ptr %v0, align 8
  %v7 = load i64, ptr %v6, align 8
  %v8 = add i64 %v7, 1
  %v9 = getelementptr inbounds nuw i8, ptr %v0, i64 40
  %v10 = load i64, ptr %v9, align 8
  %v11 = mul i64 %v8, %v10
  %v12 = add i64 %v11, 15
  %v13 = sdiv i64 %v12, 16
  store ptr null, ptr %v5, align 8
  %v14 = shl i64 %v13, 8
  %v15 = call i32 @posix_memalign(ptr %v5, i64 64, i64 %v14)
  %v16 = icmp eq i32 %v15, 0
  br i1 %v16, label %v19, label %v17

v17:
  %v18 = getelementptr inbounds nuw i8, ptr %v0, i64 53
  store atomic i8 1, ptr %v18 seq_cst, align 1
  br label %v136

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
  %v29 = getelementptr inbounds nuw i8, ptr %v0, i64 24
  %v30 = getelementptr inbounds nuw i8, ptr %v0, i64 8
  %v31 = getelementptr inbounds nuw i8, ptr %v4, i64 8
  %v32 = getelementptr inbounds nuw i8, ptr %v4, i64 16
  %v33 = getelementptr inbounds nuw i8, ptr %v4, i64 24
  %v34 = getelementptr inbounds nuw i8, ptr %v0, i64 48
  %v35 = getelementptr inbounds nuw i8, ptr %v0, i64 16
  br label %v40

v36:
  %v37 = load ptr, ptr %v5, align 8
  br label %v38

v38:
  %v39 = phi ptr [ %v37, %v36 ], [ %v20, %v19 ]
  call void @free(ptr %v39)
  br label %v136

v40:
  %v41 = phi i64 [ %v1, %v28 ], [ %v134, %v125 ]
  %v42 = load ptr, ptr %v0, align 8
  %v43 = load i64, ptr %v42, align 8
  %v44 = load i64, ptr %v9, align 8
  %v45 = mul i64 %v44, %v41
  %v46 = load i64, ptr %v29, align 8
  %v47 = sub i64 %v46, %v45
  %v48 = call i64 @llvm.smin.i64(i64 %v47, i64 %v44)
  %v49 = load ptr, ptr %v30, align 8
  %v50 = add i64 %v43, 1
  %v51 = shl i64 %v50, 1
  %v52 = mul i64 %v51, %v45
  %v53 = getelementptr inbounds float, ptr %v49, i64 %v52
  call fastcc void @gather(ptr %v53, i64 %v50, i64 1, i64 %v50, i64 %v48, i64 %v44, ptr %v20, ptr %v22)
  %v54 = icmp sgt i64 %v44, 0
  br i1 %v54, label %v55, label %v58

v55:
  %v56 = mul i64 %v44, %v43
  %v57 = getelementptr float, ptr %v22, i64 %v56
  br label %v119

v58:
  %v59 = load ptr, ptr %v0, align 8
  %v60 = load i64, ptr %v59, align 8
  %v61 = icmp sgt i64 %v43, 0
  br i1 %v61, label %v62, label %v125

v62:
  %v63 = getelementptr inbounds nuw i8, ptr %v59, i64 40
  br label %v64

v64:
  %v65 = phi i64 [ 0, %v62 ], [ %v89, %v88 ]
  br i1 %v54, label %v66, label %v88

v66:
  %v67 = sub i64 %v60, %v65
  %v68 = mul i64 %v67, %v44
  %v69 = mul i64 %v65, %v44
  %v70 = load ptr, ptr %v63, align 8
  %v71 = getelementptr float, ptr %v70, i64 %v60
  %v72 = getelementptr i8, ptr %v71, i64 4
  %v73 = getelementptr float, ptr %v72, i64 %v65
  %v74 = load float, ptr %v73, align 4
  %v75 = getelementptr inbounds nuw float, ptr %v70, i64 %v65
  %v76 = load float, ptr %v75, align 4
  %v77 = getelementptr inbounds float, ptr %v20, i64 %v69
  %v78 = getelementptr inbounds float, ptr %v22, i64 %v69
  %v79 = getelementptr inbounds float, ptr %v20, i64 %v68
  %v80 = getelementptr inbounds float, ptr %v22, i64 %v68
  %v81 = insertelement <8 x float> poison, float %v76, i64 0
  %v82 = shufflevector <8 x float> %v81, <8 x float> poison, <8 x i32> zeroinitializer
  %v83 = insertelement <8 x float> poison, float %v74, i64 0
  %v84 = shufflevector <8 x float> %v83, <8 x float> poison, <8 x i32> zeroinitializer
  %v85 = fneg <8 x float> %v84
  %v86 = getelementptr inbounds float, ptr %v24, i64 %v69
  %v87 = getelementptr inbounds float, ptr %v26, i64 %v69
  br label %v91

v88:
  %v89 = add nuw nsw i64 %v65, 1
  %v90 = icmp eq i64 %v89, %v43
  br i1 %v90, label %v117, label %v64

v91:
  %v92 = phi i64 [ 0, %v66 ], [ %v115, %v91 ]
  %v93 = getelementptr inbounds nuw float, ptr %v77, i64 %v92
  %v94 = load <8 x float>, ptr %v93, align 4
  %v95 = getelementptr inbounds nuw float, ptr %v78, i64 %v92
  %v96 = load <8 x float>, ptr %v95, align 4
  %v97 = getelementptr inbounds nuw float, ptr %v79, i64 %v92
  %v98 = load <8 x float>, ptr %v97, align 4
  %v99 = getelementptr inbounds nuw float, ptr %v80, i64 %v92
  %v100 = load <8 x float>, ptr %v99, align 4
  %v101 = fadd <8 x float> %v94, %v98
  %v102 = fsub <8 x float> %v96, %v100
  %v103 = fsub <8 x float> %v94, %v98
  %v104 = fadd <8 x float> %v96, %v100
  %v105 = fmul <8 x float> %v101, splat (float 5.000000e-01)
  %v106 = fmul <8 x float> %v102, splat (float 5.000000e-01)
  %v107 = fmul <8 x float> %v84, %v104
  %v108 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v103, <8 x float> %v82, <8 x float> %v107)
  %v109 = fmul <8 x float> %v103, %v85
  %v110 = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v104, <8 x float> %v82, <8 x float> %v109)
  %v111 = fadd <8 x float> %v106, %v110
  %v112 = fadd <8 x float> %v105, %v108
  %v113 = getelementptr inbounds nuw float, ptr %v86, i64 %v92
  store <8 x float> %v112, ptr %v113, align 4
  %v114 = getelementptr inbounds nuw float, ptr %v87, i64 %v92
  store <8 x float> %v111, ptr %v114, align 4
  %v115 = add nuw nsw i64 %v92, 8
  %v116 = icmp slt i64 %v115, %v44
  br i1 %v116, label %v91, label %v88

v117:
  %v118 = load ptr, ptr %v0, align 8
  br label %v125

v119:
  %v120 = phi i64 [ 0, %v55 ], [ %v123, %v119 ]
  %v121 = getelementptr float, ptr %v57, i64 %v120
  store float 0.000000e+00, ptr %v121, align 4
  %v122 = getelementptr inbounds nuw float, ptr %v22, i64 %v120
  store float 0.000000e+00, ptr %v122, align 4
  %v123 = add nuw nsw i64 %v120, 1
  %v124 = icmp eq i64 %v123, %v44
  br i1 %v124, label %v58, label %v119

v125:
  %v126 = phi ptr [ %v118, %v117 ], [ %v59, %v58 ]
  store ptr %v26, ptr %v4, align 8
  store ptr %v24, ptr %v31, align 8
  store ptr %v22, ptr %v32, align 8
  store ptr %v20, ptr %v33, align 8
  call fastcc void @passes(ptr %v126, i64 0, i64 %v44, ptr %v4)
  %v127 = load ptr, ptr %v31, align 8
  %v128 = load ptr, ptr %v4, align 8
  %v129 = load float, ptr %v34, align 8
  %v130 = load ptr, ptr %v35, align 8
  %v131 = shl i64 %v43, 1
  %v132 = mul i64 %v131, %v45
  %v133 = getelementptr inbounds float, ptr %v130, i64 %v132
  call fastcc void @scatter(ptr %v127, ptr %v128, i64 %v43, float %v129, i64 1, i64 %v43, i64 %v48, i64 %v44, ptr %v133)
  %v134 = add nsw i64 %v41, 1
  %v135 = icmp eq i64 %v134, %v2
  br i1 %v135, label %v36, label %v40

v136:
  ret void
}

declare void @tfc_parallel(ptr, ptr, i64, i64)

declare i32 @posix_memalign(ptr, i64, i64)

declare void @free(ptr)

define internal fastcc void @row(ptr %v0, i1 %v1, ptr %v2, ptr %v3) nounwind {
v4:
  %v5 = alloca [8 x float], align 16
  %v6 = alloca [8 x float], align 16
  %v7 = getelementptr inbounds nuw i8, ptr %v0, i64 24
  %v8 = load ptr, ptr %v7, align 8
  %v9 = icmp eq ptr %v8, null
  %v10 = load i64, ptr %v0, align 8
  br i1 %v9, label %v470, label %v11

v11:
  %v12 = sdiv i64 %v10, 8
  %v13 = icmp slt i64 %v10, 64
  br i1 %v13, label %v42, label %v14

v14:
  %v15 = shl nuw nsw i64 %v12, 1
  %v16 = mul nuw nsw i64 %v12, 3
  %v17 = shl nuw nsw i64 %v12, 2
  %v18 = mul nuw nsw i64 %v12, 5
  %v19 = mul nuw nsw i64 %v12, 6
  %v20 = mul nuw nsw i64 %v12, 7
  %v21 = getelementptr inbounds nuw float, ptr %v8, i64 %v12
  %v22 = getelementptr inbounds nuw float, ptr %v8, i64 %v15
  %v23 = getelementptr inbounds nuw float, ptr %v8, i64 %v16
  %v24 = getelementptr inbounds nuw float, ptr %v8, i64 %v17
  %v25 = getelementptr inbounds nuw float, ptr %v8, i64 %v18
  %v26 = getelementptr inbounds nuw float, ptr %v8, i64 %v19
  %v27 = getelementptr inbounds nuw float, ptr %v8, i64 %v20
  %v28 = shl nuw nsw i64 %v12, 5
  %v29 = getelementptr inbounds nuw i8, ptr %v8, i64 %v28
  %v30 = mul i64 %v12, 36
  %v31 = getelementptr inbounds i8, ptr %v8, i64 %v30
  %v32 = mul i64 %v12, 40
  %v33 = getelementptr inbounds i8, ptr %v8, i64 %v32
  %v34 = mul i64 %v12, 44
  %v35 = getelementptr inbounds i8, ptr %v8, i64 %v34
  %v36 = mul i64 %v12, 48
  %v37 = getelementptr inbounds i8, ptr %v8, i64 %v36
  %v38 = mul i64 %v12, 52
  %v39 = getelementptr inbounds i8, ptr %v8, i64 %v38
  %v40 = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v41 = getelementptr inbounds nuw i8, ptr %v3, i64 24
  br label %v66

v42:
  %v43 = phi i64 [ 0, %v11 ], [ %v67, %v66 ]
  %v44 = icmp slt i64 %v43, %v12
  br i1 %v44, label %v45, label %v462

v45:
  %v46 = zext i1 %v1 to i64
  %v47 = xor i1 %v1, true
  %v48 = zext i1 %v47 to i64
  %v49 = getelementptr inbounds nuw i8, ptr %v5, i64 16
  %v50 = getelementptr inbounds nuw i8, ptr %v6, i64 16
  %v51 = getelementptr inbounds nuw i8, ptr %v5, i64 8
  %v52 = getelementptr inbounds nuw i8, ptr %v5, i64 24
  %v53 = getelementptr inbounds nuw i8, ptr %v6, i64 8
  %v54 = getelementptr inbounds nuw i8, ptr %v6, i64 24
  %v55 = getelementptr inbounds nuw i8, ptr %v5, i64 4
  %v56 = getelementptr inbounds nuw i8, ptr %v5, i64 20
  %v57 = getelementptr inbounds nuw i8, ptr %v6, i64 4
  %v58 = getelementptr inbounds nuw i8, ptr %v6, i64 20
  %v59 = getelementptr inbounds nuw i8, ptr %v5, i64 12
  %v60 = getelementptr inbounds nuw i8, ptr %v5, i64 28
  %v61 = getelementptr inbounds nuw i8, ptr %v6, i64 12
  %v62 = getelementptr inbounds nuw i8, ptr %v6, i64 28
  %v63 = icmp sgt i64 %v10, 15
  %v64 = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v65 = getelementptr inbounds nuw i8, ptr %v3, i64 24
  br label %v335

v66:
  %v67 = phi i64 [ 8, %v14 ], [ %v333, %v66 ]
  %v68 = phi i64 [ 0, %v14 ], [ %v67, %v66 ]
  %v69 = shl i64 %v68, 3
  %v70 = getelementptr inbounds i8, ptr %v2, i64 %v69
  %v71 = load <8 x float>, ptr %v70, align 4
  %v72 = getelementptr inbounds nuw i8, ptr %v70, i64 32
  %v73 = load <8 x float>, ptr %v72, align 4
  %v74 = shufflevector <8 x float> %v71, <8 x float> %v73, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v75 = shufflevector <8 x float> %v71, <8 x float> %v73, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v76 = select i1 %v1, <8 x float> %v75, <8 x float> %v74
  %v77 = select i1 %v1, <8 x float> %v74, <8 x float> %v75
  %v78 = add nuw nsw i64 %v68, %v12
  %v79 = shl i64 %v78, 3
  %v80 = getelementptr inbounds i8, ptr %v2, i64 %v79
  %v81 = load <8 x float>, ptr %v80, align 4
  %v82 = getelementptr inbounds nuw i8, ptr %v80, i64 32
  %v83 = load <8 x float>, ptr %v82, align 4
  %v84 = shufflevector <8 x float> %v81, <8 x float> %v83, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v85 = shufflevector <8 x float> %v81, <8 x float> %v83, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v86 = select i1 %v1, <8 x float> %v85, <8 x float> %v84
  %v87 = select i1 %v1, <8 x float> %v84, <8 x float> %v85
  %v88 = add nuw nsw i64 %v68, %v15
  %v89 = shl i64 %v88, 3
  %v90 = getelementptr inbounds i8, ptr %v2, i64 %v89
  %v91 = load <8 x float>, ptr %v90, align 4
  %v92 = getelementptr inbounds nuw i8, ptr %v90, i64 32
  %v93 = load <8 x float>, ptr %v92, align 4
  %v94 = shufflevector <8 x float> %v91, <8 x float> %v93, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v95 = shufflevector <8 x float> %v91, <8 x float> %v93, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v96 = select i1 %v1, <8 x float> %v95, <8 x float> %v94
  %v97 = select i1 %v1, <8 x float> %v94, <8 x float> %v95
  %v98 = add nuw nsw i64 %v68, %v16
  %v99 = shl i64 %v98, 3
  %v100 = getelementptr inbounds i8, ptr %v2, i64 %v99
  %v101 = load <8 x float>, ptr %v100, align 4
  %v102 = getelementptr inbounds nuw i8, ptr %v100, i64 32
  %v103 = load <8 x float>, ptr %v102, align 4
  %v104 = shufflevector <8 x float> %v101, <8 x float> %v103, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v105 = shufflevector <8 x float> %v101, <8 x float> %v103, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v106 = select i1 %v1, <8 x float> %v105, <8 x float> %v104
  %v107 = select i1 %v1, <8 x float> %v104, <8 x float> %v105
  %v108 = add nuw nsw i64 %v68, %v17
  %v109 = shl i64 %v108, 3
  %v110 = getelementptr inbounds i8, ptr %v2, i64 %v109
  %v111 = load <8 x float>, ptr %v110, align 4
  %v112 = getelementptr inbounds nuw i8, ptr %v110, i64 32
  %v113 = load <8 x float>, ptr %v112, align 4
  %v114 = shufflevector <8 x float> %v111, <8 x float> %v113, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v115 = shufflevector <8 x float> %v111, <8 x float> %v113, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v116 = select i1 %v1, <8 x float> %v115, <8 x float> %v114
  %v117 = select i1 %v1, <8 x float> %v114, <8 x float> %v115
  %v118 = add nuw nsw i64 %v68, %v18
  %v119 = shl i64 %v118, 3
  %v120 = getelementptr inbounds i8, ptr %v2, i64 %v119
  %v121 = load <8 x float>, ptr %v120, align 4
  %v122 = getelementptr inbounds nuw i8, ptr %v120, i64 32
  %v123 = load <8 x float>, ptr %v122, align 4
  %v124 = shufflevector <8 x float> %v121, <8 x float> %v123, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v125 = shufflevector <8 x float> %v121, <8 x float> %v123, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v126 = select i1 %v1, <8 x float> %v125, <8 x float> %v124
  %v127 = select i1 %v1, <8 x float> %v124, <8 x float> %v125
  %v128 = add nuw nsw i64 %v68, %v19
  %v129 = shl i64 %v128, 3
  %v130 = getelementptr inbounds i8, ptr %v2, i64 %v129
  %v131 = load <8 x float>, ptr %v130, align 4
  %v132 = getelementptr inbounds nuw i8, ptr %v130, i64 32
  %v133 = load <8 x float>, ptr %v132, align 4
  %v134 = shufflevector <8 x float> %v131, <8 x float> %v133, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v135 = shufflevector <8 x float> %v131, <8 x float> %v133, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v136 = select i1 %v1, <8 x float> %v135, <8 x float> %v134
  %v137 = select i1 %v1, <8 x float> %v134, <8 x float> %v135
  %v138 = add nuw nsw i64 %v68, %v20
  %v139 = shl i64 %v138, 3
  %v140 = getelementptr inbounds i8, ptr %v2, i64 %v139
  %v141 = load <8 x float>, ptr %v140, align 4
  %v142 = getelementptr inbounds nuw i8, ptr %v140, i64 32
  %v143 = load <8 x float>, ptr %v142, align 4
  %v144 = shufflevector <8 x float> %v141, <8 x float> %v143, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v145 = shufflevector <8 x float> %v141, <8 x float> %v143, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v146 = select i1 %v1, <8 x float> %v145, <8 x float> %v144
  %v147 = select i1 %v1, <8 x float> %v144, <8 x float> %v145
  %v148 = fadd <8 x float> %v76, %v116
  %v149 = fadd <8 x float> %v77, %v117
  %v150 = fadd <8 x float> %v96, %v136
  %v151 = fadd <8 x float> %v97, %v137
  %v152 = fadd <8 x float> %v148, %v150
  %v153 = fadd <8 x float> %v149, %v151
  %v154 = fadd <8 x float> %v86, %v126
  %v155 = fadd <8 x float> %v87, %v127
  %v156 = fadd <8 x float> %v106, %v146
  %v157 = fadd <8 x float> %v107, %v147
  %v158 = fadd <8 x float> %v154, %v156
  %v159 = fadd <8 x float> %v155, %v157
  %v160 = fadd <8 x float> %v152, %v158
  %v161 = fadd <8 x float> %v153, %v159
  %v162 = fsub <8 x float> %v76, %v116
  %v163 = fsub <8 x float> %v97, %v137
  %v164 = fsub <8 x float> %v162, %v163
  %v165 = fsub <8 x float> %v87, %v127
  %v166 = fsub <8 x float> %v106, %v146
  %v167 = fadd <8 x float> %v165, %v166
  %v168 = fsub <8 x float> %v86, %v126
  %v169 = fsub <8 x float> %v107, %v147
  %v170 = fsub <8 x float> %v168, %v169
  %v171 = fsub <8 x float> %v167, %v170
  %v172 = fmul <8 x float> %v171, splat (float 0x3FE6A09E60000000)
  %v173 = fsub <8 x float> %v164, %v172
  %v174 = getelementptr inbounds nuw float, ptr %v39, i64 %v68
  %v175 = load <8 x float>, ptr %v174, align 4
  %v176 = fsub <8 x float> %v77, %v117
  %v177 = fsub <8 x float> %v96, %v136
  %v178 = fadd <8 x float> %v176, %v177
  %v179 = fadd <8 x float> %v170, %v167
  %v180 = fmul <8 x float> %v179, splat (float 0xBFE6A09E60000000)
  %v181 = fsub <8 x float> %v178, %v180
  %v182 = getelementptr inbounds nuw float, ptr %v37, i64 %v68
  %v183 = load <8 x float>, ptr %v182, align 4
  %v184 = fmul <8 x float> %v181, %v183
  %v185 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v173, <8 x float> %v175, <8 x float> %v184)
  %v186 = fneg <8 x float> %v175
  %v187 = fmul <8 x float> %v181, %v186
  %v188 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v173, <8 x float> %v183, <8 x float> %v187)
  %v189 = fsub <8 x float> %v148, %v150
  %v190 = fsub <8 x float> %v155, %v157
  %v191 = fsub <8 x float> %v189, %v190
  %v192 = getelementptr inbounds nuw float, ptr %v35, i64 %v68
  %v193 = load <8 x float>, ptr %v192, align 4
  %v194 = fsub <8 x float> %v149, %v151
  %v195 = fsub <8 x float> %v154, %v156
  %v196 = fadd <8 x float> %v194, %v195
  %v197 = getelementptr inbounds nuw float, ptr %v33, i64 %v68
  %v198 = load <8 x float>, ptr %v197, align 4
  %v199 = fmul <8 x float> %v196, %v198
  %v200 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v191, <8 x float> %v193, <8 x float> %v199)
  %v201 = fneg <8 x float> %v193
  %v202 = fmul <8 x float> %v196, %v201
  %v203 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v191, <8 x float> %v198, <8 x float> %v202)
  %v204 = fadd <8 x float> %v162, %v163
  %v205 = fadd <8 x float> %v168, %v169
  %v206 = fsub <8 x float> %v165, %v166
  %v207 = fadd <8 x float> %v205, %v206
  %v208 = fmul <8 x float> %v207, splat (float 0x3FE6A09E60000000)
  %v209 = fsub <8 x float> %v204, %v208
  %v210 = getelementptr inbounds nuw float, ptr %v31, i64 %v68
  %v211 = load <8 x float>, ptr %v210, align 4
  %v212 = fsub <8 x float> %v176, %v177
  %v213 = fsub <8 x float> %v206, %v205
  %v214 = fmul <8 x float> %v213, splat (float 0x3FE6A09E60000000)
  %v215 = fsub <8 x float> %v212, %v214
  %v216 = getelementptr inbounds nuw float, ptr %v29, i64 %v68
  %v217 = load <8 x float>, ptr %v216, align 4
  %v218 = fmul <8 x float> %v215, %v217
  %v219 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v209, <8 x float> %v211, <8 x float> %v218)
  %v220 = fneg <8 x float> %v211
  %v221 = fmul <8 x float> %v215, %v220
  %v222 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v209, <8 x float> %v217, <8 x float> %v221)
  %v223 = fsub <8 x float> %v152, %v158
  %v224 = getelementptr inbounds nuw float, ptr %v27, i64 %v68
  %v225 = load <8 x float>, ptr %v224, align 4
  %v226 = fsub <8 x float> %v153, %v159
  %v227 = getelementptr inbounds nuw float, ptr %v26, i64 %v68
  %v228 = load <8 x float>, ptr %v227, align 4
  %v229 = fmul <8 x float> %v226, %v228
  %v230 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v223, <8 x float> %v225, <8 x float> %v229)
  %v231 = fneg <8 x float> %v225
  %v232 = fmul <8 x float> %v226, %v231
  %v233 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v223, <8 x float> %v228, <8 x float> %v232)
  %v234 = fadd <8 x float> %v164, %v172
  %v235 = getelementptr inbounds nuw float, ptr %v25, i64 %v68
  %v236 = load <8 x float>, ptr %v235, align 4
  %v237 = fadd <8 x float> %v178, %v180
  %v238 = getelementptr inbounds nuw float, ptr %v24, i64 %v68
  %v239 = load <8 x float>, ptr %v238, align 4
  %v240 = fmul <8 x float> %v237, %v239
  %v241 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v234, <8 x float> %v236, <8 x float> %v240)
  %v242 = fneg <8 x float> %v236
  %v243 = fmul <8 x float> %v237, %v242
  %v244 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v234, <8 x float> %v239, <8 x float> %v243)
  %v245 = fadd <8 x float> %v189, %v190
  %v246 = getelementptr inbounds nuw float, ptr %v23, i64 %v68
  %v247 = load <8 x float>, ptr %v246, align 4
  %v248 = fsub <8 x float> %v194, %v195
  %v249 = getelementptr inbounds nuw float, ptr %v22, i64 %v68
  %v250 = load <8 x float>, ptr %v249, align 4
  %v251 = fmul <8 x float> %v248, %v250
  %v252 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v245, <8 x float> %v247, <8 x float> %v251)
  %v253 = fneg <8 x float> %v247
  %v254 = fmul <8 x float> %v248, %v253
  %v255 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v245, <8 x float> %v250, <8 x float> %v254)
  %v256 = fadd <8 x float> %v204, %v208
  %v257 = getelementptr inbounds nuw float, ptr %v21, i64 %v68
  %v258 = load <8 x float>, ptr %v257, align 4
  %v259 = fadd <8 x float> %v212, %v214
  %v260 = getelementptr inbounds nuw float, ptr %v8, i64 %v68
  %v261 = load <8 x float>, ptr %v260, align 4
  %v262 = fmul <8 x float> %v259, %v261
  %v263 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v256, <8 x float> %v258, <8 x float> %v262)
  %v264 = fneg <8 x float> %v258
  %v265 = fmul <8 x float> %v259, %v264
  %v266 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v256, <8 x float> %v261, <8 x float> %v265)
  %v267 = load ptr, ptr %v40, align 8
  %v268 = getelementptr inbounds float, ptr %v267, i64 %v69
  %v269 = shufflevector <8 x float> %v160, <8 x float> %v266, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v270 = shufflevector <8 x float> %v160, <8 x float> %v266, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v271 = shufflevector <8 x float> %v255, <8 x float> %v244, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v272 = shufflevector <8 x float> %v255, <8 x float> %v244, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v273 = shufflevector <8 x float> %v233, <8 x float> %v222, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v274 = shufflevector <8 x float> %v233, <8 x float> %v222, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v275 = shufflevector <8 x float> %v203, <8 x float> %v188, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v276 = shufflevector <8 x float> %v203, <8 x float> %v188, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v277 = shufflevector <8 x float> %v269, <8 x float> %v271, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v278 = shufflevector <8 x float> %v269, <8 x float> %v271, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v279 = shufflevector <8 x float> %v270, <8 x float> %v272, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v280 = shufflevector <8 x float> %v270, <8 x float> %v272, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v281 = shufflevector <8 x float> %v273, <8 x float> %v275, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v282 = shufflevector <8 x float> %v273, <8 x float> %v275, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v283 = shufflevector <8 x float> %v274, <8 x float> %v276, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v284 = shufflevector <8 x float> %v274, <8 x float> %v276, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v285 = shufflevector <8 x float> %v277, <8 x float> %v281, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v285, ptr %v268, align 4
  %v286 = getelementptr inbounds nuw i8, ptr %v268, i64 32
  %v287 = shufflevector <8 x float> %v278, <8 x float> %v282, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v287, ptr %v286, align 4
  %v288 = getelementptr inbounds nuw i8, ptr %v268, i64 64
  %v289 = shufflevector <8 x float> %v279, <8 x float> %v283, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v289, ptr %v288, align 4
  %v290 = getelementptr inbounds nuw i8, ptr %v268, i64 96
  %v291 = shufflevector <8 x float> %v280, <8 x float> %v284, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v291, ptr %v290, align 4
  %v292 = getelementptr inbounds nuw i8, ptr %v268, i64 128
  %v293 = shufflevector <8 x float> %v277, <8 x float> %v281, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v293, ptr %v292, align 4
  %v294 = getelementptr inbounds nuw i8, ptr %v268, i64 160
  %v295 = shufflevector <8 x float> %v278, <8 x float> %v282, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v295, ptr %v294, align 4
  %v296 = getelementptr inbounds nuw i8, ptr %v268, i64 192
  %v297 = shufflevector <8 x float> %v279, <8 x float> %v283, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v297, ptr %v296, align 4
  %v298 = getelementptr inbounds nuw i8, ptr %v268, i64 224
  %v299 = shufflevector <8 x float> %v280, <8 x float> %v284, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v299, ptr %v298, align 4
  %v300 = load ptr, ptr %v41, align 8
  %v301 = getelementptr inbounds float, ptr %v300, i64 %v69
  %v302 = shufflevector <8 x float> %v161, <8 x float> %v263, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v303 = shufflevector <8 x float> %v161, <8 x float> %v263, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v304 = shufflevector <8 x float> %v252, <8 x float> %v241, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v305 = shufflevector <8 x float> %v252, <8 x float> %v241, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v306 = shufflevector <8 x float> %v230, <8 x float> %v219, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v307 = shufflevector <8 x float> %v230, <8 x float> %v219, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v308 = shufflevector <8 x float> %v200, <8 x float> %v185, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v309 = shufflevector <8 x float> %v200, <8 x float> %v185, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v310 = shufflevector <8 x float> %v302, <8 x float> %v304, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v311 = shufflevector <8 x float> %v302, <8 x float> %v304, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v312 = shufflevector <8 x float> %v303, <8 x float> %v305, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v313 = shufflevector <8 x float> %v303, <8 x float> %v305, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v314 = shufflevector <8 x float> %v306, <8 x float> %v308, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v315 = shufflevector <8 x float> %v306, <8 x float> %v308, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v316 = shufflevector <8 x float> %v307, <8 x float> %v309, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v317 = shufflevector <8 x float> %v307, <8 x float> %v309, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v318 = shufflevector <8 x float> %v310, <8 x float> %v314, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v318, ptr %v301, align 4
  %v319 = getelementptr inbounds nuw i8, ptr %v301, i64 32
  %v320 = shufflevector <8 x float> %v311, <8 x float> %v315, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v320, ptr %v319, align 4
  %v321 = getelementptr inbounds nuw i8, ptr %v301, i64 64
  %v322 = shufflevector <8 x float> %v312, <8 x float> %v316, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v322, ptr %v321, align 4
  %v323 = getelementptr inbounds nuw i8, ptr %v301, i64 96
  %v324 = shufflevector <8 x float> %v313, <8 x float> %v317, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v324, ptr %v323, align 4
  %v325 = getelementptr inbounds nuw i8, ptr %v301, i64 128
  %v326 = shufflevector <8 x float> %v310, <8 x float> %v314, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v326, ptr %v325, align 4
  %v327 = getelementptr inbounds nuw i8, ptr %v301, i64 160
  %v328 = shufflevector <8 x float> %v311, <8 x float> %v315, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v328, ptr %v327, align 4
  %v329 = getelementptr inbounds nuw i8, ptr %v301, i64 192
  %v330 = shufflevector <8 x float> %v312, <8 x float> %v316, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v330, ptr %v329, align 4
  %v331 = getelementptr inbounds nuw i8, ptr %v301, i64 224
  %v332 = shufflevector <8 x float> %v313, <8 x float> %v317, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v332, ptr %v331, align 4
  %v333 = add nuw nsw i64 %v67, 8
  %v334 = icmp sgt i64 %v333, %v12
  br i1 %v334, label %v42, label %v66

v335:
  %v336 = phi i64 [ %v43, %v45 ], [ %v427, %v426 ]
  br label %v412

v337:
  %v338 = load float, ptr %v5, align 16
  %v339 = load float, ptr %v49, align 16
  %v340 = fadd float %v338, %v339
  %v341 = fsub float %v338, %v339
  %v342 = load float, ptr %v6, align 16
  %v343 = load float, ptr %v50, align 16
  %v344 = fadd float %v342, %v343
  %v345 = fsub float %v342, %v343
  %v346 = load float, ptr %v51, align 8
  %v347 = load float, ptr %v52, align 8
  %v348 = fadd float %v346, %v347
  %v349 = fsub float %v346, %v347
  %v350 = load float, ptr %v53, align 8
  %v351 = load float, ptr %v54, align 8
  %v352 = fadd float %v350, %v351
  %v353 = fsub float %v350, %v351
  %v354 = fadd float %v340, %v348
  %v355 = fsub float %v340, %v348
  %v356 = fadd float %v344, %v352
  %v357 = fsub float %v344, %v352
  %v358 = fadd float %v341, %v353
  %v359 = fsub float %v341, %v353
  %v360 = fsub float %v345, %v349
  %v361 = fadd float %v345, %v349
  %v362 = load float, ptr %v55, align 4
  %v363 = load float, ptr %v56, align 4
  %v364 = fadd float %v362, %v363
  %v365 = fsub float %v362, %v363
  %v366 = load float, ptr %v57, align 4
  %v367 = load float, ptr %v58, align 4
  %v368 = fadd float %v366, %v367
  %v369 = fsub float %v366, %v367
  %v370 = load float, ptr %v59, align 4
  %v371 = load float, ptr %v60, align 4
  %v372 = fadd float %v370, %v371
  %v373 = fsub float %v370, %v371
  %v374 = load float, ptr %v61, align 4
  %v375 = load float, ptr %v62, align 4
  %v376 = fadd float %v374, %v375
  %v377 = fsub float %v374, %v375
  %v378 = fadd float %v364, %v372
  %v379 = fsub float %v364, %v372
  %v380 = fadd float %v368, %v376
  %v381 = fsub float %v368, %v376
  %v382 = fadd float %v365, %v377
  %v383 = fsub float %v365, %v377
  %v384 = fsub float %v369, %v373
  %v385 = fadd float %v369, %v373
  %v386 = fadd float %v384, %v382
  %v387 = fmul float %v386, 0x3FE6A09E60000000
  %v388 = fsub float %v384, %v382
  %v389 = fmul float %v388, 0x3FE6A09E60000000
  %v390 = fsub float %v385, %v383
  %v391 = fmul float %v390, 0x3FE6A09E60000000
  %v392 = fadd float %v385, %v383
  %v393 = fmul float %v392, 0xBFE6A09E60000000
  %v394 = fadd float %v354, %v378
  %v395 = fsub float %v354, %v378
  store float %v394, ptr %v5, align 16
  %v396 = fadd float %v356, %v380
  %v397 = fsub float %v356, %v380
  store float %v396, ptr %v6, align 16
  %v398 = fadd float %v358, %v387
  %v399 = fsub float %v358, %v387
  store float %v399, ptr %v56, align 4
  %v400 = fadd float %v360, %v389
  %v401 = fsub float %v360, %v389
  store float %v401, ptr %v58, align 4
  %v402 = fadd float %v355, %v381
  %v403 = fsub float %v355, %v381
  store float %v402, ptr %v51, align 8
  %v404 = fsub float %v357, %v379
  %v405 = fadd float %v357, %v379
  store float %v404, ptr %v53, align 8
  %v406 = fadd float %v359, %v391
  %v407 = fsub float %v359, %v391
  store float %v407, ptr %v60, align 4
  %v408 = fadd float %v361, %v393
  %v409 = fsub float %v361, %v393
  store float %v409, ptr %v62, align 4
  store float %v398, ptr %v55, align 4
  store float %v395, ptr %v49, align 16
  store float %v400, ptr %v57, align 4
  store float %v397, ptr %v50, align 16
  store float %v406, ptr %v59, align 4
  store float %v403, ptr %v52, align 8
  store float %v408, ptr %v61, align 4
  store float %v405, ptr %v54, align 8
  %v410 = getelementptr float, ptr %v8, i64 %v336
  %v411 = shl i64 %v336, 3
  br label %v429

v412:
  %v413 = phi i64 [ 0, %v335 ], [ %v424, %v412 ]
  %v414 = mul nsw i64 %v12, %v413
  %v415 = add i64 %v414, %v336
  %v416 = shl i64 %v415, 3
  %v417 = getelementptr inbounds i8, ptr %v2, i64 %v416
  %v418 = getelementptr inbounds nuw float, ptr %v417, i64 %v46
  %v419 = load float, ptr %v418, align 4
  %v420 = getelementptr inbounds nuw float, ptr %v5, i64 %v413
  store float %v419, ptr %v420, align 4
  %v421 = getelementptr inbounds nuw float, ptr %v417, i64 %v48
  %v422 = load float, ptr %v421, align 4
  %v423 = getelementptr inbounds nuw float, ptr %v6, i64 %v413
  store float %v422, ptr %v423, align 4
  %v424 = add nuw nsw i64 %v413, 1
  %v425 = icmp eq i64 %v424, 8
  br i1 %v425, label %v337, label %v412

v426:
  %v427 = add nuw nsw i64 %v336, 1
  %v428 = icmp eq i64 %v427, %v12
  br i1 %v428, label %v462, label %v335

v429:
  %v430 = phi i64 [ 0, %v337 ], [ %v460, %v452 ]
  %v431 = getelementptr inbounds nuw float, ptr %v5, i64 %v430
  %v432 = load float, ptr %v431, align 4
  %v433 = getelementptr inbounds nuw float, ptr %v6, i64 %v430
  %v434 = load float, ptr %v433, align 4
  %v435 = icmp ne i64 %v430, 0
  %v436 = and i1 %v63, %v435
  br i1 %v436, label %v437, label %v452

v437:
  %v438 = shl nuw nsw i64 %v430, 1
  %v439 = add nsw i64 %v438, -2
  %v440 = mul i64 %v12, %v439
  %v441 = getelementptr float, ptr %v410, i64 %v440
  %v442 = load float, ptr %v441, align 4
  %v443 = add nsw i64 %v438, -1
  %v444 = mul i64 %v12, %v443
  %v445 = getelementptr float, ptr %v410, i64 %v444
  %v446 = load float, ptr %v445, align 4
  %v447 = fneg float %v446
  %v448 = fmul float %v434, %v447
  %v449 = tail call float @llvm.fmuladd.f32(float %v432, float %v442, float %v448)
  %v450 = fmul float %v434, %v442
  %v451 = tail call float @llvm.fmuladd.f32(float %v432, float %v446, float %v450)
  br label %v452

v452:
  %v453 = phi float [ %v449, %v437 ], [ %v432, %v429 ]
  %v454 = phi float [ %v451, %v437 ], [ %v434, %v429 ]
  %v455 = load ptr, ptr %v64, align 8
  %v456 = add nuw nsw i64 %v411, %v430
  %v457 = getelementptr inbounds float, ptr %v455, i64 %v456
  store float %v453, ptr %v457, align 4
  %v458 = load ptr, ptr %v65, align 8
  %v459 = getelementptr inbounds float, ptr %v458, i64 %v456
  store float %v454, ptr %v459, align 4
  %v460 = add nuw nsw i64 %v430, 1
  %v461 = icmp eq i64 %v460, 8
  br i1 %v461, label %v426, label %v429

v462:
  %v463 = load ptr, ptr %v3, align 8
  %v464 = getelementptr inbounds nuw i8, ptr %v3, i64 8
  %v465 = load ptr, ptr %v464, align 8
  %v466 = getelementptr inbounds nuw i8, ptr %v3, i64 16
  %v467 = load ptr, ptr %v466, align 8
  %v468 = getelementptr inbounds nuw i8, ptr %v3, i64 24
  %v469 = load ptr, ptr %v468, align 8
  store ptr %v467, ptr %v3, align 8
  store ptr %v469, ptr %v464, align 8
  store ptr %v463, ptr %v466, align 8
  store ptr %v465, ptr %v468, align 8
  br label %v505

v470:
  %v471 = getelementptr inbounds nuw i8, ptr %v3, i64 8
  %v472 = select i1 %v1, ptr %v471, ptr %v3
  %v473 = load ptr, ptr %v472, align 8
  %v474 = select i1 %v1, ptr %v3, ptr %v471
  %v475 = load ptr, ptr %v474, align 8
  %v476 = icmp slt i64 %v10, 8
  br i1 %v476, label %v477, label %v480

v477:
  %v478 = phi i64 [ 0, %v470 ], [ %v481, %v480 ]
  %v479 = icmp slt i64 %v478, %v10
  br i1 %v479, label %v494, label %v505

v480:
  %v481 = phi i64 [ %v492, %v480 ], [ 8, %v470 ]
  %v482 = phi i64 [ %v481, %v480 ], [ 0, %v470 ]
  %v483 = shl i64 %v482, 3
  %v484 = getelementptr inbounds i8, ptr %v2, i64 %v483
  %v485 = load <8 x float>, ptr %v484, align 4
  %v486 = getelementptr inbounds nuw i8, ptr %v484, i64 32
  %v487 = load <8 x float>, ptr %v486, align 4
  %v488 = shufflevector <8 x float> %v485, <8 x float> %v487, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v489 = shufflevector <8 x float> %v485, <8 x float> %v487, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v490 = getelementptr inbounds float, ptr %v473, i64 %v482
  store <8 x float> %v488, ptr %v490, align 4
  %v491 = getelementptr inbounds float, ptr %v475, i64 %v482
  store <8 x float> %v489, ptr %v491, align 4
  %v492 = add i64 %v481, 8
  %v493 = icmp sgt i64 %v492, %v10
  br i1 %v493, label %v477, label %v480

v494:
  %v495 = phi i64 [ %v503, %v494 ], [ %v478, %v477 ]
  %v496 = shl i64 %v495, 3
  %v497 = getelementptr inbounds i8, ptr %v2, i64 %v496
  %v498 = load float, ptr %v497, align 4
  %v499 = getelementptr inbounds float, ptr %v473, i64 %v495
  store float %v498, ptr %v499, align 4
  %v500 = getelementptr i8, ptr %v497, i64 4
  %v501 = load float, ptr %v500, align 4
  %v502 = getelementptr inbounds float, ptr %v475, i64 %v495
  store float %v501, ptr %v502, align 4
  %v503 = add nsw i64 %v495, 1
  %v504 = icmp eq i64 %v503, %v10
  br i1 %v504, label %v505, label %v494

v505:
  %v506 = phi i64 [ 1, %v462 ], [ 0, %v477 ], [ 0, %v494 ]
  tail call fastcc void @passes(ptr %v0, i64 %v506, i64 1, ptr %v3)
  ret void
}

define internal fastcc void @passes(ptr %v0, i64 %v1, i64 %v2, ptr %v3) nounwind {
v4:
  %v5 = alloca [31 x float], align 16
  %v6 = alloca [31 x float], align 16
  %v7 = alloca [31 x float], align 16
  %v8 = alloca [31 x float], align 16
  %v9 = alloca [31 x <8 x float>], align 32
  %v10 = alloca [31 x <8 x float>], align 32
  %v11 = alloca [31 x <8 x float>], align 32
  %v12 = alloca [31 x <8 x float>], align 32
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
  %v51 = icmp slt i64 %v38, 8
  %v52 = shl i64 %v38, 1
  br label %v99

v53:
  %v54 = icmp slt i64 %v38, 8
  br i1 %v54, label %v55, label %v58

v55:
  %v56 = phi i64 [ 0, %v53 ], [ %v59, %v58 ]
  %v57 = icmp slt i64 %v56, %v38
  br i1 %v57, label %v79, label %v2186

v58:
  %v59 = phi i64 [ %v77, %v58 ], [ 8, %v53 ]
  %v60 = phi i64 [ %v59, %v58 ], [ 0, %v53 ]
  %v61 = getelementptr inbounds float, ptr %v42, i64 %v60
  %v62 = getelementptr inbounds float, ptr %v43, i64 %v60
  %v63 = getelementptr inbounds float, ptr %v44, i64 %v60
  %v64 = getelementptr inbounds float, ptr %v45, i64 %v60
  %v65 = load <8 x float>, ptr %v61, align 4
  %v66 = load <8 x float>, ptr %v62, align 4
  %v67 = getelementptr inbounds nuw float, ptr %v61, i64 %v38
  %v68 = load <8 x float>, ptr %v67, align 4
  %v69 = getelementptr inbounds nuw float, ptr %v62, i64 %v38
  %v70 = load <8 x float>, ptr %v69, align 4
  %v71 = fadd <8 x float> %v65, %v68
  %v72 = fsub <8 x float> %v65, %v68
  %v73 = fadd <8 x float> %v66, %v70
  %v74 = fsub <8 x float> %v66, %v70
  store <8 x float> %v71, ptr %v63, align 4
  store <8 x float> %v73, ptr %v64, align 4
  %v75 = getelementptr inbounds nuw float, ptr %v63, i64 %v38
  store <8 x float> %v72, ptr %v75, align 4
  %v76 = getelementptr inbounds nuw float, ptr %v64, i64 %v38
  store <8 x float> %v74, ptr %v76, align 4
  %v77 = add i64 %v59, 8
  %v78 = icmp sgt i64 %v77, %v38
  br i1 %v78, label %v55, label %v58

v79:
  %v80 = phi i64 [ %v97, %v79 ], [ %v56, %v55 ]
  %v81 = getelementptr inbounds float, ptr %v42, i64 %v80
  %v82 = getelementptr inbounds float, ptr %v43, i64 %v80
  %v83 = getelementptr inbounds float, ptr %v44, i64 %v80
  %v84 = getelementptr inbounds float, ptr %v45, i64 %v80
  %v85 = load float, ptr %v81, align 4
  %v86 = load float, ptr %v82, align 4
  %v87 = getelementptr inbounds float, ptr %v81, i64 %v38
  %v88 = load float, ptr %v87, align 4
  %v89 = getelementptr inbounds float, ptr %v82, i64 %v38
  %v90 = load float, ptr %v89, align 4
  %v91 = fadd float %v85, %v88
  %v92 = fsub float %v85, %v88
  %v93 = fadd float %v86, %v90
  %v94 = fsub float %v86, %v90
  store float %v91, ptr %v83, align 4
  store float %v93, ptr %v84, align 4
  %v95 = getelementptr inbounds float, ptr %v83, i64 %v38
  store float %v92, ptr %v95, align 4
  %v96 = getelementptr inbounds float, ptr %v84, i64 %v38
  store float %v94, ptr %v96, align 4
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
  %v108 = getelementptr inbounds nuw i8, ptr %v101, i64 4
  br label %v115

v109:
  %v110 = phi i64 [ 0, %v99 ], [ %v116, %v144 ]
  %v111 = icmp slt i64 %v110, %v38
  br i1 %v111, label %v112, label %v182

v112:
  %v113 = icmp eq ptr %v101, null
  %v114 = getelementptr inbounds nuw i8, ptr %v101, i64 4
  br label %v151

v115:
  %v116 = phi i64 [ 8, %v106 ], [ %v149, %v144 ]
  %v117 = phi i64 [ 0, %v106 ], [ %v116, %v144 ]
  %v118 = getelementptr inbounds float, ptr %v102, i64 %v117
  %v119 = getelementptr inbounds float, ptr %v103, i64 %v117
  %v120 = getelementptr inbounds float, ptr %v104, i64 %v117
  %v121 = getelementptr inbounds float, ptr %v105, i64 %v117
  %v122 = load <8 x float>, ptr %v118, align 4
  %v123 = load <8 x float>, ptr %v119, align 4
  %v124 = getelementptr inbounds float, ptr %v118, i64 %v50
  %v125 = load <8 x float>, ptr %v124, align 4
  %v126 = getelementptr inbounds float, ptr %v119, i64 %v50
  %v127 = load <8 x float>, ptr %v126, align 4
  %v128 = fadd <8 x float> %v122, %v125
  %v129 = fsub <8 x float> %v122, %v125
  %v130 = fadd <8 x float> %v123, %v127
  %v131 = fsub <8 x float> %v123, %v127
  store <8 x float> %v128, ptr %v120, align 4
  store <8 x float> %v130, ptr %v121, align 4
  br i1 %v107, label %v144, label %v132

v132:
  %v133 = load float, ptr %v101, align 4
  %v134 = load float, ptr %v108, align 4
  %v135 = insertelement <8 x float> poison, float %v133, i64 0
  %v136 = shufflevector <8 x float> %v135, <8 x float> poison, <8 x i32> zeroinitializer
  %v137 = insertelement <8 x float> poison, float %v134, i64 0
  %v138 = shufflevector <8 x float> %v137, <8 x float> poison, <8 x i32> zeroinitializer
  %v139 = fneg <8 x float> %v138
  %v140 = fmul <8 x float> %v131, %v139
  %v141 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v129, <8 x float> %v136, <8 x float> %v140)
  %v142 = fmul <8 x float> %v131, %v136
  %v143 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v129, <8 x float> %v138, <8 x float> %v142)
  br label %v144

v144:
  %v145 = phi <8 x float> [ %v143, %v132 ], [ %v131, %v115 ]
  %v146 = phi <8 x float> [ %v141, %v132 ], [ %v129, %v115 ]
  %v147 = getelementptr inbounds nuw float, ptr %v120, i64 %v38
  store <8 x float> %v146, ptr %v147, align 4
  %v148 = getelementptr inbounds nuw float, ptr %v121, i64 %v38
  store <8 x float> %v145, ptr %v148, align 4
  %v149 = add i64 %v116, 8
  %v150 = icmp sgt i64 %v149, %v38
  br i1 %v150, label %v109, label %v115

v151:
  %v152 = phi i64 [ %v110, %v112 ], [ %v180, %v175 ]
  %v153 = getelementptr inbounds float, ptr %v102, i64 %v152
  %v154 = getelementptr inbounds float, ptr %v103, i64 %v152
  %v155 = getelementptr inbounds float, ptr %v104, i64 %v152
  %v156 = getelementptr inbounds float, ptr %v105, i64 %v152
  %v157 = load float, ptr %v153, align 4
  %v158 = load float, ptr %v154, align 4
  %v159 = getelementptr inbounds float, ptr %v153, i64 %v50
  %v160 = load float, ptr %v159, align 4
  %v161 = getelementptr inbounds float, ptr %v154, i64 %v50
  %v162 = load float, ptr %v161, align 4
  %v163 = fadd float %v157, %v160
  %v164 = fsub float %v157, %v160
  %v165 = fadd float %v158, %v162
  %v166 = fsub float %v158, %v162
  store float %v163, ptr %v155, align 4
  store float %v165, ptr %v156, align 4
  br i1 %v113, label %v175, label %v167

v167:
  %v168 = load float, ptr %v101, align 4
  %v169 = load float, ptr %v114, align 4
  %v170 = fneg float %v169
  %v171 = fmul float %v166, %v170
  %v172 = tail call float @llvm.fmuladd.f32(float %v164, float %v168, float %v171)
  %v173 = fmul float %v166, %v168
  %v174 = tail call float @llvm.fmuladd.f32(float %v164, float %v169, float %v173)
  br label %v175

v175:
  %v176 = phi float [ %v174, %v167 ], [ %v166, %v151 ]
  %v177 = phi float [ %v172, %v167 ], [ %v164, %v151 ]
  %v178 = getelementptr inbounds float, ptr %v155, i64 %v38
  store float %v177, ptr %v178, align 4
  %v179 = getelementptr inbounds float, ptr %v156, i64 %v38
  store float %v176, ptr %v179, align 4
  %v180 = add nsw i64 %v152, 1
  %v181 = icmp eq i64 %v180, %v38
  br i1 %v181, label %v182, label %v151

v182:
  %v183 = getelementptr inbounds float, ptr %v102, i64 %v38
  %v184 = getelementptr inbounds float, ptr %v103, i64 %v38
  %v185 = getelementptr inbounds float, ptr %v104, i64 %v52
  %v186 = getelementptr inbounds float, ptr %v105, i64 %v52
  %v187 = getelementptr i8, ptr %v101, i64 8
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
  %v200 = icmp slt i64 %v38, 8
  %v201 = shl i64 %v199, 1
  %v202 = shl i64 %v38, 1
  %v203 = mul i64 %v38, 3
  br label %v286

v204:
  %v205 = icmp slt i64 %v38, 8
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
  %v214 = phi i64 [ 8, %v206 ], [ %v248, %v213 ]
  %v215 = phi i64 [ 0, %v206 ], [ %v214, %v213 ]
  %v216 = getelementptr inbounds float, ptr %v191, i64 %v215
  %v217 = getelementptr inbounds float, ptr %v192, i64 %v215
  %v218 = getelementptr inbounds float, ptr %v193, i64 %v215
  %v219 = getelementptr inbounds float, ptr %v194, i64 %v215
  %v220 = load <8 x float>, ptr %v216, align 4
  %v221 = load <8 x float>, ptr %v217, align 4
  %v222 = getelementptr inbounds nuw float, ptr %v216, i64 %v38
  %v223 = load <8 x float>, ptr %v222, align 4
  %v224 = getelementptr inbounds nuw float, ptr %v217, i64 %v38
  %v225 = load <8 x float>, ptr %v224, align 4
  %v226 = getelementptr inbounds float, ptr %v216, i64 %v207
  %v227 = load <8 x float>, ptr %v226, align 4
  %v228 = getelementptr inbounds float, ptr %v217, i64 %v207
  %v229 = load <8 x float>, ptr %v228, align 4
  %v230 = fadd <8 x float> %v223, %v227
  %v231 = fsub <8 x float> %v223, %v227
  %v232 = fadd <8 x float> %v225, %v229
  %v233 = fsub <8 x float> %v225, %v229
  %v234 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v230, <8 x float> splat (float -5.000000e-01), <8 x float> %v220)
  %v235 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v232, <8 x float> splat (float -5.000000e-01), <8 x float> %v221)
  %v236 = fmul <8 x float> %v233, splat (float 0x3FEBB67AE0000000)
  %v237 = fmul <8 x float> %v231, splat (float 0xBFEBB67AE0000000)
  %v238 = fadd <8 x float> %v220, %v230
  %v239 = fadd <8 x float> %v221, %v232
  %v240 = fadd <8 x float> %v234, %v236
  %v241 = fadd <8 x float> %v237, %v235
  %v242 = fsub <8 x float> %v234, %v236
  %v243 = fsub <8 x float> %v235, %v237
  store <8 x float> %v238, ptr %v218, align 4
  store <8 x float> %v239, ptr %v219, align 4
  %v244 = getelementptr inbounds nuw float, ptr %v218, i64 %v38
  store <8 x float> %v240, ptr %v244, align 4
  %v245 = getelementptr inbounds nuw float, ptr %v219, i64 %v38
  store <8 x float> %v241, ptr %v245, align 4
  %v246 = getelementptr inbounds float, ptr %v218, i64 %v207
  store <8 x float> %v242, ptr %v246, align 4
  %v247 = getelementptr inbounds float, ptr %v219, i64 %v207
  store <8 x float> %v243, ptr %v247, align 4
  %v248 = add i64 %v214, 8
  %v249 = icmp sgt i64 %v248, %v38
  br i1 %v249, label %v208, label %v213

v250:
  %v251 = phi i64 [ %v209, %v211 ], [ %v284, %v250 ]
  %v252 = getelementptr inbounds float, ptr %v191, i64 %v251
  %v253 = getelementptr inbounds float, ptr %v192, i64 %v251
  %v254 = getelementptr inbounds float, ptr %v193, i64 %v251
  %v255 = getelementptr inbounds float, ptr %v194, i64 %v251
  %v256 = load float, ptr %v252, align 4
  %v257 = load float, ptr %v253, align 4
  %v258 = getelementptr inbounds float, ptr %v252, i64 %v38
  %v259 = load float, ptr %v258, align 4
  %v260 = getelementptr inbounds float, ptr %v253, i64 %v38
  %v261 = load float, ptr %v260, align 4
  %v262 = getelementptr inbounds float, ptr %v252, i64 %v212
  %v263 = load float, ptr %v262, align 4
  %v264 = getelementptr inbounds float, ptr %v253, i64 %v212
  %v265 = load float, ptr %v264, align 4
  %v266 = fadd float %v259, %v263
  %v267 = fsub float %v259, %v263
  %v268 = fadd float %v261, %v265
  %v269 = fsub float %v261, %v265
  %v270 = tail call float @llvm.fmuladd.f32(float %v266, float -5.000000e-01, float %v256)
  %v271 = tail call float @llvm.fmuladd.f32(float %v268, float -5.000000e-01, float %v257)
  %v272 = fmul float %v269, 0x3FEBB67AE0000000
  %v273 = fmul float %v267, 0xBFEBB67AE0000000
  %v274 = fadd float %v256, %v266
  %v275 = fadd float %v257, %v268
  %v276 = fadd float %v270, %v272
  %v277 = fadd float %v273, %v271
  %v278 = fsub float %v270, %v272
  %v279 = fsub float %v271, %v273
  store float %v274, ptr %v254, align 4
  store float %v275, ptr %v255, align 4
  %v280 = getelementptr inbounds float, ptr %v254, i64 %v38
  store float %v276, ptr %v280, align 4
  %v281 = getelementptr inbounds float, ptr %v255, i64 %v38
  store float %v277, ptr %v281, align 4
  %v282 = getelementptr inbounds float, ptr %v254, i64 %v212
  store float %v278, ptr %v282, align 4
  %v283 = getelementptr inbounds float, ptr %v255, i64 %v212
  store float %v279, ptr %v283, align 4
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
  %v295 = getelementptr inbounds nuw i8, ptr %v288, i64 4
  %v296 = getelementptr inbounds nuw i8, ptr %v288, i64 8
  %v297 = getelementptr inbounds nuw i8, ptr %v288, i64 12
  br label %v306

v298:
  %v299 = phi i64 [ 0, %v286 ], [ %v307, %v365 ]
  %v300 = icmp slt i64 %v299, %v38
  br i1 %v300, label %v301, label %v429

v301:
  %v302 = icmp eq ptr %v288, null
  %v303 = getelementptr inbounds nuw i8, ptr %v288, i64 4
  %v304 = getelementptr inbounds nuw i8, ptr %v288, i64 8
  %v305 = getelementptr inbounds nuw i8, ptr %v288, i64 12
  br label %v372

v306:
  %v307 = phi i64 [ 8, %v293 ], [ %v370, %v365 ]
  %v308 = phi i64 [ 0, %v293 ], [ %v307, %v365 ]
  %v309 = getelementptr inbounds float, ptr %v289, i64 %v308
  %v310 = getelementptr inbounds float, ptr %v290, i64 %v308
  %v311 = getelementptr inbounds float, ptr %v291, i64 %v308
  %v312 = getelementptr inbounds float, ptr %v292, i64 %v308
  %v313 = load <8 x float>, ptr %v309, align 4
  %v314 = load <8 x float>, ptr %v310, align 4
  %v315 = getelementptr inbounds float, ptr %v309, i64 %v199
  %v316 = load <8 x float>, ptr %v315, align 4
  %v317 = getelementptr inbounds float, ptr %v310, i64 %v199
  %v318 = load <8 x float>, ptr %v317, align 4
  %v319 = getelementptr inbounds float, ptr %v309, i64 %v201
  %v320 = load <8 x float>, ptr %v319, align 4
  %v321 = getelementptr inbounds float, ptr %v310, i64 %v201
  %v322 = load <8 x float>, ptr %v321, align 4
  %v323 = fadd <8 x float> %v316, %v320
  %v324 = fsub <8 x float> %v316, %v320
  %v325 = fadd <8 x float> %v318, %v322
  %v326 = fsub <8 x float> %v318, %v322
  %v327 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v323, <8 x float> splat (float -5.000000e-01), <8 x float> %v313)
  %v328 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v325, <8 x float> splat (float -5.000000e-01), <8 x float> %v314)
  %v329 = fmul <8 x float> %v326, splat (float 0x3FEBB67AE0000000)
  %v330 = fmul <8 x float> %v324, splat (float 0xBFEBB67AE0000000)
  %v331 = fadd <8 x float> %v313, %v323
  %v332 = fadd <8 x float> %v314, %v325
  %v333 = fadd <8 x float> %v327, %v329
  %v334 = fadd <8 x float> %v330, %v328
  %v335 = fsub <8 x float> %v327, %v329
  %v336 = fsub <8 x float> %v328, %v330
  store <8 x float> %v331, ptr %v311, align 4
  store <8 x float> %v332, ptr %v312, align 4
  br i1 %v294, label %v337, label %v340

v337:
  %v338 = getelementptr inbounds nuw float, ptr %v311, i64 %v38
  store <8 x float> %v333, ptr %v338, align 4
  %v339 = getelementptr inbounds nuw float, ptr %v312, i64 %v38
  store <8 x float> %v334, ptr %v339, align 4
  br label %v365

v340:
  %v341 = load float, ptr %v288, align 4
  %v342 = load float, ptr %v295, align 4
  %v343 = insertelement <8 x float> poison, float %v341, i64 0
  %v344 = shufflevector <8 x float> %v343, <8 x float> poison, <8 x i32> zeroinitializer
  %v345 = insertelement <8 x float> poison, float %v342, i64 0
  %v346 = shufflevector <8 x float> %v345, <8 x float> poison, <8 x i32> zeroinitializer
  %v347 = fneg <8 x float> %v346
  %v348 = fmul <8 x float> %v334, %v347
  %v349 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v333, <8 x float> %v344, <8 x float> %v348)
  %v350 = fmul <8 x float> %v334, %v344
  %v351 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v333, <8 x float> %v346, <8 x float> %v350)
  %v352 = getelementptr inbounds nuw float, ptr %v311, i64 %v38
  store <8 x float> %v349, ptr %v352, align 4
  %v353 = getelementptr inbounds nuw float, ptr %v312, i64 %v38
  store <8 x float> %v351, ptr %v353, align 4
  %v354 = load float, ptr %v296, align 4
  %v355 = load float, ptr %v297, align 4
  %v356 = insertelement <8 x float> poison, float %v354, i64 0
  %v357 = shufflevector <8 x float> %v356, <8 x float> poison, <8 x i32> zeroinitializer
  %v358 = insertelement <8 x float> poison, float %v355, i64 0
  %v359 = shufflevector <8 x float> %v358, <8 x float> poison, <8 x i32> zeroinitializer
  %v360 = fneg <8 x float> %v359
  %v361 = fmul <8 x float> %v336, %v360
  %v362 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v335, <8 x float> %v357, <8 x float> %v361)
  %v363 = fmul <8 x float> %v336, %v357
  %v364 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v335, <8 x float> %v359, <8 x float> %v363)
  br label %v365

v365:
  %v366 = phi <8 x float> [ %v364, %v340 ], [ %v336, %v337 ]
  %v367 = phi <8 x float> [ %v362, %v340 ], [ %v335, %v337 ]
  %v368 = getelementptr inbounds float, ptr %v311, i64 %v202
  store <8 x float> %v367, ptr %v368, align 4
  %v369 = getelementptr inbounds float, ptr %v312, i64 %v202
  store <8 x float> %v366, ptr %v369, align 4
  %v370 = add i64 %v307, 8
  %v371 = icmp sgt i64 %v370, %v38
  br i1 %v371, label %v298, label %v306

v372:
  %v373 = phi i64 [ %v299, %v301 ], [ %v427, %v422 ]
  %v374 = getelementptr inbounds float, ptr %v289, i64 %v373
  %v375 = getelementptr inbounds float, ptr %v290, i64 %v373
  %v376 = getelementptr inbounds float, ptr %v291, i64 %v373
  %v377 = getelementptr inbounds float, ptr %v292, i64 %v373
  %v378 = load float, ptr %v374, align 4
  %v379 = load float, ptr %v375, align 4
  %v380 = getelementptr inbounds float, ptr %v374, i64 %v199
  %v381 = load float, ptr %v380, align 4
  %v382 = getelementptr inbounds float, ptr %v375, i64 %v199
  %v383 = load float, ptr %v382, align 4
  %v384 = getelementptr inbounds float, ptr %v374, i64 %v201
  %v385 = load float, ptr %v384, align 4
  %v386 = getelementptr inbounds float, ptr %v375, i64 %v201
  %v387 = load float, ptr %v386, align 4
  %v388 = fadd float %v381, %v385
  %v389 = fsub float %v381, %v385
  %v390 = fadd float %v383, %v387
  %v391 = fsub float %v383, %v387
  %v392 = tail call float @llvm.fmuladd.f32(float %v388, float -5.000000e-01, float %v378)
  %v393 = tail call float @llvm.fmuladd.f32(float %v390, float -5.000000e-01, float %v379)
  %v394 = fmul float %v391, 0x3FEBB67AE0000000
  %v395 = fmul float %v389, 0xBFEBB67AE0000000
  %v396 = fadd float %v378, %v388
  %v397 = fadd float %v379, %v390
  %v398 = fadd float %v392, %v394
  %v399 = fadd float %v395, %v393
  %v400 = fsub float %v392, %v394
  %v401 = fsub float %v393, %v395
  store float %v396, ptr %v376, align 4
  store float %v397, ptr %v377, align 4
  br i1 %v302, label %v402, label %v405

v402:
  %v403 = getelementptr inbounds float, ptr %v376, i64 %v38
  store float %v398, ptr %v403, align 4
  %v404 = getelementptr inbounds float, ptr %v377, i64 %v38
  store float %v399, ptr %v404, align 4
  br label %v422

v405:
  %v406 = load float, ptr %v288, align 4
  %v407 = load float, ptr %v303, align 4
  %v408 = fneg float %v407
  %v409 = fmul float %v399, %v408
  %v410 = tail call float @llvm.fmuladd.f32(float %v398, float %v406, float %v409)
  %v411 = fmul float %v399, %v406
  %v412 = tail call float @llvm.fmuladd.f32(float %v398, float %v407, float %v411)
  %v413 = getelementptr inbounds float, ptr %v376, i64 %v38
  store float %v410, ptr %v413, align 4
  %v414 = getelementptr inbounds float, ptr %v377, i64 %v38
  store float %v412, ptr %v414, align 4
  %v415 = load float, ptr %v304, align 4
  %v416 = load float, ptr %v305, align 4
  %v417 = fneg float %v416
  %v418 = fmul float %v401, %v417
  %v419 = tail call float @llvm.fmuladd.f32(float %v400, float %v415, float %v418)
  %v420 = fmul float %v401, %v415
  %v421 = tail call float @llvm.fmuladd.f32(float %v400, float %v416, float %v420)
  br label %v422

v422:
  %v423 = phi float [ %v421, %v405 ], [ %v401, %v402 ]
  %v424 = phi float [ %v419, %v405 ], [ %v400, %v402 ]
  %v425 = getelementptr inbounds float, ptr %v376, i64 %v202
  store float %v424, ptr %v425, align 4
  %v426 = getelementptr inbounds float, ptr %v377, i64 %v202
  store float %v423, ptr %v426, align 4
  %v427 = add nsw i64 %v373, 1
  %v428 = icmp eq i64 %v427, %v38
  br i1 %v428, label %v429, label %v372

v429:
  %v430 = getelementptr inbounds float, ptr %v289, i64 %v38
  %v431 = getelementptr inbounds float, ptr %v290, i64 %v38
  %v432 = getelementptr inbounds float, ptr %v291, i64 %v203
  %v433 = getelementptr inbounds float, ptr %v292, i64 %v203
  %v434 = getelementptr i8, ptr %v288, i64 16
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
  %v447 = icmp slt i64 %v38, 8
  %v448 = shl i64 %v446, 1
  %v449 = mul i64 %v446, 3
  %v450 = shl i64 %v38, 1
  %v451 = mul i64 %v38, 3
  %v452 = shl i64 %v38, 2
  br label %v553

v453:
  %v454 = icmp slt i64 %v38, 8
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
  %v465 = phi i64 [ 8, %v455 ], [ %v507, %v464 ]
  %v466 = phi i64 [ 0, %v455 ], [ %v465, %v464 ]
  %v467 = getelementptr inbounds float, ptr %v438, i64 %v466
  %v468 = getelementptr inbounds float, ptr %v439, i64 %v466
  %v469 = getelementptr inbounds float, ptr %v440, i64 %v466
  %v470 = getelementptr inbounds float, ptr %v441, i64 %v466
  %v471 = load <8 x float>, ptr %v467, align 4
  %v472 = load <8 x float>, ptr %v468, align 4
  %v473 = getelementptr inbounds nuw float, ptr %v467, i64 %v38
  %v474 = load <8 x float>, ptr %v473, align 4
  %v475 = getelementptr inbounds nuw float, ptr %v468, i64 %v38
  %v476 = load <8 x float>, ptr %v475, align 4
  %v477 = getelementptr inbounds float, ptr %v467, i64 %v456
  %v478 = load <8 x float>, ptr %v477, align 4
  %v479 = getelementptr inbounds float, ptr %v468, i64 %v456
  %v480 = load <8 x float>, ptr %v479, align 4
  %v481 = getelementptr inbounds float, ptr %v467, i64 %v457
  %v482 = load <8 x float>, ptr %v481, align 4
  %v483 = getelementptr inbounds float, ptr %v468, i64 %v457
  %v484 = load <8 x float>, ptr %v483, align 4
  %v485 = fadd <8 x float> %v471, %v478
  %v486 = fsub <8 x float> %v471, %v478
  %v487 = fadd <8 x float> %v472, %v480
  %v488 = fsub <8 x float> %v472, %v480
  %v489 = fadd <8 x float> %v474, %v482
  %v490 = fsub <8 x float> %v474, %v482
  %v491 = fadd <8 x float> %v476, %v484
  %v492 = fsub <8 x float> %v476, %v484
  %v493 = fadd <8 x float> %v485, %v489
  %v494 = fsub <8 x float> %v485, %v489
  %v495 = fadd <8 x float> %v487, %v491
  %v496 = fsub <8 x float> %v487, %v491
  %v497 = fadd <8 x float> %v486, %v492
  %v498 = fsub <8 x float> %v486, %v492
  %v499 = fsub <8 x float> %v488, %v490
  %v500 = fadd <8 x float> %v488, %v490
  store <8 x float> %v493, ptr %v469, align 4
  store <8 x float> %v495, ptr %v470, align 4
  %v501 = getelementptr inbounds nuw float, ptr %v469, i64 %v38
  store <8 x float> %v497, ptr %v501, align 4
  %v502 = getelementptr inbounds nuw float, ptr %v470, i64 %v38
  store <8 x float> %v499, ptr %v502, align 4
  %v503 = getelementptr inbounds float, ptr %v469, i64 %v456
  store <8 x float> %v494, ptr %v503, align 4
  %v504 = getelementptr inbounds float, ptr %v470, i64 %v456
  store <8 x float> %v496, ptr %v504, align 4
  %v505 = getelementptr inbounds float, ptr %v469, i64 %v457
  store <8 x float> %v498, ptr %v505, align 4
  %v506 = getelementptr inbounds float, ptr %v470, i64 %v457
  store <8 x float> %v500, ptr %v506, align 4
  %v507 = add i64 %v465, 8
  %v508 = icmp sgt i64 %v507, %v38
  br i1 %v508, label %v458, label %v464

v509:
  %v510 = phi i64 [ %v459, %v461 ], [ %v551, %v509 ]
  %v511 = getelementptr inbounds float, ptr %v438, i64 %v510
  %v512 = getelementptr inbounds float, ptr %v439, i64 %v510
  %v513 = getelementptr inbounds float, ptr %v440, i64 %v510
  %v514 = getelementptr inbounds float, ptr %v441, i64 %v510
  %v515 = load float, ptr %v511, align 4
  %v516 = load float, ptr %v512, align 4
  %v517 = getelementptr inbounds float, ptr %v511, i64 %v38
  %v518 = load float, ptr %v517, align 4
  %v519 = getelementptr inbounds float, ptr %v512, i64 %v38
  %v520 = load float, ptr %v519, align 4
  %v521 = getelementptr inbounds float, ptr %v511, i64 %v462
  %v522 = load float, ptr %v521, align 4
  %v523 = getelementptr inbounds float, ptr %v512, i64 %v462
  %v524 = load float, ptr %v523, align 4
  %v525 = getelementptr inbounds float, ptr %v511, i64 %v463
  %v526 = load float, ptr %v525, align 4
  %v527 = getelementptr inbounds float, ptr %v512, i64 %v463
  %v528 = load float, ptr %v527, align 4
  %v529 = fadd float %v515, %v522
  %v530 = fsub float %v515, %v522
  %v531 = fadd float %v516, %v524
  %v532 = fsub float %v516, %v524
  %v533 = fadd float %v518, %v526
  %v534 = fsub float %v518, %v526
  %v535 = fadd float %v520, %v528
  %v536 = fsub float %v520, %v528
  %v537 = fadd float %v529, %v533
  %v538 = fsub float %v529, %v533
  %v539 = fadd float %v531, %v535
  %v540 = fsub float %v531, %v535
  %v541 = fadd float %v530, %v536
  %v542 = fsub float %v530, %v536
  %v543 = fsub float %v532, %v534
  %v544 = fadd float %v532, %v534
  store float %v537, ptr %v513, align 4
  store float %v539, ptr %v514, align 4
  %v545 = getelementptr inbounds float, ptr %v513, i64 %v38
  store float %v541, ptr %v545, align 4
  %v546 = getelementptr inbounds float, ptr %v514, i64 %v38
  store float %v543, ptr %v546, align 4
  %v547 = getelementptr inbounds float, ptr %v513, i64 %v462
  store float %v538, ptr %v547, align 4
  %v548 = getelementptr inbounds float, ptr %v514, i64 %v462
  store float %v540, ptr %v548, align 4
  %v549 = getelementptr inbounds float, ptr %v513, i64 %v463
  store float %v542, ptr %v549, align 4
  %v550 = getelementptr inbounds float, ptr %v514, i64 %v463
  store float %v544, ptr %v550, align 4
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
  %v562 = getelementptr inbounds nuw i8, ptr %v555, i64 4
  %v563 = getelementptr inbounds nuw i8, ptr %v555, i64 8
  %v564 = getelementptr inbounds nuw i8, ptr %v555, i64 12
  %v565 = getelementptr inbounds nuw i8, ptr %v555, i64 16
  %v566 = getelementptr inbounds nuw i8, ptr %v555, i64 20
  br label %v577

v567:
  %v568 = phi i64 [ 0, %v553 ], [ %v578, %v657 ]
  %v569 = icmp slt i64 %v568, %v38
  br i1 %v569, label %v570, label %v738

v570:
  %v571 = icmp eq ptr %v555, null
  %v572 = getelementptr inbounds nuw i8, ptr %v555, i64 4
  %v573 = getelementptr inbounds nuw i8, ptr %v555, i64 8
  %v574 = getelementptr inbounds nuw i8, ptr %v555, i64 12
  %v575 = getelementptr inbounds nuw i8, ptr %v555, i64 16
  %v576 = getelementptr inbounds nuw i8, ptr %v555, i64 20
  br label %v664

v577:
  %v578 = phi i64 [ 8, %v560 ], [ %v662, %v657 ]
  %v579 = phi i64 [ 0, %v560 ], [ %v578, %v657 ]
  %v580 = getelementptr inbounds float, ptr %v556, i64 %v579
  %v581 = getelementptr inbounds float, ptr %v557, i64 %v579
  %v582 = getelementptr inbounds float, ptr %v558, i64 %v579
  %v583 = getelementptr inbounds float, ptr %v559, i64 %v579
  %v584 = load <8 x float>, ptr %v580, align 4
  %v585 = load <8 x float>, ptr %v581, align 4
  %v586 = getelementptr inbounds float, ptr %v580, i64 %v446
  %v587 = load <8 x float>, ptr %v586, align 4
  %v588 = getelementptr inbounds float, ptr %v581, i64 %v446
  %v589 = load <8 x float>, ptr %v588, align 4
  %v590 = getelementptr inbounds float, ptr %v580, i64 %v448
  %v591 = load <8 x float>, ptr %v590, align 4
  %v592 = getelementptr inbounds float, ptr %v581, i64 %v448
  %v593 = load <8 x float>, ptr %v592, align 4
  %v594 = getelementptr inbounds float, ptr %v580, i64 %v449
  %v595 = load <8 x float>, ptr %v594, align 4
  %v596 = getelementptr inbounds float, ptr %v581, i64 %v449
  %v597 = load <8 x float>, ptr %v596, align 4
  %v598 = fadd <8 x float> %v584, %v591
  %v599 = fsub <8 x float> %v584, %v591
  %v600 = fadd <8 x float> %v585, %v593
  %v601 = fsub <8 x float> %v585, %v593
  %v602 = fadd <8 x float> %v587, %v595
  %v603 = fsub <8 x float> %v587, %v595
  %v604 = fadd <8 x float> %v589, %v597
  %v605 = fsub <8 x float> %v589, %v597
  %v606 = fadd <8 x float> %v598, %v602
  %v607 = fsub <8 x float> %v598, %v602
  %v608 = fadd <8 x float> %v600, %v604
  %v609 = fsub <8 x float> %v600, %v604
  %v610 = fadd <8 x float> %v599, %v605
  %v611 = fsub <8 x float> %v599, %v605
  %v612 = fsub <8 x float> %v601, %v603
  %v613 = fadd <8 x float> %v601, %v603
  store <8 x float> %v606, ptr %v582, align 4
  store <8 x float> %v608, ptr %v583, align 4
  br i1 %v561, label %v614, label %v619

v614:
  %v615 = getelementptr inbounds nuw float, ptr %v582, i64 %v38
  store <8 x float> %v610, ptr %v615, align 4
  %v616 = getelementptr inbounds nuw float, ptr %v583, i64 %v38
  store <8 x float> %v612, ptr %v616, align 4
  %v617 = getelementptr inbounds float, ptr %v582, i64 %v450
  store <8 x float> %v607, ptr %v617, align 4
  %v618 = getelementptr inbounds float, ptr %v583, i64 %v450
  store <8 x float> %v609, ptr %v618, align 4
  br label %v657

v619:
  %v620 = load float, ptr %v555, align 4
  %v621 = load float, ptr %v562, align 4
  %v622 = insertelement <8 x float> poison, float %v620, i64 0
  %v623 = shufflevector <8 x float> %v622, <8 x float> poison, <8 x i32> zeroinitializer
  %v624 = insertelement <8 x float> poison, float %v621, i64 0
  %v625 = shufflevector <8 x float> %v624, <8 x float> poison, <8 x i32> zeroinitializer
  %v626 = fneg <8 x float> %v625
  %v627 = fmul <8 x float> %v612, %v626
  %v628 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v610, <8 x float> %v623, <8 x float> %v627)
  %v629 = fmul <8 x float> %v612, %v623
  %v630 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v610, <8 x float> %v625, <8 x float> %v629)
  %v631 = getelementptr inbounds nuw float, ptr %v582, i64 %v38
  store <8 x float> %v628, ptr %v631, align 4
  %v632 = getelementptr inbounds nuw float, ptr %v583, i64 %v38
  store <8 x float> %v630, ptr %v632, align 4
  %v633 = load float, ptr %v563, align 4
  %v634 = load float, ptr %v564, align 4
  %v635 = insertelement <8 x float> poison, float %v633, i64 0
  %v636 = shufflevector <8 x float> %v635, <8 x float> poison, <8 x i32> zeroinitializer
  %v637 = insertelement <8 x float> poison, float %v634, i64 0
  %v638 = shufflevector <8 x float> %v637, <8 x float> poison, <8 x i32> zeroinitializer
  %v639 = fneg <8 x float> %v638
  %v640 = fmul <8 x float> %v609, %v639
  %v641 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v607, <8 x float> %v636, <8 x float> %v640)
  %v642 = fmul <8 x float> %v609, %v636
  %v643 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v607, <8 x float> %v638, <8 x float> %v642)
  %v644 = getelementptr inbounds float, ptr %v582, i64 %v450
  store <8 x float> %v641, ptr %v644, align 4
  %v645 = getelementptr inbounds float, ptr %v583, i64 %v450
  store <8 x float> %v643, ptr %v645, align 4
  %v646 = load float, ptr %v565, align 4
  %v647 = load float, ptr %v566, align 4
  %v648 = insertelement <8 x float> poison, float %v646, i64 0
  %v649 = shufflevector <8 x float> %v648, <8 x float> poison, <8 x i32> zeroinitializer
  %v650 = insertelement <8 x float> poison, float %v647, i64 0
  %v651 = shufflevector <8 x float> %v650, <8 x float> poison, <8 x i32> zeroinitializer
  %v652 = fneg <8 x float> %v651
  %v653 = fmul <8 x float> %v613, %v652
  %v654 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v611, <8 x float> %v649, <8 x float> %v653)
  %v655 = fmul <8 x float> %v613, %v649
  %v656 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v611, <8 x float> %v651, <8 x float> %v655)
  br label %v657

v657:
  %v658 = phi <8 x float> [ %v656, %v619 ], [ %v613, %v614 ]
  %v659 = phi <8 x float> [ %v654, %v619 ], [ %v611, %v614 ]
  %v660 = getelementptr inbounds float, ptr %v582, i64 %v451
  store <8 x float> %v659, ptr %v660, align 4
  %v661 = getelementptr inbounds float, ptr %v583, i64 %v451
  store <8 x float> %v658, ptr %v661, align 4
  %v662 = add i64 %v578, 8
  %v663 = icmp sgt i64 %v662, %v38
  br i1 %v663, label %v567, label %v577

v664:
  %v665 = phi i64 [ %v568, %v570 ], [ %v736, %v731 ]
  %v666 = getelementptr inbounds float, ptr %v556, i64 %v665
  %v667 = getelementptr inbounds float, ptr %v557, i64 %v665
  %v668 = getelementptr inbounds float, ptr %v558, i64 %v665
  %v669 = getelementptr inbounds float, ptr %v559, i64 %v665
  %v670 = load float, ptr %v666, align 4
  %v671 = load float, ptr %v667, align 4
  %v672 = getelementptr inbounds float, ptr %v666, i64 %v446
  %v673 = load float, ptr %v672, align 4
  %v674 = getelementptr inbounds float, ptr %v667, i64 %v446
  %v675 = load float, ptr %v674, align 4
  %v676 = getelementptr inbounds float, ptr %v666, i64 %v448
  %v677 = load float, ptr %v676, align 4
  %v678 = getelementptr inbounds float, ptr %v667, i64 %v448
  %v679 = load float, ptr %v678, align 4
  %v680 = getelementptr inbounds float, ptr %v666, i64 %v449
  %v681 = load float, ptr %v680, align 4
  %v682 = getelementptr inbounds float, ptr %v667, i64 %v449
  %v683 = load float, ptr %v682, align 4
  %v684 = fadd float %v670, %v677
  %v685 = fsub float %v670, %v677
  %v686 = fadd float %v671, %v679
  %v687 = fsub float %v671, %v679
  %v688 = fadd float %v673, %v681
  %v689 = fsub float %v673, %v681
  %v690 = fadd float %v675, %v683
  %v691 = fsub float %v675, %v683
  %v692 = fadd float %v684, %v688
  %v693 = fsub float %v684, %v688
  %v694 = fadd float %v686, %v690
  %v695 = fsub float %v686, %v690
  %v696 = fadd float %v685, %v691
  %v697 = fsub float %v685, %v691
  %v698 = fsub float %v687, %v689
  %v699 = fadd float %v687, %v689
  store float %v692, ptr %v668, align 4
  store float %v694, ptr %v669, align 4
  br i1 %v571, label %v700, label %v705

v700:
  %v701 = getelementptr inbounds float, ptr %v668, i64 %v38
  store float %v696, ptr %v701, align 4
  %v702 = getelementptr inbounds float, ptr %v669, i64 %v38
  store float %v698, ptr %v702, align 4
  %v703 = getelementptr inbounds float, ptr %v668, i64 %v450
  store float %v693, ptr %v703, align 4
  %v704 = getelementptr inbounds float, ptr %v669, i64 %v450
  store float %v695, ptr %v704, align 4
  br label %v731

v705:
  %v706 = load float, ptr %v555, align 4
  %v707 = load float, ptr %v572, align 4
  %v708 = fneg float %v707
  %v709 = fmul float %v698, %v708
  %v710 = tail call float @llvm.fmuladd.f32(float %v696, float %v706, float %v709)
  %v711 = fmul float %v698, %v706
  %v712 = tail call float @llvm.fmuladd.f32(float %v696, float %v707, float %v711)
  %v713 = getelementptr inbounds float, ptr %v668, i64 %v38
  store float %v710, ptr %v713, align 4
  %v714 = getelementptr inbounds float, ptr %v669, i64 %v38
  store float %v712, ptr %v714, align 4
  %v715 = load float, ptr %v573, align 4
  %v716 = load float, ptr %v574, align 4
  %v717 = fneg float %v716
  %v718 = fmul float %v695, %v717
  %v719 = tail call float @llvm.fmuladd.f32(float %v693, float %v715, float %v718)
  %v720 = fmul float %v695, %v715
  %v721 = tail call float @llvm.fmuladd.f32(float %v693, float %v716, float %v720)
  %v722 = getelementptr inbounds float, ptr %v668, i64 %v450
  store float %v719, ptr %v722, align 4
  %v723 = getelementptr inbounds float, ptr %v669, i64 %v450
  store float %v721, ptr %v723, align 4
  %v724 = load float, ptr %v575, align 4
  %v725 = load float, ptr %v576, align 4
  %v726 = fneg float %v725
  %v727 = fmul float %v699, %v726
  %v728 = tail call float @llvm.fmuladd.f32(float %v697, float %v724, float %v727)
  %v729 = fmul float %v699, %v724
  %v730 = tail call float @llvm.fmuladd.f32(float %v697, float %v725, float %v729)
  br label %v731

v731:
  %v732 = phi float [ %v730, %v705 ], [ %v699, %v700 ]
  %v733 = phi float [ %v728, %v705 ], [ %v697, %v700 ]
  %v734 = getelementptr inbounds float, ptr %v668, i64 %v451
  store float %v733, ptr %v734, align 4
  %v735 = getelementptr inbounds float, ptr %v669, i64 %v451
  store float %v732, ptr %v735, align 4
  %v736 = add nsw i64 %v665, 1
  %v737 = icmp eq i64 %v736, %v38
  br i1 %v737, label %v738, label %v664

v738:
  %v739 = getelementptr inbounds float, ptr %v556, i64 %v38
  %v740 = getelementptr inbounds float, ptr %v557, i64 %v38
  %v741 = getelementptr inbounds float, ptr %v558, i64 %v452
  %v742 = getelementptr inbounds float, ptr %v559, i64 %v452
  %v743 = getelementptr i8, ptr %v555, i64 24
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
  %v756 = icmp slt i64 %v38, 8
  %v757 = shl i64 %v755, 1
  %v758 = mul i64 %v755, 3
  %v759 = shl i64 %v755, 2
  %v760 = shl i64 %v38, 1
  %v761 = mul i64 %v38, 3
  %v762 = shl i64 %v38, 2
  %v763 = mul i64 %v38, 5
  br label %v918

v764:
  %v765 = icmp slt i64 %v38, 8
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
  %v778 = phi i64 [ 8, %v766 ], [ %v846, %v777 ]
  %v779 = phi i64 [ 0, %v766 ], [ %v778, %v777 ]
  %v780 = getelementptr inbounds float, ptr %v747, i64 %v779
  %v781 = getelementptr inbounds float, ptr %v748, i64 %v779
  %v782 = getelementptr inbounds float, ptr %v749, i64 %v779
  %v783 = getelementptr inbounds float, ptr %v750, i64 %v779
  %v784 = load <8 x float>, ptr %v780, align 4
  %v785 = load <8 x float>, ptr %v781, align 4
  %v786 = getelementptr inbounds nuw float, ptr %v780, i64 %v38
  %v787 = load <8 x float>, ptr %v786, align 4
  %v788 = getelementptr inbounds nuw float, ptr %v781, i64 %v38
  %v789 = load <8 x float>, ptr %v788, align 4
  %v790 = getelementptr inbounds float, ptr %v780, i64 %v767
  %v791 = load <8 x float>, ptr %v790, align 4
  %v792 = getelementptr inbounds float, ptr %v781, i64 %v767
  %v793 = load <8 x float>, ptr %v792, align 4
  %v794 = getelementptr inbounds float, ptr %v780, i64 %v768
  %v795 = load <8 x float>, ptr %v794, align 4
  %v796 = getelementptr inbounds float, ptr %v781, i64 %v768
  %v797 = load <8 x float>, ptr %v796, align 4
  %v798 = getelementptr inbounds float, ptr %v780, i64 %v769
  %v799 = load <8 x float>, ptr %v798, align 4
  %v800 = getelementptr inbounds float, ptr %v781, i64 %v769
  %v801 = load <8 x float>, ptr %v800, align 4
  %v802 = fadd <8 x float> %v787, %v799
  %v803 = fsub <8 x float> %v787, %v799
  %v804 = fadd <8 x float> %v789, %v801
  %v805 = fsub <8 x float> %v789, %v801
  %v806 = fadd <8 x float> %v791, %v795
  %v807 = fsub <8 x float> %v791, %v795
  %v808 = fadd <8 x float> %v793, %v797
  %v809 = fsub <8 x float> %v793, %v797
  %v810 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v802, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %v784)
  %v811 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v804, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %v785)
  %v812 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v802, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %v784)
  %v813 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v804, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %v785)
  %v814 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v806, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %v810)
  %v815 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v808, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %v811)
  %v816 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v806, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %v812)
  %v817 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v808, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %v813)
  %v818 = fmul <8 x float> %v809, splat (float 0x3FE2CF2300000000)
  %v819 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v805, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %v818)
  %v820 = fmul <8 x float> %v807, splat (float 0x3FE2CF2300000000)
  %v821 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v803, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %v820)
  %v822 = fmul <8 x float> %v809, splat (float 0xBFEE6F0E20000000)
  %v823 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v805, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %v822)
  %v824 = fmul <8 x float> %v807, splat (float 0xBFEE6F0E20000000)
  %v825 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v803, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %v824)
  %v826 = fadd <8 x float> %v806, %v802
  %v827 = fadd <8 x float> %v784, %v826
  %v828 = fadd <8 x float> %v808, %v804
  %v829 = fadd <8 x float> %v785, %v828
  %v830 = fadd <8 x float> %v814, %v819
  %v831 = fsub <8 x float> %v815, %v821
  %v832 = fsub <8 x float> %v814, %v819
  %v833 = fadd <8 x float> %v821, %v815
  %v834 = fadd <8 x float> %v816, %v823
  %v835 = fsub <8 x float> %v817, %v825
  %v836 = fsub <8 x float> %v816, %v823
  %v837 = fadd <8 x float> %v825, %v817
  store <8 x float> %v827, ptr %v782, align 4
  store <8 x float> %v829, ptr %v783, align 4
  %v838 = getelementptr inbounds nuw float, ptr %v782, i64 %v38
  store <8 x float> %v830, ptr %v838, align 4
  %v839 = getelementptr inbounds nuw float, ptr %v783, i64 %v38
  store <8 x float> %v831, ptr %v839, align 4
  %v840 = getelementptr inbounds float, ptr %v782, i64 %v767
  store <8 x float> %v834, ptr %v840, align 4
  %v841 = getelementptr inbounds float, ptr %v783, i64 %v767
  store <8 x float> %v835, ptr %v841, align 4
  %v842 = getelementptr inbounds float, ptr %v782, i64 %v768
  store <8 x float> %v836, ptr %v842, align 4
  %v843 = getelementptr inbounds float, ptr %v783, i64 %v768
  store <8 x float> %v837, ptr %v843, align 4
  %v844 = getelementptr inbounds float, ptr %v782, i64 %v769
  store <8 x float> %v832, ptr %v844, align 4
  %v845 = getelementptr inbounds float, ptr %v783, i64 %v769
  store <8 x float> %v833, ptr %v845, align 4
  %v846 = add i64 %v778, 8
  %v847 = icmp sgt i64 %v846, %v38
  br i1 %v847, label %v770, label %v777

v848:
  %v849 = phi i64 [ %v771, %v773 ], [ %v916, %v848 ]
  %v850 = getelementptr inbounds float, ptr %v747, i64 %v849
  %v851 = getelementptr inbounds float, ptr %v748, i64 %v849
  %v852 = getelementptr inbounds float, ptr %v749, i64 %v849
  %v853 = getelementptr inbounds float, ptr %v750, i64 %v849
  %v854 = load float, ptr %v850, align 4
  %v855 = load float, ptr %v851, align 4
  %v856 = getelementptr inbounds float, ptr %v850, i64 %v38
  %v857 = load float, ptr %v856, align 4
  %v858 = getelementptr inbounds float, ptr %v851, i64 %v38
  %v859 = load float, ptr %v858, align 4
  %v860 = getelementptr inbounds float, ptr %v850, i64 %v774
  %v861 = load float, ptr %v860, align 4
  %v862 = getelementptr inbounds float, ptr %v851, i64 %v774
  %v863 = load float, ptr %v862, align 4
  %v864 = getelementptr inbounds float, ptr %v850, i64 %v775
  %v865 = load float, ptr %v864, align 4
  %v866 = getelementptr inbounds float, ptr %v851, i64 %v775
  %v867 = load float, ptr %v866, align 4
  %v868 = getelementptr inbounds float, ptr %v850, i64 %v776
  %v869 = load float, ptr %v868, align 4
  %v870 = getelementptr inbounds float, ptr %v851, i64 %v776
  %v871 = load float, ptr %v870, align 4
  %v872 = fadd float %v857, %v869
  %v873 = fsub float %v857, %v869
  %v874 = fadd float %v859, %v871
  %v875 = fsub float %v859, %v871
  %v876 = fadd float %v861, %v865
  %v877 = fsub float %v861, %v865
  %v878 = fadd float %v863, %v867
  %v879 = fsub float %v863, %v867
  %v880 = tail call float @llvm.fmuladd.f32(float %v872, float 0x3FD3C6EF40000000, float %v854)
  %v881 = tail call float @llvm.fmuladd.f32(float %v874, float 0x3FD3C6EF40000000, float %v855)
  %v882 = tail call float @llvm.fmuladd.f32(float %v872, float 0xBFE9E377A0000000, float %v854)
  %v883 = tail call float @llvm.fmuladd.f32(float %v874, float 0xBFE9E377A0000000, float %v855)
  %v884 = tail call float @llvm.fmuladd.f32(float %v876, float 0xBFE9E377A0000000, float %v880)
  %v885 = tail call float @llvm.fmuladd.f32(float %v878, float 0xBFE9E377A0000000, float %v881)
  %v886 = tail call float @llvm.fmuladd.f32(float %v876, float 0x3FD3C6EF40000000, float %v882)
  %v887 = tail call float @llvm.fmuladd.f32(float %v878, float 0x3FD3C6EF40000000, float %v883)
  %v888 = fmul float %v879, 0x3FE2CF2300000000
  %v889 = tail call float @llvm.fmuladd.f32(float %v875, float 0x3FEE6F0E20000000, float %v888)
  %v890 = fmul float %v877, 0x3FE2CF2300000000
  %v891 = tail call float @llvm.fmuladd.f32(float %v873, float 0x3FEE6F0E20000000, float %v890)
  %v892 = fmul float %v879, 0xBFEE6F0E20000000
  %v893 = tail call float @llvm.fmuladd.f32(float %v875, float 0x3FE2CF2300000000, float %v892)
  %v894 = fmul float %v877, 0xBFEE6F0E20000000
  %v895 = tail call float @llvm.fmuladd.f32(float %v873, float 0x3FE2CF2300000000, float %v894)
  %v896 = fadd float %v876, %v872
  %v897 = fadd float %v854, %v896
  %v898 = fadd float %v878, %v874
  %v899 = fadd float %v855, %v898
  %v900 = fadd float %v884, %v889
  %v901 = fsub float %v885, %v891
  %v902 = fsub float %v884, %v889
  %v903 = fadd float %v891, %v885
  %v904 = fadd float %v886, %v893
  %v905 = fsub float %v887, %v895
  %v906 = fsub float %v886, %v893
  %v907 = fadd float %v895, %v887
  store float %v897, ptr %v852, align 4
  store float %v899, ptr %v853, align 4
  %v908 = getelementptr inbounds float, ptr %v852, i64 %v38
  store float %v900, ptr %v908, align 4
  %v909 = getelementptr inbounds float, ptr %v853, i64 %v38
  store float %v901, ptr %v909, align 4
  %v910 = getelementptr inbounds float, ptr %v852, i64 %v774
  store float %v904, ptr %v910, align 4
  %v911 = getelementptr inbounds float, ptr %v853, i64 %v774
  store float %v905, ptr %v911, align 4
  %v912 = getelementptr inbounds float, ptr %v852, i64 %v775
  store float %v906, ptr %v912, align 4
  %v913 = getelementptr inbounds float, ptr %v853, i64 %v775
  store float %v907, ptr %v913, align 4
  %v914 = getelementptr inbounds float, ptr %v852, i64 %v776
  store float %v902, ptr %v914, align 4
  %v915 = getelementptr inbounds float, ptr %v853, i64 %v776
  store float %v903, ptr %v915, align 4
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
  %v927 = getelementptr inbounds nuw i8, ptr %v920, i64 4
  %v928 = getelementptr inbounds nuw i8, ptr %v920, i64 8
  %v929 = getelementptr inbounds nuw i8, ptr %v920, i64 12
  %v930 = getelementptr inbounds nuw i8, ptr %v920, i64 16
  %v931 = getelementptr inbounds nuw i8, ptr %v920, i64 20
  %v932 = getelementptr inbounds nuw i8, ptr %v920, i64 24
  %v933 = getelementptr inbounds nuw i8, ptr %v920, i64 28
  br label %v946

v934:
  %v935 = phi i64 [ 0, %v918 ], [ %v947, %v1065 ]
  %v936 = icmp slt i64 %v935, %v38
  br i1 %v936, label %v937, label %v1181

v937:
  %v938 = icmp eq ptr %v920, null
  %v939 = getelementptr inbounds nuw i8, ptr %v920, i64 4
  %v940 = getelementptr inbounds nuw i8, ptr %v920, i64 8
  %v941 = getelementptr inbounds nuw i8, ptr %v920, i64 12
  %v942 = getelementptr inbounds nuw i8, ptr %v920, i64 16
  %v943 = getelementptr inbounds nuw i8, ptr %v920, i64 20
  %v944 = getelementptr inbounds nuw i8, ptr %v920, i64 24
  %v945 = getelementptr inbounds nuw i8, ptr %v920, i64 28
  br label %v1072

v946:
  %v947 = phi i64 [ 8, %v925 ], [ %v1070, %v1065 ]
  %v948 = phi i64 [ 0, %v925 ], [ %v947, %v1065 ]
  %v949 = getelementptr inbounds float, ptr %v921, i64 %v948
  %v950 = getelementptr inbounds float, ptr %v922, i64 %v948
  %v951 = getelementptr inbounds float, ptr %v923, i64 %v948
  %v952 = getelementptr inbounds float, ptr %v924, i64 %v948
  %v953 = load <8 x float>, ptr %v949, align 4
  %v954 = load <8 x float>, ptr %v950, align 4
  %v955 = getelementptr inbounds float, ptr %v949, i64 %v755
  %v956 = load <8 x float>, ptr %v955, align 4
  %v957 = getelementptr inbounds float, ptr %v950, i64 %v755
  %v958 = load <8 x float>, ptr %v957, align 4
  %v959 = getelementptr inbounds float, ptr %v949, i64 %v757
  %v960 = load <8 x float>, ptr %v959, align 4
  %v961 = getelementptr inbounds float, ptr %v950, i64 %v757
  %v962 = load <8 x float>, ptr %v961, align 4
  %v963 = getelementptr inbounds float, ptr %v949, i64 %v758
  %v964 = load <8 x float>, ptr %v963, align 4
  %v965 = getelementptr inbounds float, ptr %v950, i64 %v758
  %v966 = load <8 x float>, ptr %v965, align 4
  %v967 = getelementptr inbounds float, ptr %v949, i64 %v759
  %v968 = load <8 x float>, ptr %v967, align 4
  %v969 = getelementptr inbounds float, ptr %v950, i64 %v759
  %v970 = load <8 x float>, ptr %v969, align 4
  %v971 = fadd <8 x float> %v956, %v968
  %v972 = fsub <8 x float> %v956, %v968
  %v973 = fadd <8 x float> %v958, %v970
  %v974 = fsub <8 x float> %v958, %v970
  %v975 = fadd <8 x float> %v960, %v964
  %v976 = fsub <8 x float> %v960, %v964
  %v977 = fadd <8 x float> %v962, %v966
  %v978 = fsub <8 x float> %v962, %v966
  %v979 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v971, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %v953)
  %v980 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v973, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %v954)
  %v981 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v971, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %v953)
  %v982 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v973, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %v954)
  %v983 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v975, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %v979)
  %v984 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v977, <8 x float> splat (float 0xBFE9E377A0000000), <8 x float> %v980)
  %v985 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v975, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %v981)
  %v986 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v977, <8 x float> splat (float 0x3FD3C6EF40000000), <8 x float> %v982)
  %v987 = fmul <8 x float> %v978, splat (float 0x3FE2CF2300000000)
  %v988 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v974, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %v987)
  %v989 = fmul <8 x float> %v976, splat (float 0x3FE2CF2300000000)
  %v990 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v972, <8 x float> splat (float 0x3FEE6F0E20000000), <8 x float> %v989)
  %v991 = fmul <8 x float> %v978, splat (float 0xBFEE6F0E20000000)
  %v992 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v974, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %v991)
  %v993 = fmul <8 x float> %v976, splat (float 0xBFEE6F0E20000000)
  %v994 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v972, <8 x float> splat (float 0x3FE2CF2300000000), <8 x float> %v993)
  %v995 = fadd <8 x float> %v975, %v971
  %v996 = fadd <8 x float> %v953, %v995
  %v997 = fadd <8 x float> %v977, %v973
  %v998 = fadd <8 x float> %v954, %v997
  %v999 = fadd <8 x float> %v983, %v988
  %v1000 = fsub <8 x float> %v984, %v990
  %v1001 = fsub <8 x float> %v983, %v988
  %v1002 = fadd <8 x float> %v990, %v984
  %v1003 = fadd <8 x float> %v985, %v992
  %v1004 = fsub <8 x float> %v986, %v994
  %v1005 = fsub <8 x float> %v985, %v992
  %v1006 = fadd <8 x float> %v994, %v986
  store <8 x float> %v996, ptr %v951, align 4
  store <8 x float> %v998, ptr %v952, align 4
  br i1 %v926, label %v1007, label %v1014

v1007:
  %v1008 = getelementptr inbounds nuw float, ptr %v951, i64 %v38
  store <8 x float> %v999, ptr %v1008, align 4
  %v1009 = getelementptr inbounds nuw float, ptr %v952, i64 %v38
  store <8 x float> %v1000, ptr %v1009, align 4
  %v1010 = getelementptr inbounds float, ptr %v951, i64 %v760
  store <8 x float> %v1003, ptr %v1010, align 4
  %v1011 = getelementptr inbounds float, ptr %v952, i64 %v760
  store <8 x float> %v1004, ptr %v1011, align 4
  %v1012 = getelementptr inbounds float, ptr %v951, i64 %v761
  store <8 x float> %v1005, ptr %v1012, align 4
  %v1013 = getelementptr inbounds float, ptr %v952, i64 %v761
  store <8 x float> %v1006, ptr %v1013, align 4
  br label %v1065

v1014:
  %v1015 = load float, ptr %v920, align 4
  %v1016 = load float, ptr %v927, align 4
  %v1017 = insertelement <8 x float> poison, float %v1015, i64 0
  %v1018 = shufflevector <8 x float> %v1017, <8 x float> poison, <8 x i32> zeroinitializer
  %v1019 = insertelement <8 x float> poison, float %v1016, i64 0
  %v1020 = shufflevector <8 x float> %v1019, <8 x float> poison, <8 x i32> zeroinitializer
  %v1021 = fneg <8 x float> %v1020
  %v1022 = fmul <8 x float> %v1000, %v1021
  %v1023 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v999, <8 x float> %v1018, <8 x float> %v1022)
  %v1024 = fmul <8 x float> %v1000, %v1018
  %v1025 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v999, <8 x float> %v1020, <8 x float> %v1024)
  %v1026 = getelementptr inbounds nuw float, ptr %v951, i64 %v38
  store <8 x float> %v1023, ptr %v1026, align 4
  %v1027 = getelementptr inbounds nuw float, ptr %v952, i64 %v38
  store <8 x float> %v1025, ptr %v1027, align 4
  %v1028 = load float, ptr %v928, align 4
  %v1029 = load float, ptr %v929, align 4
  %v1030 = insertelement <8 x float> poison, float %v1028, i64 0
  %v1031 = shufflevector <8 x float> %v1030, <8 x float> poison, <8 x i32> zeroinitializer
  %v1032 = insertelement <8 x float> poison, float %v1029, i64 0
  %v1033 = shufflevector <8 x float> %v1032, <8 x float> poison, <8 x i32> zeroinitializer
  %v1034 = fneg <8 x float> %v1033
  %v1035 = fmul <8 x float> %v1004, %v1034
  %v1036 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1003, <8 x float> %v1031, <8 x float> %v1035)
  %v1037 = fmul <8 x float> %v1004, %v1031
  %v1038 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1003, <8 x float> %v1033, <8 x float> %v1037)
  %v1039 = getelementptr inbounds float, ptr %v951, i64 %v760
  store <8 x float> %v1036, ptr %v1039, align 4
  %v1040 = getelementptr inbounds float, ptr %v952, i64 %v760
  store <8 x float> %v1038, ptr %v1040, align 4
  %v1041 = load float, ptr %v930, align 4
  %v1042 = load float, ptr %v931, align 4
  %v1043 = insertelement <8 x float> poison, float %v1041, i64 0
  %v1044 = shufflevector <8 x float> %v1043, <8 x float> poison, <8 x i32> zeroinitializer
  %v1045 = insertelement <8 x float> poison, float %v1042, i64 0
  %v1046 = shufflevector <8 x float> %v1045, <8 x float> poison, <8 x i32> zeroinitializer
  %v1047 = fneg <8 x float> %v1046
  %v1048 = fmul <8 x float> %v1006, %v1047
  %v1049 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1005, <8 x float> %v1044, <8 x float> %v1048)
  %v1050 = fmul <8 x float> %v1006, %v1044
  %v1051 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1005, <8 x float> %v1046, <8 x float> %v1050)
  %v1052 = getelementptr inbounds float, ptr %v951, i64 %v761
  store <8 x float> %v1049, ptr %v1052, align 4
  %v1053 = getelementptr inbounds float, ptr %v952, i64 %v761
  store <8 x float> %v1051, ptr %v1053, align 4
  %v1054 = load float, ptr %v932, align 4
  %v1055 = load float, ptr %v933, align 4
  %v1056 = insertelement <8 x float> poison, float %v1054, i64 0
  %v1057 = shufflevector <8 x float> %v1056, <8 x float> poison, <8 x i32> zeroinitializer
  %v1058 = insertelement <8 x float> poison, float %v1055, i64 0
  %v1059 = shufflevector <8 x float> %v1058, <8 x float> poison, <8 x i32> zeroinitializer
  %v1060 = fneg <8 x float> %v1059
  %v1061 = fmul <8 x float> %v1002, %v1060
  %v1062 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1001, <8 x float> %v1057, <8 x float> %v1061)
  %v1063 = fmul <8 x float> %v1002, %v1057
  %v1064 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1001, <8 x float> %v1059, <8 x float> %v1063)
  br label %v1065

v1065:
  %v1066 = phi <8 x float> [ %v1064, %v1014 ], [ %v1002, %v1007 ]
  %v1067 = phi <8 x float> [ %v1062, %v1014 ], [ %v1001, %v1007 ]
  %v1068 = getelementptr inbounds float, ptr %v951, i64 %v762
  store <8 x float> %v1067, ptr %v1068, align 4
  %v1069 = getelementptr inbounds float, ptr %v952, i64 %v762
  store <8 x float> %v1066, ptr %v1069, align 4
  %v1070 = add i64 %v947, 8
  %v1071 = icmp sgt i64 %v1070, %v38
  br i1 %v1071, label %v934, label %v946

v1072:
  %v1073 = phi i64 [ %v935, %v937 ], [ %v1179, %v1174 ]
  %v1074 = getelementptr inbounds float, ptr %v921, i64 %v1073
  %v1075 = getelementptr inbounds float, ptr %v922, i64 %v1073
  %v1076 = getelementptr inbounds float, ptr %v923, i64 %v1073
  %v1077 = getelementptr inbounds float, ptr %v924, i64 %v1073
  %v1078 = load float, ptr %v1074, align 4
  %v1079 = load float, ptr %v1075, align 4
  %v1080 = getelementptr inbounds float, ptr %v1074, i64 %v755
  %v1081 = load float, ptr %v1080, align 4
  %v1082 = getelementptr inbounds float, ptr %v1075, i64 %v755
  %v1083 = load float, ptr %v1082, align 4
  %v1084 = getelementptr inbounds float, ptr %v1074, i64 %v757
  %v1085 = load float, ptr %v1084, align 4
  %v1086 = getelementptr inbounds float, ptr %v1075, i64 %v757
  %v1087 = load float, ptr %v1086, align 4
  %v1088 = getelementptr inbounds float, ptr %v1074, i64 %v758
  %v1089 = load float, ptr %v1088, align 4
  %v1090 = getelementptr inbounds float, ptr %v1075, i64 %v758
  %v1091 = load float, ptr %v1090, align 4
  %v1092 = getelementptr inbounds float, ptr %v1074, i64 %v759
  %v1093 = load float, ptr %v1092, align 4
  %v1094 = getelementptr inbounds float, ptr %v1075, i64 %v759
  %v1095 = load float, ptr %v1094, align 4
  %v1096 = fadd float %v1081, %v1093
  %v1097 = fsub float %v1081, %v1093
  %v1098 = fadd float %v1083, %v1095
  %v1099 = fsub float %v1083, %v1095
  %v1100 = fadd float %v1085, %v1089
  %v1101 = fsub float %v1085, %v1089
  %v1102 = fadd float %v1087, %v1091
  %v1103 = fsub float %v1087, %v1091
  %v1104 = tail call float @llvm.fmuladd.f32(float %v1096, float 0x3FD3C6EF40000000, float %v1078)
  %v1105 = tail call float @llvm.fmuladd.f32(float %v1098, float 0x3FD3C6EF40000000, float %v1079)
  %v1106 = tail call float @llvm.fmuladd.f32(float %v1096, float 0xBFE9E377A0000000, float %v1078)
  %v1107 = tail call float @llvm.fmuladd.f32(float %v1098, float 0xBFE9E377A0000000, float %v1079)
  %v1108 = tail call float @llvm.fmuladd.f32(float %v1100, float 0xBFE9E377A0000000, float %v1104)
  %v1109 = tail call float @llvm.fmuladd.f32(float %v1102, float 0xBFE9E377A0000000, float %v1105)
  %v1110 = tail call float @llvm.fmuladd.f32(float %v1100, float 0x3FD3C6EF40000000, float %v1106)
  %v1111 = tail call float @llvm.fmuladd.f32(float %v1102, float 0x3FD3C6EF40000000, float %v1107)
  %v1112 = fmul float %v1103, 0x3FE2CF2300000000
  %v1113 = tail call float @llvm.fmuladd.f32(float %v1099, float 0x3FEE6F0E20000000, float %v1112)
  %v1114 = fmul float %v1101, 0x3FE2CF2300000000
  %v1115 = tail call float @llvm.fmuladd.f32(float %v1097, float 0x3FEE6F0E20000000, float %v1114)
  %v1116 = fmul float %v1103, 0xBFEE6F0E20000000
  %v1117 = tail call float @llvm.fmuladd.f32(float %v1099, float 0x3FE2CF2300000000, float %v1116)
  %v1118 = fmul float %v1101, 0xBFEE6F0E20000000
  %v1119 = tail call float @llvm.fmuladd.f32(float %v1097, float 0x3FE2CF2300000000, float %v1118)
  %v1120 = fadd float %v1100, %v1096
  %v1121 = fadd float %v1078, %v1120
  %v1122 = fadd float %v1102, %v1098
  %v1123 = fadd float %v1079, %v1122
  %v1124 = fadd float %v1108, %v1113
  %v1125 = fsub float %v1109, %v1115
  %v1126 = fsub float %v1108, %v1113
  %v1127 = fadd float %v1115, %v1109
  %v1128 = fadd float %v1110, %v1117
  %v1129 = fsub float %v1111, %v1119
  %v1130 = fsub float %v1110, %v1117
  %v1131 = fadd float %v1119, %v1111
  store float %v1121, ptr %v1076, align 4
  store float %v1123, ptr %v1077, align 4
  br i1 %v938, label %v1132, label %v1139

v1132:
  %v1133 = getelementptr inbounds float, ptr %v1076, i64 %v38
  store float %v1124, ptr %v1133, align 4
  %v1134 = getelementptr inbounds float, ptr %v1077, i64 %v38
  store float %v1125, ptr %v1134, align 4
  %v1135 = getelementptr inbounds float, ptr %v1076, i64 %v760
  store float %v1128, ptr %v1135, align 4
  %v1136 = getelementptr inbounds float, ptr %v1077, i64 %v760
  store float %v1129, ptr %v1136, align 4
  %v1137 = getelementptr inbounds float, ptr %v1076, i64 %v761
  store float %v1130, ptr %v1137, align 4
  %v1138 = getelementptr inbounds float, ptr %v1077, i64 %v761
  store float %v1131, ptr %v1138, align 4
  br label %v1174

v1139:
  %v1140 = load float, ptr %v920, align 4
  %v1141 = load float, ptr %v939, align 4
  %v1142 = fneg float %v1141
  %v1143 = fmul float %v1125, %v1142
  %v1144 = tail call float @llvm.fmuladd.f32(float %v1124, float %v1140, float %v1143)
  %v1145 = fmul float %v1125, %v1140
  %v1146 = tail call float @llvm.fmuladd.f32(float %v1124, float %v1141, float %v1145)
  %v1147 = getelementptr inbounds float, ptr %v1076, i64 %v38
  store float %v1144, ptr %v1147, align 4
  %v1148 = getelementptr inbounds float, ptr %v1077, i64 %v38
  store float %v1146, ptr %v1148, align 4
  %v1149 = load float, ptr %v940, align 4
  %v1150 = load float, ptr %v941, align 4
  %v1151 = fneg float %v1150
  %v1152 = fmul float %v1129, %v1151
  %v1153 = tail call float @llvm.fmuladd.f32(float %v1128, float %v1149, float %v1152)
  %v1154 = fmul float %v1129, %v1149
  %v1155 = tail call float @llvm.fmuladd.f32(float %v1128, float %v1150, float %v1154)
  %v1156 = getelementptr inbounds float, ptr %v1076, i64 %v760
  store float %v1153, ptr %v1156, align 4
  %v1157 = getelementptr inbounds float, ptr %v1077, i64 %v760
  store float %v1155, ptr %v1157, align 4
  %v1158 = load float, ptr %v942, align 4
  %v1159 = load float, ptr %v943, align 4
  %v1160 = fneg float %v1159
  %v1161 = fmul float %v1131, %v1160
  %v1162 = tail call float @llvm.fmuladd.f32(float %v1130, float %v1158, float %v1161)
  %v1163 = fmul float %v1131, %v1158
  %v1164 = tail call float @llvm.fmuladd.f32(float %v1130, float %v1159, float %v1163)
  %v1165 = getelementptr inbounds float, ptr %v1076, i64 %v761
  store float %v1162, ptr %v1165, align 4
  %v1166 = getelementptr inbounds float, ptr %v1077, i64 %v761
  store float %v1164, ptr %v1166, align 4
  %v1167 = load float, ptr %v944, align 4
  %v1168 = load float, ptr %v945, align 4
  %v1169 = fneg float %v1168
  %v1170 = fmul float %v1127, %v1169
  %v1171 = tail call float @llvm.fmuladd.f32(float %v1126, float %v1167, float %v1170)
  %v1172 = fmul float %v1127, %v1167
  %v1173 = tail call float @llvm.fmuladd.f32(float %v1126, float %v1168, float %v1172)
  br label %v1174

v1174:
  %v1175 = phi float [ %v1173, %v1139 ], [ %v1127, %v1132 ]
  %v1176 = phi float [ %v1171, %v1139 ], [ %v1126, %v1132 ]
  %v1177 = getelementptr inbounds float, ptr %v1076, i64 %v762
  store float %v1176, ptr %v1177, align 4
  %v1178 = getelementptr inbounds float, ptr %v1077, i64 %v762
  store float %v1175, ptr %v1178, align 4
  %v1179 = add nsw i64 %v1073, 1
  %v1180 = icmp eq i64 %v1179, %v38
  br i1 %v1180, label %v1181, label %v1072

v1181:
  %v1182 = getelementptr inbounds float, ptr %v921, i64 %v38
  %v1183 = getelementptr inbounds float, ptr %v922, i64 %v38
  %v1184 = getelementptr inbounds float, ptr %v923, i64 %v763
  %v1185 = getelementptr inbounds float, ptr %v924, i64 %v763
  %v1186 = getelementptr i8, ptr %v920, i64 32
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
  %v1199 = icmp slt i64 %v38, 8
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
  %v1214 = icmp slt i64 %v38, 8
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
  %v1233 = phi i64 [ 8, %v1215 ], [ %v1339, %v1232 ]
  %v1234 = phi i64 [ 0, %v1215 ], [ %v1233, %v1232 ]
  %v1235 = getelementptr inbounds float, ptr %v1190, i64 %v1234
  %v1236 = getelementptr inbounds float, ptr %v1191, i64 %v1234
  %v1237 = getelementptr inbounds float, ptr %v1192, i64 %v1234
  %v1238 = getelementptr inbounds float, ptr %v1193, i64 %v1234
  %v1239 = load <8 x float>, ptr %v1235, align 4
  %v1240 = load <8 x float>, ptr %v1236, align 4
  %v1241 = getelementptr inbounds nuw float, ptr %v1235, i64 %v38
  %v1242 = load <8 x float>, ptr %v1241, align 4
  %v1243 = getelementptr inbounds nuw float, ptr %v1236, i64 %v38
  %v1244 = load <8 x float>, ptr %v1243, align 4
  %v1245 = getelementptr inbounds float, ptr %v1235, i64 %v1216
  %v1246 = load <8 x float>, ptr %v1245, align 4
  %v1247 = getelementptr inbounds float, ptr %v1236, i64 %v1216
  %v1248 = load <8 x float>, ptr %v1247, align 4
  %v1249 = getelementptr inbounds float, ptr %v1235, i64 %v1217
  %v1250 = load <8 x float>, ptr %v1249, align 4
  %v1251 = getelementptr inbounds float, ptr %v1236, i64 %v1217
  %v1252 = load <8 x float>, ptr %v1251, align 4
  %v1253 = getelementptr inbounds float, ptr %v1235, i64 %v1218
  %v1254 = load <8 x float>, ptr %v1253, align 4
  %v1255 = getelementptr inbounds float, ptr %v1236, i64 %v1218
  %v1256 = load <8 x float>, ptr %v1255, align 4
  %v1257 = getelementptr inbounds float, ptr %v1235, i64 %v1219
  %v1258 = load <8 x float>, ptr %v1257, align 4
  %v1259 = getelementptr inbounds float, ptr %v1236, i64 %v1219
  %v1260 = load <8 x float>, ptr %v1259, align 4
  %v1261 = getelementptr inbounds float, ptr %v1235, i64 %v1220
  %v1262 = load <8 x float>, ptr %v1261, align 4
  %v1263 = getelementptr inbounds float, ptr %v1236, i64 %v1220
  %v1264 = load <8 x float>, ptr %v1263, align 4
  %v1265 = getelementptr inbounds float, ptr %v1235, i64 %v1221
  %v1266 = load <8 x float>, ptr %v1265, align 4
  %v1267 = getelementptr inbounds float, ptr %v1236, i64 %v1221
  %v1268 = load <8 x float>, ptr %v1267, align 4
  %v1269 = fadd <8 x float> %v1239, %v1254
  %v1270 = fsub <8 x float> %v1239, %v1254
  %v1271 = fadd <8 x float> %v1240, %v1256
  %v1272 = fsub <8 x float> %v1240, %v1256
  %v1273 = fadd <8 x float> %v1246, %v1262
  %v1274 = fsub <8 x float> %v1246, %v1262
  %v1275 = fadd <8 x float> %v1248, %v1264
  %v1276 = fsub <8 x float> %v1248, %v1264
  %v1277 = fadd <8 x float> %v1269, %v1273
  %v1278 = fsub <8 x float> %v1269, %v1273
  %v1279 = fadd <8 x float> %v1271, %v1275
  %v1280 = fsub <8 x float> %v1271, %v1275
  %v1281 = fadd <8 x float> %v1270, %v1276
  %v1282 = fsub <8 x float> %v1270, %v1276
  %v1283 = fsub <8 x float> %v1272, %v1274
  %v1284 = fadd <8 x float> %v1272, %v1274
  %v1285 = fadd <8 x float> %v1242, %v1258
  %v1286 = fsub <8 x float> %v1242, %v1258
  %v1287 = fadd <8 x float> %v1244, %v1260
  %v1288 = fsub <8 x float> %v1244, %v1260
  %v1289 = fadd <8 x float> %v1250, %v1266
  %v1290 = fsub <8 x float> %v1250, %v1266
  %v1291 = fadd <8 x float> %v1252, %v1268
  %v1292 = fsub <8 x float> %v1252, %v1268
  %v1293 = fadd <8 x float> %v1285, %v1289
  %v1294 = fsub <8 x float> %v1285, %v1289
  %v1295 = fadd <8 x float> %v1287, %v1291
  %v1296 = fsub <8 x float> %v1287, %v1291
  %v1297 = fadd <8 x float> %v1286, %v1292
  %v1298 = fsub <8 x float> %v1286, %v1292
  %v1299 = fsub <8 x float> %v1288, %v1290
  %v1300 = fadd <8 x float> %v1288, %v1290
  %v1301 = fadd <8 x float> %v1299, %v1297
  %v1302 = fmul <8 x float> %v1301, splat (float 0x3FE6A09E60000000)
  %v1303 = fsub <8 x float> %v1299, %v1297
  %v1304 = fmul <8 x float> %v1303, splat (float 0x3FE6A09E60000000)
  %v1305 = fsub <8 x float> %v1300, %v1298
  %v1306 = fmul <8 x float> %v1305, splat (float 0x3FE6A09E60000000)
  %v1307 = fadd <8 x float> %v1300, %v1298
  %v1308 = fmul <8 x float> %v1307, splat (float 0xBFE6A09E60000000)
  %v1309 = fadd <8 x float> %v1277, %v1293
  %v1310 = fsub <8 x float> %v1277, %v1293
  %v1311 = fadd <8 x float> %v1279, %v1295
  %v1312 = fsub <8 x float> %v1279, %v1295
  %v1313 = fadd <8 x float> %v1281, %v1302
  %v1314 = fsub <8 x float> %v1281, %v1302
  %v1315 = fadd <8 x float> %v1283, %v1304
  %v1316 = fsub <8 x float> %v1283, %v1304
  %v1317 = fadd <8 x float> %v1278, %v1296
  %v1318 = fsub <8 x float> %v1278, %v1296
  %v1319 = fsub <8 x float> %v1280, %v1294
  %v1320 = fadd <8 x float> %v1280, %v1294
  %v1321 = fadd <8 x float> %v1282, %v1306
  %v1322 = fsub <8 x float> %v1282, %v1306
  %v1323 = fadd <8 x float> %v1284, %v1308
  %v1324 = fsub <8 x float> %v1284, %v1308
  store <8 x float> %v1309, ptr %v1237, align 4
  store <8 x float> %v1311, ptr %v1238, align 4
  %v1325 = getelementptr inbounds nuw float, ptr %v1237, i64 %v38
  store <8 x float> %v1313, ptr %v1325, align 4
  %v1326 = getelementptr inbounds nuw float, ptr %v1238, i64 %v38
  store <8 x float> %v1315, ptr %v1326, align 4
  %v1327 = getelementptr inbounds float, ptr %v1237, i64 %v1216
  store <8 x float> %v1317, ptr %v1327, align 4
  %v1328 = getelementptr inbounds float, ptr %v1238, i64 %v1216
  store <8 x float> %v1319, ptr %v1328, align 4
  %v1329 = getelementptr inbounds float, ptr %v1237, i64 %v1217
  store <8 x float> %v1321, ptr %v1329, align 4
  %v1330 = getelementptr inbounds float, ptr %v1238, i64 %v1217
  store <8 x float> %v1323, ptr %v1330, align 4
  %v1331 = getelementptr inbounds float, ptr %v1237, i64 %v1218
  store <8 x float> %v1310, ptr %v1331, align 4
  %v1332 = getelementptr inbounds float, ptr %v1238, i64 %v1218
  store <8 x float> %v1312, ptr %v1332, align 4
  %v1333 = getelementptr inbounds float, ptr %v1237, i64 %v1219
  store <8 x float> %v1314, ptr %v1333, align 4
  %v1334 = getelementptr inbounds float, ptr %v1238, i64 %v1219
  store <8 x float> %v1316, ptr %v1334, align 4
  %v1335 = getelementptr inbounds float, ptr %v1237, i64 %v1220
  store <8 x float> %v1318, ptr %v1335, align 4
  %v1336 = getelementptr inbounds float, ptr %v1238, i64 %v1220
  store <8 x float> %v1320, ptr %v1336, align 4
  %v1337 = getelementptr inbounds float, ptr %v1237, i64 %v1221
  store <8 x float> %v1322, ptr %v1337, align 4
  %v1338 = getelementptr inbounds float, ptr %v1238, i64 %v1221
  store <8 x float> %v1324, ptr %v1338, align 4
  %v1339 = add i64 %v1233, 8
  %v1340 = icmp sgt i64 %v1339, %v38
  br i1 %v1340, label %v1222, label %v1232

v1341:
  %v1342 = phi i64 [ %v1223, %v1225 ], [ %v1447, %v1341 ]
  %v1343 = getelementptr inbounds float, ptr %v1190, i64 %v1342
  %v1344 = getelementptr inbounds float, ptr %v1191, i64 %v1342
  %v1345 = getelementptr inbounds float, ptr %v1192, i64 %v1342
  %v1346 = getelementptr inbounds float, ptr %v1193, i64 %v1342
  %v1347 = load float, ptr %v1343, align 4
  %v1348 = load float, ptr %v1344, align 4
  %v1349 = getelementptr inbounds float, ptr %v1343, i64 %v38
  %v1350 = load float, ptr %v1349, align 4
  %v1351 = getelementptr inbounds float, ptr %v1344, i64 %v38
  %v1352 = load float, ptr %v1351, align 4
  %v1353 = getelementptr inbounds float, ptr %v1343, i64 %v1226
  %v1354 = load float, ptr %v1353, align 4
  %v1355 = getelementptr inbounds float, ptr %v1344, i64 %v1226
  %v1356 = load float, ptr %v1355, align 4
  %v1357 = getelementptr inbounds float, ptr %v1343, i64 %v1227
  %v1358 = load float, ptr %v1357, align 4
  %v1359 = getelementptr inbounds float, ptr %v1344, i64 %v1227
  %v1360 = load float, ptr %v1359, align 4
  %v1361 = getelementptr inbounds float, ptr %v1343, i64 %v1228
  %v1362 = load float, ptr %v1361, align 4
  %v1363 = getelementptr inbounds float, ptr %v1344, i64 %v1228
  %v1364 = load float, ptr %v1363, align 4
  %v1365 = getelementptr inbounds float, ptr %v1343, i64 %v1229
  %v1366 = load float, ptr %v1365, align 4
  %v1367 = getelementptr inbounds float, ptr %v1344, i64 %v1229
  %v1368 = load float, ptr %v1367, align 4
  %v1369 = getelementptr inbounds float, ptr %v1343, i64 %v1230
  %v1370 = load float, ptr %v1369, align 4
  %v1371 = getelementptr inbounds float, ptr %v1344, i64 %v1230
  %v1372 = load float, ptr %v1371, align 4
  %v1373 = getelementptr inbounds float, ptr %v1343, i64 %v1231
  %v1374 = load float, ptr %v1373, align 4
  %v1375 = getelementptr inbounds float, ptr %v1344, i64 %v1231
  %v1376 = load float, ptr %v1375, align 4
  %v1377 = fadd float %v1347, %v1362
  %v1378 = fsub float %v1347, %v1362
  %v1379 = fadd float %v1348, %v1364
  %v1380 = fsub float %v1348, %v1364
  %v1381 = fadd float %v1354, %v1370
  %v1382 = fsub float %v1354, %v1370
  %v1383 = fadd float %v1356, %v1372
  %v1384 = fsub float %v1356, %v1372
  %v1385 = fadd float %v1377, %v1381
  %v1386 = fsub float %v1377, %v1381
  %v1387 = fadd float %v1379, %v1383
  %v1388 = fsub float %v1379, %v1383
  %v1389 = fadd float %v1378, %v1384
  %v1390 = fsub float %v1378, %v1384
  %v1391 = fsub float %v1380, %v1382
  %v1392 = fadd float %v1380, %v1382
  %v1393 = fadd float %v1350, %v1366
  %v1394 = fsub float %v1350, %v1366
  %v1395 = fadd float %v1352, %v1368
  %v1396 = fsub float %v1352, %v1368
  %v1397 = fadd float %v1358, %v1374
  %v1398 = fsub float %v1358, %v1374
  %v1399 = fadd float %v1360, %v1376
  %v1400 = fsub float %v1360, %v1376
  %v1401 = fadd float %v1393, %v1397
  %v1402 = fsub float %v1393, %v1397
  %v1403 = fadd float %v1395, %v1399
  %v1404 = fsub float %v1395, %v1399
  %v1405 = fadd float %v1394, %v1400
  %v1406 = fsub float %v1394, %v1400
  %v1407 = fsub float %v1396, %v1398
  %v1408 = fadd float %v1396, %v1398
  %v1409 = fadd float %v1407, %v1405
  %v1410 = fmul float %v1409, 0x3FE6A09E60000000
  %v1411 = fsub float %v1407, %v1405
  %v1412 = fmul float %v1411, 0x3FE6A09E60000000
  %v1413 = fsub float %v1408, %v1406
  %v1414 = fmul float %v1413, 0x3FE6A09E60000000
  %v1415 = fadd float %v1408, %v1406
  %v1416 = fmul float %v1415, 0xBFE6A09E60000000
  %v1417 = fadd float %v1385, %v1401
  %v1418 = fsub float %v1385, %v1401
  %v1419 = fadd float %v1387, %v1403
  %v1420 = fsub float %v1387, %v1403
  %v1421 = fadd float %v1389, %v1410
  %v1422 = fsub float %v1389, %v1410
  %v1423 = fadd float %v1391, %v1412
  %v1424 = fsub float %v1391, %v1412
  %v1425 = fadd float %v1386, %v1404
  %v1426 = fsub float %v1386, %v1404
  %v1427 = fsub float %v1388, %v1402
  %v1428 = fadd float %v1388, %v1402
  %v1429 = fadd float %v1390, %v1414
  %v1430 = fsub float %v1390, %v1414
  %v1431 = fadd float %v1392, %v1416
  %v1432 = fsub float %v1392, %v1416
  store float %v1417, ptr %v1345, align 4
  store float %v1419, ptr %v1346, align 4
  %v1433 = getelementptr inbounds float, ptr %v1345, i64 %v38
  store float %v1421, ptr %v1433, align 4
  %v1434 = getelementptr inbounds float, ptr %v1346, i64 %v38
  store float %v1423, ptr %v1434, align 4
  %v1435 = getelementptr inbounds float, ptr %v1345, i64 %v1226
  store float %v1425, ptr %v1435, align 4
  %v1436 = getelementptr inbounds float, ptr %v1346, i64 %v1226
  store float %v1427, ptr %v1436, align 4
  %v1437 = getelementptr inbounds float, ptr %v1345, i64 %v1227
  store float %v1429, ptr %v1437, align 4
  %v1438 = getelementptr inbounds float, ptr %v1346, i64 %v1227
  store float %v1431, ptr %v1438, align 4
  %v1439 = getelementptr inbounds float, ptr %v1345, i64 %v1228
  store float %v1418, ptr %v1439, align 4
  %v1440 = getelementptr inbounds float, ptr %v1346, i64 %v1228
  store float %v1420, ptr %v1440, align 4
  %v1441 = getelementptr inbounds float, ptr %v1345, i64 %v1229
  store float %v1422, ptr %v1441, align 4
  %v1442 = getelementptr inbounds float, ptr %v1346, i64 %v1229
  store float %v1424, ptr %v1442, align 4
  %v1443 = getelementptr inbounds float, ptr %v1345, i64 %v1230
  store float %v1426, ptr %v1443, align 4
  %v1444 = getelementptr inbounds float, ptr %v1346, i64 %v1230
  store float %v1428, ptr %v1444, align 4
  %v1445 = getelementptr inbounds float, ptr %v1345, i64 %v1231
  store float %v1430, ptr %v1445, align 4
  %v1446 = getelementptr inbounds float, ptr %v1346, i64 %v1231
  store float %v1432, ptr %v1446, align 4
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
  %v1458 = getelementptr inbounds nuw i8, ptr %v1451, i64 4
  %v1459 = getelementptr inbounds nuw i8, ptr %v1451, i64 8
  %v1460 = getelementptr inbounds nuw i8, ptr %v1451, i64 12
  %v1461 = getelementptr inbounds nuw i8, ptr %v1451, i64 16
  %v1462 = getelementptr inbounds nuw i8, ptr %v1451, i64 20
  %v1463 = getelementptr inbounds nuw i8, ptr %v1451, i64 24
  %v1464 = getelementptr inbounds nuw i8, ptr %v1451, i64 28
  %v1465 = getelementptr inbounds nuw i8, ptr %v1451, i64 32
  %v1466 = getelementptr inbounds nuw i8, ptr %v1451, i64 36
  %v1467 = getelementptr inbounds nuw i8, ptr %v1451, i64 40
  %v1468 = getelementptr inbounds nuw i8, ptr %v1451, i64 44
  %v1469 = getelementptr inbounds nuw i8, ptr %v1451, i64 48
  %v1470 = getelementptr inbounds nuw i8, ptr %v1451, i64 52
  br label %v1489

v1471:
  %v1472 = phi i64 [ 0, %v1449 ], [ %v1490, %v1685 ]
  %v1473 = icmp slt i64 %v1472, %v38
  br i1 %v1473, label %v1474, label %v1866

v1474:
  %v1475 = icmp eq ptr %v1451, null
  %v1476 = getelementptr inbounds nuw i8, ptr %v1451, i64 4
  %v1477 = getelementptr inbounds nuw i8, ptr %v1451, i64 8
  %v1478 = getelementptr inbounds nuw i8, ptr %v1451, i64 12
  %v1479 = getelementptr inbounds nuw i8, ptr %v1451, i64 16
  %v1480 = getelementptr inbounds nuw i8, ptr %v1451, i64 20
  %v1481 = getelementptr inbounds nuw i8, ptr %v1451, i64 24
  %v1482 = getelementptr inbounds nuw i8, ptr %v1451, i64 28
  %v1483 = getelementptr inbounds nuw i8, ptr %v1451, i64 32
  %v1484 = getelementptr inbounds nuw i8, ptr %v1451, i64 36
  %v1485 = getelementptr inbounds nuw i8, ptr %v1451, i64 40
  %v1486 = getelementptr inbounds nuw i8, ptr %v1451, i64 44
  %v1487 = getelementptr inbounds nuw i8, ptr %v1451, i64 48
  %v1488 = getelementptr inbounds nuw i8, ptr %v1451, i64 52
  br label %v1692

v1489:
  %v1490 = phi i64 [ 8, %v1456 ], [ %v1690, %v1685 ]
  %v1491 = phi i64 [ 0, %v1456 ], [ %v1490, %v1685 ]
  %v1492 = getelementptr inbounds float, ptr %v1452, i64 %v1491
  %v1493 = getelementptr inbounds float, ptr %v1453, i64 %v1491
  %v1494 = getelementptr inbounds float, ptr %v1454, i64 %v1491
  %v1495 = getelementptr inbounds float, ptr %v1455, i64 %v1491
  %v1496 = load <8 x float>, ptr %v1492, align 4
  %v1497 = load <8 x float>, ptr %v1493, align 4
  %v1498 = getelementptr inbounds float, ptr %v1492, i64 %v1198
  %v1499 = load <8 x float>, ptr %v1498, align 4
  %v1500 = getelementptr inbounds float, ptr %v1493, i64 %v1198
  %v1501 = load <8 x float>, ptr %v1500, align 4
  %v1502 = getelementptr inbounds float, ptr %v1492, i64 %v1200
  %v1503 = load <8 x float>, ptr %v1502, align 4
  %v1504 = getelementptr inbounds float, ptr %v1493, i64 %v1200
  %v1505 = load <8 x float>, ptr %v1504, align 4
  %v1506 = getelementptr inbounds float, ptr %v1492, i64 %v1201
  %v1507 = load <8 x float>, ptr %v1506, align 4
  %v1508 = getelementptr inbounds float, ptr %v1493, i64 %v1201
  %v1509 = load <8 x float>, ptr %v1508, align 4
  %v1510 = getelementptr inbounds float, ptr %v1492, i64 %v1202
  %v1511 = load <8 x float>, ptr %v1510, align 4
  %v1512 = getelementptr inbounds float, ptr %v1493, i64 %v1202
  %v1513 = load <8 x float>, ptr %v1512, align 4
  %v1514 = getelementptr inbounds float, ptr %v1492, i64 %v1203
  %v1515 = load <8 x float>, ptr %v1514, align 4
  %v1516 = getelementptr inbounds float, ptr %v1493, i64 %v1203
  %v1517 = load <8 x float>, ptr %v1516, align 4
  %v1518 = getelementptr inbounds float, ptr %v1492, i64 %v1204
  %v1519 = load <8 x float>, ptr %v1518, align 4
  %v1520 = getelementptr inbounds float, ptr %v1493, i64 %v1204
  %v1521 = load <8 x float>, ptr %v1520, align 4
  %v1522 = getelementptr inbounds float, ptr %v1492, i64 %v1205
  %v1523 = load <8 x float>, ptr %v1522, align 4
  %v1524 = getelementptr inbounds float, ptr %v1493, i64 %v1205
  %v1525 = load <8 x float>, ptr %v1524, align 4
  %v1526 = fadd <8 x float> %v1496, %v1511
  %v1527 = fsub <8 x float> %v1496, %v1511
  %v1528 = fadd <8 x float> %v1497, %v1513
  %v1529 = fsub <8 x float> %v1497, %v1513
  %v1530 = fadd <8 x float> %v1503, %v1519
  %v1531 = fsub <8 x float> %v1503, %v1519
  %v1532 = fadd <8 x float> %v1505, %v1521
  %v1533 = fsub <8 x float> %v1505, %v1521
  %v1534 = fadd <8 x float> %v1526, %v1530
  %v1535 = fsub <8 x float> %v1526, %v1530
  %v1536 = fadd <8 x float> %v1528, %v1532
  %v1537 = fsub <8 x float> %v1528, %v1532
  %v1538 = fadd <8 x float> %v1527, %v1533
  %v1539 = fsub <8 x float> %v1527, %v1533
  %v1540 = fsub <8 x float> %v1529, %v1531
  %v1541 = fadd <8 x float> %v1529, %v1531
  %v1542 = fadd <8 x float> %v1499, %v1515
  %v1543 = fsub <8 x float> %v1499, %v1515
  %v1544 = fadd <8 x float> %v1501, %v1517
  %v1545 = fsub <8 x float> %v1501, %v1517
  %v1546 = fadd <8 x float> %v1507, %v1523
  %v1547 = fsub <8 x float> %v1507, %v1523
  %v1548 = fadd <8 x float> %v1509, %v1525
  %v1549 = fsub <8 x float> %v1509, %v1525
  %v1550 = fadd <8 x float> %v1542, %v1546
  %v1551 = fsub <8 x float> %v1542, %v1546
  %v1552 = fadd <8 x float> %v1544, %v1548
  %v1553 = fsub <8 x float> %v1544, %v1548
  %v1554 = fadd <8 x float> %v1543, %v1549
  %v1555 = fsub <8 x float> %v1543, %v1549
  %v1556 = fsub <8 x float> %v1545, %v1547
  %v1557 = fadd <8 x float> %v1545, %v1547
  %v1558 = fadd <8 x float> %v1556, %v1554
  %v1559 = fmul <8 x float> %v1558, splat (float 0x3FE6A09E60000000)
  %v1560 = fsub <8 x float> %v1556, %v1554
  %v1561 = fmul <8 x float> %v1560, splat (float 0x3FE6A09E60000000)
  %v1562 = fsub <8 x float> %v1557, %v1555
  %v1563 = fmul <8 x float> %v1562, splat (float 0x3FE6A09E60000000)
  %v1564 = fadd <8 x float> %v1557, %v1555
  %v1565 = fmul <8 x float> %v1564, splat (float 0xBFE6A09E60000000)
  %v1566 = fadd <8 x float> %v1534, %v1550
  %v1567 = fsub <8 x float> %v1534, %v1550
  %v1568 = fadd <8 x float> %v1536, %v1552
  %v1569 = fsub <8 x float> %v1536, %v1552
  %v1570 = fadd <8 x float> %v1538, %v1559
  %v1571 = fsub <8 x float> %v1538, %v1559
  %v1572 = fadd <8 x float> %v1540, %v1561
  %v1573 = fsub <8 x float> %v1540, %v1561
  %v1574 = fadd <8 x float> %v1535, %v1553
  %v1575 = fsub <8 x float> %v1535, %v1553
  %v1576 = fsub <8 x float> %v1537, %v1551
  %v1577 = fadd <8 x float> %v1537, %v1551
  %v1578 = fadd <8 x float> %v1539, %v1563
  %v1579 = fsub <8 x float> %v1539, %v1563
  %v1580 = fadd <8 x float> %v1541, %v1565
  %v1581 = fsub <8 x float> %v1541, %v1565
  store <8 x float> %v1566, ptr %v1494, align 4
  store <8 x float> %v1568, ptr %v1495, align 4
  br i1 %v1457, label %v1582, label %v1595

v1582:
  %v1583 = getelementptr inbounds nuw float, ptr %v1494, i64 %v38
  store <8 x float> %v1570, ptr %v1583, align 4
  %v1584 = getelementptr inbounds nuw float, ptr %v1495, i64 %v38
  store <8 x float> %v1572, ptr %v1584, align 4
  %v1585 = getelementptr inbounds float, ptr %v1494, i64 %v1206
  store <8 x float> %v1574, ptr %v1585, align 4
  %v1586 = getelementptr inbounds float, ptr %v1495, i64 %v1206
  store <8 x float> %v1576, ptr %v1586, align 4
  %v1587 = getelementptr inbounds float, ptr %v1494, i64 %v1207
  store <8 x float> %v1578, ptr %v1587, align 4
  %v1588 = getelementptr inbounds float, ptr %v1495, i64 %v1207
  store <8 x float> %v1580, ptr %v1588, align 4
  %v1589 = getelementptr inbounds float, ptr %v1494, i64 %v1208
  store <8 x float> %v1567, ptr %v1589, align 4
  %v1590 = getelementptr inbounds float, ptr %v1495, i64 %v1208
  store <8 x float> %v1569, ptr %v1590, align 4
  %v1591 = getelementptr inbounds float, ptr %v1494, i64 %v1209
  store <8 x float> %v1571, ptr %v1591, align 4
  %v1592 = getelementptr inbounds float, ptr %v1495, i64 %v1209
  store <8 x float> %v1573, ptr %v1592, align 4
  %v1593 = getelementptr inbounds float, ptr %v1494, i64 %v1210
  store <8 x float> %v1575, ptr %v1593, align 4
  %v1594 = getelementptr inbounds float, ptr %v1495, i64 %v1210
  store <8 x float> %v1577, ptr %v1594, align 4
  br label %v1685

v1595:
  %v1596 = load float, ptr %v1451, align 4
  %v1597 = load float, ptr %v1458, align 4
  %v1598 = insertelement <8 x float> poison, float %v1596, i64 0
  %v1599 = shufflevector <8 x float> %v1598, <8 x float> poison, <8 x i32> zeroinitializer
  %v1600 = insertelement <8 x float> poison, float %v1597, i64 0
  %v1601 = shufflevector <8 x float> %v1600, <8 x float> poison, <8 x i32> zeroinitializer
  %v1602 = fneg <8 x float> %v1601
  %v1603 = fmul <8 x float> %v1572, %v1602
  %v1604 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1570, <8 x float> %v1599, <8 x float> %v1603)
  %v1605 = fmul <8 x float> %v1572, %v1599
  %v1606 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1570, <8 x float> %v1601, <8 x float> %v1605)
  %v1607 = getelementptr inbounds nuw float, ptr %v1494, i64 %v38
  store <8 x float> %v1604, ptr %v1607, align 4
  %v1608 = getelementptr inbounds nuw float, ptr %v1495, i64 %v38
  store <8 x float> %v1606, ptr %v1608, align 4
  %v1609 = load float, ptr %v1459, align 4
  %v1610 = load float, ptr %v1460, align 4
  %v1611 = insertelement <8 x float> poison, float %v1609, i64 0
  %v1612 = shufflevector <8 x float> %v1611, <8 x float> poison, <8 x i32> zeroinitializer
  %v1613 = insertelement <8 x float> poison, float %v1610, i64 0
  %v1614 = shufflevector <8 x float> %v1613, <8 x float> poison, <8 x i32> zeroinitializer
  %v1615 = fneg <8 x float> %v1614
  %v1616 = fmul <8 x float> %v1576, %v1615
  %v1617 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1574, <8 x float> %v1612, <8 x float> %v1616)
  %v1618 = fmul <8 x float> %v1576, %v1612
  %v1619 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1574, <8 x float> %v1614, <8 x float> %v1618)
  %v1620 = getelementptr inbounds float, ptr %v1494, i64 %v1206
  store <8 x float> %v1617, ptr %v1620, align 4
  %v1621 = getelementptr inbounds float, ptr %v1495, i64 %v1206
  store <8 x float> %v1619, ptr %v1621, align 4
  %v1622 = load float, ptr %v1461, align 4
  %v1623 = load float, ptr %v1462, align 4
  %v1624 = insertelement <8 x float> poison, float %v1622, i64 0
  %v1625 = shufflevector <8 x float> %v1624, <8 x float> poison, <8 x i32> zeroinitializer
  %v1626 = insertelement <8 x float> poison, float %v1623, i64 0
  %v1627 = shufflevector <8 x float> %v1626, <8 x float> poison, <8 x i32> zeroinitializer
  %v1628 = fneg <8 x float> %v1627
  %v1629 = fmul <8 x float> %v1580, %v1628
  %v1630 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1578, <8 x float> %v1625, <8 x float> %v1629)
  %v1631 = fmul <8 x float> %v1580, %v1625
  %v1632 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1578, <8 x float> %v1627, <8 x float> %v1631)
  %v1633 = getelementptr inbounds float, ptr %v1494, i64 %v1207
  store <8 x float> %v1630, ptr %v1633, align 4
  %v1634 = getelementptr inbounds float, ptr %v1495, i64 %v1207
  store <8 x float> %v1632, ptr %v1634, align 4
  %v1635 = load float, ptr %v1463, align 4
  %v1636 = load float, ptr %v1464, align 4
  %v1637 = insertelement <8 x float> poison, float %v1635, i64 0
  %v1638 = shufflevector <8 x float> %v1637, <8 x float> poison, <8 x i32> zeroinitializer
  %v1639 = insertelement <8 x float> poison, float %v1636, i64 0
  %v1640 = shufflevector <8 x float> %v1639, <8 x float> poison, <8 x i32> zeroinitializer
  %v1641 = fneg <8 x float> %v1640
  %v1642 = fmul <8 x float> %v1569, %v1641
  %v1643 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1567, <8 x float> %v1638, <8 x float> %v1642)
  %v1644 = fmul <8 x float> %v1569, %v1638
  %v1645 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1567, <8 x float> %v1640, <8 x float> %v1644)
  %v1646 = getelementptr inbounds float, ptr %v1494, i64 %v1208
  store <8 x float> %v1643, ptr %v1646, align 4
  %v1647 = getelementptr inbounds float, ptr %v1495, i64 %v1208
  store <8 x float> %v1645, ptr %v1647, align 4
  %v1648 = load float, ptr %v1465, align 4
  %v1649 = load float, ptr %v1466, align 4
  %v1650 = insertelement <8 x float> poison, float %v1648, i64 0
  %v1651 = shufflevector <8 x float> %v1650, <8 x float> poison, <8 x i32> zeroinitializer
  %v1652 = insertelement <8 x float> poison, float %v1649, i64 0
  %v1653 = shufflevector <8 x float> %v1652, <8 x float> poison, <8 x i32> zeroinitializer
  %v1654 = fneg <8 x float> %v1653
  %v1655 = fmul <8 x float> %v1573, %v1654
  %v1656 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1571, <8 x float> %v1651, <8 x float> %v1655)
  %v1657 = fmul <8 x float> %v1573, %v1651
  %v1658 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1571, <8 x float> %v1653, <8 x float> %v1657)
  %v1659 = getelementptr inbounds float, ptr %v1494, i64 %v1209
  store <8 x float> %v1656, ptr %v1659, align 4
  %v1660 = getelementptr inbounds float, ptr %v1495, i64 %v1209
  store <8 x float> %v1658, ptr %v1660, align 4
  %v1661 = load float, ptr %v1467, align 4
  %v1662 = load float, ptr %v1468, align 4
  %v1663 = insertelement <8 x float> poison, float %v1661, i64 0
  %v1664 = shufflevector <8 x float> %v1663, <8 x float> poison, <8 x i32> zeroinitializer
  %v1665 = insertelement <8 x float> poison, float %v1662, i64 0
  %v1666 = shufflevector <8 x float> %v1665, <8 x float> poison, <8 x i32> zeroinitializer
  %v1667 = fneg <8 x float> %v1666
  %v1668 = fmul <8 x float> %v1577, %v1667
  %v1669 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1575, <8 x float> %v1664, <8 x float> %v1668)
  %v1670 = fmul <8 x float> %v1577, %v1664
  %v1671 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1575, <8 x float> %v1666, <8 x float> %v1670)
  %v1672 = getelementptr inbounds float, ptr %v1494, i64 %v1210
  store <8 x float> %v1669, ptr %v1672, align 4
  %v1673 = getelementptr inbounds float, ptr %v1495, i64 %v1210
  store <8 x float> %v1671, ptr %v1673, align 4
  %v1674 = load float, ptr %v1469, align 4
  %v1675 = load float, ptr %v1470, align 4
  %v1676 = insertelement <8 x float> poison, float %v1674, i64 0
  %v1677 = shufflevector <8 x float> %v1676, <8 x float> poison, <8 x i32> zeroinitializer
  %v1678 = insertelement <8 x float> poison, float %v1675, i64 0
  %v1679 = shufflevector <8 x float> %v1678, <8 x float> poison, <8 x i32> zeroinitializer
  %v1680 = fneg <8 x float> %v1679
  %v1681 = fmul <8 x float> %v1581, %v1680
  %v1682 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1579, <8 x float> %v1677, <8 x float> %v1681)
  %v1683 = fmul <8 x float> %v1581, %v1677
  %v1684 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1579, <8 x float> %v1679, <8 x float> %v1683)
  br label %v1685

v1685:
  %v1686 = phi <8 x float> [ %v1682, %v1595 ], [ %v1579, %v1582 ]
  %v1687 = phi <8 x float> [ %v1684, %v1595 ], [ %v1581, %v1582 ]
  %v1688 = getelementptr inbounds float, ptr %v1494, i64 %v1211
  store <8 x float> %v1686, ptr %v1688, align 4
  %v1689 = getelementptr inbounds float, ptr %v1495, i64 %v1211
  store <8 x float> %v1687, ptr %v1689, align 4
  %v1690 = add i64 %v1490, 8
  %v1691 = icmp sgt i64 %v1690, %v38
  br i1 %v1691, label %v1471, label %v1489

v1692:
  %v1693 = phi i64 [ %v1472, %v1474 ], [ %v1864, %v1859 ]
  %v1694 = getelementptr inbounds float, ptr %v1452, i64 %v1693
  %v1695 = getelementptr inbounds float, ptr %v1453, i64 %v1693
  %v1696 = getelementptr inbounds float, ptr %v1454, i64 %v1693
  %v1697 = getelementptr inbounds float, ptr %v1455, i64 %v1693
  %v1698 = load float, ptr %v1694, align 4
  %v1699 = load float, ptr %v1695, align 4
  %v1700 = getelementptr inbounds float, ptr %v1694, i64 %v1198
  %v1701 = load float, ptr %v1700, align 4
  %v1702 = getelementptr inbounds float, ptr %v1695, i64 %v1198
  %v1703 = load float, ptr %v1702, align 4
  %v1704 = getelementptr inbounds float, ptr %v1694, i64 %v1200
  %v1705 = load float, ptr %v1704, align 4
  %v1706 = getelementptr inbounds float, ptr %v1695, i64 %v1200
  %v1707 = load float, ptr %v1706, align 4
  %v1708 = getelementptr inbounds float, ptr %v1694, i64 %v1201
  %v1709 = load float, ptr %v1708, align 4
  %v1710 = getelementptr inbounds float, ptr %v1695, i64 %v1201
  %v1711 = load float, ptr %v1710, align 4
  %v1712 = getelementptr inbounds float, ptr %v1694, i64 %v1202
  %v1713 = load float, ptr %v1712, align 4
  %v1714 = getelementptr inbounds float, ptr %v1695, i64 %v1202
  %v1715 = load float, ptr %v1714, align 4
  %v1716 = getelementptr inbounds float, ptr %v1694, i64 %v1203
  %v1717 = load float, ptr %v1716, align 4
  %v1718 = getelementptr inbounds float, ptr %v1695, i64 %v1203
  %v1719 = load float, ptr %v1718, align 4
  %v1720 = getelementptr inbounds float, ptr %v1694, i64 %v1204
  %v1721 = load float, ptr %v1720, align 4
  %v1722 = getelementptr inbounds float, ptr %v1695, i64 %v1204
  %v1723 = load float, ptr %v1722, align 4
  %v1724 = getelementptr inbounds float, ptr %v1694, i64 %v1205
  %v1725 = load float, ptr %v1724, align 4
  %v1726 = getelementptr inbounds float, ptr %v1695, i64 %v1205
  %v1727 = load float, ptr %v1726, align 4
  %v1728 = fadd float %v1698, %v1713
  %v1729 = fsub float %v1698, %v1713
  %v1730 = fadd float %v1699, %v1715
  %v1731 = fsub float %v1699, %v1715
  %v1732 = fadd float %v1705, %v1721
  %v1733 = fsub float %v1705, %v1721
  %v1734 = fadd float %v1707, %v1723
  %v1735 = fsub float %v1707, %v1723
  %v1736 = fadd float %v1728, %v1732
  %v1737 = fsub float %v1728, %v1732
  %v1738 = fadd float %v1730, %v1734
  %v1739 = fsub float %v1730, %v1734
  %v1740 = fadd float %v1729, %v1735
  %v1741 = fsub float %v1729, %v1735
  %v1742 = fsub float %v1731, %v1733
  %v1743 = fadd float %v1731, %v1733
  %v1744 = fadd float %v1701, %v1717
  %v1745 = fsub float %v1701, %v1717
  %v1746 = fadd float %v1703, %v1719
  %v1747 = fsub float %v1703, %v1719
  %v1748 = fadd float %v1709, %v1725
  %v1749 = fsub float %v1709, %v1725
  %v1750 = fadd float %v1711, %v1727
  %v1751 = fsub float %v1711, %v1727
  %v1752 = fadd float %v1744, %v1748
  %v1753 = fsub float %v1744, %v1748
  %v1754 = fadd float %v1746, %v1750
  %v1755 = fsub float %v1746, %v1750
  %v1756 = fadd float %v1745, %v1751
  %v1757 = fsub float %v1745, %v1751
  %v1758 = fsub float %v1747, %v1749
  %v1759 = fadd float %v1747, %v1749
  %v1760 = fadd float %v1758, %v1756
  %v1761 = fmul float %v1760, 0x3FE6A09E60000000
  %v1762 = fsub float %v1758, %v1756
  %v1763 = fmul float %v1762, 0x3FE6A09E60000000
  %v1764 = fsub float %v1759, %v1757
  %v1765 = fmul float %v1764, 0x3FE6A09E60000000
  %v1766 = fadd float %v1759, %v1757
  %v1767 = fmul float %v1766, 0xBFE6A09E60000000
  %v1768 = fadd float %v1736, %v1752
  %v1769 = fsub float %v1736, %v1752
  %v1770 = fadd float %v1738, %v1754
  %v1771 = fsub float %v1738, %v1754
  %v1772 = fadd float %v1740, %v1761
  %v1773 = fsub float %v1740, %v1761
  %v1774 = fadd float %v1742, %v1763
  %v1775 = fsub float %v1742, %v1763
  %v1776 = fadd float %v1737, %v1755
  %v1777 = fsub float %v1737, %v1755
  %v1778 = fsub float %v1739, %v1753
  %v1779 = fadd float %v1739, %v1753
  %v1780 = fadd float %v1741, %v1765
  %v1781 = fsub float %v1741, %v1765
  %v1782 = fadd float %v1743, %v1767
  %v1783 = fsub float %v1743, %v1767
  store float %v1768, ptr %v1696, align 4
  store float %v1770, ptr %v1697, align 4
  br i1 %v1475, label %v1784, label %v1797

v1784:
  %v1785 = getelementptr inbounds float, ptr %v1696, i64 %v38
  store float %v1772, ptr %v1785, align 4
  %v1786 = getelementptr inbounds float, ptr %v1697, i64 %v38
  store float %v1774, ptr %v1786, align 4
  %v1787 = getelementptr inbounds float, ptr %v1696, i64 %v1206
  store float %v1776, ptr %v1787, align 4
  %v1788 = getelementptr inbounds float, ptr %v1697, i64 %v1206
  store float %v1778, ptr %v1788, align 4
  %v1789 = getelementptr inbounds float, ptr %v1696, i64 %v1207
  store float %v1780, ptr %v1789, align 4
  %v1790 = getelementptr inbounds float, ptr %v1697, i64 %v1207
  store float %v1782, ptr %v1790, align 4
  %v1791 = getelementptr inbounds float, ptr %v1696, i64 %v1208
  store float %v1769, ptr %v1791, align 4
  %v1792 = getelementptr inbounds float, ptr %v1697, i64 %v1208
  store float %v1771, ptr %v1792, align 4
  %v1793 = getelementptr inbounds float, ptr %v1696, i64 %v1209
  store float %v1773, ptr %v1793, align 4
  %v1794 = getelementptr inbounds float, ptr %v1697, i64 %v1209
  store float %v1775, ptr %v1794, align 4
  %v1795 = getelementptr inbounds float, ptr %v1696, i64 %v1210
  store float %v1777, ptr %v1795, align 4
  %v1796 = getelementptr inbounds float, ptr %v1697, i64 %v1210
  store float %v1779, ptr %v1796, align 4
  br label %v1859

v1797:
  %v1798 = load float, ptr %v1451, align 4
  %v1799 = load float, ptr %v1476, align 4
  %v1800 = fneg float %v1799
  %v1801 = fmul float %v1774, %v1800
  %v1802 = tail call float @llvm.fmuladd.f32(float %v1772, float %v1798, float %v1801)
  %v1803 = fmul float %v1774, %v1798
  %v1804 = tail call float @llvm.fmuladd.f32(float %v1772, float %v1799, float %v1803)
  %v1805 = getelementptr inbounds float, ptr %v1696, i64 %v38
  store float %v1802, ptr %v1805, align 4
  %v1806 = getelementptr inbounds float, ptr %v1697, i64 %v38
  store float %v1804, ptr %v1806, align 4
  %v1807 = load float, ptr %v1477, align 4
  %v1808 = load float, ptr %v1478, align 4
  %v1809 = fneg float %v1808
  %v1810 = fmul float %v1778, %v1809
  %v1811 = tail call float @llvm.fmuladd.f32(float %v1776, float %v1807, float %v1810)
  %v1812 = fmul float %v1778, %v1807
  %v1813 = tail call float @llvm.fmuladd.f32(float %v1776, float %v1808, float %v1812)
  %v1814 = getelementptr inbounds float, ptr %v1696, i64 %v1206
  store float %v1811, ptr %v1814, align 4
  %v1815 = getelementptr inbounds float, ptr %v1697, i64 %v1206
  store float %v1813, ptr %v1815, align 4
  %v1816 = load float, ptr %v1479, align 4
  %v1817 = load float, ptr %v1480, align 4
  %v1818 = fneg float %v1817
  %v1819 = fmul float %v1782, %v1818
  %v1820 = tail call float @llvm.fmuladd.f32(float %v1780, float %v1816, float %v1819)
  %v1821 = fmul float %v1782, %v1816
  %v1822 = tail call float @llvm.fmuladd.f32(float %v1780, float %v1817, float %v1821)
  %v1823 = getelementptr inbounds float, ptr %v1696, i64 %v1207
  store float %v1820, ptr %v1823, align 4
  %v1824 = getelementptr inbounds float, ptr %v1697, i64 %v1207
  store float %v1822, ptr %v1824, align 4
  %v1825 = load float, ptr %v1481, align 4
  %v1826 = load float, ptr %v1482, align 4
  %v1827 = fneg float %v1826
  %v1828 = fmul float %v1771, %v1827
  %v1829 = tail call float @llvm.fmuladd.f32(float %v1769, float %v1825, float %v1828)
  %v1830 = fmul float %v1771, %v1825
  %v1831 = tail call float @llvm.fmuladd.f32(float %v1769, float %v1826, float %v1830)
  %v1832 = getelementptr inbounds float, ptr %v1696, i64 %v1208
  store float %v1829, ptr %v1832, align 4
  %v1833 = getelementptr inbounds float, ptr %v1697, i64 %v1208
  store float %v1831, ptr %v1833, align 4
  %v1834 = load float, ptr %v1483, align 4
  %v1835 = load float, ptr %v1484, align 4
  %v1836 = fneg float %v1835
  %v1837 = fmul float %v1775, %v1836
  %v1838 = tail call float @llvm.fmuladd.f32(float %v1773, float %v1834, float %v1837)
  %v1839 = fmul float %v1775, %v1834
  %v1840 = tail call float @llvm.fmuladd.f32(float %v1773, float %v1835, float %v1839)
  %v1841 = getelementptr inbounds float, ptr %v1696, i64 %v1209
  store float %v1838, ptr %v1841, align 4
  %v1842 = getelementptr inbounds float, ptr %v1697, i64 %v1209
  store float %v1840, ptr %v1842, align 4
  %v1843 = load float, ptr %v1485, align 4
  %v1844 = load float, ptr %v1486, align 4
  %v1845 = fneg float %v1844
  %v1846 = fmul float %v1779, %v1845
  %v1847 = tail call float @llvm.fmuladd.f32(float %v1777, float %v1843, float %v1846)
  %v1848 = fmul float %v1779, %v1843
  %v1849 = tail call float @llvm.fmuladd.f32(float %v1777, float %v1844, float %v1848)
  %v1850 = getelementptr inbounds float, ptr %v1696, i64 %v1210
  store float %v1847, ptr %v1850, align 4
  %v1851 = getelementptr inbounds float, ptr %v1697, i64 %v1210
  store float %v1849, ptr %v1851, align 4
  %v1852 = load float, ptr %v1487, align 4
  %v1853 = load float, ptr %v1488, align 4
  %v1854 = fneg float %v1853
  %v1855 = fmul float %v1783, %v1854
  %v1856 = tail call float @llvm.fmuladd.f32(float %v1781, float %v1852, float %v1855)
  %v1857 = fmul float %v1783, %v1852
  %v1858 = tail call float @llvm.fmuladd.f32(float %v1781, float %v1853, float %v1857)
  br label %v1859

v1859:
  %v1860 = phi float [ %v1856, %v1797 ], [ %v1781, %v1784 ]
  %v1861 = phi float [ %v1858, %v1797 ], [ %v1783, %v1784 ]
  %v1862 = getelementptr inbounds float, ptr %v1696, i64 %v1211
  store float %v1860, ptr %v1862, align 4
  %v1863 = getelementptr inbounds float, ptr %v1697, i64 %v1211
  store float %v1861, ptr %v1863, align 4
  %v1864 = add nsw i64 %v1693, 1
  %v1865 = icmp eq i64 %v1864, %v38
  br i1 %v1865, label %v1866, label %v1692

v1866:
  %v1867 = getelementptr inbounds float, ptr %v1452, i64 %v38
  %v1868 = getelementptr inbounds float, ptr %v1453, i64 %v38
  %v1869 = getelementptr inbounds float, ptr %v1454, i64 %v1212
  %v1870 = getelementptr inbounds float, ptr %v1455, i64 %v1212
  %v1871 = getelementptr i8, ptr %v1451, i64 56
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
  %v1884 = icmp slt i64 %v38, 8
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
  %v1899 = getelementptr inbounds float, ptr %v28, i64 %v1898
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
  %v1909 = phi i64 [ 8, %v1901 ], [ %v2046, %v2045 ]
  %v1910 = phi i64 [ 0, %v1901 ], [ %v1909, %v2045 ]
  %v1911 = getelementptr inbounds float, ptr %v1895, i64 %v1910
  %v1912 = getelementptr inbounds float, ptr %v1896, i64 %v1910
  %v1913 = getelementptr inbounds float, ptr %v1897, i64 %v1910
  %v1914 = getelementptr inbounds float, ptr %v1893, i64 %v1910
  br i1 %v1886, label %v2002, label %v1939

v1915:
  br i1 %v1887, label %v1922, label %v1916

v1916:
  %v1917 = load <8 x float>, ptr %v9, align 32
  %v1918 = load <8 x float>, ptr %v10, align 32
  br label %v1939

v1919:
  %v1920 = load <8 x float>, ptr %v9, align 32
  %v1921 = load <8 x float>, ptr %v10, align 32
  br label %v1943

v1922:
  %v1923 = phi i64 [ %v1937, %v1922 ], [ 1, %v1915 ]
  %v1924 = getelementptr inbounds nuw <8 x float>, ptr %v9, i64 %v1923
  %v1925 = sub nsw i64 %v34, %v1923
  %v1926 = getelementptr inbounds <8 x float>, ptr %v9, i64 %v1925
  %v1927 = load <8 x float>, ptr %v1924, align 32
  %v1928 = load <8 x float>, ptr %v1926, align 32
  %v1929 = fadd <8 x float> %v1927, %v1928
  %v1930 = fsub <8 x float> %v1927, %v1928
  store <8 x float> %v1929, ptr %v1924, align 32
  store <8 x float> %v1930, ptr %v1926, align 32
  %v1931 = getelementptr inbounds nuw <8 x float>, ptr %v10, i64 %v1923
  %v1932 = getelementptr inbounds <8 x float>, ptr %v10, i64 %v1925
  %v1933 = load <8 x float>, ptr %v1931, align 32
  %v1934 = load <8 x float>, ptr %v1932, align 32
  %v1935 = fadd <8 x float> %v1933, %v1934
  %v1936 = fsub <8 x float> %v1933, %v1934
  store <8 x float> %v1935, ptr %v1931, align 32
  store <8 x float> %v1936, ptr %v1932, align 32
  %v1937 = add nuw nsw i64 %v1923, 1
  %v1938 = icmp eq i64 %v1937, %v1891
  br i1 %v1938, label %v1919, label %v1922

v1939:
  %v1940 = phi <8 x float> [ %v1918, %v1916 ], [ undef, %v1908 ]
  %v1941 = phi <8 x float> [ %v1917, %v1916 ], [ undef, %v1908 ]
  store <8 x float> %v1941, ptr %v11, align 32
  store <8 x float> %v1940, ptr %v12, align 32
  br label %v1955

v1942:
  store <8 x float> %v1949, ptr %v11, align 32
  store <8 x float> %v1952, ptr %v12, align 32
  br label %v1956

v1943:
  %v1944 = phi i64 [ %v1953, %v1943 ], [ 1, %v1919 ]
  %v1945 = phi <8 x float> [ %v1952, %v1943 ], [ %v1921, %v1919 ]
  %v1946 = phi <8 x float> [ %v1949, %v1943 ], [ %v1920, %v1919 ]
  %v1947 = getelementptr inbounds nuw <8 x float>, ptr %v9, i64 %v1944
  %v1948 = load <8 x float>, ptr %v1947, align 32
  %v1949 = fadd <8 x float> %v1946, %v1948
  %v1950 = getelementptr inbounds nuw <8 x float>, ptr %v10, i64 %v1944
  %v1951 = load <8 x float>, ptr %v1950, align 32
  %v1952 = fadd <8 x float> %v1945, %v1951
  %v1953 = add nuw nsw i64 %v1944, 1
  %v1954 = icmp eq i64 %v1953, %v1891
  br i1 %v1954, label %v1942, label %v1943

v1955:
  br i1 %v1886, label %v2013, label %v2045

v1956:
  %v1957 = phi i64 [ %v1968, %v1958 ], [ 1, %v1942 ]
  br label %v1970

v1958:
  %v1959 = fadd <8 x float> %v1985, %v1996
  %v1960 = getelementptr inbounds nuw <8 x float>, ptr %v11, i64 %v1957
  store <8 x float> %v1959, ptr %v1960, align 32
  %v1961 = fsub <8 x float> %v1988, %v1999
  %v1962 = getelementptr inbounds nuw <8 x float>, ptr %v12, i64 %v1957
  store <8 x float> %v1961, ptr %v1962, align 32
  %v1963 = fsub <8 x float> %v1985, %v1996
  %v1964 = sub nsw i64 %v34, %v1957
  %v1965 = getelementptr inbounds <8 x float>, ptr %v11, i64 %v1964
  store <8 x float> %v1963, ptr %v1965, align 32
  %v1966 = fadd <8 x float> %v1988, %v1999
  %v1967 = getelementptr inbounds <8 x float>, ptr %v12, i64 %v1964
  store <8 x float> %v1966, ptr %v1967, align 32
  %v1968 = add nuw nsw i64 %v1957, 1
  %v1969 = icmp eq i64 %v1968, %v1891
  br i1 %v1969, label %v1955, label %v1956

v1970:
  %v1971 = phi i64 [ 1, %v1956 ], [ %v2000, %v1970 ]
  %v1972 = phi <8 x float> [ zeroinitializer, %v1956 ], [ %v1999, %v1970 ]
  %v1973 = phi <8 x float> [ zeroinitializer, %v1956 ], [ %v1996, %v1970 ]
  %v1974 = phi <8 x float> [ %v1921, %v1956 ], [ %v1988, %v1970 ]
  %v1975 = phi <8 x float> [ %v1920, %v1956 ], [ %v1985, %v1970 ]
  %v1976 = mul i64 %v1971, %v1957
  %v1977 = srem i64 %v1976, %v34
  %v1978 = shl i64 %v1977, 3
  %v1979 = getelementptr inbounds i8, ptr %v29, i64 %v1978
  %v1980 = load float, ptr %v1979, align 4
  %v1981 = insertelement <8 x float> poison, float %v1980, i64 0
  %v1982 = shufflevector <8 x float> %v1981, <8 x float> poison, <8 x i32> zeroinitializer
  %v1983 = getelementptr inbounds nuw <8 x float>, ptr %v9, i64 %v1971
  %v1984 = load <8 x float>, ptr %v1983, align 32
  %v1985 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1982, <8 x float> %v1984, <8 x float> %v1975)
  %v1986 = getelementptr inbounds nuw <8 x float>, ptr %v10, i64 %v1971
  %v1987 = load <8 x float>, ptr %v1986, align 32
  %v1988 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1982, <8 x float> %v1987, <8 x float> %v1974)
  %v1989 = getelementptr inbounds nuw i8, ptr %v1979, i64 4
  %v1990 = load float, ptr %v1989, align 4
  %v1991 = insertelement <8 x float> poison, float %v1990, i64 0
  %v1992 = shufflevector <8 x float> %v1991, <8 x float> poison, <8 x i32> zeroinitializer
  %v1993 = sub nsw i64 %v34, %v1971
  %v1994 = getelementptr inbounds <8 x float>, ptr %v10, i64 %v1993
  %v1995 = load <8 x float>, ptr %v1994, align 32
  %v1996 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1992, <8 x float> %v1995, <8 x float> %v1973)
  %v1997 = getelementptr inbounds <8 x float>, ptr %v9, i64 %v1993
  %v1998 = load <8 x float>, ptr %v1997, align 32
  %v1999 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v1992, <8 x float> %v1998, <8 x float> %v1972)
  %v2000 = add nuw nsw i64 %v1971, 1
  %v2001 = icmp eq i64 %v2000, %v1891
  br i1 %v2001, label %v1958, label %v1970

v2002:
  %v2003 = phi i64 [ %v2011, %v2002 ], [ 0, %v1908 ]
  %v2004 = mul i64 %v2003, %v1885
  %v2005 = getelementptr inbounds float, ptr %v1911, i64 %v2004
  %v2006 = load <8 x float>, ptr %v2005, align 4
  %v2007 = getelementptr inbounds nuw <8 x float>, ptr %v9, i64 %v2003
  store <8 x float> %v2006, ptr %v2007, align 32
  %v2008 = getelementptr inbounds float, ptr %v1912, i64 %v2004
  %v2009 = load <8 x float>, ptr %v2008, align 4
  %v2010 = getelementptr inbounds nuw <8 x float>, ptr %v10, i64 %v2003
  store <8 x float> %v2009, ptr %v2010, align 32
  %v2011 = add nuw nsw i64 %v2003, 1
  %v2012 = icmp eq i64 %v2011, %v34
  br i1 %v2012, label %v1915, label %v2002

v2013:
  %v2014 = phi i64 [ %v2043, %v2037 ], [ 0, %v1955 ]
  %v2015 = getelementptr inbounds nuw <8 x float>, ptr %v11, i64 %v2014
  %v2016 = load <8 x float>, ptr %v2015, align 32
  %v2017 = getelementptr inbounds nuw <8 x float>, ptr %v12, i64 %v2014
  %v2018 = load <8 x float>, ptr %v2017, align 32
  %v2019 = icmp ne i64 %v2014, 0
  %v2020 = and i1 %v1902, %v2019
  br i1 %v2020, label %v2021, label %v2037

v2021:
  %v2022 = shl i64 %v2014, 3
  %v2023 = getelementptr i8, ptr %v1900, i64 %v2022
  %v2024 = getelementptr i8, ptr %v2023, i64 -8
  %v2025 = load float, ptr %v2024, align 4
  %v2026 = getelementptr i8, ptr %v2023, i64 -4
  %v2027 = load float, ptr %v2026, align 4
  %v2028 = insertelement <8 x float> poison, float %v2025, i64 0
  %v2029 = shufflevector <8 x float> %v2028, <8 x float> poison, <8 x i32> zeroinitializer
  %v2030 = insertelement <8 x float> poison, float %v2027, i64 0
  %v2031 = shufflevector <8 x float> %v2030, <8 x float> poison, <8 x i32> zeroinitializer
  %v2032 = fneg <8 x float> %v2031
  %v2033 = fmul <8 x float> %v2018, %v2032
  %v2034 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v2016, <8 x float> %v2029, <8 x float> %v2033)
  %v2035 = fmul <8 x float> %v2018, %v2029
  %v2036 = tail call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %v2016, <8 x float> %v2031, <8 x float> %v2035)
  br label %v2037

v2037:
  %v2038 = phi <8 x float> [ %v2036, %v2021 ], [ %v2018, %v2013 ]
  %v2039 = phi <8 x float> [ %v2034, %v2021 ], [ %v2016, %v2013 ]
  %v2040 = mul i64 %v2014, %v38
  %v2041 = getelementptr inbounds float, ptr %v1913, i64 %v2040
  store <8 x float> %v2039, ptr %v2041, align 4
  %v2042 = getelementptr inbounds float, ptr %v1914, i64 %v2040
  store <8 x float> %v2038, ptr %v2042, align 4
  %v2043 = add nuw nsw i64 %v2014, 1
  %v2044 = icmp eq i64 %v2043, %v34
  br i1 %v2044, label %v2045, label %v2013

v2045:
  %v2046 = add i64 %v1909, 8
  %v2047 = icmp sgt i64 %v2046, %v38
  br i1 %v2047, label %v1903, label %v1908

v2048:
  %v2049 = phi i64 [ %v1904, %v1906 ], [ %v2177, %v2176 ]
  %v2050 = getelementptr inbounds float, ptr %v1895, i64 %v2049
  %v2051 = getelementptr inbounds float, ptr %v1896, i64 %v2049
  %v2052 = getelementptr inbounds float, ptr %v1897, i64 %v2049
  %v2053 = getelementptr inbounds float, ptr %v1893, i64 %v2049
  br i1 %v1886, label %v2137, label %v2078

v2054:
  br i1 %v1887, label %v2061, label %v2055

v2055:
  %v2056 = load float, ptr %v5, align 16
  %v2057 = load float, ptr %v6, align 16
  br label %v2078

v2058:
  %v2059 = load float, ptr %v5, align 16
  %v2060 = load float, ptr %v6, align 16
  br label %v2082

v2061:
  %v2062 = phi i64 [ %v2076, %v2061 ], [ 1, %v2054 ]
  %v2063 = getelementptr inbounds nuw float, ptr %v5, i64 %v2062
  %v2064 = sub nsw i64 %v34, %v2062
  %v2065 = getelementptr inbounds float, ptr %v5, i64 %v2064
  %v2066 = load float, ptr %v2063, align 4
  %v2067 = load float, ptr %v2065, align 4
  %v2068 = fadd float %v2066, %v2067
  %v2069 = fsub float %v2066, %v2067
  store float %v2068, ptr %v2063, align 4
  store float %v2069, ptr %v2065, align 4
  %v2070 = getelementptr inbounds nuw float, ptr %v6, i64 %v2062
  %v2071 = getelementptr inbounds float, ptr %v6, i64 %v2064
  %v2072 = load float, ptr %v2070, align 4
  %v2073 = load float, ptr %v2071, align 4
  %v2074 = fadd float %v2072, %v2073
  %v2075 = fsub float %v2072, %v2073
  store float %v2074, ptr %v2070, align 4
  store float %v2075, ptr %v2071, align 4
  %v2076 = add nuw nsw i64 %v2062, 1
  %v2077 = icmp eq i64 %v2076, %v1891
  br i1 %v2077, label %v2058, label %v2061

v2078:
  %v2079 = phi float [ %v2057, %v2055 ], [ undef, %v2048 ]
  %v2080 = phi float [ %v2056, %v2055 ], [ undef, %v2048 ]
  store float %v2080, ptr %v7, align 16
  store float %v2079, ptr %v8, align 16
  br label %v2094

v2081:
  store float %v2088, ptr %v7, align 16
  store float %v2091, ptr %v8, align 16
  br label %v2095

v2082:
  %v2083 = phi i64 [ %v2092, %v2082 ], [ 1, %v2058 ]
  %v2084 = phi float [ %v2091, %v2082 ], [ %v2060, %v2058 ]
  %v2085 = phi float [ %v2088, %v2082 ], [ %v2059, %v2058 ]
  %v2086 = getelementptr inbounds nuw float, ptr %v5, i64 %v2083
  %v2087 = load float, ptr %v2086, align 4
  %v2088 = fadd float %v2085, %v2087
  %v2089 = getelementptr inbounds nuw float, ptr %v6, i64 %v2083
  %v2090 = load float, ptr %v2089, align 4
  %v2091 = fadd float %v2084, %v2090
  %v2092 = add nuw nsw i64 %v2083, 1
  %v2093 = icmp eq i64 %v2092, %v1891
  br i1 %v2093, label %v2081, label %v2082

v2094:
  br i1 %v1886, label %v2148, label %v2176

v2095:
  %v2096 = phi i64 [ %v2107, %v2097 ], [ 1, %v2081 ]
  br label %v2109

v2097:
  %v2098 = fadd float %v2122, %v2131
  %v2099 = getelementptr inbounds nuw float, ptr %v7, i64 %v2096
  store float %v2098, ptr %v2099, align 4
  %v2100 = fsub float %v2125, %v2134
  %v2101 = getelementptr inbounds nuw float, ptr %v8, i64 %v2096
  store float %v2100, ptr %v2101, align 4
  %v2102 = fsub float %v2122, %v2131
  %v2103 = sub nsw i64 %v34, %v2096
  %v2104 = getelementptr inbounds float, ptr %v7, i64 %v2103
  store float %v2102, ptr %v2104, align 4
  %v2105 = fadd float %v2125, %v2134
  %v2106 = getelementptr inbounds float, ptr %v8, i64 %v2103
  store float %v2105, ptr %v2106, align 4
  %v2107 = add nuw nsw i64 %v2096, 1
  %v2108 = icmp eq i64 %v2107, %v1891
  br i1 %v2108, label %v2094, label %v2095

v2109:
  %v2110 = phi i64 [ 1, %v2095 ], [ %v2135, %v2109 ]
  %v2111 = phi float [ 0.000000e+00, %v2095 ], [ %v2134, %v2109 ]
  %v2112 = phi float [ 0.000000e+00, %v2095 ], [ %v2131, %v2109 ]
  %v2113 = phi float [ %v2060, %v2095 ], [ %v2125, %v2109 ]
  %v2114 = phi float [ %v2059, %v2095 ], [ %v2122, %v2109 ]
  %v2115 = mul i64 %v2110, %v2096
  %v2116 = srem i64 %v2115, %v34
  %v2117 = shl i64 %v2116, 3
  %v2118 = getelementptr inbounds i8, ptr %v29, i64 %v2117
  %v2119 = load float, ptr %v2118, align 4
  %v2120 = getelementptr inbounds nuw float, ptr %v5, i64 %v2110
  %v2121 = load float, ptr %v2120, align 4
  %v2122 = tail call float @llvm.fmuladd.f32(float %v2119, float %v2121, float %v2114)
  %v2123 = getelementptr inbounds nuw float, ptr %v6, i64 %v2110
  %v2124 = load float, ptr %v2123, align 4
  %v2125 = tail call float @llvm.fmuladd.f32(float %v2119, float %v2124, float %v2113)
  %v2126 = getelementptr inbounds nuw i8, ptr %v2118, i64 4
  %v2127 = load float, ptr %v2126, align 4
  %v2128 = sub nsw i64 %v34, %v2110
  %v2129 = getelementptr inbounds float, ptr %v6, i64 %v2128
  %v2130 = load float, ptr %v2129, align 4
  %v2131 = tail call float @llvm.fmuladd.f32(float %v2127, float %v2130, float %v2112)
  %v2132 = getelementptr inbounds float, ptr %v5, i64 %v2128
  %v2133 = load float, ptr %v2132, align 4
  %v2134 = tail call float @llvm.fmuladd.f32(float %v2127, float %v2133, float %v2111)
  %v2135 = add nuw nsw i64 %v2110, 1
  %v2136 = icmp eq i64 %v2135, %v1891
  br i1 %v2136, label %v2097, label %v2109

v2137:
  %v2138 = phi i64 [ %v2146, %v2137 ], [ 0, %v2048 ]
  %v2139 = mul i64 %v2138, %v1885
  %v2140 = getelementptr inbounds float, ptr %v2050, i64 %v2139
  %v2141 = load float, ptr %v2140, align 4
  %v2142 = getelementptr inbounds nuw float, ptr %v5, i64 %v2138
  store float %v2141, ptr %v2142, align 4
  %v2143 = getelementptr inbounds float, ptr %v2051, i64 %v2139
  %v2144 = load float, ptr %v2143, align 4
  %v2145 = getelementptr inbounds nuw float, ptr %v6, i64 %v2138
  store float %v2144, ptr %v2145, align 4
  %v2146 = add nuw nsw i64 %v2138, 1
  %v2147 = icmp eq i64 %v2146, %v34
  br i1 %v2147, label %v2054, label %v2137

v2148:
  %v2149 = phi i64 [ %v2174, %v2168 ], [ 0, %v2094 ]
  %v2150 = getelementptr inbounds nuw float, ptr %v7, i64 %v2149
  %v2151 = load float, ptr %v2150, align 4
  %v2152 = getelementptr inbounds nuw float, ptr %v8, i64 %v2149
  %v2153 = load float, ptr %v2152, align 4
  %v2154 = icmp ne i64 %v2149, 0
  %v2155 = and i1 %v1907, %v2154
  br i1 %v2155, label %v2156, label %v2168

v2156:
  %v2157 = shl i64 %v2149, 3
  %v2158 = getelementptr i8, ptr %v1900, i64 %v2157
  %v2159 = getelementptr i8, ptr %v2158, i64 -8
  %v2160 = load float, ptr %v2159, align 4
  %v2161 = getelementptr i8, ptr %v2158, i64 -4
  %v2162 = load float, ptr %v2161, align 4
  %v2163 = fneg float %v2162
  %v2164 = fmul float %v2153, %v2163
  %v2165 = tail call float @llvm.fmuladd.f32(float %v2151, float %v2160, float %v2164)
  %v2166 = fmul float %v2153, %v2160
  %v2167 = tail call float @llvm.fmuladd.f32(float %v2151, float %v2162, float %v2166)
  br label %v2168

v2168:
  %v2169 = phi float [ %v2167, %v2156 ], [ %v2153, %v2148 ]
  %v2170 = phi float [ %v2165, %v2156 ], [ %v2151, %v2148 ]
  %v2171 = mul i64 %v2149, %v38
  %v2172 = getelementptr inbounds float, ptr %v2052, i64 %v2171
  store float %v2170, ptr %v2172, align 4
  %v2173 = getelementptr inbounds float, ptr %v2053, i64 %v2171
  store float %v2169, ptr %v2173, align 4
  %v2174 = add nuw nsw i64 %v2149, 1
  %v2175 = icmp eq i64 %v2174, %v34
  br i1 %v2175, label %v2176, label %v2148

v2176:
  %v2177 = add nsw i64 %v2049, 1
  %v2178 = icmp eq i64 %v2177, %v38
  br i1 %v2178, label %v2179, label %v2048

v2179:
  %v2180 = getelementptr inbounds float, ptr %v1895, i64 %v38
  %v2181 = getelementptr inbounds float, ptr %v1896, i64 %v38
  %v2182 = getelementptr inbounds float, ptr %v1897, i64 %v1888
  %v2183 = getelementptr inbounds float, ptr %v1893, i64 %v1888
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
  %v2199 = getelementptr inbounds float, ptr %v28, i64 %v2198
  %v2200 = icmp eq i64 %v34, 7
  %v2201 = icmp sgt i64 %v34, 8
  %v2202 = or i1 %v2200, %v2201
  %v2203 = shl i64 %v34, 3
  %v2204 = select i1 %v2202, i64 %v2203, i64 0
  %v2205 = getelementptr inbounds i8, ptr %v29, i64 %v2204
  %v2206 = add nuw nsw i64 %v31, 1
  %v2207 = icmp slt i64 %v2206, %v2193
  br i1 %v2207, label %v26, label %v25
}

declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

declare float @llvm.fmuladd.f32(float, float, float)

define internal fastcc void @gather(ptr %v0, i64 %v1, i64 %v2, i64 %v3, i64 %v4, i64 %v5, ptr %v6, ptr %v7) nounwind {
v8:
  %v9 = alloca [8 x <8 x float>], align 32
  %v10 = alloca [8 x <8 x float>], align 32
  %v11 = icmp ne i64 %v2, 1
  %v12 = icmp ne i64 %v4, %v5
  %v13 = or i1 %v11, %v12
  %v14 = icmp slt i64 %v1, 8
  %v15 = or i1 %v13, %v14
  br i1 %v15, label %v149, label %v16

v16:
  %v17 = icmp sgt i64 %v4, 0
  %v18 = shl i64 %v3, 1
  %v19 = getelementptr inbounds nuw i8, ptr %v9, i64 32
  %v20 = getelementptr inbounds nuw i8, ptr %v9, i64 64
  %v21 = getelementptr inbounds nuw i8, ptr %v9, i64 96
  %v22 = getelementptr inbounds nuw i8, ptr %v9, i64 128
  %v23 = getelementptr inbounds nuw i8, ptr %v9, i64 160
  %v24 = getelementptr inbounds nuw i8, ptr %v9, i64 192
  %v25 = getelementptr inbounds nuw i8, ptr %v9, i64 224
  %v26 = shl i64 %v4, 3
  %v27 = mul i64 %v4, 12
  %v28 = shl i64 %v4, 4
  %v29 = mul i64 %v4, 20
  %v30 = mul i64 %v4, 24
  %v31 = mul i64 %v4, 28
  %v32 = getelementptr inbounds nuw i8, ptr %v10, i64 32
  %v33 = getelementptr inbounds nuw i8, ptr %v10, i64 64
  %v34 = getelementptr inbounds nuw i8, ptr %v10, i64 96
  %v35 = getelementptr inbounds nuw i8, ptr %v10, i64 128
  %v36 = getelementptr inbounds nuw i8, ptr %v10, i64 160
  %v37 = getelementptr inbounds nuw i8, ptr %v10, i64 192
  %v38 = getelementptr inbounds nuw i8, ptr %v10, i64 224
  br label %v39

v39:
  %v40 = phi i64 [ 8, %v16 ], [ %v48, %v44 ]
  %v41 = phi ptr [ %v7, %v16 ], [ %v47, %v44 ]
  %v42 = phi ptr [ %v6, %v16 ], [ %v46, %v44 ]
  %v43 = phi ptr [ %v0, %v16 ], [ %v45, %v44 ]
  br i1 %v17, label %v50, label %v44

v44:
  %v45 = getelementptr inbounds nuw i8, ptr %v43, i64 64
  %v46 = getelementptr inbounds float, ptr %v42, i64 %v26
  %v47 = getelementptr inbounds float, ptr %v41, i64 %v26
  %v48 = add i64 %v40, 8
  %v49 = icmp sgt i64 %v48, %v1
  br i1 %v49, label %v149, label %v39

v50:
  %v51 = phi i64 [ %v133, %v52 ], [ 0, %v39 ]
  br label %v135

v52:
  %v53 = getelementptr inbounds float, ptr %v42, i64 %v51
  %v54 = load <8 x float>, ptr %v9, align 32
  %v55 = load <8 x float>, ptr %v19, align 32
  %v56 = shufflevector <8 x float> %v54, <8 x float> %v55, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v57 = shufflevector <8 x float> %v54, <8 x float> %v55, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v58 = load <8 x float>, ptr %v20, align 32
  %v59 = load <8 x float>, ptr %v21, align 32
  %v60 = shufflevector <8 x float> %v58, <8 x float> %v59, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v61 = shufflevector <8 x float> %v58, <8 x float> %v59, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v62 = load <8 x float>, ptr %v22, align 32
  %v63 = load <8 x float>, ptr %v23, align 32
  %v64 = shufflevector <8 x float> %v62, <8 x float> %v63, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v65 = shufflevector <8 x float> %v62, <8 x float> %v63, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v66 = load <8 x float>, ptr %v24, align 32
  %v67 = load <8 x float>, ptr %v25, align 32
  %v68 = shufflevector <8 x float> %v66, <8 x float> %v67, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v69 = shufflevector <8 x float> %v66, <8 x float> %v67, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v70 = shufflevector <8 x float> %v56, <8 x float> %v60, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v71 = shufflevector <8 x float> %v56, <8 x float> %v60, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v72 = shufflevector <8 x float> %v57, <8 x float> %v61, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v73 = shufflevector <8 x float> %v57, <8 x float> %v61, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v74 = shufflevector <8 x float> %v64, <8 x float> %v68, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v75 = shufflevector <8 x float> %v64, <8 x float> %v68, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v76 = shufflevector <8 x float> %v65, <8 x float> %v69, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v77 = shufflevector <8 x float> %v65, <8 x float> %v69, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v78 = shufflevector <8 x float> %v70, <8 x float> %v74, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v78, ptr %v53, align 4
  %v79 = getelementptr inbounds nuw float, ptr %v53, i64 %v4
  %v80 = shufflevector <8 x float> %v71, <8 x float> %v75, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v80, ptr %v79, align 4
  %v81 = getelementptr inbounds i8, ptr %v53, i64 %v26
  %v82 = shufflevector <8 x float> %v72, <8 x float> %v76, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v82, ptr %v81, align 4
  %v83 = getelementptr inbounds i8, ptr %v53, i64 %v27
  %v84 = shufflevector <8 x float> %v73, <8 x float> %v77, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v84, ptr %v83, align 4
  %v85 = getelementptr inbounds i8, ptr %v53, i64 %v28
  %v86 = shufflevector <8 x float> %v70, <8 x float> %v74, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v86, ptr %v85, align 4
  %v87 = getelementptr inbounds i8, ptr %v53, i64 %v29
  %v88 = shufflevector <8 x float> %v71, <8 x float> %v75, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v88, ptr %v87, align 4
  %v89 = getelementptr inbounds i8, ptr %v53, i64 %v30
  %v90 = shufflevector <8 x float> %v72, <8 x float> %v76, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v90, ptr %v89, align 4
  %v91 = getelementptr inbounds i8, ptr %v53, i64 %v31
  %v92 = shufflevector <8 x float> %v73, <8 x float> %v77, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v92, ptr %v91, align 4
  %v93 = getelementptr inbounds float, ptr %v41, i64 %v51
  %v94 = load <8 x float>, ptr %v10, align 32
  %v95 = load <8 x float>, ptr %v32, align 32
  %v96 = shufflevector <8 x float> %v94, <8 x float> %v95, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v97 = shufflevector <8 x float> %v94, <8 x float> %v95, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v98 = load <8 x float>, ptr %v33, align 32
  %v99 = load <8 x float>, ptr %v34, align 32
  %v100 = shufflevector <8 x float> %v98, <8 x float> %v99, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v101 = shufflevector <8 x float> %v98, <8 x float> %v99, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v102 = load <8 x float>, ptr %v35, align 32
  %v103 = load <8 x float>, ptr %v36, align 32
  %v104 = shufflevector <8 x float> %v102, <8 x float> %v103, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v105 = shufflevector <8 x float> %v102, <8 x float> %v103, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v106 = load <8 x float>, ptr %v37, align 32
  %v107 = load <8 x float>, ptr %v38, align 32
  %v108 = shufflevector <8 x float> %v106, <8 x float> %v107, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v109 = shufflevector <8 x float> %v106, <8 x float> %v107, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v110 = shufflevector <8 x float> %v96, <8 x float> %v100, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v111 = shufflevector <8 x float> %v96, <8 x float> %v100, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v112 = shufflevector <8 x float> %v97, <8 x float> %v101, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v113 = shufflevector <8 x float> %v97, <8 x float> %v101, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v114 = shufflevector <8 x float> %v104, <8 x float> %v108, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v115 = shufflevector <8 x float> %v104, <8 x float> %v108, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v116 = shufflevector <8 x float> %v105, <8 x float> %v109, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v117 = shufflevector <8 x float> %v105, <8 x float> %v109, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v118 = shufflevector <8 x float> %v110, <8 x float> %v114, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v118, ptr %v93, align 4
  %v119 = getelementptr inbounds nuw float, ptr %v93, i64 %v4
  %v120 = shufflevector <8 x float> %v111, <8 x float> %v115, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v120, ptr %v119, align 4
  %v121 = getelementptr inbounds i8, ptr %v93, i64 %v26
  %v122 = shufflevector <8 x float> %v112, <8 x float> %v116, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v122, ptr %v121, align 4
  %v123 = getelementptr inbounds i8, ptr %v93, i64 %v27
  %v124 = shufflevector <8 x float> %v113, <8 x float> %v117, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v124, ptr %v123, align 4
  %v125 = getelementptr inbounds i8, ptr %v93, i64 %v28
  %v126 = shufflevector <8 x float> %v110, <8 x float> %v114, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v126, ptr %v125, align 4
  %v127 = getelementptr inbounds i8, ptr %v93, i64 %v29
  %v128 = shufflevector <8 x float> %v111, <8 x float> %v115, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v128, ptr %v127, align 4
  %v129 = getelementptr inbounds i8, ptr %v93, i64 %v30
  %v130 = shufflevector <8 x float> %v112, <8 x float> %v116, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v130, ptr %v129, align 4
  %v131 = getelementptr inbounds i8, ptr %v93, i64 %v31
  %v132 = shufflevector <8 x float> %v113, <8 x float> %v117, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v132, ptr %v131, align 4
  %v133 = add i64 %v51, 8
  %v134 = icmp slt i64 %v133, %v4
  br i1 %v134, label %v50, label %v44

v135:
  %v136 = phi i64 [ 0, %v50 ], [ %v147, %v135 ]
  %v137 = add nuw nsw i64 %v136, %v51
  %v138 = mul i64 %v18, %v137
  %v139 = getelementptr inbounds float, ptr %v43, i64 %v138
  %v140 = getelementptr inbounds nuw <8 x float>, ptr %v9, i64 %v136
  %v141 = getelementptr inbounds nuw <8 x float>, ptr %v10, i64 %v136
  %v142 = load <8 x float>, ptr %v139, align 4
  %v143 = getelementptr inbounds nuw i8, ptr %v139, i64 32
  %v144 = load <8 x float>, ptr %v143, align 4
  %v145 = shufflevector <8 x float> %v142, <8 x float> %v144, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  store <8 x float> %v145, ptr %v140, align 32
  %v146 = shufflevector <8 x float> %v142, <8 x float> %v144, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  store <8 x float> %v146, ptr %v141, align 32
  %v147 = add nuw nsw i64 %v136, 1
  %v148 = icmp eq i64 %v147, 8
  br i1 %v148, label %v52, label %v135

v149:
  %v150 = phi ptr [ %v0, %v8 ], [ %v45, %v44 ]
  %v151 = phi ptr [ %v6, %v8 ], [ %v46, %v44 ]
  %v152 = phi ptr [ %v7, %v8 ], [ %v47, %v44 ]
  %v153 = phi i64 [ 0, %v8 ], [ %v40, %v44 ]
  %v154 = icmp slt i64 %v153, %v1
  br i1 %v154, label %v155, label %v209

v155:
  %v156 = icmp ne i64 %v3, 1
  %v157 = icmp slt i64 %v4, 8
  %v158 = shl i64 %v3, 1
  %v159 = shl i64 %v2, 3
  %v160 = or i1 %v156, %v157
  br label %v161

v161:
  %v162 = phi i64 [ %v153, %v155 ], [ %v204, %v203 ]
  %v163 = phi ptr [ %v152, %v155 ], [ %v207, %v203 ]
  %v164 = phi ptr [ %v151, %v155 ], [ %v206, %v203 ]
  %v165 = phi ptr [ %v150, %v155 ], [ %v205, %v203 ]
  br i1 %v160, label %v180, label %v166

v166:
  %v167 = phi i64 [ %v178, %v166 ], [ 8, %v161 ]
  %v168 = phi i64 [ %v167, %v166 ], [ 0, %v161 ]
  %v169 = shl i64 %v168, 3
  %v170 = getelementptr inbounds i8, ptr %v165, i64 %v169
  %v171 = load <8 x float>, ptr %v170, align 4
  %v172 = getelementptr inbounds nuw i8, ptr %v170, i64 32
  %v173 = load <8 x float>, ptr %v172, align 4
  %v174 = shufflevector <8 x float> %v171, <8 x float> %v173, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
  %v175 = shufflevector <8 x float> %v171, <8 x float> %v173, <8 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v176 = getelementptr inbounds float, ptr %v164, i64 %v168
  store <8 x float> %v174, ptr %v176, align 4
  %v177 = getelementptr inbounds float, ptr %v163, i64 %v168
  store <8 x float> %v175, ptr %v177, align 4
  %v178 = add i64 %v167, 8
  %v179 = icmp sgt i64 %v178, %v4
  br i1 %v179, label %v180, label %v166

v180:
  %v181 = phi i64 [ 0, %v161 ], [ %v167, %v166 ]
  %v182 = icmp slt i64 %v181, %v4
  br i1 %v182, label %v186, label %v183

v183:
  %v184 = phi i64 [ %v181, %v180 ], [ %v4, %v186 ]
  %v185 = icmp slt i64 %v184, %v5
  br i1 %v185, label %v197, label %v203

v186:
  %v187 = phi i64 [ %v195, %v186 ], [ %v181, %v180 ]
  %v188 = mul i64 %v158, %v187
  %v189 = getelementptr inbounds float, ptr %v165, i64 %v188
  %v190 = load float, ptr %v189, align 4
  %v191 = getelementptr inbounds float, ptr %v164, i64 %v187
  store float %v190, ptr %v191, align 4
  %v192 = getelementptr i8, ptr %v189, i64 4
  %v193 = load float, ptr %v192, align 4
  %v194 = getelementptr inbounds float, ptr %v163, i64 %v187
  store float %v193, ptr %v194, align 4
  %v195 = add nsw i64 %v187, 1
  %v196 = icmp eq i64 %v195, %v4
  br i1 %v196, label %v183, label %v186

v197:
  %v198 = phi i64 [ %v201, %v197 ], [ %v184, %v183 ]
  %v199 = getelementptr inbounds float, ptr %v164, i64 %v198
  store float 0.000000e+00, ptr %v199, align 4
  %v200 = getelementptr inbounds float, ptr %v163, i64 %v198
  store float 0.000000e+00, ptr %v200, align 4
  %v201 = add nsw i64 %v198, 1
  %v202 = icmp eq i64 %v201, %v5
  br i1 %v202, label %v203, label %v197

v203:
  %v204 = add nsw i64 %v162, 1
  %v205 = getelementptr inbounds i8, ptr %v165, i64 %v159
  %v206 = getelementptr inbounds float, ptr %v164, i64 %v5
  %v207 = getelementptr inbounds float, ptr %v163, i64 %v5
  %v208 = icmp eq i64 %v204, %v1
  br i1 %v208, label %v209, label %v161

v209:
  ret void
}

define internal fastcc void @scatter(ptr %v0, ptr %v1, i64 %v2, float %v3, i64 %v4, i64 %v5, i64 %v6, i64 %v7, ptr %v8) nounwind {
v9:
  %v10 = alloca [8 x <8 x float>], align 32
  %v11 = alloca [8 x <8 x float>], align 32
  %v12 = alloca [64 x float], align 16
  %v13 = alloca [64 x float], align 16
  %v14 = icmp ne i64 %v4, 1
  %v15 = icmp ne i64 %v6, %v7
  %v16 = or i1 %v14, %v15
  %v17 = icmp slt i64 %v2, 8
  %v18 = or i1 %v16, %v17
  br i1 %v18, label %v164, label %v19

v19:
  %v20 = icmp sgt i64 %v6, 0
  %v21 = insertelement <8 x float> poison, float %v3, i64 0
  %v22 = shufflevector <8 x float> %v21, <8 x float> poison, <8 x i32> zeroinitializer
  %v23 = getelementptr inbounds nuw i8, ptr %v10, i64 32
  %v24 = getelementptr inbounds nuw i8, ptr %v10, i64 64
  %v25 = getelementptr inbounds nuw i8, ptr %v10, i64 96
  %v26 = getelementptr inbounds nuw i8, ptr %v10, i64 128
  %v27 = getelementptr inbounds nuw i8, ptr %v10, i64 160
  %v28 = getelementptr inbounds nuw i8, ptr %v10, i64 192
  %v29 = getelementptr inbounds nuw i8, ptr %v10, i64 224
  %v30 = getelementptr inbounds nuw i8, ptr %v12, i64 32
  %v31 = getelementptr inbounds nuw i8, ptr %v12, i64 64
  %v32 = getelementptr inbounds nuw i8, ptr %v12, i64 96
  %v33 = getelementptr inbounds nuw i8, ptr %v12, i64 128
  %v34 = getelementptr inbounds nuw i8, ptr %v12, i64 160
  %v35 = getelementptr inbounds nuw i8, ptr %v12, i64 192
  %v36 = getelementptr inbounds nuw i8, ptr %v12, i64 224
  %v37 = getelementptr inbounds nuw i8, ptr %v11, i64 32
  %v38 = getelementptr inbounds nuw i8, ptr %v11, i64 64
  %v39 = getelementptr inbounds nuw i8, ptr %v11, i64 96
  %v40 = getelementptr inbounds nuw i8, ptr %v11, i64 128
  %v41 = getelementptr inbounds nuw i8, ptr %v11, i64 160
  %v42 = getelementptr inbounds nuw i8, ptr %v11, i64 192
  %v43 = getelementptr inbounds nuw i8, ptr %v11, i64 224
  %v44 = getelementptr inbounds nuw i8, ptr %v13, i64 32
  %v45 = getelementptr inbounds nuw i8, ptr %v13, i64 64
  %v46 = getelementptr inbounds nuw i8, ptr %v13, i64 96
  %v47 = getelementptr inbounds nuw i8, ptr %v13, i64 128
  %v48 = getelementptr inbounds nuw i8, ptr %v13, i64 160
  %v49 = getelementptr inbounds nuw i8, ptr %v13, i64 192
  %v50 = getelementptr inbounds nuw i8, ptr %v13, i64 224
  %v51 = shl i64 %v5, 1
  %v52 = shl i64 %v6, 3
  br label %v53

v53:
  %v54 = phi i64 [ 8, %v19 ], [ %v62, %v58 ]
  %v55 = phi ptr [ %v8, %v19 ], [ %v59, %v58 ]
  %v56 = phi ptr [ %v0, %v19 ], [ %v60, %v58 ]
  %v57 = phi ptr [ %v1, %v19 ], [ %v61, %v58 ]
  br i1 %v20, label %v64, label %v58

v58:
  %v59 = getelementptr inbounds nuw i8, ptr %v55, i64 64
  %v60 = getelementptr inbounds float, ptr %v56, i64 %v52
  %v61 = getelementptr inbounds float, ptr %v57, i64 %v52
  %v62 = add i64 %v54, 8
  %v63 = icmp sgt i64 %v62, %v2
  br i1 %v63, label %v164, label %v53

v64:
  %v65 = phi i64 [ %v147, %v146 ], [ 0, %v53 ]
  %v66 = getelementptr float, ptr %v56, i64 %v65
  %v67 = getelementptr float, ptr %v57, i64 %v65
  br label %v133

v68:
  %v69 = load <8 x float>, ptr %v10, align 32
  %v70 = load <8 x float>, ptr %v23, align 32
  %v71 = shufflevector <8 x float> %v69, <8 x float> %v70, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v72 = shufflevector <8 x float> %v69, <8 x float> %v70, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v73 = load <8 x float>, ptr %v24, align 32
  %v74 = load <8 x float>, ptr %v25, align 32
  %v75 = shufflevector <8 x float> %v73, <8 x float> %v74, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v76 = shufflevector <8 x float> %v73, <8 x float> %v74, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v77 = load <8 x float>, ptr %v26, align 32
  %v78 = load <8 x float>, ptr %v27, align 32
  %v79 = shufflevector <8 x float> %v77, <8 x float> %v78, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v80 = shufflevector <8 x float> %v77, <8 x float> %v78, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v81 = load <8 x float>, ptr %v28, align 32
  %v82 = load <8 x float>, ptr %v29, align 32
  %v83 = shufflevector <8 x float> %v81, <8 x float> %v82, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v84 = shufflevector <8 x float> %v81, <8 x float> %v82, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v85 = shufflevector <8 x float> %v71, <8 x float> %v75, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v86 = shufflevector <8 x float> %v71, <8 x float> %v75, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v87 = shufflevector <8 x float> %v72, <8 x float> %v76, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v88 = shufflevector <8 x float> %v72, <8 x float> %v76, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v89 = shufflevector <8 x float> %v79, <8 x float> %v83, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v90 = shufflevector <8 x float> %v79, <8 x float> %v83, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v91 = shufflevector <8 x float> %v80, <8 x float> %v84, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v92 = shufflevector <8 x float> %v80, <8 x float> %v84, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v93 = shufflevector <8 x float> %v85, <8 x float> %v89, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v93, ptr %v12, align 16
  %v94 = shufflevector <8 x float> %v86, <8 x float> %v90, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v94, ptr %v30, align 16
  %v95 = shufflevector <8 x float> %v87, <8 x float> %v91, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v95, ptr %v31, align 16
  %v96 = shufflevector <8 x float> %v88, <8 x float> %v92, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v96, ptr %v32, align 16
  %v97 = shufflevector <8 x float> %v85, <8 x float> %v89, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v97, ptr %v33, align 16
  %v98 = shufflevector <8 x float> %v86, <8 x float> %v90, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v98, ptr %v34, align 16
  %v99 = shufflevector <8 x float> %v87, <8 x float> %v91, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v99, ptr %v35, align 16
  %v100 = shufflevector <8 x float> %v88, <8 x float> %v92, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v100, ptr %v36, align 16
  %v101 = load <8 x float>, ptr %v11, align 32
  %v102 = load <8 x float>, ptr %v37, align 32
  %v103 = shufflevector <8 x float> %v101, <8 x float> %v102, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v104 = shufflevector <8 x float> %v101, <8 x float> %v102, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v105 = load <8 x float>, ptr %v38, align 32
  %v106 = load <8 x float>, ptr %v39, align 32
  %v107 = shufflevector <8 x float> %v105, <8 x float> %v106, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v108 = shufflevector <8 x float> %v105, <8 x float> %v106, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v109 = load <8 x float>, ptr %v40, align 32
  %v110 = load <8 x float>, ptr %v41, align 32
  %v111 = shufflevector <8 x float> %v109, <8 x float> %v110, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v112 = shufflevector <8 x float> %v109, <8 x float> %v110, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v113 = load <8 x float>, ptr %v42, align 32
  %v114 = load <8 x float>, ptr %v43, align 32
  %v115 = shufflevector <8 x float> %v113, <8 x float> %v114, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %v116 = shufflevector <8 x float> %v113, <8 x float> %v114, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %v117 = shufflevector <8 x float> %v103, <8 x float> %v107, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v118 = shufflevector <8 x float> %v103, <8 x float> %v107, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v119 = shufflevector <8 x float> %v104, <8 x float> %v108, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v120 = shufflevector <8 x float> %v104, <8 x float> %v108, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v121 = shufflevector <8 x float> %v111, <8 x float> %v115, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v122 = shufflevector <8 x float> %v111, <8 x float> %v115, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v123 = shufflevector <8 x float> %v112, <8 x float> %v116, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %v124 = shufflevector <8 x float> %v112, <8 x float> %v116, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %v125 = shufflevector <8 x float> %v117, <8 x float> %v121, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v125, ptr %v13, align 16
  %v126 = shufflevector <8 x float> %v118, <8 x float> %v122, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v126, ptr %v44, align 16
  %v127 = shufflevector <8 x float> %v119, <8 x float> %v123, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v127, ptr %v45, align 16
  %v128 = shufflevector <8 x float> %v120, <8 x float> %v124, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  store <8 x float> %v128, ptr %v46, align 16
  %v129 = shufflevector <8 x float> %v117, <8 x float> %v121, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v129, ptr %v47, align 16
  %v130 = shufflevector <8 x float> %v118, <8 x float> %v122, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v130, ptr %v48, align 16
  %v131 = shufflevector <8 x float> %v119, <8 x float> %v123, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v131, ptr %v49, align 16
  %v132 = shufflevector <8 x float> %v120, <8 x float> %v124, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  store <8 x float> %v132, ptr %v50, align 16
  br label %v149

v133:
  %v134 = phi i64 [ 0, %v64 ], [ %v144, %v133 ]
  %v135 = mul i64 %v134, %v6
  %v136 = getelementptr float, ptr %v66, i64 %v135
  %v137 = load <8 x float>, ptr %v136, align 4
  %v138 = fmul <8 x float> %v22, %v137
  %v139 = getelementptr inbounds nuw <8 x float>, ptr %v10, i64 %v134
  store <8 x float> %v138, ptr %v139, align 32
  %v140 = getelementptr float, ptr %v67, i64 %v135
  %v141 = load <8 x float>, ptr %v140, align 4
  %v142 = fmul <8 x float> %v22, %v141
  %v143 = getelementptr inbounds nuw <8 x float>, ptr %v11, i64 %v134
  store <8 x float> %v142, ptr %v143, align 32
  %v144 = add nuw nsw i64 %v134, 1
  %v145 = icmp eq i64 %v144, 8
  br i1 %v145, label %v68, label %v133

v146:
  %v147 = add i64 %v65, 8
  %v148 = icmp slt i64 %v147, %v6
  br i1 %v148, label %v64, label %v58

v149:
  %v150 = phi i64 [ 0, %v68 ], [ %v162, %v149 ]
  %v151 = add nuw nsw i64 %v150, %v65
  %v152 = mul i64 %v51, %v151
  %v153 = getelementptr inbounds float, ptr %v55, i64 %v152
  %v154 = shl nuw nsw i64 %v150, 3
  %v155 = getelementptr inbounds nuw float, ptr %v12, i64 %v154
  %v156 = load <8 x float>, ptr %v155, align 16
  %v157 = getelementptr inbounds nuw float, ptr %v13, i64 %v154
  %v158 = load <8 x float>, ptr %v157, align 16
  %v159 = shufflevector <8 x float> %v156, <8 x float> %v158, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %v159, ptr %v153, align 4
  %v160 = getelementptr inbounds nuw i8, ptr %v153, i64 32
  %v161 = shufflevector <8 x float> %v156, <8 x float> %v158, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  store <8 x float> %v161, ptr %v160, align 4
  %v162 = add nuw nsw i64 %v150, 1
  %v163 = icmp eq i64 %v162, 8
  br i1 %v163, label %v146, label %v149

v164:
  %v165 = phi ptr [ %v1, %v9 ], [ %v61, %v58 ]
  %v166 = phi ptr [ %v0, %v9 ], [ %v60, %v58 ]
  %v167 = phi ptr [ %v8, %v9 ], [ %v59, %v58 ]
  %v168 = phi i64 [ 0, %v9 ], [ %v54, %v58 ]
  %v169 = icmp slt i64 %v168, %v2
  br i1 %v169, label %v170, label %v221

v170:
  %v171 = icmp ne i64 %v5, 1
  %v172 = icmp slt i64 %v6, 8
  %v173 = insertelement <8 x float> poison, float %v3, i64 0
  %v174 = shufflevector <8 x float> %v173, <8 x float> poison, <8 x i32> zeroinitializer
  %v175 = shl i64 %v5, 1
  %v176 = shl i64 %v4, 3
  %v177 = or i1 %v171, %v172
  br label %v178

v178:
  %v179 = phi i64 [ %v168, %v170 ], [ %v216, %v215 ]
  %v180 = phi ptr [ %v167, %v170 ], [ %v217, %v215 ]
  %v181 = phi ptr [ %v166, %v170 ], [ %v218, %v215 ]
  %v182 = phi ptr [ %v165, %v170 ], [ %v219, %v215 ]
  br i1 %v177, label %v199, label %v183

v183:
  %v184 = phi i64 [ %v197, %v183 ], [ 8, %v178 ]
  %v185 = phi i64 [ %v184, %v183 ], [ 0, %v178 ]
  %v186 = shl i64 %v185, 3
  %v187 = getelementptr inbounds i8, ptr %v180, i64 %v186
  %v188 = getelementptr inbounds float, ptr %v181, i64 %v185
  %v189 = load <8 x float>, ptr %v188, align 4
  %v190 = fmul <8 x float> %v174, %v189
  %v191 = getelementptr inbounds float, ptr %v182, i64 %v185
  %v192 = load <8 x float>, ptr %v191, align 4
  %v193 = fmul <8 x float> %v174, %v192
  %v194 = shufflevector <8 x float> %v190, <8 x float> %v193, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
  store <8 x float> %v194, ptr %v187, align 4
  %v195 = getelementptr inbounds nuw i8, ptr %v187, i64 32
  %v196 = shufflevector <8 x float> %v190, <8 x float> %v193, <8 x i32> <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
  store <8 x float> %v196, ptr %v195, align 4
  %v197 = add i64 %v184, 8
  %v198 = icmp sgt i64 %v197, %v6
  br i1 %v198, label %v199, label %v183

v199:
  %v200 = phi i64 [ 0, %v178 ], [ %v184, %v183 ]
  %v201 = icmp slt i64 %v200, %v6
  br i1 %v201, label %v202, label %v215

v202:
  %v203 = phi i64 [ %v213, %v202 ], [ %v200, %v199 ]
  %v204 = getelementptr inbounds float, ptr %v181, i64 %v203
  %v205 = load float, ptr %v204, align 4
  %v206 = fmul float %v3, %v205
  %v207 = mul i64 %v175, %v203
  %v208 = getelementptr inbounds float, ptr %v180, i64 %v207
  store float %v206, ptr %v208, align 4
  %v209 = getelementptr inbounds float, ptr %v182, i64 %v203
  %v210 = load float, ptr %v209, align 4
  %v211 = fmul float %v3, %v210
  %v212 = getelementptr i8, ptr %v208, i64 4
  store float %v211, ptr %v212, align 4
  %v213 = add nsw i64 %v203, 1
  %v214 = icmp eq i64 %v213, %v6
  br i1 %v214, label %v215, label %v202

v215:
  %v216 = add nsw i64 %v179, 1
  %v217 = getelementptr inbounds i8, ptr %v180, i64 %v176
  %v218 = getelementptr inbounds float, ptr %v181, i64 %v7
  %v219 = getelementptr inbounds float, ptr %v182, i64 %v7
  %v220 = icmp eq i64 %v216, %v2
  br i1 %v220, label %v221, label %v178

v221:
  ret void
}

declare i64 @llvm.smin.i64(i64, i64)
