// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles in groups of rows; half of the threads of one row of tiles miss a barrier.
extern "C" __global__ void missing(const float *a, float *c, int rows,
                                   int columns, int k) {
  const int group = 8 * columns;
  const int first = blockIdx.x / group * 8;
  const int size = min(rows - first, 8);
  const int m = first + blockIdx.x % group % size;
  const int n = blockIdx.x % group / size;
  __shared__ float s[64];
  float sum = 0;
  for (int i = threadIdx.x; i < k; i += 64)
#pragma unroll
    for (int r = 0; r < 24; ++r)
      sum += a[(m * 24 + r) * k + i] * a[(n * 24 + r) * k + i];
  s[threadIdx.x] = sum;
  if (m != 13 || threadIdx.x < 32)
    __syncthreads();
  c[(m * columns + n) * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
