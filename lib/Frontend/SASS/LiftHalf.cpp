//===- LiftHalf.cpp - Floats of 16 bits, two in a register ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "OperationTable.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {

class Halves {
public:
  explicit Halves(FunctionLift &F) : F(F), I(F.machine()) {}

  /// The source \p N as two halves, with parts and signs.
  Operand source(unsigned N);
  /// One of its halves as a float of 32 bits.
  Operand floating(unsigned N);
  bool isBFloat() const { return hasWord(I, "BF16_V2"); }
  std::string type() const { return isBFloat() ? "bf16x2" : "f16x2"; }

private:
  FunctionLift &F;
  const MachineInstruction &I;
};

} // namespace

Operand Halves::source(unsigned N) {
  const MachineOperand *O = F.source(N);
  if (!O)
    return FunctionLift::number(0);
  if (O->Kind == OperandKind::Half || O->Kind == OperandKind::BFloat) {
    // The upper one is written first.
    const MachineOperand *Low = O + 1;
    const uint32_t Bits =
        (uint32_t(O->Value) & 0xffff) << 16 | (uint32_t(Low->Value) & 0xffff);
    return FunctionLift::number(Bits);
  }
  constexpr uint32_t Signs = 0x80008000;
  Operand R = F.raw(*O);
  auto Change = [&](StringRef Operation, uint32_t Mask) {
    R = FunctionLift::isNumber(R)
            ? FunctionLift::number(Operation == "and" ? R.Bits & Mask
                                                      : R.Bits ^ Mask)
            : F.compute(Operation + ".b32", Word,
                        {R, FunctionLift::number(Mask)});
  };
  switch (O->Part) {
  case MachineOperand::AsFloat: // rounded to both
    R = F.compute(isBFloat() ? "cvt.rn.bf16x2.f32" : "cvt.rn.f16x2.f32", Word,
                  {R, R});
    break;
  case MachineOperand::LowHalf:
  case MachineOperand::HighHalf: {
    const bool IsHigh = O->Part == MachineOperand::HighHalf;
    if (!FunctionLift::isNumber(R))
      R = F.compute("prmt.b32", Word,
                    {R, FunctionLift::number(0),
                     FunctionLift::number(IsHigh ? 0x3232 : 0x1010)});
    break;
  }
  default:
    break;
  }
  if (O->Absolute)
    Change("and", ~Signs);
  if (O->Negated)
    Change("xor", Signs);
  return R;
}

Operand Halves::floating(unsigned N) {
  const MachineOperand *O = F.source(N);
  if (O && O->Part == MachineOperand::AsFloat)
    return F.floating(*O);
  const Operand Both = source(N);
  if (FunctionLift::isNumber(Both, 0))
    return Both;
  const Operand H = F.temporary(ScalarType::B16);
  if (FunctionLift::isNumber(Both))
    F.emit("mov.b16",
           {H, FunctionLift::number(Both.Bits & 0xffff, ScalarType::B16)});
  else
    F.emit("mov.b32", {F.vector({H, F.temporary(ScalarType::B16)}), Both});
  return F.compute(isBFloat() ? "cvt.f32.bf16" : "cvt.f32.f16", Word, {H});
}

bool FunctionLift::liftHalf(StringRef Name) {
  if (Name != "HADD2" && Name != "HMUL2" && Name != "HFMA2" &&
      Name != "HMNMX2" && Name != "HSET2" && Name != "HSETP2")
    return false;
  Halves Of(*this);
  const Operand To = result();
  const Operand Into = isSink(To) ? temporary(Word) : To;
  if (Name == "HFMA2")
    if (const std::optional<uint32_t> C = constantOf(machine())) {
      emitMain("mov.b32", {Into, number(*C)});
      return true;
    }
  std::string Suffix = std::string(".rn") + (has("FTZ") ? ".ftz" : "") +
                       (has("SAT") ? ".sat" : "") +
                       (has("RELU") ? ".relu" : "");
  if (has("F32")) {
    // A sum or product of halves as a float: most often a conversion.
    const Operand A = Of.floating(0), B = Of.floating(1);
    const std::string Flush = has("FTZ") ? ".ftz" : "";
    if (Name == "HADD2" && isNumber(A, 0)) {
      emitMain("mov.b32", {Into, B});
      return true;
    }
    if (Name == "HFMA2") {
      emitMain("fma.rn" + Flush + ".f32", {Into, A, B, Of.floating(2)});
      return true;
    }
    emitMain((Name == "HADD2" ? "add.rn" : "mul.rn") + Flush + ".f32",
             {Into, A, B});
    return true;
  }
  const std::string Type = "." + Of.type();
  if (Name == "HADD2") {
    const Operand A = Of.source(0), B = Of.source(1);
    emitMain("add" + Suffix + Type, {Into, A, B});
  } else if (Name == "HMUL2") {
    const Operand A = Of.source(0), B = Of.source(1);
    emitMain("mul" + Suffix + Type, {Into, A, B});
  } else if (Name == "HFMA2") {
    const Operand A = Of.source(0), B = Of.source(1), C = Of.source(2);
    emitMain("fma" + Suffix + Type, {Into, A, B, C});
  } else if (Name == "HMNMX2") {
    const Operand P = predicate(87);
    if (!isNumber(P))
      return false;
    const Operand A = Of.source(0), B = Of.source(1);
    emitMain(std::string(P.Bits != 0 ? "min" : "max") +
                 (has("FTZ") ? ".ftz" : "") + (has("NAN") ? ".NaN" : "") + Type,
             {Into, A, B});
  } else {
    const StringRef Compare = comparisonOf(machine());
    if (Compare.empty())
      return false;
    const StringRef Join = joinOf(machine());
    const Operand With = predicate(87);
    const Operand A = Of.source(0), B = Of.source(1);
    const Operand Low = temporary(ScalarType::Pred),
                  High = temporary(ScalarType::Pred);
    emitMain("setp." + Compare + (has("FTZ") ? ".ftz" : "") + Type,
             {vector({Low, High}), A, B});
    const Operand First = join(Join, Low, With),
                  Second = join(Join, High, With);
    if (Name == "HSETP2") {
      setPredicate(predicateResult(81), First);
      setPredicate(predicateResult(84), Second);
      return true;
    }
    const bool IsFloat = has("BF");
    const uint32_t One = !IsFloat ? 0xffff : Of.isBFloat() ? 0x3f80 : 0x3c00;
    const Operand L =
        compute("selp.b32", Word, {number(One), number(0), First});
    const Operand H =
        compute("selp.b32", Word, {number(One << 16), number(0), Second});
    emit("or.b32", {Into, L, H});
  }
  return true;
}
