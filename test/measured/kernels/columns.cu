//===- columns.cu - warps whose lanes are rows apart -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// Requests with as many sectors, and as many lines, as lanes: what a transpose
// without shared memory does, loads and stores apart. Other warps of a block
// use the rest of each sector.

// Lane x is row x of a tile, a block's y its column; a row has pitch elements.
__device__ __forceinline__ long long place(int pitch) {
  long long row = blockIdx.x * blockDim.x + threadIdx.x;
  return row * pitch + blockIdx.y * blockDim.y + threadIdx.y;
}

extern "C" __global__ void columnStores(float *out, int pitch, float value) {
  out[place(pitch)] = value;
}

extern "C" __global__ void columnVectorStores(float4 *out, int pitch,
                                              float value) {
  out[place(pitch)] = make_float4(value, value, value, value);
}

// One store, which no value of the data asks for.
extern "C" __global__ void columnLoads(float *out, const float *__restrict__ in,
                                       int pitch) {
  float value = in[place(pitch)];
  if (value == 123.0f)
    out[threadIdx.x] = value;
}

extern "C" __global__ void columnVectorLoads(float *out,
                                             const float4 *__restrict__ in,
                                             int pitch) {
  float4 value = in[place(pitch)];
  if (value.x + value.y + value.z + value.w == 123.0f)
    out[threadIdx.x] = value.x;
}

// Stores of which each lane's is step elements from the next one's; what lies
// between is left as it is.
extern "C" __global__ void stridedStores(float *out, int step, float value) {
  long long thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread * step] = value;
}

// Groups of 2^shift neighbouring lanes, step elements from one group to the
// next, over and over mask + 1 elements: what L2 takes and gives if it holds
// them all. The elements of one instruction lie in as many lines and sectors as
// shift and step say.
__device__ __forceinline__ unsigned spread(unsigned thread, int shift,
                                           int step) {
  return (thread >> shift) * step + (thread & ((1u << shift) - 1));
}

template <typename T>
__device__ __forceinline__ void storeAgain(T *out, T value, int shift, int step,
                                           unsigned mask, int times) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned threads = gridDim.x * blockDim.x;
  for (int i = 0; i < times; ++i, thread += threads)
    out[spread(thread, shift, step) & mask] = value;
}

// Past L1, where the compiler's headers say how.
#ifdef __NVCC__
#define PAST_L1(at) __ldcg(at)
#else
#define PAST_L1(at) *(at)
#endif

template <typename T>
__device__ __forceinline__ float loadAgain(const T *in, int shift, int step,
                                           unsigned mask, int times) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 4
  for (int i = 0; i < times; ++i, thread += threads) {
    T value = PAST_L1(in + (spread(thread, shift, step) & mask));
    sum += *reinterpret_cast<float *>(&value);
  }
  return sum;
}

extern "C" __global__ void repeatedStores(float *out, int shift, int step,
                                          unsigned mask, int times,
                                          float value) {
  storeAgain(out, value, shift, step, mask, times);
}

extern "C" __global__ void repeatedVectorStores(float4 *out, int shift,
                                                int step, unsigned mask,
                                                int times, float value) {
  storeAgain(out, make_float4(value, value, value, value), shift, step, mask,
             times);
}

extern "C" __global__ void repeatedLoads(float *out, const float *in, int shift,
                                         int step, unsigned mask, int times) {
  float sum = loadAgain(in, shift, step, mask, times);
  if (sum == 123.0f)
    out[threadIdx.x] = sum;
}

extern "C" __global__ void repeatedVectorLoads(float *out, const float4 *in,
                                               int shift, int step,
                                               unsigned mask, int times) {
  float sum = loadAgain(in, shift, step, mask, times);
  if (sum == 123.0f)
    out[threadIdx.x] = sum;
}

// A thread's Count elements follow each other; each store has one of every
// thread's.
template <int Count>
__device__ __forceinline__ void storePieces(float *out, float value) {
  long long first = (blockIdx.x * blockDim.x + threadIdx.x) * Count;
#pragma unroll
  for (int i = 0; i < Count; ++i)
    out[first + i] = value + i;
}

extern "C" __global__ void pieceStores2(float *out, float value) {
  storePieces<2>(out, value);
}
extern "C" __global__ void pieceStores4(float *out, float value) {
  storePieces<4>(out, value);
}
extern "C" __global__ void pieceStores8(float *out, float value) {
  storePieces<8>(out, value);
}
extern "C" __global__ void pieceStores16(float *out, float value) {
  storePieces<16>(out, value);
}

// The same with loads, which L1 holds from the first one on.
template <int Count>
__device__ __forceinline__ void loadPieces(float *out, const float *in) {
  long long first = (blockIdx.x * blockDim.x + threadIdx.x) * Count;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < Count; ++i)
    sum += in[first + i];
  if (sum == 123.0f)
    out[threadIdx.x] = sum;
}

extern "C" __global__ void pieceLoads4(float *out, const float *in) {
  loadPieces<4>(out, in);
}
extern "C" __global__ void pieceLoads8(float *out, const float *in) {
  loadPieces<8>(out, in);
}
extern "C" __global__ void pieceLoads12(float *out, const float *in) {
  loadPieces<12>(out, in);
}

__device__ __forceinline__ float sumOf(float a) { return a; }
__device__ __forceinline__ float sumOf(float4 a) {
  return a.x + a.y + a.z + a.w;
}

// What L1 gives, over and over: lanes step elements apart, and eight loads 4 KiB
// from each other.
template <typename T>
__device__ __forceinline__ void loadFromL1(float *out, const T *in, int step,
                                           int times) {
  constexpr int Line = 128 / sizeof(T);
  const T *at = in + int(threadIdx.x % 32) * step;
  float sum = 0;
  for (int i = 0; i < times; ++i) {
    const T *here = at + (i & 7) * Line;
#pragma unroll
    for (int j = 0; j < 8; ++j)
      sum += sumOf(here[j * 32 * Line]);
  }
  if (sum == 123.0f)
    out[threadIdx.x] = sum;
}

extern "C" __global__ void hotLoads(float *out, const float *in, int step,
                                    int times) {
  loadFromL1(out, in, step, times);
}
extern "C" __global__ void hotLoads4(float *out, const float4 *in, int step,
                                     int times) {
  loadFromL1(out, in, step, times);
}
