//===- LiftMatrix.cpp - Products of matrices ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

bool FunctionLift::liftMatrix(StringRef Name) {
  auto Registers = [&](const MachineOperand *O, unsigned N) {
    SmallVector<Operand, 4> All;
    for (unsigned R = 0; R != N; ++R)
      All.push_back(O ? raw(*O, R) : number(0));
    return vector(All);
  };
  auto Results = [&](unsigned N) {
    SmallVector<Operand, 4> All;
    for (unsigned R = 0; R != N; ++R)
      All.push_back(result(R));
    return vector(All);
  };
  const MachineOperand *A = source(0), *B = source(1), *C = source(2);
  if (Name == "HMMA") {
    if (has("SP") || has("884"))
      return false;
    const bool IsFloat = has("F32");
    const StringRef Sum = IsFloat ? "f32" : "f16";
    const StringRef Type = has("BF16") ? "bf16" : has("TF32") ? "tf32" : "f16";
    const unsigned Sums = IsFloat ? 4 : 2;
    const bool IsLong = has("16816"), IsShort = has("1684");
    const StringRef Shape = IsLong ? "m16n8k16" : IsShort ? "m16n8k4" : "m16n8k8";
    unsigned As = IsLong ? 4 : 2, Bs = IsLong ? 2 : 1;
    if (Type == "tf32") {
      As = IsShort ? 2 : 4;
      Bs = IsShort ? 1 : 2;
    }
    emitMain("mma.sync.aligned." + Shape + ".row.col." + Sum + "." + Type +
                 "." + Type + "." + Sum,
             {Results(Sums), Registers(A, As), Registers(B, Bs),
              Registers(C, Sums)});
    return true;
  }
  if (Name == "IMMA") {
    if (has("SP"))
      return false;
    SmallVector<StringRef, 2> Types;
    StringRef Shape;
    for (StringRef W : machine().Modifiers) {
      if (W == "U8" || W == "S8" || W == "U4" || W == "S4")
        Types.push_back(W);
      else if (W != "SAT")
        Shape = W;
    }
    if (Types.size() != 2)
      return false;
    const StringRef PTX = Shape == "8816"    ? "m8n8k16"
                          : Shape == "8832"  ? "m8n8k32"
                          : Shape == "16816" ? "m16n8k16"
                          : Shape == "16832" ? "m16n8k32"
                          : Shape == "16864" ? "m16n8k64"
                                             : "";
    if (PTX.empty())
      return false;
    const bool IsSmall = PTX.starts_with("m8");
    const unsigned Bits = Types[0].ends_with("8") ? 8 : 4;
    const unsigned K = PTX.ends_with("k64")   ? 64
                       : PTX.ends_with("k32") ? 32
                                              : 16;
    const unsigned As = (IsSmall ? 8 : 16) * K * Bits / 1024,
                   Bs = 8 * K * Bits / 1024, Sums = IsSmall ? 2 : 4;
    emitMain("mma.sync.aligned." + PTX + ".row.col" +
                 (has("SAT") ? ".satfinite" : "") + ".s32." + Types[0].lower() +
                 "." + Types[1].lower() + ".s32",
             {Results(Sums), Registers(A, As), Registers(B, Bs),
              Registers(C, Sums)});
    return true;
  }
  if (Name == "MOVM") {
    if (!has("16.MT88"))
      return false;
    emitMain("movmatrix.sync.aligned.m8n8.trans.b16",
             {result(), A ? raw(*A) : number(0)});
    return true;
  }
  return false;
}
