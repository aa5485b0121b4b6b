//===- spmv.cu - Sparse matrix times vector, in rows -----------*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The entries of row r are those from starts[r] up to starts[r + 1].

// One thread for each row: neighbouring threads read far apart.
extern "C" __global__ void spmvScalar(const unsigned *__restrict__ starts,
                                      const unsigned *__restrict__ columns,
                                      const float *__restrict__ values,
                                      const float *__restrict__ x,
                                      float *__restrict__ y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (unsigned e = starts[row]; e < starts[row + 1]; ++e)
    sum = fmaf(values[e], x[columns[e]], sum);
  y[row] = sum;
}

// One warp for each row.
extern "C" __global__ void spmvVector(const unsigned *__restrict__ starts,
                                      const unsigned *__restrict__ columns,
                                      const float *__restrict__ values,
                                      const float *__restrict__ x,
                                      float *__restrict__ y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  unsigned lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (unsigned e = starts[row] + lane; e < starts[row + 1]; e += 32)
    sum = fmaf(values[e], x[columns[e]], sum);
#pragma unroll
  for (unsigned delta = 16; delta > 0; delta /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, delta);
  if (lane == 0)
    y[row] = sum;
}
