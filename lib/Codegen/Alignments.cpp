//===- Alignments.cpp - Trailing zero bits of values ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Alignments.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using ptx::Opcode;

unsigned Alignments::of(const Variable &V) {
  bool IsPlaced = V.Space == AddressSpace::Shared &&
                  V.Link != Linkage::Extern && V.Bytes != 0 &&
                  V.Bytes % (1 << Enough) == 0;
  return IsPlaced ? Enough : std::min(Enough, llvm::Log2_64(V.Align));
}

unsigned Alignments::find(const Value &V) {
  if (!V.Def || V.Def->Defs.size() != 1)
    return 0;
  if (auto It = Known.find(&V); It != Known.end())
    return It->second;
  // Around the loop it is as aligned as it is otherwise.
  if (llvm::is_contained(Phis, &V))
    return Enough;
  if (Budget == 0)
    return 0;
  --Budget;
  unsigned Bits = find(*V.Def);
  if (Phis.empty())
    Known[&V] = Bits;
  return Bits;
}

unsigned Alignments::find(const Operand &O) {
  switch (O.Kind) {
  case Operand::KindTy::Register:
    return find(*O.Val);
  case Operand::KindTy::Integer:
    return std::min(Enough, unsigned(llvm::countr_zero(O.Bits)));
  case Operand::KindTy::Variable:
    return of(*O.Var);
  default:
    return 0;
  }
}

unsigned Alignments::find(const Instruction &I) {
  if (I.isPseudo()) {
    unsigned Bits = Enough;
    Phis.push_back(I.Defs[0]);
    for (const Value *U : llvm::drop_begin(I.Uses, I.isSelect() ? 1 : 0))
      Bits = std::min(Bits, find(*U));
    Phis.pop_back();
    return Bits;
  }
  ArrayRef<Operand> O = I.Operands;
  auto Sum = [](unsigned A, unsigned B) { return std::min(A, B); };
  auto Product = [](unsigned A, unsigned B) { return std::min(Enough, A + B); };
  bool IsHigh = ptx::hasModifier(I.Modifiers, "hi");
  switch (Opcode(I.Opcode)) {
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Or:
  case Opcode::Xor:
    return O.size() == 3 ? Sum(find(O[1]), find(O[2])) : 0;
  case Opcode::And:
    return O.size() == 3 ? std::max(find(O[1]), find(O[2])) : 0;
  case Opcode::Mul:
    return O.size() == 3 && !IsHigh ? Product(find(O[1]), find(O[2])) : 0;
  case Opcode::Mad:
    return O.size() == 4 && !IsHigh
               ? Sum(Product(find(O[1]), find(O[2])), find(O[3]))
               : 0;
  case Opcode::Shl:
    return O.size() == 3 && O[2].Kind == Operand::KindTy::Integer
               ? Product(find(O[1]),
                         unsigned(std::min<uint64_t>(Enough, O[2].Bits)))
               : 0;
  case Opcode::Selp:
    return O.size() == 4 ? Sum(find(O[1]), find(O[2])) : 0;
  case Opcode::Mov:
  case Opcode::Cvta:
    return O.size() == 2 ? find(O[1]) : 0;
  case Opcode::Cvt:
    return O.size() == 2 && !I.Modifiers.contains(".f") &&
                   !ptx::hasModifier(I.Modifiers, "sat")
               ? find(O[1])
               : 0;
  default:
    return 0;
  }
}
