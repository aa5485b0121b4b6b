//===- ExpressionsLoad.cpp - What buffers hold ----------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ExpressionsImpl.h"
#include "ptxpredict/Launch/BufferContents.h"

using namespace ptxpredict;
using namespace ptxpredict::expressions;
using Kind = Expression::KindTy;
using Ref = Expressions::Ref;

uint64_t expressions::readAt(const BufferRead &From, uint64_t Offset) {
  const uint64_t V = From.From->read(Offset, From.Bytes);
  return From.IsSigned ? uint64_t(signedOf(V, 8 * From.Bytes)) : V;
}

/// Where each element is its index: the index, as far as the terms of \p Offset
/// show it. Null where they do not, and where they may wrap around.
Ref Expressions::indexAt(const BufferRead &From, Ref Offset) {
  const unsigned Bytes = From.Bytes;
  auto IsMultiple = [Bytes](uint64_t V) { return V % Bytes == 0; };
  if (Offset->Kind != Kind::Sum || !IsMultiple(Offset->Addend) ||
      !llvm::all_of(Offset->Coefficients, IsMultiple))
    return nullptr;
  // What wraps around in the offset is lost in the bits above an index of 32,
  // but not above one of 64.
  if (Bytes == 8) {
    std::optional<Interval> I = intervalOf(*Offset);
    if (!I || I->offset(Offset->Width, /*Signed=*/true) != Int128(0))
      return nullptr;
  }
  auto Part = [&](uint64_t V) {
    return uint64_t(signedOf(V, Offset->Width) / int64_t(Bytes));
  };
  Terms T;
  T.Addend = Part(Offset->Addend);
  for (auto [O, C] : llvm::zip(Offset->Operands, Offset->Coefficients))
    T.add(O, Part(C));
  return trunc(sum(Offset->Width, T), 8 * Bytes);
}

Ref Expressions::load(const BufferRead &From, Ref Offset) {
  const BufferContents &C = *From.From;
  const unsigned Width = std::max(8 * From.Bytes, 16u);
  if (Offset->isConstant())
    return constant(Width, readAt(From, Offset->Addend));
  const bool AreElements =
      From.Bytes == C.elementBytes() &&
      (uint64_t(1) << trailingZeros(*Offset)) >= From.Bytes;
  if (std::optional<uint64_t> All = C.everyElement();
      All && (AreElements || *All == 0))
    return constant(Width, readAt(From, 0));
  if (AreElements && From.Bytes >= 2 && C.isIota())
    if (Ref Index = indexAt(From, Offset))
      return Index;
  auto Same = [&](const std::unique_ptr<BufferRead> &R) {
    return R->From == From.From && R->Bytes == From.Bytes &&
           R->IsSigned == From.IsSigned;
  };
  auto It = llvm::find_if(Reads, Same);
  if (It == Reads.end()) {
    Reads.push_back(std::make_unique<BufferRead>(From));
    It = std::prev(Reads.end());
  }
  return make(Kind::Load, Width, Offset, {},
              reinterpret_cast<uintptr_t>(It->get()));
}
