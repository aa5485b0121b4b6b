//===- parity.cu - Work of odd and even lanes in turn ------------ -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Rounds = 16, Steps = 16;

__device__ float relax(float value, float rate) {
#pragma unroll 1
  for (int step = 0; step < Steps; ++step)
    value = value * rate + 0.5f;
  return value;
}
__device__ float damp(float value, float rate) {
#pragma unroll 1
  for (int step = 0; step < Steps; ++step)
    value = value - rate * value * value;
  return value;
}

// Red and black cells are neighbours, so every warp has both.
extern "C" __global__ void defect(float *x, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
#pragma unroll 1
  for (int round = 0; round < Rounds; ++round)
    if ((i + round) % 2) // planted: divergent-branch
      value = relax(value, rate);
    else
      value = damp(value, rate);
  x[i] = value;
}

// The red ones have one half of the array, the black ones the other.
extern "C" __global__ void fixed(float *x, float rate) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int half = i >= gridDim.x * blockDim.x / 2;
  float value = x[i];
#pragma unroll 1
  for (int round = 0; round < Rounds; ++round)
    if ((half + round) % 2)
      value = relax(value, rate);
    else
      value = damp(value, rate);
  x[i] = value;
}
