//===- TextCode.cpp - The machine code of one text section ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TextCode.h"
#include "Codec.h"
#include "OperationTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include <bitset>

using namespace ptxpredict;
using namespace ptxpredict::sass;

//===----------------------------------------------------------------------===//
// What branches say
//===----------------------------------------------------------------------===//

std::optional<uint64_t> sass::jumpTarget(const MachineInstruction &I) {
  const StringRef Name = I.mnemonic();
  if (Name != "BRA" && Name != "CALL")
    return std::nullopt;
  // A call through a register names the beginning of the section, from where
  // the register counts.
  for (const MachineOperand &O : I.Operands)
    if (O.Kind == OperandKind::Target && (O.Value != 0 || Name == "BRA"))
      return uint64_t(O.Value);
  return std::nullopt;
}

bool sass::endsBlock(const MachineInstruction &I) {
  const StringRef Name = I.mnemonic();
  return Name == "BRA" || Name == "EXIT" || Name == "RET" || Name == "BRX" ||
         Name == "BRXU" || Name == "BPT";
}

const MachineOperand *sass::conditionOf(const MachineInstruction &I) {
  const StringRef Name = I.mnemonic();
  if (Name != "BRA" && Name != "EXIT")
    return nullptr;
  for (const MachineOperand &O : I.Operands)
    if ((O.Kind == OperandKind::Predicate ||
         O.Kind == OperandKind::UniformPredicate) &&
        (O.Number != PredicateTrue || O.Inverted))
      return &O;
  return nullptr;
}

bool sass::isUnconditional(const MachineInstruction &I) {
  return I.Guard == PredicateTrue && !I.GuardIsNegated && !conditionOf(I);
}

bool sass::isNeverTaken(const MachineInstruction &I) {
  return I.mnemonic() == "BRA" && I.has("DIV");
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

/// Whether control may go on elsewhere behind an instruction that begins so.
static bool mayBeControl(uint16_t Bits) {
  constexpr unsigned OperationBits = 9;
  using Set = std::bitset<1 << OperationBits>;
  static const Set Control = [] {
    Set S;
    for (const OperationRow &Row : operationRows())
      for (StringRef Name :
           {"BRA", "CALL", "RET", "BRX", "BRXU", "EXIT", "BPT"})
        if (Row.Mnemonic == Name)
          S.set(Row.Operation);
    return S;
  }();
  return Control.test(Bits & (Control.size() - 1));
}

TextCode::TextCode(const CubinImage &Image, const CubinFunction &F)
    : Image(Image), F(F), Text(Image.section(".text." + F.Name)),
      Bytes(Image.codeOf(F)), Decoded(Bytes.size() / InstructionBytes),
      Control(unsigned(Decoded.size())) {
  for (unsigned N = 0; N != Control.size(); ++N)
    if (mayBeControl(llvm::support::endian::read16le(Bytes.data() +
                                                     N * InstructionBytes)))
      Control.set(N);
}

Encoding TextCode::bitsAt(uint64_t Address) const {
  const char *At = Bytes.data() + Address;
  return {llvm::support::endian::read64le(At),
          llvm::support::endian::read64le(At + 8)};
}

const MachineInstruction &TextCode::at(uint64_t Address) {
  const MachineInstruction *&I = Decoded[Address / InstructionBytes];
  if (!I) {
    auto *New = new (Memory.Allocate()) MachineInstruction;
    decodeInto(*New, bitsAt(Address), architecture(), Address);
    I = New;
  }
  return *I;
}

const CubinJump *TextCode::jumpAt(uint64_t Address) const {
  auto It = llvm::find_if(
      F.Jumps, [&](const CubinJump &J) { return J.Address == Address; });
  return It != F.Jumps.end() && !It->Targets.empty() &&
                 llvm::all_of(It->Targets,
                              [&](uint64_t To) { return isIn(To); })
             ? &*It
             : nullptr;
}

StringRef TextCode::symbolAt(uint64_t Address) const {
  const CubinRelocation *R = Text ? Text->relocationAt(Address) : nullptr;
  return R ? R->Symbol : StringRef();
}

StringRef TextCode::nameOf(uint64_t Entry) const {
  if (Text)
    for (const CubinSymbol &S : Text->Functions)
      if (S.Offset == Entry)
        return S.Name;
  return {};
}

bool TextCode::returns(uint64_t Entry) {
  // Where subroutines call each other, the one that is asked for first may
  // decide: always in the order of the code, that all who ask agree.
  if (!std::exchange(HasReturns, true))
    for (const unsigned N : Control.set_bits()) {
      const MachineInstruction &I = at(uint64_t(N) * InstructionBytes);
      if (I.mnemonic() == "CALL")
        if (const std::optional<uint64_t> To = jumpTarget(I); To && isIn(*To))
          returns(*To);
    }
  auto [It, IsNew] = Returns.try_emplace(Entry, false);
  if (!IsNew)
    return It->second;
  return It->second = llvm::any_of(reachedFrom(Entry), [&](uint64_t Address) {
           return isControl(Address) && at(Address).mnemonic() == "RET";
         });
}

std::optional<uint64_t> TextCode::subroutineAt(uint64_t Address) {
  if (!isControl(Address) || at(Address).mnemonic() != "CALL" ||
      !isIn(Address + InstructionBytes) || !symbolAt(Address).empty())
    return std::nullopt;
  const std::optional<uint64_t> To = jumpTarget(at(Address));
  return To && isIn(*To) && *To != 0 && returns(*To) ? To : std::nullopt;
}

std::vector<uint64_t> TextCode::reachedFrom(uint64_t Entry) {
  llvm::BitVector Seen(unsigned(Decoded.size()));
  std::vector<uint64_t> Work{Entry};
  while (!Work.empty()) {
    uint64_t At = Work.back();
    Work.pop_back();
    for (; isIn(At) && !Seen[unsigned(At / InstructionBytes)];
         At += InstructionBytes) {
      Seen.set(unsigned(At / InstructionBytes));
      if (!isControl(At))
        continue;
      const MachineInstruction &I = at(At);
      if (I.mnemonic() == "BRA" && !isNeverTaken(I))
        if (const std::optional<uint64_t> To = jumpTarget(I))
          Work.push_back(*To);
      if (const CubinJump *J = jumpAt(At))
        llvm::append_range(Work, J->Targets);
      const std::optional<uint64_t> Called =
          I.mnemonic() == "CALL" ? jumpTarget(I) : std::nullopt;
      const bool Jumps = Called && isIn(*Called) && !returns(*Called);
      if (Jumps)
        Work.push_back(*Called);
      if ((endsBlock(I) || Jumps) && isUnconditional(I) && !isNeverTaken(I))
        break;
    }
  }
  std::vector<uint64_t> All;
  All.reserve(Seen.count());
  for (const unsigned N : Seen.set_bits())
    All.push_back(uint64_t(N) * InstructionBytes);
  return All;
}
