//===- FloatOperation.cpp - Arithmetic on floats that are known -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FloatOperation.h"
#include "ExpressionsImpl.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using ptx::Opcode;
using Ref = const Expression *;

/// The bits that an instruction takes of an operand or writes to it, by its
/// type or else the operand's own.
static unsigned widthOf(const Operand &O, const ptx::OperandInfo &Info) {
  if (Info.Checked && !Info.VectorShares)
    return bitWidth(Info.Type);
  switch (O.Kind) {
  case Operand::KindTy::Register:
    return bitWidth(O.Val->Type);
  case Operand::KindTy::Special:
    return bitWidth(ptx::specialRegisterType(O.Name));
  case Operand::KindTy::Float64:
    return 64;
  case Operand::KindTy::Integer:
    return bitWidth(O.Type);
  default:
    return 32;
  }
}

/// Adds the numbers that \p O and its elements have; false unless all are
/// constants.
bool FloatOperation::add(const Operand &O, const ptx::OperandInfo &Info,
                         Numbers &To) const {
  if (O.Kind == Operand::KindTy::Vector)
    return llvm::all_of(O.Elements,
                        [&](const Operand &E) { return add(E, Info, To); });
  const unsigned Width = widthOf(O, Info);
  const bool IsPart =
      O.Kind == Operand::KindTy::Register && (!O.Name.empty() || O.Negated);
  Ref X = IsPart ? nullptr : View.operand(O, Width);
  if (!X || !X->isConstant() || (X->Width == 1) != (Width == 1))
    return false;
  // A register may be wider or narrower than the type.
  const bool IsSigned = kindOf(Info.Type) == TypeKind::Signed;
  To.push_back(
      {IsSigned ? uint64_t(signedOf(X->Addend, X->Width)) : X->Addend, Width});
  return true;
}

/// The first \p Count sources; nothing unless all are constants.
std::optional<FloatOperation::Numbers>
FloatOperation::sources(ArrayRef<ptx::OperandInfo> Infos, size_t Count) const {
  Numbers Found;
  ArrayRef<Operand> Operands = View.instruction().Operands;
  for (auto [O, Info] : llvm::zip(Operands, Infos)) {
    if (O.Role == OperandRole::Write || Count == 0)
      continue;
    if (O.Role != OperandRole::Read || !add(O, Info, Found))
      return std::nullopt;
    --Count;
  }
  return Found;
}

FloatOperation::Infos FloatOperation::infos() const {
  const Instruction &I = View.instruction();
  Infos Found;
  // Most often the first source is none, and the rest need not be looked at.
  if (!View.sources().empty() &&
      View.sources()[0]->Kind == Operand::KindTy::Register) {
    Ref X = View.operand(*View.sources()[0], 32);
    if (!X || !X->isConstant())
      return Found;
  }
  if (!ptx::operands(View.opcode(), I.Modifiers, unsigned(I.Operands.size()),
                     Found) ||
      Found.size() != I.Operands.size())
    Found.clear();
  return Found;
}

Ref FloatOperation::compare(StringRef Name, StringRef Type) const {
  const Infos Known = infos();
  std::optional<Numbers> X =
      Known.empty() || Type == "f16x2" ? std::nullopt : sources(Known, 2);
  if (!X || X->size() != 2)
    return nullptr;
  const std::string Modifiers =
      ("." + Name + (View.has("ftz") ? ".ftz." : ".") + Type).str();
  std::optional<uint64_t> Holds =
      emulator::computeInOneLane(Opcode::Setp, Modifiers, *X, 1);
  return Holds ? E.boolean(*Holds) : nullptr;
}

Ref FloatOperation::compute() const {
  const Instruction &I = View.instruction();
  const Infos Known = infos();
  if (Known.empty() || I.Operands[0].Kind != Operand::KindTy::Register)
    return nullptr;
  std::optional<Numbers> X = sources(Known, I.Operands.size());
  const unsigned Width = widthOf(I.Operands[0], Known[0]);
  std::optional<uint64_t> Bits =
      X ? emulator::computeInOneLane(View.opcode(), I.Modifiers, *X, Width)
        : std::nullopt;
  if (!Bits || Width == 1)
    return Bits ? E.boolean(*Bits) : nullptr;
  const bool IsSigned = kindOf(Known[0].Type) == TypeKind::Signed;
  return E.constant(bitWidth(I.Operands[0].Val->Type),
                    IsSigned ? uint64_t(signedOf(*Bits, std::max(Width, 16u)))
                             : *Bits);
}
