//===- PhiVariation.cpp - What differs between lanes ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "PhiVariation.h"
#include "ExpressionsImpl.h"
#include "ptxpredict/Analysis/Symbolic/DivergenceSources.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using ptx::Opcode;
using Ref = const Expression *;

/// What a lane gets depends on that lane's operands alone.
static bool isLaneWise(const Instruction &I) {
  if (I.IsUnknown || I.IsCall || I.IsCrossLane || !I.Effects.empty())
    return false;
  switch (I.Class) {
  case OpClass::Int:
  case OpClass::Fp16:
  case OpClass::Fp32:
  case OpClass::Fp64:
  case OpClass::Sfu:
  case OpClass::Convert:
  case OpClass::Compare:
  case OpClass::Logic:
    return true;
  default:
    break;
  }
  switch (Opcode(I.Opcode)) {
  case Opcode::Mov:
  case Opcode::Selp:
  case Opcode::Cvta:
  case Opcode::Mapa:
  case Opcode::Getctarank:
    return true;
  default:
    return false;
  }
}

bool ptxpredict::isPlainLoad(const Instruction &I) {
  return Opcode(I.Opcode) == Opcode::Ld || Opcode(I.Opcode) == Opcode::Ldu;
}

/// A mask of all lanes, as far as the instruction and a mov before it say.
static bool namesAllLanes(const Operand &O) {
  const Operand *Mask = &O;
  if (O.Kind == Operand::KindTy::Register && O.Val->Def &&
      !O.Val->Def->isPseudo() && !O.Val->Def->HasGuard &&
      Opcode(O.Val->Def->Opcode) == Opcode::Mov)
    Mask = &O.Val->Def->Operands[1];
  return Mask->Kind == Operand::KindTy::Integer &&
         uint32_t(Mask->Bits) == maskOf(32);
}

/// Whether results may differ between lanes where operands do not: indices,
/// other lanes' values, tiles of matrices, atomics.
static bool mayDifferBetweenLanes(const Instruction &I,
                                  const LaunchConfig &Launch) {
  if (isDivergenceSource(I, Launch))
    return true;
  if (I.Defs.empty() || isLaneWise(I) || I.IsBlockBarrier || isPlainLoad(I))
    return false;
  // What all lanes vote for is the same for all of them.
  Opcode Op = Opcode(I.Opcode);
  return !I.IsCrossLane || I.Operands.empty() ||
         (Op != Opcode::Vote && Op != Opcode::Redux) ||
         !namesAllLanes(I.Operands.back());
}

uint8_t ptxpredict::variationOf(const Instruction &I,
                                const PartialValues &Values) {
  if (I.IsBlockBarrier) // a reduction over the block
    return VariesInGrid;
  if (!isLaneWise(I))
    return VariesEverywhere;
  uint8_t Varies = 0;
  for (const Value *V : I.Uses) {
    Ref X = Values.read(V, I.Parent);
    Varies |= X ? X->Varies : uint8_t(VariesEverywhere);
  }
  auto Add = [&](const Operand &O, auto &Self) -> void {
    if (O.Kind == Operand::KindTy::Special)
      Varies |= Values.operand(I, O, 64)->Varies;
    for (const Operand &Element : O.Elements)
      Self(Element, Self);
  };
  for (const Operand &O : I.Operands)
    Add(O, Add);
  return Varies;
}

/// Whether the results, as far as they are found, are the same in all lanes
/// though operands are not: a warp's number made of the thread's, or what a
/// call returns, which no operand of its load shows.
static bool isFoundUniform(const Instruction &I, const PartialValues &Values) {
  auto Is = [&](const Value *V) {
    Ref X = Values.get(V);
    return X && X->isUniform();
  };
  const bool ReadsParam = I.Effects.size() == 1 &&
                          I.Effects[0].Space == AddressSpace::Param &&
                          I.Effects[0].Access == AccessKind::Load;
  return !I.Defs.empty() && (ReadsParam || I.Effects.empty()) &&
         llvm::all_of(I.Defs, Is) && (ReadsParam || !llvm::all_of(I.Uses, Is));
}

bool PhiVariation::isDivergent(const Value &Phi) {
  // Nobody looks at slots, and arguments count as uniform.
  const InstructionGraph &G = Values.graph();
  if (Phi.Id >= G.Values.size() || !ArgumentsAreUniform)
    return true;
  auto IsSource = [this](const Instruction &Source) {
    return mayDifferBetweenLanes(Source, Values.launch()) ||
           (Values.mayHaveLocals() && !Source.Effects.empty() &&
            Source.Effects[0].Space == AddressSpace::Generic);
  };
  if (!Lanes)
    Lanes.emplace(
        G, Values.controlFlow(), IsSource,
        [this](const Instruction &I) { return isFoundUniform(I, Values); });
  return Lanes->isDivergent(&Phi);
}

uint8_t PhiVariation::of(const Value &Phi) {
  uint8_t Varies = VariesInBlock | VariesInGrid;
  return isDivergent(Phi) ? Varies | VariesInWarp : Varies;
}
