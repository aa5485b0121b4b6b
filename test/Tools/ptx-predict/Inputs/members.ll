; ModuleID = 'members.cu'
source_filename = "members.cu"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Params = type <{ %struct.Data, %struct.Shape, i16, [6 x i8] }>
%struct.Data = type { ptr, ptr }
%struct.Shape = type { i32, float, [2 x i32] }

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none)
define dso_local ptx_kernel void @scaleRows(ptr noundef readonly byval(%struct.Params) align 8 captures(none) %p, i32 noundef %rows) local_unnamed_addr #0 !dbg !15 {
entry:
    #dbg_declare(ptr %p, !42, !DIExpression(), !48)
    #dbg_value(i32 %rows, !43, !DIExpression(), !49)
  %0 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !50
  %1 = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !dbg !51
  %mul = mul i32 %0, %1, !dbg !52
  %2 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !53
  %add = add i32 %mul, %2, !dbg !54
    #dbg_value(i32 %add, !44, !DIExpression(), !49)
  %cmp.not = icmp ult i32 %add, %rows, !dbg !55
  br i1 %cmp.not, label %for.cond.preheader, label %cleanup, !dbg !55

for.cond.preheader:                               ; preds = %entry
  %shape = getelementptr inbounds nuw i8, ptr %p, i64 16
  %3 = load i32, ptr %shape, align 8, !tbaa !57
    #dbg_value(i32 0, !46, !DIExpression(), !65)
    #dbg_value(float 0.000000e+00, !45, !DIExpression(), !49)
  %cmp123.not = icmp eq i32 %3, 0, !dbg !66
  br i1 %cmp123.not, label %for.cond.cleanup, label %for.body.lr.ph, !dbg !68

for.body.lr.ph:                                   ; preds = %for.cond.preheader
  %x = getelementptr inbounds nuw i8, ptr %p, i64 8
  %4 = load ptr, ptr %x, align 8, !tbaa !69
  %stride = getelementptr inbounds nuw i8, ptr %p, i64 24
  %arrayidx = getelementptr inbounds nuw i8, ptr %p, i64 28
  %5 = load i32, ptr %arrayidx, align 4, !tbaa !11
  %mul3 = mul i32 %5, %add
  %6 = load i32, ptr %stride, align 8, !tbaa !11
  br label %for.body, !dbg !68

for.cond.cleanup:                                 ; preds = %for.body, %for.cond.preheader
  %s.0.lcssa = phi float [ 0.000000e+00, %for.cond.preheader ], [ %add10, %for.body ], !dbg !49
  %flag = getelementptr inbounds nuw i8, ptr %p, i64 32, !dbg !70
  %7 = load i16, ptr %flag, align 8, !dbg !70, !tbaa !72
  %tobool.not = icmp eq i16 %7, 0, !dbg !73
  %scale = getelementptr inbounds nuw i8, ptr %p, i64 20, !dbg !73
  %8 = load float, ptr %scale, align 4, !dbg !73
  %mul13 = fmul contract float %s.0.lcssa, %8, !dbg !73
  %s.1 = select i1 %tobool.not, float %s.0.lcssa, float %mul13, !dbg !73
    #dbg_value(float %s.1, !45, !DIExpression(), !49)
  %9 = load ptr, ptr %p, align 8, !dbg !74, !tbaa !75
  %idxprom15 = zext i32 %add to i64, !dbg !76
  %arrayidx16 = getelementptr inbounds nuw float, ptr %9, i64 %idxprom15, !dbg !76
  store float %s.1, ptr %arrayidx16, align 4, !dbg !77, !tbaa !78
  br label %cleanup, !dbg !79

for.body:                                         ; preds = %for.body.lr.ph, %for.body
  %k.025 = phi i32 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %s.024 = phi float [ 0.000000e+00, %for.body.lr.ph ], [ %add10, %for.body ]
    #dbg_value(i32 %k.025, !46, !DIExpression(), !65)
    #dbg_value(float %s.024, !45, !DIExpression(), !49)
  %mul7 = mul i32 %6, %k.025, !dbg !80
  %add8 = add i32 %mul7, %mul3, !dbg !81
  %idxprom = zext i32 %add8 to i64, !dbg !82
  %arrayidx9 = getelementptr inbounds nuw float, ptr %4, i64 %idxprom, !dbg !82
  %10 = load float, ptr %arrayidx9, align 4, !dbg !82, !tbaa !78
  %add10 = fadd contract float %s.024, %10, !dbg !83
    #dbg_value(float %add10, !45, !DIExpression(), !49)
  %inc = add nuw i32 %k.025, 1, !dbg !84
    #dbg_value(i32 %inc, !46, !DIExpression(), !65)
  %exitcond.not = icmp eq i32 %inc, %3, !dbg !66
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body, !dbg !68, !llvm.loop !85

cleanup:                                          ; preds = %entry, %for.cond.cleanup
  ret void, !dbg !79
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { mustprogress nofree noinline norecurse nosync nounwind memory(readwrite, inaccessiblemem: none, target_mem0: none, target_mem1: none) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_80" "target-features"="+ptx88,+sm_80" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4, !5, !6, !7, !8, !9}
!llvm.ident = !{!10}
!llvm.errno.tbaa = !{!11}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "Debian clang version 22.1.8 (1~deb12u1)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !2, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "members.cu", directory: ".")
!2 = !{!3}
!3 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!4 = !{i32 7, !"Dwarf Version", i32 2}
!5 = !{i32 2, !"Debug Info Version", i32 3}
!6 = !{i32 1, !"wchar_size", i32 4}
!7 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!8 = !{i32 7, !"frame-pointer", i32 2}
!9 = !{i32 7, !"debug-info-assignment-tracking", i1 true}
!10 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!11 = !{!12, !12, i64 0}
!12 = !{!"int", !13, i64 0}
!13 = !{!"omnipotent char", !14, i64 0}
!14 = !{!"Simple C++ TBAA"}
!15 = distinct !DISubprogram(name: "scaleRows", scope: !1, file: !1, line: 32, type: !16, scopeLine: 32, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !41)
!16 = !DISubroutineType(types: !17)
!17 = !{null, !18, !3}
!18 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Params", file: !1, line: 27, size: 320, flags: DIFlagTypePassByValue, elements: !19, identifier: "_ZTS6Params")
!19 = !{!20, !29, !39}
!20 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !18, baseType: !21, extraData: i32 0)
!21 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Data", file: !1, line: 23, size: 128, flags: DIFlagTypePassByValue, elements: !22, identifier: "_ZTS4Data")
!22 = !{!23, !26}
!23 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !21, file: !1, line: 24, baseType: !24, size: 64)
!24 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!25 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!26 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !21, file: !1, line: 25, baseType: !27, size: 64, offset: 64)
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !28, size: 64)
!28 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !25)
!29 = !DIDerivedType(tag: DW_TAG_member, name: "shape", scope: !18, file: !1, line: 28, baseType: !30, size: 128, offset: 128)
!30 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Shape", file: !1, line: 18, size: 128, flags: DIFlagTypePassByValue, elements: !31, identifier: "_ZTS5Shape")
!31 = !{!32, !33, !34}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "n", scope: !30, file: !1, line: 19, baseType: !3, size: 32)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "scale", scope: !30, file: !1, line: 20, baseType: !25, size: 32, offset: 32)
!34 = !DIDerivedType(tag: DW_TAG_member, name: "stride", scope: !30, file: !1, line: 21, baseType: !35, size: 64, offset: 64)
!35 = !DICompositeType(tag: DW_TAG_array_type, baseType: !36, size: 64, elements: !37)
!36 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!37 = !{!38}
!38 = !DISubrange(count: 2)
!39 = !DIDerivedType(tag: DW_TAG_member, name: "flag", scope: !18, file: !1, line: 29, baseType: !40, size: 16, offset: 256)
!40 = !DIBasicType(name: "short", size: 16, encoding: DW_ATE_signed)
!41 = !{!42, !43, !44, !45, !46}
!42 = !DILocalVariable(name: "p", arg: 1, scope: !15, file: !1, line: 32, type: !18)
!43 = !DILocalVariable(name: "rows", arg: 2, scope: !15, file: !1, line: 32, type: !3)
!44 = !DILocalVariable(name: "i", scope: !15, file: !1, line: 33, type: !3)
!45 = !DILocalVariable(name: "s", scope: !15, file: !1, line: 36, type: !25)
!46 = !DILocalVariable(name: "k", scope: !47, file: !1, line: 38, type: !3)
!47 = distinct !DILexicalBlock(scope: !15, file: !1, line: 38, column: 3)
!48 = !DILocation(line: 32, column: 45, scope: !15)
!49 = !DILocation(line: 0, scope: !15)
!50 = !DILocation(line: 33, column: 16, scope: !15)
!51 = !DILocation(line: 33, column: 24, scope: !15)
!52 = !DILocation(line: 33, column: 22, scope: !15)
!53 = !DILocation(line: 33, column: 34, scope: !15)
!54 = !DILocation(line: 33, column: 32, scope: !15)
!55 = !DILocation(line: 34, column: 9, scope: !56)
!56 = distinct !DILexicalBlock(scope: !15, file: !1, line: 34, column: 7)
!57 = !{!58, !12, i64 16}
!58 = !{!"_ZTS6Params", !59, i64 0, !62, i64 16, !64, i64 32}
!59 = !{!"_ZTS4Data", !60, i64 0, !60, i64 8}
!60 = !{!"p1 float", !61, i64 0}
!61 = !{!"any pointer", !13, i64 0}
!62 = !{!"_ZTS5Shape", !12, i64 0, !63, i64 4, !13, i64 8}
!63 = !{!"float", !13, i64 0}
!64 = !{!"short", !13, i64 0}
!65 = !DILocation(line: 0, scope: !47)
!66 = !DILocation(line: 38, column: 26, scope: !67)
!67 = distinct !DILexicalBlock(scope: !47, file: !1, line: 38, column: 3)
!68 = !DILocation(line: 38, column: 3, scope: !47)
!69 = !{!59, !60, i64 8}
!70 = !DILocation(line: 40, column: 9, scope: !71)
!71 = distinct !DILexicalBlock(scope: !15, file: !1, line: 40, column: 7)
!72 = !{!58, !64, i64 32}
!73 = !DILocation(line: 40, column: 7, scope: !71)
!74 = !DILocation(line: 42, column: 5, scope: !15)
!75 = !{!59, !60, i64 0}
!76 = !DILocation(line: 42, column: 3, scope: !15)
!77 = !DILocation(line: 42, column: 10, scope: !15)
!78 = !{!63, !63, i64 0}
!79 = !DILocation(line: 43, column: 1, scope: !15)
!80 = !DILocation(line: 39, column: 40, scope: !67)
!81 = !DILocation(line: 39, column: 36, scope: !67)
!82 = !DILocation(line: 39, column: 10, scope: !67)
!83 = !DILocation(line: 39, column: 7, scope: !67)
!84 = !DILocation(line: 38, column: 39, scope: !67)
!85 = distinct !{!85, !68, !86, !87, !88}
!86 = !DILocation(line: 39, column: 59, scope: !47)
!87 = !{!"llvm.loop.mustprogress"}
!88 = !{!"llvm.loop.unroll.disable"}
