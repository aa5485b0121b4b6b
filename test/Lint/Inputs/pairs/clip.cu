//===- clip.cu - Comparisons with constants -------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void defect(unsigned char *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] > 0.7 ? 255 : int(in[i] * 255.1); // planted: double-promotion
}

extern "C" __global__ void fixed(unsigned char *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] > 0.7f ? 255 : int(in[i] * 255.1f);
}
