//===- LiftMatrix.cpp - Products of matrices ------------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LiftFunction.h"

using namespace ptxpredict;
using namespace ptxpredict::sass;

namespace {
/// M, N and K of "16816" or "16x8x16"; N is always 8.
struct ProductShape {
  unsigned M = 0, K = 0;
  std::string name() const {
    return "m" + std::to_string(M) + "n8k" + std::to_string(K);
  }
  /// How many registers of a lane have so many elements.
  static unsigned registers(unsigned Elements, unsigned Bits) {
    constexpr unsigned BitsOfWarp = 32 * 32;
    return std::max(1U, Elements * Bits / BitsOfWarp);
  }
  unsigned first(unsigned Bits) const { return registers(M * K, Bits); }
  unsigned second(unsigned Bits) const { return registers(8 * K, Bits); }
  unsigned sum(unsigned Bits) const { return registers(M * 8, Bits); }
};
} // namespace

/// The shape; K is 0 if no word says it.
static ProductShape shapeOf(const MachineInstruction &I) {
  ProductShape Shape;
  for (StringRef W : I.Modifiers) {
    StringRef Rest = W;
    unsigned M = 0, K = 0;
    const bool HasSixteen =
        Rest.consume_front("16x8x") || Rest.consume_front("168");
    if (HasSixteen)
      M = 16;
    else if (Rest.consume_front("8x8x") || Rest.consume_front("88"))
      M = 8;
    if (M != 0 && !Rest.getAsInteger(10, K))
      Shape = {M, K};
  }
  return Shape;
}

/// The registers among the operands, the result first.
static SmallVector<const MachineOperand *, 6>
productRegisters(const MachineInstruction &I) {
  SmallVector<const MachineOperand *, 6> All;
  for (const MachineOperand &O : I.Operands)
    if (O.Kind == OperandKind::Register)
      All.push_back(&O);
  return All;
}

/// So many registers from \p O on.
Operand FunctionLift::registersFrom(const MachineOperand &O, unsigned N) {
  SmallVector<Operand, 8> All;
  for (unsigned R = 0; R != N; ++R)
    All.push_back(raw(O, R));
  return vector(All);
}

/// The first registers of the result.
Operand FunctionLift::resultsFrom(unsigned N) {
  SmallVector<Operand, 8> All;
  for (unsigned R = 0; R != N; ++R)
    All.push_back(isSink(result()) ? temporary(Word) : result(R));
  return vector(All);
}

/// DMMA: pairs of registers.
bool FunctionLift::liftDoubleProduct() {
  const ProductShape Shape = shapeOf(machine());
  const auto Of = productRegisters(machine());
  if (Shape.K == 0 || Of.size() < 4)
    return false;
  constexpr unsigned Bits = 64;
  auto Doubles = [&](const MachineOperand &O, unsigned Words) {
    SmallVector<Operand, 8> All;
    for (unsigned N = 0; N != Words; N += 2) {
      MachineOperand Low = O;
      if (O.Number != MachineOperand::RegisterZero)
        Low.Number += N;
      All.push_back(O.Number == MachineOperand::RegisterZero ? number(0, Wide)
                                                             : wide(Low));
    }
    return vector(All);
  };
  const unsigned Sums = Shape.sum(Bits);
  SmallVector<Operand, 8> Results;
  for (unsigned N = 0; N != Sums; N += 2)
    Results.push_back(temporary(Wide));
  emitMain("mma.sync.aligned." + Shape.name() + ".row.col.f64.f64.f64.f64",
           {vector(Results), Doubles(*Of[1], Shape.first(Bits)),
            Doubles(*Of[2], Shape.second(Bits)), Doubles(*Of[3], Sums)});
  for (unsigned N = 0; N != Sums && !isSink(result()); N += 2)
    emit("mov.b64", {vector({result(N), result(N + 1)}), Results[N / 2]});
  return true;
}

namespace {
/// What a product says of its elements: their types, bits and sum.
struct ProductTypes {
  std::string First, Second, Sum;
  unsigned Bits = 0, SumBits = 32;
};
} // namespace

static ProductTypes typesOf(const MachineInstruction &I) {
  ProductTypes T;
  const StringRef Name = I.mnemonic();
  SmallVector<std::string, 2> Words;
  for (StringRef W : I.Modifiers)
    if (W == "U8" || W == "S8" || W == "U4" || W == "S4" || W == "E4M3" ||
        W == "E5M2" || W == "E2M1" || W == "E2M3" || W == "E3M2")
      Words.push_back(W.lower());
  if (Name == "HMMA") {
    T.First = hasWord(I, "BF16") ? "bf16" : hasWord(I, "TF32") ? "tf32" : "f16";
    T.Second = T.First;
    T.Bits = T.First == "tf32" ? 32 : 16;
  } else if (Name == "BMMA") {
    T.First = T.Second = "b1";
    T.Bits = 1;
  } else if (Words.size() == 2) {
    T.First = Words[0], T.Second = Words[1];
    // What is narrower than a byte lies in one.
    T.Bits = Name == "OMMA" || Words[0].back() == '4' ? 4 : 8;
    if (Name == "QMMA")
      T.Bits = 8;
  }
  const bool IsFloat = Name == "HMMA" || Name == "QMMA" || Name == "OMMA";
  T.Sum = !IsFloat ? "s32" : hasWord(I, "F32") ? "f32" : "f16";
  T.SumBits = T.Sum == "f16" ? 16 : 32;
  return T;
}

/// Whether a float has less than 8 bits.
static bool isNarrow(StringRef Type) {
  return Type == "e2m1" || Type == "e2m3" || Type == "e3m2";
}

/// Products of sparse matrices, of bits, and of narrow floats, which may be
/// scaled.
bool FunctionLift::liftOtherProduct(StringRef Name) {
  const ProductShape Shape = shapeOf(machine());
  const ProductTypes T = typesOf(machine());
  const auto Of = productRegisters(machine());
  const bool IsSparse = has("SP"), IsScaled = has("SF");
  if (Shape.K == 0 || T.Bits == 0 ||
      Of.size() < 4U + (IsSparse || IsScaled ? 1 : 0) + (IsScaled ? 1 : 0) ||
      (IsSparse && IsScaled))
    return false;
  std::string Kind;
  if (IsScaled)
    Kind = Name == "QMMA" ? ".kind::mxf8f6f4.block_scale.scale_vec::1X"
           : has("UE4M3.4X") || has("4X")
               ? ".kind::mxf4nvf4.block_scale.scale_vec::4X"
               : ".kind::mxf4.block_scale.scale_vec::2X";
  else if (Name == "QMMA" && (isNarrow(T.First) || isNarrow(T.Second)))
    Kind = ".kind::f8f6f4";
  constexpr unsigned FirstOrdered = 100;
  const std::string Start = !IsSparse ? "mma"
                            : architecture() >= FirstOrdered
                                ? "mma.sp::ordered_metadata"
                                : "mma.sp";
  std::string End;
  if (Name == "BMMA")
    End = has("XOR") ? ".xor.popc" : ".and.popc";
  if (IsScaled)
    End = StringRef(Kind).ends_with("4X") ? ".ue4m3" : ".ue8m0";
  SmallVector<Operand, 8> All{
      resultsFrom(Shape.sum(T.SumBits)),
      registersFrom(*Of[1], Shape.first(T.Bits) / (IsSparse ? 2 : 1)),
      registersFrom(*Of[2], Shape.second(T.Bits)),
      registersFrom(*Of[3], Shape.sum(T.SumBits))};
  if (IsSparse) {
    All.push_back(raw(*Of[4]));
    All.push_back(number(uint64_t(machine().Operands.back().Value)));
  }
  if (IsScaled) {
    // Which bytes of which lanes are the scales.
    const Operand Where = raw(machine().Operands.back());
    auto Field = [&](unsigned Lowest, unsigned Width) {
      return compute(
          "cvt.u16.u32", ScalarType::B16,
          {compute("bfe.u32", Word, {Where, number(Lowest), number(Width)})});
    };
    constexpr unsigned FirstByte = 0, FirstLane = 2, SecondByte = 3,
                       SecondLane = 5;
    All.push_back(raw(*Of[4]));
    All.push_back(vector({Field(FirstByte, 2), Field(FirstLane, 1)}));
    All.push_back(raw(*Of[5]));
    All.push_back(vector({Field(SecondByte, 2), Field(SecondLane, 2)}));
  }
  emitMain(Start + ".sync.aligned." + Shape.name() + ".row.col" + Kind +
               (has("SAT") ? ".satfinite" : "") + "." + T.Sum + "." + T.First +
               "." + T.Second + "." + T.Sum + End,
           All);
  return true;
}

bool FunctionLift::liftMatrix(StringRef Name) {
  auto Registers = [&](const MachineOperand *O, unsigned N) {
    SmallVector<Operand, 4> All;
    for (unsigned R = 0; R != N; ++R)
      All.push_back(O ? raw(*O, R) : number(0));
    return vector(All);
  };
  auto Results = [&](unsigned N) {
    SmallVector<Operand, 4> All;
    for (unsigned R = 0; R != N; ++R)
      All.push_back(result(R));
    return vector(All);
  };
  const MachineOperand *A = source(0), *B = source(1), *C = source(2);
  if (Name == "HMMA") {
    if (has("884")) // of quarters of a warp
      return false;
    if (has("SP"))
      return liftOtherProduct(Name);
    const bool IsFloat = has("F32");
    const StringRef Sum = IsFloat ? "f32" : "f16";
    const StringRef Type = has("BF16") ? "bf16" : has("TF32") ? "tf32" : "f16";
    const unsigned Sums = IsFloat ? 4 : 2;
    const bool IsLong = has("16816"), IsShort = has("1684");
    const StringRef Shape = IsLong    ? "m16n8k16"
                            : IsShort ? "m16n8k4"
                                      : "m16n8k8";
    unsigned As = IsLong ? 4 : 2, Bs = IsLong ? 2 : 1;
    if (Type == "tf32") {
      As = IsShort ? 2 : 4;
      Bs = IsShort ? 1 : 2;
    }
    emitMain("mma.sync.aligned." + Shape + ".row.col." + Sum + "." + Type +
                 "." + Type + "." + Sum,
             {Results(Sums), Registers(A, As), Registers(B, Bs),
              Registers(C, Sums)});
    return true;
  }
  if (Name == "IMMA") {
    if (has("SP"))
      return liftOtherProduct(Name);
    SmallVector<StringRef, 2> Types;
    StringRef Shape;
    for (StringRef W : machine().Modifiers) {
      if (W == "U8" || W == "S8" || W == "U4" || W == "S4")
        Types.push_back(W);
      else if (W != "SAT")
        Shape = W;
    }
    if (Types.size() != 2)
      return false;
    const StringRef PTX = Shape == "8816"    ? "m8n8k16"
                          : Shape == "8832"  ? "m8n8k32"
                          : Shape == "16816" ? "m16n8k16"
                          : Shape == "16832" ? "m16n8k32"
                          : Shape == "16864" ? "m16n8k64"
                                             : "";
    if (PTX.empty())
      return false;
    const bool IsSmall = PTX.starts_with("m8");
    const unsigned Bits = Types[0].ends_with("8") ? 8 : 4;
    const unsigned K = PTX.ends_with("k64")   ? 64
                       : PTX.ends_with("k32") ? 32
                                              : 16;
    const unsigned As = (IsSmall ? 8 : 16) * K * Bits / 1024,
                   Bs = 8 * K * Bits / 1024, Sums = IsSmall ? 2 : 4;
    emitMain("mma.sync.aligned." + PTX + ".row.col" +
                 (has("SAT") ? ".satfinite" : "") + ".s32." + Types[0].lower() +
                 "." + Types[1].lower() + ".s32",
             {Results(Sums), Registers(A, As), Registers(B, Bs),
              Registers(C, Sums)});
    return true;
  }
  if (Name == "DMMA")
    return liftDoubleProduct();
  if (Name == "BMMA" || Name == "QMMA" || Name == "OMMA")
    return liftOtherProduct(Name);
  if (Name == "MOVM") {
    if (!has("16.MT88"))
      return false;
    emitMain("movmatrix.sync.aligned.m8n8.trans.b16",
             {result(), A ? raw(*A) : number(0)});
    return true;
  }
  return false;
}
