//===- MatrixTestSupport.h - Matrices for the tests -------------*- C++ -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Values are coded and decoded by APFloat, and fragments are read and written
// element by element.
//===----------------------------------------------------------------------===//
#ifndef PTXPREDICT_TEST_UNIT_EMULATOR_MATRIX_MATRIXTESTSUPPORT_H
#define PTXPREDICT_TEST_UNIT_EMULATOR_MATRIX_MATRIXTESTSUPPORT_H

#include "Emulator/Matrix/MatrixOperations.h"
#include "llvm/ADT/APFloat.h"
#include <array>
#include <cstring>
#include <random>
#include <vector>

namespace ptxpredict::emulator {

inline const llvm::fltSemantics *semantics(MatrixType Type) {
  switch (Type) {
  case MatrixType::F16:
    return &llvm::APFloat::IEEEhalf();
  case MatrixType::BF16:
    return &llvm::APFloat::BFloat();
  case MatrixType::F32:
    return &llvm::APFloat::IEEEsingle();
  case MatrixType::F64:
    return &llvm::APFloat::IEEEdouble();
  case MatrixType::TF32:
    return &llvm::APFloat::FloatTF32();
  case MatrixType::E4M3:
    return &llvm::APFloat::Float8E4M3FN();
  case MatrixType::E5M2:
    return &llvm::APFloat::Float8E5M2();
  case MatrixType::E3M2:
    return &llvm::APFloat::Float6E3M2FN();
  case MatrixType::E2M3:
    return &llvm::APFloat::Float6E2M3FN();
  case MatrixType::E2M1:
  case MatrixType::PackedE2M1:
    return &llvm::APFloat::Float4E2M1FN();
  default:
    return nullptr;
  }
}

/// Where the bits of APFloat begin in the element.
inline unsigned lowBit(MatrixType Type) {
  return Type == MatrixType::TF32 ? 13 : Type == MatrixType::E2M1 ? 2 : 0;
}

/// The element of this value, which its type must have.
inline uint64_t encode(MatrixType Type, double Value) {
  if (const llvm::fltSemantics *S = semantics(Type)) {
    llvm::APFloat F(Value);
    bool Lost = false;
    F.convert(*S, llvm::APFloat::rmNearestTiesToEven, &Lost);
    return F.bitcastToAPInt().getZExtValue() << lowBit(Type);
  }
  unsigned Bits = bitsOf(Type);
  return static_cast<uint64_t>(static_cast<int64_t>(Value)) &
         ((1ULL << Bits) - 1);
}

inline double decode(MatrixType Type, uint64_t Code) {
  if (const llvm::fltSemantics *S = semantics(Type)) {
    unsigned Bits = llvm::APFloat::getSizeInBits(*S);
    llvm::APFloat F(*S, llvm::APInt(64, Code >> lowBit(Type)).trunc(Bits));
    bool Lost = false;
    F.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
              &Lost);
    return F.convertToDouble();
  }
  bool Signed = Type == MatrixType::S8 || Type == MatrixType::S4 ||
                Type == MatrixType::S32;
  llvm::APInt Value(bitsOf(Type), Code, false, /*implicitTrunc=*/true);
  return Signed ? static_cast<double>(Value.getSExtValue())
                : static_cast<double>(Value.getZExtValue());
}

/// Row by row.
struct Matrix {
  unsigned Rows, Columns;
  std::vector<double> Elements;

  Matrix(unsigned Rows, unsigned Columns)
      : Rows(Rows), Columns(Columns), Elements(Rows * Columns) {}
  double &operator()(unsigned Row, unsigned Column) {
    return Elements[Row * Columns + Column];
  }
};

/// Registers of all lanes.
struct Registers {
  static constexpr unsigned Max = MatrixArguments::MaxRegisters;
  unsigned LaneBytes;
  alignas(16) std::array<std::array<uint8_t, 32 * 8>, Max> Bytes;

  explicit Registers(unsigned LaneBytes = 4) : LaneBytes(LaneBytes) {
    for (auto &Register : Bytes)
      Register.fill(0xa5);
  }
  uint64_t get(unsigned Register, unsigned Lane) const {
    uint64_t Value = 0;
    std::memcpy(&Value, &Bytes[Register][Lane * LaneBytes], LaneBytes);
    return Value;
  }
  void set(unsigned Register, unsigned Lane, uint64_t Value) {
    std::memcpy(&Bytes[Register][Lane * LaneBytes], &Value, LaneBytes);
  }
  /// The Index-th element of a lane's vector of registers.
  void setElement(unsigned Lane, unsigned Index, unsigned Bits,
                  uint64_t Element) {
    unsigned PerRegister = LaneBytes * 8 / Bits;
    unsigned Shift = Index % PerRegister * Bits;
    uint64_t Mask = Bits == 64 ? ~0ULL : (1ULL << Bits) - 1;
    uint64_t Old = get(Index / PerRegister, Lane);
    set(Index / PerRegister, Lane,
        (Old & ~(Mask << Shift)) | (Element & Mask) << Shift);
  }
  uint64_t element(unsigned Lane, unsigned Index, unsigned Bits) const {
    unsigned PerRegister = LaneBytes * 8 / Bits;
    uint64_t Mask = Bits == 64 ? ~0ULL : (1ULL << Bits) - 1;
    return get(Index / PerRegister, Lane) >> (Index % PerRegister * Bits) &
           Mask;
  }
};

/// Four operands, and what run() is called with.
struct Operands {
  Registers D, A, B, C;
  MatrixArguments Arguments;

  explicit Operands(const MatrixOperation &Op)
      : D(Op.D.RegisterBytes), A(Op.A.RegisterBytes), B(Op.B.RegisterBytes),
        C(Op.C.RegisterBytes) {
    for (unsigned I = 0; I != Registers::Max; ++I) {
      // What an operation has no use for is not there.
      Arguments.Dest[I] = I < Op.D.NumRegisters ? D.Bytes[I].data() : nullptr;
      Arguments.A[I] = I < Op.A.NumRegisters ? A.Bytes[I].data() : nullptr;
      Arguments.B[I] = I < Op.B.NumRegisters ? B.Bytes[I].data() : nullptr;
      Arguments.C[I] = I < Op.C.NumRegisters ? C.Bytes[I].data() : nullptr;
    }
  }
  Operands(const Operands &) = delete;
};

/// A value of the type, small enough that all sums are exact.
inline double randomValue(MatrixType Type, std::mt19937 &Random) {
  auto Between = [&](int Low, int High) {
    return std::uniform_int_distribution<int>(Low, High)(Random);
  };
  switch (Type) {
  case MatrixType::E5M2:
    return Between(-8, 8);
  case MatrixType::E3M2:
    return Between(-8, 8) / 4.0;
  case MatrixType::E2M3:
    return Between(-15, 15) / 8.0;
  case MatrixType::E2M1:
  case MatrixType::PackedE2M1:
    return Between(-4, 4) / 2.0;
  case MatrixType::S8:
    return Between(-128, 127);
  case MatrixType::U8:
    return Between(0, 255);
  case MatrixType::S4:
    return Between(-8, 7);
  case MatrixType::U4:
    return Between(0, 15);
  case MatrixType::B1:
    return Between(0, 1);
  case MatrixType::S32:
    return Between(INT32_MIN, INT32_MAX);
  default:
    return Between(-8, 8);
  }
}

inline Matrix randomMatrix(MatrixType Type, unsigned Rows, unsigned Columns,
                           std::mt19937 &Random) {
  Matrix Result(Rows, Columns);
  for (double &Element : Result.Elements)
    Element = randomValue(Type, Random);
  return Result;
}

/// A * B + C, exactly. An int32 that wraps is brought back by encode().
inline Matrix product(const MatrixOperation &Op, Matrix &A, Matrix &B,
                      Matrix &C) {
  Matrix Result = C;
  for (unsigned Row = 0; Row != Op.M; ++Row)
    for (unsigned Column = 0; Column != Op.N; ++Column) {
      double &Sum = Result(Row, Column);
      for (unsigned K = 0; K != Op.K; ++K) {
        double X = A(Row, K), Y = B(K, Column);
        Sum += Op.A.Type != MatrixType::B1 ? X * Y : Op.Xor ? X != Y : X * Y;
      }
      if (Op.Saturate)
        Sum = std::min(std::max(Sum, -2147483648.0), 2147483647.0);
    }
  return Result;
}

} // namespace ptxpredict::emulator

#endif // PTXPREDICT_TEST_UNIT_EMULATOR_MATRIX_MATRIXTESTSUPPORT_H
