//===- FragmentAddresses.cpp - Where wmma.load and wmma.store go ----------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "FragmentAddresses.h"
#include "ptxpredict/ISA/PTXOpcode.h"

using namespace ptxpredict;
using ptx::Opcode;
using Ref = const Expression *;

std::optional<FragmentLayout> ptxpredict::findFragment(const Instruction &I) {
  if (Opcode(I.Opcode) != Opcode::WmmaLoad &&
      Opcode(I.Opcode) != Opcode::WmmaStore)
    return std::nullopt;
  return findFragmentPlaces(I.Modifiers);
}

SmallVector<Ref, 16> ptxpredict::fragmentAddresses(const SymbolicValues &V,
                                                   const Instruction &I,
                                                   const FragmentLayout &F,
                                                   Ref Base) {
  Expressions &E = V.expressions();
  SmallVector<Ref, 16> Result(F.numRequests());
  // The registers, the address and perhaps the stride.
  Ref Stride = I.Operands.size() > 2 ? V.of(I, I.Operands[2], 32)
                                     : E.constant(32, F.defaultStride());
  if (!Base || !Stride || !Stride->isUniform())
    return Result;
  // Rows, or columns, are so many bytes apart.
  Stride = E.lshr(E.scale(E.zext(Stride, 64), F.ElementBits), 3);
  Ref Lane = E.zext(E.index(Symbol::KindTy::Lane), 64);
  Ref G = E.lshr(Lane, 2), T = E.bitAnd(Lane, E.constant(64, 3));
  for (unsigned N = 0; N != Result.size(); ++N) {
    auto Of = [&](unsigned L, bool IsColumn) {
      const MatrixElement At = F.requestElement(L, N);
      return IsColumn ? At.Column : At.Row;
    };
    // Linear in g and t.
    auto Index = [&](bool IsColumn, unsigned Bits) {
      unsigned First = Of(0, IsColumn);
      auto Bytes = [&](unsigned Elements) { return Elements * Bits / 8; };
      Ref X = E.constant(64, Bytes(First));
      X = E.add(X, E.scale(T, Bytes(Of(1, IsColumn) - First)));
      return E.add(X, E.scale(G, Bytes(Of(4, IsColumn) - First)));
    };
    Result[N] = E.add(E.add(Base, Index(!F.ColumnMajor, F.ElementBits)),
                      E.mul(Index(F.ColumnMajor, /*Bits=*/8), Stride));
  }
  return Result;
}
