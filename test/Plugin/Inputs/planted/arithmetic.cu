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
  out[globalX()] = in[i] + in[i + 1] + in[i + 2] + in[i + 3]; // planted: narrow-access
}
extern "C" __global__ void fourFixed(const Four *in, float *out) {
  Four v = in[globalX()];
  out[globalX()] = v.x + v.y + v.z + v.w;
}

// One chain of additions in few warps; the fixed one has four.
extern "C" __global__ __launch_bounds__(32) void chain(float *x) {
  float value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < 4096; ++step)
    value = value * 0.75f + 0.25f; // planted: serial-recurrence
  x[globalX()] = value;
}
extern "C" __global__ __launch_bounds__(32) void chainFixed(float *x) {
  float a = x[globalX()], b = a + 1, c = a + 2, d = a + 3;
#pragma unroll 1
  for (int step = 0; step < 1024; ++step) {
    a = a * 0.75f + 0.25f;
    b = b * 0.75f + 0.25f;
    c = c * 0.75f + 0.25f;
    d = d * 0.75f + 0.25f;
  }
  x[globalX()] = a + b + c + d;
}

// Shared memory for one block of an SM.
extern "C" __global__ void large(const float *in, float *out) { // planted: low-occupancy
  __shared__ float tile[12288];
  int i = globalX();
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    tile[threadX() + k * 64] = in[k * 65536 + i];
    out[k * 65536 + i] = tile[threadX() + k * 64] * 2;
  }
}
extern "C" __global__ void largeFixed(const float *in, float *out) {
  __shared__ float tile[256];
  int i = globalX();
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    tile[threadX()] = in[k * 65536 + i];
    out[k * 65536 + i] = tile[threadX()] * 2;
  }
}
