// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles in an order that keeps what neighbouring blocks read together.

/// Groups of eight rows of tiles, column by column.
extern "C" __global__ void groupedTiles(const float *a, const float *b,
                                        float *c, int rows, int columns,
                                        int k) {
  const int group = 8 * columns;
  const int first = blockIdx.x / group * 8;
  const int size = min(rows - first, 8);
  const int m = first + blockIdx.x % group % size;
  const int n = blockIdx.x % group / size;
  float sum = 0;
  for (int i = threadIdx.x; i < k; i += 32)
#pragma unroll
    for (int r = 0; r < 16; ++r)
      sum += a[(m * 16 + r) * k + i] * b[(n * 16 + r) * k + i];
  c[(m * columns + n) * 32 + threadIdx.x] = sum;
}

/// Groups of six, unsigned, without a last group that may be smaller.
extern "C" __global__ void sixRows(const float *a, const float *b, float *c,
                                   unsigned columns, unsigned k) {
  const unsigned m = blockIdx.x / (6 * columns) * 6 + blockIdx.x % 6;
  const unsigned n = blockIdx.x / 6 % columns;
  float sum = 0;
  for (unsigned i = threadIdx.x; i < k; i += 32)
#pragma unroll
    for (unsigned r = 0; r < 16; ++r)
      sum += a[(m * 16 + r) * k + i] * b[(n * 16 + r) * k + i];
  c[(m * columns + n) * 32 + threadIdx.x] = sum;
}

/// A grid of two dimensions, whose x has two digits; some blocks do nothing.
extern "C" __global__ void twoDimensions(const float *a, const float *b,
                                         float *c, unsigned k) {
  const unsigned m = blockIdx.y * 4 + blockIdx.x % 4, n = blockIdx.x / 4;
  if (m % 4 == 3 && n > 9)
    return;
  float sum = 0;
  for (unsigned i = threadIdx.x; i < k; i += 32)
#pragma unroll
    for (unsigned r = 0; r < 16; ++r)
      sum += a[(m * 16 + r) * k + i] * b[(n * 16 + r) * k + i];
  c[(m * gridDim.x / 4 + n) * 32 + threadIdx.x] = sum;
}
