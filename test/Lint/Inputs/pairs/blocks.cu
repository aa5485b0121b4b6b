//===- blocks.cu - Few blocks, and many -----------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// Scales as many elements with each thread.
template <int Each>
__device__ void scale(float *x, float factor) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 4
  for (int k = 0; k < Each; ++k)
    x[k * threads + i] *= factor;
}

extern "C" __global__ void defect(float *x, float factor) {
  scale<64>(x, factor);
}
// Four times the blocks, each with a quarter of the work.
extern "C" __global__ void fixed(float *x, float factor) {
  scale<16>(x, factor);
}
