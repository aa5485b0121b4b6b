//===- CodecTest.cpp - Tests of decoded and encoded instructions ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Frontend/SASS/OperationTable.h"
#include "ptxpredict/Frontend/SASS/OperationFacts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

struct Case {
  unsigned Architecture;
  uint64_t Low, High, Address;
  StringRef Text, Registers;
};
constexpr Case Cases[] = {
#define SASS_CASE(ARCHITECTURE, LOW, HIGH, ADDRESS, TEXT, REGISTERS)           \
  {ARCHITECTURE, LOW, HIGH, ADDRESS, TEXT, REGISTERS},
#include "SASSCases.def"
#undef SASS_CASE
};

std::string textOf(const Case &C) {
  const Encoding E = {C.Low, C.High};
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(decode(E, C.Architecture, C.Address), E, OS);
  return Text;
}

TEST(SASSCodec, PrintsWhatIsRecorded) {
  for (const Case &C : Cases)
    EXPECT_EQ(textOf(C), C.Text.str()) << "sm_" << C.Architecture;
}

/// "R4x2 P0 > R6"
std::string registersText(const Case &C) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  StringRef Separator;
  bool Writes = false;
  for (const RegisterUse &U :
       registersOf(decode({C.Low, C.High}, C.Architecture, C.Address),
                   C.Architecture)) {
    OS << Separator;
    if (U.IsWritten && !Writes)
      OS << "> ";
    Writes |= U.IsWritten;
    printRegister(U.File, U.First, OS);
    if (U.Number > 1)
      OS << 'x' << unsigned(U.Number);
    Separator = " ";
  }
  return Text;
}

TEST(SASSFacts, RegistersAreRecorded) {
  for (const Case &C : Cases)
    EXPECT_EQ(registersText(C), C.Registers.str())
        << C.Text.str() << " on sm_" << C.Architecture;
}

TEST(SASSFacts, RowsHaveThem) {
  for (const OperationRow &Row : operationRows())
    for (unsigned Architecture : {Row.First, Row.Last})
      EXPECT_TRUE(factRowOf(Row, Architecture))
          << Row.Mnemonic.str() << " on sm_" << Architecture;
}

TEST(SASSFacts, ClassOfWhatAMultiplicationDoes) {
  const auto Of = [](StringRef Begin) {
    for (const Case &C : Cases)
      if (C.Text.starts_with(Begin))
        return factsOf(decode({C.Low, C.High}, C.Architecture, C.Address),
                       C.Architecture);
    return std::optional<OperationFacts>();
  };
  ASSERT_TRUE(Of("IMAD.MOV"));
  EXPECT_EQ(Of("IMAD.MOV")->Class, SchedClass::Move);
  EXPECT_EQ(Of("IMAD.MOV")->RunsOn, Pipe::FMA);
  ASSERT_TRUE(Of("IMAD.WIDE"));
  EXPECT_EQ(Of("IMAD.WIDE")->Class, SchedClass::IntMultiply);
  ASSERT_TRUE(Of("DFMA"));
  EXPECT_EQ(Of("DFMA")->Class, SchedClass::FP64FMA);
  ASSERT_TRUE(Of("LDG.E"));
  EXPECT_EQ(Of("LDG.E")->Results, Timing::Variable);
  EXPECT_EQ(toString(Of("LDG.E")->RunsOn), "lsu");
  EXPECT_FALSE(factsOf({}, 90));
  EXPECT_TRUE(registersOf(MachineInstruction(), 90).empty());
}

/// Three operations have forms that no kernel here made ptxas write.
TEST(SASSCodec, RowsHaveRecords) {
  llvm::DenseSet<const OperationRow *> Seen;
  for (const Case &C : Cases)
    Seen.insert(findOperation({C.Low, C.High}, C.Architecture));
  for (const OperationRow &Row : operationRows())
    EXPECT_TRUE(Seen.contains(&Row) ||
                llvm::is_contained({0x11d, 0x0be, 0x09a}, Row.Operation))
        << Row.Mnemonic.str() << " 0x" << std::hex << Row.Operation;
}

/// The bits around an operation do not change what it is.
TEST(SASSCodec, ControlCodesAreTheirOwn) {
  for (const Case &C : Cases) {
    Encoding E = {C.Low, C.High};
    constexpr uint64_t Control = ((uint64_t(1) << 17) - 1) << 41;
    const MachineInstruction Before = decode(E, C.Architecture, C.Address);
    E.High ^= Control;
    const MachineInstruction After = decode(E, C.Architecture, C.Address);
    EXPECT_EQ(Before.Operation, After.Operation);
    EXPECT_EQ(Before.Modifiers, After.Modifiers);
    EXPECT_EQ(Before.Operands.size(), After.Operands.size());
    EXPECT_NE(Before.Control.Stall, After.Control.Stall);
    EXPECT_NE(Before.Control.WaitMask, After.Control.WaitMask);
  }
}

/// The same bits, from the fields alone.
TEST(SASSCodec, EncodesWhatItDecodes) {
  for (const Case &C : Cases) {
    const Encoding E = {C.Low, C.High};
    const std::optional<Encoding> Again =
        encode(decode(E, C.Architecture, C.Address), C.Architecture, C.Address);
    ASSERT_TRUE(Again) << C.Text.str();
    EXPECT_EQ(Again->Low, C.Low) << C.Text.str();
    EXPECT_EQ(Again->High, C.High) << C.Text.str();
  }
}

/// A changed field changes its bits, and nothing else.
TEST(SASSCodec, EncodesChangedFields) {
  const Encoding E = {0x0000000402047981, 0x001ea2000c1e1900};
  MachineInstruction I = decode(E, 90, 0);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  print(I, E, OS);
  EXPECT_EQ(Text, "LDG.E R4, desc[UR4][R2.64]");
  I.Operands[0].Number = 9;
  I.Operands[1].Value = -16;
  I.Control.WaitMask = 0;
  const std::optional<Encoding> Changed = encode(I, 90, 0);
  ASSERT_TRUE(Changed);
  Text.clear();
  print(decode(*Changed, 90, 0), *Changed, OS);
  EXPECT_EQ(Text, "LDG.E R9, desc[UR4][R2.64+-0x10]");
  EXPECT_EQ(Changed->bits(116, 6), 0U);
  EXPECT_EQ(Changed->bits(64, 41), E.bits(64, 41));
}

TEST(SASSCodec, EncodesNothingWithoutItsFields) {
  MachineInstruction I =
      decode({0x0000000402047981, 0x001ea2000c1e1900}, 90, 0);
  I.Operands.pop_back();
  EXPECT_FALSE(encode(I, 90, 0));
  EXPECT_FALSE(encode(MachineInstruction(), 90, 0));
}

TEST(SASSCodec, ControlCode) {
  // A load that sets scoreboard 2 and waits for 0.
  const ControlCode C = controlOf({0x0000000402047981, 0x001ea2000c1e1900});
  EXPECT_EQ(C.Stall, 1U);
  EXPECT_FALSE(C.Yields);
  EXPECT_EQ(C.WriteBarrier, std::optional<unsigned>(2));
  EXPECT_FALSE(C.ReadBarrier);
  EXPECT_EQ(C.WaitMask, 1U);
  EXPECT_EQ(C.ReuseMask, 0U);
}

TEST(SASSCodec, ShowsUnknownInstructionsAsBytes) {
  EXPECT_EQ(textOf({90, 0x1ff, 0x2, 0, {}, {}}),
            ".inst 0x00000000000001ff, 0x0000000000000002");
}

/// Whatever the bits say.
TEST(SASSCodec, TakesAnyBits) {
  uint64_t State = 1;
  auto Next = [&State] { // an LCG of Knuth's
    State = State * 6364136223846793005U + 1442695040888963407U;
    return State;
  };
  constexpr unsigned Architectures[] = {70, 75, 80, 86, 89, 90, 100, 103, 120};
  for (unsigned N = 0; N != 200000; ++N) {
    Case C;
    C.Architecture = Architectures[N % std::size(Architectures)];
    C.Low = Next();
    C.High = Next();
    C.Address = uint64_t(N) * InstructionBytes;
    const std::string Text = textOf(C);
    EXPECT_FALSE(Text.empty());
    // Encoded again it prints alike, whatever other bits there were.
    if (const std::optional<Encoding> Again =
            encode(decode({C.Low, C.High}, C.Architecture, C.Address),
                   C.Architecture, C.Address)) {
      C.Low = Again->Low;
      C.High = Again->High;
      EXPECT_EQ(textOf(C), Text);
    }
  }
}

} // namespace
