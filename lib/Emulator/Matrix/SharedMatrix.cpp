//===- SharedMatrix.cpp - Matrices that a descriptor names ----------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "SharedMatrix.h"
#include "MatrixFragments.h"

#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

static constexpr unsigned UnitBytes = 16;

uint64_t SharedMatrix::unitAddress(uint64_t Row, uint64_t Unit) const {
  // Eight rows of one span each repeat the pattern; without a swizzle the span
  // is a unit.
  const uint64_t Span = Swizzle ? Swizzle : UnitBytes;
  const uint64_t PerSpan = Span / UnitBytes;
  uint64_t Address = Start + Row % 8 * Span + Unit % PerSpan * UnitBytes;
  // Without a swizzle a transposed matrix has its strides the other way round.
  if (IsTransposed && !Swizzle)
    Address += Unit * Stride + Row / 8 * Leading;
  else
    Address += Unit / PerSpan * Leading + Row / 8 * Stride;
  const uint64_t Line = (Address >> 7) - BaseOffset;
  return Address ^ (Line & (PerSpan - 1)) << 4;
}

std::optional<SharedMatrix> emulator::wgmmaMatrix(uint64_t Descriptor) {
  constexpr uint64_t Field = 0x3fff;
  static constexpr unsigned Swizzles[] = {0, 128, 64, 32};
  if (Descriptor & WgmmaReservedBits)
    return std::nullopt;
  SharedMatrix M;
  M.Start = (Descriptor & Field) * UnitBytes;
  M.Leading = (Descriptor >> 16 & Field) * UnitBytes;
  M.Stride = (Descriptor >> 32 & Field) * UnitBytes;
  M.BaseOffset = unsigned(Descriptor >> 49 & 7);
  M.Swizzle = Swizzles[Descriptor >> 62];
  return M;
}

/// Calls \p Fn with the row, the unit and the bytes of each unit. The address
/// of the first that is not there.
template <typename FnT>
static std::optional<uint64_t>
forEachUnit(const SharedMatrix &M, const SharedBytes &From, unsigned Rows,
            unsigned Units, FnT Fn) {
  for (unsigned Row = 0; Row != Rows; ++Row)
    for (unsigned Unit = 0; Unit != Units; ++Unit) {
      const uint64_t Address = M.unitAddress(Row, Unit);
      if (Address >= From.Size || From.Size - Address < UnitBytes)
        return Address;
      Fn(Row, Unit, From.Data + Address);
    }
  return std::nullopt;
}

std::optional<uint64_t> emulator::readMatrix(const SharedMatrix &M,
                                             const SharedBytes &From,
                                             MatrixType Type, unsigned Rows,
                                             unsigned K, float *Elements) {
  const unsigned PerUnit = 8 * UnitBytes / bitsOf(Type);
  auto Widen = [&](const uint8_t *Bytes, float *Out) {
    uint32_t Words[UnitBytes / 4];
    std::memcpy(Words, Bytes, UnitBytes);
    widen(Type, Words, UnitBytes / 4, Out);
  };
  if (!M.IsTransposed)
    return forEachUnit(M, From, Rows, K / PerUnit,
                       [&](unsigned Row, unsigned Unit, const uint8_t *Bytes) {
                         Widen(Bytes, Elements + size_t(Row) * K +
                                          size_t(Unit) * PerUnit);
                       });
  return forEachUnit(M, From, K, Rows / PerUnit,
                     [&](unsigned Line, unsigned Unit, const uint8_t *Bytes) {
                       float Values[8 * UnitBytes / 4];
                       Widen(Bytes, Values);
                       for (unsigned I = 0; I != PerUnit; ++I)
                         Elements[(size_t(Unit) * PerUnit + I) * K + Line] =
                             Values[I];
                     });
}

std::optional<uint64_t> emulator::readWords(const SharedMatrix &M,
                                            const SharedBytes &From,
                                            unsigned Rows, unsigned WordsPerRow,
                                            uint32_t *Words) {
  return forEachUnit(M, From, Rows, WordsPerRow / 4,
                     [&](unsigned Row, unsigned Unit, const uint8_t *Bytes) {
                       std::memcpy(Words + size_t(Row) * WordsPerRow +
                                       size_t(Unit) * 4,
                                   Bytes, UnitBytes);
                     });
}
