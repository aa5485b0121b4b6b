//===- MatrixTransfers.h - Matrices between memory and registers *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, wmma.load and wmma.store: which bytes go where. The
// accesses themselves are the caller's (PTX ISA 9.7.14.4 and 9.7.14.5).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXTRANSFERS_H
#define PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXTRANSFERS_H

#include "MatrixOperations.h"
#include "ptxpredict/MemoryAccess/FragmentLayout.h"

namespace ptxpredict::emulator {

/// One form of ldmatrix or stmatrix. Lane i < NumRows holds the address of row
/// i, which must be a multiple of RowBytes; the other lanes' addresses are not
/// used. Each lane takes part in all registers, whichever rows it addresses.
struct MatrixTransfer {
  static constexpr unsigned RowBytes = 16, MaxRows = 32, MaxRegisters = 4;
  unsigned NumRows = 0;      ///< 8, 16 or 32
  unsigned NumRegisters = 0; ///< 1, 2 or 4, each uint32_t[32]
  bool Store = false;
  void (*Load)(const MatrixTransfer &, const uint8_t *,
               uint32_t *const *) = nullptr;
  void (*Save)(const MatrixTransfer &, const uint32_t *const *,
               uint8_t *) = nullptr;

  /// ldmatrix: fills \p Dest, null for `_`, from NumRows x RowBytes bytes.
  void distribute(const uint8_t *Rows, uint32_t *const *Dest) const {
    Load(*this, Rows, Dest);
  }
  /// stmatrix: fills NumRows x RowBytes bytes, all of which are to be stored.
  void collect(const uint32_t *const *Source, uint8_t *Rows) const {
    Save(*this, Source, Rows);
  }
};

std::optional<MatrixTransfer> findMatrixTransfer(ptx::Opcode Op,
                                                 StringRef Modifiers);

/// What wmma.load and wmma.store move.
struct WmmaFragment : FragmentLayout {
  MatrixFragment Registers;
  bool Store = false;
};

/// The fragment of a wmma.load or wmma.store.
std::optional<WmmaFragment> findWmmaFragment(ptx::Opcode Op,
                                             StringRef Modifiers);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIX_MATRIXTRANSFERS_H
