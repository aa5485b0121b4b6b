//===- TestGraphs.h - Small graphs for the tests of lib/Graph ---*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_GRAPH_TESTGRAPHS_H
#define PTXPREDICT_TEST_UNIT_GRAPH_TESTGRAPHS_H

#include "ptxpredict/Graph/GraphBuilder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

namespace ptxpredict {

/// Builds graphs from a few words an instruction:
/// \code
///   TestGraph T;
///   T.label("loop").op("add", "w:x r:x").branch("loop", "p");
/// \endcode
/// An operand is a role (w, r, m for read and written, a for an address) and a
/// register, which is declared by its first mention. "!p" is a negated guard.
class TestGraph {
public:
  std::unique_ptr<InstructionGraph> G = std::make_unique<InstructionGraph>();
  GraphBuilder B{*G};
  unsigned Line = 0;

  TestGraph &label(StringRef Name) {
    B.startBlock(B.block(Name), ++Line);
    return *this;
  }
  TestGraph &op(StringRef Mnemonic, StringRef Operands, StringRef Guard = "",
                ArrayRef<MemoryEffect> Effects = {}) {
    InstructionInfo I = info(Mnemonic, Guard);
    SmallVector<Operand, 4> Ops = operands(Operands);
    I.Operands = Ops;
    I.Effects = Effects;
    B.append(I);
    return *this;
  }
  TestGraph &branch(StringRef Target, StringRef Guard = "") {
    InstructionInfo I = info("bra", Guard);
    Operand O;
    O.Kind = Operand::KindTy::Target;
    O.Role = OperandRole::Label;
    O.Dest = B.block(Target);
    I.Operands = O;
    I.IsBranch = true;
    B.append(I);
    return *this;
  }
  TestGraph &exit(StringRef Guard = "") {
    InstructionInfo I = info("exit", Guard);
    I.IsExit = true;
    B.append(I);
    return *this;
  }
  TestGraph &barrier() {
    InstructionInfo I = info("bar", "");
    I.IsBlockBarrier = true;
    B.append(I);
    return *this;
  }
  std::unique_ptr<InstructionGraph> finish() {
    G->Name = "k";
    B.finish();
    return std::move(G);
  }

  unsigned reg(StringRef Name) {
    auto [It, New] = Registers.try_emplace(Name, 0u);
    if (New)
      It->second = B.addRegister(It->first(), ScalarType::B32);
    return It->second;
  }

private:
  InstructionInfo info(StringRef Mnemonic, StringRef Guard) {
    InstructionInfo I;
    I.Mnemonic = Mnemonic;
    I.Line = ++Line;
    I.GuardNegated = Guard.consume_front("!");
    if (!Guard.empty())
      I.Guard = reg(Guard);
    return I;
  }
  SmallVector<Operand, 4> operands(StringRef Text) {
    SmallVector<StringRef, 4> Words;
    Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
    SmallVector<Operand, 4> Result;
    for (StringRef Word : Words) {
      auto [Role, Name] = Word.split(':');
      Operand O;
      O.Kind = Operand::KindTy::Register;
      O.Role = Role == "w"   ? OperandRole::Write
               : Role == "m" ? OperandRole::ReadWrite
                             : OperandRole::Read;
      O.RegisterIndex = reg(Name);
      if (Role == "a") {
        Operand Base = O;
        O = Operand();
        O.Kind = Operand::KindTy::Address;
        O.Role = OperandRole::Address;
        O.Bits = 0;
        O.Elements = B.keep(Base);
      }
      Result.push_back(O);
    }
    return Result;
  }

  llvm::StringMap<unsigned> Registers;
};

inline std::string text(const InstructionGraph &G) {
  std::string S;
  llvm::raw_string_ostream OS(S);
  G.print(OS);
  return S;
}

} // namespace ptxpredict

#endif // PTXPREDICT_TEST_UNIT_GRAPH_TESTGRAPHS_H
