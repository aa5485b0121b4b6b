//===- swapped.cu - Rows along threadIdx.x, and columns ----------- -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
// Threads that are neighbours in x take neighbouring rows.
extern "C" __global__ void defect(float *m, float factor, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  m[row * width + column] *= factor; // planted: uncoalesced-access
}

extern "C" __global__ void fixed(float *m, float factor, int width) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  m[row * width + column] *= factor;
}
