//===- LiftPacked.cpp - Conversions of narrow floats ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Two floats of 8 bits or less are 16 bits, behind which an earlier result may
// be kept.
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// PTX's name of two floats; empty if it is none of these.
static StringRef packedName(StringRef Word) {
  return llvm::StringSwitch<StringRef>(Word)
      .Case("E4M3", "e4m3x2")
      .Case("E5M2", "e5m2x2")
      .Case("E2M1", "e2m1x2")
      .Case("E2M3", "e2m3x2")
      .Case("E3M2", "e3m2x2")
      .Case("E8", "ue8m0x2")
      .Default("");
}

/// 16 bits of a register.
Operand FunctionLift::halfWord(const Operand &O, bool IsUpper) {
  constexpr unsigned HalfBits = 16;
  const Operand R = temporary(ScalarType::B16);
  if (isNumber(O))
    emit("mov.b16",
         {R, number(uint32_t(O.Bits) >> (IsUpper ? HalfBits : 0) & 0xffff,
                    ScalarType::B16)});
  else
    emit("mov.b32", {IsUpper ? vector({temporary(ScalarType::B16), R})
                             : vector({R, temporary(ScalarType::B16)}),
                     O});
  return R;
}

/// Whether an operand is the upper half of its register.
static bool isUpperHalf(const MachineOperand &O) {
  return O.Part == MachineOperand::Upper || O.Part == MachineOperand::HighHalf;
}

/// What an instruction reads, in the order of printing.
static SmallVector<const MachineOperand *, 3>
sourcesOf(const MachineInstruction &I) {
  SmallVector<const MachineOperand *, 3> All;
  for (const MachineOperand &O : I.Operands)
    if (&O != resultOf(I))
      All.push_back(&O);
  return All;
}

/// F2FP with formats of 8 bits and less, and TF32.
bool FunctionLift::liftPackedFloat() {
  constexpr unsigned FinitenessBit = 77, RoundingAt = 79, RoundingBits = 3;
  const Operand Into = isSink(result()) ? temporary(Word) : result();
  const auto Sources = sourcesOf(machine());
  if (Sources.empty())
    return false;
  const MachineOperand *First = Sources[0];
  if (has("5")) { // TF32
    const Encoding E = M.placeOf(current()).Bits;
    if (E.bits(RoundingAt, RoundingBits) != 0 || has("RELU"))
      return false;
    emitMain(E.bit(FinitenessBit) ? "cvt.rn.satfinite.tf32.f32"
                                  : "cvt.rn.tf32.f32",
             {Into, floating(*First)});
    return true;
  }
  StringRef Narrow;
  for (StringRef W : machine().Modifiers)
    if (const StringRef Name = packedName(W); !Name.empty())
      Narrow = Name;
  if (Narrow.empty() || has("RS"))
    return false;
  const bool IsByte = Narrow == "e2m1x2";
  const std::string Relu = has("RELU") ? ".relu" : "";
  if (has("UNPACK_B")) { // to two halves
    Operand From = halfWord(raw(*First), isUpperHalf(*First));
    if (IsByte) {
      if (First->Part != MachineOperand::Whole)
        return false;
      From = compute("cvt.u8.u16", ScalarType::B8, {From});
    }
    emitMain("cvt.rn" + Relu + (has("BF16") ? ".bf16x2." : ".f16x2.") + Narrow,
             {Into, From});
    return true;
  }
  const bool IsHalf = has("UNPACK_B_MERGE_C");
  if (!IsHalf && !has("PACK_AB_MERGE_C"))
    return false;
  if (Sources.size() != (IsHalf ? 2 : 3))
    return false;
  const Operand Above = raw(*Sources.back());
  const StringRef Rounding = has("RZ") ? ".rz" : has("RP") ? ".rp" : ".rn";
  const std::string Mnemonic =
      ("cvt" + Rounding + (has("SATFINITE") ? ".satfinite" : "") + Relu + "." +
       Narrow +
       (!IsHalf       ? ".f32"
        : has("BF16") ? ".bf16x2"
                      : ".f16x2"))
          .str();
  const Operand Two = temporary(IsByte ? ScalarType::B8 : ScalarType::B16);
  if (IsByte && !isNumber(Above, 0))
    return false;
  if (IsHalf)
    emitMain(Mnemonic, {Two, raw(*First)});
  else
    emitMain(Mnemonic, {Two, floating(*First), floating(*Sources[1])});
  if (IsByte)
    emit("cvt.u32.u8", {Into, Two});
  else
    emit("mov.b32", {Into, vector({Two, halfWord(Above, false)})});
  return true;
}

/// MUFU of one half of a register.
bool FunctionLift::liftSpecialHalf() {
  constexpr unsigned FormatAt = 72, FormatBits = 2, FormatHalf = 1,
                     FormatBFloat = 2;
  const MachineOperand *O = source(0);
  const uint64_t Format = M.placeOf(current()).Bits.bits(FormatAt, FormatBits);
  const bool IsTanh = has("TANH");
  if (!O || (Format != FormatHalf && Format != FormatBFloat) ||
      (!IsTanh && !has("EX2")) || O->Absolute || O->Negated)
    return false;
  const bool IsBFloat = Format == FormatBFloat;
  const Operand Into = isSink(result()) ? temporary(Word) : result();
  const Operand From = halfWord(raw(*O), isUpperHalf(*O));
  const Operand To = temporary(ScalarType::B16);
  emitMain(IsTanh     ? (IsBFloat ? "tanh.approx.bf16" : "tanh.approx.f16")
           : IsBFloat ? "ex2.approx.ftz.bf16"
                      : "ex2.approx.f16",
           {To, From});
  emit("mov.b32", {Into, vector({To, number(0, ScalarType::B16)})});
  return true;
}
