//===- misaligned-global.cu - A float4 at an odd float ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const float *in, float *out) {
  unsigned t = threadIdx.x;
  float4 v = *(const float4 *)(in + 1 + 4 * t);
  out[t] = v.x + v.y + v.z + v.w;
}

extern "C" __global__ void fixed(const float *in, float *out) {
  unsigned t = threadIdx.x;
  float4 v = *(const float4 *)(in + 4 + 4 * t);
  out[t] = v.x + v.y + v.z + v.w;
}
