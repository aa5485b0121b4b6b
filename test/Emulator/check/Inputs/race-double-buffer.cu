//===- race-double-buffer.cu - A buffer filled in use ----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const float *in, float *out, int steps) {
  __shared__ float buffer[2][128];
  unsigned t = threadIdx.x;
  float sum = 0;
  buffer[0][t] = in[t];
  buffer[1][t] = in[128 + t];
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    sum += buffer[k % 2][127 - t];
    buffer[k % 2][t] = in[(k + 2) * 128 + t]; // others still read it
    __syncthreads();
  }
  out[t] = sum;
}

extern "C" __global__ void fixed(const float *in, float *out, int steps) {
  __shared__ float buffer[2][128];
  unsigned t = threadIdx.x;
  float sum = 0;
  buffer[0][t] = in[t];
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    sum += buffer[k % 2][127 - t];
    buffer[(k + 1) % 2][t] = in[(k + 1) * 128 + t];
    __syncthreads();
  }
  out[t] = sum;
}
