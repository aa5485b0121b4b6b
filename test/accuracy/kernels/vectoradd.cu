//===- vectoradd.cu - Sum of two vectors -----------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// One thread for each element.
extern "C" __global__ void vectorAdd(const float *__restrict__ a,
                                     const float *__restrict__ b,
                                     float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
