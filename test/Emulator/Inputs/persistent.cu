//===- persistent.cu - Blocks that take tile after tile --------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Tiles by their number: known without a run.
extern "C" __global__ void byStride(float *out, unsigned tiles) {
  for (unsigned t = blockIdx.x; t < tiles; t += gridDim.x)
    out[t * blockDim.x + threadIdx.x] = t;
}

// One thread takes the next tile for its block.
extern "C" __global__ void byBlock(unsigned *next, float *out, unsigned tiles) {
  __shared__ unsigned tile;
  for (;;) {
    if (threadIdx.x == 0)
      tile = atomicAdd(next, 1u);
    __syncthreads();
    unsigned t = tile;
    __syncthreads();
    if (t >= tiles)
      break;
    out[t * blockDim.x + threadIdx.x] = t;
  }
}

// One lane takes the next tile for its warp.
extern "C" __global__ void byWarp(unsigned *next, float *out, unsigned tiles) {
  for (;;) {
    unsigned t = 0;
    if (threadIdx.x % 32 == 0)
      t = atomicAdd(next, 1u);
    t = __shfl_sync(~0u, t, 0);
    if (t >= tiles)
      break;
    out[t * 32 + threadIdx.x % 32] = t;
  }
}

// Each thread takes the next element for itself.
extern "C" __global__ void byThread(unsigned *next, float *out,
                                    unsigned elements) {
  unsigned t;
  while ((t = atomicAdd(next, 1u)) < elements)
    out[t] = t;
}

// A schedule in memory says which tile comes next; -1 is the end.
extern "C" __global__ void bySchedule(const int *schedule, float *out,
                                      int most) {
  const int *mine = schedule + blockIdx.x * most;
  for (int t = *mine; t >= 0; t = *++mine)
    out[t * blockDim.x + threadIdx.x] = t;
}

// A search that stops at what it finds is none of them.
extern "C" __global__ void find(const int *in, int *out, int key) {
  int i = threadIdx.x;
  while (in[i] != key)
    i += 32;
  out[threadIdx.x] = i;
}

// The same from a copy of the schedule in shared memory.
extern "C" __global__ void byCopiedSchedule(const int *schedule, float *out) {
  constexpr int Most = 64;
  __shared__ int mine[Most];
  if (threadIdx.x < Most)
    mine[threadIdx.x] = schedule[blockIdx.x * Most + threadIdx.x];
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k != Most; ++k) {
    const int t = mine[k];
    if (t < 0)
      break;
    out[t * blockDim.x + threadIdx.x] = t;
  }
}
