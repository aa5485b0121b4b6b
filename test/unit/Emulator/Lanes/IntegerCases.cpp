//===- IntegerCases.cpp - Integer arithmetic on APInt ---------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.1 and 9.7.2.
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APInt;

using Binary = std::function<APInt(const APInt &, const APInt &)>;

namespace {
struct IntegerType {
  ScalarType Type;
  bool IsSigned;
  unsigned Bits;
  ScalarType Wide;
  std::string name() const { return "." + toString(Type).str(); }
  APInt extend(const APInt &A, unsigned Width) const {
    return IsSigned ? A.sext(Width) : A.zext(Width);
  }
};
} // namespace

static constexpr IntegerType Types[] = {
    {ScalarType::U16, false, 16, ScalarType::U32},
    {ScalarType::S16, true, 16, ScalarType::S32},
    {ScalarType::U32, false, 32, ScalarType::U64},
    {ScalarType::S32, true, 32, ScalarType::S64},
    {ScalarType::U64, false, 64, ScalarType::U64},
    {ScalarType::S64, true, 64, ScalarType::S64}};

static InstructionCase binary(const std::string &Mnemonic, ScalarType T,
                              const Binary &Op) {
  unsigned Bits = bitWidth(T);
  return {Mnemonic, {T}, {T, T}, [=](const LaneInput &In) -> LaneOutput {
            return Op(number(In, 0, Bits), number(In, 1, Bits));
          }};
}

/// Op on each of the elements of \p Bits bits of 32.
static InstructionCase packed(const std::string &Mnemonic, unsigned Bits,
                              unsigned NumSources, const Binary &Op) {
  std::vector<ScalarType> Sources(NumSources, ScalarType::B32);
  return {Mnemonic, {ScalarType::B32}, Sources, [=](const LaneInput &In) {
            APInt Result(32, 0);
            for (unsigned At = 0; At != 32; At += Bits)
              Result.insertBits(Op(number(In, 0, 32).extractBits(Bits, At),
                                   number(In, 1, 32).extractBits(Bits, At)),
                                At);
            return LaneOutput(Result);
          }};
}

static APInt high(const IntegerType &T, const APInt &A, const APInt &B) {
  return (T.extend(A, T.Bits * 2) * T.extend(B, T.Bits * 2))
      .extractBits(T.Bits, T.Bits);
}

static APInt divide(const IntegerType &T, const APInt &A, const APInt &B) {
  if (B.isZero())
    return APInt::getAllOnes(T.Bits);
  return T.IsSigned ? A.sdiv(B) : A.udiv(B);
}

static APInt remainder(const IntegerType &T, const APInt &A, const APInt &B) {
  if (B.isZero())
    return A;
  return T.IsSigned ? A.srem(B) : A.urem(B);
}

static APInt difference(const IntegerType &T, const APInt &A, const APInt &B) {
  return (T.IsSigned ? A.sgt(B) : A.ugt(B)) ? A - B : B - A;
}

static Binary addition(bool IsSigned, bool Saturates) {
  return [=](const APInt &A, const APInt &B) {
    return !Saturates ? A + B : IsSigned ? A.sadd_sat(B) : A.uadd_sat(B);
  };
}
static Binary subtraction(bool IsSigned, bool Saturates) {
  return [=](const APInt &A, const APInt &B) {
    return !Saturates ? A - B : IsSigned ? A.ssub_sat(B) : A.usub_sat(B);
  };
}
static Binary minimum(bool IsSigned, bool IsRelu = false) {
  return [=](const APInt &A, const APInt &B) {
    bool TakeA = IsSigned ? A.sle(B) : A.ule(B);
    const APInt &Result = TakeA ? A : B;
    return IsRelu && Result.isNegative() ? APInt(A.getBitWidth(), 0) : Result;
  };
}
static Binary maximum(bool IsSigned, bool IsRelu = false) {
  return [=](const APInt &A, const APInt &B) {
    bool TakeA = IsSigned ? A.sge(B) : A.uge(B);
    const APInt &Result = TakeA ? A : B;
    return IsRelu && Result.isNegative() ? APInt(A.getBitWidth(), 0) : Result;
  };
}
static APInt negate(const APInt &A, const APInt &) { return -A; }

static void addOneTyped(std::vector<InstructionCase> &Out,
                        const IntegerType &T) {
  auto Two = [&](const std::string &Name, const Binary &Op) {
    Out.push_back(binary(Name + T.name(), T.Type, Op));
  };
  auto Three = [&](const std::string &Name, ScalarType Wide, const Binary &Op) {
    unsigned Bits = T.Bits, Width = bitWidth(Wide);
    Out.push_back({Name + T.name(),
                   {Wide},
                   {T.Type, T.Type, Wide},
                   [=](const LaneInput &In) -> LaneOutput {
                     return Op(number(In, 0, Bits), number(In, 1, Bits)) +
                            number(In, 2, Width);
                   }});
  };
  auto One = [&](const std::string &Name, auto Op) {
    unsigned Bits = T.Bits;
    Out.push_back({Name + T.name(),
                   {T.Type},
                   {T.Type},
                   [=](const LaneInput &In) -> LaneOutput {
                     return Op(number(In, 0, Bits));
                   }});
  };
  Two("add", addition(T.IsSigned, false));
  Two("sub", subtraction(T.IsSigned, false));
  Two("min", minimum(T.IsSigned));
  Two("max", maximum(T.IsSigned));
  auto Low = [](const APInt &A, const APInt &B) { return A * B; };
  auto High = [=](const APInt &A, const APInt &B) { return high(T, A, B); };
  Two("mul.lo", Low);
  Two("mul.hi", High);
  Three("mad.lo", T.Type, Low);
  Three("mad.hi", T.Type, High);
  if (T.Bits != 64) {
    auto Wide = [=](const APInt &A, const APInt &B) {
      return T.extend(A, T.Bits * 2) * T.extend(B, T.Bits * 2);
    };
    unsigned Bits = T.Bits;
    Out.push_back({"mul.wide" + T.name(),
                   {T.Wide},
                   {T.Type, T.Type},
                   [=](const LaneInput &In) -> LaneOutput {
                     return Wide(number(In, 0, Bits), number(In, 1, Bits));
                   }});
    Three("mad.wide", T.Wide, Wide);
  }
  Three("sad", T.Type,
        [=](const APInt &A, const APInt &B) { return difference(T, A, B); });
  Two("div", [=](const APInt &A, const APInt &B) { return divide(T, A, B); });
  Two("rem",
      [=](const APInt &A, const APInt &B) { return remainder(T, A, B); });
  if (T.IsSigned) {
    One("abs", [](const APInt &A) { return A.abs(); });
    One("neg", [](const APInt &A) { return -A; });
  }
}

/// add.cc … madc.hi.cc of 32 and 64 bits.
static void addCarrying(std::vector<InstructionCase> &Out,
                        const IntegerType &T) {
  unsigned Bits = T.Bits;
  for (bool In : {false, true})
    for (bool Writes : {false, true}) {
      if (!In && !Writes)
        continue;
      auto Named = [&](const char *Name, const char *Part = "") {
        return (Twine(Name) + (In ? "c" : "") + Part + (Writes ? ".cc" : "") +
                T.name())
            .str();
      };
      auto Sum = [=](const APInt &A, const APInt &B, bool Carry) {
        APInt Total = A.zext(Bits + 1) + B.zext(Bits + 1) + (In && Carry);
        LaneOutput R(Total.trunc(Bits));
        R.Carry = Total[Bits];
        return R;
      };
      Out.push_back(
          {Named("add"), {T.Type}, {T.Type, T.Type}, [=](const LaneInput &I) {
             return Sum(number(I, 0, Bits), number(I, 1, Bits), I.Carry);
           }});
      Out.push_back(
          {Named("sub"), {T.Type}, {T.Type, T.Type}, [=](const LaneInput &I) {
             APInt Total = number(I, 0, Bits).zext(Bits + 1) -
                           number(I, 1, Bits).zext(Bits + 1) - (In && I.Carry);
             LaneOutput R(Total.trunc(Bits));
             R.Carry = Total[Bits];
             return R;
           }});
      for (bool IsHigh : {false, true})
        Out.push_back({Named("mad", IsHigh ? ".hi" : ".lo"),
                       {T.Type},
                       {T.Type, T.Type, T.Type},
                       [=](const LaneInput &I) {
                         APInt A = number(I, 0, Bits), B = number(I, 1, Bits);
                         return Sum(IsHigh ? high(T, A, B) : A * B,
                                    number(I, 2, Bits), I.Carry);
                       }});
    }
}

static void addPacked(std::vector<InstructionCase> &Out, bool IsSigned,
                      unsigned Bits) {
  std::string Type = (IsSigned ? ".s" : ".u") + std::to_string(Bits) + "x" +
                     std::to_string(32 / Bits);
  for (bool Saturates : {false, true}) {
    std::string Rest = (Saturates ? ".sat" : "") + Type;
    Out.push_back(packed("add" + Rest, Bits, 2, addition(IsSigned, Saturates)));
    Out.push_back(
        packed("sub" + Rest, Bits, 2, subtraction(IsSigned, Saturates)));
  }
  Out.push_back(packed("min" + Type, Bits, 2, minimum(IsSigned)));
  Out.push_back(packed("max" + Type, Bits, 2, maximum(IsSigned)));
  if (IsSigned) {
    Out.push_back(packed("min.relu" + Type, Bits, 2, minimum(true, true)));
    Out.push_back(packed("max.relu" + Type, Bits, 2, maximum(true, true)));
    Out.push_back(packed("neg" + Type, Bits, 1, negate));
  }
}

static void addMul24(std::vector<InstructionCase> &Out, bool IsSigned) {
  ScalarType T = IsSigned ? ScalarType::S32 : ScalarType::U32;
  auto Product = [=](const LaneInput &In) {
    APInt A = number(In, 0, 24), B = number(In, 1, 24);
    return IsSigned ? A.sext(48) * B.sext(48) : A.zext(48) * B.zext(48);
  };
  for (bool IsHigh : {false, true}) {
    std::string Rest =
        std::string(IsHigh ? ".hi" : ".lo") + (IsSigned ? ".s32" : ".u32");
    Out.push_back(
        {"mul24" + Rest, {T}, {T, T}, [=](const LaneInput &In) -> LaneOutput {
           return Product(In).extractBits(32, IsHigh ? 16 : 0);
         }});
    Out.push_back({"mad24" + Rest,
                   {T},
                   {T, T, T},
                   [=](const LaneInput &In) -> LaneOutput {
                     return Product(In).extractBits(32, IsHigh ? 16 : 0) +
                            number(In, 2, 32);
                   }});
  }
  if (IsSigned)
    Out.push_back({"mad24.hi.sat.s32",
                   {T},
                   {T, T, T},
                   [=](const LaneInput &In) -> LaneOutput {
                     return Product(In).extractBits(32, 16).sadd_sat(
                         number(In, 2, 32));
                   }});
}

/// dp4a and dp2a: elements of A times bytes of B from \p First on.
static void addDotProducts(std::vector<InstructionCase> &Out,
                           const std::string &Name, unsigned Count,
                           unsigned First) {
  for (bool ASigned : {false, true})
    for (bool BSigned : {false, true}) {
      unsigned Bits = 32 / Count;
      Out.push_back(
          {Name + (ASigned ? ".s32" : ".u32") + (BSigned ? ".s32" : ".u32"),
           {ScalarType::B32},
           {ScalarType::B32, ScalarType::B32, ScalarType::B32},
           [=](const LaneInput &In) -> LaneOutput {
             APInt Sum = number(In, 2, 32);
             for (unsigned I = 0; I != Count; ++I) {
               APInt A = number(In, 0, 32).extractBits(Bits, I * Bits);
               APInt B = number(In, 1, 32).extractBits(8, (First + I) * 8);
               Sum += (ASigned ? A.sext(32) : A.zext(32)) *
                      (BSigned ? B.sext(32) : B.zext(32));
             }
             return Sum;
           }});
    }
}

std::vector<InstructionCase> emulator::integerCases() {
  std::vector<InstructionCase> Out;
  for (const IntegerType &T : Types) {
    addOneTyped(Out, T);
    if (T.Bits != 16)
      addCarrying(Out, T);
  }
  for (const IntegerType &T : Types)
    if (T.Bits == 32) {
      Out.push_back(
          binary("add.sat" + T.name(), T.Type, addition(T.IsSigned, true)));
      Out.push_back(
          binary("sub.sat" + T.name(), T.Type, subtraction(T.IsSigned, true)));
    }
  for (bool IsSigned : {false, true}) {
    addPacked(Out, IsSigned, 16);
    addPacked(Out, IsSigned, 8);
    addMul24(Out, IsSigned);
  }
  ScalarType S32 = ScalarType::S32;
  Out.push_back(binary("min.relu.s32", S32, minimum(true, true)));
  Out.push_back(binary("max.s32.relu", S32, maximum(true, true)));
  Out.push_back({"mad.hi.sat.s32",
                 {S32},
                 {S32, S32, S32},
                 [](const LaneInput &In) -> LaneOutput {
                   return high(Types[3], number(In, 0, 32), number(In, 1, 32))
                       .sadd_sat(number(In, 2, 32));
                 }});
  addDotProducts(Out, "dp4a", 4, 0);
  addDotProducts(Out, "dp2a.lo", 2, 0);
  addDotProducts(Out, "dp2a.hi", 2, 2);
  return Out;
}
