//===- control.cu - Warps that split, barriers, and what lanes meet on -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "cuda.h"

inline __device__ float grow(float value) {
#pragma unroll 1
  for (int step = 0; step < 64; ++step)
    value = value * value + 0.5f;
  return value;
}
inline __device__ float decay(float value) {
#pragma unroll 1
  for (int step = 0; step < 64; ++step)
    value = value * 0.75f - 0.25f;
  return value;
}

// Odd lanes go another way; the fixed one's odd warps do.
extern "C" __global__ void oddLanes(float *x) {
  int i = globalX();
  if (threadX() % 2) // planted: divergent-branch
    x[i] = grow(x[i]);
  else
    x[i] = decay(x[i]);
}
extern "C" __global__ void oddLanesFixed(float *x) {
  int i = globalX();
  if (threadX() / 32 % 2)
    x[i] = grow(x[i]);
  else
    x[i] = decay(x[i]);
}

// Each lane has its own number of rounds.
extern "C" __global__ void rounds(float *x) {
  float value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < threadX() % 32 * 8; ++step) // planted: divergent-branch
    value = value * value + 0.5f;
  x[globalX()] = value;
}
extern "C" __global__ void roundsFixed(float *x) {
  float value = x[globalX()];
#pragma unroll 1
  for (int step = 0; step < threadX() / 32 * 8; ++step)
    value = value * value + 0.5f;
  x[globalX()] = value;
}

// All threads add to one sum; the fixed ones to one of their own.
extern "C" __global__ void oneSum(const int *x, int *sum) {
  __nvvm_atom_add_gen_i(sum, x[globalX()]); // planted: contended-atomic
}
extern "C" __global__ void oneSumFixed(const int *x, int *sum) {
  __nvvm_atom_add_gen_i(sum + globalX(), x[globalX()]);
}

// Odd and even lanes add to two sums; the fixed ones to one of their own.
extern "C" __global__ void twoSums(const int *x, int *sums) {
  __nvvm_atom_add_gen_i(sums + threadX() % 2, x[globalX()]); // planted: contended-atomic
}
extern "C" __global__ void twoSumsFixed(const int *x, int *sums) {
  __nvvm_atom_add_gen_i(sums + globalX(), x[globalX()]);
}

// Threads of one block part before a barrier.
extern "C" __global__ void parted(float *x) {
  __shared__ float values[256];
  if (threadX() < 100) {
    values[threadX()] = x[globalX()];
    barrier(); // planted: barrier-in-divergent-code
    x[globalX()] = values[99 - threadX()];
  }
}
extern "C" __global__ void partedFixed(float *x) {
  __shared__ float values[256];
  if (threadX() < 100)
    values[threadX()] = x[globalX()];
  barrier();
  if (threadX() < 100)
    x[globalX()] = values[99 - threadX()];
}
// And leave a loop with one at different times.
extern "C" __global__ void leaving(float *x) {
  __shared__ float values[256];
#pragma unroll 1
  for (int k = threadX(); k < 1000; k += 256) {
    values[threadX()] = x[k];
    barrier(); // planted: barrier-in-divergent-code
    x[k] = values[255 - threadX()];
  }
}
extern "C" __global__ void leavingFixed(float *x) {
  __shared__ float values[256];
#pragma unroll 1
  for (int k = 0; k < 1024; k += 256) {
    values[threadX()] = x[k + threadX()];
    barrier();
    x[k + threadX()] = values[255 - threadX()];
    barrier();
  }
}
