//===- scan.cu - Prefix sums -----------------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

constexpr unsigned Block = 256;
constexpr unsigned Warps = Block / 32;
constexpr unsigned All = 0xffffffff;

__device__ __forceinline__ unsigned scanOfWarp(unsigned value) {
#pragma unroll
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    unsigned other = __shfl_up_sync(All, value, delta);
    if (threadIdx.x % 32 >= delta)
      value += other;
  }
  return value;
}

// Inclusive sums within each block, and each block's total: by shuffles, the
// first warp going over the totals of the warps.
extern "C" __global__ void __launch_bounds__(Block)
    scanBlocks(const unsigned *__restrict__ in, unsigned *__restrict__ out,
               unsigned *__restrict__ totals, int n) {
  __shared__ unsigned warpSums[Warps];
  int i = blockIdx.x * Block + threadIdx.x;
  unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned value = scanOfWarp(i < n ? in[i] : 0);
  if (lane == 31)
    warpSums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    unsigned sum = scanOfWarp(lane < Warps ? warpSums[lane] : 0);
    if (lane < Warps)
      warpSums[lane] = sum;
  }
  __syncthreads();
  if (warp > 0)
    value += warpSums[warp - 1];
  if (i < n)
    out[i] = value;
  if (threadIdx.x == Block - 1)
    totals[blockIdx.x] = value;
}

// What makes the sums of blocks those of the whole: `offsets` holds the sum of
// all blocks before each.
extern "C" __global__ void
scanAddOffsets(unsigned *sums, const unsigned *__restrict__ offsets, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sums[i] += offsets[blockIdx.x];
}

// Where a shared-memory tree keeps element i: one word of padding after every
// 32 avoids conflicts of banks.
__device__ __forceinline__ unsigned padded(unsigned i) { return i + i / 32; }

// Exclusive sums within each block by a balanced tree, up and then down; a
// thread takes two elements.
extern "C" __global__ void __launch_bounds__(Block)
    scanTree(const unsigned *__restrict__ in, unsigned *__restrict__ out,
             int n) {
  constexpr unsigned Count = 2 * Block;
  __shared__ unsigned tree[Count + Count / 32];
  unsigned t = threadIdx.x;
  int i = blockIdx.x * Count + t;
  tree[padded(t)] = i < n ? in[i] : 0;
  tree[padded(t + Block)] = i + Block < n ? in[i + Block] : 0;
  for (unsigned step = 1; step < Count; step *= 2) {
    __syncthreads();
    unsigned right = (t + 1) * 2 * step - 1;
    if (right < Count)
      tree[padded(right)] += tree[padded(right - step)];
  }
  if (t == 0) // which wrote it last
    tree[padded(Count - 1)] = 0;
  for (unsigned step = Block; step > 0; step /= 2) {
    __syncthreads();
    unsigned right = (t + 1) * 2 * step - 1;
    if (right < Count) {
      unsigned left = tree[padded(right - step)];
      tree[padded(right - step)] = tree[padded(right)];
      tree[padded(right)] += left;
    }
  }
  __syncthreads();
  if (i < n)
    out[i] = tree[padded(t)];
  if (i + Block < n)
    out[i + Block] = tree[padded(t + Block)];
}
