//===- unequal.cu - blocks of unequal work ---------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Blocks that do not all work as long as another.

__device__ __forceinline__ void work(float *out, const float *in, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = a + 1;
#pragma unroll 8
  for (int r = 0; r < rounds; ++r) {
    a = fmaf(a, 0.999f, b);
    b = fmaf(b, 0.5f, 0.25f);
  }
  out[i] = a + b;
}

// One block works longer than the others, which works `rounds`.
extern "C" __global__ void unequalOne(float *out, const float *in, int which,
                                      int longer, int rounds) {
  work(out, in, blockIdx.x == which ? longer : rounds);
}

// The block i works i + 1 times as long as the first one.
extern "C" __global__ void unequalTriangle(float *out, const float *in,
                                           int rounds) {
  work(out, in, (blockIdx.x + 1) * rounds);
}

// The other way round: what takes longest starts first.
extern "C" __global__ void unequalTriangleDown(float *out, const float *in,
                                               int rounds) {
  work(out, in, (gridDim.x - blockIdx.x) * rounds);
}

// y = L * x with a lower triangular n x n matrix, a block for each row: the
// same with memory.
extern "C" __global__ void __launch_bounds__(256)
    unequalTriangularProduct(float *__restrict__ y, const float *__restrict__ l,
                             const float *__restrict__ x, int n) {
  __shared__ float partial[8];
  const float *row = l + static_cast<size_t>(blockIdx.x) * n;
  float sum = 0;
  for (int i = threadIdx.x; i <= blockIdx.x; i += 256)
    sum = fmaf(row[i], x[i], sum);
#pragma unroll
  for (unsigned mask = 16; mask > 0; mask /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, mask);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w)
      sum += partial[w];
    y[blockIdx.x] = sum;
  }
}
