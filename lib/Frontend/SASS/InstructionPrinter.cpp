//===- InstructionPrinter.cpp - Machine instructions as text --------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Frontend/SASS/MachineInstruction.h"
#include "ptxpredict/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace ptxpredict;
using namespace ptxpredict::sass;

/// "R12", "RZ"
static void printNumbered(raw_ostream &OS, StringRef Letters, unsigned Number,
                          unsigned Last, StringRef LastName) {
  OS << Letters;
  if (Number == Last)
    OS << LastName;
  else
    OS << Number;
}

static void printHexadecimal(raw_ostream &OS, int64_t Value) {
  if (Value < 0)
    OS << '-';
  OS << "0x"
     << llvm::utohexstr(Value < 0 ? uint64_t(0) - uint64_t(Value)
                                  : uint64_t(Value),
                        /*LowerCase=*/true);
}

static void printSpecial(raw_ostream &OS, unsigned Number) {
  switch (Number) {
#define SASS_SPECIAL_REGISTER(NUMBER, NAME)                                    \
  case NUMBER:                                                                 \
    OS << (NAME);                                                              \
    return;
#include "ptxpredict/ISA/SASSSpecialRegisters.def"
#undef SASS_SPECIAL_REGISTER
  default:
    OS << "SR" << Number;
  }
}

/// \p IsQuiet: of two kinds of NaN.
static void printFloat(raw_ostream &OS, double Value, bool IsQuiet) {
  if (std::isfinite(Value)) {
    OS << shortestDecimal(Value);
    return;
  }
  OS << (std::signbit(Value) ? '-' : '+')
     << (std::isinf(Value) ? "INF"
         : IsQuiet         ? "QNAN"
                           : "SNAN");
}

static double valueOfHalf(uint32_t Bits) {
  constexpr unsigned MantissaBits = 10, Infinite = 31, Bias = 15;
  const auto Mantissa = double(Bits & ((1U << MantissaBits) - 1));
  const unsigned Exponent = Bits >> MantissaBits & Infinite;
  const double Magnitude =
      Exponent == Infinite
          ? (Mantissa == 0 ? std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::quiet_NaN())
      : Exponent == 0 ? std::ldexp(Mantissa, 1 - int(Bias + MantissaBits))
                      : std::ldexp(Mantissa + (1U << MantissaBits),
                                   int(Exponent) - int(Bias + MantissaBits));
  return Bits >> 15 & 1 ? -Magnitude : Magnitude;
}

static void printAddress(raw_ostream &OS, const MachineOperand &O) {
  constexpr unsigned Zero = MachineOperand::RegisterZero;
  const bool HasDescriptor = O.Descriptor && !O.HidesDescriptor;
  if (HasDescriptor) {
    OS << "desc[";
    printNumbered(OS, "UR", *O.Descriptor, UniformZero, "Z");
    OS << ']';
  }
  OS << '[';
  // Without a register the one of the descriptor is the address.
  const bool IsBase = O.Descriptor && O.HidesDescriptor && O.Number == Zero;
  const std::optional<unsigned> &Offset = IsBase ? O.Descriptor : O.Offset;
  const bool HasOffset =
      Offset && (O.ShowsZeroOffset || *Offset != UniformZero);
  bool Any = false;
  auto Plus = [&] {
    if (Any)
      OS << '+';
    Any = true;
  };
  if (O.Number != Zero || (O.Descriptor && !IsBase) ||
      O.Width == MachineOperand::Bits32 || (!HasOffset && O.Value == 0)) {
    Plus();
    printNumbered(OS, "R", O.Number, Zero, "Z");
    if (O.Scale != 0)
      OS << ".X" << unsigned(O.Scale);
    constexpr StringRef Widths[] = {"", ".U32", ".64"};
    OS << Widths[O.Width];
  }
  if (HasOffset) {
    Plus();
    printNumbered(OS, "UR", *Offset, UniformZero, "Z");
  }
  if (O.Value != 0) {
    Plus();
    printHexadecimal(OS, O.Value);
  }
  OS << ']';
}

static void printConstant(raw_ostream &OS, const MachineOperand &O) {
  OS << "c[";
  printHexadecimal(OS, O.Number);
  OS << "][";
  if (!O.Offset) {
    printHexadecimal(OS, O.Value);
  } else {
    printNumbered(OS, O.IsUniformIndex ? "UR" : "R", *O.Offset, UniformZero,
                  "Z");
    if (O.Value != 0) {
      OS << '+';
      printHexadecimal(OS, O.Value);
    }
  }
  OS << ']';
}

static void printUnsigned(raw_ostream &OS, const MachineOperand &O) {
  constexpr unsigned True = 7;
  const auto Bits = uint32_t(O.Value);
  switch (O.Kind) {
  case OperandKind::Register:
    return printNumbered(OS, "R", O.Number, MachineOperand::RegisterZero, "Z");
  case OperandKind::Uniform:
    return printNumbered(OS, "UR", O.Number, UniformZero, "Z");
  case OperandKind::Predicate:
    return printNumbered(OS, "P", O.Number, True, "T");
  case OperandKind::UniformPredicate:
    return printNumbered(OS, "UP", O.Number, True, "T");
  case OperandKind::Barrier:
    OS << 'B' << O.Number;
    return;
  case OperandKind::Special:
    return printSpecial(OS, O.Number);
  case OperandKind::Integer:
    return printHexadecimal(OS, O.Value);
  case OperandKind::Hexadecimal:
    OS << "0x" << llvm::utohexstr(uint64_t(O.Value), /*LowerCase=*/true);
    return;
  case OperandKind::Float:
    return printFloat(OS, llvm::bit_cast<float>(Bits), Bits >> 22 & 1);
  case OperandKind::Double:
    return printFloat(OS, llvm::bit_cast<double>(uint64_t(Bits) << 32),
                      Bits >> 19 & 1);
  case OperandKind::Half:
    return printFloat(OS, valueOfHalf(Bits), Bits >> 9 & 1);
  case OperandKind::BFloat:
    return printFloat(OS, llvm::bit_cast<float>(Bits << 16), Bits >> 6 & 1);
  case OperandKind::Constant:
    return printConstant(OS, O);
  case OperandKind::Memory:
    return printAddress(OS, O);
  case OperandKind::Target:
    return printHexadecimal(OS, O.Value);
  case OperandKind::AllPredicates:
    OS << (O.Number != 0 ? "UPR" : "PR");
    return;
  case OperandKind::Scoreboard:
    OS << "SB" << O.Number;
    return;
  case OperandKind::Scoreboards: {
    StringRef Separator = "{";
    for (unsigned Board = 32; Board-- != 0;)
      if (Bits >> Board & 1) {
        OS << Separator << Board;
        Separator = ",";
      }
    OS << '}';
    return;
  }
  case OperandKind::WarpgroupBoard:
    OS << "gsb" << O.Number;
    return;
  case OperandKind::MatrixDescriptor:
    OS << "gdesc[";
    printNumbered(OS, "UR", O.Number, UniformZero, "Z");
    OS << ']' << (O.Negated ? ".negA" : "") << (O.SecondNegated ? ".negB" : "")
       << (O.FirstTransposed ? ".tnspA" : "")
       << (O.SecondTransposed ? ".tnspB" : "");
    return;
  case OperandKind::RelativeAddress:
    return printHexadecimal(OS, O.Value);
  case OperandKind::TextureShape: {
    static constexpr StringRef Shapes[] = {
        "1D", "2D", "3D", "CUBE", "ARRAY_1D", "ARRAY_2D", "?", "ARRAY_CUBE"};
    OS << Shapes[O.Number % std::size(Shapes)];
    return;
  }
  case OperandKind::CacheHint:
    OS << "desc[";
    printNumbered(OS, "UR", O.Number, UniformZero, "Z");
    OS << ']';
    return;
  case OperandKind::ReturnCounter:
    OS << "Rpc.LO";
    return;
  case OperandKind::TensorMemory:
    OS << "tmem[";
    if (O.Number != UniformZero || O.Value == 0)
      printNumbered(OS, "UR", O.Number, UniformZero, "Z");
    if (O.Number != UniformZero && O.Value != 0)
      OS << '+';
    if (O.Value != 0)
      printHexadecimal(OS, O.Value);
    OS << ']';
    return;
  case OperandKind::InstructionDescriptor:
    OS << "idesc[";
    printNumbered(OS, "UR", O.Number + 1, UniformZero, "Z");
    OS << ']';
    return;
  case OperandKind::TextureQuery:
    if (O.Number == 0)
      OS << "TEX_HEADER_DIMENSION";
    else
      OS << '?' << O.Number;
    return;
  }
}

static void printOperand(raw_ostream &OS, const MachineOperand &O) {
  if (O.Negated && O.Kind != OperandKind::MatrixDescriptor)
    OS << '-';
  if (O.Inverted)
    OS << (O.Kind == OperandKind::Predicate ||
                   O.Kind == OperandKind::UniformPredicate
               ? '!'
               : '~');
  if (O.Absolute)
    OS << '|';
  printUnsigned(OS, O);
  if (O.Absolute)
    OS << '|';
  if (O.Reused)
    OS << ".reuse";
  constexpr StringRef Parts[] = {
      "",    ".F32",  ".H0_H0",       ".H1_H1", ".ROW", ".COL",
      ".H1", ".SIGN", ".F32x2.HI_LO", ".?",     ".24",  ".28",
      ".B1", ".B2",   ".B3",          "",       ""};
  OS << Parts[O.Part];
  const char Matrix = O.Part == MachineOperand::SecondMatrix ? 'B' : 'A';
  if (O.IsHeld)
    OS << '.' << Matrix << "_REUSE";
  if (O.StaysHeld)
    OS << '.' << Matrix << "_KEEP";
  if (O.Buffer != 0)
    OS << ".BUFFER" << unsigned(O.Buffer);
}

void sass::print(const MachineInstruction &I, Encoding E, raw_ostream &OS) {
  constexpr unsigned True = 7;
  if (!I.Operation) {
    constexpr unsigned Digits = 16;
    OS << ".inst 0x" << llvm::utohexstr(E.Low, /*LowerCase=*/true, Digits)
       << ", 0x" << llvm::utohexstr(E.High, /*LowerCase=*/true, Digits);
    return;
  }
  if (I.Guard != True || I.GuardIsNegated) {
    OS << '@' << (I.GuardIsNegated ? "!" : "");
    printNumbered(OS, I.GuardIsUniform ? "UP" : "P", I.Guard, True, "T");
    OS << ' ';
  }
  OS << I.mnemonic();
  for (StringRef Modifier : I.Modifiers)
    OS << '.' << Modifier;
  StringRef Separator = " ";
  for (const MachineOperand &O : I.Operands) {
    if (O.IsHidden)
      continue;
    OS << Separator;
    printOperand(OS, O);
    Separator = ", ";
  }
}
