//===- VideoCases.cpp - Video instructions on APInt -----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.18, on numbers of 128 bits.
//===----------------------------------------------------------------------===//
#include "InstructionCases.h"
#include "llvm/ADT/APSInt.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using llvm::APInt;

static constexpr unsigned Wide = 128;

using WideOperation = std::function<APInt(const APInt &, const APInt &)>;

namespace {
struct VideoOperation {
  const char *Name;
  WideOperation Op;
};
} // namespace

static APInt ofBool(bool B) { return APInt(Wide, B); }

static std::vector<VideoOperation> comparisons() {
  return {
      {".eq", [](const APInt &A, const APInt &B) { return ofBool(A == B); }},
      {".ne", [](const APInt &A, const APInt &B) { return ofBool(A != B); }},
      {".lt", [](const APInt &A, const APInt &B) { return ofBool(A.slt(B)); }},
      {".le", [](const APInt &A, const APInt &B) { return ofBool(A.sle(B)); }},
      {".gt", [](const APInt &A, const APInt &B) { return ofBool(A.sgt(B)); }},
      {".ge", [](const APInt &A, const APInt &B) { return ofBool(A.sge(B)); }}};
}

static std::vector<VideoOperation> arithmetic() {
  return {
      {"vadd", [](const APInt &A, const APInt &B) { return A + B; }},
      {"vsub", [](const APInt &A, const APInt &B) { return A - B; }},
      {"vabsdiff",
       [](const APInt &A, const APInt &B) { return (A - B).abs(); }},
      {"vmin", [](const APInt &A, const APInt &B) { return A.slt(B) ? A : B; }},
      {"vmax",
       [](const APInt &A, const APInt &B) { return A.slt(B) ? B : A; }}};
}

static std::string typeName(bool IsSigned) {
  return IsSigned ? ".s32" : ".u32";
}

static APInt extended(const APInt &A, bool IsSigned) {
  return IsSigned ? A.sext(Wide) : A.zext(Wide);
}

static APInt saturated(const APInt &A, unsigned Bits, bool IsSigned) {
  if (IsSigned)
    return A.truncSSat(Bits).sext(Wide);
  return A.isNegative() ? APInt(Wide, 0) : A.truncUSat(Bits).zext(Wide);
}

/// What `b1` or `h0` names: its lowest bit and its width.
static std::pair<unsigned, unsigned> part(StringRef Selector) {
  if (Selector.empty())
    return {0, 32};
  unsigned Bits = Selector[0] == 'b' ? 8 : 16;
  return {unsigned(Selector[1] - '0') * Bits, Bits};
}

static APInt select(const APInt &A, StringRef Selector, bool IsSigned) {
  auto [At, Bits] = part(Selector);
  return extended(A.extractBits(Bits, At), IsSigned);
}

/// An instruction on one part of each operand, in all its ways to end.
static void addScalar(std::vector<InstructionCase> &Out,
                      const std::string &Head, const std::string &Tail,
                      bool DSigned, bool ASigned, bool BSigned,
                      const std::vector<std::string> &Selectors,
                      bool MaySaturate, const WideOperation &Op) {
  const std::string &D = Selectors[0], &A = Selectors[1], &B = Selectors[2];
  for (bool Saturate : {false, true})
    for (std::string Second : {"", ".add", ".min", ".max"}) {
      if ((Saturate && !MaySaturate) || (!D.empty() && !Second.empty()))
        continue;
      bool HasC = !D.empty() || !Second.empty();
      std::vector<std::string> Written = Selectors;
      Written.resize(HasC ? 4 : 3);
      std::string Mnemonic = Head;
      Mnemonic += Saturate ? ".sat" : "";
      Mnemonic += Tail;
      Mnemonic += Second;
      Out.push_back({Mnemonic,
                     {ScalarType::B32},
                     std::vector<ScalarType>(HasC ? 3 : 2, ScalarType::B32),
                     [=](const LaneInput &In) -> LaneOutput {
                       APInt T = Op(select(number(In, 0, 32), A, ASigned),
                                    select(number(In, 1, 32), B, BSigned));
                       auto [At, Bits] = part(D);
                       if (Saturate)
                         T = saturated(T, Bits, DSigned);
                       APInt R = T.trunc(32), C = number(In, 2, 32);
                       if (Second == ".add")
                         return R + C;
                       if (Second == ".min")
                         return (DSigned ? R.slt(C) : R.ult(C)) ? R : C;
                       if (Second == ".max")
                         return (DSigned ? R.slt(C) : R.ult(C)) ? C : R;
                       if (D.empty())
                         return R;
                       C.insertBits(R.trunc(Bits), At);
                       return C;
                     },
                     std::nullopt,
                     Written});
    }
}

static void addScalars(std::vector<InstructionCase> &Out) {
  const std::vector<std::string> Choices[] = {
      {"", "", ""},     {"", "b0", "h1"},   {"", "h0", "b3"},
      {"h0", "", ""},   {"b2", "b1", "b2"}, {"h1", "", "h0"},
      {"b3", "h1", ""}, {"b0", "b3", "b0"}};
  for (unsigned Types = 0; Types != 8; ++Types) {
    bool D = Types & 1, A = Types & 2, B = Types & 4;
    for (const auto &S : Choices) {
      for (const VideoOperation &N : arithmetic())
        addScalar(Out, N.Name + typeName(D) + typeName(A) + typeName(B), "", D,
                  A, B, S, true, N.Op);
      if (!D)
        for (const VideoOperation &N : comparisons())
          addScalar(Out, "vset" + typeName(A) + typeName(B) + N.Name, "", false,
                    A, B, S, false, N.Op);
      if (B) // an amount has no sign
        continue;
      for (bool Clamp : {false, true}) {
        auto Amount = [=](const APInt &N) {
          uint64_t Value = N.getZExtValue();
          return unsigned(Clamp ? std::min<uint64_t>(Value, 32) : Value % 32);
        };
        std::string Mode = Clamp ? ".clamp" : ".wrap";
        addScalar(Out, "vshl" + typeName(D) + typeName(A) + ".u32", Mode, D, A,
                  false, S, true, [=](const APInt &V, const APInt &N) {
                    return V.shl(Amount(N));
                  });
        addScalar(Out, "vshr" + typeName(D) + typeName(A) + ".u32", Mode, D, A,
                  false, S, true, [=](const APInt &V, const APInt &N) {
                    return V.ashr(Amount(N));
                  });
      }
    }
  }
}

static void addMad(std::vector<InstructionCase> &Out) {
  struct Signs {
    const char *A, *B, *C;
  };
  for (bool ASigned : {false, true})
    for (bool BSigned : {false, true})
      for (bool Saturate : {false, true})
        for (unsigned Scale : {0, 7, 15})
          for (Signs S :
               {Signs{"", "", ""}, Signs{"-", "", ""}, Signs{"-b1", "-h1", ""},
                Signs{"h0", "b3", "-"}, Signs{"po", "", ""}}) {
            bool PlusOne = StringRef(S.A) == "po";
            std::string A = PlusOne ? "" : S.A, B = S.B, C = S.C;
            bool NegA = StringRef(A).starts_with("-"),
                 NegB = StringRef(B).starts_with("-"), NegC = C == "-";
            bool Signed = ASigned || BSigned || NegA != NegB || NegC;
            std::string Mnemonic = "vmad" + typeName(Signed);
            Mnemonic += typeName(ASigned);
            Mnemonic += typeName(BSigned);
            Mnemonic += PlusOne ? ".po" : "";
            Mnemonic += Saturate ? ".sat" : "";
            if (Scale)
              Mnemonic += ".shr" + std::to_string(Scale);
            Out.push_back(
                {Mnemonic,
                 {ScalarType::B32},
                 {ScalarType::B32, ScalarType::B32, ScalarType::B32},
                 [=](const LaneInput &In) -> LaneOutput {
                   APInt P = select(number(In, 0, 32), StringRef(A).ltrim('-'),
                                    ASigned) *
                             select(number(In, 1, 32), StringRef(B).ltrim('-'),
                                    BSigned);
                   if (NegA != NegB)
                     P = -P;
                   APInt Addend = extended(number(In, 2, 32), Signed);
                   APInt T = P + (NegC ? -Addend : Addend) + PlusOne;
                   T = T.ashr(Scale);
                   return (Saturate ? saturated(T, 32, Signed) : T).trunc(32);
                 },
                 std::nullopt,
                 {"", A, B, C}});
          }
}

/// An instruction on halves or bytes, with merging and accumulation.
static void addParallel(std::vector<InstructionCase> &Out,
                        const std::string &Head, const std::string &Tail,
                        unsigned Parts, bool DSigned, bool ASigned,
                        bool BSigned, bool MaySaturate,
                        const WideOperation &Op) {
  struct Choice {
    std::string Mask, A, B;
  };
  std::vector<Choice> Choices = {{"", "", ""}};
  if (Parts == 2) {
    Choices.push_back({"h0", "h10", "h32"});
    Choices.push_back({"h1", "h23", "h01"});
    Choices.push_back({"h10", "h30", ""});
  } else {
    Choices.push_back({"b3210", "b7654", "b3210"});
    Choices.push_back({"b20", "", "b0123"});
    Choices.push_back({"b1", "b5061", ""});
  }
  unsigned Bits = 32 / Parts;
  for (const Choice &S : Choices)
    for (unsigned End : {0, 1, 2}) { // merged, saturated, accumulated
      if (End == 1 && !MaySaturate)
        continue;
      // The digit of part I; the highest part is written first.
      auto Digit = [=](const std::string &Text, unsigned Default, unsigned I) {
        return Text.empty() ? Default + I : unsigned(Text[Parts - I] - '0');
      };
      std::string Mnemonic = Head + (End == 1 ? ".sat" : "");
      Mnemonic += Tail;
      Mnemonic += End == 2 ? ".add" : "";
      Out.push_back(
          {Mnemonic,
           {ScalarType::B32},
           {ScalarType::B32, ScalarType::B32, ScalarType::B32},
           [=](const LaneInput &In) -> LaneOutput {
             APInt Pair = number(In, 1, 32).concat(number(In, 0, 32));
             APInt C = number(In, 2, 32), Sum = C, Merged = C;
             for (unsigned I = 0; I != Parts; ++I) {
               if (!S.Mask.empty() &&
                   S.Mask.find(char('0' + I)) == std::string::npos)
                 continue;
               APInt A = Pair.extractBits(Bits, Digit(S.A, 0, I) * Bits);
               APInt B = Pair.extractBits(Bits, Digit(S.B, Parts, I) * Bits);
               APInt T = Op(extended(A, ASigned), extended(B, BSigned));
               if (End == 1)
                 T = saturated(T, Bits, DSigned);
               Sum += T.trunc(32);
               Merged.insertBits(T.trunc(Bits), I * Bits);
             }
             return End == 2 ? Sum : Merged;
           },
           std::nullopt,
           {S.Mask, S.A, S.B, ""}});
    }
}

static void addParallels(std::vector<InstructionCase> &Out) {
  std::vector<VideoOperation> Operations = arithmetic();
  // Halves go away from zero.
  Operations.push_back({"vavrg", [](const APInt &A, const APInt &B) {
                          APInt Sum = A + B;
                          return (Sum + !Sum.isNegative()).ashr(1);
                        }});
  for (unsigned Parts : {2, 4})
    for (unsigned Types = 0; Types != 8; ++Types) {
      bool D = Types & 1, A = Types & 2, B = Types & 4;
      std::string Number = std::to_string(Parts);
      for (const VideoOperation &N : Operations) {
        std::string Head = N.Name + Number;
        Head += typeName(D);
        Head += typeName(A);
        Head += typeName(B);
        addParallel(Out, Head, "", Parts, D, A, B, true, N.Op);
      }
      if (!D)
        for (const VideoOperation &N : comparisons()) {
          std::string Head = "vset" + Number;
          Head += typeName(A);
          Head += typeName(B);
          addParallel(Out, Head, N.Name, Parts, false, A, B, false, N.Op);
        }
    }
}

std::vector<InstructionCase> emulator::videoCases() {
  std::vector<InstructionCase> Out;
  addScalars(Out);
  addMad(Out);
  addParallels(Out);
  return Out;
}
