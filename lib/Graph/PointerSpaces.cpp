//===- PointerSpaces.cpp - Where generic pointers point to ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Graph/PointerSpaces.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/bit.h"

using namespace ptxpredict;
using ptx::Opcode;

static constexpr uint8_t Anywhere = 1 << 7;

static uint8_t bitOf(AddressSpace S) {
  switch (S) {
  case AddressSpace::Global:
    return 1 << 0;
  case AddressSpace::Shared:
    return 1 << 1;
  case AddressSpace::Local:
    return 1 << 2;
  case AddressSpace::Const:
    return 1 << 3;
  default:
    return Anywhere;
  }
}

static bool isPointerWide(const Value &V) { return bitWidth(V.Type) == 64; }

namespace {
enum class Rule : uint8_t {
  Source, ///< what it points to does not follow from its operands
  Join,   ///< any of its operands
  Sum,    ///< a pointer and an index
  Number  ///< no pointer
};
} // namespace

static Rule ruleOf(const Instruction &I) {
  if (I.isPseudo())
    return Rule::Join;
  switch (Opcode(I.Opcode)) {
  case Opcode::Mov:
  case Opcode::Selp:
  case Opcode::Shfl:
  case Opcode::Xor: // pointers that are swapped
  case Opcode::Min:
  case Opcode::Max:
    return Rule::Join;
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mad:
  case Opcode::And:
  case Opcode::Or:
    return Rule::Sum;
  case Opcode::Cvta:
    return Rule::Source;
  default:
    return I.Class == OpClass::Load || I.Class == OpClass::Atomic || I.IsCall ||
                   I.IsUnknown
               ? Rule::Source
               : Rule::Number;
  }
}

/// Finds the bits of all values: first those of spaces, which only grow, then
/// what may point anywhere although a part of it is known.
struct PointerSpaces::Builder {
  Builder(const InstructionGraph &G, std::vector<uint8_t> &Spaces)
      : G(G), Spaces(Spaces) {}

  void run();

private:
  bool isLocal(const Instruction &I, const MemoryEffect &E) const;
  uint8_t bitsOf(const Instruction &I) const;
  uint8_t sourceBits(const Instruction &I) const;
  uint8_t operandBits(const Instruction &I) const;
  void update(const Instruction &I);
  void settle();

  const InstructionGraph &G;
  std::vector<uint8_t> &Spaces;
  uint8_t Stored = 0; ///< what pointers in local memory may point to
  uint8_t Mask = uint8_t(~Anywhere);
  std::vector<const Instruction *> Loads;
  /// Those that read something that has grown. A set grows at most once for
  /// each of its bits.
  SmallVector<const Instruction *, 32> Work;
};

static uint8_t addressBits(const Operand &Address,
                           const std::vector<uint8_t> &Spaces) {
  uint8_t Bits = 0;
  for (const Operand &O : Address.Elements)
    if (O.Kind == Operand::KindTy::Register)
      Bits |= Spaces[O.Val->Id];
    else if (O.Kind == Operand::KindTy::Variable)
      Bits |= bitOf(O.Var->Space);
  return Bits;
}

bool PointerSpaces::Builder::isLocal(const Instruction &I,
                                     const MemoryEffect &E) const {
  return E.Space == AddressSpace::Local ||
         (E.Space == AddressSpace::Generic &&
          addressBits(I.Operands[E.AddressOperand], Spaces) ==
              bitOf(AddressSpace::Local));
}

/// Of something whose operands do not say where it points to.
uint8_t PointerSpaces::Builder::sourceBits(const Instruction &I) const {
  if (Opcode(I.Opcode) == Opcode::Cvta) {
    for (AddressSpace S : {AddressSpace::Shared, AddressSpace::Global,
                           AddressSpace::Local, AddressSpace::Const})
      if (ptx::hasModifier(I.Modifiers, toString(S)) ||
          ptx::hasModifier(I.Modifiers, ("to." + toString(S)).str()))
        return bitOf(S);
    return Anywhere;
  }
  if (I.Effects.empty() || I.Class != OpClass::Load)
    return Anywhere;
  const MemoryEffect &E = I.Effects.front();
  if (E.Space == AddressSpace::Param)
    return G.IsKernel ? bitOf(AddressSpace::Global) : Anywhere;
  return isLocal(I, E) ? Stored : Anywhere;
}

uint8_t PointerSpaces::Builder::operandBits(const Instruction &I) const {
  const Rule By = ruleOf(I);
  uint8_t Known = 0, Open = 0;
  auto Add = [&](uint8_t Bits) {
    Known |= Bits & uint8_t(~Anywhere);
    Open |= Bits & Anywhere;
  };
  for (const Value *V : I.Uses)
    Add(Spaces[V->Id]);
  forEachOperand(I.Operands, [&](const Operand &O) {
    if (O.Kind == Operand::KindTy::Variable)
      Add(bitOf(O.Var->Space));
  });
  // An index that was loaded does not lead out of what the pointer points to.
  return By == Rule::Sum && Known ? Known : Known | Open;
}

uint8_t PointerSpaces::Builder::bitsOf(const Instruction &I) const {
  switch (ruleOf(I)) {
  case Rule::Source:
    return sourceBits(I);
  case Rule::Number:
    return 0;
  default:
    return operandBits(I);
  }
}

void PointerSpaces::Builder::update(const Instruction &I) {
  const uint8_t Bits = bitsOf(I) & Mask;
  // Machine code computes with the halves of a pointer.
  const bool HasHalves =
      G.Assembled && (ruleOf(I) == Rule::Join || ruleOf(I) == Rule::Sum);
  for (const Value *V : I.Defs)
    if ((isPointerWide(*V) || (HasHalves && bitWidth(V->Type) == 32)) &&
        (Bits & ~Spaces[V->Id])) {
      Spaces[V->Id] |= Bits;
      Work.append(V->Users.begin(), V->Users.end());
    }
  if (I.isPseudo() || I.Class != OpClass::Store || I.Effects.empty() ||
      !isLocal(I, I.Effects.front()))
    return;
  uint8_t New = 0;
  for (const Operand &O : I.Operands)
    if (O.Role != OperandRole::Address)
      forEachOperand(O, [&](const Operand &Part) {
        if (Part.Kind == Operand::KindTy::Register && isPointerWide(*Part.Val))
          New |= Spaces[Part.Val->Id] & Mask;
      });
  if (New & ~Stored) {
    Stored |= New;
    llvm::append_range(Work, Loads);
  }
}

void PointerSpaces::Builder::settle() {
  for (const Block *B : G.Blocks)
    for (const Instruction *I : B->Instructions) {
      update(*I);
      while (!Work.empty())
        update(*Work.pop_back_val());
    }
}

void PointerSpaces::Builder::run() {
  G.forEachInstruction([&](const Instruction &I) {
    if (I.Class == OpClass::Load)
      Loads.push_back(&I);
  });
  settle();
  Mask = uint8_t(~0);
  for (const Value *V : G.Values)
    if (V->IsArgument && isPointerWide(*V))
      Spaces[V->Id] |= Anywhere;
  settle();
}

PointerSpaces::PointerSpaces(const InstructionGraph &G)
    : Spaces(G.Values.size()) {
  Builder(G, Spaces).run();
}

AddressSpace PointerSpaces::of(const Operand &Address) const {
  const uint8_t Bits = addressBits(Address, Spaces);
  for (AddressSpace S : {AddressSpace::Shared, AddressSpace::Global,
                         AddressSpace::Local, AddressSpace::Const})
    if (Bits == bitOf(S))
      return S;
  return AddressSpace::Generic;
}
