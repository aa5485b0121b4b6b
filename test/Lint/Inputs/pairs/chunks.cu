//===- chunks.cu - Pieces of an array, and strides through it ------ -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Each thread has a piece of its own, as threads of a CPU would.
extern "C" __global__ void defect(float *x, float factor, int n) {
  int threads = gridDim.x * blockDim.x, each = n / threads;
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
#pragma unroll 1
  for (int i = first; i < first + each; ++i)
    x[i] *= factor; // planted: uncoalesced-access
}

extern "C" __global__ void fixed(float *x, float factor, int n) {
  int threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads)
    x[i] *= factor;
}
