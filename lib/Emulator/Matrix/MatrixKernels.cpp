//===- MatrixKernels.cpp - Multiplications of a warp ----------------------===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "MatrixKernels.h"
#include "MatrixFragments.h"

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>

using namespace ptxpredict;
using namespace ptxpredict::emulator;

// Elements of the largest operand: A of m16n8k128.s4 with half of its elements,
// B of the same; an accumulator of m16n16, m8n32 or m32n8.
static constexpr unsigned MaxElements = 1024, MaxSums = 256;

static unsigned widthOfA(const MatrixOperation &Op) {
  return Op.Sparse ? Op.K / 2 : Op.K;
}

/// A by rows, without the zeros that mma.sp leaves out.
static void loadA(const MatrixOperation &Op, const MatrixArguments &Args,
                  float *A) {
  unsigned Width = widthOfA(Op);
  uint32_t Words[MaxElements];
  gatherWords(Args.A, layoutOfA(Op.A.Type, Op.M, Width), Words);
  widen(Op.A.Type, Words, Op.M * Width * bitsOf(Op.A.Type) / 32, A);
}

/// B by rows, so that a row of it is a vector.
static void loadB(const MatrixOperation &Op, const MatrixArguments &Args,
                  float *B) {
  uint32_t Words[MaxElements];
  float Columns[MaxElements];
  gatherWords(Args.B, layoutOfB(Op.B.Type, Op.K, Op.N), Words);
  widen(Op.B.Type, Words, Op.K * Op.N * bitsOf(Op.B.Type) / 32, Columns);
  for (unsigned Column = 0; Column != Op.N; ++Column)
    for (unsigned Row = 0; Row != Op.K; ++Row)
      B[Row * Op.N + Column] = Columns[Column * Op.K + Row];
}

/// What the sums start with: the products of integers are summed alone.
static void loadSums(const MatrixOperation &Op, const MatrixArguments &Args,
                     float *Sums) {
  if (Op.C.Type == MatrixType::S32)
    std::fill_n(Sums, Op.M * Op.N, 0.0F);
  else
    gatherAccumulator(Op.C.Type, Args.C, Op.M, Op.N, Sums);
}

static void storeIntegers(const MatrixOperation &Op,
                          const MatrixArguments &Args, const int32_t *Sums) {
  int32_t Elements[MaxSums];
  gatherAccumulator(Op.C.Type, Args.C, Op.M, Op.N, Elements);
  for (unsigned I = 0; I != Op.M * Op.N; ++I) {
    int64_t Sum = static_cast<int64_t>(Elements[I]) + Sums[I];
    if (Op.Saturate)
      Sum = std::clamp<int64_t>(Sum, INT32_MIN, INT32_MAX);
    Elements[I] = static_cast<int32_t>(Sum);
  }
  scatterAccumulator(Op.D.Type, Args.Dest, Op.M, Op.N, Elements);
}

static void storeSums(const MatrixOperation &Op, const MatrixArguments &Args,
                      const float *Sums) {
  if (Op.C.Type != MatrixType::S32)
    return scatterAccumulator(Op.D.Type, Args.Dest, Op.M, Op.N, Sums);
  // Fewer than 2^24, and therefore exact.
  int32_t Integers[MaxSums];
  for (unsigned I = 0; I != Op.M * Op.N; ++I)
    Integers[I] = static_cast<int32_t>(Sums[I]);
  storeIntegers(Op, Args, Integers);
}

/// Of plain arrays, GCC makes shuffles instead of sums in the loops below.
using FourFloats __attribute__((vector_size(16))) = float;

/// For N columns of the \p Pitch that B and the sums have. Two rows at a time,
/// M being even, so that each row of B is read half as often and enough sums
/// are independent.
template <unsigned N>
static void addColumns(const float *A, const float *B, float *Sums, unsigned M,
                       unsigned K, size_t Pitch) {
  constexpr unsigned Vectors = N / 4;
  for (unsigned I = 0; I != M; I += 2) {
    FourFloats First[Vectors], Second[Vectors];
    std::memcpy(First, Sums + I * Pitch, sizeof First);
    std::memcpy(Second, Sums + I * Pitch + Pitch, sizeof Second);
    for (unsigned J = 0; J != K; ++J) {
      float X = A[I * K + J], Y = A[I * K + K + J];
      for (unsigned V = 0; V != Vectors; ++V) {
        FourFloats Row;
        std::memcpy(&Row, B + J * Pitch + 4 * V, sizeof Row);
        First[V] += X * Row;
        Second[V] += Y * Row;
      }
    }
    std::memcpy(Sums + I * Pitch, First, sizeof First);
    std::memcpy(Sums + I * Pitch + Pitch, Second, sizeof Second);
  }
}

void emulator::addProducts(const float *A, const float *B, float *Sums,
                           const ProductShape &Shape) {
  unsigned Column = 0;
  for (; Column + 32 <= Shape.N; Column += 32)
    addColumns<32>(A, B + Column, Sums + Column, Shape.M, Shape.K, Shape.N);
  for (; Column + 16 <= Shape.N; Column += 16)
    addColumns<16>(A, B + Column, Sums + Column, Shape.M, Shape.K, Shape.N);
  for (; Column + 8 <= Shape.N; Column += 8)
    addColumns<8>(A, B + Column, Sums + Column, Shape.M, Shape.K, Shape.N);
}

void emulator::multiplyDense(const MatrixOperation &Op,
                             const MatrixArguments &Args) {
  float A[MaxElements], B[MaxElements], Sums[MaxSums];
  loadA(Op, Args, A);
  loadB(Op, Args, B);
  loadSums(Op, Args, Sums);
  addProducts(A, B, Sums, {Op.M, Op.N, Op.K});
  storeSums(Op, Args, Sums);
}

/// The column of A that each of its packed elements belongs to. The metadata
/// has four bits for each chunk of two (tf32), eight (four-bit types) or else
/// four columns, those of a row's first chunk lowest (PTX ISA 9.7.14.6, whose
/// figures of the lanes agree with what CUTLASS prepares for them). With 16
/// bits an element and more, a lane has 16 bits of row g below 16 of row g + 8;
/// with fewer, the even lane has 32 bits of row g, the odd one of row g + 8.
/// The next lane, or pair of lanes, goes on with the row. The selector counts
/// the groups of lanes that cover whole rows.
void emulator::readMetadata(const SparseLayout &Layout,
                            const uint32_t *Metadata, uint8_t *Columns) {
  unsigned Bits = bitsOf(Layout.Type), Width = Layout.K / 2;
  unsigned PerChunk = Bits == 32 ? 1 : Bits == 4 ? 4 : 2;
  unsigned Chunks = Width / PerChunk;
  bool Wide = Bits >= 16;
  unsigned PerLane = Wide ? 4 : 8; // chunks of a row
  unsigned Lanes = Chunks / PerLane * (Wide ? 1 : 2);
  for (unsigned Row = 0; Row != Layout.M; ++Row)
    for (unsigned Chunk = 0; Chunk != Chunks; ++Chunk) {
      unsigned High = Row / 8, Piece = Chunk / PerLane;
      unsigned Lane = Row % 8 * 4 + Layout.Selector * Lanes +
                      (Wide ? Piece : 2 * Piece + High);
      unsigned Shift = 4 * (Chunk % PerLane) + (Wide ? 16 * High : 0);
      unsigned Indices = Metadata[Lane % 32] >> Shift & 15;
      uint8_t *To = Columns + Row * Width + Chunk * PerChunk;
      unsigned First = Indices & 3, Second = Indices >> 2;
      if (PerChunk == 1) {
        To[0] = Chunk * 2 + (First >> 1);
      } else if (PerChunk == 2) {
        To[0] = Chunk * 4 + First;
        To[1] = Chunk * 4 + Second;
      } else {
        To[0] = Chunk * 8 + First * 2;
        To[1] = To[0] + 1;
        To[2] = Chunk * 8 + Second * 2;
        To[3] = To[2] + 1;
      }
    }
}

namespace {
/// The factors of the pieces along k of a row of A or a column of B.
struct Scales {
  float OfA[16][4], OfB[8][4];
};
} // namespace

/// Of A, lane t = 2 * ThreadA of a row's four has row g, the next one row
/// g + 8; of B, lane ThreadB has column g (PTX ISA 9.7.14.3).
static void readScales(const MatrixOperation &Op, const MatrixArguments &Args,
                       Scales &Scale) {
  for (unsigned Block = 0; Block != Op.ScaleBlocks; ++Block) {
    for (unsigned Row = 0; Row != 16; ++Row) {
      unsigned Lane = Row % 8 * 4 + Args.ThreadA % 2 * 2 + Row / 8;
      unsigned Byte = (Args.ByteA + Block) % 4;
      Scale.OfA[Row][Block] =
          scaleValue(Args.ScaleA[Lane] >> (8 * Byte), Op.ScaleE4M3);
    }
    for (unsigned Column = 0; Column != 8; ++Column) {
      unsigned Lane = Column * 4 + Args.ThreadB % 4;
      unsigned Byte = (Args.ByteB + Block) % 4;
      Scale.OfB[Column][Block] =
          scaleValue(Args.ScaleB[Lane] >> (8 * Byte), Op.ScaleE4M3);
    }
  }
}

void emulator::addSparseProducts(const float *A, const uint8_t *Columns,
                                 const float *B, float *Sums,
                                 const ProductShape &Shape) {
  constexpr unsigned Piece = 8;
  const size_t Width = Shape.K / 2, Pitch = Shape.N;
  for (unsigned I = 0; I != Shape.M; ++I)
    for (unsigned First = 0; First != Shape.N; First += Piece) {
      float Row[Piece];
      std::copy_n(Sums + I * Pitch + First, Piece, Row);
      for (size_t J = I * Width; J != (I + 1) * Width; ++J)
        for (unsigned Column = 0; Column != Piece; ++Column)
          Row[Column] += A[J] * B[Columns[J] * Pitch + First + Column];
      std::copy_n(Row, Piece, Sums + I * Pitch + First);
    }
}

void emulator::multiplySparseOrScaled(const MatrixOperation &Op,
                                      const MatrixArguments &Args) {
  constexpr unsigned N = 8;
  float A[MaxElements], B[MaxElements], Sums[MaxSums];
  uint8_t Columns[MaxElements];
  unsigned Width = widthOfA(Op);
  loadA(Op, Args, A);
  loadB(Op, Args, B);
  loadSums(Op, Args, Sums);
  if (Op.Sparse)
    readMetadata({Op.A.Type, Op.M, Op.K, Args.Selector}, Args.Metadata,
                 Columns);
  else
    for (unsigned I = 0; I != Op.M * Width; ++I)
      Columns[I] = I % Width;
  if (!Op.ScaleBlocks) {
    addSparseProducts(A, Columns, B, Sums, {Op.M, N, Op.K});
    return storeSums(Op, Args, Sums);
  }
  Scales Scale;
  readScales(Op, Args, Scale);
  // In double, since one of the two scaled factors may leave float's range.
  for (unsigned I = 0; I != Op.M; ++I)
    for (unsigned J = 0; J != Width; ++J) {
      unsigned Row = Columns[I * Width + J];
      unsigned Block = Row / (Op.K / Op.ScaleBlocks);
      double Factor =
          static_cast<double>(A[I * Width + J]) * Scale.OfA[I][Block];
      for (unsigned Column = 0; Column != N; ++Column)
        Sums[I * N + Column] += static_cast<float>(
            Factor * (static_cast<double>(B[Row * N + Column]) *
                      Scale.OfB[Column][Block]));
    }
  storeSums(Op, Args, Sums);
}

template <typename Function>
static void addDoubles(const MatrixOperation &Op, const double *A,
                       const double *B, double *Sums, Function Fma) {
  for (unsigned I = 0; I != Op.M; ++I)
    for (unsigned J = 0; J != Op.K; ++J)
      for (unsigned Column = 0; Column != Op.N; ++Column)
        Sums[I * Op.N + Column] =
            Fma(A[I * Op.K + J], B[Column * Op.K + J], Sums[I * Op.N + Column]);
}

void emulator::multiplyDouble(const MatrixOperation &Op,
                              const MatrixArguments &Args) {
  double A[MaxElements], B[MaxElements], Sums[MaxSums];
  gatherDoubles(Args.A, layoutOfA(Op.A.Type, Op.M, Op.K), A);
  gatherDoubles(Args.B, layoutOfB(Op.B.Type, Op.K, Op.N), B);
  gatherAccumulator(Op.C.Type, Args.C, Op.M, Op.N, Sums);
  if (Op.Rounding == FE_TONEAREST) {
    addDoubles(Op, A, B, Sums,
               [](double X, double Y, double Z) { return std::fma(X, Y, Z); });
  } else {
    // A call through a volatile pointer stays between the changes of mode.
    double (*volatile Fma)(double, double, double) = std::fma;
    int Mode = std::fegetround();
    std::fesetround(Op.Rounding);
    addDoubles(Op, A, B, Sums,
               [&](double X, double Y, double Z) { return Fma(X, Y, Z); });
    std::fesetround(Mode);
  }
  scatterAccumulator(Op.D.Type, Args.Dest, Op.M, Op.N, Sums);
}

/// Without the popcnt instruction, which not every processor has, a library
/// function would be called for each word.
static uint32_t countBits(uint32_t Word) {
  Word -= Word >> 1 & 0x55555555;
  Word = (Word & 0x33333333) + (Word >> 2 & 0x33333333);
  return ((Word + (Word >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

void emulator::addBitProducts(const uint32_t *A, const uint32_t *B,
                              int32_t *Sums, const ProductShape &Shape,
                              bool Xor) {
  const unsigned Words = Shape.K / 32;
  for (unsigned Row = 0; Row != Shape.M; ++Row)
    for (unsigned Column = 0; Column != Shape.N; ++Column) {
      int32_t Sum = 0;
      for (unsigned Word = 0; Word != Words; ++Word) {
        uint32_t X = A[Row * Words + Word], Y = B[Column * Words + Word];
        Sum += countBits(Xor ? X ^ Y : X & Y);
      }
      Sums[Row * Shape.N + Column] += Sum;
    }
}

void emulator::multiplyBits(const MatrixOperation &Op,
                            const MatrixArguments &Args) {
  uint32_t A[MaxElements], B[MaxElements];
  int32_t Sums[MaxSums] = {};
  gatherWords(Args.A, layoutOfA(Op.A.Type, Op.M, Op.K), A);
  gatherWords(Args.B, layoutOfB(Op.B.Type, Op.K, Op.N), B);
  addBitProducts(A, B, Sums, {Op.M, Op.N, Op.K}, Op.Xor);
  storeIntegers(Op, Args, Sums);
}

/// Where lane \p Lane of f32's m8n8k4 has its \p I-th element of C.
static void quadPairElement(unsigned Lane, unsigned I, unsigned &Row,
                            unsigned &Column) {
  Row = (Lane & 1) + (I & 2) + (Lane < 16 ? 0 : 4);
  Column = (I & 4) + (Lane & 2) + (I & 1);
}

void emulator::multiplyQuadPairs(const MatrixOperation &Op,
                                 const MatrixArguments &Args) {
  auto Half = [](const void *const *Registers, unsigned Lane, unsigned I) {
    uint32_t Word = static_cast<const uint32_t *>(Registers[I / 2])[Lane];
    return halfToFloat(Word >> (I % 2 * 16) & 0xffff);
  };
  for (unsigned Quad = 0; Quad != 4; ++Quad) {
    float A[8][4], B[4][8], Sums[8][8];
    auto ForEachLane = [&](auto Function) {
      for (unsigned Thread = 0; Thread != 8; ++Thread)
        Function(Quad * 4 + Thread % 4 + Thread / 4 * 16, Thread);
    };
    ForEachLane([&](unsigned Lane, unsigned Thread) {
      unsigned High = Thread & 4;
      for (unsigned I = 0; I != 4; ++I) {
        (Op.ColumnA ? A[I + High][Thread % 4] : A[Thread][I]) =
            Half(Args.A, Lane, I);
        (Op.ColumnB ? B[I][Thread] : B[Thread % 4][I + High]) =
            Half(Args.B, Lane, I);
      }
      for (unsigned I = 0; I != 8; ++I) {
        unsigned Row = Thread, Column = I;
        if (Op.C.Type == MatrixType::F16) {
          Sums[Row][Column] = Half(Args.C, Lane, I);
          continue;
        }
        quadPairElement(Lane, I, Row, Column);
        Sums[Row][Column] = static_cast<const float *>(Args.C[I])[Lane];
      }
    });
    addProducts(&A[0][0], &B[0][0], &Sums[0][0], {8, 8, 4});
    ForEachLane([&](unsigned Lane, unsigned Thread) {
      for (unsigned I = 0; I != Op.D.NumRegisters; ++I) {
        auto *Dest = static_cast<uint32_t *>(Args.Dest[I]);
        if (!Dest)
          continue;
        if (Op.D.Type == MatrixType::F16) {
          Dest[Lane] = floatToHalf(Sums[Thread][2 * I]) |
                       floatToHalf(Sums[Thread][2 * I + 1]) << 16;
          continue;
        }
        unsigned Row = 0, Column = 0;
        quadPairElement(Lane, I, Row, Column);
        Dest[Lane] = floatBits(Sums[Row][Column]);
      }
    });
  }
}

void emulator::transpose(const MatrixOperation &, const MatrixArguments &Args) {
  auto *Dest = static_cast<uint32_t *>(Args.Dest[0]);
  if (!Dest)
    return;
  auto *From = static_cast<const uint32_t *>(Args.A[0]);
  auto Element = [&](unsigned Row, unsigned Column) {
    return From[Row * 4 + Column / 2] >> (Column % 2 * 16) & 0xffff;
  };
  for (unsigned Lane = 0; Lane != 32; ++Lane) {
    unsigned Row = Lane / 4, Column = Lane % 4 * 2;
    Dest[Lane] = Element(Column, Row) | Element(Column + 1, Row) << 16;
  }
}
