//===- sorting.cu - passes of sorts ----------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// What sorts are made of: ranks by four bits within a block, a scatter into
// buckets, and the merge of two sorted arrays.

constexpr unsigned All = 0xffffffff;
constexpr int Threads = 256, Own = 8, Digits = 16;
constexpr int Count = Threads * Own; // keys of a block

// Where a counter lies: one word of padding after every 32.
__device__ __forceinline__ int padded(int i) { return i + i / 32; }
constexpr int Cells = Digits * Threads;

struct Ranks {
  unsigned counters[Cells + Cells / 32];
  unsigned warpSums[Threads / 32];
};

// Makes the counters, digit by digit and in a digit thread by thread, sums of
// all before them.
__device__ __forceinline__ void scanCounters(Ranks &ranks) {
  constexpr int Each = Cells / Threads;
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  unsigned own[Each], sum = 0;
#pragma unroll
  for (int i = 0; i < Each; ++i) {
    own[i] = sum;
    sum += ranks.counters[padded(t * Each + i)];
  }
  unsigned before = sum;
#pragma unroll
  for (int delta = 1; delta < 32; delta *= 2) {
    unsigned other = __shfl_up_sync(All, before, delta);
    if (lane >= delta)
      before += other;
  }
  if (lane == 31)
    ranks.warpSums[warp] = before;
  __syncthreads();
  before -= sum;
  for (int w = 0; w < warp; ++w)
    before += ranks.warpSums[w];
#pragma unroll
  for (int i = 0; i < Each; ++i)
    ranks.counters[padded(t * Each + i)] = before + own[i];
  __syncthreads();
}

// Sorts a block's keys by one digit into `sorted`, equal ones in their order.
// counters[d][Threads - 1] then is where digit d ends.
__device__ __forceinline__ void sortByDigit(Ranks &ranks, unsigned *sorted,
                                            const uint4 *in, int shift) {
  int t = threadIdx.x;
  unsigned keys[Own];
#pragma unroll
  for (int i = 0; i < Own / 4; ++i) {
    uint4 v = in[(blockIdx.x * Threads + t) * (Own / 4) + i];
    keys[4 * i] = v.x;
    keys[4 * i + 1] = v.y;
    keys[4 * i + 2] = v.z;
    keys[4 * i + 3] = v.w;
  }
#pragma unroll
  for (int d = 0; d < Digits; ++d)
    ranks.counters[padded(d * Threads + t)] = 0;
#pragma unroll
  for (int i = 0; i < Own; ++i)
    ++ranks.counters[padded((keys[i] >> shift) % Digits * Threads + t)];
  __syncthreads();
  scanCounters(ranks);
#pragma unroll
  for (int i = 0; i < Own; ++i) {
    int cell = padded((keys[i] >> shift) % Digits * Threads + t);
    unsigned rank = ranks.counters[cell];
    ranks.counters[cell] = rank + 1;
    sorted[rank] = keys[i];
  }
  __syncthreads();
}

__device__ __forceinline__ unsigned endOf(const Ranks &ranks, int digit) {
  return digit < 0 ? 0 : ranks.counters[padded(digit * Threads + Threads - 1)];
}

// Each block's keys, sorted by the digit, and how often each digit is there.
extern "C" __global__ void __launch_bounds__(Threads)
    radixRank(unsigned *__restrict__ out, unsigned *__restrict__ counts,
              const uint4 *__restrict__ in, int shift) {
  __shared__ Ranks ranks;
  __shared__ unsigned sorted[Count];
  sortByDigit(ranks, sorted, in, shift);
  int t = threadIdx.x;
#pragma unroll
  for (int i = 0; i < Own; ++i)
    out[blockIdx.x * Count + i * Threads + t] = sorted[i * Threads + t];
  if (t < Digits)
    counts[t * gridDim.x + blockIdx.x] = endOf(ranks, t) - endOf(ranks, t - 1);
}

// The keys into one bucket of `capacity` for each digit, in which each block
// takes its place by an atomic addition; what does not fit is left out.
extern "C" __global__ void __launch_bounds__(Threads)
    radixScatter(unsigned *__restrict__ out, unsigned *__restrict__ taken,
                 const uint4 *__restrict__ in, int shift, unsigned capacity) {
  __shared__ Ranks ranks;
  __shared__ unsigned sorted[Count], begins[Digits];
  sortByDigit(ranks, sorted, in, shift);
  int t = threadIdx.x;
  if (t < Digits) {
    unsigned begin = endOf(ranks, t - 1);
    begins[t] = atomicAdd(&taken[t], endOf(ranks, t) - begin) - begin;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < Own; ++i) {
    unsigned key = sorted[i * Threads + t], digit = (key >> shift) % Digits;
    unsigned place = begins[digit] + i * Threads + t;
    if (place < capacity)
      out[digit * capacity + place] = key;
  }
}

// How many of the first `diagonal` elements of the merged arrays come from a.
__device__ __forceinline__ int mergePath(const unsigned *a, int lengthA,
                                         const unsigned *b, int lengthB,
                                         int diagonal) {
  int low = max(0, diagonal - lengthB), high = min(diagonal, lengthA);
  while (low < high) {
    int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Merges a and b, which are sorted; a block makes Count elements, which the
// lengths together are a multiple of.
extern "C" __global__ void __launch_bounds__(Threads)
    mergeSorted(unsigned *__restrict__ out, const unsigned *__restrict__ a,
                int lengthA, const unsigned *__restrict__ b, int lengthB) {
  __shared__ unsigned part[Count], merged[Count];
  __shared__ int cuts[2];
  int t = threadIdx.x, first = blockIdx.x * Count;
  if (t < 2)
    cuts[t] = mergePath(a, lengthA, b, lengthB, first + t * Count);
  __syncthreads();
  int beginA = cuts[0], ofA = cuts[1] - beginA;
  int beginB = first - beginA, ofB = Count - ofA;
#pragma unroll
  for (int i = t; i < Count; i += Threads)
    part[i] = i < ofA ? a[beginA + i] : b[beginB + i - ofA];
  __syncthreads();
  const unsigned *partA = part, *partB = part + ofA;
  int atA = mergePath(partA, ofA, partB, ofB, t * Own);
  int atB = t * Own - atA;
#pragma unroll
  for (int i = 0; i < Own; ++i) {
    bool takesA = atB >= ofB || (atA < ofA && partA[atA] <= partB[atB]);
    merged[t * Own + i] = takesA ? partA[atA++] : partB[atB++];
  }
  __syncthreads();
#pragma unroll
  for (int i = t; i < Count; i += Threads)
    out[first + i] = merged[i];
}
