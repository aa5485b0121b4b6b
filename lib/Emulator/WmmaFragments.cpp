//===- WmmaFragments.cpp - Elements of wmma.load and wmma.store -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MatrixForms.h"
#include "MatrixFragments.h"
#include "MatrixTransfers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

MatrixElement WmmaFragment::element(unsigned Lane, unsigned Register,
                                    unsigned Position) const {
  unsigned G = Lane / 4, T = Lane % 4;
  if (Matrix == 'c' || Matrix == 'd') {
    unsigned Pair = Register;
    if (Registers.Type != MatrixType::F16) {
      Position = Register % 2;
      Pair = Register / 2;
    }
    unsigned Blocks = Rows / 8;
    return {Pair % Blocks * 8 + G, Pair / Blocks * 8 + 2 * T + Position};
  }
  bool IsA = Matrix == 'a';
  MultiplicandLayout Layout = IsA ? layoutOfA(Registers.Type, Rows, Columns)
                                  : layoutOfB(Registers.Type, Rows, Columns);
  Register %= Layout.Blocks * Layout.Chunks;
  unsigned Block = Register / Layout.BlockStep % Layout.Blocks;
  unsigned Chunk = Register / Layout.ChunkStep % Layout.Chunks;
  unsigned Outer = Block * 8 + G;
  unsigned Inner = (Chunk * 4 + T) * elementsPerRegister() + Position;
  return IsA ? MatrixElement{Outer, Inner} : MatrixElement{Inner, Outer};
}

unsigned WmmaFragment::accessesPerRegister() const {
  // Elements of a register follow each other along k, or along a row of C.
  bool Neighbours = ColumnMajor == (Matrix == 'b');
  return Neighbours ? 1 : elementsPerRegister();
}

uint64_t WmmaFragment::byteOffset(unsigned Lane, unsigned Register,
                                  unsigned Access, uint64_t Stride) const {
  unsigned PerAccess = elementsPerRegister() / accessesPerRegister();
  MatrixElement First = element(Lane, Register, Access * PerAccess);
  uint64_t Index = ColumnMajor ? First.Column * Stride + First.Row
                               : First.Row * Stride + First.Column;
  return Index * bitsOf(Registers.Type) / 8;
}

/// Whether wmma has an accumulator of this type and shape.
static bool isAccumulator(MatrixType Type, const MatrixShape &Shape) {
  static constexpr MatrixType Multiplicands[] = {
      MatrixType::F16, MatrixType::BF16, MatrixType::TF32, MatrixType::F64,
      MatrixType::S8,  MatrixType::S4,   MatrixType::B1};
  return llvm::any_of(Multiplicands, [&](MatrixType A) {
    return accumulates(Type, Type, A) && isWmmaForm(A, Shape);
  });
}

std::optional<WmmaFragment> emulator::findWmmaFragment(ptx::Opcode Op,
                                                       StringRef Modifiers) {
  WmmaFragment Result;
  Result.Store = Op == ptx::Opcode::WmmaStore;
  if (!Result.Store && Op != ptx::Opcode::WmmaLoad)
    return std::nullopt;
  SmallVector<StringRef, 8> Parts;
  Modifiers.split(Parts, '.', -1, /*KeepEmpty=*/false);
  std::optional<MatrixShape> Shape;
  std::optional<MatrixType> Type;
  bool RowMajor = false;
  Result.Matrix = 0;
  for (StringRef Part : Parts) {
    if (Part.size() == 1)
      Result.Matrix = Part[0];
    else if (Part == "row")
      RowMajor = true;
    else if (Part == "col")
      Result.ColumnMajor = true;
    else if (auto ThisShape = parseMatrixShape(Part))
      Shape = ThisShape;
    else if (auto ThisType = parseMatrixType(Part))
      Type = ThisType;
  }
  if (!Shape || !Type || RowMajor == Result.ColumnMajor)
    return std::nullopt;
  bool IsA = Result.Matrix == 'a', IsB = Result.Matrix == 'b';
  if (Result.Store ? Result.Matrix != 'd'
                   : !IsA && !IsB && Result.Matrix != 'c')
    return std::nullopt;
  if (IsA || IsB ? !isWmmaForm(*Type, *Shape) : !isAccumulator(*Type, *Shape))
    return std::nullopt;
  // Below a byte, the elements of a register must be neighbours in memory.
  if ((IsA || IsB) && bitsOf(*Type) < 8 && Result.ColumnMajor != IsB)
    return std::nullopt;
  Result.Rows = IsB ? Shape->K : Shape->M;
  Result.Columns = IsA ? Shape->K : Shape->N;
  Result.Registers = fragmentOf(*Type, Result.Rows * Result.Columns);
  if ((IsA || IsB) && *Type == MatrixType::F16)
    Result.Registers.NumRegisters = 8;
  return Result;
}
