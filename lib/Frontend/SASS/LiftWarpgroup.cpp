//===- LiftWarpgroup.cpp - Products of matrices by four warps -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Four uniform registers hold what describes both matrices, the second one in
// the upper two of them also where the first one is in registers. The last
// product of a group names its board.
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {
/// What a product is of, as PTX has it.
struct WarpgroupForm {
  std::string Shape, Sum, First, Second;
  unsigned Results = 0;
  bool IsTransposable = false; ///< both matrices may lie in either direction
  bool IsScalable = true;      ///< they may be negated
  std::string Operation;       ///< of bits
};
} // namespace

/// The form; nothing if it is not known.
static std::optional<WarpgroupForm> warpgroupForm(const MachineInstruction &I) {
  WarpgroupForm Form;
  for (StringRef W : I.Modifiers) {
    StringRef Rest = W;
    unsigned N = 0;
    if (!Rest.consume_front("64x") || Rest.consumeInteger(10, N) ||
        !Rest.consume_front("x"))
      continue;
    Form.Shape = "m64n" + std::to_string(N) + "k" + Rest.str();
    Form.Results = N / 2;
  }
  if (Form.Shape.empty())
    return std::nullopt;
  const StringRef Name = I.mnemonic();
  SmallVector<std::string, 2> Types;
  for (StringRef W : I.Modifiers)
    if (W == "U8" || W == "S8" || W == "E4M3" || W == "E5M2")
      Types.push_back(W.lower());
  if (Name == "HGMMA") {
    Form.First = hasWord(I, "BF16")   ? "bf16"
                 : hasWord(I, "TF32") ? "tf32"
                                      : "f16";
    Form.Second = Form.First;
    Form.IsTransposable = Form.First != "tf32";
  } else if (Name == "BGMMA") {
    Form.First = Form.Second = "b1";
    Form.Operation = ".and.popc";
  } else {
    if (Types.size() != 2)
      return std::nullopt;
    Form.First = Types[0], Form.Second = Types[1];
  }
  const bool IsFloat = Name == "HGMMA" || Name == "QGMMA";
  Form.IsScalable = IsFloat;
  Form.Sum = !IsFloat ? "s32" : hasWord(I, "F32") ? "f32" : "f16";
  if (Form.Sum == "f16")
    Form.Results /= 2;
  return Form;
}

/// A descriptor of 64 bits in uniform registers from \p Register on.
Operand FunctionLift::matrixDescriptor(unsigned Register) {
  MachineOperand U;
  U.Kind = OperandKind::Uniform;
  U.Number = Register;
  return wide(U);
}

void FunctionLift::liftWarpgroupProduct() {
  const std::optional<WarpgroupForm> Form = warpgroupForm(machine());
  if (!Form)
    return emitUnknown();
  const MachineOperand *D = nullptr, *A = nullptr, *C = nullptr,
                       *Meta = nullptr, *Both = nullptr, *Selector = nullptr;
  Operand Adds = truth(true);
  for (const MachineOperand &O : machine().Operands) {
    const OperandRow &Row = machine().Operation->Operands[O.Row];
    switch (O.Kind) {
    case OperandKind::Register:
      (&O == resultOf(machine()) ? D
       : Row.Lowest == 64        ? C
       : Row.Lowest == 40        ? Meta
                                 : A) = &O;
      break;
    case OperandKind::MatrixDescriptor:
      Both = &O;
      break;
    case OperandKind::UniformPredicate:
      Adds = predicate(O);
      break;
    case OperandKind::Integer:
    case OperandKind::Hexadecimal:
      Selector = &O;
      break;
    default:
      break;
    }
  }
  const bool IsSparse = has("SP");
  if (!D || !C || !Both || D->Number == MachineOperand::RegisterZero ||
      (IsSparse && (!Meta || !Selector)))
    return emitUnknown();
  if (C->Number == MachineOperand::RegisterZero)
    Adds = truth(false);
  SmallVector<Operand, 128> Results;
  for (unsigned R = 0; R != Form->Results; ++R) {
    Results.push_back(result(R));
    if (C->Number != D->Number && C->Number != MachineOperand::RegisterZero)
      emit("mov.b32", {result(R), raw(*C, R)});
  }
  constexpr unsigned FirstRegisters = 4;
  SmallVector<Operand, 4> First;
  for (unsigned R = 0; A && R != FirstRegisters; ++R)
    First.push_back(raw(*A, R));
  SmallVector<Operand, 12> All{
      vector(Results), A ? vector(First) : matrixDescriptor(Both->Number),
      matrixDescriptor(Both->Number + 2)};
  if (IsSparse) {
    All.push_back(raw(*Meta));
    All.push_back(number(uint64_t(Selector->Value)));
  }
  All.push_back(Adds);
  auto Flag = [](bool Is) { return number(Is ? 1 : 0); };
  auto Sign = [](bool IsNegative) {
    return number(IsNegative ? ~uint64_t(0) : 1, ScalarType::S32);
  };
  if (Form->IsScalable) {
    All.push_back(Sign(A ? A->Negated : Both->Negated));
    All.push_back(Sign(Both->SecondNegated));
  }
  if (Form->IsTransposable) {
    if (!A)
      All.push_back(Flag(Both->FirstTransposed));
    All.push_back(Flag(Both->SecondTransposed));
  }
  emitMain(std::string(IsSparse ? "wgmma.mma_async.sp" : "wgmma.mma_async") +
               ".sync.aligned." + Form->Shape + "." + Form->Sum + "." +
               Form->First + "." + Form->Second + Form->Operation +
               (has("SAT") ? ".satfinite" : ""),
           All);
}

bool FunctionLift::liftWarpgroup(StringRef Name) {
  if (Name == "HGMMA" || Name == "IGMMA" || Name == "QGMMA" ||
      Name == "BGMMA") {
    liftWarpgroupProduct();
    return true;
  }
  if (Name != "WARPGROUP")
    return false;
  if (has("ARRIVE")) {
    emitMain("wgmma.fence.sync.aligned", {});
    return true;
  }
  for (const MachineOperand &O : machine().Operands)
    if (O.Kind == OperandKind::Integer || O.Kind == OperandKind::Hexadecimal) {
      emitMain("wgmma.wait_group.sync.aligned", {number(uint64_t(O.Value))});
      return true;
    }
  return false;
}
