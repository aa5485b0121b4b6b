//===- FloatOperationTest.cpp - Floats that are known ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each instruction on pairs of awkward numbers, written as constants: what
// Values says of the result is what the emulator stores.
//===----------------------------------------------------------------------===//
#include "../Emulator/EmulatedText.h"
#include "PTXKernel.h"
#include "ptxpredict/Analysis/Symbolic/SymbolicValues.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace ptxpredict;
using llvm::formatv;

namespace {

/// Zeros, ones, subnormals, the largest, odd fractions, infinity, NaN.
constexpr uint32_t Singles[] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                1,          0x80000003, 0x7f7fffff, 0x3eaaaaab,
                                0xcf000001, 0x40490fdb, 0x7f800000, 0x7fc00000};
constexpr uint64_t Doubles[] = {0,
                                0x8000000000000000,
                                0x3ff0000000000000,
                                0xbfd5555555555555,
                                1,
                                0x7fefffffffffffff,
                                0xc1e0000000200001,
                                0x7ff0000000000000,
                                0x7ff8000000000000};

/// Runs `INSTRUCTION d, a, b, c` on all pairs of a type's numbers; c is a. The
/// registers are %f1 to %f3, or %fd1 to %fd3, and the result's, \p Result.
/// Returns how many results were known.
template <class T>
unsigned compare(StringRef Instruction, unsigned Arity, StringRef Result,
                 ArrayRef<T> Numbers) {
  bool IsSingle = sizeof(T) == 4;
  std::string Body;
  unsigned Num = 0;
  for (T A : Numbers)
    for (T B : Numbers) {
      for (auto [N, X] : {std::pair(1, A), {2, B}, {3, A}})
        Body += IsSingle ? formatv("mov.f32 %f{0}, 0f{1};\n", N,
                                   llvm::utohexstr(X, false, 8))
                               .str()
                         : formatv("mov.f64 %fd{0}, 0d{1};\n", N,
                                   llvm::utohexstr(X, false, 16))
                               .str();
      Body += (Instruction + " " + Result).str();
      for (unsigned N = 1; N <= Arity; ++N)
        Body += formatv(", %{0}{1}", IsSingle ? "f" : "fd", N).str();
      Body += ";\n";
      if (Result.starts_with("%p"))
        Body += "selp.b64 %rd9, 1, 0, %p1;\n";
      else if (Result.starts_with("%fd"))
        Body += formatv("mov.b64 %rd9, {0};\n", Result).str();
      else if (Result.starts_with("%rd"))
        Body += formatv("mov.u64 %rd9, {0};\n", Result).str();
      else
        Body += formatv("mov.b32 %r9, {0};\ncvt.u64.u32 %rd9, %r9;\n", Result)
                    .str();
      Body += formatv("st.global.u64 [%rd0+{0}], %rd9;\n", 8 * Num++).str();
    }
  emulator::EmulatedText Run(emulator::EmulatedText::kernel(Body + "ret;"));
  if (!Run.Kernel)
    return 0;
  Run.Launch.Block = {1, 1, 1};
  Run.buffer(8 * Num).run();
  std::vector<uint64_t> Stored = Run.template contents<uint64_t>();

  LaunchConfig Launch;
  ControlFlow CF(*Run.Kernel);
  Expressions E(Launch);
  SymbolicValues V(*Run.Kernel, CF, Launch, E);
  unsigned Next = 0, Known = 0;
  for (const Block *B : Run.Kernel->Blocks)
    for (const ptxpredict::Instruction *I : B->Instructions) {
      if (I->Mnemonic != "st.global.u64")
        continue;
      const Expression *X = V.of(*I, I->Operands[1], 64);
      if (X && X->isConstant()) {
        ++Known;
        EXPECT_EQ(X->Addend, Stored[Next])
            << Instruction.str() << " of pair " << Next;
      }
      ++Next;
    }
  EXPECT_EQ(Next, Num);
  return Known;
}

} // namespace

TEST(ValuesFloatsTest, SinglesAreWhatTheEmulatorComputes) {
  for (StringRef I : {"add.rn.f32", "add.f32", "sub.rz.f32", "mul.rm.f32",
                      "mul.ftz.f32", "div.rn.f32", "min.f32", "max.ftz.f32",
                      "add.sat.f32", "add.ftz.rp.f32"})
    EXPECT_GE(compare<uint32_t>(I, 2, "%f4", Singles), 90u) << I.str();
  EXPECT_GE(compare<uint32_t>("fma.rn.f32", 3, "%f4", Singles), 90u);
  for (StringRef I : {"neg.f32", "abs.ftz.f32", "rcp.rn.f32", "sqrt.rm.f32"})
    EXPECT_EQ(compare<uint32_t>(I, 1, "%f4", Singles), 144u) << I.str();
}

TEST(ValuesFloatsTest, ApproximationsAreWhatTheEmulatorComputes) {
  for (StringRef Name : {"lg2", "ex2", "rcp", "sqrt", "rsqrt", "sin", "cos"})
    for (StringRef Type : {".approx.f32", ".approx.ftz.f32"})
      EXPECT_EQ(compare<uint32_t>((Name + Type).str(), 1, "%f4", Singles), 144u)
          << Name.str() << Type.str();
  EXPECT_EQ(compare<uint32_t>("tanh.approx.f32", 1, "%f4", Singles), 144u);
  for (StringRef I : {"div.full.f32", "div.approx.f32", "div.approx.ftz.f32"})
    EXPECT_EQ(compare<uint32_t>(I, 2, "%f4", Singles), 144u) << I.str();
  for (StringRef I : {"rcp.approx.ftz.f64", "rsqrt.approx.f64"})
    EXPECT_EQ(compare<uint64_t>(I, 1, "%fd4", Doubles), 81u) << I.str();
}

TEST(ValuesFloatsTest, DoublesAreWhatTheEmulatorComputes) {
  for (StringRef I : {"add.f64", "sub.rp.f64", "mul.rn.f64", "div.rz.f64",
                      "min.f64", "max.f64"})
    EXPECT_GE(compare<uint64_t>(I, 2, "%fd4", Doubles), 50u) << I.str();
  EXPECT_GE(compare<uint64_t>("fma.rm.f64", 3, "%fd4", Doubles), 50u);
}

TEST(ValuesFloatsTest, ComparisonsAreKnownOfNaNToo) {
  for (StringRef C : {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu",
                      "leu", "gtu", "geu", "num", "nan"}) {
    for (StringRef T : {".f32", ".ftz.f32"})
      EXPECT_EQ(compare<uint32_t>(("setp." + C + T).str(), 2, "%p1", Singles),
                144u);
    EXPECT_EQ(
        compare<uint64_t>(("setp." + C + ".f64").str(), 2, "%p1", Doubles),
        81u);
  }
}

TEST(ValuesFloatsTest, ConversionsAreWhatTheEmulatorComputes) {
  for (StringRef I :
       {"cvt.rzi.s32.f32", "cvt.rni.u32.f32", "cvt.rpi.ftz.s32.f32"})
    EXPECT_EQ(compare<uint32_t>(I, 1, "%r8", Singles), 144u) << I.str();
  // Into registers that are wider, as signs and zeros.
  for (StringRef I : {"cvt.rni.s16.f32", "cvt.rni.u16.f32", "cvt.rzi.s8.f32",
                      "cvt.rzi.u8.f32", "cvt.rn.f16x2.f32"})
    EXPECT_EQ(compare<uint32_t>(I, I.contains("x2") ? 2 : 1, "%r8", Singles),
              144u)
        << I.str();
  EXPECT_EQ(compare<uint32_t>("cvt.rmi.s64.f32", 1, "%rd8", Singles), 144u);
  EXPECT_EQ(compare<uint32_t>("cvt.f64.f32", 1, "%fd4", Singles), 144u);
  EXPECT_EQ(compare<uint32_t>("cvt.rmi.f32.f32", 1, "%f4", Singles), 144u);
  EXPECT_EQ(compare<uint64_t>("cvt.rn.f32.f64", 1, "%f4", Doubles), 81u);
  EXPECT_EQ(compare<uint64_t>("cvt.rzi.u64.f64", 1, "%rd8", Doubles), 81u);
}

TEST(ValuesFloatsTest, AnArgumentsLogarithmBoundsALoop) {
  auto Trips = [](StringRef Logarithm) {
    PTXKernel K("ld.param.u32 %r1, [n];\ncvt.rn.f32.s32 %f1, %r1;\n" +
                    Logarithm.str() +
                    "cvt.rzi.s32.f32 %r2, %f2;\nmov.u32 %r3, 0;\n"
                    "L: add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r2;\n"
                    "@%p1 bra L;",
                {64, 1, 1}, {{1, 16}});
    K.analyze();
    return K.frequency("L");
  };
  Estimate Known = Trips("lg2.approx.f32 %f2, %f1;\n");
  EXPECT_TRUE(Known.isKnown());
  EXPECT_EQ(Known.Value, 4);
  EXPECT_EQ(Trips("sqrt.approx.ftz.f32 %f3, %f1;\nadd.f32 %f2, %f3, "
                  "0f3f800000;\n")
                .Value,
            5);
}

TEST(ValuesFloatsTest, AGivenArgumentDecidesABranch) {
  auto Stores = [](const std::map<unsigned, int64_t> &Args) {
    PTXKernel K("ld.param.f32 %f1, [n];\nsetp.eq.f32 %p1, %f1, 0f3f800000;\n"
                "@%p1 bra L;\nM: st.global.u32 [8], 1;\nL:",
                {64, 1, 1}, Args);
    K.analyze();
    return K.frequency("M");
  };
  EXPECT_FALSE(Stores({}).isKnown());
  EXPECT_TRUE(Stores({{1, 0x3f800000}}).isKnown());
  EXPECT_EQ(Stores({{1, 0x3f800000}}).Value, 0);
  EXPECT_TRUE(Stores({{1, 0x40000000}}).isKnown());
  EXPECT_EQ(Stores({{1, 0x40000000}}).Value, 1);
}

TEST(ValuesFloatsTest, ComparisonsOfBFloat16AreKnown) {
  auto IsOneLess = [](StringRef Than) {
    PTXKernel K("mov.b16 %rs1, 0x3f80;\nmov.b16 %rs2, " + Than.str() +
                ";\nsetp.lt.bf16 %p1, %rs1, %rs2;\n@%p1 bra L;\n"
                "M: st.global.u32 [8], 1;\nL:");
    K.analyze();
    EXPECT_TRUE(K.frequency("M").isKnown());
    return K.frequency("M").Value == 0;
  };
  EXPECT_TRUE(IsOneLess("0x4000"));
  EXPECT_TRUE(IsOneLess("0x3f81"));
  EXPECT_FALSE(IsOneLess("0x3f80"));
  EXPECT_FALSE(IsOneLess("0xc000"));
  EXPECT_FALSE(IsOneLess("0x7fc0")); // no number
}
