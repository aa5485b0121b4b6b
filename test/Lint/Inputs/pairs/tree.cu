//===- tree.cu - Partners that draw apart, and that draw near -*- CUDA -*-===//
// Part of ptx-predict, Apache-2.0 WITH LLVM-exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
constexpr int Size = 1024;

// What is summed lies ever further apart: 2, 4, 8 ... words.
extern "C" __global__ void defect(const int *x, int *sums) {
  __shared__ int s[Size];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * Size + t];
  s[t + Size / 2] = x[blockIdx.x * Size + t + Size / 2];
#pragma unroll
  for (int apart = 1; apart < Size; apart *= 2) {
    __syncthreads();
    if (t < Size / 2 / apart)
      s[2 * apart * t] += s[2 * apart * t + apart]; // planted: bank-conflict
  }
  if (t == 0)
    sums[blockIdx.x] = s[0];
}

// The sums lie side by side.
extern "C" __global__ void fixed(const int *x, int *sums) {
  __shared__ int s[Size];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * Size + t];
  s[t + Size / 2] = x[blockIdx.x * Size + t + Size / 2];
#pragma unroll
  for (int apart = Size / 2; apart > 0; apart /= 2) {
    __syncthreads();
    if (t < apart)
      s[t] += s[t + apart];
  }
  if (t == 0)
    sums[blockIdx.x] = s[0];
}
