//===- binomial.cu - American options by a tree of prices ------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

static constexpr int Steps = 512; // of the tree
static constexpr int Width = 256; // leaves in shared memory at once
static constexpr int Depth = 32;  // levels that a visit of them goes up
static constexpr int Leaves = Steps + 16;

// A block of Width threads prices one put: from the leaves to the root, Depth
// levels at a time, in tiles that overlap by as much.
extern "C" __global__ void binomial(float *prices, float *leaves,
                                    const float *spot, const float *strike,
                                    float up, float upShare, float downShare) {
  __shared__ float value[2][Width + 1];
  float s = spot[blockIdx.x], x = strike[blockIdx.x];
  float *mine = leaves + blockIdx.x * Leaves;
  int thread = threadIdx.x;
  for (int i = thread; i <= Steps; i += Width)
    mine[i] = fmaxf(x - s * __expf(up * float(2 * i - Steps)), 0.0f);
  float rise = __expf(up);
  for (int level = Steps; level > 0; level -= Depth)
    for (int base = 0; base < level; base += Width - Depth) {
      int last = min(Width - 1, level - base);
      __syncthreads();
      if (thread <= last)
        value[0][thread] = mine[base + thread];
      float worth = s * __expf(up * float(2 * (base + thread) - level));
#pragma unroll 1
      for (int k = last; k > last - Depth; k -= 2) {
        __syncthreads();
        worth *= rise;
        if (thread < k)
          value[1][thread] = fmaxf(x - worth, upShare * value[0][thread + 1] +
                                                  downShare * value[0][thread]);
        __syncthreads();
        worth *= rise;
        if (thread < k - 1)
          value[0][thread] = fmaxf(x - worth, upShare * value[1][thread + 1] +
                                                  downShare * value[1][thread]);
      }
      __syncthreads();
      if (thread <= last - Depth)
        mine[base + thread] = value[0][thread];
    }
  if (thread == 0)
    prices[blockIdx.x] = value[0][0];
}
