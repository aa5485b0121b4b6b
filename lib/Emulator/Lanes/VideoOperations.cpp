//===- VideoOperations.cpp - Arithmetic on bytes and halves ---------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// PTX ISA 9.7.18. Rare instructions with many modifiers: their loops decide
// lane by lane.
//===----------------------------------------------------------------------===//
#include "VideoOperations.h"
#include "LaneLoops.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::Opcode;

namespace {

__extension__ using Int128 = __int128;

enum class Relation : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };

/// A part of 32 bits.
struct Part {
  uint8_t Shift = 0, Bits = 32;
};

enum Flag : uint16_t {
  ASigned = 1,
  BSigned = 2,
  DSigned = 4,
  Saturates = 8,
  Wraps = 16,
  PlusOne = 32,
  NegatesProduct = 64,
  NegatesC = 128,
  Shifts7 = 256,
  Shifts15 = 512,
  AddsC = 1024,
  MinWithC = 2048,
  MaxWithC = 4096
};

/// Of an instruction on one part of each operand (scalar) or on all parts.
struct Control {
  uint16_t Flags;
  Relation Compare;
  /// Scalar: the part, 0 whole, 1 to 4 bytes, 5 and 6 halves.
  /// SIMD: of D the parts that are computed, a bit for each; of A and B a digit
  /// of 4 bits for each, the part of B:A that it is.
  uint8_t D;
  uint16_t A, B;

  bool has(Flag F) const { return Flags & F; }
};
static_assert(sizeof(Control) == sizeof(uint64_t),
              "a constant of the program holds it");

} // namespace

//===----------------------------------------------------------------------===//
// Selectors
//===----------------------------------------------------------------------===//

static Part partOf(unsigned Code) {
  if (Code == 0)
    return {};
  if (Code <= 4)
    return {uint8_t((Code - 1) * 8), 8};
  return {uint8_t((Code - 5) * 16), 16};
}

/// "b0" to "b3", "h0", "h1", or nothing.
static std::optional<uint16_t> scalarSelector(StringRef Text) {
  if (Text.empty())
    return 0;
  if (Text.size() != 2)
    return std::nullopt;
  unsigned Digit = unsigned(Text[1] - '0');
  if (Text[0] == 'b' && Digit < 4)
    return uint16_t(1 + Digit);
  if (Text[0] == 'h' && Digit < 2)
    return uint16_t(5 + Digit);
  return std::nullopt;
}

/// "h32", "b7654": a digit for each part, that of the highest part first.
static std::optional<uint16_t> simdSelector(StringRef Text, unsigned Parts,
                                            uint16_t Default) {
  if (Text.empty())
    return Default;
  if (Text.size() != Parts + 1 || Text[0] != (Parts == 2 ? 'h' : 'b'))
    return std::nullopt;
  uint16_t Digits = 0;
  for (char C : Text.drop_front()) {
    if (C < '0' || unsigned(C - '0') >= Parts * 2)
      return std::nullopt;
    Digits = uint16_t(Digits << 4 | (C - '0'));
  }
  return Digits;
}

/// "h1", "b310": the parts that are computed.
static std::optional<uint16_t> simdMask(StringRef Text, unsigned Parts) {
  if (Text.empty())
    return uint16_t((1 << Parts) - 1);
  if (Text[0] != (Parts == 2 ? 'h' : 'b') || Text.size() == 1)
    return std::nullopt;
  uint16_t Mask = 0;
  for (char C : Text.drop_front()) {
    if (C < '0' || unsigned(C - '0') >= Parts)
      return std::nullopt;
    Mask |= uint16_t(1 << (C - '0'));
  }
  return Mask;
}

//===----------------------------------------------------------------------===//
// Scalar instructions
//===----------------------------------------------------------------------===//

/// The Part of \p Value as a number of its type.
static int64_t extract(uint64_t Value, Part P, bool IsSigned) {
  uint64_t Raised = Value >> P.Shift << (64 - P.Bits);
  return IsSigned ? int64_t(Raised) >> (64 - P.Bits)
                  : int64_t(Raised >> (64 - P.Bits));
}

static Int128 clampTo(Int128 Value, unsigned Bits, bool IsSigned) {
  Int128 One = 1;
  Int128 High = (One << (IsSigned ? Bits - 1 : Bits)) - 1;
  Int128 Low = IsSigned ? -High - 1 : Int128(0);
  return std::min(std::max(Value, Low), High);
}

static bool compare(Relation R, int64_t A, int64_t B) {
  switch (R) {
  case Relation::Eq:
    return A == B;
  case Relation::Ne:
    return A != B;
  case Relation::Lt:
    return A < B;
  case Relation::Le:
    return A <= B;
  case Relation::Gt:
    return A > B;
  case Relation::Ge:
    return A >= B;
  }
  return false;
}

namespace {

struct Add {
  static Int128 apply(int64_t A, int64_t B, const Control &) {
    return Int128(A) + B;
  }
};
struct Sub {
  static Int128 apply(int64_t A, int64_t B, const Control &) {
    return Int128(A) - B;
  }
};
struct AbsDiff {
  static Int128 apply(int64_t A, int64_t B, const Control &) {
    return A < B ? B - A : A - B;
  }
};
struct Min {
  static Int128 apply(int64_t A, int64_t B, const Control &) {
    return std::min(A, B);
  }
};
struct Max {
  static Int128 apply(int64_t A, int64_t B, const Control &) {
    return std::max(A, B);
  }
};
/// Rounds halves away from zero.
struct Average {
  static Int128 apply(int64_t A, int64_t B, const Control &) {
    return A + B >= 0 ? (A + B + 1) >> 1 : (A + B) >> 1;
  }
};
struct Set {
  static Int128 apply(int64_t A, int64_t B, const Control &C) {
    return compare(C.Compare, A, B);
  }
};
template <bool Left>
struct Shift {
  static Int128 apply(int64_t A, int64_t B, const Control &C) {
    int64_t N = C.has(Wraps) ? B & 31 : std::min<int64_t>(B, 32);
    return Left ? Int128(A) * (Int128(1) << N) : Int128(A >> N);
  }
};

using Word = uint32_t;

/// The operands' registers in a lane; C is 0 without one.
template <class Each>
void forEachLane(const LaneArguments &A, const Each &Compute) {
  auto How =
      llvm::bit_cast<Control>(*static_cast<const uint64_t *>(A.Source[0]));
  auto *Dest = static_cast<Word *>(A.Dest[0]);
  const auto *SA = static_cast<const Word *>(A.Source[1]);
  const auto *SB = static_cast<const Word *>(A.Source[2]);
  const auto *SC = static_cast<const Word *>(A.Source[3]);
  for (unsigned L = 0; L != WarpSize; ++L)
    Dest[L] = Compute(SA[L], SB[L], SC ? SC[L] : 0, How);
}

/// Saturates, then combines with C or puts the part into C.
Word finishScalar(Int128 Value, Word C, const Control &How) {
  Part D = partOf(How.D);
  bool IsSigned = How.has(DSigned);
  if (How.has(Saturates))
    Value = clampTo(Value, D.Bits, IsSigned);
  auto Result = Word(Value);
  if (How.has(AddsC))
    return Result + C;
  bool CIsLess = IsSigned ? int32_t(C) < int32_t(Result) : C < Result;
  if (How.has(MinWithC))
    return CIsLess ? C : Result;
  if (How.has(MaxWithC))
    return CIsLess ? Result : C;
  if (D.Bits == 32)
    return Result;
  Word Mask = ((Word(1) << D.Bits) - 1) << D.Shift;
  return (Result << D.Shift & Mask) | (C & ~Mask);
}

template <class Op>
void runScalar(const LaneArguments &Arguments) {
  forEachLane(Arguments, [](Word A, Word B, Word C, const Control &How) {
    return finishScalar(Op::apply(extract(A, partOf(How.A), How.has(ASigned)),
                                  extract(B, partOf(How.B), How.has(BSigned)),
                                  How),
                        C, How);
  });
}

/// The signs of a, b and c make one negation: of the product or of c.
void runMad(const LaneArguments &Arguments) {
  forEachLane(Arguments, [](Word A, Word B, Word C, const Control &How) {
    bool IsSigned = How.has(DSigned); // of the sum
    Int128 Product = Int128(extract(A, partOf(How.A), How.has(ASigned))) *
                     extract(B, partOf(How.B), How.has(BSigned));
    Int128 Addend = IsSigned ? Int128(int32_t(C)) : Int128(C);
    if (How.has(NegatesProduct))
      Product = -Product;
    else if (How.has(NegatesC))
      Addend = -Addend;
    Int128 Sum = Product + Addend + How.has(PlusOne);
    Sum >>= How.has(Shifts7) ? 7 : How.has(Shifts15) ? 15 : 0;
    return Word(How.has(Saturates) ? clampTo(Sum, 32, IsSigned) : Sum);
  });
}

//===----------------------------------------------------------------------===//
// SIMD instructions
//===----------------------------------------------------------------------===//

template <class Op, unsigned Parts>
void runParts(const LaneArguments &Arguments) {
  forEachLane(Arguments, [](Word A, Word B, Word C, const Control &How) {
    constexpr unsigned Bits = 32 / Parts;
    uint64_t Pair = uint64_t(B) << 32 | A;
    Word Sum = C, Merged = 0;
    for (unsigned I = 0; I != Parts; ++I) {
      auto Choose = [&](uint16_t Digits, bool IsSigned) {
        unsigned Digit = Digits >> (I * 4) & 15;
        return extract(Pair, {uint8_t(Digit * Bits), Bits}, IsSigned);
      };
      Int128 Value = Op::apply(Choose(How.A, How.has(ASigned)),
                               Choose(How.B, How.has(BSigned)), How);
      if (How.has(Saturates))
        Value = clampTo(Value, Bits, How.has(DSigned));
      Word Mask = ((Word(1) << Bits) - 1) << (I * Bits);
      bool IsComputed = How.D >> I & 1;
      Sum += IsComputed ? Word(Value) : 0;
      Merged |= (IsComputed ? Word(Value) << (I * Bits) : C) & Mask;
    }
    return How.has(AddsC) ? Sum : Merged;
  });
}

/// The function of an instruction, and what its mnemonic may say.
struct Form {
  LaneFunction Run = nullptr;
  unsigned Parts = 1; ///< 1: scalar
  unsigned NumTypes = 3;
  bool IsShift = false, IsMad = false, IsSet = false;
};

} // namespace

template <class Op>
static Form simd(unsigned Parts, unsigned NumTypes = 3) {
  Form F;
  F.Run = Parts == 2 ? runParts<Op, 2> : runParts<Op, 4>;
  F.Parts = Parts;
  F.NumTypes = NumTypes;
  F.IsSet = NumTypes == 2;
  return F;
}

static Form formOf(Opcode Op) {
  switch (Op) {
  case Opcode::Vadd:
    return {runScalar<Add>};
  case Opcode::Vsub:
    return {runScalar<Sub>};
  case Opcode::Vabsdiff:
    return {runScalar<AbsDiff>};
  case Opcode::Vmin:
    return {runScalar<Min>};
  case Opcode::Vmax:
    return {runScalar<Max>};
  case Opcode::Vshl:
    return {runScalar<Shift<true>>, 1, 3, true};
  case Opcode::Vshr:
    return {runScalar<Shift<false>>, 1, 3, true};
  case Opcode::Vmad:
    return {runMad, 1, 3, false, true};
  case Opcode::Vset:
    return {runScalar<Set>, 1, 2, false, false, true};
  case Opcode::Vadd2:
    return simd<Add>(2);
  case Opcode::Vadd4:
    return simd<Add>(4);
  case Opcode::Vsub2:
    return simd<Sub>(2);
  case Opcode::Vsub4:
    return simd<Sub>(4);
  case Opcode::Vavrg2:
    return simd<Average>(2);
  case Opcode::Vavrg4:
    return simd<Average>(4);
  case Opcode::Vabsdiff2:
    return simd<AbsDiff>(2);
  case Opcode::Vabsdiff4:
    return simd<AbsDiff>(4);
  case Opcode::Vmin2:
    return simd<Min>(2);
  case Opcode::Vmin4:
    return simd<Min>(4);
  case Opcode::Vmax2:
    return simd<Max>(2);
  case Opcode::Vmax4:
    return simd<Max>(4);
  case Opcode::Vset2:
    return simd<Set>(2, 2);
  case Opcode::Vset4:
    return simd<Set>(4, 2);
  default:
    return {};
  }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// Takes the types and what else the mnemonic says. False if something is not
/// known.
static bool takeModifiers(const Form &F, LaneModifiers &M, Control &C) {
  // The result of a comparison is unsigned.
  static constexpr Flag OfTypes[] = {DSigned, ASigned, BSigned};
  for (unsigned I = 3 - F.NumTypes; I != 3; ++I) {
    StringRef Type = M.takeFront();
    if (Type == "s32")
      C.Flags |= OfTypes[I];
    else if (Type != "u32")
      return false;
  }
  if (F.IsSet) {
    static constexpr const char *Names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    const auto *Found = llvm::find(Names, M.takeFront());
    if (Found == std::end(Names))
      return false;
    C.Compare = Relation(Found - Names);
  } else if (M.take("sat")) {
    C.Flags |= Saturates;
  }
  if (F.IsShift) {
    if (M.take("wrap"))
      C.Flags |= Wraps;
    else if (!M.take("clamp"))
      return false;
  }
  if (F.IsMad) {
    if (M.take("shr7"))
      C.Flags |= Shifts7;
    else if (M.take("shr15"))
      C.Flags |= Shifts15;
    if (M.take("po"))
      C.Flags |= PlusOne;
  } else if (M.take("add")) {
    C.Flags |= AddsC;
  } else if (F.Parts == 1 && M.take("min")) {
    C.Flags |= MinWithC;
  } else if (F.Parts == 1 && M.take("max")) {
    C.Flags |= MaxWithC;
  }
  return M.empty();
}

std::optional<uint64_t>
emulator::videoControl(Opcode Op, StringRef Modifiers,
                       ArrayRef<VideoOperand> Operands) {
  Form F = formOf(Op);
  LaneModifiers M(Modifiers);
  Control C = {};
  if (!F.Run || Operands.size() < 3 || !takeModifiers(F, M, C))
    return std::nullopt;
  StringRef D = Operands[0].Selector, A = Operands[1].Selector,
            B = Operands[2].Selector;
  std::optional<uint16_t> SelectD, SelectA, SelectB;
  if (F.Parts == 1) {
    SelectD = scalarSelector(D);
    SelectA = scalarSelector(A);
    SelectB = scalarSelector(B);
  } else {
    SelectD = simdMask(D, F.Parts);
    SelectA = simdSelector(A, F.Parts, F.Parts == 2 ? 0x10 : 0x3210);
    SelectB = simdSelector(B, F.Parts, F.Parts == 2 ? 0x32 : 0x7654);
  }
  if (!SelectD || !SelectA || !SelectB)
    return std::nullopt;
  C.D = uint8_t(*SelectD);
  C.A = *SelectA;
  C.B = *SelectB;
  if (F.IsMad) {
    bool NegatesAddend = Operands.size() > 3 && Operands[3].IsNegated;
    if (Operands[1].IsNegated != Operands[2].IsNegated)
      C.Flags |= NegatesProduct;
    else if (NegatesAddend)
      C.Flags |= NegatesC;
    // The sum is signed if anything in it can be negative.
    bool IsSigned = C.has(ASigned) || C.has(BSigned) || C.has(NegatesProduct) ||
                    C.has(NegatesC);
    C.Flags = uint16_t((C.Flags & ~DSigned) | (IsSigned ? DSigned : 0));
  }
  return llvm::bit_cast<uint64_t>(C);
}

LaneFunction emulator::findVideoOperation(Opcode Op, StringRef,
                                          unsigned NumSources) {
  return NumSources == 3 || NumSources == 4 ? formOf(Op).Run : nullptr;
}
