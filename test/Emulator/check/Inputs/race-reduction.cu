//===- race-reduction.cu - No barrier in the loop --------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const float *in, float *out) {
  extern __shared__ float partial[];
  unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
#pragma unroll 1
  for (unsigned stride = 128; stride > 0; stride /= 2)
    if (t < stride)
      partial[t] += partial[t + stride]; // no barrier before the next stride
  if (t == 0)
    out[blockIdx.x] = partial[0];
}

extern "C" __global__ void fixed(const float *in, float *out) {
  extern __shared__ float partial[];
  unsigned t = threadIdx.x;
  partial[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
#pragma unroll 1
  for (unsigned stride = 128; stride > 0; stride /= 2) {
    if (t < stride)
      partial[t] += partial[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = partial[0];
}
