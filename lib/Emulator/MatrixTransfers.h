//===- MatrixTransfers.h - Matrices between memory and registers *- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, wmma.load and wmma.store: which bytes go where. The
// accesses themselves are the caller's (PTX ISA 9.7.14.4 and 9.7.14.5).
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_LIB_EMULATOR_MATRIXTRANSFERS_H
#define PTXPREDICT_LIB_EMULATOR_MATRIXTRANSFERS_H

#include "MatrixOperations.h"

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

/// An element's place in its matrix.
struct MatrixElement {
  unsigned Row = 0, Column = 0;
};

/// What wmma.load and wmma.store move. PTX leaves open which lane holds which
/// element; here the fragments are those of the mma instructions, their 8x8
/// blocks in the order of the rows, then the columns (of A: rows first). An f16
/// multiplicand has eight registers in every shape, so that a matrix with fewer
/// elements is held twice or four times.
struct WmmaFragment {
  MatrixFragment Registers;
  unsigned Rows = 0, Columns = 0;
  char Matrix = 'a';        ///< a, b, c or d
  bool ColumnMajor = false; ///< in memory
  bool Store = false;

  /// The default of the operand `stride`, in elements.
  unsigned defaultStride() const { return ColumnMajor ? Rows : Columns; }
  unsigned elementsPerRegister() const {
    return Registers.RegisterBytes * 8 / bitsOf(Registers.Type);
  }
  /// The element in the bits from Position * bitsOf(Type) of \p Register.
  MatrixElement element(unsigned Lane, unsigned Register,
                        unsigned Position) const;

  /// A register is filled by this many accesses of accessBytes() each, the
  /// first of them its lowest bytes: one if its elements are neighbours in
  /// memory, else one for each element.
  unsigned accessesPerRegister() const;
  unsigned accessBytes() const {
    return Registers.RegisterBytes / accessesPerRegister();
  }
  /// Where an access lies, in bytes from the address operand. \p Stride is in
  /// elements, for s4 and b1 a multiple of what fills 4 bytes.
  uint64_t byteOffset(unsigned Lane, unsigned Register, unsigned Access,
                      uint64_t Stride) const;
};

/// The fragment of a wmma.load or wmma.store.
std::optional<WmmaFragment> findWmmaFragment(ptx::Opcode Op,
                                             StringRef Modifiers);

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_LIB_EMULATOR_MATRIXTRANSFERS_H
