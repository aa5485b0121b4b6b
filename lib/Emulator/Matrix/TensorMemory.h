//===- TensorMemory.h - Tensor memory of a block ----------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_TENSORMEMORY_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_TENSORMEMORY_H

#include "ptxpredict/Support/LLVM.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace ptxpredict::emulator {

/// 128 lanes of 512 columns of 32 bits (PTX ISA, "Tensor Memory"). An address
/// has the lane in its upper and the column in its lower 16 bits. Higher bits
/// of the lane count for nothing: of a pair of blocks the second may call its
/// lanes 128 and up.
class TensorMemory {
public:
  static constexpr unsigned Lanes = 128, Columns = 512;

  static unsigned laneOf(uint32_t Address) { return Address >> 16 & 127; }
  static unsigned columnOf(uint32_t Address) { return Address & 0xffff; }

  /// Columns are a power of two from 32 to 512.
  static bool isSize(uint64_t NumColumns) {
    return NumColumns >= 32 && NumColumns <= Columns &&
           (NumColumns & (NumColumns - 1)) == 0;
  }
  /// The first columns that are free, aligned to their number; nothing without
  /// any. \p Owner is any pointer but null.
  std::optional<uint32_t> allocate(unsigned NumColumns, const void *Owner);
  /// False unless it was allocated as such.
  bool free(uint32_t Address, unsigned NumColumns);
  /// The owner of the first columns that are not free; null without any.
  const void *firstOwner() const;
  unsigned numFree() const;
  /// Whether all of the columns belong to somebody.
  bool isAllocated(unsigned Column, unsigned NumColumns) const;

  uint32_t &at(unsigned Lane, unsigned Column) {
    return Cells[size_t(Lane) * Columns + Column];
  }

private:
  struct Range {
    unsigned First, Count;
    const void *Owner;
  };
  std::vector<Range> Ranges; ///< by their first column
  std::vector<uint32_t> Cells = std::vector<uint32_t>(size_t(Lanes) * Columns);
};

/// What tcgen05.ld and tcgen05.st move: `.16x64b.x2` and the like (PTX ISA,
/// "Data Movement Shape"; the layouts as in CUTLASS, copy_traits_sm100.hpp).
struct TensorMove {
  enum class Shape : uint8_t { S16x64, S16x128, S16x256, S32x32, S16x32x2 };
  Shape Of = Shape::S32x32;
  unsigned Count = 1;    ///< .x1 to .x128
  bool IsPacked = false; ///< two columns of 16 bits in a register

  unsigned numLanes() const { return Of == Shape::S32x32 ? 32 : 16; }
  /// Registers of a lane of the warp.
  unsigned numRegisters() const;
  /// Columns from the first to the last, without what .16x32bx2 skips.
  unsigned numColumns() const;

  struct Cell {
    unsigned Lane, Column; ///< from where the address says
  };
  /// Where a register of a lane of the warp lies; of two packed columns the
  /// first. \p Skip is the offset of .16x32bx2.
  Cell cellOf(unsigned Lane, unsigned Register, unsigned Skip) const;
};

/// The form that modifiers name.
std::optional<TensorMove> findTensorMove(StringRef Modifiers);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_TENSORMEMORY_H
