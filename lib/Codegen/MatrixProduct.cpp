//===- MatrixProduct.cpp - What a matrix instruction multiplies -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/Codegen/MatrixProduct.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "ptxpredict/ISA/TensorShapes.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace ptxpredict;
using ptx::hasModifier;
using ptx::Opcode;

std::string MatrixProduct::type() const {
  std::string Text = A.str();
  if (B != A)
    Text += "x" + B.str();
  Text += "-" + D.str();
  if (!Scaling.empty())
    Text += "-" + Scaling.str();
  return IsSparse ? Text + "-sparse" : Text;
}

std::string MatrixProduct::shape() const {
  return "m" + std::to_string(M) + "n" + std::to_string(N) + "k" +
         std::to_string(K);
}

//===----------------------------------------------------------------------===//
// wmma, mma and wgmma: all of it is written
//===----------------------------------------------------------------------===//

static bool isElement(StringRef Modifier) {
  return llvm::StringSwitch<bool>(Modifier)
      .Cases({"f16", "bf16", "tf32", "f32", "f64"}, true)
      .Cases({"s4", "u4", "s8", "u8", "s32", "b1"}, true)
      .Cases({"e4m3", "e5m2", "e3m2", "e2m3", "e2m1"}, true)
      .Default(false);
}

static bool parseShape(StringRef Text, MatrixProduct &P) {
  return Text.consume_front("m") && !Text.consumeInteger(10, P.M) &&
         Text.consume_front("n") && !Text.consumeInteger(10, P.N) &&
         Text.consume_front("k") && !Text.consumeInteger(10, P.K) &&
         Text.empty();
}

/// The name of a kind with scales.
static StringRef scalingOf(StringRef Kind) {
  return Kind.starts_with("mx") ? Kind : StringRef();
}

/// What an element takes in shared memory. Narrow ones have a byte each, but in
/// the kinds that are for fp4 alone (PTX ISA, "Data-movement for tcgen05").
static unsigned bitsOf(StringRef Element, StringRef Scaling) {
  return llvm::StringSwitch<unsigned>(Element)
      .Cases({"f16", "bf16"}, 16)
      .Case("tf32", 32)
      .Case("b1", 1)
      .Default(Scaling.starts_with("mxf4") ? 4 : 8);
}

/// Half of a sparse A is there; a pair of SMs has each row and column once.
static unsigned sharedBytes(const MatrixProduct &P, bool HasA) {
  const unsigned OfA = HasA ? P.M * P.K * bitsOf(P.A, P.Scaling) / 8 : 0;
  return OfA / (P.IsSparse ? 2 : 1) + P.N * P.K * bitsOf(P.B, P.Scaling) / 8;
}

static std::optional<MatrixProduct> findWritten(const Instruction &I) {
  MatrixProduct P;
  SmallVector<StringRef, 4> Types;
  SmallVector<StringRef, 12> Parts;
  I.Modifiers.split(Parts, '.', -1, /*KeepEmpty=*/false);
  bool HasShape = false;
  for (StringRef Part : Parts) {
    if (isElement(Part))
      Types.push_back(Part);
    else if (Part.consume_front("kind::"))
      P.Scaling = scalingOf(Part);
    else if (!HasShape)
      HasShape = parseShape(Part, P);
  }
  if (!HasShape || Types.size() < 2)
    return std::nullopt;
  // wmma of halves has the types of D and C alone.
  const bool OfHalves = Types.size() == 2;
  P.D = Types[0];
  P.A = OfHalves ? "f16" : Types[1];
  P.B = OfHalves ? "f16" : Types[2];
  const auto Op = Opcode(I.Opcode);
  P.IsSparse = Op == Opcode::MmaSp || Op == Opcode::MmaSpOrdered ||
               Op == Opcode::WgmmaMmaAsyncSp;
  if (Op == Opcode::WgmmaMmaAsync || Op == Opcode::WgmmaMmaAsyncSp) {
    P.Warps = 4;
    P.SharedBytes =
        sharedBytes(P, I.Operands.size() < 2 ||
                           I.Operands[1].Kind != Operand::KindTy::Vector);
  }
  // "mma.m8n8k4 with .f16": each quad pair has matrices of its own.
  if (P.M == 8 && P.K == 4 && P.A == "f16")
    P.Times = 4;
  P.MACs = Estimate::known(double(P.M) * P.N * P.K * P.Times / P.Warps);
  return P;
}

//===----------------------------------------------------------------------===//
// tcgen05: the descriptor has it (PTX ISA, "Instruction Descriptor")
//===----------------------------------------------------------------------===//

namespace {

/// A field of a descriptor, or its bounds.
struct Field {
  unsigned Low, High;

  Field(DescriptorBits Bits, unsigned First, unsigned Number) {
    const uint32_t Mask = (1u << Number) - 1;
    Low = Bits.Ones >> First & Mask;
    High = ~Bits.Zeros >> First & Mask;
  }
  bool isKnown() const { return Low == High; }
};

/// An extent: what the descriptor says, or what is usual within its bounds.
struct Extent {
  unsigned Value, Low, High;

  Extent(Field F, unsigned Unit, unsigned Least, unsigned Usual, unsigned Most)
      : Value(F.Low * Unit), Low(Value), High(Value) {
    if (F.isKnown() && Value >= Least && Value <= Most)
      return;
    const bool IsWrong = F.isKnown();
    Low = IsWrong ? Least : std::clamp(F.Low * Unit, Least, Most);
    High = IsWrong ? Most : std::clamp(F.High * Unit, Low, Most);
    Value = std::clamp(Usual, Low, High);
  }
  bool isKnown() const { return Low == High; }
};

class TensorProductFinder {
public:
  TensorProductFinder(const Instruction &I, DescriptorBits Bits)
      : I(I), Bits(Bits) {}
  std::optional<MatrixProduct> find();

private:
  bool has(StringRef Modifier) const {
    return hasModifier(I.Modifiers, Modifier);
  }
  StringRef elementOf(Field F);
  StringRef sumOf();
  void assume(bool IsWrong) {
    P.IsAssumed = true;
    P.IsWrong |= IsWrong;
  }
  void setShape();

  const Instruction &I;
  const DescriptorBits Bits;
  StringRef Kind; ///< "f16"
  MatrixProduct P;
};

} // namespace

/// The type of a multiplicand.
StringRef TensorProductFinder::elementOf(Field F) {
  static constexpr StringRef Halves[] = {"f16", "bf16"}, Bytes[] = {"u8", "s8"},
                             Small[] = {"e4m3", "e5m2", "",
                                        "e2m3", "e3m2", "e2m1"};
  if (Kind == "tf32")
    return "tf32";
  if (Kind == "mxf4" || Kind == "mxf4nvf4")
    return "e2m1";
  const ArrayRef<StringRef> Types = Kind == "f16"  ? ArrayRef(Halves)
                                    : Kind == "i8" ? ArrayRef(Bytes)
                                                   : ArrayRef(Small);
  if (F.isKnown() && F.Low < Types.size() && !Types[F.Low].empty())
    return Types[F.Low];
  assume(/*IsWrong=*/F.isKnown());
  return Kind == "i8" ? "s8" : Types[0];
}

/// The type of the sum.
StringRef TensorProductFinder::sumOf() {
  if (!P.Scaling.empty())
    return "f32";
  const Field F(Bits, 4, 2);
  const unsigned Only = Kind == "i8" ? 2 : 1;
  const bool HasOne = Kind == "i8" || Kind == "tf32";
  if (F.isKnown() && F.Low != Only && (HasOne || F.Low != 0))
    assume(/*IsWrong=*/true);
  if (HasOne)
    return Kind == "i8" ? "s32" : "f32";
  P.IsAssumed |= !F.isKnown();
  return F.isKnown() && F.Low == 0 ? "f16" : "f32";
}

void TensorProductFinder::setShape() {
  const bool IsPair = P.SMs == 2,
             IsStationary = Opcode(I.Opcode) == Opcode::Tcgen05MmaWs ||
                            Opcode(I.Opcode) == Opcode::Tcgen05MmaWsSp;
  Field FieldOfM(Bits, 24, 5), FieldOfN(Bits, 17, 6);
  if (FieldOfM.isKnown() && FieldOfN.isKnown() &&
      !hasTensorShape({FieldOfM.Low * 16, FieldOfN.Low * 8, P.SMs, IsStationary,
                       !P.Scaling.empty(), Kind == "i8"})) {
    assume(/*IsWrong=*/true);
    FieldOfM = FieldOfN = Field({}, 0, 6); // any
  }
  const Extent M(FieldOfM, 16,
                 IsPair         ? 128
                 : IsStationary ? 32
                                : 64,
                 128 * P.SMs, 128 * P.SMs),
      N(FieldOfN, 8, IsStationary ? 64 : 8, 256, 256);
  P.M = M.Value, P.N = N.Value;
  // Rows of 32 bytes, whatever of a byte an element has; packed ones of four
  // bits have K of 64, or of 96 where bit 31 says so.
  const bool IsPacked = Kind == "mxf4" || Kind == "mxf4nvf4";
  P.K = Kind == "f16" ? 16 : Kind == "tf32" ? 8 : IsPacked ? 64 : 32;
  if (P.IsSparse)
    P.K *= 2;
  else if (const Field F(Bits, 31, 1); IsPacked && F.isKnown() && F.Low)
    P.K = 96;
  P.MACs = Estimate::known(double(P.M) * P.N * P.K);
  if (M.isKnown() && N.isKnown())
    return;
  P.IsAssumed = true;
  P.MACs = {P.MACs.Value, Status::Assumed, double(M.Low) * N.Low * P.K,
            double(M.High) * N.High * P.K};
}

std::optional<MatrixProduct> TensorProductFinder::find() {
  SmallVector<StringRef, 8> Parts;
  I.Modifiers.split(Parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts)
    if (Part.consume_front("kind::"))
      Kind = Part;
  if (Kind.empty())
    return std::nullopt;
  P.Scaling = scalingOf(Kind);
  P.SMs = has("cta_group::2") ? 2 : 1;
  P.IsOfThread = true;
  P.IsSparse = Opcode(I.Opcode) == Opcode::Tcgen05MmaSp ||
               Opcode(I.Opcode) == Opcode::Tcgen05MmaWsSp;
  P.A = elementOf(Field(Bits, 7, 3));
  P.B = elementOf(Field(Bits, 10, 3));
  P.D = sumOf();
  setShape();
  // An address is one of tensor memory.
  P.SharedBytes =
      sharedBytes(P, I.Operands.size() < 2 ||
                         I.Operands[1].Kind != Operand::KindTy::Address);
  return P;
}

const Operand *ptxpredict::instructionDescriptorOf(const Instruction &I) {
  switch (Opcode(I.Opcode)) {
  case Opcode::Tcgen05Mma:
  case Opcode::Tcgen05MmaSp:
  case Opcode::Tcgen05MmaWs:
  case Opcode::Tcgen05MmaWsSp:
    break;
  default:
    return nullptr;
  }
  // Behind D, A, B and perhaps the place of metadata.
  for (const Operand &O :
       I.Operands.drop_front(std::min<size_t>(I.Operands.size(), 3)))
    if (O.Kind != Operand::KindTy::Address)
      return &O;
  return nullptr;
}

std::optional<MatrixProduct>
ptxpredict::findMatrixProduct(const Instruction &I, DescriptorBits Bits) {
  if (I.Class != OpClass::Tensor)
    return std::nullopt;
  if (!instructionDescriptorOf(I))
    return findWritten(I);
  return TensorProductFinder(I, Bits).find();
}
