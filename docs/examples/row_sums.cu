//===- row_sums.cu - Sums of a matrix's rows, without a toolkit -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#define __global__ __attribute__((global))

constexpr int Columns = 64;

extern "C" __global__ void rowSums(const float *m, float *sums) {
  int row = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
            __nvvm_read_ptx_sreg_tid_x();
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < Columns; ++k)
    sum += m[row * Columns + k];
  sums[row] = sum;
}
