//===- printf.cu - Text from the device ------------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdio>

// Some of the threads say who they are.
extern "C" __global__ void printThreads(int *__restrict__ out, int n, int every,
                                        double factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int arguments = 0; // that printf took, which is what it returns
  if (i % every == 0)
    arguments = printf("thread %3d of block %u: %.3f, 0x%08x, %s%c\n",
                       threadIdx.x, blockIdx.x, i * factor, i * 2654435761u,
                       i % 2 ? "odd" : "even", '.');
  out[i] = arguments;
}
