target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%S = type { i128, i32 }
define ptx_kernel void @k(ptr byval(%S) align 4 %p) !dbg !5 {
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, producer: "clang", emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !20)
!6 = !DISubroutineType(types: !7)
!7 = !{null, !8}
!8 = !DICompositeType(tag: DW_TAG_structure_type, name: "S", size: 64, elements: !9)
!9 = !{!10, !10, !13, !12, !23}
!10 = !DIDerivedType(tag: DW_TAG_member, name: "near", baseType: !12, size: 64, offset: 0)
!11 = !DIDerivedType(tag: DW_TAG_member, name: "far", baseType: !12, size: 32, offset: 80000000000)
!12 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!13 = !DIDerivedType(tag: DW_TAG_member, name: "half", baseType: !14, size: 32, offset: 0)
!14 = !DICompositeType(tag: DW_TAG_structure_type, name: "__half", size: 800000000, elements: !15)
!15 = !{}
!16 = !DIDerivedType(tag: DW_TAG_member, name: "wide", baseType: !17, size: 64, offset: 0)
!17 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "E", baseType: !12, size: 64, elements: !15)
!18 = !DICompositeType(tag: DW_TAG_array_type, baseType: !22, elements: !23)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "many", baseType: !18, size: 0, offset: 0)
!20 = !{!21}
!21 = !DILocalVariable(name: "p", arg: 1, scope: !5, file: !1, line: 1, type: !8)
!22 = !DICompositeType(tag: DW_TAG_structure_type, name: "T", size: 128, elements: !24)
!23 = !{!DISubrange(count: 7)}
!24 = !{!10, !25}
!25 = !DIDerivedType(tag: DW_TAG_member, name: "x", baseType: !12, size: 32, offset: 32)