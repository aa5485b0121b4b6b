//===- bounds-global-write.cu - One store too many -------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(int *out, int n) {
#pragma unroll 1
  for (int i = threadIdx.x; i <= n; i += blockDim.x)
    out[i] = i;
}

extern "C" __global__ void fixed(int *out, int n) {
#pragma unroll 1
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = i;
}
