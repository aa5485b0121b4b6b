//===- SymbolicValuesTest.cpp - What each register holds, as an expression ===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "PTXKernel.h"
#include "ptxpredict/Launch/BufferContents.h"
#include "ptxpredict/Launch/BufferElements.h"
#include "llvm/ADT/StringExtras.h"

using namespace ptxpredict;

namespace {

/// The values of a kernel; `x` in its text is tid.x, `b` ctaid.x, `n` the
/// parameter, all of 32 bits.
struct ValuesOf {
  explicit ValuesOf(StringRef Body, Dim3 Block = {256, 1, 1},
                    const std::map<unsigned, int64_t> &Args = {})
      : K(Start + Body.str(), Block, Args), CF(K.graph()), E(K.Launch),
        V(K.graph(), CF, K.Launch, E) {}
  ValuesOf(StringRef Body, const LaunchConfig &Launch)
      : K(Start + Body.str()), CF(K.graph()), E(K.Launch = Launch),
        V(K.graph(), CF, K.Launch, E) {}

  /// Of what the only instruction `mov.b32 %r31, …` (or mov.b64 %rd31) reads.
  std::string text(StringRef Mnemonic = "mov.b32") const {
    const Instruction &I = K.instruction(Mnemonic);
    return V.of(I, I.Operands[1])->str();
  }
  const Expression *value(StringRef Mnemonic = "mov.b32") const {
    const Instruction &I = K.instruction(Mnemonic);
    return V.of(I, I.Operands[1]);
  }

  const std::string Start = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n"
                            "ld.param.u32 %r3, [n];\nld.param.u64 %rd1, [p];\n";
  PTXKernel K;
  ControlFlow CF;
  Expressions E;
  SymbolicValues V;
};

std::string valueOf(StringRef Body, Dim3 Block = {256, 1, 1},
                    const std::map<unsigned, int64_t> &Args = {}) {
  return ValuesOf((Body + "\nmov.b32 %r31, %r9;").str(), Block, Args).text();
}

/// A loop whose register %r9 changes by \p Step; what it holds in its body.
std::string inLoop(StringRef Init, StringRef Step) {
  return ValuesOf(("mov.u32 %r8, 0;\n" + Init + "\nL: mov.b32 %r31, %r9;\n" +
                   Step +
                   "\nadd.u32 %r8, %r8, 1;\nsetp.lt.u32 %p1, %r8, %r3;\n"
                   "@%p1 bra L;")
                      .str())
      .text();
}

} // namespace

//===----------------------------------------------------------------------===//
// Parameters and special registers
//===----------------------------------------------------------------------===//

TEST(ValuesTest, ParametersAreSymbolsUntilTheyAreGiven) {
  EXPECT_EQ(valueOf("mad.lo.s32 %r9, %r2, %r3, %r1;"), "tid.x + ctaid.x*n");
  EXPECT_EQ(valueOf("mad.lo.s32 %r9, %r2, %r3, %r1;", {64, 1, 1}, {{1, 12}}),
            "tid.x + 12*ctaid.x");
  ValuesOf V("add.s64 %rd2, %rd1, 8;\nld.global.u32 %r9, [%rd2];\n"
             "mov.b64 %rd31, %rd1;");
  EXPECT_EQ(V.text("mov.b64"), "p");
  EXPECT_EQ(V.value("mov.b64")->Facts.Zeros, 255u); // a pointer's alignment
  const Instruction &Load = V.K.instruction("ld.global.u32");
  EXPECT_EQ(V.V.of(Load, Load.Operands[1])->str(), "p + 8");
}

TEST(ValuesTest, SpecialRegisters) {
  EXPECT_EQ(valueOf("mov.u32 %r9, %ntid.x;"), "256");
  EXPECT_EQ(valueOf("mov.u32 %r9, %nctaid.x;"), "1000");
  EXPECT_EQ(valueOf("mov.u32 %r9, %tid.y;"), "0");
  EXPECT_EQ(valueOf("mov.u32 %r9, %tid.y;", {16, 16, 1}), "tid.y");
  EXPECT_EQ(valueOf("mov.u32 %r9, %lanemask_lt;"), "(1 << laneid) - 1");
  EXPECT_EQ(valueOf("mov.v4.u32 {%r9, %r10, %r11, %r12}, %ctaid;"), "ctaid.x");
  EXPECT_EQ(valueOf("mov.u32 %r9, %smid;"), "special(smid)");
}

/// At an assumed launch of such blocks.
static const Expression *assumed(std::unique_ptr<ValuesOf> &Of, StringRef Body,
                                 Dim3 Block, uint64_t MaxThreads = 1024) {
  LaunchConfig L;
  L.Block = Block;
  L.Grid = {1000, 1, 1};
  L.BlockIsAssumed = L.GridIsAssumed = true;
  L.MaxThreadsPerBlock = MaxThreads;
  Of = std::make_unique<ValuesOf>((Body + "\nmov.b32 %r31, %r9;").str(),
                                  std::move(L));
  return Of->value();
}

TEST(ValuesTest, ExtentsOfAnAssumedLaunchAreSymbols) {
  std::unique_ptr<ValuesOf> Of;
  auto Text = [&](StringRef Body, Dim3 Block = {256, 1, 1}) {
    return assumed(Of, Body, Block)->str();
  };
  EXPECT_EQ(Text("mov.u32 %r4, %ntid.x;\nmad.lo.s32 %r9, %r2, %r4, %r1;"),
            "tid.x + ctaid.x*ntid.x");
  // Also where the assumed extent is 1.
  EXPECT_EQ(Text("mov.u32 %r9, %tid.y;"), "tid.y");
  EXPECT_EQ(Text("mov.u32 %r9, %ctaid.z;"), "ctaid.z");
  EXPECT_EQ(Text("mov.u32 %r9, %nctaid.y;"), "nctaid.y");
  EXPECT_EQ(Text("mov.u32 %r9, %nclusterid.x;"), "nctaid.x");
  EXPECT_EQ(Text("mov.u32 %r9, %warpid;", {32, 1, 1}), "warpid");
  EXPECT_EQ(Text("mov.u32 %r4, %ntid.x;\nsetp.lt.u32 %p1, %r1, %r4;\n"
                 "selp.u32 %r9, 1, 2, %p1;"),
            "1");
  // Rows are warps.
  EXPECT_EQ(Text("and.b32 %r9, %r1, 31;"), "laneid");
  EXPECT_EQ(Text("shr.u32 %r9, %r1, 5;"), "urem(warpid, ntid.x >> 5)");
  EXPECT_EQ(Of->value()->Varies, VariesInBlock);
  EXPECT_EQ(Text("and.b32 %r9, %r1, 31;", {48, 1, 1}), "tid.x & 31");
  // Of code that reads x alone.
  LaunchConfig Row;
  Row.Block = {48, 1, 1};
  Row.BlockIsAssumed = true;
  Row.IndexDimensions = 1;
  EXPECT_EQ(ValuesOf("shr.u32 %r9, %r1, 5;\nmov.b32 %r31, %r9;", Row).text(),
            "warpid");
}

TEST(ValuesTest, FactsOfAnAssumedLaunchHoldForAll) {
  std::unique_ptr<ValuesOf> Of;
  const Expression *X = assumed(Of, "mov.u32 %r9, %ntid.x;", {256, 1, 1});
  EXPECT_EQ(X->Facts.UMin, 32u);
  EXPECT_EQ(X->Facts.UMax, 1024u);
  EXPECT_EQ(X->Facts.Zeros & 31, 31u);
  EXPECT_EQ(X->Varies, VariesNowhere);
  EXPECT_TRUE(X->isDecided());
  X = assumed(Of, "mov.u32 %r9, %ntid.x;", {128, 1, 1}, 200);
  EXPECT_EQ(X->Facts.UMax, 192u);
  X = assumed(Of, "mov.u32 %r9, %ntid.x;", {16, 8, 1}, 128);
  EXPECT_EQ(X->Facts.UMin, 1u);
  EXPECT_EQ(X->Facts.UMax, 128u);
  EXPECT_EQ(X->Facts.Zeros & 31, 0u);
  // Warps along x leave the fewer threads for y.
  X = assumed(Of, "mov.u32 %r9, %tid.y;", {32, 8, 1});
  EXPECT_EQ(X->Facts.UMax, 31u);
  EXPECT_TRUE(X->isUniform());
  X = assumed(Of, "mov.u32 %r9, %tid.y;", {16, 16, 1});
  EXPECT_EQ(X->Facts.UMax, 1023u);
  EXPECT_FALSE(X->isUniform());
  X = assumed(Of, "mov.u32 %r9, %ctaid.x;", {32, 8, 1});
  EXPECT_EQ(X->Facts.UMax, 0x7ffffffeu);
  X = assumed(Of, "mov.u32 %r9, %ctaid.y;", {32, 8, 1});
  EXPECT_EQ(X->Facts.UMax, 65534u);
  EXPECT_EQ(X->Varies, VariesInGrid);

  X = assumed(Of,
              "mov.u32 %r4, %ntid.x;\nmov.u32 %r5, %nctaid.x;\n"
              "mad.lo.u32 %r9, %r4, %r5, %r1;",
              {64, 2, 1});
  Assignment A;
  A.Block = {64, 2, 1}, A.Grid = {7, 1, 1};
  EXPECT_EQ(evaluate(*X, A)[5], 64u * 7 + 5);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

TEST(ValuesTest, MergesAreChoices) {
  StringRef IfElse = "setp.lt.s32 %p1, %r1, %r3;\n@%p1 bra A;\n"
                     "mov.u32 %r9, 5;\nbra C;\nA: mov.u32 %r9, %r2;\nC:";
  EXPECT_EQ(valueOf(IfElse), "tid.x < n ? ctaid.x : 5");
  // What the launch decides is no choice.
  EXPECT_EQ(valueOf(IfElse, {256, 1, 1}, {{1, 0}}), "5");
  EXPECT_EQ(valueOf(IfElse, {256, 1, 1}, {{1, 256}}), "ctaid.x");
}

TEST(ValuesTest, NestedMergesAreNestedChoices) {
  EXPECT_EQ(valueOf("setp.lt.s32 %p1, %r1, %r3;\nsetp.eq.s32 %p2, %r2, 7;\n"
                    "mov.u32 %r9, 1;\n@!%p1 bra C;\nmov.u32 %r9, 2;\n"
                    "@%p2 bra C;\nmov.u32 %r9, 3;\nC:"),
            "tid.x < n ? (ctaid.x == 7 ? 2 : 3) : 1");
}

TEST(ValuesTest, WaysThatEndDoNotCount) {
  EXPECT_EQ(valueOf("setp.lt.s32 %p1, %r1, %r3;\nmov.u32 %r9, 1;\n"
                    "@%p1 bra C;\nsetp.eq.s32 %p2, %r2, 7;\n@%p2 bra D;\n"
                    "mov.u32 %r9, 2;\nbra C;\nD: ret;\nC:"),
            "tid.x < n ? 1 : 2");
}

TEST(ValuesTest, GuardedWritesAreChoices) {
  EXPECT_EQ(valueOf("setp.lt.s32 %p1, %r1, %r3;\nmov.u32 %r9, 1;\n"
                    "@!%p1 add.u32 %r9, %r9, %r2;"),
            "tid.x < n ? 1 : ctaid.x + 1");
}

TEST(ValuesTest, ManyWayBranchesAreOpaque) {
  ValuesOf V("mov.u32 %r9, 1;\nT: .branchtargets A, C;\nbrx.idx %r2, T;\n"
             "A: mov.u32 %r9, 2;\nC: mov.b32 %r31, %r9;");
  ASSERT_TRUE(V.value()->opaque());
  EXPECT_EQ(V.value()->opaque()->Reason, Symbol::ReasonTy::Merge);
  EXPECT_TRUE(V.value()->isUniform());
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

TEST(ValuesTest, Recurrences) {
  EXPECT_EQ(inLoop("mov.u32 %r9, %r1;", "add.s32 %r9, %r9, 8;"),
            "tid.x + 8*iter(L)");
  EXPECT_EQ(inLoop("mov.u32 %r9, 100;", "sub.s32 %r9, %r9, %r3;"),
            "-n*iter(L) + 100");
  EXPECT_EQ(inLoop("mov.u32 %r9, 1;", "shl.b32 %r9, %r9, 1;"), "1 << iter(L)");
  EXPECT_EQ(inLoop("mov.u32 %r9, 128;", "shr.u32 %r9, %r9, 1;"),
            "128 >> iter(L)");
  EXPECT_EQ(inLoop("mov.u32 %r9, 1;", "mul.lo.s32 %r9, %r9, 3;"),
            "pow(3, iter(L))");
  EXPECT_EQ(inLoop("mov.u32 %r9, 0;", "xor.b32 %r9, %r9, 1;"), "iter(L) & 1");
  EXPECT_EQ(inLoop("mov.u32 %r9, %r3;", "mov.u32 %r9, 7;"),
            "iter(L) == 0 ? n : 7");
  EXPECT_EQ(inLoop("mov.u32 %r9, %r3;", ""), "n");
  // A buffer's number, going round.
  EXPECT_EQ(inLoop("mov.u32 %r9, 0;",
                   "add.s32 %r9, %r9, 1;\nsetp.eq.s32 %p2, %r9, 3;\n"
                   "selp.b32 %r9, 0, %r9, %p2;"),
            "trunc(urem(iter(L), 3))");
  EXPECT_EQ(
      inLoop("mov.u32 %r9, 0;", "add.s32 %r9, %r9, 1;\nand.b32 %r9, %r9, 3;"),
      "iter(L) & 3");
}

TEST(ValuesTest, WhatIsComputedAnIterationAhead) {
  // The first value is none of the others, or one of them.
  EXPECT_EQ(inLoop("mov.u32 %r9, %r1;", "shl.b32 %r9, %r8, 2;"),
            "iter(L) == 0 ? tid.x : 4*iter(L) - 4");
  EXPECT_EQ(inLoop("mov.u32 %r9, 20;",
                   "add.u32 %r10, %r8, 1;\nmad.lo.u32 %r9, %r10, 4, 20;"),
            "4*iter(L) + 20");
}

TEST(ValuesTest, HalvingOfWhatIsNeverNegative) {
  // i /= 2 of signed numbers, from 64.
  EXPECT_EQ(inLoop("mov.u32 %r9, 64;",
                   "shr.u32 %r10, %r9, 31;\nadd.s32 %r10, %r9, %r10;\n"
                   "shr.s32 %r9, %r10, 1;"),
            "64 >> iter(L)");
}

TEST(ValuesTest, SumsOfCountersAreSquares) {
  ValuesOf V("mov.u32 %r8, 5;\nmov.u32 %r9, 100;\n"
             "L: mov.b32 %r31, %r9;\nadd.u32 %r9, %r9, %r8;\n"
             "add.u32 %r8, %r8, 3;\nsetp.lt.u32 %p1, %r8, %r3;\n@%p1 bra L;");
  EXPECT_FALSE(V.value()->opaque());
  for (uint64_t K : {0, 1, 2, 7, 100}) {
    Assignment A;
    for (const Expression *S : V.value()->Symbols)
      A.Values[S->Sym->Quantity] = K;
    EXPECT_EQ(evaluate(*V.value(), A)[0], 100 + 5 * K + 3 * (K * (K - 1) / 2));
  }
}

TEST(ValuesTest, WhatIsLoadedAndKeptIsOpaque) {
  ValuesOf V("mov.u32 %r9, 0;\nL: mov.b32 %r31, %r9;\n"
             "ld.global.u32 %r9, [%rd1];\nsetp.lt.u32 %p1, %r9, %r3;\n"
             "@%p1 bra L;");
  ASSERT_TRUE(V.value()->opaque());
  EXPECT_EQ(V.value()->opaque()->Reason, Symbol::ReasonTy::Loop);
  EXPECT_TRUE(V.value()->opaque()->From->isPhi());
  EXPECT_TRUE(V.value()->isUniform());
}

TEST(ValuesTest, BehindLoopsCountersAreExitCounts) {
  auto Behind = [](StringRef Bound) {
    return ValuesOf(("mov.u32 %r9, 0;\nL: add.s32 %r9, %r9, 4;\n"
                     "setp.lt.s32 %p1, %r9, " +
                     Bound + ";\n@%p1 bra L;\nmov.b32 %r31, %r9;")
                        .str());
  };
  ValuesOf Uniform = Behind("%r3"), Divergent = Behind("%r1");
  EXPECT_EQ(Uniform.text(), "4*exit(L) + 4");
  EXPECT_TRUE(Uniform.value()->isUniform());
  EXPECT_TRUE(Uniform.V.leavesTogether(0));
  EXPECT_EQ(Divergent.text(), "4*exit(L) + 4");
  EXPECT_FALSE(Divergent.value()->isUniform());
  EXPECT_FALSE(Divergent.V.leavesTogether(0));
}

TEST(ValuesTest, RemainderLoopsStartWhereTheFirstEnds) {
  ValuesOf V("mov.u32 %r9, 0;\nL: add.s32 %r9, %r9, 4;\n"
             "setp.lt.s32 %p1, %r9, %r3;\n@%p1 bra L;\n"
             "M: mov.b32 %r31, %r9;\nadd.s32 %r9, %r9, 1;\n"
             "setp.lt.s32 %p1, %r9, %r3;\n@%p1 bra M;");
  EXPECT_EQ(V.text(), "4*exit(L) + iter(M) + 4");
}

TEST(ValuesTest, WhatTheIterationBeforeComputed) {
  // An index and its extension, both carried on; the number of the iteration
  // before, which the first one lacks.
  auto Beside = [](StringRef First, StringRef Next) {
    return ValuesOf(("mov.u32 %r8, %r1;\n" + First +
                     "\nL: mov.b64 %rd31, %rd2;\nadd.s32 %r8, %r8, 256;\n" +
                     Next + "\nsetp.lt.s32 %p1, %r8, %r3;\n@%p1 bra L;")
                        .str())
        .text("mov.b64");
  };
  EXPECT_EQ(Beside("cvt.s64.s32 %rd2, %r8;", "cvt.s64.s32 %rd2, %r8;"),
            "sext(tid.x + 256*iter(L))");
  EXPECT_EQ(Beside("mov.u64 %rd2, 7;", "cvt.u64.u32 %rd2, %r8;"),
            "iter(L) == 0 ? 7 : zext(tid.x + 256*iter(L))");
  // 64 bits of which 32 are carried on.
  EXPECT_EQ(Beside("cvt.s64.s32 %rd2, %r2;",
                   "cvt.u32.u64 %r9, %rd2;\nadd.s32 %r9, %r9, 3;\n"
                   "cvt.s64.s32 %rd2, %r9;"),
            "sext(ctaid.x + 3*iter(L))");
}

TEST(ValuesTest, IntsThatCountInWiderSteps) {
  // What `for (int i = get_global_id(0); …; i += get_global_size(0))` becomes.
  auto Of = [](StringRef First, StringRef Next) {
    return ValuesOf((First + "\nL: " + Next +
                     "\nmov.b64 %rd31, %rd3;\nadd.s64 %rd2, %rd3, 256;\n"
                     "cvt.u32.u64 %r8, %rd2;\n"
                     "setp.lt.s32 %p1, %r8, %r3;\n@%p1 bra L;")
                        .str())
        .text("mov.b64");
  };
  constexpr StringRef Small = "cvt.u64.u32 %rd2, %r1;";
  EXPECT_EQ(Of(Small, "cvt.s64.s32 %rd3, %rd2;"), "sext(tid.x + 256*iter(L))");
  EXPECT_EQ(Of(Small, "shl.b64 %rd3, %rd2, 32;\nshr.s64 %rd3, %rd3, 32;"),
            "sext(tid.x + 256*iter(L))");
  EXPECT_EQ(Of(Small, "cvt.u64.u32 %rd3, %rd2;"), "zext(tid.x + 256*iter(L))");
  EXPECT_EQ(Of("mul.wide.s32 %rd2, %r3, %r3;", "cvt.s64.s32 %rd3, %rd2;"),
            "sext(n*n + 256*iter(L))");
  // All of it is carried on.
  EXPECT_EQ(Of(Small, "xor.b64 %rd3, %rd2, 4294967296;"),
            "loop(%rd2.1) ^ 4294967296");
}

TEST(ValuesTest, LanesMoveTogetherByWhatNobodyKnows) {
  auto Moved = [](StringRef Offset) {
    return ValuesOf(("mov.u32 %r9, %r1;\ncvt.u64.u32 %rd2, " + Offset +
                     ";\nadd.s64 %rd2, %rd2, %rd1;\nL: mov.b32 %r31, %r9;\n"
                     "ld.global.u32 %r8, [%rd2];\nadd.u32 %r9, %r9, %r8;\n"
                     "setp.lt.u32 %p1, %r8, %r3;\n@%p1 bra L;")
                        .str());
  };
  ValuesOf Together = Moved("%r2"), Apart = Moved("%r1");
  const Expression *Step = Together.E.sub(
      Together.value(), Together.E.index(Symbol::KindTy::ThreadX));
  ASSERT_TRUE(Step->isSymbol(Symbol::KindTy::Opaque));
  EXPECT_EQ(Step->Sym->Reason, Symbol::ReasonTy::Loop);
  EXPECT_TRUE(Step->isUniform());
  EXPECT_TRUE(Apart.value()->isSymbol(Symbol::KindTy::Opaque));
  EXPECT_FALSE(Apart.value()->isUniform());
}

TEST(ValuesTest, WarpsNumbersAreUniformInLoops) {
  // A row that begins where the loop before it ended, of each warp.
  ValuesOf V("shr.u32 %r8, %r1, 5;\nmul.wide.u32 %rd2, %r8, 4;\n"
             "add.s64 %rd2, %rd2, %rd1;\nld.global.u32 %r9, [%rd2];\n"
             "L: mov.b32 %r31, %r9;\nadd.s64 %rd2, %rd2, 4;\n"
             "ld.global.u32 %r9, [%rd2];\nsetp.lt.u32 %p1, %r9, %r3;\n"
             "@%p1 bra L;");
  EXPECT_TRUE(V.value()->opaque());
  EXPECT_TRUE(V.value()->isUniform());
}

TEST(ValuesTest, ExitCountsThatAreNumbers) {
  auto Behind = [](StringRef Init, StringRef Step, StringRef Until) {
    return ValuesOf(("mov.u32 %r9, " + Init +
                     ";\nmov.u32 %r8, 5;\n"
                     "L: add.s32 %r8, %r8, 2;\nadd.s32 %r9, %r9, " +
                     Step + ";\nsetp.ne.s32 %p1, %r9, " + Until +
                     ";\n@%p1 bra L;\nmov.b32 %r31, %r8;")
                        .str())
        .text();
  };
  EXPECT_EQ(Behind("7", "-1", "0"), "19");
  EXPECT_EQ(Behind("1", "3", "13"), "13");
  EXPECT_EQ(Behind("1", "4", "13"), "2*exit(L) + 7"); // or 2^30 later
  EXPECT_EQ(Behind("%r3", "-1", "0"), "2*exit(L) + 7");
}

TEST(ValuesTest, LoadsOfFewBitsHaveTheirRange) {
  auto Loaded = [](StringRef Type) {
    return ValuesOf(("ld.global." + Type + " %r9, [%rd1];\nmov.b32 %r31, %r9;")
                        .str())
        .value()
        ->Facts;
  };
  EXPECT_EQ(Loaded("u8").UMax, 255u);
  EXPECT_EQ(Loaded("b16").UMax, 65535u);
  EXPECT_EQ(Loaded("s16").SMin, -32768);
  EXPECT_EQ(Loaded("s16").SMax, 32767);
  EXPECT_EQ(Loaded("s8").SMin, -128);
  EXPECT_EQ(Loaded("u32").UMax, 0xffffffffu);
  // A guarded one may leave what was there.
  EXPECT_EQ(ValuesOf("setp.eq.s32 %p1, %r3, 0;\n@%p1 ld.global.u8 %r9, [%rd1];"
                     "\nmov.b32 %r31, %r9;")
                .value()
                ->Facts.UMax,
            0xffffffffu);
}

TEST(ValuesTest, NestedLoops) {
  ValuesOf V("mov.u32 %r8, 0;\nL: mov.u32 %r9, %r8;\n"
             "M: mov.b32 %r31, %r9;\nadd.s32 %r9, %r9, 2;\n"
             "setp.lt.s32 %p1, %r9, %r3;\n@%p1 bra M;\n"
             "add.s32 %r8, %r8, 10;\nsetp.lt.s32 %p1, %r8, %r3;\n@%p1 bra L;");
  EXPECT_EQ(V.text(), "2*iter(M) + 10*iter(L)");
}

TEST(ValuesTest, LoopsWithSeveralWaysRound) {
  // `continue`, with and without another step.
  auto Loop = [](StringRef Other) {
    return ValuesOf(("mov.u32 %r9, 0;\nL: mov.b32 %r31, %r9;\n"
                     "setp.eq.s32 %p2, %r9, %r2;\n@%p2 bra B;\n"
                     "add.s32 %r9, %r9, 2;\nsetp.lt.s32 %p1, %r9, %r3;\n"
                     "@%p1 bra L;\nret;\nB: add.s32 %r9, %r9, " +
                     Other + ";\nbra L;")
                        .str());
  };
  EXPECT_EQ(Loop("2").text(), "2*iter(L)");
  EXPECT_TRUE(Loop("3").value()->opaque());
}

TEST(ValuesTest, IrreducibleCyclesAreOpaque) {
  ValuesOf V("setp.lt.s32 %p1, %r1, %r3;\nmov.u32 %r9, 0;\n@%p1 bra B;\n"
             "A: add.s32 %r9, %r9, 1;\nB: mov.b32 %r31, %r9;\n"
             "add.s32 %r9, %r9, 1;\nsetp.lt.s32 %p2, %r9, %r3;\n@%p2 bra A;");
  EXPECT_TRUE(V.value()->opaque());
  EXPECT_FALSE(V.value()->isUniform());
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

TEST(ValuesTest, AddressesOfArrays) {
  ValuesOf V("mad.lo.s32 %r4, %r2, 256, %r1;\nmul.wide.s32 %rd2, %r4, 4;\n"
             "cvta.to.global.u64 %rd3, %rd1;\nadd.s64 %rd4, %rd3, %rd2;\n"
             "mov.b64 %rd31, %rd4;");
  EXPECT_EQ(V.text("mov.b64"), "p + 4*tid.x + 1024*ctaid.x");
}

TEST(ValuesTest, ValuesOfOtherLanes) {
  StringRef Shuffle = "shfl.sync.idx.b32 %r9, %r4, 0, 31, -1;";
  EXPECT_EQ(valueOf(("shr.u32 %r4, %r1, 5;\n" + Shuffle).str()), "warpid");
  EXPECT_EQ(valueOf(("mov.u32 %r4, %r1;\n" + Shuffle).str()), "lanes(%r9.0)");
  ValuesOf V("setp.lt.u32 %p1, %r1, %r3;\n"
             "vote.sync.ballot.b32 %r9, %p1, -1;\nmov.b32 %r31, %r9;");
  EXPECT_TRUE(V.value()->isUniform());
}

TEST(ValuesTest, LoadsKnowBetweenWhatTheyVary) {
  auto Load = [](StringRef Space, StringRef Address) {
    return ValuesOf(("cvt.u64.u32 %rd2, " + Address +
                     ";\nadd.s64 %rd2, %rd2, %rd1;\nld." + Space +
                     ".u32 %r9, [%rd2];\nmov.b32 %r31, %r9;")
                        .str());
  };
  EXPECT_EQ(Load("global.nc", "%r2").value()->Varies, VariesInGrid);
  EXPECT_EQ(Load("global", "%r2").value()->Varies,
            VariesInBlock | VariesInGrid);
  EXPECT_FALSE(Load("global", "%r1").value()->isUniform());
  EXPECT_FALSE(Load("local", "%r2").value()->isUniform());
}

TEST(ValuesTest, LoadsAreWhatTheLaunchSaysIsThere) {
  BufferSpec Spec;
  Spec.Type = "s16";
  Spec.Count = 1000;
  Spec.Fill.Kind = BufferFill::KindTy::Random;
  Spec.Fill.Low = -40;
  Spec.Fill.High = 40;
  auto Text = [&](const std::string &Body) {
    PTXKernel K("mov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [p];\n"
                "mad.wide.u32 %rd2, %r1, 2, %rd1;\n" +
                Body + "\nsetp.lt.s32 %p1, %r9, 5;\n@%p1 ret;\n");
    ArgumentValue &A = K.Launch.Args[0];
    A.Kind = ArgumentValue::KindTy::Buffer;
    A.Buffer = "data";
    A.BufferAlign = 256;
    A.Contents = cantFail(BufferContents::open(Spec, ""));
    ControlFlow CF(K.graph());
    Expressions E(K.Launch);
    SymbolicValues V(K.graph(), CF, K.Launch, E);
    const Instruction &I = K.instruction("setp.lt.s32");
    return V.of(I, I.Operands[1])->str();
  };
  EXPECT_EQ(Text("ld.global.s16 %r9, [%rd2];"), "sext(data(2*tid.x))");
  EXPECT_EQ(Text("ld.global.nc.u16 %r9, [%rd2+6];"), "zext(data(2*tid.x + 6))");
  EXPECT_EQ(Text("ld.global.s8 %r9, [%rd1];"),
            std::to_string(int8_t(
                elements::make<elements::Integer<int16_t>>(Spec.Fill, 0))));
  // Others may write it, or it is written.
  EXPECT_EQ(Text("ld.volatile.global.s16 %r9, [%rd2];"), "sext(load(%r9.0))");
  EXPECT_EQ(Text("st.global.u32 [%rd1], %r1;\nld.global.s16 %r9, [%rd2];"),
            "sext(load(%r9.0))");
  // An argument of which nobody knows anything may point there.
  EXPECT_EQ(Text("ld.global.u64 %rd3, [%rd1];\nst.global.u32 [%rd3], %r1;\n"
                 "ld.global.s16 %r9, [%rd2];"),
            "sext(load(%r9.0))");
  Spec.Fill.Kind = BufferFill::KindTy::Iota;
  EXPECT_EQ(Text("ld.global.s16 %r9, [%rd2+4];"), "tid.x + 2");
  Spec.Fill.Kind = BufferFill::KindTy::Zeros;
  EXPECT_EQ(Text("ld.global.s16 %r9, [%rd2+4];"), "0");
}

TEST(ValuesTest, ClocksDifferEachTime) {
  EXPECT_NE(valueOf("mov.u32 %r7, %clock;\nmov.u32 %r8, %clock;\n"
                    "sub.u32 %r9, %r8, %r7;"),
            "0");
}

TEST(ValuesTest, LanesHoldDifferentPartsOfMatrices) {
  ValuesOf V("mov.u32 %r4, 1;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 "
             "{%r9}, [%r4];\nmov.b32 %r31, %r9;\n"
             "movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r4;");
  EXPECT_FALSE(V.value()->isUniform());
  const Instruction &Move =
      V.K.instruction("movmatrix.sync.aligned.m8n8.trans.b16");
  EXPECT_FALSE(V.V.of(Move.Defs[0])->isUniform());
}

TEST(ValuesTest, FloatsPassThroughRegistersOfBits) {
  EXPECT_EQ(valueOf("mov.f32 %f1, 0f3F800000;\nmov.b32 %r9, %f1;"),
            "1065353216");
  ValuesOf V("cvt.rn.f32.u32 %f1, %r2;\ncvt.rzi.u32.f32 %r9, %f1;\n"
             "mov.b32 %r31, %r9;");
  ASSERT_TRUE(V.value()->opaque());
  EXPECT_EQ(V.value()->opaque()->Reason, Symbol::ReasonTy::Float);
  EXPECT_EQ(V.value()->Varies, VariesInGrid);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// A kernel with `.func f`, as text.
struct Called {
  explicit Called(StringRef Function, StringRef Body) {
    std::string Text =
        (".version 8.0\n.target sm_80\n.address_size 64\n" + Function +
         "\n.visible .entry k(.param .u32 n)\n{\n"
         ".reg .b32 %r<32>; .reg .pred %p<4>;\n"
         "ld.param.u32 %r3, [n];\nmov.u32 %r1, %tid.x;\n" +
         Body + "\nret;\n}\n")
            .str();
    Diags.setBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text, "test.ptx"));
    AST = ptx::parse(Diags);
    if (AST)
      M = ptx::lower(*AST, Diags);
    for (const Diagnostic &D : Diags.diagnostics())
      ADD_FAILURE() << D.Message;
    const InstructionGraph *G = M->function("k");
    Launch.Block = {64, 1, 1};
    CF = std::make_unique<ControlFlow>(*G);
    E = std::make_unique<Expressions>(Launch);
    V = std::make_unique<SymbolicValues>(*G, *CF, Launch, *E);
    G->forEachInstruction([&](const Instruction &I) {
      if (I.Mnemonic == "mov.b32")
        Texts.push_back(V->of(I, I.Operands[1])->str());
      if (I.IsCall)
        Calls.push_back(&I);
    });
  }

  DiagnosticEngine Diags;
  std::unique_ptr<ptx::AST> AST;
  std::unique_ptr<Module> M;
  LaunchConfig Launch;
  std::unique_ptr<ControlFlow> CF;
  std::unique_ptr<Expressions> E;
  std::unique_ptr<SymbolicValues> V;
  std::vector<std::string> Texts;
  std::vector<const Instruction *> Calls;
};

std::string callOf(StringRef F, StringRef Argument, StringRef Result) {
  return ("{ .param .b32 a; .param .b32 r;\nst.param.b32 [a], " + Argument +
          ";\ncall.uni (r), " + F + ", (a);\nld.param.b32 " + Result +
          ", [r];\n}\nmov.b32 %r31, " + Result + ";\n")
      .str();
}

constexpr StringRef Twice =
    ".func (.param .b32 out) f(.param .b32 in)\n{\n.reg .b32 %r<4>;\n"
    "ld.param.b32 %r1, [in];\nshl.b32 %r2, %r1, 1;\n"
    "st.param.b32 [out], %r2;\nret;\n}\n";
} // namespace

TEST(ValuesTest, EachCallHasItsOwnArguments) {
  Called C(Twice, callOf("f", "%r1", "%r5") + callOf("f", "%r3", "%r6"));
  EXPECT_EQ(C.Texts, (std::vector<std::string>{"2*tid.x", "2*n"}));
  ASSERT_NE(C.V->callee(*C.Calls[0]), nullptr);
  EXPECT_NE(C.V->callee(*C.Calls[0]), C.V->callee(*C.Calls[1]));
}

TEST(ValuesTest, CallsInLoopsSeeTheCounter) {
  Called C(Twice, "mov.u32 %r4, 0;\nL:\n" + callOf("f", "%r4", "%r5") +
                      "add.u32 %r4, %r4, 5;\nsetp.lt.u32 %p1, %r4, %r3;\n"
                      "@%p1 bra L;");
  EXPECT_EQ(C.Texts, std::vector<std::string>{"10*iter(L)"});
  const SymbolicValues *F = C.V->callee(*C.Calls[0]);
  for (const Value *V : F->graph().Values)
    if (V->Name == "%r1" && V->Def) {
      EXPECT_EQ(F->of(V)->str(), "5*iter(L)");
    }
}

TEST(ValuesTest, ParametersArePutTogetherFromTheirParts) {
  Called C(".func (.param .align 8 .b8 out[8]) f(.param .b32 in)\n{\n"
           ".reg .b32 %r<4>;\nld.param.b32 %r1, [in];\n"
           "st.param.b32 [out], %r1;\nst.param.b32 [out+4], 3;\nret;\n}\n",
           "{ .param .b32 a; .param .align 8 .b8 r[8]; .reg .b64 %rd<4>;\n"
           "st.param.b32 [a], %r1;\ncall.uni (r), f, (a);\n"
           "ld.param.b64 %rd1, [r];\nmov.b64 {%r4, %r5}, %rd1;\n"
           "mov.b32 %r6, %r4;\nmov.b32 %r6, %r5;\n}");
  EXPECT_EQ(C.Texts, (std::vector<std::string>{"tid.x", "3"}));
}

TEST(ValuesTest, RecursionEnds) {
  Called C(".func (.param .b32 out) f(.param .b32 in);\n"
           ".func (.param .b32 out) f(.param .b32 in)\n{\n"
           ".reg .b32 %r<40>;\nld.param.b32 %r1, [in];\n" +
               callOf("f", "%r1", "%r2") +
               "st.param.b32 [out], %r2;\nret;\n}\n",
           callOf("f", "%r1", "%r5"));
  ASSERT_EQ(C.Texts.size(), 1u);
  EXPECT_NE(C.Texts[0].find("call("), std::string::npos);
}

//===----------------------------------------------------------------------===//
// Local variables
//===----------------------------------------------------------------------===//

/// A local variable `v` of 64 bytes, its address in %rd10 and, generic, %rd11.
static const char *const Local = ".local .align 8 .b8 v[64];\n"
                                 "mov.u64 %rd10, v;\ncvta.local.u64 %rd11, "
                                 "%rd10;\n";

static std::string localText(StringRef Body) {
  return valueOf((Local + Body).str());
}

TEST(ValuesTest, LocalVariablesHoldWhatWasStored) {
  EXPECT_EQ(localText("st.local.u32 [v+8], %r1;\nld.u32 %r9, [%rd11+8];"),
            "tid.x");
  // Through copies and sums of the address, one element of a vector.
  EXPECT_EQ(localText("add.s64 %rd12, %rd11, 16;\n"
                      "st.v2.u32 [%rd12+-8], {%r2, %r3};\n"
                      "ld.local.u32 %r9, [%rd10+12];"),
            "n");
  EXPECT_EQ(localText("cvt.u16.u32 %rs1, %r3;\nst.local.u16 [v], %rs1;\n"
                      "ld.local.s16 %r9, [v];"),
            "sext(trunc(n))");
  EXPECT_EQ(localText("st.local.u32 [v], %r2;\nsetp.lt.s32 %p1, %r1, %r3;\n"
                      "@%p1 st.local.u32 [v], 5;\nld.local.u32 %r9, [v];"),
            "tid.x < n ? 5 : ctaid.x");
}

TEST(ValuesTest, LocalVariablesMergeAndLoopAsRegistersDo) {
  EXPECT_EQ(localText("setp.lt.s32 %p1, %r1, %r3;\n@%p1 bra A;\n"
                      "st.local.u32 [v], 5;\nbra C;\nA: st.local.u32 [v], "
                      "%r2;\nC: ld.local.u32 %r9, [v];"),
            "tid.x < n ? ctaid.x : 5");
  ValuesOf V((Local + StringRef("st.u32 [%rd11], %r1;\nst.u32 [%rd11+4], 0;\n"
                                "L: ld.u32 %r4, [%rd11+4];\n"
                                "ld.u32 %r5, [%rd11];\nmov.b32 %r31, %r5;\n"
                                "add.s32 %r6, %r5, %r2;\nst.u32 [%rd11], %r6;\n"
                                "add.s32 %r7, %r4, 1;\nst.u32 [%rd11+4], %r7;\n"
                                "ld.u32 %r8, [%rd11+4];\n"
                                "setp.lt.s32 %p1, %r8, %r3;\n@%p1 bra L;\n"
                                "ld.u32 %r10, [%rd11];"))
                 .str());
  EXPECT_EQ(V.text(), "tid.x + ctaid.x*iter(L)");
  EXPECT_EQ(V.V.guard(V.K.instruction("bra"))->str(), "iter(L) + 1 < n");
}

TEST(ValuesTest, WhatMayWriteALocalVariableMakesItUnknown) {
  auto IsOpaque = [](StringRef Between) {
    ValuesOf V((Local + StringRef("st.local.u32 [v], %r1;\n") + Between +
                "\nld.local.u32 %r9, [v];\nmov.b32 %r31, %r9;")
                   .str());
    return V.value()->isSymbol(Symbol::KindTy::Opaque);
  };
  EXPECT_FALSE(IsOpaque(""));
  // At a computed offset; a load there does no harm.
  StringRef Computed =
      "cvt.u64.u32 %rd12, %r1;\nadd.s64 %rd13, %rd10, %rd12;\n";
  EXPECT_TRUE(IsOpaque((Computed + "st.local.u32 [%rd13], 1;").str()));
  EXPECT_FALSE(IsOpaque((Computed + "ld.local.u32 %r5, [%rd13];").str()));
  EXPECT_FALSE(IsOpaque("and.b32 %r4, %r1, 3;\nmul.wide.u32 %rd12, %r4, 4;\n"
                        "add.s64 %rd13, %rd10, %rd12;\n"
                        "st.local.u32 [%rd13+8], 1;"));
  // Through another pointer once the address is in memory, or in a phi.
  StringRef Other = "ld.global.u64 %rd14, [%rd1+8];\nst.u32 [%rd14], 1;";
  EXPECT_FALSE(IsOpaque(Other));
  EXPECT_TRUE(IsOpaque(("st.global.u64 [%rd1], %rd11;\n" + Other).str()));
  EXPECT_FALSE(
      IsOpaque("st.global.u64 [%rd1], %rd11;\nst.global.u32 [%rd1], 1;"));
  EXPECT_TRUE(IsOpaque("setp.lt.s32 %p1, %r1, %r3;\nmov.u64 %rd15, %rd1;\n"
                       "@%p1 mov.u64 %rd15, %rd11;\nst.u32 [%rd15], 1;"));
  // Parts, other widths, beyond the end.
  EXPECT_TRUE(IsOpaque("st.local.u16 [v+2], 1;"));
  EXPECT_TRUE(IsOpaque("st.local.u64 [v], 1;"));
  EXPECT_TRUE(IsOpaque("st.local.u64 [v+60], 1;"));
  EXPECT_FALSE(IsOpaque("st.local.u64 [v+8], 1;"));
}

TEST(ValuesTest, CallsWriteToLocalVariablesWhatTheirCodeDoes) {
  // What is in a local variable after a call with its address.
  auto Texts = [](StringRef Functions, StringRef Call) {
    Called C(Functions, (".local .align 8 .b8 v[16]; .reg .b64 %rd<8>;\n"
                         "mov.u64 %rd1, v;\ncvta.local.u64 %rd2, %rd1;\n"
                         "st.local.v2.u32 [v], {%r1, %r3};\n"
                         "{ .param .b64 a;\nst.param.b64 [a], %rd2;\n" +
                         Call +
                         ", (a); }\n"
                         "ld.u32 %r4, [%rd2];\nmov.b32 %r31, %r4;\n"
                         "ld.u32 %r5, [%rd2+4];\nmov.b32 %r31, %r5;")
                            .str());
    return C.Texts;
  };
  // It keeps the pointer in its own local variable.
  StringRef Sets = ".func f(.param .b64 in)\n{\n.reg .b64 %rd<4>;\n"
                   ".local .align 8 .b8 w[8];\nld.param.u64 %rd1, [in];\n"
                   "st.local.u64 [w], %rd1;\nld.local.u64 %rd2, [w];\n"
                   "st.u32 [%rd2+4], 7;\nret;\n}\n";
  EXPECT_EQ(Texts(Sets, "call.uni f"),
            (std::vector<std::string>{"tid.x", "load(%r5.0)"}));
  // It passes the pointer on.
  StringRef Passes = ".func g(.param .b64 in)\n{\n.reg .b64 %rd<4>;\n"
                     "ld.param.u64 %rd1, [in];\nadd.s64 %rd1, %rd1, -4;\n"
                     "{ .param .b64 a;\nst.param.b64 [a], %rd1;\n"
                     "call.uni f, (a); }\nret;\n}\n";
  EXPECT_EQ(Texts((Sets + Passes).str(), "call.uni g"),
            (std::vector<std::string>{"load(%r4.0)", "n"}));
  EXPECT_EQ(Texts(".extern .func h(.param .b64 in);\n", "call.uni h"),
            (std::vector<std::string>{"load(%r4.0)", "load(%r5.0)"}));
  EXPECT_EQ(Texts(".extern .func free(.param .b64 in);\n", "call.uni free"),
            (std::vector<std::string>{"tid.x", "n"}));
}

TEST(ValuesTest, PointersInLocalVariablesAreAligned) {
  ValuesOf V((Local + StringRef("st.local.u64 [v], %rd1;\n"
                                "ld.u64 %rd12, [%rd11];\n"
                                "ld.u32 %r9, [%rd12];\nmov.b64 %rd31, %rd12;"))
                 .str());
  EXPECT_EQ(V.text("mov.b64"), "p");
  EXPECT_EQ(V.value("mov.b64")->Facts.Zeros, 255u);
}

TEST(ValuesTest, LanesHaveLocalMemoryOfTheirOwn) {
  ValuesOf V((Local + StringRef("cvt.u64.u32 %rd12, %r3;\n"
                                "add.s64 %rd13, %rd11, %rd12;\n"
                                "ld.u32 %r9, [%rd13];\nmov.b32 %r31, %r9;"))
                 .str());
  EXPECT_FALSE(V.value()->isUniform());
}
