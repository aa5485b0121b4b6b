//===- FragmentLayout.h - Where wmma.load and wmma.store go -----*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_MEMORYACCESS_FRAGMENTLAYOUT_H
#define PTXPREDICT_MEMORYACCESS_FRAGMENTLAYOUT_H

#include "ptxpredict/Support/LLVM.h"
#include <cstdint>
#include <optional>

namespace ptxpredict {

/// An element's place in its matrix.
struct MatrixElement {
  unsigned Row = 0, Column = 0;
};

/// The matrix that a wmma.load or wmma.store moves, register by register. PTX
/// leaves open which lane holds which element; here the fragments are those of
/// the mma instructions (PTX ISA 9.7.14.5, the figures of the fragments), their
/// 8x8 blocks in the order of the rows, then the columns (of A: rows first). An
/// f16 multiplicand has eight registers in every shape, so that a matrix with
/// fewer elements is held twice or four times.
struct FragmentLayout {
  char Matrix = 'a'; ///< a, b, c or d
  unsigned Rows = 0, Columns = 0;
  unsigned ElementBits = 0;   ///< in memory
  unsigned NumRegisters = 0;  ///< of a lane
  unsigned RegisterBytes = 4; ///< 8 for f64
  bool ColumnMajor = false;   ///< in memory

  /// The default of the operand `stride`, in elements.
  unsigned defaultStride() const { return ColumnMajor ? Rows : Columns; }
  unsigned elementsPerRegister() const {
    return RegisterBytes * 8 / ElementBits;
  }
  /// The element in the bits from Position * ElementBits of \p Register: of
  /// lane 4g+t, linear in g and in t.
  MatrixElement element(unsigned Lane, unsigned Register,
                        unsigned Position) const;

  /// A register is filled by this many requests of accessBytes() a lane, the
  /// first of them its lowest bytes: one if its elements are neighbours in
  /// memory, else one for each element.
  unsigned accessesPerRegister() const;
  unsigned accessBytes() const { return RegisterBytes / accessesPerRegister(); }
  /// The first element of a request.
  MatrixElement firstElement(unsigned Lane, unsigned Register,
                             unsigned Access) const {
    return element(Lane, Register,
                   Access * (elementsPerRegister() / accessesPerRegister()));
  }
  /// Where an access lies, in bytes from the address operand. \p Stride is in
  /// elements, for s4 and b1 a multiple of what fills 4 bytes.
  uint64_t byteOffset(unsigned Lane, unsigned Register, unsigned Access,
                      uint64_t Stride) const;

  /// The requests that machine code makes (ptxas 13.0 for 7.5 to 9.0): none for
  /// what a lane holds again; 8x8 blocks of 16 bits that lie the other way are
  /// read as they lie, and transposed in registers (MOVM, LDSM.T); neighbours
  /// of 32 bits in C are one of 64.
  unsigned numRequests() const;
  unsigned requestBytes() const;
  /// The first element of a request: of lane 4g+t, linear in g and in t.
  MatrixElement requestElement(unsigned Lane, unsigned Request) const;
  /// Where it lies, as byteOffset.
  uint64_t requestOffset(unsigned Lane, unsigned Request,
                         uint64_t Stride) const {
    return offsetOf(requestElement(Lane, Request), Stride);
  }

private:
  uint64_t offsetOf(MatrixElement At, uint64_t Stride) const;
  bool isTransposed() const {
    return ElementBits == 16 && accessesPerRegister() != 1;
  }
  bool isPaired() const {
    return ElementBits == 32 && (Matrix == 'c' || Matrix == 'd') &&
           !ColumnMajor;
  }
  unsigned numDistinctRegisters() const;
};

/// What the modifiers of a wmma.load or wmma.store name; none if they do not
/// name a matrix, a shape, a type and a layout.
std::optional<FragmentLayout> findFragmentPlaces(StringRef Modifiers);

} // namespace ptxpredict

#endif // PTXPREDICT_MEMORYACCESS_FRAGMENTLAYOUT_H
