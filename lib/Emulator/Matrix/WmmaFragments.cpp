//===- WmmaFragments.cpp - Elements of wmma.load and wmma.store -----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MatrixForms.h"
#include "MatrixTransfers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

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
  bool IsStore = Op == ptx::Opcode::WmmaStore;
  if (!IsStore && Op != ptx::Opcode::WmmaLoad)
    return std::nullopt;
  std::optional<FragmentLayout> Places = findFragmentPlaces(Modifiers);
  if (!Places)
    return std::nullopt;
  WmmaFragment Result{*Places, {}, IsStore};
  SmallVector<StringRef, 8> Parts;
  Modifiers.split(Parts, '.', -1, /*KeepEmpty=*/false);
  std::optional<MatrixShape> Shape;
  std::optional<MatrixType> Type;
  for (StringRef Part : Parts) {
    if (auto ThisShape = parseMatrixShape(Part))
      Shape = ThisShape;
    else if (auto ThisType = parseMatrixType(Part))
      Type = ThisType;
  }
  if (!Shape || !Type)
    return std::nullopt;
  bool IsA = Result.Matrix == 'a', IsB = Result.Matrix == 'b';
  if (IsStore ? Result.Matrix != 'd' : Result.Matrix == 'd')
    return std::nullopt;
  if (IsA || IsB ? !isWmmaForm(*Type, *Shape) : !isAccumulator(*Type, *Shape))
    return std::nullopt;
  // Below a byte, the elements of a register must be neighbours in memory.
  if ((IsA || IsB) && Result.ElementBits < 8 && Result.ColumnMajor != IsB)
    return std::nullopt;
  Result.Registers = {*Type, Result.NumRegisters, Result.RegisterBytes};
  return Result;
}
