//===- contention.cu - atomics, and who wants the same word ----*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Atomics on global and shared memory, by how many threads want the same word:
// that is up to the data, which the launch chooses. Numbers of bins are powers
// of two, and `mask` is one less.

// What a block of this kind of kernel begins with and how it goes on.
__device__ __forceinline__ unsigned firstOfGrid() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ __forceinline__ unsigned strideOfGrid() {
  return blockDim.x * gridDim.x;
}

// Counts of keys, all in global memory; nobody waits for an old value.
extern "C" __global__ void histogramGlobal(unsigned *bins, const unsigned *keys,
                                           unsigned n, unsigned mask) {
  for (unsigned i = firstOfGrid(); i < n; i += strideOfGrid())
    atomicAdd(&bins[keys[i] & mask], 1u);
}

// As a counting sort has them: the old count is the key's rank in its bin.
extern "C" __global__ void histogramRank(unsigned *rank, unsigned *bins,
                                         const unsigned *keys, unsigned n,
                                         unsigned mask) {
  for (unsigned i = firstOfGrid(); i < n; i += strideOfGrid())
    rank[i] = atomicAdd(&bins[keys[i] & mask], 1u);
}

// Counts of a block in its shared memory, then added to those of the grid.
template <unsigned Bins>
__device__ __forceinline__ void
histogramShared(unsigned *bins, const unsigned *keys, unsigned n) {
  __shared__ unsigned own[Bins];
  for (unsigned b = threadIdx.x; b < Bins; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
  for (unsigned i = firstOfGrid(); i < n; i += strideOfGrid())
    atomicAdd(&own[keys[i] & (Bins - 1)], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Bins; b += blockDim.x)
    if (unsigned count = own[b])
      atomicAdd(&bins[b], count);
}

extern "C" __global__ void
histogramShared256(unsigned *bins, const unsigned *keys, unsigned n) {
  histogramShared<256>(bins, keys, n);
}

extern "C" __global__ void
histogramShared2048(unsigned *bins, const unsigned *keys, unsigned n) {
  histogramShared<2048>(bins, keys, n);
}

// The places of elements above a threshold go to a queue, a ring of `mask` + 1
// places: each thread takes its own.
extern "C" __global__ void appendThread(unsigned *queue, unsigned *tail,
                                        const float *in, unsigned n,
                                        float threshold, unsigned mask) {
  unsigned i = firstOfGrid();
  if (i < n && in[i] > threshold)
    queue[atomicAdd(tail, 1u) & mask] = i;
}

// One lane takes the places of its warp.
extern "C" __global__ void appendWarp(unsigned *queue, unsigned *tail,
                                      const float *in, unsigned n,
                                      float threshold, unsigned mask) {
  unsigned i = firstOfGrid(), lane = threadIdx.x % 32, begin = 0;
  bool wanted = i < n && in[i] > threshold;
  unsigned lanes = __ballot_sync(~0u, wanted);
  if (lane == 0 && lanes)
    begin = atomicAdd(tail, unsigned(__popc(lanes)));
  begin = __shfl_sync(~0u, begin, 0);
  if (wanted)
    queue[(begin + __popc(lanes & ((1u << lane) - 1))) & mask] = i;
}

// One thread takes the places of its block, which are shared out by a counter
// in shared memory.
extern "C" __global__ void appendBlock(unsigned *queue, unsigned *tail,
                                       const float *in, unsigned n,
                                       float threshold, unsigned mask) {
  __shared__ unsigned count, begin;
  unsigned i = firstOfGrid(), place = 0;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  bool wanted = i < n && in[i] > threshold;
  if (wanted)
    place = atomicAdd(&count, 1u);
  __syncthreads();
  if (threadIdx.x == 0)
    begin = atomicAdd(tail, count);
  __syncthreads();
  if (wanted)
    queue[(begin + place) & mask] = i;
}

// Sums of the values that have the same index.
extern "C" __global__ void scatterAddGlobal(float *sums, const unsigned *index,
                                            const float *values, unsigned n,
                                            unsigned mask) {
  unsigned i = firstOfGrid();
  if (i < n)
    atomicAdd(&sums[index[i] & mask], values[i]);
}

extern "C" __global__ void scatterAddDouble(double *sums, const unsigned *index,
                                            const float *values, unsigned n,
                                            unsigned mask) {
  unsigned i = firstOfGrid();
  if (i < n)
    atomicAdd(&sums[index[i] & mask], double(values[i]));
}

// The same by way of shared memory. Its floats have no addition of their own in
// hardware: the assembler makes a loop of compare and swap.
constexpr unsigned Sums = 1024;

extern "C" __global__ void scatterAddShared(float *sums, const unsigned *index,
                                            const float *values, unsigned n) {
  __shared__ float own[Sums];
  for (unsigned b = threadIdx.x; b < Sums; b += blockDim.x)
    own[b] = 0;
  __syncthreads();
  for (unsigned i = firstOfGrid(); i < n; i += strideOfGrid())
    atomicAdd(&own[index[i] & (Sums - 1)], values[i]);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < Sums; b += blockDim.x)
    atomicAdd(&sums[b], own[b]);
}

// The greatest values of groups, by compare and swap as long as one's own is
// greater. Few threads ever have to.
extern "C" __global__ void maximumSwap(float *greatest, const float *in,
                                       unsigned n, unsigned mask) {
  for (unsigned i = firstOfGrid(); i < n; i += strideOfGrid()) {
    float mine = in[i];
    int *word = reinterpret_cast<int *>(&greatest[i & mask]);
    int old = *reinterpret_cast<volatile int *>(word);
    while (mine > __int_as_float(old)) {
      int seen = old;
      old = atomicCAS(word, seen, __float_as_int(mine));
      if (old == seen)
        break;
    }
  }
}

// Sums of groups by compare and swap: every thread has to, and again if another
// one was faster.
extern "C" __global__ void sumSwap(float *sums, const float *in, unsigned n,
                                   unsigned mask) {
  unsigned i = firstOfGrid();
  if (i >= n)
    return;
  float mine = in[i];
  int *word = reinterpret_cast<int *>(&sums[i & mask]);
  int old = *reinterpret_cast<volatile int *>(word), seen;
  do {
    seen = old;
    old = atomicCAS(word, seen, __float_as_int(__int_as_float(seen) + mine));
  } while (old != seen);
}

// The sum over a block, of which its first warp has the result.
__device__ __forceinline__ float sumOfBlock(float sum) {
  __shared__ float ofWarps[32];
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x % 32 == 0)
    ofWarps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? ofWarps[threadIdx.x] : 0;
    for (int step = 16; step > 0; step /= 2)
      sum += __shfl_xor_sync(~0u, sum, step);
  }
  return sum;
}

// One atomic addition a block.
extern "C" __global__ void reduceAtomic(float *out, const float *in,
                                        unsigned n) {
  float sum = 0;
  for (unsigned i = firstOfGrid(); i < n; i += strideOfGrid())
    sum += in[i];
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}

// The block that is done last adds up the sums of all. `done` wraps around to
// zero, so that a launch leaves it as it was.
extern "C" __global__ void reduceLastBlock(float *out, float *partial,
                                           unsigned *done, const float *in,
                                           unsigned n) {
  __shared__ bool last;
  float sum = 0;
  for (unsigned i = firstOfGrid(); i < n; i += strideOfGrid())
    sum += in[i];
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  __threadfence();
  sum = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
    sum += __ldcg(&partial[b]);
  sum = sumOfBlock(sum);
  if (threadIdx.x == 0)
    *out = sum;
}
