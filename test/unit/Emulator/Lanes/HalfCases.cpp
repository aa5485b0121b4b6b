//===- HalfCases.cpp - Arithmetic on f16 and bf16 -------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"
#include "LaneCases.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APFloat;
using llvm::fltSemantics;
using llvm::RoundingMode;

namespace {
struct HalfCase {
  std::string Name; ///< "fma"
  bool Ftz = false, Sat = false, Relu = false;
  bool NaN = false, XorSign = false;
  std::string Type = "f16";

  unsigned numSources() const {
    return Name == "fma" ? 3 : Name == "neg" || Name == "abs" ? 1 : 2;
  }
  std::string mnemonic(StringRef Suffix = "") const {
    return Name + (Name == "fma" ? ".rn" : "") + (Ftz ? ".ftz" : "") +
           (Sat ? ".sat" : "") + (Relu ? ".relu" : "") + (NaN ? ".NaN" : "") +
           (XorSign ? ".xorsign.abs" : "") + "." + Type + Suffix.str();
  }
};

uint64_t expected(const HalfCase &C, ArrayRef<uint64_t> Bits) {
  const fltSemantics &Format = *formatOf(C.Type);
  SmallVector<APFloat, 3> V;
  for (uint64_t B : Bits)
    V.push_back(flushed(numberOf(Format, B), C.Ftz));
  APFloat R = V[0];
  if (C.Name == "add")
    R.add(V[1], ToEven);
  else if (C.Name == "sub")
    R.subtract(V[1], ToEven);
  else if (C.Name == "mul")
    R.multiply(V[1], ToEven);
  else if (C.Name == "fma")
    R.fusedMultiplyAdd(V[1], V[2], ToEven);
  else if (C.Name == "neg")
    R.changeSign();
  else if (C.Name == "abs")
    R.clearSign();
  else {
    bool IsNegative = V[0].isNegative() != V[1].isNegative();
    if (C.XorSign)
      for (APFloat &F : V)
        F.clearSign();
    bool IsMax = C.Name == "max";
    if (C.NaN)
      R = IsMax ? llvm::maximum(V[0], V[1]) : llvm::minimum(V[0], V[1]);
    else
      R = IsMax ? llvm::maximumnum(V[0], V[1]) : llvm::minimumnum(V[0], V[1]);
    if (C.XorSign && R.isNegative() != IsNegative)
      R.changeSign();
  }
  R = flushed(R, C.Ftz);
  if (C.Sat && (R.isNaN() || R.isNegative()))
    R = APFloat::getZero(Format);
  if (C.Sat && R > APFloat::getOne(Format))
    R = APFloat::getOne(Format);
  if (C.Relu && !R.isNaN() && R.isNegative())
    R = APFloat::getZero(Format);
  return bitsOf(R);
}

std::vector<HalfCase> allHalfCases() {
  std::vector<HalfCase> All;
  for (const char *Name : {"add", "sub", "mul", "fma"})
    for (bool Ftz : {false, true})
      for (bool Sat : {false, true})
        for (bool Relu : {false, true})
          if (!Relu || (!Sat && StringRef(Name) == "fma")) {
            All.push_back({Name, Ftz, Sat, Relu});
            if (!Ftz && !Sat)
              All.push_back({Name, false, false, Relu, false, false, "bf16"});
          }
  for (const char *Name : {"neg", "abs", "min", "max"})
    for (bool Ftz : {false, true})
      for (bool NaN : {false, true})
        for (bool Xor : {false, true})
          if ((!NaN && !Xor) || Name[0] == 'm') {
            All.push_back({Name, Ftz, false, false, NaN, Xor});
            if (!Ftz)
              All.push_back({Name, false, false, false, NaN, Xor, "bf16"});
          }
  return All;
}

} // namespace

std::vector<InstructionCase> emulator::halfCases() {
  std::vector<InstructionCase> Cases;
  for (const HalfCase &C : allHalfCases()) {
    unsigned N = C.numSources();
    bool IsBFloat = C.Type == "bf16";
    ScalarType One = IsBFloat ? ScalarType::B16 : ScalarType::F16;
    ScalarType Two = IsBFloat ? ScalarType::B32 : ScalarType::F16x2;
    Cases.push_back({C.mnemonic(),
                     {One},
                     std::vector<ScalarType>(N, One),
                     [C, N](const LaneInput &Input) {
                       return LaneOutput(expected(C, {Input.Source, N}));
                     }});
    Cases.push_back(
        {C.mnemonic("x2"),
         {Two},
         std::vector<ScalarType>(N, Two),
         [C, N](const LaneInput &Input) {
           SmallVector<uint64_t, 3> Low, High;
           for (uint64_t Bits : ArrayRef<uint64_t>(Input.Source, N)) {
             Low.push_back(Bits & 0xffff);
             High.push_back(Bits >> 16);
           }
           return LaneOutput(expected(C, High) << 16 | expected(C, Low));
         }});
  }
  return Cases;
}
