//===- LiftConvert.cpp - Conversions --------------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

static std::string integerType(const MachineInstruction &I) {
  for (StringRef W : I.Modifiers)
    if (W.size() >= 2 && (W[0] == 'U' || W[0] == 'S') &&
        llvm::all_of(W.drop_front(), llvm::isDigit))
      return W.lower();
  return "s32";
}

static bool isFloatWord(StringRef W) {
  return W == "F16" || W == "BF16" || W == "F32" || W == "F64";
}

/// The float among the words, the last one if there are two; F32 without one.
static std::string floatType(const MachineInstruction &I, bool IsLast = true) {
  std::string Found = "f32";
  for (StringRef W : I.Modifiers)
    if (isFloatWord(W)) {
      Found = W.lower();
      if (!IsLast)
        return Found;
    }
  return Found;
}

static unsigned bitsOf(StringRef Type) {
  unsigned N = 32;
  (void)Type.drop_while(llvm::isAlpha).getAsInteger(10, N);
  return N;
}

/// How a conversion is rounded.
static std::string directionOf(const MachineInstruction &I) {
  return hasWord(I, "RM")   ? ".rm"
         : hasWord(I, "RP") ? ".rp"
         : hasWord(I, "RZ") ? ".rz"
                            : ".rn";
}

static std::string truncationOf(const MachineInstruction &I) {
  return hasWord(I, "FLOOR")   ? ".rmi"
         : hasWord(I, "CEIL")  ? ".rpi"
         : hasWord(I, "TRUNC") ? ".rzi"
                               : ".rni";
}

bool FunctionLift::liftConvert(StringRef Name) {
  const Operand To = result();
  const Operand Into = isSink(To) ? temporary(Word) : To;
  // A half of a register, as PTX has it.
  auto HalfOf = [&](const Operand &O, bool IsUpper) {
    const Operand R = temporary(ScalarType::B16);
    if (isNumber(O) || O.Kind == Operand::KindTy::Float32)
      emit("mov.b16",
           {R, number(uint32_t(O.Bits) >> (IsUpper ? 16 : 0) & 0xffff,
                      ScalarType::B16)});
    else if (IsUpper)
      emit("mov.b32", {vector({temporary(ScalarType::B16), R}), O});
    else
      emit("mov.b32", {vector({R, temporary(ScalarType::B16)}), O});
    return R;
  };
  // Of a narrow result the upper half is zero.
  auto Write = [&](const Twine &Mnemonic, StringRef Float, const Operand &A) {
    if (Float == "f64") {
      emitMain(Mnemonic, {wideResult(), A});
    } else if (Float == "f32") {
      emitMain(Mnemonic, {Into, A});
    } else {
      const Operand H = temporary(ScalarType::B16);
      emitMain(Mnemonic, {H, A});
      emit("mov.b32", {Into, vector({H, number(0, ScalarType::B16)})});
    }
  };
  auto FloatSource = [&](StringRef Type) {
    const MachineOperand *O = source(0);
    if (Type == "f64")
      return doubled(0);
    if (Type == "f32" || !O)
      return floating(0);
    Operand R = HalfOf(raw(*O), O->Part == MachineOperand::Upper ||
                                    O->Part == MachineOperand::HighHalf);
    if (O->Absolute)
      R = compute("and.b16", ScalarType::B16,
                  {R, number(0x7fff, ScalarType::B16)});
    if (O->Negated)
      R = compute("xor.b16", ScalarType::B16,
                  {R, number(0x8000, ScalarType::B16)});
    return R;
  };
  const std::string Flush = has("FTZ") ? ".ftz" : "";
  if (Name == "F2I") {
    const std::string Integer = integerType(machine()),
                      Float = floatType(machine());
    const Operand A = FloatSource(Float);
    const std::string Mnemonic =
        "cvt" + truncationOf(machine()) + Flush + "." + Integer + "." + Float;
    if (bitsOf(Integer) == 64)
      emitMain(Mnemonic, {wideResult(), A});
    else
      emitMain(Mnemonic, {Into, A});
  } else if (Name == "I2F" || Name == "I2FP") {
    const std::string Integer = integerType(machine()),
                      Float = floatType(machine());
    const MachineOperand *O = source(0);
    if (!O)
      return false;
    Operand A;
    const unsigned Bits = bitsOf(Integer);
    if (Bits == 64) {
      A = wide(0);
    } else {
      A = integer(0);
      if (Bits < 32) {
        const unsigned Shift = O->Part == MachineOperand::Byte1   ? 8
                               : O->Part == MachineOperand::Byte2 ? 16
                               : O->Part == MachineOperand::Byte3 ? 24
                               : O->Part == MachineOperand::Upper ? 16
                                                                  : 0;
        A = compute(Integer[0] == 's' ? "bfe.s32" : "bfe.u32", Word,
                    {A, number(Shift), number(Bits)});
      }
    }
    const std::string From =
        Bits < 32 ? (Integer[0] == 's' ? "s32" : "u32") : Integer;
    const std::string Mnemonic =
        "cvt" + directionOf(machine()) + "." + Float + "." + From;
    Write(Mnemonic, Float, A);
  } else if (Name == "F2F") {
    const std::string From = floatType(machine()),
                      Float = floatType(machine(), false);
    const Operand A = FloatSource(From);
    const bool Narrows = bitsOf(Float) < bitsOf(From);
    const std::string Mnemonic = "cvt" +
                                 (Narrows ? directionOf(machine()) : "") +
                                 Flush + "." + Float + "." + From;
    if (Float == "f32" && From == "f32")
      emitMain("mov.b32", {Into, A});
    else
      Write(Mnemonic, Float, A);
  } else if (Name == "FRND") {
    const std::string Float = floatType(machine());
    Write("cvt" + truncationOf(machine()) + Flush + "." + Float + "." + Float,
          Float, FloatSource(Float));
  } else if (Name == "F2FP" && liftPackedFloat()) {
    return true;
  } else if (Name == "F2FP") {
    if (!has("PACK_AB") && !has("MERGE_C"))
      return false;
    const bool IsBF = has("BF16");
    const bool ToHalf = IsBF || has("F16") || architecture() < 89;
    for (StringRef W : {"E4M3", "E5M2", "E2M1", "E2M3", "E3M2", "E8"})
      if (has(W))
        return false;
    if (!ToHalf || has("MERGE_C"))
      return false;
    const std::string Mnemonic =
        "cvt" + std::string(has("RZ") ? ".rz" : ".rn") +
        (has("RELU") ? ".relu" : "") + (IsBF ? ".bf16x2" : ".f16x2") + ".f32";
    emitMain(Mnemonic, {Into, floating(0), floating(1)});
  } else if (Name == "I2I") {
    const std::string Type = integerType(machine());
    emitMain("cvt.sat." + Type + ".s32", {Into, integer(0)});
  } else if (Name == "I2IP") {
    const std::string Type = integerType(machine());
    SmallVector<Operand, 3> Sources{integer(0), integer(1)};
    if (Type != "s16" && Type != "u16") {
      // What is packed before lies in the lower bits of the last source.
      const MachineOperand &Last = machine().Operands.back();
      Sources.push_back(raw(Last));
      emitMain("cvt.pack.sat." + Type + ".s32.b32",
               {Into, Sources[0], Sources[1], Sources[2]});
    } else {
      emitMain("cvt.pack.sat." + Type + ".s32", {Into, Sources[0], Sources[1]});
    }
  } else {
    return false;
  }
  return true;
}
