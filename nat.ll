; (a: int64[::1], out: int64[::1])
; ModuleID = 'count'
source_filename = "count"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@s9.splice_unit = external global i8
@s10.splice_object_8 = external global [16 x i8], align 8

; Function Attrs: nounwind
define dso_local ptr @f1.splice_entry(ptr %0, ptr %1, i64 %2, ptr %3) #0 {
entry:
  %4 = alloca i64, i32 8, align 16
  %old_values = alloca [8192 x i8], align 64
  %5 = and i64 %2, 9223372036854775807
  %6 = icmp eq i64 %5, 2
  %7 = icmp eq ptr %3, null
  %8 = and i1 %7, %6
  br i1 %8, label %b2, label %b1

common.ret:                                       ; preds = %b12, %b9, %b6, %b1
  %common.ret.op = phi ptr [ %9, %b1 ], [ %49, %b6 ], [ %410, %b9 ], [ %411, %b12 ]
  ret ptr %common.ret.op

b1:                                               ; preds = %entry
  %9 = tail call ptr @s8.splice_rt_bind(ptr %0, ptr %1, i64 %2, ptr %3, ptr nonnull @s9.splice_unit, ptr null) #8
  br label %common.ret

b2:                                               ; preds = %entry
  %10 = load ptr, ptr %1, align 8
  %11 = getelementptr nusw nuw i8, ptr %10, i64 8
  %12 = load ptr, ptr %11, align 8, !tbaa !1
  %13 = icmp eq ptr %12, @s10.splice_object_8
  br i1 %13, label %b3, label %b6

b3:                                               ; preds = %b2
  %14 = getelementptr nusw nuw i8, ptr %10, i64 64
  %15 = load i32, ptr %14, align 4, !tbaa !4
  %16 = and i32 %15, 257
  %17 = icmp eq i32 %16, 257
  %18 = getelementptr nusw nuw i8, ptr %10, i64 24
  %19 = load i32, ptr %18, align 4, !tbaa !4
  %20 = icmp eq i32 %19, 1
  %21 = and i1 %20, %17
  %22 = getelementptr nusw nuw i8, ptr %10, i64 56
  %23 = load ptr, ptr %22, align 8, !tbaa !4
  %24 = getelementptr nusw nuw i8, ptr %23, i64 24
  %25 = load i64, ptr %24, align 8, !tbaa !4
  %26 = and i64 %25, -4278255616
  %27 = icmp eq i64 %26, 30068768768
  %28 = and i1 %27, %21
  br i1 %28, label %b4, label %b6

b4:                                               ; preds = %b3
  %29 = getelementptr nusw nuw i8, ptr %1, i64 8
  %30 = load ptr, ptr %29, align 8
  %31 = getelementptr nusw nuw i8, ptr %30, i64 8
  %32 = load ptr, ptr %31, align 8, !tbaa !1
  %33 = icmp eq ptr %32, @s10.splice_object_8
  br i1 %33, label %b5, label %b6

b5:                                               ; preds = %b4
  %34 = getelementptr nusw nuw i8, ptr %30, i64 64
  %35 = load i32, ptr %34, align 4, !tbaa !4
  %36 = and i32 %35, 257
  %37 = icmp eq i32 %36, 257
  %38 = getelementptr nusw nuw i8, ptr %30, i64 24
  %39 = load i32, ptr %38, align 4, !tbaa !4
  %40 = icmp eq i32 %39, 1
  %41 = and i1 %40, %37
  %42 = getelementptr nusw nuw i8, ptr %30, i64 56
  %43 = load ptr, ptr %42, align 8, !tbaa !4
  %44 = getelementptr nusw nuw i8, ptr %43, i64 24
  %45 = load i64, ptr %44, align 8, !tbaa !4
  %46 = and i64 %45, -4278255616
  %47 = icmp eq i64 %46, 30068768768
  %48 = and i1 %47, %41
  br i1 %48, label %b7, label %b6

b6:                                               ; preds = %b5, %b4, %b3, %b2
  %49 = tail call ptr @s13.splice_rt_miss(ptr %0, ptr nonnull %1, i64 2, ptr null) #8
  br label %common.ret

b7:                                               ; preds = %b5
  %50 = tail call ptr @s11.splice_rt_enter() #9
  %51 = getelementptr nusw nuw i8, ptr %50, i64 24
  %52 = load ptr, ptr %51, align 8, !tbaa !6, !invariant.load !8
  %53 = load i32, ptr %52, align 4, !tbaa !9
  %54 = getelementptr nusw nuw i8, ptr %50, i64 32
  %55 = load ptr, ptr %54, align 8, !tbaa !6, !invariant.load !8
  %56 = call ptr @llvm.frameaddress.p0(i32 0)
  %57 = icmp ugt ptr %56, %55
  %58 = icmp sgt i32 %53, 0
  %59 = and i1 %58, %57
  br i1 %59, label %b8, label %b9

b8:                                               ; preds = %b7
  %60 = getelementptr nusw nuw i8, ptr %50, i64 20
  %61 = load i32, ptr %60, align 4, !tbaa !6
  %62 = add i32 %61, 1
  store i32 %62, ptr %60, align 4, !tbaa !6
  %63 = add nsw i32 %53, -1
  store i32 %63, ptr %52, align 4, !tbaa !9
  %64 = load i32, ptr %14, align 4, !tbaa !4
  %65 = and i32 %64, 257
  %66 = icmp eq i32 %65, 257
  %67 = load i32, ptr %18, align 4, !tbaa !4
  %68 = icmp eq i32 %67, 1
  %69 = and i1 %68, %66
  %70 = load ptr, ptr %22, align 8, !tbaa !4
  %71 = getelementptr nusw nuw i8, ptr %70, i64 24
  %72 = load i64, ptr %71, align 8, !tbaa !4
  %73 = and i64 %72, -4278255616
  %74 = icmp eq i64 %73, 30068768768
  %75 = and i1 %74, %69
  br i1 %75, label %b9.i, label %leave.i, !prof !11

chunk.loopexit:                                   ; preds = %end, %end.peel
  %.lcssa149 = phi i64 [ %256, %end.peel ], [ %329, %end ]
  %.lcssa142 = phi i64 [ %258, %end.peel ], [ %331, %end ]
  %.lcssa92 = phi i64 [ %243, %end.peel ], [ %288, %end ]
  %.pre.pre.pre = load i32, ptr %14, align 4, !tbaa !4
  %.pre438.pre.pre = load i32, ptr %18, align 4, !tbaa !4
  %.pre439.pre.pre = load ptr, ptr %22, align 8, !tbaa !4
  br label %chunk.backedge

chunk:                                            ; preds = %chunk.backedge, %b5.i.lr.ph
  %.pre439.pre448 = phi ptr [ %70, %b5.i.lr.ph ], [ %.pre439.pre, %chunk.backedge ]
  %.pre438.pre446 = phi i32 [ 1, %b5.i.lr.ph ], [ %.pre438.pre, %chunk.backedge ]
  %.pre.pre444 = phi i32 [ %64, %b5.i.lr.ph ], [ %.pre.pre, %chunk.backedge ]
  %76 = phi i64 [ 0, %b5.i.lr.ph ], [ %.be, %chunk.backedge ]
  %77 = phi i64 [ 0, %b5.i.lr.ph ], [ %.be78, %chunk.backedge ]
  %78 = phi i1 [ false, %b5.i.lr.ph ], [ true, %chunk.backedge ]
  %79 = phi i64 [ 0, %b5.i.lr.ph ], [ %.be80, %chunk.backedge ]
  %80 = load atomic i32, ptr %310 monotonic, align 4
  %81 = and i32 %80, %311
  %.fr = freeze i32 %81
  %82 = icmp eq i32 %.fr, 0
  br i1 %82, label %chunk68, label %chunk.b5.i.preheader_crit_edge

chunk.b5.i.preheader_crit_edge:                   ; preds = %chunk
  %.phi.trans.insert = getelementptr nusw nuw i8, ptr %.pre439.pre448, i64 24
  %.pre440 = load i64, ptr %.phi.trans.insert, align 8, !tbaa !4
  %.pre = and i32 %.pre.pre444, 257
  br label %b5.i.preheader

start:                                            ; preds = %chunk74
  %83 = shl i64 %76, 3
  %84 = getelementptr i8, ptr %203, i64 %83
  %min.iters.check171 = icmp ult i64 %209, 8
  br i1 %min.iters.check171, label %scalar.ph, label %vector.memcheck

vector.memcheck:                                  ; preds = %start
  %85 = add i64 %76, %210
  %86 = shl i64 %85, 3
  %scevgep = getelementptr i8, ptr %203, i64 %86
  %scevgep169 = getelementptr i8, ptr %181, i64 %83
  %scevgep170 = getelementptr i8, ptr %181, i64 %86
  %bound0 = icmp ult ptr %84, %scevgep170
  %bound1 = icmp ult ptr %scevgep169, %scevgep
  %found.conflict = and i1 %bound0, %bound1
  br i1 %found.conflict, label %scalar.ph, label %vector.ph172

vector.ph172:                                     ; preds = %vector.memcheck
  %n.vec174 = and i64 %210, 504
  %87 = add i64 %76, %n.vec174
  %88 = insertelement <4 x i64> <i64 poison, i64 0, i64 0, i64 0>, i64 %79, i64 0
  %89 = add nsw i64 %210, -8
  %90 = lshr i64 %89, 3
  %91 = add nuw nsw i64 %90, 1
  %xtraiter245 = and i64 %91, 1
  %92 = icmp eq i64 %90, 0
  br i1 %92, label %vector.body175.epil.preheader, label %vector.ph172.new

vector.ph172.new:                                 ; preds = %vector.ph172
  %unroll_iter = and i64 %91, 4611686018427387902
  br label %vector.body175

vector.body175:                                   ; preds = %vector.body175, %vector.ph172.new
  %index176 = phi i64 [ 0, %vector.ph172.new ], [ %index.next185.1, %vector.body175 ]
  %vec.phi = phi <4 x i1> [ zeroinitializer, %vector.ph172.new ], [ %115, %vector.body175 ]
  %vec.phi177 = phi <4 x i1> [ zeroinitializer, %vector.ph172.new ], [ %118, %vector.body175 ]
  %vec.phi178 = phi <4 x i64> [ %88, %vector.ph172.new ], [ %121, %vector.body175 ]
  %vec.phi179 = phi <4 x i64> [ zeroinitializer, %vector.ph172.new ], [ %122, %vector.body175 ]
  %niter = phi i64 [ 0, %vector.ph172.new ], [ %niter.next.1, %vector.body175 ]
  %offset.idx180 = add i64 %76, %index176
  %93 = shl nsw i64 %offset.idx180, 3
  %94 = getelementptr nusw i8, ptr %181, i64 %93
  %95 = getelementptr nusw nuw i8, ptr %94, i64 32
  %wide.load181 = load <4 x i64>, ptr %94, align 8, !tbaa !12, !alias.scope !14
  %wide.load182 = load <4 x i64>, ptr %95, align 8, !tbaa !12, !alias.scope !14
  %96 = add <4 x i64> %wide.load181, splat (i64 4611686018427387904)
  %97 = add <4 x i64> %wide.load182, splat (i64 4611686018427387904)
  %98 = lshr <4 x i64> %wide.load181, splat (i64 63)
  %99 = lshr <4 x i64> %wide.load182, splat (i64 63)
  %100 = add <4 x i64> %vec.phi178, %98
  %101 = add <4 x i64> %vec.phi179, %99
  %102 = add nsw <4 x i64> %wide.load181, splat (i64 -9223372036854775807)
  %103 = add nsw <4 x i64> %wide.load182, splat (i64 -9223372036854775807)
  %104 = getelementptr nusw i8, ptr %203, i64 %93
  %105 = getelementptr nusw nuw i8, ptr %104, i64 32
  %wide.load183 = load <4 x i64>, ptr %104, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  %wide.load184 = load <4 x i64>, ptr %105, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  %106 = getelementptr inbounds i64, ptr %old_values, i64 %index176
  %107 = getelementptr inbounds nuw i8, ptr %106, i64 32
  store <4 x i64> %wide.load183, ptr %106, align 8
  store <4 x i64> %wide.load184, ptr %107, align 8
  store <4 x i64> %102, ptr %104, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  store <4 x i64> %103, ptr %105, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  %index.next185 = or disjoint i64 %index176, 8
  %offset.idx180.1 = add i64 %76, %index.next185
  %108 = shl nsw i64 %offset.idx180.1, 3
  %109 = getelementptr nusw i8, ptr %181, i64 %108
  %110 = getelementptr nusw nuw i8, ptr %109, i64 32
  %wide.load181.1 = load <4 x i64>, ptr %109, align 8, !tbaa !12, !alias.scope !14
  %wide.load182.1 = load <4 x i64>, ptr %110, align 8, !tbaa !12, !alias.scope !14
  %111 = add <4 x i64> %wide.load181.1, splat (i64 4611686018427387904)
  %112 = add <4 x i64> %wide.load182.1, splat (i64 4611686018427387904)
  %113 = or <4 x i64> %111, %96
  %114 = icmp slt <4 x i64> %113, zeroinitializer
  %115 = or <4 x i1> %vec.phi, %114
  %116 = or <4 x i64> %112, %97
  %117 = icmp slt <4 x i64> %116, zeroinitializer
  %118 = or <4 x i1> %vec.phi177, %117
  %119 = lshr <4 x i64> %wide.load181.1, splat (i64 63)
  %120 = lshr <4 x i64> %wide.load182.1, splat (i64 63)
  %121 = add <4 x i64> %100, %119
  %122 = add <4 x i64> %101, %120
  %123 = add nsw <4 x i64> %wide.load181.1, splat (i64 -9223372036854775807)
  %124 = add nsw <4 x i64> %wide.load182.1, splat (i64 -9223372036854775807)
  %125 = getelementptr nusw i8, ptr %203, i64 %108
  %126 = getelementptr nusw nuw i8, ptr %125, i64 32
  %wide.load183.1 = load <4 x i64>, ptr %125, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  %wide.load184.1 = load <4 x i64>, ptr %126, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  %127 = getelementptr inbounds i64, ptr %old_values, i64 %index.next185
  %128 = getelementptr inbounds nuw i8, ptr %127, i64 32
  store <4 x i64> %wide.load183.1, ptr %127, align 8
  store <4 x i64> %wide.load184.1, ptr %128, align 8
  store <4 x i64> %123, ptr %125, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  store <4 x i64> %124, ptr %126, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  %index.next185.1 = add nuw i64 %index176, 16
  %niter.next.1 = add i64 %niter, 2
  %niter.ncmp.1 = icmp eq i64 %niter.next.1, %unroll_iter
  br i1 %niter.ncmp.1, label %middle.block186.unr-lcssa, label %vector.body175, !llvm.loop !19

middle.block186.unr-lcssa:                        ; preds = %vector.body175
  %lcmp.mod246.not = icmp eq i64 %xtraiter245, 0
  br i1 %lcmp.mod246.not, label %middle.block186, label %vector.body175.epil.preheader

vector.body175.epil.preheader:                    ; preds = %middle.block186.unr-lcssa, %vector.ph172
  %index176.epil.init = phi i64 [ 0, %vector.ph172 ], [ %index.next185.1, %middle.block186.unr-lcssa ]
  %vec.phi.epil.init = phi <4 x i1> [ zeroinitializer, %vector.ph172 ], [ %115, %middle.block186.unr-lcssa ]
  %vec.phi177.epil.init = phi <4 x i1> [ zeroinitializer, %vector.ph172 ], [ %118, %middle.block186.unr-lcssa ]
  %vec.phi178.epil.init = phi <4 x i64> [ %88, %vector.ph172 ], [ %121, %middle.block186.unr-lcssa ]
  %vec.phi179.epil.init = phi <4 x i64> [ zeroinitializer, %vector.ph172 ], [ %122, %middle.block186.unr-lcssa ]
  %lcmp.mod252 = icmp ne i64 %xtraiter245, 0
  call void @llvm.assume(i1 %lcmp.mod252)
  %offset.idx180.epil = add i64 %76, %index176.epil.init
  %129 = shl nsw i64 %offset.idx180.epil, 3
  %130 = getelementptr nusw i8, ptr %181, i64 %129
  %131 = getelementptr nusw nuw i8, ptr %130, i64 32
  %wide.load181.epil = load <4 x i64>, ptr %130, align 8, !tbaa !12, !alias.scope !14
  %wide.load182.epil = load <4 x i64>, ptr %131, align 8, !tbaa !12, !alias.scope !14
  %132 = add <4 x i64> %wide.load181.epil, splat (i64 4611686018427387904)
  %133 = add <4 x i64> %wide.load182.epil, splat (i64 4611686018427387904)
  %134 = icmp slt <4 x i64> %132, zeroinitializer
  %135 = icmp slt <4 x i64> %133, zeroinitializer
  %136 = or <4 x i1> %vec.phi.epil.init, %134
  %137 = or <4 x i1> %vec.phi177.epil.init, %135
  %138 = lshr <4 x i64> %wide.load181.epil, splat (i64 63)
  %139 = lshr <4 x i64> %wide.load182.epil, splat (i64 63)
  %140 = add <4 x i64> %vec.phi178.epil.init, %138
  %141 = add <4 x i64> %vec.phi179.epil.init, %139
  %142 = add nsw <4 x i64> %wide.load181.epil, splat (i64 -9223372036854775807)
  %143 = add nsw <4 x i64> %wide.load182.epil, splat (i64 -9223372036854775807)
  %144 = getelementptr nusw i8, ptr %203, i64 %129
  %145 = getelementptr nusw nuw i8, ptr %144, i64 32
  %wide.load183.epil = load <4 x i64>, ptr %144, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  %wide.load184.epil = load <4 x i64>, ptr %145, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  %146 = getelementptr inbounds i64, ptr %old_values, i64 %index176.epil.init
  %147 = getelementptr inbounds nuw i8, ptr %146, i64 32
  store <4 x i64> %wide.load183.epil, ptr %146, align 8
  store <4 x i64> %wide.load184.epil, ptr %147, align 8
  store <4 x i64> %142, ptr %144, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  store <4 x i64> %143, ptr %145, align 8, !tbaa !12, !alias.scope !17, !noalias !14
  br label %middle.block186

middle.block186:                                  ; preds = %middle.block186.unr-lcssa, %vector.body175.epil.preheader
  %wide.load182.lcssa = phi <4 x i64> [ %wide.load182.1, %middle.block186.unr-lcssa ], [ %wide.load182.epil, %vector.body175.epil.preheader ]
  %.lcssa199 = phi <4 x i1> [ %115, %middle.block186.unr-lcssa ], [ %136, %vector.body175.epil.preheader ]
  %.lcssa198 = phi <4 x i1> [ %118, %middle.block186.unr-lcssa ], [ %137, %vector.body175.epil.preheader ]
  %.lcssa197 = phi <4 x i64> [ %121, %middle.block186.unr-lcssa ], [ %140, %vector.body175.epil.preheader ]
  %.lcssa196 = phi <4 x i64> [ %122, %middle.block186.unr-lcssa ], [ %141, %vector.body175.epil.preheader ]
  %bin.rdx = or <4 x i1> %.lcssa198, %.lcssa199
  %148 = bitcast <4 x i1> %bin.rdx to i4
  %149 = icmp ne i4 %148, 0
  %bin.rdx187 = add <4 x i64> %.lcssa196, %.lcssa197
  %150 = call i64 @llvm.vector.reduce.add.v4i64(<4 x i64> %bin.rdx187)
  %151 = extractelement <4 x i64> %wide.load182.lcssa, i64 3
  %cmp.n188 = icmp eq i64 %210, %n.vec174
  br i1 %cmp.n188, label %judge, label %scalar.ph

scalar.ph:                                        ; preds = %vector.memcheck, %start, %middle.block186
  %bc.merge.rdx = phi i1 [ %149, %middle.block186 ], [ false, %start ], [ false, %vector.memcheck ]
  %bc.resume.val189 = phi i64 [ %n.vec174, %middle.block186 ], [ 0, %start ], [ 0, %vector.memcheck ]
  %bc.resume.val190 = phi i64 [ %87, %middle.block186 ], [ %76, %start ], [ %76, %vector.memcheck ]
  %bc.merge.rdx191 = phi i64 [ %150, %middle.block186 ], [ %79, %start ], [ %79, %vector.memcheck ]
  %.neg = or disjoint i64 %bc.resume.val189, 1
  %xtraiter = and i64 %210, 1
  %lcmp.mod.not = icmp eq i64 %xtraiter, 0
  br i1 %lcmp.mod.not, label %b5.i.chunk.prol.loopexit, label %b5.i.chunk.prol.preheader

b5.i.chunk.prol.preheader:                        ; preds = %scalar.ph
  %152 = add nuw nsw i64 %bc.resume.val190, 1
  %153 = shl nsw i64 %bc.resume.val190, 3
  %154 = getelementptr nusw i8, ptr %181, i64 %153
  %155 = load i64, ptr %154, align 8, !tbaa !12
  %156 = add i64 %155, 4611686018427387904
  %157 = icmp slt i64 %156, 0
  %158 = or i1 %bc.merge.rdx, %157
  %159 = lshr i64 %155, 63
  %160 = add i64 %bc.merge.rdx191, %159
  %161 = add nsw i64 %155, -9223372036854775807
  %162 = getelementptr nusw i8, ptr %203, i64 %153
  %163 = load i64, ptr %162, align 8, !tbaa !12
  %164 = getelementptr inbounds nuw i64, ptr %old_values, i64 %bc.resume.val189
  store i64 %163, ptr %164, align 8
  store i64 %161, ptr %162, align 8, !tbaa !12
  br label %b5.i.chunk.prol.loopexit

b5.i.chunk.prol.loopexit:                         ; preds = %b5.i.chunk.prol.preheader, %scalar.ph
  %.0.unr = phi i1 [ %bc.merge.rdx, %scalar.ph ], [ %158, %b5.i.chunk.prol.preheader ]
  %.unr = phi i64 [ %bc.resume.val189, %scalar.ph ], [ %.neg, %b5.i.chunk.prol.preheader ]
  %.unr200 = phi i64 [ %bc.resume.val190, %scalar.ph ], [ %152, %b5.i.chunk.prol.preheader ]
  %.unr201 = phi i64 [ %bc.merge.rdx191, %scalar.ph ], [ %160, %b5.i.chunk.prol.preheader ]
  %.lcssa195.unr = phi i64 [ poison, %scalar.ph ], [ %152, %b5.i.chunk.prol.preheader ]
  %.lcssa194.unr = phi i64 [ poison, %scalar.ph ], [ %155, %b5.i.chunk.prol.preheader ]
  %.lcssa193.unr = phi i1 [ poison, %scalar.ph ], [ %158, %b5.i.chunk.prol.preheader ]
  %.lcssa192.unr = phi i64 [ poison, %scalar.ph ], [ %160, %b5.i.chunk.prol.preheader ]
  %165 = icmp eq i64 %210, %.neg
  br i1 %165, label %judge, label %b5.i.chunk

end:                                              ; preds = %b23.i
  br i1 %.not.i.not, label %b5.i, label %chunk.loopexit, !llvm.loop !22

chunk68:                                          ; preds = %chunk
  %166 = getelementptr nusw nuw i8, ptr %.pre439.pre448, i64 24
  %167 = load i64, ptr %166, align 8, !tbaa !4
  %168 = and i64 %167, -4278255616
  %169 = icmp eq i64 %168, 30068768768
  %170 = icmp eq i32 %.pre438.pre446, 1
  %171 = and i32 %.pre.pre444, 257
  %172 = icmp eq i32 %171, 257
  %173 = and i1 %170, %172
  %174 = and i1 %169, %173
  %175 = freeze i1 %174
  br i1 %175, label %chunk69, label %b5.i.preheader

chunk69:                                          ; preds = %chunk68
  %176 = load ptr, ptr %301, align 8, !tbaa !4
  %177 = load i64, ptr %176, align 8, !tbaa !4
  %178 = call i64 @llvm.usub.sat.i64(i64 %177, i64 %76)
  %179 = freeze i64 %178
  %180 = icmp ugt i64 %179, 3
  br i1 %180, label %chunk70, label %b5.i.preheader

chunk70:                                          ; preds = %chunk69
  %181 = load ptr, ptr %305, align 8, !tbaa !4
  %182 = load i32, ptr %34, align 4, !tbaa !4
  %.fr254 = freeze i32 %182
  %183 = load i32, ptr %38, align 4, !tbaa !4
  %184 = load ptr, ptr %42, align 8, !tbaa !4
  %185 = getelementptr nusw nuw i8, ptr %184, i64 24
  %186 = load i64, ptr %185, align 8, !tbaa !4
  %187 = and i64 %186, -4278255616
  %188 = icmp eq i64 %187, 30068768768
  %189 = icmp eq i32 %183, 1
  %190 = and i32 %.fr254, 257
  %191 = icmp eq i32 %190, 257
  %192 = and i1 %189, %191
  %193 = and i1 %188, %192
  %194 = freeze i1 %193
  br i1 %194, label %chunk72, label %b5.i.preheader

chunk72:                                          ; preds = %chunk70
  %195 = load ptr, ptr %306, align 8, !tbaa !4
  %196 = load i64, ptr %195, align 8, !tbaa !4
  %197 = call i64 @llvm.usub.sat.i64(i64 %196, i64 %76)
  %198 = freeze i64 %197
  %199 = icmp ugt i64 %198, 3
  %200 = and i32 %.fr254, -2147482624
  %201 = icmp eq i32 %200, 1024
  %202 = and i1 %199, %201
  br i1 %202, label %chunk74, label %b5.i.preheader

chunk74:                                          ; preds = %chunk72
  %203 = load ptr, ptr %307, align 8, !tbaa !4
  %204 = xor i64 %76, -1
  %205 = add i64 %303, %204
  %206 = freeze i64 %205
  %207 = icmp ugt i64 %206, 3
  %208 = call i64 @llvm.umin.i64(i64 %179, i64 %198)
  %209 = call i64 @llvm.umin.i64(i64 %208, i64 %206)
  %210 = call i64 @llvm.umin.i64(i64 %209, i64 256)
  br i1 %207, label %start, label %b5.i.preheader

judge:                                            ; preds = %b5.i.chunk.prol.loopexit, %b5.i.chunk, %middle.block186
  %.lcssa83 = phi i64 [ %87, %middle.block186 ], [ %.lcssa195.unr, %b5.i.chunk.prol.loopexit ], [ %425, %b5.i.chunk ]
  %.lcssa82 = phi i64 [ %151, %middle.block186 ], [ %.lcssa194.unr, %b5.i.chunk.prol.loopexit ], [ %428, %b5.i.chunk ]
  %.lcssa81 = phi i1 [ %149, %middle.block186 ], [ %.lcssa193.unr, %b5.i.chunk.prol.loopexit ], [ %432, %b5.i.chunk ]
  %.lcssa = phi i64 [ %150, %middle.block186 ], [ %.lcssa192.unr, %b5.i.chunk.prol.loopexit ], [ %434, %b5.i.chunk ]
  br i1 %.lcssa81, label %iter.check, label %good, !prof !24

iter.check:                                       ; preds = %judge
  %min.iters.check = icmp ult i64 %209, 4
  br i1 %min.iters.check, label %vec.epilog.scalar.ph, label %vector.main.loop.iter.check

vector.main.loop.iter.check:                      ; preds = %iter.check
  %min.iters.check150 = icmp ult i64 %209, 16
  br i1 %min.iters.check150, label %vec.epilog.ph, label %vector.ph

vector.ph:                                        ; preds = %vector.main.loop.iter.check
  %n.mod.vf = and i64 %210, 12
  %n.vec = and i64 %210, 496
  br label %vector.body

vector.body:                                      ; preds = %vector.body, %vector.ph
  %index = phi i64 [ 0, %vector.ph ], [ %index.next, %vector.body ]
  %211 = xor i64 %index, -1
  %212 = add i64 %210, %211
  %213 = getelementptr inbounds i64, ptr %old_values, i64 %212
  %214 = getelementptr inbounds i8, ptr %213, i64 -24
  %215 = getelementptr inbounds i8, ptr %213, i64 -56
  %216 = getelementptr inbounds i8, ptr %213, i64 -88
  %217 = getelementptr inbounds i8, ptr %213, i64 -120
  %wide.load = load <4 x i64>, ptr %214, align 8
  %wide.load151 = load <4 x i64>, ptr %215, align 8
  %wide.load152 = load <4 x i64>, ptr %216, align 8
  %wide.load153 = load <4 x i64>, ptr %217, align 8
  %218 = shl i64 %212, 3
  %219 = getelementptr i8, ptr %84, i64 %218
  %220 = getelementptr i8, ptr %219, i64 -24
  %221 = getelementptr i8, ptr %219, i64 -56
  %222 = getelementptr i8, ptr %219, i64 -88
  %223 = getelementptr i8, ptr %219, i64 -120
  store <4 x i64> %wide.load, ptr %220, align 8, !tbaa !12
  store <4 x i64> %wide.load151, ptr %221, align 8, !tbaa !12
  store <4 x i64> %wide.load152, ptr %222, align 8, !tbaa !12
  store <4 x i64> %wide.load153, ptr %223, align 8, !tbaa !12
  %index.next = add nuw i64 %index, 16
  %224 = icmp eq i64 %index.next, %n.vec
  br i1 %224, label %middle.block, label %vector.body, !llvm.loop !25

middle.block:                                     ; preds = %vector.body
  %cmp.n = icmp eq i64 %210, %n.vec
  br i1 %cmp.n, label %b5.i.preheader, label %vec.epilog.iter.check

vec.epilog.iter.check:                            ; preds = %middle.block
  %ind.end = and i64 %210, 15
  %min.epilog.iters.check = icmp eq i64 %n.mod.vf, 0
  br i1 %min.epilog.iters.check, label %vec.epilog.scalar.ph, label %vec.epilog.ph, !prof !27

vec.epilog.ph:                                    ; preds = %vector.main.loop.iter.check, %vec.epilog.iter.check
  %vec.epilog.resume.val = phi i64 [ %n.vec, %vec.epilog.iter.check ], [ 0, %vector.main.loop.iter.check ]
  %n.vec162 = and i64 %210, 508
  %225 = and i64 %210, 3
  br label %vec.epilog.vector.body

vec.epilog.vector.body:                           ; preds = %vec.epilog.vector.body, %vec.epilog.ph
  %index163 = phi i64 [ %vec.epilog.resume.val, %vec.epilog.ph ], [ %index.next167, %vec.epilog.vector.body ]
  %226 = xor i64 %index163, -1
  %227 = add i64 %210, %226
  %228 = getelementptr inbounds i64, ptr %old_values, i64 %227
  %229 = getelementptr inbounds i8, ptr %228, i64 -24
  %wide.load164 = load <4 x i64>, ptr %229, align 8
  %230 = shl i64 %227, 3
  %231 = getelementptr i8, ptr %84, i64 %230
  %232 = getelementptr i8, ptr %231, i64 -24
  store <4 x i64> %wide.load164, ptr %232, align 8, !tbaa !12
  %index.next167 = add nuw i64 %index163, 4
  %233 = icmp eq i64 %index.next167, %n.vec162
  br i1 %233, label %vec.epilog.middle.block, label %vec.epilog.vector.body, !llvm.loop !28

vec.epilog.middle.block:                          ; preds = %vec.epilog.vector.body
  %cmp.n168 = icmp eq i64 %210, %n.vec162
  br i1 %cmp.n168, label %b5.i.preheader, label %vec.epilog.scalar.ph

vec.epilog.scalar.ph:                             ; preds = %iter.check, %vec.epilog.iter.check, %vec.epilog.middle.block
  %bc.resume.val = phi i64 [ %225, %vec.epilog.middle.block ], [ %ind.end, %vec.epilog.iter.check ], [ %210, %iter.check ]
  br label %back

good:                                             ; preds = %judge
  %234 = icmp ugt i64 %209, 255
  br i1 %234, label %chunk.backedge, label %b5.i.preheader

chunk.backedge:                                   ; preds = %good, %chunk.loopexit
  %.pre439.pre = phi ptr [ %.pre439.pre448, %good ], [ %.pre439.pre.pre, %chunk.loopexit ]
  %.pre438.pre = phi i32 [ %.pre438.pre446, %good ], [ %.pre438.pre.pre, %chunk.loopexit ]
  %.pre.pre = phi i32 [ %.pre.pre444, %good ], [ %.pre.pre.pre, %chunk.loopexit ]
  %.be = phi i64 [ %.lcssa83, %good ], [ %.lcssa92, %chunk.loopexit ]
  %.be78 = phi i64 [ %.lcssa82, %good ], [ %.lcssa149, %chunk.loopexit ]
  %.be80 = phi i64 [ %.lcssa, %good ], [ %.lcssa142, %chunk.loopexit ]
  br label %chunk

back:                                             ; preds = %vec.epilog.scalar.ph, %back
  %235 = phi i64 [ %236, %back ], [ %bc.resume.val, %vec.epilog.scalar.ph ]
  %236 = add i64 %235, -1
  %237 = getelementptr inbounds i64, ptr %old_values, i64 %236
  %238 = load i64, ptr %237, align 8
  %239 = shl i64 %236, 3
  %240 = getelementptr i8, ptr %84, i64 %239
  store i64 %238, ptr %240, align 8, !tbaa !12
  %241 = icmp eq i64 %236, 0
  br i1 %241, label %b5.i.preheader, label %back, !llvm.loop !29

b5.i.preheader:                                   ; preds = %middle.block, %vec.epilog.middle.block, %back, %chunk.b5.i.preheader_crit_edge, %good, %chunk74, %chunk68, %chunk69, %chunk70, %chunk72
  %.pre-phi = phi i32 [ %.pre, %chunk.b5.i.preheader_crit_edge ], [ %171, %chunk72 ], [ %171, %chunk70 ], [ %171, %good ], [ %171, %chunk74 ], [ %171, %chunk68 ], [ %171, %chunk69 ], [ %171, %back ], [ %171, %vec.epilog.middle.block ], [ %171, %middle.block ]
  %242 = phi i64 [ %.pre440, %chunk.b5.i.preheader_crit_edge ], [ %167, %chunk72 ], [ %167, %chunk70 ], [ %167, %good ], [ %167, %chunk74 ], [ %167, %chunk68 ], [ %167, %chunk69 ], [ %167, %back ], [ %167, %vec.epilog.middle.block ], [ %167, %middle.block ]
  %.ph = phi i64 [ %76, %chunk.b5.i.preheader_crit_edge ], [ %76, %chunk72 ], [ %76, %chunk70 ], [ %.lcssa83, %good ], [ %76, %chunk74 ], [ %76, %chunk68 ], [ %76, %chunk69 ], [ %76, %back ], [ %76, %vec.epilog.middle.block ], [ %76, %middle.block ]
  %.ph75 = phi i64 [ %77, %chunk.b5.i.preheader_crit_edge ], [ %77, %chunk72 ], [ %77, %chunk70 ], [ %.lcssa82, %good ], [ %77, %chunk74 ], [ %77, %chunk68 ], [ %77, %chunk69 ], [ %77, %back ], [ %77, %vec.epilog.middle.block ], [ %77, %middle.block ]
  %.ph76 = phi i1 [ %78, %chunk.b5.i.preheader_crit_edge ], [ %78, %chunk72 ], [ %78, %chunk70 ], [ true, %good ], [ %78, %chunk74 ], [ %78, %chunk68 ], [ %78, %chunk69 ], [ %78, %back ], [ %78, %vec.epilog.middle.block ], [ %78, %middle.block ]
  %.ph77 = phi i64 [ %79, %chunk.b5.i.preheader_crit_edge ], [ %79, %chunk72 ], [ %79, %chunk70 ], [ %.lcssa, %good ], [ %79, %chunk74 ], [ %79, %chunk68 ], [ %79, %chunk69 ], [ %79, %back ], [ %79, %vec.epilog.middle.block ], [ %79, %middle.block ]
  %243 = add nuw nsw i64 %.ph, 1
  %244 = icmp eq i32 %.pre-phi, 257
  %245 = icmp eq i32 %.pre438.pre446, 1
  %246 = and i1 %245, %244
  %247 = and i64 %242, -4278255616
  %248 = icmp eq i64 %247, 30068768768
  %249 = and i1 %248, %246
  br i1 %249, label %b11.i.peel, label %leave12.i, !prof !11

b11.i.peel:                                       ; preds = %b5.i.preheader
  %250 = load ptr, ptr %301, align 8, !tbaa !4
  %251 = load i64, ptr %250, align 8, !tbaa !4
  %252 = icmp ult i64 %.ph, %251
  br i1 %252, label %b13.i.peel, label %leave14.i, !prof !11

b13.i.peel:                                       ; preds = %b11.i.peel
  %253 = load ptr, ptr %305, align 8, !tbaa !4
  %254 = shl nsw i64 %.ph, 3
  %255 = getelementptr nusw i8, ptr %253, i64 %254
  %256 = load i64, ptr %255, align 8, !tbaa !12
  %257 = lshr i64 %256, 63
  %258 = add i64 %.ph77, %257
  %259 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %256, i64 -9223372036854775807)
  %260 = extractvalue { i64, i1 } %259, 0
  %261 = extractvalue { i64, i1 } %259, 1
  br i1 %261, label %leave16.i, label %b15.i.peel, !prof !24

b15.i.peel:                                       ; preds = %b13.i.peel
  %262 = load i32, ptr %34, align 4, !tbaa !4
  %263 = and i32 %262, 257
  %264 = icmp eq i32 %263, 257
  %265 = load i32, ptr %38, align 4, !tbaa !4
  %266 = icmp eq i32 %265, 1
  %267 = and i1 %266, %264
  %268 = load ptr, ptr %42, align 8, !tbaa !4
  %269 = getelementptr nusw nuw i8, ptr %268, i64 24
  %270 = load i64, ptr %269, align 8, !tbaa !4
  %271 = and i64 %270, -4278255616
  %272 = icmp eq i64 %271, 30068768768
  %273 = and i1 %272, %267
  br i1 %273, label %b17.i.peel, label %leave18.i, !prof !11

b17.i.peel:                                       ; preds = %b15.i.peel
  %274 = load ptr, ptr %306, align 8, !tbaa !4
  %275 = load i64, ptr %274, align 8, !tbaa !4
  %276 = icmp ult i64 %.ph, %275
  br i1 %276, label %b19.i.peel, label %leave20.i, !prof !11

b19.i.peel:                                       ; preds = %b17.i.peel
  %277 = and i32 %262, -2147482624
  %278 = icmp eq i32 %277, 1024
  br i1 %278, label %b21.i.peel, label %leave22.i, !prof !11

b21.i.peel:                                       ; preds = %b19.i.peel
  %279 = load ptr, ptr %307, align 8, !tbaa !4
  %280 = getelementptr nusw i8, ptr %279, i64 %254
  store i64 %260, ptr %280, align 8, !tbaa !12
  %281 = load atomic i32, ptr %310 monotonic, align 4
  %282 = and i32 %281, %311
  %.not.i.peel.not = icmp eq i32 %282, 0
  br i1 %.not.i.peel.not, label %b23.i.peel, label %poll.i.peel, !prof !11

poll.i.peel:                                      ; preds = %b21.i.peel
  %283 = call i32 @s15.splice_rt_poll(ptr nonnull align 8 dereferenceable(56) %50) #10
  %284 = icmp eq i32 %283, 0
  br i1 %284, label %b23.i.peel, label %leave24.i

b23.i.peel:                                       ; preds = %poll.i.peel, %b21.i.peel
  %exitcond.peel.not = icmp eq i64 %243, %303
  br i1 %exitcond.peel.not, label %b12, label %end.peel

end.peel:                                         ; preds = %b23.i.peel
  br i1 %.not.i.peel.not, label %b5.i, label %chunk.loopexit

b5.i:                                             ; preds = %end.peel, %end
  %285 = phi i64 [ %288, %end ], [ %243, %end.peel ]
  %286 = phi i64 [ %329, %end ], [ %256, %end.peel ]
  %287 = phi i64 [ %331, %end ], [ %258, %end.peel ]
  %288 = add nuw nsw i64 %285, 1
  %289 = load i32, ptr %14, align 4, !tbaa !4
  %290 = and i32 %289, 257
  %291 = icmp eq i32 %290, 257
  %292 = load i32, ptr %18, align 4, !tbaa !4
  %293 = icmp eq i32 %292, 1
  %294 = and i1 %293, %291
  %295 = load ptr, ptr %22, align 8, !tbaa !4
  %296 = getelementptr nusw nuw i8, ptr %295, i64 24
  %297 = load i64, ptr %296, align 8, !tbaa !4
  %298 = and i64 %297, -4278255616
  %299 = icmp eq i64 %298, 30068768768
  %300 = and i1 %299, %294
  br i1 %300, label %b11.i, label %leave12.i, !prof !11

b9.i:                                             ; preds = %b8
  %301 = getelementptr nusw nuw i8, ptr %10, i64 32
  %302 = load ptr, ptr %301, align 8, !tbaa !4
  %303 = load i64, ptr %302, align 8, !tbaa !4
  %304 = icmp sgt i64 %303, 0
  br i1 %304, label %b5.i.lr.ph, label %b12

b5.i.lr.ph:                                       ; preds = %b9.i
  %305 = getelementptr nusw nuw i8, ptr %10, i64 16
  %306 = getelementptr nusw nuw i8, ptr %30, i64 32
  %307 = getelementptr nusw nuw i8, ptr %30, i64 16
  %308 = getelementptr inbounds nuw i8, ptr %50, i64 8
  %309 = getelementptr inbounds nuw i8, ptr %50, i64 16
  %310 = load ptr, ptr %308, align 8, !tbaa !6, !invariant.load !8
  %311 = load i32, ptr %309, align 4, !tbaa !6, !invariant.load !8
  br label %chunk

leave.i:                                          ; preds = %b8
  %312 = getelementptr inbounds i64, ptr %4, i64 0
  store ptr %10, ptr %312, align 8
  %313 = getelementptr inbounds i64, ptr %4, i64 1
  store ptr %30, ptr %313, align 8
  br label %f0.f0_count.exit

b11.i:                                            ; preds = %b5.i
  %314 = load ptr, ptr %301, align 8, !tbaa !4
  %315 = load i64, ptr %314, align 8, !tbaa !4
  %316 = icmp ult i64 %285, %315
  br i1 %316, label %b13.i, label %leave14.i, !prof !11

leave12.i:                                        ; preds = %b5.i.preheader, %b5.i
  %.lcssa120 = phi i64 [ %285, %b5.i ], [ %.ph, %b5.i.preheader ]
  %.lcssa111 = phi i64 [ %286, %b5.i ], [ %.ph75, %b5.i.preheader ]
  %.lcssa102 = phi i1 [ true, %b5.i ], [ %.ph76, %b5.i.preheader ]
  %.lcssa93 = phi i64 [ %287, %b5.i ], [ %.ph77, %b5.i.preheader ]
  %.lcssa84 = phi i64 [ %288, %b5.i ], [ %243, %b5.i.preheader ]
  %317 = getelementptr inbounds i64, ptr %4, i64 0
  store ptr %10, ptr %317, align 8
  %318 = getelementptr inbounds i64, ptr %4, i64 1
  store ptr %30, ptr %318, align 8
  %319 = getelementptr inbounds i64, ptr %4, i64 2
  store i64 %.lcssa93, ptr %319, align 8
  %320 = getelementptr inbounds i64, ptr %4, i64 3
  store i64 %.lcssa120, ptr %320, align 8
  %321 = getelementptr inbounds i64, ptr %4, i64 4
  store i64 %.lcssa111, ptr %321, align 8
  %322 = zext i1 %.lcssa102 to i64
  %323 = getelementptr inbounds i64, ptr %4, i64 5
  store i64 %322, ptr %323, align 8
  %324 = getelementptr inbounds i64, ptr %4, i64 6
  store i64 %.lcssa84, ptr %324, align 8
  %325 = getelementptr inbounds i64, ptr %4, i64 7
  store i64 %303, ptr %325, align 8
  br label %f0.f0_count.exit

b13.i:                                            ; preds = %b11.i
  %326 = load ptr, ptr %305, align 8, !tbaa !4
  %327 = shl nsw i64 %285, 3
  %328 = getelementptr nusw i8, ptr %326, i64 %327
  %329 = load i64, ptr %328, align 8, !tbaa !12
  %330 = lshr i64 %329, 63
  %331 = add i64 %287, %330
  %332 = call { i64, i1 } @llvm.sadd.with.overflow.i64(i64 %329, i64 -9223372036854775807)
  %333 = extractvalue { i64, i1 } %332, 0
  %334 = extractvalue { i64, i1 } %332, 1
  br i1 %334, label %leave16.i, label %b15.i, !prof !24

leave14.i:                                        ; preds = %b11.i.peel, %b11.i
  %.lcssa121 = phi i64 [ %285, %b11.i ], [ %.ph, %b11.i.peel ]
  %.lcssa112 = phi i64 [ %286, %b11.i ], [ %.ph75, %b11.i.peel ]
  %.lcssa103 = phi i1 [ true, %b11.i ], [ %.ph76, %b11.i.peel ]
  %.lcssa94 = phi i64 [ %287, %b11.i ], [ %.ph77, %b11.i.peel ]
  %.lcssa85 = phi i64 [ %288, %b11.i ], [ %243, %b11.i.peel ]
  %335 = getelementptr inbounds i64, ptr %4, i64 0
  store ptr %10, ptr %335, align 8
  %336 = getelementptr inbounds i64, ptr %4, i64 1
  store ptr %30, ptr %336, align 8
  %337 = getelementptr inbounds i64, ptr %4, i64 2
  store i64 %.lcssa94, ptr %337, align 8
  %338 = getelementptr inbounds i64, ptr %4, i64 3
  store i64 %.lcssa121, ptr %338, align 8
  %339 = getelementptr inbounds i64, ptr %4, i64 4
  store i64 %.lcssa112, ptr %339, align 8
  %340 = zext i1 %.lcssa103 to i64
  %341 = getelementptr inbounds i64, ptr %4, i64 5
  store i64 %340, ptr %341, align 8
  %342 = getelementptr inbounds i64, ptr %4, i64 6
  store i64 %.lcssa85, ptr %342, align 8
  %343 = getelementptr inbounds i64, ptr %4, i64 7
  store i64 %303, ptr %343, align 8
  br label %f0.f0_count.exit

b15.i:                                            ; preds = %b13.i
  %344 = load i32, ptr %34, align 4, !tbaa !4
  %345 = and i32 %344, 257
  %346 = icmp eq i32 %345, 257
  %347 = load i32, ptr %38, align 4, !tbaa !4
  %348 = icmp eq i32 %347, 1
  %349 = and i1 %348, %346
  %350 = load ptr, ptr %42, align 8, !tbaa !4
  %351 = getelementptr nusw nuw i8, ptr %350, i64 24
  %352 = load i64, ptr %351, align 8, !tbaa !4
  %353 = and i64 %352, -4278255616
  %354 = icmp eq i64 %353, 30068768768
  %355 = and i1 %354, %349
  br i1 %355, label %b17.i, label %leave18.i, !prof !11

leave16.i:                                        ; preds = %b13.i.peel, %b13.i
  %.lcssa143 = phi i64 [ %329, %b13.i ], [ %256, %b13.i.peel ]
  %.lcssa136 = phi i64 [ %331, %b13.i ], [ %258, %b13.i.peel ]
  %.lcssa122 = phi i64 [ %285, %b13.i ], [ %.ph, %b13.i.peel ]
  %.lcssa86 = phi i64 [ %288, %b13.i ], [ %243, %b13.i.peel ]
  %356 = getelementptr inbounds i64, ptr %4, i64 0
  store ptr %10, ptr %356, align 8
  %357 = getelementptr inbounds i64, ptr %4, i64 1
  store ptr %30, ptr %357, align 8
  %358 = getelementptr inbounds i64, ptr %4, i64 2
  store i64 %.lcssa136, ptr %358, align 8
  %359 = getelementptr inbounds i64, ptr %4, i64 3
  store i64 %.lcssa122, ptr %359, align 8
  %360 = getelementptr inbounds i64, ptr %4, i64 4
  store i64 %.lcssa143, ptr %360, align 8
  %361 = getelementptr inbounds i64, ptr %4, i64 5
  store i64 %.lcssa86, ptr %361, align 8
  %362 = getelementptr inbounds i64, ptr %4, i64 6
  store i64 %303, ptr %362, align 8
  br label %f0.f0_count.exit

b17.i:                                            ; preds = %b15.i
  %363 = load ptr, ptr %306, align 8, !tbaa !4
  %364 = load i64, ptr %363, align 8, !tbaa !4
  %365 = icmp ult i64 %285, %364
  br i1 %365, label %b19.i, label %leave20.i, !prof !11

leave18.i:                                        ; preds = %b15.i.peel, %b15.i
  %.lcssa144 = phi i64 [ %329, %b15.i ], [ %256, %b15.i.peel ]
  %.lcssa137 = phi i64 [ %331, %b15.i ], [ %258, %b15.i.peel ]
  %.lcssa130 = phi i64 [ %333, %b15.i ], [ %260, %b15.i.peel ]
  %.lcssa123 = phi i64 [ %285, %b15.i ], [ %.ph, %b15.i.peel ]
  %.lcssa87 = phi i64 [ %288, %b15.i ], [ %243, %b15.i.peel ]
  %366 = getelementptr inbounds i64, ptr %4, i64 0
  store ptr %10, ptr %366, align 8
  %367 = getelementptr inbounds i64, ptr %4, i64 1
  store ptr %30, ptr %367, align 8
  %368 = getelementptr inbounds i64, ptr %4, i64 2
  store i64 %.lcssa137, ptr %368, align 8
  %369 = getelementptr inbounds i64, ptr %4, i64 3
  store i64 %.lcssa123, ptr %369, align 8
  %370 = getelementptr inbounds i64, ptr %4, i64 4
  store i64 %.lcssa144, ptr %370, align 8
  %371 = getelementptr inbounds i64, ptr %4, i64 5
  store i64 %.lcssa87, ptr %371, align 8
  %372 = getelementptr inbounds i64, ptr %4, i64 6
  store i64 %303, ptr %372, align 8
  %373 = getelementptr inbounds i64, ptr %4, i64 7
  store i64 %.lcssa130, ptr %373, align 8
  br label %f0.f0_count.exit

b19.i:                                            ; preds = %b17.i
  %374 = and i32 %344, -2147482624
  %375 = icmp eq i32 %374, 1024
  br i1 %375, label %b21.i, label %leave22.i, !prof !11

leave20.i:                                        ; preds = %b17.i.peel, %b17.i
  %.lcssa145 = phi i64 [ %329, %b17.i ], [ %256, %b17.i.peel ]
  %.lcssa138 = phi i64 [ %331, %b17.i ], [ %258, %b17.i.peel ]
  %.lcssa131 = phi i64 [ %333, %b17.i ], [ %260, %b17.i.peel ]
  %.lcssa124 = phi i64 [ %285, %b17.i ], [ %.ph, %b17.i.peel ]
  %.lcssa88 = phi i64 [ %288, %b17.i ], [ %243, %b17.i.peel ]
  %376 = getelementptr inbounds i64, ptr %4, i64 0
  store ptr %10, ptr %376, align 8
  %377 = getelementptr inbounds i64, ptr %4, i64 1
  store ptr %30, ptr %377, align 8
  %378 = getelementptr inbounds i64, ptr %4, i64 2
  store i64 %.lcssa138, ptr %378, align 8
  %379 = getelementptr inbounds i64, ptr %4, i64 3
  store i64 %.lcssa124, ptr %379, align 8
  %380 = getelementptr inbounds i64, ptr %4, i64 4
  store i64 %.lcssa145, ptr %380, align 8
  %381 = getelementptr inbounds i64, ptr %4, i64 5
  store i64 %.lcssa88, ptr %381, align 8
  %382 = getelementptr inbounds i64, ptr %4, i64 6
  store i64 %303, ptr %382, align 8
  %383 = getelementptr inbounds i64, ptr %4, i64 7
  store i64 %.lcssa131, ptr %383, align 8
  br label %f0.f0_count.exit

b21.i:                                            ; preds = %b19.i
  %384 = load ptr, ptr %307, align 8, !tbaa !4
  %385 = getelementptr nusw i8, ptr %384, i64 %327
  store i64 %333, ptr %385, align 8, !tbaa !12
  %386 = load atomic i32, ptr %310 monotonic, align 4
  %387 = and i32 %386, %311
  %.not.i.not = icmp eq i32 %387, 0
  br i1 %.not.i.not, label %b23.i, label %poll.i, !prof !11

leave22.i:                                        ; preds = %b19.i.peel, %b19.i
  %.lcssa146 = phi i64 [ %329, %b19.i ], [ %256, %b19.i.peel ]
  %.lcssa139 = phi i64 [ %331, %b19.i ], [ %258, %b19.i.peel ]
  %.lcssa132 = phi i64 [ %333, %b19.i ], [ %260, %b19.i.peel ]
  %.lcssa125 = phi i64 [ %285, %b19.i ], [ %.ph, %b19.i.peel ]
  %.lcssa89 = phi i64 [ %288, %b19.i ], [ %243, %b19.i.peel ]
  %388 = getelementptr inbounds i64, ptr %4, i64 0
  store ptr %10, ptr %388, align 8
  %389 = getelementptr inbounds i64, ptr %4, i64 1
  store ptr %30, ptr %389, align 8
  %390 = getelementptr inbounds i64, ptr %4, i64 2
  store i64 %.lcssa139, ptr %390, align 8
  %391 = getelementptr inbounds i64, ptr %4, i64 3
  store i64 %.lcssa125, ptr %391, align 8
  %392 = getelementptr inbounds i64, ptr %4, i64 4
  store i64 %.lcssa146, ptr %392, align 8
  %393 = getelementptr inbounds i64, ptr %4, i64 5
  store i64 %.lcssa89, ptr %393, align 8
  %394 = getelementptr inbounds i64, ptr %4, i64 6
  store i64 %303, ptr %394, align 8
  %395 = getelementptr inbounds i64, ptr %4, i64 7
  store i64 %.lcssa132, ptr %395, align 8
  br label %f0.f0_count.exit

poll.i:                                           ; preds = %b21.i
  %396 = call i32 @s15.splice_rt_poll(ptr nonnull align 8 dereferenceable(56) %50) #10
  %397 = icmp eq i32 %396, 0
  br i1 %397, label %b23.i, label %leave24.i

b23.i:                                            ; preds = %poll.i, %b21.i
  %exitcond.not = icmp eq i64 %288, %303
  br i1 %exitcond.not, label %b12, label %end

leave24.i:                                        ; preds = %poll.i.peel, %poll.i
  %.lcssa147 = phi i64 [ %329, %poll.i ], [ %256, %poll.i.peel ]
  %.lcssa140 = phi i64 [ %331, %poll.i ], [ %258, %poll.i.peel ]
  %.lcssa126 = phi i64 [ %285, %poll.i ], [ %.ph, %poll.i.peel ]
  %.lcssa90 = phi i64 [ %288, %poll.i ], [ %243, %poll.i.peel ]
  %398 = getelementptr inbounds i64, ptr %4, i64 0
  store ptr %10, ptr %398, align 8
  %399 = getelementptr inbounds i64, ptr %4, i64 1
  store ptr %30, ptr %399, align 8
  %400 = getelementptr inbounds i64, ptr %4, i64 2
  store i64 %.lcssa140, ptr %400, align 8
  %401 = getelementptr inbounds i64, ptr %4, i64 3
  store i64 %.lcssa126, ptr %401, align 8
  %402 = getelementptr inbounds i64, ptr %4, i64 4
  store i64 %.lcssa147, ptr %402, align 8
  %403 = getelementptr inbounds i64, ptr %4, i64 5
  store i64 %.lcssa90, ptr %403, align 8
  %404 = getelementptr inbounds i64, ptr %4, i64 6
  store i64 %303, ptr %404, align 8
  br label %f0.f0_count.exit

f0.f0_count.exit:                                 ; preds = %leave.i, %leave12.i, %leave14.i, %leave16.i, %leave18.i, %leave20.i, %leave22.i, %leave24.i
  %405 = phi i64 [ 0, %leave.i ], [ 9, %leave12.i ], [ 10, %leave14.i ], [ 12, %leave16.i ], [ 13, %leave18.i ], [ 14, %leave20.i ], [ 15, %leave22.i ], [ 16, %leave24.i ]
  %406 = phi i64 [ 2, %leave.i ], [ 8, %leave12.i ], [ 8, %leave14.i ], [ 7, %leave16.i ], [ 8, %leave18.i ], [ 8, %leave20.i ], [ 8, %leave22.i ], [ 7, %leave24.i ]
  %407 = call ptr @s14.splice_rt_exit(ptr nonnull align 8 dereferenceable(56) %50, ptr nonnull @s9.splice_unit, i64 0, i64 %405, i64 %406) #11
  %408 = shl nuw nsw i64 %406, 3
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %407, ptr align 16 %4, i64 %408, i1 false)
  store i32 %53, ptr %52, align 4, !tbaa !9
  store i32 %61, ptr %60, align 4, !tbaa !6
  br label %b9

b9:                                               ; preds = %f0.f0_count.exit, %b7
  %409 = phi i32 [ -1, %b7 ], [ -2, %f0.f0_count.exit ]
  %410 = tail call ptr @s12.splice_rt_unwind(ptr nonnull %50, i32 %409, ptr %0, ptr nonnull %1, i64 2) #8
  br label %common.ret

b12:                                              ; preds = %b23.i, %b23.i.peel, %b9.i
  %.lcssa38 = phi i64 [ 0, %b9.i ], [ %331, %b23.i ], [ %258, %b23.i.peel ]
  store i32 %53, ptr %52, align 4, !tbaa !9
  store i32 %61, ptr %60, align 4, !tbaa !6
  %411 = tail call ptr @s17.splice_rt_box_int(i64 %.lcssa38) #9
  br label %common.ret

b5.i.chunk:                                       ; preds = %b5.i.chunk.prol.loopexit, %b5.i.chunk
  %.0 = phi i1 [ %432, %b5.i.chunk ], [ %.0.unr, %b5.i.chunk.prol.loopexit ]
  %412 = phi i64 [ %439, %b5.i.chunk ], [ %.unr, %b5.i.chunk.prol.loopexit ]
  %413 = phi i64 [ %425, %b5.i.chunk ], [ %.unr200, %b5.i.chunk.prol.loopexit ]
  %414 = phi i64 [ %434, %b5.i.chunk ], [ %.unr201, %b5.i.chunk.prol.loopexit ]
  %415 = shl i64 %413, 3
  %416 = getelementptr nusw i8, ptr %181, i64 %415
  %417 = load i64, ptr %416, align 8, !tbaa !12
  %418 = add i64 %417, 4611686018427387904
  %419 = lshr i64 %417, 63
  %420 = add i64 %414, %419
  %421 = add nsw i64 %417, -9223372036854775807
  %422 = getelementptr nusw i8, ptr %203, i64 %415
  %423 = load i64, ptr %422, align 8, !tbaa !12
  %424 = getelementptr i64, ptr %old_values, i64 %412
  store i64 %423, ptr %424, align 8
  store i64 %421, ptr %422, align 8, !tbaa !12
  %425 = add nuw nsw i64 %413, 2
  %426 = add i64 %415, 8
  %427 = getelementptr nusw i8, ptr %181, i64 %426
  %428 = load i64, ptr %427, align 8, !tbaa !12
  %429 = add i64 %428, 4611686018427387904
  %430 = or i64 %429, %418
  %431 = icmp slt i64 %430, 0
  %432 = or i1 %.0, %431
  %433 = lshr i64 %428, 63
  %434 = add i64 %420, %433
  %435 = add nsw i64 %428, -9223372036854775807
  %436 = getelementptr nusw i8, ptr %203, i64 %426
  %437 = load i64, ptr %436, align 8, !tbaa !12
  %438 = getelementptr i8, ptr %424, i64 8
  store i64 %437, ptr %438, align 8
  store i64 %435, ptr %436, align 8, !tbaa !12
  %439 = add nuw nsw i64 %412, 2
  %.not = icmp eq i64 %439, %210
  br i1 %.not, label %judge, label %b5.i.chunk, !llvm.loop !30
}

; Function Attrs: cold nounwind nonlazybind
declare i32 @s15.splice_rt_poll(ptr) #1

; Function Attrs: cold nounwind nonlazybind
declare ptr @s14.splice_rt_exit(ptr, ptr, i32, i32, i32) #1

; Function Attrs: cold nounwind nonlazybind
declare ptr @s8.splice_rt_bind(ptr, ptr, i64, ptr, ptr, ptr) #1

; Function Attrs: cold nounwind nonlazybind
declare ptr @s13.splice_rt_miss(ptr, ptr, i64, ptr) #1

; Function Attrs: nounwind nonlazybind
declare ptr @s11.splice_rt_enter() #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare ptr @llvm.frameaddress.p0(i32 immarg) #3

; Function Attrs: cold nounwind nonlazybind
declare ptr @s12.splice_rt_unwind(ptr, i32, ptr, ptr, i64) #1

; Function Attrs: nounwind nonlazybind
declare ptr @s17.splice_rt_box_int(i64) #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.sadd.with.overflow.i64(i64, i64) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64) #4

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #4

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.vector.reduce.or.v4i1(<4 x i1>) #5

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.vector.reduce.add.v4i64(<4 x i64>) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #6

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.usub.sat.i64(i64, i64) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), ptr noalias readonly captures(none), i64, i1 immarg) #7

attributes #0 = { nounwind "frame-pointer"="non-leaf" "no-builtins" "prefer-vector-width"="256" "probe-stack"="inline-asm" }
attributes #1 = { cold nounwind nonlazybind }
attributes #2 = { nounwind nonlazybind }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(none) }
attributes #4 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #5 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #7 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #8 = { cold nobuiltin nounwind nonlazybind }
attributes #9 = { nobuiltin nounwind nonlazybind }
attributes #10 = { cold }
attributes #11 = { cold nounwind }

!llvm.module.flags = !{!0}

!0 = !{i32 8, !"PIC Level", i32 2}
!1 = !{!2, !2, i64 0}
!2 = !{!"memory", !3, i64 0}
!3 = !{!"splice"}
!4 = !{!5, !5, i64 0}
!5 = !{!"header", !3, i64 0}
!6 = !{!7, !7, i64 0}
!7 = !{!"context", !3, i64 0}
!8 = !{}
!9 = !{!10, !10, i64 0}
!10 = !{!"recursion", !3, i64 0}
!11 = !{!"branch_weights", i32 1048575, i32 1}
!12 = !{!13, !13, i64 0}
!13 = !{!"elements", !3, i64 0}
!14 = !{!15}
!15 = distinct !{!15, !16}
!16 = distinct !{!16, !"LVerDomain"}
!17 = !{!18}
!18 = distinct !{!18, !16}
!19 = distinct !{!19, !20, !21}
!20 = !{!"llvm.loop.isvectorized", i32 1}
!21 = !{!"llvm.loop.unroll.disable"}
!22 = distinct !{!22, !23}
!23 = !{!"llvm.loop.peeled.count", i32 1}
!24 = !{!"branch_weights", i32 1, i32 1048575}
!25 = distinct !{!25, !20, !26}
!26 = !{!"llvm.loop.unroll.runtime.disable"}
!27 = !{!"branch_weights", i32 4, i32 12}
!28 = distinct !{!28, !20, !26}
!29 = distinct !{!29, !26, !20}
!30 = distinct !{!30, !20, !21}

