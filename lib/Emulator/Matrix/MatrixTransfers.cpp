//===- MatrixTransfers.cpp - Matrices between memory and registers --------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MatrixTransfers.h"
#include "MatrixFragments.h"

using namespace ptxpredict;
using namespace ptxpredict::emulator;

static constexpr unsigned RowBytes = MatrixTransfer::RowBytes;

static uint32_t word(uint32_t A, uint32_t B, uint32_t C, uint32_t D) {
  return A | B << 8 | C << 16 | D << 24;
}

/// .m8n8, and .m8n16 whose elements of \p Bits grow to eight: lane 4g+t gets
/// the t-th quarter of row g.
template <unsigned Bits>
static void loadRows(const MatrixTransfer &Form, const uint8_t *Rows,
                     uint32_t *const *Dest) {
  for (unsigned Register = 0; Register != Form.NumRegisters; ++Register)
    for (unsigned Lane = 0; Dest[Register] && Lane != 32; ++Lane) {
      const uint8_t *Row = Rows + (Register * 8 + Lane / 4) * RowBytes;
      uint32_t Quarter = 0;
      for (unsigned I = 0; I != 4; ++I) {
        unsigned Bit = (Lane % 4 * 4 + I) * Bits;
        // The element may reach into the next byte, of the same row.
        unsigned Bytes = Row[Bit / 8];
        if (Bit % 8 + Bits > 8)
          Bytes |= Row[Bit / 8 + 1] << 8;
        Quarter |= (Bytes >> Bit % 8 & ((1U << Bits) - 1)) << (8 * I);
      }
      Dest[Register][Lane] = Quarter;
    }
}

/// .m8n8.trans: lane 4g+t gets elements 2t and 2t+1 of column g.
static void loadColumns(const MatrixTransfer &Form, const uint8_t *Rows,
                        uint32_t *const *Dest) {
  for (unsigned Register = 0; Register != Form.NumRegisters; ++Register)
    for (unsigned Lane = 0; Dest[Register] && Lane != 32; ++Lane) {
      const uint8_t *Low =
          Rows + (Register * 8 + Lane % 4 * 2) * RowBytes + Lane / 4 * 2;
      const uint8_t *High = Low + RowBytes;
      Dest[Register][Lane] = word(Low[0], Low[1], High[0], High[1]);
    }
}

/// .m16n16.trans: of each matrix's two registers, the first one gets elements
/// 4t to 4t+3 of column g, the second one of column g + 8.
template <unsigned Bits>
static void loadByteColumns(const MatrixTransfer &Form, const uint8_t *Rows,
                            uint32_t *const *Dest) {
  for (unsigned Register = 0; Register != Form.NumRegisters; ++Register)
    for (unsigned Lane = 0; Dest[Register] && Lane != 32; ++Lane) {
      unsigned Column = Lane / 4 + Register % 2 * 8, Bit = Column * Bits;
      uint32_t Quarter = 0;
      for (unsigned I = 0; I != 4; ++I) {
        const uint8_t *Row =
            Rows + (Register / 2 * 16 + Lane % 4 * 4 + I) * RowBytes;
        unsigned Bytes = Row[Bit / 8];
        if (Bit % 8 + Bits > 8)
          Bytes |= Row[Bit / 8 + 1] << 8;
        Quarter |= (Bytes >> Bit % 8 & ((1U << Bits) - 1)) << (8 * I);
      }
      Dest[Register][Lane] = Quarter;
    }
}

static void saveRows(const MatrixTransfer &Form, const uint32_t *const *Source,
                     uint8_t *Rows) {
  for (unsigned Register = 0; Register != Form.NumRegisters; ++Register)
    for (unsigned Lane = 0; Lane != 32; ++Lane)
      for (unsigned I = 0; I != 4; ++I)
        Rows[Register * 8 * RowBytes + Lane * 4 + I] =
            Source[Register][Lane] >> (8 * I) & 0xff;
}

static void saveColumns(const MatrixTransfer &Form,
                        const uint32_t *const *Source, uint8_t *Rows) {
  for (unsigned Register = 0; Register != Form.NumRegisters; ++Register)
    for (unsigned Lane = 0; Lane != 32; ++Lane)
      for (unsigned I = 0; I != 4; ++I)
        Rows[(Register * 8 + Lane % 4 * 2 + I / 2) * RowBytes + Lane / 4 * 2 +
             I % 2] = Source[Register][Lane] >> (8 * I) & 0xff;
}

/// .m16n8.trans of bytes: lane 4g+t has elements 2t and 2t+1 of row g, then of
/// row g + 8, as in the accumulator of a multiplication; memory has columns.
static void saveByteColumns(const MatrixTransfer &Form,
                            const uint32_t *const *Source, uint8_t *Rows) {
  for (unsigned Register = 0; Register != Form.NumRegisters; ++Register)
    for (unsigned Lane = 0; Lane != 32; ++Lane)
      for (unsigned I = 0; I != 4; ++I)
        Rows[(Register * 8 + Lane % 4 * 2 + I % 2) * RowBytes + Lane / 4 +
             I / 2 * 8] = Source[Register][Lane] >> (8 * I) & 0xff;
}

std::optional<MatrixTransfer>
emulator::findMatrixTransfer(ptx::Opcode Op, StringRef Modifiers) {
  bool Store = Op == ptx::Opcode::Stmatrix;
  if (!Store && Op != ptx::Opcode::Ldmatrix)
    return std::nullopt;
  auto Has = [&](StringRef Name) { return ptx::hasModifier(Modifiers, Name); };
  unsigned Count = Has("x1") ? 1 : Has("x2") ? 2 : Has("x4") ? 4 : 0;
  if (!Count)
    return std::nullopt;
  bool Trans = Has("trans"), Six = Has("b6x16_p32"), Four = Has("b4x16_p64");
  MatrixTransfer Form;
  Form.Store = Store;
  Form.NumRows = Count * 8;
  Form.NumRegisters = Count;
  if (Has("m8n8") && Has("b16")) {
    Form.Load = Trans ? loadColumns : loadRows<8>;
    Form.Save = Trans ? saveColumns : saveRows;
    return Form;
  }
  if (Store) {
    if (!Has("m16n8") || !Has("b8") || !Trans)
      return std::nullopt;
    Form.Save = saveByteColumns;
    return Form;
  }
  if (Has("m8n16") && Has("b8x16") && !Trans && Six != Four) {
    Form.Load = Six ? loadRows<6> : loadRows<4>;
    return Form;
  }
  if (!Has("m16n16") || !Trans || Count == 4)
    return std::nullopt;
  Form.NumRows = Count * 16;
  Form.NumRegisters = Count * 2;
  if (Has("b8"))
    Form.Load = loadByteColumns<8>;
  else if (Has("b8x16") && Six != Four)
    Form.Load = Six ? loadByteColumns<6> : loadByteColumns<4>;
  else
    return std::nullopt;
  return Form;
}
