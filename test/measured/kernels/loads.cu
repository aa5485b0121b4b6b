//===- loads.cu - independent loads and strides ----------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// How many bytes are under way: threads with 1, 2, 4 or 8 loads that do not
// wait for each other, and with vectors; then lines of which a part is used.

// out = 2 * in; a thread takes Count elements that are a block's width apart.
// The grid covers exactly n.
template <typename T, int Count>
__device__ __forceinline__ void
scaleMany(T *__restrict__ out, const T *__restrict__ in, T (*twice)(T)) {
  int first = blockIdx.x * blockDim.x * Count + threadIdx.x;
  T values[Count];
#pragma unroll
  for (int i = 0; i < Count; ++i)
    values[i] = in[first + i * blockDim.x];
#pragma unroll
  for (int i = 0; i < Count; ++i)
    out[first + i * blockDim.x] = twice(values[i]);
}

__device__ __forceinline__ float twiceOne(float a) { return 2 * a; }
__device__ __forceinline__ float4 twiceFour(float4 a) {
  return make_float4(2 * a.x, 2 * a.y, 2 * a.z, 2 * a.w);
}

extern "C" __global__ void scale1(float *__restrict__ out,
                                  const float *__restrict__ in) {
  scaleMany<float, 1>(out, in, twiceOne);
}
extern "C" __global__ void scale2(float *__restrict__ out,
                                  const float *__restrict__ in) {
  scaleMany<float, 2>(out, in, twiceOne);
}
extern "C" __global__ void scale4(float *__restrict__ out,
                                  const float *__restrict__ in) {
  scaleMany<float, 4>(out, in, twiceOne);
}
extern "C" __global__ void scale8(float *__restrict__ out,
                                  const float *__restrict__ in) {
  scaleMany<float, 8>(out, in, twiceOne);
}
extern "C" __global__ void scaleVector1(float4 *__restrict__ out,
                                        const float4 *__restrict__ in) {
  scaleMany<float4, 1>(out, in, twiceFour);
}
extern "C" __global__ void scaleVector4(float4 *__restrict__ out,
                                        const float4 *__restrict__ in) {
  scaleMany<float4, 4>(out, in, twiceFour);
}

// Persistent blocks that add up what they read: next to no stores. A thread
// has Count loads under way before it adds any of them.
template <int Count>
__device__ __forceinline__ void sumMany(float *__restrict__ out,
                                        const float *__restrict__ in, int n) {
  int threads = gridDim.x * blockDim.x;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = thread; i < n; i += threads * Count) { // Count divides the trips
    float values[Count];
#pragma unroll
    for (int j = 0; j < Count; ++j)
      values[j] = in[i + j * threads];
#pragma unroll
    for (int j = 0; j < Count; ++j)
      sum += values[j];
  }
  out[thread] = sum;
}

extern "C" __global__ void sum1(float *__restrict__ out,
                                const float *__restrict__ in, int n) {
  int threads = gridDim.x * blockDim.x;
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int i = thread; i < n; i += threads)
    sum += in[i];
  out[thread] = sum;
}
extern "C" __global__ void sum4(float *__restrict__ out,
                                const float *__restrict__ in, int n) {
  sumMany<4>(out, in, n);
}
extern "C" __global__ void sum8(float *__restrict__ out,
                                const float *__restrict__ in, int n) {
  sumMany<8>(out, in, n);
}

// Every stride-th element, written densely; one element a thread.
extern "C" __global__ void strided(float *__restrict__ out,
                                   const float *__restrict__ in, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}

// Elements in an order that is given: a gather.
extern "C" __global__ void gather(float *__restrict__ out,
                                  const float *__restrict__ in,
                                  const unsigned *__restrict__ order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[order[i]];
}
