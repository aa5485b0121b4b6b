//===- FormulasTest.cpp - Counts and strides as formulas ------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Analysis/Symbolic/Formulas.h"
#include "PTXKernel.h"
#include "ptxpredict/Emulator/Core/Emulator.h"

using namespace ptxpredict;

namespace {

/// The values of a kernel of one warp; in its text %r1 is tid.x, %r2 tid.y,
/// %r3 the parameter n, %rd1 the parameter p.
struct Forms {
  explicit Forms(StringRef Body, Dim3 Block = {32, 1, 1},
                 const std::map<unsigned, int64_t> &Args = {})
      : K(("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\n"
           "ld.param.u32 %r3, [n];\nld.param.u64 %rd1, [p];\n" +
           Body)
              .str(),
          Block, Args) {
    K.Launch.Grid = {1, 1, 1};
    CF = std::make_unique<ControlFlow>(K.graph());
    E = std::make_unique<Expressions>(K.Launch);
    V = std::make_unique<SymbolicValues>(K.graph(), *CF, K.Launch, *E);
  }

  /// The loop that has the marker of a body, else the first one.
  unsigned markedCycle() const {
    int C = 0;
    K.graph().forEachInstruction([&](const Instruction &I) {
      if (I.Mnemonic == "popc.b32")
        C = CF->innermostCycle(I.Parent);
    });
    return unsigned(C);
  }
  std::string count(unsigned Cycle) const {
    TripCountFormula N = tripCountFormula(*V, Cycle);
    if (!N.Bodies)
      return "none";
    return (N.IsUpperBound ? "<= " : "") + formulaText(*N.Bodies);
  }
  std::string count() const { return count(markedCycle()); }
  std::string stride(StringRef Mnemonic = "ld.global.f32") const {
    const Instruction &I = K.instruction(Mnemonic);
    const Expression *S = strideFormula(*V, I, I.Operands[1]);
    return S ? formulaText(*S) : "none";
  }

  PTXKernel K;
  std::unique_ptr<ControlFlow> CF;
  std::unique_ptr<Expressions> E;
  std::unique_ptr<SymbolicValues> V;
};

/// do { \p Step } while (\p Test into %p1); the counter is %r9. The marker
/// counts bodies.
std::string rotated(StringRef Init, StringRef Step, StringRef Test) {
  return (Init + "\nL: popc.b32 %r20, %r1;\n" + Step + "\n" + Test +
          "\n@%p1 bra L;")
      .str();
}

/// while (!\p Test) \p Step;
std::string topTested(StringRef Init, StringRef Test, StringRef Step) {
  return (Init + "\nL: " + Test + "\n@%p1 bra END;\npopc.b32 %r20, %r1;\n" +
          Step + "\nbra L;\nEND:")
      .str();
}

/// How often the marker runs on the emulator with that parameter.
uint64_t bodiesInRun(StringRef Body, int64_t N) {
  Forms Given(Body, {32, 1, 1}, {{1, N}});
  ArgumentValue Buffer;
  Buffer.Kind = ArgumentValue::KindTy::Buffer;
  Buffer.Buffer = "p";
  Given.K.Launch.Args[0] = Buffer;
  EmulationOptions Options;
  Options.Jobs = 1;
  Emulation Run(Given.K.graph(), Given.K.Launch, Options);
  BufferSpec Spec;
  Spec.Type = "u8";
  Spec.Count = 4096;
  EXPECT_FALSE(bool(Run.addBuffer("p", Spec, "")));
  Expected<EmulationResult> R = Run.run();
  EXPECT_TRUE(bool(R));
  uint64_t Bodies = 0;
  if (R)
    for (const InstructionProfile &I : R->Profile.Instructions)
      if (I.Opcode == "popc.b32")
        Bodies += I.Executions;
  return Bodies;
}

/// The formula's value for that parameter in the lane that runs longest is the
/// number of bodies in a run, or, if it is a bound, at most \p Slack above.
void expectSameCount(StringRef Body, int64_t N, uint64_t Slack = 0) {
  SCOPED_TRACE(Body.str() + "\nn = " + std::to_string(N));
  uint64_t Bodies = bodiesInRun(Body, N);
  Forms Open(Body);
  TripCountFormula Count = tripCountFormula(*Open.V, Open.markedCycle());
  ASSERT_TRUE(Count.Bodies);
  EXPECT_EQ(Count.IsUpperBound, Slack != 0);
  Assignment A;
  A.Block = {32, 1, 1};
  for (const Expression *S : Count.Bodies->Symbols)
    if (S->isSymbol(Symbol::KindTy::Parameter))
      A.Values[S->Sym->Quantity] = uint64_t(N);
  LaneArray Lanes = evaluate(*Count.Bodies, A);
  uint64_t Longest = *llvm::max_element(Lanes);
  EXPECT_GE(Longest, Bodies) << Count.Bodies->str();
  EXPECT_LE(Longest, Bodies + Slack) << Count.Bodies->str();
}

/// for (i = tid.x; i < n; i += 32), four at a time behind \p Rest, which is
/// left out where \p IsZero sets %p2; %r12 is how many that are, %r10 is
/// n - tid.x - 1.
std::string unrolled(StringRef IsZero, StringRef Rest) {
  return ("sub.s32 %r10, %r3, %r1;\nadd.s32 %r10, %r10, -1;\n"
          "shr.u32 %r11, %r10, 5;\nadd.s32 %r12, %r11, 1;\n"
          "and.b32 %r12, %r12, 3;\nmov.u32 %r9, %r1;\n" +
          IsZero + "\n@%p2 bra M;\n" + Rest +
          "\nM: setp.lt.u32 %p2, %r11, 3;\n@%p2 bra END;\n"
          "L: popc.b32 %r20, %r1;\nadd.s32 %r9, %r9, 128;\n"
          "setp.lt.s32 %p1, %r9, %r3;\n@%p1 bra L;\nEND:")
      .str();
}

struct Shape {
  std::string Body;
  StringRef Text;
  std::vector<int64_t> Numbers; ///< parameters to try
};

std::vector<Shape> shapes() {
  StringRef Zero = "mov.u32 %r9, 0;", One = "add.s32 %r9, %r9, 1;";
  std::vector<Shape> S;
  auto Add = [&](std::string Body, StringRef Text,
                 std::vector<int64_t> Numbers) {
    S.push_back({std::move(Body), Text, std::move(Numbers)});
  };
  // Left from the top.
  Add(topTested(Zero, "setp.ge.s32 %p1, %r9, %r3;", One), "n", {0, 1, 7, 100});
  Add(topTested(Zero, "setp.eq.s32 %p1, %r9, %r3;", One), "n", {0, 1, 7, 100});
  Add(topTested(Zero, "setp.gt.u32 %p1, %r9, %r3;", One), "n + 1", {0, 1, 50});
  Add(topTested("mov.u32 %r9, %r3;", "setp.lt.s32 %p1, %r9, 0;",
                "sub.s32 %r9, %r9, 2;"),
      "(n + 2)/2", {0, 1, 2, 7, 100});
  Add(topTested("mov.u32 %r9, %r1;", "setp.ge.s32 %p1, %r9, %r3;",
                "add.s32 %r9, %r9, 32;"),
      "(n - tid.x + 31)/32", {32, 33, 100, 1000});
  // Left from the latch, where the counter has its next value.
  Add(rotated(Zero, "add.s32 %r9, %r9, 16;", "setp.lt.s32 %p1, %r9, %r3;"),
      "(n + 15)/16", {1, 15, 16, 17, 1000});
  Add(rotated(Zero, One, "setp.le.u32 %p1, %r9, %r3;"), "n + 1", {0, 1, 50});
  Add(rotated("mov.u32 %r9, %r3;", "sub.s32 %r9, %r9, 3;",
              "setp.gt.s32 %p1, %r9, 0;"),
      "(n + 2)/3", {1, 2, 3, 4, 100});
  Add(rotated("mov.u32 %r9, %r3;", "add.s32 %r9, %r9, -1;",
              "setp.ne.s32 %p1, %r9, 0;"),
      "n", {1, 2, 100});
  Add(rotated("neg.s32 %r9, %r3;", One, "setp.ne.s32 %p1, %r9, 0;"), "n",
      {1, 2, 100});
  Add(rotated(Zero, One,
              "setp.lt.s32 %p2, %r9, %r3;\nnot.pred %p1, %p2;"
              "\nnot.pred %p1, %p1;"),
      "n", {1, 5});
  // Compared before the step, as loops are that were rotated late.
  Add(rotated(Zero, "setp.lt.s32 %p1, %r9, %r3;", One), "n + 1", {0, 1, 9});
  // Pointers.
  Add(rotated("mul.wide.s32 %rd3, %r3, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
              "mov.u64 %rd2, %rd1;",
              "add.s64 %rd2, %rd2, 4;", "setp.ne.s64 %p1, %rd2, %rd4;"),
      "n", {1, 2, 100});
  Add(rotated("mul.wide.u32 %rd3, %r3, 8;\nadd.s64 %rd4, %rd1, %rd3;\n"
              "mov.u64 %rd2, %rd1;",
              "add.s64 %rd2, %rd2, 16;", "setp.lt.u64 %p1, %rd2, %rd4;"),
      "(n + 1)/2", {1, 2, 3, 100});
  // Wider counters.
  Add(rotated("cvt.s64.s32 %rd5, %r3;\nmov.u64 %rd2, 0;",
              "add.s64 %rd2, %rd2, 4;", "setp.lt.s64 %p1, %rd2, %rd5;"),
      "(n + 3)/4", {1, 4, 5, 100});
  Add(rotated("mov.u32 %r9, 0;\nsub.s32 %r10, %r3, 1;\n"
              "cvt.u64.u32 %rd5, %r10;\nadd.s64 %rd5, %rd5, 1;\n"
              "mov.u64 %rd2, 0;",
              "add.s64 %rd2, %rd2, 1;", "setp.ne.s64 %p1, %rd2, %rd5;"),
      "n", {1, 4, 5, 100});
  // Unrolled by four, and what that leaves.
  Add(rotated("and.b32 %r9, %r3, -4;", "add.s32 %r9, %r9, -4;",
              "setp.ne.s32 %p1, %r9, 0;"),
      "n/4", {4, 7, 8, 101});
  Add(rotated("and.b32 %r10, %r3, 3;\nsub.s32 %r9, %r3, %r10;",
              "add.s32 %r9, %r9, -4;", "setp.ne.s32 %p1, %r9, 0;"),
      "n/4", {4, 7, 8, 101});
  Add(rotated("and.b32 %r9, %r3, 3;", "add.s32 %r9, %r9, -1;",
              "setp.ne.s32 %p1, %r9, 0;"),
      "n%4", {1, 2, 7, 101});
  Add(topTested("and.b32 %r10, %r3, -16;\nmov.u32 %r9, 0;",
                "setp.eq.s32 %p1, %r9, %r10;", "add.s32 %r9, %r9, 16;"),
      "n/16", {0, 15, 16, 100});
  // The rest comes first, in a loop or one after the other.
  for (StringRef IsZero :
       {"setp.eq.s32 %p2, %r12, 0;", "and.b32 %r13, %r10, 96;\n"
                                     "setp.eq.s32 %p2, %r13, 96;"})
    Add(unrolled(IsZero, "mov.u32 %r14, %r12;\n"
                         "R: add.s32 %r9, %r9, 32;\nadd.s32 %r14, %r14, -1;\n"
                         "setp.ne.s32 %p3, %r14, 0;\n@%p3 bra R;"),
        "(n - tid.x + 31)/32/4", {32, 100, 128, 129, 1000});
  Add(unrolled("setp.eq.s32 %p2, %r12, 0;",
               "add.s32 %r9, %r9, 32;\nsetp.eq.s32 %p2, %r12, 1;\n"
               "@%p2 bra M;\nadd.s32 %r9, %r9, 32;\n"
               "setp.eq.s32 %p2, %r12, 2;\n@%p2 bra M;\n"
               "add.s32 %r9, %r9, 32;"),
      "(n - tid.x + 31)/32/4", {32, 100, 128, 129, 1000});
  // Kept at one, since it runs once at least.
  Add(rotated("max.s32 %r10, %r3, 1;\nmov.u32 %r9, 0;", One,
              "setp.ne.s32 %p1, %r9, %r10;"),
      "n", {1, 2, 100});
  Add(rotated("max.s32 %r10, %r3, 1;\nand.b32 %r9, %r10, 3;",
              "add.s32 %r9, %r9, -1;", "setp.ne.s32 %p1, %r9, 0;"),
      "n%4", {1, 2, 7, 101});
  Add(rotated("add.s32 %r11, %r1, 1;\nmax.s32 %r10, %r3, %r11;\n"
              "mov.u32 %r9, %r1;",
              One, "setp.lt.s32 %p1, %r9, %r10;"),
      "n - tid.x", {32, 100});
  Add(topTested("max.s32 %r10, %r3, 1;\nmov.u32 %r9, 0;",
                "setp.ge.s32 %p1, %r9, %r10;", One),
      "max(n, 1)", {0, 1, 100});
  Add(rotated("max.s32 %r10, %r3, 2;\nmov.u32 %r9, 0;", One,
              "setp.lt.s32 %p1, %r9, %r10;"),
      "max(n, 2)", {1, 2, 3, 100});
  Add(rotated("sub.s32 %r10, -1, %r3;\nmax.s32 %r10, %r10, -33;\n"
              "sub.s32 %r10, -1, %r10;\nmov.u32 %r9, 0;",
              One, "setp.lt.s32 %p1, %r9, %r10;"),
      "min(n, 32)", {1, 31, 32, 33, 100});
  // Steps and bounds that are no numbers.
  Add(rotated(Zero, "add.s32 %r9, %r9, %r3;", "setp.lt.s32 %p1, %r9, 1000;"),
      "(n + 999)/n", {1, 3, 999, 1000, 2000});
  Add(rotated("min.s32 %r10, %r3, 128;\nmov.u32 %r9, 0;", One,
              "setp.lt.s32 %p1, %r9, %r10;"),
      "min(n, 128)", {1, 127, 128, 500});
  Add(rotated(Zero, One,
              "setp.lt.s32 %p2, %r9, %r3;\nsetp.lt.and.s32 %p1, %r9, 64, %p2;"),
      "min(n, 64)", {1, 63, 64, 500});
  // Shifts.
  Add(rotated("mov.u32 %r9, %r3;", "shr.u32 %r9, %r9, 1;",
              "setp.ne.s32 %p1, %r9, 0;"),
      "log2(n) + 1", {1, 2, 3, 4, 1000});
  Add(rotated("mov.u32 %r9, %r3;", "shr.u32 %r9, %r9, 1;",
              "setp.gt.u32 %p1, %r9, 31;"),
      "log2(n/32) + 1", {32, 63, 64, 1000, 4096});
  Add(topTested("mov.u32 %r9, %r3;", "setp.lt.u32 %p1, %r9, 32;",
                "shr.u32 %r9, %r9, 2;"),
      "(log2(n/32) + 2)/2", {1, 32, 63, 64, 1000, 4096});
  Add(topTested("mov.u32 %r9, %r3;", "setp.eq.s32 %p1, %r9, 1;",
                "shr.u32 %r9, %r9, 1;"),
      "log2(n)", {1, 2, 3, 4, 1000});
  Add(rotated("mov.u32 %r9, 1;", "shl.b32 %r9, %r9, 1;",
              "setp.lt.u32 %p1, %r9, %r3;"),
      "log2(n - 1) + 1", {2, 3, 4, 5, 1000});
  Add(topTested("mov.u32 %r9, 2;", "setp.ge.u32 %p1, %r9, %r3;",
                "shl.b32 %r9, %r9, 1;"),
      "log2((n - 1)/2) + 1", {2, 3, 4, 5, 1000});
  return S;
}

} // namespace

//===----------------------------------------------------------------------===//
// Trip counts
//===----------------------------------------------------------------------===//

TEST(SymbolicFormsTest, LoopsOfManyShapes) {
  for (const Shape &S : shapes()) {
    SCOPED_TRACE(S.Body);
    EXPECT_EQ(Forms(S.Body).count(), S.Text);
  }
}

TEST(SymbolicFormsTest, CountsAreThoseOfRuns) {
  for (const Shape &S : shapes())
    for (int64_t N : S.Numbers)
      expectSameCount(S.Body, N);
}

TEST(SymbolicFormsTest, BinarySearches) {
  // Each lane looks for its own number in 0 to n - 1: lower bounds by first
  // element and length, and by both ends, with the middle in two ways.
  std::string Length =
      rotated("mov.u32 %r9, %r3;\nmov.u32 %r8, 0;",
              "shr.u32 %r10, %r9, 1;\nadd.s32 %r11, %r8, %r10;\n"
              "setp.lt.s32 %p2, %r11, %r1;\nnot.b32 %r12, %r10;\n"
              "add.s32 %r12, %r12, %r9;\nselp.b32 %r9, %r12, %r10, %p2;\n"
              "add.s32 %r11, %r11, 1;\nselp.b32 %r8, %r11, %r8, %p2;",
              "setp.gt.s32 %p1, %r9, 0;");
  StringRef Narrow = "\nsetp.lt.s32 %p2, %r10, %r1;\nadd.s32 %r11, %r10, 1;\n"
                     "selp.b32 %r8, %r11, %r8, %p2;\n"
                     "selp.b32 %r9, %r9, %r10, %p2;";
  StringRef Init = "mov.u32 %r8, 0;\nmov.u32 %r9, %r3;",
            Sum = "add.s32 %r10, %r8, %r9;\nshr.s32 %r10, %r10, 1;",
            Half = "sub.s32 %r10, %r9, %r8;\nshr.u32 %r11, %r10, 31;\n"
                   "add.s32 %r10, %r10, %r11;\nshr.s32 %r10, %r10, 1;\n"
                   "add.s32 %r10, %r8, %r10;";
  std::vector<std::string> Bodies = {Length};
  for (StringRef Middle : {Sum, Half}) {
    std::string Step = (Middle + Narrow).str();
    Bodies.push_back(rotated(Init, Step, "setp.lt.s32 %p1, %r8, %r9;"));
    Bodies.push_back(topTested(Init, "setp.ge.s32 %p1, %r8, %r9;", Step));
  }
  for (const std::string &Body : Bodies) {
    EXPECT_EQ(Forms(Body).count(), "<= log2(n) + 1") << Body;
    for (int64_t N : {1, 2, 3, 4, 7, 8, 20, 31, 32})
      expectSameCount(Body, N, /*Slack=*/1);
  }
  // Both ends belong to what is searched.
  std::string Inclusive = topTested(
      "mov.u32 %r8, 0;\nadd.s32 %r9, %r3, -1;", "setp.gt.s32 %p1, %r8, %r9;",
      (Sum + "\nsetp.lt.s32 %p2, %r10, %r1;\nadd.s32 %r11, %r10, 1;\n"
             "add.s32 %r12, %r10, -1;\nselp.b32 %r8, %r11, %r8, %p2;\n"
             "selp.b32 %r9, %r9, %r12, %p2;")
          .str());
  EXPECT_EQ(Forms(Inclusive).count(), "<= log2(n) + 1");
  for (int64_t N : {1, 2, 3, 4, 7, 8, 20, 31, 32})
    expectSameCount(Inclusive, N, /*Slack=*/1);
}

TEST(SymbolicFormsTest, NoBinarySearches) {
  // What is left may be more than half: a third is taken, an end stays.
  StringRef Init = "mov.u32 %r8, 0;\nmov.u32 %r9, %r3;";
  for (StringRef Step :
       {"sub.s32 %r10, %r9, %r8;\ndiv.u32 %r10, %r10, 3;\n"
        "add.s32 %r10, %r8, %r10;\nsetp.lt.s32 %p2, %r10, %r1;\n"
        "add.s32 %r11, %r10, 1;\nselp.b32 %r8, %r11, %r8, %p2;\n"
        "selp.b32 %r9, %r9, %r10, %p2;",
        "add.s32 %r10, %r8, %r9;\nshr.s32 %r10, %r10, 1;\n"
        "setp.lt.s32 %p2, %r10, %r1;\nselp.b32 %r8, %r10, %r8, %p2;\n"
        "add.s32 %r11, %r10, 1;\nselp.b32 %r9, %r9, %r11, %p2;",
        "add.s32 %r10, %r8, %r9;\nshr.s32 %r10, %r10, 1;\n"
        "setp.lt.s32 %p2, %r10, %r1;\nselp.b32 %r9, %r9, %r10, %p2;"})
    EXPECT_EQ(Forms(rotated(Init, Step, "setp.lt.s32 %p1, %r8, %r9;")).count(),
              "none")
        << Step.str();
}

TEST(SymbolicFormsTest, NestedLoops) {
  // for (i = 0; i < n; ++i) for (j = i; j < n; ++j)
  Forms F("mov.u32 %r8, 0;\nO: mov.u32 %r9, %r8;\n"
          "I: add.s32 %r9, %r9, 1;\nsetp.lt.s32 %p1, %r9, %r3;\n@%p1 bra I;\n"
          "add.s32 %r8, %r8, 1;\nsetp.lt.s32 %p2, %r8, %r3;\n@%p2 bra O;");
  EXPECT_EQ(F.count(0), "n");
  EXPECT_EQ(F.count(1), "n - iter(O)");
}

TEST(SymbolicFormsTest, LoadedBounds) {
  Forms F("ld.global.v2.u32 {%r4, %r5}, [%rd1];\n" +
          rotated("mov.u32 %r9, %r4;", "add.s32 %r9, %r9, 1;",
                  "setp.lt.s32 %p1, %r9, %r5;"));
  std::string Line = std::to_string(F.K.instruction("ld.global.v2.u32").Line);
  EXPECT_EQ(F.count(),
            "load(line " + Line + ")[1] - load(line " + Line + ")[0]");
}

TEST(SymbolicFormsTest, SeveralExits) {
  // The other exit is of no known form.
  Forms F("mov.u32 %r9, 0;\nL: ld.global.u32 %r5, [%rd1];\n"
          "setp.eq.s32 %p2, %r5, 0;\n@%p2 bra END;\nadd.s32 %r9, %r9, 1;\n"
          "setp.lt.s32 %p1, %r9, %r3;\n@%p1 bra L;\nEND:");
  EXPECT_EQ(F.count(), "<= n");
  // It is not asked in every iteration.
  Forms G("mov.u32 %r9, 0;\nL: setp.gt.u32 %p3, %r1, 3;\n@%p3 bra S;\n"
          "setp.gt.s32 %p2, %r9, 9;\n@%p2 bra END;\nS: add.s32 %r9, %r9, 1;\n"
          "setp.lt.s32 %p1, %r9, %r3;\n@%p1 bra L;\nEND:");
  EXPECT_EQ(G.count(), "<= n");
  // Both are.
  Forms H("mov.u32 %r9, 0;\nL: setp.gt.s32 %p2, %r9, 99;\n@%p2 bra END;\n"
          "add.s32 %r9, %r9, 1;\nsetp.lt.s32 %p1, %r9, %r3;\n@%p1 bra L;\n"
          "END:");
  EXPECT_EQ(H.count(), "min(n, 100)");
  // Half of a condition.
  Forms I("ld.global.u32 %r5, [%rd1];\nsetp.ne.s32 %p3, %r5, 0;\n" +
          rotated("mov.u32 %r9, 0;", "add.s32 %r9, %r9, 1;",
                  "setp.lt.and.s32 %p1, %r9, %r3, %p3;"));
  EXPECT_EQ(I.count(), "<= n");
}

TEST(SymbolicFormsTest, LoopsWithoutFormula) {
  StringRef Zero = "mov.u32 %r9, 0;", One = "add.s32 %r9, %r9, 1;";
  // A list.
  EXPECT_EQ(Forms(rotated("mov.u64 %rd2, %rd1;", "ld.global.u64 %rd2, [%rd2];",
                          "setp.ne.s64 %p1, %rd2, 0;"))
                .count(),
            "none");
  // A bound that changes.
  EXPECT_EQ(Forms(rotated(Zero,
                          "add.s32 %r9, %r9, 1;\n"
                          "ld.global.u32 %r5, [%rd1];",
                          "setp.lt.s32 %p1, %r9, %r5;"))
                .count(),
            "none");
  // Until either fails, away from its bound, neither sum nor shift, an end that
  // the counter does not meet, for ever.
  EXPECT_EQ(Forms(rotated(Zero, One,
                          "setp.lt.s32 %p2, %r9, %r3;\n"
                          "setp.lt.or.s32 %p1, %r9, 64, %p2;"))
                .count(),
            "none");
  EXPECT_EQ(Forms(rotated(Zero, One, "setp.gt.s32 %p1, %r9, %r3;")).count(),
            "none");
  EXPECT_EQ(Forms(rotated(Zero, "add.s32 %r9, %r9, 1;\nand.b32 %r10, %r9, 7;",
                          "setp.lt.s32 %p1, %r10, %r3;"))
                .count(),
            "none");
  EXPECT_EQ(
      Forms(rotated(Zero, "add.s32 %r9, %r9, 2;", "setp.ne.s32 %p1, %r9, 5;"))
          .count(),
      "none");
  EXPECT_EQ(Forms("L: st.global.u32 [%rd1], %r1;\nbra L;").count(), "none");
}

TEST(SymbolicFormsTest, UnrolledLoopsThatPassTheirEnd) {
  // n + 1 - n % 4 is never a multiple of 4: there is no rest that the steps of
  // an unrolled loop leave.
  EXPECT_EQ(
      Forms(rotated("and.b32 %r10, %r3, 3;\nadd.s32 %r11, %r3, 1;\n"
                    "sub.s32 %r10, %r11, %r10;\nmov.u32 %r9, 0;",
                    "add.s32 %r9, %r9, 4;", "setp.ne.s32 %p1, %r9, %r10;"))
          .count(),
      "(n - n%4 + 1)/4");
}

TEST(SymbolicFormsTest, LoopsWithTwoEntriesHaveNoFormula) {
  Forms F("mov.u32 %r9, 0;\nsetp.gt.s32 %p2, %r3, 5;\n@%p2 bra B;\n"
          "A: add.s32 %r9, %r9, 1;\nB: add.s32 %r9, %r9, 1;\n"
          "setp.lt.s32 %p1, %r9, %r3;\n@%p1 bra A;");
  ASSERT_EQ(F.CF->cycles().size(), 1u);
  EXPECT_EQ(F.count(), "none");
}

//===----------------------------------------------------------------------===//
// Strides
//===----------------------------------------------------------------------===//

namespace {
/// Checks that lanes lie as far apart as the formula says, for some parameters.
void expectSameStride(const Forms &F, Dim3 Block) {
  const Instruction &I = F.K.instruction("ld.global.f32");
  const Expression *Address = F.V->of(I, I.Operands[1]);
  const Expression *Stride = strideFormula(*F.V, I, I.Operands[1]);
  if (!Stride)
    return;
  for (uint64_t N : {0, 1, 3, 100}) {
    Assignment A;
    A.Block = Block;
    A.Grid = {1, 1, 1};
    for (const Expression *S : Address->Symbols)
      if (S->isSymbol(Symbol::KindTy::Parameter))
        A.Values[S->Sym->Quantity] = S->Width == 64 ? 4096 : N;
    LaneArray Addresses = evaluate(*Address, A), Is = evaluate(*Stride, A);
    for (unsigned Lane = 1; Lane != std::min<uint64_t>(Block.count(), WarpSize);
         ++Lane)
      EXPECT_EQ(Addresses[Lane] - Addresses[Lane - 1], Is[Lane])
          << Stride->str() << ", lane " << Lane << ", n = " << N;
  }
}

/// Of a load at p + 4 * %r9.
std::string strideOf(StringRef Index, Dim3 Block = {256, 1, 1}) {
  Forms F((Index + "\nmul.wide.s32 %rd2, %r9, 4;\n"
                   "add.s64 %rd3, %rd1, %rd2;\n"
                   "ld.global.f32 %f1, [%rd3+16];")
              .str(),
          Block);
  expectSameStride(F, Block);
  return F.stride();
}
} // namespace

TEST(SymbolicFormsTest, Strides) {
  EXPECT_EQ(strideOf("mov.u32 %r9, %r1;"), "4");
  EXPECT_EQ(strideOf("mul.lo.s32 %r9, %r1, %r3;"), "4*n");
  EXPECT_EQ(strideOf("mad.lo.s32 %r9, %r1, %r3, %r1;"), "4*n + 4");
  EXPECT_EQ(strideOf("mov.u32 %r4, %ctaid.x;\nmad.lo.s32 %r9, %r4, %r3, %r1;"),
            "4");
  EXPECT_EQ(strideOf("mov.u32 %r4, %laneid;\nmul.lo.s32 %r9, %r4, %r3;"),
            "4*n");
  EXPECT_EQ(strideOf("shr.u32 %r4, %r1, 5;\nand.b32 %r5, %r1, 31;\n"
                     "mad.lo.s32 %r9, %r5, %r3, %r4;"),
            "4*n");
  EXPECT_EQ(strideOf("shl.b32 %r9, %r1, %r3;"), "4*2^n");
  EXPECT_EQ(strideOf("shl.b32 %r9, %r1, 3;"), "32");
  EXPECT_EQ(strideOf("sub.s32 %r9, %r3, %r1;"), "-4");
  EXPECT_EQ(strideOf("mov.u32 %r9, %r3;"), "0");
  EXPECT_EQ(strideOf("setp.gt.s32 %p1, %r3, 7;\nadd.s32 %r4, %r1, 9;\n"
                     "selp.b32 %r9, %r4, %r1, %p1;"),
            "4");
  // In bytes, with a row in 64 bits.
  EXPECT_EQ(Forms("cvt.u64.u32 %rd2, %r1;\ncvt.s64.s32 %rd3, %r3;\n"
                  "mad.lo.s64 %rd4, %rd2, %rd3, %rd1;\n"
                  "ld.global.f32 %f1, [%rd4];")
                .stride(),
            "n");
}

TEST(SymbolicFormsTest, StridesInLoops) {
  EXPECT_EQ(Forms("mov.u32 %r9, %r1;\nL: mad.lo.s32 %r10, %r9, %r3, 7;\n"
                  "mul.wide.s32 %rd2, %r10, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
                  "ld.global.f32 %f1, [%rd3];\nadd.s32 %r9, %r9, 32;\n"
                  "setp.lt.s32 %p1, %r9, %r3;\n@%p1 bra L;")
                .stride(),
            "4*n");
}

TEST(SymbolicFormsTest, LanesWithoutOneStride) {
  EXPECT_EQ(strideOf("xor.b32 %r9, %r1, %r3;"), "none");
  EXPECT_EQ(strideOf("mul.lo.s32 %r9, %r1, %r1;"), "none");
  EXPECT_EQ(strideOf("mad.wide.u32 %rd5, %r1, 4, %rd1;\n"
                     "ld.global.u32 %r9, [%rd5];"),
            "none");
}

TEST(SymbolicFormsTest, StridesOfRows) {
  StringRef Index = "mad.lo.s32 %r9, %r1, %r3, %r2;";
  EXPECT_EQ(strideOf(Index, {32, 8, 1}), "4*n");
  EXPECT_EQ(strideOf(Index, {16, 16, 1}), "none"); // a warp has two rows
  EXPECT_EQ(strideOf(Index, {16, 1, 1}), "4*n");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// Of what %r9 has.
std::string textOf(StringRef Body, Dim3 Block = {32, 1, 1},
                   size_t Columns = 64) {
  Forms F((Body + "\nmov.b32 %r31, %r9;").str(), Block);
  const Instruction &I = F.K.instruction("mov.b32");
  return formulaText(*F.V->of(I, I.Operands[1]), Columns);
}
} // namespace

TEST(SymbolicFormsTest, TextsAreArithmetic) {
  EXPECT_EQ(textOf("sub.s32 %r9, 100, %r3;"), "100 - n");
  EXPECT_EQ(textOf("sub.s32 %r9, %r3, 1;"), "n - 1");
  EXPECT_EQ(textOf("sub.s32 %r9, %r3, %r1;"), "n - tid.x");
  EXPECT_EQ(textOf("neg.s32 %r9, %r3;"), "-n");
  EXPECT_EQ(textOf("and.b32 %r9, %r3, 15;"), "n%16");
  EXPECT_EQ(textOf("and.b32 %r9, %r3, -16;"), "n/16*16");
  EXPECT_EQ(textOf("and.b32 %r9, %r3, 5;"), "n & 5");
  EXPECT_EQ(textOf("shr.u32 %r4, %r3, 4;\nand.b32 %r9, %r4, 268435440;"),
            "n/16/16*16");
  EXPECT_EQ(textOf("cvt.u32.u64 %r4, %rd1;\nadd.s32 %r9, %r4, 8;"), "p + 8");
  EXPECT_EQ(textOf("shr.u64 %rd2, %rd1, 7;\nand.b64 %rd3, %rd2, 33554431;\n"
                   "cvt.u32.u64 %r9, %rd3;"),
            "p/128");
  EXPECT_EQ(textOf("add.s32 %r4, %r3, 255;\nshr.u32 %r9, %r4, 8;"),
            "(n + 255)/256");
  EXPECT_EQ(textOf("div.s32 %r4, %r3, 3;\nmul.lo.s32 %r9, %r4, 5;"), "5*(n/3)");
  EXPECT_EQ(textOf("rem.u32 %r9, %r3, 3;"), "n%3");
  EXPECT_EQ(textOf("mul.lo.s32 %r9, %r3, %r3;"), "n*n");
  EXPECT_EQ(textOf("add.s32 %r4, %r3, 1;\nmul.lo.s32 %r4, %r4, %r3;\n"
                   "shr.u32 %r9, %r4, 1;"),
            "(n + n*n)/2");
  EXPECT_EQ(textOf("div.u32 %r4, 1000, %r3;\ndiv.u32 %r9, %r3, %r4;"),
            "n/(1000/n)");
  EXPECT_EQ(textOf("shl.b32 %r9, 1, %r3;"), "2^n");
  EXPECT_EQ(textOf("shl.b32 %r4, %r1, %r3;\nmul.lo.s32 %r9, %r4, 3;"),
            "3*(tid.x*2^n)");
  EXPECT_EQ(textOf("max.s32 %r9, %r3, 1;"), "max(n, 1)");
  EXPECT_EQ(textOf("setp.lt.s32 %p1, %r3, 5;\nselp.b32 %r9, %r1, 7, %p1;"),
            "n < 5 ? tid.x : 7");
  EXPECT_EQ(textOf("setp.ge.s32 %p1, %r3, 5;\nsetp.ne.or.s32 %p1, %r1, %r3, "
                   "%p1;\nselp.b32 %r9, %r1, 7, %p1;"),
            "n >= 5 || tid.x != n ? tid.x : 7");
  EXPECT_EQ(textOf("clz.b32 %r9, %r3;"), "clz(n)");
  EXPECT_EQ(textOf("popc.b32 %r9, %r3;"), "popc(n)");
}

TEST(SymbolicFormsTest, TextsOfRoundedDivisions) {
  // Towards zero, as compilers write it.
  EXPECT_EQ(textOf("shr.s32 %r4, %r3, 31;\nshr.u32 %r4, %r4, 28;\n"
                   "add.s32 %r4, %r3, %r4;\nshr.s32 %r9, %r4, 4;"),
            "n/16");
  EXPECT_EQ(textOf("add.s32 %r5, %r3, 255;\nshr.s32 %r4, %r5, 31;\n"
                   "shr.u32 %r4, %r4, 24;\nadd.s32 %r4, %r5, %r4;\n"
                   "shr.s32 %r9, %r4, 8;"),
            "(n + 255)/256");
  EXPECT_EQ(textOf("shr.u32 %r4, %r3, 31;\nadd.s32 %r4, %r3, %r4;\n"
                   "shr.s32 %r9, %r4, 1;"),
            "n/2");
  // Up.
  EXPECT_EQ(textOf("sub.s32 %r4, %r3, 1;\nshr.u32 %r4, %r4, 5;\n"
                   "add.s32 %r9, %r4, 1;"),
            "(n + 31)/32");
  EXPECT_EQ(textOf("add.s32 %r4, %r3, %r1;\nadd.s32 %r4, %r4, -1;\n"
                   "div.u32 %r9, %r4, %r3;"),
            "ceil(tid.x/n)");
  EXPECT_EQ(textOf("add.s32 %r4, %r3, %r1;\nsub.s32 %r4, %r4, %r2;\n"
                   "add.s32 %r4, %r4, -1;\ndiv.u32 %r9, %r4, %r3;",
                   {8, 8, 1}),
            "ceil((tid.x - tid.y)/n)");
}

TEST(SymbolicFormsTest, TextsOfPlacesInTheCode) {
  EXPECT_EQ(textOf("ld.global.u32 %r9, [%rd1];"), "load(line 14)");
  EXPECT_EQ(textOf("atom.global.add.u32 %r9, [%rd1], 1;"), "atom(line 14)");
  EXPECT_EQ(textOf("mov.u32 %r9, %smid;"), "%smid");
}

TEST(SymbolicFormsTest, WhatNobodyCouldReadHasNoText) {
  EXPECT_EQ(textOf("brev.b32 %r9, %r3;"), "");
  EXPECT_EQ(textOf("cvt.rzi.s32.f32 %r9, %f1;"), ""); // of a float
  StringRef Long = "div.u32 %r4, 1000, %r3;\ndiv.u32 %r9, %r3, %r4;";
  EXPECT_EQ(textOf(Long, {32, 1, 1}, 10), "n/(1000/n)");
  EXPECT_EQ(textOf(Long, {32, 1, 1}, 9), "");
}
