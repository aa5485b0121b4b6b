//===- WarpgroupMatrices.cpp - wgmma.mma_async ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "WarpgroupMatrices.h"
#include "MatrixForms.h"
#include "MatrixFragments.h"
#include "MatrixKernels.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

/// Whether PTX has the types, and with them the immediates that there are:
/// scales and transpositions of 16 bits, scales alone of floating point.
static std::optional<unsigned> immediatesOf(const WarpgroupOperation &F) {
  switch (F.A) {
  case MatrixType::F16:
    return F.B == F.A && (F.D == MatrixType::F16 || F.D == MatrixType::F32)
               ? std::optional(4u)
               : std::nullopt;
  case MatrixType::BF16:
  case MatrixType::TF32:
    return F.B == F.A && F.D == MatrixType::F32
               ? std::optional(F.A == MatrixType::BF16 ? 4u : 2u)
               : std::nullopt;
  case MatrixType::E4M3:
  case MatrixType::E5M2:
    return (F.B == MatrixType::E4M3 || F.B == MatrixType::E5M2) &&
                   (F.D == MatrixType::F16 || F.D == MatrixType::F32)
               ? std::optional(2u)
               : std::nullopt;
  case MatrixType::S8:
  case MatrixType::U8:
    return (F.B == MatrixType::S8 || F.B == MatrixType::U8) &&
                   F.D == MatrixType::S32
               ? std::optional(0u)
               : std::nullopt;
  case MatrixType::B1:
    return F.B == F.A && F.D == MatrixType::S32 && !F.Sparse ? std::optional(0u)
                                                             : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Whether a matrix of the types may have N columns.
static bool isWidth(const WarpgroupOperation &F) {
  if (F.N < 8 || F.N > 256 || F.N % 8 != 0)
    return false;
  // Of integers: 8, 16, 24, 32, then multiples of 16.
  return F.D != MatrixType::S32 || F.N <= 32 || F.N % 16 == 0;
}

/// Types and shape that the modifiers say, be there such a form or not. False
/// if they say none.
static bool readForm(ptx::Opcode Op, StringRef Modifiers,
                     WarpgroupOperation &F) {
  F.Sparse = Op == ptx::Opcode::WgmmaMmaAsyncSp;
  if (!F.Sparse && Op != ptx::Opcode::WgmmaMmaAsync)
    return false;
  SmallVector<MatrixType, 3> Types;
  MatrixShape Shape;
  SmallVector<StringRef, 8> Parts;
  Modifiers.split(Parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    if (std::optional<MatrixType> T = parseMatrixType(Part))
      Types.push_back(*T);
    else if (std::optional<MatrixShape> Parsed = parseMatrixShape(Part))
      Shape = *Parsed;
    F.Saturate |= Part == "satfinite";
  }
  if (Types.size() != 3 || Shape.M != 64)
    return false;
  F.D = Types[0], F.A = Types[1], F.B = Types[2];
  F.N = Shape.N, F.K = Shape.K;
  return true;
}

/// K of the instruction: a row of A takes 32 bytes.
static unsigned depthOf(const WarpgroupOperation &F) {
  return (F.Sparse ? 2 : 1) * 256 / bitsOf(F.A);
}

std::string emulator::whyNoWarpgroupForm(ptx::Opcode Op, StringRef Modifiers) {
  WarpgroupOperation F;
  if (!readForm(Op, Modifiers, F))
    return {};
  if (!immediatesOf(F))
    return "wgmma has no such types of D, A and B";
  if (F.K != depthOf(F))
    return ("wgmma has K = " + Twine(depthOf(F)) + " for these types, not " +
            Twine(F.K))
        .str();
  if (!isWidth(F))
    return ("wgmma has no N = " + Twine(F.N) + " for these types").str();
  return {};
}

std::optional<WarpgroupOperation>
emulator::findWarpgroupOperation(ptx::Opcode Op, StringRef Modifiers,
                                 const WarpgroupImmediates &Immediates) {
  WarpgroupOperation F;
  if (!readForm(Op, Modifiers, F))
    return std::nullopt;
  F.AInRegisters = Immediates.AInRegisters;
  F.Selector = Immediates.Selector;
  std::optional<unsigned> Wanted = immediatesOf(F);
  if (!Wanted || !isWidth(F) || F.K != depthOf(F) ||
      F.Selector > (bitsOf(F.A) == 8 ? 0 : 1))
    return std::nullopt;
  if (F.AInRegisters && *Wanted == 4)
    *Wanted = 3; // only B may be transposed
  ArrayRef<int64_t> V = Immediates.Values;
  if (V.size() != *Wanted)
    return std::nullopt;
  if (V.empty())
    return F;
  auto IsScale = [](int64_t X) { return X == 1 || X == -1; };
  if (!IsScale(V[0]) || !IsScale(V[1]))
    return std::nullopt;
  F.NegatesA = V[0] < 0, F.NegatesB = V[1] < 0;
  if (V.size() > 2)
    F.TransposesB = V.back() != 0;
  if (V.size() == 4)
    F.TransposesA = V[2] != 0;
  return F;
}

//===----------------------------------------------------------------------===//
// Multiplicands
//===----------------------------------------------------------------------===//

static void negate(std::vector<float> &Elements) {
  for (float &E : Elements)
    E = -E;
}

std::optional<uint64_t> WarpgroupOperation::readB(const SharedMatrix &M,
                                                  const SharedBytes &From,
                                                  Multiplicand &Out) const {
  if (B == MatrixType::B1) {
    Out.Words.resize(size_t(N) * K / 32);
    return readWords(M, From, N, K / 32, Out.Words.data());
  }
  std::vector<float> Columns(size_t(N) * K);
  if (auto Missing = readMatrix(M, From, B, N, K, Columns.data()))
    return Missing;
  Out.Elements.resize(Columns.size());
  for (unsigned Column = 0; Column != N; ++Column)
    for (unsigned Row = 0; Row != K; ++Row)
      Out.Elements[size_t(Row) * N + Column] =
          Columns[size_t(Column) * K + Row];
  if (NegatesB)
    negate(Out.Elements);
  return std::nullopt;
}

std::optional<uint64_t> WarpgroupOperation::readA(const SharedMatrix &M,
                                                  const SharedBytes &From,
                                                  Multiplicand &Out) const {
  constexpr unsigned Rows = 4 * WarpRows;
  if (A == MatrixType::B1) {
    Out.Words.resize(size_t(Rows) * K / 32);
    return readWords(M, From, Rows, K / 32, Out.Words.data());
  }
  Out.Elements.resize(size_t(Rows) * widthOfA());
  auto Missing = readMatrix(M, From, A, Rows, widthOfA(), Out.Elements.data());
  if (NegatesA)
    negate(Out.Elements);
  return Missing;
}

void WarpgroupOperation::takeA(const WarpgroupArguments &Args,
                               Multiplicand &Out) const {
  Out.Words.resize(size_t(WarpRows) * widthOfA() * bitsOf(A) / 32);
  gatherWords(Args.A, layoutOfA(A, WarpRows, widthOfA()), Out.Words.data());
  if (A == MatrixType::B1)
    return;
  Out.Elements.resize(size_t(WarpRows) * widthOfA());
  widen(A, Out.Words.data(), unsigned(Out.Words.size()), Out.Elements.data());
  if (NegatesA)
    negate(Out.Elements);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void WarpgroupOperation::multiply(const Multiplicand &MatrixA,
                                  unsigned FirstRow,
                                  const Multiplicand &MatrixB,
                                  const WarpgroupArguments &Args,
                                  bool Accumulates) const {
  constexpr unsigned MaxN = 256;
  const bool IsInteger = D == MatrixType::S32;
  float Sums[WarpRows * MaxN] = {};
  int32_t Integers[WarpRows * MaxN] = {};
  if (A == MatrixType::B1) {
    addBitProducts(MatrixA.Words.data() + size_t(FirstRow) * K / 32,
                   MatrixB.Words.data(), Integers, {WarpRows, N, K});
  } else {
    if (!IsInteger && Accumulates)
      gatherAccumulator(D, Args.D, WarpRows, N, Sums);
    const float *Rows = MatrixA.Elements.data() + size_t(FirstRow) * widthOfA();
    if (Sparse) {
      uint8_t Columns[WarpRows * 64];
      readMetadata({A, WarpRows, K, Selector}, Args.Metadata, Columns);
      addSparseProducts(Rows, Columns, MatrixB.Elements.data(), Sums,
                        {WarpRows, N, K});
    } else {
      addProducts(Rows, MatrixB.Elements.data(), Sums, {WarpRows, N, K});
    }
  }
  if (!IsInteger)
    return scatterAccumulator(D, Args.D, WarpRows, N, Sums);
  int32_t Before[WarpRows * MaxN] = {};
  if (Accumulates)
    gatherAccumulator(D, Args.D, WarpRows, N, Before);
  for (unsigned I = 0; I != WarpRows * N; ++I) {
    // Fewer than 2^24, and therefore exact.
    int64_t Sum = int64_t(Before[I]) + Integers[I] + int32_t(Sums[I]);
    if (Saturate)
      Sum = std::clamp<int64_t>(Sum, INT32_MIN, INT32_MAX);
    Before[I] = int32_t(Sum);
  }
  scatterAccumulator(D, Args.D, WarpRows, N, Before);
}
