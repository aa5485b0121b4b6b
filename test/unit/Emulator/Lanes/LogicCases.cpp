//===- LogicCases.cpp - Bits and shifts, bit by bit -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.1, 9.7.8 and 9.7.9, as their loops over bits say it.
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APInt;

static constexpr ScalarType Pred = ScalarType::Pred, B32 = ScalarType::B32,
                            U32 = ScalarType::U32, S32 = ScalarType::S32,
                            B64 = ScalarType::B64, U64 = ScalarType::U64;

static void addLogic(std::vector<InstructionCase> &Out) {
  for (ScalarType T : {Pred, ScalarType::B16, B32, B64}) {
    unsigned Bits = bitWidth(T);
    auto Two = [&](const char *Name, auto Op) {
      Out.push_back({Name + dotted(T),
                     {T},
                     {T, T},
                     [=](const LaneInput &In) -> LaneOutput {
                       return Op(number(In, 0, Bits), number(In, 1, Bits));
                     }});
    };
    Two("and", [](const APInt &A, const APInt &B) { return A & B; });
    Two("or", [](const APInt &A, const APInt &B) { return A | B; });
    Two("xor", [](const APInt &A, const APInt &B) { return A ^ B; });
    Out.push_back(
        {"not" + dotted(T), {T}, {T}, [=](const LaneInput &In) -> LaneOutput {
           return ~number(In, 0, Bits);
         }});
    if (T != Pred)
      Out.push_back({"cnot" + dotted(T),
                     {T},
                     {T},
                     [=](const LaneInput &In) -> LaneOutput {
                       return uint64_t(number(In, 0, Bits).isZero());
                     }});
  }
}

static void addMoves(std::vector<InstructionCase> &Out) {
  for (ScalarType T :
       {Pred, ScalarType::B16, ScalarType::U16, ScalarType::S16, B32, U32, S32,
        B64, U64, ScalarType::S64, ScalarType::F32, ScalarType::F64})
    Out.push_back({"mov" + dotted(T), {T}, {T}, [](const LaneInput &In) {
                     return LaneOutput(In.Source[0]);
                   }});
}

static void addShifts(std::vector<InstructionCase> &Out) {
  for (ScalarType T : {ScalarType::B16, B32, B64, ScalarType::U16, U32, U64,
                       ScalarType::S16, S32, ScalarType::S64}) {
    unsigned Bits = bitWidth(T);
    if (kindOf(T) == TypeKind::Bits)
      Out.push_back({"shl" + dotted(T),
                     {T},
                     {T, U32},
                     [=](const LaneInput &In) -> LaneOutput {
                       return number(In, 0, Bits).shl(number(In, 1, 32));
                     }});
    bool IsSigned = kindOf(T) == TypeKind::Signed;
    Out.push_back({"shr" + dotted(T),
                   {T},
                   {T, U32},
                   [=](const LaneInput &In) -> LaneOutput {
                     APInt A = number(In, 0, Bits), N = number(In, 1, 32);
                     return IsSigned ? A.ashr(N) : A.lshr(N);
                   }});
  }
  for (bool Left : {false, true})
    for (bool Clamp : {false, true})
      Out.push_back({std::string("shf") + (Left ? ".l" : ".r") +
                         (Clamp ? ".clamp" : ".wrap") + ".b32",
                     {B32},
                     {B32, B32, U32},
                     [=](const LaneInput &In) -> LaneOutput {
                       APInt A = number(In, 0, 32), B = number(In, 1, 32);
                       uint64_t N = In.Source[2];
                       N = Clamp ? std::min<uint64_t>(N, 32) : N % 32;
                       unsigned S = unsigned(N);
                       return Left ? B.shl(S) | A.lshr(32 - S)
                                   : B.shl(32 - S) | A.lshr(S);
                     }});
}

static uint64_t highestBit(const APInt &A) {
  for (unsigned I = A.getBitWidth(); I-- > 0;)
    if (A[I])
      return I;
  return 0xffffffff;
}

static void addCounts(std::vector<InstructionCase> &Out) {
  for (ScalarType T : {B32, B64}) {
    unsigned Bits = bitWidth(T);
    Out.push_back({"popc" + dotted(T),
                   {U32},
                   {T},
                   [=](const LaneInput &In) -> LaneOutput {
                     return uint64_t(number(In, 0, Bits).popcount());
                   }});
    Out.push_back(
        {"clz" + dotted(T), {U32}, {T}, [=](const LaneInput &In) -> LaneOutput {
           return uint64_t(number(In, 0, Bits).countl_zero());
         }});
    Out.push_back(
        {"brev" + dotted(T), {T}, {T}, [=](const LaneInput &In) -> LaneOutput {
           return number(In, 0, Bits).reverseBits();
         }});
  }
  for (ScalarType T : {U32, S32, U64, ScalarType::S64})
    for (bool Shift : {false, true}) {
      unsigned Bits = bitWidth(T);
      bool IsSigned = kindOf(T) == TypeKind::Signed;
      Out.push_back({(Shift ? "bfind.shiftamt" : "bfind") + dotted(T),
                     {U32},
                     {T},
                     [=](const LaneInput &In) -> LaneOutput {
                       APInt A = number(In, 0, Bits);
                       uint64_t Bit =
                           highestBit(IsSigned && A.isNegative() ? ~A : A);
                       return Shift && Bit != 0xffffffff ? Bits - 1 - Bit : Bit;
                     }});
    }
  Out.push_back({"fns.b32", {B32}, {B32, B32, S32}, [](const LaneInput &In) {
                   APInt Mask = number(In, 0, 32);
                   int64_t Base = int64_t(In.Source[1]);
                   int64_t Offset = int32_t(In.Source[2]);
                   if (Base >= 32)
                     return LaneOutput(0xffffffff);
                   if (Offset == 0)
                     return LaneOutput(Mask[unsigned(Base)] ? uint64_t(Base)
                                                            : 0xffffffff);
                   int64_t Count = std::abs(Offset) - 1;
                   for (int64_t P = Base; P >= 0 && P < 32;
                        P += Offset > 0 ? 1 : -1)
                     if (Mask[unsigned(P)]) {
                       if (Count == 0)
                         return LaneOutput(uint64_t(P));
                       --Count;
                     }
                   return LaneOutput(0xffffffff);
                 }});
}

static void addFields(std::vector<InstructionCase> &Out) {
  for (ScalarType T : {U32, S32, U64, ScalarType::S64}) {
    unsigned Bits = bitWidth(T), Msb = Bits - 1;
    bool IsSigned = kindOf(T) == TypeKind::Signed;
    Out.push_back(
        {"bfe" + dotted(T),
         {T},
         {T, U32, U32},
         [=](const LaneInput &In) -> LaneOutput {
           APInt A = number(In, 0, Bits), D(Bits, 0);
           unsigned Pos = In.Source[1] & 0xff, Len = In.Source[2] & 0xff;
           bool Sign = IsSigned && Len && A[std::min(Pos + Len - 1, Msb)];
           for (unsigned I = 0; I != Bits; ++I)
             D.setBitVal(I, I < Len && Pos + I <= Msb ? A[Pos + I] : Sign);
           return D;
         }});
  }
  for (ScalarType T : {B32, B64}) {
    unsigned Bits = bitWidth(T);
    Out.push_back({"bfi" + dotted(T),
                   {T},
                   {T, T, U32, U32},
                   [=](const LaneInput &In) -> LaneOutput {
                     APInt A = number(In, 0, Bits), F = number(In, 1, Bits);
                     unsigned Pos = In.Source[2] & 0xff,
                              Len = In.Source[3] & 0xff;
                     for (unsigned I = 0; I < Len && Pos + I < Bits; ++I)
                       F.setBitVal(Pos + I, I < Bits && A[I]);
                     return F;
                   }});
  }
  for (bool Clamp : {false, true}) {
    std::string Mode = Clamp ? ".clamp" : ".wrap";
    Out.push_back({"bmsk" + Mode + ".b32",
                   {B32},
                   {U32, U32},
                   [=](const LaneInput &In) -> LaneOutput {
                     uint64_t First = In.Source[0], Count = In.Source[1];
                     if (!Clamp) {
                       First %= 32;
                       Count %= 32;
                     }
                     APInt D(32, 0);
                     for (uint64_t I = First; I < 32 && I < First + Count; ++I)
                       D.setBit(unsigned(I));
                     return D;
                   }});
    for (bool IsSigned : {false, true})
      Out.push_back({"szext" + Mode + (IsSigned ? ".s32" : ".u32"),
                     {IsSigned ? S32 : U32},
                     {IsSigned ? S32 : U32, U32},
                     [=](const LaneInput &In) -> LaneOutput {
                       APInt A = number(In, 0, 32);
                       if (Clamp && In.Source[1] >= 32)
                         return A;
                       unsigned N = In.Source[1] % 32;
                       if (N == 0)
                         return APInt(32, 0);
                       return IsSigned ? A.trunc(N).sext(32)
                                       : A.trunc(N).zext(32);
                     }});
  }
}

static void addPermutations(std::vector<InstructionCase> &Out) {
  auto Byte = [](const LaneInput &In, unsigned I) {
    return In.Source[I / 4] >> (I % 4 * 8) & 0xff;
  };
  Out.push_back({"prmt.b32", {B32}, {B32, B32, B32}, [=](const LaneInput &In) {
                   uint64_t D = 0;
                   for (unsigned I = 0; I != 4; ++I) {
                     unsigned Select = In.Source[2] >> (I * 4) & 15;
                     uint64_t B = Byte(In, Select & 7);
                     if (Select & 8)
                       B = B & 0x80 ? 0xff : 0;
                     D |= B << (I * 8);
                   }
                   return LaneOutput(D);
                 }});
  // The byte of B:A that becomes byte I, for the two low bits N of C.
  auto Mode = [&](const char *Name,
                  unsigned (*Choose)(unsigned I, unsigned N)) {
    Out.push_back({std::string("prmt.b32.") + Name,
                   {B32},
                   {B32, B32, B32},
                   [=](const LaneInput &In) {
                     uint64_t D = 0;
                     for (unsigned I = 0; I != 4; ++I)
                       D |= Byte(In, Choose(I, In.Source[2] & 3)) << (I * 8);
                     return LaneOutput(D);
                   }});
  };
  Mode("f4e", [](unsigned I, unsigned N) { return N + I; });
  Mode("b4e", [](unsigned I, unsigned N) { return (N + 8 - I) % 8; });
  Mode("rc8", [](unsigned, unsigned N) { return N; });
  Mode("ecl", [](unsigned I, unsigned N) { return std::max(I, N); });
  Mode("ecr", [](unsigned I, unsigned N) { return std::min(I, N); });
  Mode("rc16", [](unsigned I, unsigned N) { return I % 2 + N % 2 * 2; });
}

static void addTables(std::vector<InstructionCase> &Out) {
  auto LookUp = [](const LaneInput &In, uint64_t Table) {
    APInt D(32, 0);
    for (unsigned I = 0; I != 32; ++I)
      D.setBitVal(I, Table >> ((In.Source[0] >> I & 1) * 4 +
                               (In.Source[1] >> I & 1) * 2 +
                               (In.Source[2] >> I & 1)) &
                         1);
    return D;
  };
  for (uint64_t Table = 0; Table != 256; ++Table)
    Out.push_back(
        {"lop3.b32",
         {B32},
         {B32, B32, B32, B32},
         [=](const LaneInput &In) -> LaneOutput { return LookUp(In, Table); },
         Table});
  for (bool IsOr : {false, true})
    for (uint64_t Table : {0x00, 0x01, 0x80, 0x96, 0xc0, 0xe8, 0xff})
      Out.push_back({IsOr ? "lop3.or.b32" : "lop3.and.b32",
                     {B32, Pred},
                     {B32, B32, B32, B32, Pred},
                     [=](const LaneInput &In) {
                       APInt D = LookUp(In, Table);
                       bool Q = In.Source[4], P = !D.isZero();
                       return LaneOutput(D.getZExtValue(),
                                         IsOr ? P || Q : P && Q);
                     },
                     Table});
}

static void addCarryless(std::vector<InstructionCase> &Out) {
  for (bool IsHigh : {false, true})
    Out.push_back({IsHigh ? "clmad.hi.u64" : "clmad.lo.u64",
                   {U64},
                   {U64, U64, U64},
                   [=](const LaneInput &In) -> LaneOutput {
                     APInt A = number(In, 0, 64).zext(128), Product(128, 0);
                     for (unsigned I = 0; I != 64; ++I)
                       if (In.Source[1] >> I & 1)
                         Product ^= A.shl(I);
                     return Product.extractBits(64, IsHigh ? 64 : 0) ^
                            number(In, 2, 64);
                   }});
}

std::vector<InstructionCase> emulator::logicCases() {
  std::vector<InstructionCase> Out;
  addLogic(Out);
  addMoves(Out);
  addShifts(Out);
  addCounts(Out);
  addFields(Out);
  addPermutations(Out);
  addTables(Out);
  addCarryless(Out);
  return Out;
}
