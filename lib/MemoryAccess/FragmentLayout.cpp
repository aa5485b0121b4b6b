//===- FragmentLayout.cpp - Where wmma.load and wmma.store go -------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "ptxpredict/MemoryAccess/FragmentLayout.h"
#include "ptxpredict/MemoryAccess/AccessRules.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include <algorithm>

using namespace ptxpredict;

MatrixElement FragmentLayout::element(unsigned Lane, unsigned Register,
                                      unsigned Position) const {
  unsigned G = Lane / 4, T = Lane % 4;
  if (Matrix == 'c' || Matrix == 'd') {
    unsigned Pair = Register;
    if (ElementBits != 16) { // else both of a pair are in one register
      Position = Register % 2;
      Pair = Register / 2;
    }
    unsigned Blocks = Rows / 8;
    return {Pair % Blocks * 8 + G, Pair / Blocks * 8 + 2 * T + Position};
  }
  // Rows of A and columns of B in blocks of eight; along k each of four lanes
  // has what fills a register.
  bool IsA = Matrix == 'a';
  unsigned Blocks = (IsA ? Rows : Columns) / 8;
  unsigned Chunks = (IsA ? Columns : Rows) / (4 * elementsPerRegister());
  Register %= Blocks * Chunks;
  unsigned Block = IsA ? Register % Blocks : Register / Chunks;
  unsigned Chunk = IsA ? Register / Blocks : Register % Chunks;
  unsigned Outer = Block * 8 + G;
  unsigned Inner = (Chunk * 4 + T) * elementsPerRegister() + Position;
  return IsA ? MatrixElement{Outer, Inner} : MatrixElement{Inner, Outer};
}

unsigned FragmentLayout::accessesPerRegister() const {
  // Elements of a register follow each other along k, or along a row of C.
  bool Neighbours = ColumnMajor == (Matrix == 'b');
  return Neighbours ? 1 : elementsPerRegister();
}

uint64_t FragmentLayout::offsetOf(MatrixElement At, uint64_t Stride) const {
  uint64_t Index =
      ColumnMajor ? At.Column * Stride + At.Row : At.Row * Stride + At.Column;
  return Index * ElementBits / 8;
}

uint64_t FragmentLayout::byteOffset(unsigned Lane, unsigned Register,
                                    unsigned Access, uint64_t Stride) const {
  return offsetOf(firstElement(Lane, Register, Access), Stride);
}

unsigned FragmentLayout::numDistinctRegisters() const {
  return std::min(NumRegisters, Rows * Columns * ElementBits /
                                    (WarpSize * 8 * RegisterBytes));
}

unsigned FragmentLayout::numRequests() const {
  if (isPaired())
    return NumRegisters / 2;
  return numDistinctRegisters() * (isTransposed() ? 1 : accessesPerRegister());
}

unsigned FragmentLayout::requestBytes() const {
  return isPaired() ? 8 : isTransposed() ? RegisterBytes : accessBytes();
}

MatrixElement FragmentLayout::requestElement(unsigned Lane,
                                             unsigned Request) const {
  if (isPaired())
    return firstElement(Lane, 2 * Request, 0);
  if (!isTransposed())
    return firstElement(Lane, Request / accessesPerRegister(),
                        Request % accessesPerRegister());
  const MatrixElement Block = firstElement(0, Request, 0);
  const unsigned G = Lane / 4, T = Lane % 4;
  return ColumnMajor ? MatrixElement{Block.Row + 2 * T, Block.Column + G}
                     : MatrixElement{Block.Row + G, Block.Column + 2 * T};
}

static unsigned bitsOf(StringRef Type) {
  return llvm::StringSwitch<unsigned>(Type)
      .Case("b1", 1)
      .Cases({"s4", "u4"}, 4)
      .Cases({"s8", "u8"}, 8)
      .Cases({"f16", "bf16"}, 16)
      .Cases({"tf32", "f32", "s32"}, 32)
      .Case("f64", 64)
      .Default(0);
}

std::optional<FragmentLayout>
ptxpredict::findFragmentPlaces(StringRef Modifiers) {
  FragmentLayout F;
  F.Matrix = 0;
  unsigned M = 0, N = 0, K = 0;
  bool RowMajor = false, IsF16 = false;
  SmallVector<StringRef, 8> Parts;
  Modifiers.split(Parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    if (Part.size() == 1) {
      F.Matrix = Part[0];
    } else if (Part == "row") {
      RowMajor = true;
    } else if (Part == "col") {
      F.ColumnMajor = true;
    } else if (unsigned Bits = bitsOf(Part)) {
      F.ElementBits = Bits;
      IsF16 = Part == "f16";
    } else if (Part.consume_front("m")) {
      if (Part.consumeInteger(10, M) || !Part.consume_front("n") ||
          Part.consumeInteger(10, N) || !Part.consume_front("k") ||
          Part.consumeInteger(10, K) || !Part.empty())
        return std::nullopt;
    }
  }
  if (F.Matrix < 'a' || F.Matrix > 'd' || RowMajor == F.ColumnMajor || M == 0 ||
      N == 0 || K == 0 || F.ElementBits == 0)
    return std::nullopt;
  bool IsA = F.Matrix == 'a', IsB = F.Matrix == 'b';
  F.Rows = IsB ? K : M;
  F.Columns = IsA ? K : N;
  if (F.ElementBits == 64)
    F.RegisterBytes = 8;
  F.NumRegisters =
      F.Rows * F.Columns * F.ElementBits / (WarpSize * 8 * F.RegisterBytes);
  if (IsF16 && (IsA || IsB))
    F.NumRegisters = 8;
  unsigned Inner = IsA ? F.Columns : IsB ? F.Rows : 8;
  unsigned Outer = IsB ? F.Columns : F.Rows;
  // No shape of PTX has less than a block.
  if (F.NumRegisters == 0 || Outer % 8 != 0 ||
      Inner < ((IsA || IsB) ? 4 * F.elementsPerRegister() : 8))
    return std::nullopt;
  return F;
}
