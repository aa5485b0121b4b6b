//===- SASS.cpp - Instructions of machine code as inputs of the fuzzer ----===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Targets.h"
#include "ptxpredict/Frontend/SASS/OperationFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// The first byte is the architecture.
bool fuzz::runSASS(StringRef Text) {
  if (Text.size() <= InstructionBytes)
    return false;
  const auto Architecture = unsigned(uint8_t(Text[0]));
  if (Architecture < FirstArchitecture)
    return false;
  bool Any = false;
  std::string Shown;
  llvm::raw_string_ostream OS(Shown);
  for (StringRef Rest = Text.drop_front(); Rest.size() >= InstructionBytes;
       Rest = Rest.drop_front(InstructionBytes)) {
    const Encoding E = {llvm::support::endian::read64le(Rest.data()),
                        llvm::support::endian::read64le(Rest.data() + 8)};
    constexpr uint64_t Moved = 0x10000;
    const MachineInstruction I = decode(E, Architecture, 0);
    const MachineInstruction Later = decode(E, Architecture, Moved);
    Shown.clear();
    print(I, E, OS);
    check(!Shown.empty(), "an instruction without text");
    check(StringRef(Shown).starts_with(".inst") == !I.Operation,
          "an operation that is not known has a name");
    check(I.Operands.size() == Later.Operands.size() &&
              I.Modifiers == Later.Modifiers,
          "an address changes more than targets");
    for (auto [A, B] : llvm::zip(I.Operands, Later.Operands))
      check(B.Value - A.Value ==
                (A.Kind == OperandKind::Target ? int64_t(Moved) : 0),
            "a target does not move with its instruction");
    const auto Uses = registersOf(I, Architecture);
    check(llvm::is_sorted(Uses,
                          [](const RegisterUse &X, const RegisterUse &Y) {
                            return X.IsWritten < Y.IsWritten;
                          }),
          "what is written stands before what is read");
    check(factsOf(I, Architecture).has_value() == (I.Operation != nullptr),
          "nothing is known of an operation that is");
    Any |= I.Operation != nullptr;
    const std::optional<Encoding> Again = encode(I, Architecture, 0);
    check(Again.has_value() == (I.Operation != nullptr),
          "what is known cannot be encoded");
    if (!Again)
      continue;
    // Bits that no field covers are lost, once.
    const std::string First = Shown;
    const MachineInstruction Same = decode(*Again, Architecture, 0);
    Shown.clear();
    print(Same, *Again, OS);
    check(First == Shown, "encoding changes an instruction");
  }
  return Any;
}
