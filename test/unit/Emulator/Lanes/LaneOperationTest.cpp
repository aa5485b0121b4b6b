//===- LaneOperationTest.cpp - Tests for arithmetic on lanes --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Emulator/Lanes/LaneOperation.h"
#include "Emulator/Lanes/LaneLoops.h"
#include "Emulator/Lanes/VideoOperations.h"
#include "InstructionCases.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

/// An operand in memory, as an operation sees it.
struct Register {
  ScalarType Type = ScalarType::B32;
  alignas(32) unsigned char Bytes[WarpSize * 8] = {};

  unsigned size() const { return elementBytes(bitWidth(Type)); }
  void set(unsigned Lane, uint64_t Value) {
    if (Type != ScalarType::Pred)
      std::memcpy(Bytes + size_t(Lane) * size(), &Value, size());
    else if (Value)
      Bytes[Lane / 8] |= 1 << Lane % 8;
  }
  uint64_t get(unsigned Lane) const {
    if (Type == ScalarType::Pred)
      return Bytes[Lane / 8] >> Lane % 8 & 1;
    uint64_t Value = 0;
    std::memcpy(&Value, Bytes + size_t(Lane) * size(), size());
    return Value;
  }
};

} // namespace

/// Runs \p C on the values of \p Random and compares every lane.
static void check(const InstructionCase &C, unsigned Rounds, bool Wide) {
  ptx::DecodedOpcode D = ptx::decode(C.Mnemonic);
  ASSERT_NE(D.Op, ptx::Opcode::Unknown) << C.Mnemonic;
  wideLanes() = Wide;
  // A video instruction has a further source, before the others.
  std::optional<uint64_t> Control;
  alignas(32) uint64_t Controls[WarpSize];
  if (!C.Selectors.empty()) {
    SmallVector<VideoOperand, 4> Written;
    for (StringRef Text : C.Selectors) {
      bool IsNegated = Text.consume_front("-");
      Written.push_back({Text, IsNegated});
    }
    Control = videoControl(D.Op, D.Modifiers, Written);
    ASSERT_TRUE(Control) << C.Mnemonic << " is not covered";
    llvm::fill(Controls, *Control);
  }
  unsigned First = Control ? 1 : 0;
  LaneFunction F =
      findLaneOperation(D.Op, D.Modifiers, unsigned(C.Sources.size()) + First);
  ASSERT_TRUE(F) << C.Mnemonic << " is not covered";
  std::mt19937_64 Random(C.Mnemonic.size());
  for (unsigned Round = 0; Round != Rounds; ++Round) {
    LaneInput Inputs[WarpSize];
    Register Sources[6], Dests[2];
    LaneArguments A;
    uint32_t Carry = uint32_t(Random()), Before = Carry;
    A.Carry = &Carry;
    if (Control)
      A.Source[0] = Controls;
    A.Active = Round % 2 ? ~0u : uint32_t(Random());
    for (unsigned I = 0; I != C.Sources.size(); ++I) {
      Sources[I].Type = C.Sources[I];
      A.Source[First + I] = Sources[I].Bytes;
      for (unsigned L = 0; L != WarpSize; ++L) {
        uint64_t Value = int(I) == C.immediateIndex()
                             ? *C.Immediate
                             : testValue(C.Sources[I], Random);
        // Equal operands are a case of their own.
        if (I && C.Sources[I] == C.Sources[0] && Random() % 8 == 0 &&
            int(I) != C.immediateIndex())
          Value = Inputs[L].Source[0];
        Inputs[L].Source[I] = Value;
        Inputs[L].Carry = Before >> L & 1;
        Sources[I].set(L, Value);
      }
    }
    for (unsigned I = 0; I != C.Dests.size(); ++I) {
      Dests[I].Type = C.Dests[I];
      A.Dest[I] = Dests[I].Bytes;
    }
    F(A);
    for (unsigned L = 0; L != WarpSize; ++L) {
      std::string Operands = " " + llvm::join(C.Selectors, ",");
      for (unsigned I = 0; I != C.Sources.size(); ++I)
        Operands += " " + llvm::utohexstr(Inputs[L].Source[I]);
      LaneOutput Expected = C.Reference(Inputs[L]);
      for (unsigned I = 0; I != C.Dests.size(); ++I)
        ASSERT_EQ(llvm::utohexstr(Dests[I].get(L)),
                  llvm::utohexstr(Expected.Dest[I]))
            << C.Mnemonic << " of" << Operands << (Wide ? ", wide" : "");
      bool Counts = C.writesCarry() && (A.Active >> L & 1);
      ASSERT_EQ(Carry >> L & 1, Counts ? Expected.Carry : Before >> L & 1)
          << C.Mnemonic << " of" << Operands << ", the carry";
    }
  }
}

static void checkAll(const std::vector<InstructionCase> &Cases) {
  bool Wide = wideLanes();
  for (const InstructionCase &C : Cases) {
    check(C, PTXPREDICT_IS_SANITIZED ? 2 : 6, Wide);
    if (Wide)
      check(C, PTXPREDICT_IS_SANITIZED ? 1 : 2, false);
    if (testing::Test::HasFailure())
      break;
  }
  wideLanes() = Wide;
}

TEST(LaneOperation, Integers) { checkAll(integerCases()); }
TEST(LaneOperation, Logic) { checkAll(logicCases()); }
TEST(LaneOperation, Comparisons) { checkAll(compareCases()); }
TEST(LaneOperation, Floats) { checkAll(floatCases()); }
TEST(LaneOperation, Conversions) { checkAll(conversionCases()); }
TEST(LaneOperation, Halves) { checkAll(halfCases()); }

TEST(LaneOperation, Video) { checkAll(videoCases()); }

TEST(LaneOperation, CasesDiffer) {
  llvm::StringSet<> Seen;
  for (const InstructionCase &C : instructionCases()) {
    std::string Key = C.Mnemonic + "/" + std::to_string(C.Sources.size()) +
                      "/" + std::to_string(C.Dests.size()) + "/" +
                      std::to_string(C.Immediate.value_or(0)) + "/" +
                      llvm::join(C.Selectors, ",");
    EXPECT_TRUE(Seen.insert(Key).second) << Key << " stands twice";
  }
  EXPECT_GE(Seen.size(), 1000u);
}

TEST(LaneOperation, KnowsNoUnknownModifier) {
  for (StringRef Mnemonic :
       {"add.foo.s32", "mul.s32", "add.sat.f64", "div.approx.f32", "abs.u32",
        "min.xorsign.f32", "setp.lo.s32", "setp.lt.b32", "shf.l.b32",
        "lop3.xor.b32", "mov.v2.b32", "fma.rn.f16", "cvt.f32.s32",
        "sqrt.approx.f32", "mad.wide.u64", "and.f32"}) {
    ptx::DecodedOpcode D = ptx::decode(Mnemonic);
    for (auto *Find : {findIntegerOperation, findLogicOperation,
                       findCompareOperation, findFloatOperation})
      EXPECT_FALSE(Find(D.Op, D.Modifiers, 3)) << Mnemonic.str();
  }
}

TEST(LaneOperation, KnowsNoUnknownSelector) {
  auto Control = [](StringRef Mnemonic, ArrayRef<VideoOperand> Operands) {
    ptx::DecodedOpcode D = ptx::decode(Mnemonic);
    return videoControl(D.Op, D.Modifiers, Operands);
  };
  VideoOperand None;
  EXPECT_TRUE(Control("vadd.s32.s32.s32", {None, None, None}));
  EXPECT_FALSE(Control("vadd.s32.s32.s32", {None, {"b4"}, None}));
  EXPECT_FALSE(Control("vadd.s32.s32", {None, None, None}));
  EXPECT_FALSE(Control("vadd.s32.s32.s32.foo", {None, None, None}));
  EXPECT_FALSE(Control("vshl.u32.u32.u32", {None, None, None}));
  EXPECT_TRUE(Control("vadd2.s32.s32.s32", {{"h1"}, {"h32"}, None, None}));
  EXPECT_FALSE(Control("vadd2.s32.s32.s32", {{"h2"}, None, None, None}));
  EXPECT_FALSE(Control("vadd2.s32.s32.s32", {None, {"h3"}, None, None}));
  EXPECT_FALSE(Control("vadd4.s32.s32.s32", {None, {"b8210"}, None, None}));
  EXPECT_FALSE(Control("add.s32", {None, None, None}));
}
