//===- nmat.cu - a naive product of matrices -------------------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

extern "C" __global__ void nmat(const float *a, const float *b, float *c,
                                int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; ++k)
    sum = fmaf(a[row * n + k], b[k * n + column], sum);
  c[row * n + column] = sum;
}
