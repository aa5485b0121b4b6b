//===- MatrixOperations.cpp - Finds the form of a matrix instruction ------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MatrixOperations.h"
#include "MatrixForms.h"
#include "MatrixKernels.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

#include <cfenv>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

namespace {

struct MatrixForm {
  StringRef Name; ///< of the types of A and B together
  MatrixShape Shape;
};

/// What the modifiers say, in whatever order they stand: ptxas takes any.
struct MatrixModifiers {
  MatrixShape Shape;
  SmallVector<StringRef, 5> Types;
  SmallVector<StringRef, 2> Layouts;
  StringRef Kind, ScaleVector;
  bool Satfinite = false, Xor = false, And = false, BlockScale = false;
  bool Transposed = false;
  int Rounding = FE_TONEAREST;
};

} // namespace

// The shapes of the table of PTX ISA 9.7.14.1. u8 goes with s8, u4 with s4, and
// the eight-bit floating point types with each other.
static constexpr MatrixForm MmaForms[] = {
    {"f16", {8, 8, 4}},    {"f16", {16, 8, 8}},      {"f16", {16, 8, 16}},
    {"bf16", {16, 8, 8}},  {"bf16", {16, 8, 16}},    {"tf32", {16, 8, 4}},
    {"tf32", {16, 8, 8}},  {"f64", {8, 8, 4}},       {"f64", {16, 8, 4}},
    {"f64", {16, 8, 8}},   {"f64", {16, 8, 16}},     {"f8", {16, 8, 16}},
    {"f8", {16, 8, 32}},   {"s8", {8, 8, 16}},       {"s8", {16, 8, 16}},
    {"s8", {16, 8, 32}},   {"s4", {8, 8, 32}},       {"s4", {16, 8, 32}},
    {"s4", {16, 8, 64}},   {"b1", {8, 8, 128}},      {"b1", {16, 8, 128}},
    {"b1", {16, 8, 256}},  {"f8f6f4", {16, 8, 32}},  {"mxf8f6f4", {16, 8, 32}},
    {"mxf4", {16, 8, 64}}, {"mxf4nvf4", {16, 8, 64}}};
static constexpr MatrixForm SparseForms[] = {
    {"f16", {16, 8, 16}},      {"f16", {16, 8, 32}},
    {"bf16", {16, 8, 16}},     {"bf16", {16, 8, 32}},
    {"tf32", {16, 8, 8}},      {"tf32", {16, 8, 16}},
    {"f8", {16, 8, 64}},       {"s8", {16, 8, 32}},
    {"s8", {16, 8, 64}},       {"s4", {16, 8, 64}},
    {"s4", {16, 8, 128}},      {"f8f6f4", {16, 8, 64}},
    {"mxf8f6f4", {16, 8, 64}}, {"mxf4", {16, 8, 128}},
    {"mxf4nvf4", {16, 8, 128}}};
static constexpr MatrixForm WmmaForms[] = {
    {"f16", {16, 16, 16}},  {"f16", {8, 32, 16}},  {"f16", {32, 8, 16}},
    {"bf16", {16, 16, 16}}, {"bf16", {8, 32, 16}}, {"bf16", {32, 8, 16}},
    {"s8", {16, 16, 16}},   {"s8", {8, 32, 16}},   {"s8", {32, 8, 16}},
    {"tf32", {16, 16, 8}},  {"f64", {8, 8, 4}},    {"s4", {8, 8, 32}},
    {"b1", {8, 8, 128}}};

std::optional<MatrixType> emulator::parseMatrixType(StringRef Part) {
  return llvm::StringSwitch<std::optional<MatrixType>>(Part)
      .Case("f16", MatrixType::F16)
      .Case("bf16", MatrixType::BF16)
      .Case("tf32", MatrixType::TF32)
      .Case("f32", MatrixType::F32)
      .Case("f64", MatrixType::F64)
      .Case("e4m3", MatrixType::E4M3)
      .Case("e5m2", MatrixType::E5M2)
      .Case("e3m2", MatrixType::E3M2)
      .Case("e2m3", MatrixType::E2M3)
      .Case("e2m1", MatrixType::E2M1)
      .Case("s8", MatrixType::S8)
      .Case("u8", MatrixType::U8)
      .Case("s4", MatrixType::S4)
      .Case("u4", MatrixType::U4)
      .Case("b1", MatrixType::B1)
      .Case("s32", MatrixType::S32)
      .Default(std::nullopt);
}

std::optional<MatrixShape> emulator::parseMatrixShape(StringRef Part) {
  MatrixShape Shape;
  if (!Part.consume_front("m") || Part.consumeInteger(10, Shape.M) ||
      !Part.consume_front("n") || Part.consumeInteger(10, Shape.N))
    return std::nullopt;
  if (Part.consume_front("k") && Part.consumeInteger(10, Shape.K))
    return std::nullopt;
  return Part.empty() ? std::optional(Shape) : std::nullopt;
}

static std::optional<MatrixModifiers> parseModifiers(StringRef Modifiers) {
  MatrixModifiers Result;
  SmallVector<StringRef, 16> Parts;
  Modifiers.split(Parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    if (Part == "sync" || Part == "aligned" || Part == "popc")
      continue;
    if (Part == "row" || Part == "col")
      Result.Layouts.push_back(Part);
    else if (parseMatrixType(Part) || Part == "ue8m0" || Part == "ue4m3" ||
             Part == "b16")
      Result.Types.push_back(Part);
    else if (Part == "satfinite")
      Result.Satfinite = true;
    else if (Part == "xor")
      Result.Xor = true;
    else if (Part == "and")
      Result.And = true;
    else if (Part == "block_scale")
      Result.BlockScale = true;
    else if (Part == "trans")
      Result.Transposed = true;
    else if (Part == "rn")
      Result.Rounding = FE_TONEAREST;
    else if (Part == "rz")
      Result.Rounding = FE_TOWARDZERO;
    else if (Part == "rm")
      Result.Rounding = FE_DOWNWARD;
    else if (Part == "rp")
      Result.Rounding = FE_UPWARD;
    else if (Part.consume_front("kind::"))
      Result.Kind = Part;
    else if (Part.consume_front("scale_vec::"))
      Result.ScaleVector = Part;
    else if (auto Shape = parseMatrixShape(Part))
      Result.Shape = *Shape;
    else
      return std::nullopt;
  }
  return Result;
}

static bool isF8F6F4(MatrixType Type) {
  return Type >= MatrixType::E4M3 && Type <= MatrixType::E2M1;
}

/// The name under which the tables above list the types of A and B.
static StringRef formName(StringRef Kind, MatrixType A, MatrixType B) {
  auto Both = [&](MatrixType X, MatrixType Y) {
    return (A == X || A == Y) && (B == X || B == Y);
  };
  bool EightBits = Both(MatrixType::E4M3, MatrixType::E5M2);
  if (Kind == "f8f6f4" && EightBits)
    return "f8";
  if (!Kind.empty()) {
    bool Fits = Kind.starts_with("mxf4") ? A == MatrixType::E2M1 && A == B
                                         : isF8F6F4(A) && isF8F6F4(B);
    return Fits ? Kind : "";
  }
  if (EightBits)
    return "f8";
  if (Both(MatrixType::S8, MatrixType::U8))
    return "s8";
  if (Both(MatrixType::S4, MatrixType::U4))
    return "s4";
  if (A != B)
    return "";
  switch (A) {
  case MatrixType::F16:
    return "f16";
  case MatrixType::BF16:
    return "bf16";
  case MatrixType::TF32:
    return "tf32";
  case MatrixType::F64:
    return "f64";
  case MatrixType::B1:
    return "b1";
  default:
    return "";
  }
}

static bool contains(ArrayRef<MatrixForm> Forms, StringRef Name,
                     const MatrixShape &Shape) {
  return llvm::any_of(Forms, [&](const MatrixForm &Form) {
    return Form.Name == Name && Form.Shape == Shape;
  });
}

bool emulator::isWmmaForm(MatrixType A, const MatrixShape &Shape) {
  return contains(WmmaForms, formName("", A, A), Shape);
}

bool emulator::accumulates(MatrixType D, MatrixType C, MatrixType A) {
  switch (A) {
  case MatrixType::F16:
  case MatrixType::E4M3:
  case MatrixType::E5M2:
  case MatrixType::E3M2:
  case MatrixType::E2M3:
  case MatrixType::E2M1:
    return (D == MatrixType::F16 || D == MatrixType::F32) &&
           (C == MatrixType::F16 || C == MatrixType::F32);
  case MatrixType::BF16:
  case MatrixType::TF32:
    return D == MatrixType::F32 && C == MatrixType::F32;
  case MatrixType::F64:
    return D == MatrixType::F64 && C == MatrixType::F64;
  default:
    return D == MatrixType::S32 && C == MatrixType::S32;
  }
}

MatrixFragment emulator::fragmentOf(MatrixType Type, unsigned Elements) {
  unsigned Bytes = Type == MatrixType::F64 ? 8 : 4;
  return {Type, Elements * bitsOf(Type) / (32 * 8 * Bytes), Bytes};
}

/// Reads .block_scale and .scale_vec; false if they do not fit .kind.
static bool findScale(const MatrixModifiers &Parsed, MatrixOperation &Op) {
  bool Scaled = Parsed.Kind.starts_with("mx");
  if (Scaled != Parsed.BlockScale)
    return false;
  if (!Scaled)
    return Parsed.Types.size() == 4 && Parsed.ScaleVector.empty();
  if (Parsed.Types.size() != 5 || Op.D.Type != MatrixType::F32 ||
      Op.C.Type != MatrixType::F32)
    return false;
  StringRef Vector = Parsed.ScaleVector;
  if (Vector.empty())
    Vector = Parsed.Kind == "mxf8f6f4" ? "1X"
             : Parsed.Kind == "mxf4"   ? "2X"
                                       : "";
  Op.ScaleE4M3 = Parsed.Types[4] == "ue4m3";
  Op.ScaleBlocks = Vector == "1X" ? 1 : Vector == "2X" ? 2 : 4;
  if (Parsed.Kind == "mxf8f6f4")
    return Vector == "1X" && Parsed.Types[4] == "ue8m0";
  if (Parsed.Kind == "mxf4")
    return Vector == "2X" && Parsed.Types[4] == "ue8m0";
  return Vector == "4X" || (Vector == "2X" && Parsed.Types[4] == "ue8m0");
}

static std::optional<MatrixOperation>
findMovmatrix(const MatrixModifiers &Parsed) {
  if (!(Parsed.Shape == MatrixShape{8, 8, 0}) || !Parsed.Transposed ||
      Parsed.Types.size() != 1 || Parsed.Types[0] != "b16")
    return std::nullopt;
  MatrixOperation Op;
  Op.M = Op.N = 8;
  Op.D = Op.A = {MatrixType::F16, 1, 4};
  Op.Function = transpose;
  return Op;
}

namespace {
/// The types and the family of a product D = A * B + C.
struct ProductForm {
  MatrixType D, A, B, C;
  bool Wmma, Sparse;
  bool InOrder;   ///< sparse: its indices must be in order
  bool QuadPairs; ///< m8n8k4: four products of eight lanes each
};
} // namespace

/// Whether PTX has a product of such types and modifiers.
static bool isProduct(const ProductForm &F, const MatrixModifiers &Parsed) {
  // D and C have one type, but that of m8n8k4 and wmma may grow.
  if (F.D != F.C && !F.Wmma && !(F.QuadPairs && F.D == MatrixType::F32))
    return false;
  // What came later than mma.sp wants its indices in order.
  if (F.Sparse && !F.InOrder &&
      (!Parsed.Kind.empty() || (isF8F6F4(F.A) && F.D == MatrixType::F16)))
    return false;
  bool AnyLayout = F.QuadPairs || (F.Wmma && bitsOf(F.A) >= 8);
  if (!AnyLayout && (Parsed.Layouts[0] == "col" || Parsed.Layouts[1] != "col"))
    return false;
  bool Integers = F.D == MatrixType::S32, Bits = F.A == MatrixType::B1;
  return !(Parsed.Satfinite && (!Integers || Bits)) &&
         Bits == (Parsed.Xor != Parsed.And) &&
         (Parsed.Rounding == FE_TONEAREST || F.A == MatrixType::F64);
}

/// The operation of a form that there is; nothing if its scale is wrong.
static std::optional<MatrixOperation>
makeProduct(const ProductForm &F, const MatrixModifiers &Parsed) {
  MatrixOperation Op;
  Op.M = Parsed.Shape.M;
  Op.N = Parsed.Shape.N;
  Op.K = Parsed.Shape.K;
  Op.ColumnA = Parsed.Layouts[0] == "col";
  Op.ColumnB = Parsed.Layouts[1] == "col";
  Op.Wmma = F.Wmma;
  Op.Sparse = F.Sparse;
  Op.Saturate = Parsed.Satfinite;
  Op.Xor = Parsed.Xor;
  Op.Rounding = Parsed.Rounding;
  bool IsPacked = Parsed.Kind.starts_with("mxf4");
  MatrixType A = IsPacked ? MatrixType::PackedE2M1 : F.A,
             B = IsPacked ? MatrixType::PackedE2M1 : F.B;
  Op.A = fragmentOf(A, Op.M * Op.K / (F.Sparse ? 2 : 1));
  Op.B = fragmentOf(B, Op.K * Op.N);
  Op.C = fragmentOf(F.C, Op.M * Op.N);
  Op.D = fragmentOf(F.D, Op.M * Op.N);
  if (!findScale(Parsed, Op))
    return std::nullopt;
  if (F.Wmma && A == MatrixType::F16)
    Op.A.NumRegisters = Op.B.NumRegisters = 8;
  if (F.QuadPairs) {
    Op.A.NumRegisters = Op.B.NumRegisters = 2;
    Op.C.NumRegisters = F.C == MatrixType::F16 ? 4 : 8;
    Op.D.NumRegisters = F.D == MatrixType::F16 ? 4 : 8;
  }
  Op.Function = F.QuadPairs                  ? multiplyQuadPairs
                : A == MatrixType::F64       ? multiplyDouble
                : A == MatrixType::B1        ? multiplyBits
                : F.Sparse || Op.ScaleBlocks ? multiplySparseOrScaled
                                             : multiplyDense;
  return Op;
}

std::optional<MatrixOperation>
emulator::findMatrixOperation(ptx::Opcode Opcode, StringRef Modifiers) {
  bool Wmma = Opcode == ptx::Opcode::WmmaMma;
  bool Sparse =
      Opcode == ptx::Opcode::MmaSp || Opcode == ptx::Opcode::MmaSpOrdered;
  bool Move = Opcode == ptx::Opcode::Movmatrix;
  if (!Wmma && !Sparse && !Move && Opcode != ptx::Opcode::Mma)
    return std::nullopt;
  std::optional<MatrixModifiers> Parsed = parseModifiers(Modifiers);
  if (!Parsed)
    return std::nullopt;
  if (Move)
    return findMovmatrix(*Parsed);
  // wmma.mma of f16, and no other, names D and C alone.
  bool Implied = Wmma && Parsed->Types.size() == 2;
  if (Implied)
    Parsed->Types.insert(Parsed->Types.begin() + 1, 2, "f16");
  if (Parsed->Types.size() < 4 || Parsed->Layouts.size() != 2)
    return std::nullopt;
  std::optional<MatrixType> D = parseMatrixType(Parsed->Types[0]),
                            A = parseMatrixType(Parsed->Types[1]),
                            B = parseMatrixType(Parsed->Types[2]),
                            C = parseMatrixType(Parsed->Types[3]);
  if (!D || !A || !B || !C || !accumulates(*D, *C, *A))
    return std::nullopt;

  ArrayRef<MatrixForm> Forms = Wmma     ? ArrayRef(WmmaForms)
                               : Sparse ? ArrayRef(SparseForms)
                                        : ArrayRef(MmaForms);
  if (!contains(Forms, formName(Parsed->Kind, *A, *B), Parsed->Shape) ||
      (Wmma && (*A != *B || Implied != (*A == MatrixType::F16))))
    return std::nullopt;
  const ProductForm Form = {*D,
                            *A,
                            *B,
                            *C,
                            Wmma,
                            Sparse,
                            Opcode == ptx::Opcode::MmaSpOrdered,
                            !Wmma && *A == MatrixType::F16 &&
                                Parsed->Shape.K == 4};
  if (!isProduct(Form, *Parsed))
    return std::nullopt;
  return makeProduct(Form, *Parsed);
}
