//===- streams.cu - matrices that are read once ----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// One block of 512 threads for each of 30 SMs; a thread walks down a column.
static constexpr int Columns = 30 * 512;
// Rows of an iteration, so that a loop's own instructions are few.
static constexpr int Unroll = 64;

static __device__ int columnOfThread() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// The dot product of two matrices.
extern "C" __global__ void dotp(const float *a, const float *b, float *out,
                                int rows) {
  int column = columnOfThread();
  a += column;
  b += column;
  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < rows; row += Unroll) {
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
      sum = fmaf(a[u * Columns], b[u * Columns], sum);
    a += Unroll * Columns;
    b += Unroll * Columns;
  }
  out[column] = sum;
}

// A matrix times a number, added up.
extern "C" __global__ void madd(const float *a, float factor, float *out,
                                int rows) {
  int column = columnOfThread();
  a += column;
  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < rows; row += Unroll) {
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
      sum = fmaf(a[u * Columns], factor, sum);
    a += Unroll * Columns;
  }
  out[column] = sum;
}

// Two matrices added up, a pair at a time (figure 99 of the thesis).
extern "C" __global__ void dmadd(const float *a, const float *b, float *out,
                                 int rows) {
  int column = columnOfThread();
  a += column;
  b += column;
  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < rows; row += Unroll) {
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
      sum += a[u * Columns] + b[u * Columns];
    a += Unroll * Columns;
    b += Unroll * Columns;
  }
  out[column] = sum;
}

// The product of a column.
extern "C" __global__ void mmul(const float *a, float *out, int rows) {
  int column = columnOfThread();
  a += column;
  float product = 1;
#pragma unroll 1
  for (int row = 0; row < rows; row += Unroll) {
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
      product *= a[u * Columns];
    a += Unroll * Columns;
  }
  out[column] = product;
}

// Four multiplications and additions, each of which needs the one before.
static __device__ void fmad4(float &x, float &y) {
  x = fmaf(y, x, y);
  y = fmaf(x, y, x);
  x = fmaf(y, x, y);
  y = fmaf(x, y, x);
}

// After each load two and four times as many in turn.
extern "C" __global__ void cmem(const float *a, float *out, int rows) {
  int column = columnOfThread();
  a += column;
  float x = 1, y = 2;
#pragma unroll 1
  for (int row = 0; row < rows; row += Unroll) {
#pragma unroll
    for (int u = 0; u < Unroll; ++u) {
      x += a[u * Columns];
#pragma unroll
      for (int i = 0; i < (u % 2 ? 4 : 2); ++i)
        fmad4(x, y);
    }
    a += Unroll * Columns;
  }
  out[column] = y;
}
