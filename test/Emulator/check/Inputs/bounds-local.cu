//===- bounds-local.cu - An index beyond a local array ---------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
extern "C" __global__ void broken(const unsigned *index, unsigned *out) {
  unsigned counts[8] = {};
#pragma unroll 1
  for (int i = 0; i < 4; ++i)
    ++counts[index[threadIdx.x * 4 + i]];
  out[threadIdx.x] = counts[threadIdx.x % 8];
}

extern "C" __global__ void fixed(const unsigned *index, unsigned *out) {
  unsigned counts[8] = {};
#pragma unroll 1
  for (int i = 0; i < 4; ++i)
    ++counts[index[threadIdx.x * 4 + i] % 8];
  out[threadIdx.x] = counts[threadIdx.x % 8];
}
