//===- arithmetic.cu - What is computed, and how it waits -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "cuda.h"

// Doubles throughout.
template <typename T> inline __device__ T steps(T value) {
#pragma unroll 1
  for (int step = 0; step < 256; ++step)
    value = value * value + T(0.25); // planted: slow-arithmetic in doubles
  return value;
}
extern "C" __global__ void doubles(double *x) { x[globalX()] = steps(x[globalX()]); }
extern "C" __global__ void doublesFixed(float *x) { x[globalX()] = steps(x[globalX()]); }

// A division in a loop; the fixed one multiplies.
extern "C" __global__ void divides(int *x, int by) {
  int value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 256; ++step)
    value += value / (by + step); // planted: slow-arithmetic
  x[globalX()] = value;
}
extern "C" __global__ void dividesFixed(int *x, int by) {
  int value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 256; ++step)
    value += value * (by + step);
  x[globalX()] = value;
}

// Constants that are doubles.
extern "C" __global__ void promoted(float *x) {
  float value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 256; ++step)
    value = 0.5 * value + 0.3; // planted: double-promotion
  x[globalX()] = value;
}
extern "C" __global__ void promotedFixed(float *x) {
  float value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 256; ++step)
    value = 0.5f * value + 0.3f;
  x[globalX()] = value;
}

// Long divisions in a loop.
extern "C" __global__ void longs(long *x, long by) {
  long value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 64; ++step)
    value += value / (by + step); // planted: slow-arithmetic
  x[globalX()] = value;
}
extern "C" __global__ void longsFixed(long *x, long by) {
  long value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 64; ++step)
    value += value + (by + step);
  x[globalX()] = value;
}

// Four words of a thread, one by one; the fixed one reads them at once.
typedef float Four __attribute__((ext_vector_type(4)));
extern "C" __global__ void four(const float *in, float *out) {
  int i = globalX() * 4;
  out[globalX()] = in[i] + in[i + 1] + in[i + 2] + in[i + 3]; // planted: narrow-access (little)
}
extern "C" __global__ void fourFixed(const Four *in, float *out) {
  Four v = in[globalX()];
  out[globalX()] = v.x + v.y + v.z + v.w;
}

// One chain of additions in few warps; the fixed one has four. The terms are
// bits of counters, so that nothing else is as slow.
inline __device__ float bits(int k) { return __builtin_bit_cast(float, k); }
extern "C" __global__ void chain(float value, float *out) {
  float sum = 0;
#pragma unroll 16
  for (int k = 0; k < 1024; ++k)
    sum = (sum * value + bits(k)) * value; // planted: serial-recurrence
  out[globalX()] = sum;
}
extern "C" __global__ void chainFixed(float value, float *out) {
  float square = value * value, power = square * square * square * value;
  float a = 0, b = 0, c = 0, d = 0;
#pragma unroll 4
  for (int k = 0; k < 1024; k += 4) {
    a = (a * power + bits(k)) * value;
    b = (b * power + bits(k + 1)) * value;
    c = (c * power + bits(k + 2)) * value;
    d = (d * power + bits(k + 3)) * value;
  }
  out[globalX()] = ((a * square + b) * square + c) * square + d;
}

// Shared memory that leaves room for few blocks.
template <int Size> inline __device__ float neighbours(const float *x) {
  __shared__ float tile[Size];
  int t = threadX();
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    tile[t] = x[k * 524288 + globalX()];
    barrier();
    sum += tile[t] + tile[t ^ 1];
    barrier();
  }
  return sum;
}
extern "C" __global__ void large(const float *x, float *sums) { // planted: low-occupancy
  sums[globalX()] = neighbours<12288>(x);
}
extern "C" __global__ void largeFixed(const float *x, float *sums) {
  sums[globalX()] = neighbours<128>(x);
}

// Few blocks more than a device takes at once; the fixed one has many waves.
extern "C" __global__ void tail(float *x) { // planted: tail-effect
  float value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 4096; ++step)
    value = value * 0.75f + 0.25f;
  x[globalX()] = value;
}
extern "C" __global__ void tailFixed(float *x) {
  float value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 4096; ++step)
    value = value * 0.75f + 0.25f;
  x[globalX()] = value;
}
