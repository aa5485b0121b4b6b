//===- TensorMemory.cpp - Tensor memory of a block ------------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "TensorMemory.h"
#include "ptxpredict/ISA/PTXOpcode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;
using ptx::hasModifier;

std::optional<uint32_t> TensorMemory::allocate(unsigned NumColumns,
                                               const void *Owner) {
  unsigned First = 0;
  auto It = Ranges.begin();
  for (; It != Ranges.end() && It->First < First + NumColumns; ++It)
    First = unsigned(llvm::alignTo(It->First + It->Count, NumColumns));
  if (First + NumColumns > Columns)
    return std::nullopt;
  Ranges.insert(It, {First, NumColumns, Owner});
  return First;
}

bool TensorMemory::free(uint32_t Address, unsigned NumColumns) {
  for (size_t N = 0; N != Ranges.size(); ++N)
    if (Ranges[N].First == Address && Ranges[N].Count == NumColumns) {
      Ranges.erase(Ranges.begin() + long(N));
      return true;
    }
  return false;
}

const void *TensorMemory::firstOwner() const {
  return Ranges.empty() ? nullptr : Ranges.front().Owner;
}

unsigned TensorMemory::numFree() const {
  unsigned Free = Columns;
  for (const Range &R : Ranges)
    Free -= R.Count;
  return Free;
}

bool TensorMemory::isAllocated(unsigned Column, unsigned NumColumns) const {
  // Neighbouring ranges count together.
  const unsigned End = Column + NumColumns;
  for (const Range &R : Ranges)
    if (R.First <= Column && Column < R.First + R.Count)
      Column = R.First + R.Count;
  return Column >= End;
}

unsigned TensorMove::numRegisters() const {
  switch (Of) {
  case Shape::S16x128:
    return 2 * Count;
  case Shape::S16x256:
    return 4 * Count;
  default:
    return Count;
  }
}

unsigned TensorMove::numColumns() const {
  const unsigned PerCount = Of == Shape::S16x64    ? 2
                            : Of == Shape::S16x128 ? 4
                            : Of == Shape::S16x256 ? 8
                                                   : 1;
  return PerCount * Count * (IsPacked ? 2 : 1);
}

TensorMove::Cell TensorMove::cellOf(unsigned Lane, unsigned Register,
                                    unsigned Skip) const {
  Cell C = {Lane / 4, 0};
  switch (Of) {
  case Shape::S16x64:
    C.Lane += Lane % 2 * 8;
    C.Column = 2 * Register + Lane / 2 % 2;
    break;
  case Shape::S16x128:
    C.Lane += Register % 2 * 8;
    C.Column = Register / 2 * 4 + Lane % 4;
    break;
  case Shape::S16x256:
    C.Lane += Register / 2 % 2 * 8;
    C.Column = Register / 4 * 8 + Lane % 4 * 2 + Register % 2;
    break;
  case Shape::S32x32:
    C = {Lane, Register};
    break;
  case Shape::S16x32x2:
    C = {Lane % 16, Register};
    break;
  }
  if (IsPacked)
    C.Column *= 2;
  if (Of == Shape::S16x32x2)
    C.Column += Lane / 16 * Skip;
  return C;
}

std::optional<TensorMove> emulator::findTensorMove(StringRef Modifiers) {
  using Shape = TensorMove::Shape;
  static constexpr std::pair<StringRef, Shape> Shapes[] = {
      {"16x64b", Shape::S16x64},
      {"16x128b", Shape::S16x128},
      {"16x256b", Shape::S16x256},
      {"32x32b", Shape::S32x32},
      {"16x32bx2", Shape::S16x32x2}};
  TensorMove M;
  M.IsPacked = hasModifier(Modifiers, "pack::16b") ||
               hasModifier(Modifiers, "unpack::16b");
  for (auto [Name, Of] : Shapes) {
    if (!hasModifier(Modifiers, Name))
      continue;
    M.Of = Of;
    for (M.Count = 1; M.Count <= 128; M.Count *= 2)
      if (hasModifier(Modifiers, "x" + std::to_string(M.Count)))
        return M.numRegisters() <= 128 ? std::optional(M) : std::nullopt;
  }
  return std::nullopt;
}
