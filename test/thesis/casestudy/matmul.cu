// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix multiplications for docs/measurements/MatmulCaseStudy.md: C = A * B, square matrices of n rows, n a multiple of the block's
// edge. The block is square, and the tile is the block, so that one code serves every size from 4x4 to 32x32.

extern "C" __global__ void matmulNaive(const float *A, const float *B, float *C,
                                       unsigned n) {
  unsigned Row = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned Column = blockIdx.x * blockDim.x + threadIdx.x;
  const float *OfA = A + Row * n, *OfB = B + Column;
  float Sum = 0;
#pragma unroll 1
  for (unsigned K = 0; K != n; ++K, ++OfA, OfB += n)
    Sum += *OfA * *OfB;
  C[Row * n + Column] = Sum;
}

extern "C" __global__ void matmulTiled(const float *A, const float *B, float *C,
                                       unsigned n) {
  __shared__ float TileA[32 * 32], TileB[32 * 32];
  const unsigned Edge = blockDim.x;
  unsigned Row = blockIdx.y * Edge + threadIdx.y;
  unsigned Column = blockIdx.x * Edge + threadIdx.x;
  unsigned Place = threadIdx.y * Edge + threadIdx.x;
  const float *OfA = A + Row * n + threadIdx.x;
  const float *OfB = B + threadIdx.y * n + Column;
  float Sum = 0;
#pragma unroll 1
  for (unsigned First = 0; First != n; First += Edge) {
    float ElementA = *OfA, ElementB = *OfB;
    TileA[Place] = ElementA;
    TileB[Place] = ElementB;
    OfA += Edge;
    OfB += Edge * n;
    __syncthreads();
    const float *RowA = TileA + threadIdx.y * Edge;
    const float *ColumnB = TileB + threadIdx.x;
#pragma unroll 1
    for (unsigned K = 0; K != Edge; K += 4) {
#pragma unroll
      for (unsigned I = 0; I != 4; ++I) {
        Sum += RowA[I] * *ColumnB;
        ColumnB += Edge;
      }
      RowA += 4;
    }
    __syncthreads();
  }
  C[Row * n + Column] = Sum;
}
