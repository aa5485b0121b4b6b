//===- InstructionTextTest.cpp - The table of instructions, as PTX --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each instruction of the table in PTX text: parsed, checked, lowered, decoded
// and executed by a warp, with operands from memory and results back to it.
//===----------------------------------------------------------------------===//
#include "EmulatedText.h"
#include "InstructionCases.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

/// Words of 64 bits that a case has in memory for a lane: sources, the carry
/// before; results, the carry after.
constexpr unsigned MaxSources = 6, WordsIn = 7, WordsOut = 3;

/// Byte offset of a case's word for lane 0, those of other lanes behind.
size_t offset(size_t Case, unsigned Words, unsigned Word) {
  return (Case * Words + Word) * WarpSize * 8;
}

/// The PTX of a case: a scope with registers of its own.
class CaseText {
public:
  CaseText(const InstructionCase &C, size_t Number) : C(C), Number(Number) {}

  std::string text() {
    std::string Operands = dests();
    for (unsigned I = 0; I != C.Sources.size(); ++I)
      Operands += ", " + source(I);
    if (C.readsCarry())
      Body += "ld.global.u32 %cc, [%rd4+" +
              std::to_string(offset(Number, WordsIn, MaxSources)) +
              "];\nadd.cc.u32 %cc, %cc, 0xffffffff;\n";
    Body += C.Mnemonic + " " + Operands + ";\n";
    if (C.writesCarry())
      Body += "addc.u32 %cc, 0, 0;\nst.global.u32 [%rd5+" +
              std::to_string(offset(Number, WordsOut, 2)) + "], %cc;\n";
    for (unsigned I = 0; I != C.Dests.size(); ++I)
      store(I);
    return "{\n.reg .b32 %cc;\n" + Declarations + Body + "}\n";
  }

private:
  static std::string width(ScalarType T) {
    return T == ScalarType::Pred ? ".b32" : ".b" + std::to_string(bitWidth(T));
  }
  /// Registers of 8 bits are no operands of arithmetic.
  void declare(const std::string &Name, ScalarType T) {
    std::string Type = bitWidth(T) == 8 || T == ScalarType::F16x2
                           ? (bitWidth(T) == 8 ? "b16" : "b32")
                           : toString(T).str();
    Declarations += ".reg ." + Type;
    Declarations += " " + Name + ";\n";
  }
  std::string selected(std::string Name, size_t Operand) const {
    if (Operand >= C.Selectors.size())
      return Name;
    StringRef Selector = C.Selectors[Operand];
    if (Selector.consume_front("-"))
      Name = "-" + Name;
    return Selector.empty() ? Name : Name + "." + Selector.str();
  }
  std::string dests() {
    for (unsigned I = 0; I != C.Dests.size(); ++I)
      declare("%d" + std::to_string(I), C.Dests[I]);
    return C.Dests.size() == 2 ? "%d0|%d1" : selected("%d0", 0);
  }
  std::string source(unsigned I) {
    if (int(I) == C.immediateIndex())
      return std::to_string(*C.Immediate);
    std::string Name = "%s" + std::to_string(I);
    declare(Name, C.Sources[I]);
    bool IsPredicate = C.Sources[I] == ScalarType::Pred;
    Body += "ld.global" + width(C.Sources[I]);
    Body += IsPredicate ? " %cc" : " " + Name;
    Body += ", [%rd4+" + std::to_string(offset(Number, WordsIn, I)) + "];\n";
    if (IsPredicate)
      Body += "setp.ne.u32 " + Name + ", %cc, 0;\n";
    return selected(Name, I + 1);
  }
  void store(unsigned I) {
    std::string Name = "%d" + std::to_string(I);
    if (C.Dests[I] == ScalarType::Pred) {
      Body += "selp.b32 %cc, 1, 0, " + Name + ";\n";
      Name = "%cc";
    }
    Body += "st.global" + width(C.Dests[I]) + " [%rd5+" +
            std::to_string(offset(Number, WordsOut, I)) + "], " + Name + ";\n";
  }

  const InstructionCase &C;
  size_t Number;
  std::string Declarations, Body;
};

void checkAsText(const std::vector<InstructionCase> &Cases) {
  std::string Body = "mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd3, %r0, 8;\n"
                     "add.s64 %rd4, %rd0, %rd3;\nadd.s64 %rd5, %rd1, %rd3;\n";
  std::vector<uint64_t> In(offset(Cases.size(), WordsIn, 0) / 8);
  std::mt19937_64 Random(7);
  for (size_t N = 0; N != Cases.size(); ++N) {
    const InstructionCase &C = Cases[N];
    Body += CaseText(C, N).text();
    uint64_t *Words = &In[offset(N, WordsIn, 0) / 8];
    for (unsigned L = 0; L != WarpSize; ++L) {
      for (unsigned I = 0; I != C.Sources.size(); ++I)
        Words[I * WarpSize + L] = int(I) == C.immediateIndex()
                                      ? *C.Immediate
                                      : testValue(C.Sources[I], Random);
      Words[MaxSources * WarpSize + L] = Random() & 1;
    }
  }
  EmulatedText T(EmulatedText::kernel(Body + "ret;", 2));
  ASSERT_TRUE(T.Kernel);
  T.buffer<uint64_t>(In).buffer(offset(Cases.size(), WordsOut, 0)).run();
  std::vector<uint64_t> Out = T.contents<uint64_t>(1);
  for (size_t N = 0; N != Cases.size(); ++N) {
    const InstructionCase &C = Cases[N];
    for (unsigned L = 0; L != WarpSize; ++L) {
      LaneInput Input;
      const uint64_t *Words = &In[offset(N, WordsIn, 0) / 8] + L;
      for (unsigned I = 0; I != C.Sources.size(); ++I)
        Input.Source[I] = Words[I * WarpSize];
      Input.Carry = Words[MaxSources * WarpSize];
      LaneOutput Expected = C.Reference(Input);
      const uint64_t *Got = &Out[offset(N, WordsOut, 0) / 8] + L;
      for (unsigned I = 0; I != C.Dests.size(); ++I)
        ASSERT_EQ(llvm::utohexstr(Got[I * WarpSize]),
                  llvm::utohexstr(
                      Expected.Dest[I] &
                      llvm::maskTrailingOnes<uint64_t>(bitWidth(C.Dests[I]))))
            << C.Mnemonic << " in lane " << L;
      if (C.writesCarry()) {
        ASSERT_EQ(Got[2 * WarpSize], uint64_t(Expected.Carry))
            << C.Mnemonic << " in lane " << L;
      }
    }
  }
}

TEST(InstructionText, Integers) { checkAsText(integerCases()); }
TEST(InstructionText, Logic) { checkAsText(logicCases()); }
TEST(InstructionText, Comparisons) { checkAsText(compareCases()); }
TEST(InstructionText, Floats) { checkAsText(floatCases()); }
TEST(InstructionText, Halves) { checkAsText(halfCases()); }
TEST(InstructionText, Conversions) { checkAsText(conversionCases()); }
TEST(InstructionText, Video) { checkAsText(videoCases()); }

} // namespace
